"""What is asked and may be chosen, in words: ``data/words.toml`` put together."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from tabletop.editions import read_toml
from tabletop.game import NOBODY, Record
from tabletop.languages import LANGUAGES, check_language, listing
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env import steps
from xerxes_env.box import DATA


@lru_cache(maxsize=1)
def _words() -> dict[str, dict[str, list[str]]]:
    return read_toml(DATA / "words.toml")


def word(section: str, name: str, lang: str, /, **given: Any) -> str:
    """The words for a name, with what stands in braces filled in."""
    check_language(lang)
    text = _words()[section][name][LANGUAGES.index(lang)]
    return text.format(**given) if given else text


def listed(parts: list[str], lang: str) -> str:
    """Several things, one after the other; none: nothing."""
    return listing(parts, lang) or word("label", "nothing", lang)


def seat_name(seat: int, lang: str) -> str:
    """People count from 1."""
    return word("label", "seat", lang, n=seat + 1)


def amounts(section: str, names: tuple[str, ...], numbers: Any, lang: str) -> str:
    """How many of each: "2 wood, stone"."""
    parts = []
    for name, n in zip(names, numbers, strict=True):
        if n:
            one = word(section, name, lang)
            parts.append(one if n == 1 else f"{one}{n}" if lang == "ja" else f"{n} {one}")
    return listed(parts, lang)


def resources(numbers: Any, lang: str) -> str:
    return amounts("resource", c.RESOURCES, numbers, lang)


def place(number: int, lang: str) -> str:
    """An area, or the turn-order space."""
    return word("label", "order_space", lang) if number == c.ORDER_SPACE else word("area", c.AREAS[number], lang)


def march_card(box: Any, card: int, lang: str) -> str:
    units = amounts("unit", c.UNITS, box["march_unit"][card], lang)
    return word("label", "march_card", lang, n=card + 1, units=units)


def tax_card(box: Any, card: int, lang: str) -> str:
    unit = int(box["tax_unit"][card])
    reward = (
        word("label", "vp", lang, n=box["tax_vp"][card])
        if unit < 0
        else word("label", "each_round", lang, unit=word("unit", c.UNITS[unit], lang))
    )
    return word("label", "tax_card", lang, n=card + 1, cost=resources(box["tax_cost"][card], lang), reward=reward)


def building(box: Any, number: int, year: int, lang: str) -> str:
    """A building with its cost and what it is worth in a year, 1 to 7."""
    loss = box["building_loss"][number]
    return word("label", "building", lang, name=word("building", c.BUILDINGS[number], lang),
                cost=resources(box["building_cost"][number], lang), vp=box["building_vp"][number, year - 1],
                loss=word("label", "loss", lang, n=loss) if loss else "")  # fmt: skip


def event(box: Any, number: int, lang: str) -> str:
    """An event by what it does, with a title."""
    resource, built = int(box["event_no_resource"][number]), int(box["event_no_building"][number])
    if resource >= 0:
        title, what = c.RESOURCES[resource], word("resource", c.RESOURCES[resource], lang)
        effect = word("event", "no_resource", lang, what=what)
    elif built >= 0:
        title, what = c.BUILDINGS[built], word("building", c.BUILDINGS[built], lang)
        effect = word("event", "no_building", lang, what=what)
    elif box["event_resources"][number]:
        title, effect = "royal_heir", word("event", "any_resources", lang, n=box["event_resources"][number])
    else:
        title, effect = "levy", word("event", "any_unit", lang, n=box["event_units"][number])
    return f"{word('event', title, lang)}{'：' if lang == 'ja' else ': '}{effect}"


def asked(s: Record) -> str:
    """The name of the question on top of a state, shape (1,); "over" at the end."""
    return "over" if s["to_act"][0] == NOBODY else steps.NAMES[s["op"][0, s["sp"][0] - 1]]


def question(s: Record, lang: str) -> str:
    """What is asked now. It tells nobody's secrets."""
    name = asked(s)
    if name == "over":
        return word("question", name, lang)
    seat, about = (int(n) for n in s["arg"][0, s["sp"][0] - 1, :2])
    given: dict[str, str] = {"seat": seat_name(seat, lang)}
    if name == "push_to":
        given["area"] = place(about, lang)
    elif name == "source":
        unit = next(i for i in range(c.N_UNITS) if s["owed_unit"][0, i] > 0)
        given["unit"] = word("unit", c.UNITS[unit], lang)
    elif name == "replace_by":
        given["resource"] = word("resource", c.RESOURCES[about], lang)
    elif name == "steal":
        given["other"] = seat_name(about, lang)
    return word("question", name, lang, **given)


def action(box: Any, s: Record, number: int, lang: str) -> str:
    """What a choice means now.

    Raises:
        ValueError: there is no such choice.
    """
    check_language(lang)
    block, i = a.block_of(int(number))
    prompt = asked(s)
    if block in ("done", "power"):
        return word(block, prompt if prompt in _words()[block] else "other", lang)
    if block == "joker":
        return word("label", "joker", lang)
    if block == "area":
        return _area(box, s, i, prompt, lang)
    if block == "resource":
        return word("resource", c.RESOURCES[i], lang)
    if block == "unit":
        return word("label", "tax_unit", lang, unit=word("unit", c.UNITS[i], lang))
    if block == "seat":
        return seat_name(i, lang)
    if block == "building":
        owner = int(s["owner"][0, i])
        text = building(box, i, int(s["round"][0]), lang)
        return text if owner < 0 else word("label", "takes", lang, name=text, seat=seat_name(owner, lang))
    if block == "satrap":
        return satrap(i, lang)
    return {"march": march_card, "tax": tax_card, "event": event}[block](box, i, lang)


def _area(box: Any, s: Record, i: int, prompt: str, lang: str) -> str:
    if i == c.ORDER_SPACE:
        return place(i, lang)
    unit = word("unit", c.UNITS[box["area_unit"][i]], lang)
    if prompt == "source":
        return word("label", "from_area", lang, unit=unit, name=place(i, lang))
    given = resources(box["area_resource"][i], lang)
    text = word("label", "area", lang, name=place(i, lang), resources=given, unit=unit)
    there = int(s["worker"][0, i])
    if prompt == "place" and there >= 0:
        return word("label", "push", lang, name=text, seat=seat_name(there, lang))
    return text


def satrap(number: int, lang: str) -> str:
    """A satrap and its power."""
    name = c.SATRAPS[number]
    return word("label", "satrap", lang, name=word("area", name, lang), power=word("satrap", name, lang))


def outcome(box: Any, s: Record, lang: str) -> str:
    """Who has won, at the end."""
    n = int(s["players"][0])
    cause = word("cause", c.CAUSES[int(s["cause"][0])], lang)
    if n == 1 and s["cause"][0] != 0:
        return word("label", "lost", lang, n=box["goal"])
    first = [seat_name(seat, lang) for seat in range(n) if s["rank"][0, seat] == 1]
    if len(first) == 1:
        return word("label", "won", lang, seat=first[0], cause=cause)
    return word("label", "shared", lang, seats=listed(first, lang), cause=cause)
