"""The scripted team: rules of thumb about a good position, and a look at what a few actions lead to.

It knows Sammu-Ramat. At a turn it tries out sequences of choices on reseeded copies (it never sees the true draws) and
keeps the one after which the position is worth most by :func:`value`: gates that stand, tokens above the limits, no
enemies next to what is weak, no unrest or plague, and progress on this challenge's condition.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import engine, steps
from sammu_env import state as st
from sammu_env.agents.team import Drawn, Team, begin_draws, is_anothers
from sammu_env.box import CONDITION_ROWS as ROWS
from sammu_env.box import Box
from sammu_env.rules import battle, conditions, pools, resolve
from sammu_env.rules.actions import cards
from sammu_env.rules.consult import actions_a_month, may_consult
from sammu_env.rules.pools import AREAS_N, LOCATIONS_N
from sammu_env.state import STATE, State
from tabletop.fields import Array, Records, dtype_of, f8, i4, i8, shape
from tabletop.game import Game, Record
from tabletop.jit import entry, kernel, lowest
from tabletop.rng import Generator, below, seed_generator

#: At a turn: positions kept after each action, sequences tried from each, actions looked ahead.
WIDTH, TRIES, DEPTH = 3, 50, 3
#: Choices in a plan.
LONGEST = 64
#: Tries of each option where a single choice is judged by itself.
LOOKS = 2
FAR = 9
#: Cards that an integer of 64 bits has room for.
HALF = c.N_ASHUR // 2

#: Sequences of choices that an agent holds: the one the game follows, the one on trial, and those kept of this and of
#: the next action.
BEST, TRIAL, KEPT = 0, 1, 2
SEQUENCES = KEPT + 2 * WIDTH


class Plan(Drawn):
    """What an agent keeps for one game."""

    tries: i4
    at: i4  # how far the best sequence is played
    value: Array[f8] = shape(SEQUENCES)
    n: Array[i4] = shape(SEQUENCES)
    action: Array[i4] = shape(SEQUENCES, LONGEST)
    trace: Array[i8] = shape(SEQUENCES, LONGEST, 2)  # the trace at which each choice is due


PLAN = dtype_of(Plan)


# What a position is worth


@kernel
def value(box: Box, s: State) -> float:
    """How good a position is for the team; a won game is 100, a lost one -100."""
    if s.result == c.WON:
        return 100.0
    if s.result == c.LOST:
        return -100.0
    return standing(box, s)


@kernel
def standing(box: Box, s: State) -> float:
    """How good a position is for the team, whether the game is over or not; mostly between 0 and 150."""
    v = progress(box, s) + gates(box, s) + threats(box, s) + tracks(box, s) + queen(box, s)
    for location in range(LOCATIONS_N):
        v -= 1.0 * s.unrest[location] + 0.8 * s.plague[location] + 0.4 * s.enemy[location]
        v += 0.3 * (s.diplomacy[location] + s.karu[location] + s.health[location])
    for marker in range(c.GREEN):
        v -= 0.15 * s.bag[marker] - 0.1 * s.bag[marker + c.GREEN]
    for who in range(pools.PEOPLE):
        if s.status[who] == c.IN_PLAY:
            v += 0.5 + 0.04 * pools.goods_of(s, who)
            for technology in range(pools.TECHNOLOGIES_N):
                if s.has[who, technology] > 0:
                    v += 0.3 * s.has[who, technology]
        elif s.status[who] == c.DEAD:
            v -= 3.0
    for half in range(2):
        hands = in_hands(s, half)
        paid = payable(box, s, half, hands)
        while hands:
            v += 0.05 + (0.12 if paid & (hands & -hands) else 0.0)
            hands &= hands - 1
    return v


@kernel
def in_hands(s: State, half: int) -> int:
    """Of the first or the second HALF of the Ashur cards, as bits: those in a hand."""
    found = 0
    for i in range(HALF):
        found |= int(s.ashur[half * HALF + i] >= st.HAND) << i
    return found


@kernel
def payable(box: Box, s: State, half: int, hands: int) -> int:
    """Of those in a hand, as bits: for which someone whom the seat may consult has the goods."""
    paid = 0
    for who in range(pools.PEOPLE):
        left = hands & ~paid if s.status[who] == c.IN_PLAY else 0
        while left:
            card = half * HALF + lowest(left)
            if may_consult(s, int(s.ashur[card]) - st.HAND, who) and cards.affordable(box, s, who, card):
                paid |= left & -left
            left &= left - 1
    return paid


@kernel
def progress(box: Box, s: State) -> float:
    """How far the challenge's condition is met, and how near what is lacking lies."""
    total, rows = 0.0, 0
    for row in range(ROWS):
        need = conditions.needed(box, s, row)
        if need > 0:
            rows += 1
            total += conditions.reached(box, s, row) / need + 0.7 * outlook(box, s, row)
    return 30.0 * total / max(1, rows)


