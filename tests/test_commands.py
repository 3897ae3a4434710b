"""The commands of README and docs run as they stand, page by page, from top to bottom, in a folder like a reader's.

What would take minutes is made shorter by options behind it, of which the last counts.
"""

from __future__ import annotations

import re
import runpy
import shlex
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from itertools import pairwise
from multiprocessing import active_children
from pathlib import Path

import pytest
from typer.testing import CliRunner

from sammu_env.command import app
from tabletop.training.config import changed, load

ROOT = Path(__file__).resolve().parent.parent
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md"))]

TINY = ("--set games=4 --set length=8 --set ppo.minibatch=16 --set ppo.run=2 --set network.width=16 "
        "--set validation.games=1 --set warm_start.agent=random "
        "--set warm_start.updates=1 --set warm_start.until=1 --set pool.every=1 --set shaping.agent=scripted "
        "--set threads=1 ")  # fmt: skip
#: What a command gets besides, where it would take longer: by how it begins; all that fit.
SHORTER = {
    "sammu evaluate": "--processes 1 --games 1",
    "sammu evaluate (?!.*(--task|--challenge|--game ))": "--challenge SAM-185",
    "sammu coplay": "--games 1 --processes 1 --task SAM-185",
    "sammu check": "--processes 1",
    "sammu calibrate": "--games 1 --task SAM-185",
    "sammu train": TINY + "--set decisions=64",
    "sammu train --config configs/(?!.*tasks=)": "--set 'tasks={SAM-185: 1}' --set mid_game.wins=null",
    "sammu train --game (xerxes|pergamemnon) (?!.*tasks=)": "--set 'tasks={standard: 1}'",
    "sammu train .*--stage": "--set decisions=128",
    "sammu train .*coplayer": "--set network.width=512",
    "sammu advise .*--seconds": "--seconds 0.2",
    "python -m benchmarks.speed": "--seconds 0.02",
    "python -m benchmarks.rivals": "--games 1",
}
#: What a command has in the place of what takes long, of the shipped checkpoint and the published games, which it would
#: change, or of a certificate.
INSTEAD = {
    "--results docs/benchmark": "--results runs/benchmark",
    "planner --task standard": "planner --task SAM-185",
    "search:rollouts=16 --task standard": "search:rollouts=2,samples=1,proposals=false --task SAM-185",
    "--tls cert.pem key.pem ": "",
    "--host 192.168.1.5": "--host 127.0.0.1",
    "soak 1000000": "soak 200",
    "random_games xerxes 1000000": "random_games xerxes 200",
    "rollouts=64": "rollouts=2",
    "rollouts=32": "rollouts=2",
    "calibrate ppo": "calibrate runs/mine/best",
    "--agent ppo:runs/coplayer-2/best --agent ppo:runs/coplayer-3/best ": "",
    "--partner ppo:runs/coplayer-2/best --partner ppo:runs/coplayer-3/best ": "",
}
#: What a line stands for, where it shows a place to fill in.
FILLED = {"$task": "standard", "HOST": "here"}

#: Those that are read but not run, with the reason.
LEFT = {
    "make demo": "it sets up an environment of its own, for minutes",
    "make coach": "as above",
    "make test": "as above",
    "make setup": "as above",
    "make browser": "it installs a browser",
    "make check": "as above",
    "python -m benchmarks.curves --folder runs --write docs/curves.md":
        "two runs of an hour; shorter ones in tests/test_benchmarks_curves.py",
    "pytest tests/rules/test_oracle.py": "a part of this suite",
    "python examples/rllib.py --address auto --runners 2 --learners 2": "Ray is too large for CI: make examples-large",
    "python -m benchmarks.speed --peers --write docs/performance.md": "the peers are not installed",
    "torchrun --standalone --nproc-per-node 2 -m sammu_env.command train --config configs/ppo.yaml":
        "two processes, as in tests/training/test_distributed.py",
    "torchrun --nnodes 4 --nproc-per-node 8 --rdzv-backend c10d --rdzv-endpoint HOST:29500 --rdzv-id mine "
    "-m sammu_env.command train --config configs/ppo.yaml": "four machines",
}  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_settings_of_training_commands_are_right_as_they_stand(page: Path) -> None:
    """Not only with what makes them shorter."""
    for line in commands(page):
        given = shlex.split(line)
        if "train" not in given or "--config" not in given or line.startswith("cp "):
            continue
        path = ROOT / given[given.index("--config") + 1]
        changes = [value for option, value in pairwise(given) if option == "--set"]
        if path.exists():
            load(path, changed(changes))


