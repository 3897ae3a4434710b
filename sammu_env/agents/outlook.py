"""What a position is worth to the planner, on futures drawn anew: no search looks at the true draws."""

from __future__ import annotations

from sammu_env import constants as c
from sammu_env.agents import nearness
from sammu_env.agents.beam import Beam, continue_once
from sammu_env.box import Box
from sammu_env.rules import campaign
from sammu_env.state import State
from tabletop.fields import Records, i4, i8
from tabletop.jit import kernel
from tabletop.rng import below, seed_generator

#: What a challenge that is won is worth; and in a campaign a challenge, where the score pays for it, and each point.
WON, CHALLENGE, POINT = 1000.0, 100.0, 8.0


class Outlook(Beam):
    """Part of a search's record."""

    game: i4
    futures: i4
    looks: i4
    future: i8  # the seed of the first future that plans are compared on


@kernel
def worth(box: Box, s: State, search: Outlook) -> float:
    """What a position is worth; in a campaign, after the challenge that is planned for, also what it leaves behind."""
    if s.campaign > 0 and (s.game > search.game or s.scored > 0) and not campaign.fallen(s):
        v = POINT * s.score[search.game] + (CHALLENGE if s.game_result[search.game] == c.WON else 0.0)
        return v + nearness.value(box, s, search) if s.game > search.game else v
    if s.result != c.RUNNING:
        return WON if s.result == c.WON else -WON
    return nearness.value(box, s, search)


@kernel
def draw_anew(target: Records[State], source: State, search: Outlook) -> None:
    """A copy with a future of its own, whose seed is noted."""
    search.seed = below(search, 1 << 30)
    look_ahead(target, source, search.seed)


@kernel
def look_ahead(target: Records[State], source: State, future: int) -> None:
    """A copy with the future of a seed."""
    target[0] = source
    target[0].manual_chance = 0
    seed_generator(target[0], future)


@kernel
def at_months_end(box: Box, s: State, trial: Records[State], search: Outlook) -> float:
    """What a position is worth on average at the end of its month, if no more is done in it."""
    total = 0.0
    for i in range(search.futures):
        look_ahead(trial, s, search.future + i)
        continue_once(box, trial[0], search, True)
        total += worth(box, trial[0], search)
    return total / search.futures
