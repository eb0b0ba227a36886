"""Weights of items under which every option weighs 0 modulo q, but a solution would not.

A solution contains an item whose bounds are equal that often; only such items have weights. Let the
options be rows and these items columns of a matrix. The weights sought are in its kernel modulo q,
but not orthogonal to the bounds. Prime powers matter: the T tetrominoes that fill 10 by 10 squares
are refuted modulo 8, without weights of pieces, and modulo no prime.

The kernel is kept as generators, at first all of the space; each row that some generator weighs
replaces one of them by what the others say of it: see ``src/native/weights.hpp``. Rows are taken in
the order of the region, so that each touches few generators: no option is compared with one far
away. Modulo a prime the generators are the same in any order.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from exactile._native import Weights
from exactile.backends.base import HEARTBEAT
from exactile.model.model import Longs, Model
from exactile.search.limits import Limits

COPIES = 8
"""Largest number of arrays as large as all generators that are in use at once."""

SHUFFLED = 2000
"""Largest number of columns with which rows are shuffled modulo powers of primes, where the
generators depend on the order: in the order of the region they are less simple."""


@dataclass(frozen=True, eq=False)
class System:
    """Rows that must weigh 0, and a sum of columns that must not."""

    # first, members: row r contains the columns `members[first[r]:first[r + 1]]`, some perhaps more
    # than once. No row is empty.
    first: Longs
    members: Longs
    totals: Longs  # how often a solution contains each column
    items: Longs  # the item of each column; after columns have been merged, of none

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.totals)

    def merged(self, classes: Longs) -> System:
        """Return the system in which columns of one class have the same weight.

        `classes`: the class of each column, from 0 without gaps.
        """
        count = int(classes.max(initial=-1)) + 1
        rows = len(self.first) - 1
        mixer = np.random.default_rng(0).integers(1, 1 << 62, size=max(count, 1))
        members = classes[self.members]
        chosen = np.zeros(rows, dtype=bool)
        if rows:  # of rows with equal classes one is kept; sums modulo 2^64 distinguish them
            keys = np.add.reduceat(mixer[members], self.first[:-1])
            chosen[np.unique(keys, return_index=True)[1]] = True
        lengths = np.diff(self.first)
        return System(
            np.concatenate([[0], np.cumsum(lengths[chosen])]),
            members[np.repeat(chosen, lengths)],
            np.bincount(classes, weights=self.totals, minlength=count).astype(np.int64),
            np.full(count, -1, dtype=np.int64),
        )

    def ordered(self, order: Longs) -> System:
        """Return the system with its rows in another order."""
        spans = np.diff(self.first)[order]
        first = np.concatenate([[0], np.cumsum(spans)])
        places = np.repeat(self.first[order] - first[:-1], spans) + np.arange(first[-1])
        return System(first, self.members[places], self.totals, self.items)

    def swept(self) -> System:
        """Return the system with its rows in the order of their last columns."""
        if not len(self.members):
            return self
        last = np.maximum.reduceat(self.members, self.first[:-1])
        return self.ordered(np.argsort(last, kind="stable"))


def system(model: Model) -> System:
    """Return the system of a model, with fixed placements in place.

    Examples
    --------
    >>> import exactile
    >>> found = system(exactile.lower(exactile.load("mutilated-chessboard-6x6")))
    >>> found.columns, len(found.first) - 1
    (35, 56)
    """
    low, high, gone = remaining(model)
    exact = (low == high) & (high > 0)
    ends = model.members[~gone[model.option_of]]
    owner = model.option_of[~gone[model.option_of]]
    ends, owner = ends[exact[ends]], owner[exact[ends]]
    number = np.cumsum(exact) - 1
    lengths = np.bincount(owner, minlength=model.options)
    spans = lengths[lengths > 0]
    whole = System(
        np.concatenate([[0], np.cumsum(spans)]),
        number[ends],
        low[exact].astype(np.int64),
        np.flatnonzero(exact),
    )
    return whole.ordered(np.random.default_rng(0).permutation(len(spans)))


def remaining(model: Model) -> tuple[Longs, Longs, Longs]:
    """Return the bounds that are left, and which options are gone, once fixed ones are taken.

    An option is fixed if it contains an item beyond pieces and units with the bounds 1..1 that no
    other option contains. Gone are the fixed options, and those with a piece or a unit that may
    not be used any more.
    """
    count = np.bincount(model.members, minlength=model.items)
    single = (count == 1) & (model.lower == 1) & (model.upper == 1)
    single &= model.meaning.is_rule
    fixed = np.unique(model.option_of[single[model.members]])
    taken = np.bincount(model.members[np.isin(model.option_of, fixed)], minlength=model.items)
    low = np.maximum(model.lower - taken, 0).astype(np.int64)
    high = (model.upper - taken).astype(np.int64)
    over = (high <= 0) & ~model.meaning.is_rule
    gone = np.zeros(model.options, dtype=bool)
    gone[model.option_of[over[model.members]]] = True
    gone[fixed] = True
    return low, high, gone


def merged_model(model: Model, classes: Longs) -> Model:
    """Return a model whose items are classes of those of another; fixed placements are in place.

    `model`: a model of a puzzle. `classes`: the class of each item, from 0 without gaps, -1 for
    items that are left out, among them all whose options are fixed.

    The result: bounds are added up. Options that become equal are one, and may contain an item many
    times.
    """
    low, high, gone = remaining(model)
    kept = ~gone[model.option_of] & (classes[model.members] >= 0)
    lengths = np.bincount(model.option_of[kept], minlength=model.options)
    spans = lengths[lengths > 0]
    whole = System(
        np.concatenate([[0], np.cumsum(spans)]),
        model.members[kept].astype(np.int64),
        low,
        np.arange(model.items),
    )
    named = classes >= 0
    rows = whole.merged(np.where(named, classes, 0))
    bounds = [
        np.bincount(classes[named], weights=bound[named]).astype(np.int32) for bound in (low, high)
    ]
    return Model(
        bounds[0],
        bounds[1],
        rows.first.astype(np.int64),
        rows.members.astype(np.int32),
    )


def weights(given: System, q: int, limits: Limits) -> Weights:
    """Return the weights under which every row weighs 0 modulo a prime power.

    Raise TimeoutError, MemoryError if a limit is reached.
    """
    found = Weights(q, given.first, given.members.astype(np.int32), given.totals)
    while not found.finished:
        found.run(HEARTBEAT)
        limits.require(found.bytes)
    return found


def kernel(given: System, prime: int, power: int = 1, limits: Limits | None = None) -> Longs:
    """Return generators of the weights under which every row weighs 0 modulo ``prime**power``.

    The result: shape ``(columns + 1, n)``: a generator a column; the last row is how much each
    weighs a solution. No generators at all if none of them weighs a solution. Raise TimeoutError,
    MemoryError if a limit is reached.

    Examples
    --------
    >>> import exactile
    >>> board = system(exactile.lower(exactile.load("mutilated-chessboard-6x6")))
    >>> kernel(board, 2).shape, kernel(board, 3).shape
    ((36, 2), (36, 2))
    """
    limits = limits or Limits()
    if power == 1 or given.columns > SHUFFLED:
        given = given.swept()
    found = weights(given, prime**power, limits)
    if not found.exist:
        return np.zeros((given.columns + 1, 0), dtype=np.int64)
    limits.require(found.bytes + COPIES * 8 * (given.columns + 1) * found.generators)
    return np.asarray(found.dense())
