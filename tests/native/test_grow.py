"""The native growth of polyforms alone: wrong input is refused, not read beyond its end."""

from __future__ import annotations

import numpy as np
import pytest

from exactile._native import FormTally, Grower, encloses_units

SQUARE = np.eye(2, dtype=np.int64)[None].copy()
CUBE = np.eye(3, dtype=np.int64)[None].copy()


def grower(step: int = 1) -> Grower:
    return Grower(1, [0], [[step, 0, 0, step]], SQUARE)


def test_a_unit_grows() -> None:
    growing = grower()
    growing.extend(np.zeros((1, 1, 2), dtype=np.int64))
    assert growing.forms(2, 2).tolist() == [[[0, 0], [0, 1]], [[0, 0], [1, 0]]]


@pytest.mark.parametrize("shape", [(1, 1, 1), (1, 2, 3)])
def test_forms_of_another_dimension_are_refused(shape: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match="wrong number of coordinates"):
        grower().extend(np.zeros(shape, dtype=np.int64))


@pytest.mark.parametrize(("order", "dimension"), [(1_000_000, 2), (2, 3), (0, 2)])
def test_forms_are_only_handed_out_as_what_they_are(order: int, dimension: int) -> None:
    growing = grower()
    growing.extend(np.zeros((1, 1, 2), dtype=np.int64))
    with pytest.raises(ValueError, match="another order or dimension"):
        growing.forms(order, dimension)


@pytest.mark.parametrize("far", [2**31, -(2**63), 2**21])
def test_far_points_are_refused(far: int) -> None:
    with pytest.raises(ValueError, match="a coordinate is too large"):
        grower().extend(np.full((1, 1, 2), far, dtype=np.int64))


def test_numbers_that_would_overflow_are_refused() -> None:
    with pytest.raises(ValueError, match="the period is too large"):
        Grower(2**22, [], [[1, 0, 0]], CUBE)
    with pytest.raises(ValueError, match="an offset is too large"):
        grower(step=2**31 - 1)
    with pytest.raises(ValueError, match="an entry of a matrix is too large"):
        Grower(1, [0], [[1, 0]], SQUARE * 2**30)


def test_a_tally_and_holes_refuse_what_is_too_large() -> None:
    with pytest.raises(ValueError, match="the order is out of range"):
        FormTally(1, [0], [[0, 1]], SQUARE, 65)
    with pytest.raises(ValueError, match="reaches too far"):
        FormTally(1, [0], [[0, 2**12]], SQUARE, 64)
    with pytest.raises(ValueError, match="too many units"):
        FormTally(1, [0], [[100, 100, 100]], CUBE, 64)
    with pytest.raises(ValueError, match="wrong number of coordinates"):
        encloses_units(1, [0], [[0, 1]], SQUARE, np.zeros((1, 3), dtype=np.int64))
    for far in (2**40, 2**19):
        form = np.array([[0, 0], [far, far]], dtype=np.int64)
        with pytest.raises(ValueError, match="too large"):
            encloses_units(1, [0], [[0, 1, 1, 0]], SQUARE, form)


def test_a_tally_is_told_when_it_is_done() -> None:
    tally = FormTally(1, [0], [[1, 0, 0, 1, -1, 0, 0, -1]], SQUARE, 9)
    with pytest.raises(RuntimeError, match="are not counted"):
        _ = tally.forms
    while not tally.run(0):
        pass
    assert tally.forms == tally.met == 9910
