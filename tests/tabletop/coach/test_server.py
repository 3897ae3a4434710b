"""The API: what it answers, what it refuses, and that no tap is ever lost."""

from __future__ import annotations

import asyncio
import contextlib
import gzip
import http.client
import json
import os
import re
import shutil
import signal
import socket
import ssl
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("segno")

from tabletop import games, record
from tabletop import log as logs
from tabletop.agents.random import Random
from tabletop.agents.search import Search
from tabletop.coach import battery, guard, room, server, serving
from tabletop.coach.advice import Desk
from tabletop.coach.table import Table
from tabletop.coach.view import View
from tabletop.game import CHANCE, NOBODY, enter, new_state
from tabletop.log import Log, Match
from tabletop.plays import mask_of
from tests.tabletop.bidding import Bidding
from tests.tabletop.coach.games import CoachedBidding, CoachedToy
from tests.tabletop.coach.serving import LONGEST, Events, Patient, Phone, Running
from tests.tabletop.toy import DIE, KEEP, PASS, Toy

ROOT = Path(__file__).resolve().parents[3]
TOY = CoachedToy()
Start = Callable[..., Running]


@pytest.fixture
def coach(start: Start) -> Running:
    return start()


def do(phone: Phone, game: str, *answers: int | None, query: str = "") -> Any:
    status, told = phone.post(f"{game}/do{query}", {"rev": phone.get(game)["rev"], "answers": list(answers)})
    assert status == 200, told
    return told


# What it answers


