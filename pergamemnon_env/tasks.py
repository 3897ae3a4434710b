"""Tasks of Pergamemnon: which games an agent is trained on and tested on (docs/benchmark.md)."""

from __future__ import annotations

from typing import Any

from pergamemnon_env.constants import PLAYERS
from tabletop.boxes import Drawn
from tabletop.training.tasks import Task

#: Seeds of random boxes: whoever is tested has seen none of these.
BOX_SEEDS = {"train": range(0, 10**9), "validation": range(10**9, 2 * 10**9), "test": range(2 * 10**9, 2**31)}


def boxes_of(split: str, boxes: int) -> list[Drawn]:
    """So many random boxes of a split."""
    return [Drawn(seed) for seed in BOX_SEEDS[split][:boxes]]


def _grid(**more: Any) -> tuple[dict[str, Any], ...]:
    return tuple({"players": players, **more} for players in PLAYERS)


_ALL = (
    Task("standard", _grid(), _grid(), by=("players",)),
    *(Task(f"{n}-players", ({"players": n},), ({"players": n},), by=("players",)) for n in PLAYERS),
    Task("any-box", _grid(boxes=100), _grid(boxes=50), by=("players",)),
)
TASKS: dict[str, Task] = {task.name: task for task in _ALL}
