"""What lies on the table, counted as ``"piece@place"``, and the words for pieces and places.

A piece is named as its number is in :mod:`sammu_env.constants`; so is a place, or it is ``board`` (empire tokens that
wait), ``pool``, ``bag``, ``row`` (of events), ``discard``, ``public`` (cards of characters that are nobody's own),
``advisor 0`` (a seat), ``month 3`` (its event) or ``road Tyre/Damascus``. Numbers of nothing are left out.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env import steps, words
from sammu_env.actions import block_of
from sammu_env.render.places import road_places
from sammu_env.state import DISCARD, HAND

#: Markers that lie on locations, on areas, and on a character, who is the queen: marker and field of the state.
ON_LOCATIONS = ((c.UNREST, "unrest"), (c.PLAGUE, "plague"), (c.DIPLOMACY, "diplomacy"), (c.KARU, "karu"),
                (c.HEALTH, "health"))  # fmt: skip
ON_AREAS = ((c.KARU, "area_karu"), (c.HEALTH, "area_health"))
ON_QUEEN = ((c.ASSASSINATION, "assassination"), (c.RELIGION, "religion"))
SEAT = "advisor"
#: Blocks of words that name what has no number, or its place.
_BLOCKS = {
    **dict.fromkeys(c.KINDS, "token"), **dict.fromkeys(c.MARKERS, "marker"), **dict.fromkeys(c.GOODS, "good"),
    **dict.fromkeys(c.TECHNOLOGIES, "technology"), **dict.fromkeys(c.AREAS, "area"),
    **dict.fromkeys(c.LOCATIONS, "location"), **dict.fromkeys(c.CHARACTERS, "character"),
}  # fmt: skip
_LABELS = {"enemy": "enemy", "gate": "gate", "card": "ashur", "event": "event_card", "board": "empire_board",
           "pool": "pool", "bag": "bag", "row": "row", "discard": "discard", "public": "beside", "month": "month_track",
           "disc": "disc", "challenge": "challenge", "players": "players", "hidden_hands": "hidden_hands",
           "campaign": "as_campaign", "oracles": "oracle_events", "start_goods": "start_goods",
           "advanced": "as_advanced"}  # fmt: skip


def facts(box: Any, s: Any, seat: int | None = None) -> dict[str, int]:
    """All of a table as a seat sees it; None: as it lies open on the table.

    Args:
        box, s: records of shape ().
    """
    found = {name: int(n) for name, n in _placed(box, s) if n}
    seats = range(int(s["players"]))
    shown = [one for one in seats if not s["hidden_hands"] or one == seat]
    found |= {f"{card}@{place}": 1 for card, place in _cards(s, shown)}
    found |= {f"card@{SEAT} {one}": n for one in seats if one not in shown and (n := int(s["hand_n"][one]))}
    return found | {"month": int(s["month"])}


def _placed(box: Any, s: Any) -> Iterator[tuple[str, int]]:
    """Pieces of the map, of characters and of the pools."""
    for kind, piece in enumerate(c.KINDS):
        places = c.LOCATIONS if kind < c.SUPPLY else c.ZONES
        yield from _rows(piece, places, s["token"][kind])
        yield f"{piece}@board", s["board"][kind]
    yield from _rows("enemy", c.LOCATIONS, s["enemy"])
    yield "enemy@pool", s["enemy_pool"]
    yield from _rows("gate", c.AREAS, s["gate"])
    yield "gate@pool", box["gate_total"] - s["gate"].sum()
    for marker, field in ON_LOCATIONS:
        yield from _rows(c.MARKERS[marker], c.LOCATIONS, s[field])
    for marker, field in ON_AREAS:
        yield from _rows(c.MARKERS[marker], c.AREAS, s[field])
    yield from _rows("karu", road_places(box), s["road_karu"])
    yield from ((f"{c.MARKERS[marker]}@{c.CHARACTERS[c.SAMMU_RAMAT]}", s[field]) for marker, field in ON_QUEEN)
    yield from _rows("religion", [f"month {month}" for month in range(1, c.MAX_MONTHS + 1)], s["slot_religion"])
    for marker, piece in enumerate(c.MARKERS):
        yield f"{piece}@bag", s["bag"][marker]
        yield f"{piece}@pool", s["marker_pool"][marker]
    for kind, piece in enumerate(c.TECHNOLOGIES):
        yield from _rows(piece, c.LOCATIONS, s["technology"] == kind)
        yield from _rows(piece, c.CHARACTERS, s["has"][:, kind])
        yield f"{piece}@pool", s["technology_pool"][kind]
    for good, piece in enumerate(c.GOODS):
        yield from _rows(piece, c.CHARACTERS, s["good"][:, good])
        yield f"{piece}@pool", s["good_pool"][good]
    yield "event@row", s["months"] if s["month"] else 0
    yield from _people(s)


def _people(s: Any) -> Iterator[tuple[str, int]]:
    """Characters: where each stands, beside whom the card lies, and whose disc is on it."""
    for who, name in enumerate(c.CHARACTERS):
        if s["location"][who] >= 0:
            yield f"{name}@{c.LOCATIONS[int(s['location'][who])]}", 1
        if s["status"][who] == c.IN_PLAY:
            owner = int(s["owner"][who])
            yield f"card of {name}@" + ("public" if owner < 0 else f"{SEAT} {owner}"), 1
        if s["consulted"][who] >= 0:
            yield f"disc {SEAT} {int(s['consulted'][who])}@{name}", 1


def _cards(s: Any, shown: Sequence[int]) -> Iterator[tuple[str, str]]:
    """Cards that lie open, those in hands of these seats too, and where; the row of events."""
    for card in np.flatnonzero(s["ashur"] != 0):
        at = int(s["ashur"][card])
        if at == DISCARD:
            yield words.name("ashur", int(card), "en"), "discard"
        elif at - HAND in shown:
            yield words.name("ashur", int(card), "en"), f"{SEAT} {at - HAND}"
    for month, event in enumerate(s["slot"][: int(s["months"])]):
        if event >= 0:
            yield words.name("event", int(event), "en"), f"month {month + 1}"


def _rows(piece: str, places: Sequence[str], numbers: Any) -> Iterator[tuple[str, int]]:
    return ((f"{piece}@{places[at]}", numbers[at]) for at in np.flatnonzero(numbers).tolist() if at < len(places))


#: Prompts that are answered together on one sheet.
SHEETS = {
    **dict.fromkeys((steps.PLACE_TOKEN, steps.PLACE_CHARACTER), "set-up"),
    **dict.fromkeys((steps.TAX, steps.TAX_TO, steps.GAIN_TO), "goods"),
}  # fmt: skip


def sheet_key(s: Any) -> str | None:
    """Which sheet a question is on; None: it is answered alone."""
    return SHEETS.get(int(s["op"][int(s["sp"]) - 1]))


def sees(s: Any, action: int, seat: int) -> bool:
    """Whether a seat sees what another, or chance, answers: not which cards they hold, draw, or choose from."""
    if not s["hidden_hands"] or block_of(action)[0] != "ashur":
        return True
    top = int(s["sp"]) - 1
    return bool(s["op"][top] == steps.DRAW_CARD and s["arg"][top, 0] == seat)


@lru_cache(maxsize=4096)
def named(components: Any, name: str, lang: str) -> str:
    """A piece, a place or a number in words."""
    if name in c.LOCATIONS:
        return words.name("location", c.LOCATIONS.index(name), lang)
    if name in _BLOCKS:
        return words.word(_BLOCKS[name], name, lang)
    if name in _LABELS:
        return words.label(_LABELS[name], lang)
    head, _, rest = name.partition(" ")
    if head == SEAT:
        return words.label("player", lang, n=int(rest) + 1)
    if head == "month":
        return words.label("month", lang, n=int(rest))
    if head == "road":
        return "–".join(named(components, end, lang) for end in rest.split("/"))
    if head == "disc":
        return words.label("disc_of", lang, who=named(components, rest, lang))
    if head == "card":
        return words.label("card_of", lang, who=named(components, rest.removeprefix("of "), lang))
    return f"{name} {words.title(components, name, lang)}".rstrip()
