"""What people have to move on the board: the difference of what lay there and what lies there now."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

from tabletop import record
from tabletop.coach.parts import Deed, Parts
from tabletop.coach.words import say
from tabletop.game import Record

#: The piece that a game counts where pieces lie face down, for whoever may not know which: turned down as they move,
#: they leave a place as what they are, and come to the other as this.
FACE_DOWN = "face-down"


@dataclass(frozen=True)
class Change:
    """Pieces that go from one place to another, or a number that is set.

    Without a ``source`` pieces come from outside, without a ``target`` they leave; a number has neither.
    """

    name: str  #: the piece, or the number
    amount: int  #: pieces that move, or what the number is now
    source: str | None = None
    target: str | None = None
    was: int = 0  #: what the number was


@dataclass(frozen=True)
class Told:
    """One thing to do on the board."""

    text: str
    stage: str  #: the headline under which it happens
    own: bool  #: what the answer itself does; else it follows by itself
    #: Pieces that move together, from one place to one other, or one number; none where nothing counted changes.
    changes: tuple[Change, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """For JSON."""
        return asdict(self)


def changes(before: Mapping[str, int], after: Mapping[str, int]) -> list[Change]:
    """What has changed between two counts of a table: pieces that leave one place and come to another have moved."""
    numbers, leaving, coming = [], dict[str, dict[str, int]](), dict[str, dict[str, int]]()
    for fact in dict.fromkeys([*before, *after]):
        was, now = int(before.get(fact, 0)), int(after.get(fact, 0))
        piece, at, place = fact.partition("@")
        if now == was:
            continue
        if not at:
            numbers.append(Change(fact, now, was=was))
        elif now < was:
            leaving.setdefault(piece, {})[place] = was - now
        else:
            coming.setdefault(piece, {})[place] = now - was
    moved = []
    for piece in dict.fromkeys([*leaving, *coming]):
        moved += _paired(piece, leaving.get(piece, {}), coming.get(piece, {}))
    return _turned_down(moved) + numbers


def _turned_down(moved: list[Change]) -> list[Change]:
    """Where as many pieces leave one place as come to another face down, they have moved there."""
    down = [one for one in moved if one.name == FACE_DOWN and one.source is None]
    gone = [one for one in moved if one.name != FACE_DOWN and one.target is None]
    one_way = len(down) == 1 and len({one.source for one in gone}) == 1
    if not one_way or sum(one.amount for one in gone) != down[0].amount:
        return moved
    return [replace(one, target=down[0].target) if one in gone else one for one in moved if one not in down]


def _paired(piece: str, leaving: dict[str, int], coming: dict[str, int]) -> list[Change]:
    """Moves of one piece: first where the numbers are equal, then as they come."""
    found = []

    def move(source: str, target: str) -> None:
        amount = min(leaving[source], coming[target])
        found.append(Change(piece, amount, source, target))
        for places, place in ((leaving, source), (coming, target)):
            places[place] -= amount
            if not places[place]:
                del places[place]

    for source in list(leaving):
        if (same := next((target for target in coming if coming[target] == leaving[source]), None)) is not None:
            move(source, same)
    while leaving and coming:
        move(next(iter(leaving)), next(iter(coming)))
    return [
        *found,
        *(Change(piece, amount, source=place) for place, amount in leaving.items()),
        *(Change(piece, amount, target=place) for place, amount in coming.items()),
    ]


def told(parts: Parts, s: Record, action: int, lang: str = "en", seat: int | None = None) -> list[Told]:
    """What to do on the board once a question is answered, in the order in which it happens.

    Args:
        s: shape (1,), before the answer.

    Raises:
        ValueError: the answer is illegal.
    """
    found, before, own = list[Told](), parts.facts(s, seat), True
    stage = parts.stage(s, lang)
    for after in parts.run(s, action):
        now = parts.facts(after, seat)
        found += _lines(changes(before, now), stage, own)
        before, own, stage = now, False, parts.stage(after, lang)
    return joined(found, parts, lang)


def between(
    parts: Parts, s: Record | None, t: Record, lang: str = "en", seat: int | None = None, but: Iterable[Change] = ()
) -> list[Told]:
    """What to do on the board to get from one state, or an empty table, to another, whatever lay between.

    Args:
        but: what is told otherwise.
    """
    before = {} if s is None else parts.facts(record.copy(s), seat)
    found = changes(before, parts.facts(t, seat))
    for change in but:
        found = _without(found, change)
    return joined(_lines(found, parts.stage(t, lang), True), parts, lang)


def _without(found: list[Change], told: Change) -> list[Change]:
    """Changes less one of them, or part of one."""
    for i, one in enumerate(found):
        if (one.name, _way(one)) == (told.name, _way(told)) and one.amount >= told.amount:
            rest = [replace(one, amount=one.amount - told.amount)] if one.amount > told.amount else []
            return [*found[:i], *rest, *found[i + 1 :]]
    return found


def deeds(parts: Parts, made: Sequence[tuple[Record, int]], lang: str = "en", seat: int | None = None) -> list[str]:
    """Choices as what people do, a line each: as the game says it, or else what they move, or their own words.

    Args:
        made: states, shape (1,), each with the choice that is made there.
    """
    of_game = parts.game.deeds(made, lang, seat) if parts.has("deeds") else [Deed(1, "")] * len(made)
    lines, at = list[Told](), 0
    for n, text in of_game:
        lines += [Told(text, "", True)] if text else _plain(parts, made[at : at + n], lang, seat)
        at += n
    return [one.text for one in joined(lines, parts, lang)]


def _plain(parts: Parts, made: Sequence[tuple[Record, int]], lang: str, seat: int | None) -> list[Told]:
    """What choices themselves move; or, where that is nothing, their words."""
    moved = list[Change]()
    for s, action in made:
        found = changes(parts.facts(s, seat), parts.facts(next(parts.run(s, action)), seat))
        moved += [one for one in found if _way(one) != NO_WAY]
    return _lines(moved, "", True) or [Told(parts.game.words(s, a, lang, seat), "", True) for s, a in made]


def joined(found: list[Told], parts: Parts, lang: str = "en") -> list[Told]:
    """The same in words, with what goes the same way one after the other in one line."""
    lines: list[Told] = []
    for one in found:
        last = lines[-1] if lines else None
        if last and one.changes and last.changes and _way(last.changes[0]) == _way(one.changes[0]) != NO_WAY \
                and (last.stage, last.own) == (one.stage, one.own):  # fmt: skip
            amounts: dict[str, int] = {}
            for change in (*lines.pop().changes, *one.changes):
                amounts[change.name] = amounts.get(change.name, 0) + change.amount
            together = (replace(one.changes[0], name=name, amount=n) for name, n in amounts.items())
            one = replace(one, changes=tuple(together))
        lines.append(replace(one, text=_words(one.changes, parts, lang)) if one.changes else one)
    return lines


#: Of numbers, which do not move.
NO_WAY = (None, None)


def _way(change: Change) -> tuple[str | None, str | None]:
    return change.source, change.target


def _lines(found: list[Change], stage: str, own: bool) -> list[Told]:
    """Pieces that go the same way at once are one line, without words yet."""
    ways: dict[Any, list[Change]] = {}
    for change in found:
        ways.setdefault(change.name if _way(change) == NO_WAY else _way(change), []).append(change)
    return [Told("", stage, own, tuple(together)) for together in ways.values()]


def _words(together: tuple[Change, ...], parts: Parts, lang: str) -> str:
    """As something to do."""
    first = together[0]
    if _way(first) == NO_WAY:
        return say("set", lang, piece=parts.named(first.name, lang), was=first.was, n=first.amount)
    source, target = (None if place is None else parts.named(place, lang) for place in _way(first))
    each = [say("pieces", lang, n=change.amount, piece=parts.named(change.name, lang)) for change in together]
    key = "put" if source is None else "take" if target is None else "move"
    return say(key, lang, what=say("comma", lang).join(each), source=source, target=target)
