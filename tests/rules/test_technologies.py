"""The eleven technologies (rulebook pp. 46-47)."""

from __future__ import annotations

from typing import Any

import pytest

from sammu_env import constants as c
from tests.table import Table, hand


def acting(who: str, at: str, held: list[str] | None = None, **keys: Any) -> Table:
    """Seat 0's turn with one consulted character who has technologies and an action to spare."""
    row = {"location": at, "consulted": True, "actions": 3, "technologies": held or [], **keys.pop("row", {})}
    return Table(stage="actions", characters={who: row, **keys.pop("characters", {})}, **keys)


@pytest.mark.rule("T1", "E6")
@pytest.mark.parametrize(("enemies", "safe"), [(1, True), (2, False)])
def test_a_shield_defends_one(enemies: int, safe: bool) -> None:
    t = Table(characters={"Marsyas": {"location": "Nineveh", "technologies": ["Shield"]}},
              locations={"Tushpa": {"enemy": enemies}}).stage("enemy_attack")  # fmt: skip
    assert (t.who("Marsyas")["status"] == "in play") == safe


@pytest.mark.rule("T1", "E6")
def test_a_shield_adds_to_a_characters_own_defence() -> None:
    t = Table(characters={"Besime": {"location": "Nineveh", "player": 0, "technologies": ["Shield", "Shield"]}},
              locations={"Tushpa": {"enemy": 4}}).stage("enemy_attack")  # fmt: skip
    assert t.who("Besime")["status"] == "in play"


WAGONS = [("Military Wagon", "military"), ("Diviner Wagon", "diviner"), ("Supply Wagon", "supply"),
          ("Medicine Wagon", "medicine")]  # fmt: skip
STOCK = {"locations": {"Ancyra": {"military": 6, "diviner": 6}}, "areas": {"Phrygia": {"supply": 6, "medicine": 6}}}


@pytest.mark.rule("T1", "A4")
@pytest.mark.parametrize(("wagon", "kind"), WAGONS)
def test_a_wagon_carries_two_more_of_its_kind(wagon: str, kind: str) -> None:
    t = acting("Marsyas", "Ancyra", [wagon], **STOCK).choose("move", "Tushpa", kind, kind, kind, kind)
    arrived = {**t.at("Tushpa"), **t.area("Urartu")}
    assert arrived == {kind: 4}
    assert t.who("Marsyas")["location"] == "Tushpa"


@pytest.mark.rule("T1", "A4")
@pytest.mark.parametrize(("wagon", "kind"), WAGONS)
def test_a_wagon_carries_none_of_another_kind(wagon: str, kind: str) -> None:
    other = "diviner" if kind == "military" else "military"
    t = acting("Marsyas", "Ancyra", [wagon], **STOCK).choose("move", "Tushpa", other, other)
    assert t.options() == ["done", kind]
    t.choose(kind, kind)
    assert {**t.at("Tushpa"), **t.area("Urartu")} == {other: 2, kind: 2}


@pytest.mark.rule("T1", "A11")
def test_a_wagon_applies_after_the_characters_ability() -> None:
    t = acting("Siranoush", "Ancyra", ["Military Wagon"], **STOCK).choose("move", "Tushpa", *["military"] * 6)
    assert t.at("Tushpa") == {"military": 6}


@pytest.mark.rule("T1", "A3")
def test_a_mule_adds_a_step() -> None:
    t = acting("Marsyas", "Ashur", ["Mule"], month_effects={"roads_closed": 1}).choose("move")
    one, two = {"Kalhu", "Opis", "Jerusalem"}, {"Nineveh", "Arbela", "Ecbatana", "Babylon", "Tyre", "Samaria"}
    assert set(t.options()) == one | two


@pytest.mark.rule("T1", "A3")
def test_a_mules_second_step_may_be_by_the_queens_road() -> None:
    t = acting("Marsyas", "Ashur", ["Mule"]).choose("move")
    assert {"Sardes", "Gordium", "Susa"} <= set(t.options())
    assert "Elmali" not in t.options()


