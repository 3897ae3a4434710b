"""Every rule and ruling of the numbered list has a test that is marked with its number."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.marks import marked

COUNTS = {"A": (1, 10), "R": (1, 2), "P": (1, 4), "E": (1, 6), "M": (1, 6), "G": (1, 3), "B": (1, 7), "T": (1, 3),
          "O": (1, 3), "N": (1, 4), "Z": (1, 6), "S": (0, 8)}  # fmt: skip
HERE = Path(__file__).resolve().parent
RULES = [f"X-{letter}{n}" for letter, (first, last) in COUNTS.items() for n in range(first, last + 1)]
#: Rulings without a number of their own, by their place in the list of ambiguities.
RULINGS = [f"X-ruling-{n}" for n in range(1, 20)]


@pytest.fixture(scope="module")
def proved() -> set[str]:
    return marked(HERE)


def test_there_are_63() -> None:
    assert len(RULES) == 63


@pytest.mark.parametrize("rule", [*RULES, *RULINGS])
def test_rule_has_a_test(rule: str, proved: set[str]) -> None:
    assert rule in proved, f"no test is marked rule({rule!r})"


def test_no_test_is_marked_with_a_rule_that_does_not_exist(proved: set[str]) -> None:
    assert proved <= {*RULES, *RULINGS}
