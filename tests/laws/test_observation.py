"""The observation: its layout, its ranges, and that its named parts say what the table shows."""

from __future__ import annotations

from typing import Any

import numpy as np

from sammu_env import actions as a
from sammu_env import campaign, engine, observation, steps
from sammu_env import constants as c
from sammu_env import state as st
from sammu_env.observation import layout
from sammu_env.rules import pools
from tabletop.game import Record
from tabletop.jit import entry
from tests.laws.walk import BOX, SIZE, Way, asked, play_by_rule, shelter, some_ways, stops
from tests.table import Table

PARTS = {part.name: part for part in layout()}
L, CH, G, T = (len(x) for x in (c.LOCATIONS, c.CHARACTERS, c.GOODS, c.TECHNOLOGIES))
CARD = c.N_ASHUR


def vector(s: Record, seat: int = 0) -> np.ndarray:
    out = np.full(observation.SIZE, np.nan, np.float32)
    engine.observe(BOX, s, seat, out)
    return out


def part(s: Record, name: str, seat: int = 0) -> np.ndarray:
    return vector(s, seat)[PARTS[name].slice]


def ones(s: Record, name: str, seat: int = 0) -> list[int]:
    """Where a part of zeros and ones has ones."""
    found = part(s, name, seat)
    assert set(found.tolist()) <= {0.0, 1.0}
    return np.flatnonzero(found).tolist()


def cards(*names: str) -> list[int]:
    return [int(name[4:]) - c.ASHUR_FIRST for name in names]


def near(values: Any, expected: Any) -> bool:
    return bool(np.allclose(values, expected, atol=1e-6))


# The layout


def test_parts_lie_one_after_another() -> None:
    at = 0
    for piece in layout():
        assert piece.slice.start == at and piece.slice.step is None and piece.slice.stop > at
        assert piece.low < piece.high and piece.meaning
        at = piece.slice.stop
    assert at == observation.SIZE
    assert len(PARTS) == len(layout())


def test_every_seat_sees_the_table_from_its_place() -> None:
    for s in stops(Way(6, players=4, manual_chance=False), 17):
        for seat in range(4):
            if s["to_act"][0] >= 0:
                assert ones(s, "to_act", seat) == [(int(s["to_act"][0]) - seat) % 4]
            assert ones(s, "turn", seat) == [(int(s["seat"][0]) - seat) % 4]
            assert ones(s, "first_player", seat) == [(int(s["first_player"][0]) - seat) % 4]
            assert near(part(s, "hand_sizes", seat)[:4], np.roll(s["hand_n"][0, :4], -seat) / 10)


def test_cards_are_each_in_one_place() -> None:
    for way in some_ways(5 * SIZE):
        for s in stops(way, 31):
            piles = [part(s, name).reshape(-1, CARD).sum(0) for name in ("hand", "other_hands", "deck", "discard")]
            assert (np.sum(piles, 0) == 1).all()


def test_cards_of_a_player_who_left_are_in_no_hand() -> None:
    s = play_by_rule(Way(9, players=4, challenge="SAM-179").begin(), 9)
    shelter(s, np.random.default_rng(0))
    s["gate"][0, c.ASSYRIA], s["cause"] = 1, c.OUT_OF_MONTHS
    s = campaign.carry_over(s, "SAM-183", 2)
    assert asked(s) == steps.SHARE_CARD and s["hand_n"][0, 2:].sum() > 0
    for seat in range(2):
        assert len(ones(s, "hand", seat)) == s["hand_n"][0, seat]
        assert len(ones(s, "other_hands", seat)) == s["hand_n"][0, 1 - seat]


def test_question_is_named() -> None:
    for s in stops(Way(7, players=2, sheltered=True), 5):
        assert ones(s, "prompt") == ([asked(s)] if asked(s) <= steps.LAST_PROMPT else [])


# Positions


def test_military_at_kalhu() -> None:
    s = Table(locations={"Kalhu": {"military": 3, "diviner": 1}, "Opis": {"enemy": 4, "unrest": 1}}).state
    assert near(on_location(s, "Kalhu"), [0.3, 0.1, 0, 0.3, 0, 0, 0, 0, 0])
    assert near(on_location(s, "Opis"), [0, 0, 0.4, 0, 1, 0, 0, 0, 0])
    assert near(part(s, "tracks"), [3 / 20, 1 / 15, 0, 0])
    assert near(part(s, "enemy_pool"), [21 / 25])


def on_location(s: Record, name: str) -> list[float]:
    parts = ("military", "diviners", "enemies", "defence", "unrest", "plague", "diplomacy", "karu", "health")
    return [part(s, field)[c.LOCATIONS.index(name)] for field in parts]


