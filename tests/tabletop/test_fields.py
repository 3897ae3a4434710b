"""Records declared as classes: the dtype that comes of it, and what mypy finds in rules."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from tabletop.fields import Array, dtype_of, f8, i2, i4, i8, shape

ROOT = Path(__file__).parents[2]


class Setup:
    box: i8
    players: i2


class State(Setup):
    """Its fields come after those of a setup."""

    paid: Array[f8] = shape(3)
    hand: Array[i2] = shape(2, 5)
    round: i4
    chance: f8


def test_a_class_gives_an_aligned_dtype() -> None:
    fields = [
        ("box", "i8"),
        ("players", "i2"),
        ("paid", "f8", 3),
        ("hand", "i2", (2, 5)),
        ("round", "i4"),
        ("chance", "f8"),
    ]
    assert dtype_of(State) == np.dtype(fields, align=True)
    assert dtype_of(Setup) == np.dtype(fields[:2], align=True)
    assert dtype_of(State).isalignedstruct


class NoNumber:
    count: int


class NoShape:
    hand: Array[i2]


class NumberWithShape:
    count: i2 = shape(3)  # type: ignore[assignment]


class NoShapeButANumber:
    hand: Array[i2] = 3  # type: ignore[assignment]


@pytest.mark.parametrize(
    ("record", "name"),
    [(NoNumber, "count"), (NoShape, "hand"), (NumberWithShape, "count"), (NoShapeButANumber, "hand")],
)
def test_a_field_that_is_neither_number_nor_array_is_named(record: type, name: str) -> None:
    with pytest.raises(TypeError, match=f"field {name} is neither a number"):
        dtype_of(record)


RULES = """\
from sammu_env.box import Box
from sammu_env.rules import pools
from sammu_env.state import Setup, State
from tabletop.fields import Records
from tabletop.rng import below
from tabletop.steps import push

def entry(box: Records[Box], s: Records[State]) -> int:
    push(s[0], s[0].month, s[0].players)
    return rule(box[s[0].box], s[0]) + below(s[0], 6)

def rule(box: Box, s: State) -> int:
    s.enemy[3] += 1
    s.token[:] = 0
    s.mnth += 1  # attr-defined
    s.month = 0.5  # assignment
    s.enemy += 1  # operator assignment
    s.enemy[3] = 0.5  # assignment
    if s.enemy > 0:  # operator
        push(box, 1)  # arg-type
        below(box, 6)  # arg-type
        pools.area_at(s, 3)  # arg-type
    s[0].month = 1  # index
    return s.token  # return-value

def begin(how: Setup) -> int:
    return how.month  # attr-defined
"""


@pytest.mark.slow
def test_mypy_reports_what_a_rule_does_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    api = pytest.importorskip("mypy.api")
    monkeypatch.chdir(ROOT)
    (tmp_path / "rules.py").write_text(RULES)
    said, problems, _ = api.run([str(tmp_path / "rules.py")])
    assert not problems
    found: dict[int, list[str]] = {}
    for line, code in re.findall(r"rules\.py:(\d+): error: .*\[([\w-]+)\]$", said, re.M):
        found.setdefault(int(line), []).append(code)
    expected = {n: line.partition("# ")[2].split() for n, line in enumerate(RULES.splitlines(), 1) if "  # " in line}
    assert found == expected, said
