"""What the things that choices name do in a box: features, so that nobody has to know them by their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.game import Record
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env.observation import PARTS

THINGS = ("area", "building", "march", "tax", "event")
_COLUMNS: tuple[tuple[str, int, str], ...] = (
    ("thing", len(THINGS), "one-hot: area, building, march card, tax card, event"),
    ("home", c.N_SATRAPS, "one-hot: whose home an area is"),
    ("gives", c.N_RESOURCES, "resources that an area gives"),
    ("any", 2, "resources and units of any kind that an event gives"),
    ("unit", c.N_UNITS, "units that an area has or a tax card gives"),
    ("cost", c.N_RESOURCES, "resources that a building or a tax card costs"),
    ("asks", c.N_UNITS, "units that a march card asks"),
    ("vp", 3, "VP in the first, the fourth and the last year / 5"),
    ("loss", 1, "VP that others lose"),
    ("no_resource", c.N_RESOURCES, "one-hot: the resource that an event forbids"),
    ("no_building", c.N_BUILDINGS, "one-hot: the building that an event forbids"),
)
#: Where each column is in a row.
COLUMNS: dict[str, slice] = {}
for _name, _size, _meaning in _COLUMNS:
    _at = next(reversed(COLUMNS.values())).stop if COLUMNS else 0
    COLUMNS[_name] = slice(_at, _at + _size)
WIDTH = next(reversed(COLUMNS.values())).stop


def table(boxes: Record) -> NDArray[np.float32]:
    """What every choice names, float32 (boxes, N_ACTIONS, WIDTH), of boxes (boxes,) of dtype BOX."""
    out = np.zeros((len(boxes), a.N_ACTIONS, WIDTH), np.float32)
    for box, rows in zip(boxes, out, strict=True):
        _write(box, rows)
    return out


def _write(box: Any, rows: NDArray[np.float32]) -> None:
    parts = {"area": rows[a.AREA :][: c.N_AREAS], "building": rows[a.BUILDING :][: c.N_BUILDINGS],
             "march": rows[a.MARCH :][: c.N_MARCH], "tax": rows[a.TAX :][: c.N_TAX],
             "event": rows[a.EVENT :][: c.N_EVENTS]}  # fmt: skip
    for i, thing in enumerate(THINGS):
        parts[thing][:, COLUMNS["thing"].start + i] = 1
    area, building, march, tax, event = parts.values()
    area[: c.N_SATRAPS, COLUMNS["home"]] = np.eye(c.N_SATRAPS)
    area[:, COLUMNS["gives"]] = box["area_resource"]
    area[:, COLUMNS["unit"]] = np.eye(c.N_UNITS)[box["area_unit"]]
    building[:, COLUMNS["cost"]], building[:, COLUMNS["loss"]] = box["building_cost"], box["building_loss"][:, None]
    building[:, COLUMNS["vp"]] = box["building_vp"][:, [0, 3, 6]] / 5
    march[:, COLUMNS["asks"]], march[:, COLUMNS["vp"]] = box["march_unit"], box["march_vp"] / 5
    march[:, COLUMNS["loss"]] = box["march_loss"]
    tax[:, COLUMNS["cost"]], tax[:, COLUMNS["vp"]] = box["tax_cost"], box["tax_vp"][:, None] / 5
    tax[:, COLUMNS["unit"]] = _one_hot(box["tax_unit"], c.N_UNITS)
    event[:, COLUMNS["any"]] = np.stack([box["event_resources"], box["event_units"]], 1)
    event[:, COLUMNS["no_resource"]] = _one_hot(box["event_no_resource"], c.N_RESOURCES)
    event[:, COLUMNS["no_building"]] = _one_hot(box["event_no_building"], c.N_BUILDINGS)


def _one_hot(numbers: NDArray[Any], n: int) -> NDArray[Any]:
    """(k, n); zeros for -1."""
    return np.eye(n + 1)[numbers][:, :n]


def sets() -> tuple[tuple[slice, int, int], ...]:
    """Which parts of the observation count things of the catalogue: a slice, and the first and the number of them."""
    blocks = {"tax_hand": (a.TAX, c.N_TAX), "tax_out": (a.TAX, c.N_TAX), "march_hand": (a.MARCH, c.N_MARCH),
              "march_out": (a.MARCH, c.N_MARCH), "event": (a.EVENT, c.N_EVENTS), "event_seen": (a.EVENT, c.N_EVENTS),
              "tax_played": (a.TAX, c.N_TAX), "march_played": (a.MARCH, c.N_MARCH)}  # fmt: skip
    return tuple((part.slice, *blocks[part.name]) for part in PARTS if part.name in blocks)
