"""Enemies who enter a location, battles, and the loss of a capital (rulebook pp. 18-21)."""

from __future__ import annotations

from sammu_env import actions, steps
from sammu_env import constants as c
from sammu_env.box import Box
from sammu_env.rules import pools
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top


@kernel
def enemy_strength(box: Box, s: State, location: int) -> int:
    """E6: an enemy counts 1, in an area with unrest 2 (pp. 18, 41)."""
    return 2 if pools.unrest_in(box, s, box.zone[location]) else 1


@kernel
def held(box: Box, s: State, location: int) -> bool:
    """Whether military, a character or anything that defends stands there: enemies must attack to come in."""
    if s.token[c.MILITARY, location] > 0 or pools.people_at(s, location):
        return True
    return s.token[c.DIVINER, location] > 0 and pools.defence(box, s, location) > 0


@kernel
def worth_defending(box: Box, s: State, location: int) -> bool:
    """Whether enemies who come in take something: military, a character, diviners; in a capital the gate, supply or
    medicine (E8).
    """
    if held(box, s, location) or s.token[c.DIVINER, location] > 0:
        return True
    area = int(box.zone[location])
    if box.is_capital[location] == 0 or s.enemy[location] > 0:
        return False
    return s.gate[area] + s.token[c.SUPPLY, area] + s.token[c.MEDICINE, area] > 0


@kernel
def diplomacy_stops(box: Box, s: State, location: int) -> bool:
    """E9: diplomacy on a location cancels the next attack on it; the marker goes back (p. 43)."""
    if s.diplomacy[location] == 0 or not worth_defending(box, s, location):
        return False
    s.diplomacy[location] -= 1
    s.marker_pool[c.DIPLOMACY] += 1
    return True


@kernel
def lose_capital(box: Box, s: State, area: int) -> None:
    """E8: supply, medicine, gate and diviners go; advisors at home there leave with what they have (p. 20).

    Karu or health on the area saves its supply or medicine here too (M8, M10).
    """
    pools.lose_supply(s, area)
    pools.lose_medicine(s, area)
    s.gate[area] = 0
    for who in range(1, pools.PEOPLE):
        if s.status[who] == c.IN_PLAY and box.home[who] == area:
            pools.leave_map(s, who, c.AWAY)


@kernel
def enemies_take(box: Box, s: State, location: int, n: int) -> None:
    """Enemies (already out of the pool) stand on a location: who is there dies, diviners go, a capital is lost.

    A capital that they hold already is not taken again (敵が首都を奪った場合, p. 20).
    """
    taken = s.enemy[location] == 0
    s.enemy[location] += n
    for who in range(pools.PEOPLE):
        if s.location[who] == location:
            pools.kill(s, who)
    pools.take_token(s, c.DIVINER, location, s.token[c.DIVINER, location])
    if taken and box.is_capital[location]:
        lose_capital(box, s, box.zone[location])


@kernel
def losses(mil: int, enemies: int, each: int) -> int:
    """Military lost when that much meets so many enemies of strength ``each``: one for one."""
    return min(int(mil), int(enemies) * int(each))


