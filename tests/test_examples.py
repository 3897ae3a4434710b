"""The examples train: a few steps of each. An illegal choice would be an error of the environment."""

from __future__ import annotations

import math
import runpy
from collections.abc import Iterator
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Tests run side by side: torch's threads would wait for each other."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def run(name: str, options: str) -> dict[str, float]:
    return runpy.run_path(str(EXAMPLES / name))["main"](options.split())


SHORT = [
    ("ppo.py", "torch", "--steps 1024 --envs 8 --length 64 --games 20", 1024),
    ("maskable_ppo.py", "sb3_contrib", "--steps 1024 --envs 4 --games 10", 1024),
    ("torchrl_aec.py", "torchrl", "--steps 512 --length 256 --games 2", 512),
]


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize(("name", "library", "options", "steps"), SHORT, ids=[name for name, *_ in SHORT])
def test_example_trains(name: str, library: str, options: str, steps: int, capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip(library)
    stats = run(name, options)
    assert stats["steps"] == steps
    assert math.isfinite(stats["loss"])
    assert stats["kl"] != 0, "the policy is still the one that it began with"
    assert 0 <= stats["win_rate"] <= 1
    assert f"win rate {stats['win_rate']:.3f}" in capsys.readouterr().out


def test_every_example_is_tested() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == {name for name, *_ in SHORT}


@pytest.mark.usefixtures("one_thread")
def test_curves(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    run("ppo.py", f"--steps 64 --envs 4 --length 16 --games 1 --tensorboard {tmp_path}")
    assert list(tmp_path.glob("events.*"))
