"""The players that are shipped for the games of rivals, and the command that measures them."""

from __future__ import annotations

import json
import re
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from benchmarks import rivals
from tabletop import agents, games
from tabletop.agents import checkpoint
from tabletop.agents.policy import Policy
from tabletop.jit import DISABLED
from tabletop.training.config import load
from tabletop.training.evaluate import Cell, evaluate
from tabletop.training.markdown import BEGIN, END
from tabletop.training.match import standings, wins_against
from tabletop.training.tasks import find
from tests.command import refused, sammu

NAMES = ("pergamemnon", "xerxes")
ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(DISABLED, reason="whole games with networks are for compiled rules")


@pytest.fixture(params=NAMES)
def game(request: pytest.FixtureRequest) -> Any:
    return games.load(request.param)


def test_ppo_is_the_games_own(game: Any) -> None:
    shipped = agents.make("ppo", game)
    assert isinstance(shipped, Policy) and shipped.card["game"] == game.name
    assert checkpoint.path_of(game.name).stat().st_size < 4e6
    assert agents.make(f"ppo:{game.name}", game).card == shipped.card
    with pytest.raises(ValueError, match="is of another game"):
        agents.make("ppo:ppo", game)


def test_it_advises_on_the_position_of_its_page(game: Any, tmp_path: Path) -> None:
    page = (ROOT / "docs" / f"{game.name}.md").read_text(encoding="utf-8")
    (told,) = re.findall(r"echo '(\{.*?\})' > here.json", page, re.S)
    (tmp_path / "here.json").write_text(told)
    done = sammu("advise", tmp_path / "here.json", "--game", game.name, "--json")
    assert done.exit_code == 0, done.output
    advised = json.loads(done.stdout)
    assert len(advised["choices"]) >= 2 and 0 < advised["win"] < 1
    (tmp_path / "here.json").write_text(told.replace("players", "palyers"))
    assert "did you mean players?" in refused("advise", tmp_path / "here.json", "--game", game.name)


def test_it_wins_nearly_always_against_random_play(game: Any) -> None:
    setups, seeds = game.configure(players=2).repeat(40), np.arange(40) + 10**11
    own, rival = agents.make("ppo", game), partial(agents.make, "random", game)
    assert wins_against(game, own, rival, setups, seeds).mean() > 0.8


def test_search_plays(game: Any) -> None:
    names, cell = ("search:rollouts=32,policy=scripted,player=random", "random"), Cell({}, game.configure(players=2))
    evaluate(game, names, [cell], 2, 10**11)
    own, other = standings(names, [cell])
    assert own.score.rate > other.score.rate


def test_its_settings_are_those_of_the_file(game: Any) -> None:
    config = load(ROOT / f"configs/{game.name}.yaml")
    assert config.pool.share > 0 and config.pool.keep > 1
    assert {find(game, task).name for task in config.tasks or {}} >= {"standard", "any-box"}
    shape = agents.make("ppo", game).card["network"]
    assert (shape["width"], shape["blocks"]) == (config.network.width, config.network.blocks)


def test_ctrl_c_ends_its_tables(game: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rivals, "evaluate", lambda *_: False)
    with pytest.raises(KeyboardInterrupt):
        list(rivals.against(game, "random", ["random"], ["standard"], 2))


def test_its_tables_are_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    page = tmp_path / "page.md"
    page.write_text(f"# Page\n{BEGIN}\n{END}\n")
    rivals.run(["xerxes", "--games", "2", "--pool", "ppo", "random", "--exploit", "random", "--write", str(page)])
    text = page.read_text()
    assert text.count("| standard |") == 6 and "Elo 0" in text and "| Bactria |" in text and "50.0 |" in text
    assert capsys.readouterr().out.strip() in text
