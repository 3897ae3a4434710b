"""Choices that a network learns beside those of its own games: of searches, or of games that somebody won."""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor

from tabletop.agents.network import Choices, Judgement, choices, log_policy
from tabletop.game import Game


class Lessons(NamedTuple):
    """What is learnt of n positions; tensors."""

    observations: Tensor  #: (n, size), of the seat that is asked
    boxes: Tensor  #: int64 (n,), the box that is played with
    masks: Tensor  #: int8 (n, n_actions)
    chosen: Tensor  #: int64 (n,), the choice to learn; -1: there is none
    won: Tensor  #: float32 (n,), how often the network's own plan was won; nan: not known

    @classmethod
    def room(cls, game: Game, n: int, kind: torch.dtype, device: torch.device) -> Lessons:
        """For n positions, of which nothing is known yet; ``kind`` is that of the observations."""
        return cls(
            torch.zeros(n, len(game.observation_low), dtype=kind, device=device),
            torch.zeros(n, dtype=torch.long, device=device),
            torch.zeros(n, game.n_actions, dtype=torch.int8, device=device),
            torch.full((n,), -1, device=device),
            torch.full((n,), torch.nan, device=device),
        )

    @property
    def options(self) -> Choices:
        """The legal choices."""
        return choices(self.masks, self.masks.device)

    def choice_loss(self, options: Choices, judged: Judgement) -> Tensor:
        """Of not choosing so, of what the network says of the positions and their options: a mean over all n."""
        logs = log_policy(judged.logits, options.legal)
        log_prob = (logs * (options.actions == self.chosen[:, None]) * options.legal).sum(1)
        return -(log_prob * (self.chosen >= 0)).mean()

    def some(self, size: int, there: int, own: slice) -> Lessons:
        """A minibatch of ``size``, drawn from the first ``there``: of several processes the part of this one."""
        drawn = torch.randint(there, (size,), device=self.chosen.device)[own]
        return Lessons(*(x[drawn] for x in self))


__all__ = ["Lessons"]
