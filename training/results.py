"""Results files: who won which game of a task, so that anybody can compare on the same games (docs/benchmark.md)."""

from __future__ import annotations

import json
import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from numbers import Real
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop import agents
from tabletop.agents.base import Agent
from tabletop.files import alone, text_of, write_whole
from tabletop.game import Game, identity
from tabletop.games import extra
from tabletop.stats import Interval, mean, paired_difference
from tabletop.training.evaluate import GROUPS, Cell, by_group, check_fields, evaluate, groups_of
from tabletop.training.tasks import GAMES, SPLITS, Task, choose, game_of, made, titled

#: What a file holds, and each of its cells, besides the numbers that are checked by themselves.
HEAD = {"game": object, "version": object, "edition": object, "task": str, "agent": str, "split": str, "games": object,
        "samples": object, "cells": list}  # fmt: skip
ROW = {"wins": object, "won": str, "causes": dict}
KINDS: Mapping[type, str] = {str: "a word", list: "a list", dict: "names with numbers", Real: "a number"}


@dataclass
class Results:
    """An agent's games of one task. A cell counts when it is complete: only such cells are saved.

    Raises:
        ValueError: the agent's name is none for a file, or the task averages a field that results cannot hold, or is
            played on an edition that they cannot name.
    """

    game: Game
    task: Task
    agent: str
    split: str = "test"
    games: int = GAMES  #: in each cell
    samples: int = 0  #: decisions that the agent was trained on
    cells: list[Cell] = field(init=False)

    def __post_init__(self) -> None:
        if not isinstance(self.agent, str) or not re.fullmatch(r"\w[\w.+-]*", self.agent):
            raise ValueError(f"agent is called {self.agent!r}, expected letters, digits, and . _ + - within")
        check_fields(self.game, self.task.fields, self.task.names)
        self._definition()  # an error before anything is played
        self.cells = self.task.cells(self.game, self.split)

    def _definition(self) -> dict[str, Any] | None:
        """The task as plain data; None of one that the game has. Errors as of :meth:`Task.plain`."""
        return None if extra(self.game, "tasks").get(self.task.name) == self.task else self.task.plain()

    @property
    def seeds(self) -> NDArray[np.int64]:
        """Of the games of every cell, int64 (games,)."""
        return SPLITS[self.split].start + np.arange(self.games, dtype=np.int64)

    @property
    def missing(self) -> list[Cell]:
        """The cells that are not complete yet."""
        return [cell for cell in self.cells if cell.games != self.games]

    def part(self, task: Task) -> Results | None:
        """The same games as results of another task; None where its cells, or the fields that it averages, are not
        all among these."""
        found = {_key(cell.labels): cell for cell in self.cells}
        alike = (task.options, task.edition) == (self.task.options, self.task.edition)
        alike &= set(task.fields) <= set(self.task.fields)
        if not alike or not all(_key(labels) in found for labels in task.labels(self.split)):
            return None
        part = Results(self.game, task, self.agent, self.split, self.games, self.samples)
        part.cells = [found[_key(cell.labels)] for cell in part.cells]
        return part

    def less(self, other: Results) -> Interval:
        """The paired :func:`difference` of the win rates, ours less theirs; errors as of :meth:`check_alike`."""
        self.check_alike(other)
        return difference(self.cells, other.cells, min(self.games, other.games))

    def differences(self, other: Results) -> list[Interval]:
        """The paired difference in each cell, of the games that both have played; errors as of :meth:`check_alike`."""
        self.check_alike(other)
        both = min(self.games, other.games)
        return [paired_difference(a.outcomes[:both], b.outcomes[:both])
                for a, b in zip(self.cells, other.cells, strict=True)]  # fmt: skip

    def check_alike(self, other: Results) -> None:
        """Raises: ValueError: the two are not of the same task and split, or not complete."""
        if (self.task, self.split) != (other.task, other.split):
            raise ValueError(f"{self.agent} and {other.agent} have not played the same games")
        self.check_complete()
        other.check_complete()

    def check_complete(self) -> None:
        """Raises: ValueError: a cell is missing."""
        if self.missing:
            raise ValueError(f"{self.task.name} by {self.agent}: {len(self.missing)} of {len(self.cells)} cells are "
                             "missing, play them first")  # fmt: skip

    def path(self, folder: Path) -> Path:
        return folder / f"{self.task.name}-{self.agent}.json"

    def save(self, folder: Path) -> Path:
        """Writes ``TASK-AGENT.json``, one line for each complete cell, also of those that another process has saved
        there meanwhile. What was there stays whole until it is done; errors as of :meth:`resume`."""
        folder.mkdir(parents=True, exist_ok=True)
        with alone(folder):
            self.resume(folder)
            return self._write(self.path(folder))

    def _write(self, path: Path) -> Path:
        head = {**identity(self.game), "task": self.task.name, "agent": self.agent, "split": self.split,
                "games": self.games, "samples": self.samples}  # fmt: skip
        if (definition := self._definition()) is not None:
            head["definition"] = definition
        lines = [json.dumps(_row(self.game, cell)) for cell in self.cells if cell.games == self.games]
        text = json.dumps(head, indent=1)[:-2] + ',\n "cells": [\n  ' + ",\n  ".join(lines) + "\n ]\n}\n"
        write_whole(path, text)
        return path

    def resume(self, folder: Path) -> None:
        """Takes over the cells that another run has saved there, if any, of those that are missing here.

        Raises:
            ValueError: the file there is of another task, agent, game, version, edition, split or number of games, or
                of an agent of that name that was trained longer or shorter.
        """
        path = self.path(folder)
        if not path.exists():
            return
        former = Results.load(path, self.game, self.task)
        problem = ""
        if former.agent != self.agent:
            problem = f"is by {former.agent}, not by {self.agent}"
        elif former.task != self.task:
            problem = f"is of another task that is called {former.task.name}, too"
        elif (former.split, former.games) != (self.split, self.games):
            problem = f"has {former.games} {former.split} games in each cell, not {self.games} {self.split} games"
        elif former.samples != self.samples:
            problem = f"is by an agent that was trained on {former.samples:,} decisions, not {self.samples:,}"
        if problem:
            raise ValueError(f"{path} {problem}: choose another folder, or delete it")
        for i, cell in enumerate(former.cells):
            if cell.games and self.cells[i].games != self.games:
                self.cells[i] = cell

    @classmethod
    def load(cls, path: Path, game: Game, own: Task | None = None) -> Results:
        """Reads a results file.

        Args:
            own: a task that Python defines; a file does not hold all of it.

        Raises:
            ValueError: it is none, or is damaged, or of another game, version or edition.
            OSError: it cannot be read.
        """
        text = text_of(path)
        try:
            data = _json(text)
            _check(data, "the file", HEAD)
            task = _task(data, game, own)
            game = game_of(game, [task], data["split"])
            for what, ours in identity(game).items():
                if data[what] != ours:
                    raise ValueError(f"it is of {what} {data[what]}, this is {what} {ours}")
            for what, least in (("games", 1), ("samples", 0)):
                if type(data[what]) is not int or data[what] < least:
                    raise ValueError(f"{what} are {data[what]!r}, expected a whole number from {least} on")
            results = cls(game, task, data["agent"], data["split"], data["games"], data["samples"])
            cells = {titled(cell.labels): cell for cell in results.cells}
            for row in data["cells"]:
                cell = _cell(results, cells, row)
                if cell.games:
                    raise ValueError(f"cell {titled(cell.labels)} is there twice")
                _fill(cell, game, row, results.games)
        except (KeyError, TypeError, AttributeError, OverflowError, RecursionError):
            raise ValueError(f"{path} is not a results file: a value in it is of another kind than in one") from None
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None
        return results


