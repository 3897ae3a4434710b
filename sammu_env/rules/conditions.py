"""W1: the win conditions of the challenges (SAM-179 to SAM-198), and how far each is met."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env.box import Box
from sammu_env.rules import pools
from sammu_env.rules.pools import LOCATIONS_N
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.switch import of_rows, switch

#: No unrest and no enemies are met at this figure, less one for each that is left.
PLENTY = 8


@kernel
def needed(box: Box, s: State, row: int) -> int:
    """How much a row of the condition asks for; 0 where there is no such row."""
    wish = box.condition[s.challenge, row]
    return int(need(int(wish[0]), int(wish[1]), int(wish[2]), int(wish[3])))


@kernel
def reached(box: Box, s: State, row: int) -> int:
    """How much of it there is, at most what is needed; met when equal."""
    wish = box.condition[s.challenge, row]
    return min(needed(box, s, row), int(have(box, s, int(wish[0]), int(wish[1]), int(wish[2]), int(wish[3]))))


# What each condition asks for, where that is not its ``n`` or one, and how much of it there is


@kernel
def need_no_unrest() -> int:
    """All of it gone."""
    return PLENTY


@kernel
def have_no_unrest(s: State) -> int:
    """The less there is."""
    return max(0, PLENTY - in_unrest(s))


@kernel
def need_no_enemies() -> int:
    """All of them gone."""
    return PLENTY


@kernel
def have_no_enemies(box: Box, s: State) -> int:
    """The fewer there are."""
    return max(0, PLENTY - int(box.enemy_total - s.enemy_pool))


@kernel
def have_gate(s: State, area: int) -> int:
    """Whether it stands."""
    return int(s.gate[area])


@kernel
def have_gates(s: State) -> int:
    """Those on the map."""
    return gates(s)


@kernel
def have_area_tokens(box: Box, s: State, area: int, kind: int) -> int:
    """Those in the area."""
    return pools.tokens_in(box, s, kind, area)


@kernel
def have_place_tokens(box: Box, s: State, location: int, kind: int) -> int:
    """Those on the location; of supply and medicine those of its zone."""
    return int(s.token[kind, pools.place_of(box, kind, location)])


@kernel
def need_total_tokens(n: int, areas: int) -> int:
    """Tokens, and areas that hold one."""
    return n + areas


@kernel
def have_total_tokens(box: Box, s: State, kind: int, n: int, areas: int) -> int:
    """More of the one do not make up for the other."""
    return min(n, pools.on_map(box, s, kind)) + min(areas, areas_with(box, s, kind))


@kernel
def have_both_tokens(box: Box, s: State, kind: int, n: int, areas: int) -> int:
    """SAM-194: tokens in some areas together, spread over all of them."""
    total, everywhere = 0, True
    for area in range(pools.AREAS_N):
        if areas >> area & 1:
            here = pools.tokens_in(box, s, kind, area)
            total += here
            everywhere &= here > 0
    return min(int(n), total) if everywhere else min(int(n) - 1, total)


@kernel
def have_goods(s: State, group: int, good: int) -> int:
    """Those on the group's cards."""
    return group_goods(s, group, good)


@kernel
def have_advisors_home(box: Box, s: State, origin: int, area: int) -> int:
    """SAM-182: 1 when every advisor from an area is in play and in the other area."""
    for who in range(1, pools.PEOPLE):
        if box.home[who] == origin:
            if s.location[who] < 0 or box.zone[s.location[who]] != area:
                return 0
    return 1


@kernel
def have_advisors(s: State) -> int:
    """Those in play."""
    return advisors(s)


# Counts


@kernel
def in_unrest(s: State) -> int:
    """Unrest markers on the map."""
    n = 0
    for location in range(LOCATIONS_N):
        n += s.unrest[location]
    return n


@kernel
def gates(s: State) -> int:
    """Gates on the map."""
    n = 0
    for area in range(pools.AREAS_N):
        n += s.gate[area]
    return n


@kernel
def areas_with(box: Box, s: State, kind: int) -> int:
    """Areas that hold a token of a kind."""
    n = 0
    for area in range(pools.AREAS_N):
        if pools.tokens_in(box, s, kind, area) > 0:
            n += 1
    return n


@kernel
def group_goods(s: State, group: int, good: int) -> int:
    """Goods of a kind on all cards of a group."""
    n = 0
    for who in range(pools.PEOPLE):
        if pools.in_group(s, who, group):
            n += s.good[who, good]
    return n


@kernel
def advisors(s: State) -> int:
    """Advisors in play."""
    n = 0
    for who in range(1, pools.PEOPLE):
        if s.status[who] == c.IN_PLAY:
            n += 1
    return n


@kernel
def met(box: Box, s: State) -> bool:
    """Whether every row of the challenge's condition holds."""
    for row in range(len(box.condition[s.challenge])):
        if reached(box, s, row) < needed(box, s, row):
            return False
    return True


def _needs() -> dict[str, str]:
    """What each condition asks for: as its rule says, else its ``n``, else one."""
    special = of_rows("need", "c.W", c.CONDITION_ROWS, "", globals(), every=False)
    cases = {}
    for name, fields in c.CONDITION_ROWS[1:]:
        columns = {field.name: column for field, column in zip(fields, "xyz", strict=False)}
        number = f"c.W_{name.upper()}"
        cases[number] = "return " + special.get(number, columns.get("n", "1"))
    return cases


#: How much a row asks for: ``need(condition, x, y, z)``.
need = switch("need", "condition, x, y, z", "condition", _needs(), globals(), "return 0")
#: How much of it there is, or more: ``have(box, s, condition, x, y, z)``.
have = switch(
    "have", "box, s, condition, x, y, z", "condition",
    {number: f"return {call}" for number, call in of_rows("have", "c.W", c.CONDITION_ROWS, "box s", globals()).items()},
    globals(), "return 0",
)  # fmt: skip
