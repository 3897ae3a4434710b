"""Stage 4: each player draws, and the gates' areas pay their goods (pp. 22-23)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import steps
from sammu_env.actions import CHARACTER, GOOD
from sammu_env.box import Box
from sammu_env.rules import effects, pools
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top


@kernel
def draw_cards(box: Box, s: State) -> None:
    """H1: each player draws one card, alone two; then hands go down to the limit."""
    for seat in range(s.players - 1, -1, -1):
        push(s, steps.DISCARD_TO_LIMIT, seat)
    for seat in range(s.players - 1, -1, -1):
        push(s, steps.DRAW_CARD, seat, box.cards_a_month[s.players])


@kernel
def run_discard_to_limit(box: Box, s: State) -> None:
    """H1, U9: five cards, alone seven."""
    seat = top(s, 0)
    pop(s)
    excess = int(s.hand_n[seat] - box.hand_limit[s.players])
    if excess > 0:
        push(s, steps.DISCARD, seat, excess)


@kernel
def collect_tax(box: Box, s: State) -> None:
    """H2: two goods for each gate's area; what the pool lacks is not to be had."""
    push(s, steps.TAX, 0, 0, 0, 0, 0, c.MAX_TAX)
    for area in range(pools.AREAS_N):
        if s.gate[area] > 0:
            good = int(box.area_good[area])
            set_top(s, good, top(s, good) + 2)
    for good in range(pools.GOODS_N):
        set_top(s, good, min(top(s, good), int(s.good_pool[good])))


@kernel
def ask_tax(s: State) -> None:
    """H2: six goods at most; the team picks which."""
    if top(s, 5) > 0:
        for good in range(pools.GOODS_N):
            if top(s, good) > 0:
                option(s, GOOD + good)
    if s.n_options == 0:
        pop(s)


@kernel
def answer_tax(s: State, good: int) -> None:
    """Then whose card it goes on."""
    set_top(s, good, top(s, good) - 1)
    set_top(s, 5, top(s, 5) - 1)
    push(s, steps.TAX_TO, good, c.CHARACTERS_GROUP)


@kernel
def ask_tax_to(s: State) -> None:
    """Any character in play, Sammu-ramat too; of an event, any advisor (SAM-024)."""
    for who in range(pools.PEOPLE):
        if pools.in_group(s, who, top(s, 1)):
            option(s, CHARACTER + who)


@kernel
def answer_tax_to(s: State, who: int) -> None:
    """The good lies on the card."""
    pools.add_good(s, who, top(s, 0), 1)
    pop(s)


@kernel
def run_settle_bribes(s: State) -> None:
    """SAM-027: at the end of the month each of a group pays, public advisors if no edition says otherwise."""
    pop(s)
    for group in range(len(c.GROUPS) - 1, -1, -1):
        if s.bribes[group] > 0:
            push(s, steps.PAY_EACH, group, s.bribes[group], c.UNPAID_BAG, 0, s.event_area)


@kernel
def run_end_actions(s: State) -> None:
    """W4: SAM-025's goods are owed after the action phase, or the game is lost."""
    pop(s)
    if s.corruption > 0:
        push(s, steps.PAY_GROUP, c.ADVISORS_GROUP, s.corruption, effects.UNPAID_LOSES)
