"""Pergamemnon, a card game for 2 to 5 rivals, as a compiled engine with PettingZoo and Gymnasium faces.

>>> import pergamemnon_env
>>> env = pergamemnon_env.env(players=3)
>>> env.reset(seed=1)
>>> env.possible_agents
['player_0', 'player_1', 'player_2']
"""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING

import gymnasium

from tabletop.faces import Faces, named

if TYPE_CHECKING:
    from pergamemnon_env.game import Pergamemnon
    from tabletop.aec import Ordered

__all__ = ["env", "load_game", "raw_env", "single", "vector"]


def load_game(
    edition: str | PathLike[str] | Sequence[str | PathLike[str] | None] | None = None,
    box_seed: int | Sequence[int] | None = None,
) -> Pergamemnon:
    """The game with an edition of its box, as :class:`tabletop.game.Game`; the same object for the same arguments.

    A list of editions, or of seeds, makes a game of several boxes: ``configure(box=2)`` sets up one for the third.

    Args:
        edition: "standard" (None is the same), or a TOML file that overrides values of the box.
        box_seed: 0 to 2**31 - 1: a random box, with other values of cards (``docs/pergamemnon.md`` says which).

    Raises:
        ValueError: a bad argument, an edition beside a box_seed, or an edition file is wrong or cannot be read.
    """
    return _faces.load(_faces.editions({"edition": edition, "box_seed": box_seed}))


@named
def env(
    players: int = 4,
    edition: str | PathLike[str] | Sequence[str | PathLike[str] | None] | None = None,
    box_seed: int | Sequence[int] | None = None,
    render_mode: str | None = None,
    lang: str = "en",
    contents: bool = False,
    illegal_reward: float | None = None,
) -> Ordered:
    """The environment as people use it: :func:`raw_env` in PettingZoo's wrapper that enforces the order of calls.

    Args:
        players: 2 to 5 rivals.
        edition, box_seed: the box, as :func:`load_game` takes them; of several, each game is played on one that its
            seed draws, or that ``reset(options={"box": 2})`` names by its place.
        render_mode: None, "human", "ansi", "rgb_array" or "svg".
        lang: "en" or "ja", for ``render`` and ``describe``.
        contents: observations also say what each card does in this box (:mod:`pergamemnon_env.content`).
        illegal_reward: None: an illegal choice is an error. A number: it ends the game and pays the chooser this
            much, as in PettingZoo's classic games.

    Raises:
        ValueError: an option is none of these; the message names the choices.
    """
    return _faces.env(render_mode, lang, contents, illegal_reward, players=players, edition=edition, box_seed=box_seed)


_faces: Faces[Pergamemnon] = Faces(__name__)
raw_env, single, vector = _faces.raw_env, _faces.single, _faces.vector

gymnasium.register(
    "Pergamemnon-v0",
    entry_point="pergamemnon_env:single",
    vector_entry_point="pergamemnon_env:vector",
    order_enforce=False,
)
