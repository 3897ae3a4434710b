"""The beam: what it keeps of the positions that come from one, and of those that began alike."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sammu_env.agents import beam
from sammu_env.agents.beam import LEFT, NODE, SLOT, Beam
from sammu_env.state import STATE
from tabletop.fields import dtype_of
from tabletop.jit import entry

WIDTH, BEGINNING, FIRST, SECOND = 24, LEFT, 9, 8  # buckets: of a month's beginning, after one action, after two


@entry
def offer(
    states: Any, slots: Any, ways: Any, search: Any, t: Any, bucket: int, hashes: Any, values: Any, parents: Any
) -> None:
    """Positions with these hashes and values, int64 and float64 (n,), each from a kept one, int64 (n,)."""
    for i in range(len(values)):
        beam.keep(states, slots, ways, search[0], t[0], hashes[i], bucket, values[i], parents[i], parents[i])


@entry
def twins(search: Any, hashes: Any, out: Any) -> None:
    """Whether each of the hashes came before, int8 (n,)."""
    for i in range(len(hashes)):
        out[i] = beam.is_twin(search[0], hashes[i])


class Kept:
    """A beam whose month begins with one position."""

    def __init__(self) -> None:
        room = (LEFT + 1) * WIDTH
        self.states, self.slots, self.ways = np.zeros(room, STATE), np.zeros(room, SLOT), np.zeros(room, NODE)
        self.search, self.state = np.zeros(1, dtype_of(Beam)), np.zeros(1, STATE)
        self.search["width"], self.search["tries"], self.search["floor"] = WIDTH, 48, beam.LOWEST
        self.search["seen"], self.search["kept"][0, BEGINNING] = -1, 1
        self.hashes = 0

    def offer(self, bucket: int, values: Any, parent: int, hashes: Any = None) -> None:
        """Positions of these values, all different if no hashes are given, from one that is kept."""
        values = np.asarray(values, np.float64)
        if hashes is None:
            hashes = np.arange(len(values)) + self.hashes
        self.hashes += len(values)
        offer(self.states, self.slots, self.ways, self.search, self.state, bucket, np.asarray(hashes, np.int64),
              values, np.full(len(values), parent))  # fmt: skip

    def there(self, bucket: int) -> Any:
        """The slots of a bucket."""
        return self.slots[bucket * WIDTH : bucket * WIDTH + self.search["kept"][0, bucket]]


@pytest.fixture
def begun() -> Kept:
    """Each of the positions after the first action is of a line of its own."""
    kept = Kept()
    kept.offer(FIRST, np.arange(2 * WIDTH), BEGINNING * WIDTH)
    return kept


def test_a_beginning_fills_the_whole_bucket_with_its_best(begun: Kept) -> None:
    there = begun.there(FIRST)
    assert sorted(there["value"]) == list(range(WIDTH, 2 * WIDTH)) and len(set(there["line"])) == WIDTH


def test_one_position_has_a_share_of_a_bucket(begun: Kept) -> None:
    begun.offer(SECOND, np.arange(40), FIRST * WIDTH)
    assert sorted(begun.there(SECOND)["value"]) == [36, 37, 38, 39]  # the best: 24 / 6
    begun.offer(SECOND, [35.5, 1000], FIRST * WIDTH)
    assert sorted(begun.there(SECOND)["value"]) == [37, 38, 39, 1000]


def test_a_line_has_a_share_of_a_bucket(begun: Kept) -> None:
    own = begun.slots["line"][FIRST * WIDTH]
    begun.slots["line"][FIRST * WIDTH : FIRST * WIDTH + 5] = own
    for parent in range(5):
        begun.offer(SECOND, np.arange(3) + 10 * parent, FIRST * WIDTH + parent)
    assert sorted(begun.there(SECOND)["value"]) == [30, 31, 32, 40, 41, 42]  # 24 / 4, the best of the 15
    begun.offer(SECOND, [-1.0], FIRST * WIDTH + 5)
    assert (begun.there(SECOND)["line"] != own).sum() == 1  # another line has room, whatever it is worth


def test_of_twins_the_better_stays(begun: Kept) -> None:
    begun.offer(SECOND, [1.0, 3.0, 2.0], FIRST * WIDTH, hashes=[7, 7, 7])
    assert list(begun.there(SECOND)["value"]) == [3.0]


def test_a_position_that_came_before_is_a_twin(begun: Kept) -> None:
    out = np.zeros(5, np.int8)
    twins(begun.search, np.array([5, 6, 5, 5 + beam.SEEN, 5]), out)
    assert list(out) == [0, 0, 1, 0, 0]  # what has the same place is forgotten
