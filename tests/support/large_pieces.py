"""A puzzle of cubes with few pieces of hundreds of units, as people draw them in BurrTools."""

from __future__ import annotations

import random
from math import pi, sin

from exactile.geometry import get_lattice
from exactile.geometry.isometry import as_tuples
from exactile.puzzle import Puzzle, Region
from exactile.puzzle.pieces.piece import Freedom, Piece

SIDE = 12
LEVELS = (1.0, 2.1, 3.2, 4.3, 8.5, 9.5, 10.5, 11.6)
REMOVED = 40


def large_pieces(seed: int = 15) -> Puzzle:
    """Return a cube less some units, cut into nine wavy layers, the middle one thick.

    Each piece spans the cube in two directions, and avoids what is removed only in a few places.
    """
    rng = random.Random(seed)
    cube = get_lattice("cube")
    cells = [(x, y, z) for x in range(SIDE) for y in range(SIDE) for z in range(SIDE)]
    cuts: dict[tuple[int, int], list[float]] = {}
    for x, y, _ in cells:
        wave = 1.5 * sin(2 * pi * x / 7) + 1.5 * sin(2 * pi * y / 9 + 1) + rng.uniform(-0.3, 0.3)
        cuts[x, y] = [level + wave for level in LEVELS]
    kept = sorted(set(cells) - set(rng.sample(cells, REMOVED)))
    layers: dict[int, list[tuple[int, int, int]]] = {}
    for x, y, z in kept:
        layers.setdefault(sum(cut < z + 0.5 for cut in cuts[x, y]), []).append((x, y, z))
    pieces = [
        Piece(f"P{layer}", cube, as_tuples(cube.points(own)), Freedom.ONE_SIDED)
        for layer, own in sorted(layers.items())
    ]
    return Puzzle("large-pieces", Region(cube, cube.points(kept)), tuple(pieces))
