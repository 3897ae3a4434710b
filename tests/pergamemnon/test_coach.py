"""Pergamemnon at a table with the real cards: what the coach is told."""

from __future__ import annotations

from contextlib import closing
from pathlib import Path

import numpy as np
import pytest

from pergamemnon_env import load_game, steps
from tabletop import record
from tabletop.agents.findings import Findings, Teller
from tabletop.agents.plans import Turn
from tabletop.coach import laws
from tabletop.coach.parts import Parts, prompt
from tabletop.coach.table import Table as Kept
from tabletop.coach.telling import deeds, told
from tabletop.coach.view import View
from tabletop.plays import begun, mask_of
from tests.deeds import choices_are_covered
from tests.pergamemnon.golden import GAME
from tests.pergamemnon.table import Table, action
from tests.positions import boxed


def test_its_parts_keep_their_promises() -> None:
    laws.check(GAME, boxed(GAME, 2), seeds=[1], every=10)


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_its_parts_keep_their_promises_everywhere(players: int) -> None:
    laws.check(GAME, boxed(GAME, players), seeds=[players], every=3)


def texts(table: Table, name: str, seat: int | None = None, lang: str = "en") -> list[str]:
    """What is to be moved once a choice is made."""
    made = action(name, int(table.s["to_act"][0]), int(table.s["players"][0]))
    return [one.text for one in told(Parts(table.game), table.s, made, lang, seat)]


def test_a_hired_creature_and_the_hand_are_discarded() -> None:
    table = Table("Rome", "Egypt", hand={0: "Caesar, 2 Legionary"}, charisma=[5, 1]).choose("hire")
    orthos, hand, charisma = texts(table, "Orthos", 0)
    assert orthos == "the middle: 1 × Orthos → discard pile of player 1"
    assert hand == "hand of player 1: 1 × Caesar, 2 × Legionary → discard pile of player 1"
    assert charisma == "under the city of player 1: 1 × charisma card → charisma stock"
    shown = "discard pile of player 1: put 1 × Caesar, 2 × Legionary"
    assert texts(table, "Orthos") == texts(table, "Orthos", 1) == [orthos, shown, charisma]


def test_a_card_face_down_is_told_to_who_lays_it() -> None:
    table = Table("Rome", "Egypt", hand={0: "Legionary, Centurio, Eques"}).choose("attack", "sword")
    moved = ["hand of player 1: 1 × Legionary → battle row of player 1"]
    assert texts(table, "Legionary", seat=0) == moved
    assert texts(table, "Legionary", seat=1) == texts(table, "Legionary") == []
    assert texts(table, "Legionary", seat=0, lang="ja") == ["プレイヤー1の手札：軍団兵×1 → プレイヤー1の戦闘カード"]


def test_what_shows_a_hand_is_seen_by_its_owner() -> None:
    table, parts = Table("Rome", "Egypt", hand={0: "Legionary, Centurio, Eques"}), Parts(GAME)
    assert parts.sees(table.s, action("attack"), 1)
    table.choose("attack", "sword")
    assert [parts.sees(table.s, action("Legionary"), seat) for seat in (0, 1)] == [True, False]


def test_a_hand_is_shown_to_its_owner() -> None:
    table = Table("Rome", "Egypt", hand={0: "2 Legionary, Caesar"})
    hands = table.game.hands(table.s, "en", 0)
    assert [hand["n"] for hand in hands] == [3, 3] and hands[1]["cards"] is None
    cards = hands[0]["cards"] or ()
    assert [card["title"] for card in cards] == ["Caesar", "Legionary", "Legionary"]
    assert cards[0]["text"].startswith("sword ") and "leader" in cards[0]["text"]
    assert table.game.hands(table.s, "ja", 0)[0]["cards"][0]["title"] == "カエサル"  # type: ignore[index]
    assert [hand["cards"] for hand in table.game.hands(table.s)] == [None, None], "the table's phone shows none"


def test_who_could_play_a_card_can_play_it() -> None:
    table = Table("Rome", "Egypt", hand={0: "Legionary, Caesar, Sagittarius", 1: "Priest, Spearman, Nefertiti"})

    def plays(seat: int) -> list[str]:
        hand = table.game.hands(table.s, "en", seat)[seat]["cards"] or ()
        return [card["id"] for card in hand if card["by"]]

    assert plays(0) == ["Caesar", "Legionary", "Sagittarius"] and plays(1) == []
    table.choose("attack", "sword")
    assert plays(0) == ["Caesar", "Legionary"] and plays(1) == []
    table.choose("Legionary")
    assert plays(0) == [] and plays(1) == ["Nefertiti", "Spearman", "Priest"]
    hired = Table("Rome", "Egypt", charisma=[5, 1]).choose("hire")
    assert not any(card["by"] for card in hired.game.hands(hired.s, "en", 0)[0]["cards"] or ())


