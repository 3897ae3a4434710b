"""Whose turn it is, what "done" ends, and who acts without a disc (rulebook pp. 24-25, 34, 38-39, 46-47)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sammu_env import actions, engine, position, steps
from sammu_env import constants as c
from tests.table import BOX, Table

NAMES = ("Besime", "Younan", "Dinah")
AT_KALHU = {name: {"location": "Kalhu"} for name in NAMES}


def active(t: Table) -> str:
    return c.CHARACTERS[t["active"]]


def alone(**keys: Any) -> Table:
    """A solo player who has consulted three."""
    return Table(players=1, stage="actions", **({"characters": AT_KALHU} | keys)).stage("actions", *NAMES)


# A13: done


@pytest.mark.rule("A13", "S1")
def test_done_ends_the_part_of_one_character_only() -> None:
    """A solo player has three discs and six actions (p. 38): none is lost because another is done."""
    t = alone().choose("done")
    assert active(t) == "Younan"
    t.choose("move", "Ashur", "done")
    assert active(t) == "Dinah"
    assert t.who("Besime")["actions"] == 2
    t.choose("move", "Ashur", "move", "Kalhu")
    assert t.prompt() == "halt"


@pytest.mark.rule("A13", "S1")
def test_who_is_done_does_not_act_again_in_this_turn() -> None:
    t = alone().choose("done")
    assert "switch" in t.options()
    t.choose("switch")
    assert active(t) == "Dinah"
    t.choose("done")
    assert active(t) == "Younan"
    assert "switch" not in t.options()
    t.choose("done")
    assert t.prompt() == "halt"


@pytest.mark.rule("A13", "S1")
def test_switching_to_one_who_can_do_nothing_loses_nothing() -> None:
    people = {**AT_KALHU, "Dinah": {"location": "Anshan"}}
    t = alone(characters=people, month_effects={"move_limit": 0})
    t.choose("switch", "Dinah")
    assert t["stage"] == c.ST_ACTIONS
    assert t.who("Besime")["actions"] == 2 and t.who("Younan")["actions"] == 2


@pytest.mark.rule("A13", "A12", "S1")
def test_free_actions_are_not_lost_either_by_looking_at_one_who_can_do_nothing() -> None:
    people = {"Besime": {"location": "Nineveh", "consulted": 0, "actions": 1, "goods": {"iron": 1}},
              "Younan": {"location": "Meroe", "consulted": 0, "actions": 1, "frozen": 1}}  # fmt: skip
    t = Table(players=1, stage="actions", characters=people).choose("move", "Damascus", "switch")
    assert active(t) == "Besime"
    t.choose("market", "gold")
    assert t.who("Besime")["goods"] == {"gold": 1}


@pytest.mark.rule("A13")
@pytest.mark.parametrize("players", [1, 2, 5])
def test_no_turn_lasts_forever(players: int) -> None:
    """Who never says done while there is anything else still comes to an end; so does who always switches."""
    for prefer in (None, actions.VERB + actions.V_SWITCH):
        rng = np.random.default_rng(players)
        people = {name: {"location": "Kalhu", "goods": {"iron": 2, "gold": 2}} for name in c.CHARACTERS[1:6]}
        people["Amenirdis"] = {"location": "Kalhu", "technologies": ["Sun", "Sun"]}
        state = Table(players=players, stage="actions", characters=people, manual_chance=False).state
        position.run_stage(state, "actions")
        for _ in range(1000):
            if state["to_act"][0] == c.NOBODY:
                break
            offered = [int(x) for x in state["option"][0, : state["n_options"][0]]]
            wanted = [x for x in offered if x != actions.DONE] or offered
            choice = prefer if prefer in offered else wanted[rng.integers(len(wanted))]
            assert engine.apply(BOX, state, choice)
        assert state["to_act"][0] == c.NOBODY


@pytest.mark.rule("A13", "A6")
def test_the_turn_goes_on_when_one_of_three_falls_in_battle() -> None:
    people = {"Besime": {"location": "Nineveh", "consulted": 0, "actions": 2},
              "Younan": {"location": "Kalhu", "consulted": 0, "actions": 2}}  # fmt: skip
    t = Table(players=1, stage="actions", characters=people,
              locations={"Nineveh": {"military": 2}, "Tushpa": {"enemy": 3}})  # fmt: skip
    t.choose("attack", "military", "join")
    assert t.who("Besime")["status"] == "dead"
    assert active(t) == "Younan"


# A2: without a disc


def without_disc(**keys: Any) -> Table:
    """Seat 0 has consulted Dinah, seat 1 its own Besime, seat 2 nobody. Seat 0 begins.

    Nobody is asked whom seat 2 consults, though Sammu-ramat is there, so what is pending says so.
    """
    people: dict[str, Any] = {
        "Dinah": {"location": "Kalhu", "consulted": 0, "actions": 3, "user": 0},
        "Besime": {"location": "Kalhu", "player": 1, "consulted": 1, "actions": 2},
    }
    wait = [("stage", c.ST_EMPIRE_BOARD), ("end_actions",), ("begin_turn", 2), ("begin_turn", 1), ("end_turn", 0),
            ("turn", 0)]  # fmt: skip
    own = {who: people.get(who, {}) | row for who, row in keys.pop("characters", {}).items()}
    return Table(
        stage="actions", seat=0, characters=people | own, machine={"active": c.CHARACTERS.index("Dinah")},
        pending=[{"step": step, "args": list(args)} for step, *args in wait], **keys,
    )  # fmt: skip


@pytest.mark.rule("A2")
def test_what_others_left_over_is_used_by_who_has_no_disc() -> None:
    t = without_disc().choose("move", "Ashur", "done", "done")
    assert t["seat"] == 2
    assert active(t) == "Dinah"
    assert t.who("Dinah")["actions"] == 2


@pytest.mark.rule("A2")
def test_nobody_without_a_disc_acts_with_anothers_personal_advisor() -> None:
    """Personal advisors: そのプレイヤーだけが相談可能 (p. 54)."""
    t = without_disc().choose("move", "Ashur", "done", "done")
    assert "switch" not in t.options()
    assert "user" not in t.who("Besime")


@pytest.mark.rule("A2")
def test_with_nobody_left_to_act_with_a_seat_without_a_disc_does_nothing() -> None:
    own = {"Dinah": {"location": "Kalhu", "player": 0, "consulted": 0, "actions": 2}}
    t = without_disc(characters=own, seats=[{}, {}, {"hand": ["SAM-165"]}]).choose("done")
    assert t["seat"] == 1
    t.choose("done")
    assert t["stage"] != c.ST_ACTIONS


@pytest.mark.rule("A2", "T1")
def test_a_sun_gives_one_action_and_not_what_a_finished_turn_left_over() -> None:
    """アクションを+1 (p. 46): Dinah left two actions, which wait for seat 2 and are none of seat 1's."""
    sun = {"Besime": {"location": "Kalhu", "player": 1, "consulted": 1, "actions": 2, "technologies": ["Sun"]}}
    t = without_disc(characters=sun).choose("move", "Ashur", "move", "Kalhu", "done")
    assert t["seat"] == 1 and t.who("Dinah") == {
        "location": "Kalhu", "status": "in play", "side": "public", "consulted": 0, "moves": 2, "leftover": 1,
    }  # fmt: skip
    t.choose("extra_action")
    if t.prompt() == "grant":
        t.choose("Dinah")
    assert t.who("Dinah")["actions"] == 1
    t.choose("switch", "move", "Ashur")
    assert active(t) != "Dinah" or "move" not in t.options()
    while t["seat"] == 1:
        t.choose("done")
    assert active(t) == "Dinah"
    assert t.who("Dinah")["actions"] == 1


