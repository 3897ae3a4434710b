"""The languages that games and the coach speak."""

from __future__ import annotations

from collections.abc import Iterable

LANGUAGES = ("en", "ja")


def check_language(lang: str) -> None:
    """ValueError: there are no words in this language."""
    if lang not in LANGUAGES:
        raise ValueError(f"lang is {lang!r}, choose one of {', '.join(LANGUAGES)}")


def listing(parts: Iterable[str], lang: str = "en") -> str:
    """Several things, one after the other: "grain, wool"; of none, nothing."""
    return ("、" if lang == "ja" else ", ").join(parts)
