"""Evaluation: the counts are those of the games, however they are played."""

import csv
import io
import json
import math
import multiprocessing
import os
import signal
from unittest import mock

import numpy as np
import pytest

import sammu_env
from tabletop import agents
from tabletop.agents.base import Player
from tabletop.game import WON
from tabletop.log import Match
from tabletop.stats import wilson
from tabletop.training.evaluate import GROUPS, Cell, Job, by_group, check_fields, evaluate, play_chunk, to_csv, total
from tests.command import sammu
from tests.tabletop.toy import Toy

TOY = Toy()
PLAIN = [name for name in agents.names(sammu_env.load_game()) if name != "search"]  # which takes as long as it is told


class Slow:
    """The random agent without its short way."""

    def __init__(self, game):
        self.inner = agents.make("random", game)
        self.name, self.reset, self.act = "slow", self.inner.reset, self.inner.act


def cells(game=TOY):
    return [Cell({"players": n}, game.configure(players=n)) for n in (2, 3)]


# Wilson's interval as published tables give it: 95% of 1 in 10, 5 in 10, 81 in 263 (Newcombe 1998, example 1)
@pytest.mark.parametrize(
    ("wins", "games", "low", "high"), [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611)]
)
def test_wilson_against_newcombe(wins, games, low, high):
    rate, below, above = wilson(wins, games)
    assert rate == wins / games
    assert below == pytest.approx(low, abs=5e-5)
    assert above == pytest.approx(high, abs=5e-5)


def test_wilson_at_the_ends():
    assert wilson(0, 10).low == 0
    assert wilson(10, 10).high == 1
    assert math.isnan(wilson(0, 0).rate)
    assert wilson(0, 0)[1:] == (0, 1)
    for wins, games in ((-1, 3), (4, 3)):
        with pytest.raises(ValueError, match=f"{wins} wins of 3 games, expected 0 to 3"):
            wilson(wins, games)


def test_counts_are_those_of_the_games():
    seeds = np.arange(100, dtype=np.int64)
    setup = TOY.configure(3)
    finished = play_chunk(TOY, agents.make("random", TOY), setup, seeds)
    cell = Cell({"players": 3}, setup)
    cell.add(TOY, finished)
    assert cell.games == 100
    assert cell.wins == int((finished["result"] == WON).sum())
    assert sum(cell.causes.values()) == 100 - cell.wins
    assert set(cell.causes) <= {"too much", "out of rounds"}
    row = cell.row(TOY)
    assert row["mean_rounds"] == pytest.approx(finished["round"].mean(), abs=1e-3)
    assert row["low"] < row["win_rate"] < row["high"]


def test_step_by_step_agents_play_every_game_to_its_end():
    seeds = np.arange(70, dtype=np.int64)
    finished = play_chunk(TOY, Slow(TOY), TOY.configure(2), seeds)
    again = play_chunk(TOY, Slow(TOY), TOY.configure(2), seeds)
    assert not isinstance(Slow(TOY), Player)
    assert finished.tobytes() == again.tobytes()
    assert (finished["result"] != 0).all()


def test_result_does_not_depend_on_processes():
    one, two = cells(), cells()
    told = []
    assert evaluate(TOY, "random", one, 150, seed=5, processes=1, progress=told.append)
    assert evaluate(TOY, "random", two, 150, seed=5, processes=2)
    assert [c.row(TOY) for c in one] == [c.row(TOY) for c in two]
    assert [c.outcomes.tolist() for c in one] == [c.outcomes.tolist() for c in two]
    assert sum(told) == 300
    assert all(cell.seconds > 0 for cell in (*one, *two))


def test_outcomes_are_in_order_of_seed():
    setup, agent = TOY.configure(3), agents.make("random", TOY)
    finished = play_chunk(TOY, agent, setup, np.arange(90, dtype=np.int64))
    late, whole = Cell({}, setup), Cell({}, setup)
    late.add(TOY, finished[40:], first=40)
    late.add(TOY, finished[:40], first=0)
    whole.add(TOY, finished[:40])
    whole.add(TOY, finished[40:])
    assert late.outcomes.tolist() == whole.outcomes.tolist() == (finished["result"] == WON).tolist()
    assert late.row(TOY) == whole.row(TOY)


