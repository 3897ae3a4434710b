"""Cards in piles, and what everybody knows of a hand."""

from __future__ import annotations

from typing import Any

from pergamemnon_env import constants as c
from pergamemnon_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option


@kernel
def count(pile: Any, seat: int) -> int:
    """How many cards a seat has in a pile."""
    n = 0
    for kind in range(c.KINDS):
        n += int(pile[seat, kind])
    return n


@kernel
def offer(s: State, cards: Any) -> None:
    """Offers each kind of card that is there, of counts (KINDS,)."""
    for kind in range(c.KINDS):
        if cards[kind] > 0:
            option(s, c.CARD + kind)


@kernel
def on_display(s: State) -> int:
    """How many creatures lie open in the middle."""
    n = 0
    for creature in range(c.CREATURES):
        n += int(s.display[creature])
    return n


@kernel
def leave_hand(s: State, seat: int, kind: int) -> None:
    """A card leaves a hand openly: of what everybody knew to be in it, there may be one less."""
    s.hand[seat, kind] -= 1
    forget(s, seat, kind)


@kernel
def forget(s: State, seat: int, kind: int) -> None:
    if s.known[seat, kind] > 0:
        s.known[seat, kind] -= 1


@kernel
def discard_hand(s: State, seat: int) -> None:
    """The whole hand goes face up to the discard pile."""
    for kind in range(c.KINDS):
        s.discard[seat, kind] += s.hand[seat, kind]
        s.hand[seat, kind] = 0
        s.known[seat, kind] = 0


@kernel
def shuffle(s: State, seat: int) -> None:
    """P-B7. The discard pile becomes the draw pile. As the draw pile was empty, all know what is left in the hand."""
    for kind in range(c.KINDS):
        s.draw[seat, kind] += s.discard[seat, kind]
        s.discard[seat, kind] = 0
        s.known[seat, kind] = s.hand[seat, kind]
