"""The 63 event cards, SAM-016 to SAM-078: banner and text of each (rulebook pp. 15, 50, 58-61)."""

from __future__ import annotations

from typing import Any

import pytest

from sammu_env import components
from sammu_env import constants as c
from tests.table import BOX, Table

EVENTS = components.load().content.event
CARDS = [f"SAM-{n:03d}" for n in range(16, 79)]
ORACLES = ["SAM-076", "SAM-077", "SAM-078"]
#: Two players: personal and public advisors have three actions, Sammu-ramat two.
PEOPLE = {
    "Besime": {"location": "Kalhu", "player": 0, "goods": {"iron": 6}},
    "Dinah": {"location": "Kalhu"},
}
QUEENS_ROAD = {"Sardes", "Gordium", "Ancyra", "Nineveh", "Arbela", "Opis", "Susa"}
FROM_KALHU = {"Nineveh", "Ashur", "Arbela"}
PLAIN = "SAM-034"  # a diviner for Assyria, no text


def event(card: str, **keys: Any) -> Table:
    """The event is turned up; where Assyria may pass its banner on, it does not."""
    keys = {"characters": PEOPLE, "players": 2} | keys
    table = Table(**keys).stage("event", card)
    if table.prompt() == "shift_banner":
        table.choose("Assyria")
    return table


def turn(table: Table, who: str) -> Table:
    """The month's actions begin, and it is who's turn."""
    table.stage("actions")
    if table.prompt() == "consult":
        table.choose(who)
    while table.prompt() == "consult":
        table.choose(table.options()[-1])
    assert table.who(who)["consulted"] == 0
    return table.choose("player 0")


def moves(table: Table, who: str = "Besime") -> set[str]:
    """Where one move action can end."""
    turn(table, who)
    if table["seat"] != 0 or "move" not in table.options():
        return set()
    table.choose("move")
    return set(table.options()) if table.prompt() == "move" else {table.who(who)["location"]}


def at(name: str, location: str, **keys: Any) -> dict[str, Any]:
    """The usual people, one of them elsewhere."""
    return PEOPLE | {name: {"location": location} | ({"player": 0} if name == "Besime" else {}) | keys}


def assert_nothing_asked(table: Table) -> None:
    assert table.prompt() == "halt"


# --- banners


@pytest.mark.rule("N12")
def test_there_are_63_events() -> None:
    assert list(EVENTS) == CARDS


@pytest.mark.rule("N4")
@pytest.mark.parametrize("card", [card for card in CARDS if card not in ORACLES])
def test_banner_acts_on_the_area_of_the_card(card: str) -> None:
    """Two of each token but three supply in the area; the expected figures follow from the printed banner."""
    printed = EVENTS[card]
    capital = c.LOCATIONS[BOX[0]["capital"][c.AREAS.index(printed.area)]]
    place = {"military": 2, "diviner": 2}
    if card == "SAM-023":  # its text would take the capital
        place["diplomacy"] = 1
    areas = {printed.area: {"supply": 3, "medicine": 2}}
    people = PEOPLE if printed.area != "Assyria" else at("Besime", "Tushpa", goods={"iron": 6})
    table = event(card, locations={capital: place}, areas=areas, characters=people)
    want = {"military": 2, "diviner": 2, "supply": 3, "medicine": 2, "unrest": 0, "plague": 0}
    bag = dict.fromkeys(c.MARKERS, 0)
    for row in printed.banner:
        if row.effect == "tokens":
            want[row.kind] += row.n
        elif row.effect == "bag_add":
            bag[row.marker] += row.n
        elif row.effect == "place_marker":
            lost = {"unrest": ["supply"], "plague": ["medicine"], "raid": ["supply", "medicine"]}[row.marker]
            want |= dict.fromkeys(lost, 0)
            if row.marker != "raid":
                want[row.marker] = 1
        else:
            assert row.effect == "draw"
    found = {key: n for key, n in (table.at(capital) | table.area(printed.area)).items() if key in want}
    assert found == {key: n for key, n in want.items() if n}
    assert table.bag() == {key: n for key, n in bag.items() if n}


@pytest.mark.rule("N4")
@pytest.mark.parametrize("card", [card for card in CARDS if any(row.effect == "draw" for row in EVENTS[card].banner)])
def test_banner_draws_from_the_bag_for_the_area_of_the_card(card: str) -> None:
    area = EVENTS[card].area
    capital = c.LOCATIONS[BOX[0]["capital"][c.AREAS.index(area)]]
    table = event(card, areas={area: {"supply": 3, "medicine": 1}}, bag={"unrest": 1})
    assert table.at(capital) == {"unrest": 1}
    assert "supply" not in table.area(area)
    assert table.bag() == {}


