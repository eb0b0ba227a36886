"""Prints how far means of many estimates are from the truth, in standard errors, as a table.

cd benchmarks && python unbiased.py > results/unbiased.md

Runs of few states each, on small puzzles, with everything that makes errors smaller on, off, or one
of it on. Each mean should be within three standard errors of the exact number; of a hundred right
means about one is not, as means of few lucky runs fall short more often than they exceed.
"""

from __future__ import annotations

import argparse
from dataclasses import fields, replace
from math import sqrt
from statistics import fmean, stdev

import exactile
from exactile.counting import sampled
from exactile.counting.sampled import SampledFrontier, Switches
from exactile.search.case import Case

PUZZLES = {
    "dominoes-6x6": (6_728, 4),
    "tetrominoes-5x4-tube": (140, 5),
    "tetrahexes-4x7": (18, 15),
    "soma-cube": (11_520, 25),
    "shader-hexagon": (108, 5),
    "trominoids-four-cubes": (144, 5),
    "polysticks-123-torus-5x2": (320, 12),
    "quasi-ditrigs-starburst": (3_576, 8),
    "quasi-polytrigs-12-elongated-hexagon-2x1": (2_168, 10),
    "polytwigs-1234-hex-1": (4_700, 20),
}
"""Numbers of solutions, and of the states that runs keep."""

PLAIN = Switches(
    merge=False, prune=False, balance=False, endings=False, orders=False, potential=False
)
SWITCHES = {
    "all on": Switches(),
    "all off": PLAIN,
    **{each.name: replace(PLAIN, **{each.name: True}) for each in fields(Switches)},
}
MOST = 3.0
"""Standard errors."""

ENDINGS = 10
"""Endings that are listed: with the usual number of them small puzzles are counted exactly."""

GUIDE_NODES_PER_STATE = 100_000
"""Room for potentials, though few states are kept."""


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--runs", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--only", help="puzzles, with commas between them")
    asked = parser.parse_args()
    sampled.GUIDE_ENDINGS, sampled.GUIDE_NODES_PER_STATE = ENDINGS, GUIDE_NODES_PER_STATE
    print(
        f"# Means of estimates\n\nHow far the mean of {asked.runs:,} runs is from the exact "
        "number, in standard errors; by `benchmarks/unbiased.py`.\n\n"
        f"| puzzle | solutions | states | {' | '.join(SWITCHES)} |\n|---|---:|---:"
        + "|---:" * len(SWITCHES)
        + "|",
        flush=True,
    )
    distances: list[float] = []
    for name in asked.only.split(",") if asked.only else PUZZLES:
        truth, states = PUZZLES[name]
        print(f"| {name} | {truth:,} | {states} ", end="", flush=True)
        case = Case(exactile.load(name))
        for switches in SWITCHES.values():
            frontier = SampledFrontier(case.model, case.puzzle, seed=asked.seed, switches=switches)
            found = frontier.estimate(states=states, runs=asked.runs)
            if found.exact:
                assert found.number == truth
                print("| exact ", end="", flush=True)
                continue
            values = frontier.stage.values
            error = stdev(map(float, values)) / sqrt(len(values))
            distances.append((float(fmean(values)) - truth) / max(error, 1e-9 * truth))
            print(f"| {distances[-1]:+.1f} ", end="", flush=True)
        print("|", flush=True)
    within = sum(abs(each) <= MOST for each in distances)
    print(f"\n{within} of {len(distances)} means are within {MOST:g} standard errors.")


if __name__ == "__main__":
    main()
