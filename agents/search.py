"""Search on top of any agent: its plans for a turn are played out to the end in many worlds, and the best is taken.

What the asking seat may not know is drawn anew before anything else is done (``Game.resample``), so the true state is
never looked at. Plans of a whole turn come from the agent itself (:mod:`tabletop.agents.plans`). All of them are tried
in the same worlds, and the worse half is given up again and again (sequential halving; Karnin, Koren and Somekh 2013);
what remains is told with figures from further worlds, because the best of many figures is too high by luck.

A plan is worth what the asking seat is paid in it. Where that says no more than who has won, figures are chances of
winning. All of it means: if the agent plays on.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop import record
from tabletop.agents.base import Agent
from tabletop.agents.findings import SMALL, Findings, Found, Reason, Teller
from tabletop.agents.futures import Crew, Futures, Worlds, joined
from tabletop.agents.plans import TEMPERATURES, Likely, Plan, Turn, choose
from tabletop.coach.parts import Parts
from tabletop.game import Game, Record, new_state
from tabletop.games import extra
from tabletop.stats import Interval, anytime, mean, paired_difference, wilson

#: What the agent takes for a search, unless it is told.
SECONDS = 1.0
#: Turns that are drawn from the agent, and plans of them that are tried.
SAMPLES, PLANS = 64, 16
#: Plans that are told.
TOLD = 3
#: Worlds in which a plan is tried at least before it is given up; and games for each plan that is tried at all.
LEAST, EACH = 4, 16
#: Games that are played, and kept in memory, together; and so few, in each process, that fewer take hardly less time.
PART, FEWEST = 2048, 128
#: The share of the games that chooses the plans, where figures are wanted: the others are for these; and the share of
#: those in which the plans that are told are compared, until the best is played by itself.
SHARE, COMPARED = 0.4, 0.4
#: Games a second, before any was timed; seconds that one part of a search takes at least.
RATE, SHORT = 20.0, 0.25
#: How far, in logits, a head's chance of winning may be from what rollouts say of a position.
HEAD_OFF = 3.0
#: Standard errors by which a plan must be better than the agent's own to be taken instead.
MARGIN = 1.0
#: Differences in what happens are told where chance alone would show any of them so rarely, and from so many worlds.
TELLING, ENOUGH = 0.01, 64
#: Worlds of a plan whose facts are counted.
COUNTED = 128
#: A search that goes on until it is sure chooses the plans within so many seconds, and is sure from so many worlds on.
CHOOSING, SURE = 10.0, 128


@dataclass
class Budget:
    """How much a search may take: seconds or rollouts, and how fast rollouts are."""

    seconds: float | None
    rollouts: int | None
    rate: float
    spent: int = 0
    begun: float = field(default_factory=time.perf_counter)

    @property
    def elapsed(self) -> float:
        return time.perf_counter() - self.begun

    @property
    def left(self) -> int:
        """Rollouts that may still be played."""
        if self.rollouts is not None:
            return max(0, self.rollouts - self.spent)
        return max(0, int(((self.seconds or 0.0) - self.elapsed) * self.rate))


class Trials:
    """Plans that are played on in the same worlds, numbered from 0.

    Args:
        seed: of the worlds.
        facts: whether plans are compared by what lies on the table, too, where the game can tell.
    """

    def __init__(
        self, turn: Turn, plans: Sequence[Plan], crew: Crew, budget: Budget, seed: Sequence[int], facts: bool = False
    ) -> None:
        self.turn, self.plans, self.crew, self.budget = turn, plans, crew, budget
        self.seed = seed
        self._told_by = Parts(turn.game)
        self._counts = facts and self._told_by.has("facts")
        self._parts: list[list[Futures]] = [[] for _ in plans]
        self._facts: list[list[dict[str, float]]] = [[] for _ in plans]
        self.n = 0  #: worlds of those plans that were always tried

    def run(self, alive: Sequence[int], n: int) -> Iterator[None]:
        """Plays so many more worlds with some plans that were never left out, a part at a time, or until halted."""
        at_once = PART
        if self.budget.rollouts is None:  # what is found is told on the way
            at_once = min(PART, max(FEWEST * self.crew.processes, int(self.budget.rate)))
        part = max(1, at_once // len(alive))
        for done in range(0, n, part):
            if done and not self.budget.left:  # it took longer than it should
                break
            if not self._run(alive, min(part, n - done)):
                break
            yield

    def _run(self, alive: Sequence[int], n: int) -> bool:
        k, begun = len(alive), time.perf_counter()
        worlds = self._worlds(n)
        many = Worlds(record.take(worlds.states, np.repeat(np.arange(n), k)), worlds.seeds.repeat(k), worlds.seat)
        scripts = [self.plans[i].actions for i in alive] * n
        futures = self.crew.play(many, scripts, int(worlds.seeds[0] % 2**31))
        if futures is None:
            return False
        for place, i in enumerate(alive):
            own = Futures(*(record.take(x, slice(place, None, k)) for x in futures))
            for w in range(min(n, COUNTED - self.n)) if self._counts else ():
                if self.crew.halted():
                    return False
                facts = self._told_by.facts(own.later[w : w + 1], self.turn.seat)
                self._facts[i].append({name: float(number) for name, number in facts.items()})
            self._parts[i].append(own._replace(later=own.later[:0].copy()))
        self.n += n
        self.budget.spent += n * k
        rate = n * k / max(1e-6, time.perf_counter() - begun)
        self.budget.rate += min(1.0, n * k / 64) * (rate - self.budget.rate)
        return True

    def _worlds(self, n: int) -> Worlds:
        """The next worlds: what the seat may not know, and the draws to come, are their own."""
        game, seat, states, seeds = self.turn.game, self.turn.seat, [], []
        for w in range(self.n, self.n + n):
            rng = np.random.default_rng([*self.seed, w])
            states.append(game.resample(self.turn.start, seat, rng))
            seeds.append(int(rng.integers(2**62)))
        worlds = joined(states)
        worlds["manual_chance"] = 0
        return Worlds(worlds, np.array(seeds, np.int64), seat)

    def paid(self, i: int) -> NDArray[np.float64]:
        """What a plan brought the seat in the worlds in which it was played, (n,) from the first on."""
        return np.concatenate([part.paid for part in self._parts[i]])

    def won(self, i: int) -> NDArray[np.bool_]:
        """In which of them the seat won by it, (n,)."""
        return np.concatenate([part.won for part in self._parts[i]])

    def worlds(self, i: int) -> int:
        """In how many a plan was played: always the first ones."""
        return sum(len(part.won) for part in self._parts[i])

    @property
    def unit(self) -> str:
        """ "win" if what the seat is paid says no more than whether it has won; else "reward"."""
        paid: dict[bool, set[float]] = {True: set(), False: set()}
        for part in (part for parts in self._parts for part in parts):
            for won in (True, False):
                paid[won].update(np.unique(part.paid[part.won == won]).tolist())
        plain = len(paid[True]) <= 1 and len(paid[False]) <= 1 and min(paid[True] | {math.inf}) > max(
            paid[False] | {-math.inf})  # fmt: skip
        return "win" if plain else "reward"

    def scores(self, i: int, unit: str) -> NDArray[np.float64]:
        """What the plan brought in each world: 1 for each that was won, or what the seat was paid."""
        return self.won(i).astype(np.float64) if unit == "win" else self.paid(i)

    def ranked(self, alive: Sequence[int]) -> list[int]:
        """The best first; of equals the likeliest."""
        unit = self.unit
        return sorted(alive, key=lambda i: (-self.scores(i, unit).mean(), -self.plans[i].prior, i))

    def settled(self, ranked: Sequence[int]) -> bool:
        """Whether the first is better than each of the others, by a bound that holds whenever it is asked."""
        if len(ranked) < 2:
            return True
        unit = self.unit
        scores = [self.scores(i, unit) for i in ranked]
        span = max(map(np.max, scores)) - min(map(np.min, scores)) if unit == "reward" else 1.0
        alpha = 0.05 / len(self.plans) ** 2
        return all(anytime(scores[0] - other, -span, span, alpha).low > 0 for other in scores[1:])

    def figure(self, i: int, unit: str, z: float) -> Interval:
        """Of the plan's chance, or of what it brings."""
        return wilson(int(self.won(i).sum()), self.worlds(i), z) if unit == "win" else mean(self.scores(i, unit), z)

    def less(self, i: int, best: int, unit: str, z: float) -> Interval:
        """By how much it is worse than the best, in the worlds in which both were played."""
        n = min(self.worlds(i), self.worlds(best))
        if unit == "win":
            return paired_difference(self.won(best)[:n], self.won(i)[:n], z)
        return mean(self.scores(best, unit)[:n] - self.scores(i, unit)[:n], z)

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
        return tuple(reason for *_, reason in sorted(told, key=lambda one: one[:2])[:TOLD])

    def _happened(self, i: int, n: int) -> dict[str, NDArray[np.float64]]:
        """What came in each of the first worlds; facts are counted in COUNTED of them at most."""
        causes, lost = np.concatenate([part.cause for part in self._parts[i]])[:n], ~self.won(i)[:n]
        told = {self.turn.game.causes[c]: ((causes == c) & lost).astype(np.float64) for c in np.unique(causes[lost])}
        for name in dict.fromkeys(name for facts in self._facts[i] for name in facts):
            told[name] = np.array([facts.get(name, 0.0) for facts in self._facts[i][:n]])
        return told

    def sure(self) -> bool:
        """Whether each plan is worse than the best, or as good, by a bound that holds whenever it is asked."""
        n = min(map(self.worlds, range(len(self.plans))))
        if n < SURE:
            return False
        unit, alpha = self.unit, 0.05 / len(self.plans)
        scores = [self.scores(i, unit)[:n] for i in self.ranked(range(len(self.plans)))]
        span = max(map(np.max, scores)) - min(map(np.min, scores)) if unit == "reward" else 1.0
        small = SMALL * max(span, 1e-9)
        apart = [anytime(scores[0] - other, -span, span, alpha) for other in scores[1:]]
        return all(one.low > 0 or -small < one.low <= one.high < small for one in apart)


