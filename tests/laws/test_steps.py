"""The table of steps: its rows are whole, and what is pending in any game is what they say."""

from __future__ import annotations

import inspect
import linecache
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings

from sammu_env import actions, engine, position, steps
from sammu_env import constants as c
from tabletop import record
from tabletop.game import Record
from tabletop.prompts import Step, dispatcher
from tests.laws.walk import BOX, SIZE, Way, asked, laws, options, over, some_ways, stops, walk, ways

BLOCKS = dict(actions.BLOCKS)


@pytest.mark.parametrize("row", steps.TABLE, ids=lambda row: row.name)
def test_rows_are_whole(row: Step) -> None:
    op = steps.TABLE.index(row)
    assert getattr(steps, row.name.upper()) == op
    assert set(row.arguments.values()) <= set(steps.MOST)
    assert (row.asked == "chance") == (op <= steps.LAST_CHANCE)
    assert (row.asked == "") == (op > steps.LAST_PROMPT) == (not row.answers)
    if row.asked not in ("", "chance", "turn"):
        assert row.arguments[row.asked] == "seat"
    assert row.answers == ("yes",) or set(row.answers) <= set(BLOCKS)


def test_numbers_are_those_that_saves_and_logs_hold() -> None:
    assert [steps.NAMES.index(name) for name in ("draw_card", "turn", "move", "barter_as", "halt", "arrive")] == [
        2, 40, 41, 76, 77, 106,
    ]  # fmt: skip


def written(rule: Any) -> str:
    """The source that a switch was made of."""
    return "".join(linecache.getlines(inspect.getfile(getattr(rule, "py_func", rule))))


def test_calls_can_be_read() -> None:
    source = written(dispatcher("answer", "box, s, op, action", steps.TABLE, "sammu_env.rules", actions.START))
    assert f"elif op == {steps.RECOVER}:\n        battle.answer_recover(box, s, action != DONE)\n" in source
    assert f"elif op == {steps.LOAD}:\n        move.answer_load(box, s, action)\n" in source
    assert source.count("op ==") == len(steps.PROMPTS)


def test_what_is_shown_and_observed_follows() -> None:
    assert {steps.NAMES[op]: places for op, places in enumerate(steps.CARDS) if places} == {
        "play_second": (1,), "pay_which": (1, 2), "cards_get": (2,), "play": (1,),
    }  # fmt: skip
    assert {steps.NAMES[op] for op in np.flatnonzero(steps.TABLE.asked == 0)} == {
        "choose_advisor",
        "discard",
        "consult",
    }
    assert {steps.NAMES[op] for op in np.flatnonzero(steps.TABLE.asked == 1)} == {"cards_get"}


def check_pending(s: Record) -> None:
    """Frames hold what their rows say, and a prompt is answered from the blocks that its row names."""
    one = s[0]
    for op, arguments in zip(one["op"][: one["sp"]], one["arg"][: one["sp"]].tolist(), strict=True):
        row = steps.TABLE[op]
        assert not any(arguments[len(row.arguments) :]), (row.name, arguments)
        for (name, sort), number in zip(row.arguments.items(), arguments, strict=False):
            assert -1 <= number <= steps.MOST[sort], (row.name, name, number)
    if not over(s):
        blocks, answers = {actions.block_of(x)[0] for x in options(s)}, steps.TABLE[asked(s)].answers
        assert blocks <= ({"verb", "done"} if answers == ("yes",) else set(answers)), steps.NAMES[asked(s)]


@settings(laws, max_examples=4 * SIZE)
@given(ways())
def test_what_is_pending_is_what_the_rows_say(way: Way) -> None:
    for s in walk(way):
        check_pending(s)


def test_a_position_names_no_argument_that_a_step_has_not() -> None:
    pending = [{"step": "turn", "args": [0, 1]}]
    with pytest.raises(position.PositionError, match=r"pending.args of turn: found 2, expected at most: seat"):
        position.load({"challenge": "SAM-185", "players": 3, "pending": pending})
    pending = [{"step": "turn", "args": [c.MAX_PLAYERS]}]
    with pytest.raises(position.PositionError, match=r"pending.args of turn: seat: 5"):
        position.load({"challenge": "SAM-185", "players": 3, "pending": pending})


def turns(s: Record, action: int) -> int:
    """Answers in place and runs on turn by turn; how many turns there were."""
    assert engine.answer(BOX, s, action)
    n = 0
    while engine.step(BOX, s):
        n += 1
    return n


def test_an_answer_and_its_steps_lead_where_apply_leads() -> None:
    long = 0
    for way in some_ways(2 * SIZE):
        for s in stops(way, 23, first=way.seed):
            before = s.tobytes()
            assert not engine.step(BOX, s), "somebody is asked, or it is over"
            assert not engine.answer(BOX, s, actions.N_ACTIONS)
            assert s.tobytes() == before
            for action in [] if over(s) else options(s):
                one, two = record.copy(s), record.copy(s)
                long += turns(one, action) > 3
                assert engine.apply(BOX, two, action)
                assert one.tobytes() == two.tobytes(), (way, record.differing(one, two))
    assert long >= SIZE, "too few answers lead on through many turns"
