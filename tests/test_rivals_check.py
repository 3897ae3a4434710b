"""Pergamemnon and Xerxes in the coach: a table that begins from a position, and is put right on the screen Check."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")

from tabletop import games
from tabletop.agents.random import Random
from tabletop.agents.search import Search
from tabletop.coach.parts import Parts
from tests.tabletop.coach.conftest import start  # noqa: F401

#: For each game a position, what is put right in it, and what the table then counts.
TABLES: dict[str, tuple[dict[str, Any], list[tuple[list[str], Any]], dict[str, int]]] = {
    "pergamemnon": (
        {"players": 2, "seats": [{"nation": "Rome", "charisma": 5}, {"nation": "Egypt", "charisma": 1}]},
        [(["now"], 1), (["seats", "1", "charisma"], 9), (["seats", "0", "weakened"], 1),
         (["cards", "Dryad"], "display")],
        {"charisma@city 1": 9, "city Rome@grey 0": 1, "Dryad@display": 1},
    ),
    "xerxes": (
        {"players": 2, "manual_chance": True, "seats": [{"satrap": "India"}, {"satrap": "Lydia"}]},
        [(["now"], "placement again 1"), (["workers", "Persis"], 1), (["seats", "0", "vp"], 7),
         (["seats", "0", "power"], 0), (["seats", "0", "resources", "gold"], 2)],
        {"worker 1@Persis": 1, "vp 0": 7, "gold@mat 0": 2},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(TABLES))
def test_a_table_that_lies_differently_is_put_right(start: Any, name: str) -> None:  # noqa: F811
    game, (position, changes, counted) = games.load(name), TABLES[name]
    Parts(game).ready()
    coach = start(game)
    path = coach.begin(options={"players": 2}, position=position)
    phone = coach.phone()
    check = phone.get(f"{path}/check")
    fields = {tuple(field["path"]): field for field in check["fields"]}
    assert all(not isinstance(field["value"], bool) and field["label"] for field in fields.values())
    assert phone.get(f"{path}/check?seat=0")["fields"] == []
    changed = [{"path": key, "value": value} for key, value in changes]
    status, state = phone.post(f"{path}/fix", {"rev": check["rev"], "position": changed})
    assert status == 200 and counted.items() <= state["facts"].items(), state
    assert "2" in state["question"]  # seats are counted from 1
    wrong = [{"path": changes[1][0], "value": 99}]
    status, told = phone.post(f"{path}/fix", {"rev": state["rev"], "position": wrong})
    assert status == 400 and phone.get(path)["facts"] == state["facts"], told


#: For each game what is put right on a table that is laid out, and the hand of who is then asked.
LAID: dict[str, tuple[list[tuple[list[str], Any]], set[str]]] = {
    "pergamemnon": (
        [(["now"], 1), (["seats", "1", "nation"], "Persia"), (["seats", "1", "charisma"], 4), (["turn"], 9)],
        {"Xerxes", "Immortal", "Takabara", "Kardakes"},
    ),
    "xerxes": (
        [(["now"], "placement again 1"), (["seats", "1", "satrap"], "Lydia"), (["workers", "Persis"], 1)],
        {"tax-01", "tax-02", "tax-03", "tax-20", "tax-21", "march-01", "march-02", "march-03"},
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", list(LAID))
def test_who_only_wants_advice_tells_the_own_hand(start: Any, name: str) -> None:  # noqa: F811
    """Nothing is played: the table is laid out, put right in two steps, and somebody asks what to do."""
    game, (changes, hand) = games.load(name), LAID[name]
    coach = start(game)
    phone, path = coach.phone(), coach.begin(options={"players": 2}, laid=True)
    assert phone.get(path)["laid"] and phone.get("/api/games")["lays"]
    for _ in range(2):
        check = phone.get(f"{path}/check")
        position = [{"path": key, "value": value} for key, value in changes]
        status, state = phone.post(f"{path}/fix", {"rev": check["rev"], "position": position})
        assert status == 200, state
        fields = phone.get(f"{path}/check")["fields"]
        changes = [(field["path"], to) for field in fields if field["path"][0] == "cards"
                   for to in [held(name, field["path"][1], field["value"], hand)] if to != field["value"]]  # fmt: skip
    hands = phone.get(f"{path}/hands?seat=1")["hands"]
    assert {card["id"] for card in hands[1]["cards"]} == hand and hands[0]["cards"] is None
    assert [one["cards"] for one in phone.get(f"{path}/hands")["hands"]] == [None, None]
    s = coach.coach.rooms[path.rpartition("/")[2]].table.state()
    search = Search(game, Random(game))
    *_, found = search.advise(s, rollouts=32)
    assert s["to_act"][0] == 1 and found.to_dict("en")["plans"]
    search.close()


def held(name: str, card: str, place: str, hand: set[str]) -> str:
    """Where a card lies where the player in second place has this hand."""
    own, other = ("hand Persia", "draw Persia") if name == "pergamemnon" else ("hand 1", "")
    kind = card.rpartition(" ")[0] if card[-2:] in (" 2", " 3") else card.removesuffix(" 1")
    if kind in hand and card[-2:] not in (" 2", " 3"):
        return own
    return other if place == own else place
