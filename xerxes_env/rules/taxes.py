"""Tax (X-T)."""

from __future__ import annotations

from tabletop.jit import kernel
from tabletop.steps import option, pop, push, top
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env import steps
from xerxes_env.rules import paying
from xerxes_env.state import Box, State


@kernel
def ask_tax(box: Box, s: State) -> None:
    """X-T1: any number of tax cards from the hand, one after the other, each for the resources drawn on it."""
    seat = top(s, 0)
    option(s, a.DONE)
    for card in range(c.N_TAX):
        if s.tax[card] == c.HAND + seat and paying.enough(s, seat, box.tax_cost[card]):
            option(s, a.TAX + card)
    if paying.may_steal(box, s, seat):
        option(s, a.POWER)


@kernel
def answer_tax(box: Box, s: State, action: int) -> None:
    """X-T3: a card that shows a unit lies in front: the next march counts it (``march.begin``)."""
    seat, card = top(s, 0), action - a.TAX
    if action == a.DONE:
        pop(s)
    elif action == a.POWER:
        push(s, steps.STEAL_FROM, seat)
    else:
        s.tax[card] = c.PLAYED + seat
        push(s, steps.TAXED, seat, card)
        paying.begin(s, seat, box.tax_cost[card])


@kernel
def run_taxed(box: Box, s: State) -> None:
    """X-T2: VP at once."""
    s.vp[top(s, 0)] += box.tax_vp[top(s, 1)]
    pop(s)
