"""Positions that are played on to the end, many at once: here, or in processes on all cores.

A team plays on from *worlds*: states in which what the asking seat may not know is drawn anew (``Game.resample``). In
each of them a script, the choices of a plan, comes first, as far as it can be carried out; then an agent chooses for
every seat.
"""

from __future__ import annotations

import gc
import multiprocessing
import signal
import sys
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from multiprocessing.connection import wait
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from tabletop import record
from tabletop.agents.base import Agent, answers, shown
from tabletop.batch import Batch
from tabletop.game import NOBODY, Game, Record, new_state, win_shares, winners

#: Games that are played at once; as one ends, the next begins in its place.
SLOTS = 256
#: New games begin once one in so many slots is free.
FEW = 8
#: What agents that play in processes mostly need, and takes long to import; it may be missing.
_IMPORTED = ("tabletop.agents.policy",)
ENDED = "a process that played games has ended; is there too little memory?"
Script = tuple[int, ...]  #: choices of the catalogue


class Worlds(NamedTuple):
    """States that a seat cannot tell apart, in which it is asked."""

    states: Record  #: (n,), chance answers by itself
    seeds: NDArray[np.int64]  #: (n,), of the draws to come
    seat: int


class Futures(NamedTuple):
    """How games went on, n of them."""

    paid: NDArray[np.float64]  #: (n,) the sum of the seat's rewards
    won: NDArray[np.float64]  #: (n,) what the seat has of the win: 1, 0, or its share
    cause: NDArray[np.int64]  #: (n,) why it ended
    later: Record  #: (n,) where they stood when the game's clock first moved on, or at the end


