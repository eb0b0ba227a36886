"""Chooses, among weights that prove the same, those that a person grasps best.

Plain are weights with few values, on few units, of few pieces, and small.
"""

from __future__ import annotations

from math import gcd, isqrt, lcm

import numpy as np

from exactile.model.model import Longs
from exactile.reasons.colorings.linear import System
from exactile.search.limits import Limits

COLORING_TRIALS = 4000
"""Combinations of weights among which the plainest is chosen."""


PRIME = (1 << 31) - 1
"""Weights without a modulus are found modulo this prime: of few digits they are the same."""


def plainest(gens: Longs, modulus: int, sizes: Longs, limits: Limits | None = None) -> Longs:
    """Return plain weights that weigh a solution, from generators.

    - `gens`: generators as columns; the last row is how much each weighs a solution.
    - `modulus`: what they are taken modulo; 0 if they are integers.
    - `sizes`: how many units each column stands for, 0 for a piece.
    - `limits`: when its time is over, the plainest so far are returned.

    The result: the weights of columns.

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
    """Return the least representatives of weights, of two the positive one."""
    if modulus == 0:
        return weights
    return modulus // 2 - (modulus // 2 - weights) % modulus


def _weighs(weights: Longs, modulus: int) -> bool:
    return bool(weights[-1] % modulus if modulus else weights[-1])


def _burden(weights: Longs, sizes: Longs) -> tuple[int, ...]:
    """Return how hard weights are to grasp."""
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
    """Return integer generators of weights under which every row weighs 0, from those modulo PRIME.

    Whatever has too many digits is left out; what is returned has been checked.

    Examples
    --------
    >>> from exactile.reasons.colorings.linear import kernel
    >>> given = System(np.array([0, 2]), np.array([0, 1]), np.array([1, 2]), np.array([0, 1]))
    >>> integers(given, kernel(given, PRIME)).T.tolist()
    [[1, -1, -1]]
    """
    found = []
    for weights in _echelon(gens[:-1].T):
        pairs = [_fraction(int(w)) for w in weights]
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
    """Return the reduced echelon form modulo PRIME."""
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
    """Return the fraction of few digits that a residue modulo PRIME stands for, if there is one.

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
