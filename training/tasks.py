"""Tasks: which games an agent is trained on and tested on, and the seeds that they are played with (docs/benchmark.md).

A game offers its tasks by name (``Extras.tasks`` of :mod:`tabletop.games`). A file makes one too::

    [options]                       # of every game, as the game's configure takes them
    hidden_hands = true

    [cells]                         # every combination is a cell
    players = [2, 3]
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import chain, product
from os import PathLike, fspath
from pathlib import Path
from types import NoneType
from typing import Any, TypeVar

from tabletop.files import text_of
from tabletop.game import Game
from tabletop.games import extra, imported, parameters
from tabletop.training.evaluate import Cell, check_fields

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

T = TypeVar("T")
Labels = dict[str, Any]

#: Disjoint seeds; game ``i`` of a cell has the seed ``SPLITS[split].start + i``.
SPLITS = {
    "train": range(0, 10**12),
    "validation": range(10**12, 2 * 10**12),
    "test": range(2 * 10**12, 3 * 10**12),
}
GAMES = 2000  #: in each cell of a published table
SUFFIXES = (".toml", ".yaml", ".yml")
#: What a task file may hold.
KEYS = ("cells", "train", "test", "options", "edition", "also", "by")
#: Fields of a state that no task averages: causes are counted anyway, the others are words of generator and digest.
NO_MEANS = ("cause", "rng", "trace")


@dataclass(frozen=True)
class Score:
    """A score that games end with, and how a page tells of it."""

    field: str  #: of the final state
    words: str  #: what it is, e.g. "score of a campaign"
    title: str = "Scores"
    text: str = ""  #: what to know about it
    grades: tuple[int, ...] = ()  #: the score that each grade begins with; the lowest has all below the second


@dataclass(frozen=True)
class Task:
    """What is trained on and what is tested on; a cell is named by its labels, e.g. its number of players.

    Labels are options of the game's ``configure``, or name boxes (``boxes_of`` of :class:`tabletop.games.Boxed`). A
    cell without such a label is played on the edition of the task, or else on the box that a game has first.
    """

    name: str
    train: tuple[Labels, ...]
    test: tuple[Labels, ...]
    options: Mapping[str, Any] = field(default_factory=dict)  #: of every cell, besides its labels
    also: tuple[str, ...] = ()  #: further fields of the final state to average
    edition: Any = None  #: a box that the game has besides, as one calls it
    by: tuple[str, ...] = ()  #: labels by which its tables have rows and columns; (): the first and the last
    score: Score | None = None
    forecasts: bool = True  #: the chance of winning that a network learns is that of the whole game

    @property
    def rows(self) -> str:
        """The label by which its tables have rows; "" where cells have none."""
        return next(iter(self.by or self.names), "")

    @property
    def columns(self) -> str:
        """The label by which its tables have columns; "" where cells have not two."""
        by = self.by or self.names
        return by[-1] if len(by) > 1 else ""

    @property
    def names(self) -> tuple[str, ...]:
        """All labels that cells have."""
        return tuple(dict.fromkeys(chain.from_iterable((*self.test, *self.train))))

    def values(self, label: str) -> tuple[Any, ...]:
        """Those of a label in the test, in order."""
        return tuple(dict.fromkeys(cell[label] for cell in self.test if label in cell))

    def labels(self, split: str) -> tuple[Labels, ...]:
        """Of each cell: those of the test, or for any other split those trained on.

        Raises:
            ValueError: no such split.
        """
        choose("split", split, SPLITS)
        return self.test if split == "test" else self.train

    def _own_box(self, game: Game) -> tuple[Any, ...]:
        """Its edition as the game calls it, which may be None; () where it names none."""
        return tuple(extra(_with(game, [self.edition]), "editions")) if self.edition is not None else ()

    def boxes(self, game: Game, split: str) -> list[Any]:
        """The boxes that it is played on beside the game's first: its edition, and those that labels name.

        Errors as of :meth:`labels`; ValueError where the game has no such edition.
        """
        drawn = chain.from_iterable(_boxes_of(game, split, labels) for labels in self.labels(split))
        return [*dict.fromkeys([*self._own_box(game), *drawn])]

    def first_box(self, game: Game, split: str) -> bool:
        """Whether some cells are played on the box that the game has first. Errors as of :meth:`labels`."""
        return self.edition is None and not all(_boxes_of(game, split, labels) for labels in self.labels(split))

    def cells(self, game: Game, split: str = "test") -> list[Cell]:
        """New cells, nothing played.

        Args:
            game: with the boxes of the task, as :func:`game_of` gives it.

        Raises:
            ValueError: no such split, the game lacks a box, or does not take a label or an option of a cell.
        """
        place = {edition: i for i, edition in enumerate(extra(game, "editions"))}
        if lacking := [box for box in self.boxes(game, split) if box not in place]:
            raise ValueError(f"task {self.name} is played on boxes that the game was not loaded with, such as "
                             f"{lacking[0]!r}: it has {', '.join(map(repr, list(place)[:5]))}")  # fmt: skip
        own = next((place[box] for box in self._own_box(game)), 0)
        taken, of_boxes = parameters(game.configure), box_labels(game)
        cells = []
        for labels in self.labels(split):
            boxes = [place[box] for box in _boxes_of(game, split, labels)] or [own]
            how = {**{name: value for name, value in labels.items() if name not in of_boxes}, **self.options}
            if "box" in how:
                raise ValueError(f"task {self.name}: box is among the labels or options of a cell, but boxes are named "
                                 f"by {', '.join(['edition', *of_boxes])}: give one of these")  # fmt: skip
            if taken is None or "box" in taken:
                how["box"] = boxes[0]
            for name in how:
                if name in of_boxes:
                    raise ValueError(f"task {self.name}: {name} is among the options, but names boxes: write it into "
                                     "the cells")  # fmt: skip
                if taken is not None and name not in taken:
                    choices = dict.fromkeys([*(x for x in taken if x != "box"), *of_boxes])
                    raise ValueError(f"task {self.name}: {game.name} has no option {name!r}, choose from "
                                     f"{', '.join(choices)}")  # fmt: skip
            try:
                setup = game.configure(**how).repeat(len(boxes))
            except ValueError as error:
                raise ValueError(f"task {self.name}, {titled(labels)}: {error}") from None
            setup["box"] = boxes
            cells.append(Cell(dict(labels), setup, self.fields))
        return cells

    @property
    def fields(self) -> tuple[str, ...]:
        """Fields of the final state to average: the score's too."""
        return (*self.also, *([self.score.field] if self.score else []))

    def plain(self) -> dict[str, Any]:
        """Plain data of a task that a file made, as :func:`made` reads it.

        Raises:
            ValueError: its edition has no name that can be read back.
        """
        edition = fspath(self.edition) if isinstance(self.edition, PathLike) else self.edition
        if not isinstance(edition, (str, NoneType)):
            raise ValueError(f"task {self.name}: edition is {self.edition!r}, which a results file cannot name: give "
                             "the name of an edition, or its file")  # fmt: skip
        data = {**asdict(self), "edition": edition}
        return {key: data[key] for key in KEYS[1:] if data[key]}


