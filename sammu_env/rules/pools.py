"""Tokens, goods and markers between the board, the map, the bag and the pool; and what a place holds.

Nothing here asks anybody. All counts are limited by the components (N8): a function that adds says how many it could.
"""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env.actions import LOCATION
from sammu_env.box import Box
from sammu_env.state import State
from tabletop.jit import kernel, lowest
from tabletop.steps import option

AREAS_N = len(c.AREAS)
LOCATIONS_N = len(c.LOCATIONS)
KINDS_N = len(c.KINDS)
GOODS_N = len(c.GOODS)
TECHNOLOGIES_N = len(c.TECHNOLOGIES)
#: Characters that players know as such: all but Baileet.
PEOPLE = c.BAILEET


@kernel
def on_map(box: Box, s: State, kind: int) -> int:
    """U2: a track's value is the number of that token on the map (p. 31)."""
    return int(box.token_total[kind] - s.board[kind])


@kernel
def area_at(box: Box, location: int) -> int:
    """The area of a location, -1 for Sardes and Damascus."""
    zone = int(box.zone[location])
    return zone if zone < AREAS_N else -1


@kernel
def place_of(box: Box, kind: int, location: int) -> int:
    """Where a token of that kind lies: military and diviners on the location, supply and medicine in its zone."""
    return int(location) if kind <= c.DIVINER else int(box.zone[location])


@kernel
def capital_held(box: Box, s: State, zone: int) -> bool:
    """Whether enemies stand in the capital of a zone (never for Sardes and Damascus)."""
    return zone < AREAS_N and s.enemy[box.capital[zone]] > 0


@kernel
def step_cost(box: Box, s: State, start: int, target: int) -> int:
    """SAM-055: in or out of the area costs two steps, for all who go by steps, enemies too."""
    a, b = int(box.zone[start]), int(box.zone[target])
    if a != b:
        if (a < AREAS_N and s.double_steps[a] > 0) or (b < AREAS_N and s.double_steps[b] > 0):
            return 2
    return 1


@kernel
def closed(box: Box, s: State, location: int) -> bool:
    """N7: an area whose capital holds enemies can be given no token and no green marker (p. 16)."""
    return capital_held(box, s, box.zone[location])


@kernel
def add_token(s: State, kind: int, place: int, n: int) -> int:
    """Puts tokens from the board on a place, as many as there are. Returns how many."""
    n = min(int(n), int(s.board[kind]))
    s.token[kind, place] += n
    s.board[kind] -= n
    return n


@kernel
def take_token(s: State, kind: int, place: int, n: int) -> int:
    """Returns tokens from a place to the board, as many as there are. Returns how many."""
    n = min(int(n), int(s.token[kind, place]))
    s.token[kind, place] -= n
    s.board[kind] += n
    return n


@kernel
def first_of(places: int) -> int:
    """The lowest location of a set given as bits, or -1 where it is empty."""
    return lowest(places) if places else -1


@kernel
def several(places: int) -> bool:
    """Whether a set of locations given as bits holds more than one."""
    return places & (places - 1) != 0


@kernel
def offer_locations(s: State, places: int) -> None:
    """Every location of a set given as bits is an option."""
    for location in range(LOCATIONS_N):
        if places >> location & 1:
            option(s, LOCATION + location)


@kernel
def next_event(s: State) -> None:
    """M8, M10: what comes now is an event of its own: karu or health that saved from the last one is used up."""
    s.saved_supply[:] = 0
    s.saved_medicine[:] = 0


@kernel
def event_lies(s: State, slot: int) -> bool:
    """Whether a card lies in a later month's slot: one that is known, or one of those left after the slots before."""
    if s.slot[slot] >= 0:
        return True
    wanted = 1
    for before in range(s.month, slot):
        if s.slot[before] < 0:
            wanted += 1
    for event in range(c.N_EVENTS):
        if s.event_at[event] == st.UNSEEN:
            wanted -= 1
            if wanted == 0:
                return True
    return False


