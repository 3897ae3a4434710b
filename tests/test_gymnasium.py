"""Gymnasium's faces: one game, many games, and Stable-Baselines3's."""

from __future__ import annotations

import copy
import pickle
import warnings
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium import spaces
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from gymnasium.wrappers.vector import (
    DtypeObservation,
    FlattenObservation,
    NormalizeReward,
    RecordEpisodeStatistics,
    RescaleObservation,
    TransformReward,
)

import pergamemnon_env
import sammu_env
import xerxes_env
from sammu_env import observation
from sammu_env.constants import CAUSES
from tabletop.game import SEEDS
from tabletop.log import replay
from tabletop.record import differing
from tabletop.vector import Vector
from tests.tabletop.toy import Toy

ID = "SammuRamat-v0"
GAME = sammu_env.load_game()


def single(**options: Any) -> Any:
    return gymnasium.make(ID, **{"players": 2, **options})


def vector(num_envs: int = 6, **options: Any) -> Any:
    env = gymnasium.make_vec(ID, num_envs=num_envs, **{"players": 2, **options})
    env.action_space.seed(1)
    return env


def play(env: Any, seed: int) -> tuple[float, int, dict[str, Any]]:
    """A game of legal choices drawn from the action space."""
    _, info = env.reset(seed=seed)
    env.action_space.seed(seed)
    total = n = 0
    while True:
        _, reward, terminated, truncated, info = env.step(env.action_space.sample())
        total, n = total + reward, n + 1
        assert not truncated
        if terminated:
            return total, n, info


# One game


