"""Games that are played at random, and positions of them: what the laws of every game look at."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop import log as logs
from tabletop import record
from tabletop.game import CHANCE, NOBODY, Game, Record, new_state
from tabletop.languages import LANGUAGES
from tabletop.log import Log

#: No game asks more often, unless :func:`~tabletop.conformance.check` is told another limit.
MOST = 10_000
#: Choices that are made after going on from somewhere.
ON = 30

Advise = Callable[[Record], Any]


@dataclass(frozen=True)
class Position:
    """Where a game stands, for the laws that look no further."""

    game: Game
    s: Record  #: shape (1,)
    seed: int = 0  #: of what is drawn to try a law
    advise: Advise | None = None  #: what somebody says of a state to the seat that is asked, to be compared

    @property
    def asked(self) -> int:
        """A seat, CHANCE or NOBODY."""
        return int(self.s["to_act"][0])

    @property
    def lang(self) -> str:
        """The language in which it is told: each in turn, from choice to choice."""
        return LANGUAGES[int(self.s["decisions"][0]) % len(LANGUAGES)]

    @property
    def seats(self) -> range:
        """All that there are."""
        return range(self.game.seats(self.s))

    @property
    def choices(self) -> list[int]:
        """What may be chosen."""
        return legal(self.game, self.s)

    def worlds(self) -> Iterator[tuple[int, Record]]:
        """Each seat with a state that it cannot tell from this one."""
        rng = np.random.default_rng([abs(self.seed), int(self.s["decisions"][0])])
        for seat in self.seats:
            yield seat, self.game.resample(self.s, seat, rng)


@dataclass(frozen=True)
class Play:
    """A game that was played at random, chance told outcome by outcome."""

    game: Game
    setup: Record
    seed: int
    log: Log
    states: list[Record]  #: before each entry of the log, and after the last
    paid: NDArray[np.float64]  #: (entries, max_seats) what each entry paid every seat
    advise: Advise | None = None
    refused: int | None = None  #: a choice of the mask that the last state did not accept

    @property
    def over(self) -> bool:
        """Whether it came to its end."""
        return int(self.states[-1]["to_act"][0]) == NOBODY

    @property
    def choices(self) -> list[int]:
        """Those of the seats, without what chance answered."""
        return [action for actor, action in self.log.entries if actor != CHANCE]

    @property
    def asking(self) -> list[int]:
        """The steps at which a seat is asked."""
        return [step for step, (actor, _) in enumerate(self.log.entries) if actor != CHANCE]

    @property
    def payments(self) -> NDArray[np.float64]:
        """What each choice paid every seat, with what chance answered to it: (choices, max_seats)."""
        if not self.asking:
            return np.zeros((0, self.game.max_seats))
        payments: NDArray[np.float64] = np.add.reduceat(self.paid, self.asking)
        return payments

    def alone(self) -> Iterator[tuple[int, Record]]:
        """The steps at which a seat is asked and the end, with the state where chance answers by itself: one array."""
        s = begun(self.game, self.setup, self.seed)
        for step in self.asking:
            yield step, s
            if not self.game.apply(self.game.box, s, self.log.entries[step][1]):
                return
        yield len(self.log.entries), s

    def positions(self, every: int = 1) -> Iterator[tuple[int, Position]]:
        """One position in so many, and the last. In games of odd seeds chance answers by itself, as in a batch."""
        every_one = enumerate(self.states) if self.seed % 2 == 0 else self.alone()
        last = len(self.log.entries)
        for n, (step, s) in enumerate(every_one):
            if n % every == 0 or step == last:
                yield step, Position(self.game, record.copy(s), self.seed, self.advise)


def play(game: Game, setup: Record, seed: int, most: int = MOST, advise: Advise | None = None) -> Play:
    """A random game of up to ``most`` choices and outcomes. It stops where nothing may be chosen."""
    setup = setup.copy()
    setup["manual_chance"] = 0
    log = Log(game.name, game.version, game.edition, record.to_dict(setup), int(seed))
    s = begun(game, setup, seed, told=True)
    rng, states, paid = np.random.default_rng(abs(seed)), [record.copy(s)], [np.zeros(game.max_seats)]
    refused = None
    while (actor := int(s["to_act"][0])) != NOBODY and len(log.entries) < most:
        if actor == CHANCE:
            action = int(game.sample(game.box, s))
        elif choices := legal(game, s):
            action = int(rng.choice(choices))
        else:
            break
        if not game.apply(game.box, s, action):
            refused = action
            break
        log.entries.append((actor, action))
        states.append(record.copy(s))
        paid.append(np.full(game.max_seats, np.nan))
        game.rewards(game.box, s, paid[-1])
    log.trace = logs.trace(s)
    return Play(game, setup, int(seed), log, states, np.array(paid)[1:], advise, refused)


def legal(game: Game, s: Record) -> list[int]:
    """What may be chosen in a state, shape (1,), in the catalogue's order."""
    return [int(action) for action in np.flatnonzero(mask_of(game, s))]


def by_rule(choices: Sequence[int], seed: int, step: int) -> int:
    """One of the choices, by a rule that anybody can repeat."""
    return choices[(7 * step + seed) % len(choices)]


def play_by_rule(game: Game, s: Record, most: int = ON, seed: int = 0) -> Record:
    """Plays on in place, :func:`by_rule`, for so many choices or to the end; returns the state."""
    for step in range(most):
        if (actor := int(s["to_act"][0])) == NOBODY:
            break
        choices = legal(game, s)
        action = int(game.sample(game.box, s)) if actor == CHANCE else by_rule(choices, seed, step)
        game.apply(game.box, s, action)
    return s


def begun(game: Game, setup: Record, seed: int, told: bool = False) -> Record:
    """The state at the first decision."""
    setup, s = setup.copy(), new_state(game)
    setup["manual_chance"] = told
    game.reset(game.box, s, setup, int(seed))
    return s


def mask_of(game: Game, s: Record) -> NDArray[np.int8]:
    """What may be chosen in a state, shape (1,): int8 (n_actions,), with a 7 wherever the game has written nothing."""
    out = np.full(game.n_actions, 7, np.int8)
    game.legal(game.box, s, out)
    return out


def seen_by(game: Game, s: Record, seat: int) -> NDArray[np.float32]:
    """What a seat sees of it: float32 (size,), with a nan wherever the game has written nothing."""
    out = np.full(len(game.observation_low), np.nan, np.float32)
    game.observe(game.box, s, seat, out)
    return out


def views_of(game: Game, s: Record) -> list[bytes]:
    """What may be chosen in a state and what every seat sees of it."""
    return [mask_of(game, s).tobytes(), *(seen_by(game, s, seat).tobytes() for seat in range(game.seats(s)))]


def said_to(game: Game, s: Record, seat: int | None, choices: Iterable[int], lang: str = "en") -> list[str]:
    """All that is said of a state to a seat."""
    said = [game.words(s, action, lang, seat) for action in choices]
    return [game.question(s, lang, seat), game.describe(s, lang, seat), *said]
