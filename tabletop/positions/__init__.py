"""Positions that people read and write: a state as names and numbers, by a plan that a game declares once.

A plan says how each field of the state is told: as a number or a name, as a table by names, as cards that lie in a
pile, for each seat or for the whole table, and which steps are pending (:mod:`tabletop.prompts`)::

    PLAN = Plan(STATE, PLAYERS, (
        One("turn", "turn", Number(0, 300)),
        Seats(MAX_SEATS, (One("nation", "nation", Name(NATIONS), usual=-1), Cards("hand", "hand", CARDS, hidden=True))),
    ), Steps(TABLE, SORTS, ON, most=9))

``PLAN.dump(s)`` leaves out what is as usual. ``PLAN.read(position)`` checks every name and every number; what must hold
between them the game checks. A hidden pile may have cards ``"?"``, or only a number of cards: nobody knows them, and
the game deals them from what is left. Seats are counted from 0.
"""

from __future__ import annotations

import difflib
import math
import re
from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from tabletop import observation
from tabletop.game import Game, Record
from tabletop.prompts import HALT, Table
from tabletop.steps import ARGS

if TYPE_CHECKING:
    from tabletop.coach.parts import Field

UNKNOWN = "?"  #: a card that nobody knows
NOTHING = ""  #: of a seat or a name: none
NUMBERED = re.compile(r"\bseats?[ \[]\d")  #: a seat in a message
Said = Mapping[str, Any]


class PositionError(ValueError):
    """A position that cannot be: the message names what was wrong and what is allowed.

    Where it names a seat it says how seats are counted: people at a table count them from 1.
    """

    def __str__(self) -> str:
        told = super().__str__()
        return f"{told} (seats are counted from 0)" if NUMBERED.search(told) else told


# What may be said


def index(what: str, name: Any, names: Sequence[str]) -> int:
    """Which of the names one is.

    Raises:
        PositionError: none of them.
    """
    if isinstance(name, str) and name in names:
        return names.index(name)
    near = difflib.get_close_matches(name, names, 1) if isinstance(name, str) else ()
    hint = f" (did you mean {near[0]}?)" if near else ""
    raise PositionError(f"{what}: no {name!r}{hint}; choose one of {', '.join(names)}")


def number(what: str, value: Any, low: int, high: int) -> int:
    """A whole number from ``low`` to ``high``; PositionError if it is another."""
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, (int, np.integer)) or not low <= value <= high:
        raise PositionError(f"{what}: {value!r} is not a whole number {low} to {high}")
    return int(value)


def table(what: str, value: Any, keys: Iterable[str] | None = None) -> Said:
    """A table with no other keys than these (None: any); PositionError if it is not."""
    if not isinstance(value, Mapping):
        raise PositionError(f"{what}: expected a table of names, found {value!r}")
    for key in value if keys is not None else ():
        index(f"{what}: key", key, tuple(keys or ()))
    return value


def once(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    """A table of JSON (``object_pairs_hook``); ValueError if a key is there twice, of which the last would hold."""
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"{twice!r} is there twice in one table: say it once")
    return found


def listed(what: str, value: Any, most: int | None = None) -> list[Any]:
    """A list of up to ``most`` (None: of any length); PositionError if it is not."""
    if not isinstance(value, (list, tuple)):
        raise PositionError(f"{what}: expected a list, found {value!r}")
    if most is not None and len(value) > most:
        raise PositionError(f"{what}: found {len(value)}, at most {most}")
    return list(value)


def rows(what: str, value: Any, n: int) -> dict[int, Any]:
    """What is said by seat or place: a list in their order, or a table by their numbers, ``{"0": ...}``.

    Raises:
        PositionError: it is neither, or says more than ``n``.
    """
    if not isinstance(value, Mapping):
        return dict(enumerate(listed(what, value, n)))
    numbers = [str(i) for i in range(n)]
    return {i: value[key] for i, key in enumerate(numbers) if key in table(what, value, numbers)}


