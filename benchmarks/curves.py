"""Learning curves on ``any-box``: what both trainers win after so many decisions, from random weights, on one core.

    python -m benchmarks.curves --folder runs --write docs/curves.md

``maskable_ppo`` is configs/maskable_ppo.yaml, sb3-contrib's MaskablePPO as it is; ``own`` is configs/ppo.yaml with its
shaping, its sampler and its games from the middle, but without a teacher. Runs that are there go on where they are, and
those that have ended are only read.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import sammu_env
from tabletop.training import markdown
from tabletop.training.config import Config, changed, load
from tabletop.training.tasks import game_of
from tabletop.training.train import Run, tasks_of

CONFIGS = Path(__file__).parent.parent / "configs"
#: What each run changes of its file of settings.
RUNS: dict[str, tuple[str, tuple[str, ...]]] = {
    "maskable_ppo": ("maskable_ppo.yaml", ()),
    "own": ("ppo.yaml", ("name=own", "threads=1", "tasks={any-box: 1}", "decisions=20_000_000",
                         "warm_start={updates: 0, kl: 0}", "ppo.learning_rate=[6.0e-4, 2.0e-5]",
                         "ppo.entropy=[0.004, 0.0005]", "ppo.minibatch=2048", "ppo.run=1", "shaping.scale=[6.0, 2.0]",
                         "network.places=false", "sampler.floor=0.05", "mid_game.share=0.55",
                         "validation={every: 2_500_000, games: 2}")),
}  # fmt: skip
MILLION = 1_000_000


def config(name: str) -> Config:
    """The settings of a run."""
    file, changes = RUNS[name]
    return load(CONFIGS / file, changed(changes))


def table(name: str, curve: Sequence[dict[str, Any]]) -> str:
    """A run's line for each validation: decisions, minutes, and games won in all and at each difficulty."""
    tasks = [key for key in curve[0] if key not in ("decisions", "minutes", "won")]
    rows = [["decisions, millions", "minutes", "games won, %"]]
    rows[0] += [f"at {task.removeprefix('any-box ')}" for task in tasks]
    for point in curve:
        rates = [f"{100 * point[key]:.1f}" for key in ("won", *tasks)]
        rows.append([f"{point['decisions'] / MILLION:.1f}", f"{point['minutes']:.0f}", *rates])
    return f"**{name}** ([`{RUNS[name][0]}`](../configs/{RUNS[name][0]}))\n\n{markdown.table(rows)}\n"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("runs"))
    parser.add_argument("--write", type=Path, help="put the tables between the markers of this page")
    args = parser.parse_args(argv)
    if args.write:
        markdown.check(args.write)
    game = sammu_env.load_game()
    tables = []
    for name in RUNS:
        settings = config(name)
        boxes = game_of(game, tasks_of(game, settings).values(), "train", "validation")
        run = Run(boxes, settings, args.folder / name)
        run.run()
        tables.append(table(name, run.curve))
        print(tables[-1], flush=True)
    if args.write:
        markdown.write(args.write, "\n".join(tables))


if __name__ == "__main__":
    main()
