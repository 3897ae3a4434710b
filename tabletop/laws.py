"""The laws that every game keeps.

A law is a function of the positions of a game, of a game, or of all games together, and yields what breaks it: nothing,
where it is kept. So each of them says in a few lines what every game promises. :mod:`tabletop.conformance` holds them.
"""

from __future__ import annotations

import hashlib
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from tabletop import log as logs
from tabletop import record
from tabletop.aec import AEC
from tabletop.batch import Batch
from tabletop.game import (
    CHANCE,
    CONTENTS_LIMIT,
    DRAWN,
    LOST,
    NOBODY,
    RUNNING,
    WON,
    Game,
    Record,
    Results,
    named,
    refusal,
)
from tabletop.games import extra
from tabletop.log import Log, Match, replay
from tabletop.observation import outside
from tabletop.plays import Play, Position, begun, mask_of, play_by_rule, said_to, seen_by, views_of
from tabletop.single import Single

#: Choices of a game that are taken back.
UNDONE = 8
#: Numbers that are no choices of a catalogue, besides its size and the one after it.
WRONG = (-1, -(2**40), 2**31, 2**40)
#: A number of what is hidden is to be drawn anew at least once if it is not as usual so often.
OFTEN = 20
#: Standard errors by which what chance draws is never off.
UNLIKELY = 7.0

#: The dtype of each part of the results.
RESULTS = {"result": np.int8, "place": np.int8, "score": np.float64}

Law = Callable[[Any], Iterator[Any]]


# Laws of a position: what they yield is the problem


def bounds(p: Position) -> Iterator[str]:
    """Every number of an observation is written, and within the bounds that the game declares."""
    low, high = p.game.observation_low, p.game.observation_high
    for seat in p.seats:
        seen = seen_by(p.game, p.s, seat)
        if wrong := outside(seen, low, high):
            i = wrong[0]
            yield f"number {i} of what seat {seat} sees is {seen[i]}, not {low[i]} to {high[i]}"


def mask(p: Position) -> Iterator[str]:
    """The mask has 1 for exactly what ``apply`` accepts, by trial of the whole catalogue, and 0 for all else."""
    marked, twin = mask_of(p.game, p.s), record.copy(p.s)
    for action in range(p.game.n_actions):
        accepted = bool(p.game.apply(p.game.box, twin, action))
        if marked[action] != int(accepted):
            yield f"apply returns {accepted} for {named(p.game, p.s, action)}, its mask is {marked[action]}"
        record.put(twin, slice(None), p.s)
    if (p.asked != NOBODY) != marked.any():
        yield f"{marked.sum()} choices while {p.asked} is to act"


def refusals(p: Position) -> Iterator[str]:
    """What is illegal is refused in words and changes no byte, also numbers that are in no catalogue."""
    marked, twin, before = mask_of(p.game, p.s), record.copy(p.s), p.s.tobytes()
    illegal = [*np.flatnonzero(marked == 0).tolist(), p.game.n_actions, p.game.n_actions + 1, *WRONG]
    for action in illegal:
        if p.game.apply(p.game.box, twin, action):
            yield f"apply accepts {named(p.game, p.s, action)}, which is illegal"
        if twin.tobytes() != before:
            yield f"refusing {named(p.game, p.s, action)} changes {_differing(twin, p.s)}"
    if str(illegal[0]) not in refusal(p.game, p.s, illegal[0]):
        yield f"the refusal of {illegal[0]} does not name it"


