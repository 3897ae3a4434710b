"""What a seat does not know, drawn anew: other worlds for those who look ahead."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pergamemnon_env import constants as c
from pergamemnon_env import steps
from tabletop import record
from tabletop.game import CHANCE, Record

#: Deals tried before a hand keeps what the question proves to be in it.
TRIES = 30

Counts = NDArray[Any]


def resample(box: Record, s: Record, seat: int, rng: np.random.Generator) -> Record:
    """Another state, shape (1,), that a seat cannot tell from this one.

    Each rival's cards are split anew into hand and draw pile, with those in the hand that everybody knows to be in it.
    A card that lies face down is drawn with the hand that it came from, and shows the weapon named. Generator and trace
    are drawn anew too: both would give away what was drawn.

    Args:
        box: that of the state, shape (1,).
        rng: draws.
    """
    world = record.copy(s)
    world["rng"] = rng.integers(1, 2**32, (1, 4))
    world["trace"] = rng.integers(0, 2**31, (1, 2))
    for rival in range(int(s["players"][0])):
        if rival != seat:
            _deal(box[0], world[0], rival, rng)
    return world


def _deal(box: Any, one: Any, rival: int, rng: np.random.Generator) -> None:
    """A rival's hand, draw pile and card that lies face down, anew."""
    hand, draw, known = one["hand"][rival], one["draw"][rival], one["known"][rival]
    down = not one["open"] and one["attacker"] == rival and one["laid"][c.ATTACKER] > 0
    true = hand.copy()
    if down:
        true[one["row"][c.ATTACKER, 0] - 1] += 1
    both = true + draw
    proves = _proof(box, one, rival, down)
    free = (both - known).astype(np.int64)
    held = known + _some(free, int(true.sum() - known.sum()), rng)
    tries = 0
    while not proves(held):
        held = known + _some(free, int(true.sum() - known.sum()), rng)
        tries += 1
        if tries == TRIES:
            held = true
    draw[:] = both - held
    if down:
        fits = np.flatnonzero((held > 0) & (box["weapon"] == one["weapon"] - 1))
        laid = int(rng.choice(np.repeat(fits, held[fits])))
        held = held.copy()
        held[laid] -= 1
        one["row"][c.ATTACKER, 0] = laid + 1
    hand[:] = held


def _some(free: Counts, n: int, rng: np.random.Generator) -> Counts:
    """So many of the cards, by kind."""
    return rng.multivariate_hypergeometric(free, n).astype(np.int8)


def _proof(box: Any, one: Any, rival: int, down: bool) -> Callable[[Counts], bool]:
    """What a hand must have for a rival to be where it is: the weapon named, or what hires a creature."""
    asked = int(one["to_act"]) == rival
    op = int(one["op"][one["sp"] - 1]) if one["sp"] > 0 else -1
    if down or (asked and op == steps.LAY and one["attacker"] == rival and not one["laid"][c.ATTACKER]):
        return lambda held: bool((held[box["weapon"] == one["weapon"] - 1] > 0).any())
    if asked and op == steps.HIRE:
        saved = int(one["charisma"][rival]) + int((one["city"][rival] * box["charisma"]).sum())
        wanted = int(box["cost"][c.ARMY :][one["display"] > 0].min()) + _surcharge(one, rival) - saved
        return lambda held: int(box["charisma"][held > 0].max(initial=0)) >= wanted
    return lambda _: True


def _surcharge(one: Any, seat: int) -> int:
    """P-N6, P-N7."""
    if one["nation"][seat] == c.HELLENES and one["weakened"][seat]:
        return 1
    return -1 if one["nation"][seat] == c.CARTHAGE and not one["weakened"][seat] else 0


assert CHANCE < 0  # no seat is taken for chance
