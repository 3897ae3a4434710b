"""What games with boxes share: which are meant, one name for them, what is kept, and options that are checked."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, wraps
from numbers import Real
from os import PathLike, fspath
from os.path import realpath
from pathlib import Path
from typing import Any, NamedTuple, TypeVar, cast

import numpy as np

SEEDS = range(2**31)  #: of random boxes
#: Those of each split: an agent is tested on boxes that it has not seen (Cobbe et al. 2020).
BOX_SEEDS = {"train": range(10**9), "validation": range(10**9, 2 * 10**9), "test": range(2 * 10**9, 2**31)}
#: No option at all, but PettingZoo's own tests of any environment give it to ``reset``.
OF_A_TEST = "options"
F = TypeVar("F", bound=Callable[..., Any])


class Drawn(NamedTuple):
    """A random box of a game that draws them by a seed alone: what is reconstructed is drawn anew."""

    seed: int


def several(editions: Any) -> list[Any]:
    """The boxes that are meant: those of a sequence, or the only one. A name is one box, and so is a tuple with fields.

    Raises:
        ValueError: there is none.
    """
    one = not isinstance(editions, Sequence) or isinstance(editions, str) or hasattr(editions, "_fields")
    if not one and not editions:
        raise ValueError("no editions: name one or more")
    return [editions] if one else list(editions)


def listed(option: Any) -> bool:
    """Whether an option is a list of values; a box with fields is one value, and so is an array without dimensions."""
    values = isinstance(option, (list, tuple, range)) or (isinstance(option, np.ndarray) and option.ndim > 0)
    return values and not hasattr(option, "_fields")


def share(name: str, value: Any) -> float:
    """An option that is a number from 0 to 1; ValueError names them."""
    number = isinstance(value, Real) and not isinstance(value, (bool, np.bool_))
    if not number or not 0 <= value <= 1:
        raise ValueError(f"{name} is {value!r}, expected a number from 0 to 1")
    return float(value)


def together(hashes: Sequence[str]) -> str:
    """One name for boxes in their order: the hash of the only one, or sha256 of all, in hex."""
    return hashes[0] if len(hashes) == 1 else hashlib.sha256(" ".join(hashes).encode()).hexdigest()


def is_whole(value: Any, choices: range) -> bool:
    """Whether a value is one of these whole numbers; True and False are none."""
    return isinstance(value, (int, np.integer)) and not isinstance(value, bool) and int(value) in choices


def whole(name: str, value: Any, choices: range) -> int:
    """An option that is a whole number; ValueError names the choices."""
    if not is_whole(value, choices):
        named = ", ".join(map(str, choices)) if len(choices) <= 10 else f"{choices[0]} to {choices[-1]}"
        raise ValueError(f"{name} is {value!r}, choose one of {named}")
    return int(value)


def check_reset(options: Iterable[Any], *free: str) -> None:
    """Whether ``reset`` may change its options: what is ``free``, and nothing else (but :data:`OF_A_TEST`).

    Raises:
        ValueError: it may not; the message names what it may.
    """
    if found := [name for name in options if name not in (*free, OF_A_TEST)]:
        choices = ", ".join((*free, "box (in an environment of one game)"))
        raise ValueError(f"reset cannot change {', '.join(map(str, found))}: choose from {choices}")


def named(edition: Any, names: Sequence[str]) -> str | Drawn | None:
    """An edition as it is kept: None for the standard one, ``names[0]``; other names as they are, files by their paths.

    Args:
        names: of the editions that are shipped.

    Raises:
        ValueError: it is none; the message says what there is.
    """
    if isinstance(edition, Drawn):
        return Drawn(whole("box_seed", edition.seed, SEEDS))
    text = fspath(edition) if isinstance(edition, (str, PathLike)) else ""
    if edition is None or text == names[0]:
        return None
    if text not in names and not text.endswith(".toml"):
        choices = names[0] if len(names) == 1 else f"one of {', '.join(names)}"
        raise ValueError(f"edition is {edition!r}, choose {choices}, or a TOML file")
    return text if text in names else whole_path(text)


def whole_path(edition: str | PathLike[str]) -> str:
    """The whole path of an edition file, whether there is one or not.

    Raises:
        ValueError: no file can be called like this.
    """
    try:
        return realpath(edition)
    except (OSError, ValueError) as error:
        raise ValueError(f"edition is {edition!r}, which is no path of a file: {error}") from None


def kept(most: int) -> Callable[[F], F]:
    """Of a function of an edition, or of several: it gives the same object again, while their files hold the same.

    Args:
        most: how many objects are kept, those asked for last.
    """

    def decorated(make: F) -> F:
        @lru_cache(most)
        def made(editions: Any, held: tuple[bytes | None, ...]) -> Any:
            return make(editions)

        @wraps(make)
        def ready(editions: Any = None) -> Any:
            return made(editions, tuple(map(_held, several(editions))))

        return cast(F, ready)

    return decorated


def pickled(load: Callable[[Any], Any], editions: tuple[Any, ...], edition: str) -> Any:
    """The game of a pickle, which names its editions, and by a hash what they held: ``edition``.

    Raises:
        ValueError: they hold something else by now, or one cannot be read.
    """
    game = load(editions)
    if game.edition != edition:
        changed = ", ".join(one for one in editions if isinstance(one, str)) or "the box as it is shipped"
        raise ValueError(f"the game was pickled with edition {edition}, this is {game.edition}; what has changed since "
                         f"then: {changed}")  # fmt: skip
    return game


def _held(edition: Any) -> bytes | None:
    """What the file of an edition holds now; None: there is none to be read, and whoever needs it says so."""
    try:
        return Path(edition).read_bytes() if isinstance(edition, (str, PathLike)) else None
    except (OSError, ValueError):
        return None
