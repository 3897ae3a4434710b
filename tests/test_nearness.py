"""How near the win the planner thinks a position is."""

from __future__ import annotations

import numpy as np

import sammu_env
from sammu_env import constants as c
from sammu_env.agents.planner import Planner
from tabletop.game import Record, new_state

GAME = sammu_env.load_game()


def begun(challenge: str) -> Record:
    s = new_state(GAME)
    GAME.reset(GAME.box, s, GAME.configure(challenge=challenge, players=2), 3)
    return s


def test_what_a_position_is_worth_does_not_depend_on_what_was_judged_before() -> None:
    """The Queen's Road leads to Gordium in unrest, but not to enemies there; both bar the way through it."""
    attacked, uneasy = begun("SAM-182"), begun("SAM-182")
    attacked["enemy"][0, c.LOCATIONS.index("Gordium")] = uneasy["unrest"][0, c.LOCATIONS.index("Gordium")] = 1
    judge = Planner(GAME, width=1, tries=1, threads=1)
    alone = [Planner(GAME, width=1, tries=1, threads=1).potential(s)[0] for s in (attacked, uneasy)]
    assert judge.potential(np.concatenate([attacked, uneasy, attacked])).tolist() == [*alone, alone[0]]
