"""The data that a script needs to draw a puzzle and its solutions: lattice, pieces, units."""

from __future__ import annotations

import msgspec
import numpy as np

from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle import Puzzle, Solution
from exactile.render.colors import PALETTE

Numbered = tuple[str, tuple[int, ...]]
"""A placement in scripts: the piece, and the numbers of its units in the region."""


class LatticeData(msgspec.Struct, frozen=True):
    """The data of a lattice that a page needs to draw and move pieces; see `Lattice`."""

    name: str
    polyform: str
    plural: str
    period: int
    origins: tuple[Point, ...]
    embedding: tuple[tuple[float, ...], ...]
    faces: tuple[tuple[tuple[tuple[float, ...], ...], ...], ...]
    neighbors: tuple[tuple[Point, ...], ...]
    # The matrices of its point group, the identity first; the first `proper` are rotations
    group: list[list[list[int]]]
    proper: int
    flips: bool
    flat: bool  # whether it lies in the plane
    edges: bool  # whether its units are edges
    sets: tuple[str, ...]  # names of its sets of pieces


class PieceData(msgspec.Struct, frozen=True):
    """A piece: its points in one orientation, its freedom, and its number of uses."""

    name: str
    units: tuple[Point, ...]
    freedom: str
    lower: int
    upper: int
    color: str


def lattice_data(lattice: Lattice) -> LatticeData:
    """Return the data of a lattice that a page needs."""
    return LatticeData(
        name=lattice.name,
        polyform=lattice.polyform,
        plural=lattice.plural,
        period=lattice.period,
        origins=lattice.origins,
        embedding=lattice.embedding,
        faces=lattice.faces,
        neighbors=lattice.neighbors,
        group=lattice.group.tolist(),
        proper=len(lattice.proper),
        flips=lattice.flips,
        flat=len(lattice.embedding[0]) == 2,
        edges=len(lattice.faces[0][0]) == 2,
        sets=tuple(lattice.sets),
    )


def pieces_data(puzzle: Puzzle) -> list[PieceData]:
    """Return the pieces of a puzzle, each with its color."""
    return [
        PieceData(p.name, p.units, p.freedom.value, p.lower, p.upper, PALETTE[k % len(PALETTE)])
        for k, p in enumerate(puzzle.pieces)
    ]


def in_numbers(puzzle: Puzzle, solution: Solution) -> list[Numbered]:
    """Return placements in the form of the page.

    >>> import exactile
    >>> puzzle = exactile.load("soma-cube")
    >>> in_numbers(puzzle, exactile.solve_one(puzzle))[0]
    ('L', (0, 1, 2, 3))
    """
    index = puzzle.region.index
    return [(p.piece, tuple(index(np.array(p.units)).tolist())) for p in solution]
