"""Positions people can read and write: a dict (or JSON or TOML file) of component names to and from any state.

>>> state = load({"challenge": "SAM-185", "players": 3, "locations": {"Tushpa": {"enemy": 2}}})
>>> dump(run_stage(state, "enemy_attack"))["locations"]["Nineveh"]
{'enemy': 2}

Every key but ``challenge`` and ``players`` is optional. What a position does not say is in its pool, out of play or at
its usual start: Sammu-ramat stands at Kalhu. Counts are checked against the components.
"""

from __future__ import annotations

import difflib
import json
import sys
from collections.abc import Iterable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sammu_env import components, engine, steps
from sammu_env import constants as c
from sammu_env import state as st
from sammu_env.components import Edition
from sammu_env.game import RANDOM
from sammu_env.state import SETUP, STATE
from tabletop.steps import DEPTH

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

State = NDArray[np.void]

LOCATION_KEYS = (
    "military", "diviner", "supply", "medicine", "enemy", "unrest", "plague", "diplomacy", "karu", "health",
)  # fmt: skip
AREA_KEYS = ("supply", "medicine", "gate", "karu", "health")
CHARACTER_KEYS = (
    "location", "status", "side", "player", "goods", "technologies", "consulted", "actions", "moves", "frozen",
    "fewer_actions", "used", "sun_used", "granted", "leftover", "user",
)  # fmt: skip
TURN_FIELDS = ("moves", "frozen", "fewer_actions", "used", "sun_used", "granted", "leftover")
SETUP_KEYS = ("campaign", "oracles", "start_goods", "advanced", "hidden_hands", "manual_chance")
MONTH_FIELDS = (
    "roads_closed", "market_road_closed", "markets_closed", "advisor_steps", "character_steps", "move_limit",
    "queen_actions", "corruption",
)  # fmt: skip
MONTH_AREA_FIELDS = ("road_closed", "token_ban", "double_steps")
MACHINE_FIELDS = (
    "active", "to_act", "result", "cause", "scored", "turn_done", "switched", "finished", "load", "load_character",
    "moving", "saved_supply", "saved_medicine", "plague_kept", "began", "received", "decisions", "reward", "trace",
    "rng",
)  # fmt: skip
CAMPAIGN_FIELDS = ("game", "next_challenge", "game_result", "score")
KEYS = (
    "challenge", "players", "month", "months", "stage", "seat", "first_player", "locations", "areas", "roads",
    "characters", "queen", "bag", "technologies", "seats", "events", "ashur_discard", "month_effects", "pending",
    "machine", "campaign_record", *SETUP_KEYS,
)  # fmt: skip


class PositionError(ValueError):
    """A position that cannot be: the message names what was wrong and what is allowed."""


def load(position: Mapping[str, Any] | str | PathLike[str], edition: Edition = None) -> State:
    """A state from a position.

    Args:
        position: the dict, or the path of a .json or .toml file.
        edition: that of the box that it is played with.

    Returns:
        A record array of shape (1,), dtype STATE. Where the position is in the middle of a turn, or of a pending
        decision, its options are listed; else it stands before its ``stage``: :func:`run_stage` or :func:`play_on`.

    Raises:
        PositionError: an unknown key or name, a number out of range, or more components than the box holds.
        OSError: the file cannot be read.
    """
    return _Reader(components.load(edition), _read(position)).state()


def dump(state: State, edition: Edition = None) -> dict[str, Any]:
    """The position of any state, shape (1,), as names and numbers; ``load(dump(s))`` plays on as ``s`` does."""
    return _Writer(components.played_with(state, edition).box[0], state[0]).position()


def run_stage(state: State, stage: str, edition: Edition = None) -> State:
    """Runs one stage alone on the state, in place, and returns it.

    It stops where somebody must choose (``state["to_act"]`` is a seat, or CHANCE when chance is manual): go on with
    ``engine.apply``. When the stage is over ``to_act`` is NOBODY.

    Args:
        stage: spread, event, enemy_attack, monthly_effect, draw, tax, actions, empire_board, queen, gates or outcome.

    Raises:
        PositionError: no such stage.
    """
    number = _index("stage", stage, c.STAGES)
    state["sp"] = 0
    _push(state, steps.HALT)
    _push(state, steps.STAGE, number, 1)
    engine.resume(components.played_with(state, edition).box, state)
    return state


