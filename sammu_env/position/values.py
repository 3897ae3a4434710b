"""What a position may say: names, numbers, tables and lists; how numbers of a state are read and written by name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sammu_env import constants as c
from sammu_env import observation
from tabletop.positions import PositionError, number, table

State = NDArray[np.void]


def room(part: str, unit: int = 1) -> int:
    """The most of something that an observation has room for, in a part that counts each as 1 / ``unit``."""
    return int(unit * next(one.high for one in observation.layout() if one.name == part))


def flag(what: str, value: Any) -> int:
    """1 or 0: of true or false, or the number itself."""
    return int(value) if isinstance(value, bool) else number(what, value, 0, 1)


def card(what: str, name: Any, first: int, n: int) -> int:
    """Which of ``n`` cards an id is, from ``SAM-first`` on."""
    known = c.card_ids(first, n)
    if name in known:
        return known.index(name)
    raise PositionError(f"{what}: no {name!r}; choose one of {known[0]} to {known[-1]}")


def ids(first: int, cards: Iterable[Any]) -> list[str]:
    """The ids of cards."""
    return [c.card_id(first + int(card)) for card in cards]


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
    read = flag(what, value) if count.sort is bool else number(what, value, count.low, count.high)
    state[count.field][count.at(place)] = read


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


def read_raw(state: State, what: str, key: str, value: Any, low: float, high: float) -> None:
    """Puts whole numbers from ``low`` to ``high``, of the field's shape, into the state."""
    shape = state[0][key].shape
    array = np.asarray(value, object)  # as it is said: NumPy would take true among numbers for 1
    kind = state[0][key].dtype
    least, most = max(low, np.iinfo(kind).min), min(high, np.iinfo(kind).max)
    choose = f"choose whole numbers {least} to {most}"
    if array.shape != shape or not all(type(n) is int or isinstance(n, np.integer) for n in array.flat):
        raise PositionError(f"{what}.{key}: expected whole numbers of shape {shape}, found {value!r}; {choose}")
    if wrong := [n for n in array.flat if not least <= n <= most]:
        raise PositionError(f"{what}.{key}: {wrong[0]} is too large or too small, {choose}")
    state[0][key] = array.astype(kind)
