"""PPO of AgileRL on many games at once: it finds the mask in the infos by itself.

    python examples/agilerl_ppo.py --steps 200000

Needs agilerl.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence

import gymnasium
import numpy as np
import torch
from agilerl.algorithms import PPO
from agilerl.rollouts.on_policy import collect_rollouts

import sammu_env  # noqa: F401, which tells Gymnasium of the game


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--challenge", default="SAM-180", help="a random team wins 3 percent of this one")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--steps", type=int, default=200_000, help="choices in all games together")
    parser.add_argument("--batch", type=int, default=8192, help="choices between two updates")
    parser.add_argument("--envs", type=int, default=64, help="games at once")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="two small updates, to see that it runs")
    return parser.parse_args(argv)


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    args = parse(argv)
    if args.smoke:
        args.batch, args.envs = 512, 8
        args.steps = 2 * args.batch
    torch.manual_seed(args.seed)
    np.random.seed(args.seed)
    envs = gymnasium.make_vec("SammuRamat-v0", num_envs=args.envs, challenge=args.challenge, players=args.players,
                              autoreset_mode="SameStep")  # fmt: skip
    envs.reset(seed=args.seed)
    agent = PPO(envs.single_observation_space, envs.single_action_space, num_envs=args.envs, learn_step=args.batch,
                batch_size=min(1024, args.batch), lr=5e-4, gamma=0.999, update_epochs=3,
                net_config={"encoder_config": {"hidden_size": [256, 256]}})  # fmt: skip
    stats: dict[str, float] = {"steps": 0}
    began, stood = time.time(), {}
    while stats["steps"] < args.steps:
        scores, *last = collect_rollouts(agent, envs, **stood)
        stood = dict(zip(("last_obs", "last_done", "last_scores", "last_info"), last, strict=True))
        loss = agent.learn()
        steps = stats["steps"] + args.batch
        won = float(np.mean(np.array(scores) > 0)) if scores else 0.0
        stats = {"steps": steps, "won": won, "loss": loss, "speed": steps / (time.time() - began)}
        print("  ".join(f"{name} {value:.4g}" for name, value in stats.items()), flush=True)
    return stats


if __name__ == "__main__":
    main()
