"""Stage 5, the actions of the seats (rulebook pp. 24-30)."""

from __future__ import annotations

from typing import Any

import pytest

from sammu_env import components
from sammu_env import constants as c
from tests.table import BOX, Table, acting, hand

ASHUR: Any = components.load().content.ashur


# A1, A2, A13: who acts


@pytest.mark.rule("A1")
def test_each_player_consults_a_different_character() -> None:
    people = {
        "Besime": {"location": "Nineveh", "player": 0},
        "Younan": {"location": "Nineveh", "player": 1},
        "Dinah": {"location": "Nineveh"},
        "Wardiya": {"location": "Nineveh"},
        "Lilith": {"location": "Nineveh"},
    }
    t = Table(stage="actions", characters=people).stage("actions")
    assert t["to_act"] == 0
    assert t.options() == ["Sammu-ramat", "Besime", "Dinah", "Wardiya", "Lilith"]
    t.choose("Dinah")
    assert t["to_act"] == 1
    assert t.options() == ["Sammu-ramat", "Younan", "Wardiya", "Lilith"]
    t.choose("Sammu-ramat")
    assert t["to_act"] == 2
    assert t.options() == ["Wardiya", "Lilith"]


@pytest.mark.rule("A1")
def test_the_team_picks_who_begins_then_clockwise() -> None:
    people = {name: {"location": "Nineveh", "player": i} for i, name in enumerate(("Besime", "Younan", "Dinah"))}
    t = Table(stage="actions", characters=people).stage("actions", "Besime", "Younan", "Dinah")
    assert t.prompt() == "first_player"
    assert t.options() == ["player 0", "player 1", "player 2"]
    t.choose("player 1")
    order = []
    for _ in range(3):
        order.append(t["seat"])
        t.choose("done")
    assert order == [1, 2, 0]


@pytest.mark.rule("A1")
def test_a_solo_player_consults_three_different_characters() -> None:
    people = {name: {"location": "Nineveh"} for name in ("Besime", "Younan", "Dinah")}
    t = Table(players=1, stage="actions", characters=people).stage("actions")
    t.choose("Besime")
    assert "Besime" not in t.options()
    t.choose("Sammu-ramat")
    assert t.options() == ["Younan", "Dinah"]
    t.choose("Dinah")
    consulted = [name for name in (*people, "Sammu-ramat") if "consulted" in t.who(name)]
    assert sorted(consulted) == ["Besime", "Dinah", "Sammu-ramat"]


@pytest.mark.rule("A1", "S1")
def test_a_solo_player_acts_with_the_three_in_any_order() -> None:
    people = {name: {"location": "Nineveh"} for name in ("Besime", "Younan", "Dinah")}
    t = Table(players=1, stage="actions", characters=people).stage("actions", "Besime", "Younan", "Dinah")
    t.choose("move", "Kalhu", "switch", "Dinah", "move", "Kalhu", "switch", "Besime", "move", "Ashur")
    assert t.who("Besime")["location"] == "Ashur"
    assert t.who("Dinah")["location"] == "Kalhu"
    assert t.who("Younan")["actions"] == 2


@pytest.mark.rule("A2")
def test_who_cannot_consult_plays_with_those_already_consulted() -> None:
    t = Table(
        stage="actions",
        characters={"Dinah": {"location": "Nineveh"}},
        seats=[{}, {}, {"hand": ["SAM-165"]}],
    ).stage("actions", "Dinah", "Sammu-ramat")
    assert t.prompt() == "first_player"
    t.choose("player 0", "done", "done")
    assert t["to_act"] == 2
    assert "play_card" in t.options()
    t.choose("play_card")
    iron = sum(t.who(name).get("goods", {}).get("iron", 0) for name in ("Dinah", "Sammu-ramat"))
    assert iron == ASHUR["SAM-165"].gain["iron"]


@pytest.mark.rule("A13")
def test_fewer_actions_are_allowed() -> None:
    t = acting("Dinah", "Nineveh")
    assert "done" in t.options()
    t.choose("move", "Kalhu")
    assert "done" in t.options()


