"""Effect markers: what each red one does when it strikes and each green one when it is used (pp. 40-44)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import steps
from sammu_env.actions import (
    AREA,
    DONE,
    LOCATION,
    MONTH,
    ROAD,
    V_CURE,
    V_ON_EVENT,
    V_ON_QUEEN,
    V_PLACE_AREA,
    V_PLACE_LOCATION,
    V_PLACE_ROAD,
    V_YES,
    VERB,
)
from sammu_env.box import Box
from sammu_env.rules import battle, pools
from sammu_env.state import State
from tabletop.jit import kernel, lowest
from tabletop.steps import option, pop, push, set_top, top

FAR = 1000
#: Steps that a character who flees may go.
FLIGHT = 2
DISCARDED, PLACED, KEPT_OUT = range(3)


@kernel
def strike(box: Box, s: State, marker: int, area: int) -> None:
    """A red marker takes effect on an area (M1-M6); what it needs comes from the pool. Each is an event of its own."""
    pools.next_event(s)
    if marker == c.ASSASSINATION:
        assassinate(box, s)
    elif area < 0:
        return
    elif marker == c.UNREST:
        outbreak(box, s, box.capital[area])
    elif marker == c.PLAGUE:
        place_plague(box, s, box.capital[area])
    else:
        begin_raid(box, s, area)


@kernel
def resolve_drawn(box: Box, s: State, marker: int, area: int) -> None:
    """A marker came out of the bag: a red one strikes, a green one is used as the team decides."""
    pools.marker_from_bag(s, marker, 1)
    if marker < c.GREEN:
        strike(box, s, marker, area)
    else:
        push(s, steps.USE_MARKER, marker)


@kernel
def guarded(box: Box, s: State) -> bool:
    """Whether a bodyguard stands with Sammu-ramat: Dinah cancels every attempt (p. 25)."""
    for who in range(1, pools.PEOPLE):
        if s.location[who] == s.location[c.SAMMU_RAMAT] and s.location[who] >= 0:
            if box.ability[who, s.side[who], c.A_BODYGUARD] > 0:
                return True
    return False


@kernel
def assassinate(box: Box, s: State) -> None:
    """M1: one marker on Sammu-ramat, unless a bodyguard or religion on her cancels it."""
    if s.marker_pool[c.ASSASSINATION] == 0 or guarded(box, s):
        return
    if s.religion > 0:
        s.religion -= 1
        s.marker_pool[c.RELIGION] += 1
        return
    s.assassination += 1
    s.marker_pool[c.ASSASSINATION] -= 1


@kernel
def place_unrest(box: Box, s: State, location: int) -> int:
    """M2: unrest breaks out on a location: PLACED, DISCARDED, or KEPT_OUT by plague there (N11)."""
    if s.unrest[location] > 0 or s.marker_pool[c.UNREST] == 0:
        return DISCARDED
    if pools.defence(box, s, location) >= 3:
        return DISCARDED
    if s.plague[location] > 0:
        return KEPT_OUT
    if s.karu[location] > 0:
        s.karu[location] -= 1
        s.marker_pool[c.KARU] += 1
        return DISCARDED
    s.unrest[location] = 1
    s.marker_pool[c.UNREST] -= 1
    pools.lose_supply(s, box.zone[location])
    for who in range(pools.PEOPLE):
        if s.location[who] == location and pools.defence_of(box, s, who) == 0:
            push(s, steps.FLEE, who, location, c.UNREST)
    return PLACED


@kernel
def outbreak(box: Box, s: State, location: int) -> None:
    """Unrest strikes a location of an area; kept out by plague it goes on to the next area (N3)."""
    if place_unrest(box, s, location) == KEPT_OUT:
        overflow(box, s, box.zone[location], 1)


@kernel
def overflow(box: Box, s: State, area: int, n: int) -> None:
    """N3: unrest that plague keeps out goes whole to the next adjacent area; what does not fit is lost (p. 16).

    One strikes its capital, as any unrest does (p. 40): it may be discarded or cancelled there. Each of the others
    takes a settlement; which ones, the team decides where there is room for more.
    """
    target = int(box.overflow[area]) if area < pools.AREAS_N else -1
    if target < 0:
        return
    left = int(n)
    if s.plague[box.capital[target]] == 0:
        place_unrest(box, s, box.capital[target])
        left -= 1
    if left == 0:
        return
    room = 0
    for i in range(box.zone_n[target]):
        room += has_room(box, s, box.zone_location[target, i])
    if left < room:
        push(s, steps.OVERFLOW, target, left)
        return
    for i in range(box.zone_n[target]):
        if has_room(box, s, box.zone_location[target, i]):
            place_unrest(box, s, box.zone_location[target, i])


@kernel
def has_room(box: Box, s: State, location: int) -> bool:
    """Whether unrest that overflows into an area can lie on a settlement."""
    return box.is_capital[location] == 0 and s.unrest[location] == 0 and s.plague[location] == 0


@kernel
def ask_overflow(box: Box, s: State) -> None:
    """N3: which settlement the next one goes to."""
    area = top(s, 0)
    if top(s, 1) == 0 or s.marker_pool[c.UNREST] == 0:
        pop(s)
        return
    for i in range(box.zone_n[area]):
        location = int(box.zone_location[area, i])
        if has_room(box, s, location):
            option(s, LOCATION + location)


@kernel
def answer_overflow(box: Box, s: State, location: int) -> None:
    """It strikes there: it may be cancelled by karu, or discarded."""
    set_top(s, 1, top(s, 1) - 1)
    if top(s, 1) == 0:
        pop(s)
    place_unrest(box, s, location)


@kernel
def place_plague(box: Box, s: State, location: int) -> None:
    """M4: plague breaks out on a location; unrest that it meets there moves on with all unrest of the area (N3)."""
    if s.plague[location] > 0 or s.marker_pool[c.PLAGUE] == 0:
        return
    if pools.medicine(box, s, location) >= 3:
        return
    if s.health[location] > 0:
        s.health[location] -= 1
        s.marker_pool[c.HEALTH] += 1
        return
    area = int(box.zone[location])
    if s.unrest[location] > 0:
        overflow(box, s, area, clear_unrest(box, s, area))
    s.plague[location] = 1
    s.marker_pool[c.PLAGUE] -= 1
    pools.lose_medicine(s, area)
    for who in range(pools.PEOPLE):
        if s.location[who] == location and pools.medicine_of(box, s, who) == 0:
            push(s, steps.FLEE, who, location, c.PLAGUE)


@kernel
def clear_unrest(box: Box, s: State, zone: int) -> int:
    """Takes all unrest off a zone. Returns how many markers that were."""
    n = 0
    for i in range(box.zone_n[zone]):
        location = box.zone_location[zone, i]
        n += s.unrest[location]
        s.unrest[location] = 0
    s.marker_pool[c.UNREST] += n
    return n


@kernel
def clear_plague(box: Box, s: State, zone: int) -> None:
    """Takes all plague off a zone."""
    for i in range(box.zone_n[zone]):
        location = box.zone_location[zone, i]
        s.marker_pool[c.PLAGUE] += s.plague[location]
        s.plague[location] = 0


@kernel
def cure(box: Box, s: State, marker: int, location: int) -> None:
    """M3, M5: removes unrest or plague from a location; from the capital, from the whole area."""
    if marker == c.UNREST:
        if box.is_capital[location]:
            clear_unrest(box, s, box.zone[location])
        elif s.unrest[location] > 0:
            s.unrest[location] = 0
            s.marker_pool[c.UNREST] += 1
    elif box.is_capital[location]:
        clear_plague(box, s, box.zone[location])
    elif s.plague[location] > 0:
        s.plague[location] = 0
        s.marker_pool[c.PLAGUE] += 1


@kernel
def may_stay(box: Box, s: State, who: int, location: int) -> bool:
    """Whether a character can end a step there: no enemies, and what markers lie there it bears (M2, M4)."""
    return s.enemy[location] == 0 and bears(box, s, who, location)


@kernel
def may_pass(box: Box, s: State, who: int, location: int) -> bool:
    """Whether a character goes through by road: as for staying, but Wardiya passes enemies (SAM-005)."""
    passes = s.enemy[location] == 0 or box.ability[who, s.side[who], c.A_PASS_ENEMIES] > 0
    return passes and bears(box, s, who, location)


@kernel
def bears(box: Box, s: State, who: int, location: int) -> bool:
    """M2, M4: unrest needs defence, plague medicine."""
    if s.unrest[location] > 0 and pools.defence_of(box, s, who) == 0:
        return False
    return s.plague[location] == 0 or pools.medicine_of(box, s, who) > 0


@kernel
def ask_flee(box: Box, s: State) -> None:
    """M2, M4: who cannot bear it goes one or two steps by road away from the capital (pp. 41-42).

    Who has nowhere to go because of plague or unrest dies. Where enemies alone bar the roads, or none leads away from
    the capital, the character stays; Wardiya goes past them.
    """
    who, start = top(s, 0), top(s, 1)
    if s.location[who] != start:
        pop(s)
        return
    capital, reached, barred = capital_of(box, start), 0, False
    for i in range(box.degree[start]):
        first = int(box.neighbour[start, i])
        if box.steps[capital, first] <= box.steps[capital, start]:
            continue
        barred |= not bears(box, s, who, first)
        if not may_pass(box, s, who, first):
            continue
        if s.enemy[first] == 0:
            reached |= 1 << first
        for j in range(box.degree[first]):
            second = int(box.neighbour[first, j])
            if leads_on(box, s, start, first, second):
                barred |= not bears(box, s, who, second)
                if may_stay(box, s, who, second):
                    reached |= 1 << second
    if reached == 0:
        pop(s)
        if barred:
            pools.kill(s, who)
        return
    for location in range(len(c.LOCATIONS)):
        if reached >> location & 1:
            option(s, LOCATION + location)


@kernel
def leads_on(box: Box, s: State, start: int, first: int, second: int) -> bool:
    """Whether the second step of a flight leads farther from the capital, and is not one too many."""
    if box.steps[capital_of(box, start), second] <= box.steps[capital_of(box, start), first]:
        return False
    return bool(pools.step_cost(box, s, start, first) + pools.step_cost(box, s, first, second) <= FLIGHT)


@kernel
def answer_flee(s: State, location: int) -> None:
    """The character is safe there; a vial may clear plague on the way, too (T1)."""
    who, start = top(s, 0), top(s, 1)
    stand(s, location)
    if s.has[who, c.VIAL] > 0:
        push(s, steps.VIAL_WAY, who, start, location, 0)


@kernel
def between(box: Box, s: State, who: int, start: int, target: int) -> int:
    """The locations, as bits, of which one lies on the way of a flight (:func:`ask_flee`) in two steps."""
    capital, found = capital_of(box, start), 0
    for i in range(box.degree[start]):
        first = int(box.neighbour[start, i])
        if box.steps[capital, first] > box.steps[capital, start] and may_pass(box, s, who, first):
            for j in range(box.degree[first]):
                if box.neighbour[first, j] == target and leads_on(box, s, start, first, target):
                    found |= 1 << first
    return found


@kernel
def stand(s: State, location: int) -> None:
    """Whom the step on top is about stands there; a vial may clear plague there (T1)."""
    who = top(s, 0)
    pop(s)
    s.location[who] = location
    if s.has[who, c.VIAL] > 0 and s.plague[location] > 0:
        push(s, steps.VIAL, who)


@kernel
def settle(box: Box, s: State) -> None:
    """M3: three defence end unrest. M5: three medicine may end plague. M11: a road nobody holds loses its karu."""
    places, karu = 0, 0  # this runs at every step, and nearly always nothing can come of it
    for location in range(len(c.LOCATIONS)):
        places |= int(s.unrest[location] + s.plague[location] > 0) << location
    people = pools.peopled(s) if places else 0
    while places:
        location = lowest(places)
        if s.unrest[location] > 0:
            end_unrest(box, s, location, people)
        if s.plague[location] > 0:
            offer_cure(box, s, location, people)
        places &= places - 1
    for road in range(c.MAX_ROADS):
        karu += s.road_karu[road]
    if karu > 0:
        for road in range(box.roads):
            if s.road_karu[road] > 0 and not holds_road(box, s, road):
                s.marker_pool[c.KARU] += s.road_karu[road]
                s.road_karu[road] = 0


@kernel
def capital_of(box: Box, location: int) -> int:
    """The capital of a location's area; the location itself where it is in none."""
    zone = int(box.zone[location])
    return int(box.capital[zone]) if zone < pools.AREAS_N else int(location)


