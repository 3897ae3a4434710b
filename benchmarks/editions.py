"""Random editions of the box: any values that an edition file may have, for games on boxes that nobody printed."""

from __future__ import annotations

import re
import types
import typing
from typing import Any

import numpy as np
from pydantic import BaseModel
from pydantic.fields import FieldInfo

from sammu_env import components
from sammu_env import constants as c
from sammu_env.components import Components, EditionError, checks, schema
from tabletop.editions import OneOf

#: Of so many cards one is changed.
CHANGED = 4
CAPITALS = {row.zone: name for name, row in components.load().content.map.location.items() if row.capital}


class Drawer:
    """Draws values of the models that an edition file is checked against, within the ranges they accept.

    Args:
        rng: the source of chance.
        extreme: every number is the largest accepted.
        small: share of the numbers that are as small as printed ones.
    """

    def __init__(self, rng: np.random.Generator, extreme: bool = False, small: float = 0.5) -> None:
        self.rng, self.extreme, self.small = rng, extreme, small

    def one_of(self, choices: Any) -> Any:
        return choices[int(self.rng.integers(len(choices)))]

    def number(self, low: int, high: int) -> int:
        """A number of a range."""
        if self.extreme:
            return high if low > -high or self.rng.random() < 0.5 else low
        if self.rng.random() < self.small:
            low, high = max(low, -3), min(high, max(low, 0) + 3)
        return int(self.rng.integers(low, high + 1))

    def value(self, kind: Any, rules: list[Any]) -> Any:
        """A value of an annotation with its constraints."""
        while typing.get_origin(kind) is typing.Annotated:
            kind, *more = typing.get_args(kind)
            for rule in more:
                rules = rules + (rule.metadata if isinstance(rule, FieldInfo) else [rule])
        choices = self.choices(typing.Annotated[(kind, *rules)] if rules else kind)
        bounds = {name: getattr(rule, name) for rule in rules for name in ("ge", "le", "min_length", "max_length")
                  if hasattr(rule, name)}  # fmt: skip
        origin, arguments = typing.get_origin(kind), typing.get_args(kind)
        if choices:
            return self.one_of(choices)
        if kind is bool:
            return bool(self.rng.integers(2))
        if kind is int:
            return self.number(bounds["ge"], bounds["le"]) or 1
        if origin is typing.Literal:
            return self.one_of(arguments)
        if origin in (typing.Union, types.UnionType):
            return self.value(self.one_of([x for x in arguments if x is not type(None)]), rules)
        if origin is list and (names := self.choices(arguments[0])):
            least, most = bounds.get("min_length", 0), bounds.get("max_length", len(names))
            return [str(name) for name in self.rng.permutation(names)[: self.rng.integers(least, most + 1)]]
        if origin is list:
            n = int(self.rng.integers(bounds.get("min_length", 0), min(bounds.get("max_length", 4), 4) + 1))
            return [self.value(arguments[0], []) for _ in range(n)]
        if origin is dict:
            return {self.value(arguments[0], []): self.value(arguments[1], []) for _ in range(1 + self.rng.integers(3))}
        return self.model(kind)

    @staticmethod
    def choices(kind: Any) -> tuple[str, ...]:
        """The names that an annotation allows, none where it is not one of names."""
        for rule in typing.get_args(kind)[1:]:
            if isinstance(getattr(rule, "func", None), OneOf):
                names: tuple[str, ...] = rule.func.choices
                return names
        return ()

    def model(self, kind: type[BaseModel], *fields: str) -> dict[str, Any]:
        """The fields of a model; those that may be left out are so now and then."""
        drawn = {}
        for name, field in kind.model_fields.items():
            may_be_left = not field.is_required() and field.annotation is not int and name not in ("at", "area")
            if (fields and name not in fields) or (may_be_left and self.rng.random() < 0.3):
                continue
            if name != "provenance":
                drawn[name] = self.value(field.annotation, field.metadata)
        if drawn.get("marker") in c.PLACELESS:
            drawn.pop("at", None)
        if "give_n" in drawn:
            drawn = {name: x for name, x in drawn.items() if not name.startswith("give") or drawn.get("give")}
            drawn["give_n"] = max(1, drawn["give_n"]) if "give" in drawn else 0
        return drawn

    def some(self, ids: list[str], all_of_them: bool = False) -> list[str]:
        return ids if self.extreme or all_of_them else [x for x in ids if self.rng.integers(CHANGED) == 0]

    # Sections

    def edition(self) -> dict[str, Any]:
        """Values for every section. Where components are few, every challenge is new: those printed need them all."""
        ids = schema.IDS
        few = self.rng.random() < 0.5
        values = {
            "map": self.map(),
            "character": {card: self.character(card) for card in self.some(ids["character"])},
            "event": {card: self.event() for card in self.some(ids["event"])},
            "ashur": {card: self.value(schema.AshurCard, []) for card in self.some(ids["ashur"])},
            "challenge": {card: self.challenge() for card in self.some(ids["challenge"], few)},
        }  # fmt: skip
        rows = {n: self.model(schema.PlayerRow) for n in "12345"}
        for row in rows.values():
            row["hand_start"] = min(row["hand_start"], row["hand_limit"])
        values["components"] = {"players": rows}
        if few:
            most = dict(zip(c.KINDS, (20, 15, 15, 15), strict=True))
            values["components"] |= {
                "tokens": {kind: self.number(5, n) for kind, n in most.items()},
                "goods": {good: self.number(1, 50) for good in c.GOODS},
                "enemies": self.number(5, 50),
                "gates": self.number(2, 10),
            }
            values["marker"] = {name: {"count": self.number(1, n)} for name, n in checks.ROOM.items()}
            values["technology"] = {name: {"count": self.number(1, 5)} for name in c.TECHNOLOGIES}
        return values

    def map(self) -> dict[str, Any]:
        """Any roads that join everything, any order, any goods."""
        order = self.rng.permutation(len(c.LOCATIONS))
        ends = {tuple(sorted((int(order[i]), int(order[self.rng.integers(i)])))) for i in range(1, len(order))}
        while len(ends) < 25 + self.rng.integers(16):
            one, other = sorted(int(x) for x in self.rng.choice(len(c.LOCATIONS), 2, replace=False))
            ends.add((one, other))
        return {
            "roads": [[c.LOCATIONS[one], c.LOCATIONS[other]] for one, other in sorted(ends)],
            "queens_road": [str(x) for x in self.rng.permutation(c.LOCATIONS)[: 1 + self.rng.integers(20)]],
            "enemy_order": [str(x) for x in self.rng.permutation(c.ZONES)],
            "technology_locations": [str(x) for x in self.rng.permutation(c.LOCATIONS)[:6]],
            "sea": self.value(schema.Map.model_fields["sea"].annotation, []),
            "area": {area: {"good": self.one_of(c.GOODS)} for area in c.AREAS},
            "location": {name: {"market": bool(self.rng.integers(2))} for name in c.LOCATIONS},
        }

    def character(self, card: str) -> dict[str, Any]:
        who = schema.IDS["character"].index(card)
        sides = {c.SAMMU_RAMAT: ("public", "solo"), c.BAILEET: ("side_a", "side_b")}.get(who, ("public", "personal"))
        values: dict[str, Any] = {side: self.model(schema.Side, "actions") for side in sides}
        for side in sides:
            names = [str(name) for name in self.rng.permutation(c.ABILITIES)[: self.rng.integers(4)]]
            values[side]["abilities"] = {name: self.number(1, schema.MOST.get(name, 1)) for name in names}
        if who in c.ADVISORS:
            values |= {"home": self.one_of(c.AREAS), "start_good": self.one_of(c.GOODS)}
        return values

    def event(self) -> dict[str, Any]:
        return self.model(schema.Event, "area", "banner", "effects")

    def challenge(self) -> dict[str, Any]:
        values: dict[str, Any] = {
            "win": Drawer(self.rng, small=0.95).value(*self.field(schema.Challenge, "win")),
            "setup": self.setup(),
        }
        effects = typing.get_args(schema.Challenge.model_fields["monthly"].annotation)[1]
        values["monthly"] = {months: self.value(effects, []) for months in ("2", "3-4", "5-6", "7-8")}
        return values

    @staticmethod
    def field(kind: type[BaseModel], name: str) -> tuple[Any, list[Any]]:
        found = kind.model_fields[name]
        return found.annotation, found.metadata

    def setup(self) -> dict[str, Any]:
        """Gates with what keeps them, and enemies, markers and tokens anywhere else."""
        gates = ["Assyria", *(area for area in c.AREAS[1:] if self.rng.random() < 0.3)][:6]
        least = dict.fromkeys(c.KINDS, 1)
        tokens = {area: {kind: 1 + int(self.rng.integers(2)) for kind in c.KINDS} for area in gates}
        tokens |= {area: {k: int(self.rng.integers(2)) for k in least} for area in c.AREAS if area not in gates
                   and self.rng.random() < 0.2}  # fmt: skip
        free = [str(x) for x in self.rng.permutation(c.LOCATIONS) if x not in [CAPITALS[area] for area in gates]]
        n = int(self.rng.integers(7))
        marked = [x for x in free[n:] if x not in ("Sardes", "Damascus")]
        return {
            "gates": gates,
            "tokens": tokens,
            "enemies": {place: int(self.rng.integers(1, 4)) for place in free[:n]},
            "bag": {marker: 1 for marker in c.MARKERS if self.rng.random() < 0.4},
            "unrest": marked[: self.rng.integers(3)],
            "plague": marked[3 : 3 + self.rng.integers(3)],
            "characters": {},
            "oracle": bool(self.rng.random() < 0.2),
        }


