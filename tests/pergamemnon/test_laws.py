"""The laws of every game; golden games; and that random games are those of a plain prototype of the same rules."""

from __future__ import annotations

import numpy as np
import pytest

from pergamemnon_env import constants as c
from pergamemnon_env import load_game
from pergamemnon_env.constants import PLAYERS
from pergamemnon_env.state import PILES
from tabletop import conformance, golden
from tabletop.batch import play_random
from tabletop.jit import DISABLED
from tabletop.plays import play
from tests.pergamemnon.golden import BEGINS, GAME, PATH
from tests.pergamemnon.table import VALUES

BOXES = load_game(box_seed=[1, 2])
#: Of 2,000 random games of the prototype: ended by few creatures, mean turns, mean decisions, the winner's score.
PROTOTYPE = {2: (0.24, 18.7, 101.7, 28.7), 3: (0.15, 25.0, 146.2, 30.7), 4: (0.10, 31.0, 184.6, 32.0),
             5: (0.06, 36.8, 220.6, 33.4)}  # fmt: skip


PAINTED = ("looking", "pictures")  #: laws that draw pictures, which takes most of the time
PLAIN = tuple(law for law in conformance.LAWS if law not in PAINTED)
COMPILED = tuple(law for law in PLAIN if law != "uncompiled")  # that one takes half a minute a game


@pytest.mark.parametrize("players", PLAYERS)
def test_it_keeps_every_law(players: int) -> None:
    conformance.check(GAME, GAME.configure(players), seeds=[players, players + 1], every=10, laws=COMPILED)
    conformance.check(GAME, GAME.configure(players), seeds=[players], laws=["uncompiled"])
    conformance.check(GAME, GAME.configure(players), seeds=[players], every=150, laws=PAINTED)


@pytest.mark.slow
@pytest.mark.parametrize("players", PLAYERS)
def test_it_keeps_every_law_everywhere(players: int) -> None:
    conformance.check(GAME, GAME.configure(players), seeds=range(10, 12), every=2, laws=COMPILED)
    conformance.check(GAME, GAME.configure(players), seeds=[10], every=40, laws=PAINTED)


def test_random_boxes_keep_the_laws() -> None:
    setups = np.concatenate([BOXES.configure(3, box=0), BOXES.configure(4, box=1)])
    conformance.check(BOXES, setups, seeds=range(2), every=20, laws=PLAIN)


@pytest.mark.parametrize("name", list(BEGINS))
def test_golden_games_replay(name: str) -> None:
    golden.check(PATH, GAME, name)


def test_they_are_those_that_would_be_written() -> None:
    golden.check_current(PATH, GAME, BEGINS)


@pytest.mark.skipif(DISABLED, reason="hundreds of games are for compiled rules")
@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_are_those_of_the_prototype(players: int) -> None:
    games, game = 1500, load_game(VALUES)  # the prototype's
    ended = play_random(game, game.configure(players).repeat(games), np.arange(games))
    creatures, turns, decisions, score = PROTOTYPE[players]
    assert abs((ended["cause"] == c.CAUSES.index("few creatures")).mean() - creatures) < 0.04
    assert abs(ended["turn"].mean() / turns - 1) < 0.04 and abs(ended["decisions"].mean() / decisions - 1) < 0.04
    assert abs(GAME.results(ended).score.max(1).mean() / score - 1) < 0.04
    assert (ended["turn"] < 150).all()


@pytest.mark.parametrize("players", PLAYERS)
def test_no_card_is_lost_or_made(players: int) -> None:
    """Army cards only leave by fleeing or paying; creatures are somewhere, unseen or gone; so are charisma cards."""
    one = play(GAME, GAME.configure(players), players + 7)
    before = np.full(c.KINDS, c.MAX_COPIES * c.MAX_SEATS)
    for s in one.states:
        state = s[0]
        if (state["nation"][:players] < 0).any():
            continue
        counts = sum(state[pile].sum(0).astype(int) for pile in PILES)
        counts += np.bincount(state["row"][state["row"] > 0] - 1, minlength=c.KINDS)
        counts[c.ARMY :] += state["display"] + state["unseen"]
        assert (counts <= before).all() and (counts[c.ARMY :] <= 1).all()
        assert state["stock"] + state["charisma"].sum() == 21
        before = counts


def test_a_face_down_card_is_secret() -> None:
    """From naming the weapon to the reveal: not in what others see, are told or may choose, nor in their worlds."""
    rng, found, others = np.random.default_rng(3), 0, 0
    for seed in range(12):
        for s in play(GAME, GAME.configure(3), seed).states:
            if not s["laid"][0, c.ATTACKER] or s["open"][0] or s["to_act"][0] < 0:
                continue
            found += 1
            attacker, defender = int(s["attacker"][0]), int(s["defender"][0])
            worlds = [GAME.resample(s, defender, rng) for _ in range(12)]
            laid = {int(world["row"][0, c.ATTACKER, 0]) for world in (s, *worlds)}
            box = GAME.box[0]
            assert {box["weapon"][kind - 1] for kind in laid} == {s["weapon"][0] - 1}
            others += len(laid) > 1  # mostly: a small deck, and what is known of a hand, may leave but one card
            assert all(not np.array_equal(world["trace"], s["trace"]) for world in worlds)
            own = GAME.resample(s, attacker, rng)
            assert own["row"][0, c.ATTACKER, 0] == s["row"][0, c.ATTACKER, 0]
    assert found > 20 and others > found / 2


def test_worlds_play_on() -> None:
    """Whatever is drawn anew leads on to an end; who is asked has a choice."""
    rng = np.random.default_rng(5)
    for s in play(GAME, GAME.configure(4), 2).states[::15]:
        for seat in range(4):
            world = GAME.resample(s, seat, rng)
            world["manual_chance"] = 0
            mask = np.zeros(GAME.n_actions, np.int8)
            while world["to_act"][0] != -2:
                GAME.legal(GAME.box, world, mask)
                assert mask.any()
                assert GAME.apply(GAME.box, world, int(rng.choice(np.flatnonzero(mask))))


def test_known_cards_stay_in_the_hand() -> None:
    """After a reshuffle all know what was left in a hand; worlds keep it there."""
    rng, found = np.random.default_rng(1), 0
    for s in play(GAME, GAME.configure(2), 4).states:
        assert (s["known"] <= s["hand"] + _down(s)).all()
        if s["known"][0, 1].any():
            found += 1
            world = GAME.resample(s, 0, rng)
            assert (world["known"] == s["known"]).all() and (s["known"] <= world["hand"] + _down(world)).all()
    assert found > 5


def _down(s: np.ndarray) -> np.ndarray:
    """The card that lies face down, where its hand was."""
    down = np.zeros_like(s["hand"])
    if s["laid"][0, c.ATTACKER] and not s["open"][0]:
        down[0, s["attacker"][0], s["row"][0, c.ATTACKER, 0] - 1] = 1
    return down
