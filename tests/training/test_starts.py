"""How games of training begin: cells by who wins them, positions met before, and nothing lost on the way."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.batch import Batch
from tabletop.game import WON
from tabletop.training.config import MidGame, Sampler
from tabletop.training.evaluate import Cell
from tabletop.training.starts import SELDOM, TRAIL, Starts
from tests.tabletop.toy import KEEP, PASS, Toy

GAME = Toy()
SEEDS = range(1000, 2000)
CELLS = [Cell({"task": f"with {n}"}, GAME.configure(players=n)) for n in (2, 3, 4)]


def make(n: int = 30, floor: float = 0.1, share: float = 0.0, seed: int = 0, taught: int = 0) -> tuple[Starts, Batch]:
    starts = Starts(GAME, CELLS, np.array([2.0, 1.0, 1.0]), n, SEEDS, Sampler(floor=floor, memory=20),
                    MidGame(share=share, stored=16), np.random.default_rng(seed))  # fmt: skip
    batch = Batch(GAME, starts.setups[starts.now], seed=0)
    starts.begin(batch, taught)
    return starts, batch


def play(starts: Starts, batch: Batch, steps: int, rng: np.random.Generator) -> None:
    for _ in range(steps):
        batch.step(rng.integers(KEEP, PASS + 1, batch.n))
        starts.follow(batch)
        starts.agree()


def test_every_game_is_of_its_cell() -> None:
    starts, batch = make()
    rng = np.random.default_rng(0)
    for _ in range(60):
        assert (batch.states["players"] == starts.setups["players"][starts.now]).all()
        play(starts, batch, 1, rng)


def test_seeds_are_of_the_split() -> None:
    starts, batch = make(share=0.5)
    rng = np.random.default_rng(0)
    for _ in range(60):
        assert ((batch.seeds >= SEEDS.start) & (batch.seeds < SEEDS.stop)).all()
        play(starts, batch, 1, rng)
        starts.store(batch, np.full(batch.n, 0.5, np.float32), 4)


def test_counts_who_wins() -> None:
    starts, batch = make(n=60)
    wins, games = np.zeros(3), np.zeros(3, int)
    rng = np.random.default_rng(0)
    for _ in range(200):
        batch.step(rng.integers(KEEP, PASS + 1, batch.n))
        now = starts.now.copy()
        for game, state in zip(batch.finished.games, batch.finished.states, strict=True):
            wins[now[game]] += state["result"] == WON
            games[now[game]] += 1
        starts.follow(batch)
        starts.agree()
    assert (starts.played == games).all() and games.min() > 100
    assert np.abs(starts.rates - wins / games).max() < 0.25  # a running average over 20 games


class Apart(Toy):
    """Its seats are rivals, who here all win or all lose, as one alone does."""

    team = False


def test_rivals_are_dealt_cells_by_their_shares_alone() -> None:
    game = Apart()
    starts = Starts(game, CELLS, np.ones(3), 30, SEEDS, Sampler(), MidGame(), np.random.default_rng(0))
    batch = Batch(game, starts.setups[starts.now], seed=0)
    starts.begin(batch, taught=10)
    play(starts, batch, 100, np.random.default_rng(1))
    assert np.allclose(starts.weights, 1 / 3) and np.allclose(starts.teacher_weights, 1 / 3)


def test_cells_of_a_kind_are_counted_as_one() -> None:
    cells = [Cell({"players": n}, GAME.configure(players=n)) for n in (2, 3, 2, 3)]
    starts = Starts(GAME, cells, np.ones(4), 1, SEEDS, Sampler(memory=20), MidGame(), np.random.default_rng(0),
                    kinds=["a", "a", "b", "b"])  # fmt: skip
    starts._count(0, True, False)
    starts._count(1, False, False)
    assert starts.played.tolist() == [2, 2, 0, 0]
    assert starts.rates.tolist() == [0.5, 0.5, 0.5, 0.5]
    starts._count(3, False, False)
    assert starts.rates.tolist() == [0.5, 0.5, 0.25, 0.25]


def test_what_a_game_tells_counts_when_all_agree() -> None:
    starts, batch = make(n=60)
    rng, ended = np.random.default_rng(0), 0
    for _ in range(30):
        batch.step(rng.integers(KEEP, PASS + 1, batch.n))
        ended += len(starts.follow(batch).games)
    assert not starts.played.any() and (starts.rates == 0.5).all()
    starts.agree()
    assert starts.played.sum() == ended > 0 and not starts.ended
    starts.agree()
    assert starts.played.sum() == ended


def test_favours_what_is_neither_won_nor_lost_always() -> None:
    starts, _ = make(floor=0.1)
    starts.rates[:] = [0.5, 0.0, 0.9]
    expected = np.array([0.5 * 1, 0.25 * 0.1, 0.25 * (0.1 + 0.9 * 0.6)])
    assert np.allclose(starts.weights, expected / expected.sum())
    drawn = np.bincount(np.concatenate([starts._draw(starts.own, starts.weights) for _ in range(700)]), minlength=3)
    drawn = drawn / drawn.sum()
    assert np.abs(drawn - starts.weights).max() < 0.02


def test_favours_the_rung_after_one_that_is_won() -> None:
    cells, beside = [CELLS[0]] * 5, np.array([[0, 1], [0, 2], [1, 3], [2, 3], [4, 4]])
    starts = Starts(GAME, cells, np.ones(5), 1, SEEDS, Sampler(floor=0.1), MidGame(), np.random.default_rng(0),
                    beside=beside)  # fmt: skip
    starts.rates[:] = [1.0, 1.0, 0.0, 0.0, 0.5]
    assert np.allclose(starts.weights, np.array([0.1, 1.9, 1.9, 0.1, 1]) / 5)
    starts.rates[:] = [1.0, 0.5, 0.0, 0.0, 0.0]
    expected = np.array([0.1 + 0.9 * 0.75**0.5, 1.9, 0.1 + 0.9 * 2 * 0.75**0.5, 0.1, 0.1])
    assert np.allclose(starts.weights, expected / expected.sum())


def test_leaves_rungs_alone_where_the_next_ones_are_won() -> None:
    cells, beside = [CELLS[0]] * 4, np.array([[0, 1], [0, 2], [1, 2], [3, 3]])
    starts = Starts(GAME, cells, np.ones(4), 1, SEEDS, Sampler(floor=0.1), MidGame(), np.random.default_rng(0),
                    beside=beside)  # fmt: skip
    for rates, spreads in (
        ([0.9, 0.9, 0.9, 0.9], [0.12, 0.12, 0.12, 0.6]),
        ([0.9, 0.9, 0.5, 0.9], [0.12, 2 * 0.21**0.5, 1.0, 0.6]),
    ):
        starts.rates[:] = rates
        expected = 0.1 + 0.9 * np.array(spreads)
        assert np.allclose(starts.weights, expected / expected.sum())


def test_the_teachers_games_are_counted_apart_and_are_where_it_is_ahead() -> None:
    starts, batch = make(n=60, taught=20)
    starts.teacher_rates[:] = [0.2, 0.9, 0.5]
    assert np.allclose(starts.teacher_weights, np.array([2e-3, 0.4, 1e-3]) / 0.403)
    rng, dealt = np.random.default_rng(0), np.zeros(3)
    for _ in range(40):
        batch.step(rng.integers(KEEP, PASS + 1, batch.n))
        ended, whose = batch.finished.games, starts.now.copy()
        before = starts.played.copy(), starts.teacher_played.copy()
        weights = starts.teacher_weights
        starts.follow(batch)
        starts.agree()
        counted = (
            np.bincount(whose[ended[ended >= 20]], minlength=3),
            np.bincount(whose[ended[ended < 20]], minlength=3),
        )
        assert (starts.played - before[0] == counted[0]).all() and (
            starts.teacher_played - before[1] == counted[1]
        ).all()
        dealt += np.bincount(starts.next[ended[ended < 20]], minlength=3) - weights * (ended < 20).sum()
    assert starts.teacher_played.sum() > 50
    assert np.abs(dealt).max() < 4 * np.sqrt(starts.teacher_played.sum() / 4)


def test_floor_of_one_samples_by_share() -> None:
    starts, _ = make(floor=1.0)
    starts.rates[:] = [0.5, 0.0, 0.9]
    assert np.allclose(starts.weights, [0.5, 0.25, 0.25])


def test_stored_positions_are_played_on() -> None:
    starts, batch = make(n=40, share=1.0)
    rng = np.random.default_rng(1)
    play(starts, batch, 3, rng)
    starts.store(batch, np.full(batch.n, 0.5, np.float32), 100)
    assert starts.kept == 40
    told = ["pot", "round", "seat", "die", "players"]
    stored = {row.item() for row in starts.stored[told]}
    seen = 0
    for _ in range(60):
        batch.step(rng.integers(KEEP, PASS + 1, batch.n))
        played = starts.played.sum()
        whole = starts.whole.copy()
        finished = starts.follow(batch)
        starts.agree()
        assert starts.played.sum() - played == whole[finished.games].sum()  # only whole games count
        for game in finished.games:
            seen += 1
            assert not starts.whole[game]
            assert batch.states[told][game].item() in stored
            assert batch.buffers.observations[game, 0] == np.float32(batch.states["pot"][game] / 24)
    assert seen > 20


@pytest.mark.parametrize(("taught", "rate"), [(10, 0.9), (0, 0.1), (0, 0.9)])
def test_positions_of_won_games_are_stored(taught: int, rate: float) -> None:
    """Those that the teacher won, and in cells that it seldom wins the network's own, from the beginning."""
    starts, batch = make(n=40, share=0.0001, taught=taught)
    rng = np.random.default_rng(2)
    passed: list[list[bytes]] = [[] for _ in range(batch.n)]
    won = lost = 0
    for _ in range(80):
        starts.remember(batch.states)
        starts.rates[:], starts.played[:] = rate, 1000
        for game in range(40):
            passed[game].append(batch.states[game].tobytes())
        batch.step(rng.integers(KEEP, PASS + 1, batch.n))
        kept, expected, own = starts.kept, 0, set()
        for game, state in zip(batch.finished.games, batch.finished.states, strict=True):
            if state["result"] == WON and (game < taught or (rate < SELDOM and starts.whole[game])):
                expected += min(TRAIL, len(passed[game]))
                own |= set(passed[game])
                won += 1
            lost += state["result"] != WON
        starts.follow(batch)
        starts.agree()
        for game in batch.finished.games:
            passed[game] = []
        assert starts.kept - kept == expected
        newest = (starts.kept - 1 - np.arange(min(expected, len(starts.stored)))) % len(starts.stored)
        assert all(starts.stored[i].tobytes() in own for i in newest)
    assert (won > 20) == (taught > 0 or rate < SELDOM) and lost > 5


