"""Intervals of means: of rates, of paired differences, and one that may be looked at as often as one likes."""

from __future__ import annotations

import math
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054


class Interval(NamedTuple):
    """A rate and the ends of its interval, all in 0..1; of a difference of rates, in -1..1; or a mean with its own."""

    rate: float
    low: float
    high: float


def wilson(wins: float, games: float, z: float = Z95) -> Interval:
    """Wilson's score interval of a win rate (Wilson 1927); (nan, 0, 1) of no games. Either may be a fraction.

    Raises:
        ValueError: ``wins`` is not in 0..games.
    """
    if not 0 <= wins <= games:
        raise ValueError(f"{wins} wins of {games} games, expected 0 to {games}")
    if games == 0:
        return Interval(math.nan, 0.0, 1.0)
    rate = wins / games
    scale = 1 + z * z / games
    middle = (rate + z * z / (2 * games)) / scale
    half = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / scale
    low = 0.0 if wins == 0 else max(0.0, middle - half)
    high = 1.0 if wins == games else min(1.0, middle + half)
    return Interval(rate, low, high)


def paired_difference(ours: NDArray[np.bool_], theirs: NDArray[np.bool_]) -> Interval:
    """The difference of two win rates, ours less theirs, on the same games, with its interval.

    Method 10 of Newcombe (1998), "Improved confidence intervals for the difference between binomial proportions based
    on paired data", Statistics in Medicine 17: both Wilson intervals, and the correlation of the outcomes.

    Args:
        ours: bool (games,), which games were won; ``theirs``: the same games, played by another.

    Raises:
        ValueError: the shapes differ, or there are no games.
    """
    if ours.shape != theirs.shape or ours.ndim != 1 or not len(ours):
        raise ValueError(f"outcomes of shapes {ours.shape} and {theirs.shape}, expected the same games, at least one")
    n = len(ours)
    one, two = wilson(int(ours.sum()), n), wilson(int(theirs.sum()), n)
    phi = _correlation(int((ours & theirs).sum()), int((ours & ~theirs).sum()), int((theirs & ~ours).sum()), n)
    difference = one.rate - two.rate
    low = difference - _side(one.rate - one.low, two.high - two.rate, phi)
    high = difference + _side(one.high - one.rate, two.rate - two.low, phi)
    return Interval(difference, low, high)


def _correlation(both: int, only_ours: int, only_theirs: int, n: int) -> float:
    """Phi of the two by two table, corrected for continuity where positive; 0 where a margin is empty."""
    neither = n - both - only_ours - only_theirs
    product = (both + only_ours) * (only_theirs + neither) * (both + only_theirs) * (only_ours + neither)
    if product == 0:
        return 0.0
    covariance = both * neither - only_ours * only_theirs
    return (max(covariance - n / 2, 0.0) if covariance > 0 else covariance) / math.sqrt(product)


def _side(a: float, b: float, phi: float) -> float:
    return math.sqrt(max(0.0, a * a - 2 * phi * a * b + b * b))


def mean(values: NDArray[Any], sizes: NDArray[np.int64] | None = None) -> Interval:
    """The mean of values, (n,), with the normal interval; its ends are infinite for fewer than two.

    Args:
        sizes: int64 (n,), of how many each value is itself the mean, and weighs as many; by default all weigh the same.
    """
    n = len(values)
    if n < 2:
        return Interval(float(values.mean()) if n else math.nan, -math.inf, math.inf)
    middle, variance = _spread(values, sizes)
    half = Z95 * math.sqrt(variance) / math.sqrt(n)
    return Interval(middle, middle - half, middle + half)


def _spread(values: NDArray[Any], sizes: NDArray[np.int64] | None) -> tuple[float, float]:
    """The mean of values that weigh as :func:`mean` says, and their variance about it, of which the n-th part is that
    of the mean (the ratio estimator of Cochran 1977, "Sampling Techniques", chapter 2); 0 of one value."""
    weights = np.ones(len(values)) if sizes is None else sizes / sizes.mean()
    middle = float(np.average(values, weights=weights))
    return middle, float(((weights * (values - middle)) ** 2).sum()) / max(1, len(values) - 1)


def bounded_mean(values: NDArray[Any], low: float, high: float, z: float = Z95) -> Interval:
    """The mean of values from ``low`` to ``high``, (n,), with its interval, which lies there, too.

    Wilson's score interval of values that need not be 0 or 1; of these it is :func:`wilson`. A mean that is further off
    comes with the larger variance that as many values at that end make: so a few equal values do not say that all are.
    """
    n = len(values)
    if not n:
        return Interval(math.nan, low, high)
    middle, variance = float(values.mean()), float(values.var())

    def off(most: float) -> float:
        grows = most - variance / most if most > 0 else 0.0  # the variance, with each unit that the mean is off
        root = math.sqrt((z * grows) ** 2 + 4 * (n + z * z) * variance)
        return min(most, (z * z * grows + z * root) / (2 * (n + z * z)))

    return Interval(middle, middle - off(middle - low), middle + off(high - middle))


