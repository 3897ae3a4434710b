"""Stage 2: the enemies attack and move, with the worked examples (rulebook pp. 17-21)."""

from __future__ import annotations

from typing import Any

import pytest

from sammu_env import constants as c
from tests.table import BOX, Table


def attack(**keys: Any) -> Table:
    """The enemy attack stage alone."""
    return Table(**keys).stage("enemy_attack")


def enemies(table: Table) -> dict[str, int]:
    return {name: row["enemy"] for name, row in table.dump().get("locations", {}).items() if "enemy" in row}


# --- when


def month(first: bool, **keys: Any) -> Table:
    """A month from its event to the consulting; an enemy stands at Susa."""
    keys = {"challenge": "SAM-188", "players": 2, "month": 1 if first else 2, "stage": "event",
            "locations": {"Susa": {"enemy": 1}}} | keys  # fmt: skip
    table = Table(**keys).go_on().choose("SAM-034")
    while table.prompt() in ("draw_card", "tax", "tax_to", "draw_marker"):
        table.choose(table.options()[0])
    return table


PEOPLE = {"Besime": {"location": "Kalhu", "player": 0}}


@pytest.mark.rule("E1")
def test_stages_two_to_four_are_skipped_in_the_first_month() -> None:
    table = month(True, characters=PEOPLE)
    assert table.prompt() == "consult"
    assert enemies(table) == {"Susa": 1}
    assert table["hand_n"].sum() == 0


@pytest.mark.rule("E1")
def test_they_are_not_skipped_in_later_months() -> None:
    table = month(False, characters=PEOPLE)
    assert table.prompt() == "consult"
    assert enemies(table).get("Babylon") == 1
    assert table["hand_n"][:2].tolist() == [1, 1]


@pytest.mark.rule("E1", "K2")
@pytest.mark.parametrize(("challenge", "where"), [("SAM-188", "Susa"), ("SAM-184", "Babylon")])
def test_of_a_campaign_only_the_first_game_skips_them(challenge: str, where: str) -> None:
    table = month(True, challenge=challenge, campaign=1, characters=PEOPLE)
    assert enemies(table).get(where) == 1


# --- the order


@pytest.mark.rule("E1")
def test_the_order_of_the_twelve() -> None:
    order = [c.ZONES[i] for i in BOX[0]["enemy_order"]]
    assert sorted(order) == sorted(c.ZONES)
    assert (order[0], order[-1]) == ("Assyria", "Kush")
    for earlier, later in (("Medes", "Babylonia"), ("Phrygia", "Urartu"), ("Canaan", "Cyprus"), ("Canaan", "Egypt")):
        assert order.index(earlier) < order.index(later)


@pytest.mark.rule("E1", "E2")
def test_the_nearer_location_of_an_area_goes_first() -> None:
    """Jerusalem leaves before Tyre and Samaria, and all go one step only."""
    places = {"Tyre": {"enemy": 1}, "Samaria": {"enemy": 2}}
    assert enemies(attack(locations=places | {"Jerusalem": {"enemy": 1}})) == {"Jerusalem": 3, "Ashur": 1}


@pytest.mark.rule("E1", "E3")
def test_of_equally_near_locations_the_team_says_who_goes_first() -> None:
    """p. 17: nearer Kalhu first (Kalhu に近いほうから); Tyre and Samaria are both three steps away."""
    places = {"Tyre": {"enemy": 4}, "Samaria": {"enemy": 2}, "Jerusalem": {"military": 3}}
    table = attack(locations=places)
    assert table.prompt() == "enemy_order"
    assert table.options() == ["Tyre", "Samaria"]
    table.choose("Tyre")
    assert enemies(table) == {"Jerusalem": 3}
    assert enemies(attack(locations=places).choose("Samaria")) == {"Samaria": 2, "Jerusalem": 1}


@pytest.mark.rule("E1", "E4")
def test_canaan_moves_before_cyprus_and_egypt() -> None:
    table = attack(locations={"Tyre": {"enemy": 1}, "Salamis": {"enemy": 2}, "Heliopolis": {"enemy": 4}})
    assert enemies(table) == {"Jerusalem": 1, "Tyre": 6}


# --- steps


