"""Oracle Baileet, whom nobody plays: in three events (side B) and in SAM-190 (side A), rulebook p. 45."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env import steps
from sammu_env.actions import EVENT
from sammu_env.box import Box
from sammu_env.rules import battle, enemies, pools
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push

WHO = c.BAILEET
FAR = 1000
#: More than the diviners on any location.
FEW = 100


@kernel
def appear(box: Box, s: State, location: int, side: int) -> None:
    """O1, O5: she comes, or comes back, and stands there."""
    s.status[WHO] = c.IN_PLAY
    s.side[WHO] = side
    enter(box, s, location)


@kernel
def enter(box: Box, s: State, location: int) -> None:
    """Where she enters an area each of its diviners is replaced by two enemies, who attack at once (SAM-015, p. 45).

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
            battle.turned(box, s, there, 2 * n)


@kernel
def diviners_in(box: Box, s: State, zone: int) -> bool:
    """Whether there is anyone to turn."""
    for i in range(box.zone_n[zone]):
        if s.token[c.DIVINER, box.zone_location[zone, i]] > 0:
            return True
    return False


@kernel
def reveal(s: State) -> None:
    """SAM-190: an unused event card says where she goes."""
    push(s, steps.DRAW_ORACLE)


@kernel
def ask_draw_oracle(s: State) -> None:
    """Chance: any event card not used yet."""
    for event in range(c.N_EVENTS):
        if s.event_at[event] == st.UNSEEN:
            option(s, EVENT + event)
    if s.n_options == 0:
        pop(s)


@kernel
def answer_draw_oracle(box: Box, s: State, event: int) -> None:
    """She moves to that area's capital."""
    pop(s)
    s.event_at[event] = st.SEEN
    appear(box, s, box.capital[box.event_area[event]], c.SIDE_A)


@kernel
def nearest_diviners(box: Box, s: State, start: int) -> int:
    """The nearest locations with diviners, as bits: those with most; then nearest Kalhu, then a capital (SAM-076)."""
    best, best_score = 0, FAR * FAR
    for location in range(len(c.LOCATIONS)):
        n = int(s.token[c.DIVINER, location])
        if n > 0:
            score = (int(box.steps[start, location]) * FEW - n) * FAR + enemies.nearness(box, location)
            if score < best_score:
                best, best_score = 0, score
            if score == best_score:
                best |= 1 << location
    return best


@kernel
def ways_of(box: Box, s: State) -> int:
    """The neighbours, as bits, one step nearer the nearest diviners: nearest Kalhu, then a capital."""
    start = int(s.location[WHO])
    targets = nearest_diviners(box, s, start)
    best, best_score = 0, FAR
    for target in range(len(c.LOCATIONS)):
        if not targets >> target & 1:
            continue
        for i in range(box.degree[start]):
            there = int(box.neighbour[start, i])
            if box.steps[there, target] < box.steps[start, target] and pools.step_cost(box, s, start, there) == 1:
                score = enemies.nearness(box, there)
                if score < best_score:
                    best, best_score = 0, score
                if score == best_score:
                    best |= 1 << there
    return best


@kernel
def ask_oracle_way(box: Box, s: State) -> None:
    """Side B goes one step towards the nearest diviners in the enemy attack stage (SAM-076); of equal ways the team
    names one.
    """
    if s.status[WHO] == c.IN_PLAY and s.side[WHO] == c.SIDE_B:
        pools.offer_locations(s, ways_of(box, s))


@kernel
def answer_oracle_way(box: Box, s: State, location: int) -> None:
    """She goes there."""
    pop(s)
    enter(box, s, location)
