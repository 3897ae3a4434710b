"""The character cards SAM-001 to SAM-015, both sides of each: special actions and standing abilities."""

from __future__ import annotations

from typing import Any

import pytest

from sammu_env import components
from sammu_env import constants as c
from tests.table import Table, hand

ASHUR: Any = components.load().content.ashur
SIDES = ["personal", "public"]
GOODS_2 = {"iron": 2}
GOODS_3 = {"iron": 3}
#: By road alone, with a mule.
THREE_STEPS = {"roads_closed": 1, "advisor_steps": 1}


def acting(who: str, at: str, side: str, row: dict[str, Any] | None = None, **keys: Any) -> Table:
    """Seat 0's turn with one consulted character, a side up, who has an action to spare."""
    seat = {"player": 0} if side == "personal" else {}
    mine = {"location": at, "consulted": True, "actions": 3, **seat, **(row or {})}
    characters = {who: mine, **keys.pop("characters", {})}
    return Table(stage="actions", characters=characters, **keys)


def standing(who: str, at: str, side: str, **keys: Any) -> Table:
    """A character on the map whom nobody consulted."""
    seat = {"player": 0} if side == "personal" else {}
    characters = {who: {"location": at, **seat}, **keys.pop("characters", {})}
    return Table(characters=characters, **keys)


def goods(t: Table, who: str) -> int:
    return sum(t.who(who).get("goods", {}).values())


def withstands(t: Table, location: str) -> bool:
    """Whether the enemies next door leave a location alone."""
    t.stage("enemy_attack")
    return "enemy" not in t.at(location)


# SAM-001 Sammu-ramat


@pytest.mark.rule("A10")
@pytest.mark.parametrize("players", [1, 3])
def test_sammu_ramat_plays_a_card_without_its_cost(players: int) -> None:
    t = acting("Sammu-ramat", "Opis", "public", players=players, seats=[{"hand": ["SAM-141"]}]).choose("special")
    assert t.at("Opis") == {"diviner": 2}
    assert t.bag() == {}
    assert t.who("Sammu-ramat")["actions"] == 2
    assert t.dump()["ashur_discard"] == ["SAM-141"]


@pytest.mark.rule("A10")
@pytest.mark.parametrize("players", [1, 3])
def test_sammu_ramat_sends_two_armies_from_afar(players: int) -> None:
    t = acting("Sammu-ramat", "Kalhu", "public", players=players,
               locations={"Opis": {"military": 2}, "Tyre": {"diviner": 1}, "Susa": {"enemy": 1}})  # fmt: skip
    t.choose("special_command", "Opis", "military", "Babylon", "Susa", "Tyre", "Jerusalem", "Ashur")
    assert t.at("Susa") == {"military": 1}
    assert t.at("Ashur") == {"diviner": 1}
    assert t.who("Sammu-ramat")["actions"] == 2
    assert t.who("Sammu-ramat")["location"] == "Kalhu"


@pytest.mark.rule("A10", "O1")
@pytest.mark.parametrize(("military", "enemies", "status"), [(3, 0, "dead"), (4, 1, "dead"), (2, 0, "in play")])
def test_the_queens_army_attacks_baileet_with_its_last_step(military: int, enemies: int, status: str) -> None:
    """それぞれに1~2ステップの移動・攻撃 (p. 55): as it attacks enemies."""
    places = {"Ashur": {"military": military}, "Babylon": {"enemy": enemies}}
    t = acting("Sammu-ramat", "Kalhu", "public", locations=places,
               characters={"Baileet": {"location": "Babylon", "side": "B"}})  # fmt: skip
    t.choose("special_command", *["military"] * (military - 1), "Opis", "Babylon")
    if not enemies:
        assert t.prompt() == "command_go" and set(t.options()) == {"done", "Babylon"}
        t.choose("Babylon")
    assert t.who("Baileet")["status"] == status
    assert t.at("Babylon") == {"military": military - enemies}


@pytest.mark.rule("A10")
def test_sammu_ramat_may_send_one_army_one_step() -> None:
    t = acting("Sammu-ramat", "Kalhu", "public", locations={"Opis": {"military": 1}, "Tyre": {"diviner": 1}})
    t.choose("special_command", "Opis", "Babylon", "done", "done")
    assert t.at("Babylon") == {"military": 1}
    assert t.at("Tyre") == {"diviner": 1}


@pytest.mark.rule("A10")
def test_each_of_the_queens_armies_goes_two_steps_at_most() -> None:
    t = acting("Sammu-ramat", "Kalhu", "public", locations={"Opis": {"military": 1}, "Tyre": {"diviner": 1}})
    t.choose("special_command", "Opis", "Ashur", "Kalhu")
    assert "Kalhu" not in t.options()


