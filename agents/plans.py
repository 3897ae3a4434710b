"""Plans: what a seat may do in the rest of its turn, drawn from an agent, and merged where they leave the same table.

A turn ends where another seat is asked, chance is to draw, the game is over, or, in a game that has a
``turn_key(s)``, where that changes.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tabletop import record
from tabletop.agents.base import Agent, answers
from tabletop.game import CHANCE, Game, Record, legal_mask
from tabletop.games import extra

#: Choices in a plan; longer turns are cut there.
LONGEST = 64
#: How evenly turns are drawn: probabilities are taken to the power of 1 / temperature.
TEMPERATURES = (1.0, 2.0)
#: The group of choices that end something.
ENDING = "done"
#: An agent that tells no probabilities chooses something else, at random, so often.
ASTRAY = 0.3


@runtime_checkable
class Likely(Protocol):
    """An agent that tells how likely it chooses what, and what it thinks of a seat's chance to win."""

    def likelihoods(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.float64]:
        """Of states (n,) with masks int8 (n, n_actions): probabilities, float64 (n, n_actions)."""

    def chances(self, observations: NDArray[np.float32], boxes: NDArray[Any]) -> NDArray[np.float64]:
        """Of winning, float64 (n,), by what a seat sees, float32 (n, size), with boxes, int (n,)."""


class Plan(NamedTuple):
    """The rest of a turn."""

    actions: tuple[int, ...]
    prior: float  #: that the agent would leave this table
    head: float  #: chance of winning that the agent sees in it; nan where it tells none


class Step(NamedTuple):
    """A choice of a plan."""

    state: Record  #: (1,), where it is due
    action: int


