"""The table's log: whatever people do, the state is that of the way to where they stand, and nothing is lost."""

from __future__ import annotations

import json
import multiprocessing
import os
import random
import signal
import time
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tabletop import log as logs
from tabletop.coach.table import COACH, GAME, Table
from tabletop.game import CHANCE, NOBODY, new_state
from tabletop.log import Log, Match
from tests.tabletop.bidding import Bidding
from tests.tabletop.coach.games import CoachedToy
from tests.tabletop.toy import DIE, KEEP, PASS, Toy

TOY = Toy()
GAMES: dict[str, Any] = {"toy": TOY, "bidding": Bidding()}


def begun(folder: Path, game: Any = TOY, players: int = 2, box: bool = True, name: str = "table.jsonl") -> Table:
    return Table.create(game, folder / name, game.configure(players), 7, box=box, title="evening")


def asked(table: Table, branch: str = GAME) -> int:
    return int(table.state(branch=branch)["to_act"][0])


def legal(table: Table, branch: str = GAME) -> list[int]:
    mask = np.zeros(table.game.n_actions, np.int8)
    table.game.legal(table.game.box, table.state(branch=branch), mask)
    return [int(action) for action in np.flatnonzero(mask)]


def rolled(table: Table, *pips: int) -> Table:
    """The die shows each of these, and each is kept; 0: the roll before is passed on."""
    for number in pips:
        table.do([DIE + number - 1])
        table.do([KEEP])
    return table


# What is asked and written


def test_in_box_mode_people_say_what_was_drawn(tmp_path: Path) -> None:
    table = begun(tmp_path)
    assert asked(table) == CHANCE
    table.do([DIE + 4, KEEP], by="Mika")
    assert table.state()["pot"][0] == 5 and asked(table) == CHANCE
    assert [(node.actor, node.action, node.by) for node in table.way()[1:]] == [(CHANCE, 6, "Mika"), (0, KEEP, "Mika")]


@pytest.mark.parametrize("name", GAMES)
def test_without_a_box_the_coach_draws_the_simulators_game(tmp_path: Path, name: str) -> None:
    game = GAMES[name]
    table, match = begun(tmp_path, game, box=False), Match(game, game.configure(2), 7)
    while asked(table) != NOBODY:
        assert asked(table) != CHANCE
        choice = legal(table)[-1]
        table.do([choice])
        match.act(choice)
        assert table.state().tobytes() == match.s.tobytes()
    assert table.log() == match.stamped()
    assert {node.by for node in table.way() if node.actor == CHANCE} == {COACH}


def test_a_draw_can_be_left_to_the_coach(tmp_path: Path) -> None:
    table = begun(tmp_path)
    table.do([None, KEEP, None])
    assert asked(table) == 1
    with pytest.raises(ValueError, match="nothing is drawn now, seat 1 is asked: keep the"):
        table.do([None])


def test_a_line_says_everything(tmp_path: Path) -> None:
    table = begun(tmp_path)
    table.do([DIE + 3, KEEP], by="Mika")
    begin, roll, keep = [json.loads(line) for line in table.path.read_text().splitlines()]
    assert begin["kind"] == "begin" and begin["box"] is True and begin["title"] == "evening" and begin["seed"] == 7
    assert (begin["game"], begin["version"], begin["edition"]) == ("toy", 0, TOY.edition)
    assert roll == {"n": 1, "kind": "act", "branch": GAME, "parent": 0, "actor": CHANCE, "action": DIE + 3,
                    "prompt": "what did the die show?", "said": "4", "thing": 1, "by": "Mika", "at": roll["at"],
                    "more": 1}  # fmt: skip
    assert keep["parent"] == 1 and keep["thing"] == 1 and keep["prompt"] == "keep the 4?" and "more" not in keep


@pytest.mark.parametrize("answers", [[99], [-1], [DIE, KEEP, KEEP], [True], ["1"], [0.0], [DIE, PASS, DIE, 7], []])
def test_one_thing_is_done_whole_or_not_at_all(tmp_path: Path, answers: list[Any]) -> None:
    table = begun(tmp_path)
    stood, written = table.state().tobytes(), table.path.read_bytes()
    with pytest.raises(ValueError, match=r"illegal action|there is no answer"):
        table.do(answers)
    assert (table.state().tobytes(), table.path.read_bytes(), table.rev) == (stood, written, 0)


