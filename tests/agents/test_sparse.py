"""The layer that multiplies only what is there."""

import numpy as np
import pytest
import torch
from torch import nn

from tabletop.agents import sparse
from tabletop.agents.network import Network
from tabletop.agents.policy import Policy
from tabletop.agents.sparse import Sparse, fastest_first
from tests.tabletop.toy import Toy


@pytest.mark.parametrize("there", [0.0, 0.1, 1.0])
@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_it_says_what_the_layer_says(there: float, kind: torch.dtype) -> None:
    rng = np.random.default_rng(1)
    layer = nn.Linear(45, 8)
    rows = torch.from_numpy((rng.random((7, 45)) < there) * rng.integers(-3, 9, (7, 45))).to(kind)
    with torch.no_grad():
        assert torch.allclose(Sparse(layer)(rows), layer(rows.float()), atol=1e-4)
        assert torch.allclose(Sparse(layer)(rows[::2]), layer(rows[::2].float()), atol=1e-4)


def test_the_faster_of_two_is_taken() -> None:
    other = nn.Identity()
    assert fastest_first(nn.Linear(3, 2, device="meta"), other, "float32") is other
    layer = nn.Linear(4096, 512)
    assert isinstance(fastest_first(layer, _Slow(layer), "float32"), Sparse)
    assert fastest_first(layer, other, "float32") is other
    assert fastest_first(other, layer, "float32") is layer  # it is not linear


class _Slow(nn.Module):
    """A layer many times over."""

    def __init__(self, layer: nn.Linear) -> None:
        super().__init__()
        self.layer = layer

    def forward(self, rows: torch.Tensor) -> torch.Tensor:
        return torch.stack([self.layer(rows) for _ in range(50)]).mean(0)


def test_a_quick_policy_has_it_where_it_is_faster(monkeypatch: pytest.MonkeyPatch) -> None:
    game = Toy()
    policy = Policy(game, Network(game).requires_grad_(False))
    monkeypatch.setattr(sparse, "fastest", lambda ways: list(ways)[1])
    quick = policy.quick()
    assert isinstance(quick.network.trunk.first, Sparse) and isinstance(policy.network.trunk.first, nn.Linear)
    seen = np.random.default_rng(2).integers(0, 2, (5, len(game.observation_low))).astype(np.float32)
    boxes = np.zeros(5, np.int64)
    assert np.abs(quick.chances(seen, boxes) - policy.chances(seen, boxes)).max() < 0.05
