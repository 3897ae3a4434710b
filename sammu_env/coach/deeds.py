"""Choices as what people do: a move with all that is carried, or an action with all that it asks, in one sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from sammu_env import actions, steps, words
from tabletop import record
from tabletop.coach.parts import Deed
from tabletop.game import Game, Record

#: Verbs with a sentence of their own: it names where somebody goes, and what comes along.
GOING = {actions.V_MOVE: "goes", actions.V_ATTACK: "attacks"}
#: Prompts of them: whether the answer itself says where to, or the third argument of what is asked.
WHERE = {steps.MOVE: True, steps.ATTACK: True, steps.LOAD: False, steps.ARMY: False, steps.JOIN: False}
#: Prompts that are no part of an action, and their sentences.
ALONE = {steps.CONSULT: "consults", steps.FIRST_PLAYER: "goes_first"}
#: A good that is taken as tax: who receives it belongs to it.
TAKEN = Deed(1, "")


class _Action:
    """An action of a character, and what was answered to all that it asked."""

    def __init__(self, s: Record, verb: int, said: str, lang: str) -> None:
        self.begun, self.who, self.verb, self.said, self.lang = s, _active(s, lang), verb, said, lang
        self.where, self.answers = "", list[str]()
        self.n = 1

    def goes_where_it_must(self, game: Game) -> None:
        """Where there is but one place to go, and nothing to take along, nothing is asked."""
        after, who = record.copy(self.begun), int(self.begun["active"][0])
        game.apply(game.box, after, self.verb + actions.VERB)
        there = int(after["location"][0, who])
        if self.verb == actions.V_MOVE and there not in (-1, self.begun["location"][0, who]):  # -1: gone since
            self.where = words.name("location", there, self.lang)

    def answered(self, s: Record, choice: int, said: str) -> None:
        """What it asked, and was told; answers that only end something say nothing."""
        self.n += 1
        op, top = int(s["op"][0, s["sp"][0] - 1]), int(s["sp"][0]) - 1
        if self.verb in GOING and op in WHERE and not self.where:
            self.where = said if WHERE[op] else words.name("location", int(s["arg"][0, top, 2]), self.lang)
            if WHERE[op]:
                return
        if op == steps.JOIN and choice != actions.DONE:
            said = words.name("character", int(s["arg"][0, top, steps.CHARACTER[op]]), self.lang)
        if choice != actions.DONE:
            self.answers.append(said)

    def deed(self) -> Deed:
        if self.where:
            key = GOING[self.verb] + ("_with" if self.answers else "")
            text = words.label(key, self.lang, who=self.who, where=self.where, what=self._listed(self.answers))
        else:
            text = words.label("does", self.lang, who=self.who, what=self.said)
            if self.answers:
                text = words.label("does_with", self.lang, said=text, what=self._listed(self.answers))
        return Deed(self.n, text)

    def _listed(self, some: list[str]) -> str:
        each = [one if n == 1 else words.label("times", self.lang, what=one, n=n) for one, n in Counter(some).items()]
        return words.listing(each, self.lang)


def deeds(game: Game, made: Iterable[tuple[Record, int]], lang: str) -> list[Deed]:
    """The deeds of choices that were made, or are planned, one after the other.

    Args:
        made: states, shape (1,), each with the choice that is made there.
    """
    found: list[Deed] = []
    begun: _Action | None = None
    for s, choice in made:
        op, said = int(s["op"][0, s["sp"][0] - 1]), game.words(s, choice, lang)
        if begun is not None and op != steps.TURN and op not in ALONE:
            begun.answered(s, choice, said)
            continue
        found += [begun.deed()] if begun else []
        begun = None
        if op == steps.TURN and choice != actions.DONE:
            begun = _Action(s, choice - actions.VERB, said, lang)
            begun.goes_where_it_must(game)
        elif op == steps.TAX_TO and found and found[-1] is TAKEN:
            found[-1] = Deed(2, "")
        else:
            found.append(TAKEN if op == steps.TAX else Deed(1, _alone(s, op, choice, lang)))
    return [*found, begun.deed()] if begun else found


def _alone(s: Record, op: int, choice: int, lang: str) -> str:
    """The sentence of a choice for itself, if it has one."""
    if op == steps.TURN:
        return words.label("is_done", lang, who=_active(s, lang))
    if op == steps.PLACE_CHARACTER:
        who = words.name("character", int(s["arg"][0, s["sp"][0] - 1, 0]), lang)
        return words.label("starts", lang, character=who, location=words.name(*actions.block_of(choice), lang))
    if op not in ALONE or choice == actions.DONE:
        return ""
    return words.label(ALONE[op], lang, who=words.name(*actions.block_of(choice), lang))


def _active(s: Record, lang: str) -> str:
    """Who acts: a character, or the player whose character was lost in its turn."""
    block, field = ("character", "active") if s["active"][0] >= 0 else ("player", "to_act")
    return words.name(block, int(s[field][0]), lang)
