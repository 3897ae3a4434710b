"""The table's log: one game as people play it, with all that they took back, tried out and put right.

A file of JSON lines that only grows. Every line has its number ``n``, a ``kind``, who wrote it (``by``) and when
(``at``). Three kinds are nodes of a tree:

=========== ==================================================================================================
``begin``   line 0: ``game``, ``version``, ``edition``, ``setup``, ``seed``, ``box`` (true: people draw), ``title``;
            from the terminal also ``agents`` (who sits where, as it was said)
``act``     ``parent``, ``actor``, ``prompt``, ``action``, ``said`` (the action in words): a choice or a draw
``correct`` ``parent``, ``start``: the board as somebody has put it right, from which the game goes on
=========== ==================================================================================================

The others move the pointer of a branch ``to`` a node: ``undo``, ``redo``, ``goto``; or begin, adopt and drop a branch.
``keep`` notes a readable position, from which another version of the game can go on. ``more`` says how many lines
belong to the same write: a write counts whole or not at all. ``thing`` is the first entry of what was done in one go;
that entry says what it ``lost``, where that was known.

The state is always the replay of the path from the root to a pointer, so nothing is ever lost and all can be mended.
"""

from __future__ import annotations

import hashlib
import json
import math
import os
import secrets
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, replace
from datetime import date, datetime, timezone
from pathlib import Path
from typing import Any, cast

import numpy as np

from tabletop import log as logs
from tabletop import record
from tabletop.boxes import is_whole
from tabletop.files import held
from tabletop.game import CHANCE, NOBODY, Game, Record, check_bounds, enter, identity, legal_mask, named, refusal
from tabletop.log import Log, whole

FORMAT = 1
NUMBERS = range(-(2**63), 2**63)  #: those that the rules can be handed
#: What all lines say; a number is one of :data:`NUMBERS`.
ALL_SAY: dict[str, type] = {"n": int, "kind": str, "by": str, "at": str}
_IDENTITY: dict[str, type] = {"game": str, "version": int, "edition": str}
#: What a line of each kind says beside that, at least.
SAYS: dict[str, dict[str, type]] = {
    "begin": {"format": int, **_IDENTITY, "setup": dict, "seed": int, "box": bool, "title": str},
    "act": {"parent": int, "actor": int, "prompt": str, "action": int, "said": str, "thing": int},
    "correct": {"parent": int, **_IDENTITY, "start": dict},
    "keep": {"parent": int, **_IDENTITY, "position": dict},
    "branch": {"branch": str, "to": int, "name": str},
    "adopt": {"branch": str, "to": int},
    "drop": {"branch": str},
    "undo": {"to": int},
    "redo": {"to": int},
    "goto": {"to": int},
}
#: The branch that is played at the table; all others only ask "what if".
GAME = "game"
ROOT = 0
#: Who drew, where the coach did.
COACH = "coach"


def new_name() -> str:
    """Of a file for a game that begins today."""
    return f"{date.today().isoformat()}-{secrets.token_hex(4)}"


def new_seed() -> int:
    """Of a game for which nobody has chosen one."""
    return secrets.randbits(31)


Line = dict[str, Any]
#: What a choice lost of the chance to win against the best that was known then, and the ends of its interval.
Lost = tuple[float, float, float]


@dataclass(frozen=True)
class Node:
    """A node of the tree. ``parent`` is -1 for the root; ``actor`` and ``action`` are those of an ``act``."""

    n: int
    kind: str  #: "begin", "act" or "correct"
    parent: int
    by: str
    at: str
    actor: int = NOBODY
    prompt: str = ""
    action: int = -1
    said: str = ""
    thing: int = 0  #: the first entry of what was done in one go
    was: int | None = None  #: the entry that this one repeats or puts right
    branch: str = GAME  #: where it was written


