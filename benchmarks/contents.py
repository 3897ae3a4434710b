"""What it brings to know cards by what they do: networks that learn to choose as the scripted team does, in equal time.

    python -m benchmarks.contents --seconds 60

Both networks see the same decisions, on two random boxes or on a hundred, and are measured on other games of those
boxes and on boxes that neither has seen. Imitation tells sooner and with less noise than reinforcement learning what a
network can see; it does not tell how well a team plays in the end.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

import sammu_env
from sammu_env.constants import CHALLENGES
from sammu_env.game import SammuRamat
from sammu_env.tasks import DIFFICULTY
from tabletop import agents
from tabletop.agents.network import Choices, Network, autocast, choices, log_policy
from tabletop.batch import Batch
from tabletop.boxes import BOX_SEEDS
from tabletop.training import markdown
from tabletop.training.tasks import SPLITS

SEEDS = (1, 2, 3)
GAMES, STEPS = 400, 300  #: at once, and decisions of each
MINIBATCH, RATE = 2048, 1e-3
HELD_OUT = 20  #: boxes that nobody is trained on


class Choicebook(NamedTuple):
    """What the scripted team chose, of n decisions."""

    observations: Tensor  #: bfloat16 (n, size)
    boxes: Tensor  #: int64 (n,)
    masks: Tensor  #: bool (n, n_actions)
    actions: Tensor  #: int64 (n,)

    def part(self, rows: Tensor) -> tuple[Tensor, Tensor, Choices, Tensor]:
        """Observations, boxes, options, and the place of what was chosen among these, of some decisions."""
        options = choices(self.masks[rows])
        place = (options.actions == self.actions[rows, None]).logical_and(options.legal).int().argmax(1)
        return self.observations[rows].float(), self.boxes[rows], options, place


def collect(game: SammuRamat, boxes: Sequence[int], first_seed: int, steps: int) -> Choicebook:
    """Decisions of ``GAMES`` games at once, of all challenges and numbers of players, on boxes in turn."""
    setups = np.concatenate([
        game.configure(challenge=CHALLENGES[i % 20], players=1 + i // 20 % 5, box=boxes[i % len(boxes)])
        for i in range(GAMES)
    ])  # fmt: skip
    batch, team = Batch(game, setups), agents.make("scripted", game, 1)
    buffers = batch.reset(first_seed + np.arange(GAMES))
    told: list[tuple[Tensor, ...]] = []
    for _ in range(steps):
        masks = buffers.masks.copy()
        actions = team.act(batch.states, masks)
        told.append((torch.from_numpy(buffers.observations).bfloat16(), torch.from_numpy(batch.states["box"].copy()),
                     torch.from_numpy(masks).bool(), torch.from_numpy(actions.copy())))  # fmt: skip
        buffers = batch.step(actions)
    return Choicebook(*(torch.cat(parts) for parts in zip(*told, strict=True)))


def learn(game: SammuRamat, book: Choicebook, contents: bool, seed: int, seconds: float) -> Network:
    """A network that has learnt from a book for so long."""
    torch.manual_seed(seed)
    network = Network(game, contents=contents)
    optimizer = torch.optim.Adam(network.parameters(), RATE, fused=True)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        for rows in torch.randperm(len(book.boxes)).split(MINIBATCH):
            seen, boxes, options, place = book.part(rows)
            with autocast(torch.device("cpu")):
                logits = network(seen, boxes, options).logits
            loss = -log_policy(logits, options.legal).gather(1, place[:, None]).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            if time.monotonic() > end:
                break
    return network.eval()


@torch.no_grad()
def measure(network: Network, book: Choicebook) -> tuple[float, float]:
    """Cross-entropy in nats, and the share of decisions in which the likeliest choice is the scripted team's."""
    losses, right = [], []
    for rows in torch.arange(len(book.boxes)).split(MINIBATCH):
        seen, boxes, options, place = book.part(rows)
        with autocast(torch.device("cpu")):
            logs = log_policy(network(seen, boxes, options).logits, options.legal)
        losses.append(-logs.gather(1, place[:, None]).squeeze(1))
        right.append(logs.argmax(1) == place)
    return float(torch.cat(losses).mean()), float(torch.cat(right).float().mean())


def spread(values: Sequence[float], form: str) -> str:
    """Mean, and lowest to highest."""
    return f"{np.mean(values):{form}} ({min(values):{form}}-{max(values):{form}})"


def main(argv: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=60.0, help="that each network learns (default: %(default)s)")
    parser.add_argument("--steps", type=int, default=STEPS, help=argparse.SUPPRESS)
    parser.add_argument("--boxes", type=int, default=100, help="random boxes to train on (default: %(default)s)")
    args = parser.parse_args(argv)
    trained, held_out = list(BOX_SEEDS["train"][: args.boxes]), list(BOX_SEEDS["validation"][:HELD_OUT])
    game = sammu_env.load_game(box_seed=trained + held_out, difficulty=DIFFICULTY)
    places = list(range(len(trained))), list(range(len(trained), len(game.box)))
    unseen = collect(game, places[1], SPLITS["validation"].start, args.steps // 5)
    rows = [["trained on", "knows cards by", "same boxes: cross-entropy", "agreement, %",
             "held-out boxes: cross-entropy", "agreement, %"]]  # fmt: skip
    for some in (places[0][:2], places[0]):
        book = collect(game, some, SPLITS["train"].start, args.steps)
        again = collect(game, some, SPLITS["validation"].start, args.steps // 5)
        figures: dict[bool, list[tuple[float, ...]]] = {False: [], True: []}
        for seed in SEEDS:
            for contents in figures:
                network = learn(game, book, contents, seed, args.seconds)
                figures[contents].append((*measure(network, again), *measure(network, unseen)))
                print(len(some), contents, seed, figures[contents][-1], flush=True)
        for contents, name in ((False, "their numbers"), (True, "what they do")):
            loss, right, loss_out, right_out = zip(*figures[contents], strict=True)
            parts = [spread(loss, ".3f"), spread([100 * x for x in right], ".1f"),
                     spread(loss_out, ".3f"), spread([100 * x for x in right_out], ".1f")]  # fmt: skip
            rows.append([f"{len(some)} random boxes", name, *parts])
    print(markdown.table(rows))


if __name__ == "__main__":
    main()
