"""What a game is: compiled functions over two records. Everything else calls these and knows no rule.

A game moves in by offering one object that satisfies :class:`Game`. The *box* is what is printed (read-only), the
*state* is where one game stands, the *setup* says how it begins; all three are NumPy structured dtypes. Every entry
function takes record **arrays**, because Numba hands those over without building an object: states and setups of shape
(1,), and all the boxes that are played with, of which a state says which is its own. So the games of a batch may each
have a box of their own.

A state record has at least these fields, whatever the game:

=================  ==========  =========================================================================
``box``            int         which of the boxes it is played with
``to_act``         int         seat that is asked, :data:`CHANCE` or :data:`NOBODY` (the game is over)
``cause``          int         index into ``Game.causes``: why it ended
``manual_chance``  int         1: ``apply`` stops at every draw and is told the outcome
``decisions``      int         choices of seats made so far
``trace``          int64[2]    rolling hash of all choices and chance outcomes
``rng``            int64[4]    the simulator's generator (:mod:`tabletop.rng`)
=================  ==========  =========================================================================

A setup record has at least ``box`` and ``manual_chance``.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from tabletop.boxes import is_whole, whole

CHANCE, NOBODY = -1, -2
#: No number of a game's contents is farther from 0, in whatever box: so observations of all boxes are of one space.
CONTENTS_LIMIT = 500
#: How a game has ended for a seat, or that it has not.
RUNNING, WON, LOST, DRAWN = range(4)
#: A seed of a game is a whole number from 0, below this.
SEEDS = 2**62

Record = NDArray[Any]  #: structured array; shape (1,) where one record is meant
Blocks = Sequence[tuple[str, int]]  #: a game's catalogue of choices: name and size of each part, in order


class Results(NamedTuple):
    """How games have ended for every seat: arrays (n, max_seats), zeros where there is no such seat."""

    result: NDArray[np.int8]  #: :data:`WON`, :data:`LOST` or :data:`DRAWN`
    place: NDArray[np.int8]  #: 1 is the best; seats that tie share one, as a team does
    score: NDArray[np.float64]  #: points at the end, where the game counts any


class Game(Protocol):
    """One game with its boxes, mostly one. Instances are picklable, so that workers can be given one; where a pickle
    names files, it is a ValueError to open it once they hold something else.

    What is said and shown of a state is for a ``seat``: it tells nothing that this seat may not know; another number
    than a seat's is a ValueError. None stands for nobody in particular, from whom nothing need be kept.
    """

    name: str  #: for file names, logs and metadata, e.g. "sammu_ramat"
    version: int  #: goes up when the same choices lead elsewhere
    edition: str  #: hash of the boxes' data
    hashes: tuple[str, ...]  #: of each box, what it is called alone
    seat_name: str  #: PettingZoo agents are called ``{seat_name}_{seat}``
    n_actions: int  #: size of the catalogue of choices, chance outcomes included
    max_seats: int
    state: np.dtype[Any]
    setup: np.dtype[Any]
    box: Record  #: shape (boxes,), read-only
    causes: tuple[str, ...]  #: name of each ``state["cause"]``
    clock: str  #: state field that counts how long a game lasts, e.g. "month"
    #: state fields by which statistics tell games apart, e.g. "challenge", each with names for its values 0, 1, ...; or
    #: none for a plain number
    labels: Mapping[str, tuple[str, ...]]
    observation_low: NDArray[np.float32]  #: shape (size,), the bounds of an observation
    observation_high: NDArray[np.float32]
    layout: str  #: hash of what each number of an observation and each choice of the catalogue means
    content_sets: tuple[tuple[slice, int, int], ...]  #: parts of an observation that count things: slice; first, number
    #: fields of a state: the least and the most that each may hold; also where a setup has such a field
    state_bounds: Mapping[str, tuple[float, float]]
    team: bool  #: all seats are paid alike, and win or lose together; otherwise they are rivals
    zero_sum: bool  #: what some seats are paid, the others pay
    max_decisions: int  #: no game has more choices of seats, with whatever setup
    hidden_size: int  #: length of what :meth:`hidden` tells of a state; 0 where all lies open
    render_modes: tuple[str, ...]

    @property
    def contents(self) -> NDArray[np.float32]:
        """What the thing that each choice names does in each box, (boxes, n_actions, features), each number within
        :data:`CONTENTS_LIMIT`; no features: nothing that differs from box to box."""

    @property
    def reset(self) -> Callable[[Record, Record, Record, int], None]:
        """``reset(box, s, setup, seed)``: begins a game and runs on to the first decision."""

    @property
    def apply(self) -> Callable[[Record, Record, int], bool]:
        """``apply(box, s, action) -> bool``: False if illegal (nothing changed); else runs on to the next decision."""

    @property
    def legal(self) -> Callable[[Record, Record, NDArray[np.int8]], None]:
        """``legal(box, s, mask)``: writes int8[n_actions], 1 for exactly what ``apply`` accepts; zeros at the end."""

    @property
    def weights(self) -> Callable[[Record, Record, NDArray[np.float64]], None]:
        """``weights(box, s, out)``: writes float64[n_actions], the outcomes' relative weights when chance is to act."""

    @property
    def sample(self) -> Callable[[Record, Record], int]:
        """``sample(box, s) -> int``: an outcome drawn with the state's own generator, not yet applied."""

    @property
    def observe(self) -> Callable[[Record, Record, int, NDArray[np.float32]], None]:
        """``observe(box, s, seat, out)``: writes float32[size], what a seat sees."""

    @property
    def rewards(self) -> Callable[[Record, Record, NDArray[np.float64]], None]:
        """``rewards(box, s, out)``: writes float64[max_seats], what the last ``apply`` paid every seat, whoever moved;
        zeros where there is no such seat. In a team all are paid alike."""

    def results(self, states: Record) -> Results:
        """How finished games, (n,), have ended for every seat."""

    def hidden(self, states: Record) -> NDArray[np.float32]:
        """What the seat that is asked may not know, float32 (n, hidden_size), of states (n,): for a critic."""

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        """Another state, shape (1,), that a seat cannot tell from this one, which is left as it is.

        What the seat may not know is drawn anew: what others hold or have chosen in secret, and always the generator,
        so that nobody looks into the true future. So the seat sees, is told and is advised the same, and may choose the
        same where it is asked. The same draws give the same state, whatever was hidden: it shows no trace of that.
        ``rng`` draws; ValueError names the seats where there is no such one.
        """

    def configure(self, *args: Any, **options: Any) -> Record:
        """A setup, shape (1,), from readable options. ValueError names the choices of a bad one."""

    def override(self, setup: Record, options: Mapping[str, Any]) -> Record:
        """A copy of a setup with those options that may differ from game to game. ValueError names them where there
        are others (:func:`tabletop.boxes.check_reset`)."""

    def seats(self, setup: Record) -> int:
        """How many seats a setup (or a state) has."""

    def secrets(self, setups: Record) -> NDArray[np.bool_]:
        """In which games, of setups (or states) (n,), seats have secrets from one another: bool (n,). In the others
        only the generator is hidden."""

    def question(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        """What is asked now, in words."""

    def words(self, s: Record, action: int, lang: str = "en", seat: int | None = None) -> str:
        """What a choice of the catalogue means now, in words."""

    def group(self, action: int) -> str:
        """Name of the catalogue's block that a choice is in."""

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        """Where the game stands, in words."""

    def render(self, s: Record, mode: str, lang: str = "en", seat: int | None = None) -> Any:
        """A picture of the state: str for "ansi" and "svg", uint8[h, w, 3] for "rgb_array"."""


def new_state(game: Game, n: int = 1) -> Record:
    """``n`` zeroed states, shape (n,)."""
    return np.zeros(n, dtype=game.state)


def legal_mask(game: Game, s: Record) -> NDArray[np.int8]:
    """What may be chosen in a state, shape (1,): a new int8 (n_actions,), zeros where nobody is asked."""
    mask = np.zeros(game.n_actions, np.int8)
    game.legal(game.box, s, mask)
    return mask


def enter(game: Game, s: Record, action: int) -> bool:
    """Answers what is asked in a state, shape (1,), of a seat or of chance; False if that is no answer. Where chance is
    told, the generator draws along, so that the game goes on as if chance had answered by itself."""
    if s["to_act"][0] == CHANCE:
        game.sample(game.box, s)
    return bool(0 <= action < game.n_actions and game.apply(game.box, s, action))


def check_boxes(game: Game, records: Record) -> None:
    """Setups or states, (n,), are of boxes that a game has: compiled code does not look.

    Raises:
        ValueError: one is not.
    """
    which = records["box"]
    wrong = (which < 0) | (which >= len(game.box))
    if np.count_nonzero(wrong):  # of every step of a batch: any() takes five times as long
        first = int(wrong.argmax())
        raise ValueError(f"game {first} is played with box {which[first]}, expected 0 to {len(game.box) - 1}: "
                         f"{game.name} was loaded with {len(game.box)}")  # fmt: skip


def check_bounds(game: Game, records: Record) -> None:
    """Setups or states, (n,), are of boxes that a game has, and within its ``state_bounds``: compiled code trusts them.

    Raises:
        ValueError: one does not; the message names the field.
    """
    check_boxes(game, records)
    for name, (least, most) in game.state_bounds.items():
        if name not in (records.dtype.names or ()) or not len(records):
            continue
        held = records[name]
        if not least <= held.min() <= held.max() <= most:
            first = int(np.argwhere((held < least) | (held > most))[0][0])
            allowed = f"{least} or more" if most == math.inf else f"{least} to {most}"
            raise ValueError(f"game {first}: {name} is {held[first].tolist()}, expected {allowed}")


def check_seat(game: Game, s: Record, seat: int | None, onlooker: bool = True) -> None:
    """ValueError if ``seat`` is none of a state's, shape (1,), nor None where an onlooker may ask, too."""
    if not is_whole(seat, range(game.seats(s))) and not (seat is None and onlooker):
        raise ValueError(f"seat is {seat!r}, choose one of 0 to {game.seats(s) - 1}" + ", or none" * onlooker)


def check_seed(seed: Any) -> int:
    """The seed of a game; ValueError if it is no whole number, or none below :data:`SEEDS`."""
    return whole("seed", seed, range(SEEDS))


def check_contents(game: Game, wanted: bool) -> None:
    """ValueError if the option ``contents`` is neither True nor False, or True for a game that has none."""
    check_flag("contents", wanted)
    if wanted and not game.contents.shape[2]:
        raise ValueError(f"contents is True, but {game.name} has none, its boxes differ in nothing: choose False")


def check_flag(name: str, wanted: bool) -> None:
    """ValueError if an option is neither True nor False."""
    if not isinstance(wanted, (bool, np.bool_)):
        raise ValueError(f"{name} is {wanted!r}, choose True or False")


def own_contents(game: Game, s: Record) -> NDArray[np.float32]:
    """``Game.contents`` of the box of a state, shape (1,): a new float32[n_actions, features]."""
    return game.contents[int(s["box"][0])].copy()


def identity(game: Game) -> dict[str, Any]:
    """What files of games must have in common with the game that reads them: plain data."""
    return {"game": game.name, "version": game.version, "edition": game.edition}


def summary(game: Game, states: Record) -> dict[str, NDArray[Any]]:
    """What to tell of finished games.

    Args:
        states: (n,)

    Returns:
        arrays (n,): ``won``, bool, of :func:`team_won`; ``cause``, one of ``Game.causes``; ``decisions`` of all
        seats, and what ``clock`` and ``labels`` name: names where there are any, otherwise int64. And of every seat,
        (n, max_seats), the ``result``, ``place`` and ``score`` of :class:`Results`.
    """
    named: dict[str, tuple[str, ...]] = {"cause": game.causes, "decisions": (), game.clock: (), **game.labels}
    told = {name: np.asarray(names)[states[name]] if names else states[name].astype(np.int64)
            for name, names in named.items()}  # fmt: skip
    return {"won": team_won(game, states), **told, **game.results(states)._asdict()}


def team_won(game: Game, states: Record) -> NDArray[np.bool_]:
    """Which of finished games, (n,), every seat has won: what a team does, and rivals never do."""
    result, place, _ = game.results(states)
    return np.asarray(((result == WON) | (place == 0)).all(axis=1))


def winners(results: Results) -> NDArray[np.bool_]:
    """Which seats have won or share the win, bool (n, max_seats): those that have won or drawn."""
    return (results.result == WON) | (results.result == DRAWN)


def win_shares(results: Results) -> NDArray[np.float64]:
    """What every seat has of the win, (n, max_seats): 1, or 1/k where k seats share it; 0 of who has lost."""
    won = winners(results)
    return won / np.maximum(won.sum(axis=1, keepdims=True), 1)


def team_results(won: NDArray[np.bool_], seats: NDArray[Any], max_seats: int, score: Any = 0.0) -> Results:
    """Those of games in which all seats win or lose together.

    Args:
        won: bool (n,), which games are won; ``seats``: (n,), how many there are.
        score: points of the team, (n,) or one number.
    """
    there = np.arange(max_seats) < seats[:, None]
    result = np.where(won, WON, LOST)[:, None] * there
    points = np.reshape(score, (-1, 1)) * there
    return Results(result.astype(np.int8), there.astype(np.int8), points.astype(np.float64))


def first_of(blocks: Blocks) -> dict[str, int]:
    """The first choice of each block of a catalogue, by its name."""
    ends = accumulate(size for _, size in blocks)
    return {name: end - size for (name, size), end in zip(blocks, ends, strict=True)}


def block_of(blocks: Blocks, action: int) -> tuple[str, int]:
    """The block that a choice of a catalogue is in, and its place there.

    Raises:
        ValueError: there is no such choice.
    """
    at = action
    for name, size in blocks:
        if 0 <= at < size:
            return name, at
        at -= size
    raise ValueError(f"action is {action!r}, choose one of 0 to {sum(size for _, size in blocks) - 1}")


def refusal(game: Game, s: Record, action: Any) -> str:
    """What to answer whoever is asked to an illegal choice: nothing that another seat's secrets would change."""
    asked = int(s["to_act"][0])
    seat = asked if asked >= 0 else None
    return f"illegal action {named(game, s, action, seat)}: {game.question(s, seat=seat)}"


def named(game: Game, s: Record, action: Any, seat: int | None = None) -> str:
    """A choice for an error message: its number, and its words where it has any."""
    try:
        number = int(action)
        if 0 <= number < game.n_actions:
            return f"{number} ({game.words(s, number, seat=seat)})"
    except (TypeError, ValueError, KeyError, IndexError):
        pass
    return repr(action)
