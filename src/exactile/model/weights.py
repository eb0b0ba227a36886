"""Proofs that a model has no solution, by weights of items modulo q.

If every option weighs 0 modulo q, a solution weighs 0, too. But a solution contains an item with
equal bounds exactly that many times. If only such items have weights, the weight of a solution is
known in advance. If it is not 0, there is no solution.

Let the options be rows and these items columns of a matrix. The weights sought are in its kernel
modulo q, but not orthogonal to the bounds. Powers of primes matter. For example, T tetrominoes
cannot fill 10 by 10 squares: without weights of pieces there is a proof modulo 8, but none modulo a
prime.

The search for weights takes about as long as making the model: ``src/native/weights.hpp`` describes
it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from exactile._native import Weights
from exactile.clock import HEARTBEAT
from exactile.errors import CheckFailedError
from exactile.model.model import Ints, Longs, Mask, Model

PRIME = (1 << 31) - 1
"""Weights modulo this large prime are sought in place of integer weights without a modulus."""

HIGHEST = {32: 2, 27: 3, PRIME: PRIME, 5: 5, 7: 7}
"""The moduli that are tried, each with its prime. If there are weights modulo a lower power of the
prime, there are also weights modulo this one."""

FEW = 8
"""Number of rows for each column that are tried first: if there are no weights under which these
weigh 0, there are none for all rows."""

MOST_BYTES = 1 << 28
"""Largest number of bytes that the search for weights may use."""


@dataclass(frozen=True, eq=False)
class System:
    """A system of conditions on weights of columns: each row weighs 0, but a solution must not.

    A row is an option of a model, and columns are items with equal bounds. A row weighs as much as
    its columns together. A solution contains each column as often as `totals` says.
    """

    first: Longs  # row r contains the columns members[first[r]:first[r + 1]]; none is empty
    members: Ints  # a row may contain a column several times
    totals: Longs  # number of times that a solution contains each column
    items: Longs  # the item of each column; -1 after columns have been merged

    @property
    def columns(self) -> int:
        """Number of columns."""
        return len(self.totals)

    def merged(self, classes: Longs) -> System:
        """Return the system in which all columns of one class become one column.

        `classes`: the class of each column. Rows that become equal are kept once.
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
        """Return the system with the given rows, in this order."""
        spans = np.diff(self.first)[order]
        first = np.concatenate([[0], np.cumsum(spans)])
        places = np.repeat(self.first[order] - first[:-1], spans) + np.arange(first[-1])
        return System(first, self.members[places], self.totals, self.items)

    def shuffled(self) -> System:
        """Return the system with its rows in random order, always the same one."""
        return self.ordered(np.random.default_rng(0).permutation(len(self.first) - 1))

    def swept(self) -> System:
        """Return the system with its rows in the order of their last columns."""
        if not len(self.members):
            return self
        last = np.maximum.reduceat(self.members, self.first[:-1])
        if self.columns <= 1 << 16:  # a stable sort of small numbers is many times as fast
            last = last.astype(np.uint16)
        return self.ordered(np.argsort(last, kind="stable"))


def system(model: Model) -> System:
    """Return the conditions on weights that prove that a model has no solution.

    Fixed placements count as made: their options are left out, and the bounds are reduced.

    Examples
    --------
    >>> import exactile
    >>> found = system(exactile.lower(exactile.load("mutilated-chessboard-6x6")))
    >>> found.columns, len(found.first) - 1
    (35, 56)
    """
    low, high, gone = remaining(model)
    exact = (low == high) & (high > 0)
    kept = exact[model.members] & ~gone[model.option_of]
    ends, owner = model.members[kept], model.option_of[kept]
    number = np.cumsum(exact, dtype=np.int32) - 1
    lengths = np.bincount(owner, minlength=model.options)
    spans = lengths[lengths > 0]
    return System(
        np.concatenate([[0], np.cumsum(spans)]),
        number[ends],
        low[exact].astype(np.int64),
        np.flatnonzero(exact),
    )


