"""Cards as they turn up in the owner's box: what is believed of each, and the edition file that says what is printed.

The file is whole at any time: a text is checked before it is written, and written beside the file first.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from tabletop.coach.shapes import Words, within
from tabletop.editions import Record, plain, read_toml
from tabletop.files import text_of, write_whole
from tabletop.needs import needed

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

Field = dict[str, Any]
GUESSED = "reconstructed"  #: provenance of what nobody has seen printed begins with it
#: Raises ValueError if values, named by where they come from, are no edition.
Check = Callable[[dict[str, Any], str], object]


def listed(card: str, title: str, values: Record, without: Sequence[str] = ()) -> dict[str, Any]:
    """A card in a list: ``id``, ``title``, and ``printed``: whether all of its values but some are known to be."""
    printed = not any(source.startswith(GUESSED) for _, _, source in _sourced(values, without))
    return {"id": card, "title": title, "printed": printed}


def fields(values: Record, words: Words | None = None, without: Sequence[str] = ()) -> list[Field]:
    """The fields of a card.

    Each has a ``name``, a ``value`` as edition files have it, a ``provenance`` ("reconstructed ..." is a guess, never
    what is printed), a ``label``, and the ``shape`` of what may stand there (:mod:`tabletop.coach.shapes`). Where the
    game has no ``words`` for them, names are told as they are.
    """
    told: list[Field] = []
    for name, value, source in _sourced(values, without):
        label, shape = within(type(values), name, words or _plainly)
        told.append({"name": name, "value": plain(value, without), "provenance": source, "label": label,
                     "shape": shape})  # fmt: skip
    return told


def _sourced(values: Record, without: Sequence[str]) -> Iterator[tuple[str, Any, str]]:
    return (one for one in values.sourced() if one[0].rpartition(".")[2] not in without)


def _plainly(_: str, name: str) -> str:
    return name.replace("_", " ")


def file_of(edition: Any, shipped: Sequence[str] = ()) -> Path:
    """The owner's file. ValueError: the edition is none, drawn, or one of those that are ``shipped``."""
    if not isinstance(edition, str) or edition in shipped:
        raise ValueError("there is no edition file of yours: start with --edition and a file of your own")
    return Path(edition)


def put_right(
    path: Path, way: Sequence[str], values: Mapping[str, Any], check: Check, anew: bool = False
) -> None:  # fmt: skip
    """Writes what is printed on a card. Comments are lost, so a file that has some is first copied to ``NAME.before``,
    unless there is such a file.

    Args:
        way: the tables of the file that lead to the card.
        values: by name, dotted where a field is within another.
        anew: whether what the file says of the card is left out from now on.

    Raises:
        ValueError: no such file can say this, or the box would not hold together; then nothing is written.
        OSError: it cannot be written.
    """
    whole = read_toml(path)
    card = whole
    for key in way:
        card = card.setdefault(key, {})
    if anew:
        card.clear()
    for name, value in values.items():
        *inside, last = name.split(".")
        inner = card
        for key in inside:
            inner = inner.setdefault(key, {})
            if not isinstance(inner, dict):
                raise ValueError(f"{'.'.join(way)}: there is no {name}, as {key} is {inner!r}")
        inner[last] = value
    with needed():
        import tomli_w
    for name, value in values.items():
        try:
            tomli_w.dumps({name: value})
        except TypeError:
            said = "numbers, text, true, false, and lists and tables of these"
            raise ValueError(f"{'.'.join(way)}: {name} holds null or the like, choose from {said}") from None
    text = tomli_w.dumps(whole)
    check(whole, path.name)
    former, kept = text_of(path), path.with_name(f"{path.name}.before")
    if "#" in former and not kept.exists():
        write_whole(kept, former, like=path)
    write_whole(path, text)


def take(path: Path, text: str, check: Check) -> None:
    """Another text of the file, which is written; it may begin with a byte order mark.

    Raises:
        ValueError: it is no TOML, or no edition; then nothing is written.
        OSError: it cannot be written.
    """
    try:
        whole = tomllib.loads(text.removeprefix("\ufeff"))
    except RecursionError:
        raise ValueError("this is no edition file: brackets within brackets, too many") from None
    except ValueError as error:
        wrong = error if isinstance(error, tomllib.TOMLDecodeError) else "a number has thousands of digits"
        raise ValueError(f"this is no edition file: {wrong}") from None
    check(whole, "this file")
    write_whole(path, text)


__all__ = ["fields", "file_of", "listed", "put_right", "take"]