@pytest.mark.rule("A13", "A12")
def test_actions_and_free_actions_mix_in_any_order() -> None:
    t = acting("Dinah", "Opis", {"goods": {"iron": 2, "gold": 2}})
    t.choose("market", "iron").choose("barter_for_supply", "gold", "gold", "market")
    t.choose("move", "Ashur", "done")
    assert t.who("Dinah")["goods"] == {"copper": 2}
    assert t.area("Babylonia") == {"supply": 1}
    assert t.who("Dinah")["location"] == "Ashur"
    assert t["free_actions"][0] == 3


@pytest.mark.rule("A13")
def test_the_same_action_may_be_taken_again() -> None:
    t = acting("Dinah", "Kalhu").choose("move", "Ashur", "move", "Jerusalem")
    assert t.who("Dinah")["location"] == "Jerusalem"
    assert t.who("Dinah")["actions"] == 1


# A3: moving


@pytest.mark.rule("A3")
def test_a_move_is_one_step_by_road() -> None:
    t = acting("Dinah", "Ashur").choose("move")
    assert t.options() == ["Kalhu", "Opis", "Jerusalem"]


@pytest.mark.rule("A3")
def test_the_queens_road_is_one_step_however_far() -> None:
    t = acting("Dinah", "Gordium").choose("move")
    assert set(t.options()) == {"Sardes", "Ancyra", "Nineveh", "Kalhu", "Arbela", "Opis", "Susa", "Elmali"}


@pytest.mark.rule("A3")
@pytest.mark.parametrize("obstacle", ["enemy", "unrest", "plague"])
def test_the_queens_road_is_blocked(obstacle: str) -> None:
    t = acting("Marsyas", "Gordium", locations={"Arbela": {obstacle: 1}}).choose("move")
    assert set(t.options()) == {"Sardes", "Ancyra", "Nineveh", "Kalhu", "Elmali"}


@pytest.mark.rule("A3")
@pytest.mark.parametrize(("who", "obstacle"), [("Besime", "unrest"), ("Younan", "plague")])
def test_the_able_may_end_on_the_queens_road_where_others_are_blocked(who: str, obstacle: str) -> None:
    t = acting(who, "Gordium", locations={"Arbela": {obstacle: 1}}).choose("move")
    assert "Arbela" in t.options()
    assert "Opis" not in t.options()
    assert "Susa" not in t.options()


@pytest.mark.rule("A3")
def test_nobody_moves_into_enemies() -> None:
    t = acting("Besime", "Ashur", locations={"Opis": {"enemy": 1}}).choose("move")
    assert t.options() == ["Kalhu", "Jerusalem"]


@pytest.mark.rule("A3", "M2", "M4")
@pytest.mark.parametrize(("obstacle", "able"), [("unrest", "Besime"), ("plague", "Younan")])
def test_unrest_and_plague_block_the_road_but_for_the_able(obstacle: str, able: str) -> None:
    assert "Opis" not in acting("Marsyas", "Ashur", locations={"Opis": {obstacle: 1}}).choose("move").options()
    assert "Opis" in acting(able, "Ashur", locations={"Opis": {obstacle: 1}}).choose("move").options()


# A4, A5: carrying


@pytest.mark.rule("A3", "A4")
def test_worked_example_besime_carries() -> None:
    t = acting(
        "Besime", "Ashur",
        locations={"Ashur": {"military": 2}},
        areas={"Babylonia": {"supply": 1, "medicine": 1}},
    )  # fmt: skip
    t.choose("move", "Opis", "military", "military")
    assert t.at("Opis") == {"military": 2}
    assert t.at("Ashur") == {}
    t.choose("move", "Susa", "supply", "medicine")
    assert t.area("Elam") == {"supply": 1, "medicine": 1}
    assert t.area("Babylonia") == {}
    assert t.who("Besime")["location"] == "Susa"
    assert t.who("Besime")["actions"] == 1


@pytest.mark.rule("A4")
def test_at_most_two_tokens_are_carried() -> None:
    t = acting("Besime", "Ashur", locations={"Ashur": {"military": 3, "diviner": 3}}).choose("move", "Opis")
    t.choose("military", "diviner")
    assert t.at("Opis") == {"military": 1, "diviner": 1}
    assert t.at("Ashur") == {"military": 2, "diviner": 2}


