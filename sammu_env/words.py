"""Every word shown to people, in English and Japanese: names, choices, questions, card texts and challenge sheets.

The words themselves are ``data/words.toml``; this module only puts them together. Wherever a function takes ``box``, a
box record or the :class:`~sammu_env.components.Components` that holds it will do; titles of cards are known only
to the latter.
"""

from __future__ import annotations

import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from sammu_env import actions as act
from sammu_env import constants as c
from sammu_env import steps

if sys.version_info >= (3, 11):
    import tomllib
else:
    import tomli as tomllib

LANGUAGES = ("en", "ja")

#: The blocks of ``words.toml`` whose entries are numbered, with the keys in the order of their numbers.
KEYS: dict[str, tuple[str, ...]] = {
    "location": c.LOCATIONS,
    "area": c.AREAS,
    "character": c.CHARACTERS,
    "side": c.SIDES,
    "status": c.STATUS,
    "group": c.GROUPS,
    "good": c.GOODS,
    "token": c.KINDS,
    "marker": c.MARKERS,
    "technology": c.TECHNOLOGIES,
    "technology_text": c.TECHNOLOGIES,
    "short_marker": c.MARKERS,
    "short_technology": c.TECHNOLOGIES,
    "short_character": c.CHARACTERS,
    "verb": act.VERBS,
    "stage": c.STAGES,
    "result": c.RESULTS,
    "cause": c.CAUSES,
    "ability": c.ABILITIES,
    "special": c.SPECIALS,
    "effect": c.EFFECTS,
    "condition": c.CONDITIONS,
    "prompt": steps.PROMPTS,
}

#: Of which block the number of a sort is.
_BLOCK_OF = {
    "kind": "token",
    "area": "area",
    "location": "location",
    "character": "character",
    "good": "good",
    "marker": "marker",
    "verb": "verb",
    "group": "group",
}
#: Where "any number" of tokens begins on a character's card.
_ANY_NUMBER = 20


@cache
def table() -> dict[str, dict[str, list[str]]]:
    """All of ``words.toml``: block -> key -> [English, Japanese(, English plural)]."""
    return tomllib.loads((Path(__file__).parent / "data" / "words.toml").read_text(encoding="utf-8"))


def check_language(lang: str) -> None:
    """Raises:
    ValueError: not a language there are words in.
    """
    if lang not in LANGUAGES:
        raise ValueError(f"language {lang!r}: choose one of {', '.join(LANGUAGES)}")


def word(block: str, key: str, lang: str, n: int = 1) -> str:
    """One entry of ``words.toml``; in English the plural where ``n`` is not 1 and there is one.

    Raises:
        ValueError: unknown language, block or key.
    """
    check_language(lang)
    try:
        forms = table()[block][key]
    except KeyError:
        raise ValueError(f"no word for {block!r} {key!r}") from None
    if lang == "en" and n not in (1, -1) and len(forms) > 2:
        return forms[2]
    return forms[LANGUAGES.index(lang)]


def label(key: str, lang: str, **values: Any) -> str:
    """A word of the block "label" with its places filled."""
    if "n" in values and isinstance(values["n"], int):
        values.setdefault("s", "" if values["n"] in (1, -1) else "s")
    return word("label", key, lang).format(**values)


def name(block: str, index: int, lang: str) -> str:
    """Name of a numbered thing.

    Args:
        block: a block of the catalogue (:data:`sammu_env.actions.BLOCKS`) or a key of :data:`KEYS`, or "zone".
        index: its number in that block, from 0.
        lang: "en" or "ja".

    Raises:
        ValueError: unknown language, block or number; and roads, which only the box can name (see :func:`action`).
    """
    check_language(lang)
    if block == "zone":
        return zone(index, lang)
    sizes = {**dict(act.BLOCKS), **{key: len(names) for key, names in KEYS.items()}}
    if block not in sizes:
        raise ValueError(f"block {block!r}: choose one of {', '.join(sorted(sizes))}")
    if not 0 <= index < sizes[block]:
        raise ValueError(f"{block} {index} is not in 0..{sizes[block] - 1}")
    if block in KEYS:
        return word(block, KEYS[block][index], lang)
    if block == "road":
        raise ValueError("a road's name needs the box: use road(box, index, lang)")
    if block == "done":
        return word("done", "done", lang)
    if block in ("player", "month"):
        return label(block, lang, n=index + 1)
    first = {"ashur": c.ASHUR_FIRST, "event": c.EVENT_FIRST, "challenge": c.CHALLENGE_FIRST}[block]
    return f"SAM-{first + index:03d}"


