"""Clauses for "at most one", "between `low` and `high`" and "at least k" of some literals."""

from __future__ import annotations

from collections.abc import Iterable
from math import isqrt

import numpy as np

from exactile.errors import ModelError
from exactile.model.model import Ints, Longs

TRUE = 2**31 - 1
"""Stands for a literal that is true; its negative for a literal that is false."""

FEW = 4
"""Up to this size, "at most one" is written pair by pair; also the size of commander groups."""


class ClauseWriter:
    """A growing formula, with clauses in flat arrays.

    Auxiliary variables follow the given number of variables, which always determine them. For the
    encodings see `exactile.model.encode.ENCODINGS`. All methods raise ModelError if the formula has
    more than `most` literals.

    Examples
    --------
    >>> clauses = ClauseWriter(3, "pairwise", 100)
    >>> clauses.at_most_one(np.array([1, 2, 3]))
    >>> clauses.flat().tolist()
    [-1, -2, 0, -1, -3, 0, -2, -3, 0]
    """

    def __init__(self, variables: int, encoding: str, most: int) -> None:
        self.top = variables  # the last variable
        self.encoding = encoding
        self.at_most: list[tuple[Ints, int]] = []  # cardinality constraints for the solver
        self._most = most
        self._size = 0
        self._parts: list[Ints] = []
        self._pairs: list[Longs] = []

    def flat(self) -> Ints:
        """Return the literals of all clauses, each clause ended by 0; no pair twice."""
        if self._pairs:
            codes = np.unique(np.concatenate(self._pairs))
            self._pairs = []
            self._block([-(codes >> 32), -(codes & TRUE)])
        if not self._parts:
            return np.zeros(0, dtype=np.int32)
        return np.concatenate(self._parts)

    def add(self, clauses: Iterable[Ints | list[int]]) -> None:
        """Add clauses one by one."""
        for clause in clauses:
            self._append(np.append(np.asarray(clause, dtype=np.int32), np.int32(0)))

    def any_of(self, literals: Ints) -> int:
        """Return a new variable that is true if and only if any of the literals is."""
        return int(self._any_of_each(literals[None])[0])

    def leave(self, literals: Ints, low: int, high: int) -> None:
        """Leave the bounds to the solver, as "at most" constraints."""
        if high < len(literals):
            self.at_most.append((literals, high))
        if low:
            self.at_most.append((-literals, len(literals) - low))

    def at_most_one(self, literals: Ints) -> None:
        """Require that at most one of the literals is true."""
        n = len(literals)
        if n <= FEW or self.encoding in ("pairwise", "native"):
            self._pairwise(literals[None])
        elif self.encoding == "seqcounter":
            self.counter(literals, 0, 1)
        elif self.encoding == "bitwise":
            self._bitwise(literals)
        elif self.encoding == "commander":
            groups = _grid(literals, FEW)
            self._pairwise(groups)
            self.at_most_one(self._any_of_each(groups))
        else:  # product
            grid = _grid(literals, isqrt(n - 1) + 1)
            self.at_most_one(self._any_of_each(grid))
            self.at_most_one(self._any_of_each(grid.T))

    def _any_of_each(self, groups: Ints) -> Ints:
        """Return a variable for each row: whether any of its literals is true."""
        new = self._new(len(groups))
        self._block([-groups, new[:, None]])
        self._block([*groups.T, -new])
        return new

    def _pairwise(self, groups: Ints) -> None:
        """Require that at most one literal of each row is true."""
        first, second = np.triu_indices(groups.shape[1], 1)
        if self._size + 3 * len(groups) * len(first) > self._most:
            raise self._too_large()
        ordered = np.sort(groups, axis=1).astype(np.int64)  # padding comes first
        used = ordered[:, first] > 0
        self._pairs.append(ordered[:, first][used] << 32 | ordered[:, second][used])

    def _bitwise(self, literals: Ints) -> None:
        """Require that new variables are the bits of the true literal's index; 0 if none is."""
        numbers = np.arange(len(literals))
        for bit, new in enumerate(self._new((len(literals) - 1).bit_length()).tolist()):
            here = (numbers >> bit & 1).astype(bool)
            self._block([-literals, np.where(here, new, -new)])
            self.add([np.append(literals[here], np.int32(-new))])

    def counter(self, literals: Ints, low: int, high: int) -> None:
        """Require that at least `low` and at most `high` of the literals are true.

        For each i and j a variable means that at least j of the first i literals are true.
        Variables that cannot matter are left out.
        """
        n = len(literals)
        top = high if high < n else low
        base = low or high + 1
        if self._size + 11 * n * min(top, n - base + 1) > self._most:
            raise self._too_large()
        i, j = np.indices((n + 1, top + 2))
        least = np.full((n + 1, top + 2), -TRUE, dtype=np.int32)
        least[:, 0] = TRUE
        needed = (j >= np.maximum(1, base - (n - i))) & (j <= np.minimum(i, top))
        needed[1, 1] = False
        least[needed] = self._new(int(needed.sum()))
        least[1, 1] = literals[0]
        row, column = np.nonzero(needed)
        here, before = least[row, column], least[row - 1, column]
        fewer, literal = least[row - 1, column - 1], literals[row - 1]
        self._block([-before, here])
        self._block([-literal, -fewer, here])
        self._block([-here, before, literal])
        self._block([-here, fewer])
        if high < n:
            self._block([-literals[1:], -least[1:n, high]])
        if low:
            self._block([least[n : n + 1, low]])

    def _new(self, number: int) -> Ints:
        """Return new variables."""
        self.top += number
        if self.top >= min(TRUE, self._most):
            raise self._too_large()
        return np.arange(self.top - number + 1, self.top + 1, dtype=np.int32)

    def _block(self, columns: list[Ints | np.int32]) -> None:
        """Add clauses of one length, without false literals and without clauses that hold."""
        rows = np.stack(np.broadcast_arrays(*columns, np.int32(0)), axis=-1).astype(np.int32)
        rows = rows[(rows != TRUE).all(axis=-1)]
        self._append(rows[rows != -TRUE])

    def _append(self, part: Ints) -> None:
        self._size += len(part)
        if self._size > self._most:
            raise self._too_large()
        self._parts.append(part)

    def _too_large(self) -> ModelError:
        return ModelError(
            f"The formula would have more than {self._most:,} literals: take another encoding or "
            "another backend."
        )


def _grid(literals: Ints, width: int) -> Ints:
    """Return literals in rows of a width, padded with a false one."""
    grid = np.full(-(-len(literals) // width) * width, -TRUE, dtype=np.int32)
    grid[: len(literals)] = literals
    return grid.reshape(-1, width)


COUNTER_CELLS = 4_000_000
"""Literals times thresholds beyond which a counter is refused."""


def thresholds(literals: list[int], most: int, top: int) -> tuple[list[int], list[list[int]]]:
    """Return literals that imply "at least 1", ..., "at least `most`", and the clauses for that.

    Variables after `top` mean that at least k of the first j literals hold; nothing follows if they
    are false. Raise ModelError if there would be too many.

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
