"""Cards as they turn up in the owner's box: what is believed of each, where it comes from, and what is printed instead.

What differs is written to the owner's edition file at once; all that is there is marked ``edition``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sammu_env import components, words
from sammu_env.components import Components, Edition
from sammu_env.components.schema import IDS
from tabletop.editions import plain, read_toml
from tabletop.needs import needed

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
    if not isinstance(edition, str) or components.named(edition) in (None, *components.BESIDE):
        raise ValueError("there is no edition file to write to: start with --edition and an owner's file of your own")
    path, section = Path(edition), _section(card)
    whole = read_toml(path)
    for name, value in values.items():
        inner = whole.setdefault(section, {}).setdefault(card, {})
        *way, last = name.split(".")
        for key in way:
            inner = inner.setdefault(key, {})
        inner[last] = value
    components.overlaid(whole, str(path))
    with needed():
        import tomli_w
    draft = path.with_name(f"{path.name}.part")
    with draft.open("w", encoding="utf-8") as file:
        file.write(tomli_w.dumps(whole))
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
