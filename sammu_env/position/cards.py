"""The Ashur cards, the row of events, and what holds for the month."""

from __future__ import annotations

from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env import steps
from sammu_env.components.checks import ROOM_IN_MONTH
from sammu_env.position.machine import pending
from sammu_env.position.people import ACTIONS
from sammu_env.position.values import (
    Count,
    State,
    card,
    counts,
    ids,
    number,
    read_count,
    read_named,
    room,
    write_counts,
    write_named,
)
from tabletop.positions import PositionError, Said, index, listed, table

SEAT = ("hand", "actions", "free_actions")
FREE_ACTIONS = Count("free_actions", "free_actions", high=c.FREE_ACTIONS)
EVENTS = ("current", "seen", "row", "known_top", "remaining", "left_out", "religion", "previous_area")
#: No event is twice in a key, nor in both of two keys; one that has been turned up may be in "seen" or not.
APART = (*((key, key) for key in ("seen", "row", "left_out", "known_top")),
         *((key, other) for key in ("left_out", "known_top") for other in ("seen", "row", "current")),
         ("known_top", "left_out"))  # fmt: skip
#: What holds for the whole map until the month ends, and in which areas.
MONTH = (
    *counts(("roads_closed", "market_road_closed", "markets_closed"), high=1),
    *counts(("advisor_steps", "character_steps"), high=room("month_conditions")),
    Count("corruption", "corruption", high=room("month_conditions", 5)),
    Count("move_limit", "move_limit", high=room("month_conditions"), low=-1, usual=-1),
    Count("queen_actions", "queen_actions", high=2 * ROOM_IN_MONTH["queen_actions"], low=c.NO_ACTIONS),
)  # fmt: skip
MOST_BRIBES = room("month_conditions", 2)  #: of all groups together
MONTH_AREAS = ("road_closed", "token_ban", "double_steps")


def read_seats(box: Any, state: State, said: Said) -> None:
    """Hands and discard; the rest is the deck. Whose turn has begun has free actions left."""
    s = state[0]
    players, seats = int(s["players"]), listed("seats", said.get("seats", []))
    leaving = [args[0] for op, args in pending(box, state, said) if op == steps.SHARE_CARD]
    if len(seats) > max(players, 1 + max(leaving, default=-1)):
        raise PositionError(f"seats: {len(seats)} seats, but {players} players")
    seats = [table(f"seats[{i}]", seat, SEAT) for i, seat in enumerate(seats)]
    _read_hands(s, seats, said)
    for i in range(max(players, len(seats))):
        row = seats[i] if i < len(seats) else {}
        usual = c.FREE_ACTIONS if i < players and s["challenge"] >= 0 else 0
        read_count(state, f"seats[{i}].free_actions", FREE_ACTIONS, row.get("free_actions", usual), i)
        if "actions" in row:
            _read_actions(state, i, row["actions"], said)


def _read_hands(s: Any, seats: list[Said], said: Said) -> None:
    held = [(st.HAND + i, name, f"seats[{i}].hand") for i, seat in enumerate(seats)
            for name in listed(f"seats[{i}].hand", seat.get("hand", []))]  # fmt: skip
    held += [(st.DISCARD, name, "ashur_discard") for name in listed("ashur_discard", said.get("ashur_discard", []))]
    for place, name, what in held:
        one = card(what, name, c.ASHUR_FIRST, c.N_ASHUR)
        if s["ashur"][one] != st.DECK:
            raise PositionError(f"{what}: {name} is already elsewhere; the box holds one")
        s["ashur"][one] = place
    for i in range(c.MAX_PLAYERS):
        s["hand_n"][i] = (s["ashur"] == st.HAND + i).sum()
    s["deck_n"] = (s["ashur"] == st.DECK).sum()
    s["discard_n"] = (s["ashur"] == st.DISCARD).sum()


