"""An edition file puts its own values in place of the printed ones, or is refused with a clear line for each fault."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

import sammu_env
from sammu_env import components, position, words
from sammu_env import constants as c
from sammu_env.components import EditionError, check, load
from sammu_env.components.edition import base
from sammu_env.components.schema import Box
from tabletop.editions import validated


@pytest.fixture
def edition(tmp_path):
    def write(text: str):
        path = tmp_path / "my-box.toml"
        path.write_text(text, encoding="utf-8")
        return path

    return write


def test_an_empty_edition_is_the_shipped_box(edition):
    kit = load(edition(""))
    assert kit.hash == load().hash
    assert (kit.box == load().box).all()


def test_values_are_replaced_and_marked(edition):
    kit = load(
        edition("""
        [event.SAM-026]
        banner = [{ effect = "tokens", kind = "supply", n = -1 }]
        [map.location.Tyre]
        market = false
        [character.SAM-002]
        start_good = "gold"
        [challenge.SAM-185.setup]
        bag = { raid = 3 }
        [components.players.3]
        public = 2
        """)
    )
    box = kit.box[0]
    assert box["event_banner"][10, 0].tolist() == [c.FX_TOKENS, c.PHRYGIA, c.SUPPLY, -1]
    assert not box["event_banner"][10, 1:].any()
    assert box["market"][c.LOCATIONS.index("Tyre")] == 0
    assert box["start_good"][1] == c.GOLD
    assert box["setup_bag"][6].tolist() == [3, 0, 0, 0, 0, 0, 0, 0]
    assert box["actions"][3].tolist() == [2, 2, 2]
    marked = {(card_id, field) for card_id, field, _, source in kit.provenance() if source == "edition"}
    assert marked == {
        ("SAM-026", "banner"), ("map", "location.Tyre.market"), ("SAM-002", "start_good"), ("SAM-185", "setup.bag"),
        ("components", "players.3.public"),
    }  # fmt: skip
    assert sum(row[4] for row in kit.summary()) == 5


def test_the_rest_of_the_card_stays(edition):
    kit = load(edition('[event.SAM-026]\nbanner = [{ effect = "draw", n = 2 }]\n'))
    assert kit.title("SAM-026") == "Phrygian Smugglers"
    assert (kit.box["event_text"] == load().box["event_text"]).all()


def test_the_hash_names_what_is_played(edition):
    same = load(edition('[event.SAM-026]\ntitle = "Smugglers of Phrygia"\ntext_ja = "別の言い方"\n'))
    other = load(edition("[ashur.SAM-080]\nfavoured = 3\n"))
    again = load(edition("[ashur.SAM-080]\nfavoured = 3\n"))
    assert same.hash == load().hash
    assert other.hash != load().hash
    assert other.hash == again.hash


def test_a_value_repeated_as_printed_keeps_the_hash(edition):
    kit = load(edition("[components]\nenemies = 25\n"))
    assert kit.hash == load().hash
    assert kit.card("components").provenance["enemies"] == "edition"


def test_an_ashur_card_may_change_its_kind(edition):
    kit = load(edition('[ashur.SAM-079]\nkind = "goods"\nmarker = "karu"\ngain = { gold = 3 }\n'))
    box = kit.box[0]
    assert box["card_area"][0] == -1 and not box["card_token"][0].any() and not box["card_goods"][0].any()
    assert box["card_gain"][0].tolist() == [0, 0, 0, 3, 0]
    assert box["card_marker"][0, c.KARU] == 1


def test_roads_can_be_replaced(edition):
    roads = [*load().content.map.roads, ["Samaria", "Ashur"]]
    kit = load(edition(f"[map]\nroads = {roads}\n"))
    assert kit.box[0]["roads"] == 29
    assert kit.box[0]["steps"][c.LOCATIONS.index("Samaria"), c.KALHU] == 2


def placed(marker: str, at: str = "") -> str:
    """An event that places a marker."""
    where = f", at = '{at}'" if at else ""
    return f"[event.SAM-060]\neffects = [{{ effect = 'place_marker', marker = '{marker}'{where} }}]"


def each(effect: str, what: str, *numbers: int) -> str:
    """An event with an effect several times."""
    rows = ", ".join(f"{{ effect = '{effect}', {what}n = {n} }}" for n in numbers)
    return f"[event.SAM-060]\neffects = [{rows}]"


FAULTS = [
    ('[event.SAM-099]\ntitle = "x"', "event: found 'SAM-099'", "SAM-016 to SAM-078"),
    ('[evnt.SAM-026]\ntitle = "x"', "found 'evnt'", "did you mean 'event'"),
    ("[map.location.Troy]\nmarket = true", "map: location: found 'Troy'", "expected one of Kalhu"),
    ("[event.SAM-026]\nbaner = []", "event.SAM-026: found 'baner'", "did you mean 'banner'"),
    ("[map.location.Tyre]\nmarkets = true", "map: location.Tyre: found 'markets'", "zone, capital, market"),
    ("[map.location.Tyre]\nmarket = 1", "map: location.Tyre.market: found 1", "expected a valid boolean"),
    ('[event.SAM-026]\narea = "Phrigia"', "event.SAM-026: area: found 'Phrigia'", "did you mean 'Phrygia'"),
    ('[event.SAM-026]\nbanner = [{ effect = "drow" }]', "event.SAM-026: banner[0].effect: found 'drow'", "'draw'"),
    (
        '[event.SAM-026]\nbanner = [{ effect = "tokens", kind = "suply", n = 1 }]',
        "event.SAM-026: banner[0].kind: found 'suply'",
        "expected one of military, diviner, supply, medicine",
    ),
    (
        '[event.SAM-026]\nbanner = [{ effect = "tokens", kind = "supply", n = -99 }]',
        "event.SAM-026: banner[0].n: found -99",
        "expected greater than or equal to -20",
    ),
    ('[event.SAM-026]\nbanner = [{ effect = "draw", m = 1 }]', "event.SAM-026: banner[0]: found 'm'", "no such field"),
    (
        '[event.SAM-026]\neffects = [{ effect = "tokens", kind = "supply", n = 1 }]',
        "event.SAM-026: effects[0].area: missing",
        "expected one of Assyria",
    ),
    ("[ashur.SAM-080]\nfavoured = -1", "ashur.SAM-080: favoured: found -1", "expected greater than or equal to 1"),
    ("[ashur.SAM-080]\nmarker = 'raid'", "ashur.SAM-080: found 'marker'", "no such field"),
    ("[ashur.SAM-080]\nkind = 'bag'", "ashur.SAM-080: marker: missing", "expected a value"),
    ("[components]\nenemies = '25'", "components: enemies: found '25'", "expected a valid integer"),
    ("[components]\ngates = 11", "components: gates: found 11", "expected less than or equal to 10"),
    (
        "[challenge.SAM-185.setup]\nenemies = { Meroe = 26 }",
        "challenge.SAM-185: setup.enemies: 26 enemies",
        "expected at most 25",
    ),
    (
        "[challenge.SAM-185.setup]\nbag = { raid = 6 }",
        "challenge.SAM-185: setup.bag: 6 raid",
        "expected at most 5",
    ),
    (
        "[challenge.SAM-185.setup]\nenemies = { Kalhu = 2 }",
        "challenge.SAM-185: setup.enemies: found Kalhu",
        "no enemies on a capital with a gate",
    ),
    ("[challenge.SAM-185.setup]\nunrest = ['Canaan']", "setup.unrest: found Jerusalem", "expected no unrest"),
    (
        "[challenge.SAM-185.setup]\ncharacters = { Amunet = 'Kalhu' }",
        "setup.characters: found Amunet",
        "whose home has a gate",
    ),
    ("[challenge.SAM-185.setup]\ngates = ['Canaan']", "setup.gates: found ['Canaan']", "expected Assyria among them"),
    (
        "[challenge.SAM-185]\nmonthly = { 2 = [] }",
        "challenge.SAM-185: monthly: month 3 is named 0 times",
        "expected once",
    ),
    (
        "[challenge.SAM-185]\nmonthly = { nine = [] }",
        "challenge.SAM-185: monthly: found 'nine'",
        "2-8, 3, 3-4, 3-5",
    ),
    (
        "[challenge.SAM-186]\nwin = [{ condition = 'gate', area = 'Rome' }]",
        "challenge.SAM-186: win[0].area: found 'Rome'",
        "expected one of Assyria",
    ),
    ("[map]\nroads = [['Kalhu', 'Nineveh']]", "map: roads: no way from Kalhu to", "expected a connected map"),
    ("[map.location.Nineveh]\ncapital = true", "map: location: Assyria has the capitals", "expected exactly one"),
    ("[map]\nenemy_order = ['Assyria']", "map: enemy_order", "once"),
    (
        "[character.SAM-002.public]\nabilities = { defense = 1 }",
        "character.SAM-002: public.abilities: found 'defense'",
        "did you mean 'defence'",
    ),
    (
        "[character.SAM-002.public]\nactions = [{ special = 'exchange', give_n = 1, get = 'supply', get_n = 1 }]",
        "character.SAM-002: public.actions[0]",
        "expected both or neither",
    ),
    ("[character.SAM-002]\nname = 'Dinah'", "character.SAM-002: name: found 'Dinah'", "expected 'Besime'"),
    ("[event.SAM-026.provenance]\nbanner = 'public'", "event.SAM-026: found 'provenance'", "expected values only"),
    ("event = 3", "event: found 3", "expected a table"),
    (f"[components]\nenemies = {'9' * 5000}", "not a TOML file", "digits"),
    (
        f"[components]\nenemies = 0x{'f' * 5000}",
        "components: enemies: found something of type int",
        "less than or equal",
    ),
    (f"[event.SAM-026]\nbanner = {'[' * 3000}{']' * 3000}", "not a TOML file", "brackets within brackets"),
    (f"[event.SAM-026]\narea = {'[' * 150}{']' * 150}", "event.SAM-026: area: found [[[", "expected a valid string"),
    (f"[event.SAM-026]\narea = '{'a' * 10**5}'", "event.SAM-026: area: found 'aaa", "aaa..., expected one of"),
    (placed("unrest", "Sardes"), "effects[0].at: found 'Sardes'", "expected a location of an area"),
    (placed("plague", "Damascus"), "effects[0].at: found 'Damascus'", "expected a location of an area"),
    (placed("raid", "Damascus"), "effects[0].at: found 'Damascus'", "expected a location of an area"),
    (placed("assassination", "Kalhu"), "effects[0].at: found 'Kalhu'", "expected none"),
    (placed("karu", "Kalhu"), "effects[0].at: found 'Kalhu'", "expected none"),
    (placed("unrest"), "event.SAM-060: effects[0].at: missing", "expected a location or an area"),
    ("[challenge.SAM-185.setup]\nunrest = ['Sardes']", "setup.unrest: found Sardes", "expected a location of an area"),
    ("[challenge.SAM-185.setup]\nplague = ['Damascus']", "setup.plague: found Damascus", "a location of an area"),
    ("[challenge.SAM-185.setup]\nunrest = ['Egypt', 'Men-nefer']", "setup.unrest: found", "each location once"),
    ("[challenge.SAM-185.setup]\nplague = ['Egypt']", "setup.plague: found", "no location that has unrest too"),
    (
        "[challenge.SAM-185.setup]\nenemies = { Tushpa = 1, Bastam = 1 }\n"
        "tokens = { Assyria = { military = 1, diviner = 1, supply = 1, medicine = 1 }, Urartu = { military = 2 } }",
        "challenge.SAM-185: setup.tokens: found 2 military and diviners in Urartu",
        "expected none where enemies are on every location",
    ),
    ("[character.SAM-001]\nhome = 'Phrygia'", "character.SAM-001: home: found 'Phrygia'", "expected Assyria"),
    (
        "[character.SAM-003.personal]\nabilities = { bodyguard = 2 }",
        "abilities",
        "found bodyguard = 2, expected at most 1",
    ),
    (
        "[components]\ntokens = { military = 20, diviner = 15, supply = 15, medicine = 16 }",
        "components: tokens.medicine: found 16",
        "expected at most 15",
    ),
    (each("fewer_actions", "area = 'Elam', ", 2, 2), "event.SAM-060: found fewer_actions of 4", "expected at most 2"),
    (each("bribes", "group = 'public', ", 3, 3), "event.SAM-060: found bribes of 6", "expected at most 5"),
    ("[event.SAM-026]\ntitle = = 1\n", "not a TOML file", "line 2"),
    ("[event.SAM-026]\nbanner = [{ n = 1 }]", "event.SAM-026: banner[0].effect: missing", "expected one of 'tokens', "),
    (
        "[character.SAM-002.solo]\ntext = 'x'",
        "character.SAM-002: found 'solo'",
        "no such table; there are public, pers",
    ),
    (each("draw", "", *[1] * 5), "event.SAM-060: effects: found 5 items", "expected at most 4"),
    ("[map]\nroads = [['Kalhu']]", "map: roads[0]: found 1 item,", "expected at least 2"),
    (
        "[event.SAM-060]\neffects = [{ effect = 'queen_actions', n = 'non' }]",
        "event.SAM-060: effects[0].n: found 'non', ",
        "expected a valid integer or 'none'",
    ),
    (each("queen_actions", "", 21), "event.SAM-060: effects[0].n: found 21", "less than or equal to 20 or 'none'"),
    (each("queen_actions", "", 15, 6), "found queen_actions of 21", "expected at most 20"),
    (each("queen_actions", "", -15, -6), "found queen_actions of -21", "expected at least -20"),
    (each("corruption", "", 20, 6), "event.SAM-060: found corruption of 26", "expected at most 25"),
    (
        each("corruption", "", 20) + "\n[challenge.SAM-185]\nmonthly = { 2-8 = [{ effect = 'corruption', n = 6 }] }",
        "challenge.SAM-185: monthly.2-8: found corruption of 6, and of 20 in event.SAM-060",
        "expected at most 25 together",
    ),
    (
        "".join(f"[challenge.SAM-{i}]\nletter = 'C'\n" for i in (180, 184, 189, 190)),
        "challenge: letter: found none of B,",
        "expected at least one challenge of each of A to E",
    ),
    (
        "[character.SAM-015.side_b]\nabilities = { defence = 5, carry = 7 }",
        "character.SAM-015: side_b.abilities: found carry",
        "expected defence",
    ),
    ("[character.SAM-015.side_a]\nabilities = { defence = 9 }", "side_a.abilities: found defence", "expected none"),
    ("[character.SAM-015.side_b]\nactions = [{ special = 'play_two' }]", "side_b.actions: found 1", "expected none"),
    ("[character.SAM-001.solo]\nabilities = { bodyguard = 1 }", "solo.abilities: found bodyguard", "of an advisor"),
]


@pytest.fixture
def usual_depth():
    """Calls within calls as Python allows them, whatever a library has set before."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(1000)
    yield
    sys.setrecursionlimit(limit)


