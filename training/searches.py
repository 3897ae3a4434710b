"""A network learns what a search on top of it finds (Anthony et al. 2017, "Thinking fast and slow").

Between two updates some positions of the running games are searched (:mod:`tabletop.agents.search`). Where another plan
than the network's own came out better, the policy learns its choices; and the win head learns how often the network's
own plan was won when it was played out. What was found lately is kept, and learnt beside the decisions of the games.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor
from torch.nn import functional as F

from tabletop import record
from tabletop.agents.base import observed
from tabletop.agents.network import Choices, Judgement, Network, choices, log_policy
from tabletop.agents.policy import Policy
from tabletop.agents.search import Search
from tabletop.game import Game, Record, legal_mask
from tabletop.games import in_parts
from tabletop.training.config import Searches
from tabletop.training.distributed import ALONE, Processes

#: Positions that are looked at for each that is searched: the more open one is, the likelier it is chosen.
LOOKED_AT = 8


class Lessons(NamedTuple):
    """Of n positions, what a search found; tensors."""

    observations: Tensor  #: (n, size), of the seat that is asked
    boxes: Tensor  #: int64 (n,), the box that is played with
    masks: Tensor  #: int8 (n, n_actions)
    chosen: Tensor  #: int64 (n,), the choice of a plan that is better than the network's own; -1: there is none
    won: Tensor  #: float32 (n,), how often the network's own plan was won; nan: not known

    @property
    def options(self) -> Choices:
        """The legal choices."""
        return choices(self.masks, self.masks.device)


class Experience:
    """Searches positions, and keeps what was found lately.

    Args:
        network: that searches and learns; it is kept, not copied.
        kind: of the observations that are kept.
        seed: of the searches.
    """

    def __init__(
        self, game: Game, settings: Searches, network: Network, kind: torch.dtype, precision: str, seed: int,
        processes: Processes = ALONE,
    ) -> None:  # fmt: skip
        self.game, self.settings, self.seed, self.processes = game, settings, seed, processes
        self.policy = Policy(game, network, precision=precision)
        n, device = settings.stored, self.policy.device
        self.kept = Lessons(
            torch.zeros(n, len(game.observation_low), dtype=kind, device=device),
            torch.zeros(n, dtype=torch.long, device=device),
            torch.zeros(n, game.n_actions, dtype=torch.int8, device=device),
            torch.full((n,), -1, device=device),
            torch.full((n,), torch.nan, device=device),
        )
        self.found = 0  #: lessons so far; the newest are kept

    def gain(self, states: Record, rng: np.random.Generator) -> dict[str, float]:
        """Searches some of the positions where the games stand, states (n,); ``rng`` draws which. Returns figures."""
        search = self.search()
        searched = [self._searched(search, one, i) for i, one in self._dealt(self._open(states, rng))]
        every = [one for part in self.processes.each(searched) for one in part]
        every.sort(key=lambda one: one[0])
        for _, lessons, _ in every:
            self._keep(lessons)
        return {"searched": float(len(every)), "better": float(np.mean([one[2] for one in every]) if every else 0.0)}

    def search(self) -> Search:
        """With the network as it is now."""
        return Search(self.game, self.policy, rollouts=self.settings.rollouts, proposals=False)

    def _open(self, states: Record, rng: np.random.Generator) -> Record:
        """Positions in which a seat has a choice, drawn by how open the game is: 4 p (1 - p), where p is the chance."""
        asked = np.flatnonzero(states["to_act"] >= 0)
        some = record.take(states, rng.permutation(asked)[: LOOKED_AT * self.settings.positions])
        if not len(some):
            return some
        p = self.policy.chances(observed(self.game, some), some["box"])
        weights = np.maximum(4 * p * (1 - p), 1e-6)
        most = min(self.settings.positions, len(some))
        return record.take(some, rng.choice(len(some), most, replace=False, p=weights / weights.sum()))

    def _dealt(self, states: Record) -> list[tuple[int, Record]]:
        """Those that this process searches, (1,) each, by number."""
        return [(i, states[i : i + 1]) for i in range(len(states))[self.processes.own]]

    def _searched(self, search: Search, state: Record, number: int) -> tuple[int, Lessons, bool]:
        """A position's number, what is learnt from it, and whether a better plan was found."""
        found = search.choose(state, int(np.random.default_rng([self.seed, self.found, number]).integers(2**31)))
        steps = list(found.turn.steps(found.plan.actions if found.better else found.plan.actions[:1]))
        seen = np.stack([found.turn.seen(step.state) for step in steps])
        masks = np.stack([legal_mask(found.turn.game, step.state) for step in steps])
        chosen = torch.tensor([step.action if found.better else -1 for step in steps])
        won = torch.full((len(steps),), torch.nan)
        if not in_parts(self.game, state):  # else the search speaks of the whole game, and the network of a part
            won[0] = found.won
        boxes = torch.full((len(steps),), int(state["box"][0]))
        lessons = Lessons(torch.from_numpy(seen), boxes, torch.from_numpy(masks), chosen, won)
        return number, lessons, found.better

    def _keep(self, lessons: Lessons) -> None:
        n = min(len(lessons.chosen), len(self.kept.chosen))
        places = (self.found + torch.arange(n)) % len(self.kept.chosen)
        for own, new in zip(self.kept, lessons, strict=True):
            own[places.to(own.device)] = new[:n].to(own.device, own.dtype)
        self.found += n

    def draw(self) -> Lessons:
        """A minibatch of what is kept, (n,); of several processes the part of this one."""
        there = min(self.found, len(self.kept.chosen))
        drawn = torch.randint(there, (self.settings.minibatch,), device=self.policy.device)[self.processes.own]
        return Lessons(*(x[drawn] for x in self.kept))

    def loss(
        self, lessons: Lessons, options: Choices, judged: Judgement, win: float
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """Of what the network says of lessons and their options, and its parts; ``win`` weighs the win head's."""
        better, known = lessons.chosen >= 0, ~lessons.won.isnan()
        logs = log_policy(judged.logits, options.legal)
        log_prob = (logs * (options.actions == lessons.chosen[:, None]) * options.legal).sum(1)
        choice_loss = -(log_prob * better).mean()
        target = torch.where(known, lessons.won, 0.0)
        win_loss = (F.binary_cross_entropy_with_logits(judged.win, target, reduction="none") * known).mean()
        told = {"searched_choice_loss": choice_loss, "searched_win_loss": win_loss}
        return self.settings.weight * choice_loss + win * win_loss, told

    def state_dict(self) -> dict[str, Any]:
        """All that changes: tensors and plain data."""
        return {"found": self.found, "kept": list(self.kept)}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on where :meth:`state_dict` was taken; with nothing, if another number of lessons was kept there."""
        kept: Sequence[Tensor] = state["kept"]
        if any(own.shape != new.shape for own, new in zip(self.kept, kept, strict=True)):
            return
        self.found = state["found"]
        for own, new in zip(self.kept, kept, strict=True):
            own.copy_(new)


__all__ = ["Experience", "Lessons"]
