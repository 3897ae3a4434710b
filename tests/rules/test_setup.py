"""Setting up a challenge (rulebook pp. 7-10)."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sammu_env import constants as c
from sammu_env import engine, load_game
from sammu_env.state import STATE
from tests.table import BOX, Table

CHALLENGES = [f"SAM-{n}" for n in range(179, 199)]
AREAS = {
    "Assyria": ("Kalhu", "Nineveh", "Ashur", "Arbela"),
    "Canaan": ("Jerusalem", "Tyre", "Samaria"),
    "Phrygia": ("Gordium", "Ancyra", "Elmali"),
    "Babylonia": ("Babylon", "Opis"),
    "Egypt": ("Men-nefer", "Heliopolis"),
    "Cyprus": ("Salamis", "Kition"),
    "Medes": ("Ecbatana", "Godin Tepe"),
    "Elam": ("Susa", "Anshan"),
    "Urartu": ("Tushpa", "Bastam"),
    "Kush": ("Napata", "Meroe"),
}
CAPITAL = {area: places[0] for area, places in AREAS.items()}
HOME = {
    "Assyria": ("Sammu-ramat", "Besime", "Younan", "Dinah", "Wardiya"), "Canaan": ("Ithobaal",),
    "Medes": ("Deioces",), "Egypt": ("Amunet",), "Phrygia": ("Marsyas",), "Elam": ("Katuzili",),
    "Urartu": ("Siranoush",), "Kush": ("Amenirdis",), "Cyprus": ("Apollonios",), "Babylonia": ("Lilith",),
}  # fmt: skip
#: Where the setup notes of SAM-179 to SAM-198 put somebody other than at home.
STARTS = {
    "SAM-181": {"Besime": "Jerusalem"},
    "SAM-182": {"Besime": "Jerusalem", "Younan": "Jerusalem"},
    "SAM-184": {"Wardiya": "Gordium", "Dinah": "Gordium"},
    "SAM-185": {"Wardiya": "Jerusalem"},
    "SAM-186": {"Younan": "Salamis", "Dinah": "Babylon"},
    "SAM-187": {"Besime": "Men-nefer", "Dinah": "Men-nefer"},
    "SAM-188": {"Wardiya": "Jerusalem"},
    "SAM-189": {"Wardiya": "Napata", "Besime": "Gordium"},
    "SAM-190": {"Wardiya": "Salamis"},
    "SAM-192": {"Wardiya": "Gordium", "Besime": "Babylon"},
    "SAM-193": {"Wardiya": "Jerusalem", "Dinah": "Jerusalem", "Sammu-ramat": "Jerusalem"},
    "SAM-194": {"Wardiya": "Men-nefer", "Younan": "Babylon"},
    "SAM-195": {"Wardiya": "Gordium", "Besime": "Babylon"},
    "SAM-196": {"Wardiya": "Men-nefer", "Besime": "Jerusalem"},
    "SAM-197": {"Sammu-ramat": "Gordium", "Besime": "Gordium", "Wardiya": "Damascus"},
}
UNREST = {
    "SAM-179": {"Babylon", "Gordium", "Men-nefer"}, "SAM-182": {"Babylon"}, "SAM-185": {"Gordium", "Men-nefer"},
    "SAM-191": {"Jerusalem", "Gordium"},
}  # fmt: skip
PLAGUE = {"SAM-182": {"Gordium"}}


def set_up(challenge: str = "SAM-185", players: int = 3, edition: Path | None = None, **options: Any) -> Table:
    """A game at its first decision; draws are chosen."""
    game = load_game(edition)
    how = game.configure(challenge=challenge, players=players, **options)
    how["manual_chance"] = 1
    table = Table.__new__(Table)
    table.edition, table.box = edition, game.box
    table.state = np.zeros(1, STATE)
    engine.reset(game.box, table.state, how, 0)
    return table


def to_prompt(table: Table, *prompts: str) -> Table:
    """Makes the first choice until one of the prompts is asked."""
    while table.prompt() not in prompts:
        table.choose(table.options()[0])
    return table


def with_marker(table: Table, marker: str) -> set[str]:
    return {name for name, row in table.dump()["locations"].items() if marker in row}


@pytest.mark.rule("U1")
def test_map_has_ten_areas_of_named_locations() -> None:
    box = BOX[0]
    assert len(c.LOCATIONS) == 26
    for area, places in AREAS.items():
        zone = c.AREAS.index(area)
        inside = {name for i, name in enumerate(c.LOCATIONS) if box["zone"][i] == zone}
        assert inside == set(places)
        assert [name for name in inside if box["is_capital"][c.LOCATIONS.index(name)]] == [CAPITAL[area]]


@pytest.mark.rule("U1")
def test_sardes_and_damascus_are_in_no_area() -> None:
    for name in ("Sardes", "Damascus"):
        at = c.LOCATIONS.index(name)
        assert BOX[0]["zone"][at] >= len(c.AREAS)
        assert not BOX[0]["is_capital"][at]


@pytest.mark.rule("U1")
def test_queens_road_runs_from_sardes_to_susa() -> None:
    row = [c.LOCATIONS[i] for i in BOX[0]["queens_road"][: BOX[0]["queens_road_n"]]]
    assert (row[0], row[-1]) == ("Sardes", "Susa")
    assert {"Opis", "Kalhu"} < set(row)
    for area in ("Phrygia", "Assyria", "Babylonia", "Elam"):
        assert set(row) & set(AREAS[area])


@pytest.mark.rule("U1")
def test_markets_stand_at_damascus_and_on_the_queens_road() -> None:
    markets = {c.LOCATIONS[i] for i in np.flatnonzero(BOX[0]["market"])}
    assert "Damascus" in markets
    assert markets & {c.LOCATIONS[i] for i in BOX[0]["queens_road"][: BOX[0]["queens_road_n"]]}


@pytest.mark.rule("U1")
def test_every_location_can_be_reached_by_road() -> None:
    assert (BOX[0]["steps"] < 26).all()


@pytest.mark.rule("U2")
def test_tokens_start_on_the_board() -> None:
    table = Table()
    assert table["board"].tolist() == [20, 15, 15, 15]
    assert [table.on_map(kind) for kind in c.KINDS] == [0, 0, 0, 0]


@pytest.mark.rule("U2")
@pytest.mark.parametrize("challenge", CHALLENGES)
def test_a_track_shows_the_tokens_on_the_map(challenge: str) -> None:
    table = to_prompt(set_up(challenge), "choose_advisor")
    printed = BOX[0]["setup_token"][CHALLENGES.index(challenge)].sum(axis=0)
    for i, kind in enumerate(c.KINDS):
        assert table.on_map(kind) == table["token"][i].sum()
        assert table.on_map(kind) + table["board"][i] == BOX[0]["token_total"][i]
        assert table.on_map(kind) == printed[i]


@pytest.mark.rule("U3")
def test_challenges_have_the_letters_of_their_cards() -> None:
    letters = {
        "A": (179, 185, 188, 196), "B": (180, 184, 189, 190), "C": (183, 193, 194, 198), "D": (181, 191, 192, 197),
        "E": (182, 186, 187, 195),
    }  # fmt: skip
    for letter, numbers in letters.items():
        for n in numbers:
            assert load_game().letter(f"SAM-{n}") == letter


@pytest.mark.rule("U3")
def test_a_challenge_may_be_drawn() -> None:
    table = set_up("random")
    assert table.prompt() == "draw_challenge"
    assert table.options() == CHALLENGES
    table.choose("SAM-187")
    assert table.dump()["challenge"] == "SAM-187"


@pytest.mark.rule("U3")
@pytest.mark.parametrize("challenge", CHALLENGES)
def test_a_challenge_may_be_chosen(challenge: str) -> None:
    assert set_up(challenge).dump()["challenge"] == challenge


@pytest.mark.rule("U4")
def test_first_military_and_diviner_stand_in_the_capital() -> None:
    table = set_up("SAM-185")
    while table.prompt() == "place_token":
        table.choose(table.options()[-1])
    for area in ("Assyria", "Canaan", "Medes"):
        assert table.at(CAPITAL[area])["military"] == 1
        assert table.at(CAPITAL[area])["diviner"] == 1


EACH = ", ".join(f"{kind} = 1" for kind in c.KINDS)
#: What the gates of SAM-185 need to stand, in an edition file.
GATES = "".join(f"{area} = {{ {EACH} }}\n" for area in ("Assyria", "Canaan", "Medes"))


@pytest.mark.rule("U4")
def test_the_team_places_the_rest_one_by_one_in_the_area(tmp_path: Path) -> None:
    path = tmp_path / "box.toml"
    each = "{ military = 4, diviner = 3, supply = 1, medicine = 1 }"
    path.write_text(f"[challenge.SAM-185.setup.tokens]\nAssyria = {each}\nMedes = {each}\nCanaan = {each}\n")
    table = set_up("SAM-185", edition=path)
    assert table.prompt() == "place_token"
    assert set(table.options()) == set(AREAS["Assyria"])
    assert table.at("Kalhu")["military"] == 1
    table.choose("Ashur", "Arbela")
    assert table.at("Ashur") == table.at("Arbela") == {"military": 1}
    while set(table.options()) == set(AREAS["Assyria"]):
        table.choose("Ashur")
    assert table.at("Kalhu") == {"military": 1, "diviner": 1}
    assert table.at("Arbela") == {"military": 1}
    assert table.at("Ashur") == {"military": 2, "diviner": 2}
    assert set(table.options()) == set(AREAS["Medes"])


@pytest.mark.rule("U4")
def test_supply_and_medicine_go_to_the_area_and_gates_to_the_capital() -> None:
    table = set_up("SAM-185")
    gates = {name for name, row in table.dump()["areas"].items() if row.get("gate")}
    assert gates == {"Assyria", "Canaan", "Medes"}
    for area in gates:
        assert table.area(area)["supply"] > 0
        assert table.area(area)["medicine"] > 0


@pytest.mark.rule("U4")
@pytest.mark.parametrize("challenge", CHALLENGES)
def test_every_gate_of_the_setup_side_meets_its_conditions(challenge: str) -> None:
    table = to_prompt(set_up(challenge), "choose_advisor")
    for area, row in table.dump()["areas"].items():
        if row.get("gate"):
            assert row["supply"] and row["medicine"]
            assert table.at(CAPITAL[area])["military"] and table.at(CAPITAL[area])["diviner"]


@pytest.mark.rule("U5")
def test_enemies_stand_as_in_the_example() -> None:
    enemies = {name: row["enemy"] for name, row in set_up("SAM-185").dump()["locations"].items() if "enemy" in row}
    assert enemies == {"Gordium": 2, "Bastam": 2, "Anshan": 2, "Meroe": 2, "Kition": 2}


@pytest.mark.rule("U5")
def test_the_farthest_locations_of_the_areas() -> None:
    farthest = {"Urartu": {"Bastam"}, "Elam": {"Anshan"}, "Kush": {"Meroe"}, "Cyprus": {"Kition"},
                "Medes": {"Godin Tepe"}, "Assyria": {"Nineveh", "Ashur", "Arbela"}}  # fmt: skip
    for area, names in farthest.items():
        inside = {name: BOX[0]["steps"][c.KALHU, c.LOCATIONS.index(name)] for name in AREAS[area]}
        assert {name for name, steps in inside.items() if steps == max(inside.values())} == names


@pytest.mark.rule("U6")
def test_markers_go_into_the_bag_as_in_the_example() -> None:
    assert set_up("SAM-185").bag() == {"diplomacy": 1, "raid": 2}


@pytest.mark.rule("U6")
@pytest.mark.parametrize("challenge", CHALLENGES)
def test_markers_of_the_setup_note_lie_on_the_map(challenge: str) -> None:
    table = set_up(challenge)
    while table.prompt() != "draw_technology":
        table.choose(table.options()[-1])
    assert with_marker(table, "unrest") == UNREST.get(challenge, set())
    assert with_marker(table, "plague") == PLAGUE.get(challenge, set())


@pytest.mark.rule("U7")
@pytest.mark.parametrize("challenge", CHALLENGES)
def test_gates_bring_their_characters_where_the_notes_say(challenge: str) -> None:
    table = set_up(challenge)
    while table.prompt() != "choose_advisor":
        capitals = set(table.options()) & set(CAPITAL.values())
        table.choose(capitals.pop() if capitals else table.options()[0])
    characters = table.dump()["characters"]
    expected: dict[str, str] = {}
    for area, names in HOME.items():
        if table.area(area).get("gate"):
            expected |= dict.fromkeys(names, CAPITAL[area])
    expected |= {name: at for name, at in STARTS.get(challenge, {}).items() if name in expected}
    assert set(STARTS.get(challenge, {})) <= set(expected)
    assert {name: row["location"] for name, row in characters.items() if name != "Baileet"} == expected
    assert all(row["side"] == "public" for name, row in characters.items() if name != "Baileet")


@pytest.mark.rule("U7")
def test_characters_start_anywhere_in_their_home_area() -> None:
    """p. 9: その本拠地の地域に; the card names Wardiya's location, so nobody is asked for hers."""
    table = to_prompt(set_up("SAM-185"), "place_character")
    for at in ("Ashur", "Nineveh", "Arbela", "Kalhu", "Samaria", "Godin Tepe"):
        table.choose(at)
    assert table.prompt() == "choose_advisor"
    people = {name: table.who(name)["location"] for name in table.dump()["characters"]}
    assert people == {
        "Sammu-ramat": "Ashur", "Besime": "Nineveh", "Younan": "Arbela", "Dinah": "Kalhu", "Wardiya": "Jerusalem",
        "Ithobaal": "Samaria", "Deioces": "Godin Tepe",
    }  # fmt: skip


