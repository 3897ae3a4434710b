"""Every numbered rule has a test that is marked with its number."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.marks import marked

COUNTS = {"U": 12, "W": 4, "N": 12, "E": 9, "C": 3, "H": 2, "A": 13, "M": 13, "T": 1, "R": 6, "O": 5, "K": 4, "S": 2}
HERE = Path(__file__).resolve().parent
RULES = [f"{letter}{n}" for letter, count in COUNTS.items() for n in range(1, count + 1)]


@pytest.fixture(scope="module")
def proved() -> set[str]:
    return marked(HERE)


@pytest.mark.parametrize("rule", RULES)
def test_rule_has_a_test(rule: str, proved: set[str]) -> None:
    assert rule in proved, f"no test is marked rule({rule!r})"


def test_no_test_is_marked_with_a_rule_that_does_not_exist(proved: set[str]) -> None:
    assert proved <= set(RULES)
