"""The picture of the table as a scene of plain shapes, which :mod:`tabletop.drawing` draws: 1440 x 960 pixels."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from sammu_env import constants as c
from sammu_env import words
from sammu_env.render import places
from tabletop.drawing import Line, Point, Scene, Shape, Text, fit, ink_on, symbol, width_of, wrap

SIZE = WIDTH, HEIGHT = 1440, 960

# Palette
INK, FAINT, PAPER, PANEL, RULE = "#2b2622", "#665c50", "#f6efdf", "#fbf7ec", "#d8ccb4"
SEA, LAND, COAST, RIVER, SEA_INK = "#bcd8e0", "#efe4c8", "#c9b98f", "#9cc4d2", "#2f5f70"
GOLD_LINE, ROAD_INK, GATE_BLUE, GATE_GOLD = "#e3b100", "#7a6a52", "#2450a4", "#e8b923"
RED, GREEN_INK, TECHNOLOGY = "#b3261e", "#2f7d4f", "#8a5a2b"
KIND_COLOR = ("#475663", "#7e4da5", "#bf862a", "#27a198")
KIND_FORM = ("square", "circle", "hexagon", "cross")
GOOD_COLOR = ("#9d4568", "#8a94ad", "#be4f15", "#e6b821", "#2f5ec2")
GOOD_FORM = ("square", "hexagon", "circle", "triangle", "diamond")
SEAT_COLOR = ("#b83222", "#2f609a", "#4da560", "#a77fe4", "#cb8112")
PUBLIC_COLOR, QUEEN_COLOR, ORACLE_COLOR = "#f4ead2", "#d9a514", "#3a3040"
AREA_COLOR = ("#e9b9a4", "#d5c39a", "#b9c9b0", "#c8b7cf", "#e6cf9b", "#b7c8d6", "#e3c3b6", "#c9d9b2", "#ecd98f",
              "#cdb49b")  # fmt: skip


# Small pieces


def _ink_on(fill: str) -> str:
    """Dark or white, whichever reads better on a colour."""
    return ink_on(fill, INK)


def _piece(form: str, at: Point, r: float, fill: str, text: str, stroke: str = "#ffffff") -> Scene:
    """A symbol with a number or letters in it."""
    size = r * (1.25 if len(text) < 2 else 1.05)
    ink = _ink_on(fill)
    return [symbol(form, at, r, fill, stroke), Text((at[0], at[1] + size * 0.36), text, size, ink, "middle", True)]


def token(kind: int, at: Point, n: int, r: float = 10) -> Scene:
    """An empire token with a count; a medicine cross is larger, so that the number has room; none is pale."""
    fill = KIND_COLOR[kind] if n else "#e6dfcd"
    return _piece(KIND_FORM[kind], at, r * (1.15 if kind == c.MEDICINE else 1), fill, str(n), "#ffffff" if n else RULE)


def enemies(at: Point, n: int) -> Scene:
    """The enemies of a location: a red lozenge with their count."""
    return _piece("diamond", at, 11 * 1.1, "#d62718", str(n), "#5c0d08")


def marker(kind: int, at: Point, lang: str, n: int = 1, r: float = 9) -> Scene:
    """An effect marker, red or green, with its letters, and its count when there is more than one."""
    text = words.name("short_marker", kind, lang)
    scene = _piece("circle", at, r, RED if kind < c.GREEN else GREEN_INK, text)
    if n > 1:
        scene.append(Text((at[0] + r + 1, at[1] + r * 0.9), f"×{n}", r, INK))
    return scene


def technology(kind: int, at: Point, lang: str, r: float = 9) -> Scene:
    """A technology marker: a brown tag with its letters."""
    return _piece("tag", at, r, TECHNOLOGY, words.name("short_technology", kind, lang))


def pawn(s: Any, who: int, at: Point, lang: str, r: float = 9) -> Scene:
    """A character's standee: gold for the queen, the seat's colour for a personal advisor, ivory for a public one."""
    owner = int(s["owner"][who])
    fill = QUEEN_COLOR if who == c.SAMMU_RAMAT else ORACLE_COLOR if who == c.BAILEET else PUBLIC_COLOR
    if owner >= 0 and who != c.SAMMU_RAMAT:
        fill = SEAT_COLOR[owner]
    active, text = int(s["active"]) == who, words.name("short_character", who, lang)
    x, y = at
    body = ((x - r, y - r * 0.2), (x - r * 0.7, y - r * 0.85), (x, y - r * 1.15), (x + r * 0.7, y - r * 0.85),
            (x + r, y - r * 0.2), (x + r, y + r), (x - r, y + r))  # fmt: skip
    edge, width = ("#000000", 2.4) if active else (INK, 1.0)
    size = r * (1.1 if len(text) < 2 or ord(text[0]) < 0x2E80 else 0.9)
    scene: Scene = [Shape("polygon", body, fill, edge, width, id=c.CHARACTERS[who])]
    scene.append(Text((x, y + size * 0.42), text, size, _ink_on(fill), "middle", True))
    return scene


def market(at: Point) -> Scene:
    """A market: a small open lozenge with a dot."""
    return [symbol("diamond", at, 6, "#ffffff", INK, 1.2), Shape("circle", (at,), INK, None, 0, 2)]


def gate(at: Point, h: float = 22) -> Scene:
    """An Ishtar gate: two blue towers with battlements, gold trim and a door."""
    x, y, w = at[0], at[1], h * 0.95
    tower = w * 0.34

    def block(left: float) -> Scene:
        top = y - h / 2
        starts = [left + k * tower / 3 for k in range(3)]
        teeth = [Shape("rect", ((start, top - 3), (start + tower * 0.2, top)), GATE_BLUE) for start in starts]
        return [Shape("rect", ((left, top), (left + tower, y + h / 2)), GATE_BLUE, "#16306a", 0.8), *teeth]

    wall = Shape("rect", ((x - w / 2, y - h * 0.28), (x + w / 2, y + h / 2)), "#2f62c4", "#16306a", 0.8)
    foot = y + h / 2
    door = Shape("polygon", ((x - 3, foot), (x - 3, y + 1), (x, y - 3), (x + 3, y + 1), (x + 3, foot)), "#13244d")
    trim = Line(((x - w / 2, y - h * 0.2), (x + w / 2, y - h * 0.2)), GATE_GOLD, 2)
    return [wall, *block(x - w / 2), *block(x + w / 2 - tower), door, trim]


# The map


def _land() -> Scene:
    scene: Scene = [Shape("rect", (places.MAP[0], places.MAP[1]), SEA, None, 0, 10)]
    for outline in places.LANDS:
        scene.append(Shape("polygon", outline, LAND, COAST, 2))
    for water in places.WATERS:
        scene.append(Shape("polygon", water, SEA, COAST, 2))
    scene += [Line(river, RIVER, 3) for river in places.RIVERS]
    return scene


def _sea_names(lang: str) -> Scene:
    return [Text(at, words.label(key, lang), 13, SEA_INK, "middle") for key, at in places.SEA_NAMES.items()]


def _area_blobs(box: Any, s: Any) -> Scene:
    """Each area as one soft shape around its locations and its plaque; gold-edged where a gate stands."""
    scene: Scene = []
    for area in range(len(c.AREAS)):
        points = [places.AT[i] for i in range(len(c.LOCATIONS)) if int(box["zone"][i]) == area]
        hub = places.PLAQUE[area]
        lines = [(hub, point) for point in points]
        lines += [(a, b) for a, b in pairwise(points)]
        edge = GATE_GOLD if s["gate"][area] else "#ffffff"
        scene += [Line(line, edge, 97) for line in lines]
        scene += [Line(line, AREA_COLOR[area], 92) for line in lines]
    for i in (c.DAMASCUS, c.SARDES):
        scene += [Shape("circle", (places.AT[i],), "#e4dcc6", "#ffffff", 2, 36)]
    return scene


def _roads(box: Any, s: Any, lang: str) -> Scene:
    scene: Scene = []
    order = [int(i) for i in box["queens_road"][: int(box["queens_road_n"])]]
    golden = tuple((places.AT[i][0], places.AT[i][1] + 5) for i in order)
    if len(golden) > 1:
        scene += [Line(golden, "#a67c00", 7), Line(golden, GOLD_LINE, 4.5)]
    for r, name in enumerate(places.road_places(box)):
        line = places.road_line(*(int(i) for i in box["road_end"][r]))
        scene.append(Line(line, ROAD_INK, 2.6, (2, 6), name))
        if s["road_karu"][r]:
            middle = line[1] if len(line) > 2 else ((line[0][0] + line[1][0]) / 2, (line[0][1] + line[1][1]) / 2)
            scene += marker(c.KARU, middle, lang)
    return scene


def _location(box: Any, i: int, lang: str) -> Scene:
    """A location's dot, its market, and its name as it is printed, with how it is read."""
    x, y = places.AT[i]
    capital = bool(box["is_capital"][i])
    shown = words.name("location", i, "en")
    id, dot = c.LOCATIONS[i], 11 if capital else 8
    scene: Scene = [Shape("circle", ((x, y),), "#fffaf0", INK, 2.4 if capital else 1.6, dot, id)]
    if capital:
        scene.append(Shape("circle", ((x, y),), INK, None, 0, 4))
    if box["market"][i]:
        scene += market((x + 19, y))
    scene += _plate((x, y + 12), shown, 12 if capital else 11, capital, id)
    if lang != "en":
        scene.append(Text((x, y + 36), words.word("location", id, lang), 9, INK, "middle"))
    return scene


