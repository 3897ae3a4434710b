"""P-E: the end and the winner."""

from __future__ import annotations

from pergamemnon_env import constants as c
from pergamemnon_env import steps
from pergamemnon_env.rules import nations
from pergamemnon_env.state import Box, State
from tabletop.jit import kernel
from tabletop.steps import push


@kernel
def end(box: Box, s: State, cause: int) -> None:
    """P-E1, P-E2, P-E5. The game ends at once; points are counted as they lie."""
    s.sp = 0
    push(s, steps.HALT)
    s.cause = cause
    for seat in range(s.players):
        s.points[seat] = half_points(box, s, seat)
        s.strongest[seat] = strongest_creature(box, s, seat)
    shared = 0
    for seat in range(s.players):
        s.place[seat] = 1
        for other in range(s.players):
            if before(s, other, seat):
                s.place[seat] += 1
        shared += 1 if s.place[seat] == 1 else 0
    for seat in range(s.players):
        share = 1.0 / shared if s.place[seat] == 1 else 0.0
        s.paid[seat] = (share * s.players - 1.0) / (s.players - 1.0)


@kernel
def counts(s: State, seat: int, kind: int) -> int:
    """P-E3. How many cards of a kind count for a seat: in hand, piles and secured, not as charisma."""
    return int(s.hand[seat, kind]) + int(s.draw[seat, kind]) + int(s.discard[seat, kind]) + int(s.secured[seat, kind])


@kernel
def half_points(box: Box, s: State, seat: int) -> int:
    """P-E3, P-N5. A seat's points in halves, as they stand."""
    points = 0
    for kind in range(c.KINDS):
        points += counts(s, seat, kind) * int(box.points[kind])
    return nations.half_points(s, seat, points)


@kernel
def strongest_creature(box: Box, s: State, seat: int) -> int:
    """P-E4. Most points of a creature that counts for a seat; 0 where it has none."""
    most = 0
    for kind in range(c.ARMY, c.KINDS):
        if counts(s, seat, kind) > 0:
            most = max(most, int(box.points[kind]))
    return most


@kernel
def before(s: State, one: int, other: int) -> bool:
    """P-E4. Most points win; tied, the strongest creature does; still tied, the place is shared (P-E5)."""
    if s.points[one] != s.points[other]:
        return bool(s.points[one] > s.points[other])
    return bool(s.strongest[one] > s.strongest[other])


@kernel
def few_cards(box: Box, s: State, seat: int) -> bool:
    """P-E2, P-N4, P-N9, P-N10. A nation whose hand and piles hold fewer cards than its hand should have."""
    cards = 0
    for kind in range(c.KINDS):
        cards += int(s.hand[seat, kind]) + int(s.draw[seat, kind]) + int(s.discard[seat, kind])
    return cards < nations.hand_size(box, s, seat)
