"""The machine: runs pending steps until somebody must choose. The five functions of the game are at the end.

Programs hand over one-element record arrays (``box``: BOX, ``s``: STATE, ``setup``: SETUP, each of shape (1,)).
"""

from __future__ import annotations

from typing import Any

from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import observation, steps
from sammu_env.rules import (
    battle,
    campaign,
    cards_and_tax,
    consult,
    effects,
    enemies,
    markers,
    new_month,
    oracle,
    pools,
    resolve,
    setup,
    turn,
)
from sammu_env.rules.actions import attack, cards, move, special, trade
from tabletop.jit import entry, kernel
from tabletop.rng import below, seed_generator
from tabletop.steps import pop, push, set_top, top

MASK31 = 0x7FFFFFFF


@kernel
def begin_stage(box: Any, s: Any, stage: int) -> None:
    """The eleven stages of a month (p. 13)."""
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
def next_stage(s: Any, stage: int) -> int:
    """What follows: in the first month of all, the action phase follows the event (p. 13)."""
    if stage == c.ST_EVENT and s.month == 1 and s.game == 0:
        return c.ST_ACTIONS
    return 0 if stage == c.ST_OUTCOME else int(stage) + 1


@kernel
def run_stage_step(box: Any, s: Any) -> None:
    """Begins a stage; the next one waits below it, unless this one was asked for alone."""
    stage, alone = top(s, 0), top(s, 1)
    if alone:
        pop(s)
    else:
        set_top(s, 0, next_stage(s, stage))
    begin_stage(box, s, stage)


@kernel
def run(box: Any, s: Any, op: int) -> None:
    """A step that asks nobody."""
    if op == steps.STAGE:
        run_stage_step(box, s)
    elif op == steps.START_GAME:
        setup.start_game(box, s)
    elif op == steps.SETUP_TOKENS:
        setup.setup_tokens(box, s)
    elif op == steps.SETUP_CHARACTERS:
        setup.setup_characters(box, s)
    elif op == steps.SETUP_MARKERS:
        setup.setup_markers(box, s)
    elif op == steps.SETUP_END:
        setup.setup_end(box, s)
    elif op == steps.SPREAD:
        new_month.spread(box, s)
    elif op == steps.REVEAL:
        new_month.reveal(box, s)
    elif op == steps.EFFECTS:
        effects.run_effects(box, s)
    elif op == steps.PAY_EACH:
        effects.pay_each(box, s)
    elif op == steps.DISCARD_TO_LIMIT:
        cards_and_tax.discard_to_limit(box, s)
    elif op == steps.ENEMY_ZONE:
        enemies.next_zone(box, s)
    elif op == steps.ENEMY_MOVE:
        enemies.next_location(box, s)
    elif op == steps.RAID:
        markers.raid(box, s)
    elif op == steps.BEGIN_TURNS:
        consult.begin_turns(s)
    elif op == steps.BEGIN_TURN:
        consult.begin_turn(s)
    elif op == steps.END_TURN:
        consult.end_turn(s)
    elif op == steps.END_ACTIONS:
        cards_and_tax.pay_corruption(s)
    elif op == steps.SETTLE_BRIBES:
        cards_and_tax.pay_bribes(box, s)
    elif op == steps.PLAY:
        cards.play(box, s)
    elif op == steps.SPECIAL:
        special.special(box, s)
    elif op == steps.BARTER:
        trade.barter(box, s)
    elif op == steps.ARRIVE:
        move.end_move(box, s)
    elif op == steps.BOARD_LIMITS:
        resolve.board_limits(box, s)
    elif op == steps.TRACKS:
        resolve.tracks(box, s)
    elif op == steps.QUEEN_CHECK:
        resolve.queen_check(box, s)
    elif op == steps.GATE_CHECK:
        resolve.gate_check(box, s)
    elif op == steps.OUTCOME:
        resolve.outcome(box, s)
    elif op == steps.CARRY_OVER:
        campaign.carry_over(box, s)


@kernel
def ask(box: Any, s: Any, op: int) -> None:
    """Lists the options of a prompt, or settles it where there is nothing to ask."""
    if op <= steps.SHARE_CARD:
        ask_setup(box, s, op)
    elif op <= steps.TAX_TO:
        ask_effect(box, s, op)
    elif op <= steps.PAY_WHICH:
        ask_action(box, s, op)
    else:
        ask_special(box, s, op)


