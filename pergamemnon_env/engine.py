"""The machine: runs steps until somebody must choose, and the functions that programs call."""

from __future__ import annotations

from typing import Any

import numpy as np

from pergamemnon_env import constants as c
from pergamemnon_env import observation, steps
from pergamemnon_env.rules import aftermath, battle, hiring, setup, turn
from pergamemnon_env.state import Box, Setup, State
from tabletop.fields import Records
from tabletop.game import CHANCE, NOBODY
from tabletop.jit import entry, kernel
from tabletop.rng import below, seed_generator
from tabletop.steps import top

MASK31 = 0x7FFFFFFF
#: What :func:`tell` tells: of the blow that is to be parried, its value and what the card laid last parries; of each
#: seat, half points and the charisma under its city.
FIGURES = np.dtype(
    [("blow", "i8"), ("guard", "i8"), ("points", "i8", c.MAX_SEATS), ("charisma", "i8", c.MAX_SEATS)], align=True
)


@kernel
def asked(s: State, op: int) -> int:
    """Who answers the prompt on top."""
    if op <= steps.LAST_CHANCE:
        return CHANCE
    if op in (steps.LAY, steps.REINFORCE):
        return battle.fighter(s, top(s, 0))
    if op == steps.SPOIL:
        return battle.fighter(s, 1 - top(s, 0))
    return int(s.defender if op == steps.DISCARD else s.player)


@kernel
def weight(box: Box, s: State, op: int, action: int) -> int:
    """How many equally likely draws answer the prompt of chance on top with this."""
    card = action - c.CARD
    if op == steps.DRAW:
        return int(s.draw[top(s, 0), card]) if 0 <= card < c.KINDS else 0
    if op == steps.SHOW:
        return int(s.unseen[card - c.ARMY]) if c.ARMY <= card < c.KINDS else 0
    if op == steps.FIRST:
        return 1 if c.SEAT <= action < c.CHARISMA and setup.may_be_first(s, action - c.SEAT) else 0
    return 1 if action >= c.NATION and setup.may_lead(s, action - c.NATION) else 0


@kernel
def fits(box: Box, s: State, op: int, action: int) -> bool:
    """Whether a choice, 0 to N_ACTIONS - 1, answers the prompt on top."""
    if op <= steps.LAST_CHANCE:
        return weight(box, s, op, action) > 0
    card = action - c.CARD
    is_card = 0 <= card < c.KINDS
    if op == steps.VERB:
        return action <= c.ATTACK and turn.may_take(box, s, action)
    if op == steps.HIRE:
        return is_card and hiring.may_hire(box, s, card)
    if op == steps.PAY:
        return hiring.may_pay(s, action)
    if op == steps.FOE:
        return c.SEAT <= action < c.CHARISMA and battle.may_attack(s, action - c.SEAT)
    if op == steps.NAME_WEAPON:
        return c.WEAPON <= action < c.SEAT and battle.may_name(box, s, action - c.WEAPON)
    if op == steps.LAY:
        return is_card and battle.may_lay(box, s, card)
    if op == steps.REINFORCE:
        return battle.may_reinforce(s, action)
    if op == steps.SPOIL:
        return bool(c.DECK <= action <= c.CITY)
    return aftermath.may_discard(s, action)


@kernel
def answer(box: Box, s: State, op: int, action: int) -> None:
    """The prompt on top is answered."""
    s.trace[0] = (s.trace[0] * 16777619 + action + 1) & MASK31
    s.trace[1] = (s.trace[1] * 1000003 ^ (action + 7)) & MASK31
    card = action - c.CARD
    if op == steps.SHOW_NATION:
        setup.lead(box, s, action - c.NATION)
    elif op == steps.SHOW:
        setup.show(s, card - c.ARMY)
    elif op == steps.DRAW:
        aftermath.draw_card(s, card)
    elif op == steps.FIRST:
        setup.be_first(s, action - c.SEAT)
    elif op == steps.VERB:
        turn.take(s, action)
    elif op == steps.HIRE:
        hiring.hire(box, s, card)
    elif op == steps.PAY:
        hiring.pay(box, s, action)
    elif op == steps.FOE:
        battle.challenge(s, action - c.SEAT)
    elif op == steps.NAME_WEAPON:
        battle.name_weapon(s, action - c.WEAPON)
    elif op == steps.LAY:
        battle.lay(s, card)
    elif op == steps.REINFORCE:
        battle.reinforce(box, s, action)
    elif op == steps.SPOIL:
        aftermath.put(s, action)
    else:
        aftermath.discard(s, action)


