"""What each card does in a box, as numbers: ``Game.contents``."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from pergamemnon_env import constants as c
from tabletop.game import Record

COLUMNS = (
    *c.WEAPONS, "attack", *c.ARMOUR, "charisma", "points", "flee", "secure", "leader", *c.NATIONS, "creature", "cost",
)  # fmt: skip


def table(boxes: Record) -> NDArray[np.float32]:
    """Float32 (boxes, N_ACTIONS, columns): a row for each card, and for a charisma card; zeros for other choices."""
    out = np.zeros((len(boxes), c.N_ACTIONS, len(COLUMNS)), np.float32)
    at = {name: i for i, name in enumerate(COLUMNS)}
    cards = out[:, c.CARD : c.NATION]
    for i, weapon in enumerate(c.WEAPONS):
        cards[..., at[weapon]] = boxes["weapon"] == i
        cards[..., at[c.ARMOUR[i]]] = boxes["defence"][..., i] / 10
    for name in ("attack", "charisma", "points", "cost"):
        cards[..., at[name]] = boxes[name] / 10
    for name in ("flee", "secure", "leader"):
        cards[..., at[name]] = boxes[name]
    for i, nation in enumerate(c.NATIONS):
        cards[:, i * c.KINDS_OF_A_NATION : (i + 1) * c.KINDS_OF_A_NATION, at[nation]] = 1
    cards[:, c.ARMY :, at["creature"]] = 1
    out[:, c.CHARISMA, at["charisma"]] = 1 / 10
    return out