def _read_actions(state: State, seat: int, n: Any, said: Said) -> None:
    """Of those whom a seat has consulted, where they do not say it themselves."""
    s, what = state[0], f"seats[{seat}].actions"
    consulted = np.flatnonzero((s["consulted"] == seat) & (s["status"] == c.IN_PLAY))
    if number(what, n, ACTIONS.low, ACTIONS.high) and not len(consulted):
        raise PositionError(f"{what}: found {n}, but seat {seat} has consulted nobody who is in play")
    for who in consulted:
        if "actions" not in said["characters"][c.CHARACTERS[who]]:
            read_count(state, what, ACTIONS, n, int(who))


def write_seats(box: Any, s: Any) -> list[dict[str, Any]]:
    """The players, and who left as long as their cards are being shared out."""
    seats = max(int(s["players"]), 1 + int(np.flatnonzero(s["hand_n"]).max(initial=-1)))
    return [{"hand": _at(s, st.HAND + i), "free_actions": int(s["free_actions"][i])} for i in range(seats)]


def write_discard(box: Any, s: Any) -> list[str]:
    return _at(s, st.DISCARD)


def _at(s: Any, place: int) -> list[str]:
    return ids(c.ASHUR_FIRST, np.flatnonzero(s["ashur"] == place))


def read_events(box: Any, state: State, said: Said) -> None:
    s = state[0]
    row = table("events", said.get("events", {}), EVENTS)
    told = _told(row)
    _read_months(s, said, row)
    begun = s["challenge"] >= 0
    for event in range(c.N_EVENTS - 3 + int(s["oracles"]), c.N_EVENTS) if begun else ():
        s["event_at"][event] = st.LEFT_OUT
    for event in told["left_out"]:
        s["event_at"][event] = st.LEFT_OUT
    if begun and "left_out" not in row and box["setup_oracle"][s["challenge"]]:
        s["event_at"][c.ORACLE_EVENTS[0] :] = st.LEFT_OUT
    _turn_up(box, s, told, row)
    first = _next_slot(s)
    for i, event in enumerate(told["known_top"]):
        if first + i >= s["months"] or s["event_at"][event] != st.UNSEEN:
            raise PositionError(f"events.known_top: {_name(event)} is not in this game, or no card is left in the row")
        s["slot"][first + i] = event
        s["event_at"][event] = st.KNOWN
    for slot, n in enumerate(listed("events.religion", row.get("religion", []), c.MAX_MONTHS)):
        s["slot_religion"][slot] = number("events.religion", n, 0, 99)
        if n and not first <= slot < s["months"]:
            raise PositionError(f"events.religion: found {n} for month {slot + 1}, but it lies on events to "
                                f"come, of months {first + 1} to {s['months']}")  # fmt: skip


def _told(row: Said) -> dict[str, list[int]]:
    """The events that each key names, each once; -1 for a month of the row of which nothing is known."""
    named = {key: listed(f"events.{key}", row.get(key, [])) for key in ("seen", "row", "left_out", "known_top")}
    named["current"] = [] if row.get("current") is None else [row["current"]]
    told = {key: [-1 if key == "row" and name is None else card(f"events.{key}", name, c.EVENT_FIRST, c.N_EVENTS)
                  for name in names] for key, names in named.items()}  # fmt: skip
    for key, other in APART:
        for i, event in enumerate(told[key]):
            if event >= 0 and event in (told[key][:i] if key == other else told[other]):
                raise PositionError(f"events.{key}: {_name(event)} is in events.{other} already; the box holds one")
    return told


def _name(event: int) -> str:
    return c.card_id(c.EVENT_FIRST + event)


def _read_months(s: Any, said: Said, row: Said) -> None:
    """Which month it is, and of how many: the cards that remain in the row are those of months without an event yet."""
    low, most = (1, c.MAX_MONTHS) if s["challenge"] >= 0 else (0, 0)
    month, months = said.get("month", low), said.get("months", int(s["months"]))
    ahead = int(row.get("current") is None)
    if "remaining" in row and "months" not in said:
        turned = number("month", month, low, most) - ahead
        months = turned + number("events.remaining", row["remaining"], 0, most - turned)
    s["months"] = number("months", months, low, most)
    s["month"] = number("month", month, low, months)
    left = months - month + ahead
    if number("events.remaining", row.get("remaining", left), 0, c.MAX_MONTHS) != left:
        raise PositionError(f"events.remaining: {row['remaining']}, but of {months} months {left} have no event yet")


