"""How near a position is to the win: what the condition wishes for, and how far that has to come.

:func:`progress` shares the tokens on the map out among the wishes of the challenge's condition, the nearest first, so
that a token that is brought a step nearer already counts. :func:`value` adds how well the empire stands, and what it
will bring as long as there is time. The planner and the search with hindsight look for positions that are worth most.
"""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env.agents import scripted
from sammu_env.box import CONDITION_ROWS as ROWS
from sammu_env.box import A, Box, K, L
from sammu_env.rules import campaign, conditions, pools, resolve
from sammu_env.rules.actions import cards
from sammu_env.state import State
from tabletop.fields import Array, f8, i4, i8, shape
from tabletop.jit import kernel, lowest

#: Tokens that are wanted somewhere, at most; and steps that are counted, at most: what is farther is out of reach.
WISHES, FAR = 64, 8
#: What a wished token costs that is on the map elsewhere, for each step it has to come, that a card in hand would
#: bring, and that is nowhere.
ELSEWHERE, STEP, IN_HAND, NOWHERE = 0.25, 0.12, 1.2, 1.6
#: What the part of the condition that is met least counts beside the mean of all, and the mean's square.
LEAST, SQUARE = 0.7, 0.45


class Nearness:
    """Part of a search's record: the weights of a position's parts, and scratch for what is wished for."""

    progress: f8
    standing: f8
    economy: f8
    patience: f8  # 0: being near the win is worth the same in all months; else less in the first
    lasting: f8  # in a campaign: how much more the empire's standing counts, which has to last
    to_come: f8  # in a campaign: what the time of each challenge to come counts beside that of the present one
    wishes: i4
    row: Array[i4] = shape(WISHES)
    kind: Array[i4] = shape(WISHES)
    at: Array[i4] = shape(WISHES)  # location; of an area its capital
    zone: Array[i4] = shape(WISHES)  # any location of this area will do, or -1
    lacking: Array[i4] = shape(WISHES)
    free: Array[i4] = shape(L)  # tokens of a kind that nobody wishes where they are
    coming: Array[i4] = shape(K)  # tokens that cards in hand would bring
    barred: i8  # locations, as bits, that bar the way, and where enemies do, for which steps are known; and the box
    barred_box: i4
    known: i8  # locations, as bits, to which the steps from everywhere are known
    ring: Array[i4] = shape(L, FAR)  # locations, as bits, from which it is so many steps to one
    cost: Array[f8] = shape(ROWS + 1)
    units: Array[f8] = shape(ROWS + 1)
    merit: Array[f8] = shape(A)
    chosen: Array[i4] = shape(A)


@kernel
def progress(box: Box, s: State, search: Nearness) -> float:
    """How far the condition is met, at most 1; what is not there counts the less the farther it has to come.

    All of it has to be met: so the part that is met least counts besides, and each step the more the nearer the win.
    """
    search.wishes = 0
    forget_steps(s, search)
    search.cost[:] = 0.0
    search.units[:] = 0.0
    count_cards(box, s, search)
    wish_gate(box, s, search, ROWS, c.ASSYRIA)
    for row in range(ROWS):
        if conditions.needed(box, s, row) > 0:
            wish(box, s, search, row)
    for kind in range(K):
        bring(box, s, search, kind)
    total, rows, least = 0.0, 0, 1.0
    for row in range(ROWS):
        if search.units[row] > 0:
            share = 1.0 - search.cost[row] / search.units[row]
            rows += 1
            total += share
            least = min(least, share)
    mean = total / max(1, rows)
    met = (mean + LEAST * least + SQUARE * mean * mean) / (1.0 + LEAST + SQUARE)
    return met - 0.13 * search.cost[ROWS]


@kernel
def forget_steps(s: State, search: Nearness) -> None:
    """Forgets the steps that are known, if others than before bar the way, or enemies do where unrest or plague did
    (or the reverse), or the box is another."""
    barred = 0
    for location in range(L):
        if not is_open(s, location):
            barred |= 1 << location
        if s.enemy[location] > 0:
            barred |= 1 << (L + location)
    if barred != search.barred or s.box != search.barred_box:
        search.barred, search.barred_box, search.known = barred, s.box, 0


