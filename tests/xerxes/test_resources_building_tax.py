"""Resources (X-G), places 1 and 4 (X-N1, X-N4), building (X-B), tax (X-T), and powers there (X-S3, X-S4, X-S6)."""

from __future__ import annotations

import pytest

from tests.xerxes.table import PLOT, Table
from xerxes_env import constants as c
from xerxes_env import load_game, steps

RICH = dict.fromkeys(c.RESOURCES, 3)


@pytest.mark.rule("X-G1", "X-G2")
def test_every_area_with_an_own_piece_yields_and_the_piece_leaves() -> None:
    table = Table(2).worker(1, "Cyprus", "Media").play("resources")
    assert table.resources(1) == {"wool": 2, "wood": 1, "stone": 1, "copper": 1, "gold": 1}
    assert table.worker_at("Cyprus") == table.worker_at("Media") == -1 and table.standing[1] == 0


@pytest.mark.rule("X-G1")
def test_a_satrap_laid_down_yields_nothing() -> None:
    table = Table(2).put(standing=[1, 0, 0, 0]).play("resources")
    assert table.resources(1) == {} and table.asked == "lose" and table.options == ["grain", "gold"]


@pytest.mark.rule("X-G1")
def test_the_turn_order_space_yields_nothing_and_its_worker_stays() -> None:
    table = Table(2).put(standing=0).worker(1, "order").play("resources")
    assert table.resources(1) == {} and table.worker_at("order") == 1


@pytest.mark.rule("X-G3")
def test_a_mat_holds_three_of_each() -> None:
    table = Table(2).has(1, gold=3, wool=2).worker(1, "Sogdia").play("resources")
    assert table.resources(1) == {"wool": 3, "stone": 1, "gold": 3} and table.gained[1].tolist()[5] == 0


@pytest.mark.rule("X-N1", "X-ruling-6")
def test_place_1_loses_one_of_what_it_gained_after_all_had_their_turn() -> None:
    table = Table(2).has(0, stone=3).play("resources")
    assert table.asked == "lose" and table.to_act == 0 and table.options == ["grain", "gold"]
    assert table.resources(1) == {"wool": 1, "gold": 1}
    table.choose("gold")
    assert table.resources(0) == {"grain": 1, "stone": 3}
    assert Table(2).put(standing=0).has(0, stone=3).play("resources").asked == "halt"


@pytest.mark.rule("X-N4", "X-ruling-6")
def test_place_4_gains_any_resource_after_place_1_has_lost_one() -> None:
    table = Table(4).play("resources")
    assert table.asked == "lose"
    table.choose("gold")
    assert table.asked == "gain" and table.to_act == 3 and len(table.options) == 6
    table.choose("wood")
    assert table.resources(3) == {"wool": 1, "wood": 1, "copper": 1}


@pytest.mark.rule("X-ruling-7")
def test_places_1_to_n_have_their_effects() -> None:
    three = Table(3).play("resources").choose("gold")
    assert three.asked == "halt"  # nobody has place 4
    assert Table(1).play("resources").asked == "lose"


@pytest.mark.rule("X-B1", "X-B7", "X-ruling-13")
def test_two_passes_in_each_of_which_a_player_may_build_one() -> None:
    table = Table(2).put(resource=3).play("building")
    assert "road" in table.options
    table.choose("road")
    assert table.owner[1] == 0 and table.to_act == 1 and "road" not in table.options
    table.choose("done")
    assert table.second == 1 and table.to_act == 0
    table.put(resource=3)
    assert "road" not in table.options
    table.choose("done")
    assert table.to_act == 1
    table.choose("temple")  # who declined in the first may build in the second
    assert table.asked == "halt"


@pytest.mark.rule("X-B1")
def test_nobody_builds_what_is_built() -> None:
    table = Table(2).put(resource=3, owner=[1, 1, -1, -1, -1, -1]).play("building")
    assert table.options == ["done", "bridge", "granary", "fortress"]  # and the event forbids the palace


