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
ACTING: dict[str, Any] = {"stage": "actions"}
#: A table that holds.
HELD: dict[str, Any] = {
    "month": 3, "locations": {"Kalhu": {"military": 4, "diviner": 3}},
    "areas": {"Assyria": {"supply": 4, "medicine": 4, "gate": True}},
}  # fmt: skip
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
    ({"campaign": 1, "campaign_record": {"game": 1}}, ("campaign_record.game: found 1", "challenge A is game 0")),
    *(({"campaign": 1, "campaign_record": {"next_challenge": name}}, ("campaign_record.next_challenge", said))
      for name, said in (("SAM-183", "SAM-180, SAM-184, SAM-189, SAM-190"), (4, "SAM-180"), ("SAM-200", "SAM-179"))),
    ({"challenge": "SAM-186", "campaign": 1, "campaign_record": {"next_challenge": 3}}, ("SAM-182", "one of none")),
    *(({"start_goods": n}, (f"start_goods: {n}", "3 to 5")) for n in (0, 2, 6)),
    ({"players": 4, "campaign": 1, "advanced": True}, ("advanced", "1 to 3 players", "4")),
    *(({"characters": {"Sammu-ramat": {"status": status}}}, ("characters.Sammu-ramat", f"she is {status}"))
      for status in ("dead", "away", "out")),
    ({"areas": {"Assyria": {"gate": True}}, "locations": {"Kalhu": {"enemy": 1}}}, ("areas.Assyria.gate", "Kalhu")),
    ({"characters": {"Besime": {"player": 0}}}, ("characters.Besime.player", "who is out")),
    ({"characters": {"Besime": {**IN_PLAY, "side": "personal"}}}, ("characters.Besime.side", "choose public")),
    ({"characters": {"Besime": {**IN_PLAY, "side": "public", "player": 1}}}, ("Besime.side", "choose personal")),
    *(({"players": players, "characters": {"Besime": {**IN_PLAY, "player": 0}, **who}}, (f"characters.{said}",))
      for players, who, said in (
        (3, {"Dinah": {**IN_PLAY, "player": 0}}, "Dinah.player: seat 0 has Besime already"),
        (1, {}, "Besime.player: seat 0 has Sammu-ramat already"),
    )),
    *(({"characters": {"Besime": {**IN_PLAY, "player": seat}},
        "pending": [{"step": "choose_advisor", "args": [seat]} for seat in (1, 0)]},
       (f"characters.Besime.player: seat {seat} is yet to be asked",)) for seat in (0, 1)),
    *(({"characters": {"Besime": {**IN_PLAY, key: most + 1}}}, (f"Besime.{key}: {most + 1}", f"0 to {most}"))
      for key, most in (("actions", 75), ("leftover", 75), ("moves", 75), ("fewer_actions", 5), ("sun_used", 5))),
    *(({"month_effects": {key: most + 1}}, (f"month_effects.{key}: {most + 1}", f"to {most}")) for key, most in (
        ("advisor_steps", 5), ("character_steps", 5), ("move_limit", 5), ("corruption", 25), ("queen_actions", 40),
    )),
    ({"month_effects": {"bribes": {"personal": 6, "public": 5}}}, ("month_effects.bribes: 11 in all, at most 10",)),
    ({"characters": {"Sammu-ramat": {"side": "solo"}}}, ("characters.Sammu-ramat.side", "choose public")),
    ({"characters": {"Sammu-ramat": {"player": 1}}}, ("characters.Sammu-ramat.player", "plays alone")),
    ({"players": 1, "characters": {"Sammu-ramat": {"side": "public"}}}, ("Sammu-ramat.side", "choose solo")),
    ({**ACTING, "characters": {"Besime": {**IN_PLAY, "player": 0, "consulted": 1}}},
     ("consulted: found seat 1", "seat 0 alone", "(seats are counted from 0)")),
    ({**ACTING, "characters": {who: {**IN_PLAY, "consulted": 0} for who in ("Besime", "Dinah")}},
     ("characters.Besime.consulted", "2 characters", "at most 1")),
    ({**ACTING, "players": 1, "characters": {who: {**IN_PLAY, "consulted": 0} for who in c.CHARACTERS[:4]}},
     ("characters.Sammu-ramat.consulted", "4 characters", "at most 3")),
    ({"players": 1, "characters": {"Sammu-ramat": {"status": "out"}}}, ("characters.Sammu-ramat: she is out",)),
    ({"stage": "tax", "characters": {"Besime": {**IN_PLAY, "consulted": 0}}}, ("Besime.consulted", "stage is tax")),
    *(({"month": 2, "events": {"religion": [0] * (month - 1) + [1], **events}}, ("events.religion", f"month {month}"))
      for month, events in ((1, {}), (2, {"current": "SAM-030"}), (7, {}))),
    *(({"locations": {name: {marker: 1}}}, (f"locations.{name}.{marker}", "in no area"))
      for name in ("Sardes", "Damascus") for marker in ("unrest", "plague")),
    ({"month": 2, "events": {"row": ["SAM-022"], "previous_area": "Kush"}}, ("events.previous_area", "SAM-022, ")),
    ({"month_effects": {"queen_actions": "few"}}, ("month_effects.queen_actions: 'few'",)),
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
    table = Table(players=1, **ACTING, characters=people, seats=[{"actions": 1}])
    assert [table.who(who).get("actions") for who in people] == [None, None, 1]


