"""From the validated box (:mod:`sammu_env.components`) to the BOX record: names become numbers, programs rows."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from sammu_env import constants as c
from sammu_env.box import BOX, EFFECT_COLUMNS

if TYPE_CHECKING:
    from sammu_env.components.schema import Box, Map, Side

NO_PLACE = -1


def compile_box(b: Box) -> np.ndarray:
    """The BOX record, shape (1,)."""
    box = np.zeros(1, BOX)
    out = box[0]
    _map(b.map, out)
    _distances(out)
    _zones(b.map, out)
    _components(b, out)
    _characters(b, out)
    _ashur(b, out)
    _events(b, out)
    _challenges(b, out)
    return box


# --- map -------------------------------------------------------------------------------------------------------------


def _map(m: Map, out: np.void) -> None:
    out["zone"] = [c.ZONES.index(row.zone) for row in m.location.values()]
    out["is_capital"] = [row.capital for row in m.location.values()]
    out["market"] = [row.market for row in m.location.values()]
    for i, row in enumerate(m.location.values()):
        if row.capital:
            out["capital"][c.AREAS.index(row.zone)] = i
    out["area_good"] = [c.GOODS.index(m.area[area].good) for area in c.AREAS]
    _roads(m, out)
    out["queens_road_n"] = len(m.queens_road)
    out["queens_road"], out["queens_road_at"] = NO_PLACE, NO_PLACE
    for i, name in enumerate(m.queens_road):
        out["queens_road"][i] = c.LOCATIONS.index(name)
        out["queens_road_at"][c.LOCATIONS.index(name)] = i
    out["sea"] = [name in m.sea or row.zone in m.sea for name, row in m.location.items()]
    out["technology_location"] = [c.LOCATIONS.index(name) for name in m.technology_locations]


def _roads(m: Map, out: np.void) -> None:
    """Roads with their two ends, and each location's neighbours in location order."""
    out["roads"], out["road_end"] = len(m.roads), NO_PLACE
    out["neighbour"], out["neighbour_road"] = NO_PLACE, NO_PLACE
    beside: list[list[tuple[int, int]]] = [[] for _ in c.LOCATIONS]
    for i, road in enumerate(m.roads):
        one, other = sorted(c.LOCATIONS.index(name) for name in road)
        out["road_end"][i] = one, other
        beside[one].append((other, i))
        beside[other].append((one, i))
    for here, found in enumerate(beside):
        out["degree"][here] = len(found)
        for k, (there, road_index) in enumerate(sorted(found)):
            out["neighbour"][here, k], out["neighbour_road"][here, k] = there, road_index


def _distances(out: np.void) -> None:
    """Steps by road between all locations."""
    n = len(c.LOCATIONS)
    steps = np.full((n, n), n, np.int32)
    np.fill_diagonal(steps, 0)
    for one, other in out["road_end"][: out["roads"]]:
        steps[one, other] = steps[other, one] = 1
    for via in range(n):
        steps = np.minimum(steps, steps[:, via : via + 1] + steps[via : via + 1, :])
    out["steps"] = steps
    out["nearest"] = steps.argsort(axis=1, kind="stable")


def _zones(m: Map, out: np.void) -> None:
    """Zones in enemy order, their locations nearest Kalhu first (p. 17), and where unrest overflows to (p. 16)."""
    out["enemy_order"] = [c.ZONES.index(name) for name in m.enemy_order]
    out["zone_location"] = NO_PLACE
    to_kalhu = out["steps"][c.KALHU]
    for zone in range(len(c.ZONES)):
        members = [i for i in range(len(c.LOCATIONS)) if out["zone"][i] == zone]
        members.sort(key=lambda i: (to_kalhu[i], -out["is_capital"][i], i))
        out["zone_n"][zone] = len(members)
        out["zone_location"][zone, : len(members)] = members
        out["zone_steps"][zone] = out["steps"][members].min(axis=0)
    out["overflow"] = [_overflow(area, out) for area in range(len(c.AREAS))]


