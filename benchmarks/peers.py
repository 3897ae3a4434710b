"""Other environments of about this size, measured the same way: ``python -m benchmarks.peers NAME --seconds 2``.

A *decision* is every choice that an environment asks of a player, chance not counted, even where there is only one
option (``Row.forced`` is the share of those). Players pick uniformly among the legal options, in the cheapest way that
the environment's interface has. Every peer has a process of its own on one core, so that a missing one costs a line.
"""

from __future__ import annotations

import argparse
import copy
import json
import os
import pickle
import random
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, replace
from functools import partial
from importlib import import_module, metadata
from typing import Any

import numpy as np

BARE, SEEN, COPY = "bare", "with observation and mask", "copy"
STRETCHES = 3
BATCHES = (16, 64, 256)
TURNS = 32  # of every game of a batch, in one call
COMPILING = 300  # seconds
ONE_CORE = {
    "OMP_NUM_THREADS": "1",
    "OPENBLAS_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
    "NUMBA_NUM_THREADS": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}

Play = Callable[[], tuple[int, int]]
"""Plays something to its end: decisions, and how many of them were forced."""

Walk = Callable[[bool], Iterator[tuple[int, Any]]]
"""Plays a random game, observing or not, and stops at every decision: options, and what is to be copied."""


@dataclass(frozen=True)
class Row:
    """What was measured of a peer; what it does not have, or could not be measured, is None."""

    name: str = ""
    game: str = ""
    version: str = ""
    what: str = ""
    decisions_per_second: float | None = None
    forced: float | None = None
    copy_microseconds: float | None = None
    state_bytes: int | None = None
    note: str = ""


@dataclass(frozen=True)
class Peer:
    """An environment to measure, and where it comes from."""

    game: str
    package: str
    install: str
    rows: Callable[[float], Iterator[Row]]


def stretch(play: Play, seconds: float) -> tuple[int, int, float]:
    """Plays for that long, and to the end of what was begun: decisions, forced ones, seconds."""
    decisions = forced = 0
    begin = now = time.perf_counter()
    while now - begin < seconds:
        more, of_them_forced = play()
        decisions += more
        forced += of_them_forced
        now = time.perf_counter()
    return decisions, forced, now - begin


def rate(play: Play, seconds: float) -> tuple[float, float]:
    """Decisions a second, the best of a few stretches after a warm-up, and the share of forced ones.

    The best, since whatever else the machine does can only slow it down.
    """
    stretch(play, seconds / 4)
    stretches = [stretch(play, seconds / STRETCHES) for _ in range(STRETCHES)]
    decisions, forced, _ = map(sum, zip(*stretches, strict=True))
    return max(n / took for n, _, took in stretches), forced / decisions


def speed(what: str, play: Play, seconds: float, note: str = "") -> Row:
    """The row of a speed."""
    decisions, forced = rate(play, seconds)
    return Row(what=what, decisions_per_second=decisions, forced=forced, note=note)


def played(walk: Walk, observe: bool) -> Play:
    """Counts along a walk."""

    def play() -> tuple[int, int]:
        decisions = forced = 0
        for options, _ in walk(observe):
            decisions += 1
            forced += options == 1
        return decisions, forced

    return play


def copying(
    walk: Walk, clone: Callable[[Any], Any], size: Callable[[Any], int] | None, seconds: float, note: str = ""
) -> Row:
    """The row of a copy, the mean over all positions of a random game."""
    positions = [clone(state) for _, state in walk(False)]

    def play() -> tuple[int, int]:
        for state in positions:
            clone(state)
        return len(positions), 0

    size_of_all = sum(map(size, positions)) if size else 0
    return Row(
        what=COPY,
        copy_microseconds=1e6 / rate(play, seconds / 2)[0],
        state_bytes=size_of_all // len(positions) or None,
        note=note,
    )


def pickled(state: Any) -> int:
    """Bytes of a pickle."""
    return len(pickle.dumps(state))


def serialised(state: Any) -> int:
    """Bytes of a state of OpenSpiel as it is saved."""
    return len(state.serialize())


def any_of(options: Sequence[Any]) -> Any:
    """One of them at random, faster than random.choice."""
    return options[int(random.random() * len(options))]


