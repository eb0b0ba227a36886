"""The native search for blocks and exchanges, on solutions made by hand."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from exactile._native import find_moves
from exactile.geometry import get_lattice
from exactile.puzzle import Region
from exactile.surveys.classes.isometries import BLOCKS, EXCHANGES, isometries

Numbers = list[int]


def found(
    owners: Numbers, pieces: Numbers, images: Numbers, wanted: int
) -> list[tuple[Numbers, Numbers]]:
    """Return what is moved by one map, and what by its inverse, of one solution."""
    _, _, first, placements, _ = find_moves(
        np.array([owners], dtype=np.int32),
        np.array([pieces], dtype=np.int32),
        np.array([images], dtype=np.int32),
        np.array([wanted], dtype=np.uint8),
    )
    parts: list[npt.NDArray[np.int32]] = np.split(placements, first[1:-1]) if len(first) > 1 else []
    return [(sorted(p[p >= 0].tolist()), sorted((~p[p < 0]).tolist())) for p in parts]


def test_a_block_goes_onto_itself() -> None:
    # Placement 0 has units 0 1, placement 1 has unit 2; placement 2 stays where it is.
    assert found([0, 0, 1, 2], [5, 6, 7], [2, 1, 0, 3], BLOCKS) == [([0, 1], [])]


def test_what_leaves_the_region_is_no_block() -> None:
    assert found([0, 0, 1, 1], [5, 6], [1, 2, 3, -1], BLOCKS) == []


def test_uncovered_units_belong_to_no_block() -> None:
    assert found([0, 0, 1, -1], [5, 6], [2, 1, 0, 3], BLOCKS) == [([0, 1], [])]
    assert found([0, -1, 1, 1], [5, 6], [0, 3, 2, 1], BLOCKS) == []


def test_sets_are_exchanged() -> None:
    # Units 0 1 2 go onto 3 4 5: two placements on each side, cut in different ways.
    owners, onto = [0, 0, 1, 2, 3, 3], [3, 4, 5, -1, -1, -1]
    assert found(owners, [4, 5, 6, 7], onto, EXCHANGES) == [([0, 1], [2, 3])]
    assert found(owners, [4, 5, 6, 7], onto, BLOCKS) == []


def test_equal_pieces_that_change_places_change_nothing() -> None:
    assert found([0, 0, 1, 1], [5, 5], [2, 3, 0, 1], BLOCKS | EXCHANGES) == []
    assert found([0, 0, 1, 1], [5, 6], [2, 3, 0, 1], BLOCKS) == [([0, 1], [])]


def test_unions_are_found_too() -> None:
    # Two blocks about the same center, each of two placements.
    owners, turned = [0, 1, 1, 2, 3, 3], [2, 1, 0, 5, 4, 3]
    assert sorted(found(owners, [4, 5, 6, 7], turned, BLOCKS)) == [
        ([0, 1], []),
        ([0, 1, 2, 3], []),
        ([2, 3], []),
    ]


def test_many_blocks_are_listed_singly() -> None:
    units = np.arange(44)
    owners = units // 2 * 2 + units % 2  # 22 pairs of single units that change places
    _, _, first, _, cut_short = find_moves(
        owners[None].astype(np.int32),
        owners[None].astype(np.int32),
        (units ^ 1)[None].astype(np.int32),
        np.array([BLOCKS], dtype=np.uint8),
    )
    assert len(first) - 1 == 22
    assert cut_short == 1


def test_wrong_arrays_are_refused() -> None:
    with pytest.raises(ValueError, match="owner"):
        found([0, 3], [1, 2], [0, 1], BLOCKS)
    with pytest.raises(ValueError, match="not a unit"):
        found([0, 1], [1, 2], [0, 2], BLOCKS)
    with pytest.raises(ValueError, match="same image"):
        found([0, 1], [1, 2], [1, 1], BLOCKS)
    with pytest.raises(ValueError, match="fit together"):
        found([0, 1], [1, 2], [0], BLOCKS)


def test_isometries_of_a_small_square() -> None:
    grid = get_lattice("square")
    region = Region(grid, grid.points(grid.builders["box"](2, 2)))
    every = isometries(region, 1)
    # The square's 7 symmetries but the identity keep all units; other isometries keep 1 or 2.
    assert int(((every.images >= 0).sum(axis=1) == 4).sum()) == 7
    assert len(isometries(region, 4)) == 7
    for images, inverse in zip(every.images.tolist(), every.inverses.tolist(), strict=True):
        assert all(inverse[v] == u for u, v in enumerate(images) if v >= 0)
    shifted = [
        w for i, w in zip(every.images.tolist(), every.wanted, strict=True) if i == [1, -1, 3, -1]
    ]
    back = [
        w for i, w in zip(every.images.tolist(), every.wanted, strict=True) if i == [-1, 0, -1, 2]
    ]
    assert [*shifted, *back] == [EXCHANGES]  # of a translation and its inverse one
