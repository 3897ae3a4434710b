"""Positions of Pergamemnon that people read and write."""

from __future__ import annotations

import copy
import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pergamemnon_env import components, load_game, observation, position, steps
from pergamemnon_env import constants as c
from pergamemnon_env.state import PILES
from tabletop.game import CHANCE, NOBODY
from tabletop.plays import play
from tabletop.positions import PositionError
from tests.pergamemnon.golden import GAME
from tests.positions import boxed, changed, form_tells_no_secret, put, round_trips, spoilt_is_refused_or_plays_on

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


def test_a_turn_begins_where_no_steps_are_named() -> None:
    assert "attack" in GAME.question(GAME.position(TWO))
    with pytest.raises(PositionError, match="pending: nothing is, so the game is over, but no seat has place 1"):
        GAME.position({**TWO, "pending": []})
    with pytest.raises(PositionError, match="battle: without pending a turn begins"):
        GAME.position({key: value for key, value in BATTLE.items() if key != "pending"})


def test_words_of_no_choice_name_the_choices() -> None:
    with pytest.raises(ValueError, match=f"choose one of 0 to {GAME.n_actions - 1}"):
        GAME.words(GAME.position(TWO), GAME.n_actions)


@pytest.mark.parametrize("players", c.PLAYERS)
def test_what_is_dumped_and_loaded_plays_on(players: int) -> None:
    for seed in range(2):
        round_trips(GAME, position, boxed(GAME, players), seed, every=3)
    round_trips(GAME, position, GAME.configure(players), 2, every=9)


@pytest.mark.slow
@pytest.mark.parametrize("players", c.PLAYERS)
def test_what_is_dumped_and_loaded_plays_on_in_many_games(players: int) -> None:
    for seed in range(40):
        round_trips(GAME, position, boxed(GAME, players), seed, every=9)


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
    assert {field.path for field in GAME.form(s)} >= {("now",), ("cards", "Titan"), ("seats", "1", "weakened")}
    assert GAME.form(s, "ja")[0].choices[2].label == "プレイヤー2 (エジプト)の手番"


THREE: dict[str, Any] = {
    "players": 3, "manual_chance": True, "display": ["Dryad", "Orthos", "Siren", "Titan", "Satyr", "Harpy"],
    "seats": [{"nation": nation, "charisma": 5} for nation in ("Rome", "Egypt", "Persia")],
}  # fmt: skip


def drawn(s: Any) -> Any:
    """After all draws."""
    while s["to_act"][0] == CHANCE:
        assert GAME.apply(GAME.box, s, GAME.sample(GAME.box, s))
    return s


@pytest.mark.rule("P-B7")
def test_hands_are_filled_up_before_a_turn_begins() -> None:
    told = copy.deepcopy(THREE)
    told["seats"][1]["hand"], told["seats"][2]["hand"] = [], ["Xerxes"]
    s = GAME.position({**told, "turn": 7})
    assert GAME.question(s) == "which card does player 2 (Egypt) draw?"
    s = drawn(s)
    assert s["hand"][0, :3].sum(1).tolist() == [3, 3, 4] and (s["to_act"][0], s["turn"][0]) == (0, 7)
    s = position.load(GAME.box, {**told, "manual_chance": False})
    assert s["hand"][0, :3].sum(1).tolist() == [3, 3, 4] and s["turn"][0] == 1


@pytest.mark.rule("P-B7")
def test_another_turn_begins_with_full_hands_where_cards_were_being_drawn() -> None:
    setup, rng, seen = boxed(GAME, 2), np.random.default_rng(1), 0
    for seed in range(10):
        for s in play(GAME, setup, seed).states:
            if s["turn"][0] and steps.TABLE.names[s["op"][0, s["sp"][0] - 1]] == "draw" and rng.random() < 0.3:
                there = drawn(put(GAME, s, now=1))
                if there["to_act"][0] == NOBODY:
                    assert c.CAUSES[there["cause"][0]] == "few cards"
                    continue
                seen += 1
                held, laid = there["hand"][0, :2].sum(1), there["laid"][0, c.ATTACKER]  # what is no choice is laid
                assert held[0] >= 3 and held[1] + laid >= 3 and there["active"][0, :2].all()
                assert (there["player"][0], there["turn"][0]) == (1, s["turn"][0])
    assert seen > 5