def box_labels(game: Any) -> list[str]:
    """The labels that name boxes of a game."""
    return list(parameters(game.boxes_of) or {})[1:] if hasattr(game, "boxes_of") else []


def _boxes_of(game: Any, split: str, labels: Labels) -> Sequence[Any]:
    named = {name: labels[name] for name in box_labels(game) if name in labels}
    boxes: Sequence[Any] = game.boxes_of(split, **named) if named else ()
    return boxes


def titled(labels: Mapping[str, Any]) -> str:
    """What to call a cell: "task standard, players 2"."""
    return ", ".join(f"{name} {value}" for name, value in labels.items())


def game_of(game: Any, tasks: Iterable[Task], *splits: str) -> Any:
    """A game with its first box and those that tasks are played on beside it in some splits.

    Raises:
        ValueError: no such split, or the game has no such box.
    """
    own = tuple(extra(game, "editions"))
    boxes = tuple(
        dict.fromkeys([own[0], *(box for task in tasks for split in splits for box in task.boxes(game, split))])
    )
    if boxes == own or len(boxes) == 1 == len(own):
        return game
    return _with(game, boxes)


def _with(game: Any, editions: Sequence[Any]) -> Any:
    if not hasattr(game, "with_editions"):
        raise ValueError(f"edition is {editions[-1]!r}, but {game.name} has one box: leave it out")
    return game.with_editions(editions)


def main(game: Game) -> str:
    """The main task of a game.

    Raises:
        ValueError: it has no tasks.
    """
    if found := next(iter([*extra(game, "shown"), *extra(game, "tasks")]), None):
        return str(found)
    raise ValueError(f"{game.name} has no tasks of its own: give the file of one")


def find(game: Game, text: str) -> Task:
    """A task of a game by name, of a file, or "module:NAME" in Python.

    Raises:
        ValueError: there is none, or its file is wrong; the message says what is, and what is allowed.
        OSError: the file cannot be read.
    """
    known: Mapping[str, Task] = extra(game, "tasks")
    if text in known:
        return known[text]
    if text.endswith(SUFFIXES):
        return read(Path(text), game)
    if ":" in text:
        task = imported("task", text)
        if not isinstance(task, Task):
            raise ValueError(f"task is {text!r}, but that is a {type(task).__name__}, no Task")
        if known.get(task.name, task) != task:
            raise ValueError(f"task {text!r} is called {task.name}, but {game.name} has a task of that name: call it "
                             "otherwise")  # fmt: skip
        return task
    choices = [*known, f"a file ({', '.join(SUFFIXES)})", "module:NAME"]
    raise ValueError(f"task is {text!r}, choose one of {', '.join(choices)}")


