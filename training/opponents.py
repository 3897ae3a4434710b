"""Earlier selves of a network, who sit on some seats while it learns to play against rivals.

Learning from games against itself alone may go round in circles: it forgets how to beat what it has just beaten. So in
a share of the games some seats are an earlier self's, drawn anew for each rollout (Bansal et al. 2018, "Emergent
complexity via multi-agent competition"; Silver et al. 2016 trained AlphaGo's policy so). Seats are dealt by the
generator of ``starts``, alike in all processes.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tabletop.agents.network import Choices, Network, log_policy
from tabletop.agents.policy import ROWS
from tabletop.game import Game, Record, win_shares
from tabletop.training.config import Opponents
from tabletop.training.starts import Starts


class Selves:
    """Keeps earlier selves, and where they sit.

    Args:
        network: the learner's; it is copied.
        starts: of the games of all processes.
    """

    def __init__(self, game: Game, settings: Opponents, network: Network, starts: Starts) -> None:
        self.game, self.settings, self.starts = game, settings, starts
        self.network = copy.deepcopy(network).requires_grad_(False)  #: plays as the self of this rollout
        self.kept: list[dict[str, Tensor]] = []  #: weights, the newest last
        self.seats = np.array([game.seats(cell.setup[:1]) for cell in starts.cells])
        self.sits = np.zeros((starts.n, game.max_seats), np.bool_)  #: where an earlier self sits, of all games

    def keep(self, network: Network, updates: int) -> None:
        """After an update: keeps the network as it is, if it is time; the oldest gives way."""
        if updates % self.settings.every == 0:
            kept = {name: x.detach().cpu().clone() for name, x in network.state_dict().items()}
            self.kept = [*self.kept, kept][-self.settings.keep :]

    def hand_out(self, taught: int) -> None:
        """Before a rollout: draws the self that plays in it. The first ``taught`` games are a teacher's."""
        self.sits[:taught] = False
        if self.kept:
            self.network.load_state_dict(self.kept[self.starts.rng.integers(len(self.kept))])

    def seat(self, games: NDArray[np.int64], taught: int) -> None:
        """Seats are dealt in games, (k,), that have just begun: at least one for the learner, and one for the other."""
        self.sits[games] = False
        if not self.kept:
            return
        rng = self.starts.rng
        shared = games[(rng.random(len(games)) < self.settings.share) & (games >= taught)]
        for game in shared[self.seats[self.starts.now[shared]] > 1]:
            seats = self.seats[self.starts.now[game]]
            self.sits[game, rng.permutation(seats)[: rng.integers(1, seats)]] = True

    def share(self, games: NDArray[np.int64], finished: Record) -> NDArray[np.float64]:
        """What the learner had of the win in finished games, (k,), in which an earlier self sat; of others nan."""
        sat = self.sits[games]
        shares = (win_shares(self.game.results(finished)) * ~sat).sum(axis=1)
        return np.where(sat.any(axis=1), shares, np.nan)

    @torch.no_grad()
    def choose(
        self, observations: NDArray[np.float32], boxes: NDArray[Any], options: Choices, drawn: Tensor,
        rows: NDArray[np.int64],
    ) -> Tensor:  # fmt: skip
        """Places of their choices among the options, int64 (k,).

        Args:
            observations: float32 (n, size) of all games; ``boxes``: int (n,); ``options``: of those.
            drawn: (n,), evenly from 0 to 1.
            rows: int64 (k,), the games in which they choose.
        """
        padded = np.resize(rows, -(-len(rows) // ROWS) * ROWS)
        where, device = torch.from_numpy(padded), drawn.device
        seen = torch.from_numpy(observations[padded]).to(device)
        boxes_ = torch.from_numpy(boxes[padded].astype(np.int64)).to(device)
        own = Choices(*(x[where.to(device)] for x in options))
        logits = self.network(seen, boxes_, own).logits
        up_to = log_policy(logits, own.legal).exp().cumsum(1)
        places: Tensor = ((up_to > drawn[where.to(device), None]) & own.legal).int().argmax(1)
        return places[: len(rows)]

    def state_dict(self) -> dict[str, Any]:
        """All that changes, as tensors."""
        return {"kept": self.kept, "sits": torch.from_numpy(self.sits.copy())}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self.kept, self.sits = list(state["kept"]), state["sits"].numpy().copy()


__all__ = ["Selves"]
