"""How a game was set up, the campaign so far, and which steps wait."""

from __future__ import annotations

from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env import engine, steps
from sammu_env.position.values import State, card, flag, ids, number, read_raw
from sammu_env.state import SETUP, STATE
from tabletop.positions import PositionError, Said, index, listed, table
from tabletop.steps import DEPTH

#: The most that each key of the setup may be; of 1, it may be true or false too.
OPTIONS = {"campaign": 1, "oracles": 3, "start_goods": 5, "advanced": 1, "hidden_hands": 1, "manual_chance": 1}
#: What is written as the state has it.
CAMPAIGN = ("game", "next_challenge", "game_result", "score")
MACHINE = (
    "active", "to_act", "result", "cause", "scored", "turn_done", "switched", "finished", "load", "load_character",
    "moving", "saved_supply", "saved_medicine", "plague_kept", "began", "received", "decisions", "reward", "trace",
    "rng",
)  # fmt: skip
USUAL = {"active": -1, "to_act": c.NOBODY}  #: the others are 0


def begin(boxes: Any, said: Said) -> State:
    """An empty table, set up but for the cards and pieces."""
    state: State = np.zeros(1, STATE)
    s, box = state[0], boxes[0]
    setup = np.zeros(1, SETUP)
    players = number("players", said["players"], 1, c.MAX_PLAYERS)
    setup["players"] = players
    for key, most in OPTIONS.items():
        told = said.get(key, _usual(box, key))
        setup[key] = flag(key, told) if most == 1 else number(key, told, 0, most)
    engine.empty(boxes, state, setup)
    if said["challenge"] == c.RANDOM:
        s["challenge"] = -1
    else:
        s["challenge"] = card("challenge", said["challenge"], c.CHALLENGE_FIRST, c.N_CHALLENGES)
    s["months"] = box["months"][players]
    s["stage"] = index("stage", said.get("stage", "spread"), c.STAGES)
    s["seat"] = number("seat", said.get("seat", 0), 0, players - 1)
    s["first_player"] = number("first_player", said.get("first_player", int(s["seat"])), 0, players - 1)
    if s["challenge"] >= 0:
        s["location"][c.SAMMU_RAMAT] = c.KALHU
        s["status"][c.SAMMU_RAMAT] = c.IN_PLAY
        if players == 1:
            s["side"][c.SAMMU_RAMAT], s["owner"][c.SAMMU_RAMAT] = c.SOLO, 0
    return state


def write_begin(box: Any, s: Any) -> dict[str, Any]:
    return {
        "challenge": ids(c.CHALLENGE_FIRST, [s["challenge"]])[0] if s["challenge"] >= 0 else c.RANDOM,
        **{key: int(s[key]) for key in ("players", "month", "months")},
        "stage": c.STAGES[int(s["stage"])],
        **{key: int(s[key]) for key in ("seat", "first_player")},
        **{key: int(s[key]) for key in OPTIONS if s[key] != _usual(box, key)},
    }


def _usual(box: Any, key: str) -> int:
    """What a setup key is where nobody names it."""
    return int(box[key]) if key in ("oracles", "start_goods") else 0


def read_campaign(state: State, said: Said) -> None:
    for key, value in table("campaign_record", said.get("campaign_record", {}), CAMPAIGN).items():
        read_raw(state, "campaign_record", key, value)


def write_campaign(s: Any) -> dict[str, Any]:
    there = s["campaign"] or s["scored"] or s["game"]
    return {key: np.asarray(s[key]).tolist() for key in CAMPAIGN} if there else {}


def read_machine(boxes: Any, state: State, said: Said) -> None:
    """What waits; where a choice or a draw is asked for, its options too."""
    s = state[0]
    row = table("machine", said.get("machine", {}), MACHINE)
    if "rng" not in row:
        engine.reseed(state, 0)
    s["began"] = s["location"]
    for key, value in row.items():
        read_raw(state, "machine", key, value)
    for at in s["began"]:
        number("machine.began", int(at), -1, len(c.LOCATIONS) - 1)
    number("machine.active", int(s["active"]), -1, c.BAILEET - 1)
    push(state, steps.HALT)
    if "pending" in said:
        _read_pending(state, said["pending"])
    elif s["stage"] == c.ST_ACTIONS and (s["consulted"] >= 0).any():
        _push_turns(state)
    else:
        push(state, steps.STAGE, int(s["stage"]))
    if s["op"][int(s["sp"]) - 1] <= steps.LAST_PROMPT:
        engine.resume(boxes, state)
        for key in ("trace", "decisions", "reward"):
            if key in row:
                read_raw(state, "machine", key, row[key])


def write_machine(s: Any) -> dict[str, Any]:
    values = {key: np.asarray(s[key]) for key in MACHINE}
    if np.array_equal(values["began"], s["location"]):
        del values["began"]
    return {key: value.tolist() for key, value in values.items() if (value != USUAL.get(key, 0)).any()}


def push(state: State, op: int, *arguments: int) -> None:
    """Puts a step on top."""
    at = int(state["sp"][0])
    state["op"][0, at] = op
    state["arg"][0, at] = 0
    state["arg"][0, at, : len(arguments)] = arguments
    state["sp"] = at + 1


def _read_pending(state: State, said: Any) -> None:
    frames = listed("pending", said)
    if len(frames) > DEPTH - 8:
        raise PositionError(f"pending: {len(frames)} steps, at most {DEPTH - 8} can wait")
    for frame in frames:
        frame = table("pending", frame, ("step", "args"))
        op = index("pending.step", frame.get("step"), steps.NAMES)
        args = listed("pending.args", frame.get("args", []))
        step = steps.TABLE[op]
        if len(args) > len(step.arguments):
            allowed = ", ".join(step.arguments) or "none"
            raise PositionError(f"pending.args of {step.name}: found {len(args)}, expected at most: {allowed}")
        for (name, sort), x in zip(step.arguments.items(), args, strict=False):
            number(f"pending.args of {step.name}: {name}", x, -1, steps.MOST[sort])
        push(state, op, *args)


def write_pending(s: Any) -> list[dict[str, Any]]:
    frames = []
    for i in range(1, int(s["sp"])):
        args = [int(x) for x in s["arg"][i]]
        while args and args[-1] == 0:
            args.pop()
        frames.append({"step": steps.NAMES[int(s["op"][i])], "args": args})
    return frames


def _push_turns(state: State) -> None:
    """In the middle of the action phase: this seat's turn, then the others'."""
    s = state[0]
    players, seat, first = int(s["players"]), int(s["seat"]), int(s["first_player"])
    push(state, steps.STAGE, c.ST_EMPIRE_BOARD)
    push(state, steps.END_ACTIONS)
    order = [(first + i) % players for i in range(players)]
    for later in reversed(order[order.index(seat) + 1 :]):
        push(state, steps.BEGIN_TURN, later)
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
    push(state, steps.END_TURN, seat)
    push(state, steps.TURN, seat)
