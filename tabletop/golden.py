"""Golden games: logs that are kept in a file, so that a change in how a game is played is noticed and has to be meant.

A log holds what chance answered too: so a change of the rules, of the contents or of the generator shows, with the
first choice or outcome that is another.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path
from typing import Any

from tabletop import log as logs
from tabletop import record
from tabletop.conformance import Violation
from tabletop.game import CHANCE, Game, Record
from tabletop.log import Log, Match
from tabletop.plays import by_rule, legal


def text(game: Game, begins: Mapping[str, tuple[Record, int]], about: str = "") -> str:
    """Plays games by a rule that anybody can repeat; JSON, a line for each.

    Args:
        begins: name of each game -> its setup, shape (1,), and seed.
        about: for who reads the file, as how to write it anew.
    """
    lines = []
    for name, (setup, seed) in begins.items():
        match, step = Match(game, setup, seed), 0
        while not match.over:
            match.act(by_rule(legal(game, match.s), seed, step))
            step += 1
        lines.append(f"    {json.dumps(name)}: {json.dumps(_kept(match))}")
    games = ",\n".join(lines)
    return f'{{\n  "about": {json.dumps(about)},\n  "games": {{\n{games}\n  }}\n}}\n'


def main(path: Path, game: Game, begins: Mapping[str, tuple[Record, int]], module: str) -> None:
    """The command of a module that holds golden games: writes them anew with ``--write``."""
    command = f"python -m {module} --write"
    if sys.argv[1:] != ["--write"]:
        sys.exit(f"usage: {command}")
    path.write_text(text(game, begins, f"written by {command}"), encoding="utf-8")
    print(f"{path.name}: {len(begins)} games")


def check_current(path: Path, game: Game, begins: Mapping[str, tuple[Record, int]]) -> None:
    """ValueError if a file does not hold just what would be written now."""
    kept = path.read_text(encoding="utf-8")
    if text(game, begins, json.loads(kept)["about"]) != kept:
        raise ValueError(f"{path.name} holds other games than would be written now")


def read(path: Path) -> dict[str, Any]:
    """The games of a file: name -> "log" and "end"."""
    games: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))["games"]
    return games


def check(path: Path, game: Game, name: str) -> None:
    """Plays the choices of a golden game again.

    Raises:
        Violation: chance answers otherwise, a choice is refused, or the game ends otherwise.
        ValueError: the file is of another game, version or edition: write it anew.
    """
    kept = read(path)[name]
    log = Log.from_dict(kept["log"])
    logs.check(game, log)
    match, refused = Match(game, record.from_dict(log.setup, game.setup), log.seed), None
    for actor, action in log.entries:
        try:
            if actor != CHANCE:
                match.act(action)
        except ValueError as error:
            refused = error
            break
    for step, (now, then) in enumerate(zip_longest(match.log.entries, log.entries)):
        if now != then:
            problem = f"{name}: {refused or f'what happens is {now}'}, was {then}"
            raise Violation(game, "golden", problem, log.seed, step) from refused
    if (now := _kept(match)) != kept:
        raise Violation(game, "golden", f"{name}: the end is {now['end']}, was {kept['end']}, or the trace is another")


def _kept(match: Match) -> dict[str, Any]:
    """What is kept of a game."""
    game, s = match.game, match.s
    ended = {name: part[0].tolist() for name, part in game.results(s)._asdict().items()}
    end = {"cause": game.causes[int(s["cause"][0])], game.clock: int(s[game.clock][0]), **ended}
    return {"log": match.stamped().to_dict(), "end": end}
