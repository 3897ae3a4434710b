"""Random boxes: most of what is reconstructed drawn anew within its range, and nothing that is printed changed.

A box is drawn from its seed alone, each section from a stream of its own. Then the dial chooses how far each setup side
goes along the one order of steps that was drawn for it, from bare to rich: a step is one token more or one enemy less.
"""

from __future__ import annotations

import copy
from functools import lru_cache
from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env.components.checks import road_steps
from sammu_env.components.edition import shipped
from sammu_env.components.random_sides import Side, at_difficulty, draw_side, is_drawn, name_companion, pick, shuffled
from sammu_env.components.schema import (
    AreaCard,
    BagCard,
    Box,
    Event,
    Map,
    TechnologyCard,
)
from tabletop.boxes import SEEDS, share, whole
from tabletop.needs import needed

SECTIONS = ("map", "character", "event", "ashur", "challenge")


def random_box(seed: int, difficulty: float = 0.5) -> dict[str, Any]:
    """The values of a box that nobody printed, as an edition file has them.

    What is drawn, and what is not though it is reconstructed, is said in ``docs/data.md``.

    Args:
        seed: 0 to 2**31 - 1; the same seed is the same box on every machine, as long as NumPy draws the same numbers:
            it does not promise to in each version. The published tables are of 2.4.6.
        difficulty: from 0, rich setup sides on which the tokens that the win condition asks for stand, to 1, the barest
            that are honest (:mod:`sides`). From 0.5 on every side is honest; below that it may have more tokens,
            points and parts of the win condition. With the same seed only tokens and enemies depend on it.

    Raises:
        ValueError: a seed or difficulty out of its range.
    """
    difficulty = share("difficulty", difficulty)
    values, drawn_sides = draw(whole("box_seed", seed, SEEDS))
    values = copy.deepcopy(values)
    for card, side in drawn_sides.items():
        values["challenge"][card]["setup"] |= at_difficulty(side, difficulty)
    return values


@lru_cache(maxsize=128)  # the 100 seeds of a task, whose boxes are made one difficulty after the other
def draw(seed: int) -> tuple[dict[str, Any], dict[str, Side]]:
    """All that does not depend on the dial, and the setup sides with the steps that the dial chooses among."""
    streams = np.random.SeedSequence(seed).spawn(len(SECTIONS))
    rng = {name: np.random.default_rng(stream) for name, stream in zip(SECTIONS, streams, strict=True)}
    b = shipped()
    people = draw_start_goods(rng["character"], b)
    b = b.model_copy(update={"character": {
        card: who.model_copy(update=people.get(card, {})) for card, who in b.character.items()}})  # fmt: skip
    values: dict[str, Any] = {
        "map": draw_map(rng["map"], b.map),
        "character": people,
        "event": draw_events(rng["event"], b),
        "ashur": draw_ashur(rng["ashur"], b),
        "challenge": {},
    }
    drawn_sides = {}
    for (card, challenge), stream in zip(b.challenge.items(), rng["challenge"].spawn(len(b.challenge)), strict=True):
        drawn_sides[card] = draw_side(stream, b, challenge)
        values["challenge"][card] = {"setup": {}}
        if is_drawn(challenge.setup, "characters"):
            values["challenge"][card] = name_companion(stream, b, challenge)
    return values, drawn_sides


def to_toml(seed: int, difficulty: float = 0.5) -> str:
    """A random box as the text of an edition file, which gives the same box.

    Raises:
        ValueError: as :func:`random_box`.
    """
    values = random_box(seed, difficulty)
    with needed():
        import tomli_w
    return f"# Random box: seed {seed}, difficulty {float(difficulty):g}\n\n{tomli_w.dumps(values)}"


# --- map -------------------------------------------------------------------------------------------------------------

