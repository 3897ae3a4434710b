"""Random games to try the laws on: all players and challenges, campaigns, oracles, hidden hands, told draws."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from hypothesis import settings
from hypothesis import strategies as st

import sammu_env
from sammu_env import actions as a
from sammu_env import constants as c
from sammu_env import engine, steps
from sammu_env.constants import CHALLENGES
from sammu_env.state import STATE
from tabletop import jit, plays, record
from tabletop.game import Record

GAME = sammu_env.load_game()
BOX = GAME.box
#: How much is tried: every number of games or positions in these tests is a multiple of it.
SIZE = 1 if jit.DISABLED else 10
#: No game or campaign asks more often.
MOST = 6000
#: The same examples every time.
laws = settings(deadline=None, derandomize=True, database=None)


@dataclass(frozen=True)
class Way:
    """How a game is set up and walked through. ``sheltered``: help from the board keeps Assyria and the queen alive."""

    seed: int = 0
    players: int = 3
    challenge: str = "SAM-185"
    campaign: bool = False
    oracles: int = 0
    start_goods: int = 3
    advanced: bool = False
    hidden_hands: bool = False
    manual_chance: bool = False
    sheltered: bool = False

    def setup(self) -> Record:
        """The setup, shape (1,)."""
        options = asdict(self)
        told = options.pop("manual_chance")
        del options["seed"], options["sheltered"]
        setup = GAME.configure(**options)
        setup["manual_chance"] = told
        return setup

    def begin(self) -> Record:
        """The state at the first decision."""
        s = np.zeros(1, STATE)
        engine.reset(BOX, s, self.setup(), self.seed)
        return s


@st.composite
def ways(draw: st.DrawFn, **fixed: bool) -> Way:
    """Any way to set up a game; ``fixed`` are fields that are given."""
    campaign = fixed.get("campaign", draw(st.booleans()))
    players = draw(st.integers(1, 5))
    letters = [x for x in CHALLENGES if not campaign or GAME.letter(x) == "A"]
    chosen = {
        "seed": draw(st.integers(0, 2**40)),
        "players": players,
        "challenge": draw(st.sampled_from([*letters, "random"])),
        "campaign": campaign,
        "oracles": draw(st.integers(0, 3)),
        "start_goods": draw(st.integers(3, 5)),
        "advanced": campaign and players <= 3 and draw(st.booleans()),
        "hidden_hands": draw(st.booleans()),
        "manual_chance": draw(st.booleans()),
        "sheltered": draw(st.booleans()),
    }
    return Way(**{**chosen, **fixed})  # type: ignore[arg-type]


def some_ways(n: int, **fixed: bool) -> list[Way]:
    """``n`` different ways through the challenges and numbers of players; every sixth is a campaign."""
    first = [x for x in CHALLENGES if GAME.letter(x) == "A"]
    found = []
    for i in range(n):
        campaign, k = i % 6 == 5, i - i // 6
        players = 1 + (k + k // 20) % 5
        way = {
            "seed": 1000 + i,
            "players": players,
            "challenge": first[i // 6 % len(first)] if campaign else CHALLENGES[k % 20],
            "campaign": campaign,
            "oracles": i % 4,
            "advanced": campaign and players <= 3 and i % 4 == 1,
            "hidden_hands": i % 3 == 1,
            "manual_chance": i % 7 in (2, 4),
            "sheltered": i % 2 == 1,
        }
        if i % 13 == 8 and not campaign:
            way["challenge"] = "random"
        found.append(Way(**{**way, **fixed}))  # type: ignore[arg-type]
    return found


Policy = Callable[[list[int], np.random.Generator], int]


def anything(choices: list[int], rng: np.random.Generator) -> int:
    """Any legal choice."""
    return choices[rng.integers(len(choices))]


def never_done(choices: list[int], rng: np.random.Generator) -> int:
    """Never enough, while there is something else."""
    return anything([x for x in choices if x != a.DONE] or choices, rng)


def curious() -> Policy:
    """What it has chosen least often so far: so it comes to what chance seldom does."""
    chosen: Counter[int] = Counter()

    def choose(choices: list[int], rng: np.random.Generator) -> int:
        fewest = min(chosen[x] for x in choices)
        action = anything([x for x in choices if chosen[x] == fewest], rng)
        chosen[action] += 1
        return action

    return choose


def walk(way: Way, policy: Policy = anything) -> Iterator[Record]:
    """The state, shape (1,), at every decision and at the end: always the same array."""
    s, rng = way.begin(), np.random.default_rng(way.seed)
    yield s
    n = 0
    while not over(s):
        if way.sheltered and asked(s) in (steps.CONSULT, steps.TURN):
            shelter(s, rng)
            if over(s):
                yield s
                return
        assert engine.apply(BOX, s, policy(options(s), rng))
        n += 1
        assert n < MOST, f"{way} does not end"
        yield s


def stops(way: Way, every: int, first: int = 0) -> Iterator[Record]:
    """Copies of the states of a walk, one in so many decisions."""
    for n, s in enumerate(walk(way)):
        if n % every == first % every:
            yield record.copy(s)


def over(s: Record) -> bool:
    """Whether nobody is asked."""
    return int(s["to_act"][0]) == c.NOBODY


def asked(s: Record) -> int:
    """The step on top."""
    return int(s["op"][0, int(s["sp"][0]) - 1])


def options(s: Record) -> list[int]:
    """What is offered, in the state's own order."""
    choices: list[int] = s["option"][0, : int(s["n_options"][0])].tolist()
    return choices


