"""From the step on top to the rule that it stands for, as the table in :mod:`sammu_env.steps` says."""

from __future__ import annotations

from importlib import import_module
from typing import Any

from sammu_env import actions, steps
from sammu_env.steps import Step
from sammu_env.switch import call, parameters, switch


def answered(step: Step) -> str:
    """What the rule is told of an answer, as an expression of ``action``."""
    if step.answers == ("yes",):
        return "action != actions.DONE"
    return f"action - actions.{step.answers[0].upper()}" if len(step.answers) == 1 else "action"


def dispatcher(does: str, given: str, table: tuple[Step, ...]) -> Any:
    """A kernel that calls what each step of a table does: "ask", "answer" or "run".

    Raises:
        AttributeError: the chapter has no such rule.
    """
    space: dict[str, Any] = {"__name__": __name__, "__file__": __file__, "actions": actions, "steps": steps}
    cases = {}
    for step in table:
        chapter = import_module(f"sammu_env.rules.{step.chapter}")
        short = step.chapter.rpartition(".")[2]
        space[short] = chapter
        rule = getattr(chapter, f"{does}_{step.name}")
        told = dict.fromkeys(parameters(rule), answered(step)) if does == "answer" else {}
        told |= {"box": "box", "s": "s"}
        cases[f"steps.{step.name.upper()}"] = call(f"{short}.{does}_{step.name}", rule, told)
    return switch(does, given, "op", cases, space)


PROMPTS, OTHERS = steps.TABLE[: len(steps.PROMPTS)], steps.TABLE[len(steps.PROMPTS) :]
#: Lists the options of a prompt, or settles it where there is nothing to ask: ``ask(box, s, op)``.
ask = dispatcher("ask", "box, s, op", PROMPTS)
#: The prompt is answered with a number of the catalogue: ``answer(box, s, op, action)``.
answer = dispatcher("answer", "box, s, op, action", PROMPTS)
#: What a step does that asks nobody: ``run(box, s, op)``. The machine itself halts.
run = dispatcher("run", "box, s, op", tuple(step for step in OTHERS if step.chapter))
