"""Positions that people write by hand: what is wrong is named, and nothing that makes no sense is taken."""

from __future__ import annotations

import copy
import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sammu_env import constants as c
from sammu_env import position, steps
from sammu_env.position import PositionError
from tabletop.game import Record
from tests.laws.walk import GAME, Way, options, over, stops
from tests.positions import spoil
from tests.table import Table

IN_PLAY = {"location": "Kalhu"}
#: A position, and what the message must name.
WRONG: list[tuple[dict[str, Any], tuple[str, ...]]] = [
    *(({"pending": [{"step": "share_card", **args}]}, ("pending.args", said)) for args, said in (
        ({}, "share_card: seat: 0 is not a whole number 3 to 4"), ({"args": []}, "share_card: seat: 0"),
        ({"args": ["x"]}, "share_card: seat: 'x'"), ({"args": 5}, "expected a list, found 5"),
    )),
    ({"pending": [{"step": "consult", "args": [3]}]}, ("pending.args of consult: seat: 3", "0 to 2")),
    ({"pending": [{"step": "turn", "args": [-1]}]}, ("pending.args of turn: seat: -1", "0 to 2")),
    ({"pending": [{"step": "effects", "args": [2, 20]}]}, ("pending.args of effects: event: 20", "0 to 19")),
    ({"pending": [{"step": "effects", "args": [1, 3, 99]}]}, ("pending.args of effects: row: 99", "0 to 4")),
    ({"pending": [{"step": "move", "args": [3, 1]}]}, ("pending.args of move", "Dinah is out")),
    ({"pending": [{"step": "play_second", "args": [0, 2]}]}, ("pending.args of play_second", "SAM-081", "seat 0")),
    ({"pending": [{"step": "halt"}]}, ("pending.step", "'halt'")),
    ({"challenge": "random", "month": 2}, ("challenge: 'random'", "month is 2", "SAM-179 to SAM-198")),
    ({"challenge": "random", "stage": "tax"}, ("challenge: 'random'", "stage is 'tax'")),
    ({"challenge": "random", "locations": {"Opis": {"enemy": 1}}}, ("challenge: 'random'", "locations")),
    ({"challenge": "random", "seats": [{"hand": ["SAM-081"]}]}, ("challenge: 'random'", "seats")),
    ({"challenge": "random", "pending": [{"step": "turn"}]}, ("challenge: 'random'", "draw_challenge")),
    *(({"characters": {"Besime": {"status": who, key: value}}}, (f"characters.Besime.{key}", f"who is {who}"))
      for who, key, value in (
        ("out", "goods", {"iron": 1}), ("out", "technologies", ["Mule"]), ("out", "consulted", 0),
        ("out", "consulted", True), ("dead", "actions", 2), ("away", "actions", 1),
    )),
    *(({"characters": {"Baileet": {**IN_PLAY, key: value}}}, (f"characters.Baileet.{key}", "whom nobody plays"))
      for key, value in (("player", 0), ("consulted", True), ("goods", {"gold": 1}), ("actions", 2))),
    *(({"characters": {"Baileet": {**IN_PLAY, "side": side}}}, ("characters.Baileet.side", repr(side), "A, B"))
      for side in ("C", "public", 0, None, ["A"])),
    ({"characters": {"Besime": {**IN_PLAY, "side": "solo"}}}, ("characters.Besime.side", "public, personal")),
    ({"characters": {"Besime": {**IN_PLAY, "frozen": 2}}}, ("characters.Besime.frozen", "0 to 1")),
    *(({"events": {key: ["SAM-030", "SAM-030"]}, "month": 3}, (f"events.{key}", "SAM-030", "the box holds one"))
      for key in ("seen", "row", "left_out", "known_top")),
    *(({"events": {key: ["SAM-030"], other: ["SAM-030"]}, "month": 2}, (f"events.{key}", f"events.{other}", "SAM-030"))
      for key in ("left_out", "known_top") for other in ("seen", "row")),
    ({"events": {"current": "SAM-030", "left_out": ["SAM-030"]}}, ("events.left_out", "events.current", "SAM-030")),
    ({"events": {"current": "SAM-030", "row": ["SAM-031"]}}, ("events.row", "events.current", "SAM-031")),
    ({"events": {"current": "SAM-030", "row": ["SAM-030"]}, "month": 2}, ("events.row", "1 earlier months", "SAM-030")),
    ({"events": {"row": ["SAM-031", "SAM-032"]}, "month": 2}, ("events.row", "1 earlier months", "SAM-032")),
    ({"events": {"remaining": 3}, "months": 6}, ("events.remaining: 3", "of 6 months 6 have no event")),
    ({"events": {"remaining": "many"}, "months": 6}, ("events.remaining: 'many'",)),
    ({"events": {"remaining": -1}, "months": 6}, ("events.remaining: -1",)),
    ({"events": {"remaining": 7, "current": "SAM-030"}, "month": 2}, ("events.remaining: 7", "0 to 6")),
    ({"events": {"religion": [0] * 9}}, ("events.religion", "9", "at most 8")),
    *(({"seats": [{"actions": n}]}, (f"seats[0].actions: {n!r} is not a whole number",))
      for n in ("lots", -1, 100, True)),
    ({"seats": [{"actions": 3}]}, ("seats[0].actions", "3", "consulted nobody")),
    ({"seats": [{"free_actions": 6}]}, ("seats[0].free_actions", "6", "0 to 5")),
    ({"roads": {"Kalhu-Nineveh": {"karu": 1}, "Nineveh-Kalhu": {"karu": 1}}}, ("Nineveh-Kalhu", "Kalhu-Nineveh")),
    ({"month_effects": {"markets_closed": -3}}, ("month_effects.markets_closed", "0 to 1")),
    *(({"machine": {key: value}}, (f"machine.{key}", "choose whole numbers")) for key, value in (
        ("result", 7), ("to_act", -9), ("switched", -1), ("load", [-1, 0, 0, 0]), ("turn_done", [2, 0, 0, 0, 0]),
    )),
    *(({"characters": {"Besime": {"location": place}}, "pending": [{"step": step, "args": [who]}]},
       (f"pending.args of {step}", f"Besime is at {place}"))
      for place in ("Damascus", "Sardes") for who in [c.CHARACTERS.index("Besime")]
      for step in ("barter", "barter_as", "convert_from")),
    ({"campaign_record": {"game": 99}}, ("campaign_record.game: 99", "0 to 4")),
]  # fmt: skip


