"""The coloring arguments of the books are found and verified, and no others are claimed."""

from __future__ import annotations

from collections import Counter

import pytest

from exactile.certificate.linear import LinearCertificate, verify
from exactile.files import load
from exactile.geometry import get_lattice
from exactile.puzzle import Puzzle
from exactile.puzzle.pieces.sets import piece_set
from exactile.puzzle.symmetry import symmetries
from exactile.reasons.colorings import find_linear
from exactile.render.coloring import argument, draw_coloring_svg, draw_coloring_text
from support.colored_puzzles import SQUARE, all_of, copies, tetrasticks
from support.few import few
from support.small import mutilated

TETRASTICKS = piece_set("tetrasticks", get_lattice("square-edges")).pieces


def proved(puzzle: Puzzle) -> LinearCertificate:
    """Return the coloring of a puzzle, verified again after a round trip, drawn and told."""
    certificate = find_linear(puzzle).certificate
    assert certificate is not None
    verify(puzzle, LinearCertificate.from_json(certificate.to_json()))
    words = argument(puzzle, certificate)
    assert words.endswith(".")
    assert words.split(". ")[-1][:4] in ("But ", "Piec")
    assert draw_coloring_text(puzzle, certificate)
    assert "<title>" in draw_coloring_svg(puzzle, certificate)
    return certificate


@pytest.mark.parametrize("size", [6, 8, 10])
def test_the_mutilated_chessboard_is_black_and_white(size: int) -> None:
    puzzle = mutilated(size)
    coloring = proved(puzzle)
    assert (coloring.kind, coloring.modulus, dict(coloring.pieces)) == ("inequality", 0, {})
    counts = Counter(coloring.units.values())
    assert counts == {1: size * size // 2, -1: size * size // 2 - 2}
    assert {w for (x, y), w in coloring.units.items() if (x + y) % 2} in ({1}, {-1})
    assert f"there are {counts[1]} black and {counts[-1]} white" in argument(puzzle, coloring)


@pytest.mark.parametrize("sizes", [(5, 4), (10, 2)])
def test_tetrominoes_in_a_rectangle(sizes: tuple[int, int]) -> None:
    coloring = proved(all_of("tetrominoes", SQUARE.builders["box"](*sizes)))
    assert coloring.modulus == 2
    assert Counter(coloring.units.values()) == {1: 10}
    assert len(coloring.pieces) == 1


@pytest.mark.parametrize("name", few(["14x15", "3x70", "5x42", "6x35", "7x30", "10x21"], 6))
def test_hexominoes_in_any_rectangle(name: str) -> None:
    puzzle = load(f"hexominoes-{name}")
    coloring = proved(puzzle)
    assert coloring.modulus == 2
    assert Counter(coloring.units.values()) == {1: 105}
    assert len({(x + y) % 2 for x, y in coloring.units}) == 1
    assert len(coloring.pieces) == 24


@pytest.mark.parametrize("sizes", [(105, 2), (210, 1)])
def test_hexominoes_too_wide_for_a_rectangle(sizes: tuple[int, int]) -> None:
    puzzle = all_of("hexominoes", SQUARE.builders["box"](*sizes))
    coloring = proved(puzzle)
    assert not coloring.units
    assert "fits nowhere" in argument(puzzle, coloring)


def test_hexominoes_around_a_hole() -> None:
    cells = [(x, y) for x in range(15) for y in range(15) if not (5 <= x < 10 and 6 <= y < 9)]
    found = find_linear(all_of("hexominoes", cells))
    assert (found.certificate, found.finished) == (None, True)


@pytest.mark.parametrize("sizes", [(6, 6), (6, 10), (10, 10)])
@pytest.mark.parametrize("piece", ["T4", "L4", "I4"])
def test_copies_of_a_tetromino(piece: str, sizes: tuple[int, int]) -> None:
    coloring = proved(copies("tetrominoes", piece, *sizes))
    assert coloring.modulus == 2
    assert dict(coloring.pieces) == ({} if piece == "I4" else {piece: 1})


@pytest.mark.parametrize(
    "puzzle",
    [
        copies("trominoes", "I3", 8, 8, (0, 0)),
        copies("trominoes", "I3", 8, 8, (3, 3)),
        copies("pentominoes", "I", 6, 6, (1, 0)),
        copies("hexominoes", "I06", 10, 9),
        copies("hexominoes", "I06", 15, 10),
    ],
    ids=lambda puzzle: puzzle.name,
)
def test_straight_pieces(puzzle: Puzzle) -> None:
    assert proved(puzzle).kind == "congruence"


@pytest.mark.parametrize("hole", [(2, 2), (2, 5), (5, 2), (5, 5)])
def test_straight_trominoes_where_they_fit(hole: tuple[int, int]) -> None:
    assert find_linear(copies("trominoes", "I3", 8, 8, hole)).certificate is None


@pytest.mark.parametrize("omit", few(TETRASTICKS, 4))
def test_tetrasticks_without_one(omit: str) -> None:
    found = find_linear(tetrasticks(omit))
    assert found.finished
    if omit in "HJLNY":
        assert found.certificate is None
    else:
        coloring = proved(tetrasticks(omit))
        assert (coloring.modulus, set(coloring.pieces)) == (2, set("HJLNY"))
        assert len({x % 2 for x, _ in coloring.units}) == 1  # all horizontal, or all vertical


def test_hexiamonds_of_unequal_directions() -> None:
    puzzle = load("hexiamonds-trapezoid-9x6")
    coloring = proved(puzzle)
    assert coloring.modulus == 2
    assert len({x % 3 for x, _ in coloring.units}) == 1
    assert len(coloring.units) in (33, 39)


def test_sums_that_are_out_of_reach() -> None:
    puzzle = load("polycubes-1234-diamond-mound-x")
    assert proved(puzzle).kind == "balance"
    assert "there are 14 black and 27 white units" in argument(puzzle, proved(puzzle))


@pytest.mark.parametrize(
    ("name", "end"),
    [
        ("pentatwigs-snowflake", "at most 5 black units. But 6 black units must be covered."),
        ("hexiamonds-two-triangles", "But there are 42 black and 30 white units."),
        ("soma-w", "at most 9. But what is to be covered weighs 13."),
        ("soma-square-wall", "at most 9. But what is to be covered weighs 13."),
    ],
)
def test_inequalities(name: str, end: str) -> None:
    puzzle = load(name)
    coloring = proved(puzzle)
    assert (coloring.kind, coloring.modulus) == ("inequality", 0)
    assert argument(puzzle, coloring).endswith(end)
    images = [s.units for s in symmetries(puzzle)]
    weights = [coloring.units.get(tuple(p), 0) for p in puzzle.region.units.tolist()]
    assert all([weights[i] for i in units.tolist()] == weights for units in images)
    assert find_linear(puzzle, inequalities=False).certificate is None


@pytest.mark.parametrize(
    "name",
    ["hexiamonds-3x12", "pentominoes-6x10", "soma-cube", "tetrasticks-5x5", "y-pentominoes-5x10"],
)
def test_where_there_is_none(name: str) -> None:
    found = find_linear(load(name))
    assert (found.certificate, found.finished) == (None, True)
    assert "modulo 2, 3" in found.tried
