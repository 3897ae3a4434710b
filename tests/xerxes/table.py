"""A table for tests: positions by name, choices by name, and what stands where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from tabletop import record
from tabletop.game import new_state
from xerxes_env import actions, engine, load_game, steps
from xerxes_env import constants as c
from xerxes_env.game import Xerxes

AREAS = Path(__file__).with_name("areas.toml")
NAMES = {"area": (*c.AREAS, "order"), "resource": c.RESOURCES, "unit": c.UNITS, "building": c.BUILDINGS,
         "satrap": c.SATRAPS}  # fmt: skip
#: Events of the standard box.
WOLVES, FIRE, LOCUSTS, MINES, HEIR, LEVY, PLOT, FLOOD = range(8)
#: The steps of each phase, in order.
PHASES: dict[str, tuple[tuple[int, ...], ...]] = {
    "placement": ((steps.TURNS, c.PLACEMENT, 0, 0), (steps.TURNS, c.PLACEMENT, 0, 1)),
    "reveal": ((steps.DRAW_EVENT,),),
    "event": ((steps.TURNS, c.EVENT, 0, 0),),
    "march": ((steps.TURNS, c.MARCH, 0, 0),),
    "resources": ((steps.TURNS, c.RESOURCE, 0, 0), (steps.END_RESOURCES,)),
    "building": ((steps.TURNS, c.BUILDING, 0, 0), (steps.TURNS, c.BUILDING, 0, 1)),
    "tax": ((steps.TURNS, c.TAX, 0, 0),),
    "turn_order": ((steps.TURN_ORDER,),),
    "end": ((steps.END_ROUND,),),
}
SATRAPS = {1: "Parthia", 2: "Aegyptus,India", 3: "Aegyptus,India,Sogdia", 4: "Aegyptus,India,Sogdia,Assyria"}


def number(name: str) -> int:
    """The number of "done", "power", "joker", "Persis", "order", "gold", "ships", "temple", "seat 1", "march 3", "tax
    0"; of names that are areas and satraps the area."""
    if name in ("done", "power", "joker"):
        return actions.FIRST[name]
    block, _, i = name.partition(" ")
    if i.isdigit():
        return actions.FIRST[block] + int(i)
    for block, names in NAMES.items():
        if name in names:
            return actions.FIRST[block] + names.index(name)
    raise ValueError(f"no choice is called {name!r}")


def name_of(action: int) -> str:
    """The other way round."""
    block, i = actions.block_of(action)
    if block in NAMES:
        return str(NAMES[block][i])
    return block if block in ("done", "power", "joker") else f"{block} {i}"


class Table:
    """A position: nothing is dealt, satraps stand at home, power tokens lie on the mats, nobody has anything.

    Satraps that are not named have no power to use: their tokens are gone.
    """

    def __init__(self, players: int = 2, satraps: str | None = None, event: int = PLOT, game: Xerxes | None = None,
                 **fields: Any) -> None:  # fmt: skip
        self.game = game or load_game(AREAS)
        self.box = self.game.box
        setup = self.game.configure(players, satraps or SATRAPS[players])
        setup["manual_chance"] = 1
        self.record = new_state(self.game)
        self.game.reset(self.box, self.record, setup, 7)
        s = self.s = self.record[0]
        s["sp"] = s["n_options"] = s["decisions"] = 0
        s["order"] = c.NONE
        s["order"][:players], s["standing"][:players], s["event"] = range(players), 1, event
        s["power"][:players] = satraps is not None
        s["power"][s["satrap"] == c.ASSYRIA] = 0
        for field, value in fields.items():
            s[field][: len(value)] = value
        self.players = players

    def __getattr__(self, name: str) -> Any:
        """A field of the state: a number or a copy of an array."""
        if name not in self.record.dtype.names:
            raise AttributeError(name)
        value = self.record[name][0]
        return value.copy() if isinstance(value, np.ndarray) else int(value)

    def put(self, **fields: Any) -> Table:
        """Sets fields of the state."""
        for field, value in fields.items():
            self.s[field] = value
        return self

    def worker(self, seat: int, *areas: str) -> Table:
        """Workers of a seat in areas, or "order"."""
        for area in areas:
            self.s["worker"][NAMES["area"].index(area)] = seat
        return self

    def worker_at(self, area: str) -> int:
        """Whose worker stands there, or -1."""
        return int(self.s["worker"][NAMES["area"].index(area)])

    def hand(self, seat: int, march: tuple[int, ...] = (), tax: tuple[int, ...] = ()) -> Table:
        """Cards in a hand."""
        return self.cards(c.HAND + seat, march, tax)

    def played(self, seat: int, march: tuple[int, ...] = (), tax: tuple[int, ...] = ()) -> Table:
        """Cards in front of a seat."""
        return self.cards(c.PLAYED + seat, march, tax)

    def cards(self, where: int, march: tuple[int, ...], tax: tuple[int, ...]) -> Table:
        self.s["march"][list(march)] = where
        self.s["tax"][list(tax)] = where
        return self

    def has(self, seat: int, **resources: int) -> Table:
        """Resources on the mat of a seat."""
        for name, n in resources.items():
            self.s["resource"][seat, c.RESOURCES.index(name)] = n
        return self

    def resources(self, seat: int) -> dict[str, int]:
        """What lies on the mat of a seat, without zeros."""
        return {name: int(n) for name, n in zip(c.RESOURCES, self.resource[seat], strict=True) if n}

    def play(self, *phases: str) -> Table:
        """Runs phases, and then the game halts: up to the next choice."""
        frames = [frame for phase in phases for frame in PHASES[phase]]
        return self.push((steps.HALT,), *reversed(frames))

    def push(self, *frames: tuple[int, ...]) -> Table:
        """Puts steps on the stack, the last on top, and runs."""
        for i, (op, *arguments) in enumerate(frames):
            self.s["op"][i] = op
            self.s["arg"][i] = 0
            self.s["arg"][i, : len(arguments)] = arguments
        self.s["sp"] = len(frames)
        engine.resume(self.box, self.record)
        return self

    @property
    def options(self) -> list[str]:
        """The names of what may be chosen."""
        mask = np.zeros(actions.N_ACTIONS, np.int8)
        self.game.legal(self.box, self.record, mask)
        return [name_of(int(action)) for action in np.flatnonzero(mask)]

    @property
    def asked(self) -> str:
        """What is asked, as in ``steps.NAMES``; "halt" when the phases are over."""
        return steps.NAMES[self.op[self.sp - 1]]

    def choose(self, *names: str) -> Table:
        """Makes choices."""
        for name in names:
            assert name in self.options, (name, self.asked, self.options)
            assert self.game.apply(self.box, self.record, number(name))
        return self

    def copy(self) -> Table:
        other = object.__new__(Table)
        other.__dict__.update(self.__dict__)
        other.record = record.copy(self.record)
        other.s = other.record[0]
        return other