def zone(index: int, lang: str) -> str:
    """Name of a zone: an area (0-9), Damascus (10) or Sardes (11)."""
    if index < len(c.AREAS):
        return name("area", index, lang)
    return word("zone", c.ZONES[index], lang)


def road(box: Any, index: int, lang: str) -> str:
    """A road by its two ends; "-" where the edition has no road of that number."""
    box = record(box)
    if index >= int(box["roads"]):
        return "-"
    return "–".join(name("location", int(end), lang) for end in box["road_end"][index])


def record(box: Any) -> Any:
    """The box record itself (shape ()), whether given as such, in an array of one, or inside Components."""
    box = getattr(box, "box", box) if not hasattr(box, "dtype") else box
    return box[0] if getattr(box, "shape", ()) else box


def state(s: Any) -> Any:
    """The state record itself (shape ()), whether given as such or in an array of one."""
    return s[0] if getattr(s, "shape", ()) else s


def title(components: Any, card_id: str, lang: str) -> str:
    """Printed title of a card, or "" when all that is at hand is a box record."""
    find = getattr(components, "title", None)
    found = str(find(card_id, lang)) if find else ""
    return "" if found == card_id else found


def _titled(components: Any, card_id: str, lang: str) -> str:
    return f"{card_id} {title(components, card_id, lang)}".rstrip()


def count(n: int, block: str, index: int, lang: str) -> str:
    """A number of things: "2 diviners", 「巫術師2」."""
    noun = word(block, KEYS[block][index], lang, n)
    return f"{n} {noun}" if lang == "en" else f"{noun}{n}"


def listing(items: list[str], lang: str) -> str:
    """Items one after the other, or "none"."""
    return (", " if lang == "en" else "、").join(items) or label("none", lang)


def _counts(numbers: Any, block: str, lang: str) -> list[str]:
    return [count(int(n), block, i, lang) for i, n in enumerate(numbers) if n]


# Templates


def _values(sorts: Mapping[str, str], numbers: Any, box: Any, lang: str) -> dict[str, Any]:
    """What the places of a template stand for, from the numbers of a row or a frame."""
    plain = {key: int(number) for key, number in zip(sorts, numbers, strict=False)}
    values = {key: _value(sorts[key], number, box, lang) for key, number in plain.items()}
    n = plain.get("n", 1)
    for key, block in (("kind", "token"), ("marker", "marker"), ("group", "group")):
        if plain.get(key, -1) >= 0:
            number = n if key == "kind" else 2
            values[key + "s"] = word(block, KEYS[block][plain[key]], lang, number)
    values["s"] = "" if n in (1, -1) else "s"
    values["enemies"] = word("label", "enemy", lang) if n == 1 else word("label", "enemies", lang).lower()
    return values


def _value(sort: str, number: int, box: Any, lang: str) -> Any:
    if sort in _BLOCK_OF:
        return name(_BLOCK_OF[sort], number, lang) if number >= 0 else label("any_area", lang)
    if sort == "zone":
        return zone(number, lang) if number >= 0 else label("any_area", lang)
    if sort == "seat":
        return label("player", lang, n=number + 1)
    if sort == "card":
        return _titled(box, name("ashur", number, lang), lang)
    if sort == "event":
        return _titled(box, name("event", number, lang), lang)
    if sort == "letter":
        return "ABCDE"[number] if number >= 0 else "A-E"
    if sort == "month":
        return number + 1
    if sort == "at" and number >= 0:
        far = number - len(c.LOCATIONS)
        return name("location", number, lang) if far < 0 else label("farthest", lang, area=name("area", far, lang))
    if sort == "several":
        return listing([name("area", a, lang) for a in range(len(c.AREAS)) if number >> a & 1], lang)
    return number


def effect(box: Any, row: Any, lang: str) -> str:
    """What one row (effect, a, b, c) of a program does, or "" for an empty row."""
    return _row("effect", c.EFFECT_ROWS, box, row, lang)


