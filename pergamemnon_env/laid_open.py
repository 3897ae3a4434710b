"""Positions that people put right field by field: those of :mod:`pergamemnon_env.position`, laid open.

``now`` says what is asked, and ``cards`` where each card lies: "discard Rome" is the discard pile of whoever leads
Rome. Of the seat that is asked hand and draw pile are told apart. Of another nobody knows what is in the hand, but for
cards that all have seen go there: the others are in "both Rome". The hands of the seats are what the game believes: a
card stays in a hand as long as it can be there, and what is missing is dealt anew.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np

from pergamemnon_env import constants as c
from pergamemnon_env import position, render, words
from pergamemnon_env.components import names
from tabletop.coach.parts import Choice, Field
from tabletop.game import Record
from tabletop.positions import UNKNOWN, index, kept, listed, number, one_by_one, rows, table

#: Where a card lies without being somebody's: in the middle, in the stack or its rest, in the box, and in a battle.
DISPLAY, UNSEEN, GONE, BATTLE = "display", "unseen", "gone", "battle"
#: What a seat has, with its key in a position; "both" is hand and draw pile, of which nobody knows which.
OPEN = {"discard": "discard", "city": "under_city", "secured": "secured"}
HELD = ("hand", "draw", "both")


class Piece(NamedTuple):
    """A card of the box; equal ones are counted from 1."""

    name: str
    kind: int

    @property
    def nation(self) -> str:
        """Whose army it is in; of a creature nothing."""
        return c.NATIONS[self.kind // c.KINDS_OF_A_NATION] if self.kind < c.ARMY else ""


def _pieces(box: Any, nations: list[str]) -> Iterator[Piece]:
    """The creatures, and the armies of the nations."""
    for kind, name in enumerate(names()):
        copies = int(box["copies"][kind]) if kind < c.ARMY else 1
        for i in range(copies):
            piece = Piece(f"{name} {i + 1}" if copies > 1 else name, kind)
            if not piece.nation or piece.nation in nations:
                yield piece


def _led(s: Record) -> dict[str, int]:
    """The nations, each with its seat."""
    return {c.NATIONS[nation]: seat for seat, nation in enumerate(s["nation"][0, : s["players"][0]]) if nation >= 0}


# What lies where


def _lies(box: Any, s: Record) -> dict[str, str]:
    """Where each card lies, as far as the seat that is asked may know."""
    led = _led(s)
    counts = {place: count.copy() for place, count in _counts(s, led)}
    found = {}
    for piece in _pieces(box, list(led)):
        place = next((place for place, count in counts.items() if count[piece.kind] > 0), GONE)
        if place != GONE:
            counts[place][piece.kind] -= 1
        found[piece.name] = place
    return found


def _counts(s: Record, led: Mapping[str, int]) -> Iterator[tuple[str, Any]]:
    """How many cards of each kind lie in each place."""
    one, none = s[0], np.zeros(c.ARMY, int)
    for nation, seat in led.items():
        for pile in OPEN:
            yield f"{pile} {nation}", one[pile][seat]
        if seat == one["to_act"]:
            yield f"hand {nation}", one["hand"][seat]
            yield f"draw {nation}", one["draw"][seat]
        else:
            yield f"hand {nation}", one["known"][seat]
            yield f"both {nation}", render.union(s, seat) - one["known"][seat]
    if one["open"]:
        yield BATTLE, np.bincount(one["row"][one["row"] > 0] - 1, minlength=c.KINDS)
    yield DISPLAY, np.concatenate([none, one["display"]])
    yield UNSEEN, np.concatenate([none, one["unseen"]])


def dump(box: Any, s: Record, question: str) -> dict[str, Any]:
    """The position of a state, shape (1,), with a value for each field of :func:`form`."""
    told = {"now": position.AS_ASKED, **position.dump(s), "cards": _lies(box, s)}
    for key in ("display", "gone"):
        told.pop(key, None)
    for row in told["seats"]:
        for key in OPEN.values():
            row.pop(key, None)
    return position.plan().opened(told, form(box, s, question, "en"))


def load(boxes: Record, told: Mapping[str, Any]) -> Record:
    """As :func:`position.load`, of a position that is laid open or not."""
    return position.load(boxes, _closed(boxes, told) if isinstance(told, Mapping) and "cards" in told else told)


def _closed(boxes: Record, opened: Mapping[str, Any]) -> dict[str, Any]:
    """A position that is laid open as :mod:`pergamemnon_env.position` reads it."""
    told = dict(opened)
    players = number("players", told.get("players"), c.PLAYERS[0], c.PLAYERS[-1])
    box = boxes[number("box", told.get("box", 0), 0, len(boxes) - 1)]
    seats = {seat: dict(table(f"seats[{seat}]", row)) for seat, row in
             rows("seats", told.get("seats", ()), players).items()}  # fmt: skip
    led = {row["nation"]: seat for seat, row in seats.items() if row.get("nation") in c.NATIONS}
    there = _there(box, list(led), table("cards", told.pop("cards")))
    told |= {"seats": {str(seat): row for seat, row in seats.items()}}
    told |= {DISPLAY: there[DISPLAY], GONE: there[GONE]}
    battle = told["battle"] = dict(table("battle", told.get("battle", {})))
    for nation, seat in led.items():
        row, may = seats[seat], [*there[f"hand {nation}"], *there[f"both {nation}"]]
        row |= {key: there[f"{pile} {nation}"] for pile, key in OPEN.items()}
        down = []
        if battle.get("attacker") == seat and not battle.get("open"):
            down = listed("battle.attacker_laid", battle.get("attacker_laid", ()))
            if down and down[0] not in may:
                down = battle["attacker_laid"] = [UNKNOWN]
        _hold(row, there, nation, down[0] if down else UNKNOWN, told.get("now") == seat)
    return told


def _there(box: Any, nations: list[str], cards: Mapping[str, Any]) -> dict[str, list[str]]:
    """The names of the cards in each place."""
    places = [DISPLAY, UNSEEN, GONE, BATTLE, *(f"{pile} {nation}" for nation in nations for pile in (*OPEN, *HELD))]
    there: dict[str, list[str]] = {place: [] for place in places}
    for piece in _pieces(box, nations):
        place = cards.get(piece.name, f"both {piece.nation}" if piece.nation else UNSEEN)
        there[places[index(f"cards.{piece.name}", place, places)]].append(names()[piece.kind])
    return there


def _hold(row: dict[str, Any], there: Mapping[str, list[str]], nation: str, down: str, asked: bool) -> None:
    """Hand and draw pile of a seat, from what is told of both, and what is known of its hand.

    Args:
        down: the card that it has laid face down, if that is known.
        asked: whether its turn begins: then what is told of its hand is not known to the others.
    """
    sure, free = list(there[f"hand {nation}"]), list(there[f"both {nation}"])
    known, hand = (one_by_one(key, row.pop(key, ()), names()) for key in ("known", "hand"))
    row["known"] = list(sure) if free and not asked else list((Counter(known) & Counter(sure)).elements())
    came_from = sure if down in Counter(sure) - Counter(hand) or down not in free else free
    if down in came_from:
        came_from.remove(down)
    unsure = (Counter(hand) - Counter(sure)).elements()
    held = [*sure, *(kept(unsure, free, len(hand) - len(sure)) if free else ())]
    row["draw"] = [*there[f"draw {nation}"], *free]
    if not hand or set(held) - {UNKNOWN}:  # else it is another hand, and a full one
        row["hand"] = held


# The form


def form(box: Any, s: Record, question: str, lang: str) -> Iterator[Field]:
    """Whose turn it is, what the seats have, and where each card lies: the hand of the seat that is asked too, of
    others what they may hold."""
    one, led = s[0], _led(s)
    now, middle = words.word("form", "now", lang), words.word("coach", "display", lang)
    turns = [Choice(position.AS_ASKED, words.word("form", "as_asked", lang, question=question))]
    drawn = len(led) == one["players"]
    if drawn and not one["row"].any():
        turns += [Choice(seat, words.word("coach", "turn_of", lang, who=words.player(s, seat, lang)))
                  for seat in range(int(one["players"]))]  # fmt: skip
    yield Field(("now",), now, now, choices=turns)
    yield Field(("turn",), words.word("coach", "turn", lang), now, 0, c.TURNS)
    cards, total = words.word("coach", "charisma", lang), int(box["charisma_cards"])
    nations = [Choice(nation, words.word("nation", nation, lang)) for nation in c.NATIONS]
    for seat in led.values():
        zone, path = words.player(s, seat, lang), ("seats", str(seat))
        if drawn:
            yield Field((*path, "nation"), words.word("form", "nation", lang), zone, choices=nations)
        yield Field((*path, "charisma"), cards, zone, 0, total, cards, total)
        for key in ("active", "weakened"):
            yield Field((*path, key), words.word("label", key, lang), zone, 0, 1)
    yield Field(("stack",), words.word("label", "stack", lang), middle, 0, int(box["stack"] * one["players"]))
    yield from _form_of_cards(box, s, lang)


def _form_of_cards(box: Any, s: Record, lang: str) -> Iterator[Field]:
    led, lies = _led(s), _lies(box, s)
    for piece in sorted(_pieces(box, list(led)), key=lambda piece: not piece.nation):
        own = [] if piece.nation else [DISPLAY, UNSEEN]
        places = [*own, *(place for nation, seat in led.items() for place in _places(box, s, nation, seat, piece.kind))]
        first = next((place for place in places if place in (f"draw {piece.nation}", f"both {piece.nation}")), UNSEEN)
        places = list(dict.fromkeys([first, *places, GONE, lies[piece.name]]))
        zone = words.word("label", "display", lang)
        if piece.nation:
            zone = words.word("form", "army", lang, nation=words.word("nation", piece.nation, lang))
        label = piece.name.replace(names()[piece.kind], words.card(piece.kind, lang))
        choices = [Choice(place, _named(place, lang)) for place in places]
        yield Field(("cards", piece.name), label, zone, choices=choices)


def _places(box: Any, s: Record, nation: str, seat: int, kind: int) -> Iterator[str]:
    """Where a card may lie with a nation. P-S1, P-S3: under the city for its charisma, or as secured points."""
    yield f"hand {nation}"
    yield f"{'draw' if seat == s['to_act'][0] else 'both'} {nation}"
    yield f"discard {nation}"
    if box["charisma"][kind] > 0:
        yield f"city {nation}"
    if box["secure"][kind] > 0:
        yield f"secured {nation}"


@cache
def _named(place: str, lang: str) -> str:
    """A place in words; a form says it hundreds of times."""
    pile, _, nation = place.partition(" ")
    if nation:
        return words.word("coach", pile, lang, whose=words.word("nation", nation, lang))
    return words.word("form", pile, lang) if pile != DISPLAY else words.word("coach", DISPLAY, lang)


# Without playing


def laid(boxes: Record, setup: Record) -> Record:
    """P-A. The state, shape (1,), as the first turn begins: seats lead the nations in their order, and what is drawn is
    drawn here."""
    how = setup[0]
    players, box = int(how["players"]), boxes[int(how["box"])]
    creatures = np.random.default_rng(0).permutation(names()[c.ARMY :])[: box["display"] * players].tolist()
    charisma = box["charisma_start"][:players].tolist()
    seats = [{"nation": nation, "charisma": n} for nation, n in zip(c.NATIONS, charisma, strict=False)]
    return position.load(boxes, {"players": players, "box": int(how["box"]), "manual_chance": True, "seats": seats,
                                 "display": creatures, "player": charisma.index(max(charisma))})  # fmt: skip