@pytest.mark.rule("P-E2")
def test_a_position_in_which_a_nation_has_too_few_cards_is_the_end() -> None:
    s = GAME.position({**TWO, **seats(hand=["Caesar"], draw=[], discard=["Eques"])})
    assert s["to_act"][0] == NOBODY and c.CAUSES[s["cause"][0]] == "few cards"


@pytest.mark.rule("P-T4")
@pytest.mark.parametrize("active", [[], [0]])
def test_nation_cards_are_turned_as_the_turn_of_a_position_begins(active: list[int]) -> None:
    told = copy.deepcopy(THREE)
    for seat, row in enumerate(told["seats"]):
        row["active"] = seat in active
    assert GAME.position(told)["active"][0, :3].tolist() == [1, 1, 1]


@pytest.mark.rule("P-T3", "P-A3")
def test_whose_turn_it_is_has_an_active_nation_card() -> None:
    told = copy.deepcopy(THREE)
    told["seats"][1]["active"] = False
    with pytest.raises(PositionError, match=re.escape("seats[1].active: it is its turn")):
        GAME.position({**told, "player": 1})
    s = GAME.position({**told, "player": 2})
    assert s["to_act"][0] == 2 and s["active"][0, :3].tolist() == [1, 0, 1]
    with pytest.raises(PositionError, match=re.escape("seats[2].active")):
        put(GAME, s, **{"seats/2/active": 0})
    two = GAME.position({**TWO, **seats(active=False)})
    assert two["to_act"][0] == 0 and two["active"][0, :2].tolist() == [1, 1], "two have no nation cards"


@pytest.mark.rule("P-N6")
def test_the_dearest_creature_without_agamemnon(tmp_path: Path) -> None:
    mine = tmp_path / "mine.toml"
    mine.write_text("[creature.Titan]\ncost = 15\n")
    game = load_game(mine)
    hellenes = {"nation": "Hellenes", "charisma": 15, "weakened": True, "hand": ["Swordsman", "Swordsman", "Peltast"],
                "under_city": ["Legionary"]}  # fmt: skip
    s = game.position({"players": 2, "display": ["Titan", "Dryad", "Orthos"], "manual_chance": True,
                       "seats": [hellenes, {"nation": "Rome", "under_city": ["Agamemnon"]}]})  # fmt: skip
    assert game.apply(game.box, s, c.HIRE) and game.apply(game.box, s, c.CARD + NAMES.index("Titan"))
    assert s["owed"][0] == 16 and game.load(game.dump(s))["owed"][0] == 16
    seen = np.zeros(observation.SIZE, np.float32)
    game.observe(game.box, s, 0, seen)
    assert (seen <= observation.HIGH).all() and (seen >= observation.LOW).all()


# Laid open


@pytest.mark.parametrize("players", [2, 4])
def test_the_form_shows_nothing_that_who_is_asked_may_not_know(players: int) -> None:
    form_tells_no_secret(GAME, boxed(GAME, players), 3, every=3)


def test_who_is_asked_is_shown_its_hand_of_others_what_they_may_hold() -> None:
    known = {"hand": ["Nefertiti", "Priest", "Spearman"], "known": ["Nefertiti"]}
    s = GAME.position({"players": 2, "seats": [{"nation": "Rome", "hand": ["Caesar", "Eques", "Triarius"]},
                                               {"nation": "Egypt", **known}]})  # fmt: skip
    lies = GAME.dump(s)["cards"]
    assert [lies[card] for card in ("Caesar", "Triarius 1", "Triarius 2")] == ["hand Rome", "hand Rome", "draw Rome"]
    assert [lies[card] for card in ("Nefertiti", "Priest")] == ["hand Egypt", "both Egypt"] and lies[
        "Titan"
    ] == "unseen"
    assert "Hannibal" not in lies


