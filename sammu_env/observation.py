"""What a seat sees, as a named vector of float32.

Everything a player at the table sees is there: the map, all cards' contents, what remains in deck, row and bag, and
what is being asked. Seats are relative: 0 is the seat that looks, 1 the next clockwise. :func:`layout` names the parts.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sammu_env import constants as c
from sammu_env import situation, steps
from sammu_env import state as st
from sammu_env.box import CONDITION_ROWS as ROWS
from sammu_env.box import Box
from sammu_env.rules import conditions, pools
from sammu_env.state import CH, A, G, K, L, M, P, State, T, Z
from tabletop.jit import kernel
from tabletop.observation import (
    FIFTH,
    HALF,
    HUNDREDTH,
    ONE,
    TENTH,
    THIRD,
    Part,
    equal,
    lay_out,
    one_hot,
    relative,
    scaled,
    shares,
)
from tabletop.steps import ARGS, top

PROMPTS = len(steps.PROMPTS)
E = c.N_EVENTS
LOOK_AHEAD = 3

_PARTS = lay_out((
    ("challenge", c.N_CHALLENGES, "one-hot: the challenge", 0, 1),
    ("next_challenge", c.N_CHALLENGES, "one-hot: a campaign's next challenge, once drawn", 0, 1),
    ("players", P, "one-hot: number of players", 0, 1),
    ("campaign", 2, "1 in a campaign; challenges finished / 4", 0, 1),
    ("month", c.MAX_MONTHS, "one-hot: the month", 0, 1),
    ("months", c.MAX_MONTHS, "one-hot: the last month", 0, 1),
    ("stage", len(c.STAGES), "one-hot: the stage (constants.STAGES)", 0, 1),
    ("prompt", PROMPTS, "one-hot: what is asked (steps.PROMPTS)", 0, 1),
    ("prompt_arguments", ARGS, "the prompt's arguments as they are (steps.py lists them) / 100", -1, 10),
    ("prompt_character", CH, "one-hot: the character that the prompt is about", 0, 1),
    ("prompt_from", L, "one-hot: the location it starts from", 0, 1),
    ("prompt_to", L, "one-hot: the location it goes to", 0, 1),
    ("to_act", P, "one-hot, relative: the seat that is asked", 0, 1),
    ("turn", P, "one-hot, relative: the seat whose turn it is", 0, 1),
    ("first_player", P, "one-hot, relative: the first player", 0, 1),
    ("event", E, "one-hot: this month's event", 0, 1),
    ("event_area", A, "one-hot: its area", 0, 1),
    ("previous_area", A, "one-hot: last month's area", 0, 1),
    ("known_events", LOOK_AHEAD * E, "one-hot each: the next three events where somebody has looked", 0, 1),
    ("events_unseen", E, "1 for each event that may still come", 0, 1),
    ("event_religion", c.MAX_MONTHS, "religion markers on each month's card / 5", 0, 1),
    ("queen", 2, "assassination and religion markers on Sammu-ramat / 5", 0, 1),
    ("tracks", K, "tokens on the map / total: military, diviner, supply, medicine", 0, 1),
    ("enemy_pool", 1, "enemies left in the pool / total", 0, 1),
    ("good_pool", G, "goods left in the pool / total", 0, 1),
    ("technology_pool", T, "technologies left in the pool / total", 0, 1),
    ("marker_pool", M, "markers left in the pool / total", 0, 1),
    ("bag", M, "markers in the bag / 5", 0, 2),
    ("military", L, "military on each location / 10", 0, 10),
    ("diviners", L, "diviners on each location / 10", 0, 10),
    ("enemies", L, "enemies on each location / 10", 0, 10),
    ("defence", L, "defence of each location / 10", 0, 10),
    ("unrest", L, "unrest on each location", 0, 1),
    ("plague", L, "plague on each location", 0, 1),
    ("diplomacy", L, "diplomacy on each location", 0, 10),
    ("karu", L, "karu on each location", 0, 10),
    ("health", L, "health on each location", 0, 10),
    ("technology", L * T, "each location, one-hot: the technology lying there", 0, 1),
    ("supply", Z, "supply in each area, Damascus and Sardes / 10", 0, 2),
    ("medicine", Z, "medicine in each area, Damascus and Sardes / 10", 0, 2),
    ("gate", A, "gates in each area", 0, 5),
    ("area_karu", A, "karu in each area", 0, 5),
    ("area_health", A, "health in each area", 0, 5),
    ("road_closed", A, "1 where the Queen's Road is closed this month", 0, 5),
    ("token_ban", A, "1 where tokens are barred this month", 0, 5),
    ("double_steps", A, "1 where in and out costs two steps this month", 0, 5),
    ("roads", c.MAX_ROADS, "karu on each road", 0, 5),
    ("active", CH, "one-hot: the character who acts", 0, 1),
    ("location", CH * L, "each character, one-hot: where it is", 0, 1),
    ("status", CH * len(c.STATUS), "each character, one-hot: its status (constants.STATUS)", 0, 1),
    ("side", CH * 3, "each character, one-hot: the side of its card that is up", 0, 1),
    ("owner", CH * P, "each character, one-hot, relative: whose personal advisor it is", 0, 1),
    ("consulted", CH * P, "each character, one-hot, relative: whose disc lies there", 0, 1),
    ("goods", CH * G, "each character's goods / 5", 0, 25),
    ("technologies", CH * T, "each character's technologies", 0, 5),
    ("may_act", CH, "1 for each character who may act now", 0, 1),
    ("actions", CH, "each character's actions, with those that a turn left for players without a disc / 3", 0, 25),
    ("moves", CH, "each character's moves this month / 3", 0, 25),
    ("frozen", CH, "1 for each character that may not move this month", 0, 5),
    ("fewer_actions", CH, "how many actions less each character has this month", 0, 5),
    ("used", CH, "1 where the ability of once a month is used", 0, 1),
    ("sun_used", CH, "suns used this month", 0, 5),
    ("granted", CH, "1 for each character who acts by grace", 0, 1),
    ("month_conditions", 9, "Queen's Road closed, closed at markets, markets closed, more steps for advisors, for "
     "all, move limit (-1 none), more actions of Sammu-ramat / 100, corruption / 5, bribes / 2", -1, 5),
    ("hand_sizes", P, "each seat, relative: cards in hand / 10", 0, 10),
    ("free_actions", P, "each seat, relative: free actions / 5", 0, 5),
    ("turn_done", P, "1 for each seat, relative, whose turn is done", 0, 1),
    ("hand", c.N_ASHUR, "own cards", 0, 1),
    ("other_hands", (P - 1) * c.N_ASHUR, "the other seats' cards, clockwise; zeros where hands are hidden", 0, 1),
    ("deck", c.N_ASHUR, "cards that may still be drawn (with hidden hands, those of others too)", 0, 1),
    ("discard", c.N_ASHUR, "cards in the discard", 0, 1),
    ("load", K, "tokens picked up for the move in hand / 5", 0, 4),
    ("load_characters", CH, "characters taken along", 0, 1),
    ("condition", 2 * ROWS, "each row of the win condition: there is one; how far it is met", 0, 1),
    *situation.PARTS,
    ("area_goods", A * G, "each area, one-hot: the good that it brings in this box", 0, 1),
    ("markets", L, "1 for each location with a market in this box", 0, 1),
    *situation.ERRANDS,
))  # fmt: skip
#: The parts that say only how much somebody may still do.
SPARE = ("actions", "moves", "used", "sun_used", "free_actions", "subject_actions")
#: Length of the vector.
SIZE = _PARTS[-1].slice.stop


def layout() -> tuple[Part, ...]:
    """The parts of the vector, in order."""
    return _PARTS


#: Length of what :func:`hidden` tells.
HIDDEN_SIZE = (P - 1) * c.N_ASHUR


def hidden(states: NDArray[np.void]) -> NDArray[np.float32]:
    """The other hands where they are hidden from the seat that is asked, clockwise, float32 (n, HIDDEN_SIZE); else 0.

    With them the deck is known too.
    """
    players, seat = (states[name].astype(np.int64)[:, None] for name in ("players", "to_act"))
    others = np.arange(1, P)[None, :]
    place = np.where(others < players, st.HAND + (seat + others) % players, -1)
    told = (states["ashur"][:, None, :] == place[:, :, None]) & (states["hidden_hands"] > 0)[:, None, None]
    return told.reshape(len(states), HIDDEN_SIZE).astype(np.float32)


@kernel
def write(box: Box, s: State, seat: int, out: Any) -> int:
    """Writes the vector of a seat over ``out`` (float32[SIZE]). Returns how many values it wrote."""
    out[:] = 0.0
    who, start, target = subject_of(s)
    k = write_game(s, seat, who, start, target, out, 0)
    k = write_events(s, out, k)
    k = write_pools(box, s, out, k)
    defence = out[k + 3 * L : k + 4 * L]
    k = write_locations(box, s, out, k)
    k = write_areas(s, out, k)
    k = write_characters(s, seat, out, k)
    k = write_month(s, out, k)
    k = write_seats(s, seat, out, k)
    k = write_cards(s, seat, out, k)
    k = scaled(out, k, s.load, FIFTH)
    k = scaled(out, k, s.load_character, ONE)
    k = write_condition(box, s, out, k)
    wanted = out[k + situation.WANTED_AT :]
    k = situation.write(box, s, seat, who, start, target, defence, out, k)
    k = write_box(box, out, k)
    return situation.write_errands(box, start, target, wanted, out, k)


@kernel
def write_game(s: State, seat: int, who: int, start: int, target: int, out: Any, k: int) -> int:
    """Setup, time and the question."""
    k = one_hot(out, k, c.N_CHALLENGES, s.challenge)
    k = one_hot(out, k, c.N_CHALLENGES, s.next_challenge)
    k = one_hot(out, k, P, s.players - 1)
    out[k] = s.campaign
    out[k + 1] = s.game / 4.0
    k += 2
    k = one_hot(out, k, c.MAX_MONTHS, s.month - 1)
    k = one_hot(out, k, c.MAX_MONTHS, s.months - 1)
    k = one_hot(out, k, len(c.STAGES), s.stage)
    op = int(s.op[s.sp - 1]) if s.sp > 0 else steps.HALT
    asks = op <= steps.LAST_PROMPT
    k = one_hot(out, k, PROMPTS, op)
    for i in range(ARGS):
        out[k + i] = s.arg[s.sp - 1, i] / 100.0 if asks else 0.0
    if op == steps.CARDS_GET and s.hidden_hands > 0 and seat != top(s, 0) and seat != top(s, 1):
        out[k + steps.OFFERED] = 0.0
    k += ARGS
    k = one_hot(out, k, CH, who)
    k = one_hot(out, k, L, start)
    k = one_hot(out, k, L, target)
    k = one_hot(out, k, P, relative(seat, s.to_act, s.players))
    k = one_hot(out, k, P, relative(seat, s.seat, s.players))
    return one_hot(out, k, P, relative(seat, s.first_player, s.players))


@kernel
def subject_of(s: State) -> tuple[int, int, int]:
    """The character and the two places that a prompt is about, -1 for none; a draw is about nobody."""
    op = int(s.op[s.sp - 1]) if s.sp > 0 else steps.HALT
    if op <= steps.LAST_CHANCE or op > steps.LAST_PROMPT:
        return int(s.active), -1, -1
    who = named(s, steps.CHARACTER[op])
    return who if who >= 0 else int(s.active), named(s, steps.FROM[op]), named(s, steps.TO[op])


@kernel
def named(s: State, i: int) -> int:
    """Argument ``i`` of the step on top, or -1 where it has none."""
    return int(s.arg[s.sp - 1, i]) if i >= 0 else -1


@kernel
def write_events(s: State, out: Any, k: int) -> int:
    """The event row."""
    k = one_hot(out, k, E, s.event)
    k = one_hot(out, k, A, s.event_area)
    k = one_hot(out, k, A, s.previous_area)
    for i in range(LOOK_AHEAD):
        slot = s.month + i
        known = int(s.slot[slot]) if slot < s.months else -1
        k = one_hot(out, k, E, known)
    k = equal(out, k, s.event_at, st.UNSEEN)
    return scaled(out, k, s.slot_religion, FIFTH)


@kernel
def write_pools(box: Box, s: State, out: Any, k: int) -> int:
    """Sammu-ramat's markers, the empire board, pools and bag."""
    out[k] = np.float32(s.assassination) * FIFTH
    out[k + 1] = np.float32(s.religion) * FIFTH
    k += 2
    for kind in range(K):
        out[k + kind] = np.float32(pools.on_map(box, s, kind)) / np.float32(box.token_total[kind])
    out[k + K] = np.float32(s.enemy_pool) / np.float32(box.enemy_total)
    k = shares(out, k + K + 1, s.good_pool, box.good_total)
    k = shares(out, k, s.technology_pool, box.technology_total)
    k = shares(out, k, s.marker_pool, box.marker_total)
    return scaled(out, k, s.bag, FIFTH)