@runtime_checkable
class Decider(Protocol):
    """An agent that reads what a running batch observed, as a network does, instead of its states."""

    def decide(self, batch: Batch, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """The choices, int64 (k,), in some games, int64 (k,) rising, of a batch."""


def play_on(
    game: Game, agent: Agent, worlds: Worlds, scripts: Sequence[Script], part: int,
    halted: Callable[[], bool] = lambda: False,
) -> Generator[Futures]:  # fmt: skip
    """Plays every world on to its end with an agent on all seats; yields how the first so many, ``part``, went on as
    soon as all of them have ended, then the next ones, which are already played meanwhile.

    Args:
        scripts: n of them; one is given up where its next choice is not allowed or another seat is asked.
        halted: asked at every step; nothing more comes as soon as it says so.
    """
    n, slots = len(scripts), min(len(scripts), SLOTS)
    batch = Batch(
        game, game.configure().repeat(slots), autoreset_mode=AutoresetMode.DISABLED, observe=isinstance(agent, Decider),
        threads=1, seed=0,
    )  # fmt: skip
    script = np.full((n, max(map(len, scripts)) + 1), -1)
    for i, one in enumerate(scripts):
        script[i, : len(one)] = one
    paid, finished, later = np.zeros(n), new_state(game, n), new_state(game, n)
    playing, at = np.zeros(slots, np.int64), np.zeros(slots, np.int64)
    waiting, clock = np.zeros(slots, np.bool_), np.zeros(slots, np.int64)
    begun, actions, rng = 0, np.zeros(slots, np.int64), np.random.default_rng(worlds.seeds)
    ended, told = np.zeros(n, np.bool_), 0
    while told < n:
        free = np.flatnonzero(batch.states["to_act"] == NOBODY)
        if begun < n and len(free) * FEW >= slots:
            free = free[: n - begun]
            which = begun + np.arange(len(free))
            batch.place(free, record.take(worlds.states, which), worlds.seeds[which])
            playing[free], at[free], waiting[free] = which, 0, True
            clock[free] = batch.states[game.clock][free]
            begun += len(free)
        live = np.flatnonzero(batch.states["to_act"] != NOBODY)
        if halted():
            return
        if (batch.states["to_act"][live] < 0).any():
            raise AssertionError("an agent would be asked for what chance draws")
        due = script[playing[live], at[live]]
        follows = (due >= 0) & (batch.states["to_act"][live] == worlds.seat)
        follows &= batch.buffers.masks[live, np.maximum(due, 0)] > 0
        planned, rest = live[follows], live[~follows]
        actions[planned] = due[follows]
        at[planned] += 1
        at[rest] = script.shape[1] - 1  # given up, or at its end
        if len(rest):
            actions[rest] = _chosen(agent, batch, rest, rng)
        batch.step(actions)
        over = batch.finished.games
        paid[playing[over]] = batch.finished.returns[:, worlds.seat]
        record.put(finished, playing[over], record.take(batch.states, over))
        ended[playing[over]] = True
        moved_on = batch.states[game.clock][live] != clock[live]
        moved = live[waiting[live] & (moved_on | (batch.states["to_act"][live] == NOBODY))]
        waiting[moved] = False
        record.put(later, playing[moved], record.take(batch.states, moved))
        while told < n and ended[told : told + part].all():
            these, told = slice(told, told + part), told + part
            won = (winners if game.team else win_shares)(game.results(finished[these]))[:, worlds.seat]
            yield Futures(paid[these], won.astype(np.float64), finished["cause"][these].astype(np.int64), later[these])


def joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    """Arrays, (k,) each, one after the other, by bytes."""
    whole: NDArray[Any] = np.frombuffer(bytearray(b"".join(part.tobytes() for part in parts)), parts[0].dtype)
    return whole


def _chosen(agent: Agent, batch: Batch, games: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    if isinstance(agent, Decider):
        return agent.decide(batch, games)
    states = shown(batch.game, agent, record.take(batch.states, games), rng)
    return answers(agent, states, batch.buffers.masks[games])


@runtime_checkable
class Haltable(Protocol):
    """An agent that takes long for a choice, and gives it up at once: then it makes any."""

    halt: NDArray[np.int8]  #: (1,), not 0 as soon as it is to give up; others write to it


class Crew:
    """Plays worlds on, in processes of its own if there are several.

    Args:
        agents: one of them plays all seats: names for :func:`tabletop.agents.make`, or, for one process, agents.
        processes: 1 plays in this process. Each further one has the game, the agents, and one thread for a network.

    Raises:
        ValueError: an agent that is not named, for several processes.
    """

    def __init__(self, game: Game, agents: Sequence[str | Agent], processes: int = 1) -> None:
        self.game, self.processes = game, processes
        self._context: Any = _context(game)
        self._halt = self._context.Value("b", 0, lock=False)
        self._enough = self._context.Value("b", 0, lock=False)  #: not 0: what processes still play is for nobody
        self._playing: Generator[Futures] | None = None
        self.flag = np.frombuffer(self._halt, np.int8)  #: (1,), not 0 from :meth:`halt` to :meth:`go`
        self._pipes: list[Any] = []
        self._loading: list[Any] = []
        self._others: list[Any] = []
        self._names: list[str] = []  #: of agents that play in processes
        self.agents: list[Agent] = []  #: that play here
        if processes == 1:
            self.agents = [made(game, agent, self.flag) for agent in agents]
            return
        self._names = [agent for agent in agents if isinstance(agent, str)]
        if others := [agent for agent in agents if not isinstance(agent, str)]:
            raise ValueError(f"the agent is a {type(others[0]).__name__}, several processes need the name of one")

    def start(self) -> None:
        """Begins the processes, if they have not begun. They take seconds of all processors to load, so a first answer
        that needs none of them had better come before.

        Raises:
            ChildProcessError: one has ended before it began; none has begun then.
        """
        if self._others or not self._names:
            return
        try:
            for _ in range(self.processes):
                self._begin(self._names)
        except (EOFError, ConnectionError) as error:
            self.close()
            raise ChildProcessError(ENDED) from error

    def _begin(self, names: list[str]) -> None:
        ours, theirs = self._context.Pipe()
        args = self.game, names, theirs, self._halt, self._enough
        other = self._context.Process(target=_serve, args=args, daemon=True)
        with ctrl_c_kept_from_children():
            other.start()
        theirs.close()
        self._pipes.append(ours)
        self._others.append(other)
        self._loading.append(ours)

    def wait(self) -> None:
        """Until all processes can play.

        Raises:
            ChildProcessError: a process has ended.
        """
        self.start()
        self._answers(self._loading)
        self._loading = []

    def halt(self) -> None:
        """Whatever is being played is given up, within a step of its games; from any thread."""
        self.flag[:] = 1

    def halted(self) -> bool:
        """Whether :meth:`halt` was called since :meth:`go`."""
        return bool(self.flag[0])

    def go(self) -> None:
        """What is asked for from now on is played."""
        self.flag[:] = 0

    def play(
        self, worlds: Worlds, scripts: Sequence[Script], seed: int, player: int = 0, part: int | None = None
    ) -> Generator[Futures]:  # fmt: skip
        """As :func:`play_on` of one of the agents, with draws from a seed; by default all is one part. Each process has
        its share of every part. What is still played when it is closed, or this is called again, is given up.

        Raises:
            ChildProcessError: a process has ended.
        """
        if self._playing is not None:
            self._playing.close()
        part = part or len(scripts)
        if self.processes == 1:
            self.agents[player].reset(seed)
            self._playing = play_on(self.game, self.agents[player], worlds, scripts, part, self.halted)
        else:
            self._playing = self._shared(worlds, scripts, seed, player, part)
        return self._playing

    def _shared(
        self, worlds: Worlds, scripts: Sequence[Script], seed: int, player: int, part: int
    ) -> Generator[Futures]:  # fmt: skip
        self.wait()
        n, k = len(scripts), len(self._pipes)
        own = -(-part // k)  # each process's share of a part
        parts = [np.array_split(np.arange(first, min(first + own * k, n)), k) for first in range(0, n, own * k)]
        self._enough.value = 0
        playing = set()
        for i, pipe in enumerate(self._pipes):
            these = np.concatenate([shares[i] for shares in parts])
            if len(these):
                playing.add(pipe)
                with suppress(ConnectionError):  # it has ended: nothing will be answered
                    mine = Worlds(record.take(worlds.states, these), worlds.seeds[these], worlds.seat)
                    pipe.send((mine, [scripts[row] for row in these], seed + int(these[0]), player, own))
        try:
            for shares in parts:
                told = self._answers([pipe for pipe, some in zip(self._pipes, shares, strict=True) if len(some)])
                if halted := {pipe for pipe, one in told.items() if one is None}:
                    playing -= halted
                    return
                yield Futures(*map(joined, zip(*told.values(), strict=True)))
        finally:
            self._enough.value = 1
            while playing := playing.intersection(self._pipes):  # each ends with None
                playing -= {pipe for pipe, one in self._heard([*playing]).items() if one is None}

    def _answers(self, pipes: list[Any]) -> dict[Any, Any]:
        """What each process says next, unless one says that something was wrong."""
        told = self._heard(pipes)
        if wrong := [one for one in told.values() if isinstance(one, Exception)]:
            raise wrong[0]
        return told

    def _heard(self, pipes: list[Any]) -> dict[Any, Any]:
        """What each process says next, in the order of the pipes."""
        told: dict[Any, Any] = {}
        try:
            while len(told) < len(pipes):
                answering: list[Any] = wait([pipe for pipe in pipes if pipe not in told])
                told |= {pipe: pipe.recv() for pipe in answering}
        except BaseException as error:  # what the others answer then is for nobody: they end, and others begin
            self.close()
            if isinstance(error, EOFError | ConnectionError):
                raise ChildProcessError(ENDED) from error
            raise
        return {pipe: told[pipe] for pipe in pipes}

    def close(self) -> None:
        """Ends the processes; whoever plays on begins others."""
        self.halt()
        for other in self._others:
            other.terminate()
            other.join()
        for pipe in self._pipes:
            pipe.close()
        self._others, self._pipes, self._loading = [], [], []


@contextmanager
def ctrl_c_kept_from_children() -> Iterator[None]:
    """Processes that begin here are never told of Ctrl-C, not even while they import: it is their parent's business."""
    if not hasattr(signal, "pthread_sigmask"):  # Windows
        yield
        return
    from multiprocessing import resource_tracker

    resource_tracker.ensure_running()  # it would begin with the first process, and let Ctrl-C through again
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def _context(game: Game) -> Any:
    """How processes begin: with all that is imported shared among them, where the system can (not on Windows)."""
    if "forkserver" not in multiprocessing.get_all_start_methods():
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([__name__, type(game).__module__, *_IMPORTED])
    return context


def made(game: Game, agent: str | Agent, flag: NDArray[np.int8]) -> Agent:
    """An agent; one that is made here, by name, gives up as soon as ``flag`` is not 0."""
    from tabletop.agents import make

    player = make(agent, game) if isinstance(agent, str) else agent
    if isinstance(player, Haltable) and player is not agent:  # nobody else plays with it
        player.halt = flag
    return player


def _try_out(game: Game, agent: Agent) -> None:
    """Lets it choose once: so what it loads at its first choice is there."""
    s, mask = new_state(game), np.zeros((1, game.n_actions), np.int8)
    game.reset(game.box, s, game.configure(), 0)
    if s["to_act"][0] >= 0:
        game.legal(game.box, s, mask[0])
        agent.reset(0)
        agent.act(s, mask)


def _serve(game: Game, agents: list[str], pipe: Any, halt: Any, enough: Any) -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the process that asks: it cancels, or ends this one
    gc.freeze()  # what was imported stays shared: collecting writes to all that it looks at
    with suppress(EOFError, ConnectionError):  # the parent has ended
        try:
            crew = [made(game, agent, np.frombuffer(halt, np.int8)) for agent in agents]
            if torch := sys.modules.get("torch"):
                torch.set_num_threads(1)
            for one in crew:
                _try_out(game, one)
        except Exception as error:
            pipe.send(error)
            return
        pipe.send(None)
        while True:
            worlds, scripts, seed, player, part = pipe.recv()
            try:
                crew[player].reset(seed)
                for futures in play_on(game, crew[player], worlds, scripts, part, lambda: halt.value or enough.value):
                    pipe.send(futures)
            except Exception as error:
                pipe.send(error)
            pipe.send(None)
