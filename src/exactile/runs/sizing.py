"""Sizes of parts: small, so that workers end together, but large enough to be worth sending.

The size of a part is unknown before it is searched. Each therefore has a budget of seconds, and the
rest of it comes back to be dealt out anew.
"""

from __future__ import annotations

from collections.abc import Sequence

from exactile.backends.base import Prefix
from exactile.tuning import TUNING

RUN_PLENTY = 4.0
"""Waiting parts per worker beyond which no more are made."""

RUN_RESULTS = 50.0
"""Parts that may end in a second; with more workers they take longer."""


def budget(waiting: int, parallel: int) -> float:
    """Return for how many seconds a part is to be searched.

    Short where few parts wait: at first, so that soon everybody has one, and in the end, so that
    what is left is shared. Longer the more workers there are, for one process listens to them all.

    `waiting`: parts that have not begun. `parallel`: how many can be searched at a time.

    Examples
    --------
    >>> budget(100, 4), budget(4, 4), budget(10**6, 10_000)
    (2.0, 0.5, 200.0)
    """
    longest = max(1.0, parallel / (RUN_RESULTS * TUNING.run_seconds))
    plenty = waiting / (RUN_PLENTY * parallel)
    return longest * max(TUNING.run_short_seconds, min(1.0, plenty) * TUNING.run_seconds)


def dealt(left: Sequence[Prefix], waiting: int, parallel: int) -> list[list[Prefix]]:
    """Return what a part has left as new parts: as one where many wait, else as several.

    Examples
    --------
    >>> left = [Prefix((0,), 0.25), Prefix((1, 2), 0.125), Prefix((1, 3), 0.125)]
    >>> [len(part) for part in dealt(left, 100, 1)]
    [3]
    >>> [len(part) for part in dealt(left, 2, 1)]
    [2, 1]
    """
    missing = int(RUN_PLENTY * parallel) - waiting
    return in_groups(left, min(missing, TUNING.run_pieces))


def in_groups(prefixes: Sequence[Prefix], groups: int) -> list[list[Prefix]]:
    """Return prefixes in a limited number of groups, dealt by weight, heaviest first.

    Examples
    --------
    >>> prefixes = [Prefix((0,), 0.25), Prefix((1, 2), 0.125), Prefix((1, 3), 0.125)]
    >>> [[p.path for p in group] for group in in_groups(prefixes, 2)]
    [[(0,), (1, 3)], [(1, 2)]]
    """
    groups = max(1, min(len(prefixes), groups))
    heaviest = sorted(prefixes, key=lambda p: -p.weight)
    return [heaviest[k::groups] for k in range(groups)] if prefixes else []
