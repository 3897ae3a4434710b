"""Positions of Xerxes that people read and write."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.plays import play
from tabletop.positions import PositionError
from tests.positions import boxed, changed, form_tells_no_secret, put, round_trips, spoilt_is_refused_or_plays_on
from tests.xerxes.golden import GAME
from xerxes_env import constants as c
from xerxes_env import position, steps

TWO: dict[str, Any] = {"players": 2, "seats": [{"satrap": "India"}, {"satrap": "Lydia"}]}
BUILDING = {**TWO, "phase": "building", "event": "event-1"}


def seats(**keys: Any) -> dict[str, Any]:
    """What is said of India."""
    return {"seats": [{"satrap": "India", **keys}, {"satrap": "Lydia"}]}


def prompt(s: Any) -> tuple[str, int]:
    """What is asked, and of whom."""
    return steps.PROMPTS[s["op"][0, s["sp"][0] - 1]], int(s["to_act"][0])


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_what_is_dumped_and_loaded_plays_on(players: int) -> None:
    for seed in range(2):
        round_trips(GAME, position, boxed(GAME, players), seed, every=3)
    round_trips(GAME, position, GAME.configure(players), 2, every=9)


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_what_is_dumped_and_loaded_plays_on_in_many_games(players: int) -> None:
    for seed in range(80):
        round_trips(GAME, position, boxed(GAME, players), seed, every=9)


def test_the_least_that_is_said() -> None:
    s = GAME.position(TWO)
    assert prompt(s) == ("place", 0) and s["round"][0] == 1 and s["order"][0, :2].tolist() == [0, 1]
    assert (s["tax"] == c.DECK).all() and s["power"][0].tolist() == [1, 1, 0, 0]


def test_a_number_that_no_observation_has_room_for_is_refused() -> None:
    owed = {**TWO, "phase": "building", "event": "event-1", "owed": {"gold": 99}}
    for read in (GAME.position, GAME.load):
        with pytest.raises(PositionError, match=r"owed .* out of the range of observations"):
            read(owed)


def test_the_position_of_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "xerxes.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"echo '(\{.*?\})' > here.json", page, re.S)
    s = GAME.position(json.loads(text))
    assert prompt(s) == ("build", 1) and (s["tax"] == c.HAND).sum() == 4
    assert position.dump(GAME.load(position.dump(s))) == position.dump(s)


@pytest.mark.parametrize(("keys", "asked"), [
    ({"phase": "placement", "order": [1, 0]}, ("place", 1)),
    ({"phase": "placement", "second": True, "seat": 1}, ("place", 1)),
    ({"phase": "building", "event": "event-1", "order": [1, 0], "seat": 0, **seats(resources={"wood": 3})}, ("tax", 0)),
])  # fmt: skip
def test_whose_turn_it_is_says_phase_and_seat(keys: dict[str, Any], asked: tuple[str, int]) -> None:
    hand = {"tax": 5, "march": 3, "resources": dict.fromkeys(c.RESOURCES, 3)}
    told = {**TWO, **keys, "seats": [{"satrap": "India", **hand}, {"satrap": "Lydia", **hand}]}
    assert prompt(GAME.position(told)) in (asked, ("build", asked[1]))


@pytest.mark.parametrize("seed", range(20))
def test_unknown_cards_are_dealt_from_the_deck(seed: int) -> None:
    told = {**TWO, **seats(tax=["tax-03", "?", "?"], tax_out=1, tax_played=["tax-05"], march=2)}
    s = position.load(GAME.box, told, seed)
    assert [int((s["tax"] == at).sum()) for at in (c.HAND, c.OUT, c.PLAYED)] == [3, 1, 1]
    assert s["tax"][0, 2] == c.HAND and s["tax"][0, 4] == c.PLAYED
    assert (s["march"] == c.HAND).sum() == 2 and (s["tax"] == c.DECK).sum() == c.N_TAX - 5


def test_unknown_cards_are_no_hand_that_is_dealt_again() -> None:
    for seed in range(30):
        four = [f"tax-0{card}" for card in range(1, 5)]
        s = position.load(GAME.box, {**TWO, **seats(tax=[*four, "?"], tax_out=1)}, seed)
        dealt = GAME.box["tax_unit"][0][np.isin(s["tax"][0], (c.HAND, c.OUT))]
        assert (dealt < 0).sum() == 4


def test_another_turn_is_put_right_in_the_form() -> None:
    told = GAME.dump(GAME.position(TWO))
    told |= {"now": "building again 1", "event": "event-3", "round": 4}
    told["workers"] |= {"Persis": 1}
    told["seats"]["1"]["resources"] = dict.fromkeys(c.RESOURCES, 3)
    s = GAME.load(told)
    assert prompt(s) == ("build", 1) and s["second"][0] == 1 and s["round"][0] == 4
    assert s["worker"][0, c.AREAS.index("Persis")] == 1 and s["event"][0] == 2
    paths = {field.path for field in GAME.form(s)}
    assert {("now",), ("buildings", "temple"), ("seats", "1", "power")} <= paths
    assert ("workers", "India") not in paths
    assert GAME.form(s, "ja")[0].choices[1].label == "配置フェイズ：太守1の手番"


GAINED = {**TWO, "phase": "building", "event": "event-7",
          **seats(standing=False, resources={"grain": 1, "wood": 2}, gained={"grain": 3, "wood": 2})}  # fmt: skip


@pytest.mark.rule("X-N1")
def test_only_what_lies_on_the_mat_is_lost_of_what_was_gained() -> None:
    s = GAME.position(GAINED)
    there = put(GAME, s, now="resources 1", **{"seats/1/standing": 0})
    assert prompt(there) == ("lose", 0) and there["gained"][0, 0].tolist() == [1, 0, 2, 0, 0, 0]
    less = put(GAME, there, **{"seats/0/resources/grain": 0, "seats/0/resources/wool": 1})
    assert (less["resource"] >= 0).all(), "wood is lost, the only thing that is left of what was gained"
    told = {**GAINED, "phase": "resources", "seat": 1, **seats(standing=False, gained={"gold": 2})}
    assert (GAME.position(told)["resource"] >= 0).all()


@pytest.mark.rule("X-N1")
@pytest.mark.parametrize(("now", "gathers"), [("resources 0", True), ("march 0", True), ("placement 0", False)])
def test_nothing_is_gained_before_the_turn_in_which_it_is(now: str, gathers: bool) -> None:
    there = put(GAME, GAME.position(GAINED), now=now, **{"seats/0/standing": 1})
    home = GAME.box["area_resource"][0, c.INDIA] * gathers
    assert there["gained"][0, 0].tolist() == home.tolist() and prompt(there)[0] == ("lose" if gathers else "place")


@pytest.mark.rule("X-P1")
def test_nobody_places_a_third_worker() -> None:
    placed = {"Persis": 0, "Media": 0, "Elam": 1, "Ionia": 1}
    s = GAME.position({**BUILDING, "phase": "march", **seats(march=3), "workers": placed})
    with pytest.raises(PositionError, match="workers: seat 0 has 2 on the board and has yet to place 2, at most 2"):
        put(GAME, s, now="placement 0")
    with pytest.raises(PositionError, match="workers: seat 1 has 2 on the board and has yet to place 1"):
        put(GAME, s, now="placement again 1")
    there = put(GAME, s, now="placement again 1", **{"workers/Ionia": ""})
    assert prompt(there) == ("place", 1) and (there["worker"][0] >= 0).sum() == 3
    with pytest.raises(PositionError, match="workers: seat 1 has 2 on the board and has yet to place 1"):
        put(GAME, there, **{"workers/Ionia": 1})


@pytest.mark.rule("X-E1")
def test_an_event_is_left_for_every_year_to_come() -> None:
    seen = [f"event-{i}" for i in range(1, 9)]
    said = {**TWO, "round": 7, "second": True, "seat": 1, "workers": {"Persis": 0, "Media": 1, "Elam": 0}}
    with pytest.raises(PositionError, match="events_seen: 8 events, at most 7 with 1 yet to be drawn"):
        GAME.position({**said, "events_seen": seen})
    assert prompt(GAME.position({**said, "events_seen": seen[1:]})) == ("place", 1)
    assert GAME.position({**BUILDING, "round": 7, "events_seen": seen})["event_seen"].sum() == 8
    with pytest.raises(PositionError, match="events_seen: 3 events, at most 2 with 6 yet to be drawn"):
        GAME.position({**BUILDING, "round": 1, "events_seen": seen[:3]})


@pytest.mark.rule("X-A4", "X-A6")
def test_nobody_has_more_cards_than_are_dealt() -> None:
    first: dict[str, Any] = {}
    for s in play(GAME, boxed(GAME, 2), 1).states[:-1]:
        first.setdefault(prompt(s)[0], s)
    for asked, card, said in (
        ("draw_place", "tax-05", "tax cards: seat 1 has 1 and 6 yet to be drawn, at most 6 in all"),
        ("draw_tax", "march-15", "march cards: seat 1 has 1 and 4 yet to be drawn, at most 4 in all"),
        ("draw_march", "march-15", "march cards: seat 1 has 1 and 4 yet to be drawn, at most 4 in all"),
    ):
        with pytest.raises(PositionError, match=said):
            put(GAME, first[asked], **{f"cards/{card}": "hand 1"})
    dealt = put(GAME, first["draw_march"], **{"cards/tax-05": "hand 1"})
    assert dealt["tax"][0, 4] == c.HAND + 1 and cards(dealt, "tax") == cards(first["draw_march"], "tax")


# Laid open


@pytest.mark.parametrize("players", [1, 2, 4])
def test_the_form_shows_nothing_that_who_is_asked_may_not_know(players: int) -> None:
    form_tells_no_secret(GAME, boxed(GAME, players), 3, every=3)


@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_a_table_is_laid_out(players: int) -> None:
    s = GAME.laid(GAME.configure(players))
    assert prompt(s) == ("place", 0) and s["round"][0] == 1 and s["manual_chance"][0] == 1
    assert cards(s, "tax") == [5] * players and cards(s, "march") == [3] * players
    assert cards(s, "tax", c.OUT) == cards(s, "march", c.OUT) == [1] * players
    assert GAME.dump(GAME.load(GAME.dump(s))) == GAME.dump(s)


def test_a_table_is_laid_out_with_the_satraps_of_the_setup() -> None:
    s = GAME.laid(GAME.configure(2, "Assyria,Parthia"))
    assert [c.SATRAPS[satrap] for satrap in s["satrap"][0, :2]] == ["Assyria", "Parthia"]
    assert cards(s, "tax") == [6, 5] and cards(s, "march") == [4, 3] and cards(s, "march", c.OUT) == [0, 1]
    assert s["power"][0, :2].tolist() == [0, 1]


def cards(s: Any, kind: str, at: int = c.HAND) -> list[int]:
    """How many cards each seat has there."""
    return [int((s[kind] == at + seat).sum()) for seat in range(int(s["players"][0]))]


def hand(s: Any, kind: str, seat: int, at: int = c.HAND) -> list[str]:
    return [position.names()[kind][card] for card in np.flatnonzero(s[kind][0] == at + seat)]


def mine(*names: str, seat: int = 0, s: Any = None) -> dict[str, str]:
    """A hand that is told: these cards, and none of those that were believed."""
    believed = GAME.dump(s)["cards"] if s is not None else {}
    gone = {f"cards/{name}": "" for name, place in believed.items() if place.endswith(f" {seat}")}
    return gone | {f"cards/{name}": f"hand {seat}" for name in names}


def test_a_turn_in_the_middle_of_a_game_is_told() -> None:
    s = GAME.laid(GAME.configure(3, "India,Lydia,Assyria"))
    changes = {
        **mine("tax-02", "tax-05", "tax-09", "tax-20", "march-03", "march-07", s=s),
        "cards/tax-12": "out 0", "cards/march-16": "out 0", "cards/march-01": "played 0", "cards/tax-11": "played 0",
        "cards/march-02": "played 1", "cards/tax-01": "played 2", "cards/tax-24": "played 2", "round": 3,
        "order/0": 2, "order/1": 0, "order/2": 1, "now": "march 0", "event": "event-3", "events_seen/event-1": 1,
        "seats/1/vp": 9, "workers/Persis": 0,
    }  # fmt: skip
    there = put(GAME, s, **changes)
    assert prompt(there)[1] == 0 and there["order"][0, :3].tolist() == [2, 0, 1]
    assert hand(there, "tax", 0) == ["tax-02", "tax-05", "tax-09", "tax-20"] and cards(there, "tax") == [4, 5, 4]
    assert hand(there, "march", 0) == ["march-03", "march-07"] and cards(there, "march") == [2, 2, 4]
    assert hand(there, "march", 1, c.PLAYED) == ["march-02"] and cards(there, "tax", c.OUT) == [1, 1, 0]
    assert there["event_seen"][0, [0, 2]].tolist() == [1, 1]
    for seed in range(9):
        world = GAME.resample(there, 0, np.random.default_rng(seed))
        assert hand(world, "tax", 0) == hand(there, "tax", 0) and cards(world, "tax") == cards(there, "tax")


def test_a_hand_is_told_where_another_is_asked() -> None:
    s = GAME.laid(GAME.configure(2))
    there = put(GAME, s, now="placement 1", **mine("tax-03", "tax-04", "march-05", seat=1))
    assert prompt(there) == ("place", 1) and {"tax-03", "tax-04"} <= set(hand(there, "tax", 1))
    assert set(hand(s, "march", 0)) - {"march-05"} <= set(hand(there, "march", 0))
    assert cards(there, "tax") == [5, 5] and cards(there, "march") == [3, 3], "others are dealt for those"


def test_a_card_of_a_hidden_hand_that_lies_elsewhere_is_dealt_anew() -> None:
    s = GAME.laid(GAME.configure(2))
    first, *rest = hand(s, "tax", 1)
    there = put(GAME, s, **{f"cards/{first}": "played 0", f"cards/{hand(s, 'tax', 0)[0]}": ""})
    assert (
        set(rest) <= set(hand(there, "tax", 1)) and cards(there, "tax")[1] == 5 and first not in hand(there, "tax", 1)
    )
    played = put(GAME, s, **{f"cards/{first}": "played 1"})
    assert hand(played, "tax", 1) == rest and hand(played, "tax", 1, c.OUT) == hand(s, "tax", 1, c.OUT)
    assert (put(GAME, s, round=3)["tax"] == s["tax"]).all()


def test_of_a_hand_that_is_told_whole_nothing_more_is_taken_to_be_discarded() -> None:
    s = GAME.position({**TWO, **seats(tax=[f"tax-{card:02}" for card in range(1, 7)])})
    again = put(GAME, s, **{"seats/1/vp": 3})
    assert cards(again, "tax") == [6, 0] and cards(again, "tax", c.OUT) == [0, 0]


def test_another_satrap_discards_otherwise() -> None:
    s = put(GAME, GAME.laid(GAME.configure(2)), **{"seats/1/satrap": "Assyria"})
    assert cards(s, "tax") == [5, 6] and cards(s, "march", c.OUT) == [1, 0] and s["power"][0, 1] == 0
    back = put(GAME, s, **{"seats/1/satrap": "Bactria"})
    assert cards(back, "tax") == [5, 5] and cards(back, "tax", c.OUT) == [1, 1]


@pytest.mark.parametrize(("path", "value", "said"), [
    ("cards/tax-01", "hand 2", "choose one of"),
    ("cards/tax-01", 3, "cards.tax-01: no 3"),
    ("cards/tax-99", "", "cards: key: no 'tax-99'"),
    ("cards", [], "cards: expected a table"),
    ("seats/1/satrap", "Babylonia", "the mat of Babylonia is that of Aegyptus"),
    ("order", {"0": 1, "1": 1}, "names a seat twice"),
    ("seats", 3, "seats: expected a list"),
    ("players", "two", "players"),
    ("box", 7, "box"),
])  # fmt: skip
def test_what_cannot_lie_there_is_named(path: str, value: Any, said: str) -> None:
    s = GAME.laid(GAME.configure(2))
    with pytest.raises(PositionError, match=re.escape(said)):
        GAME.load(changed(GAME, s, **{path: value}))


def test_what_is_laid_open_and_spoilt_is_refused_or_plays_on() -> None:
    spoilt_is_refused_or_plays_on(GAME, GAME.dump(GAME.laid(GAME.configure(2))), GAME.load)


#: What is said besides two satraps, and what the error names.
IMPOSSIBLE: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "unknown key": ({"rond": 3}, ("rond", "did you mean round?")),
    "players": ({"players": 5}, ("players", "5", "1 to 4")),
    "round": ({"round": 8}, ("round", "8", "1 to 7")),
    "phase": ({"phase": "marsh"}, ("phase", "did you mean march?", "building")),
    "phase without turns": ({"phase": "turn_order", "event": "event-1"}, ("phase", "turn_order", "pending")),
    "event": ({"event": "event-9"}, ("event", "'event-9'", "event-1")),
    "no event": ({"phase": "tax"}, ("event is missing", "tax", "event-1")),
    "events seen": ({"events_seen": ["event-1", "event-1"]}, ("events_seen", "twice")),
    "whose turn": ({"seat": 2}, ("seat", "2", "0 to 1")),
    "order": ({"order": [0, 0]}, ("order", "twice")),
    "half an order": ({"order": [0]}, ("order", "0 to 1")),
    "satrap": ({"seats": [{"satrap": "Indus"}]}, ("seats[0].satrap", "India")),
    "no satrap": ({"seats": [{"satrap": "India"}]}, ("seats[1].satrap is missing",)),
    "one mat": ({"seats": [{"satrap": "India"}, {"satrap": "Parthia"}]}, ("seats[1].satrap", "Parthia", "India")),
    "resource": (seats(resources={"iron": 1}), ("seats[0].resources", "'iron'", "copper")),
    "full mat": (seats(resources={"gold": 4}), ("seats[0].resources.gold", "4", "at most 3")),
    "vp": (seats(vp=-1), ("seats[0].vp", "-1")),
    "card": (seats(tax=["tax-25"]), ("seats[0].tax", "'tax-25'", "tax-01")),
    "card of the other deck": (seats(tax=["march-01"]), ("seats[0].tax", "'march-01'")),
    "card twice": (seats(tax=["tax-01"], tax_out=["tax-01"]), ("seats[0].tax_out", "tax-01", "elsewhere")),
    "more cards than are dealt": (seats(tax=25), ("tax cards: seat 0 has 25", "at most 6")),
    "more cards than the deck": (seats(tax_out=25), ("25 unknown tax cards", "the deck has 24")),
    "unknown and open": (seats(tax_played=["?"]), ("seats[0].tax_played", "'?'")),
    "worker": ({"workers": {"Elan": 0}}, ("workers", "did you mean Elam?")),
    "worker of nobody": ({"workers": {"Elam": 2}}, ("workers.Elam", "2", "0 to 1")),
    "workers": ({"workers": {"Elam": 0, "Ionia": 0, "Media": 0}}, ("workers", "seat 0 has 3", "at most 2")),
    "home": ({"workers": {"Lydia": 0}}, ("workers.Lydia", "home of seat 1")),
    "building": ({"buildings": {"tower": 0}}, ("buildings", "'tower'", "temple")),
    "buildings": ({"buildings": dict.fromkeys(c.BUILDINGS[:4], 0)}, ("buildings", "seat 0 has 4", "at most 3")),
    "step": ({"pending": ["build"]}, ("pending[0]", "build cannot follow halt", "turns")),
    "round that is not whole": ({"pending": ["end_round", {"step": "turns", "phase": "tax", "place": 0, "second": 0}]},
                                ("pending[1]", "turns cannot follow end_round")),
    "argument": ({"pending": ["end_round", {"step": "next_place", "seat": 0}]}, ("pending[1]", "needs 'n'")),
    "place": ({"pending": ["end_round", {"step": "next_place", "seat": 0, "n": 1}]}, ("place 1", "0 seats")),
    "argument in words": ({"pending": ["end_round", {"step": "next_place", "seat": "India", "n": 0}]},
                          ("pending[1].seat", "'India'")),
    "now": ({"now": "marching 0"}, ("now", "'marching 0'", "march 0")),
    "machine": ({"machine": {"rank": [9, 0, 0, 0]}}, ("machine.rank", "0 to 4")),
}  # fmt: skip


@pytest.mark.parametrize("name", list(IMPOSSIBLE))
def test_what_cannot_be_is_named(name: str) -> None:
    keys, said = IMPOSSIBLE[name]
    with pytest.raises(PositionError) as error:
        GAME.position({**TWO, **keys})
    assert all(words in str(error.value) for words in said), str(error.value)


REST = ["end_round", "turn_order"]
TAX, MARCH = ({"step": "turns", "phase": phase, "place": 1, "second": 0} for phase in ("tax", "march"))
BUILD = {**TAX, "phase": "building"}


@pytest.mark.parametrize(("pending", "said"), [
    ([*REST, BUILD], "the last 3 steps of a round are end_round, turn_order, turns of tax"),
    ([*REST, TAX, TAX], "the last 4 steps of a round are end_round, turn_order, turns of tax, turns of building"),
    ([*REST, {**TAX, "place": 3}], "place 3, with 2 players"),
    ([*REST, TAX, {"step": "build", "seat": 0}], "build comes in phase building"),
    ([*REST, TAX, {"step": "tax", "seat": 0}, {"step": "taxed", "seat": 0, "tax": "tax-01"},
      {"step": "pay", "seat": 0}],
     "seat 0 cannot pay: 1 resources are missing, 0 may be replaced"),
])  # fmt: skip
def test_a_round_that_cannot_be_is_named(pending: list[Any], said: str) -> None:
    with pytest.raises(PositionError, match=said):
        GAME.position({**BUILDING, "phase": "tax", "owed": {"gold": 1}, "pending": pending})


def test_numbers_by_chance_are_refused_or_play_on() -> None:
    s = GAME.position({**BUILDING, **seats(resources={"gold": 3}, tax=5)})
    spoilt_is_refused_or_plays_on(GAME, position.dump(s), lambda told: position.load(GAME.box, told))
