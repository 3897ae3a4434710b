"""The box as data: read ``data/*.toml`` and an edition file, validate, and compile to the BOX record.

Every value says where it comes from: ``rulebook`` (with page or card), ``public`` or ``reconstructed``; a value that an
edition file gives is ``edition``. The shapes below are the file format: what they do not name is refused.
"""

from __future__ import annotations

import copy
import difflib
import hashlib
import json
import re
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError, model_validator

from sammu_env import box as shape
from sammu_env import constants as c
from sammu_env.compile import compile_box

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DATA = Path(__file__).parent / "data"
#: The files of the box and the section each holds.
FILES = {
    "map": "map.toml",
    "components": "components.toml",
    "character": "characters.toml",
    "event": "events.toml",
    "ashur": "ashur.toml",
    "challenge": "challenges.toml",
    "marker": "markers.toml",
    "technology": "technologies.toml",
}
#: Fields that are only read by people: they do not count for the edition's hash.
WORDS = ("title", "title_ja", "text", "text_ja", "monthly_text", "monthly_text_ja", "note", "note_ja")


class EditionError(ValueError):
    """The box cannot be built. ``problems`` has one line for each: file, card, field, what was found and expected."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


# --- names and numbers -----------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OneOf:
    """A validator whose message names the choices and the nearest one."""

    choices: tuple[str, ...]

    def __call__(self, value: str) -> str:
        if value in self.choices:
            return value
        near = difflib.get_close_matches(value, self.choices, 1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise ValueError(f"expected one of {', '.join(self.choices)}{hint}")


def _one_of(choices: tuple[str, ...]) -> AfterValidator:
    return AfterValidator(OneOf(choices))


Area = Annotated[str, _one_of(c.AREAS)]
Zone = Annotated[str, _one_of(c.ZONES)]
Location = Annotated[str, _one_of(c.LOCATIONS)]
Place = Annotated[str, _one_of((*c.LOCATIONS, *c.AREAS))]
Kind = Annotated[str, _one_of(c.KINDS)]
Good = Annotated[str, _one_of(c.GOODS)]
Marker = Annotated[str, _one_of(c.MARKERS)]
Technology = Annotated[str, _one_of(c.TECHNOLOGIES)]
CharacterName = Annotated[str, _one_of(c.CHARACTERS)]
Ability = Annotated[str, _one_of(c.ABILITIES)]
Group = Annotated[str, _one_of(c.GROUPS)]
# The ranges are wider than anything printed; where an observation or the board has room for less, they say so.
Count = Annotated[int, Field(ge=1, le=50)]
Amount = Annotated[int, Field(ge=0, le=50)]
#: Tokens that an Ashur card gives.
Gain = Annotated[int, Field(ge=1, le=10)]
#: What two cards of one month may add up to is observed.
Few = Annotated[int, Field(ge=1, le=2)]
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


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)


SOURCE = re.compile(r"(rulebook (p\.\d+|SAM-\d{3})|public|reconstructed|edition)\b")


class Record(Strict):
    """A card, a place or a table row: values, and for each of them where it comes from.

    ``provenance`` names a field, or ``rest`` for all that it does not name.
    """

    provenance: dict[str, str]

    @model_validator(mode="after")
    def _every_value_has_a_source(self) -> Record:
        fields = [name for name, _ in self._own()]
        for name, source in self.provenance.items():
            if name not in (*type(self).model_fields, "rest"):
                raise ValueError(f"provenance names {name!r}, expected one of rest, {', '.join(fields)}")
            if not SOURCE.match(source):
                raise ValueError(f"provenance {source!r}, expected 'rulebook p.N', 'rulebook SAM-NNN', 'public' or "
                                 "'reconstructed'")  # fmt: skip
        bare = [name for name in fields if name not in self.provenance and "rest" not in self.provenance]
        if bare:
            raise ValueError(f"provenance is missing for {', '.join(bare)}")
        return self

    def _own(self) -> Iterator[tuple[str, Any]]:
        """The values of this record itself, without the records in it."""
        for name in type(self).model_fields:
            value = getattr(self, name)
            if name != "provenance" and value is not None and not _holds_records(value):
                yield name, value

    def sourced(self) -> Iterator[tuple[str, Any, str]]:
        """(field, value, provenance) of this record and of the records in it, dotted."""
        for name, value in self._own():
            yield name, value, self.provenance.get(name, self.provenance.get("rest", ""))
        for name in type(self).model_fields:
            value = getattr(self, name)
            if isinstance(value, Record):
                yield from ((f"{name}.{field}", *rest) for field, *rest in value.sourced())
            elif isinstance(value, dict) and _holds_records(value):
                for key, record in value.items():
                    yield from ((f"{name}.{key}.{field}", *rest) for field, *rest in record.sourced())


def _holds_records(value: Any) -> bool:
    if isinstance(value, dict):
        return bool(value) and all(isinstance(item, Record) for item in value.values())
    return isinstance(value, Record)


# --- effects (constants.EFFECTS): the fields in the order of the compiled row -----------------------------------------


class Tokens(Strict):
    """Empire tokens up or down. In a banner the area is the event's own."""

    effect: Literal["tokens"]
    area: Area | None = None
    kind: Kind
    n: Change


class PlaceMarker(Strict):
    """A red marker on a location of an area or on an area's capital; a raid strikes the location's area.

    Assassination goes on Sammu-ramat, and the team decides where a green marker is used: neither has a place.
    """

    effect: Literal["place_marker"]
    marker: Marker
    at: Place | None = None


class BagAdd(Strict):
    effect: Literal["bag_add"]
    marker: Marker
    n: Count = 1


class BagRemove(Strict):
    effect: Literal["bag_remove"]
    marker: Marker
    n: Count = 1


