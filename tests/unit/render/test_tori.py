"""A torus is drawn as the box that its file says, and what wraps is marked."""

from __future__ import annotations

import pickle
import re

import numpy as np
import pytest

import exactile
from exactile.puzzle import Region
from exactile.render import draw_text


def drawn(name: str) -> str:
    """Return the drawing of a solution."""
    puzzle = exactile.load(name)
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    return exactile.draw_svg(puzzle, solution)


@pytest.mark.parametrize("name", ["tetrominoes-torus-5x4", "tetrominoes-twisted-torus"])
def test_a_twisted_torus_is_drawn_as_its_box(name: str) -> None:
    puzzle = exactile.load(name)
    solution = exactile.solve_one(puzzle)
    assert solution is not None
    rows, _, legend = draw_text(puzzle, solution).partition("\n\n")
    assert [len(row.split()) for row in rows.splitlines()] == [5] * 4
    assert legend
    cells = re.findall(r'<path d="([^"]+)" fill="#', exactile.draw_svg(puzzle, solution))
    corners = [tuple(map(float, c)) for d in cells for c in re.findall(r"[ML](\S+) ([\d.]+)", d)]
    assert len({x for x, _ in corners}) == 6
    assert len({y for _, y in corners}) == 5
    assert "stroke-dasharray" in exactile.draw_svg(puzzle, solution)


def test_places_are_kept_and_no_part_of_what_a_region_is() -> None:
    box = [(x, y) for x in range(5) for y in range(4)]
    twisted = Region("square", box, wrap=[(5, 0), (1, 4)])
    assert sorted(map(tuple, twisted.places.tolist())) == box
    assert (twisted.index(twisted.places) == np.arange(20)).all()
    again = pickle.loads(pickle.dumps(twisted))
    assert again == twisted == Region("square", twisted.units, wrap=twisted.wrap)
    assert (again.places == twisted.places).all()


def test_the_border_of_a_torus_of_edges_is_closed_by_dashes() -> None:
    picture = drawn("polysticks-123-torus-5x2")
    dashed = re.findall(r'd="([^"]+)"[^>]*stroke-dasharray', picture)
    assert sum(d.count("M") for d in dashed) == 5 + 2
    assert "stroke-dasharray" not in drawn("polysticks-123-4x4-clipped-corners-2")
