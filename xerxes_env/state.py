"""The records: a box as rules read it, how a game is set up, and where it stands."""

from __future__ import annotations

import numpy as np

from tabletop.fields import Array, dtype_of, f8, i2, i4, i8, shape
from tabletop.steps import ARGS
from xerxes_env import constants as c
from xerxes_env.actions import N_ACTIONS

P, R, U, B = c.MAX_PLAYERS, c.N_RESOURCES, c.N_UNITS, c.N_BUILDINGS
DEPTH = 16  #: steps pending at once: those of a round and of a turn are 14 at most


class Box:
    """What is printed; -1: none."""

    goal: i2  # VP that end the game
    limit: i2  # of each resource on a mat
    tax_kept: i2
    march_kept: i2
    same_rewards: i2  # tax cards of one kind of reward in a hand for which all are dealt again
    march_vp: i2
    march_loss: i2
    mat: Array[i2] = shape(c.N_SATRAPS)  # whose other side a satrap is
    area_resource: Array[i2] = shape(c.N_AREAS, R)
    area_unit: Array[i2] = shape(c.N_AREAS)
    event_no_resource: Array[i2] = shape(c.N_EVENTS)
    event_no_building: Array[i2] = shape(c.N_EVENTS)
    event_resources: Array[i2] = shape(c.N_EVENTS)
    event_units: Array[i2] = shape(c.N_EVENTS)
    building_cost: Array[i2] = shape(B, R)
    building_vp: Array[i2] = shape(B, c.ROUNDS)  # blue, in each round
    building_loss: Array[i2] = shape(B)  # red
    march_unit: Array[i2] = shape(c.N_MARCH, U)
    tax_cost: Array[i2] = shape(c.N_TAX, R)
    tax_vp: Array[i2] = shape(c.N_TAX)
    tax_unit: Array[i2] = shape(c.N_TAX)


class Setup:
    """How a game begins."""

    box: i8
    players: i2
    manual_chance: i2
    spare: Array[i2] = shape(2)  # so that no bytes lie between fields
    satrap: Array[i2] = shape(P)  # of each seat, or -1: drawn


class State:
    """Where a game stands."""

    box: i8
    paid: Array[f8] = shape(P)  # what the last choice paid every seat
    trace: Array[i8] = shape(2)
    rng: Array[i8] = shape(4)
    decisions: i4
    players: i2
    manual_chance: i2
    to_act: i2
    cause: i2
    rank: Array[i2] = shape(P)  # at the end: 1 is the best
    round: i2
    phase: i2
    second: i2  # 1: the second pass of placement or building
    order: Array[i2] = shape(P)  # the seat in each place
    new_order: Array[i2] = shape(P)  # while it is rearranged, or -1
    # players
    satrap: Array[i2] = shape(P)
    vp: Array[i2] = shape(P)
    power: Array[i2] = shape(P)  # 1: the power token lies on the mat
    standing: Array[i2] = shape(P)  # 1: the satrap has not been laid down
    resource: Array[i2] = shape(P, R)
    gained: Array[i2] = shape(P, R)  # this round
    # board and cards
    worker: Array[i2] = shape(c.PLACES)  # whose stands there, or -1
    owner: Array[i2] = shape(B)  # who has built it, or -1
    tax: Array[i2] = shape(c.N_TAX)  # DECK, HAND + seat, PLAYED + seat, OUT + seat
    march: Array[i2] = shape(c.N_MARCH)
    event: i2  # of this round, or -1
    event_seen: Array[i2] = shape(c.N_EVENTS)
    redeals: i2  # how often all tax cards were dealt again
    ignores: Array[i2] = shape(P)  # 1: this round's event does not count for this seat
    # a march
    at_hand: Array[i2] = shape(U)  # units that the marching seat may still use, those of any kind apart
    joker: i2  # units of any kind
    units_left: i2  # how many of all these it may use
    owed_unit: Array[i2] = shape(U)
    tax_unit: Array[i2] = shape(U)  # those of its tax cards among the ones at hand
    # a payment
    owed: Array[i2] = shape(R)
    # machinery
    sp: i2
    op: Array[i2] = shape(DEPTH)
    arg: Array[i2] = shape(DEPTH, ARGS)
    n_options: i2
    option: Array[i2] = shape(N_ACTIONS)


BOX, SETUP, STATE = dtype_of(Box), dtype_of(Setup), dtype_of(State)

#: The least and the most that fields may hold.
BOUNDS: dict[str, tuple[float, float]] = {
    **dict.fromkeys(("power", "standing", "ignores", "event_seen", "second"), (0, 1)),
    **dict.fromkeys(("order", "new_order", "worker", "owner"), (-1, P - 1)),
    **dict.fromkeys(("tax", "march"), (c.DECK, c.OUT + P - 1)),
    **dict.fromkeys(("joker", "units_left", "at_hand", "tax_unit", "owed_unit", "owed", "vp"), (0, np.inf)),
    "players": (1, P), "round": (1, c.ROUNDS), "phase": (0, len(c.PHASES) - 1), "resource": (0, 9), "gained": (0, 9),
    "satrap": (-1, c.N_SATRAPS - 1), "event": (-1, c.N_EVENTS - 1), "sp": (0, DEPTH), "n_options": (0, N_ACTIONS),
}  # fmt: skip
