"""W1: the win conditions of the challenges (SAM-179 to SAM-198), and how far each is met."""

from __future__ import annotations

from typing import Any

from sammu_env import constants as c
from sammu_env.rules import pools
from tabletop.jit import kernel

LOCATIONS_N = len(c.LOCATIONS)
#: No unrest and no enemies are met at this figure, less one for each that is left.
PLENTY = 8


@kernel
def needed(box: Any, s: Any, row: int) -> int:
    """How much a row of the condition asks for; 0 where there is no such row."""
    condition = int(box.condition[s.challenge, row, 0])
    x, y, z = box.condition[s.challenge, row, 1], box.condition[s.challenge, row, 2], box.condition[s.challenge, row, 3]
    if condition == c.W_NONE:
        return 0
    if condition == c.W_GATES or condition == c.W_ADVISORS:
        return int(x)
    if condition == c.W_TOTAL_TOKENS:
        return int(y + z)
    if condition == c.W_BOTH_TOKENS:
        return int(y)
    if condition == c.W_AREA_TOKENS or condition == c.W_PLACE_TOKENS or condition == c.W_GOODS:
        return int(z)
    if condition == c.W_NO_UNREST or condition == c.W_NO_ENEMIES:
        return PLENTY
    return 1


@kernel
def reached(box: Any, s: Any, row: int) -> int:
    """How much of it there is, at most what is needed; met when equal."""
    condition = int(box.condition[s.challenge, row, 0])
    x, y, z = box.condition[s.challenge, row, 1], box.condition[s.challenge, row, 2], box.condition[s.challenge, row, 3]
    need = needed(box, s, row)
    if condition == c.W_NO_UNREST:
        return max(0, need - in_unrest(s))
    if condition == c.W_NO_ENEMIES:
        return max(0, need - int(box.enemy_total - s.enemy_pool))
    if condition == c.W_GATE:
        return int(s.gate[x])
    if condition == c.W_GATES:
        return min(need, gates(s))
    if condition == c.W_AREA_TOKENS:
        return min(need, pools.tokens_in(box, s, y, x))
    if condition == c.W_PLACE_TOKENS:
        return min(need, int(s.token[y, pools.place_of(box, y, x)]))
    if condition == c.W_TOTAL_TOKENS:
        return min(int(y), pools.on_map(box, s, x)) + min(int(z), areas_with(box, s, x))
    if condition == c.W_BOTH_TOKENS:
        return both(box, s, x, y, z)
    if condition == c.W_GOODS:
        return min(need, group_goods(s, x, y))
    if condition == c.W_ADVISORS_HOME:
        return everyone_at(box, s, x, y)
    return min(need, advisors(s))


@kernel
def in_unrest(s: Any) -> int:
    """Unrest markers on the map."""
    n = 0
    for location in range(LOCATIONS_N):
        n += s.unrest[location]
    return n


@kernel
def gates(s: Any) -> int:
    """Gates on the map."""
    n = 0
    for area in range(pools.AREAS_N):
        n += s.gate[area]
    return n


@kernel
def areas_with(box: Any, s: Any, kind: int) -> int:
    """Areas that hold a token of a kind."""
    n = 0
    for area in range(pools.AREAS_N):
        if pools.tokens_in(box, s, kind, area) > 0:
            n += 1
    return n


@kernel
def both(box: Any, s: Any, kind: int, n: int, areas: int) -> int:
    """SAM-194: tokens in some areas together, spread over all of them."""
    total, everywhere = 0, True
    for area in range(pools.AREAS_N):
        if areas >> area & 1:
            here = pools.tokens_in(box, s, kind, area)
            total += here
            everywhere &= here > 0
    return min(int(n), total) if everywhere else min(int(n) - 1, total)


@kernel
def group_goods(s: Any, group: int, good: int) -> int:
    """Goods of a kind on all cards of a group."""
    n = 0
    for who in range(pools.PEOPLE):
        if pools.in_group(s, who, group):
            n += s.good[who, good]
    return n


@kernel
def everyone_at(box: Any, s: Any, origin: int, area: int) -> int:
    """SAM-182: 1 when every advisor from an area is in play and in the other area."""
    for who in range(1, pools.PEOPLE):
        if box.home[who] == origin:
            if s.location[who] < 0 or box.zone[s.location[who]] != area:
                return 0
    return 1


@kernel
def advisors(s: Any) -> int:
    """Advisors in play."""
    n = 0
    for who in range(1, pools.PEOPLE):
        if s.status[who] == c.IN_PLAY:
            n += 1
    return n


@kernel
def met(box: Any, s: Any) -> bool:
    """Whether every row of the challenge's condition holds."""
    for row in range(len(box.condition[s.challenge])):
        if reached(box, s, row) < needed(box, s, row):
            return False
    return True
