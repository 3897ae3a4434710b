"""Xerxes, the board game of satraps for one to four rivals, as a compiled engine with PettingZoo and Gymnasium faces.

>>> import xerxes_env
>>> env = xerxes_env.env(players=3)
>>> env.reset(seed=1)
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

import gymnasium

from tabletop.faces import Faces, named

if TYPE_CHECKING:
    from tabletop.aec import Ordered
    from xerxes_env.game import Xerxes

__all__ = ["env", "load_game", "raw_env", "single", "vector"]


def load_game(
    edition: str | PathLike[str] | Sequence[str | PathLike[str] | None] | None = None,
    box_seed: int | Sequence[int] | None = None,
) -> Xerxes:
    """The game with an edition of its box, as :class:`tabletop.game.Game`; the same object for the same arguments.

    Lists make a game of several boxes: ``configure(box=2)`` sets up one for the third.

    Args:
        edition: "standard" (None is the same), "short", or a TOML file that overrides values of the box.
        box_seed: 0 to 2**31 - 1: a random box, with other values (``docs/xerxes.md`` says which).

    Raises:
        ValueError: a bad argument, an edition beside a box_seed, or an edition file is wrong or cannot be read.
    """
    return _faces.load(_faces.editions({"edition": edition, "box_seed": box_seed}))


@named
def env(
    players: int = 2,
    satraps: Sequence[str] | None = None,
    edition: str | PathLike[str] | Sequence[str | PathLike[str] | None] | None = None,
    box_seed: int | Sequence[int] | None = None,
    render_mode: str | None = None,
    lang: str = "en",
    contents: bool = False,
    illegal_reward: float | None = None,
) -> Ordered:
    """The environment as people use it: :func:`raw_env` in PettingZoo's wrapper that enforces the order of calls.

    Args:
        players: 1 to 4; one is the solo game.
        satraps: the satrap of each seat, by name, in a list or (in :func:`vector`) by commas; None: drawn as the game
            begins.
        edition, box_seed: the box, as :func:`load_game` takes them; of several, each game is played on one that its
            seed draws, or that ``reset(options={"box": 2})`` names by its place.
        render_mode: None, "human", "ansi", "rgb_array" or "svg".
        lang: "en" or "ja", for ``render`` and ``describe``.
        contents: observations also say what each choice's card, area or building does in this box
            (:mod:`xerxes_env.content`).
        illegal_reward: None: an illegal choice is an error. A number: it ends the game and pays the chooser this
            much, as in PettingZoo's classic games.

    Raises:
        ValueError: an option is none of these; the message names the choices.
    """
    setup = {"players": players, "satraps": satraps, "edition": edition, "box_seed": box_seed}
    return _faces.env(render_mode, lang, contents, illegal_reward, **setup)


_faces: Faces[Xerxes] = Faces(__name__)
raw_env, single, vector = _faces.raw_env, _faces.single, _faces.vector

gymnasium.register(
    "Xerxes-v0", entry_point="xerxes_env:single", vector_entry_point="xerxes_env:vector", order_enforce=False
)
