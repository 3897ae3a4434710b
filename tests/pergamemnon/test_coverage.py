"""Every rule and ruling of the numbered list has a test that is marked with its number."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.marks import marked

COUNTS = {"A": 8, "T": 5, "H": 8, "F": 14, "B": 8, "S": 4, "L": 3, "N": 10, "E": 5}
RULES = [f"P-{letter}{n}" for letter, count in COUNTS.items() for n in range(1, count + 1)]
#: Rulings without a number of their own, by their place in the list of ambiguities.
RULINGS = [f"P-ruling-{n}" for n in range(1, 22)]
HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]


@pytest.fixture(scope="module")
def proved() -> set[str]:
    return marked(HERE)


def test_there_are_65_rules() -> None:
    assert len(RULES) == 65


@pytest.mark.parametrize("rule", [*RULES, *RULINGS])
def test_rule_has_a_test(rule: str, proved: set[str]) -> None:
    assert rule in proved, f"no test is marked rule({rule!r})"


def test_no_test_is_marked_with_a_rule_that_does_not_exist(proved: set[str]) -> None:
    assert proved <= {*RULES, *RULINGS}


@pytest.mark.parametrize("rule", RULES)
def test_rule_is_named_where_it_is_kept(rule: str) -> None:
    text = "".join(path.read_text(encoding="utf-8") for path in (ROOT / "pergamemnon_env" / "rules").glob("*.py"))
    letter, number = rule[2], int(rule[3:])
    spans = [range(int(a), int(b) + 1) for a, b in re.findall(rf"P-{letter}(\d+) to P-{letter}(\d+)", text)]
    assert f"{rule}." in text or f"{rule}," in text or f"{rule} " in text or any(number in span for span in spans)
