"""Shapes that lie on a lattice in several ways: found by area, and by outline for the checker."""

from __future__ import annotations

import numpy as np
import pytest

import exactile
from exactile.certificate.placements import placements
from exactile.geometry import get_lattice, lattice_names
from exactile.geometry.isometry import Points, normalized
from exactile.geometry.lattice import Lattice, Point
from exactile.geometry.recut import positions
from exactile.model.lower import lower
from exactile.puzzle.congruence import laid
from exactile.puzzle.paint import Paint
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.puzzle.statement import puzzle_of, stated
from exactile.surveys.subsets.families import regions_of_units

SIXTHS = get_lattice("sixth-triangles")
L_SHAPE = "0,1,0..1 0,1,8..11 1,0,2..4 1,1,5..9 1,1,10 2,0,2..4"
"""Three rectangles of two drafters each, on the grid in one way; below, in the other."""
L_MOVED = "0,1,0..1 0,1,11 0,2,8..10 1,1,0..7 1,1,11 2,1,5..7"


def units(text: str, lattice: Lattice = SIXTHS) -> tuple[Point, ...]:
    """Return the points of units with runs."""
    found = []
    for word in text.split():
        x, y, kinds = word.split(",")
        first, _, last = kinds.partition("..")
        found += [(int(x), int(y), k) for k in range(int(first), int(last or first) + 1)]
    return tuple(map(tuple, lattice.points(found).tolist()))


def sets(points: Points, lattice: Lattice) -> set[bytes]:
    """Return sets of units as bytes, each at the origin."""
    return {one.tobytes() for one in normalized(points, lattice.period)}


@pytest.mark.parametrize(("name", "order"), [("sixth-triangles", 4), ("quarter-squares", 4)])
def test_areas_and_outlines_give_the_same_positions(name: str, order: int) -> None:
    lattice = get_lattice(name)
    several = 0
    for form in generate(lattice, order):
        piece = Piece("A", lattice, tuple(map(tuple, form.tolist())), Freedom.FREE)
        found = positions(form, lattice)
        assert sets(found, lattice) == sets(laid(piece, Paint())[0], lattice)
        assert len(sets(found, lattice)) == len(found)
        several += len(found) > 1
    assert several == {"sixth-triangles": 2, "quarter-squares": 1}[name]


def test_sets_that_are_not_made_of_tans_have_all_positions_too() -> None:
    """Squares across the sides of a block of four, some of them without one of their quarters."""
    lattice = get_lattice("quarter-squares")
    across = ["0,0,0 1,0,2", "0,1,0 1,1,2", "0,0,1 0,1,3", "1,0,1 1,1,3", "0,0,3 0,-1,1"]
    rng = np.random.default_rng(1)
    several = 0
    for _ in range(60):
        squares = [units(pair, lattice) for pair in across if rng.random() < 0.5]
        chosen = [unit for square in squares for unit in square] or [*units("0,0,0..3", lattice)]
        piece = Piece("A", lattice, tuple(chosen[rng.integers(2) :]), Freedom.FREE)
        found = positions(piece.points, lattice)
        assert sets(found, lattice) == sets(laid(piece, Paint())[0], lattice)
        several += len(found) > 1
    assert 10 < several < 60


@pytest.mark.parametrize("name", lattice_names())
def test_only_lattices_that_say_so_have_several(name: str) -> None:
    lattice = get_lattice(name)
    for form in generate(lattice, 2):
        assert len(positions(form, lattice)) == 1 or lattice.slides


def moved(freedom: Freedom = Freedom.FREE) -> exactile.Puzzle:
    """Return the puzzle of one piece whose region has its outline, elsewhere on the grid."""
    piece = Piece("L", SIXTHS, units(L_SHAPE), freedom)
    return exactile.Puzzle("moved", exactile.Region(SIXTHS, np.array(units(L_MOVED))), (piece,))


@pytest.mark.parametrize("freedom", list(Freedom))
def test_a_region_with_the_outline_of_a_piece_is_covered(freedom: Freedom) -> None:
    puzzle = moved(freedom)
    assert [exactile.count(puzzle, backend=b).raw for b in ("dlx", "reference")] == [1, 1]
    assert exactile.prove(puzzle).status is exactile.Status.SOLVABLE


def test_models_and_certificates_have_the_same_placements() -> None:
    pieces = exactile.load("didrafters-hexagon").pieces
    region = exactile.load("tridrafters-trapezoid").region
    for freedom in Freedom:
        chosen = tuple(Piece(p.name, SIXTHS, p.units, freedom) for p in pieces)
        puzzle = exactile.Puzzle("pairs", region, chosen)
        assert sum(map(len, placements(puzzle))) == lower(puzzle).options
    rectangle = next(p for p in puzzle.pieces if len(positions(p.points, SIXTHS)) > 1)
    assert len(rectangle.aspects) == 2


def test_regions_of_one_shape_differ_by_their_position() -> None:
    assert (len(list(regions_of_units(SIXTHS, 6))), len(generate(SIXTHS, 6))) == (1025, 1024)
    assert len(list(regions_of_units(get_lattice("quarter-squares"), 4))) == 14


def test_the_statement_of_a_piece_is_that_of_its_shape() -> None:
    puzzle = moved()
    twin = exactile.Puzzle(
        "twin", puzzle.region, (Piece("L", SIXTHS, units(L_MOVED), Freedom.FREE),)
    )
    assert stated(twin) == stated(puzzle)
    assert puzzle_of(stated(puzzle), "moved") == puzzle
    fixed = moved(Freedom.FIXED)
    assert stated(fixed).pieces[0].freedom == "fixed"


def test_a_color_must_cover_whole_units() -> None:
    """One unit painted: moved, the paint would cover parts of units."""
    own = units(L_SHAPE)
    piece = Piece("L", SIXTHS, own, Freedom.FREE)
    region = exactile.Region(SIXTHS, np.array(units(L_MOVED)))
    part = Paint({}, {"L": {own[0]: "red"}})
    assert len(part.aspects(piece)[0]) == len(laid(piece, part)[0]) * 12 == 12
    everything = Paint(dict.fromkeys(units(L_MOVED), "red"), {"L": dict.fromkeys(own, "red")})
    painted = exactile.Puzzle("red", region, (piece,), paint=everything)
    assert exactile.count(painted).raw == 1
    everything = Paint(dict.fromkeys(units(L_MOVED), "blue"), {"L": dict.fromkeys(own, "red")})
    assert exactile.count(exactile.Puzzle("blue", region, (piece,), paint=everything)).raw == 0
