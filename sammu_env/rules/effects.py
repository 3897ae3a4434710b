"""The programs of events, banners and monthly effects: each row is one effect (pp. 15-16, 22, 50, 58-66)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env import steps
from sammu_env.actions import AREA, ASHUR, CHARACTER, DONE, GOOD, LOCATION, MARKER, ROAD
from sammu_env.box import Box
from sammu_env.rules import battle, markers, oracle, pools
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top
from tabletop.switch import of_rows, switch

BANNER, TEXT, MONTHLY = range(3)
#: One more rule of what follows than a card can name: SAM-025.
UNPAID_LOSES = len(c.UNPAID_RULES)


@kernel
def area_meant(s: State, program: int) -> int:
    """C2: a marker drawn in stage 3 strikes the previous month's area, else this month's."""
    if program == MONTHLY and s.previous_area >= 0:
        return int(s.previous_area)
    return int(s.event_area)


@kernel
def run_effects(box: Box, s: State) -> None:
    """The next row of a program takes effect; an empty row ends it."""
    program, index, row, instead = top(s, 0), top(s, 1), top(s, 2), top(s, 3)
    if program == BANNER:
        rows = box.event_banner[index]
    elif program == TEXT:
        rows = box.event_text[index]
    else:
        rows = box.monthly[index, s.month]
    if row == len(rows) or rows[row, 0] == c.FX_NONE:
        pop(s)
        return
    set_top(s, 2, row + 1)
    do(box, s, int(rows[row, 0]), int(rows[row, 1]), int(rows[row, 2]), int(rows[row, 3]), program, instead)


# What each effect does. It is told its fields by name and, where it wants to know, the sort of ``program`` and the area
# that bears a banner ``instead`` of Assyria, or -1.


@kernel
def bearer(area: int, instead: int) -> int:
    """N5: who bears what a banner says of an area: of Assyria another may bear it."""
    return instead if instead >= 0 and area == c.ASSYRIA else area


@kernel
def do_tokens(box: Box, s: State, area: int, kind: int, n: int, instead: int) -> None:
    """Tokens up or down."""
    change_tokens(box, s, bearer(area, instead), kind, n)


@kernel
def do_place_marker(box: Box, s: State, marker: int, at: int, instead: int) -> None:
    """A marker that the card names."""
    if at >= 0 and bearer(int(box.zone[at]), instead) != box.zone[at]:
        at = int(box.capital[instead])
    place_marker(box, s, marker, at)


@kernel
def do_bag_add(s: State, marker: int, n: int) -> None:
    """Markers go into the bag."""
    pools.marker_to_bag(s, marker, n)


@kernel
def do_bag_remove(s: State, marker: int, n: int) -> None:
    """Markers leave the bag."""
    pools.marker_from_bag(s, marker, n)


@kernel
def do_draw(s: State, n: int, program: int, instead: int) -> None:
    """Markers are drawn, for the area of the event or for the one that bears the banner."""
    push(s, steps.DRAW_MARKER, n, area_meant(s, program) if instead < 0 else instead)


@kernel
def do_close_roads(s: State, where: int) -> None:
    """The Queen's Road is closed until the month ends (N12), as all that follows here."""
    if where == c.EVERYWHERE:
        s.roads_closed = 1
    elif where == c.AT_MARKETS:
        s.market_road_closed = 1
    else:
        s.road_closed[where] = 1


@kernel
def do_ban_tokens(s: State, area: int) -> None:
    """No empire token goes in or out."""
    s.token_ban[area] = 1


@kernel
def do_double_steps(s: State, area: int) -> None:
    """In and out costs two steps."""
    s.double_steps[area] = 1


@kernel
def began_in(box: Box, s: State, who: int, area: int) -> bool:
    """Whether a character on the map was in an area as the month began."""
    return bool(s.location[who] >= 0 and s.began[who] >= 0 and box.zone[s.began[who]] == area)


@kernel
def do_freeze(box: Box, s: State, area: int) -> None:
    """Who starts there does not move."""
    for who in range(pools.PEOPLE):
        if began_in(box, s, who, area):
            s.frozen[who] = 1


@kernel
def do_fewer_actions(box: Box, s: State, area: int, n: int) -> None:
    """Who starts there has fewer actions."""
    for who in range(pools.PEOPLE):
        if began_in(box, s, who, area):
            s.fewer_actions[who] += n


