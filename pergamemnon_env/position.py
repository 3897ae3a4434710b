"""Positions that people read and write (:mod:`tabletop.positions`).

Every key but ``players`` and the nation of each seat is optional. Army cards that are named nowhere lie in the draw
pile of their nation, unless that pile is named; a hand that is not named is full, of cards that nobody knows. Unknown
cards are dealt from the draw pile. Where nothing is pending hands are filled up, and the turn of ``player`` begins.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pergamemnon_env import components, engine, steps
from pergamemnon_env import constants as c
from pergamemnon_env.state import PILES, STATE
from tabletop.game import Record
from tabletop.positions import (
    UNKNOWN,
    At,
    Cards,
    Flag,
    Group,
    Name,
    Number,
    One,
    Plan,
    PositionError,
    Raw,
    Reading,
    Seat,
    Seats,
    Steps,
    frames,
    index,
    listed,
    piled,
    push,
    within,
)

SIDES = ("attacker", "defender")
TAKEN = "taken"  #: a card of a battle that has been divided
UNSAID = -1  #: the stack follows from the creatures that were seen
MOST_OWED = 16  #: P-N6: 1 more than a creature may cost
AS_ASKED = -1  #: ``now`` of a position: what is asked stays; else the seat whose turn begins
#: The steps that each may lie on.
ON = {
    "turn": "halt", "first": "turn", "refill": "turn first refill show", "show": "turn refill", "nation": "show",
    "draw": "refill", "discard": "refill", "divide": "discard", "spoil": "divide",
    **dict.fromkeys(("verb", "hire", "pay", "foe", "weapon", "lay", "reinforce", "strike"), "turn"),
}  # fmt: skip
MOST_STEPS = 9  #: those of a set-up of five
#: Steps that need a battle, and what they need of it.
OF_A_BATTLE = ("weapon", "lay", "reinforce", "strike", "discard", "divide", "spoil")


class Laid(NamedTuple):
    """The cards that a side has laid in a battle, in order; an attacker's that is face down may be unknown."""

    key: str

    def clear(self, one: Any, at: tuple[int, ...], there: bool) -> None:
        one["row"][at], one["laid"][at] = 0, 0

    def write(self, one: Any, at: tuple[int, ...]) -> Any:
        row = one["row"][at][: int(one["laid"][at])]
        return [components.names()[kind - 1] if kind else TAKEN for kind in row] or None

    def read(self, reading: Reading, what: str, told: Any, at: tuple[int, ...]) -> None:
        known = (TAKEN, *components.names(), UNKNOWN)
        row = [index(what, name, known) for name in listed(what, told, c.MAX_HAND)]
        if known.index(UNKNOWN) in row:
            if at != (c.ATTACKER,) or len(row) > 1 or reading.one["open"]:
                raise PositionError(f"{what}: only the attacker's first card can be unknown, before it is revealed")
            reading.unknown[self.key, at] = 1
        reading.one["row"][at][: len(row)] = row
        reading.one["laid"][at] = len(row)


@cache
def plan() -> Plan:
    """How a state is told."""
    cards = components.names()
    names = {"city": "under_city"}
    piles = (Cards(names.get(pile, pile), pile, cards, pile == "hand", pile in ("hand", "draw")) for pile in PILES)
    seat = (
        One("nation", "nation", Name(c.NATIONS), usual=-1), One("charisma", "charisma", Number(0, 60)),
        One("active", "active", Flag(), usual=1, empty=0), One("weakened", "weakened", Flag()),
        One("fallen", "fallen", Flag()), *piles, Cards("known", "known", cards),
    )  # fmt: skip
    battle = (
        One("attacker", "attacker", Seat(), usual=-1), One("defender", "defender", Seat(), usual=-1),
        One("weapon", "weapon", Name(c.WEAPONS, 1)), One("open", "open", Flag()),
        *(At(side, Laid(f"{name}_laid")) for side, name in enumerate(SIDES)),
        *(At(side, One(f"{name}_struck", "struck", Number(0, c.MAX_HAND))) for side, name in enumerate(SIDES)),
    )  # fmt: skip
    parts = (
        One("turn", "turn", Number(0, c.TURNS), usual=1), One("player", "player", Seat()),
        Cards("display", "display", cards[c.ARMY :]), One("stack", "stack", Number(0, c.CREATURES), usual=UNSAID),
        Seats(c.MAX_SEATS, seat), One("owed", "owed", Number(-MOST_OWED, MOST_OWED)), Group("battle", battle),
    )  # fmt: skip
    machine = (Raw("decisions"), Raw("trace"), Raw("cause", 0, len(c.CAUSES) - 1), Raw("points", 0, 9999),
               Raw("strongest", 0, 99), Raw("place", 0, c.MAX_SEATS), Raw("paid", -1, 1))  # fmt: skip
    pending = Steps(steps.TABLE, {"side": Name(SIDES), "winner": Seat()}, ON, MOST_STEPS)
    return Plan(STATE, c.PLAYERS, parts, pending, machine, ("gone",))


