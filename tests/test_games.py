"""A stranger's game plugs in by its entry point, and the rooms name no game."""

from __future__ import annotations

import ast
import json
import re
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import sammu_env
from tabletop import agents, games
from tabletop.assist.cli import app
from tabletop.assist.terminal import named
from tabletop.training.evaluate import Cell, play_chunk
from tabletop.training.report import tables
from tabletop.training.results import Results, load_all
from tabletop.training.tasks import Score, Task, find, game_of, made, main, read
from tests.tabletop.bidding import Bidding
from tests.tabletop.toy import KEEP, PASS, Toy

ROOT = Path(__file__).resolve().parents[1]
GAME, TOY = sammu_env.load_game(), Toy()
ROOMS = ("agents", "assist", "tabletop", "training")
#: They measure this very game, and say so.
TASK = """
also = ["pot"]

[options]
goal = 9

[train]
players = [2, 3]

[test]
players = [2, 3, 4]
"""


class Keeper:
    """Keeps every die that is at least so high."""

    name = "keeper"

    def __init__(self, game: Any, least: int = 1, bold: bool = False) -> None:
        self.game, self.least, self.bold = game, least, bold

    def reset(self, seed: int) -> None:
        """Nothing is drawn."""

    def act(self, states: Any, masks: Any) -> Any:
        return np.where(states["die"] >= self.least, KEEP, PASS).astype(np.int64)


class Lazy:
    """No agent: it does not act."""

    name = "lazy"

    def __init__(self, game: Any) -> None:
        pass

    def reset(self, seed: int) -> None:
        pass


HERE = Keeper.__module__


# Rooms that name no game


def sources() -> list[Path]:
    return [path for room in ROOMS for path in (ROOT / room).rglob("*.py") if not path.is_symlink()]


def said(tree: ast.AST) -> list[str]:
    """All names and texts of a program, but not its docstrings."""
    docs = {id(node.body[0].value) for node in ast.walk(tree)
            if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and node.body
            and isinstance(node.body[0], ast.Expr)}  # fmt: skip
    found = []
    for node in ast.walk(tree):
        match node:
            case ast.Constant(value=str(text)) if id(node) not in docs:
                found.append(text)
            case ast.Name(id=text) | ast.Attribute(attr=text) | ast.FunctionDef(name=text) | ast.arg(arg=text):
                found.append(text)
            case ast.Import(names=names):
                found += [one.name for one in names]
            case ast.ImportFrom(module=module, names=names):
                found += [module or "", *(one.name for one in names)]
    return found


def test_rooms_import_no_game_and_name_nothing_of_it() -> None:
    """Neither package, agents, tasks, labels nor cards."""
    plain = {"players", "standard"}  # words of everybody: no text is one of these alone
    words = {"sammu_env", "sammu-ramat", GAME.name, *GAME.agents, *GAME.tasks, *GAME.grid, "difficulty"} - plain
    words |= {word.replace("-", "_") for word in words} | {"campaign", "hidden_hands", "oracles", "ashur", "verdict"}
    words |= {"pergamemnon", "pergamemnon_env"}
    wrong = re.compile(rf"(?<![a-z])(?:{'|'.join(map(re.escape, sorted(words)))})s?(?![a-z])|SAM-\d", re.IGNORECASE)
    assert len(sources()) > 40 and wrong.search("by_challenges") and wrong.search("SAM-1") and not wrong.search("plans")
    found = [(path.relative_to(ROOT).as_posix(), text) for path in sources()
             for text in said(ast.parse(path.read_text(encoding="utf-8"))) if wrong.search(text) or text in plain
             ]  # fmt: skip
    seated = {"assist/terminal.py", "tabletop/positions/__init__.py"}  # they tell who sits at the table
    assert not [(where, text) for where, text in found if text != "players" or where not in seated]


def test_rules_of_the_game_know_no_rooms() -> None:
    """Only what plugs into the rooms does: agents, tasks and the command."""
    allowed = {"sammu_env/tasks.py", "sammu_env/command.py"}
    for path in (ROOT / "sammu_env").rglob("*.py"):
        where = path.relative_to(ROOT).as_posix()
        if where not in allowed and not where.startswith("sammu_env/agents/"):
            tree = ast.parse(path.read_text(encoding="utf-8"))
            typing = {id(node) for block in ast.walk(tree) if isinstance(block, ast.If)
                      and getattr(block.test, "id", "") == "TYPE_CHECKING" for node in ast.walk(block)}  # fmt: skip
            modules = [node.module or "" for node in ast.walk(tree)
                       if isinstance(node, ast.ImportFrom) and id(node) not in typing]  # fmt: skip
            assert not [one for one in modules if one.startswith(tuple(f"tabletop.{room}" for room in ROOMS))], where