@pytest.mark.parametrize("players", c.PLAYERS)
def test_a_table_is_laid_out(players: int) -> None:
    s = GAME.laid(GAME.configure(players))
    assert GAME.question(s).startswith("player 1 (Rome): hire") and s["turn"][0] == 1 and s["manual_chance"][0] == 1
    assert s["display"][0].sum() == s["stack"][0] == 2 * players and s["charisma"][0, :2].tolist() == [5, 1]
    assert s["hand"][0, :players].sum(1).tolist() == [3, 3, 3, 3, 4][:players]
    assert GAME.dump(GAME.load(GAME.dump(s))) == GAME.dump(s)


def pile(s: Any, name: str, seat: int) -> list[str]:
    return [NAMES[kind] for kind in np.repeat(np.arange(c.KINDS), s[name][0, seat])]


def test_a_turn_in_the_middle_of_a_game_is_told() -> None:
    """Persia and Rome; Rome is asked, has captured a creature and an archer, and has lost Caesar."""
    s = put(GAME, GAME.laid(GAME.configure(2)), **{"seats/1/nation": "Persia", "turn": 12})
    assert pile(s, "hand", 1) and s["hand"][0, 1].sum() == 4, "another nation has a hand of its own"
    mine = {card: place for card, place in GAME.dump(s)["cards"].items() if place == "hand Rome"}
    s = put(GAME, s, **{
        **{f"cards/{card}": "draw Rome" for card in mine}, "seats/0/weakened": 1, "seats/0/charisma": 2,
        "cards/Legionary 1": "hand Rome", "cards/Eques": "hand Rome", "cards/Dryad": "hand Rome",
        "cards/Sparabara 1": "city Rome", "cards/Caesar": "discard Persia", "cards/Titan": "gone",
        "cards/Xerxes": "hand Persia", "seats/1/active": 0,
    })  # fmt: skip
    assert pile(s, "hand", 0) == ["Legionary", "Eques", "Dryad"] and pile(s, "city", 0) == ["Sparabara"]
    assert pile(s, "discard", 1) == ["Caesar"] and "Xerxes" in pile(s, "known", 1) and s["hand"][0, 1].sum() == 4
    assert not s["unseen"][0, NAMES.index("Titan") - c.ARMY] and position.dump(s)["gone"] == ["Titan"]
    assert s["to_act"][0] == 0 and s["turn"][0] == 12
    for seed in range(9):
        world = GAME.resample(s, 0, np.random.default_rng(seed))
        assert pile(world, "hand", 0) == pile(s, "hand", 0) and "Xerxes" in pile(world, "hand", 1)


def test_a_hand_is_told_where_another_is_asked() -> None:
    s = GAME.laid(GAME.configure(2))
    told = {f"cards/{card}": "hand Egypt" for card in ("Nefertiti", "Priest", "Archer of Kush 2")}
    there = put(GAME, s, now=1, **told)
    assert there["to_act"][0] == 1 and pile(there, "hand", 1) == ["Nefertiti", "Archer of Kush", "Priest"]
    assert pile(there, "known", 1) == [], "the others do not know it"
    assert pile(there, "hand", 0) == pile(s, "hand", 0)


