"""Oracle Baileet, whom nobody plays: in three events (side B) and in SAM-190 (side A), rulebook p. 45."""

from __future__ import annotations

from typing import Any

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env import steps
from sammu_env.actions import EVENT
from sammu_env.rules import battle, pools
from tabletop.jit import kernel
from tabletop.steps import option, pop, push

WHO = c.BAILEET
FAR = 1000


@kernel
def appear(box: Any, s: Any, location: int, side: int) -> None:
    """O1, O5: she comes, or comes back, and stands there."""
    s.status[WHO] = c.IN_PLAY
    s.side[WHO] = side
    enter(box, s, location)


@kernel
def enter(box: Any, s: Any, location: int) -> None:
    """Where she enters an area each of its diviners becomes two enemies, who attack at once (SAM-015).

    O2: diplomacy on the capital cancels that once.
    """
    s.location[WHO] = location
    zone = int(box.zone[location])
    if zone >= pools.AREAS_N:
        return
    capital = int(box.capital[zone])
    if s.diplomacy[capital] > 0 and diviners_in(box, s, zone):
        s.diplomacy[capital] -= 1
        s.marker_pool[c.DIPLOMACY] += 1
        return
    for i in range(box.zone_n[zone]):
        there = int(box.zone_location[zone, i])
        n = pools.take_token(s, c.DIVINER, there, s.token[c.DIVINER, there])
        if n > 0:
            battle.add_enemies(box, s, there, 2 * n)


@kernel
def diviners_in(box: Any, s: Any, zone: int) -> bool:
    """Whether there is anyone to turn."""
    for i in range(box.zone_n[zone]):
        if s.token[c.DIVINER, box.zone_location[zone, i]] > 0:
            return True
    return False


@kernel
def reveal(s: Any) -> None:
    """SAM-190: an unused event card says where she goes."""
    push(s, steps.DRAW_ORACLE)


@kernel
def ask_reveal(s: Any) -> None:
    """Chance: any event card not used yet."""
    for event in range(c.N_EVENTS):
        if s.event_at[event] == st.UNSEEN:
            option(s, EVENT + event)
    if s.n_options == 0:
        pop(s)


@kernel
def answer_reveal(box: Any, s: Any, event: int) -> None:
    """She moves to that area's capital."""
    pop(s)
    s.event_at[event] = st.SEEN
    appear(box, s, box.capital[box.event_area[event]], c.SIDE_A)


@kernel
def nearest_diviners(box: Any, s: Any, start: int) -> int:
    """The nearest location with diviners; then nearer Kalhu, then a capital; -1 with none."""
    best, best_score = -1, FAR * FAR
    for location in range(len(c.LOCATIONS)):
        if s.token[c.DIVINER, location] > 0:
            score = ranking(box, int(box.steps[start, location]), location)
            if score < best_score:
                best, best_score = location, score
    return best


@kernel
def ranking(box: Any, distance: int, location: int) -> int:
    """Smaller is chosen first: distance, steps to Kalhu, capital."""
    return distance * FAR + int(box.steps[location, c.KALHU]) * 2 + (0 if box.is_capital[location] else 1)


@kernel
def monthly_move(box: Any, s: Any) -> None:
    """Side B goes one step towards the nearest diviners in the enemy attack stage (SAM-076)."""
    pop(s)
    if s.status[WHO] != c.IN_PLAY or s.side[WHO] != c.SIDE_B:
        return
    start = int(s.location[WHO])
    target = nearest_diviners(box, s, start)
    if target < 0 or target == start:
        return
    best, best_score = -1, FAR * FAR
    for i in range(box.degree[start]):
        there = int(box.neighbour[start, i])
        score = ranking(box, int(box.steps[there, target]), there)
        if score < best_score:
            best, best_score = there, score
    enter(box, s, best)
