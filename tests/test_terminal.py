"""A game at the terminal: what is told by itself, who sits where when it goes on, and what is refused."""

import io
import os
import subprocess
import sys
from contextlib import closing
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import sammu_env
from tabletop import games
from tabletop.agents.futures import Crew
from tabletop.assist.terminal import COMMANDS, HELP, Session
from tabletop.coach.table import Table
from tabletop.coach.telling import told
from tabletop.game import CHANCE, NOBODY, SEEDS, enter, legal_mask
from tests.command import sammu
from tests.tabletop.bidding import Bidding
from tests.tabletop.toy import Toy

ROOT = Path(__file__).resolve().parents[1]
GAME = sammu_env.load_game()


# Who sits where


def test_agents_are_those_of_the_game_that_goes_on(tmp_path):
    """So nobody is shown the hands of agents; others than were given are refused."""
    path = tmp_path / "game.jsonl"
    first = ("play", "--game", "pergamemnon", "--players", 3, "--seed", 3, "--log", path)
    assert sammu(*first, "--agents", "human,scripted", stdin="q\n").exit_code == 0
    before = path.read_bytes()
    again = ("play", "--game", "pergamemnon", "--log", path)
    for more in ((), ("--agents", "human, scripted,scripted")):
        assert "goes on" in sammu(*again, *more, stdin="q\n").output
    for agents in ("human", "human,scripted,random", "human,scripted,scripted,scripted,random"):
        done = sammu(*again, "--agents", agents)
        assert done.exit_code == 2 and "set up with another --agents:" in " ".join(done.output.split())
    assert path.read_bytes() == before
    session = Session(games.load("pergamemnon"), np.zeros(0), None, Console(quiet=True), log=path)
    with session._open:
        assert session.seat == 0 and [player is None for player in session.players] == [True, False, False]


def test_no_code_is_run_because_a_file_says_so(tmp_path):
    game, path = Bidding(), tmp_path / "game.jsonl"
    Table.create(game, path, game.configure(players=2), 3, box=False, agents="human,elsewhere:Agent").close()
    with pytest.raises(ValueError, match=r"names an agent 'elsewhere:Agent' .* say --agents human,elsewhere:Agent"):
        Session(game, game.configure(), None, Console(quiet=True), log=path)
    with pytest.raises(ValueError, match="elsewhere"):
        Session(game, game.configure(), "human,elsewhere:Agent", Console(quiet=True), log=path)


def test_a_file_that_names_no_agents_takes_any(tmp_path):
    game, path = Bidding(), tmp_path / "game.jsonl"
    Table.create(game, path, game.configure(players=2), 3, box=False).close()
    for given, people in ((None, 2), ("human,random", 1)):
        session = Session(game, game.configure(), given, Console(quiet=True), log=path)
        with session._open:
            assert session.players.count(None) == people


# What happens by itself


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_what_happens_by_itself_is_told_without_the_box(lang):
    """Of choices of people and of agents, each line once, below the headline of when it happens."""
    out, seen = io.StringIO(), {"own": 0, "stages": set()}
    session = Session(GAME, GAME.configure(players=2), "human,random", Console(file=out, width=400), seed=5, lang=lang)
    rng = np.random.default_rng(2)
    with session._open:
        while int(session.s["month"][0]) < 3 and session.asked != NOBODY:
            s, head, before = session.s, session.table.head(), len(out.getvalue())
            if (player := session.player()) is not None:
                session.agent(player)
            else:
                session.choose(int(rng.choice(np.flatnonzero(legal_mask(GAME, s)))))
            lines, way = out.getvalue()[before:].splitlines(), session.table.way()
            expected = []
            for node in way[[one.n for one in way].index(head) + 1 :]:
                if node.actor == CHANCE:
                    asked, said = GAME.question(s, lang), GAME.words(s, node.action, lang)
                    assert f"  * {asked} {said}" in lines
                for one in told(session.parts, s, node.action, lang):
                    if not one.own:
                        expected.append(f"  - {one.text}")
                        seen["stages"].add(one.stage)
                    seen["own"] += one.own
                enter(GAME, s, node.action)
            assert [line for line in lines if line.startswith("  - ")] == expected
    text = out.getvalue()
    assert len(seen["stages"]) > 3 and seen["own"] > 20
    assert all(f"-- {stage} --\n" in text for stage in seen["stages"])
    headlines = [line for line in text.splitlines() if line.startswith("-- ")]
    assert all(a != b for a, b in pairwise(headlines))


def test_with_the_box_what_to_move_is_told_once(tmp_path):
    done = sammu("play", "--players", 2, "--challenge", "SAM-185", "--box", "--log", tmp_path / "game.jsonl",
                 stdin="kalhu\nq\n")  # fmt: skip
    assert done.output.count("- Empire board: 1 × military → KALHU") == 1 and "-- " not in done.output


