"""Co-players: who gets along with whom in a team. Each agent has one seat, and a partner all others.

A team that was trained with itself alone may rest on conventions that nobody else keeps. So each agent is also measured
with partners that it has never met (ad hoc teamwork, Stone et al. 2010; zero-shot coordination, Hu et al. 2020), and on
boxes that it has never met if the task's are such.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from tabletop.game import Game
from tabletop.stats import Interval, clustered
from tabletop.training.evaluate import Cell, evaluate, total
from tabletop.training.markdown import table
from tabletop.training.report import interval


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
        met = [np.concatenate([cell.outcomes for cell in self.cells[agent, partner]])
               for partner in self.partners if partner != agent]  # fmt: skip
        return clustered(np.mean(met, axis=0), np.size(met)) if met else None

    def table(self) -> str:
        """Markdown: a row for each agent, a column for each partner, and the mean of all others."""
        rows = [["one seat \\ all others", *self.partners, "mean without itself"]]
        for agent in self.agents:
            mean = self.others(agent)
            rows.append([agent, *(interval(self.won(agent, partner)) for partner in self.partners),
                         interval(mean) if mean else "-"])  # fmt: skip
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
        agents, partners: names of :data:`tabletop.agents.AGENTS`; one may be both.
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


__all__ = ["CrossPlay", "cross_play"]
