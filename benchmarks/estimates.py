"""Prints how estimates of the number of solutions compare with exact numbers, as a table.

cd benchmarks && python estimates.py --states 4000 --puzzles 60 --workers 1
cd benchmarks && python estimates.py --states 1000 --puzzles 20 --workers 1 --estimates 5 --seed 3

The puzzles are drawn by lot from those of the catalogue with an exact number.
"""

from __future__ import annotations

import argparse
from random import Random
from statistics import median

import exactile
from exactile.answers import Sampled
from exactile.counting.sampled import SampledFrontier, Switches
from exactile.files.puzzles.catalogue import LedgerEntry, ledger
from exactile.search.case import Case
from exactile.search.limits import Limits

LEAST_SOLUTIONS = 10**5
PIECES = range(15, 61)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--puzzles", type=int, default=100)
    parser.add_argument("--skip", type=int, default=0, help="leave out the first ones of the lot")
    parser.add_argument("--seconds", type=float, default=60.0, help="for each of them")
    parser.add_argument("--states", type=int, help="of a level that stay, instead of a time")
    parser.add_argument("--estimates", type=int, default=1, help="of each of them")
    parser.add_argument("--plain", action="store_true", help="without potentials")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1, help="of the lot")
    asked = parser.parse_args()
    each = (
        f"{asked.states:,} states a level"
        if asked.states
        else f"at most {asked.seconds:g} seconds each, after the model, on {asked.workers} threads"
    )
    print(
        f"# Estimates of exact numbers\n\n{asked.puzzles} puzzles of the catalogue by lot (seed "
        f"{asked.seed}), of {PIECES[0]} to {PIECES[-1]} pieces and more than "
        f"{LEAST_SOLUTIONS:,} solutions; {each}{'; without potentials' if asked.plain else ''}. "
        "Errors are parts of the exact number.\n\n"
        "| puzzle | exact | estimate | interval | error | half-width | states | runs "
        "| lived | potential |\n|---|---:|---:|---:|---:|---:|---:|---:|---:|---|"
    )
    halves, held, exact, tried = [], 0, 0, 0
    for known in drawn(asked.skip + asked.puzzles, asked.seed)[asked.skip :]:
        truth = known.numbers.raw if known.numbers else 0
        for seed in range(1, asked.estimates + 1):
            frontier = frontier_of(known.id, seed, asked.workers, potential=not asked.plain)
            limits = None if asked.states else Limits(asked.seconds)
            found = frontier.estimate(limits, states=asked.states)
            print(row(known.id, truth, found, guided=frontier.guided), flush=True)
            tried += 1
            if found.low is not None and found.high is not None:
                halves.append(found.half_width or 0.0)
                held += found.low <= truth <= found.high
                exact += found.exact
    print(
        f"\nEstimated: {len(halves)} of {tried}, {exact} of them exactly. The interval "
        f"holds the exact number for {held} of {len(halves)}. "
        + (f"Median of half-widths: {median(halves):.1%}." if halves else "")
    )


def drawn(number: int, seed: int) -> list[LedgerEntry]:
    """Return some puzzles, drawn by lot."""
    known = [
        entry
        for _, entry in sorted(ledger().items())
        if entry.numbers is not None and entry.numbers.raw > LEAST_SOLUTIONS
    ]
    Random(seed).shuffle(known)
    chosen: list[LedgerEntry] = []
    for entry in known:
        if len(chosen) == number:
            break
        puzzle = exactile.load(entry.id)
        least = sum(piece.lower for piece in puzzle.pieces)
        if least == sum(piece.upper for piece in puzzle.pieces) and least in PIECES:
            chosen.append(entry)
    return chosen


def frontier_of(name: str, seed: int, workers: int, *, potential: bool) -> SampledFrontier:
    """Return a frontier that has not begun."""
    case = Case(exactile.load(name))
    switches = Switches(potential=potential)
    return SampledFrontier(case.model, case.puzzle, seed=seed, workers=workers, switches=switches)


def row(name: str, truth: int, found: Sampled, *, guided: bool) -> str:
    """Return the row of an estimate."""
    cells = [name, f"{truth:,}"]
    if found.number is None or found.rounded is None:
        cells += ["", "", "", ""]
    else:
        number, low, high = found.rounded
        cells += [
            "exact" if found.exact else number,
            f"{low} to {high}",
            f"{(found.number - truth) / truth:+.1%}",
            f"{found.half_width:.1%}",
        ]
    cells += [f"{found.states:,}", str(found.runs), str(found.lived), "yes" if guided else "no"]
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    main()