@pytest.mark.parametrize(("lang", "headline"), [("en", "Set-up"), ("ja", "セットアップ")])
def test_the_set_up_is_called_so(lang, headline):
    """As the coach calls it: one rule for both, from the first choice to the end."""
    out = io.StringIO()
    session = Session(GAME, GAME.configure(players=1), "human", Console(file=out, width=400), seed=3, lang=lang)
    rng, stages = np.random.default_rng(1), set()
    with session._open:
        session.look()
        assert f" · {headline}\n" in out.getvalue()
        while True:
            s = session.s
            stage = GAME.stage(s, lang)
            stages.add(stage)
            assert any(line.endswith(f" · {stage}") for line in GAME.describe(s, lang).splitlines())
            if session.asked == NOBODY:
                break
            session.table.do([int(rng.choice(np.flatnonzero(legal_mask(GAME, s))))])
    assert len(stages) > 3


def test_the_picture_in_text_was_the_board():
    """So no letter asks for it."""
    assert "p" not in COMMANDS and "picture" not in HELP["en"] and "盤面" not in HELP["ja"]
    assert "choose 1, " in sammu("play", "--players", 1, "--seed", 3, stdin="p\nq\n").output


# What is refused


class Half:
    """An agent that chooses no whole numbers."""

    name = "half"

    def __init__(self, game):
        """It knows nothing."""

    def reset(self, seed):
        """It draws nothing."""

    def act(self, states, masks):
        return masks.argmax(axis=1) + 0.5


class Lost(Half):
    """One that fails."""

    name = "lost"

    def act(self, states, masks):
        return {}["x"]


@pytest.mark.parametrize(("agent", "told"), [("Half", "agent half chose float64"), ("Lost", "agent lost has failed")])
def test_what_an_agent_does_wrong_is_named(agent, told):
    done = sammu("play", "--players", 2, "--agents", f"tests.test_terminal:{agent}")
    said = " ".join(done.output.split()) + str(done.exception)
    assert done.exit_code != 0 and told in said


@pytest.mark.parametrize("seed", [SEEDS, 10**30])
def test_evaluate_refuses_a_seed_that_is_none(seed):
    done = sammu("evaluate", "--agent", "random", "--seed", seed)
    assert done.exit_code == 2 and "--seed" in done.output and str(SEEDS - 1)[:9] in done.output


def test_a_challenge_that_is_named_twice_is_played_once(tmp_path):
    path = tmp_path / "table.json"
    done = sammu("evaluate", "--agent", "random", "--challenge", "SAM-185,sam-185", "--players", 2, "--games", 2,
                 "--processes", 1, "--json", path)  # fmt: skip
    assert done.exit_code == 0, done.output
    assert path.read_text().count('"SAM-185"') == 1


@pytest.mark.parametrize("seed", [-1, SEEDS, 10**30])
def test_seeds_that_are_none_are_refused_before_anything_is_written(tmp_path, seed):
    done = sammu("play", "--seed", seed, "--log", tmp_path / "new" / "game.jsonl")
    assert done.exit_code == 2 and f"seed is {seed}, choose 0 to {SEEDS - 1}" in " ".join(done.output.split())
    assert not list(tmp_path.iterdir())


def test_a_terminal_that_lacks_letters_is_told_the_rest():
    env = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    env.pop("PYTHONIOENCODING", None)
    command = [sys.executable, "-m", "sammu_env.command", "rules", "SAM-185", "--lang", "ja"]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, check=False)
    assert done.returncode == 0 and b"SAM-185 ??" in done.stdout and not done.stderr


# Ctrl-C while the processes of a search begin

PRESSED = """
import os, signal
from multiprocessing import forkserver
from tabletop.agents.futures import Crew
from tests.tabletop.toy import Toy

server = forkserver._forkserver
begin = server.ensure_running

def begin_and_press():
    begin()
    os.kill(server._forkserver_pid, signal.SIGINT)

server.ensure_running = begin_and_press
crew = Crew(Toy(), ["random"], 2)
crew.wait()
crew.close()
print("begun")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="there is no fork server")
def test_what_begins_processes_is_not_ended_by_ctrl_c():
    done = subprocess.run([sys.executable, "-c", PRESSED], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.stdout, done.returncode) == ("begun\n", 0) and "Traceback" not in done.stderr, done.stderr


def test_processes_that_cannot_begin_are_a_message_and_begin_later(monkeypatch):
    with closing(Crew(Toy(), ["random"], 2)) as crew:
        begin, tries = crew._begin, []

        def fails_once(names):
            tries.append(names)
            if len(tries) == 2:
                raise EOFError
            begin(names)

        monkeypatch.setattr(crew, "_begin", fails_once)
        with pytest.raises(ChildProcessError, match="a process that played games has ended"):
            crew.start()
        assert not crew._others
        crew.wait()
        assert len(tries) == 4 and len(crew._others) == 2
