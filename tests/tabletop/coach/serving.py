"""A coach that really listens, and phones that really ask."""

from __future__ import annotations

import contextlib
import http.client
import json
import random
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn

from tabletop.coach import server
from tabletop.coach.advice import Plan, Reason
from tabletop.game import CHANCE, NOBODY, WON, Record


class Rollouts:
    """Plays on at random after each choice, and counts who wins: an advisor for the tests."""

    def __init__(self, game: Any, rounds: int = 10**9) -> None:
        self.game, self.rounds = game, rounds
        self.asked: list[tuple[int, bytes]] = []
        self.steps = 0

    def advise(self, s: Record, seat: int) -> Iterator[list[Plan]]:
        self.asked.append((seat, s.tobytes()))
        mask = np.zeros(self.game.n_actions, np.int8)
        self.game.legal(self.game.box, s, mask)
        won, rng = {int(action): [0, 0] for action in np.flatnonzero(mask)}, random.Random(1)
        for _ in range(self.rounds):
            for action, count in won.items():
                count[0] += self._wins(s.copy(), action, seat, rng)
                count[1] += 1
            self.steps += 1
            yield sorted((self._plan(action, *count) for action, count in won.items()), key=lambda plan: -plan.value)
            time.sleep(0.002)

    def _wins(self, s: Record, action: int, seat: int, rng: random.Random) -> int:
        s["rng"] = rng.randrange(1, 2**31)
        mask = np.zeros(self.game.n_actions, np.int8)
        while self.game.apply(self.game.box, s, action) and s["to_act"][0] != NOBODY:
            assert s["to_act"][0] != CHANCE, "advisors are never asked to draw"
            self.game.legal(self.game.box, s, mask)
            action = int(rng.choice(np.flatnonzero(mask).tolist()))
        return int(self.game.results(s).result[0, seat] == WON)

    @staticmethod
    def _plan(action: int, wins: int, games: int) -> Plan:
        half = 1.0 / games**0.5
        mean = wins / games
        return Plan(
            (action,), mean, max(0.0, mean - half), min(1.0, mean + half), games, (Reason("pip@pot", 0.9, 0.3),)
        )


class Phone:
    """Asks a server as a browser does."""

    def __init__(self, port: int, host: str | None = None, origin: str | None = None, cookie: str = "") -> None:
        self.port = port
        self.host = f"127.0.0.1:{port}" if host is None else host
        self.origin = f"http://127.0.0.1:{port}" if origin is None else origin
        self.cookie = cookie

    def send(self, method: str, path: str, body: bytes | None = None, **headers: str) -> tuple[int, Any, Any]:
        """Status, headers, and the body: of JSON what it holds."""
        wire = http.client.HTTPConnection("127.0.0.1", self.port, timeout=20)
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
        self.wire = http.client.HTTPConnection("127.0.0.1", port, timeout=20)
        self.wire.request("GET", path, headers={name.replace("_", "-"): value for name, value in headers.items()})
        self.response = self.wire.getresponse()
        self.status = self.response.status

    def next(self, kind: str) -> tuple[str, Any]:
        """The next event of a kind: its id, and what it tells."""
        while True:
            fields: dict[str, str] = {}
            while line := self.response.readline().decode().rstrip("\n"):
                name, _, value = line.partition(": ")
                fields[name] = value
            if fields.get("event") == kind:
                return fields.get("id", ""), json.loads(fields["data"])

    def close(self) -> None:
        self.response.close()
        self.wire.close()


class Running:
    """A coach that listens in a thread."""

    def __init__(self, game: Any, folder: Path, advisor: Any = None, token: str | None = None, port: int = 0) -> None:
        listener, names = server.listening("127.0.0.1", port)
        self.port = listener.getsockname()[1]
        self.coach = server.Coach(game, folder, names, advisor, token)
        config = uvicorn.Config(self.coach.app(), log_level="error", ws="none", timeout_graceful_shutdown=1)
        self.uvicorn = uvicorn.Server(config)
        self.listener = listener
        self.thread = threading.Thread(target=self.uvicorn.run, kwargs={"sockets": [listener]}, daemon=True)
        self.thread.start()
        while not self.uvicorn.started:
            assert self.thread.is_alive()
            time.sleep(0.005)

    def phone(self, **options: Any) -> Phone:
        return Phone(self.port, **options)

    def begin(self, **body: Any) -> str:
        status, told = self.phone().post("/api/games", {"seed": 7, **body})
        assert status == 201, told
        return f"/api/games/{told['id']}"

    def close(self) -> None:
        self.uvicorn.should_exit = True
        self.thread.join(20)
        self.listener.close()