def _plate(top: Point, text: str, size: float, bold: bool, id: str = "") -> Scene:
    """A name on a plate of its own; ``top`` is the middle of its upper edge."""
    half, (x, y) = width_of(text, size) / 2 + 2, top
    plate = Shape("rect", ((x - half, y), (x + half, y + size + 3)), "#fffaf0", None, 0, 5)
    return [plate, Text((x, y + size), text, size, INK, "middle", bold, id)]


def _row(pieces: list[Any], x: float, y: float, step: float) -> Scene:
    """Pieces (functions of a point) side by side, centred on x."""
    left = x - step * (len(pieces) - 1) / 2
    return [shape for k, piece in enumerate(pieces) for shape in piece((left + k * step, y))]


def _on_location(box: Any, s: Any, i: int, lang: str) -> Scene:
    """What stands at a location: tokens above it, markers, technology and characters below its name."""
    x, y = places.AT[i]
    above: list[Any] = []
    for kind in (c.MILITARY, c.DIVINER):
        if s["token"][kind, i]:
            above.append(lambda at, k=kind: token(k, at, int(s["token"][k, i])))
    if s["enemy"][i]:
        above.append(lambda at: enemies(at, int(s["enemy"][i])))
    marks: list[Any] = []
    for kind, field in ((c.UNREST, "unrest"), (c.PLAGUE, "plague"), (c.DIPLOMACY, "diplomacy"), (c.KARU, "karu"),
                        (c.HEALTH, "health")):  # fmt: skip
        if s[field][i]:
            marks.append(lambda at, k=kind, f=field: marker(k, at, lang, int(s[f][i])))
    if s["technology"][i] >= 0:
        marks.append(lambda at: technology(int(s["technology"][i]), at, lang))
    people = [lambda at, w=who: pawn(s, w, at, lang) for who in range(len(c.CHARACTERS)) if s["location"][who] == i]
    scene = _row(above, x, y - 24, 25)
    top = y + (37 if lang == "en" else 49)
    if marks:
        scene += _row(marks, x, top, 21 if len(marks) < 5 else 19)
        top += 21
    for k in range(0, len(people), 5):
        scene += _row(people[k : k + 5], x, top, 20)
        top += 21
    area = int(box["zone"][i])
    if area < len(c.AREAS) and box["is_capital"][i] and s["gate"][area]:
        scene += gate((x - 27, y + 1))
    return scene


