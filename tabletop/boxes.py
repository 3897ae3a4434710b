"""What games of several boxes share: which boxes are meant, one name for them, and options that are checked."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np


def several(editions: Any) -> list[Any]:
    """The boxes that are meant: those of a sequence, or the only one. A name is one box, and so is a tuple with fields.

    Raises:
        ValueError: there is none.
    """
    one = not isinstance(editions, Sequence) or isinstance(editions, str) or hasattr(editions, "_fields")
    if not one and not editions:
        raise ValueError("no editions: name one or more")
    return [editions] if one else list(editions)


def together(hashes: Sequence[str]) -> str:
    """One name for boxes in their order: the hash of the only one, or sha256 of all, in hex."""
    return hashes[0] if len(hashes) == 1 else hashlib.sha256(" ".join(hashes).encode()).hexdigest()


def whole(name: str, value: Any, choices: range) -> int:
    """An option that is a whole number; ValueError names the choices."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or value not in choices:
        raise ValueError(f"{name} is {value!r}, choose one of {', '.join(map(str, choices))}")
    return int(value)
