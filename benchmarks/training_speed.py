"""How fast both trainers learn, and where their time goes: ``python -m benchmarks.training_speed [name=value ...]``.

They take turns, with the settings of configs/ppo.yaml (but no teacher, and changed by what is named, e.g. ``threads=1
games=256``) and the same network and seeds: first in the games, then in games that stand still and cost next to
nothing. The parts are what a processor spends; a GPU works on behind them.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import torch

import sammu_env
from tabletop.batch import Batch, Buffers
from tabletop.training.config import changed, load
from tabletop.training.markdown import table
from tabletop.training.ppo import Decisions, Learner
from tabletop.training.train import Run

SETTINGS = Path(__file__).parent.parent / "configs/ppo.yaml"
#: Of every run here: how many boxes there are makes no difference to speak of, but they take minutes to draw.
ONE_BOX = ("tasks={standard: 0.8, campaign: 0.2}", "mid_game.wins=null")
TRAINERS = ("ppo", "maskable_ppo")
UPDATES, WARM_UP = 3, 2  #: of each trainer, that are measured and that go before
STEPS, COPIES, PLAYING, CHOOSING = "games", "observations", "network in play", "choices"
GATHERING, FORWARD, BACKWARD, OPTIMISER = "minibatches", "forward", "backward", "optimiser"
WHOLE = "whole"
PARTS = (STEPS, COPIES, PLAYING, CHOOSING, GATHERING, FORWARD, BACKWARD, OPTIMISER)


class Still:
    """Stands in for a batch in which nothing moves, whatever is chosen."""

    def __init__(self, batch: Batch) -> None:
        self.batch = batch
        self.finished = batch.finished._replace(**{name: x[:0] for name, x in batch.finished._asdict().items()})
        batch.buffers.rewards[:], batch.buffers.terminated[:] = 0, False

    def __getattr__(self, name: str) -> Any:
        return getattr(self.batch, name)

    def step(self, actions: Any, into: Buffers) -> Buffers:
        return into


class Clock:
    """Seconds spent in the whole and in its parts, none of which calls another."""

    def __init__(self) -> None:
        self.seconds = dict.fromkeys((WHOLE, *PARTS), 0.0)

    @contextmanager
    def running(self, part: str) -> Iterator[None]:
        began = time.perf_counter()
        yield
        self.seconds[part] += time.perf_counter() - began

    def timed(self, call: Callable[..., Any], part: str, learning: bool = False) -> Callable[..., Any]:
        """The same call; if ``learning``, it counts only where gradients are recorded."""

        def timed(*args: Any, **options: Any) -> Any:
            if learning and not torch.is_grad_enabled():
                return call(*args, **options)
            with self.running(part):
                return call(*args, **options)

        return timed

    def each(self, call: Callable[..., Iterator[Any]], part: str) -> Callable[..., Iterator[Any]]:
        """The same iterator; what counts is how long it takes to come by each item."""

        def each(*args: Any) -> Iterator[Any]:
            following = self.timed(call(*args).__next__, part)
            try:
                while True:
                    yield following()
            except StopIteration:
                return

        return each


def update(learner: Learner, clock: Clock) -> None:
    """Times an update."""
    calls = (
        (learner, "step", clock.timed(learner.step, STEPS)),
        (learner, "look", clock.timed(learner.look, COPIES)),
        (learner, "choose", clock.timed(learner.choose, CHOOSING)),
        (learner, "assess_games", clock.timed(learner.assess_games, PLAYING)),
        (learner.network, "forward", clock.timed(learner.network.forward, FORWARD, learning=True)),
        (Decisions, "minibatches", clock.each(Decisions.minibatches, GATHERING)),
        (torch.Tensor, "backward", clock.timed(torch.Tensor.backward, BACKWARD)),
        (torch.nn.utils, "clip_grad_norm_", clock.timed(torch.nn.utils.clip_grad_norm_, OPTIMISER)),
        (learner.optimizer, "step", clock.timed(learner.optimizer.step, OPTIMISER)),
    )
    with ExitStack() as stack:
        for owner, name, call in calls:
            stack.enter_context(patch.object(owner, name, call))
        with clock.running(WHOLE):
            learner.learn()


def measure(learners: dict[str, Learner], world: str) -> list[list[str]]:
    """A line of the table for each trainer."""
    clocks = {name: Clock() for name in learners}
    for _ in range(UPDATES):
        for name, learner in learners.items():
            update(learner, clocks[name])
    rows = []
    for name, learner in learners.items():
        whole, *parts = clocks[name].seconds.values()
        rate, rest = UPDATES * learner.config.batch / whole, whole - sum(parts)
        rows.append([name, world, f"{rate:,.0f}", *(f"{100 * part / whole:.1f}%" for part in [*parts, rest])])
    return rows


def main(argv: Sequence[str] | None = None) -> None:
    """Prints a table."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("settings", nargs="*", metavar="name=value", help="settings to change")
    changes = parser.parse_args(argv).settings
    game, config = sammu_env.load_game(), load(SETTINGS, changed([*ONE_BOX, *changes]))
    alone = config.warm_start.model_copy(update={"updates": 0, "share": 0.0, "kl": 0.0})
    config = config.model_copy(update={"warm_start": alone})
    learners: dict[str, Learner] = {}
    with tempfile.TemporaryDirectory() as folder:
        for name in TRAINERS:
            run = Run(game, config.model_copy(update={"trainer": name}), Path(folder) / name)
            run.run(until=WARM_UP)
            learners[name] = run.learner
        rows = measure(learners, "real")
        for learner in learners.values():
            learner.batch = Still(learner.batch)  # type: ignore[assignment]
        rows += measure(learners, "standing still")
    print(table([["trainer", "games", "decisions a second", *PARTS, "rest"], *rows]))
    print(f"{torch.get_num_threads()} threads, {run.device.type}, a batch of {config.batch:,} decisions")


if __name__ == "__main__":
    main()
