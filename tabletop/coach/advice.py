"""Advice on a question: one advisor for all tables, in a thread of its own, which stops when something is entered."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from tabletop.game import Game, Record

#: Seconds between two reports of a search.
REPORT = 0.2


class Advice(Protocol):
    """What is known so far of a question."""

    def to_dict(self, lang: str = "en") -> dict[str, Any]:
        """For JSON, in words: ``plans``, the best first, each with ``actions``, their ``words``, ``text`` (its figures)
        and ``why`` (each with a ``text``); ``ending``, what it costs to end the turn now; ``basis``, what it rests on;
        ``sure``, whether more thinking would hardly change it."""


class Advisor(Protocol):
    """Who gives advice, as :class:`tabletop.agents.search.Search` does."""

    def advise(self, state: Record, seconds: float, *, until_sure: bool = False) -> Iterator[Advice]:
        """Better and better advice for the seat that is asked in a state, shape (1,), which is not written to."""

    def cancel(self) -> None:
        """Ends what was begun by ``advise``, soon; from any thread."""

    def close(self) -> None:
        """It is not needed any more."""


#: Is told what was found (None: nothing yet), whether that is the last, and what went wrong.
Report = Callable[[Advice | None, bool, str], None]

#: Seconds that the end waits for an advisor that is still being made: libraries that are cut off while they load abort
#: the process.
PATIENCE = 60.0


@dataclass(eq=False)
class Asked:
    """A search that somebody has asked for."""

    world: Record
    seconds: float
    until_sure: bool
    report: Report
    ended: threading.Event = field(default_factory=threading.Event)
    stopped: bool = False


class Desk:
    """Where advice is asked for. Whoever asks while another search runs ends that one.

    Args:
        make: makes the advisor of a game; in a thread, as that may take seconds. What it raises is told to who asks.
    """

    def __init__(self, game: Game, make: Callable[[Game], Advisor]) -> None:
        self.game, self._make = game, make
        self._advisor: Advisor | None = None
        self._problem = ""
        self._wanted: Asked | None = None
        self._running: Asked | None = None
        self._closed = False
        self._news = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="advice", daemon=True)
        self._thread.start()

    def question(self, s: Record, seconds: float, until_sure: bool, report: Report) -> Asked:
        """A search for the seat that is asked, not begun.

        Args:
            s: shape (1,): what that seat may not know of it, the advisor is not shown.
            report: called in the desk's thread, or in that of who replaces it before it begins.

        Raises:
            ValueError: no seat is asked.
        """
        seat = int(s["to_act"][0])
        if seat < 0:
            raise ValueError("no seat is asked: there is nothing to advise on")
        return Asked(self.game.resample(s, seat, np.random.default_rng()), seconds, until_sure, report)

    @property
    def busy(self) -> bool:
        """Whether a search goes on, or is about to."""
        return self._running is not None or self._wanted is not None

    def begin(self, asked: Asked) -> None:
        """Begins a search; the one before, if it goes on, tells what it has found, and one that has not begun that it
        found nothing."""
        with self._news:
            waiting = self._wanted
            for one in (self._running, waiting):
                if one is not None:
                    self._end(one)
            self._wanted = asked
            self._news.notify()
        if waiting is not None:
            waiting.report(None, True, "")
            waiting.ended.set()

    def stop(self, asked: Asked) -> None:
        """Ends a search; nothing is reported any more."""
        with self._news:
            asked.report = _unheard
            self._end(asked)

    def close(self) -> None:
        """Ends everything, and waits for it."""
        with self._news:
            self._closed = True
            if self._running is not None:
                self._end(self._running)
            self._news.notify()
        self._thread.join(PATIENCE)

    def _end(self, asked: Asked) -> None:
        asked.stopped = True
        if asked is self._running and self._advisor is not None:
            self._advisor.cancel()

    def _run(self) -> None:
        try:
            self._advisor = self._make(self.game)
        except Exception as error:  # the coach is of use without advice, and says why there is none
            self._problem = str(error)
        while True:
            with self._news:
                self._news.wait_for(lambda: self._closed or self._wanted is not None)
                if self._closed:
                    break
                asked, self._wanted = self._wanted, None
                assert asked is not None
                self._running = asked
            self._answer(asked)
            with self._news:
                self._running = None
            asked.ended.set()
        if self._advisor is not None:
            self._advisor.close()

    def _begun(self, asked: Asked) -> Iterator[Advice]:
        with self._news:  # so that whoever stops it comes before or after
            if self._advisor is None or asked.stopped:
                return iter(())
            return self._advisor.advise(asked.world, asked.seconds, until_sure=asked.until_sure)

    def _answer(self, asked: Asked) -> None:
        advice: Advice | None = None
        problem, due = self._problem, 0.0
        try:
            for advice in self._begun(asked):
                if asked.stopped:
                    break
                if (now := time.monotonic()) >= due:
                    asked.report(advice, False, "")
                    due = now + REPORT
        except Exception as error:  # whatever goes wrong there, the game goes on
            problem = f"{type(error).__name__}: {error}"
        asked.report(advice, True, problem)


def _unheard(advice: Advice | None, last: bool, problem: str) -> None:
    pass
