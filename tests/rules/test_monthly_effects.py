"""Stage 3: the challenge's monthly effect (rulebook pp. 22, 36, 62-66)."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from sammu_env import constants as c
from tests.table import Table

#: What each month brings, as the cards say. Area names stand for the area's location farthest from Kalhu.
#: "draw": markers from the bag. "personal", "public", "each": goods that each of these advisors pays.
#: "together": goods that the advisors pay together. Kinds: tokens lost. "discard": cards that each player discards.
EFFECTS: dict[str, dict[str, dict[str, int]]] = {
    "SAM-179": {"2": {"Anshan": 1, "Meroe": 1, "Elmali": 1}, "34": {"draw": 1, "Bastam": 2}, "56": {"Anshan": 2},
                "78": {"draw": 1}},
    "SAM-180": {"2": {"Kition": 2, "Bastam": 2, "Godin Tepe": 2}, "34": {"Anshan": 2, "Meroe": 2, "draw": 1},
                "56": {"Kition": 2}, "78": {"draw": 1}},
    "SAM-181": {"1": {"Elam": 2, "Kition": 2}, "2": {"Meroe": 2, "Napata": 2}, "34": {"supply": 2, "draw": 1},
                "56": {"Meroe": 2, "Napata": 2}, "78": {"personal": 2}},
    "SAM-182": {"1": {"Urartu": 2, "Medes": 2, "Elam": 2}, "2": {"personal": 1}, "34": {"personal": 2},
                "56": {"Napata": 2, "draw": 1}, "78": {"draw": 1}},
    "SAM-183": {"1": {"Urartu": 2, "Sardes": 2, "Elam": 2}, "2": {"draw": 1}, "34": {"draw": 1, "Kush": 2, "Medes": 2},
                "56": {"medicine": 2, "draw": 1}, "78": {"personal": 2}},
    "SAM-184": {"1": {"Kush": 2, "Sardes": 2}, "2": {"Kition": 2, "Bastam": 2, "Godin Tepe": 2}, "34": {"draw": 1},
                "56": {"Kition": 2, "Napata": 2}, "78": {"personal": 2}},
    "SAM-185": {"2": {"unrest Napata": 1}, "34": {"unrest Jerusalem": 1, "draw": 1}, "56": {"Napata": 2},
                "78": {"draw": 1}},
    "SAM-186": {"1": {"Elam": 2, "Sardes": 2}, "2": {"Cyprus": 2, "draw": 1}, "34": {"Urartu": 2, "draw": 1},
                "56": {"Medes": 2}, "78": {"draw": 1}},
    "SAM-187": {"1": {"Elam": 2, "Sardes": 2}, "2": {"Kush": 2}, "34": {"draw": 1, "together": 10},
                "56": {"Urartu": 2}, "78": {"draw": 1}},
    "SAM-188": {"2": {"Napata": 2, "Meroe": 2, "draw": 1}, "34": {"Susa": 1, "Anshan": 1}, "56": {"Ecbatana": 2},
                "78": {"draw": 1}},
    "SAM-189": {"1": {"Medes": 2, "Elam": 2, "Kush": 2}, "2": {"Sardes": 2}, "34": {"each": 2, "draw": 1},
                "56": {"draw": 1}, "78": {"each": 3}},
    "SAM-190": {"1": {"Urartu": 2, "Medes": 2, "Kush": 2}, "2": {"oracle": 1},
                "34": {"Medes": 2, "Kush": 2, "oracle": 1}, "56": {"draw": 1, "oracle": 1},
                "78": {"draw": 1, "oracle": 1}},
    "SAM-191": {"1": {"unrest Gordium": 1, "unrest Jerusalem": 1}, "2": {"Anshan": 1, "Meroe": 1, "Elmali": 1},
                "34": {"Anshan": 2}, "56": {"Bastam": 2, "draw": 1}, "78": {"personal": 2}},
    "SAM-192": {"1": {"Urartu": 2, "Sardes": 2, "Medes": 2, "Elam": 2}, "2": {"draw": 1}, "34": {"Cyprus": 2},
                "56": {"Elam": 2, "draw": 1}, "78": {"personal": 2}},
    "SAM-193": {"1": {"Urartu": 2, "Sardes": 2, "Elam": 2, "Kush": 2}, "2": {"Sardes": 2}, "34": {"draw": 1},
                "56": {"Kush": 2}, "78": {"personal": 2}},
    "SAM-194": {"1": {"Urartu": 2, "Susa": 2, "Kush": 2}, "2": {"diviner": 1, "draw": 1},
                "34": {"medicine": 1, "Elam": 2}, "56": {"military": 1, "draw": 1}, "78": {"personal": 2}},
    "SAM-195": {"1": {"Medes": 2, "Elam": 2}, "2": {"draw": 1, "discard": 1}, "34": {"Sardes": 2},
                "56": {"Ecbatana": 2}, "78": {"draw": 1}},
    "SAM-196": {"2": {"Sardes": 2, "draw": 1}, "34": {"Elam": 2, "draw": 1}, "56": {"personal": 2}, "78": {"draw": 1}},
    "SAM-197": {"1": {"Cyprus": 2, "Sardes": 2}, "2": {"military": 1, "supply": 1}, "34": {"Elam": 2, "draw": 1},
                "56": {"diviner": 1, "medicine": 1}, "78": {"medicine": 1, "draw": 1}},
    "SAM-198": {"1": {"Urartu": 2, "Sardes": 2}, "2": {"draw": 1}, "34": {"Elam": 2, "Sardes": 2, "draw": 1},
                "56": {"public": 2}, "78": {"draw": 1}},
}  # fmt: skip
FARTHEST = {
    "Urartu": "Bastam", "Medes": "Godin Tepe", "Elam": "Anshan", "Kush": "Meroe", "Cyprus": "Kition",
}  # fmt: skip
TOKENS = {"military": 4, "diviner": 4, "supply": 6, "medicine": 4}
CASES = [(card, int(m), row) for card, months in EFFECTS.items() for span, row in months.items() for m in span]


def monthly(card: str, month: int, **keys: Any) -> Table:
    """The monthly effect alone: two personal advisors and a public one have six goods each."""
    people = {
        "Besime": {"location": "Kalhu", "player": 0, "goods": {"iron": 6}},
        "Wardiya": {"location": "Kalhu", "player": 1, "goods": {"gold": 6}},
        "Amunet": {"location": "Kalhu", "goods": {"lapis": 6}},
        "Sammu-ramat": {"location": "Kalhu", "goods": {"textile": 6}},
    }
    usual = {
        "players": 2,
        "month": month,
        "bag": {"assassination": 2},
        "locations": {"Kalhu": {"military": 4, "diviner": 4}},
        "areas": {"Assyria": {"supply": 3, "medicine": 4}, "Babylonia": {"supply": 3}},
        "seats": [{"hand": ["SAM-080", "SAM-081"]}, {"hand": ["SAM-082", "SAM-083"]}],
        "events": {"previous_area": "Medes"},
        "characters": people,
    }
    if month == 1:
        usual |= {"campaign": 1}
    return Table(card, **(usual | keys)).stage("monthly_effect")


def goods(table: Table, *names: str) -> list[int]:
    return [sum(table.who(name).get("goods", {}).values()) for name in names]


@pytest.mark.rule("C1")
@pytest.mark.parametrize(("card", "month", "row"), CASES)
def test_effect_of_the_month(card: str, month: int, row: dict[str, int]) -> None:
    table = monthly(card, month)
    while table.prompt() != "halt":
        table.choose("SAM-022" if table.prompt() == "draw_oracle" else table.options()[0])
    want = Counter({FARTHEST.get(place, place): n for place, n in row.items()})
    places = table.dump()["locations"]
    assert {x: at["enemy"] for x, at in places.items() if "enemy" in at} == {x: want[x] for x in c.LOCATIONS if want[x]}
    assert {f"unrest {x}" for x, at in places.items() if "unrest" in at} == {x for x in row if x.startswith("unrest")}
    assert table.queen().get("assassination", 0) == want["draw"]
    assert table.bag().get("assassination", 0) == 2 - want["draw"]
    for kind, n in TOKENS.items():
        assert table.on_map(kind) == n - want[kind]
    personal = want["personal"] + want["each"]
    if want["together"]:
        assert sum(goods(table, "Besime", "Wardiya", "Amunet")) == 18 - 10
    else:
        assert goods(table, "Besime", "Wardiya") == [6 - personal] * 2
        assert goods(table, "Amunet") == [6 - want["public"] - want["each"]]
    assert goods(table, "Sammu-ramat") == [6]
    assert [len(seat["hand"]) for seat in table.dump()["seats"]] == [2 - want["discard"]] * 2
    assert (table.who("Baileet")["status"] == "in play") == bool(want["oracle"])


@pytest.mark.rule("C1")
@pytest.mark.parametrize("card", ["SAM-179", "SAM-180", "SAM-185", "SAM-188", "SAM-196"])
def test_challenges_without_an_effect_in_month_one(card: str) -> None:
    table = monthly(card, 1)
    assert table.prompt() == "halt"
    assert [table.on_map(kind) for kind in c.KINDS] == list(TOKENS.values())
    assert table["enemy_pool"] == 25


@pytest.mark.rule("C1")
def test_tokens_lost_may_come_from_anywhere() -> None:
    table = monthly("SAM-197", 2, locations={"Kalhu": {"military": 1}, "Susa": {"military": 1}})
    assert table.options() == ["Kalhu", "Susa"]
    table.choose("Susa")
    assert table.options() == ["Assyria", "Babylonia"]
    table.choose("Babylonia")
    assert table.area("Babylonia") == {"supply": 2}


@pytest.mark.rule("C1")
@pytest.mark.parametrize("medicine", [3, 1, 0])
def test_183_bags_a_plague_for_each_medicine_that_cannot_be_removed(medicine: int) -> None:
    table = monthly("SAM-183", 5, areas={"Egypt": {"medicine": medicine}}, bag={})  # the draw after it strikes Medes
    assert table.on_map("medicine") == max(0, medicine - 2)
    assert table.bag().get("plague", 0) + table.at("Ecbatana").get("plague", 0) == max(0, 2 - medicine)


@pytest.mark.rule("C1")
def test_194_loses_only_what_is_there() -> None:
    table = monthly("SAM-194", 3, bag={}, areas={})
    assert table.bag() == {} and table.on_map("medicine") == 0


@pytest.mark.rule("C1")
@pytest.mark.parametrize("goods", [0, 4])
def test_187_loses_only_the_goods_that_are_there(goods: int) -> None:
    """Its text says goods are lost, and nothing of those that are not there."""
    characters = {"Besime": {"location": "Kalhu", "goods": {"iron": goods}}}
    table = monthly("SAM-187", 3, bag={}, characters=characters)
    assert table.bag() == {} and "goods" not in table.who("Besime")


@pytest.mark.rule("C1")
def test_181_takes_supply_from_assyria_and_babylonia() -> None:
    table = monthly("SAM-181", 3)
    assert table.area("Assyria")["supply"] == 2
    assert table.area("Babylonia")["supply"] == 2


@pytest.mark.rule("C1", "N10")
def test_182_draws_for_each_good_that_is_not_paid() -> None:
    people = {"Besime": {"location": "Kalhu", "player": 0, "goods": {"iron": 1}}}
    table = monthly("SAM-182", 3, characters=people | {"Younan": {"location": "Kalhu", "player": 1}})
    assert goods(table, "Besime") == [0]
    assert table.queen() == {"assassination": 2}
    assert table.bag() == {}


@pytest.mark.rule("C1", "N10")
@pytest.mark.parametrize(("has", "drawn"), [(6, 0), (2, 1)])
def test_182_draws_only_for_what_public_advisors_cannot_pay_either(has: int, drawn: int) -> None:
    """個人顧問が商品を払えない場合は、公共顧問に支払わせます (p. 16)."""
    people = {"Besime": {"location": "Kalhu", "player": 0, "goods": {"iron": 1}},
              "Younan": {"location": "Kalhu", "player": 1},
              "Amunet": {"location": "Kalhu", "goods": {"lapis": has}}}  # fmt: skip
    table = monthly("SAM-182", 3, characters=people)
    assert goods(table, "Besime", "Amunet") == [0, max(0, has - 3)]
    assert table.queen() == ({"assassination": drawn} if drawn else {})


@pytest.mark.rule("C1", "E8")
def test_182_draws_when_all_have_paid() -> None:
    """The raid that Besime's lack brings kills Deioces, whose goods are asked for, too."""
    people = {"Besime": {"location": "Kalhu", "player": 0}, "Deioces": {"location": "Ecbatana", "player": 1}}
    table = Table("SAM-182", month=3, players=2, characters=people, bag={"raid": 4},
                  events={"previous_area": "Medes"}, locations={"Godin Tepe": {"enemy": 3}},
                  areas={"Medes": {"supply": 1}}).stage("monthly_effect")  # fmt: skip
    assert table.who("Deioces")["status"] == "dead"
    assert table.bag() == {}


