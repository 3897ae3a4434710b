"""Two writers for one scene: SVG text, and pixels by Pillow, which needs no font on the machine."""

from __future__ import annotations

from functools import cache
from itertools import pairwise
from math import hypot
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from PIL import Image, ImageDraw, ImageFont

from sammu_env.render_scene import HEIGHT, WIDTH, Line, Point, Scene, Shape, Text

FONTS = "Helvetica, Arial, 'Noto Sans CJK JP', 'Hiragino Sans', 'Yu Gothic', 'DejaVu Sans', sans-serif"
#: Pixels are drawn this much larger and scaled down, which smooths edges.
OVERSAMPLE = 2


def _number(v: float) -> str:
    return f"{v:.1f}".removesuffix(".0")


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


# SVG


def to_svg(scene: Scene) -> str:
    """The scene as an SVG 1.1 document of WIDTH x HEIGHT."""
    size = f'width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}"'
    body = "\n".join(_svg_item(item) for item in scene)
    return f'<svg xmlns="http://www.w3.org/2000/svg" version="1.1" {size} font-family="{FONTS}">\n{body}\n</svg>\n'


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
    return ImageFont.load_default(size)


def to_pixels(scene: Scene) -> np.ndarray:
    """The scene as an array (HEIGHT, WIDTH, 3), uint8. Pillow's own font has no Japanese letters."""
    k = OVERSAMPLE
    image = Image.new("RGB", (WIDTH * k, HEIGHT * k))
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
