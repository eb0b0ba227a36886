"""Color rules and paint: what is refused, what the checker says, what symmetries keep."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

import exactile
from exactile.counting import count
from exactile.errors import CertificateError, PieceError, PuzzleError
from exactile.model.lower import lower
from exactile.puzzle import ColorRule, Omission, Paint, Placement, Puzzle, Region
from exactile.puzzle.check import faults
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.puzzle.relax import relax
from exactile.puzzle.symmetry import symmetries
from exactile.reasons.certify import certify
from exactile.reasons.colorings import find_linear
from exactile.reasons.explain import explain
from exactile.reasons.packing import pack
from exactile.reasons.verdict import prove
from support.small import box_puzzle, dominoes

BOX = box_puzzle("tetrominoes", 5, 4)
SMALL = box_puzzle("polyominoes-123", 3, 3)
APART = replace(SMALL, color_rules=(ColorRule("separated", "red", ("O1", "I2", "I3")),))
TOGETHER = replace(SMALL, color_rules=(ColorRule("joined", "red", ("O1", "I2", "I3")),))
CHECKERED = replace(
    SMALL,
    paint=Paint(
        {(x, y): "bw"[(x + y) % 2] for x in range(3) for y in range(3)}, {"O1": {(0, 0): "w"}}
    ),
)


def test_the_checker_names_pieces_that_touch_and_pieces_that_are_apart() -> None:
    solution = (
        Placement("O1", ((0, 0),)),
        Placement("I2", ((0, 1), (0, 2))),
        Placement("I3", ((2, 0), (2, 1), (2, 2))),
        Placement("V3", ((1, 0), (1, 1), (1, 2))),
    )
    assert "the red pieces O1 and I2 touch" in faults(APART, solution)
    told = "the red pieces are not joined: no way leads from O1 to I3"
    assert told in faults(TOGETHER, solution)


def test_the_checker_refuses_wrong_paint() -> None:
    wrong, right = Placement("O1", ((0, 0),)), Placement("O1", ((0, 1),))
    assert any("not a place of piece O1" in f for f in faults(CHECKERED, (wrong,)))
    assert not any("not a place of piece O1" in f for f in faults(CHECKERED, (right,)))
    with pytest.raises(PuzzleError, match="not a placement of piece O1"):
        replace(CHECKERED, fixed=(wrong,))


@pytest.mark.parametrize(
    ("rule", "message"),
    [
        (ColorRule("joined", "red", ("Q",)), "no such piece"),
        (ColorRule("separated", "red", ("I4", "I4")), "names .I4. twice"),
        (ColorRule("together", "red", ("I4",)), "no rule 'together'"),  # type: ignore[arg-type]
    ],
)
def test_rules_about_pieces_that_are_not_there(rule: ColorRule, message: str) -> None:
    with pytest.raises(PieceError, match=message):
        replace(BOX, color_rules=(rule,))


def test_joined_pieces_are_few_and_used_once() -> None:
    rule = (ColorRule("joined", "red", ("I4", "T4")),)
    with pytest.raises(PieceError, match="may be omitted"):
        replace(BOX, color_rules=rule, omission=Omission(("I4", "L4"), 1))
    with pytest.raises(PieceError, match="is used 8 times"):
        replace(dominoes(4, 4), color_rules=(ColorRule("joined", "red", ("I2",)),))
    many = box_puzzle("pentominoes", 10, 6)
    all_of_them = ColorRule("joined", "red", tuple(p.name for p in many.pieces))
    with pytest.raises(PieceError, match="the limit is 10"):
        replace(many, color_rules=(all_of_them,))


def test_paint_lies_on_pieces_and_region() -> None:
    with pytest.raises(PieceError, match="for a piece 'Q'"):
        replace(SMALL, paint=Paint({}, {"Q": {(0, 0): "b"}}))
    with pytest.raises(PieceError, match="not a unit of the piece"):
        replace(SMALL, paint=Paint({}, {"O1": {(5, 0): "b"}}))
    with pytest.raises(PuzzleError, match="not a unit of the region"):
        replace(SMALL, paint=Paint({(9, 9): "b"}, {"O1": {(0, 0): "b"}}))
    with pytest.raises(PuzzleError, match="'x' in fits is on no piece"):
        replace(SMALL, paint=Paint({}, {"O1": {(0, 0): "b"}}, {"x": ("b",)}))


def test_congruent_pieces_of_different_color_stay_apart() -> None:
    piece = dominoes(4, 4).pieces[0]
    two = (replace(piece, name="A", lower=4, upper=4), replace(piece, name="B", lower=4, upper=4))
    both = replace(dominoes(4, 4), pieces=two)
    assert [(p.name, p.upper) for p in both.pieces] == [("A", 8)]
    colored = replace(
        dominoes(4, 4), pieces=two, color_rules=(ColorRule("separated", "red", ("A",)),)
    )
    assert [p.name for p in colored.pieces] == ["A", "B"]
    same = replace(
        dominoes(4, 4), pieces=two, color_rules=(ColorRule("separated", "red", ("A", "B")),)
    )
    assert (same.color_rules[0].pieces, same.pieces[0].upper) == (("A",), 8)


def test_symmetries_keep_paint_and_colors() -> None:
    assert len(symmetries(CHECKERED)) == 8
    corner = replace(SMALL, paint=Paint({(0, 0): "b"}, {"O1": {(0, 0): "w"}}))
    assert len(symmetries(corner)) == 2
    assert lower(corner).options == lower(SMALL).options - 1
    twins = box_puzzle("one-sided-tetrominoes", 7, 4)
    assert len(symmetries(twins)) == 4
    red = replace(twins, color_rules=(ColorRule("separated", "red", ("L4", "O4")),))
    assert len(symmetries(red)) == 2  # a reflection carries L4 to l4, which is not red


def test_certificates_refuse_what_they_cannot_state(tmp_path: Path) -> None:
    with pytest.raises(CertificateError, match="pieces that must be joined"):
        certify(TOGETHER, tmp_path / "certificate")
    with pytest.raises(CertificateError, match="pieces that must be joined"):
        prove(TOGETHER, certificate=tmp_path / "certificate")
    assert not list(tmp_path.iterdir())
    for number, puzzle in enumerate((APART, CHECKERED)):
        assert certify(puzzle, tmp_path / f"{number}").raw == count(puzzle).raw


def test_parts_of_solutions_need_not_be_joined() -> None:
    for question in (relax, explain, pack):
        with pytest.raises(PuzzleError, match="pieces must be joined"):
            question(TOGETHER)
    assert relax(APART).color_rules == APART.color_rules


def test_colorings_look_at_the_placements_that_paint_leaves() -> None:
    """On a board of one color a piece of the other has no place."""
    black = Paint(dict.fromkeys(CHECKERED.paint.units, "b"), {"O1": {(0, 0): "w"}})
    found = find_linear(replace(SMALL, paint=black)).certificate
    assert found is not None
    assert found.pieces == {"O1": 1}
    impossible = replace(BOX, color_rules=(ColorRule("joined", "red", ("I4", "T4")),))
    assert find_linear(impossible).certificate is not None
    assert find_linear(TOGETHER).certificate is None


@pytest.mark.parametrize("name", ["", "a\0", "a\nb", 1, None])
def test_paints_have_plain_names(name: Any) -> None:
    """Two paints that are hard to tell apart could make a puzzle symmetric that is not."""
    with pytest.raises(PuzzleError, match="A paint has no plain name"):
        Paint({(0, 0): name}, {"I2": {(0, 0): "b"}})
    with pytest.raises(PuzzleError, match="A paint has no plain name"):
        Paint({(0, 0): "b"}, {"I2": {(0, 0): name}})


def test_one_paint_is_no_list_of_paints() -> None:
    """A search took a string for its parts, the statement of the puzzle for its letters."""
    with pytest.raises(PuzzleError, match="that black fits are a list, not 'white'"):
        Paint({(0, 0): "white"}, {"I2": {(0, 0): "black"}}, {"black": "white"})


def test_paint_lies_on_any_point_of_a_wrapped_unit() -> None:
    ring = Region("square", [(4, 0), (1, 0), (2, 0), (3, 0)], wrap=[(4, 0)])
    domino = Piece("I2", ring.lattice, ((0, 0), (1, 0)), Freedom.FREE, 2, 2)
    on_piece: dict[str, dict[tuple[int, ...], str]] = {"I2": {(0, 0): "white"}}
    puzzles = [
        Puzzle("ring", ring, (domino,), paint=Paint({(x, 0): "white", (3, 0): "black"}, on_piece))
        for x in (0, 4, -4)
    ]
    assert puzzles[0] == puzzles[1] == puzzles[2]
    assert puzzles[1].paint.units == {(0, 0): "white", (3, 0): "black"}
    with pytest.raises(PuzzleError, match=r"\[0, 0\] of the region is painted white and black"):
        Puzzle("ring", ring, (domino,), paint=Paint({(0, 0): "white", (4, 0): "black"}, on_piece))


def test_pieces_that_are_left_out_take_along_what_their_paint_fits() -> None:
    paint = {"region": {"b": [[0, 0]]}, "pieces": {"O1": {"a": [[0, 0]]}}, "fits": {"a": ["b"]}}
    puzzle = exactile.make_puzzle(["0..2xO1", "0..1xI2"], lattice="square", box=(2, 1), paint=paint)
    found = exactile.count_by_subset(puzzle)
    assert [(each.pieces, each.raw) for each in found.by_pieces] == [({"I2": 1}, 1), ({"O1": 2}, 1)]


def test_paint_that_is_on_no_unit_of_a_piece_leaves_the_symmetries() -> None:
    plain = replace(SMALL, paint=Paint({}, {}))
    region_only = replace(SMALL, paint=Paint({(0, 0): "b"}, {}))
    none = replace(SMALL, paint=Paint({(0, 0): "b"}, {"O1": {}}))
    assert plain == region_only == none
    assert len(symmetries(plain)) == len(symmetries(region_only)) == len(symmetries(none)) == 8


def test_a_puzzle_keeps_its_paint_if_the_given_one_changes() -> None:
    units: dict[tuple[int, ...], str] = {(0, 0): "white"}
    own = units.copy()
    puzzle = replace(SMALL, paint=Paint(units, {"O1": own}))
    units[0, 0] = own[0, 0] = "black"
    assert puzzle.paint == Paint({(0, 0): "white"}, {"O1": {(0, 0): "white"}})


def test_the_order_of_separated_and_joined_has_no_effect() -> None:
    rules = (ColorRule("joined", "red", ("O1", "I2")), ColorRule("separated", "blue", ("I3",)))
    assert replace(SMALL, color_rules=rules) == replace(SMALL, color_rules=rules[::-1])
