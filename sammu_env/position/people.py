"""The characters: where they stand, whose they are, what they have and what they have done this month."""

from __future__ import annotations

from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env.position.values import (
    Count,
    State,
    counts,
    number,
    read_count,
    read_named,
    room,
    write_counts,
    write_named,
)
from sammu_env.rules.consult import SOLO_DISCS
from tabletop.positions import PositionError, Said, index, listed, table

#: What is 0 where nothing is said; ``actions`` may be said of the seat too.
TURN = (
    *counts(("moves",), high=room("moves", 3)), *counts(("fewer_actions",), high=room("fewer_actions")),
    *counts(("sun_used",), high=room("sun_used")), *counts(("leftover",), high=room("actions", 3)),
    *counts(("frozen", "used", "granted"), high=1),
)  # fmt: skip
ACTIONS = Count("actions", "actions", high=room("actions", 3))
KEYS = (
    "location", "status", "side", "player", "goods", "technologies", "consulted", "actions",
    *(count.key for count in TURN), "user",
)  # fmt: skip
BAILEETS = ("A", "B")  #: the sides of her card
#: What Baileet has none of, by key, and who is not in play: a disc stays, and who is away keeps the goods (p. 24).
#: Goods of who is dead are let through, as a game that is put right may still say them.
PLAYED = {"goods": "good", "technologies": "has", "player": "owner", "consulted": "consulted", "actions": "actions"}
LACKING = {c.OUT: tuple(PLAYED), c.AWAY: ("actions",), c.DEAD: ("actions",)}


def read_characters(box: Any, state: State, said: Said) -> None:
    s = state[0]
    for name, row in table("characters", said.get("characters", {})).items():
        _read(box, state, index("characters", name, c.CHARACTERS), f"characters.{name}", row)
    for who, name in enumerate(c.CHARACTERS[: c.BAILEET]):
        at, own = int(s["location"][who]), np.flatnonzero(s["owner"] == s["owner"][who])
        if at >= 0 and s["enemy"][at]:
            raise PositionError(f"characters.{name}: characters never stand with enemies, who hold {c.LOCATIONS[at]}")
        if s["owner"][who] >= 0 and own[0] < who:
            raise PositionError(f"characters.{name}.player: seat {s['owner'][who]} has {c.CHARACTERS[own[0]]} already; "
                                "each player has one of their own")  # fmt: skip
        _check_disc(s, who, f"characters.{name}.consulted")


def write_characters(box: Any, s: Any) -> dict[str, Any]:
    rows = {name: _write(s, who) for who, name in enumerate(c.CHARACTERS)}
    return {name: row for name, row in rows.items() if row != {"status": "out"}}


def _check_disc(s: Any, who: int, what: str) -> None:
    """A1, S1: who may have laid it, how many, and when."""
    seat, owner = int(s["consulted"][who]), int(s["owner"][who])
    if seat < 0:
        return
    if owner not in (-1, seat):
        raise PositionError(f"{what}: found seat {seat}, but seat {owner} alone consults an advisor of its own")
    discs = 1 if s["players"] > 1 else SOLO_DISCS
    if (n := (s["consulted"] == seat).sum()) > discs:
        raise PositionError(f"{what}: seat {seat} consults {n} characters, at most {discs} with {s['players']} players")
    if s["stage"] < c.ST_ACTIONS:
        raise PositionError(f"{what}: discs lie from the actions to the end of the month, but the stage is "
                            f"{c.STAGES[int(s['stage'])]}")  # fmt: skip