class Turn:
    """The rest of a seat's turn from a state, shape (1,), of which the seat knows all that matters: one of its worlds.

    Chance is told nothing here: a turn stops where it would draw.
    """

    def __init__(self, game: Game, world: Record) -> None:
        self.game, self.seat = game, int(world["to_act"][0])
        self.start = record.copy(world)
        self.start["manual_chance"] = 1
        self._keyed = hasattr(game, "turn_key")
        self._key: Callable[[Record], Any] = getattr(game, "turn_key", lambda _: None)
        self._own = self._key(self.start)
        self._spare = extra(game, "spare")
        others = range(game.seats(world)) if game.secrets(world)[0] else ()
        self._looking = [self.seat, *(seat for seat in others if seat != self.seat)]

    def over(self, s: Record) -> bool:
        """Whether the turn has ended in a state, shape (1,)."""
        return int(s["to_act"][0]) != self.seat or self._key(s) != self._own

    def seen(self, s: Record) -> NDArray[np.float32]:
        """What the seat sees, float32 (size,)."""
        return self._views(s, [self.seat])[0]

    def _views(self, s: Record, seats: list[int]) -> NDArray[np.float32]:
        """What each of some seats sees, float32 (n, size)."""
        views = np.zeros((len(seats), len(self.game.observation_low)), np.float32)
        for view, seat in zip(views, seats, strict=True):
            self.game.observe(self.game.box, s, seat, view)
        return views

    def key(self, s: Record) -> bytes:
        """Equal where the seat cannot tell two states apart, and has the same choices."""
        return self.seen(s).tobytes() + legal_mask(self.game, s).tobytes() + _whose(s)

    def table(self, s: Record) -> bytes:
        """Equal where no seat can tell two states apart, but for what the seat could still have done in a turn that is
        over (``Extras.spare``)."""
        views = self._views(s, self._looking)
        for part in self._spare if self._key(s) != self._own else ():
            views[:, part] = 0
        return views.tobytes() + _whose(s)

    def steps(self, actions: tuple[int, ...]) -> Iterator[Step]:
        """A plan's choices, each with the state in which it is due."""
        s = record.copy(self.start)
        for action in actions:
            yield Step(record.copy(s), action)
            self.game.apply(self.game.box, s, action)

    def left(self, actions: tuple[int, ...]) -> bytes:
        """The :meth:`table` that a plan leaves."""
        s = record.copy(self.start)
        for action in actions:
            self.game.apply(self.game.box, s, action)
        return self.table(s)

    def direct(self, actions: tuple[int, ...]) -> tuple[int, ...]:
        """A plan without its detours: choices on end are left out, as many as may be, or two or three become one, where
        all else can still be done and leaves the same table."""
        i, left, s = 0, self.left(actions), record.copy(self.start)
        while i < len(actions):
            for shorter in self._shorter(s, actions[i:]):
                rest, table = self._ended(s, shorter)
                if table == left and 0 < i + len(rest) < len(actions):
                    actions = actions[:i] + rest
                    break
            else:
                self.game.apply(self.game.box, s, actions[i])
                i += 1
        return actions

    def _shorter(self, s: Record, actions: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        """What to try instead of a plan from a state, shape (1,)."""
        for after in range(len(actions), 0, -1):
            yield actions[after:]
        for action in np.flatnonzero(legal_mask(self.game, s)).tolist() if len(actions) > 1 else ():
            yield from ((action, *actions[after:]) for after in (3, 2))

    def _ended(self, s: Record, actions: tuple[int, ...]) -> tuple[tuple[int, ...], bytes | None]:
        """The rest of a plan from a state, shape (1,), with the choice that ends the turn where it has not ended; and
        the :meth:`table` that it leaves, None if it cannot be carried out."""
        s = record.copy(s)
        for action in actions:
            if self.over(s) or not self.game.apply(self.game.box, s, action):
                return actions, None
        if not self.over(s) and (end := self._end(s)) is not None:
            self.game.apply(self.game.box, s, end)
            actions = (*actions, end)
        return actions, self.table(s)

    def end(self) -> Plan | None:
        """The plan to end the turn at once, where a choice does so."""
        end = self._end(self.start)
        return None if end is None else Plan((end,), 0.0, np.nan)

    def _end(self, s: Record) -> int | None:
        """The choice that ends the turn in a state, shape (1,); None where there is none, or nothing else to choose."""
        legal = np.flatnonzero(legal_mask(self.game, s)).tolist()
        for action in legal if len(legal) > 1 else ():
            if self.game.group(action) == ENDING:
                after = record.copy(s)
                self.game.apply(self.game.box, after, action)
                drawing = self._keyed and after["to_act"][0] == CHANCE and self._key(after) == self._own
                if self.over(after) and not drawing:
                    return int(action)
        return None

    def greedy(self, agent: Agent) -> Plan:
        """What an agent likes best at each choice."""
        return self.sample(agent, np.zeros(1), np.random.default_rng(0))[0]

    def sample(
        self, agent: Agent, temperatures: NDArray[np.float64], rng: np.random.Generator,
        halted: Callable[[], bool] = lambda: False,
    ) -> list[Plan]:  # fmt: skip
        """Turns drawn from an agent, one for each temperature, where 0 is what it likes best; merged where the seat
        sees the same table: the first comes first, with the shortest way there. Halted, they end after a choice."""
        n = len(temperatures)
        states = self.start.repeat(n)
        actions: list[list[int]] = [[] for _ in range(n)]
        chances, live = np.ones(n), list(range(n))
        for _ in range(LONGEST):
            if not live or (actions[0] and halted()):
                break
            drawn = self._draw(agent, record.take(states, live), temperatures[live], rng)
            for i, (action, chance) in zip(live, drawn, strict=True):
                self.game.apply(self.game.box, states[i : i + 1], action)
                actions[i].append(action)
                chances[i] *= chance
            live = [i for i in live if not self.over(states[i : i + 1])]
        return self._merged(agent, states, list(map(tuple, actions)), chances)

    def _draw(
        self, agent: Agent, states: Record, temperatures: NDArray[np.float64], rng: np.random.Generator
    ) -> list[tuple[int, float]]:
        """A choice in each state and how likely it was; equal states are looked at once."""
        whole = states.view(np.dtype((np.void, states.dtype.itemsize)))
        index: dict[bytes, int] = {}
        which = [index.setdefault(one.tobytes(), len(index)) for one in whole]
        distinct = record.take(states, [which.index(i) for i in range(len(index))])
        masks = np.stack([legal_mask(self.game, distinct[i : i + 1]) for i in range(len(distinct))])
        likely = likelihoods(agent, distinct, masks)
        drawn = []
        for i, temperature in zip(which, temperatures, strict=True):
            legal = np.flatnonzero(masks[i])
            p = likely[i, legal]
            if temperature == 0:
                k = int(p.argmax())
            else:
                weights = np.maximum(p, 1e-12) ** (1 / temperature)
                up_to = weights.cumsum()
                k = min(int(np.searchsorted(up_to, rng.random() * up_to[-1], side="right")), len(legal) - 1)
            drawn.append((int(legal[k]), float(p[k])))
        return drawn

    def _merged(
        self, agent: Agent, states: Record, ways: list[tuple[int, ...]], chances: NDArray[np.float64]
    ) -> list[Plan]:
        tables: dict[bytes, dict[tuple[int, ...], float]] = {}
        views = []
        for i, way in enumerate(ways):
            key = self.table(states[i : i + 1])
            if key not in tables:
                views.append(self.seen(states[i : i + 1]))
            tables.setdefault(key, {})[way] = float(chances[i])
        heads = np.full(len(views), np.nan)
        if isinstance(agent, Likely):
            heads = agent.chances(np.stack(views), np.repeat(self.start["box"], len(views)))
        return [Plan(min(same, key=lambda way: (len(way), -same[way])), sum(same.values()), float(head))
                for same, head in zip(tables.values(), heads, strict=True)]  # fmt: skip


def _whose(s: Record) -> bytes:
    return bytes([int(s["to_act"][0]) + 2, int(s["box"][0]) % 256])


def likelihoods(agent: Agent, states: Record, masks: NDArray[np.int8]) -> NDArray[np.float64]:
    """How likely an agent chooses what in states (n,) with masks int8 (n, n_actions): float64 (n, n_actions)."""
    if isinstance(agent, Likely):
        return agent.likelihoods(states, masks)
    likely = ASTRAY * masks / np.maximum(1, masks.sum(1, keepdims=True))
    likely[np.arange(len(states)), answers(agent, states, masks)] += 1 - ASTRAY
    return likely


def choose(plans: list[Plan], most: int, rng: np.random.Generator) -> list[Plan]:
    """The plans to try, the first always: a quarter by how likely they are and a quarter by what the agent thinks of
    them, since either misleads, and the others drawn by how likely they are (Gumbel-top-k)."""
    if len(plans) <= most:
        return plans
    prior = np.log(np.maximum([plan.prior for plan in plans], 1e-12))
    head = np.array([plan.head for plan in plans])
    noise = rng.gumbel(size=len(plans))
    chosen = [0]
    orders = [(prior, most // 4), (head, 0 if np.isnan(head).any() else most // 4), (prior + noise, most)]
    for worth, many in orders:
        left = [i for i in np.argsort(-worth, kind="stable").tolist() if i not in chosen]
        chosen += left[: min(many, most - len(chosen))]
    return [plans[i] for i in chosen]