def test_whose_advisor_is_away_or_dead_owns_it_still() -> None:
    people = {"Besime": {"status": "dead", "player": 0}, "Younan": {"status": "away", "player": 1}}
    table = Table(characters=people)
    assert [table.who(who).get("player") for who in people] == [0, 1]


@pytest.mark.rule("C2")
@pytest.mark.parametrize("said", [{}, {"previous_area": "Egypt"}])
def test_a_marker_drawn_strikes_the_area_of_last_months_event_in_the_row(said: dict[str, str]) -> None:
    events = {"row": [None, "SAM-022"], "current": "SAM-026", **said}
    table = Table("SAM-185", **HELD, bag={"unrest": 1}, events=events).stage("monthly_effect")
    assert table.at("Men-nefer") == {"unrest": 1}


@pytest.mark.rule("O1")
@pytest.mark.parametrize(("challenge", "side"), [("SAM-190", "A"), ("SAM-185", "B")])
def test_which_side_of_baileet_is_up_follows_from_the_challenge(challenge: str, side: str) -> None:
    assert Table(challenge, characters={"Baileet": {"location": "Susa"}}).who("Baileet")["side"] == side


@pytest.mark.rule("SAM-019")
def test_no_actions_of_hers_may_be_said_in_a_word() -> None:
    assert Table(month_effects={"queen_actions": "none"}).dump()["month_effects"] == {"queen_actions": c.NO_ACTIONS}


@pytest.mark.rule("K1", "K2")
@pytest.mark.parametrize(("challenge", "game", "fewer"), [
    ("SAM-185", 0, 0), ("SAM-184", 1, 1), ("SAM-183", 2, 1), ("SAM-181", 3, 2), ("SAM-186", 4, 2),
])  # fmt: skip
def test_a_campaign_is_as_far_as_the_letter_of_its_challenge(challenge: str, game: int, fewer: int) -> None:
    usual, advanced = (Table(challenge, campaign=True, advanced=advanced) for advanced in (False, True))
    assert [usual["game"], usual["months"], advanced["months"]] == [game, 6, 6 - fewer]
    assert Table(challenge, campaign=True, advanced=True, months=6)["months"] == 6
    assert Table(challenge)["game"] == 0


def test_a_campaigns_next_challenge_may_be_said_by_name() -> None:
    for said in ("SAM-184", c.CHALLENGES.index("SAM-184")):
        table = Table("SAM-185", campaign=True, campaign_record={"next_challenge": said})
        assert c.CHALLENGES[table["next_challenge"]] == "SAM-184"


@pytest.mark.rule("M12")
def test_religion_may_lie_on_a_known_oracle_card() -> None:
    """It was laid there before Katuzili looked."""
    people = {"Katuzili": {"location": "Susa", "consulted": 0, "goods": {"iron": 3}}}
    table = Table(month=2, months=4, oracles=1, **ACTING, characters=people, seats=[{"hand": ["SAM-079"]}],
                  events={"current": "SAM-026", "religion": [0, 0, 1]}).choose("special")  # fmt: skip
    while table.prompt() != "draw_event":
        table.choose(table.options()[0])
    table.choose("SAM-076")
    assert position.dump(position.load(table.dump())) == table.dump()
    assert table.dump()["events"]["known_top"] == ["SAM-076"] and table["slot_religion"][2] == 1


