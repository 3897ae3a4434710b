"""Setting up a challenge, letters A to L of the rulebook (pp. 7-10)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env import steps
from sammu_env.actions import CHALLENGE, CHARACTER, LOCATION, TECHNOLOGY
from sammu_env.box import Box
from sammu_env.rules import markers, oracle, pools
from sammu_env.state import Setup, State
from tabletop.fields import Array
from tabletop.jit import kernel
from tabletop.rng import seed_generator
from tabletop.steps import option, pop, push, set_top, top


@kernel
def assign(target: Array[int], numbers: Array[int]) -> None:
    """Copies int[n] over int[n]."""
    for i in range(len(target)):
        target[i] = numbers[i]


@kernel
def fill(box: Box, s: State) -> None:
    """An empty table: every component in its pool, nobody on the map."""
    s.game = s.month = s.stage = s.first_player = s.seat = 0
    s.active = s.next_challenge = s.event = s.event_area = s.previous_area = -1
    s.to_act = c.NOBODY
    s.result = s.cause = s.sp = s.n_options = s.decisions = s.reward = s.scored = 0
    s.assassination = s.religion = s.discard_n = s.switched = s.finished = 0
    s.months = 0
    s.challenge = -1
    s.game_result[:] = 0
    s.score[:] = 0
    s.token[:] = 0
    s.enemy[:] = 0
    s.technology[:] = -1
    s.unrest[:] = 0
    s.plague[:] = 0
    s.diplomacy[:] = 0
    s.karu[:] = 0
    s.health[:] = 0
    s.gate[:] = 0
    s.area_karu[:] = 0
    s.area_health[:] = 0
    s.road_karu[:] = 0
    assign(s.board, box.token_total)
    s.enemy_pool = box.enemy_total
    assign(s.good_pool, box.good_total)
    assign(s.technology_pool, box.technology_total)
    assign(s.marker_pool, box.marker_total)
    s.bag[:] = 0
    s.location[:] = -1
    s.status[:] = c.OUT
    s.side[:] = c.PUBLIC
    s.owner[:] = -1
    s.good[:] = 0
    s.has[:] = 0
    s.ashur[:] = st.DECK
    s.deck_n = c.N_ASHUR
    s.hand_n[:] = 0
    s.event_at[:] = st.UNSEEN
    s.load[:] = 0
    s.load_character[:] = 0
    s.moving[:] = 0
    s.saved_supply[:] = 0
    s.saved_medicine[:] = 0
    s.plague_kept[:] = 0
    s.began[:] = -1
    s.received[:] = 0
    s.turn_done[:] = 0
    s.free_actions[:] = 0
    s.op[:] = 0
    s.arg[:] = 0
    s.option[:] = 0
    s.trace[:] = 0
    clear_row(s)
    clear_month(s)


@kernel
def clear_row(s: State) -> None:
    """No event lies on the table yet."""
    s.slot[:] = -1
    s.slot_religion[:] = 0


@kernel
def clear_month(s: State) -> None:
    """N12: what events changed ends with the month; discs come back."""
    s.road_closed[:] = 0
    s.roads_closed = s.market_road_closed = s.markets_closed = 0
    s.token_ban[:] = 0
    s.double_steps[:] = 0
    s.advisor_steps = s.character_steps = s.queen_actions = s.corruption = 0
    s.bribes[:] = 0
    s.move_limit = -1
    s.frozen[:] = 0
    s.fewer_actions[:] = 0
    s.consulted[:] = -1
    s.user[:] = -1
    s.granted[:] = 0
    s.actions[:] = 0
    s.leftover[:] = 0
    s.moves[:] = 0
    s.used[:] = 0
    s.sun_used[:] = 0
    s.turn_done[:] = 0
    s.active = -1


@kernel
def note(s: State, setup: Setup) -> None:
    """The options the game is played with."""
    s.box = setup.box
    s.players = setup.players
    s.campaign = setup.campaign
    s.oracles = setup.oracles
    s.start_goods = setup.start_goods
    s.advanced = setup.advanced
    s.hidden_hands = setup.hidden_hands
    s.manual_chance = setup.manual_chance


@kernel
def begin(box: Box, s: State, setup: Setup, seed: int) -> None:
    """Empties the table and lists what setting up takes, the last thing first."""
    fill(box, s)
    seed_generator(s, seed)
    note(s, setup)
    s.challenge = setup.challenge
    push(s, steps.HALT)
    push(s, steps.START_GAME)
    if setup.challenge < 0:
        push(s, steps.DRAW_CHALLENGE, 0 if setup.campaign else -1)


@kernel
def ask_draw_challenge(box: Box, s: State) -> None:
    """Chance: the challenge."""
    offer_challenges(box, s, top(s, 0))


@kernel
def answer_draw_challenge(s: State, challenge: int) -> None:
    """It is played."""
    s.challenge = challenge
    pop(s)


@kernel
def offer_challenges(box: Box, s: State, letter: int) -> None:
    """The challenges that may be drawn: of one letter, or any."""
    for challenge in range(c.N_CHALLENGES):
        if letter < 0 or box.challenge_letter[challenge] == letter:
            option(s, CHALLENGE + challenge)


@kernel
def announce_next(s: State) -> None:
    """K1: in a campaign the next challenge is drawn before the last month's new moon phase."""
    if s.campaign > 0 and s.month == s.months and s.game < 4 and s.next_challenge < 0:
        push(s, steps.DRAW_NEXT_CHALLENGE, s.game + 1)