@kernel
def lose_supply(s: State, area: int) -> None:
    """All supply of an area goes, unless karu on the area saves it once (M8)."""
    if not karu_saves(s, area):
        take_token(s, c.SUPPLY, area, s.token[c.SUPPLY, area])


@kernel
def lose_medicine(s: State, area: int) -> None:
    """All medicine of an area goes, unless health on the area saves it once (M10)."""
    if not health_saves(s, area):
        take_token(s, c.MEDICINE, area, s.token[c.MEDICINE, area])


@kernel
def karu_saves(s: State, area: int) -> bool:
    """M8: karu on an area keeps its supply from the next event that would take some of it (p. 43)."""
    if area >= AREAS_N or s.token[c.SUPPLY, area] == 0:
        return False
    if s.saved_supply[area] > 0:
        return True
    if s.area_karu[area] == 0:
        return False
    s.saved_supply[area] = 1
    s.area_karu[area] -= 1
    s.marker_pool[c.KARU] += 1
    return True


@kernel
def health_saves(s: State, area: int) -> bool:
    """M10: health on an area keeps its medicine from the next event that would take some of it (p. 44)."""
    if area >= AREAS_N or s.token[c.MEDICINE, area] == 0:
        return False
    if s.saved_medicine[area] > 0:
        return True
    if s.area_health[area] == 0:
        return False
    s.saved_medicine[area] = 1
    s.area_health[area] -= 1
    s.marker_pool[c.HEALTH] += 1
    return True


@kernel
def goods_of(s: State, character: int) -> int:
    """Goods on a character's card."""
    total = 0
    for good in range(GOODS_N):
        total += s.good[character, good]
    return total


@kernel
def add_good(s: State, character: int, good: int, n: int) -> int:
    """Goods from the pool on a card, as many as there are."""
    n = min(int(n), int(s.good_pool[good]))
    s.good[character, good] += n
    s.good_pool[good] -= n
    return n


@kernel
def pay_good(s: State, character: int, good: int, n: int) -> None:
    """Goods from a card to the pool."""
    s.good[character, good] -= n
    s.good_pool[good] += n


@kernel
def marker_to_bag(s: State, marker: int, n: int) -> None:
    """Markers from the pool into the bag; an empty pool gives none (N8)."""
    n = min(int(n), int(s.marker_pool[marker]))
    s.bag[marker] += n
    s.marker_pool[marker] -= n


@kernel
def marker_from_bag(s: State, marker: int, n: int) -> None:
    """Markers from the bag back to the pool."""
    n = min(int(n), int(s.bag[marker]))
    s.bag[marker] -= n
    s.marker_pool[marker] += n


@kernel
def has_technology(s: State) -> bool:
    """Whether any technology marker is left in the pool."""
    for technology in range(TECHNOLOGIES_N):
        if s.technology_pool[technology] > 0:
            return True
    return False


@kernel
def defence_of(box: Box, s: State, who: int) -> int:
    """What a character and its shields count for in defence (b, T1)."""
    return int(box.ability[who, s.side[who], c.A_DEFENCE] + s.has[who, c.SHIELD])


@kernel
def medicine_of(box: Box, s: State, who: int) -> int:
    """What a character counts for against plague; a vial counts as one (M4)."""
    return int(box.ability[who, s.side[who], c.A_MEDICINE] + s.has[who, c.VIAL])


@kernel
def people_at(s: State, location: int) -> bool:
    """Whether any character stands on a location."""
    found = False
    for who in range(PEOPLE):  # all of them are compared at once
        found |= s.location[who] == location
    return found


@kernel
def peopled(s: State) -> int:
    """The locations where any character stands, as bits."""
    found = 0
    for who in range(PEOPLE):
        if s.location[who] >= 0:
            found |= 1 << int(s.location[who])
    return found


