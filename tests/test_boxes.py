"""Games of one batch on boxes of their own: each is the game that is played alone on that box."""

from __future__ import annotations

import pickle
import re
from itertools import product
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest

import pergamemnon_env
import sammu_env
import tabletop.boxes
import xerxes_env
from sammu_env import knowledge, position
from sammu_env.components import Drawn, Eased
from sammu_env.state import HAND
from tabletop import agents
from tabletop.batch import Batch
from tabletop.conformance import check_position
from tabletop.log import Match, replay
from tests.laws.walk import by_rule

EDITIONS = (None, Drawn(1), Drawn(2, 0.9))
GAME = sammu_env.game.load(EDITIONS)
HOW: dict[str, Any] = {"challenge": "SAM-183", "players": 2}


def setups() -> np.ndarray:
    return np.concatenate([GAME.configure(**HOW, box=box) for box in (0, 1, 2, 1)])


def test_a_game_is_the_same_alone_and_in_a_batch_of_many_boxes() -> None:
    batch = Batch(GAME, setups(), autoreset_mode="Disabled", threads=1)
    buffers = batch.reset(3)
    alone = [Match(sammu_env.game.load(EDITIONS[box]), sammu_env.game.load(EDITIONS[box]).configure(**HOW), 3 + i)
             for i, box in enumerate((0, 1, 2, 1))]  # fmt: skip
    actions = np.zeros(4, np.int64)
    for step in range(40):
        for i in (i for i, match in enumerate(alone) if not match.over):
            actions[i] = by_rule(batch.states[i : i + 1], 3, step)
            assert buffers.observations[i].tobytes() == alone[i].observe(alone[i].to_act).tobytes()
            alone[i].act(int(actions[i]))
        buffers = batch.step(actions)
    for i, match in enumerate(alone):
        assert batch.states["trace"][i].tolist() == match.s["trace"][0].tolist()
    assert len({tuple(trace) for trace in batch.states["trace"].tolist()}) == 4


def test_setup_follows_the_box() -> None:
    """The tokens on the map are those of each box's own side."""
    batch = Batch(GAME, setups(), autoreset_mode="Disabled", threads=1)
    batch.reset(3)
    for i, edition in enumerate(EDITIONS):
        alone = sammu_env.game.load(edition)
        token = Match(alone, alone.configure(**HOW), 3 + i).s["token"][0]
        assert batch.states["token"][i].tolist() == token.tolist()
        assert batch.states["box"][i] == i and GAME.components(batch.states[i : i + 1]).hash == GAME.hashes[i]
    assert len({token.tobytes() for token in batch.states["token"][:3]}) == 3


def test_an_edition_file_is_read_once(tmp_path: Path) -> None:
    edition = tmp_path / "mine.toml"
    edition.write_text("[components.players.3]\npublic = 2\n", encoding="utf-8")
    game = sammu_env.load_game(edition)
    edition.unlink()
    match = Match(game, game.configure(**HOW), 5)
    assert game.question(match.s) and game.components(match.s) is game.components(match.s)


def test_logs_and_pickles_of_many_boxes() -> None:
    match = Match(GAME, GAME.configure(**HOW, box=2), 5)
    for step in range(10):
        match.act(by_rule(match.s, 5, step))
    assert replay(pickle.loads(pickle.dumps(GAME)), match.stamped()).tobytes() == match.s.tobytes()
    with pytest.raises(ValueError, match="the log was played with edition"):
        replay(sammu_env.load_game(), match.stamped())
    broken = match.stamped()
    broken.setup["box"] = 3
    with pytest.raises(ValueError, match="is played with box 3, expected 0 to 2"):
        replay(GAME, broken)


def test_vector_environments_take_a_list_of_boxes(tmp_path: Path) -> None:
    options = {"challenge": ["SAM-179", "SAM-180", "SAM-181"], "box_seed": [7, 8, 7], "difficulty": [0.5, 0.5, 1.0]}
    envs = gymnasium.make_vec("SammuRamat-v0", num_envs=3, **options)
    observations, _ = envs.reset(seed=11)
    for i in range(3):
        env = gymnasium.make("SammuRamat-v0", **{name: values[i] for name, values in options.items()})
        assert env.reset(seed=11 + i)[0].tobytes() == observations[i].tobytes()
    edition = tmp_path / "mine.toml"
    edition.write_text("[components.players.3]\npublic = 2\n", encoding="utf-8")
    envs = gymnasium.make_vec("SammuRamat-v0", num_envs=3, edition=[None, edition, None])
    assert envs.unwrapped.batch.setups["box"].tolist() == [0, 1, 0]


