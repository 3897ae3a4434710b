"""Stage 2: the enemies attack and move (pp. 17-20)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import steps
from sammu_env.box import Box
from sammu_env.rules import battle, pools
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import pop, push, set_top, top

ZONES_N = len(c.ZONES)
FAR = 1000
NEVER = 3 * FAR


@kernel
def run_enemy_zone(box: Box, s: State) -> None:
    """E1: the next of the twelve of the enemy order. Who stands there now moves in this turn, once."""
    i = top(s, 0)
    if i == ZONES_N:
        pop(s)
        return
    set_top(s, 0, i + 1)
    zone = int(box.enemy_order[i])
    anyone = False
    for j in range(box.zone_n[zone]):
        location = box.zone_location[zone, j]
        s.moving[location] = s.enemy[location]
        anyone |= s.enemy[location] > 0
    if anyone:
        push(s, steps.ENEMY_MOVE, zone)


@kernel
def run_enemy_move(box: Box, s: State) -> None:
    """E1: within a zone nearer Kalhu first; of equally near locations the team says which, if any of them attacks."""
    zone = top(s, 0)
    first = next_to_move(box, s, zone)
    if first == 0:
        pop(s)
    elif pools.several(first) and any_attacks(box, s, first):
        push(s, steps.ENEMY_ORDER, zone)
    else:
        set_out(box, s, pools.first_of(first))


@kernel
def next_to_move(box: Box, s: State, zone: int) -> int:
    """The locations of a zone, as bits, whose enemies are to move and that are nearest Kalhu, the capital first."""
    best, best_score = 0, FAR
    for i in range(box.zone_n[zone]):
        location = int(box.zone_location[zone, i])
        if min(s.moving[location], s.enemy[location]) == 0 or s.plague[location] > 0:
            continue
        score = nearness(box, location)
        if score < best_score:
            best, best_score = 0, score
        if score == best_score:
            best |= 1 << location
    return best


@kernel
def any_attacks(box: Box, s: State, places: int) -> bool:
    """Whether enemies of any of these locations, as bits, come where they take something: then the order counts."""
    for start in range(pools.LOCATIONS_N):
        if places >> start & 1:
            ways = ways_of(box, s, start, min(int(s.moving[start]), int(s.enemy[start])))
            for there in range(pools.LOCATIONS_N):
                if ways >> there & 1 and battle.worth_defending(box, s, there):
                    return True
    return False


@kernel
def set_out(box: Box, s: State, start: int) -> None:
    """The enemies of a location who have not moved yet do so."""
    n = min(int(s.moving[start]), int(s.enemy[start]))
    s.moving[start] = 0
    move(box, s, start, n)


@kernel
def ask_enemy_order(box: Box, s: State) -> None:
    """Whose enemies move first."""
    pools.offer_locations(s, next_to_move(box, s, top(s, 0)))


@kernel
def answer_enemy_order(box: Box, s: State, location: int) -> None:
    """They do."""
    pop(s)
    set_out(box, s, location)


@kernel
def move(box: Box, s: State, start: int, n: int) -> None:
    """E2-E5: all enemies of a location go as one: attack, or one step nearer Kalhu, or are displaced, or stay."""
    ways = ways_of(box, s, start, n)
    if pools.several(ways):
        push(s, steps.ENEMY_WAY, start, n)
    elif ways != 0:
        go(box, s, start, pools.first_of(ways), n)
    elif hemmed_in(box, s, start, n):
        battle.displace(box, s, start, n)


@kernel
def ways_of(box: Box, s: State, start: int, n: int) -> int:
    """E3, E4: where the enemies of a location go, as bits; several where nothing on the board tells them apart."""
    best, best_score = 0, NEVER
    for i in range(box.degree[start]):
        there = int(box.neighbour[start, i])
        score = preference(box, s, start, there, n)
        if score < best_score:
            best, best_score = 0, score
        if score == best_score and score < NEVER:
            best |= 1 << there
    return best


@kernel
def preference(box: Box, s: State, start: int, there: int, n: int) -> int:
    """E3: military weaker than the enemy comes first, then characters alone. E4: then an open place one step nearer
    Kalhu. Of equals the nearest Kalhu, the capital first. Smaller is better; NEVER: they do not go there.
    """
    if not battle.enemies_can_step(box, s, start, there):
        return NEVER
    if battle.held(box, s, there):
        if n * battle.enemy_strength(box, s, there) <= pools.defence(box, s, there):
            return NEVER
        return nearness(box, there) + (0 if s.token[c.MILITARY, there] > 0 else FAR)
    nearer = box.steps[there, c.KALHU] < box.steps[start, c.KALHU]
    return nearness(box, there) + 2 * FAR if nearer else NEVER


@kernel
def go(box: Box, s: State, start: int, target: int, n: int) -> None:
    """E3, E4, E7: they come in, fighting whom they meet, unless diplomacy stops them (E9)."""
    if not battle.diplomacy_stops(box, s, target):
        s.enemy[start] -= n
        battle.assault(box, s, target, n)


@kernel
def ask_enemy_way(box: Box, s: State) -> None:
    """Which of several equal ways the enemies take."""
    pools.offer_locations(s, ways_of(box, s, top(s, 0), top(s, 1)))


@kernel
def answer_enemy_way(box: Box, s: State, target: int) -> None:
    """They go there."""
    start, n = top(s, 0), top(s, 1)
    pop(s)
    go(box, s, start, target, n)


@kernel
def nearness(box: Box, location: int) -> int:
    """Smaller is nearer Kalhu; on a tie the capital is."""
    return int(box.steps[location, c.KALHU]) * 2 + (0 if box.is_capital[location] else 1)


@kernel
def hemmed_in(box: Box, s: State, start: int, n: int) -> bool:
    """E5: every neighbour is held by military (p. 18) of equal or greater strength; characters do not count."""
    for i in range(box.degree[start]):
        there = int(box.neighbour[start, i])
        if n * battle.enemy_strength(box, s, there) > s.token[c.MILITARY, there]:
            return False
    return True
