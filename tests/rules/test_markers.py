"""The effect markers and the bag (rulebook pp. 40-44)."""

from __future__ import annotations

from typing import Any

import pytest

from sammu_env import constants as c
from tests.table import Table, acting


def drawn(marker: str, area: str = "Phrygia", *choices: str, **keys: Any) -> Table:
    """The monthly effect "draw one from the bag" (SAM-179, month 7), with one marker in it, on last month's area."""
    t = Table("SAM-179", players=2, month=7, bag={marker: 1}, events={"previous_area": area}, **keys)
    return t.stage("monthly_effect", *choices)


def pool(t: Table, marker: str) -> int:
    return int(t["marker_pool"][c.MARKERS.index(marker)])


# M1: assassination


@pytest.mark.rule("M1")
def test_assassination_lies_on_sammu_ramat() -> None:
    t = drawn("assassination", queen={"assassination": 1})
    assert t.queen() == {"assassination": 2}
    assert t.bag() == {}


# M2, M3: unrest


@pytest.mark.rule("M2", "C2")
def test_unrest_breaks_out_in_the_capital_and_takes_the_supply() -> None:
    t = drawn("unrest", areas={"Phrygia": {"supply": 3, "medicine": 1}, "Urartu": {"supply": 1}})
    assert t.at("Gordium") == {"unrest": 1}
    assert t.area("Phrygia") == {"medicine": 1}
    assert t.area("Urartu") == {"supply": 1}
    assert t.bag() == {}


@pytest.mark.rule("M2", "M13")
@pytest.mark.parametrize(("military", "row"), [
    (3, None), (2, {"location": "Gordium"}), (1, {"location": "Gordium", "technologies": ["Shield"]}),
])  # fmt: skip
def test_three_defence_in_the_capital_keeps_unrest_out(military: int, row: dict[str, Any] | None) -> None:
    t = drawn("unrest", locations={"Gordium": {"military": military}}, areas={"Phrygia": {"supply": 1}},
              characters={"Wardiya": row} if row else {})  # fmt: skip
    assert t.at("Gordium") == {"military": military}
    assert t.area("Phrygia") == {"supply": 1}
    assert t.bag() == {}
    assert pool(t, "unrest") == 10


@pytest.mark.rule("M2")
def test_two_defence_do_not_keep_unrest_out() -> None:
    t = drawn("unrest", locations={"Gordium": {"military": 2}, "Ancyra": {"military": 3}})
    assert t.at("Gordium") == {"military": 2, "unrest": 1}


@pytest.mark.rule("M2", "M13")
def test_a_capital_in_unrest_gets_no_more() -> None:
    t = drawn("unrest", locations={"Gordium": {"unrest": 1}}, areas={"Phrygia": {"supply": 1}})
    assert t.at("Gordium") == {"unrest": 1}
    assert pool(t, "unrest") == 9


@pytest.mark.rule("M2")
def test_who_has_no_defence_flees_unrest_one_or_two_steps_from_the_capital() -> None:
    people = {"Marsyas": {"location": "Gordium"}, "Besime": {"location": "Gordium"}}
    t = drawn("unrest", characters=people, locations={"Gordium": {"military": 1}})
    assert t.prompt() == "flee"
    assert set(t.options()) == {"Ancyra", "Elmali", "Sardes", "Tushpa", "Damascus"}
    t.choose("Tushpa")
    assert t.who("Marsyas")["location"] == "Tushpa"
    assert t.who("Besime")["location"] == "Gordium"
    assert t.at("Gordium") == {"military": 1, "unrest": 1}


@pytest.mark.rule("M2", "M4")
@pytest.mark.parametrize("marker", ["unrest", "plague"])
def test_who_has_nowhere_to_flee_dies(marker: str) -> None:
    t = drawn(marker, "Elam", characters={"Marsyas": {"location": "Susa"}},
              locations={"Babylon": {"unrest": 1}, "Anshan": {"plague": 1}})  # fmt: skip
    assert t.who("Marsyas")["status"] == "dead"


@pytest.mark.rule("M4", "A11")
@pytest.mark.parametrize(("places", "ways"), [
    ({"Anshan": {"plague": 1}, "Babylon": {"enemy": 1}}, {"Opis"}),
    ({"Babylon": {"enemy": 1}}, {"Anshan", "Opis"}),
    ({"Anshan": {"enemy": 1}, "Babylon": {"enemy": 1}}, {"Opis"}),
    ({"Anshan": {"plague": 1}, "Babylon": {"enemy": 1}, "Opis": {"enemy": 1}}, set()),
    ({"Anshan": {"enemy": 1}, "Babylon": {"enemy": 1}, "Opis": {"plague": 1}}, set()),
])  # fmt: skip
def test_wardiya_flees_past_enemies(places: dict[str, Any], ways: set[str]) -> None:
    """敵の居る区域を、攻撃を誘発することなく通過できる (SAM-005)."""
    t = drawn("plague", "Elam", characters={"Wardiya": {"location": "Susa"}}, locations=places)
    if len(ways) > 1:
        assert t.prompt() == "flee" and set(t.options()) == ways
    else:
        assert t.who("Wardiya").get("location") == next(iter(ways), None)
        assert (t.who("Wardiya")["status"] == "dead") == (not ways)


