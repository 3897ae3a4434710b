"""What people at a table wait for: python -m benchmarks.coach

Starts `sammu coach` as people do, plays a month of two with the box, and measures against the budgets of docs/coach.md:
when it is ready, the first plan, a choice until the page has changed, what is sent, memory and idle CPU. In a browser
where chromium and playwright are installed, else over HTTP alone. And by itself how soon a search ends once it is
cancelled. Linux only: memory and CPU are read from /proc.
"""

from __future__ import annotations

import argparse
import http.client
import json
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import sammu_env
from tabletop.agents.search import Search
from tabletop.coach.words import STATIC
from tabletop.game import new_state

#: What coach.md promises: seconds, bytes and bytes of memory.
BUDGETS = {"ready": 3.0, "first plan": 0.2, "choice to answer, 95 in 100": 0.1, "choice to repaint, 95 in 100": 0.1,
           "pages": 200e3, "memory": 900e6, "idle CPU": 0.0, "cancelled": 0.05}  # fmt: skip
CHOICES, IDLE = 60, 10.0
#: Seconds after which searches are cancelled: while plans are made, compared and played on.
CANCELLED = (0.02, 0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1.0, 1.5, 2.0, 3.0)


class Coach:
    """`sammu coach` as a process of its own."""

    def __init__(self, folder: str) -> None:
        begun = time.perf_counter()
        command = [sys.executable, "-c", "from sammu_env.command import main; main()"]
        self.process = subprocess.Popen([*command, "coach", "--tables", folder, "--port", "0"], stdout=subprocess.PIPE,
                                        text=True)  # fmt: skip
        assert self.process.stdout is not None
        self.url = self.process.stdout.readline().strip()
        if not self.url:
            raise SystemExit("the coach did not start")
        self.host = self.url.removeprefix("http://").strip("/")
        self.get("/")
        self.ready = time.perf_counter() - begun

    def _ask(self, method: str, path: str, body: Any = None) -> http.client.HTTPResponse:
        wire = http.client.HTTPConnection(self.host, timeout=120)
        headers = {"Origin": self.url.strip("/"), "Content-Type": "application/json"} if body is not None else {}
        wire.request(method, path, None if body is None else json.dumps(body), headers)
        return wire.getresponse()

    def get(self, path: str) -> bytes:
        return self._ask("GET", path).read()

    def post(self, path: str, body: Any) -> Any:
        return json.loads(self._ask("POST", path, body).read())

    def events(self, path: str) -> Iterator[tuple[str, Any, int]]:
        """Kind, content and size of each event."""
        response, kind = self._ask("GET", path), ""
        for line in response:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            if name == "event":
                kind = value
            elif name == "data":
                yield kind, json.loads(value), len(line)

    def family(self) -> list[int]:
        """Its process and all that it began."""
        found, some = [], [self.process.pid]
        while some:
            one = some.pop()
            found.append(one)
            for task in Path(f"/proc/{one}/task").glob("*/children"):
                some += map(int, task.read_text().split())
        return found

    def cpu(self) -> float:
        """Seconds of CPU that it has taken."""
        ticks = 0
        for one in self.family():
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            ticks += int(fields[11]) + int(fields[12])
        return ticks / os.sysconf("SC_CLK_TCK")

    def memory(self) -> float:
        """Bytes that it holds; what processes share counts once."""
        lines = (line for one in self.family() for line in Path(f"/proc/{one}/smaps_rollup").read_text().splitlines())
        return 1024.0 * sum(int(line.split()[1]) for line in lines if line.startswith("Pss:"))

    def close(self) -> None:
        self.process.terminate()
        self.process.wait(30)


def first_plan(coach: Coach, game: str) -> float:
    """Seconds until the first plan of a question is told."""
    events = coach.events(f"{game}/events")
    rev = next(told for kind, told, _ in events if kind == "state")["rev"]
    begun = time.perf_counter()
    coach.post(f"{game}/advice", {"rev": rev, "budget": 2})
    next(told for kind, told, _ in events if kind == "advice" and told["plans"])
    return time.perf_counter() - begun


def answers(coach: Coach, game: str, n: int) -> list[float]:
    """Seconds that each of some choices takes to be kept and answered; draws are the coach's."""
    state = json.loads(coach.get(game))
    took: list[float] = []
    while len(took) < n and state["to_act"] != -2:
        action = None if state["to_act"] == -1 else state["options"][0]["action"]
        begun = time.perf_counter()
        state = coach.post(f"{game}/do", {"rev": state["rev"], "answers": [action]})
        took.append(time.perf_counter() - begun)
    return took


