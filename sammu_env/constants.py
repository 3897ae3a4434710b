"""Numbers that stand for the things in the box. Names shown to people live in :mod:`sammu_env.words`.

Only what the printed components fix is here; every value that a card or the map prints is data (``sammu_env/data``).
"""

from __future__ import annotations

# Empire tokens. The red marker of a kind has the kind's own number, the green one that number plus GREEN.
MILITARY, DIVINER, SUPPLY, MEDICINE = range(4)
KINDS = ("military", "diviner", "supply", "medicine")
#: R1: the kinds that another one sustains, in the order in which they are checked.
SUSTAINED_BY = ((DIVINER, MEDICINE), (SUPPLY, DIVINER), (MILITARY, SUPPLY))
#: R1: at least so many sustain so many.
SUSTAINED = ((11, 20), (6, 15), (0, 10))

# Effect markers.
RAID, ASSASSINATION, UNREST, PLAGUE, DIPLOMACY, RELIGION, KARU, HEALTH = range(8)
GREEN = 4
MARKERS = ("raid", "assassination", "unrest", "plague", "diplomacy", "religion", "karu", "health")
#: Markers that a card places on Sammu-ramat, or where the team decides.
PLACELESS = ("assassination", *MARKERS[GREEN:])

TEXTILE, IRON, COPPER, GOLD, LAPIS = range(5)
GOODS = ("textile", "iron", "copper", "gold", "lapis")

SHIELD, MILITARY_WAGON, DIVINER_WAGON, SUPPLY_WAGON, MEDICINE_WAGON, MULE, WHEEL, SUN, AMPHORA, VIAL, SWORD = range(11)
TECHNOLOGIES = (
    "Shield", "Military Wagon", "Diviner Wagon", "Supply Wagon", "Medicine Wagon", "Mule", "Wheel", "Sun", "Amphora",
    "Vial", "Sword",
)  # fmt: skip

# The map. Areas stand in the enemy order; the two locations of no area are zones of their own behind them.
AREAS = ("Assyria", "Phrygia", "Urartu", "Medes", "Babylonia", "Elam", "Canaan", "Cyprus", "Egypt", "Kush")
ASSYRIA, PHRYGIA, URARTU, MEDES, BABYLONIA, ELAM, CANAAN, CYPRUS, EGYPT, KUSH = range(10)
DAMASCUS_ZONE, SARDES_ZONE = 10, 11
ZONES = (*AREAS, "Damascus", "Sardes")
LOCATIONS = (
    "Kalhu", "Nineveh", "Ashur", "Arbela", "Gordium", "Ancyra", "Elmali", "Tushpa", "Bastam", "Ecbatana", "Godin Tepe",
    "Babylon", "Opis", "Susa", "Anshan", "Jerusalem", "Tyre", "Samaria", "Salamis", "Kition", "Men-nefer",
    "Heliopolis", "Napata", "Meroe", "Damascus", "Sardes",
)  # fmt: skip
KALHU, DAMASCUS, SARDES = 0, 24, 25
MAX_ROADS = 40

CHARACTERS = (
    "Sammu-ramat", "Besime", "Younan", "Dinah", "Wardiya", "Amunet", "Ithobaal", "Marsyas", "Deioces", "Lilith",
    "Katuzili", "Siranoush", "Amenirdis", "Apollonios", "Baileet",
)  # fmt: skip
SAMMU_RAMAT, BAILEET = 0, 14
ADVISORS = range(1, 14)
PUBLIC, PERSONAL, SOLO = range(3)
SIDES = ("public", "personal", "solo")
#: Baileet's card has sides of its own: A in the challenge, B in events.
SIDE_A, SIDE_B = 0, 1
OUT, IN_PLAY, AWAY, DEAD = range(4)
STATUS = ("out", "in play", "away", "dead")