@kernel
def count_steps(box: Box, s: State, search: Nearness, target: int) -> None:
    """``search.ring[target]``: from where it is so many steps to a location, by road and by the Queen's Road, as
    enemies, unrest and plague bar them now; from nowhere else there is a way of less than FAR. Nobody comes to enemies
    by the Queen's Road (A6). Abilities and the month's event do not count."""
    if int(search.known) >> target & 1 == 0:
        search.known |= 1 << target
        search.ring[target, :] = 0
        barred = int(search.barred)
        last, seen = 1 << target, 1 << target
        for distance in range(FAR):
            search.ring[target, distance] = last
            left, fresh = last & ~barred | (last if distance == 0 else 0), 0
            while left:
                here = lowest(left)
                for i in range(box.degree[here]):
                    fresh |= 1 << int(box.neighbour[here, i])
                if box.queens_road_at[here] >= 0 and barred >> (L + here) & 1 == 0:
                    fresh |= road_from(box, barred, here, 1) | road_from(box, barred, here, -1)
                left &= left - 1
            last = fresh & ~seen
            seen |= last
            if last == 0:
                break


@kernel
def steps_to(search: Nearness, target: int, start: int) -> int:
    """Steps to a location of which they are counted; FAR where there is no way."""
    for distance in range(FAR):
        if search.ring[target, distance] >> start & 1:
            return distance
    return FAR


@kernel
def is_open(s: State, location: int) -> bool:
    """Whether nothing bars the way through a location."""
    return s.enemy[location] == 0 and s.unrest[location] == 0 and s.plague[location] == 0


@kernel
def road_from(box: Box, barred: int, start: int, direction: int) -> int:
    """Locations, as bits, one step along the Queen's Road away."""
    there, at = 0, int(box.queens_road_at[start]) + direction
    while 0 <= at < box.queens_road_n:
        location = int(box.queens_road[at])
        there |= 1 << location
        if barred >> location & 1:
            break
        at += direction
    return there


@kernel
def wish(box: Box, s: State, search: Nearness, row: int) -> None:
    """Notes what a row of the condition wishes for, or at once what it costs that it is not met."""
    condition = int(box.condition[s.challenge, row, 0])
    x, y = int(box.condition[s.challenge, row, 1]), int(box.condition[s.challenge, row, 2])
    z = int(box.condition[s.challenge, row, 3])
    if condition == c.W_GATE:
        wish_gate(box, s, search, row, x)
    elif condition == c.W_GATES:
        wish_gates(box, s, search, row, x)
    elif condition == c.W_ADVISORS:
        wish_advisors(box, s, search, row, x)
    elif condition == c.W_AREA_TOKENS:
        wish_tokens(search, row, y, int(box.capital[x]), x, z)
        search.units[row] += z
    elif condition == c.W_PLACE_TOKENS:
        area = int(box.zone[x]) if y > c.DIVINER and box.zone[x] < A else -1
        wish_tokens(search, row, y, x, area, z)
        search.units[row] += z
        search.cost[row] += 0.1 * s.enemy[x]
    elif condition == c.W_BOTH_TOKENS:
        wish_both(box, s, search, row, x, y, z)
        search.units[row] += y
    elif condition == c.W_TOTAL_TOKENS:
        wish_total(box, s, search, row, x, y, z)
    elif condition == c.W_GOODS:
        wish_goods(s, search, row, x, y, z)
    elif condition == c.W_ADVISORS_HOME:
        wish_home(box, s, search, row, x, y)
    elif condition == c.W_NO_UNREST:
        search.units[row] = 4.0
        for location in range(L):
            if s.unrest[location] > 0:
                n = max(0, 3 - pools.defence(box, s, location))
                search.cost[row] += 1.0 + gather(box, s, search, location, n)
    elif condition == c.W_NO_ENEMIES:
        wish_no_enemies(box, s, search, row)


