"""Many games at once: compiled loops over an array of states, for any game.

The loops below name the game's functions as globals of this module that do not exist; :func:`make_batch` binds each
loop to one game's own. So they are compiled with the rules inlined, kept on disk, and still written once.
"""

from __future__ import annotations

import functools
import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import FunctionType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.game import RUNNING, Game, Record, named, new_state
from tabletop.jit import entry
from tabletop.rng import below, seed_generator

#: A generator of its own for whoever plays at random, apart from the simulator's.
GENERATOR = np.dtype([("rng", "i8", 4)], align=True)


def _unbound(*_: Any) -> Any:
    raise NotImplementedError("stands for a game's function")


reset = apply = legal = _unbound


def reset_many(box: Any, s: Any, setups: Any, seeds: Any) -> None:
    for i in range(len(s)):
        reset(box, s[i : i + 1], setups[i : i + 1], seeds[i])


def legal_many(box: Any, s: Any, masks: Any) -> None:
    for i in range(len(s)):
        if s[i].result == RUNNING:
            legal(box, s[i : i + 1], masks[i])
        else:
            masks[i] = 0


def apply_many(box: Any, s: Any, actions: Any, mask: Any) -> int:
    n = len(mask)
    for i in range(len(s)):
        legal(box, s[i : i + 1], mask)
        if s[i].result != RUNNING or actions[i] < 0 or actions[i] >= n or mask[actions[i]] == 0:
            return i
    for i in range(len(s)):
        apply(box, s[i : i + 1], actions[i])
    return -1


def random_many(box: Any, s: Any, seeds: Any, generator: Any, mask: Any) -> int:
    decisions = 0
    for i in range(len(s)):
        one = s[i : i + 1]
        seed_generator(generator[0], seeds[i])
        while one[0].result == RUNNING:
            legal(box, one, mask)
            n = 0
            for a in range(len(mask)):
                n += mask[a]
            left = below(generator[0], n)
            choice = -1
            for a in range(len(mask)):
                if mask[a]:
                    if left == 0:
                        choice = a
                        break
                    left -= 1
            if choice < 0 or not apply(box, one, choice):
                return -1 - i
            decisions += 1
    return decisions


@dataclass(frozen=True)
class Batch:
    """The loops of one game, made by :func:`make_batch`. States are arrays of shape (n,), stepped in place."""

    game: Game
    _reset: Callable[..., Any]
    _legal: Callable[..., Any]
    _apply: Callable[..., Any]
    _random: Callable[..., Any]

    def reset(self, setups: Record, seeds: NDArray[np.int64]) -> Record:
        """New games, shape (n,), from setups (n,) and seeds int64 (n,). Chance answers by itself."""
        if setups.shape != seeds.shape or setups.ndim != 1:
            raise ValueError(f"{setups.shape} setups and {seeds.shape} seeds: one of each for every game")
        s = new_state(self.game, len(setups))
        self._reset(self.game.box, s, setups, np.ascontiguousarray(seeds, np.int64))
        return s

    def legal(self, s: Record, masks: NDArray[np.int8] | None = None) -> NDArray[np.int8]:
        """The masks int8 (n, n_actions), written into ``masks`` if given; zeros for finished games."""
        if masks is None:
            masks = np.empty((len(s), self.game.n_actions), np.int8)
        self._legal(self.game.box, s, masks)
        return masks

    def apply(self, s: Record, actions: NDArray[np.int64]) -> None:
        """One choice in every game, in place. None may be finished.

        Raises:
            ValueError: a choice is illegal; the game's index is named and no game has moved.
        """
        if actions.shape != s.shape or actions.dtype.kind not in "iu":
            raise ValueError(f"actions are {actions.dtype} {actions.shape}, expected one integer for each of {len(s)}")
        mask = np.zeros(self.game.n_actions, np.int8)
        wrong = int(self._apply(self.game.box, s, np.ascontiguousarray(actions, np.int64), mask))
        if wrong >= 0:
            what = "is finished" if s["result"][wrong] != RUNNING else "was asked something else"
            raise ValueError(f"game {wrong}: illegal action {named(self.game, s[wrong : wrong + 1], actions[wrong])}"
                             f", the game {what}; no game has moved")  # fmt: skip

    def play_random(self, s: Record, seeds: NDArray[np.int64]) -> int:
        """Plays every game to its end, in place, uniformly at random among the legal choices.

        Args:
            seeds: int64 (n,), of the players' own generators.

        Returns:
            the number of decisions made.
        """
        generator, mask = np.zeros(1, GENERATOR), np.zeros(self.game.n_actions, np.int8)
        decisions = int(self._random(self.game.box, s, np.ascontiguousarray(seeds, np.int64), generator, mask))
        if decisions < 0:
            raise RuntimeError(f"game {-1 - decisions} offers nothing that it accepts")
        return decisions


_made: dict[str, Batch] = {}


def make_batch(game: Game) -> Batch:
    """The compiled loops over many states of a game; made once for a game, whatever its edition."""
    key = f"{game.name}_{_digest(game)}"
    if key not in _made:
        bind = functools.partial(_bind, game, key)
        _made[key] = Batch(game, *(bind(loop) for loop in (reset_many, legal_many, apply_many, random_many)))
    made = _made[key]
    return made if made.game is game else Batch(game, made._reset, made._legal, made._apply, made._random)


def _digest(game: Game) -> str:
    """Of the file that holds the game's ``apply``: rules outside the engine's folders are cached by it."""
    source = inspect.getsourcefile(getattr(game.apply, "py_func", game.apply))
    return hashlib.sha256(Path(source).read_bytes()).hexdigest()[:12] if source else ""


def _bind(game: Game, key: str, loop: Callable[..., Any]) -> Callable[..., Any]:
    names = {**globals(), "reset": game.reset, "apply": game.apply, "legal": game.legal}
    bound = FunctionType(loop.__code__, names, loop.__name__)
    bound.__qualname__ = f"{key}.{loop.__name__}"
    bound.__module__ = __name__
    return entry(bound)
