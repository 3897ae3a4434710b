"""Positions that people read and write (:mod:`tabletop.positions`).

Every key but ``players`` and the satrap of each seat is optional. Cards that are named nowhere lie in the deck; unknown
cards of hands and discards are dealt from it. Where nothing is pending, ``phase`` and ``seat`` say whose turn it is:
the seats before it in the turn order have had theirs.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

import numpy as np

from tabletop.game import Record
from tabletop.positions import (
    Cards,
    Each,
    Flag,
    Group,
    Lying,
    Name,
    Number,
    One,
    Plan,
    PositionError,
    Raw,
    Reading,
    Row,
    Seat,
    Seats,
    Sort,
    Steps,
    frames,
    index,
    number,
    push,
)
from xerxes_env import box as boxes_of
from xerxes_env import constants as c
from xerxes_env import engine, steps
from xerxes_env.knowledge import TRIES, again
from xerxes_env.state import STATE

#: Where a worker may stand, by name.
PLACES = (*c.AREAS, "turn order")
#: The phases of a round in which seats have turns one after the other, with their pass, and the steps between them.
SCHEDULE: tuple[tuple[str, int, int], ...] = (
    ("turns", c.PLACEMENT, 0), ("turns", c.PLACEMENT, 1), ("draw_event", 0, 0), ("turns", c.EVENT, 0),
    ("turns", c.MARCH, 0), ("turns", c.RESOURCE, 0), ("end_resources", 0, 0), ("turns", c.BUILDING, 0),
    ("turns", c.BUILDING, 1), ("turns", c.TAX, 0), ("turn_order", 0, 0), ("end_round", 0, 0),
)  # fmt: skip
#: The phase in which a step comes that has no schedule of its own.
IN_PHASE = {
    **dict.fromkeys(("place", "push_to"), c.PLACEMENT), "ignore": c.EVENT, "tax": c.TAX,
    **dict.fromkeys(("march", "marched", "source"), c.MARCH), **dict.fromkeys(("build", "built"), c.BUILDING),
}  # fmt: skip
#: The steps that each may lie on.
ON = {
    "end_round": "halt", "turn_order": "end_round", "turns": "turn_order turns end_resources draw_event",
    "end_resources": "turns", "draw_event": "turns",
    "round": "halt", "begin": "halt", "deal_march": "begin", "deal_tax": "deal_march",
    "draw_place": "deal_tax draw_place", "draw_satrap": "draw_place draw_satrap",
    "discard_tax": "deal_march discard_tax", "check_deal": "discard_tax", "draw_tax": "check_deal draw_tax",
    "discard_march": "begin discard_march", "draw_march": "discard_march draw_march",
    **dict.fromkeys(("place", "push_to", "ignore", "march", "build", "tax"), "turns"),
    "gain": "turns", "lose": "gain turns", "marched": "march", "source": "marched", "hurt": "march turns",
    "built": "turns", "taxed": "tax", "pay": "built taxed", "replace": "pay", "replace_by": "replace",
    "steal_from": "build tax", "steal": "build tax",
    "rearrange": "end_round rearrange", "next_place": "end_round rearrange",
}  # fmt: skip
ROUND_TO_COME = ("begin", "round")  #: steps after which a round begins
MOST_STEPS = 13  #: those of the first worker of a round
UNSAID = -1
AS_ASKED = "as asked"  #: ``now`` of a position: what is asked stays; else a phase with the seat whose turn begins
DEALT = {"tax": c.TAX_DEALT, "march": c.MARCH_DEALT}  #: how many cards of a kind each seat is dealt
#: Where cards of a seat are: the end of the key, and what the seat's number is added to in a state.
PILES = {"hand": ("", c.HAND), "played": ("_played", c.PLAYED), "out": ("_out", c.OUT)}


@cache
def names() -> dict[str, tuple[str, ...]]:
    """Of events, march and tax cards; no edition changes them."""
    content = boxes_of.load().content
    return {"event": tuple(content.event), "march": tuple(content.march), "tax": tuple(content.tax)}


@cache
def plan() -> Plan:
    """How a state is told."""
    cards = (Lying(f"{kind}{key}", kind, names()[kind], at, pile != "played")
             for kind in ("tax", "march") for pile, (key, at) in PILES.items())  # fmt: skip
    seat = (
        One("satrap", "satrap", Name(c.SATRAPS), usual=c.NONE), One("vp", "vp", Number(0, 999)),
        One("power", "power", Flag(), usual=1, empty=0), One("standing", "standing", Flag(), usual=1, empty=0),
        One("ignores_event", "ignores", Flag()), Each("resources", "resource", c.RESOURCES, Number(0, 9)),
        Each("gained", "gained", c.RESOURCES, Number(0, 9)), *cards,
    )  # fmt: skip
    march = (
        Each("units", "at_hand", c.UNITS, Number()), One("any_unit", "joker", Number()),
        One("may_use", "units_left", Number()), Each("owed", "owed_unit", c.UNITS, Number()),
        Each("of_tax_cards", "tax_unit", c.UNITS, Number()),
    )  # fmt: skip
    parts = (
        One("round", "round", Number(1, c.ROUNDS), usual=UNSAID), One("phase", "phase", Name(c.PHASES), usual=UNSAID),
        One("second", "second", Flag()), Row("order", "order"), Row("new_order", "new_order"),
        One("event", "event", Name(names()["event"]), usual=c.NONE),
        Cards("events_seen", "event_seen", names()["event"]),
        Each("workers", "worker", PLACES, Seat(), usual=c.NONE),
        Each("buildings", "owner", c.BUILDINGS, Seat(), usual=c.NONE), Seats(c.MAX_PLAYERS, seat),
        Each("owed", "owed", c.RESOURCES, Number()), Group("march", march),
    )  # fmt: skip
    machine = (Raw("decisions"), Raw("trace"), Raw("redeals"), Raw("cause", 0, len(c.CAUSES) - 1),
               Raw("rank", 0, c.MAX_PLAYERS), Raw("paid", -1, 1))  # fmt: skip
    sorts: dict[str, Sort] = {
        "phase": Name(c.PHASES), "second": Number(0, 1), "place": Number(0, c.MAX_PLAYERS), "area": Name(PLACES),
        "resource": Name(c.RESOURCES), "building": Name(c.BUILDINGS), "tax": Name(names()["tax"]),
        "march": Name(names()["march"]), "n": Number(0, 9),
    }  # fmt: skip
    pending = Steps(steps.TABLE, sorts, ON, MOST_STEPS)
    return Plan(STATE, range(1, c.MAX_PLAYERS + 1), parts, pending, machine, ("seat",))


def dump(s: Record) -> dict[str, Any]:
    """The position of a state, shape (1,): ``load(dump(s))`` plays on as ``s`` does, but for what is drawn."""
    return plan().dump(s)


def load(boxes: Record, position: Mapping[str, Any], seed: int = 0) -> Record:
    """The state, shape (1,), of a position, at its next decision or draw.

    Args:
        boxes: all boxes of the game.
        seed: of the generator, and of the cards that nobody knows.

    Raises:
        PositionError: a key, a name, a number, a step or a count cannot be; the message says what is allowed.
    """
    reading, said = plan().read(_turned(position), len(boxes))
    one, rng = reading.one, np.random.default_rng(seed)
    box = boxes[int(one["box"])]
    pending = {name for name, _ in frames(reading.s, steps.TABLE)}
    _check_satraps(box, reading, "draw_satrap" in pending)
    _set_round(reading, said, "draw_place" in pending)
    if "pending" not in said:
        _push_schedule(reading, said)
    _set_gained(reading)
    _check_steps(reading)
    _check_pieces(box, reading)
    _check_to_come(reading)
    _check_cards(reading)
    _deal(box, reading, rng)
    reading.s["rng"] = rng.integers(1, 2**32, (1, 4))
    engine.resume(boxes, reading.s)
    return reading.s


def turns(players: int) -> dict[str, tuple[int, int, int]]:
    """What ``now`` may be besides :data:`AS_ASKED`: phase, pass and seat by name, such as "march 0"."""
    return {f"{c.PHASES[phase]}{' again' * second} {seat}": (phase, second, seat)
            for name, phase, second in SCHEDULE if name == "turns" for seat in range(players)}  # fmt: skip


def _turned(position: Any) -> Any:
    """A position in which ``now`` says whose turn begins, as one that says nothing else of what is asked."""
    if not isinstance(position, Mapping) or "now" not in position:
        return position
    said = {key: value for key, value in position.items() if key != "now"}
    if position["now"] != AS_ASKED:
        may = turns(number("players", said.get("players"), 1, c.MAX_PLAYERS))
        index("now", position["now"], (AS_ASKED, *may))
        phase, second, seat = may[position["now"]]
        for key in ("pending", "march", "owed", "new_order"):
            said.pop(key, None)
        said |= {"phase": c.PHASES[phase], "second": second, "seat": seat}
    return said


def _check_satraps(box: Any, reading: Reading, drawn: bool) -> None:
    """X-A2. Each seat has a satrap, of another mat, but in the set-up, where it may still be drawn.

    X-S8: Assyria has no power token.
    """
    satraps = reading.one["satrap"][: reading.players].tolist()
    reading.one["power"][reading.one["satrap"] == c.ASSYRIA] = 0
    for seat, satrap in enumerate(satraps):
        if satrap < 0:
            if not drawn:
                raise PositionError(f"seats[{seat}].satrap is missing; choose one of {', '.join(c.SATRAPS)}")
            continue
        for other in satraps[:seat]:
            if other >= 0 and box["mat"][other] == box["mat"][satrap]:
                raise PositionError(f"seats[{seat}].satrap: the mat of {c.SATRAPS[satrap]} is that of "
                                    f"{c.SATRAPS[other]}, which another seat has")  # fmt: skip


def _set_round(reading: Reading, said: Mapping[str, Any], drawn: bool) -> None:
    """Year, phase, turn order and event, where they are not said as they are at the start."""
    one, players = reading.one, reading.players
    one["round"] = 1 if one["round"] == UNSAID else one["round"]
    one["phase"] = c.PLACEMENT if one["phase"] == UNSAID else one["phase"]
    if not drawn:
        if "order" not in said:
            one["order"][:players] = range(players)
        if (one["order"][:players] < 0).any():
            raise PositionError(f"order: expected each of the seats 0 to {players - 1} once")
    if (one["event_seen"] > 1).any():
        raise PositionError("events_seen: an event is named twice; the box holds one of each")
    if c.EVENT <= one["phase"] <= c.TURN_ORDER and one["event"] < 0:
        raise PositionError(f"event is missing in phase {c.PHASES[one['phase']]}; choose one of "
                            f"{', '.join(names()['event'])}")  # fmt: skip
    if one["event"] >= 0:
        one["event_seen"][one["event"]] = 1


def _push_schedule(reading: Reading, said: Mapping[str, Any]) -> None:
    """The rest of the round, from a seat's turn in a phase on."""
    one, turn = reading.one, ("turns", int(reading.one["phase"]), int(reading.one["second"]))
    first = int(one["order"][0])
    seat = number("seat", said.get("seat", first), 0, reading.players - 1)
    if turn not in SCHEDULE:
        phases = ", ".join(dict.fromkeys(c.PHASES[phase] for name, phase, _ in SCHEDULE if name == "turns"))
        raise PositionError(f"phase: seats have no turns in {c.PHASES[turn[1]]}{' the second time' * turn[2]}; "
                            f"choose one of {phases}, or say what is pending")  # fmt: skip
    push(one, steps.HALT)
    for name, phase, second in reversed(SCHEDULE[SCHEDULE.index(turn) :]):
        arguments = (phase, 0, second) if name == "turns" else ()
        push(one, steps.NAMES.index(name), *arguments)
    one["arg"][int(one["sp"]) - 1, 1] = one["order"].tolist().index(seat)