def within(what: str, used: int, total: int) -> None:
    """PositionError if more is used than the box holds."""
    if used > total:
        raise PositionError(f"position: {used} × {what}, the box holds {total}")


# How one number is told


class Sort(Protocol):
    """How a number of the state is told, and read."""

    def tell(self, n: int) -> Any: ...

    def read(self, what: str, told: Any, players: int) -> int: ...


class Number(NamedTuple):
    """As it is."""

    low: int = 0
    high: int = 99

    def tell(self, n: int) -> int:
        return n

    def read(self, what: str, told: Any, players: int) -> int:
        return number(what, told, self.low, self.high)


class Flag(NamedTuple):
    """True or false; 1 and 0 mean the same."""

    def tell(self, n: int) -> bool:
        return bool(n)

    def read(self, what: str, told: Any, players: int) -> int:
        if not isinstance(told, (bool, int)) or told not in (0, 1):
            raise PositionError(f"{what}: {told!r} is neither true nor false")
        return int(told)


class Name(NamedTuple):
    """One of several names, from ``first`` on."""

    names: Sequence[str]
    first: int = 0

    def tell(self, n: int) -> str:
        return self.names[n - self.first]

    def read(self, what: str, told: Any, players: int) -> int:
        return self.first + index(what, told, self.names)


class Seat(NamedTuple):
    """A seat, from 0."""

    def tell(self, n: int) -> int:
        return n

    def read(self, what: str, told: Any, players: int) -> int:
        return number(what, told, 0, players - 1)


# How a field is told


class Reading:
    """A state that is being read: ``s``, shape (1,), its only record ``one``, and the cards that nobody knows."""

    def __init__(self, s: Record, players: int) -> None:
        self.s, self.one, self.players = s, s[0], players
        self.unknown: dict[tuple[str, tuple[int, ...]], int] = {}  #: how many, by key and seat

    def unknown_of(self, key: str, *seat: int) -> int:
        """How many cards of a pile nobody knows."""
        return self.unknown.get((key, seat), 0)


class Part(Protocol):
    """A key of a position. ``at`` is the seat that its field belongs to: (seat,), or () for the whole table."""

    @property
    def key(self) -> str: ...

    def clear(self, one: Any, at: tuple[int, ...], there: bool) -> None:
        """Makes the field what it is where nothing is said; ``there``: whether the seat plays."""

    def write(self, one: Any, at: tuple[int, ...]) -> Any:
        """What is said of it; None: nothing, it is as usual."""

    def read(self, reading: Reading, what: str, told: Any, at: tuple[int, ...]) -> None:
        """Puts what is said into the state; PositionError says what is wrong."""


def _value(one: Any, field: str, at: tuple[int, ...]) -> Any:
    return one[field][at] if at else one[field]


def _put(one: Any, field: str, at: tuple[int, ...], value: Any) -> None:
    if at:
        one[field][at] = value
    else:
        one[field] = value


class One(NamedTuple):
    """One number; ``""`` says that it is as usual."""

    key: str
    field: str
    sort: Sort
    usual: int = 0  #: is left out
    empty: int | None = None  #: of a seat that does not play; None: as usual

    def clear(self, one: Any, at: tuple[int, ...], there: bool) -> None:
        _put(one, self.field, at, self.usual if there or self.empty is None else self.empty)

    def write(self, one: Any, at: tuple[int, ...]) -> Any:
        n = int(_value(one, self.field, at))
        return None if n == self.usual else self.sort.tell(n)

    def read(self, reading: Reading, what: str, told: Any, at: tuple[int, ...]) -> None:
        if told != NOTHING:
            _put(reading.one, self.field, at, self.sort.read(what, told, reading.players))


