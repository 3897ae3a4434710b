"""A hand-made player: it places for what its cards and the buildings still lack, and marches, builds and taxes."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.agents.base import OBSERVATION
from tabletop.game import Game, Record, check_boxes
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env import steps

SECOND = 1  #: the place in the turn order that it likes best


class Scripted:
    """Looks at what the acting seat knows: the board, what lies open, and its own hand."""

    name = "scripted"
    sees = OBSERVATION

    def __init__(self, game: Game) -> None:
        self.game = game

    def reset(self, seed: int) -> None:
        """It draws nothing."""

    def act(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """One choice for each game: states (n,) STATE, masks int8 (n, N); returns int64 (n,)."""
        check_boxes(self.game, states)
        out = np.zeros(len(states), np.int64)
        for i in range(len(states)):
            if (options := np.flatnonzero(masks[i])).size:
                look = Look(self.game.box[states["box"][i]], states[i])
                scores = [look.score(int(action)) for action in options]
                out[i] = options[int(np.argmax(scores))]
        return out


class Look:
    """A state as the seat that is asked sees it, and what it thinks of its options."""

    def __init__(self, box: Any, s: Any) -> None:
        self.box, self.s, self.seat = box, s, int(s["to_act"])
        top = int(s["sp"]) - 1
        self.prompt, self.about = steps.NAMES[s["op"][top]], int(s["arg"][top, 1])
        self.held = s["resource"][self.seat]
        self.wanted = self._wanted()

    def score(self, action: int) -> float:
        """The better an option, the more."""
        block, i = a.block_of(action)
        rule = getattr(self, f"_{self.prompt}")
        return float(rule(block, i))

    # What it has and wants

    def _hand(self, kind: str) -> NDArray[np.intp]:
        return np.flatnonzero(self.s[kind] == c.HAND + self.seat)

    def _pieces(self) -> NDArray[np.intp]:
        """The areas where it has a worker or its standing satrap."""
        areas = np.flatnonzero(self.s["worker"][: c.N_AREAS] == self.seat)
        return np.append(areas, self.s["satrap"][self.seat]) if self.s["standing"][self.seat] else areas

    def _units(self) -> NDArray[np.int64]:
        """Units that it could march with."""
        units = np.bincount(self.box["area_unit"][self._pieces()], minlength=c.N_UNITS)
        played = self.box["tax_unit"][self.s["tax"] == c.PLAYED + self.seat]
        return units + np.bincount(played[played >= 0], minlength=c.N_UNITS)

    def _building_worth(self, i: int) -> float:
        """VP now, and a part of what others lose; one of three tokens is worth keeping for better ones, early."""
        worth = float(self.box["building_vp"][i, self.s["round"] - 1] + self.box["building_loss"][i] / 2)
        return worth - (2.5 if self.s["round"] < 5 else 0)

    def _tax_worth(self, card: int) -> float:
        """VP, or a unit that cards in hand ask for, while there are rounds left to use it."""
        unit = int(self.box["tax_unit"][card])
        if unit < 0:
            return float(self.box["tax_vp"][card])
        cards = self._hand("march")
        asked = (self.box["march_unit"][cards, unit] > 0).sum()
        return float(min(asked, 2) * max(0, c.ROUNDS - self.s["round"]) * 0.5)

    def _wanted(self) -> NDArray[np.float64]:
        """What one more of each resource is worth: for what it lacks of buildings and of tax cards in hand."""
        wanted = np.full(c.N_RESOURCES, 0.2)
        goals = [(self._building_worth(i), self.box["building_cost"][i]) for i in range(c.N_BUILDINGS)
                 if self.s["owner"][i] < 0 and (self.s["owner"] == self.seat).sum() < c.TOKENS]  # fmt: skip
        goals += [(self._tax_worth(card), self.box["tax_cost"][card]) for card in self._hand("tax")]
        for worth, cost in goals:
            missing = np.maximum(0, cost - self.held)
            if worth > 0 and missing.any():
                wanted += (missing > 0) * worth / cost.sum() * 2 / (1 + missing.sum())
        return np.where(self.held >= self.box["limit"], 0.0, wanted)

    def _yield(self, area: int) -> float:
        """What the resources of an area are worth."""
        given = np.minimum(self.box["area_resource"][area], self.box["limit"] - self.held)
        return float((given * self.wanted).sum())

    def _area(self, area: int) -> float:
        """What a worker in an area is worth: its resources, or the march that its unit helps with."""
        units = self._units()
        left = c.WORKERS - int((self.s["worker"] == self.seat).sum())
        best = 0.0
        for card in self._hand("march"):
            short = np.maximum(0, self.box["march_unit"][card] - units)
            if short[self.box["area_unit"][area]] and short.sum() <= left:
                best = max(best, (self.box["march_vp"] + 0.5) / (1 + short.sum()))
        return max(best, 0.0) + self._yield(area)

    # What it is asked

    def _discard_tax(self, block: str, card: int) -> float:
        return float(self.box["tax_cost"][card].sum() / 2) - self._tax_worth(card)

    def _discard_march(self, block: str, card: int) -> float:
        home = self.box["area_unit"][self.s["satrap"][self.seat]]
        return -float(self.box["march_unit"][card, home] > 0)

    def _place(self, block: str, place: int) -> float:
        if place == c.ORDER_SPACE:
            return 0.5 if self.s["order"][min(SECOND, int(self.s["players"]) - 1)] != self.seat else 0.0
        pushed = self.s["worker"][place] != c.NONE
        return self._area(place) - (1.0 if pushed else 0.0)

    def _push_to(self, block: str, area: int) -> float:
        return -float(self.box["area_resource"][area].sum())

    def _ignore(self, block: str, i: int) -> float:
        resource, building = (int(self.box[f"event_no_{x}"][self.s["event"]]) for x in ("resource", "building"))
        if resource >= 0:
            loss = float(self.box["area_resource"][self._pieces(), resource].sum()) * self.wanted[resource]
        else:
            enough = (self.held >= self.box["building_cost"][building]).all() and self.s["owner"][building] < 0
            loss = 2.0 * enough
        late = 0.2 * (int(self.s["round"]) - 1)
        return loss + late - 1.5 if block == "power" else 0.0

    def _march(self, block: str, card: int) -> float:
        return 0.0 if block == "done" else 1.0

    def _source(self, block: str, i: int) -> float:
        """Units of tax cards cost nothing, nor does one of any kind; an area costs its resources."""
        unit = int(np.flatnonzero(self.s["owed_unit"])[0])
        source = i if block == "unit" else int(self.box["area_unit"][i]) if block == "area" else unit
        power = 0.5 if source != unit else 0.0
        return -power - (self._yield(i) if block == "area" else 0.01 if block == "joker" else 0.0)

    def _hurt(self, block: str, other: int) -> float:
        return float(self.s["vp"][other])

    def _gain(self, block: str, resource: int) -> float:
        return float(self.wanted[resource])

    def _lose(self, block: str, resource: int) -> float:
        return -float(self.wanted[resource]) + 0.1 * float(self.held[resource])

    def _build(self, block: str, i: int) -> float:
        if block == "building":
            return self._building_worth(i) + (0.5 if self.s["owner"][i] == c.NONE else 0.0)
        return 0.1 * (int(self.s["round"]) - 3) if block == "power" else 0.0

    def _tax(self, block: str, i: int) -> float:
        if block == "tax":
            return self._tax_worth(i) - 0.6
        return 0.1 * (int(self.s["round"]) - 3) if block == "power" else 0.0

    def _replace(self, block: str, resource: int) -> float:
        return 0.0 if block == "done" else -1.0

    def _replace_by(self, block: str, resource: int) -> float:
        return -float(self.wanted[resource]) + 0.1 * float(self.held[resource])

    def _steal_from(self, block: str, other: int) -> float:
        there = self.s["resource"][other] > 0
        return float((there * self.wanted).max()) + 0.01 * float(self.s["vp"][other])

    def _steal(self, block: str, resource: int) -> float:
        return float(self.wanted[resource])

    def _rearrange(self, block: str, i: int) -> float:
        bad = self.s["order"][SECOND] != self.seat
        return float(bad) if block == "power" else 0.5

    def _next_place(self, block: str, other: int) -> float:
        """Itself second; who leads is put first, where a resource is lost."""
        if other == self.seat:
            return 100.0 if self.about == SECOND else -100.0
        return float(self.s["vp"][other])
