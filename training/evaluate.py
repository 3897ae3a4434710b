"""Plays agents against many setups and counts: win rates with intervals, causes of defeat, length.

A *cell* is one setup, e.g. one challenge with one number of players, on one box or on several in turn. One agent plays
all seats, or several share them (:mod:`tabletop.training.match`). Games are cut into chunks, as large as the agent
likes them, and seed the agents anew in each, so the result does not depend on the number of processes.
"""

from __future__ import annotations

import csv
import io
import itertools
import multiprocessing
import sys
import time
from collections import Counter, deque
from collections.abc import Callable, Generator, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from multiprocessing.connection import wait
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from tabletop import agents, record
from tabletop.agents.base import Agent, Player, answers, shown, trusted
from tabletop.agents.futures import ENDED, ctrl_c_kept_from_children, joined
from tabletop.batch import Batch
from tabletop.game import NOBODY, Game, Record, Results, team_won
from tabletop.stats import Interval, effective, wilson

#: From so many boxes or seeds on it can be told how alike the games of each are.
GROUPS = 20
#: Seconds that a process may take to end, once there is nothing more to play.
ENDING = 10.0
CHUNK = 64  #: games that an agent is handed together, unless it says otherwise (:mod:`tabletop.agents.base`)
Part = tuple[int, int, int]  #: cell, first game, number of games
Chunk = list[Part]


