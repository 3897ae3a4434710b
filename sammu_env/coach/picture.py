"""The map as the coach shows it: the layers of :mod:`sammu_env.render.scene`, and what to touch for a choice."""

from __future__ import annotations

from typing import Any

from sammu_env import constants as c
from sammu_env.actions import block_of
from sammu_env.coach import facts
from sammu_env.render import places, scene
from tabletop.coach.parts import Item, Layer, Scene
from tabletop.drawing import Line, Point, Shape, Text

#: Blocks of the catalogue whose choices lie on the map, and the names of what is touched.
ON_MAP = {"location": c.LOCATIONS, "area": c.AREAS, "character": c.CHARACTERS}


def picture(box: Any, s: Any, lang: str) -> Scene:
    """The map; records of shape ()."""
    (left, top), (right, bottom) = places.MAP
    layers: list[Layer] = [
        {"id": name, "items": [_item(shape, left, top) for shape in shapes]}
        for name, shapes in scene.map_layers(box, s, lang).items()
    ]
    return {"width": right - left, "height": bottom - top, "layers": layers}


def place(box: Any, s: Any, action: int) -> str | None:
    """The id of what is touched for a choice, where it is on the map."""
    block, index = block_of(action)
    if block == "road":
        return facts.road_places(box)[index]
    if block not in ON_MAP or (block == "character" and s["location"][index] < 0):
        return None
    return ON_MAP[block][index]


def _item(shape: Shape | Line | Text, left: float, top: float) -> Item:
    def moved(point: Point) -> Point:
        return round(point[0] - left, 1), round(point[1] - top, 1)

    if isinstance(shape, Text):
        item: Item = {"form": "text", "points": [moved(shape.at)], "text": shape.text, "size": shape.size,
                      "fill": shape.color, "anchor": shape.anchor}  # fmt: skip
    elif isinstance(shape, Line):
        item = {"form": "line", "points": [moved(p) for p in shape.points], "stroke": shape.color, "width": shape.width}
        if shape.dash[1]:
            item["dash"] = shape.dash
    else:
        item = {"form": shape.form, "points": [moved(p) for p in shape.points]}
        if shape.radius:
            item["radius"] = round(shape.radius, 1)
        if shape.fill:
            item["fill"] = shape.fill
        if shape.stroke:
            item |= {"stroke": shape.stroke, "width": shape.width}
    if shape.id:
        item["id"] = shape.id
    return item
