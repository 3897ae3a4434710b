"""Every step the machine can have pending: one row each (:mod:`tabletop.prompts`).

The rules of a prompt are ``ask_...`` and ``answer_...`` of its chapter, of another step ``run_...``. All else follows:
the calls, what may be written in a position, what is shown and observed, and what the words can speak of
(``data/words.toml``).

The place of a row is its number, which saved records hold (positions hold names): new prompts go behind the last
prompt, new steps behind the last step. A new prompt moves the steps behind it: the game's version goes up.
"""

from __future__ import annotations

from sammu_env import actions
from sammu_env import constants as c
from tabletop.prompts import Table

#: The largest number that each sort of argument may be. Each may be -1: none, or any.
MOST = {
    "character": c.BAILEET, "location": len(c.LOCATIONS) - 1, "area": len(c.AREAS) - 1, "zone": len(c.ZONES) - 1,
    "kind": len(c.KINDS) - 1, "marker": len(c.MARKERS) - 1, "good": len(c.GOODS) - 1, "group": len(c.GROUPS) - 1,
    "seat": c.MAX_PLAYERS - 1, "card": c.N_ASHUR - 1, "event": c.N_EVENTS - 1, "month": c.MAX_MONTHS - 1,
    "verb": len(actions.VERBS) - 1, "stage": len(c.STAGES) - 1, "letter": 4, "special": c.MAX_SPECIALS - 1,
    "unpaid": len(c.UNPAID_RULES), "program": 2, "mode": 2, "limit": 3, "flag": 1, "n": 99, "military": 20,
    "diviners": 15, "areas": (1 << len(c.AREAS)) - 1, "rank": 999,
    "next_area": len(c.AREAS), "next_zone": len(c.ZONES), "next_location": len(c.LOCATIONS),
    "next_character": c.BAILEET,
}  # fmt: skip

TABLE = Table()
draw, prompt, step = TABLE.draw, TABLE.prompt, TABLE.step

# Draws
DRAW_CHALLENGE = draw("setup.draw_challenge", "letter", "challenge")
DRAW_TECHNOLOGY = draw("setup.draw_technology", "location", "technology")
DRAW_CARD = draw("effects.draw_card", "seat n", "ashur")
DRAW_EVENT = draw("new_month.draw_event", "month", "event")
DRAW_MARKER = draw("effects.draw_marker", "n area", "marker")
DRAW_ORACLE = draw("oracle.draw_oracle", "", "event")
DRAW_NEXT_CHALLENGE = draw("campaign.draw_next_challenge", "letter", "challenge")

# Setup and campaign
PLACE_TOKEN = prompt("setup.place_token", "kind area n to_capital:flag", "location")
PLACE_CHARACTER = prompt("setup.place_character", "character area", "location")
CHOOSE_ADVISOR = prompt("setup.choose_advisor", "seat", "character", asked="seat")
BUY_TECHNOLOGY = prompt("campaign.buy_technology", "", "character done")
GAIN_TECHNOLOGY = prompt("actions.special.gain_technology", "character seat", "technology")
SHARE_CARD = prompt("campaign.share_card", "seat", "player")

# Events, enemies, markers, tax
SHIFT_BANNER = prompt("new_month.shift_banner", "event area", "area")
REMOVE_TOKEN = prompt("effects.remove_token", "kind zone n into_bag:flag", "location area")
PAY_GOODS = prompt("effects.pay_goods", "character n", "good")
PAY_GROUP = prompt("effects.pay_group", "group n unpaid", "character")
MOVE_CHARACTER = prompt("effects.move_character", "area", "character done")
MOVE_CHARACTER_TO = prompt("effects.move_character_to", "character area", "location")
TRADE_ROAD = prompt("effects.trade_road", "n", "area")
KARU_ROAD = prompt("effects.karu_road", "area", "road")
REMOVE_ENEMY = prompt("effects.remove_enemy", "area n", "location")
DISCARD = prompt("effects.discard", "seat n", "ashur", asked="seat")
FLEE = prompt("markers.flee", "character location marker", "location")
RECOVER = prompt("battle.recover", "location n so_far:n", "yes")
USE_MARKER = prompt("markers.use_marker", "marker", "verb")
MARKER_TARGET = prompt("markers.marker_target", "marker verb", "location area road month")
OVERFLOW = prompt("markers.overflow", "area n", "location")
CURE_PLAGUE = prompt("markers.cure_plague", "location", "yes")
ENEMY_ORDER = prompt("enemies.enemy_order", "zone", "location")
ENEMY_WAY = prompt("enemies.enemy_way", "location n", "location")
ENEMY_PLACE = prompt("battle.enemy_place", "area n displaced_from:location", "location")
RAID_WAY = prompt("markers.raid_way", "location area", "location")
ORACLE_WAY = prompt("oracle.oracle_way", "", "location")
GAIN_TO = prompt("effects.gain_to", "in_area:flag area_or_group:area good n", "character")
HEAL_QUEEN = prompt("resolve.heal_queen", "if_she_dies:flag", "yes")
TAX = prompt("cards_and_tax.tax", "textile:n iron:n copper:n gold:n lapis:n n", "good")
TAX_TO = prompt("cards_and_tax.tax_to", "good group", "character")

