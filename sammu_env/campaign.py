"""Campaigns played one challenge at a time: what carries over, and what the score means (rulebook pp. 36-38).

``sammu_env.env(campaign=True)`` plays all five in one game; :func:`carry_over` is for those who choose the challenges,
or whose players change in between.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sammu_env import components, engine
from sammu_env import constants as c
from sammu_env.components import Edition
from sammu_env.rules.campaign import LAST_GAME, VERDICTS, verdict
from tabletop import record
from tabletop.boxes import is_whole, listed, whole

__all__ = ["VERDICTS", "carry_over", "is_over", "score", "verdict"]


def carry_over(
    state: NDArray[np.void],
    challenge: str,
    players: int | None = None,
    edition: Edition = None,
    leaving: Sequence[int] | None = None,
) -> NDArray[np.void]:
    """The next challenge of a campaign, begun where a finished one ended; the argument is left as it is.

    Who leaves shares the cards out and leaves the advisor as a public one; those who stay keep their order and close
    the gap. Who joins sits behind them, takes a public advisor and draws three cards.

    Args:
        state: shape (1,), dtype STATE, of a decided challenge.
        challenge: "SAM-179" to "SAM-198".
        players: 1 to 5; None: as many as stay.
        leaving: seats, from 0, of those who leave; None: nobody, or with fewer ``players`` the last ones.

    Returns:
        the state, shape (1,), at its first decision.

    Raises:
        ValueError: the challenge is not decided yet, the campaign is over, or no such challenge, number of players or
            seats; nobody stays; or those who leave and those who play on are more than five.
    """
    if not isinstance(challenge, str) or challenge not in c.CHALLENGES:
        raise ValueError(f"challenge is {challenge!r}, choose one of {', '.join(c.CHALLENGES)}")
    if players is not None:
        players = whole("players", players, c.PLAYERS)
    if state["scored"][0] == 0:
        raise ValueError("the challenge is not decided yet: play it to its end first")
    if is_over(state):
        raise ValueError("the campaign is over: after five challenges, or with Sammu-ramat or Assyria's gate lost")
    old = int(state["players"][0])
    gone = _leaving(old, players, leaving)
    players = players or old - len(gone)
    following = record.copy(state)
    bits = sum(1 << int(seat) for seat in gone)
    engine.carry(
        components.played_with(following, edition).box, following, c.CHALLENGES.index(challenge), players, bits
    )
    return following


def _leaving(old: int, players: int | None, leaving: Sequence[int] | None) -> list[int]:
    """The seats of those who leave, checked."""
    if leaving is None:
        return list(range(players or old, old))
    gone: list[Any] = list(leaving) if listed(leaving) else [leaving]
    if not all(is_whole(seat, range(old)) for seat in gone) or len(set(gone)) < len(gone):
        raise ValueError(f"leaving is {leaving!r}, choose different seats of 0 to {old - 1}")
    if len(gone) == old:
        raise ValueError(f"leaving is {leaving!r}: at least one of the {old} must stay")
    stay = old - len(gone)
    if players is not None and not stay <= players <= c.MAX_PLAYERS - len(gone):
        most = c.MAX_PLAYERS - len(gone)
        raise ValueError(f"players is {players}: {stay} stay, choose {stay} to {most}")
    return gone


def is_over(state: NDArray[np.void]) -> bool:
    """Whether no challenge follows a decided one (K1)."""
    return int(state["game"][0]) == LAST_GAME or bool(engine.fallen(state))


def score(state: NDArray[np.void]) -> int:
    """The campaign's score so far (K4)."""
    return int(state["score"][0].sum())
