"""Proximal Policy Optimization (Schulman et al. 2017) for games of many seats, in one file.

One network plays every seat of many games at once. A *side* is paid as one. A team is one side: its game is one
sequence of decisions of all seats, and the advantage of a choice (GAE, Schulman et al. 2016) runs on through the
others' decisions. Of rivals each seat is a side of its own: after a choice come that seat's next one and all that
it is paid until then. The critic is told what is hidden from the seat (Yu et al. 2022), the head that gives
the chance of winning is not.
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Mapping, Sequence
from math import gcd
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from tabletop import agents, record
from tabletop.agents.base import Judge, of_threads
from tabletop.agents.incremental import Incremental
from tabletop.agents.network import Choices, Judgement, Network, autocast, choices, draw, log_policy
from tabletop.batch import Batch, Buffers, Finished
from tabletop.game import DRAWN, Game, Record, team_won, winners
from tabletop.training.config import Config
from tabletop.training.distributed import ALONE, Processes
from tabletop.training.pool import Selves, placed
from tabletop.training.searches import Experience
from tabletop.training.starts import Starts

#: Turns in which is looked for something hidden: at the beginning of a game nobody holds anything yet.
TRIAL = 64
#: Figures that are 0 where a decision does not count: what is learnt of decisions, and of the policy's own choices.
LEARNT, OWN = ("entropy", "value_loss", "win_loss", "prior_kl"), ("clipped", "kl")


class Seen(NamedTuple):
    """Of n positions, what the network is told."""

    observations: Tensor  #: (n, size)
    hidden: Tensor  #: (n, hidden_size), or (n, 0) where nothing is hidden in any game
    boxes: Tensor  #: int64 (n,)


class Decisions(NamedTuple):
    """What was seen, chosen and learnt from it; tensors (length, games, ...), or (n, ...) of a minibatch."""

    observations: Tensor  #: as the network reads them (.., size)
    hidden: Tensor  #: (.., hidden_size), or (.., 0) where nothing is hidden in any game
    boxes: Tensor  #: int64, the box that is played with
    actions: Tensor  #: int16 (.., most), the legal choices
    legal: Tensor  #: bool (.., most), where there is one
    chosen: Tensor  #: int64, place of the choice among the legal ones
    log_prob: Tensor  #: float32, of the choice when it was made
    taught: Tensor  #: bool, whether the teacher made it
    counts: Tensor  #: bool, whether it was no earlier self's, and what came of it is known
    advantage: Tensor  #: float32, and so are these:
    value_target: Tensor
    win_target: Tensor

    @property
    def seen(self) -> Seen:
        """What was seen."""
        return Seen(self.observations, self.hidden, self.boxes)

    @property
    def options(self) -> Choices:
        """The legal choices."""
        return Choices(self.actions.long(), self.legal)

    @property
    def own(self) -> Tensor:
        """Whether the policy made the choice and learns from it, bool."""
        return self.counts & ~self.taught

    def minibatches(self, size: int, run: int = 1, processes: Processes = ALONE) -> Iterator[Decisions]:
        """All decisions, in runs of so many of one game, one after the other, and these in random order; of ``size`` of
        all processes, those of this one.

        The games are dealt round to groups, and each minibatch has as many decisions of each group: so a process, which
        has whole groups, has as many in each. A minibatch is written over the one before it: new memory costs time.
        """
        flat, device, many = [x.flatten(0, 1) for x in self], self.chosen.device, processes.world_size
        size //= many
        room = [torch.empty(min(size, len(x)), *x.shape[1:], dtype=x.dtype, device=device) for x in flat]
        games, many_runs = self.chosen.shape[1], size // run
        groups = gcd(games, many_runs)
        order = torch.rand(groups * many, len(flat[0]) // run // groups, device=device).argsort(1)[processes.own]
        places = order * groups + torch.arange(groups, device=device)[:, None]
        along = torch.arange(run, device=device) * games
        for some in places.split(many_runs // groups, dim=1):
            own = some.flatten()[:, None]
            rows = (own // games * run * games + own % games + along).flatten()
            yield Decisions(*(torch.index_select(x, 0, rows, out=to[: len(rows)])
                              for x, to in zip(flat, room, strict=True)))  # fmt: skip


class Choice(NamedTuple):
    """What is chosen in each of n games."""

    options: Choices  #: the legal choices
    place: Tensor  #: int64 (n,), of the choice among them
    log_prob: Tensor  #: float32 (n,)
    action: NDArray[np.int64]  #: (n,), its number
    side: NDArray[np.int64]  #: (n,), who chooses
    own: NDArray[np.bool_]  #: (n,), it is no earlier self


class Turn(NamedTuple):
    """What came of the choices in n games; of a rollout (length, n, ...)."""

    rewards: NDArray[np.float32]  #: (n, sides)
    won: NDArray[np.float32]  #: (n, sides), 1 if it has now won, or shares the win, 0 if not, nan if that is open
    over: NDArray[np.float32]  #: (n,), 1 if the game has ended
    final: NDArray[np.float32]  #: (n,), potential of how it ended


class Ahead:
    """What follows each side's last decision, arrays (games, sides), for who goes back through a rollout."""

    def __init__(self, games: int, sides: int) -> None:
        self.known = np.zeros((games, sides), np.bool_)  #: whether there is a next decision, or the game ends
        self.paid = np.zeros((games, sides), np.float32)  #: until then
        self.won = np.full((games, sides), np.nan, np.float32)  #: until then: 1 or 0, nan if that is open
        #: of the next decision: what the value and the win head say, and what was found of advantage and winning
        self.value, self.win, self.advantage, self.wins = np.zeros((4, games, sides), np.float32)

    def pass_by(self, rewards: NDArray[np.float32], won: NDArray[np.float32], over: NDArray[np.bool_]) -> None:
        """A turn, of :class:`Turn`, without who decided in it; what follows the end of a game is of another."""
        for x in (self.paid, self.value, self.advantage):
            x[over] = 0.0
        self.known[over] = True
        self.paid += rewards
        self.won = np.where(np.isnan(won), self.won, won)

    def note(self, whose: Any, value: Any, advantage: Any, win: Any, wins: Any) -> None:
        """A decision in each game, and of which side: an index of these arrays."""
        self.value[whose], self.advantage[whose], self.win[whose], self.wins[whose] = value, advantage, win, wins
        self.known[whose], self.paid[whose], self.won[whose] = True, 0.0, np.nan


