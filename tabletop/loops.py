"""The compiled loops of a batch, for any game.

They name the game's functions as globals of this module that do not exist; :func:`loops_of` binds each loop to one
game's own. So they are compiled with the rules inlined, kept on disk, and still written once. They hold no lock of
Python: each thread of a batch runs its share of the games, and which thread that is changes nothing in a game.
"""

from __future__ import annotations

import hashlib
import inspect
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from types import FunctionType
from typing import Any, Protocol

from tabletop.fields import Array, Records, dtype_of
from tabletop.game import NOBODY, SEEDS, Game
from tabletop.jit import entry, fetch_add, give_way, kernel
from tabletop.rng import Generator, below, seed_generator

#: A generator for random play, apart from the simulator's.
GENERATOR = dtype_of(Generator)
#: What a game is told instead of a choice: begin anew; stay as it is.
BEGIN, STAY = -1, -2
#: When a finished game begins anew: never, in the next step, in the same one.
DISABLED, NEXT_STEP, SAME_STEP = range(3)
#: How often a thread looks whether the others are done before it gives way.
PATIENCE = 200
#: Choices of a mask that are looked at together.
STRIDE = 32
#: The counters that the threads of a step share.
TO_CHECK, CHECKED, TO_MOVE, MOVED, ENDED = range(5)


class Started(Protocol):
    """Any game's state."""

    to_act: int


class Slot(Protocol):
    """A place in a batch: the seeds of the game that is played there and of the next one, and what each seat got."""

    seed: int
    next_seed: int
    returns: Array[float]


class Over(Protocol):
    """A finished game: its number in the batch, its seed, and what each seat got."""

    game: int
    seed: int
    returns: Array[float]


def _unbound(*_: Any) -> Any:
    raise NotImplementedError("stands for a game's function")


reset = apply = legal = observe = rewards = _unbound


def begin(box: Any, s: Records[Started], setups: Records[Any], slots: Records[Slot], i: int) -> None:
    """Game ``i`` begins, with its next seed."""
    slots[i].seed = slots[i].next_seed
    slots[i].next_seed = (slots[i].seed + len(s)) % SEEDS
    for seat in range(len(slots[i].returns)):
        slots[i].returns[seat] = 0.0
    reset(box, s[i : i + 1], setups[i : i + 1], slots[i].seed)


def show(box: Any, s: Records[Started], masks: Array[int], observations: Array[float], low: int, high: int) -> None:
    """What may be chosen in the games from ``low`` up to ``high``, and what the seats that are asked see."""
    for i in range(low, high):
        legal(box, s[i : i + 1], masks[i])
    if observations.shape[1] > 0:
        for i in range(low, high):
            observe(box, s[i : i + 1], max(0, s[i].to_act), observations[i])


def refuses(box: Any, s: Records[Started], orders: Array[int], mask: Array[int], low: int, high: int) -> int:
    """The first game from ``low`` up to ``high`` that does not accept its choice; -1 if all do."""
    for i in range(low, high):
        if s[i].to_act != NOBODY:
            if orders[i] < 0 or orders[i] >= len(mask):
                return i
            legal(box, s[i : i + 1], mask)
            if mask[orders[i]] == 0:
                return i
    return -1


def move(
    box: Any,
    s: Records[Started],
    setups: Records[Any],
    slots: Records[Slot],
    mode: int,
    orders: Array[int],
    masks: Array[int],
    observations: Array[float],
    paid: Array[float],
    terminated: Array[bool],
    over: Records[Over],
    over_states: Records[Any],
    ended: Array[int],
    payoff: Array[float],
    low: int,
    high: int,
) -> None:
    """Carries out the orders of the games from ``low`` up to ``high``, and then shows them.

    Those that end are noted in ``over`` and ``over_states``, as many as ``ended`` counts, in any order.
    """
    for i in range(low, high):
        paid[i, :] = 0.0
        terminated[i] = False
        if orders[i] == BEGIN or (s[i].to_act == NOBODY and orders[i] != STAY and mode != DISABLED):
            begin(box, s, setups, slots, i)
        elif s[i].to_act == NOBODY:
            terminated[i] = True
        elif orders[i] != STAY:
            apply(box, s[i : i + 1], orders[i])
            rewards(box, s[i : i + 1], payoff)
            for seat in range(len(payoff)):
                paid[i, seat] = payoff[seat]
                slots[i].returns[seat] += payoff[seat]
            if s[i].to_act == NOBODY:
                terminated[i] = True
                k = fetch_add(ended, 0, 1)
                over[k].game = i
                over[k].seed = slots[i].seed
                for seat in range(len(payoff)):
                    over[k].returns[seat] = slots[i].returns[seat]
                over_states[k] = s[i]
                if mode == SAME_STEP:
                    begin(box, s, setups, slots, i)
    show(box, s, masks, observations, low, high)


def take(tickets: Array[int], me: int, threads: int, shares: int) -> int:
    """A share of the games that nobody has taken yet, or -1: first of a thread's own part, whose games its processor
    still has at hand, then of the others'."""
    for other in range(threads):
        part = (me + other) % threads
        first, last = shares * part // threads, shares * (part + 1) // threads
        if tickets[part] < last - first:
            k = first + fetch_add(tickets, part, 1)
            if k < last:
                return k
    return -1


