"""Random games of every game that is installed end as they should; a wrong end is found."""

import numpy as np
import pytest

from benchmarks import random_games
from tabletop import games
from tabletop.game import LOST
from tests.tabletop.bidding import Bidding

#: Without the hundreds of boxes of ``any-box``, which take minutes to draw.
TASKS = {"sammu-ramat": ["standard", "novice", "campaign", "hidden-hands"]}


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_random_games_end_as_they_should(name, capsys):
    random_games.main([name, "40", *(f"--task={task}" for task in TASKS.get(name, ()))])
    assert "no error" in capsys.readouterr().out


class Sore(Bidding):
    """Who is first has lost."""

    def results(self, states):
        found = super().results(states)
        return found._replace(result=np.where(found.place == 1, LOST, found.result))


def test_a_wrong_end_is_found():
    for observe in (False, True):
        assert random_games.play(Bidding(), Bidding().configure(players=3), 20, observe) > 0
        with pytest.raises(AssertionError, match="an end that cannot be, seed"):
            random_games.play(Sore(), Sore().configure(players=3), 20, observe)


def test_an_observation_out_of_its_ranges_is_found(monkeypatch):
    game = Bidding()
    monkeypatch.setattr(game, "observation_high", np.zeros_like(game.observation_high), raising=False)
    with pytest.raises(AssertionError, match="an observation leaves its ranges, seed"):
        random_games.play(game, game.configure(players=3), 20, True)


def test_every_choice_is_legal_even_where_the_draw_is_0(monkeypatch):
    class Nothing:
        random = staticmethod(lambda shape, dtype: np.zeros(shape, dtype))
        integers = staticmethod(lambda *_, size=(): np.zeros(size, int))

    monkeypatch.setattr(np.random, "default_rng", lambda *_: Nothing())
    assert random_games.play(Bidding(), Bidding().configure(players=3), 20, False) > 0


def test_a_game_that_is_too_long_is_found(monkeypatch):
    game = Bidding()
    monkeypatch.setattr(game, "max_decisions", 1, raising=False)
    with pytest.raises(AssertionError, match="an end that cannot be, seed"):
        random_games.play(game, game.configure(players=3), 20, False)
