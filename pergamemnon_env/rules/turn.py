"""P-T: turns; P-E5: the last one."""

from __future__ import annotations

from pergamemnon_env import constants as c
from pergamemnon_env import steps
from pergamemnon_env.rules import hiring
from pergamemnon_env.rules.ending import end
from pergamemnon_env.state import Box, State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push


@kernel
def run_turn(box: Box, s: State) -> None:
    """P-T1, P-T5, P-E5. The table is cleared of the last battle; the player hires or attacks."""
    s.attacker = s.defender = -1
    s.weapon = s.open = s.owed = 0
    s.row[:, :] = 0
    s.laid[:] = s.struck[:] = 0
    if s.turn == c.TURNS:
        end(box, s, c.TURN_LIMIT)
        return
    s.turn += 1
    reactivate(s)
    push(s, steps.VERB)


@kernel
def reactivate(s: State) -> None:
    """P-T4. If all nation cards are inactive, or only that of the player in turn is active, all are turned active."""
    for seat in range(s.players):
        if seat != s.player and s.active[seat] > 0:
            return
    for seat in range(s.players):
        s.active[seat] = 1


@kernel
def ask_verb(box: Box, s: State) -> None:
    """P-T1, P-T2. Hire, where a creature can be paid, or attack; there is no passing."""
    if hiring.may_hire(box, s):
        option(s, c.HIRE)
    option(s, c.ATTACK)


@kernel
def answer_verb(s: State, verb: int) -> None:
    """P-T1."""
    pop(s)
    push(s, steps.HIRE if verb == c.HIRE else steps.FOE)
