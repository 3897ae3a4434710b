"""The contents of each game's own box, handed to other libraries: with observations, or as an index."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode, SyncVectorEnv
from pettingzoo.test import api_test, seed_test

from tabletop.aec import AEC, Ordered
from tabletop.game import CONTENTS_LIMIT
from tabletop.single import Single
from tabletop.vector import Vector
from tests.tabletop.toy import DIE, N_ACTIONS, SIZE, Toy


class Dice(Toy):
    """Each box has a die of its own; what a face shows and how often it comes are its contents."""

    def __init__(self, *weights: tuple[int, ...]) -> None:
        super().__init__(*weights)
        self.contents = np.zeros((len(self.box), N_ACTIONS, 2), np.float32)
        self.contents[:, DIE:, 0] = np.arange(1, 7)
        self.contents[:, DIE:, 1] = self.box["weight"]


GAME = Dice((1, 1, 1, 1, 1, 2), (2, 1, 1, 1, 1, 1), (1, 3, 1, 1, 1, 1))
SHAPE = (N_ACTIONS, 2)
MODES = list(AutoresetMode)


def single(box: int = 0) -> Single:
    return Single(GAME, GAME.configure(box=box), contents=True)


def vector(boxes: tuple[int, ...] = (0, 1, 2, 1), **options: Any) -> Vector:
    env = Vector(GAME, np.concatenate([GAME.configure(box=box) for box in boxes]), contents=True, **options)
    env.action_space.seed(1)
    return env


def rows(boxes: Any) -> np.ndarray:
    return GAME.contents[np.asarray(boxes)]


def test_gymnasium_checks_one_game(recwarn: pytest.WarningsRecorder) -> None:
    check_env(single(1), skip_render_check=True)
    assert not recwarn.list


@pytest.mark.parametrize("box", range(3))
def test_one_game_hands_out_its_own_box(box: int) -> None:
    env = single(box)
    env.action_space.seed(1)
    seen, info = env.reset(seed=1)
    over = False
    while not over:
        assert isinstance(seen, dict) and seen in env.observation_space
        assert seen["observation"].shape == (SIZE,) and seen["contents"].shape == SHAPE
        assert seen["contents"].dtype == np.float32 and (seen["contents"] == rows(box)).all()
        assert info["box"] == box and type(info["box"]) is int
        seen, _, over, _, info = env.step(env.action_space.sample())
    assert (seen["contents"] == rows(box)).all() and info["box"] == box


def test_without_the_option_the_index_is_there() -> None:
    seen, info = Single(GAME, GAME.configure(box=2)).reset(seed=1)
    assert isinstance(seen, np.ndarray) and info["box"] == 2
    setups = np.concatenate([GAME.configure(box=box) for box in (2, 0)])
    seen, infos = Vector(GAME, setups).reset(seed=1)
    assert isinstance(seen, np.ndarray)
    assert infos["box"].tolist() == [2, 0] and infos["box"].dtype == np.int64


def test_boxes_share_a_space() -> None:
    """So that Gymnasium can batch games of other boxes, and a model goes from one to another."""
    other = Single(Dice((9, 1, 1, 1, 1, 1)), GAME.configure(), contents=True)
    assert other.observation_space == single().observation_space == vector().single_observation_space
    envs = SyncVectorEnv([lambda box=box: single(box) for box in (2, 0)])
    seen, infos = envs.reset(seed=1)
    assert (seen["contents"] == rows([2, 0])).all() and infos["box"].tolist() == [2, 0]


def test_each_agent_sees_them() -> None:
    def make() -> Ordered:
        return Ordered(AEC(GAME, GAME.configure(3, box=1), contents=True))

    api_test(make(), num_cycles=200)
    seed_test(make, num_cycles=200)
    env = make()
    env.reset(seed=1)
    twin = env.copy()
    for one in (env, twin):
        for agent in one.agents:
            seen = one.observe(agent)
            assert set(seen) == {"observation", "action_mask", "contents"}
            assert one.observation_space(agent).contains(seen)
            assert seen["contents"].shape == SHAPE and (seen["contents"] == rows(1)).all()
    assert "contents" not in AEC(GAME, GAME.configure()).observation_spaces["player_0"].spaces


@pytest.mark.parametrize("copied", [True, False])
@pytest.mark.parametrize("mode", MODES)
def test_many_games_hand_out_their_own_boxes(mode: AutoresetMode, copied: bool) -> None:
    """Also where the next game is played with another box, and only from then on."""
    env, rng = vector(autoreset_mode=mode, copy=copied), np.random.default_rng(1)
    seen, infos = env.reset(seed=3)
    assert seen in env.observation_space and infos["box"].tolist() == [0, 1, 2, 1]
    changed = ended = 0
    for _ in range(150):
        assert (seen["contents"] == rows(infos["box"])).all() and (infos["box"] == env.batch.states["box"]).all()
        assert seen["contents"].dtype == np.float32 and seen["observation"].shape == (4, SIZE)
        before = infos["box"]
        env.batch.setups["box"] = rng.integers(3, size=4)
        seen, _, terminated, _, infos = env.step(env.action_space.sample())
        if "_final_obs" in infos:
            for i in np.flatnonzero(infos["_final_obs"]):
                last = infos["final_obs"][i]
                assert last in env.single_observation_space and (last["contents"] == rows(before[i])).all()
                ended += 1
        if mode is AutoresetMode.DISABLED and terminated.any():
            assert (infos["box"] == before).all()
            seen, infos = env.reset(options={"reset_mask": terminated})
        changed += (infos["box"] != before).sum()
    assert changed > 10 and (ended > 10) == (mode is AutoresetMode.SAME_STEP)


def test_tables_that_were_handed_out_stay() -> None:
    env, rng, kept = vector(), np.random.default_rng(1), []
    seen, infos = env.reset(seed=3)
    for _ in range(60):
        kept.append((seen["contents"], infos["box"]))
        env.batch.setups["box"] = rng.integers(3, size=4)
        seen, _, _, _, infos = env.step(env.action_space.sample())
    assert all((tables == rows(boxes)).all() for tables, boxes in kept)
    assert not any(np.shares_memory(one[0], other[0]) for one, other in pairwise(kept))


def test_without_copies_it_is_always_the_same_table() -> None:
    env = vector(copy=False)
    first = env.reset(seed=3)[0]["contents"]
    env.batch.setups["box"] = [2, 2, 0, 0]
    again, infos = env.reset()
    assert np.shares_memory(first, again["contents"]) and infos["box"].tolist() == [2, 2, 0, 0]
    assert (first == rows([2, 2, 0, 0])).all()


def test_nobody_writes_into_the_box() -> None:
    aec, before = AEC(GAME, GAME.configure(), contents=True), GAME.contents.copy()
    aec.reset(seed=1)
    for seen in (single().reset(seed=1)[0], vector(copy=False).reset(seed=1)[0], aec.observe("player_0")):
        seen["contents"][:] = 9
    assert (GAME.contents == before).all()


@pytest.mark.parametrize("face", [AEC, Single, Vector])
def test_who_cannot_have_them_is_told(face: Any) -> None:
    toy = Toy()
    with pytest.raises(ValueError, match="contents is True, but toy has none"):
        face(toy, toy.configure(), contents=True)
    with pytest.raises(ValueError, match="contents is 'yes', choose True or False"):
        face(GAME, GAME.configure(), contents="yes")
    assert np.abs(GAME.contents).max() <= CONTENTS_LIMIT


# Stable-Baselines3


@pytest.mark.parametrize("copied", [True, False])
def test_sb3_observations_stay_for_a_step(copied: bool) -> None:
    pytest.importorskip("stable_baselines3")
    from tabletop.sb3 import SB3VecEnv

    env, rng = SB3VecEnv(vector(copy=copied)), np.random.default_rng(1)
    seen, boxes, ended = env.reset(), env.batch.states["box"].copy(), 0
    for _ in range(60):
        assert (seen["contents"] == rows(boxes)).all() and seen["observation"].shape == (4, SIZE)
        env.batch.setups["box"] = rng.integers(3, size=4)
        new, _, dones, infos = env.step(rng.integers(2, size=4))
        assert (seen["contents"] == rows(boxes)).all() and not np.shares_memory(seen["contents"], new["contents"])
        for i in np.flatnonzero(dones):
            last = infos[i]["terminal_observation"]
            assert last in env.observation_space and (last["contents"] == rows(boxes[i])).all()
            ended += 1
        seen, boxes = new, env.batch.states["box"].copy()
    assert ended > 10


def test_maskable_ppo_learns_from_them() -> None:
    pytest.importorskip("sb3_contrib")
    torch = pytest.importorskip("torch")
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

    from tabletop.sb3 import SB3VecEnv

    class Features(BaseFeaturesExtractor):
        """The view beside the mean of the embedded rows."""

        def __init__(self, space: Any) -> None:
            super().__init__(space, SIZE + 3)
            self.embed = torch.nn.Linear(SHAPE[1], 3)

        def forward(self, seen: Any) -> Any:
            return torch.cat([seen["observation"], self.embed(seen["contents"]).mean(1)], 1)

    how = {"features_extractor_class": Features, "net_arch": [8]}
    env = SB3VecEnv(vector())
    model = MaskablePPO("MultiInputPolicy", env, n_steps=8, batch_size=16, n_epochs=1, policy_kwargs=how, seed=1)
    before = model.policy.features_extractor.embed.weight.detach().clone()
    model.learn(64)
    assert not torch.equal(before, model.policy.features_extractor.embed.weight)
