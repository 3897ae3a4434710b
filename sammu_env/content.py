"""What the things that choices name do in a box: features, so that nobody has to know them by their numbers.

Random boxes and owners' editions print other values on the same cards. A row for each choice of the catalogue says what
its thing does in this box; a choice that means the same in every box (a verb, a seat, a month) has zeros.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sammu_env import constants as c
from sammu_env.actions import AREA, ASHUR, CHARACTER, EVENT, LOCATION, N_ACTIONS, ROAD
from sammu_env.encoding import THIRD
from sammu_env.observation import layout

#: Which of an effect's numbers says how much of it there is; the others are simply there.
AMOUNT = {
    "tokens": 3, "bag_add": 2, "bag_remove": 2, "draw": 1, "fewer_actions": 2, "bonus_steps": 2, "move_limit": 1,
    "queen_actions": 1, "add_enemies": 2, "remove_enemies": 2, "pay_each": 2, "pay_total": 2, "corruption": 1,
    "bribes": 2, "gain_each": 3, "gain_in_area": 3, "trade_road": 1, "lose_tokens": 2, "discard_cards": 1,
}  # fmt: skip
THINGS = ("location", "area", "road", "character", "ashur", "event")
_COLUMNS: tuple[tuple[str, int, str], ...] = (
    ("thing", len(THINGS), "one-hot: location, area, road, character, Ashur card, event"),
    ("zone", len(c.ZONES), "zones that it is in, speaks of or favours; a road those of its ends"),
    ("place", len(c.LOCATIONS), "the location, the two ends of a road"),
    ("capital", 1, "1 for a capital"),
    ("market", 1, "1 for a market"),
    ("cost", len(c.GOODS), "goods to pay for a card / 3"),
    ("goods", len(c.GOODS), "goods that a card gives, an area brings, a character begins with / 3"),
    ("tokens", len(c.KINDS), "tokens that a card gives outside its favoured area, or an event brings or takes / 3"),
    ("favoured", len(c.KINDS), "tokens that a card gives in its favoured area / 3"),
    ("markers", len(c.MARKERS), "effect markers of a card or an event; less than 0 where they leave the bag"),
    ("technology", len(c.TECHNOLOGIES), "one-hot: the technology of a card"),
    ("effects", len(c.EFFECTS), "how much of each effect (constants.EFFECTS) an event has in banner and text / 3"),
)  # fmt: skip
#: Name, slice and meaning of the columns.
COLUMNS: dict[str, tuple[slice, str]] = {}
for _name, _size, _meaning in _COLUMNS:
    _at = next(reversed(COLUMNS.values()))[0].stop if COLUMNS else 0
    COLUMNS[_name] = (slice(_at, _at + _size), _meaning)
#: Length of a row.
WIDTH = next(reversed(COLUMNS.values()))[0].stop


def table(boxes: NDArray[Any]) -> NDArray[np.float32]:
    """What every choice names, float32 (boxes, N_ACTIONS, WIDTH), of boxes (boxes,) of dtype BOX."""
    out = np.zeros((len(boxes), N_ACTIONS, WIDTH), np.float32)
    for box, rows in zip(boxes, out, strict=True):
        _places(box, rows)
        _characters(box, rows)
        _cards(box, rows)
        _events(box, rows)
    return out


def sets() -> tuple[tuple[slice, int, int], ...]:
    """Which parts of the observation say what is where: a slice, and the first and the number of the choices that it
    counts, once or several times over."""
    parts = {part.name: part.slice for part in layout()}
    cards, events = (ASHUR, c.N_ASHUR), (EVENT, c.N_EVENTS)
    return (*((parts[name], *cards) for name in ("hand", "other_hands", "deck", "discard")),
            *((parts[name], *events) for name in ("event", "known_events")))  # fmt: skip


def _column(name: str) -> slice:
    return COLUMNS[name][0]


def _is(rows: NDArray[np.float32], thing: str) -> None:
    rows[:, _column("thing").start + THINGS.index(thing)] = 1


def _places(box: Any, rows: NDArray[np.float32]) -> None:
    locations, areas = rows[LOCATION:][: len(c.LOCATIONS)], rows[AREA:][: len(c.AREAS)]
    roads = rows[ROAD:][: int(box["roads"])]
    for thing, part in (("location", locations), ("area", areas), ("road", roads)):
        _is(part, thing)
    everywhere, zones = np.eye(len(c.LOCATIONS)), np.eye(len(c.ZONES))
    goods = np.zeros((len(c.ZONES), len(c.GOODS)))
    goods[: len(c.AREAS)] = np.eye(len(c.GOODS))[box["area_good"]]
    locations[:, _column("place")] = everywhere
    locations[:, _column("zone")] = zones[box["zone"]]
    locations[:, _column("capital").start] = box["is_capital"]
    locations[:, _column("market").start] = box["market"] > 0
    locations[:, _column("goods")] = goods[box["zone"]] * THIRD
    areas[:, _column("zone")] = zones[: len(c.AREAS)]
    areas[:, _column("goods")] = goods[: len(c.AREAS)] * THIRD
    for end in box["road_end"][: len(roads)].T:
        roads[:, _column("place")] += everywhere[end]
        roads[:, _column("zone")] += zones[box["zone"][end]]


def _characters(box: Any, rows: NDArray[np.float32]) -> None:
    people = rows[CHARACTER:][: len(c.CHARACTERS)]
    _is(people, "character")
    for row, home, good in zip(people, box["home"], box["start_good"], strict=True):
        if home >= 0:
            row[_column("zone")][home] = 1
        if good >= 0:
            row[_column("goods")][good] = THIRD


def _cards(box: Any, rows: NDArray[np.float32]) -> None:
    cards = rows[ASHUR:][: c.N_ASHUR]
    _is(cards, "ashur")
    for column, field in (("cost", "card_goods"), ("goods", "card_gain"), ("tokens", "card_token"),
                          ("favoured", "card_favoured")):  # fmt: skip
        cards[:, _column(column)] = box[field] * THIRD
    cards[:, _column("markers")] = box["card_marker"]
    for row, area, technology in zip(cards, box["card_area"], box["card_technology"], strict=True):
        if area >= 0:
            row[_column("zone")][area] = 1
        if technology >= 0:
            row[_column("technology")][technology] = 1


def _events(box: Any, rows: NDArray[np.float32]) -> None:
    events = rows[EVENT:][: c.N_EVENTS]
    _is(events, "event")
    for row, area, *programs in zip(events, box["event_area"], box["event_banner"], box["event_text"], strict=True):
        row[_column("zone")][area] = 1
        for effect in np.concatenate(programs):
            _effect(effect, row)


def _effect(numbers: Any, row: NDArray[np.float32]) -> None:
    """A row (effect, a, b, c) of a program."""
    name = c.EFFECTS[numbers[0]]
    if name == "none":
        return
    n = int(numbers[AMOUNT[name]]) if name in AMOUNT else 1
    if name == "queen_actions" and n == c.NO_ACTIONS:
        n = -3
    row[_column("effects")][numbers[0]] += n * THIRD
    if name == "tokens":
        row[_column("tokens")][numbers[2]] += n * THIRD
    elif name == "lose_tokens":
        row[_column("tokens")][numbers[1]] -= n * THIRD
    elif name == "gain_each" or name == "gain_in_area":
        row[_column("goods")][numbers[2]] += n * THIRD
    elif name in ("place_marker", "bag_add", "bag_remove"):
        row[_column("markers")][numbers[1]] += {"place_marker": 1, "bag_add": n, "bag_remove": -n}[name]