def clustered(rates: NDArray[np.float64], most: float, sizes: NDArray[np.int64] | None = None) -> Interval:
    """The mean of rates, one for each group of games that depend on one another, with its interval.

    Wilson's interval with the :func:`effective` number of games.

    Args:
        rates: float64 (groups,), each 0..1.
        most: games in all groups.
        sizes: of the groups, as of :func:`mean`.
    """
    n, rate = effective(rates, most, sizes), _spread(rates, sizes)[0] if len(rates) else 0.0
    return wilson(rate * n, n)


def effective(rates: NDArray[np.float64], most: float, sizes: NDArray[np.int64] | None = None) -> float:
    """As many games that do not depend on one another as tell as much as all games do (Kish 1965, "Survey Sampling").

    It is at least the number of groups, for a rate varies no more than one game does; where some weigh more, it is as
    many as would tell as much if all weighed the same.

    Args:
        rates: float64 (groups,), of each group of games that depend on one another; each 0..1.
        most: games in all groups, which are not exceeded.
        sizes: of the groups, as of :func:`mean`.
    """
    n = len(rates)
    rate, variance = _spread(rates, sizes) if n else (0.0, 0.0)
    least = n if sizes is None or not n else float(sizes.sum()) ** 2 / float((sizes**2).sum())
    variance = variance / n if n > 1 else rate * (1 - rate)
    games = rate * (1 - rate) / variance if variance > 0 else most if n > 1 and 0 < rate < 1 else least
    return min(most, max(least, games))


def elo(shares: NDArray[np.float64], games: NDArray[np.float64]) -> NDArray[np.float64]:
    """Strengths, float64 (k,), with mean 0: who is 400 above another is expected to win ten times as often.

    The likeliest of the model of Bradley and Terry (1952), by Hunter's algorithm (2004, "MM algorithms for
    generalized Bradley-Terry models"). Everybody is taken to have drawn one more game with each other, so that
    who always wins has a strength, too.

    Args:
        shares: (k, k), what each row's agent has won of the games with each column's, from 0 to 1; the diagonal is not
            looked at.
        games: (k, k), how many those were, the same both ways.
    """
    apart = ~np.eye(len(shares), dtype=bool)
    many = np.where(apart, games + (games > 0), 0.0)
    won = np.where(apart, np.nan_to_num(shares) * games + 0.5 * (games > 0), 0.0).sum(1)
    strength = np.ones(len(shares))
    for _ in range(10_000):
        before = strength
        strength = won / np.maximum((many / (before[:, None] + before)).sum(1), 1e-12)
        strength /= np.exp(np.log(strength).mean())
        if np.allclose(strength, before, rtol=1e-10):
            break
    return np.asarray(400 * np.log10(strength))


def anytime(values: NDArray[Any], low: float, high: float, alpha: float = 0.05) -> Interval:
    """The mean of values, (n,), with an interval that holds at every n at once: who looks after each value, and stops
    when it pleases, is wrong in no more than ``alpha``.

    The empirical-Bernstein confidence sequence of Waudby-Smith and Ramdas (2024), "Estimating means of bounded random
    variables by betting", Journal of the Royal Statistical Society B 86, theorem 2.

    Args:
        low, high: no value is outside.
    """
    n = len(values)
    if not n or high <= low:
        return Interval(float(values.mean()) if n else math.nan, low, high)
    x = (np.asarray(values, np.float64) - low) / (high - low)
    t = np.arange(1, n + 1)
    middle = (0.5 + x.cumsum()) / (t + 1)
    before = np.concatenate([[0.5], middle[:-1]])
    spread = (0.25 + ((x - middle) ** 2).cumsum()) / (t + 1)
    spread_before = np.concatenate([[0.25], spread[:-1]])
    bets = np.minimum(0.5, np.sqrt(2 * math.log(2 / alpha) / (spread_before * t * np.log1p(t))))
    cost = (-np.log1p(-bets) - bets) * (x - before) ** 2
    centre = float((bets * x).sum() / bets.sum())
    half = float((math.log(2 / alpha) + cost.sum()) / bets.sum())
    ends = (max(0.0, centre - half), min(1.0, centre + half))
    return Interval(float(np.mean(values)), *(low + (high - low) * end for end in ends))