@pytest.mark.rule("E2")
def test_all_enemies_of_a_location_go_as_one() -> None:
    assert enemies(attack(locations={"Meroe": {"enemy": 5}})) == {"Napata": 5}


@pytest.mark.rule("E2")
@pytest.mark.parametrize(("start", "end"), [("Susa", "Babylon"), ("Sardes", "Gordium"), ("Gordium", "Ancyra")])
def test_one_step_by_road_and_never_by_the_queens_road(start: str, end: str) -> None:
    locations = {start: {"enemy": 1}}
    assert enemies(attack(locations=locations)) == {end: 1}


@pytest.mark.rule("E4")
def test_nearer_kalhu_and_on_a_tie_the_capital() -> None:
    """Tyre's enemy goes to Jerusalem, not to Damascus: both are two steps from Kalhu."""
    assert enemies(attack(locations={"Tyre": {"enemy": 1}})) == {"Jerusalem": 1}


# --- whom they attack


@pytest.mark.rule("E3")
def test_military_is_attacked_before_a_character() -> None:
    people = {"Amunet": {"location": "Tushpa"}}
    table = attack(locations={"Ancyra": {"enemy": 2}, "Gordium": {"military": 1}}, characters=people)
    assert enemies(table) == {"Gordium": 1}
    assert table.who("Amunet")["status"] == "in play"


@pytest.mark.rule("E3")
def test_a_character_is_attacked_rather_than_kalhu_approached() -> None:
    table = attack(locations={"Ancyra": {"enemy": 1}}, characters={"Amunet": {"location": "Gordium"}})
    assert enemies(table) == {"Gordium": 1}
    assert table.who("Amunet")["status"] == "dead"


@pytest.mark.rule("E3")
@pytest.mark.parametrize(("n", "left"), [(1, 0), (2, 0), (3, 1)])
def test_only_a_stronger_enemy_attacks(n: int, left: int) -> None:
    table = attack(locations={"Ancyra": {"enemy": n}, "Gordium": {"military": 2}})
    assert table.at("Gordium") == ({"enemy": left} if left else {"military": 2})


@pytest.mark.rule("E3", "E6")
def test_a_characters_defence_counts() -> None:
    people = {"Besime": {"location": "Gordium"}}
    places = {"Ancyra": {"enemy": 2}, "Gordium": {"military": 1}}
    assert "Gordium" not in enemies(attack(locations=places, characters=people))
    people["Besime"]["player"] = 0  # type: ignore[assignment]
    places["Ancyra"]["enemy"] = 3
    assert "Gordium" not in enemies(attack(locations=places, characters=people))


@pytest.mark.rule("E6", "T1")
def test_a_shield_counts() -> None:
    people = {"Amunet": {"location": "Gordium", "technologies": ["Shield"]}}
    places = {"Ancyra": {"enemy": 2}, "Gordium": {"military": 1}}
    assert "Gordium" not in enemies(attack(locations=places, characters=people))


@pytest.mark.rule("E5")
def test_an_enemy_hemmed_in_is_put_far_from_kalhu() -> None:
    around = {name: {"military": 2} for name in ("Tushpa", "Damascus", "Gordium")}
    table = attack(locations=around | {"Ancyra": {"enemy": 2}})
    assert enemies(table) == {"Elmali": 2}
    assert table.on_map("military") == 6


@pytest.mark.rule("E6", "M2")
def test_enemies_count_double_in_an_area_with_unrest() -> None:
    places = {"Elmali": {"unrest": 1}, "Ancyra": {"enemy": 1}, "Gordium": {"military": 1}}
    table = attack(locations=places)
    assert table.on_map("military") == 0


@pytest.mark.rule("E6", "M2")
def test_enemies_who_leave_the_area_count_one_again() -> None:
    places = {"Elmali": {"unrest": 1}, "Ancyra": {"enemy": 1}, "Tushpa": {"military": 1}, "Damascus": {"military": 1}}
    table = attack(locations=places)
    assert table.on_map("military") == 2


@pytest.mark.rule("M4")
def test_enemies_neither_enter_nor_leave_plague() -> None:
    assert enemies(attack(locations={"Meroe": {"enemy": 1}, "Napata": {"plague": 1}})) == {"Meroe": 1}
    assert enemies(attack(locations={"Meroe": {"enemy": 1, "plague": 1}})) == {"Meroe": 1}


