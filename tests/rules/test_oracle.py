"""Oracle Baileet (rulebook pp. 45, 58, 61, 64)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sammu_env import constants as c
from sammu_env import engine, load_game
from sammu_env.state import STATE
from tests.table import BOX, Table


def called(event: str, **keys: Any) -> Table:
    """SAM-190 in month 2: an unused event card says where she goes."""
    return Table("SAM-190", month=2, **keys).stage("monthly_effect", event)


def walk(location: str, side: str = "B", **keys: Any) -> Table:
    """The enemy attack stage with Baileet at a location."""
    people = keys.pop("characters", {}) | {"Baileet": {"location": location, "side": side}}
    return Table(oracles=3, characters=people, **keys).stage("enemy_attack")


def where(table: Table) -> str:
    return str(table.who("Baileet")["location"])


@pytest.mark.rule("O1")
def test_the_challenge_brings_her_at_setup_side_a() -> None:
    how = load_game().configure(challenge="SAM-190")
    how["manual_chance"] = 1
    table = Table.__new__(Table)
    table.state = np.zeros(1, STATE)
    engine.reset(BOX, table.state, how, 0)
    while table.prompt() != "draw_oracle":
        table.choose(table.options()[0])
    table.choose("SAM-048")
    assert table.who("Baileet") == {"location": "Jerusalem", "status": "in play", "side": "A"}
    assert "SAM-048" not in table.options()


@pytest.mark.rule("O1")
def test_the_setup_turns_diviners_at_once(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    each = ", ".join(f"{kind} = 2" for kind in c.KINDS)
    tokens = f"Assyria = {{ {each} }}, Babylonia = {{ {each} }}"
    path.write_text(
        f'[challenge.SAM-190.setup]\ngates = ["Assyria", "Babylonia"]\nenemies = {{}}\ntokens = {{ {tokens} }}\n'
    )
    game = load_game(path)
    how = game.configure(challenge="SAM-190")
    how["manual_chance"] = 1
    table = Table.__new__(Table)
    table.edition, table.box = path, game.box
    table.state = np.zeros(1, STATE)
    engine.reset(game.box, table.state, how, 0)
    while table.prompt() != "draw_oracle":
        table.choose("Opis" if "Opis" in table.options() else table.options()[0])
    before = table.at("Opis").get("diviner", 0)
    assert before > 0
    table.choose("SAM-032")
    assert where(table) == "Babylon"
    assert "diviner" not in table.at("Opis")


@pytest.mark.rule("O1")
def test_each_diviner_of_the_area_becomes_two_enemies() -> None:
    table = called("SAM-032", locations={"Babylon": {"diviner": 1}, "Opis": {"diviner": 2}, "Susa": {"diviner": 1}})
    assert table.who("Baileet") == {"location": "Babylon", "status": "in play", "side": "A"}
    assert table.at("Babylon") == {"enemy": 2}
    assert table.at("Opis") == {"enemy": 4}
    assert table.at("Susa") == {"diviner": 1}
    assert table.on_map("diviner") == 1


@pytest.mark.rule("O1", "E7", "E8")
def test_the_new_enemies_attack_at_once() -> None:
    keys = {
        "locations": {"Babylon": {"diviner": 1, "military": 1}},
        "areas": {"Babylonia": {"supply": 2, "medicine": 1, "gate": True}},
        "characters": {"Lilith": {"location": "Opis"}},
    }
    table = called("SAM-032", **keys)
    assert table.at("Babylon") == {"enemy": 1}
    assert table.on_map("military") == 0
    assert table.area("Babylonia") == {}
    assert table.who("Lilith")["status"] == "away"


@pytest.mark.rule("O1")
def test_her_event_puts_her_and_its_enemies_in_the_area() -> None:
    table = Table(oracles=3).stage("event", "SAM-078")
    assert table.who("Baileet") == {"location": "Men-nefer", "status": "in play", "side": "B"}
    assert sum(table.at(name).get("enemy", 0) for name in ("Men-nefer", "Heliopolis")) == 2


@pytest.mark.rule("O1")
def test_she_walks_to_the_nearest_diviners() -> None:
    table = walk("Salamis", locations={"Ashur": {"diviner": 1}, "Meroe": {"diviner": 3}})
    assert where(table) == "Tyre"
    assert table.at("Ashur") == {"diviner": 1}


@pytest.mark.rule("O1")
def test_on_a_tie_she_walks_nearer_kalhu() -> None:
    """SAM-076: where there are as many diviners (巫術師の数が同数であれば); else the more come first."""
    table = walk("Ecbatana", locations={"Arbela": {"diviner": 2}, "Godin Tepe": {"diviner": 2}})
    assert where(table) == "Arbela"
    table = walk("Ecbatana", locations={"Arbela": {"diviner": 1}, "Godin Tepe": {"diviner": 2}})
    assert where(table) == "Godin Tepe"


@pytest.mark.rule("O1")
def test_of_equal_ways_the_team_names_one() -> None:
    table = walk("Kalhu", locations={"Nineveh": {"diviner": 1}, "Arbela": {"diviner": 1}, "Opis": {"diviner": 5}},
                 characters={"Sammu-ramat": {"location": "Tyre"}})  # fmt: skip
    assert table.prompt() == "oracle_way"
    assert table.options() == ["Nineveh", "Arbela"]
    table.choose("Arbela")
    assert table.at("Arbela") == {"enemy": 2}


@pytest.mark.rule("O1", "C3")
@pytest.mark.parametrize(("military", "left"), [(3, {"enemy": 1}), (4, {}), (5, {"military": 1})])
def test_diviners_are_replaced_by_enemies_whatever_the_defence(military: int, left: dict[str, int]) -> None:
    """SAM-015: each is replaced (置き換えます); p. 45: the attack there is resolved at once, one for one (p. 18)."""
    table = called("SAM-048", locations={"Samaria": {"diviner": 2, "military": military}})
    assert table.at("Samaria") == left
    assert table["enemy_pool"] == 25 - left.get("enemy", 0)
    assert table["board"][c.MILITARY] == 20 - left.get("military", 0)


@pytest.mark.rule("O1", "C3")
def test_characters_whose_defence_holds_survive_the_turning() -> None:
    people = {"Wardiya": {"location": "Samaria"}}
    table = called("SAM-048", locations={"Samaria": {"diviner": 1, "military": 1}}, characters=people)
    assert table.at("Samaria") == {}
    assert table.who("Wardiya")["status"] == "in play"
    table = called("SAM-048", locations={"Samaria": {"diviner": 1}}, characters=people)
    assert table.who("Wardiya")["status"] == "dead"


@pytest.mark.rule("O1")
def test_walking_into_an_area_she_turns_its_diviners() -> None:
    table = walk("Susa", locations={"Opis": {"diviner": 1}})
    assert where(table) == "Babylon"
    assert table.at("Opis") == {"enemy": 2}


@pytest.mark.rule("O1")
def test_without_diviners_she_stays() -> None:
    assert where(walk("Susa")) == "Susa"


@pytest.mark.rule("O2", "M7")
def test_diplomacy_on_the_capital_cancels_one_turning() -> None:
    table = called("SAM-048", locations={"Jerusalem": {"diplomacy": 1, "diviner": 1}, "Samaria": {"diviner": 1}})
    assert where(table) == "Jerusalem"
    assert table.at("Jerusalem") == {"diviner": 1}
    assert table.at("Samaria") == {"diviner": 1}
    assert table["marker_pool"][c.DIPLOMACY] == 5
    table.stage("monthly_effect", "SAM-049")
    assert table.at("Samaria") == {"enemy": 2}


@pytest.mark.rule("O3", "M12")
def test_religion_cannot_cancel_her_event() -> None:
    events = {"known_top": ["SAM-077"], "religion": [1]}
    table = Table(oracles=3, events=events).stage("event", "Samaria")
    assert where(table) == "Jerusalem"


@pytest.mark.rule("O3", "M9")
def test_religion_cannot_be_put_on_her_event() -> None:
    keys = {"players": 2, "month": 7, "bag": {"religion": 1}, "events": {"known_top": [], "previous_area": "Medes"}}
    table = Table("SAM-179", **keys).stage("monthly_effect")
    assert "on_event" in table.options()
    keys["events"] = {"current": "SAM-016", "known_top": ["SAM-077"], "previous_area": "Medes"}
    table = Table("SAM-179", oracles=3, **keys).stage("monthly_effect")
    assert "on_event" not in table.options()


@pytest.mark.rule("O4")
@pytest.mark.parametrize("side", ["A", "B"])
def test_she_blocks_no_road(side: str) -> None:
    people = {
        "Besime": {"location": "Kalhu", "player": 0, "consulted": 0, "actions": 2},
        "Baileet": {"location": "Nineveh", "side": side},
    }
    table = Table(oracles=3, players=2, stage="actions", characters=people).choose("move")
    assert {"Nineveh", "Ancyra", "Gordium", "Sardes"} <= set(table.options())


@pytest.mark.rule("O4")
def test_alone_in_a_capital_she_attacks_nobody() -> None:
    keys = {
        "locations": {"Jerusalem": {"military": 1}},
        "areas": {"Canaan": {"supply": 2, "medicine": 1, "gate": True}},
        "characters": {"Ithobaal": {"location": "Jerusalem"}},
    }
    table = called("SAM-048", **keys)
    assert where(table) == "Jerusalem"
    assert table.at("Jerusalem") == {"military": 1}
    assert table.area("Canaan") == keys["areas"]["Canaan"]
    assert table.who("Ithobaal")["status"] == "in play"


@pytest.mark.rule("O5")
@pytest.mark.parametrize("baileet", [{"status": "dead"}, {"location": "Susa", "side": "B"}])
def test_another_oracle_event_brings_her_back(baileet: dict[str, str]) -> None:
    keys = {"locations": {"Jerusalem": {"diviner": 1}}, "characters": {"Baileet": baileet}}
    table = Table(oracles=3, **keys).stage("event", "SAM-077", "Tyre")
    assert table.who("Baileet") == {"location": "Jerusalem", "status": "in play", "side": "B"}
    assert table.at("Jerusalem") == {"enemy": 2}


@pytest.mark.rule("O5")
def test_the_oracle_challenge_brings_her_back() -> None:
    table = called("SAM-048", characters={"Baileet": {"status": "dead"}})
    assert table.who("Baileet") == {"location": "Jerusalem", "status": "in play", "side": "A"}
