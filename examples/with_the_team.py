"""The trained team on some seats of a PettingZoo game, a learner or a person on another.

    python examples/with_the_team.py --games 2000     # a small network learns to play beside the team (REINFORCE)
    python examples/with_the_team.py --person         # you choose, by number

Needs torch. One game at a time; the learner sees what its seat may see, and is paid what the whole team is.
"""

from __future__ import annotations

import argparse
from collections import deque
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from torch import nn

import sammu_env
from tabletop.agents import make


def parse(argv: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--challenge", default="SAM-192", help="the team wins this one sometimes")
    parser.add_argument("--players", type=int, default=3)
    parser.add_argument("--seat", type=int, default=0, help="whose seat is not the team's")
    parser.add_argument("--team", default="ppo", help="ppo, or ppo:PATH of a checkpoint")
    parser.add_argument("--temperature", type=float, default=0.0, help="of the team's draws; 0: its likeliest choices")
    parser.add_argument("--person", action="store_true", help="you have that seat")
    parser.add_argument("--games", type=int, default=2000)
    parser.add_argument("--update", type=int, default=8, help="games between two updates")
    parser.add_argument("--lr", type=float, default=3e-4)
    parser.add_argument("--seed", type=int, default=1)
    return parser.parse_args(argv)


class Person:
    """Chooses at the terminal."""

    def choose(self, env: Any, observation: np.ndarray, mask: np.ndarray) -> int:
        legal = np.flatnonzero(mask)
        seat = env.possible_agents.index(env.agent_selection)
        print(*(f"{action:4} {env.unwrapped.words(int(action), seat=seat)}" for action in legal), sep="\n")
        while (said := input("which? ")) not in map(str, legal):
            print("choose one of these numbers")
        return int(said)

    def end(self, total: float) -> None:
        print("won" if total > 0 else "lost")


class Learner:
    """A policy gradient (Williams 1992) with the mean return as its baseline."""

    def __init__(self, size: int, n_actions: int, args: argparse.Namespace) -> None:
        torch.manual_seed(args.seed)
        self.net = nn.Sequential(nn.Linear(size, 128), nn.Tanh(), nn.Linear(128, n_actions))
        self.optimizer = torch.optim.Adam(self.net.parameters(), args.lr)
        self.update, self.recent = args.update, deque([0.0], maxlen=200)
        self.log_probs: list[torch.Tensor] = []
        self.losses: list[torch.Tensor] = []
        self.stats: dict[str, float] = {"loss": 0.0, "moved": 0.0}

    def choose(self, env: Any, observation: np.ndarray, mask: np.ndarray) -> int:
        logits = self.net(torch.from_numpy(observation)).masked_fill(torch.from_numpy(mask) == 0, -1e9)
        policy = torch.distributions.Categorical(logits=logits, validate_args=False)
        action = policy.sample()
        self.log_probs.append(policy.log_prob(action))
        return int(action)

    def end(self, total: float) -> None:
        if self.log_probs:
            self.losses.append(-(total - np.mean(self.recent)) * torch.stack(self.log_probs).sum())
        self.recent.append(total)
        self.log_probs = []
        if len(self.losses) == self.update:
            loss = torch.stack(self.losses).mean()
            before = [x.detach().clone() for x in self.net.parameters()]
            self.optimizer.zero_grad()
            loss.backward()
            self.optimizer.step()
            after = [x.detach() for x in self.net.parameters()]
            moved = sum(float((new - old).abs().sum()) for new, old in zip(after, before, strict=True))
            self.stats = {"loss": loss.item(), "moved": moved}
            self.losses = []


def main(argv: Sequence[str] | None = None) -> dict[str, float]:
    args = parse(argv)
    env = sammu_env.env(args.challenge, args.players)
    team = make(args.team, env.unwrapped.game, args.seed)
    mine = env.possible_agents[args.seat]
    size, n_actions = env.observation_space(mine)["observation"].shape[0], env.action_space(mine).n
    player = Person() if args.person else Learner(size, n_actions, args)
    won: deque[bool] = deque(maxlen=500)
    steps = 0
    for game in range(args.games):
        env.reset(seed=args.seed + game)
        total = 0.0
        for agent in env.agent_iter():
            seen, reward, terminated, truncated, _ = env.last()
            total += reward if agent == mine else 0.0
            if terminated or truncated:
                env.step(None)
                continue
            steps += 1
            if agent == mine:
                env.step(player.choose(env, seen["observation"], seen["action_mask"]))
            else:
                drawn = {"sample": True, "temperature": args.temperature} if args.temperature else {}
                env.step(team.choose(seen["observation"], seen["action_mask"], **drawn))
        player.end(total)
        won.append(total > 0)
        if (game + 1) % 100 == 0:
            print(f"{game + 1} games, of the last {len(won)} won {np.mean(won):.3f}", flush=True)
    stats = {"steps": steps, "win_rate": float(np.mean(won)), **getattr(player, "stats", {})}
    print(f"win rate {stats['win_rate']:.3f} in {len(won)} games")
    return stats


if __name__ == "__main__":
    main()