@pytest.mark.rule("M4", "E3")
def test_nobody_else_flees_past_enemies() -> None:
    places = {"Anshan": {"enemy": 1}, "Babylon": {"enemy": 1}}
    t = drawn("plague", "Elam", characters={"Marsyas": {"location": "Susa"}}, locations=places)
    assert t.who("Marsyas")["location"] == "Susa"


@pytest.mark.rule("M2", "T1")
@pytest.mark.parametrize(("to", "asked"), [("Tushpa", True), ("Damascus", True), ("Elmali", False), ("Sardes", False)])
def test_a_vial_may_remove_plague_on_the_way_of_a_flight(to: str, asked: bool) -> None:
    """その区域に入った際に、疫病1個を除去できます (pp. 46-47)."""
    t = drawn("unrest", characters={"Marsyas": {"location": "Gordium", "technologies": ["Vial"]}},
              locations={"Ancyra": {"plague": 1}}).choose(to)  # fmt: skip
    assert (t.prompt() == "vial_way") == asked
    if asked:
        assert t.options() == ["done", "Ancyra"]
        t.choose("Ancyra")
    assert t.who("Marsyas")["location"] == to
    assert ("plague" in t.at("Ancyra")) != asked


@pytest.mark.rule("M2", "T1")
@pytest.mark.parametrize(("who", "plague"), [("Marsyas", "Nineveh"), ("Apollonios", "Tyre")])
def test_a_flight_goes_by_road(who: str, plague: str) -> None:
    """道路に沿って (p. 41): neither the Queen's Road nor the sea lead past plague for the vial."""
    t = drawn("unrest", characters={who: {"location": "Gordium", "technologies": ["Vial"]}},
              locations={plague: {"plague": 1}}).choose("Damascus")  # fmt: skip
    assert t.prompt() != "vial_way"
    assert t.who(who)["location"] == "Damascus" and t.at(plague) == {"plague": 1}


@pytest.mark.rule("M2")
def test_sammu_ramat_flees_unrest_in_kalhu() -> None:
    t = drawn("unrest", "Assyria")
    assert t.prompt() == "flee"
    assert "Kalhu" not in t.options()
    t.choose("Nineveh")
    assert t.who("Sammu-ramat")["location"] == "Nineveh"


@pytest.mark.rule("M2", "E6")
def test_enemies_in_an_area_in_unrest_count_double() -> None:
    t = Table(locations={"Bastam": {"enemy": 1, "unrest": 1}, "Tushpa": {"military": 1}}).stage("enemy_attack")
    assert t.on_map("military") == 0


@pytest.mark.rule("M2", "E6")
def test_enemies_who_leave_the_unrest_count_one_again() -> None:
    t = Table(locations={"Tushpa": {"enemy": 1, "unrest": 1}, "Nineveh": {"military": 1}, "Ancyra": {"military": 1}})
    t.stage("enemy_attack")
    assert t.at("Nineveh") == {"military": 1}
    assert t.at("Ancyra") == {"military": 1}


@pytest.mark.rule("M2")
def test_events_give_no_supply_in_unrest_but_cards_and_carriers_do() -> None:
    t = Table(month=2, locations={"Jerusalem": {"unrest": 1}}, events={"known_top": ["SAM-048"]}).stage("event")
    assert t.area("Canaan") == {}
    t = acting("Dinah", "Nineveh", {"goods": {"textile": 2}}, locations={"Gordium": {"unrest": 1}},
               areas={"Assyria": {"supply": 1}}, seats=[{"hand": ["SAM-085"]}])  # fmt: skip
    t.choose("move", "Ancyra", "supply", "play_card")
    assert t.area("Phrygia") == {"supply": 4}


@pytest.mark.rule("M3")
def test_three_defence_in_a_settlement_end_its_unrest_only() -> None:
    unrest = {name: {"unrest": 1} for name in ("Gordium", "Ancyra", "Elmali")}
    t = acting("Deioces", "Tushpa", locations={"Tushpa": {"military": 2}, **unrest})
    t.choose("move", "Ancyra", "military", "military")
    assert t.at("Ancyra") == {"military": 2}
    assert t.at("Gordium") == {"unrest": 1}
    assert t.at("Elmali") == {"unrest": 1}


@pytest.mark.rule("M3")
def test_three_defence_in_the_capital_end_the_unrest_of_the_area() -> None:
    locations = {"Gordium": {"unrest": 1}, "Elmali": {"unrest": 1}, "Ancyra": {"military": 2}, "Tushpa": {"unrest": 1}}
    t = acting("Deioces", "Ancyra", locations=locations).choose("move", "Gordium", "military", "military")
    assert t.at("Gordium") == {"military": 2}
    assert t.at("Elmali") == {}
    assert t.at("Tushpa") == {"unrest": 1}
    assert pool(t, "unrest") == 9


