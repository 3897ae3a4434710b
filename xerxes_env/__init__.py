"""Xerxes, the board game of satraps for one to four rivals, as a compiled engine with PettingZoo and Gymnasium faces.

>>> import xerxes_env
>>> env = xerxes_env.env(players=3)
>>> env.reset(seed=1)
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

    from tabletop.aec import AEC, Ordered
    from tabletop.game import Record
    from tabletop.single import Single
    from tabletop.vector import Vector
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
        box_seed: 0 to 2**31 - 1: a random box, in which all that is reconstructed is drawn anew.

    Raises:
        ValueError: a bad argument, an edition beside a box_seed, or an edition file is wrong or cannot be read.
    """
    from xerxes_env.box import Drawn
    from xerxes_env.game import load

    if box_seed is None:
        return load(edition)  # type: ignore[arg-type]
    if edition is not None:
        raise ValueError("edition and box_seed both name a box: choose one")
    if isinstance(box_seed, (list, tuple, np.ndarray)):
        return load([Drawn(seed) for seed in box_seed])
    return load(Drawn(box_seed))  # type: ignore[arg-type]


def env(
    players: int = 2,
    satraps: Sequence[str] | None = None,
    edition: str | PathLike[str] | None = None,
    box_seed: int | None = None,
    render_mode: str | None = None,
    lang: str = "en",
    contents: bool = False,
) -> Ordered:
    """The environment as people use it: :func:`raw_env` in PettingZoo's wrapper that enforces the order of calls.

    Args:
        players: 1 to 4; one is the solo game.
        satraps: the satrap of each seat, by name; None: drawn as the game begins.
        edition, box_seed: the box, as :func:`load_game` takes them.
        render_mode: None, "human", "ansi", "rgb_array" or "svg".
        lang: "en" or "ja", for ``render`` and ``describe``.
        contents: observations also say what each choice's card, area or building does in this box
            (:mod:`xerxes_env.content`).

    Raises:
        ValueError: an option is none of these; the message names the choices.
    """
    from tabletop.aec import Ordered

    setup = {"players": players, "satraps": satraps, "edition": edition, "box_seed": box_seed}
    return Ordered(raw_env(render_mode, lang, contents, **setup))


def raw_env(render_mode: str | None = None, lang: str = "en", contents: bool = False, **options: Any) -> AEC:
    """The bare environment; arguments and errors as :func:`env`."""
    from tabletop.aec import AEC

    game, setup = _configured(lang, options)
    return AEC(game, setup, render_mode, lang, contents)


def single(render_mode: str | None = None, lang: str = "en", contents: bool = False, **options: Any) -> Single:
    """What ``gymnasium.make("Xerxes-v0", ...)`` makes: one controller for all seats; arguments as :func:`env`."""
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
    """What ``gymnasium.make_vec("Xerxes-v0", ...)`` makes: many games in compiled code, on all cores.

    Args:
        num_envs: how many games.
        autoreset, threads, copy, contents: as :class:`tabletop.vector.Vector` has them.
        options: as :func:`env`; ``edition`` and ``box_seed`` may be lists, whose boxes the games have in turn.

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


def _configured(lang: str, options: dict[str, Any]) -> tuple[Xerxes, Record]:
    """The game with the box and the setup that options name."""
    from xerxes_env.words import check_language

    check_language(lang)
    boxes = {name: options.pop(name) for name in ("edition", "box_seed") if name in options}
    game = load_game(**boxes)
    known = [name for name in inspect.signature(game.configure).parameters if name != "box"]
    if unknown := [name for name in options if name not in known]:
        raise ValueError(f"no option {', '.join(unknown)}: choose from {', '.join(('edition', 'box_seed', *known))}")
    return game, game.configure(**options)


gymnasium.register(
    "Xerxes-v0", entry_point="xerxes_env:single", vector_entry_point="xerxes_env:vector", order_enforce=False
)
