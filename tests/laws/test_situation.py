"""The parts of the observation that put two things together: by the rules' own functions, and at tables set by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env import situation
from sammu_env import state as st
from sammu_env.rules import battle, pools, resolve
from sammu_env.rules.actions import cards
from tabletop.game import Record
from tabletop.jit import entry
from tests.laws.test_observation import PARTS, near, of, ones, part, vector
from tests.laws.walk import BOX, SIZE, some_ways, stops
from tests.table import Table

L, A, Z, K, CH = len(c.LOCATIONS), len(c.AREAS), len(c.ZONES), len(c.KINDS), len(c.CHARACTERS)


@entry
def by_rule(box: Any, s: Any, defence: Any, strength: Any, stands: Any, affordable: Any) -> None:
    for location in range(L):
        defence[location] = pools.defence(box[0], s[0], location)
        strength[location] = battle.enemy_strength(box[0], s[0], location)
    for area in range(A):
        stands[area] = resolve.gate_stands(box[0], s[0], area)
    for who in range(pools.PEOPLE):
        for card in range(c.N_ASHUR):
            affordable[who, card] = cards.affordable(box[0], s[0], who, card)


def rules(s: Record) -> tuple[np.ndarray, ...]:
    found = np.zeros(L), np.zeros(L), np.zeros(A), np.zeros((CH, c.N_ASHUR))
    by_rule(BOX, s, *found)
    return found


def test_parts_are_the_observations_last() -> None:
    first = situation.PARTS[0][0]
    assert list(PARTS)[-len(situation.PARTS) :] == [part[0] for part in situation.PARTS]
    assert len(vector(Table().state)) - PARTS[first].slice.start == sum(part[1] for part in situation.PARTS)


def test_threats_gates_and_cards_follow_the_rules() -> None:
    """Of many positions: what the rules' functions say, put together here in NumPy."""
    threatened = paid = 0
    for way in some_ways(5 * SIZE):
        for s in stops(way, 37):
            defence, strength, stands, affordable = rules(s)
            steps, enemy, plague, diplomacy = BOX["steps"][0], s["enemy"][0], s["plague"][0], s["diplomacy"][0]
            march = (steps == 1) & ((enemy > 0) & (plague == 0))[:, None]
            march &= ((enemy == 0) & (plague == 0) & (diplomacy == 0))[None, :]
            excess = np.where(march, enemy[:, None] * strength[None, :] - defence[None, :], 0).max(0)
            assert near(part(s, "threats"), np.maximum(excess, 0) / 10)
            assert near(part(s, "gate_stands"), stands)
            seat = max(0, int(s["to_act"][0]))
            own = (s["ashur"][0] == st.HAND + seat) & (s["status"][0] == c.IN_PLAY)[:, None]
            payable = affordable * own
            assert near(part(s, "payable", seat), payable.sum(1) / 5)
            assert near(part(s, "payable_tokens", seat).reshape(CH, K), payable @ BOX["card_token"][0] / 5)
            threatened, paid = threatened + excess.any(), paid + payable.any()
    assert threatened and paid


def test_place_of_each_character() -> None:
    s = Table(
        stage="actions",
        characters={"Besime": {"location": "Kalhu"}, "Younan": {"location": "Opis"}, "Marsyas": {"status": "dead"}},
        locations={"Kalhu": {"military": 2, "diviner": 1}, "Opis": {"plague": 1}, "Ashur": {"enemy": 3}},
        areas={"Assyria": {"supply": 3, "medicine": 1, "gate": True}},
    ).state
    assert BOX["steps"][0, c.LOCATIONS.index("Ashur"), c.KALHU] == 1, "Ashur is next to Kalhu"
    rows = part(s, "places").reshape(CH, -1)
    defence = rules(s)[0]
    besime, younan, marsyas = (c.CHARACTERS.index(name) for name in ("Besime", "Younan", "Marsyas"))
    danger = max(0.0, 3 - defence[c.KALHU]) / 10
    assert near(rows[besime], [0.2, 0.1, 0.3, 0.1, 0, defence[c.KALHU] / 10, 0, 0, 1, 1, danger])
    opis = c.LOCATIONS.index("Opis")
    capital = bool(BOX["is_capital"][0, opis])
    assert near(rows[younan], [0, 0, 0, 0, 0, defence[opis] / 10, 0, 1, 0, capital, 0])
    assert not rows[marsyas].any()


def test_subject_is_whom_the_prompt_is_about() -> None:
    table = Table(
        stage="actions",
        characters={
            "Besime": {"location": "Kalhu", "player": 0, "consulted": 0, "actions": 2, "goods": {"iron": 2},
                       "technologies": ["Mule"]},
        },
        locations={"Kalhu": {"military": 2}, "Nineveh": {"diviner": 1}},
        seats=[{"hand": ["SAM-080", "SAM-081", "SAM-100"]}, {}, {}],
    ).choose("move", "Nineveh")  # fmt: skip
    s = table.state
    assert table.prompt() == "load"
    nineveh = c.LOCATIONS.index("Nineveh")
    assert ones(s, "subject_location") == [c.KALHU]
    assert near(part(s, "subject_steps"), BOX["steps"][0, c.KALHU] / 10)
    assert near(part(s, "subject_goods"), part(s, "goods").reshape(CH, -1)[1]) and part(s, "subject_goods").any()
    assert ones(s, "subject_technologies") == [c.MULE] == of(s, "technologies", 1)
    assert near(part(s, "subject_actions"), part(s, "actions")[1])
    assert near(part(s, "subject_place"), part(s, "places").reshape(CH, -1)[1])
    assert near(part(s, "from_place"), part(s, "subject_place"))
    assert near(part(s, "to_place")[:2], [0, 0.1]) and near(part(s, "to_place")[5], rules(s)[0][nineveh] / 10)
    own = np.flatnonzero((s["ashur"][0] == st.HAND) & (rules(s)[3][1] > 0)).tolist()
    assert ones(s, "subject_payable") == own
    assert not part(s, "subject_payable", seat=1).any()