@kernel
def end_unrest(box: Box, s: State, location: int, people: int) -> None:
    """M3: three defence on the location end its unrest, in the capital all of the area's (pp. 14, 42)."""
    capital = capital_of(box, location)
    if defended(box, s, capital, people):
        cure(box, s, c.UNREST, capital)
    elif location != capital and defended(box, s, location, people):
        cure(box, s, c.UNREST, location)


@kernel
def defended(box: Box, s: State, location: int, people: int) -> bool:
    """Whether a location has three defence; ``people`` is where anybody stands, as bits."""
    alone = people >> location & 1 == 0 and s.token[c.DIVINER, location] == 0
    return bool(s.token[c.MILITARY, location] >= 3 if alone else pools.defence(box, s, location) >= 3)


@kernel
def healed(box: Box, s: State, location: int, people: int) -> bool:
    """Whether a location has three medicine; ``people`` is where anybody stands, as bits."""
    alone = people >> location & 1 == 0
    return bool(s.token[c.MEDICINE, box.zone[location]] >= 3 if alone else pools.medicine(box, s, location) >= 3)


@kernel
def offer_cure(box: Box, s: State, location: int, people: int) -> None:
    """M5: three medicine on the location may remove its plague, in the capital all of the area's (pp. 14, 42).

    Asked once when three come together, and again as the action phase and the gate check begin.
    """
    place = capital_of(box, location)
    enough = healed(box, s, place, people)
    if not enough and location != place:
        place = int(location)
        enough = healed(box, s, place, people)
    if not enough:
        s.plague_kept[location] = 0
    elif s.plague_kept[location] == 0 and s.result == c.RUNNING and s.op[s.sp - 1] != steps.CURE_PLAGUE:
        push(s, steps.CURE_PLAGUE, place)


