"""The planner: a team that plans a whole month, on futures drawn anew, and comes nearer to the win by it.

It knows Sammu-Ramat. Where a turn is asked for it searches the rest of the month for all seats together with a beam
(:mod:`sammu_env.agents.beam`) on reseeded copies (it never sees the true draws); each plan that uses up the month's
actions is then played to the month's end on several futures, and the one that leads to most on average is kept, as
judged by :func:`sammu_env.agents.nearness.value`, without what brings nothing (:mod:`sammu_env.agents.plan`). Of
several such plans it takes the one after which a quick plan of the next month leads to most. The plan is followed as
long as chance does not have it otherwise. Any other question is answered by what an answer leads to, on several
futures.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import engine, steps
from sammu_env.agents import nearness
from sammu_env.agents.beam import (
    LEFT,
    LOWEST,
    NODE,
    OFTENER,
    OVER,
    SLOT,
    Node,
    Slot,
    actions_left,
    begin_position,
    continue_once,
    judge,
    promising,
    vary,
)
from sammu_env.agents.outlook import at_months_end, draw_anew, look_ahead, worth
from sammu_env.agents.plan import (
    COPIES,
    END,
    NEXT,
    ROOT,
    TRIAL,
    Plan,
    Search,
    begin_plan,
    copy_plan,
    planned,
    tidy,
    write_plan,
)
from sammu_env.agents.scripted import conceal, prompt
from sammu_env.agents.team import Team, is_anothers
from sammu_env.box import Box
from sammu_env.state import STATE, State
from tabletop.fields import Array, Records, dtype_of
from tabletop.game import Game, Record
from tabletop.jit import entry, kernel
from tabletop.rng import Generator, below

#: Positions kept in a bucket, continuations of each, and futures on which a plan is tried to the month's end.
WIDTH, TRIES, FUTURES = 16, 48, 16
#: Plans of a month that are compared, and futures on which the month after each of several is planned; positions kept
#: in a bucket in that, and continuations of each; and futures on which several plans of the last month are tried.
PLANS, LOOK_AHEAD = 1, 8
NEXT_WIDTH, NEXT_TRIES = 16, 16
LAST_FUTURES = 64
#: Futures on which each answer to a single question is tried.
LOOKS = 8
#: What being near the win, standing well and a good economy are worth.
PROGRESS, STANDING, ECONOMY = 200.0, 0.75, 2.2
#: In a campaign: how much more standing well counts, and the time of each challenge to come beside the present one's.
LASTING, TO_COME = 3.0, 0.5
#: What a position is worth more to reward shaping, so that nearly all are worth more than a defeat.
STANDS = 60.0

SEARCH, PLAN = dtype_of(Search), dtype_of(Plan)


@kernel
def plan_month(
    box: Box,
    copies: Records[State],
    states: Records[State],
    slots: Records[Slot],
    ways: Records[Node],
    nodes: Records[Node],
    search: Search,
    plan: Plan,
    drafts: Records[Plan],
    halt: Array[int],
) -> None:
    """Plans the rest of the month from where ``copies[ROOT]`` stands; no plan is made if it is halted.

    Of several plans it is the one after which the next month, planned too, leads to most.
    """
    plan.at, plan.n = 0, 0
    best = -1e18
    future = below(search, 1 << 30) if search.plans > 1 else 0
    for _ in range(search.plans):
        last, v, ends = search_month(box, copies, states, slots, ways, nodes, search, halt)
        if halt[0] == 0:
            write_plan(box, copies, nodes, last, search, drafts[0])
            if ends:
                tidy(box, copies, search, drafts[0], v)
            if search.plans > 1:
                v = at_next_months_end(box, copies, states, slots, ways, nodes, search, future, halt)
            if v > best:
                best = v
                copy_plan(plan, drafts[0])
    if halt[0] != 0:
        plan.n = 0


@kernel
def search_month(
    box: Box,
    copies: Records[State],
    states: Records[State],
    slots: Records[Slot],
    ways: Records[Node],
    nodes: Records[Node],
    search: Search,
    halt: Array[int],
) -> tuple[int, float, bool]:
    """Looks for the rest of a month that leads to most from ``copies[ROOT]``; ``copies[TRIAL]`` is written to.

    Returns:
        the last of the nodes that lead there, what the month is worth, and whether that is where a turn is asked for;
        if no such turn was found, it is the end of the month or of the game. If it is halted, something.
    """
    trial = copies[TRIAL : TRIAL + 1]
    root = LEFT * search.width
    states[root] = copies[ROOT]
    ways[root].before, ways[root].n, ways[root].seed = -1, 0, 0
    search.kept[:] = 0
    search.floor[:] = LOWEST
    search.seen[:] = -1
    search.kept[LEFT], search.nodes, search.lines, search.game = 1, 0, 0, copies[ROOT].game
    search.future = below(search, 1 << 30)
    best, best_value, resort, resort_value = -1, -1e18, -1, -1e18
    for bucket in range(LEFT, -1, -1):
        for k in range(bucket * search.width, bucket * search.width + search.kept[bucket]):
            if halt[0] != 0:
                return -1, 0.0, False
            node = begin_position(ways, nodes, search, k)
            at_turn = prompt(states[k]) == steps.TURN
            if at_turn and (bucket == 0 or promising(box, states[k])):
                v = at_months_end(box, states[k], trial, search)
                if v > best_value:
                    best, best_value = node, v
            for i in range(search.tries * (OFTENER if bucket == LEFT else 1) if bucket > 0 else 0):
                draw_anew(trial, states[k], search)
                vary(search, i)
                reached = continue_once(box, trial[0], search, False)
                if 0 <= reached < LEFT:
                    judge(box, states, slots, ways, search, trial[0], reached, k, node)
                elif reached in (LEFT, OVER):
                    v = worth(box, trial[0], search)
                    if v > resort_value:
                        resort, resort_value = len(nodes) - 1, v
                        note_way(nodes, resort, search, node)
    if best >= 0:
        return best, best_value, True
    return resort, resort_value, False


@kernel
def at_next_months_end(
    box: Box,
    copies: Records[State],
    states: Records[State],
    slots: Records[Slot],
    ways: Records[Node],
    nodes: Records[Node],
    search: Search,
    future: int,
    halt: Array[int],
) -> float:
    """What ``copies[TRIAL]``, where a plan ends, is worth on average at the end of the next month, if a quick plan is
    made for that, on ``search.ahead`` futures, the first of seed ``future``; on more where there is no next month.
    ``copies[END:]`` are written to."""
    copies[END] = copies[TRIAL]
    width, tries, total = int(search.width), int(search.tries), 0.0
    root, begun = copies[NEXT : NEXT + 1], copies[END].month != copies[ROOT].month or copies[END].game != search.game
    futures = int(search.ahead) if copies[END].month < copies[END].months else max(search.ahead, LAST_FUTURES)
    for i in range(futures):
        look_ahead(root, copies[END], future + i)
        reached = LEFT if begun else continue_once(box, root[0], search, True)
        v = LOWEST
        if reached == LEFT and root[0].to_act >= 0 and root[0].game == search.game:
            search.width, search.tries = min(width, NEXT_WIDTH), min(tries, NEXT_TRIES)
            v = search_month(box, copies[NEXT:COPIES], states, slots, ways, nodes, search, halt)[1]
            search.width, search.tries = width, tries
        if v <= LOWEST:  # there is nothing to plan, or no plan was found
            v = worth(box, root[0], search)
        total += v
    return total / futures


@kernel
def note_way(nodes: Records[Node], i: int, search: Search, before: int) -> None:
    """The continuation in hand, as a node."""
    nodes[i].before, nodes[i].n, nodes[i].seed = before, search.n, search.seed
    for k in range(search.n):
        nodes[i].action[k] = search.action[k]


@kernel
def best_answer(box: Box, copies: Records[State], search: Search) -> int:
    """The single choice after which the position is worth most."""
    search.game = copies[ROOT].game
    best, best_value = int(copies[ROOT].option[0]), -1e18
    for i in range(copies[ROOT].n_options):
        v = 0.0
        for _ in range(search.looks):
            draw_anew(copies[TRIAL : TRIAL + 1], copies[ROOT], search)
            engine.choose(box, copies[TRIAL], int(copies[ROOT].option[i]))
            v += worth(box, copies[TRIAL], search)
        if v > best_value:
            best, best_value = int(copies[ROOT].option[i]), v
    return best


@kernel
def decide(
    box: Box,
    s: State,
    copies: Records[State],
    states: Records[State],
    slots: Records[Slot],
    ways: Records[Node],
    nodes: Records[Node],
    search: Search,
    plan: Plan,
    drafts: Records[Plan],
    halt: Array[int],
) -> int:
    """One choice for the seat that is asked: as planned, or thought of now."""
    if is_anothers(s, plan):
        plan.n = 0
    if not planned(s, plan):
        op = prompt(s)
        if s.n_options == 1:
            return int(s.option[0])
        if op == steps.TURN and s.stage == c.ST_ACTIONS and actions_left(s) == 0:
            return a.DONE
        copies[ROOT] = s
        if s.hidden_hands > 0:
            conceal(copies[ROOT], s.to_act)
        copy_generator(search, plan)
        alone = op != steps.CONSULT and (s.stage != c.ST_ACTIONS or op <= steps.TAX_TO or op == steps.FIRST_PLAYER)
        if alone:
            answer = best_answer(box, copies, search)
        else:
            plan_month(box, copies, states, slots, ways, nodes, search, plan, drafts, halt)
            answer = a.DONE if op == steps.TURN else int(s.option[0])
        copy_generator(plan, search)
        if alone or not planned(s, plan):
            return answer
    plan.at += 1
    return int(plan.action[plan.at - 1])


@kernel
def copy_generator(target: Generator, source: Generator) -> None:
    """What is drawn in a search comes from the generator of the game's plan: so no game depends on another."""
    for i in range(len(source.rng)):
        target.rng[i] = source.rng[i]


