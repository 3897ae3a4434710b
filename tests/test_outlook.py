"""What a decided game is worth to the planner."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sammu_env
from sammu_env import constants as c
from sammu_env import steps
from sammu_env.agents import outlook
from sammu_env.agents.outlook import CHALLENGE, POINT, WON, Outlook
from tabletop import agents
from tabletop.fields import dtype_of
from tabletop.game import Record, new_state
from tabletop.jit import entry

GAME = sammu_env.load_game()


@entry
def judge(box: Any, s: Any, search: Any) -> float:
    """What a position is worth to a search."""
    return outlook.worth(box[0], s[0], search[0])


def worth(s: Record, planned_for: int, **weights: float) -> float:
    """What a position is worth to who plans for a challenge, by its place in a campaign."""
    search = np.zeros(1, dtype_of(Outlook))
    for name, weight in {"game": planned_for, **weights}.items():
        search[name] = weight
    return float(judge(GAME.box, s, search))


def begun(campaign: bool) -> Record:
    s = new_state(GAME)
    GAME.reset(GAME.box, s, GAME.configure(campaign=campaign, players=2), 3)
    return s


def test_a_challenge_is_won_or_lost() -> None:
    s = begun(campaign=False)
    for result, expected in ((c.WON, WON), (c.LOST, -WON)):
        s["result"] = result
        assert worth(s, 0) == expected


@pytest.mark.parametrize("last", [False, True])
def test_in_a_campaign_the_score_counts_and_whether_the_challenge_is_won(last: bool) -> None:
    s = begun(campaign=True)
    game = 4 if last else 1
    s["game"], s["scored"] = (4, 1) if last else (2, 0)  # after the fifth challenge none begins
    s["score"][0, game], s["game_result"][0, game] = 20, c.LOST
    s["result"] = c.LOST if last else c.RUNNING
    assert worth(s, game) == 20 * POINT
    s["game_result"][0, game] = c.WON
    assert worth(s, game) == CHALLENGE + 20 * POINT
    s["gate"][0, c.ASSYRIA] = 0  # and with it the campaign is lost
    s["result"] = c.LOST
    assert worth(s, game) == -WON


def test_what_a_challenge_leaves_behind_counts() -> None:
    s = begun(campaign=True)
    s["game"], s["score"][0, 1], s["game_result"][0, 1] = 2, 20, c.LOST
    weights = {"standing": 1.0, "economy": 1.0, "progress": 1.0}
    left = worth(s, 2, **weights)  # to who plans for the next one
    assert left and worth(s, 1, **weights) == pytest.approx(20 * POINT + left)
    s["token"][0, c.MILITARY] = 0
    assert worth(s, 1, **weights) < 20 * POINT + left


def test_standing_well_counts_more_in_a_campaign() -> None:
    single, first, last = begun(campaign=False), begun(campaign=True), begun(campaign=True)
    last["game"] = 4
    months = int(first["months"][0])
    left = (months - first["month"][0] + 1) / months
    in_last, in_first = (worth(s, int(s["game"][0]), standing=1.0, lasting=2.0, to_come=0.5) for s in (last, first))
    assert in_last == pytest.approx(3 * worth(last, 4, standing=1.0)) and in_last
    assert in_first == pytest.approx(in_last * (0.3 + left + 4 * 0.5) / (0.3 + left))
    assert worth(single, 0, standing=1.0, lasting=2.0, to_come=0.5) == worth(single, 0, standing=1.0)


def test_shaping_measures_campaigns_as_challenges() -> None:
    planner = agents.make("planner", GAME)
    s = begun(campaign=True)
    before = planner.potential(s)[0]
    s["campaign"] = 0
    assert planner.potential(s)[0] == before and 0 < abs(before) < 1


def test_a_lost_challenge_of_a_campaign_is_no_win() -> None:
    """Played out by who does nothing: all months pass, or Assyria falls."""
    decided = set()
    for seed in range(6):
        s = new_state(GAME)
        GAME.reset(GAME.box, s, GAME.configure(campaign=True, players=2), seed)
        while s["game"][0] == 0 and s["to_act"][0] >= 0:
            options = s["option"][0, : s["n_options"][0]]
            idle = s["op"][0, s["sp"][0] - 1] == steps.TURN
            GAME.apply(GAME.box, s, int(options.min() if idle else options[0]))
        if s["game"][0] == 1:
            decided.add(worth(s, 0) < WON / 2)
    assert decided == {True}
