"""Setup (X-A) and the order of phases (X-R)."""

from __future__ import annotations

import numpy as np
import pytest

from tabletop.game import CHANCE
from tabletop.log import Match
from tests.xerxes.table import Table, name_of, number
from xerxes_env import actions, load_game, steps
from xerxes_env import constants as c

GAME = load_game()


def begun(players: int = 4, seed: int = 1, manual: bool = False, satraps: str | None = None) -> Match:
    return Match(GAME, GAME.configure(players, satraps), seed, manual_chance=manual)


def asked(match: Match) -> str:
    return steps.NAMES[match.s["op"][0, match.s["sp"][0] - 1]]


def play_until(match: Match, prompt: str) -> Match:
    rng = np.random.default_rng(0)
    while asked(match) != prompt:
        match.act(int(rng.choice(np.flatnonzero(match.legal()))))
    return match


def held(match: Match, kind: str, seat: int) -> int:
    return int((match.s[kind][0] == c.HAND + seat).sum())


@pytest.mark.rule("X-A1")
def test_events_are_drawn_unseen_and_all_are_as_likely() -> None:
    match = play_until(begun(2, manual=True), "draw_event")
    weights = np.zeros(GAME.n_actions)
    GAME.weights(GAME.box, match.s, weights)
    assert match.s["to_act"] == CHANCE and weights[actions.EVENT :][: c.N_EVENTS].tolist() == [1 / 8] * 8
    first = {int(play_until(begun(2, seed), "build").s["event"][0]) for seed in range(40)}
    assert len(first) > 5


@pytest.mark.rule("X-A2", "X-ruling-18")
def test_each_takes_another_mat_and_one_of_its_sides() -> None:
    seen = set()
    for seed in range(30):
        satraps = begun(4, seed).s["satrap"][0]
        assert sorted(GAME.box["mat"][0][satraps]) == [0, 1, 2, 3]
        seen |= set(satraps.tolist())
    assert seen == set(range(8))


@pytest.mark.rule("X-ruling-18")
def test_satraps_may_be_named() -> None:
    assert begun(2, satraps="Assyria, lydia").s["satrap"][0].tolist() == [c.ASSYRIA, c.LYDIA, -1, -1]
    with pytest.raises(ValueError, match="Aegyptus or Babylonia"):
        GAME.configure(2, ["Aegyptus", "Babylonia"])
    with pytest.raises(ValueError, match="choose from Aegyptus"):
        GAME.configure(1, "Xerxes")


@pytest.mark.rule("X-A3")
def test_everybody_has_a_satrap_two_workers_and_a_power_token() -> None:
    match = play_until(begun(3, satraps="Aegyptus,India,Lydia"), "place")
    assert match.s["power"][0].tolist() == [1, 1, 1, 0] and match.s["standing"][0].tolist() == [1, 1, 1, 0]
    for seat in range(3):
        assert (match.s["worker"][0] == seat).sum() == 0
    play_until(match, "build")
    assert match.s["round"] == 1 and (c.WORKERS, c.TOKENS) == (2, 3)


@pytest.mark.rule("X-A4", "X-A6", "X-A5")
def test_six_tax_cards_and_four_march_cards_each_of_which_one_is_discarded() -> None:
    match = begun(3, satraps="Aegyptus,India,Lydia")
    assert asked(match) == "discard_tax" and [held(match, "tax", seat) for seat in range(3)] == [6, 6, 6]
    for _ in range(3):
        assert len(np.flatnonzero(match.legal())) == 6
        match.act(int(match.legal().argmax()))
    assert asked(match) == "discard_march" and [held(match, "tax", seat) for seat in range(3)] == [5, 5, 5]
    assert [held(match, "march", seat) for seat in range(3)] == [4, 4, 4]
    for _ in range(3):
        assert len(np.flatnonzero(match.legal())) == 4
        match.act(int(match.legal().argmax()))
    assert asked(match) == "place" and [held(match, "march", seat) for seat in range(3)] == [3, 3, 3]


def dealt(hands: list[tuple[int, ...]]) -> Match:
    """A game in which chance deals these tax cards."""
    match = play_until(begun(2, manual=True, satraps="Aegyptus,India"), "draw_tax")
    for hand in hands:
        for card in hand:
            match.act(actions.TAX + card)
    return match