@pytest.mark.rule("A10")
def test_the_second_army_may_be_raised_where_the_first_one_halted() -> None:
    t = acting("Sammu-ramat", "Kalhu", "public", locations={"Opis": {"diviner": 1}, "Ashur": {"diviner": 1}})
    t.choose("special_command", "Opis", "Ashur", "done", "Ashur", "Jerusalem", "done")
    assert t.at("Ashur") == {"diviner": 1}
    assert t.at("Jerusalem") == {"diviner": 1}


@pytest.mark.rule("A10")
def test_the_queens_armies_do_not_use_the_queens_road() -> None:
    t = acting("Sammu-ramat", "Kalhu", "public", locations={"Opis": {"military": 1}}).choose("special_command")
    assert set(t.options()) == {"Ashur", "Babylon", "Ecbatana"}


@pytest.mark.rule("A10", "S1")
def test_sammu_ramat_solo_pays_three_goods_for_two_cards() -> None:
    t = acting("Sammu-ramat", "Kalhu", "solo", {"goods": GOODS_3, "player": 0}, players=1)
    t.choose("special_draw", "SAM-079", "SAM-080")
    assert hand(t, 0) == ["SAM-079", "SAM-080"]
    assert goods(t, "Sammu-ramat") == 0
    assert "special_draw" not in acting("Sammu-ramat", "Kalhu", "public", {"goods": GOODS_3}).options()


# SAM-002 Besime


@pytest.mark.rule("A11")
@pytest.mark.parametrize(("side", "enemies", "safe"), [
    ("personal", 2, True), ("personal", 3, False), ("public", 1, True), ("public", 2, False),
])  # fmt: skip
def test_besime_defends(side: str, enemies: int, safe: bool) -> None:
    t = standing("Besime", "Nineveh", side, locations={"Tushpa": {"enemy": enemies}})
    assert withstands(t, "Nineveh") == safe


@pytest.mark.rule("A10")
@pytest.mark.parametrize("side", SIDES)
def test_besime_raises_two_military(side: str) -> None:
    t = acting("Besime", "Opis", side, {"goods": {"iron": 1}}, seats=[{"hand": ["SAM-079"]}]).choose("special")
    assert t.at("Opis") == {"military": 2}
    assert goods(t, "Besime") == 0
    assert hand(t, 0) == []
    assert t.who("Besime")["actions"] == 2


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("n", "cards"), [(0, ["SAM-079"]), (1, [])])
def test_a_special_action_needs_its_whole_price(n: int, cards: list[str]) -> None:
    t = acting("Besime", "Opis", "personal", {"goods": {"iron": n}}, seats=[{"hand": cards}])
    assert "special" not in t.options()


# SAM-003 Younan


@pytest.mark.rule("A11", "M4")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("medicine", "plague"), [(2, {}), (1, {"plague": 1})])
@pytest.mark.parametrize("who", ["Younan", "Lilith", "Apollonios"])
def test_healers_count_one_medicine(who: str, side: str, medicine: int, plague: dict[str, int]) -> None:
    areas = {"Phrygia": {"medicine": medicine}, "Kush": {"supply": 1}}
    t = standing(who, "Gordium", side, areas=areas, bag={"plague": 1}, events={"current": "SAM-026"}, month=2)
    t.stage("empire_board")
    assert t.at("Gordium") == plague


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("side", "price"), [("personal", 2), ("public", 3)])
def test_younan_draws_two_cards(side: str, price: int) -> None:
    t = acting("Younan", "Opis", side, {"goods": {"iron": price}}).choose("special", "SAM-079", "SAM-080")
    assert hand(t, 0) == ["SAM-079", "SAM-080"]
    assert goods(t, "Younan") == 0
    assert "special" not in acting("Younan", "Opis", side, {"goods": {"iron": price - 1}}).options()


@pytest.mark.rule("A11")
def test_younan_personal_recovers_up_to_two_military_after_his_attack() -> None:
    t = acting("Younan", "Nineveh", "personal", locations={"Nineveh": {"military": 4}, "Tushpa": {"enemy": 3}})
    t.choose("attack", "military", "military", "military", "join", "yes", "yes")
    assert t.at("Tushpa") == {"military": 3}
    assert t.on_map("military") == 3


@pytest.mark.rule("A11")
def test_younan_personal_recovers_military_lost_next_to_him_to_enemies() -> None:
    t = standing("Younan", "Kalhu", "personal", locations={"Nineveh": {"military": 3}, "Tushpa": {"enemy": 5}})
    t.stage("enemy_attack", "yes", "yes")
    assert t.at("Nineveh") == {"enemy": 2}
    assert t.on_map("military") == 2