def difference(ours: Sequence[Cell], theirs: Sequence[Cell], games: int) -> Interval:
    """The paired difference of the win rates in the first games of the same cells, ours less theirs, every cell of
    equal weight; from GROUPS boxes or seeds on, of which some have several games, by the differences in each of these,
    which weighs as many as its games, if they are not all the same; else by all games."""
    apart = by_group(ours, games) - by_group(theirs, games)
    if not GROUPS <= len(apart) < games * len(ours) or not np.ptp(apart):
        our, their = (np.concatenate([cell.outcomes[:games] for cell in cells]) for cells in (ours, theirs))
        return paired_difference(our, their)
    rate, low, high = mean(apart, np.bincount(groups_of(ours, games)))
    return Interval(rate, max(-1.0, low), min(1.0, high))


class Check(NamedTuple):
    """What came of playing some of the games again."""

    cells: int
    games: int
    alike: int  #: games of the same outcome
    difference: Interval  #: of the win rates, the file's less the new one: :func:`difference`

    @property
    def holds(self) -> bool:
        """Whether the file is as good as its agent: no more than chance lies between them."""
        return self.alike == self.games or self.difference.low <= 0 <= self.difference.high


def check(results: Results, name: str, share: float, seed: int = 0, processes: int = 1) -> Check:
    """Plays a share of the cells of a results file again, with its agent.

    Args:
        name: of the agent, as :func:`tabletop.agents.make` takes it.
        share: of the cells, above 0 to 1; at least one is played.
        seed: draws which.

    Raises:
        ValueError: the file is not complete, or of an agent that is called otherwise or was trained longer or shorter;
            or a share that is none.
    """
    results.check_complete()
    if not 0 < share <= 1:
        raise ValueError(f"share is {share}, choose a number above 0, up to 1")
    agent = agents.make(name, results.game)
    if (agent.name, samples_of(agent)) != (results.agent, results.samples):
        raise ValueError(f"the file is of {results.agent}, trained on {results.samples:,} decisions, but {name} is "
                         f"{agent.name}, trained on {samples_of(agent):,}")  # fmt: skip
    n = len(results.cells)
    drawn = np.sort(np.random.default_rng(seed).choice(n, max(1, round(share * n)), replace=False))
    before = [results.cells[i] for i in drawn]
    after = [Cell(cell.labels, cell.setup, cell.also) for cell in before]
    if not evaluate(results.game, name, after, results.games, int(results.seeds[0]), processes):
        raise KeyboardInterrupt
    alike = sum(int((a.outcomes == b.outcomes).sum()) for a, b in zip(before, after, strict=True))
    return Check(len(drawn), len(drawn) * results.games, alike, difference(before, after, results.games))