@kernel
def outlook(box: Box, s: State, row: int) -> float:
    """What helps a row along before it counts, mostly between -1 and 1; goods are dear, or they would be spent."""
    condition = int(box.condition[s.challenge, row, 0])
    x, y, z = box.condition[s.challenge, row, 1], box.condition[s.challenge, row, 2], box.condition[s.challenge, row, 3]
    if condition == c.W_GATE:
        return gate_outlook(box, s, x)
    if condition == c.W_AREA_TOKENS:
        return -haul(box, s, y, box.capital[x], int(z) - pools.tokens_in(box, s, y, x)) / int(z)
    if condition == c.W_PLACE_TOKENS:
        there = int(s.token[y, pools.place_of(box, y, x)])
        return -haul(box, s, y, x, int(z) - there) / int(z) - 0.05 * s.enemy[x]
    if condition == c.W_ADVISORS_HOME:
        return advisor_outlook(box, s, x)
    if condition == c.W_GOODS:
        return 2.0 * conditions.reached(box, s, row) / conditions.needed(box, s, row)
    if condition == c.W_NO_UNREST:
        return -0.5 * unguarded(box, s)
    if condition == c.W_GATES or condition == c.W_ADVISORS:
        total = 0.0
        for area in range(AREAS_N):
            total += gate_outlook(box, s, area)
        return total / AREAS_N
    return 0.0


@kernel
def gate_outlook(box: Box, s: State, area: int) -> float:
    """How many of a gate's four requirements are there, and how far the others have to come."""
    if s.gate[area] > 0:
        return 1.0
    capital = int(box.capital[area])
    total = 0.0
    for kind in range(pools.KINDS_N):
        if s.token[kind, pools.place_of(box, kind, capital)] > 0:
            total += 0.25
        else:
            total -= 0.2 * haul(box, s, kind, capital, 1)
    total -= 0.05 * s.enemy[capital]
    if pools.unrest_in(box, s, area) or pools.plague_in(box, s, area):
        total -= 0.2
    return total


@kernel
def haul(box: Box, s: State, kind: int, target: int, n: int) -> float:
    """How far the nearest ``n`` tokens that no gate needs have to come, 0 to 1 each; 1 for each that there is not."""
    total, left = 0.0, int(n)
    for i in range(LOCATIONS_N):
        location = int(box.nearest[target, i])
        distance = int(box.steps[target, location])
        if left <= 0 or distance >= FAR:
            break
        found = min(left, spare(box, s, kind, location))
        total += found * distance / FAR
        left -= found
    return total + max(0, left)


@kernel
def spare(box: Box, s: State, kind: int, location: int) -> int:
    """Tokens on a location that no gate needs there; supply and medicine are counted at the capital."""
    area = pools.area_at(box, location)
    if kind > c.DIVINER and (area < 0 or not box.is_capital[location]):
        return 0
    n = int(s.token[kind, pools.place_of(box, kind, location)])
    if area >= 0 and s.gate[area] > 0 and box.is_capital[location]:
        n -= 1
    return max(0, n)


