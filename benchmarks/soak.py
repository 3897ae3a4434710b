"""A million random games: ``python -m benchmarks.soak [games]``. Stops at the first that goes wrong.

Every challenge, player count and number of oracle events in turn, and each 51st game a campaign. Every second thousand
of games is played with a random edition of the box. At every decision the options are looked at, at every eighth all
components are counted, and at every 64th the observation is held against its ranges.
"""

from __future__ import annotations

import argparse
import sys
import time
from typing import Any

import numpy as np

from benchmarks.editions import random_edition
from sammu_env import components, engine, observation
from sammu_env import constants as c
from sammu_env.state import SETUP, STATE
from tabletop.jit import entry, kernel
from tabletop.rng import below
from tabletop.steps import DEPTH

CHUNK = 1000
CAMPAIGNS = 51  #: one game of so many; no factor in common with challenges and players, so every cell is played
LONGEST = 100_000
SOUND, NO_CHOICE, REFUSED, TOO_DEEP, MISCOUNT, ENDLESS, OUT_OF_RANGE = range(7)
WRONG = (
    "sound", "a seat has no choice", "an option is refused", "the stack is full", "components are lost", "no end",
    "an observation leaves its ranges",
)  # fmt: skip
#: A thousandth is what float32 may be off.
LOW, HIGH = (
    np.concatenate([np.full(part.slice.stop - part.slice.start, getattr(part, end) + off, np.float32)
                    for part in observation.layout()])
    for end, off in (("low", -1e-3), ("high", 1e-3))
)  # fmt: skip


@kernel
def markers_out(s: Any, marker: int) -> int:
    """Markers of a kind on the map, on events and on Sammu-ramat."""
    if marker == c.ASSASSINATION:
        return int(s.assassination)
    if marker == c.UNREST:
        return int(s.unrest.sum())
    if marker == c.PLAGUE:
        return int(s.plague.sum())
    if marker == c.DIPLOMACY:
        return int(s.diplomacy.sum())
    if marker == c.RELIGION:
        return int(s.religion + s.slot_religion.sum())
    if marker == c.KARU:
        return int(s.karu.sum() + s.area_karu.sum() + s.road_karu.sum())
    return int(s.health.sum() + s.area_health.sum()) if marker == c.HEALTH else 0


@kernel
def in_range(seen: Any, low: Any, high: Any) -> int:
    """The first number of an observation that leaves its range, or -1."""
    for i in range(len(seen)):
        if not low[i] <= seen[i] <= high[i]:
            return i
    return -1


@kernel
def counts_hold(box: Any, s: Any) -> bool:
    """Whether every component is somewhere, and none twice."""
    for kind in range(len(c.KINDS)):
        n = int(s.board[kind])
        for place in range(len(c.LOCATIONS)):
            n += s.token[kind, place]
            if s.token[kind, place] < 0:
                return False
        if n != box.token_total[kind] or s.board[kind] < 0:
            return False
    enemies = int(s.enemy_pool)
    for location in range(len(c.LOCATIONS)):
        enemies += s.enemy[location]
        if s.enemy[location] < 0 or (s.unrest[location] > 0 and s.plague[location] > 0):
            return False
        if s.enemy[location] > 0 and (s.token[c.MILITARY, location] > 0 or s.token[c.DIVINER, location] > 0):
            return False
    if enemies != box.enemy_total or s.gate.sum() > box.gate_total:
        return False
    for marker in range(len(c.MARKERS)):
        n = int(s.marker_pool[marker]) + int(s.bag[marker]) + markers_out(s, marker)
        if n != box.marker_total[marker] or s.marker_pool[marker] < 0 or s.bag[marker] < 0:
            return False
    for technology in range(len(c.TECHNOLOGIES)):
        n = int(s.technology_pool[technology])
        for who in range(len(c.CHARACTERS)):
            n += s.has[who, technology]
        for location in range(len(c.LOCATIONS)):
            n += 1 if s.technology[location] == technology else 0
        if n != box.technology_total[technology]:
            return False
    for good in range(len(c.GOODS)):
        n = int(s.good_pool[good])
        for who in range(len(c.CHARACTERS)):
            n += s.good[who, good]
            if s.good[who, good] < 0:
                return False
        if n != box.good_total[good]:
            return False
    held = 0
    for seat in range(c.MAX_PLAYERS):
        held += s.hand_n[seat]
    return held + s.deck_n + s.discard_n == c.N_ASHUR


