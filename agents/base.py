"""What an agent is."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tabletop.game import Record


class Agent(Protocol):
    """Chooses for whichever seat each of many games asks. Made for one game: ``Kind(game)``.

    An agent looks at what the acting seat may know. Whoever looks ahead copies states and reseeds the copies.

    It may have two more attributes: ``at_once``, how many games it is best handed together, and ``card``, how it was
    trained (:mod:`tabletop.agents.checkpoint`).
    """

    name: str

    def reset(self, seed: int) -> None:
        """Forgets everything and starts its own generator anew."""

    def act(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """One legal choice for each game.

        Args:
            states: shape (n,), the game's state dtype; not to be written to.
            masks: int8 (n, n_actions); zeros where a game has ended, whose choice is not heeded.

        Returns:
            int64 (n,)
        """


@runtime_checkable
class Judge(Protocol):
    """An agent that can say what positions are worth, as reward shaping wants it."""

    name: str

    def worth(self, states: Record) -> NDArray[np.float32]:
        """Of states (n,), those of finished games too: float32 (n,), from -1 to 1."""


@runtime_checkable
class Player(Protocol):
    """An agent that can also play whole games by itself in compiled code: evaluation takes the short way."""

    name: str

    def play(self, setups: Record, seeds: NDArray[np.int64]) -> Record:
        """Plays one game for each setup, shape (n,), and seed, int64 (n,), with every seat; chance answers by itself.

        Returns:
            the finished states, shape (n,), the same for the same arguments whatever was played before.
        """
