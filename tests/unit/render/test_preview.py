"""Pictures of puzzles without a solution: on every kind of lattice, within their frame."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from exactile.files.puzzles.catalogue import load
from exactile.render.board import MOST, preview

SVG = "{http://www.w3.org/2000/svg}"

PUZZLES = [
    "pentominoes-6x10",
    "soma-cube",
    "tetrahexes-4x7",
    "hexiamonds-6x6",
    "tetrasticks-5x5",
    "tritrigs-hexagon-2",
    "tetratwigs-arch",
    "dominoids-two-cubes",
    "space-disticks-cube",
    "tetraboloes-11x3-2211",
    "didrafters-convex-pentagon",
    "hats-torus-4x2",
    "dominoes-8x8",
]


def test_solids_have_no_ground_that_would_be_white_on_a_dark_page() -> None:
    assert "<rect" not in preview(load("soma-cube"))


@pytest.mark.parametrize("name", PUZZLES)
def test_the_board_and_some_pieces_are_drawn(name: str) -> None:
    puzzle = load(name)
    picture = ET.fromstring(preview(puzzle))
    wide, high = float(picture.get("width", "")), float(picture.get("height", ""))
    inner = picture.findall(f"{SVG}svg")
    assert 2 <= len(inner) <= 1 + min(len(puzzle.pieces), MOST)
    for drawing in inner:
        x, y, w, h = (float(drawing.get(key, "")) for key in ("x", "y", "width", "height"))
        assert x >= -0.05
        assert y >= 0
        assert x + w <= wide + 0.05
        assert y + h <= high + 0.05
    below = [float(drawing.get("y", "")) for drawing in inner[1:]]
    assert min(below) >= float(inner[0].get("height", ""))
