"""Describe the units of a region in a few lines: builders, a drawing, or units.

On lattices of edges it is cells that are described, and then the edges more or less than around
(or between) those.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import replace
from itertools import product

import numpy as np

from building import Cells, low, moved, to_zero, workshop
from cells import of_cells
from description import Description, shift, words
from exactile.files.puzzles.regions import DraftGrid, read_region
from exactile.files.sources import Place
from exactile.geometry.isometry import as_tuples
from exactile.geometry.lattice import Lattice, Point

TRIED = 4
"""So many sets of cells are described, those that leave the least to say about edges."""


def region_lines(cells: list[Point], lattice: Lattice) -> list[str]:
    """Return the lines that describe a region, given by the customary coordinates of its units.

    Read again, they give exactly these units.
    """
    return describe(cells, lattice).lines()


def describe(units: list[Point], lattice: Lattice) -> Description:
    """Return the shortest description found for units."""
    described = edges(units, lattice) if lattice.frame else of_cells(frozenset(units), lattice)
    text = "\n".join(described.lines())
    region = read_region(tomllib.loads(text)["region"], lattice, Place("described"))
    found = {tuple(p) for p in region.units.tolist()}
    assert found == {tuple(p) for p in lattice.points(units).tolist()}, text
    return described


def edges(units: list[Point], lattice: Lattice) -> Description:
    """Describe edges by cells and the edges more or less than around or between those."""
    grid = DraftGrid(lattice)
    goal = {tuple(p) for p in lattice.points(units).tolist()}
    results = [Description("units", (f'units = "{words(units, 2)}"',)), *own_builders(goal, grid)]
    starts = [Start(goal, grid, *choice) for choice in choices(goal, grid)]
    for start in sorted(starts, key=lambda start: start.cost)[:TRIED]:
        found = of_cells(start.cells, grid.cell_lattice, framed=True)
        results.append(
            replace(
                found,
                plus=found.plus + start.plus,
                minus=found.minus + start.minus,
                border=start.border,
            )
        )
    return min(results, key=lambda d: (d.cost, d.base))


class Start:
    """Cells that stand for edges, and the edges more or less."""

    def __init__(self, goal: set[Point], grid: DraftGrid, border: bool, cells: Cells) -> None:
        draft = grid.draft(cells=grid.cells(sorted(cells)))
        units = grid.units(draft if border else grid.without_border(draft, None))[0]
        around = set(as_tuples(units))
        self.cells, self.border = cells, border
        self.plus, self.minus = (
            (f'units = "{words(coordinates(change, grid.lattice), 2)}"',) if change else ()
            for change in (goal - around, around - goal)
        )

    @property
    def cost(self) -> tuple[object, ...]:
        """Rank starts: little to say about edges, a border, few cells."""
        changes = len("".join(self.plus + self.minus))
        return changes, not self.border, len(self.cells), sorted(self.cells)


def own_builders(goal: set[Point], grid: DraftGrid) -> Iterator[Description]:
    """Yield the descriptions by builders that only this lattice of edges has."""
    here = low(goal, grid.lattice)
    for name, builder in grid.lattice.builders.items():
        if name in grid.cell_lattice.builders:
            continue
        for sizes in product(range(1, 16), repeat=2):
            draft = grid.draft(cells=grid.cells(builder(*sizes)))
            built = set(as_tuples(grid.units(draft)[0]))
            there = low(built, grid.lattice)
            steps = [h - t for h, t in zip(here, there, strict=True)]
            if len(built) == len(goal) and goal == set(moved(built, steps)):
                places = [step // grid.lattice.period for step in steps]
                moves = shift((0,) * len(places), places)
                yield Description("builder", (f"{name} = {list(sizes)}", *moves))


def choices(goal: set[Point], grid: DraftGrid) -> set[tuple[bool, Cells]]:
    """Return sets of cells that may stand for edges: those with enough edges around, and hulls."""
    inside = {cell: len(around & goal) for cell, around in near(goal, grid)}
    found = set()
    for least in range(1, 7):
        cells = frozenset(cell for cell, number in inside.items() if number >= least)
        if cells:
            found |= {(False, cells), (True, cells)} if least < 3 else {(True, cells)}
    return found | {
        (True, hull) for border, cells in found if border for hull in hulls(cells, grid)
    }


def hulls(cells: Cells, grid: DraftGrid) -> list[Cells]:
    """Return the smallest builders around cells."""
    lattice, shop, home = (
        grid.cell_lattice,
        workshop(grid.cell_lattice),
        low(cells, grid.cell_lattice),
    )
    if lattice.dimension > 2:
        return []
    there = to_zero(cells, lattice)
    around = shop.hulls(shop.mask(there), shop.spans(there))[:2]
    return [frozenset(moved(shop.cells(hull.mask), home)) for hull in around]


def near(goal: set[Point], grid: DraftGrid) -> Iterator[tuple[Point, set[Point]]]:
    """Yield the cells near units of a lattice of edges, and the units around each."""
    lattice, kinds = grid.lattice, len(grid.cell_lattice.origins)
    reach = range(-2, 3 + max(max(unit) for unit in goal) // lattice.period)
    for place in product(reach, repeat=lattice.dimension):
        for cell in [(*place, kind) for kind in range(kinds)] if kinds > 1 else [place]:
            around = {tuple(p) for p in lattice.units_around([cell], kinds).tolist()}
            if around & goal:
                yield cell, around


def coordinates(points: Iterable[Point], lattice: Lattice) -> list[Point]:
    """Return the customary coordinates of points."""
    return lattice.coordinates(np.array(sorted(points), dtype=np.int64))
