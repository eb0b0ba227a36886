"""Proofs that a model has no solution, by weights of items modulo q.

If every option weighs 0 modulo q, a solution also weighs 0. But if only items whose two bounds are
equal have weights, the weight of a solution is known in advance, since each of these items occurs a
known number of times. If this weight is not 0 modulo q, there is no solution.

Let the options be rows and these items columns of a matrix. The weights sought are in its kernel
modulo q, but not orthogonal to the bounds. Powers of primes matter. For example, T tetrominoes
cannot fill 10 by 10 squares: without weights of pieces there is a proof modulo 8, but none modulo a
prime.

The search for weights takes time in proportion to the size of the model:
see ``src/native/weights.hpp``. Where it would take longer, the search gives up.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterator
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
"""Number of rows per column that are tried first: if there are no weights for these rows, there are
none for all rows."""

SCATTER = 2_654_435_761
"""Factor that spreads the rows tried first: the i-th of them is row i * `SCATTER` modulo the number
of rows."""

MOST_GROWTH = 4
"""Largest number of bytes in use during elimination, relative to those of the system."""


@dataclass(frozen=True, eq=False)
class System:
    """A system of conditions on weights of columns: each row weighs 0, but a solution must not.

    A row is an option of a model. Columns are items whose two bounds are equal. A row weighs as
    much as its columns together. `totals`: number of times that a solution contains each column.
    """

    first: Longs  # row r contains the columns members[first[r]:first[r + 1]]; none is empty
    members: Ints  # a row may contain a column several times
    totals: Longs
    items: Longs  # the item of each column; -1 after columns have been merged

    @property
    def bytes(self) -> int:
        """Approximate number of bytes."""
        return 4 * len(self.members) + 8 * len(self.first) + 48 * self.columns

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
    """Return the conditions under which weights prove that a model has no solution.

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

    An option is fixed if it contains an item with the bounds 1..1 that no other option contains
    and that is neither a piece nor a unit. An upper bound is negative if fixed options exceed it.
    The dropped options are the fixed ones, and those with a piece or a unit that cannot be used any
    more.
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
    over[model.members[model.colors > 0]] = False  # options of one color may share it
    gone = fixed.copy()
    gone[model.option_of[over[model.members]]] = True
    return low, high, gone


def merged_model(model: Model, classes: Longs) -> Model:
    """Return a model in which each class of items becomes one item; their bounds are added up.

    `classes`: the class of each item; items of class -1 are left out, and so are all colors and the
    options without other items. Equal options are merged. An option of the new model may contain an
    item several times.
    """
    named = classes >= 0
    kept = named[model.members]
    lengths = np.bincount(model.option_of[kept], minlength=model.options)
    spans = lengths[lengths > 0]
    whole = System(
        np.concatenate([[0], np.cumsum(spans)]),
        model.members[kept],
        model.lower.astype(np.int64),
        np.arange(model.items),
    )
    rows = whole.merged(np.where(named, classes, 0))
    low, high = (
        np.bincount(classes[named], weights=bound[named]).astype(np.int32)
        for bound in (model.lower, model.upper)
    )
    return Model(low, high, rows.first.astype(np.int64), rows.members.astype(np.int32))


def without_fixed(model: Model) -> Model:
    """Return the rest of a model after its fixed options are chosen: see `remaining`.

    The model must have no colors.
    """
    low, high, gone = remaining(model)
    high = np.maximum(high, 0)  # below 0 if fixed options break a rule
    kept = ~gone[model.option_of]
    lengths = np.diff(model.first)[~gone]
    first = np.concatenate([[0], np.cumsum(lengths)])
    low = np.minimum(low, high)
    return Model(low.astype(np.int32), high.astype(np.int32), first, model.members[kept])