class Draw(Strict):
    effect: Literal["draw"]
    n: Count = 1


class CloseRoads(Strict):
    effect: Literal["close_roads"]
    where: Annotated[str, _one_of((*c.AREAS, "everywhere", "markets"))]


class BanTokens(Strict):
    effect: Literal["ban_tokens"]
    area: Area


class DoubleSteps(Strict):
    effect: Literal["double_steps"]
    area: Area


class Freeze(Strict):
    effect: Literal["freeze"]
    area: Area


class FewerActions(Strict):
    effect: Literal["fewer_actions"]
    area: Area
    n: Few


class BonusSteps(Strict):
    effect: Literal["bonus_steps"]
    group: Annotated[str, _one_of(("advisors", "characters"))]
    n: Few


class MoveLimit(Strict):
    effect: Literal["move_limit"]
    n: Annotated[int, Field(ge=0, le=5)]


class QueenActions(Strict):
    effect: Literal["queen_actions"]
    n: Change | Literal["none"]


class CloseMarkets(Strict):
    effect: Literal["close_markets"]


class AddEnemies(Strict):
    """Enemies on a location, or on an area's location farthest from Kalhu (p. 22)."""

    effect: Literal["add_enemies"]
    at: Place | None = None
    n: Annotated[int, Field(ge=1, le=25)]


class RemoveEnemies(Strict):
    effect: Literal["remove_enemies"]
    area: Area
    n: Count


class PayEach(Strict):
    effect: Literal["pay_each"]
    group: Group
    n: Count
    unpaid: Annotated[str, _one_of(("bag", "draw"))] = "bag"


class PayTotal(Strict):
    effect: Literal["pay_total"]
    group: Group
    n: Count
    unpaid: Annotated[str, _one_of(("bag", "none"))] = "bag"


class Corruption(Strict):
    effect: Literal["corruption"]
    n: Annotated[int, Field(ge=1, le=25)]


class Bribes(Strict):
    effect: Literal["bribes"]
    group: Group
    n: Annotated[int, Field(ge=1, le=5)]


class GainEach(Strict):
    effect: Literal["gain_each"]
    group: Group
    good: Good
    n: Count


class GainInArea(Strict):
    effect: Literal["gain_in_area"]
    area: Area
    good: Good
    n: Count


class MoveCharacter(Strict):
    effect: Literal["move_character"]
    area: Area


class TradeRoad(Strict):
    effect: Literal["trade_road"]
    n: Count


class LoseTokens(Strict):
    effect: Literal["lose_tokens"]
    kind: Kind
    n: Count
    unpaid: Annotated[str, _one_of(("none", "bag"))] = "none"


class DiscardCards(Strict):
    effect: Literal["discard_cards"]
    n: Count


class OracleEvent(Strict):
    effect: Literal["oracle_event"]


class OracleChallenge(Strict):
    effect: Literal["oracle_challenge"]


Effect = Annotated[
    Tokens | PlaceMarker | BagAdd | BagRemove | Draw | CloseRoads | BanTokens | DoubleSteps | Freeze | FewerActions
    | BonusSteps | MoveLimit | QueenActions | CloseMarkets | AddEnemies | RemoveEnemies | PayEach | PayTotal
    | Corruption | Bribes | GainEach | GainInArea | MoveCharacter | TradeRoad | LoseTokens | DiscardCards
    | OracleEvent | OracleChallenge,
    Field(discriminator="effect"),
]  # fmt: skip


# --- win conditions (constants.CONDITIONS) ---------------------------------------------------------------------------


class NoUnrest(Strict):
    condition: Literal["no_unrest"]


class NoEnemies(Strict):
    condition: Literal["no_enemies"]


class GateStands(Strict):
    condition: Literal["gate"]
    area: Area


class GatesStand(Strict):
    condition: Literal["gates"]
    n: Annotated[int, Field(ge=1, le=10)]


class AreaTokens(Strict):
    condition: Literal["area_tokens"]
    area: Area
    kind: Kind
    n: Count


class PlaceTokens(Strict):
    condition: Literal["place_tokens"]
    location: Location
    kind: Kind
    n: Count


class TotalTokens(Strict):
    """So many of a kind on the map, in that many areas at least."""

    condition: Literal["total_tokens"]
    kind: Kind
    n: Count
    areas: Annotated[int, Field(ge=0, le=10)] = 0


class BothTokens(Strict):
    """So many of a kind in the areas together, and at least one in each."""

    condition: Literal["both_tokens"]
    kind: Kind
    n: Count
    areas: Annotated[list[Area], Field(min_length=2), AfterValidator(_different)]


class GoodsHeld(Strict):
    condition: Literal["goods"]
    group: Group
    good: Good
    n: Count


class AdvisorsHome(Strict):
    condition: Literal["advisors_home"]
    origin: Area
    area: Area


class AdvisorsInPlay(Strict):
    condition: Literal["advisors"]
    n: Annotated[int, Field(ge=1, le=13)]


Condition = Annotated[
    NoUnrest | NoEnemies | GateStands | GatesStand | AreaTokens | PlaceTokens | TotalTokens | BothTokens | GoodsHeld
    | AdvisorsHome | AdvisorsInPlay,
    Field(discriminator="condition"),
]  # fmt: skip


# --- special actions (constants.SPECIALS) ----------------------------------------------------------------------------


class Price(Strict):
    goods: Amount = 0
    cards: Annotated[int, Field(ge=0, le=7)] = 0


class Exchange(Price):
    """Goods, cards and perhaps tokens for tokens."""

    special: Literal["exchange"]
    give: Kind | None = None
    give_n: Amount = 0
    get: Kind
    get_n: Count

    @model_validator(mode="after")
    def _gives_what_it_names(self) -> Exchange:
        if (self.give is None) != (self.give_n == 0):
            raise ValueError(f"give = {self.give!r} and give_n = {self.give_n}: expected both or neither")
        return self


