"""Stage 1: unrest and plague spread, the event is turned up (rulebook pp. 14-16)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from sammu_env import constants as c
from sammu_env import position
from tests.table import Table

RED = ("raid", "assassination", "unrest", "plague")


def event(card: str, players: int = 3, **keys: Any) -> Table:
    """The event is turned up as this month's."""
    return Table(players=players, **keys).stage("event", card)


def strike(marker: str, area: str, **keys: Any) -> Table:
    """A red marker comes out of the bag and strikes an area: SAM-179, months 7-8, draw one."""
    keys = {"bag": {marker: 1}, "players": 2, "month": 7, "events": {"previous_area": area}} | keys
    return Table("SAM-179", **keys).stage("monthly_effect")


def marked(table: Table, marker: str) -> set[str]:
    return {name for name, row in table.dump().get("locations", {}).items() if marker in row}


# --- spread


@pytest.mark.rule("N1")
@pytest.mark.parametrize("marker", ["unrest", "plague"])
def test_a_capital_spreads_to_each_settlement(marker: str) -> None:
    table = Table(locations={"Gordium": {marker: 1}}).stage("spread")
    assert marked(table, marker) == {"Gordium", "Ancyra", "Elmali"}
    assert table["marker_pool"][{"unrest": 2, "plague": 3}[marker]] == 10 - 3


@pytest.mark.rule("N1")
@pytest.mark.parametrize("marker", ["unrest", "plague"])
def test_a_settlement_does_not_spread(marker: str) -> None:
    table = Table(locations={"Ancyra": {marker: 1}}).stage("spread")
    assert marked(table, marker) == {"Ancyra"}


@pytest.mark.rule("N1", "M3")
def test_spreading_unrest_is_kept_off_a_settlement_with_three_defence() -> None:
    table = Table(locations={"Gordium": {"unrest": 1}, "Ancyra": {"military": 3}}).stage("spread")
    assert marked(table, "unrest") == {"Gordium", "Elmali"}


@pytest.mark.rule("N2")
def test_plague_everywhere_in_the_area_goes() -> None:
    places = {name: {"plague": 1} for name in ("Gordium", "Ancyra", "Elmali", "Susa")}
    table = Table(locations=places).stage("spread")
    assert marked(table, "plague") == {"Susa", "Anshan"}


@pytest.mark.rule("N2")
def test_unrest_everywhere_in_the_area_stays() -> None:
    places = {name: {"unrest": 1} for name in ("Gordium", "Ancyra", "Elmali")}
    table = Table(locations=places).stage("spread")
    assert marked(table, "unrest") == set(places)


@pytest.mark.rule("N3", "N11")
def test_unrest_pushed_out_of_canaan_overflows_into_cyprus() -> None:
    places = {name: {"unrest": 1} for name in ("Jerusalem", "Tyre", "Samaria")}
    table = strike("plague", "Canaan", locations=places)
    assert marked(table, "plague") == {"Jerusalem"}
    assert marked(table, "unrest") == {"Salamis", "Kition"}
    assert table["marker_pool"][2] == 10 - 2


@pytest.mark.rule("N3", "N11")
def test_spreading_unrest_that_meets_plague_moves_to_the_next_area() -> None:
    table = Table(locations={"Jerusalem": {"unrest": 1}, "Tyre": {"plague": 1}}).stage("spread")
    assert marked(table, "plague") == {"Tyre"}
    assert {"Jerusalem", "Samaria", "Salamis"} <= marked(table, "unrest")


@pytest.mark.rule("N3")
def test_markers_do_not_cross_areas_otherwise() -> None:
    table = Table(locations={"Jerusalem": {"unrest": 1}, "Babylon": {"plague": 1}}).stage("spread")
    assert marked(table, "unrest") == {"Jerusalem", "Tyre", "Samaria"}
    assert marked(table, "plague") == {"Babylon", "Opis"}


@pytest.mark.rule("N11", "N3")
def test_unrest_drawn_for_a_plague_stricken_capital_goes_on() -> None:
    table = strike("unrest", "Canaan", locations={"Jerusalem": {"plague": 1}})
    assert marked(table, "plague") == {"Jerusalem"}
    assert marked(table, "unrest") == {"Salamis"}


@pytest.mark.rule("N11")
def test_a_position_with_both_on_a_location_is_refused() -> None:
    with pytest.raises(position.PositionError, match="never share"):
        Table(locations={"Gordium": {"unrest": 1, "plague": 1}})


