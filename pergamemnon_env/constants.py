"""What there is in every box of Pergamemnon, and the catalogue of choices."""

from __future__ import annotations

from tabletop import game

NATIONS = ("Rome", "Egypt", "Hellenes", "Carthage", "Persia")
ROME, EGYPT, HELLENES, CARTHAGE, PERSIA = range(5)
WEAPONS = ("sword", "spear", "bow")
ARMOUR = ("helmet", "breastplate", "shield")  #: what parries each weapon
MAX_SEATS = 5
PLAYERS = range(2, MAX_SEATS + 1)
KINDS_OF_A_NATION, CARDS_OF_A_NATION = 6, 11
ARMY = len(NATIONS) * KINDS_OF_A_NATION  #: kinds of army cards, by nation, the leader first
CREATURES = 24
KINDS = ARMY + CREATURES  #: of cards: equal ones are one kind
MAX_COPIES = 4
MAX_HAND = 4  #: and so the most cards that one side lays in a battle
TURNS = 300  #: a game of more is broken off

# The catalogue: blocks of (name, size), one after the other.
BLOCKS = (
    ("verb", 2), ("done", 1), ("weapon", len(WEAPONS)), ("seat", MAX_SEATS), ("charisma", 1), ("place", 2),
    ("card", KINDS), ("nation", len(NATIONS)),
)  # fmt: skip
HIRE, ATTACK, DONE = 0, 1, 2
WEAPON = 3
SEAT = 6  #: SEAT + k: the seat k places clockwise from the one that is asked; of chance, from seat 0
CHARISMA = 11
DECK, CITY = 12, 13
CARD = 14
NATION = CARD + KINDS
N_ACTIONS = NATION + len(NATIONS)
FIRST = game.first_of(BLOCKS)

CAUSES = ("few creatures", "few cards", "turn limit")
FEW_CREATURES, FEW_CARDS, TURN_LIMIT = range(3)
ATTACKER, DEFENDER = 0, 1  #: sides of a battle