# The action phase


def consulted(**seats: int) -> dict[str, dict[str, Any]]:
    return {who: {**IN_PLAY, "consulted": seat} for who, seat in seats.items()}


@pytest.mark.rule("U12")
@pytest.mark.parametrize(("players", "own", "public", "queen"), [(2, 3, 3, 2), (3, 2, 3, 2), (5, 2, 1, 1)])
def test_who_is_consulted_has_all_the_actions_until_that_turn_is_over(
    players: int, own: int, public: int, queen: int
) -> None:
    people = consulted(Besime=0, Dinah=1)
    assert Table(players=players, **ACTING, characters=people).who("Dinah")["actions"] == public
    people["Dinah"]["player"] = 1
    table = Table(players=players, **ACTING, seat=1, first_player=0, characters=people)
    assert [table.who(who).get("actions") for who in people] == [None, own]
    hers = {"Sammu-ramat": {"consulted": 0}}
    assert Table(players=players, **ACTING, characters=hers).who("Sammu-ramat")["actions"] == queen
    closed = Table(players=players, **ACTING, characters=hers, month_effects={"queen_actions": "none"})
    assert "actions" not in closed.who("Sammu-ramat")
    told = Table(players=players, **ACTING, characters={"Besime": {**people["Besime"], "actions": 0}})
    assert "actions" not in told.who("Besime")


@pytest.mark.rule("A1", "A2")
def test_a_seat_whose_turn_is_to_come_is_asked_whom_it_consults() -> None:
    """Going without a disc is for too few characters alone."""
    people = {**consulted(Besime=0), "Dinah": {**IN_PLAY, "player": 1}}
    table = Table(**ACTING, characters=people)
    assert table.prompt() == "turn" and position.dump(position.load(table.dump())) == table.dump()
    table.choose("done")
    assert (table.prompt(), table["to_act"], table.options()) == ("consult", 1, ["Sammu-ramat", "Dinah"])
    table.choose("Dinah")
    assert (table.prompt(), table["seat"], table.who("Dinah")["actions"]) == ("turn", 1, 2)
    table.choose("done")  # she alone is left for seat 2
    assert (table.prompt(), table["seat"], table.who("Sammu-ramat")["consulted"]) == ("turn", 2, 2)
    assert "user" not in table.who("Besime")


@pytest.mark.rule("A1", "A2")
def test_a_seat_whose_turn_it_is_consults_first() -> None:
    table = Table(**ACTING, seat=1, first_player=0, characters=consulted(Besime=0))
    assert (table.prompt(), table["to_act"], "Sammu-ramat" in table.options()) == ("consult", 1, True)
    table.choose("Sammu-ramat")
    assert (table.prompt(), table["seat"], table["turn_done"][:3].tolist()) == ("turn", 1, [1, 0, 0])


@pytest.mark.rule("A2")
def test_with_nobody_free_a_seat_acts_with_those_whom_others_consult() -> None:
    people = {"Sammu-ramat": {"consulted": 0, "actions": 2}, "Besime": {**IN_PLAY, "player": 1, "consulted": 1}}
    table = Table(**ACTING, characters=people).choose("move", "Ashur", "done", "done")
    assert (table.prompt(), table["seat"], table.who("Sammu-ramat")["actions"]) == ("turn", 2, 1)
    here = Table(**ACTING, seat=2, first_player=0, characters=people)
    assert (here.prompt(), here.who("Sammu-ramat")["actions"], here.who("Besime").get("user")) == ("turn", 2, None)


@pytest.mark.rule("A2", "T1")
def test_what_a_finished_turn_left_over_does_not_come_back_with_a_sun() -> None:
    people = consulted(Dinah=0, Besime=1, Younan=2)
    people["Dinah"]["actions"] = 2
    people["Besime"]["technologies"] = ["Sun"]
    table = Table(**ACTING, seat=1, first_player=0, characters=people)
    assert table.who("Dinah").get("actions") is None and table.who("Dinah").get("leftover") is None
    table.choose("extra_action", *(["Dinah"] if "Dinah" in table.options() else []))
    if table.prompt() == "grant":
        table.choose("Dinah")
    assert table.who("Dinah")["actions"] == 1


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
