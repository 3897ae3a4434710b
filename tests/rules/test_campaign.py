"""Campaigns: five challenges in a row, what carries over, who plays on, and the score (rulebook pp. 36-38)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sammu_env import campaign
from sammu_env import constants as c
from tests.table import Table, hand

#: Assyria holds its gate and everything that keeps the empire from falling.
HELD = {"Kalhu": {"military": 3, "diviner": 2}}
STOCKED = {"supply": 2, "medicine": 2, "gate": True}
#: SAM-188 is won with the gates of Babylonia and Egypt.
WINNING: dict[str, dict[str, Any]] = {"Assyria": STOCKED, "Babylonia": {"gate": True}, "Egypt": {"gate": True}}
#: The win, two face-down events, three gates, three military and two medicine.
BASE = 5 + 2 * 3 + 3 * 2 + 3 + 2
#: Two gates, three military and two medicine, in the last month.
LOST = 2 * 2 + 3 + 2


def end(won: bool = True, **keys: Any) -> Table:
    """SAM-188 of three players at the end of month 4 (won) or of the last month (lost)."""
    keys.setdefault("challenge", "SAM-188")
    keys.setdefault("month", 4 if won else 6)
    keys.setdefault("players", 3)
    if keys["players"] != 3 and not won:
        keys["month"] = {1: 7, 2: 8, 3: 6, 4: 6, 5: 5}[keys["players"]]
    areas = dict(WINNING)
    if not won:
        del areas["Babylonia"]
    for name, row in keys.pop("areas", {}).items():
        areas[name] = {**areas.get(name, {}), **row}
    locations = {**HELD, **keys.pop("locations", {})}
    return Table(areas=areas, locations=locations, **keys).stage("outcome")


def carried(before: Table, challenge: str = "SAM-184", players: int | None = None, leaving: Any = None) -> Table:
    """The table at the first decision of the next challenge."""
    after = Table()
    after.state = campaign.carry_over(before.state, challenge, players, leaving=leaving)
    return after


def draw(t: Table, n: int) -> Table:
    """The next cards of the deck, whichever they are."""
    for _ in range(n):
        assert t.prompt() == "draw_card"
        t.choose(t.options()[0])
    return t


THREE = {name: {"location": "Nineveh", "player": i} for i, name in enumerate(("Besime", "Younan", "Dinah"))}


# K1: the five challenges


@pytest.mark.rule("K1")
@pytest.mark.parametrize(("challenge", "letter"), [
    ("SAM-188", {"SAM-180", "SAM-184", "SAM-189", "SAM-190"}),
    ("SAM-184", {"SAM-183", "SAM-193", "SAM-194", "SAM-198"}),
    ("SAM-183", {"SAM-181", "SAM-191", "SAM-192", "SAM-197"}),
    ("SAM-181", {"SAM-182", "SAM-186", "SAM-187", "SAM-195"}),
])  # fmt: skip
def test_the_next_challenge_has_the_next_letter(challenge: str, letter: set[str]) -> None:
    t = end(False, challenge=challenge, campaign=1)
    assert t.prompt() == "draw_next_challenge"
    assert set(t.options()) == letter


@pytest.mark.rule("K1")
@pytest.mark.parametrize(("month", "announced"), [(4, False), (5, True)])
def test_the_next_challenge_is_drawn_before_the_last_month(month: int, announced: bool) -> None:
    t = end(won=False, month=month, campaign=1)
    assert t["result"] == c.RUNNING
    assert (t.prompt() == "draw_next_challenge") == announced


@pytest.mark.rule("K1")
def test_a_challenge_already_drawn_is_the_next_one() -> None:
    t = end(won=False, campaign=1, campaign_record={"next_challenge": 5}, characters=THREE)
    assert t.prompt() == "draw_card"
    assert t.dump()["challenge"] == "SAM-184"


@pytest.mark.rule("K1")
@pytest.mark.parametrize("won", [True, False])
def test_won_or_lost_the_campaign_goes_on(won: bool) -> None:
    t = end(won, campaign=1, characters=THREE).choose("SAM-184")
    assert t["result"] == c.RUNNING
    assert t["game"] == 1
    assert t["month"] == 1
    assert t["game_result"][0] == (c.WON if won else c.LOST)


@pytest.mark.rule("K1")
def test_sammu_ramats_death_ends_the_campaign() -> None:
    t = end(campaign=1, queen={"assassination": 3})
    assert t["to_act"] == c.NOBODY
    assert t["result"] == c.LOST


@pytest.mark.rule("K1")
def test_sammu_ramats_death_ends_it_whatever_else_is_lost() -> None:
    t = end(campaign=1, queen={"assassination": 3}, areas={"Assyria": {"medicine": 0}})
    assert t["to_act"] == c.NOBODY
    assert t["result"] == c.LOST


@pytest.mark.rule("K1")
def test_the_loss_of_assyrias_gate_ends_the_campaign() -> None:
    t = end(campaign=1, areas={"Assyria": {"gate": False}})
    assert t["to_act"] == c.NOBODY
    assert t["result"] == c.LOST


@pytest.mark.rule("K1")
def test_another_defeat_does_not_end_the_campaign() -> None:
    t = end(campaign=1, areas={"Assyria": {"medicine": 0}})
    assert t.prompt() == "draw_next_challenge"
    assert t["game_result"][0] == c.LOST


@pytest.mark.rule("K1")
def test_after_the_fifth_challenge_the_campaign_is_over() -> None:
    t = end(False, challenge="SAM-186", campaign=1, campaign_record={"score": [10, 20, 30, 15, 0]})
    assert t["to_act"] == c.NOBODY
    assert t["score"].tolist() == [10, 20, 30, 15, LOST]


# K2: carrying over


@pytest.mark.rule("K2")
def test_board_advisors_and_goods_carry_over() -> None:
    before = end(
        characters={**THREE, "Marsyas": {"location": "Elmali", "goods": {"iron": 2}, "technologies": ["Sun"]}},
        locations={"Bastam": {"enemy": 2}, "Gordium": {"unrest": 1}, "Susa": {"diplomacy": 1}},
        bag={"raid": 2}, technologies={"Susa": "Mule"}, queen={"assassination": 1},
        ashur_discard=["SAM-100"], seats=[{"hand": ["SAM-101"]}],
    )  # fmt: skip
    after = carried(before)
    old, new = before.dump(), after.dump()
    for key in ("locations", "areas", "characters", "bag", "technologies", "queen", "ashur_discard"):
        assert new[key] == old[key], key
    assert new["challenge"] == "SAM-184"
    assert hand(after, 0) == ["SAM-101"]


@pytest.mark.rule("K2")
def test_the_setup_side_is_ignored() -> None:
    after = carried(end(characters=THREE))
    assert after["enemy_pool"] == 25
    assert set(after.dump()["areas"]) == {"Assyria", "Babylonia", "Egypt"}
    assert after.bag() == {}


@pytest.mark.rule("K2")
def test_the_finished_state_is_left_as_it_is() -> None:
    before = end(characters=THREE)
    was = before.dump()
    carried(before)
    assert before.dump() == was


@pytest.mark.rule("K2")
def test_three_cards_each_then_down_to_the_limit() -> None:
    t = carried(end(players=2, characters={k: v for k, v in THREE.items() if k != "Dinah"},
                    seats=[{"hand": ["SAM-080", "SAM-081", "SAM-082", "SAM-083"]}]))  # fmt: skip
    draw(t, 6)
    assert t.prompt() == "discard"
    assert t["to_act"] == 0
    t.choose("SAM-080", "SAM-081")
    assert len(hand(t, 0)) == 5
    assert len(hand(t, 1)) == 3


@pytest.mark.rule("K2", "U9")
def test_a_solo_player_keeps_up_to_seven_cards() -> None:
    cards = [f"SAM-{n:03d}" for n in range(80, 86)]
    t = draw(carried(end(players=1, seats=[{"hand": cards}])), 3)
    assert t.prompt() == "discard"
    t.choose("SAM-080", "SAM-081")
    assert len(hand(t, 0)) == 7


@pytest.mark.rule("K2")
@pytest.mark.parametrize("status", ["away", "dead"])
def test_a_lost_personal_advisor_is_replaced(status: str) -> None:
    people = {**THREE, "Younan": {"status": status, "player": 1}, "Marsyas": {"location": "Elmali"},
              "Lilith": {"location": "Opis"}}  # fmt: skip
    t = carried(end(characters=people))
    assert t.prompt() == "choose_advisor"
    assert t["to_act"] == 1
    assert set(t.options()) == {"Marsyas", "Lilith"}
    t.choose("Lilith")
    assert t.who("Lilith")["side"] == "personal"
    assert t.who("Lilith")["player"] == 1
    assert t.prompt() == "draw_card"


@pytest.mark.rule("K2")
def test_after_a_win_one_character_may_pay_four_goods_for_a_technology() -> None:
    people = {**THREE, "Marsyas": {"location": "Elmali", "goods": {"iron": 3, "gold": 2}},
              "Lilith": {"location": "Opis", "goods": {"iron": 3}}}  # fmt: skip
    t = carried(end(characters=people, technologies={"Susa": "Sword"}))
    assert t.prompt() == "buy_technology"
    assert set(t.options()) == {"Marsyas", "done"}
    t.choose("Marsyas", "iron", "iron", "gold", "gold")
    assert set(t.options()) == set(c.TECHNOLOGIES)
    t.choose("Sword")
    assert t.who("Marsyas")["technologies"] == ["Sword"]
    assert t.who("Marsyas")["goods"] == {"iron": 1}
    assert t.prompt() == "draw_card"


@pytest.mark.rule("K2", "T1")
def test_a_wheel_bought_by_a_personal_advisor_draws_for_its_player() -> None:
    """The wheel is the advisor's (p. 47), whoever had the last turn."""
    people = {**THREE, "Younan": {**THREE["Younan"], "goods": {"iron": 4}}}
    t = carried(end(characters=people, seat=2)).choose("Younan", "Wheel")
    draw(t, 1)
    assert [len(hand(t, seat)) for seat in range(3)] == [0, 1, 0]


