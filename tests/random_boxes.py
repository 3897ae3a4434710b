"""Random boxes by the thousand: ``python -m tests.random_boxes [boxes] [first seed]``.

Stops at the first box that goes wrong. Each is drawn at another setting of the dial; it must be valid, its setup sides
sound, from the middle of the dial on honest, and hold what the worked examples say of the map. Each 50th has all the
worked examples played on it. On each, random games are played as in :mod:`benchmarks.soak`: every option is accepted,
nothing is lost, and every observation stays in its ranges.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.soak import play
from sammu_env import components
from sammu_env.components import Components, Drawn, sides
from tests import examples

GAMES = 20  #: games on each box
REPLAYED = 50  #: of so many boxes one has the worked examples played on it


def faults(kit: Components, difficulty: float, replayed: bool) -> list[str]:
    """What is wrong with a box, before anybody plays on it."""
    conditions = sides.HONEST if difficulty >= 0.5 else sides.SOUND
    found = [
        f"challenge.{card}: {line}"
        for card, challenge in kit.content.challenge.items()
        for line in sides.faults(kit.content, challenge, conditions)
    ]
    found += examples.wrong_facts(kit)
    return found + list(examples.wrong_examples(kit)) if replayed else found


def main(boxes: int = 10_000, first: int = 0) -> None:
    """Prints how many boxes and games went well, and how long they took, or what went wrong."""
    play(components.load().box, 0, 1, np.zeros(5, np.int64))
    tally = np.zeros(5, np.int64)
    begin = time.perf_counter()
    for i in range(boxes):
        seed, difficulty = first + i, i % 11 / 10
        kit = components.load(Drawn(seed, difficulty))
        wrong = faults(kit, difficulty, i % REPLAYED == 0)
        wrong += filter(None, [play(kit.box, GAMES * i, GAMES, tally)])
        if wrong:
            sys.exit("\n".join(f"random box {seed}, difficulty {difficulty}: {line}" for line in wrong))
        if (i + 1) % 500 == 0:
            print(f"{i + 1:,} boxes, {(i + 1) * GAMES:,} games, {time.perf_counter() - begin:,.0f} seconds", flush=True)
    took = time.perf_counter() - begin
    print(f"{boxes:,} boxes and {boxes * GAMES:,} games without an error in {took:,.0f} seconds, {tally[1]:,} won")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
