"""Small random puzzles on every lattice that need only some of their pieces."""

from __future__ import annotations

import random
from collections import Counter

import numpy as np

import exactile
from exactile.geometry import get_lattice
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import Omission, Puzzle, Region
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.surveys.subsets import Uses
from support.random_puzzles import PUZZLE_LATTICES


def subset_puzzle(seed: int) -> Puzzle:
    """Return a puzzle on lattice number ``seed`` modulo their number."""
    rng = random.Random(seed)
    names = PUZZLE_LATTICES
    lattice = get_lattice(names[seed % len(names)])
    freedom = rng.choice([Freedom.FREE, Freedom.ONE_SIDED])
    forms = [tuple(map(tuple, f)) for n in (1, 2, 3) for f in generate(lattice, n, freedom)]
    chosen = sorted(rng.sample(range(len(forms)), min(len(forms), 6)))
    bounds = [rng.choice([(0, 1), (0, 1), (0, 2), (1, 1)]) for _ in chosen]
    omission = None
    if rng.random() < 0.3:
        bounds = [(1, 1)] * len(chosen)
        names_ = tuple("ABCDEF"[: len(chosen)])
        omission = Omission(names_, max(1, len(chosen) - 3))
    pieces = tuple(
        Piece("ABCDEF"[k], lattice, forms[f], freedom, low, high)
        for k, (f, (low, high)) in enumerate(zip(chosen, bounds, strict=True))
    )
    units = np.array(_grown(lattice, rng, 7), dtype=np.int64)
    optional = np.array([rng.random() < 0.15 for _ in units])
    return Puzzle(f"some-{seed}", Region(lattice, units, optional), pieces, (), omission)


def _grown(lattice: Lattice, rng: random.Random, size: int) -> list[Point]:
    """Return a random connected set of units that stays near its beginning."""
    start = rng.choice(lattice.origins)
    chosen = [start]
    while len(chosen) < size:
        near = sorted(
            {
                tuple(c + s for c, s in zip(unit, step, strict=True))
                for unit in chosen
                for step in lattice.neighbors[int(lattice.types(np.array(unit)))]
            }
            - set(chosen)
        )
        near.sort(key=lambda p: sum((c - s) ** 2 for c, s in zip(p, start, strict=True)))
        chosen.append(rng.choice(near[:4]))
    return chosen


def uses_of(puzzle: Puzzle, solution: exactile.Solution) -> Uses:
    """Return how often a solution uses each piece, counted one by one."""
    number = Counter(p.piece for p in solution)
    return tuple(number[p.name] for p in puzzle.pieces)


def by_brute_force(puzzle: Puzzle) -> Counter[Uses]:
    """Return the number of solutions of each subset, from the plain search and no symmetry."""
    with exactile.Search(puzzle, backend="reference", use_symmetry=False) as search:
        return Counter(uses_of(puzzle, solution) for solution in search)