def play_on(state: State, edition: Edition = None) -> State:
    """Runs the state on, in place, to its next decision, and returns it."""
    engine.resume(components.played_with(state, edition).box, state)
    return state


def _push(state: State, op: int, *arguments: int) -> None:
    at = int(state["sp"][0])
    state["op"][0, at] = op
    state["arg"][0, at] = 0
    state["arg"][0, at, : len(arguments)] = arguments
    state["sp"] = at + 1


def _read(position: Mapping[str, Any] | str | PathLike[str]) -> Mapping[str, Any]:
    if isinstance(position, Mapping):
        return position
    path = Path(position)
    try:
        text = path.read_text(encoding="utf-8-sig")
        data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text)
    except (ValueError, RecursionError) as error:
        raise PositionError(f"{path}: not a position: {error}") from error
    if not isinstance(data, dict):
        raise PositionError(f"{path}: a position is a table of keys, found {type(data).__name__}")
    return data


def _index(what: str, name: Any, choices: tuple[str, ...]) -> int:
    if isinstance(name, str):
        if name in choices:
            return choices.index(name)
        near = difflib.get_close_matches(name, choices, 1)
        hint = f" (did you mean {near[0]}?)" if near else ""
    else:
        hint = ""
    raise PositionError(f"{what}: no {name!r}{hint}; choose one of {', '.join(choices)}")


def _number(what: str, value: Any, low: int, high: int) -> int:
    if isinstance(value, bool):
        value = int(value)
    if not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise PositionError(f"{what}: {value!r} is not a whole number {low} to {high}")
    return int(value)


def _table(what: str, value: Any, keys: Iterable[str] | None = None) -> Mapping[str, Any]:
    if not isinstance(value, Mapping):
        raise PositionError(f"{what}: expected a table of names, found {value!r}")
    if keys is not None:
        for key in value:
            _index(f"{what}: key", key, tuple(keys))
    return value


def _card(what: str, name: Any, first: int, n: int) -> int:
    ids = tuple(f"SAM-{first + i:03d}" for i in range(n))
    if name in ids:
        return ids.index(name)
    raise PositionError(f"{what}: no {name!r}; choose one of {ids[0]} to {ids[-1]}")


def _listed(what: str, value: Any) -> list[Any]:
    if not isinstance(value, (list, tuple)):
        raise PositionError(f"{what}: expected a list, found {value!r}")
    return list(value)


