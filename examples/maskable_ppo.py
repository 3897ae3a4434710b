"""MaskablePPO of sb3-contrib on the native vector environment: no processes, no wrappers.

    python examples/maskable_ppo.py --steps 1000000

Needs sb3-contrib.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence

import gymnasium
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy

from tabletop.sb3 import SB3VecEnv


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--challenge", default="SAM-180", help="a random team wins 3 percent of this one")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--steps", type=int, default=1_000_000, help="choices in all games together")
    parser.add_argument("--envs", type=int, default=64, help="games at once")
    parser.add_argument("--games", type=int, default=500, help="of the evaluation")
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(argv)


def make(args: argparse.Namespace) -> SB3VecEnv:
    """Games of one controller that plays every seat."""
    return SB3VecEnv(
        gymnasium.make_vec(
            "sammu_env:SammuRamat-v0", num_envs=args.envs, challenge=args.challenge, players=args.players
        )
    )


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    args = parse(argv)
    model = MaskablePPO(
        "MlpPolicy",
        make(args),
        learning_rate=5e-4,
        n_steps=128,
        batch_size=min(1024, 128 * args.envs),
        n_epochs=3,
        gamma=0.999,
        ent_coef=0.01,
        policy_kwargs={"net_arch": [256, 256]},
        seed=args.seed,
        verbose=1,
    )
    model.learn(args.steps)

    test = make(args)
    test.seed(10**12)  # of games that were not trained on
    reward, _ = evaluate_policy(model, test, args.games, deterministic=False)
    win_rate = (1 + reward) / 2  # a game pays +1 or -1
    print(f"win rate {win_rate:.3f} in {args.games} games")
    stats = model.logger.name_to_value
    return {
        "steps": model.num_timesteps,
        "loss": stats["train/loss"],
        "kl": stats["train/approx_kl"],
        "win_rate": win_rate,
    }


if __name__ == "__main__":
    main()
