"""The parts of the observation that put two things together: by the rules' own functions, and at tables set by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from sammu_env import constants as c
from sammu_env import situation, steps
from sammu_env import state as st
from sammu_env.rules import battle, enemies, pools, resolve
from sammu_env.rules.actions import cards
from tabletop import record
from tabletop.game import Record
from tabletop.jit import entry
from tests.laws.test_observation import near, of, ones, part
from tests.laws.walk import BOX, SIZE, some_ways, stops
from tests.table import Table

L, A, Z, K, CH = len(c.LOCATIONS), len(c.AREAS), len(c.ZONES), len(c.KINDS), len(c.CHARACTERS)


@entry
def by_rule(box: Any, s: Any, defence: Any, strength: Any, stands: Any, playable: Any, gain: Any, seat: int) -> None:
    for location in range(L):
        defence[location] = pools.defence(box[0], s[0], location)
        strength[location] = battle.enemy_strength(box[0], s[0], location)
    for area in range(A):
        stands[area] = resolve.gate_stands(box[0], s[0], area)
    for who in range(pools.PEOPLE):
        for card in range(c.N_ASHUR):
            if s[0].status[who] == c.IN_PLAY:
                playable[who, card] = cards.playable(box[0], s[0], seat, who, card, cards.PAID)
                for kind in range(K):
                    gain[who, card, kind] = cards.gain(box[0], s[0], who, card, kind)


def rules(s: Record, seat: int = 0) -> tuple[np.ndarray, ...]:
    found = np.zeros(L), np.zeros(L), np.zeros(A), np.zeros((CH, c.N_ASHUR)), np.zeros((CH, c.N_ASHUR, K))
    by_rule(BOX, s, *found, seat)
    return found


@entry
def march(box: Any, s: Any, start: int) -> None:
    enemies.move(box[0], s[0], start, s[0].enemy[start])


def test_threats_are_where_the_enemies_go() -> None:
    """Enemies of each location by themselves are let loose: they come where the threat is, or nowhere near."""
    came = stopped = 0
    for way in some_ways(5 * SIZE):
        for whole in stops(way, 37):
            for start in np.flatnonzero(whole["enemy"][0]):
                s = record.copy(whole)
                s["enemy"][0, np.arange(L) != start] = 0
                s["bag"] = 0
                defence, strength, *_ = rules(s)
                threat = part(s, "threats")
                after = record.copy(s)
                march(BOX, after, int(start))
                if threat.any():
                    (there,) = np.flatnonzero(threat)
                    excess = s["enemy"][0, start] * strength[there] - defence[there]
                    assert np.isclose(threat[there] * 10, excess) and excess > 0
                    assert BOX["steps"][0, start, there] == 1
                    assert after["enemy"][0, start] < s["enemy"][0, start]
                    assert after["enemy"][0, there] > 0 or (after["token"][0] != s["token"][0]).any()
                    came += 1
                else:
                    near = np.flatnonzero(BOX["steps"][0, start] == 1)
                    stood = s["diplomacy"][0, near] > 0
                    assert stood.any() or not after["enemy"][0, near].any() or s["plague"][0, start]
                    stopped += 1
    assert came > 30 and stopped > 5


def test_gates_and_cards_follow_the_rules() -> None:
    """Of many positions: what the rules' functions say, put together here in NumPy."""
    paid = 0
    for way in some_ways(5 * SIZE):
        for s in stops(way, 37):
            seat = max(0, int(s["to_act"][0]))
            _, _, stands, playable, gain = rules(s, seat)
            assert near(part(s, "gate_stands"), stands)
            own = s["ashur"][0] == st.HAND + seat
            consulted = (s["status"][0] == c.IN_PLAY) & ((s["owner"][0] < 0) | (s["owner"][0] == seat))
            usable = playable * own * np.resize(consulted, CH)[:, None]
            assert near(part(s, "payable", seat), usable.sum(1) / 5)
            expected = (usable[:, :, None] * gain).sum(1) / 5
            assert near(part(s, "payable_tokens", seat).reshape(CH, K), expected)
            paid += usable.any()
    assert paid


