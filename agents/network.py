"""The network: one trunk for every box, number of players and seat, and three heads.

It reads what a seat sees (:meth:`tabletop.game.Game.observe`) and answers, for each of n positions, how good each legal
choice is, what the game is worth, and how likely it is to be won. It knows no rule of any game.

What cards and places do differs from box to box, so it reads their features (``Game.contents``), not only their
numbers: one small network embeds them, what lies somewhere is the sum of its embeddings, and a choice that names
something is judged by the product of that with what the position asks for.
"""

from __future__ import annotations

import functools
import math
import time
from typing import NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from tabletop.agents.changes import Changes, First, Sums, changes
from tabletop.agents.legal import Logits
from tabletop.agents.things import about, named, things
from tabletop.game import Game

#: Width of the layer between the trunk and each of the two small heads.
HEAD = 128
#: Length of the embedding of a thing.
EMBEDDING = 64


class Judgement(NamedTuple):
    """What the network says of n positions."""

    logits: Tensor  #: float32 (n, most), of the legal choices
    value: Tensor  #: float32 (n,) discounted rewards to come, by what is hidden from the seat too, where that is told
    win: Tensor  #: float32 (n,) logit of winning, or of sharing the win, from what the seat sees alone


class Choices(NamedTuple):
    """The legal choices of n positions, side by side: far fewer than the catalogue has."""

    actions: Tensor  #: int64 (n, most), numbers of the catalogue, 0 where a position has fewer
    legal: Tensor  #: bool (n, most)


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
    """Observations, float (n, size), and sums of embeddings, float (n, sums), to features (n, width)."""

    def __init__(self, size: int, sums: int, width: int, blocks: int) -> None:
        super().__init__()
        self.width = width
        self.first = nn.Linear(size, width)
        self.sums = nn.Linear(sums, width, bias=False) if sums else None
        self.blocks = nn.Sequential(*(Block(width) for _ in range(blocks)))
        self.norm = nn.LayerNorm(width)

    def forward(self, observations: Tensor, sums: Tensor, along: Changes | None = None) -> Tensor:
        """``along``: what changes from one position to the next; else all is multiplied."""
        x = self.first(observations) if along is None else First.apply(self.first.weight, self.first.bias, along)
        return self.after(x if self.sums is None else x + self.sums(sums))

    def after(self, first: Tensor, blocks: nn.Module | None = None) -> Tensor:
        """What it makes of all that comes first, (n, width); by its own blocks, or a copy of them."""
        features: Tensor = F.relu(self.norm((self.blocks if blocks is None else blocks)(first)))
        return features