@pytest.mark.rule("A4")
def test_military_is_picked_up_only_where_it_stands() -> None:
    t = acting("Besime", "Ashur", locations={"Kalhu": {"military": 2}, "Ashur": {"diviner": 1}}).choose("move", "Opis")
    assert t.options() == ["done", "diviner"]


@pytest.mark.rule("A4")
def test_supply_and_medicine_come_from_anywhere_in_the_area() -> None:
    t = acting("Besime", "Ancyra", areas={"Phrygia": {"supply": 2, "medicine": 2}}).choose("move", "Tushpa")
    assert t.options() == ["done", "supply", "medicine"]


@pytest.mark.rule("A4")
def test_no_supply_is_picked_up_where_enemies_hold_the_capital() -> None:
    t = acting(
        "Besime", "Ancyra",
        locations={"Gordium": {"enemy": 1}, "Ancyra": {"military": 1}},
        areas={"Phrygia": {"supply": 1, "medicine": 1}},
    ).choose("move", "Tushpa")  # fmt: skip
    assert t.options() == ["done", "military"]


@pytest.mark.rule("A4")
def test_no_supply_is_put_down_where_enemies_hold_the_capital() -> None:
    t = acting(
        "Besime", "Nineveh",
        locations={"Gordium": {"enemy": 1}, "Nineveh": {"military": 1}},
        areas={"Assyria": {"supply": 1, "medicine": 1}},
    ).choose("move", "Ancyra")  # fmt: skip
    assert t.options() == ["done", "military"]


@pytest.mark.rule("A4")
def test_nothing_is_picked_up_between_the_steps_of_a_move() -> None:
    t = acting(
        "Besime", "Kalhu", {"technologies": ["Mule"]},
        locations={"Kalhu": {"diviner": 1}, "Nineveh": {"military": 2}},
    ).choose("move", "Damascus")  # fmt: skip
    assert t.options() == ["done", "diviner"]


@pytest.mark.rule("A4", "M4")
def test_military_is_not_carried_through_plague() -> None:
    t = acting(
        "Younan", "Nineveh", {"technologies": ["Mule"]},
        locations={"Nineveh": {"military": 1, "diviner": 1}, "Tushpa": {"plague": 1}},
    ).choose("move", "Bastam")  # fmt: skip
    assert t.options() == ["done", "diviner"]


@pytest.mark.rule("A4", "M4")
@pytest.mark.parametrize("plague", ["Nineveh", "Tushpa"])
def test_military_is_not_carried_into_or_out_of_plague(plague: str) -> None:
    tokens = {"Nineveh": {"military": 1, "diviner": 1}}
    tokens.setdefault(plague, {})["plague"] = 1
    t = acting("Younan", "Nineveh", locations=tokens).choose("move", "Tushpa")
    assert t.options() == ["done", "diviner"]


@pytest.mark.rule("A4", "N12")
def test_no_token_is_carried_through_an_area_closed_to_tokens() -> None:
    t = acting(
        "Besime", "Tushpa", {"technologies": ["Mule"]},
        locations={"Tushpa": {"military": 1}, "Nineveh": {"enemy": 1}},
        month_effects={"token_ban": ["Phrygia"]},
    ).choose("move", "Damascus")  # fmt: skip
    assert t.who("Besime")["location"] == "Damascus"
    assert t.at("Tushpa") == {"military": 1}


@pytest.mark.rule("A5")
@pytest.mark.parametrize(("start", "stop"), [("Nineveh", "Damascus"), ("Gordium", "Sardes")])
def test_supply_and_medicine_left_in_no_area_return_to_the_board(start: str, stop: str) -> None:
    area = "Assyria" if start == "Nineveh" else "Phrygia"
    t = acting("Dinah", start, areas={area: {"supply": 2, "medicine": 1}})
    t.choose("move", stop, "supply", "medicine")
    assert t.at(stop) == {"supply": 1, "medicine": 1}
    t.choose("done")
    assert t.at(stop) == {}
    assert t.on_map("supply") == 1
    assert t.on_map("medicine") == 0