@pytest.mark.rule("A11")
def test_younan_recovers_no_more_than_was_lost() -> None:
    t = acting("Younan", "Nineveh", "personal", locations={"Nineveh": {"military": 2}, "Tushpa": {"enemy": 1}})
    t.choose("attack", "military", "done", "yes")
    assert t.on_map("military") == 2
    assert t.prompt() == "turn"


@pytest.mark.rule("A11")
@pytest.mark.parametrize(("side", "at"), [("public", "Nineveh"), ("personal", "Opis")])
def test_no_recovery_by_younan_public_or_far_away(side: str, at: str) -> None:
    t = acting("Besime", "Nineveh", "public", locations={"Nineveh": {"military": 2}, "Tushpa": {"enemy": 1}},
               characters={"Younan": {"location": at, **({"player": 0} if side == "personal" else {})}})  # fmt: skip
    t.choose("attack", "military", "done")
    assert t.prompt() == "turn"
    assert t.on_map("military") == 1


# SAM-004 Dinah


@pytest.mark.rule("A11")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("who", ["Dinah", "Wardiya", "Deioces"])
def test_defenders_count_one(who: str, side: str) -> None:
    one = standing(who, "Nineveh", side, locations={"Tushpa": {"enemy": 1}})
    assert withstands(one, "Nineveh")
    two = standing(who, "Nineveh", side, locations={"Tushpa": {"enemy": 2}})
    assert not withstands(two, "Nineveh")
    assert two.who(who)["status"] == "dead"


@pytest.mark.rule("A11", "M1")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("at", "queen"), [("Kalhu", {}), ("Nineveh", {"assassination": 1})])
def test_dinah_cancels_assassinations_at_the_queens_side(side: str, at: str, queen: dict[str, int]) -> None:
    t = standing("Dinah", at, side, events={"known_top": ["SAM-058"]}, month=2).stage("event")
    assert t.queen() == queen


@pytest.mark.rule("A11")
def test_dinah_personal_carries_characters_as_tokens() -> None:
    t = acting("Dinah", "Ashur", "personal", characters={"Marsyas": {"location": "Ashur"}},
               locations={"Ashur": {"military": 2}})  # fmt: skip
    t.choose("move", "Opis", "Marsyas", "military")
    assert t.who("Marsyas")["location"] == "Opis"
    assert t.at("Opis") == {"military": 1}
    assert t.at("Ashur") == {"military": 1}


@pytest.mark.rule("A11")
def test_dinah_public_carries_no_characters() -> None:
    t = acting("Dinah", "Ashur", "public", characters={"Marsyas": {"location": "Ashur"}},
               locations={"Ashur": {"military": 1}}).choose("move", "Opis")  # fmt: skip
    assert t.options() == ["done", "military"]


@pytest.mark.rule("A11", "M2")
def test_dinah_takes_nobody_without_defence_through_unrest() -> None:
    t = acting(
        "Dinah", "Nineveh", "personal", {"technologies": ["Mule"]},
        characters={"Marsyas": {"location": "Nineveh"}, "Besime": {"location": "Nineveh"}},
        locations={"Tushpa": {"unrest": 1}},
    ).choose("move", "Bastam")  # fmt: skip
    assert t.options() == ["done", "Besime"]


@pytest.mark.rule("A11", "M2", "M4")
def test_dinah_takes_nobody_who_has_no_common_way_with_her() -> None:
    """As tokens are (帝国トークンと同様に): one way for all. Hers leads through unrest, Younan's through plague."""
    way = {"Ashur": {"unrest": 1}, "Ecbatana": {"plague": 1}}
    others = {"Younan": {"location": "Arbela"}, "Besime": {"location": "Arbela"}}
    t = acting("Dinah", "Arbela", "personal", {"technologies": ["Mule"]}, characters=others, locations=way,
               month_effects=THREE_STEPS).choose("move", "Opis")  # fmt: skip
    assert t.options() == ["done", "Besime"]


