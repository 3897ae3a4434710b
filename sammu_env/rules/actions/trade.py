"""Barter (5f), the amphora, and the free actions: trade, markets, taking goods (5h, pp. 29-30)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import steps
from sammu_env.actions import CHARACTER, DONE, GOOD, LOCATION, PLAYER, TOKEN, V_YES, VERB
from sammu_env.box import Box
from sammu_env.rules import effects, pools
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top

BARTER_GOODS = 2


@kernel
def can_barter(box: Box, s: State, who: int, for_supply: bool) -> bool:
    """A8: two goods for one supply here, or one supply of the area for two of its goods."""
    location = int(s.location[who])
    zone = int(box.zone[location])
    if for_supply:  # N7: none comes into an area whose capital enemies hold
        return not pools.closed(box, s, location) and pools.goods_of(s, who) >= BARTER_GOODS and s.board[c.SUPPLY] > 0
    if zone >= pools.AREAS_N or s.token[c.SUPPLY, zone] == 0:
        return False
    return s.good_pool[box.area_good[zone]] > 0


@kernel
def ask_barter_as(s: State) -> None:
    """SAM-007: with a free action, or with an action."""
    option(s, DONE)
    option(s, VERB + V_YES)


@kernel
def answer_barter_as(s: State, free: bool) -> None:
    """Pays for it; then the barter."""
    who, for_supply = top(s, 0), top(s, 1)
    pop(s)
    if free:
        s.free_actions[s.seat] -= 1
    else:
        s.actions[who] -= 1
    begin_barter(s, who, for_supply > 0)


@kernel
def begin_barter(s: State, who: int, for_supply: bool) -> None:
    """Pays, then receives."""
    push(s, steps.BARTER, who, 1 if for_supply else 0)
    if for_supply:
        push(s, steps.PAY_GOODS, who, BARTER_GOODS)


@kernel
def run_barter(box: Box, s: State) -> None:
    """What is received."""
    who, for_supply = top(s, 0), top(s, 1)
    pop(s)
    zone = int(box.zone[s.location[who]])
    if for_supply:
        pools.add_token(s, c.SUPPLY, zone, 1)
    else:
        pools.take_token(s, c.SUPPLY, zone, 1)
        pools.add_good(s, who, box.area_good[zone], BARTER_GOODS)


# Amphora: one token of the area becomes another


@kernel
def can_become(s: State, kind: int) -> bool:
    """Whether the board has a token of another kind to change it for."""
    for other in range(pools.KINDS_N):
        if other != kind and s.board[other] > 0:
            return True
    return False


@kernel
def can_convert(box: Box, s: State, who: int) -> bool:
    """T1: some token in the area, and another kind on the board."""
    location = int(s.location[who])
    area = pools.area_at(box, location)
    if area < 0 or pools.closed(box, s, location):
        return False
    for kind in range(pools.KINDS_N):
        if pools.tokens_in(box, s, kind, area) > 0 and can_become(s, kind):
            return True
    return False


@kernel
def ask_convert_from(box: Box, s: State) -> None:
    """Which kind is given."""
    area = pools.area_at(box, s.location[top(s, 0)])
    for kind in range(pools.KINDS_N):
        if pools.tokens_in(box, s, kind, area) > 0 and can_become(s, kind):
            option(s, TOKEN + kind)


@kernel
def answer_convert_from(box: Box, s: State, kind: int) -> None:
    """Military and diviners: where in the area."""
    who = top(s, 0)
    area = pools.area_at(box, s.location[who])
    pop(s)
    if kind <= c.DIVINER:
        push(s, steps.CONVERT_AT, kind, area)
    else:
        push(s, steps.CONVERT_TO, kind, s.location[who])


@kernel
def ask_convert_at(box: Box, s: State) -> None:
    """Where in the area it stands."""
    kind, area = top(s, 0), top(s, 1)
    for i in range(box.zone_n[area]):
        location = int(box.zone_location[area, i])
        if s.token[kind, location] > 0:
            option(s, LOCATION + location)


@kernel
def answer_convert_at(s: State, location: int) -> None:
    """Then what it becomes."""
    kind = top(s, 0)
    pop(s)
    push(s, steps.CONVERT_TO, kind, location)


@kernel
def ask_convert_to(s: State) -> None:
    """Any other kind that the board has."""
    for kind in range(pools.KINDS_N):
        if kind != top(s, 0) and s.board[kind] > 0:
            option(s, TOKEN + kind)


@kernel
def answer_convert_to(box: Box, s: State, kind: int) -> None:
    """The one returns to the board, the other takes its place: military or diviners of supply or medicine anywhere
    in the area."""
    old, location = top(s, 0), top(s, 1)
    pop(s)
    pools.take_token(s, old, pools.place_of(box, old, location), 1)
    if old > c.DIVINER and kind <= c.DIVINER:
        push(s, steps.CONVERT_PLACE, kind, box.zone[location])
    else:
        pools.add_token(s, kind, pools.place_of(box, kind, location), 1)


@kernel
def ask_convert_place(box: Box, s: State) -> None:
    """T1: where in the area it stands now; not with enemies."""
    area = top(s, 1)
    for i in range(box.zone_n[area]):
        location = int(box.zone_location[area, i])
        if s.enemy[location] == 0:
            option(s, LOCATION + location)


@kernel
def answer_convert_place(s: State, location: int) -> None:
    """There."""
    kind = top(s, 0)
    pop(s)
    pools.add_token(s, kind, location, 1)


# Trade of one good for one good


@kernel
def differ(s: State, who: int, other: int) -> bool:
    """Whether two characters could give each other different goods."""
    for good in range(pools.GOODS_N):
        if s.good[who, good] > 0 and has_other_good(s, other, good):
            return True
    return False


@kernel
def has_other_good(s: State, who: int, good: int) -> bool:
    """Whether a card holds a good of another kind."""
    for other in range(pools.GOODS_N):
        if other != good and s.good[who, other] > 0:
            return True
    return False


@kernel
def can_trade_goods(s: State, who: int) -> bool:
    """A12: with somebody at the same location."""
    if pools.goods_of(s, who) == 0:
        return False
    for other in range(pools.PEOPLE):
        if trades_with(s, who, other):
            return True
    return False


@kernel
def trades_with(s: State, who: int, other: int) -> bool:
    """Whether that character is here and has something else to give."""
    return other != who and s.location[other] == s.location[who] and differ(s, who, other)


@kernel
def ask_trade_with(s: State) -> None:
    """With whom."""
    who = top(s, 0)
    for other in range(pools.PEOPLE):
        if trades_with(s, who, other):
            option(s, CHARACTER + other)


@kernel
def answer_trade_with(s: State, other: int) -> None:
    """Then what is given."""
    who = top(s, 0)
    pop(s)
    push(s, steps.TRADE_GIVE, who, other)


@kernel
def ask_trade_give(s: State) -> None:
    """A good for which the other has a different one."""
    who, other = top(s, 0), top(s, 1)
    for good in range(pools.GOODS_N):
        if s.good[who, good] > 0 and has_other_good(s, other, good):
            option(s, GOOD + good)


@kernel
def answer_trade_give(s: State, good: int) -> None:
    """Then what comes back."""
    who, other = top(s, 0), top(s, 1)
    pop(s)
    push(s, steps.TRADE_GET, who, other, good)


@kernel
def ask_trade_get(s: State) -> None:
    """A good of another kind."""
    other, given = top(s, 1), top(s, 2)
    for good in range(pools.GOODS_N):
        if good != given and s.good[other, good] > 0:
            option(s, GOOD + good)


@kernel
def answer_trade_get(s: State, good: int) -> None:
    """One for one."""
    who, other, given = top(s, 0), top(s, 1), top(s, 2)
    pop(s)
    s.good[who, given] -= 1
    s.good[other, given] += 1
    s.good[other, good] -= 1
    s.good[who, good] += 1


# Trade of one card for one card


@kernel
def present(s: State, seat: int, who: int) -> bool:
    """Whether a seat has another character where one stands: its own advisor, or one it consulted."""
    for other in range(pools.PEOPLE):
        if other != who and s.location[other] == s.location[who]:
            if s.owner[other] == seat or s.consulted[other] == seat:
                return True
    return False


@kernel
def can_trade_cards(s: State, seat: int, who: int) -> bool:
    """A12: a card for a card with a player whose character is here."""
    if s.hand_n[seat] == 0:
        return False
    for other in range(s.players):
        if other != seat and s.hand_n[other] > 0 and present(s, other, who):
            return True
    return False


@kernel
def ask_cards_with(s: State) -> None:
    """With which player."""
    seat = top(s, 0)
    for other in range(s.players):
        if other != seat and s.hand_n[other] > 0 and present(s, other, s.active):
            option(s, PLAYER + other)


@kernel
def answer_cards_with(s: State, other: int) -> None:
    """Then which card is given."""
    seat = top(s, 0)
    pop(s)
    push(s, steps.CARDS_GIVE, seat, other)


@kernel
def ask_cards_give(s: State) -> None:
    """Any card in hand."""
    effects.offer_hand(s, top(s, 0))


@kernel
def answer_cards_give(s: State, card: int) -> None:
    """Then the other player is asked for one."""
    seat, other = top(s, 0), top(s, 1)
    pop(s)
    push(s, steps.CARDS_GET, seat, other, card)


@kernel
def ask_cards_get(s: State) -> None:
    """Any card in the other's hand."""
    effects.offer_hand(s, top(s, 1))