class Table:
    """One game at a table, kept in a file. Not for several threads at once, but for ``close``.

    Every method that changes something has written and synced the file before it returns; where it raises, nothing has
    changed. ``by`` says who asked for it, ``branch`` where it happens.
    """

    def __init__(self, game: Game, path: Path, file: int) -> None:
        self.game, self.path = game, path
        self._file = file
        self._writing = threading.RLock()
        self._size = 0
        self.lines: list[Line] = []
        self.nodes: dict[int, Node] = {}
        self.heads: dict[str, int] = {}  #: where each branch stands
        self.names: dict[str, str] = {}  #: what people call each branch but the game
        self.moved: dict[str, int] = {}  #: the last line that concerned each branch
        self.before: dict[str, int] = {}  #: where each branch stood before that
        self.lost: dict[int, Lost] = {}  #: by the first entry of what was done in one go
        self._back: dict[str, str] = {}  # "undo" or "redo", of branches that it leads back to where they stood before
        self._newest: dict[str, dict[int, int]] = {}  # of each branch: the child of a node that was left last
        self._rest: dict[int, tuple[int, ...]] = {}  # entries of a corrected tail that still wait to be repeated
        self._stands: dict[str, tuple[int, Record]] = {}  # the state of each branch, and of which node it is

    # Files

    @classmethod
    def create(
        cls, game: Game, path: str | Path, setup: Record, seed: int, box: bool = True, title: str = "", by: str = "",
        agents: str | None = None,
    ) -> Table:  # fmt: skip
        """Begins a game in a new file.

        Args:
            setup: shape (1,).
            box: people draw from the real box and say what; else the coach draws.
            agents: who sits where, kept as it is.

        Raises:
            FileExistsError: the file is there.
        """
        begin = {"setup": record.to_dict(setup), "seed": int(seed), "box": bool(box), "title": title}
        return cls._create(game, path, begin if agents is None else {**begin, "agents": agents}, by)

    @classmethod
    def from_log(cls, game: Game, path: str | Path, log: Log, box: bool = True, title: str = "", by: str = "") -> Table:
        """A new file with the game that a log holds; the arguments are those of :meth:`create`.

        Raises:
            FileExistsError: the file is there.
            ValueError: the log is of another game, or an entry does not fit.
        """
        logs.replay(game, log, verify=False)
        begin = {"setup": log.setup, "seed": log.seed, "box": bool(box), "title": title}
        return cls._create(game, path, begin, by, log)

    @classmethod
    def _create(cls, game: Game, path: str | Path, begin: Line, by: str, log: Log | None = None) -> Table:
        table = cls(game, Path(path), _opened(Path(path), os.O_CREAT | os.O_EXCL))
        with table._or_close(delete=True):
            lines = [table._line(ROOT, "begin", by, format=FORMAT, **identity(game), **begin)]
            s, parent, thing = table._begun(lines[0]), ROOT, ROOT
            if log is not None and log.start is not None:
                s = table._begun({**lines[0], "start": log.start})
                lines.append(table._correction(1, ROOT, s, by, GAME))
                parent = thing = 1
            for actor, action in log.entries if log is not None else ():
                if actor != CHANCE or begin["box"]:
                    thing = len(lines)
                parent = table._entry(lines, s, parent, action, by, GAME, thing)
            table._draws(lines, s, parent, GAME, begin["box"], thing)
            table._write(lines)
            _sync_folder(table.path.parent)
        return table

    @classmethod
    def open(cls, game: Game, path: str | Path, by: str = COACH) -> Table:
        """Opens a file and replays it. A write that was cut off is dropped: nobody was told that it was done.

        A game that was played with another version or edition goes on from the last position that was kept.

        Raises:
            ValueError: the file is damaged, of another game, open elsewhere, or of another version with no position
                kept; the message names the file and what is wrong.
            OSError: it cannot be read.
        """
        table = cls(game, Path(path), _opened(Path(path)))
        with table._or_close():
            try:
                table._load()
                table._settle_version(by)
                for branch in table.heads:
                    table.state(branch=branch)
            except ValueError as error:
                raise ValueError(f"{path}: {error}") from None
            except (KeyError, TypeError) as error:
                raise ValueError(f"{path}: a line is damaged: {_lacking(error)}") from None
        return table

    def keep(self) -> None:
        """Notes where the game stands, for another version or edition to go on from, unless that is noted already."""
        head = self.head()
        noted = "position" in self.lines[head] or any(
            line["kind"] == "keep" and line["parent"] == head for line in self.lines[head:]
        )
        if hasattr(self.game, "dump") and not noted:
            self._write([self._position(self.rev + 1, head, self.state())])

    def close(self) -> None:
        """Lets the file go, once what is being written is on the disk; the table is not used afterwards."""
        with self._writing:
            if self._file >= 0:
                os.close(self._file)
                self._file = -1

    # What stands

    @property
    def rev(self) -> int:
        """The number of the last line."""
        return len(self.lines) - 1

    @property
    def box(self) -> bool:
        """Whether people draw and say what."""
        return bool(self.lines[0]["box"])

    @property
    def agents(self) -> str | None:
        """Who sits where; None: nobody has said."""
        agents = self.lines[0].get("agents")
        return None if agents is None else str(agents)

    @property
    def title(self) -> str:
        return str(self.lines[0]["title"])

    def head(self, branch: str = GAME) -> int:
        """The node where a branch stands. ValueError: there is no such branch."""
        if branch not in self.heads:
            raise ValueError(f"there is no branch {branch!r}: choose one of {', '.join(self.heads)}")
        return self.heads[branch]

    def node(self, n: Any) -> Node:
        """A node by its number. ValueError: there is none."""
        number = whole(n)
        if number is None or number not in self.nodes:
            raise ValueError(f"{n!r} is no entry of this game")
        return self.nodes[number]

    def way(self, at: int | None = None, branch: str = GAME) -> list[Node]:
        """The nodes from the root to a node (by default where a branch stands), both included."""
        node = self.node(self.head(branch) if at is None else at)
        nodes = [node]
        while node.parent >= 0:
            node = self.nodes[node.parent]
            nodes.append(node)
        return nodes[::-1]

    def state(self, at: int | None = None, branch: str = GAME) -> Record:
        """The state, shape (1,), at a node (by default where a branch stands): a copy."""
        head = self.head(branch)
        if at is not None and at != head:
            return self._replay(self.node(at).n)
        if branch not in self._stands or self._stands[branch][0] != head:
            self._stands[branch] = (head, self._replay(head))
        return record.copy(self._stands[branch][1])

    def log(self, at: int | None = None, branch: str = GAME) -> Log:
        """The way to a node as a log: from the setup, or from where the board was last put right."""
        nodes = self.way(at, branch)
        first = max(i for i, node in enumerate(nodes) if node.kind != "act")
        begin, origin = self.lines[ROOT], self.lines[nodes[first].n]
        entries = [(node.actor, node.action) for node in nodes[first + 1 :]]
        log = Log(
            begin["game"], origin["version"], origin["edition"], begin["setup"], begin["seed"], entries,
            start=origin.get("start"),
        )  # fmt: skip
        log.trace = logs.trace(self.state(nodes[-1].n, branch))
        return log

    def things(self, at: int | None = None, branch: str = GAME) -> list[list[Node]]:
        """The way to a node, without the root, as what was done in one go."""
        things: list[list[Node]] = []
        for node in self.way(at, branch)[1:]:
            if not things or things[-1][0].thing != node.thing or node.kind != "act":
                things.append([])
            things[-1].append(node)
        return things

    def remembered(self, branch: str = GAME) -> list[int]:
        """Outcomes of the draw that is asked now which were told before and taken back, the latest first.

        What was drawn in a "what if" is not remembered elsewhere until it is adopted: no card was turned over.
        """
        s = self.state(branch=branch)
        if s["to_act"][0] != CHANCE:
            return []
        prompt, mask = self.game.question(s), legal_mask(self.game, s)
        earlier = {node.n for node in self.way(branch=branch)}
        told = (
            node.action
            for node in reversed(self.nodes.values())
            if node.actor == CHANCE
            and node.branch in (GAME, branch)
            and node.n not in earlier
            and node.prompt == prompt
            and mask[node.action]
        )
        return list(dict.fromkeys(told))

    def offered(self, branch: str = GAME) -> list[Node]:
        """What waits to be repeated after a correction and fits now: entries of the old tail, in their order."""
        s, head = self.state(branch=branch), self.head(branch)
        found: list[Node] = []
        for n in self._rest.get(head, ()):
            if self._fits(s, self.nodes[n]):
                enter(self.game, s, self.nodes[n].action)
                found.append(self.nodes[n])
            elif found:
                break
        return found

    def first(self, n: int) -> int:
        """The first line of the write that a line belongs to."""
        while n > ROOT and self.lines[n - 1].get("more"):
            n -= 1
        return n

    def redoes(self, branch: str = GAME) -> bool:
        """Whether there is something to redo."""
        return self._left(branch, "redo") is not None or self.head(branch) in self._newest[branch]

    # What people do

    def do(
        self, answers: Iterable[int | None], by: str = "", branch: str = GAME, lost: Sequence[float] | None = None
    ) -> int:
        """One thing: some answers, all or none.

        Args:
            answers: choices, or outcomes where chance is asked; None: the coach draws.
            lost: what they lose, as :data:`Lost`; None: nobody knows.

        Returns:
            the number of the last line.

        Raises:
            ValueError: an answer is illegal (the message says what is asked), or there is none.
        """
        given = list(answers)
        if not given:
            raise ValueError("there is no answer: give one or more")
        s, parent, lines = self.state(branch=branch), self.head(branch), list[Line]()
        first = self.rev + 1
        for answer in given:
            known = {"lost": list(lost)} if lost is not None and not lines else {}
            parent = self._entry(lines, s, parent, answer, by, branch, first, **known)
        self._draws(lines, s, parent, branch, self.box, first)
        return self._write(lines)

    def undo(self, by: str = "", branch: str = GAME) -> int:
        """Takes back what was done last in one go, a fix and an adopted branch too. ValueError: nothing was, or only
        with another edition."""
        if not self.undoes(branch):
            raise ValueError("there is nothing to take back")
        left = self._left(branch, "undo")
        return self._move("undo", self.things(branch=branch)[-1][0].parent if left is None else left, by, branch)

    def _left(self, branch: str, kind: str) -> int | None:
        """Where ``undo`` leads back to right after a fix or an adopted branch, and ``redo`` after that undo: to where a
        branch stood before it, which may be on another way."""
        return self.before[branch] if self._back.get(branch) == kind else None

    def undoes(self, branch: str = GAME) -> bool:
        """Whether there is something to undo."""
        if self._left(branch, "undo") is not None:
            return True
        things = self.things(branch=branch)
        if not things or things[-1][0].thing == ROOT:
            return False
        last = things[-1][0]
        begun = last.kind == "correct" and last.parent == ROOT and bool(self.lines[ROOT].get("more"))
        return not begun and self.replays(last.parent)  # a position that the table began with stays

    def replays(self, n: int) -> bool:
        """Whether a node was played with the version and edition of now: if not, it can only be looked at."""
        origin = next(node for node in reversed(self.way(n)) if node.kind != "act")
        return identity(self.game).items() <= self.lines[origin.n].items()

    def redo(self, by: str = "", branch: str = GAME) -> int:
        """Does again what was taken back last, all that was done in one go. ValueError: nothing was."""
        left = self._left(branch, "redo")
        if left is not None:
            return self._move("redo", left, by, branch)
        newest, n = self._newest[branch], self.head(branch)
        if n not in newest:
            raise ValueError("there is nothing to do again")
        n = newest[n]
        thing = self.nodes[n].thing
        while n in newest and self.nodes[newest[n]].thing == thing:
            n = newest[n]
        return self._move("redo", n, by, branch)

    def goto(self, at: int, by: str = "", branch: str = GAME) -> int:
        """Goes to any node. ValueError: there is none such, or another version played it."""
        node = self.node(at)
        return self._move("goto", node.n, by, branch)

    def fix(self, at: int, answer: int, by: str = "", branch: str = GAME) -> int:
        """Puts an entry right, many steps back maybe; what came after it is repeated as far as it fits.

        An entry fits if the same is asked of the same and its answer is still legal. The rest is kept in mind:
        :meth:`offered`.

        Raises:
            ValueError: the entry is not on the way to here, or lies before the board was put right; or the answer is
                illegal.
        """
        nodes = self.way(branch=branch)
        wrong = self.node(at)
        if wrong not in nodes or wrong.kind != "act":
            raise ValueError(f"entry {at} is not on the way to where {branch!r} stands")
        tail = nodes[nodes.index(wrong) + 1 :]
        if any(node.kind != "act" for node in tail):
            raise ValueError(f"entry {at} lies before the board was put right: a change there leads to nothing here")
        s, lines = self.state(wrong.parent, branch), list[Line]()
        first = last = self.rev + 1
        things = {wrong.thing: first}
        parent = self._entry(lines, s, wrong.parent, answer, by, branch, first, fix=wrong.n)
        for node in tail:
            if not self._fits(s, node):
                break
            thing = things.setdefault(node.thing, first + len(lines))
            parent = self._entry(lines, s, parent, node.action, node.by, branch, thing, was=node.n)
            last = thing
        self._draws(lines, s, parent, branch, self.box, last)
        return self._write(lines)

    def correct(self, state: Record, by: str = "", branch: str = GAME) -> int:
        """The board as it lies on the table: the game goes on from this state, shape (1,).

        Raises:
            ValueError: the state is of a box that the game does not have.
        """
        lines = [self._correction(self.rev + 1, self.head(branch), state, by, branch)]
        self._draws(lines, self._from(lines[0]), lines[0]["n"], branch, self.box, lines[0]["n"])
        return self._write(lines)

    def play_with(self, game: Game, by: str = "") -> int:
        """Goes on with another edition of the game, in every branch. What was done is played again with it; where that
        would lead to another table, the game goes on from the table as it lies, and what was done before can be looked
        at, and no longer be taken back.

        Raises:
            ValueError: with that edition there is no such table; nothing has changed.
        """
        if identity(game) == identity(self.game):  # it only knows more of where its values come from
            self.game = game
            return self.rev
        stand = {branch: (s := self.state(branch=branch), self._turning_points(branch), self._counted(s, game))
                 for branch in self.heads}  # fmt: skip
        self.game, self._stands = game, {}
        for branch, (state, starts, counted) in stand.items():
            before = self.before[branch]
            again = next(filter(None, (self._again(branch, n, start, state, by) for n, start in starts)), None)
            if again is None:
                self.correct(counted, by, branch)
            else:  # what is still to be moved stays so
                self.before[branch] = again.get(before, self.head(branch))
        return self.rev

    def _counted(self, s: Record, game: Game) -> Record:
        """A state, shape (1,), with what another edition of the game counts otherwise: the pieces beside the board."""
        old, new = cast(Any, self.game), cast(Any, game)
        if not hasattr(old, "dump"):
            return s
        position = old.dump(s)
        counted, before, now = record.copy(s), old.load(position), new.load(position)
        for name in record.differing(before, now):
            counted[name] = now[name]
        return counted

    def _turning_points(self, branch: str) -> list[tuple[int, Record | None]]:
        """Nodes from which a way can be played again, the earliest first, with their states; None: as it began."""
        way = self.way(branch=branch)
        origin = next(node for node in reversed(way) if node.kind != "act")
        kept = {line["parent"] for line in self.lines if line["kind"] == "keep"}
        later = [node.n for node in way[way.index(origin) + 1 : -1] if node.n in kept]
        first = (origin.n, None if origin.n == ROOT else self.state(origin.n, branch))
        return [first, *((n, self.state(n, branch)) for n in later)]

    def _again(self, branch: str, n: int, start: Record | None, end: Record, by: str) -> dict[int, int]:
        """Plays the way of a branch from a node on again, if that leads to the same table: then returns what became of
        each node."""
        way = self.way(branch=branch)
        tail = way[way.index(self.nodes[n]) + 1 :]
        try:
            s = self._begun({**self.lines[ROOT], **identity(self.game)}) if start is None else record.copy(start)
        except ValueError:  # of an edition with which the game cannot even begin
            return {}
        lines = [self._correction(self.rev + 1, n, s, by, branch)]
        s = self._from(lines[0])
        parent, things = lines[0]["n"], dict[int, int]()
        became = {n: parent}
        for node in tail:
            if not self._fits(s, node):
                return {}
            thing = things.setdefault(node.thing, self.rev + 1 + len(lines))
            known = {"lost": list(self.lost[node.n])} if node.n in self.lost else {}
            became[node.n] = parent = self._entry(lines, s, parent, node.action, node.by, branch, thing, **known)
        if s.tobytes() != end.tobytes():
            return {}
        self._write(lines)
        return became

    def branch(self, name: str = "", at: int | None = None, by: str = "") -> str:
        """Begins a "what if" at a node (by default where the game stands).

        Returns:
            what the branch is called in this file: ``b`` and a number.
        """
        node = self.node(self.head() if at is None else at)
        self._replay(node.n)
        new = f"b{self.rev + 1}"
        self._write([self._line(self.rev + 1, "branch", by, branch=new, to=node.n, name=name)])
        return new

    def adopt(self, branch: str, by: str = "") -> int:
        """The game goes on where a branch stands, and the branch is no more; undo takes that back. ValueError: there is
        none such."""
        return self._write([self._line(self.rev + 1, "adopt", by, branch=self._other(branch), to=self.head(branch))])

    def drop(self, branch: str, by: str = "") -> int:
        """A branch is no more. ValueError: there is none such."""
        return self._write([self._line(self.rev + 1, "drop", by, branch=self._other(branch))])

    def _other(self, branch: str) -> str:
        self.head(branch)
        if branch == GAME:
            raise ValueError("the game is no branch to adopt or drop")
        return branch

    # Entries

    def _line(self, n: int, kind: str, by: str, **rest: Any) -> Line:
        at = datetime.now(timezone.utc).isoformat(timespec="seconds")
        return {"n": n, "kind": kind, **rest, "by": by, "at": at}

    def _entry(
        self, lines: list[Line], s: Record, parent: int, answer: Any, by: str, branch: str, thing: int, **rest: Any
    ) -> int:
        """Adds the line of an answer and enters it; returns its node."""
        actor, number = int(s["to_act"][0]), whole(answer)
        if actor == NOBODY:
            raise ValueError("the game is over: nobody is asked")
        if answer is None:
            if actor != CHANCE:
                raise ValueError(f"nothing is drawn now, seat {actor} is asked: {self.game.question(s, seat=actor)}")
            number = self._drawn(s, branch)
        if number is None or not 0 <= number < self.game.n_actions or not legal_mask(self.game, s)[number]:
            raise ValueError(refusal(self.game, s, answer))
        n = self.rev + 1 + len(lines)
        told = {"actor": actor, "prompt": self.game.question(s), "action": number, "said": self.game.words(s, number)}
        lines.append(self._line(n, "act", by, branch=branch, parent=parent, **told, thing=thing, **rest))
        before = s[self.game.clock][0]
        enter(self.game, s, number)
        if branch == GAME and s[self.game.clock][0] != before and hasattr(self.game, "dump"):
            lines.append(self._position(n + 1, n, s))
        return n

    def _drawn(self, s: Record, branch: str) -> int:
        """What the coach draws in a state, shape (1,). A "what if" has luck of its own, the same each time: it does not
        show what the game is going to draw."""
        s = record.copy(s)
        if branch != GAME:
            luck = hashlib.blake2b(branch.encode() + s["rng"].tobytes(), digest_size=16)
            s["rng"] = np.frombuffer(luck.digest(), np.uint32)
        return int(self.game.sample(self.game.box, s))

    def _position(self, n: int, parent: int, s: Record) -> Line:
        game: Any = self.game
        return self._line(n, "keep", COACH, parent=parent, position=game.dump(s), **identity(game))

    def _draws(self, lines: list[Line], s: Record, parent: int, branch: str, box: bool, thing: int = ROOT) -> None:
        """Where nobody draws at the table, the coach does."""
        while not box and s["to_act"][0] == CHANCE:
            parent = self._entry(lines, s, parent, None, COACH, branch, thing)

    def _correction(self, n: int, parent: int, state: Record, by: str, branch: str) -> Line:
        check_bounds(self.game, state)
        s = record.copy(state)
        s["manual_chance"] = 1
        position = {"position": self.game.dump(s)} if hasattr(self.game, "dump") else {}
        told = {**identity(self.game), "start": record.to_dict(s), **position}
        return self._line(n, "correct", by, branch=branch, parent=parent, **told)

    def _fits(self, s: Record, node: Node) -> bool:
        """Whether an entry's answer can be given again: the same is asked of the same, and it is legal."""
        asked = node.actor == s["to_act"][0] and node.prompt == self.game.question(s)
        return bool(asked and legal_mask(self.game, s)[node.action])

    def _move(self, kind: str, to: int, by: str, branch: str) -> int:
        s = self._replay(to)
        rev = self._write([self._line(self.rev + 1, kind, by, branch=branch, to=to)])
        self._stands[branch] = (to, s)
        return rev

    # Replays

    def _begun(self, begin: Mapping[str, Any]) -> Record:
        log = Log(
            begin["game"], begin["version"], begin["edition"], begin["setup"], begin["seed"], start=begin.get("start")
        )  # fmt: skip
        return next(logs.states(self.game, log))

    def _from(self, origin: Mapping[str, Any]) -> Record:
        """The state of a line that begins a segment."""
        return self._begun({**self.lines[ROOT], **origin})

    def _replay(self, n: int) -> Record:
        """The state at a node.

        Raises:
            ValueError: an entry does not fit, or another version or edition played it.
        """
        actions: list[Node] = []
        node = self.nodes[n]
        while node.kind == "act":
            actions.append(node)
            node = self.nodes[node.parent]
        s = self._from(self.lines[node.n])
        for node in reversed(actions):
            self.enter(s, node)
        return s

    def enter(self, s: Record, node: Node) -> None:
        """Enters an answer of this game in the state, shape (1,), that it was given in. ValueError: it does not fit."""
        if s["to_act"][0] != node.actor or not enter(self.game, s, node.action):
            said = f"{node.actor} answered {named(self.game, s, node.action)}"
            raise ValueError(f"entry {node.n} does not fit: {said} to {node.prompt!r}")

    def _settle_version(self, by: str) -> None:
        """Where another version or edition played, the game goes on from the last position that was kept."""
        for branch in list(self.heads):
            if self.replays(self.head(branch)):
                continue
            if branch != GAME:
                self.drop(branch, by)
                continue
            kept = {line["parent"]: line for line in self.lines if line["kind"] == "keep"}
            for node in reversed(self.way()):
                line = kept.get(node.n, self.lines[node.n])
                if "position" in line and line["game"] == self.game.name and hasattr(self.game, "load"):
                    state = self.game.load(line["position"])
                    self._write([self._correction(self.rev + 1, node.n, state, by, GAME)])
                    break
            else:
                self.state()

    # Lines

    def _load(self) -> None:
        data, good, waiting = _contents(self._file), 0, list[Line]()
        end = 0
        for number, text in enumerate(data.splitlines(keepends=True)):
            end += len(text)
            try:
                line = json.loads(text) if text.endswith(b"\n") else None
            except (ValueError, RecursionError):
                line = None
            if not isinstance(line, dict):
                if any(_readable(later) for later in data[end:].splitlines(keepends=True)):
                    raise ValueError(f"line {number + 1} is damaged")
                break
            waiting.append(line)
            if not line.get("more"):
                for one in waiting:
                    self._understand(one)
                good, waiting = end, []
        if not self.lines:
            raise ValueError("it holds no game")
        if good < len(data):
            os.ftruncate(self._file, good)
            os.fsync(self._file)
        self._size = good

    def _understand(self, line: Line) -> None:
        number = len(self.lines) + 1
        try:
            _check_line(line)
            self._take(line)
        except (KeyError, TypeError) as error:
            raise ValueError(f"line {number} is damaged: {_lacking(error)}") from None

    def _write(self, lines: Sequence[Line]) -> int:
        """Appends lines: they are on the disk when this returns. OSError: they could not be written, and are not."""
        for left, line in zip(range(len(lines) - 1, -1, -1), lines, strict=True):
            _check_line(line)
            if left:
                line["more"] = left
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines).encode()
        with self._writing:
            try:
                written = 0
                while written < len(text):
                    written += os.write(self._file, text[written:])
                os.fsync(self._file)
            except OSError:
                with suppress(OSError):
                    os.ftruncate(self._file, self._size)
                    os.fsync(self._file)
                self.close()  # what the disk holds is no longer sure: the file is to be opened again
                raise
        self._size += len(text)
        for line in lines:
            self._take(line)
        return self.rev

    def _take(self, line: Line) -> None:
        """Takes a checked line in. KeyError, TypeError or ValueError: it is none."""
        n, kind = line["n"], line["kind"]
        if n != len(self.lines) or (n == ROOT) != (kind == "begin"):
            raise ValueError(f"line {len(self.lines) + 1} has the number {n} and is of the kind {kind!r}")
        if kind not in SAYS:
            raise ValueError(f"line {n + 1} is of the kind {kind!r}")
        branch = str(line.get("branch", GAME))
        if kind == "begin":
            if line["format"] != FORMAT:
                raise ValueError(f"it has format {line['format']}, not {FORMAT}")
            self.nodes[ROOT] = Node(ROOT, kind, -1, line["by"], line["at"])
            self._newest[GAME] = {}
        elif kind in ("act", "correct"):
            self._grow(line, branch)
        elif kind == "branch":
            if branch in self._newest:
                raise ValueError(f"line {n + 1} begins {branch!r}, which is there")
            self.names[branch] = line["name"]
            self._newest[branch] = {}
        elif kind in ("adopt", "drop"):
            if branch not in self._newest or branch == GAME:
                there = "no branch" if branch == GAME else "not there"
                raise ValueError(f"line {n + 1} is about {branch!r}, which is {there}")
            if kind == "adopt":
                self._newest[GAME].update(self._newest[branch])
                for node in self.way(line["to"]):
                    self.nodes[node.n] = replace(node, branch=GAME)
            for kept in (self.heads, self.names, self._newest, self.moved, self.before, self._back, self._stands):
                kept.pop(branch, None)  # type: ignore[attr-defined]
            branch = GAME
        to = n if kind in ("begin", "act", "correct") else line["to"] if "to" in SAYS[kind] else None
        if to is not None:
            self._point(branch, to, line)
        self.lines.append(line)

    def _grow(self, line: Line, branch: str) -> None:
        n, parent = line["n"], line["parent"]
        if parent not in self.nodes:
            raise ValueError(f"line {n + 1} goes on from {parent}, which is no entry")
        by, at = line["by"], line["at"]
        if line["kind"] == "correct":
            self.nodes[n] = Node(n, "correct", parent, by, at, thing=n, branch=branch)
            return
        was: Any = line.get("fix", line.get("was"))
        told = line["actor"], line["prompt"], line["action"], line["said"], line["thing"]
        if "lost" in line:
            self.lost[n] = _lost(line["lost"])
        self.nodes[n] = Node(n, "act", parent, by, at, *told, was, branch)
        rest = self._rest.get(parent, ())
        if "fix" in line:
            tail = [node.n for node in self.way(branch=branch)]
            if was not in tail:
                raise ValueError(f"line {n + 1} puts {was} right, which is not on the way to where {branch!r} stands")
            rest = tuple(tail[tail.index(was) + 1 :])
        same = [i for i, m in enumerate(rest) if (self.nodes[m].actor, self.nodes[m].prompt) == told[:2]]
        if same and "fix" not in line:
            rest = rest[same[0] + 1 :]
        if rest:
            self._rest[n] = rest

    def _point(self, branch: str, to: int, line: Line) -> None:
        if to not in self.nodes or (branch not in self._newest):
            raise ValueError(f"line {line['n'] + 1} goes to {to} in {branch!r}, which is not there")
        stood, kind = self.heads.get(branch, to), line["kind"]
        if not (self.lines and self.lines[-1].get("more")):
            leaps = "fix" in line or kind == "adopt" or self._left(branch, kind) == to
            self._back.pop(branch, None)
            if leaps and to != stood:
                self._back[branch] = "redo" if kind == "undo" else "undo"
            self.before[branch] = stood
        self.heads[branch], self.moved[branch] = to, line["n"]
        newest, node = self._newest[branch], self.nodes[to]
        while node.parent >= 0:
            newest[node.parent] = node.n
            if node.parent == stood:
                break
            node = self.nodes[node.parent]

    @contextmanager
    def _or_close(self, delete: bool = False) -> Iterator[None]:
        try:
            yield
        except BaseException:
            self.close()
            if delete:
                self.path.unlink(missing_ok=True)
            raise


