"""What the hand-made teams have in common: a plan for each game, and threads that share the games out."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import suppress

import numpy as np
from numpy.typing import NDArray

from sammu_env import engine
from sammu_env.state import STATE, State
from tabletop.agents.base import OBSERVATION
from tabletop.batch import pool, processors
from tabletop.fields import Array, i4, i8, shape
from tabletop.game import Game, Record, check_bounds, check_boxes
from tabletop.jit import kernel
from tabletop.rng import seed_generator

#: One more thread judges for every so many positions.
POSITIONS_A_THREAD = 64
#: Parts that each thread takes, one after the other.
PARTS = 8
#: Of an option, and of threads, at most: each thread has room for all that it keeps.
MOST, MOST_THREADS = 1_000_000, 256


class Drawn:
    """Part of a plan's record: its generator, apart from the game's, and who planned."""

    rng: Array[i8] = shape(4)
    seed: i8  # that the generator began with
    seat: i4  # of hidden hands: who planned last


@kernel
def begin_draws(plan: Drawn, seed: int) -> None:
    """The generator begins, and nobody has planned."""
    plan.seed, plan.seat = seed, 0
    seed_generator(plan, seed)


@kernel
def is_anothers(s: State, plan: Drawn) -> bool:
    """Whether hands are hidden and another seat planned than the one that is asked, which then draws anew: what was
    planned, and how often was drawn for it, would tell what the other knows."""
    if s.hidden_hands == 0 or plan.seat == s.to_act:
        return False
    plan.seat = s.to_act
    seed_generator(plan, plan.seed + s.decisions)
    return True


class Team(ABC):
    """An agent, a whole team and a judge (``Agent``, ``Player``, ``Judge`` of :mod:`tabletop.agents.base`).

    Args:
        threads: by default all processors.
        options: further ones of the agent, to be looked at alike.

    Raises:
        ValueError: one of these is less than 1, or more than MOST, or MOST_THREADS.
    """

    name: str
    sees = OBSERVATION
    plan: np.dtype[np.void]  #: of what is kept for one game, :class:`Drawn` among it
    games_a_thread: int  #: that are worth another thread

    def __init__(self, game: Game, threads: int | None, **options: int) -> None:
        for option, value in {**options, "threads": threads}.items():
            most = MOST_THREADS if option == "threads" else MOST
            if value is not None and not 1 <= value <= most:
                raise ValueError(f"{option} is {value}, choose 1 to {most:,}")
        self.game, self.box = game, game.box
        self.threads = threads or processors()

    @abstractmethod
    def write_choices(
        self, thread: int, states: Record, plans: NDArray[np.void], out: NDArray[np.int64], seeds: NDArray[np.int64]
    ) -> None:
        """Writes a choice for each state (n,) into ``out`` (n,); with seeds (n,) plays the games to their end."""

    @abstractmethod
    def value(self, thread: int, states: Record, out: NDArray[np.float32]) -> None:
        """Writes what states (n,) are worth into ``out`` (n,)."""

    def reset(self, seed: int) -> None:
        """Forgets all plans."""
        self.seed = seed
        self.plans = self.new_plans(0)

    def new_plans(self, n: int) -> NDArray[np.void]:
        """Of n games, each with a generator of its own."""
        plans = np.zeros(n, self.plan)
        for i in range(n):
            plans["rng"][i] = np.random.SeedSequence([self.seed, i]).generate_state(4)
        plans["seed"] = plans["rng"][:, 0]
        return plans

    def act(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """One choice for each game: states (n,) STATE, masks int8 (n, N); returns int64 (n,)."""
        check_boxes(self.game, states)
        if len(states) > len(self.plans):
            self.plans = self.new_plans(len(states))
        out = np.zeros(len(states), np.int64)
        self._share(self.games_a_thread, len(states), lambda i, part: self.write_choices(
            i, states[part], self.plans[part], out[part], out[:0]))  # fmt: skip
        return out

    def potential(self, states: Record) -> NDArray[np.float32]:
        """What positions (n,) are worth, those of finished games too, float32 (n,), from -1 to 1.

        A team that runs out of months keeps what its position is worth. A team that falls earlier does not: otherwise
        one that cannot win yet would learn to fall while it stands well.
        """
        check_boxes(self.game, states)
        out = np.zeros(len(states), np.float32)
        self._share(POSITIONS_A_THREAD, len(states), lambda i, part: self.value(i, states[part], out[part]))
        return out

    def _share(self, worth: int, n: int, write: Callable[[int, slice], None]) -> None:
        """Has n games written in parts: each thread takes the next one when it is free, as some games take much longer.

        Args:
            worth: how many games make one more thread worthwhile.
            write: is told the number of the thread, and the part.
        """
        threads = max(1, min(self.threads, n // worth))
        parts = 1 if threads == 1 else min(n // worth, PARTS * threads)
        left = iter([slice(n * i // parts, n * (i + 1) // parts) for i in range(parts)])

        def work(thread: int) -> None:
            for part in left:
                write(thread, part)

        others = []
        try:
            with suppress(RuntimeError):  # no more threads are to be had: those that there are do all
                for i in range(1, threads):
                    others.append(pool(self.threads).submit(work, i))
            work(0)
        finally:
            for one in others:
                one.result()

    def play(self, setups: Record, seeds: NDArray[np.int64]) -> Record:
        """Plays one game for each setup and seed with every seat; returns the finished states (n,)."""
        check_bounds(self.game, setups)
        states, seeds = np.zeros(len(setups), STATE), np.asarray(seeds, np.int64)
        for i, seed in enumerate(seeds):
            engine.reset(self.box, states[i : i + 1], setups[i : i + 1], seed)
        self.write_choices(0, states, self.new_plans(1), np.zeros(len(states), np.int64), seeds)
        return states


__all__ = ["Team"]