@kernel
def do_bonus_steps(s: State, group: int, n: int) -> None:
    """Advisors, or all characters, go further."""
    if group == c.ADVISORS_GROUP:
        s.advisor_steps += n
    else:
        s.character_steps += n


@kernel
def do_move_limit(s: State, n: int) -> None:
    """So many move actions for each character; of two limits the smaller holds."""
    if s.move_limit < 0 or n < s.move_limit:
        s.move_limit = n


@kernel
def do_queen_actions(s: State, n: int) -> None:
    """Sammu-ramat has more actions, fewer, or none: then no other effect gives her any."""
    if n == c.NO_ACTIONS or s.queen_actions == c.NO_ACTIONS:
        s.queen_actions = c.NO_ACTIONS
    else:
        s.queen_actions += n


@kernel
def do_close_markets(s: State) -> None:
    """No market is open."""
    s.markets_closed = 1


@kernel
def do_corruption(s: State, n: int) -> None:
    """W4: goods are owed after the action phase."""
    s.corruption += n


@kernel
def do_bribes(s: State, group: int, n: int) -> None:
    """Each of the group owes goods at the end of the month."""
    s.bribes[group] += n


@kernel
def do_add_enemies(box: Box, s: State, at: int, n: int, instead: int) -> None:
    """On a location, or on the farthest of an area, numbered after the locations (C3)."""
    area = at - pools.LOCATIONS_N if at >= pools.LOCATIONS_N else int(box.zone[at])
    bears = bearer(area, instead)
    if bears != area or at >= pools.LOCATIONS_N:
        battle.add_enemies_in(box, s, bears, n)
    else:
        battle.add_enemies(box, s, at, n)


@kernel
def do_remove_enemies(s: State, area: int, n: int) -> None:
    """The team says where."""
    push(s, steps.REMOVE_ENEMY, area, n)


@kernel
def do_pay_each(s: State, group: int, n: int, unpaid: int, program: int) -> None:
    """One after the other pays."""
    push(s, steps.PAY_EACH, group, n, unpaid, 0, area_meant(s, program))


@kernel
def do_pay_total(s: State, group: int, n: int, unpaid: int) -> None:
    """They pay together."""
    push(s, steps.PAY_GROUP, group, n, unpaid)


@kernel
def do_gain_each(box: Box, s: State, group: int, good: int, n: int) -> None:
    """Each of the group receives goods."""
    gain(box, s, False, group, good, n)


@kernel
def do_gain_in_area(box: Box, s: State, area: int, good: int, n: int) -> None:
    """Each character in the area receives goods."""
    gain(box, s, True, area, good, n)


@kernel
def do_move_character(s: State, area: int) -> None:
    """The team says who."""
    push(s, steps.MOVE_CHARACTER, area)


@kernel
def do_trade_road(s: State, n: int) -> None:
    """The team says in which area."""
    push(s, steps.TRADE_ROAD, n)


@kernel
def do_lose_tokens(s: State, kind: int, n: int, unpaid: int) -> None:
    """The team says where."""
    push(s, steps.REMOVE_TOKEN, kind, -1, n, 1 if unpaid == c.UNPAID_BAG else 0)


@kernel
def do_discard_cards(s: State, n: int) -> None:
    """Each player in turn."""
    for seat in range(s.players - 1, -1, -1):
        push(s, steps.DISCARD, seat, n)


@kernel
def do_oracle_event(box: Box, s: State) -> None:
    """Baileet, side B, comes to the event's area; in a month without an event she does not."""
    if s.event_area < 0:
        return
    oracle.appear(box, s, box.capital[s.event_area], c.SIDE_B)


@kernel
def do_oracle_challenge(s: State) -> None:
    """SAM-190: a card says where she goes."""
    oracle.reveal(s)


@kernel
def change_tokens(box: Box, s: State, area: int, kind: int, n: int) -> None:
    """N4, N6, N7: tokens of an area go up or down; unrest and plague keep supply and medicine from coming."""
    if n < 0:
        if kind == c.SUPPLY and pools.karu_saves(s, area):
            return
        if kind == c.MEDICINE and pools.health_saves(s, area):
            return
        push(s, steps.REMOVE_TOKEN, kind, area, -n, 1)
        return
    if pools.capital_held(box, s, area):
        return
    if kind == c.SUPPLY and pools.unrest_in(box, s, area):
        return
    if kind == c.MEDICINE and pools.plague_in(box, s, area):
        return
    pools.add_token(s, kind, pools.place_of(box, kind, box.capital[area]), n)


