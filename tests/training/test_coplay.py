"""Partners: who gets along with whom in a team, and a learner that has one seat of it."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np
import pytest
from numpy.typing import NDArray

from tabletop.game import Record
from tabletop.stats import wilson
from tabletop.training.coplay import CrossPlay, cross_play
from tabletop.training.evaluate import GROUPS, Cell, one_seat
from tests.tabletop.bidding import Bidding
from tests.tabletop.toy import KEEP, PASS, Toy
from tests.training import small

GAME = Toy()
KEEPS, PASSES = "tests.training.test_coplay:Keeps", "tests.training.test_coplay:Passes"


class Keeps:
    """Keeps every die, and notes in which seats it was asked."""

    name, sees = "keeps", "observation"
    choice = KEEP
    seats: ClassVar[list[NDArray[Any]]] = []

    def __init__(self, game: Toy) -> None:
        self.game = game

    def reset(self, seed: int) -> None:
        pass

    def act(self, states: Record, masks: NDArray[np.int8]) -> NDArray[np.int64]:
        type(self).seats.append(states["to_act"].copy())
        return np.full(len(states), self.choice, np.int64)


class Passes(Keeps):
    """Passes every die on."""

    name, choice = "passes", PASS
    seats: ClassVar[list[NDArray[Any]]] = []


def test_one_of_two_has_one_seat() -> None:
    setups = np.concatenate([GAME.configure(n) for n in (2, 3, 4) for _ in range(4)])
    seated = one_seat(GAME, setups, np.arange(12))
    assert (seated[:, :2].sum(1) >= 0).all() and ((seated == 0).sum(1) == 1).all()
    assert seated[:4].argmin(1).tolist() == [0, 1, 0, 1]
    assert seated[8:].argmin(1).tolist() == [0, 1, 2, 3]


def test_each_agent_plays_with_each_partner() -> None:
    Keeps.seats, Passes.seats = [], []
    found = cross_play(GAME, [KEEPS, PASSES], [PASSES, "random"], lambda: small.cells(GAME), games=30, seed=5)
    assert set(found.cells) == {(a, b) for a in (KEEPS, PASSES) for b in (PASSES, "random")}
    assert all(cell.games == 30 for cells in found.cells.values() for cell in cells)
    asked, others = np.concatenate(Keeps.seats), np.concatenate(Passes.seats)
    assert set(asked.tolist()) == {0, 1, 2, 3}  # its seat goes by the game
    assert len(asked) < len(others)
    assert found.won(PASSES, PASSES).rate == 0  # nobody keeps a die
    assert found.won(KEEPS, PASSES).rate > 0.5  # one who does is enough
    both = found.others(KEEPS)
    assert both is not None
    mean = (found.won(KEEPS, PASSES).rate + found.won(KEEPS, "random").rate) / 2
    assert both.rate == pytest.approx(mean) and wilson(mean * 90, 90).low <= both.low <= both.rate
    assert (
        found.others(PASSES) == found.others(PASSES) and found.others(PASSES).rate == found.won(PASSES, "random").rate
    )
    lines = found.text().splitlines()
    assert lines[0].endswith("mean without itself |") and len(lines) == 4 and found.habits() is None
    rows = found.rows(GAME)
    assert len(rows) == 4 * 3 and rows[0]["agent"] == KEEPS and rows[0]["games"] == 30


def test_what_agents_win_with_themselves_and_with_one_another() -> None:
    found = cross_play(GAME, [KEEPS, PASSES], [PASSES, KEEPS], lambda: small.cells(GAME), games=30, seed=5)
    habits = found.habits()
    assert habits is not None
    own = [found.won(name, name).rate for name in (KEEPS, PASSES)]
    crossed = [found.won(KEEPS, PASSES).rate, found.won(PASSES, KEEPS).rate]
    assert habits.themselves.rate == pytest.approx(np.mean(own))
    assert habits.others.rate == pytest.approx(np.mean(crossed))
    assert habits.difference.rate == pytest.approx(np.mean(own) - np.mean(crossed))
    assert habits.difference.low < habits.difference.rate < habits.difference.high < 0  # those who pass need others
    table, _, line = found.text().partition("\n\n")
    assert table == found.table() and f"another {100 * np.mean(crossed):.1f} (" in line


def test_games_of_one_seed_count_as_one_in_all_cells() -> None:
    rng = np.random.default_rng(0)
    pairs = {(a, b): rng.random(100) < chance for a in "ab" for b, chance in (("a", 0.6), ("b", 0.4))}

    def found(many: int, games: int = 100) -> CrossPlay:
        cells = {pair: [Cell({}, GAME.configure(2), won={0: won[:games]})] * many for pair, won in pairs.items()}
        return CrossPlay(("a", "b"), ("a", "b"), cells)

    for one, four in zip(found(1).habits(), found(4).habits(), strict=True):
        assert four == pytest.approx(one, abs=0.01)
    assert found(4).others("a") == pytest.approx(found(1).others("a"), abs=0.01)
    few, often = (found(many, GROUPS - 1).habits().difference for many in (1, 2))
    assert often.high - often.low < few.high - few.low  # it cannot be told


def test_the_same_games_in_several_processes() -> None:
    one, two = (cross_play(GAME, [KEEPS], ["random"], lambda: small.cells(GAME), 20, 3, processes)
                for processes in (1, 2))  # fmt: skip
    for ours, theirs in zip(one.cells[KEEPS, "random"], two.cells[KEEPS, "random"], strict=True):
        assert (ours.outcomes == theirs.outcomes).all()


@pytest.mark.parametrize(
    ("game", "agents", "told"),
    [
        (Bidding(), ["random"], "bidding is played by rivals, who are no partners"),
        (GAME, ["random", "random"], "random is named twice"),
    ],
)
def test_wrong_teams_are_refused(game: Any, agents: list[str], told: str) -> None:
    with pytest.raises(ValueError, match=told):
        cross_play(game, agents, ["random"], lambda: small.cells(game), 1)


def test_a_seat_alone_has_no_partner() -> None:
    class Solo(Toy):
        def seats(self, setup: Record) -> int:
            return 1

    with pytest.raises(ValueError, match="choose games of two or more"):
        cross_play(Solo(), ["random"], ["random"], lambda: small.cells(GAME), 1)


def test_a_learner_has_one_seat_of_a_team() -> None:
    """Partners choose on all other seats, and what they choose is not learnt."""
    own = small.learner(GAME, pool={"share": 1.0, "keep": 0, "agents": [PASSES], "alone": True})
    told = [own.learn() for _ in range(3)][-1]
    assert 0 <= told["against_earlier"] <= 1
    seats = np.array([2, 3, 4])[own.starts.now]
    sat = own.selves.sits.sum(1)
    assert (sat[sat > 0] == seats[sat > 0] - 1).all() and (sat > 0).mean() > 0.9
    asked = []
    choose = own.choose

    def look(judged: Any, options: Any) -> Any:
        asked.append((own.batch.states["to_act"].copy(), own.selves.sits.copy()))
        return choose(judged, options)

    own.choose = look
    decisions, _ = own.play()
    theirs = np.stack([sits[np.arange(64), seat] for seat, sits in asked])
    assert not decisions.counts.numpy()[theirs].any() and decisions.counts.numpy()[~theirs].all()
    chosen = decisions.actions.gather(2, decisions.chosen[..., None]).squeeze(2).numpy()
    assert (chosen[theirs] == PASS).all() and (chosen[~theirs] == KEEP).any()