@pytest.mark.parametrize(
    "options",
    [
        {}, {"players": 1}, {"players": 5, "hidden_hands": True}, {"campaign": True, "challenge": "random"},
        {"box_seed": [1, 2, 3]},
    ],
    ids=str,
)  # fmt: skip
def test_gymnasium_checks_it(options: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(single(**options).unwrapped)


def test_spaces_and_what_a_step_gives() -> None:
    env = single()
    assert env.action_space == spaces.Discrete(GAME.n_actions)
    assert env.observation_space == spaces.Box(GAME.observation_low, GAME.observation_high, dtype=np.float32)
    seen, info = env.reset(seed=1)
    assert seen.shape == (observation.SIZE,) and seen.dtype == np.float32 and info["seat"] in (0, 1)
    assert (info["action_mask"] == env.unwrapped.action_masks()).all() and info["action_mask"].dtype == np.int8
    seen, reward, terminated, truncated, info = env.step(np.int64(info["action_mask"].argmax()))
    assert (type(reward), type(terminated), type(truncated)) == (float, bool, bool)
    assert set(info) == {"action_mask", "seat", "rewards", "box"}
    assert env.unwrapped.words(int(info["action_mask"].argmax()))


def test_the_end() -> None:
    env = single()
    total, n, info = play(env, 3)
    s = env.unwrapped.record
    assert total == (1 if info["game"]["won"] else -1) and n == s["decisions"][0]
    assert info["game"] == {
        "won": bool(s["result"][0] == 1), "cause": CAUSES[s["cause"][0]], "month": s["month"][0], "decisions": n,
        "challenge": "SAM-185", "players": 2, "box": 0, "result": [int(s["result"][0])] * 2 + [0] * 3,
        "place": [1, 1, 0, 0, 0], "score": [float(s["score"].sum())] * 2 + [0.0] * 3,
        "returns": [total] * 2 + [0.0] * 3, "seed": 3,
    }  # fmt: skip
    assert not info["action_mask"].any()
    with pytest.raises(ValueError, match="the game is over"):
        env.step(0)


def test_sampled_choices_are_legal_and_repeat() -> None:
    env = single(challenge="SAM-190", players=3)
    assert play(env, 8)[:2] == play(env, 8)[:2]
    assert replay(GAME, env.unwrapped.log).tobytes()
    assert {play(env, seed)[1] for seed in range(5)} != {play(env, 8)[1]}


def test_seeds_follow_from_the_last_one_given() -> None:
    env, again = single(), single()
    seeds = []
    for one in (env, again):
        one.reset(seed=11)
        seeds.append([one.unwrapped.log.seed])
        for _ in range(3):
            one.reset()
            seeds[-1].append(one.unwrapped.log.seed)
    assert seeds[0] == seeds[1] and len(set(seeds[0])) == 4 and seeds[0][0] == 11


@pytest.mark.parametrize("seed", [1.5, True, -1, 2**64], ids=str)
def test_what_is_no_seed_is_refused(seed: Any) -> None:
    for env in (single(), vector(2)):
        env.reset(seed=np.int64(3))
        with pytest.raises(ValueError, match=f"seed is {seed}, choose one of 0 to {SEEDS - 1}"):
            env.reset(seed=seed)
    assert single().reset(seed=np.int64(3))[0].tobytes() == single().reset(seed=3)[0].tobytes()


def test_options_of_one_game() -> None:
    env = single()
    env.reset(seed=0, options={"challenge": "SAM-198"})
    assert env.unwrapped.record["challenge"][0] == 19
    stood = env.unwrapped.record.tobytes()
    with pytest.raises(ValueError, match="SAM-179"):
        env.reset(options={"challenge": "SAM-1"})
    assert env.unwrapped.record.tobytes() == stood
    env.reset()
    assert env.unwrapped.record["challenge"][0] == 6


@pytest.mark.parametrize("bad", [{"challenge": "SAM-1"}, {"box": 9}, 5, 0, "challenge", [("box", 0)]], ids=str)
def test_a_reset_that_fails_changes_no_game_to_come(bad: Any) -> None:
    env, twin = single(), single()
    for one in (env, twin):
        one.reset(seed=3)
    with pytest.raises(ValueError, match=r"SAM-179|box is 9|options is .*, choose None or a dict"):
        env.reset(options=bad)
    for one in (env, twin):
        one.reset()
    assert env.unwrapped.log.seed == twin.unwrapped.log.seed


@pytest.mark.parametrize("bad", ["move", 1.5, None, -1, 341, True, np.zeros(2, np.int64)], ids=str)
def test_bad_choices_are_named_and_change_nothing(bad: Any) -> None:
    env = single().unwrapped
    env.reset(seed=0)
    stood = env.record.tobytes()
    with pytest.raises(ValueError, match=r"illegal action|whole number"):
        env.step(bad)
    assert env.record.tobytes() == stood


def test_before_the_first_game() -> None:
    env = single()
    for call in (lambda: env.step(0), env.unwrapped.render, lambda: env.unwrapped.log):
        with pytest.raises(ValueError, match="call reset"):
            call()
    assert env.action_space.sample() in env.action_space


def test_pictures() -> None:
    env = single(render_mode="ansi")
    env.reset(seed=0)
    assert "KALHU" in env.render()
    with pytest.raises(ValueError, match="ansi"):
        single(render_mode="hologram")


# Many games


def test_make_vec_gives_the_native_batch() -> None:
    env = vector()
    assert isinstance(env.unwrapped, Vector) and env.num_envs == 6
    assert env.metadata["autoreset_mode"] is env.unwrapped.autoreset_mode is AutoresetMode.NEXT_STEP
    assert env.single_action_space == spaces.Discrete(GAME.n_actions)
    assert env.action_space == spaces.MultiDiscrete([GAME.n_actions] * 6)
    seen, infos = env.reset(seed=4)
    assert seen in env.observation_space and infos["action_mask"].shape == (6, GAME.n_actions)
    assert infos["box"].tolist() == [0] * 6
    for _ in range(200):
        seen, rewards, terminated, truncated, infos = env.step(env.action_space.sample())
        assert seen in env.observation_space and rewards.dtype == np.float32 and not truncated.any()
        assert (rewards[~terminated] == 0).all() and (abs(rewards[terminated]) == 1).all()


def test_vector_plays_the_single_games() -> None:
    challenges = [f"SAM-{180 + i}" for i in range(6)]
    many = vector(players=[1, 2, 3, 4, 5, 3], challenge=challenges, autoreset_mode="SameStep")
    _, infos = many.reset(seed=50)
    made, ended = [[] for _ in range(6)], {}
    while len(ended) < 6:
        actions = many.action_space.sample()
        for i, action in enumerate(actions):
            made[i].append(action)
        terminated, _, infos = many.step(actions)[2:]
        for i in np.flatnonzero(terminated):
            ended.setdefault(int(i), (infos, len(made[i])))
    for i, (infos, length) in ended.items():
        one = single(players=[1, 2, 3, 4, 5, 3][i], challenge=f"SAM-{180 + i}")
        one.reset(seed=50 + i)
        for action in made[i][:length]:
            last, reward, over, _, info = one.step(action)
        assert over and infos["_game"][i] and infos["game"]["returns"][i, 0] == reward
        assert {name: x[i].tolist() for name, x in infos["game"].items()} == info["game"]
        assert (info["game"]["challenge"], info["game"]["seed"]) == (challenges[i], 50 + i)
        assert info["game"]["decisions"] == length
        assert (infos["final_obs"][i] == last).all() and infos["final_info"]["game"]["won"][i] == info["game"]["won"]


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_what_is_told_of_ended_games(mode: AutoresetMode) -> None:
    env = vector(autoreset_mode=mode.value)
    env.reset(seed=0)
    told = 0
    for _ in range(300):
        _, _, terminated, _, infos = env.step(env.action_space.sample())
        assert ("final_obs" in infos) == (mode is AutoresetMode.SAME_STEP and terminated.any())
        over = np.zeros(6, bool) if mode is AutoresetMode.SAME_STEP else terminated
        assert (infos["action_mask"].any(axis=1) == ~over).all()
        if "_game" in infos:
            assert (infos["_game"] <= terminated).all()
            assert set(infos["game"]["cause"][infos["_game"]]) <= set(CAUSES)
            told += infos["_game"].sum()
        if mode is AutoresetMode.DISABLED and terminated.any():
            _, after = env.reset(options={"reset_mask": terminated})
            assert after["action_mask"].any(axis=1).all()
    assert told > 10


def test_running_games_are_sampled_legally_while_others_are_over() -> None:
    env = vector(autoreset_mode="Disabled")
    env.reset(seed=0)
    env.action_space.seed(3)
    mixed, over = 0, np.zeros(6, bool)
    while not over.all():
        over = env.step(env.action_space.sample())[2]  # an illegal choice would raise
        mixed += 0 < over.sum() < 6
    assert mixed > 10 and env.action_space.contains(env.action_space.sample())


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_gymnasiums_own_statistics(mode: str) -> None:
    env = RecordEpisodeStatistics(vector(autoreset_mode=mode))
    env.reset(seed=0)
    for _ in range(200):
        infos = env.step(env.action_space.sample())[4]
        if "episode" in infos:
            ended = infos["_episode"]
            assert (ended == infos["_game"]).all()
            assert (infos["episode"]["r"] == infos["game"]["returns"][:, 0]).all()
            assert (infos["episode"]["l"] == infos["game"]["decisions"]).all()
        if env.episode_count > 6:
            return
    pytest.fail("no game ended")


def test_gymnasiums_wrappers_of_observations() -> None:
    env = FlattenObservation(DtypeObservation(RescaleObservation(NormalizeReward(vector()), 0, 1), np.float64))
    seen, _ = env.reset(seed=0)
    ended = 0
    while ended < 3:
        assert seen.shape == (6, observation.SIZE) and seen.dtype == np.float64 and 0 <= seen.min() <= seen.max() <= 1
        seen, _, terminated, _, _ = env.step(env.action_space.sample())
        ended += terminated.sum()


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_a_step_before_the_first_game_is_refused(mode: AutoresetMode) -> None:
    env = vector(autoreset_mode=mode)
    with pytest.raises(ValueError, match="call reset"):
        env.step(np.zeros(6, np.int64))


def test_some_seeds_are_given() -> None:
    env = vector()
    env.reset(seed=10)
    env.reset(seed=[None, 3, None, 0, None, None])
    assert env.unwrapped.batch.seeds.tolist() == [16, 3, 18, 0, 20, 21]
    with pytest.raises(ValueError, match="one for each of 6 games"):
        env.reset(seed=[None, 3])


def test_tensors_choose() -> None:
    torch = pytest.importorskip("torch")
    one, many = single(), vector()
    _, info = one.reset(seed=0)
    for bad in (torch.tensor(True), torch.tensor(1.0), torch.zeros(2, dtype=torch.long)):
        with pytest.raises(ValueError, match="whole number"):
            one.step(bad)
    mask = torch.from_numpy(info["action_mask"])
    one.step(mask.argmax())
    one.step(torch.tensor([one.unwrapped.action_masks().argmax()]))
    _, infos = many.reset(seed=0)
    many.step(torch.from_numpy(infos["action_mask"]).argmax(1))


def test_torchrl_plays_many_games() -> None:
    envs = pytest.importorskip("torchrl.envs")
    many = vector(autoreset_mode="Disabled", action_mask=True)
    env = envs.TransformedEnv(envs.GymWrapper(many, categorical_action_encoding=True), envs.ActionMask())
    steps = env.rollout(20)  # an illegal choice would be an error
    assert steps.batch_size == (6, 20) and steps["next", "observation"].shape == (6, 20, observation.SIZE)


@pytest.mark.parametrize("mode", ["NextStep", "SameStep"])
def test_the_mask_may_be_in_the_observation(mode: str) -> None:
    env, many = single(action_mask=True), vector(action_mask=True, autoreset_mode=mode)
    check_env(env.unwrapped)
    seen, info = env.reset(seed=3)
    assert set(seen) == {"observation", "action_mask"} and (seen["action_mask"] == info["action_mask"]).all()
    seen, infos = many.reset(seed=3)
    for _ in range(100):
        assert seen in many.observation_space and (seen["action_mask"] == infos["action_mask"]).all()
        seen, _, _, _, infos = many.step(many.action_space.sample())
        for last in infos["final_obs"][infos["_final_obs"]] if "final_obs" in infos else ():
            assert last in many.single_observation_space and not last["action_mask"].any()
    both = single(action_mask=True, contents=True).reset(seed=3)[0]
    assert list(both) == ["observation", "action_mask", "contents"]
    with pytest.raises(ValueError, match="action_mask is 'yes', choose True or False"):
        single(action_mask="yes")


@pytest.mark.parametrize("copied", [True, False])
def test_arrays_are_kept_or_rewritten(copied: bool) -> None:
    env = vector(copy=copied)
    seen, infos = env.reset(seed=0)
    before = seen.copy()
    again, _, _, _, then = env.step(env.action_space.sample())
    assert (seen == before).all() == copied and np.shares_memory(seen, again) != copied
    assert np.shares_memory(infos["action_mask"], then["action_mask"]) != copied


def test_options_hold_for_the_games_that_are_reset() -> None:
    env = vector(autoreset_mode="Disabled")
    env.reset(seed=0)
    which = np.array([True, False] * 3)
    env.reset(options={"challenge": "SAM-198", "reset_mask": which})
    states = env.unwrapped.batch.states
    assert (states["challenge"] == np.where(which, 19, 6)).all()
    stood, setups = states.tobytes(), env.unwrapped.batch.setups.tobytes()
    for bad in (5, "challenge"):
        with pytest.raises(ValueError, match=f"options is {bad!r}, choose None or a dict"):
            env.reset(options=bad)
    masks = (np.ones(6), [True], np.array([True, False]), [1, 0, 1, 0, 1, 0])
    for bad in ({"challenge": "SAM-1"}, *({"start_goods": 5, "reset_mask": mask} for mask in masks)):
        with pytest.raises(ValueError):
            env.reset(options=bad)
        assert states.tobytes() == stood and env.unwrapped.batch.setups.tobytes() == setups


def test_bad_options() -> None:
    for options, message in (
        ({"num_envs": 0}, "num_envs is 0"),
        ({"players": [1, 2]}, "one for each of 6"),
        ({"challenge": ["SAM-185"] * 5 + ["SAM-1"]}, "'SAM-1'"),
        ({"autoreset_mode": "never"}, "'Disabled'"),
        ({"render_mode": "hologram"}, "ansi"),
        ({"copy": "no"}, "copy is 'no', choose True or False"),
    ):
        with pytest.raises(ValueError, match=message):
            vector(**options)
    for make in (single, vector):
        with pytest.raises(TypeError, match="keyword argument 'player': choose from edition, box_seed, difficulty"):
            make(player=2)
    for package in (sammu_env, xerxes_env, pergamemnon_env):
        with pytest.raises(
            TypeError, match=r"unexpected keyword argument 'player': choose from .*players, .*render_mode"
        ):
            package.env(player=2)


def test_pictures_of_many_games() -> None:
    env = vector(num_envs=2, render_mode="ansi")
    with pytest.raises(ValueError, match="game 0 has not begun"):
        env.render()
    env.reset(seed=0)
    assert len(env.render()) == 2 and "KALHU" in env.render()[1]


def test_a_copy_goes_on_by_itself() -> None:
    env = single(players=1).unwrapped
    env.reset(seed=0)
    env.action_space.seed(0)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    while not env.step(env.action_space.sample())[2]:
        pass
    for twin in twins:
        while not twin.step(twin.action_space.sample())[2]:  # legal choices, and the same
            pass
        assert differing(twin.record, env.record) == []


def test_a_copy_of_many_games_goes_on_by_itself() -> None:
    env = vector().unwrapped
    env.reset(seed=0)
    env.action_space.seed(0)
    twins = [copy.deepcopy(env), pickle.loads(pickle.dumps(env))]
    for one in (env, *twins):
        for _ in range(50):
            one.step(one.action_space.sample())
        assert one.batch.states.tobytes() == env.batch.states.tobytes()


def test_spaces_can_be_copied_and_kept() -> None:
    one, many = single(), vector()
    for space in (one.action_space, many.action_space):
        assert copy.deepcopy(space) == space == pickle.loads(pickle.dumps(space))


def test_another_game_needs_nothing_more() -> None:
    toy = Toy()
    env = Vector(toy, np.concatenate([toy.configure(2 + i % 3) for i in range(8)]))
    env.action_space.seed(1)
    env.reset(seed=0)
    ended = 0
    for _ in range(100):
        infos = env.step(env.action_space.sample())[4]
        ended += infos["_game"].sum() if "_game" in infos else 0
    assert ended > 8


# Stable-Baselines3


@pytest.fixture
def sb3() -> Any:
    pytest.importorskip("stable_baselines3")
    from tabletop.sb3 import SB3VecEnv

    return SB3VecEnv(vector())


def test_sb3_steps_and_masks(sb3: Any) -> None:
    sb3.seed(7)
    seen = sb3.reset()
    assert sb3.batch.seeds.tolist() == list(range(7, 13))
    ended = 0
    for _ in range(300):
        masks = sb3.env_method("action_masks")
        assert isinstance(masks, np.ndarray) and masks.shape == (6, GAME.n_actions) and masks.any(axis=1).all()
        before = seen.copy()
        new, rewards, dones, infos = sb3.step(masks.argmax(axis=1))
        assert (seen == before).all()
        assert not np.shares_memory(seen, new)
        seen = new
        for i, info in enumerate(infos):
            assert (set(info) >= {"episode", "game", "terminal_observation"}) == dones[i]
            if dones[i]:
                assert info["game"]["challenge"] == "SAM-185" and info["game"]["returns"][0] == info["episode"]["r"]
                assert info["episode"]["r"] == rewards[i] == (1 if info["game"]["won"] else -1)
                assert not (info["terminal_observation"] == new[i]).all()
                ended += 1
    assert ended > 6


def test_sb3_has_what_the_library_asks_for(sb3: Any) -> None:
    from stable_baselines3.common.monitor import Monitor

    assert sb3.has_attr("action_masks") and not sb3.has_attr("nothing")
    assert sb3.env_is_wrapped(Monitor) == [True] * 6 and sb3.env_is_wrapped(object) == [False] * 6
    assert sb3.env_method("action_masks", indices=[2, 4]).shape == (2, GAME.n_actions)
    with pytest.raises(AttributeError, match="action_masks"):
        sb3.env_method("fly")
    with pytest.raises(AttributeError, match="setups"):
        sb3.set_attr("challenge", 3)
    sb3.set_options({"challenge": "SAM-198"})
    sb3.reset()
    assert (sb3.batch.states["challenge"] == 19).all()


def test_sb3_takes_no_other_environment() -> None:
    pytest.importorskip("stable_baselines3")
    from tabletop.sb3 import SB3VecEnv

    with pytest.raises(ValueError, match="takes the bare environment"):
        SB3VecEnv(TransformReward(vector(), lambda reward: reward))


def test_sb3_stands_after_a_refusal(sb3: Any) -> None:
    sb3.reset()
    for _ in range(3):
        sb3.step(sb3.action_masks().argmax(axis=1))
    masks = sb3.action_masks().copy()
    with pytest.raises(ValueError, match="game 0"):
        sb3.step(np.full(6, GAME.n_actions - 1))
    assert (sb3.action_masks() == masks).all()
    sb3.set_options({"challenge": "SAM-198"})
    sb3.seed(SEEDS - 2)
    for seed in (-3, True, "a", SEEDS):
        with pytest.raises(ValueError, match=f"seed is {seed!r}"):
            sb3.seed(seed)
    for options, message in (([{}], "options is a list of 1, .* one for each of 6"), ([5] * 6, "options is 5")):
        with pytest.raises(ValueError, match=message):
            sb3.set_options(options)
    sb3.reset()
    assert (sb3.batch.states["challenge"] == 19).all()
    assert sb3.batch.seeds.tolist() == [SEEDS - 2, SEEDS - 1, 0, 1, 2, 3]
    masks, setups = sb3.action_masks().copy(), sb3.batch.setups.tobytes()
    sb3.seed(7)
    sb3.set_options([{"challenge": "SAM-180"}] * 5 + [{"challenge": "SAM-1"}])
    with pytest.raises(ValueError, match="SAM-179"):
        sb3.reset()
    assert (sb3.action_masks() == masks).all() and sb3.batch.setups.tobytes() == setups
    sb3.set_options()
    sb3.reset()
    assert sb3.batch.seeds.tolist() == list(range(7, 13))
