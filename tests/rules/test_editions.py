"""What an edition file says is played: rules whose figures no shipped card changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

from sammu_env import components, steps
from sammu_env import constants as c
from sammu_env.game import load
from tabletop.game import NOBODY
from tabletop.log import Match
from tests.table import Table

Write = Callable[[str], Path]


@pytest.fixture
def edition(tmp_path: Path) -> Write:
    def write(text: str) -> Path:
        path = tmp_path / "my-box.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


PEOPLE = {
    "Sammu-ramat": {"location": "Kalhu", "goods": {"textile": 6}},
    "Besime": {"location": "Kalhu", "player": 0, "goods": {"iron": 6}},
    "Amunet": {"location": "Kalhu", "goods": {"lapis": 6}},
}
STANDING = {
    "locations": {"Kalhu": {"military": 4, "diviner": 4}},
    "areas": {"Assyria": {"supply": 3, "medicine": 4, "gate": True}},
}


def goods(t: Table) -> list[int]:
    return [sum(t.who(name).get("goods", {}).values()) for name in PEOPLE]


@pytest.mark.rule("N12")
@pytest.mark.parametrize(("group", "left"), [
    ("personal", [6, 4, 6]), ("public", [6, 6, 4]), ("advisors", [6, 4, 4]), ("characters", [4, 4, 4]),
])  # fmt: skip
def test_bribes_are_paid_by_the_group_that_the_card_names(edition: Write, group: str, left: list[int]) -> None:
    path = edition(f'[event.SAM-027]\nbanner = []\neffects = [{{ effect = "bribes", group = "{group}", n = 2 }}]\n')
    t = Table("SAM-186", 2, path, characters=PEOPLE, **STANDING).stage("event", "SAM-027")
    assert goods(t) == [6, 6, 6] and t.dump()["month_effects"] == {"bribes": {group: 2}}
    t.stage("outcome")
    assert goods(t) == left and "month_effects" not in t.dump()


@pytest.mark.rule("N10")
def test_who_cannot_pay_a_bribe_is_helped_by_the_others(edition: Write) -> None:
    path = edition('[event.SAM-027]\nbanner = []\neffects = [{ effect = "bribes", group = "personal", n = 2 }]\n')
    poor = {**PEOPLE, "Besime": {"location": "Kalhu", "player": 0}}
    t = Table("SAM-186", 2, path, characters=poor, **STANDING).stage("event", "SAM-027").stage("outcome")
    assert goods(t) == [6, 0, 4]


@pytest.mark.rule("N12")
def test_two_bribes_in_a_month_are_both_paid(edition: Write) -> None:
    two = '{ effect = "bribes", group = "public", n = 1 }, { effect = "bribes", group = "personal", n = 3 }'
    path = edition(f"[event.SAM-027]\nbanner = []\neffects = [{two}]\n")
    t = Table("SAM-186", 2, path, characters=PEOPLE, **STANDING).stage("event", "SAM-027").stage("outcome")
    assert goods(t) == [6, 3, 5]


@pytest.mark.rule("N4", "N12")
@pytest.mark.parametrize(("one", "other", "key", "held"), [
    ("corruption', n = 2", "corruption', n = 3", "corruption", 5),
    ("queen_actions', n = 2", "queen_actions', n = -1", "queen_actions", 1),
    ("queen_actions', n = 'none'", "queen_actions', n = 2", "queen_actions", -99),
    ("queen_actions', n = 2", "queen_actions', n = 'none'", "queen_actions", -99),
    ("move_limit', n = 0", "move_limit', n = 2", "move_limit", 0),
    ("move_limit', n = 2", "move_limit', n = 1", "move_limit", 1),
])  # fmt: skip
def test_effects_of_one_kind_that_meet_in_a_month_all_hold(
    edition: Write, one: str, other: str, key: str, held: int
) -> None:
    rows = [f"[{{ effect = '{effect} }}]" for effect in (one, other)]
    monthly = f"[challenge.SAM-185]\nmonthly = {{ 2-8 = {rows[1]} }}\n"
    path = edition(f"[event.SAM-027]\nbanner = {rows[0]}\neffects = {rows[1]}\n")
    assert Table("SAM-185", 2, path).stage("event", "SAM-027").dump()["month_effects"] == {key: held}
    path = edition(f"[event.SAM-027]\nbanner = []\neffects = {rows[0]}\n{monthly}")
    t = Table("SAM-185", 2, path, month=2).stage("event", "SAM-027").stage("monthly_effect")
    assert t.dump()["month_effects"] == {key: held}


FULL = {"military": 1, "diviner": 1}
TWO_MORE = {
    "locations": dict.fromkeys(("Kalhu", "Gordium", "Tushpa"), FULL),
    "areas": {name: {"supply": 1, "medicine": 1} for name in ("Assyria", "Phrygia", "Urartu")},
}


@pytest.mark.rule("R4", "N8")
@pytest.mark.parametrize(
    ("n", "areas"), [(1, []), (2, ["Phrygia"]), (3, ["Phrygia", "Urartu"]), (10, ["Phrygia", "Urartu"])]
)
def test_a_gate_is_set_while_one_is_left(edition: Write, n: int, areas: list[str]) -> None:
    easy = "".join(f'[challenge.SAM-{i}]\nwin = [{{ condition = "no_enemies" }}]\n' for i in range(179, 199))
    setups = "".join(f'[challenge.SAM-{i}.setup]\ngates = ["Assyria"]\ncharacters = {{}}\n' for i in range(179, 199))
    path = edition(f"[components]\ngates = {n}\n{easy}{setups}")
    keys = TWO_MORE["areas"] | {"Assyria": {"supply": 1, "medicine": 1, "gate": True}}
    t = Table("SAM-186", 3, path, locations=TWO_MORE["locations"], areas=keys).stage("gates")
    assert [name for name in ("Phrygia", "Urartu") if t.area(name).get("gate")] == areas
    assert ("Marsyas" in t.dump()["characters"]) == ("Phrygia" in areas)


@pytest.mark.rule("A11")
@pytest.mark.parametrize(("n", "back"), [(1, 1), (2, 2), (3, 3), (9, 4)])
def test_military_comes_back_up_to_the_number_on_the_card(edition: Write, n: int, back: int) -> None:
    path = edition(f"[character.SAM-003.personal]\nabilities = {{ medicine = 1, recover_military = {n} }}\n")
    younan = {"Younan": {"location": "Nineveh", "player": 0, "consulted": 0, "actions": 3}}
    places = {"Nineveh": {"military": 5}, "Tushpa": {"enemy": 4}}
    t = Table("SAM-185", 3, path, stage="actions", characters=younan, locations=places)
    t.choose("attack", *["military"] * 4, "done")
    for _ in range(back):
        assert t.prompt() == "recover"
        t.choose("yes")
    assert t.prompt() != "recover" and t.at("Tushpa") == {"military": 1 + back}


@pytest.mark.rule("A10")
@pytest.mark.parametrize("wanted", [1, 3, 4])
def test_amunet_summons_up_to_the_number_on_the_card(edition: Write, wanted: int) -> None:
    action = '{ special = "summon", n = 4, adjacent = true }'
    path = edition(f"[character.SAM-006.public]\nactions = [{action}]\n")
    amunet = {"Amunet": {"location": "Heliopolis", "consulted": 0, "actions": 3}}
    t = Table("SAM-185", 3, path, stage="actions", characters=amunet).choose("special", "Men-nefer")
    for _ in range(wanted - 1):
        assert t.prompt() == "summon_more"
        t.choose("yes", "Heliopolis")
    if wanted < 4:
        t.choose("done")
    assert t.prompt() == "turn"
    assert [t.at(name).get("diviner", 0) for name in ("Men-nefer", "Heliopolis")] == [1, wanted - 1]


@pytest.mark.rule("N7", "M8")
@pytest.mark.parametrize("where", ["banner", "effects"])
def test_a_green_marker_of_an_event_is_used_as_the_team_decides_p16(edition: Write, where: str) -> None:
    """緑の効果: events may bring them; not into an area whose capital enemies hold."""
    other = "effects" if where == "banner" else "banner"
    path = edition(f'[event.SAM-060]\n{where} = [{{ effect = "place_marker", marker = "health" }}]\n{other} = []\n')
    held = {"Tushpa": {"enemy": 1}, "Tyre": {"plague": 1}}
    t = Table("SAM-185", 3, path, locations=held).stage("event", "SAM-060")
    assert t.prompt() == "use_marker" and t.options() == ["cure", "place_location", "place_area"]
    t.choose("place_area")
    assert "Urartu" not in t.options()
    t.choose("Egypt")
    assert t.area("Egypt") == {"health": 1} and t.prompt() == "halt"


@pytest.mark.rule("M6")
def test_a_raid_named_at_a_settlement_strikes_its_area(edition: Write) -> None:
    path = edition(
        '[event.SAM-060]\nbanner = []\neffects = [{ effect = "place_marker", marker = "raid", at = "Tyre" }]\n'
    )
    t = Table("SAM-185", 3, path, areas={"Canaan": {"supply": 2}}).stage("event", "SAM-060")
    assert t.area("Canaan") == {}


@pytest.mark.rule("M8", "N4")
def test_a_raid_of_a_banner_and_what_the_banner_takes_are_one_event(edition: Write) -> None:
    """p. 43: karu keeps the supply from the next event (次のイベント1回), and the card with its banner is one."""
    banner = '{ effect = "tokens", kind = "supply", n = -1 }, { effect = "place_marker", marker = "raid" }'
    path = edition(f'[event.SAM-060]\narea = "Canaan"\nbanner = [{banner}]\neffects = []\n')
    t = Table("SAM-185", 3, path, areas={"Canaan": {"supply": 3, "karu": 1}}).stage("event", "SAM-060")
    assert t.area("Canaan") == {"supply": 3}


def with_roads(*more: tuple[str, str], without: tuple[str, str] | None = None) -> str:
    roads = [list(road) for road in components.load().content.map.roads if set(road) != set(without or ())]
    return f"[map]\nroads = {[*roads, *map(list, more)]}\n".replace("'", '"')


@pytest.mark.rule("M6")
def test_raiders_move_one_step_even_through_another_area(edition: Write) -> None:
    """p. 42: 首都に1ステップ移動します. Elmali's road leads over Sardes, whose enemies move in the same raid."""
    path = edition(with_roads(("Sardes", "Elmali"), without=("Gordium", "Elmali")))
    t = Table("SAM-179", 2, path, month=7, bag={"raid": 1}, events={"previous_area": "Phrygia"},
              locations={"Elmali": {"enemy": 2}, "Sardes": {"enemy": 1}}).stage("monthly_effect")  # fmt: skip
    assert t.at("Gordium") == {"enemy": 1}
    assert t.at("Sardes") == {"enemy": 2}