def _stores(s: Any, zone: int) -> list[Any]:
    """Supply and medicine kept in a zone, as pieces."""
    kept = [(kind, int(s["token"][kind, zone])) for kind in (c.SUPPLY, c.MEDICINE)]
    return [lambda at, k=kind, n=n: token(k, at, n, 9) for kind, n in kept if n or zone < len(c.AREAS)]


def _plaque(box: Any, s: Any, area: int, lang: str) -> Scene:
    """An area's name, its good, and what is kept in it: supply, medicine, karu and health."""
    x, y = places.PLAQUE[area]
    good = int(box["area_good"][area])
    pieces = _stores(s, area)
    for kind, field in ((c.KARU, "area_karu"), (c.HEALTH, "area_health")):
        if s[field][area]:
            pieces.append(lambda at, k=kind, f=field: marker(k, at, lang, int(s[f][area]), 8))
    edge = GATE_GOLD if s["gate"][area] else INK
    name = words.name("area", area, lang)
    width = 2.6 if s["gate"][area] else 1
    plate = Shape("rect", ((x - 56, y - 21), (x + 56, y + 23)), "#fffaf0", edge, width, 8, c.AREAS[area])
    scene: Scene = [plate]
    scene += [symbol(GOOD_FORM[good], (x - 43, y - 9), 6.5, GOOD_COLOR[good], INK, 0.8)]
    scene += [Text((x + 6, y - 4), name.upper(), 12, INK, "middle", True, c.AREAS[area])]
    return scene + _row(pieces, x, y + 10, 25)


