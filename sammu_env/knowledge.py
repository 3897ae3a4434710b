"""What a seat does not know, drawn anew: other worlds for agents that look ahead.

Everything lies open but the future and, with ``hidden_hands``, what the others hold. Nothing that chance has not drawn
yet is in a state, except through its generator.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sammu_env import components, engine, steps
from sammu_env import constants as c
from sammu_env import state as st
from sammu_env.components import Components, Edition
from tabletop import record
from tabletop.boxes import is_whole
from tabletop.game import SEEDS

#: Deals tried before the seat that is asked keeps the hand that the question came from.
TRIES = 8


def resample(
    state: NDArray[np.void], seat: int, rng: np.random.Generator, edition: Edition | Components = None
) -> NDArray[np.void]:
    """Another state that a seat cannot tell from this one; the argument is left as it is.

    The record's generator is reseeded, so that the true future stays unseen. With hidden hands the cards of the other
    hands and of the deck are dealt anew, as many to each as before; cards that a pending decision has shown to it stay.
    The seat's observation stays the same, and so do its options where it is asked; what others or chance may choose
    follows from the new deal.

    Args:
        state: shape (1,), dtype STATE, at a decision or at the end.
        seat: who looks, 0 to players - 1.
        rng: draws the deal and the new seed.
        edition: that of the box that is played with.

    Returns:
        the state, shape (1,).

    Raises:
        ValueError: no such seat.
    """
    players = int(state["players"][0])
    if not is_whole(seat, range(players)):
        raise ValueError(f"seat is {seat!r}, choose one of 0 to {players - 1}")
    new_seed = int(rng.integers(SEEDS))
    world = record.copy(state)
    if state["hidden_hands"][0]:
        world = _dealt(state, seat, rng, components.played_with(state, edition).box)
        _wipe(world)
    engine.reseed(world, new_seed)
    return world


def _dealt(state: NDArray[np.void], seat: int, rng: np.random.Generator, box: NDArray[np.void]) -> NDArray[np.void]:
    """A state with the unknown cards dealt anew that stops at the same question."""
    asked = int(state["to_act"][0])
    for keeper in [seat] * TRIES + [asked]:
        world = record.copy(state)
        unknown = _unknown(state, {seat, keeper})
        world["ashur"][0, unknown] = rng.permutation(np.sort(state["ashur"][0, unknown]))  # no trace of the old deal
        _offer(world, {seat, keeper}, rng)
        if asked in (seat, c.NOBODY):
            return world
        before = record.copy(world)
        engine.resume(box, world)
        if _same_question(before, world):
            return world
    return record.copy(state)


def _wipe(world: NDArray[np.void]) -> None:
    """Forgets what lies above the stack and behind the options: cards that somebody was asked for before."""
    sp, n = int(world["sp"][0]), int(world["n_options"][0])
    world["op"][0, sp:] = world["arg"][0, sp:] = world["option"][0, n:] = 0


def _unknown(state: NDArray[np.void], known: set[int]) -> NDArray[np.intp]:
    """The cards in the deck and in the hands of seats that are not ``known``, without those that these were shown."""
    at = state["ashur"][0]
    open_places = [st.DISCARD, *(st.HAND + i for i in range(c.MAX_PLAYERS) if i in known or i >= state["players"][0])]
    hidden = ~np.isin(at, open_places)
    for i in range(int(state["sp"][0])):
        if not _is_offered(state, i, known):
            hidden[state["arg"][0, i, list(steps.CARDS[int(state["op"][0, i])])]] = False
    return np.flatnonzero(hidden)


def _is_offered(state: NDArray[np.void], i: int, known: set[int]) -> bool:
    """Whether a pending step is a trade of cards between two seats that are not ``known``: only they see the offer."""
    return state["op"][0, i] == steps.CARDS_GET and known.isdisjoint(state["arg"][0, i, :2].tolist())


def _offer(world: NDArray[np.void], known: set[int], rng: np.random.Generator) -> None:
    """Cards that are offered to others are any of the hand that they come from."""
    for i in range(int(world["sp"][0])):
        if _is_offered(world, i, known):
            held = np.flatnonzero(world["ashur"][0] == st.HAND + world["arg"][0, i, 0])
            world["arg"][0, i, steps.OFFERED] = rng.choice(held)


def _same_question(state: NDArray[np.void], world: NDArray[np.void]) -> bool:
    """Whether listing the options anew left everything else as it was: nothing was decided for want of a choice."""
    n = int(state["sp"][0])
    return all(np.array_equal(state[x], world[x]) for x in ("trace", "sp", "to_act", "stage")) and all(
        np.array_equal(state[x][0, :n], world[x][0, :n]) for x in ("op", "arg")
    )
