"""The ``sammu`` command: what people type and what they get."""

import io
import json
import os
import re
import signal
import subprocess
import sys
import threading
import time
import urllib.request
from contextlib import closing, contextmanager
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

import sammu_env
from sammu_env import position
from tabletop import games
from tabletop.assist import cli
from tabletop.assist.options import numbers
from tabletop.assist.terminal import COMMANDS, Session, letters
from tabletop.coach.table import Table
from tabletop.game import CHANCE, NOBODY, enter, legal_mask
from tabletop.log import Match, replay
from tests.command import refused, sammu
from tests.tabletop.bidding import Bidding

ROOT = Path(__file__).resolve().parents[1]


def test_help_names_the_commands():
    text = sammu("--help").output
    for command in ("play", "advise", "coach", "train", "evaluate", "coplay", "results", "calibrate", "cards", "rules"):
        assert command in text


@pytest.mark.slow
def test_the_coach_opens_a_game(tmp_path):
    command = [sys.executable, "-m", "sammu_env.command", "coach", "--port", "0", "--tables", str(tmp_path)]
    process = subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    try:
        home = process.stdout.readline().strip().rstrip("/")
        with urllib.request.urlopen(home, timeout=60) as page:
            assert "<!doctype html>" in page.read().decode()
        head = {"Origin": home, "Content-Type": "application/json"}
        new = json.dumps({"options": {"challenge": "SAM-185", "players": 2}}).encode()
        with urllib.request.urlopen(urllib.request.Request(f"{home}/api/games", new, head), timeout=300) as told:
            name = json.load(told)["id"]
        with urllib.request.urlopen(f"{home}/api/games/{name}", timeout=60) as told:
            assert "SAM-185" in json.load(told)["describe"]
        process.send_signal(signal.SIGINT)
        assert process.wait(180) == 0, process.stderr.read()  # an advisor that still loads is waited for
    finally:
        process.kill()
        process.communicate(timeout=60)
    assert [path.stem for path in tmp_path.glob("*.jsonl")] == [name]


def test_rules_in_both_languages():
    english, japanese = sammu("rules", "SAM-185"), sammu("rules", "sam-185", "--lang", "ja")
    assert english.exit_code == japanese.exit_code == 0
    assert "SAM-185" in english.output
    assert english.output != japanese.output
    assert any(ord(letter) > 0x3000 for letter in japanese.output)


