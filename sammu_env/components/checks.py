"""What must hold between the values of a box: map, components, cards and setup sides."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from sammu_env import constants as c
from sammu_env.components.schema import IDS, Box, Character, Effect, Map, Setup, months_of
from sammu_env.components.wins import check_wins


def _check_ids(b: Box) -> Iterator[str]:
    for section, ids in IDS.items():
        if list(getattr(b, section)) != ids:
            yield f"{section}: found {len(getattr(b, section))} entries, expected {ids[0]} to {ids[-1]} in order"
    for i, (card_id, character) in enumerate(b.character.items()):
        if character.name != c.CHARACTERS[i]:
            yield f"character.{card_id}: name: found {character.name!r}, expected {c.CHARACTERS[i]!r}"


def _check_map(b: Box) -> Iterator[str]:
    m = b.map
    if list(m.location) != list(c.LOCATIONS):
        yield f"map: location: found {', '.join(m.location)}, expected {', '.join(c.LOCATIONS)}"
        return
    if set(m.area) != set(c.AREAS):
        yield f"map: area: found {', '.join(m.area)}, expected {', '.join(c.AREAS)}"
    for area in c.AREAS:
        capitals = [name for name, row in m.location.items() if row.zone == area and row.capital]
        if len(capitals) != 1:
            yield f"map: location: {area} has the capitals {capitals}, expected exactly one"
    for zone, name in (("Damascus", "Damascus"), ("Sardes", "Sardes")):
        members = [location for location, row in m.location.items() if row.zone == zone]
        if members != [name] or m.location[name].capital:
            yield f"map: location: zone {zone} holds {members}, expected {name} alone and no capital"
    for zone in c.ZONES:
        members = [location for location, row in m.location.items() if row.zone == zone]
        if len(members) > 5:
            yield f"map: location: zone {zone} has {len(members)} locations, expected at most 5"
    if sorted(m.enemy_order) != sorted(c.ZONES):
        yield f"map: enemy_order: found {m.enemy_order}, expected each of {', '.join(c.ZONES)} once"
    yield from _check_roads(m)


def _check_roads(m: Map) -> Iterator[str]:
    pairs = [frozenset(road) for road in m.roads]
    for road in m.roads:
        if road[0] == road[1]:
            yield f"map: roads: found {'-'.join(road)}, expected two different locations"
        elif pairs.count(frozenset(road)) > 1:
            yield f"map: roads: found {'-'.join(road)} twice, expected once"
    if len(m.roads) > c.MAX_ROADS:
        yield f"map: roads: found {len(m.roads)}, expected at most {c.MAX_ROADS}"
    degree = Counter(name for pair in pairs for name in pair)
    yield from (f"map: roads: {n} roads meet at {name}, expected at most 8" for name, n in degree.items() if n > 8)
    reached, front = {c.LOCATIONS[c.KALHU]}, [c.LOCATIONS[c.KALHU]]
    while front:
        here = front.pop()
        new = {name for pair in pairs if here in pair for name in pair} - reached
        reached |= new
        front += new
    lost = [name for name in c.LOCATIONS if name not in reached]
    if lost:
        yield f"map: roads: no way from Kalhu to {', '.join(lost)}, expected a connected map"
    for field, names in (("queens_road", m.queens_road), ("technology_locations", m.technology_locations)):
        if len(set(names)) != len(names) or not names:
            yield f"map: {field}: found {names}, expected different locations"


#: Markers that the box holds at most: an observation has room for that many together.
ROOM = {
    "raid": 10, "assassination": 5, "unrest": 10, "plague": 10, "diplomacy": 10, "religion": 5, "karu": 5, "health": 5,
}  # fmt: skip


def _check_counts(b: Box) -> Iterator[str]:
    for kind in c.KINDS[c.DIVINER :]:
        held = b.components.tokens.get(kind, 0)
        if held > 15:
            yield f"components: tokens.{kind}: found {held}, expected at most 15, the places on the empire board"
    for name, marker in b.marker.items():
        if marker.count > ROOM[name]:
            yield f"marker.{name}: count: found {marker.count}, expected at most {ROOM[name]}"
    for field, names in (("tokens", c.KINDS), ("goods", c.GOODS)):
        if set(getattr(b.components, field)) != set(names):
            yield f"components: {field}: found {', '.join(getattr(b.components, field))}, expected {', '.join(names)}"
    if set(b.components.players) != {"1", "2", "3", "4", "5"}:
        yield f"components: players: found {', '.join(b.components.players)}, expected 1, 2, 3, 4, 5"
    for n, row in b.components.players.items():
        if row.hand_start > row.hand_limit:
            yield f"components: players.{n}.hand_start: found {row.hand_start}, expected at most {row.hand_limit}"


#: Abilities of once a month.
ONCE_A_MONTH = ("extra_action", "remove_assassination")


def _check_characters(b: Box) -> Iterator[str]:
    for i, (card_id, character) in enumerate(b.character.items()):
        sides = {"public", "solo"} if i == c.SAMMU_RAMAT else {"side_a", "side_b"} if i == c.BAILEET else {
            "public", "personal"}  # fmt: skip
        found = {name for name in ("public", "personal", "solo", "side_a", "side_b") if getattr(character, name)}
        if found != sides:
            yield f"character.{card_id}: sides: found {sorted(found)}, expected {sorted(sides)}"
        for name in sorted(found):
            for at, one in enumerate(getattr(character, name).actions):
                if one.special == "exchange" and (one.give is None) != (one.give_n == 0):
                    yield (f"character.{card_id}: {name}.actions[{at}]: give = {one.give!r} and give_n = {one.give_n}, "
                           f"expected both or neither")  # fmt: skip
            if set(getattr(character, name).abilities) >= set(ONCE_A_MONTH):
                yield (f"character.{card_id}: {name}.abilities: found {' and '.join(ONCE_A_MONTH)}, expected one of "
                       f"them: a card is used once a month")  # fmt: skip
        if (character.home is None) != (i == c.BAILEET):
            yield f"character.{card_id}: home: found {character.home!r}, expected one for all but Baileet"
        if i == c.SAMMU_RAMAT and character.home != "Assyria":
            yield f"character.{card_id}: home: found {character.home!r}, expected Assyria, where every game has a gate"
        if i == c.SAMMU_RAMAT:
            for name in sorted(found):
                if "bodyguard" in getattr(character, name).abilities:
                    yield (f"character.{card_id}: {name}.abilities: found bodyguard, expected it of an advisor: it "
                           f"guards Sammu-ramat")  # fmt: skip
        if i == c.BAILEET:
            yield from _check_baileet(card_id, character)
        if (character.start_good is not None) != (i in c.ADVISORS):
            yield f"character.{card_id}: start_good: found {character.start_good!r}, expected one for each advisor only"


def _check_baileet(card_id: str, character: Character) -> Iterator[str]:
    """Nobody plays her: of her sides a game knows the defence of side B, all else that she does is a rule (p. 45)."""
    for name, side in (("side_a", character.side_a), ("side_b", character.side_b)):
        if side is None:
            continue
        known = "defence" if name == "side_b" else "none"
        if found := [ability for ability in side.abilities if ability != known]:
            yield f"character.{card_id}: {name}.abilities: found {', '.join(found)}, expected {known}"
        if side.actions:
            yield f"character.{card_id}: {name}.actions: found {len(side.actions)}, expected none: nobody plays her"


def _check_targets(b: Box) -> Iterator[str]:
    """Only a banner may leave its area to the card's icon."""
    for where, effects, banner in _programs(b):
        for i, effect in enumerate(effects):
            if not banner and effect.effect == "tokens" and effect.area is None:
                yield f"{where}[{i}].area: missing, expected one of {', '.join(c.AREAS)}"
            if not banner and effect.effect == "add_enemies" and effect.at is None:
                yield f"{where}[{i}].at: missing, expected a location or an area"


