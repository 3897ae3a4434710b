"""The functions of the game: the machine (:mod:`tabletop.machine`) with its rules.

Programs hand over record arrays (``box``: BOX, (boxes,); ``s``: STATE and ``how``: SETUP, each (1,)).
"""

from __future__ import annotations

from typing import Any

from tabletop.fields import Records
from tabletop.jit import entry, kernel
from tabletop.machine import machine_of
from tabletop.steps import top
from xerxes_env import actions, observation, steps
from xerxes_env.rules import setup
from xerxes_env.state import Box, Setup, State


@kernel
def forget(s: State) -> None:
    """What the last choice brought has been paid."""
    s.paid[:] = 0.0


@kernel
def seat_of(s: State) -> int:
    """Every prompt names the seat that it asks."""
    return top(s, 0)


_machine = machine_of(steps.TABLE, "xerxes_env.rules", actions.FIRST, forget=forget, whose_turn=seat_of)
_advance, _accept, _choose, _step = _machine.advance, _machine.accept, _machine.choose, _machine.step
_legal, _weights, _sample = _machine.legal, _machine.weights, _machine.sample


@entry
def reset(box: Records[Box], s: Records[State], how: Records[Setup], seed: int) -> None:
    """Sets up a game: ``seed`` is any int64; ``s`` is overwritten."""
    setup.clear(s[0], how[0], seed)
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
    """Writes ``out`` (float64[N_ACTIONS]): probabilities of the chance outcomes where chance is to act, else zeros."""
    _weights(box[s[0].box], s[0], out)


@entry
def sample(box: Records[Box], s: Records[State]) -> int:
    """A chance outcome by the record's own generator. Only where chance is to act."""
    return _sample(box[s[0].box], s[0])


@entry
def observe(box: Records[Box], s: Records[State], seat: int, out: Any) -> None:
    """Writes what a seat sees over ``out`` (float32[observation.SIZE])."""
    observation.write(box[s[0].box], s[0], seat, out)


@entry
def rewards(box: Records[Box], s: Records[State], out: Any) -> None:
    """Writes ``out`` (float64[MAX_PLAYERS]): what the last choice paid every seat."""
    for seat in range(len(s[0].paid)):
        out[seat] = s[0].paid[seat]


@entry
def resume(box: Records[Box], s: Records[State]) -> None:
    """Runs a state put together by hand to its next decision."""
    _advance(box[s[0].box], s[0])
