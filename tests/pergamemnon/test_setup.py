"""P-A: setup."""

from __future__ import annotations

import numpy as np
import pytest

from pergamemnon_env import constants as c
from pergamemnon_env import engine
from pergamemnon_env.game import load
from tabletop.game import CHANCE
from tabletop.plays import legal
from tests.pergamemnon.table import NAMES, Table

GAME = load()


def begun(players: int, *nations: str, manual: bool = True, seed: int = 1) -> Table:
    """A game from its very beginning, with these nations dealt."""
    table = Table.__new__(Table)
    table.game, table.box = GAME, GAME.box
    how = GAME.configure(players)
    how["manual_chance"] = manual
    table.s = np.zeros(1, GAME.state)
    engine.reset(GAME.box, table.s, how, seed)
    return table.choose(*nations)


def dealt(*nations: str) -> Table:
    return begun(len(nations), *(nations if len(nations) < 5 else nations[:4])).settle()


@pytest.mark.rule("P-A1")
def test_each_player_is_dealt_a_nation_by_chance() -> None:
    table = begun(3)
    assert table.asked == CHANCE and table.options() == list(c.NATIONS)
    table.choose("Persia")
    assert table.options() == ["Rome", "Egypt", "Hellenes", "Carthage"]
    table.choose("Rome", "Egypt")
    assert [c.NATIONS[n] for n in table.s["nation"][0, :3]] == ["Persia", "Rome", "Egypt"]
    assert table.s["nation"][0, 3:].tolist() == [-1, -1]


@pytest.mark.rule("P-A2", "P-A3")
def test_each_nation_has_its_army_its_city_and_an_active_card() -> None:
    table = dealt("Egypt", "Carthage", "Persia")
    for seat, nation in enumerate((c.EGYPT, c.CARTHAGE, c.PERSIA)):
        own = table.s["hand"][0, seat] + table.s["draw"][0, seat]
        first = nation * c.KINDS_OF_A_NATION
        assert own.sum() == 11 and own[first : first + 6].tolist() == GAME.box["copies"][0, first : first + 6].tolist()
        assert table.of("active", seat) == 1 and table.of("weakened", seat) == 0


@pytest.mark.rule("P-A3")
def test_with_two_players_nation_cards_change_nothing() -> None:
    """The one who hires or fails is followed by the other; who wins goes on: as without nation cards."""
    table = Table("Rome", "Egypt", charisma=(5, 5), hand={0: "2 Legionary, Triarius"})
    table.choose("hire", "Dryad").settle()
    assert table.asked == 1 and table.s["active"][0, :2].tolist() == [1, 1]


@pytest.mark.rule("P-A4")
def test_charisma_cards_lie_under_each_city() -> None:
    table = dealt("Egypt", "Rome", "Persia")
    assert table.s["charisma"][0, :3].tolist() == [1, 5, 1] and table.of("stock") == 21 - 7


@pytest.mark.rule("P-A5")
def test_hands_are_drawn_unseen() -> None:
    table = dealt("Egypt", "Persia", "Hellenes")
    assert [table.size("hand", seat) for seat in range(3)] == [3, 4, 3]
    told = GAME.describe(table.s, seat=0)
    assert "hand: 4 cards" in told and "hand: 3 cards" in told
    assert table.prompt != "draw"


@pytest.mark.rule("P-A6", "P-A7")
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_stack_and_display(players: int) -> None:
    table = begun(players, *c.NATIONS[: min(players, 4)])
    assert table.prompt == "show" and table.options() == list(NAMES[c.ARMY :])
    table.settle()
    assert len(table.display()) == 2 * players and table.of("stack") == 2 * players
    assert table.s["unseen"].sum() == 24 - 2 * players


@pytest.mark.rule("P-A8", "P-ruling-8")
def test_most_charisma_begins() -> None:
    assert dealt("Egypt", "Carthage", "Rome").asked == 2


@pytest.mark.rule("P-A8")
def test_a_tie_for_the_first_turn_is_drawn() -> None:
    table = begun(3, "Egypt", "Carthage", "Persia")
    while table.prompt != "first":
        engine.apply(table.box, table.s, legal(GAME, table.s)[0])
    assert table.asked == CHANCE and table.options() == ["seat 0", "seat 1", "seat 2"]
    assert table.choose("seat 1").asked == 1


def test_each_creature_comes_equally_often() -> None:
    shown = sum(begun(4, manual=False, seed=seed).s["display"][0] for seed in range(300))
    assert 60 < shown.min() <= shown.max() < 145  # 100 on average