class _Reader:
    """Fills one state from a position."""

    def __init__(self, box: components.Components, position: Mapping[str, Any]) -> None:
        self.box_array = box.box
        self.box = box.box[0]
        self.position = _table("position", position, KEYS)
        for key in ("challenge", "players"):
            if key not in position:
                raise PositionError(f"position: {key!r} is missing")
        self.array: State = np.zeros(1, STATE)
        self.s = self.array[0]

    def get(self, key: str, default: Any) -> Any:
        return self.position.get(key, default)

    def state(self) -> State:
        self.begin()
        self.locations()
        self.areas()
        self.roads()
        self.technologies()
        self.queen_and_bag()
        self.characters()
        self.cards()
        self.events()
        self.month_effects()
        self.campaign()
        self.count()
        self.machine()
        return self.array

    def begin(self) -> None:
        s = self.s
        setup = np.zeros(1, SETUP)
        players = _number("players", self.position["players"], 1, c.MAX_PLAYERS)
        setup["players"] = players
        for key in SETUP_KEYS:
            high = {"oracles": 3, "start_goods": 5}.get(key, 1)
            setup[key] = _number(key, self.get(key, plain(self.box, key)), 0, high)
        engine.empty(self.box_array, self.array, setup)
        if self.position["challenge"] == RANDOM:
            s["challenge"] = -1
        else:
            s["challenge"] = _card("challenge", self.position["challenge"], c.CHALLENGE_FIRST, c.N_CHALLENGES)
        s["months"] = self.box["months"][players]
        s["stage"] = _index("stage", self.get("stage", "spread"), c.STAGES)
        s["seat"] = _number("seat", self.get("seat", 0), 0, players - 1)
        s["first_player"] = _number("first_player", self.get("first_player", int(s["seat"])), 0, players - 1)
        if s["challenge"] < 0:
            return
        s["location"][c.SAMMU_RAMAT] = c.KALHU
        s["status"][c.SAMMU_RAMAT] = c.IN_PLAY
        if players == 1:
            s["side"][c.SAMMU_RAMAT], s["owner"][c.SAMMU_RAMAT] = c.SOLO, 0

    def locations(self) -> None:
        s = self.s
        for name, row in _table("locations", self.get("locations", {})).items():
            at = _index("locations", name, c.LOCATIONS)
            zone = int(self.box["zone"][at])
            what = f"locations.{name}"
            for key, value in _table(what, row, LOCATION_KEYS).items():
                marker = key in ("unrest", "plague")
                n = _number(f"{what}.{key}", value, 0, 1 if marker else 99)
                if key in ("supply", "medicine"):
                    if zone < len(c.AREAS):
                        raise PositionError(f"{what}.{key}: supply and medicine of a location in an area lie in the "
                                            f"area: areas.{c.AREAS[zone]}.{key}")  # fmt: skip
                    s["token"][c.KINDS.index(key), zone] = n
                elif key in c.KINDS:
                    s["token"][c.KINDS.index(key), at] = n
                else:
                    s[key][at] = n
            if s["unrest"][at] and s["plague"][at]:
                raise PositionError(f"{what}: unrest and plague never share a location")
            if s["enemy"][at] and (s["token"][c.MILITARY, at] or s["token"][c.DIVINER, at]):
                raise PositionError(f"{what}: enemies and empire tokens never share a location")

    def areas(self) -> None:
        s = self.s
        for name, row in _table("areas", self.get("areas", {})).items():
            area = _index("areas", name, c.AREAS)
            for key, value in _table(f"areas.{name}", row, AREA_KEYS).items():
                what = f"areas.{name}.{key}"
                if key in c.KINDS:
                    s["token"][c.KINDS.index(key), area] = _number(what, value, 0, 99)
                elif key == "gate":
                    s["gate"][area] = _number(what, value, 0, 1)
                else:
                    s[f"area_{key}"][area] = _number(what, value, 0, 99)

    def roads(self) -> None:
        names = road_names(self.box)
        for name, row in _table("roads", self.get("roads", {})).items():
            turned = "-".join(reversed(_split_road(name)))
            road = _index("roads", name if name in names or turned not in names else turned, names)
            for value in _table(f"roads.{name}", row, ("karu",)).values():
                self.s["road_karu"][road] = _number(f"roads.{name}.karu", value, 0, 99)

    def technologies(self) -> None:
        for name, technology in _table("technologies", self.get("technologies", {})).items():
            at = _index("technologies", name, c.LOCATIONS)
            self.s["technology"][at] = _index(f"technologies.{name}", technology, c.TECHNOLOGIES)

    def queen_and_bag(self) -> None:
        for key, value in _table("queen", self.get("queen", {}), ("assassination", "religion")).items():
            self.s[key] = _number(f"queen.{key}", value, 0, 99)
        for key, value in _table("bag", self.get("bag", {}), c.MARKERS).items():
            self.s["bag"][c.MARKERS.index(key)] = _number(f"bag.{key}", value, 0, 99)

    def characters(self) -> None:
        for name, row in _table("characters", self.get("characters", {})).items():
            self.character(_index("characters", name, c.CHARACTERS), f"characters.{name}", row)
        s = self.s
        for who, name in enumerate(c.CHARACTERS[: c.BAILEET]):
            at, owner = int(s["location"][who]), int(s["owner"][who])
            if at >= 0 and s["enemy"][at]:
                raise PositionError(
                    f"characters.{name}: characters never stand with enemies, who hold {c.LOCATIONS[at]}"
                )
            if owner >= 0 and (s["owner"] == owner).sum() > 1:
                raise PositionError(f"characters.{name}.player: {owner} has an advisor already; each player has one")

    def character(self, who: int, what: str, row: Any) -> None:
        s, players = self.s, int(self.s["players"])
        row = _table(what, row, CHARACTER_KEYS)
        if "location" in row:
            s["location"][who] = _index(f"{what}.location", row["location"], c.LOCATIONS)
        default = "in play" if "location" in row or who == c.SAMMU_RAMAT else "out"
        status = _index(f"{what}.status", row.get("status", default), c.STATUS)
        s["status"][who] = status
        if status != c.IN_PLAY:
            if "location" in row:
                raise PositionError(f"{what}: a character who is {c.STATUS[status]} has no location")
            s["location"][who] = -1
        elif s["location"][who] < 0:
            raise PositionError(f"{what}: a character in play needs a location")
        player = row.get("player", -1)
        if player is not None and player != -1:
            s["owner"][who] = _number(f"{what}.player", player, 0, players - 1)
        self.side(who, what, row)
        for good, n in _table(f"{what}.goods", row.get("goods", {}), c.GOODS).items():
            s["good"][who, c.GOODS.index(good)] = _number(f"{what}.goods.{good}", n, 0, 99)
        for technology in _listed(f"{what}.technologies", row.get("technologies", [])):
            s["has"][who, _index(f"{what}.technologies", technology, c.TECHNOLOGIES)] += 1
        consulted = row.get("consulted", False)
        if consulted is not False:
            seat = int(s["seat"]) if consulted is True else _number(f"{what}.consulted", consulted, 0, players - 1)
            s["consulted"][who] = seat
        if "actions" in row:
            s["actions"][who] = _number(f"{what}.actions", row["actions"], 0, 99)
        if "user" in row:
            s["user"][who] = _number(f"{what}.user", row["user"], 0, players - 1)
        for field in TURN_FIELDS:
            s[field][who] = _number(f"{what}.{field}", row.get(field, 0), 0, 99)

    def side(self, who: int, what: str, row: Mapping[str, Any]) -> None:
        s = self.s
        if who == c.BAILEET:
            s["side"][who] = ("A", "B").index(row["side"]) if row.get("side") in ("A", "B") else c.SIDE_B
            return
        usual = c.SIDES[int(s["side"][who])] if who == c.SAMMU_RAMAT else "public"
        if s["owner"][who] >= 0 and who != c.SAMMU_RAMAT:
            usual = "personal"
        s["side"][who] = _index(f"{what}.side", row.get("side", usual), c.SIDES)

    def cards(self) -> None:
        s = self.s
        seats = _listed("seats", self.get("seats", []))
        frames = [frame for frame in self.get("pending", []) if isinstance(frame, Mapping)]
        leaving = [frame["args"][0] for frame in frames if frame.get("step") == "share_card"]
        if len(seats) > max(int(s["players"]), 1 + max(leaving, default=-1)):
            raise PositionError(f"seats: {len(seats)} seats, but {s['players']} players")
        held = [(st.HAND + i, card, f"seats[{i}].hand") for i, seat in enumerate(seats)
                for card in _listed(f"seats[{i}].hand", _table(f"seats[{i}]", seat,
                ("hand", "actions", "free_actions")).get("hand", []))]  # fmt: skip
        discard = _listed("ashur_discard", self.get("ashur_discard", []))
        held += [(st.DISCARD, card, "ashur_discard") for card in discard]
        for place, name, what in held:
            card = _card(what, name, c.ASHUR_FIRST, c.N_ASHUR)
            if s["ashur"][card] != st.DECK:
                raise PositionError(f"{what}: {name} is already elsewhere; the box holds one")
            s["ashur"][card] = place
        for i in range(c.MAX_PLAYERS):
            s["hand_n"][i] = (s["ashur"] == st.HAND + i).sum()
        s["deck_n"] = (s["ashur"] == st.DECK).sum()
        s["discard_n"] = (s["ashur"] == st.DISCARD).sum()
        for i in range(int(s["players"])):
            row = seats[i] if i < len(seats) else {}
            s["free_actions"][i] = _number(f"seats[{i}].free_actions", row.get("free_actions", c.FREE_ACTIONS), 0, 99)
            for who in np.flatnonzero(s["consulted"] == i) if "actions" in row else ():
                if "actions" not in self.get("characters", {})[c.CHARACTERS[who]]:
                    s["actions"][who] = _number(f"seats[{i}].actions", row["actions"], 0, 99)

    def events(self) -> None:
        s = self.s
        keys = ("current", "seen", "row", "known_top", "remaining", "left_out", "religion", "previous_area")
        row = _table("events", self.get("events", {}), keys)
        seen = [_card("events.seen", e, c.EVENT_FIRST, c.N_EVENTS) for e in _listed("events.seen", row.get("seen", []))]
        begun = s["challenge"] >= 0
        for event in range(c.N_EVENTS - 3 + int(s["oracles"]), c.N_EVENTS) if begun else ():
            s["event_at"][event] = st.LEFT_OUT
        for event in _listed("events.left_out", row.get("left_out", [])):
            s["event_at"][_card("events.left_out", event, c.EVENT_FIRST, c.N_EVENTS)] = st.LEFT_OUT
        if begun and "left_out" not in row and self.box["setup_oracle"][s["challenge"]]:
            s["event_at"][c.ORACLE_EVENTS[0] :] = st.LEFT_OUT
        for event in seen:
            s["event_at"][event] = st.SEEN
        if "remaining" in row and "months" not in self.position:
            remaining = _number("events.remaining", row["remaining"], 0, c.MAX_MONTHS)
            s["months"] = min(c.MAX_MONTHS, max(1, len(seen)) + remaining if seen else int(s["months"]))
        s["months"] = _number("months", self.get("months", int(s["months"])), int(begun), c.MAX_MONTHS)
        s["month"] = _number("month", self.get("month", 1), int(begun), int(s["months"]))
        for slot, name in enumerate(_listed("events.row", row.get("row", []))):
            if slot >= s["months"]:
                raise PositionError(f"events.row: more than the {s['months']} months of this challenge")
            if name is not None:
                s["slot"][slot] = _card("events.row", name, c.EVENT_FIRST, c.N_EVENTS)
        if row.get("current") is not None:
            event = _card("events.current", row["current"], c.EVENT_FIRST, c.N_EVENTS)
            s["event"] = s["slot"][int(s["month"]) - 1] = event
            s["event_area"] = self.box["event_area"][event]
            s["event_at"][event] = st.SEEN
        first = int(s["month"]) - (0 if s["event"] >= 0 else 1)
        for i, name in enumerate(_listed("events.known_top", row.get("known_top", []))):
            event = _card("events.known_top", name, c.EVENT_FIRST, c.N_EVENTS)
            if first + i >= s["months"] or s["event_at"][event] != st.UNSEEN:
                raise PositionError(f"events.known_top: {name} has been seen already, or no card is left in the row")
            s["slot"][first + i] = event
            s["event_at"][event] = st.KNOWN
        for i, n in enumerate(_listed("events.religion", row.get("religion", []))):
            slot = _number("events.religion", i, 0, c.MAX_MONTHS - 1)
            s["slot_religion"][slot] = _number("events.religion", n, 0, 99)
        if row.get("previous_area") is not None:
            s["previous_area"] = _index("events.previous_area", row["previous_area"], c.AREAS)

    def month_effects(self) -> None:
        s = self.s
        keys = (*MONTH_FIELDS, *MONTH_AREA_FIELDS, "bribes")
        for key, value in _table("month_effects", self.get("month_effects", {}), keys).items():
            if key in MONTH_AREA_FIELDS:
                for name in _listed(f"month_effects.{key}", value):
                    s[key][_index(f"month_effects.{key}", name, c.AREAS)] = 1
            elif key == "bribes":
                for group, n in _table("month_effects.bribes", value, c.GROUPS).items():
                    s["bribes"][c.GROUPS.index(group)] = _number(f"month_effects.bribes.{group}", n, 0, 99)
            else:
                s[key] = _number(f"month_effects.{key}", value, -99, 99)

    def campaign(self) -> None:
        for key, value in _table("campaign_record", self.get("campaign_record", {}), CAMPAIGN_FIELDS).items():
            self.raw("campaign_record", key, value)

    def raw(self, what: str, key: str, value: Any) -> None:
        shape = self.s[key].shape
        array = np.asarray(value)
        if array.shape != shape or array.dtype.kind not in "iub":
            raise PositionError(f"{what}.{key}: expected whole numbers of shape {shape}, found {value!r}")
        self.s[key] = array

    def count(self) -> None:
        """Everything not placed is in its pool; more than the box holds is an error."""
        s, box = self.s, self.box
        for kind, name in enumerate(c.KINDS):
            s["board"][kind] = self.left(f"{name} tokens", int(s["token"][kind].sum()), int(box["token_total"][kind]))
        self.left("gates", int(s["gate"].sum()), int(box["gate_total"]))
        s["enemy_pool"] = self.left("enemies", int(s["enemy"].sum()), int(box["enemy_total"]))
        for good, name in enumerate(c.GOODS):
            s["good_pool"][good] = self.left(name, int(s["good"][:, good].sum()), int(box["good_total"][good]))
        for technology, name in enumerate(c.TECHNOLOGIES):
            out = int(s["has"][:, technology].sum() + (s["technology"] == technology).sum())
            total = int(box["technology_total"][technology])
            s["technology_pool"][technology] = self.left(f"{name} markers", out, total)
        out_of_pool = (
            0, int(s["assassination"]), int(s["unrest"].sum()), int(s["plague"].sum()), int(s["diplomacy"].sum()),
            int(s["religion"] + s["slot_religion"].sum()),
            int(s["karu"].sum() + s["area_karu"].sum() + s["road_karu"].sum()),
            int(s["health"].sum() + s["area_health"].sum()),
        )  # fmt: skip
        for marker, name in enumerate(c.MARKERS):
            out = out_of_pool[marker] + int(s["bag"][marker])
            s["marker_pool"][marker] = self.left(f"{name} markers", out, int(box["marker_total"][marker]))

    def left(self, what: str, used: int, total: int) -> int:
        if used > total:
            raise PositionError(f"position: {used} {what}, the box holds {total}")
        return total - used

    def machine(self) -> None:
        s = self.s
        row = _table("machine", self.get("machine", {}), MACHINE_FIELDS)
        if "rng" not in row:
            engine.reseed(self.array, 0)
        s["began"] = s["location"]
        for key, value in row.items():
            self.raw("machine", key, value)
        for at in s["began"]:
            _number("machine.began", int(at), -1, len(c.LOCATIONS) - 1)
        _number("machine.active", int(s["active"]), -1, c.BAILEET - 1)
        _push(self.array, steps.HALT)
        if "pending" in self.position:
            frames = _listed("pending", self.position["pending"])
            if len(frames) > DEPTH - 8:
                raise PositionError(f"pending: {len(frames)} steps, at most {DEPTH - 8} can wait")
            for frame in frames:
                frame = _table("pending", frame, ("step", "args"))
                op = _index("pending.step", frame.get("step"), steps.NAMES)
                args = _listed("pending.args", frame.get("args", []))
                step = steps.TABLE[op]
                if len(args) > len(step.arguments):
                    allowed = ", ".join(step.arguments) or "none"
                    raise PositionError(f"pending.args of {step.name}: found {len(args)}, expected at most: {allowed}")
                for (name, sort), x in zip(step.arguments.items(), args, strict=False):
                    _number(f"pending.args of {step.name}: {name}", x, -1, steps.MOST[sort])
                _push(self.array, op, *args)
        elif s["stage"] == c.ST_ACTIONS and (s["consulted"] >= 0).any():
            self.turn()
        else:
            _push(self.array, steps.STAGE, int(s["stage"]))
        if s["op"][int(s["sp"]) - 1] <= steps.LAST_PROMPT:
            engine.resume(self.box_array, self.array)
            for key in ("trace", "decisions", "reward"):
                if key in row:
                    self.raw("machine", key, row[key])

    def turn(self) -> None:
        """In the middle of the action phase: this seat's turn, then the others'."""
        s = self.s
        players, seat, first = int(s["players"]), int(s["seat"]), int(s["first_player"])
        _push(self.array, steps.STAGE, c.ST_EMPIRE_BOARD)
        _push(self.array, steps.END_ACTIONS)
        order = [(first + i) % players for i in range(players)]
        for later in reversed(order[order.index(seat) + 1 :]):
            _push(self.array, steps.BEGIN_TURN, later)
        for earlier in order[: order.index(seat)]:
            s["turn_done"][earlier] = 1
        there = [who for who in range(c.BAILEET) if s["status"][who] == c.IN_PLAY]
        mine = [who for who in there if s["consulted"][who] == seat]
        if not (s["consulted"] == seat).any():
            mine = [who for who in there if s["consulted"][who] >= 0 and s["owner"][who] < 0]
        for who in mine:
            s["user"][who] = seat
        s["active"] = next(who for who in (*mine, -1) if who < 0 or s["actions"][who] > 0)
        if s["active"] < 0 and mine:
            s["active"] = mine[0]
        _push(self.array, steps.END_TURN, seat)
        _push(self.array, steps.TURN, seat)


