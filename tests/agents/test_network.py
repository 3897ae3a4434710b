"""The network: shapes, legal choices, what each head may see."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import torch

from tabletop.agents.changes import First, changes
from tabletop.agents.legal import Logits
from tabletop.agents.network import Choices, Network, autocast, choices, log_policy


class Cards:
    """A game of twelve numbers, the first six of which say which of three cards lies on each of two heaps; its choices
    1 to 3 play a card. A card does the same in two boxes, but under another number."""

    observation_low = np.zeros(12, np.float32)
    hidden_size, n_actions = 5, 9
    content_sets = ((slice(0, 6), 1, 3),)

    def __init__(self) -> None:
        self.contents = np.zeros((2, 9, 4), np.float32)
        cards = np.eye(3, 4, dtype=np.float32)
        self.contents[0, 1:4], self.contents[1, 1:4] = cards, cards[[2, 0, 1]]


def made(game: Any) -> Network:
    torch.manual_seed(0)
    own = Network(game, width=16, blocks=1)
    if own.wanted is not None:
        own.wanted.weight.data.mul_(100)
    return own


@pytest.fixture
def network() -> Network:
    return made(Cards())


BOX = torch.zeros(50, dtype=torch.long)
EVERY = choices(torch.ones(50, 9).bool())


def first(n: int) -> tuple[torch.Tensor, Choices]:
    return BOX[:n], Choices(*(x[:n] for x in EVERY))


def test_judges_positions(network: Network) -> None:
    judged = network(torch.rand(7, 12), *first(7), torch.rand(7, 5))
    assert [tuple(x.shape) for x in judged] == [(7, 9), (7,), (7,)]
    assert all(x.dtype == torch.float32 for x in judged)
    assert network(torch.rand(7, 12), BOX[:7]).logits.shape == (7, 0)


def test_begins_undecided() -> None:
    torch.manual_seed(0)
    network = Network(Cards(), width=16, blocks=1)
    judged = network(torch.rand(50, 12), *first(50))
    assert judged.logits.abs().max() < 0.5 and judged.value.abs().max() < 0.5
    assert (network.win_probability(judged.win) - 0.5).abs().max() < 0.1


def test_only_the_value_is_told_what_is_hidden(network: Network) -> None:
    seen = torch.rand(4, 12)
    one, other = network(seen, *first(4), torch.zeros(4, 5)), network(seen, *first(4), torch.ones(4, 5))
    assert torch.equal(one.logits, other.logits) and torch.equal(one.win, other.win)
    assert not torch.equal(one.value, other.value)
    assert torch.equal(one.value, network(seen, *first(4)).value)  # nothing hidden is the same as nothing told


def test_each_position_is_judged_by_itself(network: Network) -> None:
    seen = (torch.rand(6, 12) > 0.5).float()
    together = network(seen, *first(6)).logits
    assert all(torch.allclose(network(seen[i : i + 1], *first(1)).logits[0], together[i], atol=1e-6) for i in range(6))


def test_cards_are_known_by_what_they_do(network: Network) -> None:
    """The same cards on the heaps and to choose from, in each of two boxes, where they have other numbers."""
    network.trunk.first.weight.data.zero_()  # nothing is known by its number
    network.policy.weight.data.zero_()
    seen = torch.zeros(2, 12)
    seen[0, [0, 2, 5]] = 1  # cards 0 and 2, and 2 on the other heap
    seen[1, [1, 0, 3]] = 1  # the same cards by the numbers of box 1
    options = Choices(torch.tensor([[1, 2, 3, 8], [2, 3, 1, 8]]), torch.ones(2, 4).bool())
    judged = network(seen, torch.tensor([0, 1]), options)
    assert torch.allclose(judged.logits[0], judged.logits[1], atol=1e-6)
    assert torch.allclose(judged.value[0], judged.value[1], atol=1e-6)
    assert len(judged.logits[0, :3].unique()) == 3 and judged.logits[0, 3] == 0  # 8 names nothing
    other = network(seen, torch.tensor([1, 0]), options)
    assert not torch.allclose(other.logits, judged.logits, atol=1e-3)
    assert not torch.allclose(other.value, judged.value, atol=1e-3)


def test_what_lies_somewhere_is_a_sum(network: Network) -> None:
    contents = network.contents
    assert contents is not None and len(contents.things) == 4  # three cards, and what names nothing
    embedded = contents()
    seen = torch.zeros(3, 12)
    seen[0, [0, 4]] = 1
    seen[1, [3, 1]] = 1  # the same cards the other way round
    sums = contents.sums(embedded, seen, BOX[:3])
    assert torch.allclose(sums[0], sums[1]) and not sums[2].any()
    names = [int(contents.thing[action]) for action in (1, 2)]
    assert torch.allclose(sums[0], embedded[names].sum(0))


@pytest.mark.parametrize("run", [1, 5])
@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_sums_are_those_of_torch(network: Network, kind: torch.dtype, run: int) -> None:
    """The kernel against a product with what each place names, and so its gradients."""
    contents = network.contents
    assert contents is not None
    seen, boxes = (torch.rand(20, 12) > 0.5).to(kind), torch.arange(20) // 3 % 2
    one, other = (torch.randn(4, 64, generator=torch.Generator().manual_seed(1)).requires_grad_() for _ in range(2))
    sums = contents.sums(one, seen, boxes, changes(seen, boxes, run))
    named = contents.thing.view(2, 9)[boxes][:, [1, 2, 3] * 2]
    expected = (seen[:, :6, None].float() * other[named]).sum(1)
    assert torch.allclose(sums, expected, atol=1e-5)
    for x in (sums, expected):
        x.square().sum().backward()
    assert one.grad is not None and other.grad is not None and torch.allclose(one.grad, other.grad, atol=1e-4)


def walk(n: int, boxes: torch.Tensor) -> torch.Tensor:
    """What is seen in n positions, of which each has two numbers otherwise than the one before."""
    seen = torch.zeros(n, 12)
    for i in range(n):
        seen[i] = seen[i - 1]
        seen[i, torch.randint(12, (2,))] = torch.randint(-3, 4, (2,)).float()
    return seen


@pytest.mark.parametrize("kind", [torch.float32, torch.bfloat16])
def test_what_changes_is_all_that_differs_from_the_position_before(kind: torch.dtype) -> None:
    boxes = torch.tensor([0, 0, 0, 0, 1, 1])
    seen = walk(6, boxes).to(kind)
    along = changes(seen, boxes, 3)
    assert along.fresh.tolist() == [True, False, False, True, True, False]
    begin = 0
    for i, end in enumerate(along.ends):
        before = torch.zeros(12).to(kind) if along.fresh[i] else seen[i - 1]
        places = (seen[i] != before).nonzero()[:, 0].tolist()
        assert along.places[begin:end].tolist() == places
        assert along.old[begin:end].tolist() == before[places].tolist()
        assert along.new[begin:end].tolist() == seen[i, places].tolist()
        begin = end
    assert begin == len(along.new)
    assert not len(changes(seen[:0], boxes[:0], 3).ends)


@pytest.mark.parametrize("run", [1, 4, 10])
def test_a_layer_says_and_learns_along_runs_what_it_does_of_each_position(run: int) -> None:
    torch.manual_seed(2)
    boxes = torch.arange(40) // 7 % 2
    seen, layer, wanted = walk(40, boxes), torch.nn.Linear(12, 5), torch.randn(40, 5)
    said, learnt = [], []
    for first in (layer, lambda x: First.apply(layer.weight, layer.bias, changes(x, boxes, run))):
        layer.zero_grad()
        said.append(first(seen))
        (said[-1] * wanted).sum().backward()
        learnt.append([x.grad.clone() for x in layer.parameters()])
    assert torch.allclose(*said, atol=1e-5)
    assert all(torch.allclose(one, other, atol=1e-4) for one, other in zip(*learnt, strict=True))


def test_logits_of_legal_choices_are_those_of_the_catalogue() -> None:
    torch.manual_seed(3)
    layer, features = torch.nn.Linear(37, 9), torch.randn(20, 37, requires_grad=True)
    options = choices(torch.rand(20, 9) > 0.5)
    wanted, found = torch.randn(options.legal.shape) * options.legal, []
    for logits in (
        Logits.apply(features, layer.weight, layer.bias, *options),
        layer(features).gather(1, options.actions) * options.legal,
    ):
        leaves = (features, *layer.parameters())
        found.append([logits, *torch.autograd.grad((logits * wanted).sum(), leaves)])
    assert all(torch.allclose(one, other, atol=1e-5) for one, other in zip(*found, strict=True))


def test_positions_are_judged_along_runs_as_one_by_one(network: Network) -> None:
    boxes, options = torch.arange(40) // 7 % 2, Choices(*(x[:40] for x in EVERY))
    seen, hidden = walk(40, boxes), torch.rand(40, 5)
    found = []
    for run in (1, 8):
        network.zero_grad()
        judged = network(seen, boxes, options, hidden, run)
        (judged.logits.square().sum() + judged.value.sum() + judged.win.sum()).backward()
        found.append([*judged, *(x.grad.clone() for x in network.parameters())])
    assert all(torch.allclose(one, other, rtol=1e-3, atol=1e-4) for one, other in zip(*found, strict=True))


def test_learns_what_cards_do(network: Network) -> None:
    """Wanted: the card with the second feature, whatever its number."""
    optimizer = torch.optim.Adam(network.parameters(), 3e-3)
    right = torch.tensor([1, 2])  # places of that card's choice in the two boxes
    options = Choices(torch.tensor([[1, 2, 3]] * 2), torch.ones(2, 3).bool())
    for _ in range(200):
        loss = -log_policy(network(torch.zeros(2, 12), torch.tensor([0, 1]), options).logits, options.legal)[
            torch.arange(2), right
        ].mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    assert loss < 0.1


def test_things_may_be_known_by_number_alone() -> None:
    game = Cards()
    game.contents, game.content_sets = np.zeros((1, 9, 0), np.float32), ()
    for network in (made(game), Network(Cards(), width=16, blocks=1, contents=False)):
        assert network.contents is None and network.wanted is None
        seen = torch.rand(3, 12)
        one, other = (network(seen, torch.full((3,), box), first(3)[1]) for box in (0, 1))
        assert one.logits.shape == (3, 9) and torch.equal(one.logits, other.logits)


@pytest.mark.parametrize("more", [0, 2])
def test_a_network_that_takes_another_over_says_the_same(network: Network, more: int) -> None:
    network.calibration += 1
    deeper = Network(Cards(), width=16, blocks=1 + more)
    deeper.take_over(network)
    seen, hidden = torch.rand(7, 12), torch.rand(7, 5)
    for ours, theirs in zip(deeper(seen, *first(7), hidden), network(seen, *first(7), hidden), strict=True):
        assert torch.equal(ours, theirs)
    assert deeper.calibration.tolist() == [1.0, 0.0] and network.calibration.tolist() == [2.0, 1.0]


def test_blocks_that_change_nothing_learn(network: Network) -> None:
    deeper = Network(Cards(), width=16, blocks=2)
    deeper.take_over(network)
    optimizer, added = torch.optim.SGD(deeper.parameters(), 0.1), deeper.trunk.blocks[1]
    before = [x.clone() for x in added.parameters()]
    for _ in range(2):  # what leads into a layer of zeros learns once that is none
        optimizer.zero_grad()
        deeper(torch.rand(7, 12), *first(7)).win.sum().backward()
        optimizer.step()
    assert all(not torch.equal(x, old) for x, old in zip(added.parameters(), before, strict=True))


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
    logs = log_policy(logits.gather(1, found.actions), found.legal)
    assert torch.allclose(logs[found.legal], expected[found.legal], atol=1e-6)
    assert torch.allclose(logs.exp().sum(1), torch.ones(40), atol=1e-6)


def test_calibration_scales_and_shifts(network: Network) -> None:
    network.calibration.copy_(torch.tensor([2.0, -1.0]))
    assert torch.allclose(network.win_probability(torch.tensor([0.5, 2.0])), torch.sigmoid(torch.tensor([0.0, 3.0])))


def test_precision_is_one_of_three() -> None:
    assert not autocast(torch.device("cpu"), "float32")._enabled
    assert autocast(torch.device("cpu"), "bfloat16")._enabled
    with pytest.raises(ValueError, match=r"precision is 'half', choose one of auto, bfloat16, float32"):
        autocast(torch.device("cpu"), "half")


def test_a_choice_is_judged_by_where_its_thing_lies() -> None:
    torch.manual_seed(0)
    own = Network(Cards(), width=16, blocks=1, places=True)
    assert own.places is not None and own.places.about.tolist() == [
        [12, 12],
        *([i, i + 3] for i in range(3)),
        *([[12, 12]] * 5),
    ]  # the two heaps; other choices name no card
    own.places.asked.weight.data.zero_()
    own.places.asked.bias.data.copy_(torch.tensor([1.0, 10.0]))
    seen, features = torch.rand(4, 12), torch.zeros(4, 16)
    said = own.places(features, seen, choices(torch.ones(4, 9).bool()))
    assert torch.allclose(said[:, 1:4], seen[:, 0:3] + 10 * seen[:, 3:6])
    assert not said[:, 0].any() and not said[:, 4:].any()
    assert Network(Cards(), width=16).places is None


def test_what_is_said_is_enough_where_nothing_is_counted() -> None:
    """A game that says which numbers speak of what a choice names, and counts no things."""
    torch.manual_seed(0)
    game: Any = Cards()
    game.content_sets, game.about = (), np.full((9, 1), 12)
    game.about[2:4, 0] = 7, 8
    own = Network(game, width=16, blocks=1, places=True)
    assert own.places is not None
    own.places.asked.weight.data.zero_()
    own.places.asked.bias.data.fill_(3)
    seen = torch.rand(4, 12)
    said = own.places(torch.zeros(4, 16), seen, choices(torch.ones(4, 9).bool()))
    assert torch.allclose(said[:, 2:4], 3 * seen[:, 7:9]) and not said[:, [0, 1, *range(4, 9)]].any()
    assert own(seen, BOX[:4], first(4)[1]).logits.shape == own(seen, BOX[:4], first(4)[1], run=2).logits.shape == (4, 9)
