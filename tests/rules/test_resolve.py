"""Stage 6: the empire board, Sammu-ramat, and the gates (rulebook pp. 31-34)."""

from __future__ import annotations

from typing import Any

import pytest

from sammu_env import constants as c
from tests.table import Table

#: One military and one diviner in the capital, one supply and one medicine in the area.
HELD = {"military": 1, "diviner": 1}
STOCKED = {"supply": 1, "medicine": 1}


def board(military: int, supply: int, diviner: int, medicine: int, **keys: Any) -> Table:
    """Tokens of Assyria, and the empire board checked."""
    keys.setdefault("events", {"current": "SAM-026"})
    t = Table(month=2, locations={"Kalhu": {"military": military, "diviner": diviner}, **keys.pop("locations", {})},
              areas={"Assyria": {"supply": supply, "medicine": medicine}}, **keys)  # fmt: skip
    return t.stage("empire_board")


def tracks(t: Table) -> list[int]:
    return [t.on_map(kind) for kind in ("military", "supply", "diviner", "medicine")]


def gate_check(location: dict[str, int], area: dict[str, Any], **keys: Any) -> Table:
    """Canaan's gate checked; Jerusalem and the area as given."""
    locations = {"Jerusalem": location, **keys.pop("locations", {})}
    return Table(locations=locations, areas={"Canaan": area}, **keys).stage("gates")


# R1: limits


@pytest.mark.rule("R1")
def test_worked_example_military_beyond_the_supply_is_removed() -> None:
    t = board(13, 4, 6, 4)
    assert tracks(t) == [10, 4, 6, 4]


@pytest.mark.rule("R1")
def test_the_team_chooses_which_military_goes() -> None:
    t = board(10, 4, 6, 4, locations={"Tyre": {"military": 1}})
    assert set(t.options()) == {"Kalhu", "Tyre"}
    t.choose("Tyre")
    assert t.at("Tyre") == {}
    assert t.on_map("military") == 10


@pytest.mark.rule("R1")
@pytest.mark.parametrize(("tokens", "left"), [
    ([5, 5, 13, 5], [5, 5, 10, 5]),  # diviners 11-15 need 6 medicine
    ([5, 5, 13, 6], [5, 5, 13, 6]),
    ([5, 13, 5, 5], [5, 10, 5, 5]),  # supply 11-15 needs 6 diviners
    ([5, 13, 6, 5], [5, 13, 6, 5]),
    ([14, 5, 5, 5], [10, 5, 5, 5]),  # military 11-15 needs 6 supply
    ([14, 6, 5, 5], [14, 6, 5, 5]),
    ([18, 10, 5, 5], [15, 10, 5, 5]),  # military 16-20 needs 11 supply
    ([18, 5, 5, 5], [10, 5, 5, 5]),
    ([18, 11, 6, 5], [18, 11, 6, 5]),
    ([10, 10, 10, 3], [10, 10, 10, 3]),
])  # fmt: skip
def test_limits(tokens: list[int], left: list[int]) -> None:
    t = board(*tokens)
    assert tracks(t) == left


@pytest.mark.rule("R1")
def test_limits_are_checked_diviner_supply_military() -> None:
    assert tracks(board(18, 13, 5, 5)) == [15, 10, 5, 5]
    assert tracks(board(16, 12, 11, 5)) == [16, 12, 10, 5]


@pytest.mark.rule("R1")
def test_abilities_do_not_count_for_the_limits() -> None:
    people = {name: {"location": "Kalhu"} for name in ("Younan", "Lilith", "Apollonios")}
    assert tracks(board(5, 5, 13, 5, characters=people)) == [5, 5, 10, 5]


# R2: tracks at 2 and 1


@pytest.mark.rule("R2")
@pytest.mark.parametrize(("tokens", "marker"), [
    ([2, 5, 5, 5], "raid"), ([5, 2, 5, 5], "unrest"), ([5, 5, 2, 5], "assassination"), ([5, 5, 5, 2], "plague"),
])  # fmt: skip
def test_a_track_at_two_bags_its_red_marker(tokens: list[int], marker: str) -> None:
    assert board(*tokens).bag() == {marker: 1}


@pytest.mark.rule("R2")
@pytest.mark.parametrize("tokens", [[1, 5, 5, 5], [5, 1, 5, 5], [5, 5, 1, 5], [5, 5, 5, 1]])
def test_a_track_at_one_draws_a_marker_for_this_months_area(tokens: list[int]) -> None:
    t = board(*tokens, bag={"unrest": 1})
    assert t.bag() == {}
    assert t.at("Gordium") == {"unrest": 1}


@pytest.mark.rule("R2")
def test_several_low_tracks_each_count() -> None:
    t = board(2, 2, 2, 5)
    assert t.bag() == {"raid": 1, "assassination": 1, "unrest": 1}


@pytest.mark.rule("R2")
def test_a_track_at_three_does_nothing() -> None:
    t = board(3, 3, 3, 3, bag={"unrest": 1})
    assert t.bag() == {"unrest": 1}


