"""Polyforms made of blocks of units, against forms of single units that happen to be such."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace

import numpy as np
import pytest

import exactile
from exactile.errors import PieceError
from exactile.geometry import get_lattice
from exactile.geometry.isometry import Points
from exactile.geometry.lattice import Lattice
from exactile.pieces.generate import generate
from exactile.pieces.piece import Freedom


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


@pytest.mark.parametrize(
    ("name", "order"), [("quarter-squares", n) for n in (1, 2, 3, 4)] + [("sixth-triangles", 2)]
)
@pytest.mark.parametrize("freedom", list(Freedom))
def test_blocks_are_the_right_ones_of_all_forms(name: str, order: int, freedom: Freedom) -> None:
    lattice = get_lattice(name)
    single = replace(lattice, block=())
    all_forms = generate(single, order * len(lattice.block), freedom)
    expected = {f.tobytes() for f in all_forms if is_made_of_halves(f, lattice)}
    forms = generate(lattice, order, freedom)
    assert {f.tobytes() for f in forms} == expected
    assert len(forms) == len(expected)
    assert [f.tolist() for f in forms] == sorted(f.tolist() for f in forms)


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
