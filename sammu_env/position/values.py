"""What a position may say: names, numbers, tables and lists; how numbers of a state are read and written by name."""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

State = NDArray[np.void]
Said = Mapping[str, Any]


class PositionError(ValueError):
    """A position that cannot be: the message names what was wrong and what is allowed."""


def index(what: str, name: Any, choices: tuple[str, ...]) -> int:
    """Which of the choices a name is."""
    if isinstance(name, str):
        if name in choices:
            return choices.index(name)
        near = difflib.get_close_matches(name, choices, 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
    else:
        hint = ""
    raise PositionError(f"{what}: no {name!r}{hint}; choose one of {', '.join(choices)}")


def number(what: str, value: Any, low: int, high: int) -> int:
    """A whole number within bounds; true is 1."""
    if isinstance(value, bool):
        value = int(value)
    if not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise PositionError(f"{what}: {value!r} is not a whole number {low} to {high}")
    return int(value)


def table(what: str, value: Any, keys: Iterable[str] | None = None) -> Said:
    """A table, with no other keys than these."""
    if not isinstance(value, Mapping):
        raise PositionError(f"{what}: expected a table of names, found {value!r}")
    if keys is not None:
        for key in value:
            index(f"{what}: key", key, tuple(keys))
    return value


def listed(what: str, value: Any) -> list[Any]:
    """A list."""
    if not isinstance(value, (list, tuple)):
        raise PositionError(f"{what}: expected a list, found {value!r}")
    return list(value)


def card(what: str, name: Any, first: int, n: int) -> int:
    """Which of ``n`` cards an id is, from ``SAM-first`` on."""
    ids = tuple(f"SAM-{first + i:03d}" for i in range(n))
    if name in ids:
        return ids.index(name)
    raise PositionError(f"{what}: no {name!r}; choose one of {ids[0]} to {ids[-1]}")


def ids(first: int, cards: Iterable[Any]) -> list[str]:
    """The ids of cards."""
    return [f"SAM-{first + int(card):03d}" for card in cards]


class Count(NamedTuple):
    """A key that says a number of the state."""

    key: str
    field: str
    row: int | None = None  #: the field's row, where it has rows
    high: int = 99
    low: int = 0
    usual: int = 0  #: is left out
    sort: type[int] = int

    def at(self, place: int | None) -> tuple[int, ...]:
        return (0, *(i for i in (self.row, place) if i is not None))


def counts(fields: Iterable[str], **options: Any) -> tuple[Count, ...]:
    """Keys that are called as their fields are."""
    return tuple(Count(field, field, **options) for field in fields)


def read_count(state: State, what: str, count: Count, value: Any, place: int | None = None) -> None:
    """Puts a number into the state; ``place`` is which location, area or character it belongs to."""
    state[count.field][count.at(place)] = number(what, value, count.low, count.high)


def read_counts(state: State, what: str, rows: tuple[Count, ...], said: Any, place: int | None = None) -> None:
    """Puts the numbers of a table into the state."""
    by_key = {count.key: count for count in rows}
    for key, value in table(what, said, by_key).items():
        read_count(state, f"{what}.{key}", by_key[key], value, place)


def write_counts(s: Any, rows: Iterable[Count], place: int | None = None) -> dict[str, int]:
    """Those that are not as usual."""
    values = {count: int(s[count.field][count.at(place)[1:]]) for count in rows}
    return {count.key: count.sort(n) for count, n in values.items() if n != count.usual}


def read_named(what: str, said: Any, names: tuple[str, ...], numbers: NDArray[Any]) -> None:
    """Puts the numbers of a table into an array that has a place for each name."""
    for name, n in table(what, said, names).items():
        numbers[names.index(name)] = number(f"{what}.{name}", n, 0, 99)


def write_named(names: tuple[str, ...], numbers: Any) -> dict[str, int]:
    """Those that are not 0."""
    return {name: int(n) for name, n in zip(names, numbers, strict=False) if n}


def read_raw(state: State, what: str, key: str, value: Any) -> None:
    """Puts whole numbers of the field's shape into the state."""
    shape = state[0][key].shape
    array = np.asarray(value)
    if array.shape != shape or array.dtype.kind not in "iub":
        raise PositionError(f"{what}.{key}: expected whole numbers of shape {shape}, found {value!r}")
    state[0][key] = array
