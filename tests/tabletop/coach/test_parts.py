"""What a game offers the coach, and what the coach tells with it or without."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tabletop import record
from tabletop.coach.laws import check
from tabletop.coach.parts import Parts
from tabletop.coach.table import Table
from tabletop.coach.telling import FACE_DOWN, Change, between, changes, told
from tabletop.coach.view import View
from tabletop.coach.words import say, texts
from tabletop.conformance import Violation
from tabletop.game import Record
from tabletop.languages import LANGUAGES
from tabletop.log import Match
from tests.tabletop.bidding import Bidding
from tests.tabletop.coach.games import CoachedBidding, CoachedToy, NewerToy
from tests.tabletop.toy import DIE, KEEP, PASS, Toy

TOY, BIDDING = CoachedToy(), CoachedBidding()


def setups(game: Any) -> Record:
    return np.concatenate([game.configure(players) for players in (2, 3, 4)])


@pytest.mark.parametrize("game", [TOY, BIDDING, Toy(), Bidding()], ids=lambda game: type(game).__name__)
def test_the_toys_keep_what_their_parts_promise(game: Any) -> None:
    check(game, setups(game))


class Lost(CoachedToy):
    def place(self, s: Record, action: int) -> str | None:
        return "cellar"


class Half(CoachedToy):
    def facts(self, s: Record, seat: int | None = None) -> Any:
        return {"pot": float(s["pot"][0])}


class Fewer(CoachedToy):
    def facts(self, s: Record, seat: int | None = None) -> Any:
        return {"pip@pot": -1}


class Teller(CoachedBidding):
    def facts(self, s: Record, seat: int | None = None) -> Mapping[str, int]:
        return super().facts(s, 0)


class Shower(CoachedBidding):
    def scene(self, s: Record, lang: str = "en", seat: int | None = None) -> Any:
        return super().scene(s, lang, 0)


class Dealer(CoachedBidding):
    def hands(self, s: Record, lang: str = "en", seat: int | None = None) -> Any:
        return super().hands(s, lang, 0)


def idle(box: Any, s: Any) -> bool:
    return False


class Idle(CoachedToy):
    step = staticmethod(idle)


class Forgetful(CoachedToy):
    def load(self, position: Mapping[str, Any]) -> Record:
        return super().load({**position, "pot": 0, "die": 0})


class Small(CoachedToy):
    def form(self, s: Record, lang: str = "en") -> Any:
        return [field._replace(high=0) for field in super().form(s, lang)]


class Bare(CoachedToy):
    def laid(self, setup: Record) -> Record:
        return self.load({**self.dump(super().laid(setup)), "die": 0})


class Speechless(CoachedToy):
    """It has words for its facts, and for no seat."""

    def named(self, name: str, lang: str = "en") -> str:
        return {"pip": "pip", "pot": "pot", "die": "die", "round": "round"}[name]


class Namesakes(CoachedToy):
    def named(self, name: str, lang: str = "en") -> str:
        return super().named(name, lang).replace("1", "2")


class NoOptions(CoachedToy):
    """It knows pieces, places and seats, and fails over an option."""

    def named(self, name: str, lang: str = "en") -> str:
        return {"players": None, "goal": None}.get(name, name).replace("_", " ")  # type: ignore[union-attr]


class TellerInJapanese(CoachedBidding):
    """What it says on the table's phone tells hands, in one language."""

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        return super().describe(s, lang, seat if lang == "en" else None)


class Alone(Toy):
    scene = CoachedToy.scene


BROKEN = {
    Lost: "to be touched at 'cellar'", Half: r"fact 'pot' is 0\.0", Fewer: "fact 'pip@pot' is -1",
    Teller: r"facts give away to seat \d", Shower: r"the scene gives away to seat \d",
    Dealer: r"hands give away to seat \d",
    NoOptions: "AttributeError", TellerInJapanese: "words on the table's phone give away",
    Speechless: "KeyError: 'player 0'", Namesakes: "two seats are called alike in 'en'",
    Idle: "lead elsewhere than apply", Forgetful: "is dumped as another",
    Small: "field round is", Bare: "setup 0 is laid out so that -1 is asked", Alone: "it has scene without place",
}  # fmt: skip


@pytest.mark.parametrize("kind", BROKEN, ids=lambda kind: kind.__name__)
def test_every_promise_can_be_broken(kind: type[Any]) -> None:
    with pytest.raises(Violation, match=BROKEN[kind]):
        check(kind(), setups(kind()))


class Talkative(Bidding):
    """Who is asked is told more lines than the others, before those that all are told."""

    def describe(self, s: Record, lang: str = "en", seat: int | None = None) -> str:
        own = ["your hand"] if seat == int(s["to_act"][0]) else []
        return "\n".join([*own, super().describe(s, lang, seat)])


def test_the_tables_phone_says_all_that_every_seat_is_told() -> None:
    game = Talkative()
    s = Match(game, game.configure(2), 1).s
    assert int(s["to_act"][0]) == 0 and Parts(game).describe(s) == "round 1"
    s["coins"] = 0  # as what is in no hand
    assert Parts(game).describe(s).splitlines() == Parts(Bidding()).describe(s).splitlines()


