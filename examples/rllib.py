"""PPO of RLlib (its new API stack) with masks: one controller for all seats, or with --multi each advisor by itself.

    python examples/rllib.py --steps 200000 --runners 8
    python examples/rllib.py --multi --smoke

Many machines: install the project on all, start Ray on one with `ray start --head`, on each other with `ray start
--address HOST:6379`, and give --address auto, with about as many --runners as there are cores, and --learners.

Needs ray[rllib] and torch.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import Any

import gymnasium
import ray
from gymnasium.spaces import Dict
from ray.rllib.algorithms.ppo import PPOConfig
from ray.rllib.core.columns import Columns
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.env.wrappers.pettingzoo_env import PettingZooEnv
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from ray.tune.registry import register_env

import sammu_env

TEAM = "team"


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--challenge", default="SAM-180", help="a random team wins 3 percent of this one")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--multi", action="store_true", help="each advisor is an agent; all share one policy")
    parser.add_argument("--steps", type=int, default=200_000, help="choices of all seats together")
    parser.add_argument("--batch", type=int, default=8192, help="choices between two updates")
    parser.add_argument("--runners", type=int, default=2, help="processes that play")
    parser.add_argument("--learners", type=int, default=0, help="processes that learn; 0: this one")
    parser.add_argument("--address", help="of a Ray cluster, or auto; by default a new one on this machine")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--smoke", action="store_true", help="two small updates, to see that it runs")
    return parser.parse_args(argv)


class Masked(ActionMaskingTorchRLModule):
    """RLlib's module, which expects "observations" where PettingZoo has "observation"."""

    def __init__(self, *, observation_space: Dict, **kwargs: Any) -> None:
        parts = {"observations": observation_space["observation"], "action_mask": observation_space["action_mask"]}
        super().__init__(observation_space=Dict(parts), **kwargs)

    def _preprocess_batch(self, batch: dict[str, Any], **kwargs: Any) -> Any:
        seen = batch[Columns.OBS]
        seen["observations"] = seen.pop("observation")  # in place, as what RLlib calls next relies on it
        return super()._preprocess_batch(batch, **kwargs)


def single(options: dict[str, Any]) -> gymnasium.Env:
    return gymnasium.make("sammu_env:SammuRamat-v0", action_mask=True, **options)


def multi(options: dict[str, Any]) -> PettingZooEnv:
    return PettingZooEnv(sammu_env.env(**options))


def configure(args: argparse.Namespace) -> PPOConfig:
    register_env("single", single)
    register_env("multi", multi)
    share = args.batch // max(1, args.learners)
    module = RLModuleSpec(module_class=Masked, model_config={"fcnet_hiddens": [256, 256], "vf_share_layers": False})
    config = (
        PPOConfig()
        .environment("multi" if args.multi else "single",
                     env_config={"challenge": args.challenge, "players": args.players},
                     disable_env_checking=True)  # it draws choices without the mask
        .env_runners(num_env_runners=args.runners, num_envs_per_env_runner=1 if args.multi else 8, sample_timeout_s=600)
        .learners(num_learners=args.learners)
        .training(lr=5e-4, gamma=0.999, lambda_=0.95, clip_param=0.2, entropy_coeff=0.01, num_epochs=3,
                  train_batch_size_per_learner=share, minibatch_size=min(1024, share))
        .rl_module(rl_module_spec=module)
        .debugging(seed=args.seed)
    )  # fmt: skip
    if args.multi:
        config.multi_agent(policies={TEAM}, policy_mapping_fn=lambda *_, **__: TEAM)
    return config


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    args = parse(argv)
    if args.smoke:
        args.batch = 512
        args.steps = 2 * args.batch
    ray.init(args.address, log_to_driver=False)
    algorithm = configure(args).build_algo()
    stats: dict[str, float] = {"steps": 0}
    began = time.time()
    while stats["steps"] < args.steps:
        told = algorithm.train()
        played, learnt = told["env_runners"], told["learners"][TEAM if args.multi else "default_policy"]
        stats = {
            "steps": played["num_env_steps_sampled_lifetime"],
            "return": played.get("agent_episode_returns_mean", {}).get(
                "advisor_0", played.get("episode_return_mean", 0)
            ),
            "loss": learnt["total_loss"],
            "kl": learnt["mean_kl_loss"],
            "speed": played["num_env_steps_sampled_lifetime"] / (time.time() - began),
        }
        print("  ".join(f"{name} {value:.4g}" for name, value in stats.items()), flush=True)
    algorithm.stop()
    ray.shutdown()
    return stats


if __name__ == "__main__":
    main()
