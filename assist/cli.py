"""The ``sammu`` command."""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

if TYPE_CHECKING:
    from sammu_env.components import Components
    from tabletop.agents import Agent
    from tabletop.agents.findings import Findings
    from tabletop.training.evaluate import Cell

app = typer.Typer(help="Sammu-Ramat: play it, evaluate agents, look cards up.", no_args_is_help=True,
                  pretty_exceptions_enable=False, add_completion=False)  # fmt: skip
cards = typer.Typer(help="The box: cards, values and where they come from.", no_args_is_help=True)
app.add_typer(cards, name="cards")
out, err = Console(), Console(stderr=True)

INTERRUPTED = 130
Lang = Annotated[str, typer.Option(help="Words in en or ja.")]
Edition = Annotated[
    str | None, typer.Option(help="standard, novice or expert, or a TOML file that overrides values of the box.")
]


@contextmanager
def plain_errors() -> Iterator[None]:
    """Wrong input is a message and exit code 2, not a traceback; Ctrl-C ends with 130."""
    try:
        yield
    except (ValueError, KeyError, OSError) as error:
        text = str(error.args[0]) if isinstance(error, KeyError) and error.args else str(error)
        err.print(f"error: {text}", style="red", markup=False, highlight=False, soft_wrap=True)
        raise typer.Exit(2) from None
    except ModuleNotFoundError as error:
        err.print(f"error: {error.name} is not installed: install the extra 'train'", style="red", highlight=False)
        raise typer.Exit(2) from None
    except KeyboardInterrupt:
        err.print("\ninterrupted")
        raise typer.Exit(INTERRUPTED) from None


def numbers(text: str, name: str, low: int, high: int) -> list[int]:
    """The numbers of "3", "1-5" or "1,3-4".

    Raises:
        ValueError: anything else, or a number outside ``low..high``.
    """
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)(?:-(\d+))?\s*", part)
        if not match:
            raise ValueError(f"{name} is {text!r}, expected numbers like 3, 1-5 or 1,3-4")
        found.update(range(int(match[1]), int(match[2] or match[1]) + 1))
    if not found or min(found) < low or max(found) > high:
        raise ValueError(f"{name} is {text!r}, choose from {low} to {high}")
    return sorted(found)


def challenges(text: str) -> list[str]:
    """The challenge cards of "all" or "SAM-185,SAM-190"; ``configure`` checks the names."""
    from sammu_env.game import CHALLENGES

    return list(CHALLENGES) if text.lower() == "all" else [part.strip().upper() for part in text.split(",")]


def read_only(lang: str, edition: str | None) -> Components:
    """The box of an edition, for looking things up; the language is checked too."""
    from sammu_env import components
    from sammu_env.words import check_language

    check_language(lang)
    return components.load(edition)


@app.command()
def play(
    challenge: Annotated[str, typer.Option(help="SAM-179 to SAM-198, or random.")] = "SAM-185",
    players: Annotated[int, typer.Option(help="1 to 5 seats.")] = 3,
    agents: Annotated[
        str, typer.Option(help="Who sits where: human or an agent, by commas; the last one takes the rest.")
    ] = "human",
    seed: Annotated[int | None, typer.Option(help="Play this very game.")] = None,
    campaign: Annotated[bool, typer.Option(help="Five challenges, A to E.")] = False,
    oracles: Annotated[int | None, typer.Option(help="Oracle events shuffled in, 0 to 3.")] = None,
    start_goods: Annotated[int | None, typer.Option(help="Goods of each advisor, 3 to 5.")] = None,
    log: Annotated[Path | None, typer.Option(help="Keep the game here; go on with it if the file is there.")] = None,
    advisor: Annotated[str, typer.Option(help="Whom people may ask for advice: ppo, or ppo:PATH of weights.")] = "ppo",
    edition: Edition = None,
    lang: Lang = "en",
) -> None:
    """Plays a game in the terminal, alone or with agents on any seats."""
    with plain_errors():
        from tabletop.assist.terminal import Table as Seats
        from tabletop.assist.terminal import open_match

        rules = _game(edition, lang)
        setup = rules.configure(
            challenge=challenge, players=players, campaign=campaign, oracles=oracles, start_goods=start_goods
        )
        match = open_match(rules, setup, seed, log)
        Seats(match, agents, lang, log, out, advisor).run()


