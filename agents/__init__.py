"""Whatever picks an action. One protocol (:mod:`tabletop.agents.base`), batch first."""

from __future__ import annotations

from importlib import import_module
from operator import attrgetter

from tabletop.agents.base import Agent
from tabletop.game import Game

#: name -> "module:maker"; the maker takes the game, and what follows a colon in the name. Imported when asked for.
AGENTS = {
    "random": "tabletop.agents.random:Random",
    "scripted": "tabletop.agents.scripted:Scripted",
    "planner": "tabletop.agents.planner:Planner",
    "ppo": "tabletop.agents.policy:Policy.load",
    "search": "tabletop.agents.search:Search.load",
}


def make(name: str, game: Game, seed: int = 0) -> Agent:
    """An agent by name, for a game, seeded: "scripted", "ppo", or with weights of one's own, "ppo:runs/mine/best", or
    what searches on top of it, "search:seconds=1".

    Raises:
        ValueError: no such agent; the message names those there are.
    """
    kind, _, which = name.partition(":")
    if kind not in AGENTS or (which and kind not in ("ppo", "search")):
        raise ValueError(f"agent is {name!r}, choose one of {', '.join(AGENTS)}, ppo:PATH of a checkpoint, "
                         "or search:seconds=1")  # fmt: skip
    module, maker = AGENTS[kind].split(":")
    agent: Agent = attrgetter(maker)(import_module(module))(game, *([which] if which else []))
    agent.reset(seed)
    return agent


__all__ = ["AGENTS", "Agent", "make"]
