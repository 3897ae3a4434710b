"""Logits of legal choices alone, and how a layer learns by them, on a processor; a catalogue has many times as many."""

from __future__ import annotations

from typing import Any

import numpy as np
import torch
from torch import Tensor

from tabletop.jit import entry, kernel

#: Products that are added at once, each to a sum of its own.
LANES = 16


@kernel
def product(a: Any, b: Any, lanes: Any) -> Any:
    """The sum of products of two arrays float32 (length,); ``lanes`` is room for float32 (LANES,)."""
    lanes[:] = 0
    whole = len(a) - len(a) % LANES
    for x in range(0, whole, LANES):
        for lane in range(LANES):
            lanes[lane] += a[x + lane] * b[x + lane]
    total = np.float32(0)
    for lane in range(LANES):
        total += lanes[lane]
    for x in range(whole, len(a)):
        total += a[x] * b[x]
    return total


@entry
def multiply(features: Any, weight: Any, bias: Any, actions: Any, legal: Any, lanes: Any, logits: Any) -> None:
    """Writes the logits, float32 (n, most), of legal choices, ``actions`` int64 and ``legal`` bool (n, most): of a
    layer, float32 (n_actions, width) and (n_actions,), by features, (n, width)."""
    for i in range(len(features)):
        for m in range(actions.shape[1]):
            if legal[i, m]:
                a = actions[i, m]
                logits[i, m] = bias[a] + product(features[i], weight[a], lanes)


@entry
def multiply_back(
    actions: Any, legal: Any, logits: Any, weight: Any, own: Any, features: Any, weights: Any, bias: Any
) -> None:
    """Adds to the gradients of features, weight and bias those of the logits; ``own`` are the features."""
    for i in range(len(own)):
        for m in range(actions.shape[1]):
            if legal[i, m]:
                a, much = actions[i, m], logits[i, m]
                bias[a] += much
                for x in range(own.shape[1]):
                    features[i, x] += much * weight[a, x]
                    weights[a, x] += much * own[i, x]


class Logits(torch.autograd.Function):
    """Features, float32 (n, width), a layer's weight and bias, and legal choices as in :func:`multiply`: their logits,
    float32 (n, most), 0 where there is no choice."""

    @staticmethod
    def forward(ctx: Any, features: Tensor, weight: Tensor, bias: Tensor, actions: Tensor, legal: Tensor) -> Tensor:
        ctx.save_for_backward(features, weight, actions, legal)
        logits = features.new_zeros(legal.shape)
        room = torch.zeros(LANES), logits
        multiply(*(x.detach().numpy() for x in (features, weight, bias, actions, legal, *room)))
        return logits

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        features, weight, actions, legal = (x.detach() for x in ctx.saved_tensors)
        found = [torch.zeros_like(features), torch.zeros_like(weight), weight.new_zeros(len(weight))]
        multiply_back(*(x.numpy() for x in (actions, legal, grads[0].contiguous(), weight, features, *found)))
        return *found, None, None


__all__ = ["LANES", "Logits", "product"]
