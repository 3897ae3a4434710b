"""How the games of a training run begin: which cell is played next, and from which position.

What a game tells is counted when its rollout is over, by all processes alike; and what is drawn for a game is its own
(:mod:`tabletop.training.draws`). So no process waits for another during a rollout, and all deal as one would.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop import record
from tabletop.batch import Batch, Buffers, Finished
from tabletop.game import Game, Record, new_state, team_won
from tabletop.training.config import MidGame, Sampler
from tabletop.training.distributed import ALONE, Processes
from tabletop.training.draws import Draws
from tabletop.training.evaluate import Cell
from tabletop.training.wins import Wins

#: Positions kept of each game, to begin from if it is won.
TRAIL = 12
#: The network's own won games are begun from in cells that it wins less often than this.
SELDOM = 0.3


class End(NamedTuple):
    """What is counted of a game that has ended."""

    turn: int  #: of the rollout
    game: int  #: its number among the games of all processes
    cell: int
    won: bool
    whole: bool  #: it began at the beginning
    taught: bool  #: the teacher played it
    origin: int  #: of ``wins``, the game that it began from; -1: none
    passed: Record | None  #: positions to begin from, (k,)


class Starts:
    """Deals cells to games, counts how often a team wins them, and keeps positions to begin from.

    Args:
        cells: what is played.
        share: float (cells,), how often each cell is played before the sampler looks at who wins.
        n: games at once, of all processes.
        seeds: of the games.
        rng: draws what is not of a game.
        wins: games won by somebody, to begin from.
        kinds: one for each cell; those of a kind are counted as one, where by itself each is played too seldom.
        beside: int64 (cells, k), the cells on the rungs beside each one's, or itself; None: there are no rungs.
        processes: who plays which of the games.
    """

    def __init__(
        self, game: Game, cells: Sequence[Cell], share: NDArray[np.float64], n: int, seeds: range, sampler: Sampler,
        mid_game: MidGame, rng: np.random.Generator, wins: Wins | None = None, kinds: Sequence[str] = (),
        beside: NDArray[np.int64] | None = None, processes: Processes = ALONE,
    ) -> None:  # fmt: skip
        self.game, self.cells, self.share, self.n, self.seeds = game, cells, share / share.sum(), n, seeds
        self.sampler, self.mid_game, self.rng, self.processes = sampler, mid_game, rng, processes
        self.setups: Record = np.concatenate([cell.setup for cell in cells])
        self.many = np.array([len(cell.setup) for cell in cells])  #: setups of each cell
        self.first = self.many.cumsum() - self.many  #: and where they begin
        self.kind = np.unique(kinds or range(len(cells)), return_inverse=True)[1]  #: of each cell
        own = np.arange(len(cells))[:, None]
        self.beside = own if beside is None else np.hstack([own, beside])  #: of each cell, with itself
        self.rung = (self.beside != own).any(axis=1)  #: whether there are others beside it
        self.rates = np.full(len(self.cells), 0.5)  #: running average of games won, from their beginning
        self.played = np.zeros(len(self.cells), np.int64)
        self.teacher_rates, self.teacher_played = self.rates.copy(), self.played.copy()  #: the same of the teacher
        self.numbers = np.arange(n)[processes.own]  #: of the games of this process, among those of all
        self.own = np.arange(len(self.numbers))  #: their places here
        self.draw_anew()
        self.now = self._draw(self.own, self.weights)  #: cell of each running game of this process
        self.next = self._draw(self.own, self.weights)  #: and of the one after it
        self.whole = np.ones(len(self.own), np.bool_)  #: the running game began at the beginning
        self.turns = np.zeros(len(self.own), np.int64)  #: of the running games so far
        self.origin = np.full(len(self.own), -1)  #: of ``wins``, the game from which each running game began; -1: none
        self.taught = 0  #: how many of the games, of all processes, the teacher plays: the first ones
        self.stored: Record = new_state(game, mid_game.stored if mid_game.share else 0)
        self.stored_cell = np.zeros(len(self.stored), np.int64)
        self.kept = 0  #: positions stored so far
        #: positions of the running games, (own, TRAIL)
        self.trail: Record = new_state(game, len(self.own) * TRAIL if len(self.stored) else 0).reshape(-1, TRAIL)
        self.wins = wins
        self.turn = 0  #: of the rollout
        self.ended: list[End] = []  #: games, not yet counted

    @property
    def weights(self) -> NDArray[np.float64]:
        """How likely each cell is to be played next: the more its outcomes spread, or those of it and of a cell beside
        it. So it is most where games are won every other time, and where one rung is won and the next one lost. A rung
        counts the less, the more often the hardest of it and those beside it is won: there is a harder one to learn."""
        floor, near = self.sampler.floor, self.rates[self.beside]
        means = (near[:, :1] + near) / 2
        spread = np.sqrt(means * (1 - means)).max(axis=1)
        ahead = np.where(self.rung, 1 - near.min(axis=1), 0.5)
        weight = self.share * (floor + (1 - floor) * 4 * spread * ahead)
        return weight / weight.sum()

    @property
    def teacher_weights(self) -> NDArray[np.float64]:
        """How likely the teacher plays each cell next: the more it wins beyond the network."""
        weight = self.share * np.maximum(self.teacher_rates - self.rates, 1e-3)
        return weight / weight.sum()

    def draw_anew(self) -> None:
        """From now on games draw other numbers."""
        self.draws = Draws(int(self.rng.integers(2**63)), self.numbers)

    @property
    def taught_here(self) -> int:
        """How many of the games of this process the teacher plays: the first ones."""
        return len(range(self.taught)[self.processes.own])

    def _below(self, games: NDArray[np.int64], most: Any) -> NDArray[np.int64]:
        """For each game a whole number below ``most``."""
        return np.floor(self.draws(games, 1)[:, 0] * most).astype(np.int64)

    def _draw(self, games: NDArray[np.int64], weights: NDArray[np.float64]) -> NDArray[np.int64]:
        """A cell for each game."""
        up_to = np.cumsum(weights)
        return np.searchsorted(up_to, self.draws(games, 1)[:, 0] * up_to[-1], side="right")

    def deal(self, games: NDArray[np.int64], cells: NDArray[np.int64]) -> Record:
        """For each game, (k,), a setup of a cell, int64 (k,): any of its boxes."""
        return record.take(self.setups, self.first[cells] + self._below(games, self.many[cells]))

    def _seeds(self, games: NDArray[np.int64]) -> NDArray[np.int64]:
        return self.seeds.start + self._below(games, len(self.seeds))

    def teach(self, taught: int) -> None:
        """From now on the teacher plays the first ``taught`` games; one that changes hands counts for nobody."""
        before, self.taught = self.taught_here, taught
        changed = slice(min(before, self.taught_here), max(before, self.taught_here))
        self.whole[changed], self.turns[changed], self.origin[changed] = False, 0, -1

    def begin(self, batch: Batch, taught: int = 0) -> Buffers:
        """Begins all games; the teacher plays the first ``taught`` of all processes."""
        self.taught = taught
        batch.setups = self.deal(self.own, self.now)
        buffers = batch.reset(self._seeds(self.own))
        batch.setups = self.deal(self.own, self.next)
        batch.next_seeds = self._seeds(self.own)
        return buffers

    def remember(self, states: Record) -> None:
        """Before a step: keeps of each game some positions, all equally likely (Vitter 1985)."""
        if not len(self.stored):
            return
        self.turns += 1
        place = np.where(self.turns <= TRAIL, self.turns - 1, self._below(self.own, self.turns))
        games = np.flatnonzero(place < TRAIL)
        record.put(self.trail.reshape(-1), games * TRAIL + place[games], record.take(states, games))

    def follow(self, batch: Batch) -> Finished:
        """After a step: notes the games that ended, says what those after them are, and places positions."""
        finished = batch.finished
        self.turn += 1
        if not len(finished.games):
            return finished
        games = finished.games
        won = team_won(self.game, finished.states)
        kept = won & (self.turns[games] > 0) & self._rare(games)
        for game, success, keep in zip(games.tolist(), won.tolist(), kept, strict=True):
            passed = record.take(self.trail[game], np.arange(min(TRAIL, self.turns[game]))) if keep else None
            number, cell, origin = (int(x[game]) for x in (self.numbers, self.now, self.origin))
            self.ended.append(End(self.turn, number, cell, success, bool(self.whole[game]), game < self.taught_here,
                                  origin, passed))  # fmt: skip
        self.turns[games], self.origin[games] = 0, -1
        self.now[games], self.whole[games] = self.next[games], True
        taught = games < (self.taught_here if self.taught < self.n else 0)
        own, teachers = games[~taught], games[taught]
        self.next[own] = self._draw(own, self.weights)
        if len(teachers):
            self.next[teachers] = self._draw(teachers, self.teacher_weights)
        batch.setups[games] = self.deal(games, self.next[games])
        batch.next_seeds[games] = self._seeds(games)
        if self.kept or self.wins:
            self._place(batch, own[self.draws(own, 1)[:, 0] < self.mid_game.share])
        return finished

    def agree(self) -> None:
        """After a rollout: counts the games that ended in it, of all processes, in the same order in each; and keeps
        positions of those that were won."""
        told: list[tuple[int, bool]] = []
        for one in sorted((one for part in self.processes.each(self.ended) for one in part), key=lambda one: one[:2]):
            if one.passed is not None:
                self._keep(one.passed, np.int64(one.cell))
            if one.whole and self.game.team:  # of rivals no cell is easy
                self._count(one.cell, one.won, one.taught)
            elif one.origin >= 0:
                told.append((one.origin, one.won))
        if self.wins and told:
            self.wins.tell(*map(np.array, zip(*told, strict=True)))
        self.turn, self.ended = 0, []

    def _rare(self, games: NDArray[np.int64]) -> NDArray[np.bool_]:
        """Whether wins are worth beginning from: the teacher's, and whole games of cells that are seldom won."""
        return (games < self.taught_here) | (self.whole[games] & (self.rates[self.now[games]] < SELDOM))

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
                ours = self.draws(games, 1)[:, 0] < self.mid_game.from_wins
            games, placed = games[~ours], games[ours]
            self.origin[placed] = chosen = self.wins.draw(self.draws(placed, 2))
            batch.place(placed, self.wins.standing(chosen), self._seeds(placed))
            self.now[placed] = self.wins.cells[chosen]
        if len(games):
            chosen = self._below(games, min(self.kept, len(self.stored)))
            batch.place(games, record.take(self.stored, chosen), self._seeds(games))
            self.now[games] = self.stored_cell[chosen]

    def store(self, batch: Batch, chances: NDArray[np.float32], most: int) -> None:
        """Keeps up to ``most`` of the positions that the games of all processes now stand in, the oldest give way.

        Args:
            chances: float32 (own,), of winning each.
        """
        if not len(self.stored):
            return
        open_ = (chances > self.mid_game.low) & (chances < self.mid_game.high) & (batch.states["to_act"] >= 0)
        states, cells, open_ = map(self.processes.gather, (batch.states, self.now, open_))
        games = self.rng.permutation(np.flatnonzero(open_))[:most]
        self._keep(record.take(states, games), cells[games])

    def _keep(self, states: Record, cells: NDArray[np.int64] | np.int64) -> None:
        places = (self.kept + np.arange(len(states))) % len(self.stored)
        record.put(self.stored, places, states)
        self.stored_cell[places] = cells
        self.kept += len(states)

    def state_dict(self) -> dict[str, Any]:
        """All that changes, of all processes, as arrays."""
        places = self.wins.place.copy() if self.wins else np.zeros(0)
        kept = {name: getattr(self, name).copy() for name in _KEPT}
        kept |= {name: self.processes.gather(getattr(self, name).copy()) for name in _GAMES}
        kept |= {"draws": self.processes.gather(self.draws.state)}
        return kept | {"kept": self.kept, "taught": self.taught, "places": places}

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        own = self.processes.own
        for name in _KEPT:
            setattr(self, name, state[name])
        for name in _GAMES:
            setattr(self, name, state[name][own].copy())
        self.draws.state = state["draws"][own]
        self.kept, self.taught = state["kept"], state["taught"]
        if self.wins:
            self.wins.place = state["places"]


#: What changes, the same in all processes; and of games, each in its process.
_KEPT = ("rates", "played", "teacher_rates", "teacher_played", "stored", "stored_cell")
_GAMES = ("now", "next", "whole", "trail", "turns", "origin")

__all__ = ["End", "Starts"]
