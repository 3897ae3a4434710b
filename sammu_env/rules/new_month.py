"""Stage 1: unrest and plague spread, and the month's event is revealed (pp. 14-16)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env import steps
from sammu_env.actions import AREA, EVENT
from sammu_env.box import Box
from sammu_env.rules import markers, pools
from sammu_env.rules.effects import BANNER, TEXT
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top


@kernel
def begin_month(s: State) -> None:
    """A month starts with stage 1 (p. 13): where everybody is now counts for SAM-035, SAM-037 and SAM-049."""
    for who in range(pools.PEOPLE):
        s.began[who] = s.location[who]


@kernel
def run_spread(box: Box, s: State) -> None:
    """N1: the next area in enemy order spreads what its capital has."""
    area = top(s, 0)
    if area == pools.AREAS_N:
        pop(s)
        return
    if area == 0:
        set_top(s, 1, restless_capitals(box, s))
    set_top(s, 0, area + 1)
    capital = int(box.capital[area])
    if s.plague[capital] > 0:
        spread_plague(box, s, area)
    if s.unrest[capital] > 0 and top(s, 1) >> area & 1:
        spread_unrest(box, s, area)


@kernel
def restless_capitals(box: Box, s: State) -> int:
    """Areas, as bits, whose capital is in unrest as the stage begins: what only now arrives there does not spread."""
    areas = 0
    for area in range(pools.AREAS_N):
        areas |= int(s.unrest[box.capital[area]]) << area
    return areas


@kernel
def spread_plague(box: Box, s: State, area: int) -> None:
    """N2: plague in every location of the area burns out; else each settlement gets it."""
    full = True
    for i in range(box.zone_n[area]):
        if s.plague[box.zone_location[area, i]] == 0:
            full = False
    if full:
        markers.clear_plague(box, s, area)
        return
    for i in range(box.zone_n[area]):
        markers.place_plague(box, s, box.zone_location[area, i])


@kernel
def spread_unrest(box: Box, s: State, area: int) -> None:
    """N1, N3: each settlement gets unrest; what plague keeps out goes whole to the next area."""
    kept_out = 0
    for i in range(box.zone_n[area]):
        if markers.place_unrest(box, s, box.zone_location[area, i]) == markers.KEPT_OUT:
            kept_out += 1
    if kept_out > 0:
        markers.overflow(box, s, area, kept_out)


@kernel
def ask_draw_event(s: State) -> None:
    """Chance: any event not seen yet lies in the slot."""
    for event in range(c.N_EVENTS):
        if s.event_at[event] == st.UNSEEN:
            option(s, EVENT + event)


@kernel
def answer_draw_event(s: State, event: int) -> None:
    """The card in the slot is known."""
    s.slot[top(s, 0)] = event
    s.event_at[event] = st.KNOWN
    pop(s)


@kernel
def turn_up_event(s: State) -> None:
    """N4: the next card is turned up."""
    slot = int(s.month) - 1
    push(s, steps.REVEAL)
    if s.slot[slot] < 0:
        push(s, steps.DRAW_EVENT, slot)


@kernel
def run_reveal(box: Box, s: State) -> None:
    """N4, M12, O3: banner first, then text; religion on the card cancels both, but not Baileet's.

    Where the pile is used up the month has no event.
    """
    pop(s)
    pools.next_event(s)
    slot = int(s.month) - 1
    event = int(s.slot[slot])
    cancelled = s.slot_religion[slot] > 0
    s.marker_pool[c.RELIGION] += s.slot_religion[slot]
    s.slot_religion[slot] = 0
    if event < 0:
        return
    s.event_at[event] = st.SEEN
    s.event = event
    s.event_area = box.event_area[event]
    if cancelled and event < c.ORACLE_EVENTS[0]:
        return
    push(s, steps.EFFECTS, TEXT, event, 0, -1)
    if asks_assyria(box, event):
        push(s, steps.SHIFT_BANNER, event)
    else:
        push(s, steps.EFFECTS, BANNER, event, 0, -1)


@kernel
def asks_assyria(box: Box, event: int) -> bool:
    """Whether Assyria's banner asks for empire tokens."""
    if box.event_area[event] != c.ASSYRIA:
        return False
    for row in range(len(box.event_banner[event])):
        if box.event_banner[event, row, 0] == c.FX_TOKENS and box.event_banner[event, row, 3] < 0:
            return True
    return False


@kernel
def ask_shift_banner(s: State) -> None:
    """N5: Assyria bears its banner, or one other vassal area the whole of it (p. 15)."""
    for area in range(pools.AREAS_N):
        if area == c.ASSYRIA or s.gate[area] > 0:
            option(s, AREA + area)


@kernel
def answer_shift_banner(s: State, area: int) -> None:
    """That area bears the banner."""
    event = top(s, 0)
    pop(s)
    push(s, steps.EFFECTS, BANNER, event, 0, -1 if area == c.ASSYRIA else int(area))
