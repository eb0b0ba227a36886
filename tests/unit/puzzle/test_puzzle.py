"""Puzzles and regions: what is refused, what is merged."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import exactile
from exactile.counting import count
from exactile.errors import GeometryError, PieceError, PuzzleError, RegionError
from exactile.geometry import get_lattice
from exactile.geometry.wrap import Wrap
from exactile.puzzle import Omission, Placement, Puzzle, Region
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.puzzle.puzzle import with_pieces
from exactile.search import solve_one
from support.small import box_puzzle, dominoes

SQUARE = get_lattice("square")


def test_empty_and_double_regions() -> None:
    with pytest.raises(RegionError, match="is empty"):
        Region(SQUARE, np.empty((0, 2), dtype=np.int64))
    with pytest.raises(RegionError, match=r"has the unit \[1, 2\] twice: write it once"):
        Region(SQUARE, np.array([[1, 2], [0, 0], [1, 2]]))
    with pytest.raises(RegionError, match="the wrap identifies two units"):
        Region(SQUARE, np.array([[0, 0], [3, 0]]), wrap=Wrap([(3, 0)]))
    with pytest.raises(RegionError, match="not a translation of the triangle lattice"):
        Region(get_lattice("triangle"), np.array([[1, 1]]), wrap=Wrap([(4, 0)]))


def test_index_far_outside() -> None:
    region = Region(SQUARE, np.array([[0, 0], [5, 5]]))
    assert region.index(np.array([[5, 5], [-(10**9), 10**9], [0, 1]])).tolist() == [1, -1, -1]


def test_congruent_pieces_are_merged() -> None:
    puzzle = dominoes(2, 3)
    upright = Piece("upright", SQUARE, ((0, 0), (0, 1)), Freedom.FREE, 1, 2)
    merged = Puzzle("two", puzzle.region, (*puzzle.pieces, upright))
    assert [(p.name, p.lower, p.upper) for p in merged.pieces] == [("I2", 4, 5)]


def test_a_part_of_congruent_pieces_is_in_no_group() -> None:
    """It would be unclear which of them may stay together with the others."""
    puzzle = box_puzzle("tetrominoes", 5, 4)
    one = replace(puzzle.pieces[0], name="one")
    two = replace(one, name="two")
    groups = (("I4", "one", "L4"), ("L4", "I4", "two", "one"), ("O4", "T4"))
    merged = replace(puzzle, pieces=(*puzzle.pieces, one, two), together=groups)
    assert merged.together == (("L4",), ("L4", "I4"), ("O4", "T4"))


def test_fixed_placements_follow_merged_names() -> None:
    puzzle = dominoes(2, 3)
    upright = Piece("upright", SQUARE, ((0, 0), (0, 1)), Freedom.FREE)
    fixed = (Placement("upright", ((0, 0), (0, 1))),)
    merged = Puzzle("two", puzzle.region, (*puzzle.pieces, upright), fixed)
    assert merged.fixed[0].piece == "I2"


def test_what_a_puzzle_refuses() -> None:
    puzzle = box_puzzle("tetrominoes", 5, 4)
    pieces = puzzle.pieces
    with pytest.raises(PieceError, match="no pieces"):
        replace(puzzle, pieces=())
    with pytest.raises(PieceError, match="Two pieces are called 'I4'"):
        replace(puzzle, pieces=(*pieces, pieces[0]))
    with pytest.raises(PieceError, match="cannot be omitted: the puzzle has no such piece"):
        replace(puzzle, omission=Omission(("Q",), 1))
    with pytest.raises(PieceError, match="2 of 1 pieces cannot be omitted"):
        replace(puzzle, omission=Omission(("I4",), 2))
    with pytest.raises(PuzzleError, match=r"has the unit \[9, 9\] outside"):
        replace(puzzle, fixed=(Placement("I4", ((9, 9),)),))
    two = (
        Placement("I4", ((0, 0), (1, 0), (2, 0), (3, 0))),
        Placement("O4", ((1, 0), (1, 1), (2, 0), (2, 1))),
    )
    with pytest.raises(PuzzleError, match=r"overlap in the unit \[1, 0\]"):
        replace(puzzle, fixed=two)
    cube = Piece("C", get_lattice("cube"), ((0, 0, 0),), Freedom.FREE)
    with pytest.raises(PuzzleError, match="not a placement of piece O4: 0,0 0,1 0,2 1,1"):
        replace(puzzle, fixed=(Placement("O4", ((0, 0), (0, 1), (0, 2), (1, 1))),))
    square = Placement("O4", ((0, 0), (0, 1), (1, 0), (1, 1)))
    again = Placement("O4", ((2, 0), (2, 1), (3, 0), (3, 1)))
    with pytest.raises(PieceError, match="O4 is fixed 2 times but used at most 1 times"):
        replace(puzzle, fixed=(square, again))
    with pytest.raises(PieceError, match="lies on the cube lattice"):
        replace(puzzle, pieces=(cube,))


def test_impossible_bounds() -> None:
    with pytest.raises(PieceError, match="cannot be used 3 to 2 times"):
        Piece("A", SQUARE, ((0, 0),), Freedom.FREE, 3, 2)


def test_pieces_of_different_orders_are_never_merged() -> None:
    """A monostick has two aspects of one unit, a fixed corner one of the same two units."""
    edges = get_lattice("square-edges")
    stick = Piece("I1", edges, ((1, 0),), Freedom.FREE)
    corner = Piece("V2", edges, ((0, 1), (1, 0)), Freedom.FIXED)
    assert stick.aspects.tobytes() == corner.aspects.tobytes()
    region = Region(edges, np.array([[1, 0], [0, 1], [1, 2]]))
    puzzle = Puzzle("corner", region, (stick, corner))
    assert [p.name for p in puzzle.pieces] == ["I1", "V2"]
    assert solve_one(puzzle) is not None


def test_fixed_placements_may_be_written_in_any_order_and_unreduced() -> None:
    ring = Region(SQUARE, SQUARE.points(SQUARE.builders["box"](4, 1)), wrap=Wrap([(4, 0)]))
    domino = Piece("I2", SQUARE, ((0, 0), (1, 0)), Freedom.FREE, 2, 2)
    puzzle = Puzzle("ring", ring, (domino,), (Placement("I2", ((4, 0), (3, 0))),))
    assert puzzle.fixed == (Placement("I2", ((0, 0), (3, 0))),)
    assert count(puzzle).raw == 1
    with pytest.raises(PuzzleError, match="has no units"):
        replace(puzzle, fixed=(Placement("I2", ()),))


def test_what_a_region_refuses() -> None:
    with pytest.raises(RegionError, match=r"\[0, 0\] is not a unit of the triangle lattice"):
        Region(get_lattice("triangle"), np.array([[0, 0]]))
    with pytest.raises(RegionError, match=r"shape \(n, 2\)"):
        Region(SQUARE, np.array([[0, 0, 0]]))
    with pytest.raises(RegionError, match="mask of optional units"):
        Region(SQUARE, np.array([[0, 0]]), optional=np.array([True, False]))
    with pytest.raises(RegionError, match="not of dimension 2"):
        Region(SQUARE, np.array([[0, 0]]), wrap=Wrap([(1, 0, 0)]))
    with pytest.raises(RegionError, match="too far apart"):
        Region(SQUARE, np.array([[0, 0], [2**31, 2**31]]))
    with pytest.raises(GeometryError, match="integers beyond 1,000,000,000,000,000"):
        Region("square", [(2**63 - 1, 0), (2**63 - 2, 0)])


def test_what_a_piece_refuses() -> None:
    with pytest.raises(PieceError, match="is not a unit of the triangle lattice"):
        Piece("A", get_lattice("triangle"), ((0, 0),), Freedom.FREE)
    with pytest.raises(GeometryError, match="integers beyond"):  # modulo 2**64 it is a domino
        Piece("A", SQUARE, ((2**63 - 1, 0), (-(2**63), 0)), Freedom.FREE)
    with pytest.raises(PieceError, match="the limit is 1,000,000"):
        Piece("A", SQUARE, ((0, 0),), Freedom.FREE, 0, 10**12)
    with pytest.raises(PieceError, match="named twice"):
        replace(box_puzzle("tetrominoes", 5, 4), omission=Omission(("I4", "I4"), 2))


def test_plain_lists_are_taken() -> None:
    domino = Piece("I2", SQUARE, [[0, 0], [1, 0]], "free")  # type: ignore[arg-type]
    assert (domino.units, domino.freedom) == (((0, 0), (1, 0)), Freedom.FREE)
    region = Region(SQUARE, [[0, 0], [0, 1]], [False, True])
    puzzle = Puzzle("a", region, [domino], [("I2", [[0, 1], [0, 0]])])  # type: ignore[arg-type]
    assert puzzle.fixed == (Placement("I2", ((0, 0), (0, 1))),)
    assert count(puzzle).raw == 1


@pytest.mark.parametrize(
    "units", [[[0, 0.5]], [["0", "1"]], [[0, 0], [1]], [0, 1], [[0, 1, 2]], [[10**30, 0]], [None]]
)
def test_what_is_no_list_of_points_is_one_error(units: object) -> None:
    with pytest.raises(PuzzleError):
        Region(SQUARE, units)  # type: ignore[arg-type]
    with pytest.raises(PuzzleError):
        Piece("P", SQUARE, units, Freedom.FREE)  # type: ignore[arg-type]
    with pytest.raises(PuzzleError):
        Puzzle("a", Region(SQUARE, [[0, 0]]), (), (("P", units),))  # type: ignore[arg-type]


def test_a_freedom_is_one_of_three_words() -> None:
    with pytest.raises(PieceError, match="cannot be 'loose': write 'free' or 'one-sided'"):
        Piece("P", SQUARE, ((0, 0),), "loose")  # type: ignore[arg-type]


def test_a_piece_has_a_name() -> None:
    with pytest.raises(PieceError, match="The name of a piece is empty"):
        Piece("", SQUARE, ((0, 0),), Freedom.FREE)


def test_groups_that_stay_together_are_restricted_to_the_pieces_that_are_left() -> None:
    puzzle = replace(exactile.load("pentominoes-6x10"), together=(("F", "I"), ("L",)))
    left = tuple(piece for piece in puzzle.pieces if piece.name not in ("F", "L"))
    assert with_pieces(puzzle, left, None, ()).together == (("I",),)
