"""How sure advice is after so much time, and whether its intervals hold: on open positions of validation games.

    python -m benchmarks.advice runs/advice.jsonl --seconds 5 --positions 100 --processes 2
    python -m benchmarks.advice runs/honest.jsonl --rollouts 512 --positions 500 --fresh 1000

Each position is searched, as ``sammu advise`` does; with ``--fresh`` the chosen plan is then played on in as many
other worlds, by those who played it on in the search (in fewer, if they look ahead). The file gets a line of the
settings, and one for each position; what it holds is not done again. Then it is summed up, all together and by who
plays on.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from tabletop import games
from tabletop.agents.plans import Plan
from tabletop.agents.policy import Policy
from tabletop.agents.search import Search
from tabletop.agents.trials import PRICE, Budget, Trials
from tabletop.game import Record, identity
from tabletop.stats import wilson
from tabletop.training.rollouts import meet
from tabletop.training.tasks import find, game_of, main

#: Added to a position's seed for worlds that no search of it has had.
OTHERS = 10**6
#: Games in other worlds at least.
FEWEST = 16


def advised(search: Search, state: Record, seed: int, fresh: int, **budget: Any) -> dict[str, Any]:
    """What a search says of the plan that it chooses in a state, shape (1,), in the end, and what comes of that plan.

    Returns:
        plain data: ``rate``, ``low`` and ``high`` of its chance, from ``worlds``, and the ``team`` that played on;
        ``first``, seconds to the first answer; ``rollouts`` and ``seconds`` in all; ``came``, the share that it won of
        ``fresh`` worlds, if there are any.
    """
    began, first = time.perf_counter(), math.nan
    for found in search.advise(state, seed=seed, **budget):
        if math.isnan(first):
            first = time.perf_counter() - began
        last = found
    best = last.plans[0]
    told: dict[str, Any] = dict(zip(("rate", "low", "high"), best.chance or (math.nan,) * 3, strict=True))
    told |= {"team": last.team, "worlds": best.worlds, "first": first, "rollouts": last.rollouts}
    told["seconds"] = time.perf_counter() - began
    if fresh:
        turn = search.turn(state, seed)
        player = search.teams.index(last.team)
        games = max(FEWEST, fresh // PRICE) if player else fresh
        trials = Trials(turn, [Plan(best.actions, 0.0, math.nan)], search.crew, Budget(None, games * PRICE),
                        (seed + OTHERS, 0), player=player)  # fmt: skip
        search.crew.go()
        for _ in trials.run(range(1), games):
            pass
        told |= {"fresh": trials.n, "came": float(trials.won(0).mean())}
    return {name: round(x, 5) if isinstance(x, float) else x for name, x in told.items()}


def holds(one: dict[str, Any]) -> bool:
    """Whether what came is as near to what was said as both intervals, of 95%, allow."""
    came, fresh = one["came"], wilson(round(one["came"] * one["fresh"]), one["fresh"])
    if came < one["rate"]:
        return bool(one["rate"] - came <= math.hypot(one["rate"] - one["low"], fresh.high - came))
    return bool(came - one["rate"] <= math.hypot(one["high"] - one["rate"], came - fresh.low))


def summed_up(lines: Sequence[dict[str, Any]]) -> dict[str, float]:
    """Of positions: medians, the share whose interval holds, how much too high chances were on average (``bias``), and
    how far off in each (``off``), with what chance makes of the fresh games."""
    told = {
        "positions": float(len(lines)),
        "half_width": float(np.median([(one["high"] - one["low"]) / 2 for one in lines])),
        "first": float(np.median([one["first"] for one in lines])),
        "rollouts": float(np.median([one["rollouts"] for one in lines])),
        "worlds": float(np.median([one["worlds"] for one in lines])),
    }
    if came := [one for one in lines if "came" in one]:
        told["covered"] = float(np.mean([holds(one) for one in came]))
        apart = np.array([one["rate"] - one["came"] for one in came])
        told |= {"bias": float(apart.mean()), "off": float(np.abs(apart).mean())}
    return told


def gone_on_with(file: Path, settings: dict[str, Any]) -> list[dict[str, Any]]:
    """The positions that a file holds, which gets the settings if it is new. A last line that was not written whole is
    dropped.

    Raises:
        ValueError: the file is of other settings, or says none.
    """
    whole = file.read_text(encoding="utf-8").rpartition("\n")[0] if file.exists() else ""
    try:
        head, *lines = map(json.loads, whole.splitlines() or [json.dumps(settings)])
    except json.JSONDecodeError as error:
        raise ValueError(f"{file} holds what is no JSON: {error}") from None
    if head != settings:
        raise ValueError(f"{file} is of other settings, {head}, not {settings}: choose another file, or delete it")
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("".join(f"{json.dumps(line)}\n" for line in (head, *lines)), encoding="utf-8")
    return lines


def run(arguments: Sequence[str] | None = None) -> dict[str, float]:
    """Does what a command line asks for; returns what it prints in the end."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("file", type=Path, help="a line of the settings, and one for each position (JSON)")
    parser.add_argument("--game", default="sammu-ramat")
    parser.add_argument("--agent", default="ppo", help="a network")
    parser.add_argument("--task", help="whose positions; by default the game's main task")
    parser.add_argument("--positions", type=int, default=100)
    parser.add_argument("--seconds", type=float)
    parser.add_argument("--rollouts", type=int)
    parser.add_argument("--fresh", type=int, default=0, help="other worlds in which the chosen plan is played on")
    parser.add_argument("--processes", type=int, default=1)
    own = parser.parse_args(arguments)
    if (own.seconds is None) == (own.rollouts is None):
        parser.error("give --seconds or --rollouts")
    game = games.load(own.game)
    task = find(game, own.task or main(game))
    game = game_of(game, [task], "validation")
    policy = Policy.load(game, own.agent)
    states = meet(policy, task.cells(game, "validation"), own.positions).states
    budget = {"seconds": own.seconds, "rollouts": own.rollouts}
    settings = {**identity(game), "agent": own.agent, "task": task.name, **budget, "fresh": own.fresh,
                "processes": own.processes}  # fmt: skip
    lines = gone_on_with(own.file, settings)
    search = Search(game, policy, own.agent if own.processes > 1 else None, processes=own.processes)
    try:
        with own.file.open("a", encoding="utf-8") as file:
            for seed in range(len(lines), len(states)):
                lines.append(advised(search, states[seed : seed + 1], seed, own.fresh, **budget))
                print(json.dumps(lines[-1]), file=file, flush=True)
    finally:
        search.close()
    told = summed_up(lines)
    print(json.dumps(told))
    for team in sorted({one["team"] for one in lines}):
        print(json.dumps({"team": team, **summed_up([one for one in lines if one["team"] == team])}))
    return told


if __name__ == "__main__":
    run()
