"""The ``sammu`` command, as tests type it."""

from __future__ import annotations

from typing import Any

from click.testing import Result
from typer.testing import CliRunner

from sammu_env.command import app


def sammu(*args: Any, stdin: str = "") -> Result:
    """What comes of a call."""
    return CliRunner().invoke(app, [str(arg) for arg in args], input=stdin)


def refused(*args: Any) -> str:
    """The message of a call that must fail without a traceback."""
    done = sammu(*args)
    assert done.exit_code == 2, done.output
    assert done.exception is None or isinstance(done.exception, SystemExit)
    assert "Traceback" not in done.output
    return " ".join(done.output.split())
