"""What the wheel installs, and that it gets along with what others install."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
import tarfile
from importlib.metadata import packages_distributions
from pathlib import Path
from zipfile import ZipFile

import pytest

from tabletop.needs import EXTRAS

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("tabletop", "sammu_env", "pergamemnon_env", "xerxes_env")
ROOMS = ("agents", "assist", "checkpoints", "training")
BUILD = "import sys; from setuptools import build_meta; build_meta.build_sdist(sys.argv[1])"

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source package. It is built from a copy, as building leaves files behind."""
    pytest.importorskip("setuptools", "77")
    copy, built = tmp_path_factory.mktemp("copy"), tmp_path_factory.mktemp("built")
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard"], cwd=ROOT, capture_output=True, text=True)
    if listed.returncode:
        pytest.skip("this is no checkout")
    for name in listed.stdout.splitlines():
        if (ROOT / name).exists():
            (copy / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, copy / name, follow_symlinks=False)
    done = subprocess.run([sys.executable, "-c", BUILD, str(built)], cwd=copy, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (archive,) = built.iterdir()
    return archive


@pytest.fixture(scope="module")
def source(archive: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The source package, unpacked."""
    unpacked = tmp_path_factory.mktemp("unpacked")
    with tarfile.open(archive) as packed:
        safely = {"filter": "data"} if hasattr(tarfile, "data_filter") else {}  # Python 3.11.3 has none
        packed.extractall(unpacked, **safely)
    (folder,) = unpacked.iterdir()
    return folder


@pytest.fixture(scope="module")
def wheel(source: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The wheel; it is built from the source package."""
    built = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run([*command, "--wheel-dir", str(built), str(source)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = built.iterdir()
    return wheel


@pytest.fixture(scope="module")
def site(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel has."""
    site = tmp_path_factory.mktemp("site")
    ZipFile(wheel).extractall(site)
    return site


def test_tests_of_the_source_package_run(source: Path) -> None:
    environment = {**os.environ, "PYTHONPATH": str(source), "NUMBA_DISABLE_JIT": "1"}
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist",
               "tests/tabletop/test_trajectories.py", "tests/test_docs.py", "-k", "shapes or links"]  # fmt: skip
    done = subprocess.run(command, cwd=source, env=environment, capture_output=True, text=True)
    assert done.returncode == 0 and "passed" in done.stdout, done.stdout


def test_licence_types_configs_and_examples_are_there(site: Path) -> None:
    assert list(site.glob("*.dist-info/licenses/LICENSE"))
    assert all((site / package / "py.typed").is_file() for package in PACKAGES)
    for folder in ("configs", "examples"):
        ours = {path.name for path in (ROOT / folder).iterdir() if path.suffix in {".yaml", ".json", ".py"}}
        assert ours and ours <= {path.name for path in (site / "tabletop" / folder).iterdir()}


def test_settings_that_are_installed_are_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from tabletop.training.config import found, load

    monkeypatch.chdir(tmp_path)
    assert found("configs/wins.json").is_file() and load(Path("configs/ppo.yaml")).name == "ppo"
    (tmp_path / "configs").mkdir()
    (tmp_path / "configs/ppo.yaml").write_text("name: mine")
    assert load(Path("configs/ppo.yaml")).name == "mine"
    assert found("nothing.yaml") == Path("nothing.yaml")


LACKING = """
import importlib.abc, sys
class Lacking(importlib.abc.MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {names}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Lacking())
"""


def without(*names: str, program: str) -> str:
    """What a program says where some modules are not installed."""
    code = LACKING.format(names=set(names)) + program
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, env=environment, capture_output=True, text=True)
    return done.stdout + done.stderr.strip().split("\n")[-1]


EXTRA = ("typer", "rich", "PIL", "tomli_w", "torch", "yaml", "safetensors", "stable_baselines3", "starlette")


@pytest.mark.parametrize(("program", "told"), [
    ("import sammu_env.__main__ as m; m.main()", "error: typer is not installed: pip install 'sammu-ramat-env[play]'"),
    ("from tabletop.agents import make; make('ppo', sammu_env.load_game())",
     "torch is not installed: pip install 'sammu-ramat-env[train]'"),
    ("e = sammu_env.env(players=1, render_mode='rgb_array'); e.reset(seed=1); e.render()",
     "PIL is not installed: pip install 'sammu-ramat-env[play]'"),
    ("import tabletop.sb3", "stable_baselines3 is not installed: pip install 'sammu-ramat-env[train]'"),
    ("from sammu_env.components.random import to_toml; to_toml(1)",
     "tomli_w is not installed: pip install 'sammu-ramat-env[play]'"),
    ("e = sammu_env.env(players=1); e.reset(seed=1); print(e.agent_selection)", "advisor_0"),
])  # fmt: skip
def test_what_is_missing_is_named_with_the_command_that_installs_it(program: str, told: str) -> None:
    assert told in without(*EXTRA, program=f"import sammu_env; {program}")


def test_the_modules_of_an_extra_are_those_of_its_packages() -> None:
    declared = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    installed = packages_distributions()
    for extra, modules in EXTRAS.items():
        packages = {re.split(r"[\[>]", package)[0] for package in declared[extra]} - {"sammu-ramat-env"}
        assert {_written(name) for module in modules for name in installed[module]} == packages


def _written(package: str) -> str:
    """The name of a package as ``pyproject.toml`` writes it."""
    return re.sub(r"[-_.]+", "-", package).lower()


#: What works once it is installed without extras, and with the largest ones; {extras: {command: what it says}}.
INSTALLED = {
    "": {
        "python -c 'import sammu_env; e = sammu_env.env(players=1); e.reset(seed=1); print(e.agents)'": "advisor_0",
        "sammu games": "pip install 'sammu-ramat-env[play]'",
        "python -m tabletop.examples.ppo": "No module named 'torch'",
    },
    "train,coach": {
        "sammu games": "xerxes",
        "sammu evaluate --agent ppo --challenge SAM-185 --players 2 --games 2": "SAM-185",
        "sammu train --config configs/ppo.yaml --set games=2 --set length=4 --set ppo.minibatch=8 --set ppo.run=2 "
        "--set decisions=8 --set 'tasks={SAM-185: 1}' --set mid_game.wins=null "
        "--set 'warm_start={updates: 0, kl: 0}'": "best.safetensors",
        "python -m tabletop.examples.ppo --steps 64 --envs 4 --length 16 --games 1": "win rate",
        "sammu coach --help": "--lan",
    },
}


@pytest.mark.skipif("INSTALL" not in os.environ, reason="downloads, and compiles for minutes: make packages")
@pytest.mark.parametrize("extras", INSTALLED)
@pytest.mark.parametrize("package", ["wheel", "archive"])
def test_it_works_in_an_empty_environment(
    package: str, extras: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """Beside no checkout, and without what other environments have compiled."""
    place = request.getfixturevalue(package)
    subprocess.run([sys.executable, "-m", "venv", "v"], cwd=tmp_path, check=True)
    of = {**os.environ, "PATH": f"{tmp_path / 'v/bin'}{os.pathsep}{os.environ['PATH']}",
          "TABLETOP_CACHE": str(tmp_path / "cache"), "COLUMNS": "200"}  # fmt: skip
    of.pop("PYTHONPATH", None)
    pinned = ["pip", "install", "--quiet", "--constraint", str(ROOT / "constraints.txt")]
    subprocess.run([*pinned, f"{place}[{extras}]" if extras else str(place)], cwd=tmp_path, env=of, check=True)
    for command, told in INSTALLED[extras].items():
        done = subprocess.run(command, shell=True, cwd=tmp_path, env=of, capture_output=True, text=True)
        assert told in done.stdout + done.stderr, f"{command}: {done.stdout}{done.stderr}"


def test_its_names_are_ours_alone(site: Path) -> None:
    assert {path.name for path in site.iterdir() if path.suffix != ".dist-info"} == set(PACKAGES)


def test_the_games_are_found_by_name(site: Path) -> None:
    (points,) = site.glob("*.dist-info/entry_points.txt")
    names = points.read_text().partition("[tabletop.games]\n")[2].split("\n\n")[0].splitlines()
    assert sorted(names) == [f"{game} = {package}:load_game" for game, package in (
        ("pergamemnon", "pergamemnon_env"), ("sammu-ramat", "sammu_env"), ("xerxes", "xerxes_env"))]  # fmt: skip


@pytest.mark.parametrize("folder", [*PACKAGES, *ROOMS])
def test_nothing_is_left_out(site: Path, folder: str) -> None:
    kinds = {".py", ".toml", ".json", ".safetensors"}
    ours = {path.relative_to(ROOT / folder) for path in (ROOT / folder).rglob("*") if path.suffix in kinds}
    installed = site / "tabletop" / folder if folder in ROOMS else site / folder
    assert ours and all((installed / path).is_file() for path in ours)


def test_others_have_packages_of_the_same_names(site: Path, tmp_path: Path) -> None:
    """They are found before ours: in the folder where somebody works, and installed."""
    for room in ROOMS:
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").write_text("raise ImportError('this is not ours')")
    program = """
from importlib.resources import files
from tabletop import agents, training
from sammu_env.command import app
print(files("tabletop.checkpoints") / "ppo.json")
app(["rules", "SAM-185"])
"""
    environment = {**os.environ, "PYTHONPATH": f"{tmp_path}{os.pathsep}{site}", "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, env=environment, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith(str(site / "tabletop/checkpoints/ppo.json")) and "SAM-185" in done.stdout