def samples_of(agent: Agent) -> int:
    """Decisions that an agent was trained on, as its card says; 0 of one that has none.

    Raises:
        ValueError: the card says no number.
    """
    samples = getattr(agent, "card", {}).get("decisions", 0)
    if not isinstance(samples, int):
        raise ValueError(f"the card of {agent.name} says decisions {samples!r}, expected a whole number")
    return samples


def load_all(folder: Path, game: Game) -> list[Results]:
    """The results files of a folder, in order of their names; errors as of :meth:`Results.load`.

    Raises:
        ValueError: there are none.
    """
    paths = sorted(folder.glob("*.json"))
    if not paths:
        raise ValueError(
            f"{folder} holds no results files: make some with sammu evaluate --task TASK --results {folder}"
        )
    return [Results.load(path, game) for path in paths]


def _task(data: Mapping[str, Any], game: Game, own: Task | None) -> Task:
    """The task of a results file: one of the game's, or the one that it defines, which may be our own."""
    known = extra(game, "tasks")
    if "definition" not in data:
        return choose("task", data["task"], known)
    if own and (own.name, json.loads(json.dumps(own.plain()))) == (data["task"], data["definition"]):
        return own
    if data["task"] in known:
        raise ValueError(f"it defines a task {data['task']}, but {game.name} has one of that name")
    return made(data["task"], data["definition"], game)


def _json(text: str) -> Any:
    try:
        return json.loads(text)
    except ValueError as error:
        raise ValueError(f"it is not JSON: {error}") from None


def _check(data: Any, what: str, kinds: Mapping[str, type]) -> None:
    """ValueError if some data lacks a name, or has a value of another kind by that name."""
    if not isinstance(data, dict):
        raise ValueError(f"{what} holds no names with values")
    for name, kind in kinds.items():
        if name not in data:
            raise ValueError(f"{what} lacks {name}")
        if not isinstance(data[name], kind):
            raise ValueError(f"{name} of {what} is {data[name]!r}, expected {KINDS[kind]}")


def _cell(results: Results, cells: Mapping[str, Cell], row: Any) -> Cell:
    """The cell, of those by their titles, that a row of a file tells of."""
    _check(row, "a cell", {})
    labels = {name: row[name] for name in results.task.names if name in row}
    found = cells.get(titled(labels))
    if found is None or found.labels != labels:
        raise ValueError(f"{results.task.name} has no cell {titled(labels) or 'without labels'}")
    _check(row, f"cell {titled(labels)}", {**ROW, **dict.fromkeys(found.means(results.game), Real)})
    return found


def _key(labels: Mapping[str, Any]) -> frozenset[tuple[str, Any]]:
    return frozenset(labels.items())


