"""A table for tests: positions by name, choices by name, and what stands where."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np

from sammu_env import actions, components, engine, load_game, position, steps
from sammu_env import constants as c
from tabletop.game import Record
from tests.positions import changed

BOX = components.load().box
NAMES = {
    "verb": actions.VERBS, "location": c.LOCATIONS, "area": c.AREAS, "character": c.CHARACTERS, "good": c.GOODS,
    "token": c.KINDS, "marker": c.MARKERS, "technology": c.TECHNOLOGIES,
}  # fmt: skip


def action(name: str) -> int:
    """The catalogue number of "done", "move", "Opis", "military", "SAM-080", "player 1", "month 3", "road A-B" ..."""
    if name == "done":
        return actions.DONE
    if name.startswith("SAM-"):
        n = int(name[4:])
        if n >= c.CHALLENGE_FIRST:
            return actions.CHALLENGE + n - c.CHALLENGE_FIRST
        return actions.ASHUR + n - c.ASHUR_FIRST if n >= c.ASHUR_FIRST else actions.EVENT + n - c.EVENT_FIRST
    if name.startswith("player "):
        return actions.PLAYER + int(name[7:])
    if name.startswith("month "):
        return actions.MONTH + int(name[6:]) - 1
    if name.startswith("road "):
        return actions.ROAD + position.road_names(BOX[0]).index(name[5:])
    for block, names in NAMES.items():
        if name in names:
            return actions.START[block] + names.index(name)
    raise ValueError(f"no action is called {name!r}")


def action_name(number: int) -> str:
    """The other way round."""
    block, i = actions.block_of(number)
    if block in NAMES:
        return NAMES[block][i]
    if block in ("ashur", "event", "challenge"):
        first = {"ashur": c.ASHUR_FIRST, "event": c.EVENT_FIRST, "challenge": c.CHALLENGE_FIRST}[block]
        return f"SAM-{first + i:03d}"
    if block == "road":
        return "road " + position.road_names(BOX[0])[i]
    return {"done": "done", "player": f"player {i}", "month": f"month {i + 1}"}[block]


def put(s: Record, **values: Any) -> Record:
    """A state with some fields of the coach's form put right: "characters/Besime/at" is a path."""
    game = load_game()
    return game.load(changed(game, s, **values))


class Table:
    """A position in play. Chance is manual unless ``manual_chance=False``: draws are chosen like anything else."""

    edition: str | Path | None = None
    box = BOX

    def __init__(
        self, challenge: str = "SAM-185", players: int = 3, edition: str | Path | None = None, **position_keys: Any
    ) -> None:
        position_keys.setdefault("manual_chance", True)
        if edition is not None:
            self.edition, self.box = edition, components.load(edition).box
        self.state = position.load({"challenge": challenge, "players": players, **position_keys}, edition)

    def stage(self, name: str, *choices: str) -> Table:
        """Runs one stage alone, then makes choices."""
        position.run_stage(self.state, name, self.edition)
        return self.choose(*choices)

    def go_on(self) -> Table:
        """Runs on to the next decision."""
        position.play_on(self.state, self.edition)
        return self

    def choose(self, *choices: str) -> Table:
        """Makes choices by name; an illegal one fails with what is legal."""
        for choice in choices:
            legal = self.options()
            assert choice in legal, f"{choice!r} is not legal at {self.prompt()}: {legal}"
            assert engine.apply(self.box, self.state, action(choice))
        return self

    def options(self) -> list[str]:
        """The names of all legal choices."""
        mask = np.zeros(actions.N_ACTIONS, np.int8)
        engine.legal(self.box, self.state, mask)
        return [action_name(int(i)) for i in np.flatnonzero(mask)]

    def prompt(self) -> str:
        """The step on top of the stack: what is asked, or "halt"."""
        return steps.NAMES[int(self.state["op"][0, int(self.state["sp"][0]) - 1])]

    def dump(self) -> dict[str, Any]:
        return position.dump(self.state, self.edition)

    def at(self, location: str) -> dict[str, int]:
        """What lies on a location: {"military": 2, ...}, empty fields left out."""
        row: dict[str, int] = self.dump().get("locations", {}).get(location, {})
        return row

    def area(self, name: str) -> dict[str, Any]:
        """What lies in an area."""
        row: dict[str, Any] = self.dump().get("areas", {}).get(name, {})
        return row

    def who(self, name: str) -> dict[str, Any]:
        """A character."""
        row: dict[str, Any] = self.dump()["characters"].get(name, {"status": "out"})
        return row

    def bag(self) -> dict[str, int]:
        bag: dict[str, int] = self.dump().get("bag", {})
        return bag

    def queen(self) -> dict[str, int]:
        queen: dict[str, int] = self.dump().get("queen", {})
        return queen

    def on_map(self, kind: str) -> int:
        """Empire tokens of a kind on the map."""
        k = c.KINDS.index(kind)
        return int(self.box["token_total"][0, k] - self.state["board"][0, k])

    def __getitem__(self, field: str) -> Any:
        value = self.state[field][0]
        return int(value) if np.ndim(value) == 0 else value


def acting(who: str, at: str, row: dict[str, Any] | None = None, **keys: Any) -> Table:
    """Seat 0's turn with one consulted character, who has an action to spare."""
    characters = {who: {"location": at, "consulted": True, "actions": 3, **(row or {})}, **keys.pop("characters", {})}
    return Table(stage="actions", characters=characters, **keys)


def hand(t: Table, seat: int) -> list[str]:
    """The cards of a seat, by number."""
    cards: list[str] = t.dump()["seats"][seat]["hand"]
    return cards
