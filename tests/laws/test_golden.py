"""The golden games play as they were written down (``golden.py`` says how)."""

from __future__ import annotations

import pytest

from tabletop import golden
from tests.laws.golden import PATH, begins, ways
from tests.laws.walk import GAME


@pytest.mark.parametrize("name", list(ways()))
def test_golden_game_replays(name: str) -> None:
    golden.check(PATH, GAME, name)


def test_they_are_those_that_would_be_written() -> None:
    golden.check_current(PATH, GAME, begins())
