"""What each setting of training is worth: some settings with one of them changed, three seeds each.

    python -m benchmarks.ablations --folder runs/ablations --write docs/findings.md

Every run is short (2 million decisions, a network of half the width), so it tells how fast a team learns, not how well
it plays in the end. Runs that are there go on where they are; those with other settings or rules are refused.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

import sammu_env
from tabletop.training import markdown
from tabletop.training.config import Config, changed, check, merged
from tabletop.training.train import Run

SEEDS = (1, 2, 3)
#: Of every run here: those of the shipped team when they were compared, but short, and with half of its width.
BASE: dict[str, Any] = {
    "decisions": 2_000_000,
    "tasks": {"standard": 1.0},
    "games": 128,
    "length": 64,
    "threads": 1,
    "network": {"width": 256, "blocks": 1},
    "ppo": {"epochs": 2, "minibatch": 1024, "learning_rate": [5e-4, 2e-5], "entropy": [0.003, 0.0005]},
    "warm_start": {"agent": "scripted", "updates": 60, "share": 0.06, "since": 0.4, "weight": 0.3, "until": 0.8},
    "shaping": {"agent": "scripted", "scale": [8.0, 1.0], "until": 0.7},
    "sampler": {"floor": 0.7, "memory": 200},
    "mid_game": {"share": 0.3, "stored": 2048, "low": 0.47, "high": 0.53},
    "validation": {"every": 2_000_000, "games": 40},
}
#: Name -> changed settings.
SETTINGS: dict[str, tuple[str, ...]] = {
    "nothing changed": (),
    "no warm start, no teacher": ("warm_start={updates: 0, share: 0}",),
    "no teacher after the warm start": ("warm_start.share=0",),
    "teacher stays after the warm start": ("warm_start.since=0",),
    "no shaping": ("shaping.scale=[0, 0]",),
    "shaping 20 instead of 8": ("shaping.scale=[20, 1]",),
    "no mid-game starts": ("mid_game.share=0",),
    "even sampling of cells": ("sampler.floor=1",),
}


def config(name: str, seed: int) -> Config:
    """The settings of a run."""
    slug = name.replace(" ", "-").replace(",", "")
    return check(merged(BASE, changed([*SETTINGS[name], f"seed={seed}", f"name={slug}-{seed}"])))


def won(folder: Path, config: Config) -> float | None:
    """The share of validation games won at the end of a run, in percent; None: it is not there."""
    curve = folder / config.name / "curve.jsonl"
    if not curve.exists():
        return None
    last: dict[str, Any] = json.loads(curve.read_text(encoding="utf-8").splitlines()[-1])
    return 100 * last["won"] if last["decisions"] >= config.decisions else None


def table(folder: Path) -> str:
    """Mean, and lowest to highest, of each setting that has all its runs; and what it is above the first one."""
    rows = [["setting", "games won, % (lowest to highest)", "more than with nothing changed"]]
    first = float("nan")
    for name in SETTINGS:
        found = [won(folder, config(name, seed)) for seed in SEEDS]
        rates = [rate for rate in found if rate is not None]
        if len(rates) < len(SEEDS):
            continue
        mean = float(np.mean(rates))
        first = mean if name == next(iter(SETTINGS)) else first
        rows.append([name, f"{mean:.1f} ({min(rates):.1f}-{max(rates):.1f})", f"{mean - first:+.1f}"])
    return markdown.table(rows) + "\n"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=Path, default=Path("runs/ablations"))
    parser.add_argument("--write", type=Path, help="put the table between the markers of this page")
    args = parser.parse_args(argv)
    if args.write:
        markdown.check(args.write)
    game = sammu_env.load_game()
    for name in SETTINGS:
        for seed in SEEDS:
            settings = config(name, seed)
            run = Run(game, settings, args.folder / settings.name)
            run.run()
            print(f"{settings.name}: {100 * run.curve[-1]['won']:.1f}%", flush=True)
    text = table(args.folder)
    print(text)
    if args.write:
        markdown.write(args.write, text)


if __name__ == "__main__":
    main()
