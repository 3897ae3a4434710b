"""Sums of embeddings on a processor: what torch does in many steps over all that an observation tells, in one."""

from __future__ import annotations

from typing import Any

import torch
from torch import Tensor

from tabletop.jit import entry


@entry
def add(back: bool, seen: Any, sets: Any, things: Any, boxes: Any, embedded: Any, sums: Any) -> None:
    """Adds to each sum, float32 (n, sets, length), the embeddings, float32 (things, length), of what is in its set; or
    ``back``: each sum to all that it was made of.

    ``seen`` (n, size) are whole numbers, 0 for what is not there; ``sets`` int64 (sets, 4) say where each begins and
    ends, and what it names first and how many; ``things`` int64 (boxes, n_actions), ``boxes`` int64 (n,).
    """
    for i in range(len(seen)):
        thing = things[boxes[i]]
        for k in range(len(sets)):
            begin, end, first, many = sets[k]
            for j in range(begin, end):
                if seen[i, j] != 0:
                    own = embedded[thing[first + (j - begin) % many]]
                    if back:
                        for x in range(len(own)):
                            own[x] += sums[i, k, x]
                    else:
                        for x in range(len(own)):
                            sums[i, k, x] += own[x]


class Sums(torch.autograd.Function):
    """Of embeddings float32 (things, length), observations (n, size), and ``where``: ``sets``, ``things`` and ``boxes``
    as in :func:`add`: the sums, float32 (n, sets * length)."""

    @staticmethod
    def forward(ctx: Any, embedded: Tensor, observations: Tensor, *where: Tensor) -> Tensor:
        seen = observations.view({2: torch.int16, 4: torch.int32}[observations.element_size()])
        ctx.save_for_backward(seen, *where)
        ctx.many = len(embedded)
        sums = embedded.new_zeros(len(seen), len(where[0]), embedded.shape[1])
        add(False, *(x.detach().numpy() for x in (seen, *where, embedded, sums)))
        return sums.flatten(1)

    @staticmethod
    def backward(ctx: Any, *grads: Tensor) -> tuple[Tensor | None, ...]:
        seen, *where = ctx.saved_tensors
        grad = grads[0].float().contiguous().unflatten(1, (len(where[0]), -1))
        embedded = grad.new_zeros(ctx.many, grad.shape[2])
        add(True, *(x.numpy() for x in (seen, *where, embedded, grad)))
        return embedded, None, None, None, None


__all__ = ["Sums"]
