"""Where things lie on the picture of the map: an ancient Near East that makes room for every piece."""

from __future__ import annotations

from typing import Any

from sammu_env import constants as c

Point = tuple[float, float]

#: The map's corners on the picture.
MAP: tuple[Point, Point] = ((12, 58), (1034, 852))


def _spot(x: float, y: float) -> Point:
    """From map coordinates (988 x 716) to the picture."""
    return MAP[0][0] + x * 1.034, MAP[0][1] + y * 1.109


def _smooth(points: list[Point], closed: bool) -> tuple[Point, ...]:
    """A Catmull-Rom curve through points (map coordinates), as points of the picture."""
    n, out = len(points), []
    for k in range(n if closed else n - 1):
        p = [points[(k + d) % n] if closed else points[min(max(k + d, 0), n - 1)] for d in (-1, 0, 1, 2)]
        for step in range(8):
            t = step / 8
            out.append(_spot(*(_spline([q[axis] for q in p], t) for axis in (0, 1))))
    if not closed:
        out.append(_spot(*points[-1]))
    return tuple((round(x, 1), round(y, 1)) for x, y in out)


def _spline(v: list[float], t: float) -> float:
    a, b, d, e = v
    return 0.5 * (2 * b + (d - a) * t + (2 * a - 5 * b + 4 * d - e) * t * t + (3 * b - a - 3 * d + e) * t * t * t)


_LOCATIONS: dict[str, Point] = {
    "Kalhu": (628, 298), "Nineveh": (508, 232), "Ashur": (548, 404), "Arbela": (752, 238),
    "Gordium": (218, 88), "Ancyra": (348, 122), "Elmali": (165, 222), "Tushpa": (560, 100), "Bastam": (765, 100),
    "Ecbatana": (812, 325), "Godin Tepe": (925, 222),
    "Babylon": (655, 588), "Opis": (700, 462), "Susa": (818, 530), "Anshan": (918, 620),
    "Jerusalem": (332, 508), "Tyre": (322, 392), "Samaria": (432, 452), "Salamis": (205, 402), "Kition": (88, 402),
    "Men-nefer": (78, 545), "Heliopolis": (206, 538), "Napata": (190, 645), "Meroe": (332, 650),
    "Damascus": (428, 336), "Sardes": (76, 100),
}  # fmt: skip
AT: tuple[Point, ...] = tuple(_spot(*_LOCATIONS[name]) for name in c.LOCATIONS)

_PLAQUES: dict[str, Point] = {
    "Assyria": (628, 212), "Phrygia": (284, 200), "Urartu": (662, 70), "Medes": (926, 322), "Babylonia": (562, 536),
    "Elam": (924, 520), "Canaan": (440, 560), "Cyprus": (146, 328), "Egypt": (70, 628), "Kush": (458, 662),
}  # fmt: skip
PLAQUE: tuple[Point, ...] = tuple(_spot(*_PLAQUES[name]) for name in c.AREAS)

#: Roads that bend, so that they do not run through other places.
_BENDS: dict[tuple[str, str], Point] = {("Ashur", "Jerusalem"): (470, 512)}


def road_line(one: int, other: int) -> tuple[Point, ...]:
    """Points of the road between two locations (their numbers, either way)."""
    names = (c.LOCATIONS[one], c.LOCATIONS[other])
    bend = _BENDS.get(names) or _BENDS.get(names[::-1])
    return (AT[one], _spot(*bend), AT[other]) if bend else (AT[one], AT[other])


LANDS: tuple[tuple[Point, ...], ...] = (
    tuple(_spot(*p) for p in [(0, 716), (0, 492)])
    + _smooth(
        [(0, 492), (60, 486), (130, 470), (205, 482), (262, 470), (284, 420), (288, 370), (318, 330), (352, 300),
         (318, 286),
         (262, 304), (214, 292), (160, 300), (96, 282), (40, 280), (22, 210), (34, 150), (12, 96), (44, 52), (110, 34),
         (190, 40), (270, 22), (350, 40), (430, 34), (500, 14), (560, 0)],
        False,
    )
    + tuple(_spot(*p) for p in [(988, 0), (988, 716)]),
    _smooth(
        [(30, 372), (90, 352), (160, 352), (262, 356), (268, 396), (236, 446), (150, 458), (60, 462), (22, 424)], True
    ),
)  # fmt: skip
WATERS: tuple[tuple[Point, ...], ...] = (
    _smooth([(700, 716), (722, 668), (770, 634), (810, 626), (838, 652), (880, 692), (930, 716)], False),
    _smooth([(850, 0), (862, 60), (900, 118), (950, 142), (988, 148), (988, 0)], False),
)  # fmt: skip
RIVERS: tuple[tuple[Point, ...], ...] = (
    _smooth([(470, 130), (455, 200), (470, 280), (500, 350), (545, 470), (600, 560), (690, 620), (742, 654)], False),
    _smooth([(470, 160), (540, 190), (590, 250), (590, 360), (640, 430), (730, 540), (760, 640)], False),
    _smooth([(150, 716), (142, 650), (150, 590), (140, 540), (130, 472)], False),
)  # fmt: skip
SEA_NAMES: dict[str, Point] = {"sea_west": _spot(60, 478 - 3), "sea_east": _spot(800, 690), "sea_north": _spot(925, 70)}


def road_places(box: Any) -> list[str]:
    """What the roads are called on the picture, in the box's order."""
    return [f"road {c.LOCATIONS[a]}/{c.LOCATIONS[b]}" for a, b in box["road_end"][: int(box["roads"])]]
