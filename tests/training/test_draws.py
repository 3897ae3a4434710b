"""Numbers of games that several processes share."""

from __future__ import annotations

import numpy as np

from tabletop.training.draws import Draws, mixed


def test_numbers_are_those_of_splitmix64() -> None:
    """The first ones of the seed 1234567, as published with the algorithm."""
    begun = np.full(5, 1234567, np.uint64)
    steps = np.arange(1, 6).astype(np.uint64) * np.uint64(0x9E3779B97F4A7C15)
    assert mixed(begun + steps).tolist() == [6457827717110365317, 3203168211198807973, 9817491932198370423,
                                             4593380528125082431, 16408922859458223821]  # fmt: skip


def test_a_games_numbers_are_its_own() -> None:
    """Whichever games are there beside it, and however many are drawn at once."""
    every, even = Draws(7, np.arange(10)), Draws(7, np.arange(0, 10, 2))
    all_ = every(np.arange(10), 6)
    assert np.array_equal(np.hstack([even(np.arange(5), 2), even(np.arange(5), 4)]), all_[::2])
    assert len(np.unique(all_)) == 60 and not np.isin(Draws(8, np.arange(10))(np.arange(10), 6), all_).any()
    assert np.array_equal(every(np.array([3]), 1), Draws(7, np.array([3]))(np.array([0]), 7)[:, 6:])


def test_goes_on_from_a_state() -> None:
    one, other = Draws(3, np.arange(4)), Draws(4, np.arange(4))
    one(np.array([1, 3]), 5)
    other.state = one.state
    assert np.array_equal(one(np.arange(4), 3), other(np.arange(4), 3))


def test_numbers_are_even() -> None:
    drawn = Draws(0, np.arange(1000))(np.arange(1000), 100)
    assert drawn.min() >= 0 and drawn.max() < 1
    counts = np.histogram(drawn, bins=50, range=(0, 1))[0]
    assert ((counts - 2000) ** 2 / 2000).sum() < 100  # chi squared of 49 degrees of freedom: above in 1 of 40,000
    assert abs(np.corrcoef(drawn[:-1].ravel(), drawn[1:].ravel())[0, 1]) < 0.015