@pytest.mark.rule("K2", "T1")
def test_a_wheel_that_a_new_personal_advisor_buys_draws_for_the_new_owner() -> None:
    """p. 36 lists the new personal advisor before the technology."""
    people = {**THREE, "Younan": {"status": "dead", "player": 1}, "Marsyas": {"location": "Elmali"},
              "Lilith": {"location": "Opis", "goods": {"iron": 4}}}  # fmt: skip
    t = carried(end(characters=people, seat=2)).choose("Lilith")
    assert t.prompt() == "buy_technology"
    draw(t.choose("Lilith", "Wheel"), 1)
    assert [len(hand(t, seat)) for seat in range(3)] == [0, 1, 0]


@pytest.mark.rule("K2", "T1")
def test_for_whom_a_public_advisors_wheel_draws_the_team_says() -> None:
    people = {**THREE, "Marsyas": {"location": "Elmali", "goods": {"iron": 4}}}
    t = carried(end(characters=people, seat=2)).choose("Marsyas", "Wheel")
    assert t.prompt() == "draw_for"
    assert t.options() == ["player 0", "player 1", "player 2"]
    draw(t.choose("player 1"), 1)
    assert [len(hand(t, seat)) for seat in range(3)] == [0, 1, 0]


@pytest.mark.rule("K2")
def test_the_technology_need_not_be_bought() -> None:
    people = {**THREE, "Marsyas": {"location": "Elmali", "goods": {"iron": 4}}}
    t = carried(end(characters=people)).choose("done")
    assert t.who("Marsyas")["goods"] == {"iron": 4}
    assert t.prompt() == "draw_card"


