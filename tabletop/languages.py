"""The languages that games and the coach speak."""

from __future__ import annotations

LANGUAGES = ("en", "ja")


def check_language(lang: str) -> None:
    """ValueError: there are no words in this language."""
    if lang not in LANGUAGES:
        raise ValueError(f"lang is {lang!r}, choose one of {', '.join(LANGUAGES)}")