# M4, M5: plague


@pytest.mark.rule("M4")
def test_plague_breaks_out_in_the_capital_and_takes_the_medicine() -> None:
    t = drawn("plague", areas={"Phrygia": {"supply": 3, "medicine": 2}})
    assert t.at("Gordium") == {"plague": 1}
    assert t.area("Phrygia") == {"supply": 3}
    assert t.bag() == {}


@pytest.mark.rule("M4", "M13")
@pytest.mark.parametrize(("medicine", "row"), [
    (3, None), (2, {"location": "Gordium"}), (1, {"location": "Gordium", "technologies": ["Vial"]}),
])  # fmt: skip
def test_three_medicine_keep_plague_out(medicine: int, row: dict[str, Any] | None) -> None:
    t = drawn("plague", areas={"Phrygia": {"medicine": medicine}}, characters={"Younan": row} if row else {})
    assert t.at("Gordium") == {}
    assert t.area("Phrygia") == {"medicine": medicine}
    assert pool(t, "plague") == 10


@pytest.mark.rule("M4")
def test_healers_elsewhere_in_the_area_do_not_keep_plague_out() -> None:
    t = drawn("plague", areas={"Phrygia": {"medicine": 2}}, characters={"Younan": {"location": "Ancyra"}})
    assert t.at("Gordium") == {"plague": 1}


@pytest.mark.rule("M4")
def test_who_has_no_medicine_flees_the_plague() -> None:
    people = {"Besime": {"location": "Gordium"}, "Younan": {"location": "Gordium"}}
    t = drawn("plague", characters=people, locations={"Gordium": {"military": 1}}).choose("Elmali")
    assert t.who("Besime")["location"] == "Elmali"
    assert t.who("Younan")["location"] == "Gordium"
    assert t.at("Gordium") == {"military": 1, "plague": 1}


@pytest.mark.rule("M4")
def test_characters_without_medicine_do_not_leave_plague() -> None:
    assert "move" not in acting("Besime", "Opis", locations={"Opis": {"plague": 1}}).options()
    assert "move" in acting("Younan", "Opis", locations={"Opis": {"plague": 1}}).options()


@pytest.mark.rule("M4")
def test_enemies_neither_enter_nor_leave_plague() -> None:
    locations = {"Bastam": {"enemy": 2}, "Tushpa": {"plague": 1}, "Ecbatana": {"enemy": 1, "plague": 1}}
    t = Table(locations=locations).stage("enemy_attack")
    assert t.at("Bastam") == {"enemy": 2}
    assert t.at("Ecbatana") == {"enemy": 1, "plague": 1}


@pytest.mark.rule("M4")
@pytest.mark.parametrize("plague", ["Nineveh", "Tushpa"])
def test_military_does_not_attack_into_or_out_of_plague(plague: str) -> None:
    locations = {"Nineveh": {"military": 2}, "Tushpa": {"enemy": 1}}
    locations[plague]["plague"] = 1
    assert "attack" not in acting("Younan", "Nineveh", locations=locations).options()


@pytest.mark.rule("M4")
@pytest.mark.parametrize("plague", ["Opis", "Babylon"])
def test_the_queens_military_does_not_enter_or_leave_plague(plague: str) -> None:
    locations = {"Opis": {"military": 1}}
    locations.setdefault(plague, {})["plague"] = 1
    t = acting("Sammu-ramat", "Kalhu", locations=locations)
    leaves = plague == "Babylon"
    assert ("special_command" in t.options()) == leaves
    if leaves:
        assert "Babylon" not in t.choose("special_command").options()


@pytest.mark.rule("M4")
def test_events_give_no_medicine_in_plague() -> None:
    t = Table(month=2, locations={"Men-nefer": {"plague": 1}}, events={"known_top": ["SAM-037"]}).stage("event")
    assert t.area("Egypt") == {}


@pytest.mark.rule("M5")
def test_three_medicine_at_the_capital_end_the_plague_of_the_area() -> None:
    t = acting("Younan", "Nineveh", areas={"Assyria": {"medicine": 2}},
               locations={"Tushpa": {"plague": 1}, "Bastam": {"plague": 1}})  # fmt: skip
    t.choose("move", "Tushpa", "medicine", "medicine")
    assert t.prompt() == "cure_plague"
    t.choose("yes")
    assert t.at("Tushpa") == {}
    assert t.at("Bastam") == {}
    assert t.area("Urartu") == {"medicine": 2}
    assert pool(t, "plague") == 10


@pytest.mark.rule("M5")
def test_three_medicine_at_a_settlement_end_its_plague_only() -> None:
    t = acting("Younan", "Tushpa", areas={"Urartu": {"medicine": 2}},
               locations={"Ancyra": {"plague": 1}, "Gordium": {"plague": 1}})  # fmt: skip
    t.choose("move", "Ancyra", "medicine", "medicine", "yes")
    assert t.at("Ancyra") == {}
    assert t.at("Gordium") == {"plague": 1}


