"""What cards can do against a rival's, as the observation tells it: counted by hand, with the prototype's values."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from pergamemnon_env import constants as c
from pergamemnon_env import engine, observation, odds
from tests.pergamemnon.table import NAMES, Table


def seen(table: Table, seat: int, name: str) -> NDArray[Any]:
    """A part of what a seat sees."""
    out = np.zeros(observation.SIZE, np.float32)
    engine.observe(table.box, table.s, seat, out)
    return out[next(part.slice for part in observation.PARTS if part.name == name)]


def chance(table: Table, seat: int, name: str, card: str) -> float:
    return float(seen(table, seat, f"own hand {name}")[NAMES.index(card)])


#: Egypt's helmets: 7 of Nefertiti, the two guards and the two spearmen; 6 of the other six cards. Breastplates: 4 of
#: those five and the priest, 3 of the five archers and charioteers.
HANDS = {0: "Hercules, Swordsman, Elite", 1: "Nefertiti, Spearman, Priest"}


def test_the_first_card_of_an_attack() -> None:
    table = Table("Hellenes", "Egypt", hand=HANDS).choose("sword")
    assert table.prompt == "lay"
    assert chance(table, 0, "strikes", "Swordsman") == pytest.approx(6 / 11)  # 7 against 7, or 6
    assert chance(table, 0, "strikes past two", "Swordsman") == 0
    assert chance(table, 0, "strikes", "Hercules") == chance(table, 0, "parries", "Hercules") + 1 == 1
    assert chance(table, 0, "strikes past two", "Elite") == pytest.approx(  # a spear of 8 against 4 and 4, or less
        1 - 6 * 5 / (11 * 10)
    )
    assert not seen(table, 1, "own hand strikes").any()  # who is not asked is told nothing


def test_the_first_card_of_a_defence() -> None:
    table = Table("Hellenes", "Egypt", hand=HANDS).choose("sword", "Swordsman")
    assert table.asked == 1  # by a sword of 11, or of 7 from two cards
    assert chance(table, 1, "parries", "Nefertiti") == pytest.approx(2 / 3)
    assert chance(table, 1, "parries", "Priest") == 0
    assert chance(table, 1, "parries with another", "Priest") == 1


def test_a_reinforcement() -> None:
    table = Table("Hellenes", "Egypt", hand=HANDS).choose("sword", "Hercules", "Priest")
    assert table.prompt == "reinforce"  # 11 against 6
    assert [chance(table, 1, "parries", card) for card in ("Nefertiti", "Spearman")] == [1, 1]
    assert chance(table, 1, "strikes", "Nefertiti") == 0  # a bow of 4 against his shield of 4
    assert chance(table, 1, "strikes", "Spearman") == 1  # a spear of 6 against his breastplate of 3
    assert chance(table, 1, "strikes past two", "Spearman") == 0  # every other has 3 or more


def test_seats_are_summed_up() -> None:
    table = Table("Hellenes", "Egypt", hand=HANDS)
    armour = np.array([7 * 5 + 6 * 6, 4 * 6 + 3 * 5, 7 * 3 + 6 * 8]) / 11 / 12
    assert seen(table, 0, "cards of seat 1")[1:4] == pytest.approx(armour, abs=1e-6)
    assert seen(table, 0, "cards of seat 1")[4:] == pytest.approx(np.array([3, 2, 6]) / 11, abs=1e-6)
    blows = seen(table, 0, "blows at rival 1").reshape(len(c.WEAPONS), 2)
    assert blows[0, 0] == 1 and blows[1].tolist() == pytest.approx([1, 1 - 6 * 5 / (11 * 10)])  # Hercules, Elite
    assert blows[2].tolist() == [0, 0]  # no bow in hand
    assert blows.size == odds.OF_RIVAL


def test_points_are_compared() -> None:
    table = Table("Hellenes", "Egypt", hand=HANDS)
    mine, theirs = table.game.told(table.s)["points"][:2]
    assert seen(table, 0, "seat 1")[-1] == pytest.approx((theirs - mine) / 40)
    assert seen(table, 1, "seat 1")[-1] == pytest.approx((mine - theirs) / 40)
