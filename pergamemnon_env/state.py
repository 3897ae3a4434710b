"""The records: what is printed, how a game begins and where it stands.

Cards are counted by kind, since equal ones are the same to everybody. A draw pile is what it may still hold: a card is
drawn when it is needed, so nobody's future is decided before.
"""

from __future__ import annotations

from typing import Annotated

from pergamemnon_env.constants import ARMY, CREATURES, KINDS, MAX_HAND, MAX_SEATS, N_ACTIONS, NATIONS
from tabletop.fields import Array, dtype_of, f8, i4, i8, shape
from tabletop.steps import ARGS

i1 = Annotated[int, "i1"]

DEPTH = 16  #: of the stack of steps
PILES = ("hand", "draw", "discard", "city", "secured")  #: where a seat has cards, each by kind


class Box:
    copies: Array[i4] = shape(ARMY)
    cost: Array[i4] = shape(KINDS)
    weapon: Array[i4] = shape(KINDS)
    attack: Array[i4] = shape(KINDS)
    defence: Array[i4] = shape(KINDS, 3)
    charisma: Array[i4] = shape(KINDS)
    points: Array[i4] = shape(KINDS)
    flee: Array[i4] = shape(KINDS)
    secure: Array[i4] = shape(KINDS)
    leader: Array[i4] = shape(KINDS)
    charisma_cards: i4
    charisma_start: Array[i4] = shape(len(NATIONS))
    hand_size: Array[i4] = shape(len(NATIONS))
    hand_weakened: i4
    stack: i4  # for each player
    display: i4


class Setup:
    box: i8
    players: i4
    manual_chance: i4


class State(Setup):
    to_act: i4
    cause: i4
    decisions: i4
    trace: Array[i8] = shape(2)
    rng: Array[i8] = shape(4)
    paid: Array[f8] = shape(MAX_SEATS)
    turn: i4
    player: i4  # whose turn it is
    stack: i4  # creatures in it; which, nobody knows
    stock: i4  # charisma cards that nobody has
    owed: i4  # charisma that a creature still costs
    attacker: i4  # a seat or -1
    defender: i4
    open: i4  # whether the first cards are revealed
    weapon: i4  # the one named, and 1; 0: none
    sp: i4  # steps to be done (tabletop.steps)
    op: Array[i4] = shape(DEPTH)
    arg: Array[i4] = shape(DEPTH, ARGS)
    n_options: i4
    option: Array[i1] = shape(N_ACTIONS)
    points: Array[i4] = shape(MAX_SEATS)  # at the end, in halves
    strongest: Array[i4] = shape(MAX_SEATS)  # at the end, points of the best creature
    place: Array[i4] = shape(MAX_SEATS)
    nation: Array[i4] = shape(MAX_SEATS)
    active: Array[i4] = shape(MAX_SEATS)
    charisma: Array[i4] = shape(MAX_SEATS)
    weakened: Array[i4] = shape(MAX_SEATS)  # leader lost
    fallen: Array[i4] = shape(MAX_SEATS)  # leader lost in this battle
    hand: Array[i1] = shape(MAX_SEATS, KINDS)
    draw: Array[i1] = shape(MAX_SEATS, KINDS)
    discard: Array[i1] = shape(MAX_SEATS, KINDS)
    city: Array[i1] = shape(MAX_SEATS, KINDS)
    secured: Array[i1] = shape(MAX_SEATS, KINDS)
    known: Array[i1] = shape(MAX_SEATS, KINDS)  # cards of a hand that everybody knows to be in it
    display: Array[i1] = shape(CREATURES)
    unseen: Array[i1] = shape(CREATURES)
    row: Array[i4] = shape(2, MAX_HAND)  # of each side of a battle, in order: the kind laid and 1, 0: taken away
    laid: Array[i4] = shape(2)  # how many
    struck: Array[i4] = shape(2)  # which of them struck last, counted from 1


BOX, SETUP, STATE = dtype_of(Box), dtype_of(Setup), dtype_of(State)
