"""The examples train: a few steps of each. An illegal choice would be an error of the environment."""

from __future__ import annotations

import math
import runpy
from pathlib import Path

import pytest

EXAMPLES = Path(__file__).resolve().parent.parent / "examples"


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


#: Those whose libraries are too large for CI, or need others' versions: the command beside each was run by hand.
LARGE = {
    "agilerl_ppo.py": ("agilerl", "python examples/agilerl_ppo.py --smoke"),
    "rllib.py": ("ray", "python examples/rllib.py --smoke"),
    "tianshou_ppo.py": ("tianshou", "python examples/tianshou_ppo.py --smoke"),
}


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("name", LARGE)
def test_large_example_trains_where_its_library_is_installed(name: str) -> None:
    pytest.importorskip(LARGE[name][0])
    assert run(name, "--smoke")["steps"] >= 1024


def test_every_example_is_tested() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == {name for name, *_ in SHORT} | set(LARGE) | {
        "with_the_team.py"
    }
    page = (EXAMPLES.parent / "docs" / "environment.md").read_text(encoding="utf-8")
    assert all(command in page for _, command in LARGE.values())


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
def test_a_learner_plays_beside_the_team(capsys: pytest.CaptureFixture[str]) -> None:
    stats = run("with_the_team.py", "--games 4 --update 2 --temperature 0.5 --players 2")
    assert stats["moved"] > 0 and math.isfinite(stats["loss"]) and "win rate" in capsys.readouterr().out


@pytest.mark.slow
def test_a_person_plays_beside_the_team(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    """Somebody who types the last number that is shown, and before it something else."""
    pytest.importorskip("torch")
    answers: list[str] = []

    def answer(_: str) -> str:
        if not answers:
            answers.extend(["nonsense", capsys.readouterr().out.strip().split("\n")[-1].split()[0]])
        return answers.pop(0)

    monkeypatch.setattr("builtins.input", answer)
    assert run("with_the_team.py", "--games 1 --person --players 2")["steps"] > 5


@pytest.mark.usefixtures("one_thread")
def test_curves(tmp_path: Path) -> None:
    pytest.importorskip("tensorboard")
    run("ppo.py", f"--steps 64 --envs 4 --length 16 --games 1 --tensorboard {tmp_path}")
    assert list(tmp_path.glob("events.*"))