@pytest.mark.rule("A5")
def test_supply_may_be_carried_on_in_the_same_turn() -> None:
    t = acting("Dinah", "Nineveh", areas={"Assyria": {"supply": 1}})
    t.choose("move", "Damascus", "supply", "move", "Tyre", "supply")
    assert t.area("Canaan") == {"supply": 1}


@pytest.mark.rule("A5")
def test_military_and_diviners_may_stay_in_no_area() -> None:
    t = acting("Dinah", "Gordium", locations={"Gordium": {"military": 1, "diviner": 1}})
    t.choose("move", "Sardes", "military", "diviner", "done")
    assert t.at("Sardes") == {"military": 1, "diviner": 1}


# A6: attacking


@pytest.mark.rule("A6")
def test_attack_removes_one_for_one_and_the_character_joins() -> None:
    t = acting("Marsyas", "Nineveh", locations={"Nineveh": {"military": 4}, "Tushpa": {"enemy": 2}})
    t.choose("attack", "military", "military", "done", "join")
    assert t.at("Tushpa") == {"military": 1}
    assert t.at("Nineveh") == {"military": 1}
    assert t.who("Marsyas")["location"] == "Tushpa"
    assert t.who("Marsyas")["actions"] == 2


@pytest.mark.rule("A6")
def test_attack_without_the_character() -> None:
    t = acting("Marsyas", "Nineveh", locations={"Nineveh": {"military": 3, "diviner": 1}, "Tushpa": {"enemy": 2}})
    t.choose("attack", "military", "military", "military", "diviner", "done")
    assert t.at("Tushpa") == {"military": 1, "diviner": 1}
    assert t.who("Marsyas")["location"] == "Nineveh"


@pytest.mark.rule("A6", "T1")
@pytest.mark.parametrize(("answer", "left"), [("join", {"military": 1}), ("done", {})])
def test_modifiers_count_only_when_the_character_joins(answer: str, left: dict[str, int]) -> None:
    t = acting(
        "Marsyas", "Nineveh", {"technologies": ["Sword"]},
        locations={"Nineveh": {"military": 2}, "Tushpa": {"enemy": 2}},
    ).choose("attack", "military", answer)  # fmt: skip
    assert t.at("Tushpa") == left
    assert t["enemy_pool"] == 25


@pytest.mark.rule("A6", "E7")
def test_defence_is_no_strength_in_an_attack_and_who_joins_a_lost_one_dies() -> None:
    t = acting("Besime", "Nineveh", locations={"Nineveh": {"military": 2}, "Tushpa": {"enemy": 2}},
               characters={"Dinah": {"location": "Arbela", "consulted": True, "actions": 1}}, players=1)  # fmt: skip
    t.choose("attack", "done", "join")
    assert t.at("Tushpa") == {"enemy": 1}
    assert t.at("Nineveh") == {"military": 1}
    assert t.who("Besime") == {"status": "dead", "side": "public", "consulted": 0}


@pytest.mark.rule("A6")
def test_no_attack_without_military_or_beyond_the_next_location() -> None:
    assert "attack" not in acting("Besime", "Nineveh", locations={"Tushpa": {"enemy": 1}}).options()
    far = {"Nineveh": {"military": 2}, "Bastam": {"enemy": 1}}
    assert "attack" not in acting("Besime", "Nineveh", locations=far).options()


@pytest.mark.rule("A6")
def test_no_army_attacks_by_the_queens_road() -> None:
    locations = {"Nineveh": {"military": 2}, "Ancyra": {"enemy": 1}}
    assert "attack" not in acting("Besime", "Nineveh", locations=locations).options()


@pytest.mark.rule("A6", "E6")
def test_enemies_in_unrest_count_double_in_an_attack() -> None:
    locations = {"Nineveh": {"military": 2}, "Tushpa": {"enemy": 1, "unrest": 1}}
    t = acting("Besime", "Nineveh", locations=locations).choose("attack", "military", "done")
    assert t.at("Tushpa") == {"unrest": 1}
    assert t.on_map("military") == 0


