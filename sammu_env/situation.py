"""What two things together come to: the parts of the observation that a player sees at a glance.

What lies where a character stands, who can pay for which cards, what enemies would take, what the win condition lacks
in an area. All of it follows from the other parts, but a network would have to learn it anew for every pair of a
character and a location, of a character and a card, or of a challenge and an area.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env.rules import battle, conditions, pools, resolve
from sammu_env.rules.actions import cards
from tabletop.jit import kernel

L, A, Z, CH, G = len(c.LOCATIONS), len(c.AREAS), len(c.ZONES), len(c.CHARACTERS), len(c.GOODS)
K, T = len(c.KINDS), len(c.TECHNOLOGIES)

#: Numbers that describe a place (:func:`write_place`).
PLACE = 11
#: Numbers that describe the character that is asked about (:func:`write_subject`).
SUBJECT = 2 * L + G + T + 2
#: Numbers that say what the win condition still lacks (:func:`write_wanted`).
WANTED = Z * K + K + G + CH

FOURTH, FIFTH, TENTH = (np.float32(1 / n) for n in (4, 5, 10))

PARTS: tuple[tuple[str, int, str, float, float], ...] = (
    ("threats", L, "by how much the enemies next door would overcome each location's defence / 10", 0, 20),
    ("gate_tokens", A, "how many of a gate's four kinds of tokens are there in each area / 4", 0, 1),
    ("gate_stands", A, "1 where the tokens, and neither unrest nor plague, let a gate stand", 0, 1),
    ("wanted", Z * K, "each zone: tokens of each kind that the win condition and its gates still lack there / 5", 0, 5),
    ("wanted_total", K, "tokens of each kind that it lacks on the map / 5", 0, 5),
    ("wanted_goods", G, "goods of each kind that it lacks / 10", 0, 5),
    ("homebound", CH, "1 for each advisor who still has to come where it wants all of that origin", 0, 1),
    ("places", CH * PLACE, "what lies where each character stands: military, diviners, supply, medicine, enemies, "
     "defence / 10, unrest, plague, gate, capital, threat / 10", 0, 20),
    ("payable", CH, "own cards that each character has the goods for / 5", 0, 20),
    ("payable_tokens", CH * K, "tokens of each kind on them / 5", 0, 80),
    ("subject_place", PLACE, "as in places: where the character stands that the prompt is about", 0, 20),
    ("from_place", PLACE, "as in places: where the prompt starts from", 0, 20),
    ("to_place", PLACE, "as in places: where it goes to", 0, 20),
    ("subject_location", L, "one-hot: where the character stands that the prompt is about", 0, 1),
    ("subject_steps", L, "steps from there to each location / 10", 0, 10),
    ("subject_goods", G, "its goods / 5", 0, 25),
    ("subject_technologies", T, "its technologies", 0, 5),
    ("subject_actions", 1, "its actions / 3", 0, 25),
    ("subject_homebound", 1, "whether it is one of those who have to come", 0, 1),
    ("subject_payable", c.N_ASHUR, "own cards that it has the goods for", 0, 1),
)  # fmt: skip


@kernel
def write(box: Any, s: Any, seat: int, who: int, start: int, target: int, out: Any, k: int) -> int:
    """Writes all parts over zeros; ``who``, ``start`` and ``target`` are what the prompt is about, -1 for none."""
    threats = out[k : k + L]
    write_threats(box, s, threats)
    k = write_gates(box, s, out, k + L)
    wanted = out[k : k + WANTED]
    write_wanted(box, s, wanted)
    k += WANTED
    for character in range(CH):
        write_place(box, s, int(s.location[character]), threats, out, k)
        k += PLACE
    payable = out[k + CH + CH * K + 3 * PLACE + SUBJECT :]
    k = write_payable(box, s, seat, who, payable, out, k)
    write_place(box, s, int(s.location[who]) if who >= 0 else -1, threats, out, k)
    write_place(box, s, start, threats, out, k + PLACE)
    write_place(box, s, target, threats, out, k + 2 * PLACE)
    return write_subject(box, s, who, wanted, out, k + 3 * PLACE) + c.N_ASHUR


@kernel
def write_threats(box: Any, s: Any, out: Any) -> None:
    """E6: where enemies who can march stand next to what is weaker."""
    for location in range(L):
        if s.enemy[location] == 0 or s.plague[location] > 0:
            continue
        for i in range(box.degree[location]):
            there = int(box.neighbour[location, i])
            if s.enemy[there] == 0 and s.plague[there] == 0 and s.diplomacy[there] == 0:
                strength = int(s.enemy[location]) * battle.enemy_strength(box, s, there)
                out[there] = max(out[there], np.float32(strength - pools.defence(box, s, there)) * TENTH)


@kernel
def missing(box: Any, s: Any, kind: int, area: int) -> bool:
    """R4: whether a gate in an area lacks a token of a kind."""
    return bool(s.token[kind, pools.place_of(box, kind, box.capital[area])] == 0)


@kernel
def write_gates(box: Any, s: Any, out: Any, k: int) -> int:
    """R4: how near every area is to a gate."""
    for area in range(A):
        n = 0
        for kind in range(K):
            n += 0 if missing(box, s, kind, area) else 1
        out[k + area] = np.float32(n) * FOURTH
        out[k + A + area] = np.float32(n == K and resolve.gate_stands(box, s, area))
    return k + 2 * A


@kernel
def write_wanted(box: Any, s: Any, out: Any) -> None:
    """W1: what each row of the condition lacks."""
    for row in range(len(box.condition[0])):
        condition = int(box.condition[s.challenge, row, 0]) if s.challenge >= 0 else c.W_NONE
        if condition == c.W_NONE:
            break
        x, y, z = (
            box.condition[s.challenge, row, 1],
            box.condition[s.challenge, row, 2],
            box.condition[s.challenge, row, 3],
        )
        if condition == c.W_GATE:
            want_gate(box, s, x, out)
        elif condition == c.W_GATES or condition == c.W_ADVISORS:
            for area in range(A):
                want_gate(box, s, area, out)
        elif condition == c.W_AREA_TOKENS:
            want(x, y, z - pools.tokens_in(box, s, y, x), out)
        elif condition == c.W_PLACE_TOKENS:
            want(int(box.zone[x]), y, z - int(s.token[y, pools.place_of(box, y, x)]), out)
        elif condition == c.W_BOTH_TOKENS:
            want_in_all(box, s, x, y, z, out)
        elif condition == c.W_TOTAL_TOKENS:
            out[Z * K + x] = np.float32(max(0, y - pools.on_map(box, s, x))) * FIFTH
        elif condition == c.W_GOODS:
            out[Z * K + K + y] = np.float32(max(0, z - conditions.group_goods(s, x, y))) * TENTH
        elif condition == c.W_ADVISORS_HOME:
            want_home(box, s, x, y, out[Z * K + K + G :])


@kernel
def want_gate(box: Any, s: Any, area: int, out: Any) -> None:
    """A gate wants one of each kind that is not there."""
    for kind in range(K):
        if s.gate[area] == 0 and missing(box, s, kind, area):
            want(area, kind, 1, out)


@kernel
def want_in_all(box: Any, s: Any, kind: int, n: int, areas: int, out: Any) -> None:
    """SAM-194: so many together, and at least one in each of some areas."""
    lacking = n - conditions.both(box, s, kind, n, areas)
    for area in range(A):
        if areas >> area & 1:
            want(area, kind, lacking, out)


@kernel
def want_home(box: Any, s: Any, origin: int, area: int, out: Any) -> None:
    """SAM-182: advisors of an origin who are not in the area where all of them are wanted."""
    for who in range(1, pools.PEOPLE):
        if box.home[who] == origin and (s.location[who] < 0 or box.zone[s.location[who]] != area):
            out[who] = 1.0


@kernel
def want(zone: int, kind: int, n: int, out: Any) -> None:
    """At least so many more are wanted."""
    out[zone * K + kind] = max(out[zone * K + kind], np.float32(n) * FIFTH)


@kernel
def write_place(box: Any, s: Any, location: int, threats: Any, out: Any, k: int) -> None:
    """What lies on a location and in its zone; nothing for -1."""
    if location < 0:
        return
    zone = int(box.zone[location])
    for kind in range(K):
        out[k + kind] = np.float32(s.token[kind, pools.place_of(box, kind, location)]) * TENTH
    out[k + K] = np.float32(s.enemy[location]) * TENTH
    out[k + K + 1] = np.float32(pools.defence(box, s, location)) * TENTH
    out[k + K + 2] = np.float32(s.unrest[location])
    out[k + K + 3] = np.float32(s.plague[location])
    out[k + K + 4] = np.float32(zone < A and s.gate[zone] > 0)
    out[k + K + 5] = np.float32(box.is_capital[location])
    out[k + K + 6] = threats[location]


@kernel
def write_payable(box: Any, s: Any, seat: int, who: int, cards_of_subject: Any, out: Any, k: int) -> int:
    """A7: own cards and the tokens on them for each character with the goods, and the cards for ``who``."""
    own = np.int16(st.HAND + seat)
    for card in range(c.N_ASHUR):
        if s.ashur[card] != own:
            continue
        for character in range(pools.PEOPLE):
            if s.status[character] == c.IN_PLAY and cards.affordable(box, s, character, card):
                out[k + character] += FIFTH
                for kind in range(K):
                    out[k + CH + character * K + kind] += np.float32(box.card_token[card, kind]) * FIFTH
                if character == who:
                    cards_of_subject[card] = 1.0
    return k + CH + CH * K


@kernel
def write_subject(box: Any, s: Any, who: int, wanted: Any, out: Any, k: int) -> int:
    """The character that the prompt is about: where it stands and what it has."""
    if who >= 0:
        here = int(s.location[who])
        if here >= 0:
            out[k + here] = 1.0
            for location in range(L):
                out[k + L + location] = np.float32(box.steps[here, location]) * TENTH
        for good in range(G):
            out[k + 2 * L + good] = np.float32(s.good[who, good]) * FIFTH
        for technology in range(T):
            out[k + 2 * L + G + technology] = np.float32(s.has[who, technology])
        out[k + 2 * L + G + T] = np.float32(s.actions[who]) / np.float32(3)
        out[k + 2 * L + G + T + 1] = wanted[Z * K + K + G + who]
    return k + SUBJECT