def weights(given: System, q: int, require: Callable[[int], None] = lambda _: None) -> Weights:
    """Return the finished native `Weights` that make every row weigh 0 modulo `q`.

    `q`: a power of a prime. `require`: called at every heartbeat with the number of bytes in use;
    may raise an exception to end the work.
    """
    found = _begun(given, q)
    while not found.finished:
        found.run(HEARTBEAT)
        require(found.bytes)
    return found


def _begun(given: System, q: int) -> Weights:
    return Weights(q, given.first, np.asarray(given.members, dtype=np.int32), given.totals)


class Congruence(NamedTuple):
    """Verified weights of all items; modulo `modulus`, they prove that a model has no solution."""

    modulus: int
    weights: Longs


def congruence(model: Model, pulse: Callable[[], None] = lambda: None) -> Congruence | None:
    """Return weights of items that prove that a model has no solution; None if none are found.

    The modulus is the least power of its prime for which there are such weights. The result is also
    None if the search takes too much memory. `pulse` is called repeatedly during the work; an
    exception that it raises ends the work.

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
    """Yield None during the search, and at its end weights that prove a contradiction, if any.

    The search ends without weights if elimination takes too much memory, as for dense models.
    """
    given = system(model)
    rows, few = len(given.first) - 1, FEW * given.columns
    stages = [given]
    if rows > 2 * few:
        stages = [given.ordered(np.arange(few) * SCATTER % rows), given]
    moduli = list(HIGHEST)
    try:
        for stage in stages:
            swept = stage.swept()
            moduli = yield from _surviving(swept, moduli)
            if not moduli:
                return
        modulus = prime = HIGHEST[moduli[0]]
        while not (found := (yield from _eliminated(swept, modulus))).exist:
            modulus *= prime
    except MemoryError:
        return
    of_items = np.zeros(model.items, dtype=np.int64)
    of_items[given.items] = found.one()
    result = Congruence(modulus, of_items)
    require_contradiction(model, result)
    yield result


def _surviving(given: System, moduli: list[int]) -> Generator[None, None, list[int]]:
    """Yield at every heartbeat; return those of `moduli` for which the system has weights."""
    exist = []
    for modulus in moduli:
        found = yield from _eliminated(given, modulus)
        exist.append(found.exist)
    return [modulus for modulus, there in zip(moduli, exist, strict=True) if there]


def _eliminated(given: System, q: int) -> Generator[None, None, Weights]:
    """Yield at every heartbeat; return the result of `weights`.

    Raise MemoryError if this takes more than `MOST_GROWTH` times the memory of the system.
    """
    found = _begun(given, q)
    while not found.finished:
        found.run(HEARTBEAT)
        yield
        if found.bytes > MOST_GROWTH * given.bytes:
            raise MemoryError
    return found


def require_contradiction(model: Model, found: Congruence) -> None:
    """Raise CheckFailedError unless weights prove that a model has no solution.

    An option is forced if it is the only one with some required item that is neither a piece nor a
    unit. Items whose bounds differ must weigh 0. Modulo `found.modulus`, every option that can be
    added to the forced ones must weigh 0, but the bounds that the forced ones leave must not.
    """
    modulus, of_items = found
    forced = np.zeros(model.options, dtype=bool)
    alone = (model.uses == 1) & (model.lower == 1) & model.meaning.is_rule
    for item in np.flatnonzero(alone).tolist():
        forced[model.options_with(item)] = True
    taken = np.bincount(model.members[forced[model.option_of]], minlength=model.items)
    full = taken >= model.upper
    full[model.members[model.colors > 0]] = False  # options of one color may share it
    free = ~forced
    free[model.option_of[full[model.members]]] = False
    sums = np.zeros(model.options, dtype=np.int64)
    np.add.at(sums, model.option_of, of_items[model.members])
    fair = not of_items[model.lower != model.upper].any() and not (sums[free] % modulus).any()
    left = zip(of_items.tolist(), (model.lower - taken).tolist(), strict=True)
    if not fair or not sum(weight * number for weight, number in left) % modulus:
        raise CheckFailedError(f"Weights modulo {modulus} do not prove that there is no solution.")
