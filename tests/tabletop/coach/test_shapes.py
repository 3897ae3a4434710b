"""What may be said on a card: every sort of field has its shape."""

from __future__ import annotations

from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from tabletop.coach.shapes import parts, shape, sorts, within
from tabletop.editions import Record, Strict, one_of

Colour = Annotated[str, one_of(("red", "blue"))]
Few = Annotated[int, Field(ge=1, le=6)]


class Draw(Strict):
    act: Literal["draw"]
    n: Few = 1


class Paint(Strict):
    act: Literal["paint"]
    colour: Colour
    where: Colour | None = None


Act = Annotated[Draw | Paint, Field(discriminator="act")]


class Side(Record):
    acts: Annotated[list[Act], Field(max_length=3)]


class Card(Record):
    colour: Colour
    front: Side
    costs: dict[Colour, Few] = {}


def said(of: str, name: str) -> str:
    return f"{of}:{name}"


RED = [{"value": "red", "words": "x:red"}, {"value": "blue", "words": "x:blue"}]


@pytest.mark.parametrize(("kind", "expected"), [
    (int, {"kind": "number"}), (Few, {"kind": "number", "low": 1, "high": 6}), (bool, {"kind": "flag"}),
    (str, {"kind": "text"}), (float, {"kind": "any"}), (int | str, {"kind": "any"}), (tuple[int, int], {"kind": "any"}),
    (Colour, {"kind": "choice", "choices": RED}), (Literal["red", "blue"], {"kind": "choice", "choices": RED}),
    (Colour | None, {"kind": "choice", "choices": RED}),
    (Few | Literal["red", "blue"], {"kind": "number", "low": 1, "high": 6, "choices": RED}),
    (Few | Literal["red", "blue"] | None, {"kind": "number", "low": 1, "high": 6, "choices": RED}),
    (Annotated[list[Few], Field(min_length=2, max_length=4)],
     {"kind": "list", "of": {"kind": "number", "low": 1, "high": 6}, "least": 2, "most": 4}),
    (dict[Colour, bool], {"kind": "table", "keys": {"kind": "choice", "choices": RED}, "of": {"kind": "flag"}}),
])  # fmt: skip
def test_types_have_shapes(kind: Any, expected: Any) -> None:
    assert shape(kind, said, "x") == expected


def test_records_tell_their_fields() -> None:
    number = {"kind": "number", "low": 1, "high": 6}
    draw, paint = sorts(Draw | Paint, "act", said)
    assert draw == {"value": "draw", "words": "act:draw", "fields": [
        {"name": "n", "label": "field:n", "shape": number, "needed": False, "default": 1}]}  # fmt: skip
    assert [(one["name"], one["needed"], one["default"]) for one in paint["fields"]] == [
        ("colour", True, None), ("where", False, None)]  # fmt: skip
    assert shape(Act, said) == {"kind": "kinds", "tag": "act", "kinds": [draw, paint]}
    names = [one["name"] for one in parts(Card, said)]
    assert names == ["colour", "front", "costs"], "where values come from is not asked for"
    assert [one["default"] for one in parts(Card, said)] == [None, None, {}]


def test_a_field_within_another_has_both_names() -> None:
    label, found = within(Card, "front.acts", said)
    assert label == "field:front · field:acts" and found["kind"] == "list" and found["most"] == 3
    assert found["of"] == shape(Act, said)
