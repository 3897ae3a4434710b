"""Pergamemnon and Xerxes in the coach: a table that begins from a position, and is put right on the screen Check."""

from __future__ import annotations

from typing import Any

import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")

from tabletop import games
from tabletop.coach.parts import Parts
from tests.tabletop.coach.conftest import start  # noqa: F401

#: For each game a position, what is put right in it, and what the table then counts.
TABLES: dict[str, tuple[dict[str, Any], list[tuple[list[str], Any]], dict[str, int]]] = {
    "pergamemnon": (
        {"players": 2, "seats": [{"nation": "Rome", "charisma": 5}, {"nation": "Egypt", "charisma": 1}]},
        [(["now"], 1), (["seats", "1", "charisma"], 9), (["seats", "0", "weakened"], 1), (["display", "Dryad"], 1)],
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
