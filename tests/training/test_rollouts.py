"""What is said of positions against how often they are won when they are played on."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from tabletop import record
from tabletop.agents.base import guessed
from tabletop.agents.network import Network
from tabletop.agents.policy import Policy
from tabletop.batch import Batch
from tabletop.game import NOBODY, WON
from tabletop.training.evaluate import Cell
from tabletop.training.rollouts import HIGH, LOW, Positions, by_position, play_on, unsure
from tests.tabletop.bidding import Bidding
from tests.tabletop.toy import Toy

GAME = Toy()
CELLS = [Cell({"players": n}, GAME.configure(players=n)) for n in (2, 3, 4)]


def team(win: float = 0.0) -> Policy:
    """It says the same chance of every position: that of the logit ``win``."""
    torch.manual_seed(1)
    network = Network(GAME, width=16, blocks=0).eval()
    with torch.no_grad():
        network.win.weight.zero_()
        network.win.bias.fill_(win)
    return Policy(GAME, network.requires_grad_(False), precision="float32")


def positions(policy: Policy) -> Positions:
    setups = np.concatenate([cell.setup for cell in CELLS]).repeat(20)
    return unsure(policy, setups, np.arange(60))


def test_positions_are_those_in_which_it_is_unsure() -> None:
    found = positions(team())
    assert len(found.said) == 60 and (found.said == 0.5).all() and (found.states["to_act"] >= 0).all()
    assert len({trace.tobytes() for trace in found.states["trace"]}) > 20
    assert found.states["decisions"].max() > 0 == found.states["decisions"].min()
    assert not len(positions(team(win=5.0)).said)  # sure of everything
    mended = team(win=5.0)
    mended.network.calibration.copy_(torch.tensor([0.1, 0.0]))
    said = positions(mended).said
    assert LOW < said[0] < HIGH and said == pytest.approx(1 / (1 + np.exp(-0.5)))


def test_playing_on_is_playing_from_there_with_other_draws() -> None:
    policy = team()
    states = positions(policy).states[:7]
    before = states.tobytes()
    seeds = np.arange(7) + 50
    finished = play_on(policy, states, seeds)
    assert states.tobytes() == before and (finished["to_act"] == NOBODY).all()
    assert play_on(policy, states[3:5], seeds[3:5]).tobytes() == finished[3:5].tobytes()
    assert (finished["players"] == states["players"]).all() and (finished["decisions"] > states["decisions"]).all()
    for i in range(7):  # step by step
        batch = Batch(GAME, GAME.configure(), autoreset_mode="Disabled")
        batch.reset(0)
        seen = batch.place(np.array([0]), record.take(states, [i]), seeds[i : i + 1])
        while batch.states["to_act"][0] != NOBODY:
            seen = batch.step(policy.act(batch.states, seen.masks))
        assert batch.states.tobytes() == finished[i : i + 1].tobytes()


def test_difference_is_that_of_said_and_won() -> None:
    policy = team()
    found = positions(policy)
    told = found.compare(policy, 50)
    again = play_on(policy, record.take(found.states, np.arange(60).repeat(50)), 3 * 10**12 + np.arange(3000))
    won = (again["result"] == WON).reshape(60, 50).mean(1)
    assert told["difference"] == pytest.approx(np.abs(0.5 - won).mean(), abs=1e-4)
    assert told["bias"] == pytest.approx((0.5 - won).mean(), abs=1e-4)
    assert told["chance"] == pytest.approx(np.sqrt(2 / np.pi) * 0.5 / np.sqrt(50), abs=1e-4)
    right = Positions(found.states, won)
    assert right.compare(policy, 50)["difference"] == 0.0


def test_a_rival_is_held_to_what_comes_of_its_own_seat() -> None:
    """With other secrets of the others each time, as it does not know them."""
    game, times = Bidding(), 20
    policy = Policy(game, Network(game, width=16, blocks=0).eval().requires_grad_(False), precision="float32")
    found = unsure(policy, game.configure(3).repeat(60), np.arange(60))
    assert set(found.states["to_act"]) == {0, 1, 2}
    told = Positions(found.states, np.ones(60)).compare(policy, times)
    states = guessed(game, record.take(found.states, np.arange(60).repeat(times)), np.random.default_rng(3 * 10**12))
    finished = play_on(policy, states, 3 * 10**12 + np.arange(60 * times))
    most, asked = finished["coins"].max(1), found.states["to_act"].repeat(times)
    won = finished["coins"][np.arange(60 * times), asked] == most
    assert told["difference"] == told["bias"] == pytest.approx(1 - won.mean(), abs=1e-4) and won.mean() < 0.6
    assert won.reshape(60, times).std(1).any()


def test_so_many_positions_or_an_error() -> None:
    told = by_position(team(), CELLS, positions=40, rollouts=5)
    assert (told["positions"], told["rollouts"]) == (40, 5)
    with pytest.raises(ValueError, match="unsure in 0 of 320 games, expected 40"):
        by_position(team(win=5.0), CELLS, positions=40, rollouts=5)