@pytest.mark.rule("N4")
def test_the_known_areas_and_the_known_banner() -> None:
    known = {
        "Babylonia": (16, 19, 29, 32, 35, 38, 41, 46, 72, 75), "Phrygia": (26, 31, 52, 54, 64, 66),
        "Canaan": (48, 49, 53, 55), "Egypt": (22, 23, 37), "Assyria": (36,),
    }  # fmt: skip
    for area, numbers in known.items():
        assert {EVENTS[f"SAM-{n:03d}"].area for n in numbers} == {area}
    smugglers = [row.model_dump(exclude_none=True) for row in EVENTS["SAM-026"].banner]
    assert smugglers == [{"effect": "tokens", "kind": "supply", "n": -2}, {"effect": "draw", "n": 1}]


# --- texts: the Queen's Road


@pytest.mark.rule("A3")
def test_without_an_event_the_whole_road_is_open() -> None:
    assert moves(event(PLAIN)) == FROM_KALHU | QUEENS_ROAD


@pytest.mark.rule("N12")
@pytest.mark.parametrize("card", ["SAM-016", "SAM-041", "SAM-046"])
def test_queens_road_of_babylonia_is_closed(card: str) -> None:
    table = event(card, areas={"Babylonia": {"medicine": 4, "supply": 2}}, locations={"Opis": {"diviner": 2}})
    assert moves(table) == FROM_KALHU | QUEENS_ROAD - {"Opis", "Susa"}


@pytest.mark.rule("N12")
def test_queens_road_out_of_babylonia_is_closed_but_the_roads_are_open() -> None:
    table = event("SAM-041", characters=at("Besime", "Opis"))
    assert moves(table) == {"Ashur", "Babylon", "Ecbatana"}


@pytest.mark.rule("N12")
def test_026_queens_road_of_phrygia_is_closed() -> None:
    table = event("SAM-026", areas={"Phrygia": {"supply": 2}})
    assert moves(table) == FROM_KALHU | QUEENS_ROAD - {"Gordium", "Ancyra", "Sardes"}


@pytest.mark.rule("N12")
def test_028_queens_road_at_markets_is_closed() -> None:
    table = event("SAM-028", areas={"Phrygia": {"supply": 2, "medicine": 1}})
    market = {c.LOCATIONS[i] for i, n in enumerate(BOX[0]["market"]) if n}
    reached = moves(table)
    assert not (reached - FROM_KALHU) & market
    assert reached >= FROM_KALHU
    assert "Susa" not in reached


@pytest.mark.rule("N12")
def test_031_queens_road_is_closed_everywhere() -> None:
    table = event("SAM-031", areas={"Phrygia": {"supply": 2, "medicine": 1}})
    assert moves(table) == FROM_KALHU


# --- texts: Sammu-ramat


@pytest.mark.rule("N12", "M1")
@pytest.mark.parametrize("card", ["SAM-017", "SAM-033", "SAM-058"])
def test_assassination_marker_on_sammu_ramat(card: str) -> None:
    table = event(card, characters={"Besime": {"location": "Kalhu", "player": 0}})
    assert table.queen() == {"assassination": 1}


@pytest.mark.rule("N12")
@pytest.mark.parametrize("card", ["SAM-019", "SAM-030"])
def test_sammu_ramat_takes_no_action(card: str) -> None:
    table = event(card).stage("actions")
    table.choose("Sammu-ramat")
    assert "actions" not in table.who("Sammu-ramat")


@pytest.mark.rule("N12", "T1", "A12")
@pytest.mark.parametrize("card", ["SAM-019", "SAM-030"])
def test_sammu_ramat_who_takes_no_action_is_consulted_for_a_wheel_and_free_actions(card: str) -> None:
    """5b-5g are actions, free actions are named apart (pp. 24, 30)."""
    queen = {"location": "Damascus", "technologies": ["Wheel"], "goods": {"iron": 1}}
    table = event(card, players=2, characters={"Sammu-ramat": queen, "Dinah": {"location": "Damascus"}})
    table.stage("actions", "Sammu-ramat")
    assert table.prompt() == "draw_card"
    table.choose(table.options()[0], "player 0")
    assert table["active"] == c.SAMMU_RAMAT
    assert table.options() == ["market", "done"] or table.options() == ["done", "market"]
    table.choose("market", "gold")
    assert table.who("Sammu-ramat")["goods"] == {"gold": 1}


