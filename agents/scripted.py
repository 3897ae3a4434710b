"""The scripted team: rules of thumb about a good position, and a look at what a few actions lead to.

It knows Sammu-Ramat. At a turn it tries out sequences of choices on reseeded copies (it never sees the true draws) and
keeps the one after which the position is worth most by :func:`value`: gates that stand, tokens above the limits, no
enemies next to what is weak, no unrest or plague, and progress on this challenge's condition.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import engine, steps
from sammu_env.rules import battle, conditions, pools, resolve
from sammu_env.state import STATE
from tabletop.game import Game, Record
from tabletop.jit import entry, kernel
from tabletop.rng import below, seed_generator

LOCATIONS_N, AREAS_N, ROWS = len(c.LOCATIONS), len(c.AREAS), 12
#: Sequences tried for a turn, actions in a sequence, choices after which one is cut short.
TRIES, DEPTH, LONGEST = 200, 3, 60
#: Tries of each option where a single choice is judged by itself.
LOOKS = 2
FAR = 9

#: The choices decided on, while the game follows them: one for each game of a batch.
PLAN = np.dtype(
    [
        ("tries", "i4"),
        ("depth", "i4"),
        ("n", "i4"),
        ("at", "i4"),
        ("action", "i4", LONGEST),
        ("trace", "i8", (LONGEST, 2)),  # the trace at which each choice is due
        ("rng", "i8", 4),
        ("trial_n", "i4"),
        ("trial_action", "i4", LONGEST),
        ("trial_trace", "i8", (LONGEST, 2)),
    ],
    align=True,
)


# What a position is worth


@kernel
def value(box: Any, s: Any) -> float:
    """How good a position is for the team; a won game is 100, a lost one -100."""
    if s.result == c.WON:
        return 100.0
    if s.result == c.LOST:
        return -100.0
    v = progress(box, s) + gates(box, s) + threats(box, s) + tracks(box, s) + queen(box, s)
    for location in range(LOCATIONS_N):
        v -= 1.0 * s.unrest[location] + 0.8 * s.plague[location] + 0.25 * s.enemy[location]
        v += 0.3 * (s.diplomacy[location] + s.karu[location] + s.health[location])
    for marker in range(c.GREEN):
        v -= 0.15 * s.bag[marker] - 0.1 * s.bag[marker + c.GREEN]
    for who in range(pools.PEOPLE):
        if s.status[who] == c.IN_PLAY:
            v += 0.5 + 0.05 * pools.goods_of(s, who)
            for technology in range(pools.TECHNOLOGIES_N):
                v += 0.3 * s.has[who, technology]
        elif s.status[who] == c.DEAD:
            v -= 3.0
    for seat in range(s.players):
        v += 0.08 * min(5, int(s.hand_n[seat]))
    return v


@kernel
def progress(box: Any, s: Any) -> float:
    """How far the challenge's condition is met, and how near what is lacking lies."""
    total, rows = 0.0, 0
    for row in range(ROWS):
        need = conditions.needed(box, s, row)
        if need > 0:
            rows += 1
            total += conditions.reached(box, s, row) / need + 0.7 * outlook(box, s, row)
    return 30.0 * total / max(1, rows)


@kernel
def outlook(box: Any, s: Any, row: int) -> float:
    """Between -1 and 1: what helps a row along before it counts."""
    condition = int(box.condition[s.challenge, row, 0])
    x, y, z = box.condition[s.challenge, row, 1], box.condition[s.challenge, row, 2], box.condition[s.challenge, row, 3]
    if condition == c.W_GATE:
        return gate_outlook(box, s, x)
    if condition == c.W_AREA_TOKENS:
        lacking = int(z) - pools.tokens_in(box, s, y, x)
        return 0.0 if lacking <= 0 else -0.5 * nearest_spare(box, s, y, box.capital[x]) / FAR
    if condition == c.W_PLACE_TOKENS:
        lacking = int(z) - int(s.token[y, x])
        return 0.0 if lacking <= 0 else -0.5 * nearest_spare(box, s, y, x) / FAR - 0.05 * s.enemy[x]
    if condition == c.W_ADVISORS_HOME:
        return advisor_outlook(box, s, x)
    if condition == c.W_GATES or condition == c.W_ADVISORS:
        total = 0.0
        for area in range(AREAS_N):
            total += gate_outlook(box, s, area)
        return total / AREAS_N
    return 0.0


