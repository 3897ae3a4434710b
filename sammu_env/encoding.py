"""What the parts of the observation are made of: how many there are of everything, units, how numbers are written."""

from __future__ import annotations

from typing import Any

import numpy as np

from sammu_env import constants as c
from tabletop.jit import kernel

L, A, Z, CH, G = len(c.LOCATIONS), len(c.AREAS), len(c.ZONES), len(c.CHARACTERS), len(c.GOODS)
K, M, T, P, E = len(c.KINDS), len(c.MARKERS), len(c.TECHNOLOGIES), c.MAX_PLAYERS, c.N_EVENTS

#: What one of something counts for in the vector.
ONE, HALF, THIRD, FOURTH, FIFTH, TENTH, HUNDREDTH = (np.float32(1 / n) for n in (1, 2, 3, 4, 5, 10, 100))


@kernel
def one_hot(out: Any, k: int, n: int, i: int) -> int:
    """A one at ``i`` of ``n`` places from ``k`` on, if ``i`` is one of them. Returns where the next part begins."""
    if 0 <= i < n:
        out[k + i] = 1.0
    return k + n


@kernel
def scaled(out: Any, k: int, numbers: Any, unit: Any) -> int:
    """Numbers, int[n], each so much worth. Returns where the next part begins.

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
