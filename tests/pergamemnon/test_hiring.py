"""P-H: hiring a creature."""

from __future__ import annotations

import pytest

from tabletop.game import CHANCE
from tests.pergamemnon.table import Table

HAND = {0: "Centurio, 2 Legionary"}  # charisma 2, 1, 1


def hiring(
    charisma: int = 5, city: str = "", display: str = "Dryad, Orthos, Griffin, Minotaur, Cyclops", **more: object
) -> Table:
    """Rome is about to choose a creature: costs 3, 4, 5, 6, 8."""
    table = Table("Rome", "Egypt", hand=HAND, charisma=(charisma, 1), city={0: city}, display=display, **more)  # type: ignore[arg-type]
    return table.choose("hire")


@pytest.mark.rule("P-H1", "P-ruling-2")
def test_the_highest_hand_card_and_cards_from_under_the_city_pay() -> None:
    table = hiring(charisma=3, city="Nefertiti")  # 2 + 3 + 5
    assert table.options() == ["Dryad", "Orthos", "Griffin", "Minotaur", "Cyclops"]
    table.choose("Minotaur")
    assert table.of("owed") == 4 and table.options() == ["charisma", "Nefertiti"]


@pytest.mark.rule("P-H1", "P-ruling-2")
def test_one_card_from_under_the_city_is_needed() -> None:
    table = Table("Egypt", "Rome", hand={0: "Nefertiti, 2 Archer of Kush"}, charisma=(0, 5), display="Dryad, Satyr")
    assert table.prompt == "lay"  # no charisma under the city: the only thing to do is to attack Rome with the bow
    table = Table(
        "Egypt", "Rome", hand={0: "Nefertiti, 2 Archer of Kush"}, charisma=(2, 5), display="Dryad, Satyr, Orthos"
    )
    table.choose("hire", "Dryad")  # Nefertiti's 5 would be enough
    assert table.of("charisma", 0) == 1 and table.of("stock") == 15


@pytest.mark.rule("P-H1", "P-H8")
def test_what_cannot_be_paid_is_not_offered() -> None:
    assert hiring(charisma=2, display="Dryad, Orthos, Griffin").options() == ["Dryad", "Orthos"]


@pytest.mark.rule("P-H8")
def test_nothing_is_added_once_the_cost_is_met() -> None:
    table = hiring(city="Elite")
    table.choose("Orthos", "charisma", "charisma")
    assert table.prompt != "pay" and table.of("charisma", 0) == 3 and table.pile("city", 0) == {"Elite": 1}


@pytest.mark.rule("P-H2")
def test_no_change_is_given() -> None:
    table = hiring(charisma=1, city="Nefertiti").choose("Dryad", "Nefertiti")
    assert table.prompt != "pay" and table.of("charisma", 0) == 1 and table.pile("city", 0) == {}


@pytest.mark.rule("P-H3")
def test_creature_and_hand_are_discarded() -> None:
    table = hiring().choose("Orthos")
    assert table.pile("discard", 0) == {"Centurio": 1, "Legionary": 2, "Orthos": 1} and table.size("hand", 0) == 0
    assert "Orthos" not in table.display()


@pytest.mark.rule("P-H4")
def test_charisma_cards_go_to_the_stock_and_captured_ones_to_the_box() -> None:
    table = hiring(charisma=3, city="Elite, Nefertiti")
    stock = table.of("stock")
    table.choose("Griffin", "charisma", "Elite", "charisma")
    assert table.of("stock") == stock + 2 and table.pile("city", 0) == {"Nefertiti": 1}
    assert not any("Elite" in table.pile(pile, seat) for pile in ("discard", "draw", "hand") for seat in (0, 1))


@pytest.mark.rule("P-H5")
def test_the_hand_is_refilled() -> None:
    table = hiring().choose("Dryad")
    assert table.prompt == "draw" and table.asked == CHANCE
    assert table.settle().size("hand", 0) == 3


@pytest.mark.rule("P-H6")
def test_a_creature_joins_the_display_while_the_stack_lasts() -> None:
    table = hiring(stack=1).choose("Dryad")
    while table.prompt == "draw":
        table.choose(table.options()[0])
    assert table.prompt == "show" and "Titan" in table.options() and "Dryad" not in table.options()
    table.choose("Titan")
    assert "Titan" in table.display() and table.of("stack") == 0
    last = hiring(stack=0).choose("Dryad").settle()
    assert len(last.display()) == 4 and last.asked == 1


@pytest.mark.rule("P-H7")
def test_the_nation_card_is_turned_and_the_next_one_has_a_turn() -> None:
    table = Table("Egypt", "Persia", "Rome", "Carthage", player=2, hand={2: "Centurio, 2 Legionary"}, inactive=[3],
                  charisma=(1, 1, 5, 1))  # fmt: skip
    table.choose("hire", "Dryad").settle()
    assert table.asked == 0 and table.s["active"][0, :4].tolist() == [1, 1, 0, 0]
