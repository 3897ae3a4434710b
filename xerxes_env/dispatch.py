"""From the step on top to the rule that it stands for."""

from __future__ import annotations

from tabletop.jit import kernel
from xerxes_env import steps
from xerxes_env.rules import building, events, march, order, paying, placement, resources, rounds, setup, taxes
from xerxes_env.state import Box, State


@kernel
def ask(box: Box, s: State, op: int) -> None:
    """Lists the options of a draw or a prompt; none: there is nothing to ask."""
    if op == steps.DRAW_SATRAP:
        setup.ask_draw_satrap(box, s)
    elif op == steps.DRAW_PLACE:
        setup.ask_draw_place(s)
    elif op == steps.DRAW_TAX:
        setup.ask_draw_tax(s)
    elif op == steps.DRAW_MARCH:
        setup.ask_draw_march(s)
    elif op == steps.DRAW_EVENT:
        events.ask_draw_event(s)
    elif op == steps.DISCARD_TAX:
        setup.ask_discard_tax(box, s)
    elif op == steps.DISCARD_MARCH:
        setup.ask_discard_march(box, s)
    elif op == steps.PLACE:
        placement.ask_place(s)
    elif op == steps.PUSH_TO:
        placement.ask_push_to(s)
    elif op == steps.IGNORE:
        events.ask_ignore(box, s)
    elif op == steps.MARCH:
        march.ask_march(box, s)
    elif op == steps.SOURCE:
        march.ask_source(box, s)
    elif op == steps.HURT:
        march.ask_hurt(s)
    elif op == steps.GAIN:
        resources.ask_gain(box, s)
    elif op == steps.LOSE:
        resources.ask_lose(s)
    elif op == steps.BUILD:
        building.ask_build(box, s)
    elif op == steps.REPLACE:
        paying.ask_replace(s)
    elif op == steps.REPLACE_BY:
        paying.ask_replace_by(s)
    elif op == steps.TAX:
        taxes.ask_tax(box, s)
    elif op == steps.STEAL_FROM:
        paying.ask_steal_from(box, s)
    elif op == steps.STEAL:
        paying.ask_steal(box, s)
    elif op == steps.REARRANGE:
        order.ask_rearrange(s)
    elif op == steps.NEXT_PLACE:
        order.ask_next_place(s)


@kernel
def answer(box: Box, s: State, op: int, action: int) -> None:
    """What is on top is answered with a number of the catalogue."""
    if op == steps.DRAW_SATRAP:
        setup.answer_draw_satrap(s, action)
    elif op == steps.DRAW_PLACE:
        setup.answer_draw_place(s, action)
    elif op == steps.DRAW_TAX:
        setup.answer_draw_tax(s, action)
    elif op == steps.DRAW_MARCH:
        setup.answer_draw_march(s, action)
    elif op == steps.DRAW_EVENT:
        events.answer_draw_event(s, action)
    elif op == steps.DISCARD_TAX:
        setup.answer_discard_tax(s, action)
    elif op == steps.DISCARD_MARCH:
        setup.answer_discard_march(s, action)
    elif op == steps.PLACE:
        placement.answer_place(s, action)
    elif op == steps.PUSH_TO:
        placement.answer_push_to(s, action)
    elif op == steps.IGNORE:
        events.answer_ignore(s, action)
    elif op == steps.MARCH:
        march.answer_march(box, s, action)
    elif op == steps.SOURCE:
        march.answer_source(box, s, action)
    elif op == steps.HURT:
        march.answer_hurt(s, action)
    elif op == steps.GAIN:
        resources.answer_gain(box, s, action)
    elif op == steps.LOSE:
        resources.answer_lose(s, action)
    elif op == steps.BUILD:
        building.answer_build(box, s, action)
    elif op == steps.REPLACE:
        paying.answer_replace(s, action)
    elif op == steps.REPLACE_BY:
        paying.answer_replace_by(s, action)
    elif op == steps.TAX:
        taxes.answer_tax(box, s, action)
    elif op == steps.STEAL_FROM:
        paying.answer_steal_from(s, action)
    elif op == steps.STEAL:
        paying.answer_steal(s, action)
    elif op == steps.REARRANGE:
        order.answer_rearrange(s, action)
    elif op == steps.NEXT_PLACE:
        order.answer_next_place(s, action)


@kernel
def run(box: Box, s: State, op: int) -> None:
    """What a step does that asks nobody."""
    if op == steps.DEAL_TAX:
        setup.run_deal_tax(s)
    elif op == steps.DEAL_MARCH:
        setup.run_deal_march(s)
    elif op == steps.CHECK_DEAL:
        setup.run_check_deal(box, s)
    elif op == steps.BEGIN:
        setup.run_begin(s)
    elif op == steps.ROUND:
        rounds.run_round(s)
    elif op == steps.TURNS:
        rounds.run_turns(box, s)
    elif op == steps.MARCHED:
        march.run_marched(box, s)
    elif op == steps.END_RESOURCES:
        resources.run_end_resources(s)
    elif op == steps.PAY:
        paying.run_pay(s)
    elif op == steps.BUILT:
        building.run_built(box, s)
    elif op == steps.TAXED:
        taxes.run_taxed(box, s)
    elif op == steps.TURN_ORDER:
        order.run_turn_order(s)
    elif op == steps.END_ROUND:
        rounds.run_end_round(box, s)
