"""Playing alone (rulebook pp. 38-39)."""

from __future__ import annotations

from typing import Any

import pytest

from sammu_env import constants as c
from tests.table import Table

PEOPLE = {
    "Sammu-ramat": {"location": "Kalhu", "goods": {"textile": 4}},
    "Besime": {"location": "Kalhu", "goods": {"iron": 4}},
    "Lilith": {"location": "Kalhu", "goods": {"copper": 4}},
    "Dinah": {"location": "Kalhu", "goods": {"gold": 4}},
}


def alone(challenge: str = "SAM-185", **keys: Any) -> Table:
    return Table(challenge, players=1, **({"characters": PEOPLE} | keys))


def goods(table: Table) -> dict[str, int]:
    return {name: sum(table.who(name).get("goods", {}).values()) for name in PEOPLE}


@pytest.mark.rule("S1")
def test_seven_months_and_the_solo_side() -> None:
    table = alone()
    assert table["months"] == 7
    assert table.who("Sammu-ramat")["side"] == "solo"
    assert table.who("Sammu-ramat")["player"] == 0


@pytest.mark.rule("S1")
def test_two_cards_a_month_and_seven_in_hand() -> None:
    hand = [f"SAM-{n:03d}" for n in range(80, 85)]
    table = alone(seats=[{"hand": hand}]).stage("draw", "SAM-100", "SAM-101")
    assert table.prompt() == "halt"
    assert table["hand_n"][0] == 7
    table.stage("draw", "SAM-102", "SAM-103", "SAM-100", "SAM-101")
    assert table.prompt() == "halt"
    assert table["hand_n"][0] == 7


@pytest.mark.rule("S1", "A1")
def test_three_different_characters_with_two_actions_each() -> None:
    table = alone().stage("actions")
    assert set(table.options()) == set(PEOPLE)
    table.choose("Dinah")
    assert set(table.options()) == set(PEOPLE) - {"Dinah"}
    table.choose("Sammu-ramat", "Lilith")
    assert table.prompt() == "turn"
    assert {name: table.who(name).get("actions") for name in PEOPLE} == {
        "Sammu-ramat": 2, "Besime": None, "Lilith": 2, "Dinah": 2,
    }  # fmt: skip


@pytest.mark.rule("S1")
def test_all_three_act_in_any_order() -> None:
    table = alone().stage("actions", "Dinah", "Sammu-ramat", "Lilith")
    for name in ("Lilith", "Sammu-ramat", "Dinah"):
        if "switch" in table.options() and table["active"] != c.CHARACTERS.index(name):
            table.choose("switch")
            if table.prompt() == "switch":
                table.choose(name)
        assert table["active"] == c.CHARACTERS.index(name)
        table.choose("move", "Ashur")
        assert table.who(name)["location"] == "Ashur"
        assert table.who(name)["actions"] == 1


@pytest.mark.rule("S1")
def test_five_free_actions_in_all() -> None:
    table = alone().stage("actions", "Dinah", "Sammu-ramat", "Lilith")
    assert table["free_actions"][0] == 5


@pytest.mark.rule("S2")
def test_events_for_personal_advisors_touch_only_sammu_ramat() -> None:
    table = alone().stage("event", "SAM-067")
    assert goods(table) == {"Sammu-ramat": 6, "Besime": 4, "Lilith": 4, "Dinah": 4}


@pytest.mark.rule("S2")
def test_events_for_public_advisors_touch_all_others() -> None:
    table = alone().stage("event", "SAM-047")
    assert goods(table) == {"Sammu-ramat": 4, "Besime": 6, "Lilith": 6, "Dinah": 6}


@pytest.mark.rule("S2")
def test_monthly_effects_for_personal_advisors_touch_only_sammu_ramat() -> None:
    table = alone("SAM-183", month=7).stage("monthly_effect")
    assert goods(table) == {"Sammu-ramat": 2, "Besime": 4, "Lilith": 4, "Dinah": 4}


@pytest.mark.rule("S2")
def test_monthly_effects_for_public_advisors_touch_all_others() -> None:
    table = alone("SAM-198", month=5).stage("monthly_effect")
    assert goods(table) == {"Sammu-ramat": 4, "Besime": 2, "Lilith": 2, "Dinah": 2}


@pytest.mark.rule("S2")
def test_effects_for_all_advisors_touch_all_others() -> None:
    table = alone("SAM-189", month=3).stage("monthly_effect")
    assert goods(table) == {"Sammu-ramat": 4, "Besime": 2, "Lilith": 2, "Dinah": 2}


@pytest.mark.rule("S2")
def test_goods_paid_by_all_advisors_together_are_not_sammu_ramats() -> None:
    table = alone().stage("event", "SAM-070")
    assert table.prompt() == "pay_group"
    assert set(table.options()) == {"Besime", "Lilith", "Dinah"}
    table.choose("Besime", "Lilith", "Dinah", "Dinah", "Besime")
    assert goods(table) == {"Sammu-ramat": 4, "Besime": 2, "Lilith": 3, "Dinah": 2}


@pytest.mark.rule("S2")
def test_bribes_are_paid_by_all_others() -> None:
    table = alone(areas={"Egypt": {"supply": 1}}).stage("event", "SAM-027").stage("outcome")
    assert goods(table) == {"Sammu-ramat": 4, "Besime": 2, "Lilith": 2, "Dinah": 2}
