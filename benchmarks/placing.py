"""How rich must a setup side be? Plays the rungs around each side of a box that is shipped, and places it.

    python -m benchmarks.placing --agent ppo --games 40
    python -m benchmarks.placing --agent ppo --games 200 --challenge SAM-188 --rungs -4 -2 0 2 4 --write

A rung is a number of steps, each a token or an enemy, from the side as it is (:mod:`sammu_env.components.rungs`):
negative ones are richer, positive ones poorer. Each is played with 1 to 5 players, on validation seeds. A rung's few
games say little, so a logistic regression (a level for each challenge, one slope for all) says how often each rung is
won. ``--write`` puts the sides that are won nearest to ``--won`` in a hundred, on average of the five, into the data
file; of rungs that do not satisfy the conditions (:mod:`sammu_env.components.sides`) none is chosen, and what is
printed stays.
"""

from __future__ import annotations

import argparse
import math
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import tomli_w
from numpy.typing import NDArray

from sammu_env import components
from sammu_env import constants as c
from sammu_env.components import sides
from sammu_env.components.edition import DATA
from sammu_env.components.rungs import Ladder, ladder
from sammu_env.components.schema import Setup
from sammu_env.constants import CHALLENGES
from sammu_env.game import SammuRamat, load
from tabletop.editions import read_toml
from tabletop.training.evaluate import Cell, evaluate
from tabletop.training.tasks import SPLITS

#: The file of each box that is shipped, and what its sides satisfy.
BOXES = {
    "standard": (DATA / "challenges.toml", sides.HONEST),
    "novice": (DATA / "editions" / "novice.toml", sides.NOVICE),
    "expert": (DATA / "editions" / "expert.toml", sides.HONEST),
}
PLAYERS = range(1, c.MAX_PLAYERS + 1)


@dataclass(frozen=True)
class Rung:
    """What came of a rung: a cell for each number of players."""

    challenge: str
    rung: int
    good: bool  #: satisfies the conditions
    cells: list[Cell]
    months: list[int]  #: that a game of each cell has

    @property
    def won(self) -> NDArray[np.float64]:
        """Share of the games won, by number of players."""
        return np.array([cell.interval.rate for cell in self.cells])

    @property
    def games(self) -> int:
        """Of all numbers of players."""
        return sum(cell.games for cell in self.cells)

    @property
    def winning(self) -> NDArray[np.int64]:
        """(n, 2): month of each win, and the months that the game has."""
        every = [(month, last) for cell, last in zip(self.cells, self.months, strict=True)
                 for month in cell.each("month")[cell.outcomes]]  # fmt: skip
        return np.array(every, np.int64).reshape(-1, 2)

    def text(self) -> str:
        """A row of the table."""
        month, last = self.winning.T
        first = f"{100 * np.mean(month == 1):4.0f}" if len(month) else "   -"
        middle = f"{np.median(month / last):.2f}" if len(month) else "   -"
        by_players = " ".join(f"{100 * x:3.0f}" for x in self.won)
        return (f"{self.challenge} {self.rung:+4d} {'good' if self.good else '    '}  {by_players}  "
                f"{100 * self.won.mean():4.0f}  {first}  {middle}")  # fmt: skip


HEAD = "challenge rung       1   2   3   4   5   all  in month 1, % of wins; median winning month / months"


def rungs_of(ladders: Mapping[str, Ladder], chosen: Sequence[int] | None) -> dict[int, list[str]]:
    """Rung -> the challenges that have it."""
    wanted = {rung for one in ladders.values() for rung in one.rungs} if chosen is None else set(chosen)
    found = {rung: [card for card, one in ladders.items() if rung in one.rungs] for rung in sorted(wanted)}
    return {rung: cards for rung, cards in found.items() if cards}


def load_rungs(
    box: Mapping[str, Any], ladders: Mapping[str, Ladder], rungs: Mapping[int, list[str]], folder: Path
) -> SammuRamat:
    """The game with a box for each rung, in their order; the files of them are written into the folder.

    Args:
        box: the values of the edition around whose sides they lie.
    """
    paths = []
    for rung, cards in rungs.items():
        values = {**box, "challenge": {card: dict(row) for card, row in box.get("challenge", {}).items()}}
        for card in cards:
            side = ladders[card].side(rung)
            old = values["challenge"].setdefault(card, {}).get("setup", {})
            values["challenge"][card]["setup"] = {**old, "tokens": side.tokens, "enemies": side.enemies}
        paths.append(folder / f"rung{rung:+d}.toml")
        paths[-1].write_text(tomli_w.dumps(values), encoding="utf-8")
    return load(paths)


def play(
    box: Mapping[str, Any],
    ladders: Mapping[str, Ladder],
    rungs: Mapping[int, list[str]],
    agent: str,
    games: int,
    processes: int,
) -> list[Rung]:
    """Plays rungs, all in one game of many boxes."""
    with tempfile.TemporaryDirectory() as folder:
        game = load_rungs(box, ladders, rungs, Path(folder))
        found = []
        for card, one in ladders.items():
            for i, rung in enumerate(rungs):
                if rung not in one.rungs:
                    continue
                cells = [Cell({"challenge": card, "players": n}, game.configure(card, n, box=i), ("month",))
                         for n in PLAYERS]  # fmt: skip
                months = [int(game.box["months"][i, n]) for n in PLAYERS]
                found.append(Rung(card, rung, rung in one.good, cells, months))
        cells = [cell for one in found for cell in one.cells]
        if not evaluate(game, agent, cells, games, SPLITS["validation"].start, processes):
            raise KeyboardInterrupt
    return found


