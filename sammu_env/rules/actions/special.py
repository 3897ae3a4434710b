"""The special actions of the characters (5b, cards SAM-001 to SAM-014)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import steps
from sammu_env.actions import CHARACTER, DONE, EVENT, LOCATION, PLAYER, TECHNOLOGY, V_YES, VERB
from sammu_env.box import Box
from sammu_env.rules import pools
from sammu_env.rules.actions import attack, cards, move
from sammu_env.rules.pools import LOCATIONS_N
from sammu_env.state import State
from sammu_env.steps import COMMAND, MOVE
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top
from tabletop.switch import of_rows, switch

#: Columns of the fields of a special action, and of those of Amunet's.
X = c.C_FIELDS
SUMMON_N, SUMMON_STEPS, SUMMON_ADJACENT = X, X + 1, X + 2


@kernel
def can_special(box: Box, s: State, seat: int, who: int, which: int) -> bool:
    """A10: the card has it, its price can be paid and it can do something."""
    row = box.special[who, s.side[who], which]
    if row[c.C_GOODS] > 0 and pools.goods_of(s, who) < row[c.C_GOODS]:
        return False
    played = 2 if row[c.C_SPECIAL] == c.SP_PLAY_TWO else 1 if row[c.C_SPECIAL] == c.SP_PLAY_FREE else 0
    if s.hand_n[seat] < row[c.C_CARDS] + played:
        return False
    return bool(can(box, s, seat, who, which, row[c.C_SPECIAL], row[X], row[X + 1], row[X + 2], row[X + 3]))


@kernel
def begin_special(box: Box, s: State, seat: int, who: int, which: int) -> None:
    """Pays first: cards, then goods; then it happens."""
    row = box.special[who, s.side[who], which]
    push(s, steps.SPECIAL, seat, who, which)
    push(s, steps.PAY_GOODS, who, row[c.C_GOODS])
    push(s, steps.DISCARD, seat, row[c.C_CARDS])


@kernel
def run_special(box: Box, s: State) -> None:
    """What a special action does once it is paid."""
    seat, who, which = top(s, 0), top(s, 1), top(s, 2)
    pop(s)
    row = box.special[who, s.side[who], which]
    do(box, s, seat, who, which, row[c.C_SPECIAL], row[X], row[X + 1], row[X + 2], row[X + 3])


# The special actions, one after the other: whether each can be done (A10), and what it does


@kernel
def can_exchange(box: Box, s: State, who: int, give: int, give_n: int, get: int) -> bool:
    """Whether what is given lies here and what comes back is on the board."""
    location = int(s.location[who])
    if pools.closed(box, s, location):
        return False
    if give >= 0 and s.token[give, pools.place_of(box, give, location)] < give_n:
        return False
    return s.board[get] > 0


@kernel
def do_exchange(box: Box, s: State, who: int, give: int, give_n: int, get: int, get_n: int) -> None:
    """Tokens for tokens, or from nothing, where the character is."""
    location = int(s.location[who])
    if give >= 0:
        pools.take_token(s, give, pools.place_of(box, give, location), give_n)
    pools.add_token(s, get, pools.place_of(box, get, location), get_n)


@kernel
def can_draw(s: State) -> bool:
    """Whether there is a card to draw."""
    return s.deck_n + s.discard_n > 0


@kernel
def do_draw(s: State, seat: int, n: int, anyone: int) -> None:
    """Cards for the seat, or for any player (SAM-012 public)."""
    if anyone > 0 and s.players > 1:
        push(s, steps.DRAW_FOR, n)
    else:
        push(s, steps.DRAW_CARD, seat, n)


@kernel
def can_march(box: Box, s: State, who: int, steps: int) -> bool:
    """Whether there is a way to go."""
    return move.can_move(box, s, who, steps, False)


@kernel
def do_march(s: State, who: int, steps: int) -> None:
    """A move of so many steps."""
    push(s, MOVE, who, move.steps_of(s, who, steps))


@kernel
def can_summon(box: Box, s: State, who: int, adjacent: int) -> bool:
    """SAM-006: a diviner on the board, and a place for it."""
    return s.board[c.DIVINER] > 0 and summon_places(box, s, who, adjacent) != 0


@kernel
def do_summon(s: State, who: int, which: int) -> None:
    """SAM-006: the first diviner."""
    push(s, steps.SUMMON, who, which)


@kernel
def can_look(s: State) -> bool:
    """SAM-011: an event that is still to come."""
    return s.months > s.month and pools.event_lies(s, s.month)


@kernel
def do_look(s: State, n: int) -> None:
    """SAM-011: the next cards of the row are looked at, then laid in any order."""
    first = int(s.month)
    last = min(first + int(n), int(s.months)) - 1
    push(s, steps.ORDER_EVENTS, first, last)
    for slot in range(last, first - 1, -1):
        if s.slot[slot] < 0:
            push(s, steps.DRAW_EVENT, slot)


@kernel
def can_play_two(box: Box, s: State, seat: int, who: int) -> bool:
    """Whether two cards go together."""
    return cards.can_play(box, s, seat, who, cards.TWO)


@kernel
def do_play_two(s: State, seat: int) -> None:
    """Two cards for the goods of one."""
    push(s, steps.PLAY_CARD, seat, cards.TWO)


@kernel
def can_gain_technology(s: State) -> bool:
    """Whether the pool has one."""
    return pools.has_technology(s)


@kernel
def do_gain_technology(s: State, seat: int, who: int) -> None:
    """Any of the pool."""
    push(s, steps.GAIN_TECHNOLOGY, who, seat)


@kernel
def can_play_free(box: Box, s: State, seat: int, who: int) -> bool:
    """Whether a card gives something."""
    return cards.can_play(box, s, seat, who, cards.FREE)


@kernel
def do_play_free(s: State, seat: int) -> None:
    """A card without its cost."""
    push(s, steps.PLAY_CARD, seat, cards.FREE)


@kernel
def can_command(box: Box, s: State, steps: int) -> bool:
    """Whether an army can go or attack."""
    return attack.can_command(box, s, steps)


@kernel
def do_command(s: State, armies: int, steps: int) -> None:
    """Some armies move or attack."""
    push(s, COMMAND, armies, steps, 0)


can = switch(
    "can", "box, s, seat, who, which, special, x, y, z, w", "special",
    {number: f"return {call}" for number, call in
     of_rows("can", "c.SP", c.SPECIAL_ROWS, "box s seat who", globals()).items()}, globals(), otherwise="return False",
)  # fmt: skip
do = switch(
    "do", "box, s, seat, who, which, special, x, y, z, w", "special",
    of_rows("do", "c.SP", c.SPECIAL_ROWS, "box s seat who which", globals()), globals(),
)  # fmt: skip


# Amunet


@kernel
def figure(box: Box, s: State, who: int, which: int, column: int) -> int:
    """A number of her special action on the side that is up."""
    return int(box.special[who, s.side[who], which, column])


@kernel
def summon_places(box: Box, s: State, who: int, adjacent: int) -> int:
    """SAM-006: her location, and on the public side those next to it, as bits; next to is one step (SAM-055)."""
    here = int(s.location[who])
    places = 0
    for location in range(LOCATIONS_N):
        near = box.steps[here, location] <= adjacent
        if near and pools.step_cost(box, s, here, location) == 1:
            if s.enemy[location] == 0 and not pools.closed(box, s, location):
                places |= 1 << location
    return places


@kernel
def ask_summon(box: Box, s: State) -> None:
    """Where the diviner appears."""
    places = summon_places(box, s, top(s, 0), figure(box, s, top(s, 0), top(s, 1), SUMMON_ADJACENT))
    for location in range(LOCATIONS_N):
        if places >> location & 1:
            option(s, LOCATION + location)


@kernel
def answer_summon(box: Box, s: State, location: int) -> None:
    """It may go on, and there may be more."""
    who, which, n = top(s, 0), top(s, 1), top(s, 2) + 1
    pop(s)
    pools.add_token(s, c.DIVINER, location, 1)
    if n < figure(box, s, who, which, SUMMON_N):
        push(s, steps.SUMMON_MORE, who, which, n)
    if figure(box, s, who, which, SUMMON_STEPS) > 0:
        push(s, steps.SUMMON_GO, location, figure(box, s, who, which, SUMMON_STEPS))


@kernel
def ask_summon_more(box: Box, s: State) -> None:
    """One or two, or as many as the card says."""
    adjacent = figure(box, s, top(s, 0), top(s, 1), SUMMON_ADJACENT)
    if not can_summon(box, s, top(s, 0), adjacent):
        pop(s)
        return
    option(s, DONE)
    option(s, VERB + V_YES)


@kernel
def answer_summon_more(s: State, yes: bool) -> None:
    """The next appears like the first."""
    who, which, n = top(s, 0), top(s, 1), top(s, 2)
    pop(s)
    if yes:
        push(s, steps.SUMMON, who, which, n)


# Katuzili


@kernel
def ask_order_events(s: State) -> None:
    """Which of the cards comes next; where the pile is used up the last slots are empty."""
    slot, last = top(s, 0), top(s, 1)
    while last > slot and s.slot[last] < 0:
        last -= 1
    if slot >= last:
        pop(s)
        return
    for i in range(slot, last + 1):
        option(s, EVENT + s.slot[i])


@kernel
def answer_order_events(s: State, event: int) -> None:
    """It changes places with the card there; religion stays on its card."""
    slot, last = top(s, 0), top(s, 1)
    for i in range(slot, last + 1):
        if s.slot[i] == event:
            s.slot[i] = s.slot[slot]
            s.slot[slot] = event
            lying = int(s.slot_religion[i])
            s.slot_religion[i] = s.slot_religion[slot]
            s.slot_religion[slot] = lying
            break
    set_top(s, 0, slot + 1)


# Siranoush, Amenirdis


@kernel
def ask_draw_for(s: State) -> None:
    """SAM-012 public: any player draws."""
    for seat in range(s.players):
        option(s, PLAYER + seat)


@kernel
def answer_draw_for(s: State, seat: int) -> None:
    """That player draws."""
    n = top(s, 0)
    pop(s)
    push(s, steps.DRAW_CARD, seat, n)


@kernel
def ask_gain_technology(s: State) -> None:
    """Any technology of the pool."""
    for technology in range(pools.TECHNOLOGIES_N):
        if s.technology_pool[technology] > 0:
            option(s, TECHNOLOGY + technology)
    if s.n_options == 0:
        pop(s)


@kernel
def answer_gain_technology(s: State, technology: int) -> None:
    """It lies on the card."""
    who, seat = top(s, 0), top(s, 1)
    pop(s)
    cards.put_technology(s, seat, who, technology)


@kernel
def may_be_granted(s: State, seat: int, who: int) -> bool:
    """Extra actions go to public advisors, to Sammu-ramat, to the seat's own advisor, or to one that waits for its
    player's turn: after that nobody else acts with it (p. 54)."""
    if s.status[who] != c.IN_PLAY or who >= pools.PEOPLE:
        return False
    if who == c.SAMMU_RAMAT and s.queen_actions == c.NO_ACTIONS:
        return False
    return s.owner[who] < 0 or s.owner[who] == seat or waits(s, who)


