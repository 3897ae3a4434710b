"""Cards as they turn up in the owner's box: what is believed of each, where it comes from, and what is printed instead.

What differs is written to the owner's edition file at once; all that is there is marked ``edition``.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from sammu_env import components, words
from sammu_env.components import Components, Edition
from sammu_env.components.schema import IDS
from tabletop.coach import owner


def listed(box: Components, lang: str = "en") -> list[dict[str, Any]]:
    """Every card that has a number, as :func:`tabletop.coach.owner.listed`."""
    return [_listed(box, card, lang) for card in box.cards if card.startswith("SAM-")]


def _listed(box: Components, card: str, lang: str) -> dict[str, Any]:
    return owner.listed(card, box.title(card, lang), box.card(card))


def one(box: Components, card: str, lang: str = "en") -> dict[str, Any]:
    """A card: besides what :func:`listed` gives, its ``text`` and its ``fields`` (:func:`tabletop.coach.owner.fields`).

    Raises:
        ValueError: there is no such card.
    """
    _section(card)
    return {**_listed(box, card, lang), "text": words.card(box, card, lang),
            "fields": owner.fields(box.card(card), components.WORDS)}  # fmt: skip


def put_right(edition: Edition, card: str, values: Mapping[str, Any]) -> None:
    """Writes what is printed on a card, by names as in :func:`one`, as :func:`tabletop.coach.owner.put_right`; errors
    also where the edition is no file, or there is no such card."""
    owner.put_right(_owners(edition), (_section(card), card), values, components.overlaid)


def text(edition: Edition) -> str:
    """The owner's edition file. ValueError: the edition is no file. OSError: it cannot be read."""
    return _owners(edition).read_text(encoding="utf-8")


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
