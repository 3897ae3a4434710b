"""The network: shapes, legal choices, what each head may see."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from agents.network import Network, autocast, choices, log_policy


@pytest.fixture
def network() -> Network:
    torch.manual_seed(0)
    return Network(size=12, hidden_size=5, n_actions=9, width=16, blocks=1)


def test_judges_positions(network: Network) -> None:
    judged = network(torch.rand(7, 12), torch.rand(7, 5))
    assert [tuple(x.shape) for x in judged] == [(7, 9), (7,), (7,)]
    assert all(x.dtype == torch.float32 for x in judged)


def test_begins_undecided(network: Network) -> None:
    judged = network(torch.rand(50, 12))
    assert judged.logits.abs().max() < 0.5 and judged.value.abs().max() < 0.5
    assert (network.win_probability(judged.win) - 0.5).abs().max() < 0.1


def test_only_the_value_is_told_what_is_hidden(network: Network) -> None:
    seen = torch.rand(4, 12)
    one, other = network(seen, torch.zeros(4, 5)), network(seen, torch.ones(4, 5))
    assert torch.equal(one.logits, other.logits) and torch.equal(one.win, other.win)
    assert not torch.equal(one.value, other.value)
    assert torch.equal(one.value, network(seen).value)  # nothing hidden is the same as nothing told


def test_each_position_is_judged_by_itself(network: Network) -> None:
    seen = torch.rand(6, 12)
    together = network(seen).logits
    assert all(torch.allclose(network(seen[i : i + 1]).logits[0], together[i], atol=1e-6) for i in range(6))


def test_legal_choices_side_by_side() -> None:
    masks = torch.tensor([[0, 1, 0, 1], [1, 0, 0, 0], [1, 1, 1, 1]]).bool()
    found = choices(masks)
    assert found.legal.tolist() == [[True, True, False, False], [True, False, False, False], [True] * 4]
    assert [row[own].tolist() for row, own in zip(found.actions, found.legal, strict=True)] == [
        [1, 3],
        [0],
        [0, 1, 2, 3],
    ]


def test_policy_is_that_over_the_legal_choices() -> None:
    generator = np.random.default_rng(0)
    masks = torch.from_numpy(generator.random((40, 30)) < 0.2)
    masks[:, 3] = True
    logits = torch.randn(40, 30)
    found = choices(masks)
    expected = torch.log_softmax(logits.masked_fill(~masks, -torch.inf), dim=1).gather(1, found.actions)
    assert torch.allclose(log_policy(logits, found)[found.legal], expected[found.legal], atol=1e-6)
    assert torch.allclose(log_policy(logits, found).exp().sum(1), torch.ones(40), atol=1e-6)


def test_calibration_scales_and_shifts(network: Network) -> None:
    network.calibration.copy_(torch.tensor([2.0, -1.0]))
    assert torch.allclose(network.win_probability(torch.tensor([0.5, 2.0])), torch.sigmoid(torch.tensor([0.0, 3.0])))


def test_precision_is_one_of_three() -> None:
    assert not autocast(torch.device("cpu"), "float32")._enabled
    assert autocast(torch.device("cpu"), "bfloat16")._enabled
    with pytest.raises(ValueError, match=r"precision is 'half', choose one of auto, bfloat16, float32"):
        autocast(torch.device("cpu"), "half")
