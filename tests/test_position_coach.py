"""Positions that are put right field by field on the coach's form, where the rules say what follows."""

from __future__ import annotations

from typing import Any

import pytest

from sammu_env import constants as c
from sammu_env import steps
from tabletop.game import Record
from tests.laws.walk import GAME, asked
from tests.table import action, put


def turn(**values: Any) -> Record:
    """The turn of seat 0, who has consulted Besime, at a table that has just been laid for two."""
    s = GAME.laid(GAME.configure("SAM-185", 2))
    mine = {"characters/Besime/consulted": 0, "characters/Besime/actions": 3}
    return put(s, **{"now": "seat 0", "month": 2, **mine, **values})


def done(s: Record) -> Record:
    """When seat 0 has no more to do."""
    while asked(s) == steps.TURN and s["to_act"][0] == 0:
        assert GAME.apply(GAME.box, s, action("done"))
    return s


@pytest.mark.rule("A1", "A2")
def test_with_one_disc_said_the_other_seat_is_asked_for_its_own() -> None:
    s = turn()
    assert asked(s) == steps.TURN and s["to_act"][0] == 0
    done(s)
    assert asked(s) == steps.CONSULT and s["to_act"][0] == 1


@pytest.mark.rule("U12")
def test_a_disc_of_a_turn_to_come_has_all_its_actions() -> None:
    dinah = c.CHARACTERS.index("Dinah")
    assert turn(**{"characters/Dinah/consulted": 1})["actions"][0, dinah] == 3
    assert turn(**{"characters/Dinah/consulted": 1, "characters/Dinah/actions": 1})["actions"][0, dinah] == 1
    over = {"characters/Besime/consulted": 1, "characters/Dinah/consulted": 0, "now": "seat 1", "first_player": 0}
    assert turn(**over)["actions"][0, dinah] == 0


@pytest.mark.rule("C2")
def test_last_months_event_says_its_area_whatever_it_was_before() -> None:
    s = turn(**{"row/1": "SAM-022"})
    assert s["previous_area"][0] == c.EGYPT
    other = GAME.box[0]["event_area"][1]
    assert other != c.EGYPT and put(s, **{"row/1": "SAM-017"})["previous_area"][0] == other


def test_each_number_of_the_form_is_taken_at_its_least_and_its_most() -> None:
    s, others = GAME.laid(GAME.configure("SAM-185", 2)), {*c.CHARACTERS} - {"Besime"}
    for field in GAME.form(s):
        if not (field.choices or field.pool or others & {*field.path}):
            for value in (field.low, field.high):
                put(s, **{"/".join(field.path): value})


@pytest.mark.rule("U8")
def test_who_plays_alone_is_offered_no_advisor() -> None:
    for players, n in ((1, 0), (2, len(c.ADVISORS))):
        paths = [field.path for field in GAME.form(GAME.laid(GAME.configure("SAM-185", players)))]
        assert sum(path[0] == "characters" and path[-1] == "player" for path in paths) == n


def test_red_markers_that_strike_areas_have_no_field_outside_them() -> None:
    paths = {field.path for field in GAME.form(GAME.laid(GAME.configure("SAM-185", 2)))}
    for marker in ("unrest", "plague"):
        assert ("locations", "Kalhu", marker) in paths
        assert not {("locations", name, marker) for name in ("Sardes", "Damascus")} & paths