@pytest.mark.rule("K2")
def test_no_technology_is_sold_after_a_defeat() -> None:
    people = {**THREE, "Marsyas": {"location": "Elmali", "goods": {"iron": 4}}}
    assert carried(end(won=False, characters=people)).prompt() == "draw_card"


@pytest.mark.rule("K2")
def test_new_events_are_laid_out_and_seen_ones_do_not_return() -> None:
    t = carried(end(characters=THREE, events={"seen": ["SAM-016", "SAM-017", "SAM-018", "SAM-019"]}))
    assert t["month"] == 1
    assert t["months"] == 6
    draw(t, 9)
    assert t.prompt() == "draw_event"
    assert not {"SAM-016", "SAM-017", "SAM-018", "SAM-019"} & set(t.options())
    assert "SAM-020" in t.options()


@pytest.mark.rule("K2")
def test_cards_of_the_row_that_were_not_reached_do_not_come_again() -> None:
    """No shuffling (p. 36, シャッフルしません): new cards are laid, those known of the old row are put aside."""
    t = carried(end(characters=THREE, events={"known_top": ["SAM-030", "SAM-031"]}))
    draw(t, 9)
    assert t.prompt() == "draw_event"
    assert not {"SAM-030", "SAM-031"} & set(t.options())
    assert "SAM-032" in t.options()