def openspiel(name: str, seconds: float) -> Iterator[Row]:
    """A game of OpenSpiel, through Python and once more with its own bots, which play in C++."""
    lib = import_module("pyspiel")
    game = lib.load_game(name)
    observation = import_module("open_spiel.python.observation").make_observation(game)
    mask = np.zeros(game.num_distinct_actions(), np.int8)

    def walk(observe: bool) -> Iterator[tuple[int, Any]]:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(drawn(state.chance_outcomes()))
                continue
            legal = state.legal_actions()
            if observe:
                observation.set_from(state, state.current_player())
                mask[:] = 0
                mask[legal] = 1
            yield len(legal), state
            state.apply_action(any_of(legal))

    yield speed(BARE, played(walk, False), seconds)
    yield replace(speed("bare, played in C++", in_cpp(lib, game), seconds), forced=None)
    yield speed(SEEN, played(walk, True), seconds)
    yield copying(walk, lambda state: state.clone(), serialised, seconds, "bytes: serialised, mostly the moves so far")


def in_cpp(lib: Any, game: Any, count: int = 50) -> Play:
    """Games of OpenSpiel's uniformly random bots; decisions counted afterwards, not while the clock runs."""
    bots = [lib.make_uniform_random_bot(player, player + 1) for player in range(game.num_players())]

    def some(n: int) -> list[Any]:
        states = [game.new_initial_state() for _ in range(n)]
        for state in states:
            lib.evaluate_bots(state, bots, random.getrandbits(30))
        return states

    sample = [sum(move.player >= 0 for move in state.full_history()) for state in some(500)]
    decisions = round(count * sum(sample) / len(sample))

    def play() -> tuple[int, int]:
        some(count)
        return decisions, 0

    return play


def drawn(outcomes: Sequence[tuple[int, float]]) -> int:
    """One of several outcomes by their chances."""
    left = random.random()
    for outcome, chance in outcomes:
        left -= chance
        if left < 0:
            return outcome
    return outcomes[-1][0]


RLCARD_LEGAL: dict[str, Callable[[Any, Any], list[Any]]] = {
    "gin-rummy": lambda game, _: game.judge.get_legal_actions(),
    "uno": lambda game, _: game.get_legal_actions(),
    "mahjong": lambda game, state: game.get_legal_actions(state),
}


def rlcard(name: str, seconds: float) -> Iterator[Row]:
    """A game of RLCard: bare is the game inside its environment, which encodes nothing."""
    env = import_module("rlcard").make(name, config={"seed": 1})
    legal_of, game = RLCARD_LEGAL[name], env.game

    def bare() -> Iterator[tuple[int, Any]]:
        state, _ = game.init_game()
        while not game.is_over():
            legal = legal_of(game, state)
            yield len(legal), game
            state, _ = game.step(any_of(legal))

    def seen() -> Iterator[tuple[int, Any]]:
        state, _ = env.reset()
        while not env.is_over():
            legal = list(state["legal_actions"])
            yield len(legal), game
            state, _ = env.step(any_of(legal))

    def walk(observe: bool) -> Iterator[tuple[int, Any]]:
        return seen() if observe else bare()

    yield speed(BARE, played(walk, False), seconds)
    yield speed(SEEN, played(walk, True), seconds, "the mask is a dictionary")
    yield copying(walk, copy.deepcopy, pickled, seconds, "deepcopy; bytes: pickled")


def hanabi(seconds: float) -> Iterator[Row]:
    """DeepMind's Hanabi, in C++ behind cffi."""
    lib = import_module("hanabi_learning_environment.pyhanabi")
    game = lib.HanabiGame({"players": 5})
    encoder = lib.ObservationEncoder(game)
    mask = np.zeros(game.max_moves(), np.int8)

    def walk(observe: bool) -> Iterator[tuple[int, Any]]:
        state = game.new_initial_state()
        while not state.is_terminal():
            player = state.cur_player()
            if player == lib.CHANCE_PLAYER_ID:
                state.deal_random_card()
                continue
            legal = state.legal_moves()
            if observe:
                encoder.encode(state.observation(player))
                mask[:] = 0
                mask[[game.get_move_uid(move) for move in legal]] = 1
            yield len(legal), state
            state.apply_move(any_of(legal))

    yield speed(BARE, played(walk, False), seconds)
    yield speed(SEEN, played(walk, True), seconds)
    yield copying(walk, lambda state: state.copy(), None, seconds)