# --- what they take


@pytest.mark.rule("E7")
def test_military_and_enemies_go_one_for_one_and_characters_die() -> None:
    """Besime's two defence remove no enemy."""
    people = {
        "Besime": {"location": "Opis", "player": 0, "goods": {"iron": 3}, "technologies": ["Mule"]},
        "Dinah": {"location": "Kalhu"},
    }
    places = {"Babylon": {"enemy": 5}, "Opis": {"military": 2, "diviner": 2}}
    table = attack(locations=places, characters=people)
    assert table.at("Opis") == {"enemy": 3}
    assert table["enemy_pool"] == 22
    assert [table.on_map(kind) for kind in ("military", "diviner")] == [0, 0]
    assert table.who("Besime")["status"] == "dead"
    assert "goods" not in table.who("Besime")
    assert "technologies" not in table.who("Besime")
    assert table["good_pool"][1] == 22
    assert table["technology_pool"][5] == 2


@pytest.mark.rule("E7")
def test_the_dead_do_not_come_back_with_a_gate() -> None:
    keys = {
        "locations": {"Babylon": {"military": 1, "diviner": 1}},
        "areas": {"Babylonia": {"supply": 1, "medicine": 1}},
        "characters": {"Lilith": {"status": "dead"}},
    }
    table = Table(**keys).stage("gates")
    assert table.area("Babylonia")["gate"]
    assert table.who("Lilith")["status"] == "dead"


@pytest.mark.rule("E7")
def test_diviners_alone_return_to_the_board() -> None:
    table = attack(locations={"Meroe": {"enemy": 1}, "Napata": {"diviner": 2}})
    assert table.at("Napata") == {"enemy": 1}
    assert table.on_map("diviner") == 0


@pytest.mark.rule("E8")
@pytest.mark.parametrize("personal", [False, True])
def test_a_capital_is_lost(personal: bool) -> None:
    """The worked example of p. 21: two enemies take Babylon from one military; Opis keeps its diviner."""
    lilith: dict[str, Any] = {"location": "Opis", "goods": {"copper": 3}, "technologies": ["Vial"]}
    if personal:
        lilith["player"] = 0
    table = attack(
        locations={"Susa": {"enemy": 2}, "Babylon": {"military": 1, "diviner": 1}, "Opis": {"diviner": 1}},
        areas={"Babylonia": {"supply": 2, "medicine": 1, "gate": True}, "Medes": {"supply": 1}},
        characters={"Lilith": lilith, "Dinah": {"location": "Opis"}},
    )
    assert table.at("Babylon") == {"enemy": 1}
    assert table.area("Babylonia") == {}
    assert table.at("Opis") == {"diviner": 1}
    assert table.area("Medes") == {"supply": 1}
    assert table.who("Lilith")["status"] == "away"
    assert table.who("Lilith")["goods"] == {"copper": 3}
    assert table.who("Lilith")["technologies"] == ["Vial"]
    assert table.who("Dinah")["location"] == "Opis"


@pytest.mark.rule("E8")
def test_an_undefended_capital_is_lost_to_who_walks_in() -> None:
    table = attack(locations={"Anshan": {"enemy": 1}}, areas={"Elam": {"supply": 1, "medicine": 1, "gate": True}})
    assert table.at("Susa") == {"enemy": 1}
    assert table.area("Elam") == {}


@pytest.mark.rule("E8", "E7")
def test_an_advisor_in_the_lost_capital_is_killed() -> None:
    table = attack(
        locations={"Susa": {"enemy": 2}, "Babylon": {"military": 1}},
        areas={"Babylonia": {"gate": True}},
        characters={"Lilith": {"location": "Babylon"}},
    )
    assert table.who("Lilith")["status"] == "dead"


@pytest.mark.rule("E8", "R5")
def test_who_left_returns_with_the_gate_and_all_they_had() -> None:
    keys = {
        "locations": {"Babylon": {"military": 1, "diviner": 1}},
        "areas": {"Babylonia": {"supply": 1, "medicine": 1}},
        "characters": {"Lilith": {"status": "away", "goods": {"gold": 1}, "technologies": ["Vial"]}},
    }
    lilith = Table(**keys).stage("gates").who("Lilith")
    assert (lilith["location"], lilith["goods"], lilith["technologies"]) == ("Babylon", {"gold": 1}, ["Vial"])


