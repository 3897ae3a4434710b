"""Positions of a toy: every way in which a field can be told."""

from __future__ import annotations

import json
import pickle
from typing import Any

import numpy as np
import pytest

from tabletop.coach.parts import Choice, Field
from tabletop.fields import Array, dtype_of, f8, i4, i8, shape
from tabletop.positions import (
    At,
    Cards,
    Each,
    Flag,
    Group,
    Lying,
    Name,
    Number,
    One,
    Plan,
    PositionError,
    Raw,
    Row,
    Seat,
    Seats,
    Steps,
    frames,
)
from tabletop.prompts import Table
from tabletop.steps import ARGS

SEATS, KINDS, HILLS, TILES = 3, ("sheep", "goat", "cow"), ("north", "south"), ("tile-1", "tile-2", "tile-3", "tile-4")
DECK, HAND, OPEN = 0, 1, 1 + SEATS

TABLE = Table()
TABLE.draw("roll", answers="die")
TABLE.prompt("sell", "seat what:kind", "kind", asked="seat")
TABLE.step("halt")
TABLE.step("turn")


class State:
    box: i8
    players: i4
    manual_chance: i4
    decisions: i4
    trace: Array[i8] = shape(2)
    rng: Array[i8] = shape(4)
    paid: Array[f8] = shape(SEATS)
    day: i4
    weather: i4
    order: Array[i4] = shape(SEATS)
    hill: Array[i4] = shape(len(HILLS))
    tile: Array[i4] = shape(len(TILES))
    gold: Array[i4] = shape(SEATS)
    awake: Array[i4] = shape(SEATS)
    herd: Array[i4] = shape(SEATS, len(KINDS))
    tower: Array[i4] = shape(2)
    sp: i4
    op: Array[i4] = shape(4)
    arg: Array[i4] = shape(4, ARGS)


PLAN = Plan(
    dtype_of(State),
    range(1, SEATS + 1),
    (
        One("day", "day", Number(1, 9), usual=1), One("weather", "weather", Name(("sun", "rain")), usual=-1),
        Row("order", "order"), Each("hills", "hill", HILLS, Seat(), usual=-1),
        Group("towers", (At(0, One("left", "tower", Number(0, 5))), At(1, One("right", "tower", Number(0, 5))))),
        Seats(SEATS, (
            One("gold", "gold", Number(0, 9)), One("awake", "awake", Flag(), usual=1, empty=0),
            Cards("herd", "herd", KINDS, hidden=True, always=True),
            Lying("tiles", "tile", TILES, HAND, hidden=True), Lying("open", "tile", TILES, OPEN),
        )),
    ),
    Steps(TABLE, {"kind": Name(KINDS)}, {"turn": "halt", "roll": "turn", "sell": "turn sell"}, most=3),
    besides=("note",),
)  # fmt: skip
TOLD: dict[str, Any] = {
    "players": 2, "day": 3, "weather": "rain", "order": [1, 0], "hills": {"south": 1}, "towers": {"right": 2},
    "seats": [{"gold": 4, "herd": ["sheep", "cow", "cow"], "tiles": ["tile-2"]},
              {"awake": False, "herd": [], "open": ["tile-1", "tile-4"]}],
    "pending": ["turn", {"step": "sell", "seat": 1, "what": "goat"}], "machine": {"trace": [5, 6]},
}  # fmt: skip


def test_what_is_read_is_told_again() -> None:
    reading, _ = PLAN.read(json.loads(json.dumps(TOLD)))
    assert PLAN.dump(reading.s) == TOLD
    one = reading.one
    assert one["herd"].tolist() == [[1, 0, 2], [0, 0, 0], [0, 0, 0]] and one["awake"].tolist() == [1, 0, 0]
    assert one["tile"].tolist() == [OPEN + 1, HAND, DECK, OPEN + 1] and one["hill"].tolist() == [-1, 1]
    assert one["order"].tolist() == [1, 0, -1] and one["tower"].tolist() == [0, 2]
    assert frames(reading.s, TABLE) == [("turn", [0] * ARGS), ("sell", [1, 1, 0, 0, 0, 0])]


def test_what_is_not_said_is_as_usual() -> None:
    reading, said = PLAN.read({"players": 3, "note": "mine"})
    assert PLAN.dump(reading.s) == {"players": 3, "seats": [{"herd": []}] * 3, "pending": []}
    assert said["note"] == "mine" and reading.one["day"] == 1 and reading.one["awake"].tolist() == [1, 1, 1]


def test_other_ways_to_say_it() -> None:
    told = {
        **TOLD, "order": {"0": 1, "1": 0}, "hills": {"south": 1, "north": ""},
        "seats": {"1": {"awake": 0, "open": {"tile-1": 1, "tile-4": 1, "tile-3": 0}},
                  "0": {"gold": 4, "herd": {"sheep": 1, "cow": 2}, "tiles": ["tile-2"]}},
        "pending": [{"step": "turn"}, {"step": "sell", "seat": 1, "what": "goat"}],
    }  # fmt: skip
    assert PLAN.dump(PLAN.read(told)[0].s) == TOLD


def test_unknown_cards_are_counted() -> None:
    reading, _ = PLAN.read({"players": 2, "seats": [{"herd": ["cow", "?", "?"], "tiles": 3}, {"herd": 1}]})
    assert [reading.unknown_of(key, seat) for key in ("herd", "tiles") for seat in (0, 1)] == [2, 1, 3, 0]
    assert reading.one["herd"].sum() == 1


