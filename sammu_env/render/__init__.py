"""What a player sees of a state: in words, and as a picture of the map.

Everywhere ``components`` is the edition's :class:`~sammu_env.components.Components` (a box record will do, but titles
of cards are then missing), ``s`` a state record of shape () or (1,), and ``lang`` "en" or "ja". ``seat`` is who looks
where hands are hidden: None stands for the one that is asked. Every function leaves the state as it is and raises
ValueError for another language.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from sammu_env import words
from sammu_env.render import description


def describe(components: Any, s: Any, lang: str = "en", seat: int | None = None) -> str:
    """The whole situation in words: month, event, gates, every area, character, bag, hands and the empire board."""
    return description.describe(components, s, lang, seat)


def stage(s: Any, lang: str = "en") -> str:
    """What the table is at: the set-up, a stage of the month, or how the game ended."""
    return description.stage(s, lang)


def text(components: Any, s: Any, lang: str = "en", seat: int | None = None) -> str:
    """The situation and what is asked now: ``render_mode="ansi"``."""
    return f"{describe(components, s, lang, seat)}\n> {words.question(components, s, lang, seat)}"


def svg(components: Any, s: Any, lang: str = "en") -> str:
    """The picture of the table as an SVG 1.1 document, 1440 x 960."""
    from sammu_env.render import scene
    from tabletop import drawing

    return drawing.to_svg(scene.build(components, s, lang), scene.SIZE)


def rgb_array(components: Any, s: Any) -> np.ndarray:
    """The same picture as pixels, uint8 (960, 1440, 3): ``render_mode="rgb_array"``.

    Always in English: Pillow's own font, which makes the picture the same on every machine, has no Japanese letters.
    For a Japanese picture use :func:`svg`.
    """
    from sammu_env.render import scene
    from tabletop import drawing

    return drawing.to_pixels(scene.build(components, s, "en"), scene.SIZE)
