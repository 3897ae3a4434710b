"""Every numbered rule has a test that is marked with its number."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

COUNTS = {"U": 12, "W": 4, "N": 12, "E": 9, "C": 3, "H": 2, "A": 13, "M": 13, "T": 1, "R": 6, "O": 5, "K": 4, "S": 2}
RULES = [f"{letter}{n}" for letter, count in COUNTS.items() for n in range(1, count + 1)]


def marked() -> set[str]:
    """The ids in every ``mark.rule("...")`` of the test files beside this one."""
    found = set()
    for path in Path(__file__).parent.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "rule":
                found |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    return found


@pytest.fixture(scope="module")
def proved() -> set[str]:
    return marked()


@pytest.mark.parametrize("rule", RULES)
def test_rule_has_a_test(rule: str, proved: set[str]) -> None:
    assert rule in proved, f"no test is marked rule({rule!r})"


def test_no_test_is_marked_with_a_rule_that_does_not_exist(proved: set[str]) -> None:
    assert proved <= set(RULES)
