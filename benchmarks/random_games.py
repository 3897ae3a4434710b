"""Random games of any game for a while: ``python -m benchmarks.random_games NAME [SECONDS]``.

Every cell of the game's grid in turn. Stops at the first game that does not end as it should: no choice that is
accepted, more choices than the game declares, a field out of its bounds, results that are no ranking.
"""

from __future__ import annotations

import sys
import time
from itertools import product

import numpy as np

from tabletop import games
from tabletop.batch import play_random
from tabletop.game import NOBODY, Game, Record

CHUNK = 500


def problems(game: Game, ended: Record, seats: int) -> list[str]:
    """What is wrong with finished games, (n,)."""
    found = []
    if (ended["to_act"] != NOBODY).any() or (ended["decisions"] > game.max_decisions).any():
        found.append("a game does not end in time")
    for name, (least, most) in game.state_bounds.items():
        if ended[name].min() < least or ended[name].max() > most:
            found.append(f"{name} is not {least} to {most}")
    place = game.results(ended).place[:, :seats]
    if not (place == 1 + (place[:, None] < place[..., None]).sum(2)).all():
        found.append("places are no ranking")
    return found


def main(name: str, seconds: float = 60.0) -> None:
    """Plays, and says how many games were sound."""
    game = games.load(name)
    grid = games.extra(game, "grid")
    setups = [game.configure(**dict(zip(grid, values, strict=True))) for values in product(*grid.values())]
    played, began = 0, time.monotonic()
    while time.monotonic() - began < seconds:
        setup = setups[played // CHUNK % len(setups)]
        ended = play_random(game, np.repeat(setup, CHUNK), np.arange(played, played + CHUNK))
        if found := problems(game, ended, game.seats(setup)):
            raise SystemExit(f"{name}, seeds {played} to {played + CHUNK - 1}: {'; '.join(found)}")
        played += CHUNK
    print(f"{name}: {played} random games in {time.monotonic() - began:.0f} s, all sound")


if __name__ == "__main__":
    main(sys.argv[1], *map(float, sys.argv[2:3]))