def in_area(s: Record, area: int) -> list[float]:
    parts = ("supply", "medicine", "gate", "area_karu", "area_health", "road_closed", "token_ban", "double_steps")
    return [part(s, field)[area] for field in parts]


@entry
def defence_by_rule(box: Any, s: Any, out: Any) -> None:
    for location in range(L):
        out[location] = pools.defence(box[0], s[0], location)


def test_defence_is_that_of_the_rules() -> None:
    for way in some_ways(5 * SIZE):
        for s in stops(way, 41):
            defence = np.zeros(L)
            defence_by_rule(BOX, s, defence)
            assert near(part(s, "defence"), defence / 10)


def test_diviners_defend_where_amunet_is() -> None:
    amunet = {"Amunet": {"location": "Heliopolis", "side": "public"}}
    places = {"Heliopolis": {"diviner": 1}, "Men-nefer": {"diviner": 2, "military": 1}, "Kalhu": {"diviner": 1}}
    s = Table(characters=amunet, locations=places).state
    defence = dict(zip(c.LOCATIONS, part(s, "defence"), strict=True))
    assert near([defence["Heliopolis"], defence["Men-nefer"], defence["Kalhu"]], [0.1, 0.3, 0])


def test_markers_and_technologies_on_the_map() -> None:
    s = Table(
        locations={"Tyre": {"plague": 1}, "Susa": {"diplomacy": 2, "karu": 1, "health": 3}},
        technologies={"Sardes": "Mule"},
        areas={"Assyria": {"supply": 2, "medicine": 1, "gate": True, "karu": 1, "health": 2}},
        roads={"Kalhu-Nineveh": {"karu": 1}},
    ).state
    assert near(on_location(s, "Tyre")[4:], [0, 1, 0, 0, 0])
    assert near(on_location(s, "Susa")[4:], [0, 0, 2, 1, 3])
    assert ones(s, "technology") == [c.SARDES * T + c.MULE]
    assert near(in_area(s, c.ASSYRIA), [0.2, 0.1, 1, 1, 2, 0, 0, 0])
    assert part(s, "roads").sum() == 1


def test_game_and_time() -> None:
    s = Table("SAM-190", 2, month=3, stage="tax", seat=1, first_player=1).state
    assert ones(s, "challenge") == [190 - c.CHALLENGE_FIRST]
    assert ones(s, "next_challenge") == []
    assert ones(s, "players") == [1]
    assert ones(s, "month") == [2]
    assert ones(s, "months") == [7]
    assert ones(s, "stage") == [c.ST_TAX]
    assert ones(s, "turn", 0) == [1] and ones(s, "turn", 1) == [0]
    assert part(s, "campaign").tolist() == [0, 0]


HANDS = {"seats": [{"hand": ["SAM-080", "SAM-100"]}, {"hand": ["SAM-081"]}, {"hand": []}]}


def test_own_hand_and_the_others() -> None:
    s = Table(**HANDS, ashur_discard=["SAM-178"]).state
    assert ones(s, "hand") == cards("SAM-080", "SAM-100")
    assert ones(s, "other_hands") == cards("SAM-081")
    assert ones(s, "hand", 1) == cards("SAM-081")
    assert ones(s, "other_hands", 1) == [CARD + card for card in cards("SAM-080", "SAM-100")]
    assert ones(s, "discard") == cards("SAM-178")
    assert len(ones(s, "deck")) == 96 and not set(ones(s, "deck")) & set(cards("SAM-080", "SAM-081", "SAM-178"))
    assert near(part(s, "hand_sizes"), [0.2, 0.1, 0, 0, 0])


def test_hidden_hands_are_zeros_and_may_be_in_the_deck() -> None:
    s = Table(**HANDS, hidden_hands=True).state
    assert ones(s, "hand") == cards("SAM-080", "SAM-100")
    assert ones(s, "other_hands") == [] and ones(s, "other_hands", 2) == []
    assert len(ones(s, "deck")) == 98 and set(cards("SAM-081")) <= set(ones(s, "deck"))
    assert near(part(s, "hand_sizes"), [0.2, 0.1, 0, 0, 0])


def test_what_is_hidden_is_told_to_a_critic() -> None:
    """Of every seat, what it would see of the others' hands if they lay open; of open hands nothing."""
    told_any = False
    for s in stops(Way(4, players=3, hidden_hands=True), 9):
        told = observation.hidden(s)[0].reshape(c.MAX_PLAYERS - 1, CARD)
        seat = int(s["to_act"][0])
        for other in range(1, 3):
            assert (told[other - 1] == (s["ashur"][0] == st.HAND + (seat + other) % 3)).all()
        assert not told[2:].any()
        told_any |= bool(told.any())
    assert told_any
    assert not any(observation.hidden(s).any() for s in stops(Way(4, players=3), 9))