@kernel
def ask_setup(box: Any, s: Any, op: int) -> None:
    """Draws, setting up, and between the challenges of a campaign."""
    if op == steps.DRAW_CARD:
        effects.ask_draw_card(s)
    elif op == steps.DRAW_EVENT:
        new_month.ask_event(s)
    elif op == steps.DRAW_MARKER:
        effects.ask_draw_marker(s)
    elif op == steps.DRAW_CHALLENGE or op == steps.DRAW_NEXT_CHALLENGE:
        setup.ask_challenge(box, s, top(s, 0))
    elif op == steps.DRAW_TECHNOLOGY:
        setup.ask_technology(s)
    elif op == steps.DRAW_ORACLE:
        oracle.ask_reveal(s)
    elif op == steps.PLACE_TOKEN:
        setup.ask_place_token(box, s)
    elif op == steps.PLACE_CHARACTER:
        setup.ask_place_character(box, s)
    elif op == steps.CHOOSE_ADVISOR:
        setup.ask_advisor(s)
    elif op == steps.BUY_TECHNOLOGY:
        campaign.ask_buy(s)
    elif op == steps.GAIN_TECHNOLOGY:
        special.ask_gain_technology(s)
    else:
        campaign.ask_share(s)


@kernel
def ask_effect(box: Any, s: Any, op: int) -> None:
    """Events, enemies, markers, tax."""
    if op == steps.SHIFT_BANNER:
        new_month.ask_shift(s)
    elif op == steps.REMOVE_TOKEN:
        effects.ask_remove_token(box, s)
    elif op == steps.PAY_GOODS:
        effects.ask_pay_goods(s)
    elif op == steps.PAY_GROUP:
        effects.ask_pay_group(s)
    elif op == steps.MOVE_CHARACTER:
        effects.ask_move_character(box, s)
    elif op == steps.MOVE_CHARACTER_TO:
        effects.ask_move_character_to(box, s)
    elif op == steps.TRADE_ROAD:
        effects.ask_trade_road(box, s)
    elif op == steps.KARU_ROAD:
        effects.ask_karu_road(box, s)
    elif op == steps.REMOVE_ENEMY:
        effects.ask_remove_enemy(box, s)
    elif op == steps.DISCARD:
        effects.ask_discard(s)
    elif op == steps.FLEE:
        markers.ask_flee(box, s)
    elif op == steps.RECOVER:
        battle.ask_recover(box, s)
    elif op == steps.USE_MARKER:
        markers.ask_use(box, s)
    elif op == steps.MARKER_TARGET:
        markers.ask_target(box, s)
    elif op == steps.OVERFLOW:
        markers.ask_overflow(box, s)
    elif op == steps.CURE_PLAGUE:
        markers.ask_cure_plague(s)
    elif op == steps.ENEMY_ORDER:
        enemies.ask_enemy_order(box, s)
    elif op == steps.ENEMY_WAY:
        enemies.ask_enemy_way(box, s)
    elif op == steps.ENEMY_PLACE:
        battle.ask_enemy_place(box, s)
    elif op == steps.RAID_WAY:
        markers.ask_raid_way(box, s)
    elif op == steps.ORACLE_WAY:
        oracle.ask_oracle_way(box, s)
    elif op == steps.GAIN_TO:
        effects.ask_gain_to(box, s)
    elif op == steps.HEAL_QUEEN:
        resolve.ask_heal_queen(box, s)
    elif op == steps.TAX:
        cards_and_tax.ask_tax(s)
    else:
        cards_and_tax.ask_tax_to(s)


@kernel
def ask_action(box: Any, s: Any, op: int) -> None:
    """Consulting, the turn's menu, moves, attacks and cards."""
    if op == steps.TURN:
        turn.ask_turn(box, s)
    elif op == steps.CONSULT:
        consult.ask_consult(s)
    elif op == steps.FIRST_PLAYER:
        consult.ask_first_player(s)
    elif op == steps.MOVE:
        move.ask_move(box, s)
    elif op == steps.LOAD:
        move.ask_load(box, s)
    elif op == steps.ATTACK:
        attack.ask_attack(box, s)
    elif op == steps.ARMY:
        attack.ask_army(s)
    elif op == steps.JOIN:
        attack.ask_join(box, s)
    elif op == steps.VIAL:
        move.ask_vial(s)
    elif op == steps.PLAY_CARD:
        cards.ask_play(box, s)
    elif op == steps.PLAY_SECOND:
        cards.ask_second(box, s)
    else:
        cards.ask_which(box, s)


