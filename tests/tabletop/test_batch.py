import numpy as np
import pytest

from tabletop.batch import make_batch
from tabletop.game import NOBODY, RUNNING
from tabletop.log import Match
from tests.tabletop.toy import DIE, KEEP, PASS, Toy

GAME = Toy()
N = 50


def fresh(n=N):
    batch, seeds = make_batch(GAME), np.arange(n, dtype=np.int64)
    setups = np.concatenate([GAME.configure(2 + i % 3) for i in range(n)])
    return batch, batch.reset(setups, seeds), setups, seeds


def test_batch_plays_the_single_games():
    batch, states, setups, seeds = fresh()
    rng, choices = np.random.default_rng(0), [[] for _ in range(N)]
    index = np.arange(N)
    finished = states.copy()
    while len(states):
        masks = batch.legal(states)
        assert masks.dtype == np.int8
        assert masks.shape == (len(states), GAME.n_actions)
        actions = rng.integers(KEEP, PASS + 1, len(states))
        batch.apply(states, actions)
        for i, action in zip(index, actions, strict=True):
            choices[i].append(int(action))
        finished[index] = states
        going = states["result"] == RUNNING
        states, index = states[going], index[going]
    for i in range(N):
        match = Match(GAME, setups[i : i + 1], int(seeds[i]))
        for action in choices[i]:
            match.act(action)
        assert match.over
        assert match.s["trace"].tolist() == finished[i : i + 1]["trace"].tolist()


def test_illegal_choice_names_the_game_and_moves_none():
    batch, states, _, _ = fresh()
    stood = states.tobytes()
    actions = np.zeros(N, np.int64)
    for wrong in (DIE, -1, 99):
        actions[17] = wrong
        with pytest.raises(ValueError, match="game 17: illegal action"):
            batch.apply(states, actions)
        assert states.tobytes() == stood


def test_finished_game_cannot_move():
    batch, states, _, seeds = fresh()
    one = states[4:5].copy()
    batch.play_random(one, seeds[4:5])
    states[4] = one[0]
    with pytest.raises(ValueError, match=r"game 4: .* is finished"):
        batch.apply(states, np.zeros(N, np.int64))
    assert not batch.legal(states)[4].any()


@pytest.mark.parametrize("actions", [np.zeros(3, np.int64), np.zeros(N), np.zeros((N, 1), np.int64)])
def test_wrong_shape_or_type(actions):
    batch, states, _, _ = fresh()
    with pytest.raises(ValueError, match="expected one integer"):
        batch.apply(states, actions)
    with pytest.raises(ValueError, match="one of each"):
        batch.reset(np.repeat(GAME.configure(), 2), np.zeros(3, np.int64))


def test_random_play_ends_every_game_and_repeats():
    batch, states, _, seeds = fresh()
    again = states.copy()
    decisions = batch.play_random(states, seeds)
    assert (states["to_act"] == NOBODY).all()
    assert decisions == states["decisions"].sum()
    batch.play_random(again, seeds)
    assert again.tobytes() == states.tobytes()


def test_editions_share_the_compiled_loops():
    loaded = Toy((0, 0, 0, 0, 0, 1))
    a, b = make_batch(GAME), make_batch(loaded)
    assert a._apply is b._apply
    assert (b.reset(np.repeat(loaded.configure(), 9), np.arange(9))["die"] == 6).all()