@kernel
def write_locations(box: Box, s: State, out: Any, k: int) -> int:
    """What is on the locations."""
    k = scaled(out, k, s.token[c.MILITARY], TENTH)
    k = scaled(out, k, s.token[c.DIVINER], TENTH)
    k = scaled(out, k, s.enemy, TENTH)
    k = write_defence(box, s, out, k)
    k = scaled(out, k, s.unrest, ONE)
    k = scaled(out, k, s.plague, ONE)
    k = scaled(out, k, s.diplomacy, ONE)
    k = scaled(out, k, s.karu, ONE)
    k = scaled(out, k, s.health, ONE)
    for location in range(L):
        k = one_hot(out, k, T, s.technology[location])
    return k


@kernel
def write_defence(box: Box, s: State, out: Any, k: int) -> int:
    """E6 for every location at once, as :func:`pools.defence` for one."""
    scaled(out, k, s.token[c.MILITARY], TENTH)
    for who in range(pools.PEOPLE):
        at = int(s.location[who])
        if at >= 0:
            out[k + at] += np.float32(pools.defence_of(box, s, who)) * TENTH
            if box.ability[who, s.side[who], c.A_DIVINERS_DEFEND] > 0 and box.zone[at] < A:
                for i in range(box.zone_n[box.zone[at]]):
                    location = int(box.zone_location[box.zone[at], i])
                    out[k + location] += np.float32(s.token[c.DIVINER, location]) * TENTH
    return k + L


