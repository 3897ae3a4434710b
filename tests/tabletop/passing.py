"""The toy with a rule that asks in the middle of another: a die that is passed on, the next seat may keep, and so on.

Its rules are steps, and the machine runs them (:mod:`tabletop.machine`).
"""

from __future__ import annotations

from typing import Any

from tabletop.fields import Array, Records, dtype_of, i4, shape
from tabletop.game import LOST, WON
from tabletop.jit import entry, kernel
from tabletop.machine import machine_of
from tabletop.prompts import Table
from tabletop.rng import seed_generator
from tabletop.steps import ARGS, DEPTH, option, pop, push, top
from tests.tabletop import toy
from tests.tabletop.toy import DIE, KEEP, LIMIT, MAX_SEATS, N_ACTIONS, PASS, ROUNDS, SETUP, Box, Setup, Toy


class State(toy.State):
    sp: i4
    op: Array[i4] = shape(DEPTH)
    arg: Array[i4] = shape(DEPTH, ARGS)
    n_options: i4
    option: Array[i4] = shape(N_ACTIONS)


STATE = dtype_of(State)

TABLE = Table()
ROLL = TABLE.draw("roll", answers="die")
TAKE = TABLE.prompt("take", "seat left:n", "verb", asked="seat")
HALT = TABLE.step("halt")
TURN = TABLE.step("turn")


@kernel
def run_turn(s: State) -> None:
    """A seat rolls and is asked; this step stays below, for the turn after it."""
    s.die = 0
    s.round, s.seat = s.rolls // s.players, s.rolls % s.players
    if s.pot > LIMIT:
        end(s, LOST, 1)
    elif s.pot >= s.goal:
        end(s, WON, 0)
    elif s.round == ROUNDS:
        end(s, LOST, 2)
    else:
        push(s, TAKE, s.seat, s.players)
        push(s, ROLL)


@kernel
def ask_roll(s: State) -> None:
    for face in range(6):
        option(s, DIE + face)


@kernel
def answer_roll(s: State, face: int) -> None:
    pop(s)
    s.die = face + 1
    s.rolls += 1


@kernel
def ask_take(s: State) -> None:
    option(s, KEEP)
    option(s, PASS)


@kernel
def answer_take(s: State, verb: int) -> None:
    """Who passes the die on has the next seat asked, until all were."""
    seat, left = top(s, 0), top(s, 1)
    pop(s)
    if verb == KEEP:
        s.pot += s.die
    elif left > 1:
        push(s, TAKE, (seat + 1) % s.players, left - 1)


@kernel
def end(s: State, result: int, cause: int) -> None:
    pop(s)
    s.result, s.cause, s.paid = result, cause, 1.0 if result == WON else -1.0


@kernel
def forget(s: State) -> None:
    s.paid = 0.0


@kernel
def weight(box: Box, s: State, action: int) -> int:
    return int(box.weight[action - DIE])


machine = machine_of(TABLE, __name__, {"verb": KEEP, "die": DIE}, forget=forget, weighted=[ROLL], weight=weight)


@entry
def reset(box: Records[Box], s: Records[State], setup: Records[Setup], seed: int) -> None:
    one = s[0]
    one.box, one.players, one.goal = setup[0].box, setup[0].players, setup[0].goal
    one.manual_chance = setup[0].manual_chance
    one.round = one.seat = one.die = one.pot = one.rolls = 0
    one.result = one.cause = one.decisions = one.sp = one.n_options = 0
    one.paid = 0.0
    one.trace[:] = 0
    one.op[:] = 0
    one.arg[:] = 0
    one.option[:] = 0
    seed_generator(one, seed)
    push(one, HALT)
    push(one, TURN)
    machine.advance(box[one.box], one)


@entry
def apply(box: Records[Box], s: Records[State], action: int) -> bool:
    return machine.choose(box[s[0].box], s[0], action)


@entry
def legal(box: Records[Box], s: Records[State], mask: Any) -> None:
    machine.legal(s[0], mask)


@entry
def weights(box: Records[Box], s: Records[State], out: Any) -> None:
    machine.weights(box[s[0].box], s[0], out)


@entry
def sample(box: Records[Box], s: Records[State]) -> int:
    return machine.sample(box[s[0].box], s[0])


@entry
def answer(box: Records[Box], s: Records[State], action: int) -> bool:
    return machine.accept(box[s[0].box], s[0], action)


@entry
def step(box: Records[Box], s: Records[State]) -> bool:
    return machine.step(box[s[0].box], s[0])


class Passing(Toy):
    name = layout = "passing"
    state, setup = STATE, SETUP
    max_decisions = ROUNDS * MAX_SEATS * MAX_SEATS
    reset, apply, legal = staticmethod(reset), staticmethod(apply), staticmethod(legal)
    weights, sample = staticmethod(weights), staticmethod(sample)
    answer, step = staticmethod(answer), staticmethod(step)
