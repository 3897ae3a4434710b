"""A plan of a month: the choices up to the position that is worth most, without those that bring nothing.

Continuations of the beam are drawn at random, so some of what they do is of no use: a barter, a march and back. Each
thing that is done in a turn, from the last to the first, is left out where all the rest is still legal and the month is
worth no less without it.
"""

from __future__ import annotations

from sammu_env import actions as a
from sammu_env import engine, steps
from sammu_env.agents.beam import LOWEST, Node, fingerprint
from sammu_env.agents.outlook import Outlook, at_months_end
from sammu_env.agents.scripted import prompt
from sammu_env.agents.team import Drawn, begin_draws
from sammu_env.box import Box
from sammu_env.state import State
from tabletop.fields import Array, Records, i2, i4, i8, shape
from tabletop.jit import kernel
from tabletop.rng import seed_generator

#: Choices in a plan.
LONGEST = 512
#: Where a game stands that is planned for, the copy on trial, and one that looks ahead from there; where a plan ends,
#: and where the next month begins, with a copy on trial after it.
ROOT, TRIAL, AHEAD, END, NEXT = 0, 1, 2, 3, 4
COPIES = NEXT + TRIAL + 1
#: No draws anew.
SAME = -1


class Plan(Drawn):
    """What an agent keeps for one game."""

    at: i4  # how far it is played
    n: i4
    action: Array[i2] = shape(LONGEST)
    trace: Array[i8] = shape(LONGEST, 2)  # the trace at which each choice is due


class Search(Outlook):
    """What a thread plans with; besides, the choices that become a plan."""

    plans: i4  # of a month, of which one is taken
    ahead: i4  # futures on which the month after each is planned
    length: i4
    choice: Array[i2] = shape(LONGEST)
    draws: Array[i8] = shape(LONGEST)  # the seed of the draws from each choice on, or SAME
    at_turn: Array[i2] = shape(LONGEST)  # whether a turn asks for it
    left_out: Array[i2] = shape(LONGEST)


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
def begin_plan(plan: Plan, seed: int) -> None:
    """No plan yet, and a generator apart from the game's."""
    plan.at, plan.n = 0, 0
    begin_draws(plan, seed + 0x91A7)


@kernel
def copy_plan(target: Plan, source: Plan) -> None:
    """A plan from its beginning, without the generator."""
    target.at, target.n = 0, source.n
    for i in range(source.n):
        target.action[i] = source.action[i]
        target.trace[i, 0], target.trace[i, 1] = source.trace[i, 0], source.trace[i, 1]


@kernel
def draft(nodes: Records[Node], last: int, search: Search) -> None:
    """The choices up to a node."""
    search.length = 0
    ways, node = 0, last
    while node >= 0:
        ways += 1
        node = int(nodes[node].before)
    for way in range(ways - 1, -1, -1):
        node = last
        for _ in range(way):
            node = int(nodes[node].before)
        for i in range(min(int(nodes[node].n), LONGEST - int(search.length))):
            search.choice[search.length] = nodes[node].action[i]
            search.draws[search.length] = nodes[node].seed if i == 0 and nodes[node].before >= 0 else SAME
            search.left_out[search.length] = 0
            search.length += 1


@kernel
def play(box: Box, copies: Records[State], search: Search, plan: Plan) -> bool:
    """Plays the draft on ``copies[TRIAL]``, and writes down where each choice is due.

    Returns:
        whether all of it is legal.
    """
    plan.at, plan.n = 0, 0
    t = copies[TRIAL]
    copies[TRIAL] = copies[ROOT]
    t.manual_chance = 0
    for i in range(search.length):
        if search.draws[i] != SAME:
            seed_generator(t, search.draws[i])
        if search.left_out[i] == 0:
            if t.to_act < 0 or not engine.offered(t, int(search.choice[i])):
                return False
            if plan.n == i:  # nothing is left out so far: other prompts would be those of another draft
                search.at_turn[i] = 1 if prompt(t) == steps.TURN else 0
            plan.action[plan.n] = search.choice[i]
            plan.trace[plan.n, 0], plan.trace[plan.n, 1] = t.trace[0], t.trace[1]
            plan.n += 1
            engine.choose(box, t, int(search.choice[i]))
    return True


@kernel
def write_plan(box: Box, copies: Records[State], nodes: Records[Node], last: int, search: Search, plan: Plan) -> None:
    """The plan that leads to a node."""
    draft(nodes, last, search)
    play(box, copies, search, plan)


@kernel
def tidy(box: Box, copies: Records[State], search: Search, plan: Plan, v: float) -> None:
    """Leaves out what brings nothing of a plan after which a turn is asked for and the month is worth ``v``."""
    there = fingerprint(copies[TRIAL])
    for i in range(search.length - 1, -1, -1):
        if search.at_turn[i] > 0 and search.choice[i] != a.DONE:
            leave_out(search, i, 1)
            here, without = there, LOWEST
            if play(box, copies, search, plan) and turn_asked(copies[TRIAL]):
                here, without = fingerprint(copies[TRIAL]), v
                if here != there:
                    without = at_months_end(box, copies[TRIAL], copies[AHEAD : AHEAD + 1], search)
            if without < v:
                leave_out(search, i, 0)
            else:
                there, v = here, without
    play(box, copies, search, plan)


@kernel
def turn_asked(s: State) -> bool:
    """Whether it is somebody's turn."""
    return s.to_act >= 0 and prompt(s) == steps.TURN


@kernel
def leave_out(search: Search, i: int, out: int) -> None:
    """Leaves out, or takes back, an action that begins with a choice."""
    search.left_out[i] = out
    for k in range(i + 1, search.length):
        if search.at_turn[k] > 0:
            break
        search.left_out[k] = out