@kernel
def ask_special(box: Any, s: Any, op: int) -> None:
    """Special actions, conversion, trade, switching."""
    if op == steps.SUMMON:
        special.ask_summon(box, s)
    elif op == steps.SUMMON_MORE:
        special.ask_summon_more(box, s)
    elif op == steps.SUMMON_GO:
        attack.ask_summon_go(box, s)
    elif op == steps.ORDER_EVENTS:
        special.ask_order(s)
    elif op == steps.DRAW_FOR:
        special.ask_draw_for(s)
    elif op == steps.COMMAND:
        attack.ask_command(box, s)
    elif op == steps.COMMAND_ARMY:
        attack.ask_command_army(box, s)
    elif op == steps.COMMAND_GO:
        attack.ask_command_go(box, s)
    elif op == steps.CONVERT_FROM:
        trade.ask_convert_from(box, s)
    elif op == steps.CONVERT_AT:
        trade.ask_convert_at(box, s)
    elif op == steps.CONVERT_TO:
        trade.ask_convert_to(s)
    elif op == steps.TRADE_WITH:
        trade.ask_trade_with(s)
    elif op == steps.TRADE_GIVE:
        trade.ask_trade_give(s)
    elif op == steps.TRADE_GET:
        trade.ask_trade_get(s)
    elif op == steps.CARDS_WITH:
        trade.ask_cards_with(s)
    elif op == steps.CARDS_GIVE:
        effects.offer_hand(s, top(s, 0))
    elif op == steps.CARDS_GET:
        effects.offer_hand(s, top(s, 1))
    elif op == steps.MARKET_GIVE:
        trade.ask_market_give(box, s)
    elif op == steps.MARKET_GET:
        trade.ask_market_get(box, s)
    elif op == steps.TAKE_GOODS:
        trade.ask_take(s)
    elif op == steps.GRANT:
        special.ask_grant(box, s)
    elif op == steps.SWITCH:
        turn.ask_switch(s)
    elif op == steps.VIAL_WAY:
        move.ask_vial_way(box, s)
    elif op == steps.GRANT_BY:
        special.ask_grant_by(box, s)
    elif op == steps.SUN_OF:
        special.ask_sun_of(s)
    elif op == steps.CONVERT_PLACE:
        trade.ask_convert_place(box, s)
    else:
        trade.ask_barter_as(s)


@kernel
def answer(box: Any, s: Any, action: int) -> None:
    """The prompt on top is answered."""
    s.trace[0] = (s.trace[0] * 16777619 + action + 1) & MASK31
    s.trace[1] = (s.trace[1] * 1000003 ^ (action + 7)) & MASK31
    op = int(s.op[s.sp - 1])
    if op <= steps.SHARE_CARD:
        answer_setup(box, s, op, action)
    elif op <= steps.TAX_TO:
        answer_effect(box, s, op, action)
    elif op <= steps.PAY_WHICH:
        answer_action(box, s, op, action)
    else:
        answer_special(box, s, op, action)


@kernel
def answer_setup(box: Any, s: Any, op: int, action: int) -> None:
    """Draws, setting up, and between the challenges of a campaign."""
    if op == steps.DRAW_CARD:
        effects.answer_draw_card(s, action - a.ASHUR)
    elif op == steps.DRAW_EVENT:
        new_month.answer_event(s, action - a.EVENT)
    elif op == steps.DRAW_MARKER:
        effects.answer_draw_marker(box, s, action - a.MARKER)
    elif op == steps.DRAW_CHALLENGE:
        s.challenge = action - a.CHALLENGE
        pop(s)
    elif op == steps.DRAW_NEXT_CHALLENGE:
        campaign.answer_next_challenge(s, action - a.CHALLENGE)
    elif op == steps.DRAW_TECHNOLOGY:
        setup.answer_technology(s, action - a.TECHNOLOGY)
    elif op == steps.DRAW_ORACLE:
        oracle.answer_reveal(box, s, action - a.EVENT)
    elif op == steps.PLACE_TOKEN:
        setup.answer_place_token(s, action - a.LOCATION)
    elif op == steps.PLACE_CHARACTER:
        setup.answer_place_character(s, action - a.LOCATION)
    elif op == steps.CHOOSE_ADVISOR:
        setup.answer_advisor(s, action - a.CHARACTER)
    elif op == steps.BUY_TECHNOLOGY:
        campaign.answer_buy(s, action)
    elif op == steps.GAIN_TECHNOLOGY:
        special.answer_gain_technology(s, action - a.TECHNOLOGY)
    else:
        campaign.answer_share(s, action - a.PLAYER)