@pytest.mark.rule("A6", "A7", "A10")
def test_worked_example_the_queens_armies() -> None:
    t = acting(
        "Sammu-ramat", "Kalhu",
        locations={"Damascus": {"military": 2}, "Tyre": {"enemy": 2}},
        seats=[{"hand": ["SAM-080"]}],
    )  # fmt: skip
    t.choose("special")
    assert t.at("Kalhu") == {"diviner": 2}
    assert t.bag() == {}
    t.choose("special_command", "Kalhu", "diviner", "Ashur", "Jerusalem")
    t.choose("Damascus", "military", "Tyre")
    assert t.at("Jerusalem") == {"diviner": 2}
    assert t.at("Tyre") == {}
    assert t.at("Damascus") == {}
    assert t.on_map("military") == 0
    assert t["enemy_pool"] == 25


@pytest.mark.rule("A6", "M2")
@pytest.mark.parametrize(("who", "joins"), [("Marsyas", False), ("Besime", True)])
def test_only_a_defender_joins_an_attack_into_unrest(who: str, joins: bool) -> None:
    t = acting(who, "Nineveh", locations={"Nineveh": {"military": 3}, "Tushpa": {"enemy": 1, "unrest": 1}})
    t.choose("attack", "military", "military")
    assert (t.prompt() == "join") == joins
    assert not joins or t.options() == ["done", "join"]


# A7: playing cards


@pytest.mark.rule("A7")
def test_worked_example_dinah_plays_in_phrygia() -> None:
    t = acting("Dinah", "Nineveh", {"goods": {"textile": 3}}, seats=[{"hand": ["SAM-085"]}])
    t.choose("move", "Ancyra", "play_card")
    assert t.area("Phrygia") == {"supply": 3}
    assert t.who("Dinah")["goods"] == {"textile": 1}
    assert hand(t, 0) == []
    assert t.dump()["ashur_discard"] == ["SAM-085"]


@pytest.mark.rule("A7")
def test_elsewhere_an_area_card_gives_less() -> None:
    t = acting("Dinah", "Nineveh", {"goods": {"textile": 2}}, seats=[{"hand": ["SAM-085"]}]).choose("play_card")
    assert t.area("Assyria") == {"supply": 1}


@pytest.mark.rule("A7")
@pytest.mark.parametrize(("at", "n"), [("Arbela", 2), ("Opis", 1)])
def test_diviners_stand_where_the_character_is(at: str, n: int) -> None:
    t = acting("Dinah", at, {"goods": {"gold": 2}}, seats=[{"hand": ["SAM-080"]}]).choose("play_card")
    assert t.at(at) == {"diviner": n}


@pytest.mark.rule("A7")
def test_a_card_that_cannot_be_paid_cannot_be_played() -> None:
    t = acting("Dinah", "Nineveh", {"goods": {"textile": 1, "iron": 5}}, seats=[{"hand": ["SAM-085"]}],
               characters={"Besime": {"location": "Nineveh", "goods": {"textile": 5}}})  # fmt: skip
    assert "play_card" not in t.options()


@pytest.mark.rule("A7")
def test_a_bag_card_puts_its_marker_into_the_bag() -> None:
    t = acting("Dinah", "Opis", {"goods": {"gold": 1}}, seats=[{"hand": ["SAM-141"]}]).choose("play_card")
    assert t.at("Opis") == {"diviner": 2}
    assert t.bag() == {"raid": 1}
    assert "goods" not in t.who("Dinah")


@pytest.mark.rule("A7")
def test_a_goods_card_costs_only_its_marker() -> None:
    t = acting("Dinah", "Opis", seats=[{"hand": ["SAM-168"]}]).choose("play_card")
    assert t.who("Dinah")["goods"] == ASHUR["SAM-168"].gain
    assert t.bag() == {"assassination": 1}


@pytest.mark.rule("A7", "T1")
def test_a_technology_card_lays_its_technology_on_the_consulted_character() -> None:
    t = acting("Dinah", "Opis", {"goods": {"iron": 2}}, seats=[{"hand": ["SAM-119"]}]).choose("play_card")
    assert t.who("Dinah")["technologies"] == ["Shield"]
    assert "goods" not in t.who("Dinah")


