"""What two processes do for test_distributed: ``torchrun --nproc-per-node 2 -m tests.training.together FOLDER``.

Each writes FOLDER/RANK.json, and gives its runs folders of its own, of which only the first process's may come to be.
"""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import torch

from tabletop.training.distributed import Processes
from tabletop.training.evaluate import Cell
from tabletop.training.train import Run
from tests.training import test_rivals
from tests.training.small import settings
from tests.training.test_ppo import CELLS, GAME, run

#: A run that stores positions, so that every array that changes is used; a short one that learns slowly, or a draw may
#: fall on the other side of a rounding.
MORE: dict[str, Any] = {
    "decisions": 4 * 1024, "mid_game": {"share": 0.5, "stored": 32}, "validation": {"every": 1500, "games": 5},
    "ppo": {"minibatch": 256, "learning_rate": [3e-4, 1e-4]},
}  # fmt: skip
#: Rivals, and earlier selves among them.
RIVALS: dict[str, Any] = {
    "decisions": 4 * 1024, "pool": {"share": 0.5, "every": 1, "keep": 2},
    "validation": {"every": 5000, "games": 4}, "ppo": {"minibatch": 256, "learning_rate": [3e-4, 1e-4]},
}  # fmt: skip
TAUGHT = {"decisions": 4 * 1024, "warm_start": {"agent": "random", "updates": 1, "share": 0.25, "until": 1.0}}
#: Searches, of which each process makes some.
SEARCHED: dict[str, Any] = {
    "decisions": 4 * 1024, "searches": {"positions": 3, "rollouts": 32, "stored": 64, "minibatch": 16},
}  # fmt: skip


def error(call: Callable[[], Any]) -> str:
    """What is wrong with it."""
    try:
        call()
    except (ValueError, KeyboardInterrupt) as found:
        return f"{type(found).__name__}: {found}"
    return ""


def weights(own: Run) -> str:
    """The network and what is known of the games, to compare."""
    arrays = [*own.learner.network.state_dict().values(), own.learner.starts.rates, own.learner.starts.stored_cell]
    return str([np.asarray(x).tobytes().hex()[:4000] for x in arrays])


def together(folder: Path) -> dict[str, Any]:
    """Trains, and says what this process saw."""
    processes = Processes.join()
    own = folder / str(processes.rank)
    whole = run(own / "whole", **MORE)
    told: list[dict[str, float]] = []
    alike = []
    for update in range(1, 5):
        whole.run(lambda _, figures: told.append(figures), until=update)
        one, *others = processes.each(weights(whole))
        alike.append(all(x == one for x in others))
    run(own / "begun alone", **MORE).run()
    run(own / "begun together", **MORE).run(until=2)
    test_rivals.run(own / "rivals", **RIVALS).run()
    taught = run(own / "taught", **TAUGHT)
    taught.run()
    searched = run(own / "searched", **SEARCHED)
    searched.run()
    stopped = run(own / "stopped", **MORE)
    if not processes.first:
        learn = stopped.learner.learn

        def presses() -> dict[str, float]:
            if stopped.learner.updates == 1:
                signal.raise_signal(signal.SIGINT)
            return learn()

        stopped.learner.learn = presses  # type: ignore[method-assign]
    interrupted = error(stopped.run)
    if processes.first:
        (own / "damaged").mkdir()
        (own / "damaged/state.pt").write_bytes(b"nothing")
    cells = [Cell({"task": "toy"}, GAME.configure(players=2))] * 3
    return {
        "alike": alike,
        "told": len(told),
        "games": whole.learner.batch.n,
        "searched": [len(set(processes.each(weights(searched)))), searched.learner.experience.found > 0],
        "taught": len(set(processes.each(weights(taught)))),
        "interrupted": [interrupted, stopped.learner.updates],
        "uneven games": error(lambda: run(own / "no", games=9, length=64, ppo={"minibatch": 64})),
        "uneven minibatch": error(lambda: run(own / "no", games=66, length=7, ppo={"minibatch": 77})),
        "maskable": error(lambda: run(own / "no", trainer="maskable_ppo")),
        "damaged": error(lambda: run(own / "damaged", **MORE)),
        "other settings": error(lambda: run(own / "taught", **MORE)),
        "different": error(lambda: Run(GAME, settings(seed=processes.rank), own / "no", (cells, [1.0] * len(CELLS)))),
    }


if __name__ == "__main__":
    torch.set_num_threads(1)
    place = Path(sys.argv[1])
    found = together(place)
    (place / f"{Processes.join().rank}.json").write_text(json.dumps(found))
