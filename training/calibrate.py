"""Whether seats win as often as the network says (Platt 1999; Guo et al. 2017).

Two numbers, the scale and the shift of its logits, are fitted on validation games, and what it says then is measured on
test games. Not of tasks in which the network speaks of a part of the game (``Task.forecasts``).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional as F

from tabletop.agents import checkpoint
from tabletop.agents.policy import Policy
from tabletop.game import Game, Record, winners
from tabletop.games import extra
from tabletop.training.tasks import SPLITS, find, game_of

BINS = 10
DRAWN = 8  #: decisions that are looked at in each game


@dataclass(frozen=True)
class Forecasts:
    """What was said of positions, and what came of them."""

    logits: NDArray[np.float32]  #: (n,) of winning, before calibration
    won: NDArray[np.bool_]  #: (n,)

    def fit(self) -> tuple[float, float]:
        """Scale and shift of the logits under which the forecasts are likeliest.

        Platt's targets stand for the outcomes, a little short of 0 and 1: so there is a best scale even where the
        forecasts tell all games won from all games lost.
        """
        lost, won = int((~self.won).sum()), int(self.won.sum())
        logits = torch.from_numpy(self.logits).double()
        target = torch.from_numpy(np.where(self.won, (won + 1) / (won + 2), 1 / (lost + 2)))
        fitted = torch.tensor([1.0, 0.0], dtype=torch.float64, requires_grad=True)
        search = torch.optim.LBFGS([fitted], max_iter=200, tolerance_change=1e-12, line_search_fn="strong_wolfe")

        def loss() -> torch.Tensor:
            search.zero_grad()
            found = F.binary_cross_entropy_with_logits(fitted[0] * logits + fitted[1], target)
            found.backward()
            return found

        search.step(loss)
        scale, shift = fitted.tolist()
        return scale, shift

    def chances(self, scale: float = 1.0, shift: float = 0.0) -> NDArray[np.float64]:
        """Probabilities of winning, (n,)."""
        said: NDArray[np.float64] = torch.sigmoid(torch.from_numpy(self.logits).double() * scale + shift).numpy()
        return said


def calibrate(game: Game, path: Path, tasks: Sequence[str] | None = None, games: int = 200) -> dict[str, Any]:
    """Fits a checkpoint and measures it; its weights keep the scale and shift, its card the measures too.

    Args:
        path: of the weights, which are written again.
        tasks: what is played, every cell alike; None: of the tasks that the game shows those that can be.
        games: in each cell, of the validation seeds and again of the test seeds.

    Returns:
        the card.

    Raises:
        ValueError: the checkpoint is refused, or says what is no number, or nothing of who wins; a task is unknown, or
            one in which the network speaks of a part.
    """
    tasks = list(tasks or (name for name in extra(game, "shown") if extra(game, "tasks")[name].forecasts))
    if not tasks:
        raise ValueError(f"{game.name} shows no tasks of its own: name those to play")
    every = game_of(game, [find(game, name) for name in tasks], "validation", "test")
    network, card = checkpoint.load(path, every)
    policy = Policy(every, network)
    scale, shift = (float(np.float16(x)) for x in hear(policy, tasks, "validation", games).fit())  # as kept on disk
    if not np.isfinite([scale, shift]).all():
        raise ValueError(f"{path}: what it says of winning is no number in some games, so it cannot be calibrated")
    if scale <= 0:
        raise ValueError(f"{path}: what it says of winning tells nothing of who wins: the logits would be scaled by "
                         f"{scale}, expected above 0. Choose more games, or train it further")  # fmt: skip
    network.calibration.copy_(torch.tensor([scale, shift]))
    tested = hear(policy, tasks, "test", games)
    before, after = (measure(chances, tested.won) for chances in (tested.chances(), tested.chances(scale, shift)))
    card["calibration"] = {"scale": scale, "shift": shift, "tasks": tasks, "edition": every.edition, "games": games,
                           "before": before, "after": after}  # fmt: skip
    checkpoint.save(path, network, game, card)
    return card


def hear(policy: Policy, tasks: Sequence[str], split: str, games: int) -> Forecasts:
    """What the network says in the first games of every cell of some tasks; errors as of :func:`calibrate`."""
    chosen = [find(policy.game, name) for name in tasks]
    if wrong := [task.name for task in chosen if not task.forecasts]:
        raise ValueError(f"of task {wrong[0]} there is nothing to calibrate: the network speaks of a part of the game")
    cells = [cell for task in chosen for cell in task.cells(policy.game, split)]
    seeds = SPLITS[split].start + np.arange(games, dtype=np.int64)
    return listen(policy, np.concatenate([cell.setups(0, games) for cell in cells]), np.tile(seeds, len(cells)))


def listen(policy: Policy, setups: Record, seeds: NDArray[np.int64]) -> Forecasts:
    """Plays games, (n,), and takes of each what the network says of winning, or of sharing the win, to the seats that
    are asked at ``DRAWN`` decisions drawn from all: so every game weighs the same, however long it lasts."""
    rng = np.random.default_rng(int(seeds[0]))
    said = np.zeros((len(setups), DRAWN), np.float32)
    told = np.zeros((len(setups), DRAWN), np.int64)  # the seat
    decisions = np.zeros((len(setups), 1), np.int64)

    def note(asked: NDArray[np.int64], seats: NDArray[np.int64], logits: NDArray[np.float32]) -> None:
        decisions[asked] += 1
        drawn = rng.random((len(asked), DRAWN)) * decisions[asked] < 1  # one of k, when k is how many there were
        said[asked] = np.where(drawn, logits[:, None], said[asked])
        told[asked] = np.where(drawn, seats[:, None], told[asked])

    won = winners(policy.game.results(policy.play(setups, seeds, note)))
    return Forecasts(said.ravel(), np.take_along_axis(won, told, 1).ravel())


def measure(chances: NDArray[np.float64], won: NDArray[np.bool_]) -> dict[str, Any]:
    """Of forecasts (n,), as plain data: how many, their errors, and of each tenth of the range in which there are some
    what was said on average, what came, and how many."""
    table = [[round(said, 5), round(came, 5), n] for said, came, n in reliability(chances, won)]
    return {"forecasts": len(won), "error": round(error(chances, won), 5), "brier": round(brier(chances, won), 5),
            "won": round(float(np.mean(won)), 5), "table": table}  # fmt: skip


def reliability(chances: NDArray[np.float64], won: NDArray[np.bool_]) -> list[tuple[float, float, int]]:
    """Of each tenth of the range in which there are forecasts (n,): what was said on average, what came, how many."""
    bins = np.minimum((chances * BINS).astype(int), BINS - 1)
    return [(float(chances[bins == i].mean()), float(won[bins == i].mean()), int((bins == i).sum()))
            for i in range(BINS) if (bins == i).any()]  # fmt: skip


def error(chances: NDArray[np.float64], won: NDArray[np.bool_]) -> float:
    """The expected calibration error of forecasts (n,): how far off they are in tenths of the range, on average."""
    return float(sum(abs(said - came) * n for said, came, n in reliability(chances, won)) / max(len(won), 1))


def brier(chances: NDArray[np.float64], won: NDArray[np.bool_]) -> float:
    """The mean squared error of forecasts (n,) (Brier 1950)."""
    return float(np.mean((chances - won) ** 2))