class DrawCards(Price):
    special: Literal["draw"]
    n: Count
    anyone: bool = False


class March(Price):
    special: Literal["march"]
    steps: Annotated[int, Field(ge=1, le=9)]


class Summon(Price):
    """Diviners placed here (or one location away), who may then go some steps."""

    special: Literal["summon"]
    n: Count
    steps: Annotated[int, Field(ge=0, le=9)] = 0
    adjacent: bool = False


class Look(Price):
    special: Literal["look"]
    n: Annotated[int, Field(ge=2, le=c.MAX_MONTHS)]


class PlayTwo(Price):
    special: Literal["play_two"]


class GainTechnology(Price):
    special: Literal["gain_technology"]


class PlayFree(Price):
    special: Literal["play_free"]


class Command(Price):
    special: Literal["command"]
    armies: Count
    steps: Annotated[int, Field(ge=1, le=9)]


Special = Annotated[
    Exchange | DrawCards | March | Summon | Look | PlayTwo | GainTechnology | PlayFree | Command,
    Field(discriminator="special"),
]


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
    """How many of each the box holds (p. 2); of tokens no more than the empire board has places for (p. 31)."""

    tokens: dict[Kind, Annotated[int, Field(ge=1, le=20)]]
    enemies: Count
    gates: Annotated[int, Field(ge=1, le=10)]
    goods: Goods
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


def _months(key: str) -> str:
    if not re.fullmatch(r"[1-8](-[1-8])?", key):
        raise ValueError('expected a month or two, such as "2" or "3-4"')
    return key


Months = Annotated[str, AfterValidator(_months)]


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


# --- what must hold between values -----------------------------------------------------------------------------------


def _numbered(first: int, n: int) -> list[str]:
    return [f"SAM-{i:03d}" for i in range(first, first + n)]


IDS: dict[str, list[str]] = {
    "character": _numbered(1, len(c.CHARACTERS)),
    "event": _numbered(c.EVENT_FIRST, c.N_EVENTS),
    "ashur": _numbered(c.ASHUR_FIRST, c.N_ASHUR),
    "challenge": _numbered(c.CHALLENGE_FIRST, c.N_CHALLENGES),
    "marker": list(c.MARKERS),
    "technology": list(c.TECHNOLOGIES),
}


def _check_ids(b: Box) -> Iterator[str]:
    for section, ids in IDS.items():
        if list(getattr(b, section)) != ids:
            yield f"{section}: found {len(getattr(b, section))} entries, expected {ids[0]} to {ids[-1]} in order"
    for i, (card_id, character) in enumerate(b.character.items()):
        if character.name != c.CHARACTERS[i]:
            yield f"character.{card_id}: name: found {character.name!r}, expected {c.CHARACTERS[i]!r}"


def _check_map(b: Box) -> Iterator[str]:
    m = b.map
    if list(m.location) != list(c.LOCATIONS):
        yield f"map: location: found {', '.join(m.location)}, expected {', '.join(c.LOCATIONS)}"
        return
    if set(m.area) != set(c.AREAS):
        yield f"map: area: found {', '.join(m.area)}, expected {', '.join(c.AREAS)}"
    for area in c.AREAS:
        capitals = [name for name, row in m.location.items() if row.zone == area and row.capital]
        if len(capitals) != 1:
            yield f"map: location: {area} has the capitals {capitals}, expected exactly one"
    for zone, name in (("Damascus", "Damascus"), ("Sardes", "Sardes")):
        members = [location for location, row in m.location.items() if row.zone == zone]
        if members != [name] or m.location[name].capital:
            yield f"map: location: zone {zone} holds {members}, expected {name} alone and no capital"
    for zone in c.ZONES:
        members = [location for location, row in m.location.items() if row.zone == zone]
        if len(members) > 5:
            yield f"map: location: zone {zone} has {len(members)} locations, expected at most 5"
    if sorted(m.enemy_order) != sorted(c.ZONES):
        yield f"map: enemy_order: found {m.enemy_order}, expected each of {', '.join(c.ZONES)} once"
    yield from _check_roads(m)


def _check_roads(m: Map) -> Iterator[str]:
    pairs = [frozenset(road) for road in m.roads]
    for road in m.roads:
        if road[0] == road[1]:
            yield f"map: roads: found {'-'.join(road)}, expected two different locations"
        elif pairs.count(frozenset(road)) > 1:
            yield f"map: roads: found {'-'.join(road)} twice, expected once"
    if len(m.roads) > c.MAX_ROADS:
        yield f"map: roads: found {len(m.roads)}, expected at most {c.MAX_ROADS}"
    degree = Counter(name for pair in pairs for name in pair)
    yield from (f"map: roads: {n} roads meet at {name}, expected at most 8" for name, n in degree.items() if n > 8)
    reached, front = {c.LOCATIONS[c.KALHU]}, [c.LOCATIONS[c.KALHU]]
    while front:
        here = front.pop()
        new = {name for pair in pairs if here in pair for name in pair} - reached
        reached |= new
        front += new
    lost = [name for name in c.LOCATIONS if name not in reached]
    if lost:
        yield f"map: roads: no way from Kalhu to {', '.join(lost)}, expected a connected map"
    for field, names in (("queens_road", m.queens_road), ("technology_locations", m.technology_locations)):
        if len(set(names)) != len(names) or not names:
            yield f"map: {field}: found {names}, expected different locations"


#: Markers that the box holds at most: an observation has room for that many together.
ROOM = {
    "raid": 10, "assassination": 5, "unrest": 10, "plague": 10, "diplomacy": 10, "religion": 5, "karu": 5, "health": 5,
}  # fmt: skip