class Each(NamedTuple):
    """A number for each of several names, or ``""``: ``{"Persis": 0}``."""

    key: str
    field: str
    names: Sequence[str]
    sort: Sort
    usual: int = 0

    def clear(self, one: Any, at: tuple[int, ...], there: bool) -> None:
        _put(one, self.field, at, self.usual)

    def write(self, one: Any, at: tuple[int, ...]) -> Any:
        numbers = zip(self.names, _value(one, self.field, at).tolist(), strict=True)
        return {name: self.sort.tell(n) for name, n in numbers if n != self.usual} or None

    def read(self, reading: Reading, what: str, told: Any, at: tuple[int, ...]) -> None:
        for name, n in table(what, told, self.names).items():
            if n != NOTHING:
                place = (*at, self.names.index(name))
                reading.one[self.field][place] = self.sort.read(f"{what}.{name}", n, reading.players)


class Row(NamedTuple):
    """Seats in their order, each once: ``[1, 0]``; behind them ``none``."""

    key: str
    field: str
    none: int = -1

    def clear(self, one: Any, at: tuple[int, ...], there: bool) -> None:
        _put(one, self.field, at, self.none)

    def write(self, one: Any, at: tuple[int, ...]) -> Any:
        return [n for n in _value(one, self.field, at).tolist() if n != self.none] or None

    def read(self, reading: Reading, what: str, told: Any, at: tuple[int, ...]) -> None:
        told = rows(what, told, reading.players).values()
        row = [number(what, n, 0, reading.players - 1) for n in told]
        if len(set(row)) < len(row):
            raise PositionError(f"{what}: {row} names a seat twice")
        reading.one[self.field][(*at, slice(len(row)))] = row


class Cards(NamedTuple):
    """Cards of several kinds: ``["Legionary", "Legionary"]`` or ``{"Legionary": 2}``."""

    key: str
    field: str
    names: Sequence[str]
    hidden: bool = False  #: ``"?"`` is a card that nobody knows, and so are all where only their number is said
    always: bool = False  #: told also where there is none

    def clear(self, one: Any, at: tuple[int, ...], there: bool) -> None:
        _put(one, self.field, at, 0)

    def write(self, one: Any, at: tuple[int, ...]) -> Any:
        counts = zip(self.names, _value(one, self.field, at).tolist(), strict=True)
        return [name for name, n in counts for _ in range(n)] or ([] if self.always else None)

    def read(self, reading: Reading, what: str, told: Any, at: tuple[int, ...]) -> None:
        for name, n in piled(what, told, self.names, self.hidden).items():
            if name == UNKNOWN:
                reading.unknown[self.key, at] = n
            else:
                reading.one[self.field][(*at, self.names.index(name))] = n


class Lying(NamedTuple):
    """Cards that are different, of which a field says where each is: those at ``place``, or at ``place`` + seat."""

    key: str
    field: str
    names: Sequence[str]
    place: int
    hidden: bool = False  #: as of :class:`Cards`
    nowhere: int = 0  #: where a card is that is not named

    def clear(self, one: Any, at: tuple[int, ...], there: bool) -> None:
        one[self.field] = self.nowhere

    def write(self, one: Any, at: tuple[int, ...]) -> Any:
        return [self.names[int(card)] for card in np.flatnonzero(one[self.field] == self.place + sum(at))] or None

    def read(self, reading: Reading, what: str, told: Any, at: tuple[int, ...]) -> None:
        for name, n in piled(what, told, self.names, self.hidden).items():
            if name == UNKNOWN:
                reading.unknown[self.key, at] = n
                continue
            lies = reading.one[self.field]
            if n > 1 or (n and lies[self.names.index(name)] != self.nowhere):
                raise PositionError(f"{what}: {name} is already elsewhere; the box holds one")
            if n:
                lies[self.names.index(name)] = self.place + sum(at)


MOST_CARDS = 99  #: of a pile