# Games by name


def install(folder: Path, name: str, value: str) -> None:
    """What an installed package with an entry point leaves in a folder of ``sys.path``."""
    info = folder / f"{name.replace('-', '_')}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{games.GROUP}]\n{name} = {value}\n")


@pytest.fixture
def toys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder in which somebody works, where a toy game is installed."""
    site = tmp_path / "site"
    site.mkdir()
    install(site, "toy", f"{Toy.__module__}:Toy")
    install(site, "broken", "no.such.module:load")
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.chdir(tmp_path)
    (tmp_path / "nine.toml").write_text(TASK)
    return tmp_path


def run(*args: Any, code: int = 0) -> str:
    done = CliRunner().invoke(app, [str(arg) for arg in args])
    assert done.exit_code == code and "Traceback" not in done.output, done.output
    return " ".join(done.output.split())


def test_this_game_is_installed() -> None:
    (point,) = (one for one in entry_points(group=games.GROUP) if one.name == "sammu-ramat")
    assert point.value == "sammu_env:load_game" and "sammu-ramat" in games.names()
    assert games.load("sammu-ramat").hashes == GAME.hashes
    assert games.load("sammu-ramat", edition="novice").editions == ("novice",)


def test_games_are_found_by_name(toys: Path) -> None:
    assert {"broken", "sammu-ramat", "toy"} <= set(games.names())
    assert isinstance(games.load("toy"), Toy) and games.load("sammu_ramat").name == "sammu_ramat"
    for name, options, told in (
        ("chess", {}, r"game is 'chess', choose one of broken, (.*, )?sammu-ramat, toy"),
        (None, {}, r"\d games are installed, say which: broken, (.*, )?sammu-ramat, toy"),
        ("broken", {}, r"game broken \(no.such.module:load\) cannot be imported: No module named"),
        ("sammu-ramat", {"weather": "fine"}, r"sammu-ramat takes no weather, it takes edition, box_seed, difficulty"),
        ("toy", {"edition": "novice"}, r"toy takes no edition"),
    ):
        with pytest.raises(ValueError, match=told):
            games.load(name, **options)


def test_a_strangers_game_is_evaluated_by_name(toys: Path) -> None:
    """With an agent and a task of one's own, and results that say which games were played."""
    keeper = f"{HERE}:Keeper:least=4"
    who = ("--agent", keeper, "--agent", "random")
    evaluate = ("evaluate", "--game", "toy", *who, "--task", "nine.toml", "--games", 50)
    printed = run(*evaluate, "--processes", 1, "--results", "played", "--json", "table.json")
    assert "players" in printed and "rounds on average" in printed
    cells = json.loads((toys / "table.json").read_text())["agents"][keeper]
    assert [cell["players"] for cell in cells] == [2, 3, 4]
    assert all(cell["games"] == 50 and cell["mean_pot"] >= 0 for cell in cells) and sum(c["wins"] for c in cells) > 75
    kept = load_all(toys / "played", TOY)
    assert [results.agent for results in kept] == ["keeper-least4", "random"]
    assert kept[0].task == read(toys / "nine.toml", TOY) and kept[0].cells[0].setup["goal"][0] == 9
    text = run("results", "played", "--game", "toy")
    assert "| nine | keeper-least4 |" in text and "won, % | minus random, points |" in text
    page = run("results", "played", "--game", "toy", "--agent", f"{HERE}:Keeper:least=4", "--write", "page.md")
    assert not page and "| players | keeper-least4, % | random, % |" in (toys / "page.md").read_text()


