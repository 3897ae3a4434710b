"""P-B, P-S, P-L: after the battle, captured cards, leaders."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from pergamemnon_env.game import load
from tabletop.agents.plans import Turn
from tabletop.game import CHANCE
from tests.pergamemnon.table import Table, action, counted


def won(
    defender: str = "Spearman, Priest, Nefertiti", extra: str = "done", others: tuple[str, ...] = (), **more: Any
) -> Table:
    """The Hellenes beat Egypt, which lays its first card, with Hercules: 11 against helmets of 7 at most."""
    hand = {0: "Hercules, Elite, Hoplite", 1: defender}
    table = Table("Hellenes", "Egypt", *others, hand=hand, charisma=(0, 1, 0, 0), **more)
    return table.attack("sword", "Hercules", next(iter(counted(defender)))).choose(extra)


def draw(**state: int) -> Table:
    """The Hellenes attack Egypt with Peltast's bow: 7, parried by Nefertiti, whose 4 he parries."""
    hand = {0: "Agamemnon, Peltast, Elite", 1: "Nefertiti, Priest, Spearman"}
    table = Table("Hellenes", "Egypt", "Rome", hand=hand, charisma=(0, 1, 5))
    for name, value in state.items():
        table.s[name] = value
    return table.attack("bow", "Peltast", "Nefertiti")


@pytest.mark.rule("P-B1")
def test_a_winning_attacker_has_another_turn() -> None:
    table = won(others=("Rome", "Persia"), inactive=[3])
    assert table.of("active", 0) == 1 and table.of("active", 1) == 0
    table.choose("deck", "done").settle()
    assert table.asked == 0 and table.of("player") == 0 and table.of("turn") == 2
    assert table.pile("discard", 0) == {"Hercules": 1, "Spearman": 1}


@pytest.mark.rule("P-B2")
def test_a_draw_turns_the_attacker_and_all_cards_are_discarded() -> None:
    table = draw()  # the bow of 4 against Peltast's shield of 4
    assert table.pile("discard", 0) == {"Peltast": 1} and table.pile("discard", 1) == {"Nefertiti": 1}
    assert table.s["active"][0, :3].tolist() == [0, 1, 1]


@pytest.mark.rule("P-B3")
def test_a_winning_defender_captures_and_the_attacker_is_turned() -> None:
    hand = {0: "Sagittarius, Legionary, Eques", 1: "Charioteer, 2 Archer of Kush"}
    table = Table("Rome", "Egypt", "Persia", hand=hand, charisma=(0, 1, 1))  # fmt: skip
    table.attack("bow", "Sagittarius", "Charioteer").choose("done")  # 6 parried by 6; 7 against a shield of 4
    assert table.prompt == "spoil" and table.asked == 1 and table.of("active", 0) == 0
    table.choose("city")
    assert table.pile("city", 1) == {"Sagittarius": 1} and table.pile("discard", 1) == {"Charioteer": 1}


@pytest.mark.rule("P-B4", "P-ruling-16")
def test_who_holds_out_takes_a_charisma_card_and_the_turn() -> None:
    table = draw()
    assert table.of("charisma", 1) == 2 and table.of("stock") == 21 - 6 - 1
    assert table.settle().asked == 1 and table.prompt == "verb"


@pytest.mark.rule("P-B5", "P-ruling-7")
def test_the_defender_may_discard_after_a_victory_not_after_a_draw() -> None:
    table = won().choose("deck")
    assert (table.prompt, table.asked, table.options()) == ("discard", 1, ["done", "Nefertiti", "Priest"])
    table.choose("Priest")
    assert table.options() == ["done", "Nefertiti"] and table.pile("discard", 1) == {"Priest": 1}
    table.choose("done")
    assert table.prompt == "draw"
    assert draw().prompt == "draw"


@pytest.mark.rule("P-B6")
def test_the_winner_discards_the_cards_used() -> None:
    assert won().pile("discard", 0) == {"Hercules": 1}


@pytest.mark.rule("P-B7")
def test_both_refill_and_an_empty_draw_pile_is_made_anew() -> None:
    table = won(draw={0: "", 1: "3 Archer of Kush"}, discard={0: "2 Hoplite"}).choose("deck", "done")
    # The Hellenes' draw pile is made of what they have discarded: Hercules, who won, and the catch too.
    assert table.pile("draw", 0) == {"Hercules": 1, "Hoplite": 2, "Spearman": 1} and table.pile("discard", 0) == {}
    assert table.asked == CHANCE
    table.settle()
    assert table.size("hand", 0) == table.size("hand", 1) == 3


@pytest.mark.rule("P-B8")
def test_an_empty_stock_gives_nothing() -> None:
    table = draw(stock=0)
    assert table.of("charisma", 1) == 1 and table.of("stock") == 0


@pytest.mark.rule("P-S1")
@pytest.mark.parametrize("place", ["deck", "city"])
def test_a_captured_card_goes_to_the_deck_or_under_the_city(place: str) -> None:
    table = won()
    assert (table.prompt, table.asked, table.options()) == ("spoil", 0, ["deck", "city"])
    table.choose(place)
    assert ("Spearman" in table.pile("discard", 0)) is (place == "deck")
    assert ("Spearman" in table.pile("city", 0)) is (place == "city")


