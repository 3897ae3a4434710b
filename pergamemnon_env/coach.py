"""Pergamemnon at a table with the real cards: its parts for :mod:`tabletop.coach`.

Cards are counted as ``"Caesar@hand 0"``: of hands, draw pile and what lies face down a seat counts its own alone. Of
other draw piles all see how many cards lie there.
A card is called by its name in English, which no two have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from pergamemnon_env import components, render, steps, words
from pergamemnon_env import constants as c
from pergamemnon_env.components import Card, Edition
from tabletop.coach import owner
from tabletop.coach.drawn import layer
from tabletop.coach.parts import Hand, Held, Scene, shown_to
from tabletop.coach.telling import FACE_DOWN
from tabletop.game import NOBODY, Record

#: Prompts whose options show a hand: who holds it sees them.
OF_A_HAND = (steps.HIRE, steps.NAME_WEAPON, steps.LAY, steps.REINFORCE, steps.DISCARD)
#: Prompts that are answered with a hand card.
WITH_A_CARD = (steps.LAY, steps.REINFORCE, steps.DISCARD)
#: Prompts of a turn that may become an attack with any hand card, and those that a card laid answers.
BEFORE_A_CARD = (steps.VERB, steps.FOE, steps.NAME_WEAPON)
LAYING = (steps.LAY, steps.REINFORCE)
#: What is done where a prompt is on top, or a step; other battle prompts and steps are ``battle``.
STAGES = {
    **dict.fromkeys((steps.VERB, steps.TURN), "turn_of"),
    **dict.fromkeys((steps.HIRE, steps.PAY, steps.SHOW), "hiring"),
    **dict.fromkeys((steps.FOE, steps.NAME_WEAPON, steps.LAY, steps.REINFORCE, steps.STRIKE), "battle"),
}


def facts(s: Record, seat: int | None) -> dict[str, int]:
    """What lies on the table, as a seat sees it; None: what all see."""
    return {name: int(n) for name, n in _facts(s, _looks(seat)) if n}


def _looks(seat: int | None) -> int:
    """Who looks, as the picture has it: at the table's phone nobody, who sees no hand."""
    return NOBODY if seat is None else seat


def _facts(s: Record, seat: int) -> Iterator[tuple[str, int]]:
    one, two = s[0], s["players"][0] == 2
    yield from _cards(np.concatenate([np.zeros(c.ARMY, int), one["display"]]), "display")
    yield "charisma@stock", one["stock"]
    for player in range(int(one["players"])):
        if one["nation"][player] >= 0:
            nation = c.NATIONS[one["nation"][player]]
            side = "player" if two else "active" if one["active"][player] else "inactive"
            yield f"nation {nation}@{side} {player}", 1
            yield f"city {nation}@{'grey' if one['weakened'][player] else 'red'} {player}", 1
        yield f"charisma@city {player}", one["charisma"][player]
        for pile in ("discard", "city", "secured"):
            yield from _cards(one[pile][player], f"{pile} {player}")
        if render.sees(seat, player):
            yield from _cards(one["hand"][player], f"hand {player}")
            yield from _cards(one["draw"][player], f"draw {player}")
        else:
            yield f"{FACE_DOWN}@draw {player}", one["draw"][player].sum()
    for name, row in zip(("attacker", "defender"), render.rows(s, seat), strict=True):
        laid = [kind for kind in row if kind is not None]
        yield from _cards(np.bincount(laid, minlength=c.KINDS), f"row {one[name]}")


def _cards(counts: Any, place: str) -> Iterator[tuple[str, int]]:
    return ((f"{components.names()[kind]}@{place}", counts[kind]) for kind in np.flatnonzero(counts))


def named(name: str, lang: str) -> str:
    """A card, a pile or a seat in words."""
    if name in components.names():
        return words.word("card", name, lang)
    head, _, rest = name.partition(" ")
    if head in ("nation", "city") and rest in c.NATIONS:
        return words.word("coach", f"{head}_card", lang, nation=words.word("nation", rest, lang))
    if rest:
        whose = words.word("label", "player", lang, n=int(rest) + 1)
        return whose if head == "player" else words.word("coach", head, lang, whose=whose)
    return words.word("coach", name, lang)


