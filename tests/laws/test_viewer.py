"""What is said and shown to a seat tells nothing of what others hold or have chosen in secret."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest

from tabletop.game import Record
from tabletop.log import Match
from tests.laws.walk import GAME, SIZE, Way, stops
from tests.tabletop.bidding import Bidding

RIVALS = Bidding()


def advisors() -> Iterator[Record]:
    for seed in range(SIZE):
        yield from stops(Way(seed, players=2 + seed % 3, hidden_hands=True, sheltered=True), 7)


def told(game: Any, s: Record, seat: int | None, actions: Any) -> list[str]:
    """All that is said and shown."""
    pictures = [game.render(s, mode, seat=seat) for mode in game.render_modes if mode != "rgb_array"]
    words = [game.words(s, int(action), seat=seat) for action in actions]
    return [game.question(s, seat=seat), game.describe(s, seat=seat), *pictures, *words]


def test_a_choice_in_secret_is_told_to_its_seat_alone() -> None:
    """The canary: one game in which seat 0 may lay either of two cards, and nothing else differs."""
    match = Match(RIVALS, RIVALS.configure(3), 0, manual_chance=True)
    for card in (1, 0, 0, 4, 1, 2, 2, 3, 3, 5, 5, 5):  # seat by seat; seat 0 holds 2, 5, 3, 6
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


def test_hidden_hands_are_described_to_who_looks() -> None:
    for s in advisors():
        for seat in range(GAME.seats(s)):
            lines = GAME.describe(s, seat=seat).splitlines()[-GAME.seats(s) :]
            hands = [s["hand_n"][0, other] and "SAM-" in line for other, line in enumerate(lines)]
            assert hands == [other == seat and s["hand_n"][0, seat] > 0 for other in range(GAME.seats(s))]
        asked = int(s["to_act"][0])
        if asked >= 0:
            assert GAME.describe(s) == GAME.describe(s, seat=asked)


@pytest.mark.parametrize("seat", [-1, 2, 9, True, 1.0, np.array([0, 1])], ids=str)
def test_wrong_seat_is_named(seat: Any) -> None:
    for game in (RIVALS, GAME):
        s = Match(game, game.configure(players=2), 0).s
        assert game.describe(s, seat=np.int64(1)) == game.describe(s, seat=1)
        with pytest.raises(ValueError, match=re.escape(f"seat is {seat!r}, choose one of 0 to 1, or none")):
            game.describe(s, seat=seat)