def _check_markers(b: Box) -> Iterator[str]:
    """Where the markers that cards place can lie (pp. 40-44), and what is said once on a card."""
    for where, effects, banner in _programs(b):
        for i, effect in enumerate(effects):
            if effect.effect == "place_marker":
                at = effect.at
                if effect.marker in c.PLACELESS and at is not None:
                    yield f"{where}[{i}].at: found {at!r}, expected none: {effect.marker} has no place of its own"
                elif effect.marker not in c.PLACELESS and at is None and not banner:
                    yield f"{where}[{i}].at: missing, expected a location or an area"
                elif at is not None and at in ("Sardes", "Damascus"):
                    yield f"{where}[{i}].at: found {at!r}, expected a location of an area: red markers strike areas"


#: How much of an effect one card may bring: an observation has room for two cards in a month.
ROOM_IN_MONTH = {"fewer_actions": 2, "bonus_steps": 2, "bribes": 5, "queen_actions": 20}
#: How many goods an event and a monthly effect may ask for together: an observation has room for so many.
CORRUPTION_IN_MONTH = 25


def _check_sums(b: Box) -> Iterator[str]:
    for where, effects in _cards(b):
        total: Counter[tuple[str, str]] = Counter()
        for effect in effects:
            if effect.effect in ROOM_IN_MONTH and effect.n != "none":
                group = effect.group if effect.effect == "bonus_steps" else ""
                total[effect.effect, group] += effect.n
        for (name, _), n in total.items():
            if n > ROOM_IN_MONTH[name]:
                yield f"{where}: found {name} of {n} together, expected at most {ROOM_IN_MONTH[name]}"
            elif n < -ROOM_IN_MONTH[name]:
                yield f"{where}: found {name} of {n} together, expected at least {-ROOM_IN_MONTH[name]}"