@kernel
def gate_outlook(box: Any, s: Any, area: int) -> float:
    """How many of a gate's four requirements are there, and how far the others have to come."""
    if s.gate[area] > 0:
        return 1.0
    capital = int(box.capital[area])
    total = 0.0
    for kind in range(pools.KINDS_N):
        if s.token[kind, pools.place_of(box, kind, capital)] > 0:
            total += 0.25
        else:
            total -= 0.2 * nearest_spare(box, s, kind, capital) / FAR
    total -= 0.05 * s.enemy[capital]
    if pools.unrest_in(box, s, area) or pools.plague_in(box, s, area):
        total -= 0.2
    return total


@kernel
def nearest_spare(box: Any, s: Any, kind: int, target: int) -> int:
    """Steps from the nearest token of a kind that no gate needs where it is."""
    best = FAR
    for location in range(LOCATIONS_N):
        place = pools.place_of(box, kind, location)
        n = int(s.token[kind, place])
        if n == 0:
            continue
        area = pools.area_at(box, location)
        if area >= 0 and s.gate[area] > 0 and (kind > c.DIVINER or box.is_capital[location]):
            n -= 1
        if n > 0:
            best = min(best, int(box.steps[location, target]))
    return best


@kernel
def advisor_outlook(box: Any, s: Any, origin: int) -> float:
    """Advisors of an area on their way to Kalhu, or the gate that would bring them."""
    for who in range(1, pools.PEOPLE):
        if box.home[who] == origin:
            if s.location[who] >= 0:
                return 0.5 - 0.5 * box.steps[s.location[who], c.KALHU] / FAR
            if s.status[who] == c.DEAD:
                return -1.0
    return 0.5 * gate_outlook(box, s, origin) - 0.5


@kernel
def gates(box: Any, s: Any) -> float:
    """Gates that will stand at the next check; Assyria's above all."""
    v = 0.0
    for area in range(AREAS_N):
        weight = 8.0 if area == c.ASSYRIA else 1.5
        if resolve.gate_stands(box, s, area):
            v += weight + (1.0 if s.gate[area] == 0 else 0.0)
        elif s.gate[area] > 0:
            v += 0.3 * weight * (gate_parts(box, s, area) / 4.0)
    return v


@kernel
def gate_parts(box: Any, s: Any, area: int) -> int:
    """How many of the four requirements are there."""
    n = 0
    for kind in range(pools.KINDS_N):
        if s.token[kind, pools.place_of(box, kind, box.capital[area])] > 0:
            n += 1
    return n


@kernel
def threats(box: Any, s: Any) -> float:
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
def at_stake(box: Any, s: Any, location: int, enemies: int) -> float:
    """What a lost location costs."""
    v = 0.4 * min(int(s.token[c.MILITARY, location]), int(s.enemy[enemies])) + 0.4 * s.token[c.DIVINER, location]
    for who in range(pools.PEOPLE):
        if s.location[who] == location:
            v += 25.0 if who == c.SAMMU_RAMAT else 2.0
    if box.is_capital[location] and s.gate[box.zone[location]] > 0:
        v += 12.0 if box.zone[location] == c.ASSYRIA else 3.0
    return v


