"""Rounds (X-R), their end and the game's (X-Z)."""

from __future__ import annotations

from tabletop.jit import kernel
from tabletop.steps import pop, push, set_top, top
from xerxes_env import constants as c
from xerxes_env import steps
from xerxes_env.rules import march, resources
from xerxes_env.rules.setup import count
from xerxes_env.state import Box, State


@kernel
def run_round(s: State) -> None:
    """X-R1: placement, event, march, resources, building, tax, turn order, end."""
    pop(s)
    push(s, steps.END_ROUND)
    push(s, steps.TURN_ORDER)
    push(s, steps.TURNS, c.TAX)
    push(s, steps.TURNS, c.BUILDING, 0, 1)
    push(s, steps.TURNS, c.BUILDING)
    push(s, steps.END_RESOURCES)
    push(s, steps.TURNS, c.RESOURCE)
    push(s, steps.TURNS, c.MARCH)
    push(s, steps.TURNS, c.EVENT)
    push(s, steps.DRAW_EVENT)
    push(s, steps.TURNS, c.PLACEMENT, 0, 1)
    push(s, steps.TURNS, c.PLACEMENT)


@kernel
def run_turns(box: Box, s: State) -> None:
    """X-R2: within a phase players act in turn order. X-P1, X-B1, X-B7: placement and building have two passes."""
    s.phase, place, s.second = top(s, 0), top(s, 1), top(s, 2)
    if place == s.players:
        pop(s)
        return
    set_top(s, 1, place + 1)
    seat = int(s.order[place])
    if s.phase == c.PLACEMENT:
        push(s, steps.PLACE, seat)
    elif s.phase == c.EVENT:
        push(s, steps.IGNORE, seat)
    elif s.phase == c.MARCH:
        march.begin(box, s, seat, place)
        push(s, steps.MARCH, seat)
    elif s.phase == c.RESOURCE:
        resources.gather(box, s, seat)
        push(s, steps.GAIN, seat, int(box.event_resources[s.event]))
    elif s.phase == c.BUILDING:
        push(s, steps.BUILD, seat)
    elif s.phase == c.TAX:
        push(s, steps.TAX, seat)


@kernel
def run_end_round(box: Box, s: State) -> None:
    """X-Z1: workers come back, satraps stand up, the year advances. X-Z2: unless the game is over."""
    pop(s)
    s.phase, s.second = c.END, 0
    over = s.round == c.ROUNDS
    for seat in range(s.players):
        if s.vp[seat] >= box.goal:
            over = True
    if over:
        end(box, s)
        return
    for place in range(c.PLACES):
        s.worker[place] = c.NONE
    for seat in range(s.players):
        s.standing[seat] = 1
        s.ignores[seat] = 0
        for r in range(c.N_RESOURCES):
            s.gained[seat, r] = 0
    s.event = c.NONE
    s.round += 1
    push(s, steps.ROUND)


@kernel
def tie_break(s: State, seat: int, which: int) -> int:
    """X-Z3: VP. X-Z4: then march cards played, buildings, tax cards played, resources left, power unused."""
    if which == 0:
        return int(s.vp[seat])
    if which == 1:
        return count(s.march, c.PLAYED + seat)
    if which == 2:
        return count(s.owner, seat)
    if which == 3:
        return count(s.tax, c.PLAYED + seat)
    if which == 4:
        total = 0
        for r in range(c.N_RESOURCES):
            total += s.resource[seat, r]
        return total
    return int(s.power[seat])


@kernel
def before(s: State, one: int, other: int) -> bool:
    """Whether one seat is placed before another. X-Z5: not, if all is tied."""
    for which in range(6):
        mine, theirs = tie_break(s, one, which), tie_break(s, other, which)
        if mine != theirs:
            return mine > theirs
    return False


@kernel
def end(box: Box, s: State) -> None:
    """X-Z3, X-Z4, X-Z5, X-Z6: ranks as all lies now. The winner is paid 1, who shares the win less, the others pay it;
    alone a player is paid 1 for the goal, else -1."""
    s.cause, winners = 1, 0
    for seat in range(s.players):
        s.rank[seat] = 1
        if s.vp[seat] >= box.goal:
            s.cause = 0
        for other in range(s.players):
            if before(s, other, seat):
                s.rank[seat] += 1
        if s.rank[seat] == 1:
            winners += 1
    for seat in range(s.players):
        if s.players == 1:
            s.paid[seat] = 1.0 if s.cause == 0 else -1.0
        elif winners == s.players:
            s.paid[seat] = 0.0
        elif s.rank[seat] == 1:
            s.paid[seat] = 1.0 / winners
        else:
            s.paid[seat] = -1.0 / (s.players - winners)