@kernel
def place_marker(box: Box, s: State, marker: int, location: int) -> None:
    """A marker printed on the card takes effect where the card says."""
    if marker >= c.GREEN:
        push(s, steps.USE_MARKER, marker)
    elif marker == c.ASSASSINATION:
        markers.assassinate(box, s)
    elif marker == c.UNREST:
        markers.outbreak(box, s, location)
    elif marker == c.PLAGUE:
        markers.place_plague(box, s, location)
    elif pools.area_at(box, location) >= 0:
        markers.begin_raid(box, s, pools.area_at(box, location))


@kernel
def ask_draw_marker(s: State) -> None:
    """Chance: a marker comes out of the bag; an empty bag gives none (N8)."""
    if top(s, 0) == 0:
        pools.next_event(s)
        pop(s)
        return
    for marker in range(len(c.MARKERS)):
        if s.bag[marker] > 0:
            option(s, MARKER + marker)
    if s.n_options == 0:
        pop(s)


@kernel
def answer_draw_marker(box: Box, s: State, marker: int) -> None:
    """It takes effect at once."""
    area = top(s, 1)
    set_top(s, 0, top(s, 0) - 1)
    markers.resolve_drawn(box, s, marker, area)


@kernel
def ask_remove_token(box: Box, s: State) -> None:
    """Which token goes, where the team has a choice; what cannot be paid puts red markers into the bag (N6)."""
    kind, zone, n = top(s, 0), top(s, 1), top(s, 2)
    if n == 0:
        pop(s)
        return
    if kind > c.DIVINER:
        for area in range(pools.AREAS_N):
            if s.token[kind, area] > 0 and (zone < 0 or zone == area):
                option(s, AREA + area)
    else:
        for location in range(len(c.LOCATIONS)):
            if s.token[kind, location] > 0 and (zone < 0 or box.zone[location] == zone):
                option(s, LOCATION + location)
    if s.n_options == 0:
        if top(s, 3) > 0:
            pools.marker_to_bag(s, kind, n)
        pop(s)


@kernel
def answer_remove_token(s: State, action: int) -> None:
    """One token returns to the board."""
    kind = top(s, 0)
    pools.take_token(s, kind, action - AREA if kind > c.DIVINER else action - LOCATION, 1)
    set_top(s, 2, top(s, 2) - 1)


# Goods that events take and give


@kernel
def run_pay_each(s: State) -> None:
    """N10: the next of the group pays; what one lacks the other kind of advisors must pay (p. 16).

    SAM-182 says itself what follows when all have paid: a marker is drawn for each good that is lacking.
    """
    group, n, unpaid, who = top(s, 0), top(s, 1), top(s, 2), top(s, 3)
    while who < pools.PEOPLE and not pools.in_group(s, who, group):
        who += 1
    set_top(s, 3, who + 1)
    if who >= pools.PEOPLE:
        area, owed = top(s, 4), top(s, 5)
        pop(s)
        if owed > 0:
            push(s, steps.DRAW_MARKER, owed, area)
        return
    has = min(n, pools.goods_of(s, who))
    asked = n - has
    if unpaid == c.UNPAID_DRAW:
        asked = min(asked, goods_in(s, other_group(group)))
        set_top(s, 5, top(s, 5) + n - has - asked)
    if asked > 0:
        push(s, steps.PAY_GROUP, other_group(group), asked, unpaid)
    if has > 0:
        push(s, steps.PAY_GOODS, who, has)


@kernel
def goods_in(s: State, group: int) -> int:
    """All that a group has."""
    n = 0
    for who in range(pools.PEOPLE):
        if pools.in_group(s, who, group):
            n += pools.goods_of(s, who)
    return n


@kernel
def other_group(group: int) -> int:
    """Who pays for whom: personal and public advisors for each other, in a group of both all for all."""
    if group == c.PERSONAL_GROUP:
        return c.PUBLIC_GROUP
    return c.PERSONAL_GROUP if group == c.PUBLIC_GROUP else group


@kernel
def ask_pay_group(s: State) -> None:
    """Whose good goes next; what nobody can pay has its price (N10, W4)."""
    group, n, unpaid = top(s, 0), top(s, 1), top(s, 2)
    if n == 0:
        pop(s)
        return
    for who in range(pools.PEOPLE):
        if pools.in_group(s, who, group) and pools.goods_of(s, who) > 0:
            option(s, CHARACTER + who)
    if s.n_options > 0:
        return
    pop(s)
    if unpaid == c.UNPAID_BAG:
        pools.marker_to_bag(s, c.UNREST, n)
    elif unpaid == UNPAID_LOSES:
        pools.finish(s, c.LOST, c.UNPAID)


