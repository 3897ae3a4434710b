"""How a game was set up, the campaign so far, and which steps wait."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env import engine, steps
from sammu_env import state as st
from sammu_env.position.values import State, card, flag, ids, number, read_raw
from sammu_env.state import BOUNDS, SETUP, STATE
from tabletop.positions import PositionError, Said, index, listed, table
from tabletop.prompts import HALT, Step
from tabletop.steps import DEPTH

#: The least and the most that each key of the setup may be; of 0 and 1, it may be true or false too.
OPTIONS = {"campaign": (0, 1), "oracles": (0, 3), "start_goods": (c.START_GOODS[0], c.START_GOODS[-1]),
           "advanced": (0, 1), "hidden_hands": (0, 1), "manual_chance": (0, 1)}  # fmt: skip
#: What is written as the state has it.
CAMPAIGN = ("game", "next_challenge", "game_result", "score")
MACHINE = (
    "active", "to_act", "result", "cause", "scored", "turn_done", "switched", "finished", "load", "load_character",
    "moving", "saved_supply", "saved_medicine", "plague_kept", "began", "received", "decisions", "reward", "trace",
    "rng",
)  # fmt: skip
USUAL = {"active": -1, "to_act": c.NOBODY}  #: the others are 0
#: The least and the most of each; the others count pieces.
RANGES: dict[str, tuple[float, float]] = {
    "active": (-1, c.BAILEET - 1), "to_act": (c.NOBODY, c.MAX_PLAYERS - 1), "result": (0, len(c.RESULTS) - 1),
    "cause": (0, len(c.CAUSES) - 1), "began": (-1, len(c.LOCATIONS) - 1), "decisions": (0, math.inf),
    "next_challenge": (-1, c.N_CHALLENGES - 1), "game": (0, 4), "game_result": (0, len(c.RESULTS) - 1),
    "score": (-9999, 9999), **dict.fromkeys(("switched", "finished"), (0, 2 ** len(c.CHARACTERS) - 1)),
    **dict.fromkeys(("reward", "trace", "rng"), (-math.inf, math.inf)),
    **dict.fromkeys(("scored", "turn_done", "load_character", "saved_supply", "saved_medicine", "plague_kept"), (0, 1)),
}  # fmt: skip
PLAIN = (0, 99)
UNDRAWN = {"month": 0, "months": 0, "stage": "spread"}  #: until the challenge is drawn
#: The arguments of steps that may be -1: none, or any.
NONE = {("draw_challenge", "letter"), ("draw_marker", "area"), ("effects", "area"), ("enemy_place", "displaced_from"),
        ("gain_technology", "seat"), ("pay_each", "area"), ("remove_token", "zone")}  # fmt: skip
#: Steps that need a character in an area: for goods, a barter takes its supply.
OF_AREA = ("barter", "barter_as", "convert_from")
STEPS = tuple(name for name in steps.NAMES if name != HALT)


def begin(boxes: Any, said: Said) -> State:
    """An empty table, set up but for the cards and pieces."""
    state: State = np.zeros(1, STATE)
    s, box = state[0], boxes[0]
    setup = np.zeros(1, SETUP)
    players = number("players", said["players"], 1, c.MAX_PLAYERS)
    setup["players"] = players
    for key, (least, most) in OPTIONS.items():
        told = said.get(key, _usual(box, key))
        setup[key] = flag(key, told) if most == 1 else number(key, told, least, most)
    engine.empty(boxes, state, setup)
    if said["challenge"] == c.RANDOM:
        if begun := [key for key, usual in UNDRAWN.items() if said.get(key, usual) != usual]:
            raise undrawn(f"{begun[0]} is {said[begun[0]]!r}")
    else:
        s["challenge"] = card("challenge", said["challenge"], c.CHALLENGE_FIRST, c.N_CHALLENGES)
    _read_campaign(box, state, said)
    if s["challenge"] >= 0:
        fewer = c.FEWER_MONTHS[int(s["game"])] if s["advanced"] and players <= c.ADVANCED_PLAYERS else 0
        s["months"] = max(1, int(box["months"][players]) - fewer)
    s["stage"] = index("stage", said.get("stage", "spread"), c.STAGES)
    s["seat"] = number("seat", said.get("seat", 0), 0, players - 1)
    s["first_player"] = number("first_player", said.get("first_player", int(s["seat"])), 0, players - 1)
    if s["challenge"] >= 0:
        s["location"][c.SAMMU_RAMAT] = c.KALHU
        s["status"][c.SAMMU_RAMAT] = c.IN_PLAY
        if players == 1:
            s["side"][c.SAMMU_RAMAT], s["owner"][c.SAMMU_RAMAT] = c.SOLO, 0
    return state


def undrawn(but: str) -> PositionError:
    """What is said where a challenge cannot be one that is still to be drawn."""
    known = f"{c.CHALLENGES[0]} to {c.CHALLENGES[-1]}"
    return PositionError(f"challenge: {c.RANDOM!r} is drawn before all else, but {but}; choose one of {known}")


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


def _read_campaign(box: Any, state: State, said: Said) -> None:
    """K1: a campaign plays a challenge of each letter, A to E."""
    s, what = state[0], "campaign_record"
    row = dict(table(what, said.get(what, {}), CAMPAIGN))
    if isinstance(row.get("next_challenge"), str):
        row["next_challenge"] = card(f"{what}.next_challenge", row["next_challenge"], c.CHALLENGE_FIRST, c.N_CHALLENGES)
    now = int(box["challenge_letter"][s["challenge"]]) if s["challenge"] >= 0 else 0
    if s["campaign"]:
        row.setdefault("game", now)
    _read_block(state, what, row)
    if not s["campaign"]:
        return
    if s["game"] != now:
        raise PositionError(f"{what}.game: found {s['game']}, but a challenge {c.LETTERS[now]} is game {now} of a "
                            "campaign, which counts from 0")  # fmt: skip
    following = int(s["next_challenge"])
    if following >= 0 and box["challenge_letter"][following] != now + 1:
        wanted = ", ".join(c.CHALLENGES[i] for i in np.flatnonzero(box["challenge_letter"] == now + 1)) or "none (-1)"
        raise PositionError(f"{what}.next_challenge: {c.CHALLENGES[following]} does not follow a challenge "
                            f"{c.LETTERS[now]}; choose one of {wanted}")  # fmt: skip


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
    _read_block(state, "machine", row)
    if s["result"] == c.RUNNING:
        _check_running(s)
    push(state, steps.HALT)
    if "pending" in said:
        for op, args in pending(boxes[0], state, said):
            _check_area(boxes[0], s, op, args)
            _check_advisor(s, op, args)
            push(state, op, *args)
        if s["challenge"] < 0 and steps.DRAW_CHALLENGE not in s["op"][: s["sp"]]:
            raise undrawn("draw_challenge is not pending")
    elif s["challenge"] < 0:
        push(state, steps.START_GAME)
        push(state, steps.DRAW_CHALLENGE, 0 if s["campaign"] else -1)
    elif s["stage"] == c.ST_ACTIONS and (s["consulted"] >= 0).any():
        _push_turns(boxes, state, said)
    else:
        push(state, steps.STAGE, int(s["stage"]))
    if s["op"][int(s["sp"]) - 1] <= steps.LAST_PROMPT:
        _check_asked(s)
        engine.resume(boxes, state)
        for key, (low, high) in BOUNDS.items():
            if (s[key] < low).any() or (s[key] > high).any():
                raise PositionError(f"pending: what waits cannot be asked here: it leaves {key} out of {low} to {high}")
        _read_block(state, "machine", {key: row[key] for key in ("trace", "decisions", "reward") if key in row})


def _check_running(s: Any) -> None:
    """What cannot be while a challenge is played."""
    queen = int(s["status"][c.SAMMU_RAMAT])
    if s["challenge"] >= 0 and queen != c.IN_PLAY:
        raise PositionError(f"characters.{c.CHARACTERS[c.SAMMU_RAMAT]}: she is {c.STATUS[queen]}, but as long as the "
                            "game goes on she is in play")  # fmt: skip
    if s["advanced"] and s["game"] == 0 and s["players"] > c.ADVANCED_PLAYERS:
        raise PositionError(f"advanced: it is for 1 to {c.ADVANCED_PLAYERS} players, here play {s['players']}")


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


def _read_block(state: State, what: str, row: Said) -> None:
    for key, value in row.items():
        read_raw(state, what, key, value, *RANGES.get(key, PLAIN))


def pending(box: Any, state: State, said: Said) -> list[tuple[int, list[int]]]:
    """The steps that wait, with all their arguments; those that are not said are 0."""
    frames = listed("pending", said.get("pending", []))
    if len(frames) > DEPTH - 8:
        raise PositionError(f"pending: {len(frames)} steps, at most {DEPTH - 8} can wait")
    return [_step(box, int(state[0]["players"]), table("pending", frame, ("step", "args"))) for frame in frames]


def _step(box: Any, players: int, frame: Said) -> tuple[int, list[int]]:
    op = steps.NAMES.index(STEPS[index("pending.step", frame.get("step"), STEPS)])
    step, args = steps.TABLE[op], listed("pending.args", frame.get("args", []))
    if len(args) > len(step.arguments):
        allowed = ", ".join(step.arguments) or "none"
        raise PositionError(f"pending.args of {step.name}: found {len(args)}, expected at most: {allowed}")
    args += [0] * (len(step.arguments) - len(args))
    for name, x in zip(step.arguments, args, strict=True):
        number(f"pending.args of {step.name}: {name}", x, *_range(box, step, name, players, args))
    return op, args


def _range(box: Any, step: Step, name: str, players: int, args: list[int]) -> tuple[int, int]:
    """The least and the most that an argument may be; those before it have been looked at."""
    sort = step.arguments[name]
    low, most = -1 if (step.name, name) in NONE else 0, steps.MOST[sort]
    if step.name == "share_card":  # of a player who left
        return players, most
    if step.name == "effects" and name in ("event", "row"):
        rows = (box["event_banner"], box["event_text"], box["monthly"][:, 0])[args[0]]
        return low, rows.shape[1] if name == "row" else len(rows) - 1
    return low, {"seat": players - 1, "character": c.BAILEET - 1}.get(sort, most)


def _check_area(box: Any, s: Any, op: int, args: list[int]) -> None:
    """Tokens of an area are had by whoever stands in one, not at Sardes or Damascus."""
    step = steps.TABLE[op]
    if step.name not in OF_AREA or ("for_supply" in step.arguments and args[-1]):
        return
    who = args[steps.CHARACTER[op]]
    where = int(s["location"][who])
    if where < 0 or box["zone"][where] >= len(c.AREAS):
        at = "nowhere" if where < 0 else f"at {c.LOCATIONS[where]}"
        raise PositionError(f"pending.args of {step.name}: {c.CHARACTERS[who]} is {at}, where no area's tokens lie")


def _check_advisor(s: Any, op: int, args: list[int]) -> None:
    """U8: who is still to choose an advisor has none, also where another is asked before."""
    if op == steps.CHOOSE_ADVISOR and len(own := np.flatnonzero(s["owner"] == args[0])):
        raise PositionError(f"characters.{c.CHARACTERS[own[0]]}.player: seat {args[0]} is yet to be asked who its "
                            "advisor is: answer that instead")  # fmt: skip


def _check_asked(s: Any) -> None:
    """Who and which cards a question is about."""
    op, args = int(s["op"][s["sp"] - 1]), s["arg"][s["sp"] - 1]
    what, at = f"pending.args of {steps.NAMES[op]}", steps.CHARACTER[op]
    if at >= 0 and s["status"][args[at]] != c.IN_PLAY:
        raise PositionError(f"{what}: {c.CHARACTERS[args[at]]} is {c.STATUS[s['status'][args[at]]]}, not in play")
    for at in steps.CARDS[op]:
        if s["ashur"][args[at]] != st.HAND + args[0]:
            raise PositionError(f"{what}: {ids(c.ASHUR_FIRST, [args[at]])[0]} is not in the hand of seat {args[0]}")


def write_pending(s: Any) -> list[dict[str, Any]]:
    frames = []
    for i in range(1, int(s["sp"])):
        args = [int(x) for x in s["arg"][i]]
        while args and args[-1] == 0:
            args.pop()
        frames.append({"step": steps.NAMES[int(s["op"][i])], "args": args})
    return frames


def _push_turns(boxes: Any, state: State, said: Said) -> None:
    """In the middle of the action phase: this seat's turn, then the others'.

    Whose turn is to come and who has laid no disc is asked whom to consult before it: only with too few characters does
    a seat go without (A2).
    """
    s = state[0]
    players, seat, first = int(s["players"]), int(s["seat"]), int(s["first_player"])
    order = [(first + i) % players for i in range(players)]
    over, later = order[: order.index(seat)], order[order.index(seat) + 1 :]
    s["turn_done"][over] = 1
    there = [who for who in range(c.BAILEET) if s["status"][who] == c.IN_PLAY]
    without = [other for other in (seat, *later) if not (s["consulted"] == other).any()]
    asked = seat in without and any(s["consulted"][who] < 0 and s["owner"][who] in (-1, seat) for who in there)
    mine = [who for who in there if s["consulted"][who] == seat]
    if seat in without and not asked:
        mine = [who for who in there if s["consulted"][who] >= 0 and s["owner"][who] < 0]
    _give_actions(boxes, state, said, there)
    for who in there:
        if s["consulted"][who] in over and who not in mine:  # as a turn ends: what is left waits for who goes without
            s["leftover"][who] += s["actions"][who] if without and s["owner"][who] < 0 else 0
            s["actions"][who] = 0
    push(state, steps.STAGE, c.ST_EMPIRE_BOARD)
    push(state, steps.END_ACTIONS)
    for other in reversed([seat, *later] if asked else later):
        push(state, steps.BEGIN_TURN, other)
        if other in without:
            push(state, steps.CONSULT, other)
    if asked:
        return
    for who in mine:
        s["user"][who] = seat
    s["active"] = next((who for who in mine if s["actions"][who] > 0), mine[0] if mine else -1)
    push(state, steps.END_TURN, seat)
    push(state, steps.TURN, seat)


def _give_actions(boxes: Any, state: State, said: Said, there: list[int]) -> None:
    """U12: those who are consulted have all their actions where nothing else is said and their turn is not over."""
    s, seats, characters = state[0], said.get("seats", []), said["characters"]
    for who in there:
        seat = int(s["consulted"][who])
        told = [characters.get(c.CHARACTERS[who], {}), seats[seat] if 0 <= seat < len(seats) else {}]
        if seat >= 0 and not s["turn_done"][seat] and not any("actions" in row for row in told):
            s["actions"][who] = engine.actions_a_month(boxes, state, who)
