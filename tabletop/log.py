"""Game logs: the setup, the edition and every choice, with what chance answered kept apart.

A log's prefixes are its replays, its undo and its "what if".
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from operator import index
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop import record
from tabletop.game import CHANCE, NOBODY, Game, Record, check_bounds, enter, legal_mask, named, new_state, refusal

FORMAT = 1


@dataclass
class Log:
    """One game as it was played. ``entries`` are (actor, action): a seat's choice, or CHANCE and its outcome."""

    game: str
    version: int
    edition: str
    setup: dict[str, Any]
    seed: int
    entries: list[tuple[int, int]] = field(default_factory=list)
    trace: tuple[int, int] = (0, 0)  #: the state's trace after the last entry
    start: dict[str, Any] | None = None  #: the state before the first entry, where it is not what the setup leads to

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        start = {} if self.start is None else {"start": self.start}
        return {
            "format": FORMAT,
            "game": self.game,
            "version": self.version,
            "edition": self.edition,
            "setup": self.setup,
            "seed": self.seed,
            **start,
            "entries": [list(entry) for entry in self.entries],
            "trace": list(self.trace),
        }

    @classmethod
    def from_dict(cls, data: Any) -> Log:
        """The log that :meth:`to_dict` wrote.

        Raises:
            ValueError: not a log, or of another format.
        """
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise ValueError(f"not a game log of format {FORMAT}")
        try:
            entries = [(_whole(actor), _whole(action)) for actor, action in data["entries"]]
            first, second = (_whole(word) for word in data["trace"])
            return cls(
                str(data["game"]), _whole(data["version"]), str(data["edition"]), dict(data["setup"]),
                _whole(data["seed"]), entries, (first, second), dict(data["start"]) if "start" in data else None,
            )  # fmt: skip
        except KeyError as error:
            raise ValueError(f"game log lacks {error}") from None
        except (TypeError, ValueError, OverflowError) as error:
            raise ValueError(f"game log is damaged: {error}") from None

    def save(self, path: str | Path) -> None:
        """Writes the log as JSON."""
        Path(path).write_text(json.dumps(self.to_dict()) + "\n", encoding="utf-8")

    @classmethod
    def load(cls, path: str | Path) -> Log:
        """Reads a log.

        Raises:
            ValueError: the file is not a log; the message names the file.
            OSError: it cannot be read.
        """
        try:
            return cls.from_dict(json.loads(Path(path).read_text(encoding="utf-8")))
        except ValueError as error:
            raise ValueError(f"{path}: {error}") from None


class Match:
    """A game being played: its state, shape (1,), and the log that leads there.

    Chance is answered step by step, so that the log holds its outcomes; the trace is that of a game in which the
    simulator answers by itself. With ``manual_chance`` the match stops at every draw and waits to be told.
    """

    def __init__(self, game: Game, setup: Record, seed: int, manual_chance: bool = False) -> None:
        self.game = game
        self.manual_chance = manual_chance
        self.s = new_state(game)
        self._out = np.zeros(game.max_seats, np.float64)
        check_bounds(game, setup)
        stepwise = setup.copy()
        stepwise["manual_chance"] = 1
        self.log = Log(game.name, game.version, game.edition, record.to_dict(setup), int(seed))
        game.reset(game.box, self.s, stepwise, int(seed))
        self._to_act = self.s["to_act"]
        if not manual_chance:
            self._settle(None)

    @property
    def to_act(self) -> int:
        """The seat that is asked, CHANCE or NOBODY."""
        return int(self._to_act[0])

    @property
    def over(self) -> bool:
        return self.to_act == NOBODY

    def legal(self) -> Any:
        """The mask of what may be chosen now: a new int8[n_actions]."""
        return legal_mask(self.game, self.s)

    def observe(self, seat: int) -> Any:
        """What a seat sees now: a new float32[size]."""
        out = np.empty(len(self.game.observation_low), np.float32)
        self.game.observe(self.game.box, self.s, seat, out)
        return out

    def act(self, action: int) -> list[float] | None:
        """Makes a choice (or tells chance's outcome, with ``manual_chance``) and runs on to the next decision.

        Returns:
            the reward of every seat, or None where there is none.

        Raises:
            ValueError: the game is over, or the choice is illegal; nothing has changed.
        """
        actor = int(self._to_act[0])
        game = self.game
        number = action if type(action) is int else whole(action)
        if actor == NOBODY:
            raise ValueError("the game is over: nobody is to act")
        stood = record.copy(self.s) if actor == CHANCE else self.s
        if number is None or not enter(game, self.s, number):
            record.put(self.s, slice(None), stood)
            raise ValueError(refusal(game, self.s, action))
        self.log.entries.append((actor, number))
        rewards = self._rewards(None)
        return rewards if self.manual_chance else self._settle(rewards)

    def undo(self) -> bool:
        """Takes the last choice back with all that chance answered since; False if none was made.

        The state is then byte for byte what it was, the generator included.
        """
        entries = self.log.entries
        keep = len(entries) - 1
        while keep >= 0 and not self.manual_chance and entries[keep][0] == CHANCE:
            keep -= 1
        if keep < 0:
            return False
        shortened = copy.copy(self.log)
        shortened.entries = entries[:keep]
        record.put(self.s, slice(None), replay(self.game, shortened, verify=False))
        self.log = shortened
        return True

    def copy(self) -> Match:
        """Another match that stands here and goes on by itself."""
        twin = copy.copy(self)
        twin.s = record.copy(self.s)
        twin._to_act = twin.s["to_act"]
        twin._out = self._out.copy()
        twin.log = copy.copy(self.log)
        twin.log.entries = list(self.log.entries)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        """For copies and pickles: all but the view into the state, which they make anew."""
        return {name: value for name, value in self.__dict__.items() if name != "_to_act"}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self._to_act = self.s["to_act"]

    def stamped(self) -> Log:
        """The log so far, with the trace of the state."""
        log = copy.copy(self.log)
        log.entries = list(self.log.entries)
        log.trace = trace(self.s)
        return log

    @classmethod
    def resume(cls, game: Game, log: Log, manual_chance: bool = False, upto: int | None = None) -> Match:
        """A match that stands where a log ends (or after its first ``upto`` entries).

        Raises:
            ValueError: as :func:`replay`.
        """
        match = cls(game, record.from_dict(log.setup, game.setup), log.seed, manual_chance=True)
        record.put(match.s, slice(None), replay(game, log, upto))
        match.log.entries, match.log.start = log.entries[:upto], log.start
        match.manual_chance = manual_chance
        if not manual_chance:
            match._settle(None)
        return match

    def _settle(self, rewards: list[float] | None) -> list[float] | None:
        """Lets the state's generator answer whatever chance is asked."""
        game, box, s, to_act = self.game, self.game.box, self.s, self._to_act
        while to_act[0] == CHANCE:
            outcome = int(game.sample(box, s))
            if not game.apply(box, s, outcome):
                raise RuntimeError(f"the game refused its own outcome {named(game, s, outcome)}")
            self.log.entries.append((CHANCE, outcome))
            rewards = self._rewards(rewards)
        return rewards

    def _rewards(self, earlier: list[float] | None) -> list[float] | None:
        self.game.rewards(self.game.box, self.s, self._out)
        new: list[float] = self._out.tolist()
        if not any(new):
            return earlier
        return new if earlier is None else [a + b for a, b in zip(earlier, new, strict=True)]