@pytest.mark.rule("A2", "T1")
def test_a_fallen_character_makes_no_leftover_free_for_others() -> None:
    """Who has laid a disc is no player without one, even when that character dies in the turn."""
    people = {
        "Younan": {"location": "Nineveh", "consulted": 0, "actions": 3},
        "Besime": {"location": "Kalhu", "consulted": 1, "actions": 3, "technologies": ["Sun"]},
        "Dinah": {"location": "Kalhu", "consulted": 2, "actions": 3},
    }
    t = Table(stage="actions", seat=0, characters=people,
              locations={"Nineveh": {"military": 1}, "Tushpa": {"enemy": 3}})  # fmt: skip
    t.choose("attack", "join")
    if t["seat"] == 0:
        t.choose("done")
    assert t["seat"] == 1
    t.choose("done")
    assert t["seat"] == 2
    assert "leftover" not in t.who("Besime") and "actions" not in t.who("Besime")


@pytest.mark.rule("A2", "T1")
def test_what_is_left_over_is_kept_in_a_position() -> None:
    t = without_disc().choose("move", "Ashur", "done")
    again = position.load(t.dump())
    assert again["leftover"].tobytes() == t.state["leftover"].tobytes()
    assert position.dump(again) == t.dump()


# A2: who goes without


@pytest.mark.rule("A1", "A2")
def test_with_too_few_characters_a_player_may_go_without() -> None:
    t = Table(stage="actions", characters={"Dinah": {"location": "Nineveh"}}).stage("actions")
    assert t.options() == ["done", "Sammu-ramat", "Dinah"]
    t.choose("done")
    assert t["to_act"] == 1
    assert t.options() == ["Sammu-ramat", "Dinah"]