#: Clicks the first choice; resolves once another question is painted, with the milliseconds.
CLICK = """() => new Promise((told) => {
  const main = document.getElementById("main"), button = main.querySelector(".options button");
  const begun = performance.now(), before = main.querySelector(".options");
  new MutationObserver((_, observer) => {
    if (main.contains(before)) return;
    observer.disconnect();
    requestAnimationFrame(() => setTimeout(() => told(performance.now() - begun)));
  }).observe(main, { childList: true, subtree: true });
  button.click();
})"""


def repaints(coach: Coach, game: str, n: int) -> list[float] | None:
    """Seconds from a click to the picture of what is asked next; None: there is no browser."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser")
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        return None
    if chromium is None:
        return None
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 390, "height": 844})
        page.goto(f"{coach.url}#/{game.rpartition('/')[2]}/table")
        page.locator(".options button").first.wait_for()
        took = []
        for _ in range(n):
            if not page.locator(".options button").count():
                break
            took.append(page.evaluate(CLICK) / 1000)
            page.wait_for_timeout(100)
        browser.close()
    return took


def idle(coach: Coach, game: str) -> float:
    """Seconds of CPU in ten seconds in which a page is open and nobody does anything."""
    events = coach.events(f"{game}/events")
    next(events)
    before = coach.cpu()
    time.sleep(IDLE)
    return coach.cpu() - before


def cancellations() -> list[float]:
    """Seconds from each call of ``cancel`` to the end of a search, as long as the coach's are, in two processes."""
    game = sammu_env.load_game()
    took: list[float] = []
    state = new_state(game)
    game.reset(game.box, state, game.configure(players=2), 7)
    with closing(Search(game, processes=2)) as search:
        list(search.advise(state, seconds=0.5))  # loads all
        for after in CANCELLED:
            called: list[float] = []

            def cancel(called: list[float] = called) -> None:
                called.append(time.perf_counter())
                search.cancel()

            timer, found = threading.Timer(after, cancel), search.advise(state, seconds=60)
            timer.start()
            list(found)
            took.append(time.perf_counter() - called[0])
            timer.join()
    return took


def high(some: list[float]) -> float:
    """What 95 in 100 stay under."""
    return statistics.quantiles(some, n=20)[-1]


def measure(say: Callable[[str, float, str], None]) -> None:
    """Says each figure, in seconds or bytes, with a note."""
    with tempfile.TemporaryDirectory() as folder:
        coach = Coach(folder)
        try:
            say("ready", coach.ready, "until the first page is served")
            told = coach.post("/api/games", {"options": {"players": 2}, "seed": 7})
            game = f"/api/games/{told['id']}"
            first_plan(coach, game)
            say("first plan", statistics.median(first_plan(coach, game) for _ in range(5)), "median of 5, warm")
            took = answers(coach, game, CHOICES)
            say("choice to answer, 95 in 100", high(took), f"median {statistics.median(took):.3f}, {len(took)} choices")
            painted = repaints(coach, game, CHOICES)
            if painted is not None:
                note = f"median {statistics.median(painted):.3f}, {len(painted)} choices"
                say("choice to repaint, 95 in 100", high(painted), note)
            say("pages", sum(path.stat().st_size for path in STATIC.iterdir() if path.is_file()), "all files")
            size = next(n for kind, _, n in coach.events(f"{game}/events") if kind == "state")
            say("first state", size, "with the whole picture, not compressed")
            say("memory", coach.memory(), f"of {len(coach.family())} processes, what they share counts once")
            say("idle CPU", idle(coach, game), f"in {IDLE:.0f} s, with a page open")
        finally:
            coach.close()
    took = cancellations()
    say("cancelled", max(took), f"the slowest of {len(took)}, median {statistics.median(took):.3f}")


def main() -> None:
    argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter).parse_args()

    def say(name: str, figure: float, note: str) -> None:
        large = figure > 1000
        told = f"{figure / 1e6:8.2f} MB" if large else f"{figure:8.3f} s "
        budget = BUDGETS.get(name)
        limit = "" if budget is None else f"{budget / 1e6:g} MB" if large else f"{budget:g} s"
        print(f"{name:30} {told}  {limit and f'budget {limit}':16} {note}", flush=True)

    measure(say)


if __name__ == "__main__":
    main()