def _check_corruption(b: Box) -> Iterator[str]:
    """Any event may meet any challenge's monthly effect."""
    asked = [(sum(effect.n for effect in effects if effect.effect == "corruption"), where)
             for where, effects in _cards(b)]  # fmt: skip
    alone = [f"{where}: found corruption of {n} together, expected at most {CORRUPTION_IN_MONTH}"
             for n, where in asked if n > CORRUPTION_IN_MONTH]  # fmt: skip
    yield from alone
    event = max(row for row in asked if row[1].startswith("event."))
    month = max(row for row in asked if row[1].startswith("challenge."))
    if not alone and event[0] + month[0] > CORRUPTION_IN_MONTH:
        yield (f"{month[1]}: found corruption of {month[0]}, and of {event[0]} in {event[1]}, expected at most "
               f"{CORRUPTION_IN_MONTH} together")  # fmt: skip


def _programs(b: Box) -> Iterator[tuple[str, list[Effect], bool]]:
    """Every list of effects: where it is, and whether it is a banner."""
    for card_id, event in b.event.items():
        yield f"event.{card_id}: banner", event.banner, True
        yield f"event.{card_id}: effects", event.effects, False
    for card_id, challenge in b.challenge.items():
        for key, rows in challenge.monthly.items():
            yield f"challenge.{card_id}: monthly.{key}", rows, False


def _cards(b: Box) -> Iterator[tuple[str, list[Effect]]]:
    """What holds in one month because of one card."""
    for card_id, event in b.event.items():
        yield f"event.{card_id}", event.banner + event.effects
    for card_id, challenge in b.challenge.items():
        for key, rows in challenge.monthly.items():
            yield f"challenge.{card_id}: monthly.{key}", rows


def _check_defence(b: Box) -> Iterator[str]:
    """An observation has room for a defence of 100 on a location."""
    sides = [[side for side in (who.public, who.personal, who.solo, who.side_a, who.side_b) if side]
             for who in b.character.values()]  # fmt: skip
    most = b.components.tokens["military"] + b.technology["Shield"].count
    most += sum(max(side.abilities.get("defence", 0) for side in found) for found in sides)
    diviners = b.components.tokens["diviner"]
    most += diviners * sum(any("diviners_defend" in side.abilities for side in found) for found in sides)
    if most > 100:
        yield f"character: abilities: found a defence of {most} where all are together, expected at most 100"


def _check_months(b: Box) -> Iterator[str]:
    for card_id, challenge in b.challenge.items():
        months = Counter(month for key in challenge.monthly for month in months_of(key))
        for month in range(2, c.MAX_MONTHS + 1):
            if months[month] != 1:
                yield f"challenge.{card_id}: monthly: month {month} is named {months[month]} times, expected once"
        if months[1] > 1 or (months[1] and challenge.letter == "A"):
            yield f"challenge.{card_id}: monthly: month 1 is named {months[1]} times, expected once, not for letter A"


def _check_letters(b: Box) -> Iterator[str]:
    """A campaign plays one challenge of each letter (p. 36)."""
    letters = {challenge.letter for challenge in b.challenge.values()}
    if lost := [letter for letter in "ABCDE" if letter not in letters]:
        yield f"challenge: letter: found none of {', '.join(lost)}, expected at least one challenge of each of A to E"


