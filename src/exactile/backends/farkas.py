"""Weights of items, by linear programming, that prove a model unsolvable.

With these weights, no option weighs more than 0, but every solution would. They exist if and only
if the model has no fractional solution (Farkas' lemma). Items that play the same role get the same
weight, so that the linear program is small: see `alike`.

The solver GLOP of OR-Tools finds weights as floating-point numbers. This module turns them into
integers, and verifies these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Generator, Iterator
from fractions import Fraction
from math import lcm
from threading import Event, Thread
from typing import Any, TypeVar

import numpy as np

from exactile.clock import HEARTBEAT
from exactile.model.model import Longs, Model
from exactile.model.weights import merged_model

Result = TypeVar("Result")

TINY = 1e-7
"""A weight of at most this absolute value counts as 0."""

LARGEST = 1000
"""Largest denominator of the ratio of a weight to the smallest weight."""

MOST_MEMBERS = 1 << 18
"""Size of a linear program beyond which `inequalities` gives up: number of items, summed over its
options. GLOP would need a few hundred bytes for each."""

MOST_REFINED = 1 << 25
"""Work after which `alike` gives up: number of items, summed over all options, times rounds."""

SLICE = 1000
"""Number of options that are added to a linear program at a time."""


def inequalities(model: Model) -> Iterator[Longs | None]:
    """Yield None during the search, then verified weights that prove a model unsolvable, if any.

    There may be none if the model is too large (see `MOST_MEMBERS`), or if the weights of GLOP
    prove nothing once they are rounded. Items to which some option gives a color have weight 0.

    Examples
    --------
    >>> triangle = Model.of_options([[0, 1], [0, 2]], lower=[1, 1, 1], upper=[1, 1, 1])
    >>> [found.tolist() for found in inequalities(triangle) if found is not None]
    [[-1, 1, 1]]
    """
    classes = yield from alike(model)
    classes[model.members[model.colors > 0]] = -1
    named = classes >= 0
    classes[named] = np.unique(classes[named], return_inverse=True)[1]
    if int(model.upper.sum(dtype=np.int64)) >= 1 << 31:  # the bounds of a class must fit
        return
    merged = merged_model(model, classes)
    if len(merged.members) > MOST_MEMBERS:
        return
    for found in farkas(merged):
        weights = None if found is None else np.append(found, 0)[classes]
        if weights is None or proves(model, weights):
            yield weights


def proves(model: Model, weights: Longs) -> bool:
    """Return whether weights of items prove that a model has no solution.

    No option may weigh more than 0, but every solution must. A solution weighs least if items of
    positive weight are used as often as their lower bounds, and items of negative weight as often
    as their upper bounds. Items to which some option gives a color must weigh 0.

    Examples
    --------
    >>> model = Model.of_options([[0, 1], [0, 2]], lower=[1, 1, 1], upper=[1, 1, 1])
    >>> proves(model, np.array([-1, 1, 1])), proves(model, np.array([0, 1, 1]))
    (True, False)
    """
    sums = np.zeros(model.options, dtype=np.int64)
    np.add.at(sums, model.option_of, weights[model.members])
    bounds = np.where(weights > 0, model.lower, model.upper)
    total = sum(w * bound for w, bound in zip(weights.tolist(), bounds.tolist(), strict=True))
    shared = weights[model.members[model.colors > 0]].any()
    return not shared and int(sums.max(initial=0)) <= 0 < total


def alike(model: Model) -> Generator[None, None, Longs]:
    """Return the class of each item, from 0: items of one class play the same role in the model.

    The generator yields None after each round of refinement, and returns the classes. These are the
    coarsest partition in which items of one class have the same bounds and the same number of
    options of each kind. Options are of one kind if they have the same number of items of each
    class. Items that a symmetry of the model maps to each other are in one class. If there is a
    fractional solution, there is one that gives all options of a kind the same value, so that a
    linear program needs only one item of each class. (Grohe, Kersting, Mladenov, Selman: "Dimension
    reduction via colour refinement", 2014.) If there are too many rounds, each item becomes a class
    of its own.

    Examples
    --------
    >>> import exactile
    >>> model = exactile.lower(exactile.load("dominoes-4x4"))
    >>> model.items, int(drained(alike(model)).max()) + 1
    (17, 4)
    """
    filled = np.flatnonzero(np.diff(model.first))
    first, options = model.first[filled], np.zeros(model.options, dtype=np.uint64)
    bounds = (model.lower.astype(np.int64) << 32) + model.upper
    classes: Longs = np.unique(bounds, return_inverse=True)[1]
    for _ in range(MOST_REFINED // max(len(model.members), 1)):
        keys = _scrambled(classes)  # sums of these modulo 2^64 distinguish multisets of classes
        if len(filled):
            options[filled] = np.add.reduceat(keys[model.members], first)
        sums = _scrambled(keys)
        np.add.at(sums, model.members, _scrambled(options)[model.option_of])
        finer = np.unique(sums, return_inverse=True)[1]
        if finer.max(initial=-1) == classes.max(initial=-1):
            return classes
        classes = finer
        yield None
    return np.arange(model.items)


def _scrambled(numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """Return the hashes of numbers by SplitMix64: 64-bit numbers that look random."""
    mixed = numbers.astype(np.uint64) + np.uint64(0x9E3779B97F4A7C15)
    for shift, factor in ((30, 0xBF58476D1CE4E5B9), (27, 0x94D049BB133111EB)):
        mixed = (mixed ^ (mixed >> np.uint64(shift))) * np.uint64(factor)
    return mixed ^ (mixed >> np.uint64(31))


def drained(
    steps: Generator[None, None, Result], pulse: Callable[[], None] = lambda: None
) -> Result:
    """Run a generator to its end, and return its result; call `pulse` after each step.

    Examples
    --------
    >>> drained(alike(Model.of_options([[0, 1]], [1, 1], [1, 1]))).tolist()
    [0, 0]
    """
    while True:
        try:
            next(steps)
        except StopIteration as end:
            result: Result = end.value
            return result
        pulse()


def farkas(model: Model) -> Generator[Longs | None]:
    """Yield None while GLOP works, and at last weights that prove a model unsolvable, if any.

    The weights are not verified: see `proves`. The sum of their absolute values, each times the
    upper bound of the item, is minimized, so that most are 0, and the others small. An option may
    contain an item several times.

    Examples
    --------
    >>> triangle = Model.of_options([[0, 1], [1, 2], [2, 0]], lower=[0, 1, 1], upper=[1, 1, 1])
    >>> [found for found in farkas(triangle) if found is not None]
    []
    """
    from ortools.linear_solver import pywraplp

    solver = pywraplp.Solver.CreateSolver("GLOP")
    infinity = solver.infinity()
    needed = [solver.NumVar(0, infinity if low else 0, "") for low in model.lower.tolist()]
    limited = [solver.NumVar(0, infinity, "") for _ in range(model.items)]
    for option in range(model.options):
        at_most = solver.Constraint(-infinity, 0)
        for item, times in Counter(model.option(option).tolist()).items():
            at_most.SetCoefficient(needed[item], times)
            at_most.SetCoefficient(limited[item], -times)
        if option % SLICE == 0:
            yield None
    total, objective = solver.Constraint(1, 1), solver.Objective()
    for item, (low, high) in enumerate(
        zip(model.lower.tolist(), model.upper.tolist(), strict=True)
    ):
        total.SetCoefficient(needed[item], low)
        total.SetCoefficient(limited[item], -high)
        objective.SetCoefficient(needed[item], max(high, 1))
        objective.SetCoefficient(limited[item], max(high, 1))
    objective.SetMinimization()
    ends: list[int] = []
    ended = Event()  # not `Thread.join`: Ctrl-C during it would make a running thread look ended

    def work() -> None:
        try:
            ends.append(solver.Solve())
        finally:
            ended.set()

    Thread(target=work, daemon=True).start()
    try:
        while not ended.wait(HEARTBEAT):
            yield None
    finally:
        while not ended.is_set():  # again and again: it may not have begun
            solver.InterruptSolve()
            ended.wait(HEARTBEAT)
    if ends == [pywraplp.Solver.OPTIMAL]:
        both = zip(needed, limited, strict=True)
        found = whole([n.solution_value() - m.solution_value() for n, m in both])
        if any(found) and max(map(abs, found)) < 1 << 31:  # their sums fit into 64 bits
            yield np.array(found, dtype=np.int64)


def whole(values: list[float]) -> list[int]:
    """Return the smallest integers whose ratios are those of the values, rounded: see `LARGEST`.

    Examples
    --------
    >>> whole([0.3333333333, -0.5, 1e-12])
    [2, -3, 0]
    """
    least = min((abs(v) for v in values if abs(v) > TINY), default=1.0)
    parts = [Fraction(v / least).limit_denominator(LARGEST) for v in values]
    common = lcm(*(part.denominator for part in parts))
    return [int(part * common) for part in parts]
