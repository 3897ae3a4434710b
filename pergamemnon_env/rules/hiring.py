"""P-H: hiring a creature."""

from __future__ import annotations

from pergamemnon_env import constants as c
from pergamemnon_env import steps
from pergamemnon_env.rules import nations, piles
from pergamemnon_env.rules.ending import end
from pergamemnon_env.state import Box, State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push


@kernel
def highest_charisma(box: Box, s: State, seat: int) -> int:
    """P-H1. That of the hand card with most of it."""
    highest = 0
    for kind in range(c.KINDS):
        if s.hand[seat, kind] > 0:
            highest = max(highest, int(box.charisma[kind]))
    return highest


@kernel
def under_city(box: Box, s: State, seat: int) -> int:
    """P-H1. The charisma under a city: charisma cards and captured cards, alike. Each has at least 1."""
    total = int(s.charisma[seat])
    for kind in range(c.KINDS):
        total += int(s.city[seat, kind]) * int(box.charisma[kind])
    return total


@kernel
def means(box: Box, s: State) -> int:
    """P-H1, P-H8. What a creature may cost that the player hires with a hand card and one or more from under the city;
    -1: none lies there."""
    saved = under_city(box, s, s.player)
    return highest_charisma(box, s, s.player) + saved if saved > 0 else -1


@kernel
def may_hire(box: Box, s: State) -> bool:
    """P-T1. Whether any creature of the display can be paid."""
    most = means(box, s)
    for creature in range(c.CREATURES):
        if s.display[creature] > 0 and nations.cost(box, s, s.player, c.ARMY + creature) <= most:
            return True
    return False


@kernel
def ask_hire(box: Box, s: State) -> None:
    """P-H1, P-H8. Any creature of the display that can be paid."""
    most = means(box, s)
    for creature in range(c.CREATURES):
        if s.display[creature] > 0 and nations.cost(box, s, s.player, c.ARMY + creature) <= most:
            option(s, c.CARD + c.ARMY + creature)


@kernel
def answer_hire(box: Box, s: State, kind: int) -> None:
    """P-H1, P-H3. The hand card of highest charisma counts; the creature and the whole hand are discarded face up.

    The rest is paid from under the city. Then the hand is refilled (P-H5), and a new creature joins the display (P-H6).
    """
    seat = s.player
    pop(s)
    s.owed = nations.cost(box, s, seat, kind) - highest_charisma(box, s, seat)
    s.display[kind - c.ARMY] = 0
    s.discard[seat, kind] += 1
    piles.discard_hand(s, seat)
    push(s, steps.PAY)


@kernel
def ask_pay(s: State) -> None:
    """P-H1. A charisma card or a captured card from under the city."""
    if s.charisma[s.player] > 0:
        option(s, c.CHARISMA)
    piles.offer(s, s.city[s.player])


@kernel
def answer_pay(box: Box, s: State, action: int) -> None:
    """P-H2, P-H4, P-H8. Charisma cards go to the stock, captured ones to the box; no change, and no card too many."""
    if action == c.CHARISMA:
        s.charisma[s.player] -= 1
        s.stock += 1
        s.owed -= 1
    else:
        s.city[s.player, action - c.CARD] -= 1
        s.owed -= box.charisma[action - c.CARD]
    if s.owed <= 0:
        s.owed = 0
        pop(s)
        hired(box, s)


@kernel
def hired(box: Box, s: State) -> None:
    """P-E1, P-H5 to P-H7. The display is looked at; the nation card is turned, and the turn goes on clockwise."""
    seat = s.player
    if piles.on_display(s) + min(1, s.stack) < s.players:
        end(box, s, c.FEW_CREATURES)
        return
    s.active[seat] = 0
    s.player = next_active(s, seat)
    if s.stack > 0:
        push(s, steps.SHOW, 1)
    push(s, steps.REFILL, seat)


@kernel
def next_active(s: State, seat: int) -> int:
    """P-H7. The next seat clockwise whose nation card is active; the next one if none is."""
    for k in range(1, s.players):
        other = (seat + k) % s.players
        if s.active[other] > 0:
            return int(other)
    return int((seat + 1) % s.players)
