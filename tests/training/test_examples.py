"""A network learns the choices of games that somebody won (training/examples.py)."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

from tabletop.agents.base import observed
from tabletop.agents.network import Network, log_policy
from tabletop.game import legal_mask
from tabletop.training.config import check
from tabletop.training.examples import Examples
from tabletop.training.wins import choices_of, games_of, setup_of
from tests.training.small import learner, run
from tests.training.test_wins import GAME, won_game, write


def examples(path: Path, minibatch: int = 64) -> Examples:
    return Examples(GAME, path, minibatch, torch.float32, torch.device("cpu"))


def test_they_are_all_choices_of_games_of_these_boxes(tmp_path: Path) -> None:
    logs = [won_game(2, 1), won_game(3, 2)]
    foreign = won_game(2, 3)
    foreign.edition = "0" * 64
    own = examples(write(tmp_path / "won.json", *logs, foreign)).lessons
    chosen = [action for log in logs for actor, action in log.entries if actor >= 0]
    assert own.chosen.tolist() == chosen and own.won.isnan().all() and (own.boxes == 1).all()
    state = 0
    for log in logs:
        setup = setup_of(GAME, log)
        assert setup is not None
        for s, _ in choices_of(GAME, setup, log):
            assert (own.observations[state].numpy() == observed(GAME, s)[0]).all()
            assert (own.masks[state].numpy() == legal_mask(GAME, s)).all()
            state += 1
    assert state == len(chosen)


def test_the_loss_is_that_of_not_choosing_so_and_goes_down(tmp_path: Path) -> None:
    torch.manual_seed(3)
    path = write(tmp_path / "won.json", *(won_game(2 + i % 3, i) for i in range(6)))
    own, network = examples(path), Network(GAME, 16, 1)
    lessons = own.draw()
    assert len(lessons.chosen) == 64
    options = lessons.options
    with torch.no_grad():
        judged = network(lessons.observations, lessons.boxes, options)
    loss, told = own.loss(lessons, options, judged, weight=0.25)
    logs = log_policy(judged.logits, options.legal)
    by_hand = -np.mean([
        float(logs[i, np.flatnonzero(lessons.masks[i].numpy()).tolist().index(int(lessons.chosen[i]))])
        for i in range(64)
    ])  # fmt: skip
    assert set(told) == {"example_loss"} and float(told["example_loss"]) == pytest.approx(by_hand, rel=1e-4)
    assert float(loss) == pytest.approx(0.25 * by_hand, rel=1e-4)
    optimizer = torch.optim.Adam(network.parameters(), 3e-3)
    for _ in range(100):
        lessons = own.draw()
        loss, told = own.loss(
            lessons, lessons.options, network(lessons.observations, lessons.boxes, lessons.options), 1.0
        )
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert told["example_loss"].item() < 0.9 * by_hand  # the games were played at random: it learns them by heart


def test_their_weight_fades_and_the_run_learns_from_them(tmp_path: Path) -> None:
    path = write(tmp_path / "won.json", *(won_game(2 + i % 3, i) for i in range(4)))
    changes = {"decisions": 8 * 1024, "examples": {"games": str(path), "minibatch": 32, "weight": 0.4, "until": 0.5}}
    own = learner(GAME, **changes)
    weights, losses = [], []
    for _ in range(8):
        weights.append(own.exemplary)
        losses.append(own.learn().get("example_loss"))
    assert weights == pytest.approx([0.4, 0.3, 0.2, 0.1, 0.0, 0.0, 0.0, 0.0])
    assert all(x is not None and x > 0 for x in losses[:4]) and losses[4:] == [None] * 4


def test_a_warm_start_comes_first(tmp_path: Path) -> None:
    path = write(tmp_path / "won.json", won_game(2, 1))
    own = learner(GAME, decisions=8 * 1024, examples={"games": str(path), "minibatch": 32, "until": 1.0},
                  warm_start={"agent": "random", "updates": 2})  # fmt: skip
    told = [own.learn() for _ in range(3)]
    assert ["example_loss" in one for one in told] == [False, False, True]


def test_a_run_whose_examples_have_changed_is_another_one(tmp_path: Path) -> None:
    path = write(tmp_path / "won.json", won_game(2, 1))
    changes = {"decisions": 4 * 1024, "examples": {"games": str(path), "minibatch": 32}}
    run(GAME, tmp_path / "run", **changes).run(until=1)
    write(path, won_game(2, 1), won_game(3, 2))
    with pytest.raises(ValueError, match="has learnt from other games"):
        run(GAME, tmp_path / "run", **changes)


def test_what_cannot_be_learnt_from_is_refused(tmp_path: Path) -> None:
    foreign = won_game(2, 3)
    foreign.edition = "0" * 64
    with pytest.raises(ValueError, match=r"none\.json: none of its games is of a box that is trained on"):
        examples(write(tmp_path / "none.json", foreign))
    with pytest.raises(ValueError, match=r"lost\.json: log 0: it is not won with the draws of its seed"):
        examples(write(tmp_path / "lost.json", won_game(2, 1, wanted=False)))
    (tmp_path / "no.json").write_text("no")
    with pytest.raises(ValueError, match="is no file of game logs"):
        next(games_of(tmp_path / "no.json", GAME))
    with pytest.raises(ValueError, match=r"examples.games is won.json, which trainer maskable_ppo does not learn from"):
        check({"trainer": "maskable_ppo", "examples": {"games": "won.json"}})
