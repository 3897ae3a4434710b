"""The hindsight search: what it finds is a won game that can be replayed, and nothing else passes for one."""

from __future__ import annotations

import copy
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import sammu_env
from benchmarks import hindsight
from sammu_env import constants as c
from sammu_env import position
from sammu_env.agents.nearness import FAR, count_steps, forget_steps
from tabletop.jit import entry
from tabletop.log import Log, Match

#: Three military are asked for in Babylonia, next door to Assyria.
EASY = """
[challenge.SAM-187]
win = [{ condition = "area_tokens", area = "Babylonia", kind = "military", n = 3 }]

[challenge.SAM-187.setup]
gates = ["Assyria"]
tokens = { Assyria = { military = 5, diviner = 3, supply = 3, medicine = 3 }, Babylonia = { military = 2 } }
enemies = {}
bag = {}
"""
ROOT = Path(__file__).parent.parent


@pytest.fixture(scope="module")
def easy(tmp_path_factory: pytest.TempPathFactory) -> str:
    path = tmp_path_factory.mktemp("edition") / "easy.toml"
    path.write_text(EASY, encoding="utf-8")
    return str(path)


@pytest.fixture(scope="module")
def found(easy: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Searched uncompiled: that is soon done for so little, and the search need not be compiled here."""
    path = tmp_path_factory.mktemp("proofs") / "proofs.json"
    command = [sys.executable, "-m", "benchmarks.hindsight", "--edition", easy, "--challenge", "SAM-187"]
    command += ["--players", "2", "--seeds", "1", "--minutes", "5", "--write", str(path)]
    environment = {**os.environ, "NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=400)
    assert done.returncode == 0, done.stderr
    assert "SAM-187         2  1 of 1  1" in done.stdout
    return path


def test_what_was_written_stays_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def breaks(file: int) -> None:
        raise OSError

    hindsight.write(tmp_path / "proofs.json", [])
    monkeypatch.setattr(os, "fsync", breaks)  # the disk is full
    with pytest.raises(OSError):
        hindsight.write(tmp_path / "proofs.json", [])
    assert hindsight.read(tmp_path / "proofs.json") == []


@pytest.fixture(scope="module")
def proof(found: Path) -> Log:
    (log,) = hindsight.read(found)
    return log


def test_what_it_finds_is_a_won_game(easy: str, proof: Log) -> None:
    assert proof.seed == 0 and proof.setup["players"] == 2
    assert hindsight.check(sammu_env.load_game(easy), proof) == 1


def test_the_draws_are_the_game_s_own(easy: str, proof: Log) -> None:
    """The choices alone win, where the simulator draws."""
    game = sammu_env.load_game(easy)
    match = Match(game, game.configure(challenge="SAM-187", players=2), 0)
    for actor, action in proof.entries:
        if actor >= 0:
            match.act(action)
    assert match.over and match.s["result"][0] == c.WON and match.stamped() == proof


@pytest.mark.parametrize("part", ["seed", "end", "choice", "draw", "trace", "challenge"])
def test_what_was_tampered_with_is_refused(easy: str, proof: Log, part: str) -> None:
    changed, game = copy.deepcopy(proof), sammu_env.load_game(easy)
    if part == "seed":
        changed.seed += 1
    elif part == "end":
        changed.entries.pop()
    elif part == "choice":
        changed.entries[0] = (changed.entries[0][0], game.n_actions - 1)
    elif part == "draw":
        chance = next(i for i, (actor, _) in enumerate(changed.entries) if actor < 0)
        changed.entries[chance] = (changed.entries[chance][0], changed.entries[chance][1] + 1)
    elif part == "trace":
        changed.trace = (changed.trace[0] + 1, changed.trace[1])
    else:
        changed.setup["challenge"] = 0
    with pytest.raises(ValueError):
        hindsight.check(game, changed)


def test_a_proof_holds_for_its_own_box(proof: Log) -> None:
    with pytest.raises(ValueError, match="edition"):
        hindsight.check(sammu_env.load_game(), proof)


def test_a_game_that_is_not_won_is_no_proof() -> None:
    game = sammu_env.load_game()
    log = Match(game, game.configure(), 3).stamped()
    with pytest.raises(ValueError, match="does not win: running"):
        hindsight.check(game, log)


def test_a_file_of_proofs_is_replayed(
    easy: str, found: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    hindsight.main(["--edition", easy, "--check", str(found)])
    assert capsys.readouterr().out == "SAM-187 2 players, seed 0: won in month 1\n"
    other = tmp_path / "other.json"
    other.write_text("{}", encoding="utf-8")
    with pytest.raises(ValueError, match="expected a list of game logs, found dict"):
        hindsight.read(other)


def near(challenge: str, **places: dict[str, int]) -> float:
    """How near the win is with these tokens: by location, or by area for supply and medicine."""
    names = {**dict.fromkeys(c.LOCATIONS, "locations"), **dict.fromkeys(c.AREAS, "areas")}
    keys: dict[str, dict[str, dict[str, int]]] = {"locations": {}, "areas": {}}
    for name, lying in places.items():
        keys[names[name]][name] = lying
    state = position.load({"challenge": challenge, "players": 3, "stage": "actions", **keys})
    game = sammu_env.load_game()
    one = np.zeros(1, hindsight.SEARCH)
    return float(hindsight.nearness(game.box, state, one))


def test_a_token_that_is_brought_comes_nearer() -> None:
    """SAM-181 asks for military at Meroe: each step from Egypt counts, and being there counts most."""
    steps = [near("SAM-181", **{place: {"military": 1}}) for place in ("Tyre", "Heliopolis", "Men-nefer", "Meroe")]
    assert steps == sorted(set(steps))


def test_a_token_serves_one_wish_alone() -> None:
    """SAM-180 asks for three diviners in each of four areas: of those that lie far away, each further one counts."""
    several = [near("SAM-180", Damascus={"diviner": n}) for n in range(9)]
    assert several == sorted(set(several))


def test_supply_on_the_way_to_a_gate_counts() -> None:
    """SAM-188 asks for gates in Babylonia and Egypt."""
    own = {"Assyria": {"supply": 1}}
    steps = [near("SAM-188", **own, **{area: {"supply": 1}}) for area in ("Cyprus", "Kush", "Egypt")]
    assert steps == sorted(set(steps))


SEARCH = np.zeros(1, hindsight.SEARCH)


def steps_to(target: str, **barred: dict[str, int]) -> dict[str, int]:
    """Steps to a location from each, where some bar the way; always with the same search, which keeps what it knows."""
    state = position.load({"challenge": "SAM-182", "players": 3, "stage": "actions", "locations": barred})
    count(sammu_env.load_game().box, state, SEARCH, c.LOCATIONS.index(target))
    rings = SEARCH["ring"][0, c.LOCATIONS.index(target)].tolist()
    return {name: next((steps for steps, ring in enumerate(rings) if ring >> i & 1), FAR)
            for i, name in enumerate(c.LOCATIONS)}  # fmt: skip


@entry
def count(box: Any, s: Any, search: Any, target: int) -> None:
    forget_steps(s[0], search[0])
    count_steps(box[0], s[0], search[0], target)


def test_the_queens_road_is_one_step() -> None:
    to = steps_to("Susa")
    assert [to[place] for place in ("Susa", "Sardes", "Kalhu", "Salamis")] == [0, 1, 1, 4]
    assert steps_to("Sardes")["Susa"] == 1 and steps_to("Tyre")["Salamis"] == 1


@pytest.mark.parametrize("marker", ["enemy", "unrest", "plague"])
def test_what_bars_the_queens_road_makes_the_way_longer(marker: str) -> None:
    """At Nineveh, between Gordium and Kalhu: the road leads there, and no farther; by Damascus, Tyre, Jerusalem and
    Ashur it is five. To enemies it does not lead."""
    for _ in range(2):
        to = steps_to("Kalhu", Nineveh={marker: 1})
        assert (to["Ancyra"], to["Nineveh"], to["Arbela"]) == (5, 1, 1)
        assert steps_to("Nineveh", Nineveh={marker: 1})["Gordium"] == (3 if marker == "enemy" else 1)
        assert steps_to("Kalhu")["Ancyra"] == 1
