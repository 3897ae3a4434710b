"""The toys with every part that the coach knows, to prove that it knows no other game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tabletop.coach.parts import Choice, Field, Hand, Held, Item, Scene
from tabletop.game import CHANCE, NOBODY, Record, check_seat, new_state
from tabletop.jit import entry
from tests.tabletop import bidding, toy
from tests.tabletop.bidding import VALUES, Bidding
from tests.tabletop.toy import DIE, KEEP, LIMIT, MAX_SEATS, PASS, ROUNDS, Toy

JA = {
    "pip": "目", "pot": "壺", "die": "サイコロ", "round": "ラウンド", "coin": "コイン", "card": "札", "deck": "山札",
    "table": "場", "hand": "手札", "rival": "席",
}  # fmt: skip


@entry
def toy_answer(box: Any, s: Any, action: int) -> bool:
    """The answer alone: the pot is not yet looked at, and the die not yet passed on."""
    one = s[0]
    if one.to_act < 0:
        return bool(toy.apply(box, s, action))
    if action < 0 or action > PASS:
        return False
    one.paid = 0.0
    one.decisions += 1
    toy._note(one, one.seat, action)
    if action == KEEP:
        one.pot += one.die
        one.die = 0
    one.to_act = one.players
    return True


@entry
def toy_step(box: Any, s: Any) -> bool:
    one = s[0]
    if one.to_act != one.players:
        return False
    toy._next(one)
    toy._run(box[one.box], one)
    return True


class CoachedToy(Toy):
    """The pot, the die and the round, with a picture of them."""

    answer, step = staticmethod(toy_answer), staticmethod(toy_step)

    def scene(self, s: Record, lang: str = "en", seat: int | None = None) -> Scene:
        one = self._told(s, seat)
        faces: list[Item] = [
            {"form": "rect", "points": [(10 + 30 * i, 10), (35 + 30 * i, 35)], "id": f"face{i + 1}", "radius": 4,
             "fill": "#2b2622" if one["die"] == i + 1 else "#f6efdf", "stroke": "#2b2622"} for i in range(6)
        ]  # fmt: skip
        pot: list[Item] = [
            {"form": "circle", "points": [(60, 90)], "radius": 30, "fill": "#f6efdf", "stroke": "#2b2622", "id": "pot"},
            {"form": "text", "points": [(60, 96)], "text": str(one["pot"]), "size": 20, "anchor": "middle",
             "fill": "#2b2622", "id": "pot"},
        ]  # fmt: skip
        return {"width": 200, "height": 130, "layers": [{"id": "die", "items": faces}, {"id": "pot", "items": pot}]}

    def place(self, s: Record, action: int) -> str | None:
        return f"face{action - DIE + 1}" if action >= DIE else "pot" if action == KEEP else None

    def facts(self, s: Record, seat: int | None = None) -> Mapping[str, int]:
        one = self._told(s, seat)
        return {"pip@die": int(one["die"]), "pip@pot": int(one["pot"]), "round": int(one["round"]) + 1}

    def named(self, name: str, lang: str = "en") -> str:
        return JA.get(name, name) if lang == "ja" else name

    def stage(self, s: Record, lang: str = "en") -> str:
        return f"{self.named('round', lang)} {s['round'][0] + 1}"

    def turn_key(self, s: Record) -> tuple[int, int]:
        return int(s["round"][0]), int(s["seat"][0])

    def dump(self, s: Record) -> dict[str, Any]:
        names = ("players", "goal", "round", "seat", "die", "pot", "manual_chance")
        position = {name: int(s[name][0]) for name in names}
        return {**position, "over": bool(s["to_act"][0] == NOBODY), "box": int(s["box"][0])}

    def load(self, position: Mapping[str, Any]) -> Record:
        s, players = new_state(self), int(position["players"])
        highest = {"players": MAX_SEATS, "goal": LIMIT, "round": ROUNDS, "seat": players - 1, "die": 6,
                   "pot": LIMIT + 6, "manual_chance": 1, "box": len(self.box) - 1}  # fmt: skip
        for name, high in highest.items():
            if not 0 <= position[name] <= high:
                raise ValueError(f"{name} is {position[name]}, choose 0 to {high}")
            s[name] = position[name]
        s["to_act"] = NOBODY if position.get("over") else int(s["seat"][0]) if s["die"][0] else CHANCE
        s["rng"] = 1
        return s

    def laid(self, setup: Record) -> Record:
        names = ("players", "goal", "box")
        position = {"round": 0, "seat": 0, "die": 1, "pot": 0, "manual_chance": 1}
        return CoachedToy.load(self, {**position, **{name: setup[name][0] for name in names}})

    def form(self, s: Record, lang: str = "en") -> list[Field]:
        return [
            Field(("pot",), self.named("pot", lang), "table", 0, LIMIT + 6),
            Field(("round",), self.named("round", lang), "table", 0, ROUNDS),
            Field(("die",), self.named("die", lang), "table", choices=[Choice(n, str(n)) for n in range(7)]),
        ]


class NewerToy(CoachedToy):
    """The same under rules that have changed."""

    version = 1


@entry
def bidding_answer(box: Any, s: Any, action: int) -> bool:
    """The answer alone: cards that lie face down are not yet revealed."""
    one = s[0]
    if one.to_act < 0:
        return bool(bidding.apply(box, s, action))
    if action < 0 or action >= VALUES or not bidding._fits(one, action):
        return False
    bidding._owe_nothing(one)
    one.trace[0] = (one.trace[0] * 31 + action + 1) % 1000003
    one.trace[1] = (one.trace[1] * 37 + one.to_act + 2) % 1000033
    one.hand[one.to_act, action] -= 1
    one.laid[one.to_act] = action + 1
    one.decisions += 1
    one.to_act = bidding._next(one, one.to_act + 1)
    return True


@entry
def bidding_step(box: Any, s: Any) -> bool:
    one = s[0]
    if one.to_act != one.players:
        return False
    bidding._reveal(one)
    return True


class CoachedBidding(Bidding):
    """Coins lie open; cards are the seats' own until they are revealed."""

    answer, step = staticmethod(bidding_answer), staticmethod(bidding_step)

    def scene(self, s: Record, lang: str = "en", seat: int | None = None) -> Scene:
        check_seat(self, s, seat)
        looks = NOBODY if seat is None else seat
        rivals: list[Item] = [
            {"form": "text", "points": [(10, 30 + 30 * rival)], "size": 14, "fill": "#2b2622", "id": f"rival{rival}",
             "text": f"{rival}: {s['coins'][0, rival]} {self._hand(s, rival, looks)}"} for rival in range(self.seats(s))
        ]  # fmt: skip
        return {"width": 200, "height": 150, "layers": [{"id": "rivals", "items": rivals}]}

    def place(self, s: Record, action: int) -> str | None:
        return None

    def facts(self, s: Record, seat: int | None = None) -> Mapping[str, int]:
        check_seat(self, s, seat)
        facts = {f"coin@rival {rival}": int(s["coins"][0, rival]) for rival in range(self.seats(s))}
        for rival in range(self.seats(s)):
            laid = int(s["laid"][0, rival])
            if seat == rival:
                facts |= {f"card {i + 1}@hand {rival}": int(s["hand"][0, rival, i]) for i in range(VALUES)}
                facts |= {f"card {i + 1}@table {rival}": int(laid == i + 1) for i in range(VALUES)}
            else:
                facts |= {f"card@hand {rival}": int(s["hand"][0, rival].sum()), f"card@table {rival}": int(laid > 0)}
        return facts

    def named(self, name: str, lang: str = "en") -> str:
        first, _, number = name.partition(" ")
        return f"{JA.get(first, first) if lang == 'ja' else first} {number}".strip()

    def stage(self, s: Record, lang: str = "en") -> str:
        return "reveal" if s["to_act"][0] == s["players"][0] else "bids"

    def turn_key(self, s: Record) -> int:
        return int(s["decisions"][0])

    def sees(self, s: Record, action: int, seat: int) -> bool:
        dealing = s["to_act"][0] == CHANCE
        return bool(dealing and s["dealt"][0] % s["players"][0] == seat)

    def hands(self, s: Record, lang: str = "en", seat: int | None = None) -> list[Hand]:
        return [{"seat": rival, "n": int(s["hand"][0, rival].sum()),
                 "cards": self._held(s, rival, lang) if rival == seat else None}
                for rival in range(self.seats(s))]  # fmt: skip

    def _held(self, s: Record, rival: int, lang: str) -> list[Held]:
        by = [self.named(f"rival {rival}", lang)] if s["to_act"][0] == rival else []
        return [{"id": f"card {i + 1}", "title": self.named(f"card {i + 1}", lang), "text": str(i + 1), "by": by}
                for i in range(VALUES) for _ in range(int(s["hand"][0, rival, i]))]  # fmt: skip
