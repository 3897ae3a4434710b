"""P-N: what each nation does better, and worse when its leader is captured."""

from __future__ import annotations

from pergamemnon_env import constants as c
from pergamemnon_env.state import Box, State
from tabletop.jit import kernel


@kernel
def leads(s: State, seat: int, nation: int, weakened: int) -> bool:
    """Whether a seat leads a nation that still has its leader (0) or has lost it (1)."""
    return bool(s.nation[seat] == nation and s.weakened[seat] == weakened)


@kernel
def attack(box: Box, s: State, seat: int, kind: int) -> int:
    """P-N8. Without Hannibal each card of Carthage attacks with 1 less, at least 0."""
    return max(0, int(box.attack[kind]) - (1 if leads(s, seat, c.CARTHAGE, 1) else 0))


@kernel
def defence(box: Box, s: State, seat: int, kind: int, weapon: int) -> int:
    """P-F4, P-N2. The armour that parries a weapon; without Caesar each card of Rome has 1 less, at least 0."""
    return max(0, int(box.defence[kind, weapon]) - (1 if leads(s, seat, c.ROME, 1) else 0))


@kernel
def cost(box: Box, s: State, seat: int, kind: int) -> int:
    """P-N6 to P-N8. Without Agamemnon a creature costs the Hellenes 1 more; with Hannibal Carthage pays 1 less."""
    price = int(box.cost[kind])
    if leads(s, seat, c.HELLENES, 1):
        return price + 1
    return price - 1 if leads(s, seat, c.CARTHAGE, 0) else price


@kernel
def hand_size(box: Box, s: State, seat: int) -> int:
    """P-A5, P-N9, P-N10. Three cards; Persia has four, without Xerxes three."""
    nation = int(s.nation[seat])
    size = int(box.hand_size[nation])
    return min(size, int(box.hand_weakened)) if leads(s, seat, c.PERSIA, 1) else size


@kernel
def flees(box: Box, s: State, seat: int, kind: int) -> bool:
    """P-S2, P-N10. Whether a beaten card of a seat flees: by its skill; without Xerxes every card of Persia does."""
    return bool(box.flee[kind] > 0 or leads(s, seat, c.PERSIA, 1))


@kernel
def catches(s: State, seat: int) -> bool:
    """P-N3, P-N4. Egypt captures those that flee, as long as it has Nefertiti."""
    return leads(s, seat, c.EGYPT, 0)


@kernel
def abandon(box: Box, s: State, seat: int) -> None:
    """P-N4. Nefertiti is captured: the cards of Egypt that flee leave the game, from the hand and both piles."""
    for kind in range(c.KINDS):
        if box.flee[kind] > 0:
            s.hand[seat, kind] = s.draw[seat, kind] = s.discard[seat, kind] = s.known[seat, kind] = 0


@kernel
def half_points(s: State, seat: int, points: int) -> int:
    """P-N5. Points in halves; the Hellenes count half as much again if they never lost Agamemnon."""
    return points * (3 if leads(s, seat, c.HELLENES, 0) else 2)