def _set_gained(reading: Reading) -> None:
    """X-N1. A seat has gained nothing before its turn; until place 1 has lost one of them, all that was gained lies on
    the mats."""
    one = reading.one
    for name, args in frames(reading.s, steps.TABLE):
        if name in ROUND_TO_COME:
            one["gained"] = 0
        elif name == "turns" and args[0] == c.RESOURCE:
            one["gained"][one["order"][args[1] : reading.players]] = 0
        elif name in ("end_resources", "lose"):
            one["gained"] = np.minimum(one["gained"], one["resource"])


def _check_steps(reading: Reading) -> None:
    """The rest of the round is whole, and what is pending has what its rules look for."""
    one, pending = reading.one, frames(reading.s, steps.TABLE)
    round_ = [(name, *((args[0], args[2]) if name == "turns" else (0, 0)))
              for name, args in pending if name in {name for name, *_ in SCHEDULE}]  # fmt: skip
    if round_ and tuple(reversed(round_)) != SCHEDULE[-len(round_) :]:
        rest = ", ".join(_step(*step) for step in reversed(SCHEDULE[-len(round_) :]))
        raise PositionError(f"pending: the last {len(round_)} steps of a round are {rest}, in this order")
    now = round_[-1] if round_ else ("", 0, 0)
    for name, args in pending:
        place = {"turns": args[1], "draw_place": args[0] + 1}.get(name, 0)
        if place > reading.players:
            raise PositionError(f"pending: {name} has place {place}, with {reading.players} players")
        if name in IN_PHASE and now[:2] != ("turns", IN_PHASE[name]):
            raise PositionError(f"pending: {name} comes in phase {c.PHASES[IN_PHASE[name]]}")
        if name == "next_place" and args[1] != (one["new_order"] >= 0).sum():
            raise PositionError(f"pending: next_place is for place {args[1]}, but new_order has "
                                f"{(one['new_order'] >= 0).sum()} seats")  # fmt: skip
    _check_payment(reading, pending)


