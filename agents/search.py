"""Search on top of any agent: its plans for a turn are played out to the end in many worlds, and the best is taken.

What the asking seat may not know is drawn anew before anything else is done (``Game.resample``), so the true state is
never looked at. Plans of a whole turn come from the agent itself (:mod:`tabletop.agents.plans`). All of them are tried
in the same worlds, and the worse half is given up again and again (sequential halving; Karnin, Koren and Somekh 2013);
what remains is told with figures from further worlds, because the best of many figures is too high by luck.

A game may have proposers, agents that look ahead. A plan of theirs is worth what comes of it if they play on, other
plans what comes of them if the team does: of several who could play on, the one that makes more of it counts (parallel
rollout; Chang, Givan and Chong 2004).

A team's plan is worth its chance of winning (of a campaign: of victory in the end), a rival's what the asking seat is
paid, which is a chance, too, where it says no more than who has won. All of it means: if the agent plays on.
"""

from __future__ import annotations

import math
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from statistics import NormalDist
from typing import NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tabletop.agents.base import OBSERVATION, Agent
from tabletop.agents.findings import Findings, Found, Teller
from tabletop.agents.futures import Crew, Haltable, made
from tabletop.agents.plans import TEMPERATURES, Likely, Plan, Turn, choose
from tabletop.agents.trials import ENOUGH, FEWEST, SURE, TOLD, Budget, Trials
from tabletop.game import NOBODY, Game, Record, new_state
from tabletop.games import extra, in_parts
from tabletop.stats import Interval, wilson

#: What the agent takes for a search, unless it is told.
SECONDS = 1.0
#: Turns that are drawn from the agent, and plans of them that are tried.
SAMPLES, PLANS = 64, 16
#: Worlds in which a plan is tried at least before it is given up; and games for each plan that is tried at all.
LEAST, EACH = 4, 16
#: The share of the games that chooses the plans, where figures are wanted: the others are for these; and the share of
#: those in which the plans that are told are compared, until the best is played by itself.
SHARE, COMPARED = 0.4, 0.4
#: The share of a search in which proposers may plan: no slower one is asked that would take longer. An agent saves what
#: it leaves of it, up to so much, for turns in which there is more to plan; it begins with that.
PLANNING, SAVED = 0.25, 0.75
#: The share of a search in which the first proposer plays on, to see how it fares.
FARING = 0.2
#: Games won, and played, that everybody is taken to have had before; and what a proposer's game counts for after the
#: next one, or the time that it took a turn later.
BEFORE, LATER = (0.8, 2.0), 0.9
#: An agent takes the odds of a slower proposer to be so many times those of the first, which plays on in its place.
THOROUGH = 4.0
#: Seconds that one part of a search takes at least.
SHORT = 0.25
#: How far, in logits, a head's chance of winning may be from what rollouts say of a position.
HEAD_OFF = 3.0
#: Standard errors by which a plan must be better than the agent's own to be taken instead.
MARGIN = 1.0
#: A search that goes on until it is sure chooses the plans within so many seconds.
CHOOSING = 10.0
ONE = "a search takes so many seconds or so many rollouts: choose one of them"


class Choice(NamedTuple):
    """What a search chose for the rest of a turn."""

    turn: Turn
    plan: Plan
    better: bool  #: by more than a standard error in the worlds that chose it, or it would be the policy's own
    won: float  #: share of the worlds that the seat won by the policy's own plan; nan: none was played


class Candidates(NamedTuple):
    """Plans to try."""

    plans: list[Plan]
    proposer: int  #: whose the first is, or -1
    own: int  #: which is the policy's own


@runtime_checkable
class Keeper(Protocol):
    """A proposer that keeps its plans from turn to turn."""

    def follows(self, states: Record) -> bool:
        """Whether its plan says what to choose in a state, shape (1,)."""


