"""Sammu-Ramat, the cooperative board game, as a compiled engine with PettingZoo and Gymnasium faces.

>>> import sammu_env
>>> env = sammu_env.env(challenge="SAM-185", players=3)
>>> env.reset(seed=1)
>>> env.agent_selection
'advisor_0'
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import gymnasium

from tabletop.boxes import listed
from tabletop.faces import Faces, named

if TYPE_CHECKING:
    from sammu_env.components import Edition
    from sammu_env.game import SammuRamat
    from tabletop.aec import Ordered

__all__ = ["env", "load_game", "raw_env", "single", "vector"]
#: The options that name a box, or a list of them.
BOXES = ("edition", "box_seed", "difficulty")


def load_game(
    edition: Edition | Sequence[Edition] = None,
    box_seed: int | Sequence[int] | None = None,
    difficulty: float | Sequence[float] | None = None,
) -> SammuRamat:
    """The game with an edition of its box, as :class:`tabletop.game.Game`; the same object for the same arguments.

    A list of editions, or of seeds and difficulties, makes a game of several boxes: ``configure(box=2)`` sets up one
    for the third.

    Args:
        edition: "standard" (None is the same), "novice" or "expert", a TOML file that overrides values of the box, or
            ``sammu_env.components.Eased(x)``, the standard box made easier.
        box_seed: 0 to 2**31 - 1: a random box, in which most of what is reconstructed is drawn anew (``docs/data.md``).
        difficulty: of a random box, 0, rich, to 1, bare; by default 0.5.

    Raises:
        ValueError: a bad argument, an edition beside a box_seed, a difficulty without one, or lists of different
            lengths; or an edition file is wrong or cannot be read.
    """
    return _faces.load(_faces.editions({"edition": edition, "box_seed": box_seed, "difficulty": difficulty}))


@named
def env(
    challenge: str = "SAM-185",
    players: int = 3,
    hidden_hands: bool = False,
    edition: Edition | Sequence[Edition] = None,
    campaign: bool = False,
    oracles: int | None = None,
    start_goods: int | None = None,
    advanced: bool = False,
    box_seed: int | Sequence[int] | None = None,
    difficulty: float | Sequence[float] | None = None,
    render_mode: str | None = None,
    lang: str = "en",
    contents: bool = False,
    illegal_reward: float | None = None,
) -> Ordered:
    """The environment as people use it: :func:`raw_env` in PettingZoo's wrapper that enforces the order of calls.

    Args:
        challenge: "SAM-179" to "SAM-198", or "random": drawn as the game begins. Of a campaign, the first challenge.
        players: 1 to 5; one is the solo game.
        hidden_hands: other hands are left out of the observations.
        edition: "standard" (None is the same), "novice" or "expert", a TOML file that overrides values of the box, or
            ``sammu_env.components.Eased(x)``, the standard box made easier.
        campaign: five challenges of the letters A to E in one game.
        oracles: 0 to 3 oracle events are shuffled in (harder); None: as many as the edition says, of the standard
            one none.
        start_goods: 3, 4 or 5 goods for each advisor (4 and 5 are easier); None: as many as the edition says, of the
            standard one 3.
        advanced: a campaign of 1 to 3 players gets fewer events towards its end.
        box_seed: instead of an edition, a random box: 0 to 2**31 - 1.
        difficulty: of a random box, 0, rich, to 1, bare; by default 0.5. It, ``box_seed`` and ``edition`` may be lists:
            each game is played on one of these boxes, which its seed draws, or ``reset(options={"box": 2})`` names by
            its place.
        render_mode: None, "human", "ansi", "rgb_array" or "svg".
        lang: "en" or "ja", for ``render`` and ``describe``.
        contents: observations also say what each choice's card, place or event does in this box
            (:mod:`sammu_env.content`).
        illegal_reward: None: an illegal choice is an error. A number: it ends the game and pays the chooser this
            much, as in PettingZoo's classic games.

    Raises:
        ValueError: an option is none of these; the message names the choices.
    """
    setup = {"challenge": challenge, "players": players, "hidden_hands": hidden_hands, "edition": edition,
             "campaign": campaign, "oracles": oracles, "start_goods": start_goods, "advanced": advanced,
             "box_seed": box_seed, "difficulty": difficulty}  # fmt: skip
    return _faces.env(render_mode, lang, contents, illegal_reward, **setup)


class _Faces(Faces["SammuRamat"]):
    boxes = BOXES

    def editions(self, options: dict[str, Any]) -> list[Edition]:
        given = {name: options.pop(name, None) for name in BOXES}
        edition, box_seed, difficulty = given.values()
        lists = {name: list(x) for name, x in given.items() if listed(x)}
        lengths = {name: len(x) for name, x in lists.items()}
        if len(set(lengths.values())) > 1:
            raise ValueError(f"lists of different lengths: {lengths}")
        if box_seed is None:
            if difficulty is not None:
                raise ValueError("difficulty is of random boxes: give a box_seed too")
            return lists.get("edition", [edition])
        if edition is not None:
            raise ValueError("edition and box_seed both name a box: choose one")
        from sammu_env.components import Drawn

        n = next(iter(lengths.values()), 1)
        seeds = lists.get("box_seed", [box_seed] * n)
        how_hard = lists.get("difficulty", [0.5 if difficulty is None else difficulty] * n)
        return [Drawn(seed, hard) for seed, hard in zip(seeds, how_hard, strict=True)]


_faces = _Faces(__name__)
raw_env, single, vector = _faces.raw_env, _faces.single, _faces.vector

gymnasium.register(
    "SammuRamat-v0", entry_point="sammu_env:single", vector_entry_point="sammu_env:vector", order_enforce=False
)
