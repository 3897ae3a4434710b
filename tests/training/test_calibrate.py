"""The chance of winning that a network says: fitted to what came, and measured."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import sammu_env
from tabletop import games
from tabletop.agents import checkpoint
from tabletop.agents.network import Network
from tabletop.game import LOST, WON, new_state
from tabletop.training import calibrate as calibration
from tabletop.training.calibrate import DRAWN, Forecasts, brier, calibrate, error, hear, listen, measure, reliability
from tests.tabletop.bidding import Bidding

GAME = sammu_env.load_game()


@pytest.fixture
def saved(tmp_path: Path) -> Path:
    torch.manual_seed(0)
    network = Network(GAME, width=16, blocks=0)
    path = tmp_path / "mine.safetensors"
    checkpoint.save(path, network, GAME, {"name": "mine", "decisions": 7})
    return path


def drawn(scale: float, shift: float, n: int = 100_000) -> Forecasts:
    """Games that are won as often as logits say, scaled and shifted."""
    rng = np.random.default_rng(0)
    logits = rng.normal(0, 3, n)
    return Forecasts(logits.astype(np.float32), rng.random(n) < 1 / (1 + np.exp(-(scale * logits + shift))))


def test_what_says_no_number_is_not_calibrated(saved: Path) -> None:
    network, card = checkpoint.load(saved, GAME)
    with torch.no_grad():
        network.win.weight.fill_(torch.nan)
    checkpoint.save(saved, network, GAME, card)
    before = saved.read_bytes()
    with pytest.raises(ValueError, match="no number in some games, so it cannot be calibrated"):
        calibrate(GAME, saved, ["SAM-185"], games=1)
    assert saved.read_bytes() == before


@pytest.mark.parametrize("scale", [-1.0, 0.0])
def test_what_tells_nothing_of_who_wins_is_not_calibrated(
    saved: Path, scale: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = saved.read_bytes(), saved.with_suffix(".json").read_bytes()
    monkeypatch.setattr(calibration, "hear", lambda *_: drawn(1.0, 0.0, 100))
    monkeypatch.setattr(Forecasts, "fit", lambda _: (scale, 0.0))
    with pytest.raises(ValueError, match=r"the logits would be scaled by -?\d\.0, expected above 0"):
        calibrate(GAME, saved, ["SAM-185"], games=1)
    assert (saved.read_bytes(), saved.with_suffix(".json").read_bytes()) == before


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 0.0), (0.5, -0.7), (2.0, 1.5)])
def test_fit_finds_scale_and_shift(scale: float, shift: float) -> None:
    forecasts = drawn(scale, shift)
    found = forecasts.fit()
    assert found == pytest.approx((scale, shift), abs=0.06)
    assert error(forecasts.chances(*found), forecasts.won) < 0.01


def test_calibration_mends_forecasts_that_are_too_sure() -> None:
    forecasts = drawn(0.4, -0.5)
    before, after = forecasts.chances(), forecasts.chances(*forecasts.fit())
    assert error(before, forecasts.won) > 0.1 > 10 * error(after, forecasts.won)
    assert brier(after, forecasts.won) < brier(before, forecasts.won)


@pytest.mark.parametrize("won", [np.zeros(50, bool), np.ones(50, bool), np.arange(50) >= 25])
def test_fit_is_finite_where_forecasts_tell_all(won: np.ndarray) -> None:
    found = Forecasts(np.linspace(-1, 1, 50, dtype=np.float32), won).fit()
    assert np.isfinite(found).all()


def test_measures_by_hand() -> None:
    chances = np.array([0.0, 0.04, 0.55, 0.55, 0.55, 0.55, 1.0])
    won = np.array([False, True, True, True, True, False, True])
    low, middle, high = reliability(chances, won)
    assert low == pytest.approx((0.02, 0.5, 2))
    assert middle == pytest.approx((0.55, 0.75, 4))
    assert high == (1.0, 1.0, 1)
    assert error(chances, won) == pytest.approx((2 * 0.48 + 4 * 0.2) / 7)
    assert brier(chances, won) == pytest.approx((0.96**2 + 3 * 0.45**2 + 0.55**2) / 7)
    told = measure(chances, won)
    assert told["forecasts"] == 7 and told["won"] == pytest.approx(5 / 7, abs=1e-5)
    assert told["table"] == [[0.02, 0.5, 2], [0.55, 0.75, 4], [1.0, 1.0, 1]]


class Told:
    """Stands for a policy: game ``i`` has ``lengths[i]`` decisions, at each of which the logit is its number."""

    game = GAME

    def __init__(self, lengths: np.ndarray) -> None:
        self.lengths = lengths

    def play(self, setups, seeds, watch):
        for t in range(max(self.lengths)):
            asked = np.flatnonzero(t < self.lengths)
            watch(asked, np.zeros(len(asked), np.int64), np.full(len(asked), t, np.float32))
        finished = new_state(GAME, len(setups))
        finished["players"], finished["result"] = 1, np.where(seeds % 2, WON, LOST)
        return finished


def test_every_game_is_heard_alike_and_every_decision_of_it() -> None:
    lengths = np.where(np.arange(3000) < 1500, 10, 40)
    heard = listen(Told(lengths), np.zeros(3000), np.arange(3000))
    assert len(heard.logits) == len(heard.won) == 3000 * DRAWN
    assert heard.won.reshape(3000, DRAWN).all(1).tolist() == (np.arange(3000) % 2 == 1).tolist()
    short, long = heard.logits[: 1500 * DRAWN], heard.logits[1500 * DRAWN :]
    for said, length in ((short, 10), (long, 40)):
        counts = np.bincount(said.astype(int), minlength=length)
        assert len(counts) == length
        assert np.abs(counts / counts.sum() - 1 / length).max() < 0.2 / length


def test_of_a_rival_it_is_whether_that_seat_wins_or_shares_the_win() -> None:
    class Asked(Told):
        """Seats 0, 1, 2 are asked in turn, and the logit is the seat; the game's number says who has most coins."""

        game = Bidding()

        def play(self, setups, seeds, watch):
            for t in range(9):
                watch(np.arange(len(seeds)), np.full(len(seeds), t % 3), np.full(len(seeds), t % 3, np.float32))
            finished = new_state(self.game, len(setups))
            finished["players"], finished["coins"][:, :3] = 3, 1
            finished["coins"][np.arange(len(seeds)), seeds % 3] = 4
            finished["coins"][seeds % 3 == 2, 1] = 4  # a draw of seats 1 and 2
            return finished

    seeds = np.arange(300)
    heard = listen(Asked(np.zeros(300)), np.zeros(300), seeds)
    seat, winner = heard.logits.astype(int).reshape(300, DRAWN), seeds[:, None] % 3
    assert (heard.won.reshape(300, DRAWN) == ((seat == winner) | ((seat == 1) & (winner == 2)))).all()
    assert set(heard.logits) == {0, 1, 2} and 0.3 < heard.won.mean() < 0.6


