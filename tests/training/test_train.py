"""Training on the real game: a challenge learnt clearly beyond chance, and the command that does it."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
import torch

import sammu_env
from sammu_env.tasks import BY, RUNGS
from tabletop.agents import checkpoint
from tabletop.agents.policy import Policy
from tabletop.batch import play_random
from tabletop.game import WON
from tabletop.training.config import Config, check
from tabletop.training.evaluate import Cell
from tabletop.training.plots import learning_curve
from tabletop.training.tasks import Task, game_of, made
from tabletop.training.train import Run, _by_task, beside_of, by_row, cells_of, kinds_of, tasks_of
from tests.command import refused, sammu

GAME = sammu_env.load_game()
SMALL = {
    "name": "small", "threads": 1, "device": "cpu", "only": {"players": [2]}, "tasks": {"SAM-180": 1.0}, "games": 64,
    "length": 64, "network": {"width": 128, "blocks": 1}, "ppo": {"minibatch": 512, "learning_rate": [1e-3, 1e-4]},
}  # fmt: skip


RUNG = tuple({"challenge": "SAM-180", "players": 2, "difficulty": x} for x in (0.0, 0.5))


@pytest.mark.slow
def test_learns_a_challenge_clearly_beyond_chance(tmp_path: Path) -> None:
    """On a rich box, where the tokens that it asks for stand."""
    rich = sammu_env.load_game(box_seed=3, difficulty=0)
    config = check({**SMALL, "decisions": 125_000, "validation": {"every": 125_000, "games": 10}})
    Run(rich, config, tmp_path / "small").run()
    network, _ = checkpoint.load(tmp_path / "small/last.safetensors", rich)
    setups, seeds = rich.configure("SAM-180", players=2).repeat(300), np.arange(300) + 10**12
    won = (Policy(rich, network).play(setups, seeds)["result"] == WON).mean()
    chance = (play_random(rich, setups, seeds)["result"] == WON).mean()
    assert chance < 0.1 and won > chance + 0.1


def test_cells_and_shares() -> None:
    config = Config(tasks={"standard": 3, "campaign": 1}, only={"players": (2, 3)})
    cells, shares = cells_of(GAME, config, "train")
    assert [cell.labels["task"] for cell in cells].count("standard") == 40 and len(cells) == 42
    assert np.isclose(sum(shares[:40]), 3) and np.isclose(sum(shares[40:]), 1)
    rows = by_row(tasks_of(GAME, config), cells, np.arange(42))
    cards = {cell.labels["challenge"] for cell in cells[:40]}
    assert set(rows) == cards | {"campaign"}
    both = Config(tasks={"standard": 1, "held-out": 1})
    cells, _ = cells_of(GAME, both, "train")
    rows = by_row(tasks_of(GAME, both), cells, np.array([cell.labels["task"] == "standard" for cell in cells]))
    assert len(rows) > len(cards) and rows["standard SAM-185"] == 1
    assert all(rate == 0 for row, rate in rows.items() if row.startswith("held-out "))


def test_cells_without_the_label_of_rows_are_told_by_their_task() -> None:
    tables = [{"challenge": ["SAM-180", "SAM-181"], "players": 2}, {"players": [3, 4]}]
    mine, other = (made(name, {"cells": tables}, GAME) for name in ("mine", "other"))
    cells = [Cell({"task": "mine", **labels}, GAME.configure()) for labels in mine.train]
    rows = by_row({"mine": mine}, cells, np.arange(4))
    assert rows == {"SAM-180": 0, "SAM-181": 1, "mine": 2.5}
    rows = by_row({"mine": mine, "other": other}, cells, np.arange(4))
    assert rows == {"mine SAM-180": 0, "mine SAM-181": 1, "mine": 2.5}
    assert _by_task({"mine": mine}, cells, np.arange(4)) == {"mine": 1.5}


def test_the_main_task_is_trained_on_if_none_is_named() -> None:
    cells, shares = cells_of(GAME, Config(), "train")
    assert {cell.labels["task"] for cell in cells} == {"standard"} and np.isclose(sum(shares), 1)


def test_rates_of_tasks_and_of_what_is_neither_row_nor_column() -> None:
    tasks = {name: GAME.tasks[name] for name in ("SAM-185", "any-box")}
    cells = [Cell({"task": name, **labels}, GAME.configure()) for name, task in tasks.items() for labels in task.train]
    rates = _by_task(tasks, cells, np.arange(len(cells)))
    assert list(rates) == ["SAM-185", *(f"any-box {rung}" for rung in RUNGS)]
    assert rates["SAM-185"] == 2 and rates["any-box 0.0"] == 5 + 49.5


def test_numbers_of_players_are_of_a_kind_but_boxes_are_not() -> None:
    own = {"challenge": ["SAM-185"], "players": [2, 3]}
    tasks = [made("rungs", {"cells": {**own, "difficulty": [0.0, 0.5]}}, GAME), made("mine", {"cells": own}, GAME)]
    assert [task.columns for task in tasks] == ["difficulty", "players"]
    cells = [Cell({"task": task.name, **labels}, GAME.configure()) for task in tasks for labels in task.train]
    kinds = kinds_of(GAME, {task.name: task for task in tasks}, cells)
    assert len(set(kinds[:4])) == 4 and kinds[4] == kinds[5] and kinds[4] not in kinds[:4]


def test_rungs_lie_beside_each_other() -> None:
    own = {"challenge": "SAM-185", "players": [2, 3]}
    tasks = [made("rungs", {"cells": [{**own, "ease": [1.0, 0.0, 0.5]}, {**own, "difficulty": [0.5, 0.0]}]}, GAME),
             made("mine", {"cells": own}, GAME)]  # fmt: skip
    cells = [Cell({"task": task.name, **labels}, GAME.configure()) for task in tasks for labels in task.train]
    rungs = [cell.labels.get("ease", cell.labels.get("difficulty")) for cell in cells]
    assert rungs == [1.0, 0.0, 0.5, 1.0, 0.0, 0.5, 0.5, 0.0, 0.5, 0.0, None, None]
    cells[0].labels["ease"] = cells[0].labels.pop("ease")
    cells[1].labels["players"] = cells[1].labels.pop("players")  # their order does not matter
    assert beside_of(GAME, cells).tolist() == [[2, 0], [1, 2], [1, 0], [5, 3], [4, 5], [4, 3],
                                               [7, 6], [7, 6], [9, 8], [9, 8], [10, 10], [11, 11]]  # fmt: skip


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"only": {"players": (1, 7)}}, "task hidden-hands has no cell with players 1 or 7"),
        (
            {"only": {"seats": (1,)}},
            "only names .seats., choose from the labels of task hidden-hands: chal",
        ),
        ({"tasks": {"most": 1}}, r"task is 'most', choose one of SAM-179, .*campaign"),
    ],
)
def test_cells_that_there_are_not_are_named(settings: dict, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        cells_of(GAME, Config(**{"tasks": {"hidden-hands": 1}, **settings}), "train")


def test_tasks_of_one_name_are_refused(tmp_path: Path) -> None:
    """Curves and cards tell them apart by it."""
    paths = [tmp_path / folder / "mine.yaml" for folder in "ab"]
    for path in paths:
        path.parent.mkdir()
        path.write_text("cells: {challenge: SAM-185, players: 2}")
    with pytest.raises(ValueError, match=r"tasks .*a/mine\.yaml and .*b/mine\.yaml are both called mine: call one"):
        tasks_of(GAME, Config(tasks={str(path): 1.0 for path in paths}))


@pytest.mark.parametrize("name", ["decisions", "minutes", "won"])
def test_a_task_that_a_curve_could_not_tell_is_refused(tmp_path: Path, name: str) -> None:
    path = tmp_path / f"{name}.yaml"
    path.write_text("cells: {challenge: SAM-185, players: 2}")
    with pytest.raises(ValueError, match=rf"is called {name}, but so is something else in a run's curve, .*: call it"):
        tasks_of(GAME, Config(tasks={str(path): 1.0}))


def test_begins_with_the_weights_of_a_checkpoint(tmp_path: Path) -> None:
    config = {**SMALL, "decisions": 4096, "warm_start": {}, "init": "ppo"}
    with pytest.raises(
        ValueError, match=r"init ppo has another network than this run: set network\.width=512, network\.places=true$"
    ):
        Run(GAME, check(config), tmp_path / "other")
    run = Run(GAME, check({**config, "network": {"width": 512, "blocks": 1, "places": True}}), tmp_path / "mine")
    shipped, card = checkpoint.load(checkpoint.path_of("ppo"), GAME)
    run.export("mine", 0.0, np.zeros(len(run.validation)))
    told = json.loads((tmp_path / "mine/mine.json").read_text())
    assert (told["decisions"], told["seconds"]) == (card["decisions"], card["seconds"])  # it has learnt nothing yet
    ours = run.learner.network.state_dict()
    assert all(torch.equal(weights, ours[name]) for name, weights in shipped.state_dict().items()
               if name != "calibration")  # fmt: skip
    assert shipped.calibration.tolist() != [1.0, 0.0] == ours["calibration"].tolist()
    with pytest.raises(ValueError, match="there is no checkpoint 'nobody'"):
        Run(GAME, check({**config, "init": "nobody"}), tmp_path / "none")


def test_any_box_is_trained_and_validated_on_different_boxes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sammu_env.tasks.BOXES", {"train": 2, "validation": 1, "test": 1})
    task = Task("any-box", RUNG, RUNG, by=BY)
    monkeypatch.setattr("sammu_env.tasks.TASKS", {"any-box": task})
    game = game_of(GAME, [task], "train", "validation")
    tiny = {**SMALL, "tasks": {"any-box": 1.0}, "games": 8, "length": 8, "decisions": 64, "ppo": {"minibatch": 64},
            "network": {"width": 16, "blocks": 0}, "validation": {"every": 64, "games": 1}}  # fmt: skip
    run = Run(game, check(tiny), tmp_path / "small")
    run.run()
    assert {int(box) for box in run.learner.starts.setups["box"]} == {1, 2, 3, 4}
    assert {int(box) for cell in run.validation for box in cell.setup["box"]} == {5, 6}
    assert {"any-box 0.0", "any-box 0.5"} <= set(run.curve[-1])


def test_command_trains_and_goes_on(tmp_path: Path) -> None:
    settings = tmp_path / "small.yaml"
    tiny = {**SMALL, "tasks": {"hidden-hands": 0.5, "campaign": 0.5}, "games": 8, "length": 8, "decisions": 128,
            "ppo": {"minibatch": 64}, "network": {"width": 16, "blocks": 0},
            "mid_game": {"share": 0.5, "stored": 8}, "shaping": {"agent": "scripted", "scale": [1.0, 0]},
            "validation": {"every": 64, "games": 1}}  # fmt: skip
    settings.write_text(json.dumps(tiny))  # JSON is YAML
    command = "train", "--config", settings, "--folder", tmp_path / "runs"
    told = sammu(*command)
    assert told.exit_code == 0, told.output
    assert "small" in told.output
    card = json.loads((tmp_path / "runs/small/last.json").read_text())
    assert card["decisions"] == 128 and card["config"]["tasks"] == {"hidden-hands": 0.5, "campaign": 0.5}
    assert card["edition"] == GAME.edition and card["hardware"]
    table = card["validation"]["table"]
    assert set(table) == {f"task {name}, challenge random, players 2" for name in ("hidden-hands", "campaign")}
    assert np.isclose(np.mean(list(table.values())), card["validation"]["won"])
    again = sammu(*command)
    assert again.exit_code == 0 and "going on after 128 decisions" in again.output
    other = sammu(*command, "--set", "seed=9")
    assert other.exit_code == 2 and "holds a run with other settings" in other.output
    more = sammu(*command, "--set", "decisions=192", "--stage")
    assert more.exit_code == 0, more.output
    card = json.loads((tmp_path / "runs/small/last.json").read_text())
    assert card["decisions"] == 192 and [stage["until"] for stage in card["stages"]] == [128]


def test_other_games_of_the_same_settings_are_another_stage(tmp_path: Path) -> None:
    """A task's file may change while a run is stopped: what is known of its cells is not that of the new ones."""
    task, tiny = tmp_path / "mine.yaml", {**SMALL, "only": {}, "games": 8, "length": 8, "ppo": {"minibatch": 64},
            "network": {"width": 16, "blocks": 0}, "validation": {"every": 64, "games": 1},
            "tasks": {str(tmp_path / "mine.yaml"): 1.0}}  # fmt: skip

    def begun(cells: dict, decisions: int, **how: bool) -> Run:
        task.write_text(json.dumps({"cells": cells}))
        return Run(GAME, check({**tiny, "decisions": decisions}), tmp_path / "small", **how)

    two = {"challenge": "SAM-180", "players": [2, 3]}
    begun(two, 64).run()
    assert begun(two, 64).learner.decisions == 64
    for other in ({**two, "players": [2, 3, 4]}, {**two, "players": [4, 5]}):
        with pytest.raises(ValueError, match=r"small has learnt from other games: a file .* next stage \(--stage\)"):
            begun(other, 64)
        run = begun(other, 128, stage=True)
        assert run.learner.decisions == 64 and len(run.learner.starts.rates) == len(other["players"])
        assert run.best == -1.0 and [stage["until"] for stage in run.stages] == [64]
    run.run()
    assert begun(other, 128).learner.decisions == 128
    state = torch.load(tmp_path / "small/state.pt", weights_only=True)
    del state["played"]  # as earlier versions kept it
    torch.save(state, tmp_path / "small/state.pt")
    assert begun(other, 128).learner.decisions == 128


