"""The box: provenance of every value, editions, random boxes; what is wrong with one is named."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tabletop.boxes import Drawn
from tabletop.plays import begun
from xerxes_env import actions, box, content, load_game
from xerxes_env import constants as c

GAME = load_game()


def test_every_value_says_where_it_comes_from() -> None:
    rows = list(box.load().table())
    assert len(rows) > 130 and {row[3].partition(":")[0] for row in rows} == {"rulebook", "public", "reconstructed"}
    told = {(row[0], row[1]): row[3] for row in rows}
    assert told["building.granary", "vp"].startswith("public") and told["game", "goal"] == "rulebook"
    assert told["building.temple", "vp"] == "rulebook" and told["area.Persis", "unit"] == "reconstructed"


def test_the_box_is_as_the_components_say() -> None:
    one = GAME.box[0]
    assert one["area_resource"].sum(0).tolist() == [6, 6, 5, 6, 6, 6]
    assert np.bincount(one["area_unit"]).tolist() == [4, 4, 4, 4]
    assert one["building_cost"].sum(0).tolist() == [4, 2, 6, 8, 4, 4]
    assert one["tax_cost"][one["tax_unit"] < 0].sum(0).tolist() == [7] * 6
    assert one["tax_cost"][one["tax_unit"] >= 0].sum(0).tolist() == [4] * 6
    assert (one["march_unit"].sum(1) == 3).all() and (one["march_unit"] < 3).all()
    assert len(np.unique(one["march_unit"], axis=0)) == c.N_MARCH


def test_an_edition_replaces_values(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        '[game]\ngoal = 30\n[tax.tax-01]\nreward = "unit"\ncost = { gold = 1 }\nunit = "ships"\n'
        '[event.event-1]\nkind = "no_building"\nbuilding = "road"\n[building.temple]\nvp = [9, 8, 7, 6, 5, 4, 3]\n'
    )
    game = load_game(path)
    one = game.box[0]
    assert one["goal"] == 30 and one["tax_unit"][0] == 3 and one["tax_vp"][0] == 0
    assert one["event_no_building"][0] == 1 and one["event_no_resource"][0] == -1
    told = {row[:2]: row[3] for row in box.load(game.editions[0]).table()}
    assert told["tax.tax-01", "unit"] == "edition" and told["game", "goal"] == "edition"
    assert game.edition != GAME.edition and load_game("short").box["goal"] == [18]
    assert load_game() is load_game("standard")


@pytest.mark.parametrize(("text", "says"), [
    ("[game]\ngaol = 3", "game: found 'gaol', expected no such field"),
    ("[game]\ngoal = 0", "game: goal: found 0, expected greater than or equal to 1"),
    ("[map]\nx = 1", "found 'map', expected one of game, mat, area"),
    ('[area.Rome]\nunit = "ships"', "area: found 'Rome', expected one of Aegyptus"),
    ('[area.Persis]\nunit = "elephants"', "area.Persis: unit: found 'elephants', expected one of infantry"),
    ("[building.temple]\nvp = [1, 2]", "building.temple: vp: found 2 items, expected at least 7"),
    ("[building.temple]\ncost = { gold = 4 }", "building.temple: cost.gold: found 4"),
    ('[mat]\nsides = [["India"]]', "mat: sides"),
    ("game = 3", "expected a table of values"),
    ("[", "not a TOML file"),
])  # fmt: skip
def test_what_is_wrong_is_named(tmp_path: Path, text: str, says: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match="wrong") as error:
        load_game(path)
    assert says in str(error.value)


def with_rewards(tmp_path: Path, same: int, for_vp: int) -> Path:
    """An edition in which so many tax cards are for VP, and hands with so many of a kind are dealt again."""
    path = tmp_path / "mine.toml"
    unit, vp = 'reward = "unit"\nunit = "ships"', 'reward = "vp"\nvp = 2'
    cards = [f"[tax.tax-{card + 1:02}]\ncost = {{ gold = 1 }}\n{vp if card < for_vp else unit}\n"
             for card in range(c.N_TAX)]  # fmt: skip
    path.write_text(f"[game]\nsame_rewards = {same}\n{''.join(cards)}")
    return path


@pytest.mark.rule("X-A4")
@pytest.mark.parametrize(("same", "for_vp", "least"), [
    (4, 11, 12), (4, 13, 12), (5, 7, 8), (5, 17, 8), (6, 3, 4), (6, 21, 4),
])  # fmt: skip
def test_hands_that_would_be_dealt_for_ever_are_refused(tmp_path: Path, same: int, for_vp: int, least: int) -> None:
    with pytest.raises(ValueError, match=f"{for_vp} cards for VP, expected {least} to {c.N_TAX - least} with same_re"):
        load_game(with_rewards(tmp_path, same, for_vp))


@pytest.mark.rule("X-A4")
@pytest.mark.parametrize(("same", "for_vp"), [(4, 12), (5, 8), (5, 16), (6, 4), (6, 20), (7, 0), (7, 24)])
def test_hands_of_every_number_of_players_can_be_dealt(tmp_path: Path, same: int, for_vp: int) -> None:
    game = load_game(with_rewards(tmp_path, same, for_vp))
    for players in (1, 2, 3, 4):
        s = begun(game, game.configure(players), 1)
        dealt = game.box["tax_unit"][0] < 0
        for seat in range(players):
            mine = (s["tax"][0] == c.HAND + seat) | (s["tax"][0] == c.OUT + seat)
            assert mine.sum() == c.TAX_DEALT and max((mine & dealt).sum(), (mine & ~dealt).sum()) < same


def test_other_boxes_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="standard, short"):
        load_game("long")
    with pytest.raises(ValueError, match="choose one of 0"):
        load_game(box_seed=-1)
    with pytest.raises(ValueError, match="choose one"):
        load_game("short", box_seed=1)
    with pytest.raises(ValueError, match="cannot be read"):
        load_game(tmp_path / "none.toml")


def test_random_boxes_keep_what_is_printed() -> None:
    printed = {row[:2]: row for row in box.load().table() if not row[3].startswith("reconstructed")}
    seen = set()
    for seed in range(40):
        one = box.load(Drawn(seed))
        seen.add(one.hash)
        drawn = {row[:2]: row for row in one.table()}
        for key, row in printed.items():
            if key[0] == "event.event-6":
                continue  # which card is the levy is not known
            assert drawn[key][2] == row[2], (seed, row)
        data = one.box[0]
        assert np.bincount(data["area_unit"], minlength=4).tolist() == [4] * 4
        forbidden = data["event_no_resource"]
        assert (np.bincount(forbidden[forbidden >= 0]) <= 1).all() and (data["event_no_building"] >= 0).any()
        assert (data["event_units"] > 0).sum() == 1 and (data["event_resources"] > 0).sum() == 1
        assert (data["building_cost"].sum(1) <= 5).all() and data["building_cost"].max() <= 3
    assert len(seen) == 40 and box.load(Drawn(3)).hash == load_game(box_seed=3).edition


def test_a_game_of_several_boxes() -> None:
    game = load_game(box_seed=[1, 2])
    assert len(game.box) == 2 and game.contents.shape == (2, actions.N_ACTIONS, content.WIDTH)
    assert not np.array_equal(*game.contents) and game.configure(2, box=1)["box"] == [1]
    with pytest.raises(ValueError, match="choose one of 0, 1"):
        game.configure(2, box=2)


def test_contents_say_what_cards_do() -> None:
    rows, columns = GAME.contents[0], content.COLUMNS
    assert rows[actions.MARCH, columns["asks"]].tolist() == [2, 1, 0, 0]
    assert rows[actions.TAX + 12, columns["unit"]].tolist() == [1, 0, 0, 0]
    assert rows[actions.EVENT, columns["no_resource"]].tolist() == [0, 1, 0, 0, 0, 0]
    assert rows[actions.BUILDING, columns["vp"]].tolist() == pytest.approx([7 / 5, 4 / 5, 1 / 5])
    assert not rows[actions.DONE].any()
