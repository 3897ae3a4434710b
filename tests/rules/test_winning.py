"""Winning and losing (rulebook pp. 12, 33-34, 50, 62-66)."""

from __future__ import annotations

from typing import Any

import pytest

from sammu_env import constants as c
from tests.table import Table

CAPITALS = {
    "Assyria": "Kalhu", "Phrygia": "Gordium", "Urartu": "Tushpa", "Medes": "Ecbatana", "Babylonia": "Babylon",
    "Elam": "Susa", "Canaan": "Jerusalem", "Cyprus": "Salamis", "Egypt": "Men-nefer", "Kush": "Napata",
}  # fmt: skip
Keys = dict[str, Any]


def gates(*areas: str) -> Keys:
    return {"areas": {area: {"gate": True} for area in areas}}


def tokens(kind: str, n: int, *areas: str) -> Keys:
    """So many of a kind in each area."""
    if kind in ("military", "diviner"):
        return {"locations": {CAPITALS[area]: {kind: n} for area in areas}}
    return {"areas": {area: {kind: n} for area in areas}}


def at(location: str, **row: int) -> Keys:
    return {"locations": {location: row}}


def holds(who: str, **goods: int) -> Keys:
    return {"characters": {who: {"location": "Kalhu", "goods": goods}}}


def stand(location: str, *names: str) -> Keys:
    return {"characters": {name: {"location": location} for name in names}}


def merged(*parts: Keys) -> Keys:
    """Later parts overrule earlier ones, down to single figures."""
    found: Keys = {}
    for part in parts:
        for key, value in part.items():
            both = isinstance(value, dict) and isinstance(found.get(key), dict)
            found[key] = merged(found[key], value) if both else value
    return found


#: Enough of everything not to be defeated: one of each token, and Assyria's gate.
SAFE = merged(tokens("military", 1, "Assyria"), tokens("diviner", 1, "Assyria"), tokens("supply", 1, "Assyria"),
              tokens("medicine", 1, "Assyria"), gates("Assyria"))  # fmt: skip
FIVE = ("Assyria", "Phrygia", "Babylonia", "Canaan", "Egypt")
FOUR = FIVE[1:]
REBELS = ("Babylonia", "Phrygia", "Canaan")
RICH = {"textile": 10, "iron": 10, "copper": 10, "gold": 10, "lapis": 10}
GUESTS = ("Lilith", "Amunet", "Ithobaal", "Marsyas")
TEN = ("Besime", "Younan", "Dinah", "Wardiya", *GUESTS, "Deioces", "Katuzili")

