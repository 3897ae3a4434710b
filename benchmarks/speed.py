"""Speed of the engine on one core: ``python -m benchmarks.speed``. Figures go to docs/performance.md.

Decisions are those that a seat makes with more than one legal choice; draws and forced choices run between them.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
import time
from typing import Any

import numpy as np

from sammu_env import components, engine, observation
from sammu_env import constants as c
from sammu_env.actions import N_ACTIONS
from sammu_env.state import SETUP, STATE
from tabletop.jit import entry
from tabletop.rng import below


@entry
def play(box: Any, s: Any, how: Any, games: int, mask: Any, out: Any) -> int:
    """Plays random games, writing the mask at every decision, and the observation where ``out`` has room."""
    decisions = 0
    for seed in range(games):
        how[0].challenge = seed % c.N_CHALLENGES
        how[0].players = 1 + seed % c.MAX_PLAYERS
        engine.start(box[0], s[0], how[0], seed)
        while s[0].to_act != c.NOBODY:
            mask[:] = 0
            for i in range(s[0].n_options):
                mask[s[0].option[i]] = 1
            if len(out) > 0:
                observation.write(box[0], s[0], s[0].to_act, out)
            engine.choose(box[0], s[0], s[0].option[below(s[0], s[0].n_options)])
            decisions += 1
    return decisions


@entry
def copy(states: Any, n: int) -> None:
    """Copies states n times within an array of a power of two, so that no copy can be left out."""
    last = len(states) - 1
    for i in range(n):
        states[i * 7 & last] = states[i * 5 + 3 & last]


def start(cache: str) -> float:
    """Seconds from the start of a program to its first observation, with a cache folder for compiled rules."""
    begin = time.perf_counter()
    program = "import sammu_env; env = sammu_env.env(); env.reset(seed=1); env.last()"
    subprocess.run([sys.executable, "-c", program], check=True, env={**os.environ, "TABLETOP_CACHE": cache})
    return time.perf_counter() - begin


def main(games: int = 20_000) -> None:
    """Prints decisions and games a second, the time of a copy, and of a second start."""
    box = components.load().box
    s, how = np.zeros(1, STATE), np.zeros(1, SETUP)
    how["start_goods"] = 3
    mask, nothing, out = np.zeros(N_ACTIONS, np.int8), np.zeros(0, np.float32), np.zeros(observation.SIZE, np.float32)
    for name, vector in (("with mask", nothing), ("with mask and observation", out)):
        play(box, s, how, 10, mask, vector)
        begin = time.perf_counter()
        n = play(box, s, how, games, mask, vector)
        took = time.perf_counter() - begin
        print(f"{name}: {n / took:,.0f} decisions/s, {games / took:,.0f} games/s, {n / games:.1f} decisions a game")
    states = np.repeat(s, 64)
    copy(states, 1)
    begin = time.perf_counter()
    copy(states, 1_000_000)
    print(f"copy of a state ({STATE.itemsize} bytes): {time.perf_counter() - begin:.2f} microseconds")
    with tempfile.TemporaryDirectory() as cache:
        print(f"first start of a program, which compiles the rules: {start(cache):.0f} seconds")
        print(f"second start: {start(cache):.1f} seconds")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
