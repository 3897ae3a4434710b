"""A player's turn: the menu of actions and free actions (5a-5h, p. 24), and what each verb costs."""

from __future__ import annotations

from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import steps
from sammu_env.actions import CHARACTER, DONE, VERB
from sammu_env.box import Box
from sammu_env.rules import pools
from sammu_env.rules.actions import attack, cards, move, special, trade
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, top


@kernel
def free_left(s: State, seat: int, who: int) -> bool:
    """A12: five free actions a month; one who acts by grace spends an action on each (T1, sun)."""
    if s.granted[who] > 0:
        return s.actions[who] > 0
    return s.free_actions[seat] > 0


@kernel
def spend_free(s: State, seat: int, who: int) -> None:
    """Pays for a free action."""
    if s.granted[who] > 0:
        s.actions[who] -= 1
    else:
        s.free_actions[seat] -= 1


@kernel
def barters_free(box: Box, s: State, seat: int, who: int) -> bool:
    """SAM-007: Ithobaal barters as a free action."""
    return box.ability[who, s.side[who], c.A_FREE_BARTER] > 0 and free_left(s, seat, who)


@kernel
def ask_turn(box: Box, s: State) -> None:
    """A13: any mix, any order, or no more. Who dies leaves the turn to another."""
    seat = top(s, 0)
    if s.active < 0:
        s.active = next_to_act(s, seat)
    who = int(s.active)
    if who >= 0:
        acting = s.actions[who] > 0
        if acting:
            offer_actions(box, s, seat, who)
        if acting or barters_free(box, s, seat, who):
            if trade.can_barter(box, s, who, True):
                option(s, VERB + a.V_BARTER_FOR_SUPPLY)
            if trade.can_barter(box, s, who, False):
                option(s, VERB + a.V_BARTER_FOR_GOODS)
        if free_left(s, seat, who):
            offer_free_actions(box, s, seat, who)
    if special.can_lift_assassination(box, s):
        option(s, VERB + a.V_REMOVE_ASSASSINATION)
    if special.can_grant(box, s, seat):
        option(s, VERB + a.V_EXTRA_ACTION)
    if can_switch(s, seat):
        option(s, VERB + a.V_SWITCH)
    option(s, DONE)


@kernel
def offer_actions(box: Box, s: State, seat: int, who: int) -> None:
    """What costs an action."""
    if move.can_move(box, s, who, 1, True):
        option(s, VERB + a.V_MOVE)
    if attack.can_attack(box, s, who):
        option(s, VERB + a.V_ATTACK)
    if cards.can_play(box, s, seat, who, cards.PAID):
        option(s, VERB + a.V_PLAY_CARD)
    for which in range(c.MAX_SPECIALS):
        if special.can_special(box, s, seat, who, which):
            option(s, VERB + a.V_SPECIAL + which)
    if s.technology[s.location[who]] >= 0:
        option(s, VERB + a.V_PICK_UP)
    if s.has[who, c.AMPHORA] > 0 and trade.can_convert(box, s, who):
        option(s, VERB + a.V_CONVERT)


@kernel
def offer_free_actions(box: Box, s: State, seat: int, who: int) -> None:
    """What costs a free action."""
    if trade.can_trade_goods(s, who):
        option(s, VERB + a.V_TRADE_GOODS)
    if trade.can_trade_cards(s, seat, who):
        option(s, VERB + a.V_TRADE_CARDS)
    if trade.can_market(box, s, who):
        option(s, VERB + a.V_MARKET)
    if trade.can_take(s, who):
        option(s, VERB + a.V_TAKE_GOODS)


@kernel
def can_switch(s: State, seat: int) -> bool:
    """Whether another character waits for this seat."""
    for who in range(pools.PEOPLE):
        if waits_for(s, seat, who):
            return True
    return False


@kernel
def waits_for(s: State, seat: int, who: int) -> bool:
    """Another character who may act now; not one left since anything was done, nor one whose part is over."""
    if who == s.active or (s.switched | s.finished) >> who & 1 or s.user[who] != seat or s.location[who] < 0:
        return False
    return s.actions[who] > 0 or free_left(s, seat, who)