@pytest.mark.rule("K2", "U11", "O1")
@pytest.mark.parametrize(("oracles", "seen", "back"), [
    (3, [], {"SAM-076", "SAM-077", "SAM-078"}), (2, ["SAM-076"], {"SAM-077"}), (0, [], set()),
])  # fmt: skip
def test_after_sam_190_the_oracle_events_asked_for_are_in_the_pile_again(
    oracles: int, seen: list[str], back: set[str]
) -> None:
    """For that challenge they are not added to the pile (p. 45); those already seen stay seen."""
    before = end(characters=THREE, oracles=oracles, events={"seen": seen})
    t = carried(before, "SAM-190")
    assert not {"SAM-076", "SAM-077", "SAM-078"} - set(seen) - set(t.dump()["events"]["left_out"])
    t.state["scored"] = 1
    t.state["gate"][0, c.ASSYRIA] = 1
    t = carried(t, "SAM-180")
    draw(t, 9)
    assert t.prompt() == "draw_event"
    assert {"SAM-076", "SAM-077", "SAM-078"} & set(t.options()) == back


@pytest.mark.rule("K2", "C1", "E1")
def test_the_first_month_of_a_later_challenge_skips_nothing() -> None:
    t = carried(end(characters=THREE, locations={"Bastam": {"enemy": 2}}))
    draw(t, 9).choose("SAM-034")
    assert t["stage"] == c.ST_DRAW
    assert t.at("Bastam") == {}
    assert t.at("Meroe") == {"enemy": 2}
    assert t.at("Sardes") == {"enemy": 2}
    draw(t, 3)
    assert t.prompt() == "tax"


@pytest.mark.rule("K2", "C3")
def test_enemies_of_month_one_are_kept_out_by_equal_defence() -> None:
    t = carried(end(characters=THREE, locations={"Meroe": {"military": 2}}))
    draw(t, 9).choose("SAM-034")
    assert t.at("Meroe") == {"military": 2}
    assert t.at("Sardes") == {"enemy": 2}


@pytest.mark.rule("K2")
@pytest.mark.parametrize(("players", "game", "challenge", "months"), [
    (3, 0, "SAM-184", 5), (3, 1, "SAM-183", 5), (3, 2, "SAM-181", 4), (3, 3, "SAM-182", 4),
    (2, 0, "SAM-184", 7), (1, 3, "SAM-182", 5),
])  # fmt: skip
def test_the_advanced_variant_has_fewer_events(players: int, game: int, challenge: str, months: int) -> None:
    people = {k: v for k, v in THREE.items() if int(v["player"]) < players}  # type: ignore[call-overload]
    people = people if players > 1 else {}
    t = carried(end(players=players, characters=people, advanced=1, campaign_record={"game": game}), challenge)
    assert t["months"] == months


@pytest.mark.rule("K2")
@pytest.mark.parametrize("printed", [1, 2])
def test_the_advanced_variant_leaves_a_month_at_least(tmp_path: Path, printed: int) -> None:
    path = tmp_path / "box.toml"
    path.write_text(f"[components.players.2]\nmonths = {printed}\n", encoding="utf-8")
    two = {who: row for who, row in THREE.items() if int(row["player"]) < 2}  # type: ignore[call-overload]
    before = end(players=2, characters=two, advanced=1, campaign_record={"game": 3})
    assert campaign.carry_over(before.state, "SAM-182", edition=path)["months"][0] == 1


@pytest.mark.rule("K2", "K1")
def test_a_later_challenge_cannot_follow_the_end_of_the_campaign() -> None:
    lost = end(areas={"Assyria": {"gate": False}})
    with pytest.raises(ValueError):
        campaign.carry_over(lost.state, "SAM-184")


