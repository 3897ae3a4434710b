"""Sammu-Ramat, the cooperative board game, as a compiled engine with PettingZoo and Gymnasium faces.

>>> import sammu_env
>>> env = sammu_env.env(challenge="SAM-185", players=3)
>>> env.reset(seed=1)
>>> env.agent_selection
'advisor_0'
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

    from sammu_env.components import Edition
    from sammu_env.game import SammuRamat
    from tabletop.aec import AEC, Ordered
    from tabletop.game import Record
    from tabletop.single import Single
    from tabletop.vector import Vector

__version__ = "0.1.0"
__all__ = ["env", "load_game", "raw_env", "single", "vector"]
#: The options that name a box, or a list of them.
BOXES = ("edition", "box_seed", "difficulty")


def load_game(
    edition: str | PathLike[str] | Sequence[str | PathLike[str] | None] | None = None,
    box_seed: int | Sequence[int] | None = None,
    difficulty: float | Sequence[float] | None = None,
) -> SammuRamat:
    """The game with an edition of its box, as :class:`tabletop.game.Game`; the same object for the same arguments.

    A list of editions, or of seeds and difficulties, makes a game of several boxes: ``configure(box=2)`` sets up one
    for the third.

    Args:
        edition: "standard" (None is the same), "novice" or "expert", or a TOML file that overrides values of the box.
        box_seed: 0 to 2**31 - 1: a random box, in which all that is reconstructed is drawn anew (``docs/data.md``).
        difficulty: of a random box, 0, rich, to 1, bare; by default 0.5.

    Raises:
        ValueError: a bad argument, an edition beside a box_seed, a difficulty without one, or lists of different
            lengths; or an edition file is wrong.
        OSError: it cannot be read.
    """
    from sammu_env.game import load

    return load(_editions({"edition": edition, "box_seed": box_seed, "difficulty": difficulty}))


def _editions(options: dict[str, Any]) -> list[Edition]:
    """What the options of :data:`BOXES` name; they are taken out."""
    from sammu_env.components import Drawn

    given = {name: options.pop(name, None) for name in BOXES}
    edition, box_seed, difficulty = given.values()
    lists = {name: list(x) for name, x in given.items() if isinstance(x, (list, tuple, np.ndarray))}
    lengths = {name: len(x) for name, x in lists.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"lists of different lengths: {lengths}")
    if box_seed is None:
        if difficulty is not None:
            raise ValueError("difficulty is of random boxes: give a box_seed too")
        return lists.get("edition", [edition])
    if edition is not None:
        raise ValueError("edition and box_seed both name a box: choose one")
    n = next(iter(lengths.values()), 1)
    seeds = lists.get("box_seed", [box_seed] * n)
    how_hard = lists.get("difficulty", [0.5 if difficulty is None else difficulty] * n)
    return [Drawn(seed, hard) for seed, hard in zip(seeds, how_hard, strict=True)]


def env(
    challenge: str = "SAM-185",
    players: int = 3,
    hidden_hands: bool = False,
    edition: str | PathLike[str] | None = None,
    campaign: bool = False,
    oracles: int | None = None,
    start_goods: int | None = None,
    advanced: bool = False,
    box_seed: int | None = None,
    difficulty: float | None = None,
    render_mode: str | None = None,
    lang: str = "en",
    contents: bool = False,
) -> Ordered:
    """The environment as people use it: :func:`raw_env` in PettingZoo's wrapper that enforces the order of calls.

    Args:
        challenge: "SAM-179" to "SAM-198", or "random": drawn as the game begins. Of a campaign, the first challenge.
        players: 1 to 5; one is the solo game.
        hidden_hands: other hands are left out of the observations.
        edition: "standard" (None is the same), "novice" or "expert", or a TOML file that overrides values of the box.
        campaign: five challenges of the letters A to E in one game.
        oracles: 0 to 3 oracle events are shuffled in (harder); None: as many as the edition says, of the standard
            one none.
        start_goods: 3, 4 or 5 goods for each advisor (4 and 5 are easier); None: as many as the edition says, of the
            standard one 3.
        advanced: a campaign of 1 to 3 players gets fewer events towards its end.
        box_seed: instead of an edition, a random box: 0 to 2**31 - 1.
        difficulty: of a random box, 0, rich, to 1, bare; by default 0.5.
        render_mode: None, "human", "ansi", "rgb_array" or "svg".
        lang: "en" or "ja", for ``render`` and ``describe``.
        contents: observations also say what each choice's card, place or event does in this box
            (:mod:`sammu_env.content`).

    Raises:
        ValueError: an option is none of these; the message names the choices.
    """
    from tabletop.aec import Ordered

    setup = {"challenge": challenge, "players": players, "hidden_hands": hidden_hands, "edition": edition,
             "campaign": campaign, "oracles": oracles, "start_goods": start_goods, "advanced": advanced,
             "box_seed": box_seed, "difficulty": difficulty}  # fmt: skip
    return Ordered(raw_env(render_mode, lang, contents, **setup))


def raw_env(render_mode: str | None = None, lang: str = "en", contents: bool = False, **options: Any) -> AEC:
    """The bare environment; arguments and errors as :func:`env`."""
    from tabletop.aec import AEC

    game, setup = _configured(lang, _editions(options), options)
    return AEC(game, setup, render_mode, lang, contents)


def single(render_mode: str | None = None, lang: str = "en", contents: bool = False, **options: Any) -> Single:
    """What ``gymnasium.make("SammuRamat-v0", ...)`` makes: one controller for all seats; arguments as :func:`env`."""
    from tabletop.single import Single

    game, setup = _configured(lang, _editions(options), options)
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
    """What ``gymnasium.make_vec("SammuRamat-v0", ...)`` makes: many games in compiled code, on all cores.

    Args:
        num_envs: how many games.
        autoreset, threads, copy, contents: as :class:`tabletop.vector.Vector` has them.
        options: as :func:`env`; each may be a list, one for each game, so that each has its own box too.

    Raises:
        ValueError: a bad option; the message names the choices.
    """
    from tabletop.vector import Vector

    if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
        raise ValueError(f"num_envs is {num_envs!r}, choose 1 or more")
    lists = {name: list(values) for name, values in options.items() if isinstance(values, (list, tuple, np.ndarray))}
    for name, values in lists.items():
        if len(values) != num_envs:
            raise ValueError(
                f"{name} is a list of {len(values)}, expected one value, or one for each of {num_envs} games"
            )
    editions = _editions(options)
    place = {edition: i for i, edition in enumerate(dict.fromkeys(editions))}
    lists = {name: values for name, values in lists.items() if name not in BOXES}
    game, setup = _configured(lang, list(place), {**options, **{name: values[0] for name, values in lists.items()}})
    setups = np.repeat(setup, num_envs)
    for i in range(1, num_envs) if lists or len(place) > 1 else ():
        own = {**options, **{name: values[i] for name, values in lists.items()}}
        setups[i : i + 1] = game.configure(**own, box=place[editions[i % len(editions)]])
    return Vector(game, setups, autoreset, threads, copy, render_mode, lang, contents)


def _configured(lang: str, editions: list[Edition], options: dict[str, Any]) -> tuple[SammuRamat, Record]:
    """The game with these editions and the setup that options name."""
    from sammu_env.game import load
    from sammu_env.words import check_language

    check_language(lang)
    game = load(editions)
    known = [name for name in inspect.signature(game.configure).parameters if name != "box"]
    if unknown := [name for name in options if name not in known]:
        raise ValueError(f"no option {', '.join(unknown)}: choose from {', '.join((*BOXES, *known))}")
    return game, game.configure(**options)


gymnasium.register(
    "SammuRamat-v0", entry_point="sammu_env:single", vector_entry_point="sammu_env:vector", order_enforce=False
)