#: Roads that worked examples walk (pp. 16-27, 43), or their tests where the text names none: they lie in every box.
KNOWN_ROADS = tuple(
    frozenset(road.split("-"))
    for road in (
        "Tushpa-Ancyra", "Tushpa-Nineveh", "Tushpa-Bastam", "Ancyra-Damascus", "Ecbatana-Arbela", "Ecbatana-Opis",
        "Opis-Ashur", "Opis-Babylon", "Tyre-Jerusalem", "Tyre-Heliopolis", "Kalhu-Nineveh", "Kalhu-Ashur",
        "Ashur-Jerusalem", "Damascus-Tyre", "Babylon-Susa",
    )
)  # fmt: skip
#: Roads that may lie instead of others: between neighbours, away from where the examples count neighbours.
OTHER_ROADS = (
    "Arbela-Nineveh", "Arbela-Ashur", "Ashur-Damascus", "Ancyra-Elmali", "Ancyra-Sardes", "Elmali-Sardes",
    "Damascus-Samaria", "Gordium-Damascus", "Bastam-Godin Tepe", "Godin Tepe-Susa", "Godin Tepe-Anshan",
    "Godin Tepe-Babylon", "Babylon-Anshan", "Tyre-Samaria", "Samaria-Salamis",
    "Elmali-Salamis", "Elmali-Kition", "Kition-Heliopolis", "Salamis-Heliopolis", "Heliopolis-Napata",
    "Men-nefer-Meroe", "Heliopolis-Meroe", "Kition-Men-nefer",
)  # fmt: skip
#: Roads that are changed for others, at most.
SWAPS = 12
#: Areas whose goods the tax example names together: iron 4, copper 2, textile 2 (p. 23).
TAXED = ("Phrygia", "Urartu", "Cyprus", "Assyria")
MARKETS = range(5, 9)  #: areas with a market, besides Damascus


def draw_map(rng: np.random.Generator, m: Map) -> dict[str, Any]:
    """Roads, Queen's Road, enemy order, goods and markets; what worked examples say of them holds."""
    goods = dict(zip(TAXED, shuffled(rng, [m.area[area].good for area in TAXED]), strict=True))
    others = [area for area in c.AREAS if area not in TAXED]
    goods |= dict(zip(others, shuffled(rng, [m.area[area].good for area in others]), strict=True))
    queens_road = draw_queens_road(rng)
    return {
        "roads": draw_roads(rng, m),
        "queens_road": queens_road,
        "enemy_order": draw_enemy_order(rng, m),
        "area": {area: {"good": goods[area]} for area in c.AREAS},
        "location": {name: {"market": found} for name, found in draw_markets(rng, m, queens_road).items()},
    }


def draw_roads(rng: np.random.Generator, m: Map) -> list[list[str]]:
    """As many roads, some of them others: a road that no example walks goes, and another comes."""
    roads = [list(road) for road in m.roads]
    other = [road_of(text) for text in shuffled(rng, OTHER_ROADS)]
    for new in other[:SWAPS]:
        loose = [i for i, road in enumerate(roads) if frozenset(road) not in KNOWN_ROADS]
        trial = list(roads)
        trial[pick(rng, loose)] = new
        if len({frozenset(road) for road in trial}) == len(trial) and not road_faults(m, trial):
            roads = trial
    return sorted((sorted(road, key=c.LOCATIONS.index) for road in roads), key=lambda road: [
        c.LOCATIONS.index(name) for name in road])  # fmt: skip


def road_of(text: str) -> list[str]:
    """The two ends of "Men-nefer-Meroe"."""
    return next([one, other] for one in c.LOCATIONS for other in c.LOCATIONS if text == f"{one}-{other}")


#: What the worked examples say of distances to Kalhu.
STEPS_TO_KALHU = {"Tushpa": 2, "Damascus": 2, "Jerusalem": 2, "Ancyra": 3}
FARTHEST = ("Bastam", "Anshan", "Meroe", "Kition", "Godin Tepe")