# R3: Sammu-ramat


def queen_at(location: str, **keys: Any) -> Table:
    characters = {"Sammu-ramat": {"location": location, **keys.pop("queen_row", {})}, **keys.pop("characters", {})}
    return Table(characters=characters, **keys).stage("queen")


@pytest.mark.rule("R3")
@pytest.mark.parametrize("location", ["Tushpa", "Damascus", "Sardes", "Opis"])
def test_worked_example_the_queen_without_escort_abroad(location: str) -> None:
    assert queen_at(location).queen() == {"assassination": 1}


@pytest.mark.rule("R3")
@pytest.mark.parametrize("location", ["Kalhu", "Ashur", "Nineveh", "Arbela"])
def test_the_queen_is_safe_in_assyria(location: str) -> None:
    assert queen_at(location).queen() == {}


@pytest.mark.rule("R3")
@pytest.mark.parametrize("keys", [
    {"locations": {"Tushpa": {"military": 1}}},
    {"characters": {"Wardiya": {"location": "Tushpa"}}},
    {"characters": {"Marsyas": {"location": "Tushpa", "technologies": ["Shield"]}}},
    {"queen_row": {"technologies": ["Shield"]}},
])  # fmt: skip
def test_any_defence_beside_the_queen_keeps_her_safe(keys: dict[str, Any]) -> None:
    assert queen_at("Tushpa", **keys).queen() == {}


@pytest.mark.rule("R3")
def test_company_without_defence_does_not_help() -> None:
    t = queen_at("Tushpa", characters={"Marsyas": {"location": "Tushpa"}}, locations={"Tushpa": {"diviner": 2}})
    assert t.queen() == {"assassination": 1}


@pytest.mark.rule("R3")
def test_military_elsewhere_in_the_area_does_not_help() -> None:
    assert queen_at("Tushpa", locations={"Bastam": {"military": 3}}).queen() == {"assassination": 1}


# R4: the gate check


@pytest.mark.rule("R4", "R5")
def test_worked_example_a_gate_at_jerusalem_brings_ithobaal() -> None:
    t = gate_check(HELD, STOCKED)
    assert t.area("Canaan") == {"gate": True, **STOCKED}
    assert t.at("Jerusalem") == HELD
    ithobaal = t.who("Ithobaal")
    assert ithobaal["location"] == "Jerusalem"
    assert ithobaal["status"] == "in play"
    assert ithobaal["side"] == "public"
    assert sum(ithobaal["goods"].values()) == 3


@pytest.mark.rule("R4")
@pytest.mark.parametrize(("location", "area"), [
    ({"diviner": 1}, STOCKED), ({"military": 1}, STOCKED), (HELD, {"supply": 1}), (HELD, {"medicine": 1}),
])  # fmt: skip
@pytest.mark.parametrize("gate", [False, True])
def test_without_all_four_no_gate_stands(location: dict[str, int], area: dict[str, int], gate: bool) -> None:
    t = gate_check(location, {**area, **({"gate": True} if gate else {})})
    assert "gate" not in t.area("Canaan")


@pytest.mark.rule("R4")
def test_military_and_diviner_must_be_in_the_capital() -> None:
    t = gate_check({"diviner": 1}, STOCKED, locations={"Tyre": {"military": 2}})
    assert "gate" not in t.area("Canaan")


@pytest.mark.rule("R4")
@pytest.mark.parametrize("marker", ["unrest", "plague"])
@pytest.mark.parametrize("at", ["Jerusalem", "Samaria"])
@pytest.mark.parametrize("gate", [False, True])
def test_unrest_or_plague_in_the_area_forbids_the_gate(marker: str, at: str, gate: bool) -> None:
    area = {**STOCKED, **({"gate": True} if gate else {})}
    locations = {"Jerusalem": dict(HELD)}
    locations.setdefault(at, {})[marker] = 1
    t = Table(locations=locations, areas={"Canaan": area}).stage("gates")
    assert "gate" not in t.area("Canaan")


@pytest.mark.rule("R4")
def test_a_gate_stands_and_spends_nothing() -> None:
    t = gate_check(HELD, {"gate": True, **STOCKED})
    assert t.area("Canaan") == {"gate": True, **STOCKED}
    assert t.at("Jerusalem") == HELD


@pytest.mark.rule("R4")
def test_tokens_on_a_gate_may_be_moved_away_at_the_price_of_the_next_check() -> None:
    t = Table(
        stage="actions", locations={"Jerusalem": HELD}, areas={"Canaan": {"gate": True, **STOCKED}},
        characters={"Dinah": {"location": "Jerusalem", "consulted": True, "actions": 2}},
    ).choose("move", "Ashur", "military", "done")  # fmt: skip
    assert t.at("Ashur") == {"military": 1}
    t.stage("gates")
    assert "gate" not in t.area("Canaan")


