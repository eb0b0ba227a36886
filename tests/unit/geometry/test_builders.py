"""Builders: sizes by closed formulas, symmetries, what is refused."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from exactile.errors import RegionError
from exactile.geometry import get_lattice
from exactile.geometry.isometry import as_tuples, to_origin, transform
from exactile.geometry.lattice import MAX_UNITS, Lattice, Point
from exactile.geometry.lattices import cube, hexagon, square, triangle

SQUARE, HEXAGON, TRIANGLE, CUBE = map(get_lattice, ("square", "hexagon", "triangle", "cube"))
CELL_LATTICES = [SQUARE, HEXAGON, TRIANGLE, CUBE]


def triangular(n: int) -> int:
    return n * (n + 1) // 2


def hexagon_of_points(a: int, b: int, c: int, d: int) -> int:
    """Points of a hexagon with sides a, b, c, d, ... steps: a triangle less its three corners."""
    f = c + d - a
    return triangular(a + b + f + 1) - triangular(b) - triangular(d) - triangular(f)


FORMULAS: list[tuple[Lattice, str, Callable[..., int]]] = [
    (SQUARE, "box", lambda w, h: w * h),
    (SQUARE, "triangle", triangular),
    (SQUARE, "trapezoid", lambda b, h: triangular(b) - triangular(b - h)),
    (SQUARE, "parallelogram", lambda w, h: w * h),
    (SQUARE, "gable", lambda n: n * n),
    (SQUARE, "diamond", lambda r: 2 * r * r - 2 * r + 1),
    (SQUARE, "aztec_diamond", lambda n: 2 * n * (n + 1)),
    (HEXAGON, "box", lambda w, h: w * h),
    (HEXAGON, "triangle", triangular),
    (HEXAGON, "trapezoid", lambda b, h: triangular(b) - triangular(b - h)),
    (HEXAGON, "hexagon", lambda s: 3 * s * s - 3 * s + 1),
    (HEXAGON, "elongated_hexagon", lambda b, s: b * (2 * s - 1) + (s - 1) ** 2),
    (
        HEXAGON,
        "semiregular_hexagon",
        lambda b, s: triangular(b + 2 * s - 2) - 3 * triangular(s - 1),
    ),
    (HEXAGON, "irregular_hexagon", lambda *s: hexagon_of_points(*(x - 1 for x in s))),
    (HEXAGON, "hexagram", lambda s: 3 * s * s - 3 * s + 1 + 6 * triangular(s - 1)),
    (HEXAGON, "butterfly", lambda b, s: 2 * b * s - s * (s - 1) - (b - s + 1)),
    (HEXAGON, "chevron", lambda b, s: b * (2 * s - 1)),
    (HEXAGON, "staggered", lambda w, h: w * h),
    (HEXAGON, "inset", lambda w, h: w * h - w // 2),
    (HEXAGON, "rounded", lambda w, h: w * h + w // 2),
    (TRIANGLE, "box", lambda w, h: 2 * w * h),
    (TRIANGLE, "triangle", lambda s: s * s),
    (TRIANGLE, "trapezoid", lambda b, h: b * b - (b - h) ** 2),
    (TRIANGLE, "hexagon", lambda s: 6 * s * s),
    (TRIANGLE, "elongated_hexagon", lambda b, s: 4 * b * s + 2 * s * s),
    (TRIANGLE, "semiregular_hexagon", lambda b, s: (b + 2 * s) ** 2 - 3 * s * s),
    (
        TRIANGLE,
        "irregular_hexagon",
        lambda a, b, c, d: (b + c + d) ** 2 - b * b - d * d - (c + d - a) ** 2,
    ),
    (TRIANGLE, "hexagram", lambda s: 12 * s * s),
    (TRIANGLE, "butterfly", lambda b, s: 2 * (b * b - (b - s) ** 2)),
    (TRIANGLE, "chevron", lambda b, s: 4 * b * s),
    (CUBE, "box", lambda w, d, h: w * d * h),
    (CUBE, "ring_wall", lambda w, d, h: (w * d - (w - 2) * (d - 2)) * h),
    (CUBE, "open_box", lambda w, d, h: w * d * h - (w - 2) * (d - 2) * (h - 1)),
]

SIZES: dict[int, list[tuple[int, ...]]] = {
    1: [(1,), (2,), (5,)],
    2: [(3, 3), (4, 2), (5, 3)],
    3: [(3, 3, 1), (5, 4, 3)],
    4: [(2, 2, 2, 2), (3, 2, 4, 2), (4, 2, 2, 4), (2, 4, 3, 3)],
}


@pytest.mark.parametrize(
    ("lattice", "name", "formula"), FORMULAS, ids=[f"{row[0].name}-{row[1]}" for row in FORMULAS]
)
def test_sizes_follow_their_formulas(
    lattice: Lattice, name: str, formula: Callable[..., int]
) -> None:
    builder: Callable[..., list[Point]] = lattice.builders[name]
    arity = {"triangular": 1}.get(formula.__name__, formula.__code__.co_argcount) or 4
    for sizes in SIZES[arity]:
        cells = builder(*sizes)
        assert len(set(cells)) == len(cells) == formula(*sizes), sizes
        low = np.array(cells)[:, : lattice.dimension].min(axis=0)
        assert low.tolist() == [0] * lattice.dimension, sizes


def test_every_builder_of_cells_has_its_formula() -> None:
    tested = {(lattice.name, name) for lattice, name, _ in FORMULAS}
    assert tested == {
        (lattice.name, name) for lattice in CELL_LATTICES for name in lattice.builders
    }


def symmetry_order(lattice: Lattice, cells: list[Point]) -> int:
    images = transform(lattice.points(cells), lattice.group)
    forms = [as_tuples(to_origin(image, lattice.period)) for image in images]
    return sum(form == forms[0] for form in forms)


@pytest.mark.parametrize(
    ("lattice", "name", "sizes", "order"),
    [
        (SQUARE, "box", (3, 2), 4),
        (SQUARE, "triangle", (4,), 2),
        (SQUARE, "trapezoid", (4, 2), 1),
        (SQUARE, "parallelogram", (4, 3), 2),
        (SQUARE, "gable", (3,), 2),
        (SQUARE, "diamond", (3,), 8),
        (SQUARE, "aztec_diamond", (3,), 8),
        (HEXAGON, "hexagon", (3,), 12),
        (HEXAGON, "semiregular_hexagon", (4, 2), 6),
        (HEXAGON, "elongated_hexagon", (4, 2), 4),
        (HEXAGON, "irregular_hexagon", (4, 2, 3, 4), 2),
        (HEXAGON, "hexagram", (3,), 12),
        (HEXAGON, "butterfly", (4, 2), 4),
        (HEXAGON, "chevron", (4, 2), 2),
        (HEXAGON, "staggered", (4, 2), 2),
        (HEXAGON, "staggered", (5, 2), 2),
        (HEXAGON, "inset", (5, 3), 4),
        (HEXAGON, "rounded", (5, 3), 4),
        (TRIANGLE, "triangle", (4,), 6),
        (TRIANGLE, "trapezoid", (4, 2), 2),
        (TRIANGLE, "hexagon", (2,), 12),
        (TRIANGLE, "semiregular_hexagon", (3, 2), 6),
        (TRIANGLE, "elongated_hexagon", (3, 2), 4),
        (TRIANGLE, "hexagram", (2,), 12),
        (TRIANGLE, "butterfly", (4, 2), 4),
        (TRIANGLE, "chevron", (3, 2), 2),
        (CUBE, "ring_wall", (4, 3, 2), 8),
        (CUBE, "open_box", (4, 4, 3), 8),
        (CUBE, "open_box", (5, 4, 3), 4),
    ],
)
def test_symmetries(lattice: Lattice, name: str, sizes: tuple[int, ...], order: int) -> None:
    assert symmetry_order(lattice, lattice.builders[name](*sizes)) == order


def test_some_shapes_are_the_same() -> None:
    for module in (hexagon, triangle):
        assert module.elongated_hexagon(3, 3) == module.hexagon(3)
        assert module.semiregular_hexagon(3, 3) == module.hexagon(3)
        assert module.irregular_hexagon(4, 2, 4, 2) == module.semiregular_hexagon(4, 2)
    assert set(cube.open_box(4, 5, 3)) == set(cube.ring_wall(4, 5, 3)) | set(cube.box(4, 5, 1))
    assert set(square.aztec_diamond(1)) == set(square.box(2, 2))


def test_expansions() -> None:
    assert set(cube.prism(square.box(3, 2), 4)) == set(cube.box(3, 2, 4))
    assert set(cube.prism_x(square.box(3, 2), 4)) == set(cube.box(4, 3, 2))
    assert set(cube.prism_y(square.box(3, 2), 4)) == set(cube.box(3, 4, 2))
    assert len(cube.pyramid(square.diamond(4), 4)) == 25 + 13 + 5 + 1
    assert len(cube.pyramid(square.box(5, 4), 2)) == 20 + 6
    assert symmetry_order(CUBE, cube.pyramid(square.aztec_diamond(3), 3)) == 8
    for side in (1, 2):
        cells = triangle.hexgrid(hexagon.hexagon(2), side)
        assert len(set(cells)) == len(cells) == 7 * 6 * side**2
        assert symmetry_order(TRIANGLE, cells) == 12
    assert set(triangle.hexgrid([(5, -2)], 3)) == set(triangle.hexagon(3))


def test_a_diamond_lattice_has_four_sticks_a_square() -> None:
    sticks = get_lattice("square-edges")
    for width, height in ((1, 1), (4, 2), (3, 5)):
        cells = sticks.builders["diamond_lattice"](width, height)
        assert len(cells) == width * height
        assert len(sticks.units_around(cells, 1)) == 4 * width * height
        assert np.min(cells) == 0


@pytest.mark.parametrize("lattice", CELL_LATTICES, ids=lambda lattice: lattice.name)
def test_sizes_that_are_none_or_too_large_are_refused(lattice: Lattice) -> None:
    for name, builder in lattice.builders.items():
        arity = {"irregular_hexagon": 4}.get(name, 3 if lattice is CUBE else 2)
        arity = 1 if name in ONE_SIZE else arity
        for bad in (0, -3):
            for place in range(arity):
                sizes = [bad if i == place else 4 for i in range(arity)]
                with pytest.raises(RegionError, match=f"A size of {bad} makes"):
                    builder(*sizes)
        with pytest.raises(RegionError, match=f"the limit is {MAX_UNITS:,}"):
            builder(*[10**9] * arity)


ONE_SIZE = {"triangle", "gable", "diamond", "aztec_diamond", "hexagon", "hexagram"}


@pytest.mark.parametrize(
    ("build", "message"),
    [
        (lambda: square.trapezoid(3, 4), "at most 3 rows"),
        (lambda: triangle.trapezoid(3, 4), "higher than its base"),
        (lambda: triangle.butterfly(3, 4), "higher than its base"),
        (lambda: hexagon.irregular_hexagon(2, 2, 2, 6), "first two of them are too short"),
        (lambda: triangle.irregular_hexagon(6, 2, 2, 2), "last two of them are too short"),
        (lambda: hexagon.inset(3, 1), "at least 2 hexagons"),
        (lambda: cube.ring_wall(2, 5, 1), "at least 3 by 3"),
        (lambda: cube.open_box(2, 5, 1), "at least 3 by 3"),
        (lambda: cube.pyramid(square.box(3, 3), 3), "has 2 layers, not 3"),
        (lambda: cube.prism([], 3), "sizes start at 1"),
        (lambda: triangle.hexgrid([], 3), "sizes start at 1"),
    ],
)
def test_sizes_that_do_not_fit_are_refused(build: Callable[[], object], message: str) -> None:
    with pytest.raises(RegionError, match=message):
        build()