@kernel
def run_start_game(box: Box, s: State) -> None:
    """U4-U12 for the challenge now known. Enemies stand before anything is placed, so nothing is placed on them."""
    pop(s)
    players = int(s.players)
    s.month = 1
    lay_events(box, s)
    place_components(box, s)
    push(s, steps.STAGE, c.ST_SPREAD)
    announce_next(s)
    push(s, steps.SETUP_END)
    for i in range(5, -1, -1):
        push(s, steps.DRAW_TECHNOLOGY, box.technology_location[i])
    push(s, steps.SETUP_MARKERS, 0)
    for seat in range(players - 1, -1, -1):
        push(s, steps.DRAW_CARD, seat, box.hand_start[players])
    if players > 1:
        for seat in range(players - 1, -1, -1):
            push(s, steps.CHOOSE_ADVISOR, seat)
    else:
        s.side[c.SAMMU_RAMAT] = c.SOLO
        s.owner[c.SAMMU_RAMAT] = 0
    push(s, steps.SETUP_CHARACTERS, 0)
    push(s, steps.SETUP_TOKENS, 0)


@kernel
def lay_events(box: Box, s: State) -> None:
    """U11: so many months as there are events; oracle events only as many as wished, and none with SAM-190."""
    s.months = box.months[s.players]
    left_out = 3 - s.oracles if box.setup_oracle[s.challenge] == 0 else 3
    for i in range(left_out):
        s.event_at[c.ORACLE_EVENTS[2] - i] = st.LEFT_OUT


@kernel
def place_components(box: Box, s: State) -> None:
    """U4 (area tokens and gates), U5, U6 and U7."""
    challenge = int(s.challenge)
    for location in range(len(c.LOCATIONS)):
        s.enemy[location] = box.setup_enemy[challenge, location]
        s.enemy_pool -= s.enemy[location]
    for marker in range(len(c.MARKERS)):
        pools.marker_to_bag(s, marker, box.setup_bag[challenge, marker])
    for area in range(pools.AREAS_N):
        s.gate[area] = box.setup_gate[challenge, area]
        pools.add_token(s, c.SUPPLY, area, box.setup_token[challenge, area, c.SUPPLY])
        pools.add_token(s, c.MEDICINE, area, box.setup_token[challenge, area, c.MEDICINE])
        if s.gate[area]:
            bring_advisors(box, s, area)


@kernel
def run_setup_tokens(box: Box, s: State) -> None:
    """U4, U5: the next area gets its military and diviners, after enemies for which the team names the location."""
    area = top(s, 0)
    if area == pools.AREAS_N:
        pop(s)
        return
    set_top(s, 0, area + 1)
    for kind in range(c.DIVINER, c.MILITARY - 1, -1):
        push(s, steps.PLACE_TOKEN, kind, area, box.setup_token[s.challenge, area, kind], 1)
    if box.setup_enemy_area[s.challenge, area] > 0:
        push(s, steps.ENEMY_PLACE, area, box.setup_enemy_area[s.challenge, area], -1)