def test_after_the_end_nobody_is_asked(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 6, 6)
    with pytest.raises(ValueError, match="the game is over"):
        table.do([KEEP])
    table.undo()
    table.do([PASS])


def test_what_cannot_be_written_has_not_happened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    table = begun(tmp_path)
    table.do([DIE])
    written = table.path.read_bytes()

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        with pytest.raises(OSError, match="No space"):
            table.do([KEEP])
    assert table.path.read_bytes() == written and table.rev == 1
    again, number = Table.open(TOY, table.path), cast(Any, 5)
    with pytest.raises(TypeError, match="name is 5"):
        again.branch(number)
    assert table.path.read_bytes() == written
    assert again.do([KEEP]) == 2


# Undo, redo, go to


def test_undo_takes_back_what_was_done_in_one_go(tmp_path: Path) -> None:
    table = begun(tmp_path)
    table.do([DIE + 1, KEEP])
    stood = table.state().tobytes()
    table.do([DIE + 2])
    table.do([PASS])
    for _ in range(2):
        table.undo()
    assert table.state().tobytes() == stood
    table.undo()
    assert table.head() == 0
    with pytest.raises(ValueError, match="nothing to take back"):
        table.undo()
    for _ in range(3):
        assert table.redoes()
        table.redo()
    assert table.head() == 4 and not table.redoes()
    with pytest.raises(ValueError, match="nothing to do again"):
        table.redo()


def test_without_a_box_undo_goes_back_to_a_persons_choice(tmp_path: Path) -> None:
    table = begun(tmp_path, box=False)
    stood = table.state().tobytes()
    table.do([PASS])
    assert asked(table) == 1
    table.undo()
    assert asked(table) == 0 and table.state().tobytes() == stood
    with pytest.raises(ValueError, match="nothing to take back"):
        table.undo()
    table.redo()
    assert asked(table) == 1


def test_redo_goes_where_one_last_was(tmp_path: Path) -> None:
    table = begun(tmp_path)
    table.do([DIE])  # 1
    table.do([KEEP])  # 2
    table.undo()
    table.do([PASS])  # 4
    table.goto(2)
    table.goto(0)
    table.redo()
    table.redo()
    assert table.head() == 2


def test_a_draw_that_was_taken_back_is_remembered(tmp_path: Path) -> None:
    table = begun(tmp_path)
    for pips in (3, 5):
        table.do([DIE + pips - 1])
        table.undo()
    assert table.remembered() == [DIE + 4, DIE + 2]
    table.do([DIE])
    assert table.remembered() == []
    table.do([KEEP])
    assert table.remembered() == [DIE + 4, DIE + 2]


# Corrections


def test_a_correction_many_steps_back_keeps_what_still_fits(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 1, 2, 1, 3)
    table.do([DIE + 5])
    assert table.state()["pot"][0] == 7
    first_keep = table.way()[2].n
    table.fix(first_keep, PASS, by="Ann")
    assert table.state()["pot"][0] == 6 and table.state()["die"][0] == 6
    assert [node.action for node in table.way()[1:]] == [DIE, PASS, DIE + 1, KEEP, DIE, KEEP, DIE + 2, KEEP, DIE + 5]
    assert table.offered() == [] and len(table.things()) == 9
    table.do([KEEP])
    table.undo()
    table.undo()  # what was repeated are things as they were
    assert table.state()["die"][0] == 0


def test_the_first_that_does_not_fit_is_asked_and_the_rest_is_offered(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 1, 2, 3)
    wrong = table.way()[3].n
    table.fix(wrong, DIE + 3)  # a 4 was rolled: "keep the 4?" is another question than "keep the 2?"
    assert asked(table) == 1 and table.game.question(table.state()) == "keep the 4?"
    assert table.offered() == []
    table.do([PASS])
    assert [node.action for node in table.offered()] == [DIE + 2, KEEP]
    table.do([node.action for node in table.offered()])
    assert table.state()["pot"][0] == 4 and table.offered() == []
    again = Table.open(TOY, moved(table))
    assert again.state().tobytes() == table.state().tobytes()


def test_what_is_offered_survives_closing(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 1, 2, 3)
    table.fix(table.way()[3].n, DIE + 3)
    table.do([PASS])
    expected = [node.n for node in table.offered()]
    assert expected and [node.n for node in Table.open(TOY, moved(table)).offered()] == expected


