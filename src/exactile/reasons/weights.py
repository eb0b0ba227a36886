"""All weights of items under which every option weighs 0 modulo q, and the plainest of them.

Such weights prove a model unsolvable if a solution would not weigh 0. `exactile.model.weights`
decides whether there are any.

Weights are kept as generators, at first of the whole space. Each row, that is, each option,
eliminates one of the generators under which it does not weigh 0: see ``src/native/weights.hpp``.
Rows are usually taken in the order of the region, so that each affects few generators; for
exceptions see `SHUFFLED`. Modulo a prime, the generators do not depend on the order of the rows.

The plainest weights are small ones, with few values, on few units and few pieces.
"""

from __future__ import annotations

from math import gcd, isqrt, lcm

import numpy as np

from exactile.model.model import Longs
from exactile.model.weights import PRIME, System, weights
from exactile.search.limits import Limits

COPIES = 8
"""Largest number of arrays in use at a time, each as large as all generators together."""

SHUFFLED = 2000
"""Modulo powers of primes, the generators depend on the order of the rows. Random orders lead to
simpler generators, and are tried for systems with at most this number of columns."""


def kernel(given: System, prime: int, power: int = 1, limits: Limits | None = None) -> Longs:
    """Return generators of the weights under which every row weighs 0 modulo ``prime**power``.

    Each of the n generators is a column of the result, shape ``(columns + 1, n)``: the weights of
    the columns of the system, then the weight that a solution would have. There are no generators
    if a solution would weigh 0 under all such weights. `limits`: None for no limits. Raise
    TimeoutError or MemoryError if a limit is reached.

    Examples
    --------
    >>> import exactile
    >>> from exactile.model.weights import system
    >>> board = system(exactile.lower(exactile.load("mutilated-chessboard-6x6")))
    >>> kernel(board, 2).shape, kernel(board, 3).shape
    ((36, 2), (36, 2))
    """
    limits = limits or Limits()
    if power == 1 or given.columns > SHUFFLED:
        given = given.swept()
    found = weights(given, prime**power, limits.require)
    if not found.exist:
        return np.zeros((given.columns + 1, 0), dtype=np.int64)
    limits.require(found.bytes + COPIES * 8 * (given.columns + 1) * found.generators)
    return np.asarray(found.dense())


COLORING_TRIALS = 4000
"""Approximate largest number of combinations of generators that `plainest` tries."""


def plainest(gens: Longs, modulus: int, sizes: Longs, limits: Limits | None = None) -> Longs:
    """Return plain weights of the columns of a system, under which a solution does not weigh 0.

    `gens`: generators from `kernel`. `sizes`: the number of units that each column of the system
    stands for, 0 for a piece. When `limits` are reached (None: no limit), the plainest weights so
    far are returned.

    Examples
    --------
    >>> plainest(np.array([[1, 0], [1, 1], [1, 1]]), 2, np.array([1, 1])).tolist()
    [0, 1]
    """
    best = min(
        (_centered(g, modulus) for g in gens.T if _weighs(g, modulus)),
        key=lambda g: _burden(g, sizes),
    )
    factors = [f for f in range(-2, 3) if f] if modulus != 2 else [1]
    trials = 0
    while trials < COLORING_TRIALS and not (limits and limits.reached()):
        steps = np.array([f * g for g in gens.T for f in factors])
        others = [_centered(best + step, modulus) for step in steps]
        others += [_centered(best * f, modulus) for f in range(-1, modulus // 2 + 1)]
        fitting = [g for g in others if _weighs(g, modulus)]
        trials += len(others)
        better = min(fitting, key=lambda g: _burden(g, sizes))
        if _burden(better, sizes) >= _burden(best, sizes):
            break
        best = better
    if modulus == 0:
        best = best // max(gcd(*best.tolist()), 1) * (1 if best[-1] > 0 else -1)
    return best[:-1]


def _centered(weights: Longs, modulus: int) -> Longs:
    """Return the weights of least absolute value modulo `modulus`, such as -1 for 4 modulo 5.

    Of two candidates, such as 2 and -2 modulo 4, the positive one is taken. If the modulus is 0,
    the weights are returned unchanged.
    """
    if modulus == 0:
        return weights
    return modulus // 2 - (modulus // 2 - weights) % modulus


def _weighs(weights: Longs, modulus: int) -> bool:
    return bool(weights[-1] % modulus if modulus else weights[-1])


def _burden(weights: Longs, sizes: Longs) -> tuple[int, ...]:
    """Return a sort key under which the plainest weights come first."""
    units = weights[:-1][sizes > 0]
    painted = units != 0
    pieces = int(np.count_nonzero(weights[:-1][sizes == 0]))
    return (
        len(np.unique(units[painted])) + pieces,
        pieces,
        int(sizes[sizes > 0][painted].sum()),
        int(np.abs(weights[:-1]).sum()),
        int((weights < 0).sum()),
    )


def integers(given: System, gens: Longs) -> Longs:
    """Convert generators of weights modulo PRIME to generators of integer weights.

    Under an integer generator, every row must weigh exactly 0, not only modulo PRIME. Generators
    that fail this check, or have large numbers, are left out.

    Examples
    --------
    >>> from exactile.reasons.weights import kernel
    >>> given = System(np.array([0, 2]), np.array([0, 1]), np.array([1, 2]), np.array([0, 1]))
    >>> integers(given, kernel(given, PRIME)).T.tolist()
    [[1, -1, -1]]
    """
    found = []
    for row in _echelon(gens[:-1].T):
        pairs = [_fraction(int(w)) for w in row]
        if any(pair is None for pair in pairs):
            continue
        known = [pair for pair in pairs if pair is not None]
        common = lcm(*(below for _, below in known))
        whole = [above * (common // below) for above, below in known]
        if max(map(abs, whole), default=0) < isqrt(PRIME):
            found.append(np.array(whole, dtype=np.int64))
    rows = [
        np.append(w, w @ given.totals)
        for w in found
        if not len(given.members) or not np.add.reduceat(w[given.members], given.first[:-1]).any()
    ]
    return np.array(rows, dtype=np.int64).reshape(len(rows), given.columns + 1).T


def _echelon(rows: Longs) -> Longs:
    """Return the reduced row echelon form of a matrix modulo PRIME."""
    rows = rows.copy()
    done = 0
    for column in range(rows.shape[1]):
        live = np.flatnonzero(rows[done:, column])
        if not len(live):
            continue
        rows[[done, done + live[0]]] = rows[[done + live[0], done]]
        rows[done] = rows[done] * pow(int(rows[done, column]), -1, PRIME) % PRIME
        others = np.flatnonzero(rows[:, column])
        others = others[others != done]
        rows[others] = (rows[others] - rows[others, column][:, None] * rows[done]) % PRIME
        done += 1
    return rows[:done]


def _fraction(residue: int) -> tuple[int, int] | None:
    """Return numerator and denominator of the fraction that equals a residue modulo PRIME.

    Both are at most 1,000 in absolute value; None if there is no such fraction.

    Examples
    --------
    >>> _fraction(PRIME - 3), _fraction((PRIME + 1) // 2), _fraction(123456789)
    ((-3, 1), (1, 2), None)
    """
    most = 1000
    above, below, before, now = PRIME, 0, residue, 1
    while before > most:  # Euclid, until the numerator is small
        q = above // before
        above, before, below, now = before, above - q * before, now, below - q * now
    if not 0 < abs(now) <= most:
        return None
    return (before, now) if now > 0 else (-before, -now)