@dataclass
class Cell:
    """One setup and what came of it."""

    labels: dict[str, Any]  #: what to call it in a table, e.g. {"challenge": "SAM-185", "players": 3}
    setup: Record  #: shape (k,), alike but for the box: game ``i`` begins from ``setup[i % k]``
    also: tuple[str, ...] = ()  #: further fields of the final state to keep, e.g. a campaign's "score"
    won: dict[int, NDArray[np.bool_]] = field(default_factory=dict)  #: first game of a chunk -> its games
    ended: dict[int, Results] = field(default_factory=dict)  #: the same, of every seat
    kept: dict[str, dict[int, NDArray[np.int64]]] = field(default_factory=dict)  #: the same of each field of ``also``
    causes: Counter[str] = field(default_factory=Counter)  #: of the games that a team lost; of rivals, of all games
    won_at: Counter[int] = field(default_factory=Counter)  #: the game's clock, e.g. the month, when a team won
    sums: Counter[str] = field(default_factory=Counter)  #: of the game's clock at the end, of decisions, of ``also``
    seconds: float = 0.0  #: that the games took, of all processes together; 0 where nobody has measured
    parts: Sequence[Cell] = ()  #: the cells that this one is the total of

    def setups(self, first: int, n: int, times: int = 1) -> Record:
        """Those of ``n`` games from one on, (n,); each is played so many times, one after the other."""
        return record.take(self.setup, (first + np.arange(n)) // times % len(self.setup))

    @property
    def outcomes(self) -> NDArray[np.bool_]:
        """Which games are won, bool (games,), in order of seed in whatever order they were played."""
        return _in_order(self.won, np.bool_)

    @property
    def numbers(self) -> NDArray[np.int64]:
        """Of the games in ``outcomes``, int64 (games,): 0, 1, ... where none is missing."""
        return _in_order({first: first + np.arange(len(own)) for first, own in self.won.items()}, np.int64)

    def each(self, name: str) -> NDArray[np.int64]:
        """A field of ``also``, summed in each game, int64 (games,), in order of seed; (0,) where nobody kept it."""
        return _in_order(self.kept.get(name, {}), np.int64)

    @property
    def results(self) -> Results:
        """How the games have ended for every seat, in order of seed; (0, 0) where none was played."""
        chunks = [self.ended[first] for first in sorted(self.ended)]
        return Results(*map(np.concatenate, zip(*chunks, strict=True))) if chunks else Results(*np.zeros((3, 0, 0)))

    @property
    def games(self) -> int:
        return sum(map(len, self.won.values()))

    @property
    def wins(self) -> int:
        return int(self.outcomes.sum())

    @property
    def interval(self) -> Interval:
        """The win rate. Games that share a box, or a seed, may be alike, and then tell less than as many others: its
        interval is the wider for it, if there are GROUPS of boxes or seeds, and games of both outcomes."""
        groups, wins, games = groups_of(self.parts or [self]), self.wins, self.games
        rates, sizes = grouped(self.outcomes, groups)
        if not GROUPS <= len(rates) < games or wins in (0, games):
            return wilson(wins, games)
        tell = effective(rates, games, sizes)
        return wilson(wins / games * tell, tell)

    def add(self, game: Game, finished: Record, first: int | None = None, times: int = 1) -> None:
        """Counts finished games, shape (n,), in order of seed; ``first`` numbers the first one (None: the next), and
        each is played so many ``times``, as :meth:`setups` has them.

        Raises:
            ValueError: a game was played on another box than the cell's.
        """
        first = self.games if first is None else first
        boxes = self.setups(first, len(finished), times)["box"]
        if len(wrong := np.flatnonzero(finished["box"] != boxes)):
            raise ValueError(f"game {first + wrong[0]} was played on box {finished['box'][wrong[0]]}, expected box "
                             f"{boxes[wrong[0]]}, as of setups({first}, {len(finished)}) of the cell")  # fmt: skip
        won = team_won(game, finished)
        self.won[first], self.ended[first] = won, game.results(finished)
        for name in self.also:
            self.kept.setdefault(name, {})[first] = finished[name].astype(np.int64).reshape(len(won), -1).sum(axis=1)
        told = ~won if game.team else np.ones_like(won)
        self.won_at.update(finished[game.clock][~told].tolist())
        self.causes.update(game.causes[i] for i in finished["cause"][told])
        self.sums.update({name: int(finished[name].sum()) for name in (game.clock, "decisions", *self.also)})

    def means(self, game: Game) -> dict[str, str]:
        """Name of each mean that is reported -> field of the final state, as in ``sums``."""
        return {f"mean_{game.clock}s": game.clock, "mean_decisions": "decisions", **{f"mean_{x}": x for x in self.also}}

    def row(self, game: Game) -> dict[str, Any]:
        """Plain data: labels, games, wins, win_rate, low, high, means, causes (of defeat; of rivals, of the end)."""
        rate, low, high = self.interval
        each = max(self.games, 1)
        return {
            **self.labels,
            "games": self.games,
            "wins": self.wins,
            "win_rate": round(rate, 6) if self.games else None,
            "low": round(low, 6),
            "high": round(high, 6),
            **{name: round(self.sums[x] / each, 3 if x == game.clock else 2) for name, x in self.means(game).items()},
            "causes": dict(self.causes.most_common()),
        }


def check_fields(game: Game, fields: Sequence[str], labels: Iterable[str]) -> None:
    """Whether results can hold the means of fields of the final state, and what each game had of them.

    Args:
        labels: of the cells.

    Raises:
        ValueError: there is no such field, it is no whole number, or results hold something else by a name of its.
    """
    clock = f"{game.clock}s"
    held = {*labels, "wins", "won", "causes", "seconds", f"won_{clock}", f"mean_{clock}"}
    for name in fields:
        if name not in (game.state.names or ()) or game.state[name].base.kind not in "iu":
            raise ValueError(f"also names {name!r}, choose fields of a state that are whole numbers")
        if taken := sorted(held & {f"{name}s", f"mean_{name}"}):
            raise ValueError(f"also names {name!r}, but results hold something else as {taken[0]}: leave it out")


def by_group(cells: Sequence[Cell], games: int | None = None) -> NDArray[np.float64]:
    """The shares won of the games of each group, as of :func:`groups_of`: float64 (groups,) of 0..1."""
    return grouped(np.concatenate([cell.outcomes[:games] for cell in cells]), groups_of(cells, games))[0]


def groups_of(cells: Sequence[Cell], games: int | None = None, times: int = 1) -> NDArray[np.int64]:
    """Which games may be alike, int64 (n,), of cells one after the other: those of one number, from 0 on, have a box in
    common, where there are several, or else a seed.

    Args:
        games: only so many are looked at in each cell; by default all.
        times: each seed is played so many times, one after the other, which counts as one game.
    """
    boxes = max((len(cell.setup) for cell in cells), default=1)
    numbers = np.concatenate([np.zeros(0, np.int64), *(cell.numbers[:games:times] // times for cell in cells)])
    return np.unique(numbers % boxes if boxes > 1 else numbers, return_inverse=True)[1]


def grouped(values: NDArray[Any], groups: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """The mean of the values, (n,), of each group, float64 (groups,), and how many these are, int64 (groups,)."""
    sizes = np.bincount(groups)
    return np.bincount(groups, values) / sizes, sizes


def alike(values: NDArray[Any], groups: NDArray[np.int64]) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """As :func:`grouped`; but each value by itself where there are not GROUPS groups, or their means do not vary: then
    it cannot be told how alike the values of a group are."""
    means, sizes = grouped(values, groups)
    if len(means) < GROUPS or not np.ptp(means):
        return grouped(values, np.arange(len(values)))
    return means, sizes


def _in_order(chunks: dict[int, NDArray[Any]], dtype: type) -> NDArray[Any]:
    return np.concatenate([np.zeros(0, dtype), *(chunks[first] for first in sorted(chunks))])


def play_chunk(game: Game, agent: Agent, setup: Record, seeds: NDArray[np.int64]) -> Record:
    """The finished states, shape (n,), of one game for each seed, int64 (n,); all of one setup, (1,), or of n. The
    agent plays all seats.

    Raises:
        ValueError: so many setups are neither.
    """
    if len(setup) not in (1, len(seeds)):
        raise ValueError(f"{len(setup)} setups for {len(seeds)} games, expected one, or one for each of them")
    setups = np.repeat(setup, len(seeds) // len(setup))
    if isinstance(agent, Player) and (trusted(agent) or not game.secrets(setups).any()):
        agent.reset(int(seeds[0]))
        return _finished(agent.play(setups, seeds), agent)
    return play_together(game, [agent], setups, seeds, np.zeros((len(seeds), game.max_seats), np.int64))


def play_together(
    game: Game, team: Sequence[Agent], setups: Record, seeds: NDArray[np.int64], seated: NDArray[np.int64]
) -> Record:
    """The finished states, shape (n,), of games whose seats are shared by agents. Each is handed what its seat may know
    (:func:`tabletop.agents.base.shown`).

    Args:
        setups: (n,); ``seeds``: int64 (n,), of the games; the first also seeds the agents.
        seated: int64 (n, max_seats), which of the agents sits where.
    """
    for i, agent in enumerate(team):
        agent.reset(int(seeds[0]) + i)
    rng = np.random.default_rng([int(seeds[0]), len(team)])
    batch = Batch(game, setups, autoreset_mode=AutoresetMode.DISABLED, observe=False, threads=1)
    masks, actions = batch.reset(seeds).masks, np.zeros(len(setups), np.int64)
    while len(live := np.flatnonzero((asked := batch.states["to_act"]) != NOBODY)):
        acting = seated[live, asked[live]]
        for i, agent in enumerate(team):
            if len(games := live[acting == i]):
                states = shown(game, agent, record.take(batch.states, games), rng)
                actions[games] = answers(agent, states, masks[games])
        batch.step(actions)
    return batch.states


def _finished(states: Record, agent: Agent | Player) -> Record:
    if np.any(states["to_act"] != NOBODY):
        raise RuntimeError(f"{agent.name} left a game unfinished")
    return states


class Job:
    """Plays chunks of cells in this process; picklable, for other processes, which make agents of their own.

    Several agents take turns: each game is played once for each of them, and they move on by a seat each time. Or the
    first is ``alone``: it has one seat, and the second all others. They are handed no more games together than each of
    them likes.
    """

    def __init__(self, game: Game, names: Sequence[str], cells: Sequence[Cell], seed: int, alone: bool = False) -> None:
        self.arguments = game, names, cells, seed, alone
        self.game, self.agents, self.seed = game, [agents.make(name, game) for name in names], seed
        self.cells, self.alone = cells, alone
        #: games that they are handed together; 0: none of them says how many
        self.at_once = min((many for one in self.agents if (many := getattr(one, "at_once", 0))), default=0)

    def __reduce__(self) -> tuple[Any, ...]:
        return Job, self.arguments

    def __call__(self, chunk: Chunk) -> Record:
        many = 1 if self.alone else len(self.agents)
        setups = np.concatenate([self.cells[cell].setups(first, n, many) for cell, first, n in chunk])
        numbers = np.concatenate([first + np.arange(n, dtype=np.int64) for _, first, n in chunk])
        seeds = self.seed + numbers // many
        if len(self.agents) == 1:
            return play_chunk(self.game, self.agents[0], setups, seeds)
        if self.alone:
            seated = one_seat(self.game, setups, numbers)
        else:
            seated = seats_of(numbers, many, self.game.max_seats)
        size = self.at_once or len(seeds)
        parts = (slice(i, i + size) for i in range(0, len(seeds), size))
        return joined([play_together(self.game, self.agents, setups[own], seeds[own], seated[own]) for own in parts])


def seats_of(numbers: NDArray[np.int64], agents: int, seats: int) -> NDArray[np.int64]:
    """Which of so many agents sits where, int64 (n, seats), in games with numbers, int64 (n,): they sit in turn, in
    each next game a seat further. So in ``agents`` games one after the other each sits in each seat once."""
    return (numbers[:, None] + np.arange(seats)) % agents


def one_seat(game: Game, setups: Record, numbers: NDArray[np.int64]) -> NDArray[np.int64]:
    """Who of two sits where, int64 (n, max_seats): the first (0) has one seat, which goes by the game's number, int64
    (n,), and the second (1) has all others; of setups (n,)."""
    seats = np.array([game.seats(setups[i : i + 1]) for i in range(len(setups))])
    return (np.arange(game.max_seats) != (numbers % seats)[:, None]).astype(np.int64)


def evaluate(
    game: Game,
    agent: str | Sequence[str],
    cells: list[Cell],
    games: int,
    seed: int = 0,
    processes: int = 1,
    progress: Callable[[int], None] = lambda _: None,
    finished: Callable[[], object] | None = None,
    alone: bool = False,
) -> bool:
    """Plays ``games`` games in each cell and counts into the cells.

    Args:
        agent: a name, as :func:`tabletop.agents.make` takes it; it plays all seats. Or several, who share them: then,
            but for ``alone``, each of the games is played as many times as there are agents, who move on by a seat
            each time.
        seed: game ``i`` of every cell has the seed ``seed + i``, whichever agent plays.
        processes: 1 plays in this process.
        progress: called with the number of games just finished.
        finished: called whenever a cell is complete; the cells are then played one after the other. Without it they
            are interleaved, so that all grow alike.
        alone: the first of two agents has one seat of each game, the second all others; each game is played once.

    Returns:
        False if it was interrupted (Ctrl-C): the cells then hold what was finished.

    Raises:
        ChildProcessError: a process has ended by itself; the cells hold what was finished.
    """
    names = [agent] if isinstance(agent, str) else list(agent)
    job, times = Job(game, names, cells, seed, alone), 1 if alone else len(names)
    games *= times
    size = max(times, (job.at_once or CHUNK) // times * times)
    parts = [(cell, first, min(size, games - first))
             for cell in range(len(cells)) for first in range(0, games, size)]  # fmt: skip
    if finished is None:
        parts.sort(key=lambda part: part[1])
    chunks = _together(parts, job.at_once)
    results = _here(job, chunks) if processes <= 1 or len(chunks) <= 1 else _elsewhere(job, chunks, processes)
    try:
        for chunk, states, seconds in results:
            each = seconds / len(states)
            for cell, first, n in chunk:
                cells[cell].add(game, states[:n], first, times)
                cells[cell].seconds += each * n
                states = states[n:]
                if finished is not None and cells[cell].games == games:
                    finished()
                progress(n)
    except KeyboardInterrupt:
        return False
    finally:
        results.close()
    return True


def _together(parts: list[Part], size: int) -> list[Chunk]:
    """Parts of up to so many games as one chunk, in the same order; a larger one by itself."""
    chunks: list[Chunk] = []
    room = 0
    for part in parts:
        if part[2] > room:
            chunks.append([])
            room = size
        chunks[-1].append(part)
        room -= part[2]
    return chunks


Played = Generator[tuple[Chunk, Record, float], None, None]


def _timed(job: Job, chunk: Chunk) -> tuple[Record, float]:
    """The finished states, and the seconds that they took."""
    began = time.perf_counter()
    return job(chunk), time.perf_counter() - began


def _here(job: Job, chunks: list[Chunk]) -> Played:
    for chunk in chunks:
        yield chunk, *_timed(job, chunk)


def _elsewhere(job: Job, chunks: list[Chunk], processes: int) -> Played:
    """Every process has a pipe of its own: one that is ended while it tells what it played leaves nobody waiting."""
    job([(0, 0, 1)])  # compiles once, before every process would do so for itself
    context = multiprocessing.get_context("spawn")
    others: list[Any] = []
    given: dict[Any, deque[Chunk]] = {}
    coming = iter(chunks)
    try:
        for _ in range(min(processes, len(chunks))):
            ours, theirs = context.Pipe()
            others.append(context.Process(target=_serve, args=(job, theirs)))  # no daemon: an agent may have processes
            with ctrl_c_kept_from_children():
                others[-1].start()
            theirs.close()
            given[ours] = deque()
        pipe: Any
        for pipe in [*given, *given]:  # each gets one to play, and then the next to go on with
            for chunk in itertools.islice(coming, 1):
                pipe.send(chunk)
                given[pipe].append(chunk)
        while playing := [pipe for pipe in given if given[pipe]]:
            for pipe in wait(playing):
                told = pipe.recv()
                if isinstance(told, Exception):
                    raise told
                done = given[pipe].popleft()
                for chunk in itertools.islice(coming, 1):
                    pipe.send(chunk)
                    given[pipe].append(chunk)
                yield done, *told
        for pipe in given:  # they end by themselves, and clean up
            pipe.close()
        for other in others:
            other.join(ENDING)
    except (EOFError, ConnectionError) as error:
        raise ChildProcessError(ENDED) from error
    finally:  # Ctrl-C does not wait for the games that are being played
        begun = [other for other in others if other.pid is not None]
        for other in begun:
            other.terminate()
        for other in begun:
            other.join()


def _serve(job: Job, pipe: Any) -> None:
    """Plays what comes through a pipe. A network takes one thread: the other processors have processes as well."""
    if torch := sys.modules.get("torch"):
        torch.set_num_threads(1)
    with suppress(EOFError, ConnectionError):  # the parent has ended
        while True:
            chunk: Chunk = pipe.recv()
            try:
                told: tuple[Record, float] | Exception = _timed(job, chunk)
            except Exception as error:
                told = error
            pipe.send(told)


def total(cells: Sequence[Cell], **labels: Any) -> Cell:
    """All cells as one."""
    both = Cell(labels, cells[0].setup, cells[0].also, dict(enumerate(cell.outcomes for cell in cells)), parts=cells)
    both.ended = dict(enumerate(cell.results for cell in cells if cell.ended))
    both.kept = {name: dict(enumerate(cell.each(name) for cell in cells)) for name in both.also}
    for cell in cells:
        both.causes.update(cell.causes)
        both.won_at.update(cell.won_at)
        both.sums.update(cell.sums)
        both.seconds += cell.seconds
    return both


def to_csv(game: Game, cells: Sequence[tuple[str, Cell]]) -> str:
    """One line for each (agent, cell); of the causes of defeat, one column each. A label that a cell lacks is empty."""
    rows = [{"agent": agent, **cell.row(game)} for agent, cell in cells]
    lost = sorted({cause for row in rows for cause in row["causes"]})
    for row in rows:
        causes = row.pop("causes")
        row.update({f"lost: {cause}": causes.get(cause, 0) for cause in lost})
    out = io.StringIO()
    writer = csv.DictWriter(out, dict.fromkeys(name for row in rows for name in row), lineterminator="\n")
    writer.writeheader()
    writer.writerows(rows)
    return out.getvalue()


__all__ = ["Cell", "alike", "by_group", "check_fields", "evaluate", "grouped", "groups_of", "one_seat", "play_chunk",
           "play_together", "seats_of", "to_csv", "total"]  # fmt: skip
