"""Attacks of an army (5d, p. 27) and armies under Sammu-ramat's command (SAM-001)."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env import steps
from sammu_env.actions import DONE, LOCATION, TOKEN, V_JOIN, VERB
from sammu_env.box import Box
from sammu_env.rules import battle, pools
from sammu_env.rules.pools import LOCATIONS_N
from sammu_env.state import State
from tabletop.jit import kernel
from tabletop.steps import option, pop, push, set_top, top


@kernel
def over_the_sea(box: Box, s: State, who: int, start: int, target: int) -> bool:
    """SAM-014 and the glossary: two places are adjacent only by the sea on which Apollonios goes in one step."""
    if start == target or box.steps[start, target] == 1 or box.sea[start] == 0 or box.sea[target] == 0:
        return False
    return box.ability[who, s.side[who], c.A_SEA_ROUTES] > 0


@kernel
def may_attack(box: Box, s: State, who: int, target: int) -> bool:
    """A6: enemies next door, one step away: not where the month asks for two (SAM-055).

    Over the sea the army sails only with the character, who must be able to go.
    """
    start = int(s.location[who])
    if start != target and pools.step_cost(box, s, start, target) > 1:
        return False
    if over_the_sea(box, s, who, start, target):
        return battle.worth_attacking(box, s, start, target) and may_join(box, s, who, target)
    return battle.target_here(box, s, start, target)


@kernel
def can_attack(box: Box, s: State, who: int) -> bool:
    """A6: military here and somebody to attack."""
    start = int(s.location[who])
    if s.token[c.MILITARY, start] == 0 or s.plague[start] > 0:
        return False
    if box.sea[start] == 0 or box.ability[who, s.side[who], c.A_SEA_ROUTES] == 0:
        for i in range(box.degree[start]):
            if may_attack(box, s, who, box.neighbour[start, i]):
                return True
        return may_attack(box, s, who, start)
    for target in range(LOCATIONS_N):
        if may_attack(box, s, who, target):
            return True
    return False


@kernel
def ask_attack(box: Box, s: State) -> None:
    """A6: where the attack goes."""
    for target in range(LOCATIONS_N):
        if may_attack(box, s, top(s, 0), target):
            option(s, LOCATION + target)


@kernel
def answer_attack(s: State, target: int) -> None:
    """Then the army is chosen."""
    who = top(s, 0)
    pop(s)
    push(s, steps.ARMY, who, s.location[who], target, 0, 0)


@kernel
def ask_army(s: State) -> None:
    """Glossary: any chosen number of military and diviners of one location; an attack needs military."""
    start, mil, diviners = top(s, 1), top(s, 3), top(s, 4)
    if s.token[c.MILITARY, start] > mil:
        option(s, TOKEN + c.MILITARY)
    if s.token[c.DIVINER, start] > diviners:
        option(s, TOKEN + c.DIVINER)
    if mil > 0:
        option(s, DONE)


@kernel
def answer_army(s: State, action: int) -> None:
    """Enlarges the army, or asks whether the character joins."""
    if action == TOKEN + c.MILITARY:
        set_top(s, 3, top(s, 3) + 1)
    elif action == TOKEN + c.DIVINER:
        set_top(s, 4, top(s, 4) + 1)
    else:
        who, start, target, mil, diviners = top(s, 0), top(s, 1), top(s, 2), top(s, 3), top(s, 4)
        pop(s)
        push(s, steps.JOIN, who, start, target, mil, diviners)


@kernel
def may_join(box: Box, s: State, who: int, target: int) -> bool:
    """Whether the character can go with the army: it is no move action, but who may not move does not go along."""
    return s.frozen[who] == 0 and (s.unrest[target] == 0 or pools.defence_of(box, s, who) > 0)


@kernel
def ask_join(box: Box, s: State) -> None:
    """A6: the character goes with the army, or stays; who takes it over the sea goes with it."""
    who, start, target = top(s, 0), top(s, 1), top(s, 2)
    if not over_the_sea(box, s, who, start, target):
        option(s, DONE)
    if may_join(box, s, who, target):
        option(s, VERB + V_JOIN)


@kernel
def answer_join(box: Box, s: State, joins: bool) -> None:
    """The battle is fought at once."""
    who, start, target, mil, diviners = top(s, 0), top(s, 1), top(s, 2), top(s, 3), top(s, 4)
    pop(s)
    battle.fight(box, s, who if joins else -1, start, target, mil, diviners)


# Sammu-ramat's armies: one or two, each one or two steps, each may attack


@kernel
def can_command(box: Box, s: State, reach: int) -> bool:
    """Whether any army on the map has somewhere to go."""
    for location in range(LOCATIONS_N):
        if army_can_go(box, s, location, 0, 0, reach):
            return True
    return False


@kernel
def arrived(s: State, location: int, column: int) -> int:
    """Military or diviners of the first army where it halted: the second army is another one."""
    return top(s, column) if top(s, 3) == location + 1 else 0


@kernel
def army_can_go(box: Box, s: State, start: int, mil: int, diviners: int, reach: int) -> bool:
    """Whether tokens here, so many held back, have a step to make."""
    if s.token[c.MILITARY, start] > mil and has_step(box, s, start, 1, reach):
        return True
    return s.token[c.DIVINER, start] > diviners and has_step(box, s, start, 0, reach)


@kernel
def army_may_step(box: Box, s: State, start: int, target: int, mil: int, left: int) -> bool:
    """By road: military not in or out of plague, into enemies only to attack, nothing where an event forbids it."""
    if battle.banned(box, s, start, target) or pools.step_cost(box, s, start, target) > left:
        return False
    if mil > 0:
        return s.plague[start] == 0 and s.plague[target] == 0
    return s.enemy[target] == 0


@kernel
def ask_command(box: Box, s: State) -> None:
    """SAM-001: which army; the second may be left out."""
    for location in range(LOCATIONS_N):
        mil, diviners = arrived(s, location, 4), arrived(s, location, 5)
        if army_can_go(box, s, location, mil, diviners, top(s, 1)):
            option(s, LOCATION + location)
    if s.n_options == 0:
        pop(s)
    elif top(s, 2) > 0:
        option(s, DONE)


@kernel
def answer_command(s: State, action: int) -> None:
    """The next army is put together."""
    left, reach, ordered = top(s, 0), top(s, 1), top(s, 2)
    start = int(action) - LOCATION
    mil, diviners = arrived(s, start, 4), arrived(s, start, 5)
    pop(s)
    if action == DONE:
        return
    if left > 1:
        push(s, steps.COMMAND, left - 1, reach, ordered + 1)
    push(s, steps.COMMAND_ARMY, start, 0, 0, reach, mil, diviners)


@kernel
def halt(s: State, location: int, mil: int, diviners: int) -> None:
    """An army's march ends: should another be ordered, it is made of others."""
    if s.op[s.sp - 1] == steps.COMMAND:
        set_top(s, 3, location + 1)
        set_top(s, 4, mil)
        set_top(s, 5, diviners)


