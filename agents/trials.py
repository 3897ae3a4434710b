"""Plans on trial: the same plans are played on in the same worlds, and compared in them."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass, field
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

from tabletop import record
from tabletop.agents.findings import SMALL, Reason
from tabletop.agents.futures import Crew, Futures, Worlds, joined
from tabletop.agents.plans import Plan, Turn
from tabletop.coach.parts import Parts
from tabletop.game import SEEDS, Record
from tabletop.stats import Interval, anytime, bounded_mean

#: Games that are played, and kept in memory, together; and so few, in each process, that fewer take hardly less time.
PART, FEWEST = 2048, 128
#: Games a second, before any was timed, of the team and of an agent that looks ahead; and how many rollouts a game of
#: such an agent counts for.
RATES, PRICE = (100.0, 2.0), 64
#: The share of a search after which no more plans are drawn.
DRAWING = 0.5
#: Plans that are told, and reasons for one.
TOLD, REASONS = 3, 3
#: Differences in what happens are told where chance alone would show any of them so rarely, and from so many worlds.
TELLING, ENOUGH = 0.01, 64
#: Worlds of a plan whose facts are counted.
COUNTED = 128
#: Worlds from which on a comparison may be sure.
SURE = 128
#: What plans may bring lies beyond what they have brought: by so many times its width, divided by the games played.
UNSEEN = 8


@dataclass
class Budget:
    """How much a search may take: seconds or rollouts, and how fast its players are.

    A player is the team, 0, or one that looks ahead, 1, whose games count as PRICE rollouts each.
    """

    seconds: float | None
    rollouts: int | None
    rates: list[float] = field(default_factory=lambda: [*RATES])  #: games a second of each player
    planning: float = math.inf  #: seconds by which proposers are to have answered
    planned: float = 0.0  #: seconds until all had answered
    games: int = 0  #: played so far
    spent: int = 0  #: rollouts
    begun: float = field(default_factory=time.perf_counter)

    @property
    def late(self) -> bool:
        """Whether so much time has gone that games have to begin (DRAWING)."""
        return self.seconds is not None and self.elapsed > DRAWING * self.seconds

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.begun

    def after(self, share: float) -> float:
        """When a share of what is left will be used up: after so many rollouts in all, or seconds."""
        used, most = (self.elapsed, self.seconds or 0.0) if self.rollouts is None else (self.spent, self.rollouts)
        return used + share * (most - used)

    def room(self, player: int = 0, until: float = math.inf) -> float:
        """Games that a player may still play, or may play until then (:meth:`after`); of seconds, also parts of one."""
        if self.rollouts is not None:
            return max(0, (min(self.rollouts, until) - self.spent) // _price(player))
        return max(0.0, (min(self.seconds or 0.0, until) - self.elapsed) * self.rates[player])

    def left(self, player: int = 0, until: float = math.inf) -> int:
        """Whole games that a player may still play, as :meth:`room`."""
        return int(self.room(player, until))

    def pay(self, player: int, games: int, seconds: float) -> None:
        """For games that were played in so many seconds."""
        self.games += games
        self.spent += games * _price(player)
        rate = games / max(1e-6, seconds)
        self.rates[player] += min(1.0, games * _price(player) / PRICE) * (rate - self.rates[player])


def _price(player: int) -> int:
    return PRICE if player else 1


class Trials:
    """Plans that are played on in the same worlds, numbered from 0.

    Args:
        seed: of the worlds.
        facts: whether plans are compared by what lies on the table, too, where the game can tell.
        player: of the crew, who plays on.
    """

    def __init__(
        self, turn: Turn, plans: Sequence[Plan], crew: Crew, budget: Budget, seed: Sequence[int], facts: bool = False,
        player: int = 0,
    ) -> None:  # fmt: skip
        self.turn, self.plans, self.crew, self.budget = turn, plans, crew, budget
        self.seed, self.player = seed, player
        self._told_by = Parts(turn.game)
        self._counts = facts and self._told_by.has("facts")
        self._parts: list[list[Futures]] = [[] for _ in plans]
        self._facts: list[list[dict[str, float]]] = [[] for _ in plans]
        self.n = 0  #: worlds of those plans that were always tried

    def run(self, alive: Sequence[int], n: int, until: float = math.inf) -> Iterator[None]:
        """Plays so many more worlds with some plans that were never left out, a part at a time, until then
        (:meth:`Budget.after`), or until halted; one part at least."""
        k, together = len(alive), max(1, PART // len(alive))
        part = together
        if self.player:  # one that looks ahead gains nothing by many games
            part = together = max(1, self.crew.processes // k)
        elif self.budget.rollouts is None:  # what is found is told on the way
            games = min(PART, max(FEWEST * self.crew.processes, int(self.budget.rates[0])))
            part = -(-games // (k * self.crew.processes)) * self.crew.processes  # each process has whole worlds of it
        for done in range(0, n, together):
            if done and not self.budget.left(self.player, until):  # it took longer than it should
                return
            for _ in self._play(alive, min(together, n - done), part):
                yield
                if not self.budget.left(self.player, until):
                    return
            if self.crew.halted():
                return

    def _play(self, alive: Sequence[int], n: int, part: int) -> Iterator[None]:
        """So many more worlds, told a part at a time."""
        k, begun, before = len(alive), time.perf_counter(), self.n
        worlds = self._worlds(n)
        if self.crew.halted():
            return
        many = Worlds(record.take(worlds.states, np.repeat(np.arange(n), k)), worlds.seeds.repeat(k), worlds.seat)
        scripts = [self.plans[i].actions for i in alive] * n
        seed = int(worlds.seeds[0] % 2**31)
        with closing(self.crew.play(many, scripts, seed, self.player, part * k)) as playing:
            for futures in playing:
                if not self._take(alive, futures):
                    return
                played, seconds = self.n - before, time.perf_counter() - begun
                games = len(futures.won)
                self.budget.pay(self.player, games, seconds * games / (played * k))
                yield

    def _take(self, alive: Sequence[int], futures: Futures) -> bool:
        """Keeps what came of the next worlds, unless halted."""
        k = len(alive)
        n = len(futures.won) // k
        for place, i in enumerate(alive):
            own = Futures(*(record.take(x, slice(place, None, k)) for x in futures))
            for w in range(min(n, COUNTED - self.n)) if self._counts else ():
                if self.crew.halted():
                    return False
                facts = self._told_by.facts(own.later[w : w + 1], self.turn.seat)
                self._facts[i].append({name: float(number) for name, number in facts.items()})
            self._parts[i].append(own._replace(later=own.later[:0].copy()))
        self.n += n
        return True

    def _worlds(self, n: int) -> Worlds:
        """The next worlds: what the seat may not know, and the draws to come, are their own. Fewer if halted."""
        game, seat = self.turn.game, self.turn.seat
        states: list[Record] = []
        seeds: list[int] = []
        for w in range(self.n, self.n + n):
            if states and self.crew.halted():
                break
            rng = np.random.default_rng([*self.seed, w])
            states.append(game.resample(self.turn.start, seat, rng))
            seeds.append(int(rng.integers(SEEDS)))
        worlds = joined(states)
        worlds["manual_chance"] = 0
        return Worlds(worlds, np.array(seeds, np.int64), seat)

    def paid(self, i: int) -> NDArray[np.float64]:
        """What a plan brought the seat in the worlds in which it was played, (n,) from the first on."""
        return np.concatenate([part.paid for part in self._parts[i]])

    def won(self, i: int) -> NDArray[np.float64]:
        """What the seat had of the win in each of them, (n,): 1, 0, or its share."""
        return np.concatenate([part.won for part in self._parts[i]])

    def worlds(self, i: int) -> int:
        """In how many a plan was played: always the first ones."""
        return sum(len(part.won) for part in self._parts[i])

    @property
    def unit(self) -> str:
        """ "win" for a team, and where what a rival is paid says no more than its share of the win; else "reward"."""
        if self.turn.game.team:
            return "win"
        parts = [np.stack([part.won, part.paid], axis=1) for parts in self._parts for part in parts]
        won, paid = np.unique(np.concatenate(parts or [np.zeros((0, 2))]).round(6), axis=0).T
        more, brings = np.diff(won), np.diff(paid)
        plain = bool((more > 0).all() and (brings > 0).all()) and np.allclose(brings * more.sum(), more * brings.sum())
        return "win" if plain else "reward"

    def tally(self, i: int) -> NDArray[np.float64]:
        """How many worlds the seat won by a plan, and in how many it was played, (2,)."""
        return np.array([sum(part.won.sum() for part in self._parts[i]), self.worlds(i)], float)

    def chance(self, i: int) -> float:
        """The share of the worlds that the seat won by a plan."""
        return float(self.won(i).mean())

    def scores(self, i: int, unit: str) -> NDArray[np.float64]:
        """What the plan brought in each world: of the win, or what the seat was paid."""
        return self.won(i) if unit == "win" else self.paid(i)

    def ranked(self, alive: Sequence[int]) -> list[int]:
        """The best first; of equals the likeliest."""
        unit = self.unit
        return sorted(alive, key=lambda i: (-self.scores(i, unit).mean(), -self.plans[i].prior, i))

    def settled(self, ranked: Sequence[int]) -> bool:
        """Whether the first is better than each of the others, by a bound that holds whenever it is asked."""
        unit, alpha = self.unit, 0.05 / len(self.plans) ** 2
        span = self.span(unit)
        scores = [self.scores(i, unit) for i in ranked]
        return all(anytime(scores[0] - other, -span, span, alpha).low > 0 for other in scores[1:])

    def ends(self, unit: str) -> tuple[float, float]:
        """The worst and the best that a plan may bring: beyond what was seen, less with more games; where
        all brought the same, 1 apart from it."""
        if unit == "win":
            return 0.0, 1.0
        paid = np.concatenate([part.paid for parts in self._parts for part in parts])
        worst, best = float(paid.min()), float(paid.max())
        if worst == best:
            return worst - 1.0, best + 1.0
        unseen = UNSEEN * (best - worst) / len(paid)
        return worst - unseen, best + unseen

    def span(self, unit: str) -> float:
        """From the worst to the best that a plan may bring."""
        worst, best = self.ends(unit)
        return best - worst

    def figure(self, i: int, unit: str, ends: tuple[float, float], z: float) -> Interval:
        """Of the plan's chance, or of what it brings."""
        return bounded_mean(self.scores(i, unit), *ends, z)

    def less(self, i: int, best: int, unit: str, span: float, z: float) -> Interval:
        """By how much it is worse than the best, in the worlds in which both were played."""
        n = min(self.worlds(i), self.worlds(best))
        return bounded_mean(self.scores(best, unit)[:n] - self.scores(i, unit)[:n], -span, span, z)

    def why(self, i: int, other: int) -> tuple[Reason, ...]:
        """What comes more or less often than after another plan: causes of defeat, and then what lies on the table
        where the game's clock next moves on. The clearest three, none of which chance alone would easily show."""
        n = min(self.worlds(i), self.worlds(other))
        if n < ENOUGH:
            return ()
        here, there = self._happened(i, n), self._happened(other, n)
        names = sorted(here.keys() | there.keys())
        clear = NormalDist().inv_cdf(1 - TELLING / 2 / max(1, len(names)))
        told = []
        for name in names:
            ours, theirs = (one.get(name, np.zeros(len((here | there)[name]))) for one in (here, there))
            apart = ours - theirs
            error = max(apart.std(ddof=1), 1 / math.sqrt(len(apart))) / math.sqrt(len(apart))
            if abs(apart.mean()) > clear * error:
                share = bool(np.isin(np.concatenate([ours, theirs]), (0.0, 1.0)).all())
                order = name not in self.turn.game.causes, -abs(apart.mean()) / error
                told.append((*order, Reason(name, float(ours.mean()), float(theirs.mean()), share)))
        return tuple(reason for *_, reason in sorted(told, key=lambda one: one[:2])[:REASONS])

    def _happened(self, i: int, n: int) -> dict[str, NDArray[np.float64]]:
        """What came in each of the first worlds: why a team lost, or how a game of rivals ended; facts are counted in
        COUNTED of them at most."""
        causes, game = np.concatenate([part.cause for part in self._parts[i]])[:n], self.turn.game
        # a campaign may be lost though its last challenge was met: how games are won is no reason for a defeat
        wins = [part.cause[part.won > 0] for parts in self._parts for part in parts] if game.team else []
        counted = ~np.isin(causes, np.concatenate(wins)) if wins else np.ones_like(causes, np.bool_)
        told = {game.causes[c]: ((causes == c) & counted).astype(np.float64) for c in np.unique(causes[counted])}
        for name in dict.fromkeys(name for facts in self._facts[i] for name in facts):
            told[name] = np.array([facts.get(name, 0.0) for facts in self._facts[i][:n]])
        return told

    def sure(self, best: int) -> bool:
        """Whether each other plan is worse than the best, or as good, by a bound that holds whenever it is asked."""
        n = min(map(self.worlds, range(len(self.plans))))
        if n < SURE:
            return False
        unit, alpha = self.unit, 0.05 / len(self.plans)
        span = self.span(unit)
        small, first = SMALL * span, self.scores(best, unit)[:n]
        others = [self.scores(i, unit)[:n] for i in range(len(self.plans)) if i != best]
        apart = [anytime(first - other, -span, span, alpha) for other in others]
        return all(one.low > 0 or -small < one.low <= one.high < small for one in apart)
