"""Whether a game keeps the laws that every game keeps, tried on random play: one that keeps them all is admitted.

    conformance.check(game, setups, seeds=range(20))

plays one game for each seed and holds every law of :mod:`tabletop.laws` against it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from tabletop import record
from tabletop.game import Game, Record
from tabletop.laws import OF_ALL, OF_PLAYS, OF_POSITIONS, Law
from tabletop.plays import MOST, Advise, Position, play

#: The names of all laws, in the order in which they are held.
LAWS = tuple(law.__name__ for law in (*OF_PLAYS, *OF_POSITIONS, *OF_ALL))


class Violation(AssertionError):
    """A game breaks a law; ``seed`` and ``step`` say where: the number of choices and outcomes before it."""

    def __init__(self, game: Game, law: str, problem: str, seed: int | None = None, step: int | None = None) -> None:
        self.law, self.seed, self.step, self.problem = law, seed, step, problem
        where = [f"{name} {number}" for name, number in (("seed", seed), ("step", step)) if number is not None]
        super().__init__(f"{game.name} breaks the law {law!r}, {', '.join([*where, problem])}")


def check(
    game: Game,
    setups: Record | None = None,
    seeds: Iterable[int] = range(8),
    *,
    laws: Sequence[str] | None = None,
    every: int = 1,
    most: int = MOST,
    advise: Advise | None = None,
) -> None:
    """Plays one game at random for each seed and holds the laws against them.

    Args:
        setups: (n,), of ``game.configure()``, which the games take in turn; by default what it gives by itself.
        laws: names of those to hold, by default all of :data:`LAWS`.
        every: the laws of positions look at one position in so many, and at the last.
        most: choices and outcomes after which a game must have ended.
        advise: ``advise(s)`` is what somebody says of a state, shape (1,), to the seat that is asked: anything that
            can be compared, and must not give away what that seat may not know.

    Raises:
        Violation: a law is broken; the first is named, with the seed and the step.
        ValueError: there is no such law; the message names those there are.
    """
    names = _chosen(laws)
    each = game.configure() if setups is None else setups
    turns = [(i % len(each), seed) for i, seed in enumerate(seeds)]
    plays = [play(game, each[k : k + 1], seed, most, advise) for k, seed in turns]
    for one in plays:
        _hold(game, OF_PLAYS, names, one, one.seed)
        for step, position in one.positions(every):
            _hold(game, OF_POSITIONS, names, position, one.seed, step)
    _hold(game, OF_ALL, names, plays)


def check_position(game: Game, s: Record, *, laws: Sequence[str] | None = None, seed: int = 0) -> None:
    """Holds the laws of positions against one state, shape (1,), however it came about.

    Args and errors as :func:`check`.
    """
    _hold(game, OF_POSITIONS, _chosen(laws), Position(game, record.copy(s), seed), seed)


def _chosen(names: Sequence[str] | None) -> Sequence[str]:
    if unknown := set(names or ()) - set(LAWS):
        raise ValueError(f"no law {', '.join(sorted(unknown))}: choose from {', '.join(LAWS)}")
    return LAWS if names is None else names


def _hold(game: Game, laws: Iterable[Law], names: Sequence[str], subject: Any, *where: int | None) -> None:
    """Raises the first violation. ``where`` is seed and step as far as they are known, a law yields the rest."""
    for law in laws:
        if law.__name__ not in names:
            continue
        try:
            found = next(law(subject), None)
        except Exception as error:
            raise Violation(game, law.__name__, f"{type(error).__name__}: {error}", *where) from error
        if found is not None:
            *rest, problem = (found,) if isinstance(found, str) else found
            raise Violation(game, law.__name__, problem, *where, *rest)
