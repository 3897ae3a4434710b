"""What a seat sees, as a named vector of float32.

Everything a player at the table sees is there: the map, all cards' contents, what remains in deck, row and bag, and
what is being asked. Seats are relative: 0 is the seat that looks, 1 the next clockwise. :func:`layout` names the parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env import steps
from sammu_env.rules import conditions, pools
from tabletop.jit import kernel
from tabletop.steps import ARGS

L, A, Z, CH, G = len(c.LOCATIONS), len(c.AREAS), len(c.ZONES), len(c.CHARACTERS), len(c.GOODS)
K, M, T, P, E = len(c.KINDS), len(c.MARKERS), len(c.TECHNOLOGIES), c.MAX_PLAYERS, c.N_EVENTS
PROMPTS = len(steps.PROMPTS)
ROWS = 12
TOKENS_UNIT = 10.0
LOOK_AHEAD = 3


@dataclass(frozen=True)
class Part:
    """A named slice of the vector, what it means, and the range ``low`` to ``high`` of its values."""

    name: str
    slice: slice
    meaning: str
    low: float
    high: float


_CHARACTER = 1 + L + len(c.STATUS) + 3 + P + G + T + P + 8
_PARTS: tuple[tuple[str, int, str, float, float], ...] = (
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
    ("pools", 1 + G + T + M, "enemies, goods, technologies and markers left in the pool / total", 0, 1),
    ("bag", M, "markers in the bag / 5", 0, 2),
    ("locations", L * (9 + T), "each location: military, diviner, enemy, defence / 10; unrest, plague; diplomacy, "
     "karu, health; one-hot: technology lying there", 0, 10),
    ("zones", Z * 2, "each area, Damascus, Sardes: supply, medicine / 10", 0, 2),
    ("areas", A * 6, "each area: gate, karu, health, Queen's Road closed, tokens barred, double steps", 0, 5),
    ("roads", c.MAX_ROADS, "karu on each road", 0, 5),
    ("characters", CH * _CHARACTER, "each character: active; one-hot location, status, side, owner (relative); "
     "goods / 5; technologies; one-hot consulted by (relative); may act now, actions / 3, moves / 3, frozen, fewer "
     "actions, ability used, sun used, acts by grace", 0, 25),
    ("month_conditions", 9, "Queen's Road closed, closed at markets, markets closed, more steps for advisors, for "
     "all, move limit (-1 none), more actions of Sammu-ramat / 100, corruption / 5, bribes / 2", -1, 5),
    ("seats", P * 3, "each seat, relative: cards in hand / 10, free actions / 5, turn done", 0, 10),
    ("hand", c.N_ASHUR, "own cards", 0, 1),
    ("other_hands", (P - 1) * c.N_ASHUR, "the other seats' cards, clockwise; zeros where hands are hidden", 0, 1),
    ("deck", c.N_ASHUR, "cards that may still be drawn (with hidden hands, those of others too)", 0, 1),
    ("discard", c.N_ASHUR, "cards in the discard", 0, 1),
    ("load", K + CH, "what is picked up for the move in hand: tokens / 5, characters", 0, 4),
    ("condition", 2 * ROWS, "each row of the win condition: there is one; how far it is met", 0, 1),
)  # fmt: skip


def layout() -> tuple[Part, ...]:
    """The parts of the vector, in order."""
    parts, at = [], 0
    for name, size, meaning, low, high in _PARTS:
        parts.append(Part(name, slice(at, at + size), meaning, low, high))
        at += size
    return tuple(parts)


#: Length of the vector.
SIZE = sum(size for _, size, *_ in _PARTS)


@kernel
def one_hot(out: Any, k: int, n: int, i: int) -> int:
    """A one at ``i`` of ``n`` places from ``k`` on, if ``i`` is one of them. Returns where the next part begins."""
    if 0 <= i < n:
        out[k + i] = 1.0
    return k + n


@kernel
def write(box: Any, s: Any, seat: int, out: Any) -> int:
    """Writes the vector of a seat over ``out`` (float32[SIZE]). Returns how many values it wrote."""
    out[:] = 0.0
    k = write_game(s, seat, out, 0)
    k = write_events(s, out, k)
    k = write_pools(box, s, out, k)
    k = write_map(box, s, out, k)
    k = write_characters(s, seat, out, k)
    k = write_seats(s, seat, out, k)
    for kind in range(K):
        out[k + kind] = s.load[kind] / 5.0
    k += K
    for who in range(CH):
        out[k + who] = s.load_character[who]
    k += CH
    for row in range(ROWS):
        need = conditions.needed(box, s, row) if s.challenge >= 0 else 0
        if need > 0:
            out[k] = 1.0
            out[k + 1] = conditions.reached(box, s, row) / need
        k += 2
    return k


@kernel
def relative(s: Any, seat: int, other: int) -> int:
    """A seat as seen from another: 0 itself, 1 the next clockwise; -1 for none."""
    return (other - seat) % s.players if other >= 0 else -1


@kernel
def write_game(s: Any, seat: int, out: Any, k: int) -> int:
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
    k += ARGS
    k = write_subject(s, op, out, k)
    k = one_hot(out, k, P, relative(s, seat, s.to_act))
    k = one_hot(out, k, P, relative(s, seat, s.seat))
    return one_hot(out, k, P, relative(s, seat, s.first_player))


@kernel
def write_subject(s: Any, op: int, out: Any, k: int) -> int:
    """The character and the places that a prompt is about."""
    who, start, target = int(s.active), -1, -1
    top = s.sp - 1
    if op == steps.LOAD or op == steps.ARMY or op == steps.JOIN:
        who, start, target = int(s.arg[top, 0]), int(s.arg[top, 1]), int(s.arg[top, 2])
    elif op == steps.FLEE:
        who, start = int(s.arg[top, 0]), int(s.arg[top, 1])
    elif op == steps.COMMAND_ARMY or op == steps.COMMAND_GO or op == steps.SUMMON_GO or op == steps.RECOVER:
        start = int(s.arg[top, 0])
    elif op == steps.CONVERT_TO:
        start = int(s.arg[top, 1])
    elif op == steps.PAY_GOODS or op == steps.GAIN_TECHNOLOGY or op == steps.MOVE_CHARACTER_TO:
        who = int(s.arg[top, 0])
    k = one_hot(out, k, CH, who)
    k = one_hot(out, k, L, start)
    return one_hot(out, k, L, target)


@kernel
def write_events(s: Any, out: Any, k: int) -> int:
    """The event row."""
    k = one_hot(out, k, E, s.event)
    k = one_hot(out, k, A, s.event_area)
    k = one_hot(out, k, A, s.previous_area)
    for i in range(LOOK_AHEAD):
        slot = s.month + i
        known = int(s.slot[slot]) if slot < s.months else -1
        k = one_hot(out, k, E, known)
    for event in range(E):
        if s.event_at[event] == st.UNSEEN:
            out[k + event] = 1.0
    k += E
    for slot in range(c.MAX_MONTHS):
        out[k + slot] = s.slot_religion[slot] / 5.0
    return k + c.MAX_MONTHS


@kernel
def write_pools(box: Any, s: Any, out: Any, k: int) -> int:
    """Sammu-ramat's markers, the empire board, pools and bag."""
    out[k] = s.assassination / 5.0
    out[k + 1] = s.religion / 5.0
    k += 2
    for kind in range(K):
        out[k + kind] = pools.on_map(box, s, kind) / box.token_total[kind]
    k += K
    out[k] = s.enemy_pool / box.enemy_total
    k += 1
    for good in range(G):
        out[k + good] = s.good_pool[good] / box.good_total[good]
    k += G
    for technology in range(T):
        out[k + technology] = s.technology_pool[technology] / box.technology_total[technology]
    k += T
    for marker in range(M):
        out[k + marker] = s.marker_pool[marker] / box.marker_total[marker]
    k += M
    for marker in range(M):
        out[k + marker] = s.bag[marker] / 5.0
    return k + M


