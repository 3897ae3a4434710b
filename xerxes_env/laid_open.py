"""Positions that people put right field by field: those of :mod:`xerxes_env.position`, laid open.

``now`` says what is asked, and ``cards`` where each tax and march card lies, as the seat that is asked knows it: all
that are played, its own hand and its own discards. Of the others ("") nobody says whether they are in another hand,
among another's discards or in the deck. The piles of the seats are what the game believes: a card stays in a hand as
long as it can be there, and what is missing is dealt anew.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from tabletop.coach.parts import Choice, Field
from tabletop.game import Record
from tabletop.positions import NOTHING, index, kept, number, one_by_one, rows, table
from xerxes_env import constants as c
from xerxes_env import position, words
from xerxes_env.position import DEALT, PILES
from xerxes_env.words import seat_name, word


def _lies(s: Record) -> dict[str, str]:
    """Where each card lies, as far as the seat that is asked may know."""
    one, players, asked = s[0], int(s["players"][0]), int(s["to_act"][0])
    seen = {at + seat: f"{pile} {seat}" for pile, (_, at) in PILES.items() for seat in range(players)
            if pile == "played" or seat == asked}  # fmt: skip
    return {name: seen.get(int(at), NOTHING) for kind in DEALT
            for name, at in zip(position.names()[kind], one[kind], strict=True)}  # fmt: skip


def dump(box: Any, s: Record) -> dict[str, Any]:
    """The position of a state, shape (1,), with a value for each field of :func:`form`."""
    told = {"now": position.AS_ASKED, **position.dump(s), "cards": _lies(s)}
    return position.plan().opened(told, form(box, s, "en"))


def load(boxes: Record, told: Mapping[str, Any]) -> Record:
    """As :func:`position.load`, of a position that is laid open or not."""
    return position.load(boxes, _closed(boxes, told) if isinstance(told, Mapping) and "cards" in told else told)


def _closed(boxes: Record, opened: Mapping[str, Any]) -> dict[str, Any]:
    """A position that is laid open as :mod:`xerxes_env.position` reads it."""
    told = dict(opened)
    players = number("players", told.get("players"), 1, c.MAX_PLAYERS)
    box = boxes[number("box", told.get("box", 0), 0, len(boxes) - 1)]
    seats = {seat: dict(table(f"seats[{seat}]", row)) for seat, row in
             rows("seats", told.get("seats", ()), players).items()}  # fmt: skip
    told["seats"] = {str(seat): row for seat, row in seats.items()}
    cards, places = told.pop("cards"), [NOTHING, *(f"{pile} {seat}" for seat in range(players) for pile in PILES)]
    table("cards", cards, [name for kind in DEALT for name in position.names()[kind]])
    for kind in DEALT:
        there: dict[str, list[str]] = {place: [] for place in places}
        for name in position.names()[kind]:
            place = cards.get(name, NOTHING)
            there[places[index(f"cards.{name}", place, places)]].append(name)
        for seat, row in seats.items():
            keeps = int(box[f"{kind}_kept"]) if told.get("phase") != c.PHASES[c.SETUP] else DEALT[kind]
            _hold(row, kind, {pile: there[f"{pile} {seat}"] for pile in PILES}, there[NOTHING], keeps)
    return told


def _hold(row: dict[str, Any], kind: str, said: Mapping[str, list[str]], free: list[str], keeps: int) -> None:
    """The cards of a seat: those that are said to be there, and as many others as it has.

    X-A5, X-A6, X-S8: all that it was dealt and has neither played nor discarded are in its hand; Assyria discards none.

    Args:
        free: cards of which nobody says where they are: those that it holds are taken away.
        keeps: cards of this kind that a seat keeps of those dealt.
    """
    held = {pile: one_by_one(kind + key, row.get(kind + key, ()), position.names()[kind])
            for pile, (key, _) in PILES.items()}  # fmt: skip
    dealt, others = sum(map(len, held.values())), 0
    left = max(0, dealt - sum(map(len, said.values())))
    if not said["out"] and row.get("satrap") != c.SATRAPS[c.ASSYRIA]:
        others = min(left, len(held["out"]) or max(0, dealt - keeps))
    unsaid = {"out": others, "played": 0, "hand": left - others}
    known = bool(said["hand"] or said["out"])  # then what was believed does not hold
    for pile, (key, _) in PILES.items():
        row[kind + key] = [*said[pile], *kept(() if known else held[pile], free, unsaid[pile])]


# The form


def form(box: Any, s: Record, lang: str) -> Iterator[Field]:
    """Whose turn it is, all that lies open, and where each card lies, as the seat that is asked knows it."""
    one, players = s[0], int(s["players"][0])
    now, seats = word("form", "now", lang), [Choice(seat, seat_name(seat, lang)) for seat in range(players)]
    turns = [Choice(position.AS_ASKED, word("form", "as_asked", lang, question=words.question(s, lang)))]
    if one["phase"] != c.SETUP:
        turns += [Choice(name, word("form", "again" if second else "turn", lang, seat=seat_name(seat, lang),
                                    phase=word("phase", c.PHASES[phase], lang)))
                  for name, (phase, second, seat) in position.turns(players).items()]  # fmt: skip
    events = [Choice(name, words.event(box, i, lang)) for i, name in enumerate(position.names()["event"])]
    nobody = Choice(NOTHING, word("label", "nothing", lang))
    yield Field(("now",), now, now, choices=turns)
    yield Field(("round",), word("coach", "round", lang), now, 1, c.ROUNDS)
    yield Field(("event",), word("coach", "shown", lang), now, choices=[nobody, *events])
    for place in range(int((one["order"] >= 0).sum()) if players > 1 else 0):
        yield Field(("order", str(place)), word("coach", "order", lang, n=place + 1), now, choices=seats)
    for seat in np.flatnonzero(one["satrap"][:players] >= 0):
        yield from _form_of_seat(box, one, int(seat), lang)
    for place, name in enumerate(position.PLACES):
        if place not in one["satrap"][:players]:
            yield Field(("workers", name), words.place(place, lang), word("form", "workers", lang),
                        choices=[nobody, *seats])  # fmt: skip
    for name in c.BUILDINGS:
        zone = word("form", "buildings", lang)
        yield Field(("buildings", name), word("building", name, lang), zone, choices=[nobody, *seats])
    for event, label in events:
        yield Field(("events_seen", str(event)), label, word("form", "events_seen", lang), 0, 1)
    yield from _form_of_cards(box, players, lang)


def _form_of_seat(box: Any, one: Any, seat: int, lang: str) -> Iterator[Field]:
    zone, path = seat_name(seat, lang), ("seats", str(seat))
    satraps = [Choice(name, words.satrap(i, lang)) for i, name in enumerate(c.SATRAPS)]
    yield Field((*path, "satrap"), word("form", "satrap", lang), zone, choices=satraps)
    yield Field((*path, "vp"), word("form", "vp", lang), zone, 0, 999)
    keys = ("power", "standing", "ignores_event") if one["satrap"][seat] == c.BABYLONIA else ("power", "standing")
    for key in keys:
        yield Field((*path, key), word("form", key, lang), zone, 0, 1)
    for name in c.RESOURCES:
        yield Field((*path, "resources", name), word("resource", name, lang), zone, 0, int(box["limit"]))


def _form_of_cards(box: Any, players: int, lang: str) -> Iterator[Field]:
    places = [Choice(NOTHING, word("form", "unsaid", lang))]
    for seat in range(players):
        places += [Choice(f"{pile} {seat}", word("coach", pile, lang, whose=seat_name(seat, lang))) for pile in PILES]
    for kind, text in (("march", words.march_card), ("tax", words.tax_card)):
        for card, name in enumerate(position.names()[kind]):
            yield Field(("cards", name), text(box, card, lang), word("form", kind, lang), choices=places)


# Without playing


def laid(boxes: Record, setup: Record) -> Record:
    """X-A. The state, shape (1,), as the first worker is placed: hands are dealt, and cards discarded. Satraps that the
    setup does not name are the first of each mat that is left, and the turn order is that of the seats."""
    how = setup[0]
    players, box = int(how["players"]), boxes[int(how["box"])]
    satraps = [int(satrap) for satrap in how["satrap"][:players]]
    for seat, satrap in enumerate(satraps):
        if satrap < 0:
            mats = box["mat"][[one for one in satraps if one >= 0]]
            satraps[seat] = int(np.flatnonzero(~np.isin(box["mat"], mats))[0])
    seats = []
    for satrap in satraps:
        row: dict[str, Any] = {"satrap": c.SATRAPS[satrap]}
        for kind, dealt in DEALT.items():
            row[kind] = dealt if satrap == c.ASSYRIA else int(box[f"{kind}_kept"])
            row[f"{kind}_out"] = dealt - row[kind]
        seats.append(row)
    return position.load(boxes, {"players": players, "box": int(how["box"]), "manual_chance": True, "seats": seats})
