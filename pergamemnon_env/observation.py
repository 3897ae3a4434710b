"""What a seat sees: numbers of 0 to 1 (charisma still owed from -1), the seat itself first, the others clockwise.

Of a rival's hand a seat knows how many cards it has, which of them must be in it (``known``), and, as decks, captures
and discards lie open, what hand and draw pile hold together.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pergamemnon_env import constants as c
from pergamemnon_env import content, odds, steps
from pergamemnon_env.rules import battle, ending, hiring, nations, piles
from pergamemnon_env.state import Box, State
from tabletop.game import Record
from tabletop.jit import kernel
from tabletop.observation import FOURTH, Row, bounds, lay_out, layout_hash, one_hot, scaled
from tabletop.steps import top

SEATS, KINDS = c.MAX_SEATS, c.KINDS
_OWN = ("hand", "draw", "discard", "city", "secured")
_RIVAL = ("hand or draw", "known", "discard", "city", "secured")
_SEAT = (  # of every seat: numbers
    *(f"leads {nation}" for nation in c.NATIONS), "there", "active", "leader lost", "its turn", "attacks",
    "is attacked", "asked", "charisma cards", "charisma under the city", "cards in hand",
    "cards in the draw pile", "points",
    "charisma of the strongest hand card", "points more than the viewer",
)  # fmt: skip
_PROMPTS = len(steps.PROMPTS)


COPY = FOURTH  #: what a card counts for: there are at most four of a kind
assert c.MAX_COPIES * COPY == 1


def _rows() -> Iterator[Row]:
    for pile in _OWN:
        yield f"own {pile}", KINDS, "own cards by kind / 4", 0, 1
    for k in range(1, SEATS):
        for pile in _RIVAL:
            yield f"rival {k} {pile}", KINDS, "cards of the seat k places clockwise by kind / 4", 0, 1
    for name in ("display", "unseen"):
        yield name, c.CREATURES, "1 for each creature there", 0, 1
    for side in ("own", "other"):
        yield f"row {side}", KINDS, "cards of a side of the battle by kind / 4", 0, 1
        yield f"last laid {side}", KINDS, "one-hot: the card that a side laid last", 0, 1
    yield "spoil", KINDS, "one-hot: the captured card that is put away", 0, 1
    for name in odds.OF_CARDS:
        yield f"own hand {name}", KINDS, "chances of own hand cards, where one may be laid (pergamemnon_env.odds)", 0, 1
    for k in range(SEATS):
        yield f"seat {k}", len(_SEAT), f"of the seat k places clockwise: {', '.join(_SEAT)}", -1, 1
        yield f"cards of seat {k}", odds.OF_SEAT, "means of its hand and draw pile (pergamemnon_env.odds)", 0, 1
    for k in range(1, SEATS):
        yield f"blows at rival {k}", odds.OF_RIVAL, "chances of own blows (pergamemnon_env.odds)", 0, 1
    yield "weapon", len(c.WEAPONS), "one-hot: the weapon named", 0, 1
    yield "blow", 5, "what is to be parried: its weapon, its value and what the card laid last parries / 12", 0, 1
    yield "face down", 2, "1 where a card lies face down: own side, other", 0, 1
    yield "prompt", _PROMPTS, "one-hot: what is asked (steps.PROMPTS)", 0, 1
    yield "owed", 1, "charisma that a creature still costs / 15", -1, 1
    yield "table", 4, "charisma cards in stock / 60, creatures in the stack / 20, turns / 300, players / 5", 0, 1


PARTS = lay_out(_rows())
SIZE = PARTS[-1].slice.stop
LOW, HIGH = bounds(PARTS)
LAYOUT: str = layout_hash(PARTS, (c.BLOCKS, content.COLUMNS))


def _sets() -> Iterator[tuple[slice, int, int]]:
    for part in PARTS:
        size = part.slice.stop - part.slice.start
        if size in (KINDS, c.CREATURES):
            yield part.slice, c.CARD + KINDS - size, size


SETS = tuple(_sets())  #: ``Game.content_sets``: the parts that count cards, all of them or creatures


@kernel
def write(box: Box, s: State, viewer: int, out: Any) -> None:
    """Writes what a seat sees, float32[SIZE]."""
    out[:] = 0.0
    k = scaled(out, 0, s.hand[viewer], COPY)
    k = scaled(out, k, s.draw[viewer], COPY)
    k = scaled(out, k, s.discard[viewer], COPY)
    k = scaled(out, k, s.city[viewer], COPY)
    k = scaled(out, k, s.secured[viewer], COPY)
    for i in range(1, SEATS):
        if i < s.players:
            k = rival(s, (viewer + i) % s.players, out, k)
        else:
            k += len(_RIVAL) * KINDS
    for i in range(c.CREATURES):
        out[k + i] = s.display[i]
        out[k + c.CREATURES + i] = s.unseen[i]
    k += 2 * c.CREATURES
    k = fight(s, viewer, out, k)
    odds.of_cards(box, s, viewer, out[k : k + len(odds.OF_CARDS) * KINDS])
    k += len(odds.OF_CARDS) * KINDS
    for i in range(SEATS):
        if i < s.players:
            one_seat(box, s, (viewer + i) % s.players, viewer, out, k)
            odds.of_seat(box, s, (viewer + i) % s.players, out[k + len(_SEAT) :])
        k += len(_SEAT) + odds.OF_SEAT
    for i in range(1, SEATS):
        if i < s.players:
            odds.of_rival(box, s, viewer, (viewer + i) % s.players, out[k:])
        k += odds.OF_RIVAL
    k = struck(box, s, out, one_hot(out, k, len(c.WEAPONS), s.weapon - 1))
    if s.open == 0:
        for side in range(2):
            if s.laid[side] > 0:
                out[k + (0 if battle.fighter(s, side) == viewer else 1)] = 1.0
    k += 2
    k = one_hot(out, k, _PROMPTS, s.op[s.sp - 1])
    out[k] = min(1.0, max(-1.0, s.owed / 15.0))
    out[k + 1] = s.stock / 60.0
    out[k + 2] = s.stack / 20.0
    out[k + 3] = s.turn / float(c.TURNS)
    out[k + 4] = s.players / 5.0


@kernel
def rival(s: State, seat: int, out: Any, k: int) -> int:
    """The piles of another seat. What it has laid face down is still counted with its hand."""
    for kind in range(KINDS):
        out[k + kind] = np.float32(s.hand[seat, kind] + s.draw[seat, kind]) * COPY
    if s.open == 0:
        for side in range(2):
            if s.laid[side] > 0 and battle.fighter(s, side) == seat:
                out[k + s.row[side, 0] - 1] += COPY
    k = scaled(out, k + KINDS, s.known[seat], COPY)
    k = scaled(out, k, s.discard[seat], COPY)
    k = scaled(out, k, s.city[seat], COPY)
    return scaled(out, k, s.secured[seat], COPY)


@kernel
def fight(s: State, viewer: int, out: Any, k: int) -> int:
    """Rows and the cards last laid, of the viewer's side and the other (the attacker's for who does not fight); the
    card that is being divided."""
    own = c.DEFENDER if viewer == s.defender else c.ATTACKER
    for i in range(2):
        side = own if i == 0 else 1 - own
        if s.laid[side] > 0 and (s.open > 0 or battle.fighter(s, side) == viewer):
            for j in range(s.laid[side]):
                if s.row[side, j] > 0:
                    out[k + s.row[side, j] - 1] += COPY
            if s.row[side, s.laid[side] - 1] > 0:
                out[k + KINDS + s.row[side, s.laid[side] - 1] - 1] = 1.0
        k += 2 * KINDS
    if s.op[s.sp - 1] == steps.SPOIL:
        side = top(s, 0)
        for j in range(s.laid[side] - 1, -1, -1):
            if s.row[side, j] > 0:
                out[k : k + KINDS] = 0.0
                out[k + s.row[side, j] - 1] = 1.0
    return k + KINDS


@kernel
def one_seat(box: Box, s: State, seat: int, viewer: int, out: Any, k: int) -> None:
    """What is known of a seat in numbers."""
    k = one_hot(out, k, len(c.NATIONS), s.nation[seat])
    out[k] = 1.0
    out[k + 1] = s.active[seat]
    out[k + 2] = s.weakened[seat]
    out[k + 3] = 1.0 if s.player == seat else 0.0
    out[k + 4] = 1.0 if s.attacker == seat else 0.0
    out[k + 5] = 1.0 if s.defender == seat else 0.0
    out[k + 6] = 1.0 if s.to_act == seat else 0.0
    out[k + 7] = s.charisma[seat] / 60.0
    out[k + 8] = min(1.0, hiring.under_city(box, s, seat) / 30.0)
    out[k + 9] = piles.count(s.hand, seat) / float(c.MAX_HAND)
    out[k + 10] = piles.count(s.draw, seat) / 80.0
    out[k + 11] = min(1.0, points(box, s, seat) / 200.0)
    if seat == viewer:
        out[k + 12] = hiring.highest_charisma(box, s, seat) / 9.0
    else:
        more = points(box, s, seat) - points(box, s, viewer)
        out[k + 13] = min(1.0, max(-1.0, more / 40.0))


@kernel
def points(box: Box, s: State, seat: int) -> int:
    """Half points as they stand, which lie open. A card that lies face down still counts as one of the hand."""
    extra = 0
    if s.open == 0:
        for side in range(2):
            if s.laid[side] > 0 and battle.fighter(s, side) == seat:
                extra += int(box.points[s.row[side, 0] - 1])
    return ending.half_points(box, s, seat) + nations.half_points(s, seat, extra)


@kernel
def struck(box: Box, s: State, out: Any, k: int) -> int:
    """Where a reinforcement is asked for: the weapon that strikes, its value, and what the card laid last parries."""
    if s.op[s.sp - 1] == steps.REINFORCE:
        side = top(s, 0)
        out[k + box.weapon[battle.last(s, 1 - side)]] = 1.0
        out[k + 3] = battle.blow(box, s, 1 - side) / 12.0
        out[k + 4] = battle.guard(box, s, side) / 12.0
    return k + 5


def hidden(states: Record) -> NDArray[np.float32]:
    """What the seat that is asked may not know: the hands of the others, and the card that lies face down.

    Args:
        states: (n,).

    Returns:
        float32 (n, HIDDEN).
    """
    n, rows = len(states), np.arange(len(states))
    asked, players = np.maximum(states["to_act"], 0), states["players"]
    out = np.zeros((n, SEATS, KINDS), np.float32)
    for i in range(1, SEATS):
        there = i < players
        out[there, i - 1] = states["hand"][rows, (asked + i) % players][there] / c.MAX_COPIES
    down = (states["open"] == 0) & (states["laid"][:, c.ATTACKER] > 0) & (states["attacker"] != asked)
    out[down, SEATS - 1, states["row"][down, c.ATTACKER, 0] - 1] = 1
    return out.reshape(n, HIDDEN)


HIDDEN = SEATS * KINDS  #: ``Game.hidden_size``
