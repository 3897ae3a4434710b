"""The golden games play as they were written down (``golden.py`` says how)."""

from __future__ import annotations

import pytest

from tabletop import golden
from tests.laws.golden import PATH, ways
from tests.laws.walk import GAME


@pytest.mark.parametrize("name", list(ways()))
def test_golden_game_replays(name: str) -> None:
    golden.check(PATH, GAME, name)


def test_every_game_is_there_and_no_other() -> None:
    games = golden.read(PATH)
    assert list(games) == list(ways())
    assert len({tuple(game["log"]["trace"]) for game in games.values()}) == len(ways())
