"""Positions that people put right number by number: those of :mod:`sammu_env.position`, with their zeros."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env import position, words
from sammu_env.coach import facts
from sammu_env.components import Components, Edition
from sammu_env.position import PositionError
from sammu_env.position.board import LOCATION, OF_ZONE
from tabletop.coach.parts import Field
from tabletop.game import Record

#: Actions that a character may be given at most; more is a slip.
MOST_ACTIONS = 9
#: What the fields of a position's machinery may hold; PLAIN where they are not named.
MACHINE: dict[str, tuple[float, float]] = {
    "active": (-1, c.BAILEET - 1), "to_act": (c.NOBODY, c.MAX_PLAYERS - 1), "result": (0, len(c.RESULTS) - 1),
    "cause": (0, len(c.CAUSES) - 1), "began": (-1, len(c.LOCATIONS) - 1), "decisions": (0, 2**31 - 1),
    "next_challenge": (-1, c.N_CHALLENGES - 1), "game": (0, 4), "score": (-9999, 9999),
    **dict.fromkeys(("switched", "finished"), (0, 2 ** len(c.CHARACTERS) - 1)),
    **dict.fromkeys(("reward", "trace", "rng"), (-math.inf, math.inf)),
}  # fmt: skip
PLAIN = (0, 99)  #: of what counts pieces, and of flags


def form(components: Components, lang: str) -> list[Field]:
    """The numbers of a position that can be put right, place by place, with what the box holds of each piece."""
    return list(_Form(components, lang).fields())


class _Form:
    def __init__(self, components: Components, lang: str) -> None:
        self.components, self.box, self.lang = components, components.box[0], lang
        box = self.box
        self.totals = {
            **dict(zip(c.KINDS, box["token_total"], strict=True)), "enemy": box["enemy_total"],
            "gate": box["gate_total"], **dict(zip(c.GOODS, box["good_total"], strict=True)),
            **dict(zip(c.MARKERS, box["marker_total"], strict=True)),
        }  # fmt: skip

    def named(self, name: str) -> str:
        return facts.named(self.components, name, self.lang)

    def field(self, zone: str, piece: str, *path: str, most: int | None = None) -> Field:
        total = int(self.totals[piece])
        return Field((*path, piece), self.named(piece), zone, 0, min(most or total, total), self.named(piece), total)

    def fields(self) -> Iterator[Field]:
        yield Field(("month",), self.named("month"), self.named("row"), 0, c.MAX_MONTHS)
        for area, name in enumerate(c.AREAS):
            zone = self.named(name)
            for piece in ("gate", "supply", "medicine", "karu", "health"):
                yield self.field(zone, piece, "areas", name, most=1 if piece == "gate" else None)
            for at, place in enumerate(c.LOCATIONS):
                if self.box["zone"][at] == area:
                    yield from self.location(at, place)
        for at, place in ((c.DAMASCUS, "Damascus"), (c.SARDES, "Sardes")):
            yield from self.location(at, place)
        for name in c.CHARACTERS[: c.BAILEET]:
            for good in c.GOODS:
                yield self.field(self.named(name), good, "characters", name, "goods")
            yield Field(("characters", name, "actions"), words.label("actions_of", self.lang), self.named(name), 0,
                        MOST_ACTIONS)  # fmt: skip
        for piece in ("assassination", "religion"):
            yield self.field(self.named(c.CHARACTERS[c.SAMMU_RAMAT]), piece, "queen")
        for piece in c.MARKERS:
            yield self.field(self.named("bag"), piece, "bag")
        for road, place in zip(position.road_names(self.box), facts.road_places(self.box), strict=True):
            yield self.field(self.named(place), "karu", "roads", road)

    def location(self, at: int, name: str) -> Iterator[Field]:
        zone = self.named(name)
        apart = self.box["zone"][at] >= len(c.AREAS)
        for piece in (count.key for count in LOCATION):
            if apart or piece not in OF_ZONE:
                once = 1 if piece in ("unrest", "plague") else None
                yield self.field(zone, piece, "locations", name, most=once)


def dump(components: Components, edition: Edition, s: Record) -> dict[str, Any]:
    """The position of a state, shape (1,): as :func:`sammu_env.position.dump`, with all numbers of the form."""
    found = position.dump(s, edition)
    for name in c.CHARACTERS[: c.BAILEET]:
        found.setdefault("characters", {}).setdefault(name, {"status": c.STATUS[c.OUT]})
    for field in form(components, "en"):
        row = found
        for key in field.path[:-1]:
            row = row.setdefault(key, {})
        row[field.path[-1]] = int(row.get(field.path[-1], 0))
    return found


def load(edition: Edition, told: Mapping[str, Any]) -> Record:
    """The state, shape (1,), of a position; one that says nothing of what is pending is played on to what is asked.

    Raises:
        PositionError: a name, a number or a count is wrong; the message says what is allowed.
    """
    for block in ("machine", "campaign_record"):
        for name, value in _table(block, told.get(block, {})).items():
            _check_machine(block, name, value)
    for name, row in _table("characters", told.get("characters", {})).items():
        what = f"characters.{name}"
        goods = _table(f"{what}.goods", _table(what, row).get("goods", {}))
        there = name == c.CHARACTERS[c.SAMMU_RAMAT] or "location" in row
        if row.get("status", c.STATUS[there]) == c.STATUS[c.OUT] and any(goods.values()):
            raise PositionError(f"{what}: who is not in play has no goods")
    s = position.load(told, edition)
    return s if "pending" in told else position.play_on(s, edition)


def _table(what: str, value: Any) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise PositionError(f"{what}: expected a table of names, found {value!r}")
    return value


def _check_machine(block: str, name: str, value: Any) -> None:
    """Compiled code trusts these numbers. Unknown names and shapes are refused by :func:`sammu_env.position.load`."""
    low, high = MACHINE.get(name, PLAIN)
    numbers = np.asarray(value)
    if numbers.size and (numbers.dtype.kind not in "iub" or numbers.min() < low or numbers.max() > high):
        raise PositionError(f"{block}.{name}: found {value!r}, choose whole numbers {low} to {high}")
