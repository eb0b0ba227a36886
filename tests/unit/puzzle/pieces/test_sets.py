"""Named sets: names, mixed orders, twins, mistakes."""

from __future__ import annotations

import pytest

from exactile.errors import NotFoundError, PieceError
from exactile.geometry import get_lattice
from exactile.puzzle.pieces.generate import generate
from exactile.puzzle.pieces.piece import Freedom
from exactile.puzzle.pieces.sets import named_order, names_of, order_set, piece_set, set_names

SQUARE, CUBE = get_lattice("square"), get_lattice("cube")


@pytest.mark.parametrize("name", ["pentominoes", "Pentominoes", "polyominoes-5", "PENTOMINOES"])
def test_spellings(name: str) -> None:
    assert " ".join(piece_set(name, SQUARE).pieces) == "F I L N P T U V W X Y Z"


def test_mixed_orders() -> None:
    assert len(piece_set("polyominoes-1234", SQUARE).pieces) == 9
    assert len(order_set(SQUARE, [1, 2, 3]).pieces) == 4
    assert len(piece_set("one-sided polyominoes-123", SQUARE).pieces) == 4


def test_one_sided_twins_are_in_lower_case() -> None:
    twins = piece_set("one-sided pentominoes", SQUARE)
    assert set(twins.pieces) - set(piece_set("pentominoes", SQUARE).pieces) == set("flnpyz")
    assert twins.freedom is Freedom.ONE_SIDED
    assert len(twins.piece("f").aspects) == 4


def test_solid_pieces_cannot_be_reflected() -> None:
    assert piece_set("tetracubes", CUBE).freedom is Freedom.ONE_SIDED
    assert len(piece_set("tetracubes", CUBE).pieces) == 8
    assert len(piece_set("one-sided tetracubes", CUBE).pieces) == 8


def test_every_listed_set_exists() -> None:
    for lattice in (SQUARE, CUBE, get_lattice("square-edges"), get_lattice("triangle-edges")):
        for name in set_names(lattice):
            if "<" not in name:
                assert piece_set(name, lattice).pieces


def test_generated_names_are_stable() -> None:
    names = list(named_order(SQUARE, 7))
    assert (names[0], names[-1], len(names)) == ("P7x001", "P7x108", 108)
    assert names_of(generate(SQUARE, 7), SQUARE, Freedom.FREE) == names


def test_forms_get_the_name_of_their_piece() -> None:
    fixed = names_of(generate(SQUARE, 4, Freedom.FIXED), SQUARE, Freedom.FIXED)
    assert sorted(set(map(str, fixed))) == ["I4", "L4", "O4", "T4", "Z4", "l4", "z4"]
    assert fixed.count("I4") == 2


def test_mistakes() -> None:
    with pytest.raises(NotFoundError, match="Did you mean 'pentominoes'"):
        piece_set("pentominis", SQUARE)
    with pytest.raises(PieceError, match="no piece 'Q' in the set"):
        piece_set("pentominoes", SQUARE).piece("Q")
    with pytest.raises(PieceError):
        generate(SQUARE, 0)
    with pytest.raises(PieceError):
        generate(SQUARE, 1000)