@app.command()
def advise(
    position: Annotated[Path, typer.Argument(help="A position or a game log, JSON or TOML; - for standard input.")],
    agent: Annotated[str, typer.Option(help="Who advises: ppo, or ppo:PATH of weights.")] = "ppo",
    top: Annotated[int, typer.Option(min=1, help="How many choices to name.")] = 3,
    seconds: Annotated[
        float | None, typer.Option(min=0.1, help="Play plans of a whole turn on, for so long, on all processors.")
    ] = None,
    json_: Annotated[bool, typer.Option("--json", help="As JSON; with --seconds a line for each answer.")] = False,
    edition: Edition = None,
    lang: Lang = "en",
) -> None:
    """Says what to choose in a position, how sure that is, and how likely the team is to win."""
    with plain_errors():
        from tabletop.assist import advice

        rules = _game(edition, lang)
        state = advice.read(rules, position)
        if seconds:
            _play_out(advice.play_out(rules, agent, state, seconds, lang), json_, lang)
            return
        found = advice.advise(rules, advice.make(agent, rules), state, top, lang)
        if json_:
            _write(Path("-"), json.dumps(found.to_dict(), indent=1, ensure_ascii=False) + "\n")
        else:
            _say(found.text(lang))


def _play_out(answers: Iterator[Findings], json_: bool, lang: str) -> None:
    """Better and better answers as lines, and the last one in full."""
    found = None
    for found in answers:
        if json_:
            print(json.dumps(found.to_dict(), ensure_ascii=False), flush=True)
        elif found.plans:
            _say(found.line(lang))
    if found is not None and not json_:
        _say(found.text(lang))


@app.command()
def evaluate(
    agent: Annotated[list[str] | None, typer.Option(help="An agent on all seats; may be given again.")] = None,
    challenge: Annotated[str | None, typer.Option(help="Challenge cards by commas, or all (default).")] = None,
    players: Annotated[str | None, typer.Option(help="Numbers of players: 3, 1,3-4 or 1-5 (default).")] = None,
    games: Annotated[int, typer.Option(min=1, help="Games in each cell of the table.")] = 100,
    seed: Annotated[int | None, typer.Option(min=0, help="Game i of each cell has seed + i; 0 by default.")] = None,
    task: Annotated[
        str | None, typer.Option(help="A task of the benchmark, instead of challenge, players and seed.")
    ] = None,
    split: Annotated[str | None, typer.Option(help="Its seeds: test (default), validation or train.")] = None,
    results: Annotated[
        Path | None, typer.Option(help="Folder of its results files; cells that are there are not played again.")
    ] = None,
    processes: Annotated[int, typer.Option(min=1, help="Processes that play.")] = 2,
    json_: Annotated[Path | None, typer.Option("--json", help="Write the table here, - for the screen.")] = None,
    csv: Annotated[Path | None, typer.Option(help="Write the table here, - for the screen.")] = None,
    edition: Edition = None,
    lang: Lang = "en",
) -> None:
    """Plays agents against the challenge cards: win rates with 95% Wilson intervals, causes of defeat, months."""
    with plain_errors():
        from tabletop.agents import make
        from tabletop.game import identity
        from tabletop.training.evaluate import to_csv

        rules = _game(edition, lang, [task] if task else [], [split or "test"])
        chosen = agent or ["scripted"]
        made = {name: make(name, rules) for name in chosen}
        if task:
            if (challenge, players, seed) != (None, None, None):
                raise ValueError("--task says which challenges, players and seeds: leave out those options")
            tables, seed, keep = _of_task(rules, made, task, split or "test", games, results)
        else:
            if split or results:
                raise ValueError("--split and --results are of a --task: say which")
            tables, seed, keep = _grid(rules, chosen, challenge or "all", players or "1-5"), seed or 0, None
        finished = _evaluate(rules, tables, games, seed, processes, keep)
        quiet = "-" in (str(json_), str(csv))
        for name, cells in tables.items():
            if not quiet:
                _show(rules, name, cells)
        data = {**identity(rules), "seed": seed,
                "agents": {name: [cell.row(rules) for cell in cells] for name, cells in tables.items()}}  # fmt: skip
        if json_:
            _write(json_, json.dumps(data, indent=1) + "\n")
        if csv:
            _write(csv, to_csv(rules, [(name, cell) for name, cells in tables.items() for cell in cells]))
        if not finished:
            err.print("interrupted: the table holds what was finished")
            raise typer.Exit(INTERRUPTED)


