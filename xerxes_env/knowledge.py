"""What a seat does not know, drawn anew: other worlds for whoever looks ahead."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop import record
from tabletop.game import NOBODY, Record
from xerxes_env import constants as c
from xerxes_env import engine

TRIES = 50  #: deals that are tried until one fits what the seat knows


def resample(box: Record, s: Record, seat: int, rng: np.random.Generator) -> Record:
    """Another state, shape (1,), that a seat cannot tell from this one.

    The cards of the deck, of other hands and of others' discards are dealt anew. No hand as dealt would have been dealt
    again (X-A4), and another seat that is asked has something to choose; it keeps its cards if no such deal is found.
    """
    asked = int(s["to_act"][0])
    known = _known({seat})
    for tried in range(TRIES + 1):
        if tried == TRIES:
            known = _known({seat, asked})
        world = record.copy(s)
        world["rng"] = rng.integers(1, 2**32, (1, 4))
        for kind in ("tax", "march"):
            cards = world[kind][0]
            unknown = np.flatnonzero(~known[cards])
            cards[unknown] = rng.permutation(np.sort(cards[unknown]))  # no trace of the old deal
        if s["players"][0] == 1:
            break  # nobody else holds anything
        if asked not in (NOBODY, seat):
            engine.resume(box, world)  # lists its options anew
        world["option"][0, int(world["n_options"][0]) :] = 0  # what lies behind could name the others' cards
        same = np.array_equal(world["trace"], s["trace"]) and np.array_equal(world["sp"], s["sp"])
        if same and not any(again(box[world["box"][0]], world, other) for other in _others(s, seat)):
            break
    return world


def _known(seats: set[int]) -> NDArray[np.bool_]:
    """bool (places,): whether seats know which cards lie there: open, in their hands, or discarded by them."""
    known = np.zeros(c.OUT + c.MAX_PLAYERS, np.bool_)
    for first, whose in ((c.HAND, seats), (c.OUT, seats), (c.PLAYED, range(c.MAX_PLAYERS))):
        known[[first + seat for seat in whose if seat >= 0]] = True
    return known


def _others(s: Record, seat: int) -> list[int]:
    return [other for other in range(int(s["players"][0])) if other != seat]


def again(box: Any, s: Record, seat: int) -> bool:
    """X-A4: whether the six tax cards that a seat was dealt would have been dealt again."""
    place = s["tax"][0]
    dealt = box["tax_unit"][(place == c.HAND + seat) | (place == c.PLAYED + seat) | (place == c.OUT + seat)]
    for_vp = int((dealt < 0).sum())
    return bool(max(for_vp, len(dealt) - for_vp) >= box["same_rewards"] and len(dealt) == c.TAX_DEALT)