@pytest.mark.rule("U7")
def test_where_the_card_names_an_area_the_team_names_the_location() -> None:
    table = to_prompt(set_up("SAM-181"), "place_character")
    table.choose("Kalhu")
    assert set(table.options()) == set(AREAS["Canaan"])


@pytest.mark.rule("U6", "M2", "M3")
@pytest.mark.parametrize("strong", [False, True])
def test_unrest_of_the_setup_note_takes_effect(tmp_path: Path, strong: bool) -> None:
    """Letter J comes after letter D: Egypt loses its supply (p. 41), unless Men-nefer holds three military (p. 40)."""
    path = tmp_path / "box.toml"
    path.write_text(f"[challenge.SAM-185.setup.tokens]\n{GATES}Egypt = {{ military = 3, supply = 2 }}\n")
    table = to_prompt(set_up("SAM-185", edition=path), "place_token")
    while table.prompt() == "place_token":
        options = table.options()
        table.choose("Men-nefer" if strong and "Men-nefer" in options else options[-1])
    to_prompt(table, "draw_technology")
    assert with_marker(table, "unrest") == ({"Gordium"} if strong else {"Gordium", "Men-nefer"})
    assert table.area("Egypt").get("supply", 0) == (2 if strong else 0)


@pytest.mark.rule("U7")
@pytest.mark.parametrize("n", [3, 4, 5])
def test_advisors_start_with_goods_of_one_kind(n: int) -> None:
    for name, row in set_up("SAM-185", start_goods=n).dump()["characters"].items():
        if name == "Sammu-ramat":
            assert "goods" not in row
        else:
            assert list(row["goods"].values()) == [n]


