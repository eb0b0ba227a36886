"""Challenges of ten puzzles of seven lattices: made, checked, graded; how grades agree.

``python benchmarks/design.py [NUMBER]`` prints a table and how the levels of all challenges agree
with the nodes of a search: the rank correlation, and the median for each level. Every challenge is
checked as it is made, see `exactile.design_challenges`; it is counted here how many have one
solution, are minimal, and differ from all others of the puzzle up to symmetry, by the engine.
"""

from __future__ import annotations

import sys
import time
from statistics import correlation, median

import exactile
from exactile.answers import Grade
from exactile.model.decoder import PlacementIndex
from exactile.search.case import Case
from exactile.surveys.design.challenges import challenge_puzzles
from exactile.surveys.design.clues import Language

PUZZLES = (
    "pentominoes-6x10",
    "dominoes-6x6",
    "soma-cube",
    "tetracubes-2x4x4",
    "tetrahexes-4x7",
    "hexiamonds-6x6",
    "hexiamonds-4x10-long-hexagon",
    "tetrasticks-5x5-without-h",
    "tetraboloes-11x3-2211",
    "one-sided-pentatwigs-inset-rectangle-7x4-2",
)

MOST_CHOICES = 50
"""Choices after which a grade is the last one."""


def main(number: int) -> None:
    """Print a line for each puzzle, then how grades agree with nodes."""
    print("| puzzle | lattice | challenges | one solution | minimal | different | levels | CPU s |")
    print("|---|---|---|---|---|---|---|---|")
    begun, grades, total = time.process_time(), list[Grade](), 0
    for name in PUZZLES:
        puzzle = exactile.load(name)
        started = time.process_time()
        found = exactile.design_challenges(puzzle, number)
        spent = time.process_time() - started
        language = Language(Case(puzzle))
        index = PlacementIndex(puzzle, language.model)
        stated = challenge_puzzles(puzzle, found)
        single = sum(exactile.count(each).raw == 1 for each in stated)
        minimal = sum(challenge.minimal for challenge in found.challenges)
        kinds = {language.least_image(index.options(each.fixed)) for each in stated}
        own = [exactile.grade(each, most_choices=MOST_CHOICES) for each in stated]
        levels = [grade.level or 0 for grade in own]
        told = " ".join(f"{levels.count(k)}x{k}" for k in range(1, 7) if k in levels)
        numbers = f"{len(stated)} | {single} | {minimal} | {len(kinds)}"
        print(f"| {name} | {puzzle.lattice.name} | {numbers} | {told} | {spent:.1f} |", flush=True)
        total += len(stated)
        grades += own
    print(f"\n{total} challenges, {time.process_time() - begun:.0f} s of processor, grades too.\n")
    for level in range(1, 7):
        nodes = [grade.nodes or 0 for grade in grades if grade.level == level]
        if nodes:
            print(f"- level {level}: {len(nodes)} challenges, median of {median(nodes):g} nodes")
    pairs = [(grade.level or 0, grade.nodes or 0) for grade in grades]
    steps = [(len(grade.steps), grade.nodes or 0) for grade in grades if grade.steps]
    print(f"- rank correlation of level and nodes: {_rank_correlation(pairs):.2f}")
    print(f"- rank correlation of steps and nodes: {_rank_correlation(steps):.2f}")


def _rank_correlation(pairs: list[tuple[int, int]]) -> float:
    """Return Spearman's coefficient; equal values share a rank."""
    one, other = (_ranks(values) for values in zip(*pairs, strict=True))
    return correlation(one, other)


def _ranks(values: tuple[int, ...]) -> list[float]:
    order = sorted(values)
    return [order.index(v) + (order.count(v) - 1) / 2 for v in values]


if __name__ == "__main__":
    main(int(sys.argv[1]) if sys.argv[1:] else 20)
