"""Nothing is lost and nothing appears, through long random games; every game ends."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings

from sammu_env import constants as c
from sammu_env import state as st
from sammu_env import steps
from tabletop import jit
from tabletop.game import Record
from tabletop.steps import DEPTH
from tests.laws.walk import (
    BOX,
    SIZE,
    Way,
    anything,
    asked,
    curious,
    laws,
    never_done,
    options,
    over,
    some_ways,
    walk,
    ways,
)

COUNTS = (
    "token", "enemy", "unrest", "plague", "diplomacy", "karu", "health", "gate", "area_karu", "area_health",
    "road_karu", "board", "enemy_pool", "good_pool", "technology_pool", "marker_pool", "bag", "good", "has",
    "assassination", "religion", "deck_n", "discard_n", "hand_n", "slot_religion", "actions", "moves", "used",
    "sun_used", "free_actions", "load", "moving", "sp", "n_options", "decisions", "fewer_actions", "corruption",
    "bribes",
)  # fmt: skip
MAP_MARKERS = {
    c.UNREST: ("unrest",), c.PLAGUE: ("plague",), c.DIPLOMACY: ("diplomacy",),
    c.KARU: ("karu", "area_karu", "road_karu"), c.HEALTH: ("health", "area_health"),
    c.ASSASSINATION: ("assassination",), c.RELIGION: ("religion", "slot_religion"), c.RAID: (),
}  # fmt: skip
#: Room that the stack must never come near to use.
SPARE = 8


def check_components(s: Record) -> None:
    """Every component is in one place."""
    one, box = s[0], BOX[0]
    for field in COUNTS:
        assert np.min(one[field]) >= 0, field
    assert (one["token"].sum(1) + one["board"] == box["token_total"]).all()
    assert one["enemy"].sum() + one["enemy_pool"] == box["enemy_total"]
    assert one["gate"].max() <= 1 and one["gate"].sum() <= box["gate_total"]
    assert (one["good"].sum(0) + one["good_pool"] == box["good_total"]).all()
    lying = np.bincount(one["technology"][one["technology"] >= 0], minlength=len(c.TECHNOLOGIES))
    assert (one["has"].sum(0) + lying + one["technology_pool"] == box["technology_total"]).all()
    for marker, fields in MAP_MARKERS.items():
        out = sum(int(np.sum(one[field])) for field in fields)
        assert one["marker_pool"][marker] + one["bag"][marker] + out == box["marker_total"][marker], c.MARKERS[marker]


def check_cards(s: Record) -> None:
    """100 Ashur cards, 63 events."""
    one = s[0]
    places = np.bincount(one["ashur"], minlength=st.HAND + c.MAX_PLAYERS)
    assert places.sum() == c.N_ASHUR
    assert places.tolist() == [one["deck_n"], one["discard_n"], *one["hand_n"].tolist()]
    assert not one["hand_n"][int(one["players"]) :].any()
    assert set(one["event_at"].tolist()) <= {st.UNSEEN, st.KNOWN, st.SEEN, st.LEFT_OUT}
    told = int(one["month"]) - (0 if one["event"] >= 0 else 1)
    past, row = ([int(e) for e in part if e >= 0] for part in np.split(one["slot"], [max(0, told)]))
    assert len(set(past + row)) == len(past + row)
    assert sorted(row) == np.flatnonzero(one["event_at"] == st.KNOWN).tolist()
    assert all(one["event_at"][event] == st.SEEN for event in past)
    assert one["event"] < 0 or one["event_at"][one["event"]] == st.SEEN
    assert (one["event_at"] == st.UNSEEN).sum() >= one["months"] - one["month"] - len(row)


def check_map(s: Record) -> None:
    """Who and what may stand together."""
    one = s[0]
    assert one["unrest"].max() <= 1 and one["plague"].max() <= 1 and not (one["unrest"] * one["plague"]).any()
    people = one["location"][: c.BAILEET]
    held = one["token"][c.MILITARY] + one["token"][c.DIVINER]
    held += np.bincount(people[people >= 0], minlength=len(c.LOCATIONS)).astype(held.dtype)
    assert not held[one["enemy"] > 0].any(), [c.LOCATIONS[i] for i in np.flatnonzero(held * one["enemy"])]
    assert ((one["location"] >= 0) == (one["status"] == c.IN_PLAY)).all()
    assert not one["token"][c.SUPPLY :, len(c.ZONES) :].any()
    owners = one["owner"][one["owner"] >= 0].tolist()
    assert len(set(owners)) == len(owners) and all(owner < one["players"] for owner in owners)


def check_question(s: Record) -> None:
    """Whoever is asked has a choice."""
    one, choices = s[0], options(s)
    assert 1 <= one["sp"] <= DEPTH - SPARE
    assert not one["op"][DEPTH - SPARE :].any() and not one["arg"][DEPTH - SPARE :].any()
    assert len(set(choices)) == len(choices)
    if over(s):
        assert one["result"] in (c.WON, c.LOST) and not choices and one["sp"] == 1
        return
    assert one["result"] == c.RUNNING or asked(s) == steps.DRAW_NEXT_CHALLENGE
    assert len(choices) >= 2
    assert asked(s) <= steps.LAST_PROMPT
    if asked(s) <= steps.LAST_CHANCE:
        assert one["to_act"] == c.CHANCE and one["manual_chance"] == 1
    else:
        assert 0 <= one["to_act"] < one["players"]


def check(s: Record) -> None:
    check_components(s)
    check_cards(s)
    check_map(s)
    check_question(s)


@settings(laws, max_examples=8 * SIZE)
@given(ways())
def test_every_component_is_somewhere_through_any_game(way: Way) -> None:
    for s in walk(way):
        check(s)
    assert over(s)


@pytest.mark.parametrize("way", some_ways(5 * SIZE), ids=lambda way: f"{way.challenge}-{way.players}-{way.seed}")
def test_who_never_has_enough_comes_to_an_end(way: Way) -> None:
    for s in walk(way, never_done):
        check_components(s)
        check_question(s)
    assert over(s)


@pytest.mark.skipif(jit.DISABLED, reason="takes many games")
def test_walks_come_to_every_sort_of_question() -> None:
    """Else the laws here would hold of too little. Between challenges only players who leave share cards out; those of
    ``rare`` need a tie of distances, two markers that overflow at once, or Lilith beside a dying queen."""
    met: set[int] = set()
    for policy in (anything, curious()):
        for way in some_ways(60 * SIZE, sheltered=True):
            for s in walk(way, policy):
                met.add(asked(s))
    missing = {steps.NAMES[op] for op in range(steps.LAST_PROMPT + 1) if op not in met}
    rare = {"raid_way", "overflow", "oracle_way", "heal_queen"}
    assert {"share_card"} <= missing <= {"share_card"} | rare
