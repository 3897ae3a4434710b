"""What can be pending: a row each (:mod:`tabletop.prompts`).

The place of a row is its number, which saves and logs hold. The first argument of a prompt is the seat that is asked.
"""

from __future__ import annotations

from tabletop.prompts import Table

TABLE = Table()
draw, prompt, step = TABLE.draw, TABLE.prompt, TABLE.step

DRAW_SATRAP = draw("setup.draw_satrap", "seat", "satrap")
DRAW_PLACE = draw("setup.draw_place", "place", "seat")
DRAW_TAX = draw("setup.draw_tax", "seat n", "tax")
DRAW_MARCH = draw("setup.draw_march", "seat n", "march")
DRAW_EVENT = draw("events.draw_event", "", "event")

DISCARD_TAX = prompt("setup.discard_tax", "seat", "tax", asked="seat")
DISCARD_MARCH = prompt("setup.discard_march", "seat", "march", asked="seat")
PLACE = prompt("placement.place", "seat", "area", asked="seat")
PUSH_TO = prompt("placement.push_to", "seat area", "area", asked="seat")
IGNORE = prompt("events.ignore", "seat", "power done", asked="seat")
MARCH = prompt("march.march", "seat n", "march done", asked="seat")
SOURCE = prompt("march.source", "seat march", "area unit joker", asked="seat")
HURT = prompt("march.hurt", "seat n", "seat", asked="seat")
GAIN = prompt("resources.gain", "seat n", "resource", asked="seat")
LOSE = prompt("resources.lose", "seat", "resource", asked="seat")
BUILD = prompt("building.build", "seat", "building power done", asked="seat")
REPLACE = prompt("paying.replace", "seat n", "resource done", asked="seat")
REPLACE_BY = prompt("paying.replace_by", "seat resource", "resource", asked="seat")
TAX = prompt("taxes.tax", "seat", "tax power done", asked="seat")
STEAL_FROM = prompt("paying.steal_from", "seat", "seat", asked="seat")
STEAL = prompt("paying.steal", "seat other:seat", "resource", asked="seat")
REARRANGE = prompt("order.rearrange", "seat", "power done", asked="seat")
NEXT_PLACE = prompt("order.next_place", "seat n", "seat", asked="seat")

HALT = step("halt")
DEAL_TAX = step("setup.deal_tax")
DEAL_MARCH = step("setup.deal_march")
CHECK_DEAL = step("setup.check_deal")
BEGIN = step("setup.begin")
ROUND = step("rounds.round")
TURNS = step("rounds.turns", "phase place second")
MARCHED = step("march.marched", "seat")
END_RESOURCES = step("resources.end_resources")
PAY = step("paying.pay", "seat")
BUILT = step("building.built", "seat building")
TAXED = step("taxes.taxed", "seat tax")
TURN_ORDER = step("order.turn_order")
END_ROUND = step("rounds.end_round")

NAMES = TABLE.names
LAST_PROMPT = TABLE.last_prompt
PROMPTS = NAMES[: LAST_PROMPT + 1]
