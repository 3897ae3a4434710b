"""Any box that an edition file can describe plays to the end, loses nothing and stays in the observation's ranges."""

from __future__ import annotations

import typing
from functools import cache
from typing import Any

import numpy as np
import pytest

import sammu_env
from benchmarks.editions import random_edition
from benchmarks.soak import HIGH, LOW, counts_hold
from sammu_env import constants as c
from sammu_env import engine, observation
from sammu_env.components import Components, schema
from sammu_env.state import STATE
from tabletop.jit import entry
from tests.laws.walk import MOST, SIZE, mask

EXTREMES = 3


@entry
def holds(box: Any, s: Any) -> bool:
    """Whether every component is somewhere, and none twice."""
    return counts_hold(box[0], s[0])


def play(kit: Components, seed: int) -> None:
    """A random game, a campaign now and then."""
    rng = np.random.default_rng(seed)
    campaign = seed % 5 == 4
    how = {"challenge": "random", "players": 1 + seed % 5, "campaign": campaign, "oracles": seed % 4}
    s, seen = np.zeros(1, STATE), np.zeros(observation.SIZE, np.float32)
    engine.reset(kit.box, s, sammu_env.load_game().configure(**how), seed)
    for n in range(5 * MOST):
        if s["to_act"][0] == c.NOBODY:
            break
        if n % 5 == 0:
            assert holds(kit.box, s)
            engine.observe(kit.box, s, int(s["seat"][0]), seen)
            out = [
                part.name
                for part in observation.layout()
                if not (LOW[part.slice] <= seen[part.slice]).all() or not (seen[part.slice] <= HIGH[part.slice]).all()
            ]
            assert not out, {part.name: seen[part.slice].max() for part in observation.layout() if part.name in out}
        legal = np.flatnonzero(mask(s, kit.box))
        assert len(legal) > 1
        assert engine.apply(kit.box, s, int(rng.choice(legal)))
    assert s["to_act"][0] == c.NOBODY and holds(kit.box, s)


@cache
def edition(seed: int, extreme: bool) -> Components:
    return random_edition(seed, extreme)


@pytest.mark.parametrize("seed", range(2 * SIZE))
def test_random_editions_are_played(seed: int) -> None:
    for game in range(5):
        play(edition(seed, False), 5 * seed + game)


@pytest.mark.parametrize("seed", range(EXTREMES))
def test_editions_of_the_largest_numbers_are_played(seed: int) -> None:
    for game in range(SIZE):
        play(edition(seed, True), SIZE * seed + game)


def test_every_effect_is_played_with_its_largest_number() -> None:
    """So the ranges of the observation are held against all of them."""
    played = set()
    for seed in range(EXTREMES):
        content = edition(seed, True).content
        programs = [event.banner + event.effects for event in content.event.values()]
        programs += [rows for challenge in content.challenge.values() for rows in challenge.monthly.values()]
        played |= {(type(effect), getattr(effect, "n", 0)) for rows in programs for effect in rows}
    for model in typing.get_args(typing.get_args(schema.Effect)[0]):
        if "n" in model.model_fields:
            rules = model.model_fields["n"].metadata
            most = next((rule.le for rule in rules if hasattr(rule, "le")), 20)  # queen_actions: a number or "none"
            assert (model, most) in played, (model, most)


def test_a_random_edition_is_the_same_for_the_same_seed() -> None:
    assert random_edition(3).hash == edition(3, False).hash != edition(2, False).hash
