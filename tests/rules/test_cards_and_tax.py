"""Stage 4: each player draws, and the gates' areas pay (rulebook pp. 22-23)."""

from __future__ import annotations

import pytest

from tests.table import Table

HANDS = [[f"SAM-{n:03d}" for n in range(first, first + 5)] for first in (80, 90)]
GATES = {area: {"gate": True} for area in ("Phrygia", "Cyprus", "Urartu", "Assyria")}


def hands(table: Table) -> list[set[str]]:
    return [set(seat["hand"]) for seat in table.dump()["seats"]]


@pytest.mark.rule("H1")
@pytest.mark.parametrize(("players", "cards"), [(1, 2), (2, 1), (3, 1), (4, 1), (5, 1)])
def test_each_player_draws(players: int, cards: int) -> None:
    table = Table(players=players).stage("draw")
    for _ in range(players * cards):
        assert table.prompt() == "draw_card"
        table.choose(table.options()[0])
    assert table.prompt() == "halt"
    assert [len(hand) for hand in hands(table)] == [cards] * players


@pytest.mark.rule("H1")
def test_the_sixth_card_is_too_many_and_the_player_chooses() -> None:
    table = Table(players=2, seats=[{"hand": HANDS[0]}, {"hand": []}]).stage("draw", "SAM-079", "SAM-100")
    assert table.prompt() == "discard"
    assert table["to_act"] == 0
    assert set(table.options()) == {"SAM-079", *HANDS[0]}
    table.choose("SAM-082")
    assert hands(table) == [{"SAM-079", *HANDS[0]} - {"SAM-082"}, {"SAM-100"}]
    assert table.dump()["ashur_discard"] == ["SAM-082"]


@pytest.mark.rule("H1")
def test_alone_the_limit_is_seven() -> None:
    table = Table(players=1, seats=[{"hand": [*HANDS[0], "SAM-100"]}]).stage("draw", "SAM-079", "SAM-101")
    assert table.prompt() == "discard"
    table.choose("SAM-079")
    assert table.prompt() == "halt"
    assert len(hands(table)[0]) == 7


@pytest.mark.rule("H2")
def test_taxation_example() -> None:
    """Phrygia, Cyprus, Urartu and Assyria offer iron 4, copper 2, textile 2; six of them are taken."""
    people = {"Dinah": {"location": "Kalhu"}, "Besime": {"location": "Kalhu", "player": 0}}
    table = Table(areas=GATES, characters=people).stage("tax")
    assert table.options() == ["textile", "iron", "copper"]
    table.choose("iron", "Sammu-ramat", "iron", "Sammu-ramat", "textile", "Dinah", "copper", "Dinah")
    table.choose("iron", "Besime", "textile", "Besime")
    assert table.prompt() == "halt"
    assert table.who("Sammu-ramat")["goods"] == {"iron": 2}
    assert table.who("Dinah")["goods"] == {"textile": 1, "copper": 1}
    assert table.who("Besime")["goods"] == {"textile": 1, "iron": 1}


@pytest.mark.rule("H2")
@pytest.mark.parametrize(("good", "n"), [("iron", 4), ("copper", 2), ("textile", 2)])
def test_the_four_gates_of_the_example_offer_so_many(good: str, n: int) -> None:
    table = Table(areas=GATES).stage("tax")
    for _ in range(n):
        table.choose(good)
    assert good not in table.options()


@pytest.mark.rule("H2")
def test_two_goods_for_each_gate_and_none_without() -> None:
    table = Table(areas={"Canaan": {"gate": True}, "Medes": {"supply": 2}}).stage("tax")
    assert table.who("Sammu-ramat")["goods"] == {"textile": 2}
    assert "goods" not in Table().stage("tax").who("Sammu-ramat")


@pytest.mark.rule("H2", "N8")
def test_tax_is_limited_by_the_pool() -> None:
    people = {"Besime": {"status": "away", "goods": {"textile": 45}}}
    table = Table(areas={"Canaan": {"gate": True}}, characters=people).stage("tax")
    assert table.who("Sammu-ramat")["goods"] == {"textile": 1}
