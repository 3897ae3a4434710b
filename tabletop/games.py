"""The games that are installed, by name: a package offers one by an entry point ``tabletop.games``.

In its ``pyproject.toml``::

    [project.entry-points."tabletop.games"]
    my-game = "my_game:load"

``load()`` gives the game (:class:`tabletop.game.Game`), and so may a class; ``load(edition=...)`` gives it with another
box, where there are several. What a game may have besides the protocol says :class:`Extras`.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Protocol, cast, get_args

import numpy as np
from numpy.typing import NDArray

from tabletop.game import Game, Record

GROUP = "tabletop.games"


class Extras:
    """What a game may have besides, for training, evaluation and the command; these values stand for what it lacks.

    A game need not inherit from this: :func:`extra` looks it up.
    """

    agents: Mapping[str, str] = {}  #: its own: name -> "module:maker", imported when asked for
    baselines: tuple[str, ...] = ("random",)  #: agents that others are compared with, the reference first
    proposers: tuple[str, ...] = ()  #: agents that look ahead, whose plans a search tries; from quick to thorough
    checkpoint: str = ""  #: the shipped one that the agent ``ppo`` plays with, by name; "": there is none
    tasks: Mapping[str, Any] = {}  #: what is trained on and tested on: name -> tabletop.training.tasks.Task
    shown: tuple[str, ...] = ()  #: the tasks that a page about an agent tells of, the main one first; (): all
    grid: Mapping[str, Sequence[Any]] = {}  #: labels of the cells of an evaluation without a task, with their values
    drawn: Mapping[str, Any] = {}  #: options of ``configure`` with the value that leaves each to a draw
    options: Mapping[str, str] | None = None  #: those of ``configure`` that a command takes, with help; None: all
    groups: Mapping[str, Mapping[str, str]] = {}  #: language -> words for each ``Game.group``, where they differ
    endings: Mapping[str, Mapping[str, str]] = {}  #: language -> words for each of ``Game.causes``, where they differ
    #: which numbers of an observation speak of what a choice names, one in each column: int64 (n_actions, columns), the
    #: observation's size where none does; None: what ``content_sets`` count
    about: NDArray[np.int64] | None = None
    spare: tuple[slice, ...] = ()  #: parts of what a seat sees that say only how much it may still do this turn
    in_parts: str = ""  #: a field of the state, not 0 where the game has parts: a network's chance of winning is of one
    editions: tuple[Any, ...] = (None,)  #: what each of its boxes is called; None: the one that ``load()`` gives


class Boxed(Protocol):
    """A game whose boxes may be changed (``Extras.editions``)."""

    editions: tuple[Any, ...]

    def with_editions(self, editions: Sequence[Any]) -> Game:
        """The game with other boxes; ValueError names those there are."""

    def boxes_of(self, split: str, **labels: Any) -> Sequence[Any]:
        """The boxes, as ``editions`` names them, that the games of a cell are played on in turn. Its arguments besides
        the split are the labels of a cell that name boxes, and no options of ``configure``."""


class Positions(Protocol):
    """A game that reads positions that people write down."""

    def position(self, data: Mapping[str, Any]) -> Record:
        """The state, shape (1,), of plain data, at the next decision or draw; ValueError says what is wrong."""


def extra(game: Any, name: str) -> Any:
    """What a game has of :class:`Extras`."""
    return getattr(game, name, getattr(Extras, name))


def in_parts(game: Game, state: Record) -> bool:
    """Whether a state, shape (1,), is of a game that has parts (``Extras.in_parts``)."""
    field = extra(game, "in_parts")
    return bool(field and state[field][0])


def names() -> tuple[str, ...]:
    """The games that are installed, in order of their names; nothing is imported."""
    return tuple(sorted({point.name for point in entry_points(group=GROUP)}))


def load(name: str | None = None, **options: Any) -> Game:
    """A game by name; None: the only one.

    Args:
        options: of the function that loads it, like ``edition``; None: as if it were not given.

    Raises:
        ValueError: there is no such game, or several and none is named, or it cannot be imported; it does not take an
            option, or not that value; an edition cannot be read.
    """
    maker = cast(Callable[..., Game], _load(_chosen(name)))
    given = {option: value for option, value in options.items() if value is not None}
    taken = parameters(maker)
    for option in given:
        if taken is not None and option not in taken:
            raise ValueError(f"{name or names()[0]} takes no {option}{_choices(', it takes', list(taken))}")
    return maker(**given)


def _chosen(name: str | None) -> EntryPoint:
    found = {point.name: point for point in entry_points(group=GROUP)}
    if not found:
        raise ValueError(f"no game is installed: none has an entry point {GROUP} (install it anew if it is older)")
    if name is None and len(found) > 1:
        raise ValueError(f"{len(found)} games are installed, say which: {', '.join(sorted(found))}")
    if name is None:
        return next(iter(found.values()))
    point = found.get(name) or found.get(name.replace("_", "-"))  # as a game calls itself in files
    if point is None:
        raise ValueError(f"game is {name!r}, choose one of {', '.join(sorted(found))}")
    return point


def _load(point: EntryPoint) -> Any:
    try:
        return point.load()
    except (ImportError, AttributeError) as error:
        raise ValueError(f"game {point.name} ({point.value}) cannot be imported: {error}") from error


def parameters(maker: Callable[..., Any]) -> dict[str, inspect.Parameter] | None:
    """Those that may be given by name; None: any."""
    found = inspect.signature(maker).parameters
    if any(one.kind is one.VAR_KEYWORD for one in found.values()):
        return None
    return {name: one for name, one in found.items() if one.kind in (one.POSITIONAL_OR_KEYWORD, one.KEYWORD_ONLY)}


def imported(what: str, text: str) -> Any:
    """The object that "module:name" names; the name may have dots.

    Args:
        what: what it should be, for the message.

    Raises:
        ValueError: there is no such module, or nothing of that name in it.
    """
    module, _, path = text.partition(":")
    if not all(part.isidentifier() for part in module.split(".")):
        raise ValueError(f"{what} is {text!r}, expected module:name")
    try:
        found: Any = import_module(module)
    except ModuleNotFoundError as error:
        if error.name is None or not f"{module}.".startswith(f"{error.name}."):
            raise  # the module is there, but something that it imports is not
        raise ValueError(f"{what} is {text!r}, but there is no module {error.name}") from None
    for name in path.split("."):
        if not hasattr(found, name):
            here = [one for one, x in vars(found).items() if not one.startswith("_") and not inspect.ismodule(x)]
            raise ValueError(f"{what} is {text!r}, but {module} has no {path}{_choices(', it has', here)}")
        found = getattr(found, name)
    return found


def converted(what: str, text: str, hint: Any) -> Any:
    """A text as a bool, int, float or str, whichever a parameter is declared to be.

    Raises:
        ValueError: it is none; the message says what is expected.
    """
    kinds = [kind for kind in (get_args(hint) or [hint]) if kind in (bool, int, float, str)]
    for kind in kinds:
        try:
            return {"true": True, "false": False}[text.lower()] if kind is bool else kind(text)
        except (ValueError, KeyError):
            pass
    expected = {bool: "true or false", int: "a whole number", float: "a number"}
    raise ValueError(f"{what} is {text!r}, expected {' or '.join(expected[kind] for kind in kinds) or 'no text'}")


def _choices(words: str, choices: Sequence[str]) -> str:
    return f"{words} {', '.join(choices)}" if choices else ""
