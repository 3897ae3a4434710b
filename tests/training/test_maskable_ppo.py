"""MaskablePPO as a trainer: it learns what the single file learns, and its checkpoints need no library of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tabletop.agents import checkpoint
from tabletop.agents.network import choices
from tabletop.agents.policy import Policy
from tabletop.batch import play_random
from tabletop.game import WON, Record
from tabletop.training.ppo import Learner, Seen
from tabletop.training.train import Run
from tests.tabletop.toy import Toy
from tests.training.small import settings
from tests.training.test_ppo import CELLS, GAME, SEEDS, TESTED, run

pytest.importorskip("sb3_contrib")


class Veiled(Toy):
    """Of the die that a seat sees, its critic is told."""

    hidden_size = 1

    def hidden(self, states: Record) -> Any:
        return (states["die"][:, None] / 6).astype(np.float32)


class Counts:
    """Believes in a full pot."""

    name = "counts"

    def potential(self, states: Record) -> Any:
        return (states["pot"] / 24).astype(np.float32)


def learner(folder: Path, trainer: str, game: Toy = GAME, **changes: Any) -> Learner:
    return Run(game, settings(trainer=trainer, **changes), folder / trainer, (CELLS, [1.0, 1.0, 1.0])).learner


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"precision": "bfloat16", "decisions": 4 * 1024},
        {"game": Veiled(), "shaping": {"scale": [0.5, 0], "until": 1.0}},
        {"warm_start": {"agent": "random", "updates": 2}, "mid_game": {"share": 0.5, "stored": 32}},
        {"warm_start": {"agent": "random", "updates": 1, "share": 0.25, "until": 1.0}},
        # With seed 1 a unit lies so near the bend of its ReLU that some processors' rounding tips it.
        {"seed": 2, "warm_start": {"agent": "random", "updates": 2, "epochs": 3, "kl": 0.5}},
    ],
    ids=["plain", "bfloat16", "hidden", "taught", "taught on", "near the prior"],
)
def test_learns_what_the_single_file_learns(
    tmp_path: Path, changes: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever a setting means there, it means here."""
    monkeypatch.setattr("tabletop.training.ppo.judge", lambda *_: Counts())
    weights, figures = [], []
    for trainer in ("ppo", "maskable_ppo"):
        own = learner(tmp_path, trainer, **changes)
        figures.append([own.learn() for _ in range(4)])
        weights.append(own.network.state_dict())
    for name, x in weights[0].items():
        assert torch.allclose(x, weights[1][name], atol=1e-5), name
    for one, other in zip(*figures, strict=True):
        assert set(one) - set(other) == {"gradient"}
        assert other == pytest.approx({name: one[name] for name in other}, abs=1e-4)


def test_learns_a_small_game(tmp_path: Path) -> None:
    run(tmp_path / "toy", trainer="maskable_ppo").run()
    network, card = checkpoint.load(tmp_path / "toy/best.safetensors", GAME)
    won = (Policy(GAME, network).play(TESTED, SEEDS)["result"] == WON).mean()
    chance = (play_random(GAME, TESTED, SEEDS)["result"] == WON).mean()
    assert chance < 0.85 and won > 0.97
    assert card["config"]["trainer"] == "maskable_ppo"


@pytest.mark.parametrize("changes", [{}, {"mid_game": {"share": 0.5, "stored": 32}}])
def test_resuming_equals_not_having_stopped(tmp_path: Path, changes: dict[str, Any]) -> None:
    more = {"trainer": "maskable_ppo", "decisions": 6 * 1024, **changes}
    run(tmp_path / "whole", **more).run()
    run(tmp_path / "parts", **more).run(until=2)
    run(tmp_path / "parts", **more).run()
    one, other = (torch.load(tmp_path / name / "state.pt", weights_only=True)["learner"] for name in ("whole", "parts"))
    assert one["updates"] == other["updates"] == 6
    assert torch.equal(one["torch"], other["torch"])
    assert all(torch.equal(x, other["network"][name]) for name, x in one["network"].items())
    assert all(torch.equal(x, other["batch"][name]) for name, x in one["batch"].items())
    assert (tmp_path / "whole/last.safetensors").read_bytes() == (tmp_path / "parts/last.safetensors").read_bytes()


LOADS = """
import sys
from pathlib import Path
from tabletop.agents import checkpoint
from tabletop.agents.policy import Policy
from tests.tabletop.toy import Toy
Policy(Toy(), checkpoint.load(Path(sys.argv[1]), Toy())[0])
print([name for name in sys.modules if name.split(".")[0] in ("stable_baselines3", "sb3_contrib")])
"""


def test_checkpoint_needs_no_stable_baselines(tmp_path: Path) -> None:
    run(tmp_path / "toy", trainer="maskable_ppo", decisions=1024).run()
    command = [sys.executable, "-c", LOADS, str(tmp_path / "toy/best.safetensors")]
    root = Path(__file__).parents[2]
    assert subprocess.run(command, cwd=root, capture_output=True, text=True, check=True).stdout.strip() == "[]"


def test_missing_library_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "tabletop.training.maskable_ppo", raising=False)
    monkeypatch.setitem(sys.modules, "sb3_contrib", None)
    with pytest.raises(
        ValueError, match=r"sb3_contrib is not installed: pip install 'sammu-ramat-env\[train\]', or choose ppo"
    ):
        run(tmp_path / "toy", trainer="maskable_ppo")


def test_policy_is_the_network(tmp_path: Path) -> None:
    """What MaskableActorCriticPolicy is asked for beside training is the network's too."""
    own: Any = learner(tmp_path, "maskable_ppo")
    standing, masks = own.games.reset(), own.games.action_masks()
    judged = own.assess(Seen(**standing), choices(torch.ones(len(masks), own.game.n_actions, dtype=torch.bool)))
    likely = own.policy.get_distribution(standing, masks).distribution.probs
    assert torch.allclose(likely[:, :2], judged.logits[:, :2].softmax(1), atol=1e-6) and not likely[:, 2:].any()
    assert {id(x) for x in own.policy.parameters()} == {id(x) for x in own.network.parameters()}


def test_speed_is_measured(capsys: pytest.CaptureFixture[str]) -> None:
    from benchmarks.training_speed import main

    main(["games=8", "length=8", "ppo.minibatch=32", "ppo.run=4", "network.width=8", "threads=1", "device=cpu"])
    lines = capsys.readouterr().out.splitlines()
    assert [line.split(" | ")[:2] for line in lines[2:6]] == [
        ["| ppo", "real"], ["| maskable_ppo", "real"],
        ["| ppo", "standing still"], ["| maskable_ppo", "standing still"],
    ]  # fmt: skip