@pytest.mark.rule("A11", "M2", "M4")
def test_dinahs_companions_and_tokens_have_one_way_too() -> None:
    """Dinah, with a vial, has both ways to Opis; with military only the one through unrest, with Younan the other."""
    way = {"Ashur": {"unrest": 1}, "Ecbatana": {"plague": 1}, "Arbela": {"military": 1}}
    others = {"Younan": {"location": "Arbela"}, "Besime": {"location": "Arbela"}}

    def table() -> Table:
        return acting("Dinah", "Arbela", "personal", {"technologies": ["Mule", "Vial"]}, characters=others,
                      locations=way, month_effects=THREE_STEPS).choose("move", "Opis")  # fmt: skip

    assert table().options() == ["done", "Besime", "Younan", "military"]
    assert table().choose("Younan").prompt() == "vial_way"
    assert table().choose("military").options() == ["done", "Besime"]
    assert table().choose("Besime").options() == ["done", "military"]


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("side", "price", "military"), [("personal", 2, 2), ("public", 3, 1)])
def test_dinah_turns_a_diviner_into_military(side: str, price: int, military: int) -> None:
    t = acting("Dinah", "Opis", side, {"goods": {"iron": price}}, locations={"Opis": {"diviner": 2}}).choose("special")
    assert t.at("Opis") == {"diviner": 1, "military": military}
    assert goods(t, "Dinah") == 0


# SAM-005 Wardiya


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("side", "reached", "beyond"), [
    ("personal", "Tyre", "Heliopolis"), ("public", "Jerusalem", "Tyre"),
])  # fmt: skip
def test_wardiya_marches(side: str, reached: str, beyond: str) -> None:
    t = acting("Wardiya", "Opis", side, month_effects={"roads_closed": 1}).choose("special")
    assert reached in t.options()
    assert beyond not in t.options()
    t.choose(reached)
    assert t.who("Wardiya")["actions"] == 2


@pytest.mark.rule("A11")
@pytest.mark.parametrize("side", SIDES)
def test_wardiya_passes_enemies_without_a_fight(side: str) -> None:
    t = acting("Wardiya", "Nineveh", side, locations={"Tushpa": {"enemy": 2}}).choose("special")
    assert "Bastam" in t.options()
    assert "Tushpa" not in t.options()
    t.choose("Bastam")
    assert t.at("Tushpa") == {"enemy": 2}


@pytest.mark.rule("A11", "A3")
@pytest.mark.parametrize("side", SIDES)
def test_wardiya_passes_enemies_on_the_queens_road_on_her_way(side: str) -> None:
    """敵の居る区域を…通過できる: she goes to Ancyra by the Queen's Road, where enemies are, and on to Tushpa."""
    t = acting("Wardiya", "Kalhu", side, locations={"Ancyra": {"enemy": 1}, "Nineveh": {"plague": 1}})
    assert "Tushpa" not in t.choose("special").options()
    t = acting("Wardiya", "Arbela", side, locations={"Ancyra": {"enemy": 1}, "Nineveh": {"enemy": 1}})
    t.choose("special")
    assert "Damascus" in t.options()
    assert not {"Ancyra", "Nineveh"} & set(t.options())


# SAM-006 Amunet


@pytest.mark.rule("A11")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize(("amunet", "safe"), [("Men-nefer", True), ("Napata", False)])
def test_diviners_in_amunets_area_defend(side: str, amunet: str, safe: bool) -> None:
    t = standing("Amunet", amunet, side, locations={"Heliopolis": {"military": 1, "diviner": 1}, "Tyre": {"enemy": 2}})
    t.stage("enemy_attack")
    assert t.on_map("diviner") == (1 if safe else 0)


@pytest.mark.rule("A10")
def test_amunet_personal_summons_two_diviners_who_go_through_enemies() -> None:
    t = acting("Amunet", "Heliopolis", "personal", {"goods": GOODS_2}, seats=[{"hand": ["SAM-079"]}],
               locations={"Tyre": {"enemy": 1}}).choose("special")  # fmt: skip
    assert "Jerusalem" in t.options()
    assert "Tyre" not in t.options()
    t.choose("Jerusalem", "yes", "done")
    assert t.at("Jerusalem") == {"diviner": 1}
    assert t.at("Heliopolis") == {"diviner": 1}
    assert t.at("Tyre") == {"enemy": 1}
    assert goods(t, "Amunet") == 0
    assert hand(t, 0) == []


@pytest.mark.rule("A10")
def test_amunet_personal_may_summon_one_only() -> None:
    t = acting("Amunet", "Heliopolis", "personal", {"goods": GOODS_2}, seats=[{"hand": ["SAM-079"]}])
    t.choose("special", "done", "done")
    assert t.at("Heliopolis") == {"diviner": 1}
    assert t.on_map("diviner") == 1


