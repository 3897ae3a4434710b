"""What a phone is shown of a table: plain data for JSON, in its language and for its seat."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from tabletop import record
from tabletop.coach.parts import Field, Parts
from tabletop.coach.sheet import Filler
from tabletop.coach.table import GAME, ROOT, Node, Table
from tabletop.coach.telling import NO_WAY, Change, Told, between, changes, deeds, joined, told
from tabletop.coach.words import say
from tabletop.game import CHANCE, NOBODY, Record, check_seat, enter
from tabletop.languages import LANGUAGES, check_language

MOST_TIMES = 20  #: of one choice in one go


class View:
    """How one phone looks at a table.

    Args:
        seat: whose phone it is; None: the table's, which all look at. It may answer all that is asked.
        have: keys of the layers of pictures that the phone has: these need not be sent again (:meth:`unseen`).

    Raises:
        ValueError: there is no such branch, language or seat.
    """

    def __init__(
        self, table: Table, branch: str = GAME, lang: str = "en", seat: int | None = None,
        have: Collection[str] = (),
    ) -> None:  # fmt: skip
        check_language(lang)
        table.head(branch)
        self.table, self.game, self.parts = table, table.game, Parts(table.game)
        self.branch, self.lang, self.seat, self.have = branch, lang, seat, have
        check_seat(self.game, table.state(branch=branch), seat)

    def state(self, at: int | None = None) -> dict[str, Any]:
        """The table now, or as it stood at a node: then nothing can be chosen."""
        table, game, lang, seat = self.table, self.game, self.lang, self.seat
        s = table.state(at, self.branch)
        now = at is None or at == table.head(self.branch)
        asked = int(s["to_act"][0])
        may = now and self.may_answer(s)
        return {
            "rev": table.rev,
            "at": table.head(self.branch) if at is None else at,
            "now": now,
            "title": table.title,
            "branch": self.branch,
            "branches": table.names,
            "clock": {"name": self.parts.named(game.clock, lang), "value": int(s[game.clock][0])},
            "stage": self.parts.stage(s, lang),
            "goal": self.parts.goal(s, lang),
            "to_act": asked,
            "who": self.who(asked),
            "seats": [self.who(one) for one in range(game.seats(s))],
            "question": game.question(s, lang, seat),
            "options": self._options(s) if may else [],
            "waits": now and not may and asked != NOBODY,
            "remembered": [a for a in table.remembered(self.branch) if self.parts.tells(s, a, seat)] if may else [],
            "offered": self._offered(s) if may else [],
            "sheet": may and self.parts.sheet_key(s) is not None,
            "can_undo": now and table.undoes(self.branch),
            "can_redo": now and table.redoes(self.branch),
            "scene": self._scene(s),
            "facts": {name: int(number) for name, number in self.parts.facts(s, seat).items()},
            "describe": self.parts.describe(s, lang, seat),
            "todo": [one.to_dict() for one in self.todo()] if now else [],
            "last": self._last(),
            "laid": now and self._untouched() and self._told(),
        }

    def _scene(self, s: Record) -> dict[str, Any] | None:
        """The picture; its layers have keys."""
        scene = self.parts.scene(s, self.lang, self.seat)
        if scene is None:
            return None
        layers = []
        for layer in scene["layers"]:
            key = hashlib.sha256(json.dumps(layer).encode()).hexdigest()[:16]
            layers.append({"id": layer["id"], "key": key, "items": layer["items"]})
        return {**scene, "layers": layers}

    def unseen(self, state: dict[str, Any]) -> dict[str, Any]:
        """A state without the layers that the phone has: they are only named."""
        if state["scene"] is None:
            return state
        layers = [{"id": layer["id"], "key": layer["key"]} if layer["key"] in self.have else layer
                  for layer in state["scene"]["layers"]]  # fmt: skip
        return {**state, "scene": {**state["scene"], "layers": layers}}

    def sheet(self) -> dict[str, Any]:
        """What can be told at once: ``rows``, each with its ``fact``, ``pool``, ``piece`` and ``place``, and ``pools``.

        Raises:
            ValueError: what is asked is answered one by one.
        """
        sheet = Filler(self.parts, self.table.state(branch=self.branch)).sheet()
        rows = []
        for fact, pool in sheet.rows.items():
            piece, _, place = fact.partition("@")
            rows.append({"fact": fact, "pool": pool, "piece": self.parts.named(piece, self.lang),
                         "place": self.parts.named(place, self.lang)})  # fmt: skip
        return {"rev": self.table.rev, "n": sheet.n, "rows": rows, "pools": [vars(pool) for pool in sheet.pools]}

    def may_answer(self, s: Record) -> bool:
        """Whether this phone may see and answer what is asked: where all lies open, any may."""
        choices = self.parts.legal(s)
        return bool(choices) and self.parts.sees(s, choices[0], self.seat)

    def check_draw(self, s: Record, answer: int | None) -> None:
        """ValueError: by all that was entered, what was drawn lies elsewhere: in a hand that this phone may not see."""
        if answer is not None and s["to_act"][0] == CHANCE and answer not in self.parts.legal(s):
            if answer in self.parts.thinkable(s, self.seat):
                raise ValueError(say("elsewhere", self.lang))

    def may_be_advised(self, s: Record) -> bool:
        """Whether this phone may be told plans for the seat that is asked: where seats have secrets they name what that
        one alone may know, also if what is asked first lies open."""
        own = self.seat in (None, int(s["to_act"][0])) or not self.game.secrets(s)[0]
        return own and self.may_answer(s)

    def todo(self) -> list[Told]:
        """What to move on the board since the last time that something was entered."""
        table, head = self.table, self.table.head(self.branch)
        try:
            if self._untouched():
                if self._told():
                    return []
                return between(self.parts, None, table.state(head), self.lang, self.seat)
            way, before = table.way(head), table.before[self.branch]
            known = [node.n for node in way]
            fresh = way[known.index(before) + 1 :] if before in known else []
            if not fresh or any(node.kind != "act" for node in fresh):
                then, now = table.state(before), table.state(head)
                back = list(self._put_back(way, table.way(before)))
                said = [change for _, moved in back for change in moved]
                return [*(one for one, _ in back), *between(self.parts, then, now, self.lang, self.seat, said)]
            s, found = table.state(before), list[Told]()
            for node in fresh:
                found += told(self.parts, s, node.action, self.lang, self.seat)
                enter(self.game, s, node.action)
            return joined(found, self.parts, self.lang)
        except ValueError:  # what lay there is of another version of the game
            return []

    def _untouched(self) -> bool:
        """Whether nothing was entered yet."""
        return self.table.first(self.table.moved[self.branch]) == ROOT

    def _told(self) -> bool:
        """Whether people have told how the board lies."""
        return any(node.kind == "correct" for node in self.table.way(branch=self.branch))

    def _put_back(self, way: list[Node], left: list[Node]) -> Iterator[tuple[Told, list[Change]]]:
        """What was drawn from the box on a way that was left by undo, each with what that says of the board: a
        correction puts no card back, and to undo one does not either."""
        moved = self.table.lines[self.table.moved[self.branch]]["kind"]
        undone = moved == "goto" or (moved == "undo" and way[-1] in left)
        back = self.table.box and self.branch == GAME and undone
        for node in reversed(left) if back else ():
            if node not in way and node.actor == CHANCE:
                s = self.table.state(node.parent)
                seen = self.parts.tells(s, node.action, self.seat)
                said = self.game.words(s, node.action, self.lang, self.seat)
                text = say("put_back" if seen else "put_back_unseen", self.lang, said=said)
                undone = self._undone(s, node.action)
                named = [one for one in undone if self._says(said, one)][:1] if seen else undone
                yield Told(text, self.parts.stage(s, self.lang), True), named

    def _undone(self, s: Record, action: int) -> list[Change]:
        """What a drawn piece moves as it is put back."""
        drawn = next(self.parts.run(s, action))
        found = changes(self.parts.facts(drawn, self.seat), self.parts.facts(s, self.seat))
        return [one for one in found if (one.source, one.target) != NO_WAY]

    def _says(self, said: str, change: Change) -> bool:
        """Whether the words of a draw name the piece."""
        piece = self.parts.named(change.name, self.lang)
        return piece in said or said in piece

    def history(self) -> list[dict[str, Any]]:
        """All things that lead here, the first one first; what this seat may not know is left out."""
        children: dict[int, list[Node]] = {}
        for node in self.table.nodes.values():
            children.setdefault(node.parent, []).append(node)
        entries = {entry["n"]: entry for entry in self._entries(children)}
        return [
            {"thing": thing[0].n, "last": thing[-1].n, "by": thing[0].by, "at": thing[0].at,
             "clock": entries[thing[0].n]["clock"], "stage": entries[thing[0].n]["stage"],
             "deeds": self._deeds(thing, entries), "entries": [entries[node.n] for node in thing]}
            for thing in self.table.things(branch=self.branch)
        ]  # fmt: skip

    def _deeds(self, thing: list[Node], entries: Mapping[int, Mapping[str, Any]]) -> list[str]:
        """Several choices that were entered in one go, as what people did; nothing of what this seat may not know."""
        if len(thing) == 1 or not all(entries[node.n].get("said") for node in thing):
            return []
        try:
            s, made = self.table.state(thing[0].parent, self.branch), []
        except ValueError:  # of another version
            return []
        for node in thing:
            made.append((record.copy(s), node.action))
            enter(self.game, s, node.action)
        return deeds(self.parts, made, self.lang, self.seat)

    def asked(self, at: int) -> tuple[Node, Record]:
        """An entry that this phone may put right, and the state in which it was asked for.

        Raises:
            ValueError: it is no answer, or one that this seat may not see.
        """
        node = self.table.node(at)
        s = self.table.state(node.parent, self.branch) if node.kind == "act" else None
        if s is None or not self.parts.tells(s, node.action, self.seat):
            raise ValueError(f"entry {at} is not to be put right here")
        return node, s

    def choices(self, at: int) -> dict[str, Any]:
        """What was asked at an entry, and all that could have been answered: to put it right. Errors as of
        :meth:`asked`."""
        node, s = self.asked(at)
        return {"n": node.n, "question": self.game.question(s, self.lang, self.seat), "answer": node.action,
                "options": self._options(s)}  # fmt: skip

    def check(self) -> dict[str, Any]:
        """The board as the coach believes it: what is counted, and what can be put right."""
        s = self.table.state(branch=self.branch)
        facts = []
        for name, number in self.parts.facts(s, self.seat).items():
            piece, at, place = name.partition("@")
            where = self.parts.named(place, self.lang) if at else ""
            facts.append({"name": name, "place": where, "piece": self.parts.named(piece, self.lang),
                          "number": int(number)})  # fmt: skip
        fields = [{**field._asdict(), "value": value} for field, value in self.parts.filled(s, self.form(s))]
        return {"rev": self.table.rev, "facts": facts, "fields": fields}

    def form(self, s: Record) -> Sequence[Field]:
        """What this phone may put right: where seats have secrets only the table's own may."""
        return self.parts.form(s, self.lang) if self.seat is None or not self.game.secrets(s)[0] else ()

    def hands(self) -> dict[str, Any]:
        """The cards of all seats, as far as this phone may see them."""
        hands = self.parts.hands(self.table.state(branch=self.branch), self.lang, self.seat)
        return {"rev": self.table.rev, "hands": [{**hand, "who": self.who(hand["seat"])} for hand in hands]}

    def who(self, actor: int) -> str:
        """Who is asked, in words: one name for a seat everywhere."""
        return self.parts.who(actor, self.lang)

    def _options(self, s: Record) -> list[dict[str, Any]]:
        others = [lang for lang in LANGUAGES if lang != self.lang] if s["to_act"][0] == CHANCE else []
        return [
            {"action": action, "words": self.game.words(s, action, self.lang, self.seat),
             "also": [self.game.words(s, action, lang, self.seat) for lang in others],
             "group": self.game.group(action), "place": self.parts.place(s, action), "times": self._times(s, action)}
            for action in self.parts.thinkable(s, self.seat)
        ]  # fmt: skip

    def _times(self, s: Record, action: int) -> int:
        """How often a choice can be made on end while the same is asked of the same seat: up to :data:`MOST_TIMES`."""
        asked, one, times = self.parts.asks(s, self.lang, self.seat), record.copy(s), 1
        while asked[0] != CHANCE and times < MOST_TIMES and enter(self.game, one, action):
            if self.parts.asks(one, self.lang, self.seat) != asked or action not in self.parts.legal(one):
                break
            times += 1
        return times

    def _offered(self, s: Record) -> list[dict[str, Any]]:
        s, found = record.copy(s), []
        for node in self.table.offered(self.branch):
            if not self.parts.tells(s, node.action, self.seat):
                break
            found.append({"action": node.action, "words": self.game.words(s, node.action, self.lang, self.seat)})
            enter(self.game, s, node.action)
        return found

    def _last(self) -> dict[str, Any]:
        """Who entered the last thing here, and what."""
        line = self.table.lines[self.table.first(self.table.moved[self.branch])]
        node = self.table.nodes.get(line["n"])
        answer = {"said": "", "noticed": ""}
        if node is not None and node.kind == "act":
            s = self.table.state(node.parent)
            answer = self._answer(s, node.action, self.parts.tells(s, node.action, self.seat))
        return {"n": line["n"], "kind": line["kind"], "by": line["by"], **answer}

    def _answer(self, s: Record, action: int, seen: bool) -> dict[str, str]:
        """What is ``said`` of an answer, in words, if this phone sees it; and what it has ``noticed``: that, or else
        what the answer itself moves on the board, as the phone is told it."""
        if seen:
            said = self.game.words(s, action, self.lang, self.seat)
            return {"said": said, "noticed": said}
        moved = (one.text for one in told(self.parts, s, action, self.lang, self.seat) if one.own)
        return {"said": "", "noticed": "; ".join(moved)}

    def _entries(self, children: dict[int, list[Node]]) -> Iterator[dict[str, Any]]:
        s: Record | None = None
        for node in self.table.way(branch=self.branch):
            then = s
            entry = {"n": node.n, "kind": node.kind, "by": node.by, "was": node.was, "clock": None, "stage": ""}
            if s is not None:
                entry["others"] = self._others(s, node, children)
            if node.kind != "act":
                try:
                    s = then = self.table.state(node.n)
                except ValueError:  # of another version: only what was noted then is known
                    s = then = None
            elif s is None:
                seen = self.seat is None and not self.game.secrets(self.table.state(branch=self.branch))[0]
                said = node.said if seen else ""
                entry |= {"who": self.who(node.actor), "prompt": node.prompt, "said": said, "noticed": said}
            else:
                then = record.copy(s)
                self.table.enter(then, node)
                seen = self.parts.tells(s, node.action, self.seat)
                entry |= {
                    "who": self.who(node.actor),
                    "prompt": self._was_asked(s, seen),
                    **self._answer(s, node.action, seen),
                }
            if s is not None:
                entry |= {"clock": int(s[self.game.clock][0]), "stage": self.parts.stage(s, self.lang)}
            s = then
            yield entry

    def _others(self, s: Record, node: Node, children: Mapping[int, list[Node]]) -> list[dict[str, Any]]:
        """How else one has gone on from the state before an entry, as far as this phone is told it: by other answers,
        by the same one if more followed, and by putting the board right (``said`` is empty)."""
        others = [one for one in children[node.parent] if one.n != node.n and self.table.replays(one.n)]
        legal = self.parts.legal(s) if others else []
        told = [
            one for one in others
            if one.kind != "act" or (one.action in legal and self.parts.tells(s, one.action, self.seat)
                                     and (one.action != node.action or one.n in children))
        ]  # fmt: skip
        return [{"n": one.n, "said": self.game.words(s, one.action, self.lang, self.seat) if one.kind == "act" else ""}
                for one in told]  # fmt: skip

    def _was_asked(self, s: Record, seen: bool) -> str:
        """The question of an entry. Of an answer that it does not see the table's phone is told what all are told who
        were not asked; where these are told differently, what it was told itself."""
        if self.seat is None and not seen:
            others = [seat for seat in range(self.game.seats(s)) if seat != s["to_act"][0]]
            told = {self.game.question(s, self.lang, seat) for seat in others}
            if len(told) == 1:
                return told.pop()
        return str(self.game.question(s, self.lang, self.seat))