@pytest.mark.rule("T1", "A10")
def test_a_mule_adds_a_step_to_wardiyas_march() -> None:
    t = acting("Wardiya", "Opis", ["Mule"], month_effects={"roads_closed": 1}).choose("special")
    assert "Tyre" in t.options()
    assert "Heliopolis" not in t.options()


@pytest.mark.rule("T1")
def test_a_wheel_draws_a_card_when_its_advisor_is_consulted() -> None:
    people = {"Dinah": {"location": "Nineveh", "technologies": ["Wheel"]}, "Besime": {"location": "Nineveh"}}
    t = Table(stage="actions", players=2, characters=people).stage("actions", "Dinah")
    assert t.prompt() == "draw_card"
    t.choose("SAM-100")
    assert hand(t, 0) == ["SAM-100"]


@pytest.mark.rule("T1", "A9")
def test_a_wheel_draws_a_card_when_it_is_picked_up() -> None:
    t = acting("Dinah", "Susa", technologies={"Susa": "Wheel"}).choose("pick_up", "SAM-100")
    assert t.who("Dinah")["technologies"] == ["Wheel"]
    assert hand(t, 0) == ["SAM-100"]


@pytest.mark.rule("T1", "A7")
def test_a_wheel_that_is_played_draws_before_its_card_is_discarded() -> None:
    """P. 47: at once. P. 28: a card is discarded after it is played; so an empty deck is made anew without it."""
    discard, held = ["SAM-084", "SAM-085"], "SAM-131"
    cards = [f"SAM-{n:03d}" for n in range(c.ASHUR_FIRST, c.ASHUR_FIRST + c.N_ASHUR)]
    others = [card for card in cards if card not in (*discard, held)]
    t = acting("Besime", "Kalhu", row={"goods": {"gold": 2}}, seats=[{"hand": [held]}, {"hand": others}], players=2,
               ashur_discard=discard)  # fmt: skip
    t.choose("play_card")
    assert t.prompt() == "draw_card" and t.options() == discard
    assert t["discard_n"] == 1


@pytest.mark.rule("T1")
def test_a_sun_gives_a_consulted_public_character_here_one_action_more() -> None:
    t = acting("Dinah", "Opis", characters={"Besime": {"location": "Opis", "player": 1, "technologies": ["Sun"]}})
    t.choose("extra_action")
    assert t.who("Dinah")["actions"] == 4
    assert "extra_action" not in t.options()


@pytest.mark.rule("T1")
@pytest.mark.parametrize("row", [{"location": "Babylon"}, {"location": "Opis", "player": 1}])
def test_a_sun_gives_nothing_elsewhere_or_to_personal_advisors(row: dict[str, Any]) -> None:
    t = acting("Dinah", "Opis", ["Sun"], row={"player": 0}, characters={"Besime": row})
    assert "extra_action" not in t.options()


@pytest.mark.rule("T1", "A12")
def test_a_character_without_a_disc_spends_the_suns_action_on_a_free_action() -> None:
    t = acting("Dinah", "Opis", ["Sun"], row={"player": 0},
               characters={"Besime": {"location": "Opis", "goods": {"gold": 2}}})  # fmt: skip
    t.choose("extra_action", "switch")
    assert t.who("Besime")["actions"] == 1
    t.choose("market")
    assert t.who("Besime")["goods"] == {"copper": 1, "gold": 1}
    assert "actions" not in t.who("Besime")
    assert t["free_actions"][0] == 5