def test_nobody_is_asked_about() -> None:
    s = Table(stage="tax").state
    assert int(s["active"][0]) < 0
    for name in (name for name, *_ in situation.PARTS if name.startswith("subject_")):
        assert not part(s, name).any()


def wanted(s: Record) -> dict[tuple[str, str], float]:
    """What is wanted where, in tokens."""
    found = part(s, "wanted").reshape(Z, K) * 5
    return {(c.ZONES[zone], c.KINDS[kind]): round(float(found[zone, kind]), 3) for zone, kind in np.argwhere(found)}


def test_gate_wants_what_it_lacks() -> None:
    """SAM-183: gates in Medes and in Elam."""
    medes = c.LOCATIONS[int(BOX["capital"][0, c.AREAS.index("Medes")])]
    s = Table(
        "SAM-183", locations={medes: {"military": 2}}, areas={"Medes": {"supply": 1}, "Elam": {"gate": True}}
    ).state
    assert wanted(s) == {("Medes", "diviner"): 1, ("Medes", "medicine"): 1}
    assert near(part(s, "gate_tokens")[c.AREAS.index("Medes")], 0.5)


def test_gates_anywhere_are_wanted_everywhere() -> None:
    """SAM-184: six gates, no matter where."""
    everywhere = wanted(Table("SAM-184", areas={"Elam": {"gate": True}}).state)
    assert {zone for zone, _ in everywhere} == set(c.AREAS) - {"Elam"}


def test_tokens_of_the_condition_are_wanted() -> None:
    """SAM-185: 3 military in Kush besides its gate; SAM-193: 1 military at Sardes."""
    kush = c.LOCATIONS[int(BOX["capital"][0, c.AREAS.index("Kush")])]
    s = Table("SAM-185", locations={kush: {"military": 1}}).state
    assert wanted(s)["Kush", "military"] == 2 and wanted(s)["Egypt", "military"] == 1
    assert part(s, "wanted_total").tolist() == [0] * K and not part(s, "wanted_goods").any()
    assert wanted(Table("SAM-193").state)["Sardes", "military"] == 1
    assert ("Sardes", "military") not in wanted(Table("SAM-193", locations={"Sardes": {"military": 1}}).state)


def test_tokens_in_several_areas_together_are_wanted_in_each() -> None:
    """SAM-194: 10 military in Assyria and Babylonia, some in each."""
    table = {"locations": {"Kalhu": {"military": 9}}}
    assert wanted(Table("SAM-194", **table).state) == {("Assyria", "military"): 1, ("Babylonia", "military"): 1}
    babylon = c.LOCATIONS[int(BOX["capital"][0, c.AREAS.index("Babylonia")])]
    table["locations"][babylon] = {"military": 1}
    assert wanted(Table("SAM-194", **table).state) == {}


def test_tokens_on_the_map_and_goods_are_wanted() -> None:
    """SAM-192: 15 medicine on the map; SAM-194: advisors with 10 of each good."""
    s = Table("SAM-192", areas={"Assyria": {"medicine": 2}, "Egypt": {"medicine": 1}}).state
    assert near(part(s, "wanted_total") * 5, [0, 0, 0, 12])
    s = Table("SAM-194", characters={"Besime": {"location": "Kalhu", "goods": {"iron": 4}}, "Sammu-ramat": {}}).state
    held = s["good"][0, 1 : pools.PEOPLE].sum(0)
    assert held[c.GOODS.index("iron")] >= 4
    assert near(part(s, "wanted_goods"), np.maximum(0, 10 - held) / 10)


def test_advisors_are_wanted_home() -> None:
    """SAM-182: every advisor from four areas in Assyria."""
    home = BOX["home"][0]
    origins = [c.AREAS.index(name) for name in ("Babylonia", "Egypt", "Canaan", "Phrygia")]
    wanted_home = [who for who in range(1, pools.PEOPLE) if home[who] in origins]
    one = c.CHARACTERS[wanted_home[0]]
    assert ones(Table("SAM-182").state, "homebound") == wanted_home
    s = Table(
        "SAM-182", stage="actions",
        characters={one: {"location": "Kalhu", "consulted": 0, "actions": 1}},
    ).state  # fmt: skip
    assert ones(s, "homebound") == wanted_home[1:] and not part(s, "subject_homebound").any()
    s = Table(
        "SAM-182", stage="actions",
        characters={one: {"location": "Susa", "consulted": 0, "actions": 1}},
    ).state  # fmt: skip
    assert ones(s, "homebound") == wanted_home and part(s, "subject_homebound").tolist() == [1]