@pytest.mark.rule("A7", "N7")
def test_a_card_that_gives_nothing_where_enemies_hold_the_capital_cannot_be_played() -> None:
    t = acting("Dinah", "Opis", {"goods": {"gold": 1}}, locations={"Babylon": {"enemy": 1}},
               seats=[{"hand": ["SAM-141"]}])  # fmt: skip
    assert "play_card" not in t.options()
    free = acting("Sammu-ramat", "Opis", locations={"Babylon": {"enemy": 1}}, seats=[{"hand": ["SAM-141"]}])
    assert "special" not in free.options()


@pytest.mark.rule("A7", "N8")
def test_a_card_of_which_the_board_or_the_pool_is_empty_cannot_be_played() -> None:
    all_diviners = {"Kalhu": {"diviner": 15}}
    t = acting("Dinah", "Opis", {"goods": {"gold": 1}}, locations=all_diviners, seats=[{"hand": ["SAM-141"]}])
    assert "play_card" not in t.options()
    gold = int(BOX["good_total"][0, c.GOLD])
    rich = {"Besime": {"location": "Kalhu", "goods": {"gold": gold}}}
    t = acting("Dinah", "Opis", characters=rich, seats=[{"hand": ["SAM-168"]}])
    assert "play_card" not in t.options()


@pytest.mark.rule("A7", "N7")
def test_a_card_with_a_green_marker_for_the_bag_gives_something_all_the_same() -> None:
    box = BOX[0]
    green = [i for i in range(c.N_ASHUR) if box["card_marker"][i, c.GREEN :].any() and box["card_token"][i].any()]
    card = green[0]
    goods = {name: int(n) for name, n in zip(c.GOODS, box["card_goods"][card], strict=True) if n}
    t = acting("Dinah", "Opis", {"goods": goods}, locations={"Babylon": {"enemy": 1}},
               seats=[{"hand": [f"SAM-{c.ASHUR_FIRST + card:03d}"]}])  # fmt: skip
    t.choose("play_card")
    assert len(t.bag()) == 1 and t.on_map("diviner") + t.on_map("military") == 0


# Glossary: adjacent; SAM-055


FLOOD = {"month_effects": {"double_steps": ["Canaan"]}}


@pytest.mark.rule("A6", "N12")
def test_055_nobody_attacks_over_the_border_of_canaan() -> None:
    """The target must be adjacent (隣接, p. 27), which is one step (p. 52): in and out of Canaan takes two."""
    locations = {"Ashur": {"military": 2}, "Jerusalem": {"enemy": 1}, "Tyre": {"military": 2}}
    assert "attack" not in acting("Besime", "Ashur", locations=locations, **FLOOD).options()
    assert "attack" in acting("Besime", "Ashur", locations=locations).options()
    assert "attack" in acting("Besime", "Tyre", locations=locations, **FLOOD).options()


@pytest.mark.rule("A3", "N12")
def test_055_two_move_actions_are_put_together() -> None:
    t = acting("Besime", "Ashur", locations={"Ashur": {"military": 2}}, **FLOOD).choose("move")
    assert t.options() == ["Kalhu", "Opis", "Jerusalem"]
    t.choose("Jerusalem", "military", "done")
    assert t.who("Besime")["location"] == "Jerusalem"
    assert t.who("Besime")["actions"] == 1
    assert t.who("Besime")["moves"] == 2
    assert t.at("Jerusalem") == {"military": 1}


@pytest.mark.rule("A3", "N12")
@pytest.mark.parametrize(("row", "effects"), [
    ({"actions": 1}, {}), ({"actions": 3}, {"move_limit": 1}), ({"actions": 3, "moves": 1}, {"move_limit": 2}),
])  # fmt: skip
def test_055_the_second_move_action_must_be_there(row: dict[str, int], effects: dict[str, int]) -> None:
    t = acting("Besime", "Ashur", row, month_effects={"double_steps": ["Canaan"], **effects}).choose("move")
    assert t.options() == ["Kalhu", "Opis"]


