"""What can be pending: a row each (:mod:`tabletop.prompts`).

The place of a row is its number, which saves and logs hold.
"""

from __future__ import annotations

from tabletop.prompts import Table

TABLE = Table()
draw, prompt, step = TABLE.draw, TABLE.prompt, TABLE.step

SHOW_NATION = draw("setup.nation", "seat", "nation")
SHOW = draw("setup.show", "n", "card")  # n: how many creatures are still to come
DRAW = draw("aftermath.draw", "seat", "card")
FIRST = draw("setup.first", "", "seat")

VERB = prompt("turn.verb", "", "verb")
HIRE = prompt("hiring.hire", "", "card")
PAY = prompt("hiring.pay", "", "card charisma")
FOE = prompt("battle.foe", "", "seat")
NAME_WEAPON = prompt("battle.weapon", "", "weapon")
LAY = prompt("battle.lay", "side seat", "card", asked="seat")
REINFORCE = prompt("battle.reinforce", "side seat", "card done", asked="seat")
SPOIL = prompt("aftermath.spoil", "side winner:seat", "place", asked="winner")
DISCARD = prompt("aftermath.discard", "seat", "card done", asked="seat")

TURN = step("turn.turn")
STRIKE = step("battle.strike", "side")
DIVIDE = step("aftermath.divide", "side")
REFILL = step("aftermath.refill", "seat")
HALT = step("halt")

LAST_PROMPT = TABLE.last_prompt
PROMPTS = TABLE.names[: LAST_PROMPT + 1]