@kernel
def ask_cure_plague(s: State) -> None:
    """M5: it may go (p. 14), or stay, for it bars enemies too."""
    option(s, DONE)
    option(s, VERB + V_YES)


@kernel
def answer_cure_plague(box: Box, s: State, yes: bool) -> None:
    """In the capital the whole area is cleared, or kept as it is."""
    place = top(s, 0)
    pop(s)
    if yes:
        cure(box, s, c.PLAGUE, place)
    elif box.is_capital[place]:
        for i in range(box.zone_n[box.zone[place]]):
            s.plague_kept[box.zone_location[box.zone[place], i]] = 1
    else:
        s.plague_kept[place] = 1


@kernel
def holds_road(box: Box, s: State, road: int) -> bool:
    """M11: your military at an end and enemies at neither."""
    a, b = int(box.road_end[road, 0]), int(box.road_end[road, 1])
    if s.enemy[a] > 0 or s.enemy[b] > 0:
        return False
    return s.token[c.MILITARY, a] > 0 or s.token[c.MILITARY, b] > 0


@kernel
def takes_karu(box: Box, s: State, road: int) -> bool:
    """M11, N7: a road that your military holds, between areas whose capitals enemies do not hold (pp. 16, 43)."""
    if s.road_karu[road] > 0 or not holds_road(box, s, road):
        return False
    return not pools.closed(box, s, box.road_end[road, 0]) and not pools.closed(box, s, box.road_end[road, 1])