def dump(s: Record) -> dict[str, Any]:
    """The position of a state, shape (1,): ``load(dump(s))`` plays on as ``s`` does, but for what is drawn."""
    told = plan().dump(s)
    gone = (s["unseen"][0] == 0) & (_placed(s[0])[c.ARMY :] == 0)
    if gone.any():
        told["gone"] = [components.names()[c.ARMY + creature] for creature in np.flatnonzero(gone)]
    return told


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
    gone = _counted(piled("gone", said.get("gone", ()), components.names()))
    if "pending" not in said:
        _push_turn(reading)
    _check_nations(reading)
    for seat in range(reading.players):
        _deal(box, reading, _row(said, seat), seat, gone, rng)
    _check_cards(box, one, gone)
    _check_middle(box, one, gone)
    _check_steps(reading)
    if "pending" not in said and one["attacker"] >= 0:
        raise PositionError("battle: without pending a turn begins, and a battle is over by then; say which steps wait")
    if "pending" in said and not said["pending"] and not (one["place"] == 1).any():
        raise PositionError("pending: nothing is, so the game is over, but no seat has place 1; without pending a turn "
                            "begins")  # fmt: skip
    reading.s["rng"] = rng.integers(1, 2**32, (1, 4))
    engine.resume(boxes, reading.s)
    return reading.s


def _turned(position: Any) -> Any:
    """A position in which ``now`` says whose turn begins, as one that says nothing else of what is asked."""
    if not isinstance(position, Mapping) or "now" not in position:
        return position
    said = {key: value for key, value in position.items() if key != "now"}
    if position["now"] != AS_ASKED:
        for key in ("pending", "battle", "owed"):
            said.pop(key, None)
        said["player"] = position["now"]
    return said


def _push_turn(reading: Reading) -> None:
    """P-T4, P-B7. A turn that begins as in play: hands are full, and nation cards are looked at."""
    one = reading.one
    one["turn"] = max(0, int(one["turn"]) - 1)  # the turn counts itself
    if reading.players == 2:
        one["active"][: reading.players] = 1  # P-A3: two have no nation cards
    push(one, steps.HALT)
    push(one, steps.TURN)
    for seat in reversed(range(reading.players)):
        push(one, steps.REFILL, seat)


def _row(said: Mapping[str, Any], seat: int) -> Mapping[str, Any]:
    """What is said of a seat."""
    rows = said.get("seats", ())
    if isinstance(rows, Mapping):
        return rows.get(str(seat), {})  # type: ignore[no-any-return]
    return rows[seat] if seat < len(rows) else {}  # type: ignore[no-any-return]


def _counted(cards: Mapping[str, int]) -> NDArray[np.int64]:
    """How many of each kind, int64 (KINDS,)."""
    return np.array([cards.get(name, 0) for name in components.names()], np.int64)


def _placed(one: Any) -> NDArray[np.int64]:
    """How many cards of each kind lie somewhere, int64 (KINDS,)."""
    lying = sum(one[pile].sum(0, dtype=np.int64) for pile in PILES)
    lying[c.ARMY :] += one["display"]
    for kind in one["row"][(one["row"] > 0) & (one["row"] <= c.KINDS)]:
        lying[kind - 1] += 1
    return lying  # type: ignore[no-any-return]


