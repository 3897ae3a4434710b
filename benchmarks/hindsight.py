"""Can this box be won? A search that may try a game again and again on the same draws, and keeps what won.

    python -m benchmarks.hindsight --challenge SAM-180 --challenge SAM-185 --players 3 --seeds 2 --minutes 1
    python -m benchmarks.hindsight --edition my-box.toml --write proofs.json
    python -m benchmarks.hindsight --boxes 100 --players 2 --players 3 --write configs/wins.json
    python -m benchmarks.hindsight --edition my-box.toml --check proofs.json

A copy of a state holds its generator too, so the same choices lead to the same events, cards and markers. The search
uses that: it knows what comes, and is no player. What it finds is a proof that a challenge can be won in time with the
draws of a seed: a game log that anybody can replay. Where it finds nothing, nothing is proved; it then says how much of
the condition it has reached at best. Since another choice may also lead to other draws (a card more is drawn before the
next event), a proof says that luck and skill together suffice, not that skill does.

It is a beam search (:func:`expand`) from action to action. Positions of a month are kept apart by how many actions its
turns have left, so that only like is compared with like: from the fullest to the emptiest, each of those kept is
continued at random many times, by one action with whatever is asked and done for free before it. Those that reach the
next month, with all that happens between, are the next month's beginning. A position is judged by :func:`value`: how
near the condition is (:func:`progress` counts what has to be brought, and from where), and how well the empire stands.
It begins anew with other weights and a wider beam until time is up.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

import sammu_env
import tabletop.log
from agents import scripted
from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import engine, steps
from sammu_env import state as st
from sammu_env.game import CHALLENGES, SammuRamat
from sammu_env.rules import conditions, pools, resolve
from sammu_env.rules.actions import cards
from sammu_env.state import STATE
from tabletop import record
from tabletop.game import Record
from tabletop.jit import entry, kernel
from tabletop.log import Log, Match
from tabletop.rng import below
from training.tasks import DIFFICULTY

L, A, K = len(c.LOCATIONS), len(c.AREAS), len(c.KINDS)
ROWS = 12
#: Choices from one kept position to the next: a month's end and beginning ask for most.
LONGEST = 96
#: Kept positions lie in buckets: by actions left, and two for the beginnings of this month and the next.
LEFT, BEGINNINGS = 18, (18, 19)
BUCKETS = 20
#: A bucket keeps no more than a share of its room for what comes from one position.
SHARE = 6
#: A beginning is continued so many times as often: whom to consult is chosen besides the first action.
OFTENER = 4
LOWEST = -1e9
#: The first beam and the widest, and continuations of a position at most.
NARROWEST, WIDEST, MOST_TRIES = 8, 1024, 120
#: Tokens that are wanted somewhere, at most; and roads that one may have to come, at most.
WISHES, FAR = 64, 8
#: What a wished token costs that is on the map elsewhere, for each step it has to come, that a card in hand would
#: bring, and that is nowhere.
ELSEWHERE, STEP, IN_HAND, NOWHERE = 0.25, 0.12, 1.2, 1.6

#: A kept position: what it is worth, a hash of what lies where, and the node of the position before.
SLOT = np.dtype([("value", "f8"), ("print", "i8"), ("before", "i8")], align=True)
#: A position that was continued: the one before it (-1: none), and the choices from there.
NODE = np.dtype([("before", "i4"), ("n", "i4"), ("action", "i2", LONGEST)], align=True)
SEARCH = np.dtype(
    [
        ("rng", "i8", 4),
        # how it searches
        ("width", "i4"),  # positions in a bucket
        ("tries", "i4"),  # continuations of each
        ("last_month", "i4"),  # later wins are of no use
        ("progress", "f8"),  # weights of a position's parts
        ("standing", "f8"),
        ("economy", "f8"),
        ("patience", "f8"),  # 0: being near the win is worth the same in all months; else less in the first
        # where it is
        ("kept", "i4", BUCKETS),
        ("floor", "f8", BUCKETS),  # what is worth no more than this does not get into a full bucket
        ("nodes", "i4"),
        ("n", "i4"),  # the continuation in hand
        ("action", "i2", LONGEST),
        # what it found
        ("won", "i4"),  # the month of the win, or 0
        ("before", "i4"),  # the node from which the continuation in hand won
        ("decisions", "i8"),
        ("share", "f8"),  # the most of the condition that a month has ended with
        ("needed", "i4", ROWS),  # by row of the condition
        ("reached", "i4", ROWS),
        # scratch: what is wished for
        ("wishes", "i4"),
        ("row", "i4", WISHES),
        ("kind", "i4", WISHES),
        ("at", "i4", WISHES),  # location; of an area its capital
        ("zone", "i4", WISHES),  # any location of this area will do, or -1
        ("lacking", "i4", WISHES),
        ("free", "i4", L),  # tokens of a kind that nobody wishes where they are
        ("coming", "i4", K),  # tokens that cards in hand would bring
        ("cost", "f8", ROWS + 1),
        ("units", "f8", ROWS + 1),
        ("chosen", "i4", A),
    ],
    align=True,
)


# How near the win is


@kernel
def progress(box: Any, s: Any, search: Any, travel: Any) -> float:
    """How far the condition is met, at most 1; what is not there counts the less the farther it has to come."""
    search.wishes = 0
    search.cost[:] = 0.0
    search.units[:] = 0.0
    count_cards(box, s, search)
    wish_gate(box, s, search, ROWS, c.ASSYRIA)
    for row in range(ROWS):
        if conditions.needed(box, s, row) > 0:
            wish(box, s, search, row, travel)
    for kind in range(K):
        bring(box, s, search, kind, travel)
    total, rows = 0.0, 0
    for row in range(ROWS):
        if search.units[row] > 0:
            rows += 1
            total += 1.0 - search.cost[row] / search.units[row]
    return total / max(1, rows) - 0.1 * search.cost[ROWS]


@kernel
def wish(box: Any, s: Any, search: Any, row: int, travel: Any) -> None:
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
        wish_tokens(box, s, search, row, y, int(box.capital[x]), x, z)
        search.units[row] += z
    elif condition == c.W_PLACE_TOKENS:
        area = int(box.zone[x]) if y > c.DIVINER and box.zone[x] < A else -1
        wish_tokens(box, s, search, row, y, x, area, z)
        search.units[row] += z
        search.cost[row] += 0.1 * s.enemy[x]
    elif condition == c.W_BOTH_TOKENS:
        wish_both(box, s, search, row, x, y, z)
        search.units[row] += y
    elif condition == c.W_TOTAL_TOKENS:
        wish_total(box, s, search, row, x, y, z)
    elif condition == c.W_GOODS:
        wish_goods(box, s, search, row, x, y, z)
    elif condition == c.W_ADVISORS_HOME:
        wish_home(box, s, search, row, x, y, travel)
    elif condition == c.W_NO_UNREST:
        search.units[row] = 4.0
        for location in range(L):
            if s.unrest[location] > 0:
                n = max(0, 3 - pools.defence(box, s, location))
                search.cost[row] += 1.0 + gather(s, travel, location, n)
    elif condition == c.W_NO_ENEMIES:
        wish_no_enemies(box, s, search, row, travel)


@kernel
def wish_tokens(box: Any, s: Any, search: Any, row: int, kind: int, at: int, zone: int, n: int) -> None:
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
def wish_gate(box: Any, s: Any, search: Any, row: int, area: int) -> None:
    """A gate: one token of each kind, no enemies in the capital, neither unrest nor plague in the area."""
    capital = int(box.capital[area])
    for kind in range(K):
        wish_tokens(box, s, search, row, kind, capital, area if kind > c.DIVINER else -1, 1)
    search.units[row] += K
    search.cost[row] += 0.3 * min(3, int(s.enemy[capital]))
    if pools.unrest_in(box, s, area) or pools.plague_in(box, s, area):
        search.cost[row] += 0.7


@kernel
def merit(box: Any, s: Any, area: int) -> float:
    """How near a gate is to standing."""
    if s.gate[area] > 0 or resolve.gate_stands(box, s, area):
        return 10.0
    troubled = pools.unrest_in(box, s, area) or pools.plague_in(box, s, area)
    return resolve.gate_parts(box, s, area) - 0.5 * s.enemy[box.capital[area]] - (1.0 if troubled else 0.0)


@kernel
def wish_gates(box: Any, s: Any, search: Any, row: int, n: int) -> None:
    """So many gates: those that are nearest to standing."""
    search.chosen[:] = 0
    for _ in range(n):
        best = -1
        for area in range(A):
            if search.chosen[area] == 0 and (best < 0 or merit(box, s, area) > merit(box, s, best)):
                best = area
        search.chosen[best] = 1
        wish_gate(box, s, search, row, best)


@kernel
def absent(box: Any, s: Any, area: int) -> int:
    """Advisors that a gate in an area would bring."""
    n = 0
    for who in range(1, pools.PEOPLE):
        if box.home[who] == area and (s.status[who] == c.OUT or s.status[who] == c.AWAY):
            n += 1
    return n


@kernel
def wish_advisors(box: Any, s: Any, search: Any, row: int, n: int) -> None:
    """So many advisors in play: the gates that stand, and the nearest that would bring the others."""
    there = conditions.advisors(s)
    search.units[row] = n
    search.cost[row] = max(0, n - there)
    search.chosen[:] = 0
    for area in range(A):
        if s.gate[area] > 0:
            search.chosen[area] = 1
            wish_gate(box, s, search, row, area)
    while there < n:
        best, most = -1, -100.0
        for area in range(A):
            m = merit(box, s, area) + 0.5 * absent(box, s, area)
            if search.chosen[area] == 0 and absent(box, s, area) > 0 and m > most:
                best, most = area, m
        if best < 0:
            return
        search.chosen[best] = 1
        there += absent(box, s, best)
        wish_gate(box, s, search, row, best)


@kernel
def wish_both(box: Any, s: Any, search: Any, row: int, kind: int, n: int, areas: int) -> None:
    """SAM-194: tokens in some areas together, spread over all of them; what is missing goes to the first."""
    first, left = -1, int(n)
    for area in range(A):
        if areas >> area & 1:
            first = area if first < 0 else first
            here = min(left, max(1, pools.tokens_in(box, s, kind, area)))
            wish_tokens(box, s, search, row, kind, int(box.capital[area]), area, here)
            left -= here
    wish_tokens(box, s, search, row, kind, int(box.capital[first]), first, left)


@kernel
def wish_total(box: Any, s: Any, search: Any, row: int, kind: int, n: int, areas: int) -> None:
    """Tokens on the map, spread over areas, and what the empire board asks for to keep them (R1)."""
    search.units[row] = n + areas
    lacking = max(0, n - pools.on_map(box, s, kind))
    soon = min(lacking, int(search.coming[kind]))
    search.coming[kind] -= soon
    search.cost[row] = IN_HAND * soon + NOWHERE * (lacking - soon)
    search.cost[row] += max(0, areas - conditions.areas_with(box, s, kind))
    search.cost[row] += 0.8 * unsupported(box, s, kind, n)


@kernel
def unsupported(box: Any, s: Any, kind: int, n: int) -> int:
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
def wish_goods(box: Any, s: Any, search: Any, row: int, group: int, good: int, n: int) -> None:
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
def wish_home(box: Any, s: Any, search: Any, row: int, origin: int, area: int, travel: Any) -> None:
    """SAM-182: every advisor of an area in another; who is not in play needs the gate at home first."""
    for who in range(1, pools.PEOPLE):
        if box.home[who] == origin:
            search.units[row] += 3.0
            if s.location[who] < 0:
                search.cost[row] += 2.0
            elif box.zone[s.location[who]] != area:
                search.cost[row] += 0.6 + 0.15 * travel[s.location[who], box.capital[area]]
    if s.gate[origin] == 0 and search.cost[row] > 0:
        units = float(search.units[row])
        wish_gate(box, s, search, row, origin)
        search.units[row] = units


@kernel
def wish_no_enemies(box: Any, s: Any, search: Any, row: int, travel: Any) -> None:
    """All enemies beaten: each costs, each place, and how far those who can beat them have to come."""
    search.units[row] = conditions.PLENTY
    for location in range(L):
        if s.enemy[location] > 0:
            search.cost[row] += 0.6 * s.enemy[location] + 0.4 + gather(s, travel, location, s.enemy[location])


@kernel
def gather(s: Any, travel: Any, location: int, n: int) -> float:
    """What it costs that so many military have to come to a location, the nearest first."""
    cost, left = 0.0, int(n)
    for distance in range(FAR):
        for there in range(L):
            if left > 0 and travel[there, location] == distance and s.token[c.MILITARY, there] > 0:
                coming = min(left, int(s.token[c.MILITARY, there]))
                cost += 0.06 * distance * coming
                left -= coming
        if left == 0:
            break
    return cost + 0.6 * left


@kernel
def count_cards(box: Any, s: Any, search: Any) -> None:
    """Tokens that the cards in hand would bring whoever may play them, where someone has the goods."""
    search.coming[:] = 0
    for card in range(c.N_ASHUR):
        if s.ashur[card] >= st.HAND and scripted.payable(box, s, card, int(s.ashur[card]) - st.HAND):
            for kind in range(K):
                search.coming[kind] += max(box.card_token[card, kind], box.card_favoured[card, kind])


@kernel
def bring(box: Any, s: Any, search: Any, kind: int, travel: Any) -> None:
    """Shares the tokens of a kind out among the wishes, the nearest first, and adds what each costs to its row."""
    for location in range(L):
        search.free[location] = 0
        zone = int(box.zone[location])
        if kind <= c.DIVINER or zone >= A or box.is_capital[location] > 0:
            search.free[location] = s.token[kind, pools.place_of(box, kind, location)]
    wished = 0
    for i in range(search.wishes):
        wished += search.lacking[i] if search.kind[i] == kind else 0
        if search.kind[i] == kind and search.zone[i] < 0:
            give(box, search, i, int(search.at[i]), 0.0)
    for i in range(search.wishes):
        if search.kind[i] == kind and search.zone[i] >= 0:
            for location in range(L):
                if box.zone[location] == search.zone[i]:
                    give(box, search, i, location, 0.0)
    for distance in range(1, FAR):
        for i in range(search.wishes):
            if search.kind[i] == kind and search.lacking[i] > 0:
                for location in range(L):
                    if search.free[location] > 0 and travel[location, search.at[i]] == distance:
                        give(box, search, i, location, ELSEWHERE + STEP * distance)
    for i in range(search.wishes):
        if search.kind[i] == kind and search.lacking[i] > 0:
            soon = min(int(search.lacking[i]), int(search.coming[kind]))
            search.coming[kind] -= soon
            search.cost[search.row[i]] += IN_HAND * soon + NOWHERE * (search.lacking[i] - soon)
    search.cost[ROWS] += unsupported(box, s, kind, wished)


@kernel
def give(box: Any, search: Any, i: int, location: int, cost: float) -> None:
    """Tokens that are free on a location, to a wish."""
    n = min(int(search.lacking[i]), int(search.free[location]))
    search.lacking[i] -= n
    search.free[location] -= n
    search.cost[search.row[i]] += n * cost


@kernel
def value(box: Any, s: Any, search: Any, travel: Any) -> float:
    """What a position is worth to the search: near the win above all; the empire's standing as long as time is left."""
    left = (s.months - s.month + 1.0) / s.months
    v = search.progress * (s.month / s.months) ** search.patience * progress(box, s, search, travel)
    v += search.standing * (0.3 + left) * standing(box, s)
    return v + search.economy * left * economy(box, s)