@pytest.mark.parametrize("at", [0, 99, -1, True, "1", None])
def test_only_an_entry_on_the_way_can_be_fixed(tmp_path: Path, at: Any) -> None:
    table = rolled(begun(tmp_path), 1)
    with pytest.raises(ValueError, match=r"is no entry|is not on the way"):
        table.fix(at, DIE)


def test_an_illegal_fix_changes_nothing(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 1, 2)
    with pytest.raises(ValueError, match="illegal action 0"):
        table.fix(1, KEEP)
    assert table.rev == 4


def test_undo_takes_back_a_fix(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 1, 2)
    stood, before = table.state().tobytes(), table.way()
    table.fix(1, DIE + 5)
    fixed = table.state().tobytes()
    for _ in range(2):
        table.undo()
        assert (table.way(), table.state().tobytes()) == (before, stood)
        table = Table.open(TOY, moved(table))
        assert table.redoes()
        table.redo()
        assert table.state().tobytes() == fixed != stood
    table.undo()
    table.undo()
    assert len(table.way()) < len(before)
    table.redo()
    assert table.state().tobytes() == stood and not table.redoes()


def test_the_board_can_be_put_right(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 1)
    table.do([DIE])
    board = table.state()
    board["pot"] = 9
    table.correct(board, by="Ann")
    table.do([KEEP])
    assert table.state()["pot"][0] == 10
    with pytest.raises(ValueError, match="before the board was put right"):
        table.fix(1, DIE + 1)
    log = table.log()
    assert log.start is not None and len(log.entries) == 1
    assert logs.replay(TOY, Log.from_dict(json.loads(json.dumps(log.to_dict())))).tobytes() == table.state().tobytes()
    for _ in range(2):
        table.undo()
    assert table.state()["pot"][0] == 1
    board["box"] = 3
    with pytest.raises(ValueError, match="box 3"):
        table.correct(board)


# Branches


def test_a_branch_leaves_the_game_alone(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 1, 2)
    stood, head = table.state().tobytes(), table.head()
    branch = table.branch("what if we roll a six?", at=2)
    table.do([DIE + 5, KEEP], branch=branch)
    assert table.remembered(branch) == [DIE + 1]
    assert (table.state().tobytes(), table.head(), table.redoes()) == (stood, head, False)
    assert table.state(branch=branch)["pot"][0] == 7
    assert table.names == {branch: "what if we roll a six?"}
    table.undo(branch=branch)
    table.redo(branch=branch)
    table.undo()
    table.redo()
    assert table.head() == head
    table.adopt(branch)
    assert table.state()["pot"][0] == 7 and list(table.heads) == [GAME] and table.names == {}


def test_a_dropped_branch_is_gone(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 1)
    branch = table.branch()
    table.do([DIE + 5], branch=branch)
    table.drop(branch)
    for call in (table.drop, table.adopt, lambda name: table.do([DIE], branch=name), table.log):
        with pytest.raises(ValueError, match=r"no branch|no entry"):
            call(branch)
    with pytest.raises(ValueError, match="is no branch"):
        table.drop(GAME)
    assert table.remembered() == []


def passed(table: Table, branch: str = GAME, rounds: int = 8) -> list[int]:
    """What the coach draws where all is passed on."""
    while asked(table, branch) != NOBODY and len(drawn(table, branch)) < rounds:
        table.do([None, PASS] if asked(table, branch) == CHANCE else [PASS], branch=branch)
    return drawn(table, branch)


def drawn(table: Table, branch: str = GAME) -> list[int]:
    return [node.action for node in table.way(branch=branch) if node.actor == CHANCE]


@pytest.mark.parametrize("box", [True, False])
def test_a_what_if_does_not_show_what_the_game_will_draw(tmp_path: Path, box: bool) -> None:
    table = begun(tmp_path, box=box)
    first, second = table.branch(), table.branch()
    what_if = passed(table, first)
    inner = table.branch(at=table.way(branch=first)[3].n)
    draws = [what_if, passed(table, second), passed(table, inner), passed(table)]
    known = 0 if box else 1  # the coach has drawn the first one already
    for i, one in enumerate(draws):
        others = [other[known:] for other in draws[:i]]
        assert one[:known] == what_if[:known] and one[known:] not in others
    assert draws[2][:2] == what_if[:2] != draws[2][2:4] != what_if[2:4], "the inner one begins on the way of the other"


