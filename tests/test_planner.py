"""Of several plans the planner takes the one after which the next month brings most."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest

import sammu_env
from sammu_env import constants as c
from sammu_env.agents import planner
from sammu_env.agents.outlook import WON
from sammu_env.agents.plan import END, ROOT, TRIAL
from sammu_env.agents.planner import LAST_FUTURES, Planner
from tabletop import record
from tabletop.game import Record, new_state
from tabletop.jit import entry
from tests.test_plan import some_turn

GAME = sammu_env.load_game()


@entry
def looked_ahead(
    box: Any, copies: Any, states: Any, slots: Any, ways: Any, nodes: Any, search: Any, out: Any, halt: Any
) -> None:
    out[0] = planner.at_next_months_end(box[0], copies, states, slots, ways, nodes, search[0], 7, halt)


def look_ahead(root: Record, end: Record, **options: int) -> tuple[float, Planner]:
    """What a position where a plan ends is worth a month later, and the planner whose copies were used."""
    agent, out = Planner(GAME, threads=1, **options), np.zeros(1)
    copies, *room, search, _ = agent.work[0].arrays
    copies[ROOT], copies[TRIAL] = root[0], end[0]
    search["rng"] = np.random.SeedSequence(1).generate_state(4)
    looked_ahead(GAME.box, copies, *room, search, out, agent.halt)
    return float(out[0]), agent


@pytest.mark.parametrize("seed", range(4))
def test_a_look_ahead_changes_neither_the_root_nor_how_wide_a_plan_is(seed: int) -> None:
    s = some_turn("SAM-188", seed)
    _, agent = look_ahead(s, s, width=24, tries=20, futures=2, ahead=2)
    copies, search = agent.work[0].arrays[0], agent.work[0].search[0]
    assert record.differing(copies[ROOT : ROOT + 1], s) == record.differing(copies[END : END + 1], s) == []
    assert (search["width"], search["tries"], search["game"]) == (24, 20, 0)


def test_after_the_last_month_there_is_nothing_to_plan() -> None:
    """All futures are decided: each is won or lost."""
    s = some_turn("SAM-188", 3)
    s["month"] = s["months"]
    wins = look_ahead(s, s, width=2, tries=2)[0] * LAST_FUTURES / WON
    assert wins == round(wins) and abs(wins) <= LAST_FUTURES


@pytest.mark.parametrize("seed", range(2, 5))
def test_the_next_month_is_planned(seed: int) -> None:
    """Who looks at more plans of it makes more of it."""
    s = some_turn("SAM-188", seed)
    hasty, careful = (look_ahead(s, s, width=n, tries=n)[0] for n in (1, 16))
    assert careful > hasty + 5


@pytest.mark.parametrize("options", [
    pytest.param({"width": 500, "tries": 5000}, marks=pytest.mark.slow),
    {"width": 2, "tries": 4, "plans": 2, "ahead": 10**6},
])  # fmt: skip
def test_it_gives_up_a_plan_when_it_is_halted(options: dict[str, int]) -> None:
    planner = Planner(GAME, **options)
    s, mask = new_state(GAME), np.zeros((1, GAME.n_actions), np.int8)
    GAME.reset(GAME.box, s, GAME.configure(players=3), 1)
    GAME.legal(GAME.box, s, mask[0])
    threading.Timer(0.1, planner.halt.fill, [1]).start()
    assert mask[0, planner.act(s, mask)[0]] and planner.plans["n"][0] == 0  # else it would plan for minutes


def test_it_says_where_it_follows_a_plan() -> None:
    planner = Planner(GAME, width=4, tries=8, threads=1)
    s, mask = new_state(GAME), np.zeros((1, GAME.n_actions), np.int8)
    GAME.reset(GAME.box, s, GAME.configure(players=1), 1)
    assert not planner.follows(s)
    followed = 0
    for _ in range(30):
        GAME.legal(GAME.box, s, mask[0])
        follows, due = planner.follows(s), planner.plans["action"][0, planner.plans["at"][0]] if followed else -1
        choice = int(planner.act(s, mask)[0])
        assert not follows or not followed or choice == due
        followed += follows
        GAME.apply(GAME.box, s, choice)
    assert followed > 10
    planner.reset(0)
    assert not planner.follows(s)


@pytest.mark.slow
def test_of_several_plans_a_better_one_is_taken() -> None:
    game = sammu_env.load_game("novice")
    hard = ("SAM-182", "SAM-190", "SAM-194")
    setups = np.concatenate([game.configure(challenge=challenge, players=3).repeat(10) for challenge in hard])
    teams = [Planner(game, width=16, tries=16, plans=plans, ahead=2) for plans in (1, 3)]
    won = [(team.play(setups, np.arange(30))["result"] == c.WON).sum() for team in teams]
    assert won[1] >= won[0] + 4