@kernel
def standing(box: Any, s: Any) -> float:
    """What the scripted team thinks of the gates, threats, tracks and the Queen, and of markers and enemies."""
    v = scripted.gates(box, s) + scripted.threats(box, s) + scripted.tracks(box, s) + scripted.queen(box, s)
    for location in range(L):
        v -= 1.0 * s.unrest[location] + 0.8 * s.plague[location] + 0.4 * s.enemy[location]
        v += 0.3 * (s.diplomacy[location] + s.karu[location] + s.health[location])
    for marker in range(c.GREEN):
        v -= 0.15 * s.bag[marker] - 0.1 * s.bag[marker + c.GREEN]
    for who in range(1, pools.PEOPLE):
        v -= 3.0 if s.status[who] == c.DEAD else 0.0
    return v


@kernel
def economy(box: Any, s: Any) -> float:
    """What gates, advisors, goods, cards and technologies will bring."""
    v = 0.0
    for area in range(A):
        v += 2.0 if resolve.gate_stands(box, s, area) else 0.3 * resolve.gate_parts(box, s, area)
    for who in range(pools.PEOPLE):
        if s.status[who] == c.IN_PLAY:
            v += 0.5 + 0.2 * min(8, pools.goods_of(s, who))
            for technology in range(pools.TECHNOLOGIES_N):
                v += 0.7 * s.has[who, technology]
    for card in range(c.N_ASHUR):
        if s.ashur[card] >= st.HAND:
            v += 0.3
            if s.location[c.SAMMU_RAMAT] >= 0 and cards.affordable(box, s, c.SAMMU_RAMAT, card):
                v += 0.1
    return v


