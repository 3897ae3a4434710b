"""What is asked, and what each choice means, in English and Japanese, for a seat that looks on."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import numpy as np

from pergamemnon_env import components, steps
from pergamemnon_env import constants as c
from pergamemnon_env.components import DATA
from tabletop.editions import read_toml
from tabletop.game import CHANCE, NOBODY, Record
from tabletop.languages import LANGUAGES, check_language, listing


@lru_cache(maxsize=1)
def _table() -> dict[str, dict[str, list[str]]]:
    return read_toml(DATA / "words.toml")


def word(section: str, name: str, lang: str = "en", **values: Any) -> str:
    """A word or a sentence with its values."""
    check_language(lang)
    return _table()[section][name][LANGUAGES.index(lang)].format(**values)


def card(kind: int, lang: str = "en") -> str:
    """The name of a kind of card."""
    return word("card", components.names()[kind], lang)


def player(s: Record, seat: int, lang: str = "en") -> str:
    """ "player 1 (Rome)": people count from 1."""
    called, nation = word("label", "player", lang, n=seat + 1), int(s["nation"][0, seat])
    return called if nation < 0 else f"{called} ({word('nation', c.NATIONS[nation], lang)})"


def values(box: Any, kind: int, lang: str = "en") -> str:
    """What is printed on a card: "sword 8, parries 6/6/6, charisma 3, 4 points, leader"."""
    parry = "/".join(map(str, box["defence"][kind]))
    said = [f"{word('weapon', c.WEAPONS[box['weapon'][kind]], lang)} {box['attack'][kind]}", parry]
    said += [f"{word('label', 'charisma', lang)} {box['charisma'][kind]}"]
    said += [f"{word('label', 'points', lang)} {box['points'][kind]}"]
    said += [word("skill", skill, lang) for skill in ("leader", "flee", "secure") if box[skill][kind]]
    return ", ".join(said)


def question(box: Any, s: Record, figures: Mapping[str, Any], lang: str = "en") -> str:
    """What is asked now. All of it lies open."""
    check_language(lang)
    one, asked = s[0], int(s["to_act"][0])
    if asked == NOBODY:
        return word("question", "over", lang, cause=outcome(s, lang))
    op, arg = _top(s)
    name = steps.PROMPTS[op]
    told: dict[str, Any] = {"who": player(s, arg if asked == CHANCE else asked, lang) if op != steps.SHOW else ""}
    if op == steps.PAY:
        told["owed"] = max(0, int(one["owed"]))
    if op in (steps.NAME_WEAPON, steps.LAY):
        told["foe"] = player(s, int(one["defender"]), lang)
    if op == steps.LAY:
        told["weapon"] = word("weapon", c.WEAPONS[one["weapon"] - 1], lang)
    if op == steps.REINFORCE:
        told["weapon"] = word("weapon", c.WEAPONS[box["weapon"][last_laid(s, 1 - arg)]], lang)
        told |= {"blow": figures["blow"], "guard": figures["guard"]}
    if op == steps.SPOIL:
        told["card"] = card(spoil(s), lang)
    return word("question", name, lang, **told)


def outcome(s: Record, lang: str = "en") -> str:
    """P-E4, P-E5. Who has won, with how many points, and how the game ended."""
    check_language(lang)
    one, seats = s[0], range(int(s["players"][0]))
    first = [seat for seat in seats if one["place"][seat] == 1]
    points = int(one["points"][first[0]])
    tied = sum(one["points"][seat] == points for seat in seats) > 1
    how = "shared" if len(first) > 1 else "strongest" if tied else "won"
    cause = word("cause", c.CAUSES[one["cause"]], lang)
    who = listing([player(s, seat, lang) for seat in first], lang)
    return word("outcome", how, lang, who=who, points=f"{points / 2:g}", cause=cause)


def choice(box: Any, s: Record, action: int, lang: str = "en") -> str:
    """What a choice of the catalogue means now: it follows from the choice and from what lies open."""
    check_language(lang)
    asked = int(s["to_act"][0])
    op = _top(s)[0] if asked != NOBODY else -1
    if action in (c.HIRE, c.ATTACK):
        return word("choice", "hire" if action == c.HIRE else "attack", lang)
    if action == c.DONE:
        names = {steps.REINFORCE: "reinforce_done", steps.DISCARD: "discard_done"}
        return word("choice", names.get(op, "done"), lang)
    if action < c.SEAT:
        return word("weapon", c.WEAPONS[action - c.WEAPON], lang)
    if action < c.CHARISMA:
        players, seat = int(s["players"][0]), max(0, asked) + action - c.SEAT
        return player(s, seat % players if action - c.SEAT < players else action - c.SEAT, lang)
    if action == c.CHARISMA:
        return word("choice", "charisma", lang)
    if action == c.DECK:
        return word("choice", "deck", lang)
    if action == c.CITY:
        return word("choice", "city", lang, charisma=box["charisma"][spoil(s)] if op == steps.SPOIL else "")
    if action < c.NATION:
        return f"{card(action - c.CARD, lang)} ({values(box, action - c.CARD, lang)})"
    return word("nation", c.NATIONS[action - c.NATION], lang)


def last_laid(s: Record, side: int) -> int:
    """The kind of the card that a side laid last."""
    return int(s["row"][0, side, s["laid"][0, side] - 1]) - 1


def spoil(s: Record) -> int:
    """The kind of the card that is being divided."""
    row = s["row"][0, _top(s)[1]]
    return int(row[np.flatnonzero(row)[0]]) - 1


def _top(s: Record) -> tuple[int, int]:
    """The prompt on top and its argument."""
    i = int(s["sp"][0]) - 1
    return int(s["op"][0, i]), int(s["arg"][0, i, 0])
