"""The settings of a training run."""

from __future__ import annotations

from pathlib import Path

import pytest

from tabletop.training.config import Config, changed, check, load


@pytest.mark.parametrize("path", sorted(Path(__file__).parents[2].glob("configs/*.yaml")), ids=lambda path: path.stem)
def test_shipped_settings_are_good(path: Path) -> None:
    assert load(path).decisions > 0


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"decision": 5}, r"mine: decision: there is no such setting, choose from .*decisions"),
        ({"ppo": {"gama": 1}}, r"mine: ppo\.gama: there is no such setting, choose from .*gamma"),
        ({"ppo": {"gamma": 1.5}}, r"ppo\.gamma: expected 1(\.0)? or less, not 1\.5"),
        ({"games": 0}, r"games: expected 1 or more, not 0"),
        ({"tasks": {}}, r"tasks is empty"),
        ({"trainer": "a2c"}, r"trainer: expected 'ppo' or 'maskable_ppo', not 'a2c'"),
        ({"sampler": {"floor": 0}}, r"sampler\.floor: expected a number above 0(\.0)?, not 0"),
        ({"warm_start": {"share": 0.1, "weight": 0}}, r"warm_start\.share is 0\.1, but weight 0\.0, .* leaves none"),
        ({"warm_start": {"share": 0.1, "since": 0.6}}, r"since is 0\.6\) until 0\.5 of 1526 updates, leaves none"),
        ({"warm_start": {"share": 0.1, "updates": 800}}, r"the warm start takes 800, since is 0"),
        *(({"warm_start": {"share": share, "until": 1}, "games": 4, "length": 512},
           rf"warm_start\.share is {share}, which is {n} of 4 games and leaves the {whom} none: choose another share")
          for share, n, whom in ((0.1, 0, "teacher"), (0.9, 4, "network"))),
        ({"pool": {"share": 0.5, "agents": ["random"]}, "warm_start": {"updates": 1526}},
         r"pool\.share is 0\.5, but the warm start takes all 1526 updates: nobody of the pool can play"),
        ({"seed": 10**30}, r"seed: expected a number below 9223372036854775808"),
        ({"pool": {"share": 0.5, "keep": 0}}, r"share is 0\.5, but keep is 0 and agents names none"),
        ({"warm_start": {"kl": 0.5, "updates": 763}}, r"kl is 0\.5, .* of 1526 updates, and .* takes 763, which"),
        ({"pool": {"share": 0.5, "every": 1526}}, r"every is 1526 of 1526 updates and agents names none: nobody"),
        *(({name: 10**12}, rf"{name}: expected \d+ or less, not 1") for name in ("threads", "games", "length")),
        *(({group: {name: 10**12}}, rf"{group}\.{name}: expected [\d.]+ or less, not 1") for group, name in (
            ("network", "width"), ("network", "blocks"), ("mid_game", "stored"), ("searches", "stored"), ("ppo", "clip")
        )),
        ({"warm_start": {"updates": 1527}}, r"warm_start\.updates is 1527, but there are 1526 updates in all: choose"),
        *(({"games": wrong}, r"mine: games: expected a whole number, not ") for wrong in ("1e6", 1.5, None, [1])),
        *(({"ppo": {"value": wrong}}, r"ppo\.value: expected a number, not ") for wrong in ("x", None, float("inf"))),
        *(({"ppo": {"entropy": x}}, r"entropy.*: expected a pair \[first, last\], not ") for x in ([1], [1] * 3)),
        ({"ppo": {"entropy": 0.1}}, r"ppo\.entropy: expected a list, not 0\.1"),
        ({"network": {"contents": "maybe"}}, r"network\.contents: expected true or false, not 'maybe'"),
        ({"name": "a b"}, r"name: expected letters and digits, and \. _ - after the first, not 'a b'"),
        ({"init": 3}, r"init: expected a word, not 3"),
        *(({name: 3}, rf"{name}: expected names with values, not 3") for name in ("ppo", "tasks", "only")),
        ({"only": {"players": [[2]]}}, r"^mine: only\.players\.0: expected a word or a number, not \[2\]$"),
        ({"pool": {"agents": ["random"]}}, r"pool\.agents or pool\.alone is set, but pool\.share is 0"),
        ({"pool": {"alone": True}}, r"pool\.agents or pool\.alone is set, but pool\.share is 0"),
        ({"length": 60, "ppo": {"run": 16}, "games": 512}, r"ppo\.run is 16, choose a divisor of length, 60"),
        ({"games": 4, "length": 4, "ppo": {"minibatch": 64}}, r"games x length = 16 is no multiple of a minibatch of"),
    ],
)  # fmt: skip
def test_wrong_setting_is_named(data: dict, told: str) -> None:
    with pytest.raises(ValueError, match=told):
        check(data, "mine")


@pytest.mark.parametrize("data", [
    {"warm_start": {"kl": 0.5, "updates": 762}}, {"warm_start": {"kl": 0.5}, "decisions": 64, "init": "ppo"},
    {"warm_start": {"share": 0.2}, "games": 4, "length": 512}, {"warm_start": {"temperature": 0.4}},
    {"pool": {"share": 0.5, "agents": ["random"]}, "warm_start": {"updates": 1525}}, {"shaping": {"agent": "random"}},
    {"pool": {"share": 0.5, "every": 1525}}, {"pool": {"share": 0.5, "every": 9999, "agents": ["random"]}},
])  # fmt: skip
def test_what_is_just_enough_is_allowed(data: dict) -> None:
    check(data)


def test_every_wrong_setting_is_named() -> None:
    with pytest.raises(ValueError) as error:
        check({"games": 0, "colour": "red"})
    assert "games" in str(error.value) and "colour" in str(error.value)


def test_file_with_changes(tmp_path: Path) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text("games: 128\nppo: {gamma: 0.9, clip: 0.1, minibatch: 512}\ntasks: {standard: 1}\n")
    config = load(path, changed(["ppo.gamma=0.95", "seed=7", "tasks={campaign: 1}"]))
    assert (config.games, config.ppo.gamma, config.ppo.clip, config.seed) == (128, 0.95, 0.1, 7)
    assert config.tasks == {"campaign": 1}


@pytest.mark.parametrize(("text", "where"), [("games: 1\nseed: 2\ngames: 3\n", 3), ("ppo: {clip: 1, clip: 2}\n", 1)])
def test_a_name_that_is_there_twice_is_refused(tmp_path: Path, text: str, where: int) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"mine\.yaml is not YAML: (games|clip) is there twice\n.*line {where},"):
        load(path)
    with pytest.raises(ValueError, match=r"the value of 'tasks=\{a: 1, a: 2\}' is not YAML: a is there twice"):
        changed(["tasks={a: 1, a: 2}"])
    path.write_text("network: {<<: {width: 8}, width: 16}\n")
    assert load(path).network.width == 16  # what it takes over from another may be given anew


@pytest.mark.parametrize("text", ["gamma", "=3", "gamma="])
def test_change_needs_name_and_value(text: str) -> None:
    with pytest.raises(ValueError, match="write it as name=value"):
        changed([text])


@pytest.mark.parametrize("text", ["- a\n- b\n", "games: [1", "7"])
def test_file_that_holds_no_settings(tmp_path: Path, text: str) -> None:
    path = tmp_path / "mine.yaml"
    path.write_text(text)
    with pytest.raises(ValueError, match=r"mine\.yaml (is not YAML|holds no settings)"):
        load(path)


def test_updates_cover_the_decisions() -> None:
    config = Config(decisions=100_000, games=128, length=64)
    assert config.updates == 13 and config.batch == 8192
