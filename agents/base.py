"""What an agent is."""

from __future__ import annotations

from typing import Any, Protocol, TypeVar, cast, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from tabletop import record
from tabletop.game import Game, Record, check_boxes

Kind = TypeVar("Kind")

#: What the attribute ``sees`` of an agent says if its choices follow from what the acting seat may know.
OBSERVATION = "observation"


class Agent(Protocol):
    """Chooses in many games at once, for the seat that each one asks. Made for one game: ``Kind(game)``.

    It gets what the acting seat may know: :func:`shown`. To look ahead, an agent copies states and reseeds the copies.

    It may have four more attributes: ``at_once``, how many games it is best handed together (agents who share games are
    handed as many as the lowest of theirs); ``card``, how it was trained (:mod:`tabletop.agents.checkpoint`);
    ``threads``, how many it uses, which may be set to fewer; and ``sees``, :data:`OBSERVATION` if nothing that the
    acting seat may not know changes its choices, as when it reads observations alone: then no secrets need be kept from
    it, which takes time.
    """

    name: str

    def reset(self, seed: int) -> None:
        """Forgets everything and starts its own generator anew."""

    def act(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """One legal choice for each game.

        Args:
            states: shape (n,), the game's state dtype; not to be written to.
            masks: int8 (n, n_actions); zeros where a game has ended, whose choice is not heeded.

        Returns:
            int64 (n,)
        """


def answers(agent: Agent, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
    """What an agent chooses, int64 (n,), as :meth:`Agent.act` takes states and masks.

    Raises:
        ValueError: it gives something else than a whole number for each game.
        RuntimeError: it raises an error that would be taken for a wrong argument of a command.
    """
    try:
        choices = np.asarray(agent.act(states, masks))
    except (ValueError, KeyError, OSError) as error:
        raise RuntimeError(f"agent {agent.name} has failed: {type(error).__name__}: {error}") from error
    if choices.shape != (len(states),) or choices.dtype.kind not in "iu":
        raise ValueError(f"agent {agent.name} chose {choices.dtype} {choices.shape}, expected a whole number for each "
                         f"of {len(states)} games: int64 {(len(states),)}")  # fmt: skip
    return choices.astype(np.int64, copy=False)


def of_threads(agent: Kind, threads: int) -> Kind:
    """An agent that uses no more threads than these."""
    if getattr(agent, "threads", 0) > threads:
        cast(Any, agent).threads = threads
    return agent


def trusted(agent: Agent) -> bool:
    """Whether an agent says that it looks at no secrets."""
    return getattr(agent, "sees", None) == OBSERVATION


def shown(game: Game, agent: Agent, states: Record, rng: np.random.Generator) -> Record:
    """What an agent is handed of states in which seats are asked: those with secrets with these drawn anew.

    So it gains nothing by looking at them (``Game.resample``); an agent that says that it does not is handed all as is.

    Args:
        states: (n,); left as they are.
        rng: draws the secrets.
    """
    return states if trusted(agent) else guessed(game, states, rng)


def guessed(game: Game, states: Record, rng: np.random.Generator) -> Record:
    """States (n,) in which seats are asked, as these could take them to be: where there are secrets, drawn anew."""
    if not len(secret := np.flatnonzero(game.secrets(states))):
        return states
    states = record.copy(states)
    for i in secret:
        record.put(states, [i], game.resample(states[i : i + 1], int(states["to_act"][i]), rng))
    return states


def observed(game: Game, states: Record) -> NDArray[np.float32]:
    """What the seats that are asked see, float32 (n, size), of states (n,)."""
    check_boxes(game, states)
    out = np.zeros((len(states), len(game.observation_low)), np.float32)
    for i in range(len(states)):
        game.observe(game.box, states[i : i + 1], int(states["to_act"][i]), out[i])
    return out


@runtime_checkable
class Judge(Protocol):
    """An agent that judges positions: reward shaping uses its potential."""

    name: str

    def potential(self, states: Record) -> NDArray[np.float32]:
        """What states (n,) are worth, finished games too: float32 (n,), from -1 to 1."""


@runtime_checkable
class Player(Protocol):
    """An agent that can also play whole games by itself in compiled code: evaluation takes the short way."""

    name: str

    def play(self, setups: Record, seeds: NDArray[np.int64]) -> Record:
        """Plays one game for each setup, shape (n,), and seed, int64 (n,), with every seat; chance answers by itself.

        Returns:
            the finished states, shape (n,), the same for the same arguments whatever was played before.
        """