@pytest.mark.rule("U8")
def test_each_player_takes_a_different_advisor() -> None:
    table = to_prompt(set_up("SAM-185"), "choose_advisor")
    everybody = {"Besime", "Younan", "Dinah", "Wardiya", "Ithobaal", "Deioces"}
    assert set(table.options()) == everybody
    table.choose("Besime")
    assert set(table.options()) == everybody - {"Besime"}
    table.choose("Wardiya", "Deioces")
    for player, name in enumerate(("Besime", "Wardiya", "Deioces")):
        assert table.who(name)["side"] == "personal"
        assert table.who(name)["player"] == player
    assert table.who("Dinah")["side"] == "public"


@pytest.mark.rule("U8")
def test_alone_the_queen_is_the_players_own_solo_side_up() -> None:
    table = to_prompt(set_up("SAM-185", 1), "draw_card")
    assert table.who("Sammu-ramat")["side"] == "solo"
    assert table.who("Sammu-ramat")["player"] == 0
    assert {row["side"] for name, row in table.dump()["characters"].items() if name != "Sammu-ramat"} == {"public"}


@pytest.mark.rule("U9")
@pytest.mark.parametrize(("players", "cards"), [(1, 5), (2, 3), (3, 3), (4, 3), (5, 3)])
def test_cards_dealt_from_one_deck(players: int, cards: int) -> None:
    table = to_prompt(set_up("SAM-185", players), "draw_technology")
    hands = [seat["hand"] for seat in table.dump()["seats"]]
    assert [len(hand) for hand in hands] == [cards] * players
    assert len({card for hand in hands for card in hand}) == cards * players
    assert table["deck_n"] == 100 - cards * players


