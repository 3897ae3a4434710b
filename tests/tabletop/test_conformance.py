"""The toys keep the laws of every game; and every law can be broken."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tabletop.conformance import LAWS, Violation, check, check_position
from tabletop.plays import play
from tests.tabletop.bidding import Bidding
from tests.tabletop.broken import BROKEN, NeverEnds
from tests.tabletop.toy import Toy

SEEDS = range(12)


@pytest.mark.parametrize("game", [Toy(), Toy((1,) * 6, (2, 1, 1, 1, 1, 1)), Bidding()], ids=lambda game: game.edition)
def test_toys_keep_every_law(game: Any) -> None:
    setups = [game.configure(players) for players in (2, 3, 4)]
    if len(game.box) > 1:
        setups.append(game.configure(3, box=1))
    check(game, np.concatenate(setups), SEEDS)


@pytest.mark.parametrize(("law", "kind"), [(law, kind) for law, kinds in BROKEN.items() for kind in kinds])
def test_every_law_can_be_broken(law: str, kind: type[Any]) -> None:
    game = kind()
    setups = np.concatenate([game.configure(2), game.configure(3)])
    with pytest.raises(Violation, match=f"{game.name} breaks the law '{law}', .*{BROKEN[law][kind]}") as broken:
        check(game, setups, SEEDS, laws=[law], most=300)
    assert broken.value.law == law


def test_no_law_is_left_out() -> None:
    assert list(BROKEN) == list(LAWS)


def test_advice_must_not_give_away_secrets() -> None:
    game = Bidding()
    check(game, seeds=SEEDS, laws=["secrets"], advise=lambda s: s["hand"][0, int(s["to_act"][0])].tolist())
    with pytest.raises(Violation, match="advice gives away to seat 0"):
        check(game, seeds=SEEDS, laws=["secrets"], advise=lambda s: s["hand"].tolist())


def test_a_violation_says_where() -> None:
    with pytest.raises(
        Violation, match="never_ends breaks the law 'ends', seed 5, step 20, the game does not"
    ) as found:
        check(NeverEnds(), seeds=[5], most=20)
    assert (found.value.law, found.value.seed, found.value.step) == ("ends", 5, 20)


def test_a_position_by_itself() -> None:
    game = Bidding()
    for s in play(game, game.configure(3), 4).states:
        before = s.tobytes()
        check_position(game, s, seed=1)
        assert s.tobytes() == before
    s["coins"] = 99
    with pytest.raises(Violation, match="'bounds', seed 0, number 8 of what seat 0 sees"):
        check_position(game, s)


def test_unknown_laws_are_named() -> None:
    with pytest.raises(ValueError, match="no law gravity: choose from ends, resets"):
        check(Toy(), laws=["gravity", "mask"])
