"""Observations in named parts: where they lie, what they may hold, and the kernels that write them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tabletop.jit import entry
from tabletop.observation import THIRD, bounds, equal, lay_out, layout_hash, one_hot, relative, scaled, shares
from tests.tabletop.bidding import PARTS, Bidding

ROWS = [("die", 6, "one-hot: the pips", 0, 1), ("pot", 1, "pips in the pot / 3", -1, 5)]


def test_parts_lie_one_after_another() -> None:
    die, pot = lay_out(ROWS)
    assert (die.name, die.slice, die.meaning, die.low, die.high) == ("die", slice(0, 6), "one-hot: the pips", 0, 1)
    assert pot.slice == slice(6, 7)


@pytest.mark.parametrize(
    ("row", "message"),
    [(("die", 2, "", 0, 1), "part 'die' is there already"), (("none", 0, "", 0, 1), "part 'none' has size 0")],
)
def test_wrong_rows_are_refused(row: Any, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        lay_out([*ROWS, row])


def test_bounds_are_those_of_the_parts() -> None:
    low, high = bounds(lay_out(ROWS))
    assert low.dtype == high.dtype == np.float32
    assert low.tolist() == [0] * 6 + [-1] and high.tolist() == [1] * 6 + [5]


def test_the_layout_is_another_where_a_number_means_something_else() -> None:
    same = layout_hash(lay_out(ROWS), (("keep", 1),))
    assert same == layout_hash(lay_out(list(ROWS)), (("keep", 1),)) and len(same) == 64
    others = [layout_hash(lay_out(rows), (("keep", 1),)) for rows in (
        ROWS[::-1], ROWS[:1], [ROWS[0], ("pot", 1, "pips in the pot / 4", -1, 5)],
    )]  # fmt: skip
    assert len({same, *others, layout_hash(lay_out(ROWS), (("keep", 2),))}) == 5
    assert same == layout_hash(lay_out([ROWS[0], ("pot", 1, "pips in the pot / 3", -1, 9)]), (("keep", 1),))


@entry
def written(numbers: Any, totals: Any, out: Any) -> int:
    k = one_hot(out, 0, 3, 1)
    k = one_hot(out, k, 3, -1)
    k = one_hot(out, k, 3, 3)
    k = scaled(out, k, numbers, THIRD)
    k = shares(out, k, numbers, totals)
    k = equal(out, k, numbers, 2)
    for seat in range(3):
        out[k] = relative(1, seat, 3)
        k += 1
    out[k] = relative(1, -1, 3)
    return k + 1


@pytest.mark.parametrize("dtype", ["i2", "i4", "i8"])
def test_kernels_write_parts_one_after_another(dtype: str) -> None:
    out = np.zeros(22, np.float32)
    assert written(np.array([3, -1, 2], dtype), np.array([6, 4, 2], dtype), out) == 22
    assert out[:9].tolist() == [0, 1, 0] + [0] * 6
    assert np.allclose(out[9:12], [1, -1 / 3, 2 / 3])
    assert out[12:15].tolist() == [0.5, -0.25, 1]
    assert out[15:18].tolist() == [0, 0, 1]
    assert out[18:].tolist() == [2, 0, 1, -1]


def test_a_seat_sees_itself_first() -> None:
    game = Bidding()
    s, seen = np.zeros(1, game.state), np.full(PARTS[-1].slice.stop, np.nan, np.float32)
    game.reset(game.box, s, game.configure(players=3), 1)
    s["coins"][0], s["shown"][0, 0] = [1, 3, 2, 0], 6
    game.observe(game.box, s, 1, seen)
    told = {part.name: seen[part.slice].tolist() for part in PARTS}
    assert told["coins"] == [3 / 8, 2 / 8, 1 / 8, 0] and told["shown"] == [0, 0, 1, 0]
    assert np.allclose(np.multiply(told["hand"], 3), s["hand"][0, 1])
