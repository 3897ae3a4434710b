"""How well a trained rival plays, as tables: ``python -m benchmarks.rivals NAME --write docs/NAME.md``.

Against another agent it shares the seats, and each seed is played once for each way round, so that luck weighs less; of
equals each has half of the wins. ``--pool`` plays every agent against every other, and ``--exploit`` a learner that was
trained with one seat against the frozen agent on all others (docs/training.md, "Rivals"). The last table says how often
each nation, or whatever else a seat plays, wins among trained players.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from tabletop import agents, games
from tabletop.agents.policy import Policy
from tabletop.game import Game, Record, win_shares
from tabletop.stats import Interval, mean
from tabletop.training.evaluate import Cell, evaluate
from tabletop.training.markdown import check, table, write
from tabletop.training.match import round_robin, standings, wins_against
from tabletop.training.tasks import SPLITS, find, game_of, main

#: Of a game the field of a state that says which side each seat plays, and the names of the sides.
SIDES = {"pergamemnon": ("nation", "pergamemnon_env.constants:NATIONS"),
         "xerxes": ("satrap", "xerxes_env.constants:SATRAPS")}  # fmt: skip


def percent(one: Interval) -> str:
    """ "52.1 (50.3 to 53.9)"."""
    return f"{100 * one.rate:.1f} ({100 * one.low:.1f} to {100 * one.high:.1f})"


def number(one: Interval) -> str:
    """As :func:`percent`, of a mean."""
    return f"{one.rate:.2f} ({one.low:.2f} to {one.high:.2f})"


def shared(game: Game, task: str) -> list[Cell]:
    """The test cells of a task in which there are rivals, nothing played."""
    return [cell for cell in find(game, task).cells(game) if game.seats(cell.setup[:1]) > 1]


def against(game: Game, agent: str, rivals: Sequence[str], tasks: Sequence[str], each: int) -> Iterator[list[str]]:
    """Lines of a table: an agent against each rival, in each cell of tasks."""
    yield ["task", "players", "against", "share of the wins, %", "points", "points of the rival"]
    for task in tasks:
        for rival in rivals:
            for cell in shared(game, task):
                if not evaluate(game, (agent, rival), [cell], each, SPLITS["test"].start):
                    raise KeyboardInterrupt
                own, other = standings((agent, rival), [cell])
                players = str(game.seats(cell.setup[:1]))
                yield [task, players, rival, percent(own.share), number(own.score), number(other.score)]


def alone(game: Game, learner: str, frozen: str, task: str, each: int) -> Iterator[list[str]]:
    """Lines of a table: a learner with one seat against a frozen agent on all others."""
    yield ["players", "share of the wins, %", "of equals"]
    policy, seeds = agents.make(learner, game), SPLITS["test"].start + np.arange(each)
    for cell in shared(game, task):
        setups, players = cell.setups(0, each), game.seats(cell.setup[:1])
        wins = wins_against(game, policy, partial(agents.make, frozen, game), setups, seeds)
        yield [str(players), percent(mean(wins)), f"{100 / players:.1f}"]


def pool(game: Game, names: Sequence[str], players: int, each: int) -> Iterator[list[str]]:
    """Lines of a table: strengths on Elo's scale, the best first, and shares of the wins against each other."""
    found = round_robin(game, names, game.configure(players=players), each, SPLITS["test"].start)
    called = [Path(name).name for name in found.agents]
    yield ["agent", "Elo", *(f"against {name}, %" for name in called)]
    for i in np.argsort(-found.elo):
        shares = ("" if np.isnan(share) else f"{100 * share:.0f}" for share in found.shares[i])
        yield [called[i], f"{found.elo[i]:+.0f}", *shares]


def worth(game: Game, agent: str, field: str, names: Sequence[str], task: str, each: int) -> Iterator[list[str]]:
    """Lines of a table: what each side has of the wins, times the players, where an agent has all seats."""
    cells, policy = shared(game, task), agents.make(agent, game)
    assert isinstance(policy, Policy), f"{agent} is no network"
    shares: list[list[NDArray[np.float64]]] = []
    for cell in cells:
        ended = policy.play(cell.setups(0, each), SPLITS["test"].start + np.arange(each))
        shares.append(_shares(game, ended, field, len(names)))
    yield [field, *(f"{game.seats(cell.setup[:1])} players" for cell in cells), "all"]
    for side, name in enumerate(names):
        own = [by_side[side] for by_side in shares]
        yield [name, *(f"{x.mean():.2f}" for x in own), number(mean(np.concatenate(own)))]


def _shares(game: Game, ended: Record, field: str, sides: int) -> list[NDArray[np.float64]]:
    """Of each side the wins of its seats in finished games, (n,), times the players: 1 is fair."""
    results = game.results(ended)
    there = results.place > 0
    fair = win_shares(results) * there.sum(1, keepdims=True)
    return [fair[there & (ended[field][:, : there.shape[1]] == side)] for side in range(sides)]


def text(game: Game, options: argparse.Namespace) -> Iterator[str]:
    """The tables that are asked for, each with what it says."""
    tasks = [main(game), *(["any-box"] if options.boxes else [])]
    box = game.edition[:12]
    game = game_of(game, [find(game, task) for task in tasks], "test")
    first, last = SPLITS["test"].start, SPLITS["test"].start + options.games - 1
    yield (f"Test seeds {first:,} to {last:,}, box `{box}`; `{options.agent}` always takes its "
           "likeliest choice; 95% intervals.")  # fmt: skip
    yield table([*against(game, options.agent, games.extra(game, "baselines"), tasks, options.games)])
    if options.pool:
        yield f"Every agent against every other, {options.players} players, mean Elo 0:"
        yield table([*pool(game, options.pool, options.players, options.games)])
    if options.exploit:
        yield f"A learner with one seat against `{options.agent}` on all others:"
        yield table([*alone(game, options.exploit, options.agent, tasks[0], 4 * options.games)])
    if game.name in SIDES:
        field, names = SIDES[game.name]
        yield f"Wins of each {field} among trained players, as a multiple of a fair share:"
        yield table([*worth(game, options.agent, field, games.imported(field, names), tasks[0], 8 * options.games)])


def run(arguments: Sequence[str] | None = None) -> None:
    """Plays, prints the tables, and writes them."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("game", help="a game of rivals, by name")
    parser.add_argument("--agent", default="ppo", help="whose tables they are")
    parser.add_argument("--games", type=int, default=250, help="seeds of each cell")
    parser.add_argument("--boxes", action="store_true", help="the task any-box, too")
    parser.add_argument("--pool", nargs="*", default=[], help="agents that play each other")
    parser.add_argument("--players", type=int, default=3, help="of the games of the pool")
    parser.add_argument("--exploit", help="a learner that was trained against the frozen agent")
    parser.add_argument("--write", type=Path, help="put the tables between the marker comments of this page")
    options = parser.parse_args(arguments)
    if options.write:
        check(options.write)
    parts = []
    for part in text(games.load(options.game), options):
        print(part, end="\n\n", flush=True)
        parts.append(part)
    if options.write:
        write(options.write, "\n\n".join(parts) + "\n")


if __name__ == "__main__":
    run()
