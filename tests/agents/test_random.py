"""The random agent: legal choices, all of them in time, and no stumbling over games that have ended."""

from __future__ import annotations

import numpy as np

import sammu_env
from tabletop import agents
from tabletop.batch import Batch

GAME = sammu_env.load_game()


def test_every_legal_choice_and_no_other_is_made() -> None:
    masks = np.zeros((2000, GAME.n_actions), np.int8)
    masks[:, [3, 70, 340]] = 1
    made = agents.make("random", GAME).act(np.zeros(2000, GAME.state), masks)
    values, counts = np.unique(made, return_counts=True)
    assert values.tolist() == [3, 70, 340] and counts.min() > 550


def test_a_batch_is_played_to_the_end_of_its_last_game() -> None:
    batch = Batch(GAME, GAME.configure(players=2).repeat(8), autoreset_mode="Disabled")
    agent = agents.make("random", GAME)
    out, mixed = batch.reset(0), 0
    while not out.terminated.all():
        mixed += out.terminated.any()
        assert (out.masks.any(axis=1) == ~out.terminated).all()
        out = batch.step(agent.act(batch.states, out.masks))  # an illegal choice would be an error
    assert mixed > 10
