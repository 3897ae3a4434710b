"""Wrong choices, finished games and impossible positions: an error that says what is wrong and what is allowed."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import sammu_env
from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import engine, position
from sammu_env.position import PositionError
from tabletop.log import Match
from tests.laws.walk import BOX, GAME, Way, mask, play_by_rule
from tests.table import Table

ILLEGAL = int(np.flatnonzero(mask(Way().begin()) == 0)[0])
NUMBERS = [-1, -341, a.N_ACTIONS, 10**6, 2**40, ILLEGAL]


@pytest.mark.parametrize("action", NUMBERS)
def test_engine_refuses_and_changes_nothing(action: int) -> None:
    s = Way().begin()
    before = s.tobytes()
    assert not engine.apply(BOX, s, action)
    assert s.tobytes() == before


@pytest.mark.parametrize("action", [*NUMBERS, 1.5, "move", True, [1], np.array([1, 2]), np.float32(0)])
@pytest.mark.parametrize("make", [sammu_env.env, sammu_env.raw_env])
def test_env_names_the_wrong_action_and_changes_nothing(make: Any, action: Any) -> None:
    env = make()
    env.reset(seed=1)
    if isinstance(action, int) and action == ILLEGAL:
        action = int(np.flatnonzero(env.last()[4]["action_mask"] == 0)[0])
    before, agent = env.unwrapped.record.tobytes(), env.agent_selection
    seen = env.last()[0]["observation"].tobytes()
    with pytest.raises(ValueError) as error:
        env.step(action)
    said = str(error.value)
    assert repr(action) in said or "illegal" in said
    assert env.unwrapped.record.tobytes() == before
    assert env.agent_selection == agent and env.last()[0]["observation"].tobytes() == seen
    assert not env.log.entries or env.log.entries[-1][0] < 0
    env.step(int(np.argmax(env.last()[4]["action_mask"])))


def test_illegal_choice_has_its_words_and_the_question() -> None:
    match = Match(GAME, Way(1).setup(), 1)
    illegal = int(np.flatnonzero(match.legal() == 0)[3])
    with pytest.raises(ValueError) as error:
        match.act(illegal)
    assert str(illegal) in str(error.value) and GAME.question(match.s) in str(error.value)


@pytest.mark.parametrize("make", [sammu_env.env, sammu_env.raw_env])
def test_step_after_the_end(make: Any) -> None:
    env = make(players=2)
    env.reset(seed=3)
    while not all(env.terminations.values()):
        env.step(int(np.argmax(env.last()[4]["action_mask"])))
    before = env.unwrapped.record.tobytes()
    with pytest.raises(ValueError, match=r"step\(None\)"):
        env.step(0)
    while env.agents:
        env.step(None)
    with pytest.raises(ValueError, match="the game is over: call reset"):
        env.step(0)
    assert env.unwrapped.record.tobytes() == before


def test_finished_game_in_the_engine() -> None:
    s = play_by_rule(Way(2).begin(), 2)
    before = s.tobytes()
    for action in range(a.N_ACTIONS):
        assert not engine.apply(BOX, s, action)
    assert s.tobytes() == before


# Positions that cannot be: what the message must name

IN_PLAY = {"location": "Kalhu"}
IMPOSSIBLE: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "27 enemies": ({"locations": {"Tushpa": {"enemy": 20}, "Susa": {"enemy": 7}}}, ("27 × enemies", "box holds 25")),
    "21 military": ({"locations": {"Kalhu": {"military": 21}}}, ("21 × military tokens", "the box holds 20")),
    "16 supply": ({"areas": {"Elam": {"supply": 16}}}, ("16 × supply tokens", "the box holds 15")),
    "goods": ({"characters": {"Besime": {**IN_PLAY, "goods": {"iron": 23}}}}, ("23 × iron", "the box holds 22")),
    "markers": ({"bag": {"raid": 30}}, ("30 × raid markers", "the box holds")),
    "unknown location": ({"locations": {"Niniveh": {"enemy": 1}}}, ("'Niniveh'", "did you mean Nineveh", "Kalhu, ")),
    "unknown area": ({"areas": {"Atlantis": {}}}, ("'Atlantis'", "Assyria, Phrygia")),
    "unknown character": ({"characters": {"Besima": {}}}, ("'Besima'", "did you mean Besime")),
    "unknown road": ({"roads": {"Kalhu-Meroe": {"karu": 1}}}, ("'Kalhu-Meroe'", "Kalhu-Nineveh")),
    "unknown key": ({"moth": 2}, ("'moth'", "did you mean month")),
    "unknown thing": ({"locations": {"Kalhu": {"wizard": 1}}}, ("'wizard'", "military")),
    "unknown technology": ({"technologies": {"Sardes": "Radio"}}, ("'Radio'", "Mule")),
    "unknown marker": ({"bag": {"joy": 1}}, ("'joy'", "raid")),
    "unknown stage": ({"stage": "brunch"}, ("'brunch'", "spread, event")),
    "unknown challenge": ({"challenge": "SAM-999"}, ("'SAM-999'", "SAM-179 to SAM-198")),
    "six players": ({"players": 6}, ("players", "6", "1 to 5")),
    "no players": ({"players": 0}, ("players", "0", "1 to 5")),
    "half a player": ({"players": 2.5}, ("players", "2.5", "1 to 5")),
    "wrong seat": ({"seat": 3}, ("seat", "3", "0 to 2")),
    "month 0": ({"month": 0}, ("month", "0", "1 to 6")),
    "month 7 of 6": ({"month": 7}, ("month", "7", "1 to 6")),
    "nine months": ({"months": 9}, ("months", "9", "1 to 8")),
    "month in words": ({"month": "May"}, ("month", "'May'", "1 to 6")),
    "a card twice": ({"seats": [{"hand": ["SAM-081"]}, {"hand": ["SAM-081"]}]}, ("SAM-081", "the box holds one")),
    "a card twice in one hand": ({"seats": [{"hand": ["SAM-081", "SAM-081"]}]}, ("SAM-081", "the box holds one")),
    "a card in hand and discard": (
        {"seats": [{"hand": ["SAM-081"]}], "ashur_discard": ["SAM-081"]},
        ("SAM-081", "the box holds one"),
    ),
    "no such card": ({"ashur_discard": ["SAM-016"]}, ("'SAM-016'", "SAM-079 to SAM-178")),
    "too many seats": ({"seats": [{}] * 4}, ("4 seats", "3 players")),
    "dead with a location": (
        {"characters": {"Besime": {"status": "dead", "location": "Kalhu"}}},
        ("characters.Besime", "dead has no location"),
    ),
    "away with a location": (
        {"characters": {"Besime": {"status": "away", "location": "Kalhu"}}},
        ("characters.Besime", "away has no location"),
    ),
    "in play nowhere": ({"characters": {"Besime": {"status": "in play"}}}, ("characters.Besime", "needs a location")),
    "unrest and plague": ({"locations": {"Opis": {"unrest": 1, "plague": 1}}}, ("locations.Opis", "unrest and plague")),
    "two unrest": ({"locations": {"Opis": {"unrest": 2}}}, ("locations.Opis.unrest", "2", "0 to 1")),
    "enemies and military": ({"locations": {"Opis": {"enemy": 1, "military": 1}}}, ("locations.Opis", "enemies")),
    "enemies and a character": (
        {"locations": {"Kalhu": {"enemy": 1}}, "characters": {"Besime": IN_PLAY}},
        ("Kalhu", "enemies"),
    ),
    "less than nothing": ({"locations": {"Opis": {"enemy": -1}}}, ("locations.Opis.enemy", "-1")),
    "supply on a location": ({"locations": {"Opis": {"supply": 1}}}, ("locations.Opis.supply", "areas.Babylonia")),
    "two gates": ({"areas": {"Elam": {"gate": 2}}}, ("areas.Elam.gate", "2", "0 to 1")),
    "an event twice": (
        {"events": {"seen": ["SAM-030"], "known_top": ["SAM-030"]}},
        ("events.known_top", "SAM-030"),
    ),
    "two players' advisor": (
        {"characters": {"Besime": {**IN_PLAY, "player": 0}, "Younan": {**IN_PLAY, "player": 0}}},
        ("player", "0"),
    ),
    "a player beyond the table": (
        {"characters": {"Besime": {**IN_PLAY, "player": 3}}},
        ("characters.Besime.player", "0 to 2"),
    ),
    "not a table": ({"locations": ["Kalhu"]}, ("locations", "expected a table")),
    "pending nothing": ({"pending": None}, ("pending", "None")),
    "pending nonsense": ({"pending": [{"step": "juggle"}]}, ("pending.step", "'juggle'")),
    "pending too many arguments": ({"pending": [{"step": "turn", "args": [0] * 9}]}, ("pending", "args")),
    "pending words": ({"pending": [{"step": "turn", "args": ["x"]}]}, ("pending", "args", "'x'")),
    "pending too deep": ({"pending": [{"step": "setup_end"}] * 99}, ("pending", "99")),
    "true months": ({"month": True}, ("month: True is not a whole number 1 to",)),
    "true tokens": ({"locations": {"Kalhu": {"military": True}}}, ("locations.Kalhu.military: True",)),
    "true goods": ({"characters": {"Besime": {**IN_PLAY, "goods": {"gold": True}}}}, ("Besime.goods.gold: True",)),
    "true oracles": ({"oracles": True}, ("oracles: True is not a whole number 0 to 3",)),
    "true among numbers of the machine": ({"machine": {"rng": [1, True, 3, 4]}}, ("machine.rng", "whole numbers")),
    "a number too large for the machine": ({"machine": {"result": 2**40}}, ("machine.result", "too large")),
    "machine of another shape": ({"machine": {"rng": [1, 2]}}, ("machine.rng", "shape")),
}


@pytest.mark.parametrize("name", list(IMPOSSIBLE))
def test_impossible_position_is_named(name: str) -> None:
    keys, said = IMPOSSIBLE[name]
    with pytest.raises(PositionError) as error:
        position.load({"challenge": "SAM-185", "players": 3, **keys})
    for words in said:
        assert words in str(error.value)


def test_what_is_yes_or_no_may_be_a_number_too() -> None:
    """Of true months nobody knows how many there are; a gate is there or not."""
    said = [{"areas": {"Egypt": {"gate": there}}, "hidden_hands": there} for there in (True, 1)]
    one, two = (position.load({"challenge": "SAM-185", "players": 3, **keys}) for keys in said)
    assert one.tobytes() == two.tobytes() and one["hidden_hands"][0] == 1


@pytest.mark.parametrize("key", ["challenge", "players"])
def test_what_must_be_said(key: str) -> None:
    said = {"challenge": "SAM-185", "players": 3}
    del said[key]
    with pytest.raises(PositionError, match=f"'{key}' is missing"):
        position.load(said)


@pytest.mark.parametrize("text", ["", "[1]", "{", '"SAM-185"'])
def test_damaged_file_is_named(tmp_path: Any, text: str) -> None:
    path = tmp_path / "table.json"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(PositionError, match=r"table\.json"):
        position.load(path)


def test_file_that_is_not_there(tmp_path: Any) -> None:
    with pytest.raises(OSError):
        position.load(tmp_path / "nowhere.toml")


def test_unknown_stage_leaves_the_state() -> None:
    table = Table()
    before = table.state.tobytes()
    with pytest.raises(PositionError, match=r"'brunch'.*spread, event"):
        position.run_stage(table.state, "brunch")
    assert table.state.tobytes() == before


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"challenge": "SAM-1"}, "SAM-179"),
        ({"challenge": np.array(["SAM-185", "SAM-186"])}, "SAM-179"),
        ({"players": 6}, "1, 2, 3, 4, 5"),
        ({"players": True}, "1, 2, 3, 4, 5"),
        ({"oracles": 4}, "0, 1, 2, 3"),
        ({"start_goods": 6}, "3, 4, 5"),
        ({"hidden_hands": "yes"}, "True or False"),
        ({"campaign": True, "challenge": "SAM-198"}, "a campaign begins with a challenge A"),
        ({"advanced": True}, "campaign=True"),
        ({"render_mode": "hologram"}, "rgb_array"),
        ({"lang": "la"}, "en"),
    ],
)
def test_bad_option_names_the_choices(options: dict[str, Any], said: str) -> None:
    with pytest.raises(ValueError, match=said):
        sammu_env.env(**options)


def test_nothing_is_asked_of_nobody() -> None:
    assert int(Table(stage="tax").state["to_act"][0]) == c.NOBODY
    assert not mask(Table(stage="tax").state).any()
