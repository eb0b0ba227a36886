"""Families of regions: all with a given number of cells or units, up to symmetry."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import replace

import numpy as np

from exactile.errors import PuzzleError
from exactile.geometry import get_lattice
from exactile.geometry.isometry import aspects
from exactile.geometry.lattice import Lattice
from exactile.puzzle.pieces.generate import generate, of_blocks
from exactile.puzzle.pieces.piece import Freedom
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.region import Region
from exactile.puzzle.symmetry import symmetries
from exactile.search.case import areas
from exactile.surveys.subsets.selection import area_fits, whole


def regions_of_cells(lattice: Lattice, cells: int) -> Iterator[Region]:
    """Yield the regions that consist of `cells` connected cells, each once up to symmetry.

    On a lattice of cells, a region has these cells. On a lattice of edges, faces or parts of cells,
    it has the units around the cells or in them. Two sets of cells can have the same units: a ring
    around a hole of one cell can have the same edges as the ring with the hole filled. Such a
    region is yielded for each of the two values of `cells`. Raise PieceError if there are too many
    regions or `cells` is out of range: see `exactile.generate`.

    Examples
    --------
    >>> [len(region) for region in regions_of_cells(get_lattice("triangle-edges"), 4)]
    [9, 9, 9]
    >>> len(list(regions_of_cells(get_lattice("square"), 5)))
    12
    """
    frame = lattice.frame
    if frame is None:
        yield from regions_of_units(lattice, cells)
        return
    grid = get_lattice(frame.lattice)
    seen: set[bytes] = set()
    for form in generate(grid, cells):
        units = lattice.units_around(grid.coordinates(form), len(grid.origins))
        least = aspects(units, lattice.group, lattice.period)[0].tobytes()
        if least not in seen:
            seen.add(least)
            yield Region(lattice, units)


def regions_of_units(lattice: Lattice, units: int) -> Iterator[Region]:
    """Yield all polyforms of `units` units as regions, each once up to symmetry.

    If the cells of the lattice are blocks of units, `units` is the number of blocks. Raise
    PieceError if there are too many polyforms or `units` is out of range: see `exactile.generate`.

    Examples
    --------
    >>> len(list(regions_of_units(get_lattice("triangle-edges"), 4)))
    60
    """
    # A shape that lies on the lattice in different ways gives different regions.
    every = of_blocks(lattice, units, Freedom.FREE) if lattice.block else generate(lattice, units)
    for form in every:
        yield Region(lattice, np.asarray(form))


def family(
    puzzle: Puzzle, cells: int | None = None, units: int | None = None, symmetric: int = 1
) -> Iterator[Puzzle]:
    """For each region of a given size, yield the puzzle with this region.

    `cells`: number of cells of each region; if None, see `regions_of_units`. As in `on_regions`, a
    region is left out if the pieces cannot have its area, or if it has fewer than `symmetric`
    symmetries. Raise PuzzleError if the puzzle has fixed placements, because other regions may not
    contain them, or if there are too many regions or their size is out of range.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("tetrominoes-5x4-tube")
    >>> len(list(family(puzzle, cells=21, symmetric=1))), len(list(family(puzzle, cells=40)))
    (0, 0)
    """
    if puzzle.fixed:
        raise PuzzleError(
            f"{puzzle.name} gives pieces in their places, which other regions do not have: leave "
            "out `fixed` or --fix."
        )
    lattice = puzzle.lattice
    low, high = whole(puzzle)
    if not lattice.block and (cells is None or lattice.frame is None):
        area = units or 0 if cells is None else cells
        if not areas([piece.order for piece in puzzle.pieces], low, high, area) >> area & 1:
            return
    regions = (
        regions_of_cells(lattice, cells)
        if cells is not None
        else regions_of_units(lattice, units or 0)
    )
    yield from on_regions(puzzle, regions, symmetric)


def on_regions(puzzle: Puzzle, regions: Iterable[Region], symmetric: int = 1) -> Iterator[Puzzle]:
    """For each of `regions`, yield the puzzle with this region instead of its own.

    The name and title of each new puzzle end with the number of its region, from 1. A region is
    left out if no choice of the pieces has its area, or if the new puzzle has fewer than
    `symmetric` symmetries; the identity counts as one.

    Aliases and known numbers of solutions are dropped, and so is everything about units of the old
    region: their paint and labels, fixed placements, rules about open units, and rules about the
    use of pieces in given places.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("shader-hexagon")
    >>> found = on_regions(puzzle, regions_of_cells(puzzle.lattice, 7), symmetric=3)
    >>> [(p.name, len(p.region)) for p in found]
    [('shader-hexagon-24', 15)]
    """
    for number, region in enumerate(regions, start=1):
        name = f"{puzzle.name}-{number}"
        paint = replace(puzzle.paint, units={})
        other = replace(
            puzzle,
            name=name,
            title=name,
            aliases=(),
            region=region,
            fixed=(),
            paint=paint,
            known=(),
            open_rules=(),
            use_rules=tuple(rule for rule in puzzle.use_rules if not rule.places),
            labels={},
        )
        if not area_fits(other, whole(other)):
            continue
        if symmetric <= 1 or len(symmetries(other)) >= symmetric:
            yield other