@pytest.mark.rule("M6")
def test_raiders_with_two_equal_ways_go_where_the_team_says(edition: Write) -> None:
    path = edition(with_roads(("Damascus", "Samaria")))
    t = Table("SAM-179", 2, path, month=7, bag={"raid": 1}, events={"previous_area": "Canaan"},
              locations={"Damascus": {"enemy": 2}, "Heliopolis": {"enemy": 1}}).stage("monthly_effect")  # fmt: skip
    assert t.prompt() == "raid_way" and t.options() == ["Tyre", "Samaria"]
    t.choose("Samaria")
    assert t.at("Samaria") == {"enemy": 2} and t.at("Tyre") == {"enemy": 1}


@pytest.mark.rule("U5", "U7")
@pytest.mark.parametrize("at", ["Ashur", "Nineveh", "Arbela"])
def test_nobody_starts_where_the_team_may_put_enemies(edition: Write, at: str) -> None:
    path = edition(f'[challenge.SAM-185.setup]\nenemies = {{ Assyria = 2 }}\ncharacters = {{ Wardiya = "{at}" }}\n')
    with pytest.raises(components.EditionError, match=f"Wardiya at {at}, expected a location without enemies"):
        components.load(path)


@pytest.mark.rule("U4", "U5")
def test_no_tokens_start_where_enemies_leave_no_location(edition: Write) -> None:
    setup = "enemies = { Men-nefer = 1, Heliopolis = 1, Tyre = 1, Jerusalem = 1, Canaan = 1 }"
    path = edition(f"[challenge.SAM-182.setup]\n{setup}\n")
    with pytest.raises(components.EditionError, match="diviners in Canaan, expected none"):
        components.load(path)


