"""March (X-M), the places that count in it (X-N2, X-N3) and Aegyptus' power (X-S1)."""

from __future__ import annotations

import pytest

from tests.xerxes.table import LEVY, Table

IIA, IIC, IIS, IAA, IAC, IAS, ICC, ICS, ISS, AAC, AAS, ACC, ACS, ASS, CCS, CSS = range(16)


@pytest.mark.rule("X-M1", "X-M5")
def test_up_to_two_cards_a_round() -> None:
    table = Table(1, "Babylonia").worker(0, "Persis", "Elam").played(0, tax=(12, 13, 14, 15, 16, 17))
    table.hand(0, march=(IIA, IAA, IAC)).play("march")
    assert table.options == ["done", "march 0", "march 3"]  # no cavalry at hand
    table.choose("march 0")
    while table.asked == "source":
        table.choose(next(one for one in table.options if one in ("infantry", "archers")))
    assert table.asked == "march" and table.options == ["done", "march 3"]
    table.choose("march 3")
    while table.asked == "source":
        table.choose(table.options[0])
    assert table.asked == "halt" and table.vp[0] == 10


@pytest.mark.rule("X-M1")
def test_a_third_card_waits_for_another_round() -> None:
    table = Table(1, "Babylonia").put(tax=6).played(0, tax=tuple(range(12, 24)))
    table.hand(0, march=(IIA, ACC, CSS)).play("march").choose("march 0", "infantry", "infantry", "march 11")
    while table.asked == "source":
        table.choose(table.options[-1])
    assert table.asked == "halt" and table.march[CSS] == 1


@pytest.mark.rule("X-M2", "X-ruling-15")
def test_units_come_from_areas_and_tax_cards_and_the_player_chooses() -> None:
    table = Table(2, "Lydia,India").worker(0, "Persis", "Elam").played(0, tax=(12,)).hand(0, march=(IIA,)).play("march")
    table.choose("march 0")
    assert table.asked == "source" and table.options == ["Lydia", "Persis", "infantry"]
    table.choose("infantry")
    assert table.options == ["Lydia", "Persis"]
    table.choose("Lydia")
    assert table.asked == "halt" and table.worker_at("Elam") == -1 and table.standing[0] == 0
    assert table.worker_at("Persis") == 0


@pytest.mark.rule("X-M2")
@pytest.mark.parametrize(("areas", "playable"), [(("Persis", "Elam"), True), (("Persis", "Media"), False)])
def test_every_unit_drawn_must_be_at_hand(areas: tuple[str, str], playable: bool) -> None:
    table = Table(1, "Babylonia").worker(0, *areas).hand(0, march=(IIA,)).play("march")
    assert (table.asked == "march") == playable


@pytest.mark.rule("X-M2")
def test_units_of_other_players_do_not_count() -> None:
    assert Table(2, "Babylonia,India").worker(1, "Persis", "Elam").hand(0, march=(IIA,)).play("march").asked == "halt"


@pytest.mark.rule("X-M3", "X-M6")
def test_no_unit_is_kept_and_those_of_tax_cards_come_again() -> None:
    table = Table(1, "Babylonia", event=LEVY).played(0, tax=(12, 15)).hand(0, march=(IIA, IAA)).play("march")
    table.choose("march 0")
    while table.asked == "source":
        table.choose("infantry" if "infantry" in table.options else table.options[0])
    assert table.asked == "halt"  # each unit has served one card
    table.put(standing=1).play("march")
    assert table.options == ["done", "march 3"] and table.joker == 1 and table.at_hand.tolist() == [2, 1, 0, 0]


@pytest.mark.rule("X-M4")
def test_a_piece_that_marched_yields_nothing() -> None:
    table = Table(1, "Babylonia").worker(0, "Persis", "Elam").hand(0, march=(IIA,)).play("march", "resources")
    table.choose("march 0")
    if table.asked == "source":
        table.choose("Babylonia")
    assert table.vp[0] == 5 and table.resources(0) == {} and table.standing[0] == 0
    assert table.worker_at("Persis") == table.worker_at("Elam") == -1


@pytest.mark.rule("X-M5", "X-ruling-3")
def test_a_march_is_worth_5_and_one_other_player_loses_1() -> None:
    table = Table(3, "Babylonia,India,Lydia").put(vp=[0, 4, 4, 0]).worker(0, "Persis", "Elam").hand(0, march=(IIA,))
    table.play("march").choose("march 0")
    if table.asked == "source":
        table.choose("Babylonia")
    assert table.asked == "hurt" and table.options == ["seat 1", "seat 2"]
    table.choose("seat 2")
    assert table.vp.tolist() == [5, 4, 3, 0] and table.march[IIA] == 5  # it lies in front of seat 0


