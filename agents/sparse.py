"""A linear layer over observations that are mostly zeros: only what is there is multiplied."""

from __future__ import annotations

from functools import partial
from typing import Any

import torch
from torch import Tensor, nn

from tabletop.agents.network import autocast, fastest
from tabletop.jit import entry

#: What of an observation is not zero, as a share, where ways are tried out; and in how many observations.
THERE, ROWS = 0.1, 64


@entry
def multiply(seen: Any, weight: Any, bias: Any, there: Any, out: Any) -> None:
    """Writes observations, float32 (n, size), times weights, float32 (size, width), and a bias, float32 (width,), into
    ``out``, float32 (n, width). ``there`` is room for int64 (size,)."""
    for i in range(len(seen)):
        own, n = out[i], 0
        for j in range(len(weight)):
            if seen[i, j] != 0:
                there[n] = j
                n += 1
        for x in range(len(own)):
            own[x] = bias[x]
        for k in range(0, n - 3, 4):  # four at a time: what is written to is fetched as often
            a, b, c, d = there[k], there[k + 1], there[k + 2], there[k + 3]
            p, q, r, s = seen[i, a], seen[i, b], seen[i, c], seen[i, d]
            for x in range(len(own)):
                own[x] += p * weight[a, x] + q * weight[b, x] + r * weight[c, x] + s * weight[d, x]
        for k in range(n - n % 4, n):
            a, p = there[k], seen[i, there[k]]
            for x in range(len(own)):
                own[x] += p * weight[a, x]


class Sparse(nn.Module):
    """What a linear layer says, in float32; it cannot be trained, and runs on processors only."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.weight = layer.weight.detach().float().t().contiguous()
        self.bias = layer.bias.detach().float()

    def forward(self, observations: Tensor) -> Tensor:
        """Float (n, size) to float32 (n, width)."""
        seen = observations.float().contiguous()
        out = seen.new_empty(len(seen), len(self.bias))
        there = torch.empty(seen.shape[1], dtype=torch.long)
        multiply(*(x.numpy() for x in (seen, self.weight, self.bias, there, out)))
        return out


def fastest_first(layer: nn.Module, other: nn.Module, precision: str) -> nn.Module:
    """The faster here of a sparse copy of a linear layer, and of another that does the same; this is tried out."""
    if not isinstance(layer, nn.Linear) or layer.weight.device.type != "cpu":
        return other
    rows = (torch.rand(ROWS, layer.in_features, generator=torch.Generator().manual_seed(0)) < THERE).float()
    sparse = Sparse(layer)
    with torch.no_grad(), autocast(layer.weight.device, precision):
        return fastest({way: partial(way, rows) for way in (other, sparse)})


__all__ = ["Sparse", "fastest_first"]
