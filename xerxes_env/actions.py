"""The catalogue: every choice and every outcome of chance is a number, in named blocks."""

from __future__ import annotations

from functools import partial

from tabletop import game
from xerxes_env import constants as c

#: Name and size of each block, in order.
BLOCKS = (
    ("done", 1), ("power", 1), ("joker", 1), ("area", c.PLACES), ("resource", c.N_RESOURCES), ("unit", c.N_UNITS),
    ("seat", c.MAX_PLAYERS), ("building", c.N_BUILDINGS), ("march", c.N_MARCH), ("tax", c.N_TAX),
    ("event", c.N_EVENTS), ("satrap", c.N_SATRAPS),
)  # fmt: skip
FIRST = game.first_of(BLOCKS)
N_ACTIONS = sum(size for _, size in BLOCKS)

DONE, POWER, JOKER = FIRST["done"], FIRST["power"], FIRST["joker"]
AREA, RESOURCE, UNIT, SEAT = FIRST["area"], FIRST["resource"], FIRST["unit"], FIRST["seat"]
BUILDING, MARCH, TAX, EVENT, SATRAP = (FIRST[name] for name in ("building", "march", "tax", "event", "satrap"))
#: Block and place in it of a choice.
block_of = partial(game.block_of, BLOCKS)
