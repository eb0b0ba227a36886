"""Describe the units of a region in a few lines: a builder, a drawing, or units."""

from __future__ import annotations

import inspect
from itertools import product

import numpy as np

from exactile.errors import RegionError
from exactile.files.drawing import parse_drawing, write_drawing
from exactile.files.units import write_units
from exactile.geometry import get_lattice
from exactile.geometry.isometry import as_tuples, to_origin
from exactile.geometry.lattice import Lattice, Point

MAX_SIZE = 20
"""Largest size tried for a builder."""


def region_lines(cells: list[Point], lattice: Lattice) -> list[str]:
    """Return the lines that describe a region: a builder, a drawing, or units.

    On a lattice of edges they describe cells, and then the edges more or less than around those.
    """
    if lattice.frame is None:
        return cell_lines(cells, lattice)
    units = {tuple(p) for p in lattice.points(cells).tolist()}
    cell_lattice = get_lattice(lattice.frame.lattice)
    kinds = len(cell_lattice.origins)
    inside = {c: len(around([c], kinds, lattice) & units) for c in near(cells, lattice, kinds)}
    choices = {tuple(c for c, n in inside.items() if n >= least) for least in range(2, 7)}
    texts = [[f'region.units = "{write_units(cells)}"']]
    for choice in choices - {()}:
        base = around(list(choice), kinds, lattice)
        changes = [
            f'region.{key} = [{{ units = "{unit_text(change, lattice)}" }}]'
            for key, change in (("plus", units - base), ("minus", base - units))
            if change
        ]
        texts.append([*cell_lines(list(choice), cell_lattice), *changes])
    return min(texts, key=lambda lines: (len("".join(lines)) + 5 * len(lines), lines))


def near(units: list[Point], lattice: Lattice, kinds: int) -> list[Point]:
    """Return all cells near units of a lattice of edges."""
    reach = range(-2, 3 + max(max(unit) for unit in units))
    places = product(reach, repeat=lattice.dimension)
    return [(*p, kind) if kinds > 1 else p for p in places for kind in range(kinds)]


def unit_text(points: set[Point], lattice: Lattice) -> str:
    """Return points as words."""
    return write_units(lattice.coordinates(np.array(sorted(points), dtype=np.int64)))


def around(cells: list[Point], kinds: int, lattice: Lattice) -> set[Point]:
    """Return the units around cells."""
    return {tuple(p) for p in lattice.units_around(cells, kinds).tolist()}


def cell_lines(cells: list[Point], lattice: Lattice) -> list[str]:
    """Return the lines that describe cells, at the very place where they are."""
    form = normal(cells, lattice)
    for name, builder in lattice.builders.items():
        arity = len(inspect.signature(builder).parameters)
        for sizes in product(range(1, MAX_SIZE + 1 if arity > 1 else 7), repeat=arity):
            built = try_builder(builder, sizes)
            if len(built) == len(cells) and normal(built, lattice) == form:
                size = str(list(sizes)) if arity > 1 else str(sizes[0])
                return [f"region.{name} = {size}", *shift_line(built, cells, lattice)]
    drawing = write_drawing(cells, [], lattice)
    drawn, _ = parse_drawing(drawing, lattice)
    return ['region.drawing = """', *drawing.split("\n"), '"""', *shift_line(drawn, cells, lattice)]


def try_builder(builder: object, sizes: tuple[int, ...]) -> list[Point]:
    """Return what a builder makes of sizes, nothing if it refuses them."""
    assert callable(builder)
    try:
        return list(builder(*sizes))
    except RegionError:
        return []


def normal(cells: list[Point], lattice: Lattice) -> tuple[Point, ...]:
    """Return cells at the origin."""
    return as_tuples(to_origin(lattice.points(cells), lattice.period))


def shift_line(start: list[Point], goal: list[Point], lattice: Lattice) -> list[str]:
    """Return the line that moves cells to their place, none if they are there."""
    low, high = (lattice.points(c).min(axis=0) // lattice.period for c in (start, goal))
    shift = np.subtract(high, low).tolist()
    return [f"region.shift = {shift}"] if any(shift) else []
