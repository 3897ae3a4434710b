"""A million random games: ``python -m benchmarks.soak [games]``. Stops at the first that goes wrong.

Every challenge, player count and number of oracle events in turn, and each 51st game a campaign. At every decision the
options are looked at, and at every eighth all components are counted.
"""

from __future__ import annotations

import sys
import time
from typing import Any

import numpy as np

from sammu_env import components, engine
from sammu_env import constants as c
from sammu_env.state import SETUP, STATE
from tabletop.jit import entry, kernel
from tabletop.rng import below
from tabletop.steps import DEPTH

CHUNK = 20_000
CAMPAIGNS = 51  #: one game of so many; no factor in common with challenges and players, so every cell is played
LONGEST = 100_000
SOUND, NO_CHOICE, REFUSED, TOO_DEEP, MISCOUNT, ENDLESS = range(6)
WRONG = ("sound", "a seat has no choice", "an option is refused", "the stack is full", "components are lost", "no end")


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
    enemies, unrest, plague = int(s.enemy_pool), 0, 0
    for location in range(len(c.LOCATIONS)):
        enemies += s.enemy[location]
        unrest += s.unrest[location]
        plague += s.plague[location]
        if s.enemy[location] < 0 or (s.unrest[location] > 0 and s.plague[location] > 0):
            return False
        if s.enemy[location] > 0 and (s.token[c.MILITARY, location] > 0 or s.token[c.DIVINER, location] > 0):
            return False
    if enemies != box.enemy_total:
        return False
    if unrest + s.marker_pool[c.UNREST] + s.bag[c.UNREST] != box.marker_total[c.UNREST]:
        return False
    if plague + s.marker_pool[c.PLAGUE] + s.bag[c.PLAGUE] != box.marker_total[c.PLAGUE]:
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


@entry
def soak(box: Any, s: Any, how: Any, first: int, games: int, tally: Any) -> int:
    """Plays games, and returns where it stopped; ``tally``: decisions, wins, what went wrong, deepest stack."""
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


def main(games: int = 1_000_000) -> None:
    """Prints games and decisions a second, and what went wrong, if anything did."""
    box = components.load().box
    s, how, tally = np.zeros(1, STATE), np.zeros(1, SETUP), np.zeros(4, np.int64)
    how["start_goods"] = 3
    soak(box, s, how, 0, 1, tally)
    tally[:] = 0
    begin = time.perf_counter()
    for first in range(0, games, CHUNK):
        n = min(CHUNK, games - first)
        stopped = soak(box, s, how, first, n, tally)
        if tally[2] != SOUND:
            sys.exit(f"game {stopped}: {WRONG[tally[2]]}")
        took = time.perf_counter() - begin
        print(f"{first + n:,} games, {(first + n) / took:,.0f} a second", flush=True)
    took = time.perf_counter() - begin
    print(
        f"{games:,} games without an error in {took:,.0f} seconds: {games / took:,.0f} games and "
        f"{tally[0] / took:,.0f} decisions a second, {tally[1]:,} won, deepest stack {tally[3]} of {DEPTH}"
    )


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