def looking(p: Position) -> Iterator[str]:
    """To look changes no byte: mask, weights, observations, rewards, what is hidden, words and pictures."""
    game, before = p.game, p.s.tobytes()
    looks: dict[str, Callable[[], Any]] = {
        "legal": lambda: mask_of(game, p.s),
        "weights": lambda: game.weights(game.box, p.s, np.zeros(game.n_actions)),
        "observe": lambda: [seen_by(game, p.s, seat) for seat in p.seats],
        "rewards": lambda: game.rewards(game.box, p.s, np.zeros(game.max_seats)),
        "hidden": lambda: game.hidden(p.s),
        "resample": lambda: list(p.worlds()),
        "question, words or describe": lambda: said_to(game, p.s, None, p.choices, p.lang),
        "results": lambda: p.asked == NOBODY and game.results(p.s),
    }
    looks |= {f"render {mode}": partial(game.render, p.s, mode) for mode in game.render_modes}
    for name, look in looks.items():
        look()
        if p.s.tobytes() != before:
            yield f"{name} changes the state"


def chance(p: Position) -> Iterator[str]:
    """Weights are positive for exactly the outcomes that may come, else zero; ``sample`` draws one of them, and only
    the generator moves."""
    weights, twin = np.full(p.game.n_actions, np.nan), record.copy(p.s)
    p.game.weights(p.game.box, p.s, weights)
    outcomes = p.choices if p.asked == CHANCE else []
    if not np.isfinite(weights).all() or (weights < 0).any():
        yield f"the weights are not all finite numbers from 0 on: {weights[~(weights >= 0)][:3]}"
    if np.flatnonzero(weights).tolist() != outcomes:
        yield f"outcomes {np.flatnonzero(weights).tolist()} have weight, {outcomes} may come"
    if outcomes:
        if (drawn := int(p.game.sample(p.game.box, twin))) not in outcomes:
            yield f"sample draws {drawn}, which is none of the outcomes {outcomes}"
        if changed := set(record.differing(p.s, twin)) - {"rng"}:
            yield f"sample changes {', '.join(sorted(changed))}"


def words(p: Position) -> Iterator[str]:
    """Everything has words, no two choices the same, and what it is about a group."""
    said = [p.game.words(p.s, action, p.lang) for action in p.choices]
    if double := [text for text in said if said.count(text) > 1]:
        yield f"two choices are called {double[0]!r}"
    if not all([*said_to(p.game, p.s, None, (), p.lang), *said, *map(p.game.group, p.choices)]):
        yield "a question, description, choice or group has no words"


def strangers(p: Position) -> Iterator[str]:
    """Nothing is said, shown or drawn for a seat that there is not: it is a ValueError."""
    game, rng = p.game, np.random.default_rng(0)
    for seat in (-1, len(p.seats), None):
        asked: dict[str, Callable[[], Any]] = {"resample": partial(game.resample, p.s, cast(int, seat), rng)}
        if seat is not None:  # whom everything else takes for an onlooker
            asked |= {
                "question": partial(game.question, p.s, seat=seat),
                "describe": partial(game.describe, p.s, seat=seat),
                "words": partial(game.words, p.s, 0, seat=seat),
            }
            asked |= {f"render {mode}": partial(game.render, p.s, mode, seat=seat) for mode in game.render_modes}
        for name, ask in asked.items():
            try:
                ask()
                yield f"{name} takes seat {seat} of {len(p.seats)}"
            except ValueError:
                pass


def copies(p: Position) -> Iterator[str]:
    """A copy goes on as the state itself does, wherever in memory it lies; the state stays as it was."""
    twins, before = record.take(p.s, [0, 0, 0]), p.s.tobytes()
    one = play_by_rule(p.game, record.copy(p.s), seed=p.seed)
    two = play_by_rule(p.game, twins[1:2], seed=p.seed)
    if one.tobytes() != two.tobytes():
        yield f"a copy that plays on differs in {_differing(one, two)}"
    if before != p.s.tobytes() or before != twins[:1].tobytes() or before != twins[2:].tobytes():
        yield "playing a copy changes another state"


def saves(p: Position) -> Iterator[str]:
    """A state comes back from JSON with every byte, and goes on as it would have."""
    again = record.from_dict(json.loads(json.dumps(record.to_dict(p.s))), p.game.state)
    if again.tobytes() != p.s.tobytes():
        yield f"a saved state differs in {_differing(again, p.s)}"
    one, two = (play_by_rule(p.game, s, seed=p.seed) for s in (again, record.copy(p.s)))
    if one.tobytes() != two.tobytes():
        yield "a saved state plays on differently"


