"""Every seat is paid the same, whichever way a game is played."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tabletop import jit
from tabletop.aec import AEC
from tabletop.batch import Batch, play_random
from tabletop.game import CHANCE, DRAWN, LOST, NOBODY, RUNNING, WON, Record, summary
from tabletop.log import Log, replay, rewards
from tabletop.single import Single
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


def by_aec(game: Any, setup: Record, seed: int) -> tuple[Log, np.ndarray, np.ndarray]:
    """A random game: its log, what each step paid (steps, max_seats), and the sum of what each agent was told."""
    env, rng = AEC(game, setup), np.random.default_rng(seed)
    env.reset(seed=seed)
    steps, told = [], np.zeros(game.max_seats)
    for agent in env.agent_iter():
        seen, reward, terminated, _, _ = env.last()
        told[env.possible_agents.index(agent)] += reward
        env.step(None if terminated else int(rng.choice(np.flatnonzero(seen["action_mask"]))))
        if not terminated:
            steps.append([env.rewards[name] for name in env.possible_agents])
    return env.log, np.pad(np.array(steps), ((0, 0), (0, game.max_seats - len(steps[0])))), told


@EVERY
def test_every_way_to_play_pays_every_seat_alike(game: Any, n: int) -> None:
    each, seen = setups(game, n), set()
    played = [by_aec(game, each[i : i + 1], i) for i in range(n)]
    batch = Batch(game, each, autoreset="Disabled")
    batch.reset(0)
    single, steps, ended = Single(game, each[:1]), np.zeros(n, int), 0
    choices = [[action for actor, action in log.entries if actor != CHANCE] for log, _, _ in played]
    while (batch.states["to_act"] != NOBODY).any():
        out = batch.step([choices[i][min(t, len(choices[i]) - 1)] for i, t in enumerate(steps)])
        for i, (_, paid, _) in enumerate(played):
            if steps[i] < len(paid):
                assert out.rewards[i].tolist() == paid[steps[i]].tolist()
            else:
                assert not out.rewards[i].any()
        for k, (i, returns) in enumerate(zip(batch.finished.games, batch.finished.returns, strict=True)):
            log, paid, told = played[i]
            entries = rewards(game, log)
            ended_so, replayed = game.results(batch.finished.states[k : k + 1]), game.results(replay(game, log))
            assert [x.tolist() for x in ended_so] == [x.tolist() for x in replayed]
            assert returns.tolist() == paid.sum(0).tolist() == told.tolist() == entries.sum(0).tolist()
            assert entries.shape == (len(log.entries), game.max_seats)
            assert not returns[each["players"][i] :].any()
            seen.add(tuple(returns))
            ended += 1
        steps += 1
    assert ended == n
    assert len(seen) > (1 if game is GAME else 2)
    single.reset(seed=0)
    for action, paid in zip(choices[0], played[0][1], strict=True):
        _, reward, _, _, info = single.step(action)
        assert info["rewards"].tolist() == paid.tolist() and reward == paid[0]


@EVERY
def test_faces_of_many_games_tell_every_seats_rewards(game: Any, n: int) -> None:
    sb3 = pytest.importorskip("tabletop.sb3")
    vector, twin = Vector(game, setups(game, n)), sb3.SB3VecEnv(Vector(game, setups(game, n)))
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
        for i in np.flatnonzero(infos.get("_episode", [])):
            episode = infos["episode"]
            assert episode["returns"][i].tolist() == total[i].tolist() == told[i]["episode"]["returns"]
            assert episode["r"][i] == total[i, 0] == told[i]["episode"]["r"]
            total[i] = 0
            ended += 1


def test_rivals_are_paid_unlike() -> None:
    """What the toy of rivals is for: zero sum, pay while others move, draws, and seats that are out before the end."""
    unasked = 0
    for seed in range(60):
        log, paid, _ = by_aec(RIVALS, RIVALS.configure(2 + seed % 3), seed)
        movers = [actor for actor, _ in log.entries if actor != CHANCE]
        assert not paid.sum(1).any()
        unasked += sum(np.delete(each, mover).any() for each, mover in zip(paid, movers, strict=True))
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
