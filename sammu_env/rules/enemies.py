"""Stage 2: the enemies attack and move (pp. 17-20)."""

from __future__ import annotations

from typing import Any

from sammu_env import constants as c
from sammu_env import steps
from sammu_env.rules import battle, pools
from tabletop.jit import kernel
from tabletop.steps import pop, push, set_top, top

ZONES_N = len(c.ZONES)
FAR = 1000


@kernel
def next_zone(box: Any, s: Any) -> None:
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
        push(s, steps.ENEMY_MOVE, zone, 0)


@kernel
def next_location(box: Any, s: Any) -> None:
    """E1: within a zone nearer Kalhu first."""
    zone, j = top(s, 0), top(s, 1)
    if j == box.zone_n[zone]:
        pop(s)
        return
    set_top(s, 1, j + 1)
    location = int(box.zone_location[zone, j])
    n = min(int(s.moving[location]), int(s.enemy[location]))
    s.moving[location] = 0
    if n > 0 and s.plague[location] == 0:
        move(box, s, location, n)


@kernel
def move(box: Any, s: Any, start: int, n: int) -> None:
    """E2-E5: all enemies of a location go as one: attack, or one step nearer Kalhu, or are displaced, or stay."""
    target = prey(box, s, start, n)
    if target >= 0:
        if not battle.diplomacy_stops(box, s, target):
            s.enemy[start] -= n
            battle.assault(box, s, target, n)
        return
    target = way_to_kalhu(box, s, start)
    if target >= 0:
        if not battle.diplomacy_stops(box, s, target):
            s.enemy[start] -= n
            battle.enemies_take(box, s, target, n)
        return
    if hemmed_in(box, s, start, n):
        displace(box, s, start, n)


@kernel
def prey(box: Any, s: Any, start: int, n: int) -> int:
    """E3: whom the enemies of a location attack: military first, then characters; -1 for nobody."""
    target = weaker(box, s, start, n, True)
    return target if target >= 0 else weaker(box, s, start, n, False)


@kernel
def weaker(box: Any, s: Any, start: int, n: int, military: bool) -> int:
    """E3: a neighbour with military (or with characters alone) weaker than the enemy: nearest Kalhu, capital first."""
    best, best_score = -1, FAR
    for i in range(box.degree[start]):
        there = int(box.neighbour[start, i])
        if s.plague[there] > 0:
            continue
        if military:
            if s.token[c.MILITARY, there] == 0:
                continue
        elif s.token[c.MILITARY, there] > 0 or not battle.held(box, s, there):
            continue
        if n * battle.enemy_strength(box, s, there) > pools.defence(box, s, there):
            score = nearness(box, there)
            if score < best_score:
                best, best_score = there, score
    return best


@kernel
def nearness(box: Any, location: int) -> int:
    """Smaller is nearer Kalhu; on a tie the capital is."""
    return int(box.steps[location, c.KALHU]) * 2 + (0 if box.is_capital[location] else 1)


@kernel
def way_to_kalhu(box: Any, s: Any, start: int) -> int:
    """E4: an open neighbour one step nearer Kalhu; equal: the capital."""
    best, best_score = -1, FAR
    for i in range(box.degree[start]):
        there = int(box.neighbour[start, i])
        if box.steps[there, c.KALHU] >= box.steps[start, c.KALHU]:
            continue
        if s.plague[there] > 0 or battle.held(box, s, there):
            continue
        if nearness(box, there) < best_score:
            best, best_score = there, nearness(box, there)
    return best


@kernel
def hemmed_in(box: Any, s: Any, start: int, n: int) -> bool:
    """E5: every neighbour is held by military in equal or greater strength."""
    for i in range(box.degree[start]):
        there = int(box.neighbour[start, i])
        if s.token[c.MILITARY, there] == 0:
            return False
        if n * battle.enemy_strength(box, s, there) > pools.defence(box, s, there):
            return False
    return True


@kernel
def displace(box: Any, s: Any, start: int, n: int) -> None:
    """E5: put on the area's location farthest from Kalhu, without attack; where you stand there, they stay."""
    area = pools.area_at(box, start)
    if area < 0:
        return
    target = int(box.farthest[area])
    if target == start or s.plague[target] > 0 or battle.held(box, s, target):
        return
    s.enemy[start] -= n
    battle.enemies_take(box, s, target, n)