def observable(game: Game, parts: Sequence[observation.Part], s: Record) -> Record:
    """A state, shape (1,), as it is.

    Raises:
        PositionError: a number is out of the range of observations, whose parts these are.
    """
    seen = np.zeros(len(game.observation_low), np.float32)
    game.observe(game.box, s, max(0, int(s["to_act"][0])), seen)
    if wrong := observation.outside(seen, game.observation_low, game.observation_high):
        part = next(part for part in parts if wrong[0] < part.slice.stop)
        raise PositionError(f"{part.name} ({part.meaning}): a number is out of the range of observations, {part.low} "
                            f"to {part.high}")  # fmt: skip
    return s


def piled(what: str, told: Any, names: Sequence[str], hidden: bool = False) -> dict[str, int]:
    """How many cards of each name a pile has: of a list, of a table of numbers, or of the number of unknown cards."""
    known = (*names, UNKNOWN) if hidden else tuple(names)
    if hidden and isinstance(told, int):
        return {UNKNOWN: number(what, told, 0, MOST_CARDS)}
    if isinstance(told, Mapping):
        return {name: number(f"{what}.{name}", n, 0, MOST_CARDS) for name, n in table(what, told, known).items()}
    if not isinstance(told, (list, tuple)):
        also = ", or how many they are" if hidden else ""
        raise PositionError(f"{what}: expected a list of cards{also}, found {told!r}")
    found: dict[str, int] = {}
    for name in listed(what, told, MOST_CARDS):
        card = known[index(what, name, known)]
        found[card] = found.get(card, 0) + 1
    return found


def one_by_one(what: str, told: Any, names: Sequence[str]) -> list[str]:
    """The cards of a hidden pile, also those that nobody knows; errors as of :func:`piled`."""
    return [name for name, n in piled(what, told, names, True).items() for _ in range(n)]


def kept(pile: Iterable[str], free: list[str], n: int) -> list[str]:
    """A hidden pile of ``n`` cards that was told before: those of its cards that are still ``free``, which are taken
    from there; the others are unknown."""
    found: list[str] = []
    for card in pile:
        if len(found) < n and card in free:
            free.remove(card)
            found.append(card)
    return found + [UNKNOWN] * (n - len(found))


class Group(NamedTuple):
    """Keys in a table of their own."""

    key: str
    parts: tuple[Any, ...]  #: of :class:`Part`

    def clear(self, one: Any, at: tuple[int, ...], there: bool) -> None:
        for part in self.parts:
            part.clear(one, at, there)

    def write(self, one: Any, at: tuple[int, ...]) -> Any:
        return written(self.parts, one, at) or None

    def read(self, reading: Reading, what: str, told: Any, at: tuple[int, ...]) -> None:
        by_key = {part.key: part for part in self.parts}
        said = table(what, told, by_key)
        for key, part in by_key.items():
            if key in said:
                part.read(reading, f"{what}.{key}" if what else key, said[key], at)


class At(NamedTuple):
    """A part of a field that belongs to one place in it, such as a side of a battle."""

    place: int
    part: Any  #: a :class:`Part`

    @property
    def key(self) -> str:
        return str(self.part.key)

    def clear(self, one: Any, at: tuple[int, ...], there: bool) -> None:
        self.part.clear(one, (self.place,), there)

    def write(self, one: Any, at: tuple[int, ...]) -> Any:
        return self.part.write(one, (self.place,))

    def read(self, reading: Reading, what: str, told: Any, at: tuple[int, ...]) -> None:
        self.part.read(reading, what, told, (self.place,))


def written(parts: Iterable[Any], one: Any, at: tuple[int, ...] = ()) -> dict[str, Any]:
    """What is said of parts, but for what is as usual."""
    found = {part.key: part.write(one, at) for part in parts}
    return {key: told for key, told in found.items() if told is not None}


