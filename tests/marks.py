"""Which rules the tests of a folder are marked with."""

from __future__ import annotations

import ast
from pathlib import Path


def marked(folder: Path) -> set[str]:
    """The ids in every ``mark.rule("...")`` of the test files there."""
    found = set()
    for path in folder.glob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "rule":
                found |= {str(arg.value) for arg in node.args if isinstance(arg, ast.Constant)}
    return found
