"""Where the game stands, in words and as a picture, for a seat that looks on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from pergamemnon_env import constants as c
from pergamemnon_env import words
from tabletop.drawing import Line, Scene, Shape, Text, fit, symbol, to_pixels, to_svg, wrap
from tabletop.game import Record

Numbers = Any


def half(points: int) -> str:
    """Half points as people write them: 21 or 21.5."""
    return f"{points / 2:g}"


def sees(seat: int | None, owner: int) -> bool:
    """Whether a seat (None: nobody, from whom nothing is kept) sees the hand of another."""
    return seat is None or seat == owner


def rows(s: Record, seat: int | None) -> list[list[int | None]]:
    """Of each side of a battle the kinds that lie there, in order; None: face down."""
    one, told = s[0], []
    for side in (c.ATTACKER, c.DEFENDER):
        fighter = int(one["attacker" if side == c.ATTACKER else "defender"])
        laid = [int(kind) - 1 for kind in one["row"][side] if kind > 0]
        told.append([kind if one["open"] or sees(seat, fighter) else None for kind in laid])
    return told


def describe(box: Any, s: Record, told: Any, lang: str, seat: int | None) -> str:
    """A line for the middle, the battle and each seat."""
    words.check_language(lang)
    return "\n".join(_lines(box, s, told, lang, seat))


def _lines(box: Any, s: Record, told: Any, lang: str, seat: int | None) -> Iterator[str]:
    one = s[0]

    def label(name: str, **values: Any) -> str:
        return words.word("label", name, lang, **values)

    yield f"{label('turn', n=one['turn'])}: {words.player(s, int(one['player']), lang)}"
    yield f"{label('display')} ({label('stack')} {one['stack']}; {label('stock')} {one['stock']}):"
    for creature in np.flatnonzero(one["display"]):
        kind = c.ARMY + int(creature)
        yield f"  {box['cost'][kind]}: {words.card(kind, lang)} ({words.values(box, kind, lang)})"
    if one["attacker"] >= 0 and one["weapon"]:
        who, foe = (words.player(s, int(one[side]), lang) for side in ("attacker", "defender"))
        weapon = words.word("weapon", c.WEAPONS[one["weapon"] - 1], lang)
        yield f"{label('battle')}: {label('attacks', who=who, foe=foe)} ({weapon})"
        for name, row in zip((who, foe), rows(s, seat), strict=True):
            if row:
                yield f"  {name}: {', '.join(_laid(box, kind, lang) for kind in row)}"
    for player in range(int(one["players"])):
        state = [label("active" if one["active"][player] else "inactive")]
        state += [label("weakened")] if one["weakened"][player] else []
        state += [
            f"{label('charisma')} {told['charisma'][player]}",
            f"{label('points')} {half(told['points'][player])}",
        ]
        yield f"{words.player(s, player, lang)}: {', '.join(state)}"
        hand, draw = one["hand"][player], one["draw"][player]
        if sees(seat, player):
            yield f"  {label('hand')}: {cards(hand, lang)}"
            yield f"  {label('draw')} ({draw.sum()}): {cards(draw, lang)}"
        else:
            known = one["known"][player]
            sure = f"; {label('known')}: {cards(known, lang)}" if known.any() else ""
            yield f"  {label('hand')}: {label('cards', n=hand.sum())}{sure}"
            yield f"  {label('both')} ({label('draw')} {draw.sum()}): {cards(union(s, player), lang)}"
        yield f"  {label('discard')} ({one['discard'][player].sum()}): {cards(one['discard'][player], lang)}"
        under = [label("charisma_cards", n=one["charisma"][player])]
        under += [cards(one["city"][player], lang)] if one["city"][player].any() else []
        yield f"  {label('city')}: {', '.join(under)}"
        if one["secured"][player].any():
            yield f"  {label('secured')}: {cards(one['secured'][player], lang)}"


def union(s: Record, player: int) -> Numbers:
    """Hand and draw pile of a seat together, which all know; with what it has laid face down."""
    one = s[0]
    both = one["hand"][player] + one["draw"][player]
    for side, name in enumerate(("attacker", "defender")):
        if not one["open"] and one[name] == player:
            for kind in one["row"][side]:
                if kind > 0:
                    both[kind - 1] += 1
    return both


def _laid(box: Any, kind: int | None, lang: str) -> str:
    if kind is None:
        return words.word("choice", "face_down", lang)
    return f"{words.card(kind, lang)} ({words.values(box, kind, lang)})"


def cards(counts: Numbers, lang: str) -> str:
    """ "2 Centurio, Caesar"."""
    named = [(words.card(int(kind), lang), int(counts[kind])) for kind in np.flatnonzero(counts)]
    return ", ".join(name if n == 1 else f"{n} {name}" for name, n in named) or "-"


# The picture

COLORS = {
    "table": "#2f4f3f", "ink": "#2b2118", "paper": "#f4ead2", "creature": "#dfe6ea", "back": "#7b2d26",
    "pale": "#b9b3a5", "light": "#fdf8ea", "gold": "#c9972b", "flag": "#c0392b", "grey": "#8d8d8d",
    "charisma": "#7d3c98", "felt": "#3b6350",
}  # fmt: skip
NATION_COLORS = ("#b03a2e", "#c9972b", "#2471a3", "#7d3c98", "#1e8449")
CARD_W, CARD_H, GAP = 92, 128, 8
MARGIN, TITLE = 16, 22
SEAT_W, SEAT_H = 4 * (CARD_W + GAP) + 244, CARD_H + 44
WIDTH = MARGIN * 2 + max(SEAT_W, 10 * (CARD_W + GAP))


def scene(box: Any, s: Record, told: Any, lang: str, seat: int | None) -> tuple[Scene, tuple[int, int]]:
    """The table: the display above, the battle in the middle, a row for each seat with nation, city, hand and piles."""
    layers, size = layered(box, s, told, lang, seat)
    return [shape for shapes in layers.values() for shape in shapes], size


def layered(box: Any, s: Record, told: Any, lang: str, seat: int | None) -> tuple[dict[str, Scene], tuple[int, int]]:
    """The same in layers. What people touch has an id: a creature of the display its number, "city 0" and "discard 0"
    of a seat, all of it "seat 0", and "hand 0 1" its second hand card, by number."""
    words.check_language(lang)
    one, players = s[0], int(s["players"][0])
    battle_y = MARGIN + TITLE + CARD_H + 14
    seats_y = battle_y + TITLE + CARD_H + 14
    height = seats_y + players * (SEAT_H + GAP) + MARGIN
    title = [words.word("label", "turn", lang, n=one["turn"]), words.word("label", "display", lang)]
    title += [f"{words.word('label', name, lang)} {one[name]}" for name in ("stack", "stock")]
    display: Scene = [Text((MARGIN, MARGIN + 12), " · ".join(title), 14, COLORS["light"], bold=True)]
    for i, creature in enumerate(np.flatnonzero(one["display"])):
        at = (MARGIN + i * (CARD_W + GAP), MARGIN + TITLE)
        display += _card(box, c.ARMY + int(creature), at, lang, f"creature {creature}")
    table: Scene = [Shape("rect", ((0, 0), (WIDTH, height)), COLORS["table"])]
    layers = {"table": table, "display": display, "battle": _battle(box, s, lang, seat, battle_y)}
    for player in range(players):
        layers[f"seat {player}"] = _seat(box, s, told, lang, seat, player, seats_y + player * (SEAT_H + GAP))
    return layers, (WIDTH, height)


def _card(box: Any, kind: int, at: tuple[float, float], lang: str, called: str = "") -> Scene:
    """A card: cost and points above, the name, weapon and attack, the three armours, charisma and skills below."""
    x, y = at
    paper = COLORS["creature" if kind >= c.ARMY else "paper"]
    edge = COLORS["ink"] if kind >= c.ARMY else NATION_COLORS[kind // c.KINDS_OF_A_NATION]
    items: Scene = [Shape("rect", ((x, y), (x + CARD_W, y + CARD_H)), paper, edge, 2, 6, called)]
    if box["leader"][kind]:
        items += _flag((x + CARD_W / 2 - 5, y + 5), COLORS["flag"])
    if kind >= c.ARMY:
        items += [symbol("circle", (x + 14, y + 14), 10, COLORS["charisma"])]
        items += [Text((x + 14, y + 18), str(box["cost"][kind]), 12, "#ffffff", "middle", True)]
    items += [symbol("diamond", (x + CARD_W - 15, y + 14), 10, COLORS["gold"])]
    items += [Text((x + CARD_W - 15, y + 18), str(box["points"][kind]), 12, COLORS["ink"], "middle", True)]
    for i, line in enumerate(wrap(words.card(kind, lang), 11, CARD_W - 8)[:2]):
        items.append(Text((x + CARD_W / 2, y + 38 + 12 * i), line, 11, COLORS["ink"], "middle", True))
    weapon = int(box["weapon"][kind])
    items += _weapon(weapon, (x + 20, y + 70))
    items += [Text((x + 46, y + 77), str(box["attack"][kind]), 20, COLORS["ink"], bold=True)]
    for i in range(len(c.ARMOUR)):
        items += _armour(i, (x + 13 + 28 * i, y + 94))
        items += [Text((x + 21 + 28 * i, y + 98), str(box["defence"][kind][i]), 12, COLORS["ink"], bold=True)]
    if box["charisma"][kind]:
        items += [symbol("circle", (x + CARD_W - 14, y + CARD_H - 13), 9, COLORS["charisma"])]
        items += [Text((x + CARD_W - 14, y + CARD_H - 9), str(box["charisma"][kind]), 11, "#ffffff", "middle", True)]
    skills = [words.word("skill", skill, lang) for skill in ("flee", "secure") if box[skill][kind]]
    if skills:
        items.append(Text((x + 6, y + CARD_H - 8), fit(", ".join(skills), 8, CARD_W - 30), 8, COLORS["back"]))
    return items


def _back(at: tuple[float, float], called: str = "") -> Scene:
    """A card face down."""
    x, y = at
    inner = ((x + 8, y + 8), (x + CARD_W - 8, y + CARD_H - 8))
    return [
        Shape("rect", ((x, y), (x + CARD_W, y + CARD_H)), COLORS["back"], COLORS["ink"], 2, 6, called),
        Shape("rect", inner, None, COLORS["gold"], 1.5, 4),
        symbol("diamond", (x + CARD_W / 2, y + CARD_H / 2), 16, COLORS["gold"], None),
    ]


def _flag(at: tuple[float, float], color: str) -> Scene:
    x, y = at
    return [
        Line(((x, y), (x, y + 20)), COLORS["ink"], 2),
        Shape("polygon", ((x, y), (x + 15, y + 5), (x, y + 10)), color, COLORS["ink"], 1),
    ]


def _weapon(weapon: int, at: tuple[float, float]) -> Scene:
    """A small sword, spear or bow."""
    x, y = at
    ink = COLORS["ink"]
    if weapon == 0:
        return [Line(((x - 9, y + 9), (x + 9, y - 9)), ink, 3), Line(((x - 8, y + 1), (x - 1, y + 8)), ink, 3)]
    if weapon == 1:
        head = ((x + 11, y - 11), (x + 9, y - 3), (x + 3, y - 9))
        return [Line(((x - 11, y + 11), (x + 7, y - 7)), ink, 2), Shape("polygon", head, ink)]
    arc = tuple((x + 8 - 14 * t * (1 - t) * 2, y - 11 + 22 * t) for t in (0, 0.2, 0.4, 0.6, 0.8, 1))
    return [Line(arc, ink, 2.5), Line((arc[0], arc[-1]), ink, 1), Line(((x - 8, y), (x + 12, y)), ink, 1.5)]


def _armour(i: int, at: tuple[float, float]) -> Scene:
    """A small helmet, breastplate or shield."""
    x, y = at
    ink, fill = COLORS["ink"], COLORS["pale"]
    if i == 0:
        points = ((x - 7, y + 5), (x - 6, y - 3), (x, y - 7), (x + 6, y - 3), (x + 7, y + 5), (x + 2, y + 5), (x, y))
        return [Shape("polygon", points, fill, ink, 1)]
    if i == 1:
        points = (
            (x - 7, y - 6),
            (x - 3, y - 6),
            (x, y - 3),
            (x + 3, y - 6),
            (x + 7, y - 6),
            (x + 5, y + 6),
            (x - 5, y + 6),
        )
        return [Shape("polygon", points, fill, ink, 1)]
    return [Shape("circle", ((x, y),), fill, ink, 1, 6.5), Shape("circle", ((x, y),), ink, None, 1, 2)]


def _battle(box: Any, s: Record, lang: str, seat: int | None, y: float) -> Scene:
    """The rows of the two sides, the attacker's from the left, the defender's from the middle."""
    one = s[0]
    middle = WIDTH / 2
    box_ = Shape("rect", ((MARGIN / 2, y), (WIDTH - MARGIN / 2, y + TITLE + CARD_H + 8)), COLORS["felt"], None, 1, 8)
    items: Scene = [box_]
    if one["attacker"] < 0 or not one["weapon"]:
        return [*items, Text((MARGIN, y + 16), words.word("label", "battle", lang), 13, COLORS["pale"])]
    weapon = words.word("weapon", c.WEAPONS[one["weapon"] - 1], lang)
    for side, (x, row) in enumerate(zip((MARGIN, middle), rows(s, seat), strict=True)):
        fighter = int(one["attacker" if side == c.ATTACKER else "defender"])
        name = words.player(s, fighter, lang) + (f": {weapon}" if side == c.ATTACKER else "")
        items.append(Text((x, y + 16), name, 13, COLORS["light"], bold=True))
        for i, kind in enumerate(row):
            at = (x + i * (CARD_W + GAP), y + TITLE)
            items += _back(at) if kind is None else _card(box, kind, at, lang)
    return items


def _seat(box: Any, s: Record, told: Any, lang: str, seat: int | None, player: int, y: float) -> Scene:
    """A seat: nation card, city card with what lies under it, piles, hand."""
    one = s[0]
    nation = int(one["nation"][player])
    color = NATION_COLORS[nation] if nation >= 0 and one["active"][player] else COLORS["grey"]
    turn = player == int(one["player"])
    frame = ((MARGIN / 2, y), (WIDTH - MARGIN / 2, y + SEAT_H))
    items: Scene = [Shape("rect", frame, COLORS["felt"], COLORS["gold"] if turn else None, 2, 8, f"seat {player}")]
    name = f"{words.player(s, player, lang)} · {half(told['points'][player])} {words.word('label', 'points', lang)}"
    items.append(Text((MARGIN, y + 18), name, 14, COLORS["light"], bold=True))
    top = y + TITLE + 4
    # The nation card: its colour while it is active, grey and lying on its side when it is not.
    items.append(Shape("rect", ((MARGIN, top), (MARGIN + 92, top + 40)), color, COLORS["light"], 2, 6))
    state = words.word("label", "active" if one["active"][player] else "inactive", lang)
    nation_name = words.word("nation", c.NATIONS[nation], lang) if nation >= 0 else "?"
    items.append(Text((MARGIN + 46, top + 17), nation_name, 12, COLORS["light"], "middle", True))
    items.append(Text((MARGIN + 46, top + 32), state, 10, COLORS["light"], "middle"))
    # The city card, with a red flag, or a grey one; charisma shows beneath it.
    corners = ((MARGIN, top + 48), (MARGIN + 92, top + 96))
    items.append(Shape("rect", corners, COLORS["paper"], COLORS["ink"], 2, 4, f"city {player}"))
    items += _flag((MARGIN + 14, top + 56), COLORS["grey" if one["weakened"][player] else "flag"])
    items += [symbol("circle", (MARGIN + 62, top + 72), 13, COLORS["charisma"])]
    items += [Text((MARGIN + 62, top + 77), str(told["charisma"][player]), 14, "#ffffff", "middle", True)]
    under = [f"{one['charisma'][player]} x 1"]
    under += [f"{words.card(int(kind), lang)} {box['charisma'][kind]}" for kind in np.flatnonzero(one["city"][player])
              for _ in range(one["city"][player][kind])]  # fmt: skip
    for i, line in enumerate(wrap(", ".join(under), 10, 226)[:2]):
        items.append(Text((MARGIN, top + 110 + 12 * i), line, 10, COLORS["light"]))
    secured = one["secured"][player]
    if secured.any():
        line = f"{words.word('label', 'secured', lang)}: {cards(secured, lang)}"
        items.append(Text((MARGIN, top + 136), fit(line, 10, 226), 10, COLORS["gold"]))
    # Draw pile to the right of the city, discard pile to its left in the rulebook; here side by side.
    for i, pile in enumerate(("draw", "discard")):
        x = MARGIN + 104 + 62 * i
        n = int(one[pile][player].sum())
        fill = COLORS["back"] if pile == "draw" else COLORS["pale"]
        corners = ((x, top), (x + 54, top + 74))
        items.append(Shape("rect", corners, fill if n else None, COLORS["ink"], 1.5, 5, f"{pile} {player}"))
        items.append(Text((x + 27, top + 43), str(n), 18, COLORS["light" if pile == "draw" else "ink"], "middle", True))
        items.append(Text((x + 27, top + 88), words.word("label", pile, lang), 10, COLORS["light"], "middle"))
    x0 = MARGIN + 236
    hand = [int(kind) for kind in np.repeat(np.arange(c.KINDS), one["hand"][player])]
    for i, kind in enumerate(hand):
        at = (x0 + i * (CARD_W + GAP), top)
        called = f"hand {player} {i}"
        items += _card(box, kind, at, lang, called) if sees(seat, player) else _back(at, called)
    text_x = x0 + 4 * (CARD_W + GAP) + 8
    piles = [("discard", one["discard"][player])]
    piles.append(("draw", one["draw"][player]) if sees(seat, player) else ("both", union(s, player)))
    piles += [("known", one["known"][player])] if one["known"][player].any() and not sees(seat, player) else []
    line_y = top + 8
    for pile, counts in piles:
        for line in wrap(f"{words.word('label', pile, lang)}: {cards(counts, lang)}", 10, WIDTH - MARGIN - text_x)[:6]:
            items.append(Text((text_x, line_y), line, 10, COLORS["light"]))
            line_y += 12
        line_y += 6
    return items


def svg(drawn: tuple[Scene, tuple[int, int]]) -> str:
    """The picture as an SVG document."""
    return to_svg(*drawn)


def pixels(drawn: tuple[Scene, tuple[int, int]]) -> np.ndarray:
    """The picture as uint8 (height, width, 3)."""
    return to_pixels(*drawn)
