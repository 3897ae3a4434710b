"""What a game may offer the coach beside :class:`tabletop.game.Game`: each part is optional.

With none of them the coach still asks questions, lists what may be chosen, and keeps, mends and advises. Each part
adds a screen or a sentence; :func:`tabletop.coach.laws.check` holds against a game what its parts promise.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import getitem
from typing import Any, NamedTuple, Protocol, TypedDict

import numpy as np

from tabletop import record
from tabletop.coach.words import say
from tabletop.game import CHANCE, NOBODY, Game, Record, enter, legal_mask, named, new_state

Point = tuple[float, float]


class Item(TypedDict, total=False):
    """One shape of a scene, in the scene's own units, y down. Colours are ``#rrggbb``; without one: not drawn."""

    form: str  #: "polygon", "rect" (two corners), "circle" (centre), "line" or "text" (where its baseline starts)
    points: Sequence[Point]
    id: str  #: of what people touch or talk about; several items may share one
    radius: float  #: of circles, and of a rectangle's corners
    fill: str
    stroke: str
    width: float  #: of a stroke
    dash: Point
    text: str
    size: float
    anchor: str  #: "start", "middle" or "end"


class Layer(TypedDict):
    """Items that are shown and hidden together, drawn in their order."""

    id: str
    items: Sequence[Item]


class Scene(TypedDict):
    """A picture of the table as plain data, for JSON."""

    width: float
    height: float
    layers: Sequence[Layer]


class Choice(NamedTuple):
    """One of the values that a field may have."""

    value: int | str
    label: str


class Field(NamedTuple):
    """One number of a position that people can put right, or one choice of several."""

    path: tuple[str, ...]  #: its keys in what ``dump`` gives
    label: str
    zone: str  #: fields of one zone are shown together
    low: int = 0
    high: int = 0
    pool: str = ""  #: fields of one pool share ``total`` pieces
    total: int = 0
    choices: Sequence[Choice] = ()  #: the values that it may have; none: a number from ``low`` to ``high``

    def allows(self, value: Any) -> bool:
        """Whether it may have this value. What a whole position allows, ``load`` says."""
        if self.choices:
            return any(type(value) is type(one.value) and value == one.value for one in self.choices)
        return isinstance(value, int) and self.low <= value <= self.high


class Held(TypedDict):
    """A card in a hand."""

    id: str  #: as of ``cards``, if the game has these
    title: str
    text: str  #: what it does and costs
    by: Sequence[str]  #: who of its seat could play it now, in words


class Hand(TypedDict):
    """The cards of a seat."""

    seat: int
    n: int  #: of cards, which everybody sees
    cards: Sequence[Held] | None  #: None: they are not for whoever looks


def shown_to(seat: int | None, hands: Iterable[Sequence[Held]], secret: bool = True) -> list[Hand]:
    """The hands of all seats, each as a list of its cards, as a seat sees them: where they are ``secret`` its own
    alone."""
    return [{"seat": holder, "n": len(cards), "cards": None if secret and holder != seat else list(cards)}
            for holder, cards in enumerate(hands)]  # fmt: skip


class Deed(NamedTuple):
    """Choices that follow one another and are one thing for people."""

    n: int  #: of choices, one at least
    text: str  #: a sentence; empty: what the choices move, or their own words, say enough


def within(position: Any, path: Iterable[str]) -> Any:
    """What stands at a path in a position."""
    return reduce(getitem, path, position)


def prompt(s: Record) -> int:
    """What is asked, of a game with a stack of steps (:mod:`tabletop.steps`)."""
    return int(s["op"][0, s["sp"][0] - 1])


