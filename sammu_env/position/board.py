"""What lies on the map, on Sammu-ramat and in the bag."""

from __future__ import annotations

from typing import Any

from sammu_env import constants as c
from sammu_env.position.values import (
    Count,
    State,
    counts,
    read_count,
    read_counts,
    read_named,
    write_counts,
    write_named,
)
from tabletop.positions import PositionError, Said, index, table, within

#: Of a location. Supply and medicine lie in zones: a location has them where it is a zone of its own.
LOCATION = (
    *(Count(kind, "token", row) for row, kind in enumerate(c.KINDS)),
    *counts(("enemy",)), *counts(("unrest", "plague"), high=1), *counts(("diplomacy", "karu", "health")),
)  # fmt: skip
OF_ZONE = ("supply", "medicine")
AREA = (
    *(Count(kind, "token", c.KINDS.index(kind)) for kind in OF_ZONE),
    Count("gate", "gate", high=1, sort=bool), Count("karu", "area_karu"), Count("health", "area_health"),
)  # fmt: skip
ROAD = (Count("karu", "road_karu"),)
QUEEN = counts(("assassination", "religion"))


def read_locations(box: Any, state: State, said: Said) -> None:
    s = state[0]
    by_key = {count.key: count for count in LOCATION}
    for name, row in table("locations", said.get("locations", {})).items():
        at = index("locations", name, c.LOCATIONS)
        zone = int(box["zone"][at])
        what = f"locations.{name}"
        for key, value in table(what, row, by_key).items():
            if key in OF_ZONE and zone < len(c.AREAS):
                raise PositionError(f"{what}.{key}: supply and medicine of a location in an area lie in the "
                                    f"area: areas.{c.AREAS[zone]}.{key}")  # fmt: skip
            read_count(state, f"{what}.{key}", by_key[key], value, zone if key in OF_ZONE else at)
        for marker in ("unrest", "plague") if zone >= len(c.AREAS) else ():
            if s[marker][at]:
                raise PositionError(f"{what}.{marker}: {name} is in no area, and {marker} strikes areas alone")
        if s["unrest"][at] and s["plague"][at]:
            raise PositionError(f"{what}: unrest and plague never share a location")
        if s["enemy"][at] and (s["token"][c.MILITARY, at] or s["token"][c.DIVINER, at]):
            raise PositionError(f"{what}: enemies and empire tokens never share a location")


def write_locations(box: Any, s: Any) -> dict[str, Any]:
    rows = {}
    for at, name in enumerate(c.LOCATIONS):
        zone = int(box["zone"][at])
        row: dict[str, int] = {}
        for count in LOCATION:
            if count.key not in OF_ZONE:
                row |= write_counts(s, (count,), at)
            elif zone >= len(c.AREAS):
                row |= write_counts(s, (count,), zone)
        if row:
            rows[name] = row
    return rows


def read_areas(box: Any, state: State, said: Said) -> None:
    for name, row in table("areas", said.get("areas", {})).items():
        area = index("areas", name, c.AREAS)
        read_counts(state, f"areas.{name}", AREA, row, area)
        capital = int(box["capital"][area])
        if state[0]["gate"][area] and state[0]["enemy"][capital]:
            raise PositionError(f"areas.{name}.gate: enemies hold {c.LOCATIONS[capital]}, so its gate is lost")


def write_areas(box: Any, s: Any) -> dict[str, Any]:
    rows = {name: write_counts(s, AREA, area) for area, name in enumerate(c.AREAS)}
    return {name: row for name, row in rows.items() if row}


def read_roads(box: Any, state: State, said: Said) -> None:
    names = road_names(box)
    told: dict[int, str] = {}
    for name, row in table("roads", said.get("roads", {})).items():
        turned = "-".join(reversed(_split_road(name)))
        road = index("roads", name if name in names or turned not in names else turned, names)
        if road in told:
            raise PositionError(f"roads.{name}: it is the road of roads.{told[road]} too; say each road once")
        told[road] = name
        read_counts(state, f"roads.{name}", ROAD, row, road)


def write_roads(box: Any, s: Any) -> dict[str, Any]:
    rows = {name: write_counts(s, ROAD, road) for road, name in enumerate(road_names(box))}
    return {name: row for name, row in rows.items() if row}


def road_names(box: Any) -> tuple[str, ...]:
    """The roads as "Kalhu-Nineveh", in the box's order."""
    ends = box["road_end"][: int(box["roads"])]
    return tuple(f"{c.LOCATIONS[a]}-{c.LOCATIONS[b]}" for a, b in ends)


def _split_road(name: str) -> list[str]:
    """The two ends of a road's name; Men-nefer has a hyphen of its own."""
    return str(name).replace("Men-nefer", "Men~nefer").replace("-", "\n").replace("~", "-").split("\n")


def read_technologies(box: Any, state: State, said: Said) -> None:
    for name, technology in table("technologies", said.get("technologies", {})).items():
        at = index("technologies", name, c.LOCATIONS)
        state[0]["technology"][at] = index(f"technologies.{name}", technology, c.TECHNOLOGIES)


def write_technologies(box: Any, s: Any) -> dict[str, str]:
    return {c.LOCATIONS[at]: c.TECHNOLOGIES[t] for at, t in enumerate(s["technology"]) if t >= 0}


def read_queen(box: Any, state: State, said: Said) -> None:
    read_counts(state, "queen", QUEEN, said.get("queen", {}))


def write_queen(box: Any, s: Any) -> dict[str, int]:
    return write_counts(s, QUEEN)


def read_bag(box: Any, state: State, said: Said) -> None:
    read_named("bag", said.get("bag", {}), c.MARKERS, state[0]["bag"])


def write_bag(box: Any, s: Any) -> dict[str, int]:
    return write_named(c.MARKERS, s["bag"])


def fill_pools(box: Any, state: State) -> None:
    """Everything not placed is in its pool; more than the box holds is an error."""
    s = state[0]
    for kind, name in enumerate(c.KINDS):
        s["board"][kind] = _left(f"{name} tokens", int(s["token"][kind].sum()), int(box["token_total"][kind]))
    _left("gates", int(s["gate"].sum()), int(box["gate_total"]))
    s["enemy_pool"] = _left("enemies", int(s["enemy"].sum()), int(box["enemy_total"]))
    for good, name in enumerate(c.GOODS):
        s["good_pool"][good] = _left(name, int(s["good"][:, good].sum()), int(box["good_total"][good]))
    for technology, name in enumerate(c.TECHNOLOGIES):
        out = int(s["has"][:, technology].sum() + (s["technology"] == technology).sum())
        total = int(box["technology_total"][technology])
        s["technology_pool"][technology] = _left(f"{name} markers", out, total)
    out_of_pool = (
        0, int(s["assassination"]), int(s["unrest"].sum()), int(s["plague"].sum()), int(s["diplomacy"].sum()),
        int(s["religion"] + s["slot_religion"].sum()),
        int(s["karu"].sum() + s["area_karu"].sum() + s["road_karu"].sum()),
        int(s["health"].sum() + s["area_health"].sum()),
    )  # fmt: skip
    for marker, name in enumerate(c.MARKERS):
        out = out_of_pool[marker] + int(s["bag"][marker])
        s["marker_pool"][marker] = _left(f"{name} markers", out, int(box["marker_total"][marker]))


def _left(what: str, used: int, total: int) -> int:
    within(what, used, total)
    return total - used