def said(table: Table, *names: str, seat: int | None = None, lang: str = "en") -> list[str]:
    """Choices as deeds."""
    made = []
    for name in names:
        made.append((record.copy(table.s), action(name, table.asked, int(table.s["players"][0]))))
        table.choose(name)
    assert sum(one.n for one in table.game.deeds(made, lang, seat)) == len(made)
    return deeds(Parts(table.game), made, lang, seat)


@pytest.mark.parametrize(("lang", "text"), [
    ("en", "player 1 (Rome) hires Minotaur for 1 × charisma card, Nefertiti"),
    ("ja", "プレイヤー1 (ローマ)：ミノタウロスを補充（カリスマカード×1、ネフェルティティを支払う）"),
])  # fmt: skip
def test_a_creature_is_hired_in_one_sentence(lang: str, text: str) -> None:
    table = Table("Rome", "Egypt", hand={0: "Centurio, 2 Legionary"}, charisma=[3, 1], city={0: "Nefertiti"},
                  display="Dryad, Orthos, Griffin, Minotaur, Cyclops")  # fmt: skip
    assert said(table, "hire", "Minotaur", "charisma", "Nefertiti", lang=lang) == [text]


def test_an_attack_is_one_sentence_that_keeps_the_card() -> None:
    for seat, text in ((None, "sword, Legionary"), (0, "sword, Legionary"), (1, "sword")):
        table = Table("Rome", "Egypt", "Persia", hand={0: "Legionary, Caesar, Sagittarius"})
        told = said(table, "attack", "seat 1", "sword", "Legionary", seat=seat)
        assert told == [f"player 1 (Rome) attacks player 2 (Egypt): {text}"]


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_who_lays_a_card_is_told_nothing_of_the_other(lang: str) -> None:
    table = Table("Rome", "Egypt", hand={0: "Legionary, Caesar, Sagittarius", 1: "Nefertiti, 2 Archer of Kush"})
    table.choose("attack", "sword")
    before = record.copy(table.s)
    made = [(before, action("Legionary"))]
    lays = {"en": "player 1 (Rome) lays Legionary", "ja": "プレイヤー1 (ローマ)：軍団兵を出す"}[lang]
    hidden = {"en": "player 1 (Rome) lays a card face down", "ja": "プレイヤー1 (ローマ)：カードを裏向きに出す"}[lang]
    assert [deeds(Parts(GAME), made, lang, seat) for seat in (0, 1)] == [[lays], [hidden]]
    table.choose("Legionary")
    (text,) = said(table, "Archer of Kush", seat=1, lang=lang)
    assert text == {"en": "player 2 (Egypt) lays Archer of Kush",
                    "ja": "プレイヤー2 (エジプト)：クシュの弓兵を出す"}[lang]  # fmt: skip
    assert table.prompt == "reinforce"
    (text,) = said(table, "Nefertiti", seat=1, lang=lang)
    assert text == {"en": "player 2 (Egypt) reinforces with Nefertiti",
                    "ja": "プレイヤー2 (エジプト)：ネフェルティティで増援"}[lang]  # fmt: skip


def test_a_shuffled_discard_pile_is_told_as_the_draw_pile() -> None:
    table = Table("Rome", "Egypt", hand={0: "Centurio, 2 Legionary"}, charisma=[3, 1], draw={0: "Eques"},
                  discard={0: "Caesar, 3 Legionary"}, display="Dryad, Orthos, Griffin, Minotaur, Cyclops")  # fmt: skip
    table.choose("hire")
    moved = "discard pile of player 1: 1 × Caesar, 1 × Centurio, 5 × Legionary, 1 × Dryad → draw pile of player 1"
    for seat in (None, 0, 1):
        assert moved in texts(table, "Dryad", seat)
    assert "プレイヤー1の捨て札：" in (line := texts(table, "Dryad", 1, "ja")[-1]) and "→ プレイヤー1の山札" in line
    table.choose("Dryad")
    assert texts(table, "Caesar", 1) == ["draw pile of player 1: take 1 × card face down"]
    assert texts(table, "Caesar", 0) == ["draw pile of player 1: 1 × Caesar → hand of player 1"]