def _game(edition: str | None, lang: str, tasks: Iterable[str] = (), splits: Iterable[str] = ("test",)) -> Any:
    """The game with an edition, and with the boxes of tasks."""
    from sammu_env.words import check_language

    check_language(lang)
    if not tasks:
        import sammu_env

        return sammu_env.load_game(edition)
    from tabletop.training.tasks import TASKS, choose, game_of

    return game_of([choose("task", task, TASKS) for task in tasks], *splits, edition=edition)


def _grid(rules: Any, names: list[str], cards: str, players: str) -> dict[str, list[Cell]]:
    from tabletop.training.evaluate import Cell

    setups = [
        ({"challenge": card, "players": n}, rules.configure(challenge=card, players=n))
        for card in challenges(cards)
        for n in numbers(players, "players", 1, rules.max_seats)
    ]
    return {name: [Cell(dict(labels), setup) for labels, setup in setups] for name in names}


Keep = Callable[[str], object]  #: saves what an agent has played


def _of_task(
    rules: Any, made: dict[str, Agent], task: str, split: str, games: int, folder: Path | None
) -> tuple[dict[str, list[Cell]], int, Keep | None]:
    """The cells with what was played before, the first seed, and how to keep more."""
    from tabletop.training.results import Results, samples_of
    from tabletop.training.tasks import SPLITS, TASKS, choose

    chosen = choose("task", task, TASKS)
    runs = {name: Results(rules, chosen, agent.name, split, games, samples_of(agent)) for name, agent in made.items()}
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
            finished = partial(keep, name) if keep else None
            if not run(rules, name, missing, games, seed, processes, partial(bar.advance, task), finished):
                return False
    return True


def _show(rules: Any, name: str, cells: list[Cell]) -> None:
    from tabletop.training.evaluate import total

    seats = sorted({cell.labels["players"] for cell in cells})
    table = Table(title=f"{name}: games won, % (95% interval), {sum(cell.games for cell in cells)} games")
    table.add_column("challenge")
    for n in seats:
        table.add_column(f"{n} player{'s' * (n > 1)}", justify="right")
    rows: dict[str, dict[int, Cell]] = {}
    for cell in cells:
        card, difficulty = cell.labels["challenge"], cell.labels.get("difficulty")
        row = card if difficulty is None else f"{card}, {difficulty:g}"
        rows.setdefault(row, {})[cell.labels["players"]] = cell
    for card, row in rows.items():
        table.add_row(card, *(_rate(row[n]) for n in seats))
    if len(rows) > 1:
        table.add_section()
        columns = ([row[n] for row in rows.values()] for n in seats)
        table.add_row("all", *(_rate(total(column)) for column in columns))
    out.print(table)
    both = total(cells).row(rules)
    lost = ", ".join(f"{cause} {n}" for cause, n in both["causes"].items())
    out.print(f"{rules.clock}s on average: {both[f'mean_{rules.clock}s']:.2f}; lost by: {lost or '-'}\n")