def in_one(
    game: Game, made: Iterable[tuple[Record, int]], belongs: Mapping[int, Container[int]]
) -> Iterator[list[tuple[Record, int]]]:
    """Choices that are one thing for people: one, and those right after it that belong to it, by the same seat in the
    same turn.

    Args:
        made: states, shape (1,), each with the choice that is made there.
        belongs: prompts, each with those whose answers belong to its own.
    """
    parts, one = Parts(game), list[tuple[Record, int]]()
    for s, action in made:
        begun = one[0][0] if one else s
        same = begun["to_act"][0] == s["to_act"][0] and parts.turn_key(begun) == parts.turn_key(s)
        if one and not (same and prompt(s) in belongs.get(prompt(begun), ())):
            yield one
            one = []
        one.append((s, action))
    if one:
        yield one


class Coached(Game, Protocol):
    """A game with every part.

    What is said and shown is for a ``seat``, as with ``words``: nothing that this seat may not know. None is the
    table's phone, which all look at: where seats have secrets from one another it is shown what lies open.
    """

    def scene(self, s: Record, lang: str = "en", seat: int | None = None) -> Scene:
        """The table as a picture."""

    def place(self, s: Record, action: int) -> str | None:
        """What to touch in the scene for a choice: an item's id; None: it is only in the list."""

    def facts(self, s: Record, seat: int | None = None) -> Mapping[str, int]:
        """What lies on the table, counted. ``"piece@place"`` is a number of pieces somewhere, which people move;
        a name without ``@`` is a number that they set, such as a track's."""

    def named(self, name: str, lang: str = "en") -> str:
        """A piece, a place or a number of ``facts``, a seat (``"{seat_name} {number}"``) or the clock, in words.

        Options of ``configure`` and their values are asked for, too: KeyError or ValueError says that one has none.
        """

    def stage(self, s: Record, lang: str = "en") -> str:
        """What part of its round the game is in: a headline of what happens now."""

    def goal(self, s: Record, lang: str = "en") -> str:
        """What wins, in words."""

    def cards(self, lang: str = "en") -> Sequence[Mapping[str, Any]]:
        """What has a name in the box: ``id``, ``title``, and whether its values are known to be ``printed``."""

    def card(self, card: str, lang: str = "en") -> Mapping[str, Any]:
        """One of them, with its ``text`` and its ``fields``: ``name``, ``value``, ``provenance``; if it can say them, a
        ``label`` in words and the ``shape`` of what may stand there (:mod:`tabletop.coach.shapes`). ValueError: none.
        """

    def differs(self, card: str, values: Mapping[str, Any]) -> Coached:
        """The game with what is really printed on a card, by the names of its fields; the owner's file says so from now
        on. ValueError says what is wrong; then nothing has changed."""

    def hands(self, s: Record, lang: str = "en", seat: int | None = None) -> Sequence[Hand]:
        """The cards of all seats, and who could play each of them now."""

    def edition_text(self) -> str:
        """The owner's edition file. ValueError: there is none."""

    def take_edition(self, text: str) -> Coached:
        """The game with another text of the owner's edition file, which is written. ValueError says what is wrong with
        it; then nothing has changed."""

    @property
    def answer(self) -> Callable[[Record, Record, int], bool]:
        """``answer(box, s, action) -> bool``: as ``apply``, but it does not run on."""

    @property
    def step(self) -> Callable[[Record, Record], bool]:
        """``step(box, s) -> bool``: one turn of what ``apply`` runs on with; False: nothing was left to do.

        ``answer``, then ``step`` until it is False, leads where ``apply`` leads."""

    def turn_key(self, s: Record) -> Hashable:
        """Equal as long as one plan goes on: choices of one turn are thought out together."""

    def sheet_key(self, s: Record) -> Hashable:
        """Equal for questions that can be answered together on one sheet, by where their pieces come to lie; None: this
        one is answered alone."""

    def deeds(self, made: Sequence[tuple[Record, int]], lang: str = "en", seat: int | None = None) -> Sequence[Deed]:
        """What people do by choices, one after the other, each with the state, shape (1,), in which it is made."""

    def sees(self, s: Record, action: int, seat: int) -> bool:
        """Whether a seat sees what is answered to the question of a state. Without this part: where seats have no
        secrets, and elsewhere if it is asked itself."""

    def dump(self, s: Record) -> dict[str, Any]:
        """A state as a readable position, for JSON."""

    def load(self, position: Mapping[str, Any]) -> Record:
        """The state, shape (1,), of such a position. ValueError says what is wrong and what is allowed."""

    def form(self, s: Record, lang: str = "en") -> Sequence[Field]:
        """What of a state's position can be put right one by one."""

    def laid(self, setup: Record) -> Record:
        """The state, shape (1,), of a table as it is laid out for a setup, with a question to a seat: people who only
        want advice put right what lies differently, and need not enter how it came about.

        Raises:
            ValueError: what lies there is still to be drawn.
        """


