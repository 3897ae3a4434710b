"""A game goes on alike from a position that was written for people; seeds lead to games of their own."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import example, given, settings

from sammu_env import campaign, engine, position
from sammu_env import constants as c
from tabletop.game import Record
from tabletop.log import Match
from tests.laws.walk import (
    BOX,
    GAME,
    SIZE,
    Way,
    asked,
    by_rule,
    canonical,
    differing,
    laws,
    over,
    play_by_rule,
    shelter,
    some_ways,
    stops,
    ways,
)

WAYS = pytest.mark.parametrize("way", some_ways(5 * SIZE), ids=lambda way: f"{way.challenge}-{way.players}-{way.seed}")
#: Choices tried after going on from somewhere.
ON = 30


def saved(s: Record) -> Record:
    """Through a readable position and JSON and back."""
    return position.load(json.loads(json.dumps(position.dump(s))))


@WAYS
def test_saved_game_is_the_game_and_plays_on_alike(way: Way) -> None:
    for s in stops(way, 17, first=way.seed):
        again = saved(s)
        assert differing(s, again) == []
        assert canonical(play_by_rule(again, 2, ON)) == canonical(play_by_rule(s, 2, ON))


@settings(laws, max_examples=4 * SIZE)
@given(ways())
@example(Way(challenge="random", manual_chance=True))
def test_saved_start_is_the_start(way: Way) -> None:
    s = way.begin()
    assert differing(s, saved(s)) == []


def test_position_says_the_same_of_what_it_loaded() -> None:
    for s in stops(Way(8, players=4, challenge="SAM-187", oracles=3, sheltered=True), 19):
        said = position.dump(s)
        assert position.dump(position.load(said)) == said


# A log


def match_by_rule(way: Way) -> Match:
    """A whole game with its log."""
    match, step = Match(GAME, way.setup(), way.seed), 0
    while not match.over:
        match.act(by_rule(match.s, way.seed, step))
        step += 1
    return match


def test_same_seed_same_log_and_others_differ() -> None:
    logs = [match_by_rule(Way(seed, players=2)).stamped() for seed in range(6)]
    assert logs == [match_by_rule(Way(seed, players=2)).stamped() for seed in range(6)]
    assert len({log.trace for log in logs}) == 6


def test_seeds_beyond_32_bits_differ() -> None:
    seeds = (0, 1, 2**32, 2**40 + 1, 2**62, -1)
    assert len({Way(seed).begin()["rng"].tobytes() for seed in seeds}) == len(seeds)


# Between the challenges of a campaign


@pytest.mark.parametrize(("before", "after"), [(3, 2), (5, 1), (1, 4), (2, 5)])
def test_saved_game_of_changing_players(before: int, after: int) -> None:
    s = play_by_rule(Way(9, players=before, challenge="SAM-179").begin(), 9)
    rng = np.random.default_rng(0)
    s["status"][0, c.SAMMU_RAMAT] = c.IN_PLAY
    shelter(s, rng)
    s["gate"][0, c.ASSYRIA] = 1
    s["cause"] = c.OUT_OF_MONTHS
    following = campaign.carry_over(s, "SAM-183", after)
    while not over(following) and following["stage"][0] != c.ST_ACTIONS:
        again = saved(following)
        assert differing(following, again) == [], asked(following)
        assert engine.apply(BOX, following, by_rule(following, 1, int(following["decisions"][0])))
