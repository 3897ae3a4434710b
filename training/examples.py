"""A network learns the choices of games that somebody won, beside its own experience (Rajeswaran et al. 2018).

What a team hardly ever wins by itself it learns little of. An agent that thinks longer, as a search on top of that team
does, may win it often, and is too slow to play along: so its games are played before (``benchmarks.wins``).
"""

from __future__ import annotations

from pathlib import Path

import torch
from torch import Tensor

from tabletop.agents.base import observed
from tabletop.agents.network import Choices, Judgement
from tabletop.game import Game, legal_mask
from tabletop.training.distributed import ALONE, Processes
from tabletop.training.lessons import Lessons
from tabletop.training.wins import games_of


class Examples:
    """The choices of the games of a file that are of the boxes played with; others are left out.

    Args:
        path: of a file of logs of won games.
        minibatch: how many are drawn at a time, of all processes.
        kind: of the observations that are kept.

    Raises:
        ValueError: it is no such file, no game is of these boxes, or one is not won by these rules.
        OSError: it cannot be read.
    """

    def __init__(
        self, game: Game, path: str | Path, minibatch: int, kind: torch.dtype, device: torch.device,
        processes: Processes = ALONE,
    ) -> None:  # fmt: skip
        self.minibatch, self.processes = minibatch, processes
        met = [one for _, choices in games_of(path, game) for one in choices]
        if not met:
            raise ValueError(f"{path}: none of its games is of a box that is trained on")
        self.lessons = Lessons.room(game, len(met), kind, device)
        for i, (state, action) in enumerate(met):
            self.lessons.observations[i] = torch.from_numpy(observed(game, state)[0])
            self.lessons.boxes[i] = int(state["box"][0])
            self.lessons.masks[i] = torch.from_numpy(legal_mask(game, state))
            self.lessons.chosen[i] = action

    def draw(self) -> Lessons:
        """A minibatch, (n,); of several processes the part of this one."""
        return self.lessons.some(self.minibatch, len(self.lessons.chosen), self.processes.own)

    def loss(
        self, lessons: Lessons, options: Choices, judged: Judgement, weight: float
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """Of what the network says of lessons and their options, and its part."""
        loss = lessons.choice_loss(options, judged)
        return weight * loss, {"example_loss": loss}


__all__ = ["Examples"]