@pytest.mark.parametrize("name", ["SammuRamat-v0", "Xerxes-v0", "Pergamemnon-v0"])
def test_single_environments_draw_a_box_for_each_game(name: str) -> None:
    seeds = [7, 8, 9]
    env, alone = gymnasium.make(name, box_seed=seeds), [gymnasium.make(name, box_seed=seed) for seed in seeds]
    drawn = []
    for seed in range(12):
        seen, info = env.reset(seed=seed)
        assert seen.tobytes() == alone[info["box"]].reset(seed=seed)[0].tobytes()
        assert env.reset(seed=seed)[1]["box"] == info["box"]
        drawn.append(info["box"])
    assert set(drawn) == {0, 1, 2} and drawn[:6] != drawn[6:]
    for box in (2, 0):
        seen, info = env.reset(seed=1, options={"box": box})
        assert info["box"] == box and seen.tobytes() == alone[box].reset(seed=1)[0].tobytes()
    stood = env.unwrapped.record.tobytes()
    for box in (3, -1, True, "7"):
        with pytest.raises(ValueError, match=f"box is {box!r}, choose one of 0, 1, 2"):
            env.reset(options={"box": box})
    with pytest.raises(ValueError, match="box is 1, choose one of 0"):
        alone[0].reset(options={"box": 1})
    assert env.unwrapped.record.tobytes() == stood


@pytest.mark.parametrize("package", [sammu_env, xerxes_env, pergamemnon_env])
def test_agents_play_the_box_that_is_drawn(package: Any) -> None:
    env, single = package.env(box_seed=range(3)), package.single(box_seed=np.arange(3))
    for seed in range(6):
        env.reset(seed=seed)
        assert env.unwrapped.record["box"][0] == single.reset(seed=seed)[1]["box"]
    env.reset(seed=1, options={"box": 2})
    assert env.unwrapped.record["box"][0] == 2
    replayed = replay(env.unwrapped.game, env.unwrapped.log)
    assert replayed["trace"].tolist() == env.unwrapped.record["trace"].tolist()


def test_what_a_drawn_box_says_of_the_setup_holds() -> None:
    env = sammu_env.env(edition=["novice", "standard", "expert"], players=2).unwrapped
    for box, edition in enumerate(("novice", "standard", "expert")):
        env.reset(seed=1, options={"box": box})
        alone = sammu_env.load_game(edition)
        assert Match(alone, alone.configure(players=2), 1).s["trace"].tolist() == env.record["trace"].tolist()
    with pytest.raises(ValueError, match="edition is 'hard'"):
        sammu_env.env(edition=["novice", "hard"])
    with pytest.raises(ValueError, match="no editions: name one or more"):
        sammu_env.single(box_seed=[])


@pytest.mark.parametrize(("package", "name"), [
    *product([sammu_env, xerxes_env, pergamemnon_env], ["edition", "box_seed", "players"]), (sammu_env, "difficulty"),
])  # fmt: skip
def test_what_reset_cannot_change_is_refused(package: Any, name: str) -> None:
    for env in (package.env(box_seed=[1, 2]), package.single(), package.vector(2)):
        env.reset(seed=1)
        with pytest.raises(ValueError, match=f"reset cannot change {name}: choose from "):
            env.reset(options={name: 2})
        with pytest.raises(ValueError, match="reset cannot change chalenge: choose from "):
            env.reset(options={"chalenge": "SAM-190"})
        with pytest.raises(ValueError, match=r"reset cannot change 1: choose from .*box \(in an "):
            env.reset(options={1: 2})
        env.reset(options={"options": 1})  # as PettingZoo's api_test does
    with pytest.raises(
        ValueError, match=r"reset cannot change box: choose from .*box \(in an environment of one game\)"
    ):
        package.vector(2, box_seed=[1, 2]).reset(options={"box": 1})


@pytest.mark.parametrize(
    ("options", "told"),
    [
        ({"box_seed": -1}, "box_seed is -1, choose one of 0 to 2147483647"),
        ({"box_seed": 2**31}, "box_seed is 2147483648, choose one of 0 to 2147483647"),
        ({"box_seed": "7"}, "box_seed is '7'"),
        ({"box_seed": 1, "difficulty": 1.5}, "difficulty is 1.5, expected a number from 0 to 1"),
        ({"difficulty": 0.5}, "give a box_seed too"),
        ({"box_seed": 1, "edition": "mine.toml"}, "edition and box_seed both name a box: choose one"),
    ],
)
def test_bad_boxes_are_refused(options: dict[str, Any], told: str) -> None:
    for make in (sammu_env.env, sammu_env.single, sammu_env.vector):
        with pytest.raises(ValueError, match=told):
            make(**options)