def map_layers(box: Any, s: Any, lang: str) -> dict[str, Scene]:
    """The map, back to front: layers that are shown and hidden together."""
    areas, locations = range(len(c.AREAS)), range(len(c.LOCATIONS))
    pieces = [shape for i in locations for shape in _on_location(box, s, i, lang)]
    for zone, i in ((c.DAMASCUS_ZONE, c.DAMASCUS), (c.SARDES_ZONE, c.SARDES)):
        pieces += _row(_stores(s, zone), places.AT[i][0] + 44, places.AT[i][1] - 4, 23)
    return {
        "land": _land() + _sea_names(lang),
        "areas": _area_blobs(box, s),
        "roads": _roads(box, s, lang),
        "plaques": [shape for area in areas for shape in _plaque(box, s, area, lang)],
        "locations": [shape for i in locations for shape in _location(box, i, lang)],
        "pieces": pieces,
    }


# Around the map


def _frame(corner: Point, end: Point, heading: str) -> Scene:
    x, y = corner
    panel = Shape("rect", (corner, end), PANEL, RULE, 1.2, 8)
    return [panel, Text((x + 10, y + 17), heading, 12, FAINT, "start", True)] if heading else [panel]


def _header(components: Any, s: Any, lang: str) -> Scene:
    card_id = words.name("challenge", int(s["challenge"]), lang) if s["challenge"] >= 0 else ""
    title = words.title(components, card_id, lang) if card_id else ""
    scene: Scene = [Text((16, 36), "SAMMU-RAMAT", 25, "#7a2e1d", "start", True)]
    scene.append(Text((244, 36), fit(f"{card_id}  {title}".rstrip(), 18, 385), 18, INK))
    months = max(int(s["months"]), 1)
    when = words.label("month_of", lang, n=int(s["month"]), months=months)
    stage = words.name("stage", int(s["stage"]), lang)
    if s["campaign"]:
        stage += f"  ·  {words.label('campaign', lang, n=int(s['game']) + 1)}"
    scene.append(Text((640, 36), fit(f"{when}  ·  {stage}", 16, 395), 16, INK))
    return [*scene, *_banner(components, s, lang)]


def _banner(components: Any, s: Any, lang: str) -> Scene:
    """Upper right: whose choice it is, or how the game ended."""
    result, asked = int(s["result"]), int(s["to_act"])
    fill = (PANEL, "#cfe6cf", "#eec6bf")[result]
    if result == c.RUNNING and 0 <= asked < c.MAX_PLAYERS:
        fill = SEAT_COLOR[asked]
    scene: Scene = [Shape("rect", ((1044, 10), (1428, 50)), fill, RULE, 1.2, 8)]
    lines = wrap(words.question(components, s, lang), 12.5, 370)[:2]
    top = 35 if len(lines) == 1 else 27
    scene += [Text((1236, top + 16 * k), line, 12.5, _ink_on(fill), "middle", True) for k, line in enumerate(lines)]
    return scene


