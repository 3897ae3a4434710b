"""What own cards can do against a rival's, of whose hand one knows only what hand and draw pile hold together.

Each of these cards is taken to be as likely as any other.
"""

from __future__ import annotations

from typing import Any

from pergamemnon_env import constants as c
from pergamemnon_env import steps
from pergamemnon_env.rules import battle, nations, piles
from pergamemnon_env.state import Box, State
from tabletop.jit import kernel
from tabletop.steps import top

#: Of own hand cards, where one may be laid in battle, chances: that it parries; that it does with another hand card;
#: that its blow is not parried by the card that the rival laid or lays first; nor by that and one more.
OF_CARDS = ("parries", "parries with another", "strikes", "strikes past two")
#: Of the cards that a seat has in hand and draw pile: mean attack / 12, mean armour by weapon / 12, shares by weapon.
OF_SEAT = 1 + 2 * len(c.WEAPONS)
#: Of a rival, where an attack may be chosen: for each weapon the chances that the strongest own blow is not parried by
#: one card, nor by two.
OF_RIVAL = 2 * len(c.WEAPONS)
ANY = -1  #: weapon, and no card


@kernel
def face_down(s: State, seat: int) -> int:
    """The kind of the card that a seat has laid face down, -1: none."""
    if s.open == 0:
        for side in range(2):
            if s.laid[side] > 0 and battle.fighter(s, side) == seat:
                return int(s.row[side, 0]) - 1
    return -1


@kernel
def unseen(s: State, seat: int, down: int, kind: int) -> int:
    """How many cards of a kind a seat may have in hand, or face down on the table."""
    return int(s.hand[seat, kind]) + int(s.draw[seat, kind]) + (1 if kind == down else 0)


@kernel
def of_cards(box: Box, s: State, viewer: int, out: Any) -> None:
    """Writes :data:`OF_CARDS`, float32[4 * KINDS]: zeros where the viewer is not asked for a card in battle."""
    op = s.op[s.sp - 1]
    if (op == steps.LAY or op == steps.REINFORCE) and top(s, 1) == viewer:
        for kind in range(c.KINDS):
            if s.hand[viewer, kind] > 0:
                if op == steps.LAY:
                    first(box, s, viewer, kind, out)
                else:
                    further(box, s, viewer, kind, out)


@kernel
def first(box: Box, s: State, viewer: int, kind: int, out: Any) -> None:
    """Of a card that may be the first one of a battle."""
    side = top(s, 0)
    foe = battle.fighter(s, 1 - side)
    weapon, blow = int(box.weapon[kind]), nations.attack(box, s, viewer, kind)
    shown = ANY
    if side == c.DEFENDER:
        shown = s.weapon - 1
        own = nations.defence(box, s, viewer, kind, shown)
        out[kind] = meets(box, s, foe, shown, own)
        out[c.KINDS + kind] = meets(box, s, foe, shown, own + best_other(box, s, viewer, kind, shown))
    out[2 * c.KINDS + kind] = past(box, s, foe, weapon, blow, shown)
    out[3 * c.KINDS + kind] = past_two(box, s, foe, weapon, blow, shown)


@kernel
def further(box: Box, s: State, viewer: int, kind: int, out: Any) -> None:
    """Of a card that may be added in a battle."""
    side = top(s, 0)
    foe, theirs = battle.fighter(s, 1 - side), battle.last(s, 1 - side)
    guard = battle.guard(box, s, side) + nations.defence(box, s, viewer, kind, int(box.weapon[theirs]))
    out[kind] = 1.0 if guard >= battle.blow(box, s, 1 - side) else 0.0
    weapon = int(box.weapon[kind])
    left = nations.attack(box, s, viewer, kind) - nations.defence(box, s, foe, theirs, weapon)
    if left > 0:
        out[2 * c.KINDS + kind] = 1.0
        out[3 * c.KINDS + kind] = past(box, s, foe, weapon, left, ANY) if piles.count(s.hand, foe) > 0 else 1.0


@kernel
def past(box: Box, s: State, seat: int, weapon: int, blow: int, shown: int) -> float:
    """The chance that an unseen card of a seat, one that shows a weapon or any, does not parry a blow."""
    total, through, down = 0, 0, face_down(s, seat)
    for kind in range(c.KINDS):
        n = unseen(s, seat, down, kind)
        if n > 0 and (shown == ANY or box.weapon[kind] == shown):
            total += n
            if nations.defence(box, s, seat, kind, weapon) < blow:
                through += n
    return through / total if total > 0 else 0.0