@kernel
def ask_command_army(box: Box, s: State) -> None:
    """One token after another, of those who have somewhere to go."""
    start, mil, diviners, reach = top(s, 0), top(s, 1), top(s, 2), top(s, 3)
    if s.token[c.MILITARY, start] > mil + top(s, 4) and has_step(box, s, start, 1, reach):
        option(s, TOKEN + c.MILITARY)
    if s.token[c.DIVINER, start] > diviners + top(s, 5) and (mil > 0 or has_step(box, s, start, 0, reach)):
        option(s, TOKEN + c.DIVINER)
    if mil + diviners > 0:
        option(s, DONE)


@kernel
def has_step(box: Box, s: State, start: int, mil: int, left: int) -> bool:
    """Whether an army, with military or of diviners alone, can go anywhere in so many steps."""
    for i in range(box.degree[start]):
        if army_may_step(box, s, start, box.neighbour[start, i], mil, left):
            return True
    return mil > 0 and battle.target_here(box, s, start, start)


@kernel
def answer_command_army(s: State, action: int) -> None:
    """Enlarges the army, or sets it going."""
    if action == TOKEN + c.MILITARY:
        set_top(s, 1, top(s, 1) + 1)
    elif action == TOKEN + c.DIVINER:
        set_top(s, 2, top(s, 2) + 1)
    else:
        start, mil, diviners, reach = top(s, 0), top(s, 1), top(s, 2), top(s, 3)
        pop(s)
        push(s, steps.COMMAND_GO, start, mil, diviners, reach, 0)


