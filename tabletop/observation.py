"""What a seat sees, in named parts: rows say what they are, and the layout, bounds and layout hash follow.

Beside them kernels that write parts, one after the other: each is told where its part begins, ``k``, and returns where
the next one does.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.jit import kernel

#: What a row says of a part: name, size, meaning, and the least and the most that its numbers may be.
Row = tuple[str, int, str, float, float]

#: By how much a number of an observation may be off its bounds.
ROUNDING = 1e-6
#: What one of something counts for in the vector.
ONE, HALF, THIRD, FOURTH, FIFTH, TENTH, HUNDREDTH = (np.float32(1 / n) for n in (1, 2, 3, 4, 5, 10, 100))


class Part(NamedTuple):
    """A named slice of the vector, what it means, and the range ``low`` to ``high`` of its values."""

    name: str
    slice: slice
    meaning: str
    low: float
    high: float


def lay_out(rows: Iterable[Row]) -> tuple[Part, ...]:
    """The parts, one after the other.

    Raises:
        ValueError: two parts have the same name, or one has no size.
    """
    parts: list[Part] = []
    names = set[str]()
    for name, size, meaning, low, high in rows:
        if name in names:
            raise ValueError(f"part {name!r} is there already: give each its own name")
        if size < 1:
            raise ValueError(f"part {name!r} has size {size}, expected at least 1")
        names.add(name)
        at = parts[-1].slice.stop if parts else 0
        parts.append(Part(name, slice(at, at + size), meaning, low, high))
    return tuple(parts)


def bounds(parts: Sequence[Part]) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """The least and the most of each number, each float32 (size,): a game's ``observation_low`` and ``_high``."""
    low, high = np.zeros((2, parts[-1].slice.stop), np.float32)
    for part in parts:
        low[part.slice], high[part.slice] = part.low, part.high
    return low, high


def outside(seen: NDArray[np.float32], low: NDArray[np.float32], high: NDArray[np.float32]) -> list[int]:
    """Which numbers of an observation are not within its bounds, each (size,); what is no number is not."""
    return np.flatnonzero(~((low - ROUNDING <= seen) & (seen <= high + ROUNDING))).tolist()


def layout_hash(parts: Sequence[Part], choices: Any) -> str:
    """A game's ``layout``: sha256, in hex, of what each number means and of what its catalogue of choices is made of.

    Args:
        choices: plain data, which look the same in each process: (name, size) of each block, say.
    """
    rows = [(part.name, part.slice.start, part.slice.stop, part.meaning) for part in parts]
    return hashlib.sha256(repr((rows, choices)).encode()).hexdigest()


@kernel
def one_hot(out: Any, k: int, n: int, i: int) -> int:
    """A one at ``i`` of ``n`` places from ``k`` on, if ``i`` is one of them."""
    if 0 <= i < n:
        out[k + i] = 1.0
    return k + n


@kernel
def scaled(out: Any, k: int, numbers: Any, unit: Any) -> int:
    """Numbers, int[n], each so much worth.

    Written through a view: an index that cannot be negative needs no check, and the loop becomes vector code.
    """
    part = out[k : k + len(numbers)]
    for i in range(len(numbers)):
        part[i] = np.float32(numbers[i]) * unit
    return k + len(numbers)


@kernel
def shares(out: Any, k: int, numbers: Any, totals: Any) -> int:
    """Numbers, int[n], as parts of their totals, int[n]."""
    part = out[k : k + len(numbers)]
    for i in range(len(numbers)):
        part[i] = np.float32(numbers[i]) / np.float32(totals[i])
    return k + len(numbers)


@kernel
def equal(out: Any, k: int, numbers: Any, wanted: Any) -> int:
    """1 for each of the numbers, int[n], that is the wanted one, else 0."""
    narrow = numbers.dtype.type(wanted)  # compared as narrow as they are stored: more of them at once
    part = out[k : k + len(numbers)]
    for i in range(len(numbers)):
        part[i] = np.float32(numbers[i] == narrow)
    return k + len(numbers)


@kernel
def relative(seat: int, other: int, seats: int) -> int:
    """A seat as another sees it: 0 itself, 1 the next clockwise; -1 for none."""
    if other < 0:
        return -1
    return other - seat if other >= seat else other - seat + seats
