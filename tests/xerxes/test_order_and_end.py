"""Turn order (X-O), its power (X-S5), the end of round and game (X-Z), Assyria (X-S8), solo."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tabletop.game import DRAWN, LOST, NOBODY, WON
from tabletop.log import Match
from tests.xerxes.table import Table
from xerxes_env import constants as c
from xerxes_env import load_game, steps

GAME = load_game()


@pytest.mark.rule("X-O1", "X-O3")
def test_who_stands_on_the_space_rearranges_all_tokens() -> None:
    table = Table(3).worker(1, "order").play("turn_order")
    assert table.asked == "next_place" and table.to_act == 1 and table.options == ["seat 0", "seat 1", "seat 2"]
    table.choose("seat 2")
    assert table.order.tolist()[:3] == [0, 1, 2]  # until all are placed
    table.choose("seat 1")
    assert table.order.tolist() == [2, 1, 0, -1] and table.new_order.tolist() == [-1] * 4
    table.play("end")
    assert table.asked == "place" or table.to_act == 2
    assert table.to_act == 2  # begins the next round


@pytest.mark.rule("X-O2")
def test_otherwise_the_order_stays() -> None:
    assert Table(3).put(order=[2, 0, 1, -1]).play("turn_order").order.tolist() == [2, 0, 1, -1]


@pytest.mark.rule("X-O3")
def test_no_phase_comes_between_the_new_order_and_the_next_round() -> None:
    table = Table(3).worker(1, "order").put(resource=3).play("tax", "turn_order")
    assert table.asked == "next_place" and table.order.tolist()[:3] == [0, 1, 2]


@pytest.mark.rule("X-S5", "X-S0", "X-ruling-9")
def test_lydia_rearranges_if_the_space_is_empty() -> None:
    table = Table(2, "India,Lydia").play("turn_order")
    assert table.asked == "rearrange" and table.to_act == 1 and table.options == ["done", "power"]
    kept = table.copy().choose("done")
    assert kept.power[1] == 1 and kept.asked == "halt"
    table.choose("power")
    assert table.power[1] == 0 and table.to_act == 1
    assert table.choose("seat 1").order.tolist()[:2] == [1, 0]
    assert table.play("turn_order").asked == "halt"
    assert Table(2, "India,Lydia").worker(0, "order").play("turn_order").asked == "next_place"


@pytest.mark.rule("X-Z1")
def test_workers_come_back_satraps_stand_up_and_the_year_advances() -> None:
    table = (
        Table(2, event=0)
        .put(standing=0, gained=[[1] * 6, [1] * 6, [0] * 6, [0] * 6])
        .worker(0, "order")
        .worker(1, "Elam")
        .play("end")
    )
    assert table.round == 2 and (table.worker_at("order"), table.worker_at("Elam")) == (-1, -1)
    assert table.standing.tolist() == [1, 1, 0, 0] and not table.gained.any() and table.asked == "place"


@pytest.mark.rule("X-Z2")
@pytest.mark.parametrize(("vp", "year", "over", "cause"), [
    (24, 1, False, None), (25, 1, True, "25 VP"), (31, 3, True, "25 VP"), (24, 7, True, "seven rounds"),
    (25, 7, True, "25 VP"), (24, 6, False, None),
])  # fmt: skip
def test_the_game_ends_at_25_vp_or_after_seven_rounds(vp: int, year: int, over: bool, cause: str | None) -> None:
    table = Table(2).put(vp=[vp, 3, 0, 0], round=year).play("end")
    assert (table.to_act == NOBODY) == over
    if cause:
        assert GAME.causes[table.cause] == cause


@pytest.mark.rule("X-Z2")
def test_the_round_is_finished_first() -> None:
    table = Table(2).put(vp=[25, 3, 0, 0], resource=3).play("building", "end")
    assert table.asked == "build" and table.to_act == 0


def ended(players: int = 2, **fields: Any) -> Table:
    return Table(players, "Lydia,India,Babylonia,Parthia".rsplit(",", 4 - players)[0]).put(round=7, **fields)


def ranks(table: Table) -> list[int]:
    return [int(n) for n in table.play("end").rank[: table.players]]


@pytest.mark.rule("X-Z3")
def test_most_vp_wins() -> None:
    table = ended(3, vp=[12, 20, 15, 0])
    assert ranks(table) == [3, 1, 2]
    result, place, score = (part[0].tolist() for part in GAME.results(table.record))
    assert result == [LOST, WON, LOST, 0] and place == [3, 1, 2, 0] and score == [12, 20, 15, 0]
    assert table.paid.tolist() == [-0.5, 1.0, -0.5, 0.0]


@pytest.mark.rule("X-Z4")
def test_ties_are_broken_one_after_the_other() -> None:
    """Each later one counts only if all before it are tied."""

    def tied() -> Table:
        return ended(vp=[9, 9, 0, 0], power=0)

    steps_of = [
        lambda table, seat: table.played(seat, march=(seat,)),
        lambda table, seat: table.put(owner=[seat, -1, -1, -1, -1, -1]),
        lambda table, seat: table.played(seat, tax=(seat,)),
        lambda table, seat: table.has(seat, gold=1),
        lambda table, seat: table.put(power=[1 - seat, seat, 0, 0]),
    ]
    for i, first in enumerate(steps_of):
        assert ranks(first(tied(), 1)) == [2, 1] and ranks(first(tied(), 0)) == [1, 2]
        for later in steps_of[i + 1 :]:
            assert ranks(later(first(tied(), 1), 0)) == [2, 1]


@pytest.mark.rule("X-Z5")
def test_the_victory_is_shared_if_all_is_tied() -> None:
    table = ended(3, vp=[9, 9, 3, 0])
    assert ranks(table) == [1, 1, 3]
    assert GAME.results(table.record).result[0].tolist() == [DRAWN, DRAWN, LOST, 0]
    assert table.paid.tolist() == [0.5, 0.5, -1.0, 0.0]
    assert ranks(ended(2, vp=[9, 9, 0, 0])) == [1, 1]


@pytest.mark.rule("X-Z6")
def test_at_the_end_resources_count_as_they_lie() -> None:
    table = ended(vp=[9, 9, 0, 0]).worker(0, "Persis").has(1, wool=1)
    assert ranks(table) == [2, 1] and table.round == 7 and table.worker_at("Persis") == 0


@pytest.mark.rule("X-S8", "X-S0")
def test_assyria_keeps_all_cards_and_has_no_power_to_use() -> None:
    match = Match(GAME, GAME.configure(2, "Assyria,India"), 3)
    rng = np.random.default_rng(0)
    while steps.NAMES[match.s["op"][0, match.s["sp"][0] - 1]] != "place":
        assert match.s["to_act"] == 1
        match.act(int(rng.choice(np.flatnonzero(match.legal()))))
    held = {kind: [int((match.s[kind][0] == c.HAND + seat).sum()) for seat in (0, 1)] for kind in ("tax", "march")}
    assert held == {"tax": [6, 5], "march": [4, 3]} and match.s["power"][0].tolist() == [0, 1, 0, 0]


@pytest.mark.rule("X-S0")
def test_powers_are_used_once_a_game() -> None:
    """In whole games no token comes back."""
    for seed in range(4):
        match, rng, before = Match(GAME, GAME.configure(4), seed), np.random.default_rng(seed), None
        while not match.over:
            match.act(int(rng.choice(np.flatnonzero(match.legal()))))
            power = match.s["power"][0].copy()
            assert before is None or match.s["round"] == 1 or (power <= before).all()
            before = power


@pytest.mark.rule("X-ruling-8")
def test_alone_nobody_is_hurt_and_25_vp_win() -> None:
    table = Table(1).has(0, grain=3, wood=1, stone=1).play("building").choose("granary")
    assert table.asked == "halt" and table.vp[0] == 7
    for vp, result, paid in ((25, WON, 1.0), (24, LOST, -1.0)):
        table = Table(1).put(vp=[vp, 0, 0, 0], round=7).play("end")
        assert GAME.results(table.record).result[0, 0] == result and table.paid[0] == paid
    assert Table(1, "India").put(resource=0).play("building", "tax").asked == "halt"
    assert Table(1, "Lydia").play("turn_order").asked == "halt"
