"""The comparison of networks that know cards by what they do and by their numbers."""

from __future__ import annotations

import numpy as np
import pytest
import torch

import sammu_env
from benchmarks import contents
from tabletop.batch import Batch


def test_both_networks_are_measured_on_boxes_of_their_own(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for name, value in {"GAMES": 20, "HELD_OUT": 1, "SEEDS": (1,), "MINIBATCH": 64}.items():
        monkeypatch.setattr(contents, name, value)
    contents.main(["--seconds", "0.2", "--steps", "10", "--boxes", "3"])
    rows = [line.split(" | ")[:2] for line in capsys.readouterr().out.splitlines() if line.startswith("| ")][2:]
    assert rows == [[f"| {n} random boxes", name] for n in (2, 3) for name in ("their numbers", "what they do")]


def test_a_book_holds_what_the_scripted_team_chose(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(contents, "GAMES", 6)
    game = sammu_env.load_game(box_seed=[1, 2], difficulty=0.5)
    book = contents.collect(game, [1, 0], 5, 3)
    seen, boxes, options, place = book.part(torch.arange(18))
    assert boxes[:6].tolist() == [1, 0, 1, 0, 1, 0] and seen.shape == (18, len(game.observation_low))
    assert options.legal[torch.arange(18), place].all()
    assert (options.actions[torch.arange(18), place] == book.actions).all()
    first = Batch(game, np.concatenate([game.configure("SAM-179", players=1, box=1)])).reset(5)
    assert book.masks[0].tolist() == first.masks[0].astype(bool).tolist()
