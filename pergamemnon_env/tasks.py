"""Tasks of Pergamemnon: which games an agent is trained on and tested on (docs/benchmark.md)."""

from __future__ import annotations

from typing import Any

from pergamemnon_env.constants import PLAYERS
from tabletop.boxes import BOX_SEEDS, Drawn
from tabletop.training.tasks import Task


def boxes_of(split: str, boxes: int) -> list[Drawn]:
    """So many random boxes of a split.

    Raises:
        ValueError: ``boxes`` is no whole number from 1 on, or there are not so many.
    """
    seeds = BOX_SEEDS[split]
    if isinstance(boxes, bool) or not isinstance(boxes, int) or not 1 <= boxes <= len(seeds):
        raise ValueError(f"boxes is {boxes!r}, expected how many random boxes, a whole number from 1 to {len(seeds)}")
    return [Drawn(seed) for seed in seeds[:boxes]]


def _grid(**more: Any) -> tuple[dict[str, Any], ...]:
    return tuple({"players": players, **more} for players in PLAYERS)


_ALL = (
    Task("standard", _grid(), _grid(), by=("players",)),
    *(Task(f"{n}-players", ({"players": n},), ({"players": n},), by=("players",)) for n in PLAYERS),
    Task("any-box", _grid(boxes=100), _grid(boxes=50), by=("players",)),
)
TASKS: dict[str, Task] = {task.name: task for task in _ALL}
