"""A network that follows games says what it says of them one by one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

import sammu_env
from tabletop.agents.incremental import Incremental
from tabletop.agents.network import Network, choices
from tabletop.batch import Batch
from tabletop.game import Game
from tests.tabletop.toy import Toy


class Heaps:
    """Observations of 40 numbers, the first 12 of which say which of six cards lie on two heaps; choices 1 to 6 play
    one. A card does the same in two boxes, but under another number."""

    observation_low = np.zeros(40, np.float32)
    hidden_size, n_actions = 0, 9
    content_sets = ((slice(0, 12), 1, 6),)

    def __init__(self, several: bool = True) -> None:
        cards = np.eye(6, 7, dtype=np.float32)
        self.contents = np.zeros((2, 9, 7 if several else 0), np.float32)
        if several:
            self.contents[0, 1:7], self.contents[1, 1:7] = cards, cards[::-1]
        else:
            self.content_sets = ()


def network(game: Any, **options: Any) -> Network:
    torch.manual_seed(1)
    own = Network(game, **options).requires_grad_(False)
    for layer in (own.policy, own.wanted, own.places and own.places.asked):
        if layer is not None:
            layer.weight.mul_(100)
    return own


def compare(
    own: Network, following: Incremental, seen: Any, boxes: Any, began: Any, games: Any, masks: Any, threads: int = 1
) -> None:  # fmt: skip
    """What is said of games is what the network says of each."""
    options, boxes, k = choices(masks[games]), boxes.astype(np.int64), len(games)
    features = following.features(seen, boxes, began, games, threads)
    logits = following.logits(features, seen, boxes, games, options)
    judged = own(torch.from_numpy(seen[games]), torch.from_numpy(boxes[games]), options)
    assert torch.allclose(own.winning(features)[:k], judged.win, atol=1e-4)
    assert torch.allclose(own.worth(features)[:k], judged.value, atol=1e-4)
    assert torch.allclose(logits[options.legal], judged.logits[options.legal], atol=1e-4)
    best = logits.masked_fill(~options.legal, -torch.inf).argmax(1, keepdim=True)
    chosen = following.likeliest(features, seen, boxes, games, masks)
    assert (chosen == options.actions.gather(1, best).squeeze(1).numpy()).all()


@pytest.mark.parametrize("options", [{}, {"places": True}, {"contents": False, "blocks": 0}, {"width": 21}])
@pytest.mark.parametrize("several", [True, False])
def test_it_says_what_the_network_says(several: bool, options: dict[str, Any]) -> None:
    """Of few changes and many, of some of the games, some of which are others from time to time."""
    game, rng = Heaps(several), np.random.default_rng(2)
    own = network(game, **{"width": 32, **options})
    following = Incremental(own, 7)
    seen, boxes, began = np.zeros((7, 40), np.float32), np.zeros(7, np.int64), np.zeros(7, np.int64)
    for few in (0, 1, 1, 2, 40, 1, 2, 0, 1):
        for g in range(7):
            j = rng.integers(40, size=few)
            seen[g, j] = rng.integers(-1, 3, few)
        other = rng.integers(7, size=2)
        boxes[other] ^= 1
        began[other] += 1
        games = np.flatnonzero(rng.random(7) < 0.7) if few else np.arange(7)
        masks = rng.integers(0, 2, (7, 9)).astype(np.int8)
        masks[:, 8] = 1
        compare(own, following, seen, boxes, began, games, masks)


@pytest.mark.parametrize("game", [sammu_env.load_game(["standard", "novice", "expert"]), Toy()], ids=["boxes", "toy"])
def test_it_follows_games(game: Game) -> None:
    """Some of which end and begin anew, with other boxes; on one thread or two."""
    own = network(game, width=32)
    setups = game.configure().repeat(300)
    setups["box"] = np.arange(300) % len(game.box)
    batch = Batch(game, setups, threads=2, seed=3)
    batch.reset()
    rng, one, two = np.random.default_rng(4), Incremental(own, 300), Incremental(own, 300)
    for _ in range(25):
        masks, boxes = batch.buffers.masks, batch.states["box"]
        some = np.flatnonzero(rng.random(300) < 0.9)
        compare(own, one, batch.buffers.observations, boxes, batch.began, some, masks)
        compare(own, two, batch.buffers.observations, boxes, batch.began, np.arange(300), masks, threads=2)
        batch.step((masks * rng.random(masks.shape)).argmax(axis=1))


def test_wrong_shapes_are_named() -> None:
    following, where = Incremental(network(Heaps(), width=32), 3), (np.zeros(3, np.int64), np.zeros(3, np.int64))
    for shape in ((3, 41), (3, 0), (4, 40)):
        with pytest.raises(ValueError, match=r"observations are .*, expected \(3, "):
            following.features(np.zeros(shape, np.float32), *where, np.arange(3))


def test_weights_that_are_no_numbers_choose_what_is_legal() -> None:
    own = network(Heaps(), width=32)
    own.trunk.first.weight.fill_(torch.nan)
    following, seen, where = Incremental(own, 2), np.ones((2, 40), np.float32), np.zeros(2, np.int64)
    features = following.features(seen, where, where, np.arange(2))
    masks = np.zeros((2, 9), np.int8)
    masks[0, [5, 7]] = 1
    assert following.likeliest(features, seen, where, np.arange(2), masks).tolist() == [5, 0]


def test_it_works_where_no_more_threads_are_to_be_had(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        def submit(self, work: Any) -> Any:
            raise RuntimeError("can't start new thread")

    monkeypatch.setattr("tabletop.agents.incremental.pool", lambda _: Full())
    own, seen = network(Heaps(), width=32), np.eye(300, 40, dtype=np.float32)
    where, masks = np.zeros(300, np.int64), np.ones((300, 9), np.int8)
    compare(own, Incremental(own, 300), seen, where, where, np.arange(300), masks, threads=2)