def _rate(cell: Cell) -> str:
    if not cell.games:
        return "-"
    rate, low, high = (100 * x for x in cell.interval)
    return f"{rate:.0f} ({low:.0f}-{high:.0f})"


def _write(path: Path, text: str) -> None:
    if str(path) == "-":
        sys.stdout.write(text)
    else:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


@app.command()
def train(
    config: Annotated[Path, typer.Option(help="YAML file of settings (docs/training.md).")] = Path("configs/ppo.yaml"),
    folder: Annotated[Path, typer.Option(help="Where runs are kept; each in a folder of its name.")] = Path("runs"),
    change: Annotated[
        list[str] | None, typer.Option("--set", help="A setting to change, e.g. ppo.gamma=0.99; may be given again.")
    ] = None,
    edition: Edition = None,
) -> None:
    """Trains a team, or goes on with a run that was stopped; its checkpoints are FOLDER/NAME/best and last."""
    with plain_errors():
        from tabletop.training.config import changed, load
        from tabletop.training.train import Run

        settings = load(config, changed(change or []))
        rules = _game(edition, "en", settings.tasks, ["train", "validation"])
        run = Run(rules, settings, folder / settings.name)
        out.quiet = err.quiet = not run.processes.first
        if run.learner.decisions:
            err.print(f"going on after {run.learner.decisions:,} decisions", highlight=False)
        _train(run)
        out.print(f"{run.folder}: best.safetensors wins {100 * run.best:.1f}% in validation", highlight=False)


def _train(run: Any) -> None:
    from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

    share = TextColumn("{task.percentage:>3.0f}%")
    with Progress(TextColumn("{task.description}"), BarColumn(), share, TimeRemainingColumn(), console=err) as bar:
        total = run.config.updates * run.config.batch
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
        str | None, typer.Option(help="Tell of this one alone, beside the baselines and with plots: ppo, or ppo:PATH.")
    ] = None,
    write: Annotated[Path | None, typer.Option(help="Put the tables into this page, between its marker lines.")] = None,
    edition: Edition = None,
) -> None:
    """Makes the tables of a folder of results files: win rates by task and agent, and paired differences."""
    with plain_errors():
        from tabletop.training import markdown
        from tabletop.training.report import tables
        from tabletop.training.results import load_all

        rules = _game(edition, "en")
        found, pictures = load_all(folder, rules), {}
        if agent:
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
                _write(write.with_suffix("") / name, svg)
        else:
            _write(Path("-"), text)


@app.command()
def calibrate(
    checkpoint: Annotated[str, typer.Argument(help="A shipped checkpoint by name, or the path of any.")],
    task: Annotated[
        list[str] | None, typer.Option(help="A task to play: standard and hidden-hands by default; may be given again.")
    ] = None,
    games: Annotated[int, typer.Option(min=1, help="Games in each cell, validation and again test.")] = 200,
    positions: Annotated[
        int | None, typer.Option(min=1, help="Measure it in so many positions instead, each played on 200 times.")
    ] = None,
    edition: Edition = None,
) -> None:
    """Fits a checkpoint's chance of winning to validation games and measures it on test games, for its card."""
    with plain_errors():
        from tabletop.agents.checkpoint import path_of
        from tabletop.training import calibrate as calibration

        path = path_of(checkpoint)
        if positions:
            _positions(_game(edition, "en"), checkpoint, positions)
            return
        told = calibration.calibrate(_game(edition, "en"), path, task or calibration.TASK_NAMES, games)["calibration"]
        error, brier = (f"{told['before'][name]:.4f} -> {told['after'][name]:.4f}" for name in ("error", "brier"))
        _say(f"{path}: logits scaled by {told['scale']:.3f}, shifted by {told['shift']:+.3f}; "
             f"calibration error {error}, Brier score {brier}")  # fmt: skip


