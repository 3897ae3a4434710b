"""Xerxes at a table with the real box: what the coach is told."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from tabletop import agents, record
from tabletop.coach import laws
from tabletop.coach.parts import Parts, prompt
from tabletop.coach.table import Table as Kept
from tabletop.coach.telling import deeds, told
from tabletop.coach.view import View
from tabletop.game import CHANCE, Record, legal_mask, new_state
from tests.deeds import choices_are_covered
from tests.positions import boxed
from tests.xerxes.golden import GAME
from tests.xerxes.table import HEIR, LEVY, Table, number
from xerxes_env import actions, load_game, steps
from xerxes_env import constants as c


def test_its_parts_keep_their_promises() -> None:
    laws.check(GAME, boxed(GAME, 2), seeds=[1], every=10)
    laws.check(GAME, boxed(GAME, 1), seeds=[1], every=10)


@pytest.mark.slow
@pytest.mark.parametrize("players", [1, 2, 3, 4])
def test_its_parts_keep_their_promises_everywhere(players: int) -> None:
    laws.check(GAME, boxed(GAME, players), seeds=[players])


def stand(op: int, players: int = 2) -> Record:
    """Where the scripted player is first asked something, or chance."""
    s, mask, scripted = new_state(GAME), np.zeros((1, GAME.n_actions), np.int8), agents.make("scripted", GAME)
    GAME.reset(GAME.box, s, boxed(GAME, players), 1)
    while s["op"][0, s["sp"][0] - 1] != op:
        GAME.legal(GAME.box, s, mask[0])
        chance = s["to_act"][0] == CHANCE
        GAME.apply(GAME.box, s, int(GAME.sample(GAME.box, s) if chance else scripted.act(s, mask)[0]))
    return s


def texts(s: Record, action: int, seat: int | None = None, lang: str = "en") -> list[str]:
    """What is to be moved once a choice is made."""
    return [one.text for one in told(Parts(GAME), s, action, lang, seat)]


def test_a_worker_goes_to_an_area() -> None:
    s = stand(steps.PLACE)
    seat, there = int(s["to_act"][0]), actions.AREA + c.AREAS.index("Elam")
    said = f"mat of satrap {seat + 1}: 1 × worker of satrap {seat + 1} → Elam"
    assert texts(s, there)[0] == texts(s, there, 1 - seat)[0] == said
    assert texts(s, there, lang="ja")[0] == f"太守{seat + 1}のボード：太守{seat + 1}のワーカー×1 → エラム"
    assert GAME.place(s, there) == "Elam" and GAME.place(s, actions.AREA + c.ORDER_SPACE) == "order"


def test_a_card_that_is_dealt_is_told_to_its_owner() -> None:
    s = stand(steps.DRAW_TAX)
    owner, parts = int(s["arg"][0, s["sp"][0] - 1, 0]), Parts(GAME)
    card = actions.TAX + 3
    assert [parts.sees(s, card, seat) for seat in (owner, 1 - owner)] == [True, False]
    assert texts(s, card, owner)[0].startswith(f"hand of satrap {owner + 1}: put 1 × tax card 4 (")
    assert texts(s, card, 1 - owner) == []


def test_what_may_be_drawn_does_not_tell_what_others_hold() -> None:
    s = stand(steps.DRAW_TAX, 3)
    while not 0 < (s["tax"][0] == c.HAND).sum() == (s["tax"][0] == c.HAND + 1).sum():
        assert GAME.apply(GAME.box, s, GAME.sample(GAME.box, s))
    top = int(s["sp"][0]) - 1
    assert s["op"][0, top] == steps.DRAW_TAX
    unseen = {seat: set(np.flatnonzero(s["tax"][0] != c.HAND + seat) + actions.TAX) for seat in range(3)}
    deck = set(np.flatnonzero(s["tax"][0] == c.DECK) + actions.TAX)
    assert all(set(Parts(GAME).thinkable(s, seat)) == unseen[seat] > deck for seat in range(3))
    assert set(Parts(GAME).thinkable(s, None)) == set(range(actions.TAX, actions.TAX + c.N_TAX))


def test_the_table_tells_what_all_know(tmp_path: Path) -> None:
    with closing(Kept.create(GAME, tmp_path / "game.jsonl", GAME.configure(3), 1)) as table:
        while prompt(table.state()) != steps.DRAW_TAX:
            table.do([None])
        s = table.state()
        owner = int(s["arg"][0, s["sp"][0] - 1, 0])
        table.do([actions.TAX + 3])
        phones = {seat: View(table, seat=seat) for seat in (None, 0, 1, 2)}
        for seat, phone in phones.items():
            last, (entry,) = phone.state()["last"], phone.history()[-1]["entries"]
            assert bool(last["said"]) is bool(entry["said"]) is (seat == owner)
            assert bool(last["noticed"]) is bool(entry["noticed"])
            assert ("tax card 4" in str({**phone.state(), "options": None})) is (seat == owner)
        with pytest.raises(ValueError, match="not to be put right here"):
            phones[None].choices(table.head())
        table.undo()
        assert phones[owner].state()["remembered"] == [actions.TAX + 3] and phones[None].state()["remembered"] == []
        put_back = [phones[seat].state()["todo"][0]["text"] for seat in (owner, None)]
        assert "tax card 4" in put_back[0] and put_back[1] == "Who drew a card that others do not see puts it back"
        table.redo()
        other = owner
        while other == owner or prompt(s) != steps.DRAW_TAX:
            last = np.flatnonzero(legal_mask(GAME, table.state())).tolist()[-1]  # never discards that card
            table.do([None if table.state()["to_act"][0] == CHANCE else last])
            s = table.state()
            other = int(s["arg"][0, s["sp"][0] - 1, 0])
        assert actions.TAX + 3 in [option["action"] for option in View(table, seat=other).state()["options"]]
        with pytest.raises(ValueError, match="lies elsewhere"):
            View(table, seat=other).check_draw(s, actions.TAX + 3)


def test_what_a_rival_plays_stands_in_the_history(tmp_path: Path) -> None:
    with closing(Kept.create(GAME, tmp_path / "game.jsonl", GAME.configure(2), 1)) as table:
        while prompt(s := table.state()) != steps.TAX or legal_mask(GAME, s)[actions.TAX :].sum() < 1:
            table.do([None if s["to_act"][0] == CHANCE else int(np.flatnonzero(legal_mask(GAME, s))[-1])])
        card = int(np.flatnonzero(legal_mask(GAME, s))[-1])
        name = GAME.words(s, card).split(" (")[0]
        assert name.startswith("tax card")
        table.do([card])
        for seat in (0, 1, None):
            entry = View(table, seat=seat).history()[-1]["entries"][0]
            assert name in entry["noticed"] and bool(entry["said"]) == (seat == s["to_act"][0])


def test_a_hand_is_seen_by_its_owner() -> None:
    s = stand(steps.DISCARD_MARCH)
    asked = int(s["to_act"][0])
    assert [Parts(GAME).sees(s, actions.MARCH, seat) for seat in (asked, 1 - asked)] == [True, False]


def test_a_hand_is_shown_to_its_owner() -> None:
    s = stand(steps.MARCH)
    asked = int(s["to_act"][0])
    hands = GAME.hands(s, "en", asked)
    held = [int((s["march"] == c.HAND + seat).sum() + (s["tax"] == c.HAND + seat).sum()) for seat in range(2)]
    assert hands[1 - asked]["cards"] is None and [hand["n"] for hand in hands] == held
    cards = hands[asked]["cards"] or ()
    assert len(cards) == hands[asked]["n"] and all(card["title"].startswith(card["id"][:3]) for card in cards)
    assert "徴税カード" in str(GAME.hands(s, "ja", asked)[asked]["cards"])
    assert [hand["cards"] for hand in GAME.hands(s)] == [None, None], "the table's phone shows none"
    (alone,) = GAME.hands(stand(steps.MARCH, 1))
    assert alone["cards"]


@pytest.mark.parametrize("op", [steps.MARCH, steps.TAX])
def test_who_could_play_a_card_can_play_it(op: int) -> None:
    s, mask = stand(op), np.zeros(GAME.n_actions, np.int8)
    asked, kind = int(s["to_act"][0]), "march" if op == steps.MARCH else "tax"
    GAME.legal(GAME.box, s, mask)
    may = {f"{kind}-{i + 1:02}" for i in range(c.N_MARCH if kind == "march" else c.N_TAX)
           if mask[actions.FIRST[kind] + i]}  # fmt: skip
    hand = GAME.hands(s, "en", asked)[asked]["cards"] or ()
    assert may and {card["id"] for card in hand if card["by"]} == may
    assert {tuple(card["by"]) for card in hand} == {(), (f"satrap {asked + 1}",)}


def said(table: Table, *names: str, lang: str = "en") -> list[str]:
    """Choices as deeds."""
    made = []
    for name in names:
        made.append((record.copy(table.record), number(name)))
        table.choose(name)
    assert sum(one.n for one in table.game.deeds(made, lang)) == len(made)
    return deeds(Parts(table.game), made, lang)


def test_a_march_is_one_sentence() -> None:
    table = Table(3, event=LEVY).hand(0, march=(0,)).worker(0, "Phrygia", "Persis").worker(0, "Elam").play("march")
    assert said(table, "march 0", "Persis", "Phrygia", "Elam", "seat 2") == [
        "satrap 1 marches: march card 1 (2 infantry, archers), infantry of Persis, infantry of Phrygia, "
        "archers of Elam, satrap 3 loses 1 VP"
    ]


def test_what_is_built_is_one_sentence() -> None:
    table = Table(3, "Parthia,Lydia,Bactria").has(0, wood=1, stone=2, gold=1, wool=1).play("building")
    assert said(table, "road", "gold", "done", "seat 1", "seat 2") == [
        "satrap 1 builds: road (wood, 2 stone, copper: 4 VP, others -2), gold instead of copper, satrap 2 loses 1 VP, "
        "satrap 3 loses 1 VP"
    ]


def test_what_is_taken_is_one_sentence() -> None:
    table = Table(2, "India,Lydia").has(1, wood=1, gold=1).play("tax")
    assert said(table, "power", "gold") == ["satrap 1 takes gold from satrap 2"]


def test_a_worker_that_is_moved_is_one_sentence() -> None:
    table = Table(2, "Bactria,Lydia").worker(1, "Persis").play("placement")
    assert said(table, "Persis", "Elam") == ["satrap 1 places a worker in Persis; the one there goes to Elam"]
    assert said(Table(2).play("placement"), "Elam")[0].startswith("mat of satrap 1: 1 × worker")


def test_a_turn_order_is_one_sentence() -> None:
    table = Table(3).worker(1, "order").play("turn_order")
    assert said(table, "seat 2", "seat 0") == ["satrap 2 sets the turn order: satrap 3, satrap 1, satrap 2"]
    table = Table(3).worker(1, "order").play("turn_order")
    assert said(table, "seat 2", "seat 0", lang="ja") == ["太守2がターン順を変更：太守3、太守1、太守2"]


def test_resources_that_are_gained_are_one_sentence() -> None:
    table = Table(2, event=HEIR).play("resources")
    assert said(table, "gold", "wood", "gold") == ["satrap 1 gains wood, 2 gold"]


@pytest.mark.parametrize("players", [1, 2, 4])
def test_deeds_cover_every_choice(players: int) -> None:
    choices_are_covered(GAME, boxed(GAME, players), 3)


def test_a_card_is_put_right_in_the_owners_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("")
    game = load_game(str(mine))
    before = game.card("march-01")
    assert not before["printed"] and "2 ships" not in before["text"]
    right = game.differs("march-01", {"units": ["ships", "ships"]})
    assert "2 ships" in right.card("march-01")["text"]
    assert "units = [" in right.edition_text() == mine.read_text()
    for card, values, named in (("tax-03", {"luck": 1}, "luck"), ("tax-99", {}, "tax-01")):
        with pytest.raises(ValueError, match=named):
            right.differs(card, values)
    assert right.take_edition("").card("march-01") == before
    with pytest.raises(ValueError, match="--edition"):
        GAME.differs("march-01", {})
