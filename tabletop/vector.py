"""The Gymnasium vector face of any game: a :class:`~tabletop.batch.Batch` behind ``gymnasium.make_vec``."""

from __future__ import annotations

from typing import Any

import gymnasium.spaces as spaces
import numpy as np
from gymnasium.vector import AutoresetMode, VectorEnv
from gymnasium.vector.utils import batch_space
from numpy.typing import NDArray

from tabletop import pictures, record
from tabletop.batch import Batch, Buffers
from tabletop.game import Game, Record, check_flag, own_contents, summary
from tabletop.single import dressed, observation_space
from tabletop.spaces import Choices, drawing
from tabletop.trajectories import NONE

Arrays = NDArray[Any]
Observations = Arrays | dict[str, Arrays]


class Tables:
    """``Game.contents`` of each game's own box, float32 (n, n_actions, features): one array, rewritten where a box
    changes."""

    def __init__(self, game: Game, n: int) -> None:
        self.game = game
        self._boxes = np.zeros(n, np.int64)
        self._tables = game.contents[self._boxes]

    def of(self, boxes: Arrays) -> Arrays:
        """The tables of games that are played with these boxes, (n,)."""
        changed = np.flatnonzero(self._boxes != boxes)
        self._boxes[changed] = boxes[changed]
        self._tables[changed] = self.game.contents[self._boxes[changed]]
        return self._tables