def test_a_strangers_game_is_evaluated_without_a_task(toys: Path) -> None:
    """It says no cells, so there is one, as it is configured by itself."""
    assert "won" in run("evaluate", "--game", "toy", "--games", 3, "--processes", 1, "--json", "one.json")
    (cell,) = json.loads((toys / "one.json").read_text())["agents"]["random"]
    assert cell["games"] == 3 and "players" not in cell
    assert "toy has none" in run("evaluate", "--game", "toy", "--players", 2, code=2)
    assert "task is 'solo', choose one of a file" in run("evaluate", "--game", "toy", "--task", "solo", code=2)


def test_a_strangers_game_is_trained_by_name(toys: Path) -> None:
    settings = {"name": "small", "tasks": {"nine.toml": 1}, "only": {"players": [2]}, "games": 8, "length": 8,
                "decisions": 128, "threads": 1, "device": "cpu", "ppo": {"minibatch": 64},
                "network": {"width": 16, "blocks": 0, "contents": False}, "validation": {"every": 64, "games": 2},
                "warm_start": {"updates": 1}}  # fmt: skip
    (toys / "small.yaml").write_text(json.dumps(settings))
    run("train", "--game", "toy", "--config", "small.yaml", "--folder", "runs")
    card = json.loads((toys / "runs/small/last.json").read_text())
    assert card["game"] == "toy" and set(card["validation"]["table"]) == {"task nine, players 2"}
    assert {"won", "nine"} <= set(card["curve"][-1])
    played = run("evaluate", "--game", "toy", "--agent", "ppo:runs/small/last", "--task", "nine.toml", "--games", 2)
    assert "ppo:runs/small/last: games won" in played


def test_a_strangers_game_is_played_in_the_terminal(toys: Path) -> None:
    assert "the game is over" in run("play", "--game", "toy", "--agents", "random", "--players=3", "--goal", 9)
    assert "toy has --players, --goal" in run("play", "--game", "toy", "--seats", 3, code=2)
    assert "players is 'all', expected a whole number" in run("play", "--game", "toy", "--players", "all", code=2)
    assert "--goal" in run("play", "--game", "toy", "--help")
    listed = run("games")
    assert "toy agents: random, search tasks: none of its own" in listed and "standard, novice" in listed
    assert "game broken (no.such.module:load) cannot be imported" in listed
    assert "say which" in run("play", code=2)


# Agents


