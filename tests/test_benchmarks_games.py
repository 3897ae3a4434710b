"""Random games of every game that is installed end as they should; a wrong end is found."""

import numpy as np
import pytest

from benchmarks import random_games
from tabletop import games
from tabletop.game import LOST
from tests.tabletop.bidding import Bidding


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_random_games_end_as_they_should(name, monkeypatch, capsys):
    monkeypatch.setattr(random_games, "SLOTS", 64)
    random_games.main([name, "40"])
    assert "no error" in capsys.readouterr().out


class Sore(Bidding):
    """Who is first has lost."""

    def results(self, states):
        found = super().results(states)
        return found._replace(result=np.where(found.place == 1, LOST, found.result))


def test_a_wrong_end_is_found(monkeypatch):
    monkeypatch.setattr(random_games, "SLOTS", 16)
    assert random_games.play(Bidding(), Bidding().configure(players=3), 20) > 0
    with pytest.raises(AssertionError, match="an end that cannot be, seed"):
        random_games.play(Sore(), Sore().configure(players=3), 20)
