"""Moving and carrying (5c, pp. 25-27)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import steps
from sammu_env.actions import CHARACTER, DONE, LOCATION, TOKEN, V_YES, VERB
from sammu_env.box import Box
from sammu_env.rules import battle, markers, pools
from sammu_env.rules.pools import LOCATIONS_N
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top

BASE_LOAD = 2
#: What a way must be open to.
NOTHING, TOKENS, WITH_MILITARY = range(3)


@kernel
def steps_of(s: State, who: int, base: int) -> int:
    """A3, T1: steps of one move action; mules add after the ability, events for the consulted."""
    n = int(base) + int(s.has[who, c.MULE])
    if s.consulted[who] >= 0:
        n += s.character_steps
        if who != c.SAMMU_RAMAT:
            n += s.advisor_steps
    return n


@kernel
def may_set_out(box: Box, s: State, who: int) -> bool:
    """Whether a character may leave where it stands: events, and plague for who has no medicine (M4)."""
    if s.frozen[who] > 0 or (s.move_limit >= 0 and s.moves[who] >= s.move_limit):
        return False
    return s.plague[s.location[who]] == 0 or pools.medicine_of(box, s, who) > 0


@kernel
def all_pass(box: Box, s: State, who: int, others: int, location: int) -> bool:
    """SAM-004: whether a character and those taken along (as bits) all go through."""
    if not markers.may_pass(box, s, who, location):
        return False
    if others > 0:
        for other in range(pools.PEOPLE):
            if others >> other & 1 and not markers.may_pass(box, s, other, location):
                return False
    return True


@kernel
def all_pass_enemies(box: Box, s: State, who: int, others: int) -> bool:
    """Whether enemies bar the way to none of them (SAM-005)."""
    for one in range(pools.PEOPLE):
        if (one == who or others >> one & 1) and box.ability[one, s.side[one], c.A_PASS_ENEMIES] == 0:
            return False
    return True


@kernel
def queens_road_open(box: Box, s: State, start: int, target: int) -> bool:
    """Whether this month's event leaves a stretch of the Queen's Road open."""
    if s.roads_closed > 0:
        return False
    if s.market_road_closed > 0 and (box.market[start] > 0 or box.market[target] > 0):
        return False
    a, b = int(box.zone[start]), int(box.zone[target])
    if a == b:
        return True
    return not ((a < pools.AREAS_N and s.road_closed[a] > 0) or (b < pools.AREAS_N and s.road_closed[b] > 0))


@kernel
def along_queens_road(
    box: Box, s: State, who: int, others: int, start: int, direction: int, cost: int, cargo: int
) -> int:
    """A3: the locations, as bits, that one step along the Queen's Road reaches that way at a cost."""
    reached = 0
    at = int(box.queens_road_at[start])
    here = int(start)
    while True:
        at += direction
        if at < 0 or at >= box.queens_road_n:
            return reached
        there = int(box.queens_road[at])
        if not queens_road_open(box, s, here, there) or not cargo_passes(box, s, here, there, cargo):
            return reached
        if pools.step_cost(box, s, start, there) == cost and all_pass(box, s, who, others, there):
            reached |= 1 << there
        if s.unrest[there] > 0 or s.plague[there] > 0:
            return reached
        if s.enemy[there] > 0 and not all_pass_enemies(box, s, who, others):
            return reached
        here = there


@kernel
def one_step(box: Box, s: State, who: int, others: int, start: int, cost: int, cargo: int) -> int:
    """Locations, as bits, one step of that cost away: by road, by the Queen's Road, by Apollonios's sea routes.

    The way is that of ``who``; all of it must be open to those taken along (``others``, as bits) and to the cargo.
    """
    reached = 0
    for i in range(box.degree[start]):
        there = int(box.neighbour[start, i])
        if pools.step_cost(box, s, start, there) == cost and all_pass(box, s, who, others, there):
            if cargo_passes(box, s, start, there, cargo):
                reached |= 1 << there
    if box.queens_road_at[start] >= 0:
        reached |= along_queens_road(box, s, who, others, start, 1, cost, cargo)
        reached |= along_queens_road(box, s, who, others, start, -1, cost, cargo)
    if box.sea[start] > 0 and box.ability[who, s.side[who], c.A_SEA_ROUTES] > 0:
        for there in range(LOCATIONS_N):
            if box.sea[there] > 0 and pools.step_cost(box, s, start, there) == cost:
                if all_pass(box, s, who, others, there) and cargo_passes(box, s, start, there, cargo):
                    reached |= 1 << there
    return reached


