"""What the things that choices name do in a box: features, so that nobody has to know them by their numbers.

Random boxes and owners' editions print other values on the same cards. A row for each choice of the catalogue says what
its thing does in this box; a choice that means the same in every box (a verb, a seat, a month) has zeros.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sammu_env import constants as c
from sammu_env.actions import AREA, ASHUR, CHARACTER, EVENT, GOOD, LOCATION, N_ACTIONS, ROAD, TOKEN
from sammu_env.observation import layout
from tabletop.game import CONTENTS_LIMIT
from tabletop.observation import THIRD, Part, lay_out

#: Effects that take away what they name.
TAKES = ("lose_tokens", "bag_remove")
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
#: The columns by name.
COLUMNS: dict[str, Part] = {
    part.name: part for part in lay_out((*row, -CONTENTS_LIMIT, CONTENTS_LIMIT) for row in _COLUMNS)
}
#: Length of a row.
WIDTH = sum(size for _, size, _ in _COLUMNS)


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


#: Parts of an observation that speak of what choices name: the first choice, what they have numbers for, the parts.
SPEAKING: tuple[tuple[int, str, str], ...] = (
    (LOCATION, "location", "military diviners enemies defence unrest plague diplomacy karu health markets threats "
     "subject_steps subject_location prompt_from prompt_to near_wanted"),
    (LOCATION, "zone", "supply medicine wanted"),
    (LOCATION, "area", "gate gate_tokens gate_stands"),
    (AREA, "zone", "supply medicine wanted"),
    (AREA, "area", "gate gate_tokens gate_stands area_karu area_health event_area"),
    (CHARACTER, "character", "may_act actions moves homebound payable active load_characters payable_tokens places"),
    (GOOD, "good", "subject_goods wanted_goods good_pool"),
    (TOKEN, "token", "from_near to_near to_wanted load wanted_total tracks"),
    (ASHUR, "ashur", "subject_payable"),
)  # fmt: skip


def about(zone: NDArray[Any]) -> NDArray[np.int64]:
    """Which numbers of an observation speak of what a choice names, one in each column: int64 (N_ACTIONS, columns); the
    observation's size where none does.

    Args:
        zone: int (locations,), of each.
    """
    at = {part.name: np.arange(part.slice.start, part.slice.stop) for part in layout()}
    nothing, columns = layout()[-1].slice.stop, []
    at["near_wanted"] = at["near_wanted"].reshape(len(c.KINDS), -1).T.ravel()  # other parts go on by place
    many = {"location": len(zone), "zone": len(c.ZONES), "area": len(c.AREAS), "character": len(c.CHARACTERS),
            "good": len(c.GOODS), "token": len(c.KINDS), "ashur": c.N_ASHUR}  # fmt: skip
    areas = np.arange(len(c.AREAS))  # the first zones
    others = {(LOCATION, "zone"): zone, (LOCATION, "area"): np.minimum(zone, len(areas)), (AREA, "zone"): areas}
    for first, things, names in SPEAKING:
        of = others.get((first, things), np.arange(many[things]))
        for name in names.split():
            for numbers in at[name].reshape(many[things], -1).T:
                column = np.full(N_ACTIONS, nothing)
                column[first : first + len(of)] = np.append(numbers, nothing)[of]
                columns.append(column)
    return np.stack(columns, axis=1)


def _column(name: str) -> slice:
    return COLUMNS[name].slice


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
    """A row (effect, a, b, c) of a program: how much of it there is, and of what."""
    effect, name = int(numbers[0]), c.EFFECTS[numbers[0]]
    if effect == c.FX_NONE:
        return
    says = {field.name: int(number) for field, number in zip(c.EFFECT_ROWS[effect].fields, numbers[1:], strict=False)}
    n = says.get("n", 1)
    if n == c.NO_ACTIONS:
        n = -3
    row[_column("effects")][effect] += n * THIRD
    given = -n if name in TAKES else n
    if "kind" in says:
        row[_column("tokens")][says["kind"]] += given * THIRD
    if "good" in says:
        row[_column("goods")][says["good"]] += given * THIRD
    if "marker" in says:
        row[_column("markers")][says["marker"]] += given
