"""What a seat sees, as a named vector of float32. Seats are relative: 0 is who looks, 1 the next clockwise."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from tabletop.game import CHANCE, Record
from tabletop.jit import kernel
from tabletop.observation import THIRD, bounds, equal, lay_out, layout_hash, one_hot, relative, scaled
from xerxes_env import actions as a
from xerxes_env import constants as c
from xerxes_env import steps
from xerxes_env.rules.setup import count
from xerxes_env.state import Box, State

P, R, U, B = c.MAX_PLAYERS, c.N_RESOURCES, c.N_UNITS, c.N_BUILDINGS
PROMPTS = len(steps.PROMPTS)
VP = np.float32(1 / 25)

PARTS = lay_out((
    ("players", P, "one-hot: number of players", 0, 1),
    ("round", c.ROUNDS, "one-hot: the year", 0, 1),
    ("phase", len(c.PHASES), "one-hot: the phase (constants.PHASES)", 0, 1),
    ("second", 1, "1 in the second pass of placement or building", 0, 1),
    ("prompt", PROMPTS, "one-hot: what is asked (steps.PROMPTS)", 0, 1),
    ("to_act", P, "one-hot, relative: the seat that is asked", 0, 1),
    ("prompt_number", 1, "the prompt's second argument where it is a number: cards played, VP, places / 3", 0, 4),
    ("prompt_resource", R, "one-hot: the resource that is replaced", 0, 1),
    ("prompt_area", c.N_AREAS, "one-hot: the area that Bactria takes", 0, 1),
    ("prompt_march", c.N_MARCH, "one-hot: the march card that is paid", 0, 1),
    ("prompt_seat", P, "one-hot, relative: whom India robs", 0, 1),
    ("owed", R, "resources of the payment in hand / 3", 0, 2),
    ("owed_unit", U, "units that the march in hand still asks / 3", 0, 2),
    ("at_hand", U, "units at hand of the seat that marches / 3", 0, 9),
    ("joker", 2, "units of any kind / 3; how many units may still be used / 3", 0, 9),
    ("place", P * P, "each seat, relative, one-hot: its place in the turn order", 0, 1),
    ("new_order", P * P, "each place, one-hot, relative: who is put there", 0, 1),
    ("satrap", P * c.N_SATRAPS, "each seat, relative, one-hot: its satrap", 0, 1),
    ("vp", P, "each seat, relative: VP / 25", 0, 8),
    ("power", P, "1 for each seat, relative, whose power token lies on the mat", 0, 1),
    ("standing", P, "1 for each seat, relative, whose satrap stands", 0, 1),
    ("ignores", P, "1 for each seat, relative, for which the event does not count", 0, 1),
    ("resources", P * R, "each seat, relative: resources / 3", 0, 3),
    ("gained", P * R, "each seat, relative: resources gained this round / 3", 0, 3),
    ("hands", P * 2, "each seat, relative: tax cards / 6 and march cards / 4 in hand", 0, 1),
    ("tax_played", P * c.N_TAX, "each seat, relative: tax cards played", 0, 1),
    ("march_played", P * c.N_MARCH, "each seat, relative: march cards played", 0, 1),
    ("tax_hand", c.N_TAX, "own tax cards", 0, 1),
    ("march_hand", c.N_MARCH, "own march cards", 0, 1),
    ("tax_out", c.N_TAX, "own tax card discarded", 0, 1),
    ("march_out", c.N_MARCH, "own march card discarded", 0, 1),
    ("worker", P * c.PLACES, "each seat, relative: areas, and the turn-order space, with its workers", 0, 1),
    ("building", P * B, "each seat, relative: what it has built", 0, 1),
    ("building_vp", B, "VP of each building this year / 25", 0, 1),
    ("event", c.N_EVENTS, "one-hot: this year's event", 0, 1),
    ("event_seen", c.N_EVENTS, "1 for each event that has come", 0, 1),
))  # fmt: skip
SIZE = PARTS[-1].slice.stop
LOW, HIGH = bounds(PARTS)
LAYOUT: str = layout_hash(PARTS, a.BLOCKS)
#: Prompts whose second argument is a number.
NUMBERED = tuple(int("n" in row.arguments) for row in steps.TABLE)
HIDDEN_SIZE = (P - 1) * 2 * (c.N_TAX + c.N_MARCH)


@kernel
def write(box: Box, s: State, seat: int, out: Any) -> None:
    """Writes what a seat sees over ``out`` (float32[SIZE])."""
    out[:] = 0.0
    k = one_hot(out, 0, P, s.players - 1)
    k = one_hot(out, k, c.ROUNDS, s.round - 1)
    k = one_hot(out, k, len(c.PHASES), s.phase)
    out[k] = s.second
    k = prompt(s, seat, out, k + 1)
    k = scaled(out, k, s.owed, THIRD)
    k = scaled(out, k, s.owed_unit, THIRD)
    k = scaled(out, k, s.at_hand, THIRD)
    out[k] = np.float32(s.joker) * THIRD
    out[k + 1] = np.float32(s.units_left) * THIRD
    k = seats(s, seat, out, k + 2)
    k = equal(out, k, s.tax, c.HAND + seat)
    k = equal(out, k, s.march, c.HAND + seat)
    k = equal(out, k, s.tax, c.OUT + seat)
    k = equal(out, k, s.march, c.OUT + seat)
    for i in range(P):
        k = equal(out, k, s.worker, (seat + i) % s.players if i < s.players else P)
    for i in range(P):
        k = equal(out, k, s.owner, (seat + i) % s.players if i < s.players else P)
    for building in range(B):
        out[k + building] = np.float32(box.building_vp[building, s.round - 1]) * VP
    k = one_hot(out, k + B, c.N_EVENTS, s.event)
    equal(out, k, s.event_seen, 1)


@kernel
def prompt(s: State, seat: int, out: Any, k: int) -> int:
    """What is asked, of whom and about what. Returns where the next part begins."""
    op, second = int(s.op[s.sp - 1]), int(s.arg[s.sp - 1, 1])
    asked = op <= steps.LAST_PROMPT
    k = one_hot(out, k, PROMPTS, op)
    k = one_hot(out, k, P, relative(seat, s.to_act, s.players) if asked else c.NONE)
    if asked and NUMBERED[op]:
        out[k] = np.float32(second) * THIRD
    k = one_hot(out, k + 1, R, second if op == steps.REPLACE_BY else c.NONE)
    k = one_hot(out, k, c.N_AREAS, second if op == steps.PUSH_TO else c.NONE)
    k = one_hot(out, k, c.N_MARCH, second if op == steps.SOURCE else c.NONE)
    return one_hot(out, k, P, relative(seat, second, s.players) if op == steps.STEAL else c.NONE)


@kernel
def seats(s: State, seat: int, out: Any, k: int) -> int:
    """What lies open of every seat. Returns where the next part begins."""
    for place in range(s.players):
        if s.order[place] >= 0:
            one_hot(out, k + relative(seat, s.order[place], s.players) * P, P, place)
        one_hot(out, k + P * P + place * P, P, relative(seat, s.new_order[place], s.players))
    k += 2 * P * P
    for i in range(s.players):
        other = (seat + i) % s.players
        one_hot(out, k + i * c.N_SATRAPS, c.N_SATRAPS, s.satrap[other])
        at = k + P * c.N_SATRAPS + i
        out[at] = min(np.float32(8.0), np.float32(s.vp[other]) * VP)  # an edition may give more
        out[at + P] = s.power[other]
        out[at + 2 * P] = s.standing[other]
        out[at + 3 * P] = s.ignores[other]
        at += 4 * P - i
        scaled(out, at + i * R, s.resource[other], THIRD)
        scaled(out, at + (P + i) * R, s.gained[other], THIRD)
        at += 2 * P * R
        out[at + 2 * i] = np.float32(count(s.tax, c.HAND + other)) / np.float32(c.TAX_DEALT)
        out[at + 2 * i + 1] = np.float32(count(s.march, c.HAND + other)) / np.float32(c.MARCH_DEALT)
        at += 2 * P
        equal(out, at + i * c.N_TAX, s.tax, c.PLAYED + other)
        equal(out, at + P * c.N_TAX + i * c.N_MARCH, s.march, c.PLAYED + other)
    return k + P * (c.N_SATRAPS + 4 + 2 * R + 2 + c.N_TAX + c.N_MARCH)


def hidden(states: Record) -> NDArray[np.float32]:
    """What the seat that is asked may not know, float32 (n, HIDDEN_SIZE): of each other seat, clockwise, the tax and
    march cards in hand and those discarded. Zeros where no seat is asked."""
    out = np.zeros((len(states), P - 1, 2, c.N_TAX + c.N_MARCH), np.float32)
    cards = np.concatenate([states["tax"], states["march"]], 1)
    asked, players = states["to_act"], states["players"]
    for i in range(P - 1):
        there = (asked > CHANCE) & (i + 1 < players)
        other = (asked + i + 1) % players
        for k, where in enumerate((c.HAND, c.OUT)):
            out[:, i, k] = (cards == (where + other)[:, None]) & there[:, None]
    return out.reshape(len(states), HIDDEN_SIZE)