def _overflow(area: int, out: np.void) -> int:
    """The next area in enemy order, going round, that a road joins to this one.

    AREAS is in the printed enemy order; the edition's order is used. An area that no road joins to another has none.
    """
    touching = set()
    for one, other in out["road_end"][: out["roads"]]:
        zones = {int(out["zone"][one]), int(out["zone"][other])}
        if area in zones:
            touching |= zones - {area}
    order = [int(zone) for zone in out["enemy_order"] if zone < len(c.AREAS)]
    at = order.index(area)
    return next((zone for zone in order[at + 1 :] + order[:at] if zone in touching), NO_PLACE)


# --- components and characters ---------------------------------------------------------------------------------------


def _components(b: Box, out: np.void) -> None:
    out["token_total"] = [b.components.tokens[kind] for kind in c.KINDS]
    out["good_total"] = [b.components.goods[good] for good in c.GOODS]
    out["enemy_total"], out["gate_total"] = b.components.enemies, b.components.gates
    out["start_goods"], out["oracles"] = b.components.start_goods, b.components.oracles
    out["marker_total"] = [b.marker[marker].count for marker in c.MARKERS]
    out["technology_total"] = [b.technology[name].count for name in c.TECHNOLOGIES]
    for n, row in b.components.players.items():
        i = int(n)
        out["months"][i], out["actions"][i] = row.months, (row.public, row.personal, row.queen)
        out["hand_start"][i], out["hand_limit"][i] = row.hand_start, row.hand_limit
        out["cards_a_month"][i] = row.cards_a_month


def _characters(b: Box, out: np.void) -> None:
    for i, character in enumerate(b.character.values()):
        out["home"][i] = _index(c.AREAS, character.home)
        out["start_good"][i] = _index(c.GOODS, character.start_good)
        sides = (character.public or character.side_a, character.personal or character.side_b, character.solo)
        for at, side in enumerate(sides):
            if side is not None:
                _side(side, i, at, out)


def _side(side: Side, character: int, at: int, out: np.void) -> None:
    for name, n in side.abilities.items():
        out["ability"][character, at, c.ABILITIES.index(name)] = n
    for i, action in enumerate(side.actions):
        out["special"][character, at, i] = _special(action)


def _special(action: Any) -> list[int]:
    """A row of ``constants.SPECIAL_COLUMNS``."""
    row = [c.SPECIALS.index(action.special), action.goods, action.cards]
    for field in c.SPECIAL_ROWS[row[c.C_SPECIAL]].fields:
        value = getattr(action, field.name)
        row.append(-1 if value is None else _number(field, value))
    return row + [0] * (c.SPECIAL_COLUMNS - len(row))


def _index(names: tuple[str, ...], name: str | None) -> int:
    return -1 if name is None else names.index(name)


# --- cards -----------------------------------------------------------------------------------------------------------


def _ashur(b: Box, out: np.void) -> None:
    """Ashur cards (p. 48). A card without a favoured area gives the same everywhere, so both columns say it."""
    out["card_area"], out["card_technology"] = -1, -1
    for i, card in enumerate(b.ashur.values()):
        _amounts(out["card_goods"][i], c.GOODS, getattr(card, "cost", {}))
        if card.kind == "area":
            kind = c.KINDS.index(card.token)
            out["card_area"][i] = c.AREAS.index(card.area)
            out["card_token"][i, kind], out["card_favoured"][i, kind] = card.elsewhere, card.favoured
        elif card.kind == "technology":
            out["card_technology"][i] = c.TECHNOLOGIES.index(card.technology)
        else:
            out["card_marker"][i, c.MARKERS.index(card.marker)] = 1
        if card.kind == "bag":
            _amounts(out["card_token"][i], c.KINDS, card.gain)
            _amounts(out["card_favoured"][i], c.KINDS, card.gain)
        elif card.kind == "goods":
            _amounts(out["card_gain"][i], c.GOODS, card.gain)


def _amounts(row: np.ndarray, names: tuple[str, ...], amounts: dict[str, int]) -> None:
    for name, n in amounts.items():
        row[names.index(name)] = n


def _events(b: Box, out: np.void) -> None:
    for i, event in enumerate(b.event.values()):
        area = c.AREAS.index(event.area)
        out["event_area"][i] = area
        _program(out["event_banner"][i], event.banner, out, area)
        _program(out["event_text"][i], event.effects, out, area)


