"""The examples in README and docs run as they stand, and every link within the project leads somewhere."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import sammu_env
from sammu_env import actions, content, observation, steps
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
    if "NumpyToTorch" in code:
        pytest.importorskip("array_api_compat")
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


def test_there_are_examples() -> None:
    assert len(examples()) >= 3