def _empire_board(box: Any, s: Any, lang: str) -> Scene:
    """Four tracks: a filled cell for each token on the map, red edges at 1 and 2, a bar where a limit begins."""
    x, y = 1044, 58
    scene = _frame((x, y), (1428, y + 158), words.label("empire_board", lang) + f" ({words.label('on_map', lang)})")
    for kind in range(len(c.KINDS)):
        total = int(box["token_total"][kind])
        n, top = total - int(s["board"][kind]), y + 26 + kind * 33
        scene.append(symbol(KIND_FORM[kind], (x + 18, top + 9), 8, KIND_COLOR[kind], INK, 0.8))
        scene.append(Text((x + 32, top + 13), words.name("token", kind, lang), 11, INK))
        for k in range(total):
            left = x + 92 + k * 12.0
            fill = KIND_COLOR[kind] if k < n else "#ffffff"
            edge = "#d62718" if k < 2 else FAINT
            scene.append(Shape("rect", ((left, top + 2), (left + 10.2, top + 16)), fill, edge, 1, 2))
        ink = "#d62718" if n <= 2 else INK
        scene.append(Text((1420, top + 14), f"{n}/{total}", 12, ink, "end", True))
        for sustained, provider in c.SUSTAINED_BY:
            if sustained == kind:
                scene += _limits(total, provider, x + 92, top)
    return scene


def _limits(total: int, provider: int, left: float, top: float) -> Scene:
    """Where a track of ``total`` cells needs more of its provider to go on, and how many."""
    scene: Scene = []
    for (least, _), (_, most) in pairwise(c.SUSTAINED):
        if most < total:
            at = left + most * 12.0 - 1
            scene.append(Line(((at, top), (at, top + 18)), "#d62718", 1.6))
            scene.append(Text((at + 3, top + 26), f"{most + 1}+", 8.5, FAINT))
            scene.append(symbol(KIND_FORM[provider], (at + 26, top + 23), 3.6, KIND_COLOR[provider], None))
            scene.append(Text((at + 32, top + 26), str(least), 8.5, FAINT))
    return scene


def _bag(box: Any, s: Any, lang: str) -> Scene:
    """The bag: what is in it, and the enemies still in the pool."""
    x, y = 1044, 224
    scene = _frame((x, y), (1428, y + 60), words.label("bag", lang))
    for kind in range(len(c.MARKERS)):
        left, n = x + 26 + kind * 46, int(s["bag"][kind])
        scene += marker(kind, (left, y + 38), lang, 1, 10) if n else [symbol("circle", (left, y + 38), 10, PANEL, RULE)]
        scene.append(Text((left + 13, y + 43), str(n), 13, INK if n else FAINT, "start", bool(n)))
    text = f"{words.label('enemies', lang)} {int(box['enemy_total']) - int(s['enemy_pool'])}/{int(box['enemy_total'])}"
    scene.append(Text((1418, y + 17), text, 12, "#d62718", "end", True))
    return scene


def _players(s: Any, lang: str) -> Scene:
    """Cards in hand and free actions of each seat, deck and discard."""
    x, y = 1044, 292
    scene = _frame((x, y), (1428, y + 56), words.label("hands", lang))
    piles = (words.label("deck", lang, n=int(s["deck_n"])), words.label("discard_pile", lang, n=int(s["discard_n"])))
    scene.append(Text((1418, y + 17), " · ".join(piles), 12, FAINT, "end"))
    for seat in range(int(s["players"])):
        left = x + 12 + seat * 75
        scene.append(Shape("rect", ((left, y + 27), (left + 17, y + 49)), SEAT_COLOR[seat], INK, 1, 3))
        scene.append(
            Text((left + 8.5, y + 42), str(int(s["hand_n"][seat])), 12, _ink_on(SEAT_COLOR[seat]), "middle", True)
        )
        scene.append(Text((left + 22, y + 36), words.label("player", lang, n=seat + 1), 8.5, INK, "start", True))
        free = words.label("free_actions", lang, n=int(s["free_actions"][seat]))
        scene.append(Text((left + 22, y + 48), free, 9.5, FAINT))
    return scene


