"""The picture of the front page: a solution on each lattice, as drawn today."""

from __future__ import annotations

from pathlib import Path

import exactile
from exactile.render.pictures import sheet
from exactile.render.thumbnail import SIZE, small
from support.random_puzzles import PUZZLE_LATTICES

ROOT = Path(__file__).parents[2]
PICTURE = ROOT / "docs" / "lattices.svg"

SHOWN = (
    *("pentominoes-6x10", "tetrahexes-torus-7x4", "hexiamonds-snowflake", "soma-cube"),
    *("tetrasticks-5x5-without-h", "tritrigs-heart-2", "one-sided-polytwigs-1234-trapezoid-5x2"),
    *("space-disticks-cube", "tetraboloes-9x5-4411", "didrafters-convex-pentagon"),
    *("polykites-12345-triangle-8", "trominoids-four-cubes"),
)


def picture() -> str:
    """Return the document; to write it anew: ``PICTURE.write_text(picture(), "utf-8")``."""
    drawn = []
    for name in SHOWN:
        puzzle = exactile.load(name)
        drawing = small(puzzle, exactile.solve_one(puzzle) or ())
        drawing = drawing.scaled(min(1.0, SIZE / drawing.size[0]))
        drawn.append((drawing, puzzle.lattice.plural))
    return sheet(drawn, "A solution on each lattice", columns=4).svg()


def test_it_shows_every_lattice_as_drawn_today() -> None:
    assert {exactile.load(name).lattice.name for name in SHOWN} == set(PUZZLE_LATTICES)
    assert PICTURE.read_text("utf-8") == picture()
    assert f"docs/{PICTURE.name}" in (ROOT / "README.md").read_text("utf-8")
