"""What every game with positions promises: a state that is dumped and loaded plays on as it did."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from tabletop import record
from tabletop.coach.parts import Parts, within
from tabletop.game import CHANCE, NOBODY, Record, named
from tabletop.plays import legal, play
from tabletop.positions import PositionError

#: What a position does not hold, or only up to the stack pointer or the number of options.
APART = ("rng", "op", "arg", "option")


def boxed(game: Any, players: int) -> Record:
    """The setup of a game with the real box, whose draws are told."""
    setup: Record = game.configure(players)
    setup["manual_chance"] = 1
    return setup


def round_trips(game: Any, position: Any, setup: Record, seed: int, every: int = 1) -> None:
    """At one position in so many of a random game: what is loaded is the same, and twice it is played on."""
    states = play(game, setup, seed).states
    for s in states[seed % every :: every]:
        again = loaded(game, position, s)
        assert legal(game, again) == legal(game, s)
        assert game.question(again) == game.question(s) and game.facts(again) == game.facts(s)
        words = [[named(game, one, action) for action in legal(game, one)] for one in (s, again)]
        assert words[0] == words[1]
    for s in (states[len(states) // 3], states[-2]):
        plays_on(game, s, loaded(game, position, s), seed)


def loaded(game: Any, position: Any, s: Record) -> Record:
    """The state of a position, which is the same in all that a position holds."""
    again: Record = position.load(game.box, json.loads(json.dumps(position.dump(s))))
    assert same(again, s) == []
    return again


def same(a: Record, b: Record) -> Sequence[str]:
    """The fields in which two states differ."""
    sp, n = int(a["sp"][0]), int(a["n_options"][0])
    found = [name for name in record.differing(a, b) if name not in APART]
    found += [name for name in ("op", "arg") if (a[name][0, :sp] != b[name][0, :sp]).any()]
    return found + ["option"] * bool((a["option"][0, :n] != b["option"][0, :n]).any())


def plays_on(game: Any, s: Record, other: Record, seed: int) -> None:
    """The same choices and the same draws lead to the same table."""
    one, two, rng = record.copy(s), record.copy(other), np.random.default_rng(seed)
    two["rng"] = one["rng"]
    while one["to_act"][0] != NOBODY:
        drawn = one["to_act"][0] == CHANCE
        action = int(game.sample(game.box, one) if drawn else rng.choice(legal(game, one)))
        if drawn:
            game.sample(game.box, two)
        assert game.apply(game.box, one, action) and game.apply(game.box, two, action)
    assert same(one, two) == [] and (one["rng"] == two["rng"]).all()


def changed(game: Any, s: Record, **values: Any) -> dict[str, Any]:
    """The position of a state with other values, as it is sent: "seats/0/vp" is a path."""
    told = game.dump(s)
    for path, value in values.items():
        *keys, last = path.split("/")
        within(told, keys)[last] = value
    sent: dict[str, Any] = json.loads(json.dumps(told))
    return sent


def put(game: Any, s: Record, **values: Any) -> Record:
    """A state with some fields of the form put right."""
    allowed = {"/".join(field.path): field for field in game.form(s)}
    for path, value in values.items():
        assert allowed[path].allows(value), (path, value)
    again: Record = game.load(changed(game, s, **values))
    return again


def form_tells_no_secret(game: Any, setup: Record, seed: int, every: int) -> None:
    """Where the seat that is asked cannot tell two worlds apart, the form and its values are the same."""
    parts, rng = Parts(game), np.random.default_rng(seed)
    for s in play(game, setup, seed).states[::every]:
        if s["to_act"][0] >= 0:
            world = game.resample(s, int(s["to_act"][0]), rng)
            assert parts.filled(s, game.form(s)) == parts.filled(world, game.form(world))


def spoil(told: Any, rng: np.random.Generator) -> None:
    """Puts a wrong value somewhere into a position."""
    key = rng.choice(list(told)) if isinstance(told, dict) else int(rng.integers(len(told)))
    if isinstance(told[key], (dict, list)) and told[key] and rng.random() < 0.8:
        spoil(told[key], rng)
    else:
        told[key] = [-1, 99, 2**70, None, "?", [], {}, True, 1.5, [[]]][rng.integers(10)]


def spoilt_is_refused_or_plays_on(game: Any, told: Any, load: Callable[[Any], Record]) -> None:
    """What people type never ends anything but with an error, and what is taken is played to its end."""
    rng, taken, times = np.random.default_rng(1), 0, 300
    for _ in range(times):
        wrong = json.loads(json.dumps(told))
        spoil(wrong, rng)
        try:
            s = load(wrong)
        except PositionError:
            continue
        plays_on(game, s, load(wrong), seed=1)
        taken += 1
    assert 0 < taken < times
