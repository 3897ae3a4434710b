"""The machine: runs pending steps until somebody must choose. The five functions of the game are at the end.

Programs hand over one-element record arrays (``box``: BOX, ``s``: STATE, ``setup``: SETUP, each of shape (1,)).
"""

from __future__ import annotations

from typing import Any

from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import dispatch, observation, steps
from sammu_env.rules import campaign, markers, setup
from tabletop.jit import entry, kernel
from tabletop.rng import below, seed_generator
from tabletop.steps import pop, push, top

MASK31 = 0x7FFFFFFF


@kernel
def take(box: Any, s: Any, action: int) -> None:
    """The prompt on top is answered, and its options are gone."""
    s.n_options = 0
    s.trace[0] = (s.trace[0] * 16777619 + action + 1) & MASK31
    s.trace[1] = (s.trace[1] * 1000003 ^ (action + 7)) & MASK31
    dispatch.answer(box, s, int(s.op[s.sp - 1]), action)


@kernel
def asked(s: Any, op: int) -> int:
    """The seat that answers: the one the step names, else whose turn it is."""
    if op <= steps.LAST_CHANCE:
        return c.CHANCE
    return top(s, steps.ASKED[op]) if steps.ASKED[op] >= 0 else int(s.seat)


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
def turn(box: Any, s: Any) -> bool:
    """The step on top runs, once; a single option is no choice and is taken. False: the machine stops here."""
    if s.result != c.RUNNING and s.scored == 0:
        campaign.close(box, s)
    markers.settle(box, s)
    op = int(s.op[s.sp - 1])
    s.n_options = 0
    if op == steps.HALT:
        s.to_act = c.NOBODY
        return False
    if op > steps.LAST_PROMPT:
        dispatch.run(box, s, op)
        return True
    sp = int(s.sp)
    dispatch.ask(box, s, op)
    if s.n_options == 0:
        if s.sp == sp:
            pop(s)
    elif s.n_options == 1:
        take(box, s, s.option[0])
    elif op <= steps.LAST_CHANCE and s.manual_chance == 0:
        take(box, s, sample_chance(s))
    else:
        s.to_act = asked(s, op)
        return False
    return True


@kernel
def advance(box: Any, s: Any) -> None:
    """Runs steps until somebody has a choice to make."""
    while turn(box, s):
        pass


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
def accept(box: Any, s: Any, action: int) -> bool:
    """Makes a choice, if it is offered, and runs nothing that follows."""
    if s.to_act == c.NOBODY or not offered(s, action):
        return False
    s.reward = 0
    s.decisions += 1 if s.to_act >= 0 else 0
    take(box, s, action)
    return True


@kernel
def choose(box: Any, s: Any, action: int) -> bool:
    """Makes a choice, if it is offered, and runs to the next decision."""
    if not accept(box, s, action):
        return False
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
def answer(box: Any, s: Any, action: int) -> bool:
    """As :func:`apply`, but what follows is not run: :func:`step` does, turn by turn."""
    return accept(box[s[0].box], s[0], action)


@entry
def step(box: Any, s: Any) -> bool:
    """One turn of what :func:`apply` runs on with. False, and nothing changed: somebody is asked, or it is over."""
    if s[0].to_act == c.NOBODY or s[0].n_options > 0:
        return False
    turn(box[s[0].box], s[0])
    return True


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