def test_agents_are_any_games_the_games_own_and_ones_own() -> None:
    assert (
        agents.names(TOY) == ("random", "search") and agents.reference(TOY) == agents.make(None, TOY).name == "random"
    )
    assert (
        agents.names(GAME) == ("random", "scripted", "planner", "ppo", "drawn", "search")
        and agents.reference(GAME) == "scripted"
    )
    own = agents.make(f"{HERE}:Keeper:least=3,bold=true", TOY)
    assert isinstance(own, Keeper) and (own.least, own.bold, own.name) == (3, True, "keeper-least3-boldTrue")
    assert agents.make(f"{HERE}:Keeper", TOY).name == "keeper"
    planner: Any = agents.make("planner:width=2, tries=4", GAME)
    assert planner.work[0].search["width"] == 2 and planner.work[0].search["tries"] == 4


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("random:width=3", "agent random has no option 'width': it has none"),
        ("planner:widht=3", "agent planner has no option 'widht': choose from width, tries, futures, looks, plans"),
        ("planner:width=many", "agent planner: width is 'many', expected a whole number"),
        ("planner:width=0", "width is 0, choose 1 to 1,000,000"),
        ("planner:width=99999999999999", "width is 99999999999999, choose 1 to 1,000,000"),
        ("scripted:tries=1000001", "tries is 1000001, choose 1 to 1,000,000"),
        ("planner:threads=257", "threads is 257, choose 1 to 256"),
        ("planner:width=9,width=10", "agent planner has the option width twice"),
        ("planner:96", "agent planner has options '96', write them as name=value, by commas"),
        ("no_such_module:Mine", "agent is 'no_such_module:Mine', but there is no module no_such_module"),
        (f"{HERE}:Nobody", "but tests.test_games has no Nobody, it has .*Keeper"),
        (f"{HERE}:Lazy", "tests.test_games:Lazy is no agent: it lacks act"),
        (f"{HERE}:HERE", "is no class: it is a str"),
        (f"{HERE}:Keeper:bold=perhaps", "bold is 'perhaps', expected true or false"),
        (f"{HERE}:install", "cannot be made with the game: missing a required argument"),
    ],
)
def test_wrong_agents_are_named(name: str, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        agents.make(name, GAME)


def test_seats_are_named_by_commas_that_options_have_too() -> None:
    assert named("human, planner:width=9,tries=3,random") == ["human", "planner:width=9,tries=3", "random"]
    assert named("mine:Class:a=1,b=2,other:Class") == ["mine:Class:a=1,b=2", "other:Class"]


# Tasks


def test_a_file_is_a_task(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    cells = 'challenge = ["SAM-185", "random"]\nplayers = [2, 3]\n'
    path.write_text(f'edition = "novice"\n[options]\noracles = 1\n[cells]\n{cells}')
    task = find(GAME, str(path))
    assert (task.name, task.rows, task.columns, task.train) == ("mine", "challenge", "players", task.test)
    assert task.test[1] == {"challenge": "SAM-185", "players": 3} and len(task.test) == 4
    cells = task.cells(game_of(GAME, [task], "test"))
    assert all(cell.setup["oracles"][0] == 1 and cell.setup["box"][0] == 1 for cell in cells)
    assert made("mine", json.loads(json.dumps(task.plain())), GAME) == task
    yaml = tmp_path / "mine.yaml"
    yaml.write_text("cells:\n- {challenge: SAM-185, players: [2, 3]}\n- {challenge: SAM-186}\n")
    both = [{"challenge": "SAM-185", "players": n} for n in (2, 3)]
    assert [*read(yaml, GAME).test] == [*both, {"challenge": "SAM-186"}]
    path.write_text('cells = [{}]\n[options]\nchallenge = "SAM-180"\n')
    assert read(path, GAME).test == ({},)
    yaml.write_text("cells:\n  players: 2\n  players: 3\n")
    with pytest.raises(ValueError, match=r"mine\.yaml is not YAML: players is there twice\n.*line 3, column 3"):
        read(yaml, GAME)


def test_labels_of_a_file_may_name_boxes(tmp_path: Path) -> None:
    path = tmp_path / "hard.toml"
    path.write_text('by = ["difficulty", "players"]\n[cells]\nplayers = 2\ndifficulty = [0.25, 0.75]\n')
    task = find(GAME, str(path))
    game = game_of(GAME, [task], "validation")
    cells = task.cells(game, "validation")
    assert [game.editions[i].difficulty for cell in cells for i in cell.setup["box"]] == [0.25] * 10 + [0.75] * 10


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("cells = 3", "cells is 3, expected a table of labels"),
        ("[cells]\nplayers = []", "cells: players is an empty list"),
        ("[cells]\nplayers = [[2]]", r"cells: players is \[2\], expected a word, a number"),
        ("[cells]\nplayers = [2, 2]", "cells: players 2 is there twice"),
        ("[cells]\nplayers = 9", "task mine, players 9: players is 9, choose one of 1, 2, 3, 4, 5"),
        ("[cells]\nseats = 2", "sammu_ramat has no option 'seats', choose from challenge, players, .*difficulty"),
        ("[cells]\nplayers = 2\n[options]\nhands = 1", "has no option 'hands', choose from"),
        ("[cell]\nplayers = 2", "there is no 'cell', choose from cells, train, test, options, edition, also, by"),
        ("[train]\nplayers = 2", "expected either cells, or both train and test"),
        ("cells = []", "cells is empty"),
        ("[cells]\n", "cells is empty, give a table of labels or more"),
        ("[train]\nplayers = 2\n[test]\n", "test is empty"),
        ('options = "hard"\n[cells]\nplayers = 2', "options are 'hard', expected a table"),
        ('also = "score"\n[cells]\nplayers = 2', "also is 'score', expected a list of names"),
        ('also = ["points"]\n[cells]\nplayers = 2', "also names 'points', choose from the fields of a state: .*score"),
        ('also = ["cause"]\n[cells]\nplayers = 2', "also names 'cause', choose from the fields of a state: "),
        ('also = ["rng"]\n[cells]\nplayers = 2', "also names 'rng', choose from the fields of a state: "),
        ('also = ["trace"]\n[cells]\nplayers = 2', "also names 'trace', choose from the fields of a state: "),
        ('also = ["score", "score"]\n[cells]\nplayers = 2', "also names 'score' twice: name it once"),
        ('by = ["players", "players"]\n[cells]\nplayers = 2', "by names 'players' twice: name it once"),
        ('by = ["a", "b", "c"]\n[cells]\nplayers = 2', "by names a, b, c: name one label or two, for the rows and"),
        ("[cells]\nplayers = 2\nbox = 1", "box is among the labels .* boxes are named by edition, difficulty, ease"),
        ('by = ["seats"]\n[cells]\nplayers = 2', "by names 'seats', choose from the labels of cells: players"),
        ("cells = [", "is not TOML"),
        ("[cells]\nplayers = 2\n[options]\nplayers = 3", "options have 'players', which says which cell, or which box"),
        ("[cells]\nplayers = 2\n[options]\nbox = 3", "options have 'box', which says which cell, or which box"),
        ('edition = "easy"\n[cells]\nplayers = 2', "edition is 'easy', choose one of standard, novice, expert, or a"),
    ],
)
def test_wrong_task_files_are_named(tmp_path: Path, text: str, told: str) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"mine\.toml.*{told}"):
        find(GAME, str(path))


