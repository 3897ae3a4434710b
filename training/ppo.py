"""Proximal Policy Optimization (Schulman et al. 2017) for a team of many seats, in one file.

One network plays every seat of many games at once. A game is one sequence of decisions, whoever makes them, and the
reward is the team's: so the advantage of a choice (GAE, Schulman et al. 2016) runs on through the others' decisions.
The critic is told what is hidden from the seat (Yu et al. 2022), the head that gives the chance of winning is not.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

import agents
from agents.base import Judge
from agents.network import Choices, Judgement, Network, autocast, choices, log_policy
from tabletop.batch import Batch
from tabletop.game import WON, Game
from training.config import Config
from training.starts import Starts


class Decisions(NamedTuple):
    """What was seen, chosen and learnt from it; tensors (length, games, ...), or (n, ...) of a minibatch."""

    observations: Tensor  #: as the network reads them (.., size)
    hidden: Tensor  #: (.., hidden_size), or (.., 0) where nothing is hidden in any game
    actions: Tensor  #: int16 (.., most), the legal choices
    legal: Tensor  #: bool (.., most), where there is one
    chosen: Tensor  #: int64, place of the choice among the legal ones
    log_prob: Tensor  #: float32, of the choice when it was made
    advantage: Tensor  #: float32, and so are these:
    value_target: Tensor
    win_target: Tensor

    def minibatches(self, size: int) -> Iterator[Decisions]:
        """All decisions in random order. Each minibatch is written over the one before it: new memory costs time."""
        flat = [x.flatten(0, 1) for x in self]
        room = [torch.empty(min(size, len(x)), *x.shape[1:], dtype=x.dtype, device=x.device) for x in flat]
        for rows in torch.randperm(len(flat[0]), device=self.chosen.device).split(size):
            yield Decisions(*(torch.index_select(x, 0, rows, out=own[: len(rows)])
                              for x, own in zip(flat, room, strict=True)))  # fmt: skip


class Learner:
    """A network, the games it learns from, and how.

    All randomness is NumPy's generator of ``starts``, torch's, and that of the games.
    """

    def __init__(self, game: Game, config: Config, starts: Starts, device: torch.device) -> None:
        self.game, self.config, self.starts, self.device = game, config, starts, device
        self.network = Network(
            len(game.observation_low), game.hidden_size, game.n_actions, config.network.width, config.network.blocks
        ).to(device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), eps=1e-5, fused=True)
        self.autocast = autocast(device, config.precision)
        self.teacher = agents.make(config.warm_start.agent, game, config.seed)
        self.judge = judge(config.shaping.agent, game) if config.shaping.scale else None
        self.updates = 0
        self.batch = Batch(game, starts.setups[starts.now], threads=config.threads, seed=0)
        self.seen = starts.begin(self.batch)
        turns = (config.length, config.games)
        kind = torch.bfloat16 if self.autocast._enabled else torch.float32
        self.observations = torch.zeros(*turns, len(game.observation_low), dtype=kind, device=device)
        self.hidden = torch.zeros(*turns, game.hidden_size if self._hides() else 0, dtype=kind, device=device)

    def _hides(self) -> bool:
        """Whether anything is hidden from a seat in the games that are trained on."""
        begun = Batch(self.game, self.starts.setups, observe=False, threads=1)
        begun.reset(0)
        return bool(self.game.hidden(begun.states).any())

    @property
    def decisions(self) -> int:
        """Learnt from so far."""
        return self.updates * self.config.batch

    @property
    def taught(self) -> bool:
        """Whether the teacher plays."""
        return self.updates < self.config.warm_start.updates

    @property
    def shaping(self) -> float:
        """How much a potential counts now."""
        own = self.config.shaping
        return self.now(own.scale, 0.0, own.until) if own.until else 0.0

    def now(self, first: float, last: float, until: float = 1.0) -> float:
        """A setting that goes from one value to another in equal steps, up to a share of the run."""
        return first + (last - first) * min(1.0, self.updates / (until * self.config.updates))

    def learn(self) -> dict[str, float]:
        """Plays ``length`` decisions of every game and learns from them. Returns figures for the log."""
        decisions, played = self.play()
        return {**played, **self.improve(decisions)}

    # Playing

    @torch.no_grad()
    def play(self) -> tuple[Decisions, dict[str, float]]:
        """Plays ``length`` decisions of every game."""
        length, games = self.config.length, self.config.games
        legal, chosen, log_prob = [], [], []
        value, win = torch.zeros(2, length + 1, games)
        rewards, potential, over = np.zeros((3, length + 1, games), np.float32)
        ended: list[NDArray[np.void]] = []
        self.teacher.reset(self.config.seed + self.updates)  # begins anew, so that it need not be kept
        with self.autocast:
            for t in range(length):
                judged = self._judge(self.observations[t], self.hidden[t])
                value[t], win[t] = judged.value, torch.sigmoid(judged.win)
                potential[t] = self._potential()
                options = choices(torch.from_numpy(self.seen.masks).to(self.device).bool())
                logs = log_policy(judged.logits, options)
                place, action = self._choose(logs, options)
                self.batch.step(action, self.seen)
                rewards[t], over[t] = self.seen.rewards, self.seen.terminated
                legal.append(options)
                chosen.append(place)
                log_prob.append(logs.gather(1, place[:, None]).squeeze(1))
                ended.append(self.starts.follow(self.batch).states)
            judged = self._judge(torch.empty_like(self.observations[0]), torch.empty_like(self.hidden[0]))
            value[length], win[length] = judged.value, torch.sigmoid(judged.win)
            potential[length] = self._potential()
        self.starts.store(self.batch, win[length].numpy(), games // 8)
        actions, there = _side_by_side(legal)
        targets = self._targets(value.numpy(), win.numpy(), rewards, potential, over)
        decisions = Decisions(
            self.observations, self.hidden, actions, there, torch.stack(chosen), torch.stack(log_prob),
            *(torch.from_numpy(x).to(self.device) for x in targets),
        )  # fmt: skip
        return decisions, _told(np.concatenate(ended), value[:length].numpy(), targets[1])

    def _judge(self, observations: Tensor, hidden: Tensor) -> Judgement:
        """What the network says of where the games stand; that is written into both tensors."""
        observations.copy_(torch.from_numpy(self.seen.observations))
        if hidden.shape[1]:
            hidden.copy_(torch.from_numpy(self.game.hidden(self.batch.states)))
        judged: Judgement = self.network(observations, hidden if hidden.shape[1] else None)
        return judged

    def _potential(self) -> NDArray[np.float32]:
        """What the games are worth to whom shaping believes, float32 (games,); zeros where there is none or it faded."""
        if self.judge is None or not self.shaping:
            return np.zeros(self.config.games, np.float32)
        return self.judge.worth(self.batch.states)

    def _choose(self, logs: Tensor, options: Choices) -> tuple[Tensor, NDArray[np.int64]]:
        """A choice for each game: its place among the legal ones, and its number."""
        if self.taught:
            action = self.teacher.act(self.batch.states, self.seen.masks)
            wanted = torch.from_numpy(action).to(self.device)
            return ((options.actions == wanted[:, None]) & options.legal).int().argmax(1), action
        place = torch.multinomial(logs.exp(), 1)
        return place.squeeze(1), options.actions.gather(1, place).squeeze(1).cpu().numpy()

    def _targets(
        self, value: NDArray[np.float32], win: NDArray[np.float32], rewards: NDArray[np.float32],
        potential: NDArray[np.float32], over: NDArray[np.float32],
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:  # fmt: skip
        """Advantage, value and chance of winning to learn, float32 (length, games), from arrays (length + 1, games)."""
        set_, scale = self.config.ppo, self.shaping
        length = len(value) - 1
        advantage, wins = np.zeros_like(value), np.zeros_like(value)
        wins[length] = win[length]
        for t in reversed(range(length)):
            on = 1 - over[t]
            reward = rewards[t] + scale * (set_.gamma * on * potential[t + 1] - potential[t])
            surprise = reward + set_.gamma * on * value[t + 1] - value[t]
            advantage[t] = surprise + set_.gamma * set_.lam * on * advantage[t + 1]
            later = (1 - set_.win_lam) * win[t + 1] + set_.win_lam * wins[t + 1]
            wins[t] = np.where((over[t] > 0) | (rewards[t] != 0), rewards[t] > 0, later)
        return advantage[:length], advantage[:length] + value[:length], wins[:length]

    # Learning

    def improve(self, decisions: Decisions) -> dict[str, float]:
        """Learns from decisions, and counts the update."""
        rate, entropy = self.now(*self.config.ppo.learning_rate), self.now(*self.config.ppo.entropy)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        totals: dict[str, Tensor] = {}
        n = 0
        for _ in range(self.config.ppo.epochs):
            for part in decisions.minibatches(self.config.ppo.minibatch):
                loss, told = self.loss(part, entropy)
                self.optimizer.zero_grad()
                loss.backward()
                told["gradient"] = nn.utils.clip_grad_norm_(
                    self.network.parameters(), self.config.ppo.max_grad_norm, foreach=True
                )
                self.optimizer.step()
                n += 1
                totals = {name: x.detach() + totals.get(name, 0.0) for name, x in told.items()}
        self.updates += 1
        return {**{name: float(x) / n for name, x in totals.items()}, "learning_rate": rate}

    def loss(self, part: Decisions, entropy_weight: float) -> tuple[Tensor, dict[str, Tensor]]:
        """Of a minibatch, and its parts."""
        set_ = self.config.ppo
        with self.autocast:
            judged: Judgement = self.network(part.observations, part.hidden if part.hidden.shape[1] else None)
        logs = log_policy(judged.logits, Choices(part.actions.long(), part.legal))
        log_ratio = logs.gather(1, part.chosen[:, None]).squeeze(1) - part.log_prob
        if self.taught:
            choice_loss, clipped = -(log_ratio + part.log_prob).mean(), torch.zeros(())
        else:
            gain = (part.advantage - part.advantage.mean()) / (part.advantage.std() + 1e-8)
            ratio = log_ratio.exp()
            choice_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - set_.clip, 1 + set_.clip)).mean()
            clipped = ((ratio - 1).abs() > set_.clip).float().mean()
        entropy = -(logs.exp() * logs).masked_fill(~part.legal, 0.0).sum(1).mean()
        value_loss = F.mse_loss(judged.value, part.value_target)
        win_loss = F.binary_cross_entropy_with_logits(judged.win, part.win_target)
        weight = 0.0 if self.taught else entropy_weight
        loss = choice_loss - weight * entropy + set_.value * value_loss + set_.win * win_loss
        kl = (log_ratio.exp() - 1 - log_ratio).mean()
        return loss, {"choice_loss": choice_loss, "entropy": entropy, "value_loss": value_loss, "win_loss": win_loss,
                      "kl": kl, "clipped": clipped}  # fmt: skip

    # To go on later

    def state_dict(self) -> dict[str, Any]:
        """All that changes: tensors and plain data."""
        return {
            "updates": self.updates,
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "torch": torch.get_rng_state(),
            "numpy": self.starts.rng.bit_generator.state,
            "starts": _packed(self.starts.state_dict()),
            "batch": _packed(self.batch.state_dict()),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on exactly where :meth:`state_dict` was taken, at the beginning of an update."""
        self.updates = state["updates"]
        self.network.load_state_dict(state["network"])
        self.optimizer.load_state_dict(state["optimizer"])
        torch.set_rng_state(state["torch"])
        self.starts.rng.bit_generator.state = state["numpy"]
        self.starts.load_state_dict(_unpacked(state["starts"], self.starts.state_dict()))
        self.seen = self.batch.load_state_dict(_unpacked(state["batch"], self.batch.state_dict()))


