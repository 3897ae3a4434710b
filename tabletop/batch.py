"""Many games at once: arrays of states that step together, on all cores, for any game."""

from __future__ import annotations

import os
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial
from typing import Any, NamedTuple

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from tabletop import loops, record
from tabletop.game import NOBODY, SEEDS, Game, Record, check_bounds, check_flag, check_seed, new_state, refusal
from tabletop.jit import DISABLED
from tabletop.loops import BEGIN, ENDED, GENERATOR, STAY, loops_of, seed_generators

#: When a finished game begins anew, as the loops see it.
MODES = {
    AutoresetMode.DISABLED: loops.DISABLED,
    AutoresetMode.NEXT_STEP: loops.NEXT_STEP,
    AutoresetMode.SAME_STEP: loops.SAME_STEP,
}
#: How many games there must be for each thread to be worth waking it.
WORTH = 128
#: Games that a thread takes at a time: at least, and at most. What is done to many of them in turn is at hand in the
#: processor's memory for code.
FEW, MANY = 16, 64
#: Shares for each thread, where there are several: one that is late leaves its shares to the others.
SHARES = 4


class Buffers(NamedTuple):
    """What a batch writes: the caller's own C-contiguous arrays, or the batch's.

    A torch tensor on the CPU, pinned or not, goes in as ``tensor.numpy()``, which shares its memory.
    """

    observations: NDArray[np.float32]  #: (n, size) of the seat that is asked; (n, 0) of a batch that does not observe
    masks: NDArray[np.int8]  #: (n, n_actions), or bool; zeros for a finished game, whose choice is not heeded
    rewards: NDArray[np.float32]  #: (n, max_seats) what the last choice brought every seat
    terminated: NDArray[np.bool_]  #: (n,) the game has ended


class Finished(NamedTuple):
    """The games that ended in a step, k of them, by index."""

    games: NDArray[np.int64]  #: (k,) which
    seeds: NDArray[np.int64]  #: (k,) how they began
    returns: NDArray[np.float64]  #: (k, max_seats) the sum of every seat's rewards
    states: Record  #: (k,) how they ended


