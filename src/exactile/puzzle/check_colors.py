"""The independent checker's part about color rules: whether pieces keep apart or hang together."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

import numpy as np

from exactile.geometry.lattice import Lattice, Point
from exactile.geometry.wrap import Wrap
from exactile.puzzle.congruence import reduced
from exactile.puzzle.puzzle import Puzzle, Solution


def color_faults(puzzle: Puzzle, solution: Solution) -> Iterator[str]:
    """Yield which color rules the placements break, in words.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-6x10")
    >>> list(color_faults(puzzle, exactile.solve_one(puzzle)))
    []
    """
    for rule in puzzle.color_rules:
        here = [p for p in solution if p.piece in rule.pieces]
        around = [_around(p.units, puzzle.lattice, puzzle.region.wrap) for p in here]
        touching = [
            (a, b)
            for a, b in combinations(range(len(here)), 2)
            if not around[a].isdisjoint(here[b].units)
        ]
        if rule.kind == "separated":
            for a, b in touching:
                yield f"the {rule.color} pieces {here[a].piece} and {here[b].piece} touch"
        elif here:
            reached = {0}
            for _ in here:  # after k rounds: what is reached in k steps
                reached |= {x for pair in touching if reached & set(pair) for x in pair}
            apart = [here[k].piece for k in range(len(here)) if k not in reached]
            if apart:
                yield (
                    f"the {rule.color} pieces are not joined: no way leads from {here[0].piece} "
                    f"to {', '.join(apart)}"
                )


def _around(units: tuple[Point, ...], lattice: Lattice, wrap: Wrap | None) -> set[Point]:
    """Return the neighbors of all units."""
    return {
        reduced(tuple(c + s for c, s in zip(unit, step, strict=True)), wrap)
        for unit in units
        for step in lattice.neighbors[int(lattice.types(np.array(unit)))]
    }