def _turn_up(box: Any, s: Any, told: dict[str, list[int]], row: Said) -> None:
    """The row up to now, this month's event if it has been turned up, and others that have been seen."""
    current, before = told["current"], max(0, int(s["month"]) - 1)
    shown, later = told["row"][:before], [event for event in told["row"][before:] if event >= 0]
    if later not in ([], current) or set(current) & set(shown):
        raise PositionError(f"events.row: expected the events of {before} earlier months, then events.current or none, "
                            f"found {[event if event < 0 else _name(event) for event in told['row']]}")  # fmt: skip
    s["slot"][: len(shown)] = shown
    for event in current:
        s["event"] = s["slot"][before] = event
        s["event_area"] = box["event_area"][event]
    for event in (*told["seen"], *shown, *current):
        if event >= 0:
            s["event_at"][event] = st.SEEN
    _read_previous(box, s, shown[-1] if before and len(shown) == before else -1, row)


def _read_previous(box: Any, s: Any, last: int, row: Said) -> None:
    """C2: last month's event says which area it was of; nobody need say it."""
    if row.get("previous_area") is not None:
        s["previous_area"] = index("events.previous_area", row["previous_area"], c.AREAS)
    if last < 0:
        return
    area = int(box["event_area"][last])
    if s["previous_area"] not in (-1, area):
        raise PositionError(f"events.previous_area: found {row['previous_area']!r}, but {_name(last)}, last month's "
                            f"event, is of {c.AREAS[area]}")  # fmt: skip
    s["previous_area"] = area


def write_events(box: Any, s: Any) -> dict[str, Any]:
    def told(events: Any) -> list[str]:
        return ids(c.EVENT_FIRST, events)

    row: dict[str, Any] = {}
    if s["event"] >= 0:
        row["current"] = told([s["event"]])[0]
    first = _next_slot(s)
    row["seen"] = told(np.flatnonzero(s["event_at"] == st.SEEN))
    if (s["slot"][:first] >= 0).any():
        row["row"] = [told([event])[0] if event >= 0 else None for event in s["slot"][:first]]
    row["known_top"] = told(event for event in s["slot"][first : int(s["months"])] if event >= 0)
    row["remaining"] = int(s["months"]) - first
    row["left_out"] = told(np.flatnonzero(s["event_at"] == st.LEFT_OUT))
    if s["slot_religion"].any():
        row["religion"] = [int(n) for n in s["slot_religion"]]
    if s["previous_area"] >= 0:
        row["previous_area"] = c.AREAS[int(s["previous_area"])]
    return row


def _next_slot(s: Any) -> int:
    """The first card of the row that has not been turned up."""
    return int(s["month"]) - (0 if s["event"] >= 0 else 1)


def read_month(box: Any, state: State, said: Said) -> None:
    s = state[0]
    by_key = {count.key: count for count in MONTH}
    for key, value in table("month_effects", said.get("month_effects", {}), (*by_key, *MONTH_AREAS, "bribes")).items():
        what = f"month_effects.{key}"
        if key in MONTH_AREAS:
            for name in listed(what, value):
                s[key][index(what, name, c.AREAS)] = 1
        elif key == "bribes":
            read_named(what, value, c.GROUPS, s["bribes"])
            if (n := s["bribes"].sum()) > MOST_BRIBES:
                raise PositionError(f"{what}: {n} in all, at most {MOST_BRIBES}")
        else:
            none = key == "queen_actions" and value == "none"
            read_count(state, what, by_key[key], c.NO_ACTIONS if none else value)


def write_month(box: Any, s: Any) -> dict[str, Any]:
    row: dict[str, Any] = {**write_counts(s, MONTH)}
    for key in MONTH_AREAS:
        if s[key].any():
            row[key] = [c.AREAS[i] for i in np.flatnonzero(s[key])]
    if s["bribes"].any():
        row["bribes"] = write_named(c.GROUPS, s["bribes"])
    return row
