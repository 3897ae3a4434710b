"""The words themselves, names of numbered things, and numbers of them."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from sammu_env import actions as act
from sammu_env import constants as c
from sammu_env import steps
from tabletop import languages
from tabletop.editions import read_toml
from tabletop.languages import LANGUAGES, check_language

#: The blocks of ``words.toml`` whose entries are numbered, with the keys in the order of their numbers.
KEYS: dict[str, tuple[str, ...]] = {
    "location": c.LOCATIONS,
    "area": c.AREAS,
    "character": c.CHARACTERS,
    "side": c.SIDES,
    "status": c.STATUS,
    "group": c.GROUPS,
    "good": c.GOODS,
    "token": c.KINDS,
    "marker": c.MARKERS,
    "technology": c.TECHNOLOGIES,
    "technology_text": c.TECHNOLOGIES,
    "short_marker": c.MARKERS,
    "short_technology": c.TECHNOLOGIES,
    "short_character": c.CHARACTERS,
    "verb": act.VERBS,
    "stage": c.STAGES,
    "result": c.RESULTS,
    "cause": c.CAUSES,
    "ability": c.ABILITIES,
    "special": c.SPECIALS,
    "effect": c.EFFECTS,
    "condition": c.CONDITIONS,
    "short_effect": c.EFFECTS,
    "short_condition": c.CONDITIONS,
    "short_special": c.SPECIALS,
    "prompt": steps.PROMPTS,
}
#: How many things each block has.
SIZES = {**dict(act.BLOCKS), **{key: len(names) for key, names in KEYS.items()}}


@cache
def table() -> dict[str, dict[str, list[str]]]:
    """All of ``words.toml``: block -> key -> [English, Japanese(, English plural)]."""
    return read_toml(Path(__file__).parents[1] / "data" / "words.toml")


def word(block: str, key: str, lang: str, n: int = 1) -> str:
    """One entry of ``words.toml``; in English the plural where ``n`` is not 1 and there is one.

    Raises:
        ValueError: unknown language, block or key.
    """
    check_language(lang)
    try:
        forms = table()[block][key]
    except KeyError:
        raise ValueError(f"no word for {block!r} {key!r}") from None
    if lang == "en" and n not in (1, -1) and len(forms) > 2:
        return forms[2]
    return forms[LANGUAGES.index(lang)]


def label(key: str, lang: str, **values: Any) -> str:
    """A word of the block "label" with its places filled."""
    if "n" in values and isinstance(values["n"], int):
        values.setdefault("s", "" if values["n"] in (1, -1) else "s")
    return word("label", key, lang).format(**values)


@cache
def name(block: str, index: int, lang: str) -> str:
    """Name of a numbered thing.

    Args:
        block: a block of the catalogue (:data:`sammu_env.actions.BLOCKS`) or a key of :data:`KEYS`, or "zone".
        index: its number in that block, from 0.
        lang: "en" or "ja".

    Raises:
        ValueError: unknown language, block or number; and roads, which only the box can name (see :func:`action`).
    """
    check_language(lang)
    if block == "zone":
        return zone(index, lang)
    if block not in SIZES:
        raise ValueError(f"block {block!r}: choose one of {', '.join(sorted(SIZES))}")
    if not 0 <= index < SIZES[block]:
        raise ValueError(f"{block} {index} is not in 0..{SIZES[block] - 1}")
    if block == "location":
        return location(index, lang)
    if block in KEYS:
        return word(block, KEYS[block][index], lang)
    if block == "road":
        raise ValueError("a road's name needs the box: use road(box, index, lang)")
    if block == "done":
        return word("done", "done", lang)
    if block in ("player", "month"):
        return label(block, lang, n=index + 1)
    first = {"ashur": c.ASHUR_FIRST, "event": c.EVENT_FIRST, "challenge": c.CHALLENGE_FIRST}[block]
    return c.card_id(first + index)


def location(index: int, lang: str) -> str:
    """Name of a location as it is printed on the board, in Japanese with how it is read."""
    printed = word("location", c.LOCATIONS[index], "en")
    return printed if lang == "en" else f"{printed}（{word('location', c.LOCATIONS[index], lang)}）"


def zone(index: int, lang: str) -> str:
    """Name of a zone: an area (0-9), Damascus (10) or Sardes (11)."""
    if index < len(c.AREAS):
        return name("area", index, lang)
    return word("zone", c.ZONES[index], lang)


def road(box: Any, index: int, lang: str) -> str:
    """A road by its two ends; "-" where the edition has no road of that number."""
    box = record(box)
    if index >= int(box["roads"]):
        return "-"
    return "–".join(name("location", int(end), lang) for end in box["road_end"][index])


def record(box: Any) -> Any:
    """The box record itself (shape ()), whether given as such, in an array of one, or inside Components."""
    box = getattr(box, "box", box) if not hasattr(box, "dtype") else box
    return box[0] if getattr(box, "shape", ()) else box


def state(s: Any) -> Any:
    """The state record itself (shape ()), whether given as such or in an array of one."""
    return s[0] if getattr(s, "shape", ()) else s


def title(components: Any, card_id: str, lang: str) -> str:
    """Printed title of a card, or "" when all that is at hand is a box record."""
    find = getattr(components, "title", None)
    found = str(find(card_id, lang)) if find else ""
    return "" if found == card_id else found


def titled(components: Any, card_id: str, lang: str) -> str:
    return f"{card_id} {title(components, card_id, lang)}".rstrip()


def count(n: int, block: str, index: int, lang: str) -> str:
    """A number of things: "2 diviners", 「巫術師2」."""
    noun = word(block, KEYS[block][index], lang, n)
    return f"{n} {noun}" if lang == "en" else f"{noun}{n}"


def listing(items: list[str], lang: str) -> str:
    """Items one after the other, or "none"."""
    return languages.listing(items, lang) or label("none", lang)


def counts(numbers: Any, block: str, lang: str) -> list[str]:
    return [count(int(n), block, i, lang) for i, n in enumerate(numbers) if n]