def _check_counts(b: Box) -> Iterator[str]:
    for kind in c.KINDS[c.DIVINER :]:
        held = b.components.tokens.get(kind, 0)
        if held > 15:
            yield f"components: tokens.{kind}: found {held}, expected at most 15, the places on the empire board"
    for name, marker in b.marker.items():
        if marker.count > ROOM[name]:
            yield f"marker.{name}: count: found {marker.count}, expected at most {ROOM[name]}"
    for field, names in (("tokens", c.KINDS), ("goods", c.GOODS)):
        if set(getattr(b.components, field)) != set(names):
            yield f"components: {field}: found {', '.join(getattr(b.components, field))}, expected {', '.join(names)}"
    if set(b.components.players) != {"1", "2", "3", "4", "5"}:
        yield f"components: players: found {', '.join(b.components.players)}, expected 1, 2, 3, 4, 5"
    for n, row in b.components.players.items():
        if row.hand_start > row.hand_limit:
            yield f"components: players.{n}.hand_start: found {row.hand_start}, expected at most {row.hand_limit}"


def _check_characters(b: Box) -> Iterator[str]:
    for i, (card_id, character) in enumerate(b.character.items()):
        sides = {"public", "solo"} if i == c.SAMMU_RAMAT else {"side_a", "side_b"} if i == c.BAILEET else {
            "public", "personal"}  # fmt: skip
        found = {name for name in ("public", "personal", "solo", "side_a", "side_b") if getattr(character, name)}
        if found != sides:
            yield f"character.{card_id}: sides: found {sorted(found)}, expected {sorted(sides)}"
        if (character.home is None) != (i == c.BAILEET):
            yield f"character.{card_id}: home: found {character.home!r}, expected one for all but Baileet"
        if i == c.SAMMU_RAMAT and character.home != "Assyria":
            yield f"character.{card_id}: home: found {character.home!r}, expected Assyria, where every game has a gate"
        if (character.start_good is not None) != (i in c.ADVISORS):
            yield f"character.{card_id}: start_good: found {character.start_good!r}, expected one for each advisor only"


def _check_targets(b: Box) -> Iterator[str]:
    """Only a banner may leave its area to the card's icon."""
    for where, effects, banner in _programs(b):
        for i, effect in enumerate(effects):
            if not banner and isinstance(effect, Tokens) and effect.area is None:
                yield f"{where}[{i}].area: missing, expected one of {', '.join(c.AREAS)}"
            if not banner and isinstance(effect, AddEnemies) and effect.at is None:
                yield f"{where}[{i}].at: missing, expected a location or an area"


def _check_markers(b: Box) -> Iterator[str]:
    """Where the markers that cards place can lie (pp. 40-44), and what is said once on a card."""
    for where, effects, banner in _programs(b):
        for i, effect in enumerate(effects):
            if isinstance(effect, PlaceMarker):
                at = effect.at
                if effect.marker in c.PLACELESS and at is not None:
                    yield f"{where}[{i}].at: found {at!r}, expected none: {effect.marker} has no place of its own"
                elif effect.marker not in c.PLACELESS and at is None and not banner:
                    yield f"{where}[{i}].at: missing, expected a location or an area"
                elif at is not None and at in ("Sardes", "Damascus"):
                    yield f"{where}[{i}].at: found {at!r}, expected a location of an area: red markers strike areas"


#: How much of an effect one card may bring: an observation has room for two cards in a month.
ROOM_IN_MONTH = {"fewer_actions": 2, "bonus_steps": 2, "bribes": 5}


def _check_sums(b: Box) -> Iterator[str]:
    for where, effects in _cards(b):
        total: Counter[tuple[str, str]] = Counter()
        for effect in effects:
            if isinstance(effect, FewerActions | BonusSteps | Bribes):
                group = effect.group if isinstance(effect, BonusSteps) else ""
                total[effect.effect, group] += effect.n
        for (name, _), n in total.items():
            if n > ROOM_IN_MONTH[name]:
                yield f"{where}: found {name} of {n} together, expected at most {ROOM_IN_MONTH[name]}"


def _programs(b: Box) -> Iterator[tuple[str, list[Effect], bool]]:
    """Every list of effects: where it is, and whether it is a banner."""
    for card_id, event in b.event.items():
        yield f"event.{card_id}: banner", event.banner, True
        yield f"event.{card_id}: effects", event.effects, False
    for card_id, challenge in b.challenge.items():
        for key, rows in challenge.monthly.items():
            yield f"challenge.{card_id}: monthly.{key}", rows, False


def _cards(b: Box) -> Iterator[tuple[str, list[Effect]]]:
    """What holds in one month because of one card."""
    for card_id, event in b.event.items():
        yield f"event.{card_id}", event.banner + event.effects
    for card_id, challenge in b.challenge.items():
        for key, rows in challenge.monthly.items():
            yield f"challenge.{card_id}: monthly.{key}", rows


def _check_defence(b: Box) -> Iterator[str]:
    """An observation has room for a defence of 100 on a location."""
    sides = [[side for side in (who.public, who.personal, who.solo, who.side_a, who.side_b) if side]
             for who in b.character.values()]  # fmt: skip
    most = b.components.tokens["military"] + b.technology["Shield"].count
    most += sum(max(side.abilities.get("defence", 0) for side in found) for found in sides)
    diviners = b.components.tokens["diviner"]
    most += diviners * sum(any("diviners_defend" in side.abilities for side in found) for found in sides)
    if most > 100:
        yield f"character: abilities: found a defence of {most} where all are together, expected at most 100"