@kernel
def write_areas(s: State, out: Any, k: int) -> int:
    """What is in zones and areas and on roads."""
    k = scaled(out, k, s.token[c.SUPPLY, :Z], TENTH)
    k = scaled(out, k, s.token[c.MEDICINE, :Z], TENTH)
    k = scaled(out, k, s.gate, ONE)
    k = scaled(out, k, s.area_karu, ONE)
    k = scaled(out, k, s.area_health, ONE)
    k = scaled(out, k, s.road_closed, ONE)
    k = scaled(out, k, s.token_ban, ONE)
    k = scaled(out, k, s.double_steps, ONE)
    return scaled(out, k, s.road_karu, ONE)


@kernel
def write_characters(s: State, seat: int, out: Any, k: int) -> int:
    """Every character."""
    k = one_hot(out, k, CH, s.active)
    for who in range(CH):
        k = one_hot(out, k, L, s.location[who])
    for who in range(CH):
        k = one_hot(out, k, len(c.STATUS), s.status[who])
    for who in range(CH):
        k = one_hot(out, k, 3, s.side[who])
    for who in range(CH):
        k = one_hot(out, k, P, relative(seat, s.owner[who], s.players))
    for who in range(CH):
        k = one_hot(out, k, P, relative(seat, s.consulted[who], s.players))
    k = scaled(out, k, s.good.reshape(CH * G), FIFTH)
    k = scaled(out, k, s.has.reshape(CH * T), ONE)
    may_act = out[k : k + CH]
    for who in range(CH):
        may_act[who] = np.float32(s.user[who] >= 0)
    k += CH
    for who in range(CH):
        out[k + who] = np.float32(s.actions[who] + s.leftover[who]) * THIRD
    k = scaled(out, k + CH, s.moves, THIRD)
    k = scaled(out, k, s.frozen, ONE)
    k = scaled(out, k, s.fewer_actions, ONE)
    k = scaled(out, k, s.used, ONE)
    k = scaled(out, k, s.sun_used, ONE)
    return scaled(out, k, s.granted, ONE)


