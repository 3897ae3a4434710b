"""The PettingZoo face of any game: one seat acts at a time (AEC)."""

from __future__ import annotations

import copy
import math
from numbers import Real
from typing import Any, NamedTuple

import gymnasium.spaces as spaces
import numpy as np
from numpy.typing import NDArray
from pettingzoo import AECEnv
from pettingzoo.utils.wrappers import BaseWrapper, OrderEnforcingWrapper, TerminateIllegalWrapper

from tabletop import boxes, pictures, record
from tabletop.game import Game, Record, check_flag, own_contents
from tabletop.log import Log, Match, choice, whole
from tabletop.single import observation_space
from tabletop.spaces import drawing

Observation = dict[str, NDArray[Any]]


class Paid(NamedTuple):
    """What an agent was paid."""

    reward: float  #: by the last step
    cumulative_reward: float  #: since its own last choice


UNPAID = Paid(0.0, 0.0)


class AEC(pictures.Played, AECEnv[str, Observation, int]):  # type: ignore[misc]
    """A :class:`~tabletop.game.Game` as a PettingZoo environment.

    Observations are ``{"observation": float32[size], "action_mask": int8[n_actions]}``; ``infos[agent]`` holds the
    same mask array. Who is not asked has a mask of zeros. Arrays that were handed out never change afterwards.
    With ``contents`` observations also hold ``"contents"``, float32[n_actions, features]: the rows of ``Game.contents``
    of the game's own box.

    Reset options that the game's ``override`` knows apply to that one game, and ``box`` says which of the setups it
    has; otherwise its seed draws one of them.

    Args:
        setups: (n,), which differ in their boxes alone.
    """

    def __init__(
        self, game: Game, setups: Record, render_mode: str | None = None, lang: str = "en", contents: bool = False
    ) -> None:
        super().__init__()
        pictures.check_mode(game, render_mode)
        self.game, self.contents = game, contents
        self.render_mode = render_mode
        self.lang = lang
        self.metadata = {
            "name": f"{game.name}_v{game.version}",
            "render_modes": pictures.modes(game),
            "is_parallelizable": game.seats(setups[:1]) == 1,  # otherwise a seat may be asked several times in a row
            "render_fps": 2,
        }
        self._setups = setups.copy()
        self.possible_agents = [f"{game.seat_name}_{i}" for i in range(game.seats(setups[:1]))]
        self._seat = {agent: i for i, agent in enumerate(self.possible_agents)}
        self._make_spaces()
        self._no_mask = np.zeros(game.n_actions, np.int8)
        self._no_mask.setflags(write=False)
        self._seeds = np.random.default_rng()
        self.agents: list[str] = []
        self._match: Match | None = None

    def _make_spaces(self) -> None:
        self.observation_spaces: dict[str, spaces.Space[Any]] = {
            agent: observation_space(self.game, self.contents, True) for agent in self.possible_agents
        }
        self.action_spaces: dict[str, spaces.Space[Any]] = {
            agent: spaces.Discrete(self.game.n_actions) for agent in self.possible_agents
        }

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """The same object on every call."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        """The same object on every call."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begins a game: the same seed, setup and choices give the same game everywhere.

        Without a seed the next one is drawn from the last seed given.

        Raises:
            ValueError: a bad seed or option; the game goes on as it stood.
        """
        match = self._begun(seed, options, self._seeds)
        if seed is not None:
            self._seeds = np.random.default_rng(match.log.seed)
        self._begin(match, dict.fromkeys(self.possible_agents, UNPAID))

    def _begin(self, match: Match, paid: dict[str, Paid], truncated: bool = False) -> None:
        """From here on the match is played, by the agents that are not removed yet."""
        self._match = match
        self.agents = list(paid)
        self.rewards: dict[str, float] = {agent: one.reward for agent, one in paid.items()}
        self._cumulative_rewards: dict[str, float] = {agent: one.cumulative_reward for agent, one in paid.items()}
        self._paid = any(self.rewards.values())
        self.terminations = dict.fromkeys(self.agents, match.over or truncated)
        self.truncations = dict.fromkeys(self.agents, truncated)
        self.infos: dict[str, dict[str, Any]] = {agent: {"action_mask": self._no_mask} for agent in self.agents}
        self.agent_selection = next(iter(self.agents), self.possible_agents[0])
        self._skip_agent_selection = None
        if not (match.over or truncated):
            self._ask()

    def _ask(self) -> None:
        agent = self.possible_agents[self.match.to_act]
        if agent != self.agent_selection:
            self.infos[self.agent_selection] = {"action_mask": self._no_mask}
        self.agent_selection = agent
        self.infos[agent] = {"action_mask": self.match.legal()}

    def observe(self, agent: str) -> Observation:
        """What a seat sees now, in new arrays (the mask is the one in ``infos``)."""
        info = self.infos.get(agent)
        seen = {
            "observation": self.match.observe(self._seat[agent]),
            "action_mask": self._no_mask if info is None else info["action_mask"],
        }
        if self.contents:
            seen["contents"] = own_contents(self.game, self.match.s)
        return seen

    def step(self, action: Any) -> None:
        """Makes the choice of the seat to act.

        Raises:
            ValueError: an illegal choice (it is named, the state is unchanged), or a step after the end.
        """
        if not self.agents:
            ended = "the game is over" if self._match is not None else "no game has begun"
            raise ValueError(f"{ended}: call reset() before the next step")
        agent = self.agent_selection
        if self.terminations[agent]:
            if action is not None:
                raise ValueError(f"{agent} has finished: the only step it can take is step(None), not {action!r}")
            self._was_dead_step(None)
            return
        rewards = self.match.act(action if type(action) is int else choice(self.game, action))
        self._cumulative_rewards[agent] = 0.0
        if rewards is not None or self._paid:
            self._pay(rewards)
        if self.match.over:
            self._end()
        else:
            self._ask()

    def _pay(self, rewards: list[float] | None) -> None:
        for agent in self.agents:
            reward = 0.0 if rewards is None else rewards[self._seat[agent]]
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
        self._paid = rewards is not None

    def _end(self) -> None:
        for agent in self.agents:
            self.terminations[agent] = True
        self._deads_step_first()

    def _deads_step_first(self) -> str:
        """At the end, also one by an illegal choice: nobody is asked."""
        self.infos = {agent: {"action_mask": self._no_mask} for agent in self.agents}
        return super()._deads_step_first()  # type: ignore[no-any-return]

    def _clear_rewards(self) -> None:
        for agent in self.rewards:
            self.rewards[agent] = 0.0

    def state(self) -> NDArray[np.float32]:
        """What all seats see together: their observations one after another, float32[seats * size]."""
        return np.concatenate([self.observe(agent)["observation"] for agent in self.possible_agents])

    def copy(self) -> AEC:
        """Another environment that stands here, generator included, and goes on by itself."""
        twin, match = copy.copy(self), self.match.copy()
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations"):
            setattr(twin, name, copy.copy(getattr(self, name)))
        twin.infos = {agent: dict(info) for agent, info in self.infos.items()}
        twin._match = match
        twin._seeds = copy.deepcopy(self._seeds)
        twin.observation_spaces = {agent: _alone(space) for agent, space in self.observation_spaces.items()}
        twin.action_spaces = {agent: _alone(space) for agent, space in self.action_spaces.items()}
        return twin

    def save(self) -> dict[str, Any]:
        """The game as plain data (for JSON): its log and its state, what each agent that is not removed yet was paid,
        and whether an illegal choice ended it."""
        match = self.match
        over = not self.agents or self.terminations[self.agent_selection]
        paid = {agent: Paid(self.rewards[agent], self._cumulative_rewards[agent])._asdict() for agent in self.agents}
        return {
            "log": match.stamped().to_dict(),
            "state": record.to_dict(match.s),
            "paid": paid,
            "truncated": over and not match.over,
        }

    def load(self, saved: dict[str, Any]) -> None:
        """Goes on from what :meth:`save` gave. Saves of former versions have no "paid": nobody was paid yet.

        Raises:
            ValueError: another game, edition or number of seats, or a damaged save; nothing has changed.
        """
        try:
            log, state = Log.from_dict(saved["log"]), record.from_dict(saved["state"], self.game.state)
        except (KeyError, TypeError):
            raise ValueError('a save holds "log" and "state"') from None
        match = Match.resume(self.game, log)
        if differs := record.differing(match.s, state):
            raise ValueError(f"the saved state is not where its log leads: {', '.join(differs)}")
        seats = self.game.seats(record.from_dict(log.setup, self.game.setup))
        if seats != len(self.possible_agents):
            raise ValueError(f"the save has {seats} seats, this environment {len(self.possible_agents)}")
        truncated = saved.get("truncated", False)
        check_flag("truncated", truncated)
        paid = self._paid_in(saved.get("paid", dict.fromkeys(self.possible_agents, UNPAID._asdict())))
        if not (match.over or truncated) and len(paid) < seats:
            raise ValueError(f'the game goes on, but the save\'s "paid" has {len(paid)} of its {seats} agents')
        self._begin(match, paid, truncated)

    def _paid_in(self, told: Any) -> dict[str, Paid]:
        """What a save says that each agent was paid, in the agents' order; ValueError: it is damaged."""
        try:
            paid = {agent: Paid(**told[agent]) for agent in self.possible_agents if agent in told}
            sound = len(paid) == len(told) and all(math.isfinite(number) for one in paid.values() for number in one)
        except (TypeError, OverflowError):
            sound = False
        if not sound:
            raise ValueError(f'a save\'s "paid" holds {" and ".join(Paid._fields)} of each agent, not {told!r}')
        return paid

    def close(self) -> None:
        """Nothing is held open."""

    def __str__(self) -> str:
        return str(self.metadata["name"])


