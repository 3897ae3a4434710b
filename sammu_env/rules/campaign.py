"""Five challenges in a row: what carries over, who plays on, and the score (pp. 36-38)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env import steps
from sammu_env.actions import CHARACTER, DONE, PLAYER
from sammu_env.box import Box
from sammu_env.rules import conditions, pools, setup
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, top

CARDS_BETWEEN = 3
TECHNOLOGY_PRICE = 4
LAST_GAME = 4
#: The five verdicts: the score each begins at (p. 38).
VERDICTS = (0, 61, 81, 96, 111)


@kernel
def score(box: Box, s: State) -> int:
    """K4: what a finished challenge is worth."""
    total = 0
    if s.result == c.WON:
        total += 5 + 3 * int(s.months - s.month)
    total += 2 * conditions.gates(s)
    for who in range(pools.PEOPLE):
        if s.status[who] == c.IN_PLAY:
            for technology in range(pools.TECHNOLOGIES_N):
                total += s.has[who, technology]
    total += pools.on_map(box, s, c.MEDICINE) + pools.on_map(box, s, c.MILITARY)
    total -= int(box.enemy_total - s.enemy_pool)
    for marker in range(len(c.MARKERS)):
        out = int(box.marker_total[marker] - s.marker_pool[marker] - s.bag[marker])
        total += out if marker >= c.GREEN else -out
    return total


@kernel
def goes_on(s: State) -> bool:
    """K1: a campaign ends with Sammu-ramat's death or Assyria's gate, and after the fifth challenge."""
    return s.campaign > 0 and s.game < LAST_GAME and not fallen(s)


@kernel
def fallen(s: State) -> bool:
    """K1: Sammu-ramat is dead or Assyria's gate lost, whatever was named as the cause."""
    if s.cause == c.QUEEN_CAPTURED or s.gate[c.ASSYRIA] == 0:
        return True
    return s.assassination >= c.MAX_ASSASSINATIONS and s.stage == c.ST_OUTCOME


@kernel
def close(box: Box, s: State) -> None:
    """A challenge is decided: it is scored, and the campaign goes on or the game is over."""
    s.scored = 1
    s.score[s.game] = score(box, s)
    s.game_result[s.game] = s.result
    s.reward += 1 if s.result == c.WON else -1
    s.sp = 0
    push(s, steps.HALT)
    if goes_on(s):
        push(s, steps.CARRY_OVER)
        if s.next_challenge < 0:
            push(s, steps.DRAW_NEXT_CHALLENGE, s.game + 1)
        return
    if s.campaign > 0:
        s.reward -= LAST_GAME - s.game
        if s.game == LAST_GAME and not fallen(s) and total_score(s) >= VERDICTS[1]:
            s.result = c.WON
        else:
            s.result = c.LOST


@kernel
def total_score(s: State) -> int:
    """The campaign's score so far."""
    total = 0
    for game in range(5):
        total += s.score[game]
    return total


@kernel
def run_carry_over(box: Box, s: State) -> None:
    """K2: the board, advisors and goods stay; new events are laid, three cards drawn, lost advisors replaced."""
    pop(s)
    won = s.result == c.WON
    s.result = c.RUNNING
    s.cause = c.NO_CAUSE
    s.scored = 0
    if s.event_area >= 0:
        s.previous_area = s.event_area
    s.event = -1
    s.event_area = -1
    s.challenge = s.next_challenge
    s.next_challenge = -1
    s.game += 1
    s.month = 1
    setup.clear_month(s)
    lay_new_events(box, s)
    push(s, steps.STAGE, c.ST_SPREAD)
    setup.announce_next(s)
    push_seats(s, won)


@kernel
def push_seats(s: State, won: bool) -> None:
    """As p. 36 lists it: lost advisors are replaced, after a win a technology is bought, each draws three cards."""
    for seat in range(s.players - 1, -1, -1):
        push(s, steps.DISCARD_TO_LIMIT, seat)
    for seat in range(s.players - 1, -1, -1):
        push(s, steps.DRAW_CARD, seat, CARDS_BETWEEN)
    if won:
        push(s, steps.BUY_TECHNOLOGY)
    for seat in range(s.players - 1, -1, -1):
        if not has_advisor(s, seat):
            push(s, steps.CHOOSE_ADVISOR, seat)


@kernel
def has_advisor(s: State, seat: int) -> bool:
    """Whether a seat's own advisor is in play."""
    for who in range(pools.PEOPLE):
        if s.owner[who] == seat:
            if s.status[who] == c.IN_PLAY:
                return True
            s.owner[who] = -1
            s.side[who] = c.PUBLIC
    return False


