"""Advice on a question: an advisor thinks in steps, and stops as soon as something else is entered."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import NamedTuple, Protocol

import numpy as np

from tabletop.game import Game, Record

#: Seconds between two reports of a search.
REPORT = 0.2


class Reason(NamedTuple):
    """How often something comes about with a plan, and how often with the best other one."""

    fact: str  #: as in ``Game.facts``
    share: float
    other: float


class Plan(NamedTuple):
    """What to answer now and next, up to a draw or the end of the turn; how often it leads to a win, and how sure."""

    actions: tuple[int, ...]
    value: float
    low: float  #: the bounds of a 95% interval
    high: float
    games: int
    why: tuple[Reason, ...] = ()


class Advisor(Protocol):
    """Who gives advice."""

    def advise(self, s: Record, seat: int) -> Iterator[list[Plan]]:
        """Better and better advice, the best plan first; every step takes 20 ms at most.

        ``s``, shape (1,), is resampled: a state that this seat cannot tell from the true one. It draws by itself.
        """


class Search:
    """An advisor at work in a thread of its own, until it has no more to say, its time is over or it is stopped."""

    def __init__(
        self, game: Game, advisor: Advisor, s: Record, budget: float, report: Callable[[list[Plan], bool, str], None]
    ) -> None:
        """
        Args:
            budget: seconds.
            report: called in the thread with the plans, whether they are the last, and what went wrong.

        Raises:
            ValueError: no seat is asked.
        """
        seat = int(s["to_act"][0])
        if seat < 0:
            raise ValueError("no seat is asked: there is nothing to advise on")
        self._world = game.resample(s, seat, np.random.default_rng())
        self._world["manual_chance"] = 0
        self._advisor, self._seat, self._budget, self._report = advisor, seat, budget, report
        self._stopped = threading.Event()
        self._thread = threading.Thread(target=self._run, name="advice", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        """Ends it within one step; nothing is reported any more."""
        self._stopped.set()

    def join(self, timeout: float | None = None) -> None:
        """Waits for its end."""
        self._thread.join(timeout)

    def _run(self) -> None:
        end, due, plans = time.monotonic() + self._budget, 0.0, list[Plan]()
        problem = ""
        try:
            for plans in self._advisor.advise(self._world, self._seat):
                now = time.monotonic()
                if self._stopped.is_set():
                    return
                if now >= end:
                    break
                if now >= due:
                    self._report(plans, False, "")
                    due = now + REPORT
        except Exception as error:  # whatever goes wrong there, the game goes on
            problem = f"{type(error).__name__}: {error}"
        if not self._stopped.is_set():
            self._report(plans, True, problem)
