"""What a seat does not know, drawn anew: other worlds for whoever looks ahead."""

from __future__ import annotations

from typing import Any

import numpy as np

from tabletop import record
from tabletop.game import CHANCE, NOBODY, Record
from xerxes_env import constants as c
from xerxes_env import engine

TRIES = 50  #: deals that are tried until one fits what the seat knows


def resample(box: Record, s: Record, seat: int, rng: np.random.Generator) -> Record:
    """Another state, shape (1,), that a seat cannot tell from this one.

    The cards of the deck, of other hands and of others' discards are dealt anew. No hand as dealt would have been dealt
    again (X-A4), and another seat that is asked has something to choose, where such a deal is found.
    """
    asked = int(s["to_act"][0])
    for _ in range(TRIES):
        world = record.copy(s)
        world["rng"] = rng.integers(1, 2**32, (1, 4))
        for kind in ("tax", "march"):
            cards = world[kind][0]
            unknown = np.flatnonzero(~np.isin(cards, _known(seat)))
            cards[unknown] = rng.permutation(np.sort(cards[unknown]))  # no trace of the old deal
        if asked not in (NOBODY, seat):
            engine.options(box, world)
        choices = int(world["n_options"][0])
        world["option"][0, choices:] = 0  # what lies behind could name the others' cards
        if (asked <= CHANCE or choices > 1) and not any(
            _again(box[world["box"][0]], world, i) for i in _others(s, seat)
        ):
            break
    return world


def _known(seat: int) -> list[int]:
    """Where cards lie that a seat knows: open, in its hand, or discarded by it."""
    return [c.HAND + seat, c.OUT + seat, *range(c.PLAYED, c.PLAYED + c.MAX_PLAYERS)]


def _others(s: Record, seat: int) -> list[int]:
    return [other for other in range(int(s["players"][0])) if other != seat]


def _again(box: Any, s: Record, seat: int) -> bool:
    """Whether the six tax cards that a seat was dealt would have been dealt again."""
    dealt = box["tax_unit"][np.isin(s["tax"][0], (c.HAND + seat, c.PLAYED + seat, c.OUT + seat))]
    for_vp = int((dealt < 0).sum())
    return bool(max(for_vp, len(dealt) - for_vp) >= box["same_rewards"] and len(dealt) == c.TAX_DEALT)