@pytest.mark.rule("U9")
@pytest.mark.parametrize(("players", "limit"), [(1, 7), (2, 5), (3, 5), (4, 5), (5, 5)])
def test_hand_limit(players: int, limit: int) -> None:
    hand = [f"SAM-{n:03d}" for n in range(79, 79 + limit)]
    table = Table(players=players, seats=[{"hand": hand}]).stage("draw")
    while table.prompt() == "draw_card":
        table.choose(table.options()[0])
    assert table.prompt() == "discard"
    while table.prompt() == "discard":
        table.choose(table.options()[0])
    assert len(table.dump()["seats"][0]["hand"]) == limit


@pytest.mark.rule("U10")
def test_six_different_technologies_lie_on_the_map() -> None:
    table = to_prompt(set_up("SAM-185"), "draw_technology")
    assert set(table.options()) == set(c.TECHNOLOGIES)
    table.choose("Sword")
    assert set(table.options()) == set(c.TECHNOLOGIES) - {"Sword"}
    lying = to_prompt(table, "draw_event").dump()["technologies"]
    assert set(lying) == {"Sardes", "Tushpa", "Ecbatana", "Susa", "Napata", "Salamis"}
    assert len(set(lying.values())) == 6


@pytest.mark.rule("U11")
@pytest.mark.parametrize(("players", "months"), [(1, 7), (2, 8), (3, 6), (4, 6), (5, 5)])
def test_events_laid_out_by_player_count(players: int, months: int) -> None:
    table = to_prompt(set_up("SAM-185", players), "draw_event")
    assert table["months"] == months


