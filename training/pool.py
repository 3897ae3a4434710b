"""Earlier selves of a network, and other agents, who have some seats while it learns: rivals, or partners in a team.

Learning from games against itself alone may go round in circles: it forgets how to beat what it has just beaten. So in
a share of the games some seats are an earlier self's, drawn anew for each rollout (Bansal et al. 2018, "Emergent
complexity via multi-agent competition"; Silver et al. 2016 trained AlphaGo's policy so). Agents beside them are frozen:
who learns against one alone finds its weak points (a best response, Timbers et al. 2022). Seats are drawn for each game
as its start is (:mod:`tabletop.training.starts`).
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from tabletop import agents, record
from tabletop.agents.base import Agent, answers, of_threads, shown
from tabletop.agents.incremental import padded
from tabletop.agents.network import Choices, Network, draw, log_policy
from tabletop.batch import Buffers
from tabletop.game import Game, Record, refusal, team_won, win_shares
from tabletop.training.config import Pool
from tabletop.training.starts import Starts


def placed(
    game: Game, agent: Agent, states: Record, masks: NDArray[np.int8], options: Choices, secrets: np.random.Generator
) -> Tensor:
    """Places of an agent's choices among the options, int64 (n,).

    Args:
        states, masks, options: (n,), of all games.
        secrets: draws what the agent may not know.

    Raises:
        ValueError: it gives no whole number for each game, or one that is illegal.
    """
    wanted = answers(agent, shown(game, agent, states, secrets), masks)
    same = (options.actions == torch.from_numpy(wanted).to(options.actions.device)[:, None]) & options.legal
    if wrong := (~same.any(1)).nonzero().flatten().tolist():
        i = wrong[0]
        raise ValueError(f"agent {agent.name}: {refusal(game, states[i : i + 1], int(wanted[i]))}")
    return same.int().argmax(1)


class Selves:
    """Keeps earlier selves, and where they sit, or another agent in their place.

    Args:
        network: the learner's; it is copied.
        starts: of the games.
        threads: that an agent may use.

    Raises:
        ValueError: all games have one seat.
    """

    def __init__(self, game: Game, settings: Pool, network: Network, starts: Starts, threads: int) -> None:
        self.game, self.settings, self.starts = game, settings, starts
        self.agents = [of_threads(agents.make(name, game), threads) for name in settings.agents]
        self.agent: Agent | None = None  #: plays in this rollout; None: an earlier self
        self.network = copy.deepcopy(network).requires_grad_(False)  #: plays as the self of this rollout
        self.kept: list[dict[str, Tensor]] = []  #: weights, the newest last
        self.seats = np.array([game.seats(cell.setup[:1]) for cell in starts.cells])
        if self.seats.max() < 2:
            raise ValueError(f"pool.share is {settings.share}, but all games have one seat: nobody of the pool can "
                             "play; choose a share of 0, or other cells")  # fmt: skip
        #: where an earlier self sits in the games of this process
        self.sits = np.zeros((len(starts.own), game.max_seats), np.bool_)

    def keep(self, network: Network, updates: int) -> None:
        """After an update: keeps the network as it is, if it is time; the oldest gives way."""
        if self.settings.keep and updates % self.settings.every == 0:
            kept = {name: x.detach().cpu().clone() for name, x in network.state_dict().items()}
            self.kept = [*self.kept, kept][-self.settings.keep :]

    def hand_out(self, seed: int) -> None:
        """Before a rollout: draws who plays in it, an agent beginning with a seed; nobody in a teacher's games."""
        self.sits[: self.starts.taught_here] = False
        self.agent = None
        if self.agents:
            drawn = self.starts.rng.integers(len(self.agents) + bool(self.kept))
            self.agent = [*self.agents, None][drawn]
        if self.agent is not None:
            self.agent.reset(seed)
        elif self.kept:
            self.network.load_state_dict(self.kept[self.starts.rng.integers(len(self.kept))])

    def seat(self, games: NDArray[np.int64]) -> None:
        """Seats are dealt in games, (k,), that have just begun: at least one for the learner, and one for the other."""
        self.sits[games] = False
        if not (self.kept or self.agents):
            return
        drawn = self.starts.draws(games, 2 + self.game.max_seats)
        for game, (shared, more, *order) in zip(games, drawn, strict=True):
            seats = self.seats[self.starts.now[game]]
            if shared < self.settings.share and game >= self.starts.taught_here and seats > 1:
                many = seats - 1 if self.settings.alone else 1 + int(more * (seats - 1))
                self.sits[game, np.argsort(order[:seats])[:many]] = True

    def share(self, games: NDArray[np.int64], finished: Record) -> NDArray[np.float64]:
        """What the learner had of the win in finished games, (k,), in which another sat; of others nan. A team's win is
        all the learner's."""
        sat = self.sits[games]
        if self.game.team:
            return np.where(sat.any(axis=1), team_won(self.game, finished), np.nan)
        shares = (win_shares(self.game.results(finished)) * ~sat).sum(axis=1)
        return np.where(sat.any(axis=1), shares, np.nan)

    @torch.no_grad()
    def choose(
        self, states: Record, seen: Buffers, options: Choices, evenly: Tensor, rows: NDArray[np.int64],
        secrets: np.random.Generator,
    ) -> Tensor:  # fmt: skip
        """Places of their choices among the options, int64 (k,).

        Args:
            states, seen, options: (n,), of all games.
            evenly: (n,), drawn evenly from 0 to 1.
            rows: int64 (k,), the games in which they choose.
            secrets: draws what an agent may not know.
        """
        if self.agent is not None:
            own = Choices(*(x[torch.from_numpy(rows).to(evenly.device)] for x in options))
            return placed(self.game, self.agent, record.take(states, rows), seen.masks[rows], own, secrets)
        judged = padded(rows, len(states))
        where, device = torch.from_numpy(judged), evenly.device
        observations = torch.from_numpy(seen.observations[judged]).to(device)
        boxes = torch.from_numpy(states["box"][judged].astype(np.int64)).to(device)
        own = Choices(*(x[where.to(device)] for x in options))
        logits = self.network(observations, boxes, own).logits
        return draw(log_policy(logits, own.legal), own.legal, evenly[where.to(device)])[: len(rows)]

    def state_dict(self) -> dict[str, Any]:
        """All that changes, as tensors."""
        sits = self.starts.processes.gather(self.sits)
        return {"kept": self.kept, "sits": torch.from_numpy(sits.copy())}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        self.kept, self.sits = list(state["kept"]), state["sits"].numpy()[self.starts.processes.own].copy()


__all__ = ["Selves", "placed"]
