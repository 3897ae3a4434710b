"""Agents against one another: they share the seats of a game, and everybody sits everywhere equally often.

Each game, of one seed, is played as many times as there are agents, who move on by a seat each time. So each of them
has each seat, hand and draw of it once, and luck weighs less. Games of one seed count as one observation in intervals;
so do those of one seed, or one box of several, in all cells, where there are GROUPS of them
(:mod:`tabletop.training.evaluate`).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.agents.base import Agent
from tabletop.game import DRAWN, WON, Game, Record, team_won, win_shares
from tabletop.stats import Interval, clustered, elo, mean
from tabletop.training.evaluate import Cell, alike, evaluate, groups_of, one_seat, play_together, seats_of

#: What is told of an agent, of its seats.
MEASURES = ("won", "drawn", "share", "score", "place")


@dataclass(frozen=True)
class Standing:
    """What came of an agent's seats, with 95% intervals. In a team that is what came of the team."""

    agent: str
    games: int  #: a game counts once for each seat that the agent had in it
    won: Interval
    drawn: Interval
    share: Interval  #: of the wins that it has, a win that is shared counting in parts; all agents' add up to 1
    score: Interval
    place: Interval

    def row(self) -> dict[str, Any]:
        """Plain data."""
        measures = {name: getattr(self, name) for name in MEASURES}
        return {"agent": self.agent, "games": self.games, **{
            name: {end: _plain(x) for end, x in zip(("mean", "low", "high"), of, strict=True)}
            for name, of in measures.items()
        }}  # fmt: skip


def standings(names: Sequence[str], cells: Sequence[Cell]) -> list[Standing]:
    """Of agents in the order in which :func:`tabletop.training.evaluate.evaluate` was given them, over all cells.

    Raises:
        ValueError: not every game of a cell was played once for each agent.
    """
    if uneven := [cell for cell in cells if cell.games % len(names)]:
        raise ValueError(f"{uneven[0].games} games of {len(names)} agents: each seed is played once for each of them")
    played = [cell for cell in cells if cell.games]
    rounds, groups = [_rounds(len(names), cell) for cell in played], groups_of(played, times=len(names))
    found = []
    for agent, name in enumerate(names):
        games = sum(int(counts.sum()) for _, counts in rounds)
        of = {what: alike(np.concatenate([np.zeros(0), *(means[what][:, agent] for means, _ in rounds)]), groups)
              for what in MEASURES}  # fmt: skip
        rates = {what: clustered(of[what][0], games, of[what][1]) for what in ("won", "drawn", "share")}
        means = {what: mean(*of[what]) for what in ("score", "place")}
        found.append(Standing(name, games, **rates, **means))
    return found


def _rounds(agents: int, cell: Cell) -> tuple[dict[str, NDArray[np.float64]], NDArray[np.int64]]:
    """Means of each agent over each seed's games, (seeds, agents), and over how many seats (seeds,)."""
    ended = cell.results
    seated = seats_of(np.arange(len(ended.place)), agents, ended.place.shape[1])
    there = ended.place > 0
    own = ((seated[..., None] == np.arange(agents)) & there[..., None]).astype(float)  # (games, seats, agents)
    own = own.reshape(-1, agents * seated.shape[1], agents)

    def summed(values: NDArray[Any]) -> NDArray[np.float64]:
        return np.asarray(np.einsum("rs,rsa->ra", values.reshape(len(own), -1).astype(float), own))

    counts = own.sum(1)
    wins = {"won": ended.result == WON, "drawn": ended.result == DRAWN, "score": ended.score, "place": ended.place}
    means = {what: summed(values) / counts for what, values in wins.items()}
    means["share"] = summed(win_shares(ended)) / agents
    return means, counts[:, 0].astype(np.int64)


def _plain(x: float) -> float | None:
    return round(x, 6) if np.isfinite(x) else None