@kernel
def strays(box: Any, s: Any, seen: Any, low: Any, high: Any, tally: Any) -> bool:
    """Whether the observation of the seat in turn leaves its ranges; ``tally`` notes where."""
    observation.write(box, s, s.seat, seen)
    tally[4] = in_range(seen, low, high)
    return bool(tally[4] >= 0)


@entry
def soak(box: Any, s: Any, how: Any, first: int, games: int, seen: Any, low: Any, high: Any, tally: Any) -> int:
    """Plays games, and returns where it stopped.

    Args:
        seen: where observations are written, float32[SIZE].
        low, high: their ranges, float32[SIZE].
        tally: decisions, wins, what went wrong, deepest stack, which number of an observation left its range.
    """
    for seed in range(first, first + games):
        how[0].campaign = 1 if seed % CAMPAIGNS == 0 else 0
        how[0].challenge = -1 if seed % CAMPAIGNS == 0 else seed % c.N_CHALLENGES
        how[0].players = 1 + seed // c.N_CHALLENGES % c.MAX_PLAYERS
        how[0].oracles = seed // 100 % 4
        engine.start(box[0], s[0], how[0], seed)
        n = 0
        while s[0].to_act != c.NOBODY:
            if s[0].n_options < 2:
                tally[2] = NO_CHOICE
            elif n % 8 == 0 and not counts_hold(box[0], s[0]):
                tally[2] = MISCOUNT
            elif n % 64 == 0 and strays(box[0], s[0], seen, low, high, tally):
                tally[2] = OUT_OF_RANGE
            elif s[0].sp > DEPTH - 4:
                tally[2] = TOO_DEEP
            elif n > LONGEST:
                tally[2] = ENDLESS
            elif not engine.choose(box[0], s[0], s[0].option[below(s[0], s[0].n_options)]):
                tally[2] = REFUSED
            if tally[2] != SOUND:
                return seed
            tally[3] = max(int(tally[3]), int(s[0].sp))
            n += 1
        tally[0] += n
        tally[1] += 1 if s[0].result == c.WON else 0
        if not counts_hold(box[0], s[0]):
            tally[2] = MISCOUNT
            return seed
    return first + games


def play(box: np.ndarray, first: int, games: int, tally: np.ndarray) -> str:
    """Plays games from a seed on, and says what went wrong, "" if nothing did.

    Args:
        box: the box record, shape (1,).
        tally: int64[5]: decisions, wins, what went wrong, deepest stack, which number of an observation.
    """
    s, how = np.zeros(1, STATE), np.zeros(1, SETUP)
    how["start_goods"] = 3
    seen = np.zeros(observation.SIZE, np.float32)
    stopped = soak(box, s, how, first, games, seen, LOW, HIGH, tally)
    if tally[2] == SOUND:
        return ""
    wrong = f"game {stopped}: {WRONG[tally[2]]}"
    if tally[2] == OUT_OF_RANGE:
        part = next(part for part in observation.layout() if tally[4] < part.slice.stop)
        wrong += f": {part.name} is {seen[tally[4]]}, expected {part.low} to {part.high}"
    return wrong


def main(games: int = 1_000_000) -> None:
    """Prints games and decisions a second, and what went wrong, if anything did."""
    printed = components.load().box
    play(printed, 0, 1, np.zeros(5, np.int64))
    tally = np.zeros(5, np.int64)
    took, editions = 0.0, 0
    for first in range(0, games, CHUNK):
        n = min(CHUNK, games - first)
        extra = first // CHUNK % 2 == 1
        box = random_edition(editions, extreme=editions % 8 == 7).box if extra else printed
        begin = time.perf_counter()
        wrong = play(box, first, n, tally)
        took += time.perf_counter() - begin
        if wrong:
            sys.exit(f"edition {editions}, {wrong}" if extra else wrong)
        editions += extra
        if (first // CHUNK + 1) % 20 == 0:
            print(f"{first + n:,} games, {editions} editions, {(first + n) / took:,.0f} a second", flush=True)
    print(
        f"{games:,} games without an error in {took:,.0f} seconds, {editions} editions among them: {games / took:,.0f} "
        f"games and {tally[0] / took:,.0f} decisions a second, {tally[1]:,} won, deepest stack {tally[3]} of {DEPTH}"
    )


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int, nargs="?", default=1_000_000)
    main(parser.parse_args().games)
