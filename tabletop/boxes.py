"""What games of several boxes share: which boxes are meant, one name for them, and options that are checked."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from os import PathLike, fspath
from pathlib import Path
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


def named(edition: Any, drawn: type, seeds: range, names: Sequence[str]) -> Any:
    """An edition as it is kept: None for the standard one, ``names[0]``; other names as they are, files by their paths.

    Args:
        drawn: of random boxes, a tuple with one field, ``seed``; ``seeds``: what that may be.
        names: of the editions that are shipped.

    Raises:
        ValueError: it is none; the message says what there is.
    """
    if edition is None or edition == names[0]:
        return None
    if isinstance(edition, drawn):
        seed = edition.seed  # type: ignore[attr-defined]
        if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or seed not in seeds:
            raise ValueError(f"box_seed is {seed!r}, choose one of 0 to {seeds[-1]}")
        return drawn(int(seed))
    text = fspath(edition) if isinstance(edition, (str, PathLike)) else ""
    if text not in names and not text.endswith(".toml"):
        choices = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
        raise ValueError(f"edition is {edition!r}, choose {choices}, or a TOML file")
    return text if text in names else str(Path(text).resolve())