@pytest.mark.parametrize("box", [True, False])
def test_a_what_if_draws_the_same_each_time(tmp_path: Path, box: bool) -> None:
    table = begun(tmp_path, box=box)
    branch = table.branch()
    stood, draws = table.head(), passed(table, branch)
    while table.head(branch) != stood:
        table.undo(branch=branch)
    while table.redoes(branch):
        table.redo(branch=branch)
    assert drawn(table, branch) == draws
    while table.head(branch) != stood:
        table.undo(branch=branch)
    table = Table.open(TOY, moved(table))
    assert passed(table, branch) == draws


@pytest.mark.parametrize("box", [True, False])
def test_what_was_drawn_in_a_what_if_is_kept(tmp_path: Path, box: bool) -> None:
    table = begun(tmp_path, box=box)
    branch = table.branch()
    draws = passed(table, branch)
    choice = next(node for node in table.way(branch=branch) if node.action == PASS)
    table.fix(choice.n, KEEP, branch=branch)
    assert drawn(table, branch) == draws[: len(drawn(table, branch))], "also where an entry is put right"
    way, state = table.way(branch=branch), table.state(branch=branch).tobytes()
    table.adopt(branch)
    for one in (table, Table.open(TOY, moved(table))):
        assert [node.n for node in one.way()] == [node.n for node in way] and one.state().tobytes() == state


def test_after_the_board_was_put_right_a_what_if_still_does_not_show_the_game(tmp_path: Path) -> None:
    table = begun(tmp_path)
    branch, board = table.branch(), table.state()
    board["pot"] = 1
    table.correct(board, branch=branch)
    table.correct(board)
    assert passed(table, branch) != passed(table)


@pytest.mark.parametrize("at", range(5))
@pytest.mark.parametrize("answers", [[], [DIE], [DIE + 5], [DIE, KEEP], [DIE, KEEP, DIE + 1, KEEP], [DIE, PASS]])
def test_undo_takes_back_an_adopted_branch(tmp_path: Path, at: int, answers: list[int]) -> None:
    table = rolled(begun(tmp_path), 1, 2)
    branch = table.branch(at=table.way()[at].n)
    for answer in answers if at % 2 == 0 else answers[1:]:
        if asked(table, branch) != NOBODY:
            table.do([answer], branch=branch)
    if len(answers) == 4:
        table.undo(branch=branch)  # what the game had at this place is not in the way of redo, and comes back
    before, after = table.way(), table.way(branch=branch)
    table.adopt(branch)
    for _ in range(2 if before != after else 0):
        assert [node.n for node in table.way()] == [node.n for node in after]
        assert table.undoes()
        table.undo()
        assert table.way() == before
        table = Table.open(TOY, moved(table))
        assert table.redoes()
        table.redo()
    table.undo()
    if before != after:
        table.undo()  # from now on thing by thing
    assert [node.n for node in table.way()] == [node.n for node in before[:-1]]
    table.redo()
    assert [node.n for node in table.way()] == [node.n for node in before]


def test_what_was_drawn_in_an_adopted_branch_is_remembered(tmp_path: Path) -> None:
    table = begun(tmp_path)
    branch = table.branch()
    table.do([DIE + 5], branch=branch)
    table.do([KEEP], branch=branch)
    assert table.remembered() == []
    table.adopt(branch)
    table.do([DIE])
    for _ in range(3):
        table.undo()
    assert table.remembered() == [DIE, DIE + 5]
    assert Table.open(TOY, moved(table)).remembered() == [DIE, DIE + 5]


# Logs


@pytest.mark.parametrize("name", GAMES)
@pytest.mark.parametrize("box", [True, False])
def test_every_prefix_is_a_log(tmp_path: Path, name: str, box: bool) -> None:
    game, rng = GAMES[name], random.Random(3)
    table = begun(tmp_path, game, 3, box)
    while asked(table) != NOBODY:
        table.do([rng.choice(legal(table))])
    for node in table.way():
        log = table.log(node.n)
        assert logs.replay(game, log).tobytes() == table.state(node.n).tobytes()
        again = Table.from_log(game, tmp_path / f"{node.n}.jsonl", log, box=True)
        assert again.log() == log and again.state().tobytes() == table.state(node.n).tobytes()
        again.close()


def test_a_log_with_a_board_put_right_is_taken_in(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 1)
    board = table.state()
    board["pot"] = 5
    table.correct(board)
    table.do([DIE + 1])
    again = Table.from_log(TOY, tmp_path / "again.jsonl", table.log(), box=False)
    assert again.log() == table.log() and not again.box and len(again.things()) == 1
    reopened = Table.open(TOY, moved(again))
    assert reopened.log() == table.log() and not reopened.box


