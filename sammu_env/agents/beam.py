"""A beam of positions within a month: from action to action, those that are worth most are kept and continued.

Positions are kept apart by how many actions the month's turns have left, so that only like is compared with like: each
of those kept is continued at random, by one action with whatever is asked and done for free before it; many
continuations begin as the best one so far. Different beginnings of a month stay side by side: those who are consulted
show their worth only when they have acted.
"""

from __future__ import annotations

from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import engine, steps
from sammu_env import state as st
from sammu_env.agents import nearness
from sammu_env.agents.nearness import Nearness
from sammu_env.box import CONDITION_ROWS as ROWS
from sammu_env.box import A, Box, K, L
from sammu_env.rules import conditions, pools, resolve
from sammu_env.state import State
from tabletop.fields import Array, Records, dtype_of, f8, i2, i4, i8, shape
from tabletop.jit import kernel
from tabletop.rng import below

#: Choices from one kept position to the next: a month's end and beginning ask for most.
LONGEST = 96
#: Kept positions lie in buckets, by actions left; those of a beginning in the bucket after these.
LEFT = 18
#: A bucket keeps no more than a share of its room for what comes from one position, and from one line: all that began
#: with the same action of the month.
SHARE, SHARE_OF_LINE = 6, 4
#: A beginning is continued so many times as often: whom to consult is chosen besides the first action.
OFTENER = 4
#: The first share of a position's continuations is drawn evenly; of the others each second one begins as the best.
EVENLY = 4
#: Positions that are remembered, so that no twin is judged.
SEEN = 1 << 14
#: What :func:`continue_once` says: the game is over, or there were too many choices.
OVER, TOO_LONG = -1, -2
LOWEST = -1e9


class Slot:
    """A kept position: what it is worth, a hash of what lies where, and the node of the position before."""

    value: f8
    print: i8
    before: i8
    line: i8


class Node:
    """A position that was continued: the one before it (-1: none), the choices from there, the seed of their draws."""

    before: i4
    n: i4
    seed: i8
    action: Array[i2] = shape(LONGEST)


class Beam(Nearness):
    """Part of a search's record."""

    rng: Array[i8] = shape(4)
    width: i4  # positions in a bucket
    tries: i4  # continuations of each
    kept: Array[i4] = shape(LEFT + 2)
    floor: Array[f8] = shape(LEFT + 2)  # what is worth no more than this does not get into a full bucket
    nodes: i4
    lines: i4
    n: i4  # the continuation in hand
    action: Array[i2] = shape(LONGEST)
    seed: i8  # of its draws
    again: i4  # choices that it takes from the best one
    best_n: i4  # the best continuation of a position so far
    best: Array[i2] = shape(LONGEST)
    best_value: f8
    seen: Array[i8] = shape(SEEN)  # hashes, each at its place


SLOT, NODE = dtype_of(Slot), dtype_of(Node)


@kernel
def actions_left(s: State) -> int:
    """Actions that this month's turns have left."""
    n = 0
    for who in range(pools.PEOPLE):
        n += max(0, int(s.actions[who]))
    return min(n, LEFT - 1)


@kernel
def nobody_consulted(s: State) -> bool:
    """Whether the month's discs are all to be placed."""
    for who in range(pools.PEOPLE):
        if s.consulted[who] >= 0:
            return False
    return True


@kernel
def some_option(s: State, search: Beam, ending: bool) -> int:
    """A choice at random; turns end when no action is left, or at once where the month is to end."""
    i = below(search, s.n_options)
    if s.op[s.sp - 1] == steps.TURN:
        if ending:
            return a.DONE
        idle = s.active < 0 or s.actions[s.active] == 0
        if idle and below(search, 2) == 0:
            return a.DONE
        for _ in range(0 if idle else 2):
            if s.option[i] == a.DONE:
                i = below(search, s.n_options)
    return int(s.option[i])


@kernel
def begin_position(ways: Records[Node], nodes: Records[Node], search: Beam, k: int) -> int:
    """The node of the kept position ``k``, which is to be continued now."""
    node = int(search.nodes)
    search.nodes = node + 1
    nodes[node] = ways[k]
    search.again, search.best_n, search.best_value = 0, 0, LOWEST
    return node


@kernel
def vary(search: Beam, i: int) -> None:
    """How much the continuation ``i`` of a position takes from the best one."""
    search.again = 0
    if i >= search.tries // EVENLY and i % 2 == 1 and search.best_n > 1:
        search.again = 1 + below(search, search.best_n - 1)


@kernel
def note_best(search: Beam, v: float) -> None:
    """Remembers the continuation in hand, if it is worth more than those before."""
    if v > search.best_value:
        search.best_value, search.best_n = v, search.n
        for i in range(search.n):
            search.best[i] = search.action[i]


@kernel
def continue_once(box: Box, t: State, search: Beam, ending: bool) -> int:
    """Plays at random until an action less is left than at the first turn, a month begins or the game is over.

    Its first choices are those of the best continuation, as many as :func:`vary` says and as far as they are legal.

    Returns:
        how many actions are left, ``LEFT`` where a month begins, or ``OVER`` or ``TOO_LONG``.
    """
    month, most = int(t.month), -1
    search.n = 0
    while t.to_act >= 0:
        op = int(t.op[t.sp - 1])
        if op == steps.CONSULT or op == steps.TURN:
            left = actions_left(t)
            if t.month != month or (search.n > 0 and op == steps.CONSULT and nobody_consulted(t)):
                return LEFT
            if op == steps.TURN and left < most and not ending:
                return left
            if op == steps.TURN and most < 0:
                most = left
        if search.n == LONGEST:
            return TOO_LONG
        if search.n < search.again and engine.offered(t, int(search.best[search.n])):
            action = int(search.best[search.n])
        else:
            search.again = 0
            action = some_option(t, search, ending)
        search.action[search.n] = action
        search.n += 1
        engine.choose(box, t, action)
    return OVER