def test_complete_cells_are_told_one_after_the_other():
    table, told = cells(), []
    assert evaluate(TOY, "random", table, 150, finished=lambda: told.append([cell.games for cell in table]))
    assert told == [[150, 0], [150, 150]]
    assert evaluate(TOY, "random", [], 150, processes=2)


def test_games_are_counted_on_the_boxes_of_their_cell():
    cell, seeds = Cell({}, TOY.configure(2).repeat(2)), np.arange(6, dtype=np.int64)
    cell.setup["box"] = [0, 1]
    with pytest.raises(ValueError, match="2 setups for 6 games, expected one, or one for each of them"):
        play_chunk(TOY, agents.make("random", TOY), cell.setup, seeds)
    finished = play_chunk(TOY, agents.make("random", TOY), TOY.configure(2), seeds)
    for boxes, game in (([0, 0, 1, 1, 0, 0], 1), ([1] * 6, 0), ([0, 1, 0, 1, 0, 2], 5)):
        finished["box"] = boxes
        with pytest.raises(ValueError, match=f"game {game} was played on box {boxes[game]}, expected box {game % 2}"):
            cell.add(TOY, finished)
        assert cell.games == 0 and not cell.sums
    finished["box"] = [0, 1] * 3
    cell.add(TOY, finished)
    with pytest.raises(ValueError, match="game 7 was played on box 0, expected box 1"):
        cell.add(TOY, np.concatenate([finished[:1], finished[:1]]))
    cell.add(TOY, finished[:1])
    assert cell.games == 7


@pytest.mark.parametrize(
    ("field", "told"),
    [
        ("paid", "also names 'paid', choose fields of a state that are whole numbers"),
        ("jackpot", "also names 'jackpot', choose fields of a state that are whole numbers"),
        ("second", "also names 'second', but results hold something else as seconds: leave it out"),
        ("rounds", "also names 'rounds', but results hold something else as mean_rounds: leave it out"),
        ("player", "also names 'player', but results hold something else as players: leave it out"),
    ],
)
def test_fields_that_results_cannot_hold_are_refused(field, told):
    game = mock.Mock(clock="round", state=np.dtype([(name, "i4") for name in ("second", "rounds", "player", "pot")]
                                                   + [("paid", "f8", 4)]))  # fmt: skip
    with pytest.raises(ValueError, match=told):
        check_fields(game, ("pot", field), ("players",))
    check_fields(game, ("pot",), ("players",))


def test_further_fields_are_averaged():
    table = [Cell({"players": 2}, TOY.configure(2), also=("pot",))]
    evaluate(TOY, "random", table, 20)
    finished = play_chunk(TOY, agents.make("random", TOY), TOY.configure(2), np.arange(20, dtype=np.int64))
    assert table[0].row(TOY)["mean_pot"] == total(table).row(TOY)["mean_pot"] == finished["pot"].mean()


class Eager(Slow):
    """Likes many games at once, and remembers how many it was handed."""

    at_once = 128
    handed: list[int] = []

    def __init__(self, game):
        super().__init__(game)
        self.play = self._play

    def _play(self, setups, seeds):
        self.handed.append(len(seeds))
        return self.inner.play(setups, seeds)


@pytest.mark.parametrize(
    ("games", "handed"), [(40, [120, 40]), (64, [128, 128]), (100, [100] * 4), (150, [128] * 4 + [88])]
)
def test_games_of_several_cells_are_handed_together(monkeypatch, games, handed):
    monkeypatch.setitem(agents.AGENTS, "eager", f"{__name__}:Eager")
    monkeypatch.setattr(Eager, "handed", [])
    table, alone = [*cells(), *cells()], [*cells(), *cells()]
    assert evaluate(TOY, "eager", table, games, seed=7)
    assert Eager.handed == handed
    evaluate(TOY, "random", alone, games, seed=7)
    assert [c.outcomes.tolist() for c in table] == [c.outcomes.tolist() for c in alone]
    assert [c.row(TOY) for c in table] == [c.row(TOY) for c in alone]


class Alone(Slow):
    """Remembers games, so it is handed one at a time."""

    at_once = 1

    def __init__(self, game):
        super().__init__(game)
        self.act = self._act

    def _act(self, states, masks):
        assert len(states) == 1
        return self.inner.act(states, masks)


