"""The box as data: ``data/*.toml``, an edition file over it, or a random box; and the record that is played with.

Every value says in ``provenance`` where it comes from: ``rulebook``, ``public`` or ``reconstructed``; what an edition
file gives is ``edition``, what a random box draws ``drawn``.
"""

from __future__ import annotations

import copy
import hashlib
import json
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from os import PathLike, fspath
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pergamemnon_env.constants import (
    ARMOUR,
    CARDS_OF_A_NATION,
    CREATURES,
    MAX_COPIES,
    MAX_HAND,
    NATIONS,
    WEAPONS,
)
from pergamemnon_env.state import BOX
from tabletop.game import Record

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

DATA = Path(__file__).parent / "data"
FILES = ("army", "creatures", "components")
SKILLS = ("none", "leader", "flee", "secure", "flee and secure")
SEEDS = range(2**31)
#: The least and the most of each number of a card.
LIMITS = {"copies": (1, MAX_COPIES), "attack": (0, 12), "charisma": (0, 9), "points": (0, 12), "cost": (1, 15)}
DEFENCE = (0, 12)

Tree = dict[str, Any]


class Drawn(NamedTuple):
    """A random box (:func:`random_box`)."""

    seed: int


#: What names a box: None or "standard", an edition file, or a random box.
Edition = str | Drawn | None


class EditionError(ValueError):
    """A box cannot be built; every problem has its line."""


@dataclass(frozen=True, eq=False)
class Components:
    """One edition: the record that is played with, shape (1,), read-only; its hash; the values as read."""

    box: Record
    hash: str
    tree: Tree

    def provenance(self) -> Iterator[tuple[str, str, Any, str]]:
        """(name, field, value, provenance) of every value."""
        for path, node in _records(self.tree):
            sources = node["provenance"]
            yield from ((path[-1], "name", path[-1], sources["name"]) for _ in range("name" in sources))
            for field, value in node.items():
                if field != "provenance":
                    yield path[-1], field, value, sources.get(field, sources.get("rest", "missing"))


def names() -> tuple[str, ...]:
    """Of all kinds of cards, in the order of the catalogue."""
    tree = _shipped()
    return (*(name for nation in NATIONS for name in tree["army"][nation]), *tree["creature"])


def named(edition: Edition | PathLike[str]) -> Edition:
    """The one name of each edition: None of the standard one."""
    if edition is None or edition == "standard":
        return None
    return edition if isinstance(edition, Drawn) else fspath(edition)


@lru_cache(maxsize=32)
def load(edition: Edition = None) -> Components:
    """The box, with an edition's values in place of the printed ones.

    Raises:
        EditionError: a wrong name, field or number; every problem has its line.
        OSError: the file cannot be read.
    """
    tree = copy.deepcopy(_shipped())
    problems: list[str] = []
    if isinstance(edition, Drawn):
        _overlay(tree, random_box(edition.seed), [], problems, "drawn")
    elif named(edition) is not None:
        _overlay(tree, _read(Path(str(edition))), [], problems, "edition")
    problems = problems or list(_problems(tree))
    if problems:
        raise EditionError("\n".join(f"{edition or 'data'}: {problem}" for problem in problems))
    box = _compiled(tree)
    box.flags.writeable = False
    plain = [[path, {k: v for k, v in node.items() if k != "provenance"}] for path, node in _records(tree)]
    return Components(box, hashlib.sha256(json.dumps(plain, sort_keys=True).encode()).hexdigest(), tree)


def random_box(seed: int) -> Tree:
    """The values of a box that nobody printed, as an edition file has them: what is reconstructed drawn anew.

    Values of army cards move by up to one, of creatures by up to two; the weapons and skills of a nation are dealt
    anew to its cards, those of the creatures to all creatures. What the rulebook says stays: leaders are captured, no
    number of a card leaves 1 to 11 (a defence or a charisma may be 0), costs are met by no card alone.

    Raises:
        ValueError: ``seed`` is not 0 to 2**31 - 1.
    """
    if isinstance(seed, bool) or not isinstance(seed, (int, np.integer)) or int(seed) not in SEEDS:
        raise ValueError(f"box_seed is {seed!r}, expected a whole number from 0 to {SEEDS[-1]}")
    rng, shipped = np.random.default_rng(int(seed)), _shipped()
    army = {nation: _dealt(shipped["army"][nation], rng, 1) for nation in NATIONS}
    return {"army": army, "creature": _dealt(shipped["creature"], rng, 2)}


def _dealt(cards: Mapping[str, Any], rng: np.random.Generator, most: int) -> Tree:
    """Values anew for the cards of a nation, or for the creatures."""

    def near(value: int, low: int, high: int, by: int) -> int:
        return int(np.clip(value + rng.integers(-by, by + 1), low, high))

    weapons = iter(rng.permutation([card["weapon"] for card in cards.values()]).tolist())
    skills = iter(rng.permutation([c["skill"] for c in cards.values() if c["skill"] != "leader"]).tolist())
    return {
        name: {
            "weapon": next(weapons),
            "attack": near(card["attack"], 1, 11, most),
            "defence": [near(value, 1, 11, 1) for value in card["defence"]],
            "charisma": near(card["charisma"], 0, 5, 1),
            "points": near(card["points"], 1, 11, 1),
            "skill": card["skill"] if card["skill"] == "leader" else next(skills),
        }
        for name, card in cards.items()
    }


