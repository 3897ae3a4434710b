"""The file format: effects, win conditions, special actions, cards and tables. What these do not name is refused."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias, Union

from pydantic import AfterValidator, Field, create_model

from sammu_env import box as shape
from sammu_env import constants as c
from tabletop import editions
from tabletop.editions import Strict, one_of

# --- names and numbers -----------------------------------------------------------------------------------------------


Area = Annotated[str, one_of(c.AREAS)]
Zone = Annotated[str, one_of(c.ZONES)]
Location = Annotated[str, one_of(c.LOCATIONS)]
Place = Annotated[str, one_of((*c.LOCATIONS, *c.AREAS))]
Kind = Annotated[str, one_of(c.KINDS)]
Good = Annotated[str, one_of(c.GOODS)]
Marker = Annotated[str, one_of(c.MARKERS)]
Technology = Annotated[str, one_of(c.TECHNOLOGIES)]
CharacterName = Annotated[str, one_of(c.CHARACTERS)]
Ability = Annotated[str, one_of(c.ABILITIES)]
Group = Annotated[str, one_of(c.GROUPS)]
# The ranges are wider than anything printed; where an observation or the board has room for less, they say so.
Count = Annotated[int, Field(ge=1, le=50)]
Amount = Annotated[int, Field(ge=0, le=50)]
#: Tokens that an Ashur card gives.
Gain = Annotated[int, Field(ge=1, le=10)]
Goods = dict[Good, Count]


def _not_zero(value: int) -> int:
    if value == 0:
        raise ValueError("expected a number other than 0")
    return value


def _different(names: list[str]) -> list[str]:
    if len(set(names)) != len(names):
        raise ValueError("expected each name once")
    return names


Change = Annotated[int, Field(ge=-20, le=20), AfterValidator(_not_zero)]


class Record(editions.Record):
    """A card, a place or a table row; what a challenge card prints as an example may be a source too."""

    SOURCE = re.compile(r"(rulebook (p\.\d+|SAM-\d{3})|public|reconstructed|edition)\b")
    SOURCES = "'rulebook p.N', 'rulebook SAM-NNN', 'public' or 'reconstructed'"


# --- effects, win conditions and special actions: the rows of constants ----------------------------------------------

#: What a field may say: by what its row allows, else by its sort.
TYPES: dict[str, Any] = {
    "area": Area, "location": Location, "at": Place, "kind": Kind, "good": Good, "marker": Marker, "group": Group,
    "n": Count, "amount": Amount, "flag": bool, "change": Change, "change|none": Change | Literal["none"],
    "several": Annotated[list[Area], Field(min_length=2), AfterValidator(_different)],
}  # fmt: skip


def _type(field: c.Field) -> Any:
    if re.fullmatch(r"\d+-\d+", field.allowed):
        low, high = field.allowed.split("-")
        return Annotated[int, Field(ge=int(low), le=int(high))]
    if field.allowed and field.allowed not in TYPES:
        first, *others = field.allowed.split("|")
        return Annotated[str, one_of((*c.NAMED.get(first, (first,)), *others))]
    return TYPES[field.allowed or field.sort]


class Price(Strict):
    """What a special action costs."""

    goods: Amount = 0
    cards: Annotated[int, Field(ge=0, le=7)] = 0


def _default(text: str) -> Any:
    """A default as a file has it: a number, false, or a name."""
    return False if text == "false" else int(text) if text.isdecimal() else text


def _model(tag: str, base: type[Strict], name: str, fields: tuple[c.Field, ...]) -> Any:
    """The model of a row: what all have, its name under ``tag``, then its fields."""
    found: dict[str, Any] = {tag: (Literal[name], ...)}
    for field in fields:
        kind = _type(field)
        if field.default == "":
            found[field.name] = (kind | None, None)
        elif field.default is None:
            found[field.name] = (kind, ...)
        else:
            found[field.name] = (kind, _default(field.default))
    return create_model(name, __base__=base, __module__=__name__, **found)


def _any_of(tag: str, rows: tuple[c.Row, ...], base: type[Strict] = Strict) -> Any:
    """One of the rows of a table, but for the first, which is none."""
    models = [_model(tag, base, *row) for row in rows[1:]]
    return Annotated[Union[tuple(models)], Field(discriminator=tag)]  # noqa: UP007


if TYPE_CHECKING:
    Effect: TypeAlias = Any
    Condition: TypeAlias = Any
    Special: TypeAlias = Any
else:
    Effect = _any_of("effect", c.EFFECT_ROWS)
    Condition = _any_of("condition", c.CONDITION_ROWS)
    Special = _any_of("special", c.SPECIAL_ROWS, Price)


# --- cards and tables ------------------------------------------------------------------------------------------------


class LocationRow(Record):
    zone: Zone
    capital: bool
    market: bool


class AreaRow(Record):
    good: Good


class Map(Record):
    location: dict[Location, LocationRow]
    area: dict[Area, AreaRow]
    roads: list[Annotated[list[Location], Field(min_length=2, max_length=2)]]
    queens_road: list[Location]
    enemy_order: list[Zone]
    technology_locations: Annotated[list[Location], Field(min_length=6, max_length=6)]
    sea: list[Place]


Actions = Annotated[int, Field(ge=0, le=9)]


class PlayerRow(Record):
    """What changes with the number of players (p. 24; solo p. 38)."""

    months: Annotated[int, Field(ge=1, le=c.MAX_MONTHS)]
    personal: Actions
    public: Actions
    queen: Actions
    hand_start: Amount
    hand_limit: Count
    cards_a_month: Amount


class Counts(Record):
    """How many of each the box holds (p. 2); of tokens no more than the empire board has places for (p. 31).

    And what a game begins with where the players name nothing else: goods of each advisor, oracle events.
    """

    tokens: dict[Kind, Annotated[int, Field(ge=1, le=20)]]
    enemies: Count
    gates: Annotated[int, Field(ge=1, le=10)]
    goods: Goods
    start_goods: Annotated[int, Field(ge=c.START_GOODS[0], le=c.START_GOODS[-1])]
    oracles: Annotated[int, Field(ge=0, le=3)]
    players: dict[Literal["1", "2", "3", "4", "5"], PlayerRow]


#: The largest number of an ability; 1 for those that somebody has or has not.
MOST = {
    "defence": 9, "medicine": 9, "military_only": 99, "carry": 99, "recover_military": 20,
}  # fmt: skip


def _abilities(abilities: dict[str, int]) -> dict[str, int]:
    for name, n in abilities.items():
        if n > MOST.get(name, 1):
            raise ValueError(f"found {name} = {n}, expected at most {MOST.get(name, 1)}")
    return abilities


class Side(Record):
    text: str
    text_ja: str
    abilities: Annotated[dict[Ability, Annotated[int, Field(ge=1, le=99)]], AfterValidator(_abilities)] = {}
    actions: Annotated[list[Special], Field(max_length=c.MAX_SPECIALS)] = []


class Character(Record):
    name: CharacterName
    title_ja: str
    home: Area | None = None
    start_good: Good | None = None
    public: Side | None = None
    personal: Side | None = None
    solo: Side | None = None
    side_a: Side | None = None
    side_b: Side | None = None


class Event(Record):
    title: str
    title_ja: str
    area: Area
    text: str
    text_ja: str
    banner: Annotated[list[Effect], Field(max_length=shape.BANNER_ROWS)]
    effects: Annotated[list[Effect], Field(max_length=shape.TEXT_ROWS)]


class AreaCard(Record):
    kind: Literal["area"]
    area: Area
    token: Kind
    favoured: Gain
    elsewhere: Gain
    cost: Goods


class TechnologyCard(Record):
    kind: Literal["technology"]
    technology: Technology
    cost: Goods


class BagCard(Record):
    kind: Literal["bag"]
    marker: Marker
    cost: Goods
    gain: Annotated[dict[Kind, Gain], Field(min_length=1)]


class GoodsCard(Record):
    kind: Literal["goods"]
    marker: Marker
    gain: Annotated[Goods, Field(min_length=1)]


AshurCard = Annotated[
    AreaCard | TechnologyCard | BagCard | GoodsCard,
    Field(discriminator="kind"),
]


class Setup(Record):
    gates: list[Area]
    tokens: dict[Area, dict[Kind, Amount]]
    enemies: dict[Place, Count]
    bag: dict[Marker, Count]
    unrest: list[Place] = []
    plague: list[Place] = []
    characters: dict[CharacterName, Place] = {}
    oracle: bool = False
    #: Conditions of an honest side that this one does not satisfy, by their names in ``sides``.
    gives_way: list[Literal["condition", "tokens"]] = []

    def _own(self) -> Iterator[tuple[str, Any]]:
        return ((name, value) for name, value in super()._own() if name != "gives_way")  # no value of the card


#: A month, or the first and the last of some.
MONTHS = tuple(
    f"{first}-{last}" if last > first else str(first)
    for first in range(1, c.MAX_MONTHS + 1)
    for last in range(first, c.MAX_MONTHS + 1)
)
Months = Annotated[str, one_of(MONTHS)]


class Challenge(Record):
    letter: Literal["A", "B", "C", "D", "E"]
    title: str
    title_ja: str
    text: str
    text_ja: str
    win: Annotated[list[Condition], Field(min_length=1, max_length=shape.CONDITION_ROWS)]
    monthly: dict[Months, Annotated[list[Effect], Field(max_length=shape.MONTHLY_ROWS)]]
    monthly_text: dict[str, str]
    monthly_text_ja: dict[str, str]
    note: str = ""
    note_ja: str = ""
    setup: Setup


class MarkerRow(Record):
    title: str
    title_ja: str
    text: str
    text_ja: str
    count: Count


class TechnologyRow(Record):
    title: str
    title_ja: str
    text: str
    text_ja: str
    count: Annotated[int, Field(ge=1, le=5)]


class Box(Strict):
    """Everything in the box, as the files say it."""

    map: Map
    components: Counts
    character: dict[str, Character]
    event: dict[str, Event]
    ashur: dict[str, AshurCard]
    challenge: dict[str, Challenge]
    marker: dict[Marker, MarkerRow]
    technology: dict[Technology, TechnologyRow]

    def records(self) -> Iterator[tuple[str, Record]]:
        """Every card and table with its id; a card's own id, or map and components."""
        yield "map", self.map
        yield "components", self.components
        for section in ("character", "event", "ashur", "challenge", "marker", "technology"):
            yield from getattr(self, section).items()


def months_of(key: str) -> range:
    """The months that a key of a challenge's monthly effects names: "2" or "3-4"."""
    first, _, last = key.partition("-")
    return range(int(first), int(last or first) + 1)


IDS: dict[str, list[str]] = {
    "character": list(c.card_ids(c.CHARACTER_FIRST, len(c.CHARACTERS))),
    "event": list(c.card_ids(c.EVENT_FIRST, c.N_EVENTS)),
    "ashur": list(c.card_ids(c.ASHUR_FIRST, c.N_ASHUR)),
    "challenge": list(c.card_ids(c.CHALLENGE_FIRST, c.N_CHALLENGES)),
    "marker": list(c.MARKERS),
    "technology": list(c.TECHNOLOGIES),
}