@kernel
def cargo_passes(box: Box, s: State, start: int, target: int, cargo: int) -> bool:
    """Whether what is carried may go that way: no token where an event bars it, no military in or out of plague."""
    if cargo == NOTHING:
        return True
    if battle.banned(box, s, start, target):
        return False
    return cargo != WITH_MILITARY or (s.plague[start] == 0 and s.plague[target] == 0)


@kernel
def passed(box: Box, s: State, who: int, others: int, start: int, n: int, cargo: int) -> int:
    """Every location, as bits, that so many steps with such company and cargo come through, the first one too."""
    seen = 1 << start
    last, before = seen, 0  # reached with exactly one step less, with two less
    for _ in range(n):
        fresh = 0
        for location in range(LOCATIONS_N):
            if last >> location & 1:
                fresh |= one_step(box, s, who, others, location, 1, cargo)
            if before >> location & 1:
                fresh |= one_step(box, s, who, others, location, 2, cargo)
        before = last
        last = fresh & ~seen
        seen |= fresh
    return seen


@kernel
def without_enemies(s: State, locations: int) -> int:
    """Those of some locations, as bits, where a move may end."""
    for location in range(LOCATIONS_N):
        if locations >> location & 1 and s.enemy[location] > 0:
            locations &= ~(1 << location)
    return locations


@kernel
def reach(box: Box, s: State, who: int, others: int, n: int, cargo: int) -> int:
    """A3: every location, as bits, where a move of so many steps with such company and cargo can end."""
    start = int(s.location[who])
    return without_enemies(s, passed(box, s, who, others, start, n, cargo)) & ~(1 << start)


@kernel
def crossings(box: Box, s: State, who: int, n: int, more: int) -> int:
    """SAM-055: where two move actions of one step, put together, end: in or out of the area that asks for two steps.

    ``more`` actions must be left besides the one that is paid, and the month must allow two moves.
    """
    if n != 1 or more < 1 or (s.move_limit >= 0 and s.moves[who] + 2 > s.move_limit):
        return 0
    for area in range(pools.AREAS_N):
        if s.double_steps[area] > 0:
            return without_enemies(s, one_step(box, s, who, 0, s.location[who], 2, NOTHING))
    return 0


@kernel
def can_move(box: Box, s: State, who: int, base: int, pairs: bool) -> bool:
    """Whether a move leads anywhere; ``pairs``: it is a move action, and may be put together with another."""
    if not may_set_out(box, s, who):
        return False
    n = steps_of(s, who, base)
    if n < 1:
        return False
    if stays_next_door(box, s, who) or reach(box, s, who, 0, n, NOTHING) != 0:
        return True
    return pairs and crossings(box, s, who, n, s.actions[who] - 1) != 0


@kernel
def stays_next_door(box: Box, s: State, who: int) -> bool:
    """Whether one step by road is a move: nearly always, and found without looking any further."""
    start = int(s.location[who])
    for i in range(box.degree[start]):
        there = int(box.neighbour[start, i])
        if pools.step_cost(box, s, start, there) == 1 and markers.may_stay(box, s, who, there):
            return True
    return False


@kernel
def ask_move(box: Box, s: State) -> None:
    """A3: where the move ends."""
    who, n, pairs = top(s, 0), top(s, 1), top(s, 2)
    reached = reach(box, s, who, 0, n, NOTHING)
    if pairs > 0:
        reached |= crossings(box, s, who, n, s.actions[who])
    for location in range(LOCATIONS_N):
        if reached >> location & 1:
            option(s, LOCATION + location)


@kernel
def answer_move(box: Box, s: State, target: int) -> None:
    """Then what is carried along. Two steps with one are two move actions put together (SAM-055)."""
    who, n = top(s, 0), top(s, 1)
    pop(s)
    if n == 1 and pools.step_cost(box, s, s.location[who], target) == 2:
        n = 2
        s.actions[who] -= 1
        s.moves[who] += 1
    push(s, steps.LOAD, who, s.location[who], target, n)