class Solo(Bidding):
    """A game in which nobody has a secret, though not all lies open: the cards to come."""

    def secrets(self, setups: Record) -> Any:
        return setups["players"] > 2


def test_where_no_seat_has_secrets_all_see_what_is_answered() -> None:
    game = Solo()
    for players in (2, 3):
        s = Match(game, game.configure(players), 1, manual_chance=True).s
        assert [Parts(game).sees(s, 0, seat) for seat in range(players)] == [players == 2] * players
        assert Parts(game).sees(s, 0, None)


# Changes


def counted(places: str) -> Any:
    return st.dictionaries(st.sampled_from([f"{piece}@{place}" for piece in "xy" for place in places]),
                           st.integers(0, 5))  # fmt: skip


@given(before=counted("abcd"), after=counted("abcd"))
def test_whoever_does_what_is_told_has_the_same_board(before: dict[str, int], after: dict[str, int]) -> None:
    board = dict(before)
    for change in changes(before, after):
        assert change.amount > 0 and change.source != change.target
        for place, sign in ((change.source, -1), (change.target, 1)):
            if place is not None:
                name = f"{change.name}@{place}"
                board[name] = board.get(name, 0) + sign * change.amount
                assert board[name] >= 0
    assert {name: n for name, n in board.items() if n} == {name: n for name, n in after.items() if n}
    for piece in "xy":  # no piece leaves the table while another of its kind comes
        own = [change for change in changes(before, after) if change.name == piece]
        assert not (any(c.source is None for c in own) and any(c.target is None for c in own))


def test_equal_numbers_are_paired_first() -> None:
    before, after = {"enemy@a": 1, "enemy@b": 2, "round": 1}, {"enemy@c": 2, "enemy@d": 1, "round": 2}
    assert changes(before, after) == [
        Change("enemy", 1, "a", "d"), Change("enemy", 2, "b", "c"), Change("round", 2, was=1),
    ]  # fmt: skip


def test_what_is_turned_face_down_has_moved() -> None:
    before, after = {"x@a": 1, "y@a": 2, "x@b": 1}, {f"{FACE_DOWN}@c": 3, "x@b": 1}
    assert changes(before, after) == [Change("x", 1, "a", "c"), Change("y", 2, "a", "c")]
    for other in ({f"{FACE_DOWN}@c": 2}, {f"{FACE_DOWN}@c": 3, "x@b": 0}):  # not as many, or from elsewhere, too
        assert Change(FACE_DOWN, other[f"{FACE_DOWN}@c"], None, "c") in changes(before, {"x@b": 1, **other})


# Telling


def test_what_follows_by_itself_is_told_under_its_stage() -> None:
    match = Match(BIDDING, BIDDING.configure(2), 7, manual_chance=True)
    for card in (5, 4, 3, 3, 2, 2, 0, 0):
        match.act(card)
    match.act(5)
    done = told(Parts(BIDDING), match.s, 4, seat=1)
    assert [(one.text, one.stage, one.own) for one in done] == [
        ("hand 1: 1 × card 5 → table 1", "bids", True),
        ("rival 1: 1 × coin → rival 0", "reveal", False),
        ("table 0: take 1 × card", "reveal", False),
        ("table 1: take 1 × card 5", "reveal", False),
    ]
    assert told(Parts(BIDDING), match.s, 4, "ja")[1].text == "席 1：コイン×1 → 席 0"
    seen = [one.text for one in told(Parts(BIDDING), match.s, 4, seat=0)]
    assert seen[0] == "hand 1: 1 × card → table 1" and "card 5" not in " ".join(seen)


def test_a_setup_is_told_as_pieces_to_put_down() -> None:
    match = Match(BIDDING, BIDDING.configure(3), 7, manual_chance=True)
    assert [one.text for one in between(Parts(BIDDING), None, match.s)] == [
        f"rival {rival}: put 2 × coin" for rival in range(3)
    ]


def test_telling_leaves_the_state_alone() -> None:
    match = Match(TOY, TOY.configure(2), 7, manual_chance=True)
    stood = match.s.tobytes()
    assert [one.text for one in told(Parts(TOY), match.s, DIE + 3)] == ["die: put 4 × pip"]
    with pytest.raises(ValueError, match="illegal action 0"):
        told(Parts(TOY), match.s, KEEP)
    assert match.s.tobytes() == stood


def test_a_game_without_parts_is_told_nothing_and_goes_on() -> None:
    game, parts = Toy(), Parts(Toy())
    match = Match(game, game.configure(2), 7)
    assert told(parts, match.s, KEEP) == [] == between(parts, None, match.s)
    *_, after = parts.run(match.s, KEEP)
    assert after["pot"][0] == match.s["die"][0]
    assert parts.scene(match.s) is None and parts.place(match.s, KEEP) is None and parts.stage(match.s) == ""
    assert parts.form(match.s) == () and parts.named("pip") == "pip" and parts.turn_key(match.s) == 0


