"""Reading the data files, putting an edition file's values over them, and saying what is wrong with it."""

from __future__ import annotations

import difflib
import sys
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from sammu_env import constants as c
from sammu_env.components.checks import problems
from sammu_env.components.schema import (
    IDS,
    AreaCard,
    AreaRow,
    BagCard,
    Box,
    Challenge,
    Character,
    Counts,
    Event,
    GoodsCard,
    LocationRow,
    Map,
    MarkerRow,
    PlayerRow,
    Record,
    Setup,
    Side,
    TechnologyCard,
    TechnologyRow,
)

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DATA = Path(__file__).parents[1] / "data"
#: The files of the box and the section each holds.
FILES = {
    "map": "map.toml",
    "components": "components.toml",
    "character": "characters.toml",
    "event": "events.toml",
    "ashur": "ashur.toml",
    "challenge": "challenges.toml",
    "marker": "markers.toml",
    "technology": "technologies.toml",
}


class EditionError(ValueError):
    """The box cannot be built. ``problems`` has one line for each: file, card, field, what was found and expected."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        raise EditionError([f"{path}: cannot be read: {error.strerror}"]) from error
    except RecursionError as error:
        raise EditionError([f"{path}: not a TOML file: brackets within brackets, too many"]) from error
    except ValueError as error:  # TOML, UTF-8, or a number of thousands of digits
        raise EditionError([f"{path}: not a TOML file: {error}"]) from error


def _shown(value: Any) -> str:
    """A value that was found, as short as a line can bear."""
    try:
        text = repr(value)
    except (ValueError, RecursionError):  # digits or brackets by the thousand
        text = f"something of type {type(value).__name__}"
    return text if len(text) <= 200 else f"{text[:200]}..."


@lru_cache(maxsize=1)
def base() -> dict[str, Any]:
    return {section: read_toml(DATA / name)[section] for section, name in FILES.items()}


def _is_collection(node: dict[str, Any]) -> bool:
    """A table of records by id, as opposed to a record."""
    return "provenance" not in node


def _expected(found: str, choices: list[str]) -> str:
    near = difflib.get_close_matches(found, choices, 1, 0.5)
    hint = f" (did you mean {near[0]!r}?)" if near else ""
    named = ", ".join(choices) if len(choices) <= 30 else f"{choices[0]} to {choices[-1]}"
    return f"expected one of {named}{hint}"


def overlay(node: dict[str, Any], over: Any, path: list[str], problems: list[str], mark: str = "edition") -> None:
    """Put an edition's values over the printed ones: records by id, each field as a whole, marked with a provenance."""
    if not isinstance(over, dict):
        problems.append(f"{_where(path) or 'file'}: found {_shown(over)}, expected a table of values")
        return
    if path[:1] == ["ashur"] and len(path) == 2 and over.get("kind", node["kind"]) != node["kind"]:
        # Another kind of card has other fields: nothing of the old one stays.
        node.clear()
        node["provenance"] = {}
    for key, value in over.items():
        inner = node.get(key)
        if key == "provenance":
            problems.append(f"{_where(path)}: found 'provenance', expected values only: they are marked 'edition'")
        elif isinstance(inner, dict) and ("provenance" in inner or _all_records(inner)):
            overlay(inner, value, [*path, key], problems, mark)
        elif _is_collection(node):
            problems.append(f"{_where(path) or 'sections'}: found {key!r}, {_expected(key, list(node))}")
        else:
            node[key] = value
            node["provenance"][key] = mark


def _all_records(node: dict[str, Any]) -> bool:
    return bool(node) and all(isinstance(item, dict) and "provenance" in item for item in node.values())


def _where(path: list[str]) -> str:
    """``event.SAM-026: banner[0].kind`` of a path."""
    cards = path[0] in IDS if path else False
    head, tail = (path[:2], path[2:]) if cards else (path[:1], path[1:])
    text = ".".join(tail).replace(".[", "[")
    return ".".join(head) + (f": {text}" if text else "")


def _from_pydantic(error: ValidationError) -> list[str]:
    return [_line(item) for item in error.errors(include_url=False)]


def _line(item: Mapping[str, Any]) -> str:
    """One pydantic error as ``card: field: found, expected``."""
    path: list[str] = []
    tag_next = False
    for part in item["loc"]:
        # The union's tag is no part of the file: it follows a list index, or an Ashur card's id.
        if tag_next and part in (*c.EFFECTS, *c.CONDITIONS, *c.SPECIALS, "area", "technology", "bag", "goods"):
            tag_next = False
            continue
        if part == "[key]":  # a name on the left of "=": the found value says it
            path.pop()
            continue
        path.append(f"[{part}]" if isinstance(part, int) else str(part))
        tag_next = isinstance(part, int) or (len(path) == 2 and path[0] == "ashur")
    found, message = item["input"], item["msg"].removeprefix("Value error, ")
    if item["type"] == "missing":
        return f"{_where(path)}: missing, expected a value"
    if item["type"] == "extra_forbidden":
        return f"{_where(path[:-1])}: found {path[-1]!r}, expected no such field{_fields_hint(path)}"
    if item["type"].startswith("union_tag"):
        tag = item["ctx"]["discriminator"].strip("'")
        given = found.get(tag) if isinstance(found, dict) else found
        return f"{_where(path)}.{tag}: found {_shown(given)}, expected one of {item['ctx'].get('expected_tags', tag)}"
    if isinstance(found, dict):
        return f"{_where(path)}: {message}"
    message = message.replace("Input should be", "expected")
    return f"{_where(path)}: found {_shown(found)}, {message}"


_FIELDS: dict[str, type[Record]] = {
    "event": Event, "challenge": Challenge, "character": Character, "marker": MarkerRow, "technology": TechnologyRow,
    "map": Map, "components": Counts,
}  # fmt: skip
_SUBFIELDS: dict[str, type[Record]] = {
    "setup": Setup, "location": LocationRow, "area": AreaRow, "players": PlayerRow, "public": Side, "personal": Side,
    "solo": Side, "side_a": Side, "side_b": Side,
}  # fmt: skip
_ASHUR = {"area": AreaCard, "technology": TechnologyCard, "bag": BagCard, "goods": GoodsCard}


def _fields_hint(path: list[str]) -> str:
    """The fields there are, for a name that is none of them."""
    inner = next((_SUBFIELDS[name] for name in reversed(path[1:-1]) if name in _SUBFIELDS), None)
    if any(part.startswith("[") for part in path):
        return ""
    model = inner or _FIELDS.get(path[0])
    if model is None:
        return ""
    names = [name for name in model.model_fields if name != "provenance"]
    near = difflib.get_close_matches(path[-1], names, 1)
    return f"; there are {', '.join(names)}" + (f" (did you mean {near[0]!r}?)" if near else "")


def validated(tree: dict[str, Any], source: str) -> Box:
    """The whole tree as models, or every problem at once."""
    try:
        b = Box.model_validate(tree)
    except ValidationError as error:
        raise EditionError([f"{source}: {line}" for line in _from_pydantic(error)]) from error
    found = problems(b)
    if found:
        raise EditionError([f"{source}: {line}" for line in found])
    return b


@lru_cache(maxsize=1)
def shipped() -> Box:
    """The box as shipped, as models."""
    return validated(base(), "data")