def plain(box: Any, key: str) -> int:
    """What a setup key is where nobody names it."""
    return int(box[key]) if key in ("oracles", "start_goods") else 0


def road_names(box: Any) -> tuple[str, ...]:
    """The roads as "Kalhu-Nineveh", in the box's order."""
    ends = box["road_end"][: int(box["roads"])]
    return tuple(f"{c.LOCATIONS[a]}-{c.LOCATIONS[b]}" for a, b in ends)


def _split_road(name: str) -> list[str]:
    """The two ends of a road's name; Men-nefer has a hyphen of its own."""
    return str(name).replace("Men-nefer", "Men~nefer").replace("-", "\n").replace("~", "-").split("\n")


class _Writer:
    """Reads one state into a position, leaving out what is empty."""

    def __init__(self, box: Any, s: Any) -> None:
        self.box, self.s = box, s

    def position(self) -> dict[str, Any]:
        s = self.s
        found = {
            "challenge": f"SAM-{c.CHALLENGE_FIRST + int(s['challenge'])}" if s["challenge"] >= 0 else RANDOM,
            "players": int(s["players"]),
            "month": int(s["month"]),
            "months": int(s["months"]),
            "stage": c.STAGES[int(s["stage"])],
            "seat": int(s["seat"]),
            "first_player": int(s["first_player"]),
            **{key: int(s[key]) for key in SETUP_KEYS if s[key] != plain(self.box, key)},
            "locations": self.locations(),
            "areas": self.areas(),
            "roads": {n: {"karu": int(k)} for n, k in zip(road_names(self.box), s["road_karu"], strict=False) if k},
            "characters": self.characters(),
            "queen": self.named(("assassination", "religion"), [s["assassination"], s["religion"]]),
            "bag": self.named(c.MARKERS, s["bag"]),
            "technologies": {
                c.LOCATIONS[i]: c.TECHNOLOGIES[t] for i, t in enumerate(s["technology"]) if t >= 0
            },
            "seats": [self.seat(i) for i in range(self.seats())],
            "events": self.events(),
            "ashur_discard": self.cards(st.DISCARD),
            "month_effects": self.month_effects(),
            "pending": [
                {"step": steps.NAMES[int(s["op"][i])], "args": self.arguments(i)} for i in range(1, int(s["sp"]))
            ],
            "machine": self.machine(),
        }  # fmt: skip
        if s["campaign"] or s["scored"] or s["game"]:
            found["campaign_record"] = {key: np.asarray(s[key]).tolist() for key in CAMPAIGN_FIELDS}
        always = ("challenge", "players", "month", "stage", "seat", "pending")
        return {key: value for key, value in found.items() if key in always or value not in ({}, [])}

    def seats(self) -> int:
        """The players, and who left as long as their cards are being shared out."""
        return max(int(self.s["players"]), 1 + int(np.flatnonzero(self.s["hand_n"]).max(initial=-1)))

    def machine(self) -> dict[str, Any]:
        usual = {"active": -1, "to_act": c.NOBODY}
        values = {key: np.asarray(self.s[key]) for key in MACHINE_FIELDS}
        if np.array_equal(values["began"], self.s["location"]):
            del values["began"]
        return {key: value.tolist() for key, value in values.items() if (value != usual.get(key, 0)).any()}

    def arguments(self, i: int) -> list[int]:
        row = [int(x) for x in self.s["arg"][i]]
        while row and row[-1] == 0:
            row.pop()
        return row

    @staticmethod
    def named(names: tuple[str, ...], values: Any) -> dict[str, int]:
        return {name: int(value) for name, value in zip(names, values, strict=False) if value}

    def locations(self) -> dict[str, dict[str, int]]:
        s, rows = self.s, {}
        for at, name in enumerate(c.LOCATIONS):
            zone = int(self.box["zone"][at])
            apart = zone >= len(c.AREAS)
            values = [
                s["token"][c.MILITARY, at], s["token"][c.DIVINER, at],
                s["token"][c.SUPPLY, zone] if apart else 0, s["token"][c.MEDICINE, zone] if apart else 0,
                *(s[key][at] for key in LOCATION_KEYS[4:]),
            ]  # fmt: skip
            if row := self.named(LOCATION_KEYS, values):
                rows[name] = row
        return rows

    def areas(self) -> dict[str, dict[str, Any]]:
        s, rows = self.s, {}
        for area, name in enumerate(c.AREAS):
            row: dict[str, Any] = self.named(("supply", "medicine"), s["token"][c.SUPPLY :, area])
            if s["gate"][area]:
                row["gate"] = True
            row |= self.named(("karu", "health"), [s["area_karu"][area], s["area_health"][area]])
            if row:
                rows[name] = row
        return rows

    def characters(self) -> dict[str, dict[str, Any]]:
        rows = {}
        for who, name in enumerate(c.CHARACTERS):
            row = self.character(who)
            if row != {"status": "out"}:
                rows[name] = row
        return rows

    def character(self, who: int) -> dict[str, Any]:
        s = self.s
        row: dict[str, Any] = {}
        if s["location"][who] >= 0:
            row["location"] = c.LOCATIONS[int(s["location"][who])]
        row["status"] = c.STATUS[int(s["status"][who])]
        if s["status"][who] != c.OUT or s["side"][who] != c.PUBLIC:
            row["side"] = "AB"[int(s["side"][who])] if who == c.BAILEET else c.SIDES[int(s["side"][who])]
        if s["owner"][who] >= 0:
            row["player"] = int(s["owner"][who])
        if goods := self.named(c.GOODS, s["good"][who]):
            row["goods"] = goods
        has = [name for t, name in enumerate(c.TECHNOLOGIES) for _ in range(int(s["has"][who, t]))]
        if has:
            row["technologies"] = has
        if s["consulted"][who] >= 0:
            row["consulted"] = int(s["consulted"][who])
        if s["user"][who] >= 0:
            row["user"] = int(s["user"][who])
        return row | self.named(("actions", *TURN_FIELDS), [s["actions"][who], *(s[f][who] for f in TURN_FIELDS)])

    def cards(self, place: int) -> list[str]:
        return [f"SAM-{c.ASHUR_FIRST + i:03d}" for i in np.flatnonzero(self.s["ashur"] == place)]

    def seat(self, i: int) -> dict[str, Any]:
        return {"hand": self.cards(st.HAND + i), "free_actions": int(self.s["free_actions"][i])}

    def events(self) -> dict[str, Any]:
        s = self.s

        def ids(events: Any) -> list[str]:
            return [f"SAM-{c.EVENT_FIRST + int(e):03d}" for e in events]

        row: dict[str, Any] = {}
        if s["event"] >= 0:
            row["current"] = ids([s["event"]])[0]
        first = int(s["month"]) - (0 if s["event"] >= 0 else 1)
        row["seen"] = ids(np.flatnonzero(s["event_at"] == st.SEEN))
        if (s["slot"][:first] >= 0).any():
            row["row"] = [ids([e])[0] if e >= 0 else None for e in s["slot"][:first]]
        row["known_top"] = ids(e for e in s["slot"][first : int(s["months"])] if e >= 0)
        row["remaining"] = int(s["months"]) - first
        row["left_out"] = ids(np.flatnonzero(s["event_at"] == st.LEFT_OUT))
        if s["slot_religion"].any():
            row["religion"] = [int(n) for n in s["slot_religion"]]
        if s["previous_area"] >= 0:
            row["previous_area"] = c.AREAS[int(s["previous_area"])]
        return row

    def month_effects(self) -> dict[str, Any]:
        s = self.s
        row: dict[str, Any] = {key: int(s[key]) for key in MONTH_FIELDS if s[key] != (-1 if key == "move_limit" else 0)}
        for key in MONTH_AREA_FIELDS:
            if s[key].any():
                row[key] = [c.AREAS[i] for i in np.flatnonzero(s[key])]
        if s["bribes"].any():
            row["bribes"] = self.named(c.GROUPS, s["bribes"])
        return row