# Raid (M6, p. 42)


@kernel
def begin_raid(box: Box, s: State, area: int) -> None:
    """A raid strikes unless diplomacy on the capital cancels it (M7). Each enemy goes one step (M6)."""
    capital = int(box.capital[area])
    if s.marker_pool[c.RAID] == 0:
        return
    if s.diplomacy[capital] > 0:
        s.diplomacy[capital] -= 1
        s.marker_pool[c.DIPLOMACY] += 1
        return
    for location in range(len(c.LOCATIONS)):
        s.moving[location] = s.enemy[location]
    push(s, steps.RAID, area, 0)


@kernel
def raider_rank(box: Box, location: int, area: int) -> int:
    """In which order enemies join a raid: inside the area nearest the capital first, then those next to it; or FAR."""
    capital = int(box.capital[area])
    if box.zone[location] == area:
        return int(box.steps[location, capital]) * 32 + location if location != capital else FAR
    for i in range(box.degree[location]):
        if box.zone[box.neighbour[location, i]] == area:
            return 320 + location
    return FAR


@kernel
def raid_ways(box: Box, s: State, start: int, area: int) -> int:
    """The neighbours, as bits, one step nearer the capital: in the area first, then nearest Kalhu."""
    best, best_score = 0, FAR
    capital = int(box.capital[area])
    for i in range(box.degree[start]):
        there = int(box.neighbour[start, i])
        if box.steps[there, capital] < box.steps[start, capital] and battle.enemies_can_step(box, s, start, there):
            score = int(box.steps[there, c.KALHU]) + (0 if box.zone[there] == area else 100)
            if score < best_score:
                best, best_score = 0, score
            if score == best_score:
                best |= 1 << there
    return best


