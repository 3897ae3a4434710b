"""The box as shipped: its files, read and checked."""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import Any

from sammu_env.components.checks import problems
from sammu_env.components.schema import Box
from tabletop.editions import read_toml, validated

DATA = Path(__file__).parents[1] / "data"
#: The files of the box and the section each holds.
FILES = {
    "map": "map.toml",
    "components": "components.toml",
    "character": "characters.toml",
    "event": "events.toml",
    "ashur": "ashur.toml",
    "challenge": "challenges.toml",
    "marker": "markers.toml",
    "technology": "technologies.toml",
}


@lru_cache(maxsize=1)
def base() -> dict[str, Any]:
    """The values of the files, by section."""
    return {section: read_toml(DATA / name)[section] for section, name in FILES.items()}


@lru_cache(maxsize=1)
def shipped() -> Box:
    """The box as shipped, as models."""
    return validated(Box, base(), "data", problems)
