"""The tables of docs/benchmark.md, from results files."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from tabletop.game import Game
from tabletop.games import extra
from tabletop.stats import Interval, wilson
from tabletop.training.evaluate import Cell, total
from tabletop.training.markdown import table
from tabletop.training.results import Results
from tabletop.training.tasks import SPLITS, Task


def tables(found: Sequence[Results]) -> str:
    """Markdown: every task by agent, and the main task by its rows for the baselines.

    Raises:
        ValueError: as :func:`check_together`.
    """
    check_together(found)
    first = next((one for one in found if not one.task.boxes(one.game, one.split)), found[0])
    parts = [setting(first), _by_task(found), *_scores(found), _by_row(found)]
    return "\n\n".join(part for part in parts if part) + "\n"


def check_together(found: Sequence[Results]) -> None:
    """Raises: ValueError: results are of rivals, incomplete, of different splits or of tasks of one name, or there
    twice."""
    if len(splits := sorted({results.split for results in found})) > 1:
        raise ValueError(f"results of {' and '.join(splits)} games: one split at a time")
    tasks: dict[str, Task] = {}
    agents: set[tuple[str, str]] = set()
    for results in found:
        results.check_complete()
        game = results.game
        if not game.team and any(game.seats(cell.setup[:1]) > 1 for cell in results.cells):
            raise ValueError(f"the players of {game.name} are rivals, no game is won by all of them: compare agents "
                             "with sammu evaluate --against NAME")  # fmt: skip
        task, both = results.task, (results.task.name, results.agent)
        if tasks.setdefault(task.name, task) != task:
            raise ValueError(f"results of different tasks that are called {task.name}: one at a time")
        if both in agents:
            raise ValueError(f"there are results of {task.name} by {results.agent} twice: one of them at a time")
        agents.add(both)


def setting(any_of: Results) -> str:
    """Which games were played, in a sentence."""
    game, first = any_of.game, SPLITS[any_of.split].start
    return (f"{any_of.split.capitalize()} games, seeds from {first:,} on; "
            f"{game.name} version {game.version}, edition `{game.edition[:12]}`.")  # fmt: skip


def baselines(game: Game) -> tuple[str, ...]:
    """The agents that others are compared with, the reference first."""
    return tuple(extra(game, "baselines"))


def tasks_of(found: Sequence[Results]) -> dict[str, Task]:
    """The tasks of a game, and those of results besides."""
    return {**extra(found[0].game, "tasks"), **{results.task.name: results.task for results in found}}


def shown(found: Sequence[Results]) -> tuple[str, ...]:
    """The names of the tasks that a page tells of, the main one first."""
    return tuple(extra(found[0].game, "shown")) or tuple(tasks_of(found))


def _entries(found: Sequence[Results], task: Task) -> list[Results]:
    """The agents of a task, baselines first. Their games of a larger task stand in, for they were trained on nothing;
    a task of one row is left out where nobody else has played it."""
    names = baselines(found[0].game)
    own = {results.agent: results for results in found if results.task == task}
    if own or len(task.values(task.rows)) > 1:
        for results in found:
            if results.agent in names and (part := results.part(task)):
                own.setdefault(results.agent, part)
    return [own[agent] for agent in dict.fromkeys([*names, *sorted(own)]) if agent in own]


def _by_task(found: Sequence[Results]) -> str:
    reference, tasks = baselines(found[0].game)[0], tasks_of(found)
    label = next((task.columns for task in tasks.values() if task.columns), "")
    columns = tuple(dict.fromkeys(value for task in tasks.values() for value in task.values(label)))
    rows = [["task", "agent", "games a cell", "samples", "decisions/s", "won, %", *heads(columns, label),
             f"minus {reference}, points"]]  # fmt: skip
    for task in tasks.values():
        entries = _entries(found, task)
        compared = next((results for results in entries if results.agent == reference), None)
        for results in entries:
            difference = "-" if compared in (None, results) else signed(results.less(compared))
            rates = (_rate(cells) for cells in _columns(results.cells, label, columns))
            both = total(results.cells)
            speed = f"{both.sums['decisions'] / both.seconds:,.0f}" if both.seconds else "-"
            rows.append([task.name, results.agent, f"{results.games:,}", f"{results.samples:,}", speed,
                         interval(both.interval), *rates, difference])  # fmt: skip
    return table(rows)


def heads(columns: Sequence[Any], label: str) -> list[str]:
    """The values of a label as heads of columns; the last one says of what: "1", "2", "3 players"."""
    return [*map(str, columns[:-1]), *(f"{value} {label}" for value in columns[-1:])]


def _scores(found: Sequence[Results]) -> list[str]:
    parts = []
    for task in tasks_of(found).values():
        if task.score and (entries := _entries(found, task)):
            totals = [(results.agent, total(results.cells)) for results in entries]
            scores = ", ".join(f"{agent} {both.sums[task.score.field] / both.games:.1f}" for agent, both in totals)
            parts.append(f"Mean {task.score.words}: {scores}.")
    return parts


def _by_row(found: Sequence[Results]) -> str:
    """The main task's table; none where its cells have not two labels."""
    task, names = tasks_of(found)[shown(found)[0]], baselines(found[0].game)
    agents = [results for results in _entries(found, task) if results.agent in names]
    if not agents or not task.columns:
        return ""
    columns = task.values(task.columns)
    rows = [[task.rows, *heads(columns, task.columns), "all"]]
    for row in task.values(task.rows):
        cells = [own for results in agents for own in _columns(results.cells, task.rows, [row])]
        parts = zip(*([*_columns(own, task.columns, columns), own] for own in cells), strict=True)
        rows.append([str(row), *(" / ".join(map(_rate, part)) for part in parts)])
    compared, games = " / ".join(results.agent for results in agents), min(results.games for results in agents)
    widest = 100 * max(wilson(wins, games).high - wins / games for wins in range(games + 1))
    return (f"Games won by {task.rows} and {task.columns}, %: {compared}. The 95% interval of a cell reaches at most "
            f"{widest:.1f} points to each side.\n\n{table(rows)}")  # fmt: skip


def _columns(cells: Sequence[Cell], label: str, columns: Sequence[Any]) -> list[list[Cell]]:
    """The cells of each value of a label."""
    return [[cell for cell in cells if cell.labels.get(label) == value] for value in columns]


def _rate(cells: Sequence[Cell]) -> str:
    return f"{100 * total(cells).interval.rate:.1f}" if cells else "-"


def interval(of: Interval) -> str:
    """A rate with its interval, in percent."""
    rate, low, high = (100 * x for x in of)
    return f"{rate:.1f} ({low:.1f}-{high:.1f})"


def signed(of: Interval) -> str:
    """A difference with its interval, in points."""
    rate, low, high = (100 * x for x in of)
    return f"{rate:+.1f} ({low:+.1f} to {high:+.1f})"