@kernel
def run_raid(box: Box, s: State) -> None:
    """The next enemies step towards the capital; after the last, supply and medicine go and the raid is over."""
    area, done = top(s, 0), top(s, 1)
    start, rank = -1, FAR
    for location in range(len(c.LOCATIONS)):
        if min(s.moving[location], s.enemy[location]) > 0:
            r = raider_rank(box, location, area)
            if done <= r < rank:
                start, rank = location, r
    if start < 0:
        pop(s)
        s.moving[:] = 0
        pools.lose_supply(s, area)
        pools.lose_medicine(s, area)
        return
    set_top(s, 1, rank + 1)
    ways = raid_ways(box, s, start, area)
    if pools.several(ways):
        push(s, steps.RAID_WAY, start, area)
    elif ways != 0:
        raiders_go(box, s, start, pools.first_of(ways))


@kernel
def raiders_go(box: Box, s: State, start: int, target: int) -> None:
    """M6: they go in whatever the defence, unless diplomacy stops them there."""
    if battle.diplomacy_stops(box, s, target):
        return
    n = min(int(s.moving[start]), int(s.enemy[start]))
    s.enemy[start] -= n
    battle.assault(box, s, target, n)


@kernel
def ask_raid_way(box: Box, s: State) -> None:
    """Which of several equal ways the raiders take."""
    pools.offer_locations(s, raid_ways(box, s, top(s, 0), top(s, 1)))


@kernel
def answer_raid_way(box: Box, s: State, target: int) -> None:
    """They go there."""
    start = top(s, 0)
    pop(s)
    raiders_go(box, s, start, target)


# Green markers (M7-M12, pp. 43-44)