@pytest.mark.rule("X-B2")
def test_three_buildings_a_player_a_game() -> None:
    table = Table(2).put(resource=3, owner=[0, 0, 0, -1, -1, -1]).play("building")
    assert table.to_act == 1


@pytest.mark.rule("X-B3")
def test_the_cost_is_paid_and_the_token_lies_there() -> None:
    table = Table(1).has(0, grain=3, wood=2, stone=1).play("building").choose("granary")
    assert table.resources(0) == {"wood": 1} and table.owner[3] == 0 and table.vp[0] == 7
    assert Table(1).put(power=0).has(0, grain=2, wood=2, stone=1).play("building").asked == "halt"


@pytest.mark.rule("X-B4", "X-B6", "X-ruling-19")
@pytest.mark.parametrize("year", range(1, 8))
def test_temple_falls_and_fortress_rises(year: int) -> None:
    for name, vp in (("temple", 8 - year), ("fortress", year)):
        table = Table(2).put(resource=3, round=year).play("building").choose(name)
        assert table.vp[0] == vp and table.vp[1] == 0


@pytest.mark.rule("X-ruling-19")
def test_the_granary_is_worth_7_in_every_year() -> None:
    assert load_game().box["building_vp"][0, 3].tolist() == [7] * 7


@pytest.mark.rule("X-B5", "X-ruling-3")
@pytest.mark.parametrize(
    ("name", "blue", "red"), [("road", 4, 2), ("bridge", 4, 2), ("granary", 7, 1), ("palace", 5, 3)]
)
def test_the_middle_four_give_blue_and_take_red_one_by_one(name: str, blue: int, red: int) -> None:
    table = Table(3, event=0).put(resource=3, vp=[0, 5, 5, 0]).play("building").choose(name)
    for i in range(red):
        assert table.asked == "hurt" and table.to_act == 0 and table.options == ["seat 1", "seat 2"]
        table.choose(f"seat {1 + i % 2}")
    assert table.vp.tolist() == [blue, 5 - (red + 1) // 2, 5 - red // 2, 0]


@pytest.mark.rule("X-T1")
def test_any_number_of_tax_cards_for_their_cost() -> None:
    table = Table(2).hand(0, tax=(6, 7, 8, 9)).has(0, grain=2, wool=2, wood=2, stone=2).play("tax")
    assert table.options == ["done", "tax 6", "tax 7"]
    table.choose("tax 6", "tax 7")
    assert table.asked == "halt" and table.resources(0) == {} and table.vp[0] == 6
    assert table.tax[6] == c.PLAYED and table.tax[8] == c.HAND


@pytest.mark.rule("X-T2")
def test_vp_at_once() -> None:
    assert Table(1).hand(0, tax=(0,)).has(0, grain=1, wool=1, wood=1).play("tax").choose("tax 0").vp[0] == 2


@pytest.mark.rule("X-T3", "X-ruling-14")
def test_a_unit_in_every_later_round() -> None:
    table = Table(1, "Babylonia").hand(0, tax=(12, 13, 15), march=(0,)).has(0, grain=2, wool=1, wood=1, copper=2)
    table.put(standing=0).play("march", "resources", "building", "tax").choose("tax 12", "tax 13", "tax 15")
    assert table.asked == "halt" and table.vp[0] == 0  # tax follows march
    for _ in range(2):
        table.put(standing=0).cards(c.HAND, (0,), ()).play("march")
        assert table.options == ["done", "march 0"]
        table.choose("march 0")
    assert table.vp[0] == 10


@pytest.mark.rule("X-S3", "X-S0", "X-ruling-9")
@pytest.mark.parametrize("phase", ["building", "tax"])
def test_india_takes_a_resource_from_another(phase: str) -> None:
    table = Table(3, "India,Aegyptus,Lydia").has(1, wool=1, gold=2).has(0, gold=3).play(phase)
    assert table.options == ["done", "power"]
    table.choose("power")
    assert table.asked == "halt" or table.resources(0) == {"wool": 1, "gold": 3}  # only wool of seat 1 has room
    assert table.resources(1) == {"gold": 2} and table.power[0] == 0
    both = Table(3, "India,Aegyptus,Lydia").has(1, wool=1).has(2, wood=1, stone=1).play(phase).choose("power")
    assert both.options == ["seat 1", "seat 2"]
    both.choose("seat 2")
    assert both.asked == "steal" and both.options == ["wood", "stone"]
    both.choose("stone")
    assert both.resources(0) == {"stone": 1} and both.resources(2) == {"wood": 1}


@pytest.mark.rule("X-S4", "X-S0", "X-ruling-9", "X-ruling-11")
def test_parthia_spends_two_resources_as_two_others() -> None:
    table = Table(1, "Parthia").has(0, grain=3, wool=2).play("building")
    assert table.options == ["done", "granary"]
    table.choose("granary")
    assert table.asked == "halt"  # wood and stone are missing, wool is all there is
    assert table.resources(0) == {} and table.vp[0] == 7 and table.power[0] == 0


@pytest.mark.rule("X-S4", "X-ruling-11")
def test_parthia_lacks_at_most_two() -> None:
    assert Table(1, "Parthia").has(0, grain=2, wool=3).play("building").asked == "halt"
    assert Table(1, "Parthia").has(0, grain=3, wool=1).play("building").asked == "halt"
    assert Table(1, "Parthia").put(power=0).has(0, grain=3, wool=2).play("building").asked == "halt"


@pytest.mark.rule("X-S4", "X-ruling-11")
def test_parthia_chooses_what_it_keeps_in_one_payment() -> None:
    table = Table(1, "Parthia").hand(0, tax=(0,)).has(0, grain=1, wool=1, wood=1, gold=2, stone=1).play("tax")
    table.choose("tax 0")
    assert table.asked == "replace" and table.options == ["done", "grain", "wool", "wood"]
    table.choose("grain")
    assert table.asked == "replace_by" and table.options == ["stone", "gold"]
    table.choose("gold")
    assert table.asked == "replace" and "done" in table.options
    table.choose("done")
    assert table.resources(0) == {"grain": 1, "stone": 1, "gold": 1} and table.power[0] == 0
    kept = Table(1, "Parthia").hand(0, tax=(0,)).has(0, grain=1, wool=1, wood=1, gold=2).play("tax")
    assert kept.choose("tax 0", "done").power[0] == 1


@pytest.mark.rule("X-S6", "X-S0", "X-ruling-12")
def test_sogdia_takes_a_building() -> None:
    table = Table(2, "Sogdia,India").put(owner=[1, 1, 1, -1, -1, -1], vp=[0, 9, 0, 0], round=4)
    table.has(0, grain=1, wool=1, stone=1, gold=2).play("building")
    assert table.options == ["done", "temple"]
    table.choose("temple")
    assert table.owner.tolist() == [0, 1, 1, -1, -1, -1] and table.power[0] == 0 and table.resources(0) == {}
    assert table.vp.tolist()[:2] == [4, 9]  # its worth this year; who had it keeps its VP
    table.put(resource=3).play("building")
    assert table.options == ["done", "granary", "fortress"]  # once a game
    table.choose("done")
    assert table.to_act == 1 and "granary" in table.options  # a token has come back


@pytest.mark.rule("X-S6", "X-ruling-12")
def test_sogdia_takes_neither_an_own_nor_a_forbidden_building() -> None:
    table = Table(2, "Sogdia,India", event=PLOT).put(resource=3, owner=[0, 0, -1, -1, 1, -1]).play("building")
    assert table.options == ["done", "bridge", "granary", "fortress"]
    assert steps.NAMES[table.op[table.sp - 1]] == "build"
    full = Table(2, "Sogdia,India", event=0).put(resource=3, owner=[0, 0, 0, 1, 1, 1]).play("building")
    assert full.asked == "halt" or full.to_act == 1  # no token left
