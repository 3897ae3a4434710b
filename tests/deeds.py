"""What every game with deeds promises."""

from __future__ import annotations

from typing import Any

from tabletop import record
from tabletop.coach.parts import Parts
from tabletop.coach.telling import deeds
from tabletop.game import Record
from tabletop.plays import play


def choices_are_covered(game: Any, setup: Record, seed: int) -> None:
    """What seats have chosen in a random game is told in fewer deeds, each choice in one, in both languages."""
    one = play(game, setup, seed)
    made = [(record.copy(one.states[step]), one.log.entries[step][1]) for step in one.asking]
    for lang in ("en", "ja"):
        found = game.deeds(made, lang)
        assert sum(deed.n for deed in found) == len(made) > len(found) and any(deed.text for deed in found)
        assert all(deeds(Parts(game), made, lang))
