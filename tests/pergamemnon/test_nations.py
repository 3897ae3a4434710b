"""P-N: nations."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pergamemnon_env.game import load
from tests.pergamemnon.table import Table
from tests.pergamemnon.test_setup import dealt


@pytest.mark.rule("P-N1")
def test_rome_begins_with_five_charisma_cards() -> None:
    assert dealt("Rome", "Persia").s["charisma"][0, :2].tolist() == [5, 1]


@pytest.mark.rule("P-N2")
@pytest.mark.parametrize("weakened", [False, True])
def test_without_caesar_rome_defends_with_one_less(weakened: bool) -> None:
    """Two Roman helmets of 5 and 6 have 9 instead of 11 against a sword of 10 or so; each card counts 1 less."""
    table = Table("Egypt", "Rome", hand={0: "Guard of Pharaoh, 2 Priest", 1: "Legionary, Triarius, Eques"},
                  charisma=(0, 1), weakened=[1] if weakened else [])  # fmt: skip
    table.attack("sword", "Guard of Pharaoh", "Legionary")
    assert f"sword 7 is not parried by {4 if weakened else 5}" in table.game.question(table.s)
    assert table.of("charisma", 1) == 1  # nothing is given back


@pytest.mark.rule("P-N2", "P-ruling-20")
def test_a_defence_is_never_below_0(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text("[Rome]\nLegionary = { defence = [0, 0, 0] }\n")
    table = Table("Egypt", "Rome", hand={0: "Guard of Pharaoh, 2 Priest", 1: "Legionary, Triarius, Eques"},
                  charisma=(0, 1), weakened=[1], game=load(str(path)))  # fmt: skip
    table.attack("sword", "Guard of Pharaoh", "Legionary")
    assert "is not parried by 0" in table.game.question(table.s)


def egypt_wins(weakened: bool = False) -> Table:
    """A Roman Eques, who would flee, is beaten by a Titan of Egypt's."""
    table = Table("Egypt", "Rome", hand={0: "Titan, 2 Archer of Kush", 1: "Eques, 2 Legionary"}, charisma=(0, 1),
                  weakened=[0] if weakened else [])  # fmt: skip
    return table.attack("bow", "Titan", "Eques").choose("done")


@pytest.mark.rule("P-N3", "P-ruling-13")
def test_egypt_captures_those_that_flee() -> None:
    table = egypt_wins()
    assert table.prompt == "discard" and table.pile("discard", 0) == {"Titan": 1, "Eques": 1}  # there is no choice


@pytest.mark.rule("P-N4", "P-ruling-12")
def test_weakened_egypt_captures_them_no_more() -> None:
    assert egypt_wins(weakened=True).pile("discard", 0) == {"Titan": 1}


def nefertiti_falls(**piles: Any) -> Table:
    hand = {0: "Hercules, Elite, Hoplite", 1: "Nefertiti, Archer of Kush, Spearman"}
    table = Table("Hellenes", "Egypt", hand=hand, charisma=(0, 1), **piles)
    return table.attack("sword", "Hercules", "Nefertiti").choose("done", "deck")


@pytest.mark.rule("P-N4")
def test_without_nefertiti_all_who_flee_leave_the_game() -> None:
    table = nefertiti_falls(draw={1: "Charioteer, Guard of Pharaoh, Dryad"}, discard={1: "2 Archer of Kush, Priest"},
                            city={1: "Peltast"}, display="Satyr, Harpy, Orthos")  # fmt: skip
    assert table.pile("hand", 1) == {"Spearman": 1} and table.pile("draw", 1) == {"Guard of Pharaoh": 1}
    assert table.pile("discard", 1) == {"Priest": 1} and table.pile("city", 1) == {"Peltast": 1}


@pytest.mark.rule("P-N4", "P-E2")
def test_egypt_with_fewer_than_three_cards_left_ends_the_game() -> None:
    table = nefertiti_falls(draw={1: "2 Charioteer"}, discard={1: "Guard of Pharaoh"}).choose("done").settle()
    assert table.over and table.cause == "few cards"


@pytest.mark.rule("P-N5")
@pytest.mark.parametrize(("weakened", "half_points"), [(False, 3 * 8), (True, 2 * 8)])
def test_agamemnon_makes_points_half_as_much_again(weakened: bool, half_points: int) -> None:
    table = Table("Hellenes", "Egypt", hand={0: "2 Elite, Hoplite"}, draw={0: "Spearman, Hoplite"}, turn=300,
                  weakened=[0] if weakened else [])  # fmt: skip
    assert table.over and table.of("points", 0) == half_points  # 2 + 2 + 1 + 2 + 1