@pytest.mark.parametrize(("text", "what", "expected"), FAULTS, ids=[fault[1] for fault in FAULTS])
def test_faults_name_file_card_field_and_what_is_expected(edition, text, what, expected, usual_depth):
    path = edition(text)
    with pytest.raises(EditionError) as error:
        load(path)
    line = next((line for line in error.value.problems if what in line), None)
    assert line is not None, error.value.problems
    assert expected in line
    assert line.startswith(str(path))
    assert check(path) == error.value.problems


def test_what_is_said_of_a_card_is_what_its_edition_plays(edition):
    """Baileet's defence, and where Apollonios sails."""
    as_printed, kit = load(), load(edition("[character.SAM-015.side_b]\nabilities = { defence = 5 }"))
    for lang in ("en", "ja"):
        said = [
            f"{side}: {text}" for side, text in zip("AB", as_printed.text("SAM-015", lang).split("\n"), strict=True)
        ]
        assert words.card(as_printed, "SAM-015", lang).split("\n")[1:] == said
    assert "B: Defence 5; enemies" in words.card(kit, "SAM-015", "en")
    sea = "in one step between any locations of "
    assert sea + "Phrygia, Canaan, Cyprus, Egypt, Damascus" in words.card(as_printed, "SAM-014", "en")
    kit = load(edition("[map]\nsea = ['Kush', 'Kalhu', 'Susa', 'Anshan']"))
    assert sea + "KALHU, Elam, Kush\n" in words.card(kit, "SAM-014", "en")
    assert "カナン" not in words.card(kit, "SAM-014", "ja")