class Contents(nn.Module):
    """Embeds the things of a game's boxes. What does the same in several boxes is embedded once.

    Args:
        game: its ``contents`` and ``content_sets`` are read, once.
    """

    things: Tensor  #: float32 (things, features), each another
    bounds: Tensor  #: int64 (sets, 4), of each set where it begins and ends, what it names first and how many
    parts: Tensor  #: int64 (parts, 2), where the parts of an observation begin and end that are in a set
    thing: Tensor  #: int64 (boxes * n_actions,), the one that a choice names in a box
    named: Tensor  #: bool (n_actions,), whether a choice names anything

    def __init__(self, game: Game) -> None:
        super().__init__()
        self.n_actions, features = game.contents.shape[1:]
        self.sets = game.content_sets
        found, thing = things(game)
        self.register_buffer("things", torch.from_numpy(found), persistent=False)
        self.register_buffer("thing", torch.from_numpy(thing.reshape(-1)), persistent=False)
        bounds = [(part.start, part.stop, first, many) for part, first, many in self.sets]
        self.register_buffer("bounds", torch.tensor(bounds, dtype=torch.long).view(-1, 4), persistent=False)
        inside = np.zeros(len(game.observation_low) + 2, np.int8)  # a margin at both ends
        for part, _, _ in self.sets:
            inside[1:-1][part] = 1
        parts = np.flatnonzero(np.diff(inside)).reshape(-1, 2)
        self.register_buffer("parts", torch.from_numpy(parts), persistent=False)
        self.register_buffer("named", torch.from_numpy(named(game)), persistent=False)
        self.inner, self.outer = nn.Linear(features, EMBEDDING), nn.Linear(EMBEDDING, EMBEDDING)

    def forward(self) -> Tensor:
        """The embeddings of all things, float32 (things, EMBEDDING)."""
        embedded: Tensor = self.outer(F.relu(self.inner(self.things)))
        return embedded.float()

    def sums(self, embedded: Tensor, observations: Tensor, boxes: Tensor, along: Changes | None = None) -> Tensor:
        """For each set the sum of the embeddings of what is in it, (n, sets * EMBEDDING)."""
        if along is not None:
            added: Tensor = Sums.apply(embedded, along, self.bounds, self.thing.view(-1, self.n_actions), boxes)
            return added
        sums = []
        for part, first, many in self.sets:
            rows, things = observations[:, part].nonzero(as_tuple=True)
            named = self.thing[boxes[rows] * self.n_actions + first + things % many]
            begins = torch.searchsorted(rows, torch.arange(len(boxes), device=rows.device))
            sums.append(F.embedding_bag(named, embedded, begins, mode="sum"))
        return torch.cat(sums, 1)

    def products(self, embedded: Tensor, wanted: Tensor, boxes: Tensor, options: Choices) -> Tensor:
        """Of each choice's embedding with what is wanted (n, EMBEDDING): (n, most), 0 where it names nothing."""
        rows, columns = (options.legal & self.named[options.actions]).nonzero(as_tuple=True)
        named = self.thing[boxes[rows] * self.n_actions + options.actions[rows, columns]]
        products = (wanted.float()[rows] * F.embedding(named, embedded)).sum(1) * EMBEDDING**-0.5
        return products.new_zeros(options.legal.shape).index_put((rows, columns), products)


class Places(nn.Module):
    """Judges a choice by what an observation says of the thing that it names, number by number, times what the position
    makes of such a number. So what is learnt at one place holds at every other."""

    about: Tensor  #: int64 (n_actions, columns), the numbers of an observation that say it; its size: none does
    spoken: Tensor  #: bool (n_actions,), whether any does

    def __init__(self, game: Game, width: int) -> None:
        super().__init__()
        numbers = about(game)
        self.register_buffer("about", torch.from_numpy(numbers), persistent=False)
        spoken = (numbers < len(game.observation_low)).any(1)
        self.register_buffer("spoken", torch.from_numpy(spoken), persistent=False)
        self.asked = nn.Linear(width, numbers.shape[1])

    def forward(self, features: Tensor, observations: Tensor, options: Choices) -> Tensor:
        """Parts of the logits of choices, (n, most)."""
        size = observations.shape[1]
        rows, columns = (options.legal & self.spoken[options.actions]).nonzero(as_tuple=True)
        numbers = self.about[options.actions[rows, columns]]
        said = observations[rows[:, None], numbers.clamp(max=size - 1)].masked_fill(numbers == size, 0)
        parts = (said * self.asked(features)[rows]).sum(1).float()
        return parts.new_zeros(options.legal.shape).index_put((rows, columns), parts)


