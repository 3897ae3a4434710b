"""What is offered: options in a list of their own, and outcomes with their weights."""

from __future__ import annotations

import numpy as np
import pytest

from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import engine
from tabletop import record
from tests.laws.walk import BOX, SIZE, Way, mask, options, some_ways, stops


@pytest.mark.parametrize("way", some_ways(5 * SIZE), ids=lambda way: f"{way.challenge}-{way.players}-{way.seed}")
def test_mask_is_what_is_listed(way: Way) -> None:
    for s in stops(way, 23, first=way.seed):
        assert np.flatnonzero(mask(s)).tolist() == sorted(options(s))


def test_weights_are_of_the_masked_outcomes_and_sum_to_one() -> None:
    seen = 0
    for s in stops(Way(4, players=5, manual_chance=True, sheltered=True), 3):
        out = np.full(a.N_ACTIONS, 9.0)
        engine.weights(BOX, s, out)
        if s["to_act"][0] == c.CHANCE:
            seen += 1
            assert ((out > 0) == (mask(s) == 1)).all()
            assert out.sum() == pytest.approx(1)
            assert mask(s)[engine.sample(BOX, record.copy(s))] == 1
        else:
            assert not out.any()
    assert seen > 3