@kernel
def capacity_left(box: Box, s: State, who: int) -> bool:
    """A4, A14, T1: whether the load, wagons taken off it, is within what the character carries."""
    side = int(s.side[who])
    mil = max(0, int(s.load[c.MILITARY]) - 2 * int(s.has[who, c.MILITARY_WAGON]))
    others = max(0, int(s.load[c.DIVINER]) - 2 * int(s.has[who, c.DIVINER_WAGON]))
    others += max(0, int(s.load[c.SUPPLY]) - 2 * int(s.has[who, c.SUPPLY_WAGON]))
    others += max(0, int(s.load[c.MEDICINE]) - 2 * int(s.has[who, c.MEDICINE_WAGON]))
    for other in range(pools.PEOPLE):
        others += s.load_character[other]
    only = int(box.ability[who, side, c.A_MILITARY_ONLY])
    if only > 0:
        return mil <= only if others == 0 else mil == 0 and others <= BASE_LOAD
    return mil + others <= BASE_LOAD + box.ability[who, side, c.A_CARRY]


@kernel
def may_load(box: Box, s: State, who: int, kind: int, start: int, target: int) -> bool:
    """A4: whether one more token of a kind comes along."""
    place = pools.place_of(box, kind, start)
    if s.token[kind, place] <= s.load[kind]:
        return False
    if kind > c.DIVINER:
        if box.zone[start] == box.zone[target]:
            return False
        if pools.closed(box, s, start) or pools.closed(box, s, target):
            return False
    s.load[kind] += 1
    fits = capacity_left(box, s, who)
    s.load[kind] -= 1
    return fits


@kernel
def may_take_along(box: Box, s: State, who: int, other: int, start: int) -> bool:
    """SAM-004 personal: other characters are carried as tokens are, if they may leave."""
    if box.ability[who, s.side[who], c.A_CARRY_CHARACTERS] == 0 or other == who:
        return False
    if s.location[other] != start or s.load_character[other] > 0 or s.frozen[other] > 0:
        return False
    if s.plague[start] > 0 and pools.medicine_of(box, s, other) == 0:
        return False
    s.load_character[other] = 1
    fits = capacity_left(box, s, who)
    s.load_character[other] = 0
    return fits


@kernel
def company(s: State) -> int:
    """Who is taken along, as bits."""
    others = 0
    for other in range(pools.PEOPLE):
        if s.load_character[other] > 0:
            others |= 1 << other
    return others


@kernel
def cargo_of(s: State) -> int:
    """What a way must be open to for what is carried."""
    if s.load[c.MILITARY] > 0:
        return WITH_MILITARY
    return TOKENS if s.load[c.DIVINER] + s.load[c.SUPPLY] + s.load[c.MEDICINE] > 0 else NOTHING


@kernel
def plague_lies(box: Box, s: State) -> bool:
    """Whether there is plague anywhere on the map."""
    return bool(s.marker_pool[c.PLAGUE] + s.bag[c.PLAGUE] < box.marker_total[c.PLAGUE])


@kernel
def way_for(box: Box, s: State, who: int, others: int, target: int, n: int, cargo: int) -> bool:
    """Whether one way to the target is open to all; tokens alone have every way without plague and bans."""
    barred = others > 0 or plague_lies(box, s)
    for area in range(pools.AREAS_N):
        barred |= s.token_ban[area] > 0
    return not barred or reach(box, s, who, others, n, cargo) >> target & 1 == 1


@kernel
def ask_load(box: Box, s: State) -> None:
    """A4: one thing after another, then off."""
    who, start, target, n = top(s, 0), top(s, 1), top(s, 2), top(s, 3)
    others = company(s)
    for kind in range(pools.KINDS_N):
        cargo = WITH_MILITARY if kind == c.MILITARY or s.load[c.MILITARY] > 0 else TOKENS
        if may_load(box, s, who, kind, start, target) and way_for(box, s, who, others, target, n, cargo):
            option(s, TOKEN + kind)
    for other in range(pools.PEOPLE):
        if may_take_along(box, s, who, other, start):
            if way_for(box, s, who, others | 1 << other, target, n, cargo_of(s)):
                option(s, CHARACTER + other)
    option(s, DONE)