class Network(nn.Module):
    """The trunk and its heads.

    Args:
        game: what it is to play: the sizes of its observations and of its catalogue, and the contents of its boxes.
        width: of the trunk.
        blocks: residual blocks in the trunk.
        contents: whether it knows things by what they do; else by their numbers alone, which is enough for one box.
        places: whether it judges a choice also by what is said of the thing that this names (:class:`Places`).
        fresh: with weights to learn from; else with any, to be loaded: good ones take seconds to draw.
    """

    calibration: Tensor  #: float32 (2,) scale and shift of the logit of winning, fitted on games not trained on

    def __init__(
        self, game: Game, width: int = 512, blocks: int = 1, contents: bool = True, places: bool = False,
        *, fresh: bool = True,
    ) -> None:  # fmt: skip
        super().__init__()
        self.contents = Contents(game) if contents and game.contents.shape[2] else None
        sums = EMBEDDING * len(game.content_sets) if self.contents else 0
        self.trunk = Trunk(len(game.observation_low), sums, width, blocks)
        self.policy = nn.Linear(width, game.n_actions)
        self.wanted = nn.Linear(width, EMBEDDING) if self.contents else None
        self.places = Places(game, width) if places and about(game).shape[1] else None
        self.seen = nn.Linear(width, HEAD)
        #: reads what is hidden from the seat, which the value head is told in training (a centralised critic)
        self.unseen = nn.Linear(game.hidden_size, HEAD, bias=False) if game.hidden_size else None
        self.value = nn.Linear(HEAD, 1)
        self.outlook, self.win = nn.Linear(width, HEAD), nn.Linear(HEAD, 1)
        self.register_buffer("calibration", torch.tensor([1.0, 0.0]))
        if fresh:
            self._begin()

    def _begin(self) -> None:
        """Draws the weights."""
        for module in self.modules():
            if isinstance(module, nn.Linear):
                nn.init.orthogonal_(module.weight, 2**0.5)
                if module.bias is not None:
                    nn.init.zeros_(module.bias)
        with torch.no_grad():
            for last in (*self._choosing(), self.value, self.win):
                last.weight.mul_(0.01)  # begins with an even policy, worth nothing, half won

    def _choosing(self) -> list[nn.Linear]:
        """The last layers of what judges choices."""
        layers = (self.policy, self.wanted, self.places.asked if self.places else None)
        return [layer for layer in layers if layer is not None]

    @torch.no_grad()
    def take_over(self, other: Network) -> None:
        """The weights of a network that differs from this one in blocks at most, of which it has no more, but not its
        calibration. Blocks that it lacks change nothing at first (Net2Net; Chen, Goodfellow and Shlens 2016)."""
        blocks = [block for block in self.trunk.blocks if isinstance(block, Block)]
        for block in blocks[len(other.trunk.blocks) :]:
            nn.init.zeros_(block.outer.weight)
            nn.init.zeros_(block.outer.bias)
        self.load_state_dict({**self.state_dict(), **other.state_dict(), "calibration": self.calibration})

    @torch.no_grad()
    def sharpen(self, temperature: float) -> None:
        """Divides all logits of choices by a number above 0: below 1 likely choices become likelier."""
        for last in self._choosing():
            last.weight.div_(temperature)
            last.bias.div_(temperature)

    def forward(
        self, observations: Tensor, boxes: Tensor, options: Choices | None = None, hidden: Tensor | None = None,
        run: int = 1,
    ) -> Judgement:  # fmt: skip
        """Judges n positions.

        Args:
            observations: float (n, size).
            boxes: int64 (n,), the box of each position.
            options: the legal choices; None: no choice is judged, and the logits are (n, 0).
            hidden: float (n, hidden_size), or None where nothing is hidden or nobody may tell.
            run: so many positions each are decisions of one game, one after the other: on a processor what they have
                in common is multiplied once.
        """
        embedded = self.contents() if self.contents else observations[:0]
        features = self.features(embedded, observations, boxes, run)
        logits = self._logits(embedded, features, observations, boxes, options)
        return Judgement(logits, self.worth(features, hidden), self.winning(features))

    def features(self, embedded: Tensor, observations: Tensor, boxes: Tensor, run: int = 1) -> Tensor:
        """What the heads read, (n, width)."""
        followed = embedded.device.type == "cpu" and (self.contents is not None or run > 1)
        parts = self.contents.parts if self.contents and run == 1 else None  # what else changes is multiplied whole
        along = changes(observations, boxes, run, parts) if followed else None
        known = self.contents if self.contents and self.contents.sets else None
        sums = known.sums(embedded, observations, boxes, along) if known else observations[:, :0]
        features: Tensor = self.trunk(observations, sums, along if run > 1 else None)
        return features

    def _logits(
        self, embedded: Tensor, features: Tensor, observations: Tensor, boxes: Tensor, options: Choices | None
    ) -> Tensor:
        if options is None:
            return features.new_zeros(len(features), 0).float()
        logits: Tensor
        if features.device.type == "cpu":
            logits = Logits.apply(features.float(), self.policy.weight, self.policy.bias, *options)
        else:
            logits = self.policy(features).gather(1, options.actions).float()
        if self.contents is not None and self.wanted is not None:
            logits = logits + self.contents.products(embedded, self.wanted(features), boxes, options)
        if self.places is not None:
            logits = logits + self.places(features, observations, options)
        return logits

    def worth(self, features: Tensor, hidden: Tensor | None = None) -> Tensor:
        """The value, float32 (n,), by features and, where that is told, what is hidden."""
        known = self.seen(features)
        if hidden is not None and self.unseen is not None:
            known = known + self.unseen(hidden)
        value: Tensor = self.value(F.relu(known)).squeeze(-1).float()
        return value

    def winning(self, features: Tensor) -> Tensor:
        """The logit of winning, float32 (n,)."""
        win: Tensor = self.win(F.relu(self.outlook(features))).squeeze(-1).float()
        return win

    def win_probability(self, win: Tensor) -> Tensor:
        """Calibrated probabilities, float32 (n,), of the logits of :class:`Judgement`."""
        scale, shift = self.calibration
        return torch.sigmoid(scale * win + shift)


