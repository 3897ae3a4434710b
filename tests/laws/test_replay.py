"""A game goes on alike from a copy, a save, a log, and by whichever way it is played."""

from __future__ import annotations

import json

import numpy as np
import pytest
from hypothesis import example, given, settings

import sammu_env
from sammu_env import campaign, engine, position
from sammu_env import constants as c
from tabletop import record
from tabletop.batch import Batch
from tabletop.game import CHANCE, Record
from tabletop.log import Log, Match, replay
from tabletop.single import Single
from tests.laws.walk import (
    BOX,
    GAME,
    MOST,
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
    trace,
    ways,
)

WAYS = pytest.mark.parametrize("way", some_ways(5 * SIZE), ids=lambda way: f"{way.challenge}-{way.players}-{way.seed}")
#: Choices tried after going on from somewhere.
ON = 30


def saved(s: Record) -> Record:
    """Through a readable position and JSON and back."""
    return position.load(json.loads(json.dumps(position.dump(s))))


@WAYS
def test_copy_plays_on_alike(way: Way) -> None:
    for s in stops(way, 41, first=way.seed):
        before = s.tobytes()
        one, two = play_by_rule(record.copy(s), 1, ON), play_by_rule(s.copy(), 1, ON)
        assert s.tobytes() == before
        assert one.tobytes() == two.tobytes()


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


@WAYS
def test_snapshot_undoes_every_byte(way: Way) -> None:
    for s in stops(way, 41, first=way.seed + 5):
        snapshot = record.copy(s)
        play_by_rule(s, 3, ON)
        assert over(snapshot) or (s["rng"].tobytes() != b"" and s.tobytes() != snapshot.tobytes())
        record.put(s, slice(None), snapshot)
        assert s.tobytes() == snapshot.tobytes()


# A log


def match_by_rule(way: Way, told: bool = False) -> Match:
    """A whole game with its log; chance told from the record's generator if wished."""
    match = Match(GAME, way.setup(), way.seed, manual_chance=told)
    step = 0
    while not match.over:
        if match.to_act == CHANCE:
            match.act(int(engine.sample(BOX, match.s)))
        else:
            match.act(by_rule(match.s, way.seed, step))
            step += 1
    return match


def plain(way: Way) -> Way:
    """Without help, and chance by itself."""
    return Way(way.seed, way.players, way.challenge, way.campaign, way.oracles, 3, way.advanced, way.hidden_hands)


@WAYS
def test_every_way_to_play_is_the_same_game(way: Way) -> None:
    way = plain(way)
    match = match_by_rule(way)
    log = match.stamped()
    whole = trace(match.s)
    told = match_by_rule(way, told=True)
    assert trace(told.s) == whole
    assert told.log.entries == log.entries
    assert trace(play_by_rule(way.begin(), way.seed)) == whole
    assert trace(by_env(way)) == whole
    assert trace(replay(GAME, log)) == whole
    assert replay(GAME, Log.from_dict(json.loads(json.dumps(log.to_dict())))).tobytes() == match.s.tobytes()


def by_env(way: Way) -> Record:
    """The same game through PettingZoo."""
    env = sammu_env.env(
        challenge=way.challenge, players=way.players, campaign=way.campaign, oracles=way.oracles,
        advanced=way.advanced, hidden_hands=way.hidden_hands,
    )  # fmt: skip
    env.reset(seed=way.seed)
    for step, _ in enumerate(env.agent_iter(MOST)):
        done = env.last(observe=False)[2]
        env.step(None if done else by_rule(env.unwrapped.record, way.seed, step))
    s: Record = env.unwrapped.record
    return s


def test_gymnasium_plays_the_same_games() -> None:
    for way in map(plain, some_ways(SIZE)):
        env = Single(GAME, way.setup())
        env.reset(seed=way.seed)
        for step in range(MOST):
            if env.step(by_rule(env.record, way.seed, step))[2]:
                break
        assert trace(env.record) == trace(play_by_rule(way.begin(), way.seed)), way


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_batch_plays_the_same_games(threads: int) -> None:
    every = [plain(way) for way in some_ways(5 * SIZE)]
    seeds = np.array([way.seed for way in every])
    setups = np.concatenate([way.setup() for way in every])
    batch = Batch(GAME, setups, autoreset="Disabled", observe=False, threads=threads)
    batch.reset(seeds)
    actions, step = np.zeros(len(every), np.int64), 0
    while (going := np.flatnonzero(batch.states["to_act"] != c.NOBODY)).size:
        actions[going] = [by_rule(batch.states[i : i + 1], every[i].seed, step) for i in going]
        batch.step(actions)
        step += 1
    for i, way in enumerate(every):
        assert trace(batch.states[i : i + 1]) == trace(play_by_rule(way.begin(), way.seed)), way


@pytest.mark.parametrize("way", [plain(way) for way in some_ways(SIZE)], ids=str)
def test_undo_takes_back_every_choice(way: Way) -> None:
    match = match_by_rule(way)
    stands: list[bytes] = []
    again = Match(GAME, way.setup(), way.seed)
    for _ in range(12):
        stands.append(again.s.tobytes())
        again.act(by_rule(again.s, way.seed, len(stands) - 1))
    for before in reversed(stands):
        assert again.undo()
        assert again.s.tobytes() == before
    assert not again.undo()
    for actor, action in match.log.entries:
        if actor != CHANCE:
            again.act(action)
    assert again.stamped() == match.stamped()


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
