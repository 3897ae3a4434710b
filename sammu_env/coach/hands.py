"""The cards that players hold, and who could play each of them now."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env import words
from sammu_env.box import Box
from sammu_env.components import Components
from sammu_env.rules import pools
from sammu_env.rules.actions import cards
from sammu_env.rules.consult import free_to_consult
from sammu_env.state import HAND, State
from tabletop.coach.parts import Hand, Held, shown_to
from tabletop.fields import Records
from tabletop.jit import entry, kernel


@kernel
def may_act(s: State, seat: int, who: int) -> bool:
    """Whether a seat acts with a character: in its turn one who has actions left; before, one whom it has consulted, or
    else may consult; after, nobody."""
    turn, discs = False, False
    for other in range(pools.PEOPLE):
        turn = turn or s.user[other] == seat
        discs = discs or s.consulted[other] == seat
    if s.location[who] < 0 or s.turn_done[seat] > 0:
        return False
    if turn:
        return bool(s.user[who] == seat and s.actions[who] > 0 and s.finished >> who & 1 == 0)
    return bool(s.consulted[who] == seat) if discs else free_to_consult(s, seat, who)


@entry
def who_plays(boxes: Records[Box], states: Records[State], out: Any) -> None:
    """Of each card in a hand, who could pay for it and would gain something where they stand.

    Args:
        out: int8 (cards, characters), changed in place.
    """
    s = states[0]
    for card in range(c.N_ASHUR):
        for who in range(pools.PEOPLE):
            seat = s.ashur[card] - HAND
            plays = seat >= 0 and may_act(s, seat, who)
            out[card, who] = 1 if plays and cards.playable(boxes[s.box], s, seat, who, card, cards.PAID) else 0


def hands(box: Any, components: Components, s: Any, seat: int | None, lang: str) -> list[Hand]:
    """All hands as a seat sees them; where they are hidden None, the table's phone, is shown none.

    Args:
        box: the boxes that are played with.
        s: state, shape (1,).
    """
    by = np.zeros((c.N_ASHUR, len(c.CHARACTERS)), np.int8)
    who_plays(box, s, by)
    one = s[0]
    held = [list(_held(components, one, holder, by, lang)) for holder in range(int(one["players"]))]
    return shown_to(seat, held, bool(one["hidden_hands"]))


def _held(components: Components, s: Any, holder: int, by: Any, lang: str) -> Iterator[Held]:
    for card in np.flatnonzero(s["ashur"] == HAND + holder):
        name = words.name("ashur", int(card), lang)
        players = [words.name("character", int(who), lang) for who in np.flatnonzero(by[card])]
        yield {"id": name, "title": name, "text": words.ashur_text(components, int(card), lang), "by": players}