AREAS_5 = "'Assyria', 'Phrygia', 'Canaan', 'Egypt', 'Babylonia'"
IMPOSSIBLE = [
    ("{ condition = 'area_tokens', area = 'Elam', kind = 'military', n = 21 }", "win: found 22 military"),
    (
        "{ condition = 'area_tokens', area = 'Elam', kind = 'diviner', n = 8 }, "
        "{ condition = 'area_tokens', area = 'Kush', kind = 'diviner', n = 7 }",
        "win: found 16 diviner",  # and one for Assyria's gate
    ),
    (
        "{ condition = 'place_tokens', location = 'Sardes', kind = 'military', n = 10 }, "
        "{ condition = 'both_tokens', kind = 'military', n = 11, areas = ['Elam', 'Kush'] }",
        "win: found 22 military",
    ),
    (
        "{ condition = 'both_tokens', kind = 'diviner', n = 8, areas = ['Elam', 'Kush'] }, "
        "{ condition = 'both_tokens', kind = 'diviner', n = 9, areas = ['Kush', 'Medes'] }, "
        "{ condition = 'both_tokens', kind = 'diviner', n = 9, areas = ['Egypt', 'Medes'] }",
        "win: found 18 diviner",  # eight in the first two areas, nine in the last two, and Assyria's
    ),
    (
        "{ condition = 'place_tokens', location = 'Susa', kind = 'medicine', n = 7 }, "
        "{ condition = 'total_tokens', kind = 'medicine', n = 9, areas = 10 }",
        "win: found 16 medicine",
    ),
    ("{ condition = 'total_tokens', kind = 'supply', n = 16 }", "win: found 16 supply"),
    ("{ condition = 'place_tokens', location = 'Sardes', kind = 'supply', n = 1 }", "win[0]: found supply in Sardes"),
    ("{ condition = 'goods', group = 'advisors', good = 'iron', n = 23 }", "win: found 23 iron"),
    (
        "{ condition = 'goods', group = 'public', good = 'iron', n = 12 }, "
        "{ condition = 'goods', group = 'personal', good = 'iron', n = 11 }",
        "win: found 23 iron",
    ),
    (
        "{ condition = 'advisors_home', origin = 'Elam', area = 'Kush' }, "
        "{ condition = 'advisors_home', origin = 'Elam', area = 'Egypt' }",
        "win: found advisors of Elam in Egypt and Kush",
    ),
    ("{ condition = 'advisors', n = 14 }", "win[0].n: found 14"),
    ("{ condition = 'gates', n = 11 }", "win[0].n: found 11"),
    ("{ condition = 'total_tokens', kind = 'supply', n = 15, areas = 11 }", "win[0].areas: found 11"),
    (
        "{ condition = 'both_tokens', kind = 'supply', n = 5, areas = ['Elam', 'Elam'] }",
        "win[0].areas: found ['Elam', 'Elam'], expected each name once",
    ),
]