def _row(block: str, rows: tuple[c.Row, ...], box: Any, row: Any, lang: str) -> str:
    """A row in words: those for what one of its fields says (``pay_each_draw``), if there are any."""
    number, *numbers = (int(v) for v in row)
    if number == 0:
        return ""
    key, fields = rows[number]
    special = [f"{key}_{_said(field, n)}" for field, n in zip(fields, numbers, strict=False)]
    found = next((x for x in special if x in table()[block]), key)
    values = _values({field.name: field.sort for field in fields}, numbers, box, lang)
    return word(block, found, lang).format(**values)


def _said(field: c.Field, number: int) -> str:
    """The name that the number of a field stands for; "any" for 0 or 1 area, "nowhere" for no place; else nothing."""
    names = c.NAMED.get(field.sort, ())
    if 0 <= number < len(names):
        return names[number]
    if field.sort == "areas" and number <= 1:
        return "any"
    if field.sort == "at" and number < 0:
        return "nowhere"
    return next((word for word, n in c.WORDS.items() if n == number and word in field.allowed.split("|")), "")


def program(box: Any, rows: Any, lang: str) -> list[str]:
    """Every line of a program of effects, in order."""
    return [text for text in (effect(box, row, lang) for row in rows) if text]


def condition(box: Any, row: Any, lang: str) -> str:
    """What one row of a win condition asks, or "" for an empty row."""
    return _row("condition", c.CONDITION_ROWS, box, row, lang)


# Choices and questions


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
        return f"{_titled(box, name('ashur', index, lang), lang)}: {ashur_text(box, index, lang)}"
    if block == "event":
        return f"{_titled(box, name('event', index, lang), lang)}: {event_text(box, index, lang)}"
    if block == "challenge":
        return _titled(box, name("challenge", index, lang), lang)
    if block == "technology":
        return f"{name(block, index, lang)} ({name('technology_text', index, lang)})"
    return name(block, index, lang)


def _verb(box: Any, s: Any, verb: int, lang: str) -> str:
    """A verb; a special action with what it does for the character who acts."""
    text, who = name("verb", verb, lang), int(s["active"])
    if verb not in (act.V_SPECIAL, act.V_SPECIAL_COMMAND, act.V_SPECIAL_DRAW) or who < 0:
        return text
    rows = record(box)["special"][who, int(s["side"][who])]
    wanted = {act.V_SPECIAL_COMMAND: c.SP_COMMAND, act.V_SPECIAL_DRAW: c.SP_DRAW}.get(verb, int(rows[0][c.C_SPECIAL]))
    for row in rows:
        if row[c.C_SPECIAL] == wanted != c.SP_NONE:
            return f"{name('verb', act.V_SPECIAL, lang)}: {special(row, lang)}"
    return text


