"""Placement (X-P), with Bactria's power (X-S7)."""

from __future__ import annotations

from tabletop.jit import kernel
from tabletop.steps import option, pop, push, top
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env import steps
from xerxes_env.state import State


@kernel
def home_of(s: State, area: int) -> int:
    """The seat whose satrap's home an area is, or none."""
    for seat in range(s.players):
        if s.satrap[seat] == area:
            return seat
    return c.NONE


@kernel
def empty(s: State, place: int) -> bool:
    """X-P3: neither a worker nor a satrap is there. X-P4: homes of satraps not in play are ordinary areas."""
    return bool(s.worker[place] == c.NONE and home_of(s, place) == c.NONE)


@kernel
def any_empty_area(s: State) -> bool:
    for area in range(c.N_AREAS):
        if empty(s, area):
            return True
    return False


@kernel
def ask_place(s: State) -> None:
    """X-P1, X-P2, X-P3: an empty area or the empty turn-order space; there is no passing.

    X-S7: Bactria, once, an area with another's worker, if an empty area is left to move that to.
    """
    seat = top(s, 0)
    may_push = s.satrap[seat] == c.BACTRIA and s.power[seat] > 0 and any_empty_area(s)
    for place in range(c.PLACES):
        there = s.worker[place]
        if empty(s, place) or (may_push and place != c.ORDER_SPACE and there != c.NONE and there != seat):
            option(s, a.AREA + place)


@kernel
def answer_place(s: State, place: int) -> None:
    seat = top(s, 0)
    pop(s)
    if s.worker[place] != c.NONE:
        s.power[seat] = 0  # X-S0
        push(s, steps.PUSH_TO, seat, place)
        return
    s.worker[place] = seat


@kernel
def ask_push_to(s: State) -> None:
    """X-S7: Bactria moves the other's worker to another empty area, not to the turn-order space."""
    for area in range(c.N_AREAS):
        if empty(s, area):
            option(s, a.AREA + area)


@kernel
def answer_push_to(s: State, target: int) -> None:
    seat, area = top(s, 0), top(s, 1)
    pop(s)
    s.worker[target] = s.worker[area]
    s.worker[area] = seat