def secrets(p: Position) -> Iterator[str]:
    """Whatever a seat may not know is drawn anew: it sees, is told and is advised the same, and may choose the same."""
    secret = bool(p.game.secrets(p.s)[0])
    for seat, world in p.worlds():
        if np.array_equal(world["rng"], p.s["rng"]):
            yield f"seat {seat} is given the generator: it knows the future"
        if not secret and (changed := set(record.differing(p.s, world)) - {"rng"}):
            yield f"the game says that it has no secrets, but draws {', '.join(sorted(changed))} anew"
        if seen_by(p.game, world, seat).tobytes() != seen_by(p.game, p.s, seat).tobytes():
            yield f"what seat {seat} sees gives away what it may not know"
        told = [said_to(p.game, s, seat, p.choices, p.lang) for s in (p.s, world)]
        for this, other in zip(*told, strict=True):
            if this != other:
                yield f"seat {seat} is told {this!r}, or {other!r} for other secrets"
        if seat == p.asked:
            if mask_of(p.game, world).tolist() != mask_of(p.game, p.s).tolist():
                yield f"what seat {seat} may choose follows from what it may not know"
            wrong = next((action for action in range(p.game.n_actions) if action not in p.choices), p.game.n_actions)
            if refusal(p.game, world, wrong) != refusal(p.game, p.s, wrong):
                yield f"a refusal gives away to seat {seat} what it may not know"
            if p.advise is not None and p.advise(record.copy(world)) != p.advise(record.copy(p.s)):
                yield f"advice gives away to seat {seat} what it may not know"


def traces(p: Position) -> Iterator[str]:
    """What is drawn anew for a seat shows no trace of what was there: from all states that the seat cannot tell apart
    the same draws lead to the same one."""
    for seat, world in p.worlds():
        this, other = (p.game.resample(s, seat, np.random.default_rng([abs(p.seed), 0, 1])) for s in (p.s, world))
        if np.array_equal(this["rng"], world["rng"]):
            yield f"whatever is drawn anew for seat {seat}, the generator is the same one"
        if changed := record.differing(this, other):
            yield f"what is drawn anew for seat {seat} follows in {', '.join(changed)} from what it may not know"


def pictures(p: Position) -> Iterator[str]:
    """Pictures are of the kind that their mode promises, and show a seat nothing that it may not know."""
    for mode in p.game.render_modes:
        picture = p.game.render(p.s, mode)
        fits = isinstance(picture, str) and len(picture) > 0
        if mode == "rgb_array":
            fits = isinstance(picture, np.ndarray) and picture.dtype == np.uint8 and picture.shape[2:] == (3,)
        if not fits:
            yield f"the picture {mode} is {type(picture).__name__}"
        for seat, world in p.worlds():
            this, other = (p.game.render(s, mode, p.lang, seat) for s in (p.s, world))
            if not np.array_equal(this, other):
                yield f"the picture {mode} gives away to seat {seat} what it may not know"


# Laws of a game: what they yield is the step, or None, and the problem


def ends(one: Play) -> Iterator[tuple[int, str]]:
    """Every game comes to its end within the choices that it declares; until then there is always one."""
    if len(one.choices) > one.game.max_decisions:
        yield len(one.log.entries), f"{len(one.choices)} choices, max_decisions is {one.game.max_decisions}"
    last = one.states[-1]
    if one.refused is not None:
        yield len(one.log.entries), f"apply refuses {named(one.game, last, one.refused)}, which the mask offers"
    if not one.over:
        yield len(one.log.entries), f"the game does not end: {int(last['to_act'][0])} is to act"


