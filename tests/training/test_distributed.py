"""Two processes learn what one does, and only the first has the folder."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from tests.training import test_rivals
from tests.training.test_ppo import run
from tests.training.together import MORE, RIVALS

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What two processes left, and beside it what one did alone."""
    folder = tmp_path_factory.mktemp("runs")
    run(folder / "alone", **MORE).run()
    test_rivals.run(folder / "rivals alone", **RIVALS).run()
    run(folder / "0/begun alone", **MORE).run(until=2)
    command = ["torch.distributed.run", "--standalone", "--nproc-per-node", "2", "-m", "tests.training.together"]
    done = subprocess.run([sys.executable, "-m", *command, str(folder)], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    run(folder / "0/begun together", **MORE).run()
    run(folder / "0/stopped", **MORE).run()
    return folder


def said(folder: Path) -> list[dict[str, Any]]:
    return [json.loads((folder / f"{rank}.json").read_text()) for rank in range(2)]


def kept(folder: Path) -> dict[str, Any]:
    state: dict[str, Any] = torch.load(folder / "state.pt", weights_only=True)
    return state


@pytest.mark.parametrize("name", ["whole", "begun alone", "begun together", "stopped"])
def test_the_team_is_that_of_one_process(folder: Path, name: str) -> None:
    """Also where a run goes on with another number of processes. Games, draws and what is stored are the same to the
    bit, weights up to the order of sums."""
    one, two = kept(folder / "alone"), kept(folder / "0" / name)
    assert one["learner"]["updates"] == two["learner"]["updates"] == 4
    for part in ("starts", "batch", "numpy", "torch"):
        same(one["learner"][part], two["learner"][part])
    for part in ("network", "optimizer"):
        same(one["learner"][part], two["learner"][part], atol=1e-5)
    curves = [[(point["decisions"], point["won"]) for point in json.loads(state["curve"])] for state in (one, two)]
    assert curves[0] == curves[1] and len(curves[0]) == 3


def test_rivals_learn_as_in_one_process(folder: Path) -> None:
    one, two = kept(folder / "rivals alone")["learner"], kept(folder / "0/rivals")["learner"]
    assert one["selves"]["sits"].any()
    for part in ("starts", "batch", "numpy", "torch"):
        same(one[part], two[part])
    same(one["selves"]["sits"], two["selves"]["sits"])
    for part in ("network", "optimizer"):
        same(one[part], two[part], atol=1e-5)


def same(one: Any, other: Any, atol: float = 0.0) -> None:
    if isinstance(one, torch.Tensor):
        assert torch.allclose(one, other, atol=atol, rtol=0.0) if one.is_floating_point() else torch.equal(one, other)
    elif isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            same(one[name], other[name], atol)
    else:
        assert one == other


def test_processes_are_alike_after_every_update(folder: Path) -> None:
    first, second = said(folder)
    assert first["alike"] == second["alike"] == [True] * 4
    assert first["searched"] == second["searched"] == [1, True]  # each has searched its part, and has what all found
    assert first["taught"] == 1  # with a teacher's choices among the network's, too
    assert first["games"] == second["games"] == 32


def test_only_the_first_process_writes_and_tells(folder: Path) -> None:
    first, second = said(folder)
    assert (first["told"], second["told"]) == (4, 0)
    assert not (folder / "1").exists()
    files = sorted(path.name for path in (folder / "0/taught").iterdir())
    assert [name.split(".")[0] for name in files] == ["best", "best", "config", "curve", "events", "last", "last",
                                                      "state"]  # fmt: skip
    assert json.loads((folder / "0/taught/last.json").read_text())["hardware"].startswith("2 x ")


def test_ctrl_c_in_one_process_ends_all_after_the_same_update(folder: Path) -> None:
    assert [one["interrupted"] for one in said(folder)] == [["KeyboardInterrupt: ", 2]] * 2


def test_what_stops_the_first_process_stops_all(folder: Path) -> None:
    for one in said(folder):
        assert one["damaged"] == f"ValueError: {folder / '0/damaged/state.pt'} is damaged, delete it to begin anew"
        assert one["other settings"].startswith(f"ValueError: {folder / '0/taught'} holds a run with other settings")


def test_what_processes_cannot_do_is_named(folder: Path) -> None:
    first, second = said(folder)
    for one in (first, second):
        assert one["uneven games"] == "ValueError: games is 9, which 2 processes cannot share evenly: choose a " \
                                      "multiple of 2"  # fmt: skip
        assert one["uneven minibatch"].startswith("ValueError: ppo.minibatch / ppo.run is 77, which 2 processes cannot")
        assert one["maskable"] == "ValueError: trainer maskable_ppo trains in one process, not in 2: choose ppo"
        assert one["different"] == "ValueError: the processes have different settings: give all the same"
