"""PPO of Tianshou: one controller plays every seat; the mask is a part of what it sees.

    python examples/tianshou_ppo.py --steps 200000

Needs tianshou. Games run one after the other in Python: examples/ppo.py shows the fast way.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import torch
from tianshou.algorithm import PPO
from tianshou.algorithm.modelfree.reinforce import ProbabilisticActorPolicy
from tianshou.algorithm.optim import AdamOptimizerFactory
from tianshou.data import Collector, VectorReplayBuffer
from tianshou.env import DummyVectorEnv
from tianshou.trainer import OnPolicyTrainerParams
from torch import nn
from torch.distributions import Categorical

import sammu_env  # noqa: F401, which tells Gymnasium of the game


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--challenge", default="SAM-180", help="a random team wins 3 percent of this one")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--steps", type=int, default=200_000, help="choices in all games together")
    parser.add_argument("--batch", type=int, default=4096, help="choices between two updates")
    parser.add_argument("--envs", type=int, default=16, help="games at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="two small updates, to see that it runs")
    return parser.parse_args(argv)


class Plain(gymnasium.Wrapper):
    """Without ``info["game"]``: Tianshou keeps infos in arrays, where words that come only at the end leave gaps."""

    def step(self, action: Any) -> Any:
        *told, info = self.env.step(action)
        info.pop("game", None)
        return (*told, info)


class Net(nn.Module):
    """Logits or a value, of both parts of an observation."""

    def __init__(self, size: int, outputs: int, masked: bool) -> None:
        super().__init__()
        self.layers = nn.Sequential(nn.Linear(size, 256), nn.Tanh(), nn.Linear(256, 256), nn.Tanh(),
                                    nn.Linear(256, outputs))  # fmt: skip
        self.masked = masked

    def forward(self, obs: Any, state: Any = None, info: Any = None) -> Any:
        out = self.layers(torch.as_tensor(obs.observation, dtype=torch.float32))
        if not self.masked:
            return out
        return out.masked_fill(torch.as_tensor(obs.action_mask) == 0, -1e9), state


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    args = parse(argv)
    if args.smoke:
        args.batch, args.envs = 512, 4
        args.steps = 2 * args.batch
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)
    one = {"challenge": args.challenge, "players": args.players, "action_mask": True}
    envs = DummyVectorEnv([lambda: Plain(gymnasium.make("SammuRamat-v0", **one)) for _ in range(args.envs)])
    envs.seed(args.seed)
    env = gymnasium.make("SammuRamat-v0", **one)
    size, n_actions = env.observation_space["observation"].shape[0], int(env.action_space.n)
    policy = ProbabilisticActorPolicy(actor=Net(size, n_actions, masked=True), action_space=env.action_space,
                                      dist_fn=lambda logits: Categorical(logits=logits), action_scaling=False,
                                      action_bound_method=None)  # fmt: skip
    algorithm = PPO(policy=policy, critic=Net(size, 1, masked=False), optim=AdamOptimizerFactory(lr=5e-4), gamma=0.999)
    collector = Collector(algorithm, envs, VectorReplayBuffer(args.batch, args.envs))
    began = time.time()
    result = algorithm.run_training(OnPolicyTrainerParams(
        training_collector=collector, max_epochs=1, epoch_num_steps=args.steps,
        collection_step_num_env_steps=args.batch, batch_size=min(1024, args.batch), update_step_num_repetitions=3,
        test_collector=None, test_in_training=False,
    ))  # fmt: skip
    stats = {"steps": result.timing.total_time and collector.collect_step, "speed": args.steps / (time.time() - began)}
    print("  ".join(f"{name} {value:.4g}" for name, value in stats.items()))
    return stats


if __name__ == "__main__":
    main()
