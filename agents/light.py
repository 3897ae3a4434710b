"""A trained network for a few positions, in NumPy: they are judged before PyTorch would be imported.

It is the same network as :mod:`tabletop.agents.network`, in float32, without what only training reads.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray
from threadpoolctl import ThreadpoolController

from tabletop.agents import checkpoint
from tabletop.agents.base import OBSERVATION, observed
from tabletop.agents.things import about, named, things
from tabletop.game import Game, Record, legal_mask, new_state

#: As PyTorch normalises layers.
EPSILON = 1e-5
Floats = NDArray[np.float32]


class Opinion(NamedTuple):
    """What a network thinks of one position."""

    choices: NDArray[np.int64]  #: (k,) the legal ones, best first
    probabilities: NDArray[np.float64]  #: (k,) of choosing each; they add up to 1
    win: float  #: chance that the team wins (in a campaign: this challenge), or a rival wins or shares it; calibrated


class Light:
    """A network as an agent and as an adviser (``Agent`` of :mod:`tabletop.agents.base`, ``Likely`` of
    :mod:`tabletop.agents.plans`), on all seats.

    Args:
        weights: float32, by the names that the network gives them.
        name: to be called by.
        card: of its checkpoint.
    """

    at_once = 64
    sees = OBSERVATION

    def __init__(self, game: Game, weights: Mapping[str, Floats], name: str, card: Mapping[str, Any]) -> None:
        self.game, self.name, self.card = game, name, card
        self._threads = ThreadpoolController()
        self._weights, shape = weights, card["network"]
        self._blocks = int(shape["blocks"])
        self._contents = bool(shape.get("contents", True)) and game.contents.shape[2] > 0
        spoken = about(game) if shape.get("places", False) else np.empty((0, 0), np.int64)
        self._about = spoken if spoken.shape[1] else None
        if self._contents:
            known, self._thing = things(game)
            self._named = named(game)
            self._embedded = self._layer("contents.outer", relu(self._layer("contents.inner", known)))

    @classmethod
    def load(cls, game: Game, name: str | None = None) -> Light:
        """A shipped checkpoint by name, or any by its path; it is called as its card says. None: the game's own.

        Raises:
            ValueError: there is none, it is not of this game, or damaged; the message says what is expected.
            OSError: it cannot be read.
        """
        path = checkpoint.of_game(game, name)
        weights, card = checkpoint.read(path, game)
        try:
            light = cls(game, weights, card.get("name", path.stem), card)
            empty = np.zeros((1, len(game.observation_low)), np.float32)
            light.judge(empty, new_state(game)["box"], np.ones((1, game.n_actions), np.int8))
        except (KeyError, ValueError, IndexError, TypeError) as error:  # a number or a whole layer is not there
            raise ValueError(f"{path} is damaged: {type(error).__name__}: {error}") from None
        return light

    def reset(self, seed: int) -> None:
        """Nothing is drawn."""

    def act(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """The likeliest choice for each game: states (n,), masks int8 (n, n_actions); returns int64 (n,)."""
        chosen: NDArray[np.int64] = self.likelihoods(states, masks).argmax(axis=1)
        return chosen

    def opinion(self, state: Record) -> Opinion:
        """What it thinks of a position, shape (1,), in which a seat is asked."""
        mask = legal_mask(self.game, state)
        likely, win = self.judge(observed(self.game, state), state["box"], mask[None])
        legal = np.flatnonzero(mask)
        order = legal[np.argsort(-likely[0, legal], kind="stable")]
        return Opinion(order, likely[0, order], float(win[0]))

    def likelihoods(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.float64]:
        """How likely it would choose what, if it drew: states (n,), masks int8 (n, n_actions); returns float64
        (n, n_actions)."""
        return self.judge(observed(self.game, states), states["box"], masks)[0]

    def chances(self, observations: Floats, boxes: NDArray[Any]) -> NDArray[np.float64]:
        """Of winning, calibrated, float64 (n,), by observations (n, size) of games with boxes, int (n,)."""
        return self.judge(observations, boxes, np.zeros((len(boxes), self.game.n_actions), np.int8))[1]

    def judge(
        self, observations: Floats, boxes: NDArray[Any], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """How likely it would choose what, float64 (n, n_actions), and its chances of winning, calibrated, float64
        (n,), by observations (n, size), boxes, int (n,), and masks int8 (n, n_actions)."""
        with self._threads.limit(limits=1, user_api="blas"):  # several would wait for each other on a busy machine
            return self._judge(observations, boxes, masks)

    def _judge(
        self, observations: Floats, boxes: NDArray[Any], masks: NDArray[np.int8]
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        features = self._features(observations, boxes)
        rows, actions = np.nonzero(masks)
        logits = np.full(masks.shape, -np.inf)
        logits[rows, actions] = self._layer("policy", features)[rows, actions]
        if self._contents:
            wanted, names = self._layer("wanted", features), self._named[actions]
            i, a = rows[names], actions[names]
            own = self._embedded[self._thing[boxes[i], a]]
            logits[i, a] += (wanted[i] * own).sum(1) * own.shape[1] ** -0.5
        if self._about is not None:
            said = np.pad(observations, ((0, 0), (0, 1)))[rows[:, None], self._about[actions]]
            logits[rows, actions] += (said * self._layer("places.asked", features)[rows]).sum(1)
        best = np.maximum(logits.max(axis=1, keepdims=True), -1e9)  # of an ended game, which has no choice
        likely = np.exp(logits - best)
        likely /= np.maximum(likely.sum(axis=1, keepdims=True), 1e-9)
        scale, shift = self._weights["calibration"]
        win = self._layer("win", relu(self._layer("outlook", features)))[:, 0]
        return likely, 1 / (1 + np.exp(-(scale * win + shift).astype(np.float64)))

    def _features(self, observations: Floats, boxes: NDArray[Any]) -> Floats:
        x = self._layer("trunk.first", observations)
        if self._contents and self.game.content_sets:
            x = x + self._sums(observations, boxes) @ self._weights["trunk.sums.weight"].T
        for k in range(self._blocks):
            block = f"trunk.blocks.{k}"
            inner = relu(self._layer(f"{block}.inner", self._normalised(f"{block}.norm", x)))
            x = x + self._layer(f"{block}.outer", inner)
        return relu(self._normalised("trunk.norm", x))

    def _sums(self, observations: Floats, boxes: NDArray[Any]) -> Floats:
        """For each set the sum of the embeddings of what is in it, (n, sets * length)."""
        sums = np.zeros((len(observations), len(self.game.content_sets), self._embedded.shape[1]), np.float32)
        for k, (part, first, many) in enumerate(self.game.content_sets):
            rows, found = np.nonzero(observations[:, part])
            np.add.at(sums[:, k], rows, self._embedded[self._thing[boxes[rows], first + found % many]])
        return sums.reshape(len(observations), -1)

    def _layer(self, name: str, x: Floats) -> Floats:
        y: Floats = x @ self._weights[f"{name}.weight"].T + self._weights[f"{name}.bias"]
        return y

    def _normalised(self, name: str, x: Floats) -> Floats:
        apart = x - x.mean(axis=1, keepdims=True)
        even = apart / np.sqrt((apart**2).mean(axis=1, keepdims=True) + np.float32(EPSILON))
        y: Floats = even * self._weights[f"{name}.weight"] + self._weights[f"{name}.bias"]
        return y


def relu(x: Floats) -> Floats:
    """What is below 0 becomes 0."""
    return np.maximum(x, np.float32(0))


__all__ = ["Light", "Opinion"]