def test_what_is_put_back_is_told_once(tmp_path: Path) -> None:
    with closing(Kept.create(GAME, tmp_path / "game.jsonl", GAME.configure(2), 1)) as kept:
        kept.do([action("Rome")])
        kept.undo()
        said = [one["text"] for one in View(kept).state()["todo"]]
        assert said[0] == "Put back what was drawn: Rome" and not any("nation card" in text for text in said)
        assert any("city card of Rome" in text for text in said), "it says nothing of what came with it"
        while prompt(kept.state()) != steps.DRAW:
            kept.do([None])
        drawer = int(kept.state()["arg"][0, kept.state()["sp"][0] - 1, 0])
        kept.do([None])
        kept.undo()
        for seat in (None, 1 - drawer):
            unseen = [one["text"] for one in View(kept, seat=seat).state()["todo"]]
            assert unseen == ["Who drew a card that others do not see puts it back"]
        (own,) = [one["text"] for one in View(kept, seat=drawer).state()["todo"]]
        assert own.startswith("Put back what was drawn: ")


def test_what_a_rival_lays_open_stands_in_the_history(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    with closing(Kept.create(GAME, tmp_path / "game.jsonl", GAME.configure(2), 1)) as kept:
        while (s := kept.state())["to_act"][0] < 0 or prompt(s) != steps.LAY or s["laid"][0].any():
            attack = action("attack") if prompt(s) == steps.VERB else None
            kept.do([attack or (None if s["to_act"][0] < 0 else int(rng.choice(np.flatnonzero(mask_of(GAME, s)))))])
        told = []
        for _ in ("attacker", "defender"):
            s = kept.state()
            asked, card = int(s["to_act"][0]), int(mask_of(GAME, s).argmax())
            kept.do([card])
            views = [View(kept, seat=seat) for seat in (asked, 1 - asked, None)]
            lines = [view.history()[-1]["entries"][0]["noticed"] for view in views]
            assert [view.state()["last"]["noticed"] for view in views] == lines
            name = GAME.words(s, card, "en", asked)
            assert lines[0] == name and views[1].history()[-1]["entries"][0]["said"] == ""
            told.append([name.split(" (")[0] in line for line in lines])
        assert told == [[True, False, False], [True, True, True]], "the attacker's card lies face down"


def test_cards_are_discarded_in_one_sentence() -> None:
    table = Table("Rome", "Egypt", hand={0: "Legionary, Caesar, Sagittarius", 1: "Nefertiti, 2 Archer of Kush"})
    table.choose("attack", "sword", "Caesar", "Archer of Kush")  # 8 against a helmet of 6
    assert said(table, "done") == ["player 2 (Egypt): no reinforcement: lose the battle"]
    while table.prompt != "discard":
        table.choose("deck")
    assert said(table, "Nefertiti", "Archer of Kush") == ["player 2 (Egypt) discards Nefertiti, Archer of Kush"]


@pytest.mark.parametrize("players", [2, 4])
def test_deeds_cover_every_choice(players: int) -> None:
    choices_are_covered(GAME, boxed(GAME, players), 3)


def test_a_card_is_put_right_in_the_owners_file(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("")
    game = load_game(str(mine))
    before = game.card("Caesar")
    assert not before["printed"] and "sword 8" in before["text"]
    right = game.differs("Caesar", {"attack": 9})
    assert "sword 9" in right.card("Caesar")["text"] and right.edition != game.edition
    assert mine.read_text() == "[Rome.Caesar]\nattack = 9\n" == right.edition_text()
    for card, values, named in (
        ("Caesar", {"attack": 99}, "12"),
        ("Caesar", {"luck": 1}, "luck"),
        ("Cesar", {}, "Caesar"),
    ):
        with pytest.raises(ValueError, match=named):
            right.differs(card, values)
    assert right.take_edition("").card("Caesar") == before
    with pytest.raises(ValueError, match="--edition"):
        GAME.differs("Caesar", {"attack": 9})


def test_a_plan_ends_where_cards_are_revealed() -> None:
    revealed = 0
    for seed in range(20):
        s, rng = begun(GAME, GAME.configure(2), seed), np.random.default_rng(seed)
        while s["to_act"][0] >= 0 and revealed < 5:
            before, seat = record.copy(s), int(s["to_act"][0])
            GAME.apply(GAME.box, s, int(rng.choice(np.flatnonzero(mask_of(GAME, s)))))
            if s["open"][0] > before["open"][0] and s["to_act"][0] == seat:
                revealed += 1
                assert s["turn"][0] == before["turn"][0] and Turn(GAME, before).over(s)
    assert revealed == 5


def test_advice_to_rivals_speaks_of_no_team() -> None:
    found = Findings(Teller(GAME, begun(GAME, GAME.configure(2), 1)), rollouts=5, seconds=1.0, team="ppo")
    assert found.to_dict()["basis"] == "5 games played on, 1.0 s; it holds if all play on as ppo does"
    assert found.to_dict("ja")["basis"] == "5回先まで試した、1.0秒。この後全員がppoのように進めた場合"