#: Standing abilities, columns of ``box.ability[character, side]``.
ABILITIES = (
    "defence", "medicine", "bodyguard", "carry_characters", "pass_enemies", "diviners_defend", "free_barter",
    "free_diviner_cards", "military_only", "carry", "favoured_everywhere", "extra_action", "sea_routes",
    "remove_assassination", "recover_military",
)  # fmt: skip
(A_DEFENCE, A_MEDICINE, A_BODYGUARD, A_CARRY_CHARACTERS, A_PASS_ENEMIES, A_DIVINERS_DEFEND, A_FREE_BARTER,
 A_FREE_DIVINER_CARDS, A_MILITARY_ONLY, A_CARRY, A_FAVOURED_EVERYWHERE, A_EXTRA_ACTION, A_SEA_ROUTES,
 A_REMOVE_ASSASSINATION, A_RECOVER_MILITARY) = range(len(ABILITIES))  # fmt: skip

#: Special actions, the first number of ``box.special[character, side, i]``; the others are
#: goods to pay, cards to discard, and what the names below say.
SPECIALS = (
    "none", "exchange", "draw", "march", "summon", "look", "play_two", "gain_technology", "play_free", "command",
)  # fmt: skip
(SP_NONE, SP_EXCHANGE, SP_DRAW, SP_MARCH, SP_SUMMON, SP_LOOK, SP_PLAY_TWO, SP_TECHNOLOGY, SP_PLAY_FREE,
 SP_COMMAND) = range(len(SPECIALS))  # fmt: skip
#: Columns of a special action. exchange: FROM kind (-1 none), FROM_N, TO kind, TO_N. draw: TO_N cards, REACH 1 when
#: any player may draw. march: TO_N steps. summon: TO_N diviners at most, REACH steps they then go, FROM steps from her
#: where they may appear. look: TO_N event cards. command: TO_N armies, REACH steps each.
SPECIAL_COLUMNS = ("special", "goods", "cards", "from_kind", "from_n", "to_kind", "to_n", "reach")
(C_SPECIAL, C_GOODS, C_CARDS, C_FROM, C_FROM_N, C_TO, C_TO_N, C_REACH) = range(len(SPECIAL_COLUMNS))
MAX_SPECIALS = 3

#: Effects of events, banners and monthly effects: rows (effect, a, b, c) of the programs in the box.
EFFECTS = (
    "none",
    "tokens",            # area, kind, n: tokens up (n > 0) or down
    "place_marker",      # marker, location
    "bag_add",           # marker, n
    "bag_remove",        # marker, n
    "draw",              # n: from the bag, on the event's area
    "close_roads",       # area, or EVERYWHERE, or MARKETS: the Queen's Road
    "ban_tokens",        # area: no empire token in or out
    "double_steps",      # area: in and out costs two steps
    "freeze",            # area: characters who start there do not move
    "fewer_actions",     # area, n
    "bonus_steps",       # group (ADVISORS_GROUP or CHARACTERS_GROUP), n
    "move_limit",        # n move actions for a character
    "queen_actions",     # n more, or NO_ACTIONS
    "close_markets",
    "add_enemies",       # location, n
    "remove_enemies",    # area, n: in it or next to it
    "pay_each",          # group, n, unpaid (UNPAID_BAG or UNPAID_DRAW)
    "pay_total",         # group, n, unpaid (UNPAID_BAG or UNPAID_NONE)
    "corruption",        # n: owed after the action phase, or the game is lost
    "bribes",            # group, n: each pays at the end of the month
    "gain_each",         # group, good, n
    "gain_in_area",      # area, good, n
    "move_character",    # area: any one character may be moved there
    "trade_road",        # n goods, and a karu marker on a road
    "lose_tokens",       # kind, n, unpaid (UNPAID_BAG or UNPAID_NONE): any place
    "discard_cards",     # n: each player
    "oracle_event",      # Baileet comes, side B
    "oracle_challenge",  # an unused event card says where Baileet goes
)  # fmt: skip
(FX_NONE, FX_TOKENS, FX_PLACE_MARKER, FX_BAG_ADD, FX_BAG_REMOVE, FX_DRAW, FX_CLOSE_ROADS, FX_BAN_TOKENS,
 FX_DOUBLE_STEPS, FX_FREEZE, FX_FEWER_ACTIONS, FX_BONUS_STEPS, FX_MOVE_LIMIT, FX_QUEEN_ACTIONS, FX_CLOSE_MARKETS,
 FX_ADD_ENEMIES, FX_REMOVE_ENEMIES, FX_PAY_EACH, FX_PAY_TOTAL, FX_CORRUPTION, FX_BRIBES, FX_GAIN_EACH,
 FX_GAIN_IN_AREA, FX_MOVE_CHARACTER, FX_TRADE_ROAD, FX_LOSE_TOKENS, FX_DISCARD_CARDS, FX_ORACLE_EVENT,
 FX_ORACLE_CHALLENGE) = range(len(EFFECTS))  # fmt: skip