@pytest.mark.parametrize(
    ("args", "named"),
    [
        (("rules", "SAM-001"), "SAM-179 to SAM-198"),
        (("rules", "185"), "SAM-"),
        (("rules", "SAM-185", "--lang", "fr"), "en, ja"),
        (("cards", "show", "SAM-999"), "SAM-198"),
        (("cards", "check", "no-such-file.toml"), "no-such-file.toml"),
        (("play", "--challenge", "SAM-200"), "SAM-179"),
        (("play", "--players", "6"), "1, 2, 3, 4, 5"),
        (("play", "--agents", "human,genius"), "human, random, scripted"),
        (("play", "--players", "2", "--agents", "human,random,random"), "2 seats"),
        (("play", "--edition", "no-such-file.toml"), "no-such-file.toml"),
        (("evaluate", "--agent", "genius"), "random, scripted"),
        (("evaluate", "--agent", "random", "--players", "0-3"), "1 to 5"),
        (("evaluate", "--agent", "random", "--players", "many"), "1-5"),
        (("evaluate", "--agent", "random", "--challenge", "SAM-185,SAM-1"), "SAM-1'"),
        (("evaluate", "--games", "0"), "games"),
        (("coplay", "--agent", "genius"), "random, scripted"),
        (("coplay", "--agent", "random", "--task", "standard", "--players", "2"), "leave out those options"),
        (("coplay", "--agent", "random", "--players", "1", "--challenge", "SAM-185"), "choose games of two or more"),
        (("evaluate", "--task", "solo"), "held-out, any-box, ladder, hidden-hands, campaign"),
        (("evaluate", "--task", "standard", "--split", "exam"), "train, validation, test"),
        (("evaluate", "--task", "standard", "--challenge", "SAM-185"), "leave out those options"),
        (("evaluate", "--task", "standard", "--seed", "0"), "leave out those options"),
        (("evaluate", "--results", "runs"), "are of a --task"),
        (("evaluate", "--against", "random", "--task", "standard", "--results", "runs"), "leave out one"),
        (("evaluate", "--against", "random", "--players", "2", "--split", "test"), "is of a --task"),
        (("evaluate", "--against", "genius", "--players", "2", "--challenge", "SAM-185"), "random, scripted"),
        (("evaluate", "--task", "novice", "--edition", "expert"), "boxes of its own: leave out --edition"),
        (("coplay", "--agent", "random", "--task", "any-box", "--edition", "expert"), "leave out --edition"),
        (("train", "--set", "tasks={expert: 1}", "--edition", "novice"), "expert is played on boxes of its own"),
        (("calibrate", "ppo", "--task", "expert", "--edition", "novice"), "expert is played on boxes of its own"),
        (("evaluate", "--agent", "planner:width=99999999999999", "--games", 1), "choose 1 to 1,000,000"),
        (("evaluate", "--json", "docs"), "docs: it is a folder"),
        (("evaluate", "--task", "standard", "--results", "README.md"), "README.md: it is no folder"),
        (("calibrate", "ppo", "--task", "standard", "--positions", "1"), "leave out --task"),
        (("results", "no-such-folder"), "no-such-folder"),
        (("evaluate", "--json", "README.md/x.json"), "README.md: it is no folder"),
        (("evaluate", "--task", "standard", "--results", "README.md/x"), "README.md: it is no folder"),
        (("evaluate", "--task", "novice", "--results", "new", "--json", "new/t.json"), "of new are results files"),
        (("evaluate", "--json", "new.json", "--csv", "docs/../new.json"), "new.json: it cannot hold two tables"),
        (("coplay", "--agent", "random", "--json", "README.md", "--write", "README.md"), "cannot hold two tables"),
        (("evaluate", "--task", ""), "task is '', choose one of "),
        (("coplay", "--agent", "random", "--task", ""), "task is '', choose one of "),
        (("evaluate", "--task", "standard", "--split", ""), "split is '', choose one of train"),
        (("evaluate", "--agent", ""), "agent is '', choose one of random"),
        (("results", "docs/benchmark", "--agent", ""), "agent is '', choose one of random"),
        (("play", "--advisor", ""), "advisor is ''"),
        (("evaluate", "--players", "3-1"), "players is '3-1', expected numbers like 3, 1-5 or 1,3-4"),
        (("evaluate", "--players", "1-99999999999"), "choose from 1 to 5"),
        (("coach", "--host", "nope.invalid"), "host is 'nope.invalid', expected an IP address of this machine, or"),
        (("cards", "check", "standard"), "standard: cannot be read"),
        (("train", "--folder", "README.md"), "README.md: it is no folder"),
        (("train", "--set", "games=x"), "configs/ppo.yaml: games: expected a whole number, not 'x'"),
        (("coach", "--tables", "README.md"), "README.md: it is there already, and is no folder"),
    ],
)
def test_bad_input_is_a_message(args, named):
    assert named in refused(*args)


def test_what_may_not_be_written_is_known_before_a_game(monkeypatch, tmp_path):
    monkeypatch.setattr("os.access", lambda path, _: Path(path) != tmp_path)
    for option in (("--json", tmp_path / "x.json"), ("--task", "standard", "--results", tmp_path / "new" / "er")):
        assert f"{tmp_path}: it may not be written" in refused("evaluate", *option)


def test_numbers():
    assert numbers("1-5", "players", 1, 5) == [1, 2, 3, 4, 5]
    assert numbers("4, 1-2", "players", 1, 5) == [1, 2, 4]
    for wrong in ("", "0", "6", "2-", "-2", "3-1", "a"):
        with pytest.raises(ValueError, match="players is"):
            numbers(wrong, "players", 1, 5)


def test_cards():
    everything, unverified = sammu("cards", "list").output, sammu("cards", "list", "--unverified").output
    assert 0 < len(unverified.splitlines()) < len(everything.splitlines())
    assert all("reconstructed" in line for line in unverified.splitlines())
    assert "rulebook" in sammu("cards", "summary").output
    assert "SAM-026" in sammu("cards", "show", "SAM-026").output


def test_cards_check(tmp_path):
    good, bad = tmp_path / "good.toml", tmp_path / "bad.toml"
    good.write_text("")
    bad.write_text('[event.SAM-999]\ntext = "x"\n')
    assert sammu("cards", "check", good).exit_code == 0
    assert "SAM-999" in refused("cards", "check", bad)