def resets(one: Play) -> Iterator[tuple[int, str]]:
    """A game begins as its seed says, whatever its record held before; another seed is another future."""
    used, fresh = record.copy(one.states[-1]), begun(one.game, one.setup, one.seed)
    one.game.reset(one.game.box, used, one.setup.copy(), one.seed)
    if used.tobytes() != fresh.tobytes():
        yield 0, f"a game that begins in the record of another differs in {_differing(used, fresh)}"
    if np.array_equal(begun(one.game, one.setup, one.seed + 1)["rng"], fresh["rng"]):
        yield 0, f"the seeds {one.seed} and {one.seed + 1} begin with the same generator"
    if not np.array_equal(one.game.override(one.setup, {}), one.setup):
        yield 0, "override without options gives another setup"


def states(one: Play) -> Iterator[tuple[int, str]]:
    """A state keeps what every game's state has, and the bounds that the game declares; each choice leaves a trace."""
    game, seats = one.game, one.game.seats(one.setup)
    declared = {"to_act": (NOBODY, seats - 1), "cause": (0, len(game.causes) - 1), "manual_chance": (1, 1)}
    declared |= {"box": (int(one.setup["box"][0]),) * 2}
    for step, s in enumerate(one.states):
        for name, (least, most) in {**game.state_bounds, **declared}.items():
            if s[name].size and not (least <= s[name].min() and s[name].max() <= most):
                yield step, f"{name} is {s[name][0].tolist()}, not {least} to {most}"
        if game.seats(s) != seats:
            yield step, f"there are {game.seats(s)} seats, {seats} began"
        if s["decisions"][0] != sum(actor != CHANCE for actor, _ in one.log.entries[:step]):
            yield step, f"decisions is {s['decisions'][0]}, which does not count the choices"
        if step and np.array_equal(s["trace"], one.states[step - 1]["trace"]):
            yield step, "trace stays as it was before the last choice"


def draws(one: Play) -> Iterator[tuple[int, str]]:
    """Where chance is told nothing is drawn otherwise: games of all seeds begin alike, and a choice or an outcome
    leaves the generator as it is."""
    this, other = (begun(one.game, one.setup, one.seed + more, told=True) for more in (0, 1))
    if drawn := set(record.differing(this, other)) - {"rng"}:
        yield 0, f"reset draws {', '.join(sorted(drawn))}, which nobody is told"
    for step, (actor, action) in enumerate(one.log.entries):
        before = record.copy(one.states[step])
        if actor == CHANCE:
            one.game.sample(one.game.box, before)
        if not np.array_equal(before["rng"], one.states[step + 1]["rng"]):
            yield step, f"apply draws something after {named(one.game, one.states[step], action)}, which nobody is told"


def boxes(one: Play) -> Iterator[tuple[int, str]]:
    """A game with several boxes plays each as one that has no other."""
    game, box = one.game, int(one.setup["box"][0])
    if not box:
        return
    alone, setup, s = game.box[box : box + 1], one.setup.copy(), record.copy(one.states[0])
    setup["box"], setup["manual_chance"] = 0, 1
    game.reset(alone, s, setup, one.seed)
    for step, then in enumerate(one.states):
        if step:
            s["rng"] = one.states[step]["rng"]  # what chance has drawn is told
            game.apply(alone, s, one.log.entries[step - 1][1])
        if differ := set(record.differing(s, then)) - {"box"}:
            yield step, f"box {box} by itself plays otherwise: {', '.join(sorted(differ))} differ"
        seen = np.zeros(len(game.observation_low), np.float32)
        for seat in range(game.seats(one.setup)):
            game.observe(alone, s, seat, seen)
            if not np.array_equal(seen, seen_by(game, then, seat)):
                yield step, f"what seat {seat} sees of box {box} is something else where that is by itself"