@kernel
def tracks(box: Any, s: Any) -> float:
    """Tokens on the map: few are dangerous, more than their providers sustain are wasted."""
    v = 0.0
    for kind in range(pools.KINDS_N):
        n = pools.on_map(box, s, kind)
        v += 0.3 * min(n, 12) - shortage(n)
    v -= 0.4 * max(0, pools.on_map(box, s, c.DIVINER) - resolve.sustained(pools.on_map(box, s, c.MEDICINE)))
    v -= 0.4 * max(0, pools.on_map(box, s, c.SUPPLY) - resolve.sustained(pools.on_map(box, s, c.DIVINER)))
    v -= 0.4 * max(0, pools.on_map(box, s, c.MILITARY) - resolve.sustained(pools.on_map(box, s, c.SUPPLY)))
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
def queen(box: Any, s: Any) -> float:
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
def hunted(box: Any, s: Any, location: int) -> int:
    """Enemies two steps away who could come and take a location in one stage, moving in two areas' turns."""
    near, strength = pools.defence(box, s, location), 0
    for start in range(LOCATIONS_N):
        if s.enemy[start] > 0 and box.steps[start, location] == 2:
            strength = max(strength, int(s.enemy[start]))
    return 1 if strength > near else 0


# Deciding


@kernel
def prompt(s: Any) -> int:
    """What is asked."""
    return int(s.op[s.sp - 1])


@kernel
def random_option(s: Any, generator: Any) -> int:
    """Any legal choice; a turn is ended early less often than it would by chance."""
    i = below(generator, s.n_options)
    if prompt(s) == steps.TURN and s.option[i] == a.DONE:
        i = below(generator, s.n_options)
    return int(s.option[i])


@kernel
def copy_state(target: Any, source: Any, generator: Any) -> None:
    """A copy with a future of its own."""
    target[0] = source[0]
    target[0].manual_chance = 0
    seed_generator(target[0], below(generator, 1 << 30))


@kernel
def try_sequence(box: Any, s: Any, trial: Any, plan: Any, depth: int) -> float:
    """Plays choices at random until so many actions are done; notes them. Returns what the position is then worth."""
    copy_state(trial, s, plan)
    t = trial[0]
    stage, seat, game = int(t.stage), int(t.seat), int(t.game)
    done = 0
    plan.trial_n = 0
    while plan.trial_n < LONGEST and t.to_act >= 0:
        action = random_option(t, plan)
        begins = prompt(t) == steps.TURN
        plan.trial_action[plan.trial_n] = action
        plan.trial_trace[plan.trial_n, 0] = t.trace[0]
        plan.trial_trace[plan.trial_n, 1] = t.trace[1]
        plan.trial_n += 1
        if begins and action == a.DONE:
            break
        engine.choose(box, t, action)
        if t.stage != stage or t.seat != seat or t.game != game:
            break
        if prompt(t) == steps.TURN:
            done += 1
            if done >= depth:
                break
    return value(box, t)


@kernel
def keep(plan: Any) -> None:
    """The sequence just tried is the plan."""
    plan.n = plan.trial_n
    plan.at = 0
    for i in range(plan.trial_n):
        plan.action[i] = plan.trial_action[i]
        plan.trace[i, 0] = plan.trial_trace[i, 0]
        plan.trace[i, 1] = plan.trial_trace[i, 1]


@kernel
def make_plan(box: Any, s: Any, trial: Any, plan: Any) -> None:
    """The best of many sequences; at a turn, ending it is one."""
    best = -1e9
    plan.n = plan.at = 0
    if prompt(s[0]) == steps.TURN:
        best = value(box, s[0]) + 0.01
        plan.n = 1
        plan.action[0] = a.DONE
        plan.trace[0, 0] = s[0].trace[0]
        plan.trace[0, 1] = s[0].trace[1]
    for i in range(plan.tries):
        v = try_sequence(box, s, trial, plan, 1 + i % plan.depth)
        if v > best:
            best = v
            keep(plan)


@kernel
def best_option(box: Any, s: Any, trial: Any, plan: Any) -> int:
    """The single choice after which the position is worth most."""
    best, best_value = int(s[0].option[0]), -1e9
    for i in range(s[0].n_options):
        action = int(s[0].option[i])
        v = 0.0
        for _ in range(LOOKS):
            copy_state(trial, s, plan)
            engine.choose(box, trial[0], action)
            v += value(box, trial[0])
        if v > best_value:
            best, best_value = action, v
    return best


