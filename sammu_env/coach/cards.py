"""Cards as they turn up in the owner's box: what is believed of each, where it comes from, and what is printed instead.

What differs is written to the owner's edition file at once; all that is there is marked ``edition``.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

from sammu_env import components, words
from sammu_env import constants as c
from sammu_env.coach import facts
from sammu_env.components import Components, Edition
from sammu_env.components.schema import IDS, Box
from tabletop.coach.shapes import sorts, within
from tabletop.editions import Record, inside, opened, plain, read_toml, tag_of
from tabletop.needs import needed

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
    files have it, a ``provenance`` ("reconstructed ..." is a guess, never what is printed), a ``label``, and the
    ``shape`` of what may stand there (:mod:`tabletop.coach.shapes`).

    Raises:
        ValueError: there is no such card.
    """
    kind, rules = opened(inside(inside(Box, _section(card)), card))
    record, tag, said = box.card(card), tag_of(rules), partial(_said, box, lang)
    fields = []
    for name, value, source in _values(record):
        label, shape = within(type(record), name, said)
        if name == tag:
            shape = {"kind": "sort", "choices": sorts(kind, tag, said)}
        fields.append({"name": name, "value": plain(value, components.WORDS), "provenance": source, "label": label,
                       "shape": shape})  # fmt: skip
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
    if _another_kind(components.load(edition), card, values):
        whole.get(section, {}).pop(card, None)
    for name, value in values.items():
        inner = whole.setdefault(section, {}).setdefault(card, {})
        *way, last = name.split(".")
        for key in way:
            inner = inner.setdefault(key, {})
        inner[last] = value
    with needed():
        import tomli_w
    try:
        text = tomli_w.dumps(whole)
    except TypeError as error:
        raise ValueError(f"{section}.{card}: no edition file can say this: {error}") from None
    components.overlaid(whole, path.name)
    _write(path, text)


def _another_kind(box: Components, card: str, values: Mapping[str, Any]) -> bool:
    """Whether a card becomes one of another kind, with other fields: nothing of the old one stays."""
    tag = tag_of(opened(inside(inside(Box, _section(card)), card))[1])
    return tag in values and values[tag] != getattr(box.card(card), tag)


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


def _values(record: Record) -> Iterator[tuple[str, Any, str]]:
    """Names, values and sources of what is played with."""
    return (one for one in record.sourced() if one[0].rpartition(".")[2] not in components.WORDS)


def _printed(box: Components, card: str) -> bool:
    return not any(source.startswith(GUESSED) for _, _, source in _values(box.card(card)))


def _said(box: Components, lang: str, of: str, name: str) -> str:
    """The words for a name in a form (:data:`tabletop.coach.shapes.Words`)."""
    if of == "field":
        return words.word("field", name, lang)
    if of in ("effect", "condition", "special"):
        return words.word(f"short_{of}", name, lang)
    if of == "kind" and name in words.table()["card_kind"]:
        return words.word("card_kind", name, lang)
    if of == "abilities":
        return words.word("ability", name, lang).format(n="…")
    if of == "group":
        return words.word("group", name, lang, n=2)
    if of == "monthly":
        return words.label("months_range" if "-" in name else "month", lang, n=name)
    if name in words.table()["choice"]:
        return words.word("choice", name, lang)
    return name if name in c.LETTERS else facts.named(box, name, lang)