def test_one_process_at_a_time_trains_in_a_folder(tmp_path: Path) -> None:
    tiny = {**SMALL, "games": 8, "length": 8, "decisions": 64, "ppo": {"minibatch": 64},
            "network": {"width": 16, "blocks": 0}, "validation": {"every": 64, "games": 1}}  # fmt: skip
    first, second = (Run(GAME, check({**tiny, "seed": seed}), tmp_path / "small") for seed in (1, 2))

    def tried(*_: object) -> None:
        with pytest.raises(ValueError, match="another process trains in"):
            second.run()

    first.run(tried)
    assert f"seed: {first.config.seed}" in (tmp_path / "small/config.yaml").read_text()
    assert first.curve and not second.curve
    kept = (tmp_path / "small/state.pt").read_bytes()
    with pytest.raises(ValueError, match=r"another process has trained in .*small meanwhile: begin again, to go on"):
        second.run()
    assert (tmp_path / "small/state.pt").read_bytes() == kept
    assert f"seed: {first.config.seed}" in (tmp_path / "small/config.yaml").read_text()
    first.run()


def test_command_names_a_wrong_setting(tmp_path: Path) -> None:
    settings = tmp_path / "mine.yaml"
    settings.write_text("ppo: {gama: 0.9}\n")
    told = refused("train", "--config", settings, "--folder", tmp_path / "runs")
    assert "ppo.gama: there is no such setting" in told
    assert not (tmp_path / "runs").exists()


def test_the_curves_of_stages_with_other_tasks_are_drawn() -> None:
    curve = [{"decisions": 1e6, "won": 0.1, "first": 0.1}, {"decisions": 2e6, "won": 0.3, "first": 0.2, "second": 0.4}]
    drawn = learning_curve(curve, {"second": 0.5}, "scripted")
    assert [f">{name}</text>" in drawn for name in ("first", "second", "second, scripted")] == [True] * 3