@kernel
def unguarded(box: Box, s: State) -> float:
    """For all unrest: how much of the three defence that would end it is not there."""
    total = 0.0
    for location in range(LOCATIONS_N):
        if s.unrest[location] > 0:
            total += (3 - min(3, pools.defence(box, s, location))) / 24.0
    return total


@kernel
def advisor_outlook(box: Box, s: State, origin: int) -> float:
    """Advisors of an area on their way to Kalhu, or the gate that would bring them."""
    for who in range(1, pools.PEOPLE):
        if box.home[who] == origin:
            if s.location[who] >= 0:
                return 0.5 - 0.5 * box.steps[s.location[who], c.KALHU] / FAR
            if s.status[who] == c.DEAD:
                return -1.0
    return 0.5 * gate_outlook(box, s, origin) - 0.5


@kernel
def gates(box: Box, s: State) -> float:
    """Gates that will stand at the next check; Assyria's above all."""
    v = 0.0
    for area in range(AREAS_N):
        weight = 8.0 if area == c.ASSYRIA else 1.5
        if resolve.gate_stands(box, s, area):
            v += weight + (1.0 if s.gate[area] == 0 else 0.0)
        elif s.gate[area] > 0:
            v += 0.3 * weight * (resolve.gate_parts(box, s, area) / 4.0)
    return v


@kernel
def threats(box: Box, s: State) -> float:
    """What the enemies next door would take."""
    v = 0.0
    for location in range(LOCATIONS_N):
        if s.enemy[location] == 0 or s.plague[location] > 0:
            continue
        for i in range(box.degree[location]):
            there = int(box.neighbour[location, i])
            if s.enemy[there] > 0 or s.plague[there] > 0 or s.diplomacy[there] > 0:
                continue
            if s.enemy[location] * battle.enemy_strength(box, s, there) > pools.defence(box, s, there):
                v -= at_stake(box, s, there, location)
    return v


@kernel
def at_stake(box: Box, s: State, location: int, enemies: int) -> float:
    """What a lost location costs."""
    v = 0.8 * min(int(s.token[c.MILITARY, location]), int(s.enemy[enemies])) + 0.8 * s.token[c.DIVINER, location]
    for who in range(pools.PEOPLE):
        if s.location[who] == location:
            v += 25.0 if who == c.SAMMU_RAMAT else 2.0
    if box.is_capital[location] and s.gate[box.zone[location]] > 0:
        v += 12.0 if box.zone[location] == c.ASSYRIA else 3.0
    return v


@kernel
def tracks(box: Box, s: State) -> float:
    """Tokens on the map: few are dangerous, more than their providers sustain are wasted."""
    v = 0.0
    for kind in range(pools.KINDS_N):
        n = pools.on_map(box, s, kind)
        v += 0.8 * min(n, 13) - shortage(n)
    v -= 0.8 * max(0, pools.on_map(box, s, c.DIVINER) - resolve.sustained(pools.on_map(box, s, c.MEDICINE)))
    v -= 0.8 * max(0, pools.on_map(box, s, c.SUPPLY) - resolve.sustained(pools.on_map(box, s, c.DIVINER)))
    v -= 0.8 * max(0, pools.on_map(box, s, c.MILITARY) - resolve.sustained(pools.on_map(box, s, c.SUPPLY)))
    return v


@kernel
def shortage(n: int) -> float:
    """The danger of a nearly empty track."""
    if n == 0:
        return 40.0
    if n == 1:
        return 6.0
    if n == 2:
        return 3.0
    return 1.0 if n == 3 else 0.0


@kernel
def queen(box: Box, s: State) -> float:
    """Sammu-ramat: attempts on her life, and being without protection."""
    v = -2.5 * s.assassination + 0.4 * s.religion
    if s.assassination >= c.MAX_ASSASSINATIONS:
        v -= 60.0
    location = int(s.location[c.SAMMU_RAMAT])
    if location >= 0 and box.zone[location] != c.ASSYRIA and pools.defence(box, s, location) == 0:
        v -= 2.0
    if location >= 0:
        v -= 6.0 * hunted(box, s, location)
    return v