@pytest.mark.rule("A10")
def test_amunet_public_places_one_diviner_here_or_next_door() -> None:
    t = acting("Amunet", "Heliopolis", "public", {"goods": GOODS_2}, seats=[{"hand": ["SAM-079"]}]).choose("special")
    assert set(t.options()) == {"Heliopolis", "Tyre", "Men-nefer"}
    t.choose("Tyre")
    assert t.at("Tyre") == {"diviner": 1}
    assert t.on_map("diviner") == 1
    assert goods(t, "Amunet") == 0
    assert hand(t, 0) == []


@pytest.mark.rule("A10")
def test_055_nothing_over_the_border_of_canaan_is_next_to_amunet() -> None:
    """隣接 is one step away (glossary); in and out of Canaan takes two this month (SAM-055)."""
    t = acting("Amunet", "Heliopolis", "public", {"goods": GOODS_2}, seats=[{"hand": ["SAM-079"]}],
               month_effects={"double_steps": ["Canaan"]}).choose("special")  # fmt: skip
    assert set(t.options()) == {"Heliopolis", "Men-nefer"}


# SAM-007 Ithobaal


@pytest.mark.rule("A11", "A8")
@pytest.mark.parametrize("side", SIDES)
def test_ithobaal_barters_as_a_free_action(side: str) -> None:
    t = acting("Ithobaal", "Tyre", side, {"goods": {"iron": 2}}).choose("barter_for_supply", "yes")
    assert t.area("Canaan") == {"supply": 1}
    assert t.who("Ithobaal")["actions"] == 3
    assert t["free_actions"][0] == 4


@pytest.mark.rule("A11", "A8")
def test_ithobaal_may_barter_as_an_action_and_keep_the_free_one() -> None:
    t = acting("Ithobaal", "Tyre", "public", {"goods": {"iron": 2}}).choose("barter_for_supply")
    assert t.prompt() == "barter_as"
    t.choose("done")
    assert t.area("Canaan") == {"supply": 1}
    assert t.who("Ithobaal")["actions"] == 2
    assert t["free_actions"][0] == 5


@pytest.mark.rule("A11", "A8")
@pytest.mark.parametrize(("actions", "free"), [(1, 0), (0, 1)])
def test_ithobaal_is_not_asked_where_only_one_is_left(actions: int, free: int) -> None:
    t = acting("Ithobaal", "Tyre", "public", {"goods": {"iron": 2}, "actions": actions},
               seats=[{"free_actions": free}]).choose("barter_for_supply")  # fmt: skip
    assert t.area("Canaan") == {"supply": 1}
    assert "actions" not in t.who("Ithobaal") and t["free_actions"][0] == 0


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("side", "price"), [("personal", 1), ("public", 2)])
def test_ithobaal_gains_two_supply(side: str, price: int) -> None:
    t = acting("Ithobaal", "Tyre", side, {"goods": {"iron": price}}, seats=[{"hand": ["SAM-079"]}]).choose("special")
    assert t.area("Canaan") == {"supply": 2}
    assert goods(t, "Ithobaal") == 0
    assert hand(t, 0) == []
    poor = acting("Ithobaal", "Tyre", side, {"goods": {"iron": price - 1}}, seats=[{"hand": ["SAM-079"]}])
    assert "special" not in poor.options()


# SAM-008 Marsyas


@pytest.mark.rule("A11")
@pytest.mark.parametrize("side", SIDES)
def test_marsyas_plays_diviner_cards_without_goods(side: str) -> None:
    t = acting("Marsyas", "Gordium", side, seats=[{"hand": ["SAM-084", "SAM-085", "SAM-141"]}]).choose("play_card")
    assert t.options() == ["SAM-084", "SAM-141"]
    t.choose("SAM-141")
    assert t.at("Gordium") == {"diviner": 2}
    assert t.bag() == {"raid": 1}


@pytest.mark.rule("A11")
def test_marsyas_keeps_the_goods_he_has() -> None:
    t = acting("Marsyas", "Gordium", "public", {"goods": {"lapis": 2}}, seats=[{"hand": ["SAM-084"]}])
    t.choose("play_card")
    assert t.at("Gordium") == {"diviner": 2}
    assert goods(t, "Marsyas") == 2


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("side", "price"), [("personal", 1), ("public", 3)])
def test_marsyas_turns_military_into_a_diviner(side: str, price: int) -> None:
    t = acting("Marsyas", "Opis", side, {"goods": {"iron": price}}, locations={"Opis": {"military": 2}})
    t.choose("special")
    assert t.at("Opis") == {"diviner": 1, "military": 1}
    assert goods(t, "Marsyas") == 0


# SAM-009 Deioces