@pytest.mark.rule("M5")
def test_the_team_may_keep_plague_and_is_asked_again_before_the_gate_check() -> None:
    """p. 14: three medicine "can" remove it (除去できます); it bars enemies too."""
    t = Table(areas={"Urartu": {"medicine": 3}}, locations={"Tushpa": {"plague": 1}, "Bastam": {"plague": 1}})
    t.stage("queen")
    assert t.prompt() == "cure_plague"
    t.choose("done")
    assert t["to_act"] == c.NOBODY
    assert t.at("Tushpa") == t.at("Bastam") == {"plague": 1}
    t.stage("gates")
    assert t.options() == ["done", "yes"]
    t.choose("yes")
    assert t.at("Tushpa") == t.at("Bastam") == {}
    assert t["to_act"] == c.NOBODY


@pytest.mark.rule("M5")
def test_when_the_medicine_goes_and_comes_back_the_team_is_asked_anew() -> None:
    t = acting("Younan", "Tushpa", areas={"Urartu": {"medicine": 2}}, locations={"Tushpa": {"plague": 1}})
    assert t.prompt() == "cure_plague"
    t.choose("done", "move", "Bastam", "move")
    assert t.prompt() == "cure_plague"


# M6: raid


@pytest.mark.rule("M6")
def test_worked_example_raid_on_canaan() -> None:
    t = drawn(
        "raid", "Canaan",
        locations={
            "Jerusalem": {"military": 1}, "Tyre": {"enemy": 2}, "Heliopolis": {"enemy": 1}, "Kition": {"enemy": 2},
        },
        areas={"Canaan": {"supply": 2, "medicine": 2, "gate": True}},
        characters={"Wardiya": {"location": "Jerusalem"}},
    )  # fmt: skip
    assert t.at("Jerusalem") == {"enemy": 1}
    assert t.who("Wardiya")["status"] == "dead"
    assert t.on_map("military") == 0
    assert t.at("Tyre") == {"enemy": 1}
    assert t.at("Heliopolis") == {}
    assert t.at("Kition") == {"enemy": 2}
    assert t.area("Canaan") == {}
    assert t.bag() == {}
    assert pool(t, "raid") == 5


@pytest.mark.rule("M6")
def test_raiders_attack_even_a_stronger_defence_and_military_meets_them_first() -> None:
    t = drawn("raid", "Canaan", locations={"Jerusalem": {"military": 3}, "Tyre": {"enemy": 2}},
              characters={"Marsyas": {"location": "Jerusalem"}})  # fmt: skip
    assert t.at("Jerusalem") == {"military": 1}
    assert t.who("Marsyas")["status"] == "in play"
    assert t["enemy_pool"] == 25


@pytest.mark.rule("M6")
def test_a_raid_takes_supply_and_medicine_even_without_enemies() -> None:
    t = drawn("raid", "Canaan", areas={"Canaan": {"supply": 2, "medicine": 2}, "Egypt": {"supply": 1}})
    assert t.area("Canaan") == {}
    assert t.area("Egypt") == {"supply": 1}


@pytest.mark.rule("M6")
def test_enemies_in_the_raided_capital_stay() -> None:
    t = drawn("raid", "Canaan", locations={"Jerusalem": {"enemy": 2}, "Ashur": {"military": 1}})
    assert t.at("Jerusalem") == {"enemy": 2}
    assert t.at("Ashur") == {"military": 1}


# M7: diplomacy


@pytest.mark.rule("M7", "M13")
def test_diplomacy_on_a_capital_cancels_the_next_raid() -> None:
    t = drawn("raid", "Canaan", locations={"Jerusalem": {"diplomacy": 1, "military": 1}, "Tyre": {"enemy": 2}},
              areas={"Canaan": {"supply": 1}})  # fmt: skip
    assert t.at("Jerusalem") == {"military": 1}
    assert t.at("Tyre") == {"enemy": 2}
    assert t.area("Canaan") == {"supply": 1}
    assert pool(t, "diplomacy") == 5
    assert pool(t, "raid") == 5


@pytest.mark.rule("M7", "E9")
def test_diplomacy_cancels_one_attack_on_its_location() -> None:
    t = Table(locations={"Nineveh": {"military": 1, "diplomacy": 1}, "Tushpa": {"enemy": 3}}).stage("enemy_attack")
    assert t.at("Nineveh") == {"military": 1}
    assert t.at("Tushpa") == {"enemy": 3}
    t.stage("enemy_attack")
    assert t.at("Nineveh") == {"enemy": 2}


@pytest.mark.rule("M7")
def test_diplomacy_drawn_lies_on_any_location() -> None:
    t = drawn("diplomacy", "Phrygia")
    assert set(c.LOCATIONS) <= set(t.options())
    t.choose("Tyre")
    assert t.at("Tyre") == {"diplomacy": 1}
    assert pool(t, "diplomacy") == 4
    assert t.bag() == {}


