"""Whether a chance of winning is right for the very position of which it is said, not only on average.

A forecast that is calibrated on average may be wrong by as much in one position as it is in another the other way. So
positions in which a team, or a rival, is unsure are played on many times by the same network on all seats, each time
with other draws and other secrets of the others (a rollout, as backgammon programs call it; Tesauro and Galperin 1996),
and what it says is compared with how often the seat that was asked wins, or shares the win.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from tabletop import record
from tabletop.agents.base import guessed
from tabletop.agents.policy import SLOTS, Policy
from tabletop.batch import Batch
from tabletop.game import NOBODY, Record, new_state, winners
from tabletop.training.evaluate import Cell
from tabletop.training.tasks import SPLITS

LOW, HIGH = 0.2, 0.9  #: the chances between which a team is unsure
#: Rollouts begin from seeds that no game of the benchmark has.
SEED = SPLITS["test"].stop


@dataclass(frozen=True)
class Positions:
    """Where a team was unsure."""

    states: Record  #: (n,), a seat is asked in each
    said: NDArray[np.float64]  #: (n,) its chance of winning, calibrated

    def compare(self, policy: Policy, rollouts: int) -> dict[str, Any]:
        """Plays each on so many times.

        Returns:
            plain data: ``positions``, ``rollouts``, ``difference``, the mean absolute difference of what was said to
            the share of rollouts that were won; ``chance``, what that would be if all that was said were right; and
            ``bias``, the mean of said less won.
        """
        n = len(self.said)
        seeds = SEED + np.arange(n * rollouts, dtype=np.int64)
        states = record.take(self.states, np.arange(n).repeat(rollouts))
        finished = play_on(policy, guessed(policy.game, states, np.random.default_rng(SEED)), seeds)
        asked = self.states["to_act"].repeat(rollouts)
        won = winners(policy.game.results(finished))[np.arange(n * rollouts), asked].reshape(n, rollouts).mean(1)
        apart = self.said - won
        noise = np.sqrt(2 / np.pi * self.said * (1 - self.said) / rollouts)
        return {"positions": n, "rollouts": rollouts, "difference": round(float(np.abs(apart).mean()), 5),
                "chance": round(float(noise.mean()), 5), "bias": round(float(apart.mean()), 5)}  # fmt: skip


def by_position(policy: Policy, cells: Sequence[Cell], positions: int = 500, rollouts: int = 200) -> dict[str, Any]:
    """What :meth:`Positions.compare` says of positions that :func:`meet` finds; arguments and errors as there."""
    return meet(policy, cells, positions).compare(policy, rollouts)


def meet(policy: Policy, cells: Sequence[Cell], positions: int) -> Positions:
    """Positions of validation games, one of each in which the team is unsure.

    Args:
        cells: what is played, every cell alike; no campaigns, of which the team says no chance.

    Raises:
        ValueError: fewer positions than asked for were met in as many games again as should do.
    """
    found: list[Positions] = []
    for first in range(0, 8 * positions, positions):
        seeds = SPLITS["validation"].start + first + np.arange(positions, dtype=np.int64)
        setups = np.concatenate(
            [cells[i % len(cells)].setups(i // len(cells), 1) for i in range(first, first + positions)]
        )
        found.append(unsure(policy, setups, seeds))
        if sum(len(one.said) for one in found) >= positions:
            break
    else:
        raise ValueError(f"the team was unsure in {sum(len(one.said) for one in found)} of {8 * positions} games, "
                         f"expected {positions}")  # fmt: skip
    states = np.concatenate([one.states for one in found])[:positions]
    return Positions(states, np.concatenate([one.said for one in found])[:positions])


def unsure(policy: Policy, setups: Record, seeds: NDArray[np.int64]) -> Positions:
    """Of games, (n,), that the team plays: one position each, drawn from those of which it says a chance between LOW
    and HIGH; none of games that have none."""
    rng = np.random.default_rng(int(seeds[0]))
    met, said = np.zeros(len(setups), np.int64), np.zeros(len(setups))
    kept = new_state(policy.game, len(setups))

    def look(states: Record, games: NDArray[np.int64], logits: NDArray[np.float32]) -> None:
        scale, shift = policy.network.calibration.tolist()
        chances = 1 / (1 + np.exp(-(scale * logits.astype(np.float64) + shift)))
        open_ = (chances > LOW) & (chances < HIGH)
        met[games[open_]] += 1
        open_ &= rng.random(len(games)) * met[games] < 1  # one of k, when k is how many there were
        record.put(kept, games[open_], record.take(states, games[open_]))
        said[games[open_]] = chances[open_]

    _play(policy, Batch(policy.game, setups, autoreset_mode=AutoresetMode.DISABLED), seeds, None, look)
    chosen = np.flatnonzero(met)
    return Positions(record.take(kept, chosen), said[chosen])


def play_on(policy: Policy, states: Record, seeds: NDArray[np.int64]) -> Record:
    """The finished states, (n,), of games that the team plays on from positions, (n,), with seeds, int64 (n,), for the
    draws to come; the positions are left as they are."""
    done = new_state(policy.game, len(states))
    for first in range(0, len(states), SLOTS):
        part = slice(first, min(first + SLOTS, len(states)))
        setups = policy.game.configure().repeat(part.stop - first)
        batch = Batch(policy.game, setups, autoreset_mode=AutoresetMode.DISABLED)
        done[part] = _play(policy, batch, seeds[part], states[part], lambda *_: None)
    return done


def _play(policy: Policy, batch: Batch, seeds: NDArray[np.int64], states: Record | None, look: Any) -> Record:
    """Plays a batch to its end, from positions if there are any.

    Args:
        look: is told the states, (n,), which games are asked, int64 (k,), and the logits of winning, float32 (k,).
    """
    batch.reset(seeds)
    if states is not None:
        batch.place(np.arange(len(states)), states, seeds)
    actions = np.zeros(len(seeds), np.int64)
    while len(live := np.flatnonzero(batch.states["to_act"] != NOBODY)):
        actions[live], win = policy.decide_and_tell(batch, live)
        look(batch.states, live, win)
        batch.step(actions)
    return batch.states
