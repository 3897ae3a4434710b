"""Sammu-Ramat, the cooperative board game, as a compiled engine with a PettingZoo face.

>>> import sammu_env
>>> env = sammu_env.env(challenge="SAM-185", players=3)
>>> env.reset(seed=1)
>>> env.agent_selection
'advisor_0'
"""

from __future__ import annotations

from os import PathLike
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sammu_env.game import SammuRamat
    from tabletop.aec import AEC, Ordered

__version__ = "0.1.0"
__all__ = ["env", "load_game", "raw_env"]


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

    return Ordered(
        raw_env(challenge, players, hidden_hands, edition, campaign, oracles, start_goods, advanced, render_mode, lang)
    )


def raw_env(
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
) -> AEC:
    """The bare environment; arguments and errors as :func:`env`."""
    from sammu_env.words import check_language
    from tabletop.aec import AEC

    check_language(lang)
    rules = load_game(edition)
    setup = rules.configure(
        challenge=challenge,
        players=players,
        hidden_hands=hidden_hands,
        campaign=campaign,
        oracles=oracles,
        start_goods=start_goods,
        advanced=advanced,
    )
    return AEC(rules, setup, render_mode, lang)