@pytest.mark.parametrize(("win", "what"), IMPOSSIBLE, ids=[row[1] for row in IMPOSSIBLE])
def test_a_win_that_no_game_can_reach_is_refused(edition, win, what):
    problems = check(edition(f"[challenge.SAM-185]\nwin = [{win}]\n"))
    assert len(problems) == 1 and f"challenge.SAM-185: {what}" in problems[0] and "expected" in problems[0]


def test_gates_and_advisors_are_counted_together(edition):
    """Ten advisors need seven gates; nobody is at home in Egypt when Amunet is not."""
    few = "[components]\ngates = 6\n[challenge.SAM-184]\nwin = [{ condition = 'no_enemies' }]\n"
    assert [line.split("win: ")[1] for line in check(edition(few))] == [
        "found 7 gates asked for, expected at most 6, all the box holds"
    ]
    no_home = "[character.SAM-006]\nhome = 'Kush'\n"
    lines = check(edition(no_home))
    assert [line.split(": ")[1:3] for line in lines] == [["challenge.SAM-182", "win[1].origin"]], lines


def test_what_the_empire_board_needs_is_counted(edition):
    """The 17 military of SAM-187 stay on the map with 11 supply only (p. 31)."""
    few = "[components]\ntokens = { military = 20, diviner = 15, supply = 10, medicine = 15 }\n"
    problems = check(edition(few + "[challenge.SAM-197]\nwin = [{ condition = 'no_enemies' }]\n"))
    wins = [line for line in problems if ": win: " in line]
    assert len(wins) == 1 and "challenge.SAM-187: win: found 11 supply asked for" in wins[0]


