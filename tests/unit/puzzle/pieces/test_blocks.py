"""Polyforms made of blocks of units, against forms of single units that happen to be such."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from math import gcd

import numpy as np
import pytest

import exactile
from exactile.errors import PieceError
from exactile.geometry import get_lattice
from exactile.geometry.isometry import Matrices, Points
from exactile.geometry.lattice import Lattice, Point
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, motions


def cell_of(point: tuple[int, int], lattice: Lattice) -> tuple[int, ...]:
    """Return the square, or the triangle, that a unit is a part of."""
    x, y = (c // lattice.period for c in point)
    if lattice.name == "quarter-squares":
        return x, y
    assert lattice.period == 6
    return x, y, int(sum(c % 6 for c in point) > 6)


def is_made_of_halves(form: Points, lattice: Lattice) -> bool:
    """Return whether each square or triangle is covered not at all, half or wholly.

    Half of it are neighbours in a row, which is to say connected.
    """
    parts = defaultdict(set)
    for point in map(tuple, form.tolist()):
        parts[cell_of(point, lattice)].add(point)
    half = len(lattice.block)
    for part in parts.values():
        joints = sum(
            tuple(int(a + b) for a, b in zip(point, step, strict=True)) in part
            for point in part
            for step in lattice.neighbors[int(lattice.types(np.array(point)))]
        )
        if len(part) != 2 * half and (len(part) != half or joints != 2 * (half - 1)):
            return False
    return True


def outline(form: Points, lattice: Lattice, matrix: Matrices) -> frozenset[Point]:
    """Return the outline of a turned form: twice the middles of all steps around it.

    Steps between two units vanish.
    """
    parts: set[Point] = set()
    for unit, kind in zip(form, lattice.types(form).tolist(), strict=True):
        (face,) = lattice.faces[kind]
        corners = (np.array(face, dtype=np.int64) + unit) @ matrix.T
        for start, end in zip(corners, np.roll(corners, -1, axis=0), strict=True):
            number = gcd(*(end - start).tolist())
            step = (end - start) // number
            parts ^= {tuple((2 * start + (2 * k + 1) * step).tolist()) for k in range(number)}
    low = np.min(list(parts), axis=0)
    return frozenset(tuple((np.array(part) - low).tolist()) for part in parts)


def shape(form: Points, lattice: Lattice, matrices: Matrices) -> frozenset[frozenset[Point]]:
    """Return the outlines of a form under all matrices: equal for congruent forms."""
    return frozenset(outline(form, lattice, matrix) for matrix in matrices)


@pytest.mark.parametrize(
    ("name", "order"), [("quarter-squares", n) for n in (1, 2, 3, 4)] + [("sixth-triangles", 2)]
)
@pytest.mark.parametrize("freedom", list(Freedom))
def test_blocks_are_the_right_ones_of_all_forms(name: str, order: int, freedom: Freedom) -> None:
    lattice = get_lattice(name)
    single = replace(lattice, block=())
    made = [
        form
        for form in generate(single, order * len(lattice.block), freedom)
        if is_made_of_halves(form, lattice)
    ]
    forms = generate(lattice, order, freedom)
    assert {f.tobytes() for f in forms} <= {f.tobytes() for f in made}
    turns = motions(lattice, freedom)
    shapes = {shape(form, lattice, turns) for form in made}
    assert {shape(form, lattice, turns) for form in forms} == shapes
    assert len(forms) == len(shapes)
    assert [f.tolist() for f in forms] == sorted(f.tolist() for f in forms)


def test_a_hexadrafter_that_lies_on_the_grid_in_two_ways_is_counted_once() -> None:
    """An L of three rectangles: moved by half a side of a triangle it is cut in another way."""
    assert len(generate(get_lattice("sixth-triangles"), 6)) == 1024  # OEIS A056842


def test_there_are_no_quasi_polyforms_of_blocks() -> None:
    with pytest.raises(PieceError, match=r"no quasi-polyaboloes"):
        generate(get_lattice("quarter-squares"), 2, quasi=True)


def test_names_count_cells_and_twins_differ() -> None:
    grid = get_lattice("quarter-squares")
    names = list(exactile.piece_set("one-sided-triaboloes", grid).pieces)
    assert len(names) == 6
    assert {n.lower() for n in names if n.isupper() or n[0] == "P"} == {
        f"p3x{k}" for k in (1, 2, 3, 4)
    }
    assert all(p.order == 6 for p in map(exactile.piece_set("triaboloes", grid).piece, names[:4]))