@kernel
def run(box: Box, s: State, op: int) -> None:
    """A step that nobody is asked."""
    if op == steps.TURN:
        turn.begin_turn(box, s)
    elif op == steps.STRIKE:
        battle.strike(box, s)
    elif op == steps.DIVIDE:
        aftermath.divide(box, s)
    else:
        aftermath.refill(box, s)


@kernel
def only_choice(box: Box, s: State, op: int) -> int:
    """The choice where there is but one, or else -1."""
    found = -1
    for action in range(c.N_ACTIONS):
        if fits(box, s, op, action):
            if found >= 0:
                return -1
            found = action
    return found


@kernel
def sampled(box: Box, s: State, op: int) -> int:
    """An outcome of the draw on top, by the record's generator."""
    total = 0
    for action in range(c.N_ACTIONS):
        total += weight(box, s, op, action)
    left = below(s, total)
    for action in range(c.N_ACTIONS):
        left -= weight(box, s, op, action)
        if left < 0:
            return action
    return -1


@kernel
def advance(box: Box, s: State) -> None:
    """Runs steps until somebody has a choice to make. A single option is no choice and is taken."""
    while s.sp > 0:
        op = int(s.op[s.sp - 1])
        if op > steps.LAST_PROMPT:
            run(box, s, op)
            continue
        s.to_act = asked(s, op)
        only = only_choice(box, s, op)
        if only >= 0:
            answer(box, s, op, only)
        elif s.to_act == CHANCE and s.manual_chance == 0:
            answer(box, s, op, sampled(box, s, op))
        else:
            return


# Entry points: ``box`` holds every box that is played with, and a state says which is its own


@entry
def reset(box: Records[Box], s: Records[State], how: Records[Setup], seed: int) -> None:
    """Begins a game: ``how`` is a SETUP array (1,), ``seed`` any int64; ``s``, STATE (1,), is overwritten."""
    one = s[0]
    one.box = how[0].box
    one.players = how[0].players
    one.manual_chance = how[0].manual_chance
    one.to_act = CHANCE
    seed_generator(one, seed)
    setup.begin(box[one.box], one)
    advance(box[one.box], one)


@entry
def apply(box: Records[Box], s: Records[State], action: int) -> bool:
    """Makes a choice and runs to the next one. False, and nothing changed, where it is not legal."""
    one = s[0]
    if one.to_act == NOBODY or action < 0 or action >= c.N_ACTIONS:
        return False
    op = int(one.op[one.sp - 1])
    if not fits(box[one.box], one, op, action):
        return False
    one.paid[:] = 0.0
    one.decisions += 1 if one.to_act >= 0 else 0
    answer(box[one.box], one, op, action)
    advance(box[one.box], one)
    return True


@entry
def legal(box: Records[Box], s: Records[State], mask: Any) -> None:
    """Writes ``mask`` (int8[N_ACTIONS]): 1 exactly where :func:`apply` accepts."""
    one = s[0]
    for action in range(c.N_ACTIONS):
        mask[action] = 0
        if one.to_act != NOBODY and fits(box[one.box], one, int(one.op[one.sp - 1]), action):
            mask[action] = 1


@entry
def weights(box: Records[Box], s: Records[State], out: Any) -> None:
    """Writes ``out`` (float64[N_ACTIONS]): the weights of the outcomes where chance is to act, else zeros."""
    one = s[0]
    for action in range(c.N_ACTIONS):
        out[action] = 0.0
        if one.to_act == CHANCE:
            out[action] = weight(box[one.box], one, int(one.op[one.sp - 1]), action)


@entry
def sample(box: Records[Box], s: Records[State]) -> int:
    """An outcome by the record's own generator. Only where chance is to act."""
    return sampled(box[s[0].box], s[0], int(s[0].op[s[0].sp - 1]))


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
    advance(box[s[0].box], s[0])


@entry
def tell(box: Records[Box], s: Records[State], out: Any) -> None:
    """Writes ``out`` (:data:`FIGURES`, shape (1,)): figures that lie open, for words and pictures."""
    one, told = s[0], out[0]
    own = box[one.box]
    told.blow = told.guard = 0
    if one.sp > 0 and one.op[one.sp - 1] == steps.REINFORCE:
        side = top(one, 0)
        told.blow = battle.blow(own, one, 1 - side)
        told.guard = battle.guard(own, one, side)
    for seat in range(one.players):
        told.points[seat] = observation.points(own, one, seat)
        told.charisma[seat] = hiring.under_city(own, one, seat)
