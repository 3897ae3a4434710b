"""The eleven stages of a month, one after the other (p. 13)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import steps
from sammu_env.box import Box
from sammu_env.rules import cards_and_tax, consult, effects, new_month, pools
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import pop, push, set_top, top


@kernel
def begin_stage(box: Box, s: State, stage: int) -> None:
    """What a stage does first."""
    s.stage = stage
    pools.next_event(s)
    if stage == c.ST_ACTIONS or stage == c.ST_GATES:
        s.plague_kept[:] = 0
    if stage == c.ST_SPREAD:
        new_month.begin_month(s)
        push(s, steps.SPREAD, 0)
    elif stage == c.ST_EVENT:
        new_month.turn_up_event(s)
    elif stage == c.ST_ENEMY_ATTACK:
        push(s, steps.ORACLE_WAY)
        push(s, steps.ENEMY_ZONE, 0)
    elif stage == c.ST_MONTHLY_EFFECT:
        push(s, steps.EFFECTS, effects.MONTHLY, s.challenge, 0, -1)
    elif stage == c.ST_DRAW:
        cards_and_tax.draw_cards(box, s)
    elif stage == c.ST_TAX:
        cards_and_tax.collect_tax(box, s)
    elif stage == c.ST_ACTIONS:
        consult.begin_actions(s)
    elif stage == c.ST_EMPIRE_BOARD:
        push(s, steps.TRACKS)
        push(s, steps.BOARD_LIMITS, 0)
    elif stage == c.ST_QUEEN:
        push(s, steps.HEAL_QUEEN)
        push(s, steps.QUEEN_CHECK)
    elif stage == c.ST_GATES:
        push(s, steps.GATE_CHECK, 0)
    else:
        push(s, steps.OUTCOME)
        push(s, steps.HEAL_QUEEN, 1)
        push(s, steps.SETTLE_BRIBES)


@kernel
def next_stage(s: State, stage: int) -> int:
    """What follows: in the first month of all, the action phase follows the event (p. 13)."""
    if stage == c.ST_EVENT and s.month == 1 and s.game == 0:
        return c.ST_ACTIONS
    return 0 if stage == c.ST_OUTCOME else int(stage) + 1


@kernel
def run_stage(box: Box, s: State) -> None:
    """Begins a stage; the next one waits below it, unless this one was asked for alone."""
    stage, alone = top(s, 0), top(s, 1)
    if alone:
        pop(s)
    else:
        set_top(s, 0, next_stage(s, stage))
    begin_stage(box, s, stage)