@kernel
def next_to_act(s: State, seat: int) -> int:
    """Another character with whom this turn goes on: one with actions left; or -1."""
    for who in range(pools.PEOPLE):
        if s.user[who] == seat and s.finished >> who & 1 == 0 and s.actions[who] > 0:
            return who
    return -1


@kernel
def finish_part(s: State, seat: int) -> None:
    """A13: the active character is done; the turn goes on with another who has actions left, or is over (p. 39)."""
    left = int(s.switched)
    s.switched = 0
    if s.active >= 0:
        s.finished |= 1 << s.active
    s.active = next_to_act(s, seat)
    if s.active < 0:
        s.active = left_behind(s, seat, left)
    if s.active < 0:
        pop(s)


@kernel
def left_behind(s: State, seat: int, left: int) -> int:
    """One of those, as bits, left for another who then did nothing: free actions may be open there; or -1."""
    for who in range(pools.PEOPLE):
        if left >> who & 1 and s.user[who] == seat and s.finished >> who & 1 == 0:
            return who
    return -1


@kernel
def answer_turn(box: Box, s: State, action: int) -> None:
    """Pays for the verb and begins it."""
    seat = top(s, 0)
    who = int(s.active)
    if action == DONE:
        finish_part(s, seat)
        return
    verb = int(action) - VERB
    if verb == a.V_SWITCH:
        push(s, steps.SWITCH, seat)
        return
    s.switched = 0
    if verb == a.V_EXTRA_ACTION:
        push(s, steps.GRANT, seat)
    elif verb == a.V_REMOVE_ASSASSINATION:
        special.lift_assassination(box, s)
    elif verb == a.V_BARTER_FOR_SUPPLY or verb == a.V_BARTER_FOR_GOODS:
        pay_barter(box, s, seat, who, verb == a.V_BARTER_FOR_SUPPLY)
    elif verb >= a.V_TRADE_GOODS:
        spend_free(s, seat, who)
        begin_free_action(s, seat, who, verb)
    else:
        s.actions[who] -= 1
        begin_action(box, s, seat, who, verb)


@kernel
def pay_barter(box: Box, s: State, seat: int, who: int, for_supply: bool) -> None:
    """A8, SAM-007: an action, or a free one; with both to choose from the seat is asked."""
    free = barters_free(box, s, seat, who)
    if free and s.granted[who] == 0 and s.actions[who] > 0:
        push(s, steps.BARTER_AS, who, 1 if for_supply else 0)
        return
    if free:
        spend_free(s, seat, who)
    else:
        s.actions[who] -= 1
    trade.begin_barter(s, who, for_supply)


@kernel
def begin_action(box: Box, s: State, seat: int, who: int, verb: int) -> None:
    """An action begins."""
    if verb == a.V_MOVE:
        push(s, steps.MOVE, who, move.steps_of(s, who, 1), 1)
    elif verb == a.V_ATTACK:
        push(s, steps.ATTACK, who)
    elif verb == a.V_PLAY_CARD:
        push(s, steps.PLAY_CARD, seat, cards.PAID)
    elif verb == a.V_PICK_UP:
        cards.pick_up(s)
    elif verb == a.V_CONVERT:
        push(s, steps.CONVERT_FROM, who)
    else:
        special.begin_special(box, s, seat, who, verb - a.V_SPECIAL)


@kernel
def begin_free_action(s: State, seat: int, who: int, verb: int) -> None:
    """A free action begins."""
    if verb == a.V_TRADE_GOODS:
        push(s, steps.TRADE_WITH, who)
    elif verb == a.V_TRADE_CARDS:
        push(s, steps.CARDS_WITH, seat)
    elif verb == a.V_MARKET:
        push(s, steps.MARKET_GIVE, who)
    else:
        push(s, steps.TAKE_GOODS, who, 0)


@kernel
def ask_switch(s: State) -> None:
    """Who acts now."""
    for who in range(pools.PEOPLE):
        if waits_for(s, top(s, 0), who):
            option(s, CHARACTER + who)


@kernel
def answer_switch(s: State, who: int) -> None:
    """That character acts."""
    if s.active >= 0:
        s.switched |= 1 << s.active
    s.active = who
    pop(s)