def _check_months(b: Box) -> Iterator[str]:
    for card_id, challenge in b.challenge.items():
        months = Counter(month for key in challenge.monthly for month in months_of(key))
        for month in range(2, c.MAX_MONTHS + 1):
            if months[month] != 1:
                yield f"challenge.{card_id}: monthly: month {month} is named {months[month]} times, expected once"
        if months[1] > 1 or (months[1] and challenge.letter == "A"):
            yield f"challenge.{card_id}: monthly: month 1 is named {months[1]} times, expected once, not for letter A"


def _check_setup(b: Box, card_id: str, setup: Setup) -> Iterator[str]:
    """A setup side never asks for more than the box holds, and stands by itself at the first gate check."""
    where = f"challenge.{card_id}: setup"
    for kind in c.KINDS:
        placed = sum(tokens.get(kind, 0) for tokens in setup.tokens.values())
        if placed > b.components.tokens[kind]:
            yield f"{where}.tokens: {placed} {kind}, expected at most {b.components.tokens[kind]}, all the box holds"
    if sum(setup.enemies.values()) > b.components.enemies:
        yield (f"{where}.enemies: {sum(setup.enemies.values())} enemies, expected at most {b.components.enemies}, "
               "all the box holds")  # fmt: skip
    used = Counter(setup.bag)
    used.update({"unrest": len(setup.unrest), "plague": len(setup.plague)})
    for marker, n in used.items():
        held = b.marker[marker].count
        if n > held:
            yield f"{where}.bag: {n} {marker} in bag and map, expected at most {held}, all the box holds"
    if len(set(setup.gates)) != len(setup.gates) or len(setup.gates) > b.components.gates:
        yield f"{where}.gates: found {setup.gates}, expected different areas, at most {b.components.gates}"
    if "Assyria" not in setup.gates:
        yield f"{where}.gates: found {setup.gates}, expected Assyria among them"
    for area in setup.gates:
        for kind in c.KINDS:
            if not setup.tokens.get(area, {}).get(kind, 0):
                yield f"{where}.tokens: {area} has a gate but no {kind}, expected at least 1"
    yield from _check_setup_map(b, where, setup)


def _check_setup_map(b: Box, where: str, setup: Setup) -> Iterator[str]:
    farthest = _farthest(b.map)
    capital = {row.zone: name for name, row in b.map.location.items() if row.capital}
    zone = {name: row.zone for name, row in b.map.location.items()}
    enemies = {farthest.get(place, place) for place in setup.enemies}
    if len(enemies) != len(setup.enemies):
        yield f"{where}.enemies: found {list(setup.enemies)}, expected each location once"
    gated = {capital[area] for area in setup.gates}
    for name in sorted(enemies & gated):
        yield f"{where}.enemies: found {name}, expected no enemies on a capital with a gate"
    for field in ("unrest", "plague"):
        places = [capital.get(place, place) for place in getattr(setup, field)]
        if len(set(places)) != len(places):
            yield f"{where}.{field}: found {getattr(setup, field)}, expected each location once"
        for name in places:
            if name in gated:
                yield f"{where}.{field}: found {name}, expected no {field} on a capital with a gate"
            if name in ("Sardes", "Damascus"):
                yield f"{where}.{field}: found {name}, expected a location of an area: red markers strike areas"
    if {capital.get(place, place) for place in setup.unrest} & {capital.get(place, place) for place in setup.plague}:
        yield f"{where}.plague: found {setup.plague}, expected no location that has unrest too"
    for area, tokens in setup.tokens.items():
        n = tokens.get("military", 0) + tokens.get("diviner", 0)
        if n > 0 and all(name in enemies for name in c.LOCATIONS if zone[name] == area):
            yield (f"{where}.tokens: found {n} military and diviners in {area}, expected none where enemies are on "
                   "every location")  # fmt: skip
    homes = {character.name: character.home for character in b.character.values()}
    for name, place in setup.characters.items():
        if homes[name] not in setup.gates:
            yield f"{where}.characters: found {name}, expected one whose home has a gate ({', '.join(setup.gates)})"
        if capital.get(place, place) in enemies:
            yield f"{where}.characters: found {name} at {place}, expected a location without enemies"


def _farthest(m: Map) -> dict[str, str]:
    """An area's location with most road steps to Kalhu; the first in map order when equal."""
    steps = road_steps(m)
    return {
        area: max((name for name, row in m.location.items() if row.zone == area), key=lambda name: steps[name])
        for area in c.AREAS
    }


def road_steps(m: Map, start: str = c.LOCATIONS[c.KALHU]) -> dict[str, int]:
    """Steps by road from one location to every other."""
    steps, front = {start: 0}, [start]
    for here in front:
        for road in m.roads:
            for one, other in (road, road[::-1]):
                if one == here and other not in steps:
                    steps[other] = steps[here] + 1
                    front.append(other)
    return steps


def _check_setups(b: Box) -> Iterator[str]:
    for card_id, challenge in b.challenge.items():
        yield from _check_setup(b, card_id, challenge.setup)


# --- what a win asks for ---------------------------------------------------------------------------------------------


def _check_wins(b: Box) -> Iterator[str]:
    for card_id, challenge in b.challenge.items():
        where = f"challenge.{card_id}: win"
        found = [line for i, row in enumerate(challenge.win) for line in _check_condition(b, row, f"{where}[{i}]")]
        yield from found
        if not found:
            yield from _check_together(b, challenge.win, where)


def _check_condition(b: Box, row: Condition, where: str) -> Iterator[str]:
    """What no game can ever reach, whatever the other rows ask for."""
    if isinstance(row, PlaceTokens) and row.location in ("Sardes", "Damascus") and row.kind in ("supply", "medicine"):
        yield f"{where}: found {row.kind} in {row.location}, expected military or diviner: others return (p. 26)"
    if isinstance(row, AdvisorsHome) and not _advisors_of(b, row.origin):
        yield f"{where}.origin: found {row.origin!r}, expected an area that is home to an advisor"


