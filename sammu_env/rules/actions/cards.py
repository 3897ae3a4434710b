"""Playing Ashur cards (5e, pp. 28-29, 48-49)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env import steps
from sammu_env.actions import ASHUR
from sammu_env.box import Box
from sammu_env.rules import effects, pools
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, top

#: How a card is played: paid for, free of all cost (SAM-001), or two for the goods of one (SAM-012).
PAID, FREE, TWO = range(3)


@kernel
def gives_diviners(box: Box, card: int) -> bool:
    """Whether a card yields diviners anywhere."""
    return box.card_token[card, c.DIVINER] > 0 or box.card_favoured[card, c.DIVINER] > 0


@kernel
def affordable(box: Box, s: State, who: int, card: int) -> bool:
    """A7: the consulted character pays the goods; Marsyas none for diviners (SAM-008)."""
    if box.ability[who, s.side[who], c.A_FREE_DIVINER_CARDS] > 0 and gives_diviners(box, card):
        return True
    for good in range(pools.GOODS_N):
        if s.good[who, good] < box.card_goods[card, good]:
            return False
    return True


@kernel
def gives_something(box: Box, s: State, who: int, card: int, mode: int, before: int) -> bool:
    """A7: whether a card does anything where the character stands; one of no effect cannot be played.

    ``before``: a card that is played just before it and takes its part of board and pools, or -1.
    """
    if box.card_technology[card] >= 0:
        same = before >= 0 and box.card_technology[before] == box.card_technology[card]
        return s.technology_pool[box.card_technology[card]] > (1 if same else 0)
    for kind in range(pools.KINDS_N):
        taken = gain(box, s, who, before, kind) if before >= 0 else 0
        if s.board[kind] > taken and gain(box, s, who, card, kind) > 0:
            return True
    for good in range(pools.GOODS_N):
        taken = box.card_gain[before, good] if before >= 0 else 0
        paid = 0 if mode == FREE else box.card_goods[card, good]
        if box.card_gain[card, good] > 0 and s.good_pool[good] + paid > taken:
            return True
    for marker in range(c.GREEN, len(c.MARKERS)):
        taken = box.card_marker[before, marker] if before >= 0 else 0
        if mode != FREE and box.card_marker[card, marker] > 0 and s.marker_pool[marker] > taken:
            return True
    return False


@kernel
def can_play(box: Box, s: State, seat: int, who: int, mode: int) -> bool:
    """Whether any card in hand can be played so."""
    if s.hand_n[seat] == 0 or (mode == TWO and s.hand_n[seat] < 2):
        return False
    for card in range(c.N_ASHUR):
        if s.ashur[card] == st.HAND + seat and playable(box, s, seat, who, card, mode):
            return True
    return False


@kernel
def playable(box: Box, s: State, seat: int, who: int, card: int, mode: int) -> bool:
    """Whether one card of the hand can be played so (first of two: one of the pair must be affordable)."""
    if mode == PAID and not affordable(box, s, who, card):
        return False
    if not gives_something(box, s, who, card, mode, -1):
        return False
    if mode != TWO:
        return True
    for other in range(c.N_ASHUR):
        if goes_with(box, s, seat, who, card, other):
            return True
    return False


@kernel
def goes_with(box: Box, s: State, seat: int, who: int, card: int, other: int) -> bool:
    """SAM-012: two cards of which at least one can be paid, and the second still gives something after the first."""
    if other == card or s.ashur[other] != st.HAND + seat or not gives_something(box, s, who, other, TWO, card):
        return False
    return affordable(box, s, who, card) or affordable(box, s, who, other)


@kernel
def ask_play_card(box: Box, s: State) -> None:
    """Which card."""
    seat, mode = top(s, 0), top(s, 1)
    who = int(s.active)
    for card in range(c.N_ASHUR):
        if s.ashur[card] == st.HAND + seat and playable(box, s, seat, who, card, mode):
            option(s, ASHUR + card)


@kernel
def answer_play_card(s: State, card: int) -> None:
    """Plays it, or asks for the second."""
    seat, mode = top(s, 0), top(s, 1)
    pop(s)
    if mode == TWO:
        push(s, steps.PLAY_SECOND, seat, card)
    else:
        push(s, steps.PLAY, seat, card, 1 if mode == PAID else 0, 1 if mode == PAID else 0)


@kernel
def ask_play_second(box: Box, s: State) -> None:
    """The second of two cards."""
    seat, first = top(s, 0), top(s, 1)
    for card in range(c.N_ASHUR):
        if goes_with(box, s, seat, s.active, first, card):
            option(s, ASHUR + card)


@kernel
def answer_play_second(s: State, card: int) -> None:
    """Then whose goods are paid."""
    seat, first = top(s, 0), top(s, 1)
    pop(s)
    push(s, steps.PAY_WHICH, seat, first, card)


@kernel
def ask_pay_which(box: Box, s: State) -> None:
    """Either, if it can be paid."""
    for i in range(1, 3):
        if affordable(box, s, s.active, top(s, i)):
            option(s, ASHUR + top(s, i))


@kernel
def answer_pay_which(s: State, paid: int) -> None:
    """Both are played, the first chosen first; markers are paid for both."""
    seat, first, second = top(s, 0), top(s, 1), top(s, 2)
    pop(s)
    push(s, steps.PLAY, seat, second, 1 if paid == second else 0, 1)
    push(s, steps.PLAY, seat, first, 1 if paid == first else 0, 1)


@kernel
def run_play(box: Box, s: State) -> None:
    """A7: pays, then the card works where the character stands, more in its favoured area; then it is discarded."""
    seat, card, pays_goods, pays_markers = top(s, 0), top(s, 1), top(s, 2), top(s, 3)
    pop(s)
    who = int(s.active)
    technology = int(box.card_technology[card])
    if technology == c.WHEEL and s.technology_pool[technology] > 0:
        effects.remake_deck(s)  # the wheel draws (p. 47) before this card is discarded (p. 28)
    effects.discard(s, seat, card)
    free = box.ability[who, s.side[who], c.A_FREE_DIVINER_CARDS] > 0 and gives_diviners(box, card)
    if pays_goods > 0 and not free:
        for good in range(pools.GOODS_N):
            pools.pay_good(s, who, good, box.card_goods[card, good])
    if pays_markers > 0:
        for marker in range(len(c.MARKERS)):
            pools.marker_to_bag(s, marker, box.card_marker[card, marker])
    gain_tokens(box, s, who, card)
    for good in range(pools.GOODS_N):
        pools.add_good(s, who, good, box.card_gain[card, good])
    if technology >= 0:
        put_technology(s, seat, who, technology)


@kernel
def gain_tokens(box: Box, s: State, who: int, card: int) -> None:
    """What the card gives at the character's place."""
    location = int(s.location[who])
    for kind in range(pools.KINDS_N):
        pools.add_token(s, kind, pools.place_of(box, kind, location), gain(box, s, who, card, kind))


