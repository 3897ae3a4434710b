"""A trained network as an agent: a team, or a rival on any seat."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
import torch
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray
from torch import Tensor

from tabletop import record
from tabletop.agents import checkpoint
from tabletop.agents.base import OBSERVATION, observed
from tabletop.agents.incremental import Incremental, padded
from tabletop.agents.network import Choices, Judgement, Network, autocast, choices, draw, log_policy
from tabletop.batch import Batch
from tabletop.game import NOBODY, Game, Record, new_state

#: Games that are played at once.
SLOTS = 512
Watch = Callable[[NDArray[np.int64], NDArray[np.int64], NDArray[np.float32]], object]


class Policy:
    """A network as an agent, and on all seats (``Agent``, ``Player`` of :mod:`tabletop.agents.base`).

    Args:
        network: what judges; it is kept, not copied.
        name: to be called by.
        precision: as of :func:`tabletop.agents.network.autocast`.
        card: of its checkpoint.
        temperature: of its choices. At 0 it takes the likeliest one. Above, it draws: at 1 as the network says, and the
            lower, the more often a likely one.

    Raises:
        ValueError: a wrong temperature.
    """

    at_once = 2048
    sees = OBSERVATION

    def __init__(
        self, game: Game, network: Network, name: str = "policy", precision: str = "auto",
        card: Mapping[str, Any] | None = None, temperature: float = 0.0,
    ) -> None:  # fmt: skip
        if not 0 <= temperature < np.inf:
            raise ValueError(f"temperature is {temperature!r}, choose a number, at least 0")
        self.game, self.network, self.name, self.card = game, network, name, card or {}
        self.temperature = temperature
        self.device = network.calibration.device
        self.precision = precision
        self._followed: tuple[weakref.ref[Batch], Incremental] | None = None  #: the games of a batch
        self.reset(0)

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_followed": None}

    @classmethod
    def load(cls, game: Game, name: str | None = None) -> Policy:
        """A shipped checkpoint by name, or any by its path, which takes its likeliest choices; it is called as its card
        says. None: the game's own.

        Raises:
            ValueError: there is none, or it is not of this game; the message says what is expected.
        """
        path = checkpoint.of_game(game, name)
        network, card = checkpoint.load(path, game)
        return cls(game, network, card.get("name", path.stem), card=card)

    @classmethod
    def drawing(cls, game: Game, policy: str | None = None, temperature: float = 1.0) -> Policy:
        """A checkpoint that draws its choices, called "drawn".

        Args:
            policy: the checkpoint, as of :meth:`load`.
            temperature: of its choices, as of the class.

        Raises:
            ValueError: a wrong temperature, or as :meth:`load` does.
        """
        path = checkpoint.of_game(game, policy)
        network, card = checkpoint.load(path, game)
        return cls(game, network, "drawn", card=card, temperature=temperature)

    def reset(self, seed: int) -> None:
        """Begins its draws anew; nothing is remembered."""
        self._draws = np.random.default_rng(seed)

    def act(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """A choice for each game, by its temperature: states (n,), masks int8 (n, n_actions); returns int64 (n,)."""
        options = choices(masks, self.device)
        judged = self.judge(observed(self.game, states), states["box"], options)
        return self.picked(judged.logits, options, self.temperature)

    def choose(
        self, observation: NDArray[np.float32], mask: NDArray[np.int8], box: Any = 0, sample: bool = False,
        temperature: float = 1.0,
    ) -> Any:  # fmt: skip
        """What it chooses by what a seat sees, as environments tell it; of one game, or of many at once.

        Args:
            observation: float32 (size,) or (n, size), of the seat that is asked.
            mask: int8 (n_actions,) or (n, n_actions), what it may choose; of ended games among many zeros,
                whose choice is any.
            box: which of the game's boxes is played with, ``info["box"]``: a whole number, or (n,) of them.
            sample: whether the choice is drawn; otherwise it is the likeliest one.
            temperature: of the draws, more than 0: below 1 likely choices become likelier, above 1 less likely.

        Returns:
            an int, or int64 (n,).

        Raises:
            ValueError: shapes that do not fit the game or each other, one game with nothing to choose, no such box, or
                a wrong temperature.
        """
        seen, legal = np.asarray(observation, np.float32), np.asarray(mask)
        size, n_actions = len(self.game.observation_low), self.game.n_actions
        if seen.shape[-1:] != (size,) or legal.shape != (*seen.shape[:-1], n_actions) or seen.ndim > 2:
            raise ValueError(f"observation is {seen.shape} and mask {legal.shape}, expected {(size,)} and "
                             f"{(n_actions,)}, or as many of each")  # fmt: skip
        if seen.ndim == 1 and not legal.any():
            raise ValueError("the mask has no choice: this seat is not asked, or the game is over")
        if not 0 < temperature < np.inf:
            raise ValueError(f"temperature is {temperature!r}, choose a number above 0")
        options = choices(np.atleast_2d(legal), self.device)
        boxes = np.broadcast_to(np.asarray(box), len(options.legal))
        if boxes.dtype.kind not in "iu" or not ((boxes >= 0) & (boxes < len(self.game.box))).all():
            raise ValueError(f"box is {box!r}, choose from 0 to {len(self.game.box) - 1}")
        judged = self.judge(np.atleast_2d(seen), boxes, options)
        chosen = self.picked(judged.logits, options, temperature if sample else 0)
        return chosen if seen.ndim == 2 else int(chosen[0])

    def likelihoods(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.float64]:
        """How likely it would choose what, if it drew: states (n,), masks int8 (n, n_actions); returns float64
        (n, n_actions)."""
        options = choices(masks, self.device)
        judged = self.judge(observed(self.game, states), states["box"], options)
        likely = torch.zeros(masks.shape, dtype=torch.float64, device=self.device)
        likely.scatter_add_(1, options.actions, log_policy(judged.logits, options.legal).exp().double() * options.legal)
        return np.asarray(likely.cpu().numpy())

    def chances(self, observations: NDArray[np.float32], boxes: NDArray[Any]) -> NDArray[np.float64]:
        """Of winning, calibrated, float64 (n,), by observations (n, size) of games with boxes, int (n,)."""
        told = self.network.win_probability(self.judge(observations, boxes, None).win)
        return np.asarray(told.double().cpu().numpy())

    @torch.no_grad()
    def judge(self, observations: NDArray[np.float32], boxes: NDArray[Any], options: Choices | None) -> Judgement:
        """What the network says of observations (n, size) of games with boxes, int (n,), and of their options."""
        which = torch.from_numpy(boxes.astype(np.int64)).to(self.device)
        with autocast(self.device, self.precision):
            judged: Judgement = self.network(torch.from_numpy(observations).to(self.device), which, options)
        return judged

    def decide(self, batch: Batch, games: NDArray[np.int64]) -> NDArray[np.int64]:
        """Choices by its temperature, int64 (k,), in some games, int64 (k,) rising, of a batch.

        A game in which nobody is asked may be among them: its choice is any.
        """
        return self.decide_and_tell(batch, games, False)[0]

    @torch.no_grad()
    def decide_and_tell(
        self, batch: Batch, games: NDArray[np.int64], tell: bool = True
    ) -> tuple[NDArray[np.int64], NDArray[np.float32]]:
        """As :meth:`decide`, and the logits of winning, float32 (k,); (0,) if they are not to be told.

        On a processor the weights of the first layer are those of the batch's first decision.
        """
        seen, masks, boxes = batch.buffers.observations, batch.buffers.masks, batch.states["box"].astype(np.int64)
        if self.device.type != "cpu":
            rows = padded(games, batch.n)
            options = choices(masks[rows], self.device)
            judged = self.judge(seen[rows], boxes[rows], options)
            chosen = self.picked(judged.logits, options, self.temperature)
            win = judged.win[: len(games) if tell else 0].cpu()
        else:
            with autocast(self.device, self.precision):
                if self._followed is None or self._followed[0]() is not batch:
                    self._followed = weakref.ref(batch), Incremental(self.network, batch.n)
                own = self._followed[1]
                features = own.features(seen, boxes, batch.began, games, batch.threads)
                if self.temperature:
                    options = choices(masks[games], self.device)
                    logits = own.logits(features, seen, boxes, games, options)
                    chosen = self.picked(logits, options, self.temperature)
                else:
                    chosen = own.likeliest(features, seen, boxes, games, masks)
                win = self.network.winning(features) if tell else features.new_zeros(0)
        return chosen[: len(games)], win.numpy()[: len(games)]

    def picked(self, logits: Tensor, options: Choices, temperature: float) -> NDArray[np.int64]:
        """One of the legal choices, int64 (n,), by their logits, (n, most): at a temperature of 0 the likeliest."""
        if temperature:
            evenly = torch.from_numpy(self._draws.random(len(logits))).to(self.device)
            place = draw(log_policy(logits / temperature, options.legal), options.legal, evenly)
        else:
            place = logits.masked_fill(~options.legal, -1e9).argmax(1)
        chosen: NDArray[np.int64] = options.actions.gather(1, place[:, None]).squeeze(1).cpu().numpy()
        return chosen

    def play(self, setups: Record, seeds: NDArray[np.int64], watch: Watch | None = None) -> Record:
        """Plays one game for each setup and seed with every seat; as one ends, the next begins in its place.

        Args:
            setups: (n,)
            seeds: int64 (n,)
            watch: is told at every step which games are asked, int64 (k,), which seat of each, int64 (k,), and the
                logits of winning, float32 (k,).

        Returns:
            the finished states, shape (n,).
        """
        n, seeds = len(setups), np.asarray(seeds, np.int64)
        done, slots = new_state(self.game, n), min(n, SLOTS)
        playing = np.arange(slots)  # which game is played in each slot; -1: none
        batch = Batch(self.game, setups[:slots], autoreset_mode=AutoresetMode.NEXT_STEP,
                      threads=torch.get_num_threads())  # fmt: skip
        buffers, begun = batch.reset(seeds[:slots]), slots
        while len(live := np.flatnonzero(playing >= 0)):
            chosen, win = self.decide_and_tell(batch, live, watch is not None)
            seats = batch.states["to_act"][live].astype(np.int64)
            if watch is not None:
                asked = seats != NOBODY
                watch(playing[live][asked], seats[asked], win[asked])
            actions = buffers.masks.argmax(axis=1)  # whatever is legal, where nothing is played any more
            actions[live] = chosen
            buffers = batch.step(actions)
            ended = [slot for slot in batch.finished.games if playing[slot] >= 0]
            for slot in ended:
                record.put(done, playing[slot : slot + 1], batch.states[slot : slot + 1])
                playing[slot] = begun if begun < n else -1
                if begun < n:
                    batch.setups[slot], batch.next_seeds[slot] = setups[begun], seeds[begun]
                    begun += 1
        return done