def _check_nations(reading: Reading) -> None:
    """P-A1. Each seat leads another nation, but in the set-up, where it may still be drawn."""
    nations = reading.one["nation"][: reading.players].tolist()
    drawn = [args[0] for name, args in frames(reading.s, steps.TABLE) if name == "nation"]
    for seat, nation in enumerate(nations):
        if nation < 0 and not any(seat >= first for first in drawn):
            raise PositionError(f"seats[{seat}].nation is missing; choose one of {', '.join(c.NATIONS)}")
        if nation >= 0 and nation in nations[:seat]:
            raise PositionError(f"seats[{seat}].nation: {c.NATIONS[nation]} is led by another seat")


def _deal(box: Any, reading: Reading, row: Mapping[str, Any], seat: int, gone: Any, rng: np.random.Generator) -> None:
    """The draw pile of a seat, and from it the cards that nobody knows."""
    one, nation = reading.one, int(reading.one["nation"][seat])
    if nation < 0:
        return
    what, draw, hand = f"seats[{seat}]", one["draw"][seat], one["hand"][seat]
    if "draw" not in row:
        own = slice(nation * c.KINDS_OF_A_NATION, (nation + 1) * c.KINDS_OF_A_NATION)
        draw[own] = np.maximum(0, (box["copies"] - (_placed(one) + gone)[: c.ARMY])[own])
    if reading.unknown_of("attacker_laid", c.ATTACKER) and one["attacker"] == seat:
        shown = np.flatnonzero((draw > 0) & (box["weapon"] == one["weapon"] - 1))
        if not len(shown):
            raise PositionError("battle.attacker_laid: no card that shows the weapon is left in the draw pile")
        kind = int(rng.choice(np.repeat(shown, draw[shown])))
        draw[kind] -= 1
        one["row"][c.ATTACKER, 0] = kind + 1
    unknown = reading.unknown_of("hand", seat)
    if "hand" not in row:
        side = [one["attacker"], one["defender"]].index(seat) if seat in (one["attacker"], one["defender"]) else None
        laid = int((one["row"][side] > 0).sum()) if side is not None else 0
        unknown = max(0, min(_hand_size(box, one, seat) - laid, int(draw.sum())))
    sure = np.maximum(0, one["known"][seat] - hand) if unknown else np.zeros_like(hand)
    if unknown > draw.sum() or (sure > draw).any() or sure.sum() > unknown:
        raise PositionError(f"{what}.hand: {unknown} unknown cards, with those in 'known', are not in the draw pile, "
                            f"which has {int(draw.sum())}")  # fmt: skip
    draw -= sure
    dealt = sure + rng.multivariate_hypergeometric(draw.astype(np.int64), unknown - int(sure.sum())).astype(np.int8)
    draw -= dealt - sure
    hand += dealt


def _hand_size(box: Any, one: Any, seat: int) -> int:
    """P-A5, P-N9, P-N10. As ``rules.nations.hand_size``."""
    size = int(box["hand_size"][one["nation"][seat]])
    weak = one["weakened"][seat] and one["nation"][seat] == c.PERSIA
    return min(size, int(box["hand_weakened"])) if weak else size


