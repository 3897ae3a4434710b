"""The tables of effects, win conditions and special actions: rows are whole, and all that speaks of them follows."""

from __future__ import annotations

import string
import typing

import pytest
from pydantic import BaseModel, TypeAdapter, ValidationError

from sammu_env import constants as c
from sammu_env import situation, words
from sammu_env.box import EFFECT_COLUMNS
from sammu_env.components import schema
from sammu_env.rules import conditions, effects
from sammu_env.rules.actions import special
from tabletop.switch import call, of_rows
from tests.laws.test_steps import written

ROWS = [("effect", "FX", *row) for row in c.EFFECT_ROWS] + [("condition", "W", *row) for row in c.CONDITION_ROWS]
ROWS += [("special", "SP", *row) for row in c.SPECIAL_ROWS]
#: tag -> what a file may say, the names of its rows, fields that all have, and columns that a row has for its own.
TABLES = {
    "effect": (schema.Effect, c.EFFECTS, (), EFFECT_COLUMNS - 1),
    "condition": (schema.Condition, c.CONDITIONS, (), EFFECT_COLUMNS - 1),
    "special": (schema.Special, c.SPECIALS, ("goods", "cards"), c.SPECIAL_COLUMNS - c.C_FIELDS),
}
#: Words that are made of several fields.
MADE = {"special": {"gain", "lose", "diviners"}}
Fields = tuple[c.Field, ...]


def models(tag: str) -> dict[str, type[BaseModel]]:
    union = typing.get_args(TABLES[tag][0])[0]
    return {model.model_fields[tag].annotation.__args__[0]: model for model in typing.get_args(union)}


@pytest.mark.parametrize(("tag", "prefix", "name", "fields"), ROWS, ids=lambda x: x if isinstance(x, str) else "")
def test_rows_are_whole(tag: str, prefix: str, name: str, fields: Fields) -> None:
    _, names, common, columns = TABLES[tag]
    assert getattr(c, f"{prefix}_{name.upper()}") == names.index(name)
    assert len(fields) <= columns
    if name != "none":
        assert list(models(tag)[name].model_fields) == [*common, tag, *(field.name for field in fields)]
    said = {field.name for field in fields}
    said |= {field + "s" for field in said} | {"s", "enemies"} | MADE.get(tag, set())
    for key, templates in words.table()[tag].items():
        if key == name or (key.startswith(f"{name}_") and key not in names):
            for template in templates:
                assert {place for _, place, _, _ in string.Formatter().parse(template) if place} <= said, key


def test_numbers_are_those_that_boxes_hold() -> None:
    assert (c.FX_TOKENS, c.FX_DRAW, c.FX_PAY_EACH, c.FX_ORACLE_CHALLENGE) == (1, 5, 17, 28)
    assert (c.W_NO_UNREST, c.W_GATES, c.W_GOODS, c.W_ADVISORS) == (1, 4, 9, 11)


def test_effects_are_told_their_fields_by_name() -> None:
    source = written(effects.do)
    assert "elif effect == c.FX_GAIN_IN_AREA:\n        do_gain_in_area(box, s, x, y, z)\n" in source
    assert "elif effect == c.FX_DRAW:\n        do_draw(s, x, program, instead)\n" in source
    assert source.count("effect ==") == len(c.EFFECTS) - 1


def test_conditions_are_told_their_fields_by_name() -> None:
    need, have, want = map(written, (conditions.need, conditions.have, situation.want))
    assert "elif condition == c.W_AREA_TOKENS:\n        return z\n" in need
    assert "elif condition == c.W_TOTAL_TOKENS:\n        return need_total_tokens(y, z)\n" in need
    assert "elif condition == c.W_GOODS:\n        return have_goods(s, x, y)\n" in have
    assert "elif condition == c.W_GATES:\n        want_gates(box, s, row, out)\n" in want
    assert need.count("condition ==") == have.count("condition ==") == len(c.CONDITIONS) - 1
    silent = [name for name in c.CONDITIONS[1:] if f"c.W_{name.upper()}:" not in want]
    assert silent == [
        "no_unrest",
        "no_enemies",
    ]  # others have want_... in situation.py


def test_special_actions_are_told_their_fields_by_name() -> None:
    can, do = map(written, (special.can, special.do))
    assert "elif special == c.SP_MARCH:\n        return can_march(box, s, who, x)\n" in can
    assert "elif special == c.SP_SUMMON:\n        return can_summon(box, s, who, z)\n" in can
    assert "if special == c.SP_EXCHANGE:\n        do_exchange(box, s, who, x, y, z, w)\n" in do
    assert can.count("special ==") == do.count("special ==") == len(c.SPECIALS) - 1


def test_a_row_without_a_rule_is_refused() -> None:
    with pytest.raises(AttributeError, match="effects has no do_juggle"):
        of_rows("do", "c.FX", (c.Row("none", ()), c.Row("juggle", ())), "s", vars(effects))


def test_a_rule_that_asks_for_what_its_row_has_not_is_refused() -> None:
    with pytest.raises(TypeError, match="do_draw: parameter 'n', choose one of s, area"):
        call("do_draw", effects.do_draw, {"s": "s", "area": "x"})


@pytest.mark.parametrize(
    ("said", "problem"),
    [
        ({"effect": "fewer_actions", "area": "Egypt", "n": 3}, "less than or equal to 2"),
        ({"effect": "bonus_steps", "group": "public", "n": 1}, "expected one of advisors, characters"),
        ({"effect": "close_roads", "where": "everywher"}, "did you mean 'everywhere'"),
        ({"effect": "ban_tokens"}, "Field required"),
        ({"effect": "queen_actions", "n": 0}, "a number other than 0"),
        ({"effect": "draw", "area": "Egypt"}, "Extra inputs"),
    ],
)
def test_rows_say_what_files_may_say(said: dict[str, object], problem: str) -> None:
    with pytest.raises(ValidationError, match=problem):
        TypeAdapter(schema.Effect).validate_python(said)


def test_what_may_be_missing_has_its_default() -> None:
    adapter: TypeAdapter[typing.Any] = TypeAdapter(schema.Effect)
    assert adapter.validate_python({"effect": "draw"}).n == 1
    assert adapter.validate_python({"effect": "pay_each", "group": "public", "n": 2}).unpaid == "bag"
    assert adapter.validate_python({"effect": "tokens", "kind": "supply", "n": -1}).area is None
    assert adapter.validate_python({"effect": "queen_actions", "n": "none"}).n == "none"