def replays(one: Play) -> Iterator[tuple[int, str]]:
    """A log, also one that was written to JSON, leads through the same states to the same trace; and so does the game
    in which chance answers by itself."""
    log = Log.from_dict(json.loads(json.dumps(one.log.to_dict())))
    for step, (s, before) in enumerate(zip(logs.states(one.game, log), one.states, strict=True)):
        if s.tobytes() != before.tobytes():
            yield step, f"the replay differs in {_differing(s, before)}"
    replay(one.game, log)
    for step, s in one.alone():
        told = one.states[step]
        if logs.trace(s) != logs.trace(told) or views_of(one.game, s) != views_of(one.game, told):
            yield step, "the game is another where chance answers by itself"
    if logs.trace(s) != one.log.trace:
        yield step, "the game is another where chance answers by itself"


def undo(one: Play) -> Iterator[tuple[int, str]]:
    """Undo restores every byte, the generator too, also of outcomes that were told."""
    for manual in (False, True):
        match, last = Match(one.game, one.setup, one.seed, manual_chance=manual), len(one.log.entries)
        stops = set(np.linspace(0, max(0, last - 1), UNDONE, dtype=int).tolist())
        for step, (actor, action) in enumerate(one.log.entries):
            if not manual and actor == CHANCE:
                continue
            stood, entries = match.s.tobytes(), list(match.log.entries)
            match.act(action)
            if step in stops:
                went = match.s.tobytes()
                if not match.undo() or match.s.tobytes() != stood or match.log.entries != entries:
                    yield step, f"undo of {named(one.game, match.s, action)} does not restore what stood"
                match.act(action)
                if match.s.tobytes() != went:
                    yield step, f"{named(one.game, match.s, action)} after undo goes elsewhere"


def apart(one: Play) -> Iterator[tuple[int, str]]:
    """Two games in one process do not touch each other, nor do a game and its copy for another worker."""
    other: Game = pickle.loads(pickle.dumps(one.game))
    beside = begun(other, one.setup, one.seed + 1)
    for step, s in enumerate(logs.states(one.game, one.log)):
        if s.tobytes() != one.states[step].tobytes():
            yield step, f"another game beside it changes {_differing(s, one.states[step])}"
        if int(play_by_rule(other, beside, 1, step)["to_act"][0]) == NOBODY:
            beside = begun(other, one.setup, one.seed + step)


def rewards(one: Play) -> Iterator[tuple[int, str]]:
    """Every seat is paid the same by PettingZoo, Gymnasium and the log's replay; who is not there is paid nothing; in a
    team all are paid alike."""
    game, payments = one.game, one.payments
    if not np.isfinite(one.paid).all() or one.paid[:, game.seats(one.setup) :].any():
        yield 0, "a reward is no finite number, or a seat that is not there is paid"
    if game.team and np.ptp(one.paid[:, : game.seats(one.setup)], axis=1).any():
        yield 0, "the game says that it is played by a team, and pays its seats differently"
    if not np.allclose(payments.sum(0), one.paid.sum(0)) or not np.allclose(logs.rewards(game, one.log), one.paid):
        yield 0, "something is paid before the first choice, or replays pay differently"
    env, single = AEC(game, one.setup), Single(game, one.setup)
    env.reset(seed=one.seed)
    single.reset(seed=one.seed)
    told = np.zeros(game.max_seats)
    for step, action, paid in zip(one.asking, one.choices, payments, strict=True):
        told[env.possible_agents.index(env.agent_selection)] += env.last(observe=False)[1]
        env.step(action)
        if not np.allclose([env.rewards[agent] for agent in env.possible_agents], paid[: len(env.possible_agents)]):
            yield step, f"PettingZoo pays {env.rewards}, the log {paid}"
        _, reward, terminated, _, info = single.step(action)
        if not np.allclose(info["rewards"], paid) or not np.isclose(reward, paid[0]):
            yield step, f"Gymnasium pays {info['rewards']}, the log {paid}"
    for agent in env.agent_iter(game.max_seats) if one.over else ():
        told[env.possible_agents.index(agent)] += env.last(observe=False)[1]
        env.step(None)
    if one.over and not (terminated and np.allclose(told, one.paid.sum(0))):
        yield len(one.log.entries), f"agents are told of {told} in all, the log pays {one.paid.sum(0)}"


