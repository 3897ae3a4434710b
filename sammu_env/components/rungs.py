"""A ladder of setup sides around the one that a box has: from richer to poorer, a token or an enemy a step.

The steps are those of a random box's dial (:mod:`random_sides`), in an order drawn once for each challenge. So a side
can be placed by playing it: on each rung, until it is won as often as it should be (``benchmarks.placing``).
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from itertools import cycle
from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env.components import sides
from sammu_env.components.random_sides import ENEMY, Step, draw_wealth, grow, in_order, shuffled, take, take_back
from sammu_env.components.schema import Box, Challenge, Setup
from tabletop.boxes import share

#: At ease 1 a win condition asks for so much less of each number.
LESS = 0.4


@dataclass(frozen=True)
class Ladder:
    """The steps around a challenge's side: what it would get, and what it would lose, one after the other."""

    challenge: Challenge
    richer: list[Step]
    poorer: list[Step]
    kept: int  #: of the richer ones, how many leave the side as good as the conditions ask

    @property
    def rungs(self) -> range:
        """0 is the side itself, -1 a step richer, 1 a step poorer, and so on."""
        return range(-len(self.richer), len(self.poorer) + 1)

    @property
    def good(self) -> range:
        """Those of the rungs that satisfy the conditions."""
        return range(-self.kept, len(self.poorer) + 1)

    def side(self, rung: int) -> Setup:
        """The setup side of a rung.

        Raises:
            ValueError: there is no such rung.
        """
        if rung not in self.rungs:
            raise ValueError(f"rung is {rung}, choose {self.rungs[0]} to {self.rungs[-1]}")
        setup = self.challenge.setup.model_copy(deep=True)
        for step in self.richer[: max(0, -rung)]:
            take(setup, step)
        for step in self.poorer[: max(0, rung)]:
            take_back(setup, step)
        return setup.model_copy(update={
            "tokens": {area: in_order(setup.tokens[area], c.KINDS) for area in c.AREAS if setup.tokens.get(area)},
            "enemies": in_order(setup.enemies, (*c.LOCATIONS, *c.AREAS)),
        })  # fmt: skip


def ladder(b: Box, card: str, conditions: tuple[sides.Condition, ...] = sides.HONEST) -> Ladder:
    """The ladder of a challenge; its order follows from the card alone.

    Args:
        card: the challenge, of which the side satisfies the conditions.
        conditions: hold on every poorer rung, and on the richer ones as far as there are steps that keep them; beyond
            those the sides are sound (:data:`sides.SOUND`). Those that the side gives up (:func:`sides.kept`) do not
            count.

    Raises:
        ValueError: the side does not satisfy the conditions.
    """
    printed = b.challenge[card]
    conditions = sides.kept(printed.setup, conditions)
    if found := sides.faults(b, printed, conditions):
        raise ValueError(f"{card}: {'; '.join(found)}")
    rng = np.random.default_rng(list(b.challenge).index(card))
    fixed = printed.setup.provenance.get("enemies", "").startswith("rulebook")
    up, down = printed.model_copy(deep=True), printed.model_copy(deep=True)
    poorer = shrink(b, down, shuffled(rng, losses(down.setup, fixed)), conditions)
    gains = draw_wealth(rng, b, up)
    if not fixed:
        gains += [(ENEMY, place) for place, n in up.setup.enemies.items() for _ in range(n)]
    richer, left = grow(b, up, shuffled(rng, gains), conditions)
    return Ladder(printed, richer + grow(b, up, left, sides.SOUND)[0], poorer, len(richer))


def eased(b: Box, ease: float) -> dict[str, Any]:
    """The values of a box like this one, but with richer setup sides, win conditions that ask for less, and more start
    goods, as an edition file has them.

    Args:
        ease: 0, as they are, to 1, each side on the richest rung of its ladder (:func:`ladder`), all numbers that are
            asked for smaller by LESS, and as many start goods as there may be (p. 9).

    Raises:
        ValueError: an ease out of its range.
    """
    ease = share("ease", ease)
    values: dict[str, Any] = {}
    for card, challenge in b.challenge.items():
        one = ladder(b, card)
        side = one.side(round(ease * one.rungs[0]))
        own = challenge.setup
        setup = {name: x for name in ("tokens", "enemies") if (x := getattr(side, name)) != getattr(own, name)}
        win = [row.model_copy(update={"n": fewer(row.n, ease)}) if hasattr(row, "n") else row for row in challenge.win]
        changed: dict[str, Any] = {"setup": setup} if setup else {}
        if win != challenge.win:
            changed["win"] = [row.model_dump() for row in win]
        if changed:
            values.setdefault("challenge", {})[card] = changed
    goods = b.components.start_goods
    if more := round(ease * (c.START_GOODS[-1] - goods)):
        values["components"] = {"start_goods": goods + more}
    return values


def fewer(n: int, ease: float) -> int:
    """What an eased win condition asks for instead of n."""
    return n - round(LESS * ease * n)


def losses(setup: Setup, fixed: bool) -> list[Step]:
    """All that a side can lose: each token but those that its gates need, and room for more enemies where some are."""
    tokens = Counter({(area, kind): n for area, there in setup.tokens.items() for kind, n in there.items()})
    tokens.subtract((area, kind) for area in setup.gates for kind in c.KINDS)
    room = 0 if fixed else sides.ENEMIES[1] - sum(setup.enemies.values())
    return [*tokens.elements(), *((ENEMY, place) for place, _ in zip(cycle(setup.enemies), range(room), strict=False))]


def shrink(b: Box, challenge: Challenge, steps: list[Step], conditions: tuple[sides.Condition, ...]) -> list[Step]:
    """Goes those steps back after which the side still satisfies the conditions; returns them."""
    gone = []
    for step in steps:
        take_back(challenge.setup, step)
        if any(condition(b, challenge) for condition in conditions):
            take(challenge.setup, step)
        else:
            gone.append(step)
    return gone