def kept(path):
    """What a table's file holds, as a log."""
    with closing(Table.open(sammu_env.load_game(), path)) as table:
        return table.log()


@pytest.mark.parametrize("lang", ["en", "ja"])
def test_agents_play_a_game_and_its_log_replays(tmp_path, lang):
    path = tmp_path / "game.jsonl"
    done = sammu("play", "--agents", "random", "--players", 2, "--seed", 3, "--log", path, "--lang", lang)
    assert done.exit_code == 0, done.output
    log = kept(path)
    assert log.seed == 3
    assert replay(sammu_env.load_game(), log)["to_act"][0] == NOBODY
    again = sammu("play", "--agents", "random", "--players", 2, "--log", path)
    assert again.exit_code == 0
    assert kept(path) == log


def test_person_chooses_takes_back_and_quits(tmp_path):
    path = tmp_path / "game.jsonl"
    done = sammu("play", "--players", 1, "--seed", 3, "--log", path,
                 stdin="1\n1\n1\nu\nr\nr\nu\n1\nh\ns\nl\n999\nx\nq\n")  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "choose 1, " in done.output and "nothing to do again" in done.output and "Win when" in done.output
    assert sum(actor >= 0 for actor, _ in kept(path).entries) == 3
    more = sammu("play", "--log", path, stdin="kalhu\nq\n")
    assert more.exit_code == 0
    assert sum(actor >= 0 for actor, _ in kept(path).entries) == 4


@pytest.mark.parametrize(("lang", "event"), [("en", "16"), ("ja", "SAM-016")])
def test_the_real_box_at_the_terminal(tmp_path, lang, event):
    """People say what they drew by the number on the card or by a part of its name; the end has a letter, no number."""
    path, game = tmp_path / "game.jsonl", sammu_env.load_game()
    match = Match(game, game.configure(players=1, challenge="SAM-185"), 3, manual_chance=True)
    said = []
    while not game.question(match.s).startswith("Which event"):
        if match.to_act == CHANCE:
            first = game.words(match.s, int(np.flatnonzero(match.legal())[0]))
            said.append(first.split(":")[0].split(" (")[0])
        else:
            said.append("1")
        match.act(int(np.flatnonzero(match.legal())[0]))
    play = ("play", "--players", 1, "--challenge", "SAM-185", "--box", "--log", path, "--lang", lang)
    done = sammu(*play, stdin="\n".join([*said, "sam", event, "l", "q", ""]))
    assert done.exit_code == 0, done.output
    log = kept(path)
    assert [action for _, action in log.entries[: len(said)]] == [action for _, action in match.log.entries]
    match.act(log.entries[len(said)][1])
    assert "SAM-016" in game.words(match.s, log.entries[len(said)][1])
    assert "[Player 1]" in done.output if lang == "en" else "[プレイヤー1]" in done.output
    assert "advisor_0" not in done.output


def test_undo_says_what_to_put_back(tmp_path):
    """And the headlines of menus are words, places are named as on the board, and a number is no part of another."""
    play = ("play", "--players", 2, "--challenge", "SAM-185", "--box", "--log", tmp_path / "game.jsonl")
    done = sammu(*play, stdin="kalhu\nu\nr\n85\nq\n")
    lines = [line.strip("> ") for line in done.output.splitlines()]
    there, back = "- Empire board: 1 × military → KALHU", "- KALHU: 1 × military → Empire board"
    assert lines.count(there) == 2 and lines.count(back) == 1 and "1 KALHU" in lines
    draw = sammu(*play, "--challenge", "random", "--log", tmp_path / "other.jsonl", stdin="85\n185\nq\n").output
    assert draw.count("choose 179 ... 198") == 1 and "SAM-185 Rebellion in Egypt" in draw


def test_the_end_may_be_taken_back(monkeypatch):
    """A wrong answer that ends the game is no loss; what is not u ends."""
    game, out, ends = Bidding(), Console(quiet=True), []

    def said(prompt):
        if session.asked != NOBODY:
            return "1"
        ends.append(session.table.rev)
        return "U" if len(ends) == 1 else ""

    monkeypatch.setattr(out, "input", said)
    session = Session(game, game.configure(players=2), "human", out, seed=3)
    session.run()
    assert len(ends) == 2 and ends[1] > ends[0] + 1


