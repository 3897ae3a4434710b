"""Masked PPO in one file, after CleanRL: one network plays every seat of many games at once.

    python examples/ppo.py --steps 1000000

Needs torch; --tensorboard needs tensorboard.
"""

from __future__ import annotations

import argparse
import time
from collections import deque
from collections.abc import Sequence

import gymnasium
import numpy as np
import torch
from torch import Tensor, nn
from torch.distributions import Categorical


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--challenge", default="SAM-180", help="a random team wins 3 percent of this one")
    parser.add_argument("--players", type=int, default=2)
    parser.add_argument("--steps", type=int, default=1_000_000, help="choices in all games together")
    parser.add_argument("--envs", type=int, default=64, help="games at once")
    parser.add_argument("--length", type=int, default=128, help="choices of each game between two updates")
    parser.add_argument("--minibatches", type=int, default=8)
    parser.add_argument("--epochs", type=int, default=3)
    parser.add_argument("--lr", type=float, default=5e-4)
    parser.add_argument("--gamma", type=float, default=0.999)
    parser.add_argument("--lam", type=float, default=0.95)
    parser.add_argument("--clip", type=float, default=0.2)
    parser.add_argument("--entropy", type=float, default=0.01)
    parser.add_argument("--games", type=int, default=500, help="of the evaluation")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--tensorboard", metavar="FOLDER", help="write curves there")
    return parser.parse_args(argv)


def make(args: argparse.Namespace, **options: object) -> gymnasium.vector.VectorEnv:
    return gymnasium.make_vec(
        "sammu_env:SammuRamat-v0", challenge=args.challenge, players=args.players, copy=False, **options
    )


def layer(inputs: int, outputs: int, gain: float = 2**0.5) -> nn.Linear:
    linear = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(linear.weight, gain)
    nn.init.zeros_(linear.bias)
    return linear


class Net(nn.Module):
    def __init__(self, size: int, n_actions: int) -> None:
        super().__init__()
        self.body = nn.Sequential(layer(size, 256), nn.Tanh(), layer(256, 256), nn.Tanh())
        self.actor = layer(256, n_actions, 0.01)
        self.critic = layer(256, 1, 1.0)

    def value(self, observations: Tensor) -> Tensor:
        return self.critic(self.body(observations)).squeeze(-1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        hidden = self.body(observations)
        logits = self.actor(hidden).masked_fill(~masks, -1e9)
        return Categorical(logits=logits, validate_args=False), self.critic(hidden).squeeze(-1)


@torch.no_grad()
def win_rate(net: Net, args: argparse.Namespace) -> float:
    """Of games that were not trained on."""
    env = make(args, num_envs=args.games, autoreset_mode="Disabled")
    seen, infos = env.reset(seed=10**12)
    won = over = np.zeros(args.games, bool)
    while not over.all():
        masks = torch.as_tensor(infos["action_mask"], device=args.device).bool()
        policy, _ = net(torch.as_tensor(seen, device=args.device), masks)
        seen, _, over, _, infos = env.step(policy.sample().cpu().numpy())
        if "game" in infos:
            won = won | infos["game"]["won"]
    return float(won.mean())


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    args = parse(argv)
    torch.manual_seed(args.seed)
    env = make(args, num_envs=args.envs, autoreset_mode="SameStep")
    size, n_actions = env.single_observation_space.shape[0], int(env.single_action_space.n)
    net = Net(size, n_actions).to(args.device)
    optimizer = torch.optim.Adam(net.parameters(), args.lr, eps=1e-5)
    writer = None
    if args.tensorboard:
        from torch.utils.tensorboard import SummaryWriter

        writer = SummaryWriter(args.tensorboard)

    turns = (args.length, args.envs)
    observations = torch.zeros(*turns, size, device=args.device)
    masks = torch.zeros(*turns, n_actions, dtype=torch.bool, device=args.device)
    actions = torch.zeros(turns, dtype=torch.long, device=args.device)
    log_probs, values, rewards, alive, advantages = (torch.zeros(turns, device=args.device) for _ in range(5))

    batch = args.envs * args.length
    updates = max(1, args.steps // batch)
    won: deque[bool] = deque(maxlen=500)
    stats: dict[str, float] = {}
    began = time.time()
    seen, infos = env.reset(seed=args.seed)
    for update in range(updates):
        optimizer.param_groups[0]["lr"] = args.lr * (1 - update / updates)

        for t in range(args.length):
            observations[t] = torch.as_tensor(seen)  # a copy: the next step rewrites the environment's arrays
            masks[t] = torch.as_tensor(infos["action_mask"])
            with torch.no_grad():
                policy, values[t] = net(observations[t], masks[t])
            actions[t] = policy.sample()
            log_probs[t] = policy.log_prob(actions[t])
            seen, reward, terminated, _, infos = env.step(actions[t].cpu().numpy())
            rewards[t], alive[t] = torch.as_tensor(reward), torch.as_tensor(~terminated)
            if "game" in infos:
                won.extend(infos["game"]["won"][infos["_game"]])

        with torch.no_grad():
            following = net.value(torch.as_tensor(seen, device=args.device))
        advantage = torch.zeros(args.envs, device=args.device)
        for t in reversed(range(args.length)):
            surprise = rewards[t] + args.gamma * alive[t] * following - values[t]
            advantages[t] = advantage = surprise + args.gamma * args.lam * alive[t] * advantage
            following = values[t]

        flat = [x.flatten(0, 1) for x in (observations, masks, actions, log_probs, advantages, advantages + values)]
        for _ in range(args.epochs):
            for rows in torch.randperm(batch, device=args.device).chunk(args.minibatches):
                observation, mask, action, old_log_prob, gain, target = (x[rows] for x in flat)
                policy, value = net(observation, mask)
                log_ratio = policy.log_prob(action) - old_log_prob
                ratio = log_ratio.exp()
                gain = (gain - gain.mean()) / (gain.std() + 1e-8)
                actor_loss = torch.max(-gain * ratio, -gain * ratio.clamp(1 - args.clip, 1 + args.clip)).mean()
                critic_loss = ((value - target) ** 2).mean()
                entropy = policy.entropy().mean()
                loss = actor_loss + 0.25 * critic_loss - args.entropy * entropy
                optimizer.zero_grad()
                loss.backward()
                nn.utils.clip_grad_norm_(net.parameters(), 0.5)
                optimizer.step()

        steps = (update + 1) * batch
        stats = {
            "steps": steps,
            "won": float(np.mean(won)) if won else 0.0,
            "loss": loss.item(),
            "entropy": entropy.item(),
            "kl": (ratio - 1 - log_ratio).mean().item(),
            "speed": steps / (time.time() - began),
        }
        print("  ".join(f"{name} {value:.4g}" for name, value in stats.items()), flush=True)
        if writer:
            for name, value in stats.items():
                writer.add_scalar(name, value, steps)

    if writer:
        writer.close()
    stats["win_rate"] = win_rate(net, args)
    print(f"win rate {stats['win_rate']:.3f} in {args.games} games")
    return stats


if __name__ == "__main__":
    main()
