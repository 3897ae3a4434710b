"""Action spaces that draw legal choices, so that whoever samples them need not hand over the mask.

A space that is copied or saved without its environment becomes a plain space with the same generator. An environment
that is copied makes new spaces.
"""

from __future__ import annotations

from typing import Any

import gymnasium.spaces as spaces
import numpy as np
from numpy.typing import NDArray


def drawing(space: spaces.Space[Any], generator: Any) -> spaces.Space[Any]:
    """A space with the generator of another one; None: it has none yet."""
    space._np_random = generator
    return space


class Choice(spaces.Discrete):
    """Every choice of the catalogue, as ``Discrete``; :meth:`sample` draws a legal one where none is asked for.

    Args:
        mask: int8 (n_actions,), rewritten in place by its environment; all zeros before a game and after its end.
    """

    def __init__(self, mask: NDArray[np.int8]) -> None:
        super().__init__(len(mask))
        self._mask = mask

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A legal choice, uniformly; any where the game is not running. With a mask as ``Discrete``."""
        if mask is None and probability is None and self._mask.any():
            mask = self._mask
        return super().sample(mask, probability)

    def __reduce__(self) -> tuple[Any, ...]:
        return drawing, (spaces.Discrete(int(self.n)), self._np_random)


class Choices(spaces.MultiDiscrete):
    """One choice for each of many games, as ``MultiDiscrete``; :meth:`sample` draws legal ones where none is asked for.

    Args:
        masks: returns the masks as they stand, int8 (n, n_actions).
    """

    def __init__(self, masks: Any) -> None:
        n, actions = masks().shape
        super().__init__(np.full(n, actions))
        self._masks = masks

    def sample(self, mask: Any = None, probability: Any = None) -> Any:
        """A legal choice for each game, uniformly; any where none is running. With a mask as ``MultiDiscrete``."""
        masks = self._masks()
        if mask is not None or probability is not None or not masks.any():
            return super().sample(mask, probability)
        return np.where(masks, self.np_random.random(masks.shape, np.float32), -1).argmax(axis=1).astype(self.dtype)

    def __reduce__(self) -> tuple[Any, ...]:
        return drawing, (spaces.MultiDiscrete(np.asarray(self.nvec)), self._np_random)
