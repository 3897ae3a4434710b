"""The box: what its files may say, what an edition or a seed puts over them, and the record that rules read.

An edition is "standard" (or None), a name of ``data/editions``, a path of a TOML file, or ``tabletop.boxes.Drawn``.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import Field

from tabletop import boxes, editions
from tabletop.boxes import Drawn
from tabletop.editions import Components, Strict, one_of, overlaid, read_toml, validated
from tabletop.game import Record
from xerxes_env import constants as c
from xerxes_env.state import BOX

DATA = Path(__file__).parent / "data"
STANDARD = "standard"
NAMED = (STANDARD, *sorted(path.stem for path in (DATA / "editions").glob("*.toml")))


Edition = str | Drawn | None


# What the files may say

Resource = Annotated[str, one_of(c.RESOURCES)]
Unit = Annotated[str, one_of(c.UNITS)]
VP = Annotated[int, Field(ge=0, le=20)]
Cost = Annotated[dict[Resource, Annotated[int, Field(ge=1, le=3)]], Field(min_length=1)]
Loss = Annotated[int, Field(ge=0, le=5)]


class Row(editions.Record):
    """A card, a place or a table row. The summary of the rulebook has no pages."""

    SOURCE = re.compile(r"(rulebook|public|reconstructed|edition)\b")
    SOURCES = "'rulebook', 'public' or 'reconstructed'"


class Numbers(Row):
    goal: Annotated[int, Field(ge=1, le=100)]
    limit: Annotated[int, Field(ge=1, le=9)]
    tax_kept: Annotated[int, Field(ge=1, le=c.TAX_DEALT)]
    march_kept: Annotated[int, Field(ge=1, le=c.MARCH_DEALT)]
    same_rewards: Annotated[int, Field(ge=4, le=c.TAX_DEALT + 1)]
    march_vp: VP
    march_loss: Loss


class Mats(Row):
    sides: Annotated[
        list[Annotated[list[Annotated[str, one_of(c.SATRAPS)]], Field(min_length=2, max_length=2)]],
        Field(min_length=c.N_MATS, max_length=c.N_MATS),
    ]


class Area(Row):
    resources: Annotated[list[Resource], Field(max_length=12)]
    unit: Unit


class NoResource(Row):
    kind: Literal["no_resource"]
    resource: Resource


class NoBuilding(Row):
    kind: Literal["no_building"]
    building: Annotated[str, one_of(c.BUILDINGS)]


class AnyResources(Row):
    kind: Literal["any_resources"]
    n: Annotated[int, Field(ge=1, le=6)]


class AnyUnit(Row):
    kind: Literal["any_unit"]
    n: Annotated[int, Field(ge=1, le=3)]


class Building(Row):
    cost: Cost
    vp: Annotated[list[VP], Field(min_length=c.ROUNDS, max_length=c.ROUNDS)]  #: in each round
    loss: Loss


class March(Row):
    units: Annotated[list[Unit], Field(min_length=1, max_length=6)]


class TaxForVP(Row):
    reward: Literal["vp"]
    cost: Cost
    vp: VP


class TaxForUnit(Row):
    reward: Literal["unit"]
    cost: Cost
    unit: Unit


Event = Annotated[NoResource | NoBuilding | AnyResources | AnyUnit, Field(discriminator="kind")]
Tax = Annotated[TaxForVP | TaxForUnit, Field(discriminator="reward")]


class Content(Strict):
    """A whole box."""

    game: Numbers
    mat: Mats
    area: dict[str, Area]
    event: dict[str, Event]
    building: dict[str, Building]
    march: dict[str, March]
    tax: dict[str, Tax]


def problems(content: Content) -> list[str]:
    """What is wrong between values."""
    found = []
    if sorted(one for side in content.mat.sides for one in side) != sorted(c.SATRAPS):
        found.append(f"mat: sides: found {content.mat.sides}, expected each of {', '.join(c.SATRAPS)} once")
    for_vp = sum(card.reward == "vp" for card in content.tax.values())
    same = content.game.same_rewards
    least = c.MAX_PLAYERS * (c.TAX_DEALT + 1 - same)  # X-A4: of each kind, as four are dealt all cards
    if not least <= for_vp <= c.N_TAX - least:
        found.append(f"tax: {for_vp} cards for VP, expected {least} to {c.N_TAX - least} with same_rewards = {same}, "
                     "or hands are dealt again and again")  # fmt: skip
    return found


# Editions


def named(edition: Any) -> Edition:
    """An edition as it is kept; arguments and errors as of :func:`tabletop.boxes.named`."""
    return boxes.named(edition, NAMED)


@boxes.kept(256)
def load(edition: Edition = None) -> Components[Content]:
    """An edition of the box, as :func:`named` gives it.

    Raises:
        EditionError: it is wrong or cannot be read; every problem has its line.
    """
    content = _content(edition)
    return Components.of(content, _compile(content))


def _content(edition: Edition) -> Content:
    if edition is None:
        return validated(Content, read_toml(DATA / "box.toml"), "box.toml", problems)
    if isinstance(edition, Drawn):
        from xerxes_env.random_box import draw

        return with_values(draw(edition.seed), f"random box {edition.seed}", "edition, drawn")
    path = DATA / "editions" / f"{edition}.toml" if edition in NAMED else Path(edition)
    return with_values(read_toml(path), path.name)


def with_values(values: dict[str, Any], source: str, mark: str = "edition") -> Content:
    """The box with an edition's values; errors as of :func:`load`, in which they are called ``source``."""
    return overlaid(Content, read_toml(DATA / "box.toml"), values, source, mark, problems)


# The record


def _compile(content: Content) -> Record:
    box = np.zeros(1, BOX)
    one = box[0]
    for field, value, _ in content.game.sourced():
        one[field] = value
    for mat, sides in enumerate(content.mat.sides):
        one["mat"][[c.SATRAPS.index(side) for side in sides]] = mat
    for i, area in enumerate(content.area.values()):
        for resource in area.resources:
            one["area_resource"][i, c.RESOURCES.index(resource)] += 1
        one["area_unit"][i] = c.UNITS.index(area.unit)
    one["event_no_resource"] = one["event_no_building"] = c.NONE
    for i, event in enumerate(content.event.values()):
        _compile_event(one, i, event)
    for i, building in enumerate(content.building.values()):
        one["building_cost"][i] = _amounts(building.cost)
        one["building_vp"][i], one["building_loss"][i] = building.vp, building.loss
    for i, march in enumerate(content.march.values()):
        for unit in march.units:
            one["march_unit"][i, c.UNITS.index(unit)] += 1
    for i, tax in enumerate(content.tax.values()):
        one["tax_cost"][i] = _amounts(tax.cost)
        one["tax_vp"][i] = tax.vp if isinstance(tax, TaxForVP) else 0
        one["tax_unit"][i] = c.UNITS.index(tax.unit) if isinstance(tax, TaxForUnit) else c.NONE
    return box


def _compile_event(one: Any, i: int, event: NoResource | NoBuilding | AnyResources | AnyUnit) -> None:
    if isinstance(event, NoResource):
        one["event_no_resource"][i] = c.RESOURCES.index(event.resource)
    elif isinstance(event, NoBuilding):
        one["event_no_building"][i] = c.BUILDINGS.index(event.building)
    elif isinstance(event, AnyResources):
        one["event_resources"][i] = event.n
    else:
        one["event_units"][i] = event.n


def _amounts(cost: Mapping[str, int]) -> list[int]:
    return [cost.get(name, 0) for name in c.RESOURCES]