def remaining(model: Model) -> tuple[Longs, Longs, Mask]:
    """Return the lower and upper bounds left by the fixed options, and a mask of dropped options.

    An option is fixed if it contains an item that no other option contains, with the bounds 1..1,
    and that is neither a piece nor a unit. The dropped options are the fixed ones, and those with a
    piece or a unit that cannot be used any more.
    """
    count = model.uses
    single = (count == 1) & (model.lower == 1) & (model.upper == 1)
    single &= model.meaning.is_rule
    fixed = np.zeros(model.options, dtype=bool)
    fixed[model.option_of[single[model.members]]] = True
    taken = np.bincount(model.members[fixed[model.option_of]], minlength=model.items)
    low = np.maximum(model.lower - taken, 0).astype(np.int64)
    high = (model.upper - taken).astype(np.int64)
    over = (high <= 0) & ~model.meaning.is_rule
    gone = fixed.copy()
    gone[model.option_of[over[model.members]]] = True
    return low, high, gone


def eliminated(given: System, q: int) -> Iterator[Weights]:
    """Yield the weights modulo q under which all rows processed so far weigh 0.

    `q` is a power of a prime. The same object is yielded again and again, and changes in between.
    When it is yielded for the last time, the remaining rows cannot change the result.
    """
    found = Weights(q, given.first, np.asarray(given.members, dtype=np.int32), given.totals)
    yield found
    while not found.finished:
        found.run(HEARTBEAT)
        yield found


def weights(given: System, q: int, require: Callable[[int], None] = lambda _: None) -> Weights:
    """Return the weights modulo q under which every row weighs 0.

    `q` is a power of a prime. `require` is called repeatedly with the number of bytes in use; it
    may raise an exception to end the work.
    """
    for found in eliminated(given, q):
        require(found.bytes)
    return found


class Congruence(NamedTuple):
    """Verified weights of all items that prove modulo `modulus` that a model has no solution."""

    modulus: int
    weights: Longs


def congruence(model: Model, pulse: Callable[[], None] = lambda: None) -> Congruence | None:
    """Return weights of items that prove that a model has no solution; None if none are found.

    The modulus is a power of a prime, and the least for this prime. The search takes about as long
    as making the model. `pulse` is called repeatedly during the work; an exception that it raises
    ends the work.

    Examples
    --------
    >>> import exactile
    >>> found = congruence(exactile.lower(exactile.load("t-tetrominoes-6x6")))
    >>> found.modulus, len(found.weights)
    (2, 37)
    >>> congruence(exactile.lower(exactile.load("soma-cube"))) is None
    True
    """
    for found in congruences(model):
        if found is not None:
            return found
        pulse()
    return None


def congruences(model: Model) -> Iterator[Congruence | None]:
    """Yield None during the search, and at last weights that prove a model unsolvable, if any.

    If the search would take more than `MOST_BYTES`, it ends without weights.
    """
    given = system(model)
    every = np.arange(len(given.first) - 1)
    step = len(every) // max(FEW * given.columns, 1)
    stages = [given.ordered(every[::step]), given] if step > 1 else [given]
    moduli = list(HIGHEST)
    for stage in stages:
        swept, tried, moduli = stage.swept(), moduli, []
        for modulus in tried:
            for found in eliminated(swept, modulus):
                if found.bytes > MOST_BYTES:
                    return
                yield None
            if found.exist:
                moduli.append(modulus)
    if moduli:
        yield _least(model, swept, HIGHEST[moduli[0]])


def _least(model: Model, given: System, prime: int) -> Congruence:
    """Return weights that prove a model unsolvable, modulo the least possible power of `prime`."""
    modulus, found = prime, weights(given, prime)
    while not found.exist:
        modulus *= prime
        found = weights(given, modulus)
    *rows, totals = np.asarray(found.dense())
    of_items = np.zeros(model.items, dtype=np.int64)
    of_items[given.items] = np.array(rows)[:, np.flatnonzero(totals)[0]]
    result = Congruence(modulus, of_items)
    require_contradiction(model, result)
    return result


def require_contradiction(model: Model, found: Congruence) -> None:
    """Raise CheckFailedError unless weights prove that a model has no solution.

    Modulo `found.modulus`, every option must weigh 0, and a solution would not.
    """
    low, high, gone = remaining(model)
    modulus, of_items = found
    sums = np.zeros(model.options, dtype=np.int64)
    np.add.at(sums, model.option_of, of_items[model.members])
    fair = not of_items[low < high].any()
    if not fair or (sums[~gone] % modulus).any() or not of_items @ low % modulus:
        raise CheckFailedError(f"Weights modulo {modulus} do not prove that there is no solution.")