def test_a_coach_without_advice_says_so(monkeypatch, tmp_path):
    def serve(game, folder, *where, advisor, **options):
        with pytest.raises(ValueError, match="agent is 'pp0'"):
            advisor(game)

    monkeypatch.setattr("tabletop.coach.serving.serve", serve)
    done = sammu("coach", "--advisor", "pp0", "--tables", tmp_path)
    assert done.exit_code == 0 and "nobody gives advice: agent is 'pp0', choose one of" in done.stderr


def test_headlines_of_menus_are_words():
    game = sammu_env.load_game()
    card = next(action for action in range(game.n_actions) if game.group(action) == "ashur")
    for lang, headline in (("en", "Ashur card"), ("ja", "アッシュル・カード")):
        out = io.StringIO()
        session = Session(game, game.configure(players=2), "human", Console(file=out), lang=lang)
        with session._open:
            session.menu({"1": card})
        assert out.getvalue().splitlines()[0].strip() == headline


def test_menus_keep_their_letters():
    """What ends something has its own letter and comes last; several blocks have a letter each, always the same."""
    game = sammu_env.load_game()
    own = letters(game)
    assert own["done"] == "d" and own["verb"] == "v" and len(set(own.values())) == len(own)
    assert not set(own.values()) & set(COMMANDS)
    match = Match(game, game.configure(players=2), 3)
    session = Session(game, game.configure(players=2), "human", Console())
    rng, menus = np.random.default_rng(1), 0
    with session._open:
        while not match.over and menus < 40:
            options = session.options(match.s)
            assert sorted(options.values()) == np.flatnonzero(match.legal()).tolist()
            ends = [key for key, action in options.items() if game.group(action) == "done"]
            assert all(key.startswith("d") for key in ends) and [*options][len(options) - len(ends) :] == ends
            assert all(session.fitting(match.s, options, key) == [action] for key, action in options.items())
            menus += len(ends)
            match.act(int(rng.choice(np.flatnonzero(match.legal()))))


def test_agents_at_the_terminal_see_what_their_seat_may(monkeypatch):
    """With hidden hands an agent is not handed the table itself."""
    game, handed = sammu_env.load_game(), []
    session = Session(game, game.configure(players=2, hidden_hands=True), "random", Console(quiet=True), seed=3)
    act = session.players[0].act
    monkeypatch.setattr(session.players[0], "sees", "all", raising=False)
    monkeypatch.setattr(session.players[0], "act", lambda s, mask: handed.append(s.copy()) or act(s, mask))
    with session._open:
        while len(handed) < 3:
            true = session.s
            session.agent(session.players[0])
            assert handed[-1]["rng"].tobytes() != true["rng"].tobytes()
            assert handed[-1]["manual_chance"][0] == 0


@pytest.mark.parametrize("name", ["pergamemnon", "xerxes"])
def test_who_plays_alone_with_agents_is_told_what_that_seat_knows(name, monkeypatch):
    """Neither the rivals' hands, nor what they lay or discard unseen, nor what they draw; open cards are told."""
    game, out, rng, kept = games.load(name), io.StringIO(), np.random.default_rng(2), {"hidden": 0, "shown": 0}
    session = Session(game, game.configure(players=3), "human,random", Console(file=out, width=400), seed=5)
    assert session.seat == 0
    with session._open:
        for _ in range(60):
            s, head, before = session.s, session.table.head(), len(out.getvalue())
            if (player := session.player()) is not None:
                session.agent(player)
            elif session.asked >= 0:
                session.choose(int(rng.choice(np.flatnonzero(legal_mask(game, s)))))
            else:
                break
            lines, way = out.getvalue()[before:].splitlines(), session.table.way()
            for node in way[[one.n for one in way].index(head) + 1 :]:
                if node.actor != 0:
                    said, seen = game.words(s, node.action), game.sees(s, node.action, 0)
                    mine = [line for line in lines if line.startswith("  * " if node.actor == CHANCE else "[")]
                    assert any(line.endswith(f" {said}") for line in mine) == seen, (lines, said)
                    kept["shown" if seen else "hidden"] += 1
                enter(game, s, node.action)
        views = []
        for world in (session.s, game.resample(session.s, 0, rng)):
            monkeypatch.setattr(session.table, "state", lambda world=world: world)
            before = len(out.getvalue())
            session.look()
            views.append(out.getvalue()[before:])
    assert views[0] == views[1] and min(kept.values()) > 9
    together = Session(game, game.configure(players=3), "human,human,random", Console(file=out))
    with together._open:
        assert together.seat is None


