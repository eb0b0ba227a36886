"""Outlines: loops around cells, and the small pictures made of them."""

from __future__ import annotations

import re
from itertools import pairwise

import pytest

import exactile
from exactile.render.thumbnail import Node, boundary, outline, seams, thumbnail

RING = [(x, y) for x in range(3) for y in range(3) if (x, y) != (1, 1)]


def squares(cells: list[tuple[int, int]]) -> list[list[Node]]:
    return [[(x, y), (x + 1, y), (x + 1, y + 1), (x, y + 1)] for x, y in cells]


def area(loop: list[Node]) -> float:
    return sum(a[0] * b[1] - a[1] * b[0] for a, b in pairwise([*loop, loop[0]])) / 2


def test_a_hole_turns_the_other_way() -> None:
    loops = boundary(squares(RING))
    assert sorted(area(loop) for loop in loops) == [-1, 9]
    assert [len(loop) for loop in loops] == [4, 4]


@pytest.mark.parametrize("cells", [[(0, 0), (1, 1)], [(0, 0), (1, 1), (1, 0)], RING, RING[:-1]])
def test_loops_enclose_as_much_as_the_cells(cells: list[tuple[int, int]]) -> None:
    assert sum(area(loop) for loop in boundary(squares(cells))) == len(cells)
    path = outline(squares(cells), lambda node: (node[0] * 30, node[1] * 30))
    assert path.count("M") == path.count("z") == len(boundary(squares(cells)))


def test_lines_between_cells_are_joined() -> None:
    lines = seams(squares([(x, y) for x in range(4) for y in range(3)]))
    assert len(lines) == 3 + 2
    assert len(seams(squares(RING))) == 8


@pytest.mark.parametrize(
    "name",
    ["tetraboloes-7x4", "didrafters-hexagon", "hats-torus-4x2", "hexahexes-triangle"],
)
def test_cells_of_every_form_fit_together(name: str) -> None:
    """A region without holes has one outline, whichever way the cells are stored."""
    outer = re.findall(r'fill="#e8e8e8" d="([^"]*)"', thumbnail(exactile.load(name)))
    assert [data.count("z") for data in outer] == [1]