@entry
def decide_many(
    box: Records[Box],
    s: Records[State],
    copies: Records[State],
    states: Records[State],
    slots: Records[Slot],
    ways: Records[Node],
    nodes: Records[Node],
    search: Records[Search],
    drafts: Records[Plan],
    plans: Records[Plan],
    out: Array[int],
    seeds: Array[int],
    halt: Array[int],
) -> None:
    """A choice, int64 (n,), for each of n games; where there are seeds, int64 (n,) and not none, whole games with every
    seat, one after the other, with the last of ``plans`` when they run out. Once ``halt``, int8 (1,), is not 0, any
    choice."""
    for i in range(len(s)):
        plan = plans[min(i, len(plans) - 1)]
        if i < len(seeds):
            begin_plan(plan, seeds[i])
        while s[i].to_act >= 0:
            out[i] = decide(box[s[i].box], s[i], copies, states, slots, ways, nodes, search[0], plan, drafts, halt)
            if i >= len(seeds):
                break
            engine.choose(box[s[i].box], s[i], out[i])


@entry
def plan_is_due(s: Records[State], plans: Records[Plan]) -> bool:
    """Whether the first plan says what to choose in the first state."""
    return planned(s[0], plans[0])


@entry
def potential_many(box: Records[Box], s: Records[State], search: Records[Search], out: Array[float]) -> None:
    """What n positions are worth to reward shaping, also those of finished games, float32 (n,) from -1 to 1; a defeat
    before the last month is worth nothing."""
    for i in range(len(s)):
        fallen = s[i].result == c.LOST and s[i].cause not in (c.MET, c.OUT_OF_MONTHS)
        v = 0.0 if fallen else (STANDS + nearness.value(box[s[i].box], s[i], search[0])) / (STANDS + 300.0)
        out[i] = min(1.0, max(-1.0, v))


