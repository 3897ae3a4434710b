"""The tables of docs/benchmark.md, from results files."""

from __future__ import annotations

from collections.abc import Sequence

from tabletop.training.evaluate import Cell, total
from tabletop.training.markdown import table
from tabletop.training.results import Results
from tabletop.training.stats import Interval, wilson
from tabletop.training.tasks import SPLITS, TASKS, Task

REFERENCE = "scripted"  #: whom every agent is compared with
BASELINES = (REFERENCE, "random")
PLAYERS = range(1, 6)


def tables(found: Sequence[Results]) -> str:
    """Markdown: every task by agent, and ``standard`` by challenge for the baselines.

    Raises:
        ValueError: results are incomplete, or of different splits or numbers of games.
    """
    check_alike(found)
    first = next((results for results in found if not results.task.boxes(results.split)), found[0])
    parts = [setting(first), _by_task(found), _scores(found), _by_challenge(found)]
    return "\n\n".join(part for part in parts if part) + "\n"


def check_alike(found: Sequence[Results]) -> None:
    """Raises: ValueError: results are incomplete, or of different splits or numbers of games."""
    kinds = sorted({(results.split, results.games) for results in found})
    if len(kinds) > 1:
        raise ValueError(f"results of {' and '.join(f'{n} {split} games' for split, n in kinds)}: one kind at a time")
    for results in found:
        results.check_complete()


def setting(any_of: Results) -> str:
    """Which games were played, in a sentence."""
    game, first = any_of.game, SPLITS[any_of.split].start
    return (f"{any_of.games:,} games a cell, {any_of.split} seeds {first:,} to {first + any_of.games - 1:,}; "
            f"{game.name} version {game.version}, edition `{game.edition[:12]}`.")  # fmt: skip


def _entries(found: Sequence[Results], task: Task) -> list[Results]:
    """The agents of a task, baselines first. Their games of a larger task stand in, for they were trained on nothing;
    a single challenge is left out where nobody else has played it."""
    own = {results.agent: results for results in found if results.task is task}
    if own or len({cell["challenge"] for cell in task.test}) > 1:
        for results in found:
            if results.agent in BASELINES and (part := results.part(task)):
                own.setdefault(results.agent, part)
    return [own[agent] for agent in dict.fromkeys([*BASELINES, *sorted(own)]) if agent in own]


def _by_task(found: Sequence[Results]) -> str:
    rows = [["task", "agent", "samples", "won, %", *(str(n) for n in PLAYERS[:-1]), f"{PLAYERS[-1]} players",
             f"less {REFERENCE}, points"]]  # fmt: skip
    for task in TASKS.values():
        entries = _entries(found, task)
        reference = next((results for results in entries if results.agent == REFERENCE), None)
        for results in entries:
            difference = "-" if reference in (None, results) else signed(results.less(reference))
            by_players = (_rate(cells) for cells in _columns(results.cells))
            rows.append([task.name, results.agent, f"{results.samples:,}", interval(total(results.cells).interval),
                         *by_players, difference])  # fmt: skip
    return table(rows)


def _scores(found: Sequence[Results]) -> str:
    totals = ((results.agent, total(results.cells)) for results in _entries(found, TASKS["campaign"]))
    scores = ", ".join(f"{agent} {both.sums['score'] / both.games:.1f}" for agent, both in totals)
    return f"Mean score of a campaign: {scores}." if scores else ""


def _by_challenge(found: Sequence[Results]) -> str:
    agents = [results for results in _entries(found, TASKS["standard"]) if results.agent in BASELINES]
    if not agents:
        return ""
    rows = [["challenge", *(str(n) for n in PLAYERS[:-1]), f"{PLAYERS[-1]} players", "all"]]
    for card in dict.fromkeys(labels["challenge"] for labels in TASKS["standard"].test):
        cells = [[cell for cell in results.cells if cell.labels["challenge"] == card] for results in agents]
        columns = zip(*([*_columns(own), own] for own in cells), strict=True)
        rows.append([card, *(" / ".join(map(_rate, column)) for column in columns)])
    names, games = " / ".join(results.agent for results in agents), agents[0].games
    widest = 100 * (wilson(games // 2, games).high - games // 2 / games)
    return (f"Games won by challenge and number of players, %: {names}. The 95% interval of a cell reaches at most "
            f"{widest:.1f} points to each side.\n\n{table(rows)}")  # fmt: skip


def _columns(cells: Sequence[Cell]) -> list[list[Cell]]:
    """The cells of each number of players."""
    return [[cell for cell in cells if cell.labels["players"] == n] for n in PLAYERS]


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
