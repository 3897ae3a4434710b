"""The machine of a game whose rules ask in the middle of other rules: it runs pending steps until somebody must choose.

A game brings its table of steps (:mod:`tabletop.prompts`), its rules and a few hooks; :func:`machine_of` makes the
kernels for it, which its entry points call. Fields of the state that the machine uses, beside those of the stack
(:mod:`tabletop.steps`) and those that every game has (:mod:`tabletop.game`): ``n_options``, ``option`` [n_actions], and
``seat``, unless the game says itself whose turn it is.

A game halts on a step ``halt``, the lowest of its stack.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple, Protocol

import numpy as np

from tabletop.fields import Array
from tabletop.game import CHANCE, NOBODY
from tabletop.jit import kernel
from tabletop.prompts import HALT, Table, dispatcher
from tabletop.rng import Generator, below
from tabletop.steps import Options, Stack, pop, top

MASK31 = 0x7FFFFFFF


class Asking(Stack, Options, Generator, Protocol):
    """The fields of a state that it uses."""

    to_act: int
    manual_chance: int
    decisions: int
    trace: Array[int]


class Seated(Protocol):
    """A state that says whose turn it is."""

    seat: int


class Machine(NamedTuple):
    """Kernels on one box and one state; ``action`` is any number."""

    advance: Callable[[Any, Any], None]  #: (box, s): runs steps until somebody is asked or the game is over
    step: Callable[[Any, Any], bool]  #: (box, s): after ``accept`` runs the step on top, once; False: none was left
    offered: Callable[[Any, int], bool]  #: (s, action): whether it may be chosen
    accept: Callable[[Any, Any, int], bool]  #: (box, s, action): answers, if it is offered, and runs nothing after it
    choose: Callable[[Any, Any, int], bool]  #: (box, s, action): answers, if it is offered, and runs on
    legal: Callable[[Any, Any], None]  #: (s, mask): writes 1 for what is offered, else 0
    weights: Callable[[Any, Any, Any], None]  #: (box, s, out): probabilities of the outcomes where chance is asked
    sample: Callable[[Any, Any], int]  #: (box, s): an outcome of the draw on top, by the state's generator


@kernel
def nothing(box: Any, s: Asking) -> None:
    """A hook that does nothing."""


@kernel
def free(s: Asking) -> None:
    """Nothing was paid."""


@kernel
def equally(box: Any, s: Asking, action: int) -> int:
    """Outcomes that are all as likely."""
    return 1


@kernel
def seat_of(s: Seated) -> int:
    """Whose turn it is, as the state says."""
    return s.seat


def machine_of(
    table: Table,
    chapters: str,
    blocks: Mapping[str, int],
    *,
    settle: Callable[[Any, Any], None] = nothing,
    forget: Callable[[Any], None] = free,
    whose_turn: Callable[[Any], int] = seat_of,
    weighted: Sequence[int] = (),
    weight: Callable[[Any, Any, int], int] = equally,
) -> Machine:
    """Makes the machine of a game. All hooks are kernels.

    Args:
        table: its steps, all of them.
        chapters: the package, or the module, of its rules.
        blocks: the first number of each block of its catalogue; what is answered with "yes" needs ``done``.
        settle: ``(box, s)``: what follows from the state alone, before each step.
        forget: ``(s)``: before a choice: what the last one paid is paid.
        whose_turn: ``(s) -> seat`` that is asked where the step names none.
        weighted: the draws whose outcomes are not all as likely.
        weight: ``(box, s, action) -> int``: how many of the equally likely draws give an outcome of such a draw.

    Raises:
        ValueError, AttributeError, TypeError: the table or the rules are not whole; the message says what is missing.
    """
    if HALT not in table.names:
        raise ValueError(f"the table has no step {HALT}, on which the machine stops: add table.step({HALT!r})")
    ask = dispatcher("ask", "box, s, op", table, chapters, blocks)
    answer = dispatcher("answer", "box, s, op, action", table, chapters, blocks)
    run = dispatcher("run", "box, s, op", table, chapters, blocks)
    halt, last_chance, last_prompt, seats = table.names.index(HALT), table.last_chance, table.last_prompt, table.asked
    uneven = np.isin(np.arange(len(table)), weighted)

    @kernel
    def take(box: Any, s: Asking, action: int) -> None:
        """The prompt on top is answered, and its options are gone."""
        s.n_options = 0
        s.trace[0] = (s.trace[0] * 16777619 + action + 1) & MASK31
        s.trace[1] = (s.trace[1] * 1000003 ^ (action + 7)) & MASK31
        answer(box, s, int(s.op[s.sp - 1]), action)

    @kernel
    def asked(s: Asking, op: int) -> int:
        """The seat that answers: the one the step names, else whose turn it is."""
        if op <= last_chance:
            return CHANCE
        return top(s, seats[op]) if seats[op] >= 0 else whose_turn(s)

    @kernel
    def weight_of(box: Any, s: Asking, action: int) -> int:
        return weight(box, s, action) if uneven[s.op[s.sp - 1]] else 1

    @kernel
    def sample(box: Any, s: Asking) -> int:
        if not uneven[s.op[s.sp - 1]]:  # most draws are: a deck is long
            return int(s.option[below(s, s.n_options)])
        total = 0
        for i in range(s.n_options):
            total += weight(box, s, s.option[i])
        left = below(s, total)
        for i in range(s.n_options):
            left -= weight(box, s, s.option[i])
            if left < 0:
                return int(s.option[i])
        return int(s.option[0])

    @kernel
    def turn(box: Any, s: Asking) -> bool:
        """The step on top runs; a single option is no choice and is taken. False: the machine stops here."""
        settle(box, s)
        op = int(s.op[s.sp - 1])
        s.n_options = 0
        if op == halt:
            s.to_act = NOBODY
            return False
        if op > last_prompt:
            run(box, s, op)
            return True
        sp = int(s.sp)
        ask(box, s, op)
        if s.n_options == 0:
            if s.sp == sp:
                pop(s)
        elif s.n_options == 1:
            take(box, s, s.option[0])
        elif op <= last_chance and s.manual_chance == 0:
            take(box, s, sample(box, s))
        else:
            s.to_act = asked(s, op)
            return False
        return True

    @kernel
    def advance(box: Any, s: Asking) -> None:
        while turn(box, s):
            pass

    @kernel
    def step(box: Any, s: Asking) -> bool:
        if s.to_act == NOBODY or s.n_options > 0:
            return False
        turn(box, s)
        return True

    @kernel
    def offered(s: Asking, action: int) -> bool:
        if s.to_act != NOBODY:
            for i in range(s.n_options):
                if s.option[i] == action:
                    return True
        return False

    @kernel
    def accept(box: Any, s: Asking, action: int) -> bool:
        if not offered(s, action):
            return False
        forget(s)
        s.decisions += 1 if s.to_act >= 0 else 0
        take(box, s, action)
        return True

    @kernel
    def choose(box: Any, s: Asking, action: int) -> bool:
        if not accept(box, s, action):
            return False
        advance(box, s)
        return True

    @kernel
    def legal(s: Asking, mask: Any) -> None:
        mask[:] = 0
        if s.to_act != NOBODY:
            for i in range(s.n_options):
                mask[s.option[i]] = 1

    @kernel
    def weights(box: Any, s: Asking, out: Any) -> None:
        out[:] = 0.0
        if s.to_act == CHANCE:
            total = 0.0
            for i in range(s.n_options):
                total += weight_of(box, s, s.option[i])
            for i in range(s.n_options):
                out[s.option[i]] = weight_of(box, s, s.option[i]) / total

    return Machine(advance, step, offered, accept, choose, legal, weights, sample)
