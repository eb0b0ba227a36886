"""Clauses that forbid how many options of each kind are chosen."""

from __future__ import annotations

import numpy as np

from exactile.model.model import Ints, Model
from exactile.model.thresholds import thresholds


class KindCounts:
    """Variables that say how many options of each kind are chosen.

    Parameters
    ----------
    model
        The model; option o is variable o + 1.
    kinds
        The kind of each option, -1 for none: see `exactile.backends.base.Request`.
    top
        The highest variable in use; new ones follow.

    Attributes
    ----------
    clauses
        What the new variables mean.

    Examples
    --------
    >>> model = Model.of_options([[0], [0], [1]], lower=[0, 0], upper=[1, 1])
    >>> counts = KindCounts(model, np.array([0, 0, 1]), top=3)
    >>> counts.clauses
    [[-4, 1, 2], [-1, 5], [-2, 5], [-6, 3], [-3, 7]]
    >>> counts.forbidden([0])  # one of the first kind, none of the second
    [-5, 6]
    """

    def __init__(self, model: Model, kinds: Ints, top: int) -> None:
        self._kinds = kinds
        self.clauses: list[list[int]] = []
        self._at_least: list[list[int]] = []
        self._fewer_unless: list[list[int]] = []
        for kind in range(int(kinds.max(initial=-1)) + 1):
            literals = (np.flatnonzero(kinds == kind) + 1).tolist()
            most = _most(model, literals)
            for builder, found in (
                (thresholds, self._at_least),
                (reached, self._fewer_unless),
            ):
                outputs, clauses = builder(literals, most, top) if most else ([], [])
                top = max([top, *(abs(x) for clause in clauses for x in clause)])
                found.append(outputs)
                self.clauses += clauses

    def forbidden(self, options: list[int]) -> list[int]:
        """Return the clause: of some kind there are more than among these options, or fewer."""
        chosen = self._kinds[options] if options else np.zeros(0, dtype=int)
        clause: list[int] = []
        for kind, (more, reach) in enumerate(zip(self._at_least, self._fewer_unless, strict=True)):
            number = int((chosen == kind).sum())
            clause += [-x for x in reach[number - 1 : number] if number]
            clause += more[number : number + 1]
        return clause


def _most(model: Model, literals: list[int]) -> int:
    """Return how many of these options can be chosen at most, as an item of all of them says."""
    options = np.array(literals, dtype=np.int64) - 1
    chosen = np.isin(model.option_of, options)
    uses = np.bincount(model.members[chosen & (model.colors == 0)], minlength=model.items)
    shared = model.upper[uses == len(options)] if len(options) else model.upper[:0]
    return int(min([len(options), *shared.tolist()]))


def reached(literals: list[int], most: int, top: int) -> tuple[list[int], list[list[int]]]:
    """Return literals that "at least 1", ..., "at least `most`" imply, and the clauses for that.

    The other direction of `exactile.model.thresholds.thresholds`: where such a literal is false,
    there are fewer.

    Examples
    --------
    >>> reached([1, 2], 1, top=2)
    ([3], [[-1, 3], [-2, 3]])
    >>> outputs, clauses = reached([1, 2], 2, top=2)
    >>> outputs, clauses
    ([4, 5], [[-1, 3], [-3, 4], [-2, 4], [-2, -3, 5]])
    """
    if most == 1:
        return [top + 1], [[-x, top + 1] for x in literals]
    before: list[int] = []
    clauses: list[list[int]] = []
    for number, literal in enumerate(literals, start=1):
        now = [top + k for k in range(1, min(number, most) + 1)]
        top = now[-1]
        clauses += [[-x, y] for x, y in zip(before, now, strict=False)]
        clauses.append([-literal, now[0]])
        clauses += [[-literal, -x, y] for x, y in zip(before, now[1:], strict=False)]
        before = now
    return before, clauses
