"""Training of small games in seconds: what its tests have in common."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import torch

from tabletop.game import Game
from tabletop.training.config import Config, check
from tabletop.training.evaluate import Cell
from tabletop.training.ppo import Learner
from tabletop.training.starts import Starts
from tabletop.training.train import Run


def settings(**changes: Any) -> Config:
    small = {
        "decisions": 60_000, "games": 64, "length": 16, "threads": 1, "precision": "float32", "device": "cpu",
        "network": {"width": 32, "blocks": 1}, "validation": {"every": 30_000, "games": 50},
        "ppo": {"minibatch": 256, "learning_rate": [3e-3, 1e-4], "gamma": 1.0, "epochs": 3},
    }  # fmt: skip
    return check({**small, **changes})


def cells(game: Game) -> list[Cell]:
    """Games of two to four players."""
    return [Cell({"task": game.name, "players": n}, game.configure(n)) for n in (2, 3, 4)]


def run(game: Game, folder: Path, **changes: Any) -> Run:
    return Run(game, settings(**changes), folder, (cells(game), [1.0, 1.0, 1.0]))


def learner(game: Game, **changes: Any) -> Learner:
    config = settings(**changes)
    torch.manual_seed(1)
    starts = Starts(game, cells(game), np.ones(3), config.games, range(1000), config.sampler, config.mid_game,
                    np.random.default_rng(0))  # fmt: skip
    return Learner(game, config, starts, torch.device("cpu"))
