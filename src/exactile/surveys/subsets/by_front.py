"""The solutions of each subset of the pieces, counted by a frontier: its lists hold the subsets."""

from __future__ import annotations

from pathlib import Path

from exactile.counting.frontier import Frontier
from exactile.model.invariant import classes, invariant
from exactile.model.orbits import exact_quotient
from exactile.search.case import Case
from exactile.search.limits import Limits
from exactile.surveys.subsets.selection import Uses


def numbers_by_front(
    case: Case, limits: Limits, *, scratch: Path | str | None = None, workers: int = 1
) -> dict[Uses, tuple[int, int, int]] | None:
    """Count the solutions of each subset: all, up to proper symmetries, up to all.

    Parameters
    ----------
    case
        A puzzle whose symmetries keep each piece.
    limits
        When to stop; its memory is that of the frontier.
    scratch, workers
        See `exactile.counting.frontier.Frontier`.

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
    frontier = Frontier(
        one_sided=True, condense=False, scratch=scratch, workers=workers, puzzle=case.puzzle
    )
    for element, size in classes(action):
        problem = model if element == 0 else invariant(model, action, element)
        if frontier.count(problem, limits) is None:
            return None
        for uses, number in frontier.by_pieces().items():
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
