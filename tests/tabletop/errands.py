"""A toy game of one seat whose turns have several choices, for search: a plan is which errands are run.

In one turn the seat runs any of three errands, each once, and ends the turn; then a die is rolled. The first errand
costs a pip, the second brings two, the third nothing; four pips win. With ``peek`` only that wins which nobody can
know: the first errand must be run if the die is going to be odd, and the second if a card lies face down.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.fields import Array, Records, dtype_of, i4, i8, shape
from tabletop.game import CHANCE, LOST, NOBODY, WON, Record, Results, check_seat, team_results
from tabletop.jit import entry, kernel
from tabletop.rng import below, seed_generator

ERRANDS, DONE, DIE = 3, 3, 4
N_ACTIONS = DIE + 6
GOAL = 4


class Box:
    unused: i8


class Setup:
    box: i8
    peek: i4
    manual_chance: i4


class State(Setup):
    to_act: i4
    cause: i4
    card: i4
    decisions: i4
    result: i4
    turn: i4
    run: Array[i4] = shape(4)
    trace: Array[i8] = shape(2)
    rng: Array[i8] = shape(4)


BOX, SETUP, STATE = dtype_of(Box), dtype_of(Setup), dtype_of(State)


@kernel
def _roll(s: State, pips: int) -> None:
    s.to_act = NOBODY
    s.turn = 1
    if s.peek > 0:
        won = s.run[0] == pips % 2 and s.run[1] == s.card
    else:
        won = pips - s.run[0] + 2 * s.run[1] >= GOAL
    s.result = WON if won else LOST
    s.cause = 0 if won else (2 if s.run[0] > 0 else 1)


@entry
def reset(box: Records[Box], s: Records[State], setup: Records[Setup], seed: int) -> None:
    one = s[0]
    one.box, one.peek, one.manual_chance = setup[0].box, setup[0].peek, setup[0].manual_chance
    one.cause = one.decisions = one.result = one.turn = one.to_act = 0
    one.run[:] = 0
    one.trace[0] = one.trace[1] = 0
    seed_generator(one, seed)
    one.card = below(one, 2)


@entry
def apply(box: Records[Box], s: Records[State], action: int) -> bool:
    one = s[0]
    if one.to_act == CHANCE:
        if action < DIE or action >= N_ACTIONS:
            return False
        _roll(one, action - DIE + 1)
        return True
    if one.to_act == NOBODY or action < 0 or action > DONE or one.run[action] > 0:
        return False
    one.decisions += 1
    one.trace[0] = (one.trace[0] * 31 + action + 1) % 1000003
    if action == DONE:
        one.to_act = CHANCE
        if one.manual_chance == 0:
            _roll(one, below(one, 6) + 1)
    else:
        one.run[action] = 1
    return True


@entry
def legal(box: Records[Box], s: Records[State], mask: Array[int]) -> None:
    mask[:] = 0
    if s[0].to_act == CHANCE:
        mask[DIE:] = 1
    elif s[0].to_act >= 0:
        for action in range(DONE + 1):
            mask[action] = s[0].run[action] == 0


@entry
def weights(box: Records[Box], s: Records[State], out: Array[float]) -> None:
    out[:] = 0.0
    if s[0].to_act == CHANCE:
        out[DIE:] = 1.0


@entry
def sample(box: Records[Box], s: Records[State]) -> int:
    return DIE + below(s[0], 6)


@entry
def observe(box: Records[Box], s: Records[State], seat: int, out: Array[float]) -> None:
    for i in range(ERRANDS):
        out[i] = s[0].run[i]


@entry
def rewards(box: Records[Box], s: Records[State], out: Array[float]) -> None:
    out[0] = 1.0 if s[0].result == WON else 0.0


class Errands:
    name = "errands"
    version = 0
    edition = layout = "errands"
    hashes = (edition,)
    seat_name = "errander"
    n_actions, max_seats = N_ACTIONS, 1
    state, setup = STATE, SETUP
    box = np.zeros(1, BOX)
    causes = ("enough pips", "too few pips", "too few pips, and one was paid")
    clock, labels = "turn", {"peek": ()}
    observation_low, observation_high = np.zeros(ERRANDS, np.float32), np.ones(ERRANDS, np.float32)
    state_bounds = {"run": (0, 1), "turn": (0, 1), "card": (0, 1)}
    zero_sum, team, hidden_size, content_sets = False, True, 1, ()
    max_decisions = 2 * ERRANDS + 2
    contents = np.zeros((1, N_ACTIONS, 0), np.float32)
    render_modes = ("ansi",)
    reset, apply, legal, weights = staticmethod(reset), staticmethod(apply), staticmethod(legal), staticmethod(weights)
    sample, observe, rewards = staticmethod(sample), staticmethod(observe), staticmethod(rewards)

    def configure(self, peek: int = 0) -> Record:
        setup = np.zeros(1, SETUP)
        setup["peek"] = peek
        return setup

    def override(self, setup: Record, options: Any) -> Record:
        return setup.copy()

    def secrets(self, states: Record) -> NDArray[np.bool_]:
        return np.ones(len(states), np.bool_)

    def seats(self, setup: Record) -> int:
        return 1

    def results(self, states: Record) -> Results:
        return team_results(states["result"] == WON, np.ones(len(states)), 1)

    def hidden(self, states: Record) -> Any:
        return states["card"][:, None].astype(np.float32)

    def resample(self, s: Record, seat: int, rng: np.random.Generator) -> Record:
        check_seat(self, s, seat, onlooker=False)
        world = s.copy()
        world["rng"] = rng.integers(1, 2**32, (1, 4))
        world["card"] = rng.integers(2)
        return world

    def facts(self, s: Record, seat: int | None = None) -> dict[str, int]:
        return {"errands": int(s["run"][0, :ERRANDS].sum())}

    def named(self, name: str, lang: str = "en") -> str:
        return {"errands": "用事", "errander": "使い"}.get(name, name) if lang == "ja" else name

    def question(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        check_seat(self, s, seat)
        return "which errand?"

    def words(self, s: Record, action: int, lang: str = "en", seat: int | None = None) -> str:
        check_seat(self, s, seat)
        return f"errand {action}" if action < DONE else "done" if action == DONE else f"{action - DIE + 1}"

    def group(self, action: int) -> str:
        return "done" if action == DONE else "errand" if action < DONE else "die"

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        check_seat(self, s, seat)
        return f"run: {s['run'][0, :ERRANDS].tolist()}"

    def render(self, s: Record, mode: str, lang: str = "en", seat: int | None = None) -> Any:
        return self.describe(s, lang, seat)