def test_cards_give_more_where_they_are_favoured_and_nothing_where_enemies_hold_the_capital() -> None:
    """SAM-079: 1 elsewhere, 3 in Assyria. Besime stands there, Younan in Babylonia."""
    table = {
        "stage": "actions", "seats": [{"hand": ["SAM-079"]}, {}, {}],
        "characters": {name: {"location": place, "goods": dict.fromkeys(c.GOODS, 3)}
                       for name, place in (("Besime", "Kalhu"), ("Younan", "Opis"))},
    }  # fmt: skip
    card = 79 - c.ASHUR_FIRST
    elsewhere, favoured = BOX["card_token"][0, card], BOX["card_favoured"][0, card]
    assert BOX["card_area"][0, card] == c.ASSYRIA and favoured.sum() > elsewhere.sum() > 0
    rows = part(Table(**table).state, "payable_tokens").reshape(CH, K) * 5
    assert near(rows[1], favoured) and near(rows[2], elsewhere)
    babylon = c.LOCATIONS[int(BOX["capital"][0, c.AREAS.index("Babylonia")])]
    closed = Table(**table, locations={babylon: {"enemy": 1}}).state
    assert not part(closed, "payable_tokens").reshape(CH, K)[2].any() and part(closed, "payable")[2] == 0
    assert part(closed, "payable")[1] > 0


def test_place_of_each_character() -> None:
    s = Table(
        stage="actions",
        characters={
            "Besime": {"location": "Kalhu"}, "Younan": {"location": "Nineveh"}, "Baileet": {"location": "Sardes"},
            "Marsyas": {"status": "dead"},
        },
        locations={"Kalhu": {"military": 2, "diviner": 1}, "Nineveh": {"unrest": 1}, "Sardes": {"supply": 2}},
        areas={"Assyria": {"supply": 3, "medicine": 1, "gate": True}},
    ).state  # fmt: skip
    rows = part(s, "places").reshape(CH, -1)
    defence = rules(s)[0] / 10
    besime, younan, baileet, marsyas = (c.CHARACTERS.index(name) for name in ("Besime", "Younan", "Baileet", "Marsyas"))
    nineveh = c.LOCATIONS.index("Nineveh")
    assert not BOX["is_capital"][0, nineveh]
    assert near(rows[besime], [0.2, 0.1, 0.3, 0.1, 0, defence[c.KALHU], 0, 0, 1, 1, 0])
    assert near(rows[younan], [0, 0, 0.3, 0.1, 0, defence[nineveh], 1, 0, 1, 0, 0])
    assert near(rows[baileet], [0, 0, 0.2, 0, 0, defence[c.SARDES], 0, 0, 0, 0, 0])
    assert not rows[marsyas].any()


def test_danger_where_a_character_stands() -> None:
    """Enemies beside the only one who holds a location, plague on it or none."""
    table = {"stage": "actions", "characters": {"Younan": {"location": "Opis"}}}
    s = Table(**table, locations={"Babylon": {"enemy": 8}, "Opis": {"plague": 1}}).state
    assert near(part(s, "places").reshape(CH, -1)[2][[4, 7, 10]], [0, 1, 0])
    s = Table(**table, locations={"Babylon": {"enemy": 8}}).state
    assert near(
        part(s, "places").reshape(CH, -1)[2][[4, 7, 10]], [0, 0, 0.8 - rules(s)[0][c.LOCATIONS.index("Opis")] / 10]
    )


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
    assert ones(s, "subject_payable") == own and len(own) < (s["ashur"][0] == st.HAND).sum()
    assert not part(s, "subject_payable", seat=1).any()


def test_vial_is_about_its_holder() -> None:
    s = Table(
        stage="actions", month=2, characters={"Younan": {"location": "Opis", "technologies": ["Vial"]}},
        locations={"Opis": {"plague": 1}},
    ).state  # fmt: skip
    s["sp"] += 1
    s["op"][0, s["sp"][0] - 1], s["arg"][0, s["sp"][0] - 1, 0] = steps.VIAL, 2
    assert ones(s, "prompt_character") == [2] and ones(s, "subject_location") == [c.LOCATIONS.index("Opis")]


