"""The map as the coach shows it: the layers of :mod:`sammu_env.render.scene`, and what to touch for a choice."""

from __future__ import annotations

from typing import Any

from sammu_env import constants as c
from sammu_env.actions import block_of
from sammu_env.render import places, scene
from tabletop.coach.drawn import layer
from tabletop.coach.parts import Scene

#: Blocks of the catalogue whose choices lie on the map, and the names of what is touched.
ON_MAP = {"location": c.LOCATIONS, "area": c.AREAS, "character": c.CHARACTERS}


def picture(box: Any, s: Any, lang: str) -> Scene:
    """The map; records of shape ()."""
    (left, top), (right, bottom) = places.MAP
    layers = [layer(name, shapes, left, top) for name, shapes in scene.map_layers(box, s, lang).items()]
    return {"width": right - left, "height": bottom - top, "layers": layers}


def place(box: Any, s: Any, action: int) -> str | None:
    """The id of what is touched for a choice, where it is on the map."""
    block, index = block_of(action)
    if block == "road":
        return places.road_places(box)[index]
    if block not in ON_MAP or (block == "character" and s["location"][index] < 0):
        return None
    return ON_MAP[block][index]