class Rollout:
    """What happens between two updates; the learner keeps the observations."""

    def __init__(self, length: int, games: int) -> None:
        #: of :meth:`Learner.estimates`; the last is after the last turn
        self.estimates = torch.zeros(3, length + 1, games)
        self.choices: list[Choice] = []
        self.turns: list[Turn] = []

    def add(self, choice: Choice, turn: Turn) -> None:
        """What is chosen, and what came of it."""
        self.choices.append(choice)
        self.turns.append(turn)


class Learner:
    """A network, the games it learns from, and how.

    All randomness is that of ``starts``, torch's, and that of the games; and a teacher's.

    Args:
        starts: of the games.
        processes: who learns together; each plays its part of the games and has all else alike.

    Raises:
        ValueError: games or minibatches cannot be shared evenly, or nobody of the pool can ever play.
    """

    def __init__(
        self, game: Game, config: Config, starts: Starts, device: torch.device, processes: Processes = ALONE
    ) -> None:
        self.game, self.config, self.starts, self.device, self.processes = game, config, starts, device, processes
        _check_sides(game, config)
        n = processes.part(config.games, "games")
        processes.part(config.ppo.minibatch // config.ppo.run, "ppo.minibatch / ppo.run")
        self.network = Network(game, **config.network.model_dump()).to(device)
        self.optimizer = torch.optim.Adam(self.network.parameters(), eps=1e-5, fused=True)
        self.autocast = autocast(device, config.precision)
        threads = config.threads or processes.processors
        self.teacher = of_threads(agents.make(config.warm_start.agent, game, config.seed), threads)
        self.judge = of_threads(judge(config.shaping.agent, game), threads) if any(config.shaping.scale) else None
        self.sides = 1 if game.team else game.max_seats
        self.selves = Selves(game, config.pool, self.network, starts, threads) if config.pool.share else None
        self.prior: Network | None = None  #: as the network was after the warm start, where policies stay near it
        self.updates = 0  #: of this stage
        self.before = 0  #: decisions learnt from in earlier stages
        setups = starts.deal(starts.own, starts.now)
        self.batch = Batch(game, setups, threads=threads, seed=0)
        if device.type == "cuda":
            self.batch.buffers = _pinned(self.batch.buffers)
        self.seen = starts.begin(self.batch, self.taught)
        self.turn: Turn  #: what came of the last step
        self.against: list[NDArray[np.float64]] = []  #: of :meth:`Selves.share`, since the last update
        turns = (config.length, n)
        kind = torch.bfloat16 if self.autocast._enabled else torch.float32
        self.observations = torch.zeros(*turns, len(game.observation_low), dtype=kind, device=device)
        self.hidden = torch.zeros(*turns, game.hidden_size if self._hides() else 0, dtype=kind, device=device)
        self.boxes = torch.zeros(*turns, dtype=torch.long, device=device)
        self.followed: Incremental | None = None
        self.experience = self._experience(kind) if config.searches.positions else None

    def _experience(self, kind: torch.dtype) -> Experience:
        own = self.config
        self.processes.part(own.searches.minibatch, "searches.minibatch")
        return Experience(self.game, own.searches, self.network, kind, own.precision, own.seed, self.processes)

    def _hides(self) -> bool:
        """Whether anything is ever hidden from a seat in the games that are trained on; they are played for a while."""
        trial = Batch(self.game, self.starts.setups[self.starts.first], observe=False, threads=1, seed=0)
        trial.reset(0)
        for _ in range(TRIAL):
            if self.game.hidden(trial.states).any():
                return True
            trial.step(trial.buffers.masks.argmax(axis=1))
        return False

    @property
    def decisions(self) -> int:
        """Learnt from so far, in all stages."""
        return self.before + self.updates * self.config.batch

    @property
    def warming(self) -> bool:
        """Whether the teacher plays all games."""
        return self.updates < self.config.warm_start.updates

    @property
    def imitation(self) -> float:
        """How much a choice of the teacher counts beside one of the network."""
        if self.warming:
            return 1.0
        own, since = self.config.warm_start, self.config.taught_from
        return 0.0 if self.updates < since else self.now(own.weight, 0.0, own.until, since)

    @property
    def taught(self) -> int:
        """How many games of all, the first ones, the teacher plays."""
        return self.config.games if self.warming else self.config.taught_later if self.imitation else 0

    @property
    def nearness(self) -> float:
        """How much the KL divergence from the prior counts now."""
        own = self.config.warm_start
        return 0.0 if self.warming else self.now(own.kl, 0.0, own.until, own.updates)

    @property
    def epochs(self) -> int:
        """Times each decision is learnt from in this update."""
        own = self.config.warm_start.epochs
        return own if own and self.warming else self.config.ppo.epochs

    @property
    def shaping(self) -> float:
        """How much a potential counts now."""
        return self.now(*self.config.shaping.scale, self.config.shaping.until)

    @property
    def learning_rate(self) -> float:
        """Of this update."""
        own = self.config.warm_start
        if own.learning_rate and self.warming:
            return self.now(*own.learning_rate, own.updates / self.config.updates)
        return self.now(*self.config.ppo.learning_rate)

    def now(self, first: float, last: float, until: float = 1.0, since: int = 0) -> float:
        """A setting that goes from one value to another in equal steps, from an update up to a share of the run."""
        steps = until * self.config.updates - since
        return first + (last - first) * (min(1.0, (self.updates - since) / steps) if steps > 0 else 1.0)

    def learn(self) -> dict[str, float]:
        """Plays ``length`` decisions of every game and learns from them. Returns figures for the log.

        Raises:
            ValueError: the network has learnt what is no number, or none that a checkpoint could hold.
        """
        self._keep_prior()
        decisions, played = self.play()
        if self.experience and not self.warming:
            played |= self.experience.gain(self.processes.gather(self.batch.states), self.starts.rng)
        learnt = self.improve(decisions)
        if not all(x.half().isfinite().all() for x in self.network.parameters()):
            raise ValueError("the network has learnt what is no number: the learning rate may be too high")
        return {**played, **learnt}

    def _keep_prior(self) -> None:
        """The prior is the network where it first counts; it goes when it does not count any more."""
        if not self.nearness:
            self.prior = None
        elif self.prior is None:
            self.prior = copy.deepcopy(self.network).requires_grad_(False)

    # Playing

    @torch.no_grad()
    def play(self) -> tuple[Decisions, dict[str, float]]:
        """Plays ``length`` decisions of every game."""
        length, ended = self.config.length, []
        rollout = Rollout(length, self.batch.n)
        self.hand_out()
        with self.autocast:
            for t in range(length):
                options = choices(self.seen.masks, self.device)
                judged = self.assess_games(self.look(self.observations[t], self.hidden[t], self.boxes[t]), options)
                rollout.estimates[:, t] = self.estimates(judged)
                choice = self.choose(judged, options)
                ended.append(self.step(choice.action))
                rollout.add(choice, self.turn)
            rollout.estimates[:, length] = self.estimates(self.assess_games(self.look()))
        return self.finish(rollout, ended)

    def hand_out(self) -> None:
        """Before a rollout: who plays which games. The teacher begins anew, so that it need not be kept.

        On a processor the network, which stays as it is for so long, follows the games.
        """
        self.followed = Incremental(self.network, self.batch.n) if self.device.type == "cpu" else None
        seed = self.config.seed + self.updates + self.processes.rank * self.config.updates
        self.teacher.reset(seed)
        self.secrets = np.random.default_rng(seed)  #: draws what the teacher may not know
        self.starts.teach(self.taught)
        self.against = []
        if self.selves:
            self.selves.hand_out(seed)

    def look(
        self, observations: Tensor | None = None, hidden: Tensor | None = None, boxes: Tensor | None = None
    ) -> Seen:
        """What is seen where the games stand; written into tensors, by default new ones."""
        seen = Seen(
            torch.empty_like(self.observations[0]) if observations is None else observations,
            torch.empty_like(self.hidden[0]) if hidden is None else hidden,
            torch.empty_like(self.boxes[0]) if boxes is None else boxes,
        )
        seen.observations.copy_(torch.from_numpy(self.seen.observations).to(self.device))  # a GPU rounds them faster
        if seen.hidden.shape[1]:
            seen.hidden.copy_(torch.from_numpy(self.game.hidden(self.batch.states)))
        seen.boxes.copy_(torch.from_numpy(self.batch.states["box"].astype(np.int64)))
        return seen

    def assess(self, seen: Seen, options: Choices | None = None, run: int = 1) -> Judgement:
        """What the network says of positions, which come in runs, and of their options."""
        hidden = seen.hidden if seen.hidden.shape[1] else None
        judged: Judgement = self.network(seen.observations, seen.boxes, options, hidden, run)
        return judged

    def assess_games(self, seen: Seen, options: Choices | None = None) -> Judgement:
        """As :meth:`assess`, and faster, of where the games stand: by what :meth:`look` says of them now."""
        if self.followed is None:
            return self.assess(seen, options)
        every, hidden = np.arange(self.batch.n), seen.hidden if seen.hidden.shape[1] else None
        observations, boxes = seen.observations.float().numpy(), seen.boxes.numpy()
        features = self.followed.features(observations, boxes, self.batch.began, every, self.batch.threads)
        logits = features[:, :0].float()
        if options:
            logits = self.followed.logits(features, observations, boxes, every, options)
        return Judgement(logits, self.network.worth(features, hidden), self.network.winning(features))

    def estimates(self, judged: Judgement) -> Tensor:
        """Value, chance of winning and potential, float32 (3, games), of where the games stand."""
        potential = torch.from_numpy(self._potential(self.batch.states)).to(self.device)
        return torch.stack((judged.value, torch.sigmoid(judged.win), potential))

    def _potential(self, states: Record) -> NDArray[np.float32]:
        """The potential of states (n,) for shaping, float32 (n,); zeros where there is no shaping.

        Raises:
            ValueError: the agent that judges gives something else than a number for each.
        """
        if self.judge is None or not self.shaping:
            return np.zeros(len(states), np.float32)
        worth = np.asarray(self.judge.potential(states))
        what = f"{worth.dtype} {worth.shape}"
        if worth.shape == (len(states),) and worth.dtype.kind in "fiu":
            if np.isfinite(worth).all():
                return worth.astype(np.float32, copy=False)
            what = "what is no number"
        raise ValueError(f"shaping.agent {self.judge.name} says that positions are worth {what}, expected a number for "
                         f"each of {len(states)}: float32 {(len(states),)}")  # fmt: skip

    def choose(self, judged: Judgement, options: Choices) -> Choice:
        """A choice for each game.

        Raises:
            ValueError: the network has learnt what is no number, or the teacher chooses what is none, or illegal.
        """
        logs, own = log_policy(judged.logits, options.legal), self.processes.own
        if not logs.isfinite().all():
            raise ValueError("the policy holds what is no number: the learning rate may be too high")
        evenly = torch.rand(self.config.games, device=self.device)[own]
        place = draw(logs, options.legal, evenly)
        if n := self.starts.taught_here:
            theirs = Choices(*(x[:n] for x in options))
            states, masks = record.copy(self.batch.states[:n]), self.seen.masks[:n].copy()  # it may write to these
            place[:n] = placed(self.game, self.teacher, states, masks, theirs, self.secrets)
        side, learns = self._side(), np.ones(self.batch.n, np.bool_)
        if self.selves:
            learns = ~self.selves.sits[np.arange(self.batch.n), self.batch.states["to_act"]]
            if len(others := np.flatnonzero(~learns)):
                place[others] = self.selves.choose(self.batch.states, self.seen, options, evenly, others, self.secrets)
        action = options.actions.gather(1, place[:, None]).squeeze(1).cpu().numpy()
        return Choice(options, place, logs.gather(1, place[:, None]).squeeze(1), action, side, learns)

    def _side(self) -> NDArray[np.int64]:
        """Of whom a choice is asked where the games stand, int64 (games,)."""
        return np.minimum(self.batch.states["to_act"], self.sides - 1).astype(np.int64)

    def step(self, action: NDArray[np.int64]) -> Record:
        """One choice, int64 (games,), in every game. Returns those that ended and were the network's from their
        beginning (in the warm start the teacher's); the next ones begin."""
        self.starts.remember(self.batch.states)
        self.batch.step(action, self.seen)
        games = self.batch.finished.games
        whole = self.starts.whole[games] & (self.warming | (games >= self.starts.taught_here))
        finished = self.starts.follow(self.batch)
        if self.selves and len(games):
            self.against.append(self.selves.share(games, finished.states))
            self.selves.seat(games)
        self.turn = self._turn(finished)
        return record.take(finished.states, np.flatnonzero(whole))

    def _turn(self, finished: Finished) -> Turn:
        """What came of the last step, in which games have ended."""
        final = np.zeros(self.batch.n, np.float32)
        final[finished.games] = self._potential(finished.states)
        over, rewards = self.seen.terminated.astype(np.float32), self.seen.rewards[:, : self.sides].copy()
        if self.game.team:  # in a campaign it wins and loses on the way, too
            won = np.where((over[:, None] > 0) | (rewards != 0), rewards > 0, np.nan).astype(np.float32)
        else:
            won = np.full((self.batch.n, self.sides), np.nan, np.float32)
            won[finished.games] = winners(self.game.results(finished.states))
        return Turn(rewards, won, over, final)

    def finish(self, rollout: Rollout, ended: list[Record]) -> tuple[Decisions, dict[str, float]]:
        """What is to be learnt from a rollout and the games that ended in it, and figures of both."""
        value, win, potential = rollout.estimates.numpy()
        self.starts.agree()
        self.starts.store(self.batch, win[-1], max(1, self.config.games // 8))
        options, places, log_probs, _, sides, learns = zip(*rollout.choices, strict=True)
        turns = Turn(*map(np.stack, zip(*rollout.turns, strict=True)))
        following = np.where(turns.over > 0, turns.final, potential[1:])
        shaped = self.shaping * (self.config.ppo.gamma * following - potential[:-1]) - self.config.shaping.cost
        *targets, known = self._targets(value, win, np.stack([*sides, self._side()]), turns, shaped)
        counts = known & np.stack(learns)
        taught = (torch.arange(self.config.games, device=self.device) < self.taught)[self.processes.own]
        decisions = Decisions(
            self.observations, self.hidden, self.boxes, *_side_by_side(options), torch.stack(places),
            torch.stack(log_probs), taught.repeat(self.config.length, 1), torch.from_numpy(counts).to(self.device),
            *(torch.from_numpy(x).to(self.device) for x in targets),
        )  # fmt: skip
        value, target, counts = (self.processes.gather(x.ravel()) for x in (value[:-1], targets[1], counts))
        of_all = np.concatenate(self.processes.each(np.concatenate(ended)))
        told = _told(self.game, of_all, value[counts], target[counts])
        against = np.concatenate(self.processes.each(np.concatenate([np.zeros(0), *self.against])))
        if len(against := against[~np.isnan(against)]):
            told["against_earlier"] = float(against.mean())
        return decisions, told

    def _targets(
        self, value: NDArray[np.float32], win: NDArray[np.float32], side: NDArray[np.int64], turns: Turn,
        shaped: NDArray[np.float32],
    ) -> tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32], NDArray[np.bool_]]:  # fmt: skip
        """Advantage, value and chance of winning to learn, float32 (length, games); and whether they are known, bool:
        nothing is known of a side's last decision where it is asked again only after the rollout.

        Args:
            value, win, side: (length + 1, games), before each turn and after the last; whose they are.
            turns: of the rollout; ``shaped``: (length, games).
        """
        set_, (length, games, sides) = self.config.ppo, turns.rewards.shape
        advantage, wins = np.zeros((2, length, games), np.float32)
        known, every = np.zeros((length, games), np.bool_), np.arange(games)
        later = Ahead(games, sides)
        later.note((every, side[length]), value[length], 0.0, win[length], win[length])
        for t in reversed(range(length)):
            later.pass_by(turns.rewards[t], turns.won[t], turns.over[t] > 0)
            whose = every, side[t]
            td_error = later.paid[whose] + shaped[t] + set_.gamma * later.value[whose] - value[t]
            advantage[t] = td_error + set_.gamma * set_.lam * later.advantage[whose]
            said = (1 - set_.win_lam) * later.win[whose] + set_.win_lam * later.wins[whose]
            wins[t] = np.where(np.isnan(later.won[whose]), said, later.won[whose])
            known[t] = later.known[whose]
            later.note(whose, value[t], advantage[t], win[t], wins[t])
        return advantage, advantage + value[:length], wins, known

    # Learning

    def improve(self, decisions: Decisions) -> dict[str, float]:
        """Learns from decisions, and counts the update."""
        rate, entropy = self.learning_rate, self.now(*self.config.ppo.entropy)
        for group in self.optimizer.param_groups:
            group["lr"] = rate
        totals: dict[str, Tensor] = {}
        n = 0
        for _ in range(self.epochs):
            for part in decisions.minibatches(self.config.ppo.minibatch, self.config.ppo.run, self.processes):
                loss, told = self.loss(part, entropy)
                if self.experience and self.experience.found:
                    loss, told = self.taught_by_search(self.experience, loss, told)
                self.optimizer.zero_grad()
                loss.backward()
                self.processes.average_gradients(self.network)
                told["gradient"] = nn.utils.clip_grad_norm_(
                    self.network.parameters(), self.config.ppo.max_grad_norm, foreach=True
                )
                self.optimizer.step()
                n += 1
                totals = {name: x.detach() + totals.get(name, 0.0) for name, x in told.items()}
        self.count()
        means = self.processes.total(torch.stack(list(totals.values()))) / (n * self.processes.world_size)
        return of_those_that_count({**dict(zip(totals, means.tolist(), strict=True)), "learning_rate": rate})

    def taught_by_search(
        self, experience: Experience, loss: Tensor, told: dict[str, Tensor]
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """A loss and its parts, and those of a minibatch of what searches found."""
        lessons = experience.draw()
        options = lessons.options
        with self.autocast:
            judged: Judgement = self.network(lessons.observations, lessons.boxes, options)
        also, parts = experience.loss(lessons, options, judged, self.config.ppo.win)
        return loss + also, told | parts

    def count(self) -> None:
        """An update is done. After the last one of the warm start the policy is sharpened."""
        warming = self.warming
        self.updates += 1
        if warming and not self.warming:
            self.network.sharpen(self.config.warm_start.temperature)
        if self.selves:
            self.selves.keep(self.network, self.updates)

    def loss(self, part: Decisions, entropy_weight: float) -> tuple[Tensor, dict[str, Tensor]]:
        """Of a minibatch, and its parts."""
        set_ = self.config.ppo
        with self.autocast:
            judged = self.assess(part.seen, part.options, set_.run)
        logs = log_policy(judged.logits, part.legal)
        log_prob = logs.gather(1, part.chosen[:, None]).squeeze(1)
        ratio = (self.own(part, log_prob) - part.log_prob).exp()
        gain = self.gain(part)
        choice_loss = -torch.min(gain * ratio, gain * ratio.clamp(1 - set_.clip, 1 + set_.clip)).mean()
        entropy = self.uncertainty(part, logs).mean()
        value_loss = F.mse_loss(self.learnt(part, judged.value, part.value_target), part.value_target)
        also, told = self.losses_besides(part, judged, logs, log_prob)
        loss = choice_loss - (0.0 if self.warming else entropy_weight) * entropy + set_.value * value_loss + also
        told |= {"choice_loss": choice_loss, "entropy": entropy, "value_loss": value_loss,
                 "clipped": ((ratio - 1).abs() > set_.clip).float().mean()}  # fmt: skip
        return loss, told

    def gain(self, part: Decisions) -> Tensor:
        """Advantages (n,) of the network's own choices, so that they have mean 0 and deviation 1; others count 0."""
        counts = self.counts(part)
        mean, deviation = self.processes.moments(part.advantage, counts)
        return torch.where(counts, (part.advantage - mean) / (deviation + 1e-8), 0.0)

    def counts(self, part: Decisions) -> Tensor:
        """What came of which choices is learnt, bool (n,): the network's own, and the teacher's while all are its."""
        return part.counts & (~part.taught | self.warming)

    def uncertainty(self, part: Decisions, logs: Tensor) -> Tensor:
        """Entropies (n,) of the policy where the choice was its own."""
        entropy = entropies(logs, part.legal)
        return self.learnt(part, entropy, torch.zeros_like(entropy))

    def own(self, part: Decisions, log_prob: Tensor) -> Tensor:
        """Log probabilities (n,), from which the policy learns only where the choice was its own."""
        return torch.where(part.own, log_prob, part.log_prob)

    def learnt(self, part: Decisions, said: Tensor, target: Tensor) -> Tensor:
        """What a head says (n,), from which it learns where the decision :meth:`counts`."""
        return torch.where(self.counts(part), said, target)

    def losses_besides(
        self, part: Decisions, judged: Judgement, logs: Tensor, log_prob: Tensor
    ) -> tuple[Tensor, dict[str, Tensor]]:
        """What PPO does not know: the win head's, that of not choosing as the teacher does, and the prior's."""
        win = F.binary_cross_entropy_with_logits(judged.win, part.win_target, reduction="none")
        win_loss = self.learnt(part, win, torch.zeros_like(win)).mean()
        taught = -(log_prob * part.taught).mean()
        log_ratio = (self.own(part, log_prob) - part.log_prob).detach()
        told = {"win_loss": win_loss, "imitation_loss": taught, "kl": (log_ratio.exp() - 1 - log_ratio).mean(),
                "learnt": self.counts(part).float().mean(), "own": part.own.float().mean()}  # fmt: skip
        loss = self.config.ppo.win * win_loss + self.imitation * taught
        if self.prior:
            divergence = self.divergence(self.prior, part, logs)
            told["prior_kl"] = self.learnt(part, divergence, torch.zeros_like(divergence)).mean()
            loss = loss + self.nearness * told["prior_kl"]
        return loss, told

    def divergence(self, prior: Network, part: Decisions, logs: Tensor) -> Tensor:
        """KL divergences, float32 (n,), of the prior from the policy, given by log probabilities (n, most): great where
        the policy gives up what the prior does."""
        with torch.no_grad(), self.autocast:
            judged = prior(part.observations, part.boxes, part.options, run=self.config.ppo.run)
            before = log_policy(judged.logits, part.legal)
        return (before.exp() * (before - logs)).masked_fill(~part.legal, 0.0).sum(1)

    # To go on later

    def state_dict(self) -> dict[str, Any]:
        """All that changes, of all processes: tensors and plain data."""
        besides = {"selves": self.selves, "experience": self.experience, "prior": self.prior}
        return {
            **{name: one.state_dict() for name, one in besides.items() if one},
            "updates": self.updates,
            "before": self.before,
            "network": self.network.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "torch": torch.get_rng_state(),
            "cuda": torch.cuda.get_rng_state(self.device) if self.device.type == "cuda" else torch.zeros(0),
            "numpy": self.starts.rng.bit_generator.state,
            "starts": _packed(self.starts.state_dict()),
            "batch": _packed({name: self.processes.gather(x) for name, x in self.batch.state_dict().items()}),
        }

    def load_state_dict(self, state: Mapping[str, Any]) -> None:
        """Goes on exactly where :meth:`state_dict` was taken, at the beginning of an update."""
        self.updates, self.before = state["updates"], state["before"]
        self.take_over(state)
        if self.selves:
            self.selves.load_state_dict(state["selves"])
        if self.experience and "experience" in state:  # a stage may begin to search
            self.experience.load_state_dict(state["experience"])
        if "draws" not in state["starts"]:  # a state of an earlier version: its games are not played on
            return
        self.starts.load_state_dict(_unpacked(state["starts"], self.starts.state_dict()))
        kept = _unpacked(state["batch"], self.batch.state_dict())
        own = np.arange(self.config.games)[self.processes.own]
        self.seen = self.batch.load_state_dict({name: record.take(x, own) for name, x in kept.items()})

    def take_over(self, state: Mapping[str, Any]) -> None:
        """Of a state, what has been learnt and the generators, but no games: so these may be of other settings.

        Raises:
            ValueError: the network has another shape.
        """
        try:
            self.network.load_state_dict(state["network"])
        except RuntimeError:
            raise ValueError("the network that has learnt has another shape: keep the settings of network") from None
        self.optimizer.load_state_dict(state["optimizer"])
        if "prior" in state:
            self.prior = copy.deepcopy(self.network).requires_grad_(False)
            self.prior.load_state_dict(state["prior"])
        torch.set_rng_state(state["torch"])
        if self.device.type == "cuda" and len(state["cuda"]):
            torch.cuda.set_rng_state(state["cuda"], self.device)
        self.starts.rng.bit_generator.state = state["numpy"]


def _pinned(buffers: Buffers) -> Buffers:
    """Such buffers in pinned memory, which a GPU can copy directly."""
    return Buffers(*(torch.from_numpy(x).pin_memory().numpy() for x in buffers))


def _check_sides(game: Game, config: Config) -> None:
    """Raises: ValueError: a setting is for a team, or for rivals, and the game is of the others."""
    if not game.team and any(config.shaping.scale):
        raise ValueError(f"shaping.scale is {list(config.shaping.scale)}, which believes what a position is worth to a "
                         f"team, but in {game.name} seats are rivals: choose [0, 0]")  # fmt: skip


def judge(name: str | None, game: Game) -> Judge:
    """The agent that shaping believes.

    Raises:
        ValueError: it does not say what positions are worth.
    """
    agent = agents.make(name, game)
    if not isinstance(agent, Judge):
        raise ValueError(
            f"shaping.agent is {agent.name!r}, which does not say what positions are worth: choose another"
        )
    return agent


def of_those_that_count(told: Mapping[str, float]) -> dict[str, float]:
    """Figures that are means over all decisions, with those of ``LEARNT`` and ``OWN`` as means over what counts in
    them: ``told`` says of what share of all decisions these are."""
    shares = {name: told[share] for share, names in (("learnt", LEARNT), ("own", OWN)) for name in names}
    return {name: x / (shares.get(name, 1.0) or 1.0) for name, x in told.items() if name not in ("learnt", "own")}


def entropies(logs: Tensor, legal: Tensor) -> Tensor:
    """Of the policy, float32 (n,), from log probabilities float32 (n, most) of choices that are
    ``legal``, bool (n, most)."""
    return -(logs.exp() * logs).masked_fill(~legal, 0.0).sum(1)


def _side_by_side(legal: Sequence[Choices]) -> tuple[Tensor, Tensor]:
    """Legal choices of many turns as int16 and bool (length, games, most)."""
    most = max(options.actions.shape[1] for options in legal)
    wide = [F.pad(options.actions.to(torch.int16), (0, most - options.actions.shape[1])) for options in legal]
    there = [F.pad(options.legal, (0, most - options.legal.shape[1])) for options in legal]
    return torch.stack(wide), torch.stack(there)


def _told(game: Game, ended: Record, value: NDArray[np.float32], target: NDArray[np.float32]) -> dict[str, float]:
    """Figures of what was played."""
    told = {"games": float(len(ended)), "explained": 1 - float((target - value).var() / (target.var() + 1e-8))}
    if len(ended):
        won = {"won": team_won(game, ended)} if game.team else {"drawn": (game.results(ended).result == DRAWN).any(1)}
        told |= {name: float(x.mean()) for name, x in won.items()} | {"game_length": float(ended["decisions"].mean())}
    return told


def _packed(arrays: Mapping[str, Any]) -> dict[str, Any]:
    """Arrays as tensors; records as bytes."""
    return {
        name: torch.from_numpy(x.view(np.uint8) if x.dtype.names else x)
        if isinstance(x, np.ndarray) else x
        for name, x in arrays.items()
    }  # fmt: skip


def _unpacked(packed: Mapping[str, Any], like: Mapping[str, Any]) -> dict[str, Any]:
    """What was :func:`_packed`, with the dtypes of ``like``."""
    return {name: x.numpy().view(like[name].dtype) if isinstance(x, torch.Tensor) else x for name, x in packed.items()}