@pytest.mark.rule("A11", "A4")
@pytest.mark.parametrize(("side", "n"), [("personal", 5), ("public", 2)])
def test_deioces_carries_military_and_nothing_with_it(side: str, n: int) -> None:
    t = acting("Deioces", "Opis", side, locations={"Opis": {"military": 5, "diviner": 1}}).choose("move", "Babylon")
    t.choose("military", "military")
    if side == "personal":
        assert t.options() == ["done", "military"]
        t.choose("military", "military", "military")
    assert t.at("Babylon") == {"military": n}
    assert t.on_map("military") == 5
    assert t.at("Opis").get("diviner") == 1


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("side", "n"), [("personal", 2), ("public", 1)])
def test_deioces_raises_military(side: str, n: int) -> None:
    t = acting("Deioces", "Opis", side, {"goods": GOODS_3}).choose("special")
    assert t.at("Opis") == {"military": n}
    assert goods(t, "Deioces") == 0


# SAM-010 Lilith


@pytest.mark.rule("A11")
@pytest.mark.parametrize("side", SIDES)
def test_lilith_lifts_one_assassination_a_month(side: str) -> None:
    t = acting("Lilith", "Kalhu", side, queen={"assassination": 2}).choose("remove_assassination")
    assert t.queen() == {"assassination": 1}
    assert t.who("Lilith")["actions"] == 3
    assert "remove_assassination" not in t.options()


@pytest.mark.rule("A11")
def test_lilith_lifts_it_only_where_the_queen_is_but_unconsulted_too() -> None:
    assert "remove_assassination" not in acting("Lilith", "Nineveh", "public", queen={"assassination": 1}).options()
    other = {"Lilith": {"location": "Kalhu"}}
    t = acting("Dinah", "Opis", "public", queen={"assassination": 1}, characters=other)
    assert "remove_assassination" in t.options()


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("side", "price"), [("personal", 2), ("public", 3)])
def test_lilith_turns_supply_into_two_medicine(side: str, price: int) -> None:
    t = acting("Lilith", "Opis", side, {"goods": {"iron": price}}, areas={"Babylonia": {"supply": 2}})
    t.choose("special")
    assert t.area("Babylonia") == {"supply": 1, "medicine": 2}
    assert goods(t, "Lilith") == 0


# SAM-011 Katuzili


@pytest.mark.rule("A11", "A7")
@pytest.mark.parametrize("side", SIDES)
def test_katuzili_gets_the_most_of_a_card_anywhere(side: str) -> None:
    t = acting("Katuzili", "Susa", side, {"goods": {"textile": 2}}, seats=[{"hand": ["SAM-085"]}]).choose("play_card")
    assert t.area("Elam") == {"supply": 3}
    assert t.area("Phrygia") == {}


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("side", "n"), [("personal", 3), ("public", 2)])
def test_katuzili_looks_at_the_next_events_and_orders_them(side: str, n: int) -> None:
    events = ["SAM-016", "SAM-017", "SAM-018"][:n]
    t = acting("Katuzili", "Susa", side, month=2, months=6, events={"current": "SAM-026"}).choose("special", *events)
    assert set(t.options()) == set(events)
    t.choose(*list(reversed(events))[: n - 1])
    assert t.dump()["events"]["known_top"] == list(reversed(events))
    assert t.who("Katuzili")["actions"] == 2


@pytest.mark.rule("A10", "N8")
@pytest.mark.parametrize(("left", "asked"), [(["SAM-016", "SAM-017"], True), (["SAM-016"], False), ([], False)])
def test_katuzili_looks_at_no_more_events_than_are_left(left: list[str], asked: bool) -> None:
    seen = [card for card in c.card_ids(c.EVENT_FIRST, 60) if card not in left]
    t = acting("Katuzili", "Susa", "personal", month=2, months=6, events={"current": "SAM-026", "seen": seen})
    assert ("special" in t.options()) == bool(left)
    t.choose(*["special"] * bool(left), *left[:1] * asked)
    assert t.prompt() == ("order_events" if asked else "turn")
    assert set(t.options()) == set(left) or not asked
    t.choose(*left[1:])
    assert t.dump()["events"]["known_top"] == left[::-1]


# SAM-012 Siranoush


@pytest.mark.rule("A11", "A4")
@pytest.mark.parametrize(("side", "n"), [("personal", 7), ("public", 4)])
def test_siranoush_carries_more(side: str, n: int) -> None:
    t = acting("Siranoush", "Ancyra", side, locations={"Ancyra": {"military": 3, "diviner": 2}},
               areas={"Phrygia": {"supply": 1, "medicine": 1}}).choose("move", "Tushpa")  # fmt: skip
    t.choose("diviner", "diviner", "supply", "medicine")
    if side == "personal":
        t.choose("military", "military", "military")
    assert t.area("Urartu") == {"supply": 1, "medicine": 1}
    assert sum(t.at("Tushpa").values()) == n - 2