@pytest.mark.rule("X-A4", "X-ruling-1")
@pytest.mark.parametrize(("hand", "again"), [
    ((0, 1, 2, 3, 4, 12), True), ((12, 13, 14, 15, 16, 0), True), ((0, 1, 2, 3, 12, 13), False),
])  # fmt: skip
def test_a_hand_with_five_of_one_kind_of_reward_is_dealt_again(hand: tuple[int, ...], again: bool) -> None:
    match = dealt([(6, 7, 8, 18, 19, 20), hand])
    assert (asked(match) == "draw_tax") == again and match.s["redeals"] == int(again)
    if again:
        assert (match.s["tax"] == c.DECK).all()  # of everybody
    else:
        assert asked(match) == "discard_tax"


@pytest.mark.rule("X-A7", "X-A9")
def test_resources_and_vp_begin_at_nothing_in_year_1() -> None:
    match = play_until(begun(4), "place")
    assert not match.s["resource"].any() and not match.s["vp"].any() and match.s["round"] == 1


@pytest.mark.rule("X-A7")
def test_satraps_stand_at_home() -> None:
    table = Table(2, "Lydia,Parthia").play("placement")
    assert "Lydia" not in table.options and "Parthia" not in table.options and "Sogdia" in table.options


@pytest.mark.rule("X-A8")
def test_the_turn_order_is_random() -> None:
    orders = {tuple(begun(3, seed).s["order"][0].tolist()) for seed in range(60)}
    assert len(orders) == 6 and all(sorted(order) == [-1, 0, 1, 2] for order in orders)


@pytest.mark.rule("X-A10")
def test_discards_are_out_of_the_game_and_known_to_their_owner_alone() -> None:
    match = begun(2, satraps="Aegyptus,India")
    first, second = (int(seat) for seat in match.s["order"][0][:2])
    card = int(match.legal().argmax())
    assert match.s["to_act"] == first
    before = [GAME.describe(match.s, seat=seat) for seat in (first, second)]
    match.act(card)
    assert match.s["to_act"] == second and match.s["tax"][0, card - actions.TAX] == c.OUT + first
    told = GAME.words(match.s, card)
    assert f"discarded: {told}" in GAME.describe(match.s, seat=first) and told not in before[1]
    assert told not in GAME.describe(match.s, seat=second)
    world = GAME.resample(match.s, second, np.random.default_rng(3))
    assert (world["tax"][0] == c.OUT + first).sum() == 1  # another one, as far as the second knows
    play_until(match, "build")
    assert match.s["tax"][0, card - actions.TAX] == c.OUT + first


@pytest.mark.rule("X-R1")
def test_the_phases_of_a_round_in_their_order() -> None:
    match, rng, seen = begun(4, 3), np.random.default_rng(1), []
    while match.s["round"][0] == 1:
        phase = int(match.s["phase"][0])
        if not seen or seen[-1] != phase:
            seen.append(phase)
        match.act(int(rng.choice(np.flatnonzero(match.legal()))))
    assert seen == sorted(seen) and {c.SETUP, c.PLACEMENT, c.RESOURCE} <= set(seen)
    table = Table(2, event=-1).push((steps.HALT,), (steps.ROUND,))
    below = [steps.NAMES[op] for op in table.op[: table.sp]]
    phases = [int(a[0]) for op, a in zip(table.op[: table.sp], table.arg, strict=False) if op == steps.TURNS]
    assert below[:3] == ["halt", "end_round", "turn_order"] and below[-1] == "place"
    assert phases == [c.TAX, c.BUILDING, c.BUILDING, c.RESOURCE, c.MARCH, c.EVENT, c.PLACEMENT, c.PLACEMENT]


@pytest.mark.rule("X-R2")
def test_players_act_in_turn_order() -> None:
    table = Table(3).put(order=[2, 0, 1, -1]).play("placement")
    asked_seats = []
    for _ in range(6):
        asked_seats.append(table.to_act)
        table.choose(table.options[0])
    assert asked_seats == [2, 0, 1, 2, 0, 1]


def test_names_of_choices_and_numbers_go_both_ways() -> None:
    assert all(number(name_of(i)) == i for i in range(actions.SATRAP))
