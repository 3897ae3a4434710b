"""Stage 5a: who is consulted, who begins, and whose turn it is (pp. 24-25)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import steps
from sammu_env.actions import CHARACTER, DONE, PLAYER
from sammu_env.box import Box
from sammu_env.rules import pools
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, top

#: Discs of a player who plays alone (S1).
SOLO_DISCS = 3


@kernel
def begin_actions(s: State) -> None:
    """A1: discs first, then who begins, then the turns."""
    for seat in range(s.players):
        s.free_actions[seat] = c.FREE_ACTIONS
    push(s, steps.END_ACTIONS)
    push(s, steps.BEGIN_TURNS)
    push(s, steps.FIRST_PLAYER)
    if s.players == 1:
        for _ in range(SOLO_DISCS):
            push(s, steps.CONSULT, 0)
    for seat in range(s.players - 1, -1, -1):
        if s.players > 1:
            push(s, steps.CONSULT, seat)


@kernel
def may_consult(s: State, seat: int, who: int) -> bool:
    """A1: a public character in play, Sammu-ramat, or the seat's own personal advisor."""
    return s.status[who] == c.IN_PLAY and (s.owner[who] < 0 or s.owner[who] == seat)


@kernel
def free_to_consult(s: State, seat: int, who: int) -> bool:
    """A1: each character once a month."""
    return s.consulted[who] < 0 and may_consult(s, seat, who)


@kernel
def all_can_consult(s: State, seat: int) -> bool:
    """Whether a seat and those after it can still consult a character each: own advisors serve one seat, others any."""
    served = 0
    for who in range(pools.PEOPLE):
        if s.status[who] == c.IN_PLAY and s.consulted[who] < 0 and (s.owner[who] < 0 or s.owner[who] >= seat):
            served += 1
    return served >= s.players - seat


@kernel
def ask_consult(s: State) -> None:
    """A1, A2: own personal advisor, a public one, or Sammu-ramat; with too few for all a player may go without."""
    seat = top(s, 0)
    for who in range(pools.PEOPLE):
        if free_to_consult(s, seat, who):
            option(s, CHARACTER + who)
    if s.players > 1 and s.n_options > 0 and not all_can_consult(s, seat):
        option(s, DONE)
    if s.n_options == 0:
        pop(s)


@kernel
def answer_consult(box: Box, s: State, action: int) -> None:
    """U12: so many actions for the month; a wheel draws a card (T1)."""
    seat = top(s, 0)
    pop(s)
    if action == DONE:
        return
    who = int(action) - CHARACTER
    s.consulted[who] = seat
    s.actions[who] = actions_a_month(box, s, who)
    if s.has[who, c.WHEEL] > 0:
        push(s, steps.DRAW_CARD, seat, s.has[who, c.WHEEL])


@kernel
def actions_a_month(box: Box, s: State, who: int) -> int:
    """U12: by number of players and sort of character, with what the event takes, or adds for Sammu-ramat."""
    column = 2 if who == c.SAMMU_RAMAT else (1 if s.owner[who] >= 0 else 0)
    more = int(s.queen_actions) if who == c.SAMMU_RAMAT else 0
    return max(0, int(box.actions[s.players, column]) + more - int(s.fewer_actions[who]))


@kernel
def ask_first_player(s: State) -> None:
    """A1: the team says who begins."""
    for seat in range(s.players):
        option(s, PLAYER + seat)


@kernel
def answer_first_player(s: State, seat: int) -> None:
    """That player begins."""
    s.first_player = seat
    s.seat = seat
    pop(s)


@kernel
def run_begin_turns(s: State) -> None:
    """Clockwise, each one's actions all at once."""
    pop(s)
    for i in range(s.players - 1, -1, -1):
        push(s, steps.BEGIN_TURN, (s.first_player + i) % s.players)


@kernel
def run_begin_turn(s: State) -> None:
    """A2: a player without a disc acts with those already consulted, but for others' personal advisors (pp. 34, 54)."""
    seat = top(s, 0)
    pop(s)
    s.seat = seat
    s.switched = s.finished = 0
    without = not has_disc(s, seat)
    s.active = -1
    for who in range(pools.PEOPLE):
        s.user[who] = -1
        shared = without and s.consulted[who] >= 0 and s.owner[who] < 0
        if s.status[who] == c.IN_PLAY and (s.consulted[who] == seat or shared):
            s.user[who] = seat
            s.actions[who] += s.leftover[who]
            s.leftover[who] = 0
            if s.active < 0 or (s.actions[s.active] == 0 and s.actions[who] > 0):
                s.active = who
    push(s, steps.END_TURN, seat)
    push(s, steps.TURN, seat)


@kernel
def has_disc(s: State, seat: int) -> bool:
    """Whether a seat has consulted anyone this month; the disc stays when that character dies (p. 24)."""
    for who in range(pools.PEOPLE):
        if s.consulted[who] == seat:
            return True
    return False


@kernel
def somebody_shares(s: State) -> bool:
    """Whether a seat without a disc still has its turn to come."""
    for seat in range(s.players):
        if s.turn_done[seat] == 0 and not has_disc(s, seat):
            return True
    return False


@kernel
def run_end_turn(s: State) -> None:
    """A5: supply and medicine left at Sardes or Damascus return; actions left wait for those without a disc (A2)."""
    seat = top(s, 0)
    pop(s)
    for zone in (c.DAMASCUS_ZONE, c.SARDES_ZONE):
        pools.take_token(s, c.SUPPLY, zone, s.token[c.SUPPLY, zone])
        pools.take_token(s, c.MEDICINE, zone, s.token[c.MEDICINE, zone])
    s.turn_done[seat] = 1
    s.active = -1
    shares = somebody_shares(s)
    for who in range(pools.PEOPLE):
        if s.granted[who] > 0:
            s.actions[who] = 0
        elif s.consulted[who] >= 0 and s.turn_done[s.consulted[who]] > 0:
            s.leftover[who] += s.actions[who]
            s.actions[who] = 0
        if not shares or s.owner[who] >= 0:
            s.leftover[who] = 0
        s.granted[who] = 0
        s.user[who] = -1