def test_bag_and_queen() -> None:
    s = Table(bag={"raid": 2, "health": 1}, queen={"assassination": 2, "religion": 1}).state
    assert near(part(s, "bag"), [0.4, 0, 0, 0, 0, 0, 0, 0.2])
    assert near(part(s, "queen"), [0.4, 0.2])
    total = BOX["marker_total"][0].astype(int)
    assert near(part(s, "marker_pool") * total, total - [2, 2, 0, 0, 0, 1, 0, 1])


def test_known_events_and_what_may_come() -> None:
    s = Table(
        month=2,
        events={
            "current": "SAM-026", "seen": ["SAM-020"], "known_top": ["SAM-030", "SAM-031"], "religion": [0, 0, 1],
            "previous_area": "Egypt",
        },
    ).state  # fmt: skip
    event = [int(name[4:]) - c.EVENT_FIRST for name in ("SAM-026", "SAM-030", "SAM-031", "SAM-020")]
    assert ones(s, "event") == event[:1]
    assert ones(s, "event_area") == [int(BOX["event_area"][0, event[0]])]
    assert ones(s, "previous_area") == [c.EGYPT]
    assert ones(s, "known_events") == [event[1], c.N_EVENTS + event[2]]
    unseen = ones(s, "events_unseen")
    assert len(unseen) == 60 - 4 and not set(event) & set(unseen) and not set(c.ORACLE_EVENTS) & set(unseen)
    assert near(part(s, "event_religion"), [0, 0, 0.2, 0, 0, 0, 0, 0])


def test_characters() -> None:
    s = Table(
        stage="actions",
        seat=1,
        characters={
            "Besime": {"location": "Opis", "player": 1, "goods": {"iron": 5}, "technologies": ["Shield"],
                       "consulted": 1, "actions": 2},
            "Younan": {"status": "dead"},
        },
    ).state  # fmt: skip
    besime, younan = 1, 2
    assert ones(s, "active") == [besime]
    assert of(s, "location", besime) == [c.LOCATIONS.index("Opis")] and of(s, "location", younan) == []
    assert of(s, "status", besime) == [c.IN_PLAY] and of(s, "status", younan) == [c.DEAD]
    assert of(s, "side", besime) == [c.PERSONAL] and of(s, "technologies", besime) == [c.SHIELD]
    assert of(s, "owner", besime) == [1] and of(s, "consulted", besime) == [1]
    assert of(s, "owner", besime, seat=1) == [0] and of(s, "consulted", besime, seat=1) == [0]
    assert near(part(s, "goods").reshape(CH, G)[besime], [0, 1, 0, 0, 0])
    assert ones(s, "may_act") == [besime] and near(part(s, "actions")[besime], 2 / 3)
    for name in ("moves", "frozen", "fewer_actions", "used", "sun_used", "granted"):
        assert not part(s, name).any()


def of(s: Record, name: str, who: int, seat: int = 0) -> list[int]:
    """Where a character's row of a part has ones."""
    return np.flatnonzero(part(s, name, seat).reshape(CH, -1)[who] == 1).tolist()


def test_month_conditions() -> None:
    s = Table(month_effects={"roads_closed": 1, "move_limit": 1, "corruption": 3, "token_ban": ["Elam"]}).state
    assert near(part(s, "month_conditions"), [1, 0, 0, 0, 0, 1, 0, 0.6, 0])
    assert in_area(s, c.ELAM) == [0, 0, 0, 0, 0, 0, 1, 0]


def test_load_and_the_move_in_hand() -> None:
    table = Table(
        stage="actions",
        characters={"Besime": {"location": "Kalhu", "player": 0, "consulted": 0, "actions": 2}},
        locations={"Kalhu": {"military": 2}},
    ).choose("move", "Nineveh", "military")
    s = table.state
    assert table.prompt() == "load"
    assert near(part(s, "load"), [0.2, 0, 0, 0]) and not part(s, "load_characters").any()
    assert ones(s, "prompt_character") == [1]
    assert ones(s, "prompt_from") == [c.KALHU]
    assert ones(s, "prompt_to") == [c.LOCATIONS.index("Nineveh")]


def test_condition_rows() -> None:
    for s in stops(Way(9, challenge="SAM-185"), 23):
        rows = part(s, "condition").reshape(-1, 2)
        wanted = BOX["condition"][0, int(s["challenge"][0]), :, 0] != c.W_NONE
        assert (rows[:, 0] == wanted).all() and not rows[~wanted, 1].any()
        assert rows.min() >= 0 and rows.max() <= 1


def test_actions_and_prompts_fit_the_catalogue() -> None:
    assert sum(size for _, size in a.BLOCKS) == a.N_ACTIONS
    assert PARTS["prompt"].slice.stop - PARTS["prompt"].slice.start == len(steps.PROMPTS) == steps.LAST_PROMPT + 1