def test_nothing_to_take_back():
    assert "nothing to take back" in sammu("play", "--players", 1, "--seed", 3, stdin="u\nq\n").output


def test_a_game_that_is_kept_goes_on_as_it_was_set_up(tmp_path):
    """The same command again goes on with it; what was set up otherwise is named."""
    path = tmp_path / "game.jsonl"
    first = ("play", "--players", 3, "--challenge", "SAM-190", "--oracles", 2, "--seed", 3, "--log", path)
    begun = sammu(*first, stdin="q\n")
    assert "goes on" not in begun.output and "not kept" not in begun.output
    before = path.read_bytes()
    for again in (first, ("play", "--log", path), ("play", "--log", path, "--lang", "ja", "--players", 3)):
        done = sammu(*again, stdin="q\n")
        assert done.exit_code == 0 and path.name in done.output.replace("\n", "").partition("SAM-190")[0]
    for options, named in ((("--players", 2), "--players:"), (("--challenge", "SAM-185"), "--challenge:"),
                           (("--oracles", 1, "--campaign", "--seed", 4), "--oracles, --campaign, --seed:"),
                           (("--box",), "--box:")):  # fmt: skip
        assert f"set up with another {named}" in refused("play", "--log", path, *options)
    assert path.read_bytes() == before


def test_seats_are_those_of_the_game_that_goes_on(tmp_path):
    path = tmp_path / "game.jsonl"
    game = sammu_env.load_game()
    Table.create(game, path, game.configure(players=2, hidden_hands=True), 3, box=False).close()
    assert "3 players are named for 2 seats" in refused("play", "--log", path, "--agents", "human,random,random")
    session = Session(game, game.configure(players=3), "human,random", Console(quiet=True), log=path)
    with session._open:
        assert len(session.players) == 2 and session.seat == 0  # with hidden hands the screen is for one pair of eyes


def test_nothing_that_is_wrong_leaves_a_file(tmp_path):
    path = tmp_path / "game.jsonl"
    refused("play", "--agents", "human,ppo:nowhere", "--log", path)
    assert not path.exists()


@pytest.mark.parametrize(("lang", "said"), [("en", "the game is not kept"), ("ja", "保存されない")])
def test_a_game_that_is_not_kept_says_so(tmp_path, lang, said):
    play = ("play", "--players", 1, "--seed", 3, "--lang", lang)
    assert said in sammu(*play, stdin="q\n").output and said in sammu(*play, stdin="").output
    assert said not in sammu(*play, "--log", tmp_path / "game.jsonl", stdin="q\n").output
    assert said not in sammu("play", "--players", 1, "--agents", "random", "--seed", 3).output


class Answer:
    """What a search found."""

    plans = ("some",)

    def __init__(self, number):
        self.number = number

    def line(self, lang):
        return f"line {self.number}"

    def text(self, lang):
        return f"text {self.number}"


class Searching:
    """A search during which somebody presses Ctrl-C so often after its third answer, and which may end by itself."""

    def __init__(self, times, error=None):
        self.times, self.error, self.cancelled, self.closed = times, error, 0, 0

    def advise(self, state, seconds):
        for number in range(9):
            if self.cancelled:
                return
            yield Answer(number)
            if number == 2:
                for _ in range(self.times):
                    signal.raise_signal(signal.SIGINT)
                if self.error:
                    raise self.error

    def cancel(self):
        self.cancelled += 1

    def close(self):
        self.closed += 1


@pytest.mark.parametrize(
    ("search", "kept"),
    [
        (Searching(0), True),
        (Searching(1), True),
        (Searching(2), False),  # who presses it again does not wait for what still runs
        (Searching(1, ChildProcessError("a process has ended")), False),
        (Searching(0, ChildProcessError("a process has ended")), False),
    ],
)
def test_ctrl_c_cancels_a_search_and_no_game(search, kept):
    game, out = Bidding(), io.StringIO()
    session = Session(game, game.configure(players=2), "human", Console(file=out), seed=3)
    session.__dict__["advisor"] = search
    before = signal.getsignal(signal.SIGINT)
    with session._open:
        session.advise()
        assert ("advisor" in session.__dict__) is kept and search.closed == (not kept)
    assert signal.getsignal(signal.SIGINT) is before
    last = 2 if search.times or search.error else 8
    said = [line for line in out.getvalue().splitlines() if line]
    ended = ["a process has ended"] if search.error and not search.times else []
    assert said == [*(f"line {number}" for number in range(last + 1)), *ended, f"text {last}"]
    assert search.cancelled == min(search.times, 1)


