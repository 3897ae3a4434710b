"""Can this box be won? A search that may try a game again and again on the same draws, and keeps what won.

    python -m benchmarks.hindsight --challenge SAM-180 --challenge SAM-185 --players 3 --seeds 2 --minutes 1
    python -m benchmarks.hindsight --edition my-box.toml --write proofs.json
    python -m benchmarks.hindsight --boxes 100 --players 2 --players 3 --write configs/wins.json
    python -m benchmarks.hindsight --edition my-box.toml --check proofs.json

A copy of a state holds its generator too, so the same choices lead to the same events, cards and markers. The search
uses that: it knows what comes, and is no player. What it finds is a proof that a challenge can be won in time with the
draws of a seed: a game log that anybody can replay. Where it finds nothing, nothing is proved; it then says how much of
the condition it has reached at best. Since another choice may also lead to other draws (a card more is drawn before the
next event), a proof says that luck and skill together suffice, not that skill does.

It is a beam search (:mod:`sammu_env.agents.beam`) from action to action, and from month to month: positions that reach
the next month, with all that happens between, are its beginning. A position is judged by
:func:`sammu_env.agents.nearness.value`. It begins anew with other weights and a wider beam until time is up.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from threading import Lock

import numpy as np

import sammu_env
import tabletop.log
from sammu_env import constants as c
from sammu_env.agents.beam import (
    LEFT,
    LOWEST,
    NODE,
    OFTENER,
    SLOT,
    Beam,
    Node,
    Slot,
    begin_position,
    continue_once,
    judge,
    promising,
    vary,
)
from sammu_env.agents.nearness import ROWS, progress
from sammu_env.box import Box
from sammu_env.constants import CHALLENGES
from sammu_env.game import SammuRamat
from sammu_env.rules import conditions
from sammu_env.state import STATE, State
from sammu_env.tasks import DIFFICULTY
from tabletop import record
from tabletop.fields import Array, Records, dtype_of, f8, i4, i8, shape
from tabletop.files import write_whole
from tabletop.game import Record
from tabletop.jit import entry, kernel
from tabletop.log import Log, Match

#: Beside the buckets of the beam, two for the beginnings of this month and the next.
BEGINNINGS = (LEFT, LEFT + 1)
BUCKETS = LEFT + 2
#: The first beam and the widest, and continuations of a position at most.
NARROWEST, WIDEST, MOST_TRIES = 8, 1024, 120


class Work(Beam):
    """What a thread searches with, and what it finds."""

    last_month: i4  # later wins are of no use
    # what it found
    won: i4  # the month of the win, or 0
    before: i4  # the node from which the continuation in hand won
    decisions: i8
    share: f8  # the most of the condition that a month has ended with
    needed: Array[i4] = shape(ROWS)  # by row of the condition
    reached: Array[i4] = shape(ROWS)


SEARCH = dtype_of(Work)


@kernel
def note_share(box: Box, s: State, search: Work) -> None:
    """Remembers the most of the condition that a month has ended with."""
    total, rows = 0.0, 0
    for row in range(ROWS):
        need = conditions.needed(box, s, row)
        if need > 0:
            rows += 1
            total += conditions.reached(box, s, row) / need
    if total / max(1, rows) > search.share:
        search.share = total / max(1, rows)
        for row in range(ROWS):
            search.needed[row] = conditions.needed(box, s, row)
            search.reached[row] = conditions.reached(box, s, row)


@entry
def expand(
    box: Records[Box],
    states: Records[State],
    slots: Records[Slot],
    ways: Records[Node],
    nodes: Records[Node],
    trial: Records[State],
    search: Records[Work],
    bucket: int,
    later: int,
) -> bool:
    """Continues every position of a bucket, and empties it. True once a game is won: how is noted in ``search``.

    Args:
        states, slots, ways: (BUCKETS * width,), the kept positions by bucket, and how they came about.
        nodes: what was continued so far.
        trial: a state, (1,), that is overwritten.
        later: the bucket of positions in which the next month begins.
    """
    one = search[0]
    for k in range(bucket * one.width, bucket * one.width + one.kept[bucket]):
        node = begin_position(ways, nodes, one, k)
        times = one.tries * (OFTENER if bucket >= LEFT else 1)
        endings = one.tries // 4 if bucket > 0 and bucket < LEFT and promising(box[0], states[k]) else 0
        for i in range(times + endings):
            trial[0] = states[k]
            vary(one, i if i < times else 0)
            reached = continue_once(box[0], trial[0], one, i >= times)
            one.decisions += one.n
            if trial[0].result == c.WON:
                one.won = trial[0].month
                one.before = node
                return True
            if reached == LEFT or trial[0].cause == c.OUT_OF_MONTHS:
                note_share(box[0], trial[0], one)
            if reached == LEFT:
                if trial[0].month > one.last_month:
                    continue
                reached = later
            if 0 <= reached < BUCKETS:
                judge(box[0], states, slots, ways, one, trial[0], reached, k, node)
    one.kept[bucket] = 0
    one.floor[bucket] = LOWEST
    return False


@dataclass
class Finding:
    """What came of the search in one game."""

    challenge: str
    players: int
    seed: int
    decisions: int  #: tried
    seconds: float
    month: int = 0  #: of the win, or 0
    log: Log | None = None  #: that wins
    how: tuple[float, ...] = ()  #: width, tries and weights of the beam that won
    share: float = 0.0  #: where nothing won: the most of the condition that a month ended with, 0 to 1
    missing: str = ""  #: and what was missing then

    def text(self) -> str:
        """One line."""
        found = f"won in month {self.month}" if self.month else f"best share {self.share:.2f}, missing {self.missing}"
        tried = f"{self.decisions / 1e6:7.1f} million decisions, {self.seconds:4.0f} s"
        return f"{self.challenge} {self.players} players, seed {self.seed}: {tried}, {found}"


class Search:
    """The beams over one game: a setup, shape (1,), and a seed."""

    def __init__(self, game: SammuRamat, setup: Record, seed: int) -> None:
        self.game, self.setup, self.seed = game, setup, seed
        self.search = np.zeros(1, SEARCH)
        self.trial = np.zeros(1, STATE)
        self.root = np.zeros(1, STATE)
        game.reset(game.box, self.root, setup, seed)

    def run(self, width: int, tries: int, weights: Sequence[float], last_month: int, seed: int, until: float) -> bool:
        """One beam, from the first choice on; True if it won by that month.

        Args:
            width: positions that a bucket keeps.
            tries: continuations of each.
            weights: of progress, standing and economy, and the patience.
            seed: of the continuations.
            until: when to stop, by ``time.monotonic()``.
        """
        one = self.search[0]
        one["rng"] = np.random.SeedSequence(seed).generate_state(4)
        one["width"], one["tries"], one["last_month"] = width, tries, last_month
        one["progress"], one["standing"], one["economy"], one["patience"] = weights
        one["kept"], one["nodes"], one["won"] = 0, 0, 0
        one["floor"], one["seen"], one["lines"] = LOWEST, -1, 0
        room = BUCKETS * width
        states, slots, ways = np.zeros(room, STATE), np.zeros(room, SLOT), np.zeros(room, NODE)
        self.nodes = np.zeros((c.MAX_MONTHS + 2) * room, NODE)
        now, later = BEGINNINGS
        states[now * width] = self.root[0]
        ways[now * width]["before"] = -1
        one["kept"][now] = 1
        while one["kept"][now] > 0:
            for bucket in (now, *range(LEFT - 1, -1, -1)):
                if one["kept"][bucket] > 0 and expand(
                    self.game.box, states, slots, ways, self.nodes, self.trial, self.search, bucket, later
                ):
                    return True
                if time.monotonic() > until:
                    return False
            now, later = later, now
        return False

    def choices(self) -> list[int]:
        """All choices up to the win."""
        one = self.search[0]
        told = [one["action"][: one["n"]].tolist()]
        node = int(one["before"])
        while node >= 0:
            told.append(self.nodes[node]["action"][: self.nodes[node]["n"]].tolist())
            node = int(self.nodes[node]["before"])
        return [action for part in reversed(told) for action in part]

    def log(self) -> Log:
        """The won game."""
        match = Match(self.game, self.setup, self.seed)
        for action in self.choices():
            match.act(action)
        return match.stamped()

    def missing(self) -> str:
        """What the best month's end lacked, in short."""
        one, found = self.search[0], []
        rows = self.game.components(self.setup).content.challenge[CHALLENGES[int(self.setup["challenge"][0])]].win
        for row, condition in enumerate(rows):
            if one["reached"][row] < one["needed"][row]:
                found.append(f"{condition.condition} {one['reached'][row]}/{one['needed'][row]}")
        return ", ".join(found)