def zero_sum(one: Play) -> Iterator[tuple[int, str]]:
    """Where the game says so, what some seats are paid the others pay."""
    for step, paid in enumerate(one.paid if one.game.zero_sum else ()):
        if not np.isclose(paid.sum(), 0):
            yield step, f"the rewards {paid} do not sum to 0"


def results(one: Play) -> Iterator[tuple[int, str]]:
    """The result, place and score of every seat agree with one another and with what it was paid."""
    step, seats = len(one.log.entries), one.game.seats(one.setup)
    game = one.game
    if not one.over:
        return
    ended = game.results(one.states[-1])
    for name in Results._fields:
        part: NDArray[Any] = getattr(ended, name)
        if part.shape != (1, game.max_seats) or part.dtype != RESULTS[name]:
            yield step, f"{name} of the results is {part.dtype} {part.shape}, not {RESULTS[name]} (1, {game.max_seats})"
    result, place, score = (part[0] for part in ended)
    returns, absent = one.paid.sum(0), slice(seats, None)
    if result[absent].any() or place[absent].any() or score[absent].any():
        yield step, "a seat that is not there has a result, place or score"
    if game.team and ((result[:seats] != result[0]).any() or (place[:seats] != 1).any()):
        yield step, f"the game says that it is played by a team, the results of its seats are {result[:seats]}"
    for seat in range(seats):
        if result[seat] not in (WON, LOST, DRAWN):
            yield step, f"the result of seat {seat} is {result[seat]}"
        if place[seat] != 1 + (place[:seats] < place[seat]).sum():
            yield step, f"the places {place[:seats]} are no ranking"
        if result[seat] in (WON, DRAWN) and place[seat] != 1:
            yield step, f"seat {seat} has not lost and is in place {place[seat]}"
        for other in np.flatnonzero(place[:seats] == place[seat]):
            if result[other] != result[seat]:
                yield step, f"seats {seat} and {other} share a place, their results are {result[[seat, other]]}"
            if not np.isclose(returns[other], returns[seat]):
                yield step, f"seats {seat} and {other} share a place, they were paid {returns[[seat, other]]}"
        for other in np.flatnonzero(place[:seats] > place[seat]):
            if score[other] > score[seat]:
                yield step, f"seat {seat} is before seat {other}, their scores are {score[[seat, other]]}"
            if returns[other] > returns[seat] or (
                {result[seat], result[other]} == {WON, LOST} and returns[other] == returns[seat]
            ):
                yield step, f"seat {seat} is before seat {other}, they were paid {returns[[seat, other]]}"


# Laws of all games: what they yield is the seed and the step, or None, and the problem


def contents(plays: Sequence[Play]) -> Iterator[tuple[int | None, int | None, str]]:
    """What choices do in each box, and which parts of an observation count them, has the declared shape and range."""
    game, size = plays[0].game, len(plays[0].game.observation_low)
    does, n = game.contents, (len(game.box), game.n_actions)
    if does.ndim != 3 or does.shape[:2] != n or does.dtype != np.float32:
        yield None, None, f"contents is {does.dtype} {does.shape}, not float32 ({n[0]}, {n[1]}, features)"
    if not (np.abs(does) <= CONTENTS_LIMIT).all():
        yield None, None, f"contents holds a number that is not within {CONTENTS_LIMIT}"
    for part, first, many in game.content_sets:
        if not (0 <= part.start < part.stop <= size and part.step in (None, 1)):
            yield None, None, f"content_sets has {part}, which is no part of an observation of {size} numbers"
        if not (many > 0 and 0 <= first <= first + many <= game.n_actions):
            yield None, None, f"content_sets has {many} choices from {first} on, there are {game.n_actions}"
        if (part.stop - part.start) % many:
            yield None, None, f"content_sets has {part}, which does not count {many} things a number of times"
    about, actions = extra(game, "about"), game.n_actions
    if about is not None and (about.ndim != 2 or len(about) != actions or about.dtype != np.int64):
        yield None, None, f"about is {about.dtype} {about.shape}, not int64 ({actions}, columns)"
    elif about is not None and not ((about >= 0) & (about <= size)).all():
        yield None, None, f"about names a number that an observation of {size} has not"
    if len(game.hashes) != len(game.box):
        yield None, None, f"there are {len(game.hashes)} hashes of {len(game.box)} boxes"
    if not (isinstance(game.layout, str) and isinstance(game.edition, str)):
        yield None, None, "layout or edition is no str"


