"""What a seat does not know, drawn anew: other worlds for those who look ahead."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pergamemnon_env import constants as c
from pergamemnon_env import engine
from tabletop import record
from tabletop.game import NOBODY, Record

#: Deals that are tried before who is asked, or has laid a card face down, keeps its hand.
TRIES = 400
#: Fields in which another world may differ.
SECRET = frozenset({"rng", "trace", "hand", "draw", "row", "n_options", "option"})

Counts = NDArray[Any]


def resample(box: Record, s: Record, seat: int, rng: np.random.Generator) -> Record:
    """Another state, shape (1,), that a seat cannot tell from this one.

    Each rival's cards are split anew into hand and draw pile, with those in the hand that everybody knows to be in it.
    A card that lies face down is drawn with the hand that it came from, and shows the weapon named; who is asked still
    has the choice. Generator and trace are drawn anew too: both would give away what was drawn.

    Args:
        box: all boxes of the game.
        rng: draws.
    """
    asked, one = int(s["to_act"][0]), s[0]
    for tried in range(TRIES + 1):
        world = record.copy(s)
        world["rng"] = rng.integers(1, 2**32, (1, 4))
        fits = True
        for rival in range(int(one["players"])):
            if rival != seat:
                keeps = tried == TRIES and rival in (asked, int(one["attacker"]))
                fits = _deal(box[int(one["box"])], world[0], rival, keeps, rng) and fits
        if asked not in (NOBODY, seat):
            engine.resume(box, world)  # lists its options anew
        world["option"][0, int(world["n_options"][0]) :] = 0  # what lies behind could name the others' cards
        if fits and record.same_but(s, world, SECRET):  # otherwise one option was left, and the game went on
            break
    world["trace"] = rng.integers(0, 2**31, (1, 2))
    return world


def _deal(box: Any, one: Any, rival: int, keeps: bool, rng: np.random.Generator) -> bool:
    """A rival's hand, draw pile and card that lies face down, anew, or only this card. False: none could be laid."""
    hand, draw, known = one["hand"][rival], one["draw"][rival], one["known"][rival]
    down = not one["open"] and one["attacker"] == rival and one["laid"][c.ATTACKER] > 0
    held = hand.copy()
    if down:
        held[one["row"][c.ATTACKER, 0] - 1] += 1
    both = held + draw
    if not keeps:
        free = (both - known).astype(np.int64)
        held = known + rng.multivariate_hypergeometric(free, int(held.sum() - known.sum())).astype(np.int8)
    draw[:] = both - held
    if down:
        shown = np.flatnonzero((held > 0) & (box["weapon"] == one["weapon"] - 1))
        if not len(shown):
            return False
        laid = int(rng.choice(np.repeat(shown, held[shown])))
        held = held.copy()
        held[laid] -= 1
        one["row"][c.ATTACKER, 0] = laid + 1
    hand[:] = held
    return True
