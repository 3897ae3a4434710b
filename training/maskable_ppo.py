"""sb3-contrib's MaskablePPO as a trainer: its loops; network, games and targets of :mod:`tabletop.training.ppo`.

Its ``collect_rollouts`` plays and its ``train`` learns, both as they are. They are handed a vector environment that
steps all games at once, a policy that is our network, and a rollout buffer that keeps each observation once and of each
mask only what is legal. So both trainers learn the same from the same seed.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, cast

import numpy as np
import torch
from gymnasium import spaces
from numpy.typing import NDArray
from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.buffers import MaskableDictRolloutBuffer, MaskableDictRolloutBufferSamples
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.logger import Logger
from stable_baselines3.common.torch_layers import BaseFeaturesExtractor
from stable_baselines3.common.vec_env import VecEnv
from torch import Tensor

from tabletop.agents.network import Network, choices, log_policy
from tabletop.game import Game, Record
from tabletop.training.config import Config
from tabletop.training.distributed import ALONE, Processes
from tabletop.training.ppo import Choice, Decisions, Learner, Rollout, Seen, of_those_that_count
from tabletop.training.starts import Starts


class MaskableLearner(Learner):
    """A :class:`tabletop.training.ppo.Learner` whose loops are MaskablePPO's; every setting means the same.

    Raises:
        ValueError: there are several processes.
    """

    def __init__(
        self, game: Game, config: Config, starts: Starts, device: torch.device, processes: Processes = ALONE
    ) -> None:
        if processes.world_size > 1:
            raise ValueError(f"trainer maskable_ppo trains in one process, not in {processes.world_size}: choose ppo")
        super().__init__(game, config, starts, device)
        self.games = Games(self)
        self.model = MaskablePPO(
            NetworkPolicy,
            self.games,
            learning_rate=lambda _: self.learning_rate,
            n_steps=config.length,
            batch_size=config.ppo.minibatch,
            n_epochs=config.ppo.epochs,
            clip_range=config.ppo.clip,
            normalize_advantage=False,
            vf_coef=config.ppo.value,
            max_grad_norm=config.ppo.max_grad_norm,
            rollout_buffer_class=DecisionsBuffer,
            rollout_buffer_kwargs={"learner": self},
            policy_kwargs={"learner": self},
            device=device,
        )
        self.model.set_logger(Logger(None, []))
        self.policy = cast(NetworkPolicy, self.model.policy)
        self.buffer = cast(DecisionsBuffer, self.model.rollout_buffer)

    def play(self) -> tuple[Decisions, dict[str, float]]:
        """Plays ``length`` decisions of every game."""
        self.hand_out()
        _, callback = self.model._setup_learn(self.config.batch)
        with self.autocast:
            self.model.collect_rollouts(self.games, callback, self.buffer, self.config.length)
        return self.finish(self.buffer.rollout, self.games.ended)

    def improve(self, decisions: Decisions) -> dict[str, float]:
        """Learns from decisions, and counts the update."""
        self.buffer.keep(decisions)
        self.policy.told = []
        self.model.n_epochs = self.epochs
        self.model.ent_coef = 0.0 if self.warming else self.now(*self.config.ppo.entropy)
        self.model.train()
        self.count()
        told = {name.removeprefix("train/"): float(x) for name, x in self.model.logger.name_to_value.items()}
        figures = {
            "choice_loss": told["policy_gradient_loss"],
            "entropy": -told["entropy_loss"],
            "value_loss": told["value_loss"],
            "clipped": told["clip_fraction"],
            "learning_rate": told["learning_rate"],
            **{name: float(np.mean([one[name] for one in self.policy.told])) for name in self.policy.told[0]},
        }
        return of_those_that_count(figures)


class Games(VecEnv):
    """The learner's games, all stepped at once.

    An observation is where all of them stand: the tensors of :class:`tabletop.training.ppo.Seen` by their names.
    """

    render_mode = None

    def __init__(self, learner: Learner) -> None:
        self.learner = learner
        self.ended: list[Record] = []  #: since the last reset
        game = learner.game
        standing: dict[str, spaces.Space[Any]] = {
            "observations": spaces.Box(game.observation_low, game.observation_high),
            "hidden": spaces.Box(-np.inf, np.inf, learner.hidden.shape[2:]),
            "boxes": spaces.Box(0, len(game.box), (), np.int64),
        }
        super().__init__(learner.config.games, spaces.Dict(standing), spaces.Discrete(game.n_actions))
        self._nothing: list[dict[str, Any]] = [{}] * self.num_envs

    def reset(self) -> Any:
        """Where the games stand: they go on, MaskablePPO alone begins anew."""
        self.ended = []
        return self._standing()

    def step_async(self, actions: NDArray[np.int64]) -> None:
        self._actions = actions

    def step_wait(self) -> Any:
        self.ended.append(self.learner.step(self._actions))
        seen = self.learner.seen
        return self._standing(), seen.rewards[:, 0], seen.terminated, self._nothing

    def _standing(self) -> dict[str, Tensor]:
        return self.learner.look()._asdict()

    def action_masks(self) -> NDArray[np.int8]:
        """What may be chosen now, int8 (games, n_actions)."""
        return self.learner.seen.masks

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """``action_masks``, answered with one array."""
        return getattr(self, method_name)()

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        return [getattr(self, attr_name)] * self.num_envs

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        raise AttributeError(f"the games have no attributes of their own to set, like {attr_name}")

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        return [False] * self.num_envs

    def close(self) -> None:
        """Nothing is held open."""


class Features(BaseFeaturesExtractor):
    """The network without its heads."""

    def __init__(self, space: spaces.Space[Any], network: Network) -> None:
        super().__init__(space, network.trunk.width)
        self.network = network

    def forward(self, observation: dict[str, Tensor]) -> Tensor:
        seen, boxes, contents = observation["observations"], observation["boxes"], self.network.contents
        return self.network.features(contents() if contents else seen[:0], seen, boxes)


class NetworkPolicy(MaskableActorCriticPolicy):
    """The learner's network: without its heads it extracts the features, its policy head is the policy.

    What MaskablePPO takes for a value and hands on to the rollout buffer is
    :meth:`tabletop.training.ppo.Learner.estimates`.
    """

    def __init__(self, observation_space: Any, action_space: Any, lr_schedule: Any, learner: Learner) -> None:
        self.learner = learner
        self.choice: Choice  #: the last, kept for the rollout buffer
        self.told: list[dict[str, float]] = []  #: figures of each minibatch that MaskablePPO does not give
        super().__init__(
            observation_space,
            action_space,
            lr_schedule,
            net_arch=[],
            features_extractor_class=Features,
            features_extractor_kwargs={"network": learner.network},
        )

    def _build(self, lr_schedule: Any) -> None:
        self._build_mlp_extractor()  # of no layer
        self.network, self.action_net = self.learner.network, self.learner.network.policy
        self.optimizer = self.learner.optimizer

    def forward(self, obs: Any, deterministic: bool = False, action_masks: Any = None) -> tuple[Tensor, Tensor, Tensor]:
        """Choices int64 (games,), estimates (3, games) and log probabilities (games,)."""
        options = choices(self.learner.seen.masks, self.learner.device)
        judged = self.learner.assess_games(Seen(**obs), options)
        self.choice = self.learner.choose(judged, options)
        return torch.from_numpy(self.choice.action), self.learner.estimates(judged), self.choice.log_prob

    def get_distribution(self, obs: Any, action_masks: Any = None) -> Any:
        """Of the choices of observations, by masks (n, n_actions) or the whole catalogue; ``predict`` asks for it."""
        every = choices(torch.ones(len(obs["boxes"]), self.learner.game.n_actions, dtype=torch.bool))
        distribution = self.action_dist.proba_distribution(self.learner.assess(Seen(**obs), every).logits)
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    def predict_values(self, obs: Any) -> Tensor:
        """The estimates, (3, games)."""
        return self.learner.estimates(self.learner.assess_games(Seen(**obs)))

    def evaluate_actions(self, obs: Any, actions: Tensor, action_masks: Any = None) -> tuple[Tensor, Tensor, Tensor]:
        """Values, log probabilities and entropies, each (n,), of some :class:`tabletop.training.ppo.Decisions`.

        Losses that MaskablePPO does not know (of the win head, the teacher, the prior) hang on the values.
        """
        learner, part = self.learner, cast(Decisions, obs)
        with learner.autocast:
            judged = learner.assess(part.seen, part.options, learner.config.ppo.run)
        logs = log_policy(judged.logits, part.legal)
        log_prob = logs.gather(1, actions[:, None]).squeeze(1)
        loss, told = learner.losses_besides(part, judged, logs, log_prob)
        self.told.append({name: x.item() for name, x in told.items()})
        values = Also.apply(learner.learnt(part, judged.value, part.value_target), loss)
        return values, learner.own(part, log_prob), learner.uncertainty(part, logs)


class Also(torch.autograd.Function):
    """A tensor as it is, with a loss that is minimised along with whatever is made of it."""

    @staticmethod
    def forward(_ctx: Any, x: Tensor, _loss: Tensor) -> Tensor:
        return x.view_as(x)

    @staticmethod
    def backward(_ctx: Any, *gradients: Tensor) -> tuple[Tensor, Tensor]:
        return gradients[0], gradients[0].new_ones(())


class DecisionsBuffer(MaskableDictRolloutBuffer):
    """Keeps what is played as :mod:`tabletop.training.ppo` does, and gives it out in its minibatches."""

    def __init__(self, *args: Any, learner: MaskableLearner, **options: Any) -> None:
        self.learner = learner
        super().__init__(*args, **options)

    def reset(self) -> None:
        self.rollout = Rollout(self.buffer_size, self.n_envs)
        self.pos, self.full = 0, False

    def add(self, *turn: Any, action_masks: Any = None, **more: Any) -> None:
        """A turn: where the games stood, what was chosen, and what came of it."""
        obs, _, _, _, estimates, _ = turn
        learner, t = self.learner, self.pos
        learner.observations[t], learner.hidden[t] = obs["observations"], obs["hidden"]
        learner.boxes[t] = obs["boxes"]
        self.rollout.estimates[:, t] = estimates
        self.rollout.add(learner.policy.choice, learner.turn)
        self.pos += 1

    def compute_returns_and_advantage(self, last_values: Tensor, dones: NDArray[np.bool_]) -> None:
        """Notes the last estimates; the targets are those of :meth:`tabletop.training.ppo.Learner.finish`."""
        self.rollout.estimates[:, -1] = last_values

    def keep(self, decisions: Decisions) -> None:
        """These are learnt from next."""
        self.decisions = decisions
        self.returns = decisions.value_target.cpu().numpy()
        self.values = self.returns - decisions.advantage.cpu().numpy()

    def get(self, batch_size: int | None = None) -> Generator[Any, None, None]:
        """All decisions in minibatches, in runs in random order; ``observations`` is all of one."""
        every = self.buffer_size * self.n_envs
        for part in self.decisions.minibatches(batch_size or every, self.learner.config.ppo.run):
            values, gain = part.value_target - part.advantage, self.learner.gain(part)
            yield MaskableDictRolloutBufferSamples(
                cast(Any, part), part.chosen, values, part.log_prob, gain, part.value_target, part.legal
            )