def _advisors_of(b: Box, area: str) -> int:
    return sum(who.home == area for who in list(b.character.values())[c.ADVISORS.start : c.ADVISORS.stop])


def _check_together(b: Box, rows: list[Condition], where: str) -> Iterator[str]:
    """All rows at once: gates, tokens (with what the empire board takes away before the outcome) and goods."""
    homes: dict[str, str] = {}
    for row in rows:
        if isinstance(row, AdvisorsHome) and homes.setdefault(row.origin, row.area) != row.area:
            yield f"{where}: found advisors of {row.origin} in {row.area} and {homes[row.origin]}, expected one place"
    # Without Assyria's gate the game is lost, and without the gate of their home advisors are not in play.
    named = {"Assyria", *homes, *(row.area for row in rows if isinstance(row, GateStands))}
    gates = max([len(named), *(row.n for row in rows if isinstance(row, GatesStand))])
    gates = max([gates, *(_gates_for(b, named, row.n) for row in rows if isinstance(row, AdvisorsInPlay))])
    if gates > b.components.gates:
        yield f"{where}: found {gates} gates asked for, expected at most {b.components.gates}, all the box holds"
    wanted = {kind: _tokens_wanted(b, rows, kind, named, gates) for kind in c.KINDS}
    _sustain(wanted)
    for kind, n in wanted.items():
        if n > b.components.tokens[kind]:
            yield (f"{where}: found {n} {kind} asked for, counting what gates and the empire board need, expected at "
                   f"most {b.components.tokens[kind]}, all the box holds")  # fmt: skip
    for good in c.GOODS:
        asked = {group: max([0, *(row.n for row in rows if isinstance(row, GoodsHeld) and (row.good, row.group) ==
                                  (good, group))]) for group in c.GROUPS}  # fmt: skip
        n = max(asked["characters"], asked["advisors"], asked["personal"] + asked["public"])
        if n > b.components.goods[good]:
            yield f"{where}: found {n} {good} asked for, expected at most {b.components.goods[good]}, all the box holds"


def _gates_for(b: Box, named: set[str], n: int) -> int:
    """How many gates bring so many advisors, those named among them."""
    others = sorted((_advisors_of(b, area) for area in c.AREAS if area not in named), reverse=True)
    there, gates = sum(_advisors_of(b, area) for area in named), len(named)
    while there < n and others:
        there, gates = there + others.pop(0), gates + 1
    return gates


def _tokens_wanted(b: Box, rows: list[Condition], kind: str, named: set[str], gates: int) -> int:
    """How many tokens of a kind must be on the map at least."""
    placed: dict[str, int] = {}  # by location; supply and medicine by area, whichever location a row names
    standing = c.KINDS.index(kind) <= c.DIVINER
    zone = {name: row.zone for name, row in b.map.location.items()}
    capital = {row.zone: name for name, row in b.map.location.items() if row.capital}
    for row in rows:
        if isinstance(row, PlaceTokens) and row.kind == kind:
            place = row.location if standing else zone[row.location]
            placed[place] = max(placed.get(place, 0), row.n)
    asked = Counter[str]()
    for row in rows:
        if isinstance(row, AreaTokens) and row.kind == kind:
            asked[row.area] = max(asked[row.area], row.n)

    def needed(area: str, gate: bool) -> int:
        at = {place: n for place, n in placed.items() if zone.get(place, place) == area}
        if gate:
            seat = capital[area] if standing else area
            at[seat] = max(at.get(seat, 0), 1)
        return max(asked[area], sum(at.values()))

    by_area = {area: needed(area, area in named) for area in c.AREAS}
    more = sorted(needed(area, True) - by_area[area] for area in c.AREAS if area not in named)
    apart = sum(n for place, n in placed.items() if place in ("Sardes", "Damascus"))
    with_gates = apart + sum(by_area.values()) + sum(more[: gates - len(named)])
    found = [with_gates]
    for row in rows:
        if isinstance(row, TotalTokens) and row.kind == kind:
            empty = row.areas - sum(n > 0 for n in by_area.values())
            found += [row.n, apart + sum(by_area.values()) + max(0, empty)]
        if isinstance(row, BothTokens) and row.kind == kind:
            inside = sum(max(1, by_area[area]) for area in row.areas)
            outside = sum(n for area, n in by_area.items() if area not in row.areas)
            found.append(apart + outside + max(row.n, inside))
    return max(found)


def _sustain(wanted: dict[str, int]) -> None:
    """R1: what the tokens asked for need of other kinds to stay (p. 31)."""
    if wanted["military"] > 10:
        wanted["supply"] = max(wanted["supply"], 11 if wanted["military"] > 15 else 6)
    if wanted["supply"] > 10:
        wanted["diviner"] = max(wanted["diviner"], 6)
    if wanted["diviner"] > 10:
        wanted["medicine"] = max(wanted["medicine"], 6)


# The map first: the others stand on it.
CHECKS: tuple[tuple[Callable[[Box], Iterator[str]], ...], ...] = (
    (_check_ids, _check_map, _check_counts),
    (
        _check_characters,
        _check_defence,
        _check_targets,
        _check_markers,
        _check_sums,
        _check_months,
        _check_setups,
        _check_wins,
    ),
)


def _problems(b: Box) -> list[str]:
    for checks in CHECKS:
        found = [line for check in checks for line in check(b)]
        if found:
            return found
    return []


# --- reading and overlaying ------------------------------------------------------------------------------------------


def _read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise EditionError([f"{path}: cannot be read: {error.strerror}"]) from error
    except RecursionError as error:
        raise EditionError([f"{path}: not a TOML file: brackets within brackets, too many"]) from error
    except ValueError as error:  # TOML, UTF-8, or a number of thousands of digits
        raise EditionError([f"{path}: not a TOML file: {error}"]) from error


