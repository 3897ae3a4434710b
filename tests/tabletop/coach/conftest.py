"""A coach for each test, which ends with it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.tabletop.coach.games import CoachedToy


@pytest.fixture
def start(tmp_path: Path) -> Iterator[Callable[..., Any]]:
    from tests.tabletop.coach.serving import Running  # needs the extra

    running: list[Running] = []

    def one(game: Any = None, **options: Any) -> Running:
        running.append(Running(game or CoachedToy(), tmp_path / "games", **options))
        return running[-1]

    yield one
    for each in running:
        each.close()
