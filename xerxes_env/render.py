"""What a player sees of a state: in words, and as a picture of the board, 1200 x 860 pixels.

``box`` is a record of dtype BOX, ``s`` a state, shape (1,). ``seat`` is who looks: cards in hand and discarded are
shown to their owner, and to None.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from tabletop.drawing import Line, Point, Scene, Shape, Text, fit, symbol, to_pixels, to_svg, wrap
from tabletop.game import NOBODY, Record
from xerxes_env import constants as c
from xerxes_env import words
from xerxes_env.words import listed, seat_name, word

SIZE = WIDTH, HEIGHT = 1200, 860
TABLE = 738  #: where what is asked and held begins
INK, FAINT, PAPER, PANEL, RULE = "#2b2622", "#8b8176", "#f6efdf", "#fbf7ec", "#d8ccb4"
SEA, LAND, COAST = "#bcd8e0", "#efe4c8", "#c9b98f"
SEAT_COLOR = ("#c2452d", "#2d6fb5", "#3f8f3f", "#8c52b0")
RESOURCE_COLOR = ("#8fa03c", "#e9e4da", "#8a5a2b", "#8d949c", "#c76a2b", "#f0c419")
UNIT_FORM = ("square", "triangle", "diamond", "hexagon")
#: Where areas lie, in 1/1000 of the map's width and height: about as on the earth, from the Aegean to the Indus.
AT = ((130, 860), (455, 660), (905, 700), (700, 420), (60, 410), (780, 130), (885, 330), (395, 460), (675, 780),
      (545, 400), (205, 310), (345, 205), (285, 640), (120, 620), (40, 175), (520, 800))  # fmt: skip
MAP = (20.0, 20.0, 850.0, 590.0)  #: left, top, width, height
LAND_OUTLINE = (
    (0, 120),
    (90, 110),
    (110, 190),
    (230, 130),
    (400, 130),
    (470, 60),
    (560, 40),
    (570, 260),
    (640, 290),
    (660, 120),
    (730, 20),
    (1000, 0),
    (1000, 880),
    (860, 930),
    (700, 900),
    (600, 960),
    (470, 830),
    (420, 900),
    (480, 1000),
    (0, 1000),
    (0, 760),
    (190, 760),
    (235, 560),
    (210, 430),
    (100, 470),
    (0, 460),
)


def _held(s: Record, kind: str, where: int) -> list[int]:
    return [int(card) for card in np.flatnonzero(s[kind][0] == where)]


def _cards(box: Any, s: Record, where: int, lang: str) -> str:
    said = [words.march_card(box, card, lang) for card in _held(s, "march", where)]
    said += [words.tax_card(box, card, lang) for card in _held(s, "tax", where)]
    return listed(said, lang)


def describe(box: Any, s: Record, lang: str = "en", seat: int | None = None) -> str:
    """The whole situation in words, a line for each thing."""
    words.check_language(lang)
    one = s[0]
    phase = word("phase", c.PHASES[one["phase"]], lang)
    lines = [word("label", "round", lang, n=one["round"], phase=phase)]
    order = [seat_name(i, lang) for i in one["order"][: one["players"]] if i >= 0]
    lines.append(word("label", "order", lang, seats=listed(order, lang)))
    if one["event"] >= 0:
        lines.append(word("label", "event", lang, event=words.event(box, one["event"], lang)))
    built = [f"{word('building', name, lang)} ({seat_name(one['owner'][i], lang)})"
             for i, name in enumerate(c.BUILDINGS) if one["owner"][i] >= 0]  # fmt: skip
    lines.append(word("label", "built", lang, buildings=listed(built, lang)))
    for player in range(one["players"]):
        lines += _player(box, s, player, lang, seat in (None, player))
    if one["to_act"] == NOBODY:
        lines.append(words.outcome(box, s, lang))
    return "\n".join(lines)


def _player(box: Any, s: Record, player: int, lang: str, sees: bool) -> list[str]:
    one = s[0]
    satrap = word("area", c.SATRAPS[one["satrap"][player]], lang) if one["satrap"][player] >= 0 else "?"
    held = words.resources(one["resource"][player], lang)
    first = [word("label", "player", lang, seat=seat_name(player, lang), satrap=satrap, vp=one["vp"][player],
                  resources=held)]  # fmt: skip
    if one["power"][player]:
        first.append(word("label", "power_left", lang))
    if not one["standing"][player]:
        first.append(word("label", "laid_down", lang))
    places = [words.place(i, lang) for i in range(c.PLACES) if one["worker"][i] == player]
    first.append(word("label", "workers", lang, places=listed(places, lang)))
    hand = [len(_held(s, kind, c.HAND + player)) for kind in ("tax", "march")]
    first.append(word("label", "hand", lang, tax=hand[0], march=hand[1]))
    lines = [listed(first, lang)]
    lines.append("  " + word("label", "played", lang, cards=_cards(box, s, c.PLAYED + player, lang)))
    if sees:
        lines.append("  " + word("label", "holds", lang, cards=_cards(box, s, c.HAND + player, lang)))
        lines.append("  " + word("label", "discarded", lang, cards=_cards(box, s, c.OUT + player, lang)))
    return lines


def text(box: Any, s: Record, lang: str = "en", seat: int | None = None) -> str:
    """The situation and what is asked now."""
    return f"{describe(box, s, lang, seat)}\n> {words.question(s, lang)}"


def svg(box: Any, s: Record, lang: str = "en", seat: int | None = None) -> str:
    """The board as an SVG document."""
    return to_svg(scene(box, s, lang, seat), SIZE)


def rgb_array(box: Any, s: Record, seat: int | None = None) -> Any:
    """The board as uint8 (860, 1200, 3), always in English: Pillow's own font has no Japanese letters."""
    return to_pixels(scene(box, s, "en", seat), SIZE)