def _row(game: Game, cell: Cell) -> dict[str, Any]:
    means = {name: cell.sums[summed] / cell.games for name, summed in cell.means(game).items()}
    causes = dict(sorted(cell.causes.items()))
    each = {f"{name}s": cell.each(name).tolist() for name in cell.also if name in cell.kept}
    took = {"seconds": round(cell.seconds, 6)} if cell.seconds else {}
    won_at = {f"won_{game.clock}s": {str(at): cell.won_at[at] for at in sorted(cell.won_at)}} if cell.won_at else {}
    return {**cell.labels, "wins": cell.wins, "won": pack(cell.outcomes), "causes": causes, **won_at, **means, **each,
            **took}  # fmt: skip


def _fill(cell: Cell, game: Game, row: dict[str, Any], games: int) -> None:
    cell.won = {0: unpack(row["won"], games)}
    if unknown := set(row["causes"]) - set(game.causes):
        raise ValueError(f"{cell.labels} has the cause {unknown.pop()!r}, choose from {', '.join(game.causes)}")
    cell.causes = Counter(_counted(f"the causes of {cell.labels}", row["causes"]))
    for name, summed in cell.means(game).items():
        cell.sums[summed] = round(_number(f"{name} of {cell.labels} is", row[name], *_ends(game, summed)) * games)
    cell.seconds = _number(f"the seconds of {cell.labels} are", row.get("seconds", 0), 0)
    told = games - cell.wins if game.team else games
    if cell.wins != row["wins"] or sum(cell.causes.values()) != told:
        raise ValueError(f"the wins of {cell.labels} do not add up")
    when = f"won_{game.clock}s"
    won_at = _counted(f"the {when} of {cell.labels}", row.get(when, {}))
    cell.won_at = Counter({int(at): wins for at, wins in won_at.items()})
    until = sum(at * wins for at, wins in cell.won_at.items())  # all games together have taken no less
    adds_up = sum(cell.won_at.values()) == cell.wins and until <= cell.sums[game.clock]
    if won_at and (not adds_up or min(cell.won_at) < 0 or min(won_at.values()) < 1):
        raise ValueError(f"the {when} of {cell.labels} do not add up")
    for name in cell.also:
        if (each := row.get(f"{name}s")) is not None:
            if len(each) != games or any(type(x) is not int for x in each) or sum(each) != cell.sums[name]:
                raise ValueError(f"the {name}s of {cell.labels} do not add up")
            cell.kept[name] = {0: np.array(each, np.int64)}


def _counted(what: str, counts: Mapping[str, Any]) -> Mapping[str, int]:
    """Names with numbers of games; ValueError if one is no such number."""
    if wrong := [x for x in counts.values() if type(x) is not int or x < 0]:
        raise ValueError(f"{what} hold {wrong[0]!r}, expected numbers of games")
    return counts


def _number(what: str, x: Any, low: float, high: float = math.inf) -> float:
    """A number in its bounds; ValueError names them."""
    number = isinstance(x, Real) and not isinstance(x, bool)
    if not number or not low <= x <= high or x == math.inf:
        until = "on" if high == math.inf else f"to {high:.6g}"
        raise ValueError(f"{what} {x!r}, expected a number from {low:.6g} {until}")
    return float(x)


def _ends(game: Game, name: str) -> tuple[int, int]:
    """The least and the most that a field of the final state, summed, can hold; time and decisions are not negative."""
    of, n = np.iinfo(game.state[name].base), math.prod(game.state[name].shape)
    return 0 if name in (game.clock, "decisions") else n * int(of.min), n * int(of.max)


def pack(outcomes: NDArray[np.bool_]) -> str:
    """Outcomes, bool (games,), as hexadecimal digits; the first game is the highest bit of the first digit."""
    return np.packbits(outcomes).tobytes().hex()


def unpack(text: str, games: int) -> NDArray[np.bool_]:
    """What :func:`pack` packed.

    Raises:
        ValueError: it is not of so many games.
    """
    if not re.fullmatch(r"([0-9a-f]{2})*", text):
        raise ValueError(f"outcomes are {text!r}, expected hexadecimal digits, two and two")
    bits = np.unpackbits(np.frombuffer(bytes.fromhex(text), np.uint8))
    if len(bits) != games + -games % 8 or bits[games:].any():
        raise ValueError(f"outcomes of {len(text)} hexadecimal digits are not those of {games} games")
    return bits[:games].astype(bool)
