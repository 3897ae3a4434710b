"""A coach that really listens, and phones that really ask."""

from __future__ import annotations

import contextlib
import http.client
import json
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np

from tabletop.coach import server, serving
from tabletop.coach.parts import Parts
from tabletop.game import Record

LONGEST = 60  #: seconds that anything is waited for: a busy machine is no mistake, and nothing waits for ever


class Told:
    """What the advisor of the tests has found."""

    def __init__(self, game: Any, state: Record, action: int, games: int) -> None:
        self.game, self.state, self.action, self.games = game, state, action, games

    def to_dict(self, lang: str = "en") -> dict[str, Any]:
        plan = {"actions": [self.action], "words": [self.game.words(self.state, self.action, lang)],
                "text": f"{self.games}", "why": [{"text": lang}]}  # fmt: skip
        return {"plans": [plan], "ending": "", "basis": "", "sure": False}


class Patient:
    """An advisor for the tests: says the same again and again, and counts how often it was asked to go on."""

    def __init__(self, game: Any, rounds: int = 10**9) -> None:
        self.game, self.rounds = game, rounds
        self.asked: list[tuple[int, bytes]] = []
        self.steps = 0
        self.halted = self.closed = False

    def __call__(self, game: Any) -> Patient:
        return self

    def advise(self, state: Record, seconds: float, *, until_sure: bool = False) -> Iterator[Told]:
        self.halted = False
        self.asked.append((int(state["to_act"][0]), state.tobytes()))
        return self._go_on(state, time.monotonic() + seconds)

    def _go_on(self, state: Record, end: float) -> Iterator[Told]:
        mask = np.zeros(self.game.n_actions, np.int8)
        self.game.legal(self.game.box, state, mask)
        for games in range(1, self.rounds + 1):
            if self.halted or time.monotonic() > end:
                return
            self.steps += 1
            yield Told(self.game, state, int(mask.argmax()), games)
            time.sleep(0.002)

    def cancel(self) -> None:
        self.halted = True

    def close(self) -> None:
        self.closed = True


class Phone:
    """Asks a server as a browser does."""

    def __init__(self, port: int, host: str | None = None, origin: str | None = None, cookie: str = "") -> None:
        self.port = port
        self.host = f"127.0.0.1:{port}" if host is None else host
        self.origin = f"http://127.0.0.1:{port}" if origin is None else origin
        self.cookie = cookie

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, Any, Any]:
        """Status, headers, and the body: of JSON what it holds."""
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=LONGEST)
        sent = {"Host": self.host}
        if method == "POST":
            sent |= {"Content-Type": "application/json", "Origin": self.origin}
        if self.cookie:
            sent["Cookie"] = self.cookie
        sent |= {name.replace("_", "-"): value for name, value in headers.items()}
        wire.request(method, path, body, {name: value for name, value in sent.items() if value})
        with contextlib.closing(wire.getresponse()) as response:
            data = response.read()
            told = json.loads(data) if "json" in response.headers.get("content-type", "") and data else data
            return response.status, response.headers, told

    def get(self, path: str, **headers: str) -> Any:
        """What a path holds; an error is the number of its status."""
        status, _, told = self.send("GET", path, **headers)
        return told if status == 200 else status

    def post(self, path: str, body: Any, **headers: str) -> tuple[int, Any]:
        status, _, told = self.send("POST", path, json.dumps(body).encode(), **headers)
        return status, told


class Events:
    """The events of a stream, one after the other."""

    def __init__(self, port: int, path: str, **headers: str) -> None:
        self.wire = http.client.HTTPConnection("127.0.0.1", port, timeout=LONGEST)
        self.wire.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        self.response = self.wire.getresponse()
        self.status = self.response.status

    def next(self, kind: str) -> tuple[str, Any]:
        """The next event of a kind: its id, and what it tells."""
        end = time.monotonic() + LONGEST
        fields: dict[str, str] = {}
        while fields.get("event") != kind:
            assert time.monotonic() < end, f"there was no event {kind!r}"  # the stream is kept alive meanwhile
            fields = {}
            while (line := self.response.readline().decode()) != "\n":
                assert line, f"the stream ended before an event {kind!r}"
                name, _, value = line.rstrip("\n").partition(": ")
                fields[name] = value
        return fields.get("id", ""), json.loads(fields["data"])

    def close(self) -> None:
        self.response.close()
        self.wire.close()


class Running:
    """A coach that listens in a thread."""

    def __init__(
        self, game: Any, folder: Path, advisor: Any = None, token: str | None = None, port: int = 0,
        tls: tuple[Path, Path] | None = None,
    ) -> None:  # fmt: skip
        Parts(game).ready()  # as the command does: compiling may take longer than a phone waits
        listener, names = serving.listening("127.0.0.1", port)
        self.port = listener.getsockname()[1]
        self.coach = server.Coach(game, folder, names, advisor, token, secure=tls is not None)
        self.uvicorn = serving.Serving(self.coach, tls)
        self.listener = listener
        self.thread = threading.Thread(target=self.uvicorn.run, kwargs={"sockets": [listener]}, daemon=True)
        self.thread.start()
        end = time.monotonic() + LONGEST
        while not self.uvicorn.started:
            assert self.thread.is_alive() and time.monotonic() < end, "the coach does not start"
            time.sleep(0.005)

    def phone(self, **options: Any) -> Phone:
        return Phone(self.port, **options)

    def begin(self, **body: Any) -> str:
        status, told = self.phone().post("/api/games", {"seed": 7, **body})
        assert status == 201, told
        return f"/api/games/{told['id']}"

    def close(self) -> None:
        self.uvicorn.stop()
        self.thread.join(2 * LONGEST)  # an advisor that is still being made is waited for
        self.listener.close()
        assert not self.thread.is_alive(), "the coach does not end"