@kernel
def waits(s: State, who: int) -> bool:
    """Whether who consults it is still to act."""
    return bool(s.consulted[who] >= 0 and s.turn_done[s.consulted[who]] == 0)


@kernel
def has_sun(s: State, who: int) -> bool:
    """T1: a sun that is not used this month."""
    return bool(s.has[who, c.SUN] > s.sun_used[who])


@kernel
def has_extra_action(box: Box, s: State, who: int) -> bool:
    """SAM-013: Amenirdis, this month not used."""
    return bool(s.used[who] == 0 and box.ability[who, s.side[who], c.A_EXTRA_ACTION] > 0)


@kernel
def sun_shines(s: State, holder: int, who: int) -> bool:
    """T1: whether an unused sun on another's card here gives a public character an action."""
    return s.owner[who] < 0 and holder != who and s.location[holder] == s.location[who] and has_sun(s, holder)


@kernel
def suns_for(s: State, who: int) -> bool:
    """Whether any sun does."""
    for holder in range(pools.PEOPLE):
        if sun_shines(s, holder, who):
            return True
    return False


@kernel
def helps(box: Box, s: State, giver: int, who: int) -> bool:
    """SAM-013: once a month another character at her location acts once more."""
    return giver != who and s.location[giver] == s.location[who] and has_extra_action(box, s, giver)


