"""The benchmark's tasks of Sammu-Ramat (docs/benchmark.md)."""

from __future__ import annotations

from itertools import product
from typing import Any, cast

from sammu_env.components import BESIDE, Drawn, Eased, Edition, named
from sammu_env.constants import CHALLENGES, PLAYERS, RANDOM
from sammu_env.rules.campaign import VERDICTS
from tabletop.boxes import BOX_SEEDS, share
from tabletop.training.tasks import Score, Task

BOXES = {"train": 100, "validation": 10, "test": 100}  #: that the games of a cell are played on in turn
DIFFICULTY = 0.5  #: of the random boxes that are tested on
RUNGS = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75)  #: and of those that are trained on, from rich to bare
EASES = tuple(n / 20 for n in range(21))  #: of the standard box, from itself to the richest
HELD_OUT = ("SAM-190", "SAM-195", "SAM-196", "SAM-197", "SAM-198")  #: the last card of each letter
BY = ("challenge", "players")
TOTAL = Score(
    "score",
    "score of a campaign",
    "Campaigns",
    "How many earn each of the rulebook's five verdicts, %, by their scores. One that ends early has its score too, "
    "but is not won.",
    VERDICTS,
)


def boxes_of(split: str, difficulty: float | None, ease: float | None) -> list[Edition]:
    """The random boxes of a difficulty that a split is played on, or the standard box, eased.

    Raises:
        ValueError: both are given, or neither, or one that is out of its range.
    """
    if (difficulty is None) == (ease is None):
        raise ValueError("difficulty is of random boxes, ease of the standard one: give one of them")
    if difficulty is None:
        return [named(Eased(cast(float, ease)))]
    difficulty = share("difficulty", difficulty)
    return [Drawn(seed, difficulty) for seed in BOX_SEEDS[split][: BOXES[split]]]


def _grid(challenges: tuple[str, ...], players: range = PLAYERS) -> tuple[dict[str, Any], ...]:
    return tuple({"challenge": card, "players": n} for card in challenges for n in players)


def _on_boxes(label: str, *values: float) -> tuple[dict[str, Any], ...]:
    return tuple({**labels, label: x} for x, labels in product(values, _grid(CHALLENGES)))


def _task(name: str, cells: tuple[dict[str, Any], ...], **more: Any) -> Task:
    return Task(name, cells, cells, by=BY, **more)


_ALL = (
    *(_task(card, _grid((card,))) for card in CHALLENGES),
    _task("standard", _grid(CHALLENGES)),
    *(_task(name, _grid(CHALLENGES), edition=name) for name in BESIDE),
    Task(
        "held-out",
        train=_grid(tuple(card for card in CHALLENGES if card not in HELD_OUT)),
        test=_grid(HELD_OUT),
        by=BY,
    ),
    Task("any-box", train=_on_boxes("difficulty", *RUNGS), test=_on_boxes("difficulty", DIFFICULTY), by=BY),
    _task("ladder", _on_boxes("ease", *EASES)),
    _task("hidden-hands", _grid((RANDOM,), range(2, 6)), options={"hidden_hands": True}),
    # The network's chance of winning is that of the challenge at hand.
    _task("campaign", _grid((RANDOM,)), options={"campaign": True}, score=TOTAL, forecasts=False),
)
TASKS: dict[str, Task] = {task.name: task for task in _ALL}
