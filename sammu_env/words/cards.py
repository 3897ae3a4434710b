"""What is printed on cards: Ashur cards, events, characters and challenge sheets."""

from __future__ import annotations

from typing import Any

from sammu_env import constants as c
from sammu_env.words.effects import condition, program, template_value
from sammu_env.words.names import check_language, count, counts, label, listing, name, record, table, titled, word, zone

#: Where "any number" of tokens begins on a character's card.
_ANY_NUMBER = 20


def ashur_text(box: Any, index: int, lang: str) -> str:
    """Cost and gain of an Ashur card (0-99) in one line."""
    box = record(box)
    cost = counts(box["card_goods"][index], "good", lang)
    bag = counts(box["card_marker"][index], "marker", lang)
    if bag:
        cost.append(label("into_bag", lang, what=listing(bag, lang)))
    parts = [f"{label('cost', lang)} {listing(cost, lang)}" if cost else f"{label('cost', lang)} {label('free', lang)}"]
    return (" / " if lang == "en" else "／").join(parts + _gains(box, index, lang))


def _gains(box: Any, index: int, lang: str) -> list[str]:
    gains = []
    plain = listing(counts(box["card_token"][index], "token", lang), lang)
    area = int(box["card_area"][index])
    if area >= 0 and box["card_favoured"][index].any():
        best = listing(counts(box["card_favoured"][index], "token", lang), lang)
        where = label("in_area", lang, area=name("area", area, lang))
        gains.append(f"{where} {best}, {label('elsewhere', lang)} {plain}" if lang == "en"
                     else f"{where}{best}、{label('elsewhere', lang)}{plain}")  # fmt: skip
    elif box["card_token"][index].any():
        gains.append(f"{label('gain', lang)} {plain}")
    if box["card_gain"][index].any():
        gains.append(f"{label('gain', lang)} {listing(counts(box['card_gain'][index], 'good', lang), lang)}")
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
    number, goods, cards, *numbers = (int(v) for v in row)
    key, fields = c.SPECIAL_ROWS[number]
    said = dict(zip((field.name for field in fields), numbers, strict=False))
    values: dict[str, Any] = {**said, "diviners": count(said.get("n", 0), "token", c.DIVINER, "en")}
    if "get" in said:
        values["gain"] = count(said["get_n"], "token", said["get"], lang)
    if said.get("give", -1) >= 0:
        values["lose"] = count(said["give_n"], "token", said["give"], lang)
    variants = (f"{key}_{name}" for name, n in said.items() if n > (-1 if name == "give" else 0))
    text = word("special", next((x for x in variants if x in table()["special"]), key), lang).format(**values)
    cost = [label("cards_cost", lang, n=cards)] if cards else []
    cost += [label("goods_any", lang, n=goods)] if goods else []
    return f"{listing(cost, lang)}: {text}" if cost else text


def abilities(box: Any, character: int, side: int, lang: str) -> list[str]:
    """Standing abilities of a character's side, in words."""
    texts = []
    for i, n in enumerate(int(v) for v in record(box)["ability"][character, side]):
        if n:
            key = c.ABILITIES[i]
            values: dict[str, Any] = {"n": n}
            if n >= _ANY_NUMBER and i in (c.A_CARRY, c.A_MILITARY_ONLY):
                key += "_any"
            elif i == c.A_SEA_ROUTES:
                key, values = f"{key}_of_box", {"sea": _sea(box, lang)}
            texts.append(word("ability", key, lang).format(**values))
    return texts


def _sea(box: Any, lang: str) -> str:
    """Where the sea leads: zones whose every location lies by it, and single locations."""
    box = record(box)
    names = []
    for at in range(len(c.ZONES)):
        members = [int(i) for i in box["zone_location"][at, : box["zone_n"][at]]]
        by_sea = [i for i in members if box["sea"][i]]
        names += [zone(at, lang)] if by_sea == members else [name("location", i, lang) for i in by_sea]
    return listing(names, lang)


def _character_card(components: Any, index: int, lang: str) -> str:
    box = record(components)
    lines = [f"{c.card_id(c.CHARACTER_FIRST + index)} {name('character', index, lang)}"]
    home, good = int(box["home"][index]), int(box["start_good"][index])
    if home >= 0:
        start = f" ({name('good', good, lang)})" if good >= 0 else ""
        lines.append(f"{label('home', lang)}: {name('area', home, lang)}{start}")
    if index == c.BAILEET:  # nobody plays her: all that her sides do is a rule, but for a number
        defence = int(box["ability"][index, c.SIDE_B, c.A_DEFENCE])
        sides = (label("baileet_a", lang), label("baileet_b", lang, n=defence))
        return "\n".join([*lines, *(f"{letter}: {text}" for letter, text in zip("AB", sides, strict=True))])
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
    lines = [titled(components, name("event", index, lang), lang)]
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
        return f"{titled(components, name('ashur', index, lang), lang)}\n{ashur_text(components, index, lang)}"
    return rules(components, card_id, lang)


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
    lines = [f"{titled(components, name('challenge', index, lang), lang)} ({letter})", goal(components, index, lang)]
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
        parts += counts(box["setup_token"][index, area], "token", lang)
        if parts:
            lines.append(f"{name('area', area, lang)}: {listing(parts, lang)}")
    enemies = [*box["setup_enemy"][index], *box["setup_enemy_area"][index]]
    for key, row in (("enemies_at", enemies), ("unrest_at", box["setup_unrest"][index]),
                     ("plague_at", box["setup_plague"][index])):  # fmt: skip
        places = [f"{template_value('at', i, box, lang)} {int(n)}" for i, n in enumerate(row) if n]
        if places:
            lines.append(f"{label(key, lang)}: {listing(places, lang)}")
    bag = counts(box["setup_bag"][index], "marker", lang)
    lines.append(f"{label('bag', lang)}: {listing(bag, lang) if bag else label('empty', lang)}")
    for who, where in enumerate(int(v) for v in box["setup_character"][index]):
        if where >= 0:
            block, i = ("location", where) if where < len(c.LOCATIONS) else ("area", where - len(c.LOCATIONS))
            values = {"character": name("character", who, lang), "location": name(block, i, lang)}
            lines.append(label("starts", lang, **values))
    if box["setup_oracle"][index]:
        lines.append(label("oracle", lang))
    return lines
