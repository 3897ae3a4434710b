"""P-F: battle. The card that a side laid last strikes, until one side is beaten or all is parried."""

from __future__ import annotations

from pergamemnon_env import constants as c
from pergamemnon_env import steps
from pergamemnon_env.rules import aftermath, nations, piles
from pergamemnon_env.state import Box, State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, top


@kernel
def fighter(s: State, side: int) -> int:
    """The seat of a side."""
    return int(s.attacker if side == c.ATTACKER else s.defender)


@kernel
def ask_foe(s: State) -> None:
    """P-F1, P-T3. Another seat whose nation card is active, by how many places clockwise it is."""
    for places in range(1, s.players):
        if s.active[(s.player + places) % s.players] > 0:
            option(s, c.SEAT + places)


@kernel
def answer_foe(s: State, places: int) -> None:
    """P-F1."""
    s.attacker = s.player
    s.defender = (s.player + places) % s.players
    pop(s)
    push(s, steps.NAME_WEAPON)


@kernel
def ask_weapon(box: Box, s: State) -> None:
    """P-F2, P-F12. A weapon that a hand card shows, since the card laid must show it."""
    for weapon in range(len(c.WEAPONS)):
        shown = False
        for kind in range(c.KINDS):
            shown = shown or (s.hand[s.attacker, kind] > 0 and box.weapon[kind] == weapon)
        if shown:
            option(s, c.WEAPON + weapon)


@kernel
def answer_weapon(s: State, weapon: int) -> None:
    """P-F2."""
    s.weapon = weapon + 1
    pop(s)
    push(s, steps.LAY, c.ATTACKER, s.attacker)


@kernel
def ask_lay(box: Box, s: State) -> None:
    """P-F2, P-F3, P-F12. A hand card; the attacker's shows the weapon named."""
    side, seat = top(s, 0), top(s, 1)
    for kind in range(c.KINDS):
        if s.hand[seat, kind] > 0 and (side == c.DEFENDER or box.weapon[kind] == s.weapon - 1):
            option(s, c.CARD + kind)


@kernel
def answer_lay(s: State, kind: int) -> None:
    """P-F2, P-F3. Both sides lay their first card face down; then both are revealed, and the attacker's strikes."""
    side = top(s, 0)
    pop(s)
    s.hand[fighter(s, side), kind] -= 1
    add(s, side, kind)
    if side == c.ATTACKER:
        push(s, steps.LAY, c.DEFENDER, s.defender)
        return
    s.open = 1
    piles.forget(s, s.attacker, s.row[c.ATTACKER, 0] - 1)
    piles.forget(s, s.defender, s.row[c.DEFENDER, 0] - 1)
    push(s, steps.STRIKE, c.ATTACKER)


@kernel
def add(s: State, side: int, kind: int) -> None:
    s.row[side, s.laid[side]] = kind + 1
    s.laid[side] += 1


@kernel
def last(s: State, side: int) -> int:
    """The kind of the card that a side laid last."""
    return int(s.row[side, s.laid[side] - 1]) - 1


@kernel
def blow(box: Box, s: State, side: int) -> int:
    """P-F8. The value with which the card that a side laid last strikes, alone."""
    return nations.attack(box, s, fighter(s, side), last(s, side))


@kernel
def guard(box: Box, s: State, side: int) -> int:
    """P-F4. The value with which the card that a side laid last parries the weapon of the other side's."""
    return nations.defence(box, s, fighter(s, side), last(s, side), box.weapon[last(s, 1 - side)])


@kernel
def run_strike(box: Box, s: State) -> None:
    """P-F4 to P-F7, P-F11, P-F13. The card last laid strikes; if it is parried by the one card, that strikes back.

    If that has struck already, nobody is left to strike: a draw. If it is not parried, a card may be added.
    """
    side = top(s, 0)
    other = 1 - side
    pop(s)
    s.struck[side] = s.laid[side]
    if guard(box, s, other) < blow(box, s, side):
        push(s, steps.REINFORCE, other, fighter(s, other))
    elif s.struck[other] == s.laid[other]:
        aftermath.parried(s)
    else:
        push(s, steps.STRIKE, other)


@kernel
def ask_reinforce(s: State) -> None:
    """P-F7, P-F9, P-F14. Any hand card, also one that does not suffice, or none."""
    option(s, c.DONE)
    piles.offer(s, s.hand[top(s, 1)])


@kernel
def answer_reinforce(box: Box, s: State, action: int) -> None:
    """P-F7 to P-F10, P-F14. The defences of the card laid last and of the new one add; the new one strikes back.

    Who adds none, or one that does not suffice, has lost.
    """
    side = top(s, 0)
    pop(s)
    if action == c.DONE:
        aftermath.defeat(s, side)
        return
    guarded = guard(box, s, side)
    piles.leave_hand(s, fighter(s, side), action - c.CARD)
    add(s, side, action - c.CARD)
    if guarded + guard(box, s, side) >= blow(box, s, 1 - side):
        push(s, steps.STRIKE, side)
    else:
        aftermath.defeat(s, side)
