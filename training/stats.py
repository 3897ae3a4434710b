"""Small statistics of win rates."""

from __future__ import annotations

import math
from collections.abc import Sequence

from tabletop.stats import Z95, Interval, paired_difference, wilson


def pooled(parts: Sequence[Interval], weights: Sequence[float]) -> Interval:
    """The weighted mean of independent rates or differences, one for each stratum, with its interval.

    The distances to the ends are combined by their squares: MOVER, Zou and Donner (2008), "Construction of confidence
    limits about effect measures: a general approach", Statistics in Medicine 27.

    Args:
        weights: of each part, not negative; only their ratios matter.
    """
    share = [weight / sum(weights) for weight in weights]
    rate = sum(w * part.rate for w, part in zip(share, parts, strict=True))
    low = math.hypot(*(w * (part.rate - part.low) for w, part in zip(share, parts, strict=True)))
    high = math.hypot(*(w * (part.high - part.rate) for w, part in zip(share, parts, strict=True)))
    return Interval(rate, rate - low, rate + high)


__all__ = ["Z95", "Interval", "paired_difference", "pooled", "wilson"]
