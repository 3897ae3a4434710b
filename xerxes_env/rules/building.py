"""Building (X-B), with Sogdia's power (X-S6)."""

from __future__ import annotations

from tabletop.jit import kernel
from tabletop.steps import option, pop, push, top
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env import steps
from xerxes_env.rules import events, paying
from xerxes_env.rules.setup import count
from xerxes_env.state import Box, State


@kernel
def may_build(box: Box, s: State, seat: int, building: int) -> bool:
    """X-B1: what nobody has built. X-B2: with a token left. X-B3: at its cost. X-S6: Sogdia also what another has."""
    owner = s.owner[building]
    takes = s.satrap[seat] == c.SOGDIA and s.power[seat] > 0 and owner != seat
    return bool(
        (owner == c.NONE or takes)
        and count(s.owner, seat) < c.TOKENS
        and not events.no_building(box, s, seat, building)
        and paying.enough(s, seat, box.building_cost[building])
    )


@kernel
def ask_build(box: Box, s: State) -> None:
    """X-B1, X-B7: one building, or none, in each of two passes."""
    seat = top(s, 0)
    option(s, a.DONE)
    for building in range(c.N_BUILDINGS):
        if may_build(box, s, seat, building):
            option(s, a.BUILDING + building)
    if paying.may_steal(box, s, seat):
        option(s, a.POWER)


@kernel
def answer_build(box: Box, s: State, action: int) -> None:
    seat, building = top(s, 0), action - a.BUILDING
    if action == a.POWER:
        push(s, steps.STEAL_FROM, seat)
        return
    pop(s)
    if action != a.DONE:
        push(s, steps.BUILT, seat, building)
        paying.begin(s, seat, box.building_cost[building])


@kernel
def run_built(box: Box, s: State) -> None:
    """X-B3: the token is put beside it. X-B4, X-B5, X-B6: its VP, and those that others lose."""
    seat, building = top(s, 0), top(s, 1)
    pop(s)
    if s.owner[building] != c.NONE:
        s.power[seat] = 0  # X-S0, X-S6
    s.owner[building] = seat
    s.vp[seat] += box.building_vp[building, s.round - 1]
    push(s, steps.HURT, seat, int(box.building_loss[building]))