# M8, M11: karu


@pytest.mark.rule("M8", "M13")
@pytest.mark.parametrize(("at", "left"), [("Elmali", ["Gordium", "Ancyra"]), ("Gordium", [])])
def test_karu_removes_unrest_and_in_the_capital_all_of_the_area(at: str, left: list[str]) -> None:
    unrest = {name: {"unrest": 1} for name in ("Gordium", "Ancyra", "Elmali")}
    t = drawn("karu", "Egypt", "cure", at, locations=unrest)
    assert [name for name in ("Gordium", "Ancyra", "Elmali") if t.at(name)] == left
    assert pool(t, "karu") == 5
    assert pool(t, "unrest") == 10 - len(left)


@pytest.mark.rule("M8", "M13")
def test_karu_on_a_location_cancels_the_next_unrest() -> None:
    t = drawn("karu", "Egypt", "place_location", "Gordium")
    assert t.at("Gordium") == {"karu": 1}
    t = drawn("unrest", locations={"Gordium": {"karu": 1}}, areas={"Phrygia": {"supply": 1}})
    assert t.at("Gordium") == {}
    assert t.area("Phrygia") == {"supply": 1}
    assert pool(t, "karu") == 5
    assert pool(t, "unrest") == 10


@pytest.mark.rule("M8")
def test_karu_on_an_area_keeps_its_supply_from_one_event() -> None:
    t = drawn("karu", "Egypt", "place_area", "Babylonia")
    assert t.area("Babylonia") == {"karu": 1}
    t = Table(month=2, areas={"Babylonia": {"karu": 1, "supply": 3}}, events={"known_top": ["SAM-019"]}).stage("event")
    assert t.area("Babylonia") == {"supply": 3}
    assert pool(t, "karu") == 5
    assert t.bag() == {}


@pytest.mark.rule("M8")
def test_karu_on_an_area_saves_it_once_and_from_the_whole_event() -> None:
    events = {"known_top": ["SAM-049"]}
    t = Table(month=2, areas={"Canaan": {"karu": 1, "supply": 3}}, events=events).stage("event")
    assert t.at("Jerusalem") == {"unrest": 1}
    assert t.area("Canaan") == {"supply": 3}
    t = Table(month=2, areas={"Canaan": {"supply": 3}}, events=events).stage("event")
    assert t.area("Canaan") == {}


@pytest.mark.rule("M10")
def test_health_on_an_area_saves_it_from_the_whole_event() -> None:
    t = Table(month=2, areas={"Babylonia": {"health": 1, "medicine": 2}}, events={"known_top": ["SAM-016"]})
    t.stage("event")
    assert t.at("Babylon") == {"plague": 1}
    assert t.area("Babylonia") == {"medicine": 2}


@pytest.mark.rule("M8")
def test_karu_on_an_area_saves_the_supply_from_unrest() -> None:
    t = drawn("unrest", areas={"Phrygia": {"karu": 1, "supply": 3}})
    assert t.at("Gordium") == {"unrest": 1}
    assert t.area("Phrygia") == {"supply": 3}


@pytest.mark.rule("M8", "M11")
def test_karu_goes_on_a_road_only_where_your_military_holds_an_end() -> None:
    t = drawn("karu", "Egypt", "place_road", locations={"Opis": {"military": 1}})
    assert set(t.options()) == {"road Ashur-Opis", "road Ecbatana-Opis", "road Babylon-Opis"}
    t.choose("road Ecbatana-Opis")
    assert t.dump()["roads"] == {"Ecbatana-Opis": {"karu": 1}}
    assert "place_road" not in drawn("karu", "Egypt").options()


@pytest.mark.rule("M11", "A12")
@pytest.mark.parametrize(("market", "bought"), [("Opis", ["copper", "lapis"]), ("Ecbatana", ["copper", "lapis"])])
def test_karu_on_a_road_sells_both_areas_goods_at_either_market(market: str, bought: list[str]) -> None:
    t = acting("Dinah", market, {"goods": {"gold": 1}}, roads={"Ecbatana-Opis": {"karu": 1}},
               locations={"Ecbatana": {"military": 1}}).choose("market")  # fmt: skip
    assert t.options() == bought


@pytest.mark.rule("M11")
def test_karu_on_a_road_goes_when_enemies_arrive() -> None:
    t = Table(locations={"Ecbatana": {"military": 1}, "Babylon": {"enemy": 1}}, roads={"Ecbatana-Opis": {"karu": 1}})
    t.stage("enemy_attack")
    assert t.at("Opis") == {"enemy": 1}
    assert "roads" not in t.dump()
    assert pool(t, "karu") == 5