BORNE = """[event.SAM-074]
area = "Assyria"
banner = [{{ effect = "tokens", kind = "military", n = -1 }}, {{ {} }}]
effects = []
"""
TWO_AREAS = {
    "locations": {"Kalhu": {"military": 3}, "Jerusalem": {"military": 2}},
    "areas": {"Assyria": {"gate": True}, "Canaan": {"gate": True}}, "events": {"known_top": ["SAM-074"]},
}  # fmt: skip
UNREST = 'effect = "place_marker", marker = "unrest"'


@pytest.mark.rule("N5")
@pytest.mark.parametrize(("row", "bears", "piece", "where"), [
    ('effect = "add_enemies", n = 2', "Canaan", "enemy", {"Canaan"}),
    ('effect = "add_enemies", at = "Nineveh", n = 2', "Canaan", "enemy", {"Canaan"}),
    ('effect = "add_enemies", at = "Gordium", n = 2', "Canaan", "enemy", {"Phrygia"}),
    ('effect = "add_enemies", at = "Nineveh", n = 2', "Assyria", "enemy", {"Assyria"}),
    (f'{UNREST}, at = "Ashur"', "Canaan", "unrest", {"Canaan"}),
    (f'{UNREST}, at = "Gordium"', "Canaan", "unrest", {"Phrygia"}),
])  # fmt: skip
def test_who_bears_assyrias_banner_bears_all_that_is_assyrias(
    edition: Write, row: str, bears: str, piece: str, where: set[str]
) -> None:
    t = Table("SAM-185", 3, edition(BORNE.format(row)), month=2, **TWO_AREAS).stage("event", bears)
    while t.options():
        t.choose(t.options()[0])
    lies = [at for at, row in t.dump()["locations"].items() if row.get(piece)]
    assert {c.AREAS[t.box[0]["zone"][c.LOCATIONS.index(at)]] for at in lies} == where