@kernel
def consult(box: Any, s: Any, plan: Any) -> int:
    """Whom to ask: who has most actions, goods to pay with, and tokens at hand."""
    best, best_score = int(s.option[0]), -1e9
    for i in range(s.n_options):
        who = int(s.option[i]) - a.CHARACTER
        location = int(s.location[who])
        column = 2 if who == c.SAMMU_RAMAT else (1 if s.owner[who] >= 0 else 0)
        score = 3.0 * (box.actions[s.players, column] - s.fewer_actions[who]) - 4.0 * s.frozen[who]
        score += 0.3 * min(6, pools.goods_of(s, who)) + 0.4 * min(3, int(s.token[c.MILITARY, location]))
        score += 0.3 * min(2, int(s.token[c.DIVINER, location])) + 0.01 * below(plan, 100)
        if s.plague[location] > 0 and pools.medicine_of(box, s, who) == 0:
            score -= 2.0
        if score > best_score:
            best, best_score = int(s.option[i]), score
    return best


@kernel
def decide(box: Any, s: Any, trial: Any, plan: Any) -> int:
    """One choice for whoever is asked: as planned, or planned anew."""
    op = prompt(s[0])
    if op == steps.CONSULT:
        return consult(box, s[0], plan)
    if s[0].stage != c.ST_ACTIONS or op <= steps.TAX_TO or op == steps.FIRST_PLAYER:
        return best_option(box, s, trial, plan)
    i = int(plan.at)
    if i >= plan.n or plan.trace[i, 0] != s[0].trace[0] or plan.trace[i, 1] != s[0].trace[1]:
        make_plan(box, s, trial, plan)
        i = 0
    plan.at = i + 1
    return int(plan.action[i])


@entry
def decide_many(box: Any, s: Any, trial: Any, plans: Any, out: Any) -> None:
    """A choice for each of many games."""
    for i in range(len(s)):
        out[i] = decide(box[0], s[i : i + 1], trial, plans[i])


@entry
def play_many(box: Any, s: Any, setups: Any, seeds: Any, trial: Any, plan: Any) -> None:
    """Plays whole games with every seat."""
    for i in range(len(s)):
        engine.start(box[0], s[i], setups[i], seeds[i])
        begin_plan(plan[0], seeds[i])
        while s[i].to_act >= 0:
            engine.choose(box[0], s[i], decide(box[0], s[i : i + 1], trial, plan[0]))


@kernel
def begin_plan(plan: Any, seed: int) -> None:
    """No plan yet, and a generator apart from the game's."""
    plan.n = plan.at = 0
    seed_generator(plan, seed + 0x5C21)


class Scripted:
    """The scripted team as an agent (:class:`agents.base.Agent`) and as a whole team (:class:`agents.base.Player`)."""

    name = "scripted"

    def __init__(self, game: Game, tries: int = TRIES, depth: int = DEPTH) -> None:
        self.box = game.box
        self.trial = np.zeros(1, STATE)
        self.tries, self.depth = tries, depth
        self.seed = 0
        self.plans = self._plans(0)

    def _plans(self, n: int) -> NDArray[np.void]:
        plans = np.zeros(n, PLAN)
        plans["tries"], plans["depth"] = self.tries, self.depth
        for i in range(n):
            plans["rng"][i] = np.random.SeedSequence([self.seed, i]).generate_state(4)
        return plans

    def reset(self, seed: int) -> None:
        """Forgets all plans."""
        self.seed = seed
        self.plans = self._plans(0)

    def act(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """One choice for each game: states (n,) STATE, masks int8 (n, N); returns int64 (n,)."""
        if len(states) > len(self.plans):
            self.plans = self._plans(len(states))
        out = np.zeros(len(states), np.int64)
        decide_many(self.box, states, self.trial, self.plans, out)
        return out

    def play(self, setups: Record, seeds: NDArray[np.int64]) -> Record:
        """Plays one game for each setup and seed with every seat; returns the finished states (n,)."""
        states = np.zeros(len(setups), STATE)
        play_many(self.box, states, setups, np.asarray(seeds, np.int64), self.trial, self._plans(1))
        return states