@kernel
def write_map(box: Any, s: Any, out: Any, k: int) -> int:
    """Locations, zones, areas, roads."""
    for location in range(L):
        out[k] = s.token[c.MILITARY, location] / TOKENS_UNIT
        out[k + 1] = s.token[c.DIVINER, location] / TOKENS_UNIT
        out[k + 2] = s.enemy[location] / TOKENS_UNIT
        out[k + 3] = pools.defence(box, s, location) / TOKENS_UNIT
        out[k + 4] = s.unrest[location]
        out[k + 5] = s.plague[location]
        out[k + 6] = s.diplomacy[location]
        out[k + 7] = s.karu[location]
        out[k + 8] = s.health[location]
        k = one_hot(out, k + 9, T, s.technology[location])
    for zone in range(Z):
        out[k] = s.token[c.SUPPLY, zone] / TOKENS_UNIT
        out[k + 1] = s.token[c.MEDICINE, zone] / TOKENS_UNIT
        k += 2
    for area in range(A):
        out[k] = s.gate[area]
        out[k + 1] = s.area_karu[area]
        out[k + 2] = s.area_health[area]
        out[k + 3] = s.road_closed[area]
        out[k + 4] = s.token_ban[area]
        out[k + 5] = s.double_steps[area]
        k += 6
    for road in range(c.MAX_ROADS):
        out[k + road] = s.road_karu[road]
    return k + c.MAX_ROADS


