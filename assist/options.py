"""Options that a command takes from the game: ``--players 3`` where the game can be configured with players."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, get_type_hints

from typer.core import TyperCommand

from tabletop import record
from tabletop.game import Game
from tabletop.games import converted, extra, load, parameters


class Option(NamedTuple):
    """An option of a game."""

    hint: Any  #: type
    help: str


Options = Mapping[str, Option]


def of_setup(game: Game) -> Options:
    """Those that a game is configured with: name -> type and help."""
    helps = extra(game, "options")
    hints = get_type_hints(game.configure)
    names = [name for name in parameters(game.configure) or {} if name != "box"]
    return {
        name: Option(hints.get(name, str), "" if helps is None else helps[name])
        for name in names if helps is None or name in helps
    }  # fmt: skip


def of_cells(game: Game) -> Options:
    """Labels of the cells that are evaluated without a task."""
    return {
        label: Option(str, f"{values[0]} to {values[-1]}: {'like 1,3-4' if _whole(values) else 'by commas'}, or all.")
        for label, values in extra(game, "grid").items()
    }


def given(game: Game, args: Sequence[str], options: Options) -> dict[str, Any]:
    """What the rest of a command line says: ``--players 3``, ``--players=3``, and of a bool ``--campaign``.

    Raises:
        ValueError: there is no such option, it has no value, or a wrong one.
    """
    flags = {flag(name): (name, True) for name in options}
    flags |= {flag(f"no_{name}"): (name, False) for name, option in options.items() if option.hint is bool}
    found: dict[str, Any] = {}
    rest = list(args)
    while rest:
        word, equals, value = rest.pop(0).partition("=")
        if word not in flags:
            own = ", ".join(map(flag, options)) or "none"
            raise ValueError(f"there is no option {word}: {game.name} has {own}, --help lists the others")
        name, yes = flags[word]
        if options[name].hint is bool and not equals:
            found[name] = yes
        elif not equals and not rest:
            raise ValueError(f"{word} has no value")
        else:
            found[name] = converted(name, value if equals else rest.pop(0), options[name].hint)
    return found


def changed(game: Game, options: Mapping[str, Any], setup: Mapping[str, Any]) -> list[str]:
    """Those options that another setup, as :func:`tabletop.record.to_dict` wrote it, does not agree with."""
    ours = game.configure(**options)
    said, found = record.to_dict(ours), []
    for name in options:
        others = {other: value for other, value in options.items() if other != name}
        fields = [name] if name in said else record.differing(ours, game.configure(**others))
        if any(said[field] != setup.get(field, said[field]) for field in fields):
            found.append(name)
    return found


def flag(name: str) -> str:
    """How an option is typed."""
    return f"--{name.replace('_', '-')}"


def chosen(game: Game, labels: Mapping[str, str]) -> dict[str, list[Any]]:
    """The values of each label of a game's cells: "all", names by commas, or numbers like 3, 1-5 or 1,3-4.

    Raises:
        ValueError: there is no such value.
    """
    grid = extra(game, "grid")
    return {name: _values(labels.get(name, "all"), name, list(values)) for name, values in grid.items()}


def _values(text: str, name: str, values: list[Any]) -> list[Any]:
    if text.lower() == "all":
        return values
    if _whole(values):
        return numbers(text, name, min(values), max(values))
    by_name = {str(value).lower(): value for value in values}
    found = [part.strip() for part in text.split(",")]
    if wrong := [part for part in found if part.lower() not in by_name]:
        raise ValueError(f"{name} is {wrong[0]!r}, choose from {', '.join(map(str, values))}")
    return list(dict.fromkeys(by_name[part.lower()] for part in found))


def _whole(values: Sequence[Any]) -> bool:
    return all(isinstance(value, int) for value in values)


def numbers(text: str, name: str, low: int, high: int) -> list[int]:
    """The numbers of "3", "1-5" or "1,3-4".

    Raises:
        ValueError: anything else, or a number outside ``low..high``.
    """
    found: set[int] = set()
    for part in text.split(","):
        match = re.fullmatch(r"\s*(\d+)(?:-(\d+))?\s*", part)
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (1, 0)
        if first > last:
            raise ValueError(f"{name} is {text!r}, expected numbers like 3, 1-5 or 1,3-4")
        if first < low or last > high:
            raise ValueError(f"{name} is {text!r}, choose from {low} to {high}")
        found.update(range(first, last + 1))
    return sorted(found)


class _Command(TyperCommand):
    """A command that leaves the options of the game to :func:`given`, and lists them in its help."""

    @staticmethod
    def options(game: Game) -> Options:
        """What it takes."""
        raise NotImplementedError

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        ctx.ignore_unknown_options = ctx.allow_extra_args = True
        ctx.meta["words"] = list(args)
        return super().parse_args(ctx, args)

    def format_help(self, ctx: Any, formatter: Any) -> None:
        super().format_help(ctx, formatter)
        name = ctx.lookup_default("game")
        for word, following in zip(ctx.meta["words"], [*ctx.meta["words"][1:], ""], strict=True):
            if word.partition("=")[0] == "--game":
                name = word.partition("=")[2] or following
        try:
            game = load(name)
        except ValueError as error:
            print(f"Options of the game: {error}")
            return
        lines = [f"  {flag(option):18}{one.help}" for option, one in self.options(game).items()]
        print("\n".join([f"Options of {game.name}:", *lines]))


class OfSetup(_Command):
    """Takes the options that a game is configured with."""

    options = staticmethod(of_setup)


class OfCells(_Command):
    """Takes the labels of a game's cells."""

    options = staticmethod(of_cells)