@pytest.mark.parametrize(("keys", "said"), WRONG, ids=[json.dumps(keys) for keys, _ in WRONG])
def test_what_is_wrong_is_named(keys: dict[str, Any], said: tuple[str, ...]) -> None:
    before = copy.deepcopy(keys)
    with pytest.raises(PositionError) as error:
        position.load({"challenge": "SAM-185", "players": 3, **keys})
    assert [words for words in said if words not in str(error.value)] == [] and keys == before


def test_a_flag_that_the_game_sets_is_looked_at_all_the_same() -> None:
    with pytest.raises(PositionError, match="manual_chance"):
        GAME.position({"challenge": "SAM-185", "players": 3, "manual_chance": "maybe"})


@pytest.mark.parametrize("text", ['{"challenge": "SAM-185", "players": 3, "month": 2, "month": 3}',
                                  '{"locations": {"Opis": {"enemy": 1}, "Opis": {"enemy": 2}}}'])  # fmt: skip
def test_a_key_that_is_twice_in_json_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "here.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PositionError, match=r"here\.json: .*'(month|Opis)' is there twice"):
        position.load(path)


def test_a_challenge_that_is_not_named_is_drawn_first() -> None:
    table = Table("random", campaign=True)
    assert table.prompt() == "draw_challenge" and set(table.options()) == {
        name for name in c.CHALLENGES if GAME.letter(name) == "A"
    }
    assert table.choose(table.options()[0])["month"] == 1