def to_csv(tables: Sequence[dict[str, Any]]) -> str:
    """One line for each agent of each cell, of tables: what ``agents`` play and their ``cells``, which have labels and
    ``standings`` (:meth:`Standing.row`). A label that a cell lacks is empty."""
    out = io.StringIO()
    rows = [
        {**{label: x for label, x in cell.items() if label != "standings"}, "agents": " ".join(table["agents"]),
         "agent": row["agent"], "games": row["games"],
         **{what if end == "mean" else f"{what}_{end}": row[what][end] for what in MEASURES for end in row[what]}}
        for table in tables for cell in table["cells"] for row in cell["standings"]
    ]  # fmt: skip
    if rows:
        writer = csv.DictWriter(out, dict.fromkeys(name for row in rows for name in row), lineterminator="\n")
        writer.writeheader()
        writer.writerows(rows)
    return out.getvalue()


@dataclass(frozen=True)
class Tournament:
    """Every agent against every other."""

    agents: tuple[str, ...]
    shares: NDArray[np.float64]  #: (k, k) of the wins that a row's agent has against a column's; nan on the diagonal
    games: NDArray[np.int64]  #: (k, k) games that were played
    elo: NDArray[np.float64]  #: (k,) strengths, as :func:`tabletop.stats.elo` has them

    def row(self, agent: int) -> dict[str, Any]:
        """Plain data of one agent: its name, strength, and share of the wins against each other."""
        shares = dict(zip(self.agents, map(_plain, self.shares[agent].tolist()), strict=True))
        others = {name: share for name, share in shares.items() if name != self.agents[agent]}
        return {"agent": self.agents[agent], "elo": round(float(self.elo[agent]), 1), "shares": others}


def round_robin(game: Game, names: Sequence[str], setup: Record, games: int, seed: int = 0) -> Tournament:
    """Each agent plays each other, with as many seats as they can share, on the same seeds.

    Args:
        names: of agents, as :func:`tabletop.agents.make` takes them, each another.
        setup: (k,), alike but for the box.
        games: seeds; each is played twice, with seats changed.

    Raises:
        ValueError: fewer than two agents, or one twice; or the game is a team's, which nobody plays against.
    """
    if len(set(names)) < max(2, len(names)):
        raise ValueError(f"agents are {', '.join(names)}: name two or more, each once")
    if game.team:
        raise ValueError(f"{game.name} is played by a team: nobody plays against another")
    k = len(names)
    shares, played = np.full((k, k), np.nan), np.zeros((k, k), np.int64)
    for i, j in combinations(range(k), 2):
        cell = Cell({}, setup)
        if not evaluate(game, (names[i], names[j]), [cell], games, seed):
            raise KeyboardInterrupt
        own, other = (standing.share.rate for standing in standings((names[i], names[j]), [cell]))
        wins = own + other  # not all of them, where all may lose
        shares[i, j], shares[j, i] = (own / wins, other / wins) if wins else (0.5, 0.5)
        played[i, j] = played[j, i] = cell.games
    return Tournament(tuple(names), shares, played, elo(shares, played.astype(float)))


def wins_against(
    game: Game, agent: Agent, rival: Callable[[], Agent], setups: Record, seeds: NDArray[np.int64]
) -> NDArray[np.float64]:
    """What an agent has of the win in each of n games, float64 (n,): with one seat, which goes by the seed, against a
    rival on all others. A team's game it plays alone: 1 if it is won, otherwise 0.

    Args:
        rival: makes one; not called for a team.
        setups: (n,); ``seeds``: int64 (n,).
    """
    if game.team:
        return team_won(game, agent.play(setups, seeds)).astype(float)  # type: ignore[attr-defined]
    seated = one_seat(game, setups, seeds)
    ended = play_together(game, [agent, rival()], setups, seeds, seated)
    return np.asarray((win_shares(game.results(ended)) * (seated == 0)).sum(1))


__all__ = ["Standing", "Tournament", "round_robin", "standings", "to_csv", "wins_against"]
