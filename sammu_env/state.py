"""The state record: a whole game as plain numbers. A copy is a memcpy, a batch is an array of records."""

from __future__ import annotations

import math

from sammu_env import constants as c
from sammu_env.actions import N_ACTIONS
from tabletop.fields import Array, dtype_of, i2, i4, i8, shape
from tabletop.steps import ARGS, DEPTH

L, A, Z = len(c.LOCATIONS), len(c.AREAS), len(c.ZONES)
CH, G, K, M, T, P = len(c.CHARACTERS), len(c.GOODS), len(c.KINDS), len(c.MARKERS), len(c.TECHNOLOGIES), c.MAX_PLAYERS

#: Where an Ashur card is: deck, discard, or HAND + seat.
DECK, DISCARD, HAND = 0, 1, 2
#: Where an event card is: among those that may still come, known in the row, done, or not in this game.
UNSEEN, KNOWN, SEEN, LEFT_OUT = range(4)


class Setup:
    """How a game is set up: the argument of ``reset``."""

    box: i8  # which of the boxes that are played with; i8, so that no bytes lie between the fields of a state
    challenge: i2  # 0-19, or -1: drawn
    players: i2  # 1-5
    campaign: i2  # 1: five challenges A-E in one game
    oracles: i2  # 0-3 oracle events shuffled in
    start_goods: i2  # 3; easier: 4 or 5
    advanced: i2  # 1: fewer events later in a campaign, for 1-3 players
    hidden_hands: i2
    manual_chance: i2  # 1: stop at every draw and be told the outcome


