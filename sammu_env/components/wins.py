"""Whether a challenge's win condition asks for more than a box holds."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from sammu_env import constants as c
from sammu_env.components.schema import Box, Condition


def check_wins(b: Box) -> Iterator[str]:
    for card_id, challenge in b.challenge.items():
        where = f"challenge.{card_id}: win"
        found = [line for i, row in enumerate(challenge.win) for line in _check_condition(b, row, f"{where}[{i}]")]
        yield from found
        if not found:
            yield from _check_together(b, challenge.win, where)


def _check_condition(b: Box, row: Condition, where: str) -> Iterator[str]:
    """What no game can ever reach, whatever the other rows ask for."""
    apart = row.condition == "place_tokens" and row.location in ("Sardes", "Damascus")
    if apart and row.kind in ("supply", "medicine"):
        yield f"{where}: found {row.kind} in {row.location}, expected military or diviner: others return (p. 26)"
    if row.condition == "advisors_home" and not _advisors_of(b, row.origin):
        yield f"{where}.origin: found {row.origin!r}, expected an area that is home to an advisor"


def _advisors_of(b: Box, area: str) -> int:
    return sum(who.home == area for who in list(b.character.values())[c.ADVISORS.start : c.ADVISORS.stop])


def _check_together(b: Box, rows: list[Condition], where: str) -> Iterator[str]:
    """All rows at once: gates, tokens (with what the empire board takes away before the outcome) and goods."""
    homes: dict[str, str] = {}
    for row in rows:
        if row.condition == "advisors_home" and homes.setdefault(row.origin, row.area) != row.area:
            yield f"{where}: found advisors of {row.origin} in {row.area} and {homes[row.origin]}, expected one place"
    # Without Assyria's gate the game is lost, and without the gate of their home advisors are not in play.
    named = {"Assyria", *homes, *(row.area for row in rows if row.condition == "gate")}
    gates = max([len(named), *(row.n for row in rows if row.condition == "gates")])
    gates = max([gates, *(gates_for(b, named, row.n) for row in rows if row.condition == "advisors")])
    if gates > b.components.gates:
        yield f"{where}: found {gates} gates asked for, expected at most {b.components.gates}, all the box holds"
    wanted = {kind: _tokens_wanted(b, rows, kind, named, gates) for kind in c.KINDS}
    sustain(wanted)
    for kind, n in wanted.items():
        if n > b.components.tokens[kind]:
            yield (f"{where}: found {n} {kind} asked for, counting what gates and the empire board need, expected at "
                   f"most {b.components.tokens[kind]}, all the box holds")  # fmt: skip
    for good in c.GOODS:
        asked = {group: max([0, *(row.n for row in rows if row.condition == "goods" and (row.good, row.group) ==
                                  (good, group))]) for group in c.GROUPS}  # fmt: skip
        n = max(asked["characters"], asked["advisors"], asked["personal"] + asked["public"])
        if n > b.components.goods[good]:
            yield f"{where}: found {n} {good} asked for, expected at most {b.components.goods[good]}, all the box holds"


def gates_for(b: Box, named: set[str], n: int) -> int:
    """How many gates bring so many advisors, those named among them."""
    others = sorted((_advisors_of(b, area) for area in c.AREAS if area not in named), reverse=True)
    there, gates = sum(_advisors_of(b, area) for area in named), len(named)
    while there < n and others:
        there, gates = there + others.pop(0), gates + 1
    return gates


def _tokens_wanted(b: Box, rows: list[Condition], kind: str, named: set[str], gates: int) -> int:
    """How many tokens of a kind must be on the map at least."""
    placed: dict[str, int] = {}  # by location; supply and medicine by area, whichever location a row names
    standing = c.KINDS.index(kind) <= c.DIVINER
    zone = {name: row.zone for name, row in b.map.location.items()}
    capital = {row.zone: name for name, row in b.map.location.items() if row.capital}
    for row in rows:
        if row.condition == "place_tokens" and row.kind == kind:
            place = row.location if standing else zone[row.location]
            placed[place] = max(placed.get(place, 0), row.n)
    asked = Counter[str]()
    for row in rows:
        if row.condition == "area_tokens" and row.kind == kind:
            asked[row.area] = max(asked[row.area], row.n)

    def needed(area: str, gate: bool) -> int:
        at = {place: n for place, n in placed.items() if zone.get(place, place) == area}
        if gate:
            seat = capital[area] if standing else area
            at[seat] = max(at.get(seat, 0), 1)
        return max(asked[area], sum(at.values()))

    by_area = {area: needed(area, area in named) for area in c.AREAS}
    more = sorted(needed(area, True) - by_area[area] for area in c.AREAS if area not in named)
    apart = sum(n for place, n in placed.items() if place in ("Sardes", "Damascus"))
    with_gates = apart + sum(by_area.values()) + sum(more[: gates - len(named)])
    found = [with_gates]
    for row in rows:
        if row.condition == "total_tokens" and row.kind == kind:
            empty = row.areas - sum(n > 0 for n in by_area.values())
            found += [row.n, apart + sum(by_area.values()) + max(0, empty)]
    groups = [row for row in rows if row.condition == "both_tokens" and row.kind == kind]
    return max(*found, apart + _most_together(groups, by_area))


def _most_together(groups: list[Condition], by_area: dict[str, int]) -> int:
    """What rows for several areas together ask for, and single areas outside them: the most of rows that are apart."""
    if not groups:
        return sum(by_area.values())
    row, *others = groups
    inside = max(row.n, sum(max(1, by_area[area]) for area in row.areas))
    outside = {area: n for area, n in by_area.items() if area not in row.areas}
    apart = [other for other in others if not set(other.areas) & set(row.areas)]
    return max(_most_together(others, by_area), inside + _most_together(apart, outside))


def sustain(wanted: dict[str, int]) -> None:
    """R1: what the tokens asked for need of other kinds to stay (p. 31)."""
    if wanted["military"] > 10:
        wanted["supply"] = max(wanted["supply"], 11 if wanted["military"] > 15 else 6)
    if wanted["supply"] > 10:
        wanted["diviner"] = max(wanted["diviner"], 6)
    if wanted["diviner"] > 10:
        wanted["medicine"] = max(wanted["medicine"], 6)
