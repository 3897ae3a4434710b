"""The Stable-Baselines3 face of any game: the native vector environment as a ``VecEnv``, without processes.

Needs stable-baselines3, which nothing else in this package does.
"""

from __future__ import annotations

import time
from typing import Any

import gymnasium
import numpy as np
from gymnasium.vector import AutoresetMode
from numpy.typing import NDArray

from tabletop.batch import Buffers
from tabletop.game import SEEDS, check_seed, summary
from tabletop.needs import needed
from tabletop.pictures import reset_options
from tabletop.single import dressed
from tabletop.vector import Observations, Tables, Vector

with needed():
    from stable_baselines3.common.monitor import Monitor
    from stable_baselines3.common.vec_env import VecEnv


class SB3VecEnv(VecEnv):
    """A :class:`~tabletop.vector.Vector` for Stable-Baselines3 and sb3-contrib's MaskablePPO.

    ``env_method("action_masks")`` answers one array, int8 (n, n_actions). Where a game has ended, its info holds
    ``episode`` as ``Monitor`` would, ``game`` as a single game's, and ``terminal_observation``. The arrays of a step
    stay as they are until the step after the next. With ``contents`` or ``action_mask`` observations are dicts.

    Args:
        env: what ``gymnasium.make_vec`` gives for such a game. It is taken over: finished games begin anew in the same
            step, as the library has it.

    Raises:
        ValueError: another environment.
    """

    def __init__(self, env: gymnasium.vector.VectorEnv[Any, Any, Any]) -> None:
        if not isinstance(env, Vector):
            raise ValueError(f"SB3VecEnv takes the bare environment of gymnasium.make_vec, not {env}")
        self.vector, self.batch, self.game = env, env.batch, env.game
        self.batch.autoreset_mode = AutoresetMode.SAME_STEP
        super().__init__(env.num_envs, env.single_observation_space, env.single_action_space)
        self._turns = [self.batch.new_buffers(), self.batch.new_buffers()]
        self._tables = [Tables(self.game, self.num_envs) for _ in self._turns] if env.tables else []
        self._began = time.time()

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Game ``i`` of the next :meth:`reset` has ``seed + i``; after the last seed comes 0.

        Raises:
            ValueError: a bad seed; those given before stand.
        """
        first = None if seed is None else check_seed(seed)
        self._seeds = [None if first is None else (first + i) % SEEDS for i in range(self.num_envs)]
        return self._seeds

    def set_options(self, options: list[dict[str, Any]] | dict[str, Any] | None = None) -> None:
        """For the next :meth:`reset`, of all games, or in a list those of each.

        Raises:
            ValueError: no dict, or a list of another length; those given before stand.
        """
        each = list(options) if isinstance(options, (list, tuple)) else [options] * self.num_envs
        if len(each) != self.num_envs:
            raise ValueError(
                f"options is a list of {len(each)}, expected a dict, or one for each of {self.num_envs} games"
            )
        self._options = [reset_options(one) for one in each]

    def reset(self) -> Observations:
        """New games; the first observations. Options hold for these games and those after them.

        Raises:
            ValueError: a bad option; no game has begun, and the seeds and options that were given stand.
        """
        setups = [self.game.override(self.batch.setups[i : i + 1], one) for i, one in enumerate(self._options)]
        self.batch.setups = np.concatenate(setups)
        out = self.batch.reset(None if None in self._seeds else np.array(self._seeds), into=self._turns[1])
        self._reset_seeds()
        self._reset_options()
        return self._shown(out)

    def _shown(self, out: Buffers) -> Observations:
        self._turns.reverse()
        self._tables.reverse()
        tables = self._tables[0].of(self.batch.states["box"]) if self._tables else None
        return dressed(out.observations, out.masks if self.vector.action_mask else None, tables)

    def step_async(self, actions: NDArray[Any]) -> None:
        """Notes the choices, whole numbers (n,)."""
        self._actions = np.asarray(actions)

    def step_wait(self) -> tuple[Observations, NDArray[np.float32], NDArray[np.bool_], list[dict[str, Any]]]:
        """Makes them.

        Raises:
            ValueError: an illegal choice; its game is named and no game has moved.
        """
        out = self.batch.step(self._actions, self._turns[1])
        observations = self._shown(out)
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        games, seeds, returns, states = self.batch.finished
        if len(games):
            told = {**summary(self.game, states), "returns": returns, "seed": seeds}
            last = self.vector.last_seen(states)
            for k, i in enumerate(games):
                infos[i] = {
                    "episode": {
                        "r": float(returns[k, 0]),
                        "l": int(states["decisions"][k]),
                        "t": time.time() - self._began,
                    },
                    "game": {name: values[k].tolist() for name, values in told.items()},
                    "terminal_observation": last[k],
                    "TimeLimit.truncated": False,
                }
        return observations, out.rewards[:, 0], out.terminated, infos

    def action_masks(self) -> NDArray[np.int8]:
        """What may be chosen now, int8 (n, n_actions)."""
        return self._turns[0].masks

    @property
    def rewards(self) -> NDArray[np.float32]:
        """What the last step brought every seat, float32 (n, max_seats); the library is told those of seat 0."""
        return self._turns[0].rewards

    def env_method(self, method_name: str, *args: Any, indices: Any = None, **kwargs: Any) -> Any:
        """``action_masks``, answered with one array, or ``render``: the games are no objects with other methods."""
        if method_name not in ("action_masks", "render"):
            raise AttributeError(f"a native VecEnv has the methods action_masks and render, not {method_name}")
        answer = self.action_masks() if method_name == "action_masks" else np.array(self.vector.render(), object)
        return answer if indices is None else answer[list(self._get_indices(indices))]

    def get_attr(self, attr_name: str, indices: Any = None) -> list[Any]:
        """An attribute of the whole, once for each game asked for."""
        value = self.vector.render_mode if attr_name == "render_mode" else getattr(self, attr_name)
        return [value for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: Any = None) -> None:
        """Not here: write to ``batch.setups`` or ``batch.next_seeds`` instead."""
        raise AttributeError(
            f"the games of a native VecEnv have no attributes of their own to set, like {attr_name}: write to "
            "batch.setups or batch.next_seeds"
        )

    def env_is_wrapped(self, wrapper_class: type[Any], indices: Any = None) -> list[bool]:
        """Counts as wrapped by ``Monitor``, whose infos it gives."""
        return [wrapper_class is Monitor for _ in self._get_indices(indices)]

    def get_images(self) -> list[Any]:
        """A picture of each game, uint8[h, w, 3]."""
        return list(self.vector.render() or [])

    def close(self) -> None:
        """Nothing is held open."""