@pytest.mark.rule("E8")
def test_a_settlement_lost_costs_the_area_nothing() -> None:
    areas = {"Babylonia": {"supply": 2, "medicine": 1, "gate": True}}
    held = {name: {"military": 3} for name in ("Arbela", "Ashur", "Babylon")}
    places = held | {"Ecbatana": {"enemy": 2}, "Opis": {"military": 1}}
    table = attack(locations=places, areas=areas)
    assert table.at("Opis") == {"enemy": 1}
    assert table.area("Babylonia") == areas["Babylonia"]


@pytest.mark.rule("E9", "M7")
def test_diplomacy_cancels_one_attack() -> None:
    places = {"Meroe": {"enemy": 2}, "Napata": {"military": 1, "diplomacy": 1}}
    table = attack(locations=places)
    assert table.at("Meroe") == {"enemy": 2}
    assert table.at("Napata") == {"military": 1}
    assert table["marker_pool"][4] == 5
    table.stage("enemy_attack")
    assert table.at("Napata") == {"enemy": 1}


# --- the worked examples


@pytest.mark.rule("E3", "E4", "E9")
def test_example_a() -> None:
    places = {"Tushpa": {"enemy": 1}, "Bastam": {"enemy": 2}, "Ancyra": {"military": 1}, "Nineveh": {"military": 3}}
    table = attack(locations=places)
    assert enemies(table) == {"Tushpa": 3}
    assert table.on_map("military") == 4


@pytest.mark.rule("E3", "E7", "E9")
def test_example_b() -> None:
    table = attack(locations={"Tushpa": {"enemy": 3}, "Ancyra": {"military": 1}, "Nineveh": {"military": 3}})
    assert enemies(table) == {"Ancyra": 2}
    assert table.at("Nineveh") == {"military": 3}
    assert table.on_map("military") == 3
    assert table["enemy_pool"] == 23


@pytest.mark.rule("E3", "E7", "E9")
def test_examples_c_and_d() -> None:
    """Ecbatana's three take Opis from one military; in Babylonia's turn the two who are left kill Dinah at Babylon."""
    table = attack(
        locations={"Ecbatana": {"enemy": 3}, "Arbela": {"military": 3}, "Opis": {"military": 1}},
        characters={"Dinah": {"location": "Babylon", "goods": {"textile": 3}}},
    )
    assert enemies(table) == {"Babylon": 2}
    assert table.at("Arbela") == {"military": 3}
    assert table.on_map("military") == 3
    assert table.who("Dinah")["status"] == "dead"
    assert table["good_pool"][0] == 46


@pytest.mark.rule("E4", "E9")
def test_example_e() -> None:
    """Ancyra's two go to Tushpa, a capital, not to Damascus; Nineveh is too strong for the four."""
    table = attack(locations={"Ancyra": {"enemy": 2}, "Tushpa": {"enemy": 2}, "Nineveh": {"military": 4}})
    assert enemies(table) == {"Tushpa": 4}


@pytest.mark.rule("E1", "E7", "E9")
def test_example_f() -> None:
    """Who came from Ancyra goes on with Tushpa's to attack Nineveh in the same month."""
    table = attack(locations={"Ancyra": {"enemy": 2}, "Tushpa": {"enemy": 2}, "Nineveh": {"military": 2}})
    assert enemies(table) == {"Nineveh": 2}
    assert table.on_map("military") == 0
    assert table["enemy_pool"] == 23


# --- what the text leaves open, the team says


@pytest.mark.rule("E3", "E4")
def test_of_equal_neighbours_the_team_names_one() -> None:
    people = {"Sammu-ramat": {"location": "Salamis"}}
    places = {"Kalhu": {"enemy": 2}, "Nineveh": {"military": 1}, "Arbela": {"military": 1}, "Ashur": {"military": 2}}
    table = attack(locations=places, characters=people)
    assert table.prompt() == "enemy_way"
    assert table.options() == ["Nineveh", "Arbela"]
    table.choose("Arbela")
    assert table.at("Arbela") == {"enemy": 1}
    assert table.at("Nineveh") == {"military": 1}


