"""The catalogue of choices: every decision is one number of ``Discrete(N)``, laid out in named blocks."""

from __future__ import annotations

from functools import partial

from sammu_env import constants as c
from tabletop import game

#: What can be done on a turn, and answers that are neither a place nor a thing.
VERBS = (
    "move", "attack", "play_card", "special", "special_command", "special_draw", "barter_for_supply",
    "barter_for_goods", "pick_up", "convert", "trade_goods", "trade_cards", "market", "take_goods",
    "remove_assassination", "extra_action", "switch", "join", "yes",
    "cure", "place_location", "place_area", "place_road", "on_queen", "on_event",
)  # fmt: skip
(V_MOVE, V_ATTACK, V_PLAY_CARD, V_SPECIAL, V_SPECIAL_COMMAND, V_SPECIAL_DRAW, V_BARTER_FOR_SUPPLY, V_BARTER_FOR_GOODS,
 V_PICK_UP, V_CONVERT, V_TRADE_GOODS, V_TRADE_CARDS, V_MARKET, V_TAKE_GOODS, V_REMOVE_ASSASSINATION, V_EXTRA_ACTION,
 V_SWITCH, V_JOIN, V_YES, V_CURE, V_PLACE_LOCATION, V_PLACE_AREA, V_PLACE_ROAD, V_ON_QUEEN,
 V_ON_EVENT) = range(len(VERBS))  # fmt: skip

#: Block name and size, in catalogue order.
BLOCKS: tuple[tuple[str, int], ...] = (
    ("done", 1),
    ("verb", len(VERBS)),
    ("location", len(c.LOCATIONS)),
    ("area", len(c.AREAS)),
    ("road", c.MAX_ROADS),
    ("character", len(c.CHARACTERS)),
    ("good", len(c.GOODS)),
    ("token", len(c.KINDS)),
    ("marker", len(c.MARKERS)),
    ("technology", len(c.TECHNOLOGIES)),
    ("player", c.MAX_PLAYERS),
    ("month", c.MAX_MONTHS),
    ("ashur", c.N_ASHUR),
    ("event", c.N_EVENTS),
    ("challenge", c.N_CHALLENGES),
)
START = game.first_of(BLOCKS)
N_ACTIONS = sum(size for _, size in BLOCKS)
(DONE, VERB, LOCATION, AREA, ROAD, CHARACTER, GOOD, TOKEN, MARKER, TECHNOLOGY, PLAYER, MONTH, ASHUR, EVENT,
 CHALLENGE) = (START[name] for name, _ in BLOCKS)  # fmt: skip
#: Block and place in it of a choice.
block_of = partial(game.block_of, BLOCKS)