def question(box: Any, s: Any, lang: str) -> str:
    """The question on top of the stack of state ``s``, or how the game ended.

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
    values = _values(steps.TABLE[op].arguments, numbers, box, lang)
    if key == "turn":
        who, seat = int(s["active"]), int(numbers[0])
        values["active"] = name("character", who, lang) if who >= 0 else "-"
        values["left"] = int(s["actions"][who]) if who >= 0 else 0
        values["free"] = int(s["free_actions"][seat])
    return word("prompt", key, lang).format(**values)


# Cards


def ashur_text(box: Any, index: int, lang: str) -> str:
    """Cost and gain of an Ashur card (0-99) in one line."""
    box = record(box)
    cost = _counts(box["card_goods"][index], "good", lang)
    bag = _counts(box["card_marker"][index], "marker", lang)
    if bag:
        cost.append(label("into_bag", lang, what=listing(bag, lang)))
    parts = [f"{label('cost', lang)} {listing(cost, lang)}" if cost else f"{label('cost', lang)} {label('free', lang)}"]
    return (" / " if lang == "en" else "／").join(parts + _gains(box, index, lang))


def _gains(box: Any, index: int, lang: str) -> list[str]:
    gains = []
    plain = listing(_counts(box["card_token"][index], "token", lang), lang)
    area = int(box["card_area"][index])
    if area >= 0 and box["card_favoured"][index].any():
        best = listing(_counts(box["card_favoured"][index], "token", lang), lang)
        where = label("in_area", lang, area=name("area", area, lang))
        gains.append(f"{where} {best}, {label('elsewhere', lang)} {plain}" if lang == "en"
                     else f"{where}{best}、{label('elsewhere', lang)}{plain}")  # fmt: skip
    elif box["card_token"][index].any():
        gains.append(f"{label('gain', lang)} {plain}")
    if box["card_gain"][index].any():
        gains.append(f"{label('gain', lang)} {listing(_counts(box['card_gain'][index], 'good', lang), lang)}")
    technology = int(box["card_technology"][index])
    if technology >= 0:
        gains.append(f"{name('technology', technology, lang)} ({name('technology_text', technology, lang)})")
    return gains


def event_text(box: Any, index: int, lang: str) -> str:
    """Area, banner and text of an event (0-62) in one line."""
    rec = record(box)
    area = int(rec["event_area"][index])
    lines = program(box, rec["event_banner"][index], lang) + program(box, rec["event_text"][index], lang)
    head = f"[{name('area', area, lang)}] " if area >= 0 else ""
    return head + (("; " if lang == "en" else "。").join(lines) or label("none", lang))


def special(row: Any, lang: str) -> str:
    """A special action (a row of ``box.special``): what it costs and what it does."""
    row = [int(v) for v in row]
    key, gain_n = c.SPECIALS[row[c.C_SPECIAL]], row[c.C_TO_N]
    values: dict[str, Any] = {"n": gain_n, "steps": row[c.C_REACH]}
    values["diviners"] = count(gain_n, "token", c.DIVINER, "en")
    if key == "exchange":
        values["gain"] = count(gain_n, "token", row[c.C_TO], lang)
        if row[c.C_FROM] >= 0:
            key, values["lose"] = "exchange_from", count(row[c.C_FROM_N], "token", row[c.C_FROM], lang)
    elif key == "draw" and row[c.C_REACH]:
        key = "draw_anyone"
    elif key == "summon" and not row[c.C_REACH]:
        key = "summon_here"
    cost = [label("cards_cost", lang, n=row[c.C_CARDS])] if row[c.C_CARDS] else []
    cost += [label("goods_any", lang, n=row[c.C_GOODS])] if row[c.C_GOODS] else []
    text = word("special", key, lang).format(**values)
    return f"{listing(cost, lang)}: {text}" if cost else text


def abilities(box: Any, character: int, side: int, lang: str) -> list[str]:
    """Standing abilities of a character's side, in words."""
    texts = []
    for i, n in enumerate(int(v) for v in record(box)["ability"][character, side]):
        if n:
            key = c.ABILITIES[i]
            if n >= _ANY_NUMBER and i in (c.A_CARRY, c.A_MILITARY_ONLY):
                key += "_any"
            texts.append(word("ability", key, lang).format(n=n))
    return texts


def _character_card(components: Any, index: int, lang: str) -> str:
    box = record(components)
    lines = [f"SAM-{index + 1:03d} {name('character', index, lang)}"]
    home, good = int(box["home"][index]), int(box["start_good"][index])
    if home >= 0:
        start = f" ({name('good', good, lang)})" if good >= 0 else ""
        lines.append(f"{label('home', lang)}: {name('area', home, lang)}{start}")
    if index == c.BAILEET:  # nobody plays her: her sides are words, not abilities
        sides = components.text(lines[0].split()[0], lang).splitlines() if hasattr(components, "text") else []
        return "\n".join([*lines, *(f"{letter}: {text}" for letter, text in zip("AB", sides, strict=False))])
    for side in range(len(c.SIDES)):
        texts = [f"{label('ability', lang)}: {text}" for text in abilities(box, index, side, lang)]
        texts += [
            f"{label('action', lang)}: {special(row, lang)}"
            for row in box["special"][index, side]
            if row[c.C_SPECIAL] != c.SP_NONE
        ]
        if texts:
            lines += [f"{name('side', side, lang)}:", *(f"  {text}" for text in texts)]
    return "\n".join(lines)


def _event_card(components: Any, index: int, lang: str) -> str:
    box = record(components)
    area = int(box["event_area"][index])
    lines = [_titled(components, name("event", index, lang), lang)]
    if area >= 0:
        lines.append(name("area", area, lang))
    lines += [f"{label('banner', lang)}: {text}" for text in program(components, box["event_banner"][index], lang)]
    lines += [f"{label('text', lang)}: {text}" for text in program(components, box["event_text"][index], lang)]
    return "\n".join(lines)


