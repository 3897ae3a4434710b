"""Whatever picks an action. One protocol (:mod:`agents.base`), batch first."""

from __future__ import annotations

from importlib import import_module

from agents.base import Agent
from tabletop.game import Game

#: name -> "module:class"; the class takes the game. Modules are imported when asked for.
AGENTS = {
    "random": "agents.random:Random",
    "scripted": "agents.scripted:Scripted",
}


def make(name: str, game: Game, seed: int = 0) -> Agent:
    """An agent by name, for a game, seeded.

    Raises:
        ValueError: no such agent; the message names those there are.
    """
    if name not in AGENTS:
        raise ValueError(f"agent is {name!r}, choose one of {', '.join(AGENTS)}")
    module, kind = AGENTS[name].split(":")
    agent: Agent = getattr(import_module(module), kind)(game)
    agent.reset(seed)
    return agent


__all__ = ["AGENTS", "Agent", "make"]