def test_advice_in_a_thread_leaves_ctrl_c_alone():
    game, handlers, out = Bidding(), [], Console(quiet=True)
    session = Session(game, game.configure(players=2), "human", out, seed=3)
    session.__dict__["advisor"] = search = Searching(0)
    before, advise = signal.getsignal(signal.SIGINT), search.advise
    search.advise = lambda *asked: (handlers.append(signal.getsignal(signal.SIGINT)) or one for one in advise(*asked))
    with session._open:
        (thread := threading.Thread(target=session.advise)).start()
        thread.join()
    assert handlers == [before] * 9


def test_end_of_input_ends_cleanly():
    done = sammu("play", "--players", 1, "--seed", 3, stdin="1\n")
    assert done.exit_code == 0
    assert "Traceback" not in done.output


def test_damaged_log_is_a_message(tmp_path):
    path = tmp_path / "game.jsonl"
    path.write_text("{}\n")
    assert "game.json" in refused("play", "--log", path)


def test_evaluate_writes_its_table(tmp_path):
    js, cs = tmp_path / "t.json", tmp_path / "t.csv"
    done = sammu("evaluate", "--agent", "random", "--challenge", "SAM-185,SAM-190", "--players", "1,3", "--games", 4,
                 "--processes", 1, "--json", js, "--csv", cs)  # fmt: skip
    assert done.exit_code == 0, done.output
    assert "SAM-190" in done.output
    cells = json.loads(js.read_text())["agents"]["random"]
    assert [(cell["challenge"], cell["players"]) for cell in cells] == [
        ("SAM-185", 1), ("SAM-185", 3), ("SAM-190", 1), ("SAM-190", 3),
    ]  # fmt: skip
    assert all(cell["games"] == 4 and cell["wins"] + sum(cell["causes"].values()) == 4 for cell in cells)
    assert len(cs.read_text().splitlines()) == 5
    same = sammu("evaluate", "--agent", "random", "--challenge", "SAM-185,SAM-190", "--players", "1,3", "--games", 4,
                 "--processes", 2, "--json", "-")  # fmt: skip
    assert json.loads(same.stdout)["agents"]["random"] == cells


def test_what_is_played_is_saved_now_and_then_and_in_the_end():
    saved = []
    saver = cli.Saver(lambda: saved.append(len(saved)))
    saver.end()
    assert saved == []
    for _ in range(5):
        saver.played()
    assert len(saved) == 1
    saver.end()
    saver.end()
    assert len(saved) == 2


def test_benchmark_goes_on_where_it_stopped(tmp_path):
    play = ("evaluate", "--agent", "random", "--task", "hidden-hands", "--games", 2, "--processes", 1,
            "--results", tmp_path)  # fmt: skip
    done = sammu(*play)
    assert done.exit_code == 0, done.output
    path = tmp_path / "hidden-hands-random.json"
    whole = path.read_text()
    path.write_text("".join(line for line in whole.splitlines(True) if '"players": 3' not in line))
    assert sammu(*play).exit_code == 0
    timed = re.compile(r'"seconds": [\d.e-]+')
    assert timed.sub("", path.read_text()) == timed.sub("", whole) != whole
    assert "choose another folder" in refused(*play, "--split", "validation")


def test_benchmark_writes_its_tables(tmp_path):
    sammu("evaluate", "--agent", "random", "--task", "campaign", "--games", 2, "--processes", 1, "--results", tmp_path)
    printed = sammu("results", tmp_path)
    assert printed.exit_code == 0, printed.output
    assert "| campaign | random |" in printed.stdout
    page = tmp_path / "page.md"
    page.write_text("# Page\n")
    assert "tables: begin" in refused("results", tmp_path, "--write", page)
    page.write_text("# Page\n<!-- tables: begin -->\n<!-- tables: end -->\n")
    assert sammu("results", tmp_path, "--write", page).exit_code == 0
    assert printed.stdout in page.read_text()