#: A challenge that any components can be set up for, and won with.
EASY: dict[str, Any] = {
    "win": [{"condition": "no_enemies"}],
    "setup": {"gates": ["Assyria"], "tokens": {"Assyria": dict.fromkeys(c.KINDS, 1)}, "enemies": {}, "bag": {},
              "unrest": [], "plague": [], "characters": {}},
}  # fmt: skip


def playable(values: dict[str, Any], source: str) -> Components:
    """The box with these values, but for those that are refused together with the others.

    Raises:
        EditionError: not even without them.
    """
    for _ in range(20):
        try:
            return components.overlaid(values, source)
        except EditionError as error:
            problems = error.problems
        faults = set()
        for line in problems:
            found = re.match(rf"{source}: (\w+)(?:\.([^: ]+))?:", line)
            faults.add(found.groups() if found else ("", ""))
        for section, card in faults:
            if section == "challenge":
                values[section][card] = EASY
            elif card in values.get(section, {}):
                del values[section][card]
            else:
                values.pop(section, None)
    raise EditionError(problems)


def random_edition(seed: int, extreme: bool = False) -> Components:
    """A box that nobody printed: the same for the same seed.

    Args:
        seed: any number from 0 on.
        extreme: every number is the largest that is accepted.
    """
    return playable(Drawer(np.random.default_rng(seed), extreme).edition(), f"edition {seed}")