#: For each challenge a position that just meets the condition, and what makes it just fail.
CONDITIONS: dict[str, tuple[Keys, dict[str, Keys]]] = {
    "SAM-179": (
        merged(tokens("military", 3, *REBELS), at("Gordium", military=2), at("Elmali", military=1),
               tokens("diviner", 1, *REBELS)),
        {"unrest": at("Susa", unrest=1), "military in Phrygia": at("Elmali", military=0),
         "military in Babylonia": at("Babylon", military=2), "military in Canaan": at("Jerusalem", military=2),
         "diviner in Canaan": at("Jerusalem", diviner=0), "diviner in Babylonia": at("Babylon", diviner=0),
         "diviner in Phrygia": at("Gordium", diviner=0)},
    ),
    "SAM-180": (
        tokens("diviner", 3, *FOUR),
        {"none in Assyria": at("Kalhu", diviner=0)} | {f"two in {x}": tokens("diviner", 2, x) for x in FOUR},
    ),
    "SAM-181": (
        merged(gates("Egypt"), at("Napata", military=1), at("Meroe", military=1)),
        {"no gate": {"areas": {"Egypt": {"gate": False}}}, "Napata": at("Napata", military=0),
         "Meroe": at("Meroe", military=0), "both at Napata": merged(at("Meroe", military=0), at("Napata", military=2))},
    ),
    "SAM-182": (
        merged(stand("Kalhu", "Lilith", "Amunet"), stand("Arbela", "Ithobaal"), stand("Ashur", "Marsyas")),
        {f"{x} elsewhere": stand("Opis", x) for x in GUESTS}
        | {"one away": {"characters": {"Lilith": {"status": "away"}}}},
    ),
    "SAM-183": (
        merged(gates("Medes", "Elam"), holds("Besime", lapis=12), holds("Sammu-ramat", lapis=8)),
        {x: {"areas": {x: {"gate": False}}} for x in ("Medes", "Elam")} | {"nineteen": holds("Besime", lapis=11)},
    ),
    "SAM-184": (gates(*FIVE, "Kush"), {"five": {"areas": {"Kush": {"gate": False}}}}),
    "SAM-185": (
        merged(gates("Egypt", "Kush"), at("Napata", military=2), at("Meroe", military=1)),
        {"unrest": at("Gordium", unrest=1), "Egypt": {"areas": {"Egypt": {"gate": False}}},
         "Kush": {"areas": {"Kush": {"gate": False}}}, "two military": at("Meroe", military=0)},
    ),
    "SAM-186": (
        tokens("military", 3, *FOUR),
        {"none in Assyria": at("Kalhu", military=0)} | {f"two in {x}": tokens("military", 2, x) for x in FOUR},
    ),
    "SAM-187": (
        tokens("military", 17, "Assyria"),
        {"an enemy": at("Meroe", enemy=1), "sixteen": tokens("military", 16, "Assyria")},
    ),
    "SAM-188": (
        gates("Babylonia", "Egypt"),
        {x: {"areas": {x: {"gate": False}}} for x in ("Babylonia", "Egypt")},
    ),
    "SAM-189": (
        merged(tokens("diviner", 4, "Assyria", "Kush", "Elam"), tokens("diviner", 3, "Medes")),
        {"fourteen": tokens("diviner", 2, "Medes"),
         "three areas": merged(tokens("diviner", 0, "Medes"), tokens("diviner", 7, "Elam"))},
    ),
    "SAM-190": (
        tokens("diviner", 1, *FIVE),
        {"an enemy": at("Meroe", enemy=1)}
        | {f"none in {x}": merged(at("Susa", diviner=1), tokens("diviner", 0, x)) for x in FIVE},
    ),
    "SAM-191": (
        merged(tokens("medicine", 3, *REBELS), tokens("military", 1, *REBELS)),
        {f"two medicine in {x}": tokens("medicine", 2, x) for x in REBELS}
        | {f"no military in {x}": tokens("military", 0, x) for x in REBELS},
    ),
    "SAM-192": (
        tokens("medicine", 3, *FIVE),
        {"fourteen": tokens("medicine", 2, "Egypt"),
         "four areas": merged(tokens("medicine", 0, "Egypt"), tokens("medicine", 6, "Canaan"))},
    ),
    "SAM-193": (
        merged(gates("Phrygia", "Canaan", "Cyprus", "Egypt"), at("Sardes", military=1), at("Damascus", military=1),
               holds("Besime", gold=4), holds("Dinah", gold=6)),
        {x: {"areas": {x: {"gate": False}}} for x in ("Phrygia", "Canaan", "Cyprus", "Egypt")}
        | {"Sardes": at("Sardes", military=0), "Damascus": at("Damascus", military=0),
           "nine gold": merged(holds("Dinah", gold=5), holds("Sammu-ramat", gold=5))},
    ),
    "SAM-194": (
        merged(holds("Besime", **RICH), at("Ashur", military=5), at("Kalhu", military=1), at("Opis", military=4)),
        {f"nine {x}": holds("Besime", **{x: 9}) for x in RICH}
        | {"the queen's goods": merged(holds("Besime", gold=9), holds("Sammu-ramat", gold=1)),
           "nine military": at("Opis", military=3),
           "all in one": {"locations": {"Opis": {"military": 0}, "Ashur": {"military": 9}}}},
    ),
    "SAM-195": (
        stand("Kalhu", *TEN),
        {"nine": {"characters": {"Katuzili": {"status": "dead"}}}}
        | {"nine and one away": {"characters": {"Katuzili": {"status": "away"}}}},
    ),
    "SAM-196": (
        merged(gates("Phrygia", "Babylonia", "Elam"), at("Sardes", military=1)),
        {x: {"areas": {x: {"gate": False}}} for x in ("Phrygia", "Babylonia", "Elam")}
        | {"Sardes": at("Sardes", military=0)},
    ),
    "SAM-197": (
        tokens("supply", 3, *FIVE),
        {"fourteen": tokens("supply", 2, "Egypt"),
         "four areas": merged(tokens("supply", 0, "Egypt"), tokens("supply", 6, "Canaan"))},
    ),
    "SAM-198": (
        merged(gates("Cyprus", "Babylonia"), holds("Besime", iron=7, copper=15), holds("Dinah", iron=8)),
        {x: {"areas": {x: {"gate": False}}} for x in ("Cyprus", "Babylonia")}
        | {"fourteen iron": merged(holds("Dinah", iron=7), holds("Sammu-ramat", iron=1)),
           "fourteen copper": holds("Besime", iron=7, copper=14)},
    ),
}  # fmt: skip
SHORT = [(card, name) for card, (_, short) in CONDITIONS.items() for name in short]


def outcome(card: str, *parts: Keys) -> tuple[str, str]:
    """Result and cause after stage 7."""
    keys = merged(*parts)
    for row in keys.get("characters", {}).values():
        if row.get("status") in ("away", "dead"):
            row.pop("location", None)
    table = Table(card, **keys).stage("outcome")
    return c.RESULTS[table["result"]], c.CAUSES[table["cause"]]


@pytest.mark.rule("W1")
@pytest.mark.parametrize("card", CONDITIONS)
def test_the_condition_is_just_met(card: str) -> None:
    assert outcome(card, SAFE, CONDITIONS[card][0]) == ("won", "challenge met")