@kernel
def can_grant_to(box: Box, s: State, seat: int, who: int) -> bool:
    """Whether a sun or Amenirdis has an action for a character."""
    if s.location[who] < 0 or not may_be_granted(s, seat, who):
        return False
    for giver in range(pools.PEOPLE):
        if sun_shines(s, giver, who) or helps(box, s, giver, who):
            return True
    return False


@kernel
def somebody_gives(box: Box, s: State) -> bool:
    """Whether there is an unused sun, or Amenirdis, on the map at all."""
    for who in range(pools.PEOPLE):
        if s.location[who] >= 0 and (has_sun(s, who) or has_extra_action(box, s, who)):
            return True
    return False


@kernel
def can_grant(box: Box, s: State, seat: int) -> bool:
    """Whether anybody could act once more."""
    if not somebody_gives(box, s):
        return False
    for who in range(pools.PEOPLE):
        if can_grant_to(box, s, seat, who):
            return True
    return False


@kernel
def ask_grant(box: Box, s: State) -> None:
    """Who acts once more."""
    for who in range(pools.PEOPLE):
        if can_grant_to(box, s, top(s, 0), who):
            option(s, CHARACTER + who)


@kernel
def answer_grant(s: State, who: int) -> None:
    """Then by what."""
    seat = top(s, 0)
    pop(s)
    push(s, steps.GRANT_BY, seat, who)