def _check_cards(box: Any, one: Any, gone: NDArray[np.int64]) -> None:
    """No more cards than the box holds, and none of a nation that nobody leads."""
    names, placed = components.names(), _placed(one) + gone
    copies = np.concatenate([box["copies"], np.ones(c.CREATURES, int)])
    for kind in np.flatnonzero(placed > copies):
        within(names[kind], int(placed[kind]), int(copies[kind]))
    for kind in np.flatnonzero(placed[: c.ARMY]):
        if kind // c.KINDS_OF_A_NATION not in one["nation"]:
            nation = c.NATIONS[kind // c.KINDS_OF_A_NATION]
            raise PositionError(f"position: {names[kind]} is a card of {nation}, which nobody leads")
    within("charisma card", int(one["charisma"].sum()), int(box["charisma_cards"]))
    one["stock"] = box["charisma_cards"] - one["charisma"].sum()
    for seat in range(int(one["players"])):
        held = one["hand"][seat].sum()
        if held > c.MAX_HAND:
            raise PositionError(f"seats[{seat}].hand: {held} cards, at most {c.MAX_HAND}")
        down = _counted({})
        for side, name in enumerate(SIDES):
            if one[name] == seat and not one["open"] and one["laid"][side]:
                down[one["row"][side, 0] - 1] += 1
        for kind in np.flatnonzero(one["known"][seat] > one["hand"][seat] + down):
            raise PositionError(f"seats[{seat}].known: {names[kind]} is not in the hand")
        if one["nation"][seat] < 0:
            one["active"][seat] = 0


def _check_middle(box: Any, one: Any, gone: NDArray[np.int64]) -> None:
    """P-A6. The creatures in the stack are of those that nobody has seen."""
    one["unseen"] = (_placed(one) + gone)[c.ARMY :] == 0
    whole, unseen = int(box["stack"]) * int(one["players"]), int(one["unseen"].sum())
    if one["stack"] == UNSAID:
        one["stack"] = max(0, whole - (c.CREATURES - unseen))
    most = min(whole, unseen)
    if one["stack"] > most:
        raise PositionError(f"stack: {one['stack']} creatures, at most {most} have not been seen")


def _check_steps(reading: Reading) -> None:
    """What is pending has what its rules look for. P-T3: whose turn it is has an active nation card, if any is."""
    one, player = reading.one, int(reading.one["player"])
    if one["active"].any() and not one["active"][player]:
        raise PositionError(f"seats[{player}].active: it is its turn, so its nation card is active, or none is")
    there = [one[name] >= 0 for name in SIDES]
    if there[0] != there[1] or (there[0] and one["attacker"] == one["defender"]):
        raise PositionError("battle: an attacker needs a defender, another seat")
    for name, row, laid, struck in zip(SIDES, one["row"], one["laid"], one["struck"], strict=True):
        if laid and not there[0]:
            raise PositionError(f"battle.{name}_laid: nobody is the attacker")
        if struck > laid:
            raise PositionError(f"battle.{name}_struck: {struck}, but {laid} cards were laid")
        if (row > c.KINDS).any():
            raise PositionError(f"battle.{name}_laid: the card is unknown, but nobody is the attacker")
    for name, args in frames(reading.s, steps.TABLE):
        if name == "show" and args[0] > one["stack"]:
            raise PositionError(f"pending: {args[0]} creatures are to come, the stack has {one['stack']}")
        if name in OF_A_BATTLE:
            _check_battle(one, name, args)


def _check_battle(one: Any, name: str, args: list[int]) -> None:
    fighters = [int(one[side]) for side in SIDES]
    if fighters[0] < 0:
        raise PositionError(f"pending: {name} needs a battle, with attacker and defender")
    laid, whole = one["laid"].tolist(), [(row[:n] > 0).all() for row, n in zip(one["row"], one["laid"], strict=True)]
    if name in ("lay", "reinforce") and args[1] != fighters[args[0]]:
        raise PositionError(
            f"pending: {name} asks seat {args[1]}, but the {SIDES[args[0]]} is seat {fighters[args[0]]}"
        )
    if name == "weapon" and laid != [0, 0]:
        raise PositionError("pending: weapon comes before any card is laid")
    if name == "lay" and (not one["weapon"] or one["open"] or laid != [args[0], 0] or not all(whole)):
        raise PositionError(
            "pending: lay needs a weapon; the attacker lays the first card, then the defender, face down"
        )
    if name in ("reinforce", "strike"):
        if not one["open"] or min(laid) == 0 or not all(whole):
            raise PositionError(f"pending: {name} needs cards of both sides, laid open and not taken")
        for seat, n in zip(fighters, laid, strict=True):
            if one["hand"][seat].sum() + n > c.MAX_HAND:
                raise PositionError(f"seats[{seat}].hand: more than {c.MAX_HAND} cards with those laid")
    if name == "discard" and args[0] != fighters[c.DEFENDER]:
        raise PositionError(f"pending: discard asks seat {args[0]}, but the defender is seat {fighters[c.DEFENDER]}")
    if name == "spoil":
        if args[1] != fighters[1 - args[0]]:
            raise PositionError(f"pending: spoil asks seat {args[1]}, but the winner is seat {fighters[1 - args[0]]}")
        if not (one["row"][args[0]] > 0).any():
            raise PositionError(f"pending: spoil needs a card in battle.{SIDES[args[0]]}_laid")
