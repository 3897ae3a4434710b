"""Where the rulebook is silent: readings that the tests of single rules do not prove, by their place in the list."""

from __future__ import annotations

import pytest

from tests.pergamemnon.table import Table


@pytest.mark.rule("P-ruling-3")
def test_a_hand_without_charisma_hires_with_what_lies_under_the_city() -> None:
    table = Table(
        "Hellenes", "Egypt", hand={0: "2 Swordsman, Peltast"}, charisma=(3, 1), display="Dryad, Orthos, Satyr"
    )
    assert table.choose("hire").options() == ["Dryad", "Satyr"]
    assert table.choose("Dryad").of("charisma", 0) == 0 and table.prompt != "pay"  # all three, nothing else to choose


@pytest.mark.rule("P-ruling-3")
def test_equal_highest_cards_are_one_choice() -> None:
    table = Table("Rome", "Egypt", hand={0: "2 Centurio, Legionary"}, charisma=(5, 1), display="Dryad, Orthos, Satyr")
    assert table.choose("hire", "Orthos").of("charisma", 0) == 3  # 4 less 2: nobody asks which Centurio
    assert table.prompt != "pay"


@pytest.mark.rule("P-ruling-7")
def test_a_defender_who_wins_may_discard_too() -> None:
    hand = {0: "Sagittarius, Legionary, Eques", 1: "Charioteer, 2 Archer of Kush"}
    table = Table("Rome", "Egypt", "Persia", hand=hand, charisma=(0, 1, 1))
    table.attack("bow", "Sagittarius", "Charioteer").choose("done", "deck")
    assert (table.prompt, table.asked, table.options()) == ("discard", 1, ["done", "Archer of Kush"])


@pytest.mark.rule("P-ruling-9")
@pytest.mark.parametrize(("discard", "over"), [("2 Titan, Hercules", False), ("Titan, Hercules", True)])
def test_creatures_and_captured_cards_are_cards_too_secured_ones_are_not(discard: str, over: bool) -> None:
    table = Table("Hellenes", "Egypt", hand={0: "Elite, 2 Hoplite", 1: "Charioteer"}, charisma=(0, 1), draw={1: ""},
                  discard={1: discard}, secured={1: "Priest"}, city={1: "Agamemnon"})  # fmt: skip
    table.attack("spear", "Elite", "Charioteer").settle()
    assert table.over is over and (table.cause == "few cards") is over


@pytest.mark.rule("P-ruling-10", "P-ruling-11")
def test_all_points_of_the_hellenes_count_half_as_much_again_and_halves_stay() -> None:
    table = Table("Hellenes", "Egypt", hand={0: "Elite", 1: "Titan"}, draw={0: "Titan", 1: ""}, turn=300,
                  discard={0: "Nefertiti"}, secured={0: "Priest"})  # fmt: skip
    assert table.game.results(table.s).score[0, :2].tolist() == [1.5 * (2 + 7 + 4 + 2), 7]


@pytest.mark.rule("P-ruling-14")
@pytest.mark.parametrize("other", ["Hellenes", "Egypt"])
def test_secured_cards_of_weakened_persia_stay_and_egypt_catches_the_others(other: str) -> None:
    table = Table(other, "Persia", hand={0: "Hercules, Elite, Hoplite", 1: "Priest, Takabara, Sparabara"},
                  charisma=(0, 1), weakened=[1])  # fmt: skip
    table.attack("sword", "Hercules", "Takabara").choose("Priest")  # 2 + 6 against 11
    assert table.pile("secured", 1) == {"Priest": 1} and table.prompt == "discard"
    assert ("Takabara" in table.pile("discard", 0)) is (other == "Egypt")


@pytest.mark.rule("P-ruling-16")
def test_after_a_hiring_of_the_former_defender_the_turn_goes_on_clockwise_from_there() -> None:
    """Seat 0 attacks seat 2 in vain, which then hires: seat 3 is next, not seat 1."""
    hand = {0: "Sagittarius, Legionary, Eques", 2: "Charioteer, 2 Archer of Kush"}
    table = Table("Rome", "Hellenes", "Egypt", "Persia", hand=hand, charisma=(0, 1, 2, 1))
    table.attack("bow", "Sagittarius", "Charioteer", foe=2).choose("done", "deck", "done").settle()
    assert table.asked == table.of("player") == 2 and table.prompt == "verb"
    assert table.choose("hire", "Dryad").settle().asked == 3
    assert table.s["active"][0, :4].tolist() == [0, 1, 0, 1]


@pytest.mark.rule("P-ruling-17")
def test_the_game_ends_in_the_middle_of_an_attackers_run() -> None:
    hand = {0: "Hercules, Elite, Hoplite", 1: "Charioteer"}
    table = Table("Hellenes", "Egypt", "Rome", hand=hand, charisma=(0, 1, 5), draw={1: "Spearman"})
    table.attack("sword", "Hercules", "Charioteer").settle()
    assert table.over and table.cause == "few cards" and table.of("player") == 0 and table.of("turn") == 1


@pytest.mark.rule("P-ruling-20")
@pytest.mark.parametrize("weakened", [False, True])
def test_each_of_two_roman_cards_defends_with_one_less(weakened: bool) -> None:
    hand = {0: "Hercules, Elite, Hoplite", 1: "2 Centurio, Legionary"}
    table = Table("Hellenes", "Rome", hand=hand, charisma=(0, 1), weakened=[1] if weakened else [])
    table.attack("sword", "Hercules", "Centurio").choose("Centurio")  # 6 + 6, or 5 + 5, against 11
    assert (table.of("active", 1) == 0 and table.of("attacker") == 0 and table.prompt == "spoil") is weakened


@pytest.mark.rule("P-ruling-21")
@pytest.mark.parametrize("draw", ["Caesar, Eques, Triarius", "Caesar"])
def test_a_hired_creature_is_drawn_only_from_a_new_draw_pile(draw: str) -> None:
    table = Table("Rome", "Egypt", hand={0: "Centurio, 2 Legionary"}, draw={0: draw}, charisma=(5, 1))
    table.choose("hire", "Orthos")
    assert table.prompt == "draw"
    seen = set()
    while table.prompt == "draw":
        seen |= set(table.options())
        table.choose(table.options()[0])
    assert ("Orthos" in seen) is (draw == "Caesar")
