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
from sammu_env.box import Box
from sammu_env.rules import battle, conditions, consult, enemies, pools, resolve
from sammu_env.rules.actions import cards
from sammu_env.state import CH, A, G, K, L, State, T, Z
from tabletop.jit import kernel
from tabletop.observation import FIFTH, FOURTH, ONE, TENTH, THIRD, Row, one_hot, scaled
from tabletop.switch import of_rows, switch

#: Steps that are counted to where tokens are wanted, and the share of one: what is farther is as far.
FAR = 8
A_STEP = np.float32(1 / FAR)
#: Numbers that describe a place (:func:`write_place`).
PLACE = 11
#: Numbers that describe the character that is asked about (:func:`write_subject`).
SUBJECT = 2 * L + G + T + 2
#: What the win condition still lacks (:func:`write_wanted`): tokens by zone, then from here on in all, goods, advisors.
TOTAL = Z * K
GOODS = TOTAL + K
HOMEBOUND = GOODS + G
WANTED = HOMEBOUND + CH
WANTED_AT = L + 2 * A  #: where these numbers begin among the parts

PARTS: tuple[Row, ...] = (
    ("threats", L, "by how much the strongest enemies that would come to each location now, if no diplomacy stops "
     "them, would overcome its defence / 10", 0, 20),
    ("gate_tokens", A, "how many of the four kinds of tokens each area has where a gate needs them / 4", 0, 1),
    ("gate_stands", A, "1 where the tokens, and neither unrest nor plague, let a gate stand", 0, 1),
    ("wanted", Z * K, "each zone: tokens of each kind that the win condition and its gates lack there / 5", 0, 20),
    ("wanted_total", K, "tokens of each kind that it lacks on the map / 5", 0, 20),
    ("wanted_goods", G, "goods of each kind that it lacks / 10", 0, 10),
    ("homebound", CH, "1 for each living advisor whom it wants in an area where the advisor is not", 0, 1),
    ("places", CH * PLACE, "where each character stands: military, diviners, the zone's supply and medicine, enemies, "
     "defence / 10; unrest, plague; 1 for a gate in the area; 1 for a capital; threat / 10", 0, 20),
    ("payable", CH, "own cards that each character whom the seat may consult could play now / 5", 0, 20),
    ("payable_tokens", CH * K, "tokens of each kind that they would give there / 5", 0, 200),
    ("subject_place", PLACE, "as in places: where the character stands that the prompt is about", 0, 20),
    ("from_place", PLACE, "as in places: where the prompt starts from", 0, 20),
    ("to_place", PLACE, "as in places: where it goes to", 0, 20),
    ("subject_location", L, "one-hot: where the character stands that the prompt is about", 0, 1),
    ("subject_steps", L, "steps from there to each location, whatever blocks them / 10", 0, 10),
    ("subject_goods", G, "its goods / 5", 0, 25),
    ("subject_technologies", T, "its technologies", 0, 5),
    ("subject_actions", 1, "its actions / 3", 0, 25),
    ("subject_homebound", 1, "whether it is homebound", 0, 1),
    ("subject_payable", c.N_ASHUR, "own cards that it could play now", 0, 1),
)  # fmt: skip
#: And where tokens are to be brought.
ERRANDS: tuple[Row, ...] = (
    ("near_wanted", K * L, "tokens of each kind: how near each location is to the next zone that wants some, 1 - steps "
     "/ 8", 0, 1),
    ("from_near", K, "tokens of each kind: as in near_wanted where the prompt starts from", 0, 1),
    ("to_near", K, "tokens of each kind: as in near_wanted where it goes to", 0, 1),
    ("to_wanted", K, "tokens of each kind: as in wanted in the zone that it goes to", 0, 20),
)  # fmt: skip


@kernel
def write(
    box: Box, s: State, seat: int, who: int, start: int, target: int, defence: Any, out: Any, k: int
) -> int:  # fmt: skip
    """Writes all parts over zeros; ``who``, ``start`` and ``target`` are what the prompt is about, -1 for none.

    ``defence`` is that of each location / 10, float32[L], as it is written elsewhere.
    """
    threats = out[k : k + L]
    write_threats(box, s, defence, threats)
    k = write_gates(box, s, out, k + L)
    wanted = out[k : k + WANTED]
    write_wanted(box, s, wanted)
    k += WANTED
    for character in range(CH):
        write_place(box, s, int(s.location[character]), defence, threats, out, k)
        k += PLACE
    cards_of_subject = out[k + CH + CH * K + 3 * PLACE + SUBJECT :]
    k = write_payable(box, s, seat, who, cards_of_subject, out, k)
    write_place(box, s, int(s.location[who]) if who >= 0 else -1, defence, threats, out, k)
    write_place(box, s, start, defence, threats, out, k + PLACE)
    write_place(box, s, target, defence, threats, out, k + 2 * PLACE)
    return write_subject(box, s, who, wanted, out, k + 3 * PLACE) + c.N_ASHUR


