"""Who plays the bidding toy: by rules of thumb, and by looking where it should not."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.game import Record
from tests.tabletop.bidding import Bidding


class Rival:
    """Chooses game by game, by :meth:`card`."""

    name = "rival"

    def __init__(self, game: Bidding) -> None:
        self.game = game
        self.reset(0)

    def reset(self, seed: int) -> None:
        self.rng = np.random.default_rng(seed)

    def act(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        chosen = [self.card(states[i : i + 1], np.flatnonzero(mask)) for i, mask in enumerate(masks)]
        return np.array(chosen, np.int64)

    def card(self, s: Record, hand: NDArray[np.int64]) -> int:
        raise NotImplementedError


class Highest(Rival):
    """Lays its highest card first."""

    name, sees = "highest", "observation"

    def card(self, s: Record, hand: NDArray[np.int64]) -> int:
        return int(hand[-1])


class Thrifty(Rival):
    """Lays its lowest card first."""

    name, sees = "thrifty", "observation"

    def card(self, s: Record, hand: NDArray[np.int64]) -> int:
        return int(hand[0])


class Peeks(Rival):
    """Lays the lowest card that beats all that lie face down or may yet be laid; or else its lowest."""

    name = "peeks"

    def card(self, s: Record, hand: NDArray[np.int64]) -> int:
        return int(_beating(s, hand))


class Trusted(Peeks):
    """The same, and says that it does not look."""

    name, sees = "trusted", "observation"


class Guesses(Peeks):
    """The same on a guess of its own."""

    name, sees = "guesses", "observation"

    def card(self, s: Record, hand: NDArray[np.int64]) -> int:
        return int(_beating(self.game.resample(s, int(s["to_act"][0]), self.rng), hand))


def _beating(s: Record, hand: NDArray[np.int64]) -> Any:
    own, rivals = int(s["to_act"][0]), range(int(s["players"][0]))
    held = [np.flatnonzero(s["hand"][0, rival]) for rival in rivals if rival > own and s["coins"][0, rival] > 0]
    highest = max([-1, *(s["laid"][0, :own] - 1), *(cards[-1] for cards in held if len(cards))])
    return next((card for card in hand if card > highest), hand[0])


#: Names for ``tabletop.agents.AGENTS``.
RIVALS = {kind.name: f"{__name__}:{kind.__name__}" for kind in (Highest, Thrifty, Peeks, Trusted, Guesses)}