@kernel
def answer_load(box: Box, s: State, action: int) -> None:
    """Takes it along, or sets off."""
    if action >= TOKEN and action < TOKEN + pools.KINDS_N:
        s.load[action - TOKEN] += 1
    elif action != DONE:
        s.load_character[action - CHARACTER] = 1
    else:
        who, start, target, n = top(s, 0), top(s, 1), top(s, 2), top(s, 3)
        pop(s)
        if n > 1 and plague_lies(box, s) and vial_holder(s, who) >= 0:
            push(s, steps.ARRIVE, who, start, target)
            push(s, steps.VIAL_WAY, who, start, target, n)
        else:
            arrive(box, s, who, start, target)


@kernel
def vial_holder(s: State, who: int) -> int:
    """Somebody with a vial among a mover and those taken along, or -1."""
    for other in range(pools.PEOPLE):
        if (other == who or s.load_character[other] > 0) and s.has[other, c.VIAL] > 0:
            return other
    return -1


@kernel
def arrive(box: Box, s: State, who: int, start: int, target: int) -> None:
    """Everything in the load stands at the end of the move; a vial may clear plague there (T1)."""
    if s.plague[target] > 0 and vial_holder(s, who) >= 0:
        push(s, steps.VIAL, vial_holder(s, who))
    for kind in range(pools.KINDS_N):
        s.token[kind, pools.place_of(box, kind, start)] -= s.load[kind]
        s.token[kind, pools.place_of(box, kind, target)] += s.load[kind]
        s.load[kind] = 0
    s.load_character[who] = 1
    for other in range(pools.PEOPLE):
        if s.load_character[other] > 0:
            s.location[other] = target
            s.load_character[other] = 0
    s.moves[who] += 1


@kernel
def run_arrive(box: Box, s: State) -> None:
    """After the plague on the way."""
    who, start, target = top(s, 0), top(s, 1), top(s, 2)
    pop(s)
    arrive(box, s, who, start, target)


@kernel
def fewest_steps(box: Box, s: State, who: int, start: int, target: int, n: int) -> int:
    """Steps that the move in hand takes from one location to another, or out and back again; more than n: too far."""
    others, cargo = company(s), cargo_of(s)
    if start == target:
        return 2 if one_step(box, s, who, others, start, 1, cargo) != 0 else 4
    for k in range(1, n + 1):
        if passed(box, s, who, others, start, k, cargo) >> target & 1:
            return k
    return int(n) + 1


@kernel
def ask_vial_way(box: Box, s: State) -> None:
    """T1: which plague that is entered on the way is removed first; one way with all of them must lead to the end.

    Without steps left it is a flight (M2, M4), which comes by one location.
    """
    who, here, target, left = top(s, 0), top(s, 1), top(s, 2), top(s, 3)
    between = markers.between(box, s, who, here, target) if left == 0 else 0
    for location in range(LOCATIONS_N):
        if s.plague[location] > 0 and between >> location & 1:
            option(s, LOCATION + location)
        elif s.plague[location] > 0 and location != target:
            rest = left - fewest_steps(box, s, who, here, location, left)
            if rest > 0 and fewest_steps(box, s, who, location, target, rest) <= rest:
                option(s, LOCATION + location)
    if s.n_options == 0:
        pop(s)
    else:
        option(s, DONE)


@kernel
def answer_vial_way(box: Box, s: State, action: int) -> None:
    """From there the way goes on, or past all other plague."""
    if action == DONE:
        pop(s)
        return
    location = int(action) - LOCATION
    if top(s, 3) == 0:
        pop(s)
    else:
        set_top(s, 3, top(s, 3) - fewest_steps(box, s, top(s, 0), top(s, 1), location, top(s, 3)))
        set_top(s, 1, location)
    markers.cure(box, s, c.PLAGUE, location)


@kernel
def ask_vial(s: State) -> None:
    """T1: who enters with a vial may remove one plague there (pp. 46-47)."""
    if s.plague[s.location[top(s, 0)]] == 0:
        pop(s)
        return
    option(s, DONE)
    option(s, VERB + V_YES)


@kernel
def answer_vial(box: Box, s: State, yes: bool) -> None:
    """In the capital the whole area is cleared."""
    location = int(s.location[top(s, 0)])
    pop(s)
    if yes:
        markers.cure(box, s, c.PLAGUE, location)
