"""Xerxes at a table with the real box: its parts for :mod:`tabletop.coach`.

Pieces are counted as ``"worker 0@Lydia"``: worker and token 0 are those of the first seat. Of cards a seat counts those
that it holds or has discarded, and all that are played.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tabletop.coach import owner
from tabletop.coach.drawn import layer
from tabletop.coach.parts import Hand, Held, Scene, shown_to
from tabletop.game import NOBODY, Record
from xerxes_env import actions, position, render, steps, words
from xerxes_env import box as boxes
from xerxes_env import constants as c
from xerxes_env.box import Edition, Row
from xerxes_env.position import PILES
from xerxes_env.words import seat_name, word

#: Prompts whose options show a hand, and draws that come to one.
OF_A_HAND = (steps.DISCARD_TAX, steps.DISCARD_MARCH, steps.MARCH, steps.TAX)
TO_A_HAND = (steps.DRAW_TAX, steps.DRAW_MARCH)
SECTIONS = ("area", "building", "event", "march", "tax")  #: of edition files, in which cards are


def facts(s: Record, seat: int | None) -> dict[str, int]:
    """What lies on the table, as a seat sees it; None: what all see."""
    return {name: int(n) for name, n in _facts(s, seat) if n}


def _facts(s: Record, seat: int | None) -> Iterator[tuple[str, int]]:
    one = s[0]
    for player in range(int(one["players"])):
        yield from _seat(one, player)
        for pile, (_, at) in PILES.items():
            if pile == "played" or player == seat or one["players"] == 1:
                yield from ((f"{kind} {card}@{pile} {player}", 1) for kind in ("march", "tax")
                            for card in np.flatnonzero(one[kind] == at + player))  # fmt: skip
    yield from ((f"worker {who}@{_place(at)}", 1) for at, who in enumerate(one["worker"]) if who >= 0)
    yield from ((f"token {who}@{c.BUILDINGS[at]}", 1) for at, who in enumerate(one["owner"]) if who >= 0)
    yield from ((f"marker {who}@order {at}", 1) for at, who in enumerate(one["order"]) if who >= 0)
    if one["event"] >= 0:
        yield f"event {one['event']}@shown", 1
    yield "round", one["round"]


def _seat(one: Any, player: int) -> Iterator[tuple[str, int]]:
    """What lies before a seat, and its figure."""
    if one["satrap"][player] >= 0:
        satrap = c.SATRAPS[one["satrap"][player]]
        yield f"figure {satrap}@{'' if one['standing'][player] else 'laid '}{satrap}", 1
    yield f"worker {player}@mat {player}", c.WORKERS - (one["worker"] == player).sum()
    yield f"token {player}@mat {player}", c.TOKENS - (one["owner"] == player).sum()
    yield f"power {player}@mat {player}", one["power"][player]
    yield from ((f"{name}@mat {player}", n) for name, n in zip(c.RESOURCES, one["resource"][player], strict=True))
    yield f"vp {player}", one["vp"][player]


def _place(at: int) -> str:
    return "space" if at == c.ORDER_SPACE else c.AREAS[at]


def named(box: Any, name: str, lang: str) -> str:
    """A piece, a place or a number in words."""
    for section, names in (("resource", c.RESOURCES), ("area", c.AREAS), ("building", c.BUILDINGS)):
        if name in names:
            return word(section, name, lang)
    head, _, rest = name.partition(" ")
    if head in ("figure", "laid"):
        return word("coach", head, lang, satrap=word("area", rest, lang))
    if not rest:
        return word("coach", name, lang)
    n = int(rest)
    if head == "event":
        return words.event(box, n, lang)
    if head in ("march", "tax"):
        return (words.march_card if head == "march" else words.tax_card)(box, n, lang)
    if head == "satrap":
        return seat_name(n, lang)
    if head == "order":
        return word("coach", "order", lang, n=n + 1)
    return word("coach", head, lang, whose=seat_name(n, lang))


def stage(box: Any, s: Record, lang: str) -> str:
    """The phase, or how the game ended."""
    return words.outcome(box, s, lang) if s["to_act"][0] == NOBODY else word("phase", c.PHASES[s["phase"][0]], lang)


def goal(box: Any, s: Record, lang: str) -> str:
    """What wins."""
    return word("coach", "goal_alone" if s["players"][0] == 1 else "goal", lang, n=box["goal"])


def sees(s: Record, seat: int) -> bool:
    """Whether a seat sees what another, or chance, is asked to choose from: not what shows a hand or comes to one."""
    top = int(s["sp"][0]) - 1
    op = int(s["op"][0, top])
    return bool(s["arg"][0, top, 0] == seat) if op in TO_A_HAND else op not in OF_A_HAND


def scene(box: Any, s: Record, lang: str) -> Scene:
    """The board of :mod:`xerxes_env.render`, without what is asked and held, which the page says."""
    height = render.HEIGHT if s["players"][0] == c.MAX_PLAYERS else render.TABLE
    layers = [layer(name, shapes) for name, shapes in render.layered(box, s, lang).items()]
    return {"width": render.WIDTH, "height": height, "layers": layers}


def place(s: Record, action: int) -> str | None:
    """What is touched for a choice: an area, a building, a seat's mat or a resource on it."""
    one, asked = s[0], int(s["to_act"][0])
    block, i = actions.block_of(action)
    if asked < 0:
        return None
    if block == "area":
        return "order" if i == c.ORDER_SPACE else c.AREAS[i]
    if block == "building":
        return c.BUILDINGS[i]
    if block == "seat":
        return f"satrap {i}"
    if block == "resource":
        top = int(one["sp"]) - 1
        whose = one["arg"][top, 1] if one["op"][top] == steps.STEAL else asked
        return f"{c.RESOURCES[i]} {whose}"
    return None