class Vector(VectorEnv[Observations, Arrays, Arrays]):
    """Many games of one controller, stepped in compiled code on all cores.

    As :class:`~tabletop.single.Single` for each game; ``infos`` always holds ``action_mask`` int8 (n, n_actions),
    ``rewards`` float32 (n, max_seats), ``seat`` (-1: the game is over) and ``box`` int64 (n,). Where games have ended
    (``_game``), ``game`` has what :func:`tabletop.game.summary` tells of them, every seat's ``returns`` (n, max_seats)
    and their ``seed``; with autoreset in the same step, also ``final_obs`` and ``final_info`` as Gymnasium has them.

    Args:
        setups: (n,), one for each game.
        autoreset_mode: "NextStep" (after the end any choice begins the next game), "SameStep" or "Disabled" (then reset
            with ``options={"reset_mask": bool (n,)}``): Gymnasium's, and by default its default.
        threads: at most so many; by default all processors.
        copy: False hands out the batch's own arrays, which the next step rewrites.
        contents, action_mask: observations are dicts, which also hold the contents of each game's box, float32 (n,
            n_actions, features), and the mask.
    """

    def __init__(
        self,
        game: Game,
        setups: Record,
        autoreset_mode: AutoresetMode | str = AutoresetMode.NEXT_STEP,
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
        lang: str = "en",
        contents: bool = False,
        action_mask: bool = False,
    ) -> None:
        pictures.check_mode(game, render_mode)
        check_flag("copy", copy)
        self.single_observation_space = observation_space(game, contents, action_mask)
        self.batch = Batch(game, setups, autoreset_mode=autoreset_mode, threads=threads)
        self.game, self.render_mode, self.lang, self.copy = game, render_mode, lang, copy
        self.num_envs, self.autoreset_mode = self.batch.n, self.batch.autoreset_mode
        modes = pictures.modes(game)
        self.metadata = {"autoreset_mode": self.autoreset_mode, "render_modes": modes, "render_fps": 2}
        self.single_action_space = spaces.Discrete(game.n_actions)
        self.observation_space = batch_space(self.single_observation_space, self.num_envs)
        self.action_space = Choices(self.action_masks)
        self.tables = Tables(game, self.num_envs) if contents else None
        self.action_mask = action_mask

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Of copies and pickles: their space looks at their own masks."""
        self.__dict__.update(kept)
        self.action_space = drawing(Choices(self.action_masks), kept["action_space"]._np_random)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Observations, dict[str, Any]]:
        """Begins all games, or those of ``options["reset_mask"]``.

        Args:
            seed: of game 0, each next one has one more; or one for each game; or None: they go on from the last.
            options: what the game's ``override`` knows holds for these games and those after them.

        Raises:
            ValueError: a bad seed, mask or option; no game has begun.
        """
        given = pictures.reset_options(options)
        which = self.batch.chosen(given.pop("reset_mask", None))
        before = self.batch.setups
        if given:
            setups = record.copy(before)
            for i in np.flatnonzero(which):
                setups[i : i + 1] = self.game.override(setups[i : i + 1], given)
            self.batch.setups = setups
        try:
            buffers = self.batch.reset(seed, which)
        except ValueError:
            self.batch.setups = before
            raise
        return self._shown(buffers)

    def step(self, actions: Arrays) -> tuple[Observations, Arrays, Arrays, Arrays, dict[str, Any]]:
        """One choice in every game.

        Raises:
            ValueError: a wrong shape or dtype, or an illegal choice; its game is named and no game has moved.
        """
        buffers = self.batch.step(actions)
        observations, infos = self._shown(buffers)
        if len(self.batch.finished.games):
            self._tell(infos)
        reward, terminated = buffers.rewards[:, 0], buffers.terminated
        if self.copy:
            reward, terminated = reward.copy(), terminated.copy()
        return observations, reward, terminated, np.zeros(self.num_envs, np.bool_), infos

    def _shown(self, buffers: Buffers) -> tuple[Observations, dict[str, Any]]:
        seen, masks, rewards = (part.copy() if self.copy else part for part in buffers[:3])
        seats, boxes = (self.batch.states[name].astype(np.int64) for name in ("to_act", "box"))
        infos = {"action_mask": masks, "seat": np.maximum(NONE, seats), "rewards": rewards, "box": boxes}
        tables = self.tables.of(boxes) if self.tables else None
        if tables is not None and self.copy:
            tables = tables.copy()
        return dressed(seen, masks if self.action_mask else None, tables), infos

    def _tell(self, infos: dict[str, Any]) -> None:
        """Of the games that have ended, as arrays of (n,) with a mask, as Gymnasium's wrappers would."""
        games, seeds, returns, states = self.batch.finished
        ended = np.zeros(self.num_envs, np.bool_)
        ended[games] = True
        found = {**summary(self.game, states), "returns": returns, "seed": seeds}
        told = {"game": {name: self._placed(games, values) for name, values in found.items()}, "_game": ended}
        infos.update(told)
        if self.autoreset_mode is AutoresetMode.SAME_STEP:
            infos["final_info"], infos["_final_info"] = told, ended
            infos["final_obs"], infos["_final_obs"] = np.full(self.num_envs, None, object), ended
            for game, state in zip(games, self.last_seen(states), strict=True):
                infos["final_obs"][game] = state

    def _placed(self, games: Arrays, values: Arrays) -> Arrays:
        whole = np.zeros((self.num_envs, *values.shape[1:]), values.dtype)
        whole[games] = values
        return whole

    def last_seen(self, states: Record) -> list[Observations]:
        """The observations of finished games, (k,): one for each, as of a single game."""
        out: list[Observations] = []
        for i in range(len(states)):
            s, seen = states[i : i + 1], np.empty(len(self.game.observation_low), np.float32)
            self.game.observe(self.game.box, s, 0, seen)
            nothing = np.zeros(self.game.n_actions, np.int8) if self.action_mask else None
            out.append(dressed(seen, nothing, own_contents(self.game, s) if self.tables else None))
        return out

    def action_masks(self) -> NDArray[np.int8]:
        """What may be chosen now, int8 (n, n_actions); zeros where a game has ended: its choice is not heeded."""
        return self.batch.buffers.masks

    def render(self) -> tuple[Any, ...] | None:
        """A picture of each game in the chosen ``render_mode``.

        Raises:
            ValueError: a game has not begun.
        """
        states, began = self.batch.states, self.batch.began
        if not began.all():
            raise ValueError(f"game {began.argmin()} has not begun: call reset() first")
        shown = [
            pictures.picture(self.game, states[i : i + 1], self.render_mode, self.lang) for i in range(self.num_envs)
        ]
        return None if self.render_mode in (None, "human") else tuple(shown)