@kernel
def write_month(s: State, out: Any, k: int) -> int:
    """What holds for the month."""
    out[k] = s.roads_closed
    out[k + 1] = s.market_road_closed
    out[k + 2] = s.markets_closed
    out[k + 3] = s.advisor_steps
    out[k + 4] = s.character_steps
    out[k + 5] = s.move_limit
    out[k + 6] = np.float32(s.queen_actions) * HUNDREDTH
    out[k + 7] = np.float32(s.corruption) * FIFTH
    for group in range(len(c.GROUPS)):
        out[k + 8] += np.float32(s.bribes[group]) * HALF
    return k + 9


@kernel
def write_seats(s: State, seat: int, out: Any, k: int) -> int:
    """Every seat."""
    for i in range(s.players):
        other = (seat + i) % s.players
        out[k + i] = np.float32(s.hand_n[other]) * TENTH
        out[k + P + i] = np.float32(s.free_actions[other]) * FIFTH
        out[k + 2 * P + i] = s.turn_done[other]
    return k + 3 * P


@kernel
def write_cards(s: State, seat: int, out: Any, k: int) -> int:
    """Hands, deck and discard."""
    own = st.HAND + seat
    hidden = s.hidden_hands > 0
    for i in range(1 if hidden else s.players):
        equal(out, k + i * c.N_ASHUR, s.ashur, st.HAND + (seat + i) % s.players)
    k += P * c.N_ASHUR
    equal(out, k, s.ashur, st.DECK)
    if hidden:
        for card in range(c.N_ASHUR):
            at = int(s.ashur[card])
            if at >= st.HAND and at != own and at < st.HAND + s.players:
                out[k + card] = 1.0
    return equal(out, k + c.N_ASHUR, s.ashur, st.DISCARD)


@kernel
def write_condition(box: Box, s: State, out: Any, k: int) -> int:
    """How far the challenge is met."""
    for row in range(ROWS):
        need = conditions.needed(box, s, row) if s.challenge >= 0 else 0
        if need == 0:
            break
        out[k + 2 * row] = 1.0
        out[k + 2 * row + 1] = np.float32(conditions.reached(box, s, row)) / np.float32(need)
    return k + 2 * ROWS


@kernel
def write_box(box: Box, out: Any, k: int) -> int:
    """What the map brings, which differs from box to box."""
    for area in range(A):
        k = one_hot(out, k, G, box.area_good[area])
    return scaled(out, k, box.market, ONE)
