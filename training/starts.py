"""How the games of a training run begin: which cell is played next, and from which position."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop import record
from tabletop.batch import Batch, Buffers, Finished
from tabletop.game import Game, Record, new_state, team_won
from tabletop.training.config import MidGame, Sampler
from tabletop.training.distributed import ALONE, Processes
from tabletop.training.evaluate import Cell
from tabletop.training.wins import Wins

#: Positions kept of each game, to begin from if it is won.
TRAIL = 12
#: The network's own won games are begun from in cells that it wins less often than this.
SELDOM = 0.3


class Starts:
    """Deals cells to games, counts how often a team wins them, and keeps positions to begin from.

    Args:
        cells: what is played.
        share: float (cells,), how often each cell is played before the sampler looks at who wins.
        n: games at once.
        seeds: of the games.
        wins: games won by somebody, to begin from.
        pooled: labels; cells that differ in these alone are counted as one: by itself each is played too seldom.
        processes: who plays which of the games.
    """

    def __init__(
        self, game: Game, cells: Sequence[Cell], share: NDArray[np.float64], n: int, seeds: range, sampler: Sampler,
        mid_game: MidGame, rng: np.random.Generator, wins: Wins | None = None, pooled: Collection[str] = (),
        processes: Processes = ALONE,
    ) -> None:  # fmt: skip
        self.game, self.cells, self.share, self.n, self.seeds = game, cells, share / share.sum(), n, seeds
        self.sampler, self.mid_game, self.rng, self.processes = sampler, mid_game, rng, processes
        self.setups: Record = np.concatenate([cell.setup for cell in cells])
        self.many = np.array([len(cell.setup) for cell in cells])  #: setups of each cell
        self.first = self.many.cumsum() - self.many  #: and where they begin
        kinds = [str({name: x for name, x in cell.labels.items() if name not in pooled}) for cell in cells]
        self.kind = np.unique(kinds, return_inverse=True)[1]  #: of each cell; those of a kind are counted as one
        self.rates = np.full(len(self.cells), 0.5)  #: running average of games won, from their beginning
        self.played = np.zeros(len(self.cells), np.int64)
        self.teacher_rates, self.teacher_played = self.rates.copy(), self.played.copy()  #: the same of the teacher
        self.now = self._draw(n, self.weights)  #: cell of each running game
        self.next = self._draw(n, self.weights)  #: and of the one after it
        self.whole = np.ones(n, np.bool_)  #: the running game began at the beginning
        self.stored: Record = new_state(game, mid_game.stored if mid_game.share else 0)
        self.stored_cell = np.zeros(len(self.stored), np.int64)
        self.kept = 0  #: positions stored so far
        own = len(range(n)[processes.own])
        #: positions of the running games of this process, (own * TRAIL,)
        self.trail: Record = new_state(game, own * TRAIL if len(self.stored) else 0)
        self.turns = np.zeros(n, np.int64)  #: of the running games so far
        self.taught = 0  #: how many of the games, the first ones, the teacher plays
        self.wins = wins
        self.origin = np.full(n, -1)  #: of ``wins``, the game from which each running game began; -1: none

    @property
    def weights(self) -> NDArray[np.float64]:
        """How likely each cell is to be played next: most where it is won every other time."""
        floor = self.sampler.floor
        weight = self.share * (floor + (1 - floor) * 4 * self.rates * (1 - self.rates))
        return weight / weight.sum()

    @property
    def teacher_weights(self) -> NDArray[np.float64]:
        """How likely the teacher plays each cell next: the more it wins beyond the network."""
        weight = self.share * np.maximum(self.teacher_rates - self.rates, 1e-3)
        return weight / weight.sum()

    def _draw(self, k: int, weights: NDArray[np.float64]) -> NDArray[np.int64]:
        return self.rng.choice(len(self.cells), size=k, p=weights)

    def deal(self, cells: NDArray[np.int64]) -> Record:
        """A setup of each cell, (n,): any of its boxes."""
        return record.take(self.setups, self.first[cells] + self.rng.integers(self.many[cells]))

    def _seeds(self, k: int) -> NDArray[np.int64]:
        return self.rng.integers(self.seeds.start, self.seeds.stop, k)

    def teach(self, taught: int) -> None:
        """From now on the teacher plays the first ``taught`` games; one that changes hands counts for nobody."""
        changed = slice(min(taught, self.taught), max(taught, self.taught))
        self.whole[changed], self.turns[changed] = False, 0
        self.taught = taught

    def begin(self, batch: Batch, taught: int = 0) -> Buffers:
        """Begins all games; the teacher plays the first ``taught``."""
        self.taught = taught
        batch.setups = self.deal(self.now)
        buffers = batch.reset(self._seeds(self.n))
        batch.setups = self.deal(self.next)
        batch.next_seeds = self._seeds(self.n)
        return buffers

    def remember(self, states: Record) -> None:
        """Before a step, with the states (own,) of the games of this process: keeps of each some positions, all equally
        likely (Vitter 1985)."""
        if not len(self.stored):
            return
        self.turns += 1
        place = np.where(self.turns <= TRAIL, self.turns - 1, self.rng.integers(self.turns))[self.processes.own]
        games = np.flatnonzero(place < TRAIL)
        record.put(self.trail, games * TRAIL + place[games], record.take(states, games))

    def follow(self, batch: Batch) -> Finished:
        """After a step: counts the games that ended, says what those after them are, and places positions."""
        finished = batch.finished
        if not len(finished.games):
            return finished
        games = finished.games
        won = team_won(self.game, finished.states)
        kept = won & (self.turns[games] > 0) & self._rare(games)
        if kept.any():
            passed = self._passed(games[kept])
            for game in games[kept]:
                self._keep(passed[game], self.now[game])
        for game, success in zip(games, won, strict=True):
            if self.whole[game] and self.game.team:  # of rivals no cell is easy
                self._count(self.now[game], success, bool(game < self.taught))
            elif self.wins and self.origin[game] >= 0:
                self.wins.tell(self.origin[game], success)
        self.turns[games], self.origin[games] = 0, -1
        self.now[games], self.whole[games] = self.next[games], True
        self.next[games] = self._draw(len(games), self.weights)
        own = games
        if 0 < self.taught < self.n:
            own, teachers = games[games >= self.taught], games[games < self.taught]
            self.next[teachers] = self._draw(len(teachers), self.teacher_weights)
        batch.setups[games] = self.deal(self.next[games])
        batch.next_seeds[games] = self._seeds(len(games))
        if self.kept or self.wins:
            self._place(batch, own[self.rng.random(len(own)) < self.mid_game.share])
        return finished

    def _passed(self, games: NDArray[np.int64]) -> dict[int, Record]:
        """The positions kept of each of some games, whichever process plays it."""
        parts = self.processes.each({
            game: record.take(self.trail, i * TRAIL + np.arange(min(TRAIL, self.turns[game])))
            for i, game in enumerate(range(self.n)[self.processes.own]) if game in games
        })  # fmt: skip
        return {game: states for part in parts for game, states in part.items()}

    def _rare(self, games: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether wins are worth beginning from: the teacher's, and whole games of cells that are seldom won."""
        return (games < self.taught) | (self.whole[games] & (self.rates[self.now[games]] < SELDOM))

    def _count(self, cell: int, won: bool, taught: bool) -> None:
        rates, played = (self.teacher_rates, self.teacher_played) if taught else (self.rates, self.played)
        alike = self.kind == self.kind[cell]
        played[alike] += 1
        step = max(1 / (played[cell] + 1), 1 / self.sampler.memory)
        rates[alike] += step * (won - rates[cell])

    def _place(self, batch: Batch, games: NDArray[np.int64]) -> None:
        """Games that have just begun begin from positions instead: of won games, or stored ones."""
        self.whole[games] = False
        if self.wins:
            ours = np.ones(len(games), np.bool_)
            if self.kept:
                ours = self.rng.random(len(games)) < self.mid_game.from_wins
            games, placed = games[~ours], games[ours]
            self.origin[placed] = chosen = self.wins.draw(self.rng, len(placed))
            batch.place(placed, self.wins.standing(chosen), self._seeds(len(placed)))
            self.now[placed] = self.wins.cells[chosen]
        if len(games):
            chosen = self.rng.integers(min(self.kept, len(self.stored)), size=len(games))
            batch.place(games, record.take(self.stored, chosen), self._seeds(len(games)))
            self.now[games] = self.stored_cell[chosen]

    def store(self, batch: Batch, chances: NDArray[np.float32], most: int) -> None:
        """Keeps up to ``most`` of the positions that the games now stand in, the oldest give way.

        Args:
            chances: float32 (n,), of winning each.
        """
        if not len(self.stored):
            return
        open_ = (chances > self.mid_game.low) & (chances < self.mid_game.high) & (batch.states["to_act"] >= 0)
        games = self.rng.permutation(np.flatnonzero(open_))[:most]
        self._keep(record.take(batch.states, games), self.now[games])

    def _keep(self, states: Record, cells: NDArray[np.int64] | np.int64) -> None:
        places = (self.kept + np.arange(len(states))) % len(self.stored)
        record.put(self.stored, places, states)
        self.stored_cell[places] = cells
        self.kept += len(states)

    def state_dict(self) -> dict[str, Any]:
        """All that changes, of all processes, as arrays."""
        places = self.wins.place.copy() if self.wins else np.zeros(0)
        kept = {name: getattr(self, name).copy() for name in _KEPT}
        kept["trail"] = self.processes.gather(self.trail.reshape(-1, TRAIL)).reshape(-1)
        return kept | {"kept": self.kept, "taught": self.taught, "places": places}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        for name in _KEPT:
            setattr(self, name, state[name])
        own = np.arange(len(state["trail"])).reshape(-1, TRAIL)[self.processes.own].ravel()
        self.trail = record.take(state["trail"], own)
        self.kept, self.taught = state["kept"], state["taught"]
        if self.wins:
            self.wins.place = state["places"]


#: What changes.
_KEPT = ("rates", "played", "teacher_rates", "teacher_played", "now", "next", "whole", "stored", "stored_cell",
         "turns", "origin")  # fmt: skip

__all__ = ["Starts"]