def _program(rows: np.ndarray, effects: list[Any], out: np.void, area: int = -1) -> None:
    for row, effect in zip(rows, effects, strict=False):
        row[:] = _effect(effect, out, area)


def _effect(effect: Any, out: np.void, area: int) -> list[int]:
    """One row (effect, a, b, c). ``area`` stands in where a banner names none."""
    row = [c.EFFECTS.index(effect.effect)]
    for field in c.EFFECT_ROWS[row[0]].fields:
        value = getattr(effect, field.name)
        if field.sort == "at":
            row.append(_place(effect, value, out, area))
        else:
            row.append(area if value is None else _number(field, value))
    return row + [0] * (EFFECT_COLUMNS - len(row))


def _number(field: c.Field, value: Any) -> int:
    if isinstance(value, list):  # areas as bits
        return sum(1 << c.AREAS.index(name) for name in value)
    if not isinstance(value, str):
        return int(value)
    names = c.NAMED.get(field.sort, ())
    return names.index(value) if value in names else c.WORDS[value]


def _place(effect: Any, name: str | None, out: np.void, area: int) -> int:
    """A location; an area stands for its farthest location (enemies, p. 22) or its capital (markers, p. 40).

    Where several are equally far the team names one: the area itself, numbered after the locations.
    """
    if name in c.LOCATIONS:
        return c.LOCATIONS.index(name)
    if effect.effect == "place_marker" and effect.marker in c.PLACELESS:
        return NO_PLACE
    area = c.AREAS.index(name) if name else area
    return _farthest(area, out) if effect.effect == "add_enemies" else int(out["capital"][area])


def _farthest(area: int, out: np.void) -> int:
    """The location of an area farthest from Kalhu; the area, numbered after the locations, where there are several."""
    members = out["zone_location"][area, : out["zone_n"][area]]
    steps = out["steps"][c.KALHU, members]
    last = members[steps == steps.max()]
    return int(last[0]) if len(last) == 1 else len(c.LOCATIONS) + area


def _challenges(b: Box, out: np.void) -> None:
    for i, challenge in enumerate(b.challenge.values()):
        out["challenge_letter"][i] = "ABCDE".index(challenge.letter)
        for row, condition in zip(out["condition"][i], challenge.win, strict=False):
            row[:] = _condition(condition)
        for key, effects in challenge.monthly.items():
            first, _, last = key.partition("-")
            for month in range(int(first), int(last or first) + 1):
                _program(out["monthly"][i, month], effects, out)
        _setup(challenge.setup, i, out)


def _condition(condition: Any) -> list[int]:
    row = [c.CONDITIONS.index(condition.condition)]
    row += [_number(field, getattr(condition, field.name)) for field in c.CONDITION_ROWS[row[0]].fields]
    return row + [0] * (EFFECT_COLUMNS - len(row))


def _setup(setup: Any, i: int, out: np.void) -> None:
    """A setup side (p. 7-10): areas named for enemies mean their farthest location, for markers their capital."""
    for area in setup.gates:
        out["setup_gate"][i, c.AREAS.index(area)] = 1
    for area, tokens in setup.tokens.items():
        _amounts(out["setup_token"][i, c.AREAS.index(area)], c.KINDS, tokens)
    for name, n in setup.enemies.items():
        place = c.LOCATIONS.index(name) if name in c.LOCATIONS else _farthest(c.AREAS.index(name), out)
        if place < len(c.LOCATIONS):
            out["setup_enemy"][i, place] = n
        else:
            out["setup_enemy_area"][i, place - len(c.LOCATIONS)] = n
    _amounts(out["setup_bag"][i], c.MARKERS, setup.bag)
    for field in ("unrest", "plague"):
        for name in getattr(setup, field):
            location = c.LOCATIONS.index(name) if name in c.LOCATIONS else out["capital"][c.AREAS.index(name)]
            out[f"setup_{field}"][i, location] = 1
    out["setup_character"][i] = NO_PLACE
    for name, place in setup.characters.items():
        out["setup_character"][i, c.CHARACTERS.index(name)] = (*c.LOCATIONS, *c.AREAS).index(place)
    out["setup_oracle"][i] = setup.oracle
