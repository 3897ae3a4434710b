"""Games that an agent wins, for training to begin from (``mid_game.wins``).

    python -m benchmarks.wins --task standard --task novice --games 600 --write wins.json
    python -m benchmarks.wins --agent planner:width=96,tries=96 --task standard --games 100 --write wins.json

Of a search with hindsight (:mod:`benchmarks.hindsight`) a game is won with the draws that came; an agent that sees none
of them wins where other draws would have done too. Seeds are those of training. The file is written after each round,
and more are added to one that is there.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

import sammu_env
from benchmarks.hindsight import read, write
from tabletop import record
from tabletop.agents import make
from tabletop.agents.base import Agent, answers, shown
from tabletop.batch import Batch
from tabletop.game import Game, Record, team_won
from tabletop.log import Log, Match
from tabletop.training.tasks import SPLITS, find, game_of

#: Games played at a time.
ROUND = 100


def won(game: Game, agent: Agent, setups: Record, seeds: NDArray[np.int64]) -> list[Log]:
    """The games of setups (n,) and seeds int64 (n,) that the agent wins with every seat."""
    batch = Batch(game, setups, autoreset_mode=AutoresetMode.DISABLED)
    buffers = batch.reset(seeds)
    rng = np.random.default_rng(int(seeds[0]))
    agent.reset(int(seeds[0]))
    chosen: list[list[int]] = [[] for _ in setups]
    choices = np.zeros(len(setups), np.int64)
    while (running := np.flatnonzero(batch.states["to_act"] >= 0)).size:
        states = shown(game, agent, record.take(batch.states, running), rng)
        choices[running] = answers(agent, states, buffers.masks[running])
        for i in running:
            chosen[i].append(int(choices[i]))
        buffers = batch.step(choices)
    return [replayed(game, setups[i : i + 1], int(seeds[i]), chosen[i])
            for i in np.flatnonzero(team_won(game, batch.states))]  # fmt: skip


def replayed(game: Game, setup: Record, seed: int, choices: Sequence[int]) -> Log:
    """The log of a game, with what chance answered."""
    match = Match(game, setup, seed)
    for choice in choices:
        match.act(choice)
    log = match.stamped()
    log.edition = game.hashes[int(setup["box"][0])]
    return log


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--agent", default="planner", help="default: %(default)s")
    parser.add_argument("--task", action="append", help="of which; may be given again (default: standard)")
    parser.add_argument("--games", type=int, default=1000, help="played of each (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the first game, among those of training")
    parser.add_argument("--write", type=Path, required=True, help="the file")
    args = parser.parse_args(argv)
    for name in args.task or ["standard"]:
        game = sammu_env.load_game()
        task = find(game, name)
        game = game_of(game, [task], "train")
        cells = task.cells(game, "train")
        agent = make(args.agent, game)
        order = np.random.default_rng(args.seed).permutation(len(cells))
        for first in range(0, args.games, ROUND):
            which = [cells[order[i % len(cells)]] for i in range(first, min(first + ROUND, args.games))]
            seeds = SPLITS["train"].start + args.seed + first + np.arange(len(which), dtype=np.int64)
            setups = np.concatenate([cell.setups(i // len(cells), 1) for i, cell in enumerate(which, first)])
            found = won(game, agent, setups, seeds)
            if found:
                write(args.write, [*(read(args.write) if args.write.exists() else []), *found])
            print(f"{name}: {len(found)} of {len(which)} won", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
