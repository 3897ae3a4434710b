"""A network that learns what a search on top of it finds (training/searches.py)."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

from tabletop import record
from tabletop.agents.network import Network, log_policy
from tabletop.agents.policy import Policy
from tabletop.batch import Batch
from tabletop.training.config import Searches, check
from tabletop.training.searches import Experience
from tabletop.training.train import Run
from tests.tabletop.bidding import Bidding
from tests.tabletop.errands import DONE, Errands
from tests.tabletop.toy import Toy
from tests.training import small

SEARCHES = {"searches": {"positions": 4, "rollouts": 32, "stored": 64, "minibatch": 16}}


def experience(**changes: Any) -> Experience:
    torch.manual_seed(3)
    game = Errands()
    settings = Searches(**{"positions": 8, "rollouts": 512, "stored": 256, **changes})
    return Experience(game, settings, Network(game, 16, 0), torch.float32, "float32", 1)


def beginnings(n: int) -> Any:
    game = Errands()
    batch = Batch(game, game.configure().repeat(n), observe=False, threads=1)
    batch.reset(5)
    return batch.states


def test_the_network_learns_the_better_plan_and_how_good_its_own_is() -> None:
    own = experience()
    told = own.gain(beginnings(64), np.random.default_rng(0))
    assert told["searched"] == 8
    assert told["better"] > 0.5  # it began with the first errand, or without the second
    lessons = own.draw()
    assert (lessons.masks[torch.arange(256), lessons.chosen.clamp(min=0)] == 1)[lessons.chosen >= 0].all()
    assert (lessons.won[~lessons.won.isnan()] < 0.75).any()
    network = own.policy.network
    optimizer = torch.optim.Adam(network.parameters(), 3e-3)
    for _ in range(200):
        lessons = own.draw()
        judged = network(lessons.observations, lessons.boxes, lessons.options)
        loss, told_then = own.loss(lessons, lessons.options, judged, win=1.0)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert set(told_then) == {"searched_choice_loss", "searched_win_loss"}
    found = own.search().choose(beginnings(1), 7)
    assert not found.better  # nothing is left to find
    assert found.won == pytest.approx(5 / 6, abs=0.07)
    assert 1 in found.plan.actions and 0 not in found.plan.actions and found.plan.actions[-1] == DONE


def test_its_own_plan_is_not_taught_where_nothing_is_better() -> None:
    own = experience()
    search = own.search()
    own.search = lambda: SimpleNamespace(choose=lambda state, seed: search.choose(state, seed)._replace(better=False))
    told = own.gain(beginnings(16), np.random.default_rng(0))
    assert told["better"] == 0 and own.found == 8  # one lesson from each position: how good its own plan is
    assert (own.kept.chosen == -1).all() and (own.kept.won[:8] >= 0).all()
    lessons = own.draw()
    judged = own.policy.network(lessons.observations, lessons.boxes, lessons.options)
    _, told = own.loss(lessons, lessons.options, judged, win=1.0)
    assert told["searched_choice_loss"] == 0.0


def test_the_loss_is_that_of_the_choices_and_of_the_wins() -> None:
    own = experience()
    own.gain(beginnings(64), np.random.default_rng(0))
    lessons = own.draw()
    with torch.no_grad():
        judged = own.policy.network(lessons.observations, lessons.boxes, lessons.options)
    loss, told = own.loss(lessons, lessons.options, judged, win=0.1)
    logs = log_policy(judged.logits, lessons.options.legal)
    by_hand, won = 0.0, 0.0
    for i in range(256):
        legal = np.flatnonzero(lessons.masks[i].numpy()).tolist()
        if lessons.chosen[i] >= 0:
            by_hand -= float(logs[i, legal.index(int(lessons.chosen[i]))]) / 256
        if not lessons.won[i].isnan():
            p, w = float(torch.sigmoid(judged.win[i])), float(lessons.won[i])
            won -= (w * np.log(p) + (1 - w) * np.log(1 - p)) / 256
    assert float(told["searched_choice_loss"]) == pytest.approx(by_hand, rel=1e-4)
    assert float(told["searched_win_loss"]) == pytest.approx(won, rel=1e-4)
    assert float(loss) == pytest.approx(by_hand + 0.1 * won, rel=1e-4)


def test_the_newest_lessons_are_kept() -> None:
    own = experience(stored=8, positions=6)
    rng = np.random.default_rng(0)
    for _ in range(3):
        own.gain(beginnings(32), rng)
    assert own.found > 8 and len(own.kept.chosen) == 8
    again = experience(stored=8, positions=6)
    again.load_state_dict(own.state_dict())
    assert again.found == own.found
    assert all(torch.equal(x.nan_to_num(-9), y.nan_to_num(-9)) for x, y in zip(own.kept, again.kept, strict=True))


def test_open_games_are_searched_rather_than_settled_ones() -> None:
    own = experience(positions=10)
    states = beginnings(60)
    states["run"][:30, 0] = 1  # so that the two halves look different
    said = {True: 0.5, False: 0.001}
    own.policy = Said(own.policy, said)  # type: ignore[assignment]
    chosen = own._open(states, np.random.default_rng(1))
    assert len(chosen) == 10 and chosen["run"][:, 0].mean() > 0.9
    states["to_act"] = -1
    assert len(own._open(states, np.random.default_rng(1))) == 0


class Said:
    """A policy whose chances are given, by whether the first errand is run."""

    def __init__(self, policy: Policy, said: dict[bool, float]) -> None:
        self.policy, self.said = policy, said

    def chances(self, observations: Any, boxes: Any) -> Any:
        return np.array([self.said[bool(one[0])] for one in observations])


@pytest.mark.parametrize("game", [Toy(), Bidding()], ids=["team", "rivals"])
def test_resuming_equals_not_having_stopped(tmp_path: Path, game: Any) -> None:
    """Of a team and of rivals; and searches leave the games as they are."""
    changes: dict[str, Any] = {"decisions": 4 * 1024, **SEARCHES}
    whole = small.run(game, tmp_path / "whole", **changes)
    told: list[dict[str, float]] = []
    whole.run(lambda _, figures: told.append(figures))
    assert told[0]["searched"] == 4 and "searched_choice_loss" in told[-1]
    small.run(game, tmp_path / "parts", **changes).run(until=2)
    parts = small.run(game, tmp_path / "parts", **changes)
    parts.run()
    for name, x in whole.learner.network.state_dict().items():
        assert torch.equal(x, parts.learner.network.state_dict()[name]), name
    assert whole.learner.experience.found == parts.learner.experience.found > 0
    assert record.differing(whole.learner.batch.states[:1], parts.learner.batch.states[:1]) == []


def test_a_stage_may_begin_to_search_and_keep_more(tmp_path: Path) -> None:
    """What was found is kept as long as there is room for as much."""
    toy, searches = Toy(), SEARCHES["searches"]
    small.run(toy, tmp_path / "toy", decisions=2048).run()
    experience: list[Experience] = []
    for stage, changes in enumerate(({}, {"weight": 0.5}, {"stored": 32}), 2):
        config = small.settings(decisions=stage * 2048, searches={**searches, **changes})
        run = Run(toy, config, tmp_path / "toy", (small.cells(toy), [1.0, 1.0, 1.0]), stage=True)
        found = experience[-1].found if stage == 3 else 0
        assert run.learner.experience and run.learner.experience.found == found
        run.run()
        experience.append(run.learner.experience)
        assert experience[-1].found > found
    assert len(experience[-1].kept.chosen) == 32


def test_the_other_trainer_refuses() -> None:
    with pytest.raises(ValueError, match=r"searches.positions is 4, which trainer maskable_ppo does not learn from"):
        check({"trainer": "maskable_ppo", "searches": {"positions": 4}})
