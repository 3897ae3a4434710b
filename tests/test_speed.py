"""The speed tables: every row is measured, compared with what is like it, and put where it belongs."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

import sammu_env
from benchmarks import speed
from benchmarks.peers import BARE, COPY, SEEN, Row
from tabletop import games
from tabletop.batch import Batch
from tabletop.loops import GENERATOR
from tabletop.training.markdown import BEGIN, END
from tests.tabletop.toy import KEEP, PASS, Toy

GAME = sammu_env.load_game()


def test_every_row_of_ours_is_measured(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "SIZES", (16, 128))
    monkeypatch.setattr(speed, "BOXES", 3)
    rows = list(speed.ours(GAME, 0.01))
    assert {speed.ENGINE, speed.BATCH, f"{speed.BATCH}, on 3 boxes", speed.AEC} <= {row.what for row in rows}
    for row in rows[:-1]:
        assert row.decisions_per_second and row.decisions_per_second > 10
    assert rows[-1].what == COPY and rows[-1].state_bytes == GAME.state.itemsize and rows[-1].copy_microseconds


def test_other_games_stand_beside_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(speed, "SIZES", (16,))
    name, *rates, numbers, size = speed.beside(games.load("xerxes"), 0.01)
    assert name == "xerxes" and all(int(one.replace(",", "")) > 1000 for one in rates) and len(rates) == 3
    assert (numbers, size) == ("597", "872")


@pytest.mark.skipif(not hasattr(os, "sched_getaffinity"), reason="no affinity here")
def test_one_core_is_for_a_while() -> None:
    before = os.sched_getaffinity(0)
    with speed.one_core():
        assert len(os.sched_getaffinity(0)) == 1
    assert os.sched_getaffinity(0) == before


def test_games_of_several_boxes_are_on_each_of_them() -> None:
    assert np.bincount(speed.setups(sammu_env.load_game(box_seed=range(3)), 300)["box"]).tolist() == [100] * 3


def test_choices_are_legal_and_uniform() -> None:
    toy = Toy()
    batch = Batch(toy, np.repeat(toy.configure(), 2000), seed=1)
    masks = batch.reset().masks
    actions, generator = np.full(2000, -1), np.zeros(1, GENERATOR)
    generator["rng"] = 5
    speed.choose(masks, actions, generator)
    assert set(actions) == {KEEP, PASS}
    assert 850 < (actions == KEEP).sum() < 1150


OWN = {what: Row(what=what, decisions_per_second=rate)
       for what, rate in ((speed.ENGINE, 1000.0), (speed.BATCH, 500.0), (speed.AEC, 100.0))}  # fmt: skip


@pytest.mark.parametrize(
    ("row", "ratio"),
    [
        (Row("openspiel/hanabi", what=BARE, decisions_per_second=100.0), 10.0),
        (Row("openspiel/hanabi", what="bare, played in C++", decisions_per_second=500.0), 2.0),
        (Row("rlcard/uno", what=SEEN, decisions_per_second=1000.0), 0.5),
        (Row("pettingzoo/chess", what=SEEN, decisions_per_second=25.0), 4.0),
        (Row("pgx/backgammon", what=COPY, copy_microseconds=1.0), None),
        (Row("pgx/backgammon", note="not installed"), None),
    ],
)
def test_each_is_compared_with_what_is_like_it(row: Row, ratio: float | None) -> None:
    assert speed.against(row, OWN) == ratio


def test_peer_table() -> None:
    rows = [
        Row("a", what=BARE, decisions_per_second=100.0, forced=0.25),
        Row("a", what=SEEN, decisions_per_second=50.0, forced=0.25),
        Row("a", what=COPY, copy_microseconds=2.5, state_bytes=1234),
        Row("b", note="not installed"),
    ]
    assert speed.peer_table(rows, OWN)[1:] == [
        ["a", BARE, "100", "10.0", "25%", "2.5", "1,234"],
        ["a", SEEN, "50", "10.0", "25%", "-", "-"],
        ["b", "not installed", "", "", "", "", ""],
    ]


def test_tables_go_between_the_markers(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"before\n{BEGIN}\nold\n{END}\nafter\n")
    speed.check(page)
    speed.write(page, "new\n")
    assert page.read_text() == f"before\n{BEGIN}\nnew\n{END}\nafter\n"
    page.write_text("no markers")
    with pytest.raises(ValueError, match="lacks the lines"):
        speed.check(page)
    assert page.read_text() == "no markers"
