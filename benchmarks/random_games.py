"""A million random games of any game: ``python -m benchmarks.random_games xerxes 1000000``. Stops at the first error.

All cells of the game's tasks take turns, on its standard and on random boxes. At every step the seat that is asked must
have a choice; in every sixteenth game all observations must be finite and within their ranges. A game must end within
``max_decisions``; of rivals who are first have won, or share the win, and nobody else. The components of Sammu-Ramat
are counted too by :mod:`benchmarks.soak`.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import numpy as np

from tabletop import games
from tabletop.batch import Batch, Finished
from tabletop.game import DRAWN, WON, Game, Record
from tabletop.games import extra
from tabletop.training.tasks import SPLITS, find, game_of

#: Games at once, at most; of how many one is observed, and what float32 may be off.
SLOTS, LOOKED, OFF = 4096, 16, 1e-3


def cells_of(game: Game, names: Sequence[str]) -> tuple[Game, Record]:
    """The game with the boxes of its tasks of these names, and a setup for each cell and box, (n,)."""
    tasks = [find(game, name) for name in names]
    game = game_of(game, tasks, "train")
    return game, np.concatenate([cell.setup for task in tasks for cell in task.cells(game, "train")])


def play(game: Game, setups: Record, n: int, observe: bool, seed: int = 0) -> int:
    """Plays n games, a few more to fill the batch, with setups (k,) in turn; returns the decisions.

    Args:
        observe: whether observations are looked at.

    Raises:
        AssertionError: something is wrong; it says what, with the seed of a game.
    """
    rng = np.random.default_rng(seed)
    slots = np.arange(min(SLOTS, n))
    batch = Batch(game, setups[slots % len(setups)], observe=observe)
    buffers = batch.reset(SPLITS["train"].start + slots)
    seen = slice(None if observe else 0)
    low, high = game.observation_low[seen] - OFF, game.observation_high[seen] + OFF
    done = steps = 0
    while done < n:
        legal = buffers.masks != 0
        assert legal.any(1).all(), f"no choice, seed {batch.seeds[~legal.any(1)][0]}"
        wrong = ~((low <= buffers.observations) & (buffers.observations <= high)).all(1)
        assert not wrong.any(), f"an observation leaves its ranges, seed {batch.seeds[wrong][0]}"
        buffers = batch.step(((1 - rng.random(legal.shape, np.float32)) * legal).argmax(1))
        check_ends(game, batch.finished)
        done, steps = done + len(batch.finished.games), steps + 1
        batch.setups[batch.finished.games] = setups[rng.integers(len(setups), size=len(batch.finished.games))]
    return steps * len(slots)


def check_ends(game: Game, ended: Finished) -> None:
    """AssertionError where games ended as none can."""
    if not len(ended.games):
        return
    found = game.results(ended.states)
    seats = found.place > 0
    first, good = found.place == 1, np.isin(found.result, (WON, DRAWN))
    wrong = ~seats.any(1) | (game.max_decisions < ended.states["decisions"]) | ~np.isfinite(ended.returns).all(1)
    rivals = seats.sum(1) > 1
    if not game.team:
        wrong |= rivals & (~first.any(1) | (good != first).any(1) | ((found.result == WON).sum(1) > 1))
    assert not wrong.any(), f"an end that cannot be, seed {ended.seeds[wrong][0]}"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", choices=games.names())
    parser.add_argument("games", type=int, nargs="?", default=1_000_000, help="default: %(default)s")
    parser.add_argument("--task", action="append", help="whose cells are played (default: all of the game)")
    args = parser.parse_args(argv)
    game = games.load(args.game)
    game, setups = cells_of(game, args.task or extra(game, "tasks"))
    begun = time.perf_counter()
    looked = -(-args.games // LOOKED)
    decisions = play(game, setups, looked, True) + play(game, setups, args.games - looked, False, seed=1)
    print(f"{args.game}: {args.games:,} games, {decisions:,} decisions, {time.perf_counter() - begun:.0f} s, no error")


if __name__ == "__main__":
    main()