@pytest.mark.rule("X-ruling-4")
def test_nobody_falls_below_0_and_may_be_named_all_the_same() -> None:
    table = Table(3).put(vp=[0, 0, 2, 0]).has(0, grain=3, wood=1, stone=1).play("building").choose("granary")
    assert table.options == ["seat 1", "seat 2"]
    table.choose("seat 1")
    assert table.vp.tolist() == [7, 0, 2, 0]


@pytest.mark.rule("X-ruling-16")
def test_the_joker_is_one_unit_and_serves_one_card() -> None:
    table = Table(1, "Babylonia", event=LEVY).put(tax=0).played(0, tax=(12, 15, 16, 18, 19)).hand(0, march=(IIA, ACC))
    table.play("march").choose("march 0")
    while table.asked == "source":
        table.choose("joker" if "joker" in table.options else table.options[-1])
    before = table.joker
    assert before == 0 and table.asked == "march"
    table.choose("march 11")
    assert "joker" not in table.options and table.joker == 0


@pytest.mark.rule("X-N2", "X-ruling-5")
def test_place_2_leaves_one_unit_unused() -> None:
    table = Table(2, "India,Babylonia").worker(1, "Persis", "Elam").hand(1, march=(IIA,)).play("march")
    assert table.asked == "halt"  # three units, of which two may be used
    table.played(1, tax=(15,)).play("march")
    assert table.to_act == 1 and table.units_left == 3
    table.choose("march 0")
    assert table.asked == "source" and table.options == [
        "Elam",
        "archers",
    ]  # all infantry is needed: the unit left is one of these
    table.choose("archers")
    assert table.worker_at("Elam") == 1
    table.play("resources")
    while table.asked != "halt":
        table.choose(table.options[0])
    assert table.resources(1) == {"stone": 1, "gold": 1}  # the piece that was refused stays and yields


@pytest.mark.rule("X-N2")
def test_two_units_or_fewer_do_not_march_in_place_2() -> None:
    table = Table(2, "India,Babylonia").played(1, tax=(12, 13)).hand(1, march=tuple(range(16))).play("march")
    assert table.asked == "halt" and table.units_left == 2


@pytest.mark.rule("X-N3")
def test_place_3_has_one_unit_of_any_kind() -> None:
    table = Table(3, "India,Lydia,Babylonia").worker(2, "Persis").hand(2, march=(IIA,)).play("march")
    assert table.to_act == 2 and table.joker == 1
    table.choose("march 0")
    assert table.asked == "hurt" and table.joker == 0
    other = Table(3, "India,Lydia,Babylonia").put(order=[2, 0, 1, -1]).worker(2, "Persis").hand(2, march=(IIA,))
    assert other.play("march").asked == "halt"


@pytest.mark.rule("X-N3", "X-E4")
def test_two_jokers_in_place_3_of_a_levy() -> None:
    table = Table(3, "India,Lydia,Babylonia", event=LEVY).hand(2, march=(IIA, AAC)).play("march")
    assert table.to_act == 2 and table.joker == 2 and table.options == ["done", "march 0"]


@pytest.mark.rule("X-S1", "X-S0", "X-ruling-9")
def test_aegyptus_uses_one_unit_as_another_kind() -> None:
    table = Table(1, "Aegyptus").worker(0, "Persis", "Elam").hand(0, march=(IIA, AAC)).play("march")
    assert table.options == ["done", "march 0"]  # ships as infantry; two would be needed for the other
    table.choose("march 0")
    assert table.asked == "halt" and table.standing[0] == 0  # all three are needed: nothing is to choose
    assert table.power[0] == 0 and table.vp[0] == 5
    again = Table(1, "Aegyptus").put(power=0).worker(0, "Persis", "Elam").hand(0, march=(IIA,)).play("march")
    assert again.asked == "halt"


@pytest.mark.rule("X-S1")
def test_aegyptus_may_convert_where_it_need_not() -> None:
    table = Table(1, "Aegyptus").worker(0, "Persis", "Babylonia", "Elam").hand(0, march=(IIA,)).play("march")
    table.choose("march 0")
    assert set(table.options) == {"Aegyptus", "Babylonia", "Persis"}
    table.choose("Persis", "Babylonia")
    assert table.power[0] == 1 and table.standing[0] == 1


@pytest.mark.rule("X-M2")
def test_what_is_offered_can_always_be_completed() -> None:
    """A unit of any kind is kept for what nothing else can pay; where all must be used, nothing is asked."""
    table = Table(1, "Babylonia", event=LEVY).worker(0, "Persis").hand(0, march=(IIA,)).play("march").choose("march 0")
    assert table.asked == "halt" and table.vp[0] == 5 and table.joker == 0