@kernel
def gain(box: Box, s: State, who: int, card: int, kind: int) -> int:
    """Tokens of a kind that a card gives a character: more in its favoured area, none if closed (N7)."""
    location = int(s.location[who])
    if pools.closed(box, s, location):
        return 0
    area, favoured, token = box.card_area[card], int(box.card_favoured[card, kind]), int(box.card_token[card, kind])
    if area >= 0 and box.ability[who, s.side[who], c.A_FAVOURED_EVERYWHERE] > 0:
        return max(favoured, token)  # SAM-011: the most that there is
    return favoured if area >= 0 and box.zone[location] == area else token


@kernel
def put_technology(s: State, seat: int, who: int, technology: int) -> None:
    """From the pool onto a card; a wheel draws a card at once (T1), for whom the team says where no seat is given."""
    if s.technology_pool[technology] == 0:
        return
    s.technology_pool[technology] -= 1
    s.has[who, technology] += 1
    if technology == c.WHEEL:
        if seat >= 0:
            push(s, steps.DRAW_CARD, seat, 1)
        else:
            push(s, steps.DRAW_FOR, 1)


@kernel
def pick_up(s: State) -> None:
    """A9: the technology that lies here goes onto the card."""
    who = int(s.active)
    location = int(s.location[who])
    technology = int(s.technology[location])
    s.technology[location] = -1
    s.technology_pool[technology] += 1
    put_technology(s, s.seat, who, technology)