def mask(s: Record, box: np.ndarray = BOX) -> np.ndarray:
    """The mask that the engine writes, int8[N_ACTIONS]."""
    out = np.full(a.N_ACTIONS, 7, np.int8)
    engine.legal(box, s, out)
    return out


def by_rule(s: Record, seed: int, step: int) -> int:
    """The choice of a rule that anybody can repeat."""
    return plays.by_rule(options(s), seed, step)


def play_by_rule(s: Record, seed: int, most: int = MOST) -> Record:
    """Plays on in place by the rule, to the end or for so many choices, and returns the state."""
    step = 0
    while not over(s) and step < most:
        assert engine.apply(BOX, s, by_rule(s, seed, step))
        step += 1
    assert over(s) or step < MOST, "the game does not end"
    return s


def canonical(s: Record) -> bytes:
    """The bytes that mean something: zeros above the stack and behind the options."""
    clean = record.copy(s)
    sp, n = int(s["sp"][0]), int(s["n_options"][0])
    clean["op"][0, sp:] = 0
    clean["arg"][0, sp:] = 0
    clean["option"][0, n:] = 0
    return clean.tobytes()


def differing(one: Record, other: Record) -> list[str]:
    """The fields in which two states differ, apart from what means nothing."""
    tidy = [np.frombuffer(canonical(s), STATE) for s in (one, other)]
    return record.differing(*tidy)


def shelter(s: Record, rng: np.random.Generator) -> None:
    """Sends help, so that games go on and see everything: components change places and none comes from nowhere.

    Assyria is rid of enemies, unrest and plague, the queen is at Kalhu and safe, tokens from the board found gates, and
    somebody gets goods and a technology. The options are listed anew.
    """
    one = s[0]
    home = [i for i in range(len(c.LOCATIONS)) if BOX["zone"][0, i] == c.ASSYRIA]
    one["enemy_pool"] += one["enemy"][home].sum()
    one["enemy"][home] = 0
    for marker, field in ((c.UNREST, "unrest"), (c.PLAGUE, "plague")):
        one["marker_pool"][marker] += one[field][home].sum()
        one[field][home] = 0
    one["marker_pool"][c.ASSASSINATION] += one["assassination"]
    one["assassination"] = 0
    one["location"][c.SAMMU_RAMAT] = c.KALHU
    provide(one, c.ASSYRIA, 4)
    if asked(s) == steps.CONSULT:
        provide(one, int(rng.integers(len(c.AREAS))), 1)
        endow(one, rng)
    engine.resume(BOX, s)


def provide(one: Any, area: int, n: int) -> None:
    """An area gets at least so many tokens of each kind, military and diviners in the capital, as far as there are."""
    capital = int(BOX["capital"][0, area])
    if one["enemy"][capital]:
        return
    for kind in range(len(c.KINDS)):
        place = capital if kind <= c.DIVINER else area
        more = min(max(0, n - int(one["token"][kind, place])), int(one["board"][kind]))
        one["token"][kind, place] += more
        one["board"][kind] -= more


def endow(one: Any, rng: np.random.Generator) -> None:
    """Somebody in play gets goods and a technology."""
    who = int(rng.choice(np.flatnonzero(one["status"][: c.BAILEET] == c.IN_PLAY)))
    given = np.minimum(one["good_pool"], 1)
    one["good"][who] += given
    one["good_pool"] -= given
    technology = int(rng.integers(len(c.TECHNOLOGIES)))
    if one["technology_pool"][technology]:
        one["has"][who, technology] += 1
        one["technology_pool"][technology] -= 1
