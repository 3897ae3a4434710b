"""What an honest setup side looks like: the conditions that a reconstructed side must satisfy, each a function.

Each takes the box and one of its challenges and returns the faults in words; none means that the side is honest in this
respect. Side and goods are counted as they lie when the game begins, before anybody acts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator

from sammu_env import constants as c
from sammu_env.components.schema import Box, Challenge, Setup
from sammu_env.components.wins import gates_for, sustain

#: Tokens of a kind on the map, all areas together: fewest and most.
TOKENS = {"military": (5, 10), "diviner": (4, 8), "supply": (4, 9), "medicine": (4, 9)}
#: Tokens in areas without a gate, at most.
OUTSIDE = 4
ENEMIES = (4, 12)
ENEMY_ZONES = 3  #: zones with enemies, at least
BAG = (2, 5)  #: markers in the bag
POINTS = (2, 14)  #: points of the board
#: So much defence or medicine in a capital takes unrest or plague away (pp. 40-41).
CURE = 3


def capitals(b: Box) -> dict[str, str]:
    """The capital of each area."""
    return {row.zone: name for name, row in b.map.location.items() if row.capital}


def on_map(setup: Setup) -> dict[str, int]:
    """Tokens of each kind on the map."""
    found = dict.fromkeys(c.KINDS, 0)
    for there in setup.tokens.values():
        for kind, n in there.items():
            found[kind] += n
    return found


def board_points(setup: Setup) -> int:
    """What p. 38 counts at the end of a challenge, without win and events: here for the side as it is set up.

    2 for each gate, 1 for each medicine and military on the map, -1 for each enemy and each unrest and plague on the
    map. Markers in the bag do not count, and nobody has a technology yet.
    """
    tokens = on_map(setup)
    points = 2 * len(setup.gates) + tokens["medicine"] + tokens["military"]
    return points - sum(setup.enemies.values()) - len(setup.unrest) - len(setup.plague)


def gates_range(challenge: Challenge) -> tuple[int, int]:
    """Fewest and most gates: three, two to four where the win condition asks for gates or advisors."""
    free = any(row.condition in ("gates", "gate", "advisors", "advisors_home") for row in challenge.win)
    return (2, 4) if free else (3, 3)


def gates(b: Box, challenge: Challenge) -> list[str]:
    """So many gates as :func:`gates_range` says; each has what it needs to stand.

    Assyria's is one. No supply lies in an area under unrest and no medicine in one under plague, where a marker that is
    placed throws it out (pp. 40-41), nor so many military, or medicine, that the marker would go at once.
    """
    setup = challenge.setup
    low, high = gates_range(challenge)
    found = []
    if not low <= len(setup.gates) <= high:
        found.append(f"gates: found {len(setup.gates)}, expected {low if low == high else f'{low} to {high}'}")
    if "Assyria" not in setup.gates:
        found.append(f"gates: found {', '.join(setup.gates)}, expected Assyria among them")
    for area in setup.gates:
        missing = [kind for kind in c.KINDS if not setup.tokens.get(area, {}).get(kind)]
        if missing:
            found.append(f"tokens: {area} has a gate but no {' and no '.join(missing)}")
    for name, places, lost, cure in (
        ("unrest", setup.unrest, "supply", "military"),
        ("plague", setup.plague, "medicine", "medicine"),
    ):
        for area in sorted({b.map.location[place].zone if place in b.map.location else place for place in places}):
            tokens = setup.tokens.get(area, {})
            if tokens.get(lost):
                found.append(f"tokens: found {tokens[lost]} {lost} in {area}, expected none under {name}")
            if cure != lost and tokens.get(cure, 0) >= CURE:
                found.append(f"tokens: found {tokens[cure]} {cure} in {area}, expected at most {CURE - 1} under {name}")
    return found


def board(b: Box, challenge: Challenge) -> list[str]:
    """The empire board keeps the tokens: many of a kind need others (p. 31), and there are no more than in the box."""
    there = on_map(challenge.setup)
    needed = dict(there)
    sustain(needed)
    found = [f"tokens: found {there[kind]} {kind}, expected {n} to keep the others (p. 31)"
             for kind, n in needed.items() if n > there[kind]]  # fmt: skip
    return found + [f"tokens: found {n} {kind}, expected at most {b.components.tokens[kind]}, all the box holds"
                    for kind, n in there.items() if n > b.components.tokens[kind]]  # fmt: skip


def tokens(b: Box, challenge: Challenge) -> list[str]:
    """Tokens of each kind within TOKENS; no area has more tokens than Assyria; at most OUTSIDE where no gate is."""
    setup = challenge.setup
    found = [f"tokens: found {n} {kind}, expected {TOKENS[kind][0]} to {TOKENS[kind][1]}"
             for kind, n in on_map(setup).items() if not TOKENS[kind][0] <= n <= TOKENS[kind][1]]  # fmt: skip
    total = {area: sum(there.values()) for area, there in setup.tokens.items()}
    most = total.get("Assyria", 0)
    found += [f"tokens: found {n} in {area}, expected at most {most}, those of Assyria"
              for area, n in total.items() if n > most]  # fmt: skip
    outside = sum(n for area, n in total.items() if area not in setup.gates)
    if outside > OUTSIDE:
        found.append(f"tokens: found {outside} in areas without a gate, expected at most {OUTSIDE}")
    return found


def tokens_asked(b: Box, challenge: Challenge) -> Iterator[tuple[str, tuple[str, ...], int]]:
    """(kind, areas, n) of what the win condition asks to stand on the map: n tokens in those areas together.

    A location counts as its area. A gate that is asked for by its area asks for one token of each kind there, and so
    does the gate that brings an advisor who is asked for by home; Assyria's stands always and asks for none.
    Sardes and Damascus are areas of their own here: nothing can stand there yet.
    """
    wanted: Counter[tuple[str, str]] = Counter()
    placed: Counter[tuple[str, str]] = Counter()
    for row in challenge.win:
        if row.condition == "place_tokens":
            placed[b.map.location[row.location].zone, row.kind] += row.n
        elif row.condition == "area_tokens":
            wanted[row.area, row.kind] = max(wanted[row.area, row.kind], row.n)
        elif row.condition == "gate" or row.condition == "advisors_home":
            area = row.area if row.condition == "gate" else row.origin
            if area != "Assyria":
                for kind in c.KINDS:
                    wanted[area, kind] = max(wanted[area, kind], 1)
        elif row.condition == "total_tokens":
            yield row.kind, c.AREAS, row.n
        elif row.condition == "both_tokens":
            yield row.kind, tuple(row.areas), row.n
    for (area, kind), n in placed.items():
        wanted[area, kind] = max(wanted[area, kind], n)
    for (area, kind), n in wanted.items():
        yield kind, (area,), n


def gates_asked(b: Box, challenge: Challenge) -> int:
    """How many gates a condition asks for that names none, or the number of advisors it asks for needs."""
    asked = [row.n for row in challenge.win if row.condition == "gates"]
    asked += [gates_for(b, {"Assyria"}, row.n) for row in challenge.win if row.condition == "advisors"]
    return max(asked, default=0)


def share(b: Box, challenge: Challenge) -> tuple[int, int]:
    """(standing, asked): how many of the tokens that the win condition asks for stand where it asks for them.

    Besides :func:`tokens_asked`, gates that no row names (:func:`gates_asked`) ask for one token of each kind in as
    many areas: those that have most of it count.
    """
    side = challenge.setup.tokens
    standing = asked = 0
    for kind, areas, n in tokens_asked(b, challenge):
        asked += n
        standing += min(n, sum(side[area].get(kind, 0) for area in areas if area in side))
    n = gates_asked(b, challenge)
    if n:
        ready = sorted((sum(there.get(kind, 0) > 0 for kind in c.KINDS) for there in side.values()), reverse=True)
        standing, asked = standing + sum(ready[:n]), asked + n * len(c.KINDS)
    return standing, asked


def kinds_there(b: Box, challenge: Challenge) -> list[str]:
    """Goods and advisors that the condition asks for and that are there: advisors by gates, each with start goods."""
    there = challenge.setup.gates
    advisors = [who for who in list(b.character.values())[c.ADVISORS.start : c.ADVISORS.stop] if who.home in there]
    held = Counter(who.start_good for who in advisors)
    found = []
    for row in challenge.win:
        if row.condition == "goods" and b.components.start_goods * held[row.good] >= row.n:
            found.append(row.good)
        elif row.condition == "advisors_home" and row.origin in there:
            found.append(f"advisors of {row.origin}")
        elif row.condition == "advisors" and len(advisors) >= row.n:
            found.append(f"{row.n} advisors")
    return found


def condition(b: Box, challenge: Challenge) -> list[str]:
    """Little of the win condition is met: half its tokens at most, no gate but Assyria's, one kind of goods or people.

    What is counted is said at :func:`share` and :func:`kinds_there`.
    """
    found = []
    standing, asked = share(b, challenge)
    if 2 * standing > asked:
        found.append(f"win: found {standing} of the {asked} tokens asked for, expected at most half")
    for row in challenge.win:
        if row.condition == "gate" and row.area != "Assyria" and row.area in challenge.setup.gates:
            found.append(f"gates: found {row.area}, expected none that the win condition asks for")
    there = kinds_there(b, challenge)
    if len(there) > 1:
        found.append(f"win: found {' and '.join(there)}, expected at most one kind of goods or people")
    return found


def enemies(b: Box, challenge: Challenge) -> list[str]:
    """ENEMIES on the map in ENEMY_ZONES areas at least, Sardes and Damascus among them, and a bag that threatens.

    The bag holds BAG markers, more of them red than green.
    """
    setup = challenge.setup
    found = []
    n = sum(setup.enemies.values())
    if not ENEMIES[0] <= n <= ENEMIES[1]:
        found.append(f"enemies: found {n}, expected {ENEMIES[0]} to {ENEMIES[1]}")
    zones = {b.map.location[place].zone if place in b.map.location else place for place in setup.enemies}
    if len(zones) < ENEMY_ZONES:
        found.append(f"enemies: found in {len(zones)} areas, expected at least {ENEMY_ZONES}")
    bag = sum(setup.bag.values())
    red = sum(number for marker, number in setup.bag.items() if marker in c.MARKERS[: c.GREEN])
    if not BAG[0] <= bag <= BAG[1]:
        found.append(f"bag: found {bag} markers, expected {BAG[0]} to {BAG[1]}")
    if 2 * red <= bag:
        found.append(f"bag: found {red} red markers of {bag}, expected more red than green")
    return found


def points(b: Box, challenge: Challenge) -> list[str]:
    """The side is worth POINTS at setup, counted as :func:`board_points` says."""
    n = board_points(challenge.setup)
    if POINTS[0] <= n <= POINTS[1]:
        return []
    return [f"points: found {n} at setup, expected {POINTS[0]} to {POINTS[1]}"]


Condition = Callable[[Box, Challenge], list[str]]
#: What holds of every side, rich or bare.
SOUND: tuple[Condition, ...] = (board, enemies, gates)
#: What an honest side satisfies.
HONEST: tuple[Condition, ...] = (points, tokens, *SOUND, condition)
#: What a side of the novice box satisfies: it may have more tokens and points, and more of what is asked for.
NOVICE = SOUND


def kept(setup: Setup, conditions: tuple[Condition, ...] = HONEST) -> tuple[Condition, ...]:
    """The conditions without those that a side says it does not satisfy (``Setup.gives_way``)."""
    return tuple(check for check in conditions if check.__name__ not in setup.gives_way)


def faults(b: Box, challenge: Challenge, conditions: tuple[Condition, ...] = HONEST) -> list[str]:
    """All that is wrong with a challenge's setup side, in words."""
    return [line for check in conditions for line in check(b, challenge)]