def _read(box: Any, state: State, who: int, what: str, row: Any) -> None:
    s = state[0]
    last = int(s["players"]) - 1
    row = table(what, row, KEYS)
    if "location" in row:
        s["location"][who] = index(f"{what}.location", row["location"], c.LOCATIONS)
    default = "in play" if "location" in row or who == c.SAMMU_RAMAT else "out"
    status = index(f"{what}.status", row.get("status", default), c.STATUS)
    s["status"][who] = status
    if status != c.IN_PLAY:
        if "location" in row:
            raise PositionError(f"{what}: a character who is {c.STATUS[status]} has no location")
        s["location"][who] = -1
    elif s["location"][who] < 0:
        raise PositionError(f"{what}: a character in play needs a location")
    player = row.get("player", -1)
    if player is not None and player != -1:
        s["owner"][who] = number(f"{what}.player", player, 0, last)
        if who == c.SAMMU_RAMAT and last:
            raise PositionError(f"{what}.player: she is the own character of who plays alone, here play {last + 1}")
    _read_side(box, s, who, what, row)
    read_named(f"{what}.goods", row.get("goods", {}), c.GOODS, s["good"][who])
    for technology in listed(f"{what}.technologies", row.get("technologies", [])):
        s["has"][who, index(f"{what}.technologies", technology, c.TECHNOLOGIES)] += 1
    consulted = row.get("consulted", False)
    if consulted is not False:
        seat = int(s["seat"]) if consulted is True else number(f"{what}.consulted", consulted, 0, last)
        s["consulted"][who] = seat
    if "actions" in row:
        read_count(state, f"{what}.actions", ACTIONS, row["actions"], who)
    if "user" in row:
        s["user"][who] = number(f"{what}.user", row["user"], 0, last)
    for count in TURN:
        read_count(state, f"{what}.{count.key}", count, row.get(count.key, 0), who)
    _check_lacking(s, who, what, row)


def _check_lacking(s: Any, who: int, what: str, row: Said) -> None:
    status = int(s["status"][who])
    keys = PLAYED if who == c.BAILEET else LACKING.get(status, ())
    why = "Baileet, whom nobody plays," if who == c.BAILEET else f"a character who is {c.STATUS[status]}"
    for key in keys:
        if key in row and np.max(s[PLAYED[key]][who]) > (-1 if key in ("player", "consulted") else 0):
            raise PositionError(f"{what}.{key}: {why} has none, found {row[key]!r}")


def _read_side(box: Any, s: Any, who: int, what: str, row: Said) -> None:
    """Whose character it is says which side is up; of Baileet, the challenge where nothing else is said (O1)."""
    if who == c.BAILEET:
        of_challenge = s["challenge"] >= 0 and box["setup_oracle"][s["challenge"]]
        usual = BAILEETS[c.SIDE_A if of_challenge else c.SIDE_B]
        s["side"][who] = index(f"{what}.side", row.get("side", usual), BAILEETS)
        return
    own = "solo" if who == c.SAMMU_RAMAT else "personal"
    up = own if s["owner"][who] >= 0 else "public"
    if (side := ("public", own)[index(f"{what}.side", row.get("side", up), ("public", own))]) != up:
        whose = f"seat {s['owner'][who]}'s own" if s["owner"][who] >= 0 else "nobody's own"
        raise PositionError(f"{what}.side: found {side!r}, but the character is {whose}: choose {up}")
    s["side"][who] = c.SIDES.index(side)


def _write(s: Any, who: int) -> dict[str, Any]:
    row: dict[str, Any] = {}
    if s["location"][who] >= 0:
        row["location"] = c.LOCATIONS[int(s["location"][who])]
    row["status"] = c.STATUS[int(s["status"][who])]
    if s["status"][who] != c.OUT or s["side"][who] != c.PUBLIC:
        row["side"] = (BAILEETS if who == c.BAILEET else c.SIDES)[int(s["side"][who])]
    if s["owner"][who] >= 0:
        row["player"] = int(s["owner"][who])
    if goods := write_named(c.GOODS, s["good"][who]):
        row["goods"] = goods
    if has := [name for t, name in enumerate(c.TECHNOLOGIES) for _ in range(int(s["has"][who, t]))]:
        row["technologies"] = has
    for key in ("consulted", "user"):
        if s[key][who] >= 0:
            row[key] = int(s[key][who])
    return row | write_counts(s, (ACTIONS, *TURN), who)