@pytest.mark.rule("U11")
@pytest.mark.parametrize("oracles", [0, 1, 2, 3])
def test_oracle_events_are_left_out_unless_wished(oracles: int) -> None:
    events = to_prompt(set_up("SAM-185", oracles=oracles), "draw_event").options()
    assert len(events) == 60 + oracles
    assert len(set(events) & {"SAM-076", "SAM-077", "SAM-078"}) == oracles


@pytest.mark.rule("U11", "O1")
def test_the_oracle_challenge_adds_no_oracle_event() -> None:
    events = to_prompt(set_up("SAM-190", oracles=3), "draw_event").options()
    assert not set(events) & {"SAM-076", "SAM-077", "SAM-078"}


@pytest.mark.rule("U12")
@pytest.mark.parametrize(
    ("players", "personal", "public", "queen"), [(1, 2, 2, 2), (2, 3, 3, 2), (3, 2, 3, 2), (4, 2, 2, 1), (5, 2, 1, 1)]
)
def test_actions_a_month(players: int, personal: int, public: int, queen: int) -> None:
    people = {name: {"location": "Kalhu"} for name in ("Younan", "Dinah", "Wardiya", "Lilith", "Amunet", "Marsyas")}
    if players > 1:
        people["Besime"] = {"location": "Kalhu", "player": 0}  # type: ignore[dict-item]
    else:
        personal = 0
    for name, n in (("Besime", personal), ("Dinah", public), ("Sammu-ramat", queen)):
        if n:
            table = Table(players=players, characters=people).stage("actions", name)
            assert table.who(name)["actions"] == n
