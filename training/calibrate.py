"""Whether games come out as often won as the network says (Platt 1999; Guo et al. 2017)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F

from agents.policy import Policy
from tabletop.game import WON, Record

BINS = 10


@dataclass(frozen=True)
class Forecasts:
    """What was said of positions, and what came of them."""

    logits: NDArray[np.float32]  #: (n,) of winning, before calibration
    won: NDArray[np.bool_]  #: (n,)

    def fit(self) -> tuple[float, float]:
        """Scale and shift of the logits under which the forecasts are likeliest (Newton's method on two numbers)."""
        x = torch.from_numpy(self.logits).double()
        y = torch.from_numpy(self.won).double()
        inputs = torch.stack([x, torch.ones_like(x)], dim=1)
        weights = torch.tensor([1.0, 0.0], dtype=torch.float64)
        for _ in range(50):
            p = torch.sigmoid(inputs @ weights)
            slope = inputs.T @ (p - y)
            curve = (inputs * (p * (1 - p))[:, None]).T @ inputs + 1e-6 * torch.eye(2, dtype=torch.float64)
            step = torch.linalg.solve(curve, slope)
            weights = weights - step
            if float(step.abs().max()) < 1e-9:
                break
        return float(weights[0]), float(weights[1])


def listen(policy: Policy, setups: Record, seeds: NDArray[np.int64], every: int = 16) -> tuple[Record, Forecasts]:
    """Plays games, and of each takes every so many decisions what the network says of winning.

    Returns:
        the finished states, shape (n,), and the forecasts.
    """
    heard: list[tuple[NDArray[np.int64], NDArray[np.float32]]] = []
    asked = np.zeros(len(setups), np.int64)
    rng = np.random.default_rng(int(seeds[0]))
    offset = rng.integers(every, size=len(setups))

    def note(games: NDArray[np.int64], logits: NDArray[np.float32]) -> None:
        chosen = (asked[games] + offset[games]) % every == 0
        asked[games] += 1
        if chosen.any():
            heard.append((games[chosen], logits[chosen]))

    states = policy.play(setups, seeds, note)
    games = np.concatenate([games for games, _ in heard])
    return states, Forecasts(np.concatenate([logits for _, logits in heard]), (states["result"] == WON)[games])


def error(chances: NDArray[np.float64], won: NDArray[np.bool_]) -> float:
    """The expected calibration error of forecasts (n,): how far off they are in tenths of the range, on average."""
    return float(sum(abs(said - came) * n for said, came, n in reliability(chances, won)) / max(len(won), 1))


def reliability(chances: NDArray[np.float64], won: NDArray[np.bool_]) -> list[tuple[float, float, int]]:
    """Of each tenth of the range in which there are forecasts: what was said on average, what came, how many."""
    bins = np.minimum((chances * BINS).astype(int), BINS - 1)
    return [(float(chances[bins == i].mean()), float(won[bins == i].mean()), int((bins == i).sum()))
            for i in range(BINS) if (bins == i).any()]  # fmt: skip


def brier(chances: NDArray[np.float64], won: NDArray[np.bool_]) -> float:
    """The mean squared error of forecasts (n,)."""
    return float(np.mean((chances - won) ** 2))


def chances(forecasts: Forecasts, calibration: tuple[float, float] = (1.0, 0.0)) -> NDArray[np.float64]:
    """Calibrated probabilities, (n,)."""
    scale, shift = calibration
    said: NDArray[np.float64] = F.sigmoid(torch.from_numpy(forecasts.logits).double() * scale + shift).numpy()
    return said