def text(page: Path) -> str:
    return page.read_text(encoding="utf-8")


def commands(page: Path) -> list[str]:
    """Every command that a page shows, in order; what comes from a file, as ``COMMAND < FILE``."""
    found = []
    for block in re.findall(r"(?:^    .*\n)+", re.sub(r"```.*?```", "", text(page), flags=re.S), re.M):
        for line in block.replace("\\\n", " ").splitlines():
            plain = " ".join(re.sub(r"\s{2,}#.*|\s+# .*", "", line.strip()).split())
            if re.match(r"(\.venv/bin/)?(sammu|python|pytest)\b|(make|torchrun)\b", plain):
                found.append(re.sub(r"^\.venv/bin/", "", plain))
    return found


def files(page: Path) -> dict[str, str]:
    """The files that a page writes out: blocks whose first line is their name."""
    named = re.findall(r"```\w+\n# (\S+\.\w+)\n(.*?)```", text(page), re.S)
    shown = re.findall(r"echo '([^']*)' > (\S+)", text(page))
    return dict(named) | {name: content for content, name in shown}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """Where a reader of all pages stands: with the files that these write out, docs, runs, the game of the guide."""
    for page in PAGES:
        for name, content in files(page).items():
            (tmp_path / name).write_text(content, encoding="utf-8")
    (tmp_path / "position.json").write_text(files(ROOT / "docs/advice.md")["here.json"], encoding="utf-8")
    shutil.copytree(ROOT / "docs", tmp_path / "docs")
    coplayers = {f"coplayer-{seed}": "ppo" for seed in (1, 2, 3)}
    for run, shipped in {"mine": "ppo", "ppo": "ppo", "exploit": "xerxes", **coplayers}.items():
        (tmp_path / "runs" / run).mkdir(parents=True)
        for kind in (".safetensors", ".json"):
            shutil.copy(ROOT / f"checkpoints/{shipped}{kind}", tmp_path / f"runs/{run}/best{kind}")
    info = tmp_path / "bidding-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: bidding\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text("[tabletop.games]\nbidding = tests.tabletop.bidding:Bidding\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.chdir(tmp_path)
    yield tmp_path
    for process in active_children():  # a command's own end would end them
        process.terminate()
        process.join()


def shortened(line: str) -> str:
    for place, filled in (FILLED | INSTEAD).items():
        line = line.replace(place, filled)
    more = [options for pattern, options in SHORTER.items() if re.match(pattern, line)]
    line, less, given = line.partition(" < ")
    return " ".join([line, *more]) + less + given


def run(line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    line, _, given = line.partition(" < ")
    program, *arguments = shlex.split(line)
    if program == "sammu":
        done = CliRunner().invoke(app, arguments, input=Path(given).read_text("utf-8") if given else "q\n")
        assert done.exit_code == 0, f"{line}\n{done.output}\n{done.exception!r}"
        return
    assert program == "python" and arguments[0] == "-m", f"nobody knows how to run {line}"
    monkeypatch.setattr(sys, "argv", arguments[1:])
    runpy.run_module(arguments[1], run_name="__main__", alter_sys=False)


@pytest.mark.slow
@pytest.mark.usefixtures("one_thread")
@pytest.mark.parametrize("page", [one for one in PAGES if set(commands(one)) - set(LEFT)], ids=lambda page: page.stem)
def test_commands_of_a_page_run(page: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)  # a server that would wait for browsers
    monkeypatch.delitem(sys.modules, "mine", raising=False)
    for name, content in files(page).items():
        (folder / name).write_text(content, encoding="utf-8")
    for line in commands(page):
        if line not in LEFT:
            run(shortened(line), monkeypatch)


@pytest.mark.parametrize("line", LEFT)
def test_what_is_left_names_what_there_is(line: str) -> None:
    program, *given = shlex.split(line)
    if program == "make":
        done = subprocess.run(["make", "--dry-run", *given], cwd=ROOT, capture_output=True, text=True)
        assert done.returncode == 0 and done.stdout, done.stderr
    elif program == "torchrun":
        assert given[given.index("-m") + 1 :] == ["sammu_env.command", "train", "--config", "configs/ppo.yaml"]
    elif given[0] == "-m":
        assert find_spec(given[1])
    else:
        assert (ROOT / given[0]).is_file()


def test_nothing_else_is_left() -> None:
    assert set(LEFT) <= {line for page in PAGES for line in commands(page)}, "a page lacks a line that is left"
    assert len(LEFT) == 12, "run a new command, or say why not"
