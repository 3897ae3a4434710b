"""Golden games of Sammu-Ramat, with the box as shipped (:mod:`tabletop.golden`).

A change of the rules or of the box's data changes them, and then ``sammu_env``'s version or edition has changed too.
Write them anew, and say in the commit why:

    python -m tests.laws.golden --write
"""

from __future__ import annotations

from pathlib import Path

from sammu_env.constants import CHALLENGES
from tabletop import golden
from tabletop.game import Record
from tests.laws.walk import GAME, Way

PATH = Path(__file__).with_name("golden.json")


def ways() -> dict[str, Way]:
    """Each challenge, each number of players, hidden hands, a campaign: name and way."""
    found = {name: Way(100 + i, 1 + i % 5, name) for i, name in enumerate(CHALLENGES)}
    found |= {f"{players} players": Way(200 + players, players) for players in range(1, 6)}
    found["hidden hands"] = Way(301, 4, hidden_hands=True)
    found["campaign"] = Way(300, 3, "SAM-179", campaign=True, oracles=2)
    return found


def begins() -> dict[str, tuple[Record, int]]:
    """Each one's setup and seed."""
    return {name: (way.setup(), way.seed) for name, way in ways().items()}


if __name__ == "__main__":
    golden.main(PATH, GAME, begins(), "tests.laws.golden")