@entry
def nearness(box: Records[Box], s: Records[State], search: Records[Work]) -> float:
    """:func:`progress` of a state, shape (1,)."""
    return progress(box[0], s[0], search[0])


def prove(game: SammuRamat, setup: Record, seed: int, minutes: float, best: bool = False) -> Finding:
    """Searches one game until it is won, or time is up.

    Args:
        setup: shape (1,).
        best: go on until time is up, for a win in an earlier month.
    """
    start = time.monotonic()
    search = Search(game, setup, seed)
    rng = np.random.default_rng([seed, int(setup["challenge"][0])])
    challenge, players = CHALLENGES[int(setup["challenge"][0])], int(setup["players"][0])
    finding = Finding(challenge, players, seed, 0, 0.0)
    width, last = NARROWEST, int(search.root["months"][0])
    while time.monotonic() < start + 60 * minutes and last > 0:
        weights = [100 * 2 ** rng.uniform(-0.5, 2.5), 2 ** rng.uniform(-2, 0.5), 2 ** rng.uniform(-1, 2.5)]
        weights.append(float(rng.choice([0.0, 0.3, 1.0])))
        tries = min(MOST_TRIES, width * int(rng.choice([1, 2, 4])))
        if search.run(width, tries, weights, last, int(rng.integers(1 << 30)), start + 60 * minutes):
            finding.how = (width, tries, *weights)
            finding.log = search.log()
            finding.month = check(game, finding.log)
            last = finding.month - 1
            if not best:
                break
        width = min(WIDEST, width * 3 // 2)
    finding.decisions = int(search.search["decisions"][0])
    finding.seconds = time.monotonic() - start
    finding.share, finding.missing = float(search.search["share"][0]), search.missing()
    return finding


def check(game: SammuRamat, log: Log) -> int:
    """The month in which a proof wins.

    Only the choices of the seats are replayed: what chance answers must be what the seed draws.

    Raises:
        ValueError: it is of another edition, was tampered with, or does not win.
    """
    tabletop.log.check(game, log)
    match = Match(game, record.from_dict(log.setup, game.setup), log.seed)
    for actor, action in log.entries:
        if actor >= 0:
            match.act(action)
    if match.stamped() != log:
        raise ValueError(f"the log's draws or its trace are not what its choices lead to with the seed {log.seed}")
    if int(match.s["result"][0]) != c.WON:
        result, cause = c.RESULTS[int(match.s["result"][0])], c.CAUSES[int(match.s["cause"][0])]
        raise ValueError(f"the log does not win: {result}, {cause}")
    return int(match.s["month"][0])


def table(findings: Sequence[Finding]) -> str:
    """One line for each challenge and number of players."""
    lines = [f"{'challenge':9} {'players':>7} {'won':>7}  {'months':12} {'million decisions':>17}  best share, missing"]
    cells = dict.fromkeys((found.challenge, found.players) for found in findings)
    for challenge, players in cells:
        own = [found for found in findings if (found.challenge, found.players) == (challenge, players)]
        months = ", ".join(str(found.month or "-") for found in own)
        lost = max((found for found in own if not found.month), key=lambda found: found.share, default=None)
        won = f"{sum(found.month > 0 for found in own)} of {len(own)}"
        rest = f"  {lost.share:.2f}, {lost.missing}" if lost else ""
        tried = sum(found.decisions for found in own) / 1e6
        lines.append(f"{challenge:9} {players:7} {won:>7}  {months:12} {tried:17.1f}{rest}")
    return "\n".join(lines)


def write(path: Path, logs: Sequence[Log]) -> None:
    """Keeps proofs in a file; what was there stays whole until it is done."""
    write_whole(path, json.dumps([log.to_dict() for log in logs]) + "\n")


def read(path: Path) -> list[Log]:
    """The proofs of a file.

    Raises:
        ValueError: it holds no list of game logs.
    """
    data = json.loads(path.read_text(encoding="utf-8"))
    if not isinstance(data, list):
        raise ValueError(f"{path}: expected a list of game logs, found {type(data).__name__}")
    return [Log.from_dict(one) for one in data]


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--edition", help="file of another box")
    parser.add_argument("--boxes", type=int, help="instead: random boxes with the seeds 0, 1, ... in turn, so many")
    parser.add_argument("--difficulty", type=float, default=DIFFICULTY, help="of these (default: %(default)s)")
    parser.add_argument("--challenge", action="append", choices=CHALLENGES, help="default: all")
    parser.add_argument("--players", type=int, action="append", choices=range(1, c.MAX_PLAYERS + 1), help="default: 3")
    parser.add_argument("--seeds", type=int, default=2, help="games of each (default: %(default)s)")
    parser.add_argument("--minutes", type=float, default=1.0, help="at most, for each game (default: %(default)s)")
    parser.add_argument("--best", action="store_true", help="go on until time is up, for a win in an earlier month")
    parser.add_argument("--threads", type=int, default=1, help="games searched at a time (default: %(default)s)")
    parser.add_argument("--write", type=Path, help="add the winning logs to this file, each as it is found")
    parser.add_argument("--check", type=Path, help="replay the logs of this file, and search nothing")
    args = parser.parse_args(argv)
    if args.boxes and args.edition:
        parser.error("--edition and --boxes both name boxes: choose one")
    game = sammu_env.load_game(args.edition)
    if args.check:
        for log in read(args.check):
            setup = f"{CHALLENGES[log.setup['challenge']]} {log.setup['players']} players, seed {log.seed}"
            print(f"{setup}: won in month {check(game, log)}")
        return
    writing = Lock()
    games = [(challenge, players, seed) for challenge in args.challenge or CHALLENGES
             for players in args.players or [3] for seed in range(args.seeds)]  # fmt: skip

    def one(job: tuple[int, tuple[str, int, int]]) -> Finding:
        i, (challenge, players, seed) = job
        own = sammu_env.load_game(box_seed=i % args.boxes, difficulty=args.difficulty) if args.boxes else game
        found = prove(own, own.configure(challenge=challenge, players=players), seed, args.minutes, args.best)
        print(found.text(), file=sys.stderr, flush=True)
        if found.log and args.write:
            with writing:
                write(args.write, [*(read(args.write) if args.write.exists() else []), found.log])
        return found

    Search(game, game.configure(), 0).run(
        1, 1, (1.0, 1.0, 1.0, 0.0), 1, 0, 0.0
    )  # compiles: no game's time goes into it
    with ThreadPoolExecutor(args.threads) as workers:
        findings = list(workers.map(one, enumerate(games)))
    print(table(findings))


if __name__ == "__main__":
    main()
