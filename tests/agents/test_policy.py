"""A checkpoint and the team that plays by it."""

from __future__ import annotations

import json
import pickle
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import sammu_env
from tabletop import agents
from tabletop.agents import checkpoint
from tabletop.agents.base import Agent, Player
from tabletop.agents.network import Network, choices
from tabletop.agents.policy import Policy
from tabletop.batch import Batch
from tabletop.game import NOBODY, WON
from tabletop.training.evaluate import play_chunk
from tests.tabletop.toy import Toy

TOY, GAME = Toy(), sammu_env.load_game()


def network(game: Toy | sammu_env.game.SammuRamat = GAME) -> Network:
    torch.manual_seed(0)
    return Network(game, width=16, blocks=1).eval()


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    path = tmp_path / "mine.safetensors"
    checkpoint.save(path, network(), GAME, {"decisions": 5})
    return path


@pytest.fixture
def policy() -> Policy:
    return Policy(GAME, network().requires_grad_(False), precision="float32")


def test_checkpoint_judges_as_before(saved: Path) -> None:
    loaded, card = checkpoint.load(saved, GAME)
    assert card["decisions"] == 5 and card["edition"] == GAME.edition
    assert card["network"] == {"width": 16, "blocks": 1, "contents": True, "places": False}
    seen, boxes = torch.rand(5, len(GAME.observation_low)), torch.zeros(5, dtype=torch.long)
    every = choices(torch.ones(5, GAME.n_actions).bool())
    for ours, theirs in zip(network()(seen, boxes, every), loaded(seen, boxes, every), strict=True):
        assert torch.allclose(ours, theirs, atol=0.02)  # half precision on disk


def test_checkpoint_needs_neither_sb3_nor_pickle(saved: Path) -> None:
    program = f"""
import sys, pickle
def refuse(*_, **__): raise AssertionError("unpickled")
import sammu_env
game = sammu_env.load_game()
pickle.loads = pickle.load = pickle.Unpickler = refuse
from tabletop.agents import make
make("ppo:{saved}", game)
assert not [name for name in sys.modules if name.startswith(("stable_baselines3", "sb3_contrib"))]
"""
    subprocess.run([sys.executable, "-c", program], check=True, cwd=Path(__file__).parents[2])


@pytest.mark.parametrize(
    ("name", "told"),
    [("game", "another game"), ("version", "another version of the rules"), ("layout", "another layout")],
)
def test_checkpoint_of_something_else_is_refused(saved: Path, name: str, told: str) -> None:
    card = json.loads(saved.with_suffix(".json").read_text())
    saved.with_suffix(".json").write_text(json.dumps({**card, name: "other"}))
    with pytest.raises(ValueError, match=f"is of {told}.*its {name} is other"):
        checkpoint.load(saved, GAME)


def test_a_checkpoint_plays_any_edition(saved: Path, tmp_path: Path) -> None:
    edition = tmp_path / "my-box.toml"
    edition.write_text("[components.players.3]\npublic = 2\n", encoding="utf-8")
    mine = sammu_env.load_game(edition)
    network, card = checkpoint.load(saved, mine)
    assert card["edition"] == GAME.edition != mine.edition
    finished = Policy(mine, network).play(mine.configure().repeat(3), np.arange(3))
    assert (finished["to_act"] == NOBODY).all()


def test_checkpoint_of_another_game_is_refused(saved: Path) -> None:
    with pytest.raises(ValueError, match="is of another game: its game is sammu_ramat, this one's is toy"):
        checkpoint.load(saved, TOY)


def test_damaged_checkpoint_is_refused(saved: Path) -> None:
    saved.write_bytes(saved.read_bytes()[:-100])
    with pytest.raises(ValueError, match="is damaged"):
        checkpoint.load(saved, GAME)
    saved.with_suffix(".json").write_text("{")
    with pytest.raises(ValueError, match="no card of a checkpoint"):
        checkpoint.load(saved, GAME)


@pytest.mark.parametrize(("name", "wrong"), [
    ("decisions", "many"), ("decisions", -1), ("decisions", 1.5), ("decisions", True), ("seconds", "long"),
    ("seconds", float("nan")), ("seconds", float("inf")), ("stages", "two"), ("stages", [5]),
    ("stages", [{"until": 5}]), ("stages", [{"until": "soon", "with": {}}]),
])  # fmt: skip
def test_a_card_that_tells_what_cannot_be_is_refused(saved: Path, name: str, wrong: Any) -> None:
    path = saved.with_suffix(".json")
    card = json.loads(path.read_text())
    good = {"decisions": 5, "seconds": 1.5, "stages": [{"until": 5, "with": "other settings"}]}
    path.write_text(json.dumps({**card, **good}))
    assert checkpoint.read_card(path)[name] == good[name]
    path.write_text(json.dumps({**card, **good, name: wrong}))
    with pytest.raises(ValueError, match=rf"\.json: {name} is .*, expected a "):
        checkpoint.read_card(path)


