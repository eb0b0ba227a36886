"""Numbers of solutions, where one that was found stands for several."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

import numpy as np

from exactile.model.model import Longs
from exactile.model.orbits import Action, Assignments, OrbitCounter, exact_quotient


class OrbitCounts:
    """Counts solutions raw and up to symmetry; each row may stand for several of its orbit.

    Images of a solution are kept by as many symmetries as the solution is. So it is enough to count
    those of one branch of each orbit, each as often as its branch has images.

    Parameters
    ----------
    group
        Returns the symmetry group; asked for when there are solutions.

    Examples
    --------
    >>> import exactile
    >>> with exactile.Search(exactile.load("tetrahexes-4x7"), images=False) as search:
    ...     counts = OrbitCounts(lambda: search.action)
    ...     for rows in search.batches():
    ...         counts.add(rows, search.multiples(rows))
    >>> counts.numbers()
    (18, 9, 9)
    """

    def __init__(self, group: Callable[[], Action]) -> None:
        self._group = group
        self._counters: dict[int, OrbitCounter] = {}

    @cached_property
    def action(self) -> Action:
        """The symmetry group."""
        return self._group()

    def add(self, rows: Assignments, multiples: Longs) -> None:
        """Count a batch; each row so many times."""
        numbers = np.flatnonzero(np.bincount(multiples)).tolist()
        for multiple in numbers:
            if multiple not in self._counters:
                self._counters[multiple] = OrbitCounter(self.action)
            these = rows if len(numbers) == 1 else rows[multiples == multiple]
            self._counters[multiple].add(these)

    def pairs(self) -> tuple[int, int, int]:
        """Return the solutions, and pairs with a symmetry, or a proper one, that keeps them."""
        parts = [(multiple, *c.pairs()) for multiple, c in self._counters.items()]
        raw, kept, proper = (sum(part[0] * part[k] for part in parts) for k in (1, 2, 3))
        return raw, kept, proper

    def numbers(self) -> tuple[int, int, int]:
        """Return the solutions: all, up to proper symmetries, up to all symmetries.

        Raises
        ------
        CheckFailedError
            If they are no whole orbits.
        """
        raw, kept, proper = self.pairs()
        if not raw:
            return 0, 0, 0
        return (
            raw,
            exact_quotient(proper, int(self.action.proper.sum())),
            exact_quotient(kept, self.action.order),
        )