def test_more_armies_than_can_be_told_apart_are_refused(edition: Write) -> None:
    path = edition('[character.SAM-001.public]\nactions = [{ special = "command", armies = 3, steps = 1 }]\n')
    with pytest.raises(components.EditionError, match="armies"):
        components.load(path)


def test_one_side_has_one_ability_of_once_a_month(edition: Write) -> None:
    path = edition("[character.SAM-010.public]\nabilities = { remove_assassination = 1, extra_action = 1 }\n")
    with pytest.raises(components.EditionError, match="extra_action and remove_assassination, expected one of them"):
        components.load(path)


@pytest.mark.rule("K1")
def test_in_a_campaign_of_single_months_the_next_challenge_is_known_before_each(edition: Write) -> None:
    game = load(edition("[components.players.3]\nmonths = 1\n"))
    match = Match(game, game.configure("SAM-185", 3, campaign=True), 5, manual_chance=True)
    rng, drawn = np.random.default_rng(5), list[str]()
    while match.to_act != NOBODY:
        prompt = steps.PROMPTS[match.s["op"][0, match.s["sp"][0] - 1]]
        if prompt in ("draw_event", "draw_next_challenge"):
            drawn.append(prompt)
        match.act(int(rng.choice(np.flatnonzero(match.legal()))))
    assert drawn[:2] == ["draw_next_challenge", "draw_event"]


@pytest.mark.rule("N7")
def test_katuzili_gets_the_most_that_a_card_gives(edition: Write) -> None:
    path = edition('[ashur.SAM-079]\narea = "Assyria"\nfavoured = 1\nelsewhere = 5\ncost = {}\n')
    for who, gained in (("Besime", 5), ("Katuzili", 5)):
        t = Table("SAM-185", 3, path, month=2, stage="actions", seat=0, locations={"Opis": {}},
                  characters={who: {"location": "Opis", "player": 0, "consulted": 0, "actions": 1}},
                  seats=[{"hand": ["SAM-079"]}]).go_on()  # fmt: skip
        t.choose("play_card")
        assert sum(t.dump()["locations"]["Opis"].values()) == gained
