"""Agents against one another: who sits where, what they win, and that nobody gains by looking at hidden hands."""

from __future__ import annotations

import csv
import io
import math
from typing import Any

import numpy as np
import pytest

from tabletop import agents
from tabletop.agents.base import shown
from tabletop.game import DRAWN, WON, win_shares
from tabletop.log import Match
from tabletop.stats import clustered, elo, mean, wilson
from tabletop.training.evaluate import GROUPS, Cell, evaluate, play_chunk, seats_of
from tabletop.training.match import round_robin, standings, to_csv, wins_against
from tests.tabletop.bidding import Bidding
from tests.tabletop.rivals import RIVALS, Guesses, Highest, Peeks, Trusted
from tests.tabletop.toy import Toy

GAME, TOY = Bidding(), Toy()


@pytest.fixture(autouse=True)
def rivals(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, maker in RIVALS.items():
        monkeypatch.setitem(agents.AGENTS, name, maker)


def table(*names: str, players: int = 2, games: int = 200, game: Any = GAME, **more: Any) -> Cell:
    cell = Cell({"players": players}, game.configure(players))
    assert evaluate(game, names, [cell], games, **more)
    return cell


@pytest.mark.parametrize(("many", "seats"), [(2, 2), (2, 3), (3, 2), (3, 4), (4, 4)])
def test_everybody_sits_in_each_seat_once(many: int, seats: int) -> None:
    seated = seats_of(np.arange(5 * many), many, seats).reshape(5, many, seats)
    for rounds in seated:
        for seat in range(seats):
            assert sorted(rounds[:, seat]) == list(range(many))
    if many <= seats:
        assert all(set(row) == set(range(many)) for row in seated.reshape(-1, seats))


class Marks(Highest):
    """Lays its highest card, and notes for whom."""

    name = "marks"
    asked: list[tuple[int, bytes]] = []

    def card(self, s: Any, hand: Any) -> int:
        self.asked.append((int(s["to_act"][0]), s["hand"][0, s["to_act"][0]].tobytes()))
        return super().card(s, hand)


def test_agents_choose_for_their_own_seats_of_the_same_games(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(agents.AGENTS, "marks", f"{__name__}:Marks")
    monkeypatch.setattr(Marks, "asked", [])
    cell = table("marks", "thrifty", games=1, players=3, seed=5)
    first = [seat for seat, _ in Marks.asked]
    assert set(first) == {0, 1, 2} and cell.games == 2
    hands = dict(reversed(Marks.asked))
    dealt = Match(GAME, GAME.configure(3), seed=5).s["hand"][0]
    assert all(hands[seat] == dealt[seat].tobytes() for seat in range(3))


def test_standings_are_those_of_the_games() -> None:
    cell = table("highest", "thrifty", games=50, players=3)
    seated, ended = seats_of(np.arange(100), 2, 4), cell.results
    for agent, standing in enumerate(standings(("highest", "thrifty"), [cell])):
        own = (seated == agent) & (ended.place > 0)
        assert standing.games == own.sum() == 150
        assert standing.won.rate == pytest.approx((ended.result[own] == WON).mean())
        assert standing.drawn.rate == pytest.approx((ended.result[own] == DRAWN).mean())
        assert standing.score.rate == pytest.approx(ended.score[own].mean())
        assert standing.place.rate == pytest.approx(ended.place[own].mean())
        assert standing.share.rate == pytest.approx(win_shares(ended)[own].sum() / 100)
        assert standing.won.low < standing.won.rate < standing.won.high
    row = standing.row()
    assert (row["agent"], row["games"]) == ("thrifty", 150)
    assert row["place"]["low"] < row["place"]["mean"] < row["place"]["high"]


def test_two_of_a_kind_are_even_and_several_cells_count_together() -> None:
    cells = [Cell({}, GAME.configure(players)) for players in (2, 3, 4)]
    assert evaluate(GAME, ("random", "random"), cells, 150)
    one, other = standings(("one", "other"), cells)
    assert one.share.low < 0.5 < one.share.high and one.share.rate + other.share.rate == pytest.approx(1)
    assert one.games == 150 * (2 + 3 + 4)
    assert one.won.high - one.won.low < 0.07


def test_games_of_one_seed_count_as_one_in_several_cells_too() -> None:
    cell = table("highest", "random", games=60)
    for one, four in zip(*(standings(("a", "b"), [cell] * many) for many in (1, 4)), strict=True):
        assert four.games == 4 * one.games
        for what in ("drawn", "score", "place"):  # won and share vary less from seed to seed than games do
            assert getattr(four, what) == pytest.approx(getattr(one, what))
    few = table("highest", "random", games=GROUPS - 1)
    once, twice = (standings(("a", "b"), [few] * many)[0].share for many in (1, 2))
    assert twice.high - twice.low < once.high - once.low  # it cannot be told


def test_games_of_one_box_of_several_count_as_they_differ() -> None:
    cell = table("highest", "random", games=60)
    boxes = Cell({}, cell.setup.repeat(40), won=cell.won, ended=cell.ended)
    one, other = (standings(("a", "b"), [own])[0].score for own in (cell, boxes))
    scores = (cell.results.score * (seats_of(np.arange(120), 2, 4) == 0)).sum(1).reshape(60, 2).mean(1)
    by_box = np.where(np.arange(40) < 20, (scores[:40] + np.resize(scores[40:], 40)) / 2, scores[:40])
    assert one == pytest.approx(mean(scores)) and other.rate == pytest.approx(one.rate)
    assert other == pytest.approx(mean(by_box, np.repeat([2, 1], 20)))


def test_the_result_does_not_depend_on_processes() -> None:
    one, two = (table("random", "random", players=3, games=70, processes=n) for n in (1, 2))
    assert all(np.array_equal(x, y) for x, y in zip(one.results, two.results, strict=True))


def test_a_team_may_be_mixed_and_wins_together() -> None:
    cell = table("random", "random", game=TOY, players=4, games=60)
    one, other = standings(("a", "b"), [cell])
    assert one.won == other.won and one.won.rate == pytest.approx(cell.wins / cell.games)


def test_one_agent_on_all_seats_plays_as_ever() -> None:
    """Also where it is one of a list of one."""
    cell, alone = table("highest", players=3), Cell({}, GAME.configure(3))
    evaluate(GAME, "highest", [alone], 200)
    assert all(np.array_equal(x, y) for x, y in zip(cell.results, alone.results, strict=True))
    assert cell.games == 200


def test_uneven_games_are_refused() -> None:
    with pytest.raises(ValueError, match="200 games of 3 agents"):
        standings("abc", [table("random", "random", games=100)])


def test_csv_of_cells_with_different_labels() -> None:
    rows = [one.row() for one in standings(("a", "b"), [table("random", "random", games=2)])]
    cells = [{"players": 2, "standings": rows}, {"players": 3, "deck": "new", "standings": rows}]
    told = csv.DictReader(io.StringIO(to_csv([{"agents": ["a", "b"], "cells": cells}])))
    assert [(row["agent"], row["players"], row["deck"]) for row in told] == [
        ("a", "2", ""), ("b", "2", ""), ("a", "3", "new"), ("b", "3", "new")
    ]  # fmt: skip


# Secrets


def share(name: str, players: int) -> Any:
    return standings((name, "random"), [table(name, "random", players=players, games=800)])[0].share


@pytest.mark.parametrize("players", [2, 4])
def test_who_peeks_wins_no_more_than_who_guesses(players: int) -> None:
    cheating, peeking, guessing = (share(name, players) for name in ("trusted", "peeks", "guesses"))
    assert cheating.low > peeking.high  # there is something to gain
    assert guessing.low < peeking.high and peeking.low < guessing.high


def test_an_agent_on_all_seats_is_shown_no_secrets_either() -> None:
    seeds = np.arange(60)
    honest, cheating = (play_chunk(GAME, kind(GAME), GAME.configure(2), seeds) for kind in (Peeks, Trusted))
    assert not np.array_equal(honest["trace"], cheating["trace"])
    assert np.array_equal(honest["trace"], play_chunk(GAME, Peeks(GAME), GAME.configure(2), seeds)["trace"])


class PlaysAlone(Peeks):
    """Has a short way of its own, in which nobody keeps secrets from it."""

    def play(self, setups: Any, seeds: Any) -> Any:
        raise AssertionError("it is on its honour")


def test_only_who_is_trusted_plays_by_itself_where_there_are_secrets() -> None:
    play_chunk(GAME, PlaysAlone(GAME), GAME.configure(2), np.arange(3))
    with pytest.raises(AssertionError, match="honour"):
        play_chunk(TOY, PlaysAlone(TOY), TOY.configure(2), np.arange(3))


def positions(game: Any, players: int = 3) -> Any:
    match = Match(game, game.configure(players), seed=3)
    while not match.over:
        yield match.s.copy()
        match.act(int(np.flatnonzero(match.legal())[-1]))


def test_what_is_shown_is_what_the_seat_knows() -> None:
    rng, changed = np.random.default_rng(0), 0
    for s in positions(GAME):
        before, seat = s.tobytes(), int(s["to_act"][0])
        told = shown(GAME, Peeks(GAME), s, rng)
        assert s.tobytes() == before and told["trace"].tobytes() == s["trace"].tobytes()
        assert np.array_equal(told["hand"][0, seat], s["hand"][0, seat])
        assert not np.array_equal(told["rng"], s["rng"])
        changed += not np.array_equal(told["hand"], s["hand"])
        assert shown(GAME, Guesses(GAME), s, rng) is s
    assert changed
    for s in positions(TOY):
        assert shown(TOY, Peeks(GAME), s, rng) is s  # all lies open: nothing is copied


@pytest.mark.parametrize("name", ["random", "highest"])
def test_who_is_trusted_chooses_by_what_it_may_know(name: str) -> None:
    rng = np.random.default_rng(1)
    for s in positions(GAME):
        mask, seat = np.zeros((1, GAME.n_actions), np.int8), int(s["to_act"][0])
        GAME.legal(GAME.box, s, mask[0])
        world = GAME.resample(s, seat, rng)
        assert agents.make(name, GAME, 7).act(s, mask) == agents.make(name, GAME, 7).act(world, mask)


# Everybody against everybody


def test_round_robin_ranks_who_wins_more() -> None:
    found = round_robin(GAME, ("random", "trusted", "guesses"), GAME.configure(2), 150)
    assert np.isnan(found.shares.diagonal()).all()
    assert np.allclose((found.shares + found.shares.T)[~np.eye(3, dtype=bool)], 1)
    assert found.games.tolist() == [[0, 300, 300], [300, 0, 300], [300, 300, 0]]
    assert found.elo[1] > max(found.elo[0], found.elo[2]) + 20 and found.elo.sum() == pytest.approx(0, abs=1e-6)
    assert set(found.row(1)["shares"]) == {"random", "guesses"} and found.row(1)["elo"] == pytest.approx(
        found.elo[1], abs=0.1
    )


@pytest.mark.parametrize(("names", "told"), [(("random",), "two or more"), (("random", "random"), "each once")])
def test_round_robin_names_what_is_wrong(names: tuple[str, ...], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        round_robin(GAME, names, GAME.configure(2), 1)
    with pytest.raises(ValueError, match="toy is played by a team: nobody plays against another"):
        round_robin(TOY, ("random", "highest"), TOY.configure(2), 1)


def test_one_seat_against_all_others() -> None:
    setups, seeds = GAME.configure(3).repeat(300), np.arange(300)
    strong = wins_against(GAME, Trusted(GAME), lambda: agents.make("random", GAME), setups, seeds)
    assert strong.shape == (300,) and strong.mean() > 0.4 > 1 / 3
    team = agents.make("random", TOY)
    alone = wins_against(TOY, team, Never, TOY.configure(3).repeat(50), seeds[:50])
    assert set(alone) == {0.0, 1.0}


def Never() -> Any:
    raise AssertionError


# Statistics


def test_elo_by_hand() -> None:
    """Ten times the wins are 400 points; nobody is infinitely strong; who met nobody is in the middle."""
    shares, games = np.array([[0, 10 / 11], [1 / 11, 0]]), np.full((2, 2), 1e9)
    assert np.allclose(elo(shares, games), [200, -200], atol=1e-3)
    always = elo(np.array([[0, 1.0], [0, 0]]), np.full((2, 2), 10.0))
    assert 400 * math.log10(10.5 / 0.5) == pytest.approx(always[0] - always[1])


def test_elo_of_three_fits_the_model() -> None:
    strength = 10 ** (np.array([150, 0, -150]) / 400)
    shares = strength[:, None] / (strength[:, None] + strength)
    assert np.allclose(elo(shares, np.full((3, 3), 1e8)), [150, 0, -150], atol=0.01)


def test_groups_of_games_count_as_they_differ() -> None:
    rng = np.random.default_rng(0)
    alone = (rng.random(400) < 0.3).astype(float)
    assert clustered(alone, 400) == pytest.approx(wilson(alone.sum(), 400), abs=0.002)
    twice = clustered(alone.repeat(1), 800)  # both games of a seed the same: as good as one
    assert twice == pytest.approx(wilson(alone.sum(), 400), abs=0.002)
    even = clustered(np.full(400, 0.5), 800)  # the second always makes up for the first
    assert even == pytest.approx(wilson(400, 800))
    assert clustered(np.zeros(50), 100).high == wilson(0, 50).high and clustered(np.ones(0), 0)[1:] == (0, 1)


def test_means_with_their_intervals() -> None:
    middle, low, high = mean(np.array([1.0, 2.0, 3.0, 4.0]))
    half = 1.959964 * np.sqrt(5 / 3) / 2
    assert (middle, low, high) == pytest.approx((2.5, 2.5 - half, 2.5 + half), abs=1e-5)
    assert mean(np.array([3.0])) == (3.0, -math.inf, math.inf) and math.isnan(mean(np.zeros(0)).rate)