@pytest.mark.rule("E5")
def test_enemies_on_a_farthest_location_are_not_displaced() -> None:
    """p. 18: put on the location farthest from Kalhu; Arbela is as far as Nineveh, so they are there already."""
    places = {"Arbela": {"enemy": 1}, "Kalhu": {"military": 1}, "Ecbatana": {"military": 1}}
    assert enemies(attack(locations=places)) == {"Arbela": 1}


@pytest.mark.rule("E5")
def test_of_equally_far_locations_the_team_names_one_for_who_is_displaced() -> None:
    around = {name: {"military": 2} for name in ("Damascus", "Heliopolis", "Salamis")}
    places = around | {"Tyre": {"enemy": 1}, "Jerusalem": {"military": 1}, "Ashur": {"military": 1}}
    assert enemies(attack(locations=places)) == {"Tyre": 1}
    people = {"Sammu-ramat": {"location": "Salamis"}}
    places = {name: {"military": 1} for name in ("Nineveh", "Ashur", "Arbela")} | {"Kalhu": {"enemy": 1}}
    assert enemies(attack(locations=places, characters=people)) == {"Kalhu": 1}  # no farthest location is free
    places = {name: {"military": 1} for name in ("Ashur", "Samaria", "Tyre")} | {"Jerusalem": {"enemy": 1}}
    assert enemies(attack(locations=places, characters=people)) == {"Jerusalem": 1}


@pytest.mark.rule("E5")
def test_characters_do_not_hem_enemies_in() -> None:
    """p. 18: every neighbour holds military (軍隊) of equal or greater strength."""
    around = {name: {"military": 2} for name in ("Tushpa", "Damascus")}
    besime = {"Besime": {"location": "Gordium", "player": 0}}
    places = around | {"Ancyra": {"enemy": 2}, "Gordium": {"military": 1}}
    assert enemies(attack(locations=places, characters=besime)) == {"Ancyra": 2}
    places["Gordium"] = {"military": 2}
    assert enemies(attack(locations=places, characters=besime)) == {"Elmali": 2}


@pytest.mark.rule("C3", "U5")
def test_of_equally_far_locations_the_team_names_one_for_added_enemies() -> None:
    """SAM-077's banner: Tyre and Samaria are both three steps from Kalhu."""
    table = Table(oracles=3, locations={"Tyre": {"military": 2}}).stage("event", "SAM-077")
    assert table.prompt() == "enemy_place"
    assert table.options() == ["Tyre", "Samaria"]
    assert enemies(table.choose("Tyre")) == {}


@pytest.mark.rule("E2", "N12")
def test_a_flooded_border_takes_two_steps_and_enemies_go_one() -> None:
    """SAM-055: in and out of Canaan takes two steps; within it one."""
    flood = {"double_steps": ["Canaan"]}
    places = {"Damascus": {"enemy": 1}, "Salamis": {"enemy": 1}, "Samaria": {"enemy": 1}}
    table = attack(locations=places | {"Nineveh": {"military": 1}, "Ancyra": {"military": 1}}, month_effects=flood)
    assert enemies(table) == {"Damascus": 1, "Salamis": 1, "Jerusalem": 1}


@pytest.mark.rule("E2", "N12", "M6")
def test_raiders_do_not_cross_a_flooded_border() -> None:
    table = Table("SAM-179", players=2, month=7, bag={"raid": 1}, events={"previous_area": "Canaan"},
                  month_effects={"double_steps": ["Canaan"]},
                  locations={"Damascus": {"enemy": 1}, "Tyre": {"enemy": 1}}).stage("monthly_effect")  # fmt: skip
    assert enemies(table) == {"Damascus": 1, "Jerusalem": 1}


@pytest.mark.rule("E8")
def test_more_enemies_in_a_capital_that_they_hold_do_not_take_it_again() -> None:
    """p. 20: the losses come when enemies take a capital (敵が首都を奪った場合); what karu saved then stays."""
    places = {"Susa": {"enemy": 1}, "Anshan": {"enemy": 1}, "Babylon": {"military": 9}}
    t = Table(areas={"Elam": {"supply": 2}}, locations=places).stage("enemy_attack")
    assert t.at("Susa") == {"enemy": 2}
    assert t.area("Elam") == {"supply": 2}
