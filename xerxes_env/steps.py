"""What can be pending: draws, prompts and steps that ask nobody, in this order. Saves and logs hold the numbers.

The first argument of a prompt is the seat that is asked. ``dispatch.py`` says which rule each step stands for.
"""

from __future__ import annotations

NAMES = (
    # draws
    "draw_satrap", "draw_place", "draw_tax", "draw_march", "draw_event",
    # prompts
    "discard_tax", "discard_march", "place", "push_to", "ignore", "march", "source", "hurt", "gain", "lose", "build",
    "replace", "replace_by", "tax", "steal_from", "steal", "rearrange", "next_place",
    # steps
    "halt", "deal_tax", "deal_march", "check_deal", "begin", "round", "turns", "marched", "end_resources", "pay",
    "built", "taxed", "turn_order", "end_round",
)  # fmt: skip
(
    DRAW_SATRAP, DRAW_PLACE, DRAW_TAX, DRAW_MARCH, DRAW_EVENT,
    DISCARD_TAX, DISCARD_MARCH, PLACE, PUSH_TO, IGNORE, MARCH, SOURCE, HURT, GAIN, LOSE, BUILD,
    REPLACE, REPLACE_BY, TAX, STEAL_FROM, STEAL, REARRANGE, NEXT_PLACE,
    HALT, DEAL_TAX, DEAL_MARCH, CHECK_DEAL, BEGIN, ROUND, TURNS, MARCHED, END_RESOURCES, PAY,
    BUILT, TAXED, TURN_ORDER, END_ROUND,
) = range(len(NAMES))  # fmt: skip
LAST_DRAW, LAST_PROMPT = DRAW_EVENT, NEXT_PLACE
PROMPTS = NAMES[: LAST_PROMPT + 1]