class State(Setup):
    """How a game was set up, and where it stands."""

    game: i2  # 0-4 in a campaign
    month: i2
    months: i2
    stage: i2
    first_player: i2
    seat: i2  # whose turn it is
    active: i2  # the consulted character who acts, or -1
    to_act: i2  # seat asked, CHANCE or NOBODY
    result: i2
    cause: i2
    scored: i2  # the decided challenge has been scored
    next_challenge: i2  # known in a campaign's last months, or -1
    game_result: Array[i2] = shape(5)  # of a campaign's challenges
    score: Array[i2] = shape(5)
    # the map
    token: Array[i2] = shape(K, L)  # military, diviner by location; supply, medicine by zone
    enemy: Array[i2] = shape(L)
    technology: Array[i2] = shape(L)  # marker lying there, or -1
    unrest: Array[i2] = shape(L)
    plague: Array[i2] = shape(L)
    diplomacy: Array[i2] = shape(L)
    karu: Array[i2] = shape(L)
    health: Array[i2] = shape(L)
    gate: Array[i2] = shape(A)
    area_karu: Array[i2] = shape(A)
    area_health: Array[i2] = shape(A)
    road_karu: Array[i2] = shape(c.MAX_ROADS)
    # pools
    board: Array[i2] = shape(K)  # empire tokens on the empire board
    enemy_pool: i2
    good_pool: Array[i2] = shape(G)
    technology_pool: Array[i2] = shape(T)
    marker_pool: Array[i2] = shape(M)
    bag: Array[i2] = shape(M)
    # characters
    location: Array[i2] = shape(CH)  # -1 when not on the map
    status: Array[i2] = shape(CH)
    side: Array[i2] = shape(CH)
    owner: Array[i2] = shape(CH)  # seat whose personal advisor this is, or -1
    good: Array[i2] = shape(CH, G)
    has: Array[i2] = shape(CH, T)  # technologies on the card
    assassination: i2  # markers on Sammu-ramat
    religion: i2
    # cards
    ashur: Array[i2] = shape(c.N_ASHUR)
    deck_n: i2
    discard_n: i2
    hand_n: Array[i2] = shape(P)
    event_at: Array[i2] = shape(c.N_EVENTS)
    slot: Array[i2] = shape(c.MAX_MONTHS)  # event of each month of this challenge, or -1 while face down and unseen
    slot_religion: Array[i2] = shape(c.MAX_MONTHS)
    event: i2  # this month's, or -1
    event_area: i2  # its icon, or -1
    previous_area: i2  # last month's
    # this month's conditions (N12: they end with the month)
    road_closed: Array[i2] = shape(A)
    roads_closed: i2
    market_road_closed: i2
    markets_closed: i2
    token_ban: Array[i2] = shape(A)
    double_steps: Array[i2] = shape(A)
    advisor_steps: i2
    character_steps: i2
    move_limit: i2  # or -1
    queen_actions: i2
    corruption: i2
    bribes: Array[i2] = shape(len(c.GROUPS))  # goods that each of a group owes at the end of the month
    frozen: Array[i2] = shape(CH)
    fewer_actions: Array[i2] = shape(CH)
    # turns
    consulted: Array[i2] = shape(CH)  # seat whose disc lies there, or -1
    user: Array[i2] = shape(CH)  # seat that may act with this character now, or -1
    granted: Array[i2] = shape(CH)  # acts by grace of the sun or Amenirdis, without a disc
    actions: Array[i2] = shape(CH)
    leftover: Array[i2] = shape(CH)  # actions that a turn left, for seats without a disc whose turn is to come
    moves: Array[i2] = shape(CH)  # move actions made this month
    used: Array[i2] = shape(CH)  # once-a-month ability used
    sun_used: Array[i2] = shape(CH)
    turn_done: Array[i2] = shape(P)
    switched: i2  # characters, as bits, left since anything was done
    finished: i2  # characters, as bits, whose part of this turn is over
    free_actions: Array[i2] = shape(P)
    load: Array[i2] = shape(K)  # picked up for the move in hand
    load_character: Array[i2] = shape(CH)
    moving: Array[i2] = shape(L)  # enemies of the zone in turn, or of a raid, that have not moved yet
    plague_kept: Array[i2] = shape(L)  # the team was asked whether plague goes, and keeps it
    began: Array[i2] = shape(CH)  # where each was as the month started, or -1
    received: Array[i2] = shape(CH)  # goods of a gain that the pool is too short for
    saved_supply: Array[i2] = shape(A)  # karu or health has saved it from the event in hand
    saved_medicine: Array[i2] = shape(A)
    # machinery
    sp: i2
    op: Array[i2] = shape(DEPTH)
    arg: Array[i2] = shape(DEPTH, ARGS)
    n_options: i2
    option: Array[i2] = shape(N_ACTIONS)
    decisions: i4
    reward: i8  # arisen since the last choice, for every seat; i8 as box is
    trace: Array[i8] = shape(2)
    rng: Array[i8] = shape(4)


SETUP, STATE = dtype_of(Setup), dtype_of(State)

_COUNT = (0, math.inf)
#: The least and the most that fields may hold: counts, places, and how far arrays are filled.
BOUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(
        ("token", "enemy", "board", "enemy_pool", "good_pool", "technology_pool", "marker_pool", "bag", "good", "has",
         "assassination", "actions", "moves", "free_actions", "load", "diplomacy", "sun_used"), _COUNT,
    ),
    **dict.fromkeys(("unrest", "plague", "gate", "turn_done", "frozen"), (0, 1)),
    **dict.fromkeys(("deck_n", "discard_n", "hand_n"), (0, c.N_ASHUR)),
    **dict.fromkeys(("owner", "consulted", "user"), (-1, P - 1)),
    "game": (0, 4), "month": (0, c.MAX_MONTHS), "months": (0, c.MAX_MONTHS), "seat": (0, P - 1),
    "location": (-1, L - 1), "ashur": (DECK, HAND + P - 1), "event": (-1, c.N_EVENTS - 1),
    "sp": (0, DEPTH), "n_options": (0, N_ACTIONS),
    # how it was set up
    **dict.fromkeys(("campaign", "advanced", "hidden_hands"), (0, 1)),
    "challenge": (-1, c.N_CHALLENGES - 1), "players": (1, P), "oracles": (0, 3), "start_goods": (3, 5),
}  # fmt: skip