# Searching


@kernel
def actions_left(s: Any) -> int:
    """Actions that this month's turns have left."""
    n = 0
    for who in range(pools.PEOPLE):
        n += max(0, int(s.actions[who]))
    return min(n, LEFT - 1)


@kernel
def nobody_consulted(s: Any) -> bool:
    """Whether the month's discs are all to be placed."""
    for who in range(pools.PEOPLE):
        if s.consulted[who] >= 0:
            return False
    return True


@kernel
def some_option(s: Any, search: Any, ending: bool) -> int:
    """A choice at random; turns end when no action is left, or at once where the month is to end."""
    i = below(search, s.n_options)
    if s.op[s.sp - 1] == steps.TURN:
        if ending:
            return a.DONE
        idle = s.active < 0 or s.actions[s.active] == 0
        if idle and below(search, 2) == 0:
            return a.DONE
        for _ in range(0 if idle else 2):
            if s.option[i] == a.DONE:
                i = below(search, s.n_options)
    return int(s.option[i])


@kernel
def continue_once(box: Any, t: Any, search: Any, ending: bool) -> int:
    """Plays at random until an action less is left than at the first turn, a month begins or the game is over.

    Returns:
        how many actions are left, ``LEFT`` where a month begins, ``BUCKETS`` where the game is over, and -1 where it
        took too many choices.
    """
    month, most = int(t.month), -1
    search.n = 0
    while t.to_act >= 0:
        op = int(t.op[t.sp - 1])
        if op == steps.CONSULT or op == steps.TURN:
            left = actions_left(t)
            if t.month != month or (search.n > 0 and op == steps.CONSULT and nobody_consulted(t)):
                return LEFT
            if op == steps.TURN and left < most and not ending:
                return left
            if op == steps.TURN and most < 0:
                most = left
        if search.n == LONGEST:
            return -1
        action = some_option(t, search, ending)
        search.action[search.n] = action
        search.n += 1
        engine.choose(box, t, action)
    return BUCKETS


