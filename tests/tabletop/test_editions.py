"""Editions of another game's box: two sections, a union, sources of its own; nothing here is of Sammu-Ramat."""

from __future__ import annotations

import copy
import re
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from pydantic import Field

from tabletop.editions import EditionError, Record, Strict, content_hash, one_of, overlaid, read_toml, validated

Fish = Annotated[str, one_of(("perch", "pike", "eel"))]


class Pond(Record):
    depth: Annotated[int, Field(ge=1, le=9)]
    fish: dict[Fish, int] = {}


class Net(Record):
    kind: Literal["net"]
    holds: int


class Rod(Record):
    kind: Literal["rod"]
    fish: Fish
    bait: str | None = None


class Give(Strict):
    does: Literal["give"]
    fish: Fish


class Take(Strict):
    does: Literal["take"]
    n: int


class Weather(Record):
    text: str = ""
    effects: list[Annotated[Give | Take, Field(discriminator="does")]] = []


class Sizes(Record):
    ponds: int


class Box(Strict):
    pond: dict[str, Pond]
    tool: dict[str, Annotated[Net | Rod, Field(discriminator="kind")]]
    weather: dict[str, Weather]
    sizes: Sizes


def public(**values: Any) -> dict[str, Any]:
    return {**values, "provenance": {"rest": "public"}}


PRINTED: dict[str, Any] = {
    "pond": {"north": public(depth=3), "south": public(depth=5, fish={"eel": 2})},
    "tool": {"T1": public(kind="net", holds=4), "T2": public(kind="rod", fish="pike")},
    "weather": {"W1": public(text="Rain", effects=[{"does": "take", "n": 1}])},
    "sizes": public(ponds=2),
}


def checks(box: Box) -> list[str]:
    return [] if len(box.pond) == box.sizes.ponds else [f"sizes: ponds: found {box.sizes.ponds}, expected 2"]


def over(values: Any) -> Box:
    return overlaid(Box, copy.deepcopy(PRINTED), values, "mine", checks=checks)


def problems(values: Any) -> list[str]:
    with pytest.raises(EditionError) as error:
        over(values)
    assert str(error.value) == "\n".join(error.value.problems)
    return error.value.problems


def test_values_are_replaced_and_marked() -> None:
    box = over({"pond": {"north": {"depth": 7}}, "sizes": {"ponds": 2}})
    assert box.pond["north"].depth == 7 and box.pond["south"].depth == 5
    assert list(box.pond["north"].sourced()) == [("depth", 7, "edition"), ("fish", {}, "public")]
    assert [source for *_, source in box.sizes.sourced()] == ["edition"]
    assert next(box.pond["south"].sourced()) == ("depth", 5, "public")


def test_a_card_of_another_kind_keeps_nothing_of_the_old_one() -> None:
    rod = over({"tool": {"T1": {"kind": "rod", "fish": "eel"}}}).tool["T1"]
    assert isinstance(rod, Rod) and (rod.fish, rod.bait) == ("eel", None)
    assert problems({"tool": {"T1": {"kind": "rod"}}}) == ["mine: tool.T1: fish: missing, expected a value"]


@pytest.mark.parametrize(
    ("values", "line"),
    [
        ({"pnd": {}}, "sections: found 'pnd', expected one of pond, tool, weather, sizes (did you mean 'pond'?)"),
        ({"pond": 3}, "pond: found 3, expected a table of values"),
        (
            {"pond": {"nort": {"depth": 1}}},
            "pond: found 'nort', expected one of north, south (did you mean 'north'?)",
        ),
        (
            {"pond": {"north": {"dept": 1}}},
            "pond.north: found 'dept', expected no such field; there are depth, fish (did you mean 'depth'?)",
        ),
        (
            {"tool": {"T2": {"holds": 1}}},
            "tool.T2: found 'holds', expected no such field; there are kind, fish, bait",
        ),
        ({"pond": {"north": {"depth": 0}}}, "pond.north: depth: found 0, expected greater than or equal to 1"),
        ({"pond": {"north": {"depth": "3"}}}, "pond.north: depth: found '3', expected a valid integer"),
        (
            {"pond": {"north": {"fish": {"pike": {"n": 1}}}}},
            "pond.north: fish.pike: found {'n': 1}, expected a valid integer",
        ),
        (
            {"weather": {"W1": {"effects": {"does": "give"}}}},
            "weather.W1: effects: found {'does': 'give'}, expected a valid list",
        ),
        (
            {"pond": {"north": {"fish": {"pick": 1}}}},
            "pond.north: fish: found 'pick', expected one of perch, pike, eel (did you mean 'pike'?)",
        ),
        ({"tool": {"T2": {"fish": "cod"}}}, "tool.T2: fish: found 'cod', expected one of perch, pike, eel"),
        ({"tool": {"T2": {"kind": "hook"}}}, "tool.T2.kind: found 'hook', expected one of 'net', 'rod'"),
        (
            {"weather": {"W1": {"effects": [{"does": "give", "fish": "cod"}]}}},
            "weather.W1: effects[0].fish: found 'cod', expected one of perch, pike, eel",
        ),
        (
            {"weather": {"W1": {"effects": [{"does": "take", "m": 1, "n": 1}]}}},
            "weather.W1: effects[0]: found 'm', expected no such field; there are does, n",
        ),
        ({"sizes": {"ponds": 3}}, "sizes: ponds: found 3, expected 2"),
        (
            {"pond": {"north": {"provenance": {"depth": "public"}}}},
            "pond.north: found 'provenance', expected values only: they are marked 'edition'",
        ),
    ],
)
def test_a_fault_names_card_and_field_and_what_is_expected(values: Any, line: str) -> None:
    assert problems(values) == [f"mine: {line}"]


def test_every_fault_has_its_line() -> None:
    assert len(problems({"pnd": {}, "pond": {"north": {"depth": 0, "dept": 1}}, "tool": {"T3": {}}})) == 4


def test_each_value_says_where_it_comes_from() -> None:
    for source, said in (
        ({}, "provenance is missing for ponds"),
        ({"rest": "a friend"}, "provenance 'a friend', expected 'rulebook p.N', 'public' or"),
        ({"rest": "public", "pods": "public"}, "provenance names 'pods', expected one of rest, ponds"),
    ):
        with pytest.raises(EditionError, match=said):
            validated(Box, {**PRINTED, "sizes": {"ponds": 2, "provenance": source}}, "data")

    class Told(Sizes):
        SOURCE, SOURCES, BESIDES = re.compile("a friend"), "'a friend'", ("name",)

    assert Told(ponds=1, provenance={"rest": "a friend", "name": "a friend"}).ponds == 1
    with pytest.raises(ValueError, match="provenance names 'pods', expected one of rest, ponds, name"):
        Told(ponds=1, provenance={"rest": "a friend", "pods": "a friend"})


def test_the_hash_names_what_is_played() -> None:
    printed = validated(Box, PRINTED, "data", checks)
    told = over({"weather": {"W1": {"text": "Sun"}}})
    assert content_hash(over({"sizes": {"ponds": 2}})) == content_hash(printed) != content_hash(told)
    assert content_hash(told, ["text"]) == content_hash(printed, ["text"])


def test_files_that_are_none_are_named(tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.toml"
    wrong.write_text("a = = 1")
    for path, said in ((wrong, "not a TOML file"), (tmp_path / "none.toml", "cannot be read: No such file")):
        with pytest.raises(EditionError, match=said) as error:
            read_toml(path)
        assert error.value.problems[0].startswith(str(path))
