"""Kernels that call one of many rules by a number.

Numba calls only what is spelled out. So the ``if``s are written, as a module is imported, from the table that the rules
belong to: ``inspect.getsource(dispatch.ask.py_func)`` shows them, and so do tracebacks.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tabletop.jit import kernel


def parameters(rule: Callable[..., Any]) -> tuple[str, ...]:
    """What a rule wants to be told."""
    return tuple(inspect.signature(getattr(rule, "py_func", rule)).parameters)


def call(name: str, rule: Callable[..., Any], told: Mapping[str, str]) -> str:
    """The call of a rule by a name, with what each of its parameters is told.

    Raises:
        TypeError: it has a parameter that is told nothing.
    """
    wanted = parameters(rule)
    for parameter in wanted:
        if parameter not in told:
            raise TypeError(f"{name}: parameter {parameter!r}, choose one of {', '.join(told)}")
    return f"{name}({', '.join(told[parameter] for parameter in wanted)})"


def switch(name: str, given: str, on: str, cases: Mapping[str, str], space: Mapping[str, Any]) -> Any:
    """A kernel that does what stands beside the number that its parameter ``on`` is, or nothing.

    Args:
        name: its name; it is a function of the module that calls.
        given: its parameters, such as "box, s, op".
        cases: a number as an expression, and a statement for it.
        space: the names that these use: ``globals()`` of the module, and others.
    """
    lines = [f"def {name}({given}):"]
    for number, statement in cases.items():
        lines += [f"    {'elif' if lines[1:] else 'if'} {on} == {number}:", f"        {statement}"]
    source = "\n".join(lines) + "\n"
    file = str(Path(space["__file__"]).with_suffix(f".{name}"))  # beside the sources that it follows from
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    made = dict(space)
    exec(compile(source, file, "exec"), made)
    return kernel(made[name])
