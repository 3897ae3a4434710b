"""The examples in README and docs run as they stand, and every link within the project leads somewhere."""

from __future__ import annotations

import re
import shlex
from importlib.util import find_spec
from inspect import signature
from pathlib import Path

import click
import pytest
import typer
from typer.testing import CliRunner

import sammu_env
from sammu_env import actions, content, observation, steps
from sammu_env.command import app
from tabletop.games import load
from tabletop.training.tasks import read

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]


def examples() -> list[tuple[str, str]]:
    found = []
    for page in PAGES:
        blocks = re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.S)
        found += [(f"{page.name}-{i}", code) for i, code in enumerate(blocks, 1)]
    return found


@pytest.mark.parametrize(("name", "code"), examples(), ids=[name for name, _ in examples()])
def test_example_runs(name: str, code: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for library in re.findall(r"^from (torch|torchrl|sb3_contrib)\b", code, re.M):
        pytest.importorskip(library)
    monkeypatch.chdir(tmp_path)
    exec(compile(code, name, "exec", dont_inherit=True), {"__name__": name})


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_within_the_project_lead_somewhere(page: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", page.read_text(encoding="utf-8")):
        if "://" not in target:
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_the_numbers_of_prompts_choices_and_observations_are_those_of_the_environment() -> None:
    text = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    threats = next(part.slice.start for part in observation.layout() if part.name == "threats")
    for words in (f"The prompts, {len(steps.PROMPTS)} of them", f"`Discrete({actions.N_ACTIONS})`",
                  f"vectors of {observation.SIZE:,} numbers", f"The first {threats:,} say"):  # fmt: skip
        assert words in text


def test_the_columns_of_contents_are_those_of_the_environment() -> None:
    text = (ROOT / "docs" / "environment.md").read_text(encoding="utf-8")
    assert f"float32 `(boxes, {actions.N_ACTIONS}, {content.WIDTH})`" in text
    assert "There are six sets" in text and len(sammu_env.load_game().content_sets) == 6
    table = text.partition("| name | columns | what they say |\n| --- | --- | --- |\n")[2].partition("\n\n")[0]
    assert table.splitlines() == [
        f"| `{name}` | {' to '.join(map(str, sorted({part.slice.start, part.slice.stop - 1})))} | {part.meaning} |"
        for name, part in content.COLUMNS.items()
    ]


def test_the_guide_quotes_the_whole_game() -> None:
    """Each block of ``py`` stands in the file, and together they are the file; of the other game there are parts."""
    left, other = ((ROOT / "tests" / "tabletop" / f"{name}.py").read_text("utf-8") for name in ("bidding", "passing"))
    guide, _, machine = (ROOT / "docs" / "new-game.md").read_text(encoding="utf-8").partition("## Rules that ask")
    quotes = re.findall(r"```py\n(.*?)\n```", machine, re.S)
    assert quotes and all(quote in other for quote in quotes)
    assert re.findall(r"^## (\d)\.", guide, re.M) == list("123456789")
    for quote in re.findall(r"```py\n(.*?)\n```", guide, re.S):
        assert quote in left, quote
        left = left.replace(quote, "", 1)
    assert not left.strip()


def test_the_task_of_the_benchmark_page_is_one(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "benchmark.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"```toml\n(.*?)```", page, re.S)
    (tmp_path / "mine.toml").write_text(text)
    task = read(tmp_path / "mine.toml", sammu_env.load_game())
    assert (task.edition, len(task.test), task.fields) == ("novice", 4, ("assassination",))


def commands() -> list[str]:
    """Every line of a command that README and docs show, whole."""
    found: dict[str, None] = {}
    for page in PAGES:
        for block in re.findall(r"(?:^    .*\n)+", re.sub(r"```.*?```", "", page.read_text("utf-8"), flags=re.S), re.M):
            for line in block.replace("\\\n", " ").splitlines():
                plain = re.sub(r"\s{2,}#.*|\s+# .*|\s+[<>|] .*", "", line.strip())
                if re.match(r"(\.venv/bin/)?(sammu|python|pytest)\b|make\b|torchrun\b", plain):
                    found.setdefault(re.sub(r"^\.venv/bin/", "", plain))
    return list(found)


#: What a line stands for, where it shows a place to fill in.
FILLED = {"$task": "standard", "TASK": "standard", "[name=value ...]": "", "HOST": "here", "NAME": "mine"}


@pytest.mark.parametrize("line", commands())
def test_command_is_one(line: str) -> None:
    """It names a command, a program or a target that there is, and every option is one. Running all takes hours."""
    for place, filled in FILLED.items():
        line = line.replace(place, filled)
    program, *given = shlex.split(line)
    if program == "make":
        targets = re.findall(r"^([\w-]+):", (ROOT / "Makefile").read_text(), re.M)
        assert all(one in targets for one in given if "=" not in one)
    elif program == "sammu":
        parse(given)
    elif program == "torchrun":
        assert given[given.index("-m") + 1] == "sammu_env.command"
        parse(given[given.index("-m") + 2 :])
    elif program == "python":
        assert find_spec(given[1]) if given[0] == "-m" else (ROOT / given[0]).is_file(), line
    else:
        assert all((ROOT / one).exists() for one in given if one.endswith(".py"))


def parse(given: list[str]) -> None:
    """As the command would; an unknown verb, option or value is an error."""
    group, context = typer.main.get_command(app), None
    while isinstance(group, click.Group) or hasattr(group, "commands"):
        name, *given = given
        assert name in group.commands, name
        group = group.commands[name]
    context = group.make_context(group.name, list(given))
    game = sammu_env.load_game() if context.params.get("game") in (None, "bidding") else load(context.params["game"])
    known = {f"--{option.replace('_', '-')}" for option in signature(game.configure).parameters}
    assert {one.partition("=")[0] for one in context.args if one.startswith("--")} <= known


@pytest.mark.parametrize("line", [
    "sammu rules SAM-185", "sammu cards show SAM-026", "sammu cards list --unverified", "sammu games",
    "sammu cards random --seed 7 --write box.toml", "sammu cards check box.toml",
])  # fmt: skip
def test_quick_command_runs(line: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    runner = CliRunner()
    runner.invoke(app, ["cards", "random", "--seed", "7", "--write", "box.toml"])
    done = runner.invoke(app, shlex.split(line)[1:])
    assert done.exit_code == 0 and (done.output or "--write" in line), done.output


def test_there_are_examples() -> None:
    assert len(examples()) >= 3
