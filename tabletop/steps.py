"""The stack of pending steps: what still has to be done, as plain data in the record.

A frame is an opcode with six arguments. A rule that must ask pushes a frame and returns; whoever answers meets the
frame again on top.
"""

from __future__ import annotations

from typing import Protocol

from tabletop.fields import Array
from tabletop.jit import kernel

DEPTH = 64
ARGS = 6


class Stack(Protocol):
    """A state with a stack of steps."""

    sp: int
    op: Array[int]  #: (DEPTH,)
    arg: Array[int]  #: (DEPTH, ARGS)


class Options(Protocol):
    """A state with a list of what is offered."""

    n_options: int
    option: Array[int]


@kernel
def push(s: Stack, op: int, a: int = 0, b: int = 0, c: int = 0, d: int = 0, e: int = 0, f: int = 0) -> None:
    """Puts a step on top: it runs next."""
    i = s.sp
    s.op[i] = op
    s.arg[i, 0] = a
    s.arg[i, 1] = b
    s.arg[i, 2] = c
    s.arg[i, 3] = d
    s.arg[i, 4] = e
    s.arg[i, 5] = f
    s.sp = i + 1


@kernel
def pop(s: Stack) -> None:
    """Takes the top step away."""
    s.sp -= 1


@kernel
def top(s: Stack, i: int) -> int:
    """Argument ``i`` of the top step."""
    return int(s.arg[s.sp - 1, i])


@kernel
def set_top(s: Stack, i: int, value: int) -> None:
    """Changes argument ``i`` of the top step."""
    s.arg[s.sp - 1, i] = value


@kernel
def option(s: Options, action: int) -> None:
    """Offers an action to whoever is asked. An action is offered once."""
    s.option[s.n_options] = action
    s.n_options += 1
