"""Wrap-around."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from exactile.errors import GeometryError
from exactile.geometry.wrap import Wrap

small = st.integers(-6, 6)
vector = st.tuples(small, small)


@pytest.mark.parametrize("vectors", [[(0, 0)], [(2, 4), (1, 2)], [(1, 0), (0, 1), (1, 1)]])
def test_dependent_translations_are_refused(vectors: list[tuple[int, int]]) -> None:
    with pytest.raises(GeometryError, match="not independent"):
        Wrap(vectors)


@given(vector, vector, vector, small, small)
def test_reduce_chooses_one_point_of_each_class(
    a: tuple[int, int], b: tuple[int, int], point: tuple[int, int], m: int, n: int
) -> None:
    if a[0] * b[1] == a[1] * b[0]:
        return
    wrap = Wrap([a, b])
    moved = np.array(point) + m * np.array(a) + n * np.array(b)
    assert (wrap.reduce(moved) == wrap.reduce(np.array(point))).all()
    assert (wrap.reduce(wrap.reduce(moved)) == wrap.reduce(moved)).all()


@given(vector, vector)
def test_there_are_as_many_classes_as_the_determinant(
    a: tuple[int, int], b: tuple[int, int]
) -> None:
    area = abs(a[0] * b[1] - a[1] * b[0])
    if not area:
        return
    wrap = Wrap([a, b])
    grid = np.stack(np.meshgrid(np.arange(-40, 40), np.arange(-40, 40)), -1).reshape(-1, 2)
    assert len(np.unique(wrap.reduce(grid), axis=0)) == area


def test_empty_and_uneven_translations_are_refused() -> None:
    with pytest.raises(GeometryError, match="no translations"):
        Wrap([])
    with pytest.raises(GeometryError, match="different numbers of coordinates"):
        Wrap([(1, 0), (0, 1, 0)])


def test_kept_by() -> None:
    quarter = np.array([[0, -1], [1, 0]])
    assert Wrap([(3, 0), (0, 3)]).kept_by(quarter)
    assert not Wrap([(3, 0), (0, 4)]).kept_by(quarter)
    assert not Wrap([(3, 0)]).kept_by(quarter)
