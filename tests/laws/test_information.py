"""Nobody is told more than the table shows: not the future, and not the other hands where they are hidden."""

from __future__ import annotations

import numpy as np
import pytest

from sammu_env import engine, observation
from sammu_env import state as st
from sammu_env.knowledge import resample
from tabletop import record
from tabletop.game import Record
from tabletop.log import trace
from tests.laws.test_conservation import check
from tests.laws.walk import BOX, SIZE, Way, mask, over, play_by_rule, some_ways, stops

HIDDEN = [way for way in some_ways(10 * SIZE, hidden_hands=True) if way.players > 1]
OPEN = some_ways(3 * SIZE, hidden_hands=False)


def seen(s: Record, seat: int) -> bytes:
    out = np.full(observation.SIZE, 7, np.float32)
    engine.observe(BOX, s, seat, out)
    return out.tobytes()


@pytest.mark.parametrize("way", HIDDEN, ids=lambda way: f"{way.challenge}-{way.players}-{way.seed}")
def test_every_hand_keeps_its_size_and_nothing_is_lost(way: Way) -> None:
    rng = np.random.default_rng(way.seed)
    for s in stops(way, 29, first=way.seed):
        for seat in range(way.players):
            world = resample(s, seat, rng)
            assert (world["hand_n"] == s["hand_n"]).all() and trace(world) == trace(s)
            assert ((world["ashur"] == st.HAND + seat) == (s["ashur"] == st.HAND + seat)).all()
            check(world)


def test_the_other_hands_are_dealt_anew() -> None:
    rng, hands = np.random.default_rng(0), 0
    for s in stops(Way(10, players=2, hidden_hands=True, sheltered=True), 13):
        worlds = {resample(s, 0, rng)["ashur"].tobytes() for _ in range(8)}
        hands += s["hand_n"][0, 1] > 0
        assert len(worlds) > 4 or s["hand_n"][0, 1] == 0 or s["to_act"][0] == 1
    assert hands > 3


@pytest.mark.parametrize("way", HIDDEN[:: max(1, len(HIDDEN) // (2 * SIZE))], ids=str)
def test_other_worlds_can_be_played(way: Way) -> None:
    rng = np.random.default_rng(way.seed)
    for s in stops(way, 61, first=way.seed):
        world = play_by_rule(resample(s, way.seed % way.players, rng), 1)
        assert over(world)
        check(world)


def test_hidden_hands_are_all_that_hides() -> None:
    """Who holds which card does not show; that hands are open does."""
    for s in stops(Way(12, players=3, hidden_hands=True), 31):
        world = resample(s, 0, np.random.default_rng(1))
        opened, other = record.copy(s), record.copy(world)
        opened["hidden_hands"] = other["hidden_hands"] = 0
        assert seen(s, 0) == seen(world, 0)
        assert (seen(opened, 0) == seen(other, 0)) == bool((s["ashur"] == world["ashur"]).all())


def test_no_question_of_before_is_left() -> None:
    """A list of options that is over may have named another's cards."""
    left = 0
    for s in stops(Way(3, players=4, hidden_hands=True, sheltered=True), 3):
        left += int(s["option"][0, s["n_options"][0] :].any())
        world = resample(s, 0, np.random.default_rng(1))
        assert not world["option"][0, world["n_options"][0] :].any()
        assert not world["op"][0, world["sp"][0] :].any() and not world["arg"][0, world["sp"][0] :].any()
    assert left > 3


@pytest.mark.parametrize("way", OPEN, ids=lambda way: f"{way.challenge}-{way.players}-{way.seed}")
def test_the_future_is_not_in_what_is_seen(way: Way) -> None:
    rng = np.random.default_rng(way.seed)
    for s in stops(way, 37, first=way.seed):
        world = resample(s, 0, rng)
        assert record.differing(s, world) == ["rng"]
        for seat in range(way.players):
            assert seen(world, seat) == seen(s, seat)
        assert mask(world).tolist() == mask(s).tolist()


def test_other_futures_differ() -> None:
    s = next(iter(stops(Way(1), 1)))
    rng = np.random.default_rng(0)
    ends = {trace(play_by_rule(resample(s, 0, rng), 0)) for _ in range(5)}
    assert len(ends) == 5


@pytest.mark.parametrize("seat", [-1, 3, 9, True, 1.0])
def test_wrong_seat_is_named(seat: int) -> None:
    with pytest.raises(ValueError, match=rf"seat is {seat}, choose one of 0 to 2"):
        resample(Way().begin(), seat, np.random.default_rng(0))