def _step(name: str, phase: int, second: int) -> str:
    return f"turns of {c.PHASES[phase]}{' (second)' * second}" if name == "turns" else name


def _check_payment(reading: Reading, pending: list[tuple[str, list[int]]]) -> None:
    """X-B3, X-S4. What is owed can be paid, but for what may still be replaced."""
    said = dict(pending)
    if "pay" not in said:
        return
    one, seat = reading.one, said["pay"][0]
    may = c.REPLACED - said["replace"][1] + ("replace_by" in said) if "replace" in said else 0
    missing = int(np.maximum(0, one["owed"] - one["resource"][seat]).sum())
    if missing > may or one["owed"].sum() > one["resource"][seat].sum():
        raise PositionError(f"owed: seat {seat} cannot pay: {missing} resources are missing, {may} may be replaced")


def _check_pieces(box: Any, reading: Reading) -> None:
    """X-A1, X-G3, X-P3. No more pieces than the box holds, and each where it may be."""
    one = reading.one
    for seat in range(reading.players):
        for what, field, most in (("workers", "worker", c.WORKERS), ("buildings", "owner", c.TOKENS)):
            if (used := int((one[field] == seat).sum())) > most:
                raise PositionError(f"{what}: seat {seat} has {used}, at most {most}")
        for resource in np.flatnonzero(one["resource"][seat] > box["limit"]):
            raise PositionError(f"seats[{seat}].resources.{c.RESOURCES[resource]}: {one['resource'][seat, resource]}, "
                                f"at most {box['limit']}")  # fmt: skip
        home = int(one["satrap"][seat])
        if home >= 0 and one["worker"][home] >= 0:
            raise PositionError(f"workers.{PLACES[home]}: the home of seat {seat} is never empty")