@kernel
def answer_effect(box: Any, s: Any, op: int, action: int) -> None:
    """Events, enemies, markers, tax."""
    if op == steps.SHIFT_BANNER:
        new_month.answer_shift(s, action - a.AREA)
    elif op == steps.REMOVE_TOKEN:
        effects.answer_remove_token(s, action)
    elif op == steps.PAY_GOODS:
        effects.answer_pay_goods(s, action - a.GOOD)
    elif op == steps.PAY_GROUP:
        effects.answer_pay_group(s, action - a.CHARACTER)
    elif op == steps.MOVE_CHARACTER:
        effects.answer_move_character(s, action)
    elif op == steps.MOVE_CHARACTER_TO:
        effects.answer_move_character_to(s, action - a.LOCATION)
    elif op == steps.TRADE_ROAD:
        effects.answer_trade_road(box, s, action - a.AREA)
    elif op == steps.KARU_ROAD:
        effects.answer_karu_road(s, action - a.ROAD)
    elif op == steps.REMOVE_ENEMY:
        effects.answer_remove_enemy(s, action - a.LOCATION)
    elif op == steps.DISCARD:
        effects.answer_discard(s, action - a.ASHUR)
    elif op == steps.FLEE:
        effects.answer_move_character_to(s, action - a.LOCATION)
    elif op == steps.RECOVER:
        battle.answer_recover(box, s, action != a.DONE)
    elif op == steps.USE_MARKER:
        markers.answer_use(box, s, action - a.VERB)
    elif op == steps.MARKER_TARGET:
        markers.answer_target(box, s, action)
    elif op == steps.OVERFLOW:
        markers.answer_overflow(box, s, action - a.LOCATION)
    elif op == steps.CURE_PLAGUE:
        markers.answer_cure_plague(box, s, action != a.DONE)
    elif op == steps.ENEMY_ORDER:
        enemies.answer_enemy_order(box, s, action - a.LOCATION)
    elif op == steps.ENEMY_WAY:
        enemies.answer_enemy_way(box, s, action - a.LOCATION)
    elif op == steps.ENEMY_PLACE:
        battle.answer_enemy_place(box, s, action - a.LOCATION)
    elif op == steps.RAID_WAY:
        markers.answer_raid_way(box, s, action - a.LOCATION)
    elif op == steps.ORACLE_WAY:
        oracle.answer_oracle_way(box, s, action - a.LOCATION)
    elif op == steps.GAIN_TO:
        effects.answer_gain_to(s, action - a.CHARACTER)
    elif op == steps.HEAL_QUEEN:
        resolve.answer_heal_queen(box, s, action != a.DONE)
    elif op == steps.TAX:
        cards_and_tax.answer_tax(s, action - a.GOOD)
    else:
        cards_and_tax.answer_tax_to(s, action - a.CHARACTER)


@kernel
def answer_action(box: Any, s: Any, op: int, action: int) -> None:
    """Consulting, the turn's menu, moves, attacks and cards."""
    if op == steps.TURN:
        turn.answer_turn(box, s, action)
    elif op == steps.CONSULT:
        consult.answer_consult(box, s, action)
    elif op == steps.FIRST_PLAYER:
        consult.answer_first_player(s, action - a.PLAYER)
    elif op == steps.MOVE:
        move.answer_move(box, s, action - a.LOCATION)
    elif op == steps.LOAD:
        move.answer_load(box, s, action)
    elif op == steps.ATTACK:
        attack.answer_attack(s, action - a.LOCATION)
    elif op == steps.ARMY:
        attack.answer_army(box, s, action)
    elif op == steps.JOIN:
        attack.answer_join(box, s, action != a.DONE)
    elif op == steps.VIAL:
        move.answer_vial(box, s, action != a.DONE)
    elif op == steps.PLAY_CARD:
        cards.answer_play(s, action - a.ASHUR)
    elif op == steps.PLAY_SECOND:
        cards.answer_second(s, action - a.ASHUR)
    else:
        cards.answer_which(s, action - a.ASHUR)


