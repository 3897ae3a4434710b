"""Every seat is paid the same, whichever way a game is played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tabletop import jit
from tabletop.batch import play_random
from tabletop.game import CHANCE, DRAWN, LOST, RUNNING, WON, Record, summary
from tabletop.plays import play
from tabletop.vector import Vector
from tests.laws.walk import GAME
from tests.tabletop.bidding import Bidding
from tests.tabletop.toy import Toy

RIVALS = Bidding()
FEW = 2 if jit.DISABLED else 12
EVERY = pytest.mark.parametrize(
    ("game", "n"), [(Toy(), 40), (RIVALS, 40), pytest.param(GAME, FEW)], ids=lambda x: getattr(x, "name", "")
)


def setups(game: Any, n: int) -> Record:
    return np.concatenate([game.configure(players=2 + i % 3) for i in range(n)])


@EVERY
def test_faces_of_many_games_tell_every_seats_rewards(game: Any, n: int) -> None:
    sb3 = pytest.importorskip("tabletop.sb3")
    vector = Vector(game, setups(game, n), autoreset_mode="SameStep")
    twin = sb3.SB3VecEnv(Vector(game, setups(game, n)))
    infos = vector.reset(seed=3)[1]
    twin.seed(3)
    twin.reset()
    assert infos["rewards"].shape == (n, game.max_seats) and not infos["rewards"].any()
    vector.action_space.seed(0)
    total, ended = np.zeros((n, game.max_seats)), 0
    while ended < n:
        actions = vector.action_space.sample()
        _, reward, _, _, infos = vector.step(actions)
        _, same, _, told = twin.step(actions)
        assert (reward == infos["rewards"][:, 0]).all() and (same == reward).all()
        assert (twin.rewards == infos["rewards"]).all()
        total += infos["rewards"]
        for i in np.flatnonzero(infos.get("_game", [])):
            returns = infos["game"]["returns"][i]
            assert returns.tolist() == total[i].tolist() == told[i]["game"]["returns"]
            assert returns[0] == told[i]["episode"]["r"]
            total[i] = 0
            ended += 1


def test_rivals_are_paid_unlike() -> None:
    """What the toy of rivals is for: pay while others move, draws, and seats that are out before the end."""
    unasked = 0
    for seed in range(60):
        one = play(RIVALS, RIVALS.configure(2 + seed % 3), seed)
        movers = [actor for actor, _ in one.log.entries if actor != CHANCE]
        unasked += sum(np.delete(each, mover).any() for each, mover in zip(one.payments, movers, strict=True))
    assert unasked > 60
    ended = play_random(RIVALS, setups(RIVALS, 60), np.arange(60))
    left = ended["hand"].sum(2) > 0
    assert ((ended["round"] == 3) & (left & (ended["coins"] == 0)).any(1)).sum() > 5


def test_results_of_rivals_and_of_teams() -> None:
    ended = play_random(RIVALS, setups(RIVALS, 60), np.arange(60))
    result, place, score = RIVALS.results(ended)
    assert (result == DRAWN).any(1).sum() > 5 and (result == WON).any(1).sum() > 20
    for i, seats in enumerate(ended["players"]):
        assert place[i].tolist() == [1 + sum(score[i] > own) for own in score[i, :seats]] + [0] * (4 - seats)
        best = (place[i] == 1).sum()
        expected = {0: RUNNING, 1: WON if best == 1 else DRAWN}
        assert result[i].tolist() == [expected.get(which, LOST) for which in place[i]]
    told = summary(RIVALS, ended)
    assert not told["won"].any() and (told["score"] == ended["coins"]).all() and (told["place"] == place).all()

    team = Toy()
    ended = play_random(team, setups(team, 60), np.arange(60))
    told = summary(team, ended)
    assert 0 < told["won"].sum() < 60 and (told["won"] == (ended["result"] == WON)).all()
    for won, seats, result, place in zip(told["won"], ended["players"], told["result"], told["place"], strict=True):
        assert result.tolist() == [WON if won else LOST] * seats + [0] * (4 - seats)
        assert place.tolist() == [1] * seats + [0] * (4 - seats)
