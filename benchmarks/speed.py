"""Speed of this environment, and of its peers beside it in the same run: ``python -m benchmarks.speed --peers``.

A *decision* is a choice with more than one option, made uniformly at random among the legal ones; the choosing counts
in the time, as do draws and forced choices, which are run in between. Games are those of each game's main task: of
Sammu-Ramat all challenges with 1 to 5 players.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

import sammu_env
from benchmarks import peers
from benchmarks.peers import COPY, Play, Row, any_of, one_core, rate, speed
from tabletop import games
from tabletop.batch import Batch, play_random, processors
from tabletop.game import Game, Record
from tabletop.jit import entry
from tabletop.loops import GENERATOR, draw
from tabletop.training.markdown import check, table, write
from tabletop.training.tasks import Task
from tabletop.training.tasks import main as main_task

#: What is compared with the bare and with the seen rows of peers.
ENGINE, BATCH = "engine alone, with mask", "batch, with mask and observation"
AEC = "PettingZoo, with mask and observation"
SIZES = (64, 256, 1024, 4096)  # games of a batch; the best counts
MANY = 10_000  # games whose memory is measured
BOXES = 100  # random ones, of a batch whose games are played on several


@entry
def choose(masks: Any, actions: Any, generator: Any) -> None:
    """A legal choice, int64 (n,), for each of n games, of masks int8 (n, n_actions) that are all int8."""
    for i in range(len(actions)):
        actions[i] = draw(masks[i], generator[0])


def setups(game: Game, n: int) -> Record:
    """``n`` setups of the kind that is measured."""
    task: Task = games.extra(game, "tasks")[main_task(game)]
    made = np.resize(np.concatenate([cell.setup for cell in task.cells(game)]), n)
    made["box"] = np.arange(n) % len(game.box)
    return made


def engine_play(game: Game) -> Play:
    """Whole games, of which nobody sees more than the masks."""
    each, seeds = setups(game, 100), np.arange(100)

    def play() -> tuple[int, int]:
        seeds[:] += len(seeds)
        return int(play_random(game, each, seeds)["decisions"].sum()), 0

    return play


def batch_play(game: Game, threads: int, observe: bool, games: int) -> Play:
    """A step of a batch that plays at random."""
    batch = Batch(game, setups(game, games), threads=threads, observe=observe, seed=1)
    actions, generator = np.zeros(games, np.int64), np.zeros(1, GENERATOR)
    generator["rng"] = 1
    batch.reset()

    def play() -> tuple[int, int]:
        choose(batch.buffers.masks, actions, generator)
        batch.step(actions)
        return games, 0

    return play


def batch_row(game: Game, what: str, threads: int, observe: bool, seconds: float) -> Row:
    """The best of a few sizes."""
    rates = {games: rate(batch_play(game, threads, observe, games), seconds)[0] for games in SIZES}
    best = max(rates, key=rates.__getitem__)
    return Row(what=what, decisions_per_second=rates[best], forced=0.0, note=f"{best} games")


def gymnasium_play(**options: Any) -> Play:
    """A game through Gymnasium's interface."""
    env = sammu_env.single(**options)

    def play() -> tuple[int, int]:
        _, info = env.reset()
        decisions, terminated = 0, False
        while not terminated:
            _, _, terminated, _, info = env.step(int(any_of(info["action_mask"].nonzero()[0])))
            decisions += 1
        return decisions, 0

    return play


def copy_row(game: Game, seconds: float) -> Row:
    """How long a copy of a state takes, by compiled code among states of a finished game."""
    states = play_random(game, setups(game, 64), np.arange(64))

    def play() -> tuple[int, int]:
        copy_all(states, 10_000)
        return 10_000, 0

    return Row(what=COPY, copy_microseconds=1e6 / rate(play, seconds)[0], state_bytes=game.state.itemsize)


@entry
def copy_all(states: Any, n: int) -> None:
    """``n`` copies back and forth in an array, its length a power of two, so that no copy can be left out."""
    last = len(states) - 1
    for i in range(n):
        states[i * 7 & last] = states[i * 5 + 3 & last]


def ours(game: Game, seconds: float) -> Iterator[Row]:
    """This environment."""
    cores = processors()
    with one_core():
        yield speed(ENGINE, engine_play(game), seconds)
        yield batch_row(game, "batch, with mask", 1, False, seconds)
        yield batch_row(game, BATCH, 1, True, seconds)
        many = sammu_env.load_game(box_seed=range(BOXES))
        yield batch_row(many, f"{BATCH}, on {BOXES} boxes", 1, True, seconds)
    if cores > 1:
        yield batch_row(game, f"batch, with mask, {cores} cores", cores, False, seconds)
        yield batch_row(game, f"{BATCH}, {cores} cores", cores, True, seconds)
    with one_core():
        env = sammu_env.env(challenge="random", players=3)
        yield speed(AEC, peers.aec(env), seconds)
        yield speed("Gymnasium, with mask and observation", gymnasium_play(challenge="random", players=3), seconds)
        yield copy_row(game, seconds)


