"""A toy game of two to four seats, to prove that nothing in ``tabletop`` knows another game.

The team wants 12 pips in the pot before six rounds are over. In turn each seat rolls a die that favours sixes and is
asked whether to keep it in the pot or pass it on; a pot that grows beyond 15 is lost.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from tabletop.fields import Array, Records, dtype_of, f8, i4, i8, shape
from tabletop.game import CHANCE, LOST, NOBODY, RUNNING, WON, Record, Results, check_seat, team_results
from tabletop.jit import entry, kernel
from tabletop.rng import below, seed_generator

KEEP, PASS, DIE = 0, 1, 2  # DIE + 0..5: the outcomes of a roll
N_ACTIONS = 8
SIZE = 5
GOAL, LIMIT, ROUNDS, MAX_SEATS = 12, 15, 6, 4


class Box:
    weight: Array[i4] = shape(6)


class Setup:
    box: i4
    players: i4
    goal: i4
    manual_chance: i4


class State:
    box: i8
    players: i4
    goal: i4
    manual_chance: i4
    round: i4
    seat: i4
    die: i4
    pot: i4
    to_act: i4
    result: i4
    cause: i4
    decisions: i4
    rolls: i4
    paid: f8
    trace: Array[i8] = shape(2)
    rng: Array[i8] = shape(4)


BOX, SETUP, STATE = dtype_of(Box), dtype_of(Setup), dtype_of(State)


@kernel
def _note(s: State, actor: int, action: int) -> None:
    s.trace[0] = (s.trace[0] * 31 + action + 1) % 1000003
    s.trace[1] = (s.trace[1] * 37 + actor + 2) % 1000033


@kernel
def _end(s: State, result: int, cause: int) -> None:
    s.result = result
    s.cause = cause
    s.to_act = NOBODY
    s.paid = 1.0 if result == WON else -1.0


@kernel
def _draw(box: Box, s: State) -> int:
    total = 0
    for i in range(6):
        total += box.weight[i]
    left = below(s, total)
    for i in range(6):
        if left < box.weight[i]:
            return DIE + i
        left -= box.weight[i]
    return DIE


@kernel
def _told(s: State, action: int) -> None:
    _note(s, CHANCE, action)
    s.die = action - DIE + 1
    s.rolls += 1
    s.to_act = s.seat


@kernel
def _next(s: State) -> None:
    s.die = 0
    s.seat += 1
    if s.seat == s.players:
        s.seat = 0
        s.round += 1
    s.to_act = CHANCE
    if s.pot > LIMIT:
        _end(s, LOST, 1)
    elif s.pot >= s.goal:
        _end(s, WON, 0)
    elif s.round == ROUNDS:
        _end(s, LOST, 2)


@kernel
def _run(box: Box, s: State) -> None:
    while s.to_act == CHANCE and s.manual_chance == 0:
        _told(s, _draw(box, s))


@entry
def reset(box: Records[Box], s: Records[State], setup: Records[Setup], seed: int) -> None:
    one = s[0]
    one.box = setup[0].box
    one.players = setup[0].players
    one.goal = setup[0].goal
    one.manual_chance = setup[0].manual_chance
    one.round = one.seat = one.die = one.pot = one.result = one.cause = 0
    one.decisions = one.rolls = 0
    one.paid = 0.0
    one.trace[0] = one.trace[1] = 0
    seed_generator(one, seed)
    one.to_act = CHANCE
    _run(box[s[0].box], one)


@entry
def apply(box: Records[Box], s: Records[State], action: int) -> bool:
    one = s[0]
    if one.to_act == CHANCE:
        if action < DIE or action >= DIE + 6:
            return False
        one.paid = 0.0
        _told(one, action)
        return True
    if one.to_act == NOBODY or action < 0 or action > PASS:
        return False
    one.paid = 0.0
    one.decisions += 1
    _note(one, one.seat, action)
    if action == KEEP:
        one.pot += one.die
    _next(one)
    _run(box[s[0].box], one)
    return True


@entry
def legal(box: Records[Box], s: Records[State], mask: Array[int]) -> None:
    mask[:] = 0
    if s[0].to_act == CHANCE:
        mask[DIE:] = 1
    elif s[0].to_act >= 0:
        mask[KEEP] = 1
        mask[PASS] = 1


@entry
def weights(box: Records[Box], s: Records[State], out: Array[float]) -> None:
    out[:] = 0.0
    if s[0].to_act == CHANCE:
        for i in range(6):
            out[DIE + i] = box[s[0].box].weight[i]


@entry
def sample(box: Records[Box], s: Records[State]) -> int:
    return _draw(box[s[0].box], s[0])


@entry
def observe(box: Records[Box], s: Records[State], seat: int, out: Array[float]) -> None:
    one = s[0]
    out[0] = one.pot / 24
    out[1] = one.die / 6
    out[2] = one.round / ROUNDS
    out[3] = (one.seat - seat + one.players) % one.players / MAX_SEATS
    out[4] = 1.0


@entry
def rewards(box: Records[Box], s: Records[State], out: Array[float]) -> None:
    out[:] = 0.0
    for i in range(s[0].players):
        out[i] = s[0].paid


class Toy:
    name = "toy"
    version = 0
    seat_name = "player"
    n_actions = N_ACTIONS
    max_seats = MAX_SEATS
    state, setup = STATE, SETUP
    causes = ("goal met", "too much", "out of rounds")
    clock = "round"
    labels = {"players": ()}
    observation_low = np.zeros(SIZE, np.float32)
    observation_high = np.ones(SIZE, np.float32)
    state_bounds = {"pot": (0, LIMIT + 6), "die": (0, 6), "round": (0, ROUNDS), "seat": (0, MAX_SEATS - 1),
                    "players": (2, MAX_SEATS)}  # fmt: skip
    team, zero_sum = True, False
    max_decisions = ROUNDS * MAX_SEATS
    layout, hidden_size, content_sets = "toy", 0, ()
    render_modes = ("ansi", "rgb_array")
    reset, apply, legal, weights = staticmethod(reset), staticmethod(apply), staticmethod(legal), staticmethod(weights)
    sample, observe, rewards = staticmethod(sample), staticmethod(observe), staticmethod(rewards)

    def __init__(self, *weights: tuple[int, ...]) -> None:
        weights = weights or ((1, 1, 1, 1, 1, 2),)
        self.box = np.zeros(len(weights), BOX)
        self.box["weight"] = weights
        self.contents = np.zeros((len(weights), N_ACTIONS, 0), np.float32)
        self.hashes = tuple("toy-" + "".join(map(str, weight)) for weight in weights)
        self.edition = "-".join(self.hashes)

    def results(self, states: Record) -> Results:
        return team_results(states["result"] == WON, states["players"], MAX_SEATS)

    def hidden(self, states: Record) -> Any:
        return np.zeros((len(states), 0), np.float32)

    def configure(self, players: int = 2, goal: int = GOAL, box: int = 0) -> Record:
        if not 2 <= players <= MAX_SEATS:
            raise ValueError(f"players is {players}, choose 2 to {MAX_SEATS}")
        setup = np.zeros(1, SETUP)
        setup["players"], setup["goal"], setup["box"] = players, goal, box
        return setup

    def override(self, setup: Record, options: Mapping[str, Any]) -> Record:
        setup = setup.copy()
        if "goal" in options:
            setup["goal"] = options["goal"]
        return setup

    def seats(self, setup: Record) -> int:
        return int(setup["players"][0])

    def secrets(self, setups: Record) -> Any:
        return np.zeros(len(setups), np.bool_)

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        check_seat(self, s, seat, onlooker=False)
        world = s.copy()
        world["rng"] = rng.integers(1, 2**32, (1, 4))  # all lies open but the future
        return world

    def question(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        one = self._told(s, seat)
        if one["to_act"] < 0:
            return "what did the die show?" if one["to_act"] == CHANCE else "the game is over"
        return f"keep the {one['die']}?"

    def words(self, s: Record, action: int, lang: str = "en", seat: int | None = None) -> str:
        self._told(s, seat)
        return ("keep", "pass", "1", "2", "3", "4", "5", "6")[action]

    def group(self, action: int) -> str:
        return "die" if action >= DIE else "verb"

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        one = self._told(s, seat)
        return f"round {one['round']}, pot {one['pot']}"

    def render(self, s: Record, mode: str, lang: str = "en", seat: int | None = None) -> Any:
        return self.describe(s, lang, seat) if mode == "ansi" else self._picture(s, seat)

    def _picture(self, s: Record, seat: int | None) -> Any:
        picture = np.zeros((4, 6, 3), np.uint8)
        picture[0, : self._told(s, seat)["die"]] = 255
        return picture

    def _told(self, s: Record, seat: int | None) -> Any:
        """What a seat is told of: the whole state, if there is such a seat."""
        check_seat(self, s, seat)
        return s[0]


assert RUNNING == 0