@kernel
def run_setup_characters(box: Box, s: State) -> None:
    """U7: the next one stands on the card's location, else where the team says in the card's area or at home (p. 9)."""
    who = top(s, 0)
    if who == pools.PEOPLE:
        pop(s)
        return
    set_top(s, 0, who + 1)
    if s.status[who] != c.IN_PLAY:
        return
    place = int(box.setup_character[s.challenge, who])
    if place < 0:
        push(s, steps.PLACE_CHARACTER, who, box.home[who])
    elif place >= pools.LOCATIONS_N:
        push(s, steps.PLACE_CHARACTER, who, place - pools.LOCATIONS_N)
    else:
        s.location[who] = place


@kernel
def ask_place_character(box: Box, s: State) -> None:
    """U7: any location of the area, but not among enemies."""
    area = top(s, 1)
    for i in range(box.zone_n[area]):
        location = int(box.zone_location[area, i])
        if s.enemy[location] == 0:
            option(s, LOCATION + location)


@kernel
def answer_place_character(s: State, location: int) -> None:
    """The character starts there."""
    s.location[top(s, 0)] = location
    pop(s)


@kernel
def run_setup_markers(box: Box, s: State) -> None:
    """Letter J: the card's unrest and plague come onto the map, one after another, and take effect (M2, M4)."""
    location = top(s, 0)
    if location == pools.LOCATIONS_N:
        pop(s)
        return
    set_top(s, 0, location + 1)
    if box.setup_unrest[s.challenge, location] > 0:
        markers.outbreak(box, s, location)
    elif box.setup_plague[s.challenge, location] > 0:
        markers.place_plague(box, s, location)


@kernel
def bring_advisors(box: Box, s: State, area: int) -> None:
    """U7, R5: a gate brings those at home there to its capital, public side up with their goods; who had left
    returns as before.
    """
    for who in range(pools.PEOPLE):
        if box.home[who] != area:
            continue
        if s.status[who] == c.OUT and box.start_good[who] >= 0:
            pools.add_good(s, who, box.start_good[who], s.start_goods)
        if s.status[who] == c.OUT or s.status[who] == c.AWAY:
            s.status[who] = c.IN_PLAY
            s.location[who] = box.capital[area]


@kernel
def ask_place_token(box: Box, s: State) -> None:
    """U4: the first military or diviner goes to the capital, each further one on any location of its area."""
    kind, area = top(s, 0), top(s, 1)
    if top(s, 2) == 0 or s.board[kind] == 0:
        pop(s)
        return
    if top(s, 3) > 0 and s.enemy[box.capital[area]] == 0:
        option(s, LOCATION + int(box.capital[area]))
        return
    for i in range(box.zone_n[area]):
        location = int(box.zone_location[area, i])
        if s.enemy[location] == 0:
            option(s, LOCATION + location)
    if s.n_options == 0:
        pop(s)


@kernel
def answer_place_token(s: State, location: int) -> None:
    """One token stands there."""
    pools.add_token(s, top(s, 0), location, 1)
    set_top(s, 2, top(s, 2) - 1)
    set_top(s, 3, 0)


@kernel
def ask_choose_advisor(s: State) -> None:
    """U8: any advisor whom nobody has yet; with none left a player goes without."""
    for who in range(1, pools.PEOPLE):
        if s.status[who] == c.IN_PLAY and s.owner[who] < 0:
            option(s, CHARACTER + who)
    if s.n_options == 0:
        pop(s)


@kernel
def answer_choose_advisor(s: State, who: int) -> None:
    """The advisor is the player's own, personal side up."""
    s.owner[who] = top(s, 0)
    s.side[who] = c.PERSONAL
    pop(s)


@kernel
def ask_draw_technology(s: State) -> None:
    """U10: one of those not yet on the map; all six differ."""
    for technology in range(pools.TECHNOLOGIES_N):
        if not lies_on_map(s, technology) and s.technology_pool[technology] > 0:
            option(s, TECHNOLOGY + technology)
    if s.n_options == 0:
        pop(s)


@kernel
def lies_on_map(s: State, technology: int) -> bool:
    """Whether such a marker lies on the map."""
    for location in range(len(c.LOCATIONS)):
        if s.technology[location] == technology:
            return True
    return False


@kernel
def answer_draw_technology(s: State, technology: int) -> None:
    """It lies on its location."""
    s.technology[top(s, 0)] = technology
    s.technology_pool[technology] -= 1
    pop(s)


@kernel
def run_setup_end(box: Box, s: State) -> None:
    """SAM-190 brings Baileet, side A, before the first month."""
    pop(s)
    if box.setup_oracle[s.challenge]:
        oracle.reveal(s)
