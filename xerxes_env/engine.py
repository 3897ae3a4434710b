"""The machine: runs pending steps until somebody must choose. The functions of the game are at the end.

Programs hand over record arrays (``box``: BOX, (boxes,); ``s``: STATE and ``setup``: SETUP, each (1,)).
"""

from __future__ import annotations

from typing import Any

from tabletop.fields import Records
from tabletop.game import CHANCE, NOBODY
from tabletop.jit import entry, kernel
from tabletop.rng import below
from tabletop.steps import pop
from xerxes_env import dispatch, observation, steps
from xerxes_env.rules import setup
from xerxes_env.state import Box, Setup, State

MASK31 = 0x7FFFFFFF


@kernel
def answer(box: Box, s: State, action: int) -> None:
    """The draw or the prompt on top is answered."""
    s.trace[0] = (s.trace[0] * 16777619 + action + 1) & MASK31
    s.trace[1] = (s.trace[1] * 1000003 ^ (action + 7)) & MASK31
    dispatch.answer(box, s, int(s.op[s.sp - 1]), action)


@kernel
def advance(box: Box, s: State) -> None:
    """Runs steps until somebody has a choice to make. A single option is no choice and is taken."""
    while True:
        op = int(s.op[s.sp - 1])
        s.n_options = 0
        if op == steps.HALT:
            s.to_act = NOBODY
            return
        if op > steps.LAST_PROMPT:
            dispatch.run(box, s, op)
            continue
        dispatch.ask(box, s, op)
        if s.n_options == 0:
            pop(s)
        elif s.n_options == 1:
            answer(box, s, int(s.option[0]))
        elif op <= steps.LAST_DRAW and s.manual_chance == 0:
            answer(box, s, int(s.option[below(s, s.n_options)]))
        else:
            s.to_act = CHANCE if op <= steps.LAST_DRAW else s.arg[s.sp - 1, 0]
            return


@kernel
def offered(s: State, action: int) -> bool:
    """Whether an action is among the options."""
    for i in range(s.n_options):
        if s.option[i] == action:
            return True
    return False


@entry
def reset(box: Records[Box], s: Records[State], how: Records[Setup], seed: int) -> None:
    """Sets up a game: ``seed`` is any int64; ``s`` is overwritten."""
    setup.clear(s[0], how[0], seed)
    advance(box[how[0].box], s[0])


@entry
def apply(box: Records[Box], s: Records[State], action: int) -> bool:
    """Makes a choice and runs to the next decision. False, and nothing changed, where it is not legal."""
    if s[0].to_act == NOBODY or not offered(s[0], action):
        return False
    s[0].paid[:] = 0.0
    s[0].decisions += 1 if s[0].to_act >= 0 else 0
    answer(box[s[0].box], s[0], action)
    advance(box[s[0].box], s[0])
    return True


@entry
def legal(box: Records[Box], s: Records[State], mask: Any) -> None:
    """Writes ``mask`` (int8[N_ACTIONS]): 1 exactly where :func:`apply` accepts."""
    mask[:] = 0
    for i in range(s[0].n_options):
        mask[s[0].option[i]] = 1


@entry
def weights(box: Records[Box], s: Records[State], out: Any) -> None:
    """Writes ``out`` (float64[N_ACTIONS]): 1 for each chance outcome, which are equally likely, else zeros."""
    out[:] = 0.0
    if s[0].to_act == CHANCE:
        for i in range(s[0].n_options):
            out[s[0].option[i]] = 1.0


@entry
def sample(box: Records[Box], s: Records[State]) -> int:
    """A chance outcome by the record's own generator. Only where chance is to act."""
    return int(s[0].option[below(s[0], s[0].n_options)])


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
def options(box: Records[Box], s: Records[State]) -> None:
    """Lists the options of the question on top anew, as after the hands behind it have changed."""
    s[0].n_options = 0
    dispatch.ask(box[s[0].box], s[0], int(s[0].op[s[0].sp - 1]))


@entry
def resume(box: Records[Box], s: Records[State]) -> None:
    """Runs a state put together by hand to its next decision."""
    advance(box[s[0].box], s[0])
