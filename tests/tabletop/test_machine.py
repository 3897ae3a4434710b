"""A game that is built on the machine keeps every law; a table that is not whole is refused in words."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tabletop.coach import laws as coached
from tabletop.conformance import check
from tabletop.game import CHANCE, new_state
from tabletop.machine import machine_of
from tabletop.prompts import Table
from tests.tabletop.passing import HALT, ROLL, TABLE, TAKE, TURN, Passing
from tests.tabletop.test_jit import GAMES, ROOT, places, run, write
from tests.tabletop.toy import DIE, KEEP, PASS

BLOCKS = {"verb": KEEP, "die": DIE}
TOYS = Passing(), Passing((1,) * 6, (3, 1, 1, 1, 1, 1))


@pytest.mark.parametrize("game", TOYS, ids=lambda game: game.edition)
def test_a_game_on_the_machine_keeps_every_law(game: Any) -> None:
    setups = np.concatenate([game.configure(players, box=players % len(game.box)) for players in (2, 3, 4)])
    check(game, setups, range(6))
    coached.check(game, setups, range(6))


def test_a_die_that_is_passed_goes_round() -> None:
    game = Passing()
    s, setup = new_state(game), game.configure(3)
    setup["manual_chance"] = 1
    game.reset(game.box, s, setup, 1)
    asked, passed = [], (DIE + 3, PASS, PASS, PASS, DIE + 4, PASS, KEEP, DIE)
    for action in passed:
        asked.append(int(s["to_act"][0]))
        assert game.apply(game.box, s, action)
    assert asked == [CHANCE, 0, 1, 2, CHANCE, 1, 2, CHANCE]
    assert (s["pot"][0], s["rolls"][0], s["to_act"][0], s["decisions"][0]) == (5, 3, 2, 5)


def test_weights_and_draws_are_those_of_the_box() -> None:
    game = TOYS[1]
    s, setup, out = new_state(game), game.configure(2, box=1), np.zeros(game.n_actions)
    setup["manual_chance"] = 1
    game.reset(game.box, s, setup, 1)
    game.weights(game.box, s, out)
    assert out.tolist() == [0, 0, *(weight / 8 for weight in (3, 1, 1, 1, 1, 1))]
    drawn = np.bincount([game.sample(game.box, s) - DIE for _ in range(800)])
    assert drawn.sum() == 800 and 240 < drawn[0] < 360 and drawn[1:].min() > 60


def test_the_table_says_where_things_are() -> None:
    assert (TABLE.names, TABLE.last_chance, TABLE.last_prompt) == (("roll", "take", "halt", "turn"), 0, 1)
    assert (ROLL, TAKE, HALT, TURN) == (0, 1, 2, 3) and len(TABLE) == 4
    assert TABLE.asked.tolist() == [-1, 0, -1, -1]
    assert TABLE.places("left", "other").tolist() == [-1, 1, -1, -1]
    assert TABLE[TAKE].arguments == {"seat": "seat", "left": "n"}


def table(*rows: tuple[Any, ...]) -> Table:
    """``("draw", "roll", "", "die")`` is the row that ``Table.draw`` adds."""
    made = Table()
    for kind, *row in rows:
        getattr(made, kind)(*row)
    return made


@pytest.mark.parametrize(
    ("rows", "problem"),
    [
        ([("step", "halt"), ("prompt", "take", "", "verb")], "step take: draws come first"),
        ([("prompt", "take", "", "verb"), ("draw", "roll", "", "die")], "step roll: draws come first"),
        ([("step", "halt"), ("step", "halt")], "step halt: there is one of this name"),
        ([("step", "turn", "a b c d e f g")], "step turn: 7 arguments, at most 6"),
        ([("prompt", "take", "seat n", "verb", "rival")], "asks 'rival', choose one of chance, turn, seat, n"),
        ([("prompt", "take", "seat")], "step take: what asks somebody"),
    ],
)
def test_a_row_that_does_not_fit_is_named(rows: list[Any], problem: str) -> None:
    with pytest.raises(ValueError, match=re.escape(problem)):
        table(*rows)


@pytest.mark.parametrize(
    ("rows", "kind", "problem"),
    [
        ([("draw", "roll", "", "die")], ValueError, "no step halt, on which the machine stops"),
        ([("draw", "roll", "", "dice"), ("step", "halt")], ValueError, "roll: no block dice, choose from verb, die"),
        ([("draw", "juggle", "", "die"), ("step", "halt")], AttributeError, "ask_juggle"),
    ],
)
def test_a_machine_that_cannot_be_made_says_why(rows: list[Any], kind: type[Exception], problem: str) -> None:
    with pytest.raises(kind, match=problem):
        machine_of(table(*rows), "tests.tabletop.passing", BLOCKS)


def test_a_changed_table_is_played_at_once(tmp_path: Path) -> None:
    """The numbers of the steps are compiled into the rules."""
    source = (ROOT / "tests" / "tabletop" / "passing.py").read_text()
    rows = re.search(r"TABLE = Table.*?\n\n\n", source, re.S)
    assert rows
    write(tmp_path, "own", "rows", "from tabletop.prompts import Table\n" + rows[0])
    (tmp_path / "own" / "passing.py").write_text(source.replace(rows[0], "from own.rows import *\n\n\n"))
    chosen = {**places(tmp_path, "TABLETOP_CACHE"), "NUMBA_DISABLE_JIT": "0"}
    games = GAMES.replace("tests.tabletop.toy import Toy", "own.passing import Passing as Toy")
    before = json.loads(run(games, **chosen).stdout)
    assert "Compiling" not in run(games, **chosen).stderr
    halt, turn = rows[0].splitlines()[-4:-2]
    swapped = rows[0].replace(f"{halt}\n{turn}", f"{turn}\n{halt}")
    write(tmp_path, "own", "rows", "from tabletop.prompts import Table\n" + swapped)
    after = json.loads(run(games, **chosen).stdout)
    assert after[1] == json.loads(run(games, **{**chosen, "NUMBA_DISABLE_JIT": "1"}).stdout)[1]
    assert after[1] != before[1] and [s["trace"] for s in after[1]] == [s["trace"] for s in before[1]]
