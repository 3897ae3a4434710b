"""How sure advice is, and whether it holds: benchmarks/advice.py."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks import advice
from tabletop.agents.random import Random
from tabletop.agents.search import Search
from tests.agents.test_search import Counselled, Passing, begun
from tests.tabletop.errands import Errands


def test_a_plan_is_told_and_played_on_in_other_worlds() -> None:
    game = Errands()
    search = Search(game, Random(game))
    lines = [advice.advised(search, begun(game), seed, 500, rollouts=300) for seed in range(20)]
    for one in lines:
        assert one["rate"] != one["came"] and one["low"] <= one["rate"] <= one["high"]
        assert 0 < one["first"] <= one["seconds"] and one["worlds"] < one["rollouts"] <= 300
    told = advice.summed_up(lines)
    assert told["positions"] == 20 and told["covered"] > 0.75 and abs(told["bias"]) < 0.05
    assert "covered" not in advice.summed_up([{name: x for name, x in one.items() if name != "came"} for one in lines])


def test_what_a_proposer_plays_on_is_checked_by_its_own_games() -> None:
    game = Counselled()
    s = begun(game)
    s["die"] = 1
    search = Search(game, Passing(game))
    one = advice.advised(search, s, 1, 64, rollouts=64 * 40)
    assert one["team"] == search.teams[1] and one["fresh"] == advice.FEWEST and one["came"] > 0


@pytest.mark.parametrize(("came", "fresh", "held"), [
    (0.5, 1000, True), (0.41, 1000, True), (0.35, 1000, False), (0.65, 1000, False), (0.35, 16, True), (0.0, 16, False),
])  # fmt: skip
def test_what_came_may_differ_by_as_much_as_chance_allows(came: float, fresh: int, held: bool) -> None:
    assert advice.holds({"rate": 0.5, "low": 0.4, "high": 0.6, "came": came, "fresh": fresh}) == held


def test_a_file_is_gone_on_with(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    file = tmp_path / "advice.jsonl"
    one = {"rate": 0.5, "low": 0.4, "high": 0.6, "worlds": 9, "first": 0.1, "rollouts": 20, "seconds": 1.0, "team": "a"}
    other = {**one, "team": "b", "rate": 0.6, "came": 0.45, "fresh": 100}
    told = iter([one, other, other])
    monkeypatch.setattr(advice, "advised", lambda *_, **__: next(told))
    command = [str(file), "--positions", "2", "--rollouts", "20"]
    advice.run(command)
    whole = file.read_text()
    with pytest.raises(ValueError, match=r"is of other settings, .*'rollouts': 20.*, not .*'rollouts': 30"):
        advice.run([*command, "--rollouts", "30"])
    assert file.read_text() == whole
    file.write_text(whole[:-9])  # it was stopped while it wrote
    advice.run(command)
    assert file.read_text() == whole
    capsys.readouterr()
    assert advice.run(command)["half_width"] == pytest.approx(0.1)
    together, first, second = (json.loads(line) for line in capsys.readouterr().out.splitlines())
    assert together["positions"] == 2 and (first["team"], second["team"]) == ("a", "b")
    assert "off" not in first and second["off"] == together["off"] == pytest.approx(0.15)
    with pytest.raises(SystemExit):
        advice.run([str(file)])
    assert "give --seconds or --rollouts" in capsys.readouterr().err