@kernel
def assault(box: Box, s: State, location: int, n: int) -> None:
    """E7: enemies (already out of the pool) attack: military and enemies go one for one, the rest take the place."""
    each = enemy_strength(box, s, location)
    lost = losses(s.token[c.MILITARY, location], n, each)
    fallen = min(int(n), lost // each)
    pools.take_token(s, c.MILITARY, location, lost)
    s.enemy_pool += fallen
    if lost > 0:
        push(s, steps.RECOVER, location, lost)
    if n > fallen:
        enemies_take(box, s, location, n - fallen)


@kernel
def add_enemies(box: Box, s: State, location: int, n: int) -> None:
    """C3: enemies are added; where you stand it is an attack that needs more strength than your defence (p. 22)."""
    n = min(int(n), int(s.enemy_pool))
    if n == 0:
        return
    if held(box, s, location):
        if n * enemy_strength(box, s, location) <= pools.defence(box, s, location):
            return
        if diplomacy_stops(box, s, location):
            return
        s.enemy_pool -= n
        assault(box, s, location, n)
    elif not diplomacy_stops(box, s, location):
        s.enemy_pool -= n
        enemies_take(box, s, location, n)


@kernel
def turned(box: Box, s: State, location: int, n: int) -> None:
    """O1: enemies stand where diviners stood, and the attack is resolved at once (p. 45), whatever the defence.

    Those who are not stronger than it are gone too, one military for each (C3, p. 22).
    """
    n = min(int(n), int(s.enemy_pool))
    if n == 0 or diplomacy_stops(box, s, location):
        return
    each = enemy_strength(box, s, location)
    if n * each > pools.defence(box, s, location):
        s.enemy_pool -= n
        assault(box, s, location, n)
        return
    lost = losses(s.token[c.MILITARY, location], n, each)
    pools.take_token(s, c.MILITARY, location, lost)
    if lost > 0:
        push(s, steps.RECOVER, location, lost)


@kernel
def enemies_can_step(box: Box, s: State, start: int, target: int) -> bool:
    """Whether one step by road takes enemies there: no plague here or there (M4), no area that asks for two steps."""
    return s.plague[start] == 0 and s.plague[target] == 0 and pools.step_cost(box, s, start, target) == 1


@kernel
def farthest(box: Box, area: int) -> int:
    """U5, C3, E5: the locations of an area, as bits, that are farthest from Kalhu."""
    last = int(box.zone_location[area, box.zone_n[area] - 1])
    places = 0
    for i in range(box.zone_n[area]):
        location = int(box.zone_location[area, i])
        if box.steps[location, c.KALHU] == box.steps[last, c.KALHU]:
            places |= 1 << location
    return places


@kernel
def add_enemies_in(box: Box, s: State, area: int, n: int) -> None:
    """C3: enemies are added at an area's location farthest from Kalhu; of several the team names one."""
    places = farthest(box, area)
    if pools.several(places):
        push(s, steps.ENEMY_PLACE, area, n, -1)
    else:
        add_enemies(box, s, pools.first_of(places), n)


@kernel
def ask_enemy_place(box: Box, s: State) -> None:
    """Which of the locations equally far from Kalhu; displaced enemies attack nobody (E5)."""
    if top(s, 2) >= 0:
        pools.offer_locations(s, open_to_displaced(box, s, top(s, 0)))
    elif s.enemy_pool > 0:
        pools.offer_locations(s, farthest(box, top(s, 0)))


@kernel
def answer_enemy_place(box: Box, s: State, location: int) -> None:
    """They stand there, or attack who stands there."""
    n, start = top(s, 1), top(s, 2)
    pop(s)
    if start >= 0:
        s.enemy[start] -= n
        enemies_take(box, s, location, n)
    else:
        add_enemies(box, s, location, n)


@kernel
def open_to_displaced(box: Box, s: State, area: int) -> int:
    """E5: the area's farthest locations, as bits, that nobody defends and where no plague lies.

    Diviners alone return to the board, as wherever enemies come in (p. 18).
    """
    places = farthest(box, area)
    for location in range(len(c.LOCATIONS)):
        if s.plague[location] > 0 or held(box, s, location):
            places &= ~(1 << location)
    return places


@kernel
def displace(box: Box, s: State, start: int, n: int) -> None:
    """E5: put on the area's location farthest from Kalhu, without attack.

    Those who stand on one already, or find none open, stay.
    """
    area = pools.area_at(box, start)
    if area < 0 or farthest(box, area) >> start & 1:
        return
    places = open_to_displaced(box, s, area)
    if places != 0:
        push(s, steps.ENEMY_PLACE, area, n, start)


@kernel
def adjoins(box: Box, s: State, here: int, there: int) -> bool:
    """Whether two places are the same, or adjacent: one step apart (glossary), this month too (SAM-055)."""
    return here == there or (box.steps[here, there] == 1 and pools.step_cost(box, s, here, there) == 1)


@kernel
def healer(box: Box, s: State, location: int, n: int) -> int:
    """Who brings back the next military after ``n``, standing on the location or next to it (Younan); else -1."""
    for who in range(pools.PEOPLE):
        if s.location[who] >= 0 and adjoins(box, s, s.location[who], location):
            most = int(box.ability[who, s.side[who], c.A_RECOVER_MILITARY])
            if n < most:
                return who
            n -= most
    return -1


@kernel
def recovery_place(box: Box, s: State, location: int, n: int) -> int:
    """Where the next military after ``n`` of those that fell on a location stands again: there, or with Younan where
    enemies hold that place; -1 where he is far, or enemies hold the capital of that area (N7).
    """
    who = healer(box, s, location, n)
    if who < 0:
        return -1
    place = int(s.location[who]) if s.enemy[location] > 0 else int(location)
    return -1 if pools.closed(box, s, place) else place


@kernel
def ask_recover(box: Box, s: State) -> None:
    """Younan, personal: up to two military lost in an attack here or next to him come back (SAM-003)."""
    if top(s, 1) == 0 or s.board[c.MILITARY] == 0 or recovery_place(box, s, top(s, 0), top(s, 2)) < 0:
        pop(s)
        return
    option(s, actions.DONE)
    option(s, actions.VERB + actions.V_YES)


@kernel
def answer_recover(box: Box, s: State, yes: bool) -> None:
    """One of them stands again."""
    if not yes:
        pop(s)
        return
    set_top(s, 1, top(s, 1) - 1)
    pools.add_token(s, c.MILITARY, recovery_place(box, s, top(s, 0), top(s, 2)), 1)
    set_top(s, 2, top(s, 2) + 1)


@kernel
def fight(box: Box, s: State, joins: int, start: int, target: int, mil: int, diviners: int) -> None:
    """A6: an army attacks from ``start``; one for one, swords first; who joins into a lost battle dies (p. 27).

    Baileet, side B, falls when the enemies beside her are gone and three military are left (SAM-015).
    """
    if joins >= 0:
        swords = min(int(s.has[joins, c.SWORD]), int(s.enemy[target]))
        s.enemy[target] -= swords
        s.enemy_pool += swords
    each = enemy_strength(box, s, target)
    enemies = int(s.enemy[target])
    lost = losses(mil, enemies, each)
    fallen = min(enemies, lost // each)
    s.enemy[target] -= fallen
    s.enemy_pool += fallen
    pools.take_token(s, c.MILITARY, start, lost)
    if lost > 0:
        push(s, steps.RECOVER, target, lost)
    if s.enemy[target] > 0:
        pools.take_token(s, c.MILITARY, start, mil - lost)
        pools.take_token(s, c.DIVINER, start, diviners)
        if joins >= 0:
            pools.kill(s, joins)
        return
    left = mil - lost
    if baileet_at(s, target) and left >= box.ability[c.BAILEET, c.SIDE_B, c.A_DEFENCE]:
        pools.leave_map(s, c.BAILEET, c.DEAD)
    s.token[c.MILITARY, start] -= left
    s.token[c.MILITARY, target] += left
    s.token[c.DIVINER, start] -= diviners
    s.token[c.DIVINER, target] += diviners
    if joins >= 0:
        s.location[joins] = target


@kernel
def baileet_at(s: State, location: int) -> bool:
    """Whether Baileet stands there on the side that can be killed."""
    return s.location[c.BAILEET] == location and s.side[c.BAILEET] == c.SIDE_B


@kernel
def worth_attacking(box: Box, s: State, start: int, target: int) -> bool:
    """Whether enemies, or Baileet, stand where military could go from ``start``, or she on ``start`` itself."""
    if s.plague[start] > 0 or s.plague[target] > 0 or banned(box, s, start, target):
        return False
    return (start != target and s.enemy[target] > 0) or baileet_at(s, target)


@kernel
def target_here(box: Box, s: State, start: int, target: int) -> bool:
    """Whether an army on ``start`` may attack ``target`` by road, or Baileet beside it."""
    if start != target and box.steps[start, target] != 1:
        return False
    return worth_attacking(box, s, start, target)


@kernel
def banned(box: Box, s: State, start: int, target: int) -> bool:
    """Whether an event keeps empire tokens from going between two locations (SAM-052, 053, 054)."""
    a, b = int(box.zone[start]), int(box.zone[target])
    if a == b:
        return False
    return (a < pools.AREAS_N and s.token_ban[a] > 0) or (b < pools.AREAS_N and s.token_ban[b] > 0)
