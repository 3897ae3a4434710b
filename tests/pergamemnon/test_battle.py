"""P-F: battle."""

from __future__ import annotations

import pytest

from tests.pergamemnon.table import NAMES, Table, counted


def fight(attacker: str, weapon: str, defender: str, *nations: str, lays: str = "", answers: str = "") -> Table:
    """Seat 0 attacks seat 1; unless it is said otherwise, each lays the first card of its hand."""
    table = Table(*(nations or ("Rome", "Egypt")), hand={0: attacker, 1: defender}, charisma=(0, 1))
    first = [next(iter(counted(hand))) for hand in (attacker, defender)]
    return table.attack(weapon, lays or first[0], answers or first[1])


def row(table: Table, side: int) -> list[str]:
    return [NAMES[kind - 1] for kind in table.s["row"][0, side] if kind]


@pytest.mark.rule("P-F1")
def test_another_player_is_attacked() -> None:
    table = Table("Rome", "Egypt", "Persia").choose("attack")
    assert table.options() == ["seat 1", "seat 2"]
    table.choose("seat 2")
    assert (table.of("attacker"), table.of("defender")) == (0, 2)


@pytest.mark.rule("P-F2", "P-F12", "P-ruling-4")
def test_a_weapon_in_hand_is_named_and_the_card_shows_it() -> None:
    table = Table("Rome", "Egypt", hand={0: "Legionary, Centurio, Triarius"}, charisma=(0, 1))
    assert (table.prompt, table.options()) == ("weapon", ["sword", "spear"])
    assert table.choose("sword").options() == ["Centurio", "Legionary"]
    assert table.choose("Legionary").asked == 1 and table.s["open"][0] == 0


@pytest.mark.rule("P-F3")
def test_cards_are_laid_face_down_and_revealed_together() -> None:
    table = Table("Rome", "Egypt", hand={0: "Legionary, Centurio, Triarius", 1: "Nefertiti, Spearman, Priest"},
                  charisma=(0, 1)).choose("sword", "Legionary")  # fmt: skip
    assert (table.prompt, table.options()) == ("lay", ["Nefertiti", "Spearman", "Priest"])
    told = [table.game.describe(table.s, seat=seat) for seat in (0, 1)]
    laid = [next(line for line in text.splitlines() if line.startswith("  player 1 (Rome):")) for text in told]
    assert "Legionary" in laid[0] and laid[1] == "  player 1 (Rome): a card face down"
    table.choose("Priest")
    told_now = table.game.describe(table.s, seat=1)
    assert "  player 1 (Rome): Legionary" in told_now and "  player 2 (Egypt): Priest" in told_now


@pytest.mark.rule("P-F4")
@pytest.mark.parametrize(
    ("weapon", "lays", "answers", "parried"),
    [
        ("sword", "Legionary", "Spearman", True),  # 7 against a helmet of 7: at least
        ("sword", "Legionary", "Priest", False),  # 7 against 6
        ("spear", "Triarius", "Spearman", False),  # 6 against a breastplate of 4
        ("bow", "Sagittarius", "Priest", True),  # 6 against a shield of 6
        ("bow", "Sagittarius", "Nefertiti", True),
    ],
)
def test_helmet_breastplate_and_shield_parry(weapon: str, lays: str, answers: str, parried: bool) -> None:
    table = fight(f"{lays}, Eques", weapon, f"{answers}, Archer of Kush", lays=lays, answers=answers)
    assert (table.prompt == "reinforce" and table.asked == 1) is not parried


@pytest.mark.rule("P-F5")
def test_a_parry_is_followed_by_a_counter_blow() -> None:
    table = fight("Legionary, Eques", "sword", "Guard of Pharaoh, Priest", answers="Guard of Pharaoh")
    assert (table.prompt, table.asked) == ("reinforce", 0)  # sword 7 against a helmet of 5
    assert table.game.question(table.s) == "player 1 (Rome): sword 7 is not parried by 5; reinforce?"


@pytest.mark.rule("P-F6")
def test_a_counter_blow_parried_with_the_first_card_is_a_draw() -> None:
    table = fight("Sagittarius, Legionary, Eques", "bow", "Nefertiti, Priest, Spearman", answers="Nefertiti")
    assert table.pile("discard", 0) == {"Sagittarius": 1} and table.pile("discard", 1) == {"Nefertiti": 1}
    assert table.of("player") == 1


@pytest.mark.rule("P-F7", "P-F9", "P-ruling-1")
def test_the_defences_of_two_cards_add() -> None:
    table = fight("Legionary, Eques", "sword", "Priest, Archer of Kush, Charioteer", answers="Priest")
    assert (table.prompt, table.options()) == ("reinforce", ["done", "Archer of Kush", "Charioteer", "Priest"][0:3])
    table.choose("Charioteer")  # 6 + 6 against 7: the bow strikes back, 7 against 4
    assert (table.prompt, table.asked) == ("reinforce", 0) and row(table, 1) == ["Priest", "Charioteer"]