# K3: players who leave or join


@pytest.mark.rule("K3")
def test_who_leaves_gives_up_the_advisor_and_shares_out_the_cards() -> None:
    people = {**THREE, "Dinah": {"location": "Opis", "player": 2, "goods": {"gold": 2}, "technologies": ["Sun"]}}
    t = carried(end(characters=people, seats=[{}, {}, {"hand": ["SAM-090", "SAM-091"]}]), players=2)
    assert t["players"] == 2
    assert t.who("Dinah") == {
        "location": "Opis", "status": "in play", "side": "public", "goods": {"gold": 2}, "technologies": ["Sun"],
    }  # fmt: skip
    assert t.prompt() == "share_card"
    assert t.options() == ["player 0", "player 1"]
    t.choose("player 0", "player 1")
    assert sorted(hand(t, 0) + hand(t, 1)) == ["SAM-090", "SAM-091"]
    assert len(hand(t, 0)) == 1
    assert t.who("Besime")["player"] == 0
    assert t.who("Younan")["player"] == 1


@pytest.mark.rule("K3")
def test_any_player_may_leave_and_the_others_close_the_gap() -> None:
    """次の試練に移る際にプレイヤーが減った場合 (p. 37): the text does not say which."""
    hands = [{"hand": ["SAM-090"]}, {"hand": ["SAM-091"]}, {"hand": ["SAM-092"]}]
    t = carried(end(characters=THREE, seats=hands), leaving=[0])
    assert t["players"] == 2
    assert "player" not in t.who("Besime") and t.who("Besime")["side"] == "public"
    assert t.who("Younan")["player"] == 0 and t.who("Dinah")["player"] == 1
    assert hand(t, 0) == ["SAM-091"] and hand(t, 1) == ["SAM-092"]
    assert t.prompt() == "share_card"
    t.choose("player 1")
    assert hand(t, 1) == ["SAM-090", "SAM-092"]


@pytest.mark.rule("K3", "S1")
def test_one_who_stays_alone_plays_sammu_ramat() -> None:
    t = carried(end(characters=THREE, seats=[{}, {"hand": ["SAM-091"]}, {"hand": ["SAM-092"]}]), leaving=[0, 2])
    assert t["players"] == 1
    assert t.who("Sammu-ramat")["side"] == "solo"
    assert {"SAM-091", "SAM-092"} <= set(hand(t, 0))


@pytest.mark.rule("K3")
def test_somebody_leaves_and_somebody_joins() -> None:
    hands = [{"hand": ["SAM-090"]}, {"hand": ["SAM-091"]}, {}]
    t = carried(end(characters=THREE, seats=hands), players=3, leaving=[np.int8(1)])
    assert t.options() == ["player 0", "player 1", "player 2"]
    t.choose("player 0")
    assert t.who("Dinah")["player"] == 1
    assert t.who("Younan")["player"] == 2


