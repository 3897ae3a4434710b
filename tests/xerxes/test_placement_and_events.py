"""Placement (X-P), events (X-E), and the powers that belong there (X-S2, X-S7)."""

from __future__ import annotations

import pytest

from tests.xerxes.table import FIRE, FLOOD, HEIR, LEVY, LOCUSTS, MINES, PLOT, WOLVES, Table
from xerxes_env import constants as c


@pytest.mark.rule("X-P1", "X-P2")
def test_each_places_one_worker_and_then_each_one_more_without_passing() -> None:
    table = Table(2).play("placement")
    assert "done" not in table.options and len(table.options) == c.PLACES - 2
    table.choose("Persis", "order")
    assert table.second == 1 and table.to_act == 0
    table.choose("Elam", "Media")
    assert table.asked == "halt"
    assert [(table.worker_at(area)) for area in ("Persis", "order", "Elam", "Media")] == [0, 1, 0, 1]


@pytest.mark.rule("X-P3", "X-ruling-2")
def test_one_piece_in_an_area_and_one_worker_on_the_turn_order_space() -> None:
    table = Table(2).play("placement").choose("Persis")
    assert not {"Persis", "Aegyptus", "India"} & set(table.options) and "order" in table.options
    table.choose("order")
    assert "order" not in table.options
    assert "Aegyptus" not in Table(2).put(standing=0).play("placement").options  # it stands there again at once


@pytest.mark.rule("X-P4", "X-ruling-2")
def test_homes_of_satraps_not_in_play_are_ordinary_areas() -> None:
    table = Table(2).worker(1, "Sogdia").play("resources")
    assert table.resources(1) == {"wool": 2, "stone": 1, "gold": 1}
    assert {"Babylonia", "Assyria"} <= set(Table(2).play("placement").options)


@pytest.mark.rule("X-S7", "X-S0", "X-ruling-9")
def test_bactria_moves_a_worker_and_takes_its_place() -> None:
    table = Table(2, "Bactria,India").worker(1, "Persis", "order").play("placement")
    assert "Persis" in table.options and "order" not in table.options and "India" not in table.options
    table.choose("Persis")
    assert table.asked == "push_to" and table.to_act == 0 and table.power[0] == 0
    assert not {"order", "Persis", "India", "Bactria"} & set(table.options) and len(table.options) == 13
    table.choose("Elam")
    assert table.worker_at("Persis") == 0 and table.worker_at("Elam") == 1
    assert "Elam" not in table.choose("Media").options  # once a game, and only Bactria


@pytest.mark.rule("X-S7")
def test_bactria_does_not_move_its_own_worker() -> None:
    assert "Persis" not in Table(2, "Bactria,India").worker(0, "Persis").play("placement").options
    table = Table(2, "Bactria,India").worker(1, "Persis").put(order=[1, 0, -1, -1]).play("placement")
    assert "Persis" not in table.options and table.to_act == 1


@pytest.mark.rule("X-E1", "X-ruling-17")
def test_the_event_is_revealed_and_none_comes_twice() -> None:
    table = Table(2, event=-1).put(event_seen=[1, 1, 1, 0, 1, 1, 0, 1]).play("reveal")
    assert table.options == ["event 3", "event 6"]
    table.choose("event 6")
    assert table.event == PLOT and table.event_seen[PLOT] == 1


@pytest.mark.rule("X-E1")
def test_the_event_holds_for_its_round_alone() -> None:
    table = Table(2, event=WOLVES).play("end")
    assert table.event == -1 and table.round == 2


@pytest.mark.rule("X-E2")
def test_a_forbidden_resource_is_not_gained_from_areas() -> None:
    table = Table(2, event=LOCUSTS).worker(0, "Phrygia").play("resources")
    assert "grain" not in table.resources(0)
    assert Table(2, event=FIRE).worker(0, "Phrygia").play("resources").resources(0)["grain"] == 2


@pytest.mark.rule("X-E2", "X-N4")
def test_nor_by_place_4_nor_taken_from_others() -> None:
    table = Table(4, event=MINES).play("resources")
    while table.asked == "lose":
        table.choose(table.options[0])
    assert table.asked == "gain" and "gold" not in table.options
    robbed = Table(2, "Aegyptus,India", event=MINES).has(0, gold=3).put(order=[1, 0, -1, -1]).play("building")
    assert robbed.asked == "halt"
    assert "power" in Table(2, "Aegyptus,India").has(0, gold=3).put(order=[1, 0, -1, -1]).play("building").options


@pytest.mark.rule("X-E3", "X-E6")
def test_three_resources_of_choice_come_after_those_of_the_areas() -> None:
    table = Table(2, event=HEIR).worker(0, "Persis").play("resources")
    assert table.asked == "gain" and table.to_act == 0 and len(table.options) == 6
    assert table.resources(0)["gold"] == 2  # home and Persis
    table.choose("gold")
    assert "gold" not in table.options  # no room
    table.choose("wood", "wood")
    assert table.to_act == 1 and table.resources(0) == {
        "grain": 2, "wool": 1, "wood": 2, "stone": 1, "copper": 1, "gold": 3}  # fmt: skip
    assert table.resources(1) == {"wool": 1, "gold": 1}  # after the first player's turn


@pytest.mark.rule("X-E4", "X-M3")
def test_the_sword_is_one_unit_of_any_kind_this_round() -> None:
    table = Table(1, event=LEVY).worker(0, "Media", "Bactria").hand(0, march=(6, 11, 0)).play("march")
    assert table.options == ["done", "march 6", "march 11"]  # two cavalry more than the one unit that is any
    table.choose("march 6")
    assert table.asked == "source" and "joker" not in table.options  # infantry: only the joker, taken at once
    without = Table(1).worker(0, "Media", "Bactria").hand(0, march=(6, 11, 0)).play("march")
    assert without.asked == "halt"


@pytest.mark.rule("X-E5")
def test_a_forbidden_building_is_not_built() -> None:
    rich = {"wood": 3, "stone": 3, "copper": 3}
    assert "bridge" not in Table(1, event=FLOOD).has(0, **rich).play("building").options
    assert "bridge" in Table(1, event=PLOT).has(0, **rich).play("building").options


@pytest.mark.rule("X-S2", "X-S0", "X-ruling-9")
def test_babylonia_ignores_the_event_for_itself() -> None:
    table = Table(2, "Babylonia,India", event=LOCUSTS).worker(0, "Phrygia").worker(1, "Ionia")
    table.play("event", "resources")
    assert table.asked == "ignore" and table.to_act == 0 and table.options == ["done", "power"]
    ignored, heeded = table.copy().choose("power"), table.copy().choose("done")
    assert ignored.power[0] == 0 and heeded.power[0] == 1
    assert ignored.gained[0].tolist()[0] == 2 and heeded.gained[0].tolist()[0] == 0
    assert ignored.asked == "lose"  # place 1
    ignored.choose("wool")
    assert ignored.resources(1) == {"wool": 1, "wood": 1, "gold": 1}  # no grain for the other
    assert ignored.copy().play("end").ignores[0] == 0


@pytest.mark.rule("X-S2")
def test_babylonia_builds_what_the_event_forbids() -> None:
    table = Table(1, "Babylonia", event=FLOOD).has(0, wood=3, stone=3, copper=3).play("event", "building")
    assert "bridge" in table.copy().choose("power").options
    assert "bridge" not in table.choose("done").options


@pytest.mark.rule("X-S2", "X-ruling-10")
def test_good_events_are_not_ignored() -> None:
    for event in (HEIR, LEVY):
        assert Table(1, "Babylonia", event=event).play("event").asked == "halt"