EVERYWHERE, AT_MARKETS = -1, -2
NO_ACTIONS = -99
GROUPS = ("personal", "public", "advisors", "characters")
PERSONAL_GROUP, PUBLIC_GROUP, ADVISORS_GROUP, CHARACTERS_GROUP = range(4)
#: What follows for each good or token that is not there: a red marker into the bag, a draw from it, nothing.
UNPAID_RULES = ("bag", "draw", "none")
UNPAID_BAG, UNPAID_DRAW, UNPAID_NONE = range(3)

#: Win conditions: rows (condition, a, b, c) of a challenge; all must hold.
CONDITIONS = (
    "none",
    "no_unrest",
    "no_enemies",
    "gate",          # area
    "gates",         # n
    "area_tokens",   # area, kind, n
    "place_tokens",  # location, kind, n
    "total_tokens",  # kind, n, areas: n on the map, in that many areas at least
    "both_tokens",   # kind, n, areas as bits: n in them together, at least one in each
    "goods",         # group, good, n
    "advisors_home", # area of origin, area where all of them are
    "advisors",      # n in play
)  # fmt: skip
(W_NONE, W_NO_UNREST, W_NO_ENEMIES, W_GATE, W_GATES, W_AREA_TOKENS, W_PLACE_TOKENS, W_TOTAL_TOKENS, W_BOTH_TOKENS,
 W_GOODS, W_ADVISORS_HOME, W_ADVISORS) = range(len(CONDITIONS))  # fmt: skip

ASHUR_FIRST, EVENT_FIRST, CHALLENGE_FIRST = 79, 16, 179
N_ASHUR, N_EVENTS, N_CHALLENGES = 100, 63, 20
ORACLE_EVENTS = (60, 61, 62)
MAX_PLAYERS, MAX_MONTHS = 5, 8
MAX_ASSASSINATIONS = 3
MAX_TAX = 6
FREE_ACTIONS = 5

# Stages of a month (rulebook p. 13), in order.
STAGES = (
    "spread", "event", "enemy_attack", "monthly_effect", "draw", "tax", "actions", "empire_board", "queen", "gates",
    "outcome",
)  # fmt: skip
(ST_SPREAD, ST_EVENT, ST_ENEMY_ATTACK, ST_MONTHLY_EFFECT, ST_DRAW, ST_TAX, ST_ACTIONS, ST_EMPIRE_BOARD, ST_QUEEN,
 ST_GATES, ST_OUTCOME) = range(len(STAGES))  # fmt: skip

RUNNING, WON, LOST = range(3)
RESULTS = ("running", "won", "lost")
CAUSES = (
    "none", "challenge met", "no medicine", "no supply", "no diviners", "no military", "no gate left",
    "Assyria's gate lost", "Sammu-ramat assassinated", "Sammu-ramat's location lost", "unpaid corruption",
    "out of months",
)  # fmt: skip
(NO_CAUSE, MET, NO_MEDICINE, NO_SUPPLY, NO_DIVINERS, NO_MILITARY, NO_GATE, ASSYRIA_LOST, QUEEN_ASSASSINATED,
 QUEEN_CAPTURED, UNPAID, OUT_OF_MONTHS) = range(len(CAUSES))  # fmt: skip

#: ``to_act`` when no seat is asked.
CHANCE, NOBODY = -1, -2