@kernel
def answer_pay_group(s: State, who: int) -> None:
    """That advisor pays one."""
    set_top(s, 1, top(s, 1) - 1)
    push(s, steps.PAY_GOODS, who, 1)


@kernel
def ask_pay_goods(s: State) -> None:
    """Which good of a card is paid."""
    who = top(s, 0)
    if top(s, 1) == 0:
        pop(s)
        return
    for good in range(pools.GOODS_N):
        if s.good[who, good] > 0:
            option(s, GOOD + good)
    if s.n_options == 0:
        pop(s)


@kernel
def answer_pay_goods(s: State, good: int) -> None:
    """It goes to the pool."""
    pools.pay_good(s, top(s, 0), good, 1)
    set_top(s, 1, top(s, 1) - 1)


@kernel
def receives(box: Box, s: State, who: int, in_area: bool, x: int) -> bool:
    """Whether a character is of the group, or in the area, that receives goods."""
    if in_area:
        return bool(s.location[who] >= 0 and box.zone[s.location[who]] == x)
    return pools.in_group(s, who, x)


@kernel
def gain(box: Box, s: State, in_area: bool, x: int, good: int, n: int) -> None:
    """Each of a group, or each character in an area, receives goods; who goes short of the pool, the team says."""
    people = 0
    for who in range(pools.PEOPLE):
        people += receives(box, s, who, in_area, x)
    if s.good_pool[good] < people * n:
        s.received[:] = 0
        push(s, steps.GAIN_TO, in_area, x, good, n)
        return
    for who in range(pools.PEOPLE):
        if receives(box, s, who, in_area, x):
            pools.add_good(s, who, good, n)


@kernel
def ask_gain_to(box: Box, s: State) -> None:
    """N8, p. 15: the pool has too few for all; the team says who receives each, nobody more than the card gives."""
    in_area, x, good, n = top(s, 0), top(s, 1), top(s, 2), top(s, 3)
    if s.good_pool[good] > 0:
        for who in range(pools.PEOPLE):
            if s.received[who] < n and receives(box, s, who, in_area > 0, x):
                option(s, CHARACTER + who)


@kernel
def answer_gain_to(s: State, who: int) -> None:
    """One good lies on that card."""
    s.received[who] += 1
    pools.add_good(s, who, top(s, 2), 1)


# Events that ask


@kernel
def ask_move_character(box: Box, s: State) -> None:
    """Any one character may be moved into the area, without tokens (N9); out of plague only with medicine (M4)."""
    area = top(s, 0)
    for who in range(pools.PEOPLE):
        if s.location[who] < 0 or (s.plague[s.location[who]] > 0 and pools.medicine_of(box, s, who) == 0):
            continue
        if can_go(box, s, who, area):
            option(s, CHARACTER + who)
    option(s, DONE)


@kernel
def can_go(box: Box, s: State, who: int, area: int) -> bool:
    """Whether some location of the area takes the character."""
    for i in range(box.zone_n[area]):
        location = int(box.zone_location[area, i])
        if location != s.location[who] and markers.may_stay(box, s, who, location):
            return True
    return False


@kernel
def answer_move_character(s: State, action: int) -> None:
    """Then where in the area."""
    area = top(s, 0)
    pop(s)
    if action != DONE:
        push(s, steps.MOVE_CHARACTER_TO, action - CHARACTER, area)


@kernel
def ask_move_character_to(box: Box, s: State) -> None:
    """The area's locations that take the character."""
    who, area = top(s, 0), top(s, 1)
    for i in range(box.zone_n[area]):
        location = int(box.zone_location[area, i])
        if location != s.location[who] and markers.may_stay(box, s, who, location):
            option(s, LOCATION + location)


@kernel
def answer_move_character_to(s: State, location: int) -> None:
    """The character stands there."""
    markers.stand(s, location)


@kernel
def ask_trade_road(box: Box, s: State) -> None:
    """SAM-024: an area where an advisor is."""
    for area in range(pools.AREAS_N):
        for who in range(1, pools.PEOPLE):
            if s.location[who] >= 0 and box.zone[s.location[who]] == area:
                option(s, AREA + area)
                break