@pytest.mark.rule("A1", "A2")
@pytest.mark.parametrize(("owner", "may"), [(0, True), (1, False), (2, False)])
def test_a_personal_advisor_serves_only_its_player(owner: int, may: bool) -> None:
    """Two public characters (Sammu-ramat is one) and an own advisor serve three seats, if the owner takes it."""
    people = {"Dinah": {"location": "Nineveh"}, "Besime": {"location": "Nineveh", "player": owner}}
    t = Table(stage="actions", characters=people).stage("actions")
    assert "done" not in t.options()
    t.choose("Dinah")
    if owner == 0:
        assert t.options() == ["done", "Sammu-ramat"]
        return
    assert t["to_act"] == owner if owner == 1 else True


@pytest.mark.rule("A1", "S1")
def test_a_solo_player_is_not_asked_to_go_without() -> None:
    t = Table(players=1, stage="actions", characters={"Dinah": {"location": "Nineveh"}}).stage("actions")
    assert t.options() == ["Sammu-ramat", "Dinah"]
    t.choose("Dinah")
    assert t.prompt() == "turn"
    assert {c.CHARACTERS[i] for i in np.flatnonzero(t.state["consulted"][0] == 0)} == {"Sammu-ramat", "Dinah"}


# Grants


@pytest.mark.rule("T1", "A11")
def test_the_team_says_whether_a_sun_or_amenirdis_gives_the_action() -> None:
    people = {"Dinah": {"location": "Napata", "consulted": 0, "actions": 1},
              "Amenirdis": {"location": "Napata"},
              "Besime": {"location": "Napata", "technologies": ["Sun"]},
              "Younan": {"location": "Napata", "player": 1, "technologies": ["Sun"]}}  # fmt: skip

    def table() -> Table:
        t = Table(stage="actions", characters=people).choose("extra_action", "Dinah")
        assert t.prompt() == "grant_by"
        assert t.options() == ["Amenirdis", "Sun"]
        return t

    t = table().choose("Amenirdis")
    assert t.who("Dinah")["actions"] == 2
    assert t.who("Amenirdis")["used"] == 1
    t = table().choose("Sun")
    assert t.prompt() == "sun_of"
    assert t.options() == ["Besime", "Younan"]
    t.choose("Younan")
    assert t.who("Dinah")["actions"] == 2
    assert t.who("Younan")["sun_used"] == 1
    assert "used" not in t.who("Amenirdis") and "sun_used" not in t.who("Besime")


@pytest.mark.rule("T1")
def test_a_sun_wakes_one_who_was_done() -> None:
    people = {**AT_KALHU, "Dinah": {"location": "Kalhu", "technologies": ["Sun"]}}
    t = alone(characters=people).choose("done", "extra_action")
    if t.prompt() == "grant":
        t.choose("Besime")
    assert t.who("Besime")["actions"] == 3
    t.choose("switch", "Besime")
    assert "move" in t.options()


def test_new_prompts_stand_last() -> None:
    assert steps.PROMPTS[steps.SWITCH + 1 :] == ("vial_way", "grant_by", "sun_of", "convert_place", "barter_as")