@kernel
def fingerprint(s: Any) -> int:
    """A hash of what lies where and what may still be done this month, whatever the order it came about in."""
    h = 17
    for location in range(L):
        for kind in range(K):
            h = mixed(h, s.token[kind, location])
        h = mixed(h, s.enemy[location] + 32 * (s.unrest[location] + 2 * s.plague[location] + 4 * s.diplomacy[location]))
        h = mixed(h, s.technology[location])
    for area in range(A):
        h = mixed(h, s.gate[area] + 2 * s.area_karu[area] + 16 * s.area_health[area])
    for who in range(len(c.CHARACTERS)):
        h = mixed(h, s.location[who] + 64 * (s.consulted[who] + 1) + 1024 * s.actions[who])
        for good in range(pools.GOODS_N):
            h = mixed(h, s.good[who, good])
    for card in range(c.N_ASHUR):
        if s.ashur[card] >= st.HAND:
            h = mixed(h, card * 8 + s.ashur[card])
    for marker in range(len(c.MARKERS)):
        h = mixed(h, s.bag[marker])
    return mixed(h, s.seat + 8 * s.deck_n)


@kernel
def mixed(h: int, x: int) -> int:
    """A hash, below 2**31, and one number more."""
    return ((h * 1000003) ^ (int(x) + 7)) & 0x7FFFFFFF


