"""The ladder of setup sides around each of a box, and where a side is placed on it."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sammu_env
from benchmarks import placing
from sammu_env import components
from sammu_env.components import sides
from sammu_env.components.edition import DATA
from sammu_env.components.rungs import Ladder, ladder
from sammu_env.components.schema import Setup
from sammu_env.constants import CHALLENGES
from tabletop.editions import read_toml
from tabletop.training.evaluate import Cell

BOX = components.load().content
LADDERS = {card: ladder(BOX, card) for card in CHALLENGES}


def faults(one: Ladder, rung: int, conditions: tuple[sides.Condition, ...]) -> list[str]:
    return sides.faults(BOX, one.challenge.model_copy(update={"setup": one.side(rung)}), conditions)


@pytest.mark.parametrize("card", CHALLENGES)
def test_rung_0_is_the_side_itself(card: str) -> None:
    side, printed = LADDERS[card].side(0), BOX.challenge[card].setup
    assert (side.tokens, side.enemies, side.gates) == (printed.tokens, printed.enemies, printed.gates)
    assert 0 in LADDERS[card].good and len(LADDERS[card].good) > 8


@pytest.mark.parametrize("card", CHALLENGES)
def test_good_rungs_are_honest_and_all_are_sound(card: str) -> None:
    one = LADDERS[card]
    honest = sides.kept(one.challenge.setup)
    assert [faults(one, rung, honest) for rung in one.good] == [[]] * len(one.good)
    assert [faults(one, rung, sides.SOUND) for rung in one.rungs] == [[]] * len(one.rungs)


def wealth(side: Setup) -> dict[tuple[str, str], int]:
    """Tokens and enemies of a side; enemies count against it."""
    found = {(area, kind): n for area, there in side.tokens.items() for kind, n in there.items()}
    return found | {("enemy", place): -n for place, n in side.enemies.items()}


@pytest.mark.parametrize("card", CHALLENGES)
def test_from_rung_to_rung_it_is_one_token_or_enemy(card: str) -> None:
    one = LADDERS[card]
    for richer, poorer in pairwise(wealth(one.side(rung)) for rung in one.rungs):
        changed = {what: poorer.get(what, 0) - richer.get(what, 0) for what in richer | poorer}
        assert [n for n in changed.values() if n] == [-1]


@pytest.mark.parametrize("ease", [0, 0.3, 0.7, 1])
def test_an_eased_box_is_richer_and_asks_for_less_and_else_is_the_same(ease: float) -> None:
    b = components.load(components.Eased(ease)).content
    for card, one in LADDERS.items():
        side = one.side(-round(ease * len(one.richer)))
        assert (b.challenge[card].setup.tokens, b.challenge[card].setup.enemies) == (side.tokens, side.enemies)
        assert sides.faults(b, b.challenge[card], sides.SOUND) == []
        same = {name: getattr(BOX.challenge[card].setup, name) for name in ("tokens", "enemies", "provenance")}
        setup = b.challenge[card].setup.model_copy(update=same)
        same = {"setup": setup, "win": BOX.challenge[card].win, "provenance": BOX.challenge[card].provenance}
        assert b.challenge[card].model_copy(update=same) == BOX.challenge[card]
    assert b.components == BOX.components.model_copy(update={
        "start_goods": 3 + round(2 * ease), "provenance": b.components.provenance})  # fmt: skip
    others = {*type(b).model_fields} - {"challenge", "components"}
    assert all(getattr(b, name) == getattr(BOX, name) for name in others)
    assert b.challenge["SAM-185"].setup.provenance["enemies"] == BOX.challenge["SAM-185"].setup.provenance["enemies"]
    assert (components.load(components.Eased(ease)).hash == components.load().hash) == (ease == 0)


@pytest.mark.parametrize(("card", "asked"), [
    ("SAM-184", [6, 6, 5, 5, 4, 4]), ("SAM-194", [10, 9, 8, 8, 7, 6]), ("SAM-179", [3, 3, 3, 2, 2, 2]),
    ("SAM-181", [1] * 6),
])  # fmt: skip
def test_an_eased_condition_asks_for_the_same_in_smaller_numbers(card: str, asked: list[int]) -> None:
    for ease, n in zip((0, 0.2, 0.4, 0.6, 0.8, 1), asked, strict=True):
        rows = components.load(components.Eased(ease)).content.challenge[card].win
        for row, printed in zip(rows, BOX.challenge[card].win, strict=True):
            many = getattr(printed, "n", None)
            assert row == (printed if many in (None, 1) else printed.model_copy(update={"n": n}))


@pytest.mark.parametrize("ease", [-0.1, 1.1, True, "rich", [1], float("nan")])
def test_an_ease_out_of_its_range_is_refused(ease: Any) -> None:
    components.load(components.Eased(1))  # True is not 1
    for load in (components.load, sammu_env.load_game):
        with pytest.raises(ValueError, match=re.escape(f"ease is {ease!r}, expected a number from 0 to 1")):
            load(components.Eased(ease))


def test_what_is_printed_stays() -> None:
    one = LADDERS["SAM-185"]
    assert {tuple(one.side(rung).enemies.items()) for rung in one.rungs} == {
        (("Gordium", 2), ("Bastam", 2), ("Anshan", 2), ("Kition", 2), ("Meroe", 2))
    }


def test_a_ladder_is_always_the_same() -> None:
    assert ladder(BOX, "SAM-190") == LADDERS["SAM-190"]


def test_bad_rungs_and_sides_are_refused() -> None:
    one = LADDERS["SAM-190"]
    with pytest.raises(ValueError, match=f"rung is 99, choose {one.rungs[0]} to {one.rungs[-1]}"):
        one.side(99)
    with pytest.raises(ValueError, match=r"SAM-180: points: found \d+ at setup"):
        ladder(components.load("novice").content, "SAM-180")


# --- the command


def test_each_rung_is_a_box_of_one_game(tmp_path: Path) -> None:
    some = {card: LADDERS[card] for card in ("SAM-180", "SAM-188")}
    last = some["SAM-180"].rungs[-1]
    rungs = placing.rungs_of(some, [last, -1, 0, 99])
    assert list(rungs) == [-1, 0, last]
    game = placing.load_rungs({}, some, rungs, tmp_path)
    for box, (rung, cards) in enumerate(rungs.items()):
        for card in cards:
            tokens = game.box["setup_token"][box, CHALLENGES.index(card)].sum(axis=0)
            assert tokens.tolist() == list(sides.on_map(some[card].side(rung)).values())
    assert game.hashes[1] == components.load().hash


def test_every_rung_is_played_with_every_number_of_players() -> None:
    some = {"SAM-188": LADDERS["SAM-188"]}
    found = placing.play({}, some, placing.rungs_of(some, [0, 2]), "random", 2, 1)
    assert [(one.rung, one.good, one.months) for one in found] == [(n, True, [7, 8, 6, 6, 5]) for n in (0, 2)]
    assert [[cell.games for cell in one.cells] for one in found] == [[2] * 5] * 2
    assert all(cell.setup["players"][0] == n for one in found for n, cell in enumerate(one.cells, 1))


def rung(card: str, n: int, wins: int, month: int = 3) -> placing.Rung:
    """A rung of which so many of ten games were won with each number of players, all in one month."""
    cells = []
    for _ in placing.PLAYERS:
        cell = Cell({}, np.zeros(1), ("month",))
        cell.won[0] = np.arange(10) < wins
        cell.kept["month"] = {0: np.full(10, month)}
        cells.append(cell)
    return placing.Rung(card, n, True, cells, [6] * 5)


def test_the_good_rung_nearest_to_what_is_wished_is_chosen() -> None:
    """Also one that was not played, by what the others say."""
    played = [rung("SAM-180", -4, 9), rung("SAM-180", 0, 5), rung("SAM-180", 4, 1), rung("SAM-181", 0, 9),
              rung("SAM-181", 4, 5), rung("SAM-182", 0, 0), rung("SAM-183", 0, 5)]  # fmt: skip
    good = {card: range(-4, 5) for card in ("SAM-180", "SAM-181", "SAM-182")} | {"SAM-183": range(0)}
    assert placing.choose(played, good, 0.5) == {"SAM-180": 0, "SAM-181": 4, "SAM-182": -4}
    assert placing.choose(played, good, 0.75) == {"SAM-180": -2, "SAM-181": 2, "SAM-182": -4}
    assert placing.choose(played, good | {"SAM-180": range(5)}, 0.9)["SAM-180"] == 0


def test_the_regression_finds_levels_and_slope() -> None:
    rng, levels, slope = np.random.default_rng(0), {"SAM-180": 1.0, "SAM-181": -2.0}, -0.3
    played = []
    for card, level in levels.items():
        for n in (-6, -3, 0, 3, 6):
            cells = []
            for _ in range(5):
                cell = Cell({}, np.zeros(1), ("month",))
                cell.won[0] = rng.random(2000) < 1 / (1 + np.exp(-level - slope * n))
                cells.append(cell)
            played.append(placing.Rung(card, n, True, cells, [6] * 5))
    found, found_slope = placing.fitted(played)
    assert found == pytest.approx(levels, abs=0.08) and found_slope == pytest.approx(slope, abs=0.02)
    assert placing.fitted(played[2:3])[1] == pytest.approx(0, abs=1e-9)  # one rung says nothing of a slope
    alone, its_slope = placing.fitted([rung("SAM-180", 3, 8)])
    assert 1 / (1 + np.exp(-alone["SAM-180"] - 3 * its_slope)) == pytest.approx(40.5 / 51)  # half a game won and lost


def test_a_row_says_when_it_was_won() -> None:
    assert rung("SAM-180", -2, 5).text().split() == [
        "SAM-180", "-2", "good", "50", "50", "50", "50", "50", "50", "0", "0.50"
    ]  # fmt: skip
    assert rung("SAM-180", 0, 5, month=1).text().split()[-2:] == ["100", "0.17"]
    assert rung("SAM-180", 0, 0).text().split()[-2:] == ["-", "-"]


def test_only_tokens_and_enemies_are_written() -> None:
    path = DATA / "challenges.toml"
    text = path.read_text(encoding="utf-8")
    changed = placing.written(text, "SAM-198", LADDERS["SAM-198"].side(3))
    old, new = text.splitlines(), changed.splitlines()
    assert {a.split(" =")[0] for a, b in zip(old, new, strict=True) if a != b} <= {"tokens", "enemies"}
    with pytest.raises(ValueError, match=r"no \[challenge.SAM-199.setup\]"):
        placing.written(text, "SAM-199", LADDERS["SAM-198"].side(0))


@pytest.mark.parametrize("edition", placing.BOXES)
def test_writing_rung_0_changes_nothing(edition: str) -> None:
    """Of every box that is shipped: its sides satisfy what its ladders need, and lie in order."""
    path, conditions = placing.BOXES[edition]
    content, text = components.load(edition).content, path.read_text(encoding="utf-8")
    for card in CHALLENGES:
        assert placing.written(text, card, ladder(content, card, conditions).side(0)) == text


def test_the_command_writes_what_it_chose(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "challenges.toml"
    path.write_text((DATA / "challenges.toml").read_text(encoding="utf-8"), encoding="utf-8")
    monkeypatch.setitem(placing.BOXES, "standard", (path, sides.HONEST))
    placing.main(["--agent", "random", "--games", "2", "--challenge", "SAM-184", "--rungs", "1", "2", "--write"])
    assert "chosen: SAM-184 +1" in capsys.readouterr().err
    written = read_toml(path)["challenge"]["SAM-184"]["setup"]
    side = LADDERS["SAM-184"].side(1)
    assert (written["tokens"], written["enemies"]) == (side.tokens, side.enemies)
    assert written["provenance"]["rest"] == "reconstructed"
