"""A network for games that are followed: its first layer multiplies only what has changed since a game's last decision.

From one decision to the next few of the numbers that a seat sees change, in Sammu-Ramat some 25 of 3,805. So what the
first layer said of a game is kept, and what the changes make of it is added (efficiently updatable networks; Nasu 2018,
as programs for shogi and chess have them). Sums of embeddings are part of it, multiplied once for all; and of the
catalogue only the legal choices are judged. All of it says the same as the network, up to rounding.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from functools import partial
from threading import Lock
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from tabletop.agents.changes import differing, thing_of
from tabletop.agents.legal import LANES, product
from tabletop.agents.network import EMBEDDING, Choices, Network
from tabletop.batch import WORTH, pool
from tabletop.jit import entry, kernel

#: Positions are judged by multiples of this, or by a power of two: each new number of rows costs torch some 30 ms, to
#: prepare for it.
ROWS = 64


def padded(games: NDArray[np.int64], most: int) -> NDArray[np.int64]:
    """Games, int64 (k,), and some of them again, at most so many: a number of rows that comes often (ROWS)."""
    few = 1 << (len(games) - 1).bit_length()
    return np.resize(games, min(most, few, -(-len(games) // ROWS) * ROWS))


@entry
def follow(
    seen: Any, boxes: Any, began: Any, games: Any, weight: Any, bias: Any, sets: Any, things: Any, shares: Any,
    kept: Any, kept_began: Any, said: Any, changed: Any,
) -> None:  # fmt: skip
    """Brings some games up to date.

    Args:
        seen: float32 (n, size), what is seen in each place; ``games``, int64 (k,), each once, are looked at.
        boxes, began: int64 (n,), the box that is played with, and which game it is of those in this place.
        weight, bias: of the layer, float32 (size, width) and (width,).
        sets, things: as in :func:`tabletop.agents.changes.add`.
        shares: float32 (sets, things, width), what each thing adds that is in a set.
        kept, kept_began, said: what was seen, float32 (n, size), of which game, int64 (n,), and what was said of it,
            float32 (n, width); they are written to. A game of -1: nothing was seen.
        changed: room for int64 (size,).
    """
    for g in games:
        new, old, own = seen[g], kept[g], said[g]
        if kept_began[g] != began[g]:  # what an earlier game left of rounding would make it another game
            kept_began[g] = began[g]
            old[:] = 0
            for x in range(len(own)):
                own[x] = bias[x]
        n = differing(new, old, 0, len(new), changed, 0)
        _multiply(new, old, changed[:n], weight, own)
        _share(new, old, changed[:n], sets, things, boxes[g], shares, own)
        for k in range(n):
            old[changed[k]] = new[changed[k]]


@kernel
def _multiply(new: Any, old: Any, changed: Any, weight: Any, said: Any) -> None:
    """Adds what changes make to what the layer says."""
    n = len(changed)
    for k in range(0, n - 3, 4):  # four at a time: what is written to is fetched as often
        a, b, c, d = changed[k], changed[k + 1], changed[k + 2], changed[k + 3]
        p, q, r, s = new[a] - old[a], new[b] - old[b], new[c] - old[c], new[d] - old[d]
        for x in range(len(said)):
            said[x] += p * weight[a, x] + q * weight[b, x] + r * weight[c, x] + s * weight[d, x]
    for k in range(n - n % 4, n):
        a = changed[k]
        p = new[a] - old[a]
        for x in range(len(said)):
            said[x] += p * weight[a, x]


@kernel
def _share(new: Any, old: Any, changed: Any, sets: Any, things: Any, box: int, shares: Any, said: Any) -> None:
    """Adds what things add that have come to a set, and takes away what those did that have gone."""
    for j in changed:
        more = np.float32(new[j] != 0) - np.float32(old[j] != 0)
        if more == 0:
            continue
        for i in range(len(sets)):
            if sets[i, 0] <= j < sets[i, 1]:
                own = shares[i, thing_of(j, sets[i], things[box])]
                for x in range(len(said)):
                    said[x] += more * own[x]


@entry
def judge(
    features: Any, wanted: Any, asked: Any, seen: Any, boxes: Any, games: Any, weight: Any, bias: Any, things: Any,
    named: Any, embedded: Any, about: Any, lanes: Any, actions: Any, legal: Any, logits: Any,
) -> None:  # fmt: skip
    """Writes the logits, float32 (k, most), of legal choices: ``actions`` int64 and ``legal`` bool, (k, most).

    Args:
        features, wanted, asked: float32 (k, width), (k, length) and (k, columns), of the positions.
        seen, boxes, games: float32 (n, size), int64 (n,), and of each position its place there, int64 (k,).
        weight, bias: of the catalogue, float32 (n_actions, width) and (n_actions,).
        things, embedded: as in :func:`tabletop.agents.changes.add`; ``named``: bool (n_actions,), whether a choice
            names one.
        about: int64 (n_actions, columns), which numbers say something of a choice; ``size`` if none does.
        lanes: room for float32 (LANES,).
    """
    for i in range(len(games)):
        g = games[i]
        for m in range(actions.shape[1]):
            if legal[i, m]:
                logits[i, m] = _logit(
                    actions[i, m], features[i], wanted[i], asked[i], seen[g], weight, bias, things, boxes[g], named,
                    embedded, about, lanes,
                )  # fmt: skip


@entry
def likeliest(
    features: Any, wanted: Any, asked: Any, seen: Any, boxes: Any, games: Any, weight: Any, bias: Any, things: Any,
    named: Any, embedded: Any, about: Any, lanes: Any, masks: Any, chosen: Any,
) -> None:  # fmt: skip
    """Writes the choice with the highest logit, int64 (k,), of those that masks, int8 (n, n_actions), allow; else as
    :func:`judge`."""
    for i in range(len(games)):
        g, best = games[i], 0.0
        chosen[i] = -1
        for a in range(masks.shape[1]):
            if masks[g, a]:
                logit = _logit(
                    a, features[i], wanted[i], asked[i], seen[g], weight, bias, things, boxes[g], named, embedded,
                    about, lanes,
                )  # fmt: skip
                if chosen[i] < 0 or logit > best:
                    best, chosen[i] = logit, a
        chosen[i] = max(0, chosen[i])


@kernel
def _logit(
    a: int, features: Any, wanted: Any, asked: Any, seen: Any, weight: Any, bias: Any, things: Any, box: int,
    named: Any, embedded: Any, about: Any, lanes: Any,
) -> Any:  # fmt: skip
    """Of a choice in a position; arguments as of :func:`judge`, of this position."""
    logit = bias[a] + product(features, weight[a], lanes)
    if named[a]:
        own = embedded[things[box, a]]
        logit += product(wanted, own, lanes) / np.sqrt(np.float32(len(own)))
    for column in range(about.shape[1]):
        j = about[a, column]
        if j < len(seen):
            logit += seen[j] * asked[column]
    return logit


class Incremental:
    """A network as it is now, for ``n`` games that it follows, on a processor; if its weights change, make another.

    What is kept of a game is compared with what is seen of it, so it need not be told of every decision. Made within
    ``torch.autocast`` it has its weights in that precision, which else are converted at every decision: with a few
    games that takes longer than to multiply them.
    """

    def __init__(self, network: Network, n: int) -> None:
        self.network = network
        contents, width = network.contents, network.trunk.width
        sets: NDArray[np.int64] = np.zeros((0, 4), np.int64)
        things: NDArray[np.int64] = np.zeros((1, 1), np.int64)
        shares, embedded = torch.zeros(1, 1, width), torch.zeros(1, EMBEDDING)
        with torch.no_grad(), torch.autocast("cpu", enabled=False):
            if contents is not None:
                sets, things = contents.bounds.view(-1, 4).numpy(), contents.thing.view(-1, contents.n_actions).numpy()
                embedded = contents()
                if network.trunk.sums is not None:
                    parts = network.trunk.sums.weight.split(EMBEDDING, dim=1)
                    shares = torch.stack([embedded @ part.T for part in parts]).float()
        first = network.trunk.first
        self._weight = np.ascontiguousarray(_array(first.weight).T)
        self._known = self._weight, _array(first.bias), sets, things, shares.numpy()
        named, about = np.zeros(network.policy.out_features, np.bool_), np.zeros((network.policy.out_features, 0), int)
        if contents is not None:
            named = contents.named.numpy()
        if network.places is not None:
            about = network.places.about.numpy()
        self._heads = (
            _array(network.policy.weight), _array(network.policy.bias), things, named, embedded.numpy(), about,
            np.zeros(LANES, np.float32),
        )  # fmt: skip
        self._blocks = _converted(network.trunk.blocks)
        asking = [own for own in (network.wanted, network.places.asked if network.places else None) if own is not None]
        self._asking = _converted(_together(asking)) if asking else None
        self._seen = np.zeros((n, len(self._weight)), np.float32)
        self._began = np.full(n, -1)
        self._said = torch.zeros(n, width)

    def features(
        self, observations: NDArray[np.float32], boxes: NDArray[np.int64], began: NDArray[np.int64],
        games: NDArray[np.int64], threads: int = 1,
    ) -> Tensor:  # fmt: skip
        """What the heads read of some games, float32 (m, width), of which those after the first k mean nothing.

        Args:
            observations, boxes: float32 (n, size) and int64 (n,), of all games.
            began: int64 (n,), ``began`` of a batch: where it is another number a new game is played.
            games: int64 (k,), rising, which of them.
            threads: so many may work on it.

        Raises:
            ValueError: observations of another shape.
        """
        if observations.shape != self._seen.shape:
            raise ValueError(f"observations are {observations.shape}, expected {self._seen.shape}")
        parts = [
            partial(follow, observations, boxes, began, some, *self._known, self._seen, self._began, self._said.numpy(),
                    np.zeros(len(self._weight), np.int64))
            for some in np.array_split(games, max(1, min(threads, len(games) // WORTH)))
        ]  # fmt: skip
        others = [_begun(part, threads) for part in parts[1:]]
        parts[0]()
        for other in others:
            other()
        said = self._said
        if len(games) < len(said):
            said = said[torch.from_numpy(padded(games, len(said)))]
        return self.network.trunk.after(said, self._blocks)

    def logits(
        self, features: Tensor, observations: NDArray[np.float32], boxes: NDArray[np.int64], games: NDArray[np.int64],
        options: Choices,
    ) -> Tensor:  # fmt: skip
        """Of legal choices, float32 (k, most), by the features; all else as :meth:`features` has it."""
        logits = torch.zeros(options.legal.shape)
        said = self._said_by_heads(features)
        there = options.actions.numpy(), options.legal.numpy(), logits.numpy()
        judge(*said, observations, boxes, games, *self._heads, *there)
        return logits

    def likeliest(
        self, features: Tensor, observations: NDArray[np.float32], boxes: NDArray[np.int64], games: NDArray[np.int64],
        masks: NDArray[np.int8],
    ) -> NDArray[np.int64]:  # fmt: skip
        """The likeliest choice in each of the games, int64 (k,), by masks, int8 (n, n_actions), of all; 0 where there
        is none."""
        chosen = np.zeros(len(games), np.int64)
        likeliest(*self._said_by_heads(features), observations, boxes, games, *self._heads, masks, chosen)
        return chosen

    def _said_by_heads(self, features: Tensor) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]:
        """The features, what is wanted of a thing, and what is asked of what is said of it."""
        asking = features[:, :0] if self._asking is None else self._asking(features)
        many = EMBEDDING if self.network.wanted is not None else 0
        return _array(features), _array(asking[:, :many]), _array(asking[:, many:])


def _begun(work: Callable[[], None], threads: int) -> Callable[[], None]:
    """Has a thread do some work; returns what waits for its end, or does it, if no more threads are to be had."""
    left, lock = [work], Lock()

    def once() -> None:
        with lock:  # who comes second waits for its end
            if left:
                left.pop()()

    try:
        return pool(threads).submit(once).result
    except RuntimeError:  # but it is in the queue by then: another thread may do it
        return once


def _converted(module: nn.Module) -> nn.Module:
    """A copy whose linear layers are in the precision in which they are multiplied here."""
    own = copy.deepcopy(module).requires_grad_(False)
    if torch.is_autocast_enabled("cpu"):
        for layer in own.modules():
            if isinstance(layer, nn.Linear):
                layer.to(torch.get_autocast_dtype("cpu"))
    return own


def _together(layers: Sequence[nn.Linear]) -> nn.Linear:
    """Linear layers of one input as one, whose outputs come one after the other."""
    own = nn.utils.skip_init(nn.Linear, layers[0].in_features, sum(layer.out_features for layer in layers))
    own.weight.data = torch.cat([layer.weight.data for layer in layers])
    own.bias.data = torch.cat([layer.bias.data for layer in layers])
    return own


def _array(x: Tensor) -> NDArray[np.float32]:
    """Its numbers, contiguous."""
    found: NDArray[np.float32] = x.detach().float().contiguous().numpy()
    return found


__all__ = ["Incremental", "padded"]
