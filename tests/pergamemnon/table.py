"""A table for tests: piles by name, choices by name, and what lies where. Chance is manual: draws are chosen, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from pergamemnon_env import components, engine, steps
from pergamemnon_env import constants as c
from pergamemnon_env.game import Pergamemnon, load
from pergamemnon_env.state import PILES
from tabletop.game import CHANCE, NOBODY
from tabletop.plays import legal

NAMES = components.names()
VALUES = Path(__file__).with_name("values.toml")
PLAIN = ("hire", "attack", "done", *c.WEAPONS)


def action(name: str, asked: int = 0, players: int = 5) -> int:
    """The number of "hire", "done", "bow", "seat 2", "charisma", "deck", "city", "Caesar" or "Rome"."""
    if name in PLAIN:
        return PLAIN.index(name)
    if name.startswith("seat "):
        return c.SEAT + (int(name[5:]) - max(0, asked)) % players
    if name in ("charisma", "deck", "city"):
        return {"charisma": c.CHARISMA, "deck": c.DECK, "city": c.CITY}[name]
    return c.NATION + c.NATIONS.index(name) if name in c.NATIONS else c.CARD + NAMES.index(name)


def counted(text: str) -> dict[str, int]:
    """ "2 Legionary, Caesar" """
    found: dict[str, int] = {}
    for part in filter(None, text.split(", ")):
        n, _, name = part.partition(" ")
        number, name = (int(n), name) if n.isdigit() else (1, part)
        found[name] = number
    return found


class Table:
    """A turn begins. Army cards that are named nowhere lie in the draw pile of their nation.

    Args:
        nations: of the seats, in order.
        hand, draw, discard, city, secured: seat -> cards, as :func:`counted` reads them. A hand that is not given has
            three cards of the nation. A draw pile that is given is the whole of it.
        charisma: cards under each city; by default 1.
    """

    def __init__(
        self,
        *nations: str,
        player: int = 0,
        hand: Mapping[int, str] | None = None,
        charisma: Sequence[int] | None = None,
        weakened: Sequence[int] = (),
        inactive: Sequence[int] = (),
        display: str = "Dryad, Satyr, Harpy, Orthos, Siren, Lamia, Centaur, Unicorn",
        stack: int = 4,
        turn: int = 0,
        game: Pergamemnon | None = None,
        **piles: Mapping[int, str],
    ) -> None:
        self.game = game or load(VALUES)
        self.box = self.game.box
        how = self.game.configure(len(nations))
        how["manual_chance"] = 1
        self.s = np.zeros(1, self.game.state)
        engine.reset(self.box, self.s, how, 1)
        one = self.s[0]
        for name in (*PILES, "charisma", "display"):
            one[name][:] = 0
        one["unseen"][:] = 1
        piles = {"hand": hand or {}, **piles}
        for pile, by_seat in piles.items():
            for seat, text in by_seat.items():
                for name, n in counted(text).items():
                    one[pile][seat, NAMES.index(name)] += n
        for seat, name in enumerate(nations):
            nation = c.NATIONS.index(name)
            one["nation"][seat] = nation
            one["active"][seat] = seat not in inactive
            one["weakened"][seat] = seat in weakened
            one["charisma"][seat] = charisma[seat] if charisma else 1
            kinds = range(nation * 6, nation * 6 + 6)
            placed = sum(one[pile][:, kinds].sum(0) for pile in PILES)
            if seat not in piles.get("draw", {}):
                one["draw"][seat, kinds] = np.maximum(0, self.box["copies"][0, kinds] - placed)
            if seat not in piles["hand"]:
                for kind in np.repeat(kinds[1:], one["draw"][seat, kinds[1:]])[:3]:
                    one["draw"][seat, kind] -= 1
                    one["hand"][seat, kind] += 1
        for name in counted(display):
            one["display"][NAMES.index(name) - c.ARMY] = 1
        seen = one["display"] + sum(one[pile][:, c.ARMY :].sum(0) for pile in PILES)
        one["unseen"] = seen == 0
        one["stock"] = 21 - one["charisma"].sum()
        one["stack"], one["turn"], one["player"] = stack, turn, player
        one["sp"], one["op"][:2], one["arg"][:] = 2, (steps.HALT, steps.TURN), 0
        engine.resume(self.box, self.s)

    @property
    def asked(self) -> int:
        return int(self.s["to_act"][0])

    @property
    def over(self) -> bool:
        return self.asked == NOBODY

    @property
    def cause(self) -> str:
        return self.game.causes[int(self.s["cause"][0])]

    @property
    def prompt(self) -> str:
        return steps.PROMPTS[int(self.s["op"][0, self.s["sp"][0] - 1])] if not self.over else ""

    def options(self) -> list[str]:
        """What may be chosen, by name."""
        return [self.name(number) for number in legal(self.game, self.s)]

    def name(self, number: int) -> str:
        if number < c.SEAT:
            return PLAIN[number]
        if number < c.CHARISMA:
            return f"seat {(max(0, self.asked) + number - c.SEAT) % int(self.s['players'][0])}"
        if number < c.CARD:
            return ("charisma", "deck", "city")[number - c.CHARISMA]
        return NAMES[number - c.CARD] if number < c.NATION else c.NATIONS[number - c.NATION]

    def choose(self, *names: str) -> Table:
        """Chooses one after the other; a choice that is not asked for, since it is the only one, is left out."""
        for name in names:
            number = action(name, self.asked, int(self.s["players"][0]))
            assert engine.apply(self.box, self.s, number), (
                f"{self.prompt} of {self.asked}: {name}, not {self.options()}"
            )
        return self

    def attack(self, weapon: str, lays: str, answers: str, foe: int = 1) -> Table:
        """Up to the first two cards; what is no choice is not asked."""
        turn, said = self.of("turn"), {"verb": "attack", "foe": f"seat {foe}", "weapon": weapon}
        while not self.over and not self.of("open") and self.of("turn") == turn:
            assert self.prompt in (*said, "lay"), self.prompt
            self.choose(said.get(self.prompt) or (lays if self.asked == self.of("attacker") else answers))
        return self

    def settle(self) -> Table:
        """Answers chance, with what comes first, until a seat is asked or the game is over."""
        while self.asked == CHANCE:
            engine.apply(self.box, self.s, legal(self.game, self.s)[0])
        return self

    def pile(self, pile: str, seat: int) -> dict[str, int]:
        """The cards of a seat in a pile."""
        counts = self.s[pile][0, seat]
        return {NAMES[kind]: int(counts[kind]) for kind in np.flatnonzero(counts)}

    def size(self, pile: str, seat: int) -> int:
        return int(self.s[pile][0, seat].sum())

    def display(self) -> list[str]:
        return [NAMES[c.ARMY + i] for i in np.flatnonzero(self.s["display"][0])]

    def of(self, field: str, seat: int | None = None) -> Any:
        value = self.s[field][0]
        return int(value if seat is None else value[seat])