@pytest.mark.slow
def test_agents_share_the_seats(tmp_path):
    """Both sit in each seat of the same games."""
    play = ("evaluate", "--agent", "random", "--against", "random", "--challenge", "SAM-185", "--players", "2-3",
            "--games", 3, "--processes", 1)  # fmt: skip
    done = sammu(*play, "--json", tmp_path / "table.json", "--csv", tmp_path / "table.csv")
    assert done.exit_code == 0 and done.stdout.count("random") == 2
    data = json.loads((tmp_path / "table.json").read_text())
    (table,) = data["tables"]
    assert table["agents"] == ["random", "random"] and [cell["players"] for cell in table["cells"]] == [2, 3]
    for cell in table["cells"]:
        assert [row["games"] for row in cell["standings"]] == [3 * cell["players"]] * 2
        assert all(row["place"]["mean"] == 1 for row in cell["standings"])  # a team
    rows = (tmp_path / "table.csv").read_text().splitlines()
    assert len(rows) == 1 + 2 * 2 and rows[0].startswith("challenge,players,agents,agent,games,won,won_low,won_high")
    assert sammu(*play, "--json", "-").stdout.startswith("{")


def test_nobody_has_to_read_to_the_end():
    process = subprocess.Popen([sys.executable, "-m", "sammu_env.command", "cards", "list"], cwd=ROOT, text=True,
                               stdout=subprocess.PIPE, stderr=subprocess.PIPE)  # fmt: skip
    assert process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    process.wait(60)


@contextmanager
def started(*command):
    """The command as a process, with a group of its own, which is gone in the end."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sammu_env.command", *command], cwd=ROOT, text=True, start_new_session=True,
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        yield process
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)


@pytest.mark.parametrize("command", ["evaluate", "play"])
def test_ctrl_c_ends_cleanly(command, tmp_path):
    options = ["--agent", "random", "--task", "standard", "--split", "validation", "--games", "2000"]
    with started(command, *([*options, "--results", str(tmp_path)] if command == "evaluate" else [])) as process:
        if command == "play":
            assert process.stdout.readline()  # it has begun
        while command == "evaluate" and not [*tmp_path.glob("*.json")]:
            assert process.poll() is None
            time.sleep(0.1)
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    assert "Traceback" not in output + errors
    assert process.returncode in (0, 130), errors


@pytest.mark.slow
def test_ctrl_c_in_a_search_brings_the_prompt_back():
    """At a terminal it goes to all processes, also to those that play for the search."""
    play = ["play", "--players", "1", "--seed", "3", "--advisor", "random", "--seconds", "30"]
    with started(*play) as process:
        process.stdin.write("a\n")
        process.stdin.flush()
        while "%" not in (line := process.stdout.readline()):  # games are played on
            assert line
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate("1\nq\n", timeout=120)
    assert process.returncode == 0 and "Traceback" not in errors, errors
    assert "games played on" in output and "choose 1" not in output and "the game is not kept" in output


@pytest.mark.slow
def test_ctrl_c_in_advice_ends_with_what_was_found(tmp_path):
    """Every line is an answer: the first from the agent alone, the others with games."""
    match = Match(sammu_env.load_game(), sammu_env.load_game().configure(players=2), 3)
    (tmp_path / "here.json").write_text(json.dumps(position.dump(match.s)))
    with started("advise", str(tmp_path / "here.json"), "--agent", "random", "--seconds", "60", "--json") as process:
        lines = [json.loads(process.stdout.readline()) for _ in range(3)]
        os.killpg(process.pid, signal.SIGINT)
        output, errors = process.communicate(timeout=60)
    lines += map(json.loads, output.splitlines())
    assert process.returncode == 0 and "Traceback" not in errors, errors
    assert [line["rollouts"] > 0 for line in lines] == [False, *[True] * (len(lines) - 1)]
    assert lines[0]["plans"][0]["worlds"] == 0 and all(line["plans"] for line in lines)
    assert 0 < lines[-1]["seconds"] < 50


@pytest.mark.parametrize(("given", "kept"), [({}, cli.SPINS), ({"GOMP_SPINCOUNT": "5"}, "5")])
def test_a_command_has_threads_give_way_unless_the_user_says_otherwise(monkeypatch, given, kept):
    monkeypatch.setattr(os, "environ", given)
    cli.main(lambda: None)
    assert given == {"GOMP_SPINCOUNT": kept}
