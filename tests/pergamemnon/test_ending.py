"""P-E: the end and the winner."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.game import DRAWN, LOST, WON
from tests.pergamemnon.table import Table


def scored(*nations: str, **piles: object) -> Table:
    """A game that is broken off."""
    nothing = dict.fromkeys(range(len(nations)), "")
    given = {name: {**nothing, **piles.pop(name, {})} for name in ("hand", "draw")}  # type: ignore[dict-item]
    return Table(*nations, turn=300, **given, **piles)  # type: ignore[arg-type]


@pytest.mark.rule("P-E1")
@pytest.mark.parametrize(("display", "stack", "over"), [
    ("Dryad, Satyr", 0, True), ("Dryad, Satyr, Harpy", 0, False), ("Dryad, Satyr", 1, False),
])  # fmt: skip
def test_fewer_creatures_than_players_end_the_game(display: str, stack: int, over: bool) -> None:
    table = Table("Rome", "Egypt", hand={0: "Centurio, 2 Legionary"}, charisma=(5, 1), display=display, stack=stack)
    table.choose("hire", "Dryad")
    assert table.over is over
    if over:
        assert table.cause == "few creatures" and table.size("hand", 0) == 0  # at once: nothing is refilled


@pytest.mark.rule("P-E2")
@pytest.mark.parametrize(("left", "over"), [("2 Spearman", True), ("2 Spearman, Archer of Kush", False)])
def test_a_nation_of_fewer_than_three_cards_ends_the_game(left: str, over: bool) -> None:
    table = Table("Hellenes", "Egypt", hand={0: "Hercules, Elite, Hoplite", 1: f"Charioteer, {left}"}, charisma=(0, 1),
                  draw={1: ""}).attack("sword", "Hercules", "Charioteer").choose("done", "done").settle()  # fmt: skip
    assert table.over is over
    if over:
        assert table.cause == "few cards"


@pytest.mark.rule("P-E3")
def test_points_count_in_hand_piles_and_secured_not_under_the_city() -> None:
    table = scored("Rome", "Egypt", hand={0: "Caesar", 1: "Spearman"}, draw={0: "Titan"}, discard={0: "Spearman"},
                   secured={0: "Priest"}, city={0: "Nefertiti, Hydra"})  # fmt: skip
    score = table.game.results(table.s).score[0]
    assert score.tolist() == [4 + 7 + 2 + 2, 2, 0, 0, 0]


@pytest.mark.rule("P-E3", "P-E4")
def test_most_points_win() -> None:
    table = scored("Rome", "Egypt", "Persia", hand={0: "Caesar", 1: "Titan", 2: "Immortal"})
    result, place, _ = table.game.results(table.s)
    assert result[0, :3].tolist() == [LOST, WON, LOST] and place[0].tolist() == [2, 1, 3, 0, 0]
    paid = np.zeros(5)
    table.game.rewards(table.box, table.s, paid)
    assert paid.tolist() == [-0.5, 1, -0.5, 0, 0]


@pytest.mark.rule("P-E4")
def test_tied_the_strongest_creature_wins() -> None:
    table = scored("Rome", "Egypt", hand={0: "Medusa, Minotaur", 1: "Cyclops, Siren"})  # 5 + 4, 6 + 3
    assert table.game.results(table.s).result[0, :2].tolist() == [LOST, WON]


@pytest.mark.rule("P-E5")
def test_still_tied_the_victory_is_shared() -> None:
    table = scored("Rome", "Egypt", "Persia", hand={0: "Minotaur", 1: "Chimera", 2: "Dryad"})
    result, place, _ = table.game.results(table.s)
    assert result[0, :3].tolist() == [DRAWN, DRAWN, LOST] and place[0, :3].tolist() == [1, 1, 3]
    paid = np.zeros(5)
    table.game.rewards(table.box, table.s, paid)
    assert np.allclose(paid, [0.25, 0.25, -0.5, 0, 0])


@pytest.mark.rule("P-E5", "P-ruling-18")
def test_after_300_turns_a_game_is_broken_off() -> None:
    assert Table("Rome", "Egypt", turn=299).over is False
    table = Table("Rome", "Egypt", turn=300)
    assert table.over and table.cause == "turn limit"


@pytest.mark.parametrize(("hands", "lang", "text"), [
    (("Caesar", "Titan"), "en", "player 2 (Egypt) wins with 7 points: 300 turns are played"),
    (("Caesar", "Titan"), "ja", "プレイヤー2 (エジプト)が7ポイントで勝利：300手番が経過した"),
    (("Medusa, Minotaur", "Cyclops, Siren"), "en",
     "player 2 (Egypt) wins with 9 points and the strongest creature of those who tie: 300 turns are played"),
    (("Medusa, Minotaur", "Cyclops, Siren"), "ja",
     "プレイヤー2 (エジプト)が9ポイント、同点の中で最も力強いクリーチャーで勝利：300手番が経過した"),
    (("Minotaur", "Chimera"), "en",
     "player 1 (Rome), player 2 (Egypt) share the victory with 4 points each: 300 turns are played"),
    (("Minotaur", "Chimera"), "ja",
     "プレイヤー1 (ローマ)、プレイヤー2 (エジプト)がそれぞれ4ポイントで勝利を分け合う：300手番が経過した"),
])  # fmt: skip
def test_the_end_says_who_has_won(hands: tuple[str, str], lang: str, text: str) -> None:
    table = scored("Rome", "Egypt", hand=dict(enumerate(hands)))
    assert table.game.stage(table.s, lang) == text
    over = {"en": f"the game is over: {text}", "ja": f"ゲーム終了:{text}"}[lang]
    assert table.game.question(table.s, lang) == over


def test_half_points_are_said() -> None:
    table = scored("Hellenes", "Egypt", hand={0: "Titan", 1: "Dryad"})
    assert table.game.stage(table.s).startswith("player 1 (Hellenes) wins with 10.5 points: ")
