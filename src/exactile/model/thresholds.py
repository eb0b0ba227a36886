"""Clauses for "at least k of these literals hold", each implied by a literal of its own."""

from __future__ import annotations

from exactile.errors import ModelError

COUNTER_CELLS = 4_000_000
"""Literals times thresholds beyond which a counter is refused."""


def thresholds(literals: list[int], most: int, top: int) -> tuple[list[int], list[list[int]]]:
    """Return literals that imply "at least 1", ..., "at least `most`", and the clauses for that.

    A counter: a variable says that at least k of the first j literals hold. Only the necessary
    direction is written: where the variables are false, nothing follows.

    `literals`: what is counted. `most`: the highest threshold, at most the number of literals.
    `top`: the highest variable in use; new ones follow. Raise ModelError if the counter would be
    too large.

    Examples
    --------
    >>> thresholds([1, 2], 1, top=2)
    ([3], [[-3, 1, 2]])
    >>> outputs, clauses = thresholds([1, 2], 2, top=2)
    >>> outputs, clauses
    ([4, 5], [[-3, 1], [-4, 3, 2], [-5, 2], [-5, 3]])
    """
    if most == 1:
        return [top + 1], [[-top - 1, *literals]]
    if len(literals) * most > COUNTER_CELLS:
        raise ModelError(
            f"{len(literals):,} placements of a piece that is to be used {most:,} times are too "
            "many to be counted in clauses: make the puzzle smaller."
        )
    before: list[int] = []
    clauses: list[list[int]] = []
    for number, literal in enumerate(literals, start=1):
        now = [top + k for k in range(1, min(number, most) + 1)]
        top = now[-1]
        for k, output in enumerate(now):
            already = before[k : k + 1]  # as many without this literal; none if there are fewer
            clauses.append([-output, *already, literal])
            if k:
                clauses.append([-output, *already, before[k - 1]])
        before = now
    return before, clauses
