"""Stages 6 and 7: the empire board, Sammu-ramat, the gates, and the outcome (pp. 31-34)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import steps
from sammu_env.actions import DONE, V_YES, VERB
from sammu_env.box import Box
from sammu_env.rules import conditions, markers, pools, setup
from sammu_env.rules.actions import special
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top


@kernel
def run_board_limits(box: Box, s: State) -> None:
    """R1: diviners, then supply, then military beyond what medicine, diviners and supply sustain are removed."""
    i = top(s, 0)
    if i == len(c.SUSTAINED_BY):
        pop(s)
        return
    set_top(s, 0, i + 1)
    kind, provider = c.SUSTAINED_BY[i]
    excess = pools.on_map(box, s, kind) - sustained(pools.on_map(box, s, provider))
    if excess > 0:
        push(s, steps.REMOVE_TOKEN, kind, -1, excess, 0)


@kernel
def sustained(n: int) -> int:
    """R1: the most tokens that so many of their provider sustain."""
    for least, most in c.SUSTAINED:
        if n >= least:
            return most
    return 0


@kernel
def run_tracks(box: Box, s: State) -> None:
    """R2: every track at 2 bags its red marker, then for every track at 1 a marker is drawn for this month's area."""
    pop(s)
    draws = 0
    for kind in range(pools.KINDS_N):
        n = pools.on_map(box, s, kind)
        if n == 2:
            pools.marker_to_bag(s, kind, 1)
        elif n == 1:
            draws += 1
    if draws > 0:
        push(s, steps.DRAW_MARKER, draws, s.event_area)


@kernel
def run_queen_check(box: Box, s: State) -> None:
    """R3: Sammu-ramat outside Assyria without any defence beside her suffers an attempt."""
    pop(s)
    location = int(s.location[c.SAMMU_RAMAT])
    if box.zone[location] != c.ASSYRIA and pools.defence(box, s, location) == 0:
        markers.assassinate(box, s)


@kernel
def ask_heal_queen(box: Box, s: State) -> None:
    """SAM-010, p. 32: Lilith where Sammu-ramat is may remove one marker now; ``last`` asks only if she would die."""
    if special.can_lift_assassination(box, s) and (top(s, 0) == 0 or s.assassination >= c.MAX_ASSASSINATIONS):
        option(s, DONE)
        option(s, VERB + V_YES)


@kernel
def answer_heal_queen(box: Box, s: State, yes: bool) -> None:
    """Once a month."""
    pop(s)
    if yes:
        special.lift_assassination(box, s)


@kernel
def lacks(box: Box, s: State, area: int, kind: int) -> bool:
    """R4: whether a gate would lack a kind of tokens: military and diviner in the capital, the others in the area."""
    return s.token[kind, pools.place_of(box, kind, box.capital[area])] == 0


@kernel
def gate_parts(box: Box, s: State, area: int) -> int:
    """R4: how many of the four kinds of tokens are there."""
    n = 0
    for kind in range(pools.KINDS_N):
        if not lacks(box, s, area, kind):
            n += 1
    return n


@kernel
def gate_stands(box: Box, s: State, area: int) -> bool:
    """R4: all four kinds of tokens are there, and neither plague nor unrest in the area."""
    if gate_parts(box, s, area) < pools.KINDS_N:
        return False
    return not pools.unrest_in(box, s, area) and not pools.plague_in(box, s, area)


@kernel
def run_gate_check(box: Box, s: State) -> None:
    """R4-R6, N8: the next area's gate is set with its advisors as long as there are gates, kept, or lost with them."""
    area = top(s, 0)
    if area == pools.AREAS_N:
        pop(s)
        return
    set_top(s, 0, area + 1)
    stands = gate_stands(box, s, area)
    if stands and s.gate[area] == 0:
        if conditions.gates(s) < box.gate_total:
            s.gate[area] = 1
            setup.bring_advisors(box, s, area)
    elif not stands and s.gate[area] > 0:
        s.gate[area] = 0
        for who in range(1, pools.PEOPLE):
            if s.status[who] == c.IN_PLAY and box.home[who] == area:
                pools.leave_map(s, who, c.AWAY)


@kernel
def run_outcome(box: Box, s: State) -> None:
    """W1, W2, W4: defeats first, then the challenge's condition, then the last month."""
    pop(s)
    cause = defeat(box, s)
    if cause != c.NO_CAUSE:
        pools.finish(s, c.LOST, cause)
    elif conditions.met(box, s):
        pools.finish(s, c.WON, c.MET)
    elif s.month == s.months:
        pools.finish(s, c.LOST, c.OUT_OF_MONTHS)
    else:
        s.month += 1
        s.previous_area = s.event_area
        s.event = -1
        s.event_area = -1
        setup.clear_month(s)
        setup.announce_next(s)


@kernel
def defeat(box: Box, s: State) -> int:
    """W2: what is lost at stage 7, or NO_CAUSE."""
    if pools.on_map(box, s, c.MEDICINE) == 0:
        return c.NO_MEDICINE
    if pools.on_map(box, s, c.SUPPLY) == 0:
        return c.NO_SUPPLY
    if pools.on_map(box, s, c.DIVINER) == 0:
        return c.NO_DIVINERS
    if pools.on_map(box, s, c.MILITARY) == 0:
        return c.NO_MILITARY
    gates = 0
    for area in range(pools.AREAS_N):
        gates += s.gate[area]
    if gates == 0:
        return c.NO_GATE
    if s.gate[c.ASSYRIA] == 0:
        return c.ASSYRIA_LOST
    if s.assassination >= c.MAX_ASSASSINATIONS:
        return c.QUEEN_ASSASSINATED
    return c.NO_CAUSE
