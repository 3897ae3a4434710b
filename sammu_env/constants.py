"""Numbers that stand for the things in the box. Names shown to people live in :mod:`sammu_env.words`.

Only what the printed components fix is here; every value that a card or the map prints is data (``sammu_env/data``).
"""

from __future__ import annotations

from typing import NamedTuple

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

GROUPS = ("personal", "public", "advisors", "characters")
PERSONAL_GROUP, PUBLIC_GROUP, ADVISORS_GROUP, CHARACTERS_GROUP = range(4)
#: What follows for each good or token that is not there: a red marker into the bag, a draw from it, nothing.
UNPAID_RULES = ("bag", "draw", "none")
UNPAID_BAG, UNPAID_DRAW, UNPAID_NONE = range(3)

EVERYWHERE, AT_MARKETS = -1, -2
NO_ACTIONS = -99

#: What the number of a field names, by sort of field; that of any other sort is a plain number.
NAMED: dict[str, tuple[str, ...]] = {
    "area": AREAS, "location": LOCATIONS, "kind": KINDS, "marker": MARKERS, "good": GOODS, "group": GROUPS,
    "unpaid": UNPAID_RULES,
}  # fmt: skip
#: What is said in place of a name or a number.
WORDS = {"everywhere": EVERYWHERE, "markets": AT_MARKETS, "none": NO_ACTIONS}


class Field(NamedTuple):
    """What an effect, a condition or a special action says, one number of its row (number, a, b, c)."""

    name: str
    sort: str  #: its own name, if no other is said
    allowed: str  #: what a file may say where that is not just the sort: "1-25", "bag|draw", "area|everywhere"
    default: str | None  #: None: it must be there; "": it may be missing


def _fields(text: str) -> tuple[Field, ...]:
    """What text says: ``name``, ``name:sort`` or ``name:allowed``, then ``?`` (may be missing) or ``=default``."""
    found = []
    for word in text.split():
        head, equals, default = word.removesuffix("?").partition("=")
        name, _, rest = head.partition(":")
        first = rest.partition("|")[0]
        sort = first if first in NAMED or rest.isalpha() else name
        allowed = "" if sort == rest else rest
        found.append(Field(name, sort, allowed, default if equals else "" if word.endswith("?") else None))
    return tuple(found)


class Row(NamedTuple):
    """An effect, a condition or a special action; its place in the table is its number."""

    name: str
    fields: tuple[Field, ...]


_effects: list[Row] = []
_conditions: list[Row] = []
_specials: list[Row] = []


def _effect(name: str, fields: str = "") -> int:
    _effects.append(Row(name, _fields(fields)))
    return len(_effects) - 1


def _condition(name: str, fields: str = "") -> int:
    _conditions.append(Row(name, _fields(fields)))
    return len(_conditions) - 1


def _special(name: str, fields: str = "") -> int:
    _specials.append(Row(name, _fields(fields)))
    return len(_specials) - 1


# Effects of events, banners and monthly effects: one row each. What each does is ``do_...`` in rules/effects.py.
FX_NONE = _effect("none")
FX_TOKENS = _effect("tokens", "area? kind n:change")  # in a banner the area is the event's own
FX_PLACE_MARKER = _effect("place_marker", "marker at?")  # a location, or an area's capital
FX_BAG_ADD = _effect("bag_add", "marker n=1")
FX_BAG_REMOVE = _effect("bag_remove", "marker n=1")
FX_DRAW = _effect("draw", "n=1")  # from the bag, on the event's area
FX_CLOSE_ROADS = _effect("close_roads", "where:area|everywhere|markets")  # the Queen's Road
FX_BAN_TOKENS = _effect("ban_tokens", "area")  # no empire token in or out
FX_DOUBLE_STEPS = _effect("double_steps", "area")  # in and out costs two steps
FX_FREEZE = _effect("freeze", "area")  # characters who start there do not move
FX_FEWER_ACTIONS = _effect("fewer_actions", "area n:1-2")  # what two cards of one month add up to is observed
FX_BONUS_STEPS = _effect("bonus_steps", "group:advisors|characters n:1-2")
FX_MOVE_LIMIT = _effect("move_limit", "n:0-5")  # move actions for a character
FX_QUEEN_ACTIONS = _effect("queen_actions", "n:change|none")
FX_CLOSE_MARKETS = _effect("close_markets")
FX_ADD_ENEMIES = _effect("add_enemies", "at? n:1-25")  # a location, or an area's farthest from Kalhu (p. 22)
FX_REMOVE_ENEMIES = _effect("remove_enemies", "area n")  # in it or next to it
FX_PAY_EACH = _effect("pay_each", "group n unpaid:bag|draw=bag")
FX_PAY_TOTAL = _effect("pay_total", "group n unpaid:bag|none=bag")
FX_CORRUPTION = _effect("corruption", "n:1-25")  # owed after the action phase, or the game is lost
FX_BRIBES = _effect("bribes", "group n:1-5")  # each pays at the end of the month
FX_GAIN_EACH = _effect("gain_each", "group good n")
FX_GAIN_IN_AREA = _effect("gain_in_area", "area good n")
FX_MOVE_CHARACTER = _effect("move_character", "area")  # any one character may be moved there
FX_TRADE_ROAD = _effect("trade_road", "n")  # goods, and a karu marker on a road
FX_LOSE_TOKENS = _effect("lose_tokens", "kind n unpaid:none|bag=none")  # any place
FX_DISCARD_CARDS = _effect("discard_cards", "n")  # each player
FX_ORACLE_EVENT = _effect("oracle_event")  # Baileet comes, side B
FX_ORACLE_CHALLENGE = _effect("oracle_challenge")  # an unused event card says where Baileet goes

