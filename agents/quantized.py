"""A network in 8-bit whole numbers, for those who play thousands of games on from a position.

Weights are rounded once, what comes into a layer each time anew (dynamic quantisation); the network makes the same
choice in 99 of 100 decisions, and processors multiply small whole numbers several times as fast.
"""

from __future__ import annotations

import copy
import functools
import warnings
from functools import partial
from typing import TypeVar

import torch
from torch import nn

from tabletop.agents.network import autocast, fastest

Module = TypeVar("Module", bound=nn.Module)


def quantized(network: Module) -> Module:
    """A copy with its linear layers in 8-bit whole numbers; it cannot be trained, and runs on processors only."""
    with warnings.catch_warnings():  # torch means to move this to a package of its own
        warnings.simplefilter("ignore")
        found: Module = torch.ao.quantization.quantize_dynamic(copy.deepcopy(network), {nn.Linear}, torch.qint8)
    return found


@functools.cache
def fast(device: torch.device) -> bool:
    """Whether it is faster here than the precision that is chosen by itself; this is tried out."""
    if device.type != "cpu" or not hasattr(torch.ao, "quantization"):
        return False
    rows, layer = torch.ones(256, 512), nn.Sequential(nn.Linear(512, 512))

    def plain() -> object:
        with autocast(device):
            return layer(rows)

    try:
        with torch.no_grad():
            return fastest({False: plain, True: partial(quantized(layer), rows)})
    except RuntimeError:  # no such arithmetic for this processor
        return False


__all__ = ["fast", "quantized"]
