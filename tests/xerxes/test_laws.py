"""The laws that every game keeps, golden games, and what random games come to."""

from __future__ import annotations

import os
from typing import Any

import numpy as np
import pytest

from tabletop import agents, conformance, golden
from tabletop.game import LOST, WON
from tests.xerxes.golden import BEGINS, GAME, PATH
from xerxes_env import constants as c
from xerxes_env import load_game

SETUPS = np.concatenate([GAME.configure(players) for players in (1, 2, 3, 4)])
ALL_POWERS = [GAME.configure(4, "Aegyptus,India,Lydia,Bactria"), GAME.configure(4, "Babylonia,Parthia,Sogdia,Assyria")]


def test_laws_of_one_to_four_players() -> None:
    laws = [law for law in conformance.LAWS if law != "uncompiled"]
    conformance.check(GAME, SETUPS, seeds=range(4), every=60, laws=laws)


@pytest.mark.slow
def test_all_laws() -> None:
    conformance.check(GAME, np.concatenate([SETUPS, *ALL_POWERS]), seeds=range(6), every=25)


@pytest.mark.slow
def test_laws_on_other_boxes() -> None:
    game = load_game(box_seed=[5, 6, 7])
    setups = np.concatenate([game.configure(players, box=box) for players, box in ((4, 0), (3, 1), (2, 2))])
    conformance.check(game, setups, seeds=range(3), every=20)


@pytest.mark.parametrize("name", list(BEGINS))
def test_golden_games_replay(name: str) -> None:
    golden.check(PATH, GAME, name)


def test_they_are_those_that_would_be_written() -> None:
    golden.check_current(PATH, GAME, BEGINS)


def asked_of(name: str) -> set[str]:
    """The blocks of the catalogue that a golden game chooses from."""
    return {GAME.group(action) for _, action in golden.read(PATH)[name]["log"]["entries"]}


def test_golden_games_use_powers() -> None:
    assert any("power" in asked_of(name) for name in BEGINS)


#: Of a plain prototype, 2,000 games each: 25 VP reached, mean decisions, mean VP, VP of the winner.
PROTOTYPE = {1: (0.116, 35.3, 18.1, 18.1), 2: (0.139, 68.7, 16.0, 19.9), 3: (0.386, 116.5, 17.2, 23.1),
             4: (0.383, 162.6, 16.7, 23.2)}  # fmt: skip


def random_games(players: int, n: int) -> Any:
    return agents.make("random", GAME).play(GAME.configure(players).repeat(n), np.arange(n))


@pytest.mark.slow
@pytest.mark.skipif(os.environ.get("NUMBA_DISABLE_JIT") == "1", reason="takes minutes uncompiled")
@pytest.mark.parametrize("players", list(PROTOTYPE))
def test_random_games_are_as_those_of_a_prototype(players: int) -> None:
    """Another program of the same rules: the tolerances are four standard errors of 2,000 games, and a little for what
    it asks in another way."""
    reached, decisions, vp, best = PROTOTYPE[players]
    ended = random_games(players, 2000)
    points = ended["vp"][:, :players]
    assert abs((ended["cause"] == 0).mean() - reached) < 0.05
    assert abs(ended["decisions"].mean() / decisions - 1) < 0.06
    assert abs(points.mean() - vp) < 0.6 and abs(points.max(1).mean() - best) < 0.6


def test_cards_are_conserved_and_nobody_has_too_much() -> None:
    ended = random_games(4, 8)
    for s in ended:
        assert (s["tax"] != c.DECK).all() and (s["march"] != c.DECK).all()
        assert (s["resource"] <= 3).all() and all((s["owner"] == seat).sum() <= c.TOKENS for seat in range(4))
        out = [(s["tax"] == c.OUT + seat).sum() + (s["march"] == c.OUT + seat).sum() for seat in range(4)]
        assert out == [0 if satrap == c.ASSYRIA else 2 for satrap in s["satrap"]]
    result, place, score = GAME.results(ended)
    assert (
        ((result == WON).sum(1) <= 1).all()
        and set(np.unique(result)) <= {1, 2, 3}
        and (place[result == LOST] > 1).all()
    )
    assert (score == ended["vp"]).all()