@kernel
def hunted(box: Box, s: State, location: int) -> int:
    """Enemies two steps away who could come and take a location in one stage, moving in two areas' turns."""
    near, strength = pools.defence(box, s, location), 0
    for start in range(LOCATIONS_N):
        if s.enemy[start] > 0 and box.steps[start, location] == 2:
            strength = max(strength, int(s.enemy[start]))
    return 1 if strength > near else 0


# Deciding


@kernel
def prompt(s: State) -> int:
    """What is asked."""
    return int(s.op[s.sp - 1])


@kernel
def random_option(s: State, generator: Generator) -> int:
    """Any legal choice; a turn is ended early less often than it would by chance."""
    i = below(generator, s.n_options)
    if prompt(s) == steps.TURN and s.option[i] == a.DONE:
        i = below(generator, s.n_options)
    return int(s.option[i])


@kernel
def copy_state(target: Records[State], source: Records[State], generator: Generator) -> None:
    """A copy with a future of its own."""
    target[0] = source[0]
    target[0].manual_chance = 0
    seed_generator(target[0], below(generator, 1 << 30))


@kernel
def copy_sequence(plan: Plan, target: int, source: int) -> None:
    """A sequence as far as it goes."""
    plan.value[target] = plan.value[source]
    plan.n[target] = plan.n[source]
    for i in range(plan.n[source]):
        plan.action[target, i] = plan.action[source, i]
        plan.trace[target, i, 0] = plan.trace[source, i, 0]
        plan.trace[target, i, 1] = plan.trace[source, i, 1]


@kernel
def add_choice(plan: Plan, k: int, s: State, action: int) -> None:
    """A sequence grows by a choice that is due in a position."""
    i = int(plan.n[k])
    plan.action[k, i] = action
    plan.trace[k, i, 0] = s.trace[0]
    plan.trace[k, i, 1] = s.trace[1]
    plan.n[k] = i + 1


@kernel
def try_action(box: Box, t: State, plan: Plan) -> None:
    """Plays choices at random until an action is done, adds them to the trial, and says what it leads to."""
    stage, seat, game = int(t.stage), int(t.seat), int(t.game)
    while plan.n[TRIAL] < LONGEST and t.to_act >= 0:
        action = random_option(t, plan)
        add_choice(plan, TRIAL, t, action)
        if prompt(t) == steps.TURN and action == a.DONE:
            break
        engine.choose(box, t, action)
        if t.stage != stage or t.seat != seat or t.game != game or prompt(t) == steps.TURN:
            break
    plan.value[TRIAL] = value(box, t)


@kernel
def open_ended(s: State, plan: Plan, k: int) -> bool:
    """Whether the position after a sequence has further actions in this turn."""
    if s.to_act < 0 or prompt(s) != steps.TURN or plan.n[k] >= LONGEST // 2:
        return False
    return plan.n[k] == 0 or plan.action[k, plan.n[k] - 1] != a.DONE


@kernel
def make_plan(box: Box, s: Records[State], trial: Records[State], plan: Plan) -> None:
    """A beam search: from each position kept, actions at random; the best positions are kept for the next action.

    ``trial``: states, shape (SEQUENCES,); the one under trial and those kept stand where their sequences do.
    """
    start_plan(box, s[0], plan)
    trial[KEPT] = s[0]
    plan.n[KEPT] = 0
    kept = 1
    for depth in range(DEPTH):
        here, there, found = KEPT + (depth % 2) * WIDTH, KEPT + (1 - depth % 2) * WIDTH, 0
        for k in range(here, here + kept):
            if depth > 0 and not open_ended(trial[k], plan, k):
                continue
            for _ in range(plan.tries * WIDTH if depth == 0 else plan.tries):
                copy_state(trial[TRIAL : TRIAL + 1], trial[k : k + 1], plan)
                copy_sequence(plan, TRIAL, k)
                try_action(box, trial[TRIAL], plan)
                if plan.value[TRIAL] > plan.value[BEST]:
                    copy_sequence(plan, BEST, TRIAL)
                found = keep(trial, plan, there, found)
        kept = found


