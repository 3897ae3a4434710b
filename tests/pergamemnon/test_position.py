"""Positions of Pergamemnon that people read and write."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pergamemnon_env import components, position, steps
from pergamemnon_env import constants as c
from pergamemnon_env.state import PILES
from tabletop import record
from tabletop.positions import PositionError
from tests.pergamemnon.golden import GAME
from tests.pergamemnon.test_coach import boxed
from tests.positions import round_trips, spoil

NAMES = components.names()
TWO = {"players": 2, "seats": [{"nation": "Rome"}, {"nation": "Egypt"}]}
BATTLE: dict[str, Any] = {
    "players": 2,
    "seats": [{"nation": "Rome", "hand": ["Caesar", "Eques"]}, {"nation": "Egypt", "hand": ["Nefertiti", "Priest"]}],
    "battle": {"attacker": 0, "defender": 1, "weapon": "sword", "attacker_laid": ["?"]},
    "pending": ["turn", {"step": "lay", "side": "defender", "seat": 1}],
}


def seats(**keys: Any) -> dict[str, Any]:
    """What is said of Rome."""
    return {"seats": [{"nation": "Rome", **keys}, {"nation": "Egypt"}]}


@pytest.mark.parametrize("players", c.PLAYERS)
def test_what_is_dumped_and_loaded_plays_on(players: int) -> None:
    for seed in range(2):
        round_trips(GAME, position, boxed(players), seed, every=3)
    round_trips(GAME, position, GAME.configure(players), 2, every=9)


@pytest.mark.slow
@pytest.mark.parametrize("players", c.PLAYERS)
def test_what_is_dumped_and_loaded_plays_on_in_many_games(players: int) -> None:
    for seed in range(200):
        round_trips(GAME, position, boxed(players), seed, every=9)


def test_the_least_that_is_said() -> None:
    s = GAME.position(TWO)
    assert s["to_act"][0] >= 0 and s["hand"][0, :2].sum(1).tolist() == [3, 3]
    assert (s["hand"][0] + s["draw"][0])[:2].sum(1).tolist() == [c.CARDS_OF_A_NATION] * 2
    assert s["stack"][0] == 8 and s["manual_chance"][0] == 1


def test_the_position_of_the_page() -> None:
    page = (Path(__file__).parents[2] / "docs" / "pergamemnon.md").read_text(encoding="utf-8")
    (text,) = re.findall(r"echo '(\{.*?\})' > here.json", page, re.S)
    s = GAME.position(json.loads(text))
    assert s["to_act"][0] == 0 and s["hand"][0, 1].sum() == 3
    assert position.dump(GAME.load(position.dump(s))) == position.dump(s)


@pytest.mark.parametrize("seed", range(20))
def test_unknown_cards_are_dealt_from_the_draw_pile(seed: int) -> None:
    hand, known = ["?", "Caesar", "?"], ["Eques"]
    s = position.load(GAME.box, {**TWO, **seats(hand=hand, known=known, discard=["Legionary"])}, seed)
    held = s["hand"][0, 0]
    assert held.sum() == 3 and held[NAMES.index("Caesar")] == 1 and held[NAMES.index("Eques")] >= 1
    whole = sum(s[pile][0].sum(0, dtype=int) for pile in PILES)
    own = slice(0, c.KINDS_OF_A_NATION)
    assert (whole[own] == GAME.box["copies"][0, own]).all()


@pytest.mark.parametrize("seed", range(20))
def test_an_unknown_card_face_down_shows_the_weapon(seed: int) -> None:
    s = position.load(GAME.box, BATTLE, seed)
    laid = int(s["row"][0, c.ATTACKER, 0]) - 1
    assert steps.PROMPTS[s["op"][0, s["sp"][0] - 1]] == "lay" and s["to_act"][0] == 1
    assert laid < c.KINDS_OF_A_NATION and GAME.box["weapon"][0, laid] == c.WEAPONS.index("sword")
    assert s["hand"][0, 0].sum() == 2


def test_a_position_of_seats_by_number() -> None:
    hand = {"Caesar": 1, "Eques": 1, "Sagittarius": 1}
    s = GAME.position({"players": 2, "seats": {"1": {"nation": "Egypt"}, "0": {"nation": "Rome", "hand": hand}}})
    assert [NAMES[kind] for kind in np.flatnonzero(s["hand"][0, 0])] == list(hand)


def test_another_turn_is_put_right_in_the_form() -> None:
    told = GAME.dump(GAME.position(TWO))
    told |= {"now": 1}
    told["seats"]["0"] |= {"charisma": 4, "weakened": 1}
    s = GAME.load(told)
    assert (s["player"][0], s["charisma"][0, 0], s["weakened"][0, 0]) == (1, 4, 1)
    assert s["stock"][0] == GAME.box["charisma_cards"][0] - 4
    assert {field.path for field in GAME.form(s)} >= {("now",), ("display", "Titan"), ("seats", "1", "weakened")}
    assert GAME.form(s, "ja")[0].choices[2].label == "プレイヤー2 (エジプト)の手番"


def test_the_form_shows_no_hand_and_no_draw_pile() -> None:
    assert not any({"hand", "draw", "known"} & set(field.path) for field in GAME.form(GAME.position(TWO)))


#: What is said besides two nations, and what the error names.
IMPOSSIBLE: dict[str, tuple[dict[str, Any], tuple[str, ...]]] = {
    "unknown key": ({"trun": 3}, ("trun", "did you mean turn?")),
    "players": ({"players": 6}, ("players", "6", "2 to 5")),
    "players in words": ({"players": "two"}, ("players", "'two'")),
    "turn": ({"turn": 301}, ("turn", "301", "0 to 300")),
    "true is no number": ({"turn": True}, ("turn", "True")),
    "whose turn": ({"player": 2}, ("player", "2", "0 to 1")),
    "nation": ({"seats": [{"nation": "Roma"}]}, ("seats[0].nation", "'Roma'", "did you mean Rome?", "Egypt")),
    "no nation": ({"seats": [{"nation": "Rome"}]}, ("seats[1].nation is missing",)),
    "one nation twice": ({"seats": [{"nation": "Rome"}] * 2}, ("seats[1].nation", "Rome")),
    "too many seats": ({"seats": [{"nation": "Rome"}] * 3}, ("seats", "3", "at most 2")),
    "seats in words": ({"seats": "Rome"}, ("seats", "list", "'Rome'")),
    "key of a seat": (seats(cards=[]), ("seats[0]: key", "'cards'", "hand")),
    "card": (seats(hand=["Cesar"]), ("seats[0].hand", "'Cesar'", "did you mean Caesar?")),
    "hand of another kind": (seats(hand="Caesar"), ("seats[0].hand", "list of cards", "how many")),
    "copies": (seats(hand=["Caesar"], discard=["Caesar"]), ("2 × Caesar", "the box holds 1")),
    "cards of nobody": (seats(discard=["Hannibal"]), ("Hannibal", "Carthage", "nobody leads")),
    "cards below none": (seats(hand={"Caesar": -1}), ("seats[0].hand.Caesar", "-1")),
    "a full hand": (seats(hand=["Caesar", "Legionary", "Eques", "Centurio", "?"]), ("seats[0].hand", "5 cards", "4")),
    "more unknown cards": (seats(hand=3, draw=["Caesar"]), ("seats[0].hand", "3 unknown", "has 1")),
    "unknown and open": (seats(discard=["?"]), ("seats[0].discard", "'?'")),
    "known": (seats(hand=["Caesar"], known=["Eques"]), ("seats[0].known", "Eques")),
    "charisma": (seats(charisma=60), ("60 × charisma card", "the box holds")),
    "flag": (seats(active="yes"), ("seats[0].active", "'yes'", "true nor false")),
    "display": ({"display": ["Titan", "Titan"]}, ("2 × Titan", "the box holds 1")),
    "army card in the middle": ({"display": ["Caesar"]}, ("display", "'Caesar'")),
    "stack": ({"stack": 9}, ("stack", "9", "at most 8")),
    "attacker alone": ({"battle": {"attacker": 0}}, ("battle", "defender")),
    "weapon": ({"battle": {"weapon": "axe"}}, ("battle.weapon", "'axe'", "sword, spear, bow")),
    "struck": ({"battle": {"attacker": 0, "defender": 1, "attacker_struck": 1}}, ("attacker_struck", "0 cards")),
    "step": ({"pending": ["turn", "rest"]}, ("pending[1]", "'rest'", "verb")),
    "order of steps": ({"pending": ["turn", "draw"]}, ("pending[1]", "draw cannot follow turn", "refill")),
    "argument": ({"pending": ["turn", {"step": "refill"}]}, ("pending[1]", "refill needs 'seat'")),
    "no battle": ({"pending": ["turn", "weapon"]}, ("pending", "weapon needs a battle")),
    "no such step": ({"pending": [{"seat": 1}]}, ("pending[0]", "'step'")),
    "too deep": ({"pending": ["turn"] * 10}, ("pending", "10", "at most 9")),
    "creatures to come": ({"pending": ["turn", {"step": "show", "n": 9}]}, ("9 creatures", "the stack has 8")),
    "machine": ({"machine": {"trace": [1]}}, ("machine.trace", "(2)", "[1]")),
    "machine in rows": ({"machine": {"trace": [[1], [1, 2]]}}, ("machine.trace",)),
    "box": ({"box": 1}, ("box", "0 to 0")),
}  # fmt: skip


@pytest.mark.parametrize("name", list(IMPOSSIBLE))
def test_what_cannot_be_is_named(name: str) -> None:
    keys, said = IMPOSSIBLE[name]
    with pytest.raises(PositionError) as error:
        GAME.position({**TWO, **keys})
    assert all(words in str(error.value) for words in said), str(error.value)


@pytest.mark.parametrize(("keys", "said"), [
    ({"pending": ["turn", {"step": "lay", "side": "attacker", "seat": 0}]}, "the attacker lays the first card"),
    ({"pending": ["turn", {"step": "lay", "side": "defender", "seat": 0}]}, "the defender is seat 1"),
    ({"pending": ["turn", {"step": "reinforce", "side": "defender", "seat": 1}]}, "cards of both sides"),
    ({"battle": {**BATTLE["battle"], "open": True}}, "before it is revealed"),
    ({"battle": {**BATTLE["battle"], "weapon": "sward"}}, "did you mean sword"),
])  # fmt: skip
def test_a_battle_that_cannot_be_is_named(keys: dict[str, Any], said: str) -> None:
    with pytest.raises(PositionError, match=said):
        GAME.position({**BATTLE, **keys})


def test_a_position_must_be_a_table() -> None:
    for told in ([], "Rome", None, 3):
        with pytest.raises(PositionError, match="table of names"):
            GAME.load(told)  # type: ignore[arg-type]
    with pytest.raises(PositionError, match="'players' is missing"):
        GAME.load({})


def test_numbers_by_chance_are_refused_or_play_on() -> None:
    """What people type never ends anything but with an error."""
    rng, s = np.random.default_rng(1), GAME.position(BATTLE)
    for _ in range(300):
        told = json.loads(json.dumps(position.dump(s)))
        spoil(told, rng)
        try:
            again = position.load(GAME.box, told)
        except PositionError:
            continue
        assert record.copy(again)["sp"][0] >= 1
