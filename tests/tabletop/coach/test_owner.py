"""The owner's edition file: what no such file can say is refused in plain words, and nothing is written."""

from __future__ import annotations

import stat
from pathlib import Path
from typing import Any

import pytest

from tabletop.coach import owner


def checked(values: dict[str, Any], source: str) -> None:
    """Any values are an edition."""


def test_what_is_printed_is_written(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("[cards.one]\ncost = 1\n")
    owner.put_right(mine, ("cards", "one"), {"gift.gold": 2}, checked)
    assert mine.read_text() == "[cards.one]\ncost = 1\n\n[cards.one.gift]\ngold = 2\n"


def test_who_may_read_the_file_may_read_it_written_anew(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("# read off my copy\n")
    mine.chmod(0o640)
    owner.put_right(mine, ("cards", "one"), {"cost": 2}, checked)
    assert [stat.S_IMODE(path.stat().st_mode) for path in tmp_path.iterdir()] == [0o640, 0o640]
    owner.take(mine, "cost = 3\n", checked)
    assert stat.S_IMODE(mine.stat().st_mode) == 0o640


def test_a_file_with_comments_is_kept_once(tmp_path: Path) -> None:
    mine, kept = tmp_path / "mine.toml", tmp_path / "mine.toml.before"
    mine.write_text("[cards.one]\ncost = 1\n")
    owner.put_right(mine, ("cards", "one"), {"cost": 2}, checked)
    assert not kept.exists()
    mine.write_text(commented := "# read off my copy\n[cards.one]\ncost = 1  # 銀\n", encoding="utf-8")
    with pytest.raises(ValueError, match="null"):
        owner.put_right(mine, ("cards", "one"), {"cost": None}, checked)
    assert not kept.exists()
    for cost in (3, 4):
        owner.put_right(mine, ("cards", "one"), {"cost": cost}, checked)
        assert mine.read_text() == f"[cards.one]\ncost = {cost}\n"
        assert kept.read_text(encoding="utf-8") == commented
        mine.write_text("# another remark")


@pytest.mark.parametrize(("values", "problem"), [
    ({"cost": 2, "gift": None}, "cards.one: gift holds null or the like, choose from numbers, text"),
    ({"gift": {"gold": [1, None]}}, "cards.one: gift holds null"),
    ({"cost.gold": 2}, "cards.one: there is no cost.gold, as cost is 1"),
])  # fmt: skip
def test_what_no_file_can_say_is_named(tmp_path: Path, values: dict[str, Any], problem: str) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("[cards.one]\ncost = 1\n")
    with pytest.raises(ValueError, match=problem):
        owner.put_right(mine, ("cards", "one"), values, checked)
    assert mine.read_text() == "[cards.one]\ncost = 1\n"


@pytest.mark.parametrize(("text", "problem"), [
    ("cost = " + "1" * 5000, "a number has thousands of digits$"),
    ("cost = " + "[" * 100_000, "brackets within brackets"), ("cost = ", "at end of document"),
])  # fmt: skip
def test_a_text_that_is_no_edition_file_is_named(tmp_path: Path, text: str, problem: str) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("")
    with pytest.raises(ValueError, match=f"this is no edition file: .*{problem}"):
        owner.take(mine, text, checked)
    assert mine.read_text() == ""
