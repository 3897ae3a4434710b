"""Masked PPO of TorchRL on the PettingZoo environment: one policy, shared by all advisors, each seeing its own view.

    python examples/torchrl_aec.py --steps 100000

Needs torchrl. One game at a time, step by step in Python: examples/ppo.py shows the fast way.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import torch
from tensordict import TensorDict
from tensordict.nn import TensorDictModule
from torch import nn
from torchrl.collectors import Collector
from torchrl.envs import PettingZooWrapper
from torchrl.envs.utils import ExplorationType, set_exploration_type
from torchrl.modules import MLP, MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss, ValueEstimators

import sammu_env

TEAM = "advisors"
OBSERVATION = (TEAM, "observation", "observation")


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--challenge", default="SAM-180", help="a random team wins 3 percent of this one")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--steps", type=int, default=100_000, help="choices of all advisors together")
    parser.add_argument("--length", type=int, default=2048, help="choices between two updates")
    parser.add_argument("--games", type=int, default=100, help="of the evaluation")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(argv)


def make(args: argparse.Namespace, seed: int) -> PettingZooWrapper:
    """All advisors in one group, so that their views are one batch for the shared policy."""
    env = sammu_env.env(args.challenge, args.players)
    return PettingZooWrapper(env, use_mask=True, group_map={TEAM: env.possible_agents}, seed=seed)


def asked(data: TensorDict) -> TensorDict:
    """Of a rollout (steps,) the advisor whose turn it was in each step, and what it saw afterwards."""
    turn = data[TEAM, "mask"]
    return TensorDict({TEAM: data[TEAM][turn], "next": {TEAM: data["next", TEAM][turn]}}, [len(data)])


def win_rate(env: PettingZooWrapper, actor: ProbabilisticActor, games: int) -> float:
    with torch.no_grad(), set_exploration_type(ExplorationType.RANDOM):
        won = [bool(env.rollout(10_000, actor)["next", TEAM, "reward"][-1, 0] > 0) for _ in range(games)]
    return sum(won) / games


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    args = parse(argv)
    torch.manual_seed(args.seed)
    env = make(args, args.seed)
    size, actions = env.observation_spec[OBSERVATION].shape[-1], env.full_action_spec[TEAM, "action"].n

    logits = TensorDictModule(MLP(size, actions, num_cells=[256, 256], activation_class=nn.Tanh),
                              [OBSERVATION], [(TEAM, "logits")])  # fmt: skip
    actor = ProbabilisticActor(
        logits,
        in_keys={"logits": (TEAM, "logits"), "mask": (TEAM, "action_mask")},
        out_keys=[(TEAM, "action")],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
        log_prob_key=(TEAM, "log_prob"),
    )
    critic = ValueOperator(MLP(size, 1, num_cells=[256, 256], activation_class=nn.Tanh),
                           [OBSERVATION], [(TEAM, "value")])  # fmt: skip
    ppo = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01, normalize_advantage=True)
    ppo.set_keys(
        action=(TEAM, "action"),
        sample_log_prob=(TEAM, "log_prob"),
        value=(TEAM, "value"),
        reward=(TEAM, "reward"),
        done=(TEAM, "done"),
        terminated=(TEAM, "terminated"),
    )
    ppo.make_value_estimator(ValueEstimators.GAE, gamma=0.999, lmbda=0.95)
    optimizer = torch.optim.Adam(ppo.parameters(), 5e-4)

    stats: dict[str, float] = {"steps": 0}
    updates = max(1, args.steps // args.length)
    for data in Collector(env, actor, frames_per_batch=args.length, total_frames=updates * args.length):
        ended = data["next", TEAM, "reward"][data["next", "done"].squeeze(-1), 0]
        turns = asked(data)
        with torch.no_grad():
            ppo.value_estimator(turns)
        for _ in range(4):
            for rows in torch.randperm(len(turns)).split(512):
                losses = ppo(turns[rows])
                loss = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(ppo.parameters(), 0.5)
                optimizer.step()
        stats = {
            "steps": stats["steps"] + len(turns),
            "games": len(ended),
            "won": float((ended > 0).float().mean()) if len(ended) else 0.0,
            "loss": loss.item(),
            "kl": losses["kl_approx"].item(),
        }
        print("  ".join(f"{name} {value:.4g}" for name, value in stats.items()), flush=True)

    stats["win_rate"] = win_rate(make(args, 10**12), actor, args.games)
    print(f"win rate {stats['win_rate']:.3f} in {args.games} games")
    return stats


if __name__ == "__main__":
    main()