@kernel
def lay_new_events(box: Box, s: State) -> None:
    """K2: a new row from the rest of the pile, which nobody shuffles (p. 36): the old row's cards do not come again.

    The advanced variant has fewer months for 1-3 players, but one at least. For SAM-190 the oracle events that were
    asked for are taken out, and put in again afterwards (p. 45).
    """
    for slot in range(c.MAX_MONTHS):
        if s.slot[slot] >= 0 and s.event_at[s.slot[slot]] == st.KNOWN:
            s.event_at[s.slot[slot]] = st.SEEN
        s.marker_pool[c.RELIGION] += s.slot_religion[slot]
    setup.clear_row(s)
    s.months = box.months[s.players]
    if s.advanced > 0 and s.players <= c.ADVANCED_PLAYERS:
        s.months = max(1, int(s.months) - c.FEWER_MONTHS[s.game])
    away = box.setup_oracle[s.challenge] > 0
    for i in range(s.oracles):
        if s.event_at[c.ORACLE_EVENTS[i]] != st.SEEN:
            s.event_at[c.ORACLE_EVENTS[i]] = st.LEFT_OUT if away else st.UNSEEN


@kernel
def ask_draw_next_challenge(box: Box, s: State) -> None:
    """Chance: the challenge of the next letter."""
    setup.offer_challenges(box, s, top(s, 0))


@kernel
def answer_draw_next_challenge(s: State, challenge: int) -> None:
    """It is known from now on."""
    s.next_challenge = challenge
    pop(s)


@kernel
def ask_buy_technology(s: State) -> None:
    """K2: after a win one character may pay four goods for a technology of the pool."""
    for who in range(pools.PEOPLE):
        able = s.status[who] == c.IN_PLAY and pools.goods_of(s, who) >= TECHNOLOGY_PRICE
        if able and pools.has_technology(s):
            option(s, CHARACTER + who)
    option(s, DONE)


@kernel
def answer_buy_technology(s: State, action: int) -> None:
    """Pays, then picks. A wheel draws for whose advisor it is; of a public one the team says for whom (pp. 36, 47)."""
    pop(s)
    if action != DONE:
        push(s, steps.GAIN_TECHNOLOGY, action - CHARACTER, s.owner[action - CHARACTER])
        push(s, steps.PAY_GOODS, action - CHARACTER, TECHNOLOGY_PRICE)


# K3: players who leave or join between challenges


@kernel
def new_seat(seat: int, leaving: int, players: int) -> int:
    """Those who stay keep their order and close the gap; those who leave (as bits) wait behind all players."""
    before = 0
    for other in range(seat):
        before += leaving >> other & 1
    return players + before if leaving >> seat & 1 else int(seat) - before


@kernel
def change_players(s: State, players: int, leaving: int) -> None:
    """Who leaves gives the advisor to all and the cards to the others; who joins takes a public advisor.

    ``leaving``: seats as bits. Call it on a state whose top step is the carry-over.
    """
    old = int(s.players)
    setup.clear_month(s)
    s.players = players
    if old == 1 and players > 1:
        s.side[c.SAMMU_RAMAT] = c.PUBLIC
        s.owner[c.SAMMU_RAMAT] = -1
    for who in range(1, pools.PEOPLE):
        if s.owner[who] >= 0:
            if players == 1 or leaving >> s.owner[who] & 1:
                s.owner[who] = -1
                s.side[who] = c.PUBLIC
            else:
                s.owner[who] = new_seat(s.owner[who], leaving, players)
    if players == 1:
        s.side[c.SAMMU_RAMAT] = c.SOLO
        s.owner[c.SAMMU_RAMAT] = 0
    s.hand_n[:] = 0
    s.free_actions[:] = 0
    for card in range(c.N_ASHUR):
        if s.ashur[card] >= st.HAND:
            seat = new_seat(s.ashur[card] - st.HAND, leaving, players)
            s.ashur[card] = st.HAND + seat
            s.hand_n[seat] += 1
    s.first_player = 0
    s.seat = 0
    for seat in range(c.MAX_PLAYERS - 1, players - 1, -1):
        if s.hand_n[seat] > 0:
            push(s, steps.SHARE_CARD, seat)


@kernel
def ask_share_card(s: State) -> None:
    """Who gets the next card of a player who left."""
    if s.hand_n[top(s, 0)] == 0:
        pop(s)
        return
    for seat in range(s.players):
        option(s, PLAYER + seat)


@kernel
def answer_share_card(s: State, seat: int) -> None:
    """The lowest-numbered card goes there; the team has seen them all."""
    left = top(s, 0)
    for card in range(c.N_ASHUR):
        if s.ashur[card] == st.HAND + left:
            s.ashur[card] = st.HAND + seat
            s.hand_n[left] -= 1
            s.hand_n[seat] += 1
            return


@kernel
def verdict(total: int) -> int:
    """Which of the five verdicts a total earns, 0-4."""
    rank = 0
    for i in range(len(VERDICTS)):
        if total >= VERDICTS[i]:
            rank = i
    return rank
