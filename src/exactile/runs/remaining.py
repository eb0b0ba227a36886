"""How much of a search is left, and how far that may be wrong, from what lies behind."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np

RUN_KNOWN_FAMILIES = 3
"""Families begun before the remaining time is estimated."""

RUN_ERROR = 2.0
"""Standard errors shown with an estimate; six times as many at first."""


DOUBTFUL = 16
"""Number of families that halves the uncertainty of the error. With it the truth lies within the
error five times in six, from three families on: tried with four searches, in random orders."""


class Remaining(NamedTuple):
    """What is left of a search.

    Attributes
    ----------
    seconds, error
        Of processor time: the truth lies within the error four times in five or more.
    """

    seconds: float
    error: float


class Families:
    """Parts that wait when somebody begins to work, and all that comes of each: its family.

    The size of a subtree is unknown. But if families are taken in random order, and each is
    finished before the next is begun, those begun are a fair sample. Their sizes, in proportion to
    their weights, predict those of the others, and their spread gives the error [1]_. Most are
    small and few are large, which few families seldom show: the fewer there are, the larger it is
    told.

    Parameters
    ----------
    weights
        The weights of the families.

    Examples
    --------
    >>> families = Families([0.0625] * 16)
    >>> families.remaining() is None
    True
    >>> for number in range(8):
    ...     families.note(number, 10.0, 0.0625)
    >>> families.remaining()
    Remaining(seconds=80.0, error=0.0)

    References
    ----------
    .. [1] W. G. Cochran, "Sampling Techniques", 3rd edition, Wiley 1977, chapter 6: ratio
       estimators.
    """

    def __init__(self, weights: Iterable[float]) -> None:
        self._weights = np.fromiter(weights, dtype=float)
        self._left = self._weights.copy()
        self._seconds = np.zeros(len(self._weights))

    def note(self, number: int, seconds: float, weight: float) -> None:
        """Record a part of a family that was searched, with its seconds."""
        self._seconds[number] += seconds
        self._left[number] = max(self._left[number] - weight, 0.0)

    def remaining(self) -> Remaining | None:
        """Return what is left; None before enough is known."""
        begun = self._left < self._weights
        number = int(begun.sum())
        if number < RUN_KNOWN_FAMILIES:
            return None
        weights, left = self._weights[begun], self._left[begun]
        sizes = self._seconds[begun] * weights / (weights - left)
        rests = sizes - self._seconds[begun]
        ratio = sizes.sum() / weights.sum()
        spread = ((sizes - ratio * weights) ** 2).sum() / (number - 1)
        unbegun = self._weights[~begun].sum()
        like = unbegun / weights.mean()  # number of families not begun, if they are like the others
        variance = like * (like + number) / number * spread + (rests**2).sum()
        seconds = ratio * unbegun + rests.sum()
        errors = RUN_ERROR * (1 + DOUBTFUL / number)
        return Remaining(float(seconds), float(errors * variance**0.5))