# Files


def moved(table: Table) -> Path:
    """A table's file once nobody holds it."""
    table.close()
    return table.path


def test_one_process_holds_a_file(tmp_path: Path) -> None:
    table = begun(tmp_path)
    with pytest.raises(ValueError, match=r"table\.jsonl is open elsewhere"):
        Table.open(TOY, table.path)
    with pytest.raises(FileExistsError):
        begun(tmp_path)


def test_a_file_cut_off_anywhere_holds_whole_writes(tmp_path: Path) -> None:
    table = begun(tmp_path)
    stands, sizes = [table.state().tobytes()], [table.path.stat().st_size]

    def noted() -> None:
        stands.append(table.state().tobytes())
        sizes.append(table.path.stat().st_size)

    for answers in ([DIE, KEEP], [DIE + 1], [PASS], [DIE + 2, KEEP, DIE]):
        table.do(answers)
        noted()
    table.fix(1, DIE + 1)
    noted()
    table.undo()
    noted()
    data = moved(table).read_bytes()
    for size in sorted({*range(sizes[0], len(data), 11), *sizes, *(size - 1 for size in sizes[1:])}):
        table.path.write_bytes(data[:size])
        whole = sum(1 for mark in sizes if mark <= size)
        again = Table.open(TOY, table.path)
        assert again.state().tobytes() == stands[whole - 1], size
        assert again.path.stat().st_size == sizes[whole - 1]
        again.close()


@pytest.mark.parametrize("tail", [b"\0" * 40, b'{"n": 3', b"{}", b"[1]\n", b"\xff\xfe\n", b"null\n", b"\r"])
def test_a_torn_tail_is_dropped_and_the_game_goes_on(tmp_path: Path, tail: bytes) -> None:
    table = rolled(begun(tmp_path), 2)
    stood = table.state().tobytes()
    with moved(table).open("ab") as file:
        file.write(tail)
    again = Table.open(TOY, table.path)
    assert again.state().tobytes() == stood
    again.do([DIE])
    assert Table.open(TOY, moved(again)).state().tobytes() == again.state().tobytes()


