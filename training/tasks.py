"""The tasks of the benchmark, and the seeds that they are played with (docs/benchmark.md)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import product
from typing import Any, TypeVar

from sammu_env.components import BESIDE, Drawn, Edition, named
from sammu_env.game import CHALLENGES, RANDOM, SammuRamat, load
from tabletop.training.evaluate import Cell

T = TypeVar("T")

#: Disjoint seeds; game ``i`` of a cell has the seed ``SPLITS[split].start + i``.
SPLITS = {
    "train": range(0, 10**12),
    "validation": range(10**12, 2 * 10**12),
    "test": range(2 * 10**12, 3 * 10**12),
}
#: The same of random boxes: whoever is tested has seen none of these (Cobbe et al. 2020).
BOX_SEEDS = {"train": range(0, 10**9), "validation": range(10**9, 2 * 10**9), "test": range(2 * 10**9, 2**31)}
BOXES = {"train": 100, "validation": 10, "test": 100}  #: that the games of a cell are played on in turn
DIFFICULTY = 0.5  #: of the random boxes that are tested on
RUNGS = (0.0, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75)  #: and of those that are trained on, from rich to bare
GAMES = 2000  #: in each cell of a published table
HELD_OUT = ("SAM-190", "SAM-195", "SAM-196", "SAM-197", "SAM-198")  #: the last card of each letter


@dataclass(frozen=True)
class Task:
    """What is trained on and what is tested on; a cell is named by its labels, e.g. challenge and players.

    A cell with a difficulty is played on random boxes, all others on the edition of the task, or else on the box that a
    game has first.
    """

    name: str
    train: tuple[dict[str, Any], ...]
    test: tuple[dict[str, Any], ...]
    options: Mapping[str, Any] = field(default_factory=dict)  #: of every cell, besides its labels
    also: tuple[str, ...] = ()  #: further fields of the final state to average
    edition: Edition = None  #: a box that is shipped

    def labels(self, split: str) -> tuple[dict[str, Any], ...]:
        """Of each cell: those of the test, or for any other split those trained on.

        Raises:
            ValueError: no such split.
        """
        choose("split", split, SPLITS)
        return self.test if split == "test" else self.train

    def boxes(self, split: str) -> list[Edition]:
        """The boxes that it is played on beside the first: its edition; random ones, those of one difficulty together.

        Errors as of :meth:`labels`.
        """
        difficulties = dict.fromkeys(x["difficulty"] for x in self.labels(split) if "difficulty" in x)
        drawn = [Drawn(seed, difficulty) for difficulty in difficulties for seed in BOX_SEEDS[split][: BOXES[split]]]
        return [*([self.edition] if self.edition else []), *drawn]

    def cells(self, game: Any, split: str = "test") -> list[Cell]:
        """New cells, nothing played.

        Args:
            game: Sammu-Ramat with the boxes of the task, as :func:`game_of` loads it.

        Raises:
            ValueError: no such split, or the game lacks a box.
        """
        place = {edition: i for i, edition in enumerate(game.editions)}
        if lacking := [box for box in self.boxes(split) if box not in place]:
            raise ValueError(f"task {self.name} is played on {len(lacking)} boxes that the game was not loaded with")
        cells, own = [], place[self.edition] if self.edition else 0
        for labels in self.labels(split):
            how = {name: value for name, value in labels.items() if name != "difficulty"}
            boxes = [own]
            if "difficulty" in labels:
                boxes = [place[Drawn(seed, labels["difficulty"])] for seed in BOX_SEEDS[split][: BOXES[split]]]
            setup = game.configure(**how, **self.options, box=boxes[0]).repeat(len(boxes))
            setup["box"] = boxes
            cells.append(Cell(dict(labels), setup, self.also))
        return cells


def game_of(tasks: Iterable[Task], *splits: str, edition: Edition = None) -> SammuRamat:
    """The game with an edition, and with the boxes that tasks are played on beside it in some splits.

    Raises:
        ValueError: no such split, or the edition file is wrong.
        OSError: it cannot be read.
    """
    boxes = [box for task in tasks for split in splits for box in task.boxes(split)]
    return load([*dict.fromkeys([named(edition), *boxes])])


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


def _random_boxes(*difficulties: float) -> tuple[dict[str, Any], ...]:
    return tuple({**labels, "difficulty": x} for x, labels in product(difficulties, _grid(CHALLENGES)))


def _task(name: str, cells: tuple[dict[str, Any], ...], **more: Any) -> Task:
    return Task(name, cells, cells, **more)


_ALL = (
    *(_task(card, _grid((card,))) for card in CHALLENGES),
    _task("standard", _grid(CHALLENGES)),
    *(_task(name, _grid(CHALLENGES), edition=name) for name in BESIDE),
    Task(
        "held-out",
        train=_grid(tuple(card for card in CHALLENGES if card not in HELD_OUT)),
        test=_grid(HELD_OUT),
    ),
    Task("any-box", train=_random_boxes(*RUNGS), test=_random_boxes(DIFFICULTY)),
    _task("hidden-hands", _grid((RANDOM,), range(2, 6)), options={"hidden_hands": True}),
    _task("campaign", _grid((RANDOM,)), options={"campaign": True}, also=("score",)),
)
TASKS: dict[str, Task] = {task.name: task for task in _ALL}
