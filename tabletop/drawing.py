"""Pictures of plain shapes, and two writers for them: SVG text, and pixels by Pillow, which needs no font.

Coordinates are pixels, y down; text stands on its baseline.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from math import cos, hypot, pi, sin
from typing import Any
from xml.sax.saxutils import escape

import numpy as np

from tabletop.needs import needed

FONTS = "Helvetica, Arial, 'Noto Sans CJK JP', 'Hiragino Sans', 'Yu Gothic', 'DejaVu Sans', sans-serif"
#: Pixels are drawn this much larger and scaled down, which smooths edges.
OVERSAMPLE = 2

Point = tuple[float, float]


@dataclass(frozen=True)
class Shape:
    """A closed shape: polygon of ``points``, rectangle (two corners, ``radius``) or circle (centre, ``radius``)."""

    form: str  # "polygon", "rect" or "circle"
    points: tuple[Point, ...]
    fill: str | None
    stroke: str | None = None
    width: float = 1.0
    radius: float = 0.0
    id: str = ""  # what people touch or talk about; several items may share one


@dataclass(frozen=True)
class Line:
    """An open line through points; ``dash`` (on, off) in pixels, (0, 0) for none; ends and corners are round."""

    points: tuple[Point, ...]
    color: str
    width: float
    dash: tuple[float, float] = (0, 0)
    id: str = ""


@dataclass(frozen=True)
class Text:
    """One line of text; ``anchor`` is "start", "middle" or "end"."""

    at: Point
    text: str
    size: float
    color: str
    anchor: str = "start"
    bold: bool = False
    id: str = ""


Scene = list["Shape | Line | Text"]


# What a scene is made of


def width_of(text: str, size: float) -> float:
    """A width that no common font exceeds by much: the scene measures without a font."""
    return sum(1.0 if ord(ch) > 0x2E7F else 0.68 if ch.isupper() else 0.55 for ch in text) * size


def fit(text: str, size: float, room: float) -> str:
    """The text, shortened with an ellipsis if it would need more than ``room`` pixels."""
    if width_of(text, size) <= room:
        return text
    while text and width_of(text + "…", size) > room:
        text = text[:-1]
    return text.rstrip() + "…"


def ngon(at: Point, radius: float, sides: int, turn: float = 0.0) -> tuple[Point, ...]:
    """Corners of a regular polygon, the first one straight up (turned by ``turn`` corners)."""
    step = 2 * pi / sides
    angles = [(k + turn) * step for k in range(sides)]
    return tuple((at[0] + radius * sin(angle), at[1] - radius * cos(angle)) for angle in angles)


def _cross(at: Point, r: float) -> tuple[Point, ...]:
    a, (x, y) = r * 0.58, at
    return ((x - a, y - r), (x + a, y - r), (x + a, y - a), (x + r, y - a), (x + r, y + a), (x + a, y + a),
            (x + a, y + r), (x - a, y + r), (x - a, y + a), (x - r, y + a), (x - r, y - a), (x - a, y - a))  # fmt: skip


def symbol(form: str, at: Point, r: float, fill: str, stroke: str | None = "#ffffff", width: float = 1.0) -> Shape:
    """A filled symbol of about radius ``r``: square, circle, hexagon, cross, triangle, diamond or tag."""
    if form == "circle":
        return Shape("circle", (at,), fill, stroke, width, r)
    if form == "square":
        half = r * 0.9
        return Shape("rect", ((at[0] - half, at[1] - half), (at[0] + half, at[1] + half)), fill, stroke, width, 2)
    if form == "tag":
        return Shape("rect", ((at[0] - r, at[1] - r * 0.8), (at[0] + r, at[1] + r * 0.8)), fill, stroke, width, 3)
    corners = {
        "hexagon": lambda: ngon(at, r * 1.08, 6, 0.5),
        "cross": lambda: _cross(at, r),
        "triangle": lambda: ngon((at[0], at[1] + r * 0.2), r * 1.2, 3),
        "diamond": lambda: ngon(at, r * 1.15, 4),
    }[form]()
    return Shape("polygon", corners, fill, stroke, width)


def wrap(text: str, size: float, room: float) -> list[str]:
    """Lines no wider than ``room``: between words, or anywhere in text without spaces."""
    lines, line = [], ""
    parts = text.split(" ") if " " in text else list(text) if any(ord(ch) > 0x2E7F for ch in text) else [text]
    gap = " " if " " in text else ""
    for part in parts:
        longer = f"{line}{gap}{part}" if line else part
        if line and width_of(longer, size) > room:
            lines.append(line)
            longer = part
        line = longer
    return [fit(shown, size, room) for shown in (*lines, line)]


def ink_on(fill: str, dark: str = "#000000") -> str:
    """White or a dark colour (``#rrggbb``), whichever reads better on a fill."""
    return max(("#ffffff", dark), key=lambda ink: contrast(ink, fill))


def contrast(one: str, other: str) -> float:
    """The contrast of two colours as WCAG counts it: 1 to 21, of which small text needs 4.5."""
    light, dark = sorted((_luminance(one), _luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def _luminance(color: str) -> float:
    parts = (int(color[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = (x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts)
    return sum(weight * x for weight, x in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


# SVG


def to_svg(scene: Scene, size: tuple[int, int]) -> str:
    """The scene as an SVG 1.1 document, (width, height) in pixels."""
    width, height = size
    frame = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}"'
    body = "\n".join(_svg_item(item) for item in scene)
    return f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" {frame} font-family="{FONTS}">\n{body}\n</svg>\n'


def _number(v: float) -> str:
    return f"{v:.1f}".removesuffix(".0")


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _svg_item(item: Shape | Line | Text) -> str:
    if isinstance(item, Text):
        weight = ' font-weight="bold"' if item.bold else ""
        x, y = (_number(v) for v in item.at)
        style = f'font-size="{_number(item.size)}" fill="{item.color}" text-anchor="{item.anchor}"{weight}'
        return f'<text x="{x}" y="{y}" {style}>{escape(item.text)}</text>'
    if isinstance(item, Line):
        dash = f' stroke-dasharray="{_number(item.dash[0])} {_number(item.dash[1])}"' if item.dash[1] else ""
        style = f'stroke="{item.color}" stroke-width="{_number(item.width)}" stroke-linecap="round"{dash}'
        return f'<polyline points="{_points(item.points)}" fill="none" stroke-linejoin="round" {style}/>'
    style = f'fill="{item.fill or "none"}"'
    if item.stroke:
        style += f' stroke="{item.stroke}" stroke-width="{_number(item.width)}"'
    if item.form == "circle":
        x, y = (_number(v) for v in item.points[0])
        return f'<circle cx="{x}" cy="{y}" r="{_number(item.radius)}" {style}/>'
    if item.form == "rect":
        (x0, y0), (x1, y1) = item.points
        place = f'x="{_number(x0)}" y="{_number(y0)}" width="{_number(x1 - x0)}" height="{_number(y1 - y0)}"'
        return f'<rect {place} rx="{_number(item.radius)}" {style}/>'
    return f'<polygon points="{_points(item.points)}" {style}/>'


# Pixels


@cache
def _font(size: float) -> Any:
    """Pillow's own font, which comes with the package: the same letters on every machine."""
    with needed():
        from PIL import ImageFont
    return ImageFont.load_default(size)


def to_pixels(scene: Scene, size: tuple[int, int]) -> np.ndarray:
    """The scene, (width, height) in pixels, as an array uint8 (height, width, 3).

    Pillow's own font has no Japanese letters.
    """
    k = OVERSAMPLE
    with needed():
        from PIL import Image, ImageDraw
    image = Image.new("RGB", (size[0] * k, size[1] * k))
    draw = ImageDraw.Draw(image)
    for item in scene:
        if isinstance(item, Text):
            _draw_text(draw, item, k)
        elif isinstance(item, Line):
            _draw_line(draw, item, k)
        else:
            _draw_shape(draw, item, k)
    return np.asarray(image.reduce(k), dtype=np.uint8).copy()


def _draw_text(draw: Any, item: Text, k: int) -> None:
    anchor = {"start": "ls", "middle": "ms", "end": "rs"}[item.anchor]
    at = (item.at[0] * k, item.at[1] * k)
    # The font has one weight: an outline in the same colour makes it bold, but blots small letters.
    bold = round(item.size * k / 28) if item.bold and item.size > 10.5 else 0
    draw.text(at, item.text, fill=item.color, font=_font(item.size * k), anchor=anchor, stroke_width=bold)


def _draw_line(draw: Any, item: Line, k: int) -> None:
    points = [(x * k, y * k) for x, y in item.points]
    width, r = max(1, round(item.width * k)), item.width * k / 2
    for piece in _dashes(points, item.dash[0] * k, item.dash[1] * k) if item.dash[1] else [points]:
        draw.line(piece, fill=item.color, width=width)
        for x, y in piece:
            draw.ellipse((x - r, y - r, x + r, y + r), fill=item.color)


def _dashes(points: list[Point], on: float, off: float) -> list[list[Point]]:
    """The dashes of a line, each as its two ends."""
    pieces, at = [], 0.0
    for (x0, y0), (x1, y1) in pairwise(points):
        length = hypot(x1 - x0, y1 - y0)
        while at < length:
            ends = (at, min(at + on, length))
            pieces.append([(x0 + (x1 - x0) * e / length, y0 + (y1 - y0) * e / length) for e in ends])
            at += on + off
        at -= length
    return pieces


def _draw_shape(draw: Any, item: Shape, k: int) -> None:
    width = max(1, round(item.width * k)) if item.stroke else 0
    if item.form == "circle":
        (x, y), r = item.points[0], item.radius + (item.width / 2 if item.stroke else 0)
        corners = tuple(v * k for v in (x - r, y - r, x + r, y + r))
        draw.ellipse(corners, fill=item.fill, outline=item.stroke, width=width)
    elif item.form == "rect":
        corners = tuple(v * k for point in item.points for v in point)
        draw.rounded_rectangle(corners, item.radius * k, fill=item.fill, outline=item.stroke, width=width)
    else:
        points = [(x * k, y * k) for x, y in item.points]
        draw.polygon(points, fill=item.fill)
        if item.stroke:
            draw.line([*points, points[0], points[1]], fill=item.stroke, width=width, joint="curve")
