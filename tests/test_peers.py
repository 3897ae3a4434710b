"""The harness that measures other environments; none of them has to be installed."""

import random
import sys
from collections import Counter
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import pytest

from benchmarks import peers


def walk(observe: bool) -> Iterator[tuple[int, Any]]:
    """A game of four decisions, one of them forced."""
    yield from ((options, [options]) for options in (3, 1, 2, 5))


def missing(name: str) -> ModuleType:
    raise ModuleNotFoundError(f"No module named {name!r}")


def test_a_walk_counts_decisions_and_forced_ones():
    assert peers.played(walk, False)() == (4, 1)
    decisions, forced = peers.rate(peers.played(walk, False), 0.01)
    assert decisions > 1000 and forced == 0.25


def test_a_stretch_ends_with_what_was_begun_in_time():
    decisions, _, took = peers.stretch(lambda: (2, 0), 0.01)
    assert took >= 0.01 and decisions % 2 == 0


def test_a_copy_is_the_mean_of_a_game():
    row = peers.copying(walk, list, lambda state: state[0] * 4, 0.01)
    assert row.copy_microseconds and row.state_bytes == 11
    assert peers.copying(walk, list, None, 0.01).state_bytes is None


def test_outcomes_are_drawn_by_their_chances():
    random.seed(1)
    drawn = Counter(peers.drawn([(7, 0.1), (8, 0.0), (9, 0.9)]) for _ in range(2000))
    assert set(drawn) == {7, 9} and 150 < drawn[7] < 250
    assert peers.drawn([(4, 0.0)]) == 4  # chances that do not sum to 1 after rounding


@pytest.mark.parametrize("name", peers.PEERS)
def test_a_missing_peer_costs_one_line_that_says_how_to_install_it(name, monkeypatch):
    monkeypatch.setattr(peers, "import_module", missing)
    monkeypatch.setattr(peers.metadata, "version", lambda _: "1.0")
    (row,) = peers.here(name, 0.01)
    assert row.name == name and row.game and row.decisions_per_second is None
    assert row.note.startswith("not installed (") and row.note.endswith(peers.PEERS[name].install)


def test_a_missing_distribution_is_not_installed(monkeypatch):
    nothing = peers.Peer("nothing", "no-such-distribution", "pip install nothing", lambda _: iter(()))
    monkeypatch.setitem(peers.PEERS, "nothing", nothing)
    (row,) = peers.here("nothing", 0.01)
    assert row.note.startswith("not installed") and row.note.endswith(": pip install nothing")


def test_a_classic_game_is_measured(monkeypatch):
    monkeypatch.setitem(sys.modules, "pygame", ModuleType("pygame"))  # it only draws
    speed, copy = peers.here("pettingzoo/connect-four", 0.05)
    assert speed.what == peers.SEEN and speed.version and speed.decisions_per_second > 100
    assert speed.forced < 0.1 and copy.what == peers.COPY and copy.note


def test_a_peer_that_fails_costs_one_line():
    (row,) = peers.measure(["no such peer"], 0.01)
    assert row.name == "no such peer" and row.note.startswith("failed: ") and "invalid choice" in row.note


def test_a_peer_is_measured_in_a_process_of_its_own():
    for row in peers.measure(["catanatron"], 0.02):
        assert row.name == "catanatron"
        assert row.decisions_per_second or row.copy_microseconds or row.note.startswith("not installed")
