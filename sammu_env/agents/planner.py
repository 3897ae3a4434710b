"""The planner: a team that plans a whole month, on futures drawn anew, and comes nearer to the win by it.

It knows Sammu-Ramat. Where a turn is asked for it searches the rest of the month for all seats together with a beam
(:mod:`sammu_env.agents.beam`) on reseeded copies (it never sees the true draws); each plan that uses up the month's
actions is then played to the month's end on several futures, and the one that leads to most on average is kept, as
judged by :func:`sammu_env.agents.nearness.value`. The plan is followed as long as chance does not have it otherwise.
Any other question is answered by what an answer leads to, on several futures.
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
    Beam,
    Node,
    Slot,
    actions_left,
    begin_position,
    continue_once,
    judge,
    promising,
    vary,
)
from sammu_env.agents.scripted import conceal, prompt
from sammu_env.agents.team import Team
from sammu_env.box import Box
from sammu_env.state import STATE, State
from tabletop.fields import Array, Records, dtype_of, i2, i4, i8, shape
from tabletop.game import Game, Record
from tabletop.jit import entry, kernel
from tabletop.rng import Generator, below, seed_generator

#: Positions kept in a bucket, continuations of each, and futures on which a plan is tried to the month's end.
WIDTH, TRIES, FUTURES = 16, 48, 16
#: Futures on which each answer to a single question is tried.
LOOKS = 8
#: What being near the win, standing well and a good economy are worth; and a game that is won.
PROGRESS, STANDING, ECONOMY, WON = 200.0, 0.75, 2.2, 1000.0
#: Choices in a plan.
LONGEST = 512
#: Where a game stands that is planned for, the copy on trial, and the plan's positions again.
ROOT, TRIAL, COPIES = 0, 1, 2


class Search(Beam):
    """What a thread plans with."""

    game: i4
    futures: i4
    looks: i4
    future: i8  # the seed of the first future that plans are compared on


class Plan:
    """What an agent keeps for one game."""

    rng: Array[i8] = shape(4)
    at: i4  # how far it is played
    n: i4
    action: Array[i2] = shape(LONGEST)
    trace: Array[i8] = shape(LONGEST, 2)  # the trace at which each choice is due


SEARCH, PLAN = dtype_of(Search), dtype_of(Plan)


@kernel
def worth(box: Box, s: State, search: Search, travel: Array[int]) -> float:
    """What a position is worth; in a campaign a challenge that is won counts as a game."""
    if s.result == c.WON or s.game > search.game:
        return WON
    if s.result == c.LOST:
        return -WON
    return nearness.value(box, s, search, travel)


@kernel
def draw_anew(target: Records[State], source: State, search: Search) -> None:
    """A copy with a future of its own, whose seed is noted."""
    search.seed = below(search, 1 << 30)
    look_ahead(target, source, search.seed)


@kernel
def look_ahead(target: Records[State], source: State, future: int) -> None:
    """A copy with the future of a seed."""
    target[0] = source
    target[0].manual_chance = 0
    seed_generator(target[0], future)


@kernel
def at_months_end(box: Box, s: State, trial: Records[State], search: Search, travel: Array[int]) -> float:
    """What a position is worth on average at the end of its month, if no more is done in it."""
    total = 0.0
    for i in range(search.futures):
        look_ahead(trial, s, search.future + i)
        continue_once(box, trial[0], search, True)
        total += worth(box, trial[0], search, travel)
    return total / search.futures


@kernel
def plan_month(
    box: Box,
    copies: Records[State],
    states: Records[State],
    slots: Records[Slot],
    ways: Records[Node],
    nodes: Records[Node],
    search: Search,
    travel: Array[int],
    plan: Plan,
    halt: Array[int],
) -> None:
    """Plans the rest of the month from where ``copies[ROOT]`` stands; no plan is made if it is halted."""
    plan.at, plan.n = 0, 0
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
                return
            node = begin_position(ways, nodes, search, k)
            at_turn = prompt(states[k]) == steps.TURN
            if at_turn and (bucket == 0 or promising(box, states[k])):
                v = at_months_end(box, states[k], trial, search, travel)
                if v > best_value:
                    best, best_value = node, v
            for i in range(search.tries * (OFTENER if bucket == LEFT else 1) if bucket > 0 else 0):
                draw_anew(trial, states[k], search)
                vary(search, i)
                reached = continue_once(box, trial[0], search, False)
                if 0 <= reached < LEFT:
                    judge(box, states, slots, ways, search, travel, trial[0], reached, k, node)
                elif reached in (LEFT, OVER):
                    v = worth(box, trial[0], search, travel)
                    if v > resort_value:
                        resort, resort_value = len(nodes) - 1, v
                        note_way(nodes, resort, search, node)
    write_plan(box, copies, nodes, best if best >= 0 else resort, plan)


@kernel
def note_way(nodes: Records[Node], i: int, search: Search, before: int) -> None:
    """The continuation in hand, as a node."""
    nodes[i].before, nodes[i].n, nodes[i].seed = before, search.n, search.seed
    for k in range(search.n):
        nodes[i].action[k] = search.action[k]


@kernel
def write_plan(box: Box, copies: Records[State], nodes: Records[Node], last: int, plan: Plan) -> None:
    """Plays the choices up to a node once more, and writes down where each is due."""
    plan.at, plan.n = 0, 0
    t = copies[TRIAL]
    copies[TRIAL] = copies[ROOT]
    t.manual_chance = 0
    length = 0
    node = last
    while node >= 0:
        length += 1
        node = int(nodes[node].before)
    for depth in range(length - 1, -1, -1):
        node = last
        for _ in range(depth):
            node = int(nodes[node].before)
        if nodes[node].before >= 0:
            seed_generator(t, nodes[node].seed)
        for i in range(nodes[node].n):
            if plan.n < LONGEST:
                plan.action[plan.n] = nodes[node].action[i]
                plan.trace[plan.n, 0], plan.trace[plan.n, 1] = t.trace[0], t.trace[1]
                plan.n += 1
                engine.choose(box, t, int(nodes[node].action[i]))


@kernel
def best_answer(box: Box, copies: Records[State], search: Search, travel: Array[int]) -> int:
    """The single choice after which the position is worth most."""
    search.game = copies[ROOT].game
    best, best_value = int(copies[ROOT].option[0]), -1e18
    for i in range(copies[ROOT].n_options):
        v = 0.0
        for _ in range(search.looks):
            draw_anew(copies[TRIAL : TRIAL + 1], copies[ROOT], search)
            engine.choose(box, copies[TRIAL], int(copies[ROOT].option[i]))
            v += worth(box, copies[TRIAL], search, travel)
        if v > best_value:
            best, best_value = int(copies[ROOT].option[i]), v
    return best


@kernel
def planned(s: State, plan: Plan) -> bool:
    """Whether the plan's next choice is due in a position."""
    i = int(plan.at)
    return (
        i < plan.n
        and plan.trace[i, 0] == s.trace[0]
        and plan.trace[i, 1] == s.trace[1]
        and engine.offered(s, int(plan.action[i]))
    )


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
    travel: Array[int],
    plan: Plan,
    halt: Array[int],
) -> int:
    """One choice for the seat that is asked: as planned, or thought of now."""
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
            answer = best_answer(box, copies, search, travel)
        else:
            plan_month(box, copies, states, slots, ways, nodes, search, travel, plan, halt)
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
    travel: Array[int],
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
            own = travel[s[i].box]
            out[i] = decide(box[s[i].box], s[i], copies, states, slots, ways, nodes, search[0], own, plan, halt)
            if i >= len(seeds):
                break
            engine.choose(box[s[i].box], s[i], out[i])