@pytest.mark.rule("N12", "T1")
@pytest.mark.parametrize("card", ["SAM-019", "SAM-030"])
def test_a_sun_gives_sammu_ramat_no_action_in_a_month_without(card: str) -> None:
    people = {"Sammu-ramat": {"location": "Kalhu"}, "Dinah": {"location": "Kalhu", "technologies": ["Sun"]}}
    table = event(card, players=2, characters=people).stage("actions", "Sammu-ramat", "player 0")
    assert "extra_action" not in table.options()


@pytest.mark.rule("N12")
@pytest.mark.parametrize("card", ["SAM-063", "SAM-075"])
def test_sammu_ramat_has_one_action_more(card: str) -> None:
    table = event(card, locations={"Opis": {"military": 2}, "Kalhu": {"diviner": 1}})
    assert turn(table, "Sammu-ramat").who("Sammu-ramat")["actions"] == 3
    assert turn(event(card), "Besime").who("Besime")["actions"] == 3


# --- texts: movement


@pytest.mark.rule("N12")
def test_020_consulted_advisors_move_a_step_more() -> None:
    assert {"Tushpa", "Damascus", "Jerusalem"} <= moves(event("SAM-020"))
    assert moves(event("SAM-020"), "Sammu-ramat") == FROM_KALHU | QUEENS_ROAD
    assert {"Tushpa", "Damascus", "Jerusalem"} <= moves(event("SAM-020"), "Dinah")


@pytest.mark.rule("N12")
def test_056_all_consulted_characters_move_a_step_more() -> None:
    for who in ("Besime", "Dinah", "Sammu-ramat"):
        assert {"Tushpa", "Damascus", "Jerusalem"} <= moves(event("SAM-056"), who)


@pytest.mark.rule("N12")
@pytest.mark.parametrize("card", ["SAM-029", "SAM-051"])
def test_a_character_makes_only_one_move(card: str) -> None:
    table = turn(event(card), "Besime").choose("move", "Ashur")
    assert table.who("Besime")["actions"] == 2
    assert "move" not in table.options()
    table = turn(event(PLAIN), "Besime").choose("move", "Ashur", "done")
    assert "move" in table.options()


@pytest.mark.rule("N12")
@pytest.mark.parametrize(("card", "inside"), [("SAM-035", "Babylon"), ("SAM-037", "Heliopolis")])
def test_who_starts_in_the_area_does_not_move(card: str, inside: str) -> None:
    assert moves(event(card, characters=at("Besime", inside))) == set()
    assert moves(event(PLAIN, characters=at("Besime", inside)))
    assert moves(event(card, characters=at("Besime", inside)), "Dinah")


@pytest.mark.rule("N12")
@pytest.mark.parametrize(
    ("card", "inside", "other", "outside"),
    [("SAM-052", "Ancyra", "Gordium", "Tushpa"), ("SAM-053", "Tyre", "Jerusalem", "Heliopolis"),
     ("SAM-054", "Ancyra", "Gordium", "Tushpa")],
)  # fmt: skip
def test_no_empire_token_enters_or_leaves_the_area(card: str, inside: str, other: str, outside: str) -> None:
    def carried(start: str, end: str, using: str = card) -> bool:
        token = {start: {"military": 1}}
        turn(table := event(using, locations=token, characters=at("Besime", start)), "Besime").choose("move", end)
        if table.prompt() == "load":
            table.choose("military")
        return "military" in table.at(end)

    assert not carried(inside, outside)
    assert not carried(outside, inside)
    assert carried(inside, other)
    assert carried(inside, outside, PLAIN)


@pytest.mark.rule("N12")
@pytest.mark.parametrize(
    ("card", "inside", "outside"), [("SAM-052", "Ancyra", "Tushpa"), ("SAM-053", "Tyre", "Damascus")]
)
def test_no_army_attacks_out_of_or_into_the_area(card: str, inside: str, outside: str) -> None:
    for start, end in ((inside, outside), (outside, inside)):
        places = {start: {"military": 2}, end: {"enemy": 1}}
        table = turn(event(card, locations=places, characters=at("Besime", start)), "Besime")
        assert "attack" not in table.options()


