"""Several processes that train one team, started by torchrun; alone, a process shares everything with itself.

Game i is played by process i modulo their number. Draws are a game's own, or made alike in every process, for all
games, so that the team learnt is that of one process.
"""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, TypeVar

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch import distributed as dist

from tabletop.batch import processors

T = TypeVar("T")
#: How long a process waits for the others: the rules may have to be compiled first.
PATIENCE = timedelta(hours=1)


@dataclass(frozen=True)
class Processes:
    """Those that train together, as one of them sees it. What it asks of all, all must ask in the same order."""

    rank: int = 0  #: which of all processes this is
    world_size: int = 1  #: how many there are
    local_rank: int = 0  #: which of those on this machine
    local_world_size: int = 1

    @classmethod
    def join(cls) -> Processes:
        """Those that torchrun has started, or this one alone."""
        if int(os.environ.get("WORLD_SIZE", "1")) == 1:
            return cls()
        if not dist.is_initialized():
            dist.init_process_group("cpu:gloo,cuda:nccl" if torch.cuda.is_available() else "gloo", timeout=PATIENCE)
            atexit.register(_leave)
        rank, size = dist.get_rank(), dist.get_world_size()
        local = (int(os.environ.get(*own)) for own in (("LOCAL_RANK", rank), ("LOCAL_WORLD_SIZE", size)))
        return cls(rank, size, *local)

    @property
    def own(self) -> slice:
        """Which of all games this process plays."""
        return slice(self.rank, None, self.world_size)

    @property
    def first(self) -> bool:
        """Whether this is the process that reads, writes and tells."""
        return self.rank == 0

    @property
    def processors(self) -> int:
        """How many this process may use, of those that it shares with the others of its machine."""
        return max(1, processors() // self.local_world_size)

    def part(self, n: int, what: str) -> int:
        """Of n things that all processes share, how many are this one's.

        Raises:
            ValueError: they cannot be shared evenly; ``what`` says what they are.
        """
        if n % self.world_size:
            raise ValueError(f"{what} is {n}, which {self.world_size} processes cannot share evenly: choose a multiple "
                             f"of {self.world_size}")  # fmt: skip
        return n // self.world_size

    def total(self, x: Tensor) -> Tensor:
        """The sum of every process's tensor, in its place."""
        if self.world_size > 1:
            dist.all_reduce(x)
        return x

    def moments(self, x: Tensor, counts: Tensor) -> tuple[Tensor, Tensor]:
        """Mean and deviation of what all have, float32 (n,), where bool (n,) says that it counts; 0 if nothing does."""
        n, total = self.total(torch.stack((counts.sum(), (x * counts).sum())))
        n = n.clamp(min=1)
        mean = total / n
        return mean, (self.total(((x - mean) * counts).square().sum()) / n).sqrt()

    def average_gradients(self, network: nn.Module) -> None:
        """Every process has the mean of all."""
        if self.world_size > 1:
            gradients = [x.grad for x in network.parameters() if x.grad is not None]
            mean = self.total(torch.cat([x.flatten() for x in gradients])) / self.world_size
            for own, new in zip(gradients, mean.split([x.numel() for x in gradients]), strict=True):
                own.copy_(new.view_as(own))

    def any(self, *asked: bool) -> list[bool]:
        """Of each question, whether any process says yes."""
        return [x > 0 for x in self.total(torch.tensor(asked, dtype=torch.int64)).tolist()]

    def gather(self, x: NDArray[Any]) -> NDArray[Any]:
        """What every process has of its games, (own, ...) numbers or records, as that of all games, (n, ...)."""
        if self.world_size == 1:
            return x
        size = x.itemsize * int(np.prod(x.shape[1:]))
        mine = torch.from_numpy(np.ascontiguousarray(x).view(np.uint8).reshape(len(x), size))
        parts = [torch.empty_like(mine) for _ in range(self.world_size)]
        dist.all_gather(parts, mine)
        every: NDArray[Any] = torch.stack(parts, 1).numpy().reshape(-1).view(x.dtype)
        return every.reshape(-1, *x.shape[1:])

    def each(self, x: T) -> list[T]:
        """What every process has, anything that can be pickled."""
        found: list[T] = [x] * self.world_size
        if self.world_size > 1:
            dist.all_gather_object(found, x)
        return found

    def of_first(self, make: Callable[[], T]) -> T:
        """What the first process makes, anything that can be pickled.

        Raises:
            ValueError: in all processes, with what the first one said; an OSError, too, is one in several.
        """
        if self.world_size == 1:
            return make()
        found: list[Any] = [None, None]
        if self.first:
            try:
                found[0] = make()
            except (ValueError, OSError) as error:
                found[1] = str(error)
        dist.broadcast_object_list(found)
        if found[1] is not None:
            raise ValueError(found[1])
        made: T = found[0]
        return made


def _leave() -> None:
    """Before the interpreter ends: threads of gloo that have yet to let go of tensors need it, or abort the process."""
    time.sleep(0.1)
    dist.destroy_process_group()


ALONE = Processes()


__all__ = ["ALONE", "Processes"]