@pytest.mark.parametrize(("first", "then"), [(40, 10), (10, 40), (10, 0)])
def test_games_that_change_hands_count_for_nobody(first: int, then: int) -> None:
    starts, batch = make(n=40, share=0.5, taught=first)
    rng, given = np.random.default_rng(3), slice(min(first, then), max(first, then))
    for _ in range(3):
        starts.remember(batch.states)
        batch.step(rng.integers(KEEP, PASS + 1, batch.n))
        starts.follow(batch)
    starts.agree()
    starts.teach(then)
    assert not starts.whole[given].any() and not starts.turns[given].any()
    handed, counted = np.arange(40)[given], 0
    while len(handed):
        starts.remember(batch.states)
        batch.step(rng.integers(KEEP, PASS + 1, batch.n))
        ended = batch.finished.games
        counted += (~np.isin(ended, handed)).sum()
        before = starts.played.sum() + starts.teacher_played.sum()
        whole = starts.whole[ended].sum()
        assert not starts.whole[np.intersect1d(ended, handed)].any()
        starts.follow(batch)
        starts.agree()
        assert starts.played.sum() + starts.teacher_played.sum() == before + whole
        handed = np.setdiff1d(handed, ended)
    assert counted > 0


def test_every_turn_of_a_taught_game_is_as_likely_to_be_stored() -> None:
    starts, batch = make(n=1000, share=0.5, taught=1000)
    k = 4 * TRAIL
    for turn in range(k):
        batch.states["pot"] = turn
        starts.remember(batch.states)
    found = np.bincount(starts.trail["pot"].ravel(), minlength=k)
    assert found.sum() == batch.n * TRAIL
    assert np.abs(found - batch.n / 4).max() < 5 * np.sqrt(batch.n * 3 / 16)