@pytest.mark.rule("N12")
def test_055_entering_or_leaving_canaan_takes_two_steps() -> None:
    once = at("Besime", "Ashur", fewer_actions=2)  # one action of three is left
    assert "Jerusalem" not in moves(event("SAM-055", characters=once))
    assert "Jerusalem" in moves(event(PLAIN, characters=once))
    once["Besime"]["technologies"] = ["Mule"]
    assert "Jerusalem" in moves(event("SAM-055", characters=once))
    assert moves(event("SAM-055", characters=at("Besime", "Tyre", fewer_actions=2))) == {"Jerusalem"}


@pytest.mark.rule("N12")
@pytest.mark.parametrize(
    ("card", "area", "places"),
    [("SAM-032", "Babylonia", {"Babylon", "Opis"}), ("SAM-036", "Assyria", {"Kalhu", "Nineveh", "Ashur", "Arbela"}),
     ("SAM-038", "Babylonia", {"Babylon", "Opis"})],
)  # fmt: skip
def test_any_one_character_may_be_moved_to_the_area(card: str, area: str, places: set[str]) -> None:
    def table() -> Table:
        keys = {"areas": {area: {"supply": 2}}, "characters": at("Dinah", "Meroe")}
        return event(card, **keys)

    assert table().prompt() == "move_character"
    assert {"Dinah", "Besime", "Sammu-ramat", "done"} <= set(table().options())
    assert set(table().choose("Dinah").options()) == places
    moved = table().choose("Dinah", "Opis" if area == "Babylonia" else "Ashur")
    assert moved.who("Dinah")["location"] in places
    assert_nothing_asked(moved)
    stayed = table().choose("done")
    assert stayed.who("Dinah")["location"] == "Meroe"


# --- texts: actions and markets


@pytest.mark.rule("N12")
def test_049_who_starts_in_canaan_has_an_action_less() -> None:
    people = at("Besime", "Tyre") | {"Dinah": {"location": "Kalhu"}}
    assert turn(event("SAM-049", characters=people), "Besime").who("Besime")["actions"] == 2
    assert turn(event("SAM-049", characters=people), "Dinah").who("Dinah")["actions"] == 3


@pytest.mark.rule("N12")
def test_050_markets_are_closed() -> None:
    for place in ("Damascus", "Gordium", "Opis"):
        people = at("Besime", place, goods={"iron": 1, "gold": 1})
        assert "market" not in turn(event("SAM-050", characters=people), "Besime").options()
        assert "market" in turn(event(PLAIN, characters=people), "Besime").options()


# --- texts: enemies


@pytest.mark.rule("N12")
@pytest.mark.parametrize(
    ("card", "expected"),
    [("SAM-039", {"Anshan": 2, "Godin Tepe": 2}), ("SAM-040", {"Kition": 2}), ("SAM-043", {"Sardes": 2}),
     ("SAM-044", {"Anshan": 2}), ("SAM-045", {"Kition": 2}), ("SAM-065", {"Meroe": 2}), ("SAM-074", {"Bastam": 2}),
     ("SAM-064", {"Elmali": 2}), ("SAM-023", {"Men-nefer": 2})],
)  # fmt: skip
def test_enemies_are_added_far_from_kalhu(card: str, expected: dict[str, int]) -> None:
    rows = event(card).dump()["locations"]
    assert {name: row["enemy"] for name, row in rows.items() if "enemy" in row} == expected


@pytest.mark.rule("N12")
def test_022_an_enemy_in_egypt_or_next_to_it_goes() -> None:
    near = {"Men-nefer": {"enemy": 1}, "Heliopolis": {"enemy": 1}, "Tyre": {"enemy": 2}, "Napata": {"enemy": 1}}
    far = {"Jerusalem": {"enemy": 1}, "Meroe": {"enemy": 1}}
    table = event("SAM-022", locations=near | far)
    assert set(table.options()) == set(near)
    table.choose("Tyre")
    assert table.at("Tyre") == {"enemy": 1}
    assert_nothing_asked(table)
    assert event("SAM-022", locations=far).at("Jerusalem") == {"enemy": 1}


# --- texts: goods


