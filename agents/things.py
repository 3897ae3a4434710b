"""What choices name, and what an observation says of it: read off a game, for any network of it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from tabletop.game import Game
from tabletop.games import extra


def things(game: Game) -> tuple[NDArray[np.float32], NDArray[np.int64]]:
    """The things of a game's boxes by their features, float32 (things, features), each another; and which of them a
    choice names in a box, int64 (boxes, n_actions). What does the same in several boxes is one thing."""
    contents = game.contents
    boxes, n_actions, features = contents.shape
    place: dict[bytes, int] = {}
    thing = [place.setdefault(row.tobytes(), len(place)) for row in contents.reshape(-1, features)]
    found = np.frombuffer(b"".join(place), np.float32).reshape(-1, features).copy()
    return found, np.array(thing, np.int64).reshape(boxes, n_actions)


def named(game: Game) -> NDArray[np.bool_]:
    """Whether a choice names anything, bool (n_actions,)."""
    return np.asarray(np.any(game.contents != 0, axis=(0, 2)))


def about(game: Game) -> NDArray[np.int64]:
    """Which numbers of an observation speak of what a choice names (``Extras.about``): int64 (n_actions, columns)."""
    own: NDArray[np.int64] | None = extra(game, "about")
    if own is not None:
        return own
    size = len(game.observation_low)
    columns: list[NDArray[np.int64]] = []
    for part, first, many in game.content_sets:
        for start in range(part.start, part.stop, many):
            column = np.full(game.n_actions, size)
            column[first : first + many] = np.arange(start, start + many)
            columns.append(column)
    return np.stack(columns, axis=1) if columns else np.zeros((game.n_actions, 0), np.int64)


__all__ = ["about", "named", "things"]