def test_checkpoint_is_calibrated(saved: Path) -> None:
    weights, _ = checkpoint.load(saved, GAME)
    card = calibrate(GAME, saved, ["SAM-185"], games=6)
    told = card["calibration"]
    assert told["edition"] == GAME.edition
    again, kept = checkpoint.load(saved, GAME)
    assert kept == card and kept["name"] == "mine" and kept["decisions"] == 7
    assert again.calibration.tolist() == [told["scale"], told["shift"]] != [1.0, 0.0]
    assert told["tasks"] == ["SAM-185"] and told["games"] == 6
    assert told["before"]["forecasts"] == told["after"]["forecasts"] == 5 * 6 * DRAWN
    assert told["after"]["brier"] <= told["before"]["brier"]  # it says even, and wins nothing
    for name, tensor in weights.state_dict().items():
        assert name == "calibration" or torch.equal(tensor, again.state_dict()[name])
    assert calibrate(GAME, saved, ["SAM-185"], games=6) == card  # as if it had not been calibrated before


def test_weights_may_be_read_by_whoever_may_read_their_card(saved: Path) -> None:
    assert saved.stat().st_mode == saved.with_suffix(".json").stat().st_mode


def test_only_known_tasks_and_no_campaigns() -> None:
    nobody = Told(np.zeros(0))
    with pytest.raises(ValueError, match="of task campaign there is nothing to calibrate"):
        hear(nobody, ["standard", "campaign"], "test", 1)
    with pytest.raises(ValueError, match="task is 'solo'"):
        hear(nobody, ["solo"], "test", 1)


def test_tasks_are_those_of_the_game_that_can_be(saved: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[list[str]] = []
    monkeypatch.setattr(calibration, "hear", lambda _policy, tasks, *_: heard.append(tasks) or drawn(1.0, 0.0, 100))
    assert calibrate(GAME, saved)["calibration"]["tasks"] == ["standard", "hidden-hands"]
    assert heard == [["standard", "hidden-hands"]] * 2


def test_random_boxes_are_played_too(tmp_path: Path) -> None:
    game, path = games.load("pergamemnon"), tmp_path / "mine.safetensors"
    checkpoint.save(path, Network(game, width=16, blocks=0), game, {})
    card = calibrate(game, path, ["any-box"], games=2)
    assert card["calibration"]["after"]["forecasts"] == 4 * 2 * DRAWN and card["edition"] == game.edition
