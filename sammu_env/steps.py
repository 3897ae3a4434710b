"""Every step the machine can have pending. A step that asks somebody is a prompt; the others run by themselves.

The comments give the arguments of a frame. Chance's prompts are answered by the generator or at the table.
"""

from __future__ import annotations

#: Steps that ask: name and who is asked.
PROMPTS = (
    # chance
    "draw_challenge",      # letter
    "draw_technology",     # location
    "draw_card",           # seat, n
    "draw_event",          # month slot
    "draw_marker",         # n, area
    "draw_oracle",         # -
    "draw_next_challenge", # letter
    # setup and campaign
    "place_token",         # kind, area, n, 1 when the first is to go to the capital: location
    "place_character",     # character, area: location
    "choose_advisor",      # seat: character
    "buy_technology",      # character or done
    "gain_technology",     # character, seat that a wheel draws for or -1: technology of the pool
    "share_card",          # seat that left: player who gets, card by card
    # effects
    "shift_banner",        # event, area: area
    "remove_token",        # kind, zone or -1, n, 1 when unpaid puts markers in the bag: location or area
    "pay_goods",           # character, n: good
    "pay_group",           # group, n, unpaid rule: character
    "move_character",      # area: character or done
    "move_character_to",   # character, area: location
    "trade_road",          # n: area
    "karu_road",           # area or -1: road
    "remove_enemy",        # area, n: location
    "discard",             # seat, n: card
    "flee",                # character, location, marker: location
    "recover",             # location, lost, n so far: yes or done
    "use_marker",          # marker: verb
    "marker_target",       # marker, verb: location, area, road or month
    "overflow",            # area, n: location
    "cure_plague",         # location: yes or done
    "enemy_order",         # zone: location
    "enemy_way",           # location, n: location
    "enemy_place",         # area, n, where they come from or -1: location
    "raid_way",            # location, area: location
    "oracle_way",          # -: location
    "gain_to",             # 1 for an area or 0 for a group, which, good, n: character
    "heal_queen",          # 1 when only a death is to be averted: yes or done
    "tax",                 # n of each good (5), left: good
    "tax_to",              # good, group: character
    # actions
    "consult",             # seat: character or done
    "first_player",        # player
    "turn",                # seat: verb or done
    "move",                # character, steps, 1 where two actions of one step may be put together: location
    "load",                # character, from, to, steps: token, character or done
    "attack",              # character: location
    "army",                # character, from, to, military, diviners: token or done
    "join",                # character, from, to, military, diviners: join or done
    "vial",                # character: yes or done
    "play_card",           # seat, mode: card
    "play_second",         # seat, first card: card
    "pay_which",           # seat, first, second: card whose goods are paid
    "summon",              # character, special, n so far: location of the diviner
    "summon_more",         # character, special, n so far: yes or done
    "summon_go",           # location, steps left: location or done
    "order_events",        # next slot, last slot: event
    "draw_for",            # n: player
    "command",             # armies left, steps, armies ordered, where the first stands + 1, its military, its diviners
    "command_army",        # from, military, diviners, steps, held back of either: token or done
    "command_go",          # location, military, diviners, steps left: location or done
    "convert_from",        # character: token
    "convert_at",          # kind, area: location
    "convert_to",          # kind, place: token
    "trade_with",          # character: character
    "trade_give",          # character, other: good
    "trade_get",           # character, other, good: good
    "cards_with",          # seat: player
    "cards_give",          # seat, other: card
    "cards_get",           # seat, other, card: card
    "market_give",         # character: good
    "market_get",          # character, good: good
    "take_goods",          # character: good or done
    "grant",               # seat: character
    "switch",              # seat: character
    "vial_way",            # character, from, to, steps left: location or done
    "grant_by",            # seat, character: who gives the action, or the sun
    "sun_of",              # seat, character: whose sun
    "convert_place",       # kind, area: location
    "barter_as",           # character, 1 for supply or 0 for goods: yes (a free action) or done (an action)
)  # fmt: skip

#: Steps that run by themselves.
STEPS = (
    "halt",
    "stage",            # stage
    "setup_end",
    "start_game",
    "setup_tokens",        # area
    "setup_characters",    # character
    "setup_markers",       # location
    "spread",           # area
    "reveal",
    "effects",          # program, card or challenge, row, area instead of Assyria or -1
    "pay_each",         # group, n, unpaid rule, next character
    "discard_to_limit", # seat
    "enemy_zone",       # place in the enemy order
    "enemy_move",       # zone
    "raid",             # area, next in line
    "begin_turns",
    "begin_turn",       # seat
    "end_turn",         # seat
    "end_actions",
    "settle_bribes",
    "play",             # seat, card, pays goods, pays markers
    "special",          # character, which: after it is paid
    "board_limits",     # limit
    "tracks",
    "queen_check",
    "gate_check",       # area
    "outcome",
    "carry_over",
    "barter",           # character, 1 for supply or 0 for goods: after it is paid
    "arrive",           # character, from, to: after the plague on the way
)  # fmt: skip

NAMES = PROMPTS + STEPS
(DRAW_CHALLENGE, DRAW_TECHNOLOGY, DRAW_CARD, DRAW_EVENT, DRAW_MARKER, DRAW_ORACLE, DRAW_NEXT_CHALLENGE,
 PLACE_TOKEN, PLACE_CHARACTER, CHOOSE_ADVISOR, BUY_TECHNOLOGY, GAIN_TECHNOLOGY, SHARE_CARD,
 SHIFT_BANNER, REMOVE_TOKEN, PAY_GOODS, PAY_GROUP, MOVE_CHARACTER, MOVE_CHARACTER_TO, TRADE_ROAD, KARU_ROAD,
 REMOVE_ENEMY, DISCARD, FLEE, RECOVER, USE_MARKER, MARKER_TARGET, OVERFLOW, CURE_PLAGUE, ENEMY_ORDER, ENEMY_WAY,
 ENEMY_PLACE, RAID_WAY, ORACLE_WAY, GAIN_TO, HEAL_QUEEN, TAX, TAX_TO,
 CONSULT, FIRST_PLAYER, TURN, MOVE, LOAD, ATTACK, ARMY, JOIN, VIAL, PLAY_CARD, PLAY_SECOND, PAY_WHICH,
 SUMMON, SUMMON_MORE, SUMMON_GO, ORDER_EVENTS, DRAW_FOR, COMMAND, COMMAND_ARMY, COMMAND_GO,
 CONVERT_FROM, CONVERT_AT, CONVERT_TO, TRADE_WITH, TRADE_GIVE, TRADE_GET, CARDS_WITH, CARDS_GIVE, CARDS_GET,
 MARKET_GIVE, MARKET_GET, TAKE_GOODS, GRANT, SWITCH, VIAL_WAY, GRANT_BY, SUN_OF, CONVERT_PLACE, BARTER_AS,
 HALT, STAGE, SETUP_END, START_GAME, SETUP_TOKENS, SETUP_CHARACTERS, SETUP_MARKERS, SPREAD, REVEAL,
 EFFECTS, PAY_EACH, DISCARD_TO_LIMIT, ENEMY_ZONE, ENEMY_MOVE,
 RAID, BEGIN_TURNS, BEGIN_TURN, END_TURN, END_ACTIONS, SETTLE_BRIBES, PLAY, SPECIAL,
 BOARD_LIMITS, TRACKS, QUEEN_CHECK, GATE_CHECK, OUTCOME, CARRY_OVER,
 BARTER, ARRIVE) = range(len(NAMES))  # fmt: skip
LAST_CHANCE = DRAW_NEXT_CHALLENGE
LAST_PROMPT = BARTER_AS