@kernel
def defence(box: Box, s: State, location: int) -> int:
    """E6: military 1 each, characters, their shields, and diviners where Amunet is in the area."""
    total = int(s.token[c.MILITARY, location])
    for who in range(PEOPLE):
        if s.location[who] == location:
            total += defence_of(box, s, who)
    diviners = int(s.token[c.DIVINER, location])
    if diviners > 0 and box.zone[location] < AREAS_N:
        total += diviners * diviners_count(box, s, box.zone[location])
    return total


@kernel
def diviners_count(box: Box, s: State, area: int) -> int:
    """SAM-006: how many in an area let its diviners count in defence."""
    n = 0
    for who in range(PEOPLE):
        if box.ability[who, s.side[who], c.A_DIVINERS_DEFEND] > 0:
            if s.location[who] >= 0 and box.zone[s.location[who]] == area:
                n += 1
    return n


@kernel
def medicine(box: Box, s: State, location: int) -> int:
    """M4: the area's medicine and the healing of those on the location."""
    total = int(s.token[c.MEDICINE, box.zone[location]])
    for who in range(PEOPLE):
        if s.location[who] == location:
            total += medicine_of(box, s, who)
    return total


@kernel
def locations_of(box: Box, zone: int) -> int:
    """The locations of a zone, as bits."""
    places = 0
    for i in range(box.zone_n[zone]):
        places |= 1 << int(box.zone_location[zone, i])
    return places


@kernel
def unrest_in(box: Box, s: State, zone: int) -> bool:
    """Whether any location of a zone is in unrest."""
    for i in range(box.zone_n[zone]):
        if s.unrest[box.zone_location[zone, i]] > 0:
            return True
    return False


@kernel
def plague_in(box: Box, s: State, zone: int) -> bool:
    """Whether any location of a zone has plague."""
    for i in range(box.zone_n[zone]):
        if s.plague[box.zone_location[zone, i]] > 0:
            return True
    return False


@kernel
def tokens_in(box: Box, s: State, kind: int, area: int) -> int:
    """Tokens of a kind in an area, those on its gate included (R4)."""
    if kind > c.DIVINER:
        return int(s.token[kind, area])
    total = 0
    for i in range(box.zone_n[area]):
        total += s.token[kind, box.zone_location[area, i]]
    return total


@kernel
def in_group(s: State, who: int, group: int) -> bool:
    """Whether a character in play is meant (S2: alone, personal means Sammu-ramat and public all others)."""
    if s.status[who] != c.IN_PLAY or who >= PEOPLE:
        return False
    if group == c.CHARACTERS_GROUP:
        return True
    if group == c.ADVISORS_GROUP:
        return who != c.SAMMU_RAMAT
    if group == c.PERSONAL_GROUP:
        return s.owner[who] >= 0
    return who != c.SAMMU_RAMAT and s.owner[who] < 0


@kernel
def finish(s: State, result: int, cause: int) -> None:
    """The game, or this challenge of a campaign, is decided."""
    if s.result == c.RUNNING:
        s.result = result
        s.cause = cause


@kernel
def leave_map(s: State, who: int, status: int) -> None:
    """A character leaves the map; what lies on the card stays there, a disc until the month ends (p. 24)."""
    s.location[who] = -1
    s.status[who] = status
    s.user[who] = -1
    s.granted[who] = 0
    s.actions[who] = 0
    s.leftover[who] = 0
    if s.active == who:
        s.active = -1
        s.switched = 0


@kernel
def kill(s: State, who: int) -> None:
    """E7: a dead character is gone for the game and the campaign, with all on the card (p. 19)."""
    leave_map(s, who, c.DEAD)
    for good in range(GOODS_N):
        pay_good(s, who, good, s.good[who, good])
    for technology in range(TECHNOLOGIES_N):
        s.technology_pool[technology] += s.has[who, technology]
        s.has[who, technology] = 0
    if who == c.SAMMU_RAMAT:
        finish(s, c.LOST, c.QUEEN_CAPTURED)
