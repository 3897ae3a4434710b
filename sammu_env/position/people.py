"""The characters: where they stand, whose they are, what they have and what they have done this month."""

from __future__ import annotations

from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env.position.values import Count, State, counts, number, read_count, read_named, write_counts, write_named
from tabletop.positions import PositionError, Said, index, listed, table

#: What is 0 where nothing is said; ``actions`` may be said of the seat too.
TURN = (*counts(("moves", "fewer_actions", "sun_used", "leftover")), *counts(("frozen", "used", "granted"), high=1))
ACTIONS = Count("actions", "actions")
KEYS = (
    "location", "status", "side", "player", "goods", "technologies", "consulted", "actions",
    *(count.key for count in TURN), "user",
)  # fmt: skip
BAILEETS = ("A", "B")  #: the sides of her card
#: What Baileet has none of, by key, and who is not in play: a disc stays, and who is away keeps the goods (p. 24).
#: Goods of who is dead are let through, as a game that is put right may still say them.
PLAYED = {"goods": "good", "technologies": "has", "player": "owner", "consulted": "consulted", "actions": "actions"}
LACKING = {c.OUT: ("goods", "technologies", "consulted", "actions"), c.AWAY: ("actions",), c.DEAD: ("actions",)}


def read_characters(box: Any, state: State, said: Said) -> None:
    s = state[0]
    for name, row in table("characters", said.get("characters", {})).items():
        _read(state, index("characters", name, c.CHARACTERS), f"characters.{name}", row)
    for who, name in enumerate(c.CHARACTERS[: c.BAILEET]):
        at, owner = int(s["location"][who]), int(s["owner"][who])
        if at >= 0 and s["enemy"][at]:
            raise PositionError(f"characters.{name}: characters never stand with enemies, who hold {c.LOCATIONS[at]}")
        if owner >= 0 and (s["owner"] == owner).sum() > 1:
            raise PositionError(f"characters.{name}.player: {owner} has an advisor already; each player has one")


def write_characters(box: Any, s: Any) -> dict[str, Any]:
    rows = {name: _write(s, who) for who, name in enumerate(c.CHARACTERS)}
    return {name: row for name, row in rows.items() if row != {"status": "out"}}


def _read(state: State, who: int, what: str, row: Any) -> None:
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
    _read_side(s, who, what, row)
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
        if np.max(s[PLAYED[key]][who]) > (-1 if key in ("player", "consulted") else 0):
            raise PositionError(f"{what}.{key}: {why} has none, found {row[key]!r}")


def _read_side(s: Any, who: int, what: str, row: Said) -> None:
    if who == c.BAILEET:
        s["side"][who] = index(f"{what}.side", row.get("side", BAILEETS[c.SIDE_B]), BAILEETS)
        return
    usual = c.SIDES[int(s["side"][who])] if who == c.SAMMU_RAMAT else "public"
    if s["owner"][who] >= 0 and who != c.SAMMU_RAMAT:
        usual = "personal"
    sides = ("public", "solo" if who == c.SAMMU_RAMAT else "personal")
    s["side"][who] = c.SIDES.index(sides[index(f"{what}.side", row.get("side", usual), sides)])


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