# Cards


def hands(box: Any, s: Record, seat: int | None, lang: str) -> list[Hand]:
    """All hands as a seat sees them. X-M1, X-T1: who is asked could play a card whose units or resources it has."""
    players = int(s["players"][0])
    return shown_to(seat, [list(_held(box, s, player, lang)) for player in range(players)], players > 1)


def _held(box: Any, s: Record, player: int, lang: str) -> Iterator[Held]:
    one, by = s[0], [seat_name(player, lang)]
    op, options = one["op"][one["sp"] - 1], one["option"][: one["n_options"]]
    for kind, prompt, text in (("march", steps.MARCH, words.march_card), ("tax", steps.TAX, words.tax_card)):
        for card in np.flatnonzero(one[kind] == c.HAND + player).tolist():
            plays = one["to_act"] == player and op == prompt and actions.FIRST[kind] + card in options
            name = position.names()[kind][card]
            yield {"id": name, "title": text(box, card, lang), "text": "", "by": by if plays else []}


def cards(edition: Edition, lang: str) -> list[dict[str, Any]]:
    """Areas, events, buildings, march and tax cards, as edition files call them."""
    return [_listed(edition, name, lang) for section in SECTIONS for name in _section(edition, section)]


def _listed(edition: Edition, name: str, lang: str) -> dict[str, Any]:
    section, values = _found(edition, name)
    box = boxes.load(edition).box[0]
    return owner.listed(name, _title(box, section, list(_section(edition, section)).index(name), lang), values)


def _title(box: Any, section: str, i: int, lang: str) -> str:
    if section == "area":
        unit = word("unit", c.UNITS[box["area_unit"][i]], lang)
        given = words.resources(box["area_resource"][i], lang)
        return word("label", "area", lang, name=words.place(i, lang), resources=given, unit=unit)
    if section == "building":
        return words.building(box, i, 1, lang)
    return {"event": words.event, "march": words.march_card, "tax": words.tax_card}[section](box, i, lang)


def card(edition: Edition, name: str, lang: str) -> dict[str, Any]:
    """A card with its text and its fields. ValueError: there is no such card."""
    told, (_, values) = _listed(edition, name, lang), _found(edition, name)
    return {**told, "text": told["title"], "fields": owner.fields(values)}


def _section(edition: Edition, section: str) -> Mapping[str, Row]:
    found: Mapping[str, Row] = getattr(boxes.load(edition).content, section)
    return found


def _found(edition: Edition, name: str) -> tuple[str, Row]:
    """The section that a card is in, and its values."""
    for section in SECTIONS:
        if name in _section(edition, section):
            return section, _section(edition, section)[name]
    raise ValueError(f"there is no card {name!r}: choose an area, a building, event-1, march-01, tax-01 ...")


def put_right(edition: Edition, name: str, values: Mapping[str, Any]) -> None:
    """As :func:`tabletop.coach.owner.put_right`; ValueError also: no file, or no such card."""
    owner.put_right(owner.file_of(edition, boxes.NAMED), (_found(edition, name)[0], name), values, boxes.with_values)


def take(edition: Edition, text: str) -> None:
    """As :func:`tabletop.coach.owner.take`; ValueError also: no file."""
    owner.take(owner.file_of(edition, boxes.NAMED), text, boxes.with_values)