class _Work:
    """Room for one thread."""

    def __init__(self, **options: int) -> None:
        room = (LEFT + 1) * options["width"]
        self.search = np.zeros(1, SEARCH)
        one = self.search[0]
        for name, value in options.items():
            one[name] = value
        one["progress"], one["standing"], one["economy"] = PROGRESS, STANDING, ECONOMY
        one["lasting"], one["to_come"] = LASTING, TO_COME
        self.arrays = (np.zeros(COPIES, STATE), np.zeros(room, STATE), np.zeros(room, SLOT), np.zeros(room, NODE),
                       np.zeros(room + 1, NODE), self.search, np.zeros(1, PLAN))  # fmt: skip


class Planner(Team):
    """The planner.

    Args:
        width, tries, futures, looks, plans, ahead: how much it searches; the constants of this module.
        threads: by default all processors.

    Raises:
        ValueError: one of these is less than 1, or too many.
    """

    name = "planner"
    plan, games_a_thread = PLAN, 2

    def __init__(
        self, game: Game, width: int = WIDTH, tries: int = TRIES, futures: int = FUTURES, looks: int = LOOKS,
        plans: int = PLANS, ahead: int = LOOK_AHEAD, threads: int | None = None,
    ) -> None:  # fmt: skip
        options = {"width": width, "tries": tries, "futures": futures, "looks": looks, "plans": plans, "ahead": ahead}
        super().__init__(game, threads, **options)
        self.work = [_Work(**options) for _ in range(self.threads)]
        #: (threads,) for reward shaping, with one measure for all games
        self.judges = self.work[0].search.repeat(self.threads)
        self.judges["lasting"], self.judges["to_come"] = 0.0, 0.0
        self.halt = np.zeros(1, np.int8)  #: (1,), not 0 as soon as it is to give up a plan and choose anything
        self.reset(0)

    def write_choices(
        self, thread: int, states: Record, plans: NDArray[np.void], out: NDArray[np.int64], seeds: NDArray[np.int64]
    ) -> None:
        decide_many(self.box, states, *self.work[thread].arrays, plans, out, seeds, self.halt)

    def follows(self, states: Record) -> bool:
        """Whether its plan says what to choose in a state, shape (1,), so that it need not search."""
        return len(self.plans) > 0 and bool(plan_is_due(states, self.plans))

    def value(self, thread: int, states: Record, out: NDArray[np.float32]) -> None:
        potential_many(self.box, states, self.judges[thread : thread + 1], out)