class Batch:
    """``n`` games that step together, in place, each the same as if it were played alone.

    Game ``i`` begins from ``setups[i]`` with the seed ``next_seeds[i]``, to which ``n`` is added for the game after it;
    both arrays may be written to at any time. ``seeds[i]`` is that of the running game. ``finished`` tells of the games
    that ended in the last step, ``buffers`` are the batch's own. One thread of Python at a time may use it.

    Args:
        setups: (n,), of :meth:`Game.configure`; copied.
        autoreset_mode: Gymnasium's: in the same step (the mask and the observation are then those of the next game),
            in the next one (whatever is chosen then), or never (it stays as it ended, whatever is chosen).
        observe: False leaves the observations out.
        threads: how many at most; by default all processors that this process may use. Changes no game.
        seed: of the games if :meth:`reset` is given none; by default drawn from the system.

    Raises:
        ValueError: a wrong argument; the message says what is expected.
    """

    def __init__(
        self,
        game: Game,
        setups: Record,
        *,
        autoreset_mode: AutoresetMode | str = AutoresetMode.SAME_STEP,
        observe: bool = True,
        threads: int | None = None,
        seed: int | None = None,
    ) -> None:
        _check_setups(game, setups)
        if threads is not None and (threads is True or not isinstance(threads, (int, np.integer)) or threads < 1):
            raise ValueError(f"threads is {threads!r}, choose 1 or more")
        check_flag("observe", observe)
        self.game = game
        self.n = len(setups)
        self.autoreset_mode = checked_mode(autoreset_mode)
        self.threads = threads or processors()
        self._setups = record.copy(setups)
        self._sound = self._setups.tobytes()  # setups that were checked: others may write to those that are there
        self.states = new_state(game, self.n)
        self.states["to_act"] = NOBODY
        returns = ("returns", "f8", (game.max_seats,))
        self._slots = np.zeros(self.n, np.dtype([("seed", "i8"), ("next_seed", "i8"), returns], align=True))
        self._over = np.zeros(self.n, np.dtype([("game", "i8"), ("seed", "i8"), returns], align=True))
        self._begun = False
        self.began = np.zeros(self.n, np.int64)  #: (n,) how many games have begun in each place, or were put there
        self.next_seeds = _spread(int(np.random.default_rng().integers(SEEDS)) if seed is None else seed, self.n)
        self._size = len(game.observation_low) if observe else 0
        self.buffers = self.new_buffers()
        self._over_states = np.empty(self.n, game.state)
        self.finished = self._nothing = self._ended(0)
        self._scratch = [(np.zeros(game.max_seats), np.zeros(game.n_actions, np.int8)) for _ in range(self.threads)]

    @property
    def seeds(self) -> NDArray[np.int64]:
        """Of the running games, (n,)."""
        seeds: NDArray[np.int64] = self._slots["seed"]
        return seeds

    @property
    def next_seeds(self) -> NDArray[np.int64]:
        """Of the games after those, (n,); may be written to."""
        seeds: NDArray[np.int64] = self._slots["next_seed"]
        return seeds

    @next_seeds.setter
    def next_seeds(self, seeds: Any) -> None:
        self._slots["next_seed"] = _spread(seeds, self.n)

    @property
    def setups(self) -> Record:
        """Of the games after the running ones, (n,); may be written to."""
        return self._setups

    @setups.setter
    def setups(self, setups: Record) -> None:
        _check_setups(self.game, setups)
        if len(setups) != self.n:
            raise ValueError(f"{len(setups)} setups, expected one for each of {self.n} games")
        self._setups = record.copy(setups)

    def new_buffers(self) -> Buffers:
        """Arrays of the right shapes, to be handed to :meth:`step`."""
        return Buffers(
            np.zeros((self.n, self._size), np.float32),
            np.zeros((self.n, self.game.n_actions), np.int8),
            np.zeros((self.n, self.game.max_seats), np.float32),
            np.zeros(self.n, np.bool_),
        )

    def reset(self, seed: Any = None, which: NDArray[np.bool_] | None = None, into: Buffers | None = None) -> Buffers:
        """Begins all games, or those of a mask bool (n,).

        Args:
            seed: of game 0, each next one has one more; or int64 (n,); or None: they go on as the games before. In a
                list of n each may be None.
            into: where to write, if not into the batch's own buffers.

        Raises:
            ValueError: a wrong seed, setup, shape or dtype, or a game that is not chosen has not begun; none has begun.
        """
        chosen = self.chosen(which)
        buffers = self._checked(into)
        self._check_written()
        if (waiting := (self.began == 0) & ~chosen).any():
            raise ValueError(f"game {waiting.argmax()} has not begun: reset all games first")
        if isinstance(seed, (list, tuple)) and len(seed) == self.n:
            seed = [int(old) % SEEDS if new is None else new for new, old in zip(seed, self.next_seeds, strict=True)]
        if seed is not None:
            self.next_seeds[chosen] = _spread(seed, self.n)[chosen]
        self._begun = True
        self._step(np.where(chosen, BEGIN, STAY), True, buffers)
        self.began[chosen] += 1
        return buffers

    def state_dict(self) -> dict[str, Record]:
        """All that changes, copied: states, setups, and what is kept of each game; arrays (n,)."""
        return {"states": record.copy(self.states), "setups": record.copy(self._setups), "slots": self._slots.copy()}

    def load_state_dict(self, kept: Mapping[str, Record]) -> Buffers:
        """Goes on exactly where :meth:`state_dict` was taken.

        Raises:
            ValueError: it is of another game or number of games, or holds what no game does; nothing has changed.
        """
        own = {"states": self.states, "setups": self._setups, "slots": self._slots}
        for name, array in own.items():
            given: Any = kept.get(name)
            if not isinstance(given, np.ndarray) or given.dtype != array.dtype or given.shape != array.shape:
                raise ValueError(f"{name} are {np.shape(given)}, expected {array.shape} in the dtype of "
                                 f"{self.game.name}'s own")  # fmt: skip
        _check_setups(self.game, kept["setups"])
        _check_asked(self.game, kept["states"])
        for name, array in own.items():
            array[:] = kept[name]
        self._begun = True
        self._step(np.full(self.n, STAY), True, self.buffers)
        self.began += 1
        return self.buffers

    def place(self, games: NDArray[np.int64], states: Record, seeds: NDArray[np.int64]) -> Buffers:
        """Puts positions in place of running games, which then go on from there.

        Args:
            games: int64 (k,), which; each once.
            states: (k,) positions in which a seat is asked; copied. From there on chance answers by itself.
            seeds: int64 (k,), of their generators from now on.

        Raises:
            ValueError: a wrong shape or dtype, a game named twice, or a position that asks no seat, or is none of the
                game; nothing changed.
        """
        games = np.asarray(games) if np.size(games) else np.zeros(0, np.int64)
        buffers, k = self.buffers, games.size
        numbers = games.ndim == 1 and games.dtype.kind in "iu"
        if not numbers or len(np.unique(games)) < k or np.any((games < 0) | (games >= self.n)):
            raise ValueError(f"games are {games}, expected different ones of 0 to {self.n - 1}")
        if not isinstance(states, np.ndarray) or states.dtype != self.game.state or states.shape != (k,):
            raise ValueError(f"states are no array {(k,)} of {self.game.name}'s positions")
        if (idle := np.flatnonzero(states["to_act"] < 0)).size:
            raise ValueError(f"position {idle[0]} asks no seat: it cannot be played on")
        if not k:
            return buffers
        placed, seeds = record.copy(states), _spread(seeds, k)
        placed["manual_chance"] = 0  # as in all games of a batch
        _check_asked(self.game, placed)
        generators = np.zeros(k, GENERATOR)
        seed_generators(generators, seeds)
        placed["rng"] = generators["rng"]
        part = Batch(self.game, self.setups[:1].repeat(k), observe=self._size > 0, threads=1, seed=0)
        part.states[:] = placed
        part._step(np.full(k, STAY), True, part.buffers)
        record.put(self.states, games, placed)
        self.began[games] += 1
        self._begun = bool(self.began.all())
        self._slots["seed"][games], self._slots["returns"][games] = seeds, 0.0
        buffers.observations[games], buffers.masks[games] = part.buffers.observations, part.buffers.masks
        return buffers

    def chosen(self, which: Any) -> NDArray[np.bool_]:
        """A mask of games, bool (n,); of all for None.

        Raises:
            ValueError: another shape or dtype.
        """
        if which is None:
            return np.ones(self.n, np.bool_)
        mask = np.asarray(which)
        if mask.shape != (self.n,) or mask.dtype != np.bool_:
            raise ValueError(f"the mask of games is {mask.dtype} {mask.shape}, expected bool {(self.n,)}")
        return mask

    def step(self, actions: NDArray[Any], into: Buffers | None = None) -> Buffers:
        """One choice in every game.

        Args:
            actions: whole numbers (n,); that of a finished game is not heeded.
            into: where to write, if not into the batch's own buffers.

        Raises:
            ValueError: a game has not begun, a wrong shape or dtype, a setup that no game can begin with, or an illegal
                choice: the first such game is named. No game has moved.
        """
        if not self._begun:
            which = f"game {self.began.argmin()} has not" if self.began.any() else "no game has"
            raise ValueError(f"{which} begun: call reset() first")
        actions = np.asarray(actions)
        if actions.shape != (self.n,) or actions.dtype.kind not in "iu":
            raise ValueError(f"actions are {actions.dtype} {actions.shape}, expected one whole number for each of "
                             f"{self.n} games")  # fmt: skip
        if self.autoreset_mode != AutoresetMode.DISABLED:
            self._check_written()
        buffers = self._checked(into)
        orders = actions.astype(np.int64)
        orders[orders < 0] = self.game.n_actions  # no choice of any game, and no order either
        over = self.states["to_act"] == NOBODY if self.autoreset_mode == AutoresetMode.NEXT_STEP else None
        if (refused := self._step(orders, False, buffers)) >= 0:
            one = self.states[refused : refused + 1]
            raise ValueError(f"game {refused}: {refusal(self.game, one, int(actions[refused]))} No game has moved.")
        if over is not None:
            self.began[over] += 1
        elif self.autoreset_mode == AutoresetMode.SAME_STEP and len(self.finished.games):
            self.began[self.finished.games] += 1
        return buffers

    def _step(self, orders: NDArray[np.int64], checked: bool, out: Buffers) -> int:
        """Steps on all threads; each begins at once and takes what is left, so that nobody waits for one to wake.

        One that wakes when all is done finds nothing left to do: the counters are of this step alone.
        """
        threads = 1 if DISABLED else max(1, min(self.threads, self.n // WORTH))
        refusing, tickets = np.zeros(_shares(self.n, threads), np.int64), np.zeros((5, threads), np.int64)
        work = partial(
            loops_of(self.game).step, self.game.box, self.states, self.setups, self._slots, MODES[self.autoreset_mode],
            checked, orders, out.masks.view(np.int8), out.observations, out.rewards, out.terminated, self._over,
            self._over_states, refusing, tickets,
        )  # fmt: skip
        try:
            for me in range(1, threads):
                pool(self.threads).submit(work, *self._scratch[me], me)
        except RuntimeError:  # no more threads to be had: those that there are take over
            pass
        finally:
            refused = int(work(*self._scratch[0], 0))
        if refused < 0:
            ended = int(tickets[ENDED, 0])
            self.finished = self._ended(ended) if ended else self._nothing
        return refused

    def _ended(self, n: int) -> Finished:
        by_game = np.argsort(self._over["game"][:n])
        over = self._over[by_game]
        return Finished(over["game"], over["seed"], over["returns"], record.take(self._over_states, by_game))

    def _check_written(self) -> None:
        """ValueError if a setup was written that no game can begin with."""
        if (written := self._setups.tobytes()) != self._sound:
            _check_setups(self.game, self._setups)
            self._sound = written

    def _checked(self, into: Buffers | None) -> Buffers:
        if into is None:
            return self.buffers
        if not isinstance(into, Buffers):
            raise ValueError(f"into is a {type(into).__name__}, expected Buffers: {', '.join(Buffers._fields)}")
        pairs: list[tuple[str, Any, Any]] = list(zip(Buffers._fields, into, self.buffers, strict=True))
        for name, given, own in pairs:
            allowed = (np.int8, np.bool_) if name == "masks" else (own.dtype,)
            fits = isinstance(given, np.ndarray) and given.shape == own.shape and given.dtype in allowed
            if not (fits and given.flags.c_contiguous and given.flags.writeable):
                what = f"{given.dtype} {given.shape}" if isinstance(given, np.ndarray) else type(given).__name__
                raise ValueError(
                    f"buffer {name} is {what}, expected a writable C-contiguous array {own.dtype} {own.shape}"
                )
        return into


def play_random(game: Game, setups: Record, seeds: NDArray[np.int64]) -> Record:
    """The finished states, shape (n,), of games played uniformly at random; each follows from its setup and seed.

    Args:
        setups: (n,)
        seeds: int64 (n,)
    """
    _check_setups(game, setups)
    states, generator, mask = new_state(game, len(setups)), np.zeros(1, GENERATOR), np.zeros(game.n_actions, np.int8)
    stuck = loops_of(game).play(game.box, states, setups, _spread(seeds, len(setups)), generator, mask)
    if stuck >= 0:
        raise RuntimeError(f"game {stuck} offers nothing that it accepts")
    return states


def _shares(games: int, threads: int) -> int:
    """How many shares so many games are dealt in."""
    share = games if threads == 1 else games // (threads * SHARES)
    return -(-games // min(max(share, FEW), MANY))


def checked_mode(mode: AutoresetMode | str) -> AutoresetMode:
    """One of Gymnasium's modes, by itself or by name ("SameStep", "NextStep", "Disabled").

    Raises:
        ValueError: no such mode; the message names them.
    """
    try:
        return AutoresetMode(mode)
    except ValueError:
        names = ", ".join(repr(one.value) for one in AutoresetMode)
        raise ValueError(f"autoreset_mode is {mode!r}, choose one of {names}") from None


def _check_setups(game: Game, setups: Record) -> None:
    if not isinstance(setups, np.ndarray) or setups.dtype != game.setup or setups.ndim != 1 or not len(setups):
        raise ValueError(f"setups are no array (n,) of what {game.name}'s configure() gives, with n of 1 or more")
    _check_asked(game, setups)


def _check_asked(game: Game, records: Record) -> None:
    """Setups or states, (n,), that a batch can play."""
    check_bounds(game, records)
    if (manual := np.flatnonzero(records["manual_chance"])).size:
        raise ValueError(f"game {manual[0]}: manual_chance is for single games; in a batch chance answers by itself")


def _spread(seed: Any, n: int) -> NDArray[np.int64]:
    """One seed below ``SEEDS`` for each of ``n`` games: after the last comes 0."""
    if not np.ndim(seed):
        return (check_seed(seed) + np.arange(n, dtype=np.int64)) % SEEDS
    if isinstance(seed, (list, tuple)) and len(seed) == n:
        seed = [check_seed(one) for one in seed]
    seeds = np.asarray(seed)
    if seeds.dtype.kind not in "iu" or seeds.shape != (n,):
        raise ValueError(f"seed is {seeds.dtype} {seeds.shape}, expected a whole number or one for each of {n} games")
    for one in (seeds.min(), seeds.max()):
        check_seed(int(one))
    return seeds.astype(np.int64)


def processors() -> int:
    """How many this process may use."""
    affinity = getattr(os, "sched_getaffinity", None)
    return len(affinity(0)) if affinity else os.cpu_count() or 1


@lru_cache
def pool(threads: int) -> ThreadPoolExecutor:
    """Threads for compiled work; always the same ones for the same number."""
    return ThreadPoolExecutor(threads, "tabletop")


if hasattr(os, "register_at_fork"):  # a forked child has none of its parent's threads
    os.register_at_fork(after_in_child=pool.cache_clear)