@pytest.mark.rule("T1")
@pytest.mark.parametrize(("given", "taken"), [
    ("military", "diviner"), ("diviner", "medicine"), ("supply", "military"), ("medicine", "supply"),
])  # fmt: skip
def test_an_amphora_turns_a_token_of_the_area_into_another_kind(given: str, taken: str) -> None:
    t = acting("Dinah", "Opis", ["Amphora"], locations={"Babylon": {"military": 1, "diviner": 1}},
               areas={"Babylonia": {"supply": 1, "medicine": 1}}).choose("convert", given, taken)  # fmt: skip
    if t.prompt() == "convert_place":
        assert given in ("supply", "medicine") and taken in ("military", "diviner")
        t.choose("Babylon")
    assert t.on_map(given) == 0
    assert t.on_map(taken) == 2
    assert sum(row.get(taken, 0) for row in (t.at("Babylon"), t.at("Opis"), t.area("Babylonia"))) == 2
    assert t.who("Dinah")["actions"] == 2


@pytest.mark.rule("T1")
def test_an_amphora_needs_a_token_in_the_area() -> None:
    t = acting("Dinah", "Opis", ["Amphora"], locations={"Kalhu": {"military": 1}})
    assert "convert" not in t.options()


@pytest.mark.rule("T1", "M4")
@pytest.mark.parametrize(("answer", "left"), [("yes", {}), ("done", {"plague": 1})])
def test_a_vial_may_remove_one_plague_on_entering(answer: str, left: dict[str, int]) -> None:
    t = acting("Dinah", "Tushpa", ["Vial"], locations={"Ancyra": {"plague": 1}, "Gordium": {"plague": 1}})
    t.choose("move", "Ancyra", answer)
    assert t.at("Ancyra") == left
    assert t.at("Gordium") == {"plague": 1}


@pytest.mark.rule("T1", "M5")
def test_a_vial_clears_the_area_from_its_capital() -> None:
    t = acting("Dinah", "Nineveh", ["Vial"], locations={"Tushpa": {"plague": 1}, "Bastam": {"plague": 1}})
    t.choose("move", "Tushpa", "yes")
    assert t.at("Tushpa") == {}
    assert t.at("Bastam") == {}
    assert t["marker_pool"][c.PLAGUE] == 10


@pytest.mark.rule("T1", "M5")
@pytest.mark.parametrize(("answers", "left"), [
    (("done", "done"), {"Ancyra", "Gordium"}), (("Ancyra", "yes"), set()), (("Ancyra", "done"), {"Gordium"}),
    (("done", "yes"), set()),
])  # fmt: skip
def test_a_vial_may_remove_plague_that_is_entered_on_the_way(answers: tuple[str, str], left: set[str]) -> None:
    """その区域に入った際に、疫病1個を除去できます (pp. 46-47), and each step of a move enters a location (p. 25).

    Gordium is the capital: from there the whole area is cleared.
    """
    places: dict[str, Any] = {"Ancyra": {"plague": 1}, "Gordium": {"plague": 1}}
    t = acting("Dinah", "Tushpa", ["Vial", "Mule"], locations=places, month_effects={"roads_closed": 1})
    t.choose("move", "Gordium")
    assert t.prompt() == "vial_way"
    assert t.options() == ["done", "Ancyra"]
    t.choose(*answers)
    assert t.who("Dinah")["location"] == "Gordium"
    assert {name for name in places if "plague" in t.at(name)} == left


@pytest.mark.rule("T1", "M5")
def test_all_plague_that_the_vial_removes_lies_on_one_way() -> None:
    """From Arbela to Opis by Ashur or by Ecbatana, not by both."""
    places = {"Ashur": {"plague": 1}, "Ecbatana": {"plague": 1}}
    t = acting("Dinah", "Arbela", ["Vial", "Mule"], locations=places,
               month_effects={"roads_closed": 1, "advisor_steps": 1})  # fmt: skip
    t.choose("move", "Opis")
    assert t.options() == ["done", "Ashur", "Ecbatana"]
    t.choose("Ashur")
    assert t.at("Ashur") == {} and t.at("Ecbatana") == {"plague": 1}
    assert t.who("Dinah")["location"] == "Opis"