def test_unknown_checkpoint_is_named() -> None:
    with pytest.raises(ValueError, match=r"no checkpoint 'nowhere': give the path of a \.safetensors file"):
        checkpoint.path_of("nowhere")


def test_agent_by_name(saved: Path) -> None:
    agent = agents.make(f"ppo:{saved}", GAME)
    assert isinstance(agent, Player) and agent.name == "mine" and agent.card["decisions"] == 5
    with pytest.raises(ValueError, match=r"agent scripted has options 'x', write them as name=value"):
        agents.make("scripted:x", GAME)


def test_chooses_what_is_legal_and_the_same_each_time(policy: Policy) -> None:
    batch = Batch(GAME, GAME.configure().repeat(6), observe=False, seed=1)
    masks = batch.reset().masks
    chosen = policy.act(batch.states, masks)
    assert masks[np.arange(6), chosen].all()
    assert (policy.act(batch.states, masks) == chosen).all()


def test_greedy_takes_the_likeliest(policy: Policy) -> None:
    batch = Batch(GAME, GAME.configure().repeat(1), observe=False, seed=1)
    masks = batch.reset().masks
    likely = policy.likelihoods(batch.states, masks)[0]
    assert policy.act(batch.states, masks)[0] == likely.argmax()
    assert (likely[masks[0] == 0] == 0).all() and abs(likely.sum() - 1) < 1e-5


def test_chooses_by_observations_as_by_states(policy: Policy) -> None:
    batch = Batch(GAME, GAME.configure(players=3).repeat(6), seed=1)
    out = batch.reset()
    for _ in range(20):
        chosen = policy.choose(out.observations, out.masks)
        assert chosen.dtype == np.int64 and (chosen == policy.act(batch.states, out.masks)).all()
        assert policy.choose(out.observations[3], out.masks[3], box=batch.states["box"][3]) == chosen[3]
        out = batch.step(chosen)
    assert type(policy.choose(out.observations[0], out.masks[0])) is int
    assert policy.choose(out.observations, np.zeros_like(out.masks), sample=True).tolist() == [0] * 6


def test_draws_as_likely_as_it_says(policy: Policy) -> None:
    batch = Batch(GAME, GAME.configure(players=3), seed=1)
    out = batch.reset()
    while out.masks.sum() < 4:
        out = batch.step(out.masks.argmax(axis=1))
    likely = policy.likelihoods(batch.states, out.masks)[0]
    seen, masks = out.observations.repeat(4000, axis=0), out.masks.repeat(4000, axis=0)
    for temperature in (0.05, 1.0, 1000.0):
        expected = likely ** (1 / temperature) * out.masks[0]
        expected /= expected.sum()
        policy.reset(7)
        drawn = policy.choose(seen, masks, sample=True, temperature=temperature)
        assert abs(np.bincount(drawn, minlength=len(likely)) / 4000 - expected).max() < 0.04
        policy.reset(7)
        assert (policy.choose(seen, masks, sample=True, temperature=temperature) == drawn).all()


def test_a_drawing_agent_draws_in_all_its_ways_as_likely_as_it_says(policy: Policy) -> None:
    drawing = Policy(GAME, policy.network, temperature=0.5)
    batch = Batch(GAME, GAME.configure(players=3).repeat(4000), seed=1, threads=1)
    out = batch.reset(np.ones(4000, np.int64))
    while out.masks[0].sum() < 4:
        out = batch.step(out.masks.argmax(axis=1))
    expected = policy.likelihoods(batch.states[:1], out.masks[:1])[0] ** 2
    expected /= expected.sum()
    for chosen in (drawing.act(batch.states, out.masks), drawing.decide(batch, np.arange(4000))):
        assert abs(np.bincount(chosen, minlength=len(expected)) / 4000 - expected).max() < 0.04
    assert (drawing.act(batch.states, out.masks) != chosen).any()


def test_a_drawing_agent_by_name(saved: Path) -> None:
    drawing = agents.make(f"drawn:policy={saved},temperature=2", GAME)
    assert isinstance(drawing, Policy) and drawing.temperature == 2 and drawing.card["decisions"] == 5
    setups, seeds = GAME.configure(players=2).repeat(6), np.arange(6)
    first, second = drawing.play(setups, seeds), drawing.play(setups, seeds)
    drawing.reset(0)
    assert (first["trace"] != second["trace"]).any() and (drawing.play(setups, seeds)["trace"] == first["trace"]).all()
    taken = agents.make(f"drawn:policy={saved},temperature=0", GAME)
    assert isinstance(taken, Policy) and agents.make("drawn", GAME).name == "drawn"
    assert re.fullmatch(r"drawn-policy_[\w.+-]*-temperature0.0", taken.name)  # as a results file may be called
    likeliest = agents.make(f"ppo:{saved}", GAME)
    assert (taken.play(setups, seeds)["trace"] == likeliest.play(setups, seeds)["trace"]).all()
    for wrong in ("-1", "nan", "inf"):
        with pytest.raises(ValueError, match=r"temperature is .*, choose a number, at least 0"):
            agents.make(f"drawn:temperature={wrong}", GAME)