def test_a_game_from_its_beginning_to_its_end(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin(options={"players": 2}, title="Evening")
    state = phone.get(game)
    assert state["question"] == "what did the die show?" and state["who"] == "chance" and state["title"] == "Evening"
    assert [option["words"] for option in state["options"]] == ["1", "2", "3", "4", "5", "6"]
    assert {option["place"] for option in state["options"]} == {f"face{i}" for i in range(1, 7)}
    assert [one["text"] for one in state["todo"]] == ["round: 0 → 1"]
    state = do(phone, game, DIE + 5, query="?by=Mika")
    assert state["last"] == {"n": 1, "kind": "act", "by": "Mika", "said": "6", "noticed": "6"}
    assert [one["text"] for one in state["todo"]] == ["die: put 6 × pip"]
    assert state["who"] == "player 0" and state["question"] == "keep the 6?"
    state = do(phone, game, KEEP, DIE + 5, KEEP)
    assert state["to_act"] == NOBODY and state["options"] == [] and state["can_undo"]
    assert [one["text"] for one in state["todo"]] == [
        "die: 6 × pip → pot", "die: put 6 × pip", "die: 6 × pip → pot", "round: 1 → 2",
    ]  # fmt: skip
    assert [one["own"] for one in state["todo"]] == [True, True, True, False]
    listed = phone.get("/api/games")
    assert [one["title"] for one in listed["games"]] == ["Evening"] and not listed["advises"]
    assert listed["options"][0] == {"name": "players", "label": "players", "default": 2, "choices": []}


def test_undo_redo_goto_and_history(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin()
    do(phone, game, DIE, KEEP)
    do(phone, game, DIE + 1)
    assert phone.post(f"{game}/undo", {"rev": 3})[1]["question"] == "what did the die show?"
    state = phone.get(game)
    assert state["remembered"] == [DIE + 1] and state["can_redo"]
    assert [one["text"] for one in state["todo"]] == ["Put back what was drawn: 2", "die: take 2 × pip"]
    assert phone.post(f"{game}/redo", {"rev": 4})[1]["question"] == "keep the 2?"
    status, state = phone.post(f"{game}/goto", {"rev": 5, "at": 1})
    assert status == 200 and state["question"] == "keep the 1?"
    assert [one["text"] for one in state["todo"]] == [
        "Put back what was drawn: 2", "die: take 1 × pip", "pot: take 1 × pip",
    ]  # fmt: skip
    assert phone.post(f"{game}/goto", {"rev": 6, "at": 3})[0] == 200
    things = phone.get(f"{game}/history")["things"]
    assert [[(entry["who"], entry["said"]) for entry in thing["entries"]] for thing in things] == [
        [("chance", "1"), ("player 0", "keep")], [("chance", "2")],
    ]  # fmt: skip
    then = phone.get(f"{game}?at=1")
    assert then["question"] == "keep the 1?" and then["options"] == [] and not then["now"]
    ja = phone.get(f"{game}/history?lang=ja")["things"]
    assert ja[0]["stage"] == "ラウンド 1"


def test_undo_of_a_fix_puts_nothing_back(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin()
    for pips in (1, 2):
        do(phone, game, DIE + pips - 1)
        do(phone, game, KEEP)
    before = phone.get(game)
    fixed = phone.post(f"{game}/fix", {"rev": before["rev"], "at": 1, "answer": DIE + 4})[1]
    assert before["facts"]["pip@pot"] == 3 and not fixed["facts"]["pip@pot"]
    assert fixed["question"] == "keep the 5?"
    undone = phone.post(f"{game}/undo", {"rev": fixed["rev"]})[1]
    assert undone["facts"] == before["facts"] and undone["can_redo"]
    assert all("Put back" not in one["text"] for one in undone["todo"])
    again = phone.post(f"{game}/redo", {"rev": undone["rev"]})[1]
    assert again["facts"] == fixed["facts"]


def test_a_correction_keeps_and_offers(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin()
    for pips in (1, 2, 3):
        do(phone, game, DIE + pips - 1)
        do(phone, game, KEEP)
    asked = phone.get(f"{game}/choices?at=3")
    assert asked["question"] == "what did the die show?" and asked["answer"] == DIE + 1 and len(asked["options"]) == 6
    rev = phone.get(game)["rev"]
    for half in ({"answer": DIE + 3}, {"at": 3}, {"answer": DIE + 3, "position": []}):
        status, told = phone.post(f"{game}/fix", {"rev": rev, **half})
        assert (status, told["error"]) == (400, "expected either at and answer, or position")
    status, state = phone.post(f"{game}/fix", {"rev": rev, "at": 3, "answer": DIE + 3})
    assert status == 200 and state["question"] == "keep the 4?"
    assert [one["text"] for one in state["todo"]] == [
        "pot: 4 × pip → die", "pot: take 1 × pip", "round: 2 → 1",
    ]  # fmt: skip
    state = do(phone, game, PASS)
    assert [one["words"] for one in state["offered"]] == ["3", "keep"]
    state = do(phone, game, *(one["action"] for one in state["offered"]))
    assert state["facts"]["pip@pot"] == 4


def test_the_board_is_put_right_with_the_form(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin()
    do(phone, game, DIE + 2)
    check = phone.get(f"{game}/check")
    assert [(field["path"], field["value"], field["high"]) for field in check["fields"]] == [
        (["pot"], 0, 21), (["round"], 0, 6), (["die"], 3, 0),
    ]  # fmt: skip
    assert [check["fields"][i]["choices"] for i in (0, 2)] == [[], [[n, str(n)] for n in range(7)]]
    assert check["facts"][0] == {"name": "pip@die", "place": "die", "piece": "pip", "number": 3}
    status, state = phone.post(f"{game}/fix", {"rev": check["rev"], "position": [{"path": ["pot"], "value": 7}]})
    assert status == 200 and state["facts"]["pip@pot"] == 7 and state["question"] == "keep the 3?"
    assert [one["text"] for one in state["todo"]] == ["pot: put 7 × pip"]
    for position in ([{"path": ["pot"], "value": 99}], [{"path": ["rng"], "value": 1}], [{"path": ["pot"]}], [5],
                     [{"path": "pot", "value": 1}], [{"path": [1], "value": 1}], [{"path": ["pot"], "value": "7"}],
                     [{"path": ["die"], "value": 7}], [{"path": ["die"], "value": True}],
                     [{"path": ["die"], "value": [3]}]):  # fmt: skip
        assert phone.post(f"{game}/fix", {"rev": state["rev"], "position": position})[0] == 400
    assert phone.get(game)["facts"]["pip@pot"] == 7
    status, state = phone.post(f"{game}/fix", {"rev": state["rev"], "position": [{"path": ["die"], "value": 0}]})
    assert status == 200 and "what did the die show?" in state["question"]


def test_a_game_begins_as_the_table_is_laid_out(coach: Running, start: Any) -> None:
    state = coach.phone().get(coach.begin(laid=True, options={"players": 3}))
    assert state["question"] == "keep the 1?" and len(state["seats"]) == 3 and state["todo"] == []
    assert not state["can_undo"]  # to a set-up that nobody played
    assert state["laid"] and not coach.phone().get(coach.begin())["laid"]
    assert coach.phone().get("/api/games")["lays"] is True
    plain = start(Toy()).phone()
    status, told = plain.post("/api/games", {"laid": True})
    assert status == 400 and "does not say how its table is laid out" in told["error"]
    assert plain.get("/api/games")["lays"] is False


def test_what_if_leaves_the_game_alone(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin()
    do(phone, game, DIE + 2)
    status, told = phone.post(f"{game}/branch", {"rev": 1, "at": 0, "name": "a six?"})
    assert status == 200
    what_if = f"?branch={told['new']}"
    assert phone.post(f"{game}/do{what_if}", {"rev": 2, "answers": [DIE + 5, KEEP]})[1]["facts"]["pip@pot"] == 6
    assert phone.get(game)["question"] == "keep the 3?" and phone.get(game)["branches"] == {told["new"]: "a six?"}
    assert phone.post(f"{game}/do", {"rev": 1, "answers": [PASS]})[0] == 200, "others' branches make no rev stale"
    status, state = phone.post(f"{game}/adopt{what_if}", {"rev": 5})
    assert status == 200 and state["branch"] == "game" and state["facts"]["pip@pot"] == 6
    told = phone.post(f"{game}/branch", {"rev": 6})[1]
    assert phone.post(f"{game}/drop?branch={told['new']}", {"rev": 7})[1]["branches"] == {}
    assert phone.post(f"{game}/drop", {"rev": 8})[0] == 400


def test_a_what_if_is_not_adopted_over_what_was_entered_meanwhile(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin()
    what_if = f"?branch={phone.post(f'{game}/branch', {'rev': 0})[1]['new']}"
    rev = phone.post(f"{game}/do{what_if}", {"rev": 1, "answers": [DIE + 5]})[1]["rev"]
    do(phone, game, DIE + 2)
    status, told = phone.post(f"{game}/adopt{what_if}", {"rev": rev})
    assert status == 409 and told["state"]["rev"] == rev + 1
    assert phone.get(game)["question"] == "keep the 3?", "the other phone's answer stands"
    assert phone.post(f"{game}/adopt{what_if}", {"rev": rev + 1})[1]["question"] == "keep the 6?"


def changed(phone: Phone, game: str, change: str, **body: Any) -> Any:
    status, told = phone.post(f"{game}/{change}", {"rev": phone.get(game)["rev"], **body})
    assert status == 200, told
    return told


def others(phone: Phone, game: str) -> list[list[Any]]:
    """Of each entry the history's other ways."""
    things = phone.get(f"{game}/history")["things"]
    return [
        [(other["n"], other["said"]) for other in entry["others"]] for thing in things for entry in thing["entries"]
    ]


def test_the_game_before_a_what_if_was_adopted_is_found_again(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin()
    for answer in (DIE, KEEP, DIE + 1, PASS):
        do(phone, game, answer)
    before = phone.get(game)
    branch = changed(phone, game, "branch", at=2)["new"]
    mine = do(phone, game, DIE + 1, query=f"?branch={branch}")["at"]  # the same as in the game, where more followed
    adopted = changed(phone, game, f"adopt?branch={branch}")
    assert adopted["at"] == mine and adopted["can_undo"]
    undone = changed(phone, game, "undo")
    assert undone["at"] == before["at"] and undone["facts"] == before["facts"] and undone["can_redo"]
    assert changed(phone, game, "redo")["facts"] == adopted["facts"]
    do(phone, game, KEEP)
    assert others(phone, game) == [[], [], [(3, "2")], []]
    assert changed(phone, game, "goto", at=3)["can_redo"]
    assert changed(phone, game, "redo")["facts"] == before["facts"]
    assert others(phone, game) == [[], [], [(mine, "2")], []]


def test_ways_beside_a_board_that_was_put_right_are_found(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin()
    do(phone, game, DIE)
    put_right = changed(phone, game, "fix", position=[{"path": ["pot"], "value": 7}])["at"]
    changed(phone, game, "goto", at=1)
    passed = do(phone, game, PASS)["at"]
    assert others(phone, game) == [[], [(put_right, "")]]
    changed(phone, game, "goto", at=put_right)
    assert others(phone, game) == [[], [(passed, "pass")]]


def test_a_log_is_downloaded_and_taken_in(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin(options={"players": 3})
    do(phone, game, DIE, KEEP, DIE + 4)
    log = phone.get(f"{game}/log")
    assert int(logs.replay(TOY, Log.from_dict(log))["die"][0]) == 5
    again = coach.begin(log=log, options={"players": 3})
    assert phone.get(again)["facts"] == phone.get(game)["facts"]
    assert len(phone.get(f"{game}/log?at=1")["entries"]) == 1
    for wrong in ({**log, "setup": {**log["setup"], "players": 10**6}}, {**log, "entries": [[0, 99]]}, {},
                  {**log, "start": {}}, {**log, "seed": 10**30}, {**log, "version": 5}):  # fmt: skip
        status, told = phone.post("/api/games", {"log": wrong, "options": {"players": 3}})
        assert status == 400 and told["error"]


def test_a_position_begins_a_game(coach: Running) -> None:
    position = {**TOY.dump(Match(TOY, TOY.configure(2), 1).s), "pot": 9}
    assert coach.phone().get(coach.begin(position=position))["facts"]["pip@pot"] == 9
    for wrong in ({}, {**position, "players": 10**9}, {**position, "die": "x"}, {**position, "seat": -1}):
        assert coach.phone().post("/api/games", {"position": wrong})[0] == 400


def test_what_is_drawn_after_a_position_goes_by_the_seed(coach: Running) -> None:
    position = TOY.dump(Match(TOY, TOY.configure(2), 1).s)

    def drawn(seed: int) -> list[int]:
        game = coach.begin(position={**position, "die": 0}, box=False, seed=seed)
        for _ in range(3):
            do(coach.phone(), game, KEEP)
        return [action for _, action in coach.phone().get(f"{game}/log")["entries"]]

    assert drawn(7) == drawn(7) and len({tuple(drawn(seed)) for seed in range(5)}) > 1


def test_a_game_without_parts_works(start: Start) -> None:
    coach = start(Toy())
    phone, game = coach.phone(), coach.begin(box=False)
    state = phone.get(game)
    assert state["scene"] is None and state["todo"] == [] and state["question"].startswith("keep the")
    assert [option["words"] for option in state["options"]] == ["keep", "pass"]
    state = do(phone, game, PASS)
    assert state["can_undo"] and phone.post(f"{game}/undo", {"rev": state["rev"]})[0] == 200
    assert phone.get(f"{game}/check")["fields"] == [] and len(phone.get(f"{game}/history")["things"]) == 1
    assert phone.post("/api/games", {"position": {}})[0] == 400


@pytest.mark.parametrize("game", [Bidding(), CoachedBidding()], ids=lambda game: type(game).__name__)
def test_a_phone_sees_its_own_hand(start: Start, game: Any) -> None:
    coach = start(game)
    phone, one = coach.phone(), coach.begin(box=False)
    table, mine, other = (phone.get(one + seat) for seat in ("", "?seat=0", "?seat=1"))
    assert mine["options"] == table["options"] and other["options"] == [] and other["waits"]
    assert "lays one of [" in mine["question"] and "of 4 cards" in other["question"]
    own = {name for name, number in other["facts"].items() if number and "hand" in name and name != "card@hand 0"}
    assert all(name.endswith("hand 1") for name in own)
    card = mine["options"][0]["action"]
    status, told = phone.post(f"{one}/do?seat=1", {"rev": table["rev"], "answers": [card]})
    assert status == 403 and told["error"].endswith(" is asked, on another phone")
    state = do(phone, one, card, query="?seat=0")
    assert state["waits"] and state["options"] == []
    for seat, seen in ((0, True), (1, False)):
        last = phone.get(f"{one}/history?seat={seat}")["things"][-1]["entries"][-1]
        assert (last["said"] != "") is seen and ("others" not in last or seen or last["others"] == [])
        assert (phone.get(f"{one}?seat={seat}")["last"]["said"] != "") is seen
    assert phone.get(f"{one}/log?seat=0") == 403 and phone.get(f"{one}/check?seat=0")["fields"] == []
    assert phone.get(f"{one}/choices?at={last['n']}&seat=1") == 400
    assert phone.get(f"{one}?seat=7") == 400


def test_the_name_of_a_what_if_tells_no_secret(start: Start) -> None:
    coach = start(CoachedBidding())
    phone, one = coach.phone(), coach.begin(box=False)
    state = do(phone, one, phone.get(f"{one}?seat=0")["options"][0]["action"])
    last = phone.get(f"{one}/history?seat=0")["things"][-1]
    asked = {"rev": state["rev"], "at": last["last"], "name": last["entries"][-1]["said"]}
    assert asked["name"]
    status, told = phone.post(f"{one}/branch?seat=0", asked)
    assert status == 200 and phone.get(f"{one}?seat=1")["branches"] == {told["new"]: ""}


# Events


def test_events_tell_everybody_at_once_and_resume(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin()
    first = Events(coach.port, f"{game}/events?by=Ann")
    number, state = first.next("state")
    assert (number, state["rev"]) == ("0", 0)
    second = Events(coach.port, f"{game}/events?by=Mika&lang=ja", Last_Event_ID="0")
    while first.next("here")[1] != {"here": ["Ann", "Mika"]}:
        pass
    do(phone, game, DIE)
    for stream in (first, second):
        number, state = stream.next("state")
        assert number == "1" and state["facts"]["pip@die"] == 1
    assert state["todo"][0]["text"] == "サイコロ：目×1を置く"
    second.close()
    while first.next("here")[1] != {"here": ["Ann"]}:
        pass
    do(phone, game, KEEP)
    third = Events(coach.port, f"{game}/events", Last_Event_ID="1")
    assert third.next("state")[0] == "2"
    first.close(), third.close()


def test_streams_are_counted(coach: Running) -> None:
    game = coach.begin()
    streams = [Events(coach.port, f"{game}/events") for _ in range(server.MOST_STREAMS)]
    assert {stream.status for stream in streams} == {200}
    assert Events(coach.port, f"{game}/events").status == 503
    streams.pop().close()
    deadline = time.monotonic() + LONGEST
    while (again := Events(coach.port, f"{game}/events")).status != 200:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    for stream in (*streams, again):
        stream.close()


def test_a_stream_in_a_dropped_branch_comes_back_to_the_game(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin()
    new = phone.post(f"{game}/branch", {"rev": 0})[1]["new"]
    stream = Events(coach.port, f"{game}/events?branch={new}")
    assert stream.next("state")[1]["branch"] == new
    phone.post(f"{game}/drop?branch={new}", {"rev": 1})
    assert stream.next("state")[1]["branch"] == "game"
    stream.close()


# Advice


def advised(stream: Events) -> dict[str, Any]:
    """The last advice of a search."""
    while not (advice := stream.next("advice")[1])["done"] or not (advice["plans"] or advice["error"]):
        pass
    return dict(advice)


def test_advice_gets_better_and_ends(start: Start) -> None:
    advisor = Patient(TOY, rounds=200)
    coach = start(advisor=advisor)
    phone, game = coach.phone(), coach.begin()
    do(phone, game, DIE + 5)
    stream = Events(coach.port, f"{game}/events")
    assert phone.post(f"{game}/advice", {"rev": 1, "budget": 30})[0] == 200
    seen = []
    while not seen or not seen[-1]["done"]:
        if (advice := stream.next("advice")[1])["plans"] or not seen:
            seen.append(advice)
    games = [int(advice["plans"][0]["text"]) for advice in seen if advice["plans"]]
    assert games == sorted(games) and games[-1] == 200 and len(games) >= 2
    assert seen[-1]["plans"][0]["words"] == ["keep"] and seen[-1]["error"] == ""
    ja = Events(coach.port, f"{game}/events?lang=ja")
    assert ja.next("advice")[1]["plans"][0]["why"] == [{"text": "ja"}]  # each phone has its own words
    stream.close(), ja.close()
    coach.close()
    assert advisor.closed


def test_the_search_advises_and_its_plan_is_played(start: Start) -> None:
    coach = start(advisor=lambda game: Search(game, Random(game)))
    phone, game = coach.phone(), coach.begin()
    do(phone, game, DIE + 5)
    stream = Events(coach.port, f"{game}/events?lang=ja")
    assert phone.post(f"{game}/advice", {"rev": 1, "budget": 60, "until_sure": True})[0] == 200
    told = advised(stream)
    best, other = told["plans"]
    assert best["actions"] == [KEEP] and told["sure"] and told["fresh"] and told["seconds"] < 30
    assert best["chance"][1] <= best["chance"][0] <= best["chance"][2] and "〜" in best["text"]
    assert "ポイント低い" in other["text"] and not other["equal"]
    assert do(phone, game, *best["actions"])["question"] == "what did the die show?"
    assert list(phone.get(f"{game}/history")["lost"].values()) == [[0.0, 0.0, 0.0]]


def test_the_history_says_what_a_choice_lost(start: Start) -> None:
    coach = start(advisor=lambda game: Search(game, Random(game)))
    phone, game = coach.phone(), coach.begin()
    do(phone, game, DIE + 5)
    stream = Events(coach.port, f"{game}/events")
    assert phone.post(f"{game}/advice", {"rev": 1, "budget": 60, "until_sure": True})[0] == 200
    worse = advised(stream)["plans"][1]
    do(phone, game, *worse["actions"])
    told = phone.get(f"{game}/history")
    assert told["lost"] == {str(told["things"][-1]["thing"]): worse["less"]} and worse["less"][1] > 0
    do(phone, game, DIE + 5), do(phone, game, KEEP)
    assert len(phone.get(f"{game}/history")["lost"]) == 1, "nobody thought about that"
    stream.close()
    coach.close()
    assert start().phone().get(f"{game}/history")["lost"] == told["lost"]


def soon(happens: Callable[[], object]) -> None:
    """Waits until something has happened."""
    end = time.monotonic() + LONGEST
    while time.monotonic() < end:
        if happens():
            return
        time.sleep(0.01)
    raise AssertionError("it did not happen")


def test_the_coach_thinks_ahead_as_long_as_a_phone_wants_it(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "QUIET", 0.05)
    monkeypatch.setattr(battery, "low", lambda: False)
    advisor = Patient(TOY)
    coach = start(advisor=advisor)
    phone, game = coach.phone(), coach.begin()
    plain = Events(coach.port, f"{game}/events")
    do(phone, game, DIE + 5)
    time.sleep(0.3)
    assert advisor.asked == [], "nobody asked, and no phone wants it"
    keen = Events(coach.port, f"{game}/events?ahead=1")
    assert keen.next("advice")[1]["rev"] == 1
    soon(lambda: advisor.steps)
    state = do(phone, game, KEEP)
    soon(lambda: advisor.halted)
    assert state["to_act"] == CHANCE
    do(phone, game, DIE + 2)
    soon(lambda: len(advisor.asked) == 2)
    assert phone.post(f"{game}/do", {"rev": 1, "answers": [KEEP]})[0] == 409
    soon(lambda: not advisor.halted)  # what changed nothing ends nothing for good
    keen.close()
    plain.close()
    soon(lambda: advisor.halted)
    rounds = len(advisor.asked)
    time.sleep(0.3)
    assert len(advisor.asked) == rounds, "with no page open nothing is thought about"


def test_at_low_battery_it_thinks_only_when_asked(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "QUIET", 0.05)
    monkeypatch.setattr(battery, "low", lambda: True)
    advisor = Patient(TOY, rounds=5)
    coach = start(advisor=advisor)
    phone, game = coach.phone(), coach.begin()
    keen = Events(coach.port, f"{game}/events?ahead=1")
    do(phone, game, DIE + 5)
    time.sleep(0.3)
    assert advisor.asked == []
    assert phone.post(f"{game}/advice", {"rev": 1, "budget": 30})[0] == 200
    assert advised(keen)["plans"]
    keen.close()


def test_who_asks_is_not_disturbed_by_thinking_ahead(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(room, "QUIET", 0.05)
    advisor = Patient(TOY, rounds=100)
    coach = start(advisor=advisor)
    phone, game = coach.phone(), coach.begin()
    do(phone, game, DIE + 5)
    assert phone.post(f"{game}/advice", {"rev": 1, "budget": 30})[0] == 200
    keen = Events(coach.port, f"{game}/events?ahead=1")
    while not keen.next("advice")[1]["done"]:
        pass
    time.sleep(0.3)
    assert len(advisor.asked) == 1, "it was thought about already"
    keen.close()


def test_layers_of_the_picture_are_sent_once(start: Start) -> None:
    coach = start()
    phone, game = coach.phone(), coach.begin()
    stream = Events(coach.port, f"{game}/events")
    first = stream.next("state")[1]["scene"]["layers"]
    assert [layer["id"] for layer in first] == ["die", "pot"] and all("items" in layer for layer in first)
    have = ",".join(layer["key"] for layer in first)
    status, told = phone.post(f"{game}/do?have={have}", {"rev": 0, "answers": [DIE]})
    assert status == 200
    for state in (told, stream.next("state")[1]):
        die, pot = state["scene"]["layers"]
        assert "items" in die and "items" not in pot and pot["key"] == first[1]["key"]
    assert all("items" in layer for layer in phone.get(game)["scene"]["layers"])
    stream.close()


def test_large_answers_are_sent_small(start: Start) -> None:
    coach = start(CoachedToy())
    phone, game = coach.phone(), coach.begin()
    _, plain, told = phone.send("GET", f"{game}?lang=en")
    assert "content-encoding" not in plain or len(json.dumps(told)) > server.SMALL_BYTES
    _, page, text = phone.send("GET", "/static/table.js", accept_encoding="gzip")
    assert page["content-encoding"] == "gzip" and gzip.decompress(text) == phone.get("/static/table.js")
    stream = Events(coach.port, f"{game}/events", accept_encoding="gzip")
    assert stream.next("state")[1]["rev"] == 0 and "content-encoding" not in stream.response.headers
    stream.close()


def test_a_sheet_is_refused_where_there_is_none(start: Start) -> None:
    coach = start()
    phone, game = coach.phone(), coach.begin()
    assert phone.get(f"{game}/sheet") == 400
    for numbers in ({"pip@pot": 1}, {}, {"pip@pot": -1}, {"pip@pot": "1"}):
        assert phone.post(f"{game}/fill", {"rev": 0, "numbers": numbers})[0] == 400
    assert phone.get(game)["sheet"] is False and phone.get(game)["rev"] == 0
    assert phone.get("/api/edition") == 404 and phone.post(f"{game}/edition", {"rev": 0, "text": ""})[0] == 404


def test_it_ends_without_a_word_under_open_pages(start: Start, caplog: pytest.LogCaptureFixture) -> None:
    coach = start(advisor=Patient(TOY))
    stream = Events(coach.port, f"{coach.begin()}/events")
    stream.next("state")
    coach.close()
    assert not [one for one in caplog.records if one.levelname in ("WARNING", "ERROR")]


class Held:
    """Something that waits in the server, the first time that it is done, until the test lets it go on."""

    def __init__(self, does: Callable[..., Any]) -> None:
        self.does, self.first = does, True
        self.begun, self.go_on = threading.Event(), threading.Event()

    def __call__(self, *args: Any) -> Any:
        if self.first and threading.current_thread() is not threading.main_thread():
            self.first = False
            self.begun.set()
            assert self.go_on.wait(LONGEST)
        return self.does(*args)


def asked(ask: Callable[[], Any]) -> tuple[threading.Thread, list[Any]]:
    """Asks in a thread, and what the answer is then."""
    told: list[Any] = []
    thread = threading.Thread(target=lambda: told.append(ask()))
    thread.start()
    return thread, told


def test_it_ends_while_phones_still_wait(start: Start, monkeypatch: pytest.MonkeyPatch) -> None:
    """One is shown the table, another waits for its turn: the second is told that the coach ends."""
    coach = start()
    game = coach.begin()
    held = Held(dict)
    monkeypatch.setattr(View, "check", held)
    table = coach.coach.rooms[game.rpartition("/")[2]]
    first, shown = asked(lambda: coach.phone().send("GET", f"{game}/check"))
    assert held.begun.wait(LONGEST)
    second, told = asked(lambda: coach.phone().send("GET", f"{game}/history"))
    soon(lambda: table.lock._waiters)
    coach.uvicorn.stop()
    soon(lambda: table.closed)
    held.go_on.set()
    coach.close()
    first.join(LONGEST), second.join(LONGEST)
    assert (shown[0][0], told[0][0]) == (200, 503)


@pytest.mark.parametrize("when", ["before it is written", "while it is written"])
def test_a_change_at_the_end_is_kept_or_refused(start: Start, monkeypatch: pytest.MonkeyPatch, when: str) -> None:
    coach = start()
    game = coach.begin()
    table = coach.coach.rooms[game.rpartition("/")[2]].table
    place, name = (table, "_write") if when.startswith("before") else (os, "fsync")
    held = Held(getattr(place, name))
    monkeypatch.setattr(place, name, held)
    phone, told = asked(lambda: coach.phone().post(f"{game}/do", {"rev": 0, "answers": [DIE + 5]}))
    assert held.begun.wait(LONGEST)
    coach.uvicorn.stop()
    soon(lambda: coach.coach.ending)
    if when.startswith("before"):
        soon(lambda: table._file < 0)
    held.go_on.set()
    coach.close()
    phone.join(LONGEST)
    monkeypatch.undo()
    kept = Table.open(TOY, table.path).rev
    assert (told[0][0], kept) == ((503, 0) if when.startswith("before") else (200, 1))


def test_a_game_that_begins_at_the_end_is_refused_and_leaves_no_file(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    coach = start()
    held = Held(coach.coach._begin)
    monkeypatch.setattr(coach.coach, "_begin", held)
    phone, told = asked(lambda: coach.phone().post("/api/games", {"seed": 7}))
    assert held.begun.wait(LONGEST)
    coach.uvicorn.stop()
    soon(lambda: coach.coach.ending)
    held.go_on.set()
    coach.close()
    phone.join(LONGEST)
    assert told[0][0] == 503 and not list(coach.coach.folder.iterdir())


class OtherEdition(CoachedToy):
    """A toy whose owner finds another die in the box."""

    def edition_text(self) -> str:
        return ""

    def take_edition(self, text: str) -> CoachedToy:
        return OtherEdition((2, 1, 1, 1, 1, 1))


def test_what_is_written_at_another_table_while_the_edition_changes_is_kept(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = OtherEdition()
    coach = start(game)
    one, other = coach.begin(), coach.begin()
    held = Held(os.fsync)
    monkeypatch.setattr(os, "fsync", held)
    phone, told = asked(lambda: coach.phone().post(f"{other}/do", {"rev": 0, "answers": [DIE + 5]}))
    assert held.begun.wait(LONGEST)
    changing, changed = asked(lambda: coach.phone().post(f"{one}/edition", {"rev": 0, "text": "x"}))
    soon(lambda: coach.coach.game is not game)
    held.go_on.set()
    phone.join(LONGEST), changing.join(LONGEST)
    assert (told[0][0], changed[0][0]) == (200, 200) and coach.phone().get(other)["facts"]["pip@die"] == 6


def test_other_tables_go_on_where_they_stand_with_another_edition(start: Start) -> None:
    coach = start(OtherEdition())
    phone, (one, other, third) = coach.phone(), (coach.begin() for _ in range(3))
    do(phone, other, DIE + 5)
    do(phone, third, DIE + 1, KEEP)
    stream = Events(coach.port, f"{third}/events")
    stream.next("state")
    before = {game: phone.get(game) for game in (other, third)}
    assert phone.post(f"{one}/edition", {"rev": 0, "text": "x"})[0] == 200
    soon(lambda: all(room.table.game is coach.coach.game for room in coach.coach.rooms.values()))
    assert stream.next("state")[1]["rev"] > before[third]["rev"], "who looks on is told"
    stream.close()
    for game, then in before.items():
        now = phone.get(game)
        assert (now["question"], now["facts"], now["can_undo"]) == (then["question"], then["facts"], True)
        assert now["todo"] == then["todo"] != [], "what is still to be moved"


class SmallBox(OtherEdition):
    """Of what its owner has written nothing can be played."""

    text = "as printed"

    def edition_text(self) -> str:
        return SmallBox.text

    def take_edition(self, text: str) -> CoachedToy:
        SmallBox.text = text
        return self if text == "as printed" else SmallBox((2, 1, 1, 1, 1, 1))

    def load(self, position: Any) -> Any:
        if self.box[0]["weight"][0] == 2:
            raise ValueError("the pot holds more than there is")
        return super().load(position)


def test_an_edition_with_which_a_table_cannot_go_on_is_not_kept(start: Start) -> None:
    coach = start(SmallBox())
    phone, one = coach.phone(), coach.begin()
    do(phone, one, DIE + 5)
    before = phone.get(one)
    status, told = phone.post(f"{one}/edition", {"rev": before["rev"], "text": "x"})
    assert status == 400 and "the pot holds more" in told["error"]
    assert SmallBox.text == "as printed" and phone.get(one) == before


class Recorded(OtherEdition):
    """Takes its time with an edition, and notes how many it takes at once."""

    now, most = 0, 0

    def take_edition(self, text: str) -> CoachedToy:
        Recorded.now += 1
        Recorded.most = max(Recorded.most, Recorded.now)
        time.sleep(0.2)
        Recorded.now -= 1
        return self if text == "as it was" else Recorded(((1, 2, 1, 1, 1, 1), (2, 1, 1, 1, 1, 1))[text == "y"])


def test_one_edition_is_taken_after_the_other(start: Start) -> None:
    coach = start(Recorded())
    tables = [coach.begin(), coach.begin()]
    changing = [asked(lambda one=one, text=text: coach.phone().post(f"{one}/edition", {"rev": 0, "text": text}))
                for one, text in zip(tables, "xy", strict=True)]  # fmt: skip
    for thread, told in changing:
        thread.join(LONGEST)
        assert told[0][0] == 200, told
    soon(lambda: all(room.table.game is coach.coach.game for room in coach.coach.rooms.values()))
    assert Recorded.most == 1


def test_an_edition_that_changes_nothing_disturbs_nobody(start: Start) -> None:
    game = Recorded()
    coach = start(game, advisor=Patient(game, rounds=1))
    phone, one, other = coach.phone(), coach.begin(), coach.begin()
    do(phone, other, DIE + 2)
    desk = coach.coach.desk
    status, state = phone.post(f"{one}/edition", {"rev": 0, "text": "as it was"})
    assert (status, state["rev"]) == (200, 0) and coach.coach.desk is desk
    stream = Events(coach.port, f"{other}/events")
    assert phone.post(f"{other}/advice", {"rev": 1, "budget": 5})[0] == 200
    while not stream.next("advice")[1]["done"]:
        pass
    stream.close()


def test_a_game_that_begins_while_the_edition_changes_has_the_new_one(
    start: Start, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = OtherEdition()
    coach = start(game)
    table = coach.begin()
    held = Held(coach.coach._begin)
    monkeypatch.setattr(coach.coach, "_begin", held)
    phone, told = asked(coach.begin)
    assert held.begun.wait(LONGEST)
    assert coach.phone().post(f"{table}/edition", {"rev": 0, "text": "x"})[0] == 200
    held.go_on.set()
    phone.join(LONGEST)
    assert coach.coach.rooms[told[0].rpartition("/")[2]].table.game is coach.coach.game is not game


def test_advice_sees_only_what_the_seat_knows(start: Start) -> None:
    game = CoachedBidding()
    advisor = Patient(game, rounds=1)
    coach = start(game, advisor=advisor)
    phone, one = coach.phone(), coach.begin(box=False, options={"players": 3})
    for _ in range(4):
        assert phone.post(f"{one}/advice?seat=0", {"rev": phone.get(one)["rev"], "budget": 5})[0] == 200
        room = next(iter(coach.coach.rooms.values()))
        assert room.search.ended.wait(LONGEST)
    table = room.table.state()
    assert {seat for seat, _ in advisor.asked} == {0} and len({world for _, world in advisor.asked}) == 4
    assert table.tobytes() not in {world for _, world in advisor.asked}
    assert phone.post(f"{one}/advice?seat=1", {"rev": phone.get(one)["rev"], "budget": 5})[0] == 403


def test_others_neither_make_nor_are_told_plans_that_become_secret(start: Start) -> None:
    game = games.load("pergamemnon")
    coach = start(game, advisor=Patient(game, rounds=1))
    phone, one = coach.phone(), coach.begin(box=False, options={"players": 3})
    table = next(iter(coach.coach.rooms.values())).table
    for _ in range(300):
        s = table.state()
        seat, rev = int(s["to_act"][0]), phone.get(one)["rev"]
        rival = View(table, seat=(seat + 1) % 3)
        for first in map(int, np.flatnonzero(mask_of(game, s)) if rival.may_answer(s) else ()):
            after = record.copy(s)
            enter(game, after, first)
            if after["to_act"][0] == seat and not rival.may_answer(after):
                body = {"rev": rev, "answers": [first, int(np.flatnonzero(mask_of(game, after))[0])]}
                assert phone.post(f"{one}/do?seat={rival.seat}", body)[0] == 403 and table.rev == rev
                assert phone.post(f"{one}/advice?seat={rival.seat}", {"rev": rev, "budget": 5})[0] == 403
                assert phone.post(f"{one}/advice?seat={seat}", {"rev": rev, "budget": 5})[0] == 200
                assert not rival.may_be_advised(s) and View(table, seat=seat).may_be_advised(s)
                for wrong in (-1, game.n_actions, 2**62):
                    answers = {"rev": rev, "answers": [wrong, *body["answers"]]}
                    assert phone.post(f"{one}/do?seat={seat}", answers)[0] == 400 and table.rev == rev
                assert phone.post(f"{one}/do?seat={seat}", body)[0] == 200
                return
        answer = int(np.flatnonzero(mask_of(game, s))[rev % mask_of(game, s).sum()])
        assert phone.post(f"{one}/do?seat={seat}", {"rev": rev, "answers": [answer]})[0] == 200
    pytest.fail("no open question came before a hidden one")


def test_a_search_that_is_replaced_before_it_begins_says_so() -> None:
    go_on = threading.Event()

    def make(game: Any) -> Any:
        go_on.wait(LONGEST)
        return Patient(game, rounds=1)

    desk, told, s = Desk(TOY, make), list[tuple[Any, ...]](), new_state(TOY)
    TOY.reset(TOY.box, s, TOY.configure(), 1)
    s["die"], s["to_act"] = 3, s["seat"]

    def report(number: int) -> Any:
        return lambda *said: told.append((number, *said))

    try:
        first, second = (desk.question(s, 1.0, False, report(number)) for number in (1, 2))
        desk.begin(first)
        desk.begin(second)
        assert told == [(1, None, True, "")] and first.ended.is_set()
        go_on.set()
        assert second.ended.wait(LONGEST) and told[-1][0] == 2 and told[-1][2]
    finally:
        go_on.set()
        desk.close()


def test_advice_stops_within_a_step_when_something_is_entered(start: Start) -> None:
    advisor = Patient(TOY)
    coach = start(advisor=advisor)
    phone, game = coach.phone(), coach.begin()
    do(phone, game, DIE + 5)
    stream = Events(coach.port, f"{game}/events")
    phone.post(f"{game}/advice", {"rev": 1, "budget": 100})
    while not stream.next("advice")[1]["plans"]:
        pass
    room = next(iter(coach.coach.rooms.values()))
    search = room.search
    do(phone, game, KEEP)
    steps = advisor.steps
    assert search.ended.wait(LONGEST) and advisor.steps <= steps + 1 and room.search is None
    assert stream.next("state")[1]["rev"] == 2
    status, told = phone.post(f"{game}/advice", {"rev": 2, "budget": 1})
    assert status == 400 and "no seat is asked" in told["error"]
    stream.close()


def test_one_search_at_a_time(start: Start) -> None:
    """One advisor serves all tables: who asks last is answered, and the one before is told what was found."""
    coach = start(advisor=Patient(TOY))
    phone, games = coach.phone(), [coach.begin(box=False) for _ in range(2)]
    stream = Events(coach.port, f"{games[0]}/events")
    searches = []
    for game in (games[0], games[0], games[1]):
        assert phone.post(f"{game}/advice", {"rev": phone.get(game)["rev"], "budget": 60})[0] == 200
        searches.append(coach.coach.rooms[game.rpartition("/")[2]].search)
        time.sleep(0.05)
    assert all(search.ended.wait(LONGEST) for search in searches[:2]) and not searches[2].ended.is_set()
    assert advised(stream)["plans"]
    for budget in (0, -1, 10**6, True, "5"):
        assert phone.post(f"{game}/advice", {"rev": phone.get(game)["rev"], "budget": budget})[0] == 400
    stream.close()


def test_a_broken_advisor_is_told(start: Start) -> None:
    class Broken(Patient):
        def _go_on(self, state: Any, end: float) -> Any:
            raise RuntimeError("out of ideas")

    def missing(game: Any) -> Any:
        raise ValueError("install the extra 'train'")

    for advisor, said in ((Broken(TOY), "RuntimeError: out of ideas"), (missing, "install the extra 'train'")):
        coach = start(advisor=advisor)
        phone, game = coach.phone(), coach.begin(box=False)
        stream = Events(coach.port, f"{game}/events")
        phone.post(f"{game}/advice", {"rev": phone.get(game)["rev"], "budget": 1})
        assert advised(stream)["error"] == said
        assert phone.get(game)["options"]
        stream.close()
    nobody = start()
    game = nobody.begin(box=False)
    assert nobody.phone().post(f"{game}/advice", {"rev": 1, "budget": 1})[0] == 404


# Two at once


def test_a_stale_tap_is_told_what_was_entered(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin()
    do(phone, game, DIE, query="?by=Mika")
    for rev in (0, 7, -1):
        status, told = phone.post(f"{game}/do", {"rev": rev, "answers": [KEEP]})
        assert status == 409 and told["state"]["rev"] == 1 and told["state"]["last"]["by"] == "Mika"
    assert phone.get(game)["rev"] == 1


def test_two_writers_never_lose_a_tap(coach: Running) -> None:
    """Each enters until it is told that its tap counts: then it is in the file, once, and nothing else is."""
    game, counted, stale = coach.begin(options={"players": 4}), list[tuple[int, str]](), [0]
    barrier = threading.Barrier(4, timeout=LONGEST)

    def taps(name: str) -> None:
        phone = coach.phone()
        barrier.wait()
        for _ in range(25):
            while True:
                state = phone.get(game)
                if state["to_act"] == NOBODY:
                    return
                answer = DIE if state["to_act"] == CHANCE else PASS
                status, told = phone.post(f"{game}/do?by={name}", {"rev": state["rev"], "answers": [answer]})
                if status == 200:
                    counted.append((told["last"]["n"], name))
                    break
                assert status == 409 and told["state"]["rev"] > state["rev"]
                stale[0] += 1

    threads = [threading.Thread(target=taps, args=(f"phone{i}",), daemon=True) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(LONGEST)
        assert not thread.is_alive()
    coach.close()
    (path,) = coach.coach.folder.glob("*.jsonl")
    table = Table.open(TOY, path)
    assert sorted(counted) == [(node.n, node.by) for node in table.way()[1:]]
    assert len(counted) == 48 and len({name for _, name in counted}) > 1 and stale[0] > 0


def test_the_game_goes_on_after_a_restart(start: Start) -> None:
    coach = start()
    phone, game = coach.phone(), coach.begin()
    do(phone, game, DIE + 2, KEEP)
    before = phone.get(game)
    coach.close()
    again = start(port=coach.port)
    after = phone.get(game)
    assert after == {**before, "rev": before["rev"] + 1} and again.port == coach.port, "where it stood is noted"
    do(phone, game, DIE)


def test_a_server_that_is_killed_goes_on_where_it_was(tmp_path: Path) -> None:
    program = """
import sys
from functools import partial
from tabletop.coach.serving import serve
from tests.tabletop.coach.games import CoachedToy
serve(CoachedToy(), sys.argv[1], port=int(sys.argv[2]), say=partial(print, flush=True))
"""
    game, port = "", "0"
    for _ in range(3):
        running = subprocess.Popen(
            [sys.executable, "-c", program, str(tmp_path), port], stdout=subprocess.PIPE, text=True, cwd=ROOT
        )
        try:
            assert running.stdout is not None
            url = running.stdout.readline().strip()
            assert re.fullmatch(r"http://127\.0\.0\.1:\d+/", url)
            port = url[:-1].rpartition(":")[2]
            phone = Phone(int(port))
            game = game or f"/api/games/{phone.post('/api/games', {'options': {'players': 4}})[1]['id']}"
            before = phone.get(game)
            after = do(phone, game, DIE, PASS)
            assert after["rev"] == before["rev"] + 2
        finally:
            running.send_signal(signal.SIGKILL)
            running.wait(LONGEST)
            running.stdout.close()
    (path,) = tmp_path.glob("*.jsonl")
    assert [node.action for node in Table.open(TOY, path).way()[1:]] == [DIE, PASS] * 3


def test_a_full_disk_is_told_and_nothing_is_lost(coach: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    phone, game = coach.phone(), coach.begin()
    do(phone, game, DIE)
    stream = Events(coach.port, f"{game}/events")
    assert stream.next("state")[0] == "1"

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        status, told = phone.post(f"{game}/do", {"rev": 1, "answers": [KEEP]})
    assert status == 500 and "No space left" in told["error"]
    assert phone.get(game)["rev"] == 1 and do(phone, game, KEEP)["rev"] == 2
    assert stream.response.read().endswith(b"\n\n"), "the stream has ended, so that the page connects anew"
    stream.close()


# What it refuses


@pytest.mark.parametrize("host", ["evil.example", "evil.example:8420", "127.0.0.1", "127.0.0.1:1", "0.0.0.0", "[::1]",
                                  "127.0.0.1.evil.example", "localhost"])  # fmt: skip
def test_a_foreign_host_is_refused(coach: Running, host: str) -> None:
    phone = coach.phone(host=host)
    assert phone.get("/") == 403 and phone.get("/api/games") == 403
    assert phone.post("/api/games", {})[0] == 403


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1", ""])
def test_a_foreign_origin_changes_nothing(coach: Running, origin: str) -> None:
    assert coach.phone(origin=origin).post("/api/games", {})[0] == 403
    assert coach.phone().get("/api/games")["games"] == []
    if origin:
        assert coach.phone().get("/api/games", Origin=origin) == 403


def test_own_names_and_pages_are_welcome(coach: Running) -> None:
    local = f"localhost:{coach.port}"
    assert coach.phone(host=local).get("/api/games")["games"] == []
    assert coach.phone(host=local, origin=f"http://{local}").post("/api/games", {})[0] == 201
    assert coach.phone().get("/api/games", Sec_Fetch_Site="same-origin")["games"]
    for site in ("cross-site", "same-site"):
        assert coach.phone().get("/api/games", Sec_Fetch_Site=site) == 403


def test_a_coach_that_cannot_be_made_looks_for_no_advisor(tmp_path: Path) -> None:
    (tmp_path / "taken").touch()
    before = threading.enumerate()
    with pytest.raises(FileExistsError):
        server.Coach(TOY, tmp_path / "taken", ["here"], advisor=lambda game: Search(game, Random(game)))
    assert set(threading.enumerate()) <= set(before)


@pytest.mark.parametrize(("secure", "port"), [(False, 80), (True, 443)])
def test_browsers_leave_the_usual_port_out(tmp_path: Path, secure: bool, port: int) -> None:
    app = server.Coach(TOY, tmp_path, [f"coach.test:{port}", "127.0.0.1:8420"], secure=secure).app()
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    def asked(host: str, origin: str) -> int:
        scope = {"type": "http", "method": "GET", "path": "/static/app.js", "query_string": b"",
                 "headers": [(b"host", host.encode()), (b"origin", origin.encode())]}  # fmt: skip
        sent.clear()
        asyncio.run(app(scope, cast(Any, None), send))
        return int(sent[0]["status"])

    own, other = ("https", "http") if secure else ("http", "https")
    assert asked("coach.test", f"{own}://coach.test") == asked(f"coach.test:{port}", f"{own}://coach.test") == 200
    assert asked("coach.test", f"{other}://coach.test") == asked("127.0.0.1", f"{own}://coach.test") == 403


def test_two_hosts_are_refused(coach: Running) -> None:
    with socket.create_connection(("127.0.0.1", coach.port), timeout=LONGEST) as wire:
        own = f"Host: 127.0.0.1:{coach.port}\r\n"
        wire.sendall(f"GET /api/games HTTP/1.1\r\n{own}Host: evil.example\r\n\r\n".encode())
        assert wire.recv(100).split()[1] in (b"403", b"400")


def test_every_answer_says_what_pages_may_do(coach: Running) -> None:
    for path in ("/", "/api/games", "/nothing", "/api/games/none"):
        _, headers, _ = coach.phone().send("GET", path)
        assert headers["content-security-policy"].startswith("default-src 'self'")
        assert headers["x-content-type-options"] == "nosniff" and "access-control-allow-origin" not in headers
    assert "server" not in {name.lower() for name in headers} or "uvicorn" in headers["server"]


@pytest.mark.parametrize("name", ["../secret", "..%2Fsecret", "%2e%2e%2fsecret", "A", "a" * 41, "a.jsonl", "", "a%00b",
                                  "table", "..", "%2fetc%2fpasswd"])  # fmt: skip
def test_files_are_found_by_id_only(coach: Running, name: str) -> None:
    (coach.coach.folder.parent / "secret.jsonl").write_text("{}")
    (coach.coach.folder / "A.jsonl").write_text("{}")
    assert coach.phone().get(f"/api/games/{name}/history") in (404, 400)
    assert coach.phone().get(f"/static/{name}") == 404
    assert coach.phone().get("/api/games")["games"] == []


def test_a_damaged_file_is_named_and_hurts_no_other(coach: Running) -> None:
    game = coach.begin()
    (coach.coach.folder / "broken.jsonl").write_text('{"kind": 1}\n{}\n')
    (coach.coach.folder / "empty.jsonl").write_text("")
    (coach.coach.folder / "list.jsonl").write_text("[]\n")
    for name in ("broken", "empty", "list"):
        status, _, told = coach.phone().send("GET", f"/api/games/{name}")
        assert status == 400 and f"{name}.jsonl" in told["error"]
    assert [one["id"] for one in coach.phone().get("/api/games")["games"]] == [game.rpartition("/")[2]]


BAD = [
    b"", b"{", b"[]", b"null", b"5", b'"x"', b"{}", b'{"rev": 0}', b'{"answers": [2]}', b'{"rev": "0", "answers": [2]}',
    b'{"rev": true, "answers": [2]}', b'{"rev": 0.0, "answers": [2]}', b'{"rev": 0, "answers": 2}',
    b'{"rev": 0, "answers": []}', b'{"rev": 0, "answers": ["2"]}', b'{"rev": 0, "answers": [2.0]}',
    b'{"rev": 0, "answers": [true]}', b'{"rev": 0, "answers": [[2]]}', b'{"rev": 0, "answers": [2], "more": 1}',
    b'{"rev": 0, "answers": [null, 0]}',
    b'{"rev": 0, "answers": [99]}', b'{"rev": 0, "answers": [-1]}', b'{"rev": 0, "answers": [NaN]}',
    b'{"rev": 0, "answers": [1e999]}', b'{"rev": 0, "answers": [' + b"9" * 5000 + b"]}",
    b'{"rev": ' + b"9" * 30 + b', "answers": [2]}', b'{"rev": 0, "answers": [' + b"2," * 70 + b"2]}",
    b"[" * 30_000, b'{"a":' * 10_000, b"\xff\xfe", b"\x00" * 100,
]  # fmt: skip


@pytest.mark.parametrize("body", BAD, ids=lambda body: repr(body[:40]))
def test_bad_bodies_are_refused_and_change_nothing(coach: Running, body: bytes) -> None:
    game = coach.begin()
    status, _, told = coach.phone().send("POST", f"{game}/do", body)
    assert status == 400 and told["error"]
    assert coach.phone().get(game)["rev"] == 0


def test_bodies_have_a_limit(coach: Running) -> None:
    game = coach.begin()
    body = json.dumps({"rev": 0, "answers": [2]}).encode()
    padded = body + b" " * (guard.MOST_BYTES - len(body))
    assert coach.phone().send("POST", f"{game}/do", padded)[0] == 200
    assert coach.phone().send("POST", f"{game}/do", padded + b" ")[0] == 413
    with socket.create_connection(("127.0.0.1", coach.port), timeout=LONGEST) as wire:  # in chunks, of unknown length
        wire.sendall(f"POST {game}/do HTTP/1.1\r\nHost: 127.0.0.1:{coach.port}\r\nOrigin: http://127.0.0.1:{coach.port}"
                     "\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n".encode())  # fmt: skip
        for _ in range(9):
            wire.sendall(b"2000\r\n" + b" " * 0x2000 + b"\r\n")
        assert wire.recv(100).split()[1] == b"413"


def test_a_body_that_does_not_come_is_not_waited_for(coach: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guard, "BODY_SECONDS", 0.2)
    game = coach.begin()
    with socket.create_connection(("127.0.0.1", coach.port), timeout=LONGEST) as wire:
        wire.sendall(f"POST {game}/do HTTP/1.1\r\nHost: 127.0.0.1:{coach.port}\r\nOrigin: http://127.0.0.1:{coach.port}"
                     "\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{".encode())  # fmt: skip
        assert wire.recv(100).split()[1] == b"408"


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_only_json_is_taken(coach: Running, kind: str) -> None:
    game = coach.begin()
    status, _, told = coach.phone().send("POST", f"{game}/do", b'{"rev": 0, "answers": [2]}', Content_Type=kind)
    assert status == 415 and "application/json" in told["error"]


@pytest.mark.parametrize(
    ("body", "problem"),
    [({"options": {"players": 99}}, "players is 99"), ({"options": {"colour": 1}}, "colour"), ({"options": []}, "kind"),
     ({"options": {"players": 10**30}}, "players"), ({"options": {"box": 10**30}}, ""), ({"seed": 1.5}, "kind"),
     ({"options": {"box": 5}}, "box 5"), ({"seed": 2**60}, "too large"), ({"title": 5}, "kind"), ({"box": 1}, "kind"),
     ({"seed": -1}, "seed is -1, expected 0 to"),
     ({"options": {"nope": 1}}, "options: there is no 'nope', choose from players, goal, box"),
     ({"title": "\ud800"}, "'\\ud800' is half of a character"),
     ({"options": {"\udfff": ["x"]}}, "'\\udfff' is half of a character"),
     ({"options": {"players": "2"}}, "options"), ({"options": {"players": [2]}}, "options")],
)  # fmt: skip
def test_bad_setups_are_named(coach: Running, body: Any, problem: str) -> None:
    status, told = coach.phone().post("/api/games", body)
    assert status == 400 and problem in told["error"]
    assert coach.phone().get("/api/games")["games"] == []


@pytest.mark.parametrize("query", ["?lang=de", "?seat=9", "?seat=-1", "?seat=x", "?branch=b9", "?at=99", "?at=x",
                                   "?at=-1", "?at=" + "9" * 50, "?seat=" + "9" * 50,
                                   "?branch=" + "x" * 9000])  # fmt: skip
def test_bad_queries_are_refused(coach: Running, query: str) -> None:
    game = coach.begin()
    status, _, told = coach.phone().send("GET", game + query)
    assert status == 400 and len(told["error"]) < 300


def test_other_methods_and_paths(coach: Running) -> None:
    game = coach.begin()
    own = {"Origin": f"http://127.0.0.1:{coach.port}"}
    assert [coach.phone().send(method, game, **own)[0] for method in ("DELETE", "PUT", "POST", "PATCH")] == [405] * 4
    assert coach.phone().send("DELETE", game)[0] == 403
    assert coach.phone().post(f"{game}/explode", {})[0] == 404
    status, _, told = coach.phone().send("GET", "/nothing")
    assert status == 404 and told == {"error": "Not Found"}
    assert coach.phone().send("HEAD", f"{game}/events")[0] == 200
    assert sum(len(room.streams) for room in coach.coach.rooms.values()) == 0


def test_names_are_cut_and_clean(coach: Running) -> None:
    phone, game = coach.phone(), coach.begin(title="t" * 500)
    do(phone, game, DIE, query="?by=" + "%0A%1b%3Cb%3E" + "x" * 100)
    state = phone.get(game)
    assert state["last"]["by"] == "<b>" + "x" * 37 and len(state["title"]) == 80


def test_more_games_than_are_held_open(coach: Running, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "MOST_OPEN", 3)
    games = [coach.begin(title=str(i)) for i in range(8)]
    for i, game in enumerate(games):
        assert coach.phone().get(game)["title"] == str(i)
        do(coach.phone(), game, DIE)
    assert len(coach.coach.rooms) <= 3


# Phones on the local network


TOKEN = "0123456789abcdef0123456789abcdef"


def test_a_phone_enters_with_the_token(start: Start) -> None:
    coach = start(token=TOKEN)
    phone = coach.phone()
    assert phone.get("/api/games") == 401 and phone.post("/api/games", {})[0] == 401
    status, headers, _ = phone.send("POST", "/api/enter", json.dumps({"token": TOKEN}).encode())
    cookie = headers["set-cookie"]
    assert status == 200 and "HttpOnly" in cookie and "SameSite=strict" in cookie and TOKEN not in cookie
    assert f"coach-{coach.port}=" in cookie
    entered = coach.phone(cookie=cookie.partition(";")[0])
    assert entered.get("/api/games")["games"] == []
    assert entered.post("/api/games", {})[0] == 201
    assert coach.phone(cookie=f"coach-{coach.port}=guess").get("/api/games") == 401
    assert coach.phone(cookie=f"coach-{coach.port}={TOKEN}").get("/api/games") == 401
    assert coach.phone(origin="http://evil.example").post("/api/enter", {"token": TOKEN})[0] == 403


def test_attempts_at_the_token_are_limited(start: Start) -> None:
    phone = start(token=TOKEN).phone()
    tries = [phone.post("/api/enter", {"token": f"{i}"})[0] for i in range(server.ATTEMPTS + 1)]
    assert tries == [401] * server.ATTEMPTS + [429]
    assert phone.post("/api/enter", {"token": TOKEN})[0] == 429
    assert phone.post("/api/enter", {"token": 5})[0] == 400


def _served(self: Any, sockets: Any) -> None:
    """A server that ends at once."""


def test_a_new_start_has_a_new_token_and_a_code_to_scan(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said: list[str] = []
    monkeypatch.setattr(serving, "address", lambda: "127.0.0.2")
    monkeypatch.setattr("uvicorn.Server.run", _served)
    serving.serve(TOY, tmp_path, port=0, say=said.append)
    assert len(said) == 1 and said[0].startswith("http://127.0.0.1:") and "token" not in said[0]
    assert "█" in serving.code("http://192.168.1.2:8420/#token=x") or "▀" in serving.code("x")
    with pytest.raises(ValueError, match="name one address"):
        serving.serve(TOY, tmp_path, host="0.0.0.0", port=0)
    taken, _ = serving.listening("127.0.0.1", 0)
    port = taken.getsockname()[1]
    with taken, pytest.raises(OSError, match=f"'127.0.0.1, port {port}'"):
        serving.serve(TOY, tmp_path, port=port, say=said.append)
    (tmp_path / "file").touch()
    with pytest.raises(FileExistsError):
        serving.serve(TOY, tmp_path / "file", port=0, say=said.append)
    assert len(said) == 1
    with pytest.raises(ValueError, match="expected an IP address of this machine"):
        serving.serve(TOY, tmp_path, host="example.org", port=0)


def test_on_the_network_the_token_is_in_the_fragment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    said: list[str] = []
    real = serving.listening("127.0.0.1", 0)

    class Elsewhere:
        def getsockname(self) -> tuple[str, int]:
            return "192.168.7.7", 8420

        def __enter__(self) -> None:
            return None

        def __exit__(self, *error: Any) -> None:
            real[0].close()

    monkeypatch.setattr(serving, "address", lambda: "192.168.7.7")
    monkeypatch.setattr(serving, "listening", lambda host, port: (Elsewhere(), [f"{host}:{port}"]))
    monkeypatch.setattr("uvicorn.Server.run", _served)
    for _ in range(2):
        serving.serve(TOY, tmp_path, lan=True, say=said.append)
    urls = said[::2]
    assert all(url.startswith("http://192.168.7.7:8420/#token=") for url in urls) and urls[0] != urls[1]
    assert len(urls[0].partition("=")[2]) == 32


@pytest.fixture
def certificate(tmp_path: Path) -> tuple[Path, Path]:
    """One that this machine has signed for itself, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        pytest.skip("https is tried with a certificate of openssl, which is not installed")
    cert, key = tmp_path / "cert.pem", tmp_path / "key.pem"
    subprocess.run([openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=coach.test",
                    "-addext", "subjectAltName=DNS:coach.test,IP:127.0.0.1", "-keyout", str(key), "-out", str(cert)],
                   check=True, capture_output=True, timeout=LONGEST)  # fmt: skip
    return cert, key


def test_with_a_certificate_all_is_https(start: Start, certificate: tuple[Path, Path]) -> None:
    coach = start(token=TOKEN, tls=certificate)
    context = ssl.create_default_context(cafile=str(certificate[0]))

    def ask(origin: str, token: str = TOKEN) -> tuple[int, str]:
        wire = http.client.HTTPSConnection("127.0.0.1", coach.port, context=context, timeout=LONGEST)
        headers = {"Origin": origin, "Content-Type": "application/json"}
        wire.request("POST", "/api/enter", json.dumps({"token": token}), headers)
        with contextlib.closing(wire.getresponse()) as response:
            return response.status, response.headers.get("set-cookie", "")

    status, cookie = ask(f"https://127.0.0.1:{coach.port}")
    assert status == 200 and "Secure" in cookie and "HttpOnly" in cookie and "SameSite=strict" in cookie
    assert ask(f"http://127.0.0.1:{coach.port}")[0] == 403, "a page of plain http is not its own"
    with pytest.raises((OSError, http.client.HTTPException)):
        coach.phone().get("/")


def test_a_name_of_its_own_and_https_are_in_the_address(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, certificate: tuple[Path, Path]
) -> None:
    said: list[str] = []
    monkeypatch.setattr("uvicorn.Server.run", _served)
    serving.serve(TOY, tmp_path, port=0, tls=certificate, name="Coach.test", say=said.append)
    assert said[0].startswith("https://coach.test:")
    with pytest.raises(ValueError, match="are no certificate and its key"):
        serving.serve(TOY, tmp_path, port=0, tls=(certificate[1], certificate[0]))
    with pytest.raises(ValueError, match="no certificate"):
        serving.serve(TOY, tmp_path, port=0, tls=(tmp_path / "none.pem", certificate[1]))
    with pytest.raises(ValueError, match="expected one of letters, digits, dots and hyphens"):
        serving.serve(TOY, tmp_path, port=0, name="coach test/x")


def test_the_worker_is_another_one_with_other_pages(start: Start) -> None:
    coach = start()
    status, headers, text = coach.phone().send("GET", "/worker.js")
    assert status == 200 and headers["content-type"].startswith("text/javascript")
    assert headers["cache-control"] == "no-cache" and b'"/static/app.js"' in text and b'"/api' not in text
    coach.coach.pages["words.json"] += b" "
    assert coach.coach._worker() != text


def test_it_sleeps_while_nothing_is_asked(start: Start) -> None:
    coach = start()
    loop, woke = coach.uvicorn._loop, list[float]()
    select = loop._selector.select
    loop._selector.select = lambda timeout: (woke.append(time.monotonic()), select(timeout))[1]
    coach.phone().get("/")
    time.sleep(0.3)
    before = len(woke)
    time.sleep(1)
    assert before > 0 and len(woke) - before <= 1
