"""Compiled and uncompiled, the rules play the same games."""

from __future__ import annotations

import hashlib
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sammu_env.game import CHALLENGES
from tabletop import jit
from tests.laws.walk import Way, canonical, play_by_rule, some_ways, trace

ROOT = Path(__file__).resolve().parents[2]
GAMES = 40
CODE = "import json; from tests.laws.test_compiled import played; print(json.dumps(played()))"


def ways() -> list[Way]:
    """All challenges and numbers of players, and two campaigns; chance answers by itself."""
    single = [way for way in some_ways(2 * GAMES, manual_chance=False) if not way.campaign][:GAMES]
    return [*single, Way(1, 2, "SAM-179", campaign=True, oracles=3), Way(2, 3, "random", campaign=True, advanced=True)]


def played() -> list[Any]:
    """Each game's trace, length, end and the hash of its last state; first, whether anything is compiled."""
    found: list[Any] = [jit.DISABLED]
    for way in ways():
        s = play_by_rule(way.begin(), way.seed)
        digest = hashlib.sha256(canonical(s)).hexdigest()[:16]
        found.append([*trace(s), int(s["decisions"][0]), int(s["cause"][0]), digest])
    return found


def test_games_are_of_every_sort() -> None:
    assert {way.players for way in ways()} == {1, 2, 3, 4, 5}
    assert {way.challenge for way in ways()} == {*CHALLENGES, "random"}
    assert len(ways()) == GAMES + 2


@pytest.mark.slow
@pytest.mark.skipif(jit.DISABLED, reason="nothing is compiled here to compare with")
def test_uncompiled_plays_the_same_games() -> None:
    done = subprocess.run(
        [sys.executable, "-c", CODE], cwd=ROOT, capture_output=True, text=True, timeout=300,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    plain, compiled = json.loads(done.stdout), played()
    assert (plain[0], compiled[0]) == (True, False)
    for way, one, other in zip(ways(), compiled[1:], plain[1:], strict=True):
        assert one == other, way
