"""The records: a box as rules read it, how a game is set up, and where it stands."""

from __future__ import annotations

import numpy as np

from tabletop.steps import ARGS
from xerxes_env import constants as c
from xerxes_env.actions import N_ACTIONS

P, R, U, B = c.MAX_PLAYERS, c.N_RESOURCES, c.N_UNITS, c.N_BUILDINGS
DEPTH = 16  #: steps pending at once; random games need 6

#: What is printed. -1: none.
BOX = np.dtype(
    [
        ("goal", "i2"),  # VP that end the game
        ("limit", "i2"),  # of each resource on a mat
        ("tax_kept", "i2"),
        ("march_kept", "i2"),
        ("same_rewards", "i2"),  # tax cards of one kind of reward in a hand for which all are dealt again
        ("march_vp", "i2"),
        ("march_loss", "i2"),
        ("mat", "i2", c.N_SATRAPS),  # whose other side a satrap is
        ("area_resource", "i2", (c.N_AREAS, R)),
        ("area_unit", "i2", c.N_AREAS),
        ("event_no_resource", "i2", c.N_EVENTS),
        ("event_no_building", "i2", c.N_EVENTS),
        ("event_resources", "i2", c.N_EVENTS),
        ("event_units", "i2", c.N_EVENTS),
        ("building_cost", "i2", (B, R)),
        ("building_vp", "i2", (B, c.ROUNDS)),  # blue, in each round
        ("building_loss", "i2", B),  # red
        ("march_unit", "i2", (c.N_MARCH, U)),
        ("tax_cost", "i2", (c.N_TAX, R)),
        ("tax_vp", "i2", c.N_TAX),
        ("tax_unit", "i2", c.N_TAX),
    ],
    align=True,
)

SETUP = np.dtype(
    [("box", "i8"), ("players", "i2"), ("manual_chance", "i2"), ("spare", "i2", 2), ("satrap", "i2", P)], align=True
)  # satrap: of each seat, or -1: drawn

STATE = np.dtype(
    [
        ("box", "i8"),
        ("paid", "f8", P),  # what the last choice paid every seat
        ("trace", "i8", 2),
        ("rng", "i8", 4),
        ("decisions", "i4"),
        ("players", "i2"),
        ("manual_chance", "i2"),
        ("to_act", "i2"),
        ("cause", "i2"),
        ("rank", "i2", P),  # at the end: 1 is the best
        ("round", "i2"),
        ("phase", "i2"),
        ("second", "i2"),  # 1: the second pass of placement or building
        ("order", "i2", P),  # the seat in each place
        ("new_order", "i2", P),  # while it is rearranged, or -1
        # players
        ("satrap", "i2", P),
        ("vp", "i2", P),
        ("power", "i2", P),  # 1: the power token lies on the mat
        ("standing", "i2", P),  # 1: the satrap has not been laid down
        ("resource", "i2", (P, R)),
        ("gained", "i2", (P, R)),  # this round
        # board and cards
        ("worker", "i2", c.PLACES),  # whose stands there, or -1
        ("owner", "i2", B),  # who has built it, or -1
        ("tax", "i2", c.N_TAX),  # DECK, HAND + seat, PLAYED + seat, OUT + seat
        ("march", "i2", c.N_MARCH),
        ("event", "i2"),  # of this round, or -1
        ("event_seen", "i2", c.N_EVENTS),
        ("redeals", "i2"),  # how often all tax cards were dealt again
        ("ignores", "i2", P),  # 1: this round's event does not count for this seat
        # a march
        ("at_hand", "i2", U),  # units that the marching seat may still use, those of any kind apart
        ("joker", "i2"),  # units of any kind
        ("units_left", "i2"),  # how many of all these it may use
        ("owed_unit", "i2", U),
        ("tax_unit", "i2", U),  # those of its tax cards among the ones at hand
        # a payment
        ("owed", "i2", R),
        # machinery
        ("sp", "i2"),
        ("op", "i2", DEPTH),
        ("arg", "i2", (DEPTH, ARGS)),
        ("n_options", "i2"),
        ("option", "i2", N_ACTIONS),
    ],
    align=True,
)

#: The least and the most that fields may hold.
BOUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("power", "standing", "ignores", "event_seen", "second"), (0, 1)),
    **dict.fromkeys(("order", "new_order", "worker", "owner"), (-1, P - 1)),
    **dict.fromkeys(("tax", "march"), (c.DECK, c.OUT + P - 1)),
    **dict.fromkeys(("joker", "units_left", "at_hand", "tax_unit", "owed_unit", "owed", "vp"), (0, np.inf)),
    "round": (1, c.ROUNDS), "phase": (0, len(c.PHASES) - 1), "resource": (0, 9), "gained": (0, 9),
    "satrap": (-1, c.N_SATRAPS - 1), "event": (-1, c.N_EVENTS - 1), "sp": (0, DEPTH), "n_options": (0, N_ACTIONS),
}  # fmt: skip