@kernel
def write_threats(box: Box, s: State, defence: Any, out: Any) -> None:
    """E2-E4, E6: where each location's enemies would go if they moved now."""
    for start in range(L):
        n = int(s.enemy[start])
        if n == 0 or s.plague[start] > 0:
            continue
        ways = enemies.ways_of(box, s, start, n)
        for i in range(box.degree[start] if ways != 0 else 0):
            there = int(box.neighbour[start, i])
            if ways >> there & 1 and s.diplomacy[there] == 0:
                more = n * battle.enemy_strength(box, s, there) - tenths(defence[there])
                out[there] = max(out[there], np.float32(more) * TENTH)


@kernel
def tenths(share: float) -> int:
    """How many tenths are meant by a number that is about so many."""
    return int(share * 10.0 + 0.5)


@kernel
def write_gates(box: Box, s: State, out: Any, k: int) -> int:
    """R4: how near every area is to a gate."""
    for area in range(A):
        out[k + area] = np.float32(resolve.gate_parts(box, s, area)) * FOURTH
        out[k + A + area] = np.float32(resolve.gate_stands(box, s, area))
    return k + 2 * A


@kernel
def write_wanted(box: Box, s: State, out: Any) -> None:
    """W1: what each row of the condition lacks."""
    for row in range(len(box.condition[0])):
        wish = box.condition[s.challenge, row]
        if s.challenge < 0 or wish[0] == c.W_NONE:
            break
        want(box, s, row, out, int(wish[0]), int(wish[1]), int(wish[2]), int(wish[3]))


@kernel
def lacks(zone: int, kind: int, n: int, out: Any) -> None:
    """At least so many more are wanted."""
    out[zone * K + kind] = max(out[zone * K + kind], np.float32(n) * FIFTH)


# What each condition lacks, told its fields by name and its row; no unrest and no enemies are seen elsewhere


@kernel
def want_gate(box: Box, s: State, area: int, out: Any) -> None:
    """A gate wants one of each kind that is not there, or it will fall."""
    for kind in range(K):
        if resolve.lacks(box, s, area, kind):
            lacks(area, kind, 1, out)


@kernel
def want_gates(box: Box, s: State, row: int, out: Any) -> None:
    """SAM-184, SAM-195: every gate helps as long as there are not enough; then those that are set must not fall."""
    enough = conditions.reached(box, s, row) >= conditions.needed(box, s, row)
    for area in range(A):
        if s.gate[area] > 0 or not enough:
            want_gate(box, s, area, out)


@kernel
def want_advisors(box: Box, s: State, row: int, out: Any) -> None:
    """Gates bring them."""
    want_gates(box, s, row, out)


@kernel
def want_area_tokens(box: Box, s: State, area: int, kind: int, n: int, out: Any) -> None:
    """Those that the area lacks."""
    lacks(area, kind, n - pools.tokens_in(box, s, kind, area), out)


@kernel
def want_place_tokens(box: Box, s: State, location: int, kind: int, n: int, out: Any) -> None:
    """Those that the location lacks, added up in its zone."""
    more = max(0, n - int(s.token[kind, pools.place_of(box, kind, location)]))
    out[box.zone[location] * K + kind] += np.float32(more) * FIFTH


@kernel
def want_both_tokens(box: Box, s: State, kind: int, n: int, areas: int, out: Any) -> None:
    """SAM-194: so many together, and at least one in each of some areas."""
    total = 0
    for area in range(A):
        total += pools.tokens_in(box, s, kind, area) if areas >> area & 1 else 0
    for area in range(A):
        if areas >> area & 1:
            lacks(area, kind, n - total, out)
            lacks(area, kind, 1 - pools.tokens_in(box, s, kind, area), out)


@kernel
def want_total_tokens(box: Box, s: State, kind: int, n: int, areas: int, out: Any) -> None:
    """SAM-189, SAM-192, SAM-197: so many on the map, in so many areas."""
    out[TOTAL + kind] = max(out[TOTAL + kind], np.float32(n - pools.on_map(box, s, kind)) * FIFTH)
    if conditions.areas_with(box, s, kind) < areas:
        for area in range(A):
            lacks(area, kind, 1 - pools.tokens_in(box, s, kind, area), out)