@kernel
def fingerprint(s: State) -> int:
    """A hash of what lies where and what may still be done this month, whatever the order it came about in."""
    h = int(s.month)
    for location in range(L):
        for kind in range(K):
            h = mixed(h, s.token[kind, location])
        h = mixed(h, s.enemy[location] + 32 * (s.unrest[location] + 2 * s.plague[location] + 4 * s.diplomacy[location]))
        h = mixed(h, s.technology[location])
    for area in range(A):
        h = mixed(h, s.gate[area] + 2 * s.area_karu[area] + 16 * s.area_health[area])
    for who in range(len(c.CHARACTERS)):
        h = mixed(h, s.location[who] + 64 * (s.consulted[who] + 1) + 1024 * s.actions[who])
        for good in range(pools.GOODS_N):
            h = mixed(h, s.good[who, good])
    for card in range(c.N_ASHUR):
        if s.ashur[card] >= st.HAND:
            h = mixed(h, card * 8 + s.ashur[card])
    for marker in range(len(c.MARKERS)):
        h = mixed(h, s.bag[marker])
    return mixed(h, s.seat + 8 * s.deck_n + 1024 * s.assassination)


@kernel
def mixed(h: int, x: int) -> int:
    """A hash, below 2**31, and one number more."""
    return ((h * 1000003) ^ (int(x) + 7)) & 0x7FFFFFFF


@kernel
def is_twin(search: Beam, hashed: int) -> bool:
    """Whether a position with this hash came before; if not, it is remembered."""
    place = hashed % SEEN
    twin = search.seen[place] == hashed
    search.seen[place] = hashed
    return twin


@kernel
def line_of(search: Beam, slots: Records[Slot], k: int) -> int:
    """The line of a continuation of the position ``k``; where a month begins, each continuation begins one."""
    if k < LEFT * search.width:
        return int(slots[k].line)
    search.lines += 1
    return int(search.lines)


@kernel
def judge(
    box: Box,
    states: Records[State],
    slots: Records[Slot],
    ways: Records[Node],
    search: Beam,
    t: State,
    bucket: int,
    k: int,
    before: int,
) -> None:
    """Keeps the continuation in hand of the position ``k``, whose node is ``before``, if it is worth it; no twin is."""
    hashed = fingerprint(t)
    if not is_twin(search, hashed):
        v = nearness.value(box, t, search)
        note_best(search, v)
        keep(states, slots, ways, search, t, hashed, bucket, v, k, before)


@kernel
def keep(
    states: Records[State],
    slots: Records[Slot],
    ways: Records[Node],
    search: Beam,
    t: State,
    hashed: int,
    bucket: int,
    v: float,
    k: int,
    before: int,
) -> None:
    """Puts a position into its bucket, where it is none's twin, and is better than the worst or there is room.

    It comes from the kept position ``k``, whose node is ``before``. Of the positions that come from one, and of those
    of a line, there are only some; a further one must be better than the worst of these. Where ``k`` is alone in its
    bucket, all come from it.
    """
    first, kept, width = bucket * search.width, int(search.kept[bucket]), int(search.width)
    if kept == width and v <= search.floor[bucket]:
        return
    line, alone = line_of(search, slots, k), search.kept[k // width] == 1
    worst, worst_here, here, worst_akin, akin = first, first, 0, first, 0
    for i in range(first, first + kept):
        if slots[i].print == hashed:
            worst_here, here = i, width
            break
        if slots[i].value < slots[worst].value:
            worst = i
        if slots[i].before == before and not alone:
            here += 1
            if here == 1 or slots[i].value < slots[worst_here].value:
                worst_here = i
        if slots[i].line == line:
            akin += 1
            if akin == 1 or slots[i].value < slots[worst_akin].value:
                worst_akin = i
    if here >= max(2, width // SHARE):
        worst = worst_here
    elif akin >= max(2, width // SHARE_OF_LINE):
        worst = worst_akin
    elif kept < width:
        worst = first + kept
        search.kept[bucket] = kept + 1
        slots[worst].value = v - 1.0
    else:
        search.floor[bucket] = slots[worst].value
    if v <= slots[worst].value:
        return
    states[worst] = t
    slots[worst].value = v
    slots[worst].print = hashed
    slots[worst].before = before
    slots[worst].line = line
    ways[worst].before = before
    ways[worst].n = search.n
    ways[worst].seed = search.seed
    for i in range(search.n):
        ways[worst].action[i] = search.action[i]


@kernel
def promising(box: Box, s: State) -> bool:
    """Whether the condition is met if the month ends now: gates that will stand count."""
    for row in range(ROWS):
        condition, x = int(box.condition[s.challenge, row, 0]), int(box.condition[s.challenge, row, 1])
        if condition == c.W_GATE and resolve.gate_stands(box, s, x):
            continue
        if condition == c.W_GATES or condition == c.W_ADVISORS:
            continue
        if conditions.reached(box, s, row) < conditions.needed(box, s, row):
            return False
    return True