@pytest.mark.rule("M11")
def test_karu_on_a_road_goes_with_the_last_military() -> None:
    t = acting("Dinah", "Opis", roads={"Ecbatana-Opis": {"karu": 1}}, locations={"Opis": {"military": 1}})
    t.choose("move", "Babylon", "military")
    assert "roads" not in t.dump()


# M9, M12: religion


@pytest.mark.rule("M9", "M13")
def test_religion_removes_an_assassination() -> None:
    t = drawn("religion", "Egypt", "cure", queen={"assassination": 2})
    assert t.queen() == {"assassination": 1}
    assert pool(t, "religion") == 5
    assert pool(t, "assassination") == 4


@pytest.mark.rule("M9", "M13")
def test_religion_on_sammu_ramat_cancels_the_next_assassination() -> None:
    t = drawn("religion", "Egypt", "on_queen")
    assert t.queen() == {"religion": 1}
    t = drawn("assassination", queen={"religion": 1})
    assert t.queen() == {}
    assert pool(t, "religion") == 5
    assert pool(t, "assassination") == 5


@pytest.mark.rule("M9", "M12")
def test_religion_lies_on_a_face_down_event() -> None:
    t = drawn("religion", "Egypt", "on_event")
    assert t.dump()["events"]["religion"][7] == 1
    assert pool(t, "religion") == 4


@pytest.mark.rule("M9", "N8")
@pytest.mark.parametrize("left", [0, 1])
def test_religion_lies_on_no_event_where_the_pile_is_used_up(left: int) -> None:
    seen = list(c.card_ids(c.EVENT_FIRST + left, 60 - left))
    events = {"previous_area": "Egypt", "seen": seen}
    t = Table("SAM-179", 2, month=7, bag={"religion": 1}, events=events, queen={"assassination": 1})
    t.stage("monthly_effect")
    assert t.prompt() == "use_marker" and ("on_event" in t.options()) == bool(left)


@pytest.mark.rule("M12", "R2")
def test_religion_cancels_the_event_but_its_area_counts() -> None:
    t = Table(
        month=2, bag={"unrest": 1}, events={"known_top": ["SAM-026"], "religion": [0, 1]},
        areas={"Phrygia": {"supply": 1}},
    ).stage("event")  # fmt: skip
    assert t.area("Phrygia") == {"supply": 1}
    assert t.bag() == {"unrest": 1}
    assert "month_effects" not in t.dump()
    assert pool(t, "religion") == 5
    t.stage("empire_board")
    assert t.at("Gordium") == {"unrest": 1}


# M10: health


@pytest.mark.rule("M10", "M13")
@pytest.mark.parametrize(("at", "left"), [("Elmali", ["Gordium", "Ancyra"]), ("Gordium", [])])
def test_health_removes_plague_and_in_the_capital_all_of_the_area(at: str, left: list[str]) -> None:
    plague = {name: {"plague": 1} for name in ("Gordium", "Ancyra", "Elmali")}
    t = drawn("health", "Egypt", "cure", at, locations=plague)
    assert [name for name in ("Gordium", "Ancyra", "Elmali") if t.at(name)] == left
    assert pool(t, "health") == 5
    assert pool(t, "plague") == 10 - len(left)


@pytest.mark.rule("M10", "M13")
def test_health_on_a_location_cancels_the_next_plague() -> None:
    t = drawn("health", "Egypt", "place_location", "Gordium")
    assert t.at("Gordium") == {"health": 1}
    t = drawn("plague", locations={"Gordium": {"health": 1}}, areas={"Phrygia": {"medicine": 1}})
    assert t.at("Gordium") == {}
    assert t.area("Phrygia") == {"medicine": 1}
    assert pool(t, "health") == 5
    assert pool(t, "plague") == 10


@pytest.mark.rule("M10")
def test_health_on_an_area_keeps_its_medicine_from_one_event() -> None:
    t = drawn("health", "Egypt", "place_area", "Egypt")
    assert t.area("Egypt") == {"health": 1}
    t = Table(month=2, areas={"Egypt": {"health": 1, "medicine": 3}}, events={"known_top": ["SAM-059"]}).stage("event")
    assert t.area("Egypt") == {"medicine": 3}
    assert pool(t, "health") == 5


# M13 and the bag


@pytest.mark.rule("M13", "M2", "M4", "M6", "M1")
@pytest.mark.parametrize("marker", ["raid", "unrest", "plague"])
def test_a_drawn_marker_does_not_return_to_the_bag(marker: str) -> None:
    t = drawn(marker, "Kush")
    assert t.bag() == {}


@pytest.mark.rule("M13", "N8")
def test_an_empty_bag_does_nothing() -> None:
    t = Table("SAM-179", players=2, month=7, events={"previous_area": "Phrygia"}).stage("monthly_effect")
    assert t["to_act"] == c.NOBODY
    assert t.at("Gordium") == {}