def test_what_others_answer_is_kept_to_themselves() -> None:
    match = Match(Bidding(), Bidding().configure(2), 7)
    hiding, telling, open_game = Parts(Bidding()), Parts(BIDDING), Parts(Toy())
    assert match.to_act == 0
    assert [hiding.sees(match.s, 0, seat) for seat in (None, 0, 1)] == [True, True, False]
    assert open_game.sees(Match(Toy(), Toy().configure(2), 1).s, PASS, 1)
    dealing = Match(BIDDING, BIDDING.configure(2), 7, manual_chance=True)
    assert [telling.sees(dealing.s, 0, seat) for seat in (0, 1)] == [True, False]


# Another version


def test_another_version_goes_on_from_the_last_round_that_was_kept(tmp_path: Path) -> None:
    table = Table.create(TOY, tmp_path / "t.jsonl", TOY.configure(2), 7)
    for pips in (1, 2, 3):
        table.do([DIE + pips - 1, KEEP])
    kept = [line for line in table.lines if line["kind"] == "keep"]
    assert [line["position"]["pot"] for line in kept] == [3]
    branch = table.branch()
    table.close()
    newer = NewerToy()
    again = Table.open(newer, table.path)
    s = again.state()
    assert (s["pot"][0], s["round"][0], s["seat"][0]) == (3, 1, 0) and branch not in again.heads
    again.do([DIE, KEEP])
    stood = again.state()
    with pytest.raises(ValueError, match="version 0 of toy, this is 1"):
        again.goto(1)
    again.undo()
    assert not again.undoes()
    with pytest.raises(ValueError, match="nothing to take back"):
        again.undo()
    again.redo()
    again.close()
    reopened = Table.open(newer, table.path)
    assert record.differing(reopened.state(), stood) == [] and reopened.log().version == 1


def test_another_way_that_does_not_fit_is_not_offered(tmp_path: Path) -> None:
    def others(table: Table) -> list[str]:
        return [
            other["said"] for thing in View(table).history() for entry in thing["entries"] for other in entry["others"]
        ]

    with closing(Table.create(TOY, tmp_path / "t.jsonl", TOY.configure(2), 7)) as table:
        table.do([DIE])
        table.undo()
        table.do([DIE + 5])
        assert others(table) == ["1"]
    lines = table.path.read_text().splitlines(keepends=True)
    table.path.write_text("".join([lines[0], lines[1].replace(f'"action": {DIE}', '"action": 99'), *lines[2:]]))
    with closing(Table.open(TOY, table.path)) as again:
        assert others(again) == []


def test_an_entry_that_does_not_fit_is_named_where_it_is_looked_at(tmp_path: Path) -> None:
    with closing(Table.create(TOY, tmp_path / "t.jsonl", TOY.configure(2), 7)) as table:
        table.do([DIE])
        table.do([KEEP])
        table.correct(table.state())
    lines = table.path.read_text().splitlines(keepends=True)
    table.path.write_text("".join([lines[0], lines[1].replace(f'"action": {DIE}', '"action": 99'), *lines[2:]]))
    with closing(Table.open(TOY, table.path)) as again:
        assert View(again).state()["facts"]["pip@pot"] == 1
        with pytest.raises(ValueError, match="entry 1 does not fit: -1 answered 99 to 'what did the die show"):
            View(again).history()


def test_where_it_stands_is_noted_once(tmp_path: Path) -> None:
    with closing(Table.create(TOY, tmp_path / "t.jsonl", TOY.configure(2), 7)) as table:
        table.do([DIE + 3])
        before = table.state()
        for _ in range(2):
            table.keep()
        assert [line["parent"] for line in table.lines if line["kind"] == "keep"] == [table.head()]
    with closing(Table.open(NewerToy(), table.path)) as again:
        assert TOY.dump(again.state()) == TOY.dump(before)
        rev = again.rev
        again.keep()
        assert again.rev == rev, "a correction says it"


def test_a_game_that_keeps_no_positions_says_which_version_it_was(tmp_path: Path) -> None:
    table = Table.create(Toy(), tmp_path / "t.jsonl", Toy().configure(2), 7)
    table.close()
    with pytest.raises(ValueError, match=r"t\.jsonl: the log was played with version 0 of toy, this is 1"):
        Table.open(NewerToy(), table.path)


# Words


def test_every_text_is_there_in_every_language_with_the_same_values() -> None:
    def holes(text: str) -> set[str]:
        return {part.split("}")[0] for part in text.split("{")[1:]}

    assert set(texts()) == set(LANGUAGES)
    for key, text in texts()["en"].items():
        assert text and holes(text) == holes(texts()["ja"][key]), key
    assert list(texts()["en"]) == list(texts()["ja"])
    with pytest.raises(ValueError, match="choose one of en, ja"):
        say("set", "de")


@pytest.mark.parametrize(
    ("game", "wanted"), [(TOY, "reset legal sample answer step"), (Toy(), "reset legal sample apply")]
)
def test_all_that_a_table_calls_is_called_before_it_opens(game: Any, wanted: str) -> None:
    called = []

    class Watched(type(game)):
        def __getattribute__(self, name: str) -> Any:
            called.append(name)
            return super().__getattribute__(name)

    Parts(Watched()).ready()
    assert set(wanted.split()) <= set(called)
