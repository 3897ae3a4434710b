"""Choices as what people do: a card or a building with all that is paid for it and what others lose by it, resources
that are gained or taken, and a new turn order, each in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from tabletop.coach.parts import Deed, in_one, prompt
from tabletop.game import Game, Record
from xerxes_env import actions, steps, words
from xerxes_env import constants as c
from xerxes_env.words import listed, place, seat_name, word

PAYING = (steps.REPLACE, steps.REPLACE_BY)
TAKING = (steps.STEAL_FROM, steps.STEAL)
#: Prompts whose answers belong to that of another: what has but one answer is not asked.
BELONGS = {
    steps.PLACE: (steps.PUSH_TO,), steps.MARCH: (steps.SOURCE, steps.HURT),
    steps.BUILD: (*PAYING, *TAKING, steps.HURT), steps.TAX: (*PAYING, *TAKING), steps.STEAL_FROM: (steps.STEAL,),
    steps.GAIN: (steps.GAIN,), steps.REARRANGE: (steps.NEXT_PLACE,), steps.NEXT_PLACE: (steps.NEXT_PLACE,),
}  # fmt: skip
#: What a card or a building that is chosen begins.
BEGINS = {steps.MARCH: "marches", steps.BUILD: "builds", steps.TAX: "taxes"}


def deeds(game: Game, made: Iterable[tuple[Record, int]], lang: str) -> Iterator[Deed]:
    """The deeds of choices one after the other, each with its state, shape (1,). Those that show a hand are seen by
    whoever is told of them."""
    for one in in_one(game, made, BELONGS):
        yield Deed(len(one), _text(game.box[int(one[0][0]["box"][0])], one, lang))


def _text(box: Any, one: list[tuple[Record, int]], lang: str) -> str:
    """The sentence; empty: the choices say enough by what they move."""
    (s, first), (then, last) = one[0], one[-1]
    who, begins, ends = seat_name(int(s["to_act"][0]), lang), prompt(s), prompt(then)
    top = then["arg"][0, then["sp"][0] - 1]
    if ends == steps.PUSH_TO:
        return word("deed", "pushes", lang, who=who, area=place(int(top[1]), lang),
                    to=place(last - actions.AREA, lang))  # fmt: skip
    if ends == steps.STEAL:
        what = word("resource", c.RESOURCES[last - actions.RESOURCE], lang)
        return word("deed", "takes", lang, who=who, what=what, other=seat_name(int(top[1]), lang))
    if ends == steps.NEXT_PLACE:
        order = [*then["new_order"][0, : top[1]].tolist(), last - actions.SEAT]
        left = [seat for seat in range(int(s["players"][0])) if seat not in order]
        order += left if len(left) == 1 else []  # who is not asked for
        return word("deed", "orders", lang, who=who, what=listed([seat_name(seat, lang) for seat in order], lang))
    if begins == steps.GAIN:
        gained = np.bincount([action - actions.RESOURCE for _, action in one], minlength=c.N_RESOURCES)
        return word("deed", "gains", lang, who=who, what=words.resources(gained, lang))
    if begins in BEGINS and first not in (actions.DONE, actions.POWER):
        what = listed([words.action(box, s, first, lang), *_parts(box, one[1:], lang)], lang)
        return word("deed", BEGINS[begins], lang, who=who, what=what)
    return ""


def _parts(box: Any, one: list[tuple[Record, int]], lang: str) -> Iterator[str]:
    """What is paid, and what others lose. X-M2, X-S4, X-M5, X-B5."""
    losses: Counter[int] = Counter()
    for s, action in one:
        if prompt(s) == steps.SOURCE:
            yield words.action(box, s, action, lang)
        elif prompt(s) == steps.REPLACE_BY:
            other = word("resource", c.RESOURCES[s["arg"][0, s["sp"][0] - 1, 1]], lang)
            yield word("deed", "instead", lang, one=words.action(box, s, action, lang), other=other)
        elif prompt(s) == steps.HURT:
            losses[action - actions.SEAT] += 1
    for seat, n in losses.items():
        yield word("deed", "loses", lang, seat=seat_name(seat, lang), n=n)