def whole(action: Any) -> int | None:
    """A choice as an int, also of an array or a tensor of one element; None if it is no whole number."""
    if isinstance(action, (int, np.integer)):
        return None if isinstance(action, bool) else int(action)
    if isinstance(action, np.ndarray):
        return int(action.item()) if action.size == 1 and action.dtype.kind in "iu" else None
    try:
        return None if str(getattr(action, "dtype", "")).endswith("bool") else index(action)
    except TypeError:
        return None


def choice(game: Game, action: Any) -> int:
    """A choice as :func:`whole` makes it; ValueError: it is no whole number."""
    number = whole(action)
    if number is None:
        raise ValueError(f"choose a whole number from 0 to {game.n_actions - 1}, not {action!r}")
    return number


def trace(s: Record) -> tuple[int, int]:
    """The rolling hash of a state, shape (1,)."""
    first, second = s["trace"][0].tolist()
    return first, second


def replay(game: Game, log: Log, upto: int | None = None, verify: bool = True) -> Record:
    """The state, shape (1,), after the first ``upto`` entries of a log (all by default).

    The generator draws along, so that a game goes on after a replay as it would have without.

    Raises:
        ValueError: another game or edition, an entry that does not fit (its index is named), or, where the whole log
            is replayed, another trace than the log's.
    """
    *_, s = states(game, log, upto)
    if verify and (upto is None or upto >= len(log.entries)) and trace(s) != log.trace:
        raise ValueError(f"the log's trace is {log.trace}, its replay's is {trace(s)}: one of them was changed")
    return s


def rewards(game: Game, log: Log) -> NDArray[np.float64]:
    """What each entry of a log paid every seat, float64 (entries, max_seats).

    Raises:
        ValueError: as :func:`replay`.
    """
    paid = np.zeros((len(log.entries) + 1, game.max_seats))
    for i, s in enumerate(states(game, log)):
        game.rewards(game.box, s, paid[i])
    return paid[1:]


def states(game: Game, log: Log, upto: int | None = None) -> Iterator[Record]:
    """The state, shape (1,), before each of the first ``upto`` entries of a log and after them: always the same array.

    Raises:
        ValueError: as :func:`replay`.
    """
    s = _begun(game, log)
    yield s
    for i, (actor, action) in enumerate(log.entries[:upto]):
        _enter(game, s, i, actor, action)
        yield s


def check(game: Game, log: Log) -> None:
    """ValueError if a log is of another game, version or edition."""
    if log.game != game.name:
        raise ValueError(f"the log is of the game {log.game!r}, not of {game.name!r}")
    if log.version != game.version:
        raise ValueError(f"the log was played with version {log.version} of {game.name}, this is {game.version}")
    if log.edition != game.edition:
        raise ValueError(f"the log was played with edition {log.edition}, this is {game.edition}")


def _whole(x: Any) -> int:
    """A number of a file, as the rules can be handed it: of 64 bits."""
    if (number := whole(x)) is None:
        raise TypeError(f"{x!r} is no whole number")
    return int(np.int64(number))


def _begun(game: Game, log: Log) -> Record:
    """The state before a log's first entry, for which chance is told."""
    check(game, log)
    if log.start is not None:
        s = record.from_dict(log.start, game.state)
        check_bounds(game, s)
        s["manual_chance"] = 1
        return s
    setup = record.from_dict(log.setup, game.setup)
    check_bounds(game, setup)
    setup["manual_chance"] = 1
    s = new_state(game)
    game.reset(game.box, s, setup, log.seed)
    return s


def _enter(game: Game, s: Record, index: int, actor: int, action: int) -> None:
    asked = int(s["to_act"][0])
    if asked == NOBODY:
        raise ValueError(f"entry {index} comes after the end of the game")
    if asked != actor:
        who = "chance" if asked == CHANCE else f"seat {asked}"
        raise ValueError(f"entry {index} is of {'chance' if actor == CHANCE else f'seat {actor}'}, asked is {who}")
    if not enter(game, s, action):
        raise ValueError(f"entry {index}: {refusal(game, s, action)}")