def beside(game: Game, seconds: float) -> list[str]:
    """The line of another game of this house: its name, decisions a second in three ways, its sizes."""
    with one_core():
        rates = [rate(engine_play(game), seconds)[0]]
        rates += [batch_row(game, "", 1, observe, seconds).decisions_per_second or 0 for observe in (False, True)]
    return [game.name, *(f"{one:,.0f}" for one in rates), f"{len(game.observation_low):,}", f"{game.state.itemsize:,}"]


def memory(game: Game) -> float:
    """Megabytes that ten thousand games take, with their masks and observations."""
    before = _resident()
    play = batch_play(game, 1, True, MANY)
    for _ in range(20):
        play()
    return (_resident() - before) / 1e6


def _resident() -> int:
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def start() -> float:
    """Seconds from the start of a program to its first observation; the rules are compiled already."""
    begin = time.perf_counter()
    program = "import sammu_env; env = sammu_env.env(); env.reset(seed=1); env.last()"
    subprocess.run([sys.executable, "-c", program], check=True)
    return time.perf_counter() - begin


def against(row: Row, own: dict[str, Row]) -> float | None:
    """How many times as fast ours is, by what is most like it."""
    if row.what == COPY or row.decisions_per_second is None:
        return None
    like = ENGINE if row.what.startswith("bare") else AEC if row.name.startswith("pettingzoo/") else BATCH
    return (own[like].decisions_per_second or 0) / row.decisions_per_second


def own_table(rows: list[Row]) -> list[list[str]]:
    """This environment's rows, without a copy's."""
    body = [[row.what, f"{row.decisions_per_second:,.0f}", row.note] for row in rows if row.decisions_per_second]
    return [["Sammu-Ramat", "decisions a second", ""], *body]


def peer_table(rows: list[Row], own: dict[str, Row]) -> list[list[str]]:
    """A peer a line and way to play, with what there is of its copy."""
    copies = {row.name: row for row in rows if row.what == COPY}
    body = []
    for row in rows:
        ratio = against(row, own)
        if row.what == COPY:
            continue
        if ratio is None:
            body.append([row.name, row.note, *[""] * 5])
            continue
        copy = copies.pop(row.name, Row())
        body.append([
            row.name, row.what, f"{row.decisions_per_second:,.0f}", f"{ratio:,.1f}",
            f"{row.forced:.0%}" if row.forced is not None else "-",
            f"{copy.copy_microseconds:,.1f}" if copy.copy_microseconds else "-",
            f"{copy.state_bytes:,}" if copy.state_bytes else "-",
        ])  # fmt: skip
    head = ["peer", "what", "decisions a second", "ours / theirs", "forced", "copy, microseconds", "state, bytes"]
    return [head, *body]


def run(seconds: float, with_peers: bool, say: Any = print) -> str:
    """Measures everything and says each figure as it comes; the tables as Markdown."""
    game = sammu_env.load_game()
    own, others = [], []
    for row in ours(game, seconds):
        own.append(row)
        say(_line(replace(row, name=game.name)))
    text = table(own_table(own))
    figures = [
        f"A copy of a state ({own[-1].state_bytes:,} bytes) takes {own[-1].copy_microseconds:.2f} microseconds.",
        f"The second start of a program takes {min(start(), start()):.1f} seconds to its first observation.",
    ]
    if sys.platform == "linux":
        figures.append(f"{MANY:,} games with masks and observations take {memory(game):.0f} MB.")
    say("\n".join(figures))
    text += "\n\n" + "\n".join(figures)
    lines = [["game", "engine alone, with mask", "batch, with mask", BATCH, "numbers seen", "state, bytes"]]
    for name in games.names():
        other = games.load(name)
        if other.name != game.name and games.extra(other, "tasks"):
            lines.append(beside(other, seconds))
            say("  ".join(lines[-1]))
    text += f"\n\n{table(lines)}"
    for name in peers.PEERS if with_peers else ():
        for row in peers.measure([name], seconds):
            others.append(row)
            say(_line(row))
    if others:
        versions = sorted({f"{row.name.split('/')[0]} {row.version}" for row in others if row.version})
        text += f"\n\n{table(peer_table(others, {row.what: row for row in own}))}\n\nPeers: {', '.join(versions)}."
    return text + "\n"


def _line(row: Row) -> str:
    figure = f"{row.decisions_per_second:>12,.0f} decisions/s" if row.decisions_per_second else ""
    if row.copy_microseconds:
        figure = f"{row.copy_microseconds:>12.2f} microseconds"
    return f"{figure:<26} {row.name}: {row.what} {row.note}".rstrip()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peers", action="store_true", help="measure other environments too")
    parser.add_argument("--seconds", type=float, default=2.0, help="for each figure")
    parser.add_argument("--write", type=Path, help="put the tables between the marker comments of this page")
    options = parser.parse_args()
    if options.write:
        check(options.write)
    text = run(options.seconds, options.peers)
    if options.write:
        write(options.write, text)


if __name__ == "__main__":
    main()