def stage(s: Record, lang: str) -> str:
    """Whose turn it is and what is done, the set-up, or how the game ended."""
    one = s[0]
    if one["to_act"] == NOBODY:
        return words.outcome(s, lang)
    if (one["op"][: one["sp"]] == steps.FIRST).any():
        return words.word("coach", "set_up", lang)
    what = STAGES.get(int(one["op"][one["sp"] - 1]), "after_battle" if one["attacker"] >= 0 else "hiring")
    return words.word("coach", what, lang, who=words.player(s, int(one["player"]), lang))


def sees(s: Record, seat: int) -> bool:
    """Whether a seat sees what another, or chance, is asked to choose from: not what shows a hand or a draw."""
    top = int(s["sp"][0]) - 1
    op = int(s["op"][0, top])
    return bool(s["arg"][0, top, 0] == seat) if op == steps.DRAW else op not in OF_A_HAND


def scene(box: Any, s: Record, told: Any, lang: str, seat: int | None) -> Scene:
    """The table of :mod:`pergamemnon_env.render`, as a seat sees it; None: what all see."""
    layers, (width, height) = render.layered(box, s, told, lang, _looks(seat))
    return {"width": width, "height": height, "layers": [layer(name, shapes) for name, shapes in layers.items()]}


def place(s: Record, action: int) -> str | None:
    """What is touched for a choice: a creature, a hand card, a seat, a pile."""
    one, asked = s[0], int(s["to_act"][0])
    if asked < 0:
        return None
    top = int(one["sp"]) - 1
    op = int(one["op"][top])
    if op == steps.HIRE:
        return f"creature {action - c.CARD - c.ARMY}"
    if op == steps.FOE:
        return f"seat {(asked + action - c.SEAT) % one['players']}"
    if op == steps.PAY:
        return f"city {asked}"
    if op == steps.SPOIL:
        return f"{'discard' if action == c.DECK else 'city'} {asked}"
    if op in WITH_A_CARD and action >= c.CARD:
        return f"hand {asked} {one['hand'][asked][: action - c.CARD].sum()}"
    return None


# Cards


def hands(box: Any, s: Record, seat: int | None, lang: str) -> list[Hand]:
    """All hands as a seat sees them. P-F2, P-F3, P-F7: who is asked could lay a card in a battle, or begin one."""
    return shown_to(seat, [list(_held(box, s, player, lang)) for player in range(int(s["players"][0]))])


def _held(box: Any, s: Record, player: int, lang: str) -> Iterator[Held]:
    one, by = s[0], [words.player(s, player, lang)]
    op, options = one["op"][one["sp"] - 1], one["option"][: one["n_options"]]
    for kind in np.repeat(np.arange(c.KINDS), one["hand"][player]).tolist():
        plays = op in BEFORE_A_CARD or (op in LAYING and c.CARD + kind in options)
        yield {"id": components.names()[kind], "title": words.card(kind, lang), "text": words.values(box, kind, lang),
               "by": by if plays and one["to_act"] == player else []}  # fmt: skip


def cards(edition: Edition, lang: str) -> list[dict[str, Any]]:
    """Every kind of card, with its values as title."""
    return [_listed(edition, card, lang) for card in components.names()]


def _listed(edition: Edition, card: str, lang: str) -> dict[str, Any]:
    kind, box = components.names().index(card), components.load(edition).box[0]
    values = words.values(box, kind, lang)
    title = values if lang == "en" else f"{words.card(kind, lang)} {values}"
    return owner.listed(card, title, _values(edition, card))


def card(edition: Edition, name: str, lang: str) -> dict[str, Any]:
    """A card with its text and its fields. ValueError: there is no such card."""
    _section(name)
    told = _listed(edition, name, lang)
    return {**told, "text": told["title"], "fields": owner.fields(_values(edition, name))}


def _values(edition: Edition, name: str) -> Card:
    found: Card = getattr(components.load(edition).content, _section(name))[name]
    return found


def _section(name: str) -> str:
    """The section of edition files that a card is in."""
    if name not in components.names():
        raise ValueError(f"there is no card {name!r}: choose one of {', '.join(components.names())}")
    kind = components.names().index(name)
    return c.NATIONS[kind // c.KINDS_OF_A_NATION] if kind < c.ARMY else "creature"


def put_right(edition: Edition, name: str, values: Mapping[str, Any]) -> None:
    """As :func:`tabletop.coach.owner.put_right`; ValueError also: no file, or no such card."""
    owner.put_right(owner.file_of(edition), (_section(name), name), values, components.with_values)


def take(edition: Edition, text: str) -> None:
    """As :func:`tabletop.coach.owner.take`; ValueError also: no file."""
    owner.take(owner.file_of(edition), text, components.with_values)