@kernel
def wish_tokens(search: Nearness, row: int, kind: int, at: int, zone: int, n: int) -> None:
    """Tokens of a kind on a location, or (``zone`` >= 0) anywhere in an area."""
    i = int(search.wishes)
    if i < WISHES and n > 0:
        search.row[i] = row
        search.kind[i] = kind
        search.at[i] = at
        search.zone[i] = zone
        search.lacking[i] = n
        search.wishes = i + 1


@kernel
def wish_gate(box: Box, s: State, search: Nearness, row: int, area: int) -> None:
    """A gate: one token of each kind, no enemies in the capital, neither unrest nor plague in the area."""
    capital = int(box.capital[area])
    for kind in range(K):
        wish_tokens(search, row, kind, capital, area if kind > c.DIVINER else -1, 1)
    search.units[row] += K
    search.cost[row] += 0.3 * min(3, int(s.enemy[capital]))
    if pools.unrest_in(box, s, area) or pools.plague_in(box, s, area):
        search.cost[row] += 0.7


@kernel
def merit(box: Box, s: State, area: int) -> float:
    """How near a gate is to standing."""
    if s.gate[area] > 0 or resolve.gate_stands(box, s, area):
        return 10.0
    troubled = pools.unrest_in(box, s, area) or pools.plague_in(box, s, area)
    return resolve.gate_parts(box, s, area) - 0.5 * s.enemy[box.capital[area]] - (1.0 if troubled else 0.0)


@kernel
def wish_gates(box: Box, s: State, search: Nearness, row: int, n: int) -> None:
    """So many gates: those that are nearest to standing."""
    search.chosen[:] = 0
    for area in range(A):
        search.merit[area] = merit(box, s, area)
    for _ in range(n):
        best = -1
        for area in range(A):
            if search.chosen[area] == 0 and (best < 0 or search.merit[area] > search.merit[best]):
                best = area
        search.chosen[best] = 1
        wish_gate(box, s, search, row, best)


@kernel
def absent(box: Box, s: State, area: int) -> int:
    """Advisors that a gate in an area would bring."""
    n = 0
    for who in range(1, pools.PEOPLE):
        if box.home[who] == area and (s.status[who] == c.OUT or s.status[who] == c.AWAY):
            n += 1
    return n


@kernel
def wish_advisors(box: Box, s: State, search: Nearness, row: int, n: int) -> None:
    """So many advisors in play: the gates that stand, and the nearest that would bring the others."""
    there = conditions.advisors(s)
    search.units[row] = n
    search.cost[row] = max(0, n - there)
    search.chosen[:] = 0
    for area in range(A):
        search.merit[area] = merit(box, s, area) + 0.5 * absent(box, s, area)
        if s.gate[area] > 0:
            search.chosen[area] = 1
            wish_gate(box, s, search, row, area)
    while there < n:
        best, most = -1, -100.0
        for area in range(A):
            if search.chosen[area] == 0 and search.merit[area] > most and absent(box, s, area) > 0:
                best, most = area, float(search.merit[area])
        if best < 0:
            return
        search.chosen[best] = 1
        there += absent(box, s, best)
        wish_gate(box, s, search, row, best)


@kernel
def wish_both(box: Box, s: State, search: Nearness, row: int, kind: int, n: int, areas: int) -> None:
    """SAM-194: tokens in some areas together, spread over all of them; what is missing goes to the first."""
    first, left = -1, int(n)
    for area in range(A):
        if areas >> area & 1:
            first = area if first < 0 else first
            here = min(left, max(1, pools.tokens_in(box, s, kind, area)))
            wish_tokens(search, row, kind, int(box.capital[area]), area, here)
            left -= here
    wish_tokens(search, row, kind, int(box.capital[first]), first, left)


@kernel
def wish_total(box: Box, s: State, search: Nearness, row: int, kind: int, n: int, areas: int) -> None:
    """Tokens on the map, spread over areas, and what the empire board asks for to keep them (R1)."""
    search.units[row] = n + areas
    lacking = max(0, n - pools.on_map(box, s, kind))
    soon = min(lacking, int(search.coming[kind]))
    search.coming[kind] -= soon
    search.cost[row] = IN_HAND * soon + NOWHERE * (lacking - soon)
    search.cost[row] += max(0, areas - conditions.areas_with(box, s, kind))
    search.cost[row] += 0.9 * unsupported(box, s, kind, n)