def _positions(rules: Any, checkpoint: str, positions: int) -> None:
    from tabletop.agents.policy import Policy
    from tabletop.training.rollouts import by_position
    from tabletop.training.tasks import TASKS

    told = by_position(Policy.load(rules, checkpoint), TASKS["standard"].cells(rules, "validation"), positions)
    off, chance, bias = (100 * told[name] for name in ("difference", "chance", "bias"))
    _say(f"{told['positions']} positions, {told['rollouts']} rollouts of each: what it says is {off:.1f} points off on "
         f"average ({chance:.1f} by chance alone), {bias:+.1f} on balance")  # fmt: skip


@app.command()
def bench(
    peers: Annotated[bool, typer.Option("--peers", help="Other environments too, those that are installed.")] = False,
    seconds: Annotated[float, typer.Option(min=0.01, help="For each figure.")] = 2.0,
    write: Annotated[Path | None, typer.Option(help="Put the tables between the marker comments of this page.")] = None,
) -> None:
    """Measures speed: decisions a second of this environment and, with --peers, of others on the same machine."""
    with plain_errors():
        from tabletop.training import bench as speed
        from tabletop.training import markdown

        if write:
            markdown.check(write)
        text = speed.run(seconds, peers, partial(out.print, highlight=False, markup=False, soft_wrap=True))
        if write:
            markdown.write(write, text)


@app.command()
def rules(
    challenge: Annotated[str, typer.Argument(help="SAM-179 to SAM-198.")], edition: Edition = None, lang: Lang = "en"
) -> None:
    """A challenge card in words: what wins, what happens every month, how it begins."""
    with plain_errors():
        from sammu_env import words

        _say(words.rules(read_only(lang, edition), challenge.upper(), lang))


@cards.command("check")
def cards_check(file: Annotated[Path, typer.Argument(help="An edition file (TOML).")]) -> None:
    """Checks an edition file: every problem has its line."""
    with plain_errors():
        from sammu_env import components

        problems = components.check(file)
        for line in problems:
            err.print(line, style="red", markup=False, highlight=False, soft_wrap=True)
        if problems:
            raise typer.Exit(2)
        out.print(f"{file}: good", markup=False, highlight=False)


@cards.command("list")
def cards_list(
    unverified: Annotated[bool, typer.Option("--unverified", help="Only what was reconstructed.")] = False,
    edition: Edition = None,
) -> None:
    """Every value of the box with where it comes from: card, field, value, provenance; by tabs."""
    with plain_errors():
        for row in read_only("en", edition).cards_table(unverified):
            sys.stdout.write("\t".join(row) + "\n")


@cards.command("summary")
def cards_summary(edition: Edition = None) -> None:
    """How many values are printed in the rulebook, public, reconstructed, or of the edition."""
    with plain_errors():
        table = Table("section", "rulebook", "public", "reconstructed", "edition")
        for row in read_only("en", edition).summary():
            table.add_row(*map(str, row))
        out.print(table)


@cards.command("show")
def cards_show(
    card: Annotated[str, typer.Argument(help="SAM-001 to SAM-198.")], edition: Edition = None, lang: Lang = "en"
) -> None:
    """A card in words."""
    with plain_errors():
        from sammu_env import words

        _say(words.card(read_only(lang, edition), card.upper(), lang))


@cards.command("random")
def cards_random(
    seed: Annotated[int, typer.Option(help="The same seed is the same box: 0 to 2147483647.")],
    difficulty: Annotated[float, typer.Option(help="Setup sides from 0, rich, to 1, bare.")] = 0.5,
    write: Annotated[Path, typer.Option(help="Write the file here, - for the screen.")] = Path("-"),
) -> None:
    """An edition file in which all that was reconstructed is drawn anew, and nothing that is printed changes."""
    with plain_errors():
        from sammu_env.components.random import to_toml

        _write(write, to_toml(seed, difficulty))


def _say(text: str) -> None:
    out.print(text, markup=False, highlight=False, soft_wrap=True)


def main() -> None:
    """Entry point of the ``sammu`` script."""
    try:
        app()
    except BrokenPipeError:
        sys.stderr.close()


if __name__ == "__main__":
    main()