@kernel
def answer_special(box: Any, s: Any, op: int, action: int) -> None:
    """Special actions, conversion, trade, switching."""
    if op == steps.SUMMON:
        special.answer_summon(box, s, action - a.LOCATION)
    elif op == steps.SUMMON_MORE:
        special.answer_summon_more(s, action != a.DONE)
    elif op == steps.SUMMON_GO:
        attack.answer_summon_go(s, action)
    elif op == steps.ORDER_EVENTS:
        special.answer_order(s, action - a.EVENT)
    elif op == steps.DRAW_FOR:
        special.answer_draw_for(s, action - a.PLAYER)
    elif op == steps.COMMAND:
        attack.answer_command(s, action)
    elif op == steps.COMMAND_ARMY:
        attack.answer_command_army(s, action)
    elif op == steps.COMMAND_GO:
        attack.answer_command_go(box, s, action)
    elif op == steps.CONVERT_FROM:
        trade.answer_convert_from(box, s, action - a.TOKEN)
    elif op == steps.CONVERT_AT:
        trade.answer_convert_at(s, action - a.LOCATION)
    elif op == steps.CONVERT_TO:
        trade.answer_convert_to(box, s, action - a.TOKEN)
    elif op == steps.TRADE_WITH:
        trade.answer_trade_with(s, action - a.CHARACTER)
    elif op == steps.TRADE_GIVE:
        trade.answer_trade_give(s, action - a.GOOD)
    elif op == steps.TRADE_GET:
        trade.answer_trade_get(s, action - a.GOOD)
    elif op == steps.CARDS_WITH:
        trade.answer_cards_with(s, action - a.PLAYER)
    elif op == steps.CARDS_GIVE:
        trade.answer_cards_give(s, action - a.ASHUR)
    elif op == steps.CARDS_GET:
        trade.answer_cards_get(s, action - a.ASHUR)
    elif op == steps.MARKET_GIVE:
        trade.answer_market_give(s, action - a.GOOD)
    elif op == steps.MARKET_GET:
        trade.answer_market_get(s, action - a.GOOD)
    elif op == steps.TAKE_GOODS:
        trade.answer_take(s, action)
    elif op == steps.GRANT:
        special.answer_grant(s, action - a.CHARACTER)
    elif op == steps.SWITCH:
        turn.answer_switch(s, action - a.CHARACTER)
    elif op == steps.VIAL_WAY:
        move.answer_vial_way(box, s, action)
    elif op == steps.GRANT_BY:
        special.answer_grant_by(s, action)
    elif op == steps.SUN_OF:
        special.answer_sun_of(s, action - a.CHARACTER)
    elif op == steps.CONVERT_PLACE:
        trade.answer_convert_place(s, action - a.LOCATION)
    else:
        trade.answer_barter_as(s, action != a.DONE)


@kernel
def asked(s: Any, op: int) -> int:
    """The seat that answers: the one the step names, else whose turn it is."""
    if op <= steps.LAST_CHANCE:
        return c.CHANCE
    if op == steps.CHOOSE_ADVISOR or op == steps.DISCARD or op == steps.CONSULT:
        return top(s, 0)
    if op == steps.CARDS_GET:
        return top(s, 1)
    return int(s.seat)


@kernel
def weight(s: Any, action: int) -> int:
    """How many of the equally likely draws give a chance outcome."""
    if s.op[s.sp - 1] == steps.DRAW_MARKER:
        return int(s.bag[action - a.MARKER])
    return 1


@kernel
def sample_chance(s: Any) -> int:
    """An outcome for the draw on top, by the record's generator."""
    if s.op[s.sp - 1] != steps.DRAW_MARKER:
        return int(s.option[below(s, s.n_options)])
    total = 0
    for marker in range(len(c.MARKERS)):
        total += s.bag[marker]
    left = below(s, total)
    for i in range(s.n_options):
        left -= s.bag[s.option[i] - a.MARKER]
        if left < 0:
            return int(s.option[i])
    return int(s.option[0])


@kernel
def advance(box: Any, s: Any) -> None:
    """Runs steps until somebody has a choice to make. A single option is no choice and is taken."""
    while True:
        if s.result != c.RUNNING and s.scored == 0:
            campaign.close(box, s)
        markers.settle(box, s)
        op = int(s.op[s.sp - 1])
        s.n_options = 0
        if op == steps.HALT:
            s.to_act = c.NOBODY
            return
        if op > steps.LAST_PROMPT:
            run(box, s, op)
            continue
        sp = int(s.sp)
        ask(box, s, op)
        if s.n_options == 0:
            if s.sp == sp:
                pop(s)
            continue
        if s.n_options == 1:
            answer(box, s, s.option[0])
        elif op <= steps.LAST_CHANCE and s.manual_chance == 0:
            answer(box, s, sample_chance(s))
        else:
            s.to_act = asked(s, op)
            return


