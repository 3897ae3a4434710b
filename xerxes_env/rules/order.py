"""Turn order (X-O), with Lydia's power (X-S5)."""

from __future__ import annotations

from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env import steps
from xerxes_env.state import State


@kernel
def run_turn_order(s: State) -> None:
    """X-O1: who has a worker on the turn-order space rearranges. X-O2: else the order stays, but for Lydia (X-S5)."""
    pop(s)
    s.phase, s.second = c.TURN_ORDER, 0
    if s.worker[c.ORDER_SPACE] != c.NONE:
        push(s, steps.NEXT_PLACE, int(s.worker[c.ORDER_SPACE]))
        return
    for seat in range(s.players):
        if s.satrap[seat] == c.LYDIA:
            push(s, steps.REARRANGE, seat)


@kernel
def ask_rearrange(s: State) -> None:
    """X-S5: while the turn-order space is empty Lydia may rearrange, once a game."""
    if s.power[top(s, 0)] > 0 and s.players > 1:
        option(s, a.DONE)
        option(s, a.POWER)


@kernel
def answer_rearrange(s: State, action: int) -> None:
    seat = top(s, 0)
    pop(s)
    if action == a.POWER:
        s.power[seat] = 0  # X-S0
        push(s, steps.NEXT_PLACE, seat)


@kernel
def ask_next_place(s: State) -> None:
    """X-O1: the turn tokens, place by place, at will."""
    for seat in range(s.players):
        placed = False
        for place in range(top(s, 1)):
            if s.new_order[place] == seat:
                placed = True
        if not placed:
            option(s, a.SEAT + seat)


@kernel
def answer_next_place(s: State, seat: int) -> None:
    """X-O3: no phase of this round is left, so the order counts from the next one on."""
    place = top(s, 1)
    s.new_order[place] = seat
    set_top(s, 1, place + 1)
    if place + 1 == s.players:
        for i in range(s.players):
            s.order[i] = s.new_order[i]
            s.new_order[i] = c.NONE
        pop(s)
