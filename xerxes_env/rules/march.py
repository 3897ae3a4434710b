"""March (X-M), places 2 and 3 of the turn order (X-N2, X-N3), Aegyptus' power (X-S1), and losses of others."""

from __future__ import annotations

from typing import Any

from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env import steps
from xerxes_env.state import Box, State


@kernel
def stands(s: State, seat: int, area: int) -> bool:
    """Whether a seat has a worker or its standing satrap in an area."""
    return bool(s.worker[area] == seat or (s.satrap[seat] == area and s.standing[seat] > 0))


@kernel
def leave(s: State, seat: int, area: int) -> None:
    """X-M4, X-G2: the worker is removed, the satrap laid down."""
    if s.worker[area] == seat:
        s.worker[area] = c.NONE
    else:
        s.standing[seat] = 0


@kernel
def begin(box: Box, s: State, seat: int, place: int) -> None:
    """X-M2, X-M6: the units at hand, each for one card a round: of areas, of tax cards (X-T3), of the event (X-E4) and
    of place 3 (X-N3). X-N2: place 2 may use all but one. X-M3: nothing is left of another round."""
    s.joker = box.event_units[s.event]
    if place == 2:
        s.joker += 1
    s.units_left = s.joker
    for unit in range(c.N_UNITS):
        s.tax_unit[unit] = 0
        s.at_hand[unit] = 0
    for card in range(c.N_TAX):
        if s.tax[card] == c.PLAYED + seat and box.tax_unit[card] >= 0:
            s.tax_unit[box.tax_unit[card]] += 1
    for area in range(c.N_AREAS):
        if stands(s, seat, area):
            s.at_hand[box.area_unit[area]] += 1
    for unit in range(c.N_UNITS):
        s.at_hand[unit] += s.tax_unit[unit]
        s.units_left += s.at_hand[unit]
    if place == 1 and s.units_left > 0:
        s.units_left -= 1


@kernel
def can_convert(s: State, seat: int) -> bool:
    """X-S1: Aegyptus still has its power."""
    return bool(s.satrap[seat] == c.AEGYPTUS and s.power[seat] > 0)


@kernel
def enough(s: State, owed: Any, converts: bool) -> bool:
    """Whether units owed, int[4], can be paid with those at hand."""
    short = spare = total = 0
    for unit in range(c.N_UNITS):
        total += owed[unit]
        short += max(0, owed[unit] - s.at_hand[unit])
        spare += max(0, s.at_hand[unit] - owed[unit])
    if converts and spare > 0:
        short -= 1
    return bool(short <= s.joker and total <= s.units_left)


@kernel
def ask_march(box: Box, s: State) -> None:
    """X-M1, X-M2: up to two march cards from the hand whose units are at hand."""
    seat = top(s, 0)
    if top(s, 1) == c.MARCHES:
        return
    option(s, a.DONE)
    for card in range(c.N_MARCH):
        if s.march[card] == c.HAND + seat and enough(s, box.march_unit[card], can_convert(s, seat)):
            option(s, a.MARCH + card)


@kernel
def answer_march(box: Box, s: State, action: int) -> None:
    seat, card = top(s, 0), action - a.MARCH
    if action == a.DONE:
        pop(s)
        return
    set_top(s, 1, top(s, 1) + 1)
    s.march[card] = c.PLAYED + seat
    for unit in range(c.N_UNITS):
        s.owed_unit[unit] = box.march_unit[card, unit]
    push(s, steps.MARCHED, seat)
    push(s, steps.SOURCE, seat, card)


@kernel
def owed_next(s: State) -> int:
    """The kind of unit that is paid next, or none."""
    for unit in range(c.N_UNITS):
        if s.owed_unit[unit] > 0:
            return unit
    return c.NONE


@kernel
def fits(s: State, seat: int, unit: int, source: int) -> bool:
    """Whether a unit of the kind ``source`` (none: any kind) may pay for one that is owed, and the rest can be paid."""
    converted = source != unit and source != c.NONE
    if converted and not can_convert(s, seat):
        return False
    spend(s, unit, source)
    good = enough(s, s.owed_unit, can_convert(s, seat) and not converted)
    spend(s, unit, source, -1)
    return good


@kernel
def spend(s: State, unit: int, source: int, n: int = 1) -> None:
    s.owed_unit[unit] -= n
    s.units_left -= n
    if source == c.NONE:
        s.joker -= n
    else:
        s.at_hand[source] -= n


@kernel
def ask_source(box: Box, s: State) -> None:
    """X-M2: a unit of the card is paid from an area with an own piece, from an own tax card, or with one of any kind.

    X-S1: Aegyptus may use one of another kind instead. Where all that there is must be used, nothing is to choose.
    """
    seat, unit, there = top(s, 0), owed_next(s), 0
    if unit == c.NONE:
        return
    for area in range(c.N_AREAS):
        if stands(s, seat, area) and fits(s, seat, unit, box.area_unit[area]):
            option(s, a.AREA + area)
            there += 1
    for source in range(c.N_UNITS):
        if s.tax_unit[source] > 0 and fits(s, seat, unit, source):
            option(s, a.UNIT + source)
            there += s.tax_unit[source]
    if s.joker > 0 and fits(s, seat, unit, c.NONE):
        option(s, a.JOKER)
        there += s.joker
    if there == s.owed_unit[unit]:
        s.n_options = 1


@kernel
def answer_source(box: Box, s: State, action: int) -> None:
    """X-M4: a unit of an area takes the piece away there. X-M6: what is used is gone for this round."""
    seat, unit, source = top(s, 0), owed_next(s), c.NONE
    if a.UNIT <= action < a.UNIT + c.N_UNITS:
        source = action - a.UNIT
        s.tax_unit[source] -= 1
    elif action != a.JOKER:
        source = int(box.area_unit[action - a.AREA])
        leave(s, seat, action - a.AREA)
    if source != unit and source != c.NONE:
        s.power[seat] = 0  # X-S0
    spend(s, unit, source)


@kernel
def run_marched(box: Box, s: State) -> None:
    """X-M5: +5 VP, and one player of choice loses 1."""
    seat = top(s, 0)
    pop(s)
    s.vp[seat] += box.march_vp
    push(s, steps.HURT, seat, int(box.march_loss))


@kernel
def ask_hurt(s: State) -> None:
    """X-M5, X-B5: VP that others lose, each of whom the player chooses; alone nobody."""
    if top(s, 1) > 0:
        for other in range(s.players):
            if other != top(s, 0):
                option(s, a.SEAT + other)


@kernel
def answer_hurt(s: State, other: int) -> None:
    """VP never fall below 0."""
    set_top(s, 1, top(s, 1) - 1)
    s.vp[other] = max(0, s.vp[other] - 1)