def test_a_byte_order_mark_is_no_fault(tmp_path):
    path = tmp_path / "windows.toml"
    path.write_bytes(b"\xef\xbb\xbf[ashur.SAM-080]\r\nfavoured = 3\r\n")
    assert check(path) == []
    found = tmp_path / "position.json"
    found.write_bytes(b'\xef\xbb\xbf{"challenge": "SAM-185", "players": 3}')
    assert position.load(found)["players"] == 3


def test_a_missing_file_is_named(tmp_path):
    assert check(tmp_path / "none.toml") == [f"{tmp_path / 'none.toml'}: cannot be read: No such file or directory"]


def test_a_path_of_no_file_is_a_problem():
    assert check("a\0b.toml")[0].startswith("a\0b.toml: not a TOML file: embedded null")


def test_a_file_in_another_encoding_is_named(tmp_path):
    path = tmp_path / "sjis.toml"
    path.write_bytes('title = "襲撃"'.encode("shift_jis"))
    assert "not a TOML file" in check(path)[0]


def test_every_fault_has_its_line(edition):
    problems = check(edition('[event.SAM-099]\n[event.SAM-026]\nbaner = []\narea = "Rome"\n'))
    assert len(problems) == 3


def test_nothing_is_half_loaded(edition):
    before = load()
    with pytest.raises(EditionError):
        load(edition('[event.SAM-016]\narea = "Egypt"\n[event.SAM-026]\narea = "Rome"\n'))
    assert load() is before
    assert load().content.event["SAM-016"].area == "Babylonia"
    fresh = components._built(validated(Box, base(), "data"), "data")
    assert fresh.hash == before.hash and (fresh.box == before.box).all()


