"""The page of a trained team: its figures are those of the results files and of the card."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import sammu_env
from sammu_env.tasks import TASKS
from tabletop.agents import checkpoint
from tabletop.agents.network import Network
from tabletop.game import LOST, WON, new_state
from tabletop.stats import paired_difference, wilson
from tabletop.training.evaluate import total
from tabletop.training.markdown import BEGIN, END, rewrite
from tabletop.training.results import Results, load_all
from tests.command import sammu

plots = pytest.importorskip("tabletop.training.plots")
team = pytest.importorskip("tabletop.training.team")

GAME = sammu_env.load_game()
DOCS = Path(__file__).resolve().parents[2] / "docs"
GAMES = 20
MEASURED = {
    "forecasts": 1600, "error": 0.0512, "brier": 0.15, "won": 0.4, "table": [[0.04, 0.05, 900], [0.9, 0.85, 700]],
}  # fmt: skip
CARD = {
    "name": "ppo", "decisions": 1_234_567, "seconds": 5400, "hardware": "2 cores",
    "curve": [{"decisions": n, "minutes": 1.0, "won": 0.2, "standard": 0.3, "campaign": 0.01}
              for n in (10**6, 2 * 10**6)],
    "calibration": {"scale": 0.9, "shift": -0.25, "tasks": ["standard", "hidden-hands"], "games": 100,
                    "before": {**MEASURED, "error": 0.1234}, "after": MEASURED},
}  # fmt: skip


def played(
    agent: str, wins: Any, task: str = "standard", scores: Any = None, cause: int = 2, games: int = GAMES,
    months: Any = 4,
) -> Results:  # fmt: skip
    """Results in which the first ``wins[cell]`` games are won; ``scores`` and ``months`` are those of every cell's
    games."""
    results = Results(GAME, TASKS[task], agent, games=games, samples=1_234_567 if agent == "ppo" else 0)
    for cell, won in zip(results.cells, np.broadcast_to(wins, len(results.cells)), strict=True):
        states = new_state(GAME, games)
        states["result"] = np.where(np.arange(games) < won, WON, LOST)
        states["cause"], states["decisions"], states["month"], states["players"] = cause, 150, months, 1
        if cell.also:
            states["score"][:, 0] = scores
        cell.add(GAME, states)
    return results


@pytest.fixture
def found() -> list[Results]:
    """Scripted wins 8 of 20 games of a cell, all in the last three; ppo all in the first 30, 9 in 30 more, then 2."""
    ours = np.repeat([20, 9, 2], [30, 30, 40])
    theirs = np.repeat([8, 20], [97, 3])
    return [played("ppo", ours, cause=3), played("scripted", theirs), played("random", 0)]


def test_overall_figures(found: list[Results]) -> None:
    text = team.Team(found, "ppo", CARD).page()
    ours, theirs = 30 * 20 + 30 * 9 + 40 * 2, 97 * 8 + 3 * 20
    rate, low, high = (100 * x for x in total(found[0].cells).interval)
    difference = found[0].less(found[1])
    assert f"| standard | ppo | 20 | {rate:.1f} ({low:.1f}-{high:.1f}) | {100 * (ours - theirs) / 2000:+.1f} (" in text
    assert f"({100 * difference.low:+.1f} to {100 * difference.high:+.1f}) | 4.0 | 150.0 |" in text
    assert (
        "| standard | scripted | 20 | 41.8 (" in text and "| standard | random | 20 | 0.0 (0.0-0.2) | -41.8 (" in text
    )
    assert "`ppo` has learnt from 1,234,567 decisions, in 1.5 hours on 2 cores." in text
    assert text.startswith("Test games, seeds from 2,000,000,000,000 on;")


def test_games_of_another_checkpoint_are_refused(found: list[Results]) -> None:
    with pytest.raises(
        ValueError, match=r"ppo after 7 decisions, but the games were played after 1,234,567: play them"
    ):
        team.Team(found, "ppo", {**CARD, "decisions": 7})


def test_cells_and_how_many_are_better(found: list[Results]) -> None:
    lines = team.Team(found, "ppo", {}).page().splitlines()
    half = 50 * (wilson(8, 20).high - wilson(8, 20).low)
    _, low, high = (100 * x for x in paired_difference(np.arange(20) < 9, np.arange(20) < 8))
    (row,) = (line for line in lines if line.startswith("| SAM-185 | 3 |"))
    assert f"| 40.0 ± {half:.1f} | 0.0 ± " in row and row.endswith(f"| +5.0 ({low:+.1f} to {high:+.1f}) * |")
    (last,) = (line for line in lines if line.startswith("| SAM-198 | 5 |"))
    assert last.startswith("| SAM-198 | 5 | 10.0 ± ") and not last.endswith("* |")
    assert sum(line.startswith("| SAM-") for line in lines) == 100
    (told,) = (line for line in lines if "wins between" in line)
    assert "In 97 of 100 cells (*) `scripted` wins between 5% and 95%" in told
    assert "wins more often in 60; the interval of the difference lies above 0 in 30 and below 0 in 37." in told


def test_when_games_are_won(found: list[Results], tmp_path: Path) -> None:
    """Also from a file; one that does not say it has no such section."""
    found[0] = played("ppo", 10, months=np.repeat([1, 2, 4, 7], [1, 4, 5, 10]))
    path = found[0].save(tmp_path)
    found[0] = Results.load(path, GAME)
    text = team.Team(found, "ppo", CARD).page()
    assert "| players | games won | month 1 | month 2 | month 3 | month 4 | median |" in text
    assert "| 3 | 200 | 10.0 | 40.0 | 0.0 | 50.0 | 3 |" in text and "| all | 1,000 | 10.0 | 40.0 | 0.0 | 50.0 |" in text
    told = path.read_text()
    path.write_text(told.replace('"won_months"', '"lost_months"'))
    found[0] = Results.load(path, GAME)
    assert "When games are won" not in team.Team(found, "ppo", CARD).page()
    for wrong in ('{"1": 2, "2": 4, "4": 5}', '{"1": 0, "2": 5, "4": 5}'):
        path.write_text(told.replace('{"1": 1, "2": 4, "4": 5}', wrong))
        with pytest.raises(ValueError, match=r"the won_months of .* do not add up"):
            Results.load(path, GAME)


def test_causes_of_defeat(found: list[Results]) -> None:
    found[0].cells[-1].causes.subtract({GAME.causes[3]: 9})
    found[0].cells[-1].causes.update({GAME.causes[2]: 9})
    lines = team.Team(found, "ppo", {}).page().splitlines()
    lost = 2000 - 950
    assert f"| {GAME.causes[2]} | {900 / lost:.1f} | 100.0 | 100.0 |" in lines
    assert f"| {GAME.causes[3]} | {100 - 900 / lost:.1f} | 0.0 | 0.0 |" in lines


def test_verdicts_of_campaigns(found: list[Results]) -> None:
    scores = np.repeat([60, 61, 80, 81, 95, 96, 111, -3], [8, 1, 1, 2, 1, 3, 2, 2])
    found += [played("ppo", 2, "campaign", scores), played("scripted", 1, "campaign", scores - 61),
              played("random", 0, "campaign", 0)]  # fmt: skip
    lines = team.Team(found, "ppo", {}).page().splitlines()
    assert "| agent | mean score | up to 60 | 61 to 80 | 81 to 95 | 96 to 110 | 111 and more |" in lines
    assert f"| ppo | {scores.mean():.1f} | 50.0 | 10.0 | 15.0 | 15.0 | 10.0 |" in lines
    assert "| random | 0.0 | 100.0 | 0.0 | 0.0 | 0.0 | 0.0 |" in lines
    for cell in found[-1].cells:
        cell.kept = {}  # as in files of former times
    assert "| random | 0.0 | - | - | - | - | - |" in team.Team(found, "ppo", {}).page().splitlines()


def test_forecasts(found: list[Results]) -> None:
    text = team.Team(found, "ppo", CARD).page()
    assert "at 1,600 decisions, drawn from 100 test games in each cell of standard and hidden-hands" in text
    assert "scaled by 0.900 and shifted by -0.250" in text
    for row in ("| as trained | 12.3 | 0.1500 |", "| calibrated | 5.1 | 0.1500 |", "| always 40.0% | 0.0 | 0.2400 |",
                "| 4.0 | 5.0 | 900 |", "| 90.0 | 85.0 | 700 |"):  # fmt: skip
        assert row in text


def test_only_what_there_is(found: list[Results]) -> None:
    text = team.Team(found, "ppo", {}).page()
    for title in ("## Chance of winning", "## Campaigns", "## Learning", "!["):
        assert title not in text
    assert list(team.Team(found, "ppo", {}, "mine").plots()) == ["won.svg"]
    assert "![Heat map of the win rates: ppo and scripted](mine/won.svg)" in team.Team(found, "ppo", {}, "mine").page()


def test_what_is_missing_is_named(found: list[Results]) -> None:
    with pytest.raises(ValueError, match="no games of standard by scripted, random: play them first"):
        team.Team(found[:1], "ppo", {})
    with pytest.raises(ValueError, match="no games of campaign by scripted, random"):
        team.Team([*found, played("ppo", 0, "campaign", 0)], "ppo", {})
    with pytest.raises(ValueError, match="scripted is what others are compared with"):
        team.Team(found, "scripted", {})


def test_who_thinks_for_long_may_have_played_fewer_games(found: list[Results]) -> None:
    few = played("scripted", 8, games=10)  # the agent wins the first 10, 9 and 2 of them
    text = team.Team([found[0], few, found[2]], "ppo", {}).page()
    assert "| standard | scripted | 10 | 80.0 (" in text and "| standard | ppo | 20 | 47.5 (" in text
    assert f"| {100 * (30 * 10 + 30 * 9 + 40 * 2 - 800) / 1000:+.1f} (" in text


def texts(svg: str) -> list[str]:
    return [element.text for element in ET.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def test_plots_say_what_they_show(found: list[Results]) -> None:
    campaigns = [played(name, 5, "campaign", 0) for name in ("ppo", "scripted", "random")]
    one = team.Team([*found, *campaigns], "ppo", CARD)
    drawn = one.plots()
    assert list(drawn) == ["won.svg", "calibration.svg", "learning.svg"]
    heat = texts(drawn["won.svg"])
    assert {"SAM-179", "SAM-198", "ppo: games won, %", "scripted: games won, %"} <= set(heat)
    assert heat.count("45") == 30 and heat.count("40") == 97 and heat.count("10") == 40 and heat.count("100") == 33
    assert {"as trained", "calibrated"} <= set(texts(drawn["calibration.svg"]))
    assert {"standard", "standard, scripted", "campaign", "campaign, scripted"} <= set(texts(drawn["learning.svg"]))
    assert one.plots() == drawn
    assert max(map(len, drawn.values())) < 150_000
    assert not any("date" in svg.lower() for svg in drawn.values())


@pytest.mark.parametrize("processes", [1, 2])
def test_from_weights_to_page_by_command(tmp_path: Path, processes: int) -> None:
    torch.manual_seed(0)
    network = Network(GAME, width=16, blocks=0)
    path, folder, page = tmp_path / "best.safetensors", tmp_path / "played", tmp_path / "page.md"
    checkpoint.save(path, network, GAME, {**CARD, "name": "mine", "calibration": None})

    def run(*args: Any) -> None:
        done = sammu(*args)
        assert done.exit_code == 0, done.output

    play = ("evaluate", "--task", "standard", "--games", 1, "--results", folder, "--processes", processes)
    for agent in ("random", "scripted", f"ppo:{path}"):
        run(*play, "--agent", agent)
    assert {file.name for file in folder.iterdir()} == {
        f"standard-{agent}.json" for agent in ("mine", "random", "scripted")
    }
    run("calibrate", path, "--task", "SAM-185", "--games", 1)
    run("results", folder, "--agent", f"ppo:{path}", "--write", page)
    assert page.read_text().startswith(BEGIN)
    page.write_text(f"# Mine\n{BEGIN}\n{END}\nEnd.\n")
    run("results", folder, "--agent", f"ppo:{path}", "--write", page)
    text = page.read_text()
    assert text.startswith("# Mine\n") and text.endswith("End.\n") and "| standard | mine |" in text
    assert "in each cell of SAM-185" in text
    for name in ("won", "calibration", "learning"):
        assert f"(page/{name}.svg)" in text
        assert texts((tmp_path / "page" / f"{name}.svg").read_text())


def test_page_holds_the_figures_of_the_shipped_team() -> None:
    weights, found = checkpoint.path_of("ppo"), load_all(DOCS / "benchmark", GAME)
    one = team.Team(found, "ppo", checkpoint.read_card(weights.with_suffix(".json")), "results")
    page = (DOCS / "results.md").read_text(encoding="utf-8")
    assert rewrite(page, one.page()) == page
    assert all((DOCS / "results" / name).exists() for name in one.plots())
    assert one.tasks["standard"]["ppo"].samples == one.card["decisions"]
    table = one.card["validation"]["table"]
    assert all(
        f"task standard, challenge {cell['challenge']}, players {cell['players']}" in table
        for cell in TASKS["standard"].test
    )


def test_few_wins_on_the_standard_box_come_in_month_1() -> None:
    """Little of what a challenge asks for stands when the game begins, so the best team has to work for it."""
    cell = total(Results.load(DOCS / "benchmark" / "standard-ppo.json", GAME).cells)
    assert cell.wins == cell.won_at.total() > 50_000
    assert cell.won_at[1] < 0.05 * cell.wins