def test_a_task_file_that_is_no_text_is_named(tmp_path: Path) -> None:
    for suffix in ("toml", "yaml"):
        (tmp_path / f"mine.{suffix}").write_bytes(b"\xff\xfe")
        with pytest.raises(ValueError, match=rf"mine\.{suffix} is no text in UTF-8"):
            find(GAME, str(tmp_path / f"mine.{suffix}"))


@pytest.mark.parametrize(("suffix", "between"), [("toml", "="), ("yaml", ":")])
@pytest.mark.parametrize("value", ["1" * 5000, "[" * 20_000], ids=["digits", "brackets"])
def test_a_task_file_that_is_too_much_is_named(tmp_path: Path, suffix: str, between: str, value: str) -> None:
    path = tmp_path / f"mine.{suffix}"
    path.write_text(f"cells {between} {value}")
    with pytest.raises(ValueError, match=rf"mine\.{suffix} is not {suffix.upper()}: "):
        find(GAME, str(path))


def test_tasks_of_names_files_and_programs(tmp_path: Path) -> None:
    assert find(GAME, "standard") is GAME.tasks["standard"] and main(GAME) == "standard"
    assert find(TOY, f"{HERE}:POTS") is POTS
    for game, name, told in (
        (GAME, "solo", r"choose one of SAM-179, .*campaign, a file \(.toml, .yaml, .yml\), module:NAME"),
        (TOY, "solo", r"choose one of a file"),
        (TOY, f"{HERE}:TASK", "that is a str, no Task"),
        (TOY, ":TASK", "task is ':TASK', expected module:name"),
        (TOY, "..:TASK", "task is '..:TASK', expected module:name"),
    ):
        with pytest.raises(ValueError, match=told):
            find(game, name)
    with pytest.raises(ValueError, match="toy has no tasks of its own"):
        main(TOY)
    path = tmp_path / "standard.toml"
    path.write_text("[cells]\nplayers = 2\n")
    with pytest.raises(ValueError, match="sammu_ramat has a task standard: call the file otherwise"):
        find(GAME, str(path))
    with pytest.raises(ValueError, match="edition is 'novice', but toy has one box: leave it out"):
        made("mine", {"cells": {"players": 2}, "edition": "novice"}, TOY)


POTS = Task("pots", ({"players": 2},), ({"players": 2},), score=Score("pot", "pot", "Pots", "How full.", (0, 6, 12)))


def test_a_task_says_what_score_its_games_have() -> None:
    results = Results(TOY, POTS, "random", games=4)
    states = np.zeros(4, TOY.state)
    states["result"], states["players"], states["pot"] = 2, 2, [3, 6, 11, 12]
    results.cells[0].add(TOY, states)
    assert isinstance(results.cells[0], Cell) and "Mean pot: random 8.0." in tables([results])


def test_rivals_have_no_table_of_games_that_all_have_won() -> None:
    game = Bidding()
    task = Task("two", ({"players": 2},), ({"players": 2},))
    results = Results(game, task, "random", games=4)
    results.cells[0].add(game, play_chunk(game, agents.make("random", game), game.configure(2), np.arange(4)))
    assert sum(results.cells[0].causes.values()) == 4, "how each has ended"
    with pytest.raises(ValueError, match=r"the players of bidding are rivals, .* --against"):
        tables([results])
