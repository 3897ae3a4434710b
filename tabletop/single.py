"""The Gymnasium face of any game: one controller plays all seats."""

from __future__ import annotations

from typing import Any

import gymnasium
import gymnasium.spaces as spaces
import numpy as np
from numpy.typing import NDArray

from tabletop import pictures
from tabletop.game import CONTENTS_LIMIT, Game, Record, check_contents, check_flag, own_contents, summary
from tabletop.log import Match, choice
from tabletop.spaces import Choice, drawing
from tabletop.trajectories import NONE

Observation = NDArray[np.float32] | dict[str, NDArray[Any]]


class Single(pictures.Played, gymnasium.Env[Observation, int]):
    """A :class:`~tabletop.game.Game` as a Gymnasium environment.

    The observation is what the seat that is asked sees (after the end: seat 0), float32 (size,). The reward is what the
    choice of any seat brought seat 0: in a team that is everybody's, and the sum of rewards the team's return; among
    rivals it is seat 0's alone, and their sum its return. ``info`` holds the ``action_mask``, int8 (n_actions,), the
    ``seat`` that is asked (-1: the game is over), every seat's ``rewards``, float32 (max_seats,), and which ``box`` of
    the game's is played with; after the end, ``game`` too: :func:`tabletop.game.summary` in plain values, every seat's
    ``returns``, the sum of its rewards, and the game's ``seed``. The same seed, setup and choices give the same game as
    everywhere. Nothing is ever truncated. ``action_space.sample()`` draws legal choices.

    With ``action_mask`` or ``contents`` the observation is a dict: ``observation`` is what the seat sees, the mask is
    as in ``info``, ``contents`` float32 (n_actions, features) the rows of ``Game.contents`` of the game's own box.

    Reset options that the game's ``override`` knows apply to that one game, and ``box`` says which of the setups it
    has; otherwise its seed draws one of them.

    Args:
        setups: (n,), which differ in their boxes alone.
    """

    def __init__(
        self,
        game: Game,
        setups: Record,
        render_mode: str | None = None,
        lang: str = "en",
        contents: bool = False,
        action_mask: bool = False,
    ) -> None:
        pictures.check_mode(game, render_mode)
        self.game, self.render_mode, self.lang = game, render_mode, lang
        self.contents, self.action_mask = contents, action_mask
        self.metadata = {"render_modes": pictures.modes(game), "render_fps": 2}
        self._setups = setups.copy()
        self._mask = np.zeros(game.n_actions, np.int8)
        self.observation_space = observation_space(game, contents, action_mask)
        self.action_space: spaces.Space[Any] = Choice(self._mask)
        self._match: Match | None = None

    def __setstate__(self, kept: dict[str, Any]) -> None:
        """Of copies and pickles: their space looks at their own mask."""
        self.__dict__.update(kept)
        self.action_space = drawing(Choice(self._mask), kept["action_space"]._np_random)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Observation, dict[str, Any]]:
        """Begins a game. Without a seed the next one is drawn from the last seed given.

        Raises:
            ValueError: a bad seed or option; the game goes on as it stood.
        """
        self._match = match = self._begun(seed, options, self.np_random)
        super().reset(seed=None if seed is None else match.log.seed)
        self._returns = np.zeros(self.game.max_seats)
        return self._see(None)

    def step(self, action: Any) -> tuple[Observation, float, bool, bool, dict[str, Any]]:
        """One choice of the seat that is asked.

        Raises:
            ValueError: an illegal choice (it is named, the state is unchanged), or a step before or after a game.
        """
        match = self.match
        if match.over:
            raise ValueError("the game is over: call reset() before the next step")
        rewards = match.act(choice(self.game, action))
        observation, info = self._see(rewards)
        return observation, rewards[0] if rewards else 0.0, match.over, False, info

    def _see(self, rewards: list[float] | None) -> tuple[Observation, dict[str, Any]]:
        game, match = self.game, self.match
        seat = max(0, match.to_act)
        seen = match.observe(seat)
        mask = match.legal()
        self._mask[:] = mask
        paid = np.array(rewards or [0.0] * game.max_seats, np.float32)
        self._returns += paid
        asked, box = max(NONE, match.to_act), int(match.s["box"][0])
        info: dict[str, Any] = {"action_mask": mask, "seat": asked, "rewards": paid, "box": box}
        if match.over:
            told = {name: values[0].tolist() for name, values in summary(game, match.s).items()}
            info["game"] = {**told, "returns": self._returns.tolist(), "seed": match.log.seed}
        contents = own_contents(game, match.s) if self.contents else None
        return dressed(seen, mask if self.action_mask else None, contents), info

    def action_masks(self) -> NDArray[np.int8]:
        """What may be chosen now, int8 (n_actions,): the name that sb3-contrib asks for."""
        return self._mask.copy()


def observation_space(game: Game, contents: bool, action_mask: bool) -> spaces.Space[Any]:
    """Of one game: what a seat sees, alone or in a dict with the mask and the contents.

    Raises:
        ValueError: an option is neither True nor False, or the game has no contents.
    """
    check_contents(game, contents)
    check_flag("action_mask", action_mask)
    seen = spaces.Box(game.observation_low, game.observation_high, dtype=np.float32)
    parts: dict[str, spaces.Space[Any]] = {}
    if action_mask:
        parts["action_mask"] = spaces.Box(0, 1, (game.n_actions,), np.int8)
    if contents:
        parts["contents"] = spaces.Box(-CONTENTS_LIMIT, CONTENTS_LIMIT, game.contents.shape[1:], np.float32)
    return spaces.Dict({"observation": seen, **parts}) if parts else seen


def dressed(seen: NDArray[Any], mask: NDArray[Any] | None, contents: NDArray[Any] | None) -> Observation:
    """What a seat sees, or seats of many games: alone, or in a dict with the mask and the contents, where given."""
    given = {"action_mask": mask, "contents": contents}
    parts = {name: part for name, part in given.items() if part is not None}
    return {"observation": seen, **parts} if parts else seen