@kernel
def ask_grant_by(box: Box, s: State) -> None:
    """A sun, or the ability of a character."""
    who = top(s, 1)
    if suns_for(s, who):
        option(s, TECHNOLOGY + c.SUN)
    for giver in range(pools.PEOPLE):
        if helps(box, s, giver, who):
            option(s, CHARACTER + giver)


@kernel
def answer_grant_by(s: State, action: int) -> None:
    """Of a sun, whose."""
    seat, who = top(s, 0), top(s, 1)
    pop(s)
    if action == TECHNOLOGY + c.SUN:
        push(s, steps.SUN_OF, seat, who)
    else:
        s.used[action - CHARACTER] = 1
        grant(s, seat, who)


@kernel
def ask_sun_of(s: State) -> None:
    """Every holder of an unused sun here."""
    for holder in range(pools.PEOPLE):
        if sun_shines(s, holder, top(s, 1)):
            option(s, CHARACTER + holder)


@kernel
def answer_sun_of(s: State, holder: int) -> None:
    """That one is used."""
    seat, who = top(s, 0), top(s, 1)
    pop(s)
    s.sun_used[holder] += 1
    grant(s, seat, who)


@kernel
def grant(s: State, seat: int, who: int) -> None:
    """Exactly one action: before its player's turn it waits for that turn; else it is used in this one."""
    s.actions[who] += 1
    if not waits(s, who) and s.user[who] != seat:
        s.user[who] = seat
        s.granted[who] = 1
    s.switched = 0
    s.finished &= ~(1 << who)


@kernel
def can_lift_assassination(box: Box, s: State) -> bool:
    """SAM-010: once a month, with Sammu-ramat, one assassination marker goes."""
    return lifter(box, s) >= 0


@kernel
def lifter(box: Box, s: State) -> int:
    """Lilith where Sammu-ramat is, if not used this month; or -1."""
    if s.assassination == 0:
        return -1
    for who in range(pools.PEOPLE):
        if s.location[who] >= 0 and s.location[who] == s.location[c.SAMMU_RAMAT] and s.used[who] == 0:
            if box.ability[who, s.side[who], c.A_REMOVE_ASSASSINATION] > 0:
                return who
    return -1


@kernel
def lift_assassination(box: Box, s: State) -> None:
    """The marker returns to the pool."""
    s.used[lifter(box, s)] = 1
    s.assassination -= 1
    s.marker_pool[c.ASSASSINATION] += 1