#: Names of all parts; those of one row are offered together.
PARTS = (("scene", "place"), ("facts", "named"), ("stage",), ("answer", "step"), ("turn_key",), ("deeds",),
         ("sheet_key",), ("sees",), ("dump", "load"), ("form",), ("laid",), ("goal",), ("cards", "card", "differs"),
         ("hands",), ("edition_text", "take_edition"))  # fmt: skip


#: In which it is looked for what chance may bring: among 30 cards that nobody sees, one of which is left to be drawn,
#: a card is missed once in a thousand times.
WORLDS = 200

#: Choices after which chance is asked at last, in most games; where not, a first draw may be compiled later.
MOST_TO_A_DRAW = 40


def headed(who: str, question: str) -> str:
    """A question with who is asked before it, where its own words do not begin with that."""
    return question if question.startswith(who) else f"[{who}] {question}"


class Parts:
    """The parts of a game, with what stands in for those that it does not have."""

    def __init__(self, game: Game) -> None:
        self.game: Any = game

    def has(self, *names: str) -> bool:
        """Whether the game has all of these parts."""
        return all(hasattr(self.game, name) for name in names)

    def scene(self, s: Record, lang: str = "en", seat: int | None = None) -> Scene | None:
        """The table as a picture, or None."""
        return self.game.scene(s, lang, seat) if self.has("scene") else None

    def place(self, s: Record, action: int) -> str | None:
        """What to touch for a choice, or None."""
        return self.game.place(s, action) if self.has("place") else None

    def facts(self, s: Record, seat: int | None = None) -> Mapping[str, int]:
        """What lies on the table, or nothing."""
        return self.game.facts(s, seat) if self.has("facts") else {}

    def named(self, name: str, lang: str = "en") -> str:
        """A part of a fact's name in words, or as it is."""
        return str(self.game.named(name, lang)) if self.has("named") else name

    def fact(self, name: str, lang: str = "en") -> str:
        """A whole fact's name in words: the place, then the piece."""
        piece, _, place = name.partition("@")
        return " · ".join(self.named(part, lang) for part in (place, piece) if part)

    def hands(self, s: Record, lang: str = "en", seat: int | None = None) -> Sequence[Hand]:
        """The cards of all seats, or nothing."""
        return self.game.hands(s, lang, seat) if self.has("hands") else ()

    def who(self, actor: int, lang: str = "en") -> str:
        """Who is asked, in words: the one name of a seat for people."""
        if actor < 0:
            return say("chance" if actor == CHANCE else "nobody", lang)
        if not self.has("named"):
            return say("seat", lang, n=actor + 1)
        return self.named(f"{self.game.seat_name} {actor}", lang)

    def goal(self, s: Record, lang: str = "en") -> str:
        """What wins, or nothing."""
        return str(self.game.goal(s, lang)) if self.has("goal") else ""

    def stage(self, s: Record, lang: str = "en") -> str:
        """A headline, or nothing."""
        return str(self.game.stage(s, lang)) if self.has("stage") else ""

    def turn_key(self, s: Record) -> Hashable:
        """What stays equal as long as one plan goes on: by default the seat that is asked, until another is."""
        return self.game.turn_key(s) if self.has("turn_key") else int(s["to_act"][0])

    def sees(self, s: Record, action: int, seat: int | None) -> bool:
        """Whether a seat sees what is answered: the one that is asked does. None, nobody in particular, sees all."""
        if seat is None or s["to_act"][0] == seat:
            return True
        return bool(self.game.sees(s, action, seat)) if self.has("sees") else not self.game.secrets(s)[0]

    def tells(self, s: Record, action: int, seat: int | None) -> bool:
        """Whether somebody is told later what was answered: the table's phone, which all look at, only what all saw."""
        seats = range(self.game.seats(s)) if seat is None else (seat,)
        return all(self.sees(s, action, one) for one in seats)

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        """The table in words; for the table's phone where seats have secrets, the lines that every seat is told."""
        if seat is not None or not self.game.secrets(s)[0]:
            return str(self.game.describe(s, lang, seat))
        first, *others = (self.game.describe(s, lang, one).splitlines() for one in range(self.game.seats(s)))
        return "\n".join(line for line in first if all(line in told for told in others))

    def thinkable(self, s: Record, seat: int | None) -> list[int]:
        """What a seat may take to be possible where chance or another seat is asked. Cards that others hold in secret
        are among what may be drawn, as it cannot know that they are not; and so is what may be chosen only with some
        cards. For the table's phone, what any seat may take to be drawn."""
        legal, asked = self.legal(s), s["to_act"][0]
        others = asked >= 0 and seat not in (None, asked)
        drawn = asked == CHANCE and not self.tells(s, legal[0], None)
        if not (others or drawn) or not self.game.secrets(s)[0]:
            return legal
        possible, rng = set(legal), np.random.default_rng(0)
        for one in range(self.game.seats(s)) if seat is None else (seat,):
            for _ in range(WORLDS):
                possible.update(self.legal(self.game.resample(s, one, rng)))
        return sorted(possible)

    def sheet_key(self, s: Record) -> Hashable:
        """Of questions that are answered together, where pieces are counted; else None."""
        return self.game.sheet_key(s) if s["to_act"][0] >= 0 and self.has("sheet_key", "facts") else None

    def asks(self, s: Record, lang: str = "en", seat: int | None = None) -> tuple[int, str]:
        """Who is asked, and what, but for the numbers in it: how many are left, say."""
        return int(s["to_act"][0]), re.sub(r"\d+", "", self.game.question(s, lang, seat))

    def form(self, s: Record, lang: str = "en") -> Sequence[Field]:
        """What can be put right one by one, or nothing."""
        return self.game.form(s, lang) if self.has("form", "dump", "load") else ()

    def filled(self, s: Record, form: Sequence[Field]) -> list[tuple[Field, Any]]:
        """Fields of a form with their values in a state."""
        position = self.game.dump(s) if form else {}
        return [(field, within(position, field.path)) for field in form]

    def legal(self, s: Record) -> list[int]:
        """What may be chosen; nothing where nobody is asked."""
        return [int(action) for action in np.flatnonzero(legal_mask(self.game, s))]

    def run(self, s: Record, action: int) -> Iterator[Record]:
        """What an answer does, bit by bit: the state after the answer itself, then after all that follows by itself.

        It is the same array each time, and another one than ``s``. ValueError: the answer is illegal.
        """
        game, one = self.game, record.copy(s)
        if one["to_act"][0] == CHANCE:
            game.sample(game.box, one)
        bit_by_bit = self.has("answer", "step")
        if not (game.answer if bit_by_bit else game.apply)(game.box, one, action):
            raise ValueError(f"illegal action {named(game, s, action)}")
        yield one
        while bit_by_bit and game.step(game.box, one):
            yield one

    def ready(self) -> None:
        """Compiles what a table calls, so that nobody waits for it after a tap."""
        s = new_state(self.game)
        setup = self.game.configure()
        setup["manual_chance"] = 1
        self.game.reset(self.game.box, s, setup, 0)
        self.hands(s)
        for _ in range(MOST_TO_A_DRAW):
            asked = s["to_act"][0]
            if asked == NOBODY:
                return
            action = int(legal_mask(self.game, s).argmax())
            for _ in self.run(s, action):
                pass
            enter(self.game, s, action)
            if asked == CHANCE:
                return