@lru_cache(maxsize=1)
def _shipped() -> Tree:
    tree: Tree = {}
    for name in FILES:
        tree |= _read(DATA / f"{name}.toml")
    return tree


def _read(path: Path) -> Tree:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except ValueError as error:
        raise EditionError(f"{path}: not a TOML file: {error}") from None


def _records(node: Tree, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], Tree]]:
    """Every table of values with its path."""
    for name, inner in node.items():
        if "provenance" in inner:
            yield (*path, name), inner
        else:
            yield from _records(inner, (*path, name))


def _overlay(node: Tree, over: Any, path: list[str], problems: list[str], mark: str) -> None:
    """Puts an edition's values over the printed ones, each field as a whole, marked with where it comes from."""
    where = ".".join(path) or "file"
    if not isinstance(over, dict):
        problems.append(f"{where}: found {over!r}, expected a table")
        return
    for key, value in over.items():
        if key not in node or key == "provenance":
            choices = [name for name in node if name != "provenance"]
            problems.append(f"{where}: found {key!r}, expected one of {', '.join(choices)}")
        elif "provenance" not in node:
            _overlay(node[key], value, [*path, key], problems, mark)
        else:
            node[key] = {**node[key], **value} if isinstance(node[key], dict) and isinstance(value, dict) else value
            node["provenance"][key] = mark


def _whole(value: Any, low: int, high: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and low <= value <= high


def _problems(tree: Tree) -> Iterator[str]:
    """What is wrong with the values of a box."""
    for nation in NATIONS:
        cards = tree["army"][nation]
        for name, card in cards.items():
            yield from _card_problems(f"army.{nation}.{name}", card, next(iter(cards)) == name)
        copies = [card["copies"] for card in cards.values()]
        if all(_whole(n, *LIMITS["copies"]) for n in copies) and sum(copies) != CARDS_OF_A_NATION:
            yield f"army.{nation}: {sum(copies)} cards, expected {CARDS_OF_A_NATION}"
    for name, card in tree["creature"].items():
        yield from _card_problems(f"creature.{name}", card, False)
    numbers = {
        "charisma": {"cards": (9, 60), "start": (1, 9)}, "hand": {"size": (3, MAX_HAND), "weakened": (3, 3)},
        "creatures": {"stack": (2, 4), "display": (1, 2)},
    }  # fmt: skip
    for section, fields in numbers.items():
        for field, (low, high) in fields.items():
            value = tree[section][field]
            if isinstance(value, dict) and set(value) != set(NATIONS):
                yield f"{section}.{field}: found {', '.join(map(str, value))}, expected {', '.join(NATIONS)}"
            for number in value.values() if isinstance(value, dict) else [value]:
                if not _whole(number, low, high):
                    yield f"{section}.{field}: found {number!r}, expected a whole number from {low} to {high}"
    for section, field in (("charisma", "start"), ("hand", "size")):
        if not isinstance(tree[section][field], dict):
            yield f"{section}.{field}: found {tree[section][field]!r}, expected a number for each nation"
            return
    cards, start = tree["charisma"]["cards"], tree["charisma"]["start"].values()
    if all(_whole(n, 1, 60) for n in (cards, *start)) and sum(start) > cards:
        yield f"charisma.start: found {sum(start)} cards, expected up to {cards}, as many as there are"


def _card_problems(where: str, card: Tree, leader: bool) -> Iterator[str]:
    for field, (low, high) in LIMITS.items():
        if field in card and not _whole(card[field], low, high):
            yield f"{where}.{field}: found {card[field]!r}, expected a whole number from {low} to {high}"
    if card["weapon"] not in WEAPONS:
        yield f"{where}.weapon: found {card['weapon']!r}, expected one of {', '.join(WEAPONS)}"
    defence = card["defence"]
    if not isinstance(defence, list) or len(defence) != len(ARMOUR) or not all(_whole(x, *DEFENCE) for x in defence):
        yield f"{where}.defence: found {defence!r}, expected {', '.join(ARMOUR)}, each {DEFENCE[0]} to {DEFENCE[1]}"
    skills = ("leader",) if leader else tuple(skill for skill in SKILLS if skill != "leader")
    if card["skill"] not in skills:
        yield f"{where}.skill: found {card['skill']!r}, expected one of {', '.join(skills)}"
    if leader and card.get("copies", 1) != 1:
        yield f"{where}.copies: found {card['copies']!r}, expected 1: a nation has one leader"


def _compiled(tree: Tree) -> Record:
    """The record that is played with."""
    box = np.zeros(1, BOX)
    army = [card for nation in NATIONS for card in tree["army"][nation].values()]
    cards = [*army, *tree["creature"].values()]
    assert len(cards) == len(army) + CREATURES
    box["copies"] = [card["copies"] for card in army]
    for field in ("attack", "defence", "charisma", "points"):
        box[field] = [card[field] for card in cards]
    box["cost"] = [card.get("cost", 0) for card in cards]
    box["weapon"] = [WEAPONS.index(card["weapon"]) for card in cards]
    for skill in ("flee", "secure", "leader"):
        box[skill] = [skill in card["skill"] for card in cards]
    box["charisma_cards"] = tree["charisma"]["cards"]
    box["charisma_start"] = [tree["charisma"]["start"][nation] for nation in NATIONS]
    box["hand_size"] = [tree["hand"]["size"][nation] for nation in NATIONS]
    box["hand_weakened"] = tree["hand"]["weakened"]
    box["stack"], box["display"] = tree["creatures"]["stack"], tree["creatures"]["display"]
    return box