@pytest.mark.rule("T1", "M5")
def test_a_vial_cleans_where_its_owner_comes_back_through() -> None:
    """Out of Bastam and in again takes two steps, a third leads to Tushpa."""
    places = {"Bastam": {"plague": 1}}
    t = acting("Wardiya", "Bastam", ["Vial"], row={"player": 0}, locations=places).choose("special", "Tushpa", "Bastam")
    assert t.at("Bastam") == {}
    assert t.who("Wardiya")["location"] == "Tushpa"
    short = acting("Wardiya", "Bastam", ["Vial"], locations=places).choose("special", "Tushpa")
    assert short.at("Bastam") == {"plague": 1}


@pytest.mark.rule("T1", "M4")
def test_what_is_carried_and_who_comes_along_keep_the_vial_off_the_plague() -> None:
    """Military does not enter plague: a move with it has no way through Ancyra."""
    places = {"Ancyra": {"plague": 1}, "Tushpa": {"military": 1}}
    t = acting("Dinah", "Tushpa", ["Vial", "Mule"], locations=places).choose("move", "Damascus", "military")
    assert t.at("Damascus") == {"military": 1}
    assert t.at("Ancyra") == {"plague": 1}


@pytest.mark.rule("T1")
def test_one_step_asks_of_no_plague_on_the_way() -> None:
    t = acting("Dinah", "Nineveh", ["Vial"], locations={"Ancyra": {"plague": 1}}).choose("move", "Tushpa")
    assert t.prompt() == "turn"


@pytest.mark.rule("T1")
def test_new_military_of_an_amphora_stands_anywhere_in_the_area_without_enemies() -> None:
    """The text says only 同じ地域 (p. 47)."""
    t = acting("Dinah", "Gordium", ["Amphora"], locations={"Elmali": {"enemy": 1}}, areas={"Phrygia": {"supply": 1}})
    t.choose("convert", "military")
    assert t.prompt() == "convert_place"
    assert t.options() == ["Gordium", "Ancyra"]
    t.choose("Ancyra")
    assert t.at("Ancyra") == {"military": 1} and t.area("Phrygia") == {}


@pytest.mark.rule("T1", "A6")
def test_a_sword_removes_one_enemy_as_the_attack_begins() -> None:
    t = acting("Dinah", "Nineveh", ["Sword"], locations={"Nineveh": {"military": 2}, "Tushpa": {"enemy": 3}})
    t.choose("attack", "military", "join")
    assert t.at("Tushpa") == {}
    assert t["enemy_pool"] == 25
    assert t.on_map("military") == 0
    assert t.who("Dinah")["location"] == "Tushpa"


@pytest.mark.rule("T1", "E7")
def test_a_sword_removes_no_enemy_when_its_holder_is_attacked() -> None:
    t = Table(characters={"Marsyas": {"location": "Nineveh", "technologies": ["Sword"]}},
              locations={"Nineveh": {"military": 1}, "Tushpa": {"enemy": 2}}).stage("enemy_attack")  # fmt: skip
    assert t.on_map("military") == 0
    assert t["enemy_pool"] == 24


@pytest.mark.rule("T1", "A12")
def test_technologies_are_not_traded() -> None:
    t = acting("Dinah", "Opis", ["Sword", "Mule"],
               characters={"Besime": {"location": "Opis", "technologies": ["Shield"]}})  # fmt: skip
    assert "trade_goods" not in t.options()
    assert "trade_cards" not in t.options()


@pytest.mark.rule("T1", "R5", "R6")
def test_technologies_stay_with_an_advisor_who_leaves_and_returns() -> None:
    t = Table(areas={"Phrygia": {"supply": 1, "medicine": 1}}, locations={"Gordium": {"military": 1, "diviner": 1}},
              characters={"Marsyas": {"status": "away", "technologies": ["Sun"]}}).stage("gates")  # fmt: skip
    assert t.who("Marsyas")["technologies"] == ["Sun"]
    assert t.who("Marsyas")["location"] == "Gordium"
