"""Plays uniformly at random among the legal choices: the floor of every table."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tabletop.agents.base import OBSERVATION
from tabletop.batch import play_random
from tabletop.game import Game, Record


class Random:
    """Uniform among the legal choices, in any game."""

    name = "random"
    sees = OBSERVATION

    def __init__(self, game: Game) -> None:
        self.game = game
        self.reset(0)

    def reset(self, seed: int) -> None:
        """Starts the generator anew."""
        self._rng = np.random.default_rng(seed)

    def act(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """One choice for each row of ``masks``, int64 (n,); 0 where a game has ended."""
        up_to = masks.cumsum(axis=1, dtype=np.int64)
        pick = self._rng.integers(0, np.maximum(1, up_to[:, -1]))
        return np.asarray((up_to > pick[:, None]).argmax(axis=1), dtype=np.int64)

    def play(self, setups: Record, seeds: NDArray[np.int64]) -> Record:
        """Whole games in compiled code; the choices follow from each game's seed."""
        return play_random(self.game, setups, seeds)
