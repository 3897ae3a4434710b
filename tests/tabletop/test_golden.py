"""Golden games of the toys; and what is said when they are played otherwise."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tabletop import golden
from tabletop.conformance import Violation
from tests.tabletop.bidding import Bidding
from tests.tabletop.broken import FewestCoinsWin
from tests.tabletop.toy import Toy

PATH = Path(__file__).with_name("golden.json")
GAME = Bidding()
BEGINS = {f"{players} rivals": (GAME.configure(players), 10 + players) for players in (2, 3, 4)}


@pytest.mark.parametrize("name", list(BEGINS))
def test_golden_games_replay(name: str) -> None:
    golden.check(PATH, GAME, name)


def test_they_are_those_that_would_be_written() -> None:
    golden.check_current(PATH, GAME, BEGINS)


def changed(tmp_path: Path, change: Any) -> Path:
    data = json.loads(PATH.read_text(encoding="utf-8"))
    change(data["games"]["2 rivals"])
    path = tmp_path / "changed.json"
    path.write_text(json.dumps(data), encoding="utf-8")
    return path


def test_a_game_that_is_no_longer_written_is_noticed() -> None:
    with pytest.raises(ValueError, match=r"golden\.json holds other games than would be written now"):
        golden.check_current(PATH, GAME, {**BEGINS, "2 rivals": BEGINS["3 rivals"]})


def test_another_choice_is_named(tmp_path: Path) -> None:
    def lay_what_is_not_held(kept: Any) -> None:
        hand = {card for _, card in kept["log"]["entries"][0:8:2]}
        kept["log"]["entries"][8][1] = next(card for card in range(6) if card not in hand)

    with pytest.raises(Violation, match=r"'golden', seed 12, step 8, 2 rivals: illegal action"):
        golden.check(changed(tmp_path, lay_what_is_not_held), GAME, "2 rivals")


def test_another_outcome_is_named(tmp_path: Path) -> None:
    def deal_otherwise(kept: Any) -> None:
        kept["log"]["entries"][3][1] = (kept["log"]["entries"][3][1] + 1) % 6

    with pytest.raises(Violation, match=r"step 3, 2 rivals: what happens is \(-1, \d\), was \(-1, \d\)"):
        golden.check(changed(tmp_path, deal_otherwise), GAME, "2 rivals")


def test_another_end_is_named(tmp_path: Path) -> None:
    class Other(FewestCoinsWin):
        name = GAME.name

    with pytest.raises(Violation, match=r"the end is .*, was "):
        golden.check(PATH, Other(), "4 rivals")
    with pytest.raises(Violation, match="or the trace is another"):
        golden.check(changed(tmp_path, lambda kept: kept["log"].update(trace=[1, 2])), GAME, "2 rivals")


def test_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="the log is of the game 'bidding'"):
        golden.check(PATH, Toy(), "2 rivals")


if __name__ == "__main__":
    golden.main(PATH, GAME, BEGINS, "tests.tabletop.test_golden")