class Seats(NamedTuple):
    """A table for each seat: a list in their order, or by their numbers: ``{"0": {...}}``."""

    most: int
    parts: tuple[Any, ...]  #: of :class:`Part`
    key: str = "seats"

    def clear(self, one: Any, at: tuple[int, ...], there: bool) -> None:
        for seat in range(self.most):
            for part in self.parts:
                part.clear(one, (seat,), seat < one["players"])

    def write(self, one: Any, at: tuple[int, ...]) -> Any:
        return [written(self.parts, one, (seat,)) for seat in range(int(one["players"]))]

    def read(self, reading: Reading, what: str, told: Any, at: tuple[int, ...]) -> None:
        for seat, row in rows(what, told, reading.players).items():
            Group("", self.parts).read(reading, f"{what}[{seat}]", row, (seat,))


class Raw(NamedTuple):
    """Numbers as the state has them: what people need not read."""

    field: str
    low: float = 0
    high: float = 2**31 - 1

    @property
    def key(self) -> str:
        return self.field

    def clear(self, one: Any, at: tuple[int, ...], there: bool) -> None:
        one[self.field] = 0

    def write(self, one: Any, at: tuple[int, ...]) -> Any:
        value = np.asarray(one[self.field])
        return value.tolist() if value.any() else None

    def read(self, reading: Reading, what: str, told: Any, at: tuple[int, ...]) -> None:
        now = np.asarray(reading.one[self.field])
        kinds = "iuf" if now.dtype.kind == "f" else "iu"
        try:
            value = np.asarray(told)
        except ValueError:  # rows of different lengths
            value = np.asarray(None)
        good = value.shape == now.shape and value.dtype.kind in kinds
        if not good or not (np.isfinite(value) & (self.low <= value) & (value <= self.high)).all():
            shape = " × ".join(map(str, now.shape)) or "one"
            raise PositionError(f"{what}: expected numbers {self.low} to {self.high} ({shape}), found {told!r}")
        reading.one[self.field] = value


# What is pending


class Steps(NamedTuple):
    """The pending steps, the next one last: ``["turn", {"step": "lay", "side": "attacker", "seat": 0}]``."""

    table: Table
    sorts: Mapping[str, Sort]  #: of the arguments; a seat and a number need none
    on: Mapping[str, str]  #: the steps that each may lie on, by spaces
    most: int  #: so many at once
    key: str = "pending"

    def sort(self, name: str) -> Sort:
        return self.sorts.get(name) or (Seat() if name == "seat" else Number())

    def write(self, one: Any, at: tuple[int, ...] = ()) -> list[Any]:
        frames: list[Any] = []
        for i in range(1, int(one["sp"])):
            step = self.table[int(one["op"][i])]
            args = zip(step.arguments.items(), one["arg"][i].tolist(), strict=False)
            told = {name: self.sort(sort).tell(n) for (name, sort), n in args}
            frames.append({"step": step.name, **told} if told else step.name)
        return frames

    def read(self, reading: Reading, what: str, told: Any) -> None:
        below = HALT
        push(reading.one, self.table.names.index(HALT))
        for i, frame in enumerate(listed(what, told, self.most)):
            below = self._read(reading, f"{what}[{i}]", frame, below)

    def _read(self, reading: Reading, what: str, frame: Any, below: str) -> str:
        frame = {"step": frame} if isinstance(frame, str) else frame
        if not isinstance(frame, Mapping) or "step" not in frame:
            raise PositionError(f"{what}: expected the name of a step, or a table with its 'step', found {frame!r}")
        names = tuple(name for name in self.table.names if name != HALT)
        step = self.table[self.table.names.index(names[index(what, frame["step"], names)])]
        if below not in self.on[step.name].split():
            raise PositionError(f"{what}: {step.name} cannot follow {below}, only {self.on[step.name]}")
        table(f"{what}: {step.name}", frame, ("step", *step.arguments))
        args = []
        for name, sort in step.arguments.items():
            if name not in frame:
                raise PositionError(f"{what}: {step.name} needs {name!r}")
            args.append(self.sort(sort).read(f"{what}.{name}", frame[name], reading.players))
        push(reading.one, self.table.names.index(step.name), *args)
        return step.name


