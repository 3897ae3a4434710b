"""``render_mode`` as Gymnasium and PettingZoo understand it, and what else the adaptors show of a game."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from random import Random
from typing import Any

import numpy as np

from tabletop.boxes import whole
from tabletop.game import SEEDS, Game, Record, check_seed
from tabletop.log import Log, Match, choice


class Played:
    """What the adaptors of one game (:class:`~tabletop.log.Match`) have in common."""

    game: Game
    render_mode: str | None
    lang: str
    _match: Match | None  #: None: no game has begun
    _setups: Record  #: (n,), of each box that is played with

    def _begun(self, seed: Any, options: Any, seeds: np.random.Generator) -> Match:
        """A game with one of the setups: that of ``options["box"]``, or one that the seed draws; the other options are
        the game's. Without a seed ``seeds`` draws one. ValueError: a bad seed or option; ``seeds`` is as it was."""
        given, n = reset_options(options), len(self._setups)
        stood = seeds.bit_generator.state
        try:
            chosen = int(seeds.integers(SEEDS)) if seed is None else check_seed(seed)
            # of Python's draws this one alone is promised to stay as it is
            drawn = int(Random(chosen).random() * n) if n > 1 else 0
            box = whole("box", given.pop("box", drawn), range(n))
            setup = self._setups[box : box + 1]
            return Match(self.game, self.game.override(setup, given) if given else setup, chosen)
        except Exception:
            seeds.bit_generator.state = stood
            raise

    @property
    def match(self) -> Match:
        """The game that is played.

        Raises:
            ValueError: none has begun.
        """
        if self._match is None:
            raise ValueError("no game has begun: call reset() first")
        return self._match

    @property
    def record(self) -> Record:
        """The state itself, shape (1,), not a copy."""
        return self.match.s

    @property
    def log(self) -> Log:
        """The game so far."""
        return self.match.stamped()

    def render(self, seat: int | None = None) -> Any:
        """The picture of the chosen ``render_mode``, for a seat; "human" prints the text and returns None."""
        return picture(self.game, self.match.s, self.render_mode, self.lang, seat)

    def describe(self, lang: str | None = None, seat: int | None = None) -> str:
        """Where the game stands, in words, for a seat."""
        return self.game.describe(self.match.s, lang or self.lang, seat)

    def words(self, action: int, lang: str | None = None, seat: int | None = None) -> str:
        """What a choice means now, in words, for a seat."""
        return self.game.words(self.match.s, choice(self.game, action), lang or self.lang, seat)


def reset_options(options: Any) -> dict[str, Any]:
    """The options of ``reset`` in a new dict; ValueError if they are neither None nor a dict."""
    if options is not None and not isinstance(options, Mapping):
        raise ValueError(f"options is {options!r}, choose None or a dict")
    return dict(options or {})


def modes(game: Game) -> list[str]:
    """What ``render_mode`` can be, besides None."""
    return ["human", *game.render_modes]


def check_mode(game: Game, mode: str | None) -> None:
    """ValueError if there is no such ``render_mode``; the message names those there are."""
    if mode is not None and mode not in modes(game):
        raise ValueError(f"render_mode is {mode!r}, choose None or one of {', '.join(modes(game))}")


def picture(game: Game, s: Record, mode: str | None, lang: str, seat: int | None = None) -> Any:
    """A state, shape (1,), as the mode says: text, SVG or uint8[h, w, 3]; "human" prints the text and returns None."""
    if mode is None:
        warnings.warn("render() without a render_mode shows nothing: give one when making the environment")
        return None
    if mode == "human":
        print(game.render(s, "ansi", lang, seat))
        return None
    return game.render(s, mode, lang, seat)
