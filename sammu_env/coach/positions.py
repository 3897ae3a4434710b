"""Positions that people put right field by field: those of :mod:`sammu_env.position`, laid open.

Every field of the form has a value there, also where nothing lies, and each card, month and character says where it
is: ``ashur`` holds where each Ashur card lies, ``row`` the event of each month, ``now`` what is asked. With hidden
hands ``ashur`` knows what the seat that is asked does, and ``hidden``, which is on no form, what the others hold.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from sammu_env import actions, engine, position, steps, words
from sammu_env import constants as c
from sammu_env.coach import facts
from sammu_env.components import Components
from sammu_env.position import PositionError
from sammu_env.position.board import LOCATION, OF_ZONE
from sammu_env.position.cards import MONTH, MONTH_AREAS, MOST_BRIBES
from sammu_env.position.machine import PLAIN
from sammu_env.position.people import ACTIONS, BAILEETS, TURN
from sammu_env.render.places import road_places
from sammu_env.state import STATE
from tabletop.coach.parts import Choice, Field
from tabletop.game import Record
from tabletop.positions import table

#: What is asked: what the position has pending, the month's beginning, the consultations, or the turn of "seat 0" ...
ASKED, MONTH_BEGINS, CONSULT, SEAT = "asked", "month", "consult", "seat "
NOBODYS, UNKNOWN = -1, ""  #: of no seat; an event that nobody knows
DECK, DISCARD = "deck", "discard"
#: The least and the most of a number, as it is read.
COUNTS = {count.key: count for count in (ACTIONS, *TURN, *MONTH)}
#: What a character has done this month, with its label.
THIS_MONTH = {"actions": "actions_of", "moves": "moves_made", "used": "ability_used", "sun_used": "sun_used",
              "frozen": "stays", "fewer_actions": "actions_fewer"}  # fmt: skip
#: What holds until the month ends: flags by the words of their effect, and numbers with their labels.
CLOSED = {"roads_closed": "close_roads_everywhere", "market_road_closed": "close_roads_markets",
          "markets_closed": "close_markets"}  # fmt: skip
CHANGED = {"advisor_steps": "advisors_steps", "character_steps": "characters_steps", "move_limit": "most_moves",
           "corruption": "corruption_of", "queen_actions": "queens_actions"}  # fmt: skip
IN_AREAS = {"road_closed": "close_roads", "token_ban": "ban_tokens", "double_steps": "double_steps"}


def form(components: Components, s: Record, lang: str) -> list[Field]:
    """What of the position of a state, shape (1,), can be put right, with what the box holds of each piece."""
    return list(_Form(components, s, lang).fields())


class _Form:
    def __init__(self, components: Components, s: Record, lang: str) -> None:
        self.components, self.box, self.s, self.lang = components, components.box[0], s, lang
        box = self.box
        self.totals = {
            **dict(zip(c.KINDS, box["token_total"], strict=True)), "enemy": box["enemy_total"],
            "gate": box["gate_total"], **dict(zip(c.GOODS, box["good_total"], strict=True)),
            **dict(zip(c.MARKERS, box["marker_total"], strict=True)),
        }  # fmt: skip
        self.seats = [Choice(seat, self.player(seat)) for seat in range(_seats(s))]
        self.nobody = Choice(NOBODYS, self.label("none"))

    def named(self, name: str) -> str:
        return facts.named(self.components, name, self.lang)

    def label(self, key: str, **values: Any) -> str:
        return words.label(key, self.lang, **values)

    def player(self, seat: int) -> str:
        return self.label("player", n=seat + 1)

    def effect(self, key: str, area: str = "") -> str:
        where = self.named(area) if area else ""
        return words.word("effect", key, self.lang).format(area=where, where=where)

    def field(self, zone: str, piece: str, *path: str, most: int | None = None) -> Field:
        total = int(self.totals[piece])
        return Field((*path, piece), self.named(piece), zone, 0, min(most or total, total), self.named(piece), total)

    def chosen(self, zone: str, label: str, choices: list[Choice], *path: str) -> Field:
        return Field(path, label, zone, choices=choices)

    def fields(self) -> Iterator[Field]:
        yield from self.now()
        for area, name in enumerate(c.AREAS):
            zone = self.named(name)
            for piece in ("gate", "supply", "medicine", "karu", "health"):
                yield self.field(zone, piece, "areas", name, most=1 if piece == "gate" else None)
            for key, said in IN_AREAS.items():
                yield Field(("month_effects", key, name), self.effect(said, name), zone, 0, 1)
            for at, place in enumerate(c.LOCATIONS):
                if self.box["zone"][at] == area:
                    yield from self.location(at, place)
        for at, place in ((c.DAMASCUS, "Damascus"), (c.SARDES, "Sardes")):
            yield from self.location(at, place)
        for who in c.CHARACTERS:
            yield from self.character(who)
        for piece in c.MARKERS:
            yield self.field(self.named("bag"), piece, "bag")
        for road, place in zip(position.road_names(self.box), road_places(self.box), strict=True):
            field = self.field(self.label("karu_roads"), "karu", "roads", road)
            yield field._replace(label=self.named(place))
        yield from self.events()
        yield from self.cards()

    def now(self) -> Iterator[Field]:
        zone, asked = self.label("now"), words.question(self.components, self.s, self.lang)
        yield self.chosen(zone, zone, [
            Choice(ASKED, self.label("as_asked", question=asked)), Choice(MONTH_BEGINS, self.label("month_begins")),
            Choice(CONSULT, self.label("all_consult")),
            *(Choice(f"{SEAT}{seat}", self.label("turn_of", who=name)) for seat, name in self.seats),
        ], "now")  # fmt: skip
        begun = int(self.s["challenge"][0] >= 0)
        yield Field(("month",), self.named("month"), zone, begun, int(self.s["months"][0]))
        yield self.chosen(zone, self.label("goes_first_of"), self.seats, "first_player")
        for seat, name in self.seats:
            yield Field(("free_actions", str(seat)), self.label("free_left", who=name), zone, 0, c.FREE_ACTIONS)

    def location(self, at: int, name: str) -> Iterator[Field]:
        zone = self.named(name)
        apart = self.box["zone"][at] >= len(c.AREAS)
        for piece in (count.key for count in LOCATION):
            if apart or piece not in OF_ZONE:
                once = 1 if piece in ("unrest", "plague") else None
                if once and apart:  # these strike areas alone
                    continue
                yield self.field(zone, piece, "locations", name, most=once)
        kinds = [Choice(UNKNOWN, self.label("none")), *(Choice(kind, self.named(kind)) for kind in c.TECHNOLOGIES)]
        yield self.chosen(zone, self.label("technology"), kinds, "technologies", name)

    def character(self, who: str) -> Iterator[Field]:
        zone, path = self.named(who), ("characters", who)
        away = [Choice(status, words.word("status", status, self.lang)) for status in c.STATUS if status != PLAYED]
        places = [Choice(name, self.named(name)) for name in c.LOCATIONS]
        yield self.chosen(zone, self.label("stands_at"), [*places, *away], *path, "at")
        if who == c.CHARACTERS[c.BAILEET]:
            sides = [Choice(side, side) for side in BAILEETS]
            yield self.chosen(zone, self.label("card_side"), sides, *path, "side")
            return
        if who != c.CHARACTERS[c.SAMMU_RAMAT] and self.s["players"][0] > 1:  # alone, she is the player's own
            yield self.chosen(zone, self.label("advisor_of"), [self.nobody, *self.seats], *path, "player")
        yield self.chosen(zone, self.label("consulted_by"), [self.nobody, *self.seats], *path, "consulted")
        for key, label in THIS_MONTH.items():
            yield Field((*path, key), self.label(label), zone, 0, COUNTS[key].high)
        for good in c.GOODS:
            yield self.field(zone, good, *path, "goods")
        for kind, total in zip(c.TECHNOLOGIES, self.box["technology_total"], strict=True):
            yield Field((*path, "technologies", kind), self.named(kind), zone, 0, int(total))
        for piece in ("assassination", "religion") if who == c.CHARACTERS[c.SAMMU_RAMAT] else ():
            yield self.field(zone, piece, "queen")

    def events(self) -> Iterator[Field]:
        zone, this = self.named("row"), self.label("this_month")
        cards = [Choice(UNKNOWN, self.label("unknown")),
                 *(Choice(card, self.named(card)) for card in c.card_ids(c.EVENT_FIRST, c.N_EVENTS))]  # fmt: skip
        for month in _months(self.s):
            yield self.chosen(zone, self.named(f"month {month}"), cards, "row", month)
        for month in _months(self.s):
            yield Field(("religion", month), f"{self.named(f'month {month}')} · {self.named('religion')}", zone, 0,
                        int(self.totals["religion"]), self.named("religion"), int(self.totals["religion"]))  # fmt: skip
        for key, said in CLOSED.items():
            yield Field(("month_effects", key), self.effect(said), this, 0, 1)
        for key, said in CHANGED.items():
            yield Field(("month_effects", key), self.label(said), this, COUNTS[key].low, COUNTS[key].high)
        for group in c.GROUPS:
            said = self.label("bribe_of", group=words.word("group", group, self.lang))
            yield Field(("month_effects", "bribes", group), said, this, 0, MOST_BRIBES)

    def cards(self) -> Iterator[Field]:
        deck = self.label("ashur_unseen" if self.s["hidden_hands"][0] else "ashur_deck")
        places = [Choice(DECK, deck), Choice(DISCARD, self.label("discard")), *self.seats]
        for card in c.card_ids(c.ASHUR_FIRST, c.N_ASHUR):
            yield self.chosen(self.label("hands"), self.named(card), places, "ashur", card)


PLAYED = c.STATUS[c.IN_PLAY]


def _seats(s: Record) -> int:
    """The players, and who left as long as their cards are being shared out."""
    return max(int(s["players"][0]), 1 + int(np.flatnonzero(s["hand_n"][0]).max(initial=-1)))


def _months(s: Record) -> list[str]:
    return [str(month + 1) for month in range(int(s["months"][0]))]


def dump(components: Components, s: Record) -> dict[str, Any]:
    """The position of a state, shape (1,), laid open: it has a value for every field of the form."""
    found = position.dump(s, components)
    found |= {"now": ASKED, "revealed": bool(s["event"][0] >= 0)}
    _open_cards(found, s)
    _open_events(found, s)
    characters = found.setdefault("characters", {})
    for who, name in enumerate(c.CHARACTERS):
        row = characters.setdefault(name, {"status": c.STATUS[c.OUT]})
        status = row.pop("status")
        row["at"] = row.pop("location", status)
        has = row.pop("technologies", [])
        row["technologies"] = {kind: has.count(kind) for kind in c.TECHNOLOGIES}
        row.setdefault("player", NOBODYS)
        row.setdefault("consulted", NOBODYS)
        if who == c.BAILEET:
            row.setdefault("side", BAILEETS[int(s["side"][0, who])])
        elif row.get("side") == _usual(who, row["player"]):
            del row["side"]  # it follows from whose advisor it is
    month = found.setdefault("month_effects", {})
    for key in MONTH_AREAS:
        month[key] = {area: int(area in month.get(key, ())) for area in c.AREAS}
    month.setdefault("move_limit", -1)
    for name in c.LOCATIONS:
        found.setdefault("technologies", {}).setdefault(name, UNKNOWN)
    for field in form(components, s, "en"):
        row = found
        for key in field.path[:-1]:
            row = row.setdefault(key, {})
        if not field.choices:
            row[field.path[-1]] = int(row.get(field.path[-1], 0))
    return found


def _usual(who: int, player: int) -> str:
    return "" if who == c.SAMMU_RAMAT else "personal" if player >= 0 else "public"


def _open_cards(found: dict[str, Any], s: Record) -> None:
    lies: dict[str, Any] = dict.fromkeys(c.card_ids(c.ASHUR_FIRST, c.N_ASHUR), DECK)
    lies |= dict.fromkeys(found.pop("ashur_discard", []), DISCARD)
    seats = found.pop("seats", [])
    held = {card: seat for seat, row in enumerate(seats) for card in row["hand"]}
    hidden = {card: seat for card, seat in held.items() if s["hidden_hands"][0] and seat != s["to_act"][0]}
    lies |= {card: seat for card, seat in held.items() if card not in hidden}
    found |= {"ashur": lies, "free_actions": {str(seat): row["free_actions"] for seat, row in enumerate(seats)}}
    found |= {"hidden": hidden} if hidden else {}


def _open_events(found: dict[str, Any], s: Record) -> None:
    events = found.setdefault("events", {})
    for key in ("current", "row", "known_top", "remaining"):
        events.pop(key, None)
    religion = events.pop("religion", [0] * c.MAX_MONTHS)
    row = {month: c.card_id(c.EVENT_FIRST + int(s["slot"][0, i])) if s["slot"][0, i] >= 0 else UNKNOWN
           for i, month in enumerate(_months(s))}  # fmt: skip
    events["seen"] = [card for card in events.get("seen", []) if card not in row.values()]
    found |= {"row": row, "religion": dict(zip(_months(s), religion, strict=False))}


def load(components: Components, told: Mapping[str, Any]) -> Record:
    """The state, shape (1,), of a position, laid open or not; one that says nothing of what is pending is played on to
    what is asked.

    Raises:
        PositionError: a name, a number or a count is wrong; the message says what is allowed.
    """
    if "now" in told:
        told = _closed(copy.deepcopy(dict(told)))
    for name, row in table("characters", told.get("characters", {})).items():
        what = f"characters.{name}"
        goods = table(f"{what}.goods", table(what, row).get("goods", {}))
        there = name == c.CHARACTERS[c.SAMMU_RAMAT] or "location" in row
        if row.get("status", c.STATUS[there]) == c.STATUS[c.OUT] and any(goods.values()):
            raise PositionError(f"{what}: who is not in play has no goods")
    s = position.load(told, components)
    return s if "pending" in told else position.play_on(s, components)


def _closed(told: dict[str, Any]) -> dict[str, Any]:
    """A position that is laid open as :mod:`sammu_env.position` reads it."""
    now = told.pop("now")
    turn = None if now == ASKED else _ask(told, now)
    for name, said in table("characters", told.get("characters", {})).items():
        row = told["characters"][name] = dict(table(f"characters.{name}", said))
        at = row.pop("at", PLAYED)
        if at in c.STATUS and at != PLAYED:
            row["status"] = at
        elif at != PLAYED:
            row |= {"status": PLAYED, "location": at}
        has = table(f"characters.{name}.technologies", row.get("technologies", {}))
        row["technologies"] = [kind for kind, n in has.items() for _ in range(_count(name, kind, n))]
        for key in ("player", "consulted"):
            if row.get(key) == NOBODYS:
                del row[key]
        if turn is not None and row.get("consulted", turn) != turn and not row.get("actions"):
            row.pop("actions", None)  # all of them, where that turn is still to come
    told["technologies"] = {
        at: kind for at, kind in table("technologies", told.get("technologies", {})).items() if kind
    }
    month = table("month_effects", told.get("month_effects", {}))
    told["month_effects"] = {
        key: [area for area, n in table(f"month_effects.{key}", value).items() if n] if key in MONTH_AREAS else value
        for key, value in month.items()
    }
    _close_cards(told)
    _close_events(told)
    return told


def _ask(told: dict[str, Any], now: Any) -> int | None:
    """Something else is asked than what is pending: a stage, or a turn, whose seat it returns, that begins."""
    for key in ("pending", "machine"):
        told.pop(key, None)
    players = range(int(told["players"]))
    turns = {f"{SEAT}{seat}": seat for seat in players}
    if now not in (MONTH_BEGINS, CONSULT, *turns):
        raise PositionError(f"now: no {now!r}; choose one of {', '.join((ASKED, MONTH_BEGINS, CONSULT, *turns))}")
    told["stage"] = c.STAGES[c.ST_SPREAD if now == MONTH_BEGINS else c.ST_ACTIONS]
    told["seat"] = turns.get(now, told.get("first_player", 0))
    told["revealed"] = now != MONTH_BEGINS and bool(told["row"].get(str(told["month"])))
    if now in turns:
        return turns[now]
    for row in told["characters"].values():
        row["consulted"] = NOBODYS
        for key in ("actions", "moves", "user", "granted", "leftover"):
            row.pop(key, None)
    if now == MONTH_BEGINS:
        told["month_effects"] = {}
        for row in told["characters"].values():
            for key in THIS_MONTH:
                row.pop(key, None)
    return None


def _count(who: str, kind: str, n: Any) -> int:
    if not isinstance(n, int) or not 0 <= n <= PLAIN[1]:
        raise PositionError(f"characters.{who}.technologies.{kind}: {n!r} is not a whole number 0 to {PLAIN[1]}")
    return n


def _close_cards(told: dict[str, Any]) -> None:
    lies, free = table("ashur", told.pop("ashur", {})), table("free_actions", told.pop("free_actions", {}))
    hidden = table("hidden", told.pop("hidden", {}))
    seats: list[dict[str, Any]] = [{"hand": [], "free_actions": n} for n in free.values()]
    spare = [card for card, at in lies.items() if at == DECK and card not in hidden]
    moved = [card for card in hidden if lies.get(card, DECK) != DECK]  # somebody else holds another one then
    held = [(spare.pop(0) if card in moved and spare else card, seat) for card, seat in hidden.items()]
    for card, at in [*((card, at) for card, at in lies.items() if at != DECK), *held]:
        if at == DISCARD:
            told.setdefault("ashur_discard", []).append(card)
        elif at in range(len(seats)):
            seats[at]["hand"].append(card)
        else:
            raise PositionError(f"ashur.{card}: no {at!r}; choose {DECK}, {DISCARD} or 0 to {len(seats) - 1}")
    told["seats"] = seats


def _close_events(told: dict[str, Any]) -> None:
    events, row = table("events", told.get("events", {})), table("row", told.pop("row", {}))
    religion = table("religion", told.pop("religion", {}))
    cards = [row.get(str(month + 1), UNKNOWN) or None for month in range(c.MAX_MONTHS)]
    known = [card for card in cards if card]
    for card in known:
        if known.count(card) > 1:
            raise PositionError(f"row: {card} lies there twice; the box holds one")
    month = told["month"]
    if not isinstance(month, int) or not 0 <= month <= c.MAX_MONTHS:
        raise PositionError(f"month: {month!r} is not a whole number 0 to {c.MAX_MONTHS}")
    revealed = bool(told.pop("revealed", False)) and month > 0 and cards[month - 1] is not None
    first = month - (0 if revealed else 1)
    shown, later = cards[: max(first, 0)], cards[max(first, 0) :]
    top = [card for card in later if card]
    if top != later[: len(top)]:
        raise PositionError(f"row: month {first + 1 + later.index(None)} is face down, so no later one is known")
    told["events"] = {
        **events, "row": shown, "seen": [*events.get("seen", []), *filter(None, shown)], "known_top": top,
        "religion": [int(religion.get(str(i + 1), 0)) for i in range(c.MAX_MONTHS)],
    }  # fmt: skip
    if revealed:
        told["events"]["current"] = cards[month - 1]
    if month > 1 and cards[month - 2]:
        told["events"].pop("previous_area", None)  # it is that event's, whatever it was before


def laid(components: Components, setup: Record) -> Record:
    """The state, shape (1,), as the setup card lays the table, when the first month's actions begin: tokens that may
    stand anywhere stand in capitals, and of what is drawn or chosen nothing is known.

    Raises:
        PositionError: the challenge is to be drawn: nobody knows what lies there.
    """
    if setup["challenge"][0] < 0:
        raise PositionError("challenge: it is to be drawn, but a table is laid for one: choose which")
    box, s, mask = components.box, np.zeros(1, STATE), np.zeros(actions.N_ACTIONS, np.int8)
    told = setup.copy()
    told["manual_chance"] = 1
    engine.reset(box, s, told, 0)
    while np.isin(s["op"][0, : s["sp"][0]], (steps.START_GAME, steps.SETUP_END)).any():
        if not engine.step(box, s):
            engine.legal(box, s, mask)
            engine.answer(box, s, min(np.flatnonzero(mask).tolist(), key=lambda action: not _capital(box[0], action)))
    position = dump(components, s)
    for row in position["characters"].values():
        row["player"] = NOBODYS
        row.pop("side", None)
    position |= {"now": CONSULT, "technologies": {}, "ashur": {}}
    return load(components, position)


def _capital(box: Any, action: int) -> bool:
    block, number = actions.block_of(action)
    return bool(block == "location" and box["is_capital"][number])
