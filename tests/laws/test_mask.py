"""The mask is what ``apply`` accepts, by trial of the whole catalogue."""

from __future__ import annotations

import numpy as np
import pytest

from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import engine
from tabletop import record
from tabletop.game import Record
from tests.laws.walk import BOX, SIZE, Way, mask, options, over, play_by_rule, some_ways, stops

WRONG = (-1, -(2**40), a.N_ACTIONS, a.N_ACTIONS + 1, 2**31, 2**40)


def check_mask(s: Record) -> None:
    """Tries every number on a copy; a refusal leaves every byte."""
    before = s.tobytes()
    marked = mask(s)
    assert np.flatnonzero(marked).tolist() == sorted(options(s))
    twin = record.copy(s)
    for action in (*range(a.N_ACTIONS), *WRONG):
        accepted = engine.apply(BOX, twin, action)
        assert accepted == (0 <= action < a.N_ACTIONS and bool(marked[action])), action
        if accepted:
            assert twin["decisions"][0] == s["decisions"][0] + (s["to_act"][0] != c.CHANCE)
            twin = record.copy(s)
        assert twin.tobytes() == before, action


@pytest.mark.parametrize("way", some_ways(5 * SIZE), ids=lambda way: f"{way.challenge}-{way.players}-{way.seed}")
def test_mask_is_what_is_accepted(way: Way) -> None:
    for s in stops(way, 23, first=way.seed):
        check_mask(s)


def test_looking_changes_nothing() -> None:
    for s in stops(Way(3, manual_chance=True, hidden_hands=True), 7):
        before = s.tobytes()
        mask(s)
        engine.weights(BOX, s, np.zeros(a.N_ACTIONS))
        engine.observe(BOX, s, 1, np.zeros(20_000, np.float32))
        engine.rewards(BOX, s, np.zeros(c.MAX_PLAYERS))
        assert s.tobytes() == before


def test_weights_are_of_the_masked_outcomes_and_sum_to_one() -> None:
    seen = 0
    for s in stops(Way(4, players=5, manual_chance=True, sheltered=True), 3):
        out = np.full(a.N_ACTIONS, 9.0)
        engine.weights(BOX, s, out)
        if s["to_act"][0] == c.CHANCE:
            seen += 1
            assert ((out > 0) == (mask(s) == 1)).all()
            assert out.sum() == pytest.approx(1)
            assert mask(s)[engine.sample(BOX, s)] == 1
        else:
            assert not out.any()
    assert seen > 3


@pytest.mark.parametrize("campaign", [False, True])
def test_finished_game_refuses_everything(campaign: bool) -> None:
    s = play_by_rule(Way(5, challenge="SAM-179", campaign=campaign).begin(), 5)
    assert over(s) and not mask(s).any()
    check_mask(s)