@pytest.mark.parametrize("package", [sammu_env, xerxes_env, pergamemnon_env])
def test_bad_boxes_are_refused_whatever_is_kept(package: Any) -> None:
    package.load_game(box_seed=[1, 2])
    for name, bad in (("box_seed", True), ("box_seed", 1.0), ("box_seed", [1]), ("edition", ["standard"])):
        for make in (package.load_game, package.env, package.single, package.vector):
            with pytest.raises(ValueError, match=re.escape(f"{name} is {bad!r}, choose ")):
                make(**{name: [bad]})
        if not isinstance(bad, list):
            with pytest.raises(ValueError, match=f"{name} is {bad!r}, choose "):
                package.env(**{name: bad})
    with pytest.raises(ValueError, match=r"box_seed is array\(\[1, 2\]\), choose"):
        package.vector(box_seed=np.array([[1, 2]]))
    for make in (package.load_game, package.env, package.single, package.vector):
        with pytest.raises(ValueError, match=r"box_seed is array\(3\), choose one of 0 to 2147483647"):
            make(box_seed=np.array(3))
        with pytest.raises(ValueError, match=r"edition is array\('standard', .*\), choose "):
            make(edition=np.array("standard"))


def test_a_difficulty_is_a_number_whatever_is_kept() -> None:
    sammu_env.load_game(box_seed=1, difficulty=1.0)
    with pytest.raises(ValueError, match="difficulty is True, expected a number from 0 to 1"):
        sammu_env.env(box_seed=1, difficulty=True)
    with pytest.raises(ValueError, match=r"difficulty is array\(0\.5\), expected a number from 0 to 1"):
        sammu_env.env(box_seed=1, difficulty=np.array(0.5))
    for share in (10**400, -(10**400)):
        with pytest.raises(ValueError, match=r"difficulty is -?10+, expected a number from 0 to 1"):
            sammu_env.env(box_seed=1, difficulty=share)


def test_equal_boxes_of_a_vector_count_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("mine.toml").write_text("[components.players.3]\npublic = 2\n", encoding="utf-8")
    editions = ["standard", None, Eased(0), "mine.toml", "novice", tmp_path / "mine.toml"]
    envs = sammu_env.vector(6, edition=editions)
    assert envs.batch.setups["box"].tolist() == [0, 0, 0, 1, 2, 1]
    assert envs.game.editions == (None, str(tmp_path / "mine.toml"), "novice")
    for package in (xerxes_env, pergamemnon_env):
        assert package.vector(2, edition=["standard", None]).batch.setups["box"].tolist() == [0, 0]


def test_lists_of_different_lengths_are_refused() -> None:
    with pytest.raises(ValueError, match="lists of different lengths"):
        sammu_env.load_game(box_seed=[1, 2], difficulty=[0.5, 0.5, 0.5])
    with pytest.raises(ValueError, match="box_seed is a list of 2"):
        sammu_env.vector(num_envs=3, box_seed=[1, 2])
    with pytest.raises(ValueError, match="no editions"):
        sammu_env.load_game(edition=[])


def test_a_state_of_another_box_is_refused_where_one_edition_is_named() -> None:
    match = Match(GAME, GAME.configure(**HOW, box=1, hidden_hands=True), 5)
    for look in (position.dump, position.play_on, lambda s: knowledge.resample(s, 0, np.random.default_rng(0))):
        with pytest.raises(ValueError, match="played with box 1 of several"):
            look(match.s)
    match.s["box"] = 0
    assert position.dump(match.s, EDITIONS[1])["challenge"] == "SAM-183"


def test_hidden_hands_are_drawn_anew_in_every_box() -> None:
    match = Match(GAME, GAME.configure(**HOW, box=1, hidden_hands=True), 5)
    while not (match.s["ashur"] >= HAND).any():
        match.act(int(match.legal().argmax()))
    check_position(GAME, match.s, laws=["secrets", "traces"])
    world = GAME.resample(match.s, 0, np.random.default_rng(0))
    assert world["box"][0] == match.s["box"][0] == 1 and not np.array_equal(world["ashur"], match.s["ashur"])


@pytest.mark.parametrize("package", [sammu_env, xerxes_env, pergamemnon_env])
@pytest.mark.parametrize("name", ["random", "scripted", "ppo"])
def test_agents_play_every_box(package: Any, name: str) -> None:
    game = package.load_game(box_seed=[1, 2, 3])
    setups = np.concatenate([game.configure(box=box) for box in (0, 1, 2, 1)])
    batch = Batch(game, setups, autoreset_mode="Disabled", observe=False, threads=1)
    masks = batch.reset(3).masks
    agent = agents.make(name, game, seed=1)
    for _ in range(3):
        batch.step(agent.act(batch.states, masks))
    if name != "random":  # it looks at masks alone
        strange = batch.states.copy()
        strange["box"][1] = 9
        with pytest.raises(ValueError, match="game 1 is played with box 9, expected 0 to 2"):
            agent.act(strange, masks)


def test_a_box_with_fields_is_one_box_not_a_list() -> None:
    rich = Eased(0.5)
    assert sammu_env.load_game(rich).editions == sammu_env.load_game([rich]).editions == (rich,)
    assert sammu_env.env(edition=rich).unwrapped.game.editions == (rich,)
    assert sammu_env.vector(3, edition=rich).game.editions == (rich,)
    assert pergamemnon_env.load_game(tabletop.boxes.Drawn(1)).editions == (tabletop.boxes.Drawn(1),)
