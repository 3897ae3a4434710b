"""Co-players: who gets along with whom in a team. Each agent has one seat, and a partner all others.

A team that was trained with itself alone may rest on conventions that nobody else keeps. So each agent is also measured
with partners that it has never met (ad hoc teamwork, Stone et al. 2010; zero-shot coordination, Hu et al. 2020), and on
boxes that it has never met if the task's are such.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import permutations
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from tabletop.game import Game
from tabletop.stats import Interval, clustered, mean
from tabletop.training.evaluate import Cell, alike, evaluate, groups_of, total
from tabletop.training.markdown import table
from tabletop.training.report import interval, signed


class Habits(NamedTuple):
    """What agents owe to partners who are as they are: what Hu et al. 2020 compare."""

    themselves: Interval  #: what they win with themselves, each agent of equal weight
    others: Interval  #: what they win with one another, each pair of equal weight
    difference: Interval  #: the former less the latter, paired by game


@dataclass(frozen=True)
class CrossPlay:
    """What teams won: each agent on one seat, each partner on all others."""

    agents: tuple[str, ...]
    partners: tuple[str, ...]
    cells: dict[tuple[str, str], list[Cell]]  #: of each agent with each partner

    def won(self, agent: str, partner: str) -> Interval:
        """Of an agent's games with a partner."""
        return total(self.cells[agent, partner]).interval

    def others(self, agent: str) -> Interval | None:
        """Of its games with all partners but itself, each of equal weight; None where there are none."""
        met = [self._outcomes(agent, partner) for partner in self.partners if partner != agent]
        return self._rate(met) if met else None

    def habits(self) -> Habits | None:
        """Of the agents that are partners too; None where there are not two."""
        both = [agent for agent in self.agents if agent in self.partners]
        if len(both) < 2:
            return None
        own = [self._outcomes(agent, agent) for agent in both]
        crossed = [self._outcomes(agent, partner) for agent, partner in permutations(both, 2)]
        ours, theirs = np.mean(own, axis=0), np.mean(crossed, axis=0)
        return Habits(self._rate(own), self._rate(crossed), mean(*alike(ours - theirs, self._groups)))

    def _rate(self, outcomes: Sequence[NDArray[np.bool_]]) -> Interval:
        """Of the games of several pairs, each of equal weight, which all have the same boxes and seeds."""
        rates, sizes = alike(np.mean(outcomes, axis=0), self._groups)
        return clustered(rates, np.size(outcomes), sizes)._replace(rate=float(np.mean(outcomes)))

    @property
    def _groups(self) -> NDArray[np.int64]:
        return groups_of(next(iter(self.cells.values())))

    def _outcomes(self, agent: str, partner: str) -> NDArray[np.bool_]:
        return np.concatenate([cell.outcomes for cell in self.cells[agent, partner]])

    def text(self) -> str:
        """Markdown: :meth:`table`, and a line of what :meth:`habits` says."""
        if (found := self.habits()) is None:
            return self.table()
        both = ", ".join(f"`{agent}`" for agent in self.agents if agent in self.partners)
        return (f"{self.table()}\n\nGames won by {both}, %: with themselves {interval(found.themselves)}, with one "
                f"another {interval(found.others)}, the former less the latter {signed(found.difference)}")  # fmt: skip

    def table(self) -> str:
        """Markdown: a row for each agent, a column for each partner, and the mean of all others."""
        rows = [["one seat \\ all others", *self.partners, "mean without itself"]]
        for agent in self.agents:
            others = self.others(agent)
            rows.append([agent, *(interval(self.won(agent, partner)) for partner in self.partners),
                         interval(others) if others else "-"])  # fmt: skip
        return table(rows)

    def rows(self, game: Game) -> list[dict[str, Any]]:
        """Plain data: each cell of each pair, as of :meth:`tabletop.training.evaluate.Cell.row`."""
        return [{"agent": agent, "partner": partner, **cell.row(game)}
                for (agent, partner), cells in self.cells.items() for cell in cells]  # fmt: skip


def cross_play(
    game: Game, agents: Sequence[str], partners: Sequence[str], cells: Callable[[], list[Cell]], games: int,
    seed: int = 0, processes: int = 1, progress: Callable[[int], None] = lambda _: None,
) -> CrossPlay:  # fmt: skip
    """Plays every agent with every partner, on the same seeds.

    Args:
        agents, partners: names, as :func:`tabletop.agents.make` takes them; one may be both.
        cells: makes new ones, nothing played; those of one seat are left out.
        games: in each cell, for each pair.

    Raises:
        ValueError: the game is one of rivals, an agent or a partner is named twice, or all cells have one seat.
        KeyboardInterrupt: somebody pressed Ctrl-C.
    """
    if not game.team:
        raise ValueError(f"{game.name} is played by rivals, who are no partners: evaluate them against one another")
    for names in (agents, partners):
        if twice := [name for name in names if list(names).count(name) > 1]:
            raise ValueError(f"{twice[0]} is named twice: name each once")
    played: dict[tuple[str, str], list[Cell]] = {}
    for agent in agents:
        for partner in partners:
            own = [cell for cell in cells() if game.seats(cell.setup[:1]) > 1]
            if not own:
                raise ValueError("nobody has a partner in a game of one seat: choose games of two or more")
            if not evaluate(game, (agent, partner), own, games, seed, processes, progress, alone=True):
                raise KeyboardInterrupt
            played[agent, partner] = own
    return CrossPlay(tuple(agents), tuple(partners), played)


__all__ = ["CrossPlay", "Habits", "cross_play"]
