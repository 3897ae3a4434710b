"""Whatever picks an action. One protocol (:mod:`tabletop.agents.base`), batch first."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable
from importlib import import_module
from operator import attrgetter
from typing import Any, get_type_hints

from tabletop.agents.base import Agent
from tabletop.game import Game
from tabletop.games import converted, extra, imported, parameters
from tabletop.needs import needed

#: Those that play any game: name -> "module:maker"; the maker takes the game. Imported when asked for.
AGENTS = {
    "random": "tabletop.agents.random:Random",
    "ppo": "tabletop.agents.policy:Policy.load",
    "drawn": "tabletop.agents.policy:Policy.drawing",
    "search": "tabletop.agents.search:Search",
}
#: What follows the colon is the path of a checkpoint, not options.
OF_A_PATH = ("ppo",)
#: What a game without a checkpoint of its own lacks, but for the path of one.
LEARNT = ("ppo", "drawn")


def names(game: Game) -> tuple[str, ...]:
    """The agents that have a name in a game: those of any game and its own. A game without a checkpoint has none that
    is LEARNT."""
    found = dict.fromkeys(["random", *extra(game, "agents"), *AGENTS])
    return tuple(name for name in found if name not in LEARNT or extra(game, "checkpoint"))


def reference(game: Game) -> str:
    """The agent that others are compared with in a game."""
    return str(extra(game, "baselines")[0])


def usual(game: Game) -> str:
    """The agent that plays a game where nobody says which: the network that it ships, or else its reference."""
    return "ppo" if extra(game, "checkpoint") else reference(game)


def make(name: str | None, game: Game, seed: int = 0) -> Agent:
    """An agent for a game, seeded.

    Args:
        name: one of :func:`names`, "ppo:PATH" of a checkpoint, or "module:Class" of one's own, which takes the game.
            Options follow a colon: "NAME:width=96,tries=96", "module:Class:depth=2". None: the :func:`reference`.

    Raises:
        ValueError: there is no such agent, or it does not take such an option; the message names the choices.
        ModuleNotFoundError: what it needs is not installed; the message says how to install it.
    """
    name = reference(game) if name is None else name
    kind, _, rest = name.partition(":")
    known = {**AGENTS, **extra(game, "agents")}
    if kind in known:
        target = known[kind]
        module, _, path = target.partition(":")
        with needed():
            maker = attrgetter(path)(import_module(module))
    elif rest:
        own, _, rest = rest.partition(":")
        kind = target = f"{kind}:{own}"
        maker = imported("agent", target)
    else:
        raise ValueError(f"agent is {name!r}, choose one of {', '.join(names(game))}, ppo:PATH of a checkpoint, or "
                         "module:Class of your own")  # fmt: skip
    if not callable(maker):
        raise ValueError(f"agent is {name!r}, but {target} is no class: it is a {type(maker).__name__}")
    if kind in OF_A_PATH:
        agent = maker(game, rest) if rest else maker(game)
    else:
        options = _options(kind, maker, rest)
        try:
            inspect.signature(maker).bind(game, **options)
        except TypeError as error:
            raise ValueError(f"agent is {name!r}, but {target} cannot be made with the game: {error}") from None
        agent = maker(game, **options)
        if options:
            told = "-".join([agent.name, *(f"{option}{value}" for option, value in options.items())])
            agent.name = re.sub(r"[^\w.+-]+", "_", told)  # a path has what no file name may have
    if lacking := [part for part in ("name", "reset", "act") if not hasattr(agent, part)]:
        raise ValueError(f"{target} is no agent: it lacks {', '.join(lacking)}")
    agent.reset(seed)
    return agent  # type: ignore[no-any-return]


def _options(kind: str, maker: Callable[..., Any], text: str) -> dict[str, Any]:
    """Those of "width=96,tries=96", as the maker declares them."""
    taken = dict(list((parameters(maker) or {}).items())[1:])  # the first is the game
    hints = get_type_hints(maker.__init__ if inspect.isclass(maker) else maker) if text else {}  # type: ignore[misc]
    found: dict[str, Any] = {}
    for part in text.split(",") if text else ():
        option, equals, value = (x.strip() for x in part.partition("="))
        if not (option and equals and value):
            raise ValueError(f"agent {kind} has options {text!r}, write them as name=value, by commas")
        if option not in taken:
            choices = f"choose from {', '.join(taken)}" if taken else "it has none"
            raise ValueError(f"agent {kind} has no option {option!r}: {choices}")
        if option in found:
            raise ValueError(f"agent {kind} has the option {option} twice")
        found[option] = converted(f"agent {kind}: {option}", value, hints.get(option, str))
    return found


__all__ = ["AGENTS", "Agent", "make", "names", "reference", "usual"]
