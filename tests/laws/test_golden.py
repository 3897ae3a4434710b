"""The golden games play as they were written down (``golden.py`` says how)."""

from __future__ import annotations

import pytest

from tabletop.log import replay, trace
from tests.laws.golden import WRITE, entry, play, ways, written
from tests.laws.walk import GAME


@pytest.mark.parametrize("name", list(ways()))
def test_golden_game_replays(name: str) -> None:
    golden = written()
    assert golden["edition"] == GAME.edition, f"the box's data has changed since: {WRITE}"
    match = play(ways()[name])
    assert entry(match) == golden["games"][name], f"the rules play it differently: if that is meant, {WRITE}"
    assert list(trace(replay(GAME, match.stamped()))) == golden["games"][name]["trace"]


def test_every_game_is_there_and_no_other() -> None:
    assert list(written()["games"]) == list(ways())
    assert len({tuple(game["trace"]) for game in written()["games"].values()}) == len(ways())