def scene(box: Any, s: Record, lang: str, seat: int | None) -> Scene:
    """The map of the areas, the buildings below it, and at the right the turn order, the years and the players."""
    return [*(shape for shapes in layered(box, s, lang).values() for shape in shapes), *_table(box, s, lang, seat)]


def layered(box: Any, s: Record, lang: str) -> dict[str, Scene]:
    """The same in layers, but for what is asked and held. What people touch has an id: areas and buildings their names,
    "order" the turn-order space, "satrap 0" the mat of a seat, and "grain 0" its resources."""
    return {
        "paper": [Shape("rect", ((0, 0), SIZE), PAPER)],
        "map": _map(box, s, lang),
        "buildings": _buildings(box, s, lang),
        "tracks": _tracks(box, s, lang),
        **{f"mat {player}": _mat(s, player, lang) for player in range(s["players"][0])},
    }


def _on_map(at: tuple[int, int]) -> Point:
    left, top, width, height = MAP
    return left + width * at[0] / 1000, top + height * at[1] / 1000


def _map(box: Any, s: Record, lang: str) -> Scene:
    left, top, width, height = MAP
    shapes: Scene = [
        Shape("rect", ((left, top), (left + width, top + height)), SEA, COAST),
        Shape("polygon", tuple(_on_map(at) for at in LAND_OUTLINE), LAND, COAST, 1.5),
    ]
    for area, at in enumerate(AT):
        x, y = _on_map(at)
        shapes += _area(box, s, area, (min(max(x, left + 58), left + width - 58), y), lang)
    return shapes