def choices(masks: NDArray[np.int8] | Tensor, device: torch.device | None = None) -> Choices:
    """The legal choices of masks, (n, n_actions); on a device."""
    masks = torch.as_tensor(masks, device=device).bool()
    rows, columns = masks.nonzero(as_tuple=True)
    counts = masks.sum(1)
    most = max(1, int(counts.max()))
    place = torch.arange(len(rows), device=masks.device) - (counts.cumsum(0) - counts)[rows]
    actions = torch.zeros(len(masks), most, dtype=torch.long, device=masks.device)
    actions[rows, place] = columns
    return Choices(actions, torch.arange(most, device=masks.device) < counts[:, None])


def log_policy(logits: Tensor, legal: Tensor) -> Tensor:
    """Log probabilities, float32 (n, most), of logits (n, most) where bool (n, most) says that there is a choice; a
    very low number where there is none."""
    return F.log_softmax(logits.masked_fill(~legal, -1e9), dim=1)


def draw(logs: Tensor, legal: Tensor, evenly: Tensor) -> Tensor:
    """A place of each row, int64 (n,), drawn by its log probabilities (n, most).

    Args:
        legal: bool (n, most), where there is a choice; it begins each row.
        evenly: (n,), drawn evenly from 0 to 1 (without 1).
    """
    places: Tensor = ((logs.exp().cumsum(1) > evenly[:, None]) & legal).int().argmax(1)
    return places


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


@functools.cache
def _fast_bfloat16(device: torch.device) -> bool:
    """On a processor it is tried out: some that have the instructions are slower with them."""
    if device.type == "cuda":
        return torch.cuda.is_bf16_supported()
    if device.type != "cpu" or not torch.cpu._is_avx512_bf16_supported():
        return False
    best = dict.fromkeys((torch.bfloat16, torch.float32), math.inf)  # seconds
    ones = {kind: torch.ones(512, 512, dtype=kind) for kind in best}
    threads = torch.get_num_threads()
    torch.set_num_threads(1)  # several wait for each other where the processor is busy
    try:
        for kind in [*best] * 12:
            begun = time.perf_counter()
            torch.matmul(ones[kind][:256], ones[kind])
            best[kind] = min(best[kind], time.perf_counter() - begun)
    finally:
        torch.set_num_threads(threads)
    return best[torch.bfloat16] < best[torch.float32]
