"""A results file is checked: some of its games are played again."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

import sammu_env
from tabletop.training.evaluate import Cell, evaluate
from tabletop.training.results import Results, check
from tests.command import sammu

GAME = sammu_env.load_game()


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """24 games of a drawing agent in each of five cells."""
    results = Results(GAME, GAME.tasks["SAM-185"], "random", "validation", 24)
    evaluate(GAME, "random", results.cells, 24, int(results.seeds[0]))
    return results.save(tmp_path_factory.mktemp("results"))


def test_the_same_games_come_out_again(file: Path) -> None:
    told = check(Results.load(file, GAME), "random", 0.4, seed=3)
    assert (told.cells, told.games, told.alike, told.holds) == (2, 48, 48, True)
    done = sammu("check", file, "--agent", "random", "--share", 1, "--processes", 1)
    assert done.exit_code == 0 and "5 cells, 120 games: 120 came out as in the file" in done.output, done.output


def test_a_file_that_says_too_much_is_found_out(file: Path, tmp_path: Path) -> None:
    data = json.loads(file.read_text())
    for row in data["cells"]:
        row |= {"won": "ffffff", "wins": 24, "causes": {}, "won_months": {}}
    (tmp_path / file.name).write_text(json.dumps(data))
    told = check(Results.load(tmp_path / file.name, GAME), "random", 0.2)
    assert told.alike < 12 and told.difference.low > 0 and not told.holds
    done = sammu("check", tmp_path / file.name, "--agent", "random", "--processes", 1)
    assert done.exit_code == 1, done.output


def test_who_did_not_play_it_is_named(file: Path) -> None:
    results = Results.load(file, GAME)
    for name, share, said in (
        ("scripted", 0.1, "the file is of random, trained on 0 decisions, but scripted is scripted, trained on 0"),
        ("random", 0.0, "share is 0.0, choose a number above 0, up to 1"),
    ):
        with pytest.raises(ValueError, match=said):
            check(results, name, share)
    results.cells[0] = Cell(results.cells[0].labels, results.cells[0].setup)
    with pytest.raises(ValueError, match="1 of 5 cells are missing"):
        check(results, "random", 0.1)


def test_agents_and_tasks_of_ones_own_in_every_command(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """``module:Class`` and a task of a file or of Python in evaluate, results, check and train."""
    (tmp_path / "own17.py").write_text(
        "from tabletop.training.tasks import Task\n"
        "TASK = Task('mine', ({'challenge': 'SAM-180', 'players': 2},), ({'challenge': 'SAM-180', 'players': 2},))\n"
        "class First:\n"
        "    name = 'first'\n"
        "    def __init__(self, game): pass\n"
        "    def reset(self, seed): pass\n"
        "    def act(self, states, masks): return masks.argmax(axis=1)\n"
    )
    (tmp_path / "mine.toml").write_text('[cells]\nchallenge = "SAM-180"\nplayers = [1, 2]\n')
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    own = ["--agent", "own17:First"]
    quick = ["train", "--config", "small.yaml", "--folder", "runs", "--set"]
    (tmp_path / "small.yaml").write_text(json.dumps({
        "name": "small", "decisions": 64, "games": 8, "length": 8, "threads": 1, "device": "cpu",
        "ppo": {"minibatch": 64},
        "network": {"width": 8, "blocks": 0}, "validation": {"every": 64, "games": 1},
        "warm_start": {"agent": "own17:First", "updates": 1},
    }))  # fmt: skip
    for n, task in enumerate(("mine.toml", "own17:TASK")):
        played = ["--task", task, "--games", "4", "--processes", "1"]
        for command in (
            ["evaluate", *own, "--agent", "scripted", "--agent", "random", *played, "--results", f"kept{n}"],
            ["results", f"kept{n}"],
            ["check", f"kept{n}/mine-first.json", *own, "--share", "1", "--processes", "1"],
            [*quick, f"tasks={{{task}: 1}}", "--set", f"name=small{n}"],
        ):
            done = sammu(*command)
            assert done.exit_code == 0, (command, done.output)