def test_keeps_only_positions_that_are_still_open() -> None:
    starts, batch = make(n=40, share=0.5)
    chances = np.linspace(0, 1, 40).astype(np.float32)
    starts.store(batch, chances, 100)
    assert starts.kept == ((chances > 0.05) & (chances < 0.95)).sum()
    starts.store(batch, np.ones(40, np.float32), 100)
    assert starts.kept == ((chances > 0.05) & (chances < 0.95)).sum()


def test_stores_nothing_where_all_games_begin_at_the_beginning() -> None:
    starts, batch = make(share=0.0)
    starts.store(batch, np.full(batch.n, 0.5, np.float32), 100)
    assert starts.kept == 0 and starts.whole.all()


@pytest.mark.parametrize("share", [0.0, 0.5])
def test_goes_on_where_it_was_taken(share: float) -> None:
    one, games = make(share=share, seed=3)
    rng = np.random.default_rng(0)
    play(one, games, 20, rng)
    one.store(games, np.full(games.n, 0.5, np.float32), 8)
    other, copied = make(share=share, seed=4)
    other.load_state_dict(one.state_dict())
    copied.load_state_dict(games.state_dict())
    other.rng.bit_generator.state = one.rng.bit_generator.state
    play(one, games, 40, np.random.default_rng(5))
    play(other, copied, 40, np.random.default_rng(5))
    assert games.states.tobytes() == copied.states.tobytes()
    assert all((one.state_dict()[name] == other.state_dict()[name]).all() for name in ("now", "next", "rates", "whole"))