@pytest.mark.rule("P-F8")
def test_the_new_card_alone_strikes() -> None:
    table = fight("Caesar, Eques, Sagittarius", "sword", "Guard of Pharaoh, Nefertiti", answers="Guard of Pharaoh")
    table.choose("Nefertiti")  # 7 + 7 against 8; her bow of 4 strikes, not the sword of 7
    assert table.of("player") == 1 and table.pile("discard", 0) == {"Caesar": 1}  # parried by a shield of 6: a draw


@pytest.mark.rule("P-F9")
def test_both_sides_reinforce_as_long_as_hands_last() -> None:
    table = fight("2 Legionary, Centurio", "sword", "2 Priest, Guard of Pharaoh", lays="Legionary", answers="Priest")
    assert table.asked == 1
    table.choose("Guard of Pharaoh")  # parried; sword 7 against a helmet of 5
    assert table.asked == 0
    table.choose("Centurio")  # 5 + 6; sword 7 against a helmet of 7, which has struck: a draw
    assert table.of("player") == 1 and table.pile("discard", 0) == {"Legionary": 1, "Centurio": 1}


@pytest.mark.rule("P-F9")
def test_who_has_no_card_or_lays_none_has_lost() -> None:
    table = fight("Legionary", "sword", "Archer of Kush")  # helmet 6, and no card left
    assert table.of("active", 1) == 0 and table.of("player") == 0
    table = fight("Legionary, Eques", "sword", "Archer of Kush, Spearman", answers="Archer of Kush", lays="Legionary")
    table.choose("done")
    assert table.of("active", 1) == 0 and table.of("player") == 0


@pytest.mark.rule("P-F10")
def test_no_more_than_two_cards_defend() -> None:
    """Breastplates of 3: two parry a spear of 6, but not with a third card one of 8."""
    table = fight("Xerxes, Immortal, Takabara, Kardakes", "spear", "Priest, Archer of Kush, 2 Charioteer",
                  "Persia", "Egypt", lays="Takabara", answers="Priest")  # fmt: skip
    table.choose("Archer of Kush")  # 4 + 3 against 7; the bow strikes with 7 against a shield of 4
    assert table.asked == 0
    table.choose("Immortal")  # 4 + 5; a spear of 8 against a breastplate of 3
    assert (table.prompt, table.asked) == ("reinforce", 1)
    assert "spear 8 is not parried by 3" in table.game.question(table.s)
    table.choose("Charioteer")  # 3 + 3, though with the Priest's 4 it would be 10
    assert table.prompt != "reinforce" and table.of("player") == 0


@pytest.mark.rule("P-F11")
def test_no_card_is_added_where_one_parries() -> None:
    table = fight("Legionary, Eques", "sword", "Spearman, Nefertiti", answers="Spearman")
    assert table.asked == 0 and row(table, 1) == ["Spearman"]  # the spear strikes back, 6 against 5


@pytest.mark.rule("P-F13", "P-ruling-5")
def test_a_card_strikes_once() -> None:
    table = fight(
        "Legionary, Triarius, Eques", "sword", "Guard of Pharaoh, Priest, Spearman", answers="Guard of Pharaoh"
    )
    table.choose("Triarius")  # helmets 5 + 5 against 7; the spear strikes with 6 against a breastplate of 4
    assert (table.prompt, table.asked) == ("reinforce", 1)
    table = fight(
        "Legionary, Centurio, Eques", "sword", "Guard of Pharaoh, Priest, Spearman", answers="Guard of Pharaoh"
    )
    table.choose("Centurio")  # the sword strikes with 7 against the helmet of 7 of a card that has struck
    assert table.of("player") == 1 and table.pile("discard", 1) == {"Guard of Pharaoh": 1}
    assert table.of("charisma", 1) == 2


@pytest.mark.rule("P-F14", "P-ruling-6")
def test_a_reinforcement_that_does_not_suffice_is_lost_too() -> None:
    table = fight("Agamemnon, Hoplite, Peltast", "spear", "Archer of Kush, Charioteer, Nefertiti", "Hellenes", "Egypt",
                  lays="Agamemnon", answers="Archer of Kush")  # fmt: skip
    assert "Charioteer" in table.options()
    table.choose("Charioteer")  # 3 + 3 against 8: lost, and no second try
    assert table.prompt == "discard" and table.of("active", 1) == 0
    assert "Charioteer" not in table.pile("hand", 1) and "Charioteer" not in table.pile("discard", 1)
