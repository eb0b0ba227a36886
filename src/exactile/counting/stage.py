"""Stages of a sampled frontier, and random solutions from their runs.

The runs of a stage keep the same number of states. For runs and levels see
`exactile.counting.sampled`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from math import log2, sqrt
from random import Random

import numpy as np

from exactile import _native
from exactile.counting.intervals import interval
from exactile.errors import CountingError
from exactile.model.orbits import Assignments
from exactile.wanted import plural

Run = _native.SampledRun | _native.GuidedRun


@dataclass
class Stage:
    """Independent runs of a sampled frontier; all keep the same number of states at each level.

    `states`: largest number of states at each level. `values`: the results of the runs; 0 for a run
    that did not reach the end. `seconds`: time that the runs took, side by side.
    """

    states: int
    values: list[Fraction] = field(default_factory=list)
    traced: list[_native.SampledRun] = field(default_factory=list)  # the runs, if they are traced
    reached: float = 0.0  # largest fraction of the levels that a run reached
    seconds: float = 0.0

    @property
    def score(self) -> tuple[float, float]:
        """How well an order of the items works, for comparison: the greater, the better.

        The first number is the largest fraction of the levels that a run reached. The second is the
        logarithm of the squared mean of the square roots of the results, or 0 if no run reached the
        end. The expected result is the same for all orders, but the squared mean falls short of it
        by a fraction: about a quarter of the relative variance. Orders with small variances are
        therefore preferred.
        """
        largest = max(self.values, default=Fraction(0))
        if not largest:
            return self.reached, 0.0
        roots = sum(sqrt(value / largest) for value in self.values) / len(self.values)
        return 1.0, log2(largest.numerator) - log2(largest.denominator) + 2 * log2(roots)

    @property
    def bias(self) -> float | None:
        """Approximate bound on the bias of `draw`; None if the error is not known.

        For any set of solutions, this is about the largest possible difference between the
        probability that one of them is drawn and their fraction of all solutions.

        Let m be the mean of the results of the runs, and w the contribution of a solution to m; its
        mean E(w) is 1. The solution is drawn with probability E(w / m); in a uniform draw, this
        would be E(w / number). Added up over all solutions, the absolute differences are at most
        E|1 - m / number|, which is at most the relative standard error. Over any set of solutions,
        the differences add up to at most half of that error.
        """
        found = interval(self.values)
        return float(found.error / found.mean) / 2 if found else None

    def draw(self, number: int, random: Random) -> Assignments:
        """Return random solutions from the traced runs, one in each row, padded with -1.

        A run is chosen with probability proportional to its result. Then a solution is traced back
        from the end of the run, with probabilities according to the weights. `bias` bounds the
        error; see docs/estimates.md.

        Parameters
        ----------
        number
            Number of solutions; one may be drawn twice.
        random
            The source of random numbers.

        Raises
        ------
        CountingError
            If no run reached the end.
        """
        largest = max(self.values, default=Fraction(0))
        if not largest:
            raise CountingError(
                f"No solution was met: none of {plural(len(self.values), 'run')} came to the end. "
                "Keep more states (--states), or allow more time (--time-limit)."
            )
        weights = [float(value / largest) for value in self.values]
        chosen = np.array(random.choices(range(len(self.traced)), weights, k=number))
        parts = []
        for k in np.unique(chosen).tolist():
            places, seed = np.flatnonzero(chosen == k), random.getrandbits(64)
            parts.append((places, self.traced[k].draw(len(places), seed)))
        rows = np.full((number, max(part.shape[1] for _, part in parts)), -1, dtype=np.int32)
        for places, part in parts:
            rows[places, : part.shape[1]] = part
        return rows


def value_of(run: Run) -> Fraction:
    """Return the result of a run: its estimate of the number of solutions."""
    value: Fraction = Fraction(run.mantissa) * 2**run.exponent
    return value
