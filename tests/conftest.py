"""Compiles once before parallel workers would each do so for themselves; and fixtures of several files."""

import signal
from collections.abc import Iterator
from typing import Any

import pytest


@pytest.fixture
def one_thread() -> Iterator[None]:
    """Tests run side by side: torch's threads would wait for each other."""
    torch = pytest.importorskip("torch")
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    yield
    torch.set_num_threads(before)


def pytest_configure(config: Any) -> None:
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a job in the background, whose programs could not be ended
        signal.signal(signal.SIGINT, signal.default_int_handler)
    if hasattr(config, "workerinput") or not getattr(config.option, "numprocesses", None):
        return
    from tests.compiled import compile_all

    compile_all()
