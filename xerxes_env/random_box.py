"""Random boxes: most of what is reconstructed is drawn anew, within the bounds that the rulebook and its balance set.

So many cards of each kind, and what they are worth, stay: six tax cards bring 2 VP, six 3 VP, three each unit.

What is printed or public stays: names of areas and homes, 5 VP a march, temple and fortress, the granary's 7 VP, the
wolves (no wool), the forest fire (no wood), the royal heir.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np

from xerxes_env import constants as c

KING = "Persis"  #: the king's own land, worth more than any other
MIDDLE = ("road", "bridge", "granary", "palace")


def draw(seed: int) -> dict[str, Any]:
    """What the random box of a seed puts over the standard one: the same for the same seed."""
    rng = np.random.default_rng([seed, 0xE8E5])
    return {"mat": _mats(rng), "area": _areas(rng), "event": _events(rng), "building": _buildings(rng),
            "march": _marches(rng), "tax": _taxes(rng)}  # fmt: skip


def _shuffled(rng: np.random.Generator, things: Any) -> list[Any]:
    things = list(things)
    return [things[i] for i in rng.permutation(len(things))]


def _mats(rng: np.random.Generator) -> dict[str, Any]:
    satraps = _shuffled(rng, c.SATRAPS)
    return {"sides": [satraps[i : i + 2] for i in range(0, c.N_SATRAPS, 2)]}


def _areas(rng: np.random.Generator) -> dict[str, Any]:
    """Each of the 15 pairs of resources once, the king's land with five kinds; each unit four times."""
    units = _shuffled(rng, c.UNITS * 4)
    pairs = _shuffled(rng, combinations(c.RESOURCES, 2))
    five = [list(c.RESOURCES[:i] + c.RESOURCES[i + 1 :]) for i in range(c.N_RESOURCES)]
    king = five[rng.integers(c.N_RESOURCES)]
    return {area: {"resources": king if area == KING else list(pairs.pop()), "unit": units.pop()} for area in c.AREAS}


def _events(rng: np.random.Generator) -> dict[str, Any]:
    """Three public ones and a levy; of the other four one to three forbid a resource, the others a building."""
    n = int(rng.integers(1, 4))
    resources = _shuffled(rng, (one for one in c.RESOURCES if one not in ("wool", "wood")))[:n]
    buildings = _shuffled(rng, c.BUILDINGS)[: 4 - n]
    rows: list[dict[str, Any]] = [{"kind": "any_resources", "n": 3}, {"kind": "any_unit", "n": 1}]
    rows[:0] = ({"kind": "no_resource", "resource": one} for one in ("wool", "wood"))
    rows += ({"kind": "no_resource", "resource": one} for one in resources)
    rows += ({"kind": "no_building", "building": one} for one in buildings)
    order = ["event-1", "event-2", "event-5", "event-6", "event-3", "event-4", "event-7", "event-8"]
    return dict(zip(order, rows, strict=True))


def _cost(rng: np.random.Generator, total: int, most: int, kinds: int) -> dict[str, int]:
    """So many resources of at most so many kinds, at most so many of each."""
    while True:
        drawn = rng.integers(c.N_RESOURCES, size=total)
        counts = np.bincount(drawn, minlength=c.N_RESOURCES)
        if counts.max() <= most and (counts > 0).sum() <= kinds:
            return {name: int(n) for name, n in zip(c.RESOURCES, counts, strict=True) if n}


def _buildings(rng: np.random.Generator) -> dict[str, Any]:
    """Four resources for 6 VP, blue and red together, and five for 8: the more it costs, the more it is worth."""
    rows: dict[str, Any] = {}
    for name in c.BUILDINGS:
        total = 5 if name not in ("road", "bridge") else 4
        row: dict[str, Any] = {"cost": _cost(rng, total, 3, 4)}
        if name in MIDDLE:
            red = int(rng.integers(1, 4))
            blue = 7 if name == "granary" else (8 if total == 5 else 6) - red
            row |= {"loss": 1 if name == "granary" else red}
            if name != "granary":
                row["vp"] = [blue] * c.ROUNDS
        rows[name] = row
    return rows


def _marches(rng: np.random.Generator) -> dict[str, Any]:
    """16 of the 20 sets of three units."""
    sets = _shuffled(rng, combinations_with_replacement(c.UNITS, 3))[: c.N_MARCH]
    return {f"march-{i + 1:02d}": {"units": list(units)} for i, units in enumerate(sets)}


def _taxes(rng: np.random.Generator) -> dict[str, Any]:
    """Six cards of 3 resources for 2 VP, six of 4 for 3, and three of 2 for each unit."""
    rows: list[dict[str, Any]] = [{"cost": _cost(rng, 3, 2, 3), "reward": "vp", "vp": 2} for _ in range(6)]
    rows += [{"cost": _cost(rng, 4, 2, 4), "reward": "vp", "vp": 3} for _ in range(6)]
    rows += [{"cost": _cost(rng, 2, 1, 2), "reward": "unit", "unit": unit} for unit in c.UNITS for _ in range(3)]
    return {f"tax-{i + 1:02d}": row for i, row in enumerate(rows)}
