"""The network: one trunk for every challenge, number of players and seat, and three heads.

It reads what a seat sees (:meth:`tabletop.game.Game.observe`) and answers, for each of n positions, how good every
choice of the catalogue is, what the game is worth, and how likely it is to be won. It knows no rule of any game.
"""

from __future__ import annotations

from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional as F

#: Width of the layer between the trunk and each of the two small heads.
HEAD = 128


class Judgement(NamedTuple):
    """What the network says of n positions."""

    logits: Tensor  #: float32 (n, n_actions), of every choice, legal or not
    value: (
        Tensor  #: float32 (n,) discounted rewards to come; trained with what is hidden from the seat, if that is told
    )
    win: Tensor  #: float32 (n,) logit that the next reward is one for winning, from what the seat sees alone


class Block(nn.Module):
    """A residual block after normalisation (pre-LN), two layers as wide as the trunk."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.norm = nn.LayerNorm(width)
        self.inner, self.outer = nn.Linear(width, width), nn.Linear(width, width)

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = x + self.outer(F.relu(self.inner(self.norm(x))))
        return y


class Trunk(nn.Module):
    """Observations, float (n, size), to features (n, width)."""

    def __init__(self, size: int, width: int, blocks: int) -> None:
        super().__init__()
        self.width = width
        self.first = nn.Linear(size, width)
        self.blocks = nn.Sequential(*(Block(width) for _ in range(blocks)))
        self.norm = nn.LayerNorm(width)

    def forward(self, observations: Tensor) -> Tensor:
        return F.relu(self.norm(self.blocks(self.first(observations))))


class Network(nn.Module):
    """The trunk and its heads.

    Args:
        size: length of an observation.
        hidden_size: length of what is hidden from the seat, which the value head is told in training (a centralised
            critic); 0 for a game in which all lies open.
        n_actions: size of the catalogue.
        width: of the trunk.
        blocks: residual blocks in the trunk.
    """

    calibration: Tensor  #: float32 (2,) scale and shift of the logit of winning, fitted on games not trained on

    def __init__(self, size: int, hidden_size: int, n_actions: int, width: int = 512, blocks: int = 1) -> None:
        super().__init__()
        self.trunk = Trunk(size, width, blocks)
        self.policy = nn.Linear(width, n_actions)
        self.seen = nn.Linear(width, HEAD)
        self.unseen = nn.Linear(hidden_size, HEAD, bias=False) if hidden_size else None
        self.value = nn.Linear(HEAD, 1)
        self.outlook, self.win = nn.Linear(width, HEAD), nn.Linear(HEAD, 1)
        self.register_buffer("calibration", torch.tensor([1.0, 0.0]))
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, 2**0.5)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        with torch.no_grad():
            for last in (self.policy, self.value, self.win):
                last.weight.mul_(0.01)  # begins with an even policy, worth nothing, half won

    def forward(self, observations: Tensor, hidden: Tensor | None = None) -> Judgement:
        """Judges n positions.

        Args:
            observations: float (n, size).
            hidden: float (n, hidden_size), or None where nothing is hidden or nobody may tell.
        """
        features = self.trunk(observations)
        win = self.win(F.relu(self.outlook(features))).squeeze(-1).float()
        return Judgement(self.policy(features).float(), self._value(features, hidden), win)

    def _value(self, features: Tensor, hidden: Tensor | None) -> Tensor:
        known = self.seen(features)
        if hidden is not None and self.unseen is not None:
            known = known + self.unseen(hidden)
        value: Tensor = self.value(F.relu(known)).squeeze(-1).float()
        return value

    def win_probability(self, win: Tensor) -> Tensor:
        """Calibrated probabilities, float32 (n,), of the logits of :class:`Judgement`."""
        scale, shift = self.calibration
        return torch.sigmoid(scale * win + shift)


class Choices(NamedTuple):
    """The legal choices of n positions, side by side: far fewer than the catalogue has."""

    actions: Tensor  #: int64 (n, most), numbers of the catalogue, 0 where a position has fewer
    legal: Tensor  #: bool (n, most)


def choices(masks: Tensor) -> Choices:
    """Of masks, bool (n, n_actions), with at least one choice in some row."""
    rows, columns = masks.nonzero(as_tuple=True)
    counts = masks.sum(1)
    most = int(counts.max())
    place = torch.arange(len(rows), device=masks.device) - (counts.cumsum(0) - counts)[rows]
    actions = torch.zeros(len(masks), most, dtype=torch.long, device=masks.device)
    actions[rows, place] = columns
    return Choices(actions, torch.arange(most, device=masks.device) < counts[:, None])


def log_policy(logits: Tensor, legal: Choices) -> Tensor:
    """Log probabilities, float32 (n, most), of the legal choices; a very low number where there is none."""
    own = logits.gather(1, legal.actions).masked_fill(~legal.legal, -1e9)
    return F.log_softmax(own, dim=1)


def autocast(device: torch.device, precision: str = "auto") -> torch.autocast:
    """The context that a network runs in.

    Args:
        precision: "bfloat16", "float32", or "auto": bfloat16 where the processor multiplies it faster.

    Raises:
        ValueError: no such precision.
    """
    if precision not in ("auto", "bfloat16", "float32"):
        raise ValueError(f"precision is {precision!r}, choose one of auto, bfloat16, float32")
    fast = precision == "bfloat16" or (precision == "auto" and _fast_bfloat16(device))
    return torch.autocast(device.type, torch.bfloat16, enabled=fast)


def _fast_bfloat16(device: torch.device) -> bool:
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported()
    return device.type == "cpu" and torch.cpu._is_avx512_bf16_supported()