def fitted(found: Sequence[Rung]) -> tuple[dict[str, float], float]:
    """How often rungs are won, as a logistic regression says: the log-odds of each challenge at rung 0, and what each
    rung adds to them, for all alike.

    Each is taken to have been won and lost half a game more than it was, in the middle of its rungs, so that none is
    won never, or always.
    """
    cards = list(dict.fromkeys(one.challenge for one in found))
    rows: list[tuple[float, ...]]
    rows = [(cards.index(one.challenge), one.rung, one.games * one.won.mean(), one.games) for one in found]
    for i, card in enumerate(cards):
        rows.append((i, float(np.mean([one.rung for one in found if one.challenge == card])), 0.5, 1))
    which, rung, wins, games = np.array(rows, float).T
    inputs = np.column_stack([which[:, None] == np.arange(len(cards)), rung])
    weights = np.zeros(len(cards) + 1)
    for _ in range(50):  # Newton's method; Hastie, Tibshirani and Friedman 2009, section 4.4.1
        chance = 1 / (1 + np.exp(-inputs @ weights))
        curvature = inputs.T @ (inputs * (games * chance * (1 - chance))[:, None])
        weights += np.linalg.lstsq(curvature, inputs.T @ (wins - games * chance))[0]
    return dict(zip(cards, weights[:-1].tolist(), strict=True)), float(weights[-1])


def choose(found: Sequence[Rung], good: Mapping[str, Sequence[int]], won: float) -> dict[str, int]:
    """Of each challenge that of the good rungs that is won nearest to that share; of several the one nearest to rung 0.

    A challenge of which there is no good rung is left out.
    """
    levels, slope = fitted(found)
    return {
        card: min(good[card], key=lambda rung: (abs(1 / (1 + math.exp(-level - slope * rung)) - won), abs(rung)))
        for card, level in levels.items() if good[card]
    }  # fmt: skip


def written(text: str, card: str, side: Setup) -> str:
    """A data file with other tokens and enemies on a challenge's side; all else stays as it is.

    Raises:
        ValueError: the file does not have that side, or its tokens.
    """
    start = text.find(f"[challenge.{card}.setup]\n")
    if start < 0:
        raise ValueError(f"found no [challenge.{card}.setup]")
    end = text.find("\n[", start)
    end = len(text) if end < 0 else end
    block = text[start:end]
    for name, value in (("tokens", side.tokens), ("enemies", side.enemies)):
        line = re.compile(rf"^{name} = .*$", re.MULTILINE)
        if name == "tokens" and not line.search(block):
            raise ValueError(f"found no tokens in [challenge.{card}.setup]")
        block = line.sub(f"{name} = {inline(value)}", block)
    return text[:start] + block + text[end:]


def inline(value: Any) -> str:
    """A table in one line of TOML."""
    if not isinstance(value, dict):
        return str(value)
    names = {key: key if re.fullmatch(r"[\w-]+", key) else f'"{key}"' for key in value}
    items = [f"{names[key]} = {inline(item)}" for key, item in value.items()]
    return f"{{ {', '.join(items)} }}" if items else "{}"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", choices=BOXES, default="standard", help="whose sides (default: %(default)s)")
    parser.add_argument("--agent", default="ppo", help="who plays all seats (default: %(default)s)")
    parser.add_argument("--games", type=int, default=40, help="of each rung and cell (default: %(default)s)")
    parser.add_argument("--challenge", action="append", choices=CHALLENGES, help="default: all")
    parser.add_argument("--rungs", type=int, nargs="+", help="default: all there are")
    parser.add_argument("--won", type=float, default=55.0, help="games won, %%, to place at (default: %(default)s)")
    parser.add_argument("--processes", type=int, default=1, help="that play (default: %(default)s)")
    parser.add_argument("--write", action="store_true", help="put the chosen sides into the data file")
    args = parser.parse_args(argv)
    path, conditions = BOXES[args.edition]
    b, box = components.load(args.edition).content, {} if args.edition == components.STANDARD else read_toml(path)
    ladders = {card: ladder(b, card, conditions) for card in args.challenge or CHALLENGES}
    rungs = rungs_of(ladders, args.rungs)
    if not rungs:
        parser.error(f"none of the challenges has one of the rungs {args.rungs}")
    found = play(box, ladders, rungs, args.agent, args.games, args.processes)
    print(HEAD)
    print("\n".join(one.text() for one in found))
    good = {card: [rung for rung in one.good if min(rungs) <= rung <= max(rungs)] for card, one in ladders.items()}
    chosen = choose(found, good, args.won / 100)
    print("chosen: " + ", ".join(f"{card} {rung:+d}" for card, rung in chosen.items()), file=sys.stderr)
    if args.write:
        text = path.read_text(encoding="utf-8")
        for card, rung in chosen.items():
            text = written(text, card, ladders[card].side(rung))
        path.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
