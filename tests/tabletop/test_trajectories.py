"""What each seat's decisions brought, in a vector environment, is what PettingZoo tells that seat."""

from __future__ import annotations

from collections import defaultdict
from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tabletop.aec import AEC
from tabletop.trajectories import NONE, Trajectories, by_seat
from tabletop.vector import Vector
from tests.tabletop.bidding import Bidding

GAME, STEPS, N = Bidding(), 60, 4
SETUPS = np.concatenate([GAME.configure(players=2 + i % 3) for i in range(N)])


class Played:
    """A rollout of random choices, and the same games through PettingZoo."""

    def __init__(self, mode: AutoresetMode) -> None:
        envs = Vector(GAME, SETUPS, mode)
        envs.action_space.seed(0)
        infos = envs.reset(seed=5)[1]
        self.actions, seats, rewards, terminated = [], [], [], []
        for _ in range(STEPS):
            self.actions.append(envs.action_space.sample())
            seats.append(infos["seat"])
            _, _, over, _, infos = envs.step(self.actions[-1])
            rewards.append(infos["rewards"])
            terminated.append(over)
            if mode is AutoresetMode.DISABLED and over.any():
                infos = envs.reset(options={"reset_mask": over})[1]
        self.found = by_seat(np.array(seats), np.array(rewards), np.array(terminated), infos["seat"])

    def again(self, i: int) -> dict[int, tuple[float, bool]]:
        """Of the steps of a game and those after it in its place: what came of each decision, where that is known."""
        env, asked, told = AEC(GAME, SETUPS[i : i + 1]), {}, {}
        seed = 5 + i
        env.reset(seed=seed)
        for t in range(STEPS):
            if self.found.seats[t, i] == NONE:
                continue
            agent = env.agent_selection
            assert env.possible_agents.index(agent) == self.found.seats[t, i]
            if agent in asked:
                told[asked[agent]] = env.last()[1], False
            asked[agent] = t
            env.step(int(self.actions[t][i]))
            if env.match.over:
                for one, last in asked.items():
                    told[last] = env._cumulative_rewards[one], True
                asked, seed = {}, seed + N
                env.reset(seed=seed)
        if env.agent_selection in asked:
            told[asked[env.agent_selection]] = env.last()[1], False
        return told


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_rewards_and_ends_are_those_of_the_seat(mode: AutoresetMode) -> None:
    played = Played(mode)
    found, ends, unlike = played.found, 0, 0
    for i in range(N):
        told = played.again(i)
        assert set(np.flatnonzero(found.known[:, i])) == set(told)
        for t, (reward, done) in told.items():
            assert (found.rewards[t, i], found.dones[t, i]) == (reward, done)
            assert done == (found.following[t, i] == NONE)
            if not done and (then := found.following[t, i]) < STEPS:
                assert found.seats[then, i] == found.seats[t, i] and then > t
            ends, unlike = ends + done, unlike + (reward < 0)
    assert ends > 10 and unlike > 5 and (~found.known).any()


def test_advantages_run_along_each_seats_own_decisions() -> None:
    found = Played(AutoresetMode.SAME_STEP).found
    values = np.random.default_rng(0).normal(size=(STEPS + 1, N)).astype(np.float32)
    advantages = found.advantages(values, gamma=0.9, lam=0.8)
    for i in range(N):
        sides: dict[int, list[int]] = defaultdict(list)
        for t in range(STEPS):
            sides[int(found.seats[t, i])].append(t)
        for steps in sides.values():
            after = 0.0
            for t in reversed(steps):
                then = found.following[t, i]
                if found.dones[t, i]:
                    after = found.rewards[t, i] - values[t, i]
                elif then == NONE:
                    after = 0.0
                else:
                    later = after if then < STEPS else 0.0
                    after = found.rewards[t, i] + 0.9 * values[then, i] - values[t, i] + 0.72 * later
                assert advantages[t, i] == pytest.approx(after, abs=1e-5)


def test_shapes_are_checked() -> None:
    seats, rewards, over = np.zeros((3, 2), int), np.zeros((3, 2, 4)), np.zeros((3, 2), bool)
    found = by_seat(seats, rewards, over, np.zeros(2, int))
    assert isinstance(found, Trajectories) and found.following.tolist() == [[1, 1], [2, 2], [3, 3]]
    with pytest.raises(ValueError, match=r"asked \(3,\) do not fit"):
        by_seat(seats, rewards, over, np.zeros(3, int))
    with pytest.raises(ValueError, match="one more step than the rollout"):
        found.advantages(np.zeros((3, 2), np.float32), 1, 1)


def test_what_is_no_rollout_is_refused() -> None:
    good: dict[str, Any] = {"seats": [[0, 1], [1, NONE]], "rewards": np.ones((2, 2, 3)).tolist(), "asked": [2, 0],
                            "terminated": [[False, True], [False, False]]}  # fmt: skip
    arrays = {name: np.array(given) for name, given in good.items()}
    assert all((a == b).all() for a, b in zip(by_seat(**good), by_seat(**arrays), strict=True))
    for wrong, message in (
        ({"seats": [[0.0, 1], [1, 0]]}, "seats is float64, expected whole numbers"),
        ({"seats": [[0, 9], [1, 0]]}, "seats holds 9, expected -1 to 2"),
        ({"asked": [0, -2]}, "asked holds -2, expected -1 to 2"),
        ({"asked": [True, False]}, "asked is bool, expected whole numbers"),
        ({"rewards": [[["1"] * 3] * 2] * 2}, "rewards is <U1, expected numbers"),
        ({"terminated": [[0, 1], [0, 0]]}, "terminated is int64, expected bool"),
        ({"seats": 1}, r"seats \(\), .* do not fit"),
        ({"rewards": 1.0}, r"rewards \(\), .* do not fit"),
    ):
        with pytest.raises(ValueError, match=message):
            by_seat(**{**good, **wrong})