@kernel
def write_characters(s: Any, seat: int, out: Any, k: int) -> int:
    """Every character, and what holds for the month."""
    for who in range(CH):
        if s.active == who:
            out[k] = 1.0
        k = one_hot(out, k + 1, L, s.location[who])
        k = one_hot(out, k, len(c.STATUS), s.status[who])
        k = one_hot(out, k, 3, s.side[who])
        k = one_hot(out, k, P, relative(s, seat, s.owner[who]))
        for good in range(G):
            out[k + good] = s.good[who, good] / 5.0
        k += G
        for technology in range(T):
            out[k + technology] = s.has[who, technology]
        k += T
        k = one_hot(out, k, P, relative(s, seat, s.consulted[who]))
        out[k] = 1.0 if s.user[who] >= 0 else 0.0
        out[k + 1] = s.actions[who] / 3.0
        out[k + 2] = s.moves[who] / 3.0
        out[k + 3] = s.frozen[who]
        out[k + 4] = s.fewer_actions[who]
        out[k + 5] = s.used[who]
        out[k + 6] = s.sun_used[who]
        out[k + 7] = s.granted[who]
        k += 8
    out[k] = s.roads_closed
    out[k + 1] = s.market_road_closed
    out[k + 2] = s.markets_closed
    out[k + 3] = s.advisor_steps
    out[k + 4] = s.character_steps
    out[k + 5] = s.move_limit
    out[k + 6] = s.queen_actions / 100.0
    out[k + 7] = s.corruption / 5.0
    out[k + 8] = s.bribes / 2.0
    return k + 9


@kernel
def write_seats(s: Any, seat: int, out: Any, k: int) -> int:
    """Seats, hands, deck and discard."""
    for i in range(P):
        if i < s.players:
            other = (seat + i) % s.players
            out[k] = s.hand_n[other] / 10.0
            out[k + 1] = s.free_actions[other] / 5.0
            out[k + 2] = s.turn_done[other]
        k += 3
    deck = k + P * c.N_ASHUR
    for card in range(c.N_ASHUR):
        at = int(s.ashur[card])
        if at == st.DECK:
            out[deck + card] = 1.0
        elif at == st.DISCARD:
            out[deck + c.N_ASHUR + card] = 1.0
        else:
            if at - st.HAND >= s.players:
                continue
            i = relative(s, seat, at - st.HAND)
            if i == 0 or s.hidden_hands == 0:
                out[k + i * c.N_ASHUR + card] = 1.0
            else:
                out[deck + card] = 1.0
    return deck + 2 * c.N_ASHUR
