"""``render_mode`` as Gymnasium and PettingZoo understand it, for every adaptor."""

from __future__ import annotations

import warnings
from typing import Any

from tabletop.game import Game, Record


def modes(game: Game) -> list[str]:
    """What ``render_mode`` can be, besides None."""
    return ["human", *game.render_modes]


def check_mode(game: Game, mode: str | None) -> None:
    """ValueError if there is no such ``render_mode``; the message names those there are."""
    if mode is not None and mode not in modes(game):
        raise ValueError(f"render_mode is {mode!r}, choose None or one of {', '.join(modes(game))}")


def picture(game: Game, s: Record, mode: str | None, lang: str) -> Any:
    """A state, shape (1,), as the mode says: text, SVG or uint8[h, w, 3]; "human" prints the text and returns None."""
    if mode is None:
        warnings.warn("render() without a render_mode shows nothing: give one when making the environment")
        return None
    if mode == "human":
        print(game.render(s, "ansi", lang))
        return None
    return game.render(s, mode, lang)