def shown_characters(s: Any) -> list[int]:
    """Characters in the table beside the map: those in play, then those away or dead."""
    order = {c.IN_PLAY: 0, c.AWAY: 1, c.DEAD: 2}
    known = [i for i in range(len(c.CHARACTERS)) if int(s["status"][i]) in order]
    return sorted(known, key=lambda i: order[int(s["status"][i])])


def _characters(s: Any, lang: str) -> Scene:
    x, y, end = 1044, 356, 824
    scene = _frame((x, y), (1428, end), words.label("characters", lang))
    for good in range(len(c.GOODS)):
        scene.append(symbol(GOOD_FORM[good], (x + 166 + good * 23, y + 14), 7, GOOD_COLOR[good], INK, 0.8))
    rows = shown_characters(s)
    height = min(36.0, (end - y - 30) / max(len(rows), 1))
    for k, who in enumerate(rows):
        scene += _character(s, who, (x, y + 26 + k * height), height, lang)
    return scene


def _character(s: Any, who: int, at: Point, height: float, lang: str) -> Scene:
    """One row: standee, name and place, goods, then actions left, markers and technologies."""
    x, y = at
    status, middle = int(s["status"][who]), y + height / 2
    ink = INK if status == c.IN_PLAY else FAINT
    scene: Scene = [Line(((x + 8, y), (1420, y)), RULE, 1)]
    if int(s["active"]) == who:
        scene.append(Shape("rect", ((x + 3, y + 1), (1425, y + height - 1)), "#f5e2a8", None, 0, 4))
    scene += pawn(s, who, (x + 20, middle + 1), lang, 9)
    scene.append(Text((x + 36, middle - 1), fit(words.name("character", who, lang), 12, 100), 12, ink, "start", True))
    where = int(s["location"][who])
    place = words.name("location", where, lang) if where >= 0 else words.name("status", status, lang)
    owner = int(s["owner"][who])
    seat = f" · {words.label('player', lang, n=owner + 1)}" if owner >= 0 else ""
    scene.append(Text((x + 36, middle + 11), fit(place + seat, 9, 116), 9, FAINT))
    for good in range(len(c.GOODS)):
        n, at = int(s["good"][who, good]), (x + 166 + good * 23, middle + 5)
        scene.append(Text(at, str(n) if n else "·", 13, ink if n else FAINT, "middle", bool(n)))
    return scene + _belongings(s, who, (x + 274, middle), lang)


def _belongings(s: Any, who: int, at: Point, lang: str) -> Scene:
    """Disc with actions left, markers on the queen's card, technologies: two rows of up to five."""
    pieces: list[Any] = []
    seat = int(s["consulted"][who])
    left = str(int(s["actions"][who] + s["leftover"][who]))
    if seat >= 0:
        pieces.append(lambda p: _piece("circle", p, 8, SEAT_COLOR[seat], left, INK))
    if who == c.SAMMU_RAMAT:
        for kind, n in ((c.ASSASSINATION, int(s["assassination"])), (c.RELIGION, int(s["religion"]))):
            pieces += [lambda p, k=kind: marker(k, p, lang, 1, 7.5)] * n
    for kind in range(len(c.TECHNOLOGIES)):
        pieces += [lambda p, k=kind: technology(k, p, lang, 7.5)] * int(s["has"][who, kind])
    per_row = 6 if len(pieces) <= 6 else (len(pieces) + 1) // 2
    step = 18.4 if per_row <= 6 else 92 / (per_row - 1)
    scene: Scene = []
    for k, piece in enumerate(pieces):
        row, column = divmod(k, per_row)
        scene += piece((at[0] + column * step, at[1] + (row - 0.5) * 15 if len(pieces) > 6 else at[1]))
    return scene


def _events(components: Any, box: Any, s: Any, lang: str) -> Scene:
    """The row of event cards, one a month."""
    x, y, end = 12, 860, 1034
    scene = _frame((x, y), (end, 950), "")
    months = max(int(s["months"]), 1)
    wide = (end - x - 12) / months
    for m in range(months):
        left = x + 8 + m * wide
        scene += _event(components, box, s, m, (left, y + 7), wide - 5, lang)
    return scene


