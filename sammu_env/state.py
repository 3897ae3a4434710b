"""The state record: a whole game as plain numbers. A copy is a memcpy, a batch is an array of records."""

from __future__ import annotations

import math

import numpy as np

from sammu_env import constants as c
from sammu_env.actions import N_ACTIONS
from tabletop.steps import ARGS, DEPTH

L, A, Z = len(c.LOCATIONS), len(c.AREAS), len(c.ZONES)
CH, G, K, M, T, P = len(c.CHARACTERS), len(c.GOODS), len(c.KINDS), len(c.MARKERS), len(c.TECHNOLOGIES), c.MAX_PLAYERS

#: Where an Ashur card is: deck, discard, or HAND + seat.
DECK, DISCARD, HAND = 0, 1, 2
#: Where an event card is: among those that may still come, known in the row, done, or not in this game.
UNSEEN, KNOWN, SEEN, LEFT_OUT = range(4)

#: How a game is set up: the argument of ``reset``.
SETUP = np.dtype(
    [
        ("box", "i8"),  # which of the boxes that are played with
        ("challenge", "i2"),  # 0-19, or -1: drawn
        ("players", "i2"),  # 1-5
        ("campaign", "i2"),  # 1: five challenges A-E in one game
        ("oracles", "i2"),  # 0-3 oracle events shuffled in
        ("start_goods", "i2"),  # 3; easier: 4 or 5
        ("advanced", "i2"),  # 1: fewer events later in a campaign, for 1-3 players
        ("hidden_hands", "i2"),
        ("manual_chance", "i2"),  # 1: stop at every draw and be told the outcome
    ],
    align=True,
)