@kernel
def ask_command_go(box: Box, s: State) -> None:
    """The next step; after the first the army may stop. Baileet, alone where the last one led, may be attacked."""
    start, mil, diviners, left, gone = top(s, 0), top(s, 1), top(s, 2), top(s, 3), top(s, 4)
    if left == 0 and (mil == 0 or not battle.target_here(box, s, start, start)):
        pop(s)
        halt(s, start, mil, diviners)
        return
    for i in range(box.degree[start]):
        there = int(box.neighbour[start, i])
        if army_may_step(box, s, start, there, mil, left):
            option(s, LOCATION + there)
    if mil > 0 and battle.target_here(box, s, start, start):
        option(s, LOCATION + start)
    if gone > 0 or s.n_options == 0:
        option(s, DONE)


@kernel
def answer_command_go(box: Box, s: State, action: int) -> None:
    """Steps on, or attacks, which ends the march."""
    start, mil, diviners, left, gone = top(s, 0), top(s, 1), top(s, 2), top(s, 3), top(s, 4)
    pop(s)
    if action == DONE:
        halt(s, start, mil, diviners)
        return
    target = int(action) - LOCATION
    if s.enemy[target] > 0 or target == start:
        halt(s, target, mil, diviners)
        battle.fight(box, s, -1, start, target, mil, diviners)
        return
    s.token[c.MILITARY, start] -= mil
    s.token[c.MILITARY, target] += mil
    s.token[c.DIVINER, start] -= diviners
    s.token[c.DIVINER, target] += diviners
    push(s, steps.COMMAND_GO, target, mil, diviners, left - pools.step_cost(box, s, start, target), gone + 1)


# Amunet's diviners


@kernel
def free_reach(box: Box, s: State, start: int, n: int) -> int:
    """Locations, as bits, that diviners reach by road in so many steps, through enemies but not onto them (SAM-006)."""
    seen = 1 << start
    last, before = seen, 0
    for _ in range(n):
        fresh = 0
        for location in range(LOCATIONS_N):
            for i in range(box.degree[location]):
                there = int(box.neighbour[location, i])
                reached = last if pools.step_cost(box, s, location, there) == 1 else before
                if reached >> location & 1 and not battle.banned(box, s, location, there):
                    fresh |= 1 << there
        before = last
        last = fresh & ~seen
        seen |= fresh
    for location in range(LOCATIONS_N):
        if seen >> location & 1 and s.enemy[location] > 0:
            seen &= ~(1 << location)
    return seen & ~(1 << start)


@kernel
def ask_summon_go(box: Box, s: State) -> None:
    """Where a new diviner goes, or stays."""
    reached = free_reach(box, s, top(s, 0), top(s, 1))
    for location in range(LOCATIONS_N):
        if reached >> location & 1:
            option(s, LOCATION + location)
    option(s, DONE)


@kernel
def answer_summon_go(s: State, action: int) -> None:
    """It stands there."""
    start = top(s, 0)
    pop(s)
    if action != DONE:
        s.token[c.DIVINER, start] -= 1
        s.token[c.DIVINER, action - LOCATION] += 1
