"""The learning curves that are to be beaten."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks import curves
from tabletop.training.config import load

SMALL = ("threads=1", "tasks={SAM-188: 1}", "only={players: [2]}", "decisions=2048", "games=32", "length=32",
         "network={width: 16, blocks: 0}", "mid_game={share: 0, wins: null}", "validation={every: 1024, games: 2}",
         "ppo.minibatch=256")  # fmt: skip


def test_both_trainers_begin_with_nothing_on_the_same_boxes() -> None:
    masked, own = (curves.config(name) for name in curves.RUNS)
    assert (masked.trainer, own.trainer) == ("maskable_ppo", "ppo")
    for name in ("tasks", "decisions", "network", "games", "length", "threads", "validation"):
        assert getattr(masked, name) == getattr(own, name), name
    assert masked.init is own.init is None and masked.warm_start.updates == own.warm_start.updates == 0
    assert masked.shaping.scale == (0, 0) and masked.mid_game.share == 0 and masked.sampler.floor == 1


def test_the_page_has_a_line_for_each_validation(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("sb3_contrib")
    small = {name: (file, (*SMALL, f"name={name}")) for name, (file, _) in curves.RUNS.items()}
    small["own"] = ("ppo.yaml", (*small["own"][1], "warm_start={updates: 0, kl: 0}", "shaping.agent=scripted"))
    monkeypatch.setattr(curves, "RUNS", small)
    page = tmp_path / "curves.md"
    for _ in range(2):  # the second time only what is there is read
        curves.main(["--folder", str(tmp_path), "--write", str(page)])
    text = page.read_text(encoding="utf-8")
    assert "**maskable_ppo**" in text and "**own**" in text
    rows = [line.split(" | ") for line in text.splitlines() if line.startswith("| 0.0 ")]
    assert len(rows) == 4 and all(0 <= float(rate.strip("| ")) <= 100 for row in rows for rate in row[2:])
    assert load(tmp_path / "own/config.yaml").trainer == "ppo"