STATE = np.dtype(
    [
        # how it was set up
        ("box", "i8"),  # i8, so that no bytes lie between fields
        ("challenge", "i2"),
        ("players", "i2"),
        ("campaign", "i2"),
        ("oracles", "i2"),
        ("start_goods", "i2"),
        ("advanced", "i2"),
        ("hidden_hands", "i2"),
        ("manual_chance", "i2"),
        # where it stands
        ("game", "i2"),  # 0-4 in a campaign
        ("month", "i2"),
        ("months", "i2"),
        ("stage", "i2"),
        ("first_player", "i2"),
        ("seat", "i2"),  # whose turn it is
        ("active", "i2"),  # the consulted character who acts, or -1
        ("to_act", "i2"),  # seat asked, CHANCE or NOBODY
        ("result", "i2"),
        ("cause", "i2"),
        ("scored", "i2"),  # the decided challenge has been scored
        ("next_challenge", "i2"),  # known in a campaign's last months, or -1
        ("game_result", "i2", 5),  # of a campaign's challenges
        ("score", "i2", 5),
        # the map
        ("token", "i2", (K, L)),  # military, diviner by location; supply, medicine by zone
        ("enemy", "i2", L),
        ("technology", "i2", L),  # marker lying there, or -1
        ("unrest", "i2", L),
        ("plague", "i2", L),
        ("diplomacy", "i2", L),
        ("karu", "i2", L),
        ("health", "i2", L),
        ("gate", "i2", A),
        ("area_karu", "i2", A),
        ("area_health", "i2", A),
        ("road_karu", "i2", c.MAX_ROADS),
        # pools
        ("board", "i2", K),  # empire tokens on the empire board
        ("enemy_pool", "i2"),
        ("good_pool", "i2", G),
        ("technology_pool", "i2", T),
        ("marker_pool", "i2", M),
        ("bag", "i2", M),
        # characters
        ("location", "i2", CH),  # -1 when not on the map
        ("status", "i2", CH),
        ("side", "i2", CH),
        ("owner", "i2", CH),  # seat whose personal advisor this is, or -1
        ("good", "i2", (CH, G)),
        ("has", "i2", (CH, T)),  # technologies on the card
        ("assassination", "i2"),  # markers on Sammu-ramat
        ("religion", "i2"),
        # cards
        ("ashur", "i2", c.N_ASHUR),
        ("deck_n", "i2"),
        ("discard_n", "i2"),
        ("hand_n", "i2", P),
        ("event_at", "i2", c.N_EVENTS),
        ("slot", "i2", c.MAX_MONTHS),  # event of each month of this challenge, or -1 while face down and unseen
        ("slot_religion", "i2", c.MAX_MONTHS),
        ("event", "i2"),  # this month's, or -1
        ("event_area", "i2"),  # its icon, or -1
        ("previous_area", "i2"),  # last month's
        # this month's conditions (N12: they end with the month)
        ("road_closed", "i2", A),
        ("roads_closed", "i2"),
        ("market_road_closed", "i2"),
        ("markets_closed", "i2"),
        ("token_ban", "i2", A),
        ("double_steps", "i2", A),
        ("advisor_steps", "i2"),
        ("character_steps", "i2"),
        ("move_limit", "i2"),  # or -1
        ("queen_actions", "i2"),
        ("corruption", "i2"),
        ("bribes", "i2", len(c.GROUPS)),  # goods that each of a group owes at the end of the month
        ("frozen", "i2", CH),
        ("fewer_actions", "i2", CH),
        # turns
        ("consulted", "i2", CH),  # seat whose disc lies there, or -1
        ("user", "i2", CH),  # seat that may act with this character now, or -1
        ("granted", "i2", CH),  # acts by grace of the sun or Amenirdis, without a disc
        ("actions", "i2", CH),
        ("leftover", "i2", CH),  # actions that a turn left, for seats without a disc whose turn is to come
        ("moves", "i2", CH),  # move actions made this month
        ("used", "i2", CH),  # once-a-month ability used
        ("sun_used", "i2", CH),
        ("turn_done", "i2", P),
        ("switched", "i2"),  # characters, as bits, left since anything was done
        ("finished", "i2"),  # characters, as bits, whose part of this turn is over
        ("free_actions", "i2", P),
        ("load", "i2", K),  # picked up for the move in hand
        ("load_character", "i2", CH),
        ("moving", "i2", L),  # enemies of the zone in turn, or of a raid, that have not moved yet
        ("plague_kept", "i2", L),  # the team was asked whether plague goes, and keeps it
        ("began", "i2", CH),  # where each was as the month started, or -1
        ("received", "i2", CH),  # goods of a gain that the pool is too short for
        ("saved_supply", "i2", A),  # karu or health has saved it from the event in hand
        ("saved_medicine", "i2", A),
        # machinery
        ("sp", "i2"),
        ("op", "i2", DEPTH),
        ("arg", "i2", (DEPTH, ARGS)),
        ("n_options", "i2"),
        ("option", "i2", N_ACTIONS),
        ("decisions", "i4"),
        ("reward", "i8"),  # arisen since the last choice, for every seat; i8 as box is
        ("trace", "i8", 2),
        ("rng", "i8", 4),
    ],
    align=True,
)

_COUNT = (0, math.inf)
#: The least and the most that fields may hold: counts, places, and how far arrays are filled.
BOUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(
        ("token", "enemy", "board", "enemy_pool", "good_pool", "technology_pool", "marker_pool", "bag", "good", "has",
         "assassination", "actions", "moves", "free_actions", "load"), _COUNT,
    ),
    **dict.fromkeys(("unrest", "plague", "diplomacy", "gate", "sun_used", "turn_done", "frozen"), (0, 1)),
    **dict.fromkeys(("deck_n", "discard_n", "hand_n"), (0, c.N_ASHUR)),
    **dict.fromkeys(("owner", "consulted", "user"), (-1, P - 1)),
    "game": (0, 4), "month": (0, c.MAX_MONTHS), "months": (0, c.MAX_MONTHS), "seat": (0, P - 1),
    "location": (-1, L - 1), "ashur": (DECK, HAND + P - 1), "event": (-1, c.N_EVENTS - 1),
    "sp": (0, DEPTH), "n_options": (0, N_ACTIONS),
}  # fmt: skip
