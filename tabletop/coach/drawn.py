"""Pictures of :mod:`tabletop.drawing` as layers of a scene, for games that draw themselves with it."""

from __future__ import annotations

from collections.abc import Iterable

from tabletop.coach.parts import Item, Layer
from tabletop.drawing import Line, Point, Shape, Text


def layer(name: str, shapes: Iterable[Shape | Line | Text], left: float = 0.0, top: float = 0.0) -> Layer:
    """A layer of shapes; ``left`` and ``top`` of them is the scene's corner."""
    return {"id": name, "items": [_item(shape, left, top) for shape in shapes]}


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


__all__ = ["layer"]
