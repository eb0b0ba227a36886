"""Prints the errors of several ways to estimate a number of solutions in the same time, as a table.

cd benchmarks && python estimators.py --seconds 5 --puzzles 20 > results/estimators.md

The puzzles are those of `estimates.py`. All ways have one thread.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from math import exp, log
from random import Random
from statistics import fmean
from time import process_time

from estimates import LEAST_SOLUTIONS, PIECES, drawn

import exactile
from exactile.backends.exploration import Exploration
from exactile.clock import CLOCK
from exactile.counting.estimate import dive, tree_of
from exactile.counting.sampled import SampledFrontier, Switches
from exactile.search.case import Case
from exactile.search.limits import Limits

NOTHING = 1.0
"""The error where nothing was found: all of the number."""

LEAST_ERROR = 1e-4
"""Smaller errors are luck, and count as this in means."""

Way = Callable[[Case, float], float]
"""Returns an estimate after some seconds; 0 if it has found none."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzles", type=int, default=20)
    parser.add_argument("--seconds", type=float, default=5.0, help="for each of them, each way")
    parser.add_argument("--seed", type=int, default=1, help="of the lot")
    asked = parser.parse_args()
    print(
        f"# Errors of estimates in the same time\n\n{asked.puzzles} puzzles of the catalogue by "
        f"lot (seed {asked.seed}), of {PIECES[0]} to {PIECES[-1]} pieces and more than "
        f"{LEAST_SOLUTIONS:,} solutions; {asked.seconds:g} seconds of a processor each, after the "
        "model, by one thread. Distances from the exact number, in parts of it; 100% if nothing "
        "was found.\n\n"
        f"| puzzle | exact | {' | '.join(WAYS)} |\n|---|---:|{'---:|' * len(WAYS)}"
    )
    CLOCK.now = process_time  # type: ignore[method-assign]
    errors: dict[str, list[float]] = {name: [] for name in WAYS}
    for known in drawn(asked.puzzles, asked.seed):
        truth = known.numbers.raw if known.numbers else 0
        case = Case(exactile.load(known.id))
        case.prepare(Limits(), "symmetries", "action", "branches")
        for name, way in WAYS.items():
            found = way(case, asked.seconds)
            errors[name].append(abs(found - truth) / truth if found else NOTHING)
        cells = [f"{errors[name][-1]:.1%}" for name in WAYS]
        print(f"| {known.id} | {truth:,} | {' | '.join(cells)} |", flush=True)
    means = [exp(fmean(log(max(error, LEAST_ERROR)) for error in errors[name])) for name in WAYS]
    print(f"| geometric mean | | {' | '.join(f'{mean:.1%}' for mean in means)} |")


def sampled(switches: Switches) -> Way:
    """Return the way of sampled frontiers."""

    def way(case: Case, seconds: float) -> float:
        frontier = SampledFrontier(case.model, case.puzzle, seed=1, switches=switches)
        frontier.estimate(Limits(seconds))
        values = frontier.stage.values
        return float(sum(values) / len(values)) if values else 0.0

    return way


def dives(case: Case, seconds: float) -> float:
    """Return the mean of random dives."""
    limits = Limits(seconds)
    limits.begin()
    model, starts = tree_of(case)
    exploration, random, found = Exploration(model, endgame=False), Random(1), [0]
    while not limits.reached():
        found.append(dive(exploration, starts, random.randrange).solutions)
    return fmean(found[1:]) if len(found) > 1 else 0.0


WAYS: dict[str, Way] = {
    "potentials": sampled(Switches()),
    "without potentials": sampled(Switches(potential=False)),
    "nor balance": sampled(Switches(potential=False, balance=False)),
    "and states not merged": sampled(Switches(potential=False, balance=False, merge=False)),
    "random dives": dives,
}


if __name__ == "__main__":
    main()
