"""The box: data files, what an edition or a seed puts over them, what is wrong with it, and the record that rules read.

An edition is "standard" (or None), a name of ``data/editions``, a path of a TOML file, or :class:`Drawn`.
"""

from __future__ import annotations

import copy
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from tabletop.game import Record
from xerxes_env import constants as c
from xerxes_env.state import BOX

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DATA = Path(__file__).parent / "data"
STANDARD = "standard"
NAMED = (STANDARD, *sorted(path.stem for path in (DATA / "editions").glob("*.toml")))
SEEDS = range(2**31)
MOST_VP, MOST_COST = 20, 3


class Drawn(NamedTuple):
    """A random box: all that is reconstructed is drawn anew."""

    seed: int


Edition = str | Drawn | None


class BoxError(ValueError):
    """The box cannot be built. ``problems`` has one line for each."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Components(NamedTuple):
    """One edition of the box."""

    data: Mapping[str, Any]  #: as in ``data/box.toml``
    box: Record  #: shape (1,), dtype BOX
    hash: str


def named(edition: Any) -> Edition:
    """An edition as it is kept: names as they are, files by their whole path.

    Raises:
        ValueError: it is none; the message says what there is.
    """
    if edition is None or edition == STANDARD:
        return None
    if isinstance(edition, Drawn):
        if isinstance(edition.seed, bool) or not isinstance(edition.seed, (int, np.integer)):
            raise ValueError(f"box_seed is {edition.seed!r}, choose one of 0 to {SEEDS[-1]}")
        if edition.seed not in SEEDS:
            raise ValueError(f"box_seed is {edition.seed!r}, choose one of 0 to {SEEDS[-1]}")
        return Drawn(int(edition.seed))
    if not isinstance(edition, (str, PathLike)):
        raise ValueError(f"edition is {edition!r}, choose one of {', '.join(NAMED)}, or a TOML file")
    text = fspath(edition)
    if text in NAMED:
        return text
    if not text.endswith(".toml"):
        raise ValueError(f"edition is {text!r}, choose one of {', '.join(NAMED)}, or a TOML file")
    return str(Path(text).resolve())


def read(path: Path) -> dict[str, Any]:
    """A TOML file.

    Raises:
        OSError: it cannot be read; BoxError: it is not TOML.
    """
    text = path.read_bytes()
    try:
        return tomllib.loads(text.decode("utf-8-sig"))
    except (ValueError, RecursionError) as error:
        raise BoxError([f"{path}: not a TOML file: {error}"]) from error


def overlay(edition: Edition) -> tuple[dict[str, Any], str]:
    """What an edition puts over the standard box, and the provenance of these values."""
    if edition is None:
        return {}, ""
    if isinstance(edition, Drawn):
        from xerxes_env.random_box import draw

        return draw(edition.seed), f"random box {edition.seed}"
    path = DATA / "editions" / f"{edition}.toml" if edition in NAMED else Path(edition)
    return read(path), f"edition {path.name}"


def put_over(data: dict[str, Any], over: Mapping[str, Any], provenance: str) -> list[str]:
    """Replaces values of the box, whole fields at a time; returns what the box does not have."""
    problems = []
    for section, rows in over.items():
        if section not in data:
            problems.append(f"{section}: no such section, choose from {', '.join(data)}")
        elif not isinstance(rows, Mapping):
            problems.append(f"{section}: is {rows!r}, expected a table")
        elif section in ("game", "mat"):
            problems += _replace(section, data[section], rows, provenance)
        else:
            for name, row in rows.items():
                if name not in data[section]:
                    problems.append(f"{section}.{name}: no such row, choose from {', '.join(data[section])}")
                elif not isinstance(row, Mapping):
                    problems.append(f"{section}.{name}: is {row!r}, expected a table")
                else:
                    problems += _replace(f"{section}.{name}", data[section][name], row, provenance)
    return problems


#: Fields of which a row has just one.
ONE_OF = ({"no_resource", "no_building", "any_resources", "any_unit"}, {"vp", "unit"})
FIELDS = {
    "area": {"resources", "unit"}, "event": ONE_OF[0], "building": {"cost", "vp", "loss"}, "march": {"units"},
    "tax": {"cost", *ONE_OF[1]},
}  # fmt: skip


def _replace(where: str, row: dict[str, Any], over: Mapping[str, Any], provenance: str) -> list[str]:
    fields = FIELDS.get(where.partition(".")[0], set(row)) - {"provenance"}
    told = over.get("provenance", {})
    problems = []
    for field, value in over.items():
        if field == "provenance":
            continue
        if field not in fields:
            problems.append(f"{where}.{field}: no such field, choose from {', '.join(sorted(fields))}")
            continue
        for group in ONE_OF if where.partition(".")[0] in ("event", "tax") else ():
            for other in group - {field} if field in group else ():
                row.pop(other, None)
        row[field] = copy.deepcopy(value)
        row["provenance"][field] = told.get(field, told.get("rest", provenance))
    return problems


def problems(data: Mapping[str, Any]) -> Iterator[str]:
    """What is wrong with the values of a box, a line each."""
    ranges = {"goal": (1, 100), "limit": (1, 9), "tax_kept": (1, c.TAX_DEALT), "march_kept": (1, c.MARCH_DEALT),
              "same_rewards": (4, c.TAX_DEALT + 1), "march_vp": (0, MOST_VP), "march_loss": (0, 5)}  # fmt: skip
    game = data["game"]
    for field, (least, most) in ranges.items():
        yield from _number(f"game.{field}", game[field], least, most)
    sides = data["mat"]["sides"]
    if not _is_list(sides) or not all(map(_is_list, sides)) or [len(x) for x in sides] != [2] * c.N_MATS:
        yield f"mat.sides: is {sides!r}, expected {c.N_MATS} pairs of satraps"
    elif sorted(str(one) for side in sides for one in side) != sorted(c.SATRAPS):
        yield f"mat.sides: is {sides!r}, expected each of {', '.join(c.SATRAPS)} once"
    for name, row in data["area"].items():
        yield from _names(f"area.{name}.resources", row["resources"], c.RESOURCES, 0, 12)
        yield from _names(f"area.{name}.unit", [row["unit"]], c.UNITS, 1, 1)
    for name, row in data["event"].items():
        for field, names in (("no_resource", c.RESOURCES), ("no_building", c.BUILDINGS)):
            if field in row:
                yield from _names(f"event.{name}.{field}", [row[field]], names, 1, 1)
        for field, most in (("any_resources", 6), ("any_unit", 3)):
            if field in row:
                yield from _number(f"event.{name}.{field}", row[field], 1, most)
    for name, row in data["building"].items():
        yield from _cost(f"building.{name}.cost", row["cost"])
        yield from _number(f"building.{name}.loss", row["loss"], 0, 5)
        if not _is_list(row["vp"]) or len(row["vp"]) != c.ROUNDS:
            yield f"building.{name}.vp: is {row['vp']!r}, expected {c.ROUNDS} numbers, one for each round"
        else:
            for vp in row["vp"]:
                yield from _number(f"building.{name}.vp", vp, 0, MOST_VP)
    for name, row in data["march"].items():
        yield from _names(f"march.{name}.units", row["units"], c.UNITS, 1, 6)
    for name, row in data["tax"].items():
        yield from _cost(f"tax.{name}.cost", row["cost"])
        if "vp" in row:
            yield from _number(f"tax.{name}.vp", row["vp"], 0, MOST_VP)
        else:
            yield from _names(f"tax.{name}.unit", [row["unit"]], c.UNITS, 1, 1)
    for_vp = sum("vp" in row for row in data["tax"].values())
    if not 8 <= for_vp <= c.N_TAX - 8 and _whole(game["same_rewards"]) and game["same_rewards"] <= c.TAX_DEALT:
        yield f"tax: {for_vp} cards are for VP, expected 8 to {c.N_TAX - 8}: or hands are dealt again and again"


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


def _is_list(value: Any) -> bool:
    return isinstance(value, (list, tuple))


def _number(where: str, value: Any, least: int, most: int) -> Iterator[str]:
    if not _whole(value) or not least <= value <= most:
        yield f"{where}: is {value!r}, expected {least} to {most}"


def _names(where: str, value: Any, names: tuple[str, ...], least: int, most: int) -> Iterator[str]:
    if not _is_list(value) or not least <= len(value) <= most or not all(one in names for one in value):
        shown = value[0] if least == most == 1 else value
        yield f"{where}: is {shown!r}, expected {least} to {most} of {', '.join(names)}"


def _cost(where: str, value: Any) -> Iterator[str]:
    if not isinstance(value, Mapping) or not value or not all(name in c.RESOURCES for name in value):
        yield f"{where}: is {value!r}, expected numbers of {', '.join(c.RESOURCES)}"
        return
    for name, n in value.items():
        yield from _number(f"{where}.{name}", n, 1, MOST_COST)


def _compile(data: Mapping[str, Any]) -> Record:
    box = np.zeros(1, BOX)
    one = box[0]
    for field in ("goal", "limit", "tax_kept", "march_kept", "same_rewards", "march_vp", "march_loss"):
        one[field] = data["game"][field]
    for mat, sides in enumerate(data["mat"]["sides"]):
        for side in sides:
            one["mat"][c.SATRAPS.index(side)] = mat
    for i, row in enumerate(data["area"].values()):
        for resource in row["resources"]:
            one["area_resource"][i, c.RESOURCES.index(resource)] += 1
        one["area_unit"][i] = c.UNITS.index(row["unit"])
    for i, row in enumerate(data["event"].values()):
        one["event_no_resource"][i] = _place(c.RESOURCES, row.get("no_resource"))
        one["event_no_building"][i] = _place(c.BUILDINGS, row.get("no_building"))
        one["event_resources"][i], one["event_units"][i] = row.get("any_resources", 0), row.get("any_unit", 0)
    for i, row in enumerate(data["building"].values()):
        one["building_cost"][i] = _amounts(row["cost"])
        one["building_vp"][i], one["building_loss"][i] = row["vp"], row["loss"]
    for i, row in enumerate(data["march"].values()):
        for unit in row["units"]:
            one["march_unit"][i, c.UNITS.index(unit)] += 1
    for i, row in enumerate(data["tax"].values()):
        one["tax_cost"][i] = _amounts(row["cost"])
        one["tax_vp"][i], one["tax_unit"][i] = row.get("vp", 0), _place(c.UNITS, row.get("unit"))
    return box


def _place(names: tuple[str, ...], name: str | None) -> int:
    return c.NONE if name is None else names.index(name)


def _amounts(cost: Mapping[str, int]) -> list[int]:
    return [cost.get(name, 0) for name in c.RESOURCES]


@lru_cache(maxsize=1)
def standard() -> dict[str, Any]:
    """The data of the standard box; not to be written to."""
    return read(DATA / "box.toml")


@lru_cache(maxsize=256)
def load(edition: Edition = None) -> Components:
    """An edition of the box, as :func:`named` gives it.

    Raises:
        BoxError: it is wrong; every problem has its line.
        OSError: the file cannot be read.
    """
    data = copy.deepcopy(standard())
    over, provenance = overlay(edition)
    found = put_over(data, over, provenance)
    if found := found or list(problems(data)):
        raise BoxError([f"{provenance or 'box.toml'}: {line}" for line in found])
    box = _compile(data)
    box.flags.writeable = False
    values = {section: _values(rows) for section, rows in data.items()}
    return Components(data, box, hashlib.sha256(json.dumps(values).encode()).hexdigest())


def _values(rows: Any) -> Any:
    """The rows without their provenance."""
    if not isinstance(rows, Mapping):
        return rows
    return {name: _values(row) for name, row in sorted(rows.items()) if name != "provenance"}


def table(components: Components) -> list[tuple[str, str, str, str]]:
    """Every value of a box with where it comes from: row, field, value, provenance."""
    found = []
    for section, rows in components.data.items():
        for name, row in {section: rows}.items() if section in ("game", "mat") else rows.items():
            told = row["provenance"]
            where = name if name == section else f"{section}.{name}"
            for field, value in row.items():
                if field != "provenance":
                    found.append((where, field, json.dumps(value), told.get(field, told["rest"])))
    return found