def road_faults(m: Map, roads: list[list[str]]) -> list[str]:
    """What worked examples say of the roads and does not hold (pp. 16-27 and 43)."""
    steps = road_steps(m.model_copy(update={"roads": roads}))
    lost = [name for name in c.LOCATIONS if name not in steps]
    if lost:
        return [f"roads: no way from Kalhu to {', '.join(lost)}"]
    ends = {frozenset(road) for road in roads}
    found = [f"roads: found no road {'-'.join(sorted(road))} (pp. 16-27)" for road in KNOWN_ROADS if road not in ends]
    found += [f"roads: found {name} {steps[name]} steps from Kalhu, expected {n}"
              for name, n in STEPS_TO_KALHU.items() if steps[name] != n]  # fmt: skip
    if steps["Ashur"] >= min(steps["Opis"], steps["Babylon"]):
        found.append("roads: found Opis or Babylon as near to Kalhu as Ashur, expected Ashur nearer")
    zone = {name: row.zone for name, row in m.location.items()}
    for name in FARTHEST:
        if any(steps[other] >= steps[name] for other in c.LOCATIONS if zone[other] == zone[name] and other != name):
            found.append(f"roads: found {name} not farthest from Kalhu in {zone[name]}")
    touching = {frozenset(zone[name] for name in road) for road in roads}
    if frozenset(("Canaan", "Cyprus")) not in touching:
        found.append("roads: found none between Canaan and Cyprus, where unrest goes on (p. 16)")
    for name, beside in (("Kition", set[str]()), ("Heliopolis", {"Tyre"})):
        near = {other for road in roads if name in road for other in road if zone[other] == "Canaan"}
        if near != beside:
            found.append(f"roads: found {name} beside {', '.join(sorted(near)) or 'none'} of Canaan, expected "
                         f"{', '.join(beside) or 'none'} (p. 43)")  # fmt: skip
    return found


def draw_queens_road(rng: np.random.Generator) -> list[str]:
    """From Sardes to Susa through Phrygia, Assyria and Babylonia (p. 54, SAM-196); the examples walk three of it."""
    west = pick(rng, (["Gordium", "Ancyra"], ["Ancyra"], ["Elmali", "Ancyra"], ["Elmali", "Gordium", "Ancyra"]))
    middle = pick(rng, (["Kalhu"], ["Kalhu", "Arbela"], ["Kalhu", "Ashur"], ["Arbela"], ["Ashur"]))
    east = pick(rng, ([], ["Babylon"]))
    return ["Sardes", *west, "Nineveh", *middle, "Opis", *east, "Susa"]


def draw_enemy_order(rng: np.random.Generator, m: Map) -> list[str]:
    """Assyria first, Kush last, Cyprus next after Canaan, Medes before Babylonia, Phrygia before Urartu, and Canaan
    before Egypt (pp. 16-21)."""
    middle = [zone for zone in m.enemy_order if zone not in ("Assyria", "Kush", "Cyprus")]
    order = shuffled(rng, middle)
    for first, then in (("Medes", "Babylonia"), ("Phrygia", "Urartu"), ("Canaan", "Egypt")):
        i, j = order.index(first), order.index(then)
        if i > j:
            order[i], order[j] = then, first
    order.insert(order.index("Canaan") + 1, "Cyprus")
    return ["Assyria", *order, "Kush"]


def draw_markets(rng: np.random.Generator, m: Map, queens_road: list[str]) -> dict[str, bool]:
    """Few: one in each of some areas, at any of its locations; Sardes now and then, Damascus always (p. 30).

    One lies on the Queen's Road: SAM-028 closes the road at markets.
    """
    while True:
        areas = shuffled(rng, c.AREAS)[: pick(rng, MARKETS)]
        places = [[name for name in c.LOCATIONS if m.location[name].zone == area] for area in areas]
        found = {pick(rng, names) for names in places}
        if rng.integers(4) == 0:
            found.add("Sardes")
        if found & set(queens_road):
            return {name: name in found for name, row in m.location.items() if is_drawn(row, "market")}


# --- characters and cards --------------------------------------------------------------------------------------------


def draw_start_goods(rng: np.random.Generator, b: Box) -> dict[str, Any]:
    """Any good for each advisor."""
    cards = [card for card, who in b.character.items() if who.start_good and is_drawn(who, "start_good")]
    return {card: {"start_good": pick(rng, c.GOODS)} for card in cards}


