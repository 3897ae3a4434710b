"""Sheets: many answers told as numbers, with a game of gifts that compiles nothing."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tabletop.coach.parts import Parts
from tabletop.coach.sheet import Filler
from tabletop.game import Record

STATE = np.dtype(
    [("to_act", np.int8), ("kind", np.int8), ("left", np.int8), ("has", np.int8, (2, 2)), ("hat", np.int8)]
)
PEOPLE, KINDS = ("Ann", "Bo"), ("coin", "ring")


class Gifts:
    """Of each kind some are given, to Ann (0) or Bo (1); then Ann's hat may go to Bo (1), or stay (0)."""

    name, n_actions, box = "gifts", 2, np.zeros(1)
    rings_for_ann = True

    def start(self) -> Record:
        s = np.zeros(1, STATE)
        s["left"] = 3
        return s

    def legal(self, box: Any, s: Record, mask: Any) -> None:
        mask[:] = s["to_act"][0] == 0
        if s["kind"][0] == 1 and not self.rings_for_ann:
            mask[0] = 0

    def apply(self, box: Any, s: Record, action: int) -> bool:
        one = s[0]
        if one["kind"] == 2:
            one["hat"], one["to_act"] = action, -1
            return True
        one["has"][one["kind"], action] += 1
        one["left"] -= 1
        if not one["left"]:
            one["kind"] += 1
            one["left"] = 2
        return True

    def question(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        kind = int(s["kind"][0])
        return "who wears the hat?" if kind == 2 else f"who gets a {KINDS[kind]}? ({s['left'][0]} left)"

    def words(self, s: Record, action: int, lang: str = "en", seat: int | None = None) -> str:
        return PEOPLE[action]

    def named(self, name: str, lang: str = "en") -> str:
        return name

    def facts(self, s: Record, seat: int | None = None) -> dict[str, int]:
        given = {f"{KINDS[k]}@{PEOPLE[p]}": int(s["has"][0, k, p]) for k in range(2) for p in range(2)}
        return {**given, "hat@Ann": int(s["hat"][0] == 0), "hat@Bo": int(s["hat"][0] == 1)}

    def sheet_key(self, s: Record) -> str:
        return "gifts"


@pytest.fixture
def game() -> Gifts:
    return Gifts()


def filler(game: Gifts) -> Filler:
    return Filler(Parts(game), game.start())  # type: ignore[arg-type]


def test_a_sheet_counts_what_can_be_put_where(game: Gifts) -> None:
    sheet = filler(game).sheet()
    assert sheet.n == 5
    assert sheet.rows == {"coin@Ann": 0, "coin@Bo": 0, "ring@Ann": 1, "ring@Bo": 1, "hat@Bo": 2}
    assert [(pool.total, pool.optional) for pool in sheet.pools] == [(3, False), (2, False), (1, True)]


def test_a_filled_sheet_is_answers(game: Gifts) -> None:
    wanted = {"coin@Ann": 1, "coin@Bo": 2, "ring@Ann": 2}
    answers, s = filler(game).answers(wanted), game.start()
    assert len(answers) == 6, "the hat may stay, so nobody needs to say so"
    for answer in answers:
        game.apply(game.box, s, answer)
    assert {name: n for name, n in game.facts(s).items() if n} == {**wanted, "hat@Ann": 1}
    assert filler(game).answers({**wanted, "hat@Bo": 1})[-1] == 1


def test_half_a_sheet_is_half_the_answers(game: Gifts) -> None:
    assert filler(game).answers({"coin@Bo": 2}) == [1, 1]


@pytest.mark.parametrize("wanted", [{"coin@Ann": 4}, {"ring@Ann": 1}, {"pearl@Ann": 1}, {"coin@Cy": 1}])
def test_what_cannot_be_is_refused(game: Gifts, wanted: dict[str, int]) -> None:
    with pytest.raises(ValueError, match="cannot be put there"):
        filler(game).answers(wanted)


def test_what_is_not_allowed_is_no_row(game: Gifts) -> None:
    game.rings_for_ann = False
    assert "ring@Ann" not in filler(game).sheet().rows


def test_what_is_asked_alone_has_no_sheet(game: Gifts) -> None:
    s = game.start()
    s["to_act"] = -1
    with pytest.raises(ValueError, match="one by one"):
        Filler(Parts(game), s)  # type: ignore[arg-type]
