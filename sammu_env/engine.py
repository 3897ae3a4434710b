"""The functions of the game, and others that programs call: the machine (:mod:`tabletop.machine`) with its rules.

Programs hand over one-element record arrays (``box``: BOX, ``s``: STATE, ``how``: SETUP, each of shape (1,)).
"""

from __future__ import annotations

from typing import Any

from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import observation, steps
from sammu_env.box import Box
from sammu_env.rules import campaign, consult, markers, setup
from sammu_env.state import Setup, State
from tabletop.fields import Records
from tabletop.jit import entry, kernel
from tabletop.machine import machine_of
from tabletop.rng import seed_generator
from tabletop.steps import push


@kernel
def settle(box: Box, s: State) -> None:
    """What needs no step: a decided challenge is scored, and markers follow what lies beside them."""
    if s.result != c.RUNNING and s.scored == 0:
        campaign.close(box, s)
    markers.settle(box, s)


@kernel
def forget(s: State) -> None:
    """What the last choice brought has been paid."""
    s.reward = 0


@kernel
def weight(box: Box, s: State, action: int) -> int:
    """How many markers of a sort are in the bag."""
    return int(s.bag[action - a.MARKER])


machine = machine_of(
    steps.TABLE, "sammu_env.rules", a.START, settle=settle, forget=forget, weighted=[steps.DRAW_MARKER], weight=weight
)
#: For those who look ahead: see :class:`tabletop.machine.Machine`.
choose, offered = machine.choose, machine.offered


@kernel
def start(box: Box, s: State, how: Setup, seed: int) -> None:
    """Sets up a game and runs to its first decision."""
    setup.begin(box, s, how, seed)
    machine.advance(box, s)


# Entry points: ``box`` holds every box that is played with, shape (boxes,), and a state says which is its own


@entry
def reset(box: Records[Box], s: Records[State], how: Records[Setup], seed: int) -> None:
    """Sets up a game: ``how`` is a SETUP record array (1,), ``seed`` any int64; ``s`` is overwritten."""
    start(box[how[0].box], s[0], how[0], seed)


@entry
def apply(box: Records[Box], s: Records[State], action: int) -> bool:
    """Makes a choice and runs to the next decision. False, and nothing changed, where it is not legal."""
    return machine.choose(box[s[0].box], s[0], action)


@entry
def answer(box: Records[Box], s: Records[State], action: int) -> bool:
    """As :func:`apply`, but what follows is not run: :func:`step` does, turn by turn."""
    return machine.accept(box[s[0].box], s[0], action)


@entry
def step(box: Records[Box], s: Records[State]) -> bool:
    """One turn of what :func:`apply` runs on with. False, and nothing changed: somebody is asked, or it is over."""
    return machine.step(box[s[0].box], s[0])


@entry
def legal(box: Records[Box], s: Records[State], mask: Any) -> None:
    """Writes ``mask`` (int8[N_ACTIONS]): 1 exactly where :func:`apply` accepts."""
    machine.legal(s[0], mask)


@entry
def actions_a_month(box: Records[Box], s: Records[State], who: int) -> int:
    """What a character who is consulted has for the month."""
    return consult.actions_a_month(box[s[0].box], s[0], who)


@entry
def weights(box: Records[Box], s: Records[State], out: Any) -> None:
    """Writes ``out`` (float64[N_ACTIONS]): probabilities of the chance outcomes where chance is to act, else zeros."""
    machine.weights(box[s[0].box], s[0], out)


@entry
def sample(box: Records[Box], s: Records[State]) -> int:
    """A chance outcome by the record's own generator. Only where chance is to act."""
    return machine.sample(box[s[0].box], s[0])


@entry
def observe(box: Records[Box], s: Records[State], seat: int, out: Any) -> None:
    """Writes what a seat sees over ``out`` (float32[observation.SIZE])."""
    observation.write(box[s[0].box], s[0], seat, out)


@entry
def rewards(box: Records[Box], s: Records[State], out: Any) -> None:
    """Writes ``out`` (float64[players at least]): what the last choice paid, every seat alike."""
    out[:] = 0.0
    for seat in range(s[0].players):
        out[seat] = s[0].reward


@entry
def empty(box: Records[Box], s: Records[State], how: Records[Setup]) -> None:
    """An empty table for a position: every component in its pool, the options of ``how`` noted."""
    setup.fill(box[how[0].box], s[0])
    setup.note(s[0], how[0])


@entry
def resume(box: Records[Box], s: Records[State]) -> None:
    """Runs a state put together by hand to its next decision."""
    machine.advance(box[s[0].box], s[0])


@entry
def carry(box: Records[Box], s: Records[State], challenge: int, players: int, leaving: int) -> None:
    """K2, K3: a decided challenge is followed by another, with so many players; ``leaving``: seats, as bits."""
    s[0].sp = 0
    push(s[0], steps.HALT)
    push(s[0], steps.CARRY_OVER)
    s[0].next_challenge = challenge
    if players != s[0].players or leaving > 0:
        campaign.change_players(s[0], players, leaving)
    machine.advance(box[s[0].box], s[0])


@entry
def fallen(s: Records[State]) -> bool:
    """K1: whether a decided challenge ends a campaign."""
    return campaign.fallen(s[0])


@entry
def reseed(s: Records[State], seed: int) -> None:
    """Gives a copy another future: who looks ahead must not see the true one."""
    seed_generator(s[0], seed)