def test_damage_within_is_named(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 2, 3)
    lines = moved(table).read_text().splitlines(keepends=True)

    def holding(*changed: str) -> Path:
        table.path.write_text("".join(changed))
        return table.path

    with pytest.raises(ValueError, match=r"table\.jsonl: line 3 is damaged"):
        Table.open(TOY, holding(*lines[:2], "{nonsense\n", *lines[3:]))
    with pytest.raises(ValueError, match=r"line 3 has the number 3"):
        Table.open(TOY, holding(*lines[:2], *lines[3:]))
    with pytest.raises(ValueError, match=r"line 3 is damaged: it lacks 'actor'"):
        Table.open(TOY, holding(*lines[:2], lines[2].replace("actor", "factor")))
    for lost in ("9", "[1, 2]", '[1, 2, "3"]', "[1, 2, NaN]"):
        with pytest.raises(ValueError, match="line 3 is damaged: a value is of the wrong kind"):
            Table.open(TOY, holding(*lines[:2], lines[2].replace('"actor"', f'"lost": {lost}, "actor"')))
    with pytest.raises(ValueError, match="line 1 is damaged: it lacks 'n'"):
        Table.open(TOY, holding("{}\n"))
    for key in ("game", "version", "edition", "setup", "seed", "box", "title"):
        with pytest.raises(ValueError, match=f"line 1 is damaged: it lacks '{key}'"):
            Table.open(TOY, holding(lines[0].replace(f'"{key}"', '"up"')))
    with pytest.raises(ValueError, match="line 1 is damaged: a value is of the wrong kind"):
        Table.open(TOY, holding(lines[0].replace('"seed": ', '"seed": "", "now": ')))
    with pytest.raises(ValueError, match="line 1 is damaged"):
        Table.open(TOY, holding("[" * 100_000 + "\n", *lines[1:]))
    for number, key, value in (
        (0, "setup", "5"), (0, "setup", "NaN"), (0, "version", '"0"'), (0, "box", "1"), (1, "action", str(2**63)),
        (1, "thing", "[]"), (1, "parent", "true"), (2, "said", "null"), (2, "kind", "[]"),
    ):  # fmt: skip
        changed = json.dumps({**json.loads(lines[number]), key: json.loads(value)}) + "\n"
        with pytest.raises(
            ValueError, match=rf"line {number + 1} is damaged: a value is of the wrong kind \({key} is "
        ):
            Table.open(TOY, holding(*lines[:number], changed, *lines[number + 1 :]))
    for line, problem in (
        ('"kind": "adopt", "branch": "game", "to": 1', "line 3 is about 'game', which is no branch"),
        ('"kind": "drop", "branch": "game"', "line 3 is about 'game', which is no branch"),
        ('"kind": "branch", "branch": "game", "to": 1, "name": ""', "line 3 begins 'game', which is there"),
        ('"kind": "undo"', "line 3 is damaged: it lacks 'to'"),
        ('"kind": "correct", "parent": 1', "line 3 is damaged: it lacks 'game'"),
    ):
        with pytest.raises(ValueError, match=problem):
            Table.open(TOY, holding(*lines[:2], f'{{"n": 2, {line}, "by": "", "at": ""}}\n'))
    with pytest.raises(ValueError, match="line 3 puts 9 right, which is not on the way"):
        Table.open(TOY, holding(*lines[:2], lines[2].replace('"actor"', '"fix": 9, "actor"')))
    with pytest.raises(ValueError, match="line 3 is about 'b9', which is not there"):
        Table.open(TOY, holding(*lines[:2], '{"n": 2, "kind": "adopt", "branch": "b9", "to": 1, "by": "", "at": ""}\n'))
    with pytest.raises(ValueError, match="entry 2 does not fit"):
        Table.open(TOY, holding(*lines[:2], lines[2].replace('"action": 0', '"action": 5')))
    with pytest.raises(ValueError, match="it holds no game"):
        Table.open(TOY, holding(""))
    with pytest.raises(ValueError, match="of the game 'toy', not of 'bidding'"):
        Table.open(GAMES["bidding"], holding(*lines))
    with pytest.raises(ValueError, match="edition"):
        Table.open(Toy((1,) * 6), table.path)
    with pytest.raises(FileNotFoundError):
        Table.open(TOY, tmp_path / "none.jsonl")


def test_what_a_choice_lost_is_kept_with_it(tmp_path: Path) -> None:
    table = begun(tmp_path)
    table.do([DIE + 4])
    table.do([PASS], lost=(0.1, 0.04, 0.16))
    table.do([DIE + 1, KEEP], lost=[0.0, 0.0, 0.0])
    table.undo()
    assert table.lost == {2: (0.1, 0.04, 0.16), 3: (0.0, 0.0, 0.0)}
    again = Table.open(TOY, moved(table))
    assert again.lost == table.lost
    lines = moved(again).read_bytes().splitlines(keepends=True)
    table.path.write_bytes(b"".join(lines[:2]) + lines[2][:-9])
    assert Table.open(TOY, table.path).lost == {}, "the write was cut off, and what it lost with it"


def test_what_a_choice_lost_is_kept_when_a_card_says_something_else(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 2)
    table.do([DIE])
    table.do([KEEP], lost=(0.1, 0.04, 0.16))
    table.play_with(Toy((2, 1, 1, 1, 1, 1)))
    last = table.things()[-1][0].n
    assert table.node(last).action == KEEP and table.lost[last] == (0.1, 0.04, 0.16)


def test_with_an_edition_that_plays_the_same_nothing_changes(tmp_path: Path) -> None:
    table = rolled(begun(tmp_path), 1, 2, 3)
    table.fix(3, DIE + 3)
    table.do([PASS])
    offered, rev, twin = table.offered(), table.rev, CoachedToy()
    table.undo()
    assert table.play_with(twin) == rev + 1 and table.game is twin and table.redoes()
    table.redo()
    assert offered and table.offered() == offered


class NoSuchTable(CoachedToy):
    """An edition in whose box nothing can lie as it does."""

    def load(self, position: Any) -> Any:
        raise ValueError("the pot holds more than there is")


def test_an_edition_with_which_there_is_no_such_table_changes_nothing(tmp_path: Path) -> None:
    game = CoachedToy()
    table = rolled(begun(tmp_path, game), 2)
    stood, rev = table.state().tobytes(), table.rev
    with pytest.raises(ValueError, match="the pot holds more"):
        table.play_with(NoSuchTable((2, 1, 1, 1, 1, 1)))
    assert (table.state().tobytes(), table.rev, table.game) == (stood, rev, game)


