"""PPO: targets by hand, a small game learnt beyond random, and going on as if it had not stopped."""

from __future__ import annotations

import json
import signal
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tabletop.agents import checkpoint
from tabletop.agents.base import of_threads
from tabletop.agents.network import Judgement, Network, choices, log_policy
from tabletop.agents.policy import Policy
from tabletop.agents.random import Random
from tabletop.batch import play_random
from tabletop.game import WON
from tabletop.training import ppo
from tabletop.training.evaluate import Cell
from tabletop.training.ppo import LEARNT, OWN, Turn
from tabletop.training.train import Run
from tests.tabletop.toy import DIE, Toy
from tests.training import small
from tests.training.small import settings

GAME = Toy()
CELLS = small.cells(GAME)
TESTED = np.concatenate([cell.setup for cell in CELLS]).repeat(500)
SEEDS = np.arange(len(TESTED)) + 10**12


run, learner = partial(small.run, GAME), partial(small.learner, GAME)


def test_learns_a_small_game(tmp_path: Path) -> None:
    trained = run(tmp_path / "toy")
    trained.run()
    network, card = checkpoint.load(tmp_path / "toy/best.safetensors", GAME)
    won = (Policy(GAME, network).play(TESTED, SEEDS)["result"] == WON).mean()
    chance = (play_random(GAME, TESTED, SEEDS)["result"] == WON).mean()
    assert chance < 0.85 and won > 0.97
    assert card["decisions"] <= trained.learner.decisions and card["config"]["games"] == 64
    lines = [json.loads(line) for line in (tmp_path / "toy/curve.jsonl").read_text().splitlines()]
    assert [line["decisions"] for line in lines] == sorted(line["decisions"] for line in lines)
    assert max(line["won"] for line in lines) == card["validation"]["won"] > 0.5


def test_figures_of_an_update(tmp_path: Path) -> None:
    told: list[dict[str, float]] = []
    run(tmp_path / "toy", decisions=4096).run(lambda _, figures: told.append(figures))
    wanted = {"won", "entropy", "kl", "explained", "decisions_per_second", "game_length", "learning_rate", "clipped"}
    assert len(told) == 4 and all(wanted <= set(one) for one in told)
    assert 0 < told[0]["entropy"] <= np.log(2) + 1e-6


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"mid_game": {"share": 0.5, "stored": 32}},
        {"warm_start": {"agent": "random", "updates": 5}},
        {"warm_start": {"agent": "random", "updates": 2, "share": 0.25, "until": 1.0}},
        {"warm_start": {"agent": "random", "updates": 2, "epochs": 3, "kl": 0.5, "until": 0.6}},
        {"warm_start": {"agent": "random", "updates": 3, "temperature": 0.5, "kl": 0.5, "until": 0.6}},
    ],
)
def test_resuming_equals_not_having_stopped(tmp_path: Path, changes: dict[str, Any]) -> None:
    more = {"decisions": 10 * 1024, "validation": {"every": 3000, "games": 4}, **changes}
    run(tmp_path / "whole", **more).run()
    run(tmp_path / "parts", **more).run(until=3)
    run(tmp_path / "parts", **more).run(until=7)
    run(tmp_path / "parts", **more).run()
    one, other = (torch.load(tmp_path / name / "state.pt", weights_only=True) for name in ("whole", "parts"))
    _same(one["learner"], other["learner"])
    won = [[json.loads(line)["won"] for line in (tmp_path / name / "curve.jsonl").read_text().splitlines()]
           for name in ("whole", "parts")]  # fmt: skip
    assert won[0] == won[1] and len(won[0]) == 4
    assert (tmp_path / "whole/last.safetensors").read_bytes() == (tmp_path / "parts/last.safetensors").read_bytes()


def _same(one: Any, other: Any) -> None:
    if isinstance(one, torch.Tensor):
        assert torch.equal(one, other)
    elif isinstance(one, dict):
        assert one.keys() == other.keys()
        for name in one:
            _same(one[name], other[name])
    else:
        assert one == other


