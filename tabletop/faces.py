"""The environments that a game is played through, made from readable options: PettingZoo, Gymnasium, and its vectors.

A game's package makes one object of :class:`Faces` and gives out its functions::

    faces: Faces[MyGame] = Faces(__name__)
    raw_env, single, vector = faces.raw_env, faces.single, faces.vector
    gymnasium.register("My-v0", entry_point="my_game:single", vector_entry_point="my_game:vector", order_enforce=False)
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import wraps
from importlib import import_module
from typing import TYPE_CHECKING, Any, Generic, ParamSpec, TypeVar, cast

import numpy as np

from tabletop.boxes import Drawn, listed

if TYPE_CHECKING:
    from gymnasium.vector import AutoresetMode

    from tabletop.aec import AEC, Ordered
    from tabletop.game import Game, Record
    from tabletop.single import Single
    from tabletop.vector import Vector


G = TypeVar("G", bound="Game")
T = TypeVar("T")
P = ParamSpec("P")


def _check_known(options: Iterable[str], names: Collection[str]) -> None:
    """TypeError if an option is none of these names."""
    if unknown := [name for name in options if name not in names]:
        # in these words, as libraries look for them in the error when they try an option
        raise TypeError(f"unexpected keyword argument {', '.join(map(repr, unknown))}: choose from {', '.join(names)}")


def named(make: Callable[P, T]) -> Callable[P, T]:
    """The same function, whose TypeError of an unknown option names those that there are."""
    names = inspect.signature(make).parameters

    @wraps(make)
    def checked(*args: P.args, **options: P.kwargs) -> T:
        _check_known(options, names)
        return make(*args, **options)

    return checked


class Faces(Generic[G]):
    """Which options name boxes, and how the game is loaded with them; a game of other boxes says its own.

    Args:
        package: the game's. ``load`` of its module ``game`` gives the game with some boxes, ``named`` there the one
            name of each box, and ``check_language`` of its module ``words`` refuses a language. They are imported when
            they are needed.
    """

    boxes: tuple[str, ...] = ("edition", "box_seed")  #: the options that name a box, or a list of boxes

    def __init__(self, package: str) -> None:
        self.package = package

    def editions(self, options: dict[str, Any]) -> list[Any]:
        """What the options of ``boxes`` name, which are taken out; ValueError says what is wrong with them."""
        edition, box_seed = (options.pop(name, None) for name in ("edition", "box_seed"))
        if edition is not None and box_seed is not None:
            raise ValueError("edition and box_seed both name a box: choose one")
        if box_seed is None:
            return list(edition) if listed(edition) else [edition]
        return list(map(Drawn, box_seed if listed(box_seed) else [box_seed]))

    def load(self, editions: Sequence[Any]) -> G:
        """The game with these boxes; ValueError: one is wrong, or cannot be read."""
        return cast(G, import_module(f"{self.package}.game").load(editions))

    def env(
        self,
        render_mode: str | None = None,
        lang: str = "en",
        contents: bool = False,
        illegal_reward: float | None = None,
        **options: Any,
    ) -> Ordered:
        """:meth:`raw_env` in PettingZoo's wrapper that enforces the order of calls; with an ``illegal_reward`` in its
        ``TerminateIllegalWrapper``, too."""
        from tabletop.aec import ordered

        return ordered(self.raw_env(render_mode, lang, contents, **options), illegal_reward)

    def raw_env(self, render_mode: str | None = None, lang: str = "en", contents: bool = False, **options: Any) -> AEC:
        """The bare environment; arguments and errors as of the package's ``env``."""
        from tabletop.aec import AEC

        game, setups = self._each(lang, options)
        return AEC(game, setups, render_mode, lang, contents)

    def single(
        self,
        render_mode: str | None = None,
        lang: str = "en",
        contents: bool = False,
        action_mask: bool = False,
        **options: Any,
    ) -> Single:
        """What ``gymnasium.make`` makes: one controller for all seats; arguments as of the package's ``env``, and
        ``action_mask`` of :class:`tabletop.single.Single`."""
        from tabletop.single import Single

        game, setups = self._each(lang, options)
        return Single(game, setups, render_mode, lang, contents, action_mask)

    def vector(
        self,
        num_envs: int = 1,
        autoreset_mode: AutoresetMode | str = "NextStep",
        threads: int | None = None,
        copy: bool = True,
        render_mode: str | None = None,
        lang: str = "en",
        contents: bool = False,
        action_mask: bool = False,
        **options: Any,
    ) -> Vector:
        """What ``gymnasium.make_vec`` makes: many games in compiled code, on all cores.

        Args:
            num_envs: how many games.
            autoreset_mode, threads, copy, contents, action_mask: as :class:`tabletop.vector.Vector` has them.
            options: as of the package's ``env``; each may be a list, one for each game: so each may have its own box.

        Raises:
            ValueError: a bad option; the message names the choices.
        """
        from tabletop.vector import Vector

        if isinstance(num_envs, bool) or not isinstance(num_envs, (int, np.integer)) or num_envs < 1:
            raise ValueError(f"num_envs is {num_envs!r}, choose 1 or more")
        lists = {name: list(x) for name, x in options.items() if listed(x)}
        for name, values in lists.items():
            if len(values) != num_envs:
                raise ValueError(
                    f"{name} is a list of {len(values)}, expected one value, or one for each of {num_envs} games"
                )
        editions = list(map(import_module(f"{self.package}.game").named, self.editions(options)))
        place = {edition: i for i, edition in enumerate(dict.fromkeys(editions))}
        lists = {name: values for name, values in lists.items() if name not in self.boxes}
        first = {**options, **{name: values[0] for name, values in lists.items()}}
        game, setup = self._configured(lang, list(place), first)
        setups = np.repeat(setup, num_envs)
        for i in range(1, num_envs) if lists or len(place) > 1 else ():
            own = {**options, **{name: values[i] for name, values in lists.items()}}
            setups[i : i + 1] = game.configure(**own, box=place[editions[i % len(editions)]])
        return Vector(game, setups, autoreset_mode, threads, copy, render_mode, lang, contents, action_mask)

    def _each(self, lang: str, options: dict[str, Any]) -> tuple[G, Record]:
        """The game with the boxes that options name, and a setup for each."""
        editions = self.editions(options)
        game, first = self._configured(lang, editions, options)
        others = (game.configure(**options, box=i) for i in range(1, len(editions)))
        return game, np.concatenate([first, *others])

    def _configured(self, lang: str, editions: Sequence[Any], options: dict[str, Any]) -> tuple[G, Record]:
        """The game with these boxes and the setup that options name."""
        import_module(f"{self.package}.words").check_language(lang)
        game = self.load(editions)
        known = [name for name in inspect.signature(game.configure).parameters if name != "box"]
        _check_known(options, (*self.boxes, *known))
        return game, game.configure(**options)
