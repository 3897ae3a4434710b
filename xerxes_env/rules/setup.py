"""Setup (X-A)."""

from __future__ import annotations

from typing import Any

from tabletop.game import CHANCE
from tabletop.jit import kernel
from tabletop.rng import seed_generator
from tabletop.steps import option, pop, push, set_top, top
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env import steps
from xerxes_env.state import Box, Setup, State


@kernel
def clear(s: State, how: Setup, seed: int) -> None:
    """X-A1, X-A3, X-A7, X-A9: resources and VP at 0, all tokens at hand, satraps at home, decks face down, year 1."""
    s.box, s.players, s.manual_chance = how.box, how.players, how.manual_chance
    s.decisions = s.cause = s.second = s.redeals = 0
    s.round, s.phase, s.event = 1, c.SETUP, c.NONE
    s.to_act = CHANCE
    s.sp = s.n_options = 0
    s.joker = s.units_left = 0
    s.trace[:] = 0
    s.paid[:] = 0.0
    s.rank[:] = 0
    s.order[:] = c.NONE
    s.new_order[:] = c.NONE
    s.vp[:] = 0
    s.power[:] = 0
    s.standing[:] = 0
    s.resource[:] = 0
    s.gained[:] = 0
    s.worker[:] = c.NONE
    s.owner[:] = c.NONE
    s.tax[:] = c.DECK
    s.march[:] = c.DECK
    s.event_seen[:] = 0
    s.ignores[:] = 0
    s.at_hand[:] = 0
    s.owed_unit[:] = 0
    s.tax_unit[:] = 0
    s.owed[:] = 0
    s.op[:] = 0
    s.arg[:] = 0
    s.option[:] = 0
    for seat in range(c.MAX_PLAYERS):
        s.satrap[seat] = how.satrap[seat] if seat < s.players else c.NONE
    seed_generator(s, seed)
    push(s, steps.HALT)
    push(s, steps.BEGIN)
    push(s, steps.DEAL_MARCH)
    push(s, steps.DEAL_TAX)
    for place in range(s.players - 1, -1, -1):
        push(s, steps.DRAW_PLACE, place)
    for seat in range(s.players - 1, -1, -1):
        if s.satrap[seat] == c.NONE:
            push(s, steps.DRAW_SATRAP, seat)


@kernel
def ask_draw_satrap(box: Box, s: State) -> None:
    """X-A2: each takes a mat and one of its two sides."""
    for satrap in range(c.N_SATRAPS):
        free = True
        for seat in range(s.players):
            if s.satrap[seat] >= 0 and box.mat[s.satrap[seat]] == box.mat[satrap]:
                free = False
        if free:
            option(s, a.SATRAP + satrap)


@kernel
def answer_draw_satrap(s: State, satrap: int) -> None:
    s.satrap[top(s, 0)] = satrap
    pop(s)


@kernel
def ask_draw_place(s: State) -> None:
    """X-A8: the turn order is random."""
    for seat in range(s.players):
        drawn = False
        for place in range(s.players):
            if s.order[place] == seat:
                drawn = True
        if not drawn:
            option(s, a.SEAT + seat)


@kernel
def answer_draw_place(s: State, seat: int) -> None:
    s.order[top(s, 0)] = seat
    pop(s)


@kernel
def run_deal_tax(s: State) -> None:
    """X-A4, X-A5, X-A10: six tax cards each; then, in turn order, each discards what it may not keep."""
    pop(s)
    for place in range(s.players - 1, -1, -1):
        push(s, steps.DISCARD_TAX, int(s.order[place]))
    push(s, steps.CHECK_DEAL)
    for seat in range(s.players - 1, -1, -1):
        push(s, steps.DRAW_TAX, seat, c.TAX_DEALT)


@kernel
def ask_draw_tax(s: State) -> None:
    if top(s, 1) > 0:
        for card in range(c.N_TAX):
            if s.tax[card] == c.DECK:
                option(s, a.TAX + card)


@kernel
def answer_draw_tax(s: State, card: int) -> None:
    s.tax[card] = c.HAND + top(s, 0)
    set_top(s, 1, top(s, 1) - 1)


@kernel
def alike(box: Box, s: State, seat: int) -> bool:
    """X-A4: a hand that shows one kind of reward, VP or the same unit or not, so often that all are dealt again."""
    for_vp = for_units = 0
    for card in range(c.N_TAX):
        if s.tax[card] == c.HAND + seat:
            if box.tax_unit[card] < 0:
                for_vp += 1
            else:
                for_units += 1
    return bool(for_vp >= box.same_rewards or for_units >= box.same_rewards)


@kernel
def run_check_deal(box: Box, s: State) -> None:
    """X-A4: if one hand calls for it, all are dealt again."""
    pop(s)
    again = False
    for seat in range(s.players):
        if alike(box, s, seat):
            again = True
    if again:
        s.tax[:] = c.DECK
        s.redeals += 1
        push(s, steps.CHECK_DEAL)
        for seat in range(s.players - 1, -1, -1):
            push(s, steps.DRAW_TAX, seat, c.TAX_DEALT)


@kernel
def count(cards: Any, where: int) -> int:
    """How many cards lie in a place."""
    n = 0
    for card in range(len(cards)):
        if cards[card] == where:
            n += 1
    return n


@kernel
def ask_discard_tax(box: Box, s: State) -> None:
    """X-A5: each keeps five tax cards. X-S8: Assyria keeps all."""
    seat = top(s, 0)
    if s.satrap[seat] != c.ASSYRIA and count(s.tax, c.HAND + seat) > box.tax_kept:
        for card in range(c.N_TAX):
            if s.tax[card] == c.HAND + seat:
                option(s, a.TAX + card)


@kernel
def answer_discard_tax(s: State, card: int) -> None:
    """X-A10: face down, out of the game."""
    s.tax[card] = c.OUT + top(s, 0)


@kernel
def run_deal_march(s: State) -> None:
    """X-A6: four march cards each; then, in turn order, each discards what it may not keep."""
    pop(s)
    for place in range(s.players - 1, -1, -1):
        push(s, steps.DISCARD_MARCH, int(s.order[place]))
    for seat in range(s.players - 1, -1, -1):
        push(s, steps.DRAW_MARCH, seat, c.MARCH_DEALT)


@kernel
def ask_draw_march(s: State) -> None:
    if top(s, 1) > 0:
        for card in range(c.N_MARCH):
            if s.march[card] == c.DECK:
                option(s, a.MARCH + card)


@kernel
def answer_draw_march(s: State, card: int) -> None:
    s.march[card] = c.HAND + top(s, 0)
    set_top(s, 1, top(s, 1) - 1)


@kernel
def ask_discard_march(box: Box, s: State) -> None:
    """X-A6: each keeps three march cards. X-S8: Assyria keeps all."""
    seat = top(s, 0)
    if s.satrap[seat] != c.ASSYRIA and count(s.march, c.HAND + seat) > box.march_kept:
        for card in range(c.N_MARCH):
            if s.march[card] == c.HAND + seat:
                option(s, a.MARCH + card)


@kernel
def answer_discard_march(s: State, card: int) -> None:
    s.march[card] = c.OUT + top(s, 0)


@kernel
def run_begin(s: State) -> None:
    """X-A3, X-A7: satraps stand, power tokens lie on the mats. X-S8: Assyria has none to use."""
    pop(s)
    for seat in range(s.players):
        s.standing[seat] = 1
        s.power[seat] = 0 if s.satrap[seat] == c.ASSYRIA else 1
    push(s, steps.ROUND)
