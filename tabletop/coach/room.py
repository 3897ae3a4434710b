"""A table with whoever listens to it, and the search for it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import suppress
from typing import Any

from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from tabletop.coach import battery
from tabletop.coach.advice import Advice, Asked, Desk
from tabletop.coach.table import GAME, Table
from tabletop.coach.view import View
from tabletop.game import Record

MOST_SECONDS = 120  #: of a search
QUIET = 0.5  #: seconds without an answer, after which the coach thinks ahead


class Stream:
    """One phone that listens: what it was last sent, and a bell that says that there is more."""

    def __init__(self, view: Mapping[str, Any], name: str, ponders: bool) -> None:
        self.view, self.name, self.ponders = view, name, ponders
        self.bell = asyncio.Event()


class Listening(StreamingResponse):
    """What a stream is sent until it breaks off."""

    def __init__(self, room: Room, stream: Stream, told: AsyncIterator[bytes]) -> None:
        super().__init__(told, media_type="text/event-stream")
        self.room, self.stream = room, stream

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            self.room.left(self.stream)


class Room:
    """A table, whoever listens, and the search for it. One thing happens at a time.

    Args:
        desk: where advice is asked for now, if anywhere: with another edition it is another one.
    """

    def __init__(self, table: Table, desk: Callable[[], Desk | None]) -> None:
        self.table, self._desk = table, desk
        self.loop = asyncio.get_running_loop()
        self.lock = asyncio.Lock()
        self.streams: set[Stream] = set()
        self.search: Asked | None = None  # whose reports count
        self.ahead = False  # whether that search was begun without being asked for
        self.soon: asyncio.TimerHandle | None = None  # when the next such search begins
        self.closed = False
        self.advice: dict[str, Any] = {"seq": 0, "branch": GAME, "rev": -1, "found": None, "done": True,
                                       "error": ""}  # fmt: skip
        self._shown: dict[tuple[Any, ...], dict[str, Any]] = {}  # states of now

    @property
    def desk(self) -> Desk | None:
        """Where advice is asked for now."""
        return self._desk()

    def state(self, asked: Mapping[str, Any]) -> dict[str, Any]:
        """What a phone is shown now, with its arguments of :class:`View`; phones that look alike are shown the same."""
        view = View(self.table, **asked)
        key = (self.table.rev, view.branch, view.lang, view.seat)
        if key not in self._shown:
            self._shown = {one: state for one, state in self._shown.items() if one[0] == self.table.rev}
            self._shown[key] = view.state()
        return view.unseen(self._shown[key])

    def ring(self) -> None:
        """Something is new."""
        for stream in self.streams:
            stream.bell.set()

    def left(self, stream: Stream) -> None:
        """A phone does not listen any more; nobody thinks ahead for nobody."""
        self.streams.discard(stream)
        if self.ahead and not any(one.ponders for one in self.streams):
            self.stop()
        self.ring()

    def here(self) -> list[str]:
        """Who listens."""
        return sorted(stream.name for stream in self.streams)

    def stop(self) -> None:
        """Nobody wants the advice any more."""
        if self.soon is not None:
            self.soon.cancel()
            self.soon = None
        self.end_search()

    def end_search(self) -> None:
        """Ends the search that goes on; from any thread."""
        if self.search is not None and self.desk is not None:
            self.desk.stop(self.search)
        if self.ahead:  # what it had not yet found is looked for again
            self.advice = {**self.advice, "rev": -1}
        self.search, self.ahead = None, False

    def lost(self, branch: str, answers: list[Any]) -> list[float] | None:
        """What answers that are about to be entered lose, with its interval, if the advice of now knows it."""
        if self.advice["found"] is None or not self._known(branch):
            return None
        told = self.advice["found"].to_dict()
        if told.get("unit") == "win" and told.get("fresh"):
            for plan in (*told["plans"], told["end"]):
                if plan and plan["actions"][: len(answers)] == answers:
                    return list(plan["less"] or [0.0, 0.0, 0.0])
        return None

    def think(self, s: Record, branch: str, seconds: float, until_sure: bool, ahead: bool = False) -> None:
        """Begins a search of what stands; what it finds comes with the events. The one before is stopped.

        Raises:
            ValueError: no seat is asked.
        """
        assert self.desk is not None
        self.end_search()
        loop, rev = self.loop, self.table.rev

        def publish(search: Asked | None, found: Advice | None, done: bool, problem: str) -> None:
            if self.search is search and not self.closed:
                count = int(self.advice["seq"]) + 1
                self.advice = {"seq": count, "branch": branch, "rev": rev, "found": found, "done": done,
                               "error": problem}  # fmt: skip
                self.ring()

        def report(found: Advice | None, done: bool, problem: str) -> None:
            loop.call_soon_threadsafe(lambda: publish(search, found, done, problem))

        search = self.desk.question(s, seconds, until_sure, report)
        self.search, self.ahead = search, ahead
        loop.call_soon_threadsafe(publish, search, None, False, "")
        self.desk.begin(search)

    def ponder(self) -> None:
        """Thinks ahead, once nothing has been entered for a moment, if a phone that listens wants that and the battery
        is not low."""
        if self.soon is not None:
            self.soon.cancel()
        self.soon = None if self.desk is None or self.closed else self.loop.call_later(QUIET, self._ponder)

    def _ponder(self) -> None:
        self.soon = None
        wanted = {one.view["branch"] for one in self.streams if one.ponders}
        if self.closed or self.desk is None or self.search is not None or not wanted:
            return
        if self.lock.locked() or self.desk.busy:
            self.ponder()
            return
        branch = GAME if GAME in wanted else min(wanted)
        if branch in self.table.heads and not self._known(branch):
            s = self.table.state(branch=branch)
            if s["to_act"][0] >= 0 and not battery.low():
                self.think(s, branch, MOST_SECONDS, True, ahead=True)

    def _known(self, branch: str) -> bool:
        """Whether somebody has thought about what stands."""
        return bool(self.advice["branch"] == branch and self.advice["rev"] >= self.table.moved[branch])

    def close(self) -> None:
        """Ends the search and the streams, and lets the file go."""
        self.closed = True
        self.stop()
        self.ring()
        if not self.lock.locked():  # nothing is being entered
            with suppress(OSError, ValueError):
                self.table.keep()
        self.table.close()