def _check_setup(b: Box, farthest: dict[str, list[str]], card_id: str, setup: Setup) -> Iterator[str]:
    """A setup side never asks for more than the box holds, and stands by itself at the first gate check."""
    where = f"challenge.{card_id}: setup"
    for kind in c.KINDS:
        placed = sum(tokens.get(kind, 0) for tokens in setup.tokens.values())
        if placed > b.components.tokens[kind]:
            yield f"{where}.tokens: {placed} {kind}, expected at most {b.components.tokens[kind]}, all the box holds"
    if sum(setup.enemies.values()) > b.components.enemies:
        yield (f"{where}.enemies: {sum(setup.enemies.values())} enemies, expected at most {b.components.enemies}, "
               "all the box holds")  # fmt: skip
    used = Counter(setup.bag)
    used.update({"unrest": len(setup.unrest), "plague": len(setup.plague)})
    for marker, n in used.items():
        held = b.marker[marker].count
        if n > held:
            yield f"{where}.bag: {n} {marker} in bag and map, expected at most {held}, all the box holds"
    if len(set(setup.gates)) != len(setup.gates) or len(setup.gates) > b.components.gates:
        yield f"{where}.gates: found {setup.gates}, expected different areas, at most {b.components.gates}"
    if "Assyria" not in setup.gates:
        yield f"{where}.gates: found {setup.gates}, expected Assyria among them"
    for area in setup.gates:
        for kind in c.KINDS:
            if not setup.tokens.get(area, {}).get(kind, 0):
                yield f"{where}.tokens: {area} has a gate but no {kind}, expected at least 1"
    yield from _check_setup_map(b, farthest, where, setup)


def _check_setup_map(b: Box, farthest: dict[str, list[str]], where: str, setup: Setup) -> Iterator[str]:
    capital = {row.zone: name for name, row in b.map.location.items() if row.capital}
    zone = {name: row.zone for name, row in b.map.location.items()}
    named = [farthest.get(place, [place]) for place in setup.enemies]
    certain = [names[0] for names in named if len(names) == 1]
    enemies = {name for names in named for name in names}
    if len(set(certain)) != len(certain):
        yield f"{where}.enemies: found {list(setup.enemies)}, expected each location once"
    gated = {capital[area] for area in setup.gates}
    for name in sorted(enemies & gated):
        yield f"{where}.enemies: found {name}, expected no enemies on a capital with a gate"
    for field in ("unrest", "plague"):
        places = [capital.get(place, place) for place in getattr(setup, field)]
        if len(set(places)) != len(places):
            yield f"{where}.{field}: found {getattr(setup, field)}, expected each location once"
        for name in places:
            if name in gated:
                yield f"{where}.{field}: found {name}, expected no {field} on a capital with a gate"
            if name in ("Sardes", "Damascus"):
                yield f"{where}.{field}: found {name}, expected a location of an area: red markers strike areas"
    if {capital.get(place, place) for place in setup.unrest} & {capital.get(place, place) for place in setup.plague}:
        yield f"{where}.plague: found {setup.plague}, expected no location that has unrest too"
    for area, tokens in setup.tokens.items():
        n = tokens.get("military", 0) + tokens.get("diviner", 0)
        free = {name for name in c.LOCATIONS if zone[name] == area} - set(certain)
        if n > 0 and (not free or (len(free) == 1 and free <= enemies)):
            yield (f"{where}.tokens: found {n} military and diviners in {area}, expected none where enemies are on "
                   "every location")  # fmt: skip
    homes = {character.name: character.home for character in b.character.values()}
    for name, place in setup.characters.items():
        if homes[name] not in setup.gates:
            yield f"{where}.characters: found {name}, expected one whose home has a gate ({', '.join(setup.gates)})"
        if capital.get(place, place) in enemies:
            yield f"{where}.characters: found {name} at {place}, expected a location without enemies"


def _farthest(m: Map) -> dict[str, list[str]]:
    """An area's locations with most road steps to Kalhu; of several the team names one."""
    steps = road_steps(m)
    found = {}
    for area in c.AREAS:
        names = [name for name, row in m.location.items() if row.zone == area]
        found[area] = [name for name in names if steps[name] == max(steps[other] for other in names)]
    return found


def road_steps(m: Map) -> dict[str, int]:
    """Steps by road from Kalhu to every location."""
    start = c.LOCATIONS[c.KALHU]
    steps, front = {start: 0}, [start]
    for here in front:
        for road in m.roads:
            for one, other in (road, road[::-1]):
                if one == here and other not in steps:
                    steps[other] = steps[here] + 1
                    front.append(other)
    return steps


def _check_setups(b: Box) -> Iterator[str]:
    farthest = _farthest(b.map)
    for card_id, challenge in b.challenge.items():
        yield from _check_setup(b, farthest, card_id, challenge.setup)


# The map first: the others stand on it.
CHECKS: tuple[tuple[Callable[[Box], Iterator[str]], ...], ...] = (
    (_check_ids, _check_map, _check_counts),
    (
        _check_characters,
        _check_defence,
        _check_targets,
        _check_markers,
        _check_sums,
        _check_corruption,
        _check_months,
        _check_letters,
        _check_setups,
        check_wins,
    ),
)


def problems(b: Box) -> list[str]:
    for checks in CHECKS:
        found = [line for check in checks for line in check(b)]
        if found:
            return found
    return []
