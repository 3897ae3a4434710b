"""The games of configs/wins.json: won by these rules on the boxes that a team is trained on."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sammu_env
from sammu_env import components
from sammu_env.components import Drawn
from sammu_env.constants import CHALLENGES
from sammu_env.tasks import BOX_SEEDS, BOXES, RUNGS, TASKS
from tabletop import record
from tabletop.log import Log
from tabletop.training.wins import positions, setup_of

LOGS = [
    Log.from_dict(data)
    for data in json.loads((Path(__file__).parents[2] / "configs/wins.json").read_text(encoding="utf-8"))
]


def test_every_challenge_and_number_of_players_is_among_them() -> None:
    assert {log.setup["challenge"] for log in LOGS} == set(range(20))
    assert {log.setup["players"] for log in LOGS} == set(range(1, 6))


@pytest.mark.slow
def test_all_are_of_boxes_and_cells_that_are_trained_on() -> None:
    """Training leaves the others out without a word: then they are of a box that has changed."""
    game = sammu_env.load_game()
    drawn = [box for box in TASKS["any-box"].boxes(game, "train") if box.difficulty in (0.35, 0.5)]
    hashes = {components.load(box).hash for box in (None, *drawn)}
    assert not {log.edition for log in LOGS} - hashes
    for log in LOGS:
        setup = game.configure(CHALLENGES[log.setup["challenge"]], log.setup["players"])
        assert {**log.setup, "box": 0} == record.to_dict(setup)


@pytest.mark.parametrize(
    ("log", "seed", "difficulty"), [(0, 2, 0.5), (20, 28, 0.5), (69, 86, 0.5), (81, 40, 0.35), (133, 10, 0.35)]
)
def test_they_are_of_training_boxes_and_won(log: int, seed: int, difficulty: float) -> None:
    assert Drawn(seed, difficulty) in TASKS["any-box"].boxes(sammu_env.load_game(), "train")
    assert seed in BOX_SEEDS["train"][: BOXES["train"]] and difficulty in RUNGS
    game = sammu_env.load_game(box_seed=seed, difficulty=difficulty)
    setup = setup_of(game, LOGS[log])
    assert setup is not None
    states = positions(game, setup, LOGS[log])  # a ValueError where it does not win
    assert (states["challenge"] == LOGS[log].setup["challenge"]).all() and (states["month"] > 0).any()


def test_each_challenge_of_the_standard_box_is_won_without_hindsight() -> None:
    """By a planner or a team that did not know the draws to come: so the sides can be won in time."""
    game = sammu_env.load_game()
    own = [log for log in LOGS if log.edition == game.edition]
    assert {log.setup["challenge"] for log in own} == set(range(20))
    for log in {log.setup["challenge"]: log for log in own}.values():
        setup = setup_of(game, log)
        assert setup is not None
        positions(game, setup, log)
