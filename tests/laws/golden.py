"""Golden games: what a fixed rule plays from fixed seeds, with the box as shipped.

A change of the rules or of the box's data changes them, and then ``sammu_env``'s version or edition has changed too.
Write them anew, and say in the commit why:

    python -m tests.laws.golden --write
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from sammu_env import constants as c
from sammu_env.game import CHALLENGES
from tabletop.game import CHANCE
from tabletop.log import Match, trace
from tests.laws.walk import GAME, Way, by_rule

PATH = Path(__file__).with_name("golden.json")
WRITE = "python -m tests.laws.golden --write"


def ways() -> dict[str, Way]:
    """Each challenge, each number of players, a campaign: name and way."""
    found = {name: Way(100 + i, 1 + i % 5, name) for i, name in enumerate(CHALLENGES)}
    found |= {f"{players} players": Way(200 + players, players) for players in range(1, 6)}
    found["campaign"] = Way(300, 3, "SAM-179", campaign=True, oracles=2)
    return found


def play(way: Way) -> Match:
    """The whole game by the rule, with its log."""
    match, step = Match(GAME, way.setup(), way.seed), 0
    while not match.over:
        match.act(by_rule(match.s, way.seed, step))
        step += 1
    return match


def entry(match: Match) -> dict[str, Any]:
    """What is kept of a game."""
    s = match.s[0]
    return {
        "seed": match.log.seed,
        "entries": len(match.log.entries),
        "drawn": sum(actor == CHANCE for actor, _ in match.log.entries),
        "trace": list(trace(match.s)),
        "result": c.RESULTS[int(s["result"])],
        "cause": c.CAUSES[int(s["cause"])],
        "month": int(s["month"]),
        "score": s["score"].tolist(),
    }


def written() -> dict[str, Any]:
    """The file's contents."""
    data: dict[str, Any] = json.loads(PATH.read_text(encoding="utf-8"))
    return data


def write() -> None:
    """Plays all and writes the file."""
    games = {name: entry(play(way)) for name, way in ways().items()}
    lines = ",\n".join(f"    {json.dumps(name)}: {json.dumps(game)}" for name, game in games.items())
    head = f'  "about": "written by {WRITE}",\n  "version": {GAME.version},\n  "edition": {json.dumps(GAME.edition)}'
    PATH.write_text(f'{{\n{head},\n  "games": {{\n{lines}\n  }}\n}}\n', encoding="utf-8")


if __name__ == "__main__":
    if sys.argv[1:] != ["--write"]:
        sys.exit(f"usage: {WRITE}")
    write()
    print(f"{PATH.name}: {len(ways())} games")
