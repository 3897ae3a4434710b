"""What the parts of a game promise (:mod:`tabletop.coach.parts`), tried on random play."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from functools import cache
from typing import Any

import numpy as np

from tabletop import record
from tabletop.coach.parts import PARTS, Parts
from tabletop.conformance import Position, Violation, play
from tabletop.game import CHANCE, Game, Record, enter
from tabletop.games import extra, parameters
from tabletop.languages import LANGUAGES

Law = Callable[[Position, Parts], Iterator[str]]


def check(game: Game, setups: Record | None = None, seeds: Iterable[int] = range(10), every: int = 1) -> None:
    """Plays one game for each seed and holds the laws of :data:`LAWS` against the parts that the game has.

    Args:
        setups: shape (n,), taken in turn; by default ``game.configure()``.
        every: of so many positions one is tried.

    Raises:
        Violation: the first that is found.
    """
    parts = Parts(game)
    for row in PARTS:
        have, lack = ([name for name in row if parts.has(name) is there] for there in (True, False))
        if have and lack:
            raise Violation(game, "together", f"it has {', '.join(have)} without {', '.join(lack)}")
    _check_options(parts)
    some = game.configure() if setups is None else setups
    for number, setup in enumerate(some if parts.has("laid") else ()):
        try:
            asked = int(parts.game.laid(setup.reshape(1))["to_act"][0])
        except ValueError:  # what lies there is still to be drawn
            continue
        if not 0 <= asked < game.seats(setup.reshape(1)):
            raise Violation(game, "laid", f"setup {number} is laid out so that {asked} is asked, which is no seat")
    for number, seed in enumerate(seeds):
        setup = some[number % len(some)].reshape(1)
        for step, s in enumerate(play(game, setup, seed).states):
            for law in LAWS if step % every == 0 else ():
                try:
                    problem = next(law(Position(game, record.copy(s), seed), parts), None)
                except Exception as error:
                    raise Violation(game, law.__name__, f"{type(error).__name__}: {error}", seed, step) from error
                if problem is not None:
                    raise Violation(game, law.__name__, problem, seed, step)


def _check_options(parts: Parts) -> None:
    """Options and their values have words, or KeyError or ValueError says that one is told as it is called."""
    game = parts.game
    values = (str(value) for some in extra(game, "grid").values() for value in some)
    for option in (*(parameters(game.configure) or ()), *values):
        for lang in LANGUAGES:
            try:
                with suppress(KeyError, ValueError):
                    parts.named(option, lang)
            except Exception as error:
                raise Violation(game, "words", f"named, of {option!r}: {type(error).__name__}: {error}") from error


def words(at: Position, parts: Parts) -> Iterator[str]:
    """Every language has words for all that a page says, and for every seat."""
    game = at.game
    for lang in LANGUAGES:
        said = [parts.who(seat, lang) for seat in at.seats]
        if len(set(said)) < len(said):
            yield f"two seats are called alike in {lang!r}: {', '.join(said)}"
        said += [parts.named(game.clock, lang), *(parts.fact(name, lang) for name in parts.facts(at.s))]
        for seat in (None, max(0, at.asked)):
            said += [game.question(at.s, lang, seat), parts.describe(at.s, lang, seat)]
            said += [game.words(at.s, action, lang, seat) for action in at.choices]
        if not all(said):
            yield f"something has no words in {lang!r}"


def scene(at: Position, parts: Parts) -> Iterator[str]:
    """A scene is JSON, and what is to be touched is in it."""
    if not parts.has("scene", "place"):
        return
    for seat in (None, *at.seats):
        picture: Any = parts.scene(at.s, "en", seat)
        try:
            json.dumps(picture, allow_nan=False)
        except (TypeError, ValueError) as error:
            yield f"the scene is no JSON: {error}"
            return
        layers = [layer["id"] for layer in picture["layers"]]
        if len(set(layers)) < len(layers):
            yield f"two layers have one name among {', '.join(layers)}"
        ids = {item["id"] for layer in picture["layers"] for item in layer["items"] if "id" in item}
        for action in at.choices:
            place = parts.place(at.s, action)
            if place is not None and place not in ids:
                yield f"choice {action} is to be touched at {place!r}, which the scene for seat {seat} does not have"


def facts(at: Position, parts: Parts) -> Iterator[str]:
    """Facts are whole numbers, and pieces are never fewer than none."""
    for name, number in parts.facts(at.s).items():
        if not isinstance(number, (int, np.integer)):
            yield f"fact {name!r} is {number!r}, not a whole number"
        elif "@" in name and number < 0:
            yield f"fact {name!r} is {number}, and pieces cannot be fewer than none"


def secrets(at: Position, parts: Parts) -> Iterator[str]:
    """What a seat cannot tell apart looks the same and counts the same, on the table's phone (None) too."""
    lang, asked = at.lang, at.s["to_act"][0]
    looks: dict[str, Callable[[Record, int | None], Any]] = {
        "facts give": parts.facts, "the scene gives": lambda s, seat: parts.scene(s, lang, seat),
        "hands give": lambda s, seat: parts.hands(s, lang, seat),
    }  # fmt: skip

    @cache
    def here(look: Callable[..., Any], *seat: int | None) -> Any:
        return look(at.s, *seat)

    def form(s: Record) -> list[tuple[Any, Any]]:
        return parts.filled(s, parts.form(s, lang))

    def said(s: Record) -> str:
        return parts.describe(s, lang)

    for seat, world in at.worlds():
        for one in (seat, None):
            for name, look in looks.items():
                if look(world, one) != here(look, one):
                    where = " on the table's phone" if one is None else ""
                    yield f"{name} away{where} to seat {seat} what it may not know"
        if asked == CHANCE and parts.thinkable(world, seat) != here(parts.thinkable, seat):
            yield f"what may be drawn gives away to seat {seat} what it may not know"
        if asked in (CHANCE, seat) and form(world) != here(form):
            yield f"what can be put right gives away to seat {seat} what it may not know"
        if said(world) != here(said):
            yield f"the words on the table's phone give away to seat {seat} what it may not know"


def steps(at: Position, parts: Parts) -> Iterator[str]:
    """An answer and all steps after it lead where ``apply`` leads."""
    for action in at.choices if parts.has("answer", "step") else ():
        *_, end = parts.run(at.s, action)
        s = record.copy(at.s)
        enter(at.game, s, action)
        if end.tobytes() != s.tobytes():
            differ = ", ".join(record.differing(end, s))
            yield f"after choice {action} the steps lead elsewhere than apply: {differ} differ"


def positions(at: Position, parts: Parts) -> Iterator[str]:
    """A position that is loaded asks the same, and every field of the form can be put right."""
    if not parts.has("dump", "load"):
        return
    game = parts.game
    dumped = json.loads(json.dumps(game.dump(at.s)))
    s = game.load(dumped)
    if game.dump(s) != dumped:
        yield "a position that is loaded is dumped as another"
    if game.question(s) != game.question(at.s) or Position(game, s).choices != at.choices:
        yield "a position that is loaded asks something else"
    for field in parts.form(at.s):
        value: Any = dumped
        for key in field.path:
            value = value.get(key) if isinstance(value, dict) else None
        if not field.allows(value):
            may = ", ".join(repr(one.value) for one in field.choices) or f"a number from {field.low} to {field.high}"
            yield f"field {'.'.join(field.path)} is {value!r}, not {may}"


LAWS: tuple[Law, ...] = (words, scene, facts, secrets, steps, positions)