@pytest.mark.rule("A3", "N12")
def test_055_where_only_two_actions_lead_anywhere_the_move_is_offered() -> None:
    walled = {"Jerusalem": {"enemy": 1}, "Salamis": {"enemy": 1}, "Damascus": {"enemy": 1}}
    t = acting("Marsyas", "Tyre", locations=walled, **FLOOD).choose("move")
    assert t.who("Marsyas")["location"] == "Heliopolis"
    assert t.who("Marsyas")["actions"] == 1
    assert "move" not in acting("Marsyas", "Tyre", {"actions": 1}, locations=walled, **FLOOD).options()


# A12: trading cards


@pytest.mark.rule("A12")
def test_nobody_trades_cards_with_the_character_that_acts() -> None:
    """同じ区域に居るキャラクター同士 (p. 30): two characters; seat 2 acts with seat 0's, who stands there alone."""
    hands = [{"hand": ["SAM-090"]}, {}, {"hand": ["SAM-091"]}]
    people = {"Sammu-ramat": {"location": "Meroe", "consulted": 0, "actions": 2},
              "Besime": {"location": "Kalhu", "player": 1, "consulted": 1, "actions": 1}}  # fmt: skip
    t = Table(stage="actions", characters=people, seats=hands).choose("done", "done")
    assert t["seat"] == 2
    assert "trade_cards" not in t.options()
    people["Lilith"] = {"location": "Meroe", "player": 0}
    t = Table(stage="actions", characters=people, seats=hands).choose("done", "done")
    t.choose("trade_cards")
    assert hand(t, 0) == ["SAM-091"] and hand(t, 2) == ["SAM-090"]


# A8, A9


@pytest.mark.rule("A8")
def test_barter_two_goods_for_a_supply() -> None:
    t = acting("Dinah", "Opis", {"goods": {"iron": 1, "gold": 2}}).choose("barter_for_supply", "iron")
    assert t.area("Babylonia") == {"supply": 1}
    assert t.who("Dinah")["goods"] == {"gold": 1}
    assert t.who("Dinah")["actions"] == 2


@pytest.mark.rule("A8")
def test_barter_a_supply_for_two_goods_of_the_area() -> None:
    t = acting("Dinah", "Opis", areas={"Babylonia": {"supply": 1}}).choose("barter_for_goods")
    assert t.area("Babylonia") == {}
    assert t.who("Dinah")["goods"] == {"copper": 2}
    assert t.who("Dinah")["actions"] == 2


@pytest.mark.rule("A8", "N7")
def test_where_enemies_hold_the_capital_supply_only_goes() -> None:
    """帝国トークンや緑の効果を加えることはできません (p. 16)."""
    t = acting("Dinah", "Ancyra", {"goods": {"copper": 2}}, locations={"Gordium": {"enemy": 1}},
               areas={"Phrygia": {"supply": 1}})  # fmt: skip
    assert "barter_for_supply" not in t.options()
    t.choose("barter_for_goods")
    assert t.area("Phrygia") == {} and t.who("Dinah")["goods"] == {"copper": 2, "iron": 2}


@pytest.mark.rule("A8")
def test_barter_needs_two_goods_or_a_supply_in_the_area() -> None:
    t = acting("Dinah", "Opis", {"goods": {"iron": 1}}, areas={"Elam": {"supply": 1}})
    assert not {"barter_for_supply", "barter_for_goods"} & set(t.options())


@pytest.mark.rule("A9")
def test_picking_up_a_technology_is_an_action() -> None:
    t = acting("Dinah", "Susa", technologies={"Susa": "Shield"}).choose("pick_up")
    assert t.who("Dinah")["technologies"] == ["Shield"]
    assert t.who("Dinah")["actions"] == 2
    assert "technologies" not in t.dump()


@pytest.mark.rule("A9")
def test_a_technology_elsewhere_cannot_be_picked_up() -> None:
    assert "pick_up" not in acting("Dinah", "Anshan", technologies={"Susa": "Shield"}).options()


# A12: free actions