def card_number(card_id: str) -> int:
    """1-198 for "SAM-001" to "SAM-198".

    Raises:
        ValueError: no such card.
    """
    number = int(card_id[4:]) if card_id[:4].upper() == "SAM-" and card_id[4:].isdecimal() else 0
    if not 1 <= number < c.CHALLENGE_FIRST + c.N_CHALLENGES:
        raise ValueError(f"card {card_id!r}: there are SAM-001 to SAM-{c.CHALLENGE_FIRST + c.N_CHALLENGES - 1}")
    return number


def card(components: Any, card_id: str, lang: str) -> str:
    """Full text of any card of the box, composed from the data: several lines.

    Raises:
        ValueError: unknown language or card.
    """
    check_language(lang)
    number = card_number(card_id)
    if number < c.EVENT_FIRST:
        return _character_card(components, number - 1, lang)
    if number < c.ASHUR_FIRST:
        return _event_card(components, number - c.EVENT_FIRST, lang)
    if number < c.CHALLENGE_FIRST:
        index = number - c.ASHUR_FIRST
        return f"{_titled(components, name('ashur', index, lang), lang)}\n{ashur_text(components, index, lang)}"
    return rules(components, card_id, lang)


# Challenges


def rules(components: Any, card_id: str, lang: str) -> str:
    """A challenge's sheet: title, win condition, monthly effects and setup, several lines.

    Raises:
        ValueError: unknown language, or not a challenge card.
    """
    check_language(lang)
    index = card_number(card_id) - c.CHALLENGE_FIRST
    if index < 0:
        raise ValueError(f"card {card_id!r} is no challenge: those are SAM-179 to SAM-198")
    box = record(components)
    letter = "ABCDE"[int(box["challenge_letter"][index])]
    lines = [f"{_titled(components, name('challenge', index, lang), lang)} ({letter})", goal(components, index, lang)]
    lines += [label("effects", lang) + ":", *_monthly(components, index, lang)]
    lines += [label("setup", lang) + ":", *(f"  {text}" for text in _setup(box, index, lang))]
    return "\n".join(lines)


def goal(components: Any, index: int, lang: str) -> str:
    """What wins a challenge, 0 to 19: a line for each condition."""
    wins = (condition(components, row, lang) for row in record(components)["condition"][index])
    return "\n".join([label("win", lang) + ":", *(f"  - {text}" for text in wins if text)])


def _monthly(components: Any, index: int, lang: str) -> list[str]:
    """One line a month, months with the same effect together as on the card."""
    spans: list[tuple[int, int, str]] = []
    for month in range(1, c.MAX_MONTHS + 1):
        text = listing(program(components, record(components)["monthly"][index, month], lang), lang)
        if month > 2 and spans and spans[-1][2] == text:
            spans[-1] = (spans[-1][0], month, text)
        else:
            spans.append((month, month, text))
    lines = []
    for first, last, text in spans:
        if first == 1:
            if text != label("none", lang):
                lines.append(f"  {label('campaign_month', lang)}: {text}")
            continue
        head = label("month", lang, n=first) if first == last else label("months_range", lang, n=f"{first}-{last}")
        lines.append(f"  {head}: {text}")
    return lines


def _setup(box: Any, index: int, lang: str) -> list[str]:
    lines = []
    for area in range(len(c.AREAS)):
        parts = [label("gate", lang)] if box["setup_gate"][index, area] else []
        parts += _counts(box["setup_token"][index, area], "token", lang)
        if parts:
            lines.append(f"{name('area', area, lang)}: {listing(parts, lang)}")
    enemies = [*box["setup_enemy"][index], *box["setup_enemy_area"][index]]
    for key, row in (("enemies_at", enemies), ("unrest_at", box["setup_unrest"][index]),
                     ("plague_at", box["setup_plague"][index])):  # fmt: skip
        places = [f"{_value('at', i, box, lang)} {int(n)}" for i, n in enumerate(row) if n]
        if places:
            lines.append(f"{label(key, lang)}: {listing(places, lang)}")
    bag = _counts(box["setup_bag"][index], "marker", lang)
    lines.append(f"{label('bag', lang)}: {listing(bag, lang) if bag else label('empty', lang)}")
    for who, where in enumerate(int(v) for v in box["setup_character"][index]):
        if where >= 0:
            block, i = ("location", where) if where < len(c.LOCATIONS) else ("area", where - len(c.LOCATIONS))
            values = {"character": name("character", who, lang), "location": name(block, i, lang)}
            lines.append(label("starts", lang, **values))
    if box["setup_oracle"][index]:
        lines.append(label("oracle", lang))
    return lines