@kernel
def past_two(box: Box, s: State, seat: int, weapon: int, blow: int, shown: int) -> float:
    """The same of two cards together, of which the first shows the weapon."""
    total, through, down = 0, 0.0, face_down(s, seat)
    for kind in range(c.KINDS):
        n = unseen(s, seat, down, kind)
        if n > 0 and (shown == ANY or box.weapon[kind] == shown):
            total += n
            left = blow - nations.defence(box, s, seat, kind, weapon)
            if left > 0:
                through += n * past_another(box, s, seat, weapon, left, kind)
    return through / total if total > 0 else 0.0


@kernel
def past_another(box: Box, s: State, seat: int, weapon: int, blow: int, laid: int) -> float:
    """The same of one card besides one that is laid; 1 where there is none."""
    total, through, down = 0, 0, face_down(s, seat)
    for kind in range(c.KINDS):
        n = unseen(s, seat, down, kind) - (1 if kind == laid else 0)
        if n > 0:
            total += n
            if nations.defence(box, s, seat, kind, weapon) < blow:
                through += n
    return through / total if total > 0 else 1.0


@kernel
def meets(box: Box, s: State, seat: int, weapon: int, guard: int) -> float:
    """The chance that the blow of an unseen card of a seat, which shows a weapon, is not above a value."""
    total, met, down = 0, 0, face_down(s, seat)
    for kind in range(c.KINDS):
        n = unseen(s, seat, down, kind)
        if n > 0 and box.weapon[kind] == weapon:
            total += n
            if nations.attack(box, s, seat, kind) <= guard:
                met += n
    return met / total if total > 0 else 0.0


@kernel
def best_other(box: Box, s: State, seat: int, laid: int, weapon: int) -> int:
    """The strongest armour in a hand without one card of a kind."""
    best = 0
    for kind in range(c.KINDS):
        if s.hand[seat, kind] > (1 if kind == laid else 0):
            best = max(best, nations.defence(box, s, seat, kind, weapon))
    return best


@kernel
def of_seat(box: Box, s: State, seat: int, out: Any) -> None:
    """Writes :data:`OF_SEAT` numbers."""
    total, attack, helmet, breastplate, shield, sword, spear = 0, 0, 0, 0, 0, 0, 0
    down = face_down(s, seat)
    for kind in range(c.KINDS):
        n = unseen(s, seat, down, kind)
        if n > 0:
            total += n
            attack += n * nations.attack(box, s, seat, kind)
            helmet += n * nations.defence(box, s, seat, kind, 0)
            breastplate += n * nations.defence(box, s, seat, kind, 1)
            shield += n * nations.defence(box, s, seat, kind, 2)
            sword += n if box.weapon[kind] == 0 else 0
            spear += n if box.weapon[kind] == 1 else 0
    if total > 0:
        out[0], out[1], out[2] = mean(attack, total), mean(helmet, total), mean(breastplate, total)
        out[3], out[4], out[5] = mean(shield, total), sword / total, spear / total
        out[6] = (total - sword - spear) / total


@kernel
def mean(values: int, n: int) -> float:
    """In twelfths, up to 1."""
    return min(1.0, values / (12.0 * n))


@kernel
def of_rival(box: Box, s: State, viewer: int, seat: int, out: Any) -> None:
    """Writes :data:`OF_RIVAL` numbers: 0 for a weapon that no own hand card shows, and where no attack is chosen."""
    op = s.op[s.sp - 1]
    if s.player != viewer or (op != steps.VERB and op != steps.FOE and op != steps.NAME_WEAPON):
        return
    for weapon in range(len(c.WEAPONS)):
        blow = 0
        for kind in range(c.KINDS):
            if s.hand[viewer, kind] > 0 and box.weapon[kind] == weapon:
                blow = max(blow, nations.attack(box, s, viewer, kind))
        if blow > 0:
            out[2 * weapon] = past(box, s, seat, weapon, blow, ANY)
            out[2 * weapon + 1] = past_two(box, s, seat, weapon, blow, ANY)
