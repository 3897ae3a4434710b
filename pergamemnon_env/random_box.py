"""Random boxes: values of cards drawn anew by a seed, as an edition file has them.

Values of army cards move by up to one, of creatures by up to two; the weapons and skills of a nation are dealt anew to
its cards, those of the creatures to all creatures. What the rulebook says stays: leaders are captured, no number of a
card leaves 1 to 11 (a charisma may be 0), costs are met by no card alone.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from pergamemnon_env.constants import NATIONS

Cards = dict[str, dict[str, Any]]


def draw(seed: int, printed: Mapping[str, Any]) -> dict[str, Cards]:
    """The values of a seed, by section, card and field; ``printed``: those of the box."""
    rng = np.random.default_rng(seed)
    values = {nation: _dealt(printed[nation], rng, 1) for nation in NATIONS}
    return {**values, "creature": _dealt(printed["creature"], rng, 2)}


def _dealt(cards: Cards, rng: np.random.Generator, most: int) -> Cards:
    """Values anew for the cards of a nation, or for the creatures."""

    def near(value: int, low: int, high: int, by: int) -> int:
        return int(np.clip(value + rng.integers(-by, by + 1), low, high))

    weapons = iter(rng.permutation([card["weapon"] for card in cards.values()]).tolist())
    skills = iter(rng.permutation([card["skill"] for card in cards.values() if card["skill"] != "leader"]).tolist())
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
