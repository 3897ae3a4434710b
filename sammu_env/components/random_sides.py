"""Random setup sides: each is drawn bare, with an order of steps that make it richer, for the dial to go along.

A step is one token more or one enemy less. :mod:`sammu_env.components.rungs` goes the same steps from a side that is
there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import numpy as np

from sammu_env import constants as c
from sammu_env.components import sides
from sammu_env.components.schema import Box, Challenge, Record, Setup

T = TypeVar("T")

#: One more token of a kind in an area, or ("enemy", place): one enemy less.
Step = tuple[str, str]
ENEMY = "enemy"
#: Tokens of a kind on a rich side, where the win condition does not ask for more.
WEALTH = {"military": (10, 14), "diviner": (8, 11), "supply": (9, 12), "medicine": (8, 11)}


def is_drawn(record: Record, field: str) -> bool:
    """Whether a value is reconstructed, so that it may be another."""
    return record.provenance.get(field, record.provenance.get("rest", "")).startswith("reconstructed")


def pick(rng: np.random.Generator, choices: Sequence[T]) -> T:
    """One of them, each as likely; what is named twice is twice as likely."""
    return choices[int(rng.integers(len(choices)))]


def shuffled(rng: np.random.Generator, items: Sequence[T]) -> list[T]:
    """All of them in any order."""
    return [items[int(i)] for i in rng.permutation(len(items))]


@dataclass(frozen=True)
class Side:
    """A setup side as drawn: the bare one, the steps that leave it honest, and those after them up to the rich one."""

    bare: Setup
    honest: list[Step]
    rich: list[Step]


def at_difficulty(side: Side, difficulty: float) -> dict[str, Any]:
    """The fields of a side that are drawn, as far along its steps as the dial says; halfway it is still honest."""
    setup = side.bare.model_copy(deep=True)
    for step in part_of(side.honest, 2 - 2 * difficulty) + part_of(side.rich, 1 - 2 * difficulty):
        take(setup, step)
    values = {
        "gates": setup.gates,
        "tokens": {area: in_order(setup.tokens.get(area, {}), c.KINDS) for area in c.AREAS if setup.tokens.get(area)},
        "enemies": in_order(setup.enemies, c.LOCATIONS),
        "bag": setup.bag,
    }
    return {field: value for field, value in values.items() if is_drawn(setup, field)}


def in_order(pile: dict[str, int], names: Sequence[str]) -> dict[str, int]:
    return {name: pile[name] for name in names if name in pile}


def part_of(steps: list[Step], part: float) -> list[Step]:
    """The first steps, that part of them all; none where it is negative."""
    return steps[: round(min(max(part, 0.0), 1.0) * len(steps))]


def draw_side(rng: np.random.Generator, b: Box, challenge: Challenge) -> Side:
    """A setup side; what of it is printed stays."""
    printed = challenge.setup
    bag = draw_bag(rng) if is_drawn(printed, "bag") else printed.bag
    challenge = draw_gates(rng, b, challenge)
    setup = challenge.setup
    setup.bag.update(bag)
    steps = draw_wealth(rng, b, challenge)
    if is_drawn(printed, "enemies"):
        places = draw_enemy_places(rng, b, setup)
        n = min(sides.ENEMIES[1], sides.board_points(setup) - sides.POINTS[0])
        more = (places * sides.ENEMIES[1])[sides.ENEMIES[0] : n]
        for place in places[: sides.ENEMIES[0]] + more:
            take_back(setup, (ENEMY, place))
        steps += [(ENEMY, place) for place in more]
    else:
        setup.enemies.update(printed.enemies)
    honest, left = grow(b, challenge, shuffled(rng, steps), sides.HONEST)
    rich, left = grow(b, challenge, left, sides.SOUND)
    rich += grow(b, challenge, left, sides.SOUND)[0]  # what the board keeps now that there is more of other kinds
    for step in honest + rich:
        take_back(setup, step)
    return Side(setup, honest, rich)


def take(setup: Setup, step: Step) -> None:
    """Goes a step towards the rich side."""
    first, second = step
    if first == ENEMY:
        put(setup.enemies, second, -1)
    else:
        put(setup.tokens.setdefault(first, {}), second, 1)


def take_back(setup: Setup, step: Step) -> None:
    """Goes a step towards the bare side."""
    first, second = step
    if first == ENEMY:
        put(setup.enemies, second, 1)
    else:
        put(setup.tokens[first], second, -1)


def put(pile: dict[str, int], what: str, n: int) -> None:
    """So many more; what is not there has no number."""
    pile[what] = pile.get(what, 0) + n
    if pile[what] == 0:
        del pile[what]


def grow(
    b: Box, challenge: Challenge, steps: list[Step], conditions: tuple[sides.Condition, ...]
) -> tuple[list[Step], list[Step]]:
    """Goes the steps after which the side still satisfies the conditions; returns them, and those left out."""
    gone, left = [], []
    for step in steps:
        take(challenge.setup, step)
        if any(condition(b, challenge) for condition in conditions):
            take_back(challenge.setup, step)
            left.append(step)
        else:
            gone.append(step)
    return gone, left


def draw_gates(rng: np.random.Generator, b: Box, challenge: Challenge) -> Challenge:
    """The challenge with gates at which an honest side can begin, and the fewest tokens there may be; no enemies yet.

    Tokens beyond those that gates need go to Assyria, or to another gate where none of their kind are asked for.
    """
    printed = challenge.setup
    wanted = {(area, kind) for kind, areas, _ in sides.tokens_asked(b, challenge) if len(areas) < len(c.AREAS)
              for area in areas}  # fmt: skip
    low, high = sides.gates_range(challenge)
    while True:
        n = pick(rng, range(low, high + 1))
        gates = ["Assyria", *shuffled(rng, c.AREAS[1:])[: n - 1]] if is_drawn(printed, "gates") else printed.gates
        tokens = {area: dict.fromkeys(c.KINDS, 1) for area in gates}
        for kind, (least, _) in sides.TOKENS.items():
            places = [area for area in gates if (area, kind) not in wanted]
            tokens[(places or gates)[0]][kind] += max(0, least - len(gates))
        update = {"gates": sorted(gates, key=c.AREAS.index), "tokens": tokens, "enemies": {}, "bag": {}}
        drawn = challenge.model_copy(update={"setup": printed.model_copy(update=update)})
        if not any(check(b, drawn) for check in (sides.gates, sides.tokens, sides.condition)):
            return drawn


def draw_bag(rng: np.random.Generator) -> dict[str, int]:
    """Two or three red markers, and fewer green ones."""
    red = pick(rng, (2, 3))
    drawn = [pick(rng, c.MARKERS[: c.GREEN]) for _ in range(red)]
    drawn += [pick(rng, c.MARKERS[c.GREEN :]) for _ in range(pick(rng, range(red)))]
    return {marker: drawn.count(marker) for marker in c.MARKERS if marker in drawn}


def draw_enemy_places(rng: np.random.Generator, b: Box, setup: Setup) -> list[str]:
    """Five or six locations in as many areas, not in Assyria, at a gate, or where somebody starts."""
    capital = sides.capitals(b)
    taken = {capital[area] for area in setup.gates} | {capital.get(place, place) for place in setup.characters.values()}
    free = {zone: [name for name, row in b.map.location.items() if row.zone == zone and name not in taken]
            for zone in c.ZONES if zone != "Assyria"}  # fmt: skip
    zones = shuffled(rng, [zone for zone, names in free.items() if names])
    return [pick(rng, free[zone]) for zone in zones[: pick(rng, (5, 6))]]


def draw_wealth(rng: np.random.Generator, b: Box, challenge: Challenge) -> list[Step]:
    """The tokens of the rich side that the bare one lacks: what is asked for, then wealth at the gates."""
    setup = challenge.setup
    asked: list[Step] = []
    for kind, areas, n in sides.tokens_asked(b, challenge):
        places = shuffled(rng, [area for area in areas if area in c.AREAS])
        there = sum(setup.tokens.get(area, {}).get(kind, 0) for area in places)
        asked += [(places[i % len(places)], kind) for i in range(n - there) if places]
    more = sides.gates_asked(b, challenge) - len(setup.gates)
    others = shuffled(rng, [area for area in c.AREAS if area not in setup.gates])
    asked += [(area, kind) for area in others[: max(0, more)] for kind in c.KINDS]
    steps = shuffled(rng, asked)
    for kind, (low, high) in WEALTH.items():
        there = sides.on_map(setup)[kind] + sum(step[1] == kind for step in steps)
        n = pick(rng, range(low, high + 1)) - there
        steps += [(pick(rng, ["Assyria", *setup.gates]), kind) for _ in range(n)]
    return steps


def name_companion(rng: np.random.Generator, b: Box, challenge: Challenge) -> dict[str, Any]:
    """SAM-195 lost the name of who starts in Babylonia: any advisor of Assyria but the one whose place is printed."""
    starts = challenge.setup.characters
    old = next(name for name, place in starts.items() if place == "Babylonia")
    people = {who.name: who for who in b.character.values()}
    able = [c.CHARACTERS[i] for i in c.ADVISORS if people[c.CHARACTERS[i]].home == "Assyria"]
    new = pick(rng, [name for name in able if name == old or name not in starts])
    return {
        "note": challenge.note.replace(old, new),
        "note_ja": challenge.note_ja.replace(people[old].title_ja, people[new].title_ja),
        "setup": {"characters": {new if name == old else name: place for name, place in starts.items()}},
    }