# Win conditions of a challenge, of which all must hold: one row each. How much is needed and how much there is:
# ``need_...`` and ``have_...`` in rules/conditions.py.
W_NONE = _condition("none")
W_NO_UNREST = _condition("no_unrest")
W_NO_ENEMIES = _condition("no_enemies")
W_GATE = _condition("gate", "area")
W_GATES = _condition("gates", "n:1-10")
W_AREA_TOKENS = _condition("area_tokens", "area kind n")
W_PLACE_TOKENS = _condition("place_tokens", "location kind n")
W_TOTAL_TOKENS = _condition("total_tokens", "kind n areas:0-10=0")  # n on the map, in that many areas at least
W_BOTH_TOKENS = _condition("both_tokens", "kind n areas:several")  # n in them together, at least one in each
W_GOODS = _condition("goods", "group good n")
W_ADVISORS_HOME = _condition("advisors_home", "origin:area area")  # all advisors of the one are in the other
W_ADVISORS = _condition("advisors", "n:1-13")  # in play

# Special actions of characters: one row each; all have a price besides. Whether it can be done is ``can_...`` and what
# it does ``do_...`` in rules/actions/special.py.
SP_NONE = _special("none")
SP_EXCHANGE = _special("exchange", "give:kind? give_n:amount=0 get:kind get_n:n")  # tokens for tokens, or for the price
SP_DRAW = _special("draw", "n anyone:flag=false")
SP_MARCH = _special("march", "steps:1-9")
SP_SUMMON = _special("summon", "n steps:0-9=0 adjacent:flag=false")  # diviners, here or one step away, then some steps
SP_LOOK = _special("look", "n:2-8")
SP_PLAY_TWO = _special("play_two")
SP_GAIN_TECHNOLOGY = _special("gain_technology")
SP_PLAY_FREE = _special("play_free")
SP_COMMAND = _special("command", "armies:1-2 steps:1-9")  # of more, two would not be told apart

#: The rows by number, and their names.
EFFECT_ROWS, CONDITION_ROWS, SPECIAL_ROWS = tuple(_effects), tuple(_conditions), tuple(_specials)
EFFECTS, CONDITIONS, SPECIALS = (
    tuple(row.name for row in rows) for rows in (EFFECT_ROWS, CONDITION_ROWS, SPECIAL_ROWS)
)

#: A row of ``box.special[character, side]``: number, goods to pay, cards to discard, then the fields.
C_SPECIAL, C_GOODS, C_CARDS, C_FIELDS = range(4)
SPECIAL_COLUMNS = C_FIELDS + max(len(row.fields) for row in SPECIAL_ROWS)
MAX_SPECIALS = 3


def card_id(number: int) -> str:
    """What is printed on a card: "SAM-026"."""
    return f"SAM-{number:03d}"


def card_ids(first: int, n: int) -> tuple[str, ...]:
    """Those of ``n`` cards from a number on."""
    return tuple(map(card_id, range(first, first + n)))


CHARACTER_FIRST, EVENT_FIRST, ASHUR_FIRST, CHALLENGE_FIRST = 1, 16, 79, 179
N_EVENTS, N_ASHUR, N_CHALLENGES = 63, 100, 20
CHALLENGES = card_ids(CHALLENGE_FIRST, N_CHALLENGES)
LETTERS = "ABCDE"
#: A challenge that is drawn as the game begins.
RANDOM = "random"
ORACLE_EVENTS = (60, 61, 62)
MAX_PLAYERS, MAX_MONTHS = 5, 8
PLAYERS = range(1, MAX_PLAYERS + 1)
START_GOODS = range(3, 6)  #: of each advisor (p. 9)
#: How many months fewer each game of a campaign has in the advanced variant, and for how many players it is (p. 36).
FEWER_MONTHS, ADVANCED_PLAYERS = (0, 1, 1, 2, 2), 3
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