@pytest.mark.rule("R4")
def test_abilities_do_not_count_for_a_gate() -> None:
    t = gate_check({"diviner": 1}, {"supply": 1}, characters={
        "Besime": {"location": "Jerusalem"}, "Younan": {"location": "Jerusalem"},
    })  # fmt: skip
    assert "gate" not in t.area("Canaan")


@pytest.mark.rule("R4", "W2")
def test_assyrias_gate_is_checked_like_any_other() -> None:
    t = Table(areas={"Assyria": {"gate": True, **STOCKED}}, locations={"Kalhu": {"military": 1}}).stage("gates")
    assert "gate" not in t.area("Assyria")


# R5, R6: advisors who come and go


@pytest.mark.rule("R6")
@pytest.mark.parametrize("owner", [{}, {"player": 1}])
def test_a_lost_gate_sends_its_advisors_away_with_what_they_have(owner: dict[str, int]) -> None:
    row = {"location": "Tyre", "goods": {"gold": 2}, "technologies": ["Sun"], **owner}
    t = gate_check({"diviner": 1}, {"gate": True, **STOCKED}, characters={"Ithobaal": row})
    ithobaal = t.who("Ithobaal")
    assert ithobaal["status"] == "away"
    assert "location" not in ithobaal
    assert ithobaal["goods"] == {"gold": 2}
    assert ithobaal["technologies"] == ["Sun"]


@pytest.mark.rule("R5")
def test_an_advisor_who_had_left_returns_with_all_they_had() -> None:
    away = {"status": "away", "goods": {"gold": 2}, "technologies": ["Sun"]}
    t = gate_check(HELD, STOCKED, characters={"Ithobaal": away})
    ithobaal = t.who("Ithobaal")
    assert ithobaal["location"] == "Jerusalem"
    assert ithobaal["goods"] == {"gold": 2}
    assert ithobaal["technologies"] == ["Sun"]


@pytest.mark.rule("R5")
def test_the_dead_do_not_return() -> None:
    t = gate_check(HELD, STOCKED, characters={"Ithobaal": {"status": "dead"}})
    assert t.area("Canaan")["gate"]
    assert t.who("Ithobaal")["status"] == "dead"


@pytest.mark.rule("R6")
def test_a_lost_gate_sends_away_only_its_own_advisors() -> None:
    t = gate_check({"diviner": 1}, {"gate": True, **STOCKED}, characters={
        "Ithobaal": {"location": "Kalhu"}, "Besime": {"location": "Jerusalem"},
    })  # fmt: skip
    assert t.who("Ithobaal")["status"] == "away"
    assert t.who("Besime")["location"] == "Jerusalem"


@pytest.mark.rule("R5")
def test_easier_games_give_new_advisors_more_goods() -> None:
    t = gate_check(HELD, STOCKED, start_goods=5)
    assert sum(t.who("Ithobaal")["goods"].values()) == 5


# SAM-010 in the resolve phase


def hunted(n: int, **keys: Any) -> Table:
    """Sammu-ramat outside Assyria with Lilith and so many markers on her."""
    people = {"Sammu-ramat": {"location": "Babylon"}, "Lilith": {"location": "Babylon"}} | keys.pop("characters", {})
    return Table(characters=people, queen={"assassination": n}, **keys)


@pytest.mark.rule("R3", "W2", "A11")
def test_lilith_heals_sammu_ramat_after_the_third_marker() -> None:
    """p. 32: she dies at stage 7 unless there is a way to heal her (彼女を治療する術がなければ)."""
    t = hunted(2).stage("queen")
    assert t.queen() == {"assassination": 3}
    assert t.prompt() == "heal_queen"
    t.choose("yes")
    assert t.queen() == {"assassination": 2}
    t.stage("queen")
    assert t["to_act"] == c.NOBODY  # once a month


@pytest.mark.rule("R3", "W2", "A11")
def test_lilith_who_comes_with_a_gate_heals_before_stage_seven() -> None:
    keys: dict[str, Any] = {
        "locations": {"Kalhu": {"military": 3, "diviner": 3}},
        "areas": {"Assyria": {"supply": 3, "medicine": 3, "gate": True}},
    }
    for choice, cause in (("done", "Sammu-ramat assassinated"), ("yes", "none")):
        t = hunted(3, **keys).stage("outcome")
        assert t.prompt() == "heal_queen"
        t.choose(choice)
        assert c.CAUSES[t["cause"]] == cause
    assert hunted(2, **keys).stage("outcome")["month"] == 2  # nobody is asked again where she does not die


@pytest.mark.rule("R3", "A11")
def test_lilith_far_away_or_used_does_not_heal() -> None:
    assert hunted(2, characters={"Lilith": {"location": "Opis"}}).stage("queen")["to_act"] == c.NOBODY
    used = {"Lilith": {"location": "Babylon", "used": 1}}
    assert hunted(2, characters=used).stage("queen")["to_act"] == c.NOBODY
