"""Small statistics of win rates."""

from __future__ import annotations

import math
from typing import NamedTuple

Z95 = 1.959963984540054


class Interval(NamedTuple):
    """A rate and the ends of its interval, all in 0..1."""

    rate: float
    low: float
    high: float


def wilson(wins: int, games: int, z: float = Z95) -> Interval:
    """Wilson's score interval of a win rate (Wilson 1927); (nan, 0, 1) of no games.

    Raises:
        ValueError: ``wins`` is not in 0..games.
    """
    if not 0 <= wins <= games:
        raise ValueError(f"{wins} wins of {games} games")
    if games == 0:
        return Interval(math.nan, 0.0, 1.0)
    rate = wins / games
    scale = 1 + z * z / games
    middle = (rate + z * z / (2 * games)) / scale
    half = z * math.sqrt(rate * (1 - rate) / games + z * z / (4 * games * games)) / scale
    low = 0.0 if wins == 0 else max(0.0, middle - half)
    high = 1.0 if wins == games else min(1.0, middle + half)
    return Interval(rate, low, high)