def push(one: Any, op: int, *args: int) -> None:
    """Puts a step on top of a record's stack."""
    at = int(one["sp"])
    one["op"][at] = op
    one["arg"][at] = (*args, *[0] * (ARGS - len(args)))
    one["sp"] = at + 1


def frames(s: Record, table: Table) -> list[tuple[str, list[int]]]:
    """The pending steps of a state, shape (1,), the next one last: names and arguments."""
    one = s[0]
    return [(table.names[one["op"][i]], one["arg"][i].tolist()) for i in range(1, int(one["sp"]))]


# The whole


class Plan(NamedTuple):
    """How the states of a game are told. Its fields ``box``, ``players`` and ``manual_chance`` are always told; those
    that no part names are 0, and so is the generator."""

    state: np.dtype[Any]
    players: range
    parts: tuple[Any, ...]  #: of :class:`Part`, in the order in which they are told and read
    steps: Steps
    machine: tuple[Raw, ...] = (Raw("decisions"), Raw("trace"), Raw("paid", -math.inf, math.inf))
    besides: tuple[str, ...] = ()  #: keys that the game reads by itself

    def dump(self, s: Record) -> dict[str, Any]:
        """The position of a state, shape (1,), in which a seat or chance is asked, or the game is over."""
        one = s[0]
        parts = (One("box", "box", Number()), One("manual_chance", "manual_chance", Flag()), *self.parts, self.steps)
        return {"players": int(one["players"]), **written(parts, one), **written([self._machine], one)}

    def read(self, position: Any, boxes: int = 1) -> tuple[Reading, Said]:
        """A state of a position, and the position. Where it does not say what is pending, no step is.

        Args:
            boxes: how many there are.

        Raises:
            PositionError: a key, a name, a number or a step cannot be.
        """
        keys = ("players", "box", "manual_chance", *(part.key for part in self.parts), self.steps.key, "machine")
        said = table("position", position, (*keys, *self.besides))
        if "players" not in said:
            raise PositionError("position: 'players' is missing")
        players = number("players", said["players"], self.players[0], self.players[-1])
        reading = Reading(np.zeros(1, self.state), players)
        one = reading.one
        one["players"] = players
        one["box"] = number("box", said.get("box", 0), 0, boxes - 1)
        one["manual_chance"] = Flag().read("manual_chance", said.get("manual_chance", False), players)
        parts = (*self.parts, self._machine)
        for part in parts:
            part.clear(one, (), True)
        for part in parts:
            if part.key in said:
                part.read(reading, part.key, said[part.key], ())
        if self.steps.key in said:
            self.steps.read(reading, self.steps.key, said[self.steps.key])
        return reading, said

    def opened(self, told: dict[str, Any], fields: Iterable[Field]) -> dict[str, Any]:
        """A position that was dumped, with a value for each field of a form."""
        found = {**told}
        for field in fields:
            row = found
            for key in field.path[:-1]:
                row[key] = row = _table_of(row.get(key, {}))
            value = row.get(field.path[-1], self._usual(field))
            row[field.path[-1]] = int(value) if isinstance(value, bool) else value  # a form shows numbers
        return found

    def _usual(self, field: Field) -> Any:
        """What is left out where a field is as usual."""
        if field.choices:
            return NOTHING
        parts, part = self.parts, None
        for key in field.path:
            part = next((one for one in parts if one.key == key), part)
            parts = part.parts if isinstance(part, (Group, Seats)) else ()
        return part.usual if isinstance(part, (One, Each)) else 0

    @property
    def _machine(self) -> Group:
        return Group("machine", self.machine)


def _table_of(value: Any) -> Any:
    """A list as a table: cards by how many they are, other things by their places."""
    if not isinstance(value, list):
        return value
    if all(isinstance(one, str) for one in value):
        return {name: value.count(name) for name in value}
    return {str(i): one for i, one in enumerate(value)}