def _lacking(error: KeyError | TypeError) -> str:
    """What is wrong with a line, of the error that it led to."""
    return f"it lacks {error}" if isinstance(error, KeyError) else f"a value is of the wrong kind ({error})"


def _check_line(line: Line) -> None:
    """KeyError if a line lacks something that its kind says; TypeError if a value is of another kind."""
    for key, kind in {**ALL_SAY, **SAYS.get(str(line.get("kind")), {})}.items():
        found = line[key]
        if not (is_whole(found, NUMBERS) if kind is int else isinstance(found, kind)):
            raise TypeError(f"{key} is {found!r:.40}")


def _lost(found: Any) -> Lost:
    numbers = [one for one in found if isinstance(one, (int, float)) and math.isfinite(one)]
    if len(found) != 3 or len(numbers) != 3:
        raise TypeError(f"lost is {found!r}, expected three numbers")
    points, low, high = found
    return points, low, high


def _opened(path: Path, flags: int = 0) -> int:
    """A file to read and append to, for this process alone."""
    file = os.open(path, os.O_RDWR | os.O_APPEND | flags | getattr(os, "O_BINARY", 0), 0o644)
    if not held(file):
        os.close(file)
        raise ValueError(f"{path} is open elsewhere")
    return file


def _contents(file: int) -> bytes:
    os.lseek(file, 0, os.SEEK_SET)
    data = b""
    while part := os.read(file, 2**24):
        data += part
    return data


def _readable(text: bytes) -> bool:
    with suppress(ValueError, RecursionError):
        return text.endswith(b"\n") and isinstance(json.loads(text), dict)
    return False


def _sync_folder(folder: Path) -> None:
    """So that a new file's name is on the disk, too."""
    if hasattr(os, "O_DIRECTORY"):
        file = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
        try:
            os.fsync(file)
        finally:
            os.close(file)