def test_nobody_is_asked_about() -> None:
    s = Table(stage="tax", characters={"Baileet": {"location": "Sardes"}}).state
    assert int(s["active"][0]) < 0
    for name in (name for name, *_ in situation.PARTS if name.startswith("subject_")):
        assert not part(s, name).any()


def wanted(s: Record) -> dict[tuple[str, str], float]:
    """What is wanted where, in tokens."""
    found = part(s, "wanted").reshape(Z, K) * 5
    return {(c.ZONES[zone], c.KINDS[kind]): round(float(found[zone, kind]), 3) for zone, kind in np.argwhere(found)}


def capital(area: str) -> str:
    return c.LOCATIONS[int(BOX["capital"][0, c.AREAS.index(area)])]


def test_gate_wants_what_it_lacks() -> None:
    """SAM-183: gates in Medes and in Elam. One that is set will fall without its tokens."""
    whole = {"military": 1, "diviner": 1}
    locations = {capital("Medes"): {"military": 2}, capital("Elam"): whole}
    s = Table("SAM-183", locations=locations, areas={"Medes": {"supply": 1}, "Elam": {"supply": 1, "gate": True}}).state
    assert wanted(s) == {("Medes", "diviner"): 1, ("Medes", "medicine"): 1, ("Elam", "medicine"): 1}
    assert near(part(s, "gate_tokens")[[c.AREAS.index("Medes"), c.AREAS.index("Elam")]], [0.5, 0.75])


def test_gates_anywhere_are_wanted_until_there_are_enough() -> None:
    """SAM-184: six gates, SAM-195: ten advisors. Gates that are set must not fall."""
    for challenge in ("SAM-184", "SAM-195"):
        assert {zone for zone, _ in wanted(Table(challenge).state)} == set(c.AREAS)
    six = {area: {"gate": True} for area in c.AREAS[:6]}
    assert {zone for zone, _ in wanted(Table("SAM-184", areas=six).state)} == set(c.AREAS[:6])
    ten = {c.CHARACTERS[who]: {"location": "Kalhu"} for who in range(1, 11)}
    assert wanted(Table("SAM-195", characters=ten).state) == {}


def test_tokens_of_the_condition_are_wanted() -> None:
    """SAM-185: a gate and 3 military in Kush. SAM-193: 1 military at Sardes. SAM-181: two places in Kush."""
    kush = capital("Kush")
    beside = next(
        name for i, name in enumerate(c.LOCATIONS) if BOX["zone"][0, i] == c.AREAS.index("Kush") and name != kush
    )
    s = Table("SAM-185", locations={kush: {"military": 1}}).state
    assert wanted(s)["Kush", "military"] == 2 and wanted(s)["Egypt", "military"] == 1
    assert wanted(Table("SAM-185", locations={beside: {"military": 1}}).state)["Kush", "military"] == 2
    assert wanted(Table("SAM-185", locations={beside: {"military": 3}}).state)["Kush", "military"] == 1
    assert wanted(Table("SAM-193").state)["Sardes", "military"] == 1
    assert ("Sardes", "military") not in wanted(Table("SAM-193", locations={"Sardes": {"military": 1}}).state)
    assert wanted(Table("SAM-181").state)["Kush", "military"] == 2


def test_tokens_in_several_areas_together_are_wanted_in_each() -> None:
    """SAM-194: 10 military in Assyria and Babylonia, some in each."""

    def lacking(kalhu: int, babylon: int) -> dict[tuple[str, str], float]:
        return wanted(
            Table(
                "SAM-194", locations={"Kalhu": {"military": kalhu}, capital("Babylonia"): {"military": babylon}}
            ).state
        )

    assert lacking(4, 0) == {("Assyria", "military"): 6, ("Babylonia", "military"): 6}
    assert lacking(12, 0) == {("Babylonia", "military"): 1}
    assert lacking(9, 1) == {}