def test_nations_that_change_places_take_their_cards_along() -> None:
    s = GAME.laid(GAME.configure(2))
    there = put(GAME, s, **{"seats/0/nation": "Egypt", "seats/1/nation": "Rome", "cards/Orthos": "discard Rome"})
    assert pile(there, "hand", 1) == pile(s, "hand", 0) and pile(there, "discard", 1) == ["Orthos"]
    assert {NAMES.index(card) // c.KINDS_OF_A_NATION for card in pile(there, "draw", 0)} == {c.EGYPT}


def test_a_card_of_a_hidden_hand_that_lies_elsewhere_is_dealt_anew() -> None:
    s = GAME.laid(GAME.configure(2))
    *stay, gone = pile(s, "hand", 1)
    copy = next(name for name in GAME.dump(s)["cards"] if name.startswith(gone))
    copies = [f"cards/{name}" for name in GAME.dump(s)["cards"] if name.rstrip(" 123") == copy.rstrip(" 123")]
    there = put(GAME, s, **dict.fromkeys(copies, "discard Egypt"))
    hand = pile(there, "hand", 1)
    assert len(hand) == 3 and gone not in hand and {card for card in stay if card != gone} <= set(hand)
    assert pile(put(GAME, s, turn=3), "hand", 1) == pile(s, "hand", 1)


def test_a_card_face_down_is_what_it_may_be() -> None:
    s = GAME.position({**BATTLE, "battle": {**BATTLE["battle"], "attacker_laid": ["Legionary"]}})
    assert s["to_act"][0] == 1 and "battle" not in GAME.dump(s)["cards"].values()
    assert (put(GAME, s, turn=3)["row"] == s["row"]).all()
    there = put(GAME, s, **{f"cards/Legionary {i}": "discard Rome" for i in (1, 2, 3)})
    laid = int(there["row"][0, c.ATTACKER, 0]) - 1
    assert NAMES[laid] != "Legionary" and GAME.box["weapon"][0, laid] == c.WEAPONS.index("sword")


def test_a_card_face_down_that_was_known_leaves_the_rest_of_the_hand() -> None:
    """There are others of its kind in the draw pile."""
    s = GAME.position({
        "players": 2, "pending": ["turn", {"step": "lay", "side": "defender", "seat": 0}],
        "seats": [{"nation": "Rome"}, {"nation": "Egypt", "hand": ["Priest", "Charioteer"],
                                       "known": ["Priest", "Archer of Kush"]}],
        "battle": {"attacker": 1, "defender": 0, "weapon": "bow", "attacker_laid": ["Archer of Kush"]},
    })  # fmt: skip
    assert pile(put(GAME, s, turn=3), "hand", 1) == pile(s, "hand", 1) == ["Charioteer", "Priest"]
    assert pile(put(GAME, s, turn=3), "known", 1) == ["Archer of Kush", "Priest"]


@pytest.mark.parametrize(("path", "value", "said"), [
    ("cards/Caesar", "discard Carthage", "choose one of display, unseen, gone, battle, discard Rome"),
    ("cards/Caesar", "display", "display: no 'Caesar'"),
    ("cards/Orthos", 3, "cards.Orthos: no 3"),
    ("seats/1/nation", "Rome", "Rome is led by another seat"),
    ("seats/0/nation", "Carthage", "no 'hand Rome'"),
    ("cards", [], "cards: expected a table"),
    ("seats", 3, "seats: expected a list"),
    ("players", "two", "players"),
    ("box", 7, "box"),
    ("battle", 4, "battle: expected a table"),
    ("now", 2, "player: 2"),
])  # fmt: skip
def test_what_cannot_lie_there_is_named(path: str, value: Any, said: str) -> None:
    s = put(GAME, GAME.laid(GAME.configure(2)), **{"cards/Orthos": "hand Rome"})
    with pytest.raises(PositionError, match=re.escape(said)):
        GAME.load(changed(GAME, s, **{path: value}))


def test_what_is_laid_open_and_spoilt_is_refused_or_plays_on() -> None:
    spoilt_is_refused_or_plays_on(GAME, GAME.dump(GAME.laid(GAME.configure(2))), GAME.load)


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
    s = GAME.position(BATTLE)
    spoilt_is_refused_or_plays_on(GAME, position.dump(s), lambda told: position.load(GAME.box, told))
