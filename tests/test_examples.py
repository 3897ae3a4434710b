"""The examples train: a few steps of each. An illegal choice would be an error of the environment."""

from __future__ import annotations

import math
import runpy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from pettingzoo.utils import BaseParallelWrapper
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

import sammu_env

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


#: Those whose libraries are too large for CI, or need others' versions: make examples-large runs the commands.
LARGE = {
    "python examples/agilerl_ppo.py --smoke": "agilerl",
    "python examples/rllib.py --smoke": "ray",
    "python examples/rllib.py --multi --smoke": "ray",
    "python examples/tianshou_ppo.py --smoke": "tianshou",
}


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("command", LARGE)
def test_large_example_trains_where_its_library_is_installed(command: str) -> None:
    pytest.importorskip(LARGE[command])
    _, path, options = command.split(maxsplit=2)
    assert run(Path(path).name, options)["steps"] >= 1024


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
def test_large_library_of_parallel_environments_learns() -> None:
    """AgileRL's IPPO: masks are in infos alone, as lists, and a seat that is not asked has none to choose from."""
    ippo = pytest.importorskip("agilerl.algorithms").IPPO

    class Apart(BaseParallelWrapper):
        def observation_space(self, agent: str) -> Any:
            return self.env.observation_space(agent)["observation"]

        def reset(self, seed: int | None = None, options: Any = None) -> Any:
            return self.apart(self.env.reset(seed=seed, options=options)[0])

        def step(self, actions: Any) -> Any:
            seen, *told, _ = self.env.step(actions)
            seen, infos = self.apart(seen)
            return seen, *told, infos

        def apart(self, seen: Any) -> Any:
            masks = {agent: {"action_mask": parts["action_mask"].tolist()} for agent, parts in seen.items()}
            return {agent: parts["observation"] for agent, parts in seen.items()}, masks

    env = Apart(turn_based_aec_to_parallel(sammu_env.env("SAM-180", 2)))
    agents, spaces = env.possible_agents, env.observation_space
    own = ippo([spaces(agent) for agent in agents], [env.action_space(agent) for agent in agents], agents,
               batch_size=32, learn_step=64, net_config={"encoder_config": {"hidden_size": [32]}})  # fmt: skip
    before = [x.clone() for x in own.actors.parameters()]
    seen, infos = env.reset(seed=1)
    over = dict.fromkeys(agents, np.zeros(1))
    steps = []
    for _ in range(64):
        chosen, logs, _, values = own.get_action(seen, infos)
        following, rewards, ended, _, infos = env.step({agent: int(chosen[agent][0]) for agent in agents})
        paid = {agent: np.array([rewards[agent]]) for agent in agents}
        steps.append((seen, chosen, logs, paid, over, values))
        seen, over = following, {agent: np.array([float(ended[agent])]) for agent in agents}
        if not env.agents:
            seen, infos = env.reset()
    kept = ({agent: [step[part][agent] for step in steps] for agent in agents} for part in range(6))
    losses = own.learn((*kept, seen, over))
    assert losses and all(math.isfinite(loss) for loss in losses.values())
    assert any((new != old).any() for new, old in zip(own.actors.parameters(), before, strict=True))


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
def test_large_example_learns_on_a_cluster_of_two_workers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Games and learners are on the workers: the head has no processor to give."""
    pytest.importorskip("ray")
    from ray.cluster_utils import Cluster

    monkeypatch.setenv("RAY_AUTH_MODE", "disabled")
    each = {"object_store_memory": 200 * 2**20}
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0, **each})
    try:
        for _ in range(2):
            cluster.add_node(num_cpus=2, **each)
        options = f"--address {cluster.address} --runners 2 --learners 2 --smoke"
        stats = run("rllib.py", options)
    finally:
        cluster.shutdown()
    assert stats["steps"] >= 1024 and math.isfinite(stats["loss"]) and stats["kl"] != 0


def test_every_example_is_tested() -> None:
    assert {path.name for path in EXAMPLES.glob("*.py")} == {name for name, *_ in SHORT} | {
        Path(command.split()[1]).name for command in LARGE
    } | {"with_the_team.py"}
    page = (EXAMPLES.parent / "docs" / "environment.md").read_text(encoding="utf-8")
    assert all(command in page for command in LARGE)


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
