"""The tasks of the benchmark, and the seeds that they are played with (docs/benchmark.md)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeVar

from sammu_env.game import CHALLENGES, RANDOM
from tabletop.game import Game
from training.evaluate import Cell

T = TypeVar("T")

#: Disjoint seeds; game ``i`` of a cell has the seed ``SPLITS[split].start + i``.
SPLITS = {
    "train": range(0, 10**12),
    "validation": range(10**12, 2 * 10**12),
    "test": range(2 * 10**12, 3 * 10**12),
}
GAMES = 2000  #: in each cell of a published table
HELD_OUT = ("SAM-190", "SAM-195", "SAM-196", "SAM-197", "SAM-198")  #: the last card of each letter


@dataclass(frozen=True)
class Task:
    """What is trained on and what is tested on; a cell is named by its labels, e.g. challenge and players."""

    name: str
    train: tuple[dict[str, Any], ...]
    test: tuple[dict[str, Any], ...]
    options: Mapping[str, Any] = field(default_factory=dict)  #: of every cell, besides its labels
    also: tuple[str, ...] = ()  #: further fields of the final state to average

    def cells(self, game: Game, split: str = "test") -> list[Cell]:
        """New cells, nothing played: those of the test, or for any other split those trained on.

        Raises:
            ValueError: no such split.
        """
        choose("split", split, SPLITS)
        chosen = self.test if split == "test" else self.train
        return [Cell(dict(labels), game.configure(**labels, **self.options), self.also) for labels in chosen]


def choose(what: str, name: str, choices: Mapping[str, T]) -> T:
    """``choices[name]``.

    Raises:
        ValueError: there is none; the message names the choices.
    """
    if name not in choices:
        raise ValueError(f"{what} is {name!r}, choose one of {', '.join(choices)}")
    return choices[name]


def _grid(challenges: tuple[str, ...], players: range = range(1, 6)) -> tuple[dict[str, Any], ...]:
    return tuple({"challenge": card, "players": n} for card in challenges for n in players)


def _task(name: str, cells: tuple[dict[str, Any], ...], **more: Any) -> Task:
    return Task(name, cells, cells, **more)


_ALL = (
    *(_task(card, _grid((card,))) for card in CHALLENGES),
    _task("all", _grid(CHALLENGES)),
    Task(
        "held-out",
        train=_grid(tuple(card for card in CHALLENGES if card not in HELD_OUT)),
        test=_grid(HELD_OUT),
    ),
    _task("hidden-hands", _grid((RANDOM,), range(2, 6)), options={"hidden_hands": True}),
    _task("campaign", _grid((RANDOM,)), options={"campaign": True}, also=("score",)),
)
TASKS: dict[str, Task] = {task.name: task for task in _ALL}
