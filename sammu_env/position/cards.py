"""The Ashur cards, the row of events, and what holds for the month."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env import state as st
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
    write_counts,
    write_named,
)
from tabletop.positions import PositionError, Said, index, listed, table

FREE_ACTIONS = Count("free_actions", "free_actions")
#: What holds for the whole map until the month ends, and in which areas.
MONTH = (
    *counts(("roads_closed", "market_road_closed", "markets_closed", "advisor_steps", "character_steps"), low=-99),
    Count("move_limit", "move_limit", low=-99, usual=-1), *counts(("queen_actions", "corruption"), low=-99),
)  # fmt: skip
MONTH_AREAS = ("road_closed", "token_ban", "double_steps")


def read_seats(box: Any, state: State, said: Said) -> None:
    """Hands and discard; the rest is the deck. Whose turn has begun has free actions left."""
    s = state[0]
    seats = listed("seats", said.get("seats", []))
    frames = [frame for frame in listed("pending", said.get("pending", [])) if isinstance(frame, Mapping)]
    leaving = [frame["args"][0] for frame in frames if frame.get("step") == "share_card"]
    if len(seats) > max(int(s["players"]), 1 + max(leaving, default=-1)):
        raise PositionError(f"seats: {len(seats)} seats, but {s['players']} players")
    keys = ("hand", "actions", "free_actions")
    held = [(st.HAND + i, name, f"seats[{i}].hand") for i, seat in enumerate(seats)
            for name in listed(f"seats[{i}].hand", table(f"seats[{i}]", seat, keys).get("hand", []))]  # fmt: skip
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
    for i in range(int(s["players"])):
        row = seats[i] if i < len(seats) else {}
        read_count(state, f"seats[{i}].free_actions", FREE_ACTIONS, row.get("free_actions", c.FREE_ACTIONS), i)
        for who in np.flatnonzero(s["consulted"] == i) if "actions" in row else ():
            if "actions" not in said.get("characters", {})[c.CHARACTERS[who]]:
                read_count(state, f"seats[{i}].actions", ACTIONS, row["actions"], int(who))


def write_seats(box: Any, s: Any) -> list[dict[str, Any]]:
    """The players, and who left as long as their cards are being shared out."""
    seats = max(int(s["players"]), 1 + int(np.flatnonzero(s["hand_n"]).max(initial=-1)))
    return [{"hand": _at(s, st.HAND + i), "free_actions": int(s["free_actions"][i])} for i in range(seats)]


def write_discard(box: Any, s: Any) -> list[str]:
    return _at(s, st.DISCARD)


def _at(s: Any, place: int) -> list[str]:
    return ids(c.ASHUR_FIRST, np.flatnonzero(s["ashur"] == place))


def _event(what: str, name: Any) -> int:
    return card(f"events.{what}", name, c.EVENT_FIRST, c.N_EVENTS)


def read_events(box: Any, state: State, said: Said) -> None:
    s = state[0]
    keys = ("current", "seen", "row", "known_top", "remaining", "left_out", "religion", "previous_area")
    row = table("events", said.get("events", {}), keys)
    seen = [_event("seen", name) for name in listed("events.seen", row.get("seen", []))]
    begun = s["challenge"] >= 0
    for event in range(c.N_EVENTS - 3 + int(s["oracles"]), c.N_EVENTS) if begun else ():
        s["event_at"][event] = st.LEFT_OUT
    for name in listed("events.left_out", row.get("left_out", [])):
        s["event_at"][_event("left_out", name)] = st.LEFT_OUT
    if begun and "left_out" not in row and box["setup_oracle"][s["challenge"]]:
        s["event_at"][c.ORACLE_EVENTS[0] :] = st.LEFT_OUT
    for event in seen:
        s["event_at"][event] = st.SEEN
    if "remaining" in row and "months" not in said:
        remaining = number("events.remaining", row["remaining"], 0, c.MAX_MONTHS)
        s["months"] = min(c.MAX_MONTHS, max(1, len(seen)) + remaining if seen else int(s["months"]))
    s["months"] = number("months", said.get("months", int(s["months"])), int(begun), c.MAX_MONTHS)
    s["month"] = number("month", said.get("month", 1), int(begun), int(s["months"]))
    for slot, name in enumerate(listed("events.row", row.get("row", []))):
        if slot >= s["months"]:
            raise PositionError(f"events.row: more than the {s['months']} months of this challenge")
        if name is not None:
            s["slot"][slot] = _event("row", name)
    if row.get("current") is not None:
        event = _event("current", row["current"])
        s["event"] = s["slot"][int(s["month"]) - 1] = event
        s["event_area"] = box["event_area"][event]
        s["event_at"][event] = st.SEEN
    first = _next_slot(s)
    for i, name in enumerate(listed("events.known_top", row.get("known_top", []))):
        event = _event("known_top", name)
        if first + i >= s["months"] or s["event_at"][event] != st.UNSEEN:
            raise PositionError(f"events.known_top: {name} has been seen already, or no card is left in the row")
        s["slot"][first + i] = event
        s["event_at"][event] = st.KNOWN
    for i, n in enumerate(listed("events.religion", row.get("religion", []))):
        slot = number("events.religion", i, 0, c.MAX_MONTHS - 1)
        s["slot_religion"][slot] = number("events.religion", n, 0, 99)
    if row.get("previous_area") is not None:
        s["previous_area"] = index("events.previous_area", row["previous_area"], c.AREAS)


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
        else:
            read_count(state, what, by_key[key], value)


def write_month(box: Any, s: Any) -> dict[str, Any]:
    row: dict[str, Any] = {**write_counts(s, MONTH)}
    for key in MONTH_AREAS:
        if s[key].any():
            row[key] = [c.AREAS[i] for i in np.flatnonzero(s[key])]
    if s["bribes"].any():
        row["bribes"] = write_named(c.GROUPS, s["bribes"])
    return row
