"""A plan leaves out what brings nothing, and nothing else."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sammu_env
from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import engine, steps
from sammu_env.agents import beam, outlook, plan
from sammu_env.agents.plan import COPIES, ROOT, SAME, TRIAL
from sammu_env.agents.planner import PLAN, Planner
from sammu_env.state import STATE
from tabletop.game import Record, new_state
from tabletop.jit import entry

GAME = sammu_env.load_game()


@entry
def hashed(s: Any) -> int:
    """What the beam knows a position by."""
    return beam.fingerprint(s[0])


@entry
def tidied(box: Any, copies: Any, search: Any, own: Any, out: Any) -> None:
    """Plays a draft, and tidies it; what the month is worth before and after, float64 (2,)."""
    plan.play(box[0], copies, search[0], own[0])
    ahead = copies[plan.AHEAD : plan.AHEAD + 1]
    out[0] = outlook.at_months_end(box[0], copies[TRIAL], ahead, search[0])
    plan.tidy(box[0], copies, search[0], own[0], out[0])
    out[1] = outlook.at_months_end(box[0], copies[TRIAL], ahead, search[0])


def tidy(start: Record, choices: list[int]) -> tuple[list[int], float, float]:
    """What is left of choices, and what the month is worth with all of them and without what is left out."""
    copies, search = np.zeros(COPIES, STATE), Planner(GAME, threads=1).work[0].search
    own, out = np.zeros(1, PLAN), np.zeros(2)
    copies[ROOT] = start[0]
    search["length"], search["draws"] = len(choices), SAME
    search["choice"][0, : len(choices)] = choices
    tidied(GAME.box, copies, search, own, out)
    return own["action"][0, : own["n"][0]].tolist(), out[0], out[1]


def at_turn(s: Record) -> bool:
    return bool(s["sp"][0] > 0 and s["op"][0, s["sp"][0] - 1] == steps.TURN)


def some_turn(challenge: str, seed: int) -> Record:
    """A position in the first months of a game in which it is somebody's turn, with actions left."""
    s, rng, later = new_state(GAME), np.random.default_rng(seed), seed % 5
    while not (at_turn(s) and (s["actions"] > 0).any() and later < 0):
        if s["to_act"][0] < 0 or not s["sp"][0]:  # lost too soon, or not begun
            GAME.reset(GAME.box, s, GAME.configure(challenge=challenge, players=2), int(rng.integers(1000)))
        later -= at_turn(s)
        GAME.apply(GAME.box, s, int(rng.choice(s["option"][0, : s["n_options"][0]])))
    return s


def wander(start: Record, rng: np.random.Generator, things: int) -> list[int]:
    """Choices at random of so many things that are done in a turn, at most 60; none if no turn is asked for then."""
    s, choices, done = start.copy(), list[int](), 0
    while done < things and len(choices) < 60 and s["to_act"][0] >= 0:
        options = s["option"][0, : s["n_options"][0]]
        options = options[options != a.DONE] if len(options) > 1 else options
        choices.append(int(rng.choice(options)))
        GAME.apply(GAME.box, s, choices[-1])
        done += at_turn(s)
    return choices if at_turn(s) else []


def replay(start: Record, choices: list[int]) -> Record:
    s = start.copy()
    for choice in choices:
        assert choice in s["option"][0, : s["n_options"][0]]
        GAME.apply(GAME.box, s, choice)
    return s


@pytest.mark.parametrize("challenge", ["SAM-183", "SAM-188", "SAM-194"])
def test_the_rest_is_legal_and_worth_no_less(challenge: str) -> None:
    shorter = 0
    for seed in range(12):
        start, rng = some_turn(challenge, seed), np.random.default_rng(seed)
        if choices := wander(start, rng, 6):
            left, before, after = tidy(start, choices)
            assert at_turn(replay(start, left)) and after >= before
            rest = iter(choices)
            assert all(choice in rest for choice in left)  # in their order
            shorter += len(left) < len(choices)
    assert shorter > 4


def test_what_leads_back_is_left_out() -> None:
    """All of it, or the way back where the way there is worth more."""
    empty = 0
    for seed in range(250):
        start = some_turn("SAM-188", seed)
        idle = wander(start, np.random.default_rng(seed), 2)
        if idle and hashed(replay(start, idle)) == hashed(start):
            left, before, after = tidy(start, idle)
            assert len(left) < len(idle) and (after > before or not left)
            empty += not left
    assert empty > 2


def test_what_the_plan_needs_stays() -> None:
    """Nothing more is left out where each thing alone is worth something."""
    kept = 0
    for seed in range(12):
        start, rng = some_turn("SAM-183", seed), np.random.default_rng(seed)
        left, _, worth = tidy(start, wander(start, rng, 6))
        again, _, same = tidy(start, left)
        assert same >= worth and len(again) <= len(left)
        kept += bool(again)
    assert kept > 4


def test_what_heals_the_queen_stays() -> None:
    start, heal = some_turn("SAM-188", 0), a.VERB + a.V_REMOVE_ASSASSINATION
    lilith = c.CHARACTERS.index("Lilith")
    start["assassination"], start["used"][0, lilith], start["status"][0, lilith] = 1, 0, c.IN_PLAY
    start["location"][0, lilith] = start["location"][0, c.SAMMU_RAMAT]
    engine.resume(GAME.box, start)  # it is offered now
    assert tidy(start, [heal])[0] == [heal]
