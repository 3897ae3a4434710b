"""Pergamemnon, a card game for 2 to 5 rivals, as a compiled engine with PettingZoo and Gymnasium faces.

>>> import pergamemnon_env
>>> env = pergamemnon_env.env(players=3)
>>> env.reset(seed=1)
>>> env.possible_agents
['player_0', 'player_1', 'player_2']
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from os import PathLike
from typing import TYPE_CHECKING, Any

import gymnasium
import numpy as np

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from pergamemnon_env.components import Edition
    from pergamemnon_env.game import Pergamemnon
    from tabletop.aec import AEC, Ordered
    from tabletop.game import Record
    from tabletop.single import Single
    from tabletop.vector import Vector

__all__ = ["env", "load_game", "raw_env", "single", "vector"]


def load_game(
    edition: str | PathLike[str] | Sequence[str | PathLike[str] | None] | None = None,
    box_seed: int | Sequence[int] | None = None,
) -> Pergamemnon:
    """The game with an edition of its box, as :class:`tabletop.game.Game`; the same object for the same arguments.

    A list of editions, or of seeds, makes a game of several boxes: ``configure(box=2)`` sets up one for the third.

    Args:
        edition: "standard" (None is the same), or a TOML file that overrides values of the box.
        box_seed: 0 to 2**31 - 1: a random box, in which all that is reconstructed is drawn anew.

    Raises:
        ValueError: a bad argument, both of them, or an edition file is wrong.
        OSError: it cannot be read.
    """
    from pergamemnon_env.game import load

    return load(_editions({"edition": edition, "box_seed": box_seed}))


def _editions(options: dict[str, Any]) -> list[Edition]:
    """What the options ``edition`` and ``box_seed`` name; they are taken out."""
    from pergamemnon_env.components import Drawn

    edition, box_seed = (options.pop(name, None) for name in ("edition", "box_seed"))
    if edition is not None and box_seed is not None:
        raise ValueError("edition and box_seed both name a box: choose one")
    if box_seed is None:
        return list(edition) if isinstance(edition, (list, tuple)) else [edition]
    return [Drawn(seed) for seed in (box_seed if isinstance(box_seed, (list, tuple, np.ndarray)) else [box_seed])]


def env(
    players: int = 4,
    edition: str | PathLike[str] | None = None,
    box_seed: int | None = None,
    render_mode: str | None = None,
    lang: str = "en",
    contents: bool = False,
) -> Ordered:
    """The environment as people use it: :func:`raw_env` in PettingZoo's wrapper that enforces the order of calls.

    Args:
        players: 2 to 5 rivals.
        edition: a TOML file that overrides values of the box; None: "standard".
        box_seed: instead of an edition, a random box: 0 to 2**31 - 1.
        render_mode: None, "human", "ansi", "rgb_array" or "svg".
        lang: "en" or "ja", for ``render`` and ``describe``.
        contents: observations also say what each card does in this box (:mod:`pergamemnon_env.content`).

    Raises:
        ValueError: an option is none of these; the message names the choices.
    """
    from tabletop.aec import Ordered

    return Ordered(raw_env(render_mode, lang, contents, players=players, edition=edition, box_seed=box_seed))


def raw_env(render_mode: str | None = None, lang: str = "en", contents: bool = False, **options: Any) -> AEC:
    """The bare environment; arguments and errors as :func:`env`."""
    from tabletop.aec import AEC

    game, setup = _configured(lang, options)
    return AEC(game, setup, render_mode, lang, contents)


def single(render_mode: str | None = None, lang: str = "en", contents: bool = False, **options: Any) -> Single:
    """What ``gymnasium.make("Pergamemnon-v0", ...)`` makes: one controller for all seats; arguments as :func:`env`."""
    from tabletop.single import Single

    game, setup = _configured(lang, options)
    return Single(game, setup, render_mode, lang, contents)


def vector(
    num_envs: int = 1,
    autoreset: AutoresetMode | str = "SameStep",
    threads: int | None = None,
    copy: bool = True,
    render_mode: str | None = None,
    lang: str = "en",
    contents: bool = False,
    **options: Any,
) -> Vector:
    """What ``gymnasium.make_vec("Pergamemnon-v0", ...)`` makes: many games in compiled code, on all cores.

    Args:
        num_envs: how many games. Those of several boxes (``edition`` or ``box_seed`` as lists) take them in turn.
        autoreset, threads, copy, contents: as :class:`tabletop.vector.Vector` has them.
        options: as :func:`env`.

    Raises:
        ValueError: a bad option; the message names the choices.
    """
    from tabletop.vector import Vector

    if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
        raise ValueError(f"num_envs is {num_envs!r}, choose 1 or more")
    game, setup = _configured(lang, options)
    setups = np.repeat(setup, num_envs)
    setups["box"] = np.arange(num_envs) % len(game.box)
    return Vector(game, setups, autoreset, threads, copy, render_mode, lang, contents)


def _configured(lang: str, options: dict[str, Any]) -> tuple[Pergamemnon, Record]:
    """The game and the setup that options name."""
    from pergamemnon_env.game import load
    from pergamemnon_env.words import check_language

    check_language(lang)
    game = load(_editions(options))
    known = [name for name in inspect.signature(game.configure).parameters if name != "box"]
    if unknown := [name for name in options if name not in known]:
        raise ValueError(f"no option {', '.join(unknown)}: choose from {', '.join(('edition', 'box_seed', *known))}")
    return game, game.configure(**options)


gymnasium.register(
    "Pergamemnon-v0",
    entry_point="pergamemnon_env:single",
    vector_entry_point="pergamemnon_env:vector",
    order_enforce=False,
)