def test_a_position_with_a_value_for_each_field() -> None:
    fields = [
        Field(("day",), "", "", 1, 9), Field(("weather",), "", "", choices=[Choice("", ""), Choice("sun", "sun")]),
        Field(("seats", "1", "gold"), "", "", 0, 9), Field(("seats", "0", "awake"), "", "", 0, 1),
        Field(("seats", "1", "awake"), "", "", 0, 1),
        Field(("seats", "0", "herd", "goat"), "", "", 0, 9), Field(("towers", "left"), "", "", 0, 5),
    ]  # fmt: skip
    s = PLAN.read({"players": 2, "seats": [{"herd": ["cow", "cow"]}, {"awake": False}], "pending": []})[0].s
    told = PLAN.opened(PLAN.dump(s), fields)
    for field in fields:
        value: Any = told
        for key in field.path:
            value = value[key]
        assert field.allows(value)
    assert told["seats"]["0"]["herd"] == {"cow": 2, "goat": 0} and told["day"] == told["seats"]["0"]["awake"] == 1
    assert told["seats"]["1"]["awake"] is not False
    assert PLAN.read(told)[0].s.tobytes() == s.tobytes()


@pytest.mark.parametrize(("keys", "said"), [
    ({"dya": 1}, r"position: key: no 'dya' \(did you mean day\?\)"),
    ({"day": 0}, "day: 0 is not a whole number 1 to 9"),
    ({"day": 2.5}, "day: 2.5 is not"),
    ({"weather": "snow"}, "weather: no 'snow'; choose one of sun, rain"),
    ({"order": [0, 0]}, "order: .0, 0. names a seat twice"),
    ({"order": 1}, "order: expected a list, found 1"),
    ({"hills": ["north"]}, "hills: expected a table of names"),
    ({"hills": {"north": 2}}, "hills.north: 2 is not a whole number 0 to 1"),
    ({"towers": {"left": 6}}, "towers.left: 6"),
    ({"seats": {"2": {}}}, "seats: key: no '2'"),
    ({"seats": [{"herd": ["pig"]}]}, r"seats\[0\].herd: no 'pig'"),
    ({"seats": [{"herd": {"cow": -1}}]}, r"seats\[0\].herd.cow: -1"),
    ({"seats": [{"herd": "cow"}]}, r"seats\[0\].herd: expected a list of cards, or how many they are, found 'cow'"),
    ({"seats": [{"tiles": ["tile-1"]}, {"open": ["tile-1"]}]}, r"seats\[1\].open: tile-1 is already elsewhere"),
    ({"seats": [{"open": ["?"]}]}, r"seats\[0\].open: no '\?'"),
    ({"seats": [{"awake": "no"}]}, r"seats\[0\].awake: 'no' is neither true nor false"),
    ({"pending": ["trun"]}, r"pending\[0\]: no 'trun' \(did you mean turn\?\); choose one of roll, sell, turn"),
    ({"pending": ["roll"]}, r"pending\[0\]: roll cannot follow halt, only turn"),
    ({"pending": ["turn"] * 4}, "pending: found 4, at most 3"),
    ({"pending": ["turn", "sell"]}, r"pending\[1\]: sell needs 'seat'"),
    ({"pending": ["turn", {"step": "sell", "seat": 0, "what": "pig"}]}, r"pending\[1\].what: no 'pig'"),
    ({"pending": ["turn", {"step": "roll", "seat": 0}]}, r"pending\[1\]: roll: key: no 'seat'"),
    ({"pending": [3]}, r"pending\[0\]: expected the name of a step"),
    ({"machine": {"paid": [1, "x", 2]}}, "machine.paid: expected numbers"),
    ({"machine": {"rng": [1, 2, 3, 4]}}, "machine: key: no 'rng'"),
    ({"players": 4}, "players: 4 is not a whole number 1 to 3"),
    ({"box": 1}, "box: 1 is not a whole number 0 to 0"),
])  # fmt: skip
def test_what_cannot_be_is_named(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(PositionError, match=said):
        PLAN.read({"players": 2, **keys})


@pytest.mark.parametrize(("said", "noted"), [
    ("seat 1 has three", True), ("seats[0].herd: no 'pig'", True), ("each of the seats 0 to 1", True),
    ("seats: expected a list, found 1", False), ("order: a seat is there twice", False),
])  # fmt: skip
def test_where_a_seat_is_named_the_message_says_how_seats_are_counted(said: str, noted: bool) -> None:
    assert str(PositionError(said)) == said + " (seats are counted from 0)" * noted
    assert f"{PositionError(said)}" == str(pickle.loads(pickle.dumps(PositionError(said))))


def test_raw_numbers_have_bounds() -> None:
    reading, _ = PLAN.read({"players": 1})
    for told in ([10, 0], [0.5, 0], [True, False], [1], [[1], [1, 2]], None, [2**80, 0]):
        with pytest.raises(PositionError, match="trace: expected numbers 0 to 9"):
            Raw("trace", 0, 9).read(reading, "trace", told, ())
    Raw("trace", 0, 9).read(reading, "trace", [9, 0], ())
    assert np.array_equal(reading.one["trace"], [9, 0])