@pytest.mark.rule("A10")
def test_siranoush_personal_plays_two_cards_for_the_goods_of_one() -> None:
    t = acting("Siranoush", "Tushpa", "personal", {"goods": {"textile": 1, "iron": 1}},
               seats=[{"hand": ["SAM-087", "SAM-142", "SAM-079"]}]).choose("special")  # fmt: skip
    t.choose("SAM-087", "SAM-142")
    assert t.options() == ["SAM-087", "SAM-142"]
    t.choose("SAM-087")
    assert t.at("Tushpa") == {"military": ASHUR["SAM-087"].favoured}
    assert t.area("Urartu") == ASHUR["SAM-142"].gain
    assert t.bag() == {"raid": 1}
    assert t.who("Siranoush")["goods"] == {"textile": 1}
    assert t.who("Siranoush")["actions"] == 2
    assert hand(t, 0) == ["SAM-079"]


@pytest.mark.rule("A10", "A7")
def test_the_second_of_siranoushs_two_cards_gives_something_after_the_first() -> None:
    """One military is left on the board: whichever of SAM-087 and SAM-091 takes it, the other gives none."""
    row = {"goods": {"iron": 2, "textile": 1}}
    locations = {"Tushpa": {"military": 9}, "Kalhu": {"military": 10}}
    t = acting("Siranoush", "Tushpa", "personal", row, locations=locations, seats=[{"hand": ["SAM-087", "SAM-091"]}])
    assert "special" not in t.options() and "play_card" in t.options()
    t = acting("Siranoush", "Tushpa", "personal", row, locations=locations,
               seats=[{"hand": ["SAM-087", "SAM-089", "SAM-091"]}]).choose("special", "SAM-087")  # fmt: skip
    assert t.prompt() == "pay_which" and t.options() == ["SAM-087", "SAM-089"]


@pytest.mark.rule("A10")
def test_siranoush_public_lets_any_player_draw_two() -> None:
    t = acting("Siranoush", "Tushpa", "public", {"goods": GOODS_2}).choose("special")
    assert t.options() == ["player 0", "player 1", "player 2"]
    t.choose("player 2", "SAM-079", "SAM-080")
    assert hand(t, 2) == ["SAM-079", "SAM-080"]
    assert goods(t, "Siranoush") == 0


# SAM-013 Amenirdis


@pytest.mark.rule("A11")
@pytest.mark.parametrize("side", SIDES)
def test_amenirdis_gives_one_more_action_once_a_month(side: str) -> None:
    giver = {"Amenirdis": {"location": "Napata", **({"player": 1} if side == "personal" else {})}}
    t = acting("Dinah", "Napata", "public", characters=giver).choose("extra_action")
    assert t.who("Dinah")["actions"] == 4
    assert "extra_action" not in t.options()


@pytest.mark.rule("A11", "A2")
@pytest.mark.parametrize("owner", [0, None])
def test_nobody_acts_with_anothers_personal_advisor_whose_turn_is_over(owner: int | None) -> None:
    """そのプレイヤーだけが相談可能 (p. 54)."""
    own = {} if owner is None else {"player": owner}
    people = {"Besime": {"location": "Kalhu", "consulted": 0, "actions": 2, **own}, "Amenirdis": {"location": "Kalhu"},
              "Dinah": {"location": "Kalhu", "player": 1, "consulted": 1, "actions": 2}}  # fmt: skip
    t = Table(stage="actions", players=2, characters=people).choose("done")
    assert t["seat"] == 1
    t.choose("extra_action")
    assert (t.prompt() == "grant" and "Besime" in t.options()) == (owner is None)


@pytest.mark.rule("A11")
def test_amenirdis_gives_it_only_where_she_is() -> None:
    t = acting("Dinah", "Meroe", "public", characters={"Amenirdis": {"location": "Napata"}})
    assert "extra_action" not in t.options()


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("side", "cards"), [("personal", ["SAM-079"]), ("public", ["SAM-079", "SAM-080"])])
def test_amenirdis_gains_a_technology_of_the_pool(side: str, cards: list[str]) -> None:
    t = acting("Amenirdis", "Napata", side, {"goods": GOODS_2}, seats=[{"hand": cards}])
    t.choose("special", *cards[1:])
    assert len(t.options()) == 11
    t.choose("Sword")
    assert t.who("Amenirdis")["technologies"] == ["Sword"]
    assert goods(t, "Amenirdis") == 0
    assert hand(t, 0) == []
    poor = acting("Amenirdis", "Napata", side, {"goods": GOODS_2}, seats=[{"hand": cards[1:]}])
    assert "special" not in poor.options()