@kernel
def unsupported(box: Box, s: State, kind: int, n: int) -> int:
    """R1: tokens of other kinds that the empire board asks for before so many of a kind may stay."""
    if n <= 10 or kind == c.MEDICINE:
        return 0
    if kind == c.DIVINER:
        return max(0, 6 - pools.on_map(box, s, c.MEDICINE))
    diviners = max(0, 6 - pools.on_map(box, s, c.DIVINER))
    if kind == c.SUPPLY:
        return diviners
    if n <= 15:
        return max(0, 6 - pools.on_map(box, s, c.SUPPLY))
    return diviners + max(0, 11 - pools.on_map(box, s, c.SUPPLY))


@kernel
def wish_goods(s: State, search: Nearness, row: int, group: int, good: int, n: int) -> None:
    """Goods on the cards of a group; those of Sammu-ramat and goods of other kinds may be exchanged for them."""
    here, others = 0, 0
    for who in range(pools.PEOPLE):
        if s.status[who] == c.IN_PLAY:
            if pools.in_group(s, who, group):
                here += int(s.good[who, good])
                others += pools.goods_of(s, who) - int(s.good[who, good])
            else:
                others += pools.goods_of(s, who)
    lacking = max(0, n - here)
    search.units[row] = n
    search.cost[row] = lacking - 0.3 * min(lacking, others / 2.0)


@kernel
def wish_home(box: Box, s: State, search: Nearness, row: int, origin: int, area: int) -> None:
    """SAM-182: every advisor of an area in another; who is not in play needs the gate at home first."""
    count_steps(box, s, search, int(box.capital[area]))
    for who in range(1, pools.PEOPLE):
        if box.home[who] == origin:
            search.units[row] += 3.0
            if s.location[who] < 0:
                search.cost[row] += 2.0
            elif box.zone[s.location[who]] != area:
                search.cost[row] += 0.6 + 0.15 * steps_to(search, int(box.capital[area]), int(s.location[who]))
    if s.gate[origin] == 0 and search.cost[row] > 0:
        units = float(search.units[row])
        wish_gate(box, s, search, row, origin)
        search.units[row] = units


@kernel
def wish_no_enemies(box: Box, s: State, search: Nearness, row: int) -> None:
    """All enemies beaten: each costs, each place, and how far those who can beat them have to come."""
    search.units[row] = conditions.PLENTY
    for location in range(L):
        if s.enemy[location] > 0:
            search.cost[row] += 0.6 * s.enemy[location] + 0.4 + gather(box, s, search, location, s.enemy[location])


@kernel
def gather(box: Box, s: State, search: Nearness, location: int, n: int) -> float:
    """What it costs that so many military have to come to a location, the nearest first."""
    cost, left = 0.0, int(n)
    count_steps(box, s, search, location)
    for distance in range(FAR):
        ring = int(search.ring[location, distance])
        while ring and left > 0:
            coming = min(left, int(s.token[c.MILITARY, lowest(ring)]))
            cost += 0.06 * distance * coming
            left -= coming
            ring &= ring - 1
    return cost + 0.6 * left


@kernel
def count_cards(box: Box, s: State, search: Nearness) -> None:
    """Tokens that the cards in hand would bring, if someone has the goods for them."""
    search.coming[:] = 0
    for half in range(2):
        paid = scripted.payable(box, s, half, scripted.in_hands(s, half))
        while paid:
            card = half * scripted.HALF + lowest(paid)
            for kind in range(K):
                search.coming[kind] += max(box.card_token[card, kind], box.card_favoured[card, kind])
            paid &= paid - 1


