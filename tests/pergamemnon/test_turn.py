"""P-T: turns."""

from __future__ import annotations

import pytest

from pergamemnon_env import engine
from tests.pergamemnon.table import Table


@pytest.mark.rule("P-T1")
def test_a_turn_is_a_hiring_or_an_attack() -> None:
    table = Table("Rome", "Egypt", "Persia", charisma=(5, 1, 1))
    assert (table.prompt, table.options()) == ("verb", ["hire", "attack"])


@pytest.mark.rule("P-T1", "P-T2")
def test_who_cannot_hire_must_attack() -> None:
    table = Table("Hellenes", "Egypt", "Persia", hand={0: "2 Swordsman, Peltast"}, charisma=(0, 1, 1))
    assert (table.prompt, table.options()) == ("foe", ["seat 1", "seat 2"])


@pytest.mark.rule("P-T3", "P-F1", "P-ruling-15")
def test_the_inactive_are_not_attacked() -> None:
    table = Table("Rome", "Egypt", "Persia", "Carthage", inactive=[2]).choose("attack")
    assert (table.prompt, table.options()) == ("foe", ["seat 1", "seat 3"])


@pytest.mark.rule("P-T3", "P-H7")
def test_the_inactive_have_no_turn() -> None:
    table = Table("Rome", "Egypt", "Persia", "Carthage", inactive=[1, 2], charisma=(5, 1, 1, 1))
    table.choose("hire", "Dryad").settle()
    assert table.asked == 3 and table.s["active"][0, :4].tolist() == [1, 1, 1, 1]  # it alone was active


@pytest.mark.rule("P-T4", "P-T5")
def test_all_are_turned_active_where_only_the_player_is() -> None:
    table = Table("Rome", "Egypt", "Persia", inactive=[1, 2])
    assert table.s["active"][0, :3].tolist() == [1, 1, 1]
    some = Table("Rome", "Egypt", "Persia", inactive=[1])
    assert some.s["active"][0, :3].tolist() == [1, 0, 1]


@pytest.mark.rule("P-T4")
def test_all_are_turned_active_where_none_is() -> None:
    assert Table("Rome", "Egypt", "Persia", inactive=[0, 1, 2]).s["active"][0, :3].tolist() == [1, 1, 1]


@pytest.mark.rule("P-T5")
def test_it_is_looked_at_after_a_battle() -> None:
    table = Table("Rome", "Egypt", "Persia", inactive=[2], hand={0: "Legionary, 2 Triarius", 1: "Archer of Kush"},
                  discard={1: "Priest"})  # fmt: skip
    table.attack("sword", "Legionary", "Archer of Kush")
    assert table.of("active", 1) == 0
    table.settle()
    assert table.asked == 0 and table.s["active"][0, :3].tolist() == [1, 1, 1]


def test_nothing_else_is_accepted() -> None:
    table = Table("Rome", "Egypt")
    before = table.s.tobytes()
    for number in (-1, 2, 500):
        assert not engine.apply(table.box, table.s, number)
    assert table.s.tobytes() == before
