"""Who has won of finished games."""

from __future__ import annotations

import numpy as np

from tabletop.game import DRAWN, LOST, WON, Results, team_results, team_won, win_shares, winners
from tests.tabletop.bidding import Bidding


def results(*rows: list[int]) -> Results:
    result = np.array(rows, np.int8)
    return Results(result, result, result.astype(float))


def test_who_shares_the_win_has_a_part_of_it() -> None:
    ended = results([WON, LOST, LOST], [DRAWN, LOST, DRAWN], [LOST, LOST, 0], [DRAWN, DRAWN, DRAWN])
    assert winners(ended).tolist() == [[True, False, False], [True, False, True], [False] * 3, [True] * 3]
    assert np.allclose(win_shares(ended), [[1, 0, 0], [0.5, 0, 0.5], [0, 0, 0], [1 / 3] * 3])


def test_a_team_wins_together() -> None:
    team = team_results(np.array([True, False]), np.array([2, 3]), 4)
    assert winners(team).tolist() == [[True, True, False, False], [False] * 4]
    assert np.allclose(win_shares(team), [[0.5, 0.5, 0, 0], [0] * 4])


def test_rivals_share_one_win() -> None:
    game = Bidding()
    states = np.zeros(2, game.state)
    states["players"], states["coins"] = 3, [[1, 4, 1, 0], [3, 0, 3, 0]]
    assert np.allclose(win_shares(game.results(states)), [[0, 1, 0, 0], [0.5, 0, 0.5, 0]])
    assert not team_won(game, states).any()