@pytest.mark.rule("N12", "N10")
@pytest.mark.parametrize("card", ["SAM-021", "SAM-068", "SAM-070", "SAM-071", "SAM-073"])
def test_advisors_pay_five_goods_together(card: str) -> None:
    people = {
        "Besime": {"location": "Tushpa", "player": 0, "goods": {"iron": 4}},
        "Dinah": {"location": "Tushpa", "goods": {"gold": 4}},
        "Sammu-ramat": {"location": "Kalhu", "goods": {"textile": 4}},
    }
    table = event(card, characters=people)
    before = table.bag()
    table.choose("Besime", "Besime", "Dinah", "Besime", "Besime")
    assert_nothing_asked(table)
    assert "goods" not in table.who("Besime")
    assert table.who("Dinah")["goods"] == {"gold": 3}
    assert table.who("Sammu-ramat")["goods"] == {"textile": 4}
    assert table.bag() == before


@pytest.mark.rule("N12", "W4")
def test_025_five_goods_are_owed_after_the_action_phase() -> None:
    people = at("Besime", "Tushpa", goods={"iron": 6})
    table = event("SAM-025", characters=people, areas={"Assyria": {"supply": 2}})
    assert table.who("Besime")["goods"] == {"iron": 6}
    turn(table, "Besime").choose("done")
    while table.prompt() == "turn":
        table.choose("done")
    assert table.who("Besime")["goods"] == {"iron": 1}
    assert table["result"] == c.RUNNING


@pytest.mark.rule("N12")
def test_027_each_public_advisor_pays_two_goods_at_the_end_of_the_month() -> None:
    people = PEOPLE | {
        "Dinah": {"location": "Kalhu", "goods": {"gold": 3}}, "Younan": {"location": "Kalhu", "goods": {"lapis": 2}},
    }  # fmt: skip
    table = event("SAM-027", characters=people, areas={"Egypt": {"supply": 1}})
    assert table.who("Dinah")["goods"] == {"gold": 3}
    table.stage("outcome")
    assert table.who("Dinah")["goods"] == {"gold": 1}
    assert "goods" not in table.who("Younan")
    assert table.who("Besime")["goods"] == {"iron": 6}


GIVEN = {
    "Besime": {"location": "Gordium", "player": 0}, "Dinah": {"location": "Ancyra"}, "Younan": {"location": "Kalhu"},
    "Wardiya": {"location": "Kalhu", "player": 1}, "Sammu-ramat": {"location": "Elmali"},
}  # fmt: skip


@pytest.mark.rule("N12")
@pytest.mark.parametrize(
    ("card", "good", "who"),
    [("SAM-047", "copper", {"Dinah", "Younan"}), ("SAM-067", "textile", {"Besime", "Wardiya"}),
     ("SAM-069", "lapis", {"Besime", "Wardiya"}), ("SAM-066", "copper", {"Besime", "Dinah", "Sammu-ramat"})],
)  # fmt: skip
def test_two_goods_for_each(card: str, good: str, who: set[str]) -> None:
    characters = event(card, characters=GIVEN).dump()["characters"]
    assert {name for name, row in characters.items() if row.get("goods")} == who
    assert all(characters[name]["goods"] == {good: 2} for name in who)


@pytest.mark.rule("N12", "M11")
def test_024_karu_on_a_road_of_an_advisors_area_and_two_of_its_goods() -> None:
    people = {"Besime": {"location": "Ecbatana", "player": 0}, "Dinah": {"location": "Kalhu"}}
    table = event("SAM-024", characters=people, locations={"Ecbatana": {"military": 1}, "Kalhu": {"military": 1}})
    assert table.options() == ["Assyria", "Medes"]
    table.choose("Medes")
    assert set(table.options()) == {"road Arbela-Ecbatana", "road Ecbatana-Opis", "road Ecbatana-Godin Tepe"}
    table.choose("road Ecbatana-Opis")
    assert table.dump()["roads"] == {"Ecbatana-Opis": {"karu": 1}}
    assert table.options() == ["Besime", "Dinah"]
    table.choose("Besime", "Dinah")
    assert table.who("Besime")["goods"] == table.who("Dinah")["goods"] == {"lapis": 1}


@pytest.mark.rule("N12", "M11")
def test_024_gives_no_more_goods_than_the_pool_has() -> None:
    people = {
        "Besime": {"location": "Ecbatana", "player": 0},
        "Dinah": {"location": "Ecbatana", "goods": {"lapis": 21}},
    }
    table = event("SAM-024", characters=people, locations={"Ecbatana": {"military": 1}})
    table.choose("road Ecbatana-Opis", "Besime")
    assert table.who("Besime")["goods"] == {"lapis": 1}
    assert_nothing_asked(table)


