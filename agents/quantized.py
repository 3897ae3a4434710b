"""A network in 8-bit whole numbers, for those who play thousands of games on from a position.

Weights are rounded once, what comes into a layer each time anew (dynamic quantisation); the network makes the same
choice in 99 of 100 decisions, and processors multiply small whole numbers several times as fast.
"""

from __future__ import annotations

import copy
import functools
import math
import time
import warnings

import torch
from torch import nn

from tabletop.agents.network import Network, autocast


def quantized(network: Network) -> Network:
    """A copy with its linear layers in 8-bit whole numbers; it cannot be trained, and runs on processors only."""
    with warnings.catch_warnings():  # torch means to move this to a package of its own
        warnings.simplefilter("ignore")
        found: Network = torch.ao.quantization.quantize_dynamic(copy.deepcopy(network), {nn.Linear}, torch.qint8)
    return found


@functools.cache
def fast(device: torch.device) -> bool:
    """Whether it is faster here than the precision that is chosen by itself; this is tried out."""
    if device.type != "cpu" or not hasattr(torch.ao, "quantization"):
        return False
    rows, plain = torch.ones(256, 512), nn.Linear(512, 512)
    threads, best = torch.get_num_threads(), {"plain": math.inf, "quantized": math.inf}  # seconds
    torch.set_num_threads(1)  # as processes that play worlds on
    try:
        with torch.no_grad(), warnings.catch_warnings():
            warnings.simplefilter("ignore")
            whole = torch.ao.quantization.quantize_dynamic(nn.Sequential(plain), {nn.Linear}, torch.qint8)
            for _ in range(12):
                for name, layer in (("plain", plain), ("quantized", whole)):
                    begun = time.perf_counter()
                    if name == "plain":
                        with autocast(device):
                            layer(rows)
                    else:
                        layer(rows)
                    best[name] = min(best[name], time.perf_counter() - begun)
    except RuntimeError:  # no such arithmetic for this processor
        return False
    finally:
        torch.set_num_threads(threads)
    return best["quantized"] < best["plain"]


__all__ = ["fast", "quantized"]