# Whatever people do


class Model:
    """The same by the book: a tree of ways, where each pointer stands, and what was done in one go."""

    def __init__(self, game: Any, players: int) -> None:
        self.game, self.players = game, players

    def state(self, actions: tuple[int, ...]) -> Any:
        s, setup = new_state(self.game), self.game.configure(self.players)
        setup["manual_chance"] = 1
        self.game.reset(self.game.box, s, setup, 7)
        for action in actions:
            if s["to_act"][0] == CHANCE:
                self.game.sample(self.game.box, s)
            assert self.game.apply(self.game.box, s, action)
        return s


KINDS = ("do", "do", "do", "do", "thing", "undo", "redo", "goto", "fix", "branch", "adopt", "drop", "reopen")
STEPS = st.lists(st.tuples(st.sampled_from(KINDS), st.integers(0, 10**6), st.integers(0, 10**6)), max_size=40)


@pytest.mark.parametrize("name", GAMES)
@settings(max_examples=100, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=STEPS, players=st.integers(2, 3))
def test_every_tree_ends_in_the_state_of_its_way(
    tmp_path_factory: pytest.TempPathFactory, name: str, steps: list[tuple[str, int, int]], players: int
) -> None:
    game = GAMES[name]
    table = begun(tmp_path_factory.mktemp("tree"), game, players)
    model = Model(game, players)
    ways: dict[str, tuple[int, ...]] = {GAME: ()}  # by branch
    seen: dict[int, tuple[int, ...]] = {0: ()}  # by node
    #: by a fix, an adopted branch, the undo or redo of one: at which line, and which way
    left: dict[str, tuple[str, int, tuple[int, ...]]] = {}
    for kind, one, two in steps:
        branch = list(ways)[two % len(ways)]
        way, nodes = ways[branch], table.way(branch=branch)
        choices = legal(table, branch)
        others = {key: value for key, value in ways.items() if key != branch}
        last, line, aside = left.get(branch, ("", 0, ()))
        last = last if line == table.moved[branch] else ""  # other things were done there since
        if kind == "do" and choices:
            ways[branch] = (*way, choices[one % len(choices)])
            table.do(ways[branch][-1:], branch=branch, lost=(one / 100, 0.0, two / 10) if two % 2 else None)
        elif kind == "thing" and choices:
            some, s = [choices[one % len(choices)]], model.state(way)
            assert game.apply(game.box, s, some[0])
            if s["to_act"][0] != NOBODY:
                mask = np.zeros(game.n_actions, np.int8)
                game.legal(game.box, s, mask)
                some.append(int(np.flatnonzero(mask)[two % int(mask.sum())]))
            ways[branch] = (*way, *some)
            table.do(some, branch=branch)
        elif kind == "undo" and last in ("fix", "adopt", "redo"):
            table.undo(branch=branch)
            ways[branch], left[branch] = aside, ("undo", table.rev, way)
        elif kind == "redo" and last == "undo":
            table.redo(branch=branch)
            ways[branch], left[branch] = aside, ("redo", table.rev, way)
        elif kind == "undo" and way:
            thing = nodes[-1].thing
            ways[branch] = tuple(node.action for node in nodes[1:] if node.thing != thing)
            table.undo(branch=branch)
            table.redo(branch=branch)
            again = table.way(branch=branch)  # the whole thing, even if one stood in the middle of it
            assert again[: len(nodes)] == nodes and again[-1].thing == thing
            table.undo(branch=branch)
        elif kind == "redo" and table.redoes(branch):
            table.redo(branch=branch)
            ways[branch] = seen[table.head(branch)]
            assert ways[branch][: len(way)] == way and len(ways[branch]) > len(way)
        elif kind == "goto":
            to = list(seen)[one % len(seen)]
            table.goto(to, branch=branch)
            ways[branch] = seen[to]
        elif kind == "fix" and way:
            index = one % len(way)
            s = model.state(way[:index])
            mask = np.zeros(game.n_actions, np.int8)
            game.legal(game.box, s, mask)
            answer = int(np.flatnonzero(mask)[two % int(mask.sum())])
            table.fix(nodes[index + 1].n, answer, branch=branch)
            fixed = tuple(node.action for node in table.way(branch=branch)[1:])
            assert fixed[: index + 1] == (*way[:index], answer)
            assert fixed[index + 1 :] == way[index + 1 :][: len(fixed) - index - 1]
            if answer == way[index]:
                assert fixed == way
            ways[branch], left[branch] = fixed, ("fix", table.rev, way)
        elif kind == "branch":
            ways[table.branch("", nodes[one % len(nodes)].n)] = way[: one % len(nodes)]
        elif kind in ("adopt", "drop") and branch != GAME:
            if kind == "adopt":
                stood, leaps = table.head(), table.head() != table.head(branch)
                left[GAME] = ("adopt" if leaps else "", table.rev + 1, ways[GAME])
                ways[GAME] = way
                table.adopt(branch)
                if leaps and one % 2:
                    table.undo()
                    assert table.head() == stood
                    table.redo()
                    left[GAME] = ("redo", table.rev, left[GAME][2])
            else:
                table.drop(branch)
            del ways[branch]
        elif kind == "reopen":
            table = Table.open(game, moved(table))
        seen.update({node.n: tuple(n.action for n in table.way(node.n)[1:]) for node in table.nodes.values()})
        for key, value in others.items():
            assert kind == "adopt" or key not in ways or ways[key] == value
    again = Table.open(game, moved(table))
    assert list(again.heads) == list(table.heads) == list(ways)
    for branch, way in ways.items():
        expected = model.state(way).tobytes()
        for one_table in (table, again):
            assert tuple(node.action for node in one_table.way(branch=branch)[1:]) == way
            assert one_table.state(branch=branch).tobytes() == expected
        assert logs.replay(game, again.log(branch=branch)).tobytes() == expected
        assert [n.n for n in again.offered(branch)] == [n.n for n in table.offered(branch)]
        assert again.remembered(branch) == table.remembered(branch)
        assert again.redoes(branch) == table.redoes(branch)
    assert (again.rev, again.moved, again.before) == (table.rev, table.moved, table.before)
    assert again.lost == table.lost
    again.close()