@kernel
def keep(states: Any, slots: Any, ways: Any, search: Any, t: Any, bucket: int, v: float, before: int) -> None:
    """Puts a position into its bucket, where it is none's twin, and is better than the worst or there is room.

    Of the positions that come from one, there are only some; a further one must be better than the worst of these.
    """
    first, kept, width = bucket * search.width, int(search.kept[bucket]), int(search.width)
    if kept == width and v <= search.floor[bucket]:
        return
    hashed = fingerprint(t)
    worst, worst_here, here = first, first, 0
    for k in range(first, first + kept):
        if slots[k].print == hashed:
            worst_here, here = k, width
            break
        if slots[k].value < slots[worst].value:
            worst = k
        if slots[k].before == before:
            here += 1
            if here == 1 or slots[k].value < slots[worst_here].value:
                worst_here = k
    if here >= max(2, width // SHARE):
        worst = worst_here
    elif kept < width:
        worst = first + kept
        search.kept[bucket] = kept + 1
        slots[worst].value = v - 1.0
    else:
        search.floor[bucket] = slots[worst].value
    if v <= slots[worst].value:
        return
    states[worst] = t
    slots[worst].value = v
    slots[worst].print = hashed
    slots[worst].before = before
    ways[worst].before = before
    ways[worst].n = search.n
    for i in range(search.n):
        ways[worst].action[i] = search.action[i]


@kernel
def note_share(box: Any, s: Any, search: Any) -> None:
    """Remembers the most of the condition that a month has ended with."""
    total, rows = 0.0, 0
    for row in range(ROWS):
        need = conditions.needed(box, s, row)
        if need > 0:
            rows += 1
            total += conditions.reached(box, s, row) / need
    if total / max(1, rows) > search.share:
        search.share = total / max(1, rows)
        for row in range(ROWS):
            search.needed[row] = conditions.needed(box, s, row)
            search.reached[row] = conditions.reached(box, s, row)


@kernel
def promising(box: Any, s: Any) -> bool:
    """Whether the condition is met if the month ends now: gates that will stand count."""
    for row in range(ROWS):
        condition, x = int(box.condition[s.challenge, row, 0]), int(box.condition[s.challenge, row, 1])
        if condition == c.W_GATE and resolve.gate_stands(box, s, x):
            continue
        if condition == c.W_GATES or condition == c.W_ADVISORS:
            continue
        if conditions.reached(box, s, row) < conditions.needed(box, s, row):
            return False
    return True


@entry
def expand(
    box: Any,
    states: Any,
    slots: Any,
    ways: Any,
    nodes: Any,
    trial: Any,
    search: Any,
    travel: Any,
    bucket: int,
    later: int,
) -> bool:
    """Continues every position of a bucket, and empties it. True once a game is won: how is noted in ``search``.

    Args:
        states, slots, ways: (BUCKETS * width,), the kept positions by bucket, and how they came about.
        nodes: what was continued so far.
        trial: a state, (1,), that is overwritten.
        travel: int64 (L, L), steps by road and by the Queen's Road.
        later: the bucket of positions in which the next month begins.
    """
    one = search[0]
    for k in range(bucket * one.width, bucket * one.width + one.kept[bucket]):
        node = int(one.nodes)
        one.nodes = node + 1
        nodes[node] = ways[k]
        times = one.tries * (OFTENER if bucket >= LEFT else 1)
        endings = one.tries // 4 if bucket > 0 and bucket < LEFT and promising(box[0], states[k]) else 0
        for i in range(times + endings):
            trial[0] = states[k]
            reached = continue_once(box[0], trial[0], one, i >= times)
            one.decisions += one.n
            if trial[0].result == c.WON:
                one.won = trial[0].month
                one.before = node
                return True
            if reached == LEFT or trial[0].cause == c.OUT_OF_MONTHS:
                note_share(box[0], trial[0], one)
            if reached == LEFT:
                if trial[0].month > one.last_month:
                    continue
                reached = later
            if 0 <= reached < BUCKETS:
                v = value(box[0], trial[0], one, travel)
                keep(states, slots, ways, one, trial[0], reached, v, node)
    one.kept[bucket] = 0
    one.floor[bucket] = LOWEST
    return False


@dataclass
class Finding:
    """What came of the search in one game."""

    challenge: str
    players: int
    seed: int
    decisions: int  #: tried
    seconds: float
    month: int = 0  #: of the win, or 0
    log: Log | None = None  #: that wins
    how: tuple[float, ...] = ()  #: width, tries and weights of the beam that won
    share: float = 0.0  #: where nothing won: the most of the condition that a month ended with, 0 to 1
    missing: str = ""  #: and what was missing then

    def text(self) -> str:
        """One line."""
        found = f"won in month {self.month}" if self.month else f"best share {self.share:.2f}, missing {self.missing}"
        tried = f"{self.decisions / 1e6:7.1f} million decisions, {self.seconds:4.0f} s"
        return f"{self.challenge} {self.players} players, seed {self.seed}: {tried}, {found}"


class Search:
    """The beams over one game: a setup, shape (1,), and a seed."""

    def __init__(self, game: SammuRamat, setup: Record, seed: int) -> None:
        self.game, self.setup, self.seed = game, setup, seed
        self.travel = travel(game.box)
        self.search = np.zeros(1, SEARCH)
        self.trial = np.zeros(1, STATE)
        self.root = np.zeros(1, STATE)
        game.reset(game.box, self.root, setup, seed)

    def run(self, width: int, tries: int, weights: Sequence[float], last_month: int, seed: int, until: float) -> bool:
        """One beam, from the first choice on; True if it won by that month.

        Args:
            width: positions that a bucket keeps.
            tries: continuations of each.
            weights: of progress, standing and economy, and the patience.
            seed: of the continuations.
            until: when to stop, by ``time.monotonic()``.
        """
        one = self.search[0]
        one["rng"] = np.random.SeedSequence(seed).generate_state(4)
        one["width"], one["tries"], one["last_month"] = width, tries, last_month
        one["progress"], one["standing"], one["economy"], one["patience"] = weights
        one["kept"], one["nodes"], one["won"] = 0, 0, 0
        one["floor"] = LOWEST
        room = BUCKETS * width
        states, slots, ways = np.zeros(room, STATE), np.zeros(room, SLOT), np.zeros(room, NODE)
        self.nodes = np.zeros((c.MAX_MONTHS + 2) * room, NODE)
        now, later = BEGINNINGS
        states[now * width] = self.root[0]
        ways[now * width]["before"] = -1
        one["kept"][now] = 1
        while one["kept"][now] > 0:
            for bucket in (now, *range(LEFT - 1, -1, -1)):
                if one["kept"][bucket] > 0 and expand(
                    self.game.box, states, slots, ways, self.nodes, self.trial, self.search, self.travel, bucket, later
                ):
                    return True
                if time.monotonic() > until:
                    return False
            now, later = later, now
        return False

    def choices(self) -> list[int]:
        """All choices up to the win."""
        one = self.search[0]
        told = [one["action"][: one["n"]].tolist()]
        node = int(one["before"])
        while node >= 0:
            told.append(self.nodes[node]["action"][: self.nodes[node]["n"]].tolist())
            node = int(self.nodes[node]["before"])
        return [action for part in reversed(told) for action in part]

    def log(self) -> Log:
        """The won game."""
        match = Match(self.game, self.setup, self.seed)
        for action in self.choices():
            match.act(action)
        return match.stamped()

    def missing(self) -> str:
        """What the best month's end lacked, in short."""
        one, found = self.search[0], []
        rows = self.game.components(self.setup).content.challenge[CHALLENGES[int(self.setup["challenge"][0])]].win
        for row, condition in enumerate(rows):
            if one["reached"][row] < one["needed"][row]:
                found.append(f"{condition.condition} {one['reached'][row]}/{one['needed'][row]}")
        return ", ".join(found)


@entry
def nearness(box: Any, s: Any, search: Any, travel: Any) -> float:
    """:func:`progress` of a state, shape (1,)."""
    return progress(box[0], s[0], search[0], travel)


def travel(box: Record) -> NDArray[np.int64]:
    """Steps from location to location, int64 (L, L), where all of the Queen's Road is one step and nothing bars it."""
    road = box["queens_road"][0, : int(box["queens_road_n"][0])].astype(int)
    one = (box["steps"][0] == 1) | np.isin(np.arange(L), road)[:, None] & np.isin(np.arange(L), road)
    found, reached = np.full((L, L), FAR, np.int64), np.eye(L, dtype=bool)
    for distance in range(FAR):
        found[reached & (found == FAR)] = distance
        reached |= reached @ one
    return found


def prove(game: SammuRamat, setup: Record, seed: int, minutes: float, best: bool = False) -> Finding:
    """Searches one game until it is won, or time is up.

    Args:
        setup: shape (1,).
        best: go on until time is up, for a win in an earlier month.
    """
    start = time.monotonic()
    search = Search(game, setup, seed)
    rng = np.random.default_rng([seed, int(setup["challenge"][0])])
    challenge, players = CHALLENGES[int(setup["challenge"][0])], int(setup["players"][0])
    finding = Finding(challenge, players, seed, 0, 0.0)
    width, last = NARROWEST, int(search.root["months"][0])
    while time.monotonic() < start + 60 * minutes and last > 0:
        weights = [100 * 2 ** rng.uniform(-0.5, 2.5), 2 ** rng.uniform(-2, 0.5), 2 ** rng.uniform(-1, 2.5)]
        weights.append(float(rng.choice([0.0, 0.3, 1.0])))
        tries = min(MOST_TRIES, width * int(rng.choice([1, 2, 4])))
        if search.run(width, tries, weights, last, int(rng.integers(1 << 30)), start + 60 * minutes):
            finding.how = (width, tries, *weights)
            finding.log = search.log()
            finding.month = check(game, finding.log)
            last = finding.month - 1
            if not best:
                break
        width = min(WIDEST, width * 3 // 2)
    finding.decisions = int(search.search["decisions"][0])
    finding.seconds = time.monotonic() - start
    finding.share, finding.missing = float(search.search["share"][0]), search.missing()
    return finding


def check(game: SammuRamat, log: Log) -> int:
    """The month in which a proof wins.

    Only the choices of the seats are replayed: what chance answers must be what the seed draws.

    Raises:
        ValueError: it is of another edition, was tampered with, or does not win.
    """
    tabletop.log.check(game, log)
    match = Match(game, record.from_dict(log.setup, game.setup), log.seed)
    for actor, action in log.entries:
        if actor >= 0:
            match.act(action)
    if match.stamped() != log:
        raise ValueError(f"the log's draws or its trace are not what its choices lead to with the seed {log.seed}")
    if int(match.s["result"][0]) != c.WON:
        result, cause = c.RESULTS[int(match.s["result"][0])], c.CAUSES[int(match.s["cause"][0])]
        raise ValueError(f"the log does not win: {result}, {cause}")
    return int(match.s["month"][0])


def table(findings: Sequence[Finding]) -> str:
    """One line for each challenge and number of players."""
    lines = [f"{'challenge':9} {'players':>7} {'won':>7}  {'months':12} {'million decisions':>17}  best share, missing"]
    cells = dict.fromkeys((found.challenge, found.players) for found in findings)
    for challenge, players in cells:
        own = [found for found in findings if (found.challenge, found.players) == (challenge, players)]
        months = ", ".join(str(found.month or "-") for found in own)
        lost = max((found for found in own if not found.month), key=lambda found: found.share, default=None)
        won = f"{sum(found.month > 0 for found in own)} of {len(own)}"
        rest = f"  {lost.share:.2f}, {lost.missing}" if lost else ""
        tried = sum(found.decisions for found in own) / 1e6
        lines.append(f"{challenge:9} {players:7} {won:>7}  {months:12} {tried:17.1f}{rest}")
    return "\n".join(lines)


def write(path: Path, logs: Sequence[Log]) -> None:
    """Keeps proofs in a file."""
    path.write_text(json.dumps([log.to_dict() for log in logs]) + "\n", encoding="utf-8")


def read(path: Path) -> list[Log]:
    """The proofs of a file.

    Raises:
        ValueError: it holds no list of game logs.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(data, list):
        raise ValueError(f"{path}: expected a list of game logs, found {type(data).__name__}")
    return [Log.from_dict(one) for one in data]


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", help="file of another box")
    parser.add_argument("--boxes", type=int, help="instead: random boxes with the seeds 0, 1, ... in turn, so many")
    parser.add_argument("--difficulty", type=float, default=DIFFICULTY, help="of these (default: %(default)s)")
    parser.add_argument("--challenge", action="append", choices=CHALLENGES, help="default: all")
    parser.add_argument("--players", type=int, action="append", choices=range(1, c.MAX_PLAYERS + 1), help="default: 3")
    parser.add_argument("--seeds", type=int, default=2, help="games of each (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=1.0, help="at most, for each game (default: %(default)s)")
    parser.add_argument("--best", action="store_true", help="go on until time is up, for a win in an earlier month")
    parser.add_argument("--threads", type=int, default=1, help="games searched at a time (default: %(default)s)")
    parser.add_argument("--write", type=Path, help="add the winning logs to this file, each as it is found")
    parser.add_argument("--check", type=Path, help="replay the logs of this file, and search nothing")
    args = parser.parse_args(argv)
    if args.boxes and args.edition:
        parser.error("--edition and --boxes both name boxes: choose one")
    game = sammu_env.load_game(args.edition)
    if args.check:
        for log in read(args.check):
            setup = f"{CHALLENGES[log.setup['challenge']]} {log.setup['players']} players, seed {log.seed}"
            print(f"{setup}: won in month {check(game, log)}")
        return
    writing = Lock()
    games = [(challenge, players, seed) for challenge in args.challenge or CHALLENGES
             for players in args.players or [3] for seed in range(args.seeds)]  # fmt: skip

    def one(job: tuple[int, tuple[str, int, int]]) -> Finding:
        i, (challenge, players, seed) = job
        own = sammu_env.load_game(box_seed=i % args.boxes, difficulty=args.difficulty) if args.boxes else game
        found = prove(own, own.configure(challenge=challenge, players=players), seed, args.minutes, args.best)
        print(found.text(), file=sys.stderr, flush=True)
        if found.log and args.write:
            with writing:
                write(args.write, [*(read(args.write) if args.write.exists() else []), found.log])
        return found

    Search(game, game.configure(), 0).run(
        1, 1, (1.0, 1.0, 1.0, 0.0), 1, 0, 0.0
    )  # compiles: no game's time goes into it
    with ThreadPoolExecutor(args.threads) as workers:
        findings = list(workers.map(one, enumerate(games)))
    print(table(findings))


if __name__ == "__main__":
    main()