@pytest.mark.parametrize("alone", [False, True])
def test_agents_who_share_games_are_handed_no_more_together_than_each_likes(monkeypatch, alone):
    monkeypatch.setitem(agents.AGENTS, "eager", f"{__name__}:Eager")
    monkeypatch.setitem(agents.AGENTS, "alone", f"{__name__}:Alone")
    for pair in (["alone", "eager"], ["eager", "alone"]):
        table = cells()
        assert evaluate(TOY, pair, table, 5, alone=alone)
        assert [cell.games for cell in table] == [5 if alone else 10] * 2


class Begins(Slow):
    """Has a process of its own, as a search may."""

    def __init__(self, game):
        super().__init__(game)
        self.process = multiprocessing.get_context("fork").Process(target=int)
        self.act = self._act

    def _act(self, states, masks):
        if self.process.pid is None:
            self.process.start()
            self.process.join()
        return self.inner.act(states, masks)


def test_agents_with_processes_of_their_own_play_in_processes():
    table = cells()
    assert evaluate(TOY, f"{__name__}:Begins", table, 4, processes=2)
    assert [cell.games for cell in table] == [4, 4]
    assert not multiprocessing.active_children()


class Killed(Slow):
    """Is ended from outside in any other process than ours, as where memory runs out."""

    def __init__(self, game):
        super().__init__(game)
        self.act = self._act

    def _act(self, states, masks):
        if multiprocessing.parent_process() is not None:
            os.kill(os.getpid(), signal.SIGKILL)
        return self.inner.act(states, masks)


def test_a_process_that_is_killed_is_an_error_in_words():
    args = ["--agent", f"{__name__}:Killed", "--games", "100", "--challenge", "SAM-185", "--players", "2"]
    done = sammu("evaluate", *args, "--processes", 2)
    assert done.exit_code == 2 and isinstance(done.exception, SystemExit)
    assert "error: a process that played games has ended" in done.output


class Hand:
    """A pipe, or a process, of which nothing comes."""

    pid = None

    def __init__(self, **_):
        self.send, self.start, self.close = mock.Mock(), mock.Mock(), mock.Mock()


@pytest.mark.parametrize(("games", "dealt"), [(40, [1, 1]), (150, [2, 2, 1, 1]), (300, [2] * 4)])
def test_every_process_gets_something_to_play_before_one_gets_more(monkeypatch, games, dealt):
    hands = []

    def pipe():
        hands.append(Hand())
        return hands[-1], Hand()

    context = mock.Mock(Pipe=pipe, Process=Hand)
    monkeypatch.setattr("multiprocessing.get_context", lambda _: context)
    monkeypatch.setattr("tabletop.training.evaluate.wait", mock.Mock(side_effect=KeyboardInterrupt))
    assert not evaluate(TOY, "random", cells(), games, processes=4)
    assert [hand.send.call_count for hand in hands] == dealt


def test_further_fields_are_kept_of_every_game():
    table = [Cell({"players": n}, TOY.configure(n), also=("pot",)) for n in (2, 3)]
    evaluate(TOY, "random", table, 150)
    seeds = np.arange(150, dtype=np.int64)
    pots = [play_chunk(TOY, agents.make("random", TOY), cell.setup, seeds)["pot"].tolist() for cell in table]
    assert [cell.each("pot").tolist() for cell in table] == pots
    assert total(table).each("pot").tolist() == pots[0] + pots[1]
    assert cells()[0].each("pot").shape == (0,)


def test_interrupted_evaluation_keeps_what_is_finished():
    def stop(n):
        raise KeyboardInterrupt

    table = cells()
    assert not evaluate(TOY, "random", table, 150, progress=stop)
    assert [c.games for c in table] == [64, 0]
    assert table[1].row(TOY)["win_rate"] is None


@pytest.mark.parametrize("more", [(), ("--against", "scripted")])
def test_interrupted_before_a_game_of_rivals_is_done(more, tmp_path):
    with mock.patch.object(Job, "__call__", side_effect=KeyboardInterrupt):
        done = sammu("evaluate", "--agent", "random", *more, "--game", "xerxes", "--players", 2, "--games", 1,
                     "--processes", 1, "--json", tmp_path / "told.json")  # fmt: skip
    assert done.exit_code == 130 and "interrupted: the table" in done.output and "nan" not in done.output
    assert json.loads((tmp_path / "told.json").read_text())["seed"] == 0


