"""The verbs of the ``sammu`` command, for any game that is installed (:mod:`tabletop.games`)."""

from __future__ import annotations

import io
import json
import math
import os
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import closing, contextmanager
from functools import partial
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from tabletop import needs
from tabletop.assist.errors import plain
from tabletop.assist.options import OfCells, OfSetup, chosen, given, of_cells, of_setup
from tabletop.game import SEEDS
from tabletop.languages import check_language

if TYPE_CHECKING:
    from tabletop.agents import Agent
    from tabletop.agents.findings import Findings
    from tabletop.training.evaluate import Cell
    from tabletop.training.tasks import Task

app = typer.Typer(help="Play board games, evaluate and train agents.", no_args_is_help=True,
                  pretty_exceptions_enable=False, add_completion=False)  # fmt: skip
out, err = Console(), Console(stderr=True)

INTERRUPTED = 130
#: How often a thread of PyTorch looks whether the others are done before it gives its processor up. By itself it looks
#: 300,000 times, which is for nothing while one of the others has no processor, as where another program is at work.
SPINS = "1000"
#: The most seconds of a search: one that never ends is refused.
A_DAY = 86_400.0
#: Boxes that take so long to make that it is said.
MANY = 200
Game = Annotated[str | None, typer.Option(help="Which game; `sammu games` lists them.")]
Lang = Annotated[str, typer.Option(help="Words in en or ja.")]
Edition = Annotated[
    str | None, typer.Option(help="A box of the game by name, or a file that overrides values of its box.")
]
#: The commands that are of one game, and take --game.
OF_A_GAME = ("play", "coach", "advise", "evaluate", "coplay", "train", "results", "check", "calibrate")


@contextmanager
def plain_errors() -> Iterator[None]:
    """Wrong input is a message and exit code 2, not a traceback; Ctrl-C ends with 130."""
    try:
        yield
    except BrokenPipeError:
        raise
    except (ValueError, KeyError, OSError, MemoryError) as error:
        complain(f"error: {plain(error)}")
        raise typer.Exit(2) from None
    except ModuleNotFoundError as error:
        complain(f"error: {needs.missing(error)}")
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        err.print("\ninterrupted")
        raise typer.Exit(INTERRUPTED) from None


@app.command()
def games() -> None:
    """The games that are installed, with their agents and tasks."""
    with plain_errors():
        from tabletop.agents import names as agents_of
        from tabletop.games import extra, load, names

        for name in names():
            try:
                game = load(name)
            except ValueError as error:
                say(str(error))
                continue
            tasks = ", ".join(extra(game, "tasks")) or "none of its own"
            say(f"{name}\n  agents: {', '.join(agents_of(game))}\n  tasks: {tasks}")