@pytest.mark.rule("A12")
def test_one_good_for_one_good_between_characters_together() -> None:
    t = acting("Dinah", "Opis", {"goods": {"textile": 2}},
               characters={"Besime": {"location": "Opis", "goods": {"iron": 1, "gold": 1}}})  # fmt: skip
    t.choose("trade_goods", "gold")
    assert t.who("Dinah")["goods"] == {"textile": 1, "gold": 1}
    assert t.who("Besime")["goods"] == {"textile": 1, "iron": 1}
    assert t.who("Dinah")["actions"] == 3
    assert t["free_actions"][0] == 4


@pytest.mark.rule("A12")
def test_no_trade_of_goods_apart_or_as_a_gift() -> None:
    apart = {"Besime": {"location": "Babylon", "goods": {"iron": 1}}}
    assert "trade_goods" not in acting("Dinah", "Opis", {"goods": {"textile": 2}}, characters=apart).options()
    poor = {"Besime": {"location": "Opis"}}
    assert "trade_goods" not in acting("Dinah", "Opis", {"goods": {"textile": 2}}, characters=poor).options()


@pytest.mark.rule("A12")
def test_one_card_for_one_card_between_players_together() -> None:
    t = acting("Dinah", "Opis", {"player": 0}, characters={"Besime": {"location": "Opis", "player": 1}},
               seats=[{"hand": ["SAM-079", "SAM-080"]}, {"hand": ["SAM-081", "SAM-082"]}])  # fmt: skip
    t.choose("trade_cards", "SAM-080")
    assert t["to_act"] == 1
    t.choose("SAM-081")
    assert hand(t, 0) == ["SAM-079", "SAM-081"]
    assert hand(t, 1) == ["SAM-080", "SAM-082"]
    assert t["free_actions"][0] == 4


@pytest.mark.rule("A12")
def test_no_trade_of_cards_apart() -> None:
    t = acting("Dinah", "Opis", {"player": 0}, characters={"Besime": {"location": "Babylon", "player": 1}},
               seats=[{"hand": ["SAM-079"]}, {"hand": ["SAM-081"]}])  # fmt: skip
    assert "trade_cards" not in t.options()


@pytest.mark.rule("A12")
def test_a_market_gives_the_good_of_its_area() -> None:
    t = acting("Dinah", "Opis", {"goods": {"textile": 1, "gold": 1}}).choose("market", "gold")
    assert t.who("Dinah")["goods"] == {"textile": 1, "copper": 1}
    assert t.who("Dinah")["actions"] == 3


@pytest.mark.rule("A12")
def test_no_market_trade_without_a_market() -> None:
    assert "market" not in acting("Dinah", "Babylon", {"goods": {"textile": 1}}).options()


@pytest.mark.rule("A12")
def test_damascus_gives_any_good_for_any_good() -> None:
    t = acting("Dinah", "Damascus", {"goods": {"textile": 1}}).choose("market")
    assert t.options() == ["iron", "copper", "gold", "lapis"]
    t.choose("lapis")
    assert t.who("Dinah")["goods"] == {"lapis": 1}


@pytest.mark.rule("A12")
def test_five_free_actions_a_month() -> None:
    t = acting("Dinah", "Damascus", {"goods": {"textile": 1}})
    for good in ("lapis", "gold", "lapis", "gold", "lapis"):
        t.choose("market", good)
    assert "market" not in t.options()
    assert "move" in t.options()


@pytest.mark.rule("A12")
def test_goods_are_taken_from_sammu_ramat_at_her_location() -> None:
    t = acting("Dinah", "Kalhu", characters={"Sammu-ramat": {"location": "Kalhu", "goods": {"iron": 2, "gold": 2}}})
    t.choose("take_goods", "iron", "gold", "iron", "done")
    assert t.who("Dinah")["goods"] == {"iron": 2, "gold": 1}
    assert t.who("Sammu-ramat")["goods"] == {"gold": 1}
    assert t["free_actions"][0] == 4


@pytest.mark.rule("A12")
def test_no_goods_from_sammu_ramat_from_afar() -> None:
    queen = {"Sammu-ramat": {"location": "Kalhu", "goods": {"iron": 2}}}
    assert "take_goods" not in acting("Dinah", "Nineveh", characters=queen).options()
