"""Regions to be tried: all of some number of cells, or of units, up to symmetry."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

import numpy as np

from exactile.geometry import get_lattice
from exactile.geometry.lattice import Lattice
from exactile.pieces.generate import generate
from exactile.puzzle.puzzle import Puzzle
from exactile.puzzle.region import Region
from exactile.puzzle.symmetry import symmetries


def regions_of_cells(lattice: Lattice, cells: int) -> Iterator[Region]:
    """Yield the regions of all polyforms of so many cells, up to symmetry.

    On lattices of edges, faces and parts of cells these are the units around or in connected cells;
    on lattices of cells the cells themselves.

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
    for form in generate(grid, cells):
        yield Region(lattice, lattice.units_around(grid.coordinates(form), len(grid.origins)))


def regions_of_units(lattice: Lattice, units: int) -> Iterator[Region]:
    """Yield the polyforms of so many units (or blocks of units), up to symmetry, as regions.

    Examples
    --------
    >>> len(list(regions_of_units(get_lattice("triangle-edges"), 4)))
    60
    """
    for form in generate(lattice, units):
        yield Region(lattice, np.asarray(form))


def on_regions(puzzle: Puzzle, regions: Iterator[Region], symmetric: int = 1) -> Iterator[Puzzle]:
    """Yield the puzzle with other regions, numbered from 1, those with enough symmetries.

    Parameters
    ----------
    puzzle
        Its pieces and its rule about crossings are kept; paint of the region, fixed placements and
        numbers known are not.
    regions
        The regions.
    symmetric
        Regions with fewer symmetries are left out; the identity counts as one.

    Examples
    --------
    >>> import exactile
    >>> puzzle = exactile.load("pentominoes-3x20")
    >>> crosses = on_regions(puzzle, regions_of_cells(puzzle.lattice, 5), symmetric=8)
    >>> [(p.name, len(p.region)) for p in crosses]
    [('pentominoes-3x20-12', 5)]
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
        )
        if symmetric <= 1 or len(symmetries(other)) >= symmetric:
            yield other