@kernel
def usable(box: Box, s: State, marker: int, verb: int, i: int) -> bool:
    """Whether a green marker may be used in that way on location, area, road or month number ``i``."""
    if verb == V_PLACE_AREA:
        return not pools.capital_held(box, s, i)
    if verb == V_PLACE_ROAD:
        return i < box.roads and takes_karu(box, s, i)
    if verb == V_ON_EVENT:
        return i >= s.month and i < s.months and s.slot[i] < c.ORACLE_EVENTS[0] and pools.event_lies(s, i)
    if pools.closed(box, s, i):
        return False
    if verb == V_CURE:
        return s.unrest[i] > 0 if marker == c.KARU else s.plague[i] > 0
    return True


@kernel
def places(marker: int, verb: int) -> int:
    """How many places of the verb's sort there are, 0 for a use that the marker does not have."""
    if verb == V_PLACE_LOCATION:
        return len(c.LOCATIONS) if marker != c.RELIGION else 0
    if verb == V_CURE:
        return len(c.LOCATIONS) if marker == c.KARU or marker == c.HEALTH else 0
    if verb == V_PLACE_AREA:
        return len(c.AREAS) if marker == c.KARU or marker == c.HEALTH else 0
    if verb == V_PLACE_ROAD:
        return c.MAX_ROADS if marker == c.KARU else 0
    if verb == V_ON_EVENT:
        return c.MAX_MONTHS if marker == c.RELIGION else 0
    return 0


@kernel
def block(verb: int) -> int:
    """Where the catalogue lists the targets of a use."""
    if verb == V_PLACE_AREA:
        return AREA
    if verb == V_PLACE_ROAD:
        return ROAD
    return MONTH if verb == V_ON_EVENT else LOCATION


@kernel
def ask_use_marker(box: Box, s: State) -> None:
    """The uses open to a green marker; with none it is discarded (M13)."""
    marker = top(s, 0)
    if s.marker_pool[marker] == 0:
        pop(s)
        return
    for verb in range(V_CURE, V_ON_EVENT + 1):
        for i in range(places(marker, verb)):
            if usable(box, s, marker, verb, i):
                option(s, VERB + verb)
                break
    if marker == c.RELIGION:
        option(s, VERB + V_ON_QUEEN)
        if s.assassination > 0:
            option(s, VERB + V_CURE)
    if s.n_options == 0:
        pop(s)


@kernel
def answer_use_marker(s: State, verb: int) -> None:
    """Religion acts on Sammu-ramat at once; all else asks where."""
    marker = top(s, 0)
    pop(s)
    if marker == c.RELIGION and verb == V_CURE:
        s.assassination -= 1
        s.marker_pool[c.ASSASSINATION] += 1
    elif verb == V_ON_QUEEN:
        s.religion += 1
        s.marker_pool[c.RELIGION] -= 1
    else:
        push(s, steps.MARKER_TARGET, marker, verb)


@kernel
def ask_marker_target(box: Box, s: State) -> None:
    """Every place where the marker may be used so."""
    marker, verb = top(s, 0), top(s, 1)
    for i in range(places(marker, verb)):
        if usable(box, s, marker, verb, i):
            option(s, block(verb) + i)


@kernel
def answer_marker_target(box: Box, s: State, action: int) -> None:
    """Uses the marker there: a cure sends both markers back, all else lies there until needed."""
    marker, verb = top(s, 0), top(s, 1)
    pop(s)
    i = int(action) - block(verb)
    if verb == V_CURE:
        cure(box, s, c.UNREST if marker == c.KARU else c.PLAGUE, i)
        return
    s.marker_pool[marker] -= 1
    if verb == V_PLACE_AREA:
        if marker == c.KARU:
            s.area_karu[i] += 1
        else:
            s.area_health[i] += 1
    elif verb == V_PLACE_ROAD:
        s.road_karu[i] += 1
    elif verb == V_ON_EVENT:
        s.slot_religion[i] += 1
    elif marker == c.DIPLOMACY:
        s.diplomacy[i] += 1
    elif marker == c.KARU:
        s.karu[i] += 1
    else:
        s.health[i] += 1