@pytest.mark.rule("M7", "M8", "M9", "M10")
@pytest.mark.parametrize(("marker", "uses"), [
    ("karu", {"cure", "place_location", "place_area", "place_road"}),
    ("religion", {"cure", "on_queen", "on_event"}),
    ("health", {"cure", "place_location", "place_area"}),
])  # fmt: skip
def test_the_uses_of_each_green_marker(marker: str, uses: set[str]) -> None:
    t = drawn(marker, "Egypt", queen={"assassination": 1},
              locations={"Elmali": {"unrest": 1}, "Anshan": {"plague": 1}, "Opis": {"military": 1}})  # fmt: skip
    assert t.prompt() == "use_marker"
    assert set(t.options()) == uses


# Readings of pp. 40-44


@pytest.mark.rule("M2", "N3", "M8")
def test_unrest_that_karu_cancels_where_it_overflows_to_is_gone() -> None:
    """p. 43: one karu cancels one marker; the marker goes back to the pool (p. 40) and strikes nowhere else."""
    t = drawn("unrest", "Canaan", locations={"Jerusalem": {"plague": 1}, "Salamis": {"karu": 1}, "Kition": {"karu": 1}})
    assert t.at("Salamis") == {}
    assert t.at("Kition") == {"karu": 1}
    assert pool(t, "unrest") == 10
    assert pool(t, "karu") == 4


@pytest.mark.rule("M2", "N3")
@pytest.mark.parametrize("salamis", [{"military": 3}, {"unrest": 1}])
def test_one_overflowing_unrest_strikes_the_capital_alone(salamis: dict[str, int]) -> None:
    """p. 40: a capital with three defence, or with unrest, discards it; it does not go on to a settlement."""
    t = drawn("unrest", "Canaan", locations={"Jerusalem": {"plague": 1}, "Salamis": salamis})
    assert t.at("Salamis") == salamis
    assert t.at("Kition") == {}


@pytest.mark.rule("N3", "N11")
def test_which_settlement_an_overflowing_unrest_reaches_the_team_says() -> None:
    places = {"Salamis": {"plague": 1}, "Jerusalem": {"unrest": 1}, "Gordium": {"unrest": 1}, "Elmali": {"unrest": 1}}
    t = drawn("plague", "Phrygia", locations=places | {"Tushpa": {"unrest": 1}})
    assert t.at("Gordium") == {"plague": 1}
    assert {name for name in ("Tushpa", "Bastam") if t.at(name).get("unrest")} == {"Tushpa", "Bastam"}
    t = drawn("plague", "Cyprus", locations={"Salamis": {"unrest": 1}, "Kition": {"unrest": 1}})
    assert t.prompt() == "overflow"
    assert t.options() == ["Tyre", "Samaria"]
    t.choose("Samaria")
    assert t.at("Jerusalem") == t.at("Samaria") == {"unrest": 1}
    assert t.at("Tyre") == {}


@pytest.mark.rule("M2", "M4")
def test_who_is_barred_by_enemies_alone_stays() -> None:
    """pp. 41-42: killed are those who had nowhere to go because of plague or unrest (疫病や社会不安により)."""
    places = {"Babylon": {"enemy": 1}, "Anshan": {"enemy": 1}}
    t = drawn("unrest", "Elam", characters={"Marsyas": {"location": "Susa"}}, locations=places)
    assert t.who("Marsyas")["location"] == "Susa"
    places["Anshan"] = {"plague": 1}
    t = drawn("unrest", "Elam", characters={"Marsyas": {"location": "Susa"}}, locations=places)
    assert t.who("Marsyas")["status"] == "dead"


@pytest.mark.rule("M8", "M10", "M6")
@pytest.mark.parametrize(("marker", "kind"), [("karu", "supply"), ("health", "medicine")])
def test_what_lies_on_an_area_saves_from_one_event(marker: str, kind: str) -> None:
    """p. 43-44: the next event (次のイベント1回)."""
    red = {"karu": "unrest", "health": "plague"}[marker]
    t = Table("SAM-179", players=2, month=7, bag={red: 1, "raid": 1}, events={"previous_area": "Phrygia"},
              areas={"Phrygia": {kind: 2, marker: 1}})  # fmt: skip
    t.stage("monthly_effect", red)
    assert t.area("Phrygia") == {kind: 2}
    t.stage("monthly_effect")
    assert t.area("Phrygia") == {}


@pytest.mark.rule("M8", "R2")
def test_two_markers_drawn_in_one_stage_are_two_events() -> None:
    """Two tracks at 1 draw twice (p. 31); karu on Phrygia saves its supply from the first marker alone."""
    t = Table(areas={"Phrygia": {"supply": 1, "karu": 1}, "Assyria": {"medicine": 1}}, bag={"unrest": 1, "raid": 1},
              locations={"Kalhu": {"military": 3, "diviner": 3}}, events={"current": "SAM-026"})  # fmt: skip
    t.stage("empire_board", "unrest")
    assert t.at("Gordium") == {"unrest": 1}
    assert t.area("Phrygia") == {}
    assert pool(t, "karu") == 5


