"""Events (X-E), with Babylonia's power (X-S2)."""

from __future__ import annotations

from tabletop.jit import kernel
from tabletop.steps import option, pop, top
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env.state import Box, State


@kernel
def ask_draw_event(s: State) -> None:
    """X-E1: the top event; used ones lie under the deck, and none comes twice."""
    for event in range(c.N_EVENTS):
        if s.event_seen[event] == 0:
            option(s, a.EVENT + event)


@kernel
def answer_draw_event(s: State, event: int) -> None:
    pop(s)
    s.phase, s.event = c.EVENT, event
    s.event_seen[s.event] = 1


@kernel
def forbids(box: Box, event: int) -> bool:
    return bool(box.event_no_resource[event] >= 0 or box.event_no_building[event] >= 0)


@kernel
def ask_ignore(box: Box, s: State) -> None:
    """X-S2: an event that forbids something need not count for Babylonia."""
    seat = top(s, 0)
    if s.satrap[seat] == c.BABYLONIA and s.power[seat] > 0 and forbids(box, s.event):
        option(s, a.DONE)
        option(s, a.POWER)


@kernel
def answer_ignore(s: State, action: int) -> None:
    seat = top(s, 0)
    pop(s)
    if action == a.POWER:
        s.power[seat] = 0  # X-S0
        s.ignores[seat] = 1


@kernel
def no_resource(box: Box, s: State, seat: int, resource: int) -> bool:
    """X-E2: the resource cannot be gained this round, from any source."""
    return bool(box.event_no_resource[s.event] == resource and s.ignores[seat] == 0)


@kernel
def no_building(box: Box, s: State, seat: int, building: int) -> bool:
    """X-E5: the building cannot be built this round."""
    return bool(box.event_no_building[s.event] == building and s.ignores[seat] == 0)