@app.command(cls=OfSetup)
def play(
    ctx: typer.Context,
    agents: Annotated[
        str | None,
        typer.Option(
            help="The players by seat, separated by commas: human or an agent. The last one takes all further seats. "
            "By default human, or those of a game that goes on."
        ),
    ] = None,
    seed: Annotated[int | None, typer.Option(help="The same seed gives the same game.")] = None,
    log: Annotated[
        Path | None, typer.Option(help="Keep the game here (.jsonl), at every choice; if it is there, go on with it.")
    ] = None,
    box: Annotated[
        bool, typer.Option("--box", help="The real box lies on the table: people say what they draw.")
    ] = False,
    advisor: Annotated[
        str | None, typer.Option(help="Who plays plans on when people ask for advice: an agent, or ppo:PATH.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.1, max=A_DAY, help="Of each search for advice; Ctrl-C ends one before.")
    ] = 5.0,
    game: Game = None,
    edition: Edition = None,
    lang: Lang = "en",
) -> None:
    """Plays a game in the terminal, alone or with agents in other seats, here or with the real box."""
    with plain_errors():
        from tabletop.assist.terminal import Session, kept_in

        rules = _game(game, edition, lang)
        options = given(rules, ctx.args, of_setup(rules))
        kept = kept_in() if box and log is None else log
        Session(
            rules, rules.configure(**options), agents, out, seed=seed, log=kept, box=box, lang=lang, advisor=advisor,
            seconds=seconds, options=options,
        ).run()  # fmt: skip


@app.command()
def coach(
    tables: Annotated[Path, typer.Option(help="Folder that the games are kept in.")] = Path("games"),
    host: Annotated[str, typer.Option(help="An address of this machine.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65535, help="0: any free port.")] = 8420,
    lan: Annotated[bool, typer.Option("--lan", help="Open it to phones on the local network, with a token.")] = False,
    tls: Annotated[
        tuple[Path, Path] | None, typer.Option(metavar="CERT KEY", help="A certificate and its key: https.")
    ] = None,
    name: Annotated[
        str | None, typer.Option(help="Another name of this machine that it is reached by, such as the certificate's.")
    ] = None,
    advisor: Annotated[
        str | None, typer.Option(help="Who plays plans on for advice: an agent, or ppo:PATH of weights; none.")
    ] = None,
    game: Game = None,
    edition: Edition = None,
) -> None:
    """Helps people who play with the real box: pages for a browser and for phones. Ctrl-C ends it."""
    with plain_errors():
        from tabletop.assist.advice import searcher
        from tabletop.coach.serving import serve

        def made(played: Any) -> Any:
            try:
                return searcher(played, advisor, ready=True)
            except (ValueError, OSError) as error:  # the coach is of use without advice
                complain(f"nobody gives advice: {plain(error)}")
                raise

        rules = _game(game, edition)
        who = None if advisor == "none" else made
        serve(rules, tables, host, port, lan=lan, tls=tls, name=name, advisor=who, say=say)


@app.command()
def advise(
    position: Annotated[
        Path,
        typer.Argument(
            help="A position, JSON or TOML, or the log of a game, JSON or as play --log and the coach keep it; - reads "
            "standard input."
        ),
    ],
    agent: Annotated[
        str | None, typer.Option(help="The advisor: ppo, or ppo:PATH; by default the network that the game ships.")
    ] = None,
    top: Annotated[int, typer.Option(min=1, help="How many choices to show, without --seconds.")] = 3,
    seconds: Annotated[
        float | None,
        typer.Option(
            min=0.1,
            max=A_DAY,
            help="Also search for so long, on all processors: plays plans of a whole turn to the end. Ctrl-C ends it "
            "before.",
        ),
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="Print JSON; with --seconds one line for each answer.")] = False,
    game: Game = None,
    edition: Edition = None,
    lang: Lang = "en",
) -> None:
    """Says what to choose in a position, how sure the advisor is, and how likely that wins."""
    with plain_errors():
        from tabletop.assist import advice
        from tabletop.assist.terminal import cancelled_by_ctrl_c

        rules = _game(game, edition, lang)
        state = advice.read(rules, position)
        if seconds:
            with closing(advice.searcher(rules, agent)) as search, cancelled_by_ctrl_c(search.cancel):
                _play_out(search.advise(state, seconds), json_, lang)
            return
        found = advice.advise(rules, advice.make("ppo" if agent is None else agent, rules), state, top, lang)
        if json_:
            write_to(Path("-"), json.dumps(found.to_dict(), indent=1, ensure_ascii=False) + "\n")
        else:
            say(found.text(lang))


def _play_out(answers: Iterator[Findings], json_: bool, lang: str) -> None:
    """Better and better answers as lines, and the last one in full."""
    found = None
    for found in answers:
        if json_:
            print(json.dumps(found.to_dict(lang), ensure_ascii=False), flush=True)
        elif found.plans:
            say(found.line(lang))
    if found is not None and not json_:
        say(found.text(lang))


@app.command(cls=OfCells)
def evaluate(
    ctx: typer.Context,
    agent: Annotated[
        list[str] | None,
        typer.Option(
            help="An agent on all seats: by name, with options (NAME:OPTION=VALUE), ppo:PATH for other weights, or "
            "module:Class for your own. May be repeated."
        ),
    ] = None,
    against: Annotated[
        list[str] | None, typer.Option(help="An agent that shares the seats with each of them. May be repeated.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games in each cell of the table.")] = 100,
    seed: Annotated[
        int | None, typer.Option(min=0, max=SEEDS - 1, help="Game i of each cell has seed + i; 0 by default.")
    ] = None,
    task: Annotated[
        str | None, typer.Option(help="A task of the game by name, a TOML or YAML file, or module:NAME.")
    ] = None,
    split: Annotated[
        str | None, typer.Option(help="The seeds of the task: test (default), validation or train.")
    ] = None,
    results: Annotated[
        Path | None, typer.Option(help="Folder for its results files; cells that are in them are not played again.")
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="How many processes play.")] = 2,
    json_: Annotated[Path | None, typer.Option("--json", help="Write the table here, - for the screen.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the table here, - for the screen.")] = None,
    game: Game = None,
    edition: Edition = None,
) -> None:
    """Plays agents on a task or on all cells of a game: win rates with 95% Wilson intervals, and why games are lost."""
    with plain_errors():
        from tabletop.agents import make, reference
        from tabletop.game import identity
        from tabletop.training.evaluate import to_csv
        from tabletop.training.tasks import SPLITS, find

        check_written(json_, csv, folder=results)
        rules = _game(game, edition)
        labels = given(rules, ctx.args, of_cells(rules))
        played, part = None if task is None else find(rules, task), "test" if split is None else split
        if played:
            rules = _of_boxes(rules, played, part, edition)
        names = agent or [reference(rules)]
        made = {name: make(name, rules) for name in names}
        if played and (labels or seed is not None):
            raise ValueError(f"--task says which {', '.join([*of_cells(rules), 'seeds'])}: leave out those options")
        if against:
            if results:
                raise ValueError("--results are of one agent on all seats, --against shares them: leave out one")
            if split is not None and not played:
                raise ValueError("--split is of a --task: say which")
            every = ({name: played.cells(rules, part) for name in names} if played
                     else _grid(rules, names, chosen(rules, labels)))  # fmt: skip
            shared = {name: [cell for cell in cells if rules.seats(cell.setup[:1]) > 1]
                      for name, cells in every.items()}  # fmt: skip
            if not all(shared.values()):
                raise ValueError("--against shares seats: choose games with two seats or more")
            many = len(every[names[0]])
            if alone := many - len(shared[names[0]]):
                err.print(f"left out: {alone} of {many} cells, which have one seat, and --against shares seats")
            first = SPLITS[part].start if played else seed or 0
            if not _evaluate_against(rules, shared, against, games, first, processes, json_, csv):
                raise typer.Exit(INTERRUPTED)
            return
        if played:
            tables, seed, keep = _of_task(rules, made, played, part, games, results)
            by = played.rows, played.columns
        else:
            if split is not None or results:
                raise ValueError("--split and --results are of a --task: say which")
            tables, seed, keep = _grid(rules, names, chosen(rules, labels)), seed or 0, None
            by = next(iter(of_cells(rules)), ""), next(reversed([*of_cells(rules)][1:]), "")
        finished = _evaluate(rules, tables, games, seed, processes, keep)
        quiet = "-" in (str(json_), str(csv))
        for name, cells in tables.items():
            if not quiet and rules.team:
                _show(rules, name, cells, *by)
            elif not quiet:
                _show_seats(rules, name, cells)
        data = {**identity(rules), "seed": seed,
                "agents": {name: [cell.row(rules) for cell in cells] for name, cells in tables.items()}}  # fmt: skip
        if json_:
            write_to(json_, json.dumps(data, indent=1) + "\n")
        if csv:
            write_to(csv, to_csv(rules, [(name, cell) for name, cells in tables.items() for cell in cells]))
        if not finished:
            err.print("interrupted: the table holds what was finished")
            raise typer.Exit(INTERRUPTED)


@app.command(cls=OfCells)
def coplay(
    ctx: typer.Context,
    agent: Annotated[
        list[str], typer.Option(help="An agent that has one seat: by name, ppo:PATH or module:Class. May be repeated.")
    ],
    partner: Annotated[
        list[str] | None,
        typer.Option(help="An agent that has all other seats; by default each of the agents. May be repeated."),
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games in each cell, for each pair.")] = 100,
    task: Annotated[
        str | None, typer.Option(help="A task of the game by name, a TOML or YAML file, or module:NAME.")
    ] = None,
    split: Annotated[str, typer.Option(help="The seeds and boxes of the task: test, validation or train.")] = "test",
    processes: Annotated[int, typer.Option(min=1, help="How many processes play.")] = 2,
    json_: Annotated[Path | None, typer.Option("--json", help="Write every cell here, - for the screen.")] = None,
    write: Annotated[Path | None, typer.Option(help="Put the table into this page, between its marker lines.")] = None,
    game: Game = None,
    edition: Edition = None,
) -> None:
    """Seats each agent beside each partner, and shows which teams win: how it plays with whom it has never met."""
    with plain_errors():
        from rich.progress import Progress

        from tabletop.agents import make
        from tabletop.game import identity
        from tabletop.training import markdown
        from tabletop.training.coplay import cross_play
        from tabletop.training.tasks import SPLITS, choose, find

        rules = _game(game, edition)
        labels = given(rules, ctx.args, of_cells(rules))
        played = None if task is None else find(rules, task)
        if played and labels:
            raise ValueError(f"--task says which {', '.join(of_cells(rules))}: leave out those options")
        choose("split", split, SPLITS)
        if played:
            rules = _of_boxes(rules, played, split, edition)
        check_written(json_, write)
        if write:
            markdown.check(write)
        for name in (*agent, *(partner or ())):
            make(name, rules)  # a wrong name is an error before anything is played

        def cells() -> list[Cell]:
            return played.cells(rules, split) if played else _grid(rules, ["any"], chosen(rules, labels))["any"]

        with Progress(console=err) as bar:
            shown = bar.add_task("games", total=None)
            found = cross_play(rules, agent, partner or agent, cells, games, SPLITS[split].start, processes,
                               partial(bar.advance, shown))  # fmt: skip
        if write:
            markdown.write(write, found.text() + "\n")
        elif str(json_) != "-":
            write_to(Path("-"), found.text() + "\n")
        if json_:
            told = {**identity(rules), "task": task, "split": split, "games": games, "cells": found.rows(rules)}
            write_to(json_, json.dumps(told, indent=1) + "\n")


def _game(name: str | None, edition: str | None, lang: str = "en") -> Any:
    """A game with an edition. Agents and tasks may lie in the working directory."""
    from tabletop.games import load

    check_language(lang)
    if os.getcwd() not in sys.path:
        sys.path.append(os.getcwd())
    return load(name, edition=edition)


def _of_boxes(rules: Any, task: Task, split: str, edition: str | None) -> Any:
    """The game with the boxes of a task."""
    from tabletop.training.tasks import game_of

    check_edition(rules, edition, [task], split)
    return game_of(rules, [task], split)


def check_edition(rules: Any, edition: str | None, tasks: Collection[Task], *splits: str) -> None:
    """A ValueError if an edition is named, but nothing is played on it: all tasks have boxes of their own."""
    if edition and not any(task.first_box(rules, split) for task in tasks for split in splits):
        each = ", ".join(f"task {task.name} is played on boxes of its own" for task in tasks)
        raise ValueError(f"{each}: leave out --edition")


def _grid(rules: Any, names: list[str], grid: dict[str, list[Any]]) -> dict[str, list[Cell]]:
    from tabletop.training.evaluate import Cell

    every = [dict(zip(grid, values, strict=True)) for values in product(*grid.values())]
    setups = [(labels, rules.configure(**labels)) for labels in every]
    return {name: [Cell(dict(labels), setup) for labels, setup in setups] for name in names}


Keep = Callable[[str], object]  #: saves what an agent has played
#: Seconds from one saving of cells to the next: a file of many cells is read and written whole.
SAVING = 2.0


class Saver:
    """Saves what is played: now and then, and once more at the end if there is more."""

    def __init__(self, save: Callable[[], object]) -> None:
        self.save, self.saved, self.more = save, -math.inf, False

    def played(self) -> None:
        """There is more to save."""
        self.more = True
        if time.monotonic() > self.saved + SAVING:
            self.end()

    def end(self) -> None:
        if self.more:
            self.save()
            self.saved, self.more = time.monotonic(), False


def _of_task(
    rules: Any, made: dict[str, Agent], task: Task, split: str, games: int, folder: Path | None
) -> tuple[dict[str, list[Cell]], int, Keep | None]:
    """The cells with what was played before, the first seed, and how to keep more."""
    from tabletop.training.results import Results, samples_of
    from tabletop.training.tasks import SPLITS

    runs = {name: Results(rules, task, agent.name, split, games, samples_of(agent)) for name, agent in made.items()}
    if folder:
        if len({run.agent for run in runs.values()}) < len(runs):
            raise ValueError(f"two of {', '.join(runs)} are called alike: keep each in a folder of its own")
        for run in runs.values():
            run.resume(folder)
    keep = (lambda name: runs[name].save(folder)) if folder else None
    return {name: run.cells for name, run in runs.items()}, SPLITS[split].start, keep


def _evaluate(
    rules: Any, tables: dict[str, list[Cell]], games: int, seed: int, processes: int, keep: Keep | None
) -> bool:
    """Plays the cells in which nothing is played yet, and keeps each that is complete. False if interrupted."""
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from tabletop.training.evaluate import evaluate as run

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err) as bar:
        for name, cells in tables.items():
            missing = [cell for cell in cells if not cell.games]
            task = bar.add_task(name, total=games * len(cells), completed=games * (len(cells) - len(missing)))
            saver = Saver(partial(keep, name)) if keep else None
            try:
                advance, finished = partial(bar.advance, task), saver.played if saver else None
                if not run(rules, name, missing, games, seed, processes, advance, finished):
                    return False
            finally:
                if saver:
                    saver.end()
    return True


def _evaluate_against(
    rules: Any, tables: dict[str, list[Cell]], against: list[str], games: int, seed: int, processes: int,
    json_: Path | None, csv: Path | None,
) -> bool:  # fmt: skip
    """Each agent of the tables shares its games with the others, who sit everywhere in turn. False if interrupted."""
    from rich.progress import Progress

    from tabletop.game import identity
    from tabletop.training import match
    from tabletop.training.evaluate import evaluate as run

    finished, told = True, []
    with Progress(console=err) as bar:
        for name, cells in tables.items():
            names = [name, *against]
            task = bar.add_task(" / ".join(names), total=games * len(names) * len(cells))
            finished = finished and run(rules, names, cells, games, seed, processes, partial(bar.advance, task))
            told.append({"agents": names, "cells": [
                {**cell.labels, "standings": [one.row() for one in match.standings(names, [cell])]}
                for cell in cells if cell.games
            ]})  # fmt: skip
            if "-" not in (str(json_), str(csv)) and (played := [cell for cell in cells if cell.games]):
                _show_standings(match.standings(names, played))
    if json_:
        write_to(json_, json.dumps({**identity(rules), "seed": seed, "games": games, "tables": told}, indent=1) + "\n")
    if csv:
        write_to(csv, match.to_csv(told))
    if not finished:
        err.print("interrupted: the tables hold what was finished")
    return finished


def _show_standings(standings: list[Any]) -> None:
    table = Table(title="mean (95% interval) of each seat that an agent had")
    for column in ("agent", "seats", "won, %", "drawn, %", "place", "score"):
        table.add_column(column, justify="left" if column == "agent" else "right")
    for one in standings:
        rates = [f"{100 * x.rate:.1f} ({100 * x.low:.1f}-{100 * x.high:.1f})" for x in (one.won, one.drawn)]
        means = [f"{x.rate:.2f} ({x.low:.2f} to {x.high:.2f})" for x in (one.place, one.score)]
        table.add_row(one.agent, f"{one.games:,}", *rates, *means)
    out.print(table)


def _show(rules: Any, name: str, cells: list[Cell], by_row: str, by_column: str) -> None:
    from tabletop.training.evaluate import total

    columns = list(dict.fromkeys(cell.labels.get(by_column) for cell in cells))
    table = Table(title=f"{name}: games won, % (95% interval), {sum(cell.games for cell in cells)} games")
    table.add_column(by_row)
    for value in columns:
        table.add_column(f"{value} {by_column.removesuffix('s') if value == 1 else by_column}" if by_column else "won",
                         justify="right")  # fmt: skip
    rows: dict[str, dict[Any, Cell]] = {}
    for cell in cells:
        row = ", ".join(f"{x:g}" if isinstance(x, float) else str(x) for label, x in cell.labels.items()
                        if label != by_column)  # fmt: skip
        rows.setdefault(row, {})[cell.labels.get(by_column)] = cell
    for row, own in rows.items():
        table.add_row(row, *(_rate(own[value]) if value in own else "" for value in columns))
    if len(rows) > 1:
        table.add_section()
        parts = ([own[value] for own in rows.values() if value in own] for value in columns)
        table.add_row("all", *(_rate(total(part)) for part in parts))
    out.print(table)
    both = total(cells).row(rules)
    lost = ", ".join(f"{cause} {n}" for cause, n in both["causes"].items())
    out.print(f"{rules.clock}s on average: {both[f'mean_{rules.clock}s']:.2f}; lost by: {lost or '-'}\n")


def _show_seats(rules: Any, name: str, cells: list[Cell]) -> None:
    """Of rivals, where an agent has all seats: what each seat has of the wins, and what points win."""
    from tabletop.game import win_shares, winners
    from tabletop.stats import clustered
    from tabletop.training.evaluate import alike, groups_of, total

    played = [cell for cell in cells if cell.games]
    if not played:
        out.print(f"{name} on all seats: no game was finished\n", markup=False, highlight=False)
        return
    table = Table(title=f"{name} on all seats: share of the wins of each seat, % (95% interval), "
                        f"{sum(cell.games for cell in played)} games")  # fmt: skip
    table.add_column("")
    for seat in range(max(rules.seats(cell.setup[:1]) for cell in played)):
        table.add_column(f"seat {seat + 1}", justify="right")
    for column in ("points of who won", "points of all"):
        table.add_column(column, justify="right")
    for cell in played:
        ended, groups = cell.results, groups_of([cell])
        of_points = (ended.score[which] for which in (winners(ended), ended.place > 0))
        by_group = [alike(own, groups) for own in win_shares(ended).T[: rules.seats(cell.setup[:1])]]
        shares = [clustered(own, cell.games, sizes) for own, sizes in by_group]
        rates = [f"{100 * x.rate:.0f} ({100 * x.low:.0f}-{100 * x.high:.0f})" for x in shares]
        table.add_row(", ".join(f"{value} {label}" for label, value in cell.labels.items()), *rates,
                      *[""] * (len(table.columns) - 3 - len(rates)),
                      *(f"{points.mean():.1f}" if points.size else "-" for points in of_points))  # fmt: skip
    out.print(table)
    both = total(played).row(rules)
    how = ", ".join(f"{cause} {n}" for cause, n in both["causes"].items())
    mean = both[f"mean_{rules.clock}s"]
    out.print(f"{rules.clock}s on average: {mean:.2f}; ended by: {how or '-'}. To compare it with "
              "another agent, which shares the seats: --against NAME\n")  # fmt: skip


def _rate(cell: Cell) -> str:
    if not cell.games:
        return "-"
    rate, low, high = (100 * x for x in cell.interval)
    return f"{rate:.0f} ({low:.0f}-{high:.0f})"


def write_to(path: Path, text: str) -> None:
    if str(path) == "-":
        sys.stdout.write(text)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


def check_written(*paths: Path | None, folder: Path | None = None) -> None:
    """A ValueError now, not when all is played, where a file, or files in a folder, cannot be written, or where one
    file would be written over another, or lie among the results files of a folder."""
    files = [path for path in paths if path is not None]
    if len({path.resolve() for path in files}) < len(files):
        raise ValueError(f"{files[0]}: it cannot hold two tables, give each a file of its own")
    if folder is not None:
        for path in files:
            if path.suffix == ".json" and path.resolve().parent == folder.resolve():
                raise ValueError(f"{path}: the JSON files of {folder} are results files, choose another folder")
    for path in (*files, *([folder / "any"] if folder is not None else [])):
        if str(path) == "-":
            continue
        there = next(one for one in (path, *path.parents) if one.exists())
        if there.is_dir() == (there == path):  # the file itself is to be none, all above it are
            raise ValueError(f"{there}: it is {'a' if there == path else 'no'} folder")
        if not os.access(there, os.W_OK):
            raise ValueError(f"{there}: it may not be written")


@app.command()
def train(
    config: Annotated[
        Path, typer.Option(help="YAML file of settings (docs/training.md), yours or a shipped one.")
    ] = Path("configs/ppo.yaml"),
    folder: Annotated[Path, typer.Option(help="Where runs are kept, each in a folder with its name.")] = Path("runs"),
    change: Annotated[
        list[str] | None, typer.Option("--set", help="A setting to change, e.g. ppo.gamma=0.99. May be repeated.")
    ] = None,
    game: Game = None,
    stage: Annotated[
        bool, typer.Option(help="Go on from a run, stopped or finished, with other settings (such as more decisions).")
    ] = False,
    edition: Edition = None,
) -> None:
    """Trains a team, or rivals, or continues a run that was stopped. Its checkpoints are FOLDER/NAME/best and last."""
    with plain_errors():
        from tabletop.training.config import changed, load
        from tabletop.training.tasks import game_of
        from tabletop.training.train import Run, tasks_of

        settings, rules = load(config, changed(change or [])), _game(game, edition)
        check_written(folder=folder / settings.name)
        tasks, splits = tasks_of(rules, settings).values(), ("train", "validation")
        check_edition(rules, edition, tasks, *splits)
        boxes = {box for task in tasks for split in splits for box in task.boxes(rules, split)}
        if len(boxes) > MANY:
            err.print(f"making {len(boxes):,} boxes: that takes a minute or two ...", highlight=False)
        rules = game_of(rules, tasks, *splits)
        run = Run(rules, settings, folder / settings.name, stage=stage)
        out.quiet = err.quiet = not run.processes.first
        if run.learner.decisions:
            err.print(f"going on after {run.learner.decisions:,} decisions", highlight=False)
        _train(run)
        out.print(f"{run.folder}: best.safetensors wins {100 * run.best:.1f}% in validation", highlight=False)


def _train(run: Any) -> None:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    share = TextColumn("{task.percentage:>3.0f}%")
    with Progress(TextColumn("{task.description}"), BarColumn(), share, TimeRemainingColumn(), console=err) as bar:
        own = run.learner
        total = own.before + own.config.updates * own.config.batch
        task = bar.add_task(run.config.name, total=total, completed=run.learner.decisions)

        def show(decisions: int, told: dict[str, float]) -> None:
            won = f"{100 * told['won']:.0f}% won, " if "won" in told else ""
            speed = f"{told['decisions_per_second']:,.0f} decisions/s"
            bar.update(task, completed=decisions, description=f"{run.config.name}: {decisions:,}, {won}{speed}")

        run.run(show)


@app.command()
def results(
    folder: Annotated[Path, typer.Argument(help="Where the results files are.")],
    agent: Annotated[
        str | None, typer.Option(help="Only this agent, compared with the baselines, with plots: ppo, or ppo:PATH.")
    ] = None,
    write: Annotated[Path | None, typer.Option(help="Put the tables into this page, between its marker lines.")] = None,
    game: Game = None,
    edition: Edition = None,
) -> None:
    """Makes the tables of a folder of results files: win rates by task and agent, and paired differences."""
    with plain_errors():
        from tabletop.training import markdown
        from tabletop.training.report import tables
        from tabletop.training.results import load_all

        rules = _game(game, edition)
        found, pictures = load_all(folder, rules), {}
        if agent is not None:
            from tabletop.agents import make
            from tabletop.training.team import Team

            one = make(agent, rules)
            team = Team(found, one.name, getattr(one, "card", {}), write.stem if write else "")
            text, pictures = team.page(), team.plots() if write else {}
        else:
            text = tables(found)
        if write:
            markdown.write(write, text)
            for name, svg in pictures.items():
                write_to(write.with_suffix("") / name, svg)
        else:
            write_to(Path("-"), text)


@app.command()
def check(
    file: Annotated[Path, typer.Argument(help="A results file.")],
    agent: Annotated[str, typer.Option(help="Who played it: a name, ppo:PATH, or module:Class.")],
    share: Annotated[float, typer.Option(help="Of its cells, which are played again.")] = 0.05,
    seed: Annotated[int, typer.Option(min=0, help="Draws which.")] = 0,
    processes: Annotated[int, typer.Option(min=1, help="How many processes play.")] = 2,
    game: Game = None,
    edition: Edition = None,
) -> None:
    """Plays some games of a results file again: whether they come out as it says. Exit code 1 if they do not."""
    with plain_errors():
        from tabletop.training import results

        told = results.check(results.Results.load(file, _game(game, edition)), agent, share, seed, processes)
        off, low, high = (100 * x for x in told.difference)
        say(f"{told.cells} cells, {told.games} games: {told.alike} came out as in the file; its win rate less theirs: "
            f"{off:+.1f} points ({low:+.1f} to {high:+.1f})")  # fmt: skip
        if not told.holds:
            raise typer.Exit(1)


@app.command()
def calibrate(
    checkpoint: Annotated[str, typer.Argument(help="A shipped checkpoint by name, or the path of another.")],
    task: Annotated[
        list[str] | None, typer.Option(help="A task to play; by default those of the game. May be repeated.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games in each cell, for validation and for test each.")] = 200,
    positions: Annotated[
        int | None,
        typer.Option(min=1, help="Instead, measure the error in this many positions: each is played on 200 times."),
    ] = None,
    game: Game = None,
    edition: Edition = None,
) -> None:
    """Fits a checkpoint's chance of winning to validation games and measures it on test games; its card says both."""
    with plain_errors():
        from tabletop.agents.checkpoint import path_of
        from tabletop.training import calibrate as calibration
        from tabletop.training.tasks import find

        path, rules = path_of(checkpoint), _game(game, edition)
        if positions:
            if task:
                raise ValueError("--positions are of the game's main task: leave out --task")
            _positions(rules, checkpoint, positions)
            return
        if task:
            check_edition(rules, edition, [find(rules, name) for name in task], "validation", "test")
        told = calibration.calibrate(rules, path, task, games)["calibration"]
        error, brier = (f"{told['before'][name]:.4f} -> {told['after'][name]:.4f}" for name in ("error", "brier"))
        say(f"{path}: logits scaled by {told['scale']:.3f}, shifted by {told['shift']:+.3f}; "
             f"calibration error {error}, Brier score {brier}")  # fmt: skip
        if told["after"]["error"] > told["before"]["error"]:
            say("The calibration error has grown: play more --games")


def _positions(rules: Any, checkpoint: str, positions: int) -> None:
    from tabletop.agents.policy import Policy
    from tabletop.training.rollouts import by_position
    from tabletop.training.tasks import find, main

    told = by_position(Policy.load(rules, checkpoint), find(rules, main(rules)).cells(rules, "validation"), positions)
    off, chance, bias = (100 * told[name] for name in ("difference", "chance", "bias"))
    say(f"{told['positions']} positions, {told['rollouts']} rollouts of each: what it says is {off:.1f} points off on "
         f"average ({chance:.1f} by chance alone), {bias:+.1f} on balance")  # fmt: skip


def say(text: str) -> None:
    out.print(text, markup=False, highlight=False, soft_wrap=True)


def complain(text: str) -> None:
    err.print(text, style="red", markup=False, highlight=False, soft_wrap=True)


def main(command: Callable[[], object] = app) -> None:
    """Runs a command, to its end or until nobody reads what it says."""
    os.environ.setdefault("GOMP_SPINCOUNT", SPINS)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal that lacks a letter shows the rest
    try:
        command()
    except BrokenPipeError:
        sys.stderr.close()


if __name__ == "__main__":
    main()
