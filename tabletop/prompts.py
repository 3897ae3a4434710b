"""The table of a game's steps: one row for each thing that can be pending on the stack (:mod:`tabletop.steps`).

What asks somebody is a prompt; the others run by themselves. A row names the chapter of the rules, the arguments of the
step's frame, which blocks of the catalogue answer it and who is asked. The rules of a prompt are ``ask_...`` and
``answer_...`` with its name, of another step ``run_...``; :func:`dispatcher` writes the calls.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from importlib import import_module
from typing import Any, NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from tabletop.steps import ARGS
from tabletop.switch import call, parameters, switch

CHANCE, TURN = "chance", "turn"
#: The step on which the machine stops: the game is over. It has no rule.
HALT = "halt"


class Step(NamedTuple):
    """A row of the table."""

    name: str
    chapter: str  #: module within the package of the rules; "": the package itself
    arguments: dict[str, str]  #: name: sort, a word of the game's own, such as "location"
    answers: tuple[str, ...]  #: blocks of the catalogue; of one the rule is told the place in it. "yes": yes or done
    asked: str  #: "chance", "turn" (the seat whose turn it is), an argument that is a seat, or "" for nobody


class Table(Sequence[Step]):
    """The steps of a game in the order of their numbers: draws, then other prompts, then what asks nobody.

    The place of a row is its number, which saves and logs hold: new prompts go behind the last prompt, new steps behind
    the last step. ``draw``, ``prompt`` and ``step`` add a row and return its number. A ``rule`` is chapter and name
    (``"battle.flee"``), or a name; an argument is ``name:sort``, or a sort that is its own name.

    Raises:
        ValueError: a row is out of order, has too many arguments, the name of another, or asks nobody that it names.
    """

    def __init__(self) -> None:
        self._rows: list[Step] = []

    def draw(self, rule: str, arguments: str = "", answers: str = "") -> int:
        """A prompt that the generator answers, or who holds the real cards."""
        return self._add(rule, arguments, answers, CHANCE)

    def prompt(self, rule: str, arguments: str = "", answers: str = "", asked: str = TURN) -> int:
        """Asks the seat whose turn it is, or the one in an argument."""
        return self._add(rule, arguments, answers, asked)

    def step(self, rule: str, arguments: str = "") -> int:
        """A step that asks nobody."""
        return self._add(rule, arguments, "", "")

    def _add(self, rule: str, arguments: str, answers: str, asked: str) -> int:
        chapter, _, name = rule.rpartition(".")
        sorts = {argument.partition(":")[0]: argument.rpartition(":")[2] for argument in arguments.split()}
        row = Step(name, chapter, sorts, tuple(answers.split()), asked)
        if name in self.names:
            raise ValueError(f"step {name}: there is one of this name")
        if len(sorts) > ARGS:
            raise ValueError(f"step {name}: {len(sorts)} arguments, at most {ARGS}")
        if asked not in (CHANCE, TURN, "", *sorts):
            raise ValueError(f"step {name}: asks {asked!r}, choose one of {', '.join((CHANCE, TURN, *sorts))}")
        if (asked == "") != (not row.answers):
            raise ValueError(f"step {name}: what asks somebody, and nothing else, has blocks that answer it")
        if self._rows and _kind(row) < _kind(self._rows[-1]):
            raise ValueError(f"step {name}: draws come first, then other prompts, then what asks nobody")
        self._rows.append(row)
        return len(self._rows) - 1

    @overload
    def __getitem__(self, i: int) -> Step: ...
    @overload
    def __getitem__(self, i: slice) -> list[Step]: ...
    def __getitem__(self, i: int | slice) -> Step | list[Step]:
        return self._rows[i]

    def __len__(self) -> int:
        return len(self._rows)

    @property
    def names(self) -> tuple[str, ...]:
        """Of all rows."""
        return tuple(row.name for row in self._rows)

    @property
    def last_chance(self) -> int:
        """The number of the last draw; -1: there is none."""
        return sum(row.asked == CHANCE for row in self._rows) - 1

    @property
    def last_prompt(self) -> int:
        """The number of the last row that asks somebody, chance or a seat."""
        return sum(row.asked != "" for row in self._rows) - 1

    @property
    def asked(self) -> NDArray[np.int64]:
        """Which argument of each step is the seat that is asked, or -1; shape (steps,)."""
        return np.array([list(row.arguments).index(row.asked) if row.asked in row.arguments else -1 for row in self])

    def places(self, *names: str) -> NDArray[np.int64]:
        """Which argument of each step has one of these names, the first of them, or -1; shape (steps,)."""
        found = [[i for i, name in enumerate(row.arguments) if name in names] for row in self]
        return np.array([places[0] if places else -1 for places in found], np.int64)


def _kind(row: Step) -> int:
    return 0 if row.asked == CHANCE else 1 if row.asked else 2


def answered(step: Step) -> str:
    """What the rule is told of an answer, as an expression of ``action`` and the first numbers of blocks."""
    if step.answers == ("yes",):
        return "action != DONE"
    return f"action - {step.answers[0].upper()}" if len(step.answers) == 1 else "action"


def dispatcher(does: str, given: str, table: Table, chapters: str, blocks: Mapping[str, int]) -> Any:
    """A kernel that calls what each step of a table does, by ``op``; other steps do nothing.

    Args:
        does: "ask", "answer" or "run".
        given: its parameters: "box, s, op".
        chapters: the package, or the module, of the rules.
        blocks: the first number of each block of the catalogue.

    Raises:
        AttributeError: the chapter has no such rule.
        ValueError: two chapters, or a block that does not exist.
    """
    package = import_module(chapters)
    firsts = {name.upper(): first for name, first in blocks.items()}
    space: dict[str, Any] = {"__name__": package.__name__, "__file__": package.__file__, **firsts}
    cases = {}
    for op, step in enumerate(table):
        if step.name == HALT or (op > table.last_prompt) != (does == "run"):
            continue
        chapter = import_module(f"{chapters}.{step.chapter}") if step.chapter else package
        short = chapter.__name__.rpartition(".")[2]
        if space.setdefault(short, chapter) is not chapter:
            raise ValueError(f"two chapters are called {short}: {space[short].__name__} and {chapter.__name__}")
        if unknown := [block for block in step.answers if block not in (*blocks, "yes")]:
            raise ValueError(f"step {step.name}: no block {unknown[0]}, choose from {', '.join(blocks)}")
        rule = getattr(chapter, f"{does}_{step.name}")
        told = dict.fromkeys(parameters(rule), answered(step)) if does == "answer" else {}
        told |= {"box": "box", "s": "s"}
        cases[str(op)] = call(f"{short}.{does}_{step.name}", rule, told)
    return switch(does, given, "op", cases, space)