@pytest.mark.rule("P-N6")
@pytest.mark.parametrize(("weakened", "offered"), [(False, ["Dryad", "Orthos"]), (True, ["Dryad"])])
def test_without_agamemnon_creatures_cost_the_hellenes_one_more(weakened: bool, offered: list[str]) -> None:
    table = Table("Hellenes", "Egypt", hand={0: "Elite, Hoplite, Hercules"}, charisma=(3, 1),
                  display="Dryad, Orthos, Griffin", weakened=[0] if weakened else []).choose("hire")  # fmt: skip
    options = table.options() if table.prompt == "hire" else ["Dryad"]
    assert options == offered


@pytest.mark.rule("P-N7", "P-N8")
@pytest.mark.parametrize(("weakened", "owed"), [(False, 4 - 1 - 1), (True, 4 - 1)])
def test_creatures_cost_carthage_one_less_while_it_has_hannibal(weakened: bool, owed: int) -> None:
    table = Table("Carthage", "Egypt", hand={0: "War Elephant, 2 Libyan Swordsman"}, charisma=(2, 1),
                  city={0: "Elite, Hoplite"}, display="Orthos, Lamia", weakened=[0] if weakened else [])  # fmt: skip
    assert table.choose("hire", "Orthos").of("owed") == owed


@pytest.mark.rule("P-N8")
@pytest.mark.parametrize("weakened", [False, True])
def test_without_hannibal_carthage_attacks_with_one_less(weakened: bool) -> None:
    hand = {0: "Sacred Band, 2 Libyan Swordsman", 1: "Archer of Kush, Charioteer, Spearman"}
    table = Table("Carthage", "Egypt", hand=hand, charisma=(0, 1), weakened=[0] if weakened else [])  # fmt: skip
    table.attack("spear", "Sacred Band", "Spearman")
    assert f"spear {7 if weakened else 8} is not parried by 4" in table.game.question(table.s)


@pytest.mark.rule("P-N9")
def test_persia_has_a_hand_of_four_and_needs_four_cards() -> None:
    assert dealt("Persia", "Egypt").size("hand", 0) == 4
    for cards, over in (("3 Sparabara", False), ("2 Sparabara", True)):
        table = Table("Hellenes", "Persia", hand={0: "Hercules, Elite, Hoplite", 1: f"Takabara, {cards}"},
                      charisma=(0, 1), draw={1: "Kardakes"})  # fmt: skip
        table.attack("sword", "Hercules", "Takabara").choose("done", "deck", "done").settle()
        assert table.over is over


@pytest.mark.rule("P-N10", "P-ruling-14")
def test_without_xerxes_beaten_persians_flee_and_the_hand_is_three() -> None:
    hand = {0: "Hercules, Elite, Hoplite", 1: "Xerxes, Takabara, 2 Sparabara"}
    table = (
        Table("Hellenes", "Persia", hand=hand, charisma=(0, 1))
        .attack("sword", "Hercules", "Xerxes")
        .choose("Takabara", "deck")
    )
    assert table.prompt == "spoil"  # Takabara is captured too: Xerxes' loss counts from then on
    table.choose("deck", "done").settle()
    assert table.size("hand", 1) == 3 and table.of("weakened", 1) == 1
    table = Table("Hellenes", "Persia", hand={0: "Hercules, Elite, Hoplite", 1: "Takabara, Titan, Sparabara"},
                  charisma=(0, 1), weakened=[1]).attack("sword", "Hercules", "Titan").choose("Takabara")  # fmt: skip
    assert table.prompt == "discard" and table.pile("discard", 0) == {"Hercules": 1}  # the creature flees too


@pytest.mark.rule("P-N10")
def test_without_xerxes_three_cards_are_enough() -> None:
    table = Table("Hellenes", "Persia", hand={0: "Hercules, Elite, Hoplite", 1: "Takabara, Sparabara, Kardakes"},
                  draw={1: "Immortal"}, charisma=(0, 1), weakened=[1])  # fmt: skip
    table.attack("sword", "Hercules", "Takabara").choose("done", "done").settle()
    assert not table.over and table.size("hand", 1) == 3