def read(path: Path, game: Game) -> Task:
    """The task of a TOML or YAML file, called like the file; errors as of :func:`find`."""
    text = text_of(path)
    if path.suffix == ".toml":
        try:
            data: Any = tomllib.loads(text)
        except (ValueError, RecursionError) as error:  # TOML, or numbers or brackets without end
            raise ValueError(f"{path} is not TOML: {error}") from None
    else:
        from tabletop.training.reading import yaml_of

        data = yaml_of(text, str(path))
    if path.stem in extra(game, "tasks"):
        raise ValueError(f"{path}: {game.name} has a task {path.stem}: call the file otherwise")
    try:
        return made(path.stem, data, game)
    except ValueError as error:
        raise ValueError(f"{path}: {error}") from None


def made(name: str, data: Any, game: Game) -> Task:
    """A task of plain data: ``cells``, or ``train`` and ``test``; ``options``, ``edition``, ``also``, ``by``.

    Cells are a table of labels, each with a value or a list of them, of which every combination is a cell; or a list of
    such tables, where an empty one is a cell without labels.

    Raises:
        ValueError: something is unknown, missing or of the wrong kind, or the game does not take it.
    """
    if not isinstance(data, Mapping):
        raise ValueError(f"expected {', '.join(KEYS)}, found {type(data).__name__}")
    if unknown := [key for key in data if key not in KEYS]:
        raise ValueError(f"there is no {unknown[0]!r}, choose from {', '.join(KEYS)}")
    if ("cells" in data) == ("train" in data or "test" in data) or ("train" in data) != ("test" in data):
        raise ValueError("expected either cells, or both train and test")
    train, test = (_combined(key, data[key]) for key in (("cells", "cells") if "cells" in data else ("train", "test")))
    options = data.get("options", {})
    if not isinstance(options, Mapping):
        raise ValueError(f"options are {options!r}, expected a table of names and values")
    own = {label for cell in (*train, *test) for label in cell}
    if twice := [name for name in options if name in own or name == "box"]:
        raise ValueError(f"options have {twice[0]!r}, which says which cell, or which box, it is: leave it out there")
    also, by = (_words(key, data.get(key, ())) for key in ("also", "by"))
    for key, named in (("also", also), ("by", by)):
        if twice := [name for name in named if named.count(name) > 1]:
            raise ValueError(f"{key} names {twice[0]!r} twice: name it once")
    if len(by) > 2:
        raise ValueError(f"by names {', '.join(by)}: name one label or two, for the rows and the columns of tables")
    fields = [name for name in game.state.names or () if name not in NO_MEANS]
    if wrong := [field for field in also if field not in fields]:
        raise ValueError(f"also names {wrong[0]!r}, choose from the fields of a state: {', '.join(fields)}")
    edition, of_boxes = data.get("edition"), box_labels(game)
    if edition is not None:
        if all(any(label in cell for label in of_boxes) for cell in (*train, *test)):
            raise ValueError(f"edition is {edition!r}, but no cell is played on it, for each names boxes by its "
                             f"{' or '.join(of_boxes)}: leave one of both out")  # fmt: skip
    task = Task(name, train, test, dict(options), also, edition, by)
    check_fields(game, task.fields, task.names)
    if wrong := [label for label in by if label not in task.names]:
        raise ValueError(f"by names {wrong[0]!r}, choose from the labels of cells: {', '.join(task.names)}")
    for split in ("train", "test"):
        task.boxes(game, split)  # an error where the edition or a label names none
    plain = tuple({label: x for label, x in cell.items() if label not in of_boxes} for cell in (*train, *test))
    Task(name, (), plain, task.options).cells(game)  # an error where the game does not take a label
    return task


def _combined(key: str, tables: Any) -> tuple[Labels, ...]:
    """All combinations of each table of labels."""
    if tables in ({}, [], ()):
        raise ValueError(f"{key} is empty, give a table of labels or more, or [{{}}] for one cell without labels")
    found: list[Labels] = []
    for table in tables if isinstance(tables, (list, tuple)) else [tables]:
        if not isinstance(table, Mapping):
            raise ValueError(f"{key} is {table!r}, expected a table of labels, or a list of such tables")
        lists = {name: list(value) if isinstance(value, list) else [value] for name, value in table.items()}
        for name, values in lists.items():
            if not values:
                raise ValueError(f"{key}: {name} is an empty list, give a value or more")
            if wrong := [x for x in values if not isinstance(x, (bool, int, float, str))]:
                raise ValueError(f"{key}: {name} is {wrong[0]!r}, expected a word, a number, or a list of them")
        found += [dict(zip(lists, values, strict=True)) for values in product(*lists.values())]
    if twice := [cell for i, cell in enumerate(found) if cell in found[:i]]:
        raise ValueError(f"{key}: {titled(twice[0]) or 'a cell without labels'} is there twice")
    return tuple(found)


def _words(key: str, words: Any) -> tuple[str, ...]:
    if not isinstance(words, (list, tuple)) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"{key} is {words!r}, expected a list of names")
    return tuple(words)


def choose(what: str, name: str, choices: Mapping[str, T]) -> T:
    """``choices[name]``.

    Raises:
        ValueError: there is none; the message names the choices.
    """
    if name not in choices:
        raise ValueError(f"{what} is {name!r}, choose one of {', '.join(choices)}")
    return choices[name]
