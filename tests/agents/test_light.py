"""The network without PyTorch: it judges as the network does."""

import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

torch = pytest.importorskip("torch")

from tabletop.agents import checkpoint  # noqa: E402
from tabletop.agents.light import Light  # noqa: E402
from tabletop.agents.network import Network  # noqa: E402
from tabletop.agents.policy import Policy  # noqa: E402
from tabletop.batch import Batch  # noqa: E402
from tabletop.game import NOBODY, Game  # noqa: E402
from tabletop.games import load  # noqa: E402

#: What the command does not wait for, if it is asked about a position.
HEAVY = ("torch", "stable_baselines3", "matplotlib", "pandas", "sympy", "scipy", "PIL", "starlette")


def positions(game: Game, steps: int) -> Iterator[Batch]:
    """Games that are played at random, where seats are asked."""
    batch, rng = Batch(game, game.configure().repeat(4), seed=1), np.random.default_rng(1)
    out = batch.reset()
    for step in range(steps):
        if step % 9 == 0 and (batch.states["to_act"] >= 0).all():
            yield batch
        out = batch.step((out.masks * rng.random(out.masks.shape)).argmax(axis=1))


def same(game: Game, policy: Policy, light: Light, steps: int) -> int:
    """In how many positions it judges as the network does."""
    seen = 0
    for batch in positions(game, steps):
        states, masks, boxes = batch.states, batch.buffers.masks, batch.states["box"]
        likely = light.likelihoods(states, masks)
        assert np.allclose(likely, policy.likelihoods(states, masks), atol=2e-5)
        observations = batch.buffers.observations
        assert np.allclose(light.chances(observations, boxes), policy.chances(observations, boxes), atol=2e-5)
        assert (light.act(states, masks) == likely.argmax(axis=1)).all()
        seen += len(states)
    return seen


def test_one_thread_judges(monkeypatch: pytest.MonkeyPatch) -> None:
    game = load("xerxes")
    light, judge, seen = Light.load(game), Light._judge, []

    def threads() -> set[int]:
        return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}

    def watched(*given: Any) -> Any:
        seen.append(threads())
        return judge(*given)

    monkeypatch.setattr(Light, "_judge", watched)
    with threadpool_limits(2, "blas"):
        (batch,) = positions(game, 1)
        light.act(batch.states, batch.buffers.masks)
        assert seen == [{1}] and threads() == {2}


@pytest.mark.parametrize("name", ["sammu-ramat", "pergamemnon", "xerxes"])
def test_shipped_networks_judge_alike(name: str) -> None:
    game = load(name)
    policy = Policy.load(game)
    policy.precision = "float32"
    light = Light.load(game)
    assert (light.name, light.card) == (policy.name, policy.card)
    assert same(game, policy, light, 60) >= 20


@pytest.mark.parametrize("shape", [{"blocks": 2}, {"contents": False}, {"contents": False, "places": True}])
def test_networks_of_any_shape_judge_alike(shape: dict[str, Any], tmp_path: Path) -> None:
    game = load("sammu-ramat")
    torch.manual_seed(1)
    network = Network(game, **{"width": 16, "blocks": 0, **shape})
    for weights in network.parameters():
        torch.nn.init.normal_(weights, std=0.2)
    path = tmp_path / "own.safetensors"
    checkpoint.save(path, network, game, {"name": "own"})
    policy = Policy.load(game, str(path))
    policy.precision = "float32"
    assert same(game, policy, Light.load(game, str(path)), 30) >= 8


def test_its_opinion_is_what_it_says_of_all_choices() -> None:
    game = load("sammu-ramat")
    light = Light.load(game)
    batch = next(positions(game, 1))
    mask = batch.buffers.masks[:1]
    opinion = light.opinion(batch.states[:1])
    assert set(opinion.choices) == set(np.flatnonzero(mask[0]))
    assert (np.diff(opinion.probabilities) <= 0).all() and abs(opinion.probabilities.sum() - 1) < 1e-9
    assert light.act(batch.states[:1], mask)[0] == opinion.choices[0]
    assert opinion.win == light.chances(batch.buffers.observations[:1], batch.states["box"][:1])[0]


def test_an_ended_game_has_no_likely_choice() -> None:
    game = load("sammu-ramat")
    states = Policy.load(game).play(game.configure(), np.array([1]))
    assert states["to_act"][0] == NOBODY
    light = Light.load(game)
    likely, win = light.judge(
        np.zeros((1, len(game.observation_low)), np.float32), states["box"], np.zeros((1, game.n_actions), np.int8)
    )
    assert not likely.any() and 0 < win[0] < 1


def test_a_lost_layer_is_named(tmp_path: Path) -> None:
    game = load("sammu-ramat")
    path = tmp_path / "own.safetensors"
    checkpoint.save(path, Network(game, width=16, blocks=1), game, {"name": "own"})
    card = json.loads(path.with_suffix(".json").read_text())
    path.with_suffix(".json").write_text(json.dumps({**card, "network": {**card["network"], "blocks": 2}}))
    with pytest.raises(ValueError, match=r"own.safetensors is damaged: KeyError: 'trunk.blocks.1"):
        Light.load(game, str(path))


def test_advice_on_a_position_imports_nothing_heavy(tmp_path: Path) -> None:
    """Neither what the trained team says by itself, nor the first answer of a search."""
    code = f"""
import json, sys
from pathlib import Path
from sammu_env import command
from tabletop.assist import advice
from tabletop.games import load
from tabletop.game import new_state
if __name__ == "__main__":
    game = load("sammu-ramat")
    state = new_state(game)
    game.reset(game.box, state, game.configure(), 1)
    said = advice.advise(game, advice.make("ppo", game), state)
    search = advice.searcher(game)
    found = next(search.advise(state, rollouts=1))
    search.close()
    print(json.dumps([len(said.choices), len(found.plans), [m for m in {HEAVY!r} if m in sys.modules]]))
"""
    script = tmp_path / "ask.py"
    script.write_text(code)
    done = subprocess.run([sys.executable, script], capture_output=True, text=True, check=True)
    choices, plans, imported = json.loads(done.stdout.splitlines()[-1])
    assert choices and plans and imported == []