@pytest.mark.rule("M8", "C2", "E8")
def test_karu_that_saved_from_a_drawn_marker_does_not_save_from_what_the_month_brings_then() -> None:
    """SAM-190, month 5: a marker is drawn, then Baileet comes (p. 43: 次のイベント1回)."""
    t = Table("SAM-190", month=5, bag={"unrest": 1}, events={"previous_area": "Canaan"},
              areas={"Canaan": {"supply": 2, "karu": 1}}, locations={"Jerusalem": {"diviner": 1}})  # fmt: skip
    t.stage("monthly_effect", "SAM-042")
    assert t.at("Jerusalem") == {"unrest": 1, "enemy": 2}
    assert t.area("Canaan") == {}


@pytest.mark.rule("M8", "M10", "M6", "E8")
def test_karu_and_health_save_what_a_raid_that_takes_the_capital_would_take() -> None:
    t = drawn("raid", "Phrygia", areas={"Phrygia": {"supply": 2, "medicine": 2, "karu": 1, "health": 1, "gate": True}},
              locations={"Ancyra": {"enemy": 1}})  # fmt: skip
    assert t.at("Gordium") == {"enemy": 1}
    assert t.area("Phrygia") == {"supply": 2, "medicine": 2}


@pytest.mark.rule("M8", "M10", "E8")
def test_karu_and_health_save_what_an_attack_on_the_capital_would_take() -> None:
    t = Table(areas={"Elam": {"supply": 2, "medicine": 2, "karu": 1}}, locations={"Anshan": {"enemy": 1}})
    t.stage("enemy_attack")
    assert t.at("Susa") == {"enemy": 1}
    assert t.area("Elam") == {"supply": 2}


@pytest.mark.rule("M7", "E9", "E8")
def test_diplomacy_guards_an_empty_capital_with_supply() -> None:
    """p. 20: to take a capital costs its area's supply and medicine, so to walk in is an attack on them."""
    places = {"Anshan": {"enemy": 1}, "Susa": {"diplomacy": 1}}
    t = Table(areas={"Elam": {"supply": 1}}, locations=places).stage("enemy_attack")
    assert t.at("Anshan") == {"enemy": 1}
    assert t.at("Susa") == {}
    assert t.area("Elam") == {"supply": 1}


@pytest.mark.rule("M11", "N7")
def test_drawn_karu_goes_on_no_road_of_an_area_whose_capital_enemies_hold() -> None:
    """p. 16: no green effect can be added to an area whose capital holds enemies."""
    places = {"Jerusalem": {"enemy": 1}, "Tyre": {"military": 1}, "Damascus": {"military": 1}}
    t = drawn("karu", locations=places).choose("place_road")
    assert not {name for name in t.options() if "Tyre" in name}
    assert "road Ancyra-Damascus" in t.options()


@pytest.mark.rule("M6")
def test_raiders_with_several_equal_ways_ask_the_team() -> None:
    """Kalhu's enemies are one step from each settlement of Assyria; a raid on Babylonia takes them to Ashur alone."""
    t = drawn("raid", "Babylonia", locations={"Kalhu": {"enemy": 1}, "Susa": {"enemy": 1}},
              characters={"Sammu-ramat": {"location": "Tyre"}})  # fmt: skip
    assert t.at("Babylon") == {"enemy": 1}
    assert t.at("Kalhu") == {"enemy": 1}


@pytest.mark.rule("M3")
def test_three_defence_in_the_capital_end_unrest_on_the_areas_settlements() -> None:
    """p. 14: 社会不安マーカーのある地域の首都に3つの防衛; the capital itself need not be in unrest."""
    t = Table(locations={"Gordium": {"military": 3}, "Elmali": {"unrest": 1}, "Bastam": {"unrest": 1}}).stage("queen")
    assert t.at("Elmali") == {}
    assert t.at("Bastam") == {"unrest": 1}


@pytest.mark.rule("M5")
def test_three_medicine_in_the_capital_may_end_plague_on_the_areas_settlements() -> None:
    """p. 14: 疫病マーカーのある地域の区域または首都に3つの薬."""
    people = {"Younan": {"location": "Gordium"}}
    t = Table(areas={"Phrygia": {"medicine": 2}}, locations={"Elmali": {"plague": 1}}, characters=people).stage("queen")
    assert t.prompt() == "cure_plague"
    t.choose("yes")
    assert t.at("Elmali") == {}


@pytest.mark.rule("A11", "N12")
def test_younan_reaches_nobody_over_a_flooded_border() -> None:
    """SAM-003: the adjacent location (隣接した区域) is one step away; over Canaan's border it takes two (SAM-055)."""
    people = {"Younan": {"location": "Jerusalem", "player": 0}}
    for flood, asked in (({}, True), ({"double_steps": ["Canaan"]}, False)):
        t = Table(locations={"Opis": {"enemy": 2}, "Ashur": {"military": 1}}, characters=people, month_effects=flood)
        assert (t.stage("enemy_attack").prompt() == "recover") == asked