def draw_events(rng: np.random.Generator, b: Box) -> dict[str, Any]:
    """Banners, and the areas of events whose title and text name none: they stay twelve for each area.

    Whether a banner costs its area something or brings something stays: the titles say so.
    """
    oracles = [list(b.event)[i] for i in c.ORACLE_EVENTS]
    loose = [card for card, event in b.event.items() if event.provenance["area"] == "reconstructed"]
    nameless = [card for card in loose if card not in oracles]
    areas = dict(zip(nameless, shuffled(rng, [b.event[card].area for card in nameless]), strict=True))
    areas |= dict(zip(oracles, shuffled(rng, sorted({b.event[card].area for card in nameless})), strict=False))
    values: dict[str, Any] = {}
    for card, event in b.event.items():
        if is_drawn(event, "banner"):
            values[card] = {"area": areas[card]} if card in areas else {}
            values[card]["banner"] = draw_oracle(rng) if card in oracles else draw_banner(rng, event)
    return values


def draw_oracle(rng: np.random.Generator) -> list[dict[str, Any]]:
    return [{"effect": "add_enemies", "n": pick(rng, (1, 2, 2, 3))}]


def draw_banner(rng: np.random.Generator, event: Event) -> list[dict[str, Any]]:
    """One to three tokens less, and a marker with a third of these; or one thing that is brought."""
    costs = any(getattr(row, "n", 1) < 0 for row in event.banner)
    if not costs:
        if rng.integers(5) == 0:
            return [{"effect": "bag_add", "marker": pick(rng, c.MARKERS[c.GREEN :]), "n": 1}]
        return [{"effect": "tokens", "kind": pick(rng, c.KINDS), "n": pick(rng, (1, 2))}]
    n = pick(rng, (1, 1, 1, 2, 2, 3))
    one, other, *_ = shuffled(rng, c.KINDS)
    split = n > 1 and rng.integers(2) == 0
    rows: list[dict[str, Any]] = [{"effect": "tokens", "kind": one, "n": -(n - 1 if split else n)}]
    if split:
        rows.append({"effect": "tokens", "kind": other, "n": -1})
    if rng.integers(3) == 0:
        red = pick(rng, c.MARKERS[: c.GREEN])
        rows.append(pick(rng, (
            {"effect": "draw", "n": 1},
            {"effect": "bag_add", "marker": red, "n": 1},
            {"effect": "place_marker", "marker": red},
        )))  # fmt: skip
    return rows


def draw_ashur(rng: np.random.Generator, b: Box) -> dict[str, Any]:
    """What the cards give and cost; each kind of card keeps its numbers, its areas, tokens and markers."""
    cards = b.ashur
    area = [card for card, row in cards.items() if isinstance(row, AreaCard) and is_drawn(row, "area")]
    faces = shuffled(rng, [(cards[card].area, cards[card].token) for card in area])  # type: ignore[union-attr]
    values: dict[str, Any] = {
        card: {"area": where, "token": token, "favoured": pick(rng, (2, 3)), "elsewhere": 1}
        for card, (where, token) in zip(area, faces, strict=True)
    }
    for kind in ("bag", "goods"):
        ids = [card for card, row in cards.items() if row.kind == kind]
        markers = shuffled(rng, [cards[card].marker for card in ids])  # type: ignore[union-attr]
        values |= {card: {"marker": marker} for card, marker in zip(ids, markers, strict=True)}
    for card, row in cards.items():
        if isinstance(row, TechnologyCard):
            values[card] = {}
        if isinstance(row, BagCard) and is_drawn(row, "gain"):
            values[card]["gain"] = {pick(rng, c.KINDS): pick(rng, (2, 3))}
        if row.kind == "goods":
            values[card]["gain"] = {pick(rng, c.GOODS): pick(rng, (3, 4))}
        elif is_drawn(row, "cost"):
            green = values.get(card, {}).get("marker") in c.MARKERS[c.GREEN :]
            n = (2, 3) if green else (1, 2, 2, 3) if row.kind == "technology" else (1, 1, 2)
            values.setdefault(card, {})["cost"] = {pick(rng, c.GOODS): pick(rng, n)}
    return {card: values[card] for card in cards if card in values}