def _area(box: Any, s: Record, area: int, at: Point, lang: str) -> Scene:
    """A plate with the name, the resources as dots, the unit as a black shape, and the piece that stands there."""
    one, (x, y) = s[0], at
    home = area < c.N_SATRAPS
    shapes: Scene = [Shape("rect", ((x - 55, y - 27), (x + 55, y + 27)), PANEL, INK if home else COAST,
                           1.6 if home else 1, 6, c.AREAS[area])]  # fmt: skip
    shapes.append(Text((x - 49, y - 11), fit(words.place(area, lang), 12, 76), 12, INK, "start", home))
    dots = [r for r in range(c.N_RESOURCES) for _ in range(box["area_resource"][area, r])]
    for i, resource in enumerate(dots):
        shapes.append(symbol("circle", (x - 43 + 14 * i, y + 2), 5.5, RESOURCE_COLOR[resource], INK, 0.7))
    unit = int(box["area_unit"][area])
    shapes.append(symbol(UNIT_FORM[unit], (x - 42, y + 17), 5.5, INK))
    shapes.append(Text((x - 32, y + 21), word("unit", c.UNITS[unit], lang), 10, INK))
    there = int(one["worker"][area])
    if there >= 0:
        shapes += _pawn((x + 41, y + 11), SEAT_COLOR[there], str(1 + there))
    for player in range(one["players"]):
        if one["satrap"][player] == area:
            shapes += _satrap((x + 41, y + 8), SEAT_COLOR[player], str(1 + player), bool(one["standing"][player]))
    return shapes


def _pawn(at: Point, color: str, label: str) -> Scene:
    return [symbol("circle", at, 10, color, "#ffffff"), Text((at[0], at[1] + 4), label, 12, "#ffffff", "middle", True)]


def _satrap(at: Point, color: str, label: str, stands: bool) -> Scene:
    """Upright, or laid down and pale."""
    x, y = at
    w, h = (8, 15) if stands else (15, 8)
    ink = "#ffffff" if stands else color
    return [Shape("rect", ((x - w, y - h), (x + w, y + h)), color if stands else PANEL, color, 2, 4),
            Text((x, y + 4), label, 12, ink, "middle", True)]  # fmt: skip


def _buildings(box: Any, s: Record, lang: str) -> Scene:
    """Temple at the left, fortress at the right, the four with blue and red VP between them."""
    one = s[0]
    shapes: Scene = []
    for i, name in enumerate(c.BUILDINGS):
        x, y = 20 + i * 142.5, 622.0
        owner = int(one["owner"][i])
        edge = SEAT_COLOR[owner] if owner >= 0 else RULE
        shapes.append(Shape("rect", ((x, y), (x + 136, y + 92)), PANEL, edge, 3 if owner >= 0 else 1, 6, name))
        shapes.append(Text((x + 8, y + 20), word("building", name, lang), 14, INK, "start", True))
        dots = [r for r in range(c.N_RESOURCES) for _ in range(box["building_cost"][i, r])]
        for k, resource in enumerate(dots[:9]):
            shapes.append(symbol("circle", (x + 14 + 14 * k, y + 38), 5.5, RESOURCE_COLOR[resource], INK, 0.7))
        shapes.append(Text((x + 8, y + 78), str(box["building_vp"][i, one["round"] - 1]), 24, "#2450a4", "start", True))
        if box["building_loss"][i]:
            shapes.append(Text((x + 48, y + 78), f"-{box['building_loss'][i]}", 20, "#b3261e", "start", True))
        if owner >= 0:
            shapes += _pawn((x + 116, y + 72), SEAT_COLOR[owner], str(1 + owner))
    return shapes


def _tracks(box: Any, s: Record, lang: str) -> Scene:
    """Turn order with the space above it, years, event."""
    one, x = s[0], 890.0
    shapes: Scene = [Shape("rect", ((x, 20), (x + 290, 170)), PANEL, RULE, 1, 6)]
    shapes.append(Text((x + 12, 42), word("label", "order_space", lang), 12, FAINT))
    shapes.append(Shape("circle", ((x + 262, 38),), PAPER, INK, 1, 13, "order"))
    if one["worker"][c.ORDER_SPACE] >= 0:
        there = int(one["worker"][c.ORDER_SPACE])
        shapes += _pawn((x + 262, 38), SEAT_COLOR[there], str(1 + there))
    for place in range(one["players"]):
        at = (x + 36 + 62 * place, 80.0)
        shapes.append(Text((at[0] - 26, 85), str(place + 1), 12, FAINT))
        seat = int(one["order"][place])
        if seat >= 0:
            shapes += _pawn(at, SEAT_COLOR[seat], str(1 + seat))
    for year in range(c.ROUNDS):
        now = year + 1 == one["round"]
        shapes.append(symbol("square", (x + 26 + 39 * year, 118), 13, "#d9a514" if now else PAPER, RULE))
        shapes.append(Text((x + 26 + 39 * year, 123), str(year + 1), 13, INK, "middle", now))
    event = words.event(box, one["event"], lang) if one["event"] >= 0 else ""
    for i, line in enumerate(wrap(event, 11, 270)):
        shapes.append(Text((x + 12, 151 + 14 * i), line, 11, INK, "start", True))
    return shapes