def batches(plays: Sequence[Play]) -> Iterator[tuple[int | None, int | None, str]]:
    """Games of a batch show, pay and end as they do alone."""
    plays = [one for one in plays if one.over]
    if not plays:
        return
    game, ended = plays[0].game, 0
    batch = Batch(game, np.concatenate([one.setup for one in plays]), autoreset_mode="Disabled", threads=1)
    out = batch.reset(np.array([one.seed for one in plays]))
    for n in range(max(len(one.choices) for one in plays)):
        going = [n < len(one.choices) for one in plays]
        for i in np.flatnonzero(going):
            s = plays[i].states[plays[i].asking[n]]
            seen = seen_by(game, s, int(s["to_act"][0]))
            if out.masks[i].tolist() != mask_of(game, s).tolist() or out.observations[i].tobytes() != seen.tobytes():
                yield plays[i].seed, plays[i].asking[n], "the batch shows something else"
        out = batch.step(np.array([one.choices[n] if on else 0 for one, on in zip(plays, going, strict=True)]))
        for i in np.flatnonzero(going):
            if not np.allclose(out.rewards[i], plays[i].payments[n]):
                paid = f"{out.rewards[i]}, the log {plays[i].payments[n]}"
                yield plays[i].seed, plays[i].asking[n], f"the batch pays {paid}"
        for k, i in enumerate(batch.finished.games):
            ended, one, last = ended + 1, plays[i], batch.finished.states[k : k + 1]
            told = [*game.results(last), last["trace"], batch.finished.returns[k]]
            alone = [*game.results(one.states[-1]), one.states[-1]["trace"], one.paid.sum(0)]
            if len(one.choices) != n + 1 or not all(map(np.allclose, told, alone)):
                yield one.seed, len(one.log.entries), "the batch ends the game differently"
    if ended != len(plays):
        yield None, None, f"the batch ends {ended} of {len(plays)} games"


def together(plays: Sequence[Play]) -> Iterator[tuple[int | None, int | None, str]]:
    """What is said of many states at once is what is said of each."""
    game = plays[0].game
    asked = [one.states[step] for one in plays for step in one.asking[:1]]
    ended = [one.states[-1] for one in plays if one.over]
    of_all: dict[str, tuple[list[Record], Callable[[Record], Any]]] = {
        "secrets": (asked, game.secrets), "hidden": (asked, game.hidden),
        **{part: (ended, partial(_part_of_results, game, part)) for part in Results._fields},
    }  # fmt: skip
    for name, (found, tell) in of_all.items():
        if found and not np.array_equal(tell(np.concatenate(found)), np.concatenate([tell(s) for s in found])):
            yield None, None, f"{name} of many states differs from that of each"


def _part_of_results(game: Game, part: str, s: Record) -> Any:
    return getattr(game.results(s), part)