@pytest.mark.rule("K3")
@pytest.mark.parametrize(("leaving", "players", "message"), [
    ([3], None, "choose different seats of 0 to 2"), ([1, 1], None, "choose different seats of 0 to 2"),
    ([0, 1, 2], None, "at least one of the 3 must stay"), ([0], 1, "2 stay, choose 2 to 4"),
    ([0], 5, "2 stay, choose 2 to 4"), ([True], None, "choose different seats of 0 to 2"),
    (None, 2.0, "players is 2.0, choose one of 1, 2, 3, 4, 5"), (None, True, "players is True"),
])  # fmt: skip
def test_who_cannot_leave_is_named(leaving: Any, players: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        carried(end(characters=THREE), players=players, leaving=leaving)


@pytest.mark.rule("K3")
def test_who_joins_takes_a_public_advisor_and_three_cards() -> None:
    people = {"Besime": THREE["Besime"], "Younan": THREE["Younan"], "Dinah": {"location": "Opis", "goods": {"gold": 2}},
              "Marsyas": {"location": "Elmali"}}  # fmt: skip
    t = carried(end(players=2, characters=people), players=3)
    assert t["players"] == 3
    assert t.prompt() == "choose_advisor"
    assert t["to_act"] == 2
    assert set(t.options()) == {"Dinah", "Marsyas"}
    t.choose("Dinah")
    assert t.who("Dinah")["side"] == "personal"
    assert t.who("Dinah")["player"] == 2
    assert t.who("Dinah")["goods"] == {"gold": 2}
    draw(t, 9)
    assert len(hand(t, 2)) == 3


@pytest.mark.rule("K3", "U11")
def test_the_number_of_months_follows_the_number_of_players() -> None:
    t = carried(end(characters=THREE), players=2)
    assert t["months"] == 8


@pytest.mark.rule("K3", "S1")
def test_sammu_ramat_is_nobodys_own_when_somebody_joins_a_solo_player() -> None:
    people = {name: {"location": "Nineveh"} for name in ("Besime", "Younan", "Dinah")}
    t = carried(end(players=1, characters=people), players=2)
    assert t.who("Sammu-ramat")["side"] == "public"
    assert "player" not in t.who("Sammu-ramat")
    t.choose("Besime", "Younan")
    assert t.who("Besime")["player"] == 0
    assert t.who("Younan")["player"] == 1


# K4: the score


def score(t: Table) -> int:
    return int(t["score"][t["game"]])


@pytest.mark.rule("K4")
def test_the_score_of_a_won_challenge() -> None:
    assert score(end()) == BASE


@pytest.mark.rule("K4")
def test_each_face_down_event_counts_three_after_a_win() -> None:
    assert score(end(month=6)) == BASE - 6
    assert score(end(month=1)) == BASE + 9


@pytest.mark.rule("K4")
def test_a_lost_challenge_scores_what_is_on_the_map() -> None:
    assert score(end(won=False)) == 2 * 2 + 3 + 2
    assert score(end(month=2, queen={"assassination": 3})) == 3 * 2 + 3 + 2 - 3


@pytest.mark.rule("K4")
@pytest.mark.parametrize(("keys", "points"), [
    ({"areas": {"Kush": {"gate": True}}}, 2),
    ({"characters": {"Dinah": {"location": "Opis", "technologies": ["Sun", "Sun", "Mule"]}}}, 3),
    ({"characters": {"Dinah": {"status": "away", "technologies": ["Sun"]}}}, 0),
    ({"technologies": {"Susa": "Mule"}}, 0),
    ({"areas": {"Kush": {"medicine": 4}}}, 4),
    ({"locations": {"Opis": {"military": 4}}}, 4),
    ({"areas": {"Kush": {"supply": 4}}, "locations": {"Opis": {"diviner": 4}}}, 0),
    ({"characters": {"Dinah": {"location": "Opis", "goods": {"gold": 5}}}}, 0),
    ({"locations": {"Opis": {"diplomacy": 1}, "Susa": {"karu": 1}, "Tyre": {"health": 1}}}, 3),
    ({"areas": {"Kush": {"karu": 1, "health": 1}}, "roads": {"Kalhu-Nineveh": {"karu": 1}}}, 3),
    ({"queen": {"religion": 2}}, 2),
    ({"events": {"religion": [0, 0, 0, 0, 1]}}, 1),
    ({"locations": {"Meroe": {"enemy": 3}}}, -3),
    ({"locations": {"Meroe": {"unrest": 1}, "Anshan": {"plague": 1}}}, -2),
    ({"queen": {"assassination": 2}}, -2),
    ({"bag": {"raid": 2, "plague": 1, "health": 2}}, 0),
])  # fmt: skip
def test_the_score_item_by_item(keys: dict[str, Any], points: int) -> None:
    assert score(end(**keys)) == BASE + points


@pytest.mark.rule("K4")
@pytest.mark.parametrize(("total", "verdict"), [
    (0, 0), (60, 0), (61, 1), (80, 1), (81, 2), (95, 2), (96, 3), (110, 3), (111, 4), (200, 4),
])  # fmt: skip
def test_the_five_verdicts(total: int, verdict: int) -> None:
    assert getattr(campaign.verdict, "py_func", campaign.verdict)(total) == verdict
    assert campaign.VERDICTS == (0, 61, 81, 96, 111)


@pytest.mark.rule("K4")
def test_the_five_scores_add_up() -> None:
    t = end(False, challenge="SAM-186", campaign=1, campaign_record={"score": [10, 20, 30, 15, 0]})
    assert campaign.score(t.state) == 75 + LOST