@pytest.mark.rule("W1")
@pytest.mark.parametrize(("card", "name"), SHORT)
def test_the_condition_is_just_not_met(card: str, name: str) -> None:
    met, short = CONDITIONS[card]
    reserve = {"locations": {"Anshan": {"military": 1, "diviner": 1}}} if card not in ("SAM-187", "SAM-189") else {}
    assert outcome(card, SAFE, reserve, met, short[name]) == ("running", "none")


@pytest.mark.rule("W1")
def test_all_twenty_conditions_are_here() -> None:
    assert list(CONDITIONS) == [f"SAM-{n}" for n in range(179, 199)]


@pytest.mark.rule("W1")
def test_the_condition_may_be_met_in_the_last_month() -> None:
    assert outcome("SAM-188", SAFE, CONDITIONS["SAM-188"][0], {"month": 6}) == ("won", "challenge met")


@pytest.mark.rule("W2")
@pytest.mark.parametrize(
    ("change", "cause"),
    [
        (tokens("medicine", 0, "Assyria"), "no medicine"),
        (tokens("supply", 0, "Assyria"), "no supply"),
        (tokens("diviner", 0, "Assyria"), "no diviners"),
        (tokens("military", 0, "Assyria"), "no military"),
        ({"areas": {"Assyria": {"gate": False}}}, "no gate left"),
        ({"areas": {"Assyria": {"gate": False}, "Medes": {"gate": True}}}, "Assyria's gate lost"),
        ({"queen": {"assassination": 3}}, "Sammu-ramat assassinated"),
    ],
)
def test_defeats(change: Keys, cause: str) -> None:
    assert outcome("SAM-188", SAFE) == ("running", "none")
    assert outcome("SAM-188", SAFE, change) == ("lost", cause)


@pytest.mark.rule("W2")
def test_two_assassination_markers_are_borne() -> None:
    assert outcome("SAM-188", SAFE, {"queen": {"assassination": 2}}) == ("running", "none")


@pytest.mark.rule("W2")
def test_a_third_assassination_marker_may_still_be_cured_before_stage_seven() -> None:
    table = Table("SAM-188", **merged(SAFE, {"queen": {"assassination": 2}})).stage("event", "SAM-033")
    assert table.queen() == {"assassination": 3}
    assert table["result"] == c.RUNNING


@pytest.mark.rule("W3")
def test_losing_sammu_ramats_location_to_an_attack_loses_at_once() -> None:
    place = {"Meroe": {"enemy": 2}, "Napata": {"military": 1}}
    keys = merged(SAFE, {"locations": place}, stand("Napata", "Sammu-ramat"))
    table = Table("SAM-188", **keys).stage("enemy_attack")
    assert (c.RESULTS[table["result"]], c.CAUSES[table["cause"]]) == ("lost", "Sammu-ramat's location lost")
    assert table.prompt() == "halt"


@pytest.mark.rule("W3")
def test_sammu_ramat_is_safe_behind_an_equal_force() -> None:
    keys = merged(SAFE, at("Meroe", enemy=1), at("Napata", military=1), stand("Napata", "Sammu-ramat"))
    assert Table("SAM-188", **keys).stage("enemy_attack")["result"] == c.RUNNING


@pytest.mark.rule("W3")
def test_it_is_lost_to_added_enemies_and_to_raids_too() -> None:
    keys = merged(SAFE, {"month": 5, "players": 2}, stand("Ecbatana", "Sammu-ramat"))
    assert Table("SAM-188", **keys).stage("monthly_effect")["result"] == c.LOST
    keys = merged(SAFE, stand("Jerusalem", "Sammu-ramat"), at("Tyre", enemy=1))
    keys |= {"month": 7, "players": 2, "bag": {"raid": 1}, "events": {"previous_area": "Canaan"}}
    assert Table("SAM-188", **keys).stage("monthly_effect")["result"] == c.LOST


@pytest.mark.rule("W4")
@pytest.mark.parametrize(("goods", "result"), [(4, c.LOST), (5, c.RUNNING)])
def test_unpaid_corruption_loses(goods: int, result: int) -> None:
    people = {"Besime": {"location": "Tushpa", "player": 0, "goods": {"iron": goods}},
              "Sammu-ramat": {"location": "Kalhu", "goods": {"iron": 5}}}  # fmt: skip
    keys = merged(SAFE, {"areas": {"Assyria": {"supply": 3}}, "characters": people, "players": 2})
    table = Table("SAM-188", **keys).stage("event", "SAM-025")
    assert table["result"] == c.RUNNING
    table.stage("actions")
    while table.prompt() in ("consult", "first_player", "turn"):
        table.choose("done" if "done" in table.options() else table.options()[0])
    assert table["result"] == result
    if result == c.LOST:
        assert c.CAUSES[table["cause"]] == "unpaid corruption"


@pytest.mark.rule("W4")
@pytest.mark.parametrize(("players", "last"), [(1, 7), (2, 8), (3, 6), (4, 6), (5, 5)])
def test_the_last_month_without_the_win_loses(players: int, last: int) -> None:
    assert outcome("SAM-188", SAFE, {"players": players, "month": last - 1}) == ("running", "none")
    assert outcome("SAM-188", SAFE, {"players": players, "month": last}) == ("lost", "out of months")
