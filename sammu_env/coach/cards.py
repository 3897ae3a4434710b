"""Cards as they turn up in the owner's box: what is believed of each, where it comes from, and what is printed instead.

What differs is written to the owner's edition file at once; all that is there is marked ``edition``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import tomli_w

from sammu_env import components, words
from sammu_env.components import Components, Edition
from sammu_env.components.schema import IDS
from tabletop.editions import plain, read_toml

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

GUESSED = "reconstructed"


def listed(box: Components, lang: str = "en") -> list[dict[str, Any]]:
    """Every card that has a number: ``id``, ``title``, and ``printed``: whether all of its values are known to be."""
    return [{"id": card, "title": box.title(card, lang), "printed": _printed(box, card)}
            for card in box.cards if card.startswith("SAM-")]  # fmt: skip


def one(box: Components, card: str, lang: str = "en") -> dict[str, Any]:
    """A card: besides what :func:`listed` gives, its ``text`` and its ``fields``: a ``name``, a ``value`` as edition
    files have it, and a ``provenance``: "reconstructed ..." is a guess, never what is printed.

    Raises:
        ValueError: there is no such card.
    """
    _section(card)
    fields = [{"name": name, "value": plain(value, components.WORDS), "provenance": source}
              for name, value, source in box.card(card).sourced() if name not in components.WORDS]  # fmt: skip
    return {"id": card, "title": box.title(card, lang), "printed": _printed(box, card),
            "text": words.card(box, card, lang), "fields": fields}  # fmt: skip


def put_right(edition: Edition, card: str, values: Mapping[str, Any]) -> None:
    """Writes what is printed on a card to the owner's edition file; the file is whole at any time.

    Args:
        values: by names as in :func:`one`, dotted where a field is within another.

    Raises:
        ValueError: the edition is no file, there is no such card, or the box would not hold together; then nothing is
            written.
        OSError: it cannot be written.
    """
    path, section = _owners(edition), _section(card)
    whole = read_toml(path)
    for name, value in values.items():
        inner = whole.setdefault(section, {}).setdefault(card, {})
        *way, last = name.split(".")
        for key in way:
            inner = inner.setdefault(key, {})
        inner[last] = value
    components.overlaid(whole, str(path))
    _write(path, tomli_w.dumps(whole))


def text(edition: Edition) -> str:
    """The owner's edition file. ValueError: the edition is no file. OSError: it cannot be read."""
    return _owners(edition).read_text(encoding="utf-8")


def take(edition: Edition, text: str) -> None:
    """Another text of the owner's edition file, which is written; as :func:`put_right`.

    Raises:
        ValueError: the edition is no file, or the text is no TOML or no edition; then nothing is written.
        OSError: it cannot be written.
    """
    path = _owners(edition)
    try:
        whole = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # no TOML, numbers of thousands of digits, too many brackets
        raise ValueError(f"this is no edition file: {error}") from None
    components.overlaid(whole, "this file")
    _write(path, text)


def _owners(edition: Edition) -> Path:
    if not isinstance(edition, str) or components.named(edition) in (None, *components.BESIDE):
        raise ValueError("there is no edition file of yours: start with --edition and a file of your own")
    return Path(edition)


def _write(path: Path, text: str) -> None:
    draft = path.with_name(f"{path.name}.part")
    with draft.open("w", encoding="utf-8") as file:
        file.write(text)
        file.flush()
        os.fsync(file.fileno())
    draft.replace(path)


def _section(card: str) -> str:
    for section, ids in IDS.items():
        if card in ids and card.startswith("SAM-"):
            return section
    raise ValueError(f"there is no card {card!r}: choose SAM-001 to SAM-198")


def _printed(box: Components, card: str) -> bool:
    return not any(source.startswith(GUESSED) for _, _, source in box.card(card).sourced())
