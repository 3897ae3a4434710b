"""What is said and shown to a seat tells nothing of what others hold or have chosen in secret."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from sammu_env import knowledge
from tabletop import record
from tabletop.game import CHANCE, Record
from tabletop.log import Match
from tests.laws.walk import GAME, SIZE, Way, stops
from tests.tabletop import bidding

RIVALS = bidding.Bidding()


def rivals() -> Iterator[Record]:
    """The states of some games, at every decision."""
    for seed in range(20):
        match, rng = Match(RIVALS, RIVALS.configure(2 + seed % 3), seed), np.random.default_rng(seed)
        while not match.over:
            yield match.s
            match.act(int(rng.choice(np.flatnonzero(match.legal()))))
        yield match.s


def advisors() -> Iterator[Record]:
    for seed in range(SIZE):
        yield from stops(Way(seed, players=2 + seed % 3, hidden_hands=True, sheltered=True), 7)


EVERY = pytest.mark.parametrize(
    ("game", "states", "resample"),
    [(RIVALS, rivals, bidding.resample), (GAME, advisors, knowledge.resample)],
    ids=["bidding", "sammu_ramat"],
)


def mask(game: Any, s: Record) -> list[int]:
    out = np.zeros(game.n_actions, np.int8)
    game.legal(game.box, s, out)
    return out.tolist()


def seen(game: Any, s: Record, seat: int) -> bytes:
    out = np.zeros(len(game.observation_low), np.float32)
    game.observe(game.box, s, seat, out)
    return out.tobytes()


def told(game: Any, s: Record, seat: int | None, actions: Any) -> list[str]:
    """All that is said and shown."""
    pictures = [game.render(s, mode, seat=seat) for mode in game.render_modes if mode != "rgb_array"]
    words = [game.words(s, int(action), seat=seat) for action in actions]
    return [game.question(s, seat=seat), game.describe(s, seat=seat), *pictures, *words]


@EVERY
def test_a_seat_is_told_nothing_of_others_secrets(
    game: Any, states: Callable[[], Iterator[Record]], resample: Callable[..., Record]
) -> None:
    rng, secrets = np.random.default_rng(0), 0
    for s in states():
        choices = np.flatnonzero(mask(game, s))
        for seat in range(game.seats(s)):
            world = resample(s, seat, rng)
            assert seen(game, world, seat) == seen(game, s, seat)
            assert told(game, world, seat, choices) == told(game, s, seat, choices)
            if seat == s["to_act"][0]:
                assert mask(game, world) == mask(game, s)
            for other in range(game.seats(s)):
                secrets += game.describe(world, seat=other) != game.describe(s, seat=other)
    assert secrets > 20 * SIZE  # what changed is told to whom it belongs


def test_a_choice_in_secret_is_told_to_its_seat_alone() -> None:
    """The canary: one game in which seat 0 may lay either of two cards, and nothing else differs."""
    match = Match(RIVALS, RIVALS.configure(3), 0, manual_chance=True)
    for card in (1, 0, 0, 4, 1, 2, 2, 3, 3):  # seat by seat; seat 0 holds 2, 5, 3
        match.act(card)
    low, high = match.copy(), match.copy()
    low.act(1)
    high.act(4)
    canary = [f"laid {low.s['laid'][0, 0]}", f"laid {high.s['laid'][0, 0]}"]
    assert canary == ["laid 2", "laid 5"] and low.to_act == high.to_act == 1
    for seat in (1, 2):
        assert told(RIVALS, low.s, seat, range(6)) == told(RIVALS, high.s, seat, range(6))
        assert low.observe(seat).tobytes() == high.observe(seat).tobytes()
        assert not any("laid 2" in text or "laid 5" in text for text in told(RIVALS, low.s, seat, range(6)))
    assert (low.legal() == high.legal()).all()
    for seat in (0, None):
        assert canary[0] in RIVALS.describe(low.s, seat=seat) and canary[1] in RIVALS.render(high.s, "ansi", seat=seat)
    assert low.observe(0).tobytes() != high.observe(0).tobytes()
    for one in (low, high):  # and to everybody once all have laid
        one.act(0)
        one.act(0)
    assert low.observe(1).tobytes() != high.observe(1).tobytes()


def test_a_refusal_tells_no_secrets() -> None:
    rng = np.random.default_rng(0)
    for s in rivals():
        if (asked := int(s["to_act"][0])) < 0:
            continue
        wrong = mask(RIVALS, s).index(0)
        said = set()
        for world in (s, bidding.resample(s, asked, rng), bidding.resample(s, asked, rng)):
            match = Match(RIVALS, RIVALS.configure(2), 0)
            record.put(match.s, slice(None), world)
            with pytest.raises(ValueError, match=f"illegal action {wrong}") as refused:
                match.act(wrong)
            said.add(str(refused.value))
        assert len(said) == 1 and CHANCE not in match.s["to_act"]


def test_hidden_hands_are_described_to_who_looks() -> None:
    for s in advisors():
        for seat in range(GAME.seats(s)):
            lines = GAME.describe(s, seat=seat).splitlines()[-GAME.seats(s) :]
            hands = [s["hand_n"][0, other] and "SAM-" in line for other, line in enumerate(lines)]
            assert hands == [other == seat and s["hand_n"][0, seat] > 0 for other in range(GAME.seats(s))]
        asked = int(s["to_act"][0])
        if asked >= 0:
            assert GAME.describe(s) == GAME.describe(s, seat=asked)


@pytest.mark.parametrize("seat", [-1, 2, 9])
def test_wrong_seat_is_named(seat: int) -> None:
    for game in (RIVALS, GAME):
        s = Match(game, game.configure(players=2), 0).s
        with pytest.raises(ValueError, match=rf"seat is {seat}, choose None or one of 0 to 1"):
            game.describe(s, seat=seat)