@kernel
def start_plan(box: Box, s: State, plan: Plan) -> None:
    """At a turn, ending it is the plan to beat."""
    plan.at = 0
    plan.n[BEST] = 0
    plan.value[BEST] = -1e9
    if prompt(s) == steps.TURN:
        plan.value[BEST] = value(box, s) + 0.01
        add_choice(plan, BEST, s, a.DONE)


@kernel
def keep(trial: Records[State], plan: Plan, first: int, found: int) -> int:
    """Keeps the position under trial if it is among the best and no twin of one kept. Returns how many are kept."""
    worst = first
    for k in range(first, first + found):
        if plan.value[k] == plan.value[TRIAL]:
            return found
        if plan.value[k] < plan.value[worst]:
            worst = k
    if found < WIDTH:
        worst = first + found
        found += 1
    elif plan.value[TRIAL] <= plan.value[worst]:
        return found
    copy_sequence(plan, worst, TRIAL)
    trial[worst] = trial[TRIAL]
    return found


@kernel
def best_option(box: Box, s: Records[State], trial: Records[State], plan: Plan) -> int:
    """The single choice after which the position is worth most."""
    best, best_value = int(s[0].option[0]), -1e9
    for i in range(s[0].n_options):
        action = int(s[0].option[i])
        v = 0.0
        for _ in range(LOOKS):
            copy_state(trial[TRIAL : TRIAL + 1], s, plan)
            engine.choose(box, trial[TRIAL], action)
            v += value(box, trial[TRIAL])
        if v > best_value:
            best, best_value = action, v
    return best


@kernel
def consult(box: Box, s: State, plan: Plan) -> int:
    """Whom to ask: who has most actions, goods to pay with, and tokens at hand."""
    best, best_score = a.DONE, -1e9
    for i in range(s.n_options):
        if s.option[i] == a.DONE:
            continue
        who = int(s.option[i]) - a.CHARACTER
        location = int(s.location[who])
        score = 3.0 * actions_a_month(box, s, who) - 4.0 * s.frozen[who]
        score += 0.3 * min(6, pools.goods_of(s, who)) + 0.4 * min(3, int(s.token[c.MILITARY, location]))
        score += 0.3 * min(2, int(s.token[c.DIVINER, location])) + 0.01 * below(plan, 100)
        if s.plague[location] > 0 and pools.medicine_of(box, s, who) == 0:
            score -= 2.0
        score += 2.0 * far_from_home(box, s, who)
        if score > best_score:
            best, best_score = int(s.option[i]), score
    return best


@kernel
def far_from_home(box: Box, s: State, who: int) -> int:
    """SAM-182: 1 for an advisor who still has to come to the area where the condition wants all of that origin."""
    for row in range(ROWS):
        if (
            box.condition[s.challenge, row, 0] == c.W_ADVISORS_HOME
            and box.condition[s.challenge, row, 1] == box.home[who]
        ):
            return 1 if box.zone[s.location[who]] != box.condition[s.challenge, row, 2] else 0
    return 0


@kernel
def conceal(s: State, seat: int) -> None:
    """With hidden hands: deals what a seat does not see out in card order, so that only what it knows can matter."""
    other, left = -1, 0
    for card in range(c.N_ASHUR):
        at = int(s.ashur[card])
        if at == st.DISCARD or at == st.HAND + seat:
            continue
        while left == 0 and other < s.players:
            other += 1
            left = int(s.hand_n[other]) if other < s.players and other != seat else 0
        if left > 0:
            s.ashur[card] = st.HAND + other
            left -= 1
        else:
            s.ashur[card] = st.DECK