def _check_to_come(reading: Reading) -> None:
    """X-P1, X-E1. There are events for all years to come, and workers for all who have yet to place one."""
    one, workers = reading.one, np.zeros(c.MAX_PLAYERS, int)
    events = c.ROUNDS - int(one["round"])
    for name, args in frames(reading.s, steps.TABLE):
        events += name in ("draw_event", *ROUND_TO_COME)
        if name in ROUND_TO_COME:
            workers += c.WORKERS
        elif name == "turns" and args[0] == c.PLACEMENT:
            workers[one["order"][args[1] : reading.players]] += 1
        elif name in ("place", "push_to"):
            workers[args[0]] += 1
    if (seen := int(one["event_seen"].sum())) > c.N_EVENTS - events:
        raise PositionError(f"events_seen: {seen} events, at most {c.N_EVENTS - events} with {events} yet to be drawn")
    for seat in np.flatnonzero(workers):
        if (used := int((one["worker"] == seat).sum())) + workers[seat] > c.WORKERS:
            raise PositionError(f"workers: seat {seat} has {used} on the board and has yet to place {workers[seat]}, "
                                f"at most {c.WORKERS} in all")  # fmt: skip


def _check_cards(reading: Reading) -> None:
    """X-A4, X-A6. A hand is no larger than it is dealt; nor, where cards are yet to come, is all that a seat has with
    these. Later the cards played and discarded do not count: people put a table right that was laid out by guess."""
    for kind, dealt in DEALT.items():
        to_come = np.zeros(c.MAX_PLAYERS, int)
        for name, args in frames(reading.s, steps.TABLE):
            if name == f"deal_{kind}":
                to_come += dealt
            elif name == f"draw_{kind}":
                to_come[args[0]] += args[1]
        for seat in range(reading.players):
            piles = PILES.values() if to_come[seat] else [PILES["hand"]]
            has = sum(int((reading.one[kind] == at + seat).sum()) + reading.unknown_of(f"{kind}{key}", seat)
                      for key, at in piles)  # fmt: skip
            if has + to_come[seat] > dealt:
                also = f" and {to_come[seat]} yet to be drawn" * bool(to_come[seat])
                raise PositionError(f"{kind} cards: seat {seat} has {has}{also}, at most {dealt} in all")


def _deal(box: Any, reading: Reading, rng: np.random.Generator) -> None:
    """The cards that nobody knows, from the deck; no hand as dealt would have been dealt again (X-A4)."""
    wanted = {}
    for kind in DEALT:
        places = [at + seat for seat in range(reading.players) for key, at in PILES.values()
                  for _ in range(reading.unknown_of(f"{kind}{key}", seat))]  # fmt: skip
        deck = np.flatnonzero(reading.one[kind] == c.DECK)
        if len(places) > len(deck):
            raise PositionError(f"position: {len(places)} unknown {kind} cards, the deck has {len(deck)}")
        wanted[kind] = places, deck
    for _ in range(TRIES):
        for kind, (places, deck) in wanted.items():
            reading.one[kind][deck] = c.DECK
            reading.one[kind][rng.permutation(deck)[: len(places)]] = places
        if not any(again(box, reading.s, seat) for seat in range(reading.players)):
            break