class Ordered(OrderEnforcingWrapper[str, Observation, int]):  # type: ignore[misc]
    """PettingZoo's usual wrapper, except that a step after the end is an error and not a warning."""

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """As :meth:`AEC.reset`."""
        self.env.reset(seed, options)
        self._has_reset = self._has_updated = True

    def step(self, action: Any) -> None:
        if self._has_reset and not self.agents:
            raise ValueError("the game is over: call reset() before the next step")
        number = action if type(action) is int else whole(action)  # the wrappers within take no tensors
        super().step(action if number is None else number)

    def copy(self) -> Ordered:
        """A wrapped copy of the environment that stands here."""
        return _copied(self)  # type: ignore[no-any-return]

    def load(self, saved: dict[str, Any]) -> None:
        """As :meth:`AEC.load`; counts as a reset."""
        self.env.load(saved)
        self._has_reset = self._has_updated = True


class Judged(TerminateIllegalWrapper[str, Observation, int]):  # type: ignore[misc]
    """PettingZoo's usual wrapper, except that it judges by where the game stands: since the last observation, by which
    PettingZoo's does, another game may have been loaded."""

    def step(self, action: Any) -> None:
        """ValueError: no number of the catalogue. That is a mistake in a program, not an illegal choice."""
        env = self.unwrapped
        agent = env.agent_selection
        if env.terminations[agent]:
            env.step(action)
            return
        self._prev_obs = env.infos[agent]
        super().step(boxes.whole("action", choice(env.game, action), range(env.game.n_actions)))