@kernel
def answer_cards_get(s: State, card: int) -> None:
    """Both change hands."""
    seat, other, given = top(s, 0), top(s, 1), top(s, 2)
    pop(s)
    effects.hold(s, given, other)
    effects.hold(s, card, seat)


# Markets


@kernel
def sold_here(box: Box, s: State, location: int, good: int) -> bool:
    """A12, M11: the area's good, all at Damascus, and both areas' goods where karu lies on a road between them."""
    if s.good_pool[good] == 0:
        return False
    if location == c.DAMASCUS:
        return True
    area = pools.area_at(box, location)
    if area < 0:
        return False
    if box.area_good[area] == good:
        return True
    for road in range(box.roads):
        if s.road_karu[road] > 0:
            a, b = pools.area_at(box, box.road_end[road, 0]), pools.area_at(box, box.road_end[road, 1])
            if a == area and b >= 0 and box.area_good[b] == good:
                return True
            if b == area and a >= 0 and box.area_good[a] == good:
                return True
    return False


@kernel
def can_exchange(box: Box, s: State, who: int, given: int) -> bool:
    """Whether the market here has something else for a good."""
    if s.good[who, given] == 0:
        return False
    for good in range(pools.GOODS_N):
        if good != given and sold_here(box, s, s.location[who], good):
            return True
    return False


