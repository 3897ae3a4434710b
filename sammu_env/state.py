"""The state record: a whole game as plain numbers. A copy is a memcpy, a batch is an array of records."""

from __future__ import annotations

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
        ("challenge", "i4"),  # 0-19, or -1: drawn
        ("players", "i4"),  # 1-5
        ("campaign", "i4"),  # 1: five challenges A-E in one game
        ("oracles", "i4"),  # 0-3 oracle events shuffled in
        ("start_goods", "i4"),  # 3; easier: 4 or 5
        ("advanced", "i4"),  # 1: fewer events later in a campaign, for 1-3 players
        ("hidden_hands", "i4"),
        ("manual_chance", "i4"),  # 1: stop at every draw and be told the outcome
    ],
    align=True,
)

STATE = np.dtype(
    [
        # how it was set up
        ("challenge", "i4"),
        ("players", "i4"),
        ("campaign", "i4"),
        ("oracles", "i4"),
        ("start_goods", "i4"),
        ("advanced", "i4"),
        ("hidden_hands", "i4"),
        ("manual_chance", "i4"),
        # where it stands
        ("game", "i4"),  # 0-4 in a campaign
        ("month", "i4"),
        ("months", "i4"),
        ("stage", "i4"),
        ("first_player", "i4"),
        ("seat", "i4"),  # whose turn it is
        ("active", "i4"),  # the consulted character who acts, or -1
        ("to_act", "i4"),  # seat asked, CHANCE or NOBODY
        ("result", "i4"),
        ("cause", "i4"),
        ("scored", "i4"),  # the decided challenge has been scored
        ("next_challenge", "i4"),  # known in a campaign's last months, or -1
        ("game_result", "i4", 5),  # of a campaign's challenges
        ("score", "i4", 5),
        # the map
        ("token", "i4", (K, L)),  # military, diviner by location; supply, medicine by zone
        ("enemy", "i4", L),
        ("technology", "i4", L),  # marker lying there, or -1
        ("unrest", "i4", L),
        ("plague", "i4", L),
        ("diplomacy", "i4", L),
        ("karu", "i4", L),
        ("health", "i4", L),
        ("gate", "i4", A),
        ("area_karu", "i4", A),
        ("area_health", "i4", A),
        ("road_karu", "i4", c.MAX_ROADS),
        # pools
        ("board", "i4", K),  # empire tokens on the empire board
        ("enemy_pool", "i4"),
        ("good_pool", "i4", G),
        ("technology_pool", "i4", T),
        ("marker_pool", "i4", M),
        ("bag", "i4", M),
        # characters
        ("location", "i4", CH),  # -1 when not on the map
        ("status", "i4", CH),
        ("side", "i4", CH),
        ("owner", "i4", CH),  # seat whose personal advisor this is, or -1
        ("good", "i4", (CH, G)),
        ("has", "i4", (CH, T)),  # technologies on the card
        ("assassination", "i4"),  # markers on Sammu-ramat
        ("religion", "i4"),
        # cards
        ("ashur", "i4", c.N_ASHUR),
        ("deck_n", "i4"),
        ("discard_n", "i4"),
        ("hand_n", "i4", P),
        ("event_at", "i4", c.N_EVENTS),
        ("slot", "i4", c.MAX_MONTHS),  # event of each month of this challenge, or -1 while face down and unseen
        ("slot_religion", "i4", c.MAX_MONTHS),
        ("event", "i4"),  # this month's, or -1
        ("event_area", "i4"),  # its icon, or -1
        ("previous_area", "i4"),  # last month's
        # this month's conditions (N12: they end with the month)
        ("road_closed", "i4", A),
        ("roads_closed", "i4"),
        ("market_road_closed", "i4"),
        ("markets_closed", "i4"),
        ("token_ban", "i4", A),
        ("double_steps", "i4", A),
        ("advisor_steps", "i4"),
        ("character_steps", "i4"),
        ("move_limit", "i4"),  # or -1
        ("queen_actions", "i4"),
        ("corruption", "i4"),
        ("bribes", "i4"),  # goods each public advisor owes at the end of the month
        ("frozen", "i4", CH),
        ("fewer_actions", "i4", CH),
        # turns
        ("consulted", "i4", CH),  # seat whose disc lies there, or -1
        ("user", "i4", CH),  # seat that may act with this character now, or -1
        ("granted", "i4", CH),  # acts by grace of the sun or Amenirdis, without a disc
        ("actions", "i4", CH),
        ("moves", "i4", CH),  # move actions made this month
        ("used", "i4", CH),  # once-a-month ability used
        ("sun_used", "i4", CH),
        ("turn_done", "i4", P),
        ("switched", "i4"),  # characters, as bits, left since anything was done
        ("free_actions", "i4", P),
        ("load", "i4", K),  # picked up for the move in hand
        ("load_character", "i4", CH),
        ("moving", "i4", L),  # enemies of the zone in turn that have not moved yet
        ("saved_supply", "i4", A),  # karu or health has saved it in this stage
        ("saved_medicine", "i4", A),
        # machinery
        ("sp", "i4"),
        ("op", "i4", DEPTH),
        ("arg", "i4", (DEPTH, ARGS)),
        ("n_options", "i4"),
        ("option", "i2", N_ACTIONS),
        ("decisions", "i4"),
        ("reward", "i4"),  # arisen since the last choice, for every seat
        ("trace", "i8", 2),
        ("rng", "i8", 4),
    ],
    align=True,
)
