"""A sheet: what many questions in a row put on the table, told as numbers, instead of one answer after the other."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from typing import Any

from tabletop import record
from tabletop.coach.parts import Parts
from tabletop.coach.telling import changes
from tabletop.game import Record

LONGEST = 64  #: answers on one sheet
MOST_TRIED = 4000  #: answers that are tried to find those that a sheet means


@dataclass
class Pool:
    """A question that is asked again and again."""

    total: int = 0  #: pieces that it can put somewhere, at most
    optional: bool = False  #: whether it may also leave things as they lie


@dataclass
class Sheet:
    """What can be told at once."""

    n: int = 0  #: pieces that must be put somewhere
    rows: dict[str, int] = field(default_factory=dict)  #: ``"piece@place"`` and its pool
    pools: list[Pool] = field(default_factory=list)


class Filler:
    """Finds the sheet of a question, and the answers that a filled one means.

    Args:
        s: shape (1,), in which a seat is asked; it is not written to.

    Raises:
        ValueError: what is asked is answered by itself (:meth:`Parts.sheet_key`).
    """

    def __init__(self, parts: Parts, s: Record) -> None:
        self.parts, self.game, self.start = parts, parts.game, s
        self.key, self.seat = parts.sheet_key(s), int(s["to_act"][0])
        if self.key is None:
            raise ValueError("what is asked now is answered one by one")
        self._left = 0
        self._pools: dict[Hashable, int] = {}

    def sheet(self) -> Sheet:
        """What can be told at once."""
        found, self._pools = Sheet(), {}
        found.n = self._walk(self.start, found)
        for asks, number in self._pools.items():
            found.pools[number].total = self._most(asks)
        return found

    def answers(self, wanted: Mapping[str, int]) -> list[int]:
        """The answers that put so many pieces where they are wanted; what may stay as it lies then does.

        Args:
            wanted: numbers of 1 or more by ``"piece@place"``.

        Raises:
            ValueError: there are none such.
        """
        self._left = MOST_TRIED
        found = self._find(record.copy(self.start), dict(wanted), self.sheet())
        if found is None:
            raise ValueError("this cannot be put there: are there so many, and is nothing missing that comes before?")
        return found

    def _walk(self, s: Record, found: Sheet) -> int:
        """Notes what every question on the way can do; returns how many pieces the way must put somewhere."""
        s, must, pools = record.copy(s), 0, self._pools
        for _ in range(LONGEST):
            if not self._on_sheet(s):
                break
            asks, legal = self.parts.asks(s), self.parts.legal(s)
            if asks not in pools:
                pools[asks] = len(pools)
                found.pools.append(Pool())
                for action in legal:
                    put = self._puts(s, action)
                    for name in put:
                        found.rows.setdefault(name, pools[asks])
                    found.pools[pools[asks]].optional |= not put
                puts = {name for name, pool in found.rows.items() if pool == pools[asks]}
                if not puts:
                    found.pools[pools[asks]].optional = False
                for action in legal:
                    t = self._after(s, action)
                    if self._on_sheet(t) and self.parts.asks(t) not in pools:
                        self._walk(t, found)
            pool = pools[asks]
            must += pool in found.rows.values() and not found.pools[pool].optional
            s = self._after(s, legal[0])
        return must

    def _most(self, asks: Hashable) -> int:
        """How often a question can be asked."""
        s, n = record.copy(self.start), 0
        for _ in range(LONGEST):
            if not self._on_sheet(s):
                break
            n += self.parts.asks(s) == asks
            after = [self._after(s, action) for action in self.parts.legal(s)]
            s = next((t for t in after if self._on_sheet(t) and self.parts.asks(t) == asks), after[0])
        return n

    def _find(self, s: Record, wanted: dict[str, int], sheet: Sheet) -> list[int] | None:
        if not self._on_sheet(s):
            return None if wanted else []
        if not wanted:
            optional = sheet.pools[self._pools[asks]].optional if (asks := self.parts.asks(s)) in self._pools else False
            stays = [action for action in self.parts.legal(s) if not self._puts(s, action)] if optional else []
            return [stays[0], *(self._find(self._after(s, stays[0]), wanted, sheet) or ())] if stays else []
        for action in self.parts.legal(s):
            self._left -= 1
            if self._left < 0:
                return None
            put = {name: n for name, n in self._puts(s, action).items() if name in sheet.rows}
            if all(wanted.get(name, 0) >= n for name, n in put.items()):
                rest = {name: n - put.get(name, 0) for name, n in wanted.items() if n > put.get(name, 0)}
                if (more := self._find(self._after(s, action), rest, sheet)) is not None:
                    return [action, *more]
        return None

    def _on_sheet(self, s: Record) -> bool:
        return int(s["to_act"][0]) == self.seat and self.parts.sheet_key(s) == self.key

    def _after(self, s: Record, action: int) -> Record:
        after: Any = record.copy(s)
        self.game.apply(self.game.box, after, action)
        return after

    def _puts(self, s: Record, action: int) -> dict[str, int]:
        """What an answer itself puts somewhere."""
        moved = changes(self.parts.facts(s, self.seat), self.parts.facts(next(self.parts.run(s, action)), self.seat))
        return {f"{one.name}@{one.target}": one.amount for one in moved if one.target is not None}
