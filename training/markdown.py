"""Generated tables in pages that are otherwise written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

BEGIN, END = "<!-- tables: begin -->", "<!-- tables: end -->"


def table(rows: Sequence[Sequence[str]]) -> str:
    """A Markdown table; the first row is its head."""
    lines = ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join([lines[0], "|" + " --- |" * len(rows[0]), *lines[1:]])


def rewrite(page: str, text: str) -> str:
    """The page with ``text`` between its two marker comments.

    Raises:
        ValueError: the page lacks them.
    """
    head, begin, rest = page.partition(BEGIN)
    _, end, tail = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"the page lacks the lines {BEGIN} and {END}")
    return f"{head}{BEGIN}\n{text}{END}{tail}"


def check(page: Path) -> None:
    """Raises: ValueError: the page lacks its marker comments (to be known before the tables are made)."""
    rewrite(_read(page), "")


def write(page: Path, text: str) -> None:
    """Puts ``text`` between the page's marker comments, or begins a page of it; errors as of :func:`rewrite`."""
    page.write_text(rewrite(_read(page), text), encoding="utf-8")


def _read(page: Path) -> str:
    return page.read_text(encoding="utf-8") if page.exists() else f"{BEGIN}\n{END}\n"
