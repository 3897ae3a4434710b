"""What changes from one decision of a game to the next, and how a network learns from that alone, on a processor.

Positions come in runs: so many decisions of one game, one after the other. The first of a run is compared with nothing,
all 0, each other one with the one before it: in Sammu-Ramat some 25 of 3,805 numbers differ. A first layer
adds what these make of it, and its gradients add up backwards along a run (as
:mod:`tabletop.agents.incremental` in play). Sums of embeddings are made in the same way.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import torch
from torch import Tensor

from tabletop.jit import entry, kernel

#: Numbers that are compared at once.
BLOCK = 64


class Changes(NamedTuple):
    """Of n positions; k are all changes of all."""

    fresh: Any  #: bool (n,), whether a position begins a run, or has another box than the one before it
    ends: Any  #: int64 (n,), how many changes there are up to those of a position
    places: Any  #: int64 (k,), which number changes
    old: Any  #: float32 (k,), from what
    new: Any  #: float32 (k,), to what


def changes(observations: Tensor, boxes: Tensor, run: int, parts: Tensor | None = None) -> Changes:
    """What changes along runs of so many positions.

    Args:
        observations: float32 or bfloat16 (n, size); ``boxes``: int64 (n,).
        parts: int64 (parts, 2), where the parts begin and end that are looked at, rising; by default all is.
    """
    bits = observations.contiguous().view({2: torch.int16, 4: torch.int32}[observations.element_size()]).numpy()
    own = boxes.numpy()
    fresh = np.arange(len(own)) % run == 0
    fresh[1:] |= own[1:] != own[:-1]
    ends, nothing = np.zeros(len(own), np.int64), np.zeros(bits.shape[1], bits.dtype)
    looked = np.array([[0, bits.shape[1]]]) if parts is None else parts.numpy()
    count(bits, nothing, looked, fresh, ends)
    np.cumsum(ends, out=ends)
    many = int(ends[-1]) if len(ends) else 0
    places, values = np.zeros(many, np.int64), np.zeros((2, many), bits.dtype)
    find(bits, nothing, looked, fresh, places, *values)
    old, new = torch.from_numpy(values).view(observations.dtype).float().numpy()
    return Changes(fresh, ends, places, old, new)


@entry
def count(seen: Any, nothing: Any, parts: Any, fresh: Any, counts: Any) -> None:
    """Writes how many numbers in some parts of each position, (n, size), differ from the one before, int64 (n,); of a
    fresh one, from nothing, (size,)."""
    for i in range(len(seen)):
        before = nothing if fresh[i] else seen[i - 1]
        n = 0
        for part in range(len(parts)):
            for j in range(parts[part, 0], parts[part, 1]):
                n += seen[i, j] != before[j]
        counts[i] = n


@entry
def find(seen: Any, nothing: Any, parts: Any, fresh: Any, places: Any, old: Any, new: Any) -> None:
    """Writes which numbers differ as :func:`count` counts them, and how."""
    n = 0
    for i in range(len(seen)):
        own, before, begin = seen[i], nothing if fresh[i] else seen[i - 1], n
        for part in range(len(parts)):
            n = differing(own, before, parts[part, 0], parts[part, 1], places, n)
        for k in range(begin, n):
            old[k], new[k] = before[places[k]], own[places[k]]


@kernel
def differing(new: Any, old: Any, begin: int, end: int, places: Any, n: int) -> int:
    """Writes which numbers from ``begin`` to below ``end`` differ, after n others; returns how many there are then."""
    for first in range(begin, end, BLOCK):
        last = min(first + BLOCK, end)
        if _differs(new[first:last], old[first:last]):
            for j in range(first, last):
                if new[j] != old[j]:
                    places[n] = j
                    n += 1
    return n


@kernel
def _differs(one: Any, other: Any) -> bool:
    many = 0
    for j in range(len(one)):
        many += one[j] != other[j]
    return many > 0


@entry
def multiply(fresh: Any, ends: Any, places: Any, old: Any, new: Any, weight: Any, bias: Any, said: Any) -> None:
    """Writes what a layer says, float32 (n, width), by its weight, (size, width), and bias, (width,)."""
    begin = 0
    for i in range(len(said)):
        said[i] = 0
        _add(said[i], bias if fresh[i] else said[i - 1], 1)
        for k in range(begin, ends[i]):
            _add(said[i], weight[places[k]], new[k] - old[k])
        begin = ends[i]


@entry
def multiply_back(
    fresh: Any, ends: Any, places: Any, old: Any, new: Any, weight: Any, bias: Any, said: Any, carried: Any
) -> None:
    """Adds to the gradients of weight and bias those of what was said; ``carried`` is room for float32 (width,)."""
    carried[:] = 0
    for i in range(len(said) - 1, -1, -1):
        _add(carried, said[i], 1)
        for k in range(ends[i - 1] if i else 0, ends[i]):
            _add(weight[places[k]], carried, new[k] - old[k])
        if fresh[i]:
            _add(bias, carried, 1)
            carried[:] = 0


@kernel
def _add(to: Any, what: Any, times: Any) -> None:
    """Adds one array, (length,), to another, so many times."""
    for x in range(len(to)):
        to[x] += np.float32(times) * what[x]


class First(torch.autograd.Function):
    """A layer's weight, float32 (width, size), its bias, (width,), and the changes of n positions: what it says of
    these, float32 (n, width)."""

    @staticmethod
    def forward(ctx: Any, weight: Tensor, bias: Tensor, along: Changes) -> Tensor:
        ctx.along, ctx.size = along, weight.shape[1]
        said = weight.new_empty(len(along.fresh), len(weight))
        multiply(*along, *(x.detach().numpy() for x in (weight.t().contiguous(), bias, said)))
        return said

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        said = grads[0].float().contiguous()
        weight, bias, carried = (said.new_zeros(*size, said.shape[1]) for size in ((ctx.size,), (), ()))
        multiply_back(*ctx.along, *(x.numpy() for x in (weight, bias, said, carried)))
        return weight.t(), bias, None


@entry
def add(
    fresh: Any, ends: Any, places: Any, old: Any, new: Any, sets: Any, things: Any, boxes: Any, embedded: Any, sums: Any
) -> None:  # fmt: skip
    """Writes for each set the sum, float32 (n, sets, length), of the embeddings, float32 (things, length), of what is
    in it, a number that is not 0.

    ``sets`` int64 (sets, 4) say where each begins and ends, and what it names first and how many; ``things`` int64
    (boxes, n_actions), ``boxes`` int64 (n,).
    """
    begin = 0
    for i in range(len(sums)):
        sums[i] = 0
        if not fresh[i]:
            for one in range(len(sets)):
                _add(sums[i, one], sums[i - 1, one], 1)
        for k in range(begin, ends[i]):
            more = np.float32(new[k] != 0) - np.float32(old[k] != 0)
            if more != 0:
                for one in range(len(sets)):
                    if sets[one, 0] <= places[k] < sets[one, 1]:
                        _add(sums[i, one], embedded[thing_of(places[k], sets[one], things[boxes[i]])], more)
        begin = ends[i]


@entry
def add_back(
    fresh: Any, ends: Any, places: Any, old: Any, new: Any, sets: Any, things: Any, boxes: Any, embedded: Any,
    sums: Any, carried: Any,
) -> None:  # fmt: skip
    """Adds to the gradients of embeddings those of the sums; ``carried`` is room for float32 (sets, length)."""
    carried[:] = 0
    for i in range(len(sums) - 1, -1, -1):
        for one in range(len(sets)):
            _add(carried[one], sums[i, one], 1)
        for k in range(ends[i - 1] if i else 0, ends[i]):
            more = np.float32(new[k] != 0) - np.float32(old[k] != 0)
            if more != 0:
                for one in range(len(sets)):
                    if sets[one, 0] <= places[k] < sets[one, 1]:
                        _add(embedded[thing_of(places[k], sets[one], things[boxes[i]])], carried[one], more)
        if fresh[i]:
            carried[:] = 0


@kernel
def thing_of(place: int, one: Any, things: Any) -> int:
    """The thing that a place of a set names in a box: of rows of ``sets`` and ``things``, as in :func:`add`."""
    thing: int = things[one[2] + (place - one[0]) % one[3]]
    return thing


class Sums(torch.autograd.Function):
    """Of embeddings float32 (things, length), the changes of n positions, and ``where``: ``sets``, ``things`` and
    ``boxes`` as in :func:`add`: the sums, float32 (n, sets * length)."""

    @staticmethod
    def forward(ctx: Any, embedded: Tensor, along: Changes, *where: Tensor) -> Tensor:
        ctx.along, ctx.many = along, len(embedded)
        ctx.save_for_backward(*where)
        sums = embedded.new_empty(len(along.fresh), len(where[0]), embedded.shape[1])
        add(*along, *(x.detach().numpy() for x in (*where, embedded, sums)))
        return sums.flatten(1)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        where = ctx.saved_tensors
        sums = grads[0].float().contiguous().unflatten(1, (len(where[0]), -1))
        embedded, carried = sums.new_zeros(ctx.many, sums.shape[2]), sums.new_zeros(sums.shape[1:])
        add_back(*ctx.along, *(x.numpy() for x in (*where, embedded, sums, carried)))
        return embedded, None, None, None, None


__all__ = ["Changes", "First", "Sums", "changes", "differing", "thing_of"]