@kernel
def can_market(box: Box, s: State, who: int) -> bool:
    """A12: a market here, open this month (SAM-050)."""
    if box.market[s.location[who]] == 0 or s.markets_closed > 0:
        return False
    for good in range(pools.GOODS_N):
        if can_exchange(box, s, who, good):
            return True
    return False


@kernel
def ask_market_give(box: Box, s: State) -> None:
    """What is given."""
    for good in range(pools.GOODS_N):
        if can_exchange(box, s, top(s, 0), good):
            option(s, GOOD + good)


@kernel
def answer_market_give(s: State, good: int) -> None:
    """Then what for."""
    who = top(s, 0)
    pop(s)
    push(s, steps.MARKET_GET, who, good)


@kernel
def ask_market_get(box: Box, s: State) -> None:
    """What the market has."""
    who, given = top(s, 0), top(s, 1)
    for good in range(pools.GOODS_N):
        if good != given and sold_here(box, s, s.location[who], good):
            option(s, GOOD + good)


@kernel
def answer_market_get(s: State, good: int) -> None:
    """One for one."""
    who, given = top(s, 0), top(s, 1)
    pop(s)
    pools.pay_good(s, who, given, 1)
    pools.add_good(s, who, good, 1)


# Goods from Sammu-ramat


@kernel
def can_take(s: State, who: int) -> bool:
    """A12: any number of her goods, by somebody where she is."""
    if who == c.SAMMU_RAMAT or s.location[who] != s.location[c.SAMMU_RAMAT]:
        return False
    return pools.goods_of(s, c.SAMMU_RAMAT) > 0


@kernel
def ask_take_goods(s: State) -> None:
    """One after another, until enough."""
    for good in range(pools.GOODS_N):
        if s.good[c.SAMMU_RAMAT, good] > 0:
            option(s, GOOD + good)
    if s.n_options == 0:
        pop(s)
    elif top(s, 1) > 0:
        option(s, DONE)


@kernel
def answer_take_goods(s: State, action: int) -> None:
    """It changes cards."""
    who = top(s, 0)
    if action == DONE:
        pop(s)
        return
    s.good[c.SAMMU_RAMAT, action - GOOD] -= 1
    s.good[who, action - GOOD] += 1
    set_top(s, 1, 1)