class Search:
    """Search as an agent (``Agent`` of :mod:`tabletop.agents.base`) and as an adviser.

    As an agent it searches where no plan is being followed, and follows what it found to the end of the turn. Proposers
    may plan for longer than a turn; they keep their plans until ``reset``, where seats have no secrets.

    Args:
        policy: draws the plans: any agent, or a name for :func:`tabletop.agents.make`; by default the network that the
            game ships, or else the agent that others are compared with.
        player: plays on in every world; by default the policy.
        seconds, rollouts: what a search of the agent may take; one of them, by default SECONDS.
        processes: that play worlds on; several need agents by name.
        plans, samples: how many are tried, of how many turns drawn. The policy's own is one of them, and so is a
            proposer's, if there is one: then two are tried at least.
        proposals: whether plans of the game's ``proposers`` (:class:`tabletop.games.Extras`) are tried, too.

    Raises:
        ValueError: a wrong argument; the message says what is expected.
    """

    name = "search"
    sees = OBSERVATION  # it draws anew what the seat may not know, before anything else
    at_once = 1

    def __init__(
        self, game: Game, policy: str | Agent | None = None, player: str | Agent | None = None, *,
        seconds: float | None = None, rollouts: int | None = None, processes: int = 1, plans: int = PLANS,
        samples: int = SAMPLES, proposals: bool = True,
    ) -> None:  # fmt: skip
        _check_least(1, processes=processes, plans=plans, samples=samples)
        _check_budget(seconds, rollouts)
        from tabletop.agents import usual

        self.game, self.seconds, self.rollouts = game, seconds, rollouts
        self.plans, self.samples = plans, samples
        policy = policy or usual(game)
        self._names = tuple(extra(game, "proposers")) if proposals else ()
        self.crew = Crew(game, [player or policy, *self._names[:1]], processes)
        shared = player is None and processes == 1
        self.policy = self.crew.agents[0] if shared else made(game, policy, self.crew.flag)
        learnt = getattr(self.policy, "card", {}).get("decisions", 0)
        self.card = {"decisions": learnt}  #: it is as trained as its policy
        team = str(getattr(player, "name", player) or self.policy.name)
        self.teams = [team, *(name.partition(":")[0] for name in self._names[:1])]  #: what players are called
        self._rates = Budget(None, None).rates  #: of the last search: how fast games are
        self.proposers: list[Agent] = []  #: made when they are first asked: what they plan with is slow to import
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Forgets all plans, and how proposers fared."""
        self._rng = np.random.default_rng(seed)
        self._planned: dict[bytes, int] = {}
        self._fared: dict[int, NDArray[np.float64]] = {}  #: games that the first proposer won, and played
        self._saved = SAVED
        self._takes = np.zeros(len(self._names))  #: seconds for a plan, of each proposer
        self._begin(seed)

    def _begin(self, seed: int) -> None:
        """Those who plan forget what they planned."""
        self._seed = seed
        for agent in (self.policy, *self.proposers):
            agent.reset(seed)

    def close(self) -> None:
        """Ends its processes."""
        self.crew.close()

    def cancel(self) -> None:
        """Ends the search that is running, within a step of the games that it plays, or of a plan; from any thread."""
        self.crew.halt()

    def ready(self) -> None:
        """Begins the processes, and loads, or compiles, what the proposers plan with: so no search waits for them. If
        that fails, its processes have ended."""
        try:
            self.crew.wait()  # what is to be compiled they compile, while threads here go on
            s = new_state(self.game)
            self.game.reset(self.game.box, s, self.game.configure(), 0)
            if s["to_act"][0] >= 0:
                self._proposed(self.turn(s, 0), Budget(None, 1))
                self._takes[:] = 0  # as if nothing had been planned
                for proposer in self.proposers:
                    proposer.reset(self._seed)
        except BaseException:
            self.close()
            raise

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
            if self.game.secrets(state)[0]:  # plans that were made for one seat would tell another what that one knows
                self._begin(seed)
            for step in turn.steps(self._chosen(turn, seed).plan.actions):
                self._planned[turn.key(step.state)] = step.action
        return self._planned.pop(key)

    def choose(self, state: Record, seed: int) -> Choice:
        """The rest of the turn in a state, shape (1,), in which a seat is asked; errors and budget as of the agent, and
        what it remembers of how proposers fared: the same seed finds the same after a ``reset``."""
        self._begin(seed)
        return self._chosen(self.turn(state, seed), seed)

    def _chosen(self, turn: Turn, seed: int) -> Choice:
        """The plan that brings most: a proposer's if that would make more of it than the team makes of any; else the
        policy's own, unless another is clearly better."""
        self.crew.go()
        seconds = SECONDS if self.seconds is None and self.rollouts is None else self.seconds
        self._saved = min(SAVED, self._saved + PLANNING)
        budget = self._budget(seconds, self.rollouts, self._saved)
        plans, proposer, own = self._candidates(turn, budget, seed)
        self._saved -= budget.planned / (seconds or math.inf)
        if len(plans) == 1:
            return Choice(turn, plans[0], False, math.nan)
        trials = Trials(turn, plans, self.crew, budget, (seed, 2))
        chance = -1.0
        if proposer >= 0:
            fared = self._faring(turn, plans[0], budget, seed).tally(0)
            whose = turn.seat if self.game.secrets(turn.start)[0] else NOBODY  # what one seat knows is not for another
            self._fared[whose] = LATER ** fared[1] * self._fared.get(whose, np.zeros(2)) + fared
            chance = _of_proposer(proposer, *self._fared[whose])
        best = [own, *(ranked[0] for ranked in self._halved(trials, 1.0, 2, own, chance))][-1]
        if best != own:
            unit = trials.unit
            better = trials.scores(best, unit) - trials.scores(own, unit)
            if better.mean() <= MARGIN * better.std() / math.sqrt(trials.n):
                best = own
        won = trials.chance(own) if trials.n else math.nan
        if proposer >= 0 and not _better(trials, best, chance):
            return Choice(turn, plans[0], False, won)
        return Choice(turn, plans[best], best != own, won)

    def _budget(self, seconds: float | None, rollouts: int | None, planning: float = PLANNING) -> Budget:
        return Budget(seconds, rollouts, self._rates, math.inf if seconds is None else planning * seconds)

    def _faring(self, turn: Turn, plan: Plan, budget: Budget, seed: int) -> Trials:
        """Lets the first proposer play on after a plan, with a share of the budget."""
        trials = Trials(turn, [plan], self.crew, budget, (seed, 4), player=1)
        games, until = int(FARING * budget.room(1) + np.random.default_rng([seed, 5]).random()), math.inf
        if budget.rollouts is None and games:  # how long they take is known by and by: time decides
            games, until = max(games, budget.left(1)), budget.after(FARING)
        for _ in trials.run(range(1), games, until):
            pass
        return trials

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
            ValueError: neither seconds nor rollouts are given, or both, or a wrong number of them.
        """
        if seconds is None and rollouts is None:
            seconds, rollouts = self.seconds, self.rollouts
        if seconds is None and rollouts is None:
            raise ValueError(ONE)
        _check_budget(seconds, rollouts)
        self.crew.go()  # now, and not when the first answer is taken: whoever cancels after this call ends the search
        budget = self._budget(seconds, rollouts)
        return self._advise(state, budget, seed, until_sure)

    def _advise(self, state: Record, budget: Budget, seed: int, until_sure: bool) -> Iterator[Findings]:
        if int(state["to_act"][0]) < 0:
            yield Findings(Teller(self.game, state))
            return
        self._begin(seed)
        turn = self.turn(state, seed)
        report = Report(turn, budget, self.teams)
        likeliest = turn.greedy(self.policy)
        if self.crew.halted() and isinstance(self.policy, Haltable):  # then it chose anything
            return
        first = report.first(likeliest._replace(actions=turn.direct(likeliest.actions)), self.policy)
        yield first
        if not self.crew.halted() and len(self.proposers) < len(self._names):
            self.ready()  # what they load, or compile, is no part of the search
        if self.crew.halted():
            return
        self.crew.wait()
        budget.begun = time.perf_counter()
        plans, proposer, own = self._candidates(turn, budget, seed)
        if proposer >= 0:  # an agent keeps its plan as it is: the proposer follows it from turn to turn
            plans[0] = plans[0]._replace(actions=turn.direct(plans[0].actions))
        trials = Trials(turn, plans, self.crew, budget, (seed, 2))
        fared, chance = trials, -1.0
        if proposer >= 0:
            fared = self._faring(turn, plans[0], budget, seed)
            chance = _expected(*fared.tally(0))
            said = first.plans[0].chance
            if fared.n and (said is None or chance > said.rate):
                yield report.findings(fared, [0], 1, False)
        ranked = list(range(len(plans)))
        compared = len(plans) > 1 or (proposer >= 0 and budget.left(1) > 0)
        # how fast games are may be known only by and by
        if compared and budget.left() * (1.0 if budget.rollouts is None else SHARE) >= LEAST * len(plans):
            share = min(SHARE, CHOOSING / (budget.seconds or CHOOSING)) if until_sure else SHARE
            for ranked in self._halved(trials, share, TOLD, own, chance):
                if _better(trials, ranked[0], chance):
                    yield report.findings(trials, ranked[:TOLD], len(plans), False)
        ahead = proposer >= 0 and not _better(trials, ranked[0], chance)
        player = int(ahead and (fared.n > 0 or budget.left(1) > 0))
        if player:  # the best of those that remain stay beside it
            ranked = [0, *(i for i in ranked if i != 0)]
        best, end = [plans[i] for i in ranked[:TOLD]], turn.end()
        told = len(best)
        if end is not None and end.actions not in (plan.actions for plan in best):
            best.append(end)
        if player and budget.left(1) < LEAST * len(best):  # its games are few: all are for its own plan
            best, told, end = best[:1], 1, None
        fresh = Trials(turn, best, self.crew, budget, (seed, 3), facts=True, player=player)
        yield from self._compared(fresh, report, told, end, until_sure)
        if budget.rollouts is None and not budget.games:  # all the time went into plans: better late than no answer
            for _ in trials.run([own], LEAST):
                yield report.findings(trials, [own], 1, False)

    def _compared(
        self, trials: Trials, report: Report, told: int, end: Plan | None, until_sure: bool
    ) -> Iterator[Findings]:  # fmt: skip
        """Plays the best plans, of which the first so many are told, and ending the turn in further worlds; at last the
        first alone, whose figure is what people want to know. Another becomes the first as soon as it is surely better.
        """
        budget, player = trials.budget, trials.player
        order, looked = list(range(len(trials.plans))), 1
        alive, until = order, math.inf
        enough = len(order) * (LEAST if player else ENOUGH)
        if len(order) > 1 and not until_sure and COMPARED * budget.left(player) >= enough:
            until = budget.after(COMPARED)
        while True:
            played = trials.n if until_sure else None
            n = self._part(budget.left(player, until), budget, len(alive), player, played)
            if n and not self.crew.halted():
                for _ in trials.run(alive, n, until):
                    best = trials.ranked(alive)[0]
                    if best != order[0] and trials.settled([best, order[0]]):
                        order, looked = [best, *(i for i in order if i != best)], len(order)
                    shown = [i for i in order if i < told or i == order[0]]
                    found = report.findings(trials, shown[:TOLD], looked, True, end)
                    yield found
                    if until_sure and found.sure:
                        return
            elif len(alive) > 1:
                alive, until = order[:1], math.inf
            else:
                return

    def _part(self, left: int, budget: Budget, plans: int, player: int, played: int | None) -> int:
        """Worlds that are played next, of so many games. Where rollouts are counted, and of one that looks ahead: half
        of them, or all if they are few; of seconds, which are told a part at a time, all. At most as many as were
        played, where that is said."""
        n = left // plans
        timed = budget.rollouts is None
        short = int(SHORT * budget.rates[player] / plans) if timed else EACH
        if n < 1 or (timed and budget.spent and not player and n < max(LEAST, short // 4)):
            return 0
        if n >= 2 * max(LEAST, short) and (player or not timed):
            n //= 2
        return n if played is None else min(n, max(SURE, played))

    # Both

    def turn(self, state: Record, seed: int) -> Turn:
        """The rest of the turn. The true state is left at the door: what comes in is another that the seat cannot tell
        from it."""
        return Turn(self.game, self.game.resample(state, int(state["to_act"][0]), np.random.default_rng([seed, 0])))

    def _candidates(self, turn: Turn, budget: Budget, seed: int) -> Candidates:
        """The plans to try: a proposer's, the policy's own, and others that the policy might choose."""
        rng = np.random.default_rng([seed, 1])
        proposed, proposer = self._proposed(turn, budget)
        plans = {turn.left(plan.actions): plan for plan in proposed}
        most = max(1, min(self.plans, max(2, budget.left() // EACH)) - len(plans))
        temperatures = np.concatenate([[0.0], np.resize(TEMPERATURES, self.samples if most > 1 else 0)])
        sampled = turn.sample(self.policy, temperatures, rng, lambda: self.crew.halted() or budget.late)
        drawn = choose(sampled, most, rng)
        for plan in drawn:
            plans.setdefault(turn.left(plan.actions), plan._replace(actions=turn.direct(plan.actions)))
        return Candidates(list(plans.values()), proposer, list(plans).index(turn.left(drawn[0].actions)))

    def _proposed(self, turn: Turn, budget: Budget) -> tuple[list[Plan], int]:
        """What the slowest proposer would do for which there is time, and which that is; nothing and -1 if there is
        none."""
        if not self.proposers:
            self.proposers = [made(self.game, name, self.crew.flag) for name in self._names]
            for proposer in self.proposers:
                proposer.reset(self._seed)
        plans: list[Plan] = []
        followed = [i for i, one in enumerate(self.proposers) if isinstance(one, Keeper) and one.follows(turn.start)]
        for i in range(max(followed, default=0), len(self.proposers)):
            begun = budget.elapsed
            if plans and begun + self._takes[i] > budget.planning:
                self._takes[i] *= LATER
                return plans, i - 1
            plans = [turn.greedy(self.proposers[i])._replace(prior=1.0)]
            if self.crew.halted():
                return [], -1
            budget.planned = budget.elapsed
            if i not in followed:
                self._takes[i] = budget.planned - begun
        return plans, len(self.proposers) - 1

    def _halved(self, trials: Trials, share: float, keep: int, own: int, chance: float) -> Iterator[list[int]]:
        """Plays all plans, and then better and better halves of them, in more worlds with a share of the budget; after
        each part the plans that are left, best first. The policy's own is never given up. It ends early where one is
        surely the best, or none can be better than a proposer's chance."""
        alive, budget = list(range(len(trials.plans))), trials.budget
        until = budget.after(share)
        if budget.rollouts is None:  # how long games take is known only once some were played
            for _ in trials.run(alive, LEAST):
                yield trials.ranked(alive)
        rounds = math.ceil(math.log2(max(1.0, len(alive) / keep))) + (share == 1.0)
        rounds = max(1, min(rounds, budget.left(0, until) // FEWEST))
        for left in range(rounds, 0, -1):
            n = max(budget.left(0, until) // (left * len(alive)), LEAST - trials.n)
            ranked = []
            for _ in trials.run(alive, n, until):
                ranked = trials.ranked(alive)
                yield ranked
            if not ranked or self.crew.halted() or trials.settled(ranked) or _behind(trials, ranked[0], chance):
                return
            alive = ranked[: max(keep, math.ceil(len(ranked) / 2))]
            if own not in alive:
                alive[-1:] = [own]


def _check_budget(seconds: float | None, rollouts: int | None) -> None:
    _check_least(0, seconds=seconds)
    _check_least(1, rollouts=rollouts)
    if seconds is not None and rollouts is not None:
        raise ValueError(ONE)


def _check_least(least: int, **given: float | None) -> None:
    for name, value in given.items():
        if value is not None and not least <= value < math.inf:
            raise ValueError(f"{name} is {value!r}, choose {least} or more")


def _expected(won: float, played: float) -> float:
    """The chance of winning of those who won so many of so many games."""
    return float((won + BEFORE[0]) / (played + BEFORE[1]))


def _of_proposer(proposer: int, won: float, played: float) -> float:
    """The chance of winning of a team that goes by a proposer's plans, if the first has won so many of so many
    games."""
    chance = _expected(won, played)
    odds = chance / (1 - chance) * (THOROUGH if proposer else 1.0)
    return odds / (1 + odds)


def _better(trials: Trials, plan: int, chance: float) -> bool:
    """Whether the team makes more of a plan."""
    return trials.n > 0 and _expected(trials.won(plan).sum(), trials.worlds(plan)) > chance


def _behind(trials: Trials, best: int, chance: float) -> bool:
    """Whether the best plan is surely won less often than by a chance."""
    return wilson(trials.won(best).sum(), trials.worlds(best)).high < chance


class Report:
    """Makes findings of what a search has tried for a seat; ``teams`` are what its players are called."""

    def __init__(self, turn: Turn, budget: Budget, teams: Sequence[str]) -> None:
        self.turn, self.budget, self.teams = turn, budget, teams
        self.teller = Teller(turn.game, turn.start)

    def first(self, plan: Plan, policy: Agent) -> Findings:
        """What the policy says by itself: a range, since what a head says of single positions is far off; none where it
        speaks of a part of the game."""
        chance = None
        if isinstance(policy, Likely) and not in_parts(self.turn.game, self.turn.start):
            head = float(policy.chances(self.turn.seen(self.turn.start)[None], self.turn.start["box"])[0])
            odds = head / max(1e-9, 1 - head)
            low, high = (odds * math.exp(off) / (1 + odds * math.exp(off)) for off in (-HEAD_OFF, HEAD_OFF))
            chance = Interval(head, low, high)
        return self._made([Found(plan.actions, 0, chance)], None, "win")

    def findings(
        self, trials: Trials, ranked: Sequence[int], looked: int, fresh: bool, end: Plan | None = None
    ) -> Findings:
        """Of plans that were played, best first; each interval holds for the best of so many that were looked at."""
        unit, z = trials.unit, NormalDist().inv_cdf(1 - 0.025 / looked)
        ends, span = trials.ends(unit), trials.span(unit)
        best, *rest = (i for i in ranked if trials.worlds(i))
        # the best of fresh worlds stays what it was chosen as; the others stand as these say
        ranked = [best, *(trials.ranked(rest) if fresh else rest)]

        def found(i: int) -> Found:
            less = None if i == best else trials.less(i, best, unit, span, z)
            others = [best] if i != best else list(ranked[1:2])
            why = trials.why(i, others[0]) if fresh and others else ()
            return Found(trials.plans[i].actions, trials.worlds(i), trials.figure(i, unit, ends, z), less, why, span)

        tried = [i for i in range(len(trials.plans)) if trials.worlds(i)]
        ending = [found(i) for i in tried if end is not None and trials.plans[i].actions == end.actions]
        made = self._made([found(i) for i in ranked], ending[0] if ending else None, unit, trials.player)
        return replace(made, fresh=fresh, sure=fresh and trials.sure(best))

    def _made(self, plans: list[Found], end: Found | None, unit: str, player: int = 0) -> Findings:
        return Findings(self.teller, plans, end, unit, self.budget.games, self.budget.elapsed, self.teams[player])