@kernel
def want_goods(s: State, group: int, good: int, n: int, out: Any) -> None:
    """Those that the group lacks."""
    lacking = np.float32(n - conditions.group_goods(s, group, good)) * TENTH
    out[GOODS + good] = max(out[GOODS + good], lacking)


@kernel
def want_advisors_home(box: Box, s: State, origin: int, area: int, out: Any) -> None:
    """SAM-182: living advisors of an origin who are not where all are wanted; a gate brings those out of play."""
    for who in range(1, pools.PEOPLE):
        if box.home[who] != origin or s.status[who] == c.DEAD:
            continue
        if s.location[who] < 0:
            want_gate(box, s, origin, out)
        if s.location[who] < 0 or box.zone[s.location[who]] != area:
            out[HOMEBOUND + who] = 1.0


#: What a row lacks: ``want(box, s, row, out, condition, x, y, z)``.
want = switch(
    "want", "box, s, row, out, condition, x, y, z", "condition",
    of_rows("want", "c.W", c.CONDITION_ROWS, "box s row out", globals(), every=False), globals(),
)  # fmt: skip


@kernel
def write_place(box: Box, s: State, location: int, defence: Any, threats: Any, out: Any, k: int) -> None:
    """What lies on a location and in its zone; nothing for -1."""
    if location < 0:
        return
    zone = int(box.zone[location])
    for kind in range(K):
        out[k + kind] = np.float32(s.token[kind, pools.place_of(box, kind, location)]) * TENTH
    out[k + K] = np.float32(s.enemy[location]) * TENTH
    out[k + K + 1] = np.float32(tenths(defence[location])) * TENTH
    out[k + K + 2] = np.float32(s.unrest[location])
    out[k + K + 3] = np.float32(s.plague[location])
    out[k + K + 4] = np.float32(zone < A and s.gate[zone] > 0)
    out[k + K + 5] = np.float32(box.is_capital[location])
    out[k + K + 6] = threats[location]


@kernel
def write_payable(box: Box, s: State, seat: int, who: int, cards_of_subject: Any, out: Any, k: int) -> int:
    """A7: for each character how many own cards it could play, and the tokens that they give; for ``who`` which."""
    own, may = np.int16(st.HAND + seat), 0
    for character in range(pools.PEOPLE):
        may |= int(consult.may_consult(s, seat, character)) << character
    for card in range(c.N_ASHUR if s.hand_n[seat] > 0 else 0):
        if s.ashur[card] != own:
            continue
        for character in range(pools.PEOPLE):
            if may >> character & 1 and cards.playable(box, s, seat, character, card, cards.PAID):
                out[k + character] += FIFTH
                for kind in range(K):
                    out[k + CH + character * K + kind] += np.float32(cards.gain(box, s, character, card, kind)) * FIFTH
                if character == who:
                    cards_of_subject[card] = 1.0
    return k + CH + CH * K


@kernel
def write_subject(box: Box, s: State, who: int, wanted: Any, out: Any, k: int) -> int:
    """The character that the prompt is about: where it stands and what it has."""
    if who < 0:
        return k + SUBJECT
    here = int(s.location[who])
    k = one_hot(out, k, L, here)
    if here >= 0:
        scaled(out, k, box.steps[here], TENTH)
    k = scaled(out, k + L, s.good[who], FIFTH)
    k = scaled(out, k, s.has[who], ONE)
    out[k] = np.float32(s.actions[who]) * THIRD
    out[k + 1] = wanted[HOMEBOUND + who]
    return k + 2


@kernel
def write_errands(box: Box, start: int, target: int, wanted: Any, out: Any, k: int) -> int:
    """Writes the last parts over zeros; ``wanted`` are the numbers from that part on."""
    n = k + K * L
    for kind in range(K):
        near = out[k + kind * L : k + (kind + 1) * L]
        for zone in range(Z):
            if wanted[zone * K + kind] > 0:
                for here in range(L):
                    share = np.float32(FAR - box.zone_steps[zone, here]) * A_STEP
                    near[here] = share if share > near[here] else near[here]
        if start >= 0:
            out[n + kind] = near[start]
        if target >= 0:
            out[n + K + kind] = near[target]
            out[n + 2 * K + kind] = wanted[box.zone[target] * K + kind]
    return n + 3 * K
