"""Steps of the game: those that are asked of chance, those that are asked of seats, and those that nobody is asked.

A step lies on the stack (:mod:`tabletop.steps`) until it is done. Its arguments are in brackets.
"""

from __future__ import annotations

PROMPTS = (
    "nation",  # chance: which nation the seat leads (seat)
    "show",  # chance: which creature joins the display (how many are still to come)
    "draw",  # chance: which card is drawn (seat)
    "first",  # chance: who begins
    "verb",  # hire or attack
    "hire",  # which creature
    "pay",  # with which card from under the city
    "foe",  # whom to attack
    "weapon",  # which weapon to name
    "lay",  # the first card (side)
    "reinforce",  # a second card, or none (side)
    "spoil",  # a captured card: to the deck or under the city (side that lost)
    "discard",  # a hand card, or no more
)
SHOW_NATION, SHOW, DRAW, FIRST, VERB, HIRE, PAY, FOE, NAME_WEAPON, LAY, REINFORCE, SPOIL, DISCARD = range(len(PROMPTS))
LAST_CHANCE, LAST_PROMPT = FIRST, DISCARD
TURN = len(PROMPTS)  #: a turn begins
STRIKE = TURN + 1  #: the card last laid strikes (side)
DIVIDE = TURN + 2  #: the loser's cards are divided (side that lost)
REFILL = TURN + 3  #: a hand is filled up (seat)