@pytest.mark.rule("C1")
def test_the_team_picks_the_goods_to_pay() -> None:
    people = {"Besime": {"location": "Kalhu", "player": 0, "goods": {"iron": 2, "gold": 2}}}
    table = monthly("SAM-184", 7, characters=people)
    assert table.prompt() == "pay_goods"
    table.choose("gold", "iron")
    assert table.who("Besime")["goods"] == {"iron": 1, "gold": 1}


@pytest.mark.rule("C2")
@pytest.mark.parametrize(
    ("marker", "area", "capital"), [("unrest", "Medes", "Ecbatana"), ("plague", "Egypt", "Men-nefer")]
)
def test_a_red_marker_strikes_the_area_of_the_previous_months_event(marker: str, area: str, capital: str) -> None:
    events = {"previous_area": area, "current": "SAM-026"}
    table = monthly("SAM-192", 2, bag={marker: 1}, events=events)
    assert table.at(capital) == {marker: 1}
    assert table.at("Gordium") == {}


@pytest.mark.rule("C2")
def test_this_months_event_is_next_months_previous_one() -> None:
    keys = {
        "locations": {"Kalhu": {"military": 3, "diviner": 3}, "Tyre": {"military": 1}},
        "areas": {"Assyria": {"supply": 3, "medicine": 3, "gate": True}, "Canaan": {"supply": 2}},
    }
    table = Table("SAM-192", players=2, bag={"plague": 1}, **keys).stage("event", "SAM-060").stage("outcome")
    assert table["month"] == 2
    table.stage("event", "SAM-037").stage("monthly_effect")
    assert table.at("Jerusalem") == {"plague": 1}


