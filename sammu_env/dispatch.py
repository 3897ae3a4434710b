"""From the step on top to the rule that it stands for.

Numba calls only what is spelled out. So the ``if``s are written from the table of :mod:`sammu_env.steps` as this module
is imported; ``inspect.getsource(dispatch.ask.py_func)`` shows them, and so do tracebacks.
"""

from __future__ import annotations

import inspect
import linecache
from importlib import import_module
from pathlib import Path
from typing import Any

from sammu_env import actions, steps
from sammu_env.steps import Step
from tabletop.jit import kernel

PROMPTS, OTHERS = steps.TABLE[: len(steps.PROMPTS)], steps.TABLE[len(steps.PROMPTS) :]


def answered(step: Step) -> str:
    """What the answer means to the rule, as an expression of ``action``."""
    if step.answers == ("yes",):
        return "action != a.DONE"
    return f"action - a.{step.answers[0].upper()}" if len(step.answers) == 1 else "action"


def call(step: Step, chapter: Any, does: str) -> str:
    """The call of a step's rule: with ``box`` and ``s`` as far as it takes them, and with the answer.

    Raises:
        AttributeError: the chapter has no such rule.
    """
    function = getattr(chapter, f"{does}_{step.name}")
    names = inspect.signature(getattr(function, "py_func", function)).parameters
    told = ", ".join(name if name in ("box", "s") else answered(step) for name in names)
    return f"{chapter.__name__.rpartition('.')[2]}.{does}_{step.name}({told})"


def dispatcher(does: str, parameters: str, table: tuple[Step, ...]) -> Any:
    """A kernel that calls what each step of a table does: "ask", "answer" or "run"."""
    space: dict[str, Any] = {"__name__": __name__, "steps": steps, "a": actions}
    lines = [f"def {does}({parameters}):"]
    for step in table:
        chapter = import_module(f"sammu_env.rules.{step.chapter}")
        space[chapter.__name__.rpartition(".")[2]] = chapter
        lines.append(f"    {'elif' if lines[1:] else 'if'} op == steps.{step.name.upper()}:")
        lines.append(f"        {call(step, chapter, does)}")
    source = "\n".join(lines) + "\n"
    file = str(Path(__file__).with_name(f"dispatch.{does}"))  # beside the sources that it follows from
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    exec(compile(source, file, "exec"), space)
    return kernel(space[does])


#: Lists the options of a prompt, or settles it where there is nothing to ask: ``ask(box, s, op)``.
ask = dispatcher("ask", "box, s, op", PROMPTS)
#: The prompt is answered with a number of the catalogue: ``answer(box, s, op, action)``.
answer = dispatcher("answer", "box, s, op, action", PROMPTS)
#: What a step does that asks nobody: ``run(box, s, op)``.
run = dispatcher("run", "box, s, op", tuple(step for step in OTHERS if step.chapter))
