"""Weights that prove something pass, and whatever is wrong with others is named."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactile.certificate.linear import LinearCertificate, all_sums, verify
from exactile.certificate.placements import remainder
from exactile.errors import CertificateError
from exactile.geometry.lattice import Point
from exactile.puzzle import Placement, Puzzle, Region
from exactile.puzzle.pieces.piece import Freedom, Piece
from exactile.puzzle.puzzle import Omission
from exactile.reasons.colorings import find_linear
from support.colored_puzzles import SQUARE, all_of, copies, tetrasticks
from support.small import dominoes, mutilated

BOARD = mutilated(6)
BLACK_AND_WHITE = LinearCertificate(
    "inequality",
    units={tuple(p): 1 if sum(p) % 2 else -1 for p in BOARD.region.units.tolist()},
)
T_PIECES = copies("tetrominoes", "T4", 6, 6)
ODD = LinearCertificate(
    "congruence", 2, {(x, y): 1 for x in range(6) for y in range(6) if (x + y) % 2}, {"T4": 1}
)
DOMINO = Piece("I2", SQUARE, ((0, 0), (1, 0)), Freedom.FREE)


def strip(length: int, *pieces: Piece, optional: tuple[int, ...] = (), **rules: Any) -> Puzzle:
    """Return a puzzle in a row of cells."""
    units = np.array([(x, 0) for x in range(length)])
    region = Region(SQUARE, units, np.isin(np.arange(length), optional))
    return Puzzle("strip", region, pieces, **rules)


def fault(puzzle: Puzzle, certificate: LinearCertificate) -> str:
    with pytest.raises(CertificateError) as caught:
        verify(puzzle, certificate)
    return str(caught.value)


def test_what_proves_something_passes() -> None:
    verify(BOARD, BLACK_AND_WHITE)
    verify(BOARD, replace(BLACK_AND_WHITE, kind="balance"))
    verify(T_PIECES, ODD)


@pytest.mark.parametrize(
    ("certificate", "message"),
    [
        (replace(ODD, pieces={}), "The placement of T4 at 0,0 0,1 0,2 1,1 weighs "),
        (replace(ODD, modulus=3), "The placement of T4 at "),
        (replace(ODD, units={}), "The placement of T4 at .* weighs 1"),
        (replace(ODD, modulus=1), "No congruence has the modulus 1"),
        (replace(ODD, modulus=0), "No congruence has the modulus 0"),
        (replace(ODD, kind="inequality"), "No inequality has the modulus 2"),
        (replace(ODD, kind="balance", modulus=0), "In a balance only units have weights"),
        (replace(ODD, pieces={"T4": 1, "L4": 2}), "weighs 'L4', which is not a piece"),
        (
            replace(ODD, units={**ODD.units, (6, 0): 2}),
            r"weighs \[6, 0\], which need not be covered",
        ),
        (LinearCertificate("congruence", 2), "proves nothing: a solution would weigh 0"),
        (LinearCertificate("balance"), "proves nothing: the pieces can weigh 0"),
        (LinearCertificate("inequality", 0, {(0, 0): -1}), "a solution would weigh -1"),
    ],
)
def test_what_is_wrong_is_named(certificate: LinearCertificate, message: str) -> None:
    with pytest.raises(CertificateError, match=message):
        verify(T_PIECES, certificate)


@given(st.integers(0, 35), st.integers(-50, 50).filter(lambda change: change % 2))
def test_any_other_residue_of_a_unit_is_refused(number: int, change: int) -> None:
    unit = (number % 6, number // 6)
    units = {**ODD.units, unit: ODD.units.get(unit, 0) + change}
    assert "weighs" in fault(T_PIECES, replace(ODD, units=units))
    verify(T_PIECES, replace(ODD, units={**ODD.units, unit: ODD.units.get(unit, 0) + 2 * change}))


@given(st.integers(0, 33), st.integers(1, 9))
def test_a_heavier_unit_is_refused(number: int, change: int) -> None:
    unit = tuple(BOARD.region.units[number].tolist())
    units = {**BLACK_AND_WHITE.units, unit: BLACK_AND_WHITE.units[unit] + change}
    assert "The placement of I2 at" in fault(BOARD, replace(BLACK_AND_WHITE, units=units))


@given(
    st.sampled_from(["congruence", "inequality", "balance"]),
    st.integers(2, 9),
    st.lists(st.integers(-3, 3), min_size=16, max_size=16),
    st.integers(-3, 3),
)
def test_no_weights_refute_what_has_a_solution(
    kind: Any, modulus: int, weights: list[int], piece: int
) -> None:
    board = dominoes(4, 4)
    units = dict(zip(map(tuple, board.region.units.tolist()), weights, strict=True))
    fault(
        board,
        LinearCertificate(
            kind,
            modulus if kind == "congruence" else 0,
            units,
            {} if kind == "balance" else {"I2": piece},
        ),
    )


def test_optional_units_weigh_nothing_modulo_a_number() -> None:
    puzzle = strip(3, replace(DOMINO, lower=2, upper=2), optional=(2,))
    area = LinearCertificate("inequality", 0, {(x, 0): -1 for x in range(3)}, {"I2": 2})
    verify(puzzle, area)
    odd = LinearCertificate("congruence", 3, {(x, 0): 1 for x in range(3)}, {"I2": -2})
    assert "need not contain unit [2, 0]" in fault(puzzle, odd)
    positive = LinearCertificate("inequality", 0, {(x, 0): 1 for x in range(3)}, {"I2": -2})
    assert "a solution would weigh -2" in fault(puzzle, positive)
    balance = LinearCertificate("balance", 0, {(x, 0): 1 for x in range(3)})
    assert "Unit [2, 0] is optional" in fault(puzzle, balance)


def test_pieces_in_ranges_count_at_their_worst() -> None:
    few = strip(4, replace(DOMINO, lower=0, upper=1))
    units: dict[Point, int] = {(x, 0): 1 for x in range(4)}
    verify(few, LinearCertificate("inequality", 0, units, {"I2": -2}))
    verify(few, LinearCertificate("balance", 0, units))
    enough = strip(4, replace(DOMINO, lower=0, upper=2))
    assert "weigh 0" in fault(enough, LinearCertificate("inequality", 0, units, {"I2": -2}))
    assert "can weigh 4" in fault(enough, LinearCertificate("balance", 0, units))
    assert "need not contain piece I2" in fault(
        few, LinearCertificate("congruence", 3, units, {"I2": 1})
    )


def test_a_choice_of_pieces_to_leave_out() -> None:
    whole = tetrasticks("")
    units = {tuple(p): p[1] % 2 for p in whole.region.units.tolist()}
    odd = dict.fromkeys("HJLNY", 1)
    wrong = replace_choice(whole, ("F", "I"))
    verify(wrong, LinearCertificate("congruence", 2, units, odd))
    verify(wrong, LinearCertificate("balance", 0, {u: 1 - 2 * w for u, w in units.items()}))
    right = replace_choice(whole, ("F", "H"))
    assert "Leaving out H weighs 1" in fault(right, LinearCertificate("congruence", 2, units, odd))
    assert "Leaving out F weighs 1" in fault(
        right, LinearCertificate("congruence", 2, units, odd, omitted=1)
    )
    odd_only = replace_choice(whole, ("H", "J"))
    choice = LinearCertificate("congruence", 2, units, odd, omitted=1)
    assert "a solution would weigh 36" in fault(odd_only, choice)


def test_pieces_that_are_always_left_out_are_nowhere() -> None:
    """Weights of the units may be found without them; see `exactile.model.weights.remaining`."""
    single = replace(DOMINO, name="O1", units=((0, 0),))
    puzzle = replace_choice(replace(BOARD, pieces=(*BOARD.pieces, single)), ("O1",))
    left = remainder(puzzle)
    assert (left.uses["O1"], left.placements["O1"]) == ((0, 0), [])
    assert (left.choice, left.omitted) == ((), 0)
    assert find_linear(puzzle).certificate is not None


def replace_choice(puzzle: Puzzle, names: tuple[str, ...]) -> Puzzle:
    return Puzzle(puzzle.name, puzzle.region, puzzle.pieces, (), Omission(names, 1))


def test_fixed_placements_are_put_in_place_first() -> None:
    fixed = (Placement("I2", ((1, 0), (2, 0))),)
    puzzle = strip(4, replace(DOMINO, lower=2, upper=2), fixed=fixed)
    left = remainder(puzzle)
    assert (left.units, left.uses) == ({(0, 0): 1, (3, 0): 1}, {"I2": (1, 1)})
    assert left.placements == {"I2": []}
    verify(puzzle, LinearCertificate("inequality", 0, {(0, 0): 1}))
    assert "which need not be covered" in fault(
        puzzle, LinearCertificate("balance", 0, {(1, 0): 1})
    )
    with_one = strip(4, replace(DOMINO, lower=0, upper=1), fixed=fixed[:1])
    assert remainder(with_one).uses == {"I2": (0, 0)}


def test_sums_by_hand() -> None:
    """A domino and a straight tromino, weighed by their first cells."""
    tromino = Piece("I3", SQUARE, ((0, 0), (1, 0), (2, 0)), Freedom.FIXED)
    puzzle = strip(5, DOMINO, tromino)
    first = LinearCertificate("balance", 0, {(0, 0): 1, (1, 0): 10})
    # the domino: 11, 10, 0, 0; the tromino: 11, 10, 0
    assert all_sums(remainder(puzzle), first) == {0, 10, 11, 20, 21, 22}


@pytest.mark.parametrize(
    "damage",
    [
        {"kind": "magic"},
        {"modulus": "2"},
        {"units": [[[0, 0], 1], [[0, 0], 2]]},
        {"units": [[[0, 0.5], 1]]},
        {"units": 3},
        {"pieces": {"T4": None}},
        {"omitted": 1.5},
        {"more": 1},
    ],
)
def test_damaged_documents_are_refused(damage: dict[str, Any]) -> None:
    with pytest.raises(CertificateError, match="The coloring is damaged"):
        LinearCertificate.from_json({**ODD.to_json(), **damage})
    with pytest.raises(CertificateError, match="damaged"):
        LinearCertificate.from_json([])


def test_documents_come_back() -> None:
    for certificate in (ODD, BLACK_AND_WHITE):
        assert LinearCertificate.from_json(certificate.to_json()) == certificate


def test_weights_without_end_are_refused() -> None:
    pieces = all_of("pentominoes", SQUARE.builders["box"](10, 6))
    units = {tuple(p): 7**n for n, p in enumerate(pieces.region.units.tolist())}
    assert "too many sums" in fault(pieces, LinearCertificate("balance", 0, units))


def test_found_ones_are_found_again() -> None:
    assert find_linear(BOARD) == find_linear(BOARD)
