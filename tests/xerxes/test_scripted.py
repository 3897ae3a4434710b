"""The scripted player, tasks, and the name of the game in the command."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from tabletop import agents, games
from tabletop.assist import cli
from tabletop.assist.cli import app
from tabletop.boxes import Drawn
from tabletop.game import LOST, WON, Results, new_state
from tabletop.log import Match
from tabletop.training.evaluate import Cell
from tabletop.training.match import wins_against
from tabletop.training.tasks import find, game_of, made
from tests.test_games import install
from xerxes_env import load_game
from xerxes_env.tasks import BOX_SEEDS, boxes_of

GAME = load_game()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A package that offers the game, as ``pyproject.toml`` does; an older installation has it not yet."""
    if "xerxes" not in games.names():
        install(tmp_path, "xerxes", "xerxes_env:load_game")
        monkeypatch.syspath_prepend(str(tmp_path))


@pytest.mark.parametrize("players", [2, 4])
def test_it_beats_random_play(players: int) -> None:
    setups = GAME.configure(players).repeat(10)
    won = wins_against(GAME, agents.make("scripted", GAME), lambda: agents.make("random", GAME), setups, np.arange(10))
    assert won.mean() >= 0.8


def test_alone_it_reaches_the_goal() -> None:
    agent, won = agents.make("scripted", GAME), 0
    for seed in range(10):
        match = Match(GAME, GAME.configure(1), seed)
        while not match.over:
            match.act(int(agent.act(match.s, match.legal()[None])[0]))
        won += GAME.results(match.s).result[0, 0] == WON
    assert won >= 9


def test_it_looks_at_nothing_that_it_may_not_know() -> None:
    """It says so (``sees``): so it must choose the same in every world that it cannot tell from this one."""
    agent, rng = agents.make("scripted", GAME), np.random.default_rng(1)
    for seed in range(3):
        match = Match(GAME, GAME.configure(4), seed)
        while not match.over:
            mask, seat = match.legal()[None], int(match.s["to_act"][0])
            choice = int(agent.act(match.s, mask)[0])
            assert mask[0, choice] and choice == agent.act(GAME.resample(match.s, seat, rng), mask)[0]
            match.act(choice)


def test_it_plays_other_boxes_too() -> None:
    game = load_game(box_seed=[1, 2])
    agent = agents.make("scripted", game)
    states = new_state(game, 2)
    for i in range(2):
        game.reset(game.box, states[i : i + 1], game.configure(3, box=i), 5)
    masks = np.zeros((2, game.n_actions), np.int8)
    for i in range(2):
        game.legal(game.box, states[i : i + 1], masks[i])
    assert all(masks[i, action] for i, action in enumerate(agent.act(states, masks)))
    masks[:] = 0
    assert agent.act(states, masks).tolist() == [0, 0]  # games that are over


def test_tasks() -> None:
    assert {name: len(task.test) for name, task in GAME.tasks.items()} == {"standard": 3, "solo": 1, "any-box": 3}
    game = game_of(GAME, [find(GAME, "any-box")], "validation")
    assert list(game.editions) == [None, *boxes_of("validation", "random")] and len(game.box) == 11
    assert all(isinstance(one, Drawn) and one.seed in BOX_SEEDS["validation"] for one in game.editions[1:])
    assert made("mine", {"cells": {"players": [2, 3]}}, GAME).test == ({"players": 2}, {"players": 3})
    with pytest.raises(ValueError, match="random"):
        boxes_of("test", "mine")


def run(*args: Any) -> str:
    done = CliRunner().invoke(app, [str(arg) for arg in args])
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


@pytest.mark.usefixtures("installed")
def test_the_command_knows_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert "xerxes" in run("games")
    out = run(
        "evaluate", "--game", "xerxes", "--agent", "scripted", "--against", "random", "--players", 2, "--games", 4
    )
    assert "scripted" in out and "random" in out
    out = run("evaluate", "--game", "xerxes", "--agent", "random", "--players", "2-3", "--games", 4)
    assert "share of the wins" in out and "seat 3" in out and "--against NAME" in out
    out = run(
        "evaluate", "--game", "xerxes", "--agent", "random", "--against", "random", "--task", "standard", "--games", 1
    )
    assert out.count("random │ 9 │") == 2  # half of the seats of two games of 2, 3 and 4 players
    assert "left out" not in out
    out = run(
        "evaluate", "--game", "xerxes", "--agent", "random", "--against", "random", "--players", "1-2", "--games", 1
    )
    assert "left out: 1 of 2 cells" in out and out.count("random │ 2 │") == 2
    assert "satrap" in run("play", "--game", "xerxes", "--players", 2, "--agents", "random,random", "--seed", 3)


def test_seats_of_games_on_few_boxes_tell_less(capsys: pytest.CaptureFixture[str]) -> None:
    """Ten games on each of twenty boxes, which say who wins: they tell as much as twenty games."""
    first = np.arange(200) % 20 < 10
    result = np.stack([np.where(first, WON, LOST), np.where(first, LOST, WON)], axis=1).astype(np.int8)
    cell = Cell({"players": 2}, GAME.configure(players=2).repeat(20), won={0: np.zeros(200, np.bool_)})
    cell.ended[0] = Results(result, np.where(result == WON, 1, 2).astype(np.int8), np.zeros((200, 2)))
    cli._show_seats(GAME, "random", [cell])
    assert capsys.readouterr().out.count("50 (30-70)") == 2
    alone = replace(cell, setup=cell.setup[:1])
    cli._show_seats(GAME, "random", [alone])
    assert capsys.readouterr().out.count("50 (43-57)") == 2
