"""Kernels that call one of many rules by a number.

Numba calls only what is spelled out. So the ``if``s are written, as a module is imported, from the table that the rules
belong to. Tracebacks and debuggers show them; ``linecache`` has all lines of a switch under the name of its file.
"""

from __future__ import annotations

import inspect
import linecache
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from tabletop.jit import kernel

#: Cases of one function. One of 77 made games 3% slower.
LONGEST = 16


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


def of_rows(
    does: str, number: str, rows: Sequence[tuple[str, Any]], others: str, space: Mapping[str, Any], every: bool = True
) -> dict[str, str]:
    """For each row of a table the call of its rule, which is told the columns x, y, z, w by the names of the fields.

    Args:
        rows: name and fields of each (which have a ``name``); its place is its number, and the first is none.
        does: "do" for rules of the names ``do_...``.
        number: "c.FX" for numbers of the names ``c.FX_...``.
        others: what else a rule may ask for: "box s".
        every: whether each row but the first, which is none, must have a rule.

    Raises:
        AttributeError: a row has no rule.
        TypeError: a rule asks for what its row has not.
    """
    cases = {}
    for name, fields in rows[1:]:
        rule = f"{does}_{name}"
        if every and rule not in space:
            raise AttributeError(f"{space['__name__']} has no {rule}, the rule of a row")
        if rule in space:
            told = {other: other for other in others.split()}
            told |= {field.name: column for field, column in zip(fields, "xyzw", strict=False)}
            cases[f"{number}_{name.upper()}"] = call(rule, space[rule], told)
    return cases


def switch(
    name: str, given: str, on: str, cases: Mapping[str, str], space: Mapping[str, Any], otherwise: str = ""
) -> Any:
    """A kernel that does what stands beside the number that its parameter ``on`` is.

    Args:
        name: its name; it is a function of the module that calls.
        given: its parameters, such as "box, s, op".
        cases: a number as an expression, and a statement for it; the numbers rise.
        space: the names that these use: ``globals()`` of the module, and others.
        otherwise: the statement for any other number; without it nothing is done.
    """
    every = list(cases.items())
    parts = [every[i : i + LONGEST] for i in range(0, len(every), LONGEST)]
    names = [f"{name}_{i}" for i in range(len(parts))] if len(parts) > 1 else [name]
    last = [f"    {otherwise}"] if otherwise else []
    lines = []
    for part, inner in zip(parts, names, strict=True):
        lines.append(f"def {inner}({given}):")
        for number, statement in part:
            first = lines[-1].startswith("def")
            lines += [f"    {'if' if first else 'elif'} {on} == {number}:", f"        {statement}"]
        lines += last
    if len(parts) > 1:
        lines.append(f"def {name}({given}):")
        for part, inner in zip(parts, names, strict=True):
            lines += [f"    if {on} <= {part[-1][0]}:", f"        return {inner}({given})"]
        lines += last
    source = "\n".join(lines) + "\n"
    file = str(Path(space["__file__"]).with_suffix(f".{name}"))  # beside the sources that it follows from
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    made = dict(space)
    exec(compile(source, file, "exec"), made)
    made.update({made_name: kernel(made[made_name]) for made_name in {*names, name}})
    return made[name]
