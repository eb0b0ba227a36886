"""Drawings of regions."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactile.errors import RegionError
from exactile.files.puzzles.units import parse_drawing, write_drawing
from exactile.geometry import get_lattice
from exactile.geometry.isometry import as_tuples, to_origin
from exactile.geometry.lattice import Lattice, Point

DRAWN = ["square", "cube", "hexagon", "triangle"]


def test_squares_start_at_the_lower_left_corner() -> None:
    assert parse_drawing(".#\n#+\n", get_lattice("square")) == ([(0, 0), (1, 1)], [(1, 0)])


def test_layers_of_cubes_are_separated_by_blank_lines() -> None:
    required, _ = parse_drawing("##\n#.\n\n\n#.\n..\n", get_lattice("cube"))
    assert required == [(0, 0, 0), (0, 1, 0), (0, 1, 1), (1, 1, 0)]


def test_blank_lines_count_in_the_plane() -> None:
    assert parse_drawing("#\n\n#\n  \n", get_lattice("square"))[0] == [(0, 0), (0, 2)]


def test_triangles_point_up_at_the_lower_left_corner() -> None:
    required, _ = parse_drawing(" #\n###", get_lattice("triangle"))
    assert required == [(0, 0, 0), (0, 0, 1), (0, 1, 0), (1, 0, 0)]


def test_the_ring_of_six_hexagons() -> None:
    required, _ = parse_drawing("..#\n#...#\n\n#...#\n..#", get_lattice("hexagon"))
    middle = (1, 1)
    around = {
        (middle[0] + x, middle[1] + y)
        for x, y in ((1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1), (1, -1))
    }
    low = min(required)
    shift = [a - b for a, b in zip(min(around), low, strict=True)]
    assert {(x + shift[0], y + shift[1]) for x, y in required} == around


def test_what_cannot_be_drawn() -> None:
    with pytest.raises(RegionError, match="cannot be drawn: write units"):
        parse_drawing("#", get_lattice("cube-faces"))
    with pytest.raises(RegionError, match=r"'\\t' in line 2 of the drawing has no meaning"):
        parse_drawing("#\n\t#", get_lattice("square"))
    with pytest.raises(RegionError, match="moves by 2 columns and 1 line, a step"):
        parse_drawing("##", get_lattice("hexagon"))


def cells_of(lattice: Lattice) -> st.SearchStrategy[list[Point]]:
    place = st.tuples(*[st.integers(-4, 4)] * lattice.dimension)
    kinds = len(lattice.origins)
    cell = (
        place if kinds == 1 else st.builds(lambda p, k: (*p, k), place, st.integers(0, kinds - 1))
    )
    return st.lists(cell, min_size=1, max_size=12, unique=True)


@given(st.data())
@pytest.mark.parametrize("name", DRAWN)
def test_written_drawings_are_read_again(name: str, data: st.DataObject) -> None:
    lattice = get_lattice(name)
    cells = data.draw(cells_of(lattice))
    optional = cells[len(cells) // 2 + 1 :]
    required = cells[: len(cells) // 2 + 1]
    again, loose = parse_drawing(write_drawing(required, optional, lattice), lattice)
    assert (len(again), len(loose)) == (len(required), len(optional))
    forms = [
        as_tuples(to_origin(lattice.points(group), lattice.period))
        for group in (cells, again + loose)
    ]
    assert forms[0] == forms[1]