@pytest.mark.rule("N8", "N12")
def test_047_who_goes_short_the_team_says() -> None:
    people = {"Besime": {"location": "Kalhu", "player": 0, "goods": {"copper": 19}}, "Dinah": {"location": "Kalhu"},
              "Younan": {"location": "Kalhu"}, "Wardiya": {"location": "Kalhu"}}  # fmt: skip
    table = event("SAM-047", characters=people)
    assert table.prompt() == "gain_to"
    assert table.options() == ["Younan", "Dinah", "Wardiya"]
    table.choose("Dinah", "Dinah")
    assert table.options() == ["Younan", "Wardiya"]
    table.choose("Wardiya")
    assert_nothing_asked(table)
    assert table.who("Dinah")["goods"] == {"copper": 2}
    assert table.who("Wardiya")["goods"] == {"copper": 1}
    assert "goods" not in table.who("Younan")


@pytest.mark.rule("M4", "N9")
@pytest.mark.parametrize(("technologies", "moved"), [([], False), (["Vial"], True)])
def test_an_event_takes_nobody_without_medicine_out_of_plague(technologies: list[str], moved: bool) -> None:
    people = {"Sammu-ramat": {"location": "Babylon"}, "Besime": {"location": "Gordium", "technologies": technologies}}
    table = event("SAM-032", characters=people, locations={"Gordium": {"plague": 1}})
    assert ("Besime" in table.options()) == moved


@pytest.mark.rule("N12")
@pytest.mark.parametrize(("card", "area", "field"), [
    ("SAM-035", "Babylon", "frozen"), ("SAM-037", "Men-nefer", "frozen"), ("SAM-049", "Jerusalem", "fewer_actions"),
])  # fmt: skip
def test_who_started_the_month_there_is_meant_wherever_they_are_now(card: str, area: str, field: str) -> None:
    """The month starts with stage 1 (p. 13): neither the spread nor the banner changes who started where."""
    began = [-1] * len(c.CHARACTERS)
    began[c.CHARACTERS.index("Besime")] = c.LOCATIONS.index(area)
    began[c.CHARACTERS.index("Dinah")] = c.LOCATIONS.index("Kalhu")
    people = {"Besime": {"location": "Kalhu"}, "Dinah": {"location": area}}
    table = event(card, characters=people, machine={"began": began})
    assert table.who("Besime").get(field) == 1
    assert field not in table.who("Dinah")


@pytest.mark.rule("N12")
def test_the_month_starts_before_the_spread() -> None:
    people = {"Marsyas": {"location": "Jerusalem"}, "Wardiya": {"location": "Tyre"}}
    table = Table(month=2, stage="spread", characters=people, locations={"Kalhu": {"military": 1}}).go_on()
    assert table.prompt() == "draw_event"
    assert [c.LOCATIONS[at] for at in table["began"] if at >= 0] == ["Kalhu", "Tyre", "Jerusalem"]


# --- texts: the bag


@pytest.mark.rule("N12")
@pytest.mark.parametrize(("card", "marker"), [("SAM-048", "unrest"), ("SAM-057", "plague")])
def test_a_red_marker_leaves_the_bag(card: str, marker: str) -> None:
    assert event(card, bag={marker: 2, "raid": 1}).bag() == {marker: 1, "raid": 1}
    assert event(card, bag={"raid": 1}).bag() == {"raid": 1}


@pytest.mark.rule("N12")
@pytest.mark.parametrize(
    "card", ["SAM-018", "SAM-034", "SAM-042", "SAM-059", "SAM-060", "SAM-061", "SAM-062", "SAM-072"]
)
def test_cards_without_text_change_nothing_but_the_banner(card: str) -> None:
    assert EVENTS[card].effects == []
    areas = {EVENTS[card].area: {"supply": 3, "medicine": 3}}
    table = event(card, areas=areas)
    assert_nothing_asked(table)
    assert "month_effects" not in table.dump()
    assert not any("frozen" in row or "fewer_actions" in row for row in table.dump()["characters"].values())


# --- the oracle


@pytest.mark.rule("N12", "O1")
@pytest.mark.parametrize("card", ORACLES)
def test_the_oracle_comes_to_the_area_of_the_card(card: str) -> None:
    area = EVENTS[card].area
    capital = c.LOCATIONS[BOX[0]["capital"][c.AREAS.index(area)]]
    table = event(card, oracles=3)
    if table.prompt() == "enemy_place":  # Tyre and Samaria are equally far from Kalhu
        table.choose("Tyre")
    assert table.who("Baileet") == {"location": capital, "status": "in play", "side": "B"}
