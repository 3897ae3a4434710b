"""A rollout of many games as each seat saw it: whose decision, what it was paid for it, and what followed.

Between two decisions of a seat others decide, and may bring it rewards, among rivals each seat others. So what a
decision brought is what its seat was paid until it was asked again, and the next state is where that happened.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

#: In place of a seat: nobody is asked. In place of a step: the seat was not asked again.
NONE = -1


class Trajectories(NamedTuple):
    """What came of the decision in each step of each game, arrays (steps, n); nothing in steps without one."""

    seats: NDArray[np.int64]  #: whose decision it was; :data:`NONE`: nobody's, the game was over
    rewards: NDArray[np.float32]  #: what that seat was paid until its next decision, or to the end of the game
    dones: NDArray[np.bool_]  #: the game ended before that seat was asked again
    following: NDArray[np.int64]  #: the step in which it was, ``steps`` for after the last; :data:`NONE`: in none

    @property
    def known(self) -> NDArray[np.bool_]:
        """Where it is known what came of it, bool (steps, n): the seat was asked again, or the game ended."""
        return (self.following != NONE) | self.dones

    def advantages(self, values: NDArray[np.float32], gamma: float, lam: float) -> NDArray[np.float32]:
        """Generalised advantage estimation (Schulman et al. 2016) along each seat's own decisions.

        Args:
            values: float32 (steps + 1, n), of what the seat that was asked saw in each step, and after the last.
            gamma, lam: discount and lambda, for each decision of a seat.

        Returns:
            float32 (steps, n); zeros where it is not known what came of a decision.
        """
        steps, n = self.seats.shape
        if values.shape != (steps + 1, n):
            raise ValueError(f"values are {values.shape}, expected {(steps + 1, n)}: one more step than the rollout")
        games, found = np.arange(n), np.zeros((steps + 1, n), np.float32)
        for t in reversed(range(steps)):
            again, next_step = self.following[t] != NONE, self.following[t]
            td_error = self.rewards[t] + gamma * again * values[next_step, games] - values[t]
            found[t] = np.where(self.known[t], td_error + gamma * lam * again * found[next_step, games], 0)
        return found[:-1]


def by_seat(
    seats: NDArray[np.integer], rewards: NDArray[np.floating], terminated: NDArray[np.bool_], asked: NDArray[np.integer]
) -> Trajectories:
    """The trajectories of seats in what a vector environment gave, whatever its autoreset mode.

    Args:
        seats: whole numbers (steps, n), ``infos["seat"]`` before each step: from 0 to ``max_seats - 1``, or
            :data:`NONE`.
        rewards: float (steps, n, max_seats), ``infos["rewards"]`` after it.
        terminated: bool (steps, n), after it.
        asked: whole numbers (n,), ``infos["seat"]`` after the last step.

    Raises:
        ValueError: shapes that do not fit, numbers of another kind, or a seat that there is not.
    """
    seats, rewards = np.asarray(seats), np.asarray(rewards)
    terminated, asked = np.asarray(terminated), np.asarray(asked)
    shape = rewards.shape[:2]
    if rewards.ndim != 3 or not seats.shape == terminated.shape == shape or asked.shape != shape[1:]:
        raise ValueError(
            f"seats {seats.shape}, rewards {rewards.shape}, terminated {terminated.shape} and asked {asked.shape} do "
            "not fit, expected (steps, n), (steps, n, max_seats), (steps, n) and (n,)"
        )
    steps, n, max_seats = rewards.shape
    for name, given, kind, expected in (
        ("seats", seats, np.integer, "whole numbers"),
        ("rewards", rewards, np.number, "numbers"),
        ("terminated", terminated, np.bool_, "bool"),
        ("asked", asked, np.integer, "whole numbers"),
    ):
        if not np.issubdtype(given.dtype, kind):
            raise ValueError(f"{name} is {given.dtype}, expected {expected}")
    for name, some in (("seats", seats), ("asked", asked)):
        if len(wrong := some[(some < NONE) | (some >= max_seats)]):
            raise ValueError(f"{name} holds {wrong[0]}, expected {NONE} to {max_seats - 1}")
    found = Trajectories(seats.astype(np.int64), np.zeros((steps, n), np.float32), np.zeros((steps, n), np.bool_),
                         np.full((steps, n), NONE))  # fmt: skip
    # going back, of each seat: what it is paid until its next decision, when that is, and whether the game ends before
    paid, ended = np.zeros((n, max_seats)), np.zeros((n, max_seats), np.bool_)
    ahead = np.full((n, max_seats), NONE)
    running = np.flatnonzero(asked != NONE)
    ahead[running, asked[running]] = steps
    for t in reversed(range(steps)):
        over = terminated[t]
        paid[over], ended[over], ahead[over] = 0, True, NONE
        paid += rewards[t]
        games = np.flatnonzero(seats[t] != NONE)
        whose = games, seats[t, games]
        found.rewards[t, games], found.dones[t, games] = paid[whose], ended[whose]
        found.following[t, games] = ahead[whose]
        paid[whose], ended[whose], ahead[whose] = 0, False, t
    return found