def test_total_and_csv():
    table = cells()
    evaluate(TOY, "random", table, 20)
    both = total(table, players="all")
    assert both.games == 40
    assert both.wins == table[0].wins + table[1].wins
    rows = list(csv.DictReader(io.StringIO(to_csv(TOY, [("random", cell) for cell in table]))))
    assert [row["players"] for row in rows] == ["2", "3"]
    assert int(rows[0]["games"]) == 20
    lost = sum(int(value) for key, value in rows[0].items() if key.startswith("lost: "))
    assert lost == 20 - int(rows[0]["wins"])


def test_csv_of_cells_with_different_labels():
    table = [Cell({"players": 2}, TOY.configure(2)), Cell({"players": 3, "deck": "new"}, TOY.configure(3))]
    evaluate(TOY, "random", table, 20)
    rows = list(csv.DictReader(io.StringIO(to_csv(TOY, [("random", cell) for cell in table]))))
    assert [(row["players"], row["deck"]) for row in rows] == [("2", ""), ("3", "new")]


def test_games_that_share_a_box_or_a_seed_count_as_they_differ():
    def cell(won, boxes=1):
        return Cell({}, np.repeat(TOY.configure(2), boxes), won={0: np.asarray(won, bool)})

    half = np.arange(100) % 3 == 0
    of_boxes = cell(np.tile(half[:40], 5), boxes=40)  # each box is always won, or never
    assert np.allclose(of_boxes.interval, wilson(14, 40), atol=0.01)
    assert np.allclose(total([of_boxes, of_boxes]).interval, wilson(14, 40), atol=0.01)
    same, other = total([cell(half), cell(half)]), total([cell(half), cell(~half)])
    assert np.allclose(same.interval, wilson(34, 100), atol=0.01)
    assert np.allclose(other.interval, wilson(100, 200))  # of each seed one
    assert cell(half).interval == wilson(34, 100)
    few = GROUPS - 1
    assert total([cell(half[:few]), cell(half[:few])]).interval == wilson(2 * int(half[:few].sum()), 2 * few)
    assert by_group([of_boxes], 60).tolist() == half[:40].tolist()
    played = of_boxes.outcomes  # but for games 30 to 74, which nobody has finished
    stopped = Cell({}, of_boxes.setup, won={75: played[75:], 0: played[:30]})
    assert stopped.numbers.tolist() == [*range(30), *range(75, 200)]
    assert by_group([stopped]).tolist() == half[:40].tolist()


def test_unknown_agent_names_those_there_are():
    with pytest.raises(
        ValueError, match="agent is 'genius', choose one of random, search, ppo:PATH of a checkpoint, or"
    ):
        agents.make("genius", TOY)
    with pytest.raises(ValueError, match="choose one of random, scripted, planner, ppo, "):
        agents.make("genius", sammu_env.load_game())


def test_random_is_uniform_and_legal():
    agent = agents.make("random", TOY, seed=3)
    masks = np.zeros((6000, TOY.n_actions), np.int8)
    masks[:, [1, 4, 7]] = 1
    chosen = agent.act(np.zeros(6000, TOY.state), masks)
    assert chosen.dtype == np.int64
    counts = np.bincount(chosen, minlength=8)
    assert set(np.flatnonzero(counts)) == {1, 4, 7}
    assert counts[[1, 4, 7]].min() > 1800
    agent.reset(3)
    assert np.array_equal(agent.act(np.zeros(6000, TOY.state), masks), chosen)


@pytest.mark.parametrize("name", PLAIN)
def test_agents_play_the_game(name):
    game = sammu_env.load_game()
    seeds = np.arange(8, dtype=np.int64)
    finished = play_chunk(game, agents.make(name, game), game.configure(players=2), seeds)
    assert (finished["result"] != 0).all()
    again = play_chunk(game, agents.make(name, game), game.configure(players=2), seeds)
    assert np.array_equal(finished["trace"], again["trace"])


@pytest.mark.parametrize("name", PLAIN)
def test_agents_choose_legally_and_leave_the_state_alone(name):
    game = sammu_env.load_game()
    agent = agents.make(name, game, seed=1)
    match = Match(game, game.configure(players=3), seed=9)
    for _ in range(300):
        if match.over:
            break
        stood, mask = match.s.tobytes(), match.legal()
        (action,) = agent.act(match.s, mask[None])
        assert match.s.tobytes() == stood
        assert mask[action]
        match.act(int(action))
