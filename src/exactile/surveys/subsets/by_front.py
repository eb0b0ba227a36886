"""The number of solutions of each subset of the pieces, from the lists of a frontier."""

from __future__ import annotations

from pathlib import Path

from exactile.counting.front import FrontCounter
from exactile.model.invariant import classes, invariant
from exactile.model.orbits import exact_quotient
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.surveys.subsets.selection import Uses
from exactile.tuning import TUNING


def numbers_by_front(
    case: Case, limits: Limits, *, scratch: Path | str | None = None, workers: int = 1
) -> dict[Uses, tuple[int, int, int]] | None:
    """Count the solutions of each subset: all, up to proper symmetries, up to all.

    Parameters
    ----------
    case
        A puzzle whose symmetries keep each piece.
    limits
        The limits; the memory is that of each counter.
    scratch, workers
        See `exactile.counting.front.FrontCounter`.

    Returns
    -------
    dict or None
        By the number of uses of each piece; None if the time is over.

    Raises
    ------
    CountingError
        If the memory does not suffice.

    Examples
    --------
    >>> import exactile
    >>> numbers = numbers_by_front(Case(exactile.load("shader-hexagon")), Limits())
    >>> sorted(numbers.values())[-1]
    (24, 4, 2)
    """
    limits.begin()
    try:
        case.prepare(limits, "symmetries", "action")
    except TimeoutError:
        return None
    model, action = case.model, case.action
    sums: dict[Uses, list[int]] = {}
    for element, size in classes(action):
        counter = FrontCounter(
            model if element == 0 else invariant(model, action, element),
            puzzle=case.puzzle,
            one_sided=True,
            condense=False,
            most_bytes=limits.memory or TUNING.memory_bytes,
            scratch=scratch,
            workers=workers,
        )
        if not counter.wait(limits.left):
            return None
        for uses, number in counter.by_pieces().items():
            kept = sums.setdefault(uses, [0, 0, 0])
            kept[0] += number * (element == 0)
            kept[1] += number * size * bool(action.proper[element])
            kept[2] += number * size
    return {
        uses: (
            raw,
            exact_quotient(properly, int(action.proper.sum())),
            exact_quotient(kept_by_all, action.order),
        )
        for uses, (raw, properly, kept_by_all) in sums.items()
    }
