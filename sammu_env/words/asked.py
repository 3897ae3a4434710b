"""What is asked, and what each choice means to whoever is asked."""

from __future__ import annotations

from typing import Any

from sammu_env import actions as act
from sammu_env import constants as c
from sammu_env import steps
from sammu_env.words.cards import ashur_text, event_text, special
from sammu_env.words.effects import template_values
from sammu_env.words.names import check_language, label, name, record, road, state, table, titled, word


def action(box: Any, s: Any, number: int, lang: str) -> str:
    """What a catalogue number means to whoever is asked by state ``s``.

    Args:
        box: box record or Components (then with the titles of cards).
        s: state record, shape () or (1,).
        number: 0..N_ACTIONS-1.

    Raises:
        ValueError: unknown language, or not a number of the catalogue.
    """
    check_language(lang)
    block, index = act.block_of(int(number))
    s = state(s)
    if block == "done":
        prompt = steps.NAMES[int(s["op"][s["sp"] - 1])] if s["sp"] > 0 else "done"
        return word("done", prompt if prompt in table()["done"] else "done", lang)
    if block == "verb":
        return _verb(box, s, index, lang)
    if block == "road":
        return road(box, index, lang)
    if block == "ashur":
        return f"{titled(box, name('ashur', index, lang), lang)}: {ashur_text(box, index, lang)}"
    if block == "event":
        return f"{titled(box, name('event', index, lang), lang)}: {event_text(box, index, lang)}"
    if block == "challenge":
        return titled(box, name("challenge", index, lang), lang)
    if block == "technology":
        return f"{name(block, index, lang)} ({name('technology_text', index, lang)})"
    return name(block, index, lang)


def _verb(box: Any, s: Any, verb: int, lang: str) -> str:
    """A verb; a special action with what it does for the character who acts."""
    text, who, which = name("verb", verb, lang), int(s["active"]), verb - act.V_SPECIAL
    if which not in range(c.MAX_SPECIALS) or who < 0:
        return text
    row = record(box)["special"][who, int(s["side"][who]), which]
    return f"{name('verb', act.V_SPECIAL, lang)}: {special(row, lang)}" if row[c.C_SPECIAL] != c.SP_NONE else text


def question(box: Any, s: Any, lang: str, seat: int | None = None) -> str:
    """The question on top of the stack of state ``s``, or how the game ended.

    Args:
        seat: who reads it, and is told no card of a hidden hand; None: all.

    Raises:
        ValueError: unknown language.
    """
    check_language(lang)
    s = state(s)
    if s["result"] != c.RUNNING:
        ended = {"result": name("result", int(s["result"]), lang), "cause": name("cause", int(s["cause"]), lang)}
        return label("over", lang, **ended)
    op = int(s["op"][s["sp"] - 1]) if s["sp"] > 0 else len(steps.PROMPTS)
    if op >= len(steps.PROMPTS):
        return label("nobody", lang)
    key = steps.PROMPTS[op]
    numbers = s["arg"][s["sp"] - 1]
    values = template_values(steps.TABLE[op].arguments, numbers, box, lang)
    if op == steps.CARDS_GET and s["hidden_hands"] and seat not in numbers[:2].tolist():
        key = "cards_get_unseen"  # the card goes from hand to hand
    if key == "turn":
        who, asked = int(s["active"]), int(numbers[0])
        values["active"] = name("character", who, lang) if who >= 0 else "-"
        values["left"] = int(s["actions"][who]) if who >= 0 else 0
        values["free"] = int(s["free_actions"][asked])
    return word("prompt", key, lang).format(**values)