@kernel
def bring(box: Box, s: State, search: Nearness, kind: int) -> None:
    """Shares the tokens of a kind out among the wishes, the nearest first, and adds what each costs to its row."""
    there, wished, unmet = lay_out(box, s, search, kind), 0, 0
    for i in range(search.wishes):
        if search.kind[i] == kind:
            wished += search.lacking[i]
            unmet |= 1 << i
            if search.zone[i] < 0:
                give(search, i, there & 1 << int(search.at[i]), 0.0)
    for i in range(search.wishes):
        if search.kind[i] == kind and search.zone[i] >= 0:
            give(search, i, there & pools.locations_of(box, int(search.zone[i])), 0.0)
    for distance in range(1, FAR):
        left, unmet = unmet, 0
        while left:
            i = lowest(left)
            if search.lacking[i] > 0:
                unmet |= 1 << i
                count_steps(box, s, search, int(search.at[i]))
                give(search, i, there & int(search.ring[search.at[i], distance]), ELSEWHERE + STEP * distance)
            left &= left - 1
    while unmet:
        i = lowest(unmet)
        soon = min(int(search.lacking[i]), int(search.coming[kind]))
        search.coming[kind] -= soon
        search.cost[search.row[i]] += IN_HAND * soon + NOWHERE * (search.lacking[i] - soon)
        unmet &= unmet - 1
    search.cost[ROWS] += unsupported(box, s, kind, wished)


@kernel
def lay_out(box: Box, s: State, search: Nearness, kind: int) -> int:
    """All tokens of a kind are free, where they are: these locations, as bits."""
    there = 0
    for location in range(L):
        search.free[location] = 0
        zone = int(box.zone[location])
        if kind <= c.DIVINER or zone >= A or box.is_capital[location] > 0:
            search.free[location] = s.token[kind, pools.place_of(box, kind, location)]
            there |= int(search.free[location] > 0) << location
    return there


@kernel
def give(search: Nearness, i: int, places: int, cost: float) -> None:
    """Tokens that are free on locations, given as bits, to a wish."""
    while places and search.lacking[i] > 0:
        location = lowest(places)
        n = min(int(search.lacking[i]), int(search.free[location]))
        search.lacking[i] -= n
        search.free[location] -= n
        search.cost[search.row[i]] += n * cost
        places &= places - 1


@kernel
def value(box: Box, s: State, search: Nearness) -> float:
    """What a position is worth to the search: near the win above all; the empire's standing as long as time is left."""
    left, lasting = (s.months - s.month + 1.0) / s.months, 1.0
    if s.campaign > 0:
        left += search.to_come * (campaign.LAST_GAME - s.game)
        lasting += search.lasting
    v = search.progress * (s.month / s.months) ** search.patience * progress(box, s, search)
    v += search.standing * lasting * (0.3 + left) * standing(box, s)
    return v + search.economy * left * economy(box, s)


@kernel
def standing(box: Box, s: State) -> float:
    """What the scripted team thinks of the gates, threats, tracks and the Queen, and of markers and enemies."""
    v = 1.2 * scripted.gates(box, s) + scripted.threats(box, s) + scripted.tracks(box, s) + scripted.queen(box, s)
    for location in range(L):
        v -= 1.0 * s.unrest[location] + 0.8 * s.plague[location] + 0.5 * s.enemy[location]
        v += 0.3 * (s.diplomacy[location] + s.karu[location] + s.health[location])
    for marker in range(c.GREEN):
        v -= 0.15 * s.bag[marker] - 0.1 * s.bag[marker + c.GREEN]
    for who in range(1, pools.PEOPLE):
        v -= 3.0 if s.status[who] == c.DEAD else 0.0
    return v


@kernel
def economy(box: Box, s: State) -> float:
    """What gates, advisors, goods, cards and technologies will bring."""
    v = 0.0
    for area in range(A):
        v += 2.0 if resolve.gate_stands(box, s, area) else 0.3 * resolve.gate_parts(box, s, area)
    for who in range(pools.PEOPLE):
        if s.status[who] == c.IN_PLAY:
            v += 0.4 + 0.2 * min(8, pools.goods_of(s, who))
            for technology in range(pools.TECHNOLOGIES_N):
                v += 0.85 * s.has[who, technology]
    for card in range(c.N_ASHUR):
        if s.ashur[card] >= st.HAND:
            v += 0.3
            if s.location[c.SAMMU_RAMAT] >= 0 and cards.affordable(box, s, c.SAMMU_RAMAT, card):
                v += 0.1
    return v