def pgx(name: str, seconds: float) -> Iterator[Row]:
    """A game of Pgx, vmapped and jitted, with whichever number of games at once is fastest."""
    lib, jax = import_module("pgx"), import_module("jax")
    for what in (BARE, SEEN):
        env = lib.make(name)
        if what == BARE:
            env.observe = lambda state: state.observation
        plays = {batch: pgx_play(env, batch) for batch in BATCHES}
        best = max(plays, key=lambda batch: rate(plays[batch], seconds / 4)[0])
        yield speed(what, plays[best], seconds, f"{best} games at once, the best of {BATCHES}")

    states = jax.vmap(env.init)(jax.random.split(jax.random.key(1), max(BATCHES)))
    clone = jax.jit(lambda states: jax.tree.map(jax.numpy.copy, states))

    def play() -> tuple[int, int]:
        jax.block_until_ready(clone(states))
        return max(BATCHES), 0

    size = sum(leaf.nbytes for leaf in jax.tree.leaves(states)) - states.observation.nbytes
    yield Row(
        what=COPY,
        copy_microseconds=1e6 / rate(play, seconds / 2)[0],
        state_bytes=size // max(BATCHES),
        note=f"in a batch of {max(BATCHES)}; bytes: its arrays without the observation; none is changed in place",
    )


def pgx_play(env: Any, batch: int) -> Play:
    """So many games side by side, begun anew where they end."""
    jax = import_module("jax")
    step = jax.vmap(import_module("pgx.experimental").auto_reset(env.step, env.init))

    def turn(_: int, carry: Any) -> Any:
        states, key, forced = carry
        key, picks, draws = jax.random.split(key, 3)
        options = states.legal_action_mask.sum(1)
        pick = jax.random.randint(picks, (batch,), 0, options)
        actions = (states.legal_action_mask.cumsum(1) > pick[:, None]).argmax(1)
        return step(states, actions, jax.random.split(draws, batch)), key, forced + (options == 1).sum()

    run = jax.jit(lambda states, key: jax.lax.fori_loop(0, TURNS, turn, (states, key, 0)))
    key = jax.random.key(1)
    states = jax.jit(jax.vmap(env.init))(jax.random.split(key, batch))

    def play() -> tuple[int, int]:
        nonlocal states, key
        states, key, forced = run(states, key)
        return TURNS * batch, int(forced)

    return play


def catanatron(seconds: float) -> Iterator[Row]:
    """Catan with four players; its observations are in a package of their own."""
    lib, player = import_module("catanatron.game"), import_module("catanatron.models.player")

    def walk(observe: bool) -> Iterator[tuple[int, Any]]:
        game = lib.Game([player.RandomPlayer(color) for color in player.Color])
        while game.winning_color() is None and game.state.num_turns < lib.TURNS_LIMIT:
            legal = game.state.playable_actions
            yield len(legal), game
            game.execute(any_of(legal), validate_action=False)

    yield speed(BARE, played(walk, False), seconds)
    yield copying(walk, lambda game: game.copy(), pickled, seconds, "bytes: pickled, with the log of moves")


def aec(env: Any) -> Play:
    """A game of any PettingZoo environment with an action mask."""

    def walk(observe: bool) -> Iterator[tuple[int, Any]]:
        env.reset()
        while True:
            observation, _, terminated, truncated, _ = env.last()
            if terminated or truncated:
                return
            legal = observation["action_mask"].nonzero()[0]
            yield len(legal), env
            env.step(int(any_of(legal)))

    return played(walk, True)


def pettingzoo(name: str, seconds: float, **how: Any) -> Iterator[Row]:
    """A classic game of PettingZoo as it is handed to users."""
    env = import_module(f"pettingzoo.classic.{name}").env(**how)
    yield speed(SEEN, aec(env), seconds)
    yield Row(what=COPY, note="none: a deepcopy is a new game")


