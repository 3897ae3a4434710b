"""Games begin from games that were won: near their ends first, then ever earlier."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from tabletop import record
from tabletop.batch import Batch
from tabletop.game import WON
from tabletop.log import Log, Match
from tabletop.training.config import MidGame, Sampler, check
from tabletop.training.evaluate import Cell
from tabletop.training.starts import Starts
from tabletop.training.wins import BACK, MOST, PLACES, Wins
from tests.tabletop.toy import KEEP, PASS, Toy

GAME = Toy((1, 1, 1, 1, 1, 2), (2, 1, 1, 1, 1, 1))
SECOND = Toy((2, 1, 1, 1, 1, 1))
CELLS = [
    Cell({"task": f"with {n}"}, np.concatenate([GAME.configure(players=n, box=box) for box in (0, 1)])) for n in (2, 3)
]


def won_game(players: int, seed: int, wanted: bool = True) -> Log:
    """A game that was played at random with the second box alone, and won (or not)."""
    rng = np.random.default_rng(seed)
    while True:
        match = Match(SECOND, SECOND.configure(players=players), int(rng.integers(10**6)))
        while not match.over:
            match.act(int(rng.integers(KEEP, PASS + 1)))
        if (match.s["result"][0] == WON) == wanted:
            return match.stamped()


def write(path: Path, *logs: Log) -> Path:
    path.write_text(json.dumps([log.to_dict() for log in logs]))
    return path


def test_positions_lead_from_beginning_to_end(tmp_path: Path) -> None:
    """They are of the box that the log was played with, and its own choices win from each of them."""
    log = won_game(3, 1)
    wins = Wins.load(write(tmp_path / "won.json", log), GAME, CELLS)
    assert wins.cells.tolist() == [1] and len(wins.states) == PLACES and wins.place.tolist() == [PLACES - 1]
    assert (wins.states["box"] == 1).all()
    decisions = wins.states["decisions"]
    choices = [action for actor, action in log.entries if actor >= 0]
    assert decisions[0] == 0 and decisions[-1] == len(choices) - 1 and (np.diff(decisions) >= 0).all()
    for k in range(PLACES):
        s = record.take(wins.states, np.array([k]))
        for action in choices[int(s["decisions"][0]) :]:
            assert GAME.apply(GAME.box, s, action)
        assert s["result"][0] == WON


def test_other_boxes_and_cells_are_left_out(tmp_path: Path) -> None:
    path = write(tmp_path / "won.json", won_game(2, 1), won_game(4, 2), won_game(3, 3))
    assert Wins.load(path, GAME, CELLS).cells.tolist() == [0, 1]  # nobody trains with four
    with pytest.raises(ValueError, match=r"won\.json: none of its 3 games is of a box and a cell that is trained on"):
        Wins.load(path, Toy(), [Cell({"players": 2}, Toy().configure())])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"trace": [1, 2]}, r"won\.json: log 1: it is not won with the draws of its seed"),
        ({"entries": [[0, 0], [3, 1]]}, r"won\.json: log 1: entry 1 does not fit"),
        ({"setup": {}}, r"won\.json: log 1: saved record lacks the fields"),
        ({"entries": [[0, 10**30]]}, r"won\.json is no file of game logs: game log is damaged"),
        ({"format": 9}, "is no file of game logs: not a game log of format 1"),
    ],
)
def test_damaged_games_are_named(tmp_path: Path, change: dict[str, object], said: str) -> None:
    path = tmp_path / "won.json"
    log = won_game(2, 1).to_dict()
    path.write_text(json.dumps([log, log | change]))
    with pytest.raises(ValueError, match=said):
        Wins.load(path, GAME, CELLS)


def test_logs_within_logs_without_end_are_no_games(tmp_path: Path) -> None:
    path = tmp_path / "won.json"
    path.write_text("[" * 100_000)
    with pytest.raises(ValueError, match=r"won\.json is no file of game logs"):
        Wins.load(path, GAME, CELLS)


def test_lost_games_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="is not won with the draws of its seed"):
        Wins.load(write(tmp_path / "lost.json", won_game(2, 1, wanted=False)), GAME, CELLS)


def test_begins_earlier_where_it_is_won_and_later_where_it_is_lost() -> None:
    """The games of a cell together: here the first and the last."""
    wins = Wins(np.zeros(3 * PLACES, GAME.state), np.array([3, 7, 3]))
    wins.place[:] = 5
    wins.states["pot"] = np.arange(3 * PLACES)
    assert wins.standing(np.arange(3))["pot"].tolist() == [5, PLACES + 5, 2 * PLACES + 5]
    wins.tell(np.array([2]), np.array([True]))
    wins.tell(np.array([1]), np.array([False]))
    assert wins.place.tolist() == [4, 5 + BACK]
    assert wins.standing(np.arange(3))["pot"].tolist() == [4, PLACES + 5, 2 * PLACES + 4]
    wins.tell(np.array([1]), np.array([False]))
    assert wins.standing(np.array([1]))["pot"] == PLACES + 6
    for _ in range(3 * PLACES):
        wins.tell(np.array([0]), np.array([True]))
        wins.tell(np.array([1]), np.array([False]))
    assert wins.place.tolist() == [0, PLACES - 1]


def test_each_cell_is_begun_from_as_often_and_each_of_its_games() -> None:
    wins = Wins(np.zeros(5 * PLACES, GAME.state), np.array([3, 7, 3, 3, 3]))
    drawn = np.bincount(wins.draw(np.random.default_rng(0).random((8000, 2))), minlength=5)
    assert abs(drawn[1] - 4000) < 200 and (abs(drawn[[0, 2, 3, 4]] - 1000) < 150).all()


def test_games_begin_from_wins_and_what_comes_of_it_is_told(tmp_path: Path) -> None:
    wins = Wins.load(write(tmp_path / "won.json", *(won_game(2 + i % 2, i) for i in range(4))), GAME, CELLS)
    starts = Starts(GAME, CELLS, np.ones(2), 20, range(1000), Sampler(), MidGame(share=1.0, stored=8, from_wins=1.0),
                    np.random.default_rng(0), wins)  # fmt: skip
    batch = Batch(GAME, starts.setups[starts.now], seed=0)
    starts.begin(batch)
    rng = np.random.default_rng(1)
    told = begun = 0
    for _ in range(80):
        starts.remember(batch.states)
        batch.step(rng.integers(KEEP, PASS + 1, batch.n))
        places, origin, played = wins.place.copy(), starts.origin.copy(), starts.played.sum()
        finished = starts.follow(batch)
        for game in finished.games:
            begun += 1
            assert starts.origin[game] >= 0 and not starts.whole[game]
            assert starts.now[game] == wins.cells[starts.origin[game]]
            standing = wins.standing(starts.origin[game : game + 1])
            assert all(batch.states[name][game] == standing[name][0] for name in ("pot", "round", "box", "decisions"))
        steps = np.zeros(len(places))
        for game, state in zip(finished.games, finished.states, strict=True):
            if origin[game] >= 0:
                steps[wins.which[origin[game]]] += -1 if state["result"] == WON else BACK
                told += 1
        expected = np.clip(places + np.clip(steps, -MOST, MOST), 0, PLACES - 1)
        starts.agree()
        assert (wins.place == expected).all()
        assert starts.played.sum() - played == (origin[finished.games] < 0).sum()  # only whole games count
    assert told > 50 and begun > 50 and wins.place.min() < PLACES - 1
    wins.place[:] = 3
    kept = starts.state_dict()
    wins.place = np.zeros_like(wins.place)
    starts.load_state_dict(kept)
    assert wins.place.tolist() == [3, 3]


def test_wins_that_nobody_begins_from_are_refused() -> None:
    with pytest.raises(ValueError, match=r"mid_game\.wins is named, but mid_game\.share is 0"):
        check({"mid_game": {"wins": "won.json"}})
