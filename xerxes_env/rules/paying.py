"""What building and tax share: paying resources, Parthia's power (X-S4) and India's (X-S3)."""

from __future__ import annotations

from typing import Any

from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env import steps
from xerxes_env.rules import events
from xerxes_env.state import Box, State


@kernel
def missing(s: State, seat: int, cost: Any) -> int:
    """How many of the resources of a cost, int[6], are not on the mat."""
    n = 0
    for resource in range(c.N_RESOURCES):
        n += max(0, cost[resource] - s.resource[seat, resource])
    return n


@kernel
def spare(s: State, seat: int, cost: Any) -> int:
    """How many resources the mat has beyond a cost."""
    n = 0
    for resource in range(c.N_RESOURCES):
        n += max(0, s.resource[seat, resource] - cost[resource])
    return n


@kernel
def may_replace(s: State, seat: int) -> bool:
    """X-S4: Parthia still has its power."""
    return bool(s.satrap[seat] == c.PARTHIA and s.power[seat] > 0)


@kernel
def enough(s: State, seat: int, cost: Any) -> bool:
    """X-B3, X-T1: whether a seat can pay. X-S4: two may be replaced by others."""
    short = missing(s, seat, cost)
    return bool(short == 0 or (may_replace(s, seat) and short <= c.REPLACED and short <= spare(s, seat, cost)))


@kernel
def begin(s: State, seat: int, cost: Any) -> None:
    """A cost is paid next; Parthia may first replace something in it."""
    for resource in range(c.N_RESOURCES):
        s.owed[resource] = cost[resource]
    push(s, steps.PAY, seat)
    if may_replace(s, seat):
        push(s, steps.REPLACE, seat)


@kernel
def ask_replace(s: State) -> None:
    """X-S4: up to two resources are spent as others, in one payment: first what is missing, then any."""
    seat = top(s, 0)
    if top(s, 1) == c.REPLACED or spare(s, seat, s.owed) == 0:
        return
    short = missing(s, seat, s.owed)
    if short == 0:
        option(s, a.DONE)
    for resource in range(c.N_RESOURCES):
        others = spare(s, seat, s.owed) - max(0, s.resource[seat, resource] - s.owed[resource])
        wanted = s.owed[resource] > s.resource[seat, resource] if short > 0 else s.owed[resource] > 0
        if wanted and others > 0:
            option(s, a.RESOURCE + resource)
            if short > 0:
                return  # all that is missing must be replaced, in whatever order


@kernel
def answer_replace(s: State, action: int) -> None:
    if action == a.DONE:
        pop(s)
        return
    set_top(s, 1, top(s, 1) + 1)
    s.power[top(s, 0)] = 0  # X-S0
    push(s, steps.REPLACE_BY, top(s, 0), action - a.RESOURCE)


@kernel
def ask_replace_by(s: State) -> None:
    """X-S4: what is spent instead."""
    seat = top(s, 0)
    for resource in range(c.N_RESOURCES):
        if resource != top(s, 1) and s.resource[seat, resource] > s.owed[resource]:
            option(s, a.RESOURCE + resource)


@kernel
def answer_replace_by(s: State, resource: int) -> None:
    s.owed[top(s, 1)] -= 1
    s.owed[resource] += 1
    pop(s)


@kernel
def run_pay(s: State) -> None:
    """X-B3, X-T1: the resources are paid."""
    seat = top(s, 0)
    pop(s)
    for resource in range(c.N_RESOURCES):
        s.resource[seat, resource] -= s.owed[resource]
        s.owed[resource] = 0


@kernel
def can_take(box: Box, s: State, seat: int, other: int, resource: int) -> bool:
    """X-S3: a resource that the other has, the mat has room for and the event allows (X-E2, X-G3)."""
    return bool(
        other != seat
        and s.resource[other, resource] > 0
        and s.resource[seat, resource] < box.limit
        and not events.no_resource(box, s, seat, resource)
    )


@kernel
def can_rob(box: Box, s: State, seat: int, other: int) -> bool:
    for resource in range(c.N_RESOURCES):
        if can_take(box, s, seat, other, resource):
            return True
    return False


@kernel
def may_steal(box: Box, s: State, seat: int) -> bool:
    """X-S3: India still has its power, and somebody has something to take."""
    if s.satrap[seat] == c.INDIA and s.power[seat] > 0:
        for other in range(s.players):
            if can_rob(box, s, seat, other):
                return True
    return False


@kernel
def ask_steal_from(box: Box, s: State) -> None:
    """X-S3: India takes one resource from another player."""
    for other in range(s.players):
        if can_rob(box, s, top(s, 0), other):
            option(s, a.SEAT + other)


@kernel
def answer_steal_from(s: State, other: int) -> None:
    seat = top(s, 0)
    pop(s)
    s.power[seat] = 0  # X-S0
    push(s, steps.STEAL, seat, other)


@kernel
def ask_steal(box: Box, s: State) -> None:
    for resource in range(c.N_RESOURCES):
        if can_take(box, s, top(s, 0), top(s, 1), resource):
            option(s, a.RESOURCE + resource)


@kernel
def answer_steal(s: State, resource: int) -> None:
    seat, other = top(s, 0), top(s, 1)
    pop(s)
    s.resource[other, resource] -= 1
    s.resource[seat, resource] += 1