def test_an_edition_leaves_the_shipped_box_alone(edition):
    before = load().box.copy()
    load(edition('[map.area.Egypt]\ngood = "iron"\n'))
    assert (load().box == before).all()
    assert base()["map"]["area"]["Egypt"]["good"] == "gold"


def test_a_good_edition_has_no_problems(edition):
    assert check(edition("[ashur.SAM-080]\nfavoured = 3\n")) == []


# --- the editions that are shipped


@pytest.mark.parametrize(
    ("edition", "goods", "oracles"), [(None, 3, 0), ("standard", 3, 0), ("novice", 4, 0), ("expert", 3, 2)]
)
def test_an_edition_says_how_a_game_begins(edition, goods, oracles):
    """Unless the players say so themselves (p. 9 and 45)."""
    game = sammu_env.load_game(edition)
    plain, named = game.configure(), game.configure(start_goods=5, oracles=1)
    assert (plain["start_goods"][0], plain["oracles"][0]) == (goods, oracles)
    assert (named["start_goods"][0], named["oracles"][0]) == (5, 1)


def test_the_standard_edition_is_the_box_itself():
    assert load("standard") is load(None) and load("novice") is load("novice")
    assert sammu_env.load_game("standard") is sammu_env.load_game()
    assert len({load(name).hash for name in ("standard", "novice", "expert")}) == 3


def test_each_game_of_a_batch_begins_as_its_own_edition_says():
    envs = sammu_env.vector(3, edition=["novice", "standard", "expert"], challenge=["SAM-179", "SAM-185", "SAM-188"])
    setups = envs.batch.setups
    assert setups["start_goods"].tolist() == [4, 3, 3] and setups["oracles"].tolist() == [0, 0, 2]
    assert setups["box"].tolist() == [0, 1, 2] and setups["challenge"].tolist() == [0, 6, 9]


def test_a_position_has_what_its_edition_says():
    for edition, goods in ((None, 3), ("novice", 4)):
        state = position.load({"challenge": "SAM-185", "players": 2}, edition)
        assert state["start_goods"][0] == goods and "start_goods" not in position.dump(state, edition)
        other = position.load({"challenge": "SAM-185", "players": 2, "start_goods": 5}, edition)
        assert position.dump(other, edition)["start_goods"] == 5


def test_a_file_may_be_called_like_a_shipped_edition(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("novice").write_text("[components]\noracles = 3\n", encoding="utf-8")
    for name in ("./novice", Path("novice"), tmp_path / "novice", str(tmp_path / "novice")):
        assert load(name).box["oracles"][0] == 3
        assert sammu_env.load_game(name).configure()["oracles"][0] == 3
    assert components.check("novice") == []
    assert load("novice").box["oracles"][0] == 0


def test_what_a_shipped_edition_gives_says_so():
    kit = load("expert")
    sources = {(card, field): source for card, field, _, source in kit.provenance()}
    assert sources["SAM-179", "setup.tokens"] == sources["components", "oracles"] == "edition, expert"
    assert sources["SAM-185", "setup.enemies"] == "rulebook p.8"
