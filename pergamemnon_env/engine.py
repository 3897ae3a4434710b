"""The functions of the game: the machine (:mod:`tabletop.machine`) with its rules.

Programs hand over record arrays (``box``: BOX, (boxes,); ``s``: STATE and ``how``: SETUP, each (1,)).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from pergamemnon_env import constants as c
from pergamemnon_env import observation, steps
from pergamemnon_env.rules import battle, hiring, setup
from pergamemnon_env.state import Box, Setup, State
from tabletop.fields import Records
from tabletop.jit import entry, kernel
from tabletop.machine import machine_of
from tabletop.steps import top

#: What :func:`tell` tells: of the blow that is to be parried, its value and what the card laid last parries; of each
#: seat, half points and the charisma under its city.
FIGURES = np.dtype(
    [("blow", "i8"), ("guard", "i8"), ("points", "i8", c.MAX_SEATS), ("charisma", "i8", c.MAX_SEATS)], align=True
)


@kernel
def forget(s: State) -> None:
    """What the last choice brought has been paid."""
    s.paid[:] = 0.0


@kernel
def player(s: State) -> int:
    """Whose turn it is."""
    return s.player


@kernel
def copies(box: Box, s: State, action: int) -> int:
    """P-A5. How many cards of a kind the draw pile has."""
    return int(s.draw[top(s, 0), action - c.CARD])


_machine = machine_of(steps.TABLE, "pergamemnon_env.rules", c.FIRST, forget=forget, whose_turn=player,
                      weighted=(steps.DRAW,), weight=copies)  # fmt: skip
_advance, _accept, _choose, _step = _machine.advance, _machine.accept, _machine.choose, _machine.step
_legal, _weights, _sample = _machine.legal, _machine.weights, _machine.sample


@entry
def reset(box: Records[Box], s: Records[State], how: Records[Setup], seed: int) -> None:
    """Sets up a game: ``seed`` is any int64; ``s`` is overwritten."""
    setup.begin(box[how[0].box], s[0], how[0], seed)
    _advance(box[how[0].box], s[0])


@entry
def apply(box: Records[Box], s: Records[State], action: int) -> bool:
    """Makes a choice and runs to the next decision. False, and nothing changed, where it is not legal."""
    return _choose(box[s[0].box], s[0], action)


@entry
def answer(box: Records[Box], s: Records[State], action: int) -> bool:
    """Makes a choice and runs nothing after it: the first part of :func:`apply`, for who shows what follows."""
    return _accept(box[s[0].box], s[0], action)


@entry
def step(box: Records[Box], s: Records[State]) -> bool:
    """After :func:`answer`: runs the next step; False: somebody is asked, or the game is over."""
    return _step(box[s[0].box], s[0])


@entry
def legal(box: Records[Box], s: Records[State], mask: Any) -> None:
    """Writes ``mask`` (int8[N_ACTIONS]): 1 exactly where :func:`apply` accepts."""
    _legal(s[0], mask)


@entry
def weights(box: Records[Box], s: Records[State], out: Any) -> None:
    """Writes ``out`` (float64[N_ACTIONS]): probabilities of the outcomes where chance is to act, else zeros."""
    _weights(box[s[0].box], s[0], out)


@entry
def sample(box: Records[Box], s: Records[State]) -> int:
    """An outcome by the record's own generator. Only where chance is to act."""
    return _sample(box[s[0].box], s[0])


@entry
def observe(box: Records[Box], s: Records[State], seat: int, out: Any) -> None:
    """Writes what a seat sees over ``out`` (float32[observation.SIZE])."""
    observation.write(box[s[0].box], s[0], seat, out)


@entry
def rewards(box: Records[Box], s: Records[State], out: Any) -> None:
    """Writes ``out`` (float64[MAX_SEATS]): what the last choice paid. A game pays at its end: 1 to who wins, the others
    share the loss; who share the win are paid alike, and all sum to 0."""
    for seat in range(c.MAX_SEATS):
        out[seat] = s[0].paid[seat]


@entry
def resume(box: Records[Box], s: Records[State]) -> None:
    """Runs a state that was put together by hand to its next decision."""
    _advance(box[s[0].box], s[0])


@entry
def tell(box: Records[Box], s: Records[State], out: Any) -> None:
    """Writes ``out`` (:data:`FIGURES`, shape (1,)): figures that lie open, for words and pictures."""
    one, told = s[0], out[0]
    own = box[one.box]
    told.blow = told.guard = 0
    if one.op[one.sp - 1] == steps.REINFORCE:
        side = top(one, 0)
        told.blow = battle.blow(own, one, 1 - side)
        told.guard = battle.guard(own, one, side)
    for seat in range(one.players):
        told.points[seat] = observation.points(own, one, seat)
        told.charisma[seat] = hiring.under_city(own, one, seat)