@pytest.mark.rule("C3")
def test_an_equal_force_keeps_enemies_off_godin_tepe() -> None:
    """The worked example of p. 22: two military stand at Godin Tepe, two enemies are to be added to Medes."""
    table = monthly("SAM-186", 5, locations={"Godin Tepe": {"military": 2}})
    assert table.at("Godin Tepe") == {"military": 2}
    assert table["enemy_pool"] == 25


@pytest.mark.rule("C3")
def test_a_stronger_force_that_is_added_attacks_at_once() -> None:
    table = monthly("SAM-186", 5, locations={"Godin Tepe": {"military": 1, "diviner": 1}})
    assert table.at("Godin Tepe") == {"enemy": 1}
    assert table.on_map("military") == 0
    assert table.on_map("diviner") == 0


@pytest.mark.rule("C3")
def test_defending_characters_count_against_added_enemies() -> None:
    people = {"Besime": {"location": "Godin Tepe"}}
    table = monthly("SAM-186", 5, locations={"Godin Tepe": {"military": 1}}, characters=people)
    assert table.at("Godin Tepe") == {"military": 1}


@pytest.mark.rule("C3")
def test_enemies_join_enemies() -> None:
    assert monthly("SAM-186", 5, locations={"Godin Tepe": {"enemy": 3}}).at("Godin Tepe") == {"enemy": 5}


