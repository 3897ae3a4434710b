"""Compiles the rules of all games, and what the tests make of them, before the tests: in two processes at once.

A process compiles a rule once, however many entry points call it. Tests that are spread over processes would compile
it in each of them, and again for each entry point that is not on disk yet.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import numpy as np

from tabletop import agents, conformance, games
from tabletop.batch import Batch, play_random
from tabletop.game import Game
from tabletop.jit import DISABLED
from tabletop.plays import begun, mask_of, play

#: Laws that take no time, and compile no loops of a batch.
QUICK = [law for law in conformance.LAWS if law not in ("looking", "pictures", "batches", "hidden", "uncompiled")]


def entry_points(game: Game) -> None:
    """A game's own, and its hand-made agent's."""
    setup = game.configure(players=2)
    play(game, setup, 0, most=20)
    conformance.check(game, setup, [0], laws=QUICK, every=200)
    scripted, s = agents.make("scripted", game), begun(game, setup, 0)
    scripted.reset(0)
    scripted.act(s, mask_of(game, s)[None])
    game.answer(game.box, s, game.n_actions)  # type: ignore[attr-defined]
    game.step(game.box, s)  # type: ignore[attr-defined]


def loops(game: Game) -> None:
    """Those of a batch, and of whole games."""
    setup = game.configure(players=2)
    batch = Batch(game, setup.repeat(2))
    batch.step(batch.reset(np.arange(2)).masks.argmax(1))
    play_random(game, setup, np.arange(1))


def rules() -> None:
    """Entry points of Sammu-Ramat and Pergamemnon."""
    from sammu_env import campaign, position
    from sammu_env.coach import hands

    game, rival = games.load("sammu-ramat"), games.load("pergamemnon")
    entry_points(game)
    state = position.load({"challenge": "SAM-179", "players": 1, "manual_chance": True, "month": 2})
    position.run_stage(state, "draw")
    state["scored"], state["gate"] = 1, 1
    campaign.carry_over(state, "SAM-180")
    hands.who_plays(game.box, state, np.zeros((100, 16), np.int8))
    agents.make("scripted", game).potential(state)
    entry_points(rival)
    loops(rival)


def games_that_play_themselves() -> None:
    """What plays Sammu-Ramat in compiled code: benchmarks, the loops of a batch, the planner. And Xerxes."""
    from benchmarks import hindsight, soak
    from tests import test_plan, test_planner

    game, rival = games.load("sammu-ramat"), games.load("xerxes")
    setup = game.configure(players=2)
    soak.play(game.box, 0, 1, np.zeros(5, np.int64))  # first: it needs no entry point of the other process
    loops(game)
    planner = agents.make("planner:width=1,tries=1,futures=1,looks=1", game)
    planner.play(setup, np.arange(1))
    s = begun(game, setup, 0)
    planner.potential(s)
    planner.reset(0)
    planner.act(s, mask_of(game, s)[None])
    planner.follows(s)  # type: ignore[attr-defined]
    turn = test_plan.some_turn("SAM-188", 0)
    test_plan.tidy(turn, [])
    test_planner.look_ahead(turn, turn, width=1, tries=1, futures=1, ahead=1)
    hindsight.prove(game, setup, 0, minutes=0.001)
    entry_points(rival)
    loops(rival)


JOBS: dict[str, Callable[[], None]] = {job.__name__: job for job in (rules, games_that_play_themselves)}


def compile_all() -> None:
    """Each job in a process of its own; CalledProcessError if one fails."""
    if DISABLED:
        return
    root, python = Path(__file__).parent.parent, (sys.executable, "-W", "ignore", "-m", __name__)
    for job in [subprocess.Popen([*python, name], cwd=root) for name in JOBS]:
        if job.wait():
            raise subprocess.CalledProcessError(job.returncode, job.args)


if __name__ == "__main__":
    JOBS[sys.argv[1]]()