PIP = "pip install"
CLASSIC = f"{PIP} 'pettingzoo[classic]'"
CMAKE = "CMAKE_POLICY_VERSION_MINIMUM=3.5"  # its build file is older than what CMake 4 accepts
PEERS = {
    "openspiel/hanabi": Peer(
        "Hanabi, 5 players", "open_spiel", f"{PIP} open_spiel", partial(openspiel, "hanabi(players=5)")
    ),
    "openspiel/backgammon": Peer("backgammon", "open_spiel", f"{PIP} open_spiel", partial(openspiel, "backgammon")),
    "openspiel/gin-rummy": Peer("gin rummy", "open_spiel", f"{PIP} open_spiel", partial(openspiel, "gin_rummy")),
    "rlcard/gin-rummy": Peer("gin rummy", "rlcard", f"{PIP} rlcard", partial(rlcard, "gin-rummy")),
    "rlcard/uno": Peer("Uno", "rlcard", f"{PIP} rlcard", partial(rlcard, "uno")),
    "rlcard/mahjong": Peer("mahjong, 4 players", "rlcard", f"{PIP} rlcard", partial(rlcard, "mahjong")),
    "hanabi-learning-environment": Peer(
        "Hanabi, 5 players", "hanabi-learning-environment", f"{CMAKE} {PIP} hanabi-learning-environment", hanabi
    ),
    "pgx/backgammon": Peer("backgammon", "pgx", f"{PIP} pgx", partial(pgx, "backgammon")),
    "pgx/sparrow-mahjong": Peer("sparrow mahjong, 3 players", "pgx", f"{PIP} pgx", partial(pgx, "sparrow_mahjong")),
    "catanatron": Peer("Catan, 4 players", "catanatron", f"{PIP} catanatron", catanatron),
    "pettingzoo/hanabi": Peer(
        "Hanabi, 5 players", "pettingzoo", CLASSIC, partial(pettingzoo, "hanabi_v5", players=5, hand_size=4)
    ),
    "pettingzoo/texas-holdem": Peer("limit hold'em", "pettingzoo", CLASSIC, partial(pettingzoo, "texas_holdem_v4")),
    "pettingzoo/chess": Peer("chess", "pettingzoo", CLASSIC, partial(pettingzoo, "chess_v6")),
    "pettingzoo/connect-four": Peer("connect four", "pettingzoo", CLASSIC, partial(pettingzoo, "connect_four_v3")),
}


def here(name: str, seconds: float) -> list[Row]:
    """Measures a peer in this process; one row that says how to install it if it is missing."""
    peer = PEERS[name]
    row = Row(name=name, game=peer.game)
    try:
        row = replace(row, version=metadata.version(peer.package))
        return [replace(found, name=name, game=peer.game, version=row.version) for found in peer.rows(seconds)]
    except ImportError as error:
        return [replace(row, note=f"not installed ({error}): {peer.install}")]


def alone(name: str, seconds: float, module: str = "benchmarks.peers") -> list[Row]:
    """Measures in a process of its own, which prints rows as JSON; one row that says why if it fails."""
    command = [sys.executable, "-m", module, name, "--seconds", str(seconds)]
    limit = COMPILING + 20 * seconds
    try:
        done = subprocess.run(command, env={**os.environ, **ONE_CORE}, capture_output=True, text=True, timeout=limit)
    except subprocess.TimeoutExpired:
        return [Row(name=name, note=f"failed: not done after {limit:.0f} seconds")]
    if done.returncode != 0:
        why = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        return [Row(name=name, note=f"failed: {why}")]
    return [Row(**row) for row in json.loads(done.stdout.splitlines()[-1])]


def measure(names: Sequence[str] = tuple(PEERS), seconds: float = 2.0) -> list[Row]:
    """Measures these peers one after the other, each figure for that long."""
    return [row for name in names for row in alone(name, seconds)]


@contextmanager
def one_core() -> Iterator[None]:
    """Keeps this thread, and what it starts, on one core, where the system can."""
    if not hasattr(os, "sched_setaffinity"):
        yield
        return
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, {max(before)})
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("name", choices=PEERS)
    parser.add_argument("--seconds", type=float, default=2.0)
    options = parser.parse_args()
    random.seed(1)
    with one_core():
        print(json.dumps([asdict(row) for row in here(options.name, options.seconds)]))


if __name__ == "__main__":
    main()
