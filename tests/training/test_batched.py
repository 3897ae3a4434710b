"""A network is evaluated in large batches, on one thread in each process, under the name that its card gives it."""

from __future__ import annotations

import json
import multiprocessing
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

import sammu_env
from tabletop.agents import checkpoint
from tabletop.agents.network import Network
from tabletop.agents.policy import Policy
from tabletop.training.evaluate import Cell, Job, _serve, evaluate
from tests.command import sammu

GAME = sammu_env.load_game()


def save(path: Path, **card: Any) -> Path:
    torch.manual_seed(0)
    network = Network(GAME, width=16, blocks=0)
    checkpoint.save(path, network, GAME, card)
    return path


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    return save(tmp_path / "best.safetensors", name="mine", decisions=123)


def cells() -> list[Cell]:
    return [Cell({"players": n}, GAME.configure(players=n)) for n in (1, 3, 5)]


def test_result_does_not_depend_on_processes_or_batches(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    one, two = cells(), cells()
    assert evaluate(GAME, f"ppo:{saved}", one, 24, seed=5)
    monkeypatch.setattr(Policy, "at_once", 24)
    assert evaluate(GAME, f"ppo:{saved}", two, 24, seed=5, processes=2)
    assert [cell.row(GAME) for cell in one] == [cell.row(GAME) for cell in two]
    assert [cell.outcomes.tolist() for cell in one] == [cell.outcomes.tolist() for cell in two]


def test_a_network_takes_one_thread_of_its_process(saved: Path) -> None:
    pipe, theirs = multiprocessing.Pipe()
    theirs.send([(0, 0, 1)])
    theirs.close()
    before = torch.get_num_threads()
    try:
        torch.set_num_threads(2)
        _serve(Job(GAME, [f"ppo:{saved}"], cells(), 0), pipe)  # ends when it cannot tell what it played
        assert torch.get_num_threads() == 1
    finally:
        torch.set_num_threads(before)


@pytest.mark.parametrize(("after", "fate"), [(1, "interrupted"), (4, "interrupted"), (1, "ended")])
def test_processes_that_are_ended_while_they_play_leave_nobody_waiting(after: int, fate: str) -> None:
    played = 0

    def progress(n: int) -> None:
        nonlocal played
        played += 1
        if played == after:
            if fate == "interrupted":
                raise KeyboardInterrupt
            for child in multiprocessing.active_children():
                child.kill()

    def play() -> bool:
        return evaluate(GAME, "random", cells(), 2**16, processes=2, progress=progress)

    if fate == "interrupted":
        assert not play()
    else:
        with pytest.raises(ChildProcessError, match="a process that played games has ended"):
            play()
    assert not multiprocessing.active_children()


def test_torch_is_imported_only_where_it_plays() -> None:
    modules = "tabletop.training.evaluate, tabletop.training.report, tabletop.assist.cli"
    program = f"import sys, {modules}; assert 'torch' not in sys.modules"
    subprocess.run([sys.executable, "-c", program], check=True)


def test_results_file_has_the_name_and_samples_of_the_card(saved: Path, tmp_path: Path) -> None:
    def play(*names: Path, code: int = 0) -> str:
        options = [x for name in names for x in ("--agent", f"ppo:{name}")]
        done = sammu("evaluate", *options, "--task", "SAM-185", "--games", 2, "--results", tmp_path / "played")
        assert done.exit_code == code, done.output
        return " ".join(done.output.split())

    play(saved)
    data = json.loads((tmp_path / "played" / "SAM-185-mine.json").read_text())
    assert (data["agent"], data["samples"], len(data["cells"])) == ("mine", 123, 5)
    longer = save(tmp_path / "last.safetensors", name="mine", decisions=456)
    assert "trained on 123 decisions, not 456" in play(longer, code=2)
    other = save(tmp_path / "other" / "best.safetensors")
    assert "are called alike" in play(longer, saved, code=2)
    play(other)
    assert (tmp_path / "played" / "SAM-185-best.json").exists()  # its card gives it no name
