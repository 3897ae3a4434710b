"""Games that somebody has won, for others to begin from: first near their ends, then ever earlier.

A win that asks for many things at once is never met by chance from the beginning, but from near the end of a won game
it is. Where games are won from there, the next ones of their cell begin a little earlier; lost three times as often, a
little later (Resnick et al. 2018, Salimans & Chen 2018). The draws to come are other ones. The games may be those of a
search with hindsight (``benchmarks.hindsight --write``), or of an agent (``benchmarks.wins``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tabletop import record
from tabletop.game import Game, Record, new_state, team_won
from tabletop.log import Log, trace
from tabletop.training.evaluate import Cell

#: Positions kept of each game, evenly from its beginning to its last choice.
PLACES = 24
#: How much later the next game begins after a defeat: so it begins where one in four is won.
BACK = 1 / 3
#: And how far at most after all games that ended together: all of them began from one place.
MOST = 1


@dataclass
class Wins:
    """Positions of won games, and from which of each the next game begins.

    The games of a cell have one place: each by itself would be begun from too seldom for it to move.
    """

    states: Record  #: (games * PLACES,), of each game from its beginning on
    cells: NDArray[np.int64]  #: (games,), the cell that each is of
    #: (cells that have games,), from 0, the beginning, to PLACES - 1; it counts rounded
    place: NDArray[np.float64] = field(init=False)

    def __post_init__(self) -> None:
        own, self.which, self.many = np.unique(self.cells, return_inverse=True, return_counts=True)
        self.place = np.full(len(own), PLACES - 1.0)
        self.sorted = np.argsort(self.which, kind="stable")
        self.first = self.many.cumsum() - self.many

    @classmethod
    def load(cls, path: str | Path, game: Game, cells: Sequence[Cell]) -> Wins:
        """The games of a file of logs that are of the cells; others are left out.

        Raises:
            ValueError: it is no such file, none of its games is of the cells, or one is not won by these rules.
            OSError: it cannot be read.
        """
        try:
            logs = [Log.from_dict(data) for data in json.loads(Path(path).read_text(encoding="utf-8"))]
        except (ValueError, TypeError, RecursionError) as error:
            raise ValueError(f"{path} is no file of game logs: {error}") from None
        states, own = [], []
        for number, log in enumerate(logs):
            try:
                setup = setup_of(game, log)
                cell = next((i for i, cell in enumerate(cells) if setup is not None and setup[0] in cell.setup), None)
                if setup is not None and cell is not None:
                    states.append(positions(game, setup, log))
                    own.append(cell)
            except ValueError as error:
                raise ValueError(f"{path}: log {number}: {error}") from None
        if not own:
            raise ValueError(f"{path}: none of its {len(logs)} games is of a box and a cell that is trained on")
        return cls(np.concatenate(states), np.array(own))

    def draw(self, drawn: NDArray[np.float64]) -> NDArray[np.int64]:
        """Games to begin from, int64 (n,), by numbers drawn evenly from 0 to below 1, float64 (n, 2): each cell is as
        likely, and each game of it."""
        of = np.floor(drawn[:, 0] * len(self.place)).astype(np.int64)
        return self.sorted[self.first[of] + np.floor(drawn[:, 1] * self.many[of]).astype(np.int64)]

    def standing(self, games: NDArray[np.int64]) -> Record:
        """Where games, int64 (n,), begin now, (n,)."""
        return record.take(self.states, games * PLACES + self.place[self.which[games]].round().astype(np.int64))

    def tell(self, games: NDArray[np.int64], won: NDArray[np.bool_]) -> None:
        """What came of games, int64 and bool (n,), that began from these: the next ones of their cells begin earlier or
        later, by up to MOST places however many games there were."""
        steps = np.bincount(self.which[games], np.where(won, -1.0, BACK), len(self.place))
        self.place = np.clip(self.place + steps.clip(-MOST, MOST), 0, PLACES - 1)


def setup_of(game: Game, log: Log) -> Record | None:
    """The setup, shape (1,), of a log with the box that it was played with; None where the game has no such box."""
    if (log.game, log.version) != (game.name, game.version) or log.edition not in game.hashes:
        return None
    setup = record.from_dict(log.setup, game.setup)
    setup["box"] = game.hashes.index(log.edition)
    return setup


def positions(game: Game, setup: Record, log: Log) -> Record:
    """``PLACES`` positions of a won game, evenly from its beginning to its last choice.

    Raises:
        ValueError: its choices do not lead to a win with the draws of its seed.
    """
    s, met = new_state(game), []
    game.reset(game.box, s, setup, log.seed)
    for index, (actor, action) in enumerate(log.entries):
        if actor >= 0:
            met.append(s.copy())
            if int(s["to_act"][0]) != actor or not game.apply(game.box, s, action):
                raise ValueError(f"entry {index} does not fit: it is of other rules")
    if not team_won(game, s)[0] or trace(s) != log.trace:
        raise ValueError(f"it is not won with the draws of its seed, {log.seed}")
    return np.concatenate([met[i] for i in np.linspace(0, len(met) - 1, PLACES).round().astype(int)])
