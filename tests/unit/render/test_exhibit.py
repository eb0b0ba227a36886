"""Marked regions with pieces beside them, on every lattice."""

from __future__ import annotations

import numpy as np
import pytest

from exactile import load
from exactile.puzzle import Puzzle, Solution
from exactile.puzzle.congruence import is_placement
from exactile.render import draw_svg, draw_text
from exactile.render.svg import exhibit
from unit.render.examples import ALL

every_example = pytest.mark.parametrize(("puzzle", "solution"), ALL.values(), ids=ALL)


@every_example
def test_pieces_stand_apart_from_the_region(puzzle: Puzzle, solution: Solution) -> None:
    names = [piece.name for piece in puzzle.pieces]
    marked = [tuple(u) for u in puzzle.region.units[::2].tolist()]
    wide, shown = exhibit(puzzle, marked, names)
    assert [p.piece for p in shown] == ["#", *names]
    assert set(shown[0].units) == set(marked)
    units = {tuple(u) for u in puzzle.region.units.tolist()}
    for placement in shown[1:]:
        assert is_placement(puzzle.piece(placement.piece), placement.units, wide.region)
        near = {
            tuple(a + b for a, b in zip(unit, step, strict=True))
            for unit in placement.units
            for steps in puzzle.lattice.neighbors
            for step in steps
        }
        assert not units & (near | set(placement.units))
        units |= set(placement.units)
    assert units == {tuple(u) for u in wide.region.units.tolist()}


@every_example
def test_it_can_be_drawn(puzzle: Puzzle, solution: Solution) -> None:
    marked = [tuple(puzzle.region.units[0].tolist())]
    names = [piece.name for piece in puzzle.pieces]
    drawn = draw_text(*exhibit(puzzle, marked))
    assert drawn not in (draw_text(puzzle, ()), draw_text(puzzle, solution))
    assert "#" in draw_text(*exhibit(puzzle, map(tuple, puzzle.region.units.tolist())))
    svg = draw_svg(*exhibit(puzzle, marked, names, mark="this one"))
    assert "<title>this one</title>" in svg
    assert all(f"<title>{name}</title>" in svg for name in names)


def test_without_pieces_the_region_is_as_it_was() -> None:
    puzzle, _ = next(iter(ALL.values()))
    assert exhibit(puzzle) == (puzzle, ())


def test_a_twisted_torus_is_drawn_in_its_box() -> None:
    torus = load("tetrominoes-twisted-torus")
    corner = torus.region.units[torus.region.index(np.array([(4, 3)]))]
    text = draw_text(*exhibit(torus, map(tuple, corner.tolist()), ["O4"]))
    rows = [line[:9].split() for line in text.splitlines() if line.startswith(".")]
    assert rows == [[*"....", "#"], *[[*"....."]] * 3]