def _shown(value: Any) -> str:
    """A value that was found, as short as a line can bear."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # digits or brackets by the thousand
        text = f"something of type {type(value).__name__}"
    return text if len(text) <= 200 else f"{text[:200]}..."


@lru_cache(maxsize=1)
def _base() -> dict[str, Any]:
    return {section: _read_toml(DATA / name)[section] for section, name in FILES.items()}


def _is_collection(node: dict[str, Any]) -> bool:
    """A table of records by id, as opposed to a record."""
    return "provenance" not in node


def _expected(found: str, choices: list[str]) -> str:
    near = difflib.get_close_matches(found, choices, 1, 0.5)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    named = ", ".join(choices) if len(choices) <= 30 else f"{choices[0]} to {choices[-1]}"
    return f"expected one of {named}{hint}"


def _overlay(node: dict[str, Any], over: Any, path: list[str], problems: list[str]) -> None:
    """Put an edition's values over the printed ones: records by id, each field as a whole."""
    if not isinstance(over, dict):
        problems.append(f"{_where(path) or 'file'}: found {_shown(over)}, expected a table of values")
        return
    if path[:1] == ["ashur"] and len(path) == 2 and over.get("kind", node["kind"]) != node["kind"]:
        # Another kind of card has other fields: nothing of the old one stays.
        node.clear()
        node["provenance"] = {}
    for key, value in over.items():
        inner = node.get(key)
        if key == "provenance":
            problems.append(f"{_where(path)}: found 'provenance', expected values only: they are marked 'edition'")
        elif isinstance(inner, dict) and ("provenance" in inner or _all_records(inner)):
            _overlay(inner, value, [*path, key], problems)
        elif _is_collection(node):
            problems.append(f"{_where(path) or 'sections'}: found {key!r}, {_expected(key, list(node))}")
        else:
            node[key] = value
            node["provenance"][key] = "edition"


def _all_records(node: dict[str, Any]) -> bool:
    return bool(node) and all(isinstance(item, dict) and "provenance" in item for item in node.values())


def _where(path: list[str]) -> str:
    """``event.SAM-026: banner[0].kind`` of a path."""
    cards = path[0] in IDS if path else False
    head, tail = (path[:2], path[2:]) if cards else (path[:1], path[1:])
    text = ".".join(tail).replace(".[", "[")
    return ".".join(head) + (f": {text}" if text else "")


def _from_pydantic(error: ValidationError) -> list[str]:
    return [_line(item) for item in error.errors(include_url=False)]


def _line(item: Mapping[str, Any]) -> str:
    """One pydantic error as ``card: field: found, expected``."""
    path: list[str] = []
    tag_next = False
    for part in item["loc"]:
        # The union's tag is no part of the file: it follows a list index, or an Ashur card's id.
        if tag_next and part in (*c.EFFECTS, *c.CONDITIONS, *c.SPECIALS, "area", "technology", "bag", "goods"):
            tag_next = False
            continue
        if part == "[key]":  # a name on the left of "=": the found value says it
            path.pop()
            continue
        path.append(f"[{part}]" if isinstance(part, int) else str(part))
        tag_next = isinstance(part, int) or (len(path) == 2 and path[0] == "ashur")
    found, message = item["input"], item["msg"].removeprefix("Value error, ")
    if item["type"] == "missing":
        return f"{_where(path)}: missing, expected a value"
    if item["type"] == "extra_forbidden":
        return f"{_where(path[:-1])}: found {path[-1]!r}, expected no such field{_fields_hint(path)}"
    if item["type"].startswith("union_tag"):
        tag = item["ctx"]["discriminator"].strip("'")
        given = found.get(tag) if isinstance(found, dict) else found
        return f"{_where(path)}.{tag}: found {_shown(given)}, expected one of {item['ctx'].get('expected_tags', tag)}"
    if isinstance(found, dict):
        return f"{_where(path)}: {message}"
    message = message.replace("Input should be", "expected")
    return f"{_where(path)}: found {_shown(found)}, {message}"


_FIELDS: dict[str, type[Record]] = {
    "event": Event, "challenge": Challenge, "character": Character, "marker": MarkerRow, "technology": TechnologyRow,
    "map": Map, "components": Counts,
}  # fmt: skip
_SUBFIELDS: dict[str, type[Record]] = {
    "setup": Setup, "location": LocationRow, "area": AreaRow, "players": PlayerRow, "public": Side, "personal": Side,
    "solo": Side, "side_a": Side, "side_b": Side,
}  # fmt: skip
_ASHUR = {"area": AreaCard, "technology": TechnologyCard, "bag": BagCard, "goods": GoodsCard}


def _fields_hint(path: list[str]) -> str:
    """The fields there are, for a name that is none of them."""
    inner = next((_SUBFIELDS[name] for name in reversed(path[1:-1]) if name in _SUBFIELDS), None)
    if any(part.startswith("[") for part in path):
        return ""
    model = inner or _FIELDS.get(path[0])
    if model is None:
        return ""
    names = [name for name in model.model_fields if name != "provenance"]
    near = difflib.get_close_matches(path[-1], names, 1)
    return f"; there are {', '.join(names)}" + (f" (did you mean {near[0]!r}?)" if near else "")


def _validated(tree: dict[str, Any], source: str) -> Box:
    """The whole tree as models, or every problem at once."""
    try:
        b = Box.model_validate(tree)
    except ValidationError as error:
        raise EditionError([f"{source}: {line}" for line in _from_pydantic(error)]) from error
    problems = _problems(b)
    if problems:
        raise EditionError([f"{source}: {line}" for line in problems])
    return b


