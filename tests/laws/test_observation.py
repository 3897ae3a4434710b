"""The observation: its layout, its ranges, and that its named parts say what the table shows."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sammu_env import actions as a
from sammu_env import campaign, engine, observation, steps
from sammu_env import constants as c
from sammu_env.observation import layout
from tabletop.game import Record
from tests.laws.walk import BOX, SIZE, Way, asked, play_by_rule, shelter, some_ways, stops
from tests.table import Table

PARTS = {part.name: part for part in layout()}
L, A, CH, G, T, P = (len(x) for x in (c.LOCATIONS, c.AREAS, c.CHARACTERS, c.GOODS, c.TECHNOLOGIES, range(5)))
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


@pytest.mark.parametrize("way", some_ways(5 * SIZE), ids=lambda way: f"{way.challenge}-{way.players}-{way.seed}")
def test_values_stay_in_their_ranges_and_all_are_written(way: Way) -> None:
    for s in stops(way, 7, first=way.seed):
        seat = (int(s["decisions"][0])) % way.players
        seen = vector(s, seat)
        for piece in layout():
            values = seen[piece.slice]
            assert np.isfinite(values).all(), piece.name
            assert piece.low - 1e-6 <= values.min() and values.max() <= piece.high + 1e-6, (piece.name, values.max())


def test_every_seat_sees_the_table_from_its_place() -> None:
    for s in stops(Way(6, players=4, manual_chance=False), 17):
        for seat in range(4):
            if s["to_act"][0] >= 0:
                assert ones(s, "to_act", seat) == [(int(s["to_act"][0]) - seat) % 4]
            assert ones(s, "turn", seat) == [(int(s["seat"][0]) - seat) % 4]
            assert ones(s, "first_player", seat) == [(int(s["first_player"][0]) - seat) % 4]
            assert near(part(s, "seats", seat).reshape(P, 3)[:4, 0], np.roll(s["hand_n"][0, :4], -seat) / 10)


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
    rows = part(s, "locations").reshape(L, 9 + T)
    assert near(rows[c.KALHU], [0.3, 0.1, 0, 0.3] + [0] * (5 + T))
    opis = rows[c.LOCATIONS.index("Opis")]
    assert near(opis[:6], [0, 0, 0.4, 0, 1, 0])
    assert near(part(s, "tracks"), [3 / 20, 1 / 15, 0, 0])
    assert near(part(s, "pools")[0], 21 / 25)


def test_markers_and_technologies_on_the_map() -> None:
    s = Table(
        locations={"Tyre": {"plague": 1}, "Susa": {"diplomacy": 2, "karu": 1, "health": 3}},
        technologies={"Sardes": "Mule"},
        areas={"Assyria": {"supply": 2, "medicine": 1, "gate": True, "karu": 1, "health": 2}},
        roads={"Kalhu-Nineveh": {"karu": 1}},
    ).state
    rows = part(s, "locations").reshape(L, 9 + T)
    assert near(rows[c.LOCATIONS.index("Tyre"), 4:9], [0, 1, 0, 0, 0])
    assert near(rows[c.LOCATIONS.index("Susa"), 4:9], [0, 0, 2, 1, 3])
    assert np.flatnonzero(rows[c.SARDES, 9:]).tolist() == [c.MULE]
    assert near(part(s, "zones").reshape(-1, 2)[c.ASSYRIA], [0.2, 0.1])
    assert near(part(s, "areas").reshape(A, 6)[c.ASSYRIA], [1, 1, 2, 0, 0, 0])
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
    assert near(part(s, "seats").reshape(P, 3)[:, 0], [0.2, 0.1, 0, 0, 0])


def test_hidden_hands_are_zeros_and_may_be_in_the_deck() -> None:
    s = Table(**HANDS, hidden_hands=True).state
    assert ones(s, "hand") == cards("SAM-080", "SAM-100")
    assert ones(s, "other_hands") == [] and ones(s, "other_hands", 2) == []
    assert len(ones(s, "deck")) == 98 and set(cards("SAM-081")) <= set(ones(s, "deck"))
    assert near(part(s, "seats").reshape(P, 3)[:, 0], [0.2, 0.1, 0, 0, 0])


def test_bag_and_queen() -> None:
    s = Table(bag={"raid": 2, "health": 1}, queen={"assassination": 2, "religion": 1}).state
    assert near(part(s, "bag"), [0.4, 0, 0, 0, 0, 0, 0, 0.2])
    assert near(part(s, "queen"), [0.4, 0.2])
    total = BOX["marker_total"][0].astype(int)
    pool = part(s, "pools")[-len(c.MARKERS) :]
    assert near(pool * total, total - [2, 2, 0, 0, 0, 1, 0, 1])


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
    size = PARTS["characters"].slice.stop - PARTS["characters"].slice.start
    rows = part(s, "characters").reshape(CH, size // CH)
    besime, younan = rows[1], rows[2]
    parts = np.split(besime, np.cumsum([1, L, 4, 3, P, G, T, P]))
    active, where, status, side, owner, goods, has, by, month = parts
    assert active == 1 and np.flatnonzero(where).tolist() == [c.LOCATIONS.index("Opis")]
    assert np.flatnonzero(status).tolist() == [c.IN_PLAY] and np.flatnonzero(side).tolist() == [c.PERSONAL]
    assert np.flatnonzero(owner).tolist() == [1] and np.flatnonzero(by).tolist() == [1]
    assert near(goods, [0, 1, 0, 0, 0]) and np.flatnonzero(has).tolist() == [c.SHIELD]
    assert near(month, [1, 2 / 3, 0, 0, 0, 0, 0, 0])
    assert not younan[: 1 + L].any() and younan[1 + L + c.DEAD] == 1


def test_month_conditions() -> None:
    s = Table(month_effects={"roads_closed": 1, "move_limit": 1, "corruption": 3, "token_ban": ["Elam"]}).state
    assert near(part(s, "month_conditions"), [1, 0, 0, 0, 0, 1, 0, 0.6, 0])
    assert part(s, "areas").reshape(A, 6)[c.ELAM].tolist() == [0, 0, 0, 0, 1, 0]


def test_load_and_the_move_in_hand() -> None:
    table = Table(
        stage="actions",
        characters={"Besime": {"location": "Kalhu", "player": 0, "consulted": 0, "actions": 2}},
        locations={"Kalhu": {"military": 2}},
    ).choose("move", "Nineveh", "military")
    s = table.state
    assert table.prompt() == "load"
    assert near(part(s, "load")[: len(c.KINDS)], [0.2, 0, 0, 0])
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