def _copied(env: Any) -> Any:
    """An environment in its wrappers, each copied."""
    if not isinstance(env, BaseWrapper):
        return env.copy()
    twin = copy.copy(env)
    twin.env = _copied(env.env)
    return twin


def _alone(space: spaces.Space[Any]) -> spaces.Space[Any]:
    """A space with a generator of its own; its bounds, which never change, are shared: copying them takes long."""
    twin = drawing(copy.copy(space), copy.deepcopy(space._np_random))
    if isinstance(twin, spaces.Dict):
        twin.spaces = {name: _alone(part) for name, part in twin.spaces.items()}
    return twin


def ordered(env: AEC, illegal_reward: float | None = None) -> Ordered:
    """The environment in PettingZoo's wrappers.

    Args:
        illegal_reward: None: an illegal choice is an error. A number: it ends the game and pays the chooser this
            much, as in PettingZoo's classic games; the others get nothing.

    Raises:
        ValueError: ``illegal_reward`` is neither None nor a finite number.
    """
    if illegal_reward is None:
        return Ordered(env)
    number = isinstance(illegal_reward, Real) and not isinstance(illegal_reward, bool)
    if not number or not math.isfinite(illegal_reward):
        raise ValueError(f"illegal_reward is {illegal_reward!r}, choose None or a number")
    return Ordered(Judged(env, illegal_reward))
