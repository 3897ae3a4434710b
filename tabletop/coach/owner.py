"""Cards as they turn up in the owner's box: what is believed of each, and the edition file that says what is printed.

The file is whole at any time: a text is checked before it is written, and written beside the file first.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tabletop.editions import Record, plain, read_toml
from tabletop.needs import needed

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

GUESSED = "reconstructed"  #: provenance of what nobody has seen printed begins with it
#: Raises ValueError if values, named by where they come from, are no edition.
Check = Callable[[dict[str, Any], str], object]


def listed(card: str, title: str, values: Record, without: Sequence[str] = ()) -> dict[str, Any]:
    """A card in a list: ``id``, ``title``, and ``printed``: whether all of its values but some are known to be."""
    sourced = (source for name, _, source in values.sourced() if name not in without)
    return {"id": card, "title": title, "printed": not any(source.startswith(GUESSED) for source in sourced)}


def fields(values: Record, without: Sequence[str] = ()) -> list[dict[str, Any]]:
    """Of a card each ``name``, ``value`` as edition files have it, and ``provenance``."""
    return [{"name": name, "value": plain(value, without), "provenance": source}
            for name, value, source in values.sourced() if name not in without]  # fmt: skip


def file_of(edition: Any, shipped: Sequence[str] = ()) -> Path:
    """The owner's file. ValueError: the edition is none, drawn, or one of those that are ``shipped``."""
    if not isinstance(edition, str) or edition in shipped:
        raise ValueError("there is no edition file of yours: start with --edition and a file of your own")
    return Path(edition)


def put_right(path: Path, way: Sequence[str], values: Mapping[str, Any], check: Check) -> None:
    """Writes what is printed on a card.

    Args:
        way: the tables of the file that lead to the card.
        values: by name, dotted where a field is within another.

    Raises:
        ValueError: the box would not hold together; then nothing is written.
        OSError: it cannot be written.
    """
    whole = read_toml(path)
    for name, value in values.items():
        *inside, last = name.split(".")
        inner = whole
        for key in (*way, *inside):
            inner = inner.setdefault(key, {})
        inner[last] = value
    check(whole, str(path))
    with needed():
        import tomli_w
    _write(path, tomli_w.dumps(whole))


def take(path: Path, text: str, check: Check) -> None:
    """Another text of the file, which is written.

    Raises:
        ValueError: it is no TOML, or no edition; then nothing is written.
        OSError: it cannot be written.
    """
    try:
        whole = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # no TOML, numbers of thousands of digits, too many brackets
        raise ValueError(f"this is no edition file: {error}") from None
    check(whole, "this file")
    _write(path, text)


def _write(path: Path, text: str) -> None:
    draft = path.with_name(f"{path.name}.part")
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


__all__ = ["fields", "file_of", "listed", "put_right", "take"]
