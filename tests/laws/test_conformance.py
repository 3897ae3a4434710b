"""Sammu-Ramat keeps the laws of every game: in whole games, and where random play seldom comes."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop import jit
from tabletop.conformance import check, check_position
from tabletop.laws import OF_ALL, OF_PLAYS, OF_POSITIONS
from tests.laws.walk import GAME, MOST, SIZE, Way, some_ways, stops

#: Drawing takes long: pictures are looked at in few positions.
QUICK = [law.__name__ for law in OF_POSITIONS if law.__name__ != "pictures"]
IN_PLAY = [law.__name__ for law in OF_PLAYS]
TOGETHER = [law.__name__ for law in OF_ALL if law.__name__ != "uncompiled"]


def ways(n: int, **fixed: bool) -> list[Way]:
    """Games as they are played: chance by itself, without help."""
    return some_ways(n, manual_chance=False, sheltered=False, **fixed)


def name(way: Way) -> str:
    return f"{way.challenge}-{way.players}-{way.seed}"


@pytest.mark.parametrize("way", ways(5 * SIZE), ids=name)
def test_games_keep_the_laws(way: Way) -> None:
    check(GAME, way.setup(), [way.seed], laws=[*IN_PLAY, *QUICK], every=23, most=MOST)


@pytest.mark.parametrize("way", some_ways(5 * SIZE), ids=name)
def test_positions_keep_the_laws(way: Way) -> None:
    for n, s in enumerate(stops(way, 7, first=way.seed)):
        check_position(GAME, s, laws=["bounds"] if n % 3 else QUICK, seed=way.seed)


@pytest.mark.parametrize("way", [*ways(SIZE), *some_ways(SIZE, hidden_hands=True)], ids=name)
def test_pictures_keep_secrets(way: Way) -> None:
    for s in stops(way, 61, first=way.seed):
        check_position(GAME, s, laws=["pictures"], seed=way.seed)


def test_games_keep_the_laws_together() -> None:
    each = [*ways(5 * SIZE), *ways(3, hidden_hands=True)]
    check(GAME, np.concatenate([way.setup() for way in each]), [way.seed for way in each], laws=TOGETHER)


@pytest.mark.slow
@pytest.mark.skipif(jit.DISABLED, reason="nothing is compiled here to compare with")
def test_uncompiled_plays_the_same_games() -> None:
    each = ways(2 * SIZE)
    assert {way.players for way in each} == {1, 2, 3, 4, 5} and any(way.campaign for way in each)
    check(GAME, np.concatenate([way.setup() for way in each]), [way.seed for way in each], laws=["uncompiled"])