# Actions
CONSULT = prompt("consult.consult", "seat", "character done", asked="seat")
FIRST_PLAYER = prompt("consult.first_player", "", "player")
TURN = prompt("turn.turn", "seat", "verb done")
MOVE = prompt("actions.move.move", "character n pairs:flag", "location")
LOAD = prompt("actions.move.load", "character origin:location target:location n", "token character done")
ATTACK = prompt("actions.attack.attack", "character", "location")
ARMY = prompt("actions.attack.army", "character origin:location target:location military diviners", "token done")
JOIN = prompt("actions.attack.join", "character origin:location target:location military diviners", "yes")
VIAL = prompt("actions.move.vial", "character", "yes")
PLAY_CARD = prompt("actions.cards.play_card", "seat mode", "ashur")
PLAY_SECOND = prompt("actions.cards.play_second", "seat card", "ashur")
PAY_WHICH = prompt("actions.cards.pay_which", "seat card second:card", "ashur")

# Special actions and free actions
SUMMON = prompt("actions.special.summon", "character special n", "location")
SUMMON_MORE = prompt("actions.special.summon_more", "character special n", "yes")
SUMMON_GO = prompt("actions.attack.summon_go", "location n", "location done")
ORDER_EVENTS = prompt("actions.special.order_events", "month last:month", "event")
DRAW_FOR = prompt("actions.special.draw_for", "n", "player")
COMMAND = prompt(  # halted: where the first army stands, and one more
    "actions.attack.command", "n steps:n ordered:n halted:next_location military diviners", "location done"
)
COMMAND_ARMY = prompt(
    "actions.attack.command_army", "location military diviners steps:n held_back:military held_diviners:diviners",
    "token done",
)  # fmt: skip
COMMAND_GO = prompt("actions.attack.command_go", "location military diviners n gone:n", "location done")
CONVERT_FROM = prompt("actions.trade.convert_from", "character", "token")
CONVERT_AT = prompt("actions.trade.convert_at", "kind area", "location")
CONVERT_TO = prompt("actions.trade.convert_to", "kind location", "token")
TRADE_WITH = prompt("actions.trade.trade_with", "character", "character")
TRADE_GIVE = prompt("actions.trade.trade_give", "character other:character", "good")
TRADE_GET = prompt("actions.trade.trade_get", "character other:character good", "good")
CARDS_WITH = prompt("actions.trade.cards_with", "seat", "player")
CARDS_GIVE = prompt("actions.trade.cards_give", "seat player:seat", "ashur")
CARDS_GET = prompt("actions.trade.cards_get", "seat player:seat card", "ashur", asked="player")
MARKET_GIVE = prompt("actions.trade.market_give", "character", "good")
MARKET_GET = prompt("actions.trade.market_get", "character good", "good")
TAKE_GOODS = prompt("actions.trade.take_goods", "character taken:flag", "good done")
GRANT = prompt("actions.special.grant", "seat", "character")
SWITCH = prompt("turn.switch", "seat", "character")
VIAL_WAY = prompt("actions.move.vial_way", "character origin:location target:location n", "location done")
GRANT_BY = prompt("actions.special.grant_by", "seat character", "technology character")
SUN_OF = prompt("actions.special.sun_of", "seat character", "character")
CONVERT_PLACE = prompt("actions.trade.convert_place", "kind area", "location")
BARTER_AS = prompt("actions.trade.barter_as", "character for_supply:flag", "yes")

# What asks nobody
HALT = step("halt")
STAGE = step("stages.stage", "stage alone:flag")
SETUP_END = step("setup.setup_end")
START_GAME = step("setup.start_game")
SETUP_TOKENS = step("setup.setup_tokens", "next_area")
SETUP_CHARACTERS = step("setup.setup_characters", "next_character")
SETUP_MARKERS = step("setup.setup_markers", "next_location")
SPREAD = step("new_month.spread", "next_area areas")
REVEAL = step("new_month.reveal")
EFFECTS = step("effects.effects", "program event row:n area")  # event: or challenge; area: instead of Assyria
PAY_EACH = step("effects.pay_each", "group n unpaid next_character area owed:n")
DISCARD_TO_LIMIT = step("cards_and_tax.discard_to_limit", "seat")
ENEMY_ZONE = step("enemies.enemy_zone", "next_zone")
ENEMY_MOVE = step("enemies.enemy_move", "zone")
RAID = step("markers.raid", "area rank")
BEGIN_TURNS = step("consult.begin_turns")
BEGIN_TURN = step("consult.begin_turn", "seat")
END_TURN = step("consult.end_turn", "seat")
END_ACTIONS = step("cards_and_tax.end_actions")
SETTLE_BRIBES = step("cards_and_tax.settle_bribes")
PLAY = step("actions.cards.play", "seat card pays_goods:flag pays_markers:flag")
SPECIAL = step("actions.special.special", "seat character special")
BOARD_LIMITS = step("resolve.board_limits", "limit")
TRACKS = step("resolve.tracks")
QUEEN_CHECK = step("resolve.queen_check")
GATE_CHECK = step("resolve.gate_check", "next_area")
OUTCOME = step("resolve.outcome")
CARRY_OVER = step("campaign.carry_over")
BARTER = step("actions.trade.barter", "character for_supply:flag")
ARRIVE = step("actions.move.arrive", "character origin:location target:location")

NAMES, LAST_CHANCE, LAST_PROMPT = TABLE.names, TABLE.last_chance, TABLE.last_prompt
PROMPTS = NAMES[: LAST_PROMPT + 1]
#: Which argument of each step is the character, and the two locations, that it is about, or -1.
CHARACTER, FROM, TO = TABLE.places("character"), TABLE.places("location", "origin"), TABLE.places("target")
#: Which arguments of each step are cards of a hand: the table has seen them, but for one that is offered in a trade.
CARDS = tuple(tuple(i for i, sort in enumerate(row.arguments.values()) if sort == "card") for row in TABLE)
#: Which argument of a trade of cards is the one that is offered.
OFFERED = CARDS[CARDS_GET][0]