# --- the event


@pytest.mark.rule("N4", "N6", "N12")
def test_phrygian_smugglers() -> None:
    """The worked example: Phrygia has 1 supply, the marker drawn is unrest, and 3 defence in the capital end it."""
    table = Table(
        locations={"Gordium": {"military": 2, "diviner": 1}},
        areas={"Phrygia": {"supply": 1, "medicine": 1, "gate": True}},
        characters={"Wardiya": {"location": "Gordium"}},
        bag={"raid": 1},
    ).stage("event", "SAM-026")
    assert table.area("Phrygia") == {"medicine": 1, "gate": True}
    assert table.on_map("supply") == 0
    assert table.bag() == {"raid": 1, "unrest": 1}
    assert table.prompt() == "draw_marker"
    table.choose("unrest")
    assert table.bag() == {"raid": 1}
    assert marked(table, "unrest") == set()
    assert table.at("Gordium") == {"military": 2, "diviner": 1}
    assert table.who("Wardiya")["location"] == "Gordium"
    assert table.dump()["month_effects"] == {"road_closed": ["Phrygia"]}


@pytest.mark.rule("N4")
def test_the_banner_comes_before_the_text() -> None:
    """SAM-049: unrest drives Amunet out of Jerusalem before the text looks for who is in Canaan."""
    table = event("SAM-049", characters={"Amunet": {"location": "Jerusalem"}})
    assert table.prompt() == "flee"
    assert table.at("Jerusalem")["unrest"] == 1
    assert "fewer_actions" not in table.who("Amunet")


@pytest.mark.rule("N4")
def test_the_next_event_is_one_not_seen_yet() -> None:
    table = Table(events={"seen": ["SAM-016", "SAM-017"]}, month=3).stage("event")
    assert table.prompt() == "draw_event"
    assert not {"SAM-016", "SAM-017"} & set(table.options())
    assert "SAM-018" in table.options()


#: An event pile that is used up but for some cards: files with more oracle effects than the box has bring it about.
def used_up(*left: str, **row: Any) -> dict[str, Any]:
    return {"seen": [card for card in c.card_ids(c.EVENT_FIRST, 60) if card not in left], **row}


@pytest.mark.rule("N4", "N8")
def test_a_month_without_an_event_where_the_pile_is_used_up() -> None:
    t = Table(events=used_up(religion=[0, 0, 1]), month=3, bag={"raid": 1}).stage("event")
    assert t.prompt() == "halt" and "current" not in t.dump()["events"] and "month_effects" not in t.dump()
    assert t["event"] == t["event_area"] == -1 and t.dump()["events"]["left_out"] == ["SAM-076", "SAM-077", "SAM-078"]
    assert "religion" not in t.dump()["events"] and t["marker_pool"][c.MARKERS.index("religion")] == 5