@entry
def potential_many(
    box: Records[Box], s: Records[State], search: Records[Search], travel: Array[int], out: Array[float]
) -> None:
    """What n positions are worth to reward shaping, also those of finished games, float32 (n,) from -1 to 1; a defeat
    before the last month is worth nothing."""
    for i in range(len(s)):
        fallen = s[i].result == c.LOST and s[i].cause not in (c.MET, c.OUT_OF_MONTHS)
        v = 0.0 if fallen else nearness.value(box[s[i].box], s[i], search[0], travel[s[i].box]) / 300.0
        out[i] = min(1.0, max(-1.0, v))


@kernel
def begin_plan(plan: Plan, seed: int) -> None:
    """No plan yet, and a generator apart from the game's."""
    plan.at, plan.n = 0, 0
    seed_generator(plan, seed + 0x91A7)


class _Work:
    """Room for one thread."""

    def __init__(self, width: int, tries: int, futures: int, looks: int) -> None:
        room = (LEFT + 1) * width
        self.search = np.zeros(1, SEARCH)
        one = self.search[0]
        one["width"], one["tries"], one["futures"], one["looks"] = width, tries, futures, looks
        one["progress"], one["standing"], one["economy"] = PROGRESS, STANDING, ECONOMY
        self.arrays = (np.zeros(COPIES, STATE), np.zeros(room, STATE), np.zeros(room, SLOT), np.zeros(room, NODE),
                       np.zeros(room + 1, NODE), self.search)  # fmt: skip


class Planner(Team):
    """The planner.

    Args:
        width, tries, futures, looks: how much it searches; the constants of this module.
        threads: by default all processors.

    Raises:
        ValueError: one of these is less than 1.
    """

    name = "planner"
    plan, games_a_thread = PLAN, 2

    def __init__(
        self, game: Game, width: int = WIDTH, tries: int = TRIES, futures: int = FUTURES, looks: int = LOOKS,
        threads: int | None = None,
    ) -> None:  # fmt: skip
        super().__init__(game, threads, width=width, tries=tries, futures=futures, looks=looks)
        self.travel = nearness.travel(game.box)
        self.work = [_Work(width, tries, futures, looks) for _ in range(self.threads)]
        self.halt = np.zeros(1, np.int8)  #: (1,), not 0 as soon as it is to give up a plan and choose anything
        self.reset(0)

    def write_choices(
        self, thread: int, states: Record, plans: NDArray[np.void], out: NDArray[np.int64], seeds: NDArray[np.int64]
    ) -> None:
        decide_many(self.box, states, *self.work[thread].arrays, self.travel, plans, out, seeds,
                    self.halt)  # fmt: skip

    def value(self, states: Record, out: NDArray[np.float32]) -> None:
        potential_many(self.box, states, self.work[0].search, self.travel, out)
