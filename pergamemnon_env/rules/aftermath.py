"""P-B, P-S, P-L: after the battle, captured cards, leaders."""

from __future__ import annotations

from pergamemnon_env import constants as c
from pergamemnon_env import steps
from pergamemnon_env.rules import nations, piles
from pergamemnon_env.rules.ending import end, few_cards
from pergamemnon_env.state import Box, State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, top


@kernel
def parried(s: State) -> None:
    """P-B2, P-B4, P-B7. All used cards are discarded; the defender has the next turn."""
    take_back(s, c.ATTACKER)
    take_back(s, c.DEFENDER)
    hold_out(s)
    push(s, steps.REFILL, s.defender)
    push(s, steps.REFILL, s.attacker)


@kernel
def defeat(s: State, side: int) -> None:
    """P-B1, P-B3, P-B5 to P-B7. A side has lost: its cards are divided, the defender may discard, both refill.

    If the defender has lost, the attacker has another turn.
    """
    take_back(s, 1 - side)
    if side == c.DEFENDER:
        s.active[s.defender] = 0
    else:
        hold_out(s)
    push(s, steps.REFILL, s.defender)
    push(s, steps.REFILL, s.attacker)
    push(s, steps.DISCARD, s.defender)
    push(s, steps.DIVIDE, side)


@kernel
def hold_out(s: State) -> None:
    """P-B2 to P-B4, P-B8. The attack has failed: the defender takes a charisma card, if there is one, and the turn."""
    s.active[s.attacker] = 0
    s.player = s.defender
    if s.stock > 0:
        s.stock -= 1
        s.charisma[s.defender] += 1


@kernel
def take_back(s: State, side: int) -> None:
    """P-B2, P-B6. The cards that a side used go to its discard pile."""
    seat = s.attacker if side == c.ATTACKER else s.defender
    for i in range(s.laid[side]):
        s.discard[seat, s.row[side, i] - 1] += 1
        s.row[side, i] = 0


@kernel
def next_spoil(s: State, side: int) -> int:
    """Where in the loser's row the next card lies that is not divided yet; -1 if none is left."""
    for i in range(s.laid[side]):
        if s.row[side, i] > 0:
            return i
    return -1


@kernel
def run_divide(box: Box, s: State) -> None:
    """P-S1 to P-S4, P-L3. The loser's cards are divided, one by one; then the loss of a leader takes effect."""
    side = top(s, 0)
    i = next_spoil(s, side)
    if i < 0:
        pop(s)
        mourn(box, s)
        return
    loser = s.attacker if side == c.ATTACKER else s.defender
    winner = s.attacker + s.defender - loser
    kind = int(s.row[side, i]) - 1
    if box.secure[kind] > 0:
        s.secured[loser, kind] += 1
        s.row[side, i] = 0
    elif nations.flees(box, s, loser, kind):
        if nations.catches(s, winner):
            s.discard[winner, kind] += 1
        s.row[side, i] = 0
    else:
        fall(box, s, kind)
        if box.charisma[kind] > 0:
            push(s, steps.SPOIL, side, winner)
        else:
            s.discard[winner, kind] += 1
            s.row[side, i] = 0


@kernel
def fall(box: Box, s: State, kind: int) -> None:
    """P-L1, P-L2. Whoever leads the nation whose leader is captured is going to be weakened, for good."""
    if box.leader[kind] > 0:
        for seat in range(s.players):
            if s.nation[seat] == kind // c.KINDS_OF_A_NATION:
                s.fallen[seat] = 1


@kernel
def mourn(box: Box, s: State) -> None:
    """P-L1, P-L3, P-N4. The city cards of those who have lost their leader are turned."""
    for seat in range(s.players):
        if s.fallen[seat] > 0 and s.weakened[seat] == 0:
            s.weakened[seat] = 1
            if s.nation[seat] == c.EGYPT:
                nations.abandon(box, s, seat)
        s.fallen[seat] = 0


@kernel
def ask_spoil(s: State) -> None:
    """P-S1. To the deck or under the city."""
    option(s, c.DECK)
    option(s, c.CITY)


@kernel
def answer_spoil(s: State, place: int) -> None:
    """P-S1. A captured card goes to the winner's discard pile, or under the city as charisma."""
    side, winner = top(s, 0), top(s, 1)
    i = next_spoil(s, side)
    kind = int(s.row[side, i]) - 1
    if place == c.CITY - c.DECK:
        s.city[winner, kind] += 1
    else:
        s.discard[winner, kind] += 1
    s.row[side, i] = 0
    pop(s)


@kernel
def ask_discard(s: State) -> None:
    """P-B5. Any hand card of the defender, or no more."""
    option(s, c.DONE)
    piles.offer(s, s.hand[top(s, 0)])


@kernel
def answer_discard(s: State, action: int) -> None:
    """P-B5. One card at a time."""
    if action == c.DONE:
        pop(s)
        return
    piles.leave_hand(s, s.defender, action - c.CARD)
    s.discard[s.defender, action - c.CARD] += 1


@kernel
def run_refill(box: Box, s: State) -> None:
    """P-A5, P-B7, P-E2, P-H5. A hand is filled up, from the shuffled discard pile where the draw pile is empty."""
    seat = top(s, 0)
    if few_cards(box, s, seat):
        end(box, s, c.FEW_CARDS)
    elif piles.count(s.hand, seat) >= nations.hand_size(box, s, seat):
        pop(s)
    else:
        if piles.count(s.draw, seat) == 0:
            piles.shuffle(s, seat)
        push(s, steps.DRAW, seat)


@kernel
def ask_draw(s: State) -> None:
    """P-A5. A card of the draw pile, by kind."""
    piles.offer(s, s.draw[top(s, 0)])


@kernel
def answer_draw(s: State, kind: int) -> None:
    """P-A5. A card of the draw pile comes to the hand, unseen by the others."""
    seat = top(s, 0)
    s.draw[seat, kind] -= 1
    s.hand[seat, kind] += 1
    pop(s)
