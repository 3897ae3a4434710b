"""Draws the pictures of the documentation anew: ``python docs/pictures.py``; one needs chromium and playwright."""

from __future__ import annotations

import io
import shutil
import tempfile
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import uvicorn
from PIL import Image

from sammu_env.game import SammuRamat, load
from tabletop import agents
from tabletop.coach.parts import Parts
from tabletop.coach.server import Coach
from tabletop.coach.serving import listening
from tabletop.coach.table import Table
from tabletop.coach.telling import told
from tabletop.game import CHANCE, NOBODY
from tabletop.log import Match

HERE = Path(__file__).parent
SIZE = {"width": 1280, "height": 800}


def played(game: SammuRamat, seed: int = 8) -> Match:
    """The scripted team in a later month, where the last answer moved a lot and a place on the map is asked for."""
    match, rng = Match(game, game.configure("SAM-185", 3), seed, manual_chance=True), np.random.default_rng(seed)
    agent, mask, lines = agents.make("scripted", game), np.zeros((1, game.n_actions), np.int8), 0
    while match.to_act != NOBODY:
        game.legal(game.box, match.s, mask[0])
        choices = np.flatnonzero(mask[0])
        on_map = match.to_act != CHANCE and any(game.place(match.s, int(action)) for action in choices)
        if match.s["month"][0] > 1 and lines > 2 and on_map:
            return match
        action = int(rng.choice(choices) if match.to_act == CHANCE else agent.act(match.s, mask)[0])
        lines = len(told(Parts(game), match.s, action))
        match.act(action)
    return played(game, seed + 1)


def photograph(game: SammuRamat, match: Match) -> bytes:
    """The coach's page of a game, PNG of few colours."""
    from playwright.sync_api import sync_playwright

    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        *before, (_, last) = match.log.entries
        log = replace(match.log, entries=before, trace=())
        table = Table.from_log(game, Path(folder) / "game.jsonl", log, title="SAM-185")
        table.do([last])
        table.close()
        listener, names = listening("127.0.0.1", 0)
        running = uvicorn.Server(uvicorn.Config(Coach(game, folder, names).app(), log_level="error", ws="none"))
        thread = threading.Thread(target=running.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not running.started:
            time.sleep(0.01)
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page: Any = browser.new_page(viewport=SIZE)
        page.goto(f"http://{names[0]}/#/game/table")
        page.locator(".options button").first.wait_for()
        page.wait_for_timeout(500)
        image = Image.open(io.BytesIO(page.screenshot())).convert("RGB").quantize(200, dither=Image.Dither.NONE)
        browser.close()
        running.should_exit = True
        thread.join(10)
    out = io.BytesIO()
    image.save(out, "PNG", optimize=True)
    return out.getvalue()


def main() -> None:
    game = load()
    match = played(game)
    (HERE / "map.svg").write_text(game.render(match.s, "svg"), encoding="utf-8")
    try:
        (HERE / "coach.png").write_bytes(photograph(game, match))
    except ImportError:
        print("coach.png is as it was: playwright is not installed")


if __name__ == "__main__":
    main()
