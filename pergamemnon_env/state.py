"""The records: what is printed, how a game begins and where it stands.

Cards are counted by kind, since equal ones are the same to everybody. A draw pile is what it may still hold: a card is
drawn when it is needed, so nobody's future is decided before.
"""

from __future__ import annotations

import numpy as np

from pergamemnon_env.constants import ARMY, CREATURES, KINDS, MAX_HAND, MAX_SEATS, NATIONS

DEPTH = 16  #: of the stack of steps
PILES = ("hand", "draw", "discard", "city", "secured")  #: where a seat has cards, each by kind

BOX = np.dtype(
    [
        ("copies", "i4", ARMY), ("cost", "i4", KINDS), ("weapon", "i4", KINDS), ("attack", "i4", KINDS),
        ("defence", "i4", (KINDS, 3)), ("charisma", "i4", KINDS), ("points", "i4", KINDS), ("flee", "i4", KINDS),
        ("secure", "i4", KINDS), ("leader", "i4", KINDS),
        ("charisma_cards", "i4"), ("charisma_start", "i4", len(NATIONS)),
        ("hand_size", "i4", len(NATIONS)), ("hand_weakened", "i4"), ("stack", "i4"), ("display", "i4"),
    ],
    align=True,
)  # fmt: skip

SETUP = np.dtype([("box", "i8"), ("players", "i4"), ("manual_chance", "i4")], align=True)

STATE = np.dtype(
    [
        ("box", "i8"), ("trace", "i8", 2), ("rng", "i8", 4), ("paid", "f8", MAX_SEATS),
        ("players", "i4"), ("manual_chance", "i4"), ("to_act", "i4"), ("cause", "i4"), ("decisions", "i4"),
        ("turns", "i4"), ("player", "i4"),  # whose turn it is
        ("stack", "i4"),  # creatures in it; which, nobody knows
        ("stock", "i4"),  # charisma cards that nobody has
        ("owed", "i4"),  # charisma that a creature still costs
        ("attacker", "i4"), ("defender", "i4"), ("open", "i4"),  # seats or -1; whether the first cards are revealed
        ("weapon", "i4"),  # the one named, and 1; 0: none
        ("sp", "i4"), ("op", "i4", DEPTH), ("arg", "i4", (DEPTH, 6)),  # steps to be done (tabletop.steps)
        ("points", "i4", MAX_SEATS), ("strongest", "i4", MAX_SEATS),  # at the end: half points, the best creature's
        ("place", "i4", MAX_SEATS),
        ("nation", "i4", MAX_SEATS), ("active", "i4", MAX_SEATS), ("charisma", "i4", MAX_SEATS),
        ("weakened", "i4", MAX_SEATS), ("fallen", "i4", MAX_SEATS),  # leader lost; lost in this battle
        ("hand", "i1", (MAX_SEATS, KINDS)), ("draw", "i1", (MAX_SEATS, KINDS)), ("discard", "i1", (MAX_SEATS, KINDS)),
        ("city", "i1", (MAX_SEATS, KINDS)), ("secured", "i1", (MAX_SEATS, KINDS)),
        ("known", "i1", (MAX_SEATS, KINDS)),  # cards of a hand that everybody knows to be in it
        ("display", "i1", CREATURES), ("unseen", "i1", CREATURES),
        ("row", "i4", (2, MAX_HAND)),  # of each side of a battle, in order: the kind laid and 1, 0: taken away
        ("laid", "i4", 2), ("struck", "i4", 2),  # how many were laid; which of them struck last, counted from 1
    ],
    align=True,
)  # fmt: skip