def odds(plays: Sequence[Play]) -> Iterator[tuple[int | None, int | None, str]]:
    """What chance draws comes as often as its weights say."""
    game = plays[0].game
    came, expected, variance = np.zeros((3, game.n_actions))
    for one in plays:
        for s, (actor, action) in zip(one.states, one.log.entries, strict=False):
            if actor == CHANCE:
                weights = np.zeros(game.n_actions)
                game.weights(game.box, s, weights)
                weights /= weights.sum()
                came[action] += 1
                expected += weights
                variance += weights * (1 - weights)
    for off in np.flatnonzero(np.abs(came - expected) > UNLIKELY * np.sqrt(variance + 1)):
        yield None, None, (f"{named(game, plays[0].states[0], off)} came {came[off]:.0f} times, by its weights "
                           f"{expected[off]:.1f} times")  # fmt: skip


def hidden(plays: Sequence[Play]) -> Iterator[tuple[int | None, int | None, str]]:
    """What is hidden from the seat that is asked has the size that the game declares, and each of its numbers is indeed
    drawn anew."""
    found: list[NDArray[np.float32]] = []
    changed = np.zeros(plays[0].game.hidden_size, np.bool_)
    for one in plays:
        rng = np.random.default_rng(abs(one.seed))
        for step in one.asking:
            s = one.states[step]
            told = one.game.hidden(s)
            if told.shape != (1, one.game.hidden_size) or told.dtype != np.float32 or not np.isfinite(told).all():
                yield one.seed, step, f"hidden gives {told.dtype} {told.shape}, not float32 (1, {one.game.hidden_size})"
            world = one.game.resample(s, int(s["to_act"][0]), rng)
            if one.game.secrets(s)[0]:
                found.append(told[0])
                changed |= (one.game.hidden(world) != told)[0]
    if np.any(found) and not changed.any():
        yield None, None, "resample draws nothing anew of all that is hidden"
    unusual = (np.array(found) != np.median(found, axis=0)).sum(axis=0) if found else 0
    if kept := np.flatnonzero(~changed & (unusual >= OFTEN)).tolist():
        yield None, None, f"resample never draws number {kept[0]} of what is hidden anew"


def uncompiled(plays: Sequence[Play]) -> Iterator[tuple[int | None, int | None, str]]:
    """Another process in which nothing is compiled plays the same games: the same states, masks, views and rewards."""
    work = [(one.game, one.log) for one in plays]
    done = subprocess.run(
        [sys.executable, "-c", "from tabletop import laws; laws._serve()"],
        input=pickle.dumps(work), capture_output=True,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
    )  # fmt: skip
    if done.returncode:
        yield None, None, f"it does not play uncompiled: {done.stderr.decode(errors='replace')[-2000:]}"
    for one, there in zip(plays, json.loads(done.stdout), strict=True):
        for step, (here, other) in enumerate(zip(_prints(one.game, one.log), there, strict=True)):
            if here != other:
                yield one.seed, step, "uncompiled, the game is another"


def _serve() -> None:
    """The other process: reads games and logs, answers with their prints."""
    work = pickle.load(sys.stdin.buffer)
    print(json.dumps([list(_prints(game, log)) for game, log in work]))


def _prints(game: Game, log: Log) -> Iterator[str]:
    """A hash of every state of a log, of its views and of what was paid."""
    paid = np.zeros(game.max_seats)
    for s in logs.states(game, log):
        game.rewards(game.box, s, paid)
        yield hashlib.sha256(s.tobytes() + paid.tobytes() + b"".join(views_of(game, s))).hexdigest()[:16]


def _differing(one: Record, other: Record) -> str:
    return ", ".join(record.differing(one, other)) or "bytes of no field"


OF_PLAYS: tuple[Law, ...] = (ends, resets, states, draws, boxes, replays, undo, apart, rewards, zero_sum, results)
OF_POSITIONS: tuple[Law, ...] = (
    bounds, mask, refusals, looking, chance, words, strangers, copies, saves, secrets, traces, pictures,
)  # fmt: skip
OF_ALL: tuple[Law, ...] = (contents, batches, together, odds, hidden, uncompiled)
assert RUNNING == 0  # so that who is not there has no result
