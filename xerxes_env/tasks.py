"""What agents are trained on and tested on."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop.boxes import BOX_SEEDS, Drawn
from tabletop.training.tasks import Task
from xerxes_env.box import Edition

BOXES = {"train": 100, "validation": 10, "test": 100}  #: that the games of a cell are played on in turn
RANDOM = "random"


def boxes_of(split: str, boxes: str) -> Sequence[Edition]:
    """The random boxes that a split is played on.

    Raises:
        ValueError: ``boxes`` is not "random".
    """
    if boxes != RANDOM:
        raise ValueError(f"boxes is {boxes!r}, choose {RANDOM!r}")
    return [Drawn(seed) for seed in BOX_SEEDS[split][: BOXES[split]]]


def _cells(players: range, **labels: Any) -> tuple[dict[str, Any], ...]:
    return tuple({"players": n, **labels} for n in players)


_RIVALS, _ALONE, _ANY = _cells(range(2, 5)), _cells(range(1, 2)), _cells(range(2, 5), boxes=RANDOM)
TASKS: dict[str, Task] = {
    "standard": Task("standard", _RIVALS, _RIVALS, by=("players",)),
    "solo": Task("solo", _ALONE, _ALONE, by=("players",)),
    "any-box": Task("any-box", _ANY, _ANY, by=("players",)),
}