@pytest.mark.rule("P-S1")
def test_a_card_without_charisma_is_no_charisma() -> None:
    hand = {0: "Hercules, Elite, Hoplite", 1: "Kardakes, 2 Sparabara, Takabara"}
    table = (
        Table("Hellenes", "Persia", hand=hand, charisma=(0, 1)).attack("sword", "Hercules", "Kardakes").choose("done")
    )
    assert table.prompt == "discard" and table.pile("discard", 0) == {"Hercules": 1, "Kardakes": 1}


@pytest.mark.rule("P-S2")
def test_the_fleeing_go_to_the_box() -> None:
    table = won("Charioteer, Priest, Nefertiti")
    assert table.prompt == "discard"
    assert not any("Charioteer" in table.pile(pile, 0) for pile in ("discard", "city", "hand"))
    owned = sum(table.pile(pile, 1).get("Charioteer", 0) for pile in ("draw", "hand", "discard"))
    assert owned == 1  # of two


@pytest.mark.rule("P-S3")
def test_the_secure_are_laid_under_the_own_city() -> None:
    table = won("Priest, Spearman, Nefertiti")
    assert table.prompt == "discard" and table.pile("secured", 1) == {"Priest": 1}
    assert "Priest" not in table.pile("discard", 0)


@pytest.mark.rule("P-S4")
def test_a_card_with_both_skills_is_secured(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text('[Egypt]\nPriest = { skill = "flee and secure" }\n')
    table = won("Priest, Spearman, Nefertiti", game=load(str(path)))
    assert table.pile("secured", 1) == {"Priest": 1}


@pytest.mark.rule("P-S4")
def test_skills_work_for_whoever_has_the_card() -> None:
    """A Priest of Egypt in the Persian deck is secured by Persia; an Egyptian archer flees from it."""
    hand = {0: "Hercules, Elite, Hoplite", 1: "Priest, Archer of Kush, Takabara, Xerxes"}
    table = (
        Table("Hellenes", "Persia", hand=hand, charisma=(0, 1)).attack("sword", "Hercules", "Takabara").choose("Priest")
    )
    assert table.prompt == "spoil" and table.options() == ["deck", "city"]  # Takabara, 2 + 6 against 11
    assert table.choose("deck").pile("secured", 1) == {"Priest": 1}
    hand[1] = "Archer of Kush, Takabara, Sparabara, Xerxes"
    table = (
        Table("Hellenes", "Persia", hand=hand, charisma=(0, 1))
        .attack("sword", "Hercules", "Archer of Kush")
        .choose("done")
    )
    assert table.prompt == "discard" and table.pile("discard", 0) == {"Hercules": 1}


@pytest.mark.rule("P-L1", "P-L3")
def test_who_loses_the_leader_is_weakened_once_the_spoils_are_divided() -> None:
    hand = {0: "Typhon, Elite, Hoplite", 1: "Nefertiti, Spearman, Archer of Kush"}
    table = (
        Table("Hellenes", "Egypt", hand=hand, charisma=(0, 1)).attack("spear", "Typhon", "Nefertiti").choose("Spearman")
    )
    assert table.prompt == "spoil" and table.of("weakened", 1) == 0
    table.choose("deck")
    assert table.prompt == "spoil" and table.of("weakened", 1) == 0  # the Spearman is still to be divided
    table.choose("deck")
    assert table.prompt == "draw" and table.of("weakened", 1) == 1 and table.of("fallen", 1) == 0


@pytest.mark.rule("P-L1")
def test_a_leader_that_comes_home_undefeated_changes_nothing() -> None:
    assert draw().of("weakened", 1) == 0


@pytest.mark.rule("P-L2")
def test_winning_the_leader_back_does_not_restore() -> None:
    """Rome, weakened, wins Caesar back from Egypt."""
    table = Table("Rome", "Egypt", hand={0: "Titan, Legionary, Triarius", 1: "Caesar, Archer of Kush, Charioteer"},
                  charisma=(0, 1), weakened=[0])  # fmt: skip
    table.attack("bow", "Titan", "Caesar").choose("done", "deck")
    assert table.pile("discard", 0).get("Caesar") == 1 and table.of("weakened", 0) == 1
    assert table.settle().of("weakened", 0) == 1


def test_a_plan_that_tells_rivals_more_is_no_detour() -> None:
    table = won(draw={0: "2 Swordsman", 1: "Charioteer"}).choose("deck")
    turn = Turn(table.game, table.s)
    priest, done = (action(name, table.asked, 2) for name in ("Priest", "done"))
    left = []  # the last card of the draw pile comes to the hand, and then the Priest again
    for plan in ((priest, done), (done,)):
        *_, last = turn.steps((*plan, done))
        left.append(last.state)
    assert (turn.seen(left[0]) == turn.seen(left[1])).all() and (left[0]["known"] != left[1]["known"]).any()
    assert turn.direct((priest, done)) == (priest, done) and turn.table(left[0]) != turn.table(left[1])