# SAM-014 Apollonios


@pytest.mark.rule("A11", "A3")
@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("start", ["Kition", "Elmali", "Samaria", "Men-nefer", "Damascus"])
def test_apollonios_sails_in_one_step(side: str, start: str) -> None:
    t = acting("Apollonios", start, side, locations={"Jerusalem": {"enemy": 1}}).choose("move")
    ports = ("Salamis", "Kition", "Gordium", "Ancyra", "Elmali", "Tyre", "Samaria", "Men-nefer", "Heliopolis")
    assert {*ports, "Damascus"} - {start} <= set(t.options())
    assert "Jerusalem" not in t.options()
    assert "Kalhu" not in t.options()


@pytest.mark.rule("A11", "A6")
@pytest.mark.parametrize("side", SIDES)
def test_apollonios_attacks_over_the_sea_and_goes_with_the_army(side: str) -> None:
    """Adjacent (隣接) is where the character's move goes without the Queen's Road; the army alone cannot sail."""
    places = {"Kition": {"military": 2}, "Jerusalem": {"enemy": 1}}
    t = acting("Apollonios", "Kition", side, locations=places).choose("attack", "military")
    assert t.at("Jerusalem") == {"military": 1}
    assert t.who("Apollonios")["location"] == "Jerusalem"
    frozen = acting("Apollonios", "Kition", side, {"frozen": 1}, locations=places)
    assert "attack" not in frozen.options()
    assert "attack" not in acting("Dinah", "Kition", side, locations=places).options()


@pytest.mark.rule("A11", "A6")
def test_apollonios_need_not_join_where_a_road_leads() -> None:
    places = {"Tyre": {"military": 2}, "Jerusalem": {"enemy": 1}}
    t = acting("Apollonios", "Tyre", "public", locations=places).choose("attack", "military")
    assert t.options() == ["done", "join"]


@pytest.mark.rule("A10")
@pytest.mark.parametrize(("side", "price"), [("personal", 2), ("public", 3)])
def test_apollonios_places_a_medicine(side: str, price: int) -> None:
    t = acting("Apollonios", "Kition", side, {"goods": {"iron": price}}).choose("special")
    assert t.area("Cyprus") == {"medicine": 1}
    assert goods(t, "Apollonios") == 0
    assert "special" not in acting("Apollonios", "Kition", side, {"goods": {"iron": price - 1}}).options()


# SAM-015 Baileet


@pytest.mark.rule("A11", "O1")
@pytest.mark.parametrize("side", ["A", "B"])
def test_baileet_turns_each_diviner_of_the_area_into_two_enemies(side: str) -> None:
    tokens = {"Babylon": {"diviner": 1}, "Opis": {"diviner": 2}}
    if side == "B":
        t = Table(month=2, locations=tokens, events={"known_top": ["SAM-076"]}, oracles=3).stage("event")
    else:
        t = Table("SAM-190", month=2, locations=tokens).stage("monthly_effect", "SAM-016")
    assert t.who("Baileet") == {"location": "Babylon", "status": "in play", "side": side}
    assert t.at("Babylon")["enemy"] >= 2
    assert t.at("Opis") == {"enemy": 4}
    assert t.on_map("diviner") == 0


@pytest.mark.rule("A11")
def test_baileet_side_a_is_not_killed() -> None:
    t = acting("Besime", "Opis", "public", locations={"Opis": {"military": 6}, "Babylon": {"enemy": 1}},
               characters={"Baileet": {"location": "Babylon", "side": "A"}})  # fmt: skip
    t.choose("attack", "military", "military", "military", "military", "military", "join")
    assert t.at("Babylon") == {"military": 5}
    assert t.who("Baileet")["status"] == "in play"
    assert "attack" not in t.options()


@pytest.mark.rule("A11")
@pytest.mark.parametrize(("military", "status"), [(4, "in play"), (5, "dead")])
def test_baileet_side_b_defends_three_behind_her_enemies(military: int, status: str) -> None:
    t = acting("Besime", "Opis", "public", locations={"Opis": {"military": military}, "Babylon": {"enemy": 2}},
               characters={"Baileet": {"location": "Babylon", "side": "B"}})  # fmt: skip
    t.choose("attack", *["military"] * (military - 1), "done")
    assert t.at("Babylon").get("enemy", 0) == 0
    assert t.who("Baileet")["status"] == status