@kernel
def offered(s: Any, action: int) -> bool:
    """Whether an action is among the options."""
    for i in range(s.n_options):
        if s.option[i] == action:
            return True
    return False


@kernel
def start(box: Any, s: Any, how: Any, seed: int) -> None:
    """Sets up a game and runs to its first decision."""
    setup.begin(box, s, how, seed)
    advance(box, s)


@kernel
def choose(box: Any, s: Any, action: int) -> bool:
    """Makes a choice, if it is offered, and runs to the next decision."""
    if s.to_act == c.NOBODY or not offered(s, action):
        return False
    s.reward = 0
    s.decisions += 1 if s.to_act >= 0 else 0
    answer(box, s, action)
    advance(box, s)
    return True


# Entry points: ``box`` holds every box that is played with, shape (boxes,), and a state says which is its own


@entry
def reset(box: Any, s: Any, how: Any, seed: int) -> None:
    """Sets up a game: ``how`` is a SETUP record array (1,), ``seed`` any int64; ``s`` is overwritten."""
    start(box[how[0].box], s[0], how[0], seed)


@entry
def apply(box: Any, s: Any, action: int) -> bool:
    """Makes a choice and runs to the next decision. False, and nothing changed, where it is not legal."""
    return choose(box[s[0].box], s[0], action)


@entry
def legal(box: Any, s: Any, mask: Any) -> None:
    """Writes ``mask`` (int8[N_ACTIONS]): 1 exactly where :func:`apply` accepts."""
    mask[:] = 0
    if s[0].to_act != c.NOBODY:
        for i in range(s[0].n_options):
            mask[s[0].option[i]] = 1


@entry
def weights(box: Any, s: Any, out: Any) -> None:
    """Writes ``out`` (float64[N_ACTIONS]): probabilities of the chance outcomes where chance is to act, else zeros."""
    out[:] = 0.0
    if s[0].to_act == c.CHANCE:
        total = 0.0
        for i in range(s[0].n_options):
            total += weight(s[0], s[0].option[i])
        for i in range(s[0].n_options):
            out[s[0].option[i]] = weight(s[0], s[0].option[i]) / total


@entry
def sample(box: Any, s: Any) -> int:
    """A chance outcome by the record's own generator. Only where chance is to act."""
    return sample_chance(s[0])


@entry
def observe(box: Any, s: Any, seat: int, out: Any) -> None:
    """Writes what a seat sees over ``out`` (float32[observation.SIZE])."""
    observation.write(box[s[0].box], s[0], seat, out)


@entry
def rewards(box: Any, s: Any, out: Any) -> None:
    """Writes ``out`` (float64[players at least]): what the last choice paid, every seat alike."""
    out[:] = 0.0
    for seat in range(s[0].players):
        out[seat] = s[0].reward


@entry
def empty(box: Any, s: Any, how: Any) -> None:
    """An empty table for a position: every component in its pool, the options of ``how`` noted."""
    setup.fill(box[how[0].box], s[0])
    setup.note(s[0], how[0])


@entry
def resume(box: Any, s: Any) -> None:
    """Runs a state put together by hand to its next decision."""
    advance(box[s[0].box], s[0])


@entry
def carry(box: Any, s: Any, challenge: int, players: int, leaving: int) -> None:
    """K2, K3: a decided challenge is followed by another, with so many players; ``leaving``: seats, as bits."""
    s[0].sp = 0
    push(s[0], steps.HALT)
    push(s[0], steps.CARRY_OVER)
    s[0].next_challenge = challenge
    if players != s[0].players or leaving > 0:
        campaign.change_players(box[s[0].box], s[0], players, leaving)
    advance(box[s[0].box], s[0])


@entry
def fallen(s: Any) -> bool:
    """K1: whether a decided challenge ends a campaign."""
    return campaign.fallen(s[0])


@entry
def reseed(s: Any, seed: int) -> None:
    """Gives a copy another future: who looks ahead must not see the true one."""
    seed_generator(s[0], seed)