def test_tokens_on_the_map_and_goods_are_wanted() -> None:
    """SAM-192: 15 medicine in 5 areas; SAM-194: advisors, not Sammu-ramat, with 10 of each good."""
    s = Table("SAM-192", areas={"Assyria": {"medicine": 2}, "Egypt": {"medicine": 1}}).state
    assert near(part(s, "wanted_total") * 5, [0, 0, 0, 12])
    assert wanted(s) == {(area, "medicine"): 1 for area in c.AREAS if area not in ("Assyria", "Egypt")}
    s = Table("SAM-192", areas={area: {"medicine": 3} for area in c.AREAS[:5]}).state
    assert wanted(s) == {} and not part(s, "wanted_total").any()
    people = {"Besime": {"location": "Kalhu", "goods": {"iron": 4}}, "Sammu-ramat": {"goods": {"gold": 9}}}
    s = Table("SAM-194", characters=people).state
    held = s["good"][0, 1 : pools.PEOPLE].sum(0)
    assert held[c.GOODS.index("iron")] >= 4
    assert near(part(s, "wanted_goods"), np.maximum(0, 10 - held) / 10)


def test_advisors_are_wanted_home() -> None:
    """SAM-182: every advisor from four areas in Assyria; gates there bring those who are not in play."""
    home, status = BOX["home"][0], Table("SAM-182").state["status"][0]
    origins = [c.AREAS.index(name) for name in ("Babylonia", "Egypt", "Canaan", "Phrygia")]
    wanted_home = [who for who in range(1, pools.PEOPLE) if home[who] in origins]
    one = c.CHARACTERS[wanted_home[0]]
    s = Table("SAM-182").state
    assert ones(s, "homebound") == wanted_home
    out_of_play = {c.AREAS[home[who]] for who in wanted_home if s["location"][0, who] < 0 and status[who] != c.DEAD}
    assert {zone for zone, _ in wanted(s)} <= out_of_play and out_of_play
    dead = {c.CHARACTERS[who]: {"status": "dead"} for who in wanted_home}
    s = Table("SAM-182", characters=dead).state
    assert ones(s, "homebound") == [] and wanted(s) == {}
    for place, rest, subject in (("Kalhu", wanted_home[1:], 0), ("Susa", wanted_home, 1)):
        people = {one: {"location": place, "consulted": 0, "actions": 1}}
        s = Table("SAM-182", stage="actions", characters=people).state
        assert ones(s, "homebound") == rest and part(s, "subject_homebound").tolist() == [subject]


def test_no_challenge_wants_nothing() -> None:
    s = Table("SAM-193").state
    s["challenge"] = -1
    assert wanted(s) == {} and not part(s, "homebound").any() and not part(s, "near_wanted").any()


def test_locations_near_what_is_wanted() -> None:
    """1 less an eighth for each step to the next zone that lacks tokens of a kind; and of the places of a prompt."""
    steps_to = [BOX["steps"][0][BOX["zone"][0] == zone].min(axis=0) for zone in range(Z)]
    seen = set()
    for way in some_ways(2 * SIZE):
        for s in stops(way, 23):
            lacking = part(s, "wanted").reshape(Z, K) > 0
            expected = np.zeros((K, L))
            for zone, kind in np.argwhere(lacking):
                expected[kind] = np.maximum(expected[kind], 1 - np.minimum(8, steps_to[zone]) / 8)
            assert near(part(s, "near_wanted").reshape(K, L), expected)
            start, target = ones(s, "prompt_from"), ones(s, "prompt_to")
            assert near(part(s, "from_near"), expected[:, start[0]] if start else 0)
            assert near(part(s, "to_near"), expected[:, target[0]] if target else 0)
            there = part(s, "wanted").reshape(Z, K)[BOX["zone"][0, target[0]]] if target else 0
            assert near(part(s, "to_wanted"), there)
            seen |= {*np.unique(expected).tolist(), ("from", bool(start)), ("to", bool(target) and np.any(there))}
    assert {0.0, 0.5, 1.0, ("from", True), ("to", True)} <= seen


def test_near_a_token_of_the_condition() -> None:
    """SAM-193 wants military at Sardes: it is there, and an eighth farther a step away."""
    sardes, military = c.LOCATIONS.index("Sardes"), c.KINDS.index("military")
    own = part(Table("SAM-193").state, "near_wanted").reshape(K, L)[military]
    assert own[sardes] == 1 and (own[BOX["steps"][0, sardes] == 1] >= 0.875).all()