def _event(components: Any, box: Any, s: Any, m: int, at: Point, wide: float, lang: str) -> Scene:
    (x, y), event = at, int(s["slot"][m])
    now = m + 1 == int(s["month"])
    known = event >= 0
    area = int(box["event_area"][event]) if known else -1
    fill = AREA_COLOR[area] if area >= 0 else "#fffaf0" if known else "#7a5d48"
    scene: Scene = [Shape("rect", ((x, y), (x + wide, y + 76)), fill, "#7a2e1d" if now else RULE, 3 if now else 1, 6)]
    ink = INK if known else "#f3e7d3"
    scene.append(Text((x + 8, y + 17), words.label("month", lang, n=m + 1), 11, ink, "start", True))
    if known:
        card_id = words.name("event", event, lang)
        scene.append(Text((x + wide - 8, y + 17), card_id[4:], 10, FAINT if area < 0 else INK, "end"))
        lines = wrap(words.title(components, card_id, lang) or card_id, 11, wide - 14)[:2]
        scene += [Text((x + 8, y + 36 + 14 * k), line, 11, INK) for k, line in enumerate(lines)]
        if area >= 0:
            shown = fit(words.name("area", area, lang), 10, wide - 36)
            scene.append(Text((x + 8, y + 68), shown, 10, "#5b4a33", "start", True))
    else:
        scene.append(symbol("diamond", (x + wide / 2, y + 44), 13, "#a58468", "#f3e7d3", 1.2))
    if s["slot_religion"][m]:
        scene += marker(c.RELIGION, (x + wide - 14, y + 62), lang, int(s["slot_religion"][m]), 9)
    return scene


def _legend(lang: str) -> Scene:
    x, y = 1044, 832
    scene = _frame((x, y), (1428, 950), "")
    entries: list[tuple[Any, str]] = [(lambda p, k=k: [symbol(KIND_FORM[k], p, 7, KIND_COLOR[k], INK, 0.8)],
                                       words.name("token", k, lang)) for k in range(4)]  # fmt: skip
    entries += [
        (lambda p: [symbol("diamond", p, 8, "#d62718", "#5c0d08")], words.label("enemy", lang)),
        (lambda p: gate(p, 15), words.label("gate", lang)),
        (lambda p: technology(c.SHIELD, p, lang, 8), words.label("technology", lang)),
        (market, words.label("market", lang)),
    ]
    entries += [(lambda p, k=k: [symbol(GOOD_FORM[k], p, 6.5, GOOD_COLOR[k], INK, 0.8)], words.name("good", k, lang))
                for k in range(5)]  # fmt: skip
    entries += [
        (lambda p: [Line(((p[0] - 8, p[1]), (p[0] + 8, p[1])), ROAD_INK, 2.6, (2, 5))], words.label("road", lang)),
        (lambda p: [Line(((p[0] - 8, p[1]), (p[0] + 8, p[1])), GOLD_LINE, 4.5)], words.label("queens_road", lang)),
    ]
    entries += [(lambda p, k=k: marker(k, p, lang, 1, 7.5), words.name("marker", k, lang)) for k in range(8)]
    for k, (piece, text) in enumerate(entries):
        column, row = divmod(k, 6)
        at = (x + 17 + column * 95, y + 14 + row * 18.2)
        scene += [*piece(at), Text((at[0] + 14, at[1] + 4), fit(text, 10, 78), 10, INK)]
    return scene


def build(components: Any, s: Any, lang: str) -> Scene:
    """Everything to draw, back to front.

    Args:
        components: the edition's Components (or its box record: then without titles).
        s: state record, shape () or (1,).
        lang: "en" or "ja".
    """
    words.check_language(lang)
    box, s = words.record(components), words.state(s)
    scene: Scene = [Shape("rect", ((0, 0), (WIDTH, HEIGHT)), PAPER)]
    scene += [shape for layer in map_layers(box, s, lang).values() for shape in layer]
    scene += _header(components, s, lang) + _empire_board(box, s, lang) + _bag(box, s, lang)
    scene += _players(s, lang) + _characters(s, lang) + _events(components, box, s, lang) + _legend(lang)
    return scene
