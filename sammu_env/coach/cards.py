"""Cards as they turn up in the owner's box: what is believed of each, where it comes from, and what is printed instead.

What differs is written to the owner's edition file at once; all that is there is marked ``edition``.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import Any

from sammu_env import components, words
from sammu_env import constants as c
from sammu_env.coach import facts
from sammu_env.components import Components, Edition
from sammu_env.components.schema import IDS, Box
from tabletop.coach import owner
from tabletop.coach.shapes import sorts
from tabletop.editions import inside, opened, tag_of
from tabletop.files import text_of


def listed(box: Components, lang: str = "en") -> list[dict[str, Any]]:
    """Every card that has a number, as :func:`tabletop.coach.owner.listed`."""
    return [_listed(box, card, lang) for card in box.cards if card.startswith("SAM-")]


def _listed(box: Components, card: str, lang: str) -> dict[str, Any]:
    return owner.listed(card, box.title(card, lang), box.card(card), components.WORDS)


def one(box: Components, card: str, lang: str = "en") -> dict[str, Any]:
    """A card: besides what :func:`listed` gives, its ``text`` and its ``fields`` (:func:`tabletop.coach.owner.fields`).

    Raises:
        ValueError: there is no such card.
    """
    kind, rules = opened(inside(inside(Box, _section(card)), card))
    said, tag = partial(_said, box, lang), tag_of(rules)
    fields = owner.fields(box.card(card), said, components.WORDS)
    for field in fields:
        if field["name"] == tag:
            field["shape"] = {"kind": "sort", "choices": sorts(kind, tag, said)}
    return {**_listed(box, card, lang), "text": words.card(box, card, lang), "fields": fields}


def put_right(edition: Edition, card: str, values: Mapping[str, Any]) -> None:
    """Writes what is printed on a card, by names as in :func:`one`, as :func:`tabletop.coach.owner.put_right`; errors
    also where the edition is no file, or there is no such card."""
    path, way = _owners(edition), (_section(card), card)
    owner.put_right(path, way, values, components.overlaid, _another_kind(components.load(edition), card, values))


def _another_kind(box: Components, card: str, values: Mapping[str, Any]) -> bool:
    """Whether a card becomes one of another kind, with other fields: nothing of the old one stays."""
    tag = tag_of(opened(inside(inside(Box, _section(card)), card))[1])
    return bool(tag) and tag in values and values[tag] != getattr(box.card(card), tag)


def text(edition: Edition) -> str:
    """The owner's edition file. ValueError: the edition is no file, or no text. OSError: it cannot be read."""
    return text_of(_owners(edition))


def take(edition: Edition, text: str) -> None:
    """As :func:`tabletop.coach.owner.take`; also ValueError: the edition is no file."""
    owner.take(_owners(edition), text, components.overlaid)


def _owners(edition: Edition) -> Path:
    return owner.file_of(components.named(edition), components.BESIDE)


def _section(card: str) -> str:
    for section, ids in IDS.items():
        if card in ids and card.startswith("SAM-"):
            return section
    raise ValueError(f"there is no card {card!r}: choose SAM-001 to SAM-198")


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
