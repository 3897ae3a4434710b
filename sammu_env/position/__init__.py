"""Positions people can read and write: a dict (or JSON or TOML file) of component names to and from any state.

>>> state = load({"challenge": "SAM-185", "players": 3, "locations": {"Tushpa": {"enemy": 2}}})
>>> dump(run_stage(state, "enemy_attack"))["locations"]["Nineveh"]
{'enemy': 2}

Every key but ``challenge`` and ``players`` is optional. What a position does not say is in its pool, out of play or at
its usual start: Sammu-ramat stands at Kalhu. Counts are checked against the components.

Each module has what it reads beside what it writes: :mod:`board`, :mod:`people`, :mod:`cards`, :mod:`machine`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Mapping
from os import PathLike
from pathlib import Path
from typing import Any

from sammu_env import components, engine, steps
from sammu_env import constants as c
from sammu_env.components import Components, Edition
from sammu_env.position import board, cards, machine, people
from sammu_env.position.board import road_names
from sammu_env.position.values import State
from tabletop.positions import PositionError, Said, index, once, table

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

__all__ = ["KEYS", "PositionError", "State", "dump", "load", "play_on", "road_names", "run_stage"]

#: What reads the table, in an order in which each finds what it needs: ``read(box, state, said)``.
READ = (
    board.read_locations, board.read_areas, board.read_roads, board.read_technologies, board.read_queen,
    board.read_bag, people.read_characters, cards.read_seats, cards.read_events, cards.read_month,
)  # fmt: skip
#: What writes it, in the order of a dump.
WRITE: dict[str, Callable[[Any, Any], Any]] = {
    "locations": board.write_locations,
    "areas": board.write_areas,
    "roads": board.write_roads,
    "characters": people.write_characters,
    "queen": board.write_queen,
    "bag": board.write_bag,
    "technologies": board.write_technologies,
    "seats": cards.write_seats,
    "events": cards.write_events,
    "ashur_discard": cards.write_discard,
    "month_effects": cards.write_month,
}
KEYS = (
    "challenge", "players", "month", "months", "stage", "seat", "first_player", *WRITE, "pending", "machine",
    "campaign_record", *machine.OPTIONS,
)  # fmt: skip


def load(position: Mapping[str, Any] | str | PathLike[str], edition: Edition | Components = None) -> State:
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
    kit = components.load(edition)
    said = table("position", _read(position), KEYS)
    for key in ("challenge", "players"):
        if key not in said:
            raise PositionError(f"position: {key!r} is missing")
    state, box = _laid(kit, said), kit.box[0]
    if state["challenge"][0] < 0:
        _check_bare(kit, state, said)
    board.fill_pools(box, state)
    machine.read_machine(kit.box, state, said)
    return state


def dump(state: State, edition: Edition | Components = None) -> dict[str, Any]:
    """The position of any state, shape (1,), as names and numbers; ``load(dump(s))`` plays on as ``s`` does."""
    box, s = components.played_with(state, edition).box[0], state[0]
    found = machine.write_begin(box, s)
    found |= {key: write(box, s) for key, write in WRITE.items()}
    found |= {"pending": machine.write_pending(s), "machine": machine.write_machine(s)}
    found["campaign_record"] = machine.write_campaign(s)
    return {key: value for key, value in found.items() if key == "pending" or value not in ({}, [])}


def run_stage(state: State, stage: str, edition: Edition | Components = None) -> State:
    """Runs one stage alone on the state, in place, and returns it.

    It stops where somebody must choose (``state["to_act"]`` is a seat, or CHANCE when chance is manual): go on with
    ``engine.apply``. When the stage is over ``to_act`` is NOBODY.

    Args:
        stage: spread, event, enemy_attack, monthly_effect, draw, tax, actions, empire_board, queen, gates or outcome.

    Raises:
        PositionError: no such stage.
    """
    number = index("stage", stage, c.STAGES)
    state["sp"] = 0
    machine.push(state, steps.HALT)
    machine.push(state, steps.STAGE, number, 1)
    engine.resume(components.played_with(state, edition).box, state)
    return state


def play_on(state: State, edition: Edition | Components = None) -> State:
    """Runs the state on, in place, to its next decision, and returns it."""
    engine.resume(components.played_with(state, edition).box, state)
    return state


def _laid(kit: Components, said: Said) -> State:
    """The table that is said, but for what is pending."""
    state = machine.begin(kit.box, said)
    for read in READ:
        read(kit.box[0], state, said)
    return state


def _check_bare(kit: Components, state: State, said: Said) -> None:
    """Nothing lies on the table until the challenge is drawn."""
    bare = _laid(kit, {key: said[key] for key in ("challenge", "players", *machine.OPTIONS) if key in said})
    for key, write in WRITE.items():
        if write(kit.box[0], state[0]) != write(kit.box[0], bare[0]):
            raise machine.undrawn(f"{key} says what lies on the table")


def _read(position: Mapping[str, Any] | str | PathLike[str]) -> Mapping[str, Any]:
    if isinstance(position, Mapping):
        return position
    path = Path(position)
    try:
        text = path.read_text(encoding="utf-8-sig")
        data = tomllib.loads(text) if path.suffix == ".toml" else json.loads(text, object_pairs_hook=once)
    except (ValueError, RecursionError) as error:
        raise PositionError(f"{path}: not a position: {error}") from error
    if not isinstance(data, dict):
        raise PositionError(f"{path}: a position is a table of keys, found {type(data).__name__}")
    return data