class Choice(NamedTuple):
    """What a search chose for the rest of a turn."""

    turn: Turn
    plan: Plan
    better: bool  #: it is clearly better than the first candidate: without proposers the policy's own
    won: float  #: share of the worlds that the seat won by that candidate; nan: none was played


class Search:
    """Search as an agent (``Agent`` of :mod:`tabletop.agents.base`) and as an adviser.

    As an agent it searches where no plan is being followed, and follows what it found to the end of the turn.

    Args:
        policy: draws the plans: any agent, or a name for :func:`tabletop.agents.make`.
        player: plays on in every world; by default the policy.
        seconds, rollouts: what a search of the agent may take; one of them, by default SECONDS.
        processes: that play worlds on; several need agents by name.
        plans, samples: how many are tried, of how many turns drawn.
        proposals: whether plans of the game's ``proposers`` (:class:`tabletop.games.Extras`) are tried, too.

    Raises:
        ValueError: a wrong argument; the message says what is expected.
    """

    name = "search"
    at_once = 1

    def __init__(
        self, game: Game, policy: str | Agent = "ppo", player: str | Agent | None = None, *,
        seconds: float | None = None, rollouts: int | None = None, processes: int = 1, plans: int = PLANS,
        samples: int = SAMPLES, proposals: bool = True,
    ) -> None:  # fmt: skip
        for name, least, given in (("seconds", 0, seconds), ("rollouts", 1, rollouts), ("processes", 1, processes),
                                   ("plans", 1, plans), ("samples", 1, samples)):  # fmt: skip
            if given is not None and not given >= least:
                raise ValueError(f"{name} is {given!r}, choose {least} or more")
        if seconds is not None and rollouts is not None:
            raise ValueError("a search takes so many seconds or so many rollouts: choose one of them")
        from tabletop.agents import make

        self.game, self.seconds, self.rollouts = game, seconds, rollouts
        self.plans, self.samples = plans, samples
        self.policy = make(policy, game) if isinstance(policy, str) else policy
        self._proposals = proposals
        shared = player is None and processes == 1
        self.crew = Crew(game, self.policy if shared else (player or policy), processes)
        self.team = str(getattr(player, "name", player) or self.policy.name)
        self._budget = Budget(None, 0, RATE)  #: of the last search, which knows how fast games are
        self.reset(0)

    @cached_property
    def proposers(self) -> list[Agent]:
        """Made when they are first asked: what they plan with takes a while to import."""
        from tabletop.agents import make

        return [make(name, self.game) for name in (extra(self.game, "proposers") if self._proposals else ())]

    def reset(self, seed: int) -> None:
        """Forgets all plans."""
        self._rng = np.random.default_rng(seed)
        self._planned: dict[bytes, int] = {}
        self.policy.reset(seed)

    def close(self) -> None:
        """Ends its processes."""
        self.crew.close()

    def cancel(self) -> None:
        """Ends the search that is running, within a step of the games that it plays; from any thread."""
        self.crew.halt()

    def ready(self) -> None:
        """Loads, or compiles, what the proposers plan with: so no search waits for it."""
        s = new_state(self.game)
        self.game.reset(self.game.box, s, self.game.configure(), 0)
        if s["to_act"][0] >= 0:
            list(self._proposed(self.turn(s, 0), 0))

    # As an agent

    def act(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """One choice for each game: states (n,), masks int8 (n, n_actions); returns int64 (n,)."""
        actions = masks.argmax(axis=1).astype(np.int64)
        for i in np.flatnonzero(masks.sum(axis=1) > 1):
            actions[i] = self._act(states[i : i + 1])
        return actions

    def _act(self, state: Record) -> int:
        seed = int(self._rng.integers(2**31))
        turn = self.turn(state, seed)
        key = turn.key(turn.start)
        if key not in self._planned:
            for step in turn.steps(self._chosen(turn, seed).plan.actions):
                self._planned[turn.key(step.state)] = step.action
        return self._planned.pop(key)

    def choose(self, state: Record, seed: int) -> Choice:
        """The rest of the turn in a state, shape (1,), in which a seat is asked; errors and budget as of the agent."""
        return self._chosen(self.turn(state, seed), seed)

    def _chosen(self, turn: Turn, seed: int) -> Choice:
        """The plan that brings most; the first candidate, unless another is clearly better."""
        self.crew.go()
        seconds = SECONDS if self.seconds is None and self.rollouts is None else self.seconds
        budget = self._budget = Budget(seconds, self.rollouts, self._budget.rate)
        trials = Trials(turn, self._candidates(turn, budget, seed), self.crew, budget, (seed, 2))
        best = [0, *(ranked[0] for ranked in self._halved(trials, 1.0, 2))][-1]
        if best != 0:
            unit = trials.unit
            better = trials.scores(best, unit) - trials.scores(0, unit)
            if better.mean() <= MARGIN * better.std() / math.sqrt(trials.n):
                best = 0
        won = float(trials.won(0).mean()) if trials.n else math.nan
        return Choice(turn, trials.plans[best], best != 0, won)

    # As an adviser

    def advise(
        self, state: Record, seconds: float | None = None, rollouts: int | None = None, seed: int = 0,
        until_sure: bool = False,
    ) -> Iterator[Findings]:  # fmt: skip
        """What is found for the seat that is asked, better and better; the first, from the policy alone, at once.

        Args:
            state: shape (1,); it is not written to.
            seconds, rollouts: what the search may take; by default as the agent.
            seed: the same finds the same, with the same rollouts and processes.
            until_sure: ends before, as soon as more games would hardly change which plan is best.

        Raises:
            ValueError: neither seconds nor rollouts are given, or both.
        """
        if seconds is None and rollouts is None:
            seconds, rollouts = self.seconds, self.rollouts
        if (seconds is None) == (rollouts is None):
            raise ValueError("a search takes so many seconds or so many rollouts: choose one of them")
        self.crew.go()  # now, and not when the first answer is taken: whoever cancels after this call ends the search
        budget = self._budget = Budget(seconds, rollouts, self._budget.rate)
        return self._advise(state, budget, seed, until_sure)

    def _advise(self, state: Record, budget: Budget, seed: int, until_sure: bool) -> Iterator[Findings]:
        if int(state["to_act"][0]) < 0:
            yield Findings(Teller(self.game, state))
            return
        self.policy.reset(seed)
        turn = self.turn(state, seed)
        report = Report(turn, budget, self.team)
        yield report.first(turn.greedy(self.policy), self.policy)
        self.crew.wait()
        budget.begun = time.perf_counter()
        plans = self._candidates(turn, budget, seed)
        trials = Trials(turn, plans, self.crew, budget, (seed, 2))
        ranked = list(range(len(plans)))
        if len(plans) > TOLD:
            share = min(SHARE, CHOOSING / (budget.seconds or CHOOSING)) if until_sure else SHARE
            for ranked in self._halved(trials, share, TOLD):
                yield report.findings(trials, ranked[:TOLD], len(plans), False)
        best, end = [plans[i] for i in ranked[:TOLD]], turn.end()
        if end is not None and end.actions not in (plan.actions for plan in best):
            best.append(end)
        fresh = Trials(turn, best, self.crew, budget, (seed, 3), facts=True)
        order = list(range(min(TOLD, len(plans))))
        chosen = len(plans) > TOLD
        kept_back = 0  # for the best by itself
        if chosen and not until_sure and COMPARED * budget.left >= ENOUGH * len(best):
            kept_back = int((1 - COMPARED) * budget.left)
        for alive, kept in [(range(len(best)), kept_back), *[(range(1), 0)] * (kept_back > 0)]:
            while not self.crew.halted() and (
                n := self._part(budget.left - kept, budget, len(alive), fresh.n if until_sure else None)
            ):
                for _ in fresh.run(alive, n):
                    if chosen:
                        yield report.findings(fresh, order, 1, True, end)
                    else:  # these figures order them
                        yield report.findings(fresh, fresh.ranked(order), len(plans), True, end)
                    if until_sure and fresh.sure():
                        return

    def _part(self, left: int, budget: Budget, plans: int, played: int | None) -> int:
        """Worlds that are played next, of so many rollouts: half of them, or all if they are few; at most as many as
        were played, where that is said."""
        n = left // plans
        short = int(SHORT * budget.rate / plans) if budget.rollouts is None else EACH
        if n < 1 or (budget.rollouts is None and budget.spent and n < max(LEAST, short // 4)):
            return 0
        n = n if n < 2 * max(LEAST, short) else n // 2
        return n if played is None else min(n, max(SURE, played))

    # Both

    def turn(self, state: Record, seed: int) -> Turn:
        """The rest of the turn. The true state is left at the door: what comes in is another that the seat cannot tell
        from it."""
        return Turn(self.game, self.game.resample(state, int(state["to_act"][0]), np.random.default_rng([seed, 0])))

    def _candidates(self, turn: Turn, budget: Budget, seed: int) -> list[Plan]:
        """The plans to try: those of the proposers, the policy's own, and others that the policy might choose."""
        rng = np.random.default_rng([seed, 1])
        temperatures = np.concatenate([[0.0], np.resize(TEMPERATURES, self.samples)])
        plans = {turn.left(plan.actions): plan for plan in self._proposed(turn, seed)}
        most = max(1, min(self.plans, max(2, budget.left // EACH)) - len(plans))
        for plan in choose(turn.sample(self.policy, temperatures, rng), most, rng):
            plans.setdefault(turn.left(plan.actions), plan)
        return list(plans.values())

    def _proposed(self, turn: Turn, seed: int) -> Iterator[Plan]:
        """What each proposer would do; of equals these come first."""
        for proposer in self.proposers:
            proposer.reset(seed)
            yield turn.greedy(proposer)._replace(prior=1.0)

    def _halved(self, trials: Trials, share: float, keep: int) -> Iterator[list[int]]:
        """Plays all plans, and then better and better halves of them, in more worlds with a share of the budget; after
        each part the plans that are left, best first. The first candidate is never given up."""
        alive, budget = list(range(len(trials.plans))), trials.budget
        if len(alive) == 1:
            return
        rounds = math.ceil(math.log2(max(1.0, len(alive) / keep))) + (share == 1.0)
        rounds = max(1, min(rounds, int(share * budget.left) // FEWEST))
        kept_back = int((1 - share) * budget.left)
        for left in range(rounds, 0, -1):
            n = int((budget.left - kept_back) / left / len(alive))
            ranked = []
            for _ in trials.run(alive, max(LEAST, n)):
                ranked = trials.ranked(alive)
                yield ranked
            if not ranked or self.crew.halted() or trials.settled(ranked):
                return
            alive = ranked[: max(keep, math.ceil(len(ranked) / 2))]
            if 0 not in alive:
                alive[-1:] = [0]


class Report:
    """Makes findings of what a search has tried for a seat."""

    def __init__(self, turn: Turn, budget: Budget, team: str) -> None:
        self.turn, self.budget, self.team = turn, budget, team
        self.teller = Teller(turn.game, turn.start)

    def first(self, plan: Plan, policy: Agent) -> Findings:
        """What the policy says by itself: a range, since what a head says of single positions is far off."""
        chance = None
        if isinstance(policy, Likely):
            head = float(policy.chances(self.turn.seen(self.turn.start)[None], self.turn.start["box"])[0])
            odds = head / max(1e-9, 1 - head)
            low, high = (odds * math.exp(off) / (1 + odds * math.exp(off)) for off in (-HEAD_OFF, HEAD_OFF))
            chance = Interval(head, low, high)
        return self._made([Found(plan.actions, 0, chance)], None, "win", False, False)

    def findings(
        self, trials: Trials, ranked: Sequence[int], looked: int, fresh: bool, end: Plan | None = None
    ) -> Findings:
        """Of plans, best first; each interval holds for the best of so many that were looked at."""
        unit, z = trials.unit, NormalDist().inv_cdf(1 - 0.025 / looked)
        best = ranked[0]

        def found(i: int) -> Found:
            less = None if i == best else trials.less(i, best, unit, z)
            others = [best] if i != best else list(ranked[1:2])
            why = trials.why(i, others[0]) if fresh and others else ()
            return Found(trials.plans[i].actions, trials.worlds(i), trials.figure(i, unit, z), less, why)

        ending = [i for i, plan in enumerate(trials.plans) if end is not None and plan.actions == end.actions]
        return self._made(
            list(map(found, ranked)), found(ending[0]) if ending else None, unit, fresh, fresh and trials.sure()
        )

    def _made(self, plans: list[Found], end: Found | None, unit: str, fresh: bool, sure: bool) -> Findings:
        return Findings(self.teller, plans, end, unit, self.budget.spent, self.budget.elapsed, self.team, fresh, sure)