@kernel
def decide(box: Box, given: Records[State], trial: Records[State], plan: Plan) -> int:
    """One choice for the seat that is asked: as planned if it is legal (hidden hands are guesses), or planned anew."""
    s = given
    if given[0].hidden_hands > 0:
        s = trial[BEST : BEST + 1]
        s[0] = given[0]
        conceal(s[0], s[0].to_act)
    if is_anothers(s[0], plan):
        plan.n[BEST] = 0
    op = prompt(s[0])
    if op == steps.CONSULT:
        return consult(box, s[0], plan)
    if s[0].stage != c.ST_ACTIONS or op <= steps.TAX_TO or op == steps.FIRST_PLAYER:
        return best_option(box, s, trial, plan)
    i = int(plan.at)
    if not (i < plan.n[BEST] and is_due(plan, i, s[0]) and engine.offered(given[0], plan.action[BEST, i])):
        make_plan(box, s, trial, plan)
        i = 0
    plan.at = i + 1
    return int(plan.action[BEST, i])


@kernel
def is_due(plan: Plan, i: int, s: State) -> bool:
    """Whether the game stands where the plan's choice belongs: chance may have had it otherwise."""
    return plan.trace[BEST, i, 0] == s.trace[0] and plan.trace[BEST, i, 1] == s.trace[1]


@entry
def decide_many(
    box: Records[Box],
    s: Records[State],
    trial: Records[State],
    plans: Records[Plan],
    out: Array[int],
    seeds: Array[int],
) -> None:
    """A choice, int64 (n,), for each of n games; where there are seeds, int64 (n,) and not none, whole games with every
    seat, one after the other, with the last of ``plans`` when they run out."""
    for i in range(len(s)):
        plan = plans[min(i, len(plans) - 1)]
        if i < len(seeds):
            begin_plan(plan, seeds[i])
        while s[i].to_act >= 0:
            out[i] = decide(box[s[i].box], s[i : i + 1], trial, plan)
            if i >= len(seeds):
                break
            engine.choose(box[s[i].box], s[i], out[i])


@entry
def value_many(box: Records[Box], s: Records[State], out: Array[float]) -> None:
    """What n positions are worth, also those of finished games, float32 (n,) from -1 to 1; a defeat before the last
    month is worth nothing."""
    for i in range(len(s)):
        fallen = s[i].result == c.LOST and s[i].cause not in (c.MET, c.OUT_OF_MONTHS)
        out[i] = 0.0 if fallen else min(1.0, max(-1.0, standing(box[s[i].box], s[i]) / 150.0))


@kernel
def begin_plan(plan: Plan, seed: int) -> None:
    """No plan yet, and a generator apart from the game's."""
    plan.n[BEST] = 0
    plan.at = 0
    begin_draws(plan, seed + 0x5C21)


class Scripted(Team):
    """The scripted team.

    Args:
        tries: sequences tried from each position that is kept.
        threads: by default all processors.

    Raises:
        ValueError: one of these is less than 1, or too many.
    """

    name = "scripted"
    plan, games_a_thread = PLAN, 16

    def __init__(self, game: Game, tries: int = TRIES, threads: int | None = None) -> None:
        super().__init__(game, threads, tries=tries)
        self.tries, self.trials = tries, [np.zeros(SEQUENCES, STATE) for _ in range(self.threads)]
        self.reset(0)

    def new_plans(self, n: int) -> NDArray[np.void]:
        """Of n games, each with a generator of its own, and how many sequences are tried."""
        plans = super().new_plans(n)
        plans["tries"] = self.tries
        return plans

    def write_choices(
        self, thread: int, states: Record, plans: NDArray[np.void], out: NDArray[np.int64], seeds: NDArray[np.int64]
    ) -> None:
        decide_many(self.box, states, self.trials[thread], plans, out, seeds)

    def value(self, thread: int, states: Record, out: NDArray[np.float32]) -> None:
        value_many(self.box, states, out)
