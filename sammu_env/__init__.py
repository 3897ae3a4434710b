"""Sammu-Ramat, the cooperative board game, as a compiled engine with PettingZoo and Gymnasium faces.

>>> import sammu_env
>>> env = sammu_env.env(challenge="SAM-185", players=3)
>>> env.reset(seed=1)
>>> env.agent_selection
'advisor_0'
"""

from __future__ import annotations

import inspect
from os import PathLike
from typing import TYPE_CHECKING, Any

import gymnasium

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from sammu_env.game import SammuRamat
    from tabletop.aec import AEC, Ordered
    from tabletop.game import Record
    from tabletop.single import Single
    from tabletop.vector import Vector

__version__ = "0.1.0"
__all__ = ["env", "load_game", "raw_env", "single", "vector"]


def load_game(edition: str | PathLike[str] | None = None) -> SammuRamat:
    """The game with an edition of its box, as :class:`tabletop.game.Game`; one object for each edition.

    Args:
        edition: a TOML file that overrides values of the box; None: the box as shipped.
    """
    from sammu_env.game import load

    return load(edition)


def env(
    challenge: str = "SAM-185",
    players: int = 3,
    hidden_hands: bool = False,
    edition: str | PathLike[str] | None = None,
    campaign: bool = False,
    oracles: int = 0,
    start_goods: int = 3,
    advanced: bool = False,
    render_mode: str | None = None,
    lang: str = "en",
) -> Ordered:
    """The environment as people use it: :func:`raw_env` in PettingZoo's wrapper that enforces the order of calls.

    Args:
        challenge: "SAM-179" to "SAM-198", or "random": drawn as the game begins. Of a campaign, the first challenge.
        players: 1 to 5; one is the solo game.
        hidden_hands: other hands are left out of the observations.
        edition: a TOML file that overrides values of the box.
        campaign: five challenges of the letters A to E in one game.
        oracles: 0 to 3 oracle events are shuffled in (harder).
        start_goods: 3, 4 or 5 goods for each advisor (4 and 5 are easier).
        advanced: a campaign of 1 to 3 players gets fewer events towards its end.
        render_mode: None, "human", "ansi", "rgb_array" or "svg".
        lang: "en" or "ja", for ``render`` and ``describe``.

    Raises:
        ValueError: an option is none of these; the message names the choices.
    """
    from tabletop.aec import Ordered

    setup = {"challenge": challenge, "players": players, "hidden_hands": hidden_hands, "edition": edition,
             "campaign": campaign, "oracles": oracles, "start_goods": start_goods, "advanced": advanced}  # fmt: skip
    return Ordered(raw_env(render_mode, lang, **setup))


def raw_env(render_mode: str | None = None, lang: str = "en", **options: Any) -> AEC:
    """The bare environment; arguments and errors as :func:`env`."""
    from tabletop.aec import AEC

    game, setup = _configured(lang, options)
    return AEC(game, setup, render_mode, lang)


def single(render_mode: str | None = None, lang: str = "en", **options: Any) -> Single:
    """What ``gymnasium.make("SammuRamat-v0", ...)`` makes: one controller for all seats; arguments as :func:`env`."""
    from tabletop.single import Single

    game, setup = _configured(lang, options)
    return Single(game, setup, render_mode, lang)


def vector(
    num_envs: int = 1,
    autoreset: AutoresetMode | str = "SameStep",
    threads: int | None = None,
    copy: bool = True,
    render_mode: str | None = None,
    lang: str = "en",
    **options: Any,
) -> Vector:
    """What ``gymnasium.make_vec("SammuRamat-v0", ...)`` makes: many games in compiled code, on all cores.

    Args:
        num_envs: how many games.
        autoreset, threads, copy: as :class:`tabletop.vector.Vector` has them.
        options: as :func:`env`; ``challenge``, ``players`` and whatever else sets up a game may be lists, one for each.

    Raises:
        ValueError: a bad option; the message names the choices.
    """
    import numpy as np

    from tabletop.vector import Vector

    if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
        raise ValueError(f"num_envs is {num_envs!r}, choose 1 or more")
    lists = {name: list(values) for name, values in options.items() if isinstance(values, (list, tuple, np.ndarray))}
    for name, values in lists.items():
        if len(values) != num_envs or name == "edition":
            raise ValueError(
                f"{name} is a list of {len(values)}, expected one value, or one for each of {num_envs} games"
            )
    game, setup = _configured(lang, {**options, **{name: values[0] for name, values in lists.items()}})
    setups = np.repeat(setup, num_envs)
    options.pop("edition", None)
    for i in range(1, num_envs) if lists else ():
        setups[i : i + 1] = game.configure(**{**options, **{name: values[i] for name, values in lists.items()}})
    return Vector(game, setups, autoreset, threads, copy, render_mode, lang)


def _configured(lang: str, options: dict[str, Any]) -> tuple[SammuRamat, Record]:
    """The game and the setup that options name."""
    from sammu_env.words import check_language

    check_language(lang)
    game = load_game(options.pop("edition", None))
    known = inspect.signature(game.configure).parameters
    if unknown := [name for name in options if name not in known]:
        raise ValueError(f"no option {', '.join(unknown)}: choose from edition, {', '.join(known)}")
    return game, game.configure(**options)


gymnasium.register(
    "SammuRamat-v0", entry_point="sammu_env:single", vector_entry_point="sammu_env:vector", order_enforce=False
)
