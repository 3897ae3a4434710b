"""Rows of programs and win conditions in words, and what the places of a template stand for."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sammu_env import constants as c
from sammu_env.words.names import KEYS, label, listing, name, table, titled, word, zone

#: Of which block the number of a sort is.
_BLOCK_OF = {
    "kind": "token",
    "area": "area",
    "location": "location",
    "character": "character",
    "good": "good",
    "marker": "marker",
    "verb": "verb",
    "group": "group",
}


def template_values(sorts: Mapping[str, str], numbers: Any, box: Any, lang: str) -> dict[str, Any]:
    """What the places of a template stand for, from the numbers of a row or a frame."""
    plain = {key: int(number) for key, number in zip(sorts, numbers, strict=False)}
    values = {key: template_value(sorts[key], number, box, lang) for key, number in plain.items()}
    n = plain.get("n", 1)
    for key, block in (("kind", "token"), ("marker", "marker"), ("group", "group")):
        if plain.get(key, -1) >= 0:
            number = n if key == "kind" else 2
            values[key + "s"] = word(block, KEYS[block][plain[key]], lang, number)
    values["s"] = "" if n in (1, -1) else "s"
    values["enemies"] = word("label", "enemy", lang) if n == 1 else word("label", "enemies", lang).lower()
    return values


def template_value(sort: str, number: int, box: Any, lang: str) -> Any:
    if sort in _BLOCK_OF:
        return name(_BLOCK_OF[sort], number, lang) if number >= 0 else label("any_area", lang)
    if sort == "zone":
        return zone(number, lang) if number >= 0 else label("any_area", lang)
    if sort == "seat":
        return label("player", lang, n=number + 1)
    if sort == "card":
        return titled(box, name("ashur", number, lang), lang)
    if sort == "event":
        return titled(box, name("event", number, lang), lang)
    if sort == "letter":
        return "ABCDE"[number] if number >= 0 else "A-E"
    if sort == "month":
        return number + 1
    if sort == "at" and number >= 0:
        far = number - len(c.LOCATIONS)
        return name("location", number, lang) if far < 0 else label("farthest", lang, area=name("area", far, lang))
    if sort == "several":
        return listing([name("area", a, lang) for a in range(len(c.AREAS)) if number >> a & 1], lang)
    return number


def effect(box: Any, row: Any, lang: str) -> str:
    """What one row (effect, a, b, c) of a program does, or "" for an empty row."""
    return _row("effect", c.EFFECT_ROWS, box, row, lang)


def _row(block: str, rows: tuple[c.Row, ...], box: Any, row: Any, lang: str) -> str:
    """A row in words: those for what one of its fields says (``pay_each_draw``), if there are any."""
    number, *numbers = (int(v) for v in row)
    if number == 0:
        return ""
    key, fields = rows[number]
    special = [f"{key}_{_said(field, n)}" for field, n in zip(fields, numbers, strict=False)]
    found = next((x for x in special if x in table()[block]), key)
    values = template_values({field.name: field.sort for field in fields}, numbers, box, lang)
    return word(block, found, lang).format(**values)


def _said(field: c.Field, number: int) -> str:
    """The name that the number of a field stands for; "any" for 0 or 1 area, "nowhere" for no place; else nothing."""
    names = c.NAMED.get(field.sort, ())
    if 0 <= number < len(names):
        return names[number]
    if field.sort == "areas" and number <= 1:
        return "any"
    if field.sort == "at" and number < 0:
        return "nowhere"
    return next((word for word, n in c.WORDS.items() if n == number and word in field.allowed.split("|")), "")


def program(box: Any, rows: Any, lang: str) -> list[str]:
    """Every line of a program of effects, in order."""
    return [text for text in (effect(box, row, lang) for row in rows) if text]


def condition(box: Any, row: Any, lang: str) -> str:
    """What one row of a win condition asks, or "" for an empty row."""
    return _row("condition", c.CONDITION_ROWS, box, row, lang)