def judge(name: str, game: Game) -> Judge:
    """The agent that shaping believes.

    Raises:
        ValueError: it does not say what positions are worth.
    """
    agent = agents.make(name, game)
    if not isinstance(agent, Judge):
        raise ValueError(f"shaping.agent is {name!r}, which does not say what positions are worth: choose scripted")
    return agent


def _side_by_side(legal: list[Choices]) -> tuple[Tensor, Tensor]:
    """Legal choices of many turns as int16 and bool (length, games, most)."""
    most = max(options.actions.shape[1] for options in legal)
    wide = [F.pad(options.actions.to(torch.int16), (0, most - options.actions.shape[1])) for options in legal]
    there = [F.pad(options.legal, (0, most - options.legal.shape[1])) for options in legal]
    return torch.stack(wide), torch.stack(there)


def _told(ended: NDArray[np.void], value: NDArray[np.float32], target: NDArray[np.float32]) -> dict[str, float]:
    """Figures of what was played."""
    told = {"games": float(len(ended)), "explained": 1 - float((target - value).var() / (target.var() + 1e-8))}
    if len(ended):
        told |= {"won": float((ended["result"] == WON).mean()), "game_length": float(ended["decisions"].mean())}
    return told


def _packed(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays as tensors; records as bytes."""
    return {
        name: torch.from_numpy(x.view(np.uint8) if x.dtype.names else x)
        if isinstance(x, np.ndarray) else x
        for name, x in arrays.items()
    }  # fmt: skip


def _unpacked(packed: Mapping[str, Any], like: Mapping[str, Any]) -> dict[str, Any]:
    """What was :func:`_packed`, with the dtypes of ``like``."""
    return {name: x.numpy().view(like[name].dtype) if isinstance(x, torch.Tensor) else x for name, x in packed.items()}