def test_bad_observations_are_named(policy: Policy) -> None:
    seen, mask = np.zeros(len(GAME.observation_low), np.float32), np.ones(GAME.n_actions, np.int8)
    for bad, said in (
        ((seen[1:], mask), "observation is"), ((seen, mask[None]), "mask"),
        ((seen, 0 * mask), "the mask has no choice: this seat is not asked"),
        ((seen, mask, 1), "box is 1, choose from 0 to 0"),
        ((seen, mask, 0, True, 0.0), "temperature is 0.0, choose a number above 0"),
    ):  # fmt: skip
        with pytest.raises(ValueError, match=said):
            policy.choose(*bad)


def test_plays_whole_games_as_step_by_step(policy: Policy, monkeypatch: pytest.MonkeyPatch) -> None:
    setups = np.concatenate([GAME.configure(challenge="SAM-180", players=1 + i % 5) for i in range(11)])
    seeds = np.arange(50, 61)
    monkeypatch.setattr("tabletop.agents.policy.SLOTS", 4)  # games begin as others end
    together = policy.play(setups, seeds)
    assert (together["to_act"] == NOBODY).all() and (together["players"] == setups["players"]).all()
    for i in range(11):
        alone = play_chunk(GAME, _NoPlayer(policy), setups[i : i + 1], seeds[i : i + 1])
        assert (alone["trace"] == together[i : i + 1]["trace"]).all()


def test_no_game_hangs_on_those_before_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even in half precision, in which what they leave of rounding would make other choices."""
    policy = Policy.load(GAME)
    policy.precision = "bfloat16"
    setups = np.concatenate([GAME.configure(challenge=f"SAM-{180 + i % 9}", players=1 + i % 5) for i in range(60)])
    together = policy.play(setups, np.arange(60))
    monkeypatch.setattr("tabletop.agents.policy.SLOTS", 8)
    backwards = policy.play(setups[::-1].copy(), np.arange(60)[::-1].copy())[::-1]
    assert (together["trace"] == backwards["trace"]).all()


def test_it_can_be_handed_to_another_process(policy: Policy) -> None:
    finished = policy.play(GAME.configure().repeat(2), np.arange(2))
    again = pickle.loads(pickle.dumps(policy)).play(GAME.configure().repeat(2), np.arange(2))
    assert (again["trace"] == finished["trace"]).all()


def test_watcher_hears_every_decision(policy: Policy) -> None:
    heard: list[np.ndarray] = []
    asked: set[int] = set()

    def watch(games: np.ndarray, seats: np.ndarray, logits: np.ndarray) -> None:
        assert games.shape == seats.shape == logits.shape
        heard.append(games)
        asked.update(seats.tolist())

    finished = policy.play(GAME.configure(players=3).repeat(3), np.arange(3), watch)
    assert (np.bincount(np.concatenate(heard)) == finished["decisions"]).all()
    assert asked == {0, 1, 2}


def test_plays_any_game() -> None:
    setups = np.concatenate([TOY.configure(2 + i % 3) for i in range(40)])
    finished = Policy(TOY, network(TOY).requires_grad_(False)).play(setups, np.arange(40))
    assert 0 < (finished["result"] == WON).sum() < 40


class _NoPlayer:
    """The agent alone, without its way to play whole games."""

    def __init__(self, agent: Agent) -> None:
        self.name, self.reset, self.act = agent.name, agent.reset, agent.act


def test_decides_in_a_batch_as_by_states(policy: Policy) -> None:
    """In some of its games, in another batch, and after others were put in their place."""
    for seed in (1, 2):
        batch = Batch(GAME, GAME.configure(players=3).repeat(70), threads=1, seed=seed)
        batch.reset()
        for k in range(30):
            some = np.arange(seed, 70, 1 + k % 3)
            states, masks = batch.states[some], batch.buffers.masks[some]
            chosen, win = policy.decide_and_tell(batch, some)
            assert (chosen == policy.act(states, masks)).all() and (policy.decide(batch, some) == chosen).all()
            told = torch.sigmoid(torch.from_numpy(win)).numpy()
            assert np.abs(told - policy.chances(batch.buffers.observations[some], states["box"])).max() < 1e-4
            actions = batch.buffers.masks.argmax(axis=1)
            actions[some] = chosen
            batch.step(actions)
            if k == 20:
                batch.place(np.arange(9), batch.states[:1].repeat(9), np.arange(9))
