"""Plays an agent against many setups and counts: win rates with intervals, causes of defeat, length.

A *cell* is one setup, e.g. one challenge with one number of players. Games are cut into chunks of a fixed size and
every chunk seeds its own agent, so the result does not depend on the number of processes.
"""

from __future__ import annotations

import csv
import io
import multiprocessing
import signal
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.lib.recfunctions import repack_fields

import agents
from agents.base import Agent, Player
from tabletop import record
from tabletop.batch import make_batch
from tabletop.game import NOBODY, RUNNING, WON, Game, Record
from training.stats import Interval, wilson

CHUNK = 64
Chunk = tuple[int, int, int]  #: cell, first game, number of games


@dataclass
class Cell:
    """One setup and what came of it."""

    labels: dict[str, Any]  #: what to call it in a table, e.g. {"challenge": "SAM-185", "players": 3}
    setup: Record  #: shape (1,)
    games: int = 0
    wins: int = 0
    causes: Counter[str] = field(default_factory=Counter)  #: of the games lost
    length: int = 0  #: sum of the game's clock at the end
    decisions: int = 0

    @property
    def interval(self) -> Interval:
        return wilson(self.wins, self.games)

    def add(self, game: Game, finished: Record) -> None:
        """Counts finished games, shape (n,)."""
        won = finished["result"] == WON
        self.games += len(finished)
        self.wins += int(won.sum())
        self.causes.update(game.causes[i] for i in finished["cause"][~won])
        self.length += int(finished[game.clock].sum())
        self.decisions += int(finished["decisions"].sum())

    def row(self, game: Game) -> dict[str, Any]:
        """Plain data: labels, games, wins, win_rate, low, high, mean length and decisions, causes of defeat."""
        rate, low, high = self.interval
        each = max(self.games, 1)
        return {
            **self.labels,
            "games": self.games,
            "wins": self.wins,
            "win_rate": round(rate, 6) if self.games else None,
            "low": round(low, 6),
            "high": round(high, 6),
            f"mean_{game.clock}s": round(self.length / each, 3),
            "mean_decisions": round(self.decisions / each, 2),
            "causes": dict(self.causes.most_common()),
        }


def play_chunk(game: Game, agent: Agent, setup: Record, seeds: np.ndarray[Any, Any]) -> Record:
    """The finished states, shape (n,), of one game for each seed, int64 (n,)."""
    agent.reset(int(seeds[0]))
    setups = np.repeat(setup, len(seeds))
    if isinstance(agent, Player):
        states = agent.play(setups, seeds)
    else:
        states = _play(game, agent, setups, seeds)
    if np.any(states["result"] == RUNNING) or np.any(states["to_act"] != NOBODY):
        raise RuntimeError(f"{agent.name} left a game unfinished")
    return states


def _play(game: Game, agent: Agent, setups: Record, seeds: np.ndarray[Any, Any]) -> Record:
    batch = make_batch(game)
    states = batch.reset(setups, seeds)
    running = np.flatnonzero(states["result"] == RUNNING)
    live = record.take(states, running)
    while len(live):
        batch.apply(live, agent.act(live, batch.legal(live)))
        over = live["result"] != RUNNING
        if over.any():
            record.put(states, running[over], record.take(live, over))
            running, live = running[~over], record.take(live, ~over)
    return states


class Job:
    """Plays chunks of cells in this process; picklable, for other processes."""

    def __init__(self, game: Game, agent: str, cells: Sequence[Cell], seed: int) -> None:
        self.game, self.agent, self.seed = game, agent, seed
        self.setups = [cell.setup for cell in cells]

    def __call__(self, chunk: Chunk) -> Record:
        cell, first, n = chunk
        seeds = np.arange(self.seed + first, self.seed + first + n, dtype=np.int64)
        states = play_chunk(self.game, agents.make(self.agent, self.game), self.setups[cell], seeds)
        return repack_fields(states[["result", "cause", "decisions", self.game.clock]])


def evaluate(
    game: Game,
    agent: str,
    cells: list[Cell],
    games: int,
    seed: int = 0,
    processes: int = 1,
    progress: Callable[[int], None] = lambda _: None,
) -> bool:
    """Plays ``games`` games in each cell and counts into the cells, interleaved so that all grow alike.

    Args:
        agent: a name of :data:`agents.AGENTS`; it plays all seats.
        seed: game ``i`` of every cell has the seed ``seed + i``, whichever agent plays.
        processes: 1 plays in this process.
        progress: called with the number of games just finished.

    Returns:
        False if it was interrupted (Ctrl-C): the cells then hold what was finished.
    """
    job = Job(game, agent, cells, seed)
    chunks = [(cell, first, min(CHUNK, games - first))
              for first in range(0, games, CHUNK) for cell in range(len(cells))]  # fmt: skip
    results = _here(job, chunks) if processes <= 1 or len(chunks) == 1 else _elsewhere(job, chunks, processes)
    try:
        for (cell, _, n), states in results:
            cells[cell].add(game, states)
            progress(n)
    except KeyboardInterrupt:
        return False
    finally:
        results.close()
    return True


Results = Iterator[tuple[Chunk, Record]]


def _here(job: Job, chunks: list[Chunk]) -> Any:
    for chunk in chunks:
        yield chunk, job(chunk)


def _elsewhere(job: Job, chunks: list[Chunk], processes: int) -> Any:
    job((0, 0, 1))  # compiles once, before every process would do so for itself
    others = set(multiprocessing.active_children())
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), initializer=_quiet)
    try:
        waiting: dict[Future[Record], Chunk] = {}
        for chunk in chunks:
            waiting[pool.submit(job, chunk)] = chunk
            if len(waiting) == 2 * processes:
                yield from _finished(waiting)
        while waiting:
            yield from _finished(waiting)
        pool.shutdown()
    finally:  # Ctrl-C does not wait for the games that are being played
        for child in set(multiprocessing.active_children()) - others:
            child.terminate()
        pool.shutdown(cancel_futures=True)


def _finished(waiting: dict[Future[Record], Chunk]) -> Any:
    done, _ = wait(waiting, return_when=FIRST_COMPLETED)
    for future in done:
        yield waiting.pop(future), future.result()


def _quiet() -> None:
    """Ctrl-C is the parent's business."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def total(cells: Sequence[Cell], **labels: Any) -> Cell:
    """All cells as one."""
    both = Cell(labels, cells[0].setup)
    for cell in cells:
        both.games += cell.games
        both.wins += cell.wins
        both.causes.update(cell.causes)
        both.length += cell.length
        both.decisions += cell.decisions
    return both


def to_csv(game: Game, cells: Sequence[tuple[str, Cell]]) -> str:
    """One line for each (agent, cell); of the causes of defeat, one column each."""
    rows = [{"agent": agent, **cell.row(game)} for agent, cell in cells]
    lost = sorted({cause for row in rows for cause in row["causes"]})
    for row in rows:
        causes = row.pop("causes")
        row.update({f"lost: {cause}": causes.get(cause, 0) for cause in lost})
    out = io.StringIO()
    writer = csv.DictWriter(out, list(rows[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


__all__ = ["Cell", "evaluate", "play_chunk", "to_csv", "total"]