@pytest.mark.rule("O1", "N8")
def test_in_a_month_without_an_event_baileet_has_no_area_to_come_to(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    path.write_text("[challenge.SAM-185]\nmonthly = { 2-8 = [{ effect = 'oracle_event' }] }\n", encoding="utf-8")
    t = Table("SAM-185", 3, path, events=used_up(), month=3).stage("event").stage("monthly_effect")
    assert "Baileet" not in t.dump()["characters"]


@pytest.mark.rule("N4")
def test_a_known_event_comes_next() -> None:
    table = Table(events={"known_top": ["SAM-034"]}).stage("event")
    assert table.dump()["events"]["current"] == "SAM-034"


@pytest.mark.rule("N4")
def test_the_team_decides_whose_goods_are_paid() -> None:
    people = {
        "Besime": {"location": "Kalhu", "player": 0, "goods": {"iron": 3, "gold": 3}},
        "Dinah": {"location": "Kalhu", "goods": {"textile": 3}},
        "Sammu-ramat": {"location": "Kalhu", "goods": {"gold": 3}},
    }
    table = event("SAM-070", characters=people)
    assert table.options() == ["Besime", "Dinah"]
    table.choose("Dinah", "Besime", "gold", "Dinah", "Dinah", "iron")
    assert table.who("Besime")["goods"] == {"iron": 2, "gold": 2}
    assert "goods" not in table.who("Dinah")
    assert table.who("Sammu-ramat")["goods"] == {"gold": 3}


@pytest.mark.rule("N5")
def test_a_vassal_may_bear_assyrias_whole_banner() -> None:
    areas = {"Assyria": {"supply": 2, "gate": True}, "Medes": {"supply": 2, "gate": True}, "Elam": {"supply": 2}}
    table = event("SAM-025", areas=areas)
    assert table.prompt() == "shift_banner"
    assert table.options() == ["Assyria", "Medes"]
    table.choose("Medes")
    assert table.area("Assyria")["supply"] == 2
    assert "supply" not in table.area("Medes")


@pytest.mark.rule("N5")
def test_assyria_may_bear_its_own_banner() -> None:
    areas = {"Assyria": {"supply": 2, "gate": True}, "Medes": {"supply": 2, "gate": True}}
    table = event("SAM-025", areas=areas).choose("Assyria")
    assert "supply" not in table.area("Assyria")
    assert table.area("Medes")["supply"] == 2


@pytest.mark.rule("N5")
@pytest.mark.parametrize("card", ["SAM-020", "SAM-034", "SAM-026"])
def test_only_an_assyrian_banner_that_asks_for_tokens_is_passed_on(card: str) -> None:
    areas = {"Assyria": {"gate": True}, "Medes": {"gate": True}, "Phrygia": {"supply": 2}}
    table = event(card, areas=areas)
    assert table.prompt() == "halt"


@pytest.mark.rule("N6")
@pytest.mark.parametrize(
    ("card", "kind", "marker", "other"),
    [
        ("SAM-044", "military", "raid", {}),
        ("SAM-029", "supply", "unrest", {}),
        ("SAM-041", "diviner", "assassination", {}),
        ("SAM-054", "medicine", "plague", {"plague": 1}),
    ],
)
def test_each_token_that_is_not_there_puts_its_marker_into_the_bag(
    card: str, kind: str, marker: str, other: dict[str, int]
) -> None:
    asked = 3 if card == "SAM-029" else 2
    table = event(card)
    assert table.bag() == {marker: asked + other.get(marker, 0)}
    place = {"SAM-044": "Opis", "SAM-041": "Opis"}.get(card)
    area = "Phrygia" if card == "SAM-054" else "Babylonia"
    keys = {"locations": {place: {kind: 1}}} if place else {"areas": {area: {kind: 1}}}
    table = event(card, **keys)
    assert table.bag() == {marker: asked - 1 + other.get(marker, 0)}
    assert table.on_map(kind) == 0


@pytest.mark.rule("N7")
@pytest.mark.parametrize(
    ("card", "area", "capital"), [("SAM-032", "Babylonia", "Babylon"), ("SAM-037", "Egypt", "Men-nefer")]
)
def test_enemies_in_the_capital_keep_empire_tokens_out(card: str, area: str, capital: str) -> None:
    table = event(card, locations={capital: {"enemy": 1}})
    assert table.area(area) == {}
    kind = "supply" if card == "SAM-032" else "medicine"
    assert event(card, locations={"Meroe": {"enemy": 1}}).area(area) == {kind: 2}


@pytest.mark.rule("N7")
def test_enemies_in_the_capital_keep_green_markers_out() -> None:
    keys = {"areas": {"Phrygia": {"supply": 2}}, "bag": {"diplomacy": 1}, "locations": {"Babylon": {"enemy": 1}}}
    table = event("SAM-026", **keys)
    assert table.prompt() == "marker_target"
    assert not {"Babylon", "Opis"} & set(table.options())
    assert {"Kalhu", "Gordium", "Sardes"} <= set(table.options())


@pytest.mark.rule("M2", "N7")
def test_events_give_no_supply_in_unrest() -> None:
    table = event("SAM-032", locations={"Opis": {"unrest": 1}})
    assert table.area("Babylonia") == {}


@pytest.mark.rule("N8")
def test_enemies_are_limited_by_the_components() -> None:
    crowd = {"Meroe": {"enemy": 8}, "Bastam": {"enemy": 8}, "Kition": {"enemy": 8}}
    table = event("SAM-043", locations=crowd)
    assert table.at("Sardes") == {"enemy": 1}
    assert table["enemy_pool"] == 0


@pytest.mark.rule("N8")
def test_markers_are_limited_by_the_components() -> None:
    table = event("SAM-061", bag={"raid": 4}, locations={"Tyre": {"military": 2}})
    assert table.bag() == {"raid": 5}
    table = event("SAM-061", bag={"raid": 5}, locations={"Tyre": {"military": 2}})
    assert table.bag() == {"raid": 5}


@pytest.mark.rule("N8")
def test_spread_is_limited_by_the_components() -> None:
    table = Table(locations={"Gordium": {"plague": 1}}, bag={"plague": 8}).stage("spread")
    assert len(marked(table, "plague")) == 2


@pytest.mark.rule("N8")
def test_an_empty_bag_does_nothing() -> None:
    table = event("SAM-026", areas={"Phrygia": {"supply": 2}})
    assert table.prompt() == "halt"
    assert table.bag() == {}


@pytest.mark.rule("N8")
def test_empire_tokens_are_limited_by_the_components() -> None:
    table = event("SAM-032", areas={"Assyria": {"supply": 14}})
    assert table.area("Babylonia") == {"supply": 1}


@pytest.mark.rule("N9")
def test_an_event_moves_a_character_without_tokens() -> None:
    table = event("SAM-032", locations={"Kalhu": {"military": 2, "diviner": 1}}, areas={"Assyria": {"supply": 1}})
    table.choose("Sammu-ramat", "Opis")
    assert table.who("Sammu-ramat")["location"] == "Opis"
    assert table.at("Kalhu") == {"military": 2, "diviner": 1}
    assert table.area("Assyria") == {"supply": 1}
    assert table.prompt() == "halt"


PERSONAL_PAYS = {
    "Besime": {"location": "Kalhu", "player": 0, "goods": {"iron": 1}},
    "Dinah": {"location": "Kalhu", "goods": {"textile": 3}},
}
PUBLIC_PAYS = {
    "Besime": {"location": "Kalhu", "player": 0, "goods": {"iron": 3}},
    "Dinah": {"location": "Kalhu", "goods": {"textile": 1}},
}


@pytest.mark.rule("N10")
def test_public_advisors_pay_what_personal_ones_cannot() -> None:
    table = Table("SAM-183", players=2, month=7, characters=PERSONAL_PAYS).stage("monthly_effect")
    assert "goods" not in table.who("Besime")
    assert table.who("Dinah")["goods"] == {"textile": 2}
    assert table.bag() == {}


@pytest.mark.rule("N10")
def test_personal_advisors_pay_what_public_ones_cannot() -> None:
    table = Table("SAM-198", players=2, month=5, characters=PUBLIC_PAYS).stage("monthly_effect")
    assert "goods" not in table.who("Dinah")
    assert table.who("Besime")["goods"] == {"iron": 2}
    assert table.bag() == {}


@pytest.mark.rule("N10")
def test_each_unpaid_good_puts_a_red_marker_into_the_bag() -> None:
    people = {"Besime": {"location": "Kalhu", "player": 0, "goods": {"iron": 2}}, "Dinah": {"location": "Kalhu"}}
    table = event("SAM-070", characters=people)
    assert "goods" not in table.who("Besime")
    assert sum(table.bag().get(marker, 0) for marker in RED) == 3


@pytest.mark.rule("N12")
def test_what_an_event_changes_ends_with_the_month() -> None:
    keys = {
        "locations": {"Kalhu": {"military": 3, "diviner": 3}},
        "areas": {"Assyria": {"supply": 3, "medicine": 3, "gate": True}, "Phrygia": {"supply": 2, "medicine": 1}},
        "characters": {"Besime": {"location": "Babylon"}},
    }
    table = event("SAM-031", **keys)
    assert table.dump()["month_effects"] == {"roads_closed": 1}
    table.stage("outcome")
    assert table["month"] == 2
    assert "month_effects" not in table.dump()
    table.stage("event", "SAM-035")
    assert table.who("Besime")["frozen"] == 1
    table.stage("outcome")
    assert "frozen" not in table.who("Besime")


@pytest.mark.rule("N1")
def test_a_spread_from_many_capitals_can_be_written_down_in_its_middle() -> None:
    capitals = ["Gordium", "Ecbatana", "Babylon", "Susa", "Jerusalem", "Salamis", "Men-nefer", "Napata"]
    people = {"Sammu-ramat": {"location": "Ancyra"}, "Marsyas": {"location": "Ancyra"}}
    t = Table(locations={name: {"unrest": 1} for name in capitals}, characters=people).stage("spread")
    assert t.prompt() == "flee"
    assert position.dump(position.load(t.dump())) == t.dump()
