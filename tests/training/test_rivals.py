"""Rivals learn from what their own seats are paid, also against earlier selves, and play better than who does not."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tabletop import agents
from tabletop.agents import checkpoint
from tabletop.agents.policy import Policy
from tabletop.game import win_shares
from tabletop.training.match import wins_against
from tabletop.training.ppo import Learner, Turn
from tests.tabletop.bidding import Bidding
from tests.tabletop.rivals import Highest, Thrifty
from tests.tabletop.toy import Toy
from tests.training import small

GAME = Bidding()
CELLS = small.cells(GAME)
POOL = {"pool": {"share": 0.5, "every": 2, "keep": 3}}
NAN = np.nan


run, learner = partial(small.run, GAME), partial(small.learner, GAME)


def test_who_validation_is_against_is_looked_up_before_anything_is_learnt(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="agent is 'nobody'"):
        run(tmp_path / "rivals", validation={"every": 1024, "games": 1, "against": "nobody"})
    assert not (tmp_path / "rivals").exists()


# What is learnt


def test_targets_by_hand() -> None:
    """Seats 0, 1, 0, 1, the game ends, then seats 0 and 2 of the next one; after that seat 1 is asked."""
    own = learner(ppo={"minibatch": 64, "gamma": 0.9, "lam": 0.5, "win_lam": 0.5})
    value, win = np.arange(1, 8, dtype=np.float32)[:, None] / 10, np.arange(1, 8, dtype=np.float32)[:, None] / 10
    side = np.array([0, 1, 0, 1, 0, 2, 1])[:, None]
    rewards, won, over = np.zeros((6, 1, 4), np.float32), np.full((6, 1, 4), NAN, np.float32), np.zeros((6, 1))
    rewards[0, 0, 1] = 5.0  # before seat 1 has decided anything: of no decision here
    rewards[1, 0, 0], rewards[2, 0, 1], rewards[3, 0, :3] = 1.0, -1.0, [2.0, -2.0, 3.0]
    won[3], over[3] = [1, 0, 0, 0], 1.0
    rewards[4, 0, 1] = 7.0
    turns = Turn(rewards, won, over.astype(np.float32), over.astype(np.float32))
    shaped = np.full((6, 1), -0.01, np.float32)
    advantage, target, wins, known = own._targets(value, win, side, turns, shaped)
    last0 = 2.0 - 0.01 - 0.3
    last1 = -2.0 - 0.01 - 0.4
    first0 = 1.0 - 0.01 + 0.9 * 0.3 - 0.1 + 0.45 * last0
    first1 = -1.0 - 0.01 + 0.9 * 0.4 - 0.2 + 0.45 * last1
    assert np.allclose(advantage[:4, 0], [first0, first1, last0, last1], atol=1e-6)
    assert np.allclose(target[:4, 0], advantage[:4, 0] + value[:4, 0])
    assert known[:, 0].tolist() == [True] * 4 + [False] * 2
    assert np.allclose(wins[:4, 0], [0.5 * 0.3 + 0.5 * 1, 0.5 * 0.4, 1, 0], atol=1e-6)


def test_a_seat_that_is_asked_again_after_the_rollout_is_known() -> None:
    own = learner(ppo={"minibatch": 64, "lam": 0.5, "win_lam": 0.5})
    value, side = np.array([[0.1], [0.2], [0.5]], np.float32), np.array([[2], [0], [2]])
    nothing = np.zeros((2, 1), np.float32)
    turns = Turn(np.full((2, 1, 4), [0, 0, 0.25, 0], np.float32), np.full((2, 1, 4), NAN), nothing, nothing)
    advantage, _, wins, known = own._targets(value, value, side, turns, nothing)
    assert known[:, 0].tolist() == [True, False]
    assert advantage[0, 0] == pytest.approx(0.5 + 0.5 - 0.1) and wins[0, 0] == pytest.approx(0.5)


def played(own: Learner) -> tuple[Any, list[Any], list[Any]]:
    """The decisions of a rollout, with the sides and turns of it."""
    turns, sides, step, choose = [], [], own.step, own.choose

    def stepped(action: Any) -> Any:
        ended = step(action)
        turns.append(Turn(*(x.copy() for x in own.turn)))
        return ended

    def chosen(*given: Any) -> Any:
        choice = choose(*given)
        sides.append(choice.side)
        return choice

    own.step, own.choose = stepped, chosen  # type: ignore[method-assign]
    return own.play()[0], sides, turns


def test_a_decision_is_worth_what_its_seat_is_paid_until_the_end() -> None:
    """With neither discount nor bootstrap, found in another way: forwards."""
    own = learner(length=40, ppo={"minibatch": 64, "lam": 1.0, "win_lam": 1.0})
    decisions, sides, turns = played(own)
    ended = known = 0
    for game in range(64):
        for t in range(40):
            side, paid = int(sides[t][game]), 0.0
            for later in range(t, 40):
                paid += turns[later].rewards[game, side]
                if turns[later].over[game]:
                    assert decisions.value_target[t, game] == pytest.approx(paid, abs=1e-5)
                    assert decisions.win_target[t, game] == turns[later].won[game, side]
                    ended += 1
                    break
            again = any(int(sides[later][game]) == side for later in range(t + 1, 40))
            whole = any(turn.over[game] for turn in turns[t:])
            last = int(own._side()[game]) == side
            assert bool(decisions.counts[t, game]) == (whole or again or last)
            known += bool(decisions.counts[t, game])
    assert ended > 1500 and 2000 < known < 64 * 40


def test_what_is_not_known_teaches_nothing() -> None:
    own = learner()
    part = next(own.play()[0].minibatches(1024))
    assert 0 < (~part.counts).sum() < 300
    changed = part._replace(
        value_target=part.value_target + 9.0 * ~part.counts, advantage=part.advantage - 5.0 * ~part.counts,
        win_target=part.win_target * part.counts,
    )  # fmt: skip
    own.network.zero_grad()
    one, other = own.loss(part, 0.01)[0], own.loss(changed, 0.01)[0]
    assert torch.equal(one, other)
    few = type(part)(*(x[~part.counts] for x in part))
    assert torch.equal(own.loss(few, 0.01)[0], torch.tensor(0.0))


def test_the_win_head_learns_who_wins_or_shares_the_win() -> None:
    own = learner(length=40, ppo={"minibatch": 64, "win_lam": 1.0})
    ended: list[Any] = []
    follow = own.starts.follow

    def watched(batch: Any) -> Any:
        finished = follow(batch)
        ended.append((finished.games.copy(), win_shares(GAME.results(finished.states)) > 0))
        return finished

    own.starts.follow = watched  # type: ignore[method-assign]
    _, _, turns = played(own)
    shared = 0
    for (games, won), turn in zip(ended, turns, strict=True):
        assert np.array_equal(turn.won[games], won)
        assert np.isnan(np.delete(turn.won, games, 0)).all()
        shared += (won.sum(1) > 1).sum()
    assert shared > 10


# Earlier selves


def always(own: Learner, place: int) -> None:
    """The kept selves lay their lowest card (0) or their highest (1)."""
    for kept in own.selves.kept:
        kept["policy.weight"].zero_()
        kept["policy.bias"].copy_(torch.arange(6) * (50.0 if place else -50.0))


def test_earlier_selves_choose_on_their_seats_and_are_not_learnt_from() -> None:
    own = learner(**POOL)
    assert not own.selves.sits.any()
    for _ in range(4):
        own.learn()
    assert len(own.selves.kept) == 2
    always(own, 1)
    own.play()  # games that were begun before the selves were changed
    decisions, sides, turns = played(own)
    sat = ~decisions.counts.numpy()
    assert 0.1 < own.selves.sits.any(1).mean() < 0.9
    highest, options = decisions.legal.sum(2) - 1, decisions.legal.sum(2)
    theirs = np.stack([own.selves.sits[np.arange(64), side] for side in sides[-1:]])[0] & ~turns[-1].over.astype(bool)
    assert theirs.any() and sat[-1][theirs].all()
    assert (decisions.chosen[-1] == highest[-1])[torch.from_numpy(theirs)].all()
    assert (decisions.chosen != highest)[torch.from_numpy(~sat) & (options > 1)].any()


def test_seats_are_shared_and_none_is_left_out() -> None:
    own = learner(pool={"share": 0.5, "every": 1, "keep": 2})
    for _ in range(3):
        own.learn()
    assert len(own.selves.kept) == 2  # the newest
    games = np.arange(64)
    sat, seats = [], np.array([2, 3, 4])[own.starts.now]
    own.starts.taught = 10
    for _ in range(100):
        own.selves.seat(games)
        assert not own.selves.sits[:10].any()
        n = own.selves.sits.sum(1)
        assert (n < seats).all() and not (own.selves.sits & (np.arange(4) >= seats[:, None])).any()
        sat.append(own.selves.sits[10:].copy())
    assert np.mean([x.any(1) for x in sat]) == pytest.approx(0.5, abs=0.03)
    four = np.concatenate([x[seats[10:] == 4] for x in sat])
    assert np.allclose(four[four.any(1)].mean(0), 0.5, atol=0.05)  # every seat alike


HIGHEST = {"share": 1.0, "keep": 0, "agents": ["tests.tabletop.rivals:Highest"], "alone": True}


def test_alone_against_another_agent() -> None:
    """The learner has one seat; on all others the agent chooses, what it chooses is not learnt, and no self is kept."""
    own = learner(pool=HIGHEST)
    for _ in range(3):
        own.learn()
    assert not own.selves.kept and own.selves.agent.name == "highest"
    seats = np.array([2, 3, 4])[own.starts.now]
    sat = own.selves.sits.sum(1)
    assert (sat[sat > 0] == seats[sat > 0] - 1).all() and (sat > 0).mean() > 0.9
    decisions, _ = own.play()
    highest = decisions.legal.sum(2) - 1
    theirs = ~decisions.counts & (decisions.legal.sum(2) > 1)
    assert (decisions.chosen == highest)[theirs].float().mean() > 0.9  # beside decisions of which nothing is known yet
    assert (decisions.chosen != highest)[decisions.counts].any()


def test_others_play_as_often_as_all_earlier_selves() -> None:
    own = learner(pool={**HIGHEST, "keep": 3, "every": 1, "alone": False})
    own.learn()
    drawn = []
    for seed in range(200):
        own.selves.hand_out(seed)
        drawn.append(own.selves.agent is None)
    assert np.mean(drawn) == pytest.approx(0.5, abs=0.12)


def test_how_it_does_against_them_is_told(tmp_path: Path) -> None:
    own = run(tmp_path / "pool", **{**POOL, "decisions": 12 * 1024}).learner
    told = [own.learn() for _ in range(12)]
    assert "against_earlier" not in told[0] and 0.2 < told[-1]["against_earlier"] < 0.8
    assert "won" not in told[0] and 0 < told[-1]["drawn"] < 0.6


@pytest.mark.parametrize("game", [GAME, Toy()], ids=["rivals", "team"])
def test_rates_of_cells_are_logged_of_a_team(game: Any, tmp_path: Path) -> None:
    logged: list[str] = []

    class Log:
        def add_scalar(self, name: str, *_: Any) -> None:
            logged.append(name)

    small.run(game, tmp_path / "small")._log(Log(), {"kl": 0.0})  # type: ignore[arg-type]
    assert logged == ["train/kl", *([f"won/{game.name}"] if game.team else [])]


@pytest.mark.parametrize("trainer", ["ppo", "maskable_ppo"])
def test_resuming_equals_not_having_stopped(tmp_path: Path, trainer: str) -> None:
    if trainer == "maskable_ppo":
        pytest.importorskip("sb3_contrib")
    more = {"decisions": 8 * 1024, "validation": {"every": 3000, "games": 4}, "trainer": trainer, **POOL}
    run(tmp_path / "whole", **more).run()
    run(tmp_path / "parts", **more).run(until=5)
    run(tmp_path / "parts", **more).run()
    one, other = (torch.load(tmp_path / name / "state.pt", weights_only=True) for name in ("whole", "parts"))
    for part in ("network", "starts", "batch"):
        for name, x in one["learner"][part].items():
            assert np.array_equal(np.asarray(x), np.asarray(other["learner"][part][name])), name
    assert torch.equal(one["learner"]["selves"]["sits"], other["learner"]["selves"]["sits"])
    assert (tmp_path / "whole/last.safetensors").read_bytes() == (tmp_path / "parts/last.safetensors").read_bytes()


def test_both_trainers_learn_the_same(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib")
    weights = []
    for trainer in ("ppo", "maskable_ppo"):
        own = run(tmp_path / trainer, trainer=trainer, **POOL).learner
        for _ in range(5):
            own.learn()
        weights.append(own.network.state_dict())
    for name, x in weights[0].items():
        assert torch.allclose(x, weights[1][name], atol=1e-5), name


# What it comes to


def test_beats_random_and_scripted_rivals(tmp_path: Path) -> None:
    """After some seconds; an even share of the wins is 1/2, 1/3, 1/4."""
    trained = run(tmp_path / "bidding", pool={"share": 0.2, "every": 10, "keep": 5})
    trained.run()
    network, card = checkpoint.load(tmp_path / "bidding/best.safetensors", GAME)
    own = Policy(GAME, network, precision="float32")
    for players, least in ((2, 0.57), (3, 0.40), (4, 0.31)):
        setups, seeds = GAME.configure(players).repeat(2000), np.arange(2000) + 10**12
        against_random = wins_against(GAME, own, lambda: agents.make("random", GAME), setups, seeds).mean()
        thrifty = wins_against(GAME, own, lambda: Thrifty(GAME), setups, seeds).mean()
        highest = wins_against(GAME, own, lambda: Highest(GAME), setups, seeds).mean()
        assert against_random > least and thrifty > least + 0.1 and highest > 1 / players - 0.03
    curve = [json.loads(line)["won"] for line in (tmp_path / "bidding/curve.jsonl").read_text().splitlines()]
    assert max(curve) == card["validation"]["won"] > 0.4


def test_shaping_is_refused() -> None:
    with pytest.raises(ValueError, match=r"in bidding seats are rivals: choose \[0, 0\]"):
        small.learner(GAME, shaping={"scale": [1, 0]})