def wait(done: Array[int], shares: int) -> None:
    """Until all shares are done; on a busy machine the thread that does the last of them may need the processor."""
    tries = 0
    while fetch_add(done, 0, 0) < shares:
        tries += 1
        if tries > PATIENCE:
            give_way()


def step_together(
    box: Any,
    s: Records[Started],
    setups: Records[Any],
    slots: Records[Slot],
    mode: int,
    checked: bool,
    orders: Array[int],
    masks: Array[int],
    observations: Array[float],
    paid: Array[float],
    terminated: Array[bool],
    over: Records[Over],
    over_states: Records[Any],
    refused: Array[int],
    tickets: Array[int],
    payoff: Array[float],
    mask: Array[int],
    me: int,
) -> int:
    """What every thread does in a step: it takes shares of the games until none is left. The first one waits for all.

    No game moves before all choices are checked (unless they are): ``refused``, int64 (shares,), has of each share the
    game that refuses, or -1. ``tickets``, int64 (5, threads), counts what is taken and done.

    Returns:
        the first game that refuses, or -1.
    """
    shares, threads = len(refused), tickets.shape[1]
    share = -(-len(s) // shares)
    k = take(tickets[TO_CHECK], me, threads, shares)
    while k >= 0:
        refused[k] = -1 if checked else refuses(box, s, orders, mask, k * share, min(len(s), (k + 1) * share))
        fetch_add(tickets[CHECKED], 0, 1)
        k = take(tickets[TO_CHECK], me, threads, shares)
    wait(tickets[CHECKED], shares)
    for k in range(shares):
        if refused[k] >= 0:
            return refused[k]
    k = take(tickets[TO_MOVE], me, threads, shares)
    while k >= 0:
        move(
            box, s, setups, slots, mode, orders, masks, observations, paid, terminated, over, over_states,
            tickets[ENDED], payoff, k * share, min(len(s), (k + 1) * share),
        )  # fmt: skip
        fetch_add(tickets[MOVED], 0, 1)
        k = take(tickets[TO_MOVE], me, threads, shares)
    if me == 0:
        wait(tickets[MOVED], shares)
    return -1


def play_all(
    box: Any,
    s: Records[Started],
    setups: Records[Any],
    seeds: Array[int],
    generator: Records[Generator],
    mask: Array[int],
) -> int:
    """Plays every game to its end, uniformly at random; -1, or the game that offers nothing that it accepts."""
    for i in range(len(s)):
        one = s[i : i + 1]
        reset(box, one, setups[i : i + 1], seeds[i])
        seed_generator(generator[0], seeds[i] * 1000003 + 1)
        while one[0].to_act != NOBODY:
            legal(box, one, mask)
            if not apply(box, one, draw(mask, generator[0])):
                return i
    return -1


@kernel
def draw(mask: Array[int], generator: Generator) -> int:
    """A legal choice, uniformly, by a generator of its own; -1 if there is none."""
    n = 0
    for a in range(len(mask)):
        n += mask[a]
    left = below(generator, n)
    for a in range(0, len(mask), STRIDE):
        here = 0
        for b in range(a, min(a + STRIDE, len(mask))):
            here += mask[b]
        if left < here:
            for b in range(a, min(a + STRIDE, len(mask))):
                left -= mask[b]
                if left < 0:
                    return b
        left -= here
    return -1


@entry
def seed_generators(generators: Records[Generator], seeds: Array[int]) -> None:
    """Seeds every generator, GENERATOR (k,), with its own of int64 (k,)."""
    for i in range(len(generators)):
        seed_generator(generators[i], seeds[i])


@dataclass(frozen=True)
class Loops:
    """The compiled loops of one game."""

    step: Callable[..., int]
    play: Callable[..., int]


_made: dict[str, Loops] = {}


def loops_of(game: Game) -> Loops:
    """Made once for a game, whatever its edition."""
    key = f"{game.name}_{_digest(game.apply)}"
    if key not in _made:
        own = {name: getattr(game, name) for name in ("reset", "apply", "legal", "observe", "rewards")}
        names = {**globals(), **own}
        for part in (begin, show, refuses, move, take, wait):
            names[part.__name__] = kernel(_bound(part, key, names))
        _made[key] = Loops(*(entry(_bound(loop, key, names)) for loop in (step_together, play_all)))
    return _made[key]


@lru_cache
def _digest(function: Callable[..., Any]) -> str:
    """Of the file that holds a game's ``apply``: it tells games of one name apart."""
    source = inspect.getsourcefile(getattr(function, "py_func", function))
    return hashlib.sha256(Path(source).read_bytes()).hexdigest()[:12] if source else ""


def _bound(loop: Callable[..., Any], key: str, names: dict[str, Any]) -> Callable[..., Any]:
    bound = FunctionType(loop.__code__, names, loop.__name__)
    bound.__qualname__ = f"{key}.{loop.__name__}"
    bound.__module__ = __name__
    return bound