def test_an_event_of_the_row_has_been_seen() -> None:
    table = Table(month=3, events={"row": ["SAM-030", None], "remaining": 2}).stage("event")
    assert table["months"] == 4 and table.dump()["events"]["seen"] == ["SAM-030"]
    assert "SAM-030" not in table.options() and "SAM-031" in table.options()


def test_a_dead_character_keeps_the_disc_and_who_is_away_the_goods() -> None:
    people = {"Besime": {"status": "dead", "consulted": 0}, "Younan": {"status": "away", "goods": {"gold": 1}},
              "Dinah": {**IN_PLAY, "consulted": 0}}  # fmt: skip
    table = Table(characters=people, seats=[{"actions": 2}])
    assert [table.who(who).get("actions") for who in people] == [None, None, 2]


# All that can be wrong, anywhere


def told(seed: int, n: int) -> list[dict[str, Any]]:
    """Positions of the middle of games of 2 to 4 players, one of them a campaign."""
    ways = [Way(seed, players=2, oracles=3), Way(seed, players=4, challenge="SAM-190", manual_chance=True),
            Way(seed, players=3, challenge="SAM-179", campaign=True, sheltered=True)]  # fmt: skip
    found = [position.dump(s) for way in ways for s in list(stops(way, 23))[: n // len(ways)]]
    return [json.loads(json.dumps(one)) for one in found]


def makes_sense(s: Record, rng: np.random.Generator) -> None:
    """It is told, loaded again and played on."""
    assert position.dump(position.load(position.dump(s))) == position.dump(s)
    for _ in range(3):
        GAME.question(s)
        choices = [] if over(s) else options(s)
        assert all(GAME.words(s, action) for action in choices[:5])
        if choices:
            assert GAME.apply(GAME.box, s, int(rng.choice(choices)))


def taken(said: dict[str, Any], rng: np.random.Generator) -> bool:
    """Whether a position is taken. Nothing but a PositionError refuses it."""
    try:
        s = GAME.position(said)
    except PositionError:
        return False
    makes_sense(s, rng)
    return True


def without(said: Any, rng: np.random.Generator) -> None:
    """Takes something away, somewhere in a position."""
    key = rng.choice(list(said)) if isinstance(said, dict) else int(rng.integers(len(said)))
    if isinstance(said[key], (dict, list)) and said[key] and rng.random() < 0.8:
        without(said[key], rng)
    else:
        del said[key]


@pytest.mark.parametrize("how", [spoil, without])
def test_whatever_is_wrong_is_refused_or_makes_sense(how: Any) -> None:
    rng, found = np.random.default_rng(1), []
    for said in told(5, 30):
        for _ in range(8):
            wrong = copy.deepcopy(said)
            how(wrong, rng)
            found.append(taken(wrong, rng))
    assert 0 < sum(found) < len(found)


@pytest.mark.parametrize("of", [steps.PROMPTS, steps.NAMES[len(steps.PROMPTS) :]])
def test_whatever_arguments_a_step_has_it_is_refused_or_asks(of: tuple[str, ...]) -> None:
    rng, here = np.random.default_rng(2), told(6, 9)
    for name in of:
        for _ in range(4):
            arguments = steps.TABLE[steps.NAMES.index(name)].arguments.values()
            args = [int(rng.choice([-1, 0, 1, 2, steps.MOST[sort]])) for sort in arguments]
            wrong: list[Any] = [args, args[:1], [args], ["?"] * len(args), None, 5]
            said = {**here[rng.integers(len(here))], "pending": [{"step": name, "args": wrong[rng.integers(6)]}]}
            try:
                s = position.load(said)
            except PositionError:
                continue
            GAME.question(s)
            assert position.dump(position.load(position.dump(s))) == position.dump(s)
