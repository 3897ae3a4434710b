"""What the coach itself says, in every language that it speaks."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

from tabletop.languages import check_language

STATIC = Path(__file__).with_name("static")


@cache
def texts() -> dict[str, dict[str, str]]:
    """All texts: for each language a text for each key. The pages read the same file."""
    read: dict[str, dict[str, str]] = json.loads((STATIC / "words.json").read_text(encoding="utf-8"))
    return read


def say(key: str, lang: str = "en", **values: Any) -> str:
    """One text with its values filled in. ValueError: no such language."""
    check_language(lang)
    return texts()[lang][key].format(**values)