@pytest.mark.parametrize("where", ["step", "loss", "_validate", "progress"])
def test_ctrl_c_anywhere_is_as_if_it_had_not_been(tmp_path: Path, where: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Pressed while a game is played, while it is learnt from, in a validation, and between."""
    more = {"decisions": 6 * 1024, "validation": {"every": 2048, "games": 4}}
    run(tmp_path / "whole", **more).run()
    broken = run(tmp_path / "killed", **more)
    owner = broken if where == "_validate" else broken.learner
    calls = 0

    def presses(*given: Any) -> Any:
        nonlocal calls
        calls += 1
        if calls == 3:
            signal.raise_signal(signal.SIGINT)
        return was(*given) if was else None

    was = getattr(owner, where, None)
    if was:
        monkeypatch.setattr(owner, where, presses)
    with pytest.raises(KeyboardInterrupt):
        broken.run(*([] if was else [presses]))
    assert 0 < broken.learner.updates < 6
    again = run(tmp_path / "killed", **more)
    assert again.learner.updates == broken.learner.updates
    again.run()
    one, other = (torch.load(tmp_path / name / "state.pt", weights_only=True) for name in ("whole", "killed"))
    _same(one["learner"], other["learner"])
    curves = [[(point["decisions"], point["won"]) for point in json.loads(state["curve"])] for state in (one, other)]
    assert curves[0] == curves[1] and len(curves[0]) == 3


def test_ctrl_c_twice_and_errors_leave_what_was_saved(tmp_path: Path) -> None:
    more = {"decisions": 6 * 1024, "save_minutes": 1e-9}
    run(tmp_path / "whole", **more).run()

    def twice(decisions: int, _: object) -> None:
        if decisions == 4 * 1024:
            signal.raise_signal(signal.SIGINT)
            signal.raise_signal(signal.SIGINT)

    with pytest.raises(KeyboardInterrupt):
        run(tmp_path / "killed", **more).run(twice)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    broken = run(tmp_path / "killed", **more)
    assert broken.learner.updates == 3
    with torch.no_grad():
        broken.learner.network.policy.weight.fill_(torch.nan)
    with pytest.raises(ValueError, match="no number: the learning rate may be too high"):
        broken.run()
    run(tmp_path / "killed", **more).run()
    one, other = (torch.load(tmp_path / name / "state.pt", weights_only=True) for name in ("whole", "killed"))
    _same(one["learner"], other["learner"])


def test_a_run_goes_on_only_with_its_own_game(tmp_path: Path) -> None:
    run(tmp_path / "toy", decisions=1024).run()
    other = Toy((9, 1, 1, 1, 1, 1))
    with pytest.raises(ValueError, match=r"toy has learnt from other games: a file .* next stage \(--stage\)"):
        Run(other, settings(decisions=1024), tmp_path / "toy", (CELLS, [1.0, 1.0, 1.0]))
    other.layout = "other"
    with pytest.raises(ValueError, match=r"toy is of another layout .* Choose another name, or delete it"):
        Run(other, settings(decisions=2048), tmp_path / "toy", (CELLS, [1.0, 1.0, 1.0]), stage=True)
    whole = torch.load(tmp_path / "toy/state.pt", weights_only=True)
    torch.save({**whole, "learner": {"before": 0}}, tmp_path / "part.pt")
    torch.save([1], tmp_path / "list.pt")
    torch.save({"a": 1}, tmp_path / "other.pt")
    kept = (tmp_path / "toy/state.pt").read_bytes()
    flipped = [bytearray(kept) for _ in range(3)]
    for copy, place in zip(flipped, (len(kept) // 2, kept.rfind(b"data.pkl"), len(kept) - 50), strict=True):
        copy[place] ^= 128  # data, a name, and where names begin
    for damaged in (b"PK", b"", b"text", b"\0" * 99, *flipped, *(path.read_bytes() for path in tmp_path.glob("*.pt"))):
        (tmp_path / "toy/state.pt").write_bytes(damaged)
        with pytest.raises(ValueError, match=r"toy/state\.pt is damaged, delete it to begin anew$"):
            run(tmp_path / "toy", decisions=1024)


def test_what_cannot_begin_leaves_nothing_behind(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="device is 'gpu'"):
        run(tmp_path / "toy", device="gpu")
    assert not (tmp_path / "toy").exists()


def test_a_folder_is_of_one_run(tmp_path: Path) -> None:
    run(tmp_path / "toy", decisions=1024).run()
    with pytest.raises(ValueError, match=r"holds a run with other settings: choose another name, .*--stage"):
        run(tmp_path / "toy", decisions=2048)
    (tmp_path / "toy/config.yaml").write_bytes(b"\xff")
    with pytest.raises(ValueError, match="toy holds a run with other settings"):
        run(tmp_path / "toy", decisions=1024)


@pytest.mark.parametrize("gone", [True, False], ids=["gone", "empty"])
def test_without_its_config_a_run_is_that_of_its_state(tmp_path: Path, gone: bool) -> None:
    run(tmp_path / "toy", decisions=2048).run(until=1)
    path = tmp_path / "toy/config.yaml"
    before = path.read_text()
    path.unlink() if gone else path.write_text("")
    with pytest.raises(ValueError, match="toy holds a run with other settings"):
        run(tmp_path / "toy", decisions=4096)
    run(tmp_path / "toy", decisions=2048).run()
    assert path.read_text() == before


def staged(folder: Path, **changes: Any) -> Run:
    return Run(GAME, settings(**changes), folder, (CELLS, [1.0, 1.0, 1.0]), stage=True)


def test_a_stage_with_other_games_draws_others(tmp_path: Path) -> None:
    first = run(tmp_path / "toy", decisions=1024)
    first.run()
    second = staged(tmp_path / "toy", decisions=2048, sampler={"floor": 0.5})
    assert not np.isin(second.learner.starts.draws.begun, first.learner.starts.draws.begun).any()
    third = staged(tmp_path / "toy", decisions=2048, shaping={"cost": 0.1})  # the same games, which go on
    assert np.array_equal(third.learner.starts.draws.state, first.learner.starts.draws.state)


@pytest.mark.parametrize("told", [True, False], ids=["", "a state of an earlier version"])
def test_other_boxes_are_another_stage(tmp_path: Path, told: bool) -> None:
    """What was known of the old ones is not that of the new ones; the network and its optimiser go on."""
    more = {"mid_game": {"share": 0.5, "stored": 32}, "pool": {"share": 0.5, "every": 1}, "validation": {"every": 1024}}
    first, path = run(tmp_path / "toy", decisions=2048, **more), tmp_path / "toy/state.pt"
    first.run()
    if not told:
        state = torch.load(path, weights_only=True)
        del state["played"]
        torch.save(state, path)
    other = Toy((1, 1, 1, 1, 1, 2), (9, 1, 1, 1, 1, 1))
    cells = [Cell({"players": n}, other.configure(n, box=1)) for n in (3, 4)], [1.0, 1.0]
    with pytest.raises(ValueError, match="toy has learnt from other games"):
        Run(other, settings(decisions=2048, **more), tmp_path / "toy", cells)
    second = Run(other, settings(decisions=4096, **more), tmp_path / "toy", cells, stage=True)
    starts, selves = second.learner.starts, second.learner.selves
    assert second.learner.decisions == 2048 and second.best == -1.0 and selves and not selves.kept
    assert starts.rates.tolist() == [0.5, 0.5] and not starts.kept and (second.learner.batch.states["box"] == 1).all()
    for name in ("network", "optimizer"):
        _same(getattr(second.learner, name).state_dict(), getattr(first.learner, name).state_dict())
    second.run()
    third = Run(other, settings(decisions=4096, **more), tmp_path / "toy", cells)
    assert third.learner.decisions == 4096 and [stage["until"] for stage in third.stages] == [2048]
    assert json.loads((tmp_path / "toy/best.json").read_text())["edition"] == other.edition


@pytest.mark.parametrize("trainer", ["ppo", "maskable_ppo"])
@pytest.mark.parametrize("minibatch", [256, 1024], ids=["no numbers", "numbers that no checkpoint can hold"])
def test_what_is_no_number_is_not_kept(tmp_path: Path, trainer: str, minibatch: int) -> None:
    if trainer == "maskable_ppo":
        pytest.importorskip("sb3_contrib")
    often = {"trainer": trainer, "save_minutes": 1e-9, "validation": {"every": 1024, "games": 4}}
    run(tmp_path / "toy", decisions=1024, **often).run()
    names = "state.pt", "best.safetensors", "last.safetensors", "curve.jsonl"
    kept = [(tmp_path / "toy" / name).read_bytes() for name in names]
    high = {"minibatch": minibatch, "epochs": 1, "learning_rate": [1e30, 1e30]}
    with pytest.raises(ValueError, match="has learnt what is no number: the learning rate may be too high"):
        staged(tmp_path / "toy", decisions=2048, ppo=high, **often).run()
    assert [(tmp_path / "toy" / name).read_bytes() for name in names] == kept
    lower = staged(tmp_path / "toy", decisions=2048, **often)
    lower.run()
    assert lower.learner.decisions == 2048 and len(lower.curve) == 2


def test_a_stage_that_leaves_the_pool_or_the_teacher_nothing_is_refused(tmp_path: Path) -> None:
    run(tmp_path / "toy", decisions=5120).run()
    pool, teacher = {"share": 0.5, "every": 2}, {"agent": "random", "share": 0.5, "since": 0.6, "until": 0.9}
    with pytest.raises(ValueError, match=r"pool\.share is 0\.5, but every is 2 of 1 updates and agents names none"):
        staged(tmp_path / "toy", decisions=6144, pool=pool)
    with pytest.raises(ValueError, match=r"since is 0\.6\) until 0\.9 of 1 updates, leaves none"):
        staged(tmp_path / "toy", decisions=6144, warm_start=teacher)
    staged(tmp_path / "toy", decisions=8192, pool=pool).run()
    assert staged(tmp_path / "toy", decisions=9216, pool=pool).learner.selves.kept  # the games go on, with their selves


def test_a_pool_needs_a_second_seat(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GAME, "seats", lambda _: 1)
    with pytest.raises(ValueError, match=r"pool\.share is 0\.5, but all games have one seat: nobody of the pool can"):
        learner(pool={"share": 0.5, "agents": ["random"]})


def test_a_state_of_an_earlier_version_goes_on_with_new_games(tmp_path: Path) -> None:
    first = run(tmp_path / "toy", decisions=2048)
    first.run(until=1)
    path = tmp_path / "toy/state.pt"
    state = torch.load(path, weights_only=True)
    del state["learner"]["starts"]["draws"]
    torch.save(state, path)
    second = run(tmp_path / "toy", decisions=2048)
    assert second.learner.updates == 1 and not second.learner.starts.played.any()
    _same(second.learner.network.state_dict(), first.learner.network.state_dict())
    second.run()
    assert second.learner.updates == 2


def test_a_finished_run_goes_on_in_stages(tmp_path: Path) -> None:
    """More decisions, other settings, stopped in between: all is counted, and the card tells of it."""
    folder = tmp_path / "toy"
    first = run(folder, decisions=2048, validation={"every": 1024, "games": 4})
    first.run()
    with pytest.raises(ValueError, match="decisions is 2,048, but 2,048 are learnt from already: choose more"):
        staged(folder, decisions=2048, shaping={"cost": 0.1})
    more = {"decisions": 5120, "ppo": {"minibatch": 256, "learning_rate": [1e-4, 1e-5]},
            "validation": {"every": 1024, "games": 4}}  # fmt: skip
    second = staged(folder, **more)
    assert second.learner.decisions == 2048 and second.learner.config.updates == 3
    assert second.learner.now(*second.config.ppo.learning_rate) == 1e-4
    before, now = (one.learner.network.state_dict() for one in (first, second))
    assert all(torch.equal(before[name], now[name]) for name in before)
    assert (second.learner.batch.states == first.learner.batch.states).all()
    second.run(until=1)
    again = run(folder, **more)  # stopped, and continued as any run is
    assert again.learner.decisions == 3072 and again.learner.updates == 1 and len(again.stages) == 1
    again.run()
    third = staged(folder, **{**more, "decisions": 6144, "games": 32, "threads": None})
    assert third.learner.decisions == 5120 and third.learner.config.updates == 2
    third.run()
    card = json.loads((folder / "last.json").read_text())
    assert card["decisions"] == 6144 and card["config"]["games"] == 32
    assert [stage["until"] for stage in card["stages"]] == [2048, 5120]
    assert [stage["with"]["ppo"]["learning_rate"][0] for stage in card["stages"]] == [3e-3, 1e-4]
    assert [point["decisions"] for point in third.curve] == [1024 * i for i in range(1, 7)]
    with pytest.raises(ValueError, match="another shape: keep the settings of network"):
        staged(folder, **{**more, "decisions": 8192, "network": {"width": 8, "blocks": 1}})


def test_a_stage_needs_a_run_to_go_on_from(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"toy holds no state to go on from: .* leave out --stage"):
        staged(tmp_path / "toy", decisions=2048)
    assert not (tmp_path / "toy").exists()


def test_a_stage_does_not_begin_with_another_checkpoint(tmp_path: Path) -> None:
    for name in ("one", "two"):
        run(tmp_path / name, decisions=1024).run()
    before = (tmp_path / "two/config.yaml").read_text()
    with pytest.raises(ValueError, match=r"init is '.*one/last', but .*two has begun with None: leave it as it was"):
        staged(tmp_path / "two", decisions=2048, init=str(tmp_path / "one/last"))
    assert (tmp_path / "two/config.yaml").read_text() == before


def test_how_it_runs_is_no_stage(tmp_path: Path) -> None:
    run(tmp_path / "toy", decisions=2048).run(until=1)
    on = staged(tmp_path / "toy", decisions=2048, save_minutes=7.0)
    assert (on.learner.updates, on.stages) == (1, [])


def test_the_teacher_does_not_play_first_again(tmp_path: Path) -> None:
    warm = {"agent": "random", "updates": 1}
    run(tmp_path / "toy", decisions=2048, warm_start=warm).run()
    on = staged(tmp_path / "toy", decisions=4096, warm_start=warm)
    assert not on.learner.warming and on.config.warm_start.updates == 1


def test_an_imitation_may_learn_at_a_rate_of_its_own(tmp_path: Path) -> None:
    warm, rates = {"agent": "random", "updates": 2, "learning_rate": [0.5e-3, 0.1e-3]}, list[float]()
    one = run(tmp_path / "toy", decisions=4096, warm_start=warm, ppo={"minibatch": 1024, "learning_rate": [2e-3, 0]})
    one.run(lambda _, figures: rates.append(figures["learning_rate"]))
    assert rates == pytest.approx([0.5e-3, 0.3e-3, 1e-3, 0.5e-3])


def test_what_is_not_followed_as_on_a_gpu_is_judged_alike(monkeypatch: Any) -> None:
    own = learner()
    told = [own.learn() for _ in range(3)]
    assert own.followed is not None
    monkeypatch.setattr(ppo, "Incremental", lambda *_: None)
    other = learner()
    for figures in told:
        assert other.learn() == pytest.approx(figures, rel=1e-3, abs=1e-4)
    assert other.followed is None
    assert np.array_equal(other.batch.states, own.batch.states)


@pytest.mark.skipif(not torch.cuda.is_available(), reason="there is no GPU")
def test_a_run_goes_on_on_a_gpu(tmp_path: Path) -> None:
    run(tmp_path / "toy", device="cuda", decisions=8192).run()
    own = run(tmp_path / "toy", device="cuda", decisions=8192)
    assert own.learner.decisions == 8192 and own.learner.seen.masks.any()


def test_who_teaches_and_judges_uses_no_more_threads_than_the_games(monkeypatch: Any) -> None:
    monkeypatch.setattr(Random, "threads", 9, raising=False)
    warm = {"agent": "random", "updates": 1}
    pool = {"share": 0.5, "agents": ["random"]}
    for n, used in ((1, 1), (4, 4), (12, 9)):
        own = learner(threads=n, warm_start=warm, pool=pool)
        assert own.selves and (own.teacher.threads, own.selves.agents[0].threads) == (used, used)
    assert not hasattr(of_threads(Keeps(), 2), "threads")


def test_logits_are_divided_by_a_temperature() -> None:
    own = learner(warm_start={"agent": "random", "updates": 1})
    own.learn()
    options = choices(own.seen.masks)
    before = own.assess(own.look(), options)
    own.network.sharpen(0.5)
    after = own.assess(own.look(), options)
    assert before.logits.abs().max() > 0.01 and torch.allclose(after.logits, 2 * before.logits, atol=1e-5)
    assert torch.equal(after.win, before.win) and torch.equal(after.value, before.value)


def test_an_imitation_is_sharpened_once() -> None:
    own = learner(decisions=6 * 1024, warm_start={"agent": "random", "updates": 2, "temperature": 0.5})
    sharpened = []
    own.network.sharpen = lambda temperature: sharpened.append((own.updates, temperature))  # type: ignore[method-assign]
    for _ in range(4):
        own.learn()
    assert sharpened == [(2, 0.5)]


def test_a_stage_goes_on_with_what_was_sharpened(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also one that begins where the warm start ends; it does not sharpen again."""
    warm, sharpened = {"agent": "random", "updates": 2, "temperature": 0.5}, list[float]()
    monkeypatch.setattr(Network, "sharpen", lambda _, temperature: sharpened.append(temperature))
    run(tmp_path / "toy", decisions=4096, warm_start=warm).run(until=2)
    assert sharpened == [0.5]
    staged(tmp_path / "toy", decisions=5120, warm_start=warm).run()
    assert sharpened == [0.5]


def test_a_policy_from_nothing_has_nothing_to_stay_near(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"warm_start\.kl is 0\.5, but nothing has been learnt to stay near"):
        run(tmp_path / "toy", decisions=2048, warm_start={"kl": 0.5})
    assert not (tmp_path / "toy").exists()
    run(tmp_path / "toy", decisions=1024).run()
    assert staged(tmp_path / "toy", decisions=2048, warm_start={"kl": 0.5}).learner.nearness == 0.5


def test_stages_of_the_checkpoint_that_it_begins_with(tmp_path: Path) -> None:
    small = {"decisions": 1024, "validation": {"every": 1024, "games": 4}}
    run(tmp_path / "one", **small).run()
    two = run(tmp_path / "two", **small, init=str(tmp_path / "one/last"))
    two.run()
    wide = {**small, "init": str(tmp_path / "one/last"), "network": {"width": 24, "blocks": 0}}
    message = r"another network than this run: set network\.width=32, network\.blocks=1 or more$"
    with pytest.raises(ValueError, match=message):
        run(tmp_path / "three", **wide)
    deep = {**small, "init": str(tmp_path / "one/last"), "network": {"width": 32, "blocks": 3}}
    run(tmp_path / "deep", **deep).run()
    assert json.loads((tmp_path / "deep/last.json").read_text())["network"]["blocks"] == 3
    card = json.loads((tmp_path / "two/last.json").read_text())
    assert card["decisions"] == 2048 and [stage["until"] for stage in card["stages"]] == [1024]
    assert card["stages"][0]["with"]["init"] is None and card["config"]["init"].endswith("one/last")


def test_targets_by_hand() -> None:
    own = learner(ppo={"minibatch": 64, "gamma": 0.9, "lam": 0.5, "win_lam": 0.5})
    value = np.array([[0.1], [0.2], [0.3], [0.4]], np.float32)
    win = np.array([[0.5], [0.6], [0.7], [0.8]], np.float32)
    reward, shaped = np.array([[0.0], [1.0], [0.0]], np.float32), np.array([[0.3], [-0.2], [0.1]], np.float32)
    over, won = np.array([[0.0], [1.0], [0.0]], np.float32), np.array([[np.nan], [1.0], [np.nan]], np.float32)
    turns, side = Turn(reward[..., None], won[..., None], over, over), np.zeros((4, 1), np.int64)
    advantage, target, wins, known = own._targets(value, win, side, turns, shaped)
    assert known.all()
    last = 0.1 + 0.9 * 0.4 - 0.3
    middle = 1 - 0.2 - 0.2
    first = 0.3 + 0.9 * 0.2 - 0.1 + 0.9 * 0.5 * middle
    assert np.allclose(advantage[:, 0], [first, middle, last], atol=1e-6)
    assert np.allclose(target[:, 0], [first + 0.1, middle + 0.2, last + 0.3], atol=1e-6)
    assert np.allclose(wins[:, 0], [0.5 * 0.6 + 0.5 * 1.0, 1.0, 0.8], atol=1e-6)


@pytest.mark.parametrize("campaign", [False, True])
def test_a_team_learns_from_one_sequence(campaign: bool) -> None:
    """To the bit: GAE of the whole game, whoever decides; the win head, of the next reward."""
    own = learner(ppo={"minibatch": 64, "gamma": 0.97, "lam": 0.9, "win_lam": 0.8})
    rng, (length, games) = np.random.default_rng(2), (30, 50)
    value, win = rng.normal(size=(2, length + 1, games)).astype(np.float32)
    over = (rng.random((length, games)) < 0.1).astype(np.float32)
    paid = over if not campaign else np.maximum(over, rng.random((length, games)) < 0.1)
    reward, shaped = (paid * rng.choice([-1, 1], paid.shape)).astype(np.float32), rng.normal(size=paid.shape)
    shaped = shaped.astype(np.float32)
    won = np.where((over > 0) | (reward != 0), reward > 0, np.nan).astype(np.float32)
    turns, side = Turn(reward[..., None], won[..., None], over, over), np.zeros((length + 1, games), np.int64)
    found = own._targets(value, win, side, turns, shaped)
    advantage, wins = np.zeros_like(value), np.zeros_like(value)
    wins[length] = win[length]
    for t in reversed(range(length)):
        on = 1 - over[t]
        td_error = reward[t] + shaped[t] + 0.97 * on * value[t + 1] - value[t]
        advantage[t] = td_error + 0.97 * 0.9 * on * advantage[t + 1]
        later = (1 - 0.8) * win[t + 1] + 0.8 * wins[t + 1]
        wins[t] = np.where((over[t] > 0) | (reward[t] != 0), reward[t] > 0, later)
    expected = advantage[:length], advantage[:length] + value[:length], wins[:length]
    assert all(np.array_equal(x, y) for x, y in zip(found, expected, strict=False)) and found[3].all()


def test_shaping_fades_to_what_stays() -> None:
    own = learner()
    own.config = settings(decisions=10 * 1024, shaping={"scale": [0.5, 0.1], "until": 0.5})
    seen = []
    for own.updates in range(10):
        seen.append(own.shaping)
    assert np.allclose(seen, [0.5, 0.42, 0.34, 0.26, 0.18, *[0.1] * 5])


class Counts:
    """Judges a position of the toy by its pot."""

    name = "counts"

    def potential(self, states: Any) -> Any:
        return (states["pot"] / 24).astype(np.float32)


@pytest.mark.parametrize("cost", [0.0, 0.01])
def test_shaping_adds_up_to_how_a_game_ended_less_how_it_began(cost: float) -> None:
    """With no discount: what it lends on the way, it takes back; and each choice costs."""
    own = learner(length=64)
    shaping = {"scale": [0.5, 0], "until": 1.0, "cost": cost}
    own.config = settings(length=64, shaping=shaping, ppo={"minibatch": 64, "lam": 1.0})
    own.judge = Counts()
    own.assess_games = lambda _, options=None: Judgement(
        torch.zeros(64, 0 if options is None else options.actions.shape[1]), torch.zeros(64), torch.zeros(64)
    )
    began = own._potential(own.batch.states)
    rewards: list[np.ndarray] = []
    step = own.step

    def watched(action: np.ndarray) -> Any:
        ended = step(action)
        rewards.append(own.seen.rewards[:, 0] + 0.5 * own.turn.final)
        return ended

    own.step = watched
    decisions, _ = own.play()
    ends = np.array(rewards)
    for game in range(64):
        first = int(np.flatnonzero(ends[:, game])[0])  # the first game of this place ends with a reward
        expected = ends[first, game] - 0.5 * began[game] - cost * (first + 1)
        assert np.isclose(decisions.advantage[0, game], expected, atol=1e-5)


def test_shaping_believes_an_agent_that_judges() -> None:
    with pytest.raises(ValueError, match=r"shaping\.agent is 'random', which does not say what positions are worth"):
        learner(shaping={"agent": "random", "scale": [1, 0]})

    own = learner()
    own.config = settings(shaping={"scale": [1, 0], "until": 0.5})
    own.judge = Counts()
    assert np.allclose(own._potential(own.batch.states), own.seen.observations[:, 0])
    own.updates = own.config.updates
    assert not own._potential(own.batch.states).any()


@pytest.mark.parametrize(
    ("potential", "told"),
    [
        (lambda n: np.full(n, np.nan), r"shaping\.agent counts says that positions are worth what is no number"),
        (lambda n: np.zeros((n, 1), np.float32), r"are worth float32 \(64, 1\), expected a number for each of 64"),
        (lambda n: ["much"] * n, r"are worth <U4 \(64,\), expected"),
    ],
)
def test_a_judge_that_gives_no_numbers_is_named(potential: Any, told: str) -> None:
    own = learner()
    own.config = settings(shaping={"scale": [1, 0]})
    own.judge = Counts()
    own.judge.potential = lambda states: potential(len(states))  # type: ignore[method-assign]
    with pytest.raises(ValueError, match=told):
        own.play()


class Keeps:
    """Always the first choice."""

    name = "keeps"

    def reset(self, seed: int) -> None: ...

    def act(self, states: Any, masks: Any) -> Any:
        return np.zeros(len(states), np.int64)


def test_the_teacher_is_imitated() -> None:
    own = learner(warm_start={"agent": "random", "updates": 40})
    own.teacher = Keeps()
    told = [own.learn() for _ in range(30)]
    assert told[-1]["entropy"] < 0.1 < told[0]["entropy"]
    assert own.warming
    logits = own.assess(own.look(), choices(own.seen.masks)).logits
    assert (logits[:, 0] > logits[:, 1]).all()


class Says(Keeps):
    """Chooses what it is told to make of masks."""

    def __init__(self, choose: Any) -> None:
        self.choose = choose

    def act(self, states: Any, masks: Any) -> Any:
        return self.choose(masks)


@pytest.mark.parametrize(
    ("choose", "said"),
    [
        (lambda masks: np.full(len(masks), DIE), "agent keeps: illegal action"),
        (lambda masks: masks.argmax(1)[:1], r"agent keeps chose int64 \(1,\), expected a whole number for each of 64"),
        (lambda masks: masks.argmax(1) / 2, r"agent keeps chose float64 \(64,\)"),
    ],
)
def test_a_teacher_that_does_not_choose_legally_is_named(choose: Any, said: str) -> None:
    own = learner(warm_start={"agent": "random", "updates": 2})
    own.teacher = Says(choose)
    with pytest.raises(ValueError, match=said):
        own.play()
    own.teacher = Says(lambda masks: masks.argmax(1).tolist())  # what NumPy makes an array of will do
    own.play()


def test_a_teacher_that_writes_to_what_it_is_handed_changes_no_game() -> None:
    class Writes(Keeps):
        def act(self, states: Any, masks: Any) -> Any:
            chosen = masks.argmax(1)
            states["pot"], masks[:] = 0, 1
            return chosen

    played = []
    for teacher in (Says(lambda masks: masks.argmax(1)), Writes()):
        own = learner(warm_start={"agent": "random", "updates": 2})
        own.teacher = teacher
        own.play()
        played.append(own.batch.states.tobytes())
    assert played[0] == played[1]


def test_an_agent_that_fails_is_no_wrong_argument() -> None:
    own = learner(warm_start={"agent": "random", "updates": 2})
    own.teacher = Says(lambda masks: {}[len(masks)])
    with pytest.raises(RuntimeError, match="agent keeps has failed: KeyError: 64"):
        own.play()


def test_the_teacher_plays_on_in_some_games() -> None:
    """A quarter of them, up to half of the run; what comes of that changes no policy and no judgement."""
    own = learner(decisions=20 * 1024, warm_start={"agent": "random", "updates": 2, "share": 0.25, "weight": 0.6})
    own.teacher = Keeps()
    shares = []
    for own.updates in range(20):
        shares.append((own.taught, round(own.imitation, 3)))
    assert shares[:4] == [(64, 1.0), (64, 1.0), (16, 0.6), (16, 0.525)] and shares[10:] == [(0, 0.0)] * 10
    own.updates = 4
    decisions, _ = own.play()
    assert decisions.taught[:, :16].all() and not decisions.taught[:, 16:].any()
    assert (decisions.chosen[:, :16] == 0).all() and decisions.chosen[:, 16:].any()
    assert (own.starts.teacher_played > 0).any() and (own.starts.played > 0).any()
    part = next(decisions.minibatches(1024))
    gradients = []
    for weight in (1.0, 0.5):
        own.config = settings(decisions=20 * 1024, warm_start={"agent": "random", "share": 0.25, "weight": weight})
        own.network.zero_grad()
        changed = part._replace(
            value_target=part.value_target + 9.0 * part.taught, win_target=part.win_target * ~part.taught
        )
        one, other = own.loss(part, 0.0), own.loss(changed, 0.0)
        assert torch.equal(one[0], other[0])
        one[0].backward()
        gradients.append(own.network.policy.bias.grad.clone())
    kept = 2 * (gradients[0] - gradients[1]) / own.now(1.0, 0.0, 0.5)
    options = part.options
    chances = log_policy(own.assess(part.seen, options).logits, options.legal).exp() * options.legal
    chances[torch.arange(len(chances)), part.chosen] -= 1  # the cross-entropy's gradient, by hand
    taught = torch.where(part.taught[:, None], chances, 0.0)
    expected = torch.zeros(GAME.n_actions).index_add(0, options.actions.flatten(), taught.flatten()) / len(chances)
    assert torch.allclose(kept, expected, atol=1e-5)


def test_a_minibatch_of_the_teachers_choices_alone_teaches_no_policy() -> None:
    own = learner(decisions=20 * 1024, warm_start={"agent": "random", "share": 0.5})
    part = next(own.play()[0].minibatches(1024))
    rows = torch.nonzero(part.taught).squeeze(1)[:8]
    few = type(part)(*(x[rows] for x in part))
    loss, told = own.loss(few, 0.01)
    assert few.taught.all() and torch.isfinite(loss) and told["choice_loss"] == 0 and told["entropy"] == 0
    one = few._replace(taught=torch.arange(8) > 0)
    assert torch.equal(own.gain(one)[0], torch.tensor(0.0)) and torch.isfinite(own.loss(one, 0.01)[0])


def test_in_the_warm_start_decisions_may_be_learnt_from_more_often() -> None:
    own = learner(warm_start={"agent": "random", "updates": 1, "epochs": 5}, ppo={"epochs": 2, "minibatch": 512})
    epochs = []
    for own.updates in range(2):
        epochs.append(own.epochs)
    assert epochs == [5, 2]


def test_a_policy_stays_near_what_it_learnt_from_the_teacher() -> None:
    """The prior is the network after the warm start, and its weight fades."""
    warm = {"agent": "random", "updates": 2, "kl": 0.5, "until": 0.6}
    own = learner(decisions=12 * 1024, warm_start=warm)
    weights = []
    for own.updates in range(12):
        weights.append(round(own.nearness, 3))
    assert weights == [0.0, 0.0, 0.5, 0.404, 0.308, 0.212, 0.115, 0.019, 0.0, 0.0, 0.0, 0.0]
    own.updates = 0
    told = [own.learn() for _ in range(2)]
    assert own.prior is None
    after = {name: x.clone() for name, x in own.network.state_dict().items()}
    told += [own.learn() for _ in range(3)]
    assert own.prior and all(torch.equal(x, after[name]) for name, x in own.prior.state_dict().items())
    assert "prior_kl" not in told[1] and min(one["prior_kl"] for one in told[2:]) > 0
    own.updates = 10
    assert "prior_kl" not in own.learn() and own.prior is None


def test_the_prior_counts_what_the_policy_gives_up() -> None:
    """The KL divergence as torch has it; its weight is that of the loss, and the teacher's choices are left out."""
    own = learner(decisions=20 * 1024, warm_start={"agent": "random", "share": 0.25, "weight": 0.5, "kl": 0.7})
    own._keep_prior()
    with torch.no_grad():
        own.network.policy.bias += torch.linspace(-3.0, 3.0, GAME.n_actions)
    part = next(own.play()[0].minibatches(512))
    assert own.prior and part.taught.any() and not part.taught.all()
    both = [log_policy(net(*part.seen[:1], part.boxes, part.options).logits, part.legal)
            for net in (own.prior, own.network)]  # fmt: skip
    before, now = (torch.distributions.Categorical(logits=logs) for logs in both)
    expected = torch.distributions.kl_divergence(before, now)
    assert torch.allclose(own.divergence(own.prior, part, both[1]), expected, atol=1e-5) and expected.min() > 0.005
    with_it, told = own.loss(part, 0.0)
    assert told["prior_kl"].item() == pytest.approx((expected * ~part.taught).mean().item(), abs=1e-5)
    own.prior = None
    assert (with_it - own.loss(part, 0.0)[0]).item() == pytest.approx(0.7 * told["prior_kl"].item(), abs=1e-4)


def test_figures_are_of_the_decisions_that_count() -> None:
    """Of those of the network alone, where a teacher plays half of the games; the loss leaves them as they are."""
    warm = {"agent": "random", "share": 0.5, "kl": 0.7}
    own = learner(decisions=20 * 1024, warm_start=warm, ppo={"minibatch": 1024, "epochs": 1})
    own._keep_prior()
    decisions, _ = own.play()
    with torch.no_grad():
        own.network.policy.bias += torch.linspace(-3.0, 3.0, GAME.n_actions)
        part = next(decisions.minibatches(1024))
        counts = type(part)(*(x[~part.taught] for x in part))
        _, alone = own.loss(counts, 0.01)
    told = own.improve(decisions)
    assert part.taught.float().mean() == 0.5 and alone["clipped"] > 0 < alone["kl"]
    for name in (*LEARNT, *OWN):
        assert told[name] == pytest.approx(alone[name].item(), rel=1e-4), name


def test_the_teacher_may_come_back_later() -> None:
    own = learner(
        decisions=20 * 1024, warm_start={"agent": "random", "updates": 2, "share": 0.25, "since": 0.3, "until": 0.8}
    )
    shares = []
    for own.updates in range(20):
        shares.append((own.taught, round(own.imitation, 3)))
    assert shares == [(64, 1.0)] * 2 + [(0, 0.0)] * 4 + [(16, round(1 - k / 10, 3)) for k in range(10)] + [(0, 0.0)] * 4


def test_explores_by_its_own_probabilities() -> None:
    own = learner()
    decisions, told = own.play()
    assert decisions.chosen.shape == (16, 64) and decisions.legal.shape == (16, 64, 2)
    assert decisions.legal.gather(2, decisions.chosen[..., None]).all()
    assert told["games"] > 0 and decisions.hidden.shape[2] == 0
    loss, parts = own.loss(next(decisions.minibatches(512)), 0.01)
    assert abs(parts["kl"].item()) < 1e-6 and parts["clipped"].item() == 0  # nothing has been learnt yet
    assert torch.isfinite(loss)


def test_minibatches_hold_every_decision_once() -> None:
    own = learner()
    decisions, _ = own.play()
    seen = torch.cat([part.advantage.clone() for part in decisions.minibatches(100)])
    assert torch.equal(seen.sort().values, decisions.advantage.flatten().sort().values)


def test_minibatches_hold_runs_of_a_game() -> None:
    own = learner()
    decisions, _ = own.play()
    length, games = decisions.chosen.shape
    numbered = decisions._replace(advantage=torch.arange(length * games).view(length, games).float())
    parts = [part.advantage.clone() for part in numbered.minibatches(games, run=length // 2)]
    assert all(len(part) == games for part in parts)
    runs = torch.cat(parts).long().view(-1, length // 2)
    assert (runs.diff(dim=1) == games).all() and not torch.equal(runs[:, 0], runs[:, 0].sort().values)
    begin = runs[:, 0].sort().values
    assert torch.equal(begin, torch.cat([torch.arange(games), torch.arange(games) + length // 2 * games]))


def test_runs_teach_what_single_decisions_do() -> None:
    """Of a minibatch of all decisions only the order differs."""
    gradients = []
    for run in (1, 4):
        own = learner(ppo={"run": run, "minibatch": 1024})
        decisions, _ = own.play()
        own.loss(next(decisions.minibatches(1024, run)), 0.01)[0].backward()
        gradients.append([x.grad for x in own.network.parameters()])
    assert all(torch.allclose(one, other, rtol=1e-3, atol=1e-5) for one, other in zip(*gradients, strict=True))
