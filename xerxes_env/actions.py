"""The catalogue: every choice and every outcome of chance is a number, in named blocks."""

from __future__ import annotations

from xerxes_env import constants as c

#: Name and size of each block, in order.
BLOCKS = (
    ("done", 1), ("power", 1), ("joker", 1), ("area", c.PLACES), ("resource", c.N_RESOURCES), ("unit", c.N_UNITS),
    ("seat", c.MAX_PLAYERS), ("building", c.N_BUILDINGS), ("march", c.N_MARCH), ("tax", c.N_TAX),
    ("event", c.N_EVENTS), ("satrap", c.N_SATRAPS),
)  # fmt: skip
FIRST = {name: sum(size for _, size in BLOCKS[:i]) for i, (name, _) in enumerate(BLOCKS)}
N_ACTIONS = sum(size for _, size in BLOCKS)

DONE, POWER, JOKER = FIRST["done"], FIRST["power"], FIRST["joker"]
AREA, RESOURCE, UNIT, SEAT = FIRST["area"], FIRST["resource"], FIRST["unit"], FIRST["seat"]
BUILDING, MARCH, TAX, EVENT, SATRAP = (FIRST[name] for name in ("building", "march", "tax", "event", "satrap"))


def block_of(action: int) -> tuple[str, int]:
    """The block that a choice is in, and its place there.

    Raises:
        ValueError: there is no such choice.
    """
    if not 0 <= action < N_ACTIONS:
        raise ValueError(f"action is {action!r}, choose one of 0 to {N_ACTIONS - 1}")
    name = next(name for name, size in BLOCKS if action < FIRST[name] + size)
    return name, action - FIRST[name]