@kernel
def answer_trade_road(box: Box, s: State, area: int) -> None:
    """A road from it gets a karu marker; the team says which advisors get the goods of the area (p. 15)."""
    n = min(top(s, 0), int(s.good_pool[box.area_good[area]]))
    pop(s)
    for _ in range(n):
        push(s, steps.TAX_TO, box.area_good[area], c.ADVISORS_GROUP)
    push(s, steps.KARU_ROAD, area)


@kernel
def ask_karu_road(box: Box, s: State) -> None:
    """The roads that touch the area and that your military holds (M11)."""
    area = top(s, 0)
    if s.marker_pool[c.KARU] > 0:
        for road in range(box.roads):
            touches = box.zone[box.road_end[road, 0]] == area or box.zone[box.road_end[road, 1]] == area
            if touches and markers.takes_karu(box, s, road):
                option(s, ROAD + road)
    if s.n_options == 0:
        pop(s)


@kernel
def answer_karu_road(s: State, road: int) -> None:
    """The marker lies on the road."""
    s.road_karu[road] += 1
    s.marker_pool[c.KARU] -= 1
    pop(s)


@kernel
def ask_remove_enemy(box: Box, s: State) -> None:
    """SAM-022: an enemy in the area or next to it."""
    area = top(s, 0)
    if top(s, 1) == 0:
        pop(s)
        return
    for location in range(len(c.LOCATIONS)):
        if s.enemy[location] > 0 and near_area(box, location, area):
            option(s, LOCATION + location)
    if s.n_options == 0:
        pop(s)


@kernel
def near_area(box: Box, location: int, area: int) -> bool:
    """Whether a location is in an area or next to one of its locations."""
    if box.zone[location] == area:
        return True
    for i in range(box.degree[location]):
        if box.zone[box.neighbour[location, i]] == area:
            return True
    return False


@kernel
def answer_remove_enemy(s: State, location: int) -> None:
    """It returns to the pool."""
    s.enemy[location] -= 1
    s.enemy_pool += 1
    set_top(s, 1, top(s, 1) - 1)


@kernel
def ask_discard(s: State) -> None:
    """Which card of a hand goes."""
    seat = top(s, 0)
    if top(s, 1) == 0 or s.hand_n[seat] == 0:
        pop(s)
        return
    offer_hand(s, seat)


@kernel
def offer_hand(s: State, seat: int) -> None:
    """Every card in a seat's hand."""
    for card in range(c.N_ASHUR):
        if s.ashur[card] == st.HAND + seat:
            option(s, ASHUR + card)


@kernel
def answer_discard(s: State, card: int) -> None:
    """It goes to the discard."""
    seat = top(s, 0)
    discard(s, seat, card)
    set_top(s, 1, top(s, 1) - 1)


@kernel
def discard(s: State, seat: int, card: int) -> None:
    """A card leaves a hand for the discard."""
    s.ashur[card] = st.DISCARD
    s.hand_n[seat] -= 1
    s.discard_n += 1


@kernel
def remake_deck(s: State) -> None:
    """An empty deck is made anew from the discard."""
    if s.deck_n > 0:
        return
    for card in range(c.N_ASHUR):
        if s.ashur[card] == st.DISCARD:
            s.ashur[card] = st.DECK
    s.deck_n = s.discard_n
    s.discard_n = 0


@kernel
def ask_draw_card(s: State) -> None:
    """Chance: a card from the deck."""
    if top(s, 1) == 0:
        pop(s)
        return
    remake_deck(s)
    if s.deck_n == 0:
        pop(s)
        return
    n = int(s.n_options)
    for card in range(c.N_ASHUR):  # without a branch: this list is long, and made more often than any other
        s.option[n] = ASHUR + card
        n += s.ashur[card] == st.DECK
    s.n_options = n


@kernel
def answer_draw_card(s: State, card: int) -> None:
    """It goes to the seat's hand."""
    seat = top(s, 0)
    s.ashur[card] = st.HAND + seat
    s.hand_n[seat] += 1
    s.deck_n -= 1
    set_top(s, 1, top(s, 1) - 1)


@kernel
def hold(s: State, card: int, seat: int) -> None:
    """A card passes from one hand to another."""
    s.hand_n[s.ashur[card] - st.HAND] -= 1
    s.ashur[card] = st.HAND + seat
    s.hand_n[seat] += 1


#: A row (effect, x, y, z) takes effect: ``do(box, s, effect, x, y, z, program, instead)``.
do = switch(
    "do", "box, s, effect, x, y, z, program, instead", "effect",
    of_rows("do", "c.FX", c.EFFECT_ROWS, "box s program instead", globals()), globals(),
)  # fmt: skip