# Killed at random


def _play(path: Path, seed: int, said: Any) -> None:
    """Plays as people do, and says after every write what is acknowledged: the line, and the state that it led to."""
    rng = random.Random(seed)
    table = Table.open(TOY, path)
    said.send((table.rev, table.state().tobytes()))
    while True:
        kind = rng.choice(["do", "do", "do", "do", "do", "undo", "redo", "fix", "goto"])
        try:
            if kind == "do":
                table.do([rng.choice(legal(table))] if asked(table) != NOBODY else [KEEP])
            elif kind == "fix":
                wrong = rng.choice(table.way()[1:] or [table.node(0)])
                table.fix(wrong.n, DIE + rng.randrange(6) if wrong.actor == CHANCE else rng.randrange(2))
            elif kind == "goto":
                table.goto(rng.choice(list(table.nodes)))
            else:
                getattr(table, kind)()
        except ValueError:
            continue
        said.send((table.rev, table.state().tobytes()))


def _heard(player: Any) -> Any:
    """What a player says next; it is not waited for for ever."""
    assert player.poll(60), "the player says nothing"
    return player.recv()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_killed_at_random_moments_nothing_acknowledged_is_lost(tmp_path: Path) -> None:
    table = begun(tmp_path)
    legal(table), moved(table)  # whatever is compiled is, before the processes part
    fork, rng, acknowledged = multiprocessing.get_context("fork"), random.Random(5), 0
    for seed in range(50):
        here, there = fork.Pipe(duplex=False)
        player = fork.Process(target=_play, args=(table.path, seed, there), daemon=True)
        player.start()
        there.close()
        last = _heard(here)
        waited, wanted = time.monotonic(), rng.randrange(12)
        for _ in range(wanted):
            last = _heard(here)
        time.sleep(rng.uniform(0, 2) * (time.monotonic() - waited) / max(wanted, 1))  # about as long as a write takes
        os.kill(player.pid or 0, signal.SIGKILL)
        player.join(60)
        while True:
            try:
                last = _heard(here)
            except EOFError:
                break
        here.close()
        again = Table.open(TOY, table.path)
        assert again.rev >= last[0]
        lines = again.path.read_bytes().splitlines(keepends=True)
        again.close()
        cut = tmp_path / "cut.jsonl"
        cut.write_bytes(b"".join(lines[: last[0] + 1]))
        then = Table.open(TOY, cut)
        assert (then.rev, then.state().tobytes()) == last
        then.close()
        acknowledged = last[0]
    assert acknowledged > 200