# Pages 15-16 hold for monthly effects as for events


@pytest.mark.rule("N6", "C1")
def test_supply_that_a_monthly_effect_cannot_remove_bags_its_marker() -> None:
    """p. 15: for each token that cannot be removed (除去できなかった) a red marker of its kind; SAM-181 取り除き."""
    table = monthly("SAM-181", 3, areas={"Assyria": {"supply": 3}}, bag={})
    assert table.area("Assyria") == {"supply": 2}
    assert table.bag() == {}  # drawn again at once
    assert table.at("Ecbatana") == {"unrest": 1}


@pytest.mark.rule("N6", "C1")
def test_183_removes_and_what_is_not_there_bags_a_marker() -> None:
    """SAM-183: 任意の健康 2 を除く."""
    table = monthly("SAM-183", 5, areas={"Assyria": {"supply": 3, "medicine": 1}}, bag={"assassination": 1})
    assert table.on_map("medicine") == 0
    assert table.options() == ["assassination", "plague"]  # the draw that follows


@pytest.mark.rule("N6", "C1")
@pytest.mark.parametrize(("card", "month"), [("SAM-194", 3), ("SAM-197", 7)])
def test_what_is_lost_costs_only_what_is_there(card: str, month: int) -> None:
    """SAM-194, SAM-197: 失う; nothing is there to lose, and nothing follows."""
    table = monthly(card, month, areas={"Assyria": {"supply": 3}}, bag={})
    assert table.bag() == {}
    assert table.at("Ecbatana") == {}


@pytest.mark.rule("N10", "C1")
def test_187_loses_the_goods_there_are() -> None:
    """SAM-187: 合計 10 の商品を失う, lose, not pay (支払う)."""
    people = {"Besime": {"location": "Kalhu", "player": 0, "goods": {"iron": 4}},
              "Wardiya": {"location": "Kalhu", "player": 1}}  # fmt: skip
    table = monthly("SAM-187", 3, characters=people, bag={})
    assert goods(table, "Besime") == [0]
    assert table.bag() == {}
    assert table.prompt() == "halt"


@pytest.mark.rule("N10", "C1")
def test_a_good_that_a_monthly_effect_asks_to_pay_and_nobody_has_bags_unrest() -> None:
    """p. 16 and SAM-181: すべての個人顧問は商品 2 を支払う."""
    people = {"Besime": {"location": "Kalhu", "player": 0}, "Wardiya": {"location": "Kalhu", "player": 1}}
    assert monthly("SAM-181", 7, characters=people, bag={}).bag() == {"unrest": 4}
