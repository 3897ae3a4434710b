"""Resources (X-G), and places 1 and 4 of the turn order (X-N1, X-N4)."""

from __future__ import annotations

from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env import steps
from xerxes_env.rules import events, march
from xerxes_env.state import Box, State


@kernel
def gain(box: Box, s: State, seat: int, resource: int, n: int) -> None:
    """X-G3: what does not fit on the mat is lost. X-E2: so is what the event forbids."""
    if not events.no_resource(box, s, seat, resource):
        n = min(n, box.limit - s.resource[seat, resource])
        s.resource[seat, resource] += n
        s.gained[seat, resource] += n


@kernel
def gather(box: Box, s: State, seat: int) -> None:
    """X-G1: each area with an own worker or standing satrap gives what is drawn there. X-G2: the piece leaves."""
    for area in range(c.N_AREAS):
        if march.stands(s, seat, area):
            for resource in range(c.N_RESOURCES):
                gain(box, s, seat, resource, int(box.area_resource[area, resource]))
            march.leave(s, seat, area)


@kernel
def ask_gain(box: Box, s: State) -> None:
    """X-E3, X-E6, X-N4: any resource that the event allows and the mat has room for, one by one."""
    seat = top(s, 0)
    if top(s, 1) > 0:
        for resource in range(c.N_RESOURCES):
            if s.resource[seat, resource] < box.limit and not events.no_resource(box, s, seat, resource):
                option(s, a.RESOURCE + resource)


@kernel
def answer_gain(box: Box, s: State, resource: int) -> None:
    set_top(s, 1, top(s, 1) - 1)
    gain(box, s, top(s, 0), resource, 1)


@kernel
def run_end_resources(s: State) -> None:
    """X-N1, X-N4: after all had their turn place 1 loses a resource, then place 4 gains one."""
    pop(s)
    if s.players > 3:
        push(s, steps.GAIN, int(s.order[3]), 1)
    push(s, steps.LOSE, int(s.order[0]))


@kernel
def ask_lose(s: State) -> None:
    """X-N1: one of choice among those gained this round."""
    seat = top(s, 0)
    for resource in range(c.N_RESOURCES):
        if s.gained[seat, resource] > 0:
            option(s, a.RESOURCE + resource)


@kernel
def answer_lose(s: State, resource: int) -> None:
    seat = top(s, 0)
    pop(s)
    s.resource[seat, resource] -= 1
    s.gained[seat, resource] -= 1
