"""The box: what its files may say, what an edition or a seed puts over them, and the record that rules read.

An edition is "standard" (or None), a path of a TOML file, or ``tabletop.boxes.Drawn``.
"""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from pydantic import Field

from pergamemnon_env import constants as c
from pergamemnon_env.random_box import draw
from pergamemnon_env.state import BOX
from tabletop import boxes, editions
from tabletop.boxes import Drawn
from tabletop.editions import Components, Strict, one_of, overlaid, read_toml, validated
from tabletop.game import Record

DATA = Path(__file__).parent / "data"
FILES = ("army", "creatures", "components")
STANDARD = "standard"


Edition = str | Drawn | None


# What the files may say

Weapon = Annotated[str, one_of(c.WEAPONS)]
Skill = Annotated[str, one_of(("none", "leader", "flee", "secure", "flee and secure"))]
Value = Annotated[int, Field(ge=0, le=12)]
Charisma = Annotated[int, Field(ge=0, le=9)]


def _each_nation(low: int, high: int) -> Any:
    """A number for each nation."""
    number, nations = Annotated[int, Field(ge=low, le=high)], Annotated[str, one_of(c.NATIONS)]
    return Annotated[dict[nations, number], Field(min_length=len(c.NATIONS))]  # type: ignore[valid-type]


class Row(editions.Record):
    """A card or a table row; cards also say where their name comes from. The translated rulebook has no pages."""

    SOURCE = re.compile(r"(rulebook|public|reconstructed|edition)\b")
    SOURCES = "'rulebook', 'public' or 'reconstructed'"
    BESIDES = ("name",)


class Card(Row):
    weapon: Weapon
    attack: Value
    defence: Annotated[list[Value], Field(min_length=len(c.ARMOUR), max_length=len(c.ARMOUR))]  #: constants.ARMOUR
    charisma: Charisma
    points: Value
    skill: Skill


class Soldier(Card):
    copies: Annotated[int, Field(ge=1, le=c.MAX_COPIES)]


class Creature(Card):
    cost: Annotated[int, Field(ge=1, le=15)]


class CharismaCards(Row):
    cards: Annotated[int, Field(ge=9, le=60)]
    start: _each_nation(1, 9)  # type: ignore[valid-type]


class Hand(Row):
    size: _each_nation(3, c.MAX_HAND)  # type: ignore[valid-type]
    weakened: Annotated[int, Field(ge=3, le=3)]


class Creatures(Row):
    """For each player."""

    stack: Annotated[int, Field(ge=2, le=4)]
    display: Annotated[int, Field(ge=1, le=2)]


class Content(Strict):
    """A whole box: the army of each nation, the creatures, and how many there are of what."""

    Rome: dict[str, Soldier]
    Egypt: dict[str, Soldier]
    Hellenes: dict[str, Soldier]
    Carthage: dict[str, Soldier]
    Persia: dict[str, Soldier]
    creature: dict[str, Creature]
    charisma: CharismaCards
    hand: Hand
    creatures: Creatures

    def army(self, nation: str) -> dict[str, Soldier]:
        """The cards of a nation, its leader first."""
        cards: dict[str, Soldier] = getattr(self, nation)
        return cards


def problems(content: Content) -> list[str]:
    """What is wrong between values."""
    found = []
    for nation in c.NATIONS:
        army = content.army(nation)
        for i, (name, card) in enumerate(army.items()):
            if (card.skill == "leader") != (i == 0):
                found.append(f"{nation}.{name}: skill: found {card.skill!r}, expected 'leader' of the first card alone")
        if next(iter(army.values())).copies != 1:
            found.append(f"{nation}.{next(iter(army))}: copies: expected 1, a nation has one leader")
        if (copies := sum(card.copies for card in army.values())) != c.CARDS_OF_A_NATION:
            found.append(f"{nation}: {copies} cards, expected {c.CARDS_OF_A_NATION}")
    found += [f"creature.{name}: skill: found 'leader', expected it of a nation's first card alone"
              for name, card in content.creature.items() if card.skill == "leader"]  # fmt: skip
    if (start := sum(content.charisma.start.values())) > content.charisma.cards:
        found.append(f"charisma: start: found {start} cards, expected up to {content.charisma.cards}, those there are")
    return found


# Editions


def named(edition: Any) -> Edition:
    """An edition as it is kept; arguments and errors as of :func:`tabletop.boxes.named`."""
    return boxes.named(edition, (STANDARD,))


@boxes.kept(256)
def load(edition: Edition = None) -> Components[Content]:
    """An edition of the box, as :func:`named` gives it.

    Raises:
        EditionError: it is wrong or cannot be read; every problem has its line.
    """
    content = _content(edition)
    return Components.of(content, _compiled(content))


def _content(edition: Edition) -> Content:
    if edition is None:
        return validated(Content, _printed(), "data", problems)
    if isinstance(edition, Drawn):
        source, values = f"random box {edition.seed}", draw(edition.seed, _printed())
        return overlaid(Content, _printed(), values, source, "edition, drawn", problems)
    return with_values(read_toml(Path(edition)), Path(edition).name)


def with_values(values: dict[str, Any], source: str) -> Content:
    """The box with an edition's values; errors as of :func:`load`, in which they are called ``source``."""
    return overlaid(Content, _printed(), values, source, checks=problems)


def _printed() -> dict[str, Any]:
    """All that the shipped files say."""
    printed: dict[str, Any] = {}
    for name in FILES:
        printed |= read_toml(DATA / f"{name}.toml")
    return printed


@cache
def names() -> tuple[str, ...]:
    """Of all kinds of cards, in the order of the catalogue; no edition changes them."""
    content = load().content
    return (*(name for nation in c.NATIONS for name in content.army(nation)), *content.creature)


# The record


def _compiled(content: Content) -> Record:
    box = np.zeros(1, BOX)
    one = box[0]
    army = [card for nation in c.NATIONS for card in content.army(nation).values()]
    cards: list[Card] = [*army, *content.creature.values()]
    one["copies"] = [card.copies for card in army]
    for field in ("attack", "defence", "charisma", "points"):
        one[field] = [getattr(card, field) for card in cards]
    one["cost"][c.ARMY :] = [card.cost for card in content.creature.values()]
    one["weapon"] = [c.WEAPONS.index(card.weapon) for card in cards]
    for skill in ("flee", "secure", "leader"):
        one[skill] = [skill in card.skill for card in cards]
    one["charisma_cards"] = content.charisma.cards
    one["charisma_start"] = [content.charisma.start[nation] for nation in c.NATIONS]
    one["hand_size"] = [content.hand.size[nation] for nation in c.NATIONS]
    one["hand_weakened"] = content.hand.weakened
    one["stack"], one["display"] = content.creatures.stack, content.creatures.display
    return box
