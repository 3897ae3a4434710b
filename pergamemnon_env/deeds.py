"""Choices as what people do: a creature hired with all that is paid, an attack up to the card that is laid, and cards
that are discarded, each in one sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np

from pergamemnon_env import constants as c
from pergamemnon_env import render, steps, words
from tabletop import record
from tabletop.coach.parts import Deed, in_one, prompt
from tabletop.coach.words import say
from tabletop.game import Game, Record

HIRING = (steps.HIRE, steps.PAY)
ATTACKING = (steps.FOE, steps.NAME_WEAPON, steps.LAY)
#: Prompts whose answers belong to that of another: what has but one answer is not asked.
BELONGS = {
    steps.VERB: (*HIRING, *ATTACKING), steps.HIRE: HIRING, steps.PAY: HIRING, steps.FOE: ATTACKING,
    steps.NAME_WEAPON: ATTACKING, steps.DISCARD: (steps.DISCARD,),
}  # fmt: skip


def deeds(game: Game, made: Iterable[tuple[Record, int]], lang: str, seat: int | None) -> Iterator[Deed]:
    """The deeds of choices one after the other, each with its state, shape (1,), as a seat may know them."""
    for one in in_one(game, made, BELONGS):
        first, last = one[0][1], prompt(one[-1][0])
        text = ""
        if first == c.HIRE or last in HIRING:
            text = _hires(game, one, lang)
        elif last in ATTACKING and (len(one) > 1 or last != steps.LAY):
            text = _attacks(game, one, lang, seat)
        elif last == steps.LAY or (last == steps.REINFORCE and first != c.DONE):
            text = _lays(*one[0], lang, seat)
        elif last == steps.DISCARD:
            text = _discards(one, lang)
        elif last == steps.REINFORCE and first == c.DONE:
            text = _gives_up(one[0][0], lang)
        yield Deed(len(one), text)


def _hires(game: Game, one: list[tuple[Record, int]], lang: str) -> str:
    """P-H1. What has left the middle, and what lay under the city."""
    begun, (s, action) = one[0][0], one[-1]
    after, seat = record.copy(s), int(s["to_act"][0])
    game.apply(game.box, after, action)
    hired = np.flatnonzero((begun["display"][0] > 0) & (after["display"][0] == 0))
    if not len(hired):
        return ""
    paid = int(begun["charisma"][0, seat] - after["charisma"][0, seat])
    what = [say("pieces", lang, n=paid, piece=words.word("coach", "charisma", lang))] if paid else []
    if (cards := begun["city"][0, seat] - after["city"][0, seat]).any():
        what.append(render.cards(cards, lang))
    card = words.card(c.ARMY + int(hired[0]), lang)
    who = words.player(s, seat, lang)
    if not what:
        return words.word("deed", "hires", lang, who=who, card=card)
    return words.word("deed", "hires_for", lang, who=who, card=card, what=words.listing(what, lang))


def _attacks(game: Game, one: list[tuple[Record, int]], lang: str, seat: int | None) -> str:
    """P-F1, P-F2. Who is attacked and with what weapon; the card only for whoever sees it laid."""
    s, action = one[-1]
    after = record.copy(s)
    game.answer(game.box, after, action)  # type: ignore[attr-defined]
    told, who = after[0], int(s["to_act"][0])
    if told["defender"] < 0:
        return ""
    what = [words.word("weapon", c.WEAPONS[told["weapon"] - 1], lang)] if told["weapon"] else []
    if prompt(s) == steps.LAY and render.sees(seat, who):
        what.append(words.card(action - c.CARD, lang))
    foe = words.player(s, int(told["defender"]), lang)
    text = words.word("label", "attacks", lang, who=words.player(s, who, lang), foe=foe)
    return words.word("deed", "with", lang, text=text, what=words.listing(what, lang)) if what else text


def _lays(s: Record, action: int, lang: str, seat: int | None) -> str:
    """P-F2, P-F3, P-F7. The attacker's first card is named to whoever sees it laid; all after it lie open at once. What
    the rival has laid is not told: a plan could only guess it."""
    asked = int(s["to_act"][0])
    who, card = words.player(s, asked, lang), words.card(action - c.CARD, lang)
    if prompt(s) == steps.REINFORCE:
        return words.word("deed", "reinforces", lang, who=who, card=card)
    seen = render.sees(seat, asked) or asked == s["defender"][0]
    return words.word("deed", "lays" if seen else "lays_unseen", lang, who=who, card=card)


def _discards(one: list[tuple[Record, int]], lang: str) -> str:
    """P-B5."""
    cards = np.bincount([action - c.CARD for _, action in one if action != c.DONE], minlength=c.KINDS)
    if not cards.any():
        return ""
    s = one[0][0]
    who = words.player(s, int(s["to_act"][0]), lang)
    return words.word("deed", "discards", lang, who=who, what=render.cards(cards, lang))


def _gives_up(s: Record, lang: str) -> str:
    """P-F9. No card is added: what then moves does not say so."""
    who = words.player(s, int(s["to_act"][0]), lang)
    return words.word("deed", "with", lang, text=who, what=words.word("choice", "reinforce_done", lang))
