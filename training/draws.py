"""Random numbers of games that several processes share: a game's are the same whichever process plays it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

#: Of SplitMix64 (Steele et al. 2014): what is added to a state, and the factors by which it is mixed.
STEP, FACTORS = np.uint64(0x9E3779B97F4A7C15), (np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB))


class Draws:
    """A generator for each of some games.

    Args:
        seed: of all; 0 to 2**63 - 1.
        games: int64 (n,), their numbers among the games of all processes.
    """

    def __init__(self, seed: int, games: NDArray[np.int64]) -> None:
        self.begun = mixed(mixed(games.astype(np.uint64) + STEP) ^ np.uint64(seed))  #: uint64 (n,), states
        self.drawn = np.zeros(len(games), np.int64)  #: (n,), numbers so far

    def __call__(self, places: NDArray[np.int64], many: int) -> NDArray[np.float64]:
        """The next numbers, evenly from 0 to below 1, float64 (k, many), of the games in some places, int64 (k,), each
        once."""
        steps = (self.drawn[places, None] + 1 + np.arange(many)).astype(np.uint64)
        self.drawn[places] += many
        return (mixed(self.begun[places, None] + steps * STEP) >> np.uint64(11)).astype(np.float64) * 2.0**-53

    @property
    def state(self) -> NDArray[np.int64]:
        """To go on from, int64 (n, 2)."""
        return np.stack([self.begun.view(np.int64), self.drawn], axis=1)

    @state.setter
    def state(self, state: NDArray[np.int64]) -> None:
        self.begun, self.drawn = state[:, 0].copy().view(np.uint64), state[:, 1].copy()


def mixed(states: NDArray[np.uint64]) -> NDArray[np.uint64]:
    """SplitMix64's numbers of its states."""
    for shift, factor in zip((np.uint64(30), np.uint64(27)), FACTORS, strict=True):
        states = (states ^ (states >> shift)) * factor
    return states ^ (states >> np.uint64(31))


__all__ = ["Draws"]