def _mat(s: Record, player: int, lang: str) -> Scene:
    """VP, satrap, resources, power token, tokens, cards played and held."""
    one, x, y = s[0], 890.0, 182.0 + 134 * player
    frame = ((x, y), (x + 290, y + 126))
    shapes: Scene = [Shape("rect", frame, PANEL, SEAT_COLOR[player], 2, 6, f"satrap {player}")]
    satrap = int(one["satrap"][player])
    shapes += _pawn((x + 20, y + 20), SEAT_COLOR[player], str(1 + player))
    name = word("area", c.SATRAPS[satrap], lang) if satrap >= 0 else "?"
    shapes.append(Text((x + 38, y + 25), name, 15, INK, "start", True))
    shapes.append(Text((x + 278, y + 27), word("label", "vp", lang, n=one["vp"][player]), 18, INK, "end", True))
    for r in range(c.N_RESOURCES):
        at = x + 20 + 45 * r
        n = int(one["resource"][player, r])
        fill, edge = (RESOURCE_COLOR[r], INK) if n else (PAPER, RULE)
        shapes.append(Shape("circle", ((at, y + 52),), fill, edge, 0.8, 8, f"{c.RESOURCES[r]} {player}"))
        shapes.append(Text((at + 13, y + 57), str(n), 14, INK if n else FAINT, "start", n > 0))
    if one["power"][player]:
        shapes.append(Text((x + 12, y + 84), word("label", "power_left", lang), 11, INK))
    hand = {kind: len(_held(s, kind, c.HAND + player)) for kind in ("tax", "march")}
    shapes.append(Text((x + 278, y + 84), word("label", "hand", lang, **hand), 11, FAINT, "end"))
    played = [len(_held(s, kind, c.PLAYED + player)) for kind in ("tax", "march")]
    for k in range(played[1]):
        shapes.append(
            Shape("rect", ((x + 12 + 16 * k, y + 94), (x + 24 + 16 * k, y + 114)), "#b3261e", "#ffffff", 1, 2)
        )
    for k in range(played[0]):
        at = x + 90 + 16 * k
        shapes.append(Shape("rect", ((at, y + 94), (at + 12, y + 114)), "#2450a4", "#ffffff", 1, 2))
    return shapes


def _table(box: Any, s: Record, lang: str, seat: int | None) -> Scene:
    """What is asked, the cards that ``seat`` holds, and what the signs mean."""
    y = float(TABLE)
    over = s["to_act"][0] == NOBODY
    said = words.outcome(box, s, lang) if over else words.question(s, lang)
    shapes: Scene = [Text((20, y), fit(said, 16, 845), 16, INK, "start", True)]
    shapes.append(Line(((20, y + 10), (870, y + 10)), RULE, 1))
    for r, name in enumerate(c.RESOURCES):
        shapes.append(symbol("circle", (28 + 82 * r, y + 26), 6, RESOURCE_COLOR[r], INK, 0.7))
        shapes.append(Text((38 + 82 * r, y + 30), word("resource", name, lang), 11, INK))
    for u, name in enumerate(c.UNITS):
        shapes.append(symbol(UNIT_FORM[u], (528 + 82 * u, y + 26), 6, INK))
        shapes.append(Text((538 + 82 * u, y + 30), word("unit", name, lang), 11, INK))
    if seat is not None:
        cards = _cards(box, s, c.HAND + seat, lang)
        for i, line in enumerate(wrap(word("label", "holds", lang, cards=cards), 11, 850)):
            shapes.append(Text((20, y + 52 + 16 * i), line, 11, INK))
    return shapes
