"""What the wheel installs, and that it gets along with what others install."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("tabletop", "sammu_env", "pergamemnon_env", "xerxes_env")
ROOMS = ("agents", "assist", "checkpoints", "training")

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with what the wheel has. It is built from a copy, as building leaves files behind."""
    pytest.importorskip("setuptools", "77")
    copy, built, site = (tmp_path_factory.mktemp(name) for name in ("copy", "built", "site"))
    for name in (*PACKAGES, *ROOMS):
        shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, copy)
    command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation", "--no-index"]
    done = subprocess.run([*command, "--wheel-dir", str(built), str(copy)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    (wheel,) = built.iterdir()
    ZipFile(wheel).extractall(site)
    return site


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