# --- the public face -------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class Components:
    """One edition of the box.

    Attributes:
        box: record array of shape (1,), dtype ``box.BOX``, read-only: what the engine plays with.
        hash: sha256 of the content that matters for play, in hex: the edition's name in a game log.
        content: the validated models, for words and listings.
        source: where the values came from: ``data`` or the edition file.
    """

    box: np.ndarray
    hash: str
    content: Box
    source: str

    def card(self, card_id: str) -> Record:
        """The card, marker or technology with this id (``SAM-026``, ``raid``, ``Shield``).

        Raises:
            KeyError: no such card.
        """
        for found, record in self.content.records():
            if found == card_id:
                return record
        raise KeyError(f"no card {card_id!r}: expected SAM-001 to SAM-198, a marker or a technology")

    @property
    def cards(self) -> dict[str, Record]:
        """Every card and table by its id."""
        return dict(self.content.records())

    def provenance(self) -> Iterator[tuple[str, str, Any, str]]:
        """(id, field, value, provenance) of every value in the box."""
        for card_id, record in self.content.records():
            for field, value, source in record.sourced():
                yield card_id, field, value, source

    def cards_table(self, unverified: bool = False) -> list[tuple[str, str, str, str]]:
        """Rows (id, field, value, provenance) to show; only what is ``reconstructed`` when ``unverified``."""
        return [
            (card_id, field, _plain(value), source)
            for card_id, field, value, source in self.provenance()
            if not unverified or source.startswith("reconstructed")
        ]

    def title(self, card_id: str, language: str = "en") -> str:
        """Name of an event, challenge, character, marker or technology; an Ashur card's is its id: its name is lost."""
        record = self.card(card_id)
        if isinstance(record, Character):
            return record.title_ja if language == "ja" else record.name
        return str(getattr(record, "title_ja" if language == "ja" else "title", card_id))

    def text(self, card_id: str, language: str = "en") -> str:
        """What the card says; of a character, each side in turn; of a challenge, its win condition."""
        record, field = self.card(card_id), "text_ja" if language == "ja" else "text"
        if isinstance(record, Character):
            sides = [getattr(record, side) for side in ("public", "personal", "solo", "side_a", "side_b")]
            return "\n".join(getattr(side, field) for side in sides if side)
        return str(getattr(record, field, ""))

    def summary(self) -> list[tuple[str, int, int, int, int]]:
        """Rows (section, rulebook, public, reconstructed, edition): how many values of each come from where."""
        count: dict[str, Counter[str]] = {}
        for card_id, field, _, source in self.provenance():
            section = next((name for name, ids in IDS.items() if card_id in ids), card_id)
            section += ".setup" if field.startswith("setup.") else ""
            count.setdefault(section, Counter())[source.split()[0].rstrip(",:")] += 1
        kinds = ("rulebook", "public", "reconstructed", "edition")
        return [(section, *(n[kind] for kind in kinds)) for section, n in count.items()]  # type: ignore[misc]

    def summary_table(self) -> str:
        """:meth:`summary` as the Markdown table of ``docs/data.md``."""
        rows = self.summary()
        total = ("all", *(sum(int(row[i]) for row in rows) for i in range(1, 5)))
        lines = ["| section | rulebook | public | reconstructed | edition |", "|---|---:|---:|---:|---:|"]
        return "\n".join(lines + [f"| {' | '.join(str(cell) for cell in row)} |" for row in (*rows, total)])


def _plain(value: Any) -> str:
    """A value as one line of text."""
    return value if isinstance(value, str) else json.dumps(_data(value), ensure_ascii=False)


def _data(value: Any) -> Any:
    """Models as plain data, without provenance and without what only people read."""
    if isinstance(value, BaseModel):
        names = [name for name in type(value).model_fields if name != "provenance" and name not in WORDS]
        return {name: _data(getattr(value, name)) for name in names if getattr(value, name) is not None}
    if isinstance(value, dict):
        return {key: _data(item) for key, item in value.items()}
    return [_data(item) for item in value] if isinstance(value, list) else value


def _hash(b: Box) -> str:
    """A name for what is played: words and provenance may be corrected without touching old logs."""
    text = json.dumps(_data(b), sort_keys=True, ensure_ascii=True, separators=(",", ":"))
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def _built(tree: dict[str, Any], source: str) -> Components:
    b = _validated(tree, source)
    compiled = compile_box(b)
    compiled.flags.writeable = False
    return Components(compiled, _hash(b), b, source)


@lru_cache(maxsize=1)
def _default() -> Components:
    return _built(_base(), "data")


def load(edition: str | PathLike[str] | None = None) -> Components:
    """The box; with an edition file, the box with that file's values in place of the printed ones.

    Args:
        edition: a TOML file as described in ``docs/data.md``. None: the box as shipped, the same object each time.

    Raises:
        EditionError: a wrong id, field, name or number; every problem has its line. Nothing is half-loaded.
    """
    if edition is None:
        return _default()
    return overlaid(_read_toml(Path(edition)), str(edition))


def overlaid(values: Mapping[str, Any], source: str) -> Components:
    """The box with these values, as an edition file has them, in place of the printed ones.

    Args:
        values: sections, cards and fields as in ``docs/data.md``.
        source: what to call them in messages.

    Raises:
        EditionError: as :func:`load`.
    """
    problems = list[str]()
    tree = copy.deepcopy(_base())
    _overlay(tree, dict(values), [], problems)
    problems = [f"{source}: {line}" for line in problems]
    try:
        built = _built(tree, source)
    except EditionError as error:
        raise EditionError(problems + error.problems) from error
    if problems:
        raise EditionError(problems)
    return built


def check(path: str | Path) -> list[str]:
    """The problems of an edition file, one line each; none when it can be loaded."""
    try:
        load(path)
    except EditionError as error:
        return error.problems
    return []
